//! How attempts are read.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    mask,
    naming::sought_word,
    transfer::Rows,
};
use poem_openapi::Object;
use question_bank_rules::score::points;
use quiz_rules::{
    answer::QuizAnswer,
    content::stored_as,
    enums::{QuizRecordState, QuizSubmitKind},
    marking::QuizMark,
    paper::{QuizPaperSection, files},
};
use sqlx::PgConnection;

use crate::problem::{QuizMedia, media::shown};

/// An attempt as the list shows it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizRecord {
    /// 编号
    pub id: i64,
    /// 试卷
    pub exam_id: i64,
    /// 试卷名称
    pub exam_name: String,
    /// 学员
    pub learner_id: i64,
    /// 学员昵称
    pub learner_name: String,
    /// 手机号
    pub phone: String,
    /// 第几次
    pub attempt_no: i32,
    /// 考试班级
    pub grade_name: Option<String>,
    /// 状态
    pub state: QuizRecordState,
    /// 交卷方式
    pub submit_kind: Option<QuizSubmitKind>,
    /// 开始时间
    pub started_at: Moment,
    /// 截止时间
    pub deadline_at: Moment,
    /// 交卷时间
    pub submitted_at: Option<Moment>,
    /// 客观题得分
    pub objective_score: Option<f64>,
    /// 主观题得分
    pub subjective_score: Option<f64>,
    /// 得分
    pub score: Option<f64>,
    /// 总分
    pub total_score: f64,
    /// 及格分
    pub pass_score: f64,
    /// 及格
    pub passed: Option<bool>,
    /// 须人工批改
    /// 有主观题；交卷前为否
    pub by_hand: bool,
    /// 批改人
    pub marker_name: Option<String>,
    /// 批改时间
    pub marked_at: Option<Moment>,
    /// 版本
    pub version: i32,
}

/// An attempt with its paper, what was answered and what it earned.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizRecordView {
    #[oai(flatten)]
    pub record: QuizRecord,
    /// 试卷
    pub paper: Vec<QuizPaperSection>,
    /// 学员答案
    pub answers: Vec<QuizAnswer>,
    /// 评分
    /// 交卷前为空
    pub marks: Vec<QuizMark>,
    /// 图片和音频
    /// 地址数分钟内有效
    pub media: Vec<QuizMedia>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizRecordFilter {
    /// 试卷
    pub exam_id: Option<i64>,
    /// 学员
    /// 昵称，或手机号的开头
    #[oai(validator(max_length = 30))]
    pub learner: Option<String>,
    /// 状态
    pub state: Option<QuizRecordState>,
    /// 及格
    pub passed: Option<bool>,
    /// 考试班级
    pub grade_id: Option<i64>,
    /// 开始日期起
    pub started_from: Option<NaiveDate>,
    /// 开始日期止
    pub started_to: Option<NaiveDate>,
}

/// An attempt as it is read; scores are tenths of a point.
pub(super) struct RecordRow {
    id: i64,
    exam_id: i64,
    exam_name: String,
    learner_id: i64,
    nickname: Option<String>,
    phone: String,
    attempt_no: i32,
    grade_name: Option<String>,
    state: QuizRecordState,
    submit_kind: Option<QuizSubmitKind>,
    started_at: Moment,
    deadline_at: Moment,
    submitted_at: Option<Moment>,
    objective_score: Option<i64>,
    subjective_score: Option<i64>,
    score: Option<i64>,
    total_score: i64,
    pass_score: i64,
    passed: Option<bool>,
    by_hand: bool,
    marker_name: Option<String>,
    marked_at: Option<Moment>,
    version: i32,
}

