//! Which rule of a code counts for whom (part 04 §9.1): the one that names more.

use serde_json::Value;

use crate::enums::{DegreeRuleCode, DisciplineType, ExternalExamType, GraduationRuleCode, RulePurpose, RuleSeverity};

/// A rule that is switched on.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub id: i64,
    pub code: String,
    pub grade: Option<i64>,
    pub level: Option<i64>,
    pub major: Option<i64>,
    pub severity: RuleSeverity,
    pub waivable: bool,
    pub params: Value,
}

/// Where a student studies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub grade: i64,
    pub level: i64,
    pub major: i64,
}

impl Rule {
    fn counts_at(&self, place: Place) -> bool {
        self.grade.is_none_or(|grade| grade == place.grade)
            && self.level.is_none_or(|level| level == place.level)
            && self.major.is_none_or(|major| major == place.major)
    }

    /// Major 4, level 2, grade 1.
    fn weight(&self) -> u8 {
        u8::from(self.major.is_some()) * 4 + u8::from(self.level.is_some()) * 2 + u8::from(self.grade.is_some())
    }

    /// A number of the parameters in tenths; the default where it is not said.
    pub fn tenths(&self, name: &str, default: i64) -> i64 {
        self.params[name].as_f64().map_or(default, tenths)
    }

    /// A whole number of the parameters.
    pub fn whole(&self, name: &str, default: i64) -> i64 {
        self.params[name].as_i64().unwrap_or(default)
    }

    /// Punishments that keep from graduating.
    pub fn block_types(&self) -> Vec<DisciplineType> {
        let words = self.params["blockTypes"].as_array().map(Vec::as_slice).unwrap_or_default();
        words.iter().filter_map(|word| DisciplineType::parse(word.as_str()?)).collect()
    }

    /// Outside examinations that count, with the score that is needed at least, in tenths.
    pub fn accepted(&self) -> Vec<(ExternalExamType, Option<i64>)> {
        let rows = self.params["accepted"].as_array().map(Vec::as_slice).unwrap_or_default();
        let one =
            |row: &Value| Some((ExternalExamType::parse(row["type"].as_str()?)?, row["least"].as_f64().map(tenths)));
        rows.iter().filter_map(one).collect()
    }
}

/// A number of one place at most, in tenths.
pub fn tenths(number: f64) -> i64 {
    (number * 10.0).round() as i64
}

/// `76.0`.
pub fn shown(tenths: i64) -> String {
    format!("{}{}.{}", if tenths < 0 { "-" } else { "" }, tenths.abs() / 10, tenths.abs() % 10)
}

/// `425`, `76.5`: without a place that says nothing.
pub fn plain(tenths: i64) -> String {
    if tenths % 10 == 0 { (tenths / 10).to_string() } else { shown(tenths) }
}

/// All rules of a purpose that are switched on.
#[derive(Debug, Clone, Default)]
pub struct RuleSet {
    pub rules: Vec<Rule>,
}

impl RuleSet {
    /// Of each code the rule that counts at a place.
    pub fn at(&self, code: &str, place: Place) -> Option<&Rule> {
        self.rules
            .iter()
            .filter(|rule| rule.code == code && rule.counts_at(place))
            .max_by_key(|rule| (rule.weight(), rule.id))
    }
}

/// The label of a code, with its number.
pub fn label(purpose: RulePurpose, code: &str) -> Option<&'static str> {
    match purpose {
        RulePurpose::Graduation => GraduationRuleCode::parse(code).map(GraduationRuleCode::zh),
        RulePurpose::Degree => DegreeRuleCode::parse(code).map(DegreeRuleCode::zh),
    }
}

/// The same without its number: 总学分.
pub fn name(label: &str) -> &str {
    label.split_once(' ').map_or(label, |(_, name)| name)
}

