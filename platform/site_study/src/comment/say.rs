//! A learner says something of a course.

use infra::{App, Change, Error, OnConstraint, Result, Tx};
use serde_json::json;
use settings::sensitive::{self, Screened};

use super::{CommentStatus, PRE_AUDIT};

/// Characters of a comment.
const MOST: usize = 500;

/// What a learner says.
#[derive(Debug, Clone)]
pub struct Said {
    pub course_id: i64,
    /// The learner, and the name under which they say it.
    pub learner: (i64, String),
    /// The comment that it answers.
    pub parent_id: Option<i64>,
    /// As [`screened`] left it.
    pub content: String,
    pub status: CommentStatus,
    pub ip: Option<String>,
}

/// What becomes of a text: words of the library are masked, make it wait, or have it refused. Words are counted in a transaction of
/// their own, so they are looked for before the one of the comment begins: each of many comments would hold one connection and wait
/// for another.
///
/// # Errors
/// 422 for a word that may not be kept.
pub async fn screened(app: &App, content: &str) -> Result<(String, CommentStatus)> {
    let waits = app.flag(PRE_AUDIT).await?;
    Ok(match sensitive::screen_field(app, "content", content.trim()).await? {
        Screened::Publish(content) if waits => (content, CommentStatus::Pending),
        Screened::Publish(content) => (content, CommentStatus::Approved),
        Screened::Review(content) => (content, CommentStatus::Pending),
    })
}

/// Keeps a comment. Answers its number.
///
/// # Errors
/// 422 for an empty or too long text; 404 for a course that is not public, or a comment that is not there.
pub async fn say(tx: &mut Tx, said: Said) -> Result<(i64, Change)> {
    let length = said.content.trim().chars().count();
    if length == 0 || length > MOST {
        return Err(Error::field("content", format!("评论应为1至{MOST}个字")));
    }
    let is_public = sqlx::query_scalar!(
        r#"select enabled and putaway = 'on' as "public!" from platform.online_course where id = $1 for share"#,
        said.course_id
    )
    .fetch_optional(&mut **tx)
    .await?;
    if is_public != Some(true) {
        return Err(Error::not_found());
    }
    // An answer to an answer stands below the comment that both belong to.
    let parent = match said.parent_id {
        None => None,
        Some(parent) => Some(
            sqlx::query_scalar!(
                r#"select coalesce(parent_id, id) as "id!" from platform.course_comment
                   where id = $1 and course_id = $2 and audit_status = 'approved'"#,
                parent,
                said.course_id
            )
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(Error::not_found)?,
        ),
    };
    let (learner, name) = said.learner;
    let (content, status) = (said.content.trim(), said.status);
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.course_comment (course_id, learner_id, learner_name, parent_id, content, audit_status, ip, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        said.course_id,
        learner,
        name,
        parent,
        content,
        status.as_str(),
        said.ip,
        by
    )
    .fetch_one(&mut **tx)
    .await
    // Somebody deletes the comment in the moment in which it is answered.
    .on_constraint(|constraint| (constraint == "course_comment_of_parent").then(Error::not_found))?;
    let what = json!({ "courseId": said.course_id, "content": content, "auditStatus": status.as_str() });
    Ok((id, Change::event("course_comment", id, "insert", what)))
}
