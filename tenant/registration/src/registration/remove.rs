//! 删除: into the recycle bin, where it is kept (02 §7, §8). Who came, is kept or was struck off stays.

use infra::{Allowed, Body, BulkFailure, BulkResult, Change, Error, Ids, Reply, Result, Saved, Scope, Tx, reply};
use poem_openapi::{OpenApi, param::Query};
use registration_rules::remove::removable;

use super::{
    DeleteRegistration, DeleteRegistrations,
    held::{Arriving, held, held_one, out_of_reach},
};

pub struct Remove;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Remove {
    /// 删除报到
    #[oai(path = "/delete", method = "delete", operation_id = "deleteRegistration")]
    async fn delete(
        &self,
        caller: Allowed<DeleteRegistration>,
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

    /// 批量删除报到
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteRegistrations")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteRegistrations>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let (people, failed) = chosen(&mut tx, ids.ids, &caller.scope()).await?;
        let done = i64::try_from(people.len()).unwrap_or(i64::MAX);
        let changes = removed(&mut tx, &people).await?;
        tx.commit_all(changes).await?;
        Ok(reply(BulkResult { done, failed }))
    }
}

async fn chosen(tx: &mut Tx, mut ids: Vec<i64>, scope: &Scope) -> Result<(Vec<Arriving>, Vec<BulkFailure>)> {
    ids.sort_unstable();
    ids.dedup();
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

async fn removed(tx: &mut Tx, people: &[Arriving]) -> Result<Vec<Change>> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let ids: Vec<i64> = people.iter().map(|person| person.id).collect();
    sqlx::query!(
        "update registration set deleted_at = $2, deleted_by = $3, updated_at = now(), updated_by = $3, version = version + 1
         where id = any($1)",
        &ids,
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    // Who had gone on from an earlier batch stands in that one again.
    let back = sqlx::query_scalar!(
        "update registration o set carried_on = false, updated_at = now(), updated_by = $2, version = o.version + 1
         from registration r where r.id = any($1) and o.id = r.previous_id and o.carried_on
         returning o.id",
        &ids,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let back = back.into_iter().map(|id| Change::status("registration", id, "carriedOn", true, false));
    Ok(people
        .iter()
        .map(|person| {
            let what = serde_json::json!({
                "admissionId": person.admission_id, "name": person.name, "status": person.status.as_str(),
            });
            Change::event("registration", person.id, "delete", what)
        })
        .chain(back)
        .collect())
}
