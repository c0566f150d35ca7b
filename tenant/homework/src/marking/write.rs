//! 批阅: opening a sheet, saving marks, submitting them (part 03 B7); the same for accounts and for teachers in their client.

use std::collections::HashMap;

use homework_rules::{
    annotations::check,
    machine::Machine,
    marks::{Line, check_score, is_theirs},
};
use infra::{Allowed, App, Body, Change, Error, Reply, Result, Saved, Tx, reply};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use question_bank::score::{points, shown, tenths};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::{Value, json};
use sqlx::types::Json;

use super::{
    Annotation, Marker, MarkingPaper, OpenSheet, Reach, ReleaseSheet, SaveMarks, SubmitMarks,
    lock::{free, release, take},
    paper_of,
};
use crate::{
    enums::{HomeworkStudentState, ItemMarkState, SheetMarkState, ShowAnswer},
    sheet::{Sheet, Task, achievement_locked, follow, held, scores_of, settle},
};

/// Told when somebody marks what has its published score.
pub(super) const LOCKED: &str = "成绩已锁定，不能修改批阅结果";

/// The mark of one answer.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ItemMarks {
    /// 题目编号
    pub item_id: i64,
    /// 得分
    /// 未给分时为空
    pub score: Option<f64>,
    /// 评语
    #[oai(validator(max_length = 1000))]
    pub comment: Option<String>,
    /// 批注
    #[oai(default)]
    pub annotations: Vec<Annotation>,
}

/// Marks of a sheet.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SheetMarks {
    /// 答卷
    pub sheet_id: i64,
    /// 版本
    pub version: i32,
    /// 题目
    #[oai(validator(max_items = 500))]
    pub items: Vec<ItemMarks>,
}

impl Example for SheetMarks {
    fn example() -> Self {
        let item =
            ItemMarks {
                item_id: 1, score: Some(4.5), comment: Some("论证清楚".to_owned()), annotations: Vec::new()
            };
        Self { sheet_id: 1, version: 1, items: vec![item] }
    }
}

/// What came of saving marks.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MarksSaved {
    /// 答卷
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 得分
    /// 批阅完成时
    pub total_score: Option<f64>,
}

/// What came of submitting them.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MarksSubmitted {
    /// 答卷
    pub id: i64,
    /// 批阅完成
    /// 还有其他教师批阅的题目时为否
    pub finished: bool,
    /// 得分
    pub total_score: Option<f64>,
    /// 下一份待批阅的答卷
    pub next_sheet_id: Option<i64>,
}

/// Which sheet.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SheetToRelease {
    /// 答卷
    pub sheet_id: i64,
}

impl Example for SheetToRelease {
    fn example() -> Self {
        Self { sheet_id: 1 }
    }
}

pub struct Marking;

#[OpenApi(prefix_path = "/exam/pc/tasks/marking", tag = "crate::Tag::Homework")]
impl Marking {
    /// 打开答卷批阅
    /// 占用答卷30分钟，每次保存后重新计时
    #[oai(path = "/open", method = "get", operation_id = "openSheet")]
    async fn open(
        &self,
        caller: Allowed<OpenSheet>,
        /// 答卷
        #[oai(name = "sheetId")]
        sheet_id: Query<i64>,
    ) -> Result<Reply<MarkingPaper>> {
        let marker = Marker::of_account(&caller).await?;
        let tx = caller.begin().await?;
        Ok(reply(opened(caller.app(), tx, sheet_id.0, (&marker, &Reach::Scope(caller.scope()))).await?))
    }

    /// 保存批阅
    #[oai(path = "/save", method = "put", operation_id = "saveMarks")]
    async fn save(&self, caller: Allowed<SaveMarks>, Body(marks): Body<SheetMarks>) -> Result<Reply<MarksSaved>> {
        let marker = Marker::of_account(&caller).await?;
        let tx = caller.begin().await?;
        Ok(reply(saved(tx, &marks, (&marker, &Reach::Scope(caller.scope()))).await?))
    }

