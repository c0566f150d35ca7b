//! The tree of a course's knowledge points: where a point may stand, and how it is shown.

use infra::{
    Error, Result,
    tree::{Branch, Misplaced, Shape},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{KnowledgePoint, KnowledgePointFilter};

/// Levels of the tree (03 A5).
const LEVELS: usize = 3;

/// A knowledge point with those below it.
#[derive(Debug, Clone, Object)]
pub struct KnowledgePointNode {
    #[oai(flatten)]
    pub own: KnowledgePoint,
    /// 下级知识点
    pub children: Vec<KnowledgePointNode>,
}

/// Whether a point, old or new, may stand below `parent` in a course. The caller holds the course.
///
/// # Errors
/// 422 at `parentId` with the reason.
pub(super) async fn may_stand(
    connection: &mut PgConnection,
    course: i64,
    mover: Option<i64>,
    parent: Option<i64>,
) -> Result<()> {
    let Some(parent) = parent else { return Ok(()) };
    let rows = sqlx::query!("select id, parent_id from knowledge_point where course_id = $1", course)
        .fetch_all(connection)
        .await?;
    let shape: Shape = rows.into_iter().map(|row| (row.id, row.parent_id)).collect();
    shape.may_stand(mover, parent, LEVELS).map_err(|misplaced| Error::field("parentId", reason(misplaced)))
}

fn reason(misplaced: Misplaced) -> &'static str {
    match misplaced {
        Misplaced::Unknown => "所选上级知识点不存在，请重新选择",
        Misplaced::BelowItself => "不能移动到自己的下级",
        Misplaced::TooDeep => "知识点最多三级",
    }
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
pub(super) fn build_tree(all: Vec<KnowledgePoint>, filter: &KnowledgePointFilter) -> Vec<KnowledgePointNode> {
    infra::tree::build_tree(all, |point| matches(point, filter), |own, children| KnowledgePointNode { own, children })
}

pub(super) fn matches(point: &KnowledgePoint, filter: &KnowledgePointFilter) -> bool {
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
