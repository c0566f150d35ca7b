//! What of the grades another school may take over.

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

use super::{Grade, GradeFilter, GradeForm, Grades, ListGrades, SaveGrade, insert};

pub(super) const FOUNDATION: Foundation = Foundation {
    kind: "grade",
    name: "年级",
    needs: &[],
    reads: ListGrades::CODE,
    adds: SaveGrade::CODE,
    all: |_, connection| Box::pin(all(connection)),
    add: |tx, _, piece| Box::pin(add(tx, piece)),
};

async fn all(connection: &mut PgConnection) -> Result<Vec<Piece>> {
    let grades = Grades::all(connection, &GradeFilter::default(), &Scope::whole_school()).await?;
    let grades: Vec<Grade> = grades.try_collect().await?;
    Ok(grades.into_iter().map(piece).collect())
}

fn piece(grade: Grade) -> Piece {
    let form = GradeForm {
        code: grade.code.clone(),
        name: Some(grade.name.clone()),
        entry_season: Some(grade.entry_season),
        sort_no: grade.sort_no,
        remark: grade.remark,
    };
    let form = form.to_json().unwrap_or_default();
    Piece { key: grade.code, name: grade.name, in_use: grade.enabled, form, refers: Value::Null }
}

async fn add(tx: &mut Tx, piece: Piece) -> Result<Change> {
    Ok(insert(tx, body::check::<GradeForm>(piece.form)?).await?.1)
}
