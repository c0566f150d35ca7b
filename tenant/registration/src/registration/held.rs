//! Somebody who is to come, as the steps know them: held, changed in memory, and written with others in one statement. Whatever
//! step: batches are held first, then rows in the order of their numbers, then what lies in other modules: a student before the
//! student's forms.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{BulkFailure, Change, Error, Result, Scope, Tx, clock::Moment};
pub use registration_rules::arriving::{Arriving, RegistrationItem};
use serde_json::{Value, json};
use student_status::student::check::NOT_YOURS;

use super::own;
use crate::enums::{ReserveReason, VerifyMethod};

/// The batches of these rows against their end, which holds them before any row.
async fn share_batches(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    sqlx::query_scalar!(
        "select id from enrollment_batch where id in (select batch_id from registration where id = any($1))
         order by id for share",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(())
}

/// These rows, those aside that the scope does not show; nobody else changes them until the transaction ends.
pub(crate) async fn held(tx: &mut Tx, ids: &[i64], scope: &Scope) -> Result<Vec<Arriving>> {
    share_batches(tx, ids).await?;
    let ids = sqlx::query_scalar!(
        "select id from registration
         where id = any($1) and deleted_at is null and ($2::bigint[] is null or site_id = any($2))
         order by id for no key update",
        ids,
        scope.sites()
    )
    .fetch_all(&mut **tx)
    .await?;
    now(tx, &ids).await
}

/// Those of these rows that are not in the bin, as they are now.
async fn now(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Arriving>> {
    let rows = sqlx::query_as!(
        Arriving,
        r#"select id, version, admission_id, batch_id, grade_id, major_id, level_id, site_id, name, status as "status: _",
                  verify_method as "verified: _", materials as "materials: _", photo_id, fee_paid,
                  reserve_reason as "reserve_reason: _", reserve_until, reason, attachment_id, extra as "extra: _",
                  array(select o.key from registration_file f join file_object o on o.id = f.file_id
                        where f.registration_id = registration.id order by f.kind) as "files!",
                  reported_at, reported_by, student_id, carried_on
           from registration where id = any($1) and deleted_at is null order by id"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows)
}

/// One of them, as it was read.
///
/// # Errors
/// 404 outside the scope, 409 when it changed since.
pub(crate) async fn held_one(tx: &mut Tx, id: i64, version: Option<i32>, scope: &Scope) -> Result<Arriving> {
    let person = held(tx, &[id], scope).await?.pop().ok_or_else(Error::not_found)?;
    match version {
        Some(version) if version != person.version => Err(tx.stale("registration", id).await),
        _ => Ok(person),
    }
}

/// The rows of a step, and those that are refused.
pub(crate) struct Rows {
    pub people: Vec<Arriving>,
    pub failed: Vec<BulkFailure>,
}

/// Holds the rows of a step, and parts those that changed since they were read, lie beyond the scope or fail the rule. They keep
/// the order of the items.
pub(crate) async fn rows(
    tx: &mut Tx,
    items: &[RegistrationItem],
    scope: &Scope,
    rule: impl Fn(&Arriving) -> Result<(), String> + Send,
) -> Result<Rows> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    let mut known: HashMap<i64, Arriving> =
        held(tx, &ids, scope).await?.into_iter().map(|person| (person.id, person)).collect();
    let (mut people, mut failed) = (Vec::with_capacity(items.len()), Vec::new());
    for item in items {
        let (name, msg) = match known.remove(&item.id) {
            None => (String::new(), out_of_reach(scope)),
            Some(person) if person.version != item.version => {
                (person.name.clone(), tx.stale("registration", item.id).await.msg.into_owned())
            }
            Some(person) => match rule(&person) {
                Ok(()) => {
                    people.push(person);
                    continue;
                }
                Err(why) => (person.name.clone(), why),
            },
        };
        failed.push(BulkFailure { id: item.id, name, msg });
    }
    Ok(Rows { people, failed })
}

/// What is told of a row that is not there for the caller.
pub(crate) fn out_of_reach(scope: &Scope) -> String {
    if scope.is_whole() { Error::not_found().msg.into_owned() } else { NOT_YOURS.to_owned() }
}

/// Writes what steps change of the rows. Who waits anew waits from now on.
pub(crate) async fn write(tx: &mut Tx, people: &[Arriving]) -> Result<()> {
    if people.is_empty() {
        return Ok(());
    }
    let (by, at) = (tx.by(), tx.app().clock().now());
    let ids: Vec<i64> = people.iter().map(|person| person.id).collect();
    let statuses: Vec<&str> = people.iter().map(|person| person.status.as_str()).collect();
    let verified: Vec<Option<&str>> = people.iter().map(|person| person.verified.map(VerifyMethod::as_str)).collect();
    let materials: Vec<String> = people
        .iter()
        .map(|person| person.materials.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(","))
        .collect();
    let photos: Vec<Option<i64>> = people.iter().map(|person| person.photo_id).collect();
    let reasons_kept: Vec<Option<&str>> =
        people.iter().map(|person| person.reserve_reason.map(ReserveReason::as_str)).collect();
    let until: Vec<Option<NaiveDate>> = people.iter().map(|person| person.reserve_until).collect();
    let reasons: Vec<Option<&str>> = people.iter().map(|person| person.reason.as_deref()).collect();
    let attachments: Vec<Option<i64>> = people.iter().map(|person| person.attachment_id).collect();
    let reported_at: Vec<Option<Moment>> = people.iter().map(|person| person.reported_at).collect();
    let reported_by: Vec<Option<&str>> = people.iter().map(|person| person.reported_by.as_deref()).collect();
    let students: Vec<Option<i64>> = people.iter().map(|person| person.student_id).collect();
    let carried: Vec<bool> = people.iter().map(|person| person.carried_on).collect();
    let extras: Vec<Value> = people.iter().map(|person| Value::Object(person.extra.0.clone())).collect();
    sqlx::query!(
        "update registration r
         set status = w.status, identity_verified = w.verified is not null, verify_method = w.verified,
             materials = array_remove(string_to_array(w.materials, ','), ''), photo_id = w.photo,
             reserve_reason = w.reserve_reason, reserve_until = w.reserve_until, reason = w.reason,
             attachment_id = w.attachment, reported_at = w.reported_at, reported_by = w.reported_by,
             student_id = w.student, carried_on = w.carried_on, extra = w.extra,
             pending_since = case when w.status = 'pending' and r.status <> 'pending' then $2 else r.pending_since end,
             updated_at = now(), updated_by = $1, version = r.version + 1
         from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::date[], $10::text[],
                     $11::bigint[], $12::timestamptz[], $13::text[], $14::bigint[], $15::boolean[], $16::jsonb[])
              as w (id, status, verified, materials, photo, reserve_reason, reserve_until, reason, attachment, reported_at,
                    reported_by, student, carried_on, extra)
         where r.id = w.id",
        by,
        at as _,
        &ids,
        statuses as _,
        verified as _,
        &materials,
        photos as _,
        reasons_kept as _,
        until as _,
        reasons as _,
        attachments as _,
        reported_at as _,
        reported_by as _,
        students as _,
        &carried,
        extras as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The record of what a step made of a row.
pub(crate) fn changed(before: &Arriving, after: &Arriving) -> Change {
    let told = |person: &Arriving| {
        json!({
            "status": person.status.as_str(), "identityVerified": person.verified.is_some(),
            "verifyMethod": person.verified.map(VerifyMethod::as_str),
            "materials": person.materials.iter().map(|kind| kind.as_str()).collect::<Vec<_>>(),
            "photoId": person.photo_id, "reserveReason": person.reserve_reason.map(ReserveReason::as_str),
            "reserveUntil": person.reserve_until, "reason": person.reason, "attachmentId": person.attachment_id,
            "extra": person.extra.0, "files": person.files, "reportedBy": person.reported_by,
            "studentId": person.student_id, "carriedOn": person.carried_on,
        })
    };
    Change::edited("registration", after.id, &told(before), &told(after))
}

/// Keeps a file that was sent in for a registration.
///
/// # Errors
/// 422 at the field when the upload was not completed, or the file is another record's, or this one's in another field: `photo`
/// beside `attachment`, or one of the school's own.
pub(crate) async fn adopted(tx: &mut Tx, field: &'static str, key: &str, id: i64) -> Result<i64> {
    let file = infra::files::adopt(tx, key, "registration", id).await.map_err(|error| match error.code {
        422 => Error::field(field, error.msg),
        _ => error,
    })?;
    let same = if field == "photo" { "报到照片" } else { "附件" };
    match own::called(tx, id, file).await? {
        Some(called) if called != same => Err(Error::field(field, format!("该文件已是本人的{called}，请另行上传"))),
        _ => Ok(file),
    }
}
