//! 招生批次: the official recruitment of one grade (02 §4).
//!
//! ```text
//! draft ─→ open ─→ closed ─→ open         a grade has one open batch
//! ```
//! A batch is of the whole school: whoever sees some sites or classes alone reads it and changes nothing.
//! It tells how the authority's file is read ([`mapping`]), until when sites declare, and when people report.

mod copy;
mod form;
mod mapping;
mod options;
mod select;
mod sheet;
mod status;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, Scope, Tx,
    across::{Keyed, Listed},
    options::Source,
    permissions, reply,
    setting::Settings,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

use crate::admitting::QUOTA_POLICY;

pub use enrolment_rules::batch::EnrollmentBatchStatus;
pub use form::EnrollmentBatchForm;
pub use mapping::{EnrollmentColumn, EnrollmentField, EnrollmentValue};
pub(crate) use mapping::{check_values, usual_columns, usual_values};
use options::{EnrollmentBatchFields, options};
pub use select::{EnrollmentBatch, EnrollmentBatchFilter, EnrollmentBatchView};

use form::{insert, update};

permissions! {
    pages "/schoolPC/recruitStudents/enrollmentBatch";
    InSchool    Reads       ListEnrollmentBatches       = "adult:pc:enrollment:list" "招生批次列表";
    InSchool    Reads       ViewEnrollmentBatch         = "adult:pc:enrollment:view" "查看招生批次";
    WholeSchool Writes      SaveEnrollmentBatch         = "adult:pc:enrollment:save" "新增招生批次";
    WholeSchool Writes      EditEnrollmentBatch         = "adult:pc:enrollment:edit" "编辑招生批次";
    WholeSchool Writes      DeleteEnrollmentBatch       = "adult:pc:enrollment:delete" "删除招生批次";
    WholeSchool Writes      DeleteEnrollmentBatches     = "adult:pc:enrollment:batchDel" "批量删除招生批次";
    WholeSchool Writes      ChangeEnrollmentBatchStatus = "adult:pc:enrollment:changeStatus" "开放结束招生批次";
    InSchool    ReadsLogged ExportEnrollmentBatches     = "adult:pc:enrollment:export" "导出招生批次";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[EnrollmentBatchStatus::ENUMERATION, EnrollmentField::ENUMERATION],
    entities: &[Entity { table: "enrollment_batch", name: "招生批次", counted: "个招生批次" }],
    jobs: &[export_job::<EnrollmentBatches>()],
    histories: &[History { table: "enrollment_batch", code: "adult:pc:enrollment:view", scope: None }],
    settings: &[Settings { group: "recruitment", settings: &[QUOTA_POLICY] }],
    options: &[Source::new("enrollmentBatch", |connection, asked| Box::pin(options(connection, asked)))
        .below("招生批次的年级")
        .with::<EnrollmentBatchFields>()],
    option_pages: PAGES,
    ..Part::NONE
};

/// Whether the recruitment of a grade is over: a batch of it was closed, and none is open (02 §3, 标记未录取).
///
/// # Errors
/// Those of the database.
pub async fn is_over(connection: &mut PgConnection, grade: i64) -> Result<bool> {
    let over = sqlx::query_scalar!(
        r#"select exists (select from enrollment_batch where grade_id = $1 and status = 'closed')
                  and not exists (select from enrollment_batch where grade_id = $1 and status = 'open') as "over!""#,
        grade
    )
    .fetch_one(connection)
    .await?;
    Ok(over)
}

pub struct EnrollmentBatches;

