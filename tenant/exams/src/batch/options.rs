//! A batch as others choose it.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

/// Those of the semester `parent_id`, or of all, what goes on first; what is archived only when all are asked for.
pub(super) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select id, name, code, status <> 'archived' as "open!", semester_id from test_batch
           where (status <> 'archived' or not $2)
             and ($1::text is null or strpos(name, $1) > 0 or starts_with(initials, lower($1))
                  or starts_with(lower(code), lower($1)))
             and ($3::bigint is null or semester_id = $3)
           order by status = 'active' desc, created_at desc, id desc limit $4"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id,
        asked.most
    )
    .fetch_all(connection)
    .await?;
    let item = |(id, name, code, open, semester): (i64, String, String, bool, i64)| {
        OptionItem::of(id, name, code, open).below(semester)
    };
    Ok(rows.into_iter().map(|row| item((row.id, row.name, row.code, row.open, row.semester_id))).collect())
}
