//! 彻底删除: an admission leaves the bin for good, with the picture that came for it and what was told (02 §8). Operators alone may.

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Saved, Scope, Tx,
    across::{self, BulkOfSchools},
    files, reply,
};
use messages::forget;
use poem_openapi::{OpenApi, param::Query};
use scenes::PersonKind;

use super::{DeletedAdmissionItem, DeletedAdmissionItems, DestroyDeleted, DestroyManyDeleted};
use crate::admission::view::{AdmissionView, Kept, find_in, shown};

pub struct Destroy;

#[OpenApi(prefix_path = "/adult/pc/admissionDeleted", tag = "crate::Tag::Admission")]
impl Destroy {
    /// 彻底删除录取回收站数据
    /// 不能恢复；招办文件重新导入时作为新的数据
    #[oai(path = "/delete", method = "delete", operation_id = "destroyAdmission")]
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

    /// 批量彻底删除录取回收站数据
    /// 不能恢复；招办文件重新导入时作为新的数据
    #[oai(path = "/batchDel", method = "post", operation_id = "destroyAdmissions")]
    async fn delete_many(
        &self,
        caller: Allowed<DestroyManyDeleted>,
        Body(wanted): Body<DeletedAdmissionItems>,
    ) -> Result<Reply<BulkOfSchools>> {
        Ok(reply(across::bulk_over_schools(&caller, wanted.items, destroy_all).await?))
    }
}

async fn destroy_all(tx: Tx, mut items: Vec<DeletedAdmissionItem>) -> Result<BulkResult> {
    items.sort_by_key(|item| item.id);
    let mut bulk = Bulk::new(tx, "admission");
    for item in items {
        let outcome = destroy(bulk.row().await?, item.id, Some(item.version)).await;
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}

/// Takes a row of the bin away; the trail keeps it with its numbers masked, what the authority sent among them.
///
/// # Errors
/// 404 for a row that is gone; 409 when it was had back, changed since it was read, or something refers to it.
async fn destroy(tx: &mut Tx, id: i64, version: Option<i32>) -> Result<Change> {
    let row = sqlx::query!("select deleted_at, version from admission where id = $1 for update", id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    if row.deleted_at.is_none() {
        return Err(Error::conflict("数据已恢复，不在回收站中，不能彻底删除"));
    }
    if version.is_some_and(|version| version != row.version) {
        return Err(tx.stale("admission", id).await);
    }
    let (app, scope) = (tx.app().clone(), Scope::whole_school());
    let found = find_in(tx, id, &scope, Kept::InBin).await?;
    let before = AdmissionView { photo_url: None, ..shown(&app, tx, found, &scope).await? };
    let files = files::of_records(tx, "admission", &[id]).await?;
    forget(tx, PersonKind::Admission, &[id]).await?;
    tx.remove("admission", id, &before.admission.name).await?;
    // Objects go last: whatever refuses the row leaves them where they are.
    files::remove(&app, tx, &files).await?;
    Ok(Change::deleted("admission", id, &before))
}
