//! 删除: into the recycle bin, where it is kept (02 §3, §8).

use infra::{Allowed, Body, Bulk, BulkResult, Change, Error, Ids, Reply, Result, Saved, Scope, Tx, reply};
use poem_openapi::{OpenApi, param::Query};

use super::{DeletePreRegistration, DeletePreRegistrations, view::lock};
use crate::enums::ExamStatus;

pub struct Remove;

#[OpenApi(prefix_path = "/adult/pc/preRegistration", tag = "crate::Tag::Recruitment")]
impl Remove {
    /// 删除预报名
    #[oai(path = "/delete", method = "delete", operation_id = "deletePreRegistration")]
    async fn delete(
        &self,
        caller: Allowed<DeletePreRegistration>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除预报名
    #[oai(path = "/batchDel", method = "post", operation_id = "deletePreRegistrations")]
    async fn delete_many(
        &self,
        caller: Allowed<DeletePreRegistrations>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "pre_registration");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }
}

/// # Errors
/// 404 beyond the scope; 409 of whoever the authority admitted, or may have.
pub(super) async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let before = lock(tx, id, scope).await?;
    // Somebody with another name too, of whom nobody has said yet whether they are one.
    let named =
        sqlx::query_scalar!(r#"select exists (select from admission where pre_registration_id = $1) as "named!""#, id)
            .fetch_one(&mut **tx)
            .await?;
    if named || before.exam_status == ExamStatus::Admitted {
        return Err(Error::conflict("该预报名已关联录取数据，不能删除"));
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update pre_registration set deleted_at = $2, deleted_by = $3, updated_at = now(), updated_by = $3,
                version = version + 1
         where id = $1",
        id,
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::deleted("pre_registration", id, &before))
}
