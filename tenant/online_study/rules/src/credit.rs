//! How much of what a player claims counts (part 03 B5): never more than the server's clock allows. Pure.

use infra::clock::Moment;

use crate::spans::Spans;

/// By how much a player may be ahead of the server's clock, with all its beats and sessions together, in milliseconds.
const SLACK_MILLIS: i64 = 5_000;
/// What somebody may leave out, in seconds, without having jumped.
const GAP: i32 = 5;
/// A session that is silent for longer is over.
pub const SILENCE_SECONDS: i64 = 120;
/// A page counts when it was open so long.
const PAGE_SECONDS: i32 = 5;
/// Most that one beat notes as rejected, whatever it claims.
const MOST_REJECTED: i32 = 86_400;

/// What a beat came to, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Credited {
    pub seconds: i32,
    pub rejected: i32,
}

impl Credited {
    fn of(seconds: i32, rejected: i32) -> Self {
        Self { seconds, rejected: rejected.min(MOST_REJECTED) }
    }
}

/// How much a beat may credit: the time on the server's clock since the last one, at the speed that the player says and the course
/// allows, and five seconds. These five are given once: what was credited ahead of the clock is paid back by the time that follows,
/// so that a hundred beats in a second, or a hundred sessions, come no further than one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// What the clock gives, in milliseconds of study.
    given: i64,
    /// By how much what was credited before is ahead of it.
    ahead: i64,
}

impl Allowance {
    pub fn of(elapsed_millis: i64, (speed, max_speed): (f64, f64), ahead_millis: i32) -> Self {
        let hundredths = (speed.min(max_speed) * 100.0).round() as i64;
        Self {
            given: elapsed_millis.clamp(0, SILENCE_SECONDS * 1_000) * hundredths.max(0) / 100,
            ahead: i64::from(ahead_millis).clamp(0, SLACK_MILLIS),
        }
    }

    /// Whole seconds that may be credited.
    pub fn seconds(self) -> i32 {
        i32::try_from((self.given + SLACK_MILLIS - self.ahead) / 1_000).unwrap_or(i32::MAX)
    }

    /// By how much the player is ahead, in milliseconds, once so many seconds were used. Time that was not used is not kept.
    pub fn ahead_after(self, used: i32) -> i32 {
        let ahead = i64::from(used) * 1_000 + self.ahead - self.given;
        i32::try_from(ahead.clamp(0, SLACK_MILLIS)).unwrap_or(0)
    }
}

/// By how much a student is still ahead who was so much ahead with their last beat, this long ago.
pub fn still_ahead(ahead_millis: i32, since_millis: i64) -> i32 {
    let ahead = (i64::from(ahead_millis) - since_millis).clamp(0, SLACK_MILLIS);
    i32::try_from(ahead).unwrap_or(0)
}

/// What of a video or recording was played.
#[derive(Debug, Clone, Copy)]
pub struct Playing {
    /// Of the video, in seconds.
    pub length: i32,
    pub allowed: i32,
    /// Whether the player may jump to what was not watched.
    pub may_seek: bool,
}

/// Adds the parts that were played to what was watched, in their order, until nothing more is allowed. What was watched before counts
/// as time of study, not as more of the video.
pub fn played(watched: &mut Spans, parts: &[(i32, i32)], playing: Playing) -> Credited {
    let (mut seconds, mut rejected) = (0_i32, 0_i32);
    for (from, to) in parts {
        let (from, to) = ((*from).max(0), (*to).min(playing.length));
        if to <= from {
            continue;
        }
        let taken = if playing.may_seek || watched.reaches(from, GAP) {
            (to - from).min((playing.allowed - seconds).max(0))
        } else {
            0
        };
        watched.add(from, from + taken);
        seconds += taken;
        rejected = rejected.saturating_add(to - from - taken);
    }
    Credited::of(seconds, rejected)
}

