//! 播放: opens a period for its student, and the session in which their player's beats count.

use chrono::Duration;
use courses::period::PeriodKind;
use infra::{
    Client, Error, Result, Tx,
    clock::{Moment, day_began},
    files,
};
use online_study_rules::{
    course::Course,
    credit::{self, SILENCE_SECONDS},
    periods::{Line, locked},
};
use poem_openapi::Object;
use settings::media::{MediaChannel, MediaState, play_token};

use super::periods::lines;
use crate::{
    StudentClient, WritesOften,
    counting::{self, Counting},
    course::{course_of_student, day_is_full, left_on},
};

/// Seconds from one beat of a player to the next.
const BEAT_SECONDS: i32 = 30;
/// For so long an address or token of a player holds at least.
const TICKET: Duration = Duration::minutes(10);
/// Sessions that a student begins on a day at the most: each is kept for two years.
const A_DAY: i64 = 500;
/// How often a session is begun anew that another call of the same student overtook.
const TRIES: usize = 3;

/// What a player needs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlayTicket {
    /// 播放会话
    pub play_session_id: i64,
    /// 类型
    pub kind: PeriodKind,
    /// 地址
    /// 文档、直播和外部链接
    pub url: Option<String>,
    /// 音视频通道
    pub channel: Option<MediaChannel>,
    /// 通道编号
    pub vid: Option<String>,
    /// 播放凭证
    pub play_token: Option<String>,
    /// 凭证有效期
    pub expires_at: Moment,
    /// 上次位置
    /// 秒，文档为页码
    pub position: i32,
    /// 心跳间隔(秒)
    pub beat_seconds: i32,
    /// 最高倍速
    pub max_speed: f64,
    /// 允许拖动到未学部分
    pub allow_seek_unwatched: bool,
    /// 水印
    pub watermark: String,
    /// 服务器时间
    pub server_time: Moment,
}

/// # Errors
/// 403 for whoever does not study now; 404 for a period that is not the course's; 409 outside of the window, when the day's time is
/// used up, while one before it is not finished, and while its video is not ready; 429 for whoever opens hundreds of them.
pub(super) async fn play(
    caller: &Client<StudentClient, WritesOften>,
    selection: i64,
    period: i64,
) -> Result<PlayTicket> {
    let (app, now) = (&caller.app, caller.app.clock().now());
    let mut read = caller.read().await?;
    let course = course_of_student(&mut read, selection, caller.session.person_id).await?;
    course.may_study()?;
    course.counts_at(now)?;
    let record = course.record_id.ok_or_else(Error::not_found)?;
    let lines = lines(&mut read, record, selection).await?;
    let place = lines.iter().position(|line| line.id == period).ok_or_else(Error::not_found)?;
    let line = &lines[place];
    if left_on(&course, &mut read, app.clock().today()).await? == Some(0) {
        return Err(day_is_full());
    }
    if locked(&lines, course.sequential)[place] {
        return Err(Error::conflict("请先完成前面的课时"));
    }
    if line.media_state.is_some_and(|state| state != MediaState::Ready) {
        return Err(Error::conflict("该课时的音视频尚未就绪，请稍后再试"));
    }
    let url = match line.file_id {
        Some(file) => files::address(app, &mut read, file).await?.map(|(url, _)| url),
        None => line.url.clone(),
    };
    // The channel is asked while no transaction waits for it.
    drop(read);
    let play_token = match (line.channel, &line.vid) {
        (Some(channel), Some(vid)) => play_token(app, channel, vid, course.student_id).await?,
        _ => None,
    };
    let play_session_id = begin(caller, &course, line, now).await?;
    let number = course.student_no.as_deref().unwrap_or_default();
    Ok(PlayTicket {
        play_session_id,
        kind: line.kind,
        url,
        channel: line.channel,
        vid: line.vid.clone(),
        play_token,
        expires_at: now + TICKET,
        position: line.last_position,
        beat_seconds: BEAT_SECONDS,
        max_speed: course.max_speed,
        allow_seek_unwatched: course.allow_seek_unwatched,
        watermark: format!("{} {number}", course.student_name).trim_end().to_owned(),
        server_time: now,
    })
}

