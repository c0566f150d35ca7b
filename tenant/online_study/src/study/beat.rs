//! 心跳: what a player says since its last beat, and what of it counts. One short transaction a beat; the session's row is held
//! from its beginning to its end, so that beats of one player come one after the other, and one that comes twice gets its answer
//! again.

use chrono::Duration;
use infra::{Client, Error, Result, Tx, clock::Moment};
use online_study_rules::{
    beat::{Beat, Done, Standing, Told, parts_of},
    credit::SILENCE_SECONDS,
};
use poem_openapi::{
    Object,
    types::{ParseFromJSON, ToJSON},
};

use crate::{
    StudentClient, WritesOften,
    counting::{self, Counting},
    course::{course_of, day_is_full, left_on},
    enums::{StudyEnd, StudyEvent},
};

/// What came of it.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct BeatAnswer {
    /// 课时进度(%)
    pub progress: f64,
    /// 课时已完成
    pub finished: bool,
    /// 课程进度(%)
    pub course_progress: f64,
    /// 本次计入的秒数
    pub credited_seconds: i32,
    /// 本次未计入的秒数
    pub rejected_seconds: i32,
    /// 服务器时间
    pub server_time: Moment,
}

/// A session, held.
struct Session {
    selection_id: i64,
    period_id: i64,
    last_beat_at: Moment,
    ahead_millis: i32,
    seq: i64,
    answer: Option<serde_json::Value>,
    ended: Option<StudyEnd>,
}

