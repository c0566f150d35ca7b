//! 异动: where and how a student studies changes here alone, and whether they do (02 §10). Who asked, who allowed it and whether
//! it may be, the caller knows; how it is written into the register, with its dates, its history, the seat in a class, the
//! number and the account, is said here.
//!
//! ```text
//! Transfer ─[execute]→ student, student_status_change of its kind
//!                      ─[revoke]→ as it was, student_status_change of the kind revoke
//! ```
//! The history keeps both sides of every field that differs; a revocation reads them there.

use chrono::NaiveDate;
use classes::class::class_seats;
use infra::{Change, Error, OnConstraint, Result, Tx};
use people::account::{self, OwnerKind, end_accounts};
use poem_openapi::types::ParseFromJSON;
use serde_json::{Map, Value, json};
use sqlx::PgConnection;
use student_numbers::allocation::allocate;
use student_status_rules::{
    student::Student,
    transfer::{Basis, Standing, StudyDates, dates, differing},
};
use term::{Season, Term, half_years};

use super::{find, number::give, quota, references::graduate_days};
use crate::enums::{StatusChangeKind, StudentStatus, WithdrawReason};

pub use student_status_rules::transfer::{Effect, Placement, Transfer};

/// Told of a change that cannot be taken back any more.
const MOVED_ON: &str = "异动后数据已变化，不能撤销";

/// Told of a class that cannot be entered.
const CLASS_GONE: &str = "班级不存在或已被删除，请重新选择";

/// Of the history: whether the login was open. A field of both sides where leaving has closed it.
const ACCOUNT: &str = "accountEnabled";

