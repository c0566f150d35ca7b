//! A knowledge point as others choose it.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

/// Points of the course `parent_id`, each with those above it, in the order of the tree.
pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select k.id, k.parent_id, k.code, concat_ws(' / ', top.name, above.name, k.name) as "name!"
           from knowledge_point k
           left join knowledge_point above on above.id = k.parent_id
           left join knowledge_point top on top.id = above.parent_id
           where ($2::bigint is null or k.course_id = $2)
             and ($1::text is null or strpos(k.name, $1) > 0 or starts_with(lower(k.code), lower($1)) or starts_with(k.initials, lower($1)))
           order by k.course_id, coalesce(top.sort_no, above.sort_no, k.sort_no), coalesce(top.code, above.code, k.code),
                    above.id is not null, case when top.id is null then k.sort_no else above.sort_no end,
                    case when top.id is null then k.code else above.code end, top.id is not null, k.sort_no, k.code
           limit 200"#,
        asked.keyword,
        asked.parent_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| OptionItem::of(row.id, row.name, row.code, true).below(row.parent_id)).collect())
}
