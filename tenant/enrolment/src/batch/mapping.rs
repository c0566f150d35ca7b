//! 字段映射, 代码映射: how the authority's file is read, which differs from province to province (02 §14.1).

use std::collections::HashSet;

use enrolment_rules::mapping::{Told, check_columns, is_known};
use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, reply};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ToJSON},
};
use sqlx::PgConnection;

pub use enrolment_rules::mapping::{EnrollmentColumn, EnrollmentField, EnrollmentValue, usual_columns, usual_values};

use super::{EditEnrollmentBatch, EnrollmentBatchView, lock, select::viewed};

/// How a batch reads the file.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct EnrollmentMapping {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 字段映射
    #[oai(validator(max_items = 50))]
    pub column_map: Vec<EnrollmentColumn>,
    /// 代码映射
    #[oai(validator(max_items = 1000))]
    pub value_maps: Vec<EnrollmentValue>,
}

impl Example for EnrollmentMapping {
    fn example() -> Self {
        Self { id: 1, version: 1, column_map: usual_columns(), value_maps: usual_values() }
    }
}

/// # Errors
/// 422 for a code that is told twice, and for a value that its field does not have.
pub(crate) async fn check_values(connection: &mut PgConnection, values: &[EnrollmentValue]) -> Result<()> {
    let wrong = |message: String| Err(Error::field("valueMaps", message));
    let mut seen = HashSet::new();
    for entry in values {
        if !is_known(entry) {
            return wrong(format!("“{}”没有值“{}”", entry.field.zh(), entry.value));
        }
        if !seen.insert((entry.field.as_str(), entry.code.to_uppercase())) {
            return wrong(format!("“{}”的代码“{}”只能对应一个值", entry.field.zh(), entry.code));
        }
    }
    let levels: Vec<i64> = values
        .iter()
        .filter(|entry| entry.field == EnrollmentField::Level)
        .filter_map(|entry| entry.value.parse().ok())
        .collect();
    let unknown = sqlx::query_scalar!(
        r#"select exists (select from unnest($1::bigint[]) w (id) left join level l on l.id = w.id where l.id is null) as "unknown!""#,
        &levels
    )
    .fetch_one(connection)
    .await?;
    if unknown { wrong("所选层次不存在，请重新选择".to_owned()) } else { Ok(()) }
}

pub struct Mapping;

#[OpenApi(prefix_path = "/adult/pc/enrollmentBatch", tag = "crate::Tag::Enrolment")]
impl Mapping {
    /// 招生批次字段映射
    #[oai(path = "/mapping", method = "put", operation_id = "mapEnrollmentBatch")]
    async fn mapping(
        &self,
        caller: Allowed<EditEnrollmentBatch>,
        Body(wanted): Body<EnrollmentMapping>,
    ) -> Result<Reply<Saved>> {
        check_columns(&wanted.column_map)?;
        let mut tx = caller.begin().await?;
        check_values(&mut tx, &wanted.value_maps).await?;
        let batch = lock(&mut tx, wanted.id).await?;
        let EnrollmentBatchView { column_map, value_maps, .. } = viewed(&mut tx, batch).await?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update enrollment_batch set column_map = $3, value_maps = $4, updated_at = now(), updated_by = $5, version = version + 1
             where id = $1 and version = $2",
            wanted.id,
            wanted.version,
            wanted.column_map.to_json(),
            wanted.value_maps.to_json(),
            by
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("enrollment_batch", wanted.id).await);
        }
        let before = Told::of(&column_map, &value_maps);
        let after = Told::of(&wanted.column_map, &wanted.value_maps);
        tx.commit(Change::edited("enrollment_batch", wanted.id, &before, &after)).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}
