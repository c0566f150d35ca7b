//! 预报名批次: a window in which people tell the school that they want to study, for one grade (02 §2).
//!
//! ```text
//! not_started ─(starts_at)→ open ─(ends_at)→ ended        any ⇄ closed, by the switch
//! ```
//! Levels, majors and sites are what it offers. Whatever a pre-registration names, also one in the recycle bin, stays in its
//! batch.

mod copy;
mod form;
pub(crate) mod link;
mod majors;
mod options;
mod select;
mod sheet;
mod usage;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, History, Ids, Paged, Part, Reply, Result,
    Saved, Scope, Tx,
    across::{self, SchoolPage},
    clock::Moment,
    options::Source,
    permissions, reply,
    setting::Settings,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use form::PreRegistrationBatchForm;
use options::{BatchFields, options};
pub use select::{PreRegistrationBatch, PreRegistrationBatchFilter, PreRegistrationBatchView};

use form::{insert, update};
use select::{BatchesAt, find};

permissions! {
    pages
        "/schoolPC/recruitStudents/preRegistration/preRegistrationBatch",
        "/platformPC/recruitStudents/preRegistration/preRegistrationBatch";
    EachSchool Reads       ListPreRegistrationBatches       = "adult:pc:preRegistrationBatch:list" "预报名批次列表";
    EachSchool Reads       ViewPreRegistrationBatch         = "adult:pc:preRegistrationBatch:view" "查看预报名批次";
    InSchool   Writes      SavePreRegistrationBatch         = "adult:pc:preRegistrationBatch:save" "新增预报名批次";
    InSchool   Writes      EditPreRegistrationBatch         = "adult:pc:preRegistrationBatch:edit" "编辑预报名批次";
    InSchool   Reads       ViewPreRegistrationBatchMajors   = "adult:pc:preRegistrationBatch:edit" "编辑预报名批次";
    InSchool   Writes      ResetBatchLink                   = "adult:pc:preRegistrationBatch:edit" "编辑预报名批次";
    InSchool   Writes      DeletePreRegistrationBatch       = "adult:pc:preRegistrationBatch:delete" "删除预报名批次";
    InSchool   Writes      DeletePreRegistrationBatches     = "adult:pc:preRegistrationBatch:batchDel" "批量删除预报名批次";
    EachSchool Writes      ChangePreRegistrationBatchStatus = "adult:pc:preRegistrationBatch:update:status" "启用停用预报名批次";
    EachSchool ReadsLogged ExportPreRegistrationBatches     = "adult:pc:preRegistrationBatch:export" "导出预报名批次";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "pre_registration_batch", name: "预报名批次", counted: "个预报名批次" },
        Entity { table: "pre_registration_batch_level", name: "招生层次", counted: "个预报名批次" },
        Entity { table: "pre_registration_batch_major", name: "批次专业", counted: "个预报名批次" },
        Entity { table: "pre_registration_batch_site", name: "批次站点", counted: "个批次专业" },
    ],
    jobs: &[export_job::<PreRegistrationBatches>()],
    settings: &[Settings { group: "recruitment", settings: &[form::PRE_REGISTRATION_AUDIT] }],
    histories: &[History { table: "pre_registration_batch", code: "adult:pc:preRegistrationBatch:view", scope: None }],
    options: &[Source::new("preRegistrationBatch", |connection, asked| Box::pin(options(connection, asked)))
        .below("预报名批次的年级")
        .with::<BatchFields>()],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct PreRegistrationBatches;

