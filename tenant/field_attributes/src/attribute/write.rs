//! Rows of fields.

use infra::{App, Error, OnConstraint, Result, Tx};
use sqlx::PgConnection;

use super::{FieldAttributeForm, MOST_CUSTOM, NewFieldAttribute, STEP, TOO_MANY};
use crate::enums::FieldStage;

/// # Errors
/// 422 at a dictionary that does not exist.
pub(super) async fn known(app: &App, dict_type: Option<&str>) -> Result<()> {
    let Some(dict_type) = dict_type else { return Ok(()) };
    let known = sqlx::query_scalar!(
        r#"select exists (select from platform.dict_type where dict_type = $1) as "known!""#,
        dict_type
    )
    .fetch_one(&mut *app.platform_read().await?)
    .await?;
    if known { Ok(()) } else { Err(Error::field("dictType", "字典不存在，请重新选择")) }
}

/// A new field at the end of its stage, unless it says where it stands.
pub(super) async fn insert(tx: &mut Tx, new: &NewFieldAttribute) -> Result<i64> {
    // Nobody adds another while these are counted.
    sqlx::query!("lock table field_attribute in share row exclusive mode").execute(&mut **tx).await?;
    if custom(tx, new.stage).await? >= MOST_CUSTOM {
        return Err(Error::refused(TOO_MANY));
    }
    let by = tx.by();
    let form = &new.form;
    sqlx::query_scalar!(
        "insert into field_attribute (stage, field_key, label, group_name, control, dict_type, visible, required, student_editable,
             max_length, pattern, help_text, sort, enabled, created_by, updated_by)
         select $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::boolean, $8::boolean, $9::boolean,
                $10::integer, $11::text, $12::text, coalesce($13::integer, max(sort) + $16::integer, $16::integer), $14::boolean,
                $15::bigint, $15::bigint
         from field_attribute where stage = $1
         returning id",
        new.stage.as_str(),
        new.field_key,
        form.label,
        form.group_name.as_str(),
        form.control.as_str(),
        form.dict_type,
        form.visible,
        form.required,
        form.student_editable,
        form.max_length,
        form.pattern,
        form.help_text,
        form.sort,
        new.enabled,
        by,
        STEP
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| {
        (name == "field_attribute_field_key_taken").then(|| Error::field("fieldKey", "该环节已有这个字段标识"))
    })
}

/// Custom fields of a stage.
async fn custom(connection: &mut PgConnection, stage: FieldStage) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from field_attribute where stage = $1 and not built_in"#,
        stage.as_str()
    )
    .fetch_one(connection)
    .await?;
    Ok(count)
}

/// The caller holds the field and has seen this version of it.
pub(super) async fn write(tx: &mut Tx, id: i64, form: &FieldAttributeForm) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update field_attribute set label = $2, group_name = $3, control = $4, dict_type = $5, visible = $6, required = $7,
                student_editable = $8, max_length = $9, pattern = $10, help_text = $11, sort = coalesce($12, sort),
                updated_at = now(), updated_by = $13, version = version + 1
         where id = $1",
        id,
        form.label,
        form.group_name.as_str(),
        form.control.as_str(),
        form.dict_type,
        form.visible,
        form.required,
        form.student_editable,
        form.max_length,
        form.pattern,
        form.help_text,
        form.sort,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
