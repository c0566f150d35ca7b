//! What of the semesters another school may take over.

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

use super::{ListSemesters, SaveSemester, Semester, SemesterFilter, SemesterForm, Semesters, insert};

pub(super) const FOUNDATION: Foundation = Foundation {
    kind: "semester",
    name: "学期",
    needs: &[],
    reads: ListSemesters::CODE,
    adds: SaveSemester::CODE,
    all: |_, connection| Box::pin(all(connection)),
    add: |tx, _, piece| Box::pin(add(tx, piece)),
};

/// The current one first: the first semester of a school is its current one.
async fn all(connection: &mut PgConnection) -> Result<Vec<Piece>> {
    let semesters = Semesters::all(connection, &SemesterFilter::default(), &Scope::whole_school()).await?;
    let mut semesters: Vec<Semester> = semesters.try_collect().await?;
    semesters.sort_by_key(|semester| !semester.current);
    Ok(semesters.into_iter().map(piece).collect())
}

fn piece(semester: Semester) -> Piece {
    let form = SemesterForm {
        code: semester.code.clone(),
        name: Some(semester.name.clone()),
        starts_on: semester.starts_on,
        ends_on: semester.ends_on,
        holidays: semester.holidays,
    };
    let form = form.to_json().unwrap_or_default();
    Piece { key: semester.code, name: semester.name, in_use: !semester.closed, form, refers: Value::Null }
}

async fn add(tx: &mut Tx, piece: Piece) -> Result<Change> {
    Ok(insert(tx, body::check::<SemesterForm>(piece.form)?).await?.1)
}