/// Ends the student's session that lives, and begins another.
async fn begin(caller: &Client<StudentClient, WritesOften>, course: &Course, line: &Line, now: Moment) -> Result<i64> {
    let mut tx = caller.begin().await?;
    let since = day_began(caller.app.clock().today());
    let first = sqlx::query_scalar!(
        "select started_at from study_session where student_id = $1 order by id desc limit 1 offset $2",
        course.student_id,
        A_DAY - 1
    )
    .fetch_optional(&mut *tx)
    .await?;
    if first.is_some_and(|first| first >= since) {
        return Err(Error::too_many(format!("今日打开课时已达{A_DAY}次，请明天再学习")));
    }
    let mut begun = None;
    for _ in 0..TRIES {
        end_others(&mut tx, course.student_id, caller, now).await?;
        let (from, ahead_millis) = going_on(&mut tx, course.student_id, now).await?;
        // Another call of the same student may have begun one meanwhile: that one is ended in turn.
        begun = sqlx::query_scalar!(
            "insert into study_session (selection_id, student_id, period_id, sign_in, started_at, last_beat_at, ahead_millis, ip, device)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             on conflict (student_id) where ended_at is null do nothing
             returning id",
            course.selection_id,
            course.student_id,
            line.id,
            caller.session.jti,
            now as _,
            from as _,
            ahead_millis,
            caller.visit.ip,
            caller.visit.device()
        )
        .fetch_optional(&mut *tx)
        .await?;
        if begun.is_some() {
            break;
        }
    }
    let id = begun.ok_or_else(|| Error::conflict("正在打开其他课时，请稍后再试"))?;
    if line.kind == PeriodKind::Link && !line.is_finished() {
        counting::hold(&mut tx, &[course.selection_id]).await?;
        // Nothing tells what somebody does on another site: that it was opened counts.
        sqlx::query!(
            "insert into study_progress (selection_id, period_id, watched, seen, progress, finished_at, first_at, last_at, client_kinds)
             values ($1, $2, '{[0,1)}', 1, 100, $3, $3, $3, array[$4])
             on conflict (selection_id, period_id) do update
             set watched = excluded.watched, seen = excluded.seen, progress = excluded.progress,
                 finished_at = coalesce(study_progress.finished_at, excluded.finished_at), last_at = excluded.last_at",
            course.selection_id,
            line.id,
            now as _,
            caller.visit.device()
        )
        .execute(&mut *tx)
        .await?;
        sqlx::query!(
            "insert into study_day (selection_id, day) values ($1, $2) on conflict (selection_id, day) do nothing",
            course.selection_id,
            caller.app.clock().today()
        )
        .execute(&mut *tx)
        .await?;
        counting::recount(&mut tx, &[course.selection_id], Counting::studied_at(now)).await?;
    }
    tx.commit_untracked("a session of study is its own record").await?;
    Ok(id)
}

/// What was silent ended when it fell silent; else the same sign-in went on to another period, or another took over.
async fn end_others(tx: &mut Tx, student: i64, caller: &Client<StudentClient, WritesOften>, now: Moment) -> Result<()> {
    sqlx::query!(
        "update study_session
         set ended_at = case when last_beat_at < $3 then last_beat_at else $2 end,
             end_reason = case when last_beat_at < $3 then 'silent' when sign_in = $4 then 'other_period'
                               else 'other_device' end
         where student_id = $1 and ended_at is null",
        student,
        now as _,
        (now - Duration::seconds(SILENCE_SECONDS)) as _,
        caller.session.jti
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// From when on a new session of the student counts, and by how much it is ahead of the clock: their last one goes on in it, so that
/// nobody gains by beginning often, nor by coming to a server whose clock is behind.
async fn going_on(tx: &mut Tx, student: i64, now: Moment) -> Result<(Moment, i32)> {
    let last = sqlx::query!(
        "select last_beat_at, ahead_millis from study_session where student_id = $1 order by id desc limit 1",
        student
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(last.map_or((now, 0), |last| {
        let from = now.max(last.last_beat_at);
        (from, credit::still_ahead(last.ahead_millis, (from - last.last_beat_at).num_milliseconds()))
    }))
}
