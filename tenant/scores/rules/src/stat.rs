//! 成绩统计 (part 04 §7).

use crate::{arith::half_up, enums::ScoreMark};

/// A score as figures see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatRow {
    /// In tenths.
    pub total: Option<i64>,
    pub mark: ScoreMark,
    pub passed: bool,
}

/// What many came to; scores and rates in tenths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    /// Neither exempt nor deferred.
    pub enrolled: i64,
    /// Those of them whose numbers count.
    pub counted: i64,
    pub mean: Option<i64>,
    pub median: Option<i64>,
    pub deviation: Option<i64>,
    pub highest: Option<i64>,
    pub lowest: Option<i64>,
    pub pass_rate: Option<i64>,
    pub excellent_rate: Option<i64>,
    pub absent_rate: Option<i64>,
    /// Below 60, 60 to 69, 70 to 79, 80 to 89, from 90 on.
    pub bands: [i64; 5],
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn rate(part: i64, whole: i64) -> Option<i64> {
    (whole > 0).then(|| i64::try_from(half_up(i128::from(part) * 1_000, i128::from(whole))).unwrap_or_default())
}

/// The figures of these scores.
pub fn figures(rows: &[StatRow]) -> Figures {
    let enrolled: Vec<&StatRow> =
        rows.iter().filter(|row| !matches!(row.mark, ScoreMark::Exempt | ScoreMark::Deferred)).collect();
    let mut values: Vec<i64> =
        enrolled.iter().filter(|row| row.mark == ScoreMark::Normal).filter_map(|row| row.total).collect();
    values.sort_unstable();
    let (all, counted) = (count(enrolled.len()), count(values.len()));
    let sum: i128 = values.iter().map(|value| i128::from(*value)).sum();
    let mut bands = [0; 5];
    for value in &values {
        let place = match *value {
            900.. => 4,
            800.. => 3,
            700.. => 2,
            600.. => 1,
            _ => 0,
        };
        bands[place] += 1;
    }
    let tenths = |value: i128| i64::try_from(value).unwrap_or_default();
    let mean = (counted > 0).then(|| tenths(half_up(sum, i128::from(counted))));
    let median = values.get(values.len() / 2).map(|upper| match values.len() % 2 {
        1 => *upper,
        _ => tenths(half_up(i128::from(values[values.len() / 2 - 1] + upper), 2)),
    });
    // Of n² times the variance, whose root is n times the deviation.
    let deviation = (counted > 0).then(|| {
        let squares: i128 = values.iter().map(|value| i128::from(*value) * i128::from(*value)).sum();
        let n = i128::from(counted);
        let spread = (n * squares - sum * sum).max(0);
        tenths(half_up(root(spread * 100), n * 10))
    });
    Figures {
        enrolled: all,
        counted,
        mean,
        median,
        deviation,
        highest: values.last().copied(),
        lowest: values.first().copied(),
        pass_rate: rate(count(enrolled.iter().filter(|row| row.passed).count()), all),
        excellent_rate: rate(count(values.iter().filter(|value| **value >= 900).count()), all),
        absent_rate: rate(count(enrolled.iter().filter(|row| row.mark == ScoreMark::Absent).count()), all),
        bands,
    }
}

/// The whole part of a root.
fn root(square: i128) -> i128 {
    if square < 2 {
        return square.max(0);
    }
    let mut guess = square;
    loop {
        let next = (guess + square / guess) / 2;
        if next >= guess {
            return guess;
        }
        guess = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_count_where_they_belong() {
        let row = |mark, total, passed| StatRow { total, mark, passed };
        let mut rows = vec![row(ScoreMark::Normal, Some(700), true); 30];
        rows.extend([row(ScoreMark::Normal, Some(500), false); 7]);
        rows.extend([row(ScoreMark::Absent, Some(0), false); 2]);
        rows.push(row(ScoreMark::Deferred, None, false));
        let figures = figures(&rows);
        assert_eq!((figures.enrolled, figures.counted, figures.pass_rate), (39, 37, Some(769)));
        assert_eq!((figures.mean, figures.median, figures.bands), (Some(662), Some(700), [7, 0, 30, 0, 0]));
        assert_eq!((figures.highest, figures.lowest, figures.absent_rate), (Some(700), Some(500), Some(51)));
    }

    #[test]
    fn deviation_is_that_of_all() {
        let row = |total| StatRow { total: Some(total), mark: ScoreMark::Normal, passed: true };
        assert_eq!(figures(&[row(600), row(800)]).deviation, Some(100));
        assert_eq!(figures(&[row(700), row(710), row(730)]).deviation, Some(12));
        assert_eq!(figures(&[]), Figures::default());
    }
}
