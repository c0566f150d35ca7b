//! Menus of clients as a tree, and the tree of the person who asks: their school's, switched on up to the root, and what they may open
//! (part 02 §12.5).

use std::collections::BTreeMap;

use infra::enumeration;
use poem_openapi::Object;

use crate::account::OwnerKind;

enumeration! {
    /// 客户端
    pub enum ClientKind = "clientKind" {
        Student = "student" "学生端",
        Teacher = "teacher" "教师端",
        Site = "site" "站点端",
    }
}

enumeration! {
    /// 打开方式
    pub enum OpenKind = "menuOpenKind" {
        Page = "page" "页面",
        Link = "link" "链接",
    }
}

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

/// The rows as a tree, each level in the rows' order.
pub fn build_tree(rows: Vec<ClientMenu>) -> Vec<ClientMenuNode> {
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

/// The entries of class managers, who use the teachers' client.
const OF_MANAGERS: &str = "class:";

/// An entry of one's own menu.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnMenu {
    /// 编号
    pub id: i64,
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
    /// 下级菜单
    pub children: Vec<OwnMenu>,
}

/// What somebody of this kind finds at their school.
pub fn of(rows: Vec<ClientMenu>, school: i64, kind: &str) -> Vec<OwnMenu> {
    let manages = kind == OwnerKind::ClassManager.as_str();
    build_tree(rows).into_iter().filter_map(|node| seen(node, school, manages)).collect()
}

/// The entry with what is seen of its subtree. A directory without a key of its own stands while something below it does.
fn seen(node: ClientMenuNode, school: i64, manages: bool) -> Option<OwnMenu> {
    let ClientMenuNode { menu, children } = node;
    if !menu.enabled || !(menu.school_ids.is_empty() || menu.school_ids.contains(&school)) {
        return None;
    }
    let was_directory = !children.is_empty();
    let children: Vec<OwnMenu> = children.into_iter().filter_map(|child| seen(child, school, manages)).collect();
    let of_managers = menu.permission_key.as_deref().is_some_and(|key| key.starts_with(OF_MANAGERS));
    let opens = of_managers == manages && !(was_directory && menu.path.is_empty());
    (opens || !children.is_empty()).then_some(OwnMenu {
        id: menu.id,
        name: menu.name,
        path: menu.path,
        icon: menu.icon,
        open_kind: menu.open_kind,
        permission_key: menu.permission_key,
        children,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn menu(id: i64, parent_id: Option<i64>, key: Option<&str>) -> ClientMenu {
        ClientMenu {
            id,
            client_kind: ClientKind::Teacher,
            parent_id,
            name: format!("菜单{id}"),
            path: format!("/{id}"),
            icon: String::new(),
            open_kind: OpenKind::Page,
            permission_key: key.map(ToOwned::to_owned),
            school_ids: Vec::new(),
            school_names: Vec::new(),
            sort: 1,
            enabled: true,
            version: 1,
        }
    }

    fn ids(menus: &[OwnMenu]) -> Vec<i64> {
        menus.iter().flat_map(|menu| std::iter::once(menu.id).chain(ids(&menu.children))).collect()
    }

    #[test]
    fn a_disabled_parent_hides_what_hangs_below_it() {
        let mut parent = menu(1, None, None);
        parent.enabled = false;
        assert_eq!(ids(&of(vec![parent.clone(), menu(2, Some(1), None), menu(3, None, None)], 1, "teacher")), [3]);
        parent.enabled = true;
        assert_eq!(ids(&of(vec![parent, menu(2, Some(1), None), menu(3, None, None)], 1, "teacher")), [1, 2, 3]);
    }

    #[test]
    fn a_menu_of_some_schools_is_absent_from_the_others() {
        let mut limited = menu(1, None, None);
        limited.school_ids = vec![1, 2];
        assert_eq!(ids(&of(vec![limited.clone()], 2, "teacher")), [1]);
        assert!(of(vec![limited], 3, "teacher").is_empty());
    }

    #[test]
    fn class_managers_find_their_entries_in_the_teachers_client() {
        let mut directory = menu(1, None, None);
        directory.path = String::new();
        let rows = vec![directory, menu(2, Some(1), Some("class:student")), menu(3, None, None)];
        assert_eq!(ids(&of(rows.clone(), 1, "class_manager")), [1, 2]);
        assert_eq!(ids(&of(rows, 1, "teacher")), [3]);
    }
}
