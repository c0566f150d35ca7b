//! A class manager as others choose them.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

/// Managers of the site `parent_id`, or of all; their number tells those of one name apart.
pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select p.id, p.work_no, p.name, p.status = 'active' as "active!" from class_manager p
           where (p.status = 'active' or not $2)
             and ($1::text is null or strpos(p.name, $1) > 0 or starts_with(lower(p.work_no), lower($1))
                  or starts_with(p.initials, lower($1)))
             and ($3::bigint is null
                  or exists (select from class_manager_site x where x.manager_id = p.id and x.site_id = $3))
             and ($4::bigint[] is null
                  or exists (select from class_manager_site x where x.manager_id = p.id and x.site_id = any($4))
                  or exists (select from class c where c.manager_id = p.id and c.id = any($5::bigint[])))
           order by p.work_no collate "C" limit $6"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id,
        asked.scope.sites(),
        asked.scope.classes(),
        asked.most
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| OptionItem::of(row.id, format!("{}（{}）", row.name, row.work_no), row.work_no, row.active))
        .collect())
}
