//! What is asked and answered, as it is kept: without sensitive words (part 01), and never without its author.

use infra::{App, Change, Error, Result, Tx};
use serde_json::json;
use settings::sensitive::{Screened, screen};

use crate::enums::ReplyKind;

/// A text as it may be shown; and whether somebody should look at it first.
pub(super) async fn screened(app: &App, text: &str) -> Result<(String, bool)> {
    Ok(match screen(app, text.trim()).await? {
        Screened::Publish(text) => (text, false),
        Screened::Review(text) => (text, true),
    })
}

/// The text of an answer.
///
/// # Errors
/// 422 for words that may not be shown, or not before somebody looked: an answer is not kept back.
pub(super) async fn screened_reply(app: &App, text: &str) -> Result<String> {
    let (text, looked_at_first) = screened(app, text).await?;
    if text.is_empty() {
        return Err(Error::field("content", "请填写内容"));
    }
    if looked_at_first { Err(Error::refused("内容包含敏感词，请修改后提交")) } else { Ok(text) }
}

/// An answer with its author.
pub(super) struct Answer {
    pub kind: ReplyKind,
    pub by_id: i64,
    pub by_name: String,
    pub content: String,
}

/// Adds an answer to a question.
///
/// # Errors
/// Those of the database.
pub(super) async fn answer(tx: &mut Tx, question: i64, given: Answer) -> Result<Change> {
    let now = tx.app().clock().now();
    sqlx::query!(
        "insert into course_qa_reply (qa_id, by_kind, by_id, by_name, content, created_at) values ($1, $2, $3, $4, $5, $6)",
        question,
        given.kind.as_str(),
        given.by_id,
        given.by_name,
        given.content,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "byKind": given.kind.as_str(), "content": given.content });
    Ok(Change::event("course_qa", question, "reply", what))
}
