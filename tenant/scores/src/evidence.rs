//! Files that prove a correction, or are the signed paper of a sheet, as people see them.

use infra::{App, Result, files};
use poem_openapi::Object;
use sqlx::PgConnection;

/// A file with an address that lasts some minutes.
#[derive(Debug, Clone, Object)]
pub struct ScoreFile {
    /// 编号
    pub id: i64,
    /// 文件名
    pub name: String,
    /// 地址
    pub url: String,
}

/// The addresses of files by their numbers, in that order.
///
/// # Errors
/// Those of the store.
pub(crate) async fn shown(app: &App, connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<ScoreFile>> {
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
        found.push(ScoreFile { id: row.id, name: row.original_name, url });
    }
    Ok(found)
}
