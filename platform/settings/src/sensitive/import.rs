//! Many words at once: the lines of a text file (01 §3.2.8), the words of the 新增 page.

use infra::{
    Change, Error, Result, Scope, Tx,
    transfer::{Imported, Undo},
};
use poem_openapi::types::multipart::Upload;
use serde_json::json;
use setting_rules::words::{Fresh, decode};

use super::{TOPIC, words};

const MOST_BYTES: usize = 20 << 20;

/// Writes those that the library lacks; answers their changes.
pub async fn insert(fresh: &Fresh, tx: &mut Tx) -> Result<Vec<Change>> {
    let by = tx.by();
    let written = sqlx::query!(
        "insert into platform.sensitive_word (word, normal, category, action, created_by, updated_by)
         select word, normal, category, action, $5, $5
         from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as t (word, normal, category, action)
         on conflict (normal) do nothing
         returning id, word, category, action",
        &fresh.words,
        &fresh.normals,
        &fresh.categories as &[&str],
        &fresh.actions as &[&str],
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let change = |id, what| Change::event("sensitive_word", id, "insert", what);
    Ok(written
        .into_iter()
        .map(|row| change(row.id, json!({ "word": row.word, "category": row.category, "action": row.action })))
        .collect())
}

/// The words of a file go again.
pub struct ImportedWords;

impl Undo for ImportedWords {
    const KIND: &'static str = "sensitive_word.import";
    type Permission = words::ImportWords;

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        tx.notice(TOPIC, "");
        words::remove(tx, record.id).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let word = sqlx::query_scalar!("select word from platform.sensitive_word where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?;
        Ok(word.unwrap_or_default())
    }
}

/// The text of an uploaded file, UTF-8 or GB18030.
///
/// # Errors
/// 422 at `file` when it is too large or in neither encoding.
pub async fn text_of(file: Upload) -> Result<String> {
    if file.size() > MOST_BYTES {
        return Err(Error::field("file", "文件不能超过20MB"));
    }
    let bytes = file.into_vec().await.map_err(Error::internal)?;
    decode(&bytes).ok_or_else(|| Error::field("file", "无法识别文件编码，请另存为 UTF-8 或 GB18030 文本"))
}
