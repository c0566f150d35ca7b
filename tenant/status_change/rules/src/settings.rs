//! What a school sets for 学籍异动 (02 §10, 01 §13).

use infra::setting::{
    Setting,
    kind::{Kind, Options},
};
use serde_json::Value;
use term::EntryLevel;

const ENTRY_LEVELS: Options = &[
    ("high_school_to_associate", "高起专"),
    ("associate_to_bachelor", "专升本"),
    ("high_school_to_bachelor", "高起本"),
];

/// How many months after the entry nobody changes the major any more.
pub const PROFESSIONAL_DEADLINE_MONTHS: Setting =
    Setting::int("professionalDeadlineMonths", "转专业期限(月)", (12, 1, 120), "入学后超过此期限不能转专业");

/// From which entry to which a student may go.
pub const HIERARCHICAL_PAIRS: Setting = Setting::new(
    "hierarchicalPairs",
    "允许转层次",
    Kind::Pairs { default: &[("high_school_to_bachelor", "high_school_to_associate")], options: ENTRY_LEVELS },
    "从左侧层次转到右侧层次",
);

/// How many months all suspensions may have together.
pub const SUSPENSION_MAX_MONTHS: Setting =
    Setting::int("suspensionMaxMonths", "累计休学上限(月)", (24, 1, 120), "应征入伍不计入");

/// Whether the setting lets students go from one entry to another.
pub fn is_pair(pairs: &Value, from: EntryLevel, to: EntryLevel) -> bool {
    pairs.as_array().into_iter().flatten().any(|pair| pair[0] == from.as_str() && pair[1] == to.as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_pairs_of_the_setting_may_be_gone() {
        let pairs = HIERARCHICAL_PAIRS.kind.default();
        assert_eq!(pairs, json!([["high_school_to_bachelor", "high_school_to_associate"]]));
        use EntryLevel::{AssociateToBachelor, HighSchoolToAssociate, HighSchoolToBachelor};
        assert!(is_pair(&pairs, HighSchoolToBachelor, HighSchoolToAssociate));
        assert!(!is_pair(&pairs, HighSchoolToAssociate, AssociateToBachelor));
        assert!(!is_pair(&pairs, HighSchoolToAssociate, HighSchoolToBachelor));
    }

    #[test]
    fn settings_may_stand_at_their_defaults() {
        for setting in [PROFESSIONAL_DEADLINE_MONTHS, HIERARCHICAL_PAIRS, SUSPENSION_MAX_MONTHS] {
            let default = setting.kind.default();
            assert_eq!(setting.kind.normal(&default).as_ref(), Ok(&default), "{}", setting.key);
        }
    }
}
