//! 阅卷: taking a sheet, saving marks, ending one's part of it; the same for accounts and for teachers in their client (part 04 §2.3).

use std::collections::{HashMap, HashSet};

use exam_rules::double::{Agreed, agreed};
use exams::{
    enums::{ExamMode, MarkingMode, MarkingStatus},
    marker::recount,
    setup::{HeldSetup, known},
};
use homework::{
    enums::SheetMarkState,
    marking::{
        Marker, MarkingItem, items_of,
        lock::{release, take},
        write::{SheetMarks, waits_for, write_marks},
    },
    sheet::{Sheet, marked_by, scored, settled_of},
};
use infra::{App, Change, Error, Result, Scope, Tx};
use poem_openapi::Object;
use question_bank::{
    question::QuestionMedia,
    score::{is_score, points, tenths},
};
use serde_json::json;
use sqlx::PgConnection;

use super::ending::over;
use crate::sheet::{HeldSheet, held};

/// Which sheets somebody reaches.
pub(crate) enum Reach {
    /// Those of the students of a scope.
    Scope(Scope),
    /// Those that were given to a teacher, whole or in part.
    Teacher(i64),
}

impl Reach {
    fn parts(&self) -> (Scope, Option<i64>) {
        match self {
            Self::Scope(scope) => (scope.clone(), None),
            Self::Teacher(teacher) => (Scope::whole_school(), Some(*teacher)),
        }
    }

    /// # Errors
    /// 404 for a sheet beyond it, and for one that nobody handed in.
    async fn see(&self, connection: &mut PgConnection, sheet: i64) -> Result<()> {
        let (scope, teacher) = self.parts();
        let seen = sqlx::query_scalar!(
            r#"select exists (
                   select from answer_sheet a
                   join exam_candidate c on c.id = a.exam_candidate_id
                   join student y on y.id = c.student_id
                   where a.id = $1 and a.mark_state in ('submitted', 'marked')
                     and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
                     and ($4::bigint is null or a.marker_id = $4
                          or exists (select from answer_item i where i.sheet_id = a.id and i.marker_id = $4)
                          or exists (select from exam_item_mark x join answer_item i on i.id = x.item_id
                                     where i.sheet_id = a.id and x.marker_teacher_id = $4))) as "seen!""#,
            sheet,
            scope.sites(),
            scope.classes(),
            teacher
        )
        .fetch_one(connection)
        .await?;
        if seen { Ok(()) } else { Err(Error::not_found()) }
    }
}

/// What one marker said of an answer, for whoever decides between two.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamItemMark {
    /// 题目编号
    pub item_id: i64,
    /// 第几评
    pub seq_no: i32,
    /// 得分
    pub score: Option<f64>,
    /// 评语
    pub comment: Option<String>,
}

/// A sheet that somebody marks. Of an anonymous one neither number nor name are told.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamPaperToMark {
    /// 答卷
    pub sheet_id: i64,
    /// 版本
    pub version: i32,
    /// 考试编号
    pub setup_id: i64,
    /// 考试
    pub setup_name: String,
    /// 匿名编号
    pub no: i64,
    /// 学号
    /// 匿名阅卷时为空
    pub student_no: Option<String>,
    /// 姓名
    /// 匿名阅卷时为空
    pub name: Option<String>,
    /// 状态
    pub mark_state: SheetMarkState,
    /// 阅卷方式
    pub marking_mode: MarkingMode,
    /// 仲裁
    pub arbitration: bool,
    /// 题目
    pub items: Vec<MarkingItem>,
    /// 图片和音频
    pub media: Vec<QuestionMedia>,
    /// 双评结果
    /// 只有仲裁人可见
    pub marks: Vec<ExamItemMark>,
    /// 还有待阅
    pub left: i64,
}

/// What came of marks.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamMarksSaved {
    /// 答卷
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 批阅完成
    pub finished: bool,
    /// 待仲裁题数
    pub arbitration: i64,
    /// 得分
    /// 批阅完成时
    pub total_score: Option<f64>,
}

