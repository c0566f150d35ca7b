//! 初始密码: what a person signs in with the first time (01 §13 `initialPassword`).

/// The rule of a school that did not set one.
pub const DEFAULT_RULE: &str = "Aa@{idLast6}";

/// The initial password by the school's rule: `{idLast6}` stands for the last six characters of the ID number.
///
/// A number of fewer characters stands whole.
pub fn initial_password(rule: &str, id_card_no: &str) -> String {
    let from = id_card_no.char_indices().rev().nth(5).map_or(0, |(at, _)| at);
    rule.replace("{idLast6}", &id_card_no[from..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_takes_the_end_of_the_number() {
        assert_eq!(initial_password(DEFAULT_RULE, "11010519491231002X"), "Aa@31002X");
        assert_eq!(initial_password("cj{idLast6}!{idLast6}", "429900199603150216"), "cj150216!150216");
        assert_eq!(initial_password("Chengjiao2026", "429900199603150216"), "Chengjiao2026");
    }

    #[test]
    fn a_short_number_stands_whole() {
        assert_eq!(initial_password(DEFAULT_RULE, "E1234"), "Aa@E1234");
        assert_eq!(initial_password(DEFAULT_RULE, "E12345"), "Aa@E12345");
        assert_eq!(initial_password(DEFAULT_RULE, "E123456"), "Aa@123456");
        assert_eq!(initial_password(DEFAULT_RULE, ""), "Aa@");
    }
}
