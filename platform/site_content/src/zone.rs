//! 首页专区: the shelves of the home page, each with one kind of content ([`item`]).

mod form;
pub mod item;
mod list;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, enumeration, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

use crate::{
    filter::TerminalFilter,
    order::{SiteOrder, ordered},
};

pub use form::SiteZoneForm;
pub use list::SiteZone;

use list::{count, find, select};

permissions! {
    pages "/system/zone/pc/list", "/system/zone/app/list";
    InPlatform Reads       ListSiteZones        = "system:pc:zone:list" "首页专区列表";
    InPlatform Reads       ViewSiteZone         = "system:pc:zone:view" "查看首页专区";
    InPlatform Writes      SaveSiteZone         = "system:pc:zone:save" "新增首页专区";
    InPlatform Writes      EditSiteZone         = "system:pc:zone:edit" "编辑首页专区";
    InPlatform Writes      DeleteSiteZone       = "system:pc:zone:delete" "删除首页专区";
    InPlatform Writes      DeleteSiteZones      = "system:pc:zone:batchDel" "批量删除首页专区";
    InPlatform Writes      ChangeSiteZoneStatus = "system:pc:zone:update:status" "启用停用首页专区";
    InPlatform Writes      SortSiteZones        = "system:pc:zone:sort" "首页专区排序";
    InPlatform ReadsLogged ExportSiteZones      = "system:pc:zone:export" "导出首页专区";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[ZoneType::ENUMERATION, ZoneLayout::ENUMERATION],
    entities: &[Entity { table: "zone", name: "首页专区", counted: "个专区" }],
    jobs: &[export_job::<SiteZones>()],
    histories: &[History { table: "zone", code: "system:pc:zone:view", scope: None }],
    ..Part::NONE
};

enumeration! {
    /// 专区类型
    pub enum ZoneType = "zoneType" {
        Record = "record" "录播课程",
        Live = "live" "直播课程",
        Resource = "resource" "文库资源",
        Exam = "exam" "试卷",
        Blog = "blog" "博客",
        Lecturer = "lecturer" "讲师",
    }
}

enumeration! {
    /// 专区布局
    pub enum ZoneLayout = "zoneLayout" {
        Grid = "grid" "网格",
        List = "list" "列表",
        Scroll = "scroll" "横向滚动",
    }
}

pub struct SiteZones;

#[OpenApi(prefix_path = "/system/pc/zone", tag = "crate::Tag::SiteContent")]
impl SiteZones {
    /// 首页专区列表
    #[oai(path = "/list", method = "post", operation_id = "listSiteZones")]
    async fn list(
        &self,
        caller: Allowed<ListSiteZones>,
        Body(asked): Body<Paged<TerminalFilter>>,
    ) -> Result<Reply<Page<SiteZone>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看首页专区
    #[oai(path = "/view", method = "get", operation_id = "viewSiteZone")]
    async fn view(
        &self,
        caller: Allowed<ViewSiteZone>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<SiteZone>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增首页专区
    #[oai(path = "/save", method = "post", operation_id = "saveSiteZone")]
    async fn save(&self, caller: Allowed<SaveSiteZone>, Body(form): Body<SiteZoneForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑首页专区
    #[oai(path = "/edit", method = "put", operation_id = "editSiteZone")]
    async fn edit(&self, caller: Allowed<EditSiteZone>, Body(edit): Body<Edit<SiteZoneForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除首页专区
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSiteZone")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSiteZone>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除首页专区
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteSiteZones")]
    async fn delete_many(&self, caller: Allowed<DeleteSiteZones>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "zone", "zone_title");
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用首页专区
    #[oai(path = "/update/status", method = "put", operation_id = "changeSiteZoneStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeSiteZoneStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("zone", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 首页专区排序
    #[oai(path = "/sort", method = "put", operation_id = "sortSiteZones")]
    async fn sort(&self, caller: Allowed<SortSiteZones>, Body(order): Body<SiteOrder>) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("zone", &["terminal"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 导出首页专区
    #[oai(path = "/export", method = "post", operation_id = "exportSiteZones")]
    async fn export(
        &self,
        caller: Allowed<ExportSiteZones>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<TerminalFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
