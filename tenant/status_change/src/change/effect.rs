//! 生效: what was approved for a later day is written into the register on that day, at 00:10, in every open school (02 §10).
//!
//! A change is a transaction of its own, and its status lets it take effect once, also after a crash. One that may not be any
//! more, or that fails, stays approved, with the reason beside it, and is tried again in the next night; one whose student
//! somebody else holds is tried again in the same.

use infra::{
    Change, Result, Scope, Tx,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::Schedule,
};
use status_change_rules::effect::WHEN;
use student_status::{nightly::in_each_school, student::correct};

use super::{
    ChangeStage, ChangeStatus, Changes, locked,
    steps::{Due, note, still, take_effect},
};

pub const JOB: JobKind =
    JobKind { kind: "student_change.effect", code: None, run: |run| Box::pin(work(run)), headings: None };
pub const SCHEDULE: Schedule = Schedule { kind: JOB.kind, title: "执行到期的学籍异动", when: WHEN };

async fn work(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "执行学籍异动", of_school).await?;
    Ok(Outcome { message: format!("{done}条学籍异动已生效"), errors, ..Outcome::default() })
}

/// How often a change is tried whose student, class or counter somebody else holds.
const ROUNDS: usize = 3;
/// Told of a change that failed for a reason which only the log of the server tells.
const FAILED: &str = "系统错误，请联系系统管理员";

async fn of_school(run: &JobRun, school: &School) -> Result<usize> {
    let today = run.app().clock().today();
    let mut due = {
        let mut tx = run.read_in(school).await?;
        sqlx::query_scalar!(
            "select id from student_change where status = 'approved' and effective_on <= $1 order by effective_on, id",
            today
        )
        .fetch_all(&mut *tx)
        .await?
    };
    let mut done = 0;
    for _ in 0..ROUNDS {
        let mut busy = Vec::new();
        for id in due {
            match attempt(run, school, id).await? {
                Went::Done => done += 1,
                Went::Not => {}
                Went::Busy => busy.push(id),
            }
        }
        due = busy;
    }
    Ok(done)
}

/// How an attempt went.
enum Went {
    Done,
    /// It may not be, or is no longer due.
    Not,
    /// Somebody else held what it needs: that is no reason, and it is tried again.
    Busy,
}

/// One change by itself; whatever is wrong with it keeps no other from its day.
///
/// # Errors
/// When the school cannot be reached at all.
async fn attempt(run: &JobRun, school: &School, id: i64) -> Result<Went> {
    let mut tx = run.begin_in(school).await?;
    let error = match one(&mut tx, id).await {
        Ok(None) => return Ok(Went::Not),
        Ok(Some(change)) => match tx.commit(change).await {
            Ok(()) => return Ok(Went::Done),
            Err(error) => error,
        },
        Err(error) => {
            // Undone before its reason is noted.
            drop(tx);
            error
        }
    };
    if error.is_busy() {
        return Ok(Went::Busy);
    }
    let why = if error.code == 500 { FAILED } else { &*error.msg };
    let mut tx = run.begin_in(school).await?;
    match alert(&mut tx, id, why).await {
        Ok(Some(change)) => match tx.commit(change).await {
            Err(error) if error.is_busy() => Ok(Went::Busy),
            _ => Ok(Went::Not),
        },
        Err(error) if error.is_busy() => Ok(Went::Busy),
        // What failed stands in the log; the next night finds the change again.
        _ => Ok(Went::Not),
    }
}

/// Lets one take effect; none when it has already, or is no longer due.
async fn one(tx: &mut Tx, id: i64) -> Result<Option<Change>> {
    let all = Scope::whole_school();
    let found = Changes::find(tx, id, &all).await?;
    let student = correct::hold(tx, found.student_id, &all).await?;
    let before = locked(tx, id, &all).await?;
    let today = tx.app().clock().today();
    let due = before.effective_on.filter(|on| *on <= today && before.status == ChangeStatus::Approved);
    let Some(effective_on) = due else { return Ok(None) };
    let planned = still(tx, &student, &before, None).await?;
    take_effect(tx, &student, &before, &planned, Due { renumber: before.renumber, effective_on }).await?;
    let to = ChangeStatus::Executed;
    Ok(Some(Change::status("student_change", id, "status", before.status.as_str(), to.as_str())))
}

/// Writes why it could not take effect; none when that stands already. Nothing else of the row is read: it may be what is wrong.
async fn alert(tx: &mut Tx, id: i64, why: &str) -> Result<Option<Change>> {
    let before = sqlx::query!(
        r#"select status as "status: ChangeStatus", alert from student_change where id = $1 for update"#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if before.status != ChangeStatus::Approved || before.alert.as_deref() == Some(why) {
        return Ok(None);
    }
    let by = tx.by();
    sqlx::query!(
        "update student_change set alert = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        id,
        why,
        by
    )
    .execute(&mut **tx)
    .await?;
    note(tx, id, ChangeStage::Alert, None, Some(why)).await?;
    Ok(Some(Change::status("student_change", id, "alert", before.alert, why)))
}
