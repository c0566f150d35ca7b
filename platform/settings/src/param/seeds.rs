//! Parameters of part 01 §12 whose rules live in modules that have no constant for them: code, default and range as the
//! part gives them. A module that reads one moves the entry beside its rule.

use infra::params::{Param, ParamKind};

const HOURS: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$";

pub const PARAMS: &[Param] = &[Param::new(
    "msg.marketingHours",
    "营销消息发送时段",
    "消息",
    ParamKind::Text { default: "08:00-22:00", pattern: HOURS, hint: "例如 08:00-22:00" },
)
.of_schools()];
