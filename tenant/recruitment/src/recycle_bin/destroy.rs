//! 彻底删除: a person leaves the bin for good, with photo, papers and what they were told (02 §8). Operators alone may.

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Saved, Tx,
    across::{self, BulkOfSchools, ItemOfSchool},
    reply,
};
use messages::forget;
use poem_openapi::{OpenApi, param::Query};
use scenes::PersonKind;

use super::{DeletedItem, DeletedItems, DestroyDeleted, DestroyManyDeleted};
use crate::pre_registration::{
    files,
    view::{Kept, find_in},
};

pub struct Destroy;

#[OpenApi(prefix_path = "/adult/pc/preRegistrationDeleted", tag = "crate::Tag::Recruitment")]
impl Destroy {
    /// 彻底删除预报名回收站数据
    /// 照片和材料一并删除，不能恢复
    #[oai(path = "/delete", method = "delete", operation_id = "destroyPreRegistration")]
    async fn delete(
        &self,
        caller: Allowed<DestroyDeleted>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = destroy(&mut tx, id.0, None).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量彻底删除预报名回收站数据
    /// 照片和材料一并删除，不能恢复
    #[oai(path = "/batchDel", method = "post", operation_id = "destroyPreRegistrations")]
    async fn delete_many(
        &self,
        caller: Allowed<DestroyManyDeleted>,
        Body(wanted): Body<DeletedItems>,
    ) -> Result<Reply<BulkOfSchools>> {
        let items: Vec<ItemOfSchool<DeletedItem>> = wanted.items;
        Ok(reply(across::bulk_over_schools(&caller, items, destroy_all).await?))
    }
}

async fn destroy_all(tx: Tx, mut items: Vec<DeletedItem>) -> Result<BulkResult> {
    items.sort_by_key(|item| item.id);
    let mut bulk = Bulk::new(tx, "pre_registration");
    for item in items {
        let outcome = destroy(bulk.row().await?, item.id, Some(item.version)).await;
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}

/// Takes a row of the bin away with everything that hangs on it; the trail keeps the row with its numbers masked.
///
/// # Errors
/// 404 for a row that is gone; 409 when it was had back, changed since it was read, or something refers to it.
async fn destroy(tx: &mut Tx, id: i64, version: Option<i32>) -> Result<Change> {
    let row = sqlx::query!("select deleted_at, version from pre_registration where id = $1 for update", id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    if row.deleted_at.is_none() {
        return Err(Error::conflict("数据已恢复，不在回收站中，不能彻底删除"));
    }
    if version.is_some_and(|version| version != row.version) {
        return Err(tx.stale("pre_registration", id).await);
    }
    let (before, _) = find_in(tx, id, &infra::Scope::whole_school(), Kept::InBin).await?;
    let files = files::taken_from(tx, &[id]).await?;
    forget(tx, PersonKind::PreRegistration, &[id]).await?;
    tx.remove("pre_registration", id, &before.name).await?;
    // Objects go last: whatever refuses the row leaves them where they are.
    let app = tx.app().clone();
    files::remove_nobodys(tx, &app, &files).await?;
    Ok(Change::deleted("pre_registration", id, &before))
}
