//! 不可用时间 by their numbers (part 03 B9).

use infra::{Error, Result};

/// # Errors
/// 400 for what are no numbers, or too many.
pub fn numbers(text: &str) -> Result<Vec<i64>> {
    let numbers: std::result::Result<Vec<i64>, _> = text.split(',').map(|id| id.trim().parse::<i64>()).collect();
    match numbers {
        Ok(mut ids) if ids.len() <= 200 => {
            ids.sort_unstable();
            ids.dedup();
            Ok(ids)
        }
        _ => Err(Error::malformed()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_between_commas() {
        assert_eq!(numbers("3, 1,3"), Ok(vec![1, 3]));
        assert_eq!(numbers("1,x"), Err(Error::malformed()));
        assert_eq!(numbers(""), Err(Error::malformed()));
    }
}
