//! The rule of automatic division: how many classes, how full, and who in which (02 §9.5). Nothing here reads or writes.

use crate::division::{DivisionMode, DivisionOrder};

/// How many come into each class of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes {
    /// Into the existing classes, in the order in which their free seats were given.
    pub existing: Vec<usize>,
    /// Into new ones.
    pub new: Vec<usize>,
}

/// Divides `n` students: into `free` seats of existing classes first, the rest into new classes of at most `capacity`.
///
/// Balanced classes differ by one at most, the larger first. Filled classes are full but for the last; when the last
/// would have less than `least`, it and the one before share alike, unless both were then too small.
pub fn sizes(n: usize, free: &[usize], capacity: usize, least: usize, mode: DivisionMode) -> Sizes {
    let mut rest = n;
    let existing = free
        .iter()
        .map(|seats| {
            let taken = rest.min(*seats);
            rest -= taken;
            taken
        })
        .collect();
    let classes = rest.div_ceil(capacity);
    let new = match mode {
        _ if classes == 0 => Vec::new(),
        DivisionMode::Balance => {
            let (size, larger) = (rest / classes, rest % classes);
            (0..classes).map(|at| size + usize::from(at < larger)).collect()
        }
        DivisionMode::Fill => {
            let mut sizes = vec![capacity; classes];
            let last = rest - capacity * (classes - 1);
            sizes[classes - 1] = last;
            let both = capacity + last;
            if last < least && classes > 1 && both / 2 >= least {
                sizes[classes - 2] = both.div_ceil(2);
                sizes[classes - 1] = both / 2;
            }
            sizes
        }
    };
    Sizes { existing, new }
}

/// What the order of a group looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: i64,
    pub examinee_no: Option<String>,
    pub pinyin: String,
    pub name: String,
    /// None for a document that does not tell.
    pub female: Option<bool>,
}

/// Puts the students of a group in order. For balanced genders: women, then men, then those of whom it is not known.
pub fn sort(people: &mut [Person], order: DivisionOrder) {
    match order {
        DivisionOrder::ExamineeNo => people.sort_by(|a, b| {
            // Those without a number come last.
            (a.examinee_no.is_none(), &a.examinee_no, a.id).cmp(&(b.examinee_no.is_none(), &b.examinee_no, b.id))
        }),
        DivisionOrder::NamePinyin => {
            people.sort_by(|a, b| (&a.pinyin, &a.name, a.id).cmp(&(&b.pinyin, &b.name, b.id)));
        }
        DivisionOrder::GenderBalanced => {
            let rank = |person: &Person| match person.female {
                Some(true) => 0,
                Some(false) => 1,
                None => 2,
            };
            people.sort_by(|a, b| (rank(a), &a.pinyin, &a.name, a.id).cmp(&(rank(b), &b.pinyin, &b.name, b.id)));
        }
    }
}

