//! A unit as others choose it.

use infra::{
    Error, Result,
    naming::{Codes, switched_off},
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

/// # Errors
/// 422 at `organizationId` when there is no such unit, or when it was switched off.
pub async fn usable(connection: &mut PgConnection, id: i64) -> Result<()> {
    let found =
        sqlx::query!("select name, enabled from organization where id = $1", id).fetch_optional(connection).await?;
    match found {
        Some(unit) if unit.enabled => Ok(()),
        Some(unit) => Err(switched_off("organizationId", &unit.name)),
        None => Err(Error::field("organizationId", "所选机构不存在，请重新选择")),
    }
}

/// The ids of all units by code, for imports of what refers to them.
pub async fn by_code(connection: &mut PgConnection) -> Result<Codes<i64>> {
    let rows = sqlx::query!("select id, code from organization").fetch_all(connection).await?;
    Ok(rows.into_iter().map(|row| (row.code, row.id)).collect())
}

pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        "select id, code, name, enabled, parent_id from organization
         where (enabled or not $2)
           and ($1::text is null or strpos(name, $1) > 0 or starts_with(lower(code), lower($1)) or starts_with(initials, lower($1)))
           and ($3::bigint is null or parent_id = $3)
         order by sort_no, code limit $4",
        asked.keyword,
        asked.only_enabled,
        asked.parent_id,
        asked.most
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| OptionItem::of(row.id, row.name, row.code, row.enabled).below(row.parent_id))
        .collect())
}
