//! 彻底删除: a registration leaves the bin for good, with the files that came for it (02 §8). Operators alone may.

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Saved, Scope, Tx,
    across::{self, BulkOfSchools},
    files, reply,
};
use poem_openapi::{OpenApi, param::Query};

use super::{DeletedRegistrationItem, DeletedRegistrationItems, DestroyDeleted, DestroyManyDeleted};
use crate::registration::{
    own::RegistrationFile,
    view::{Kept, RegistrationView, view},
};

pub struct Destroy;

#[OpenApi(prefix_path = "/adult/pc/registrationDeleted", tag = "crate::Tag::Registration")]
impl Destroy {
    /// 彻底删除报到回收站数据
    /// 不能恢复，连同照片和附件
    #[oai(path = "/delete", method = "delete", operation_id = "destroyRegistration")]
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

    /// 批量彻底删除报到回收站数据
    /// 不能恢复，连同照片和附件
    #[oai(path = "/batchDel", method = "post", operation_id = "destroyRegistrations")]
    async fn delete_many(
        &self,
        caller: Allowed<DestroyManyDeleted>,
        Body(wanted): Body<DeletedRegistrationItems>,
    ) -> Result<Reply<BulkOfSchools>> {
        Ok(reply(across::bulk_over_schools(&caller, wanted.items, destroy_all).await?))
    }
}

async fn destroy_all(tx: Tx, mut items: Vec<DeletedRegistrationItem>) -> Result<BulkResult> {
    items.sort_by_key(|item| item.id);
    let mut bulk = Bulk::new(tx, "registration");
    for item in items {
        let outcome = destroy(bulk.row().await?, item.id, Some(item.version)).await;
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}

/// Takes a row of the bin away; the trail keeps it with its numbers masked.
///
/// # Errors
/// 404 for a row that is gone; 409 when it was had back, changed since it was read, or something refers to it.
async fn destroy(tx: &mut Tx, id: i64, version: Option<i32>) -> Result<Change> {
    let row = sqlx::query!("select deleted_at, version from registration where id = $1 for update", id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    if row.deleted_at.is_none() {
        return Err(Error::conflict("数据已恢复，不在回收站中，不能彻底删除"));
    }
    if version.is_some_and(|version| version != row.version) {
        return Err(tx.stale("registration", id).await);
    }
    let (app, scope) = (tx.app().clone(), Scope::whole_school());
    let before = view(&app, tx, id, &scope, Kept::InBin).await?;
    // The addresses of what is removed open nothing any more.
    let before = RegistrationView {
        photo_url: None,
        admission_photo_url: None,
        attachment_url: None,
        own_fields: Vec::new(),
        files: before.files.into_iter().map(|file| RegistrationFile { url: None, ..file }).collect(),
        ..before
    };
    let files = files::of_records(tx, "registration", &[id]).await?;
    sqlx::query!("delete from registration_file where registration_id = $1", id).execute(&mut **tx).await?;
    tx.remove("registration", id, &before.row.name).await?;
    // Objects go last: whatever refuses the row leaves them where they are.
    files::remove(&app, tx, &files).await?;
    Ok(Change::deleted("registration", id, &before))
}
