//! 重置: takes back what a student studied of a course, or of some of its periods; the sessions stay as they were.

use course_selection::{enums::SelectionStatus, opening};
use infra::{Change, Error, Result, Scope, Tx};
use poem_openapi::{Object, types::Example};
use serde_json::json;

use super::select::find;
use crate::{
    counting::{self, Counting},
    course::course_of,
    enums::StudyEnd,
};

/// What is taken back, and why.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct StudyReset {
    /// 选课编号
    pub selection_id: i64,
    /// 课时
    /// 不填为整门课程
    #[oai(validator(min_items = 1, max_items = 500))]
    pub period_ids: Option<Vec<i64>>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for StudyReset {
    fn example() -> Self {
        Self { selection_id: 1, period_ids: None, reason: "他人代学".to_owned() }
    }
}

/// # Errors
/// 404 outside the scope; 409 for a course that has its score or that the student is not in, in a closed semester, and where nothing
/// was studied.
pub(super) async fn reset(tx: &mut Tx, wanted: &StudyReset, scope: &Scope) -> Result<Change> {
    let id = wanted.selection_id;
    let before = find(tx, id, scope).await?;
    opening::held(tx, before.opening_id).await?.in_open_semester()?;
    let course = course_of(tx, id).await?;
    if course.status != SelectionStatus::Selected {
        return Err(Error::conflict(format!("该课程的选课为{}，不能重置学习进度", course.status.zh())));
    }
    let now = tx.app().clock().now();
    // Sessions are held before the course's row, as a beat holds them.
    sqlx::query!(
        "update study_session set ended_at = $2, end_reason = $3
         where student_id = $4 and ended_at is null and selection_id = $1",
        id,
        now as _,
        StudyEnd::Reset.as_str(),
        course.student_id
    )
    .execute(&mut **tx)
    .await?;
    counting::hold(tx, &[id]).await?;
    let gone = sqlx::query_scalar!(
        "delete from study_progress where selection_id = $1 and ($2::bigint[] is null or period_id = any($2)) returning period_id",
        id,
        wanted.period_ids.as_deref()
    )
    .fetch_all(&mut **tx)
    .await?;
    if gone.is_empty()
        && (wanted.period_ids.is_some() || before.last_at.is_none() && before.imported_progress.is_none())
    {
        return Err(Error::conflict("没有可重置的学习记录"));
    }
    if wanted.period_ids.is_none() {
        sqlx::query!("delete from study_day where selection_id = $1", id).execute(&mut **tx).await?;
        sqlx::query!(
            "update study_course_progress set imported_progress = null, imported_seconds = 0, last_at = null where id = $1",
            id
        )
        .execute(&mut **tx)
        .await?;
    }
    // What was finished is counted like anything else, and where there is no material any more nothing is left.
    sqlx::query!("update study_course_progress set finished_at = null, progress = 0 where id = $1", id)
        .execute(&mut **tx)
        .await?;
    counting::recount(tx, &[id], Counting::anew_at(now)).await?;
    let what = json!({
        "progress": before.progress, "importedProgress": before.imported_progress, "periodIds": gone,
        "whole": wanted.period_ids.is_none(),
    });
    Ok(Change::event("study_course_progress", id, "reset", what).because(Some(&wanted.reason)))
}
