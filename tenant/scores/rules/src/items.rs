//! Scores that are made of items: of a thesis, its review and its defence (part 04 §5.3).

use crate::{
    arith::{NO_SCORE, scaled},
    params::ItemRule,
};

/// Why items make no score.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ItemRefusal {
    #[error("请录入“{0}”")]
    Missing(String),
    #[error("没有评分项“{0}”")]
    Unknown(String),
    #[error("“{0}”：{NO_SCORE}")]
    Range(String),
}

/// The value of items that were given by code, in tenths; each item of the rule once.
///
/// # Errors
/// An item that is missing, unknown or out of range.
pub fn value(items: &[ItemRule], given: &[(String, i64)]) -> Result<i64, ItemRefusal> {
    if let Some((code, _)) = given.iter().find(|(code, _)| !items.iter().any(|item| item.code == *code)) {
        return Err(ItemRefusal::Unknown(code.clone()));
    }
    let mut sum = 0_i128;
    for item in items {
        let found = given.iter().find(|(code, _)| *code == item.code);
        let (_, score) = found.ok_or_else(|| ItemRefusal::Missing(item.name.clone()))?;
        if !(0..=1_000).contains(score) {
            return Err(ItemRefusal::Range(item.name.clone()));
        }
        sum += i128::from(*score) * i128::from(item.weight);
    }
    Ok(scaled(sum, 100, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_weighed() {
        let item = |code: &str, weight| ItemRule { code: code.to_owned(), name: code.to_owned(), weight };
        let rule = [item("a", 20), item("b", 50), item("c", 30)];
        let given =
            |list: &[(&str, i64)]| list.iter().map(|(code, score)| ((*code).to_owned(), *score)).collect::<Vec<_>>();
        assert_eq!(value(&rule, &given(&[("a", 800), ("b", 750), ("c", 905)])), Ok(807));
        assert_eq!(value(&rule, &given(&[("a", 800), ("b", 750)])), Err(ItemRefusal::Missing("c".to_owned())));
        assert_eq!(value(&rule, &given(&[("x", 800)])), Err(ItemRefusal::Unknown("x".to_owned())));
        assert_eq!(value(&rule, &given(&[("a", 1_001), ("b", 1), ("c", 1)])), Err(ItemRefusal::Range("a".to_owned())));
    }
}
