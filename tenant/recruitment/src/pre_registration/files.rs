//! Photo and papers of a pre-registration: private files that lie beside it.

use infra::{App, Error, OnConstraint, Result, Tx, files};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::form::AttachmentForm;

/// A paper, as stored.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize)]
pub struct Attachment {
    /// 材料类型
    pub kind: String,
    /// 文件
    pub key: String,
    /// 文件名
    pub name: String,
}

/// # Errors
/// 422 at `photo` when the upload was not completed.
pub(super) async fn set_photo(tx: &mut Tx, id: i64, before: Option<&str>, wanted: Option<&str>) -> Result<()> {
    if before == wanted {
        return Ok(());
    }
    let file = match wanted {
        Some(key) => Some(adopted(tx, key, id, "photo").await?),
        None => None,
    };
    sqlx::query!("update pre_registration set photo_id = $2 where id = $1", id, file).execute(&mut **tx).await?;
    if let Some(before) = before {
        files::release(tx, &[before.to_owned()]).await?;
    }
    Ok(())
}

/// Replaces the papers by those wanted; those that stay are not touched.
///
/// # Errors
/// 422 at `attachments[n].key` when an upload was not completed or the file is another record's.
pub(super) async fn set_papers(tx: &mut Tx, id: i64, before: &[Attachment], wanted: &[AttachmentForm]) -> Result<()> {
    let is_there = |paper: &AttachmentForm| before.iter().any(|old| old.key == paper.key && old.kind == paper.kind);
    let gone: Vec<String> = before
        .iter()
        .filter(|old| !wanted.iter().any(|paper| old.key == paper.key && old.kind == paper.kind))
        .map(|old| old.key.clone())
        .collect();
    if !gone.is_empty() {
        sqlx::query!(
            "delete from pre_registration_file f using file_object o
             where o.id = f.file_id and f.pre_registration_id = $1 and o.key = any($2)",
            id,
            &gone
        )
        .execute(&mut **tx)
        .await?;
        files::release(tx, &gone).await?;
    }
    for (index, paper) in wanted.iter().enumerate().filter(|(_, paper)| !is_there(paper)) {
        let field = format!("attachments[{index}].key");
        let file = adopted(tx, &paper.key, id, &field).await?;
        sqlx::query!(
            "insert into pre_registration_file (pre_registration_id, kind, file_id) values ($1, $2, $3)",
            id,
            paper.kind,
            file
        )
        .execute(&mut **tx)
        .await
        .on_constraint(|name| {
            (name == "pre_registration_file_file_taken").then(|| Error::field(&field, "该文件已在使用，请重新上传"))
        })?;
    }
    Ok(())
}

async fn adopted(tx: &mut Tx, key: &str, id: i64, field: &str) -> Result<i64> {
    files::adopt(tx, key, "pre_registration", id).await.map_err(|error| match error.code {
        422 => Error::field(field, error.msg),
        _ => error,
    })
}

/// Every file that came in for these people, also what was replaced since. The papers are theirs no more.
pub(crate) async fn taken_from(tx: &mut Tx, ids: &[i64]) -> Result<Vec<i64>> {
    let papers = sqlx::query_scalar!(
        "delete from pre_registration_file where pre_registration_id = any($1) returning file_id",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let photos = sqlx::query_scalar!(
        r#"select photo_id as "id!" from pre_registration where id = any($1) and photo_id is not null"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let others = files::of_records(tx, "pre_registration", ids).await?;
    Ok([papers, photos, others].concat())
}

/// Removes the files that no other person has.
pub(crate) async fn remove_nobodys(tx: &mut Tx, app: &App, ids: &[i64]) -> Result<usize> {
    let nobodys = sqlx::query_scalar!(
        "select o.id from file_object o
         where o.id = any($1)
           and not exists (select from pre_registration p where p.photo_id = o.id)
           and not exists (select from pre_registration_file f where f.file_id = o.id)",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    files::remove(app, tx, &nobodys).await
}
