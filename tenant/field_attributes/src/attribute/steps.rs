//! 排序, 恢复默认: steps over all fields of a stage.

use std::collections::HashMap;

use futures_util::TryStreamExt;
use infra::{Change, Error, Result, Tx};
use poem_openapi::{Object, types::Example};
use serde_json::json;
use sqlx::PgConnection;

use super::{
    FieldAttribute, STEP,
    list::{find, select},
};
use crate::enums::FieldStage;

/// The fields of a stage in their new order.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct FieldAttributeOrder {
    /// 字段
    #[oai(validator(min_items = 1, max_items = 500))]
    pub ids: Vec<i64>,
}

impl Example for FieldAttributeOrder {
    fn example() -> Self {
        Self { ids: vec![2, 1] }
    }
}

/// Whose built-in fields go back to the template.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct StageReset {
    /// 环节
    pub stage: FieldStage,
}

impl Example for StageReset {
    fn example() -> Self {
        Self { stage: FieldStage::PreRegistration }
    }
}

/// How many fields went back to the template.
#[derive(Debug, Object)]
pub struct FieldsReset {
    /// 恢复的字段数
    pub(super) done: i64,
}

/// What an order must name: each field of the stage, once.
fn names_each(known: &[FieldAttribute], ids: &[i64]) -> bool {
    let (mut known, mut wanted): (Vec<i64>, Vec<i64>) = (known.iter().map(|field| field.id).collect(), ids.to_vec());
    known.sort_unstable();
    wanted.sort_unstable();
    known == wanted
}

/// Whoever sends the order must have seen every field of the stage. Only what differs is written. Answers the first
/// field, under which the step stands in the trail.
///
/// # Errors
/// 409 when the stage has other fields than these.
pub(super) async fn sort(tx: &mut Tx, ids: &[i64]) -> Result<(i64, Change)> {
    let Some(&first) = ids.first() else { return Err(Error::not_found()) };
    sqlx::query!(
        "select id from field_attribute where stage = (select stage from field_attribute where id = $1) order by id for update",
        first
    )
    .fetch_all(&mut **tx)
    .await?;
    let stage = find(tx, first).await?.stage;
    let known: Vec<FieldAttribute> = select(tx, None, Some(stage), None).try_collect().await?;
    if !names_each(&known, ids) {
        return Err(Error::conflict("字段已变化，请刷新"));
    }
    let numbers: Vec<i32> = (1i32..).map(|place| place * STEP).take(ids.len()).collect();
    let by = tx.by();
    sqlx::query!(
        "update field_attribute f set sort = o.sort, updated_at = now(), updated_by = $3, version = version + 1
         from unnest($1::bigint[], $2::integer[]) as o (id, sort) where f.id = o.id and f.sort <> o.sort",
        ids,
        &numbers,
        by
    )
    .execute(&mut **tx)
    .await?;
    let labels: HashMap<i64, &str> = known.iter().map(|field| (field.id, field.label.as_str())).collect();
    let order: Vec<&str> = ids.iter().filter_map(|id| labels.get(id).copied()).collect();
    Ok((first, Change::event("field_attribute", first, "sort", json!({ "stage": stage.as_str(), "order": order }))))
}

/// The switches of a built-in field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Switches {
    visible: bool,
    required: bool,
    student_editable: bool,
    enabled: bool,
}

impl Switches {
    fn of(field: &FieldAttribute) -> Self {
        Self {
            visible: field.visible,
            required: field.required,
            student_editable: field.student_editable,
            enabled: field.enabled,
        }
    }

    fn on(self, field: &FieldAttribute) -> FieldAttribute {
        let Self { visible, required, student_editable, enabled } = self;
        FieldAttribute { visible, required, student_editable, enabled, ..field.clone() }
    }
}

