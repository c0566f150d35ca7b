//! 关键字: what a person typed into the search box of a list of students (part 02 §0.6, F1).
//!
//! The kind of the keyword is decided here, so that the statement compares one column, each through its index:
//!
//! ```text
//! and ($1::text   is null or s.id_card_no = $1)
//! and ($2::text   is null or s.phone = $2)
//! and ($3::text   is null or s.student_no like $3 or s.examinee_no like $3
//!      or ($3 !~ '[0-9]' and s.initials like lower(rtrim($3, '%')) || '%'))
//! and ($4::text[] is null or s.name_grams @> $4)
//! ```
//! (with `plan_cache_mode = force_custom_plan`: for a keyword with a digit the part about initials folds away).

use people::id_card;

/// Four conditions of which at most one is set; an empty keyword sets none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keyword {
    /// The whole number, normalised: 15 digits of an old card have become 18.
    pub id_card_no: Option<String>,
    pub phone: Option<String>,
    /// A pattern for `like` over 学号 and 考生号: from four characters on a prefix, below that the whole number.
    /// It holds letters and digits and the closing `%`, so nothing in it needs escaping. Letters alone also are how the
    /// 拼音首字母 of a name begin.
    pub number: Option<String>,
    /// Every pair of neighbouring characters of the keyword, or its only character: a name with all of them contains
    /// the keyword (exactly for one and two characters; for longer ones a repeated syllable could deceive, as 王小王
    /// finds 小王小).
    pub name_grams: Option<Vec<String>>,
}

/// Decides what a keyword is: 18 characters ending in a digit or X, or 15 digits → ID number; 11 digits starting with
/// 1 → phone; other letters and digits → student or examinee number, letters alone 拼音首字母 too; anything else → part
/// of a name.
pub fn classify(text: &str) -> Keyword {
    let folded = id_card::fold(text);
    let none = Keyword::default();
    if folded.is_empty() {
        return none;
    }
    if !folded.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        let grams = infra::pinyin::search_grams(text);
        // Only blanks and dots: a name contains those as little as anything, and every name would match no gram.
        return if grams.is_empty() { none } else { Keyword { name_grams: Some(grams), ..none } };
    }
    if let Some(number) = id_card::expand(&folded) {
        return Keyword { id_card_no: Some(number), ..none };
    }
    let digits = folded.bytes().all(|byte| byte.is_ascii_digit());
    match folded.len() {
        18 if folded.ends_with(|c: char| c.is_ascii_digit() || c == 'X') => {
            Keyword { id_card_no: Some(folded), ..none }
        }
        11 if digits && folded.starts_with('1') => Keyword { phone: Some(folded), ..none },
        4.. => Keyword { number: Some(format!("{folded}%")), ..none },
        _ => Keyword { number: Some(folded), ..none },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_card_no(text: &str) -> Option<String> {
        let keyword = classify(text);
        assert!(keyword.phone.is_none() && keyword.number.is_none() && keyword.name_grams.is_none(), "{text}");
        keyword.id_card_no
    }

    fn number(text: &str) -> Option<String> {
        let keyword = classify(text);
        assert!(keyword.phone.is_none() && keyword.id_card_no.is_none() && keyword.name_grams.is_none(), "{text}");
        keyword.number
    }

    fn grams(text: &str) -> Vec<String> {
        classify(text).name_grams.unwrap_or_default()
    }

    #[test]
    fn an_id_number_is_exact() {
        assert_eq!(id_card_no(" 11010519491231002x "), Some("11010519491231002X".to_owned()));
        assert_eq!(id_card_no("429900199603150216"), Some("429900199603150216".to_owned()));
        assert_eq!(id_card_no("110105491231002"), Some("11010519491231002X".to_owned()));
        assert_eq!(id_card_no("１１０１０５４９１２３１００２"), Some("11010519491231002X".to_owned()));
    }

    #[test]
    fn a_phone_is_exact() {
        assert_eq!(classify("15412345678").phone, Some("15412345678".to_owned()));
        assert_eq!(classify("25412345678").phone, None);
        assert_eq!(number("25412345678"), Some("25412345678%".to_owned()));
        assert_eq!(classify("1541234567").phone, None);
    }

    #[test]
    fn a_number_is_exact_or_a_prefix_of_four() {
        assert_eq!(number("26304120070023"), Some("26304120070023%".to_owned()));
        assert_eq!(number("2630"), Some("2630%".to_owned()));
        assert_eq!(number("263"), Some("263".to_owned()));
        assert_eq!(number("demo12"), Some("DEMO12%".to_owned()));
        assert_eq!(number("11010519491231002A"), Some("11010519491231002A%".to_owned()));
    }

    #[test]
    fn anything_else_is_part_of_a_name() {
        assert_eq!(grams("张"), ["张"]);
        assert_eq!(grams("张伟"), ["张伟"]);
        assert_eq!(grams(" 欧阳娜娜 "), ["欧阳", "阳娜", "娜娜"]);
        assert_eq!(grams("热依木·买买"), grams("热依木．买买"));
        assert_eq!(grams("100%"), ["10", "00", "0%"]);
        assert_eq!(classify("  "), Keyword::default());
        assert_eq!(classify(" · "), Keyword::default());
    }
}
