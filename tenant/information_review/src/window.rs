//! 采集设置: when the students of some grades fill a form in, and what they sign (02 §11.1).
//!
//! ```text
//! not_started ─(opens_at)→ open ─(closes_at)→ ended        any ⇄ closed, by the switch
//! ```
//! A grade has one enabled window of a kind.

mod form;
mod select;

use infra::clock::Moment;

pub(crate) use form::{InformationWindowForm, insert, update};
pub(crate) use select::{InformationWindow, all};

use crate::enums::InformationWindowPhase;

/// The end is exclusive: at that moment nobody fills anything in any more. A window that is switched off is closed at any time.
pub(crate) fn phase(enabled: bool, opens_at: Moment, closes_at: Moment, now: Moment) -> InformationWindowPhase {
    if !enabled {
        InformationWindowPhase::Closed
    } else if now < opens_at {
        InformationWindowPhase::NotStarted
    } else if now < closes_at {
        InformationWindowPhase::Open
    } else {
        InformationWindowPhase::Ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_open_from_its_first_moment_up_to_its_last() {
        let at = |text: &str| text.parse::<Moment>().expect("a moment");
        let (opens, closes) = (at("2026-03-01T00:00:00+08:00"), at("2026-05-01T00:00:00+08:00"));
        let told = |enabled, now: &str| phase(enabled, opens, closes, at(now)).zh();
        assert_eq!(told(true, "2026-02-28T23:59:59+08:00"), "未开始");
        assert_eq!(told(true, "2026-03-01T00:00:00+08:00"), "进行中");
        assert_eq!(told(true, "2026-04-30T23:59:59+08:00"), "进行中");
        assert_eq!(told(true, "2026-05-01T00:00:00+08:00"), "已结束");
        assert_eq!(told(false, "2026-04-01T00:00:00+08:00"), "已停用");
    }
}
