//! 秒杀活动: a product at a lower price for a while, as long as its stock lasts (01 §9.4).
//!
//! ```text
//! 未开始 → 进行中 → 已结束       derived from the times
//! stock:  free ─ordered→ locked ─paid→ sold       locked ─closed→ free
//! ```
//! Periods of one product do not overlap. While it runs only its end and a larger stock may be typed.

mod form;
mod list;
mod sheet;
pub mod stock;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use marketing_rules::seckill::{SeckillForm, SeckillState};
use poem_openapi::{OpenApi, param::Query};

pub use list::{Seckill, SeckillFilter};

use list::{count, find, select};

permissions! {
    pages "/marketing/seckill/list";
    InPlatform Reads       ListSeckills        = "user:pc:seckill:list" "秒杀活动列表";
    InPlatform Reads       ViewSeckill         = "user:pc:seckill:view" "查看秒杀活动";
    InPlatform Writes      SaveSeckill         = "user:pc:seckill:save" "新增秒杀活动";
    InPlatform Writes      EditSeckill         = "user:pc:seckill:edit" "编辑秒杀活动";
    InPlatform Writes      DeleteSeckill       = "user:pc:seckill:delete" "删除秒杀活动";
    InPlatform Writes      DeleteSeckills      = "user:pc:seckill:batchDel" "批量删除秒杀活动";
    InPlatform Writes      ChangeSeckillStatus = "user:pc:seckill:update:status" "启用停用秒杀活动";
    InPlatform ReadsLogged ExportSeckills      = "user:pc:seckill:export" "导出秒杀活动";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[SeckillState::ENUMERATION],
    entities: &[Entity { table: "seckill", name: "秒杀活动", counted: "个秒杀活动" }],
    jobs: &[export_job::<Seckills>()],
    histories: &[History { table: "seckill", code: "user:pc:seckill:view", scope: None }],
    ..Part::NONE
};

pub struct Seckills;

#[OpenApi(prefix_path = "/user/pc/seckill", tag = "crate::Tag::Marketing")]
impl Seckills {
    /// 秒杀活动列表
    #[oai(path = "/list", method = "post", operation_id = "listSeckills")]
    async fn list(
        &self,
        caller: Allowed<ListSeckills>,
        Body(asked): Body<Paged<SeckillFilter>>,
    ) -> Result<Reply<Page<Seckill>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter, now).await?;
        let list = select(&mut tx, None, &filter, Some(paging), now).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看秒杀活动
    #[oai(path = "/view", method = "get", operation_id = "viewSeckill")]
    async fn view(
        &self,
        caller: Allowed<ViewSeckill>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Seckill>> {
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0, now).await?))
    }

    /// 新增秒杀活动
    #[oai(path = "/save", method = "post", operation_id = "saveSeckill")]
    async fn save(&self, caller: Allowed<SaveSeckill>, Body(form): Body<SeckillForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑秒杀活动
    /// 进行中的活动仅可修改结束时间和增加库存
    #[oai(path = "/edit", method = "put", operation_id = "editSeckill")]
    async fn edit(&self, caller: Allowed<EditSeckill>, Body(edit): Body<Edit<SeckillForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除秒杀活动
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSeckill")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSeckill>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除秒杀活动
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteSeckills")]
    async fn delete_many(&self, caller: Allowed<DeleteSeckills>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "seckill", "activity_name");
        for id in ids.ids {
            let outcome = form::remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用秒杀活动
    /// 停用后不能再下单；已下的订单不受影响
    #[oai(path = "/update/status", method = "put", operation_id = "changeSeckillStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeSeckillStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::switch(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出秒杀活动
    #[oai(path = "/export", method = "post", operation_id = "exportSeckills")]
    async fn export(
        &self,
        caller: Allowed<ExportSeckills>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SeckillFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