impl From<RecordRow> for QuizRecord {
    fn from(row: RecordRow) -> Self {
        let phone = mask::phone(&row.phone);
        Self {
            id: row.id,
            exam_id: row.exam_id,
            exam_name: row.exam_name,
            learner_id: row.learner_id,
            learner_name: row.nickname.unwrap_or_else(|| phone.clone()),
            phone,
            attempt_no: row.attempt_no,
            grade_name: row.grade_name,
            state: row.state,
            submit_kind: row.submit_kind,
            started_at: row.started_at,
            deadline_at: row.deadline_at,
            submitted_at: row.submitted_at,
            objective_score: row.objective_score.map(points),
            subjective_score: row.subjective_score.map(points),
            score: row.score.map(points),
            total_score: points(row.total_score),
            pass_score: points(row.pass_score),
            passed: row.passed,
            by_hand: row.by_hand,
            marker_name: row.marker_name,
            marked_at: row.marked_at,
            version: row.version,
        }
    }
}

/// The newest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &QuizRecordFilter,
    page: Option<Paging>,
) -> Rows<'c, RecordRow> {
    let rows = sqlx::query_as!(
        RecordRow,
        r#"select r.id, r.exam_id, r.exam_name, r.learner_id, u.nickname, u.phone, r.attempt_no, g.grade_name as "grade_name?",
                  r.state as "state: _", r.submit_kind as "submit_kind: _", r.started_at, r.deadline_at, r.submitted_at,
                  r.objective_score, r.subjective_score, r.score, r.total_score, r.pass_score, r.passed,
                  r.marks @? '$[*] ? (@.objective == false)' as "by_hand!",
                  (select a.real_name from platform.sys_user a where a.id = r.marked_by) as "marker_name?", r.marked_at, r.version
           from platform.online_exam_record r
           join platform.user_ext u on u.id = r.learner_id
           left join platform.exam_grade_info g on g.id = r.grade_id
           where ($1::bigint is null or r.id = $1)
             and ($2::bigint is null or r.exam_id = $2)
             and ($3::text is null or strpos(lower(u.nickname), $3) > 0 or starts_with(u.phone, $3))
             and ($4::text is null or r.state = $4)
             and ($5::boolean is null or r.passed = $5)
             and ($6::bigint is null or r.grade_id = $6)
             and ($7::timestamptz is null or r.started_at >= $7)
             and ($8::timestamptz is null or r.started_at < $8)
           order by r.started_at desc, r.id desc limit $9 offset $10"#,
        only,
        filter.exam_id,
        sought_word(filter.learner.as_deref()),
        filter.state.map(QuizRecordState::as_str),
        filter.passed,
        filter.grade_id,
        filter.started_from.map(day_began),
        filter.started_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &QuizRecordFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.online_exam_record r
           where ($1::bigint is null or r.exam_id = $1)
             and ($2::text is null or exists (
                 select from platform.user_ext u
                 where u.id = r.learner_id and (strpos(lower(u.nickname), $2) > 0 or starts_with(u.phone, $2))))
             and ($3::text is null or r.state = $3)
             and ($4::boolean is null or r.passed = $4)
             and ($5::bigint is null or r.grade_id = $5)
             and ($6::timestamptz is null or r.started_at >= $6)
             and ($7::timestamptz is null or r.started_at < $7)"#,
        filter.exam_id,
        sought_word(filter.learner.as_deref()),
        filter.state.map(QuizRecordState::as_str),
        filter.passed,
        filter.grade_id,
        filter.started_from.map(day_began),
        filter.started_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// # Errors
/// 404 when there is none.
pub(super) async fn find(app: &App, connection: &mut PgConnection, id: i64) -> Result<QuizRecordView> {
    let row = select(connection, Some(id), &QuizRecordFilter::default(), None).try_next().await?;
    let record = row.ok_or_else(Error::not_found)?.into();
    let kept = sqlx::query!("select snapshot, answers, marks from platform.online_exam_record where id = $1", id)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or_else(Error::not_found)?;
    let paper: Vec<QuizPaperSection> = stored_as(kept.snapshot)?;
    let media = shown(app, connection, &files(&paper, true)).await?;
    Ok(QuizRecordView { record, paper, answers: stored_as(kept.answers)?, marks: stored_as(kept.marks)?, media })
}
