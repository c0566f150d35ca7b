//! Names and references to named rows, as every room has them (part 03 §0.1).

use crate::Error;

/// Inner runs of blanks become one blank; the ends were trimmed with the body.
pub fn tidy(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is said of a reference to a row that was switched off; rows that refer to it already keep it.
pub fn is_switched_off(name: &str) -> String {
    format!("“{name}”已停用，请选择其他项")
}

/// 422 at a reference to a row that was switched off.
pub fn switched_off(field: &str, name: &str) -> Error {
    Error::field(field, is_switched_off(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_blanks_are_folded() {
        assert_eq!(tidy("会计学  (财务　管理)"), "会计学 (财务 管理)");
    }
}
