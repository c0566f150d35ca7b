//! How alike two texts are (part 03 B7).
//!
//! Texts are compared without blanks, punctuation and the case of letters, by the set of their windows of five characters, less
//! those that the question itself has: |A∩B| / min(|A|, |B|). Which texts are compared at all a sketch of each decides: 128
//! minima in 32 bands of 4; two that share a band are.

use std::collections::{HashMap, HashSet};

use question_bank::score::part;
use unicode_normalization::UnicodeNormalization;

/// Characters of a window.
const WINDOW: usize = 5;
/// Shorter texts say too little.
const SHORTEST: usize = 50;
const BANDS: usize = 32;
const ROWS: usize = 4;
const HASHES: usize = BANDS * ROWS;
/// Texts of one band that are looked at: of a thousand that are all the same these are enough.
const OF_BAND: usize = 64;
/// Pairs that a text is in.
const OF_TEXT: usize = 5;
/// Places that are shown of a pair.
const FRAGMENTS: usize = 20;

/// Characters from one to another in both texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fragment {
    pub a: (u32, u32),
    pub b: (u32, u32),
}

/// A text, ready to be compared.
#[derive(Debug, Clone)]
pub struct Text {
    /// What counts of it, with the place that each character has in the text as it was written.
    signs: Vec<(char, u32)>,
    /// In their order, each once.
    shingles: Vec<u64>,
    sketch: Vec<u64>,
}

fn signs(text: &str) -> Vec<(char, u32)> {
    let folded = |(place, sign): (u32, char)| {
        std::iter::once(sign).nfkc().flat_map(char::to_lowercase).map(move |sign| (sign, place)).collect::<Vec<_>>()
    };
    (0..).zip(text.chars()).flat_map(folded).filter(|(sign, _)| sign.is_alphanumeric()).collect()
}

