//! 毕业总成绩, 实习成绩 and the share of the excellent (part 04 §8.2).

use scores_rules::arith::{half_up, scaled};

pub use scores_rules::graduation::{GraduationParts, GraduationTotal, graduation};

/// An internship in tenths, by what unit and teacher weigh.
pub fn internship(unit: i64, teacher: i64, weights: (i64, i64)) -> i64 {
    let sum = i128::from(unit) * i128::from(weights.0) + i128::from(teacher) * i128::from(weights.1);
    scaled(sum, i128::from((weights.0 + weights.1).max(1)), 1)
}

/// How many percent are excellent, in tenths.
pub fn excellent(rows: &[i64]) -> i64 {
    let Ok(count) = i128::try_from(rows.len()) else { return 0 };
    if count == 0 {
        return 0;
    }
    let best = rows.iter().filter(|total| **total >= 900).count();
    i64::try_from(half_up(i128::try_from(best).unwrap_or_default() * 1_000, count)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internships_are_weighed() {
        assert_eq!(internship(800, 905, (40, 60)), 863);
        assert_eq!(excellent(&[900, 950, 800, 700, 600, 500, 890, 880, 870, 860, 850]), 182);
        assert_eq!(excellent(&[]), 0);
    }
}
