//! The periods of a course in the order of its syllabus, with what one student did with each (part 03 B5).

use course_rules::period::PeriodKind;
use infra::clock::Moment;
use setting_rules::media::{MediaChannel, MediaState};

/// A period that is enabled, with the progress of one selection.
#[derive(Debug, Clone)]
pub struct Line {
    pub id: i64,
    pub chapter_id: i64,
    pub title: String,
    pub kind: PeriodKind,
    pub channel: Option<MediaChannel>,
    pub vid: Option<String>,
    pub media_state: Option<MediaState>,
    pub file_id: Option<i64>,
    pub url: Option<String>,
    pub live_starts_at: Option<Moment>,
    pub live_ends_at: Option<Moment>,
    pub duration_seconds: Option<i32>,
    pub page_count: Option<i32>,
    pub required: bool,
    pub weight: i32,
    /// In percent.
    pub progress: f64,
    pub finished_at: Option<Moment>,
    pub last_position: i32,
    pub watched_seconds: i32,
    pub first_at: Option<Moment>,
    pub last_at: Option<Moment>,
}

impl Line {
    pub const fn is_finished(&self) -> bool {
        self.finished_at.is_some()
    }
}

/// How long a period is: in seconds, a document in pages, a link one; none where its video has no length yet.
pub fn whole_of(
    kind: PeriodKind,
    (duration, pages): (Option<i32>, Option<i32>),
    live: Option<(Moment, Moment)>,
) -> Option<i32> {
    match kind {
        PeriodKind::Video | PeriodKind::Audio => duration,
        PeriodKind::Document => Some(pages.unwrap_or(1)),
        PeriodKind::Live => live.and_then(|(starts, ends)| i32::try_from((ends - starts).num_seconds()).ok()),
        PeriodKind::Link => Some(1),
    }
}

/// Whether each of the lines waits for one before it, where they are studied in their order: for a required one that is not
/// finished.
pub fn locked(lines: &[Line], sequential: bool) -> Vec<bool> {
    let mut waits = false;
    let wait = |line: &Line| {
        let locked = waits && !line.is_finished();
        waits = waits || sequential && line.required && !line.is_finished();
        locked
    };
    lines.iter().map(wait).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(required: bool, finished: bool) -> Line {
        Line {
            id: 1,
            chapter_id: 1,
            title: String::new(),
            kind: PeriodKind::Video,
            channel: None,
            vid: None,
            media_state: None,
            file_id: None,
            url: None,
            live_starts_at: None,
            live_ends_at: None,
            duration_seconds: Some(600),
            page_count: None,
            required,
            weight: 1,
            progress: 0.0,
            finished_at: finished.then(Moment::default),
            last_position: 0,
            watched_seconds: 0,
            first_at: None,
            last_at: None,
        }
    }

    #[test]
    fn the_next_opens_when_the_one_before_is_finished() {
        let all = [line(true, true), line(false, false), line(true, false), line(false, false), line(true, true)];
        assert_eq!(locked(&all, true), [false, false, false, true, false]);
        assert_eq!(locked(&all, false), [false; 5]);
    }

    #[test]
    fn a_period_is_as_long_as_its_material() {
        let both = (Some(600), Some(12));
        assert_eq!(whole_of(PeriodKind::Video, both, None), Some(600));
        assert_eq!(whole_of(PeriodKind::Audio, (None, None), None), None);
        assert_eq!(whole_of(PeriodKind::Document, both, None), Some(12));
        assert_eq!(whole_of(PeriodKind::Document, (None, None), None), Some(1));
        assert_eq!(whole_of(PeriodKind::Link, both, None), Some(1));
        let starts = Moment::default();
        assert_eq!(
            whole_of(PeriodKind::Live, both, Some((starts, starts + chrono::Duration::minutes(45)))),
            Some(2_700)
        );
    }
}