    /// 提交批阅
    #[oai(path = "/submit", method = "put", operation_id = "submitMarks")]
    async fn submit(
        &self,
        caller: Allowed<SubmitMarks>,
        Body(marks): Body<SheetMarks>,
    ) -> Result<Reply<MarksSubmitted>> {
        let marker = Marker::of_account(&caller).await?;
        let tx = caller.begin().await?;
        Ok(reply(submitted(tx, &marks, (&marker, &Reach::Scope(caller.scope()))).await?))
    }

    /// 释放答卷
    /// 释放自己占用的答卷；他人占用的请分配给其他教师
    #[oai(path = "/release", method = "put", operation_id = "releaseSheet")]
    async fn release(&self, caller: Allowed<ReleaseSheet>, Body(wanted): Body<SheetToRelease>) -> Result<Reply<Saved>> {
        let marker = Marker::of_account(&caller).await?;
        let mut tx = caller.begin().await?;
        Reach::Scope(caller.scope()).see(&mut tx, wanted.sheet_id).await?;
        held(&mut tx, wanted.sheet_id).await?;
        // What somebody else has open is let go by them, by time, or by giving it to another.
        free(&mut tx, wanted.sheet_id, &marker).await?;
        release(&mut tx, wanted.sheet_id, &marker).await?;
        tx.commit(Change::event("answer_sheet", wanted.sheet_id, "release", json!({}))).await?;
        Ok(reply(Saved { id: wanted.sheet_id }))
    }
}

/// Opens a sheet for somebody.
///
/// # Errors
/// 404 beyond their reach; 409 with the name of who has it open, and for one that was given back.
pub(crate) async fn opened(app: &App, mut tx: Tx, id: i64, (marker, reach): (&Marker, &Reach)) -> Result<MarkingPaper> {
    reach.see(&mut tx, id).await?;
    let (task, sheet) = held(&mut tx, id).await?;
    markable(&task, &sheet)?;
    take(&mut tx, id, marker).await?;
    let paper = paper_of(app, &mut tx, id, (reach, marker.teacher)).await?;
    tx.commit(Change::event("answer_sheet", id, "open", json!({ "by": marker.name }))).await?;
    Ok(paper)
}

/// # Errors
/// 404 for a sheet that is not handed in; 409 for one that was given back, and of a student who need not, or does not, do it.
fn markable(task: &Task, sheet: &Sheet) -> Result<()> {
    if matches!(task.state, HomeworkStudentState::Exempt | HomeworkStudentState::Void) {
        return Err(Error::conflict(format!("该学生的作业为{}，不能批阅", task.state.zh())));
    }
    match sheet.mark_state {
        SheetMarkState::Submitted | SheetMarkState::Marked => Ok(()),
        SheetMarkState::Returned => Err(Error::conflict("该答卷已退回重做，不能批阅")),
        SheetMarkState::InProgress | SheetMarkState::Void => Err(Error::not_found()),
    }
}

async fn lines(tx: &mut Tx, sheet: &Sheet) -> Result<Vec<Line>> {
    let full = scores_of(tx, sheet.snapshot_id).await?;
    let rows = sqlx::query!(
        r#"select i.id, i.snapshot_question_id, i.seq, i.mark_state as "state: ItemMarkState",
                  (i.score * 10)::bigint as score, i.comment, i.annotations as "annotations: Json<Value>", i.marker_id,
                  array(select x.file_id from answer_file x where x.item_id = i.id) as "files!"
           from answer_item i where i.sheet_id = $1 order by i.id"#,
        sheet.id
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Line {
            id: row.id,
            full: full.get(&row.snapshot_question_id).copied().unwrap_or_default(),
            seq: row.seq,
            state: row.state,
            score: row.score,
            comment: row.comment,
            annotations: row.annotations.0,
            files: row.files,
            marker_id: row.marker_id,
        })
        .collect())
}

/// Whether an answer is this marker's to mark.
fn is_mine(sheet: &Sheet, lines: &[Line], line: &Line, marker: &Marker) -> bool {
    is_theirs(marker.teacher, sheet.marker_id, lines.iter().map(|other| other.marker_id), line.marker_id)
}

