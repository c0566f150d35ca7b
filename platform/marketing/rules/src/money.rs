//! Amounts and parts of them, without floats where they are computed.

/// An amount of 分 as people read it: 14915 → `149.15元`.
pub fn yuan(fen: i64) -> String {
    let sign = if fen < 0 { "-" } else { "" };
    let fen = fen.unsigned_abs();
    format!("{sign}{}.{:02}元", fen / 100, fen % 100)
}

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
    fn amounts_are_told_in_yuan() {
        assert_eq!([14_915, 5, 0, -11_277].map(yuan), ["149.15元", "0.05元", "0.00元", "-112.77元"]);
    }

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
