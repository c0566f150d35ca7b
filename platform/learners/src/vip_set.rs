//! 会员设置: what membership is sold as, and what members pay (01 §9.6).

mod list;
mod sheet;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, Error, History, Ids, OnConstraint, Page,
    Paged, Part, Reply, Result, Saved, Tx,
    clock::Moment,
    just_referred, permissions, reply,
    transfer::{self, Exported, export_job},
    unreferred,
};
use learner_rules::form::{VipSetForm, checked_set};
use poem_openapi::{Object, OpenApi, param::Query};

pub use list::VipSetFilter;

use list::{count, find, select};

permissions! {
    pages "/system/vip/set/list";
    InPlatform Reads       ListVipSets        = "system:pc:vip:set:list" "会员设置列表";
    InPlatform Reads       ViewVipSet         = "system:pc:vip:set:view" "查看会员设置";
    InPlatform Writes      SaveVipSet         = "system:pc:vip:set:save" "新增会员设置";
    InPlatform Writes      EditVipSet         = "system:pc:vip:set:edit" "编辑会员设置";
    InPlatform Writes      DeleteVipSet       = "system:pc:vip:set:delete" "删除会员设置";
    InPlatform Writes      DeleteVipSets      = "system:pc:vip:set:batchDel" "批量删除会员设置";
    InPlatform Writes      ChangeVipSetStatus = "system:pc:vip:set:update:status" "启用停用会员设置";
    InPlatform ReadsLogged ExportVipSets      = "system:pc:vip:set:export" "导出会员设置";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "vip_set", name: "会员设置", counted: "个会员设置" }],
    jobs: &[export_job::<VipSets>()],
    histories: &[History { table: "vip_set", code: "system:pc:vip:set:view", scope: None }],
    ..Part::NONE
};

/// A membership that is sold, as stored and shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct VipSet {
    /// 编号
    pub id: i64,
    /// 名称
    pub set_name: String,
    /// 月数
    pub months: i32,
    /// 原价(分)
    pub price_original: i64,
    /// 售价(分)
    pub price: i64,
    /// 会员折扣
    pub discount_rate: f64,
    /// 会员权益
    pub benefits: Option<String>,
    /// 会员数
    /// 现有会员
    pub member_count: i64,
    /// 排序
    pub sort: i32,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

pub struct VipSets;

#[OpenApi(prefix_path = "/system/pc/vip/set", tag = "crate::Tag::Learners")]
impl VipSets {
    /// 会员设置列表
    #[oai(path = "/list", method = "post", operation_id = "listVipSets")]
    async fn list(
        &self,
        caller: Allowed<ListVipSets>,
        Body(asked): Body<Paged<VipSetFilter>>,
    ) -> Result<Reply<Page<VipSet>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging), now).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看会员设置
    #[oai(path = "/view", method = "get", operation_id = "viewVipSet")]
    async fn view(
        &self,
        caller: Allowed<ViewVipSet>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<VipSet>> {
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0, now).await?))
    }

    /// 新增会员设置
    #[oai(path = "/save", method = "post", operation_id = "saveVipSet")]
    async fn save(&self, caller: Allowed<SaveVipSet>, Body(form): Body<VipSetForm>) -> Result<Reply<Saved>> {
        let form = checked_set(form)?;
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.vip_set (set_name, months, price_original, price, discount_rate, benefits, sort, created_by,
                 updated_by)
             values ($1, $2, $3, $4, $5::float8::numeric, $6, $7, $8, $8) returning id",
            form.set_name,
            form.months,
            form.price_original,
            form.price,
            form.discount_rate,
            form.benefits,
            form.sort.unwrap_or(1),
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(taken)?;
        let after = find(&mut tx, id, now).await?;
        tx.commit(Change::created("vip_set", id, &after)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑会员设置
    /// 价格和月数只影响以后的购买；折扣对现有会员同样生效
    #[oai(path = "/edit", method = "put", operation_id = "editVipSet")]
    async fn edit(&self, caller: Allowed<EditVipSet>, Body(edit): Body<Edit<VipSetForm>>) -> Result<Reply<Saved>> {
        let form = checked_set(edit.form)?;
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, edit.id, now).await?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.vip_set set set_name = $3, months = $4, price_original = $5, price = $6,
                    discount_rate = $7::float8::numeric, benefits = $8, sort = $9, updated_at = now(), updated_by = $10,
                    version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.set_name,
            form.months,
            form.price_original,
            form.price,
            form.discount_rate,
            form.benefits,
            form.sort.unwrap_or(before.sort),
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(taken)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("vip_set", edit.id).await);
        }
        let after = find(&mut tx, edit.id, now).await?;
        tx.commit(Change::edited("vip_set", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除会员设置
    #[oai(path = "/delete", method = "delete", operation_id = "deleteVipSet")]
    async fn delete(
        &self,
        caller: Allowed<DeleteVipSet>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除会员设置
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteVipSets")]
    async fn delete_many(&self, caller: Allowed<DeleteVipSets>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "vip_set", "set_name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用会员设置
    /// 停用后不再出售，也不能再开通；现有会员不受影响
    #[oai(path = "/update/status", method = "put", operation_id = "changeVipSetStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeVipSetStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("vip_set", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出会员设置
    #[oai(path = "/export", method = "post", operation_id = "exportVipSets")]
    async fn export(
        &self,
        caller: Allowed<ExportVipSets>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<VipSetFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

fn taken(constraint: &str) -> Option<Error> {
    (constraint == "vip_set_name_taken").then(|| Error::field("setName", "名称已存在"))
}

/// # Errors
/// 409 with the number of memberships that came of it.
async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let now = tx.app().clock().now();
    let before = find(tx, id, now).await?;
    unreferred(tx, "vip_set", id).await?;
    let waits = sqlx::query_scalar!(
        r#"select exists (select from platform.order_info
                          where product_type = 'vip' and product_id = $1 and order_status in ('pending', 'paid', 'refunding'))
               as "waits!""#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if waits {
        return Err(Error::conflict(format!("“{}”有未完成的订单，请稍后再删除", before.set_name)));
    }
    sqlx::query!("delete from platform.vip_set where id = $1", id)
        .execute(&mut **tx)
        .await
        .on_constraint(just_referred)?;
    Ok(Change::deleted("vip_set", id, &before))
}
