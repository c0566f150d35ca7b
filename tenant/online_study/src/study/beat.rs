//! 心跳: what a player says since its last beat, and what of it counts. One short transaction a beat; the session's row is held
//! from its beginning to its end, so that beats of one player come one after the other, and one that comes twice gets its answer
//! again.

use chrono::Duration;
use courses::period::PeriodKind;
use infra::{Client, Error, Result, Tx, clock::Moment};
use poem_openapi::{
    Object,
    types::{Example, ParseFromJSON, ToJSON},
};

use super::periods::whole_of;
use crate::{
    StudentClient, WritesOften,
    counting::{self, Counting},
    course::{Course, day_is_full},
    credit::{self, Allowance, Credited, Lesson, Playing, SILENCE_SECONDS},
    enums::{StudyEnd, StudyEvent},
    spans::Spans,
};

/// Longest part of a video that can be named, in seconds: the longest that a period may be.
const LONGEST: i32 = 360_000;

/// What a player says.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct Beat {
    /// 播放会话
    pub play_session_id: i64,
    /// 序号
    /// 从1开始递增
    #[oai(validator(minimum(value = "1")))]
    pub seq: i64,
    /// 事件
    pub event: StudyEvent,
    /// 播放区间
    /// 上次心跳后播放的各段，[[开始秒,结束秒]]
    #[oai(default, validator(max_items = 200))]
    pub segments: Vec<Vec<i32>>,
    /// 页码
    /// 上次心跳后显示的各页
    #[oai(default, validator(max_items = 200))]
    pub pages: Vec<i32>,
    /// 倍速
    #[oai(default = "normal", validator(minimum(value = "0.1"), maximum(value = "16")))]
    pub speed: f64,
    /// 位置
    /// 秒，文档为页码
    #[oai(default, validator(minimum(value = "0"), maximum(value = "360000")))]
    pub position: i32,
}

fn normal() -> f64 {
    1.0
}

impl Example for Beat {
    fn example() -> Self {
        Self {
            play_session_id: 1,
            seq: 1,
            event: StudyEvent::Play,
            segments: vec![vec![0, 30]],
            pages: Vec::new(),
            speed: 1.0,
            position: 30,
        }
    }
}

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

