//! A sheet as its marker sees it, and as its student sees the result: the questions in the order of the paper, letters as the
//! questions have them (part 03 B7).

use std::collections::HashMap;

use homework_rules::marks::is_theirs;
use infra::{App, Error, Result, Scope, clock::Moment, files};
use papers::{
    content::{DetailQuestion, DetailSection, keys_of},
    snapshot::corrected_sections_of,
};
use poem_openapi::Object;
use question_bank::{
    enums::QuestionType,
    marking::{GivenAnswer, QuestionAnswer},
    question::{QuestionMedia, QuestionOption, media, stored},
    score::points,
    text::QuestionText,
};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

use super::{Annotation, Reach, SCORE_STEP, SOMEBODY_ELSE};
use crate::{
    enums::{ItemMarkState, SheetMarkState, SimilarityVerdict},
    sheet::sheet,
};

/// A file of an answer; the address lasts some minutes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SheetFile {
    /// 编号
    pub id: i64,
    /// 文件名
    pub name: String,
    /// 地址
    pub url: String,
    /// 内容类型
    pub content_type: String,
    /// 大小(字节)
    pub size: i64,
}

/// A question of a sheet with its answer and its marks.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MarkingItem {
    /// 编号
    pub item_id: i64,
    /// 快照试题
    pub snapshot_question_id: i64,
    /// 试题
    /// 题库中的编号；附件作业的为空
    pub question_id: Option<i64>,
    /// 题号
    pub seq: String,
    /// 大题标题
    pub section_title: String,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 材料
    /// 所在综合题、听力题的题干
    pub material: Option<QuestionText>,
    /// 音频
    pub media_key: Option<String>,
    /// 题干
    pub stem: QuestionText,
    /// 选项
    pub options: Vec<QuestionOption>,
    /// 分值
    pub full_score: f64,
    /// 学生答案
    pub answer: Option<GivenAnswer>,
    /// 附件
    pub files: Vec<SheetFile>,
    /// 参考答案
    pub reference: Option<QuestionAnswer>,
    /// 解析
    pub analysis: Option<QuestionText>,
    /// 系统评分
    pub auto_score: Option<f64>,
    /// 得分
    pub score: Option<f64>,
    /// 批阅状态
    pub mark_state: ItemMarkState,
    /// 评语
    pub comment: Option<String>,
    /// 批注
    pub annotations: Vec<Annotation>,
    /// 分配给其他教师批阅
    pub of_another: bool,
}

/// A sheet that is like this one.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SimilarSheet {
    /// 编号
    pub id: i64,
    /// 题号
    pub seq: String,
    /// 相似答卷
    pub sheet_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 相似度(%)
    pub percent: f64,
    /// 认定
    pub verdict: SimilarityVerdict,
    /// 版本
    pub version: i32,
}

/// Another attempt of the same student.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MarkingAttempt {
    /// 答卷
    pub sheet_id: i64,
    /// 次数
    pub attempt_no: i32,
    /// 状态
    pub mark_state: SheetMarkState,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 得分
    pub total_score: Option<f64>,
}

/// A sheet with all that its marker looks at.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MarkingPaper {
    /// 答卷
    pub sheet_id: i64,
    /// 版本
    pub version: i32,
    /// 作业编号
    pub homework_id: i64,
    /// 作业
    pub title: String,
    /// 课程
    pub course_name: String,
    /// 学生作业
    pub homework_student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 站点
    pub site_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 次数
    pub attempt_no: i32,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 迟交
    pub late: bool,
    /// 状态
    pub mark_state: SheetMarkState,
    /// 客观分
    pub objective_score: Option<f64>,
    /// 主观分
    pub subjective_score: Option<f64>,
    /// 扣分
    pub penalty: f64,
    /// 得分
    pub total_score: Option<f64>,
    /// 总分
    pub full_score: f64,
    /// 批阅教师
    pub marker_name: Option<String>,
    /// 正在批阅的人
    pub locked_by_name: Option<String>,
    /// 批阅占用至
    pub locked_until: Option<Moment>,
    /// 给分步长
    pub score_step: f64,
    /// 题目
    pub items: Vec<MarkingItem>,
    /// 图片和音频
    pub media: Vec<QuestionMedia>,
    /// 各次答卷
    pub attempts: Vec<MarkingAttempt>,
    /// 相似答卷
    pub similar: Vec<SimilarSheet>,
}

