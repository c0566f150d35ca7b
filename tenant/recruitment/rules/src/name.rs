//! Names of people as forms take them.

use infra::naming;

/// The parts of a name are parted by one kind of dot, U+00B7, and by single blanks.
pub fn name(typed: &str) -> String {
    let dotted = |sign: char| if matches!(sign, '•' | '‧' | '∙' | '・' | '．') { '·' } else { sign };
    naming::tidy(&typed.chars().map(dotted).collect::<String>())
}

/// Whether it is of Chinese characters or Latin letters, with dots and blanks inside only.
pub fn name_fits(name: &str) -> bool {
    let inside = |sign: char| sign == '·' || sign == ' ';
    let letter = |sign: char| is_han(sign) || (sign.is_alphabetic() && (sign as u32) < 0x250);
    (2..=40).contains(&name.chars().count())
        && name.chars().all(|sign| letter(sign) || inside(sign))
        && !name.starts_with(inside)
        && !name.ends_with(inside)
}

/// A Chinese character, rare ones included.
fn is_han(sign: char) -> bool {
    matches!(sign, '\u{3007}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_of_han_or_letters_with_dots_and_blanks_inside_only() {
        assert_eq!(name(" 热依木・买买提 "), "热依木·买买提");
        assert_eq!(name("John  Smith"), "John Smith");
        for good in ["张伟", "热依木·买买提", "John Smith", "㐂田", "José Núñez"] {
            assert!(name_fits(good), "{good}");
        }
        for bad in ["张", "·张伟", "张伟·", "张3", "张伟!", &"张".repeat(41)] {
            assert!(!name_fits(bad), "{bad}");
        }
    }
}
