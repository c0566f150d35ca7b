//! What an operator types of an arrangement.

use infra::{Change, Edit, Error, OnConstraint, Result, Tx, clock::Moment};
use poem_openapi::{Object, types::Example};

use super::list::find;
use crate::class::lock;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuizArrangementForm {
    /// 考试班级
    pub grade_id: i64,
    /// 试卷
    /// 须已审核通过；班级成员无需购买
    pub exam_id: i64,
    /// 开放时间
    pub opens_at: Moment,
    /// 关闭时间
    /// 到时自动交卷
    pub closes_at: Moment,
}

impl Example for QuizArrangementForm {
    fn example() -> Self {
        let opens_at = Moment::default();
        Self { grade_id: 1, exam_id: 1, opens_at, closes_at: opens_at + chrono::TimeDelta::days(7) }
    }
}

impl QuizArrangementForm {
    /// # Errors
    /// 422 at the field for an exam that is not published and for a time that ends before it begins.
    async fn check(&self, tx: &mut Tx) -> Result<()> {
        if self.closes_at <= self.opens_at {
            return Err(Error::field("closesAt", "关闭时间必须晚于开放时间"));
        }
        let published = sqlx::query_scalar!(
            r#"select published_revision_id is not null and enabled as "published!" from platform.online_exam where id = $1 for share"#,
            self.exam_id
        )
        .fetch_optional(&mut **tx)
        .await?;
        match published {
            Some(true) => Ok(()),
            Some(false) => Err(Error::field("examId", "试卷尚未审核通过或已停用，不能安排")),
            None => Err(Error::field("examId", "所选试卷不存在，请重新选择")),
        }
    }
}

fn explain(constraint: &str) -> Option<Error> {
    (constraint == "exam_grade_exam_taken").then(|| Error::conflict("该试卷已安排给本班级"))
}

/// How many took an exam in a class.
async fn taken(tx: &mut Tx, grade: i64, exam: i64) -> Result<i64> {
    let taken = sqlx::query_scalar!(
        r#"select count(distinct learner_id) as "taken!" from platform.online_exam_record where grade_id = $1 and exam_id = $2"#,
        grade,
        exam
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(taken)
}

/// # Errors
/// 422 at the field; 404 for a class that is gone; 409 when the class has the exam already.
pub(crate) async fn insert(tx: &mut Tx, form: QuizArrangementForm) -> Result<(i64, Change)> {
    lock(tx, form.grade_id).await?;
    form.check(tx).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.exam_grade_exam (grade_id, exam_id, opens_at, closes_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $5) returning id",
        form.grade_id,
        form.exam_id,
        form.opens_at,
        form.closes_at,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok((id, Change::created("exam_grade_exam", id, &form)))
}

/// # Errors
/// As [`insert`]; 422 at `gradeId` for another class, at `examId` for another exam once somebody took it.
pub(super) async fn update(tx: &mut Tx, edit: Edit<QuizArrangementForm>) -> Result<Change> {
    let form = edit.form;
    let before = find(tx, edit.id).await?;
    lock(tx, before.grade_id).await?;
    if form.grade_id != before.grade_id {
        return Err(Error::field("gradeId", "不能改到其他班级"));
    }
    if form.exam_id != before.exam_id && taken(tx, before.grade_id, before.exam_id).await? > 0 {
        return Err(Error::field("examId", "已有成员参加考试，不能更换试卷"));
    }
    form.check(tx).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.exam_grade_exam set exam_id = $3, opens_at = $4, closes_at = $5, updated_at = now(), updated_by = $6,
                version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.exam_id,
        form.opens_at,
        form.closes_at,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("exam_grade_exam", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("exam_grade_exam", edit.id, &before, &after))
}

/// # Errors
/// 409 once somebody took it.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    lock(tx, before.grade_id).await?;
    let taken = taken(tx, before.grade_id, before.exam_id).await?;
    if taken > 0 {
        return Err(Error::conflict(format!("已有{taken}名成员参加考试，不能删除")));
    }
    tx.remove("exam_grade_exam", id, &before.exam_name).await?;
    Ok(Change::deleted("exam_grade_exam", id, &before))
}