/// The dates that a student would have behind a change.
///
/// # Errors
/// 409 when they leave the calendar.
pub async fn preview(
    connection: &mut PgConnection,
    student: &Student,
    effect: Effect,
    after: &Placement,
) -> Result<StudyDates> {
    let row = sqlx::query!(
        r#"select o.entry_year as old_year, o.entry_season as "old_season: Season", n.entry_year as new_year,
                  n.entry_season as "new_season: Season", (a.max_years * 2)::integer as "old_longest!",
                  (b.max_years * 2)::integer as "new_longest!"
           from grade o, grade n, level a, level b where o.id = $1 and n.id = $2 and a.id = $3 and b.id = $4"#,
        student.grade_id,
        after.grade_id,
        student.level_id,
        after.level_id
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let basis = Basis {
        grades: (
            Term { year: row.old_year, season: row.old_season },
            Term { year: row.new_year, season: row.new_season },
        ),
        longest: (row.old_longest, row.new_longest),
        days: graduate_days(connection).await?,
    };
    let dates = dates(student, effect, after, &basis).filter(|dates| {
        dates.expected_graduation_on > student.enrolled_on && dates.max_study_end_on > student.enrolled_on
    });
    dates.ok_or_else(|| Error::conflict("无法推算预计毕业日期，请核对入学日期和学制"))
}

/// Writes an allowed change of a student who is held ([`super::correct::hold`]), with a row of the history.
///
/// # Errors
/// 409 when the class is full or switched off, when it is no class of the place, or when no number can be given.
pub async fn execute(tx: &mut Tx, student: &Student, transfer: &Transfer<'_>) -> Result<()> {
    if let Some(class) = transfer.after.class_id.filter(|class| Some(*class) != student.class_id) {
        seat(tx, class, CLASS_GONE).await?;
    }
    let dates = preview(tx, student, transfer.effect, transfer.after).await?;
    let before = Standing::of(student);
    write(tx, student.id, &Standing::behind(student, transfer, dates), explain_execution).await?;
    if transfer.renumber {
        renumber(tx, student).await?;
    }
    let was_open = if transfer.effect.ends() { end_account(tx, student.id).await? } else { false };
    let after = find(tx, Some(student.id), None, &infra::Scope::whole_school()).await?;
    let (mut from, mut to) = differing(&before.fields(), &Standing::of(&after).fields());
    if was_open {
        from.insert(ACCOUNT.to_owned(), json!(true));
        to.insert(ACCOUNT.to_owned(), json!(false));
    }
    let event = Event {
        kind: transfer.effect.kind(),
        from_status: student.status,
        to_status: after.status,
        before: Value::Object(from),
        after: Value::Object(to),
        reason: Some(transfer.reason),
        change_id: transfer.change_id,
        document_no: transfer.document_no,
        on: transfer.effective_on,
    };
    note(tx, student.id, event).await?;
    tx.record(&[Change::edited("student", student.id, student, &after).because(Some(transfer.reason))]).await
}

/// Takes a change back: the student stands as before it, in the class that they left.
///
/// # Errors
/// 409 when anything that it changed is no more as it left it, when the grade, level, major, site or class that was left is
/// gone, when the class is full, or when the person is enrolled anew.
pub async fn revoke(tx: &mut Tx, student: &Student, change_id: i64, reason: Option<&str>) -> Result<()> {
    let kept = sqlx::query!(
        "select before, after, document_no from student_status_change
         where student_id = $1 and change_id = $2 and kind <> 'revoke' order by id desc limit 1",
        student.id,
        change_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::conflict(MOVED_ON))?;
    let (from, to) = (fields_of(kept.before), fields_of(kept.after));
    let now = Standing::of(student).fields();
    // The account is no part of the standing.
    let stands = |(name, value): (&String, &Value)| name == ACCOUNT || now.get(name) == Some(value);
    if !to.iter().all(stands) {
        return Err(Error::conflict(MOVED_ON));
    }
    let mut wanted = now;
    wanted.extend(
        from.iter()
            .filter(|(name, _)| *name != ACCOUNT && to.contains_key(*name))
            .map(|(name, was)| (name.clone(), was.clone())),
    );
    let wanted = Standing::parse_from_json(Some(Value::Object(wanted)))
        .map_err(|error| Error::internal(error.into_message()))?;
    let (back, placed) = (wanted.placement.status, wanted.placement.clone());
    let counts = |status| matches!(status, StudentStatus::Registered | StudentStatus::Suspended);
    if let Some(class) = placed.class_id.filter(|class| Some(*class) != student.class_id) {
        seat(tx, class, MOVED_ON).await?;
    }
    if counts(back) && !counts(student.status) {
        quota::admit(tx, 1).await?;
    }
    write(tx, student.id, &wanted, explain_revocation).await?;
    if let Some(number) = wanted.student_no.as_deref().filter(|number| Some(*number) != student.student_no.as_deref()) {
        rename_account(tx, student.id, number).await?;
    }
    if from.get(ACCOUNT) == Some(&json!(true)) {
        open_account(tx, student.id).await?;
    }
    let today = tx.app().clock().today();
    let event = Event {
        kind: StatusChangeKind::Revoke,
        from_status: student.status,
        to_status: back,
        before: Value::Object(to),
        after: Value::Object(from),
        reason,
        change_id,
        document_no: kept.document_no.as_deref(),
        on: today,
    };
    note(tx, student.id, event).await?;
    let after = find(tx, Some(student.id), None, &infra::Scope::whole_school()).await?;
    tx.record(&[Change::edited("student", student.id, student, &after).because(reason)]).await
}

fn fields_of(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// Takes a seat; whoever fills the class beside this waits. `gone` is told of a class that there is no more.
async fn seat(tx: &mut Tx, class: i64, gone: &'static str) -> Result<()> {
    let seats = class_seats(tx, class).await.map_err(|error| match error.code {
        404 => Error::conflict(gone),
        _ => error,
    })?;
    seats.admit(1)
}

fn explain_execution(constraint: &str) -> Option<Error> {
    match constraint {
        "student_class_mismatch" => Some(Error::conflict("与班级的年级、层次、专业或站点不一致")),
        "student_of_grade" | "student_major_not_of_level" | "student_of_site" => {
            Some(Error::conflict("目标年级、层次、专业或站点不存在或已被删除，请重新选择"))
        }
        _ => None,
    }
}

/// What was left may be gone by now.
fn explain_revocation(constraint: &str) -> Option<Error> {
    match constraint {
        "student_class_mismatch" | "student_of_grade" | "student_major_not_of_level" | "student_of_site" => {
            Some(Error::conflict(MOVED_ON))
        }
        "student_id_card_active_taken" => Some(Error::conflict("该人员已有其他在籍学籍，不能撤销")),
        _ => None,
    }
}

async fn write(tx: &mut Tx, id: i64, standing: &Standing, explain: fn(&str) -> Option<Error>) -> Result<()> {
    let by = tx.by();
    let placed = &standing.placement;
    let half_years = half_years(placed.schooling_years).ok_or_else(|| Error::internal("no half years"))?;
    sqlx::query!(
        "update student set grade_id = $2, level_id = $3, major_id = $4, study_form = $5, schooling_years = $6::integer / 2.0,
                site_id = $7, class_id = $8, status = $9, student_no = $10, expected_graduation_on = $11,
                max_study_end_on = $12, status_reason = $13, ended_on = $14, suspended_until = $15, suspended_months = $16,
                updated_at = now(), updated_by = $17, version = version + 1
         where id = $1",
        id,
        placed.grade_id,
        placed.level_id,
        placed.major_id,
        placed.study_form.as_str(),
        half_years,
        placed.site_id,
        placed.class_id,
        placed.status.as_str(),
        standing.student_no,
        standing.expected_graduation_on,
        standing.max_study_end_on,
        standing.status_reason.map(WithdrawReason::as_str),
        standing.ended_on,
        standing.suspended_until,
        standing.suspended_months,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok(())
}

/// The next number of the rule at the new place; the old one is nobody's again.
async fn renumber(tx: &mut Tx, student: &Student) -> Result<()> {
    let given = allocate(tx, &[student.id]).await?.into_iter().next();
    let number = given.ok_or_else(Error::not_found)?.number.map_err(Error::conflict)?;
    // Its record is of somebody who had none.
    drop(give(tx, student.id, &number).await?);
    let change = Change::status("student", student.id, "studentNo", student.student_no.as_deref(), number.as_str());
    tx.record(&[change]).await
}

/// Switches the account off; answers whether it was on.
async fn end_account(tx: &mut Tx, id: i64) -> Result<bool> {
    let Some(account) = account::lock(tx, OwnerKind::Student, id).await?.filter(|account| account.enabled) else {
        return Ok(false);
    };
    let mut changes = end_accounts(tx, OwnerKind::Student, &[id]).await?;
    // Who was let in again after an earlier end leaves all the same.
    if changes.is_empty() {
        changes.push(account.set_enabled(tx, false).await?);
    }
    tx.record(&changes).await?;
    Ok(true)
}

async fn open_account(tx: &mut Tx, id: i64) -> Result<()> {
    if let Some(account) = account::lock(tx, OwnerKind::Student, id).await?.filter(|account| !account.enabled) {
        let opened = account.reopen(tx).await?;
        tx.record(&[opened]).await?;
    }
    Ok(())
}

async fn rename_account(tx: &mut Tx, id: i64, number: &str) -> Result<()> {
    if let Some(account) = account::lock(tx, OwnerKind::Student, id).await? {
        let renamed = account.rename(tx, number).await?;
        tx.record(&[renamed]).await?;
    }
    Ok(())
}

/// A row of the history.
struct Event<'a> {
    kind: StatusChangeKind,
    from_status: StudentStatus,
    to_status: StudentStatus,
    before: Value,
    after: Value,
    reason: Option<&'a str>,
    change_id: i64,
    document_no: Option<&'a str>,
    on: NaiveDate,
}

async fn note(tx: &mut Tx, student: i64, event: Event<'_>) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "insert into student_status_change (student_id, kind, from_status, to_status, before, after, reason, change_id,
                                            document_no, effective_on, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)",
        student,
        event.kind.as_str(),
        event.from_status.as_str(),
        event.to_status.as_str(),
        event.before,
        event.after,
        event.reason,
        event.change_id,
        event.document_no,
        event.on,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
