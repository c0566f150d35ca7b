//! Parts of amounts, without floats where they are computed.

/// A part that is typed with two places, in hundredths; none for a finer one.
pub fn hundredths(part: f64) -> Option<i64> {
    let whole = (part * 100.0).round();
    ((whole / 100.0 - part).abs() < 1e-9).then_some(whole as i64)
}

/// So many of `whole` of an amount, half up.
pub fn part_of(amount: i64, many: i64, whole: i64) -> i64 {
    (amount * many * 2 + whole).div_euclid(whole * 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_two_places() {
        assert_eq!((hundredths(0.85), hundredths(0.29), hundredths(0.855)), (Some(85), Some(29), None));
    }

    #[test]
    fn halves_are_rounded_up() {
        assert_eq!(part_of(19_900, 85, 100), 16_915);
        assert_eq!(part_of(16_915, 10, 100), 1_692);
        assert_eq!(part_of(17_900, 60, 10_000), 107);
        assert_eq!(part_of(0, 85, 100), 0);
    }
}