/// The next sheet of a setup that waits for somebody, taken for them. With it goes the key, so nobody sits any more.
///
/// # Errors
/// 404 beyond their reach; 409 before the examination is over, when the marking is, and for a sheet that somebody else has open.
pub(crate) async fn next(
    app: &App,
    mut tx: Tx,
    (setup, question, sheet): (i64, Option<i64>, Option<i64>),
    (marker, reach): (&Marker, &Reach),
) -> Result<Option<ExamPaperToMark>> {
    let held_setup = known(&mut tx, setup, ExamMode::Online).await?;
    let double = held_setup.marking_mode == MarkingMode::Double;
    let own = own_teacher(&held_setup, marker)?;
    let found = match sheet {
        Some(sheet) => Some(sheet),
        None => waiting(&mut tx, (setup, question), (double, own, marker.teacher), reach).await?,
    };
    let Some(id) = found else { return Ok(None) };
    reach.see(&mut tx, id).await?;
    let held = held(&mut tx, id).await?;
    if held.setup.id != setup {
        return Err(Error::not_found());
    }
    over(&held.setup)?;
    markable(&held)?;
    if !double {
        take(&mut tx, id, marker).await?;
    }
    let left = left(&mut tx, &held, reach).await?;
    let paper = shown(app, &mut tx, &held, (own, question, left)).await?;
    tx.commit(Change::event("answer_sheet", id, "open", json!({ "by": marker.name }))).await?;
    Ok(Some(paper))
}

/// In whose name somebody marks twice.
///
/// # Errors
/// 409 for an account that is no teacher's, where marks are a marker's own.
fn own_teacher(setup: &HeldSetup, marker: &Marker) -> Result<Option<i64>> {
    match (setup.marking_mode, marker.teacher) {
        (MarkingMode::Double, None) => Err(Error::conflict("双评须由阅卷教师本人办理，请先为账号绑定教师")),
        (MarkingMode::Double, teacher) => Ok(teacher),
        (MarkingMode::Single | MarkingMode::Auto, _) => Ok(None),
    }
}

async fn waiting(
    tx: &mut Tx,
    (setup, question): (i64, Option<i64>),
    (double, own, teacher): (bool, Option<i64>, Option<i64>),
    reach: &Reach,
) -> Result<Option<i64>> {
    let (scope, only) = reach.parts();
    let now = tx.app().clock().now();
    if double {
        return Ok(sqlx::query_scalar!(
            "select a.id from exam_item_mark x
             join answer_item i on i.id = x.item_id
             join answer_sheet a on a.id = i.sheet_id and a.mark_state = 'submitted'
             join exam_candidate c on c.id = a.exam_candidate_id
             where c.setup_id = $1 and x.marker_teacher_id = $2 and x.score is null
               and ($3::bigint is null or i.snapshot_question_id = $3)
             order by a.seed, a.id limit 1",
            setup,
            own,
            question
        )
        .fetch_optional(&mut **tx)
        .await?);
    }
    Ok(sqlx::query_scalar!(
        "select a.id
         from answer_sheet a
         join exam_candidate c on c.id = a.exam_candidate_id
         join student y on y.id = c.student_id
         where c.setup_id = $1 and a.mark_state = 'submitted'
           and (a.locked_until is null or a.locked_until < $2)
           and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
           and exists (select from answer_item i
                       where i.sheet_id = a.id and i.mark_state = 'pending'
                         and ($5::bigint is null or i.snapshot_question_id = $5)
                         and ($6::bigint is null or coalesce(i.marker_id, a.marker_id) = $6))
         order by a.marker_id is not distinct from $7 desc, a.seed, a.id limit 1",
        setup,
        now as _,
        scope.sites(),
        scope.classes(),
        question,
        only,
        teacher
    )
    .fetch_optional(&mut **tx)
    .await?)
}

/// # Errors
/// 409 once scores were handed in, and before a sheet is.
fn markable(held: &HeldSheet) -> Result<()> {
    if held.setup.marking_status == MarkingStatus::Transferred {
        return Err(Error::conflict("成绩已转入，不能修改阅卷结果"));
    }
    match held.sheet.mark_state {
        SheetMarkState::Submitted | SheetMarkState::Marked => Ok(()),
        SheetMarkState::InProgress | SheetMarkState::Returned | SheetMarkState::Void => Err(Error::not_found()),
    }
}

