//! The rules of a tree of categories, and its shape on the wire.

use std::collections::HashMap;

use infra::tree::{Branch, Misplaced, Shape};
use poem_openapi::Object;

use super::{Category, CategoryFilter};

/// Levels of a tree (01 §9.2).
const DEEPEST: usize = 3;

/// A category with those below it.
#[derive(Debug, Clone, Object)]
pub struct CategoryNode {
    #[oai(flatten)]
    pub category: Category,
    /// 下级分类
    pub children: Vec<CategoryNode>,
}

/// What the rules of the tree must know of a category.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    pub(super) parent: Option<i64>,
    pub(super) name: String,
    pub(super) enabled: bool,
}

pub(super) type Units = HashMap<i64, Unit>;

/// Whether a category, old or new, may stand below `parent`: not below itself, and nothing deeper than three levels.
///
/// # Errors
/// The reason, in Chinese.
pub(super) fn may_stand(units: &Units, id: Option<i64>, parent: i64) -> Result<(), String> {
    let shape: Shape = units.iter().map(|(id, unit)| (*id, unit.parent)).collect();
    shape.may_stand(id, parent, DEEPEST).map_err(|misplaced| match misplaced {
        Misplaced::Unknown => "所选上级分类不存在，请重新选择".to_owned(),
        Misplaced::BelowItself => "不能移动到自己的下级分类".to_owned(),
        Misplaced::TooDeep => format!("分类最多{DEEPEST}级"),
    })
}

impl Branch for Category {
    fn id(&self) -> i64 {
        self.id
    }

    fn parent_id(&self) -> Option<i64> {
        self.parent_id
    }
}

/// The categories that match, with their superiors, as a tree; the order of the rows is the order of siblings.
pub fn build_tree(all: Vec<Category>, filter: &CategoryFilter) -> Vec<CategoryNode> {
    infra::tree::build_tree(
        all,
        |category| matches(category, filter),
        |category, children| CategoryNode { category, children },
    )
}

pub(super) fn matches(category: &Category, filter: &CategoryFilter) -> bool {
    filter.category_name.as_ref().is_none_or(|name| category.category_name.contains(name.as_str()))
        && filter.enabled.is_none_or(|enabled| category.enabled == enabled)
}
