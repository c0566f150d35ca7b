//! What of the fields another school may take over: those that a school added; what the product has, every school has.

use futures_util::TryStreamExt;
use infra::{
    Change, Result, Tx,
    access::Permission,
    body,
    foundation::{Foundation, Piece},
};
use poem_openapi::types::ToJSON;
use serde_json::Value;
use sqlx::PgConnection;

use super::{
    FieldAttribute, FieldAttributeForm, ListFieldAttributes, NewFieldAttribute, SaveFieldAttribute,
    list::{find, select},
    write::{insert, known},
};

pub(super) const FOUNDATION: Foundation = Foundation {
    kind: "fieldAttribute",
    name: "自定义字段",
    needs: &[],
    reads: ListFieldAttributes::CODE,
    adds: SaveFieldAttribute::CODE,
    all: |_, connection| Box::pin(all(connection)),
    add: |tx, _, piece| Box::pin(add(tx, piece)),
};

async fn all(connection: &mut PgConnection) -> Result<Vec<Piece>> {
    let fields: Vec<FieldAttribute> = select(connection, None, None, None).try_collect().await?;
    Ok(fields.into_iter().filter(|field| !field.built_in).map(piece).collect())
}

fn piece(field: FieldAttribute) -> Piece {
    let key = format!("{}/{}", field.stage.as_str(), field.field_key);
    let name = format!("{}：{}", field.stage.zh(), field.label);
    let new = NewFieldAttribute {
        stage: field.stage,
        field_key: field.field_key,
        enabled: field.enabled,
        form: FieldAttributeForm {
            label: field.label,
            group_name: field.group_name,
            control: field.control,
            dict_type: field.dict_type,
            visible: field.visible,
            required: field.required,
            student_editable: field.student_editable,
            max_length: field.max_length,
            pattern: field.pattern,
            help_text: field.help_text,
            // At the end of the stage of whoever takes it over.
            sort: None,
        },
    };
    let form = new.to_json().unwrap_or_default();
    Piece { key, name, in_use: field.enabled, form, refers: Value::Null }
}

async fn add(tx: &mut Tx, piece: Piece) -> Result<Change> {
    let new = body::check::<NewFieldAttribute>(piece.form)?;
    new.form.check()?;
    known(&tx.app().clone(), new.form.dict_type.as_deref()).await?;
    let id = insert(tx, &new).await?;
    let after = find(tx, id).await?;
    Ok(Change::created("field_attribute", id, &after))
}
