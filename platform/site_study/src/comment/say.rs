//! A learner says something of a course.

use infra::{Change, Error, OnConstraint, Result, Tx};
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
    pub content: String,
    pub ip: Option<String>,
}

/// Keeps a comment: words of the library are masked, make it wait, or have it refused. Answers its number and whether others see
/// it at once.
///
/// # Errors
/// 422 for an empty or too long text and for a word that may not be kept; 404 for a course that is not public, or a comment that is
/// not there.
pub async fn say(tx: &mut Tx, said: Said) -> Result<(i64, CommentStatus, Change)> {
    let app = tx.app().clone();
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
    let waits = app.flag(PRE_AUDIT).await?;
    let (content, status) = match sensitive::screen_field(&app, "content", said.content.trim()).await? {
        Screened::Publish(content) if waits => (content, CommentStatus::Pending),
        Screened::Publish(content) => (content, CommentStatus::Approved),
        Screened::Review(content) => (content, CommentStatus::Pending),
    };
    let (learner, name) = said.learner;
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
    Ok((id, status, Change::event("course_comment", id, "insert", what)))
}
