//! Invented people. Every value is a function of seed, table, row and field, so that the same call gives the same rows
//! whatever runs beside it (05 G2), and nobody's number can belong to a person (05 G3).

use std::collections::HashMap;

use chrono::{Datelike, NaiveDate};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use crate::id_card::{self, IdCardType};

const FAMILY_NAMES: &str = include_str!("demo/data/family_name.csv");
const GIVEN_NAMES: &str = include_str!("demo/data/given_name.csv");
const ETHNICITIES: &str = include_str!("demo/data/ethnicity_gbt3304.csv");
const POLITICAL: &str = include_str!("demo/data/political_status_gbt4762.csv");

/// What people show of themselves, and how many of a hundred (05 G3).
const DOCUMENTS: [(IdCardType, f64); 3] =
    [(IdCardType::ResidentId, 98.5), (IdCardType::HmtResidence, 1.0), (IdCardType::Passport, 0.5)];
/// Where the numbers of residents from 香港 begin.
const HONG_KONG: u8 = 81;

/// Values of one row of one table.
pub struct Dice(ChaCha8Rng);

impl Dice {
    pub fn new(seed: u64, table: &str, row: usize) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        for (n, byte) in table.bytes().enumerate() {
            key[8 + n % 16] ^= byte.rotate_left(u32::try_from(n / 16).unwrap_or(0));
        }
        key[24..].copy_from_slice(&(row as u64).to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// 0 ≤ value < 1.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, limit: usize) -> usize {
        ((self.unit() * limit as f64) as usize).min(limit.saturating_sub(1))
    }

    /// Approximately normal: the sum of twelve.
    pub fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        let sum: f64 = (0..12).map(|_| self.unit()).sum();
        mean + (sum - 6.0) * deviation
    }

    /// The item that the weights choose.
    pub fn weighted<T: Copy>(&mut self, items: &[(T, f64)]) -> T {
        let total: f64 = items.iter().map(|(_, weight)| weight).sum();
        let mut rest = self.unit() * total;
        for (item, weight) in items {
            rest -= weight;
            if rest < 0.0 {
                return *item;
            }
        }
        items[items.len() - 1].0
    }
}

