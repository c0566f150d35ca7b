//! Colours of a school (01 §5).

/// Contrast of white text on `#rrggbb`, 1 to 21.
pub fn contrast_with_white(color: &str) -> Option<f64> {
    let number = u32::from_str_radix(color.strip_prefix('#')?, 16).ok()?;
    let channel = |shift: u32| {
        let value = f64::from((number >> shift) & 0xff) / 255.0;
        if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    Some(1.05 / (0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0) + 0.05))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brand_colour_must_carry_white_text() {
        let ratio = |color| contrast_with_white(color).map(|ratio| (ratio * 10.0).round() / 10.0);
        assert_eq!(ratio("#165DFF"), Some(5.2));
        assert_eq!(ratio("#FF7D00"), Some(2.6));
        assert_eq!(ratio("#000000"), Some(21.0));
        assert_eq!(ratio("blue"), None);
    }
}