/// # Errors
/// 403 for whoever does not study now; 404 for a session of somebody else; 409 when it is over, outside of the window, and when the
/// day's time is used up.
pub(super) async fn beat(caller: &Client<StudentClient, WritesOften>, beat: &Beat) -> Result<BeatAnswer> {
    let now = caller.app.clock().now();
    let parts = parts_of(beat)?;
    let mut tx = caller.begin().await?;
    let session = held(&mut tx, beat.play_session_id, caller.session.person_id).await?;
    // One that comes again, or late behind another, changes nothing.
    if let Some(answer) = session.answer.as_ref().filter(|_| beat.seq <= session.seq) {
        return BeatAnswer::parse_from_json(Some(answer.clone()))
            .map_err(|error| Error::internal(error.into_message()));
    }
    match session.ended {
        None => {}
        Some(StudyEnd::OtherDevice) => return Err(Error::conflict("已在其他设备学习")),
        Some(_) => return Err(over()),
    }
    if now - session.last_beat_at > Duration::seconds(SILENCE_SECONDS) {
        end(&mut tx, beat.play_session_id, session.last_beat_at, StudyEnd::Silent).await?;
        tx.commit_untracked("a session of study is its own record").await?;
        return Err(over());
    }
    let course = course_of(&mut tx, session.selection_id).await?;
    course.may_study()?;
    course.counts_at(now)?;
    counting::hold(&mut tx, &[session.selection_id]).await?;
    let today = caller.app.clock().today();
    let left = left_on(&course, &mut tx, today).await?;
    if left == Some(0) {
        end(&mut tx, beat.play_session_id, now, StudyEnd::Closed).await?;
        tx.commit_untracked("a session of study is its own record").await?;
        return Err(day_is_full());
    }
    let standing = standing(&mut tx, session.selection_id, session.period_id).await?;
    let told = Told {
        parts: &parts,
        pages: &beat.pages,
        speed: beat.speed,
        ahead_millis: session.ahead_millis,
        last_beat: session.last_beat_at,
        // The clock of another server may be a little before this one: what it counted is not counted again.
        now: now.max(session.last_beat_at),
        most: left.unwrap_or(i32::MAX),
    };
    let done = standing.with(&told, &course)?;
    write(&mut tx, &session, &done, (beat.position, caller.visit.device()), now).await?;
    sqlx::query!(
        "insert into study_day (selection_id, day, seconds) values ($1, $2, $3)
         on conflict (selection_id, day) do update set seconds = study_day.seconds + excluded.seconds",
        session.selection_id,
        today,
        done.credited.seconds
    )
    .execute(&mut *tx)
    .await?;
    let counted = counting::recount(&mut tx, &[session.selection_id], Counting::studied_at(now)).await?;
    let answer = BeatAnswer {
        progress: done.progress as f64 / 10.0,
        finished: done.finished,
        course_progress: counted.first().map_or(0.0, |counted| counted.progress),
        credited_seconds: done.credited.seconds,
        rejected_seconds: done.credited.rejected,
        server_time: now,
    };
    let ended = beat.event == StudyEvent::End;
    sqlx::query!(
        "update study_session
         set seq = $2, last_beat_at = $3, answer = $4, credited_seconds = credited_seconds + $5,
             rejected_seconds = least(rejected_seconds::bigint + $6, 2000000000)::integer, ahead_millis = $8,
             ended_at = case when $7 then $3::timestamptz end, end_reason = case when $7 then 'closed' end
         where id = $1",
        beat.play_session_id,
        beat.seq,
        told.now as _,
        answer.to_json().unwrap_or_default(),
        done.credited.seconds,
        i64::from(done.credited.rejected),
        ended,
        done.ahead_millis
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("a session of study is its own record").await?;
    Ok(answer)
}

fn over() -> Error {
    Error::conflict("会话已结束")
}

async fn held(tx: &mut Tx, id: i64, student: i64) -> Result<Session> {
    let row = sqlx::query!(
        r#"select selection_id, period_id, last_beat_at, ahead_millis, seq, answer, end_reason as "end_reason: StudyEnd"
           from study_session where id = $1 and student_id = $2 for update"#,
        id,
        student
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    Ok(Session {
        selection_id: row.selection_id,
        period_id: row.period_id,
        last_beat_at: row.last_beat_at,
        ahead_millis: row.ahead_millis,
        seq: row.seq,
        answer: row.answer,
        ended: row.end_reason,
    })
}

async fn end(tx: &mut Tx, id: i64, at: Moment, why: StudyEnd) -> Result<()> {
    sqlx::query!("update study_session set ended_at = $2, end_reason = $3 where id = $1", id, at as _, why.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

async fn standing(tx: &mut Tx, selection: i64, period: i64) -> Result<Standing> {
    sqlx::query_as!(
        Standing,
        r#"select p.kind as "kind!: _", coalesce(p.duration_seconds, m.duration) as duration, p.page_count,
                  p.live_starts_at, p.live_ends_at, coalesce(x.watched::text, '{}') as "watched!",
                  coalesce(x.pages::text, '{}') as "pages!", x.finished_at as "finished_at?"
           from course_period p
           left join media_asset m on m.id = p.media_asset_id
           left join study_progress x on x.period_id = p.id and x.selection_id = $1
           where p.id = $2"#,
        selection,
        period
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

async fn write(
    tx: &mut Tx,
    session: &Session,
    done: &Done,
    (position, device): (i32, &'static str),
    now: Moment,
) -> Result<()> {
    sqlx::query!(
        "insert into study_progress as x (selection_id, period_id, watched, pages, seen, watched_seconds, last_position, progress,
             finished_at, first_at, last_at, client_kinds)
         values ($1, $2, $3::text::int4multirange, $4::text::int4multirange, $5, $6, $7, $8::bigint / 10.0,
                 case when $9 then $10::timestamptz end, $10, $10, array[$11])
         on conflict (selection_id, period_id) do update
         set watched = excluded.watched, pages = excluded.pages, seen = excluded.seen,
             watched_seconds = x.watched_seconds + excluded.watched_seconds, last_position = excluded.last_position,
             progress = excluded.progress, finished_at = coalesce(x.finished_at, excluded.finished_at),
             last_at = excluded.last_at,
             client_kinds = case when x.client_kinds @> excluded.client_kinds then x.client_kinds
                                 else x.client_kinds || excluded.client_kinds end",
        session.selection_id,
        session.period_id,
        done.watched.to_string(),
        done.pages.to_string(),
        done.seen,
        done.credited.seconds,
        position,
        done.progress,
        done.finished,
        now as _,
        device
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
