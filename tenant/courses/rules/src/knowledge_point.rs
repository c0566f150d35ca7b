//! 知识点: how the tree of a course is shown (part 03 A5).

use infra::tree::Branch;
use poem_openapi::{Object, types::Example};

/// A knowledge point, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct KnowledgePoint {
    /// 编号
    pub id: i64,
    /// 课程
    pub course_id: i64,
    /// 上级知识点
    pub parent_id: Option<i64>,
    /// 上级知识点名称
    pub parent_name: Option<String>,
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 层级
    pub depth: i32,
    /// 排序
    pub sort_no: i32,
    /// 版本
    pub version: i32,
}

/// Of which course, and to what its tree is narrowed; above a match its superiors stay.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct KnowledgePointFilter {
    /// 课程
    pub course_id: i64,
    /// 编码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
}

impl Example for KnowledgePointFilter {
    fn example() -> Self {
        Self { course_id: 1, keyword: None }
    }
}

/// A knowledge point with those below it.
#[derive(Debug, Clone, Object)]
pub struct KnowledgePointNode {
    #[oai(flatten)]
    pub own: KnowledgePoint,
    /// 下级知识点
    pub children: Vec<KnowledgePointNode>,
}

impl Branch for KnowledgePoint {
    fn id(&self) -> i64 {
        self.id
    }

    fn parent_id(&self) -> Option<i64> {
        self.parent_id
    }
}

/// The points that match, with their superiors, as a tree; the order of the rows is the order of siblings.
pub fn build_tree(all: Vec<KnowledgePoint>, filter: &KnowledgePointFilter) -> Vec<KnowledgePointNode> {
    infra::tree::build_tree(all, |point| matches(point, filter), |own, children| KnowledgePointNode { own, children })
}

/// Whether a point is one that the filter asks for.
pub fn matches(point: &KnowledgePoint, filter: &KnowledgePointFilter) -> bool {
    filter.keyword.as_ref().is_none_or(|keyword| {
        point.name.contains(keyword.as_str()) || point.code.to_lowercase().starts_with(&keyword.to_lowercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_keeps_its_superiors() {
        let point = |id, name: &str, parent_id, depth| KnowledgePoint {
            id,
            course_id: 1,
            parent_id,
            parent_name: None,
            code: format!("K{id}"),
            name: name.to_owned(),
            depth,
            sort_no: 0,
            version: 1,
        };
        let all = vec![
            point(1, "货币", None, 1),
            point(2, "货币职能", Some(1), 2),
            point(3, "价值尺度", Some(2), 3),
            point(4, "流通手段", Some(2), 3),
            point(5, "信用", None, 1),
        ];
        let filter = KnowledgePointFilter { course_id: 1, keyword: Some("k3".to_owned()) };
        let found = build_tree(all.clone(), &filter);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].children[0].children.iter().map(|node| node.own.id).collect::<Vec<_>>(), [3]);
        let whole = build_tree(all, &KnowledgePointFilter { course_id: 1, keyword: None });
        assert_eq!(whole.iter().map(|node| node.own.id).collect::<Vec<_>>(), [1, 5]);
        assert_eq!(whole[0].children[0].children.len(), 2);
    }
}
