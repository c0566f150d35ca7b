//! The number by which a transcript is verified.

const LETTERS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Sixteen digits and capitals of a random number.
pub fn code(random: u128) -> String {
    let mut rest = random;
    (0..16)
        .map(|_| {
            let letter = LETTERS[usize::try_from(rest % 36).unwrap_or_default()];
            rest /= 36;
            char::from(letter)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_sixteen_letters() {
        assert_eq!(code(0), "0000000000000000");
        assert_eq!(code(35), "Z000000000000000");
        assert_eq!(code(u128::MAX).len(), 16);
    }
}
