//! How words and texts are compared, and the automaton over all words.
//!
//! Both sides are folded character by character: NFKC (full width to half width), lower case, and only letters and digits
//! stay, so that spaces, punctuation and signs of no width cannot split a word. Each folded character remembers which
//! character of the text it came from.

use aho_corasick::{AhoCorasick, BuildError, MatchKind};
use infra::enumeration;
use unicode_normalization::UnicodeNormalization;

enumeration! {
    /// 敏感词分类
    pub enum WordCategory = "wordCategory" {
        Politics = "politics" "涉政",
        Porn = "porn" "色情",
        Violence = "violence" "暴恐",
        Abuse = "abuse" "辱骂",
        Ad = "ad" "广告",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 处理方式
    pub enum WordAction = "wordAction" {
        Reject = "reject" "拒绝",
        Review = "review" "转审核",
        Mask = "mask" "替换",
    }
}

impl WordAction {
    /// The stronger is smaller.
    fn rank(self) -> u8 {
        match self {
            Self::Reject => 0,
            Self::Review => 1,
            Self::Mask => 2,
        }
    }
}

/// A word that a text contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Of the row in the library.
    pub id: i64,
    /// As the library spells it.
    pub word: String,
    pub category: WordCategory,
    pub action: WordAction,
    /// Where it stands in the text as it was sent, in characters; the end is the first one after it.
    pub start: usize,
    pub end: usize,
}

/// What was found in a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    pub hits: Vec<Hit>,
}

impl Found {
    /// The strongest action of the hits.
    pub fn action(&self) -> Option<WordAction> {
        self.hits.iter().map(|hit| hit.action).min_by_key(|action| action.rank())
    }

    /// The text with each character of its masked words replaced.
    pub fn masked(&self, text: &str) -> String {
        let mut characters: Vec<char> = text.chars().collect();
        for hit in self.hits.iter().filter(|hit| hit.action == WordAction::Mask) {
            characters[hit.start..hit.end].fill('*');
        }
        characters.into_iter().collect()
    }
}

/// A word as the automaton takes it.
pub struct Entry {
    pub id: i64,
    pub word: String,
    pub normal: String,
    pub category: WordCategory,
    pub action: WordAction,
}

/// The form in which a word is compared; empty when nothing of it counts.
pub fn fold(text: &str) -> String {
    text.chars().flat_map(folded).collect()
}

fn folded(character: char) -> impl Iterator<Item = char> {
    std::iter::once(character).nfkc().flat_map(char::to_lowercase).filter(|folded| folded.is_alphanumeric())
}

/// All words at once: time grows with the text, not with their number.
pub struct Lexicon {
    automaton: AhoCorasick,
    entries: Vec<Entry>,
}

impl Lexicon {
    /// # Errors
    /// When the words together are too long for an automaton.
    pub fn new(entries: Vec<Entry>) -> Result<Self, BuildError> {
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(entries.iter().map(|entry| &entry.normal))?;
        Ok(Self { automaton, entries })
    }

    /// The words of a text, from left to right; of words that begin at one place the longest.
    pub fn find(&self, text: &str) -> Found {
        let mut folded_text = String::with_capacity(text.len());
        // The place in the text of each byte of the folded text.
        let mut origins = Vec::with_capacity(text.len());
        for (place, character) in text.chars().enumerate() {
            for one in folded(character) {
                folded_text.push(one);
                origins.resize(folded_text.len(), place);
            }
        }
        let hits = self.automaton.find_iter(&folded_text).map(|found| {
            let entry = &self.entries[found.pattern().as_usize()];
            Hit {
                id: entry.id,
                word: entry.word.clone(),
                category: entry.category,
                action: entry.action,
                start: origins[found.start()],
                end: origins[found.end() - 1] + 1,
            }
        });
        Found { hits: hits.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon(words: &[(&str, WordAction)]) -> Lexicon {
        let entries = words.iter().zip(1..).map(|((word, action), id)| Entry {
            id,
            word: (*word).to_owned(),
            normal: fold(word),
            category: WordCategory::Other,
            action: *action,
        });
        Lexicon::new(entries.collect()).expect("a small automaton")
    }

    #[test]
    fn nothing_of_no_meaning_splits_a_word() {
        let words = lexicon(&[("赌博", WordAction::Reject), ("VIP代考", WordAction::Review)]);
        for text in ["赌博", "赌 博", "赌\u{200b}博", "赌、博！", "ｖｉｐ代 考", "赌\u{3000}*博"] {
            assert_eq!(words.find(text).hits.len(), 1, "{text}");
        }
        assert_eq!(words.find("賭博").hits, [], "another script is another word");
        assert_eq!(words.find("").hits, []);
    }

    #[test]
    fn a_hit_stands_where_the_person_wrote_it() {
        let words = lexicon(&[("赌博", WordAction::Mask)]);
        let text = "远离 赌-博，𝒶b";
        let found = words.find(text);
        assert_eq!((found.hits[0].start, found.hits[0].end), (3, 6));
        assert_eq!(found.masked(text), "远离 ***，𝒶b");
    }

    /// 05 D6, worked.
    #[test]
    fn a_character_between_is_another_text() {
        let text = "代-考 加微信";
        assert_eq!(fold(text), "代考加微信");
        let rejects = lexicon(&[("代考", WordAction::Reject)]);
        assert_eq!(rejects.find(text).action(), Some(WordAction::Reject));
        assert_eq!(rejects.find("代数考试").hits, []);
        assert_eq!(lexicon(&[("微信", WordAction::Mask)]).find(text).masked(text), "代-考 加**");
    }

    #[test]
    fn the_longest_word_and_the_strongest_action_win() {
        let words =
            lexicon(&[("代考", WordAction::Mask), ("代考包过", WordAction::Review), ("赌博", WordAction::Reject)]);
        let found = words.find("代考包过");
        assert_eq!(found.hits.iter().map(|hit| hit.word.as_str()).collect::<Vec<_>>(), ["代考包过"]);
        assert_eq!(found.action(), Some(WordAction::Review));
        assert_eq!(words.find("代考，赌博").action(), Some(WordAction::Reject));
        assert_eq!(words.find("好好学习").action(), None);
    }
}
