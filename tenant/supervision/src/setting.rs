//! What a school sets of supervision (01 §13), under the tab 统计与督学.

use infra::{
    Part,
    setting::{Setting, Settings, kind::Kind},
};

/// Whether a scan opens cases by itself; without it only people do.
pub(crate) const AUTO_CASE: Setting = Setting::yes_no("autoCase", "自动建立督学个案", true, "");
pub(crate) const REMIND_HOURS: Setting = Setting::new(
    "remindHours",
    "提醒时段",
    Kind::Text {
        default: "08:30-20:30",
        max: 11,
        pattern: Some("^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$"),
        hint: "例如 08:30-20:30",
    },
    "只在此时段提醒学生",
);
pub(crate) const REMIND_GAP: Setting =
    Setting::int("remindGapHours", "提醒间隔(小时)", (24, 1, 720), "同一学生两次提醒的最短间隔");
pub(crate) const NOTIFY_MANAGER: Setting = Setting::yes_no("notifyClassManager", "新个案通知班主任", true, "");

pub const PART: Part = Part {
    settings: &[Settings { group: "statistics", settings: &[AUTO_CASE, REMIND_HOURS, REMIND_GAP, NOTIFY_MANAGER] }],
    ..Part::NONE
};
