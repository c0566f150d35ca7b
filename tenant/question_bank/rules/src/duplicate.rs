//! 查重: stems that are nearly the same (part 03 A7).
//!
//! How near two stems are is the share of their pairs of neighbouring characters that both have. Two that reach the
//! threshold have one of their rarest pairs in common, so only those are compared.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap},
};

use poem_openapi::Object;

use crate::text::loose;
/// Pairs that an answer holds; those of a job stand in its file, at most so many.
const MOST_PAIRS: usize = 5_000;
const SHOWN: usize = 80;
/// Characters that are looked at until a search is given up: some seconds.
const MOST_WORK: usize = 2_000_000_000;
/// What all of two texts is, in thousandths.
const ALL: u32 = 1_000;

/// Two questions that are nearly the same.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct DuplicatePair {
    /// 题号
    pub first_id: i64,
    /// 题干
    pub first_stem: String,
    /// 另一题号
    pub second_id: i64,
    /// 另一题干
    pub second_stem: String,
    /// 相似度
    pub similarity: f64,
}

/// Pairs of neighbouring characters of a text, each once; of a single character it itself.
fn neighbours(text: &str) -> BTreeSet<(char, char)> {
    let signs: Vec<char> = loose(text).chars().filter(|sign| sign.is_alphanumeric()).collect();
    match signs.as_slice() {
        [one] => BTreeSet::from([(*one, ' ')]),
        _ => signs.windows(2).map(|pair| (pair[0], pair[1])).collect(),
    }
}

/// How near two stems are, in thousandths, and their places: turned around, so that a heap has the farthest on top.
type Near = Reverse<(u32, Reverse<usize>, Reverse<usize>)>;

/// The pairs that are at least so near, the nearest first, at most [`MOST_PAIRS`]; none when far too many are near each other.
pub fn pairs(stems: &[(i64, String)], threshold: f64) -> Option<Vec<DuplicatePair>> {
    let sets: Vec<BTreeSet<(char, char)>> = stems.iter().map(|(_, stem)| neighbours(stem)).collect();
    let mut often: HashMap<(char, char), u32> = HashMap::new();
    for pair in sets.iter().flatten() {
        *often.entry(*pair).or_default() += 1;
    }
    // Of each set its rarest members: of two sets that share enough, one of these is shared.
    let mut known: BTreeMap<(char, char), Vec<usize>> = BTreeMap::new();
    // The farthest of those that are kept is on top, and goes first. Nothing else grows with the number of pairs.
    let mut nearest: BinaryHeap<Near> = BinaryHeap::new();
    let mut work = 0_usize;
    for (later, set) in sets.iter().enumerate() {
        let mut members: Vec<(char, char)> = set.iter().copied().collect();
        members.sort_unstable_by_key(|pair| (often[pair], *pair));
        let needed = (threshold * members.len() as f64).ceil() as usize;
        members.truncate((members.len() + 1).saturating_sub(needed.max(1)));
        let mut candidates: BTreeSet<usize> = BTreeSet::new();
        for member in &members {
            candidates.extend(known.get(member).into_iter().flatten());
            known.entry(*member).or_default().push(later);
        }
        for earlier in candidates {
            if nearest.len() == MOST_PAIRS && nearest.peek().is_some_and(|Reverse((near, _, _))| *near == ALL) {
                return Some(told(stems, nearest));
            }
            let other = &sets[earlier];
            work += set.len() + other.len();
            if work > MOST_WORK {
                return None;
            }
            let shared = set.intersection(other).count();
            let all = set.len() + other.len() - shared;
            let similarity = shared as f64 / all.max(1) as f64;
            if similarity + 1e-9 >= threshold {
                let near = (similarity * f64::from(ALL)).round() as u32;
                nearest.push(Reverse((near, Reverse(earlier), Reverse(later))));
                if nearest.len() > MOST_PAIRS {
                    nearest.pop();
                }
            }
        }
    }
    Some(told(stems, nearest))
}

/// Pairs by their places, as people read them, the nearest first.
fn told(stems: &[(i64, String)], nearest: BinaryHeap<Near>) -> Vec<DuplicatePair> {
    let shown = |place: usize| stems[place].1.chars().take(SHOWN).collect::<String>();
    let pair = |Reverse((near, Reverse(earlier), Reverse(later))): Near| DuplicatePair {
        first_id: stems[earlier].0,
        first_stem: shown(earlier),
        second_id: stems[later].0,
        second_stem: shown(later),
        similarity: f64::from(near) / f64::from(ALL),
    };
    // The smallest of what is turned around is the nearest.
    nearest.into_sorted_vec().into_iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_stems_are_found_and_others_are_not() {
        let stems: Vec<(i64, String)> = [
            (1, "货币最基本的职能是什么"),
            (2, "货币的最基本职能是什么？"),
            (3, "价值规律的基本内容"),
            (4, "货币最基本的职能是什么。"),
        ]
        .map(|(id, stem)| (id, stem.to_owned()))
        .to_vec();
        let told = |threshold| -> Vec<(i64, i64)> {
            let found = pairs(&stems, threshold).expect("few are near each other");
            found.iter().map(|pair| (pair.first_id, pair.second_id)).collect()
        };
        assert_eq!(told(1.0), [(1, 4)]);
        assert_eq!(told(0.6), [(1, 4)], "ten pairs each, of which seven are shared: 7 of 13");
    }

    #[test]
    fn thousands_of_the_same_are_told_up_to_the_limit() {
        let stems: Vec<(i64, String)> = (1..=5_000).map(|id| (id, "下列说法正确的是".to_owned())).collect();
        let found = pairs(&stems, 0.6).expect("all the same");
        assert_eq!(found.len(), MOST_PAIRS);
        assert_eq!((found[0].first_id, found[0].second_id), (1, 2));
    }
}
