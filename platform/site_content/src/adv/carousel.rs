//! 首页轮播: the large pictures of the home page, of which eight are shown.

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
    pages "/system/adv/carousel/pc/list", "/system/adv/carousel/app/list";
    InPlatform Reads       ListCarouselPictures        = "system:pc:adv:carousel:list" "轮播图列表";
    InPlatform Reads       ViewCarouselPicture         = "system:pc:adv:carousel:view" "查看轮播图";
    InPlatform Writes      SaveCarouselPicture         = "system:pc:adv:carousel:save" "新增轮播图";
    InPlatform Writes      EditCarouselPicture         = "system:pc:adv:carousel:edit" "编辑轮播图";
    InPlatform Writes      DeleteCarouselPicture       = "system:pc:adv:carousel:delete" "删除轮播图";
    InPlatform Writes      DeleteCarouselPictures      = "system:pc:adv:carousel:batchDel" "批量删除轮播图";
    InPlatform Writes      ChangeCarouselPictureStatus = "system:pc:adv:carousel:update:status" "启用停用轮播图";
    InPlatform Writes      SortCarouselPictures        = "system:pc:adv:carousel:sort" "轮播图排序";
    InPlatform ReadsLogged ExportCarouselPictures      = "system:pc:adv:carousel:export" "导出轮播图";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[export_job::<CarouselPictures>()], ..Part::NONE };

const PLACE: AdvertisementPlace = AdvertisementPlace::Carousel;

pub struct CarouselPictures;

#[OpenApi(prefix_path = "/system/pc/adv/carousel", tag = "crate::Tag::SiteContent")]
impl CarouselPictures {
    /// 轮播图列表
    #[oai(path = "/list", method = "post", operation_id = "listCarouselPictures")]
    async fn list(
        &self,
        caller: Allowed<ListCarouselPictures>,
        Body(asked): Body<Paged<TerminalFilter>>,
    ) -> Result<Reply<Page<Advertisement>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, PLACE, &filter).await?;
        let list = select(&mut tx, PLACE, None, &filter, now, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看轮播图
    #[oai(path = "/view", method = "get", operation_id = "viewCarouselPicture")]
    async fn view(
        &self,
        caller: Allowed<ViewCarouselPicture>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Advertisement>> {
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, PLACE, id.0, now).await?))
    }

    /// 新增轮播图
    #[oai(path = "/save", method = "post", operation_id = "saveCarouselPicture")]
    async fn save(
        &self,
        caller: Allowed<SaveCarouselPicture>,
        Body(form): Body<AdvertisementForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, PLACE, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑轮播图
    #[oai(path = "/edit", method = "put", operation_id = "editCarouselPicture")]
    async fn edit(
        &self,
        caller: Allowed<EditCarouselPicture>,
        Body(edit): Body<Edit<AdvertisementForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, PLACE, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除轮播图
    #[oai(path = "/delete", method = "delete", operation_id = "deleteCarouselPicture")]
    async fn delete(
        &self,
        caller: Allowed<DeleteCarouselPicture>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, PLACE, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除轮播图
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteCarouselPictures")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteCarouselPictures>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "adv", "adv_title");
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, PLACE, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用轮播图
    #[oai(path = "/update/status", method = "put", operation_id = "changeCarouselPictureStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeCarouselPictureStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::switch(&mut tx, PLACE, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 轮播图排序
    #[oai(path = "/sort", method = "put", operation_id = "sortCarouselPictures")]
    async fn sort(
        &self,
        caller: Allowed<SortCarouselPictures>,
        Body(order): Body<SiteOrder>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        form::stands(&mut tx, PLACE, &order.ids).await?;
        let changes = tx.reorder("adv", &["adv_location", "terminal"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 导出轮播图
    #[oai(path = "/export", method = "post", operation_id = "exportCarouselPictures")]
    async fn export(
        &self,
        caller: Allowed<ExportCarouselPictures>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<TerminalFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

impl Export for CarouselPictures {
    type Filter = TerminalFilter;
    type Row = Advertisement;
    const KIND: &'static str = "carouselPicture.export";
    type Permission = ExportCarouselPictures;
    const TITLE: &'static str = "首页轮播";
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