/// How many other sheets wait, of those that may be reached; of a teacher, for their marks.
async fn left(tx: &mut Tx, held: &HeldSheet, reach: &Reach) -> Result<i64> {
    let (scope, teacher) = reach.parts();
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "left!"
           from answer_sheet a
           join exam_candidate c on c.id = a.exam_candidate_id
           join student y on y.id = c.student_id
           where c.setup_id = $1 and a.mark_state = 'submitted' and a.id <> $2
             and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
             and ($5::bigint is null
                  or exists (select from answer_item i where i.sheet_id = a.id and i.mark_state = 'pending'
                             and coalesce(i.marker_id, a.marker_id) = $5)
                  or exists (select from exam_item_mark x join answer_item i on i.id = x.item_id
                             where i.sheet_id = a.id and x.marker_teacher_id = $5 and x.score is null))"#,
        held.setup.id,
        held.sheet.id,
        scope.sites(),
        scope.classes(),
        teacher
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// A sheet as its marker sees it.
async fn shown(
    app: &App,
    tx: &mut Tx,
    held: &HeldSheet,
    (own, question, left): (Option<i64>, Option<i64>, i64),
) -> Result<ExamPaperToMark> {
    let (mut items, media) = items_of(app, tx, (held.sheet.id, held.sheet.snapshot_id), (None, None)).await?;
    let mut marks = Vec::new();
    let mut arbitration = false;
    if let Some(own) = own {
        let rows = sqlx::query!(
            r#"select x.item_id, x.seq_no, x.marker_teacher_id, x.score::float8 as score, x.comment
               from exam_item_mark x join answer_item i on i.id = x.item_id where i.sheet_id = $1 order by x.item_id, x.seq_no"#,
            held.sheet.id
        )
        .fetch_all(&mut **tx)
        .await?;
        let mine: HashMap<i64, (i32, Option<f64>, Option<String>)> = rows
            .iter()
            .filter(|row| row.marker_teacher_id == own)
            .map(|row| (row.item_id, (row.seq_no, row.score, row.comment.clone())))
            .collect();
        items.retain(|item| mine.contains_key(&item.item_id));
        for item in &mut items {
            if let Some((_, score, comment)) = mine.get(&item.item_id) {
                // What others said of it is theirs.
                (item.score, item.comment) = (*score, comment.clone());
            }
        }
        let third: HashSet<i64> = mine.iter().filter(|(_, (seq, ..))| *seq == 3).map(|(id, _)| *id).collect();
        arbitration = !third.is_empty();
        marks = rows
            .into_iter()
            .filter(|row| third.contains(&row.item_id) && row.seq_no < 3)
            .map(|row| ExamItemMark {
                item_id: row.item_id,
                seq_no: row.seq_no,
                score: row.score,
                comment: row.comment,
            })
            .collect();
    }
    if let Some(question) = question {
        items.retain(|item| item.snapshot_question_id == question);
    }
    let row = sqlx::query!("select student_no, name from student where id = $1", held.candidate.student_id)
        .fetch_one(&mut **tx)
        .await?;
    let named = !held.setup.anonymous_marking;
    Ok(ExamPaperToMark {
        sheet_id: held.sheet.id,
        version: held.sheet.version,
        setup_id: held.setup.id,
        setup_name: held.setup.name.clone(),
        no: held.sheet.seed % 1_000_000,
        student_no: row.student_no.filter(|_| named),
        name: named.then_some(row.name),
        mark_state: held.sheet.mark_state,
        marking_mode: held.setup.marking_mode,
        arbitration,
        items,
        media,
        marks,
        left,
    })
}

/// Saves marks.
///
/// # Errors
/// 404 beyond the marker's reach; 409 before the examination is over, when somebody else has the sheet open, it changed since, or scores
/// were handed in; 422 at the mark.
pub(crate) async fn saved(mut tx: Tx, marks: &SheetMarks, who: (&Marker, &Reach)) -> Result<ExamMarksSaved> {
    let (held, mut changes) = written(&mut tx, marks, who).await?;
    let told = ended(&mut tx, &held, marks, who.0).await?;
    if changes.is_empty() {
        changes.push(Change::event("answer_sheet", held.sheet.id, "save", json!({})));
    }
    tx.commit_all(changes).await?;
    Ok(told)
}

/// Saves marks and ends the marker's work on the sheet.
///
/// # Errors
/// As [`saved`]; 422 for an answer without a score.
pub(crate) async fn submitted(mut tx: Tx, marks: &SheetMarks, who: (&Marker, &Reach)) -> Result<ExamMarksSaved> {
    let (marker, _) = who;
    let (held, mut changes) = written(&mut tx, marks, who).await?;
    let open = match own_teacher(&held.setup, marker)? {
        Some(own) => {
            sqlx::query_scalar!(
                "select i.seq from exam_item_mark x join answer_item i on i.id = x.item_id
             where i.sheet_id = $1 and x.marker_teacher_id = $2 and x.score is null order by i.id limit 1",
                held.sheet.id,
                own
            )
            .fetch_optional(&mut *tx)
            .await?
        }
        None => waits_for(&mut tx, &held.sheet, marker).await?,
    };
    if let Some(seq) = open {
        return Err(Error::field("items", format!("第{seq}题未给分")));
    }
    release(&mut tx, held.sheet.id, marker).await?;
    let told = ended(&mut tx, &held, marks, marker).await?;
    let to = if told.finished { SheetMarkState::Marked } else { SheetMarkState::Submitted };
    changes.push(Change::status(
        "answer_sheet",
        held.sheet.id,
        "markState",
        held.sheet.mark_state.as_str(),
        to.as_str(),
    ));
    tx.commit_all(changes).await?;
    Ok(told)
}

async fn written(
    tx: &mut Tx,
    marks: &SheetMarks,
    (marker, reach): (&Marker, &Reach),
) -> Result<(HeldSheet, Vec<Change>)> {
    reach.see(tx, marks.sheet_id).await?;
    let held = held(tx, marks.sheet_id).await?;
    over(&held.setup)?;
    markable(&held)?;
    match own_teacher(&held.setup, marker)? {
        Some(own) => {
            let changes = twice(tx, &held, marks, (own, marker)).await?;
            Ok((held, changes))
        }
        None => {
            take(tx, marks.sheet_id, marker).await?;
            if held.sheet.version != marks.version {
                return Err(tx.stale("answer_sheet", marks.sheet_id).await);
            }
            let changes = write_marks(tx, &held.sheet, marks, marker).await?;
            Ok((held, changes))
        }
    }
}

/// Writes the marks of one of two; where both are there, what they come to, or asks a third one.
async fn twice(
    tx: &mut Tx,
    held: &HeldSheet,
    marks: &SheetMarks,
    (own, marker): (i64, &Marker),
) -> Result<Vec<Change>> {
    let rows = sqlx::query!(
        r#"select x.item_id, x.seq_no, x.marker_teacher_id, (x.score * 10)::bigint as score, i.seq, (q.score * 10)::bigint as "full!"
           from exam_item_mark x
           join answer_item i on i.id = x.item_id
           join snapshot_question q on q.id = i.snapshot_question_id
           where i.sheet_id = $1 order by x.item_id, x.seq_no for update of x"#,
        held.sheet.id
    )
    .fetch_all(&mut **tx)
    .await?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    let mut changes = Vec::new();
    for (place, mark) in marks.items.iter().enumerate() {
        let field = format!("items[{place}].score");
        let Some(row) = rows.iter().find(|row| row.item_id == mark.item_id && row.marker_teacher_id == own) else {
            return Err(Error::field(&field, "该题未分配给您批阅"));
        };
        let Some(score) = mark.score else { continue };
        if !is_score(score, 0, row.full) {
            let told = format!("第{}题的得分应在0到{}之间，最多一位小数", row.seq, points(row.full));
            return Err(Error::field(&field, told));
        }
        let of_item: Vec<_> = rows.iter().filter(|one| one.item_id == mark.item_id).collect();
        if row.seq_no < 3 && of_item.iter().any(|one| one.seq_no == 3 && one.score.is_some()) {
            return Err(Error::field(&field, format!("第{}题已仲裁", row.seq)));
        }
        let comment = mark.comment.as_deref().map(str::trim).filter(|text| !text.is_empty());
        sqlx::query!(
            "update exam_item_mark
             set score = $3::float8::numeric, comment = $4, account_id = $5, marked_at = $6, updated_at = now(), updated_by = $7,
                 version = version + 1
             where item_id = $1 and marker_teacher_id = $2",
            mark.item_id,
            own,
            score,
            comment,
            marker.account,
            now as _,
            by
        )
        .execute(&mut **tx)
        .await?;
        changes.push(Change::event(
            "answer_item",
            mark.item_id,
            "mark",
            json!({ "seqNo": row.seq_no, "score": score, "before": row.score.map(points) }),
        ));
        let given = tenths(score);
        if row.seq_no == 3 {
            changes.push(scored(tx, mark.item_id, given, marker).await?);
            continue;
        }
        let other = of_item.iter().find(|one| one.seq_no == 3 - row.seq_no).and_then(|one| one.score);
        let Some(other) = other else { continue };
        match agreed(given, other, row.full, i64::from(held.setup.mark_diff_percent)) {
            Agreed::Score(score) => {
                sqlx::query!(
                    "delete from exam_item_mark where item_id = $1 and seq_no = 3 and score is null",
                    mark.item_id
                )
                .execute(&mut **tx)
                .await?;
                changes.push(scored(tx, mark.item_id, score, marker).await?);
            }
            Agreed::Arbitrate => ask_third(tx, held, mark.item_id).await?,
        }
    }
    Ok(changes)
}

/// Gives an answer on which two differ to the arbiter who has the least; without one it waits for one.
pub(super) async fn ask_third(tx: &mut Tx, held: &HeldSheet, item: i64) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "insert into exam_item_mark (item_id, seq_no, marker_teacher_id, created_by, updated_by)
         select $1, 3, m.teacher_id, $3, $3
         from exam_marker m
         where m.setup_id = $2 and m.arbiter
           and not exists (select from exam_item_mark x where x.item_id = $1 and x.marker_teacher_id = m.teacher_id)
         order by m.assigned - m.done, m.id limit 1
         on conflict do nothing",
        item,
        held.setup.id,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What the sheet comes to by now.
async fn ended(tx: &mut Tx, held: &HeldSheet, marks: &SheetMarks, marker: &Marker) -> Result<ExamMarksSaved> {
    let open = sqlx::query_scalar!(
        r#"select count(*) as "open!" from answer_item where sheet_id = $1 and mark_state = 'pending'"#,
        marks.sheet_id
    )
    .fetch_one(&mut **tx)
    .await?;
    let sheet: &Sheet = &held.sheet;
    let finished = open == 0;
    // Words of one of two do not close what the other has open: its version stays.
    if finished {
        settled_of(tx, sheet).await?;
        marked_by(tx, sheet.id, &marker.name).await?;
    } else if held.setup.marking_mode != MarkingMode::Double {
        marked_by(tx, sheet.id, &marker.name).await?;
    }
    recount(tx, held.setup.id).await?;
    let row = sqlx::query!(
        r#"select a.version, a.total_score::float8 as total,
                  (select count(*) from answer_item i
                   join exam_item_mark x on x.item_id = i.id and x.seq_no = 1 and x.score is not null
                   join exam_item_mark z on z.item_id = i.id and z.seq_no = 2 and z.score is not null
                   where i.sheet_id = a.id and i.mark_state = 'pending') as "arbitration!"
           from answer_sheet a where a.id = $1"#,
        sheet.id
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(ExamMarksSaved {
        id: sheet.id,
        version: row.version,
        finished,
        arbitration: row.arbitration,
        total_score: row.total,
    })
}
