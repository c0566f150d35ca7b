//! What of the majors another school may take over: all but the college, whose organizations are a school's own.

use std::collections::HashMap;

use calendar::level;
use futures_util::TryStreamExt;
use infra::{
    Change, Error, Result, Scope, Tx,
    access::Permission,
    across::Keyed,
    body,
    foundation::{Foundation, Piece},
};
use poem_openapi::types::ToJSON;
use serde_json::json;
use sqlx::PgConnection;

use super::{ListMajors, Major, MajorFilter, MajorForm, Majors, SaveMajor, insert};
use crate::national_major;

pub(super) const FOUNDATION: Foundation = Foundation {
    kind: "major",
    name: "学校专业",
    needs: &["level"],
    reads: ListMajors::CODE,
    adds: SaveMajor::CODE,
    all: |_, connection| Box::pin(all(connection)),
    add: |tx, _, piece| Box::pin(add(tx, piece)),
};

async fn all(connection: &mut PgConnection) -> Result<Vec<Piece>> {
    let levels: HashMap<i64, String> = sqlx::query!("select id, code from level")
        .fetch_all(&mut *connection)
        .await?
        .into_iter()
        .map(|row| (row.id, row.code))
        .collect();
    let majors = Majors::all(connection, &MajorFilter::default(), &Scope::whole_school()).await?;
    let majors: Vec<Major> = majors.try_collect().await?;
    Ok(majors.into_iter().map(|major| piece(major, &levels)).collect())
}

fn piece(major: Major, levels: &HashMap<i64, String>) -> Piece {
    let form = MajorForm {
        code: major.code.clone(),
        name: major.name.clone(),
        // The catalogue is the platform's: its numbers are the same in every school.
        national_major_id: major.national_major_id,
        level_id: 0,
        study_form: Some(major.study_form),
        direction: Some(major.direction).filter(|direction| !direction.is_empty()),
        schooling_years: Some(major.schooling_years),
        total_credits: major.total_credits,
        organization_id: None,
        degree_awarded: major.degree_awarded,
        degree: major.degree,
        tuition_per_year: major.tuition_per_year,
        sort_no: major.sort_no,
        remark: major.remark,
    };
    let level = levels.get(&major.level_id).cloned().unwrap_or_default();
    let refers = json!({ "levelCode": level, "levelName": major.level_name });
    let form = form.to_json().unwrap_or_default();
    Piece { key: major.code, name: major.name, in_use: major.enabled, form, refers }
}

/// # Errors
/// 409 when the school does not have the level.
async fn add(tx: &mut Tx, piece: Piece) -> Result<Change> {
    let mut form = piece.form;
    let code = piece.refers["levelCode"].as_str().unwrap_or_default();
    let levels = level::by_code(tx).await?;
    let level = levels.get(code).ok_or_else(|| {
        let name = piece.refers["levelName"].as_str().unwrap_or_default();
        Error::conflict(format!("没有编码为“{code}”的层次（{name}），请先复制或新增层次"))
    })?;
    form["levelId"] = json!(level.id);
    let form = body::check::<MajorForm>(form)?;
    let national = national_major::chosen(&mut *tx.app().platform_read().await?, form.national_major_id).await?;
    Ok(insert(tx, form, &national).await?.change)
}