/// What the operators' template says of the built-in fields of a stage, by their keys.
pub(super) async fn template(platform: &mut PgConnection, stage: FieldStage) -> Result<HashMap<String, Switches>> {
    let rows = sqlx::query!(
        "select field_key, visible, required, student_editable, enabled from platform.field_attribute
         where stage = $1 and built_in",
        stage.as_str()
    )
    .fetch_all(platform)
    .await?;
    let switches = rows.into_iter().map(|row| {
        let (visible, required, student_editable, enabled) =
            (row.visible, row.required, row.student_editable, row.enabled);
        (row.field_key, Switches { visible, required, student_editable, enabled })
    });
    Ok(switches.collect())
}

/// The built-in fields that differ from the template, before and after.
fn differing(
    fields: Vec<FieldAttribute>,
    template: &HashMap<String, Switches>,
) -> Vec<(FieldAttribute, FieldAttribute)> {
    fields
        .into_iter()
        .filter(|field| field.built_in)
        .filter_map(|field| {
            let wanted = template.get(&field.field_key).filter(|wanted| **wanted != Switches::of(&field))?;
            let after = wanted.on(&field);
            Some((field, after))
        })
        .collect()
}

/// Sets the switches of the built-in fields back; labels, order and fields of one's own stay.
pub(super) async fn reset(tx: &mut Tx, stage: FieldStage, template: &HashMap<String, Switches>) -> Result<Vec<Change>> {
    sqlx::query!("select id from field_attribute where stage = $1 order by id for update", stage.as_str())
        .fetch_all(&mut **tx)
        .await?;
    let fields = select(tx, None, Some(stage), None).try_collect().await?;
    let differing = differing(fields, template);
    let after =
        |pick: fn(&FieldAttribute) -> bool| -> Vec<bool> { differing.iter().map(|(_, field)| pick(field)).collect() };
    let ids: Vec<i64> = differing.iter().map(|(field, _)| field.id).collect();
    let by = tx.by();
    sqlx::query!(
        "update field_attribute f set visible = t.visible, required = t.required, student_editable = t.student_editable,
                enabled = t.enabled, updated_at = now(), updated_by = $6, version = version + 1
         from unnest($1::bigint[], $2::boolean[], $3::boolean[], $4::boolean[], $5::boolean[])
              as t (id, visible, required, student_editable, enabled)
         where f.id = t.id",
        &ids,
        &after(|field| field.visible),
        &after(|field| field.required),
        &after(|field| field.student_editable),
        &after(|field| field.enabled),
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(differing.iter().map(|(before, after)| Change::edited("field_attribute", before.id, before, after)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enums::{FieldControl, FieldGroup};

    fn field(id: i64, key: &str, built_in: bool) -> FieldAttribute {
        FieldAttribute {
            id,
            stage: FieldStage::PreRegistration,
            field_key: key.to_owned(),
            label: "本校的叫法".to_owned(),
            group_name: FieldGroup::Contact,
            control: FieldControl::Text,
            dict_type: None,
            built_in,
            system_required: false,
            visible: true,
            required: true,
            student_editable: false,
            max_length: Some(100),
            pattern: None,
            help_text: None,
            sort: 10,
            enabled: true,
            version: 3,
        }
    }

    #[test]
    fn an_order_names_every_field_once_and_no_other() {
        let known = [field(1, "name", true), field(2, "email", true), field(5, "x_size", false)];
        assert!(names_each(&known, &[5, 1, 2]));
        for other in [vec![5, 1], vec![5, 1, 2, 2], vec![5, 1, 3]] {
            assert!(!names_each(&known, &other), "{other:?}");
        }
    }

    #[test]
    fn only_switches_of_built_in_fields_go_back() {
        let usual = Switches { visible: true, required: false, student_editable: true, enabled: true };
        let template =
            HashMap::from([("email".to_owned(), usual), ("name".to_owned(), Switches::of(&field(1, "name", true)))]);
        let fields =
            vec![field(1, "name", true), field(2, "email", true), field(3, "wechat", true), field(5, "email", false)];
        let differing = differing(fields, &template);
        let [(before, after)] = differing.as_slice() else { panic!("{differing:?}") };
        assert_eq!((before.id, Switches::of(after)), (2, usual));
        assert_eq!((after.label.as_str(), after.max_length), ("本校的叫法", Some(100)));
    }
}
