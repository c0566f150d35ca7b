//! 毕业批次 (part 04 §9). Seen by everybody with the code; what is counted of people lies in their scope.

pub mod confirm;
mod form;
pub mod report;
mod select;
pub mod steps;

use graduation_rules::settings::{DEGREE_CHAIR_NAME, DEGREE_EXPORT_COLUMNS, DEGREE_UNIT_CODE, REGISTER_EXPORT_COLUMNS};
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, Scope, Tx,
    across::{Keyed, Listed},
    options::{Asked, OptionItem, Source},
    permissions, reply,
    setting::Settings,
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

use crate::enums::GraduationBatchStatus;

pub use form::GraduationBatchForm;
pub(crate) use form::insert;
use form::update;
pub use select::{GraduationBatch, GraduationBatchFilter, GraduationBatchView};

permissions! {
    pages "/schoolPC/graduate/graduatingStudents/graduatingBatch";
    InSchool    Reads       ListGraduationBatches    = "adult:pc:graduate:batch:list" "毕业批次列表";
    InSchool    Reads       ViewGraduationBatch      = "adult:pc:graduate:batch:view" "查看毕业批次";
    WholeSchool Writes      SaveGraduationBatch      = "adult:pc:graduate:batch:save" "新增毕业批次";
    WholeSchool Writes      EditGraduationBatch      = "adult:pc:graduate:batch:edit" "编辑毕业批次";
    WholeSchool Writes      DeleteGraduationBatch    = "adult:pc:graduate:batch:delete" "删除毕业批次";
    WholeSchool Writes      DeleteGraduationBatches  = "adult:pc:graduate:batch:batchDel" "批量删除毕业批次";
    InSchool    ReadsLogged ExportGraduationBatches  = "adult:pc:graduate:batch:export" "导出毕业批次";
    WholeSchool Writes      StartGraduationBatch     = "adult:pc:graduate:batch:start" "启动毕业批次";
    WholeSchool Writes      GenerateGraduates        = "adult:pc:graduate:batch:generate" "生成毕业生名单";
    InSchool    Writes      AuditBatch               = "adult:pc:graduate:batch:audit" "批次毕业审核";
    WholeSchool Writes      ConfirmGraduationBatch   = "adult:pc:graduate:batch:confirm" "确认毕业批次";
    WholeSchool Writes      RegisterGraduationBatch  = "adult:pc:graduate:batch:register" "毕业批次注册完成";
    WholeSchool Writes      ArchiveGraduationBatch   = "adult:pc:graduate:batch:archive" "归档毕业批次";
    InSchool    ReadsLogged ExportRegister           = "adult:pc:graduate:batch:registerExport" "学历注册导出";
    InSchool    ReadsLogged ExportRegisterPlain      = "adult:pc:graduate:batch:exportPlain" "学历注册导出完整证件号";
    InSchool    Writes      ImportRegisterResults    = "adult:pc:graduate:batch:import" "导入学历注册结果";
    InSchool    Reads       FetchRegisterResultSheet = "adult:pc:graduate:batch:import" "导入学历注册结果";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "graduation_batch", name: "毕业批次", counted: "个毕业批次" }],
    jobs: &[export_job::<Batches>(), import_job::<report::ResultSheet>()],
    settings: &[
        Settings { group: "examination", settings: &[REGISTER_EXPORT_COLUMNS, DEGREE_EXPORT_COLUMNS] },
        Settings { group: "school_info", settings: &[DEGREE_UNIT_CODE, DEGREE_CHAIR_NAME] },
    ],
    histories: &[History { table: "graduation_batch", code: "adult:pc:graduate:batch:view", scope: None }],
    options: &[Source::new("graduationBatch", |connection, asked| Box::pin(options(connection, asked)))],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct Batches;

#[OpenApi(prefix_path = "/adult/pc/graduate/batch", tag = "crate::Tag::Graduation")]
impl Batches {
    /// 毕业批次列表
    #[oai(path = "/list", method = "post", operation_id = "listGraduationBatches")]
    async fn list(
        &self,
        caller: Allowed<ListGraduationBatches>,
        Body(asked): Body<Paged<GraduationBatchFilter>>,
    ) -> Result<Reply<Page<GraduationBatch>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看毕业批次
    #[oai(path = "/view", method = "get", operation_id = "viewGraduationBatch")]
    async fn view(
        &self,
        caller: Allowed<ViewGraduationBatch>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<GraduationBatchView>> {
        let mut tx = caller.read().await?;
        let batch = Self::find(&mut tx, id.0, &caller.scope()).await?;
        let failed_rules = select::failed_rules(&mut tx, id.0, &caller.scope()).await?;
        Ok(reply(GraduationBatchView { batch, failed_rules }))
    }

    /// 新增毕业批次
    #[oai(path = "/save", method = "post", operation_id = "saveGraduationBatch")]
    async fn save(
        &self,
        caller: Allowed<SaveGraduationBatch>,
        Body(form): Body<GraduationBatchForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let change = insert(&mut tx, form).await?;
        let id = change.id();
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑毕业批次
    #[oai(path = "/edit", method = "put", operation_id = "editGraduationBatch")]
    async fn edit(
        &self,
        caller: Allowed<EditGraduationBatch>,
        Body(edit): Body<Edit<GraduationBatchForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除毕业批次
    #[oai(path = "/delete", method = "delete", operation_id = "deleteGraduationBatch")]
    async fn delete(
        &self,
        caller: Allowed<DeleteGraduationBatch>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除毕业批次
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteGraduationBatches")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteGraduationBatches>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "graduation_batch");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出毕业批次
    #[oai(path = "/export", method = "post", operation_id = "exportGraduationBatches")]
    async fn export(
        &self,
        caller: Allowed<ExportGraduationBatches>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<GraduationBatchFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    tx.lock("graduation_batch", id).await?;
    let before = Batches::find(tx, id, &Scope::whole_school()).await?;
    if before.status != GraduationBatchStatus::Draft {
        return Err(Error::conflict(format!("毕业批次{}，不能删除", before.status.zh())));
    }
    tx.remove("graduation_batch", id, &before.form.name).await?;
    Ok(Change::deleted("graduation_batch", id, &before))
}

/// Batches for selectors; switched on means: not archived.
async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select b.id, b.code, b.name, b.status <> 'archived' as "open!" from graduation_batch b
           where (b.status <> 'archived' or not $2)
             and ($1::text is null or strpos(b.name, $1) > 0 or starts_with(lower(b.code), lower($1))
                  or starts_with(b.initials, lower($1)))
           order by b.year desc, b.id desc limit $3"#,
        asked.keyword,
        asked.only_enabled,
        asked.most
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| OptionItem::of(row.id, row.name, row.code, row.open)).collect())
}
