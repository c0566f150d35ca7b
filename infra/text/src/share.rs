//! Parts of a whole as people read them.

/// A percentage with one decimal, half up; none of nothing.
pub fn percent(part: i64, whole: i64) -> Option<f64> {
    (whole > 0).then(|| {
        let tenths = (part * 2_000 + whole) / (2 * whole);
        #[allow(clippy::cast_precision_loss, reason = "at most some thousand tenths")]
        let percent = tenths as f64 / 10.0;
        percent
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 01 §7.3-5, and the examples of 02 §3 and §7.
    #[test]
    fn percentages_have_one_decimal_half_up() {
        assert_eq!(percent(990, 1000), Some(99.0));
        assert_eq!(percent(325, 500), Some(65.0));
        assert_eq!(percent(1, 3), Some(33.3));
        assert_eq!(percent(2, 3), Some(66.7));
        assert_eq!(percent(1, 8), Some(12.5));
        assert_eq!(percent(861, 980), Some(87.9));
        assert_eq!(percent(790, 861), Some(91.8));
        assert_eq!(percent(0, 980), Some(0.0));
        assert_eq!(percent(0, 0), None);
    }
}
