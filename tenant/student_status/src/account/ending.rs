//! The nightly look for accounts of people who are students no more: some time after the end of the status they are
//! switched off (02 §9.2; `graduateAccountDays`, 01 §13). Who withdrew lost theirs at once.

use chrono::Days;
use infra::{
    Result,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use people::account::{OwnerKind, end_accounts};
use serde_json::json;

use crate::student::references::graduate_account_days;

pub const JOB: JobKind =
    JobKind { kind: "student.account_ending", code: None, run: |run| Box::pin(work(run)), headings: None };
pub const SCHEDULE: Schedule =
    Schedule { kind: JOB.kind, title: "停用已离校学生的账号", when: When::Daily { hour: 4, minute: 50 } };

/// Accounts of one transaction.
const AT_ONCE: i64 = 500;

/// Suspended and archived schools stay as they are, and a school that is being migrated waits for the next night.
async fn work(run: JobRun) -> Result<Outcome> {
    let app = run.app().clone();
    let schools = sqlx::query!(
        "select id, name from platform.school
         where deleted_at is null and provision_state = 'ready' and status in ('trial', 'active') order by id"
    )
    .fetch_all(&mut *run.read_platform().await?)
    .await?;
    let total = i64::try_from(schools.len()).unwrap_or(i64::MAX);
    let (mut ended, mut errors) = (0, Vec::new());
    for (row, done) in schools.into_iter().zip(0..) {
        run.progress("停用账号", done, total).await?;
        let Some(school) = app.school(row.id).await?.filter(|school| school.is_open() && school.key().is_ok()) else {
            continue;
        };
        match of_school(&run, &school).await {
            Ok(of_school) => ended += of_school,
            // The others go on, and this one is tried again tomorrow.
            Err(error) => errors.push(json!({ "id": row.id, "name": row.name, "msg": error.msg })),
        }
    }
    Ok(Outcome { message: format!("已停用{ended}个账号"), errors, ..Outcome::default() })
}

async fn of_school(run: &JobRun, school: &School) -> Result<usize> {
    let mut ended = 0;
    loop {
        let mut tx = run.begin_in(school).await?;
        let days = u64::try_from(graduate_account_days(&mut tx).await?).unwrap_or(0);
        // Who left on this very day has one day more.
        let Some(before) = run.app().clock().today().checked_sub_days(Days::new(days)) else { return Ok(ended) };
        let due = sqlx::query_scalar!(
            "select s.id from student s
             join client_account a on a.owner_kind = 'student' and a.owner_id = s.id and a.enabled and a.ended_at is null
             where s.ended_on < $1
             order by s.id limit $2",
            before,
            AT_ONCE
        )
        .fetch_all(&mut *tx)
        .await?;
        if due.is_empty() {
            return Ok(ended);
        }
        let changes = end_accounts(&mut tx, OwnerKind::Student, &due).await?;
        if changes.is_empty() {
            continue;
        }
        ended += changes.len();
        tx.commit_all(changes).await?;
    }
}
