//! 删除: into the recycle bin, where it is kept (02 §6, §8). Its lead is free again, its place too.

use infra::{Allowed, Body, BulkFailure, BulkResult, Change, Error, Ids, Reply, Result, Saved, Scope, Tx, reply};
use poem_openapi::{OpenApi, param::Query};
use serde_json::{Value, json};

use super::{
    DeleteAdmission, DeleteAdmissions,
    matching::{out_of_reach, released},
    person::{Person, held, held_one, share_batches},
};
use crate::enums::AdmissionStatus;

pub struct Remove;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Remove {
    /// 删除录取数据
    #[oai(path = "/delete", method = "delete", operation_id = "deleteAdmission")]
    async fn delete(
        &self,
        caller: Allowed<DeleteAdmission>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let person = held_one(&mut tx, id.0, None, &caller.scope()).await?;
        removable(&person).map_err(Error::conflict)?;
        let changes = removed(&mut tx, &[person]).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除录取数据
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteAdmissions")]
    async fn delete_many(&self, caller: Allowed<DeleteAdmissions>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let (people, failed) = chosen(&mut tx, ids.ids, &caller.scope()).await?;
        let done = i64::try_from(people.len()).unwrap_or(i64::MAX);
        let changes = removed(&mut tx, &people).await?;
        tx.commit_all(changes).await?;
        Ok(reply(BulkResult { done, failed }))
    }
}

/// # Errors
/// Why the row stays.
fn removable(person: &Person) -> Result<(), String> {
    match person.status {
        AdmissionStatus::Imported | AdmissionStatus::Assigned | AdmissionStatus::Cancelled => Ok(()),
        AdmissionStatus::Audited | AdmissionStatus::Rejected => {
            Err(format!("当前状态为{}，不能删除", person.status.zh()))
        }
    }
}

async fn chosen(tx: &mut Tx, mut ids: Vec<i64>, scope: &Scope) -> Result<(Vec<Person>, Vec<BulkFailure>)> {
    ids.sort_unstable();
    ids.dedup();
    share_batches(tx, &ids).await?;
    let found = held(tx, &ids, scope).await?;
    let mut failed: Vec<BulkFailure> = ids
        .iter()
        .filter(|id| !found.iter().any(|person| person.id == **id))
        .map(|id| BulkFailure { id: *id, name: String::new(), msg: out_of_reach(scope) })
        .collect();
    let mut people = Vec::with_capacity(found.len());
    for person in found {
        match removable(&person) {
            Ok(()) => people.push(person),
            Err(msg) => failed.push(BulkFailure { id: person.id, name: person.name, msg }),
        }
    }
    Ok((people, failed))
}

async fn removed(tx: &mut Tx, people: &[Person]) -> Result<Vec<Change>> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let ids: Vec<i64> = people.iter().map(|person| person.id).collect();
    sqlx::query!(
        "update admission set deleted_at = $2, deleted_by = $3, pre_registration_id = null, match_status = 'unmatched',
                updated_at = now(), updated_by = $3, version = version + 1
         where id = any($1)",
        &ids,
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    let mut changes: Vec<Change> =
        people.iter().map(|person| Change::event("admission", person.id, "delete", told(person))).collect();
    changes.extend(released(tx, people).await?);
    Ok(changes)
}

fn told(person: &Person) -> Value {
    json!({
        "examineeNo": person.examinee_no, "name": person.name, "status": person.status.as_str(),
        "preRegistrationId": person.pre_registration_id, "siteId": person.site_id,
    })
}

/// Somebody whom a file brought that is undone; they are held. They go for good: in the bin they would keep a mended file out, and nobody
/// has added anything to what the file says.
///
/// # Errors
/// 409 with why the row stays.
pub(super) async fn take_away(tx: &mut Tx, person: &Person) -> Result<Change> {
    removable(person).map_err(Error::conflict)?;
    let leads = released(tx, std::slice::from_ref(person)).await?;
    tx.record(&leads).await?;
    tx.remove("admission", person.id, &person.name).await?;
    Ok(Change::deleted("admission", person.id, &told(person)))
}