fn hash(window: &[(char, u32)]) -> u64 {
    window.iter().fold(0xCBF2_9CE4_8422_2325, |state: u64, (sign, _)| {
        (state ^ u64::from(u32::from(*sign))).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

fn mixed(value: u64) -> u64 {
    let mut mixed = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// The windows of a text.
pub fn shingles(text: &str) -> HashSet<u64> {
    signs(text).windows(WINDOW).map(hash).collect()
}

impl Text {
    /// None for a text that says too little.
    pub fn of(text: &str, own: &HashSet<u64>) -> Option<Self> {
        let signs = signs(text);
        if signs.len() < SHORTEST {
            return None;
        }
        let mut shingles: Vec<u64> = signs.windows(WINDOW).map(hash).filter(|one| !own.contains(one)).collect();
        shingles.sort_unstable();
        shingles.dedup();
        let mut sketch = vec![u64::MAX; HASHES];
        for shingle in &shingles {
            let mut value = *shingle;
            for least in &mut sketch {
                value = mixed(value);
                *least = (*least).min(value);
            }
        }
        Some(Self { signs, shingles, sketch })
    }

    fn bands(&self) -> impl Iterator<Item = (usize, u64)> {
        self.sketch
            .chunks(ROWS)
            .enumerate()
            .map(|(band, rows)| (band, rows.iter().fold(1, |all, row| mixed(all ^ row))))
    }
}

/// How alike two texts are, in tenths of a percent.
fn likeness(a: &Text, b: &Text) -> i64 {
    let least = a.shingles.len().min(b.shingles.len());
    if least == 0 {
        return 0;
    }
    let common = common(&a.shingles, &b.shingles);
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    part(number(common), 1_000, number(least))
}

/// How many numbers stand in both of two lists that are in order.
fn common(a: &[u64], b: &[u64]) -> usize {
    let (mut count, mut others) = (0, b.iter().peekable());
    for one in a {
        while others.next_if(|other| *other < one).is_some() {}
        count += usize::from(others.next_if_eq(&one).is_some());
    }
    count
}

/// Where two texts say the same, the longest places first.
pub fn fragments(a: &Text, b: &Text) -> Vec<Fragment> {
    let known = |text: &Text, one: u64| text.shingles.binary_search(&one).is_ok();
    let common = |window: &[(char, u32)]| known(a, hash(window)) && known(b, hash(window));
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (place, window) in b.signs.windows(WINDOW).enumerate() {
        places.entry(hash(window)).or_default().push(place);
    }
    let mut found: Vec<(usize, Fragment)> = Vec::new();
    let mut at = 0;
    while at + WINDOW <= a.signs.len() {
        let window = &a.signs[at..at + WINDOW];
        let run = |from: &usize| {
            a.signs[at..].iter().zip(&b.signs[*from..]).take_while(|((one, _), (other, _))| one == other).count()
        };
        let best = places
            .get(&hash(window))
            .filter(|_| common(window))
            .and_then(|places| places.iter().take(OF_BAND).map(|from| (run(from), *from)).max());
        match best {
            Some((length, from)) if length >= WINDOW => {
                let of = |signs: &[(char, u32)], from: usize| (signs[from].1, signs[from + length - 1].1 + 1);
                found.push((length, Fragment { a: of(&a.signs, at), b: of(&b.signs, from) }));
                at += length;
            }
            _ => at += 1,
        }
    }
    found.sort_by_key(|(length, fragment)| (std::cmp::Reverse(*length), fragment.a));
    let mut fragments: Vec<Fragment> = found.into_iter().take(FRAGMENTS).map(|(_, fragment)| fragment).collect();
    fragments.sort_by_key(|fragment| fragment.a);
    fragments
}

/// Two texts that are alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    pub first: usize,
    pub second: usize,
    /// In tenths of a percent.
    pub percent: i64,
}

/// The pairs that reach a threshold, are of two people and of which one at least is new, the likest first, at most five of each
/// text. `of` says of each text whether it is new, and whose it is.
pub fn pairs(texts: &[Text], of: &[(bool, i64)], threshold: i64) -> Vec<Pair> {
    let mut bands: HashMap<(usize, u64), Vec<usize>> = HashMap::new();
    let mut compared: HashSet<(usize, usize)> = HashSet::new();
    let mut found = Vec::new();
    for (second, text) in texts.iter().enumerate() {
        for key in text.bands() {
            let known = bands.entry(key).or_default();
            for first in known.iter().copied() {
                let asked = (of[first].0 || of[second].0) && of[first].1 != of[second].1;
                if !asked || !compared.insert((first, second)) {
                    continue;
                }
                let percent = likeness(&texts[first], text);
                if percent >= threshold {
                    found.push(Pair { first, second, percent });
                }
            }
            if known.len() < OF_BAND {
                known.push(second);
            }
        }
    }
    found.sort_by_key(|pair| (std::cmp::Reverse(pair.percent), pair.first, pair.second));
    let mut counts: HashMap<usize, usize> = HashMap::new();
    found.retain(|pair| {
        let full = |text: &usize| counts.get(text).copied().unwrap_or_default() >= OF_TEXT;
        if full(&pair.first) || full(&pair.second) {
            return false;
        }
        *counts.entry(pair.first).or_default() += 1;
        *counts.entry(pair.second).or_default() += 1;
        true
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many characters that no other place repeats.
    fn words(from: u32, count: u32) -> String {
        (from..from + count).filter_map(|place| char::from_u32(0x4E00 + place)).collect()
    }

    fn text(words: &str) -> Text {
        Text::of(words, &HashSet::new()).expect("long enough")
    }

    #[test]
    fn two_hundred_and_a_hundred_and_fifty_windows_with_120_in_common() {
        // 204 characters have 200 windows; 124 of them, 120; with 30 others behind them 150.
        let a = text(&words(0, 204));
        let b = text(&format!("{}{}", words(0, 124), words(5_000, 30)));
        assert_eq!((a.shingles.len(), b.shingles.len()), (200, 150));
        assert_eq!(likeness(&a, &b), 800);
        let found = pairs(&[a.clone(), b.clone()], &[(true, 1), (true, 2)], 600);
        assert_eq!(found, [Pair { first: 0, second: 1, percent: 800 }]);
        assert_eq!(pairs(&[a.clone(), b.clone()], &[(true, 1), (true, 1)], 600), [], "two attempts of one student");
        assert_eq!(fragments(&a, &b), [Fragment { a: (0, 124), b: (0, 124) }]);
    }

    #[test]
    fn the_words_of_the_question_are_nobodys() {
        let stem = words(0, 80);
        let own = shingles(&stem);
        let copied = Text::of(&stem, &own).expect("long enough");
        assert_eq!(copied.shingles.len(), 0);
        assert_eq!(likeness(&copied, &copied.clone()), 0);
        assert_eq!(fragments(&copied, &copied.clone()), []);
    }

    #[test]
    fn punctuation_and_case_make_no_difference() {
        let a = text(&format!("价值尺度，流通手段。ABC {}", words(100, 60)));
        let b = text(&format!("价值尺度流通手段ａｂｃ{}", words(100, 60)));
        assert_eq!(likeness(&a, &b), 1_000);
        assert!(Text::of("太短", &HashSet::new()).is_none());
    }

    #[test]
    fn a_text_is_in_five_pairs_at_the_most() {
        let same: Vec<Text> = (0..40).map(|_| text(&words(0, 100))).collect();
        let new: Vec<(bool, i64)> = (0..40).map(|one| (true, one)).collect();
        let found = pairs(&same, &new, 600);
        for place in 0..40 {
            assert!(found.iter().filter(|pair| pair.first == place || pair.second == place).count() <= 5);
        }
        assert!(found.len() >= 60, "{}", found.len());
        let before: Vec<(bool, i64)> = (0..40).map(|one| (false, one)).collect();
        assert_eq!(pairs(&same, &before, 600), [], "all were compared before");
    }

    #[test]
    fn different_texts_are_not_alike() {
        let texts: Vec<Text> = (0..50).map(|one| text(&words(one * 400, 300))).collect();
        let new: Vec<(bool, i64)> = (0..50).map(|one| (true, one)).collect();
        assert_eq!(pairs(&texts, &new, 600), []);
        assert_eq!(common(&[1, 3, 5, 9], &[2, 3, 4, 9, 11]), 2);
    }
}
