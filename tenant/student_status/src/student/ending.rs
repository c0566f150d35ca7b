//! 毕业, 结业 and 肄业: the ends of an enrolment that graduation decides, and their revocation (02 §9.2, 04 §9.3).
//!
//! ```text
//! registered, expired ─[end_status]→ graduated │ completed │ incomplete ─[reopen_status]→ as before
//! completed ─[convert_completion]→ registered → graduated
//! ```
//! The account stays open for some time; the nightly look of [`crate::account`] ends it.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{Change, Error, OnConstraint, Result, Tx};
use people::account::{self, OwnerKind};

use super::quota;
use crate::enums::{StatusChangeKind, StudentStatus};

/// How an enrolment ends.
#[derive(Debug, Clone, Copy)]
pub struct Ending<'a> {
    pub student: i64,
    /// Graduate, Complete or Incomplete.
    pub kind: StatusChangeKind,
    pub effective_on: NaiveDate,
    pub document_no: Option<&'a str>,
    pub reason: Option<&'a str>,
}

/// The status behind an ending; none of what is no ending of graduation.
const fn behind(kind: StatusChangeKind) -> Option<StudentStatus> {
    match kind {
        StatusChangeKind::Graduate => Some(StudentStatus::Graduated),
        StatusChangeKind::Complete => Some(StudentStatus::Completed),
        StatusChangeKind::Incomplete => Some(StudentStatus::Incomplete),
        _ => None,
    }
}

/// A student who is held.
struct Held {
    id: i64,
    name: String,
    status: StudentStatus,
}

/// Holds students by id.
///
/// # Errors
/// 404 when one is not there.
async fn held(tx: &mut Tx, ids: &[i64]) -> Result<HashMap<i64, Held>> {
    let rows = sqlx::query_as!(
        Held,
        r#"select id, name, status as "status: StudentStatus" from student where id = any($1) order by id for update"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    if rows.len() == ids.len() {
        Ok(rows.into_iter().map(|row| (row.id, row)).collect())
    } else {
        Err(Error::not_found())
    }
}

/// Ends enrolments; all or none.
///
/// # Errors
/// 404 for nobody; 409 for who is neither registered nor beyond the longest study time.
pub async fn end_status(tx: &mut Tx, endings: &[Ending<'_>]) -> Result<Vec<Change>> {
    let mut ids: Vec<i64> = endings.iter().map(|ending| ending.student).collect();
    ids.sort_unstable();
    let students = held(tx, &ids).await?;
    let mut steps = Vec::with_capacity(endings.len());
    for ending in endings {
        let student = students.get(&ending.student).ok_or_else(Error::not_found)?;
        let to = behind(ending.kind).ok_or_else(|| Error::internal("no ending of graduation"))?;
        if !matches!(student.status, StudentStatus::Registered | StudentStatus::Expired) {
            return Err(Error::conflict(format!(
                "“{}”当前学籍状态为{}，不能{}",
                student.name,
                student.status.zh(),
                ending.kind.zh()
            )));
        }
        steps.push((student.status, to));
    }
    write(tx, endings, &steps).await?;
    Ok(told(endings, &steps))
}

/// Makes graduates of those who completed and passed since; all or none.
///
/// # Errors
/// 404 for nobody; 409 for who is no more completed.
pub async fn convert_completion(tx: &mut Tx, endings: &[Ending<'_>]) -> Result<Vec<Change>> {
    let mut ids: Vec<i64> = endings.iter().map(|ending| ending.student).collect();
    ids.sort_unstable();
    let students = held(tx, &ids).await?;
    for ending in endings {
        let student = students.get(&ending.student).ok_or_else(Error::not_found)?;
        if student.status != StudentStatus::Completed {
            return Err(Error::conflict(format!(
                "“{}”当前学籍状态为{}，不能结业换毕业",
                student.name,
                student.status.zh()
            )));
        }
    }
    // The completion is taken back first: the history tells both.
    let back: Vec<Ending<'_>> =
        endings.iter().map(|ending| Ending { kind: StatusChangeKind::Revoke, ..*ending }).collect();
    let steps = vec![(StudentStatus::Completed, StudentStatus::Registered); endings.len()];
    note(tx, &back, &steps).await?;
    let steps = vec![(StudentStatus::Registered, StudentStatus::Graduated); endings.len()];
    write(tx, endings, &steps).await?;
    let steps = vec![(StudentStatus::Completed, StudentStatus::Graduated); endings.len()];
    Ok(told(endings, &steps))
}

/// Takes an ending back: the student stands as before the graduation that was confirmed last.
///
/// # Errors
/// 404 for nobody; 409 for who has not ended so, or is enrolled anew.
pub async fn reopen_status(tx: &mut Tx, student: i64, reason: &str) -> Result<Vec<Change>> {
    let students = held(tx, &[student]).await?;
    let before = students.get(&student).ok_or_else(Error::not_found)?.status;
    if !matches!(before, StudentStatus::Graduated | StudentStatus::Completed | StudentStatus::Incomplete) {
        return Err(Error::conflict(format!("该生当前学籍状态为{}，没有可撤销的毕业", before.zh())));
    }
    let former = sqlx::query_scalar!(
        r#"select former_status as "former?: StudentStatus" from graduation_user
           where student_id = $1 and status = 'confirmed' order by id desc limit 1"#,
        student
    )
    .fetch_optional(&mut **tx)
    .await?
    .flatten()
    .unwrap_or(StudentStatus::Registered);
    // Whoever had completed before has ended again, on that day.
    let ended_on = if former == StudentStatus::Completed {
        sqlx::query_scalar!(
            "select effective_on from student_status_change where student_id = $1 and kind = 'complete' order by id desc limit 1",
            student
        )
        .fetch_optional(&mut **tx)
        .await?
    } else {
        None
    };
    if former == StudentStatus::Registered {
        quota::admit(tx, 1).await?;
    }
    let (by, today) = (tx.by(), tx.app().clock().today());
    sqlx::query!(
        "update student set status = $2, ended_on = $3, updated_at = now(), updated_by = $4, version = version + 1 where id = $1",
        student,
        former.as_str(),
        ended_on,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "student_id_card_active_taken").then(|| Error::conflict("该人员已有其他在籍学籍，不能撤销"))
    })?;
    let ending = Ending {
        student,
        kind: StatusChangeKind::Revoke,
        effective_on: today,
        document_no: None,
        reason: Some(reason),
    };
    note(tx, &[ending], &[(before, former)]).await?;
    let mut changes = told(&[ending], &[(before, former)]);
    if former != StudentStatus::Completed {
        changes.extend(open_account(tx, student).await?);
    }
    Ok(changes)
}