/// Parameters as they are kept, or what is wrong with them.
///
/// # Errors
/// A sentence for the form.
pub fn checked(purpose: RulePurpose, code: &str, params: &Value) -> Result<Value, String> {
    let given = |name: &str| params.get(name).filter(|value| !value.is_null());
    let whole = |name: &str, zh: &str, default: i64, range: std::ops::RangeInclusive<i64>| match given(name) {
        None => Ok(default),
        Some(value) => value
            .as_i64()
            .filter(|number| range.contains(number))
            .ok_or_else(|| format!("{zh}应为{}到{}的整数", range.start(), range.end())),
    };
    let points = |name: &str, zh: &str, default: f64| match given(name) {
        None => Ok(default),
        Some(value) => value
            .as_f64()
            .filter(|number| (0.0..=100.0).contains(number) && (number * 10.0).fract().abs() < 1e-6)
            .ok_or_else(|| format!("{zh}应为0到100之间的数字，最多一位小数")),
    };
    Ok(match (purpose, code) {
        (RulePurpose::Graduation, "duration") => {
            serde_json::json!({ "toleranceDays": whole("toleranceDays", "允许提前天数", 0, 0..=366)? })
        }
        (RulePurpose::Graduation, "discipline") => {
            let rule = Rule { params: params.clone(), ..blank() };
            let types = if given("blockTypes").is_none() {
                vec![DisciplineType::Probation, DisciplineType::Expulsion]
            } else {
                rule.block_types()
            };
            let asked = params["blockTypes"].as_array().map_or(types.len(), Vec::len);
            if types.is_empty() || asked != types.len() {
                return Err("请选择阻止毕业的处分类型".to_owned());
            }
            serde_json::json!({ "blockTypes": types.iter().map(|kind| kind.as_str()).collect::<Vec<_>>() })
        }
        (RulePurpose::Degree, "average" | "thesis") => {
            serde_json::json!({ "least": points("least", "最低分", 70.0)? })
        }
        (RulePurpose::Degree, "degree_courses") => serde_json::json!({
            "eachLeast": points("eachLeast", "每门最低分", 60.0)?, "meanLeast": points("meanLeast", "平均最低分", 70.0)?
        }),
        (RulePurpose::Degree, "foreign_language") => {
            let rule = Rule { params: params.clone(), ..blank() };
            let accepted = rule.accepted();
            let asked = params["accepted"].as_array().map_or(0, Vec::len);
            if accepted.is_empty() || asked != accepted.len() {
                return Err("请选择认可的外语考试".to_owned());
            }
            let rows: Vec<Value> = accepted
                .iter()
                .map(|(kind, least)| serde_json::json!({ "type": kind.as_str(), "least": least.map(|least| least as f64 / 10.0) }))
                .collect();
            serde_json::json!({ "accepted": rows })
        }
        (RulePurpose::Degree, "within") => serde_json::json!({ "months": whole("months", "期限(月)", 12, 0..=120)? }),
        (RulePurpose::Degree, "failures") => serde_json::json!({ "most": whole("most", "最多门数", 99, 0..=99)? }),
        _ => serde_json::json!({}),
    })
}

fn blank() -> Rule {
    Rule {
        id: 0,
        code: String::new(),
        grade: None,
        level: None,
        major: None,
        severity: RuleSeverity::Must,
        waivable: false,
        params: Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rule(id: i64, grade: Option<i64>, level: Option<i64>, major: Option<i64>) -> Rule {
        Rule { id, code: "fee".to_owned(), grade, level, major, ..blank() }
    }

    #[test]
    fn who_names_more_counts() {
        let set = RuleSet {
            rules: vec![rule(1, None, None, None), rule(2, None, Some(5), Some(7)), rule(3, Some(1), None, None)],
        };
        let at = |grade, level, major| set.at("fee", Place { grade, level, major }).map(|rule| rule.id);
        assert_eq!(at(2, 4, 7), Some(1));
        assert_eq!(at(2, 5, 7), Some(2));
        assert_eq!(at(1, 5, 7), Some(2), "level and major weigh more than a grade");
        assert_eq!(at(1, 4, 7), Some(3));
        assert_eq!(set.at("status", Place { grade: 1, level: 1, major: 1 }), None);
    }

    #[test]
    fn parameters_are_those_of_their_code() {
        let of = |code: &str, params: Value| checked(RulePurpose::Degree, code, &params);
        assert_eq!(of("average", json!({})), Ok(json!({ "least": 70.0 })));
        assert!(of("average", json!({ "least": 101 })).is_err());
        assert_eq!(
            of("foreign_language", json!({ "accepted": [{ "type": "cet4", "least": 425 }] })),
            Ok(json!({ "accepted": [{ "type": "cet4", "least": 425.0 }] }))
        );
        assert!(of("foreign_language", json!({ "accepted": [{ "type": "ielts" }] })).is_err());
        let graduation = |code: &str, params: Value| checked(RulePurpose::Graduation, code, &params);
        assert_eq!(graduation("credits", json!({ "least": 3 })), Ok(json!({})));
        assert_eq!(graduation("duration", json!({ "toleranceDays": 10 })), Ok(json!({ "toleranceDays": 10 })));
        assert!(graduation("duration", json!({ "toleranceDays": -1 })).is_err());
    }

    #[test]
    fn numbers_are_shown() {
        assert_eq!(
            (shown(760), shown(-5), plain(4250), plain(765)),
            ("76.0".into(), "-0.5".into(), "425".into(), "76.5".into())
        );
        assert_eq!(name("R03 总学分"), "总学分");
    }
}
