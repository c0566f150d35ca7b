//! 心跳: what a player says since its last beat, and what of it counts (part 03 B5).

use course_rules::period::PeriodKind;
use infra::{Error, Result, clock::Moment};
use poem_openapi::{Object, types::Example};

use crate::{
    course::Course,
    credit::{self, Allowance, Credited, Lesson, Playing},
    enums::StudyEvent,
    periods::whole_of,
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

/// The parts of a video that were played.
///
/// # Errors
/// 422 for a part that is not a beginning and an end.
pub fn parts_of(beat: &Beat) -> Result<Vec<(i32, i32)>> {
    let part = |part: &Vec<i32>| match part.as_slice() {
        [from, to] => Ok((*from, *to)),
        _ => Err(Error::field("segments", "每段应为开始秒和结束秒")),
    };
    beat.segments.iter().map(part).collect()
}

/// A period with what was done of it.
pub struct Standing {
    pub kind: PeriodKind,
    pub duration: Option<i32>,
    pub page_count: Option<i32>,
    pub live_starts_at: Option<Moment>,
    pub live_ends_at: Option<Moment>,
    pub watched: String,
    pub pages: String,
    pub finished_at: Option<Moment>,
}

/// What a beat tells, and how much may count of it.
pub struct Told<'b> {
    pub parts: &'b [(i32, i32)],
    pub pages: &'b [i32],
    pub speed: f64,
    /// By how much what was credited is ahead of the clock.
    pub ahead_millis: i32,
    pub last_beat: Moment,
    pub now: Moment,
    /// Seconds that are left of the day.
    pub most: i32,
}

/// What a period has come to.
pub struct Done {
    pub watched: Spans,
    pub pages: Spans,
    pub seen: i32,
    pub credited: Credited,
    pub ahead_millis: i32,
    /// In tenths of a percent.
    pub progress: i64,
    pub finished: bool,
}

impl Standing {
    /// With what a beat adds.
    ///
    /// # Errors
    /// Only internal ones.
    pub fn with(&self, told: &Told<'_>, course: &Course) -> Result<Done> {
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

#[cfg(test)]
mod tests {
    use chrono::Duration;

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
