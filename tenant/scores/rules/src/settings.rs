//! What schools set of scores (01 §13, 考试与毕业).

use infra::setting::{Setting, kind::Kind};

/// How long after its end a completion becomes a graduation.
pub const CONVERSION_YEARS: Setting = Setting::int("conversionYears", "结业换毕业期限(年)", (2, 1, 5), "");

/// Failed compulsory credits from which a student is warned of.
pub const WARN_FAILED_CREDITS: Setting =
    Setting::new("warnFailedCredits", "学业预警不及格学分", Kind::Decimal { default: 10.0, min: 0.0, max: 200.0 }, "");

/// Credit points below which a student is warned of.
pub const WARN_GPA: Setting =
    Setting::new("warnGpa", "学业预警平均绩点", Kind::Decimal { default: 1.5, min: 0.0, max: 5.0 }, "");
