//! Amounts of money as people read them.

/// An amount of 分: `112.77元`.
pub fn yuan(fen: i64) -> String {
    let sign = if fen < 0 { "-" } else { "" };
    let fen = fen.unsigned_abs();
    format!("{sign}{}.{:02}元", fen / 100, fen % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_told_in_yuan() {
        assert_eq!(
            [14_915, 10_000, 5, 0, -11_277].map(yuan),
            ["149.15元", "100.00元", "0.05元", "0.00元", "-112.77元"]
        );
    }
}
