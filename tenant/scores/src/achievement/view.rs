//! All scores of one student.

use infra::{Result, Scope, across::Keyed};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::scores::{Achievement, rows_of};
use crate::achievement::standing::Standings;

/// A student with all their scores.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AchievementView {
    /// 合计
    /// 没有已发布成绩时为空
    pub standing: Option<Achievement>,
    /// 成绩
    /// 按学期和课程
    pub scores: Vec<Achievement>,
}

/// What is published, and for who may see it the rest.
///
/// # Errors
/// 404 for a student beyond the scope.
pub(super) async fn viewed(
    connection: &mut PgConnection,
    student: i64,
    drafts: Option<&Scope>,
    scope: &Scope,
) -> Result<AchievementView> {
    let place = sqlx::query!("select site_id, class_id from student where id = $1", student)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or_else(infra::Error::not_found)?;
    if !scope.sees(Some(place.site_id), place.class_id) {
        return Err(infra::Error::not_found());
    }
    let drafts = drafts.is_some_and(|drafts| drafts.sees(Some(place.site_id), place.class_id));
    let ids = sqlx::query_scalar!(
        "select id from course_score where student_id = $1 and ($2 or status in ('published', 'locked'))",
        student,
        drafts
    )
    .fetch_all(&mut *connection)
    .await?;
    let scores = rows_of(connection, &ids).await?;
    let standing = match Standings::find(connection, student, scope).await {
        Ok(standing) => Some(standing),
        Err(error) if error.code == 404 => None,
        Err(error) => return Err(error),
    };
    Ok(AchievementView { standing, scores })
}
