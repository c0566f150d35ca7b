//! A batch as others choose it.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::ChangeType;

/// What a batch has as an option.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct ChangeBatchFields {
    /// 异动类型
    change_types: Option<Vec<ChangeType>>,
    /// 适用年级
    /// 为空时不限年级
    change_grade_ids: Option<Vec<i64>>,
}

/// The newest first. Enabled is what people may still enter: open, or not yet begun.
pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select b.id, b.code, b.name, b.types, b.enabled and b.ends_at > now() as "open!",
                  array(select g.grade_id from change_batch_grade g where g.change_batch_id = b.id order by g.grade_id) as "grades!"
           from change_batch b
           where (b.enabled and b.ends_at > now() or not $2)
             and ($1::text is null or strpos(b.name, $1) > 0 or starts_with(lower(b.code), lower($1)))
           order by b.created_at desc, b.id limit 200"#,
        asked.keyword,
        asked.only_enabled
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let fields = ChangeBatchFields {
                change_types: Some(row.types.iter().filter_map(|word| ChangeType::parse(word)).collect()),
                change_grade_ids: Some(row.grades),
            };
            OptionItem::of(row.id, row.name, row.code, row.open).with(&fields)
        })
        .collect())
}
