//! A buyer scores a course.

use catalogue::course::rescore;
use infra::{Change, Error, OnConstraint, Result, Tx};
use serde_json::json;

/// Characters that may stand beside a score.
const MOST: usize = 200;

/// What a learner gives.
#[derive(Debug, Clone)]
pub struct Scored {
    pub course_id: i64,
    /// The learner, and the name under which they score.
    pub learner: (i64, String),
    /// From 1 to 5.
    pub score: i16,
    /// Its words were looked at.
    pub content: Option<String>,
    /// Whether the learner bought the course, or was given it; also when its days are over.
    pub bought: bool,
}

/// Keeps a score, and the course's average with it.
///
/// # Errors
/// 403 for who did not buy the course; 422 for a score or a text that may not be kept; 404 for a course that is not there or is
/// switched off; 409 `您已评分`.
pub async fn rate(tx: &mut Tx, scored: Scored) -> Result<(i64, Change)> {
    if !scored.bought {
        return Err(Error::new(403, "购买课程后才能评分"));
    }
    if !(1..=5).contains(&scored.score) {
        return Err(Error::field("score", "评分应为1至5分"));
    }
    let content = match scored.content.as_deref().map(str::trim) {
        None | Some("") => None,
        Some(text) if text.chars().count() > MOST => {
            return Err(Error::field("content", format!("评分内容最多{MOST}个字")));
        }
        Some(text) => Some(text),
    };
    // The average is counted anew, so two scores of a course follow each other.
    sqlx::query!("select id from platform.online_course where id = $1 and enabled for update", scored.course_id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    let (learner, name) = scored.learner;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.course_rating (course_id, learner_id, learner_name, score, content, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $6) returning id",
        scored.course_id,
        learner,
        name,
        scored.score,
        content,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| (constraint == "course_rating_taken").then(|| Error::conflict("您已评分")))?;
    rescore(tx, scored.course_id).await?;
    let what = json!({ "courseId": scored.course_id, "score": scored.score });
    Ok((id, Change::event("course_rating", id, "insert", what)))
}

/// Whether a learner bought a course, or was given it. What was refunded is taken back.
///
/// # Errors
/// Those of the database.
pub(crate) async fn has_bought(tx: &mut Tx, learner: i64, course: i64) -> Result<bool> {
    let bought = sqlx::query_scalar!(
        r#"select exists (
               select from platform.learner_right r
               join platform.online_course c on c.id = r.product_id and c.course_type = r.product_type
               where r.learner_id = $1 and c.id = $2) as "bought!""#,
        learner,
        course
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(bought)
}
