//! 阶段: where a batch stands now (02 §10).

use infra::clock::Moment;

use crate::enums::ChangeBatchPhase;

/// The end is exclusive: at that moment nobody applies any more. A batch that is switched off is closed at any time.
pub fn phase(enabled: bool, starts_at: Moment, ends_at: Moment, now: Moment) -> ChangeBatchPhase {
    if !enabled {
        ChangeBatchPhase::Closed
    } else if now < starts_at {
        ChangeBatchPhase::NotStarted
    } else if now < ends_at {
        ChangeBatchPhase::Open
    } else {
        ChangeBatchPhase::Ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_open_from_its_first_moment_up_to_its_last() {
        let at = |text: &str| text.parse::<Moment>().expect("a moment");
        let (starts, ends) = (at("2026-03-01T00:00:00+08:00"), at("2026-04-01T00:00:00+08:00"));
        let told = |enabled, now: &str| phase(enabled, starts, ends, at(now)).zh();
        assert_eq!(told(true, "2026-02-28T23:59:59+08:00"), "未开始");
        assert_eq!(told(true, "2026-03-01T00:00:00+08:00"), "进行中");
        assert_eq!(told(true, "2026-03-31T23:59:59+08:00"), "进行中");
        assert_eq!(told(true, "2026-04-01T00:00:00+08:00"), "已结束");
        assert_eq!(told(false, "2026-03-05T00:00:00+08:00"), "已停用");
    }
}