/// What the generator chooses from; read once.
pub struct Sources {
    family: Vec<(&'static str, f64)>,
    given: Vec<(Given, f64)>,
    ethnicities: Vec<(&'static str, f64)>,
    political: Vec<(&'static str, f64)>,
    employers: Vec<&'static str>,
    streets: Vec<&'static str>,
    /// The greatest sequence number used of a province and birthday.
    numbers: HashMap<(u8, NaiveDate), u32>,
}

struct Given {
    name: &'static str,
    gender: &'static str,
    from: i32,
    to: i32,
}

fn lines(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).map(|line| line.split(',').collect())
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or(1.0)
}

impl Sources {
    pub fn read() -> Self {
        Self {
            family: lines(FAMILY_NAMES).map(|row| (row[0], number(row[1]))).collect(),
            given: lines(GIVEN_NAMES)
                .map(|row| {
                    let (from, to) = row[2].split_once('-').unwrap_or(("1960", "2010"));
                    let given =
                        Given { name: row[0], gender: row[1], from: number(from) as i32, to: number(to) as i32 };
                    (given, number(row[3]))
                })
                .collect(),
            // The list's weights are ten-thousands of people; the Han are nine in ten (05 G4).
            ethnicities: lines(ETHNICITIES)
                .filter(|row| row[4] == "true" && row[0] < "57")
                .map(|row| (row[0], number(row[3])))
                .collect(),
            political: lines(POLITICAL).map(|row| (row[0], number(row[3]))).collect(),
            employers: units::demo::texts("employer"),
            streets: units::demo::texts("street"),
            numbers: HashMap::new(),
        }
    }
}

/// Somebody with a resident's card, or with another document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub name: String,
    pub female: bool,
    pub birthday: NaiveDate,
    pub id_card_type: IdCardType,
    pub id_card_no: String,
    pub phone: String,
    pub ethnicity: &'static str,
    pub political: &'static str,
    pub employer: &'static str,
    pub street: &'static str,
}

/// The document of a row's person.
pub fn document(seed: u64, row: usize) -> IdCardType {
    Dice::new(seed, "document", row).weighted(&DOCUMENTS)
}

/// Share of women in a programme (05 G4).
fn women(major: &str) -> f64 {
    let shares = [
        ("会计", 0.78),
        ("护理", 0.93),
        ("学前", 0.97),
        ("土木", 0.14),
        ("建筑", 0.14),
        ("机械", 0.08),
        ("机电", 0.08),
        ("电气", 0.11),
        ("计算机", 0.30),
    ];
    shares.iter().find(|(word, _)| major.contains(word)).map_or(0.55, |(_, share)| *share)
}

impl Sources {
    /// The person of a row. `entry` is the day of entry; the ages are those of 05 G4.
    pub fn person(
        &mut self,
        seed: u64,
        row: usize,
        major: &str,
        province: u8,
        mean_age: f64,
        entry: NaiveDate,
    ) -> Person {
        let mut dice = Dice::new(seed, "person", row);
        let female = dice.unit() < women(major);
        let age = dice.normal(mean_age, 5.5).clamp(18.0, 58.0);
        let birthday = entry - chrono::Duration::days((age * 365.25) as i64);
        let gender = if female { "female" } else { "male" };
        let fitting: Vec<(&'static str, f64)> = self
            .given
            .iter()
            .filter(|(given, _)| given.gender == gender && (given.from..=given.to).contains(&birthday.year()))
            .map(|(given, weight)| (given.name, *weight))
            .collect();
        let name = format!("{}{}", dice.weighted(&self.family), dice.weighted(&fitting));
        let (id_card_no, birthday) = self.number(province, birthday, female);
        Person {
            name,
            female,
            birthday,
            id_card_type: IdCardType::ResidentId,
            id_card_no,
            // A range that no carrier was allotted.
            phone: format!("154{:08}", (seed % 97) * 1_000_000 + row as u64),
            ethnicity: dice.weighted(&self.ethnicities),
            political: dice.weighted(&self.political),
            employer: self.employers[dice.below(self.employers.len())],
            street: self.streets[dice.below(self.streets.len())],
        }
    }

    /// The same person with this document. Nobody has a passport of such a number.
    pub fn with_document(&mut self, person: Person, kind: IdCardType, seed: u64, row: usize) -> Person {
        match kind {
            IdCardType::HmtResidence => {
                let (id_card_no, birthday) = self.number(HONG_KONG, person.birthday, person.female);
                Person { id_card_type: kind, id_card_no, birthday, ..person }
            }
            IdCardType::Passport => {
                let id_card_no = format!("DEMO{:07}", (seed % 9) * 1_000_000 + row as u64);
                Person { id_card_type: kind, id_card_no, ..person }
            }
            _ => person,
        }
    }

    /// Province, the prefecture 99 that does not exist, birthday, a free odd or even number, check digit (GB 11643).
    fn number(&mut self, province: u8, mut birthday: NaiveDate, female: bool) -> (String, NaiveDate) {
        loop {
            let used = self.numbers.entry((province, birthday)).or_insert(0);
            let next = (1..).map(|step| *used + step).find(|next| (next % 2 == 0) == female).unwrap_or(1000);
            if next < 1000 {
                *used = next;
                let head = format!("{province:02}9900{}{next:03}", birthday.format("%Y%m%d"));
                let digit = id_card::check_digit(&head);
                return (format!("{head}{digit}"), birthday);
            }
            birthday += chrono::Duration::days(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id_card::{Gender, Typed};

    fn some(seed: u64) -> Vec<Person> {
        let mut sources = Sources::read();
        let entry = NaiveDate::from_ymd_opt(2026, 3, 1).expect("a day");
        (0..1000).map(|row| sources.person(seed, row, "会计学", 42, 29.0, entry)).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_people() {
        assert_eq!(some(42), some(42));
        assert_ne!(some(42), some(43));
    }

    #[test]
    fn every_number_is_valid_unique_and_nobodys() {
        let today = NaiveDate::from_ymd_opt(2026, 5, 20).expect("a day");
        let mut seen = std::collections::HashSet::new();
        for person in some(42) {
            let card =
                id_card::check(IdCardType::ResidentId, &person.id_card_no, Typed::default(), today).expect("valid");
            assert_eq!(card.birthday, Some(person.birthday));
            assert_eq!(&person.id_card_no[2..6], "9900");
            assert!(seen.insert(person.id_card_no));
        }
    }

    #[test]
    fn a_few_have_another_document() {
        let today = NaiveDate::from_ymd_opt(2026, 5, 20).expect("a day");
        let others = (0..10_000).filter(|row| document(42, *row) != IdCardType::ResidentId).count();
        assert!((100..=200).contains(&others), "{others}");
        let mut sources = Sources::read();
        for (row, person) in some(42).into_iter().enumerate() {
            let kind = DOCUMENTS[row % DOCUMENTS.len()].0;
            let person = sources.with_document(person, kind, 42, row);
            let gender = if person.female { Gender::Female } else { Gender::Male };
            let typed = Typed { birthday: Some(person.birthday), gender: Some(gender) };
            let card = id_card::check(person.id_card_type, &person.id_card_no, typed, today).expect("valid");
            assert_eq!((person.id_card_type, card.number), (kind, person.id_card_no));
        }
    }
}
