//! 阶段: where a batch stands now.

use infra::clock::Moment;

use crate::enums::BatchPhase;

/// The end is exclusive: at that moment nobody enters any more. A batch that is switched off is closed at any time.
pub fn phase(enabled: bool, starts_at: Moment, ends_at: Moment, now: Moment) -> BatchPhase {
    if !enabled {
        BatchPhase::Closed
    } else if now < starts_at {
        BatchPhase::NotStarted
    } else if now < ends_at {
        BatchPhase::Open
    } else {
        BatchPhase::Ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_open_from_its_first_moment_up_to_its_last() {
        let at = |text: &str| text.parse::<Moment>().expect("a moment");
        let (starts, ends) = (at("2025-09-01T00:00:00+08:00"), at("2025-09-11T00:00:00+08:00"));
        let told = |enabled, now: &str| phase(enabled, starts, ends, at(now)).zh();
        assert_eq!(told(true, "2025-08-31T23:59:59+08:00"), "未开始");
        assert_eq!(told(true, "2025-09-01T00:00:00+08:00"), "进行中");
        assert_eq!(told(true, "2025-09-10T23:59:59+08:00"), "进行中");
        assert_eq!(told(true, "2025-09-11T00:00:00+08:00"), "已结束");
        assert_eq!(told(false, "2025-09-05T00:00:00+08:00"), "已停用");
    }
}
