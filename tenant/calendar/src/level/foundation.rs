//! What of the levels another school may take over.

use futures_util::TryStreamExt;
use infra::{
    Change, Result, Scope, Tx,
    access::Permission,
    across::Keyed,
    body,
    foundation::{Foundation, Piece},
};
use poem_openapi::types::ToJSON;
use serde_json::Value;
use sqlx::PgConnection;

use super::{Level, LevelFilter, LevelForm, Levels, ListLevels, SaveLevel, insert};

pub(super) const FOUNDATION: Foundation = Foundation {
    kind: "level",
    name: "层次",
    needs: &[],
    reads: ListLevels::CODE,
    adds: SaveLevel::CODE,
    all: |_, connection| Box::pin(all(connection)),
    add: |tx, _, piece| Box::pin(add(tx, piece)),
};

async fn all(connection: &mut PgConnection) -> Result<Vec<Piece>> {
    let levels = Levels::all(connection, &LevelFilter::default(), &Scope::whole_school()).await?;
    let levels: Vec<Level> = levels.try_collect().await?;
    Ok(levels.into_iter().map(piece).collect())
}

fn piece(level: Level) -> Piece {
    let form = LevelForm {
        code: level.code.clone(),
        name: level.name.clone(),
        entry_level: level.entry_level,
        schooling_years: Some(level.schooling_years),
        max_years: Some(level.max_years),
        min_hours: Some(level.min_hours),
        hours_per_credit_min: Some(level.hours_per_credit_min),
        hours_per_credit_max: Some(level.hours_per_credit_max),
        min_offline_ratio: Some(level.min_offline_ratio),
        sort_no: level.sort_no,
        remark: level.remark,
    };
    let form = form.to_json().unwrap_or_default();
    Piece { key: level.code, name: level.name, in_use: level.enabled, form, refers: Value::Null }
}

async fn add(tx: &mut Tx, piece: Piece) -> Result<Change> {
    Ok(insert(tx, body::check::<LevelForm>(piece.form)?).await?.1)
}
