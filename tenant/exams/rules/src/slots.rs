//! Which paper a candidate gets (part 04 §2.1): repeatable, whoever asks again.

use std::collections::HashMap;

use homework_rules::pool::chance;

use crate::enums::ExamPaperMode;

/// The place of the paper of each candidate, who stands with the number of their class. What is drawn for each has no place.
pub fn deal(mode: ExamPaperMode, seed: i64, slots: usize, candidates: &[(i64, Option<i64>)]) -> HashMap<i64, usize> {
    if slots == 0 {
        return HashMap::new();
    }
    let count = u64::try_from(slots).unwrap_or(1);
    match mode {
        ExamPaperMode::RandomRule => HashMap::new(),
        ExamPaperMode::Fixed => candidates.iter().map(|(id, _)| (*id, 0)).collect(),
        ExamPaperMode::RandomPool => candidates
            .iter()
            .map(|(id, _)| (*id, usize::try_from(chance(seed, *id) % count).unwrap_or_default()))
            .collect(),
        ExamPaperMode::ByClass => {
            let mut classes: Vec<Option<i64>> = candidates.iter().map(|(_, class)| *class).collect();
            classes.sort_unstable();
            classes.dedup();
            candidates
                .iter()
                .map(|(id, class)| (*id, classes.iter().position(|one| one == class).unwrap_or_default() % slots))
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_deals_the_same() {
        let candidates: Vec<(i64, Option<i64>)> = (1..=200).map(|id| (id, Some(id % 3))).collect();
        let dealt = deal(ExamPaperMode::RandomPool, 7, 2, &candidates);
        assert_eq!(dealt, deal(ExamPaperMode::RandomPool, 7, 2, &candidates));
        let first = dealt.values().filter(|place| **place == 0).count();
        assert!((60..=140).contains(&first), "{first}");
        assert!(deal(ExamPaperMode::Fixed, 7, 1, &candidates).values().all(|place| *place == 0));
        assert!(deal(ExamPaperMode::RandomRule, 7, 2, &candidates).is_empty());
    }

    #[test]
    fn a_class_has_one_paper() {
        let candidates = [(1, Some(30)), (2, Some(10)), (3, Some(30)), (4, Some(20))];
        let dealt = deal(ExamPaperMode::ByClass, 7, 2, &candidates);
        assert_eq!((dealt[&2], dealt[&4], dealt[&1], dealt[&3]), (0, 1, 0, 0));
    }
}