/// Adds pages that were open since the last beat, of which each new one uses five seconds of what is allowed; those that were read
/// before cost nothing. The time counts as study while pages are shown. Answers what counts and what was used.
pub fn read(
    pages: &mut Spans,
    shown: &[i32],
    count: i32,
    allowance: Allowance,
    (elapsed_millis, most): (i64, i32),
) -> (Credited, i32) {
    let elapsed = i32::try_from(elapsed_millis.clamp(0, SILENCE_SECONDS * 1_000) / 1_000).unwrap_or(0);
    let mut left = allowance.seconds() / PAGE_SECONDS;
    let (mut used, mut rejected) = (0, 0);
    let mut any = false;
    for page in shown.iter().filter(|page| (1..=count).contains(*page)) {
        any = true;
        if pages.has(*page) {
            continue;
        }
        if left > 0 {
            left -= 1;
            used += PAGE_SECONDS;
            pages.add(*page, *page + 1);
        } else {
            rejected += PAGE_SECONDS;
        }
    }
    (Credited::of(if any { elapsed.min(most.max(0)) } else { 0 }, rejected), used)
}

/// A live lesson, from its beginning to its end.
#[derive(Debug, Clone, Copy)]
pub struct Lesson {
    pub starts: Moment,
    pub ends: Moment,
}

impl Lesson {
    /// In seconds.
    pub fn length(self) -> i32 {
        i32::try_from((self.ends - self.starts).num_seconds()).unwrap_or(i32::MAX)
    }
}

/// Adds the time of a live lesson between the last beat and now; nothing that the player says counts.
pub fn attended(watched: &mut Spans, lesson: Lesson, last_beat: Moment, now: Moment, most: i32) -> Credited {
    let place = |at: Moment| i32::try_from((at - lesson.starts).num_seconds()).unwrap_or(i32::MAX);
    let (from, to) = (place(last_beat).max(0), place(now).min(lesson.length()));
    let seconds = (to - from).clamp(0, most.max(0));
    watched.add(from, from + seconds);
    Credited::of(seconds, 0)
}

/// The share of a whole, in tenths of a percent, rounded half up; none where nobody knows how long the whole is.
pub fn tenths(seen: i32, whole: Option<i32>) -> i64 {
    let Some(whole) = whole.filter(|whole| *whole > 0) else { return 0 };
    let (seen, whole) = (i64::from(seen), i64::from(whole));
    ((seen * 2_000 + whole) / (whole * 2)).min(1_000)
}

