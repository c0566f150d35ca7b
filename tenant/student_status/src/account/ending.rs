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

use crate::{nightly::in_each_school, student::references::graduate_account_days};

pub const JOB: JobKind =
    JobKind { kind: "student.account_ending", code: None, run: |run| Box::pin(work(run)), headings: None };
pub const SCHEDULE: Schedule =
    Schedule { kind: JOB.kind, title: "停用已离校学生的账号", when: When::Daily { hour: 4, minute: 50 } };

/// Accounts of one transaction.
const AT_ONCE: i64 = 500;

async fn work(run: JobRun) -> Result<Outcome> {
    let (ended, errors) = in_each_school(&run, "停用账号", of_school).await?;
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
