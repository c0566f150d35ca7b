//! The tree of a course's knowledge points: where a point may stand.

use infra::{
    Error, Result,
    tree::{Misplaced, Shape},
};
use sqlx::PgConnection;

/// Levels of the tree (03 A5).
const LEVELS: usize = 3;

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