/// Deals the students, in their order, to classes of these sizes: one class after the other, or for balanced genders
/// round by round, so that each class gets its share of both.
pub fn deal(people: &[Person], sizes: &[usize], order: DivisionOrder) -> Vec<Vec<i64>> {
    let mut classes: Vec<Vec<i64>> = sizes.iter().map(|size| Vec::with_capacity(*size)).collect();
    let mut at = 0;
    for person in people {
        // The sizes have room for all, so a class that is not full is found within one round.
        for _ in 0..sizes.len() {
            if classes[at].len() < sizes[at] {
                break;
            }
            at = (at + 1) % sizes.len();
        }
        let Some(class) = classes.get_mut(at) else { break };
        class.push(person.id);
        if order == DivisionOrder::GenderBalanced {
            at = (at + 1) % sizes.len();
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;
    use DivisionMode::{Balance, Fill};

    fn new(n: usize, capacity: usize, least: usize, mode: DivisionMode) -> Vec<usize> {
        sizes(n, &[], capacity, least, mode).new
    }

    /// The worked numbers of 02 §9.5 and §9.12.3.
    #[test]
    fn worked_numbers() {
        assert_eq!(new(131, 50, 20, Balance), [44, 44, 43]);
        assert_eq!(new(132, 50, 20, Balance), [44, 44, 44]);
        assert_eq!(new(131, 50, 20, Fill), [50, 50, 31]);
        assert_eq!(new(110, 50, 20, Fill), [50, 30, 30]);
        // One class of 47 with 50 seats: three go there, seventeen into a new one.
        assert_eq!(sizes(20, &[3], 50, 20, Fill), Sizes { existing: vec![3], new: vec![17] });
    }

    #[test]
    fn a_last_class_that_cannot_be_evened_stays_small() {
        assert_eq!(new(12, 50, 20, Fill), [12]);
        // 30 and 5 evened would be 18 and 17: both too small.
        assert_eq!(new(35, 30, 20, Fill), [30, 5]);
        assert_eq!(new(70, 50, 20, Fill), [50, 20]);
        assert_eq!(new(69, 50, 20, Fill), [35, 34]);
    }

    #[test]
    fn everybody_gets_a_seat_and_no_class_is_too_full() {
        for mode in [Balance, Fill] {
            for capacity in 1..=12 {
                for least in 0..=capacity {
                    for n in 0..=60 {
                        let Sizes { existing, new } = sizes(n, &[2, 0, 3], capacity, least, mode);
                        assert_eq!(existing.iter().chain(&new).sum::<usize>(), n);
                        assert!(
                            new.iter().all(|size| (1..=capacity).contains(size)),
                            "{n} {capacity} {least}: {new:?}"
                        );
                        assert!(existing[0] <= 2 && existing[1] == 0 && existing[2] <= 3);
                        assert!(new.is_empty() || existing == [2, 0, 3], "a free seat is left");
                        assert!(new.windows(2).all(|pair| pair[0] >= pair[1]), "the larger come first: {new:?}");
                        if mode == Balance {
                            let (most, fewest) = (new.iter().max(), new.iter().min());
                            assert!(most.zip(fewest).is_none_or(|(most, fewest)| most - fewest <= 1));
                        }
                    }
                }
            }
        }
    }

    fn person(id: i64, pinyin: &str, female: Option<bool>, examinee_no: Option<&str>) -> Person {
        Person {
            id,
            examinee_no: examinee_no.map(ToOwned::to_owned),
            pinyin: pinyin.to_owned(),
            name: pinyin.to_owned(),
            female,
        }
    }

    fn sorted(order: DivisionOrder) -> Vec<i64> {
        let mut people = [
            person(1, "zhao", Some(false), Some("26003")),
            person(2, "an", Some(true), None),
            person(3, "li", None, Some("26001")),
            person(4, "bai", Some(false), Some("26002")),
            person(5, "an", Some(true), Some("26004")),
        ];
        sort(&mut people, order);
        people.iter().map(|person| person.id).collect()
    }

    #[test]
    fn students_come_in_the_wished_order() {
        assert_eq!(sorted(DivisionOrder::ExamineeNo), [3, 4, 1, 5, 2]);
        assert_eq!(sorted(DivisionOrder::NamePinyin), [2, 5, 4, 3, 1]);
        assert_eq!(sorted(DivisionOrder::GenderBalanced), [2, 5, 4, 1, 3]);
    }

    #[test]
    fn women_then_men_are_dealt_round_by_round() {
        let mut people: Vec<Person> = (1..=7).map(|id| person(id, "a", Some(id <= 3), None)).collect();
        sort(&mut people, DivisionOrder::GenderBalanced);
        assert_eq!(deal(&people, &[3, 2, 2], DivisionOrder::GenderBalanced), [vec![1, 4, 7], vec![2, 5], vec![3, 6]]);
        // A class with one seat gets one; the round goes on with the others.
        assert_eq!(deal(&people, &[1, 3, 3], DivisionOrder::GenderBalanced), [vec![1], vec![2, 4, 6], vec![3, 5, 7]]);
        assert_eq!(deal(&people, &[3, 2, 2], DivisionOrder::NamePinyin), [vec![1, 2, 3], vec![4, 5], vec![6, 7]]);
        assert_eq!(deal(&[], &[], DivisionOrder::NamePinyin), Vec::<Vec<i64>>::new());
    }
}
