//! 初始密码: what a person signs in with the first time (01 §13 `initialPassword`).

use infra::setting::{Setting, kind::Kind};

/// The rule of a school that did not set one.
pub const DEFAULT_RULE: &str = "Aa@{idLast6}";

/// `initialPassword`, as a school sets it.
pub const INITIAL_PASSWORD: Setting = Setting::new(
    "initialPassword",
    "客户端初始密码",
    Kind::Text {
        default: DEFAULT_RULE,
        max: 40,
        pattern: Some(r"^[!-z|~]*(\{idLast6\}[!-z|~]*)*$"),
        hint: "可用 {idLast6} 代表证件号后6位，不含空格和中文",
    },
    "{idLast6} 代表证件号后6位；首次登录须修改",
);

/// What stands for the end of the ID number.
const ID_LAST_6: &str = "{idLast6}";

/// The initial password by the school's rule: `{idLast6}` stands for the last six characters of the ID number.
///
/// A number of fewer characters stands whole. None when the rule asks for a number that the person has not.
pub fn initial_password(rule: &str, id_card_no: Option<&str>) -> Option<String> {
    if !rule.contains(ID_LAST_6) {
        return Some(rule.to_owned());
    }
    let number = id_card_no.filter(|number| !number.is_empty())?;
    let from = number.char_indices().rev().nth(5).map_or(0, |(at, _)| at);
    Some(rule.replace(ID_LAST_6, &number[from..]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(rule: &str, number: &str) -> Option<String> {
        initial_password(rule, Some(number))
    }

    #[test]
    fn the_rule_takes_the_end_of_the_number() {
        assert_eq!(of(DEFAULT_RULE, "11010519491231002X").as_deref(), Some("Aa@31002X"));
        assert_eq!(of("cj{idLast6}!{idLast6}", "429900199603150216").as_deref(), Some("cj150216!150216"));
        assert_eq!(of("Chengjiao2026", "429900199603150216").as_deref(), Some("Chengjiao2026"));
    }

    #[test]
    fn a_short_number_stands_whole() {
        assert_eq!(of(DEFAULT_RULE, "E1234").as_deref(), Some("Aa@E1234"));
        assert_eq!(of(DEFAULT_RULE, "E12345").as_deref(), Some("Aa@E12345"));
        assert_eq!(of(DEFAULT_RULE, "E123456").as_deref(), Some("Aa@123456"));
    }

    #[test]
    fn without_the_number_that_the_rule_asks_for_there_is_none() {
        assert_eq!(initial_password(DEFAULT_RULE, None), None);
        assert_eq!(of(DEFAULT_RULE, ""), None);
        assert_eq!(initial_password("Chengjiao@2026", None).as_deref(), Some("Chengjiao@2026"));
    }

    #[test]
    fn a_rule_of_passwords_knows_its_placeholder() {
        let right = |rule: &str| INITIAL_PASSWORD.kind.normal(&json!(rule)).is_ok();
        assert!(right("cj{idLast6}!"));
        assert!(!right("密码{idLast6}"));
        assert!(!right("cj{idLast4}"));
    }
}
