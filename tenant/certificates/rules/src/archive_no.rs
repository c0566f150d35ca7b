//! 档号 by the school's rule: `{year}-{levelCode}-{majorCode}-{seq4}` (part 04 §11).

/// What a rule may name.
#[derive(Debug, Clone, Default)]
pub struct Values {
    pub year: String,
    pub level_code: String,
    pub major_code: String,
    pub site_code: String,
    pub student_no: String,
}

fn filled(rule: &str, values: &Values) -> String {
    rule.replace("{year}", &values.year)
        .replace("{levelCode}", &values.level_code)
        .replace("{majorCode}", &values.major_code)
        .replace("{siteCode}", &values.site_code)
        .replace("{studentNo}", &values.student_no)
}

/// Where the serial stands, and how wide it is.
fn serial(rule: &str) -> Option<(usize, usize, usize)> {
    let at = rule.find("{seq")?;
    let end = at + rule[at..].find('}')?;
    let width = rule[at + 4..end].parse().ok()?;
    Some((at, end + 1, width))
}

/// Within which beginning the serial is counted: all of the number but the serial.
pub fn prefix(rule: &str, values: &Values) -> String {
    match serial(rule) {
        Some((at, end, _)) => filled(&format!("{}{}", &rule[..at], &rule[end..]), values),
        None => filled(rule, values),
    }
}

/// The number.
pub fn render(rule: &str, values: &Values, seq: i64) -> String {
    match serial(rule) {
        Some((at, end, width)) => {
            format!("{}{seq:0width$}{}", filled(&rule[..at], values), filled(&rule[end..], values))
        }
        None => format!("{}{seq}", filled(rule, values)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_by_the_usual_rule() {
        let rule = "{year}-{levelCode}-{majorCode}-{seq4}";
        let values = Values {
            year: "2028".to_owned(),
            level_code: "05".to_owned(),
            major_code: "KJ01".to_owned(),
            ..Values::default()
        };
        assert_eq!(render(rule, &values, 7), "2028-05-KJ01-0007");
        assert_eq!(prefix(rule, &values), "2028-05-KJ01-");
        assert_eq!(render("{seq2}/{year}", &values, 123), "123/2028");
    }
}
