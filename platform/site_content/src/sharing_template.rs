//! 分享海报模板: what a poster looks like that people share; of each kind one is the default.

mod form;
mod list;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, enumeration, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use site_content_rules::poster::PosterElementKind;

use crate::order::{SiteOrder, ordered};

pub use form::PosterTemplateForm;
pub use list::{PosterTemplate, PosterTemplateFilter};

use list::{count, find, select};

permissions! {
    pages "/system/sharing/template/list";
    InPlatform Reads       ListPosterTemplates        = "system:pc:sharing:template:list" "分享海报模板列表";
    InPlatform Reads       ViewPosterTemplate         = "system:pc:sharing:template:view" "查看分享海报模板";
    InPlatform Writes      SavePosterTemplate         = "system:pc:sharing:template:save" "新增分享海报模板";
    InPlatform Writes      EditPosterTemplate         = "system:pc:sharing:template:edit" "编辑分享海报模板";
    InPlatform Writes      DeletePosterTemplate       = "system:pc:sharing:template:delete" "删除分享海报模板";
    InPlatform Writes      DeletePosterTemplates      = "system:pc:sharing:template:batchDel" "批量删除分享海报模板";
    InPlatform Writes      ChangePosterTemplateStatus = "system:pc:sharing:template:update:status" "启用停用分享海报模板";
    InPlatform Writes      SortPosterTemplates        = "system:pc:sharing:template:sort" "分享海报模板排序";
    InPlatform ReadsLogged ExportPosterTemplates      = "system:pc:sharing:template:export" "导出分享海报模板";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[ShareType::ENUMERATION, PosterElementKind::ENUMERATION],
    entities: &[Entity { table: "sharing_template", name: "分享海报模板", counted: "个海报模板" }],
    jobs: &[export_job::<PosterTemplates>()],
    histories: &[History { table: "sharing_template", code: "system:pc:sharing:template:view", scope: None }],
    ..Part::NONE
};

enumeration! {
    /// 分享类型
    pub enum ShareType = "shareType" {
        Course = "course" "课程",
        Exam = "exam" "考试",
        Promoter = "promoter" "推广员",
        Live = "live" "直播",
    }
}

pub struct PosterTemplates;

#[OpenApi(prefix_path = "/system/pc/sharing/template", tag = "crate::Tag::SiteContent")]
impl PosterTemplates {
    /// 分享海报模板列表
    #[oai(path = "/list", method = "post", operation_id = "listPosterTemplates")]
    async fn list(
        &self,
        caller: Allowed<ListPosterTemplates>,
        Body(asked): Body<Paged<PosterTemplateFilter>>,
    ) -> Result<Reply<Page<PosterTemplate>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看分享海报模板
    #[oai(path = "/view", method = "get", operation_id = "viewPosterTemplate")]
    async fn view(
        &self,
        caller: Allowed<ViewPosterTemplate>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<PosterTemplate>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增分享海报模板
    #[oai(path = "/save", method = "post", operation_id = "savePosterTemplate")]
    async fn save(
        &self,
        caller: Allowed<SavePosterTemplate>,
        Body(form): Body<PosterTemplateForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑分享海报模板
    #[oai(path = "/edit", method = "put", operation_id = "editPosterTemplate")]
    async fn edit(
        &self,
        caller: Allowed<EditPosterTemplate>,
        Body(edit): Body<Edit<PosterTemplateForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除分享海报模板
    #[oai(path = "/delete", method = "delete", operation_id = "deletePosterTemplate")]
    async fn delete(
        &self,
        caller: Allowed<DeletePosterTemplate>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除分享海报模板
    #[oai(path = "/batchDel", method = "post", operation_id = "deletePosterTemplates")]
    async fn delete_many(
        &self,
        caller: Allowed<DeletePosterTemplates>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "sharing_template", "name");
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用分享海报模板
    #[oai(path = "/update/status", method = "put", operation_id = "changePosterTemplateStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangePosterTemplateStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("sharing_template", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 分享海报模板排序
    #[oai(path = "/sort", method = "put", operation_id = "sortPosterTemplates")]
    async fn sort(
        &self,
        caller: Allowed<SortPosterTemplates>,
        Body(order): Body<SiteOrder>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("sharing_template", &["share_type"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 导出分享海报模板
    #[oai(path = "/export", method = "post", operation_id = "exportPosterTemplates")]
    async fn export(
        &self,
        caller: Allowed<ExportPosterTemplates>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<PosterTemplateFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
