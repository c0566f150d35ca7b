//! Titles of theses.

/// By what titles of a plan are compared: without their spaces, in lower case.
pub fn key(title: &str) -> String {
    title.split_whitespace().collect::<String>().to_lowercase()
}

/// # Errors
/// The sentence for a title that is too short or too long.
pub fn fits(title: &str) -> Result<(), String> {
    if (5..=60).contains(&title.trim().chars().count()) { Ok(()) } else { Err("题目应为5到60个字".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_compared_without_spaces() {
        assert_eq!(key(" 小微企业　成本 控制 ERP "), "小微企业成本控制erp");
        assert!(fits("成本控制").is_err() && fits("成本控制研究").is_ok());
    }
}
