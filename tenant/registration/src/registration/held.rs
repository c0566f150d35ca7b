//! Somebody who is to come, as the steps know them: held, changed in memory, and written with others in one statement. Whatever
//! step: batches are held first, then rows in the order of their numbers, then what lies in other modules: a student before the
//! student's forms.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{BulkFailure, Change, Error, Result, Scope, Tx, across::Item, clock::Moment};
use poem_openapi::Object;
use serde_json::{Map, Value, json};
use sqlx::types::Json;
use student_status::student::check::NOT_YOURS;

use super::own;
use crate::enums::{RegistrationMaterial, RegistrationStatus, ReserveReason, VerifyMethod};

/// A registration as it was read.
#[derive(Debug, Clone, Copy, Object)]
pub struct RegistrationItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Item for RegistrationItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// A row that is held.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Arriving {
    pub id: i64,
    pub version: i32,
    pub admission_id: i64,
    pub batch_id: i64,
    pub grade_id: i64,
    pub major_id: i64,
    pub level_id: i64,
    pub site_id: i64,
    pub name: String,
    pub status: RegistrationStatus,
    /// None: not verified.
    pub verified: Option<VerifyMethod>,
    pub materials: Vec<RegistrationMaterial>,
    pub photo_id: Option<i64>,
    pub fee_paid: bool,
    pub reserve_reason: Option<ReserveReason>,
    pub reserve_until: Option<NaiveDate>,
    pub reason: Option<String>,
    pub attachment_id: Option<i64>,
    /// Values of the school's own fields, by their keys.
    pub extra: Json<Map<String, Value>>,
    /// The files of such fields, in the order of the fields' keys; [`own::keep`] writes them.
    pub files: Vec<String>,
    pub reported_at: Option<Moment>,
    pub reported_by: Option<String>,
    pub student_id: Option<i64>,
    pub carried_on: bool,
}

impl Arriving {
    /// # Errors
    /// Why nothing is done with the row any more: the person went on in a later batch.
    pub fn counts(&self) -> Result<(), String> {
        if self.carried_on { Err("已转入之后的批次，请在该批次办理".to_owned()) } else { Ok(()) }
    }

    /// # Errors
    /// Why the step is not to be had.
    pub fn only(&self, from: &[RegistrationStatus], step: &str) -> Result<(), String> {
        self.counts()?;
        if from.contains(&self.status) {
            Ok(())
        } else {
            Err(format!("当前状态为{}，不能{step}", self.status.zh()))
        }
    }

    /// Waits again; what was said of another status is gone. Answers the paper that said it, which is to be let go; who reported
    /// has none.
    pub fn wait(&mut self) -> Option<i64> {
        self.status = RegistrationStatus::Pending;
        (self.reserve_reason, self.reserve_until, self.reason) = (None, None, None);
        (self.reported_at, self.reported_by, self.student_id) = (None, None, None);
        self.attachment_id.take()
    }
}

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

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn arriving(status: RegistrationStatus) -> Arriving {
        Arriving {
            id: 1,
            version: 1,
            admission_id: 1,
            batch_id: 1,
            grade_id: 1,
            major_id: 1,
            level_id: 1,
            site_id: 1,
            name: "张伟".to_owned(),
            status,
            verified: Some(VerifyMethod::Manual),
            materials: Vec::new(),
            photo_id: Some(1),
            fee_paid: true,
            reserve_reason: None,
            reserve_until: None,
            reason: None,
            attachment_id: None,
            extra: Json(Map::new()),
            files: Vec::new(),
            reported_at: None,
            reported_by: None,
            student_id: None,
            carried_on: false,
        }
    }

    #[test]
    fn a_step_has_its_statuses() {
        use RegistrationStatus::{NoShow, Pending, Reported, Reserved};
        let told = |status| arriving(status).only(&[Pending, NoShow], "办理放弃").err().unwrap_or_default();
        assert_eq!(told(Pending), "");
        assert_eq!(told(NoShow), "");
        assert_eq!(told(Reported), "当前状态为已报到，不能办理放弃");
        let gone = Arriving { carried_on: true, ..arriving(Reserved) };
        assert_eq!(gone.only(&[Reserved], "恢复").err().unwrap_or_default(), "已转入之后的批次，请在该批次办理");
    }

    #[test]
    fn who_waits_again_is_as_they_came() {
        let mut person = Arriving {
            reason: Some("出国".to_owned()),
            reserve_until: "2027-03-01".parse().ok(),
            reserve_reason: Some(ReserveReason::Other),
            ..arriving(RegistrationStatus::Reserved)
        };
        person.attachment_id = Some(7);
        assert_eq!(person.wait(), Some(7), "the paper is let go");
        assert_eq!(person, arriving(RegistrationStatus::Pending));
    }
}