/// Whether nothing of a sheet is another's to mark; what the machine marked is nobody's.
///
/// # Errors
/// Those of the database.
pub(super) async fn is_all_mine(tx: &mut Tx, sheet: &Sheet, marker: &Marker) -> Result<bool> {
    let lines = lines(tx, sheet).await?;
    let mut to_mark = lines.iter().filter(|line| line.state != ItemMarkState::Auto);
    Ok(to_mark.all(|line| is_mine(sheet, &lines, line, marker)))
}

/// Writes marks of a sheet that is open for the marker; answers with what changed.
async fn write(tx: &mut Tx, sheet: &Sheet, lines: &[Line], marks: &SheetMarks, marker: &Marker) -> Result<Vec<Change>> {
    let by_id: HashMap<i64, &Line> = lines.iter().map(|line| (line.id, line)).collect();
    let now = tx.app().clock().now();
    let mut changes = Vec::new();
    for (place, mark) in marks.items.iter().enumerate() {
        let field = |name: &str| format!("items[{place}].{name}");
        let line = by_id.get(&mark.item_id).ok_or_else(|| Error::field(&field("itemId"), "该题不在答卷中"))?;
        check(&mark.annotations, &line.files, &field("annotations"))?;
        if let Some(score) = mark.score {
            check_score(line, score).map_err(|why| Error::field(&field("score"), why))?;
        }
        let score = mark.score.map(tenths);
        let scored = score != line.score;
        if scored && line.state == ItemMarkState::Auto {
            let told = format!("第{}题由系统评分，如需调整请更正答案", line.seq);
            return Err(Error::field(&field("score"), told));
        }
        let annotations = poem_openapi::types::ToJSON::to_json(&mark.annotations).unwrap_or_else(|| json!([]));
        let comment = mark.comment.as_deref().map(str::trim).filter(|text| !text.is_empty());
        if !scored && comment == line.comment.as_deref() && annotations == line.annotations {
            continue;
        }
        // Words of another's answer would bear this marker's name, as its score would.
        if !is_mine(sheet, lines, line, marker) {
            let told = format!("第{}题由其他教师批阅", line.seq);
            return Err(Error::field(&field(if scored { "score" } else { "comment" }), told));
        }
        if score.is_none() && sheet.mark_state == SheetMarkState::Marked {
            return Err(Error::field(&field("score"), format!("第{}题未给分", line.seq)));
        }
        let state = match (line.state, score) {
            (ItemMarkState::Auto, _) => ItemMarkState::Auto,
            (_, Some(_)) => ItemMarkState::Marked,
            (_, None) => ItemMarkState::Pending,
        };
        // Who marks on behalf stands beside the teacher to whom the answer was given.
        let teacher = marker.teacher.or(line.marker_id).or(sheet.marker_id);
        sqlx::query!(
            "update answer_item
             set score = $2::float8::numeric, comment = $3, annotations = $4, mark_state = $5, marked_by_account_id = $6,
                 marked_by_teacher_id = $7, marked_at = $8
             where id = $1",
            line.id,
            mark.score,
            comment,
            annotations,
            state.as_str(),
            marker.account,
            teacher,
            now as _
        )
        .execute(&mut **tx)
        .await?;
        let before = json!({ "score": line.score.map(points), "comment": line.comment });
        let after = json!({ "score": mark.score, "comment": comment });
        changes.push(Change::status("answer_item", line.id, "mark", before, after));
    }
    Ok(changes)
}

/// Writes marks of a sheet that is held and open for the marker.
///
/// # Errors
/// 422 at the mark that is no score, another's, or the machine's.
pub async fn write_marks(tx: &mut Tx, sheet: &Sheet, marks: &SheetMarks, marker: &Marker) -> Result<Vec<Change>> {
    let before = lines(tx, sheet).await?;
    write(tx, sheet, &before, marks, marker).await
}