/// An account that ended with the enrolment opens again; one that somebody switched off stays so.
async fn open_account(tx: &mut Tx, student: i64) -> Result<Option<Change>> {
    let ended = sqlx::query_scalar!(
        r#"select ended_at is not null as "ended!" from client_account where owner_kind = 'student' and owner_id = $1"#,
        student
    )
    .fetch_optional(&mut **tx)
    .await?;
    if ended != Some(true) {
        return Ok(None);
    }
    match account::lock(tx, OwnerKind::Student, student).await? {
        Some(account) if !account.enabled => account.reopen(tx).await.map(Some),
        _ => Ok(None),
    }
}

/// Writes the status and its day, and the history.
async fn write(tx: &mut Tx, endings: &[Ending<'_>], steps: &[(StudentStatus, StudentStatus)]) -> Result<()> {
    let by = tx.by();
    let ids: Vec<i64> = endings.iter().map(|ending| ending.student).collect();
    let to: Vec<String> = steps.iter().map(|(_, to)| to.as_str().to_owned()).collect();
    let on: Vec<NaiveDate> = endings.iter().map(|ending| ending.effective_on).collect();
    sqlx::query!(
        "update student s set status = w.status, ended_on = w.ended_on, updated_at = now(), updated_by = $4, version = s.version + 1
         from unnest($1::bigint[], $2::text[], $3::date[]) as w (id, status, ended_on)
         where s.id = w.id",
        &ids,
        &to,
        &on,
        by
    )
    .execute(&mut **tx)
    .await?;
    note(tx, endings, steps).await
}

async fn note(tx: &mut Tx, endings: &[Ending<'_>], steps: &[(StudentStatus, StudentStatus)]) -> Result<()> {
    let by = tx.by();
    let ids: Vec<i64> = endings.iter().map(|ending| ending.student).collect();
    let kinds: Vec<String> = endings.iter().map(|ending| ending.kind.as_str().to_owned()).collect();
    let from: Vec<String> = steps.iter().map(|(from, _)| from.as_str().to_owned()).collect();
    let to: Vec<String> = steps.iter().map(|(_, to)| to.as_str().to_owned()).collect();
    let reasons: Vec<Option<String>> = endings.iter().map(|ending| ending.reason.map(ToOwned::to_owned)).collect();
    let documents: Vec<Option<String>> =
        endings.iter().map(|ending| ending.document_no.map(ToOwned::to_owned)).collect();
    let on: Vec<NaiveDate> = endings.iter().map(|ending| ending.effective_on).collect();
    sqlx::query!(
        "insert into student_status_change (student_id, kind, from_status, to_status, reason, document_no, effective_on,
                                            created_by, updated_by)
         select w.id, w.kind, w.was, w.is_now, w.reason, w.document, w.effective_on, $8::bigint, $8::bigint
         from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::date[]) with ordinality
              as w (id, kind, was, is_now, reason, document, effective_on, place)
         order by w.place",
        &ids,
        &kinds,
        &from,
        &to,
        &reasons as &[Option<String>],
        &documents as &[Option<String>],
        &on,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

fn told(endings: &[Ending<'_>], steps: &[(StudentStatus, StudentStatus)]) -> Vec<Change> {
    let one = |(ending, (from, to)): (&Ending<'_>, &(StudentStatus, StudentStatus))| {
        Change::status("student", ending.student, "status", from.as_str(), to.as_str()).because(ending.reason)
    };
    endings.iter().zip(steps).map(one).collect()
}
