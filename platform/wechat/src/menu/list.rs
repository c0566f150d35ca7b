//! How the menu is read: at most three entries with at most five below each, so all of it.

use infra::{Error, Result, clock::Moment};
use poem_openapi::{Object, types::Example};
use serde_json::Value;
use sqlx::PgConnection;
use wechat_rules::{
    enums::GzhMenuType,
    menu::{Action, Entry, shown},
};

/// An entry of the menu.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GzhMenu {
    /// 编号
    pub id: i64,
    /// 上级菜单
    pub parent_id: Option<i64>,
    /// 菜单名称
    pub name: String,
    /// 动作
    /// 有下级的菜单没有动作
    pub menu_type: Option<GzhMenuType>,
    /// 菜单关键词
    /// 点击后按关键词回复
    pub menu_key: Option<String>,
    /// 网页链接
    pub url: Option<String>,
    /// 小程序编号
    pub app_id: Option<String>,
    /// 小程序页面路径
    pub page_path: Option<String>,
    /// 排序
    pub sort: i32,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl GzhMenu {
    pub(super) fn action(&self) -> Action {
        Action {
            menu_type: self.menu_type,
            menu_key: self.menu_key.clone(),
            url: self.url.clone(),
            app_id: self.app_id.clone(),
            page_path: self.page_path.clone(),
        }
    }
}

/// An entry with those below it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GzhMenuNode {
    #[oai(flatten)]
    pub menu: GzhMenu,
    /// 下级菜单
    pub children: Vec<GzhMenu>,
}

/// The menu, and what of it followers see.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GzhMenuTree {
    /// 公众号已设置
    pub configured: bool,
    /// 菜单
    pub menus: Vec<GzhMenuNode>,
    /// 最近发布时间
    pub published_at: Option<Moment>,
    /// 发布人
    pub publisher_name: Option<String>,
    /// 有未发布的修改
    pub changed: bool,
}

/// What the menu is narrowed to; above a match its superior stays.
#[derive(Debug, Clone, Default, Object)]
#[oai(example)]
pub struct GzhMenuFilter {
    /// 菜单名称
    #[oai(validator(max_length = 20))]
    pub name: Option<String>,
}

impl Example for GzhMenuFilter {
    fn example() -> Self {
        Self::default()
    }
}

/// All entries, siblings in their order.
pub(super) async fn all(connection: &mut PgConnection) -> Result<Vec<GzhMenu>> {
    let rows = sqlx::query_as!(
        GzhMenu,
        r#"select id, parent_id, name, menu_type as "menu_type: _", menu_key, url, app_id, page_path, sort, created_at, version
           from platform.gzh_menu order by sort, id desc"#
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<GzhMenu> {
    sqlx::query_as!(
        GzhMenu,
        r#"select id, parent_id, name, menu_type as "menu_type: _", menu_key, url, app_id, page_path, sort, created_at, version
           from platform.gzh_menu where id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)
}

fn nodes(all: Vec<GzhMenu>) -> Vec<GzhMenuNode> {
    let (first, below): (Vec<GzhMenu>, Vec<GzhMenu>) = all.into_iter().partition(|menu| menu.parent_id.is_none());
    let node = |menu: GzhMenu| {
        let children = below.iter().filter(|one| one.parent_id == Some(menu.id)).cloned().collect();
        GzhMenuNode { menu, children }
    };
    first.into_iter().map(node).collect()
}

/// The entries as the rules know them.
pub(super) fn entries(all: Vec<GzhMenu>) -> Vec<Entry> {
    let entry = |menu: &GzhMenu, below: Vec<Entry>| Entry { name: menu.name.clone(), action: menu.action(), below };
    nodes(all)
        .iter()
        .map(|node| entry(&node.menu, node.children.iter().map(|one| entry(one, Vec::new())).collect()))
        .collect()
}

pub(super) async fn tree(
    connection: &mut PgConnection,
    filter: &GzhMenuFilter,
    configured: bool,
) -> Result<GzhMenuTree> {
    let seen =
        sqlx::query_scalar!(r#"select content as "content: Value" from platform.gzh_publish order by id desc limit 1"#)
            .fetch_optional(&mut *connection)
            .await?;
    let last = sqlx::query!(
        r#"select p.created_at, (select u.real_name from platform.sys_user u where u.id = p.created_by) as "publisher_name?"
           from platform.gzh_publish p where not p.pulled order by p.id desc limit 1"#
    )
    .fetch_optional(&mut *connection)
    .await?;
    let all = all(connection).await?;
    let changed = match seen {
        Some(seen) => shown(&entries(all.clone())) != Some(seen),
        None => !all.is_empty(),
    };
    let mut menus = nodes(all);
    if let Some(wanted) = filter.name.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
        let meets = |menu: &GzhMenu| menu.name.contains(wanted);
        menus.retain_mut(|node| {
            let whole = meets(&node.menu);
            node.children.retain(|one| whole || meets(one));
            whole || !node.children.is_empty()
        });
    }
    let (published_at, publisher_name) = match last {
        Some(last) => (Some(last.created_at), last.publisher_name),
        None => (None, None),
    };
    Ok(GzhMenuTree { configured, menus, published_at, publisher_name, changed })
}
