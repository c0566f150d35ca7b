//! Credit points and averages (part 04 §5.4).

use crate::{arith::half_up, enums::GpaScale};

/// Hundredths of a credit point that a total in tenths is worth.
pub const fn point(scale: GpaScale, total: i64) -> i64 {
    match scale {
        GpaScale::Linear5 if total >= 600 => total - 500,
        GpaScale::Band4 if total >= 900 => 400,
        GpaScale::Band4 if total >= 800 => 300,
        GpaScale::Band4 if total >= 700 => 200,
        GpaScale::Band4 if total >= 600 => 100,
        GpaScale::Linear5 | GpaScale::Band4 => 0,
    }
}

/// Of credits (tenths) and their points (hundredths), in hundredths; none of no credits.
pub fn gpa(rows: &[(i64, i64)]) -> Option<i64> {
    weighed(rows)
}

/// Of credits and totals, both in tenths, in tenths.
pub fn average(rows: &[(i64, i64)]) -> Option<i64> {
    weighed(rows)
}

fn weighed(rows: &[(i64, i64)]) -> Option<i64> {
    let whole: i128 = rows.iter().map(|(credits, _)| i128::from(*credits)).sum();
    let sum: i128 = rows.iter().map(|(credits, value)| i128::from(*credits) * i128::from(*value)).sum();
    (whole > 0).then(|| i64::try_from(half_up(sum, whole)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_worth_points() {
        let linear = |total| point(GpaScale::Linear5, total);
        assert_eq!((linear(600), linear(860), linear(1_000), linear(595)), (100, 360, 500, 0));
        let band = |total| point(GpaScale::Band4, total);
        assert_eq!((band(900), band(899), band(700), band(600), band(599)), (400, 300, 200, 100, 0));
    }

    #[test]
    fn credits_weigh() {
        assert_eq!(gpa(&[(40, 350), (30, 160), (20, 100)]), Some(231));
        assert_eq!(average(&[(40, 850), (30, 660), (20, 600)]), Some(731));
        assert_eq!(gpa(&[]), None);
    }
}
