//! 院校专区: the schools that the home page shows, while they are on trial or active.

mod form;
mod list;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, enumeration, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

use crate::{
    filter::DecorationFilter,
    order::{SiteOrder, ordered},
};

pub use form::SchoolZoneForm;
pub use list::SchoolZone;

use list::{count, find, select};

permissions! {
    pages "/system/zone/school/list";
    InPlatform Reads       ListSchoolZones        = "system:pc:zone:school:list" "院校专区列表";
    InPlatform Reads       ViewSchoolZone         = "system:pc:zone:school:view" "查看院校专区";
    InPlatform Writes      SaveSchoolZone         = "system:pc:zone:school:save" "新增院校专区";
    InPlatform Writes      EditSchoolZone         = "system:pc:zone:school:edit" "编辑院校专区";
    InPlatform Writes      DeleteSchoolZone       = "system:pc:zone:school:delete" "删除院校专区";
    InPlatform Writes      DeleteSchoolZones      = "system:pc:zone:school:batchDel" "批量删除院校专区";
    InPlatform Writes      ChangeSchoolZoneStatus = "system:pc:zone:school:update:status" "启用停用院校专区";
    InPlatform Writes      SortSchoolZones        = "system:pc:zone:school:sort" "院校专区排序";
    InPlatform ReadsLogged ExportSchoolZones      = "system:pc:zone:school:export" "导出院校专区";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[ShownOn::ENUMERATION],
    entities: &[Entity { table: "zone_school", name: "院校专区", counted: "所专区院校" }],
    jobs: &[export_job::<SchoolZones>()],
    histories: &[History { table: "zone_school", code: "system:pc:zone:school:view", scope: None }],
    ..Part::NONE
};

enumeration! {
    /// 展示端
    pub enum ShownOn = "shownOn" {
        Both = "both" "全部",
        Pc = "pc" "电脑端",
        App = "app" "移动端",
    }
}

pub struct SchoolZones;

#[OpenApi(prefix_path = "/system/pc/zone/school", tag = "crate::Tag::SiteContent")]
impl SchoolZones {
    /// 院校专区列表
    #[oai(path = "/list", method = "post", operation_id = "listSchoolZones")]
    async fn list(
        &self,
        caller: Allowed<ListSchoolZones>,
        Body(asked): Body<Paged<DecorationFilter>>,
    ) -> Result<Reply<Page<SchoolZone>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看院校专区
    #[oai(path = "/view", method = "get", operation_id = "viewSchoolZone")]
    async fn view(
        &self,
        caller: Allowed<ViewSchoolZone>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<SchoolZone>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增院校专区
    #[oai(path = "/save", method = "post", operation_id = "saveSchoolZone")]
    async fn save(&self, caller: Allowed<SaveSchoolZone>, Body(form): Body<SchoolZoneForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, caller.user_id(), form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑院校专区
    #[oai(path = "/edit", method = "put", operation_id = "editSchoolZone")]
    async fn edit(
        &self,
        caller: Allowed<EditSchoolZone>,
        Body(edit): Body<Edit<SchoolZoneForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, caller.user_id(), edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除院校专区
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSchoolZone")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSchoolZone>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除院校专区
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteSchoolZones")]
    async fn delete_many(&self, caller: Allowed<DeleteSchoolZones>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(
            caller.begin().await?,
            "zone_school",
            "(select s.name from school s where s.id = zone_school.school_id)",
        );
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用院校专区
    #[oai(path = "/update/status", method = "put", operation_id = "changeSchoolZoneStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeSchoolZoneStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("zone_school", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 院校专区排序
    #[oai(path = "/sort", method = "put", operation_id = "sortSchoolZones")]
    async fn sort(&self, caller: Allowed<SortSchoolZones>, Body(order): Body<SiteOrder>) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("zone_school", &[], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 导出院校专区
    #[oai(path = "/export", method = "post", operation_id = "exportSchoolZones")]
    async fn export(
        &self,
        caller: Allowed<ExportSchoolZones>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<DecorationFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
