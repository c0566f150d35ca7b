//! A teacher as others choose them.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

/// Teachers by name or number; the number tells those of one name apart. Whoever sees some sites or classes sees none:
/// teachers belong to the whole school.
pub(super) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    if !asked.scope.is_whole() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        r#"select p.id, p.work_no, p.name, p.status = 'active' as "active!" from teacher p
           where (p.status = 'active' or not $2)
             and ($1::text is null or strpos(p.name, $1) > 0 or starts_with(lower(p.work_no), lower($1))
                  or starts_with(p.initials, lower($1)))
           order by p.work_no collate "C" limit $3"#,
        asked.keyword,
        asked.only_enabled,
        asked.most
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| OptionItem::of(row.id, format!("{}（{}）", row.name, row.work_no), row.work_no, row.active))
        .collect())
}
