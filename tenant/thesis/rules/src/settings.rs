//! What schools set of practical work (01 §13, 考试与毕业).

use infra::setting::{Setting, kind::Field};

/// What an internship's unit and its teacher weigh.
pub const INTERNSHIP_WEIGHTS: Setting = Setting::object(
    "internshipWeights",
    "实习成绩权重",
    &[Field::share("unit", "单位", 40), Field::share("teacher", "教师", 60)],
    Some(100),
    "",
);
