//! How knowledge points are read: tree, view and export show the same.

use futures_util::TryStreamExt;
use infra::{Error, Result, transfer::Rows};
use sqlx::PgConnection;

use super::KnowledgePoint;

/// Points of a course as one reads its tree: each before those below it, siblings in their order.
pub(super) fn select(
    connection: &mut PgConnection,
    only: Option<i64>,
    course: Option<i64>,
) -> Rows<'_, KnowledgePoint> {
    sqlx::query_as!(
        KnowledgePoint,
        r#"select k.id, k.course_id, k.parent_id, above.name as "parent_name?", k.code, k.name,
                  1 + (above.id is not null)::integer + (top.id is not null)::integer as "depth!", k.sort_no, k.version
           from knowledge_point k
           left join knowledge_point above on above.id = k.parent_id
           left join knowledge_point top on top.id = above.parent_id
           where ($1::bigint is null or k.id = $1) and ($2::bigint is null or k.course_id = $2)
           order by coalesce(top.sort_no, above.sort_no, k.sort_no), coalesce(top.code, above.code, k.code),
                    above.id is not null, case when top.id is null then k.sort_no else above.sort_no end,
                    case when top.id is null then k.code else above.code end, top.id is not null, k.sort_no, k.code"#,
        only,
        course
    )
    .fetch(connection)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<KnowledgePoint> {
    select(connection, Some(id), None).try_next().await?.ok_or_else(Error::not_found)
}

/// The point that a `view` names by its id, or by its course and its code (00 §8).
///
/// # Errors
/// 400 unless exactly one of both is there, 404 for a code that no point of the course has.
pub(super) async fn one(
    connection: &mut PgConnection,
    id: Option<i64>,
    course: Option<i64>,
    code: Option<String>,
) -> Result<i64> {
    match (id, course, code) {
        (Some(id), None, None) => Ok(id),
        (None, Some(course), Some(code)) => sqlx::query_scalar!(
            "select id from knowledge_point where course_id = $1 and lower(code) = lower($2)",
            course,
            code
        )
        .fetch_optional(connection)
        .await?
        .ok_or_else(Error::not_found),
        _ => Err(Error::malformed()),
    }
}

/// The same ids, those of the lowest level before those above them; ids of no point are among them.
pub(super) async fn deepest_first(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<i64>> {
    let sorted = sqlx::query_scalar!(
        r#"select wanted.id as "id!" from unnest($1::bigint[]) with ordinality as wanted (id, place)
           left join knowledge_point k on k.id = wanted.id
           left join knowledge_point above on above.id = k.parent_id
           order by above.parent_id is not null desc, k.parent_id is not null desc, wanted.place"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    Ok(sorted)
}
