//! Quotients of whole numbers, rounded half up (part 04 §0.5).

/// `num / den`, half up; `den` is positive.
pub const fn half_up(num: i128, den: i128) -> i128 {
    (2 * num + den).div_euclid(2 * den)
}

/// A quotient that is in tenths, in tenths: to the place, or of scale 0 to whole points.
pub fn scaled(num: i128, den: i128, scale: u8) -> i64 {
    let exact = match scale {
        0 => half_up(num, den * 10) * 10,
        _ => half_up(num, den),
    };
    i64::try_from(exact).unwrap_or(i64::MAX)
}

/// What a raw score comes to of a hundred, all in tenths.
pub fn of_hundred(raw: i64, total: i64) -> i64 {
    scaled(i128::from(raw) * 1_000, i128::from(total.max(1)), 1)
}

/// Tenths as people read them: 86, 59.5.
pub fn shown(tenths: i64) -> String {
    if tenths % 10 == 0 { (tenths / 10).to_string() } else { format!("{}.{}", tenths / 10, (tenths % 10).abs()) }
}

/// Tenths as the wire has them.
pub fn points(tenths: i64) -> f64 {
    tenths as f64 / 10.0
}

/// A score of the wire in tenths; none beyond `0..=most`, or with more than one place.
pub fn in_tenths(score: f64, most: i64) -> Option<i64> {
    let tenths = (score * 10.0).round();
    let fits = tenths >= 0.0 && tenths <= most as f64 && (score * 10.0 - tenths).abs() < 1e-6;
    fits.then_some(tenths as i64)
}

/// A score that stands in a sheet, in tenths; none for what is no number, has more than one place or lies beyond.
pub fn parsed(text: &str, most: i64) -> Option<i64> {
    let (whole, tenth) = text.trim().split_once('.').unwrap_or((text.trim(), "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
    let tenth = tenth.trim_end_matches('0');
    if !digits(whole) || whole.len() > 6 || tenth.len() > 1 || !(tenth.is_empty() || digits(tenth)) {
        return None;
    }
    let value = whole.parse::<i64>().ok()? * 10 + if tenth.is_empty() { 0 } else { tenth.parse::<i64>().ok()? };
    (value <= most).then_some(value)
}

/// Told to whoever types what is no score.
pub const NO_SCORE: &str = "成绩应为0到100之间的数字，最多一位小数";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_up_once() {
        assert_eq!((scaled(595, 1, 0), scaled(594, 1, 0)), (600, 590));
        assert_eq!(scaled(5945, 10, 1), 595);
        assert_eq!((half_up(1, 2), half_up(-1, 2), half_up(5, 3)), (1, 0, 2));
        assert_eq!(of_hundred(630, 750), 840);
        assert_eq!((shown(860), shown(595)), ("86".to_owned(), "59.5".to_owned()));
    }

    #[test]
    fn a_score_has_one_place() {
        assert_eq!(in_tenths(59.5, 1_000), Some(595));
        assert_eq!((in_tenths(59.55, 1_000), in_tenths(101.0, 1_000), in_tenths(-0.1, 1_000)), (None, None, None));
        assert_eq!(in_tenths(f64::NAN, 1_000), None);
        assert_eq!(
            (parsed("59.5", 1_000), parsed("86", 1_000), parsed("86.0", 1_000)),
            (Some(595), Some(860), Some(860))
        );
        assert_eq!((parsed("101", 1_000), parsed("59.55", 1_000), parsed("-1", 1_000)), (None, None, None));
        assert_eq!((parsed("优", 1_000), parsed("", 1_000), parsed("1e2", 1_000)), (None, None, None));
    }
}
