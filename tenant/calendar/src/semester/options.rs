//! A semester as others choose it.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

/// The newest first. A closed semester counts as switched off: nothing new begins in it.
pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select id, code, name, closed_at is null as "open!" from semester
           where (closed_at is null or not $2) and ($1::text is null or strpos(name, $1) > 0 or starts_with(code, $1))
           order by code desc limit $3"#,
        asked.keyword,
        asked.only_enabled,
        asked.most
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| OptionItem::of(row.id, row.name, row.code, row.open)).collect())
}
