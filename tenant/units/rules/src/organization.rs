//! 机构: the rules of the tree of units, and its shape on the wire (part 03 A2).

use std::collections::HashMap;

use infra::{
    enumeration,
    tree::{Branch, Misplaced, Shape},
};
use poem_openapi::{Object, types::Example};

/// Levels of the tree (part 03 A2).
const DEEPEST: usize = 5;

enumeration! {
    /// 机构类型
    pub enum OrganizationKind = "organizationKind" {
        College = "college" "学院",
        Department = "department" "部门",
        Center = "center" "中心",
    }
}

/// A unit of the school, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Organization {
    /// 编号
    pub id: i64,
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 简称
    pub short_name: Option<String>,
    /// 上级机构
    pub parent_id: Option<i64>,
    /// 上级机构名称
    pub parent_name: Option<String>,
    /// 类型
    pub kind: OrganizationKind,
    /// 负责人
    pub leader: Option<String>,
    /// 电话
    pub phone: Option<String>,
    /// 排序
    pub sort_no: i32,
    /// 启用
    pub enabled: bool,
    /// 版本
    pub version: i32,
}

/// What the tree is narrowed to; above a match its superiors stay.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OrganizationFilter {
    /// 编码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 类型
    pub kind: Option<OrganizationKind>,
    /// 启用
    pub enabled: Option<bool>,
}

impl Example for OrganizationFilter {
    fn example() -> Self {
        Self::default()
    }
}

/// A unit with the units below it.
#[derive(Debug, Clone, Object)]
pub struct OrganizationNode {
    #[oai(flatten)]
    pub unit: Organization,
    /// 下级机构
    pub children: Vec<OrganizationNode>,
}

/// What the rules of the tree must know of a unit.
#[derive(Debug, Clone)]
pub struct Unit {
    pub parent: Option<i64>,
    pub name: String,
    pub enabled: bool,
}

/// The units of a school by their numbers.
pub type Units = HashMap<i64, Unit>;

/// Why a unit may not stand where it is wanted, or not be switched.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("所选上级机构不存在，请重新选择")]
    NoParent,
    #[error("不能移动到自己的下级机构")]
    BelowItself,
    #[error("机构最多{DEEPEST}级")]
    TooDeep,
    #[error("请先停用下级机构")]
    ChildrenEnabled,
    #[error("请先启用上级机构")]
    ParentDisabled,
}

impl From<Misplaced> for Refusal {
    fn from(misplaced: Misplaced) -> Self {
        match misplaced {
            Misplaced::Unknown => Self::NoParent,
            Misplaced::BelowItself => Self::BelowItself,
            Misplaced::TooDeep => Self::TooDeep,
        }
    }
}

impl Branch for Organization {
    fn id(&self) -> i64 {
        self.id
    }

    fn parent_id(&self) -> Option<i64> {
        self.parent_id
    }
}

/// Whether a unit, old or new, may stand below `parent`: not below itself, and nothing deeper than five levels.
///
/// # Errors
/// Why it may not.
pub fn may_stand(units: &Units, id: Option<i64>, parent: i64) -> Result<(), Refusal> {
    let shape: Shape = units.iter().map(|(id, unit)| (*id, unit.parent)).collect();
    Ok(shape.may_stand(id, parent, DEEPEST)?)
}

/// A unit is switched off after all below it, and on after the one above it.
///
/// # Errors
/// Why it is not yet.
pub fn may_switch(units: &Units, id: i64, enabled: bool) -> Result<(), Refusal> {
    if enabled {
        let parent = units.get(&id).and_then(|unit| unit.parent).and_then(|parent| units.get(&parent));
        if parent.is_some_and(|parent| !parent.enabled) { Err(Refusal::ParentDisabled) } else { Ok(()) }
    } else {
        let below = units.values().any(|unit| unit.parent == Some(id) && unit.enabled);
        if below { Err(Refusal::ChildrenEnabled) } else { Ok(()) }
    }
}