/// The first answer that waits for this marker.
///
/// # Errors
/// Those of the database.
pub async fn waits_for(tx: &mut Tx, sheet: &Sheet, marker: &Marker) -> Result<Option<String>> {
    let lines = lines(tx, sheet).await?;
    let open = lines.iter().find(|line| line.state == ItemMarkState::Pending && is_mine(sheet, &lines, line, marker));
    Ok(open.map(|line| line.seq.clone()))
}

/// What of a sheet is marked by now.
///
/// # Errors
/// Those of the database.
pub async fn standing(tx: &mut Tx, sheet: &Sheet) -> Result<Machine> {
    let lines = lines(tx, sheet).await?;
    let sum = |state: ItemMarkState| -> i64 {
        lines.iter().filter(|line| line.state == state).filter_map(|line| line.score).sum()
    };
    Ok(Machine {
        objective: sum(ItemMarkState::Auto),
        subjective: sum(ItemMarkState::Marked),
        pending: lines.iter().filter(|line| line.state == ItemMarkState::Pending).count(),
        unanswered: 0,
    })
}

/// Writes what a sheet comes to by the marks that it has; it is held.
///
/// # Errors
/// Those of the database.
pub(crate) async fn settled(tx: &mut Tx, task: &Task, sheet: &Sheet) -> Result<SheetMarkState> {
    let machine = standing(tx, sheet).await?;
    settle(tx, Some(task), sheet, machine).await
}

/// A sheet that this marker has open, as it was read.
async fn open_for(tx: &mut Tx, marks: &SheetMarks, (marker, reach): (&Marker, &Reach)) -> Result<(Task, Sheet)> {
    reach.see(tx, marks.sheet_id).await?;
    let (task, sheet) = held(tx, marks.sheet_id).await?;
    markable(&task, &sheet)?;
    if !achievement_locked(tx, &[task.selection_id]).await?.is_empty() {
        return Err(Error::conflict(LOCKED));
    }
    take(tx, marks.sheet_id, marker).await?;
    if sheet.version != marks.version {
        return Err(tx.stale("answer_sheet", marks.sheet_id).await);
    }
    Ok((task, sheet))
}

/// Saves marks; a sheet that was marked gets its new score at once.
///
/// # Errors
/// 404 beyond the marker's reach; 409 when somebody else has it open, it changed since, or its score is locked; 422 at the mark.
pub(crate) async fn saved(mut tx: Tx, marks: &SheetMarks, who: (&Marker, &Reach)) -> Result<MarksSaved> {
    let (task, sheet) = open_for(&mut tx, marks, who).await?;
    let mut changes = write_marks(&mut tx, &sheet, marks, who.0).await?;
    if sheet.mark_state == SheetMarkState::Marked {
        settled(&mut tx, &task, &sheet).await?;
        changes.extend(follow(&mut tx, &task).await?);
    } else {
        let by = tx.by();
        sqlx::query!(
            "update answer_sheet set updated_at = now(), updated_by = $2, version = version + 1 where id = $1",
            sheet.id,
            by
        )
        .execute(&mut *tx)
        .await?;
    }
    let total = total_of(&mut tx, sheet.id).await?;
    if changes.is_empty() {
        changes.push(Change::event("answer_sheet", sheet.id, "save", json!({})));
    }
    tx.commit_all(changes).await?;
    Ok(MarksSaved { id: sheet.id, version: sheet.version + 1, total_score: total })
}

async fn total_of(tx: &mut Tx, sheet: i64) -> Result<Option<f64>> {
    Ok(sqlx::query_scalar!("select total_score::float8 from answer_sheet where id = $1", sheet)
        .fetch_one(&mut **tx)
        .await?)
}

