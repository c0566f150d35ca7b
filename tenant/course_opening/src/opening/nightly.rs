//! With its semester an opening ends: what a closed semester left opened is closed in the night, and who still waits for an audit
//! there is refused (part 03 B2). Closing a semester is the calendar's, which knows nothing of openings.

use course_opening_rules::nightly::WHEN;
use course_selection::{opening, roster};
use infra::{
    Change, Result,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::Schedule,
};
use student_status::nightly::in_each_school;

use crate::enums::OpeningStatus;

pub(super) const JOB: JobKind =
    JobKind { kind: "course_opening.end", code: None, run: |run| Box::pin(work(run)), headings: None };
pub(super) const SCHEDULE: Schedule = Schedule { kind: JOB.kind, title: "随学期结课", when: WHEN };

async fn work(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "随学期结课", of_school).await?;
    Ok(Outcome { message: format!("{done}个开课已结课"), errors, ..Outcome::default() })
}

async fn of_school(run: &JobRun, school: &School) -> Result<usize> {
    let mut tx = run.begin_in(school).await?;
    let now = run.app().clock().now();
    let ids = sqlx::query_scalar!(
        "select o.id from course_opening o join semester e on e.id = o.semester_id
         where e.closed_at is not null and o.status = 'opened' order by o.id"
    )
    .fetch_all(&mut *tx)
    .await?;
    let held = opening::hold(&mut tx, &ids).await?;
    let ended = sqlx::query_scalar!(
        "update course_opening
         set status = 'closed', closed_at = $2, updated_at = now(), updated_by = 0, version = version + 1
         where id = any($1) and status = 'opened'
         returning id",
        &ids,
        now as _
    )
    .fetch_all(&mut *tx)
    .await?;
    if ended.is_empty() {
        return Ok(0);
    }
    let (from, to) = (OpeningStatus::Opened.as_str(), OpeningStatus::Closed.as_str());
    let mut changes: Vec<Change> =
        ended.iter().map(|id| Change::status("course_opening", *id, "status", from, to)).collect();
    let done = changes.len();
    for opening in ended.iter().filter_map(|id| held.get(id)) {
        changes.extend(roster::reject_pending(&mut tx, opening).await?);
    }
    tx.commit_all(changes).await?;
    Ok(done)
}
