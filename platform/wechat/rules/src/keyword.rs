//! Which reply a message gets: a keyword that is the whole message before one that it contains, of those the longest, then by sort
//! (01 §9.9).

use infra::{Error, Result, naming::tidy};

use crate::enums::GzhMatchMode;

/// So many keywords lead to one reply.
pub const MOST: usize = 20;
/// Characters of one.
const LONGEST: usize = 30;

/// As keywords and messages are compared: without blanks around them, in lower case.
pub fn folded(text: &str) -> String {
    tidy(text).to_lowercase()
}

/// The keywords of a reply, each once.
///
/// # Errors
/// 422 at `keywords` for none, too many or too long ones.
pub fn checked(typed: &[String]) -> Result<Vec<String>> {
    let mut keywords: Vec<String> = Vec::with_capacity(typed.len());
    for keyword in typed.iter().map(|keyword| folded(keyword)).filter(|keyword| !keyword.is_empty()) {
        if keyword.chars().count() > LONGEST {
            return Err(Error::field("keywords", format!("关键词“{keyword}”不能超过{LONGEST}个字")));
        }
        if !keywords.contains(&keyword) {
            keywords.push(keyword);
        }
    }
    if keywords.is_empty() {
        return Err(Error::field("keywords", "请填写关键词"));
    }
    if keywords.len() > MOST {
        return Err(Error::field("keywords", format!("关键词不能超过{MOST}个")));
    }
    Ok(keywords)
}

/// A keyword of a reply that is in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    pub reply_id: i64,
    pub keyword: String,
    pub mode: GzhMatchMode,
    pub sort: i32,
}

/// The reply to a folded text; none when no keyword meets it.
pub fn chosen(text: &str, known: &[Known]) -> Option<i64> {
    let whole = known.iter().find(|each| each.keyword == text);
    let within = || {
        known
            .iter()
            .filter(|each| each.mode == GzhMatchMode::Contains && text.contains(&each.keyword))
            .min_by_key(|each| (std::cmp::Reverse(each.keyword.chars().count()), each.sort, each.reply_id))
    };
    whole.or_else(within).map(|each| each.reply_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(reply_id: i64, keyword: &str, mode: GzhMatchMode, sort: i32) -> Known {
        Known { reply_id, keyword: keyword.to_owned(), mode, sort }
    }

    #[test]
    fn the_whole_message_comes_before_a_part_of_it() {
        let all = [
            known(1, "报名", GzhMatchMode::Contains, 1),
            known(2, "报名时间", GzhMatchMode::Exact, 9),
            known(3, "报名时", GzhMatchMode::Contains, 9),
        ];
        assert_eq!(chosen("报名时间", &all), Some(2));
        assert_eq!(chosen("请问报名时间", &all), Some(3), "the longest that is contained");
        assert_eq!(chosen("怎么报名", &all), Some(1));
        assert_eq!(chosen("时间", &all), None, "an exact one is no part");
    }

    #[test]
    fn of_equal_length_the_order_decides() {
        let all = [
            known(1, "报名", GzhMatchMode::Contains, 5),
            known(2, "缴费", GzhMatchMode::Contains, 2),
            known(3, "考试", GzhMatchMode::Contains, 2),
        ];
        assert_eq!(chosen("报名和缴费", &all), Some(2));
        assert_eq!(chosen("考试缴费", &all), Some(2), "then the older one");
    }

    #[test]
    fn keywords_are_folded_and_counted_once() {
        let typed = |words: &[&str]| checked(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(typed(&[" APP ", "app", ""]), Ok(vec!["app".to_owned()]));
        assert_eq!(typed(&[" "]).map_err(|error| error.code), Err(422));
        assert_eq!(typed(&[&"长".repeat(31)]).map_err(|error| error.code), Err(422));
        let many: Vec<String> = (0..21).map(|number| format!("词{number}")).collect();
        assert_eq!(checked(&many).map_err(|error| error.code), Err(422));
    }
}
