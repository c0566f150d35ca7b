//! Figures out of sums, with one decimal, half up: never of figures that were rounded before. Of nothing there is none, which is shown
//! as `–` (part 05 §0).

pub use infra::share::percent;

/// Half up, of numbers that are not negative.
const fn rounded(part: i64, whole: i64) -> i64 {
    (part * 2 + whole) / (whole * 2)
}

#[allow(clippy::cast_precision_loss, reason = "tenths that people read")]
fn shown(tenths: i64) -> f64 {
    tenths as f64 / 10.0
}

/// The mean of values in tenths.
pub fn mean(tenths: i64, count: i64) -> Option<f64> {
    (count > 0).then(|| shown(rounded(tenths, count)))
}

/// Hours.
pub fn hours(seconds: i64) -> f64 {
    shown(rounded(seconds, 360))
}

/// Hours for each of so many.
pub fn hours_each(seconds: i64, count: i64) -> Option<f64> {
    (count > 0).then(|| shown(rounded(seconds, 360 * count)))
}

/// Of so many, for each of so many others: sign-ins a person, students a teacher.
pub fn each(number: i64, count: i64) -> Option<f64> {
    mean(number * 10, count)
}

/// The deviation of a whole population, of the sum of its tenths and that of their squares.
pub fn deviation(count: i64, tenths: i64, squares: i64) -> Option<f64> {
    (count > 0).then(|| {
        #[allow(clippy::cast_precision_loss, reason = "shown with one decimal")]
        let (count, tenths, squares) = (count as f64, tenths as f64, squares as f64);
        let variance = (squares / count - (tenths / count).powi(2)).max(0.0);
        variance.sqrt().round() / 10.0
    })
}

/// The value in the middle of tenths in order; of two in the middle their mean.
pub fn median(ordered: &[i32]) -> Option<f64> {
    let (count, middle) = (ordered.len(), ordered.len() / 2);
    let upper = i64::from(*ordered.get(middle)?);
    let lower = if count % 2 == 1 { upper } else { i64::from(ordered[middle - 1]) };
    mean(upper + lower, 2)
}

/// How many of tenths lie below 60, in 60–69.9, 70–79.9, 80–89.9 and from 90 on.
pub fn bands(scores: &[i32]) -> [i64; 5] {
    let mut bands = [0; 5];
    for score in scores {
        bands[match score {
            ..600 => 0,
            600..700 => 1,
            700..800 => 2,
            800..900 => 3,
            _ => 4,
        }] += 1;
    }
    bands
}

/// Least, lower quartile, median, upper quartile, most: of what a box is drawn. Quartiles are values that stand there.
pub fn quartiles(ordered: &[i32]) -> Option<[f64; 5]> {
    let last = ordered.len().checked_sub(1)?;
    let at = |place: usize| shown(i64::from(ordered[place]));
    Some([at(0), at(last / 4), median(ordered)?, at(last - last / 4), at(last)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of 05 A4: K1, K2 and both.
    #[test]
    fn a_mean_of_both_classes_is_not_the_mean_of_their_means() {
        assert_eq!((mean(22_000, 40), mean(14_200, 20), mean(36_200, 60)), (Some(55.0), Some(71.0), Some(60.3)));
        assert_eq!((percent(30, 40), percent(18, 20), percent(48, 60)), (Some(75.0), Some(90.0), Some(80.0)));
        assert_eq!((percent(10, 40), percent(10, 20), percent(20, 60)), (Some(25.0), Some(50.0), Some(33.3)));
        assert_eq!((hours(432_000), hours(270_000), hours(702_000)), (120.0, 75.0, 195.0));
        assert_eq!((hours_each(432_000, 40), hours_each(270_000, 20)), (Some(3.0), Some(3.8)));
        assert_eq!(hours_each(702_000, 60), Some(3.3));
    }

    /// A student with 60.0 and 7,200 s goes from K1 to K2 (05 A4).
    #[test]
    fn who_changes_their_class_takes_their_progress_along() {
        assert_eq!((mean(21_400, 39), mean(14_800, 21), mean(36_200, 60)), (Some(54.9), Some(70.5), Some(60.3)));
        assert_eq!((hours(424_800), hours(277_200)), (118.0, 77.0));
    }

    /// Homework H and the examination of course C (05 A4).
    #[test]
    fn homework_and_examinations_have_their_own_wholes() {
        assert_eq!((percent(43, 57), percent(40, 43), percent(30, 42)), (Some(75.4), Some(93.0), Some(71.4)));
        assert_eq!((mean(24_360, 30), percent(27, 30), percent(22, 30)), (Some(81.2), Some(90.0), Some(73.3)));
        assert_eq!((percent(50, 54), mean(38_220, 49), percent(45, 57)), (Some(92.6), Some(78.0), Some(78.9)));
    }

    #[test]
    fn sign_ins_are_told_for_each_person() {
        assert_eq!((percent(51, 60), each(408, 51)), (Some(85.0), Some(8.0)));
        assert_eq!(percent(31, 400), Some(7.8), "05 A9-11");
    }

    #[test]
    fn nothing_has_no_rate() {
        assert_eq!(
            (percent(0, 0), mean(0, 0), hours_each(0, 0), deviation(0, 0, 0), median(&[])),
            (None, None, None, None, None)
        );
        assert_eq!(quartiles(&[]), None);
    }

    #[test]
    fn the_spread_of_scores_is_told() {
        // 70.0 and 90.0.
        assert_eq!(deviation(2, 1_600, 700 * 700 + 900 * 900), Some(10.0));
        assert_eq!((median(&[700, 905]), median(&[600, 700, 905])), (Some(80.3), Some(70.0)));
        assert_eq!(bands(&[0, 599, 600, 699, 700, 800, 899, 900, 1_000]), [2, 2, 1, 2, 2]);
        assert_eq!(quartiles(&[100, 200, 300, 400, 500]), Some([10.0, 20.0, 30.0, 40.0, 50.0]));
    }
}