/// Whether a period counts as finished: the share itself is compared, not what is shown of it.
pub fn is_finished(seen: i32, whole: Option<i32>, finish_percent: i32) -> bool {
    whole.is_some_and(|whole| whole > 0 && i64::from(seen) * 100 >= i64::from(whole) * i64::from(finish_percent))
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use infra::clock::day_began;

    use super::*;

    fn at(second: i64) -> Moment {
        let noon = day_began(NaiveDate::from_ymd_opt(2026, 3, 2).expect("a day"));
        noon + chrono::Duration::seconds(second)
    }

    /// Scenario 1: a video of 600 s, of which [0, 300) and [200, 420) were watched.
    #[test]
    fn what_was_watched_twice_counts_once() {
        let mut watched = Spans::default();
        let playing = Playing { length: 600, allowed: 10_000, may_seek: false };
        let credited = played(&mut watched, &[(0, 300), (200, 420)], playing);
        assert_eq!(credited, Credited { seconds: 520, rejected: 0 });
        assert_eq!(tenths(watched.within(0, 600), Some(600)), 700);
    }

    /// Scenario 2: half a minute after the last beat a player claims five.
    #[test]
    fn no_more_counts_than_the_clock_allows() {
        let allowed = |elapsed, speed| Allowance::of(elapsed, (speed, 1.5), 0).seconds();
        assert_eq!(allowed(30_000, 1.0), 35);
        let mut watched = Spans::default();
        let playing = Playing { length: 600, allowed: 35, may_seek: false };
        assert_eq!(played(&mut watched, &[(0, 300)], playing), Credited { seconds: 35, rejected: 265 });
        assert_eq!(watched.to_string(), "{[0,35)}");
        assert_eq!(allowed(30_000, 2.0), 50, "no faster than the course allows");
        assert_eq!((allowed(-30_000, 1.0), allowed(600_000, 1.0)), (5, 125));
        assert_eq!((allowed(30_000, f64::NAN), allowed(30_000, f64::INFINITY), allowed(30_000, -1.0)), (50, 50, 5));
    }

    /// The five seconds are not given anew with each beat.
    #[test]
    fn a_hundred_beats_come_no_further_than_one() {
        let (mut ahead, mut credited) = (0, 0);
        for _ in 0..100 {
            let allowance = Allowance::of(10, (1.0, 1.5), ahead);
            let seconds = allowance.seconds();
            ahead = allowance.ahead_after(seconds);
            credited += seconds;
        }
        assert_eq!(credited, 6, "a second of the clock, and five");
        // What was not used is not kept for later, and half a minute pays back what was ahead.
        assert_eq!(Allowance::of(30_000, (1.0, 1.5), 5_000).ahead_after(0), 0);
        assert_eq!(Allowance::of(30_000, (1.0, 1.5), 5_000).seconds(), 30);
        assert_eq!(
            (still_ahead(5_000, 2_000), still_ahead(5_000, 60_000), still_ahead(4_000, -9_000)),
            (3_000, 0, 5_000)
        );
    }

    #[test]
    fn nobody_jumps_to_what_was_not_watched_unless_the_course_allows() {
        let mut watched = Spans::default();
        watched.add(0, 60);
        let playing = Playing { length: 600, allowed: 100, may_seek: false };
        assert_eq!(played(&mut watched.clone(), &[(300, 330)], playing), Credited { seconds: 0, rejected: 30 });
        assert_eq!(played(&mut watched.clone(), &[(63, 93)], playing), Credited { seconds: 30, rejected: 0 });
        let free = Playing { may_seek: true, ..playing };
        assert_eq!(played(&mut watched, &[(300, 330)], free), Credited { seconds: 30, rejected: 0 });
    }

    #[test]
    fn what_lies_outside_of_the_video_is_no_part_of_it() {
        let mut watched = Spans::default();
        let playing = Playing { length: 100, allowed: 1_000, may_seek: true };
        let parts = [(-50, 20), (90, 500), (200, 300), (40, 30), (i32::MIN, i32::MAX)];
        assert_eq!(played(&mut watched, &parts, playing), Credited { seconds: 130, rejected: 0 });
        assert_eq!(watched.to_string(), "{[0,100)}");
    }

    #[test]
    fn a_page_is_read_in_five_seconds() {
        let mut pages = Spans::default();
        let allowance = |elapsed, ahead| Allowance::of(elapsed, (1.0, 1.0), ahead);
        let first = allowance(10_000, 0);
        let (credited, used) = read(&mut pages, &[1, 2, 3, 4], 10, first, (10_000, 600));
        assert_eq!((credited, used), (Credited { seconds: 10, rejected: 5 }, 15));
        assert_eq!((pages.to_string().as_str(), first.ahead_after(used)), ("{[1,4)}", 5_000));
        let (credited, used) = read(&mut pages, &[3, 4, 11, 0], 10, allowance(5_000, 5_000), (5_000, 600));
        assert_eq!((credited, used), (Credited { seconds: 5, rejected: 0 }, 5));
        assert_eq!(pages.within(1, 11), 4);
        assert_eq!(read(&mut pages, &[], 10, allowance(30_000, 0), (30_000, 600)), (Credited::default(), 0));
        // Whoever turns pages faster than anybody reads them has read none.
        let (credited, used) = read(&mut pages, &[5, 6, 7], 10, allowance(100, 5_000), (100, 600));
        assert_eq!((credited, used), (Credited { seconds: 0, rejected: 15 }, 0));
    }

    #[test]
    fn a_live_lesson_is_attended_by_the_clock() {
        let lesson = Lesson { starts: at(0), ends: at(3_600) };
        let mut watched = Spans::default();
        assert_eq!(attended(&mut watched, lesson, at(-20), at(10), 999).seconds, 10);
        assert_eq!(attended(&mut watched, lesson, at(10), at(40), 999).seconds, 30);
        assert_eq!(attended(&mut watched, lesson, at(3_590), at(3_620), 999).seconds, 10);
        assert_eq!(attended(&mut watched, lesson, at(3_700), at(3_730), 999).seconds, 0);
        assert_eq!(watched.to_string(), "{[0,40),[3590,3600)}");
    }

    #[test]
    fn a_share_is_rounded_once_and_finished_by_itself() {
        assert_eq!((tenths(300, Some(600)), tenths(300, Some(400)), tenths(1, Some(3))), (500, 750, 333));
        assert_eq!((tenths(1, Some(2_000)), tenths(700, Some(600)), tenths(5, None)), (1, 1_000, 0));
        assert!(is_finished(576, Some(600), 90) && is_finished(540, Some(600), 90));
        assert!(!is_finished(8_996, Some(10_000), 90), "shown as 90.0, but less");
        assert!(!is_finished(5, None, 90) && !is_finished(0, Some(0), 90));
    }
}
