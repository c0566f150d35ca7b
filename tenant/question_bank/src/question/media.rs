//! The files of a question: pictures of its texts, the audio of a 听力题.

use std::collections::HashMap;

use infra::{App, Error, Result, Tx, files};
use poem_openapi::Object;
use question_bank_rules::lines::{AUDIO, PICTURES};
use sqlx::PgConnection;

/// A file as a page shows it; the address lasts some minutes.
#[derive(Debug, Clone, Object)]
pub struct QuestionMedia {
    /// 文件
    pub key: String,
    /// 地址
    pub url: String,
    /// 文件名
    pub name: String,
}

/// The largest picture or audio, in MiB.
const FILE_MB: i64 = 20;

/// What of each file makes two questions the same: the digest of its bytes. A file that no question may have keeps its key.
pub(super) async fn digests(tx: &mut Tx, keys: &[String]) -> Result<HashMap<String, String>> {
    let app = tx.app().clone();
    files::note_digests(&app, tx, keys, FILE_MB << 20).await?;
    let rows =
        sqlx::query!(r#"select key, coalesce(sha256, key) as "digest!" from file_object where key = any($1)"#, keys)
            .fetch_all(&mut **tx)
            .await?;
    Ok(rows.into_iter().map(|row| (row.key, row.digest)).collect())
}

/// The number of a stored private file, from now on the question's; one that is a question's already is shared.
///
/// # Errors
/// 422 at the field when it was not uploaded, is public, too large, or of no kind that the field takes.
async fn adopted(tx: &mut Tx, question: i64, key: &str, field: &str) -> Result<i64> {
    let kinds: &[&str] = if field == "mediaKey" { &AUDIO } else { &PICTURES };
    let told = |error: Error| if error.code == 422 { Error::field(field, error.msg) } else { error };
    files::is_one_of(key, kinds).map_err(told)?;
    let shared = sqlx::query_scalar!(
        "select id from file_object where key = $1 and state = 'stored' and owner_type = 'question'",
        key
    )
    .fetch_optional(&mut **tx)
    .await?;
    if let Some(id) = shared {
        return Ok(id);
    }
    files::adopt_kind(tx, key, ("question", question), kinds, FILE_MB).await.map_err(told)
}

/// Makes these pictures and this audio the question's own, and lets go of what it showed before and shows no more.
///
/// # Errors
/// 422 at `stem` or `mediaKey` for a file that the question may not have.
pub(super) async fn set(tx: &mut Tx, question: i64, keys: &[String], audio: Option<&str>) -> Result<()> {
    let before = of_question(tx, question).await?;
    let mut ids = Vec::new();
    for key in keys {
        ids.push(adopted(tx, question, key, "stem").await?);
    }
    let frozen = sqlx::query_scalar!(
        r#"select exists (select from snapshot_question where whole_id = $1) as "frozen!""#,
        question
    )
    .fetch_one(&mut **tx)
    .await?;
    if frozen {
        // A snapshot shows them for ever, also when another question that shared them goes.
        ids.extend(&before);
    }
    ids.sort_unstable();
    ids.dedup();
    let audio = match audio {
        Some(key) => Some(adopted(tx, question, key, "mediaKey").await?),
        None => None,
    };
    sqlx::query!("delete from question_media where question_id = $1 and file_id <> all($2)", question, &ids)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into question_media (question_id, file_id) select $1, f.id from unnest($2::bigint[]) as f (id)
         on conflict (question_id, file_id) do nothing",
        question,
        &ids
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("update question set media_file_id = $2 where id = $1", question, audio).execute(&mut **tx).await?;
    let left: Vec<i64> = before.into_iter().filter(|id| !ids.contains(id) && audio != Some(*id)).collect();
    let_go(tx, question, &left).await
}

/// The files of a question.
pub(super) async fn of_question(connection: &mut PgConnection, question: i64) -> Result<Vec<i64>> {
    let ids = sqlx::query_scalar!(
        r#"select file_id as "id!" from question_media where question_id = $1
           union select media_file_id from question where id = $1 and media_file_id is not null"#,
        question
    )
    .fetch_all(connection)
    .await?;
    Ok(ids)
}

/// Files that no question shows any more are swept away later. What was in a snapshot is shown there for ever.
pub(super) async fn let_go(tx: &mut Tx, question: i64, ids: &[i64]) -> Result<()> {
    let free = sqlx::query_scalar!(
        r#"select f.id as "id!" from unnest($2::bigint[]) as f (id)
           where not exists (select from question_media m where m.file_id = f.id)
             and not exists (select from question q where q.media_file_id = f.id)
             and not exists (select from snapshot_question s where s.whole_id = $1)"#,
        question,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    files::let_go(tx, &free).await
}

/// The files of these keys with their addresses; those that are gone, or another record's, are left out.
///
/// # Errors
/// Those of the store.
pub async fn shown(app: &App, connection: &mut PgConnection, keys: &[String]) -> Result<Vec<QuestionMedia>> {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    keys.dedup();
    let rows = sqlx::query!(
        "select key, original_name from file_object
         where key = any($1) and state = 'stored' and owner_type = 'question' order by key",
        &keys
    )
    .fetch_all(connection)
    .await?;
    let mut media = Vec::with_capacity(rows.len());
    for row in rows {
        let url = files::url_of(app, &row.key, &row.original_name).await?;
        media.push(QuestionMedia { key: row.key, url, name: row.original_name });
    }
    Ok(media)
}
