//! 优惠券: what learners receive, or are granted, and pay less with (01 §9.4).
//!
//! ```text
//! enabled, within its time ─receive→ coupon_user     any time ─grant→ coupon_user
//! stop: nobody receives more; who has one keeps it
//! ```
//! From the first receipt on the terms stand still; name, number and end may change.

mod ending;
mod form;
mod give;
mod held;
pub mod hold;
mod list;
mod sheet;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Customer, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply,
    Result, Saved, Writes, permissions, reply,
    transfer::{self, Attachment, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use learners::LearnerClient;
use marketing_rules::coupon::{CouponForm, CouponScope, CouponType, CouponUserStatus, CouponValidity};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};

pub use give::{CouponGrant, receive};
pub use held::{HeldCoupon, HeldCouponFilter};
pub use list::{Coupon, CouponFilter};

use list::{count, find, select};
use sheet::GrantSheet;

permissions! {
    pages "/marketing/coupon/list";
    InPlatform Reads       ListCoupons        = "user:pc:coupon:list" "优惠券列表";
    InPlatform Reads       ViewCoupon         = "user:pc:coupon:view" "查看优惠券";
    InPlatform Writes      SaveCoupon         = "user:pc:coupon:save" "新增优惠券";
    InPlatform Writes      EditCoupon         = "user:pc:coupon:edit" "编辑优惠券";
    InPlatform Writes      DeleteCoupon       = "user:pc:coupon:delete" "删除优惠券";
    InPlatform Writes      DeleteCoupons      = "user:pc:coupon:batchDel" "批量删除优惠券";
    InPlatform Writes      ChangeCouponStatus = "user:pc:coupon:update:status" "启用停用优惠券";
    InPlatform Writes      StopCoupon         = "user:pc:coupon:stop" "停止领取优惠券";
    InPlatform Writes      GrantCoupon        = "user:pc:coupon:grant" "发放优惠券";
    InPlatform Reads       FetchGrantSheet    = "user:pc:coupon:grant" "发放优惠券";
    InPlatform ReadsLogged ExportCoupons      = "user:pc:coupon:export" "导出优惠券";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        CouponType::ENUMERATION,
        CouponScope::ENUMERATION,
        CouponValidity::ENUMERATION,
        CouponUserStatus::ENUMERATION,
    ],
    entities: &[
        Entity { table: "coupon", name: "优惠券", counted: "张优惠券" },
        Entity { table: "coupon_user", name: "优惠券领取记录", counted: "条领取记录" },
    ],
    jobs: &[export_job::<Coupons>(), import_job::<GrantSheet>(), ending::KIND],
    histories: &[History { table: "coupon", code: "user:pc:coupon:view", scope: None }],
    schedules: &[ending::SCHEDULE],
    ..Part::NONE
};

/// A coupon, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct CouponItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: Option<i32>,
}

impl Example for CouponItem {
    fn example() -> Self {
        Self { id: 1, version: None }
    }
}

/// Which coupon a learner wants.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CouponReceipt {
    /// 优惠券
    pub coupon_id: i64,
}

impl Example for CouponReceipt {
    fn example() -> Self {
        Self { coupon_id: 1 }
    }
}

pub struct Coupons;

#[OpenApi(prefix_path = "/user/pc/coupon", tag = "crate::Tag::Marketing")]
impl Coupons {
    /// 优惠券列表
    #[oai(path = "/list", method = "post", operation_id = "listCoupons")]
    async fn list(
        &self,
        caller: Allowed<ListCoupons>,
        Body(asked): Body<Paged<CouponFilter>>,
    ) -> Result<Reply<Page<Coupon>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看优惠券
    #[oai(path = "/view", method = "get", operation_id = "viewCoupon")]
    async fn view(
        &self,
        caller: Allowed<ViewCoupon>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Coupon>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增优惠券
    #[oai(path = "/save", method = "post", operation_id = "saveCoupon")]
    async fn save(&self, caller: Allowed<SaveCoupon>, Body(form): Body<CouponForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑优惠券
    /// 已有人领取后，只能修改名称、发放总量和领取截止时间
    #[oai(path = "/edit", method = "put", operation_id = "editCoupon")]
    async fn edit(&self, caller: Allowed<EditCoupon>, Body(edit): Body<Edit<CouponForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除优惠券
    #[oai(path = "/delete", method = "delete", operation_id = "deleteCoupon")]
    async fn delete(
        &self,
        caller: Allowed<DeleteCoupon>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除优惠券
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteCoupons")]
    async fn delete_many(&self, caller: Allowed<DeleteCoupons>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "coupon", "coupon_name");
        for id in ids.ids {
            let outcome = form::remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用优惠券
    /// 停用后不能再领取和发放；已领取的仍可使用
    #[oai(path = "/update/status", method = "put", operation_id = "changeCouponStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeCouponStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("coupon", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 停止领取优惠券
    /// 领取截止时间改为现在；已领取的仍可使用
    #[oai(path = "/stop", method = "put", operation_id = "stopCoupon")]
    async fn stop(&self, caller: Allowed<StopCoupon>, Body(wanted): Body<CouponItem>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::stop(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 发放优惠券
    /// 每名学员一张
    #[oai(path = "/grant", method = "post", operation_id = "grantCoupon")]
    async fn grant(&self, caller: Allowed<GrantCoupon>, Body(grant): Body<CouponGrant>) -> Result<Reply<BulkResult>> {
        let learners = grant.each();
        let mut tx = caller.begin().await?;
        give::hold(&mut tx, &learners).await?;
        let mut bulk = Bulk::named(tx, "user_ext", "coalesce(nickname, '编号' || id)");
        for learner in learners {
            let outcome = give::grant(bulk.row().await?, grant.id, learner).await;
            bulk.ended(learner, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 按手机号发放优惠券模板
    #[oai(path = "/grant/import/template", method = "get", operation_id = "fetchCouponGrantTemplate")]
    async fn template(&self, caller: Allowed<FetchGrantSheet>) -> Result<Attachment> {
        transfer::template::<GrantSheet, _>(&caller).await
    }

    /// 按手机号发放优惠券
    /// 任何一行有误时都不发放
    #[oai(path = "/grant/import", method = "post", operation_id = "importCouponGrants")]
    async fn import(
        &self,
        caller: Allowed<GrantCoupon>,
        /// 优惠券
        id: Query<i64>,
        form: ImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        transfer::import_into::<GrantSheet>(&caller, form, Some(id.0)).await
    }

    /// 优惠券领取记录
    #[oai(path = "/user/list", method = "post", operation_id = "listHeldCoupons")]
    async fn held(
        &self,
        caller: Allowed<ListCoupons>,
        Body(asked): Body<Paged<HeldCouponFilter>>,
    ) -> Result<Reply<Page<HeldCoupon>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = held::count(&mut tx, &filter, now).await?;
        let list = held::select(&mut tx, &filter, paging, now).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 导出优惠券
    #[oai(path = "/export", method = "post", operation_id = "exportCoupons")]
    async fn export(
        &self,
        caller: Allowed<ExportCoupons>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CouponFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

pub struct OwnCoupons;

#[OpenApi(prefix_path = "/user/client/coupon", tag = "crate::Tag::Marketing")]
impl OwnCoupons {
    /// 领取优惠券
    #[oai(path = "/receive", method = "post", operation_id = "receiveCoupon")]
    async fn take(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(wanted): Body<CouponReceipt>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = receive(&mut tx, caller.session.person_id, wanted.coupon_id).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}