/// A question as a snapshot has it, ready for its answer.
struct Place {
    section: String,
    material: Option<QuestionText>,
    media_key: Option<String>,
    kind: QuestionType,
    stem: QuestionText,
    options: Vec<QuestionOption>,
    score: i64,
    reference: Option<QuestionAnswer>,
    analysis: Option<QuestionText>,
}

fn place_of(section: &str, question: &DetailQuestion) -> Vec<(String, Place)> {
    if !question.kind.is_parent() {
        let place = Place {
            section: section.to_owned(),
            material: None,
            media_key: question.media_key.clone(),
            kind: question.kind,
            stem: question.stem.clone(),
            options: question.options.clone(),
            score: question_bank::score::tenths(question.score),
            reference: question.key(),
            analysis: question.analysis.clone(),
        };
        return vec![(question.seq.clone(), place)];
    }
    let subs = (1_i32..).zip(&question.sub_questions).zip(question.sub_tenths());
    subs.map(|((number, sub), score)| {
        let place = Place {
            section: section.to_owned(),
            material: Some(question.stem.clone()),
            media_key: question.media_key.clone(),
            kind: sub.kind,
            stem: sub.stem.clone(),
            options: sub.options.clone(),
            score,
            reference: sub.answer.clone(),
            analysis: sub.analysis.clone(),
        };
        (format!("{}.{number}", question.seq), place)
    })
    .collect()
}

fn places(sections: &[DetailSection]) -> Vec<(String, Place)> {
    sections
        .iter()
        .flat_map(|section| section.questions.iter().flat_map(|question| place_of(&section.title, question)))
        .collect()
}

async fn files_of(app: &App, connection: &mut PgConnection, sheet: i64) -> Result<HashMap<i64, Vec<SheetFile>>> {
    let rows = sqlx::query!(
        "select x.item_id, f.id, f.key, f.original_name, f.content_type, f.size
         from answer_file x
         join answer_item i on i.id = x.item_id
         join file_object f on f.id = x.file_id and f.state = 'stored'
         where i.sheet_id = $1 order by x.item_id, x.sort_no",
        sheet
    )
    .fetch_all(connection)
    .await?;
    let mut files: HashMap<i64, Vec<SheetFile>> = HashMap::new();
    for row in rows {
        let url = files::url_of(app, &row.key, &row.original_name).await?;
        let file =
            SheetFile { id: row.id, name: row.original_name, url, content_type: row.content_type, size: row.size };
        files.entry(row.item_id).or_default().push(file);
    }
    Ok(files)
}

