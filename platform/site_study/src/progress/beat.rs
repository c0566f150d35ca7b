//! A beat of the player.

use catalogue::course::studied;
use catalogue_rules::beat::{EVERY, accepted, is_covered, reached};
use infra::{Error, Result, Tx, clock::Moment};
use sqlx::PgConnection;

/// What a player tells every half minute.
#[derive(Debug, Clone)]
pub struct Beat {
    pub learner_id: i64,
    /// Who they are on the lists.
    pub learner_name: String,
    /// As it was then; lists show the one that the learner has.
    pub phone: String,
    pub period_id: i64,
    /// Where the player stands, in seconds.
    pub position: i64,
    /// What was watched since the last beat, in seconds.
    pub delta: i64,
    /// Which device it is; one at a time counts.
    pub device: String,
}

/// How far a learner is with a lesson and its course, as their player is told.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Standing {
    pub(crate) watched_seconds: i64,
    pub(crate) position_seconds: i64,
    pub(crate) finished: bool,
    /// Finished lessons of all, in percent, one place.
    pub(crate) progress: f64,
}

/// Counts a beat; the caller proved that the learner has the right to the lesson. Answers the seconds that were counted, none while
/// another device of theirs plays. Of several lessons that play at once all together count no more than one.
///
/// # Errors
/// 404 for a lesson that is not watched.
pub async fn beat(tx: &mut Tx, now: Moment, beat: &Beat) -> Result<i64> {
    let lesson = sqlx::query!(
        r#"select h.course_id, m.duration
           from platform.online_period p
           join platform.online_chapter h on h.id = p.chapter_id
           join platform.media_asset m on m.id = coalesce(p.media_asset_id, p.replay_asset_id)
           where p.id = $1"#,
        beat.period_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    // Beats of a learner follow each other, whichever lessons they are of.
    sqlx::query!("select id from platform.user_ext where id = $1 for no key update", beat.learner_id)
        .fetch_optional(&mut **tx)
        .await?;
    let begun = sqlx::query!(
        "insert into platform.online_course_study (learner_id, course_id, learner_name, phone, device, started_at, last_at)
         values ($1, $2, $3, $4, $5, $6, $6) on conflict (course_id, learner_id) do nothing",
        beat.learner_id,
        lesson.course_id,
        beat.learner_name,
        beat.phone,
        beat.device,
        now
    )
    .execute(&mut **tx)
    .await?;
    if begun.rows_affected() > 0 {
        studied(tx, lesson.course_id, 1).await?;
    }
    let last = sqlx::query!(
        r#"select max(last_at) filter (where device <> $2) as "elsewhere?: Moment", max(last_at) as "anywhere!: Moment"
           from platform.online_course_study where learner_id = $1"#,
        beat.learner_id,
        beat.device
    )
    .fetch_one(&mut **tx)
    .await?;
    if last.elsewhere.is_some_and(|at| (now - at).num_seconds() < EVERY) {
        return Ok(0);
    }
    let counted = accepted(beat.delta, (now - last.anywhere).num_seconds());
    let duration = lesson.duration.map(i64::from);
    sqlx::query!(
        "update platform.online_course_study
         set watched_seconds = watched_seconds + $2, device = $3, learner_name = $4, phone = $5, last_at = $6
         where course_id = $1 and learner_id = $7",
        lesson.course_id,
        counted,
        beat.device,
        beat.learner_name,
        beat.phone,
        now,
        beat.learner_id
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into platform.online_study (learner_id, period_id, course_id, beat_at) values ($1, $2, $3, $4)
         on conflict (learner_id, period_id) do nothing",
        beat.learner_id,
        beat.period_id,
        lesson.course_id,
        now
    )
    .execute(&mut **tx)
    .await?;
    let so_far = sqlx::query!(
        "update platform.online_study
         set watched_seconds = watched_seconds + $3, position_seconds = greatest(position_seconds, $4), beat_at = $5
         where learner_id = $1 and period_id = $2 returning watched_seconds, position_seconds",
        beat.learner_id,
        beat.period_id,
        counted,
        reached(beat.position, duration),
        now
    )
    .fetch_one(&mut **tx)
    .await?;
    if is_covered(so_far.watched_seconds, so_far.position_seconds, duration) {
        sqlx::query!(
            "update platform.online_study set finished_at = $3
             where learner_id = $1 and period_id = $2 and finished_at is null",
            beat.learner_id,
            beat.period_id,
            now
        )
        .execute(&mut **tx)
        .await?;
    }
    let day = now.date_naive();
    sqlx::query!(
        "insert into platform.online_study_day (course_id, day, seconds) values ($1, $2, 0) on conflict (course_id, day) do nothing",
        lesson.course_id,
        day
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update platform.online_study_day set seconds = seconds + $3 where course_id = $1 and day = $2",
        lesson.course_id,
        day,
        counted
    )
    .execute(&mut **tx)
    .await?;
    Ok(counted)
}

/// # Errors
/// 404 for a lesson that is not there.
pub(crate) async fn standing(connection: &mut PgConnection, learner: i64, period: i64) -> Result<Standing> {
    sqlx::query_as!(
        Standing,
        r#"select coalesce(o.watched_seconds, 0) as "watched_seconds!", coalesce(o.position_seconds, 0) as "position_seconds!",
                  o.finished_at is not null as "finished!",
                  (select round(100.0 * count(f.finished_at) / greatest(count(*), 1), 1)::float8
                   from platform.online_chapter h
                   join platform.online_period q on q.chapter_id = h.id
                   left join platform.online_study f on f.period_id = q.id and f.learner_id = $1
                   where h.course_id = c.course_id) as "progress!"
           from platform.online_period p
           join platform.online_chapter c on c.id = p.chapter_id
           left join platform.online_study o on o.period_id = p.id and o.learner_id = $1
           where p.id = $2"#,
        learner,
        period
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)
}
