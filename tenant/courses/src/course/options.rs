//! A course as others choose it.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

/// Courses of the type `parent_id`, or of all.
pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        "select c.id, c.code, c.name, c.enabled, c.type_id from course c join curriculum_type t on t.id = c.type_id
         where (c.enabled or not $2)
           and ($1::text is null or strpos(c.name, $1) > 0 or starts_with(lower(c.code), lower($1)) or starts_with(c.initials, lower($1)))
           and ($3::bigint is null or $3 in (t.id, t.parent_id))
         order by c.sort_no, c.code limit $4",
        asked.keyword,
        asked.only_enabled,
        asked.parent_id,
        asked.most
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| OptionItem::of(row.id, row.name, row.code, row.enabled).below(row.type_id)).collect())
}
