//! 抽题: which questions a rule takes (part 03 A8).
//!
//! Items overlap (any chapter, chapter 2), so taking for one after the other may fail although there is a way. Each item wants
//! so many distinct questions of those that fit it, each question goes to one item: a matching, found along paths that let
//! earlier items take other questions. The same seed over the same bank takes the same questions.

use std::collections::{BTreeMap, HashMap, HashSet};

/// A question that fits, and how often it was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    pub id: i64,
    pub used: i32,
}

/// What an item wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    pub count: usize,
    pub fits: Vec<Fit>,
}

/// How far an item can be served beside the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    pub need: usize,
    pub reachable: usize,
}

/// A small generator whose numbers are the same on every machine and in every version.
#[derive(Debug, Clone, Copy)]
pub struct Seed(u64);

impl Seed {
    pub fn of(seed: i64) -> Self {
        Self(u64::from_ne_bytes(seed.to_ne_bytes()))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// The seed of one student under the seed of a rule.
pub fn of_student(seed: i64, student: i64) -> i64 {
    let mut mixed = Seed(Seed::of(seed).0 ^ Seed::of(student).next());
    i64::from_ne_bytes(mixed.next().to_ne_bytes())
}

/// The questions in the order in which they are tried: those that are not to be taken again last, then the less used, then by
/// chance. The chance of a question does not depend on which others there are.
fn order(fits: &[Fit], seed: i64, later: &HashMap<i64, u32>) -> Vec<i64> {
    let chance = |id: i64| Seed(Seed::of(seed).0 ^ Seed::of(id).next()).next();
    let mut placed: Vec<(u32, i32, u64, i64)> = fits
        .iter()
        .map(|fit| (later.get(&fit.id).copied().unwrap_or_default(), fit.used, chance(fit.id), fit.id))
        .collect();
    placed.sort_unstable();
    placed.dedup_by_key(|(_, _, _, id)| *id);
    placed.into_iter().map(|(_, _, _, id)| id).collect()
}

struct Matching {
    /// Of each item, in the order in which they are tried.
    fits: Vec<Vec<i64>>,
    taken: HashMap<i64, usize>,
}

impl Matching {
    /// One more question for an item, along a path that serves those before as well as now.
    fn serve(&mut self, item: usize, allowed: &dyn Fn(i64) -> bool) -> bool {
        // From which item a question was tried, and by which of its questions an item was met.
        let (mut tried, mut met): (HashMap<i64, usize>, HashMap<usize, i64>) = (HashMap::new(), HashMap::new());
        let mut waiting = vec![item];
        let mut place = 0;
        while place < waiting.len() {
            let from = waiting[place];
            place += 1;
            for at in 0..self.fits[from].len() {
                let question = self.fits[from][at];
                if !allowed(question) || tried.contains_key(&question) {
                    continue;
                }
                tried.insert(question, from);
                let Some(owner) = self.taken.get(&question).copied() else {
                    self.turn(question, item, &tried, &met);
                    return true;
                };
                if owner != item && !met.contains_key(&owner) {
                    met.insert(owner, question);
                    waiting.push(owner);
                }
            }
        }
        false
    }

    /// Gives the free question to the item that tried it, what that gives up to the one before, and so on to the first.
    fn turn(&mut self, free: i64, first: usize, tried: &HashMap<i64, usize>, met: &HashMap<usize, i64>) {
        let mut question = free;
        while let Some(to) = tried.get(&question).copied() {
            self.taken.insert(question, to);
            match met.get(&to) {
                Some(given) if to != first => question = *given,
                _ => return,
            }
        }
    }
}

/// The questions of each item, in the order in which they stand in the paper.
///
/// # Errors
/// Where not all are served: of every item what it needs and what it can have.
pub fn draw(needs: &[Need], seed: i64, later: &HashMap<i64, u32>) -> Result<Vec<Vec<i64>>, Vec<Reach>> {
    let fits: Vec<Vec<i64>> = needs.iter().map(|need| order(&need.fits, seed, later)).collect();
    let ranks: Vec<HashMap<i64, usize>> =
        fits.iter().map(|fits| fits.iter().enumerate().map(|(rank, id)| (*id, rank)).collect()).collect();
    let mut matching = Matching { fits, taken: HashMap::new() };
    let mut served = vec![0; needs.len()];
    // First without what is to be taken last, so that of that no more is taken than must be.
    for spare in [false, true] {
        let allowed = |id: i64| spare || !later.contains_key(&id);
        for (item, need) in needs.iter().enumerate() {
            while served[item] < need.count && matching.serve(item, &allowed) {
                served[item] += 1;
            }
        }
    }
    if needs.iter().zip(&served).any(|(need, served)| *served < need.count) {
        return Err(needs
            .iter()
            .zip(&served)
            .map(|(need, served)| Reach { need: need.count, reachable: *served })
            .collect());
    }
    let mut drawn: Vec<Vec<i64>> = vec![Vec::new(); needs.len()];
    let by_question: BTreeMap<i64, usize> = matching.taken.into_iter().collect();
    for (question, item) in by_question {
        drawn[item].push(question);
    }
    for (questions, ranks) in drawn.iter_mut().zip(&ranks) {
        questions.sort_by_key(|id| ranks.get(id).copied());
    }
    Ok(drawn)
}

/// Common questions of two papers in percent of the smaller, rounded up: what may not be over a limit.
pub fn overlap(one: &[i64], other: &[i64]) -> i64 {
    let known: HashSet<i64> = one.iter().copied().collect();
    let common = other.iter().filter(|id| known.contains(*id)).count() as i64;
    let least = one.len().min(other.len()).max(1) as i64;
    (common * 100 + least - 1) / least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(count: usize, ids: impl IntoIterator<Item = i64>) -> Need {
        Need { count, fits: ids.into_iter().map(|id| Fit { id, used: 0 }).collect() }
    }

    fn drawn(needs: &[Need], seed: i64) -> Result<Vec<Vec<i64>>, Vec<Reach>> {
        draw(needs, seed, &HashMap::new())
    }

    #[test]
    fn fifteen_choices_of_which_five_are_of_chapter_2() {
        for seed in 0..50 {
            let taken = drawn(&[need(10, 1..=15), need(5, 11..=15)], seed).expect("there is a way");
            let mut second = taken[1].clone();
            second.sort_unstable();
            assert_eq!(second, [11, 12, 13, 14, 15], "seed {seed}");
            let mut first = taken[0].clone();
            first.sort_unstable();
            assert_eq!(first, (1..=10).collect::<Vec<i64>>());
            let told = drawn(&[need(10, 1..=14), need(5, 10..=14)], seed).expect_err("one is missing");
            assert_eq!(told, [Reach { need: 10, reachable: 10 }, Reach { need: 5, reachable: 4 }]);
        }
    }

    #[test]
    fn the_same_seed_takes_the_same_in_the_same_order() {
        let needs = [need(20, 1..=200), need(20, 100..=300)];
        assert_eq!(drawn(&needs, 7), drawn(&needs, 7));
        assert_ne!(drawn(&needs, 7), drawn(&needs, 8));
        assert_ne!(of_student(7, 1), of_student(7, 2));
    }

    #[test]
    fn every_question_is_taken_once_and_fits() {
        for seed in 0..200 {
            let needs = [need(3, 1..=6), need(3, 3..=8), need(3, [1, 2, 3, 9, 10])];
            let taken = drawn(&needs, seed).expect("there is a way");
            let all: Vec<i64> = taken.iter().flatten().copied().collect();
            assert_eq!(all.iter().collect::<HashSet<_>>().len(), 9, "seed {seed}: {taken:?}");
            for (questions, need) in taken.iter().zip(&needs) {
                assert_eq!(questions.len(), need.count);
                assert!(questions.iter().all(|id| need.fits.iter().any(|fit| fit.id == *id)), "seed {seed}: {taken:?}");
            }
        }
    }

    #[test]
    fn what_was_used_less_comes_first() {
        let mut want = need(2, 1..=4);
        want.fits[1].used = 9;
        want.fits[2].used = 9;
        let mut taken = drawn(&[want], 3).expect("a way").remove(0);
        taken.sort_unstable();
        assert_eq!(taken, [1, 4]);
    }

    #[test]
    fn another_variant_takes_again_only_what_it_must() {
        let needs = [need(40, 1..=76)];
        let first = drawn(&needs, 1).expect("a way").remove(0);
        let used: HashMap<i64, u32> = first.iter().map(|id| (*id, 1)).collect();
        let second = draw(&needs, 1, &used).expect("a way").remove(0);
        assert_eq!(overlap(&first, &second), 10, "4 of 40");
        assert_eq!(overlap(&[1, 2, 3], &[3, 4, 5]), 34);
    }
}
