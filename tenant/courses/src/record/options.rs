//! A record as others choose it.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

/// Records of the course `parent_id`, or of all; those that are published count as enabled.
pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select r.id, r.course_id, r.name, r.version_no, c.code, r.status = 'published' as "enabled!"
           from course_record r join course c on c.id = r.course_id
           where (r.status = 'published' or not $2)
             and ($1::text is null or strpos(r.name, $1) > 0 or starts_with(r.initials, lower($1)) or starts_with(lower(c.code), lower($1)))
             and ($3::bigint is null or r.course_id = $3)
           order by c.code, r.is_default desc, r.version_no desc, r.id limit 200"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let name = format!("{}（第{}版）", row.name, row.version_no);
            OptionItem::of(row.id, name, row.code, row.enabled).below(row.course_id)
        })
        .collect())
}
