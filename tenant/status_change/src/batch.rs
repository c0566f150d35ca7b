//! 异动批次: a window in which changes of some types are accepted from students of some grades (02 §10).
//!
//! ```text
//! not_started ─(starts_at)→ open ─(ends_at)→ ended        any ⇄ closed, by the switch
//! ```
//! A batch is the whole school's; a batch that changes name stays.

mod form;
mod options;
mod select;
mod sheet;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, Error, History, Ids, Paged, Part, Reply,
    Result, Saved, Scope, Tx,
    across::{self, SchoolPage},
    clock::Moment,
    naming::resolve_id,
    options::Source,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use form::ChangeBatchForm;
pub use select::{ChangeBatch, ChangeBatchFilter};
pub use status_change_rules::enums::ChangeBatchPhase;

pub(crate) use select::{Window, covering, open_to_students, window};

use form::{insert, update};
use options::{ChangeBatchFields, options};
use select::{BatchesAt, find};

permissions! {
    pages "/schoolPC/studentStatus/transaction/transferBatch", "/platformPC/studentStatus/transaction/transferBatch";
    EachSchool  Reads       ListChangeBatches       = "adult:pc:changeBatch:list" "异动批次列表";
    EachSchool  Reads       ViewChangeBatch         = "adult:pc:changeBatch:view" "查看异动批次";
    WholeSchool Writes      SaveChangeBatch         = "adult:pc:changeBatch:save" "新增异动批次";
    WholeSchool Writes      EditChangeBatch         = "adult:pc:changeBatch:edit" "编辑异动批次";
    WholeSchool Writes      DeleteChangeBatch       = "adult:pc:changeBatch:delete" "删除异动批次";
    WholeSchool Writes      DeleteChangeBatches     = "adult:pc:changeBatch:batchDel" "批量删除异动批次";
    WholeSchool Writes      ChangeChangeBatchStatus = "adult:pc:changeBatch:update:status" "启用停用异动批次";
    EachSchool  ReadsLogged ExportChangeBatches     = "adult:pc:changeBatch:export" "导出异动批次";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[crate::ChangeType::ENUMERATION, ChangeBatchPhase::ENUMERATION],
    entities: &[
        Entity { table: "change_batch", name: "异动批次", counted: "个异动批次" },
        Entity { table: "change_batch_grade", name: "批次年级", counted: "个异动批次" },
    ],
    jobs: &[export_job::<Batches>()],
    histories: &[History { table: "change_batch", code: "adult:pc:changeBatch:view", scope: None }],
    options: &[Source::new("changeBatch", |connection, asked| Box::pin(options(connection, asked)))
        .with::<ChangeBatchFields>()],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct Batches;

#[OpenApi(prefix_path = "/adult/pc/changeBatch", tag = "crate::Tag::StatusChange")]
impl Batches {
    /// 异动批次列表
    #[oai(path = "/list", method = "post", operation_id = "listChangeBatches")]
    async fn list(
        &self,
        caller: Allowed<ListChangeBatches>,
        Body(asked): Body<Paged<ChangeBatchFilter>>,
    ) -> Result<Reply<SchoolPage<ChangeBatch>>> {
        let now = caller.app().clock().now();
        let mut answer =
            across::list::<Self, _>(&caller, asked.paging()?, BatchesAt { filter: asked.filter, now }).await?;
        for batch in &mut answer.0.data.list {
            batch.row.reach(now);
        }
        Ok(answer)
    }

    /// 查看异动批次
    #[oai(path = "/view", method = "get", operation_id = "viewChangeBatch")]
    async fn view(
        &self,
        caller: Allowed<ViewChangeBatch>,
        /// 编号
        id: Query<Option<i64>>,
        /// 批次编码
        code: Query<Option<String>>,
    ) -> Result<Reply<ChangeBatch>> {
        let mut tx = caller.read().await?;
        let id = resolve_id(&mut tx, "change_batch", id.0, code.0).await?;
        Ok(reply(find(&mut tx, id, &caller.scope(), caller.app().clock().now()).await?))
    }

    /// 新增异动批次
    #[oai(path = "/save", method = "post", operation_id = "saveChangeBatch")]
    async fn save(&self, caller: Allowed<SaveChangeBatch>, Body(form): Body<ChangeBatchForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑异动批次
    #[oai(path = "/edit", method = "put", operation_id = "editChangeBatch")]
    async fn edit(
        &self,
        caller: Allowed<EditChangeBatch>,
        Body(edit): Body<Edit<ChangeBatchForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, &edit, caller.app().clock().now()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除异动批次
    #[oai(path = "/delete", method = "delete", operation_id = "deleteChangeBatch")]
    async fn delete(
        &self,
        caller: Allowed<DeleteChangeBatch>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, caller.app().clock().now()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除异动批次
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteChangeBatches")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteChangeBatches>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let now = caller.app().clock().now();
        let mut bulk = Bulk::new(caller.begin().await?, "change_batch");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, now).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用异动批次
    #[oai(path = "/update/status", method = "put", operation_id = "changeChangeBatchStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeChangeBatchStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("change_batch", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出异动批次
    #[oai(path = "/export", method = "post", operation_id = "exportChangeBatches")]
    async fn export(
        &self,
        caller: Allowed<ExportChangeBatches>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ChangeBatchFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// The batch; nobody else decides about it meanwhile.
async fn lock(tx: &mut Tx, id: i64, now: Moment) -> Result<ChangeBatch> {
    tx.lock("change_batch", id).await?;
    find(tx, id, &Scope::whole_school(), now).await
}

/// # Errors
/// 409 with the number of its applications.
async fn remove(tx: &mut Tx, id: i64, now: Moment) -> Result<Change> {
    let before = lock(tx, id, now).await?;
    if before.total > 0 {
        return Err(Error::conflict(format!("批次“{}”下有{}条学籍异动，不能删除", before.name, before.total)));
    }
    // The grades are its own, and go with it.
    sqlx::query!("delete from change_batch_grade where change_batch_id = $1", id).execute(&mut **tx).await?;
    tx.remove("change_batch", id, &before.name).await?;
    Ok(Change::deleted("change_batch", id, &before))
}
