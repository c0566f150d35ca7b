//! 附件: private files that lie beside a change.

use infra::{
    Error, OnConstraint, Result, Tx,
    files::{self, Takes},
};

use super::{ChangeFile, select::attachments};

/// The papers of one change, as stored.
pub(super) async fn of(tx: &mut Tx, id: i64) -> Result<Vec<ChangeFile>> {
    Ok(attachments(tx, &[id]).await?.remove(&id).unwrap_or_default())
}

/// Replaces the papers by those wanted; those that stay are not touched.
///
/// # Errors
/// 422 at `attachments[n]` when an upload was not completed, the file is another record's, or of another kind or
/// larger than papers are.
pub(super) async fn set(tx: &mut Tx, id: i64, before: &[ChangeFile], wanted: &[String]) -> Result<()> {
    let gone: Vec<String> = before.iter().filter(|old| !wanted.contains(&old.key)).map(|old| old.key.clone()).collect();
    if !gone.is_empty() {
        sqlx::query!(
            "delete from student_change_file f using file_object o
             where o.id = f.file_id and f.student_change_id = $1 and o.key = any($2)",
            id,
            &gone
        )
        .execute(&mut **tx)
        .await?;
        files::release(tx, &gone).await?;
    }
    let is_new = |key: &String| !before.iter().any(|old| old.key == *key);
    for (index, key) in wanted.iter().enumerate().filter(|(_, key)| is_new(key)) {
        let field = format!("attachments[{index}]");
        let adopted = files::adopt_of(tx, key, ("student_change", id), "registration", Takes::Paper).await;
        let file = adopted.map_err(|error| match error.code {
            422 => Error::field(&field, error.msg),
            _ => error,
        })?;
        sqlx::query!("insert into student_change_file (student_change_id, file_id) values ($1, $2)", id, file)
            .execute(&mut **tx)
            .await
            .on_constraint(|name| {
                (name == "student_change_file_file_taken").then(|| Error::field(&field, "该文件已在使用，请重新上传"))
            })?;
    }
    Ok(())
}
