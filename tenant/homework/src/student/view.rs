//! 查看学生作业: the row, its sheets, and what the homework of the course come to.

use homework_rules::times::weighted;
use infra::{Error, Result, clock::Moment};
use poem_openapi::Object;
use question_bank::score::{points, tenths};
use sqlx::PgConnection;

use super::{StudentHomework, select::in_order};
use crate::enums::{SheetMarkState, SubmitKind};

/// A sheet of a student.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentHomeworkSheet {
    /// 编号
    pub id: i64,
    /// 次数
    pub attempt_no: i32,
    /// 状态
    pub mark_state: SheetMarkState,
    /// 开始时间
    pub started_at: Moment,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 提交方式
    pub submit_kind: Option<SubmitKind>,
    /// 迟交
    pub late: bool,
    /// 客观分
    pub objective_score: Option<f64>,
    /// 主观分
    pub subjective_score: Option<f64>,
    /// 扣分
    pub penalty: f64,
    /// 得分
    pub total_score: Option<f64>,
    /// 退回原因
    pub return_reason: Option<String>,
    /// 重做截止
    pub redo_until: Option<Moment>,
}

/// A student's row of a homework.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentHomeworkView {
    #[oai(flatten)]
    pub work: StudentHomework,
    /// 答卷
    pub sheets: Vec<StudentHomeworkSheet>,
    /// 该课程的作业成绩
    /// 按权重加权，缺交计0分
    pub course_score: Option<f64>,
}

/// # Errors
/// 404 when there is none.
pub(super) async fn viewed(connection: &mut PgConnection, id: i64) -> Result<StudentHomeworkView> {
    let work = in_order(connection, &[id]).await?.pop().ok_or_else(Error::not_found)?;
    let sheets = sqlx::query_as!(
        StudentHomeworkSheet,
        r#"select a.id as "id!", a.attempt_no as "attempt_no!", a.mark_state as "mark_state!: _", a.started_at as "started_at!",
                  a.submitted_at, a.submit_kind as "submit_kind?: _", a.late as "late!",
                  a.objective_score::float8 as objective_score, a.subjective_score::float8 as subjective_score,
                  a.penalty::float8 as "penalty!", a.total_score::float8 as total_score, r.reason as "return_reason?",
                  r.redo_until as "redo_until?"
           from answer_sheet a
           left join lateral (
               select x.reason, x.redo_until from sheet_return x where x.sheet_id = a.id order by x.id desc limit 1) r on true
           where a.homework_student_id = $1 order by a.attempt_no"#,
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let results = sqlx::query!(
        r#"select r.weight::float8 as "weight!", r.score::float8 as score
           from homework_result r
           where r.selection_id = (select selection_id from homework_student where id = $1) and (r.missed or r.score is not null)"#,
        id
    )
    .fetch_all(connection)
    .await?;
    let rows: Vec<(i64, Option<i64>)> =
        results.into_iter().map(|row| (tenths(row.weight), row.score.map(tenths))).collect();
    Ok(StudentHomeworkView { work, sheets, course_score: weighted(&rows).map(points) })
}
