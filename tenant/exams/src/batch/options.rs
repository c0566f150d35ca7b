//! A batch as others choose it.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::enums::TestBatchKind;

/// What a choice tells besides.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct BatchOption {
    /// 批次类型
    test_batch_kind: TestBatchKind,
}

/// Those of the semester `parent_id`, or of all, what goes on first; what is archived only when all are asked for.
pub(super) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select id, name, code, status <> 'archived' as "open!", semester_id, kind as "kind: TestBatchKind" from test_batch
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
    Ok(rows
        .into_iter()
        .map(|row| {
            let more = BatchOption { test_batch_kind: row.kind };
            OptionItem::of(row.id, row.name, row.code, row.open).below(row.semester_id).with(&more)
        })
        .collect())
}
