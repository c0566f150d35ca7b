//! The files of questions: pictures of their texts, the audio of a 听力题. They are the question's that had them first; copies share
//! them.

use std::collections::HashMap;

use infra::{App, Error, Result, Tx, files};
use poem_openapi::Object;
use question_bank_rules::lines::{AUDIO, PICTURES};
use sqlx::PgConnection;

/// The largest picture or audio, in MiB.
const FILE_MB: i64 = 20;
/// What they belong to.
const OWNER: &str = "online_problem";

/// A file as a page shows it; the address lasts some minutes.
#[derive(Debug, Clone, Object)]
pub struct QuizMedia {
    /// 文件
    pub key: String,
    /// 地址
    pub url: String,
    /// 文件名
    pub name: String,
}

/// What of each file makes two questions the same: the digest of its bytes. A file that is not there keeps its key.
pub(super) async fn digests(tx: &mut Tx, keys: &[String]) -> Result<HashMap<String, String>> {
    if keys.is_empty() {
        return Ok(HashMap::new());
    }
    let app = tx.app().clone();
    files::note_digests(&app, tx, keys, FILE_MB << 20).await?;
    let rows = sqlx::query!(
        r#"select key, coalesce(sha256, key) as "digest!" from platform.file_object where key = any($1)"#,
        keys
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.key, row.digest)).collect())
}

/// A stored private file is the question's from now on; one that is a question's already is shared.
///
/// # Errors
/// 422 at the field when it was not uploaded, is public, too large, or of no kind that the field takes.
pub(super) async fn adopt(tx: &mut Tx, problem: i64, key: &str, field: &str) -> Result<()> {
    let kinds: &[&str] = if field == "mediaKey" { &AUDIO } else { &PICTURES };
    let told = |error: Error| if error.code == 422 { Error::field(field, error.msg) } else { error };
    files::is_one_of(key, kinds).map_err(told)?;
    let shared = sqlx::query_scalar!(
        r#"select exists (select from platform.file_object where key = $1 and state = 'stored' and owner_type = $2) as "shared!""#,
        key,
        OWNER
    )
    .fetch_one(&mut **tx)
    .await?;
    if !shared {
        files::adopt_kind(tx, key, (OWNER, problem), kinds, FILE_MB).await.map_err(told)?;
    }
    Ok(())
}

/// Files that no question shows any more are swept away later.
pub(super) async fn let_go(tx: &mut Tx, problem: i64, keys: &[String]) -> Result<()> {
    if keys.is_empty() {
        return Ok(());
    }
    let free = sqlx::query_scalar!(
        r#"select k as "k!" from unnest($2::text[]) as u (k)
           where not exists (select from platform.online_problem p where p.id <> $1 and p.file_keys @> array[k])"#,
        problem,
        keys
    )
    .fetch_all(&mut **tx)
    .await?;
    files::release(tx, &free).await
}

/// The files of these keys with their addresses; those that are gone, or another record's, are left out.
///
/// # Errors
/// Those of the store.
pub(crate) async fn shown(app: &App, connection: &mut PgConnection, keys: &[String]) -> Result<Vec<QuizMedia>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        "select key, original_name from platform.file_object
         where key = any($1) and state = 'stored' and owner_type = $2 order by key",
        keys,
        OWNER
    )
    .fetch_all(connection)
    .await?;
    let mut media = Vec::with_capacity(rows.len());
    for row in rows {
        let url = files::url_of(app, &row.key, &row.original_name).await?;
        media.push(QuizMedia { key: row.key, url, name: row.original_name });
    }
    Ok(media)
}
