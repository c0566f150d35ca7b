//! What of the types of courses another school may take over.

use std::collections::HashMap;

use futures_util::TryStreamExt;
use infra::{
    Change, Error, Result, Tx,
    access::Permission,
    body,
    foundation::{Foundation, Piece},
};
use poem_openapi::types::ToJSON;
use serde_json::json;
use sqlx::PgConnection;

use super::{
    CurriculumType, CurriculumTypeForm, ListCurriculumTypes, SaveCurriculumType, all as known, insert, select,
};

pub(super) const FOUNDATION: Foundation = Foundation {
    kind: "curriculumType",
    name: "课程类型",
    needs: &[],
    reads: ListCurriculumTypes::CODE,
    adds: SaveCurriculumType::CODE,
    all: |_, connection| Box::pin(all(connection)),
    add: |tx, _, piece| Box::pin(add(tx, piece)),
};

/// Superiors first.
async fn all(connection: &mut PgConnection) -> Result<Vec<Piece>> {
    let mut types: Vec<CurriculumType> = select(connection, None).try_collect().await?;
    types.sort_by_key(|each| each.parent_id.is_some());
    let codes: HashMap<i64, String> = types.iter().map(|each| (each.id, each.code.clone())).collect();
    Ok(types.into_iter().map(|each| piece(each, &codes)).collect())
}

fn piece(each: CurriculumType, codes: &HashMap<i64, String>) -> Piece {
    let form = CurriculumTypeForm {
        code: each.code.clone(),
        name: each.name.clone(),
        parent_id: None,
        system_kind: each.system_kind,
        default_exam_form: each.default_exam_form,
        sort_no: each.sort_no,
    };
    let parent = each.parent_id.and_then(|id| codes.get(&id)).cloned();
    let refers = json!({ "parentCode": parent });
    let form = form.to_json().unwrap_or_default();
    Piece { key: each.code, name: each.name, in_use: each.enabled, form, refers }
}

/// # Errors
/// 409 when the school does not have the superior type.
async fn add(tx: &mut Tx, piece: Piece) -> Result<Change> {
    let mut form = piece.form;
    if let Some(code) = piece.refers["parentCode"].as_str() {
        let types = known(tx).await?;
        let parent = types.iter().find(|(other, _)| other.eq_ignore_ascii_case(code));
        let (_, parent) = parent.ok_or_else(|| Error::conflict(format!("没有编码为“{code}”的上级类型")))?;
        form["parentId"] = json!(parent.id);
    }
    Ok(insert(tx, &body::check::<CurriculumTypeForm>(form)?).await?.1)
}
