//! How suspicious a sheet is, and when the server hands it in by itself (part 04 §2.3). It never changes a score.

use crate::{
    anti_cheat::AntiCheat,
    enums::{ExamEvent, RiskLevel},
};

/// What an event adds. A page that is left counts by [`counts_as_switch`].
pub const fn points(event: ExamEvent) -> i64 {
    match event {
        ExamEvent::MultiDevice | ExamEvent::MultiFace => 5,
        ExamEvent::FaceMismatch | ExamEvent::FaceMissing => 3,
        ExamEvent::IpChange => 2,
        ExamEvent::LeavePage | ExamEvent::Copy | ExamEvent::Paste => 1,
        ExamEvent::Enter
        | ExamEvent::ReturnPage
        | ExamEvent::FullscreenExit
        | ExamEvent::FacePass
        | ExamEvent::Snapshot
        | ExamEvent::Idle
        | ExamEvent::NetworkLost
        | ExamEvent::NetworkBack
        | ExamEvent::Warn
        | ExamEvent::ForceSubmit
        | ExamEvent::ReleaseDevice
        | ExamEvent::Extend => 0,
    }
}

/// low < 3 ≤ medium < 10 ≤ high.
pub const fn level(score: i64) -> RiskLevel {
    if score < 3 {
        RiskLevel::Low
    } else if score < 10 {
        RiskLevel::Medium
    } else {
        RiskLevel::High
    }
}

/// Whether a page was left for so long that it counts.
pub const fn counts_as_switch(seconds: Option<i64>, tolerance: i64) -> bool {
    match seconds {
        Some(seconds) => seconds > tolerance,
        None => false,
    }
}

/// What is known of a sheet that is answered.
#[derive(Debug, Clone, Copy, Default)]
pub struct Monitor {
    pub switches: i64,
    pub face_fails: i64,
    /// Seconds since the student did anything.
    pub idle: i64,
}

/// Why the server hands a sheet in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forced {
    SwitchLimit,
    Idle,
    FaceFail,
}

impl Forced {
    pub const fn zh(self) -> &'static str {
        match self {
            Self::SwitchLimit => "切屏次数超过上限，系统强制交卷",
            Self::Idle => "长时间无操作，系统强制交卷",
            Self::FaceFail => "人脸核验失败次数达到上限，系统强制交卷",
        }
    }
}

/// Whether a sheet is handed in now by what is allowed.
pub fn forced(anti: &AntiCheat, monitor: &Monitor) -> Option<Forced> {
    let beyond = |limit: Option<i32>, count: i64| limit.is_some_and(|limit| count > i64::from(limit));
    if beyond(anti.switch_limit, monitor.switches) {
        return Some(Forced::SwitchLimit);
    }
    if anti.face_fail_limit.is_some_and(|limit| monitor.face_fails >= i64::from(limit)) {
        return Some(Forced::FaceFail);
    }
    beyond(anti.idle_submit_seconds, monitor.idle).then_some(Forced::Idle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fourth_of_three_switches() {
        let anti = AntiCheat { switch_limit: Some(3), switch_tolerance_seconds: 5, ..AntiCheat::default() };
        assert!(counts_as_switch(Some(6), 5) && !counts_as_switch(Some(4), 5) && !counts_as_switch(None, 5));
        assert_eq!(forced(&anti, &Monitor { switches: 3, ..Monitor::default() }), None);
        assert_eq!(forced(&anti, &Monitor { switches: 4, ..Monitor::default() }), Some(Forced::SwitchLimit));
    }

    #[test]
    fn other_limits() {
        let anti = AntiCheat { face_fail_limit: Some(2), idle_submit_seconds: Some(300), ..AntiCheat::default() };
        assert_eq!(forced(&anti, &Monitor { face_fails: 2, ..Monitor::default() }), Some(Forced::FaceFail));
        assert_eq!(forced(&anti, &Monitor { idle: 301, ..Monitor::default() }), Some(Forced::Idle));
        assert_eq!(forced(&anti, &Monitor { idle: 300, ..Monitor::default() }), None);
    }

    #[test]
    fn risk_has_three_levels() {
        assert_eq!(
            [level(0), level(2), level(3), level(9), level(10)].map(RiskLevel::as_str),
            ["low", "low", "medium", "medium", "high"]
        );
        assert_eq!(points(ExamEvent::MultiFace) + points(ExamEvent::IpChange) + points(ExamEvent::FaceMissing), 10);
    }
}
