//! The variants of one paper: how much they have in common (part 03 A8).

use std::collections::HashMap;

use crate::draw::{Need, Reach, draw, of_student, overlap};

/// A count, as the wire has it.
pub fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Why the variants of a paper cannot be drawn.
#[derive(Debug, PartialEq)]
pub enum Stop {
    Short(Vec<Reach>),
    /// Which variant, and how much of it another has.
    Alike(usize, i64),
}

/// Orders that are tried for a variant: how much it has in common with each earlier one depends on chance.
const TRIES: usize = 64;

/// The variants of one paper, of each the questions of each item. What an earlier one has is taken last, and only up to the
/// limit.
pub fn family(needs: &[Need], seed: i64, variants: usize, most: i64) -> Result<Vec<Vec<Vec<i64>>>, Stop> {
    let mut drawn: Vec<Vec<Vec<i64>>> = Vec::with_capacity(variants);
    let mut used: HashMap<i64, u32> = HashMap::new();
    for variant in 0..variants {
        let mut least = i64::MAX;
        let mut found = None;
        // With one earlier variant chance changes nothing: what must be taken again is all of the same.
        let tries = if variant < 2 { 1 } else { TRIES };
        for attempt in 0..tries {
            let next = draw(needs, of_variant(seed, variant + attempt * variants), &used).map_err(Stop::Short)?;
            let own = flat(&next);
            let percent = drawn.iter().map(|earlier| overlap(&flat(earlier), &own)).max().unwrap_or_default();
            least = least.min(percent);
            if percent <= most {
                found = Some((next, own));
                break;
            }
        }
        let Some((next, own)) = found else { return Err(Stop::Alike(variant, least)) };
        for id in own {
            *used.entry(id).or_default() += 1;
        }
        drawn.push(next);
    }
    Ok(drawn)
}

/// The questions of all items.
pub fn flat(drawn: &[Vec<i64>]) -> Vec<i64> {
    drawn.iter().flatten().copied().collect()
}

fn of_variant(seed: i64, variant: usize) -> i64 {
    if variant == 0 { seed } else { of_student(seed, -number(variant)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Fit;

    fn need(count: usize, ids: std::ops::RangeInclusive<i64>) -> Need {
        Need { count, fits: ids.map(|id| Fit { id, used: 0 }).collect() }
    }

    #[test]
    fn variants_have_at_most_so_much_in_common() {
        let drawn = family(&[need(40, 1..=76)], 5, 2, 10).expect("a way");
        let own = |variant: usize| drawn[variant].iter().flatten().copied().collect::<Vec<i64>>();
        assert_eq!(overlap(&own(0), &own(1)), 10, "4 of 40");
        assert_eq!(family(&[need(40, 1..=75)], 5, 2, 10), Err(Stop::Alike(1, 13)));
        assert_eq!(family(&[need(40, 1..=80)], 5, 2, 0).map(|drawn| drawn.len()), Ok(2));
        // Three of the third's twenty must be taken again: two of one before and one of the other, whatever chance offers first.
        for seed in 0..20 {
            let three = family(&[need(20, 1..=57)], seed, 3, 10).expect("a way");
            assert!(overlap(&flat(&three[0]), &flat(&three[2])) <= 10, "seed {seed}");
            assert!(overlap(&flat(&three[1]), &flat(&three[2])) <= 10, "seed {seed}");
        }
    }
}
