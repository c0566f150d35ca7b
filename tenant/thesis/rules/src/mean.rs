//! The score of a defence, of those of its members.

use scores_rules::arith::scaled;

/// In tenths; of five and more without the highest and the lowest. None of nobody.
pub fn of_members(scores: &[i64]) -> Option<i64> {
    let mut sorted = scores.to_vec();
    sorted.sort_unstable();
    let counted = match sorted.len() {
        0 => return None,
        5.. => &sorted[1..sorted.len() - 1],
        _ => &sorted[..],
    };
    let sum: i128 = counted.iter().map(|score| i128::from(*score)).sum();
    Some(scaled(sum, i128::try_from(counted.len()).ok()?, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_five_the_ends_do_not_count() {
        assert_eq!(of_members(&[900, 800, 820, 840, 600]), Some(820));
        assert_eq!(of_members(&[800, 850, 780]), Some(810));
        assert_eq!(of_members(&[]), None);
    }
}
