//! Credits as they are counted: in tenths, whole numbers. On the wire and in the database they have one place.

/// Credits of the wire in tenths.
pub fn tenths(credits: f64) -> i64 {
    (credits * 10.0).round() as i64
}

/// Tenths as the wire has them.
pub fn points(tenths: i64) -> f64 {
    tenths as f64 / 10.0
}

/// As people read them: `86.0`.
pub fn shown(tenths: i64) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    format!("{sign}{}.{}", tenths.abs() / 10, tenths.abs() % 10)
}

/// Whether credits come in halves, from `least` to `most` tenths.
pub fn is_half(credits: f64, least: i64, most: i64) -> bool {
    let halves = credits * 2.0;
    halves.fract() == 0.0 && (least..=most).contains(&tenths(credits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credits_have_one_place() {
        assert_eq!((tenths(88.0), tenths(3.5)), (880, 35));
        assert_eq!((shown(860), shown(35), shown(-5)), ("86.0".to_owned(), "3.5".to_owned(), "-0.5".to_owned()));
        assert!(is_half(0.5, 5, 300) && is_half(30.0, 5, 300));
        assert!(!is_half(0.3, 5, 300) && !is_half(30.5, 5, 300) && !is_half(0.0, 5, 300));
    }
}
