//! In which order people are given their seats (part 04 §4.3).

use crate::enums::SeatOrder;

/// Somebody who is to sit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sitter {
    pub candidate: i64,
    pub student: i64,
    /// By which classes stand behind each other; empty for whoever is in none.
    pub class: String,
    /// 学号.
    pub number: String,
    pub course: i64,
}

/// The same people in order. The same seed gives the same order, however they came.
pub fn sorted(mut people: Vec<Sitter>, order: SeatOrder, seed: u64) -> Vec<Sitter> {
    let by_number = |one: &Sitter, other: &Sitter| (&one.number, one.candidate).cmp(&(&other.number, other.candidate));
    match order {
        SeatOrder::StudentNo => people.sort_by(by_number),
        SeatOrder::Class => {
            people.sort_by(|one, other| one.class.cmp(&other.class).then_with(|| by_number(one, other)))
        }
        SeatOrder::Random => {
            people.sort_by(by_number);
            let mut dice = Dice(seed);
            for place in (1..people.len()).rev() {
                people.swap(place, dice.below(place + 1));
            }
        }
    }
    people
}

/// SplitMix64: the same numbers on every machine.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).unwrap_or(1).max(1);
        usize::try_from(self.next() % count).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn sitter(n: i64, class: &str, course: i64) -> Sitter {
        Sitter { candidate: n, student: n, class: class.to_owned(), number: format!("26{n:04}"), course }
    }

    fn numbers(people: &[Sitter]) -> Vec<i64> {
        people.iter().map(|one| one.candidate).collect()
    }

    #[test]
    fn a_class_sits_together() {
        let people = vec![sitter(4, "B", 1), sitter(3, "A", 1), sitter(1, "B", 1), sitter(2, "A", 1)];
        assert_eq!(numbers(&sorted(people.clone(), SeatOrder::Class, 0)), [2, 3, 1, 4]);
        assert_eq!(numbers(&sorted(people, SeatOrder::StudentNo, 0)), [1, 2, 3, 4]);
    }

    #[test]
    fn a_seed_gives_the_same_order_again() {
        let people: Vec<Sitter> = (1..=50).map(|n| sitter(n, "A", 1)).collect();
        let backwards: Vec<Sitter> = people.iter().rev().cloned().collect();
        let once = numbers(&sorted(people.clone(), SeatOrder::Random, 7));
        assert_eq!(once, numbers(&sorted(backwards, SeatOrder::Random, 7)));
        assert_ne!(once, numbers(&sorted(people, SeatOrder::Random, 8)));
        let mut all = once;
        all.sort_unstable();
        assert_eq!(all, (1..=50).collect::<Vec<i64>>());
    }
}
