//! Labels: how many hang on one thing, and which may fall together.

use infra::{Error, Result};

use crate::enums::LabelType;

/// So many labels hang on a blog or a question.
pub const MOST: usize = 5;

/// The labels that were chosen, each once, in their order.
///
/// # Errors
/// 422 at `labelIds` for more than five.
pub fn chosen(ids: &[i64]) -> Result<Vec<i64>> {
    let mut once = Vec::with_capacity(ids.len());
    for id in ids {
        if !once.contains(id) {
            once.push(*id);
        }
    }
    if once.len() > MOST {
        return Err(Error::field("labelIds", format!("标签不能超过{MOST}个")));
    }
    Ok(once)
}

/// The labels that are to fall together with another one, each once.
///
/// # Errors
/// 422 at `fromIds` when that one is among them.
pub fn merged(from: &[i64], to: i64) -> Result<Vec<i64>> {
    if from.contains(&to) {
        return Err(Error::field("fromIds", "不能将标签合并到它自己，请重新选择"));
    }
    let mut from = from.to_vec();
    from.sort_unstable();
    from.dedup();
    Ok(from)
}

/// # Errors
/// 422 at `fromIds` when labels of blogs and of questions are to fall together.
pub fn of_one_type(types: impl IntoIterator<Item = LabelType>) -> Result<()> {
    let mut types = types.into_iter();
    let first = types.next();
    if types.all(|one| Some(one) == first) {
        Ok(())
    } else {
        Err(Error::field("fromIds", "只能合并同一类型的标签"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_counts_once_and_five_are_enough() {
        assert_eq!(chosen(&[3, 1, 3]), Ok(vec![3, 1]));
        assert_eq!(chosen(&[1, 2, 3, 4, 5]).map(|ids| ids.len()), Ok(5));
        assert_eq!(chosen(&[1, 2, 3, 4, 5, 6]).map_err(|error| error.code), Err(422));
    }

    #[test]
    fn no_label_falls_together_with_itself_or_with_another_type() {
        assert_eq!(merged(&[2, 1, 2], 3), Ok(vec![1, 2]));
        assert_eq!(merged(&[1, 3], 3).map_err(|error| error.code), Err(422));
        assert_eq!(of_one_type([LabelType::Blog, LabelType::Blog]), Ok(()));
        assert_eq!(of_one_type([LabelType::Blog, LabelType::Question]).map_err(|error| error.code), Err(422));
    }
}
