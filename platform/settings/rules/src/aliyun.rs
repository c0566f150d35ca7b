//! Times and pages of 阿里云点播.

use infra::clock::Moment;

use crate::media::ListPlace;

/// Pages that it turns: it lists 5,000 videos at the most.
const PAGES: u32 = 50;

/// How it writes a moment.
pub fn written(at: Moment) -> String {
    at.to_utc().format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Where a list of the newest goes on whose oldest so far was made then.
pub fn beyond(at: &ListPlace, oldest: Option<Moment>) -> Option<ListPlace> {
    if at.page < PAGES {
        return Some(at.next());
    }
    // The videos of that second come once more.
    let until = oldest? + chrono::Duration::seconds(1);
    at.until.is_none_or(|before| until < before).then_some(ListPlace { page: 1, until: Some(until) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_goes_on_beyond_the_pages_that_are_turned() {
        let moment = |text: &str| -> Moment { text.parse().expect("a time") };
        let oldest = moment("2026-03-01T08:00:00Z");
        let second = ListPlace { page: 2, until: None };
        assert_eq!(beyond(&ListPlace::FIRST, Some(oldest)), Some(second));
        let last = ListPlace { page: PAGES, until: None };
        let again = beyond(&last, Some(oldest)).expect("goes on");
        assert_eq!(again, ListPlace { page: 1, until: Some(moment("2026-03-01T08:00:01Z")) });
        assert_eq!(written(again.until.expect("a time")), "2026-03-01T08:00:01Z");
        // 5,000 videos of one second: nothing leads further.
        assert_eq!(beyond(&ListPlace { page: PAGES, ..again }, Some(oldest)), None);
        assert_eq!(beyond(&last, None), None);
    }
}
