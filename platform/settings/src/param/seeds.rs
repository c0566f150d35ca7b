//! Parameters of part 01 §12 whose rules live in modules that have no constant for them: code, default and range as the
//! part gives them. A module that reads one moves the entry beside its rule.

use infra::params::{IntParam, Param, ParamKind};

const HOURS: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$";

const fn int(code: &'static str, default: i64, min: i64, max: i64) -> IntParam {
    IntParam { code, default, min, max }
}

pub const PARAMS: &[Param] = &[Param::new(
    "msg.marketingHours",
    "营销消息发送时段",
    "消息",
    ParamKind::Text { default: "08:00-22:00", pattern: HOURS, hint: "例如 08:00-22:00" },
)
.of_schools()];

/// Those that nothing reads yet: neither shown nor changed, and nobody adds one of their codes. The module that first reads one
/// takes its line over.
pub const TO_COME: &[Param] = &[
    int("order.closeMinutes", 30, 5, 1440).entry("未支付订单关闭时长(分钟)", "订单"),
    int("order.settleDays", 7, 0, 60).entry("订单结算等待天数", "订单"),
];