#[OpenApi(prefix_path = "/adult/pc/enrollmentBatch", tag = "crate::Tag::Enrolment")]
impl EnrollmentBatches {
    /// 招生批次列表
    #[oai(path = "/list", method = "post", operation_id = "listEnrollmentBatches")]
    async fn list(
        &self,
        caller: Allowed<ListEnrollmentBatches>,
        Body(asked): Body<Paged<EnrollmentBatchFilter>>,
    ) -> Result<Reply<Page<EnrollmentBatch>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看招生批次
    #[oai(path = "/view", method = "get", operation_id = "viewEnrollmentBatch")]
    async fn view(
        &self,
        caller: Allowed<ViewEnrollmentBatch>,
        /// 编号
        id: Query<Option<i64>>,
        /// 编码
        code: Query<Option<String>>,
    ) -> Result<Reply<EnrollmentBatchView>> {
        let mut tx = caller.read().await?;
        let id = infra::naming::resolve_id(&mut tx, "enrollment_batch", id.0, code.0).await?;
        let batch = Self::find(&mut tx, id, &caller.scope()).await?;
        Ok(reply(select::viewed(&mut tx, batch).await?))
    }

    /// 新增招生批次
    #[oai(path = "/save", method = "post", operation_id = "saveEnrollmentBatch")]
    async fn save(
        &self,
        caller: Allowed<SaveEnrollmentBatch>,
        Body(form): Body<EnrollmentBatchForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑招生批次
    #[oai(path = "/edit", method = "put", operation_id = "editEnrollmentBatch")]
    async fn edit(
        &self,
        caller: Allowed<EditEnrollmentBatch>,
        Body(edit): Body<Edit<EnrollmentBatchForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = (edit.id, update(&mut tx, edit).await?);
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除招生批次
    #[oai(path = "/delete", method = "delete", operation_id = "deleteEnrollmentBatch")]
    async fn delete(
        &self,
        caller: Allowed<DeleteEnrollmentBatch>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除招生批次
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteEnrollmentBatches")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteEnrollmentBatches>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "enrollment_batch");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出招生批次
    #[oai(path = "/export", method = "post", operation_id = "exportEnrollmentBatches")]
    async fn export(
        &self,
        caller: Allowed<ExportEnrollmentBatches>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<EnrollmentBatchFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// The operations on batches.
pub(crate) fn api() -> impl OpenApi {
    (EnrollmentBatches, status::ChangeStatus, copy::Copy, mapping::Mapping)
}

/// Nobody else changes the batch meanwhile, nor begins to refer to it.
pub(crate) async fn lock(tx: &mut Tx, id: i64) -> Result<EnrollmentBatch> {
    tx.lock("enrollment_batch", id).await?;
    EnrollmentBatches::find(tx, id, &Scope::whole_school()).await
}

/// The batch whose majors and plans are to be changed, held against its end but not against others who do the same.
///
/// # Errors
/// 422 at `batchId` when there is none, 409 when it is closed.
pub(crate) async fn running(tx: &mut Tx, id: i64) -> Result<Running> {
    let batch = sqlx::query_as!(
        Running,
        r#"select id, name, grade_id, status as "status: EnrollmentBatchStatus", site_apply_ends_at
           from enrollment_batch where id = $1 for share"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("batchId", "所选招生批次不存在，请重新选择"))?;
    match batch.status {
        EnrollmentBatchStatus::Draft | EnrollmentBatchStatus::Open => Ok(batch),
        EnrollmentBatchStatus::Closed => Err(Error::conflict(format!("招生批次“{}”已结束，请先重新开放", batch.name))),
    }
}

/// A batch whose majors and plans may be changed.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) grade_id: i64,
    pub(crate) status: EnrollmentBatchStatus,
    pub(crate) site_apply_ends_at: Option<infra::clock::Moment>,
}

/// # Errors
/// 409 for what was ever opened, and for what has majors or plans.
async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = lock(tx, id).await?;
    if before.status != EnrollmentBatchStatus::Draft {
        return Err(Error::conflict(format!("“{}”{}，只有草稿可以删除", before.name, before.status.zh())));
    }
    tx.remove("enrollment_batch", id, &before.name).await?;
    Ok(Change::deleted("enrollment_batch", id, &before))
}
