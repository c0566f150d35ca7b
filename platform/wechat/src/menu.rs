//! 自定义菜单: kept here until it is published (01 §9.9).
//!
//! ```text
//! save, edit, delete, sort ─publish→ the provider: the whole tree, a new version      pull: what the provider has, in place of ours
//! ```

mod form;
mod list;
mod publish;

use infra::{Allowed, Body, BulkResult, Edit, Entity, History, Part, Reply, Result, Saved, permissions, reply};
use poem_openapi::{OpenApi, param::Query};
use site_content::order::{SiteOrder, ordered};
use wechat_rules::enums::GzhMenuType;

pub use form::GzhMenuForm;
pub use list::{GzhMenu, GzhMenuFilter, GzhMenuNode, GzhMenuTree};
pub use publish::GzhMenuPulled;

pub(crate) use form::insert;

permissions! {
    pages "/gzh/menu";
    InPlatform Reads  ListGzhMenus   = "system:pc:gzh:menu:list" "公众号菜单列表";
    InPlatform Writes SaveGzhMenu    = "system:pc:gzh:menu:save" "新增公众号菜单";
    InPlatform Writes EditGzhMenu    = "system:pc:gzh:menu:edit" "编辑公众号菜单";
    InPlatform Writes DeleteGzhMenu  = "system:pc:gzh:menu:delete" "删除公众号菜单";
    InPlatform Writes SortGzhMenus   = "system:pc:gzh:menu:sort" "公众号菜单排序";
    InPlatform Writes PublishGzhMenu = "system:pc:gzh:menu:publish" "发布公众号菜单";
    InPlatform Writes PullGzhMenu    = "system:pc:gzh:menu:pull" "从微信拉取菜单";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[GzhMenuType::ENUMERATION],
    entities: &[
        Entity { table: "gzh_menu", name: "公众号菜单", counted: "个菜单" },
        Entity { table: "gzh_publish", name: "公众号菜单版本", counted: "个菜单版本" },
    ],
    histories: &[History { table: "gzh_menu", code: "system:pc:gzh:menu:list", scope: None }],
    ..Part::NONE
};

pub struct GzhMenus;

#[OpenApi(prefix_path = "/system/pc/gzh/menu", tag = "crate::Tag::Wechat")]
impl GzhMenus {
    /// 公众号菜单列表
    /// 两级菜单，附公众号是否已设置和最近一次发布
    #[oai(path = "/list", method = "post", operation_id = "listGzhMenus")]
    async fn list(
        &self,
        caller: Allowed<ListGzhMenus>,
        Body(filter): Body<GzhMenuFilter>,
    ) -> Result<Reply<GzhMenuTree>> {
        let configured = crate::account::config(caller.app()).await?.is_some();
        let mut tx = caller.read().await?;
        Ok(reply(list::tree(&mut tx, &filter, configured).await?))
    }

    /// 新增公众号菜单
    #[oai(path = "/save", method = "post", operation_id = "saveGzhMenu")]
    async fn save(&self, caller: Allowed<SaveGzhMenu>, Body(form): Body<GzhMenuForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑公众号菜单
    #[oai(path = "/edit", method = "put", operation_id = "editGzhMenu")]
    async fn edit(&self, caller: Allowed<EditGzhMenu>, Body(edit): Body<Edit<GzhMenuForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除公众号菜单
    /// 有下级的先删除下级；发布后才对粉丝生效
    #[oai(path = "/delete", method = "delete", operation_id = "deleteGzhMenu")]
    async fn delete(
        &self,
        caller: Allowed<DeleteGzhMenu>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 公众号菜单排序
    /// 按给出的顺序排列，须为同级菜单
    #[oai(path = "/sort", method = "put", operation_id = "sortGzhMenus")]
    async fn sort(&self, caller: Allowed<SortGzhMenus>, Body(order): Body<SiteOrder>) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("gzh_menu", &["parent_id"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 发布公众号菜单
    /// 整个菜单提交微信；失败时返回微信的错误码和说明
    #[oai(path = "/publish", method = "post", operation_id = "publishGzhMenu")]
    async fn publish(&self, caller: Allowed<PublishGzhMenu>) -> Result<Reply<Saved>> {
        Ok(reply(Saved { id: publish::publish(&caller).await? }))
    }

    /// 从微信拉取菜单
    /// 以微信现有的菜单替换这里的全部菜单
    #[oai(path = "/pull", method = "post", operation_id = "pullGzhMenu")]
    async fn pull(&self, caller: Allowed<PullGzhMenu>) -> Result<Reply<GzhMenuPulled>> {
        Ok(reply(publish::pull(&caller).await?))
    }
}
