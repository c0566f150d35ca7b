//! What proves the new values: private files that lie beside a correction.

use infra::{
    Error, OnConstraint, Result, Tx,
    files::{self, Takes},
};

use super::{CorrectionEvidence, CorrectionEvidenceForm, select::evidence};

/// The papers of one correction, as stored.
pub(super) async fn of(tx: &mut Tx, id: i64) -> Result<Vec<CorrectionEvidence>> {
    Ok(evidence(tx, &[id]).await?.remove(&id).unwrap_or_default())
}

/// Replaces the papers by those wanted; those that stay are not touched.
///
/// # Errors
/// 422 at `attachments[n].key` when an upload was not completed, the file is another record's, or of another kind or
/// larger than papers are.
pub(super) async fn set(
    tx: &mut Tx,
    id: i64,
    before: &[CorrectionEvidence],
    wanted: &[CorrectionEvidenceForm],
) -> Result<()> {
    let same =
        |old: &CorrectionEvidence, paper: &CorrectionEvidenceForm| old.key == paper.key && old.kind == paper.kind;
    let gone: Vec<String> =
        before.iter().filter(|old| !wanted.iter().any(|paper| same(old, paper))).map(|old| old.key.clone()).collect();
    if !gone.is_empty() {
        sqlx::query!(
            "delete from student_correction_file f using file_object o
             where o.id = f.file_id and f.student_correction_id = $1 and o.key = any($2)",
            id,
            &gone
        )
        .execute(&mut **tx)
        .await?;
        files::release(tx, &gone).await?;
    }
    let is_new = |paper: &CorrectionEvidenceForm| !before.iter().any(|old| same(old, paper));
    for (index, paper) in wanted.iter().enumerate().filter(|(_, paper)| is_new(paper)) {
        let field = format!("attachments[{index}].key");
        let adopted = files::adopt_of(tx, &paper.key, ("student_correction", id), "registration", Takes::Paper).await;
        let file = adopted.map_err(|error| match error.code {
            422 => Error::field(&field, error.msg),
            _ => error,
        })?;
        sqlx::query!(
            "insert into student_correction_file (student_correction_id, kind, file_id) values ($1, $2, $3)",
            id,
            paper.kind.as_str(),
            file
        )
        .execute(&mut **tx)
        .await
        .on_constraint(|name| {
            (name == "student_correction_file_file_taken").then(|| Error::field(&field, "该文件已在使用，请重新上传"))
        })?;
    }
    Ok(())
}
