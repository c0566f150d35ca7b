//! A chapter as others choose it.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

/// Chapters and sections of the course `parent_id`, in their order.
pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select c.id, c.parent_id, c.title, p.title as "parent_title?"
           from course_chapter c left join course_chapter p on p.id = c.parent_id
           where ($2::bigint is null or c.course_id = $2)
             and ($1::text is null or strpos(c.title, $1) > 0 or starts_with(c.initials, lower($1)))
           order by c.course_id, coalesce(p.sort_no, c.sort_no), coalesce(p.id, c.id), c.parent_id is not null, c.sort_no, c.id limit 200"#,
        asked.keyword,
        asked.parent_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let name = match row.parent_title {
                Some(parent) => format!("{parent} / {}", row.title),
                None => row.title,
            };
            OptionItem::of(row.id, name, String::new(), true).below(row.parent_id)
        })
        .collect())
}
