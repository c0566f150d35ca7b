//! What another weight of one homework would come to (part 03 B6).

use crate::times::weighted;

/// A selection's homework of the course: weight and score in tenths, and whether it is the one whose weight changes.
pub type Weighed = (i64, Option<i64>, bool);

/// What the homework of a course come to before and after another weight of one of them, in tenths.
pub fn weighed(rows: &[Weighed], weight: i64) -> Option<(i64, i64)> {
    let before: Vec<(i64, Option<i64>)> = rows.iter().map(|(weight, score, _)| (*weight, *score)).collect();
    let after: Vec<(i64, Option<i64>)> =
        rows.iter().map(|(old, score, own)| (if *own { weight } else { *old }, *score)).collect();
    let reckon = |rows: &[(i64, Option<i64>)]| weighted(rows).unwrap_or(0);
    let (before, after) = (reckon(&before), reckon(&after));
    (before != after).then_some((before, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights 1, 1, 2 with 80, missed and 90 come to 65.0; with 2 for the first to (160 + 0 + 180) / 5 = 68.0.
    #[test]
    fn another_weight_moves_who_has_other_scores() {
        let rows = [(10, Some(800), true), (10, None, false), (20, Some(900), false)];
        assert_eq!(weighed(&rows, 20), Some((650, 680)));
        assert_eq!(weighed(&rows, 10), None);
        let same = [(10, Some(800), true), (20, Some(800), false)];
        assert_eq!(weighed(&same, 90), None, "whoever has the same everywhere");
    }
}
