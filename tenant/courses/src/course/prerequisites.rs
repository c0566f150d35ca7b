//! 先修课程: which course comes before which, and that nobody must pass a course before itself (part 03 A5).

use std::collections::HashMap;

use course_rules::prerequisites::Graph;
use infra::{Error, Result, Tx, naming::switched_off};

const FIELD: &str = "prerequisiteIds";

/// # Errors
/// 422 at `prerequisiteIds` for a course that does not exist, or that was switched off and is not `kept` from before.
pub(super) async fn check(tx: &mut Tx, wanted: &[i64], kept: &[i64]) -> Result<()> {
    if wanted.is_empty() {
        return Ok(());
    }
    let known =
        sqlx::query!("select id, name, enabled from course where id = any($1)", wanted).fetch_all(&mut **tx).await?;
    if known.len() < wanted.len() {
        return Err(Error::field(FIELD, "所选先修课程不存在，请重新选择"));
    }
    match known.iter().find(|course| !course.enabled && !kept.contains(&course.id)) {
        Some(off) => Err(switched_off(FIELD, &off.name)),
        None => Ok(()),
    }
}

/// All prerequisites of the school. Nobody else changes them until this transaction ends: two edits that are each right could
/// together close a circle.
pub(super) async fn lock(tx: &mut Tx) -> Result<Graph> {
    sqlx::query!("lock table course_prerequisite in share row exclusive mode").execute(&mut **tx).await?;
    let rows = sqlx::query!("select course_id, prerequisite_id from course_prerequisite").fetch_all(&mut **tx).await?;
    let mut graph = Graph::default();
    for row in rows {
        graph.add(row.course_id, row.prerequisite_id);
    }
    Ok(graph)
}

/// # Errors
/// 422 at `prerequisiteIds` with the courses of the circle, by name.
pub(super) async fn refuse_circle(graph: &Graph, tx: &mut Tx, course: i64, earlier: &[i64]) -> Result<()> {
    let Some(circle) = graph.circle(course, earlier) else { return Ok(()) };
    let names: HashMap<i64, String> = sqlx::query!("select id, name from course where id = any($1)", &circle)
        .fetch_all(&mut **tx)
        .await?
        .into_iter()
        .map(|row| (row.id, row.name))
        .collect();
    let path: Vec<&str> = circle.iter().filter_map(|id| names.get(id)).map(String::as_str).collect();
    Err(Error::field(FIELD, format!("先修课程形成循环：{}", path.join("→"))))
}
