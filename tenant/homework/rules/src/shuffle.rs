//! 题序乱, 选项乱: in which order a sheet shows questions and options. Letters are shown anew and stored as the question has them
//! (part 03 B6).

use papers::content::{DetailQuestion, DetailSection};
use question_bank::question::QuestionOption;

/// How a sheet is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shuffle {
    pub questions: bool,
    pub options: bool,
    pub seed: i64,
}

/// A small generator whose numbers are the same on every machine and in every version.
struct Numbers(u64);

impl Numbers {
    fn of(seed: i64, of: &str) -> Self {
        let mut state = u64::from_ne_bytes(seed.to_ne_bytes()) ^ 0xCBF2_9CE4_8422_2325;
        for byte in of.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
        Self(state)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Below `end`, which is small.
    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end.max(1)).unwrap_or(1);
        usize::try_from(self.next() % end).unwrap_or_default()
    }
}

/// Which of `count` things stands in each place.
fn permutation(seed: i64, of: &str, count: usize) -> Vec<usize> {
    let mut numbers = Numbers::of(seed, of);
    let mut order: Vec<usize> = (0..count).collect();
    for place in (1..count).rev() {
        order.swap(place, numbers.below(place + 1));
    }
    order
}

/// The letter of a place: 0 is A.
fn letter(place: usize) -> String {
    u8::try_from(place).map_or_else(|_| "?".to_owned(), |place| char::from(b'A'.saturating_add(place)).to_string())
}

fn place(letter: &str) -> Option<usize> {
    match letter.as_bytes() {
        [byte @ b'A'..=b'Z'] => Some(usize::from(byte - b'A')),
        _ => None,
    }
}

/// The letters of one question: shown and stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letters(Vec<usize>);

impl Letters {
    /// The letter that the question has where this one is shown.
    pub fn stored(&self, shown: &str) -> Option<String> {
        self.0.get(place(shown)?).map(|original| letter(*original))
    }

    /// The letter that is shown where the question has this one.
    pub fn shown(&self, stored: &str) -> Option<String> {
        let original = place(stored)?;
        self.0.iter().position(|one| *one == original).map(letter)
    }
}

impl Shuffle {
    /// The letters of the question at this place of the paper.
    pub fn letters(&self, seq: &str, count: usize) -> Letters {
        Letters(if self.options { permutation(self.seed, seq, count) } else { (0..count).collect() })
    }

    fn options(&self, seq: &str, options: &mut Vec<QuestionOption>) {
        let letters = self.letters(seq, options.len());
        let in_order = letters.0.iter().enumerate().filter_map(|(shown, original)| {
            options
                .get(*original)
                .map(|option| QuestionOption { letter: letter(shown), content: option.content.clone() })
        });
        *options = in_order.collect();
    }

    fn question(&self, question: &mut DetailQuestion) {
        let seq = question.seq.clone();
        self.options(&seq, &mut question.options);
        for (place, sub) in (1..).zip(&mut question.sub_questions) {
            self.options(&format!("{seq}.{place}"), &mut sub.options);
        }
    }

    /// Puts questions within their sections, and options within their questions, into the sheet's order.
    pub fn apply(&self, sections: &mut [DetailSection]) {
        for (place, section) in sections.iter_mut().enumerate() {
            if self.questions {
                let order = permutation(self.seed, &format!("section {place}"), section.questions.len());
                section.questions = order.iter().filter_map(|at| section.questions.get(*at).cloned()).collect();
            }
            section.questions.iter_mut().for_each(|question| self.question(question));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_there_and_back() {
        for seed in 0..50 {
            let shuffle = Shuffle { questions: true, options: true, seed };
            let letters = shuffle.letters("3", 4);
            for stored in ["A", "B", "C", "D"] {
                let shown = letters.shown(stored).expect("it is shown somewhere");
                assert_eq!(letters.stored(&shown).as_deref(), Some(stored), "seed {seed}");
            }
            assert_eq!((letters.stored("E"), letters.stored("AB"), letters.stored("")), (None, None, None));
        }
        let plain = Shuffle::default().letters("3", 4);
        assert_eq!(plain.stored("C").as_deref(), Some("C"));
    }

    #[test]
    fn the_same_seed_shows_the_same_order() {
        assert_eq!(permutation(7, "3", 20), permutation(7, "3", 20));
        assert_ne!(permutation(7, "3", 20), permutation(8, "3", 20));
        assert_ne!(permutation(7, "3", 20), permutation(7, "4", 20));
        let mut sorted = permutation(7, "3", 20);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<usize>>());
    }
}
