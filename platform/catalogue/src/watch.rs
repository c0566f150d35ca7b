//! A lesson that a learner wants to watch: whether they may, and what is played then (01 §9.11).

use catalogue_rules::watch::{CourseRight, Watched, may_watch};
use infra::{Error, Result, clock::Moment};
use settings::media::{MediaChannel, MediaState};
use sqlx::PgConnection;

/// A lesson that somebody may watch. A live one has nothing to play before its replay is there.
#[derive(Debug, Clone)]
pub struct Lesson {
    pub course_id: i64,
    pub channel: Option<MediaChannel>,
    pub vid: Option<String>,
    pub state: Option<MediaState>,
    /// Seconds.
    pub duration: Option<i32>,
    /// How far the learner came, in seconds.
    pub position: i64,
}

/// What a learner has of a course.
pub(crate) async fn right(
    connection: &mut PgConnection,
    learner: i64,
    course: i64,
    now: Moment,
) -> Result<CourseRight> {
    let runs = sqlx::query_scalar!(
        r#"select r.expires_at is null or r.expires_at > $3 as "runs!"
           from platform.learner_right r
           join platform.online_course c on c.course_type = r.product_type and c.id = r.product_id
           where r.learner_id = $1 and c.id = $2"#,
        learner,
        course,
        now
    )
    .fetch_optional(connection)
    .await?;
    Ok(right_of(runs))
}

const fn right_of(runs: Option<bool>) -> CourseRight {
    match runs {
        None => CourseRight::Nothing,
        Some(false) => CourseRight::Expired,
        Some(true) => CourseRight::Runs,
    }
}

/// # Errors
/// 404 for a lesson that is not there, and of a course that is switched off, or off the shelf for whoever has no right to it; 403 for
/// one that is to be bought.
pub async fn lesson(connection: &mut PgConnection, learner: i64, period: i64, now: Moment) -> Result<Lesson> {
    let found = sqlx::query!(
        r#"select h.course_id as "course_id!", c.enabled as "enabled!",
                  c.putaway = 'on' and c.audit_status = 'approved' as "on_sale!", c.is_free or p.is_free as "is_free!",
                  (select r.expires_at is null or r.expires_at > $3 from platform.learner_right r
                   where r.learner_id = $2 and r.product_type = c.course_type and r.product_id = c.id) as "runs?",
                  m.channel as "channel?: MediaChannel", m.vid as "vid?", m.state as "state?: MediaState",
                  m.duration as "duration?",
                  coalesce((select s.position_seconds from platform.online_study s
                            where s.learner_id = $2 and s.period_id = p.id), 0) as "position!"
           from platform.online_period p
           join platform.online_chapter h on h.id = p.chapter_id
           join platform.online_course c on c.id = h.course_id
           left join platform.media_asset m on m.id = coalesce(p.media_asset_id, p.replay_asset_id)
           where p.id = $1"#,
        period,
        learner,
        now
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let right = right_of(found.runs);
    may_watch(Watched { enabled: found.enabled, on_sale: found.on_sale, is_free: found.is_free, right })?;
    Ok(Lesson {
        course_id: found.course_id,
        channel: found.channel,
        vid: found.vid,
        state: found.state,
        duration: found.duration,
        position: found.position,
    })
}
