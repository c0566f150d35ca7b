//! 课程类型: a tree of two levels (part 03 A5).

use infra::{
    Error, Result,
    naming::switched_off,
    tree::{self, Branch},
};
use poem_openapi::{Object, types::Example};

use crate::enums::{CurriculumSystemKind, ExamForm};

/// A kind of courses, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CurriculumType {
    /// 编号
    pub id: i64,
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 上级类型
    pub parent_id: Option<i64>,
    /// 上级类型名称
    pub parent_name: Option<String>,
    /// 系统类别
    pub system_kind: CurriculumSystemKind,
    /// 默认考核类型
    pub default_exam_form: Option<ExamForm>,
    /// 课程数
    pub course_count: i64,
    /// 启用
    pub enabled: bool,
    /// 排序
    pub sort_no: i32,
    /// 版本
    pub version: i32,
}

/// What the tree is narrowed to; above a match its superior stays.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CurriculumTypeFilter {
    /// 编码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 系统类别
    pub system_kind: Option<CurriculumSystemKind>,
    /// 启用
    pub enabled: Option<bool>,
}

impl Example for CurriculumTypeFilter {
    fn example() -> Self {
        Self::default()
    }
}

/// A type with the types below it.
#[derive(Debug, Clone, Object)]
pub struct CurriculumTypeNode {
    #[oai(flatten)]
    pub own: CurriculumType,
    /// 下级类型
    pub children: Vec<CurriculumTypeNode>,
}

/// A type below which another wants to stand.
#[derive(Debug, Clone)]
pub struct Superior {
    pub id: i64,
    pub name: String,
    pub enabled: bool,
    pub below_another: bool,
    /// Courses of its own.
    pub courses: i64,
    /// Whether the type that moves brings others with it.
    pub mover_has_children: bool,
}

/// Whether a type, old or new, may stand below another.
///
/// # Errors
/// 422 at `parentId` with the reason.
pub fn may_stand(superior: Option<&Superior>, id: Option<i64>) -> Result<()> {
    let refused = |why: String| Err(Error::field("parentId", why));
    let Some(superior) = superior else { return refused("所选上级类型不存在，请重新选择".to_owned()) };
    if id == Some(superior.id) {
        return refused("不能移动到自己的下级".to_owned());
    }
    if superior.below_another || superior.mover_has_children {
        return refused("课程类型最多两级".to_owned());
    }
    if !superior.enabled {
        return Err(switched_off("parentId", &superior.name));
    }
    if superior.courses > 0 {
        return refused(format!(
            "“{}”已有{}门课程，不能再有下级类型，请先将课程改为其他类型",
            superior.name, superior.courses
        ));
    }
    Ok(())
}

impl Branch for CurriculumType {
    fn id(&self) -> i64 {
        self.id
    }

    fn parent_id(&self) -> Option<i64> {
        self.parent_id
    }
}

/// The types that match, with their superiors, as a tree; the order of the rows is the order of siblings.
pub fn build_tree(all: Vec<CurriculumType>, filter: &CurriculumTypeFilter) -> Vec<CurriculumTypeNode> {
    tree::build_tree(all, |kind| matches(kind, filter), |own, children| CurriculumTypeNode { own, children })
}

/// Whether a type is one that the filter asks for.
pub fn matches(kind: &CurriculumType, filter: &CurriculumTypeFilter) -> bool {
    let found = filter.keyword.as_ref().is_none_or(|keyword| {
        kind.name.contains(keyword.as_str()) || kind.code.to_lowercase().starts_with(&keyword.to_lowercase())
    });
    found
        && filter.system_kind.is_none_or(|wanted| kind.system_kind == wanted)
        && filter.enabled.is_none_or(|enabled| kind.enabled == enabled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn superior() -> Superior {
        Superior {
            id: 1,
            name: "公共基础课".to_owned(),
            enabled: true,
            below_another: false,
            courses: 0,
            mover_has_children: false,
        }
    }

    fn told(superior: &Superior, id: Option<i64>) -> String {
        may_stand(Some(superior), id).map_or_else(|error| error.msg.into_owned(), |()| "可以".to_owned())
    }

    #[test]
    fn there_are_two_levels() {
        assert_eq!(told(&superior(), None), "可以");
        assert_eq!(told(&superior(), Some(1)), "不能移动到自己的下级");
        assert_eq!(told(&Superior { below_another: true, ..superior() }, None), "课程类型最多两级");
        assert_eq!(told(&Superior { mover_has_children: true, ..superior() }, Some(2)), "课程类型最多两级");
    }

    #[test]
    fn a_type_with_courses_stays_a_leaf() {
        assert_eq!(
            told(&Superior { courses: 12, ..superior() }, None),
            "“公共基础课”已有12门课程，不能再有下级类型，请先将课程改为其他类型"
        );
    }

    #[test]
    fn a_match_keeps_its_superior() {
        let kind = |id, name: &str, parent_id| CurriculumType {
            id,
            code: format!("T{id}"),
            name: name.to_owned(),
            parent_id,
            parent_name: None,
            system_kind: CurriculumSystemKind::PublicBasic,
            default_exam_form: None,
            course_count: 0,
            enabled: true,
            sort_no: 0,
            version: 1,
        };
        let all = vec![
            kind(2, "思政课", Some(1)),
            kind(1, "公共课", None),
            kind(3, "外语课", Some(1)),
            kind(4, "实践", None),
        ];
        let filter = CurriculumTypeFilter { keyword: Some("外语".to_owned()), ..CurriculumTypeFilter::default() };
        let found = build_tree(all.clone(), &filter);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].children.iter().map(|node| node.own.id).collect::<Vec<_>>(), [3]);
        let whole = build_tree(all, &CurriculumTypeFilter::default());
        assert_eq!(whole.iter().map(|node| node.children.len()).collect::<Vec<_>>(), [2, 0]);
    }
}