/// The units that match, with their superiors, as a tree; the order of the rows is the order of siblings.
pub fn build_tree(all: Vec<Organization>, filter: &OrganizationFilter) -> Vec<OrganizationNode> {
    infra::tree::build_tree(all, |unit| matches(unit, filter), |unit, children| OrganizationNode { unit, children })
}

/// Whether a unit itself is what a list is narrowed to.
pub fn matches(unit: &Organization, filter: &OrganizationFilter) -> bool {
    let found = filter.keyword.as_ref().is_none_or(|keyword| {
        unit.name.contains(keyword.as_str()) || unit.code.to_lowercase().starts_with(&keyword.to_lowercase())
    });
    found
        && filter.kind.is_none_or(|kind| unit.kind == kind)
        && filter.enabled.is_none_or(|enabled| unit.enabled == enabled)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 > 2 > 3 > 4 > 5 and, beside it, 6.
    fn units() -> Units {
        [(1, None), (2, Some(1)), (3, Some(2)), (4, Some(3)), (5, Some(4)), (6, None)]
            .into_iter()
            .map(|(id, parent)| (id, Unit { parent, name: format!("机构{id}"), enabled: true }))
            .collect()
    }

    #[test]
    fn nothing_stands_below_itself() {
        assert_eq!(may_stand(&units(), Some(1), 3), Err(Refusal::BelowItself));
        assert_eq!(may_stand(&units(), Some(3), 3), Err(Refusal::BelowItself));
        assert_eq!(may_stand(&units(), Some(3), 1), Ok(()));
        assert_eq!(may_stand(&units(), None, 9), Err(Refusal::NoParent));
    }

    #[test]
    fn the_tree_has_five_levels() {
        assert_eq!(may_stand(&units(), None, 4), Ok(()));
        assert_eq!(may_stand(&units(), None, 5), Err(Refusal::TooDeep));
        // 2 brings three more levels with it.
        assert_eq!(may_stand(&units(), Some(2), 6), Ok(()));
        assert_eq!(may_stand(&units(), Some(1), 6), Err(Refusal::TooDeep));
    }

    #[test]
    fn children_go_first_and_come_last() {
        let mut units = units();
        assert_eq!(may_switch(&units, 4, false), Err(Refusal::ChildrenEnabled));
        assert_eq!(may_switch(&units, 5, false), Ok(()));
        for id in [4, 5] {
            units.get_mut(&id).expect("it exists").enabled = false;
        }
        assert_eq!(may_switch(&units, 5, true), Err(Refusal::ParentDisabled));
        assert_eq!(may_switch(&units, 4, true), Ok(()));
    }

    #[test]
    fn a_match_keeps_its_superiors() {
        let unit = |id, name: &str, parent_id| Organization {
            id,
            code: format!("U{id}"),
            name: name.to_owned(),
            short_name: None,
            parent_id,
            parent_name: None,
            kind: OrganizationKind::College,
            leader: None,
            phone: None,
            sort_no: 0,
            enabled: true,
            version: 1,
        };
        let all = vec![
            unit(2, "教务科", Some(1)),
            unit(1, "继教院", None),
            unit(3, "招生科", Some(1)),
            unit(4, "总务", None),
        ];
        let filter = OrganizationFilter { keyword: Some("招生".to_owned()), ..OrganizationFilter::default() };
        let tree = build_tree(all.clone(), &filter);
        assert_eq!(tree.len(), 1);
        assert_eq!(tree[0].unit.id, 1);
        assert_eq!(tree[0].children.iter().map(|node| node.unit.id).collect::<Vec<_>>(), [3]);
        let whole = build_tree(all, &OrganizationFilter::default());
        assert_eq!(whole.iter().map(|node| node.children.len()).collect::<Vec<_>>(), [2, 0]);
    }
}
