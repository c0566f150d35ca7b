//! A batch as others choose it.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use poem_openapi::Object;
use sqlx::PgConnection;

/// What a batch has as an option.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct BatchFields {
    /// 年级
    grade_id: Option<i64>,
}

/// The newest first. Enabled is what people may still enter: open, or not yet begun.
pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select id, code, name, grade_id, enabled and ends_at > now() as "open!" from pre_registration_batch
           where (enabled and ends_at > now() or not $2)
             and ($1::text is null or strpos(name, $1) > 0 or starts_with(lower(code), lower($1)))
             and ($3::bigint is null or grade_id = $3)
           order by created_at desc, id limit 200"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let fields = BatchFields { grade_id: Some(row.grade_id) };
            OptionItem::of(row.id, row.name, row.code, row.open).with(&fields)
        })
        .collect())
}
