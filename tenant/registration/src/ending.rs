//! 逾期: whoever has not come when the reporting is over is late, and whose place was kept too long has lost it (02 §7).

use infra::{
    Change, Part, Result, Tx,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use student_status::nightly::in_each_school;

use crate::enums::RegistrationStatus;

const JOB: JobKind =
    JobKind { kind: "registration.ending", code: None, headings: None, run: |run| Box::pin(work(run)) };
const SCHEDULE: Schedule =
    Schedule {
        kind: JOB.kind, title: "处理逾期未报到和保留到期", when: When::Daily { hour: 0, minute: 20 }
    };

pub const PART: Part = Part { jobs: &[JOB], schedules: &[SCHEDULE], ..Part::NONE };

/// Registrations of one transaction.
const AT_ONCE: i64 = 500;

/// The end of a batch: of those who wait, whoever's time to report has passed is late, and so are all where the batch had none.
///
/// # Errors
/// Those of the database.
pub async fn close(tx: &mut Tx, batch: i64) -> Result<Vec<Change>> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let ids = sqlx::query_scalar!(
        "update registration r set status = 'no_show', updated_at = now(), updated_by = $3, version = r.version + 1
         from enrollment_batch b
         where b.id = r.batch_id and r.batch_id = $1 and r.status = 'pending' and r.deleted_at is null
           and coalesce(b.report_ends_at <= $2, true)
         returning r.id",
        batch,
        now as _,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(ids.into_iter().map(late).collect())
}

fn late(id: i64) -> Change {
    let (from, to) = (RegistrationStatus::Pending, RegistrationStatus::NoShow);
    Change::status("registration", id, "status", from.as_str(), to.as_str())
}

async fn work(run: JobRun) -> Result<Outcome> {
    let (ended, errors) = in_each_school(&run, "处理报到期限", of_school).await?;
    Ok(Outcome {
        message: format!("已处理{ended}条逾期未报到和保留到期的报到数据"), errors, ..Outcome::default()
    })
}

async fn of_school(run: &JobRun, school: &School) -> Result<usize> {
    let mut ended = 0;
    loop {
        let mut tx = run.begin_in(school).await?;
        let mut changes = missed(&mut tx).await?;
        changes.extend(lost(&mut tx).await?);
        if changes.is_empty() {
            return Ok(ended);
        }
        ended += changes.len();
        tx.commit_all(changes).await?;
    }
}

/// Who waited since before the reporting ended; somebody whom a person lets wait afterwards is not late.
async fn missed(tx: &mut Tx) -> Result<Vec<Change>> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let ids = sqlx::query_scalar!(
        "update registration set status = 'no_show', updated_at = now(), updated_by = $2, version = version + 1
         where id in (
             select r.id from registration r join enrollment_batch b on b.id = r.batch_id
             where r.status = 'pending' and r.deleted_at is null and b.report_ends_at <= $1
               and r.pending_since < b.report_ends_at
             order by r.id limit $3 for update of r skip locked)
         returning id",
        now as _,
        by,
        AT_ONCE
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(ids.into_iter().map(late).collect())
}

/// Whose place was kept until yesterday.
async fn lost(tx: &mut Tx) -> Result<Vec<Change>> {
    let (by, today) = (tx.by(), tx.app().clock().today());
    let ids = sqlx::query_scalar!(
        "update registration set status = 'abandoned', reason = '保留期限届满未恢复' || coalesce('（' || reason || '）', ''), updated_at = now(),
                updated_by = $2, version = version + 1
         where id in (
             select id from registration
             where status = 'reserved' and not carried_on and reserve_until < $1
             order by id limit $3 for update skip locked)
         returning id",
        today,
        by,
        AT_ONCE
    )
    .fetch_all(&mut **tx)
    .await?;
    let (from, to) = (RegistrationStatus::Reserved, RegistrationStatus::Abandoned);
    let ended = |id| Change::status("registration", id, "status", from.as_str(), to.as_str());
    Ok(ids.into_iter().map(ended).collect())
}
