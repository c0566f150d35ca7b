//! 分销商品: products of whose price whoever brings the buyer gets a part (01 §9.4).

mod form;
mod list;
mod sheet;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, Tx,
    clock::Moment,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use learners::right::Product;
use marketing_rules::chosen::ChosenForm;
use poem_openapi::{OpenApi, param::Query};

pub use list::{Chosen, ChosenFilter};

use list::{count, find, select};

permissions! {
    pages "/user/chosen/list";
    InPlatform Reads       ListChosen         = "user:pc:chosen:list" "分销商品列表";
    InPlatform Reads       ViewChosen         = "user:pc:chosen:view" "查看分销商品";
    InPlatform Writes      SaveChosen         = "user:pc:chosen:save" "新增分销商品";
    InPlatform Writes      EditChosen         = "user:pc:chosen:edit" "编辑分销商品";
    InPlatform Writes      DeleteChosen       = "user:pc:chosen:delete" "删除分销商品";
    InPlatform Writes      DeleteManyChosen   = "user:pc:chosen:batchDel" "批量删除分销商品";
    InPlatform Writes      ChangeChosenStatus = "user:pc:chosen:update:status" "启用停用分销商品";
    InPlatform ReadsLogged ExportChosen       = "user:pc:chosen:export" "导出分销商品";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "chosen", name: "分销商品", counted: "个分销商品" }],
    jobs: &[export_job::<ChosenProducts>()],
    histories: &[History { table: "chosen", code: "user:pc:chosen:view", scope: None }],
    ..Part::NONE
};

/// What of a price goes to whoever brought the buyer now, in hundredths; none for a product that is not chosen.
///
/// # Errors
/// Those of the database.
pub async fn ratio(tx: &mut Tx, product: Product, now: Moment) -> Result<Option<i64>> {
    let ratio = sqlx::query_scalar!(
        r#"select (ratio * 100)::bigint as "ratio!" from platform.chosen
           where product_type = $1 and product_id = $2 and enabled and begins_at <= $3 and ends_at > $3"#,
        product.kind.as_str(),
        product.id,
        now
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(ratio)
}

pub struct ChosenProducts;

#[OpenApi(prefix_path = "/user/pc/chosen", tag = "crate::Tag::Marketing")]
impl ChosenProducts {
    /// 分销商品列表
    #[oai(path = "/list", method = "post", operation_id = "listChosenProducts")]
    async fn list(
        &self,
        caller: Allowed<ListChosen>,
        Body(asked): Body<Paged<ChosenFilter>>,
    ) -> Result<Reply<Page<Chosen>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看分销商品
    #[oai(path = "/view", method = "get", operation_id = "viewChosenProduct")]
    async fn view(
        &self,
        caller: Allowed<ViewChosen>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Chosen>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增分销商品
    #[oai(path = "/save", method = "post", operation_id = "saveChosenProduct")]
    async fn save(&self, caller: Allowed<SaveChosen>, Body(form): Body<ChosenForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑分销商品
    /// 只影响以后的订单
    #[oai(path = "/edit", method = "put", operation_id = "editChosenProduct")]
    async fn edit(&self, caller: Allowed<EditChosen>, Body(edit): Body<Edit<ChosenForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除分销商品
    #[oai(path = "/delete", method = "delete", operation_id = "deleteChosenProduct")]
    async fn delete(
        &self,
        caller: Allowed<DeleteChosen>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除分销商品
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteChosenProducts")]
    async fn delete_many(&self, caller: Allowed<DeleteManyChosen>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "chosen", "'编号' || id");
        for id in ids.ids {
            let outcome = form::remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用分销商品
    /// 停用后的订单不再有佣金
    #[oai(path = "/update/status", method = "put", operation_id = "changeChosenProductStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeChosenStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("chosen", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出分销商品
    #[oai(path = "/export", method = "post", operation_id = "exportChosenProducts")]
    async fn export(
        &self,
        caller: Allowed<ExportChosen>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ChosenFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
