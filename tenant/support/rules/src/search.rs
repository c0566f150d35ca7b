//! What people look for: words with blanks between them, every one of which must occur (part 05 B4).

use infra::pinyin::search_grams;

/// Characters of a search that found nothing, as it is counted.
const MOST_KEPT: usize = 50;

/// A search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sought {
    /// In lower case, each once.
    pub words: Vec<String>,
    /// What a text must hold to contain them all.
    pub grams: Vec<String>,
}

impl Sought {
    /// What somebody typed; nothing is every article.
    pub fn of(keyword: Option<&str>) -> Self {
        let mut words: Vec<String> = Vec::new();
        for word in keyword.unwrap_or_default().split_whitespace() {
            let word = word.to_lowercase();
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let mut grams: Vec<String> = words.iter().flat_map(|word| search_grams(word)).collect();
        grams.sort();
        grams.dedup();
        Self { words, grams }
    }

    pub fn is_nothing(&self) -> bool {
        self.words.is_empty()
    }

    /// As a search without a hit is counted: the same words in the same order are the same.
    pub fn kept(&self) -> String {
        self.words.join(" ").chars().take(MOST_KEPT).collect()
    }
}

/// Characters of an excerpt, and how many of them stand before the first word that was looked for.
const EXCERPT: usize = 100;
const BEFORE: usize = 20;

/// The part of a text in which the first of the words stands that occurs; its beginning when none does.
pub fn excerpt(plain: &str, words: &[String]) -> String {
    let chars: Vec<char> = plain.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    // One small letter stands for each, so that places are those of the text.
    let small: Vec<char> = chars.iter().map(|c| c.to_lowercase().next().unwrap_or(*c)).collect();
    let place = words.iter().find_map(|word| {
        let word: Vec<char> = word.chars().collect();
        small.windows(word.len().max(1)).position(|part| part == word.as_slice())
    });
    let start = place.unwrap_or_default().saturating_sub(BEFORE);
    let shown: String = chars.iter().skip(start).take(EXCERPT).collect();
    let (before, after) = (if start > 0 { "…" } else { "" }, if start + EXCERPT < chars.len() { "…" } else { "" });
    format!("{before}{}{after}", shown.trim())
}

/// What is searched of an article, as [`Sought::words`] are looked for in it.
pub fn searched(title: &str, keywords: &[String], plain: &str) -> String {
    format!("{title}\n{}\n{plain}", keywords.join("\n")).to_lowercase()
}

#[cfg(test)]
mod tests {
    use infra::pinyin::grams;

    use super::*;

    fn finds(keyword: &str, text: &str) -> bool {
        let (sought, text) = (Sought::of(Some(keyword)), searched(text, &[], ""));
        let held = grams(&text);
        let by_grams = sought.grams.iter().all(|gram| held.contains(gram));
        let by_words = sought.words.iter().all(|word| text.contains(word.as_str()));
        assert!(by_grams || !by_words, "the index leaves nothing out");
        by_grams && by_words
    }

    #[test]
    fn every_word_must_occur() {
        assert!(finds("准考证 打印", "如何打印准考证"));
        assert!(!finds("准考证 打印", "准考证在哪里领取"));
        assert!(finds("PDF", "下载pdf文件"));
        assert!(finds("app  APP", "学生App"));
        assert!(finds("考", "补考"));
    }

    #[test]
    fn a_search_is_kept_as_it_was_meant() {
        assert_eq!(Sought::of(Some("  准考证　打印  准考证 ")).kept(), "准考证 打印");
        assert_eq!(Sought::of(Some("长".repeat(80).as_str())).kept().chars().count(), 50);
        assert!(Sought::of(Some("   ")).is_nothing());
        assert!(Sought::of(None).is_nothing());
    }

    #[test]
    fn an_excerpt_shows_the_place_of_the_first_word() {
        let words = |text: &str| Sought::of(Some(text)).words;
        assert_eq!(excerpt("登录后\n打印准考证", &words("准考证")), "登录后 打印准考证");
        let long = format!("{}下载PDF{}", "前".repeat(50), "后".repeat(200));
        let shown = excerpt(&long, &words("pdf"));
        assert!(shown.starts_with(&format!("…{}下载PDF后", "前".repeat(18))), "{shown}");
        assert!(shown.ends_with('…'));
        assert_eq!(excerpt(&long, &words("没有")).chars().count(), 101);
        assert_eq!(excerpt("", &words("没有")), "");
    }

    #[test]
    fn keywords_are_searched_too() {
        let text = searched("如何缴费", &["学费".to_owned(), "支付".to_owned()], "请登录后办理");
        assert_eq!(text, "如何缴费\n学费\n支付\n请登录后办理");
    }
}