/// A period with what was done of it.
struct Standing {
    kind: PeriodKind,
    duration: Option<i32>,
    page_count: Option<i32>,
    live_starts_at: Option<Moment>,
    live_ends_at: Option<Moment>,
    watched: String,
    pages: String,
    finished_at: Option<Moment>,
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
    let course = Course::of(&mut tx, session.selection_id).await?;
    course.may_study()?;
    course.counts_at(now)?;
    counting::hold(&mut tx, &[session.selection_id]).await?;
    let today = caller.app.clock().today();
    let left = course.left_on(&mut tx, today).await?;
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

/// # Errors
/// 422 for a part that is not a beginning and an end.
fn parts_of(beat: &Beat) -> Result<Vec<(i32, i32)>> {
    let part = |part: &Vec<i32>| match part.as_slice() {
        [from, to] => Ok((*from, *to)),
        _ => Err(Error::field("segments", "每段应为开始秒和结束秒")),
    };
    beat.segments.iter().map(part).collect()
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

/// What a beat tells, and how much may count of it.
struct Told<'b> {
    parts: &'b [(i32, i32)],
    pages: &'b [i32],
    speed: f64,
    /// By how much what was credited is ahead of the clock.
    ahead_millis: i32,
    last_beat: Moment,
    now: Moment,
    /// Seconds that are left of the day.
    most: i32,
}

/// What a period has come to.
struct Done {
    watched: Spans,
    pages: Spans,
    seen: i32,
    credited: Credited,
    ahead_millis: i32,
    /// In tenths of a percent.
    progress: i64,
    finished: bool,
}

impl Standing {
    /// With what a beat adds.
    fn with(&self, told: &Told<'_>, course: &Course) -> Result<Done> {
        let spans = |text: &str| Spans::parse(text).ok_or_else(|| Error::internal("ranges of the database"));
        let (mut watched, mut pages) = (spans(&self.watched)?, spans(&self.pages)?);
        let live = self.live_starts_at.zip(self.live_ends_at);
        let whole = whole_of(self.kind, (self.duration, self.page_count), live);
        let elapsed = (told.now - told.last_beat).num_milliseconds();
        // Of a document and of what is live the speed of a player says nothing.
        let speeds = match self.kind {
            PeriodKind::Video | PeriodKind::Audio => (told.speed, course.max_speed),
            PeriodKind::Document | PeriodKind::Live | PeriodKind::Link => (1.0, 1.0),
        };
        let allowance = Allowance::of(elapsed, speeds, told.ahead_millis);
        let (credited, used) = match self.kind {
            PeriodKind::Video | PeriodKind::Audio => {
                let playing = Playing {
                    length: whole.unwrap_or(LONGEST),
                    allowed: allowance.seconds().min(told.most),
                    may_seek: course.allow_seek_unwatched,
                };
                let credited = credit::played(&mut watched, told.parts, playing);
                (credited, credited.seconds)
            }
            PeriodKind::Document => {
                credit::read(&mut pages, told.pages, whole.unwrap_or(1), allowance, (elapsed, told.most))
            }
            PeriodKind::Live => {
                let credited = live.map(|(starts, ends)| {
                    credit::attended(&mut watched, Lesson { starts, ends }, told.last_beat, told.now, told.most)
                });
                (credited.unwrap_or_default(), 0)
            }
            // It counted when it was opened.
            PeriodKind::Link => (Credited::default(), 0),
        };
        let seen = match self.kind {
            PeriodKind::Document => pages.within(1, whole.unwrap_or(1).saturating_add(1)),
            _ => watched.within(0, whole.unwrap_or(LONGEST)),
        };
        let finished = self.finished_at.is_some() || credit::is_finished(seen, whole, course.finish_percent);
        let (ahead_millis, progress) = (allowance.ahead_after(used), credit::tenths(seen, whole));
        Ok(Done { watched, pages, seen, credited, ahead_millis, progress, finished })
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn course() -> Course {
        Course::of_a_hundred_days()
    }

    fn standing(watched: &str) -> Standing {
        Standing {
            kind: PeriodKind::Video,
            duration: Some(600),
            page_count: None,
            live_starts_at: None,
            live_ends_at: None,
            watched: watched.to_owned(),
            pages: "{}".to_owned(),
            finished_at: None,
        }
    }

    fn told(parts: &[(i32, i32)], seconds: i64) -> Told<'_> {
        let now = Moment::default() + Duration::days(1);
        Told {
            parts,
            pages: &[],
            speed: 1.0,
            ahead_millis: 0,
            last_beat: now - Duration::seconds(seconds),
            now,
            most: i32::MAX,
        }
    }

    /// Scenario 4: 96 % on a rule of 90 % is finished, and shows 96.0.
    #[test]
    fn a_finished_period_shows_what_was_watched() {
        let done = standing("{[0,540)}").with(&told(&[(540, 576)], 40), &course()).expect("a beat of this piece");
        assert_eq!((done.seen, done.progress, done.finished), (576, 960, true));
        assert_eq!((done.watched.to_string().as_str(), done.ahead_millis), ("{[0,576)}", 0));
        let few = Told { most: 10, ..told(&[(100, 130)], 40) };
        let done = standing("{[0,100)}").with(&few, &course()).expect("a beat of this piece");
        assert_eq!((done.credited.seconds, done.credited.rejected, done.finished), (10, 20, false));
    }

    /// What a player was ahead of the clock with its last beat it is not ahead again.
    #[test]
    fn the_five_seconds_are_given_once() {
        let first = standing("{}").with(&told(&[(0, 300)], 30), &course()).expect("a beat of this piece");
        assert_eq!((first.credited.seconds, first.ahead_millis), (35, 5_000));
        let at_once = Told { ahead_millis: first.ahead_millis, ..told(&[(35, 60)], 0) };
        let second = standing("{[0,35)}").with(&at_once, &course()).expect("a beat of this piece");
        assert_eq!((second.credited.seconds, second.credited.rejected, second.ahead_millis), (0, 25, 5_000));
    }

    #[test]
    fn a_part_has_two_ends() {
        let beat = Beat { segments: vec![vec![0, 30, 60]], ..Beat::example() };
        assert_eq!(parts_of(&beat).map_err(|error| error.code), Err(422));
        assert_eq!(parts_of(&Beat::example()), Ok(vec![(0, 30)]));
    }
}
