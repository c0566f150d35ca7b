//! 证书编号 (part 04 §10): eighteen digits of a diploma, seventeen characters of a degree.

/// The last number of a year.
const LAST: i32 = 999_999;
const USED_UP: &str = "证书序号已用完";

/// The code of a level by how people enter it: a bachelor's or an associate's.
pub fn level_code(entry_level: &str) -> &'static str {
    if entry_level == "high_school_to_associate" { "06" } else { "05" }
}

fn is_five(code: &str) -> bool {
    code.len() == 5 && code.bytes().all(|digit| digit.is_ascii_digit())
}

/// What stands before the serial of a diploma.
///
/// # Errors
/// The refusal in Chinese for a school's code that is none.
pub fn prefix_of(national: &str, education: i64, year: i32, level: &str) -> Result<String, String> {
    if !is_five(national) {
        return Err("院校国标代码应为5位数字".to_owned());
    }
    Ok(format!("{national}{education}{year:04}{level}"))
}

/// The number of a diploma, of a graduation or a completion.
///
/// # Errors
/// As [`prefix_of`], and when a year has no more numbers.
pub fn diploma(national: &str, education: i64, year: i32, level: &str, seq: i32) -> Result<String, String> {
    let prefix = prefix_of(national, education, year, level)?;
    if !(1..=LAST).contains(&seq) {
        return Err(USED_UP.to_owned());
    }
    Ok(format!("{prefix}{seq:06}"))
}

/// The number of a bachelor's degree of an adult.
///
/// # Errors
/// The refusal in Chinese for a unit that is none, and when a year has no more numbers.
pub fn degree(unit: &str, year: i32, seq: i32) -> Result<String, String> {
    if !is_five(unit) {
        return Err("学位授予单位代码应为5位数字".to_owned());
    }
    if !(1..=LAST).contains(&seq) {
        return Err(USED_UP.to_owned());
    }
    Ok(format!("C{unit}4{year:04}{seq:06}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_year() {
        let bachelor = level_code("associate_to_bachelor");
        assert_eq!(diploma("10999", 5, 2026, bachelor, 1).as_deref(), Ok("109995202605000001"));
        let associate = level_code("high_school_to_associate");
        assert_eq!(diploma("10999", 5, 2026, associate, 1).as_deref(), Ok("109995202606000001"));
        assert_eq!(diploma("10999", 5, 2026, bachelor, 813).as_deref(), Ok("109995202605000813"));
        assert_eq!(degree("10999", 2026, 1).as_deref(), Ok("C1099942026000001"));
    }

    #[test]
    fn what_is_no_number() {
        assert_eq!(diploma("1099", 5, 2026, "05", 1), Err("院校国标代码应为5位数字".to_owned()));
        assert_eq!(diploma("10999", 5, 2026, "05", 1_000_000), Err("证书序号已用完".to_owned()));
        assert_eq!(degree("1099X", 2026, 1), Err("学位授予单位代码应为5位数字".to_owned()));
    }
}
