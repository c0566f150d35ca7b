//! The codes of the ministry's majors: their shapes, and what their last letters say (part 03 A3, part 05 H).

use term::NationalLevel;

/// Whether a code may stand in the national catalogue of a level (part 03 A3, part 05 H).
///
/// Bachelor: six digits and T, K or TK, or seven digits and T or TK (0502100T … 0502107TK); associate: six digits
/// and K; and at both levels the adult supplement, B and six digits.
pub fn national_code_allowed(level: NationalLevel, code: &str) -> bool {
    if let Some(digits) = code.strip_prefix('B') {
        return digits.len() == 6 && all_digits(digits);
    }
    let digits = code.trim_end_matches(|c: char| c.is_ascii_uppercase());
    let suffix = &code[digits.len()..];
    if !all_digits(digits) {
        return false;
    }
    match (level, digits.len()) {
        (NationalLevel::Bachelor, 6) => matches!(suffix, "" | "T" | "K" | "TK"),
        (NationalLevel::Bachelor, 7) => matches!(suffix, "T" | "TK"),
        (NationalLevel::Associate, 6) => matches!(suffix, "" | "K"),
        _ => false,
    }
}

/// 特设: the code ends in T or TK.
pub fn national_code_special(code: &str) -> bool {
    code.ends_with('T') || code.ends_with("TK")
}

/// 国控: the code ends in K, and offering the major needs the authority's consent.
pub fn national_code_controlled(code: &str) -> bool {
    code.ends_with('K')
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn national_codes_have_their_shapes() {
        use NationalLevel::{Associate, Bachelor};
        for code in
            ["010101", "120203K", "080901", "130509T", "101101K", "100206TK", "0502100T", "0502107TK", "B123456"]
        {
            assert!(national_code_allowed(Bachelor, code), "{code}");
        }
        for code in ["530302", "520101K", "570102K", "B123456"] {
            assert!(national_code_allowed(Associate, code), "{code}");
        }
        for code in ["12020X", "12020", "0502100", "0502100K", "120203KT", "120203k", "", "T", "B12345", "１２０２０３"]
        {
            assert!(!national_code_allowed(Bachelor, code), "{code}");
        }
        for code in ["530302T", "0502100T", "530302TK", "53030"] {
            assert!(!national_code_allowed(Associate, code), "{code}");
        }
        assert!(national_code_special("0502104TK") && national_code_controlled("0502104TK"));
        assert!(national_code_special("130509T") && !national_code_controlled("130509T"));
        assert!(!national_code_special("120203K") && national_code_controlled("120203K"));
    }

    /// The shipped catalogues obey the patterns, and T and K say what the files say (part 05 H, acceptance 1 and 4).
    #[test]
    fn the_shipped_catalogues_obey() {
        let bachelor = include_str!("../../data/national_major_bachelor.csv");
        let associate = include_str!("../../data/national_major_associate.csv");
        for (level, text, rows) in
            [(NationalLevel::Bachelor, bachelor, 883), (NationalLevel::Associate, associate, 744)]
        {
            assert_eq!(text.lines().skip(1).count(), rows);
            for line in text.lines().skip(1) {
                let fields: Vec<&str> = line.split(',').collect();
                let code = fields[0];
                assert!(national_code_allowed(level, code), "{code}");
                assert_eq!(fields[2], level.as_str());
                assert_eq!(fields[8], national_code_special(code).to_string(), "{code}");
                assert_eq!(fields[9], national_code_controlled(code).to_string(), "{code}");
            }
        }
        let enabled =
            [bachelor, associate].into_iter().flat_map(|text| text.lines()).filter(|line| line.ends_with(",true"));
        assert_eq!(enabled.count(), 1515);
    }
}
