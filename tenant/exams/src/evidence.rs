//! Files that prove something, sent in by an account or by a person of the clients and named by their numbers.

use infra::{
    App, Error, Result, Tx,
    files::{self, adopt_kind},
};
use poem_openapi::Object;
use sqlx::PgConnection;

/// What proves something is a paper, a picture or an archive.
const EXTENSIONS: [&str; 8] = ["pdf", "doc", "docx", "jpg", "jpeg", "png", "zip", "mp4"];
/// Of each, in MiB.
const MOST_MB: i64 = 50;

/// A file that proves something; the address lasts some minutes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamEvidence {
    /// 编号
    pub id: i64,
    /// 文件名
    pub name: String,
    /// 地址
    pub url: String,
}

/// Makes these files a record's own; who acts sent them in.
///
/// # Errors
/// 422 at `fileIds` for files that are not theirs, or of another kind.
pub async fn keep(tx: &mut Tx, owner: (&'static str, i64), ids: &[i64]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let actor = tx.actor().clone();
    let kind = if matches!(actor.kind.as_str(), "platform" | "school") { "account" } else { actor.kind.as_str() };
    let known = sqlx::query!(
        "select id, key from file_object where id = any($1) and uploader_type = $2 and uploader_id = $3 order by id",
        ids,
        kind,
        actor.id
    )
    .fetch_all(&mut **tx)
    .await?;
    if known.len() < ids.len() {
        return Err(Error::field("fileIds", "附件不存在或有重复，请重新上传"));
    }
    for file in known {
        adopt_kind(tx, &file.key, owner, &EXTENSIONS, MOST_MB)
            .await
            .map_err(|error| if error.code == 422 { Error::field("fileIds", error.msg) } else { error })?;
    }
    Ok(())
}

/// The addresses of files by their numbers, in that order.
///
/// # Errors
/// Those of the store.
pub async fn shown(app: &App, connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<ExamEvidence>> {
    let rows = sqlx::query!(
        "select f.id, f.key, f.original_name from unnest($1::bigint[]) with ordinality as w (id, place)
         join file_object f on f.id = w.id and f.state = 'stored' order by w.place",
        ids
    )
    .fetch_all(connection)
    .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let url = files::url_of(app, &row.key, &row.original_name).await?;
        found.push(ExamEvidence { id: row.id, name: row.original_name, url });
    }
    Ok(found)
}
