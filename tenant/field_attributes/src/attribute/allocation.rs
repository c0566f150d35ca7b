//! 下发: fields of the operators' template go to schools that do not have them yet.
//!
//! Every school is written in a transaction of its own and keeps its own trail; one that cannot be written is told with its
//! reason, and the others get theirs. What a school has already is not touched.

use std::collections::{BTreeMap, BTreeSet};

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
    /// 未下发的院校
    pub(super) failed: Vec<FieldsRefused>,
}

/// A school that got none.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct FieldsRefused {
    /// 院校编号
    pub(super) school_id: i64,
    /// 院校
    #[oai(skip_serializing_if_is_none)]
    pub(super) school_name: Option<String>,
    /// 原因
    pub(super) msg: String,
}

/// # Errors
/// 409 when a field is no longer in the template. What is in the way of one school is told in the answer.
pub(super) async fn allocate(
    caller: &Allowed<AllocateFieldAttributes>,
    wanted: &FieldAllocation,
) -> Result<FieldsAllocated> {
    let ids: BTreeSet<i64> = wanted.ids.iter().copied().collect();
    let ids: Vec<i64> = ids.into_iter().collect();
    let fields: Vec<FieldAttribute> = select(&mut *caller.read().await?, Some(&ids), None, None).try_collect().await?;
    if fields.len() < ids.len() {
        return Err(Error::conflict("模板字段已变化，请刷新"));
    }
    let schools: BTreeSet<i64> = wanted.school_ids.iter().copied().collect();
    let mut answer = FieldsAllocated::default();
    for id in schools {
        let mut school_name = None;
        let outcome = async {
            let school = caller.app().school(id).await?.ok_or_else(Error::not_found)?;
            // Whose school it is not is told no name.
            let tx = caller.begin_in(&school).await?;
            school_name = Some(school.name.clone());
            into(tx, &school, &fields).await
        };
        match outcome.await {
            Ok(count) => {
                answer.added.insert(id.to_string(), count);
            }
            Err(error) => answer.failed.push(FieldsRefused { school_id: id, school_name, msg: error.msg.into_owned() }),
        }
    }
    let what = json!({ "added": &answer.added });
    let told = fields.iter().map(|field| Change::event("field_attribute", field.id, "allocation", what.clone()));
    caller.begin().await?.commit_all(told.collect()).await?;
    Ok(answer)
}

/// Answers how many fields the school got.
///
/// # Errors
/// 409 when it is closed, 422 when it would have too many fields.
async fn into(mut tx: Tx, school: &School, fields: &[FieldAttribute]) -> Result<i64> {
    if !school.is_open() {
        return Err(Error::conflict("院校已停用或归档"));
    }
    let changes = add(&mut tx, fields).await?;
    fits(&mut tx, fields).await?;
    let count = i64::try_from(changes.len()).unwrap_or(i64::MAX);
    if count > 0 {
        tx.commit_all(changes).await?;
    }
    Ok(count)
}

/// # Errors
/// 422 when a stage of the school would have too many fields with these.
async fn fits(connection: &mut PgConnection, fields: &[FieldAttribute]) -> Result<()> {
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
    if too_many { Err(Error::refused(TOO_MANY)) } else { Ok(()) }
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