/// The questions of a sheet with their answers and marks, in the order of the paper; of a teacher it is told which are another's,
/// by them and by whose the sheet is.
///
/// # Errors
/// Those of the store.
pub async fn items_of(
    app: &App,
    connection: &mut PgConnection,
    (id, snapshot): (i64, i64),
    (teacher, of_sheet): (Option<i64>, Option<i64>),
) -> Result<(Vec<MarkingItem>, Vec<QuestionMedia>)> {
    let sections = corrected_sections_of(connection, snapshot).await?;
    let rows = sqlx::query!(
        r#"select i.id, i.snapshot_question_id, q.question_id, i.seq, i.answer as "answer: Json<Value>",
                  i.auto_score::float8 as auto_score, i.score::float8 as score, i.mark_state as "mark_state: ItemMarkState",
                  i.comment, i.annotations as "annotations: Json<Value>", i.marker_id
           from answer_item i join snapshot_question q on q.id = i.snapshot_question_id where i.sheet_id = $1"#,
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let markers: Vec<Option<i64>> = rows.iter().map(|row| row.marker_id).collect();
    let mut files = files_of(app, connection, id).await?;
    let mut by_seq = HashMap::with_capacity(rows.len());
    for row in rows {
        by_seq.insert(row.seq.clone(), row);
    }
    let mut items = Vec::with_capacity(by_seq.len());
    for (seq, place) in places(&sections) {
        let Some(row) = by_seq.remove(&seq) else { continue };
        items.push(MarkingItem {
            item_id: row.id,
            snapshot_question_id: row.snapshot_question_id,
            question_id: row.question_id,
            seq,
            section_title: place.section,
            kind: place.kind,
            material: place.material,
            media_key: place.media_key,
            stem: place.stem,
            options: place.options,
            full_score: points(place.score),
            answer: row.answer.map(|answer| stored(answer.0)).transpose()?,
            files: files.remove(&row.id).unwrap_or_default(),
            reference: place.reference,
            analysis: place.analysis,
            auto_score: row.auto_score,
            score: row.score,
            mark_state: row.mark_state,
            comment: row.comment,
            annotations: stored(row.annotations.0)?,
            of_another: !is_theirs(teacher, of_sheet, markers.iter().copied(), row.marker_id),
        });
    }
    let media = media::shown(app, connection, &keys_of(&sections)).await?;
    Ok((items, media))
}

/// A sheet with all that belongs to it, for somebody who reaches it; of like sheets those of others are told without a name.
///
/// # Errors
/// 404 when there is none of a homework.
pub(crate) async fn paper_of(
    app: &App,
    connection: &mut PgConnection,
    id: i64,
    (reach, teacher): (&Reach, Option<i64>),
) -> Result<MarkingPaper> {
    let scope = match reach {
        Reach::Scope(scope) => scope.clone(),
        Reach::Teacher(_) => Scope::whole_school(),
    };
    let row = sqlx::query!(
        r#"select a.version as "version!", h.id as "homework_id!", h.title as "title!", u.name as "course!", s.id as "work_id!",
                  y.student_no, y.name as "name!", t.name as "site!", k.name as "class?", a.attempt_no as "attempt_no!",
                  a.submitted_at, a.late as "late!", a.mark_state as "mark_state!: SheetMarkState",
                  a.objective_score::float8 as objective, a.subjective_score::float8 as subjective,
                  a.penalty::float8 as "penalty!", a.total_score::float8 as total, h.total_score::float8 as "full!",
                  w.name as "marker?", a.locked_by_name, a.locked_until
           from answer_sheet a
           join homework_student s on s.id = a.homework_student_id
           join homework h on h.id = s.homework_id
           join course u on u.id = h.course_id
           join course_selection c on c.id = s.selection_id
           join student y on y.id = c.student_id
           join site t on t.id = y.site_id
           left join class k on k.id = c.class_id
           left join teacher w on w.id = a.marker_id
           where a.id = $1"#,
        id
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let whole = sheet(connection, id).await?;
    let (items, media) = items_of(app, connection, (id, whole.snapshot_id), (teacher, whole.marker_id)).await?;
    let attempts = sqlx::query_as!(
        MarkingAttempt,
        r#"select id as "sheet_id!", attempt_no as "attempt_no!", mark_state as "mark_state!: _", submitted_at,
                  total_score::float8 as total_score
           from answer_sheet where homework_student_id = $1 order by attempt_no"#,
        row.work_id
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut similar = sqlx::query_as!(
        SimilarSheet,
        r#"select m.id as "id!", case when m.sheet_a = $1 then m.seq_a else m.seq_b end as "seq!", o.id as "sheet_id!",
                  case when n.seen then y.student_no end as student_no,
                  case when n.seen then y.name else '其他班级学生' end as "name!", m.percent::float8 as "percent!",
                  m.verdict as "verdict!: _", m.version as "version!"
           from answer_similarity m
           join answer_sheet o on o.id = case when m.sheet_a = $1 then m.sheet_b else m.sheet_a end
           join homework_student s on s.id = o.homework_student_id
           join course_selection c on c.id = s.selection_id
           join student y on y.id = c.student_id
           cross join lateral (
               select $2::bigint[] is null or coalesce(y.site_id = any($2) or y.class_id = any($3::bigint[]), false) as seen) n
           where m.sheet_a = $1 or m.sheet_b = $1
           order by m.percent desc, m.id"#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut *connection)
    .await?;
    // A teacher sees the whole school in that statement, but reaches only what was given to them.
    if let Reach::Teacher(_) = reach {
        for other in &mut similar {
            match reach.see(connection, other.sheet_id).await {
                Err(error) if error.code == 404 => (other.student_no, other.name) = (None, SOMEBODY_ELSE.to_owned()),
                seen => seen?,
            }
        }
    }
    let score_step = SCORE_STEP.value(connection).await?.as_f64().unwrap_or(0.5);
    Ok(MarkingPaper {
        sheet_id: id,
        version: row.version,
        homework_id: row.homework_id,
        title: row.title,
        course_name: row.course,
        homework_student_id: row.work_id,
        student_no: row.student_no,
        name: row.name,
        site_name: row.site,
        class_name: row.class,
        attempt_no: row.attempt_no,
        submitted_at: row.submitted_at,
        late: row.late,
        mark_state: row.mark_state,
        objective_score: row.objective,
        subjective_score: row.subjective,
        penalty: row.penalty,
        total_score: row.total,
        full_score: row.full,
        marker_name: row.marker,
        locked_by_name: row.locked_by_name,
        locked_until: row.locked_until,
        score_step,
        items,
        media,
        attempts,
        similar,
    })
}
