//! 顶部广告: a strip above the head of the site; at most one is shown at a time.

use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Edit, EnabledChange, Ids, Page, Paged, Part, Reply, Result, Saved, Scope,
    permissions, reply,
    sheet::Column,
    transfer::{self, Export, Exported, Rows, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

use super::{
    Advertisement, AdvertisementForm, AdvertisementPlace, form,
    list::{COLUMNS, count, find, select},
};
use crate::{
    filter::TerminalFilter,
    order::{SiteOrder, ordered},
};

permissions! {
    pages "/system/adv/top/pc/list", "/system/adv/top/app/list";
    InPlatform Reads       ListTopAdvertisements        = "system:pc:adv:top:list" "顶部广告列表";
    InPlatform Reads       ViewTopAdvertisement         = "system:pc:adv:top:view" "查看顶部广告";
    InPlatform Writes      SaveTopAdvertisement         = "system:pc:adv:top:save" "新增顶部广告";
    InPlatform Writes      EditTopAdvertisement         = "system:pc:adv:top:edit" "编辑顶部广告";
    InPlatform Writes      DeleteTopAdvertisement       = "system:pc:adv:top:delete" "删除顶部广告";
    InPlatform Writes      DeleteTopAdvertisements      = "system:pc:adv:top:batchDel" "批量删除顶部广告";
    InPlatform Writes      ChangeTopAdvertisementStatus = "system:pc:adv:top:update:status" "启用停用顶部广告";
    InPlatform Writes      SortTopAdvertisements        = "system:pc:adv:top:sort" "顶部广告排序";
    InPlatform ReadsLogged ExportTopAdvertisements      = "system:pc:adv:top:export" "导出顶部广告";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[export_job::<TopAdvertisements>()], ..Part::NONE };

const PLACE: AdvertisementPlace = AdvertisementPlace::Top;

pub struct TopAdvertisements;

#[OpenApi(prefix_path = "/system/pc/adv/top", tag = "crate::Tag::SiteContent")]
impl TopAdvertisements {
    /// 顶部广告列表
    #[oai(path = "/list", method = "post", operation_id = "listTopAdvertisements")]
    async fn list(
        &self,
        caller: Allowed<ListTopAdvertisements>,
        Body(asked): Body<Paged<TerminalFilter>>,
    ) -> Result<Reply<Page<Advertisement>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, PLACE, &filter).await?;
        let list = select(&mut tx, PLACE, None, &filter, now, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看顶部广告
    #[oai(path = "/view", method = "get", operation_id = "viewTopAdvertisement")]
    async fn view(
        &self,
        caller: Allowed<ViewTopAdvertisement>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Advertisement>> {
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, PLACE, id.0, now).await?))
    }

    /// 新增顶部广告
    #[oai(path = "/save", method = "post", operation_id = "saveTopAdvertisement")]
    async fn save(
        &self,
        caller: Allowed<SaveTopAdvertisement>,
        Body(form): Body<AdvertisementForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, PLACE, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑顶部广告
    #[oai(path = "/edit", method = "put", operation_id = "editTopAdvertisement")]
    async fn edit(
        &self,
        caller: Allowed<EditTopAdvertisement>,
        Body(edit): Body<Edit<AdvertisementForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, PLACE, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除顶部广告
    #[oai(path = "/delete", method = "delete", operation_id = "deleteTopAdvertisement")]
    async fn delete(
        &self,
        caller: Allowed<DeleteTopAdvertisement>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, PLACE, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除顶部广告
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteTopAdvertisements")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteTopAdvertisements>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "adv", "adv_title");
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, PLACE, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用顶部广告
    #[oai(path = "/update/status", method = "put", operation_id = "changeTopAdvertisementStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeTopAdvertisementStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::switch(&mut tx, PLACE, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 顶部广告排序
    #[oai(path = "/sort", method = "put", operation_id = "sortTopAdvertisements")]
    async fn sort(
        &self,
        caller: Allowed<SortTopAdvertisements>,
        Body(order): Body<SiteOrder>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        form::stands(&mut tx, PLACE, &order.ids).await?;
        let changes = tx.reorder("adv", &["adv_location", "terminal"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 导出顶部广告
    #[oai(path = "/export", method = "post", operation_id = "exportTopAdvertisements")]
    async fn export(
        &self,
        caller: Allowed<ExportTopAdvertisements>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<TerminalFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

impl Export for TopAdvertisements {
    type Filter = TerminalFilter;
    type Row = Advertisement;
    const KIND: &'static str = "topAdvertisement.export";
    type Permission = ExportTopAdvertisements;
    const TITLE: &'static str = "顶部广告";
    const COLUMNS: &'static [Column<Advertisement>] = COLUMNS;

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &TerminalFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Advertisement>> {
        Ok(select(connection, PLACE, None, filter, app.clock().now(), None))
    }
}