#[OpenApi(prefix_path = "/adult/pc/preRegistrationBatch", tag = "crate::Tag::Recruitment")]
impl PreRegistrationBatches {
    /// 预报名批次列表
    #[oai(path = "/list", method = "post", operation_id = "listPreRegistrationBatches")]
    async fn list(
        &self,
        caller: Allowed<ListPreRegistrationBatches>,
        Body(asked): Body<Paged<PreRegistrationBatchFilter>>,
    ) -> Result<Reply<SchoolPage<PreRegistrationBatch>>> {
        let now = caller.app().clock().now();
        let mut answer =
            across::list::<Self, _>(&caller, asked.paging()?, BatchesAt { filter: asked.filter, now }).await?;
        for batch in &mut answer.0.data.list {
            batch.row.reach(now);
        }
        Ok(answer)
    }

    /// 查看预报名批次
    #[oai(path = "/view", method = "get", operation_id = "viewPreRegistrationBatch")]
    async fn view(
        &self,
        caller: Allowed<ViewPreRegistrationBatch>,
        /// 编号
        id: Query<Option<i64>>,
        /// 批次编码
        code: Query<Option<String>>,
    ) -> Result<Reply<PreRegistrationBatchView>> {
        let mut tx = caller.read().await?;
        let id = infra::naming::resolve_id(&mut tx, "pre_registration_batch", id.0, code.0).await?;
        let mut batch = find(&mut tx, id, &caller.scope(), caller.app().clock().now()).await?;
        let domain = caller.school.as_ref().and_then(|school| school.domain.as_deref());
        link::tell(&mut tx, &mut batch, domain).await?;
        Ok(reply(batch))
    }

    /// 新增预报名批次
    #[oai(path = "/save", method = "post", operation_id = "savePreRegistrationBatch")]
    async fn save(
        &self,
        caller: Allowed<SavePreRegistrationBatch>,
        Body(form): Body<PreRegistrationBatchForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑预报名批次
    #[oai(path = "/edit", method = "put", operation_id = "editPreRegistrationBatch")]
    async fn edit(
        &self,
        caller: Allowed<EditPreRegistrationBatch>,
        Body(edit): Body<Edit<PreRegistrationBatchForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, &edit, caller.app().clock().now()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除预报名批次
    #[oai(path = "/delete", method = "delete", operation_id = "deletePreRegistrationBatch")]
    async fn delete(
        &self,
        caller: Allowed<DeletePreRegistrationBatch>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, caller.app().clock().now()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除预报名批次
    #[oai(path = "/batchDel", method = "post", operation_id = "deletePreRegistrationBatches")]
    async fn delete_many(
        &self,
        caller: Allowed<DeletePreRegistrationBatches>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let now = caller.app().clock().now();
        let mut bulk = Bulk::new(caller.begin().await?, "pre_registration_batch");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, now).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用预报名批次
    #[oai(path = "/update/status", method = "put", operation_id = "changePreRegistrationBatchStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangePreRegistrationBatchStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("pre_registration_batch", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出预报名批次
    #[oai(path = "/export", method = "post", operation_id = "exportPreRegistrationBatches")]
    async fn export(
        &self,
        caller: Allowed<ExportPreRegistrationBatches>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<PreRegistrationBatchFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// The operations on batches.
pub(crate) fn api() -> impl OpenApi {
    (PreRegistrationBatches, majors::Majors, copy::Copy, link::Links, link::PublicForms)
}

/// Nobody enters the batch, and nobody else decides about it, meanwhile.
async fn lock(tx: &mut Tx, id: i64, now: Moment) -> Result<PreRegistrationBatchView> {
    tx.lock("pre_registration_batch", id).await?;
    find(tx, id, &Scope::whole_school(), now).await
}

async fn remove(tx: &mut Tx, id: i64, now: Moment) -> Result<Change> {
    let before = lock(tx, id, now).await?;
    usage::ensure_unused(tx, id).await?;
    // The sites go with their majors.
    sqlx::query!("delete from pre_registration_batch_major where batch_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from pre_registration_batch_level where batch_id = $1", id).execute(&mut **tx).await?;
    tx.remove("pre_registration_batch", id, &before.batch.name).await?;
    Ok(Change::deleted("pre_registration_batch", id, &before))
}
