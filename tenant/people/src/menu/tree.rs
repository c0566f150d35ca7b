//! The menus of a client, as a list and as a tree.

use std::collections::BTreeMap;

use infra::{Error, Paging, Result};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{ClientKind, OpenKind};

/// A menu of a client.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ClientMenu {
    /// 编号
    pub id: i64,
    /// 客户端
    pub client_kind: ClientKind,
    /// 上级菜单
    pub parent_id: Option<i64>,
    /// 名称
    pub name: String,
    /// 路径
    pub path: String,
    /// 图标
    pub icon: String,
    /// 打开方式
    pub open_kind: OpenKind,
    /// 权限标识
    pub permission_key: Option<String>,
    /// 适用院校
    pub school_ids: Vec<i64>,
    /// 适用院校名称
    /// 空表示全部院校
    pub school_names: Vec<String>,
    /// 排序
    pub sort: i32,
    /// 启用
    pub enabled: bool,
    /// 版本
    pub version: i32,
}

/// A menu with what hangs below it.
#[derive(Debug, Clone, Object)]
pub struct ClientMenuNode {
    #[oai(flatten)]
    pub menu: ClientMenu,
    /// 下级菜单
    pub children: Vec<ClientMenuNode>,
}

/// All menus of a client, in order.
pub(super) async fn all(connection: &mut PgConnection, client: ClientKind) -> Result<Vec<ClientMenu>> {
    let rows = sqlx::query_as!(
        ClientMenu,
        r#"select m.id, m.client_kind as "client_kind: _", m.parent_id, m.name, m.path, m.icon, m.open_kind as "open_kind: _",
                  m.permission_key, m.school_ids,
                  array(select s.name from platform.school s where s.id = any(m.school_ids) order by s.id) as "school_names!",
                  m.sort, m.enabled, m.version
           from platform.user_menu m where m.client_kind = $1 order by m.sort, m.id desc"#,
        client.as_str()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<ClientMenu> {
    let found = sqlx::query_as!(
        ClientMenu,
        r#"select m.id, m.client_kind as "client_kind: _", m.parent_id, m.name, m.path, m.icon, m.open_kind as "open_kind: _",
                  m.permission_key, m.school_ids,
                  array(select s.name from platform.school s where s.id = any(m.school_ids) order by s.id) as "school_names!",
                  m.sort, m.enabled, m.version
           from platform.user_menu m where m.id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?;
    found.ok_or_else(Error::not_found)
}

/// One page of all menus, or of one client's.
pub(super) async fn page(
    connection: &mut PgConnection,
    client: Option<ClientKind>,
    paging: Paging,
) -> Result<(i64, Vec<ClientMenu>)> {
    let client = client.map(ClientKind::as_str);
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.user_menu where ($1::text is null or client_kind = $1)"#,
        client
    )
    .fetch_one(&mut *connection)
    .await?;
    let list = sqlx::query_as!(
        ClientMenu,
        r#"select m.id, m.client_kind as "client_kind: _", m.parent_id, m.name, m.path, m.icon, m.open_kind as "open_kind: _",
                  m.permission_key, m.school_ids,
                  array(select s.name from platform.school s where s.id = any(m.school_ids) order by s.id) as "school_names!",
                  m.sort, m.enabled, m.version
           from platform.user_menu m where ($1::text is null or m.client_kind = $1)
           order by m.client_kind, m.sort, m.id desc limit $2 offset $3"#,
        client,
        paging.limit(),
        paging.offset()
    )
    .fetch_all(connection)
    .await?;
    Ok((total, list))
}

/// The rows as a tree, each level in the rows' order.
pub(super) fn build_tree(rows: Vec<ClientMenu>) -> Vec<ClientMenuNode> {
    let mut below: BTreeMap<Option<i64>, Vec<ClientMenu>> = BTreeMap::new();
    for row in rows {
        below.entry(row.parent_id).or_default().push(row);
    }
    fn level(below: &mut BTreeMap<Option<i64>, Vec<ClientMenu>>, parent: Option<i64>) -> Vec<ClientMenuNode> {
        let menus = below.remove(&parent).unwrap_or_default();
        menus
            .into_iter()
            .map(|menu| {
                let children = level(below, Some(menu.id));
                ClientMenuNode { menu, children }
            })
            .collect()
    }
    level(&mut below, None)
}