/// Saves marks and ends the marker's work on the sheet.
///
/// # Errors
/// As [`saved`]; 422 for an answer without a score.
pub(crate) async fn submitted(mut tx: Tx, marks: &SheetMarks, who: (&Marker, &Reach)) -> Result<MarksSubmitted> {
    let (marker, _) = who;
    let (task, sheet) = open_for(&mut tx, marks, who).await?;
    let mut changes = write_marks(&mut tx, &sheet, marks, marker).await?;
    let after = lines(&mut tx, &sheet).await?;
    let open = after.iter().find(|line| line.state == ItemMarkState::Pending && is_mine(&sheet, &after, line, marker));
    if let Some(line) = open {
        return Err(Error::field("items", format!("第{}题未给分", line.seq)));
    }
    let state = settled(&mut tx, &task, &sheet).await?;
    let finished = state == SheetMarkState::Marked;
    // Whoever marked a part does not become the marker of the rest.
    let whole = marker.teacher.filter(|_| after.iter().all(|line| line.marker_id.is_none()));
    sqlx::query!(
        "update answer_sheet set marked_by_name = $2, marker_id = coalesce(marker_id, $3) where id = $1",
        sheet.id,
        marker.name,
        whole
    )
    .execute(&mut *tx)
    .await?;
    release(&mut tx, sheet.id, marker).await?;
    changes.extend(follow(&mut tx, &task).await?);
    let total = total_of(&mut tx, sheet.id).await?;
    // Who submits a marked sheet again, tells nobody.
    if finished && sheet.mark_state != SheetMarkState::Marked {
        tell_marked(&mut tx, &task, total, &format!("homework_marked:{}:{}", sheet.id, sheet.version)).await?;
    }
    let next_sheet_id = next(&mut tx, &task, sheet.id, who).await?;
    let (before, after) = (sheet.mark_state.as_str(), state.as_str());
    changes.push(Change::status("answer_sheet", sheet.id, "markState", before, after));
    tx.commit_all(changes).await?;
    Ok(MarksSubmitted { id: sheet.id, finished, total_score: total, next_sheet_id })
}

/// The score is told as far as the student may see it by now.
async fn tell_marked(tx: &mut Tx, task: &Task, total: Option<f64>, once: &str) -> Result<()> {
    let now = tx.app().clock().now();
    let waits = task.again(now) || task.show_answer == ShowAnswer::AfterClose && !task.over(now);
    let score = if waits { "截止后公布".to_owned() } else { total.map(tenths).map(shown).unwrap_or_default() };
    let person = Person { kind: PersonKind::Student, id: task.student_id };
    let values = [
        ("course".to_owned(), task.course_name.clone()),
        ("title".to_owned(), task.title.clone()),
        ("score".to_owned(), score),
    ];
    notify(tx, "homework_marked", Persons::Recipients(vec![person]), values.into(), Some(once)).await
}

/// The next sheet of the homework that waits and that nobody has open: first those that were given to the marker.
async fn next(tx: &mut Tx, task: &Task, but: i64, (marker, reach): (&Marker, &Reach)) -> Result<Option<i64>> {
    let now = tx.app().clock().now();
    let (scope, own) = match reach {
        Reach::Scope(scope) => (scope.clone(), None),
        Reach::Teacher(teacher) => (infra::Scope::whole_school(), Some(*teacher)),
    };
    Ok(sqlx::query_scalar!(
        "select a.id
         from answer_sheet a
         join homework_student s on s.id = a.homework_student_id
         join course_selection c on c.id = s.selection_id
         join student y on y.id = c.student_id
         where s.homework_id = $1 and a.id <> $2 and a.mark_state = 'submitted' and s.state not in ('exempt', 'void')
           and (a.locked_until is null or a.locked_until < $3)
           and ($4::bigint[] is null or y.site_id = any($4) or y.class_id = any($5::bigint[]))
           and ($6::bigint is null or a.marker_id = $6
                or exists (select from answer_item i
                           where i.sheet_id = a.id and i.marker_id = $6 and i.mark_state = 'pending'))
         order by a.marker_id is not distinct from $7 desc, a.submitted_at, a.id
         limit 1",
        task.homework_id,
        but,
        now as _,
        scope.sites(),
        scope.classes(),
        own,
        marker.teacher
    )
    .fetch_optional(&mut **tx)
    .await?)
}
