//! 下发: fields of the operators' template go to schools that do not have them yet.
//!
//! Every school is written in a transaction of its own and keeps its own trail; all of them are looked at before the first
//! is written, so that a refusal finds nothing half done. What a school has already is not touched.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use futures_util::TryStreamExt;
use infra::{Allowed, Change, Error, Result, Tx, directory::School};
use poem_openapi::{Object, types::Example};
use serde_json::json;
use sqlx::PgConnection;

use super::{
    AllocateFieldAttributes, FieldAttribute, MOST_CUSTOM, STEP, TOO_MANY,
    list::{find, select},
};

/// Which fields of the template go to which schools.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct FieldAllocation {
    /// 字段
    #[oai(validator(min_items = 1, max_items = 500))]
    pub ids: Vec<i64>,
    /// 院校
    #[oai(validator(min_items = 1, max_items = 200))]
    pub school_ids: Vec<i64>,
}

impl Example for FieldAllocation {
    fn example() -> Self {
        Self { ids: vec![1], school_ids: vec![1] }
    }
}

/// How many fields each school got.
#[derive(Debug, Default, Object)]
pub struct FieldsAllocated {
    /// 各院校新增的字段数
    /// 以院校编号为名
    pub(super) added: BTreeMap<String, i64>,
}

/// # Errors
/// 404 at a field or a school that is not there, or not the operator's; 409 while a school cannot be written; 422 when a
/// school would have too many fields.
pub(super) async fn allocate(
    caller: &Allowed<AllocateFieldAttributes>,
    wanted: &FieldAllocation,
) -> Result<BTreeMap<String, i64>> {
    let ids: BTreeSet<i64> = wanted.ids.iter().copied().collect();
    let ids: Vec<i64> = ids.into_iter().collect();
    let fields: Vec<FieldAttribute> = select(&mut *caller.read().await?, Some(&ids), None, None).try_collect().await?;
    if fields.len() < ids.len() {
        return Err(Error::conflict("模板字段已变化，请刷新"));
    }
    let schools = schools(caller, &wanted.school_ids, &fields).await?;
    let mut added = BTreeMap::new();
    for school in &schools {
        let mut tx = caller.begin_in(school).await?;
        let changes = add(&mut tx, &fields).await?;
        fits(&mut tx, school, &fields).await?;
        added.insert(school.id.to_string(), i64::try_from(changes.len()).unwrap_or(i64::MAX));
        if !changes.is_empty() {
            tx.commit_all(changes).await?;
        }
    }
    let what = json!({ "added": &added });
    let told = fields.iter().map(|field| Change::event("field_attribute", field.id, "allocation", what.clone()));
    caller.begin().await?.commit_all(told.collect()).await?;
    Ok(added)
}

/// The schools, each asked whether the fields can come.
async fn schools(
    caller: &Allowed<AllocateFieldAttributes>,
    ids: &[i64],
    fields: &[FieldAttribute],
) -> Result<Vec<Arc<School>>> {
    let ids: BTreeSet<i64> = ids.iter().copied().collect();
    let mut schools = Vec::with_capacity(ids.len());
    for id in ids {
        let school = caller.app().school(id).await?.ok_or_else(Error::not_found)?;
        let mut tx = caller.look_into(&school).await?;
        if !school.is_open() {
            return Err(Error::conflict(format!("“{}”已停用或归档，请取消选择后再下发", school.name)));
        }
        fits(&mut tx, &school, fields).await?;
        schools.push(school);
    }
    Ok(schools)
}

/// # Errors
/// 422 when a stage of the school would have too many fields with these.
async fn fits(connection: &mut PgConnection, school: &School, fields: &[FieldAttribute]) -> Result<()> {
    let own: Vec<&FieldAttribute> = fields.iter().filter(|field| !field.built_in).collect();
    let stages: Vec<&str> = own.iter().map(|field| field.stage.as_str()).collect();
    let keys: Vec<&str> = own.iter().map(|field| field.field_key.as_str()).collect();
    let too_many = sqlx::query_scalar!(
        r#"select exists (
               select from (select stage, field_key from field_attribute where not built_in
                            union select * from unnest($1::text[], $2::text[])) f (stage, field_key)
               group by stage having count(*) > $3) as "too_many!""#,
        &stages as &[&str],
        &keys as &[&str],
        MOST_CUSTOM
    )
    .fetch_one(connection)
    .await?;
    if too_many { Err(Error::refused(format!("“{}”：{TOO_MANY}", school.name))) } else { Ok(()) }
}

/// Adds those that the school does not have, below its own, in the order of the template.
async fn add(tx: &mut Tx, fields: &[FieldAttribute]) -> Result<Vec<Change>> {
    // Nobody adds another while these are counted.
    sqlx::query!("lock table field_attribute in share row exclusive mode").execute(&mut **tx).await?;
    let by = tx.by();
    let mut changes = Vec::new();
    for field in fields {
        let id = sqlx::query_scalar!(
            "insert into field_attribute (stage, field_key, label, group_name, control, dict_type, built_in, system_required, visible,
                 required, student_editable, max_length, pattern, help_text, sort, enabled, created_by, updated_by)
             select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, coalesce(max(sort), 0) + $17, $15, $16, $16
             from field_attribute where stage = $1
             on conflict (stage, field_key) do nothing returning id",
            field.stage.as_str(),
            field.field_key,
            field.label,
            field.group_name.as_str(),
            field.control.as_str(),
            field.dict_type,
            field.built_in,
            field.system_required,
            field.visible,
            field.required,
            field.student_editable,
            field.max_length,
            field.pattern,
            field.help_text,
            field.enabled,
            by,
            STEP
        )
        .fetch_optional(&mut **tx)
        .await?;
        if let Some(id) = id {
            changes.push(Change::created("field_attribute", id, &find(tx, id).await?));
        }
    }
    Ok(changes)
}
