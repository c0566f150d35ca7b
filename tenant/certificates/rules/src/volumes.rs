//! How many archives go into one file (part 04 §11).

use std::ops::Range;

/// Cuts files of these sizes into volumes of at most so much each; one that is larger stands alone.
pub fn cut(sizes: &[u64], most: u64) -> Vec<Range<usize>> {
    let mut volumes = Vec::new();
    let (mut start, mut held) = (0, 0_u64);
    for (place, size) in sizes.iter().enumerate() {
        if place > start && held.saturating_add(*size) > most {
            volumes.push(start..place);
            (start, held) = (place, 0);
        }
        held = held.saturating_add(*size);
    }
    if start < sizes.len() {
        volumes.push(start..sizes.len());
    }
    volumes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_volume_is_larger_than_it_may_be() {
        assert_eq!(cut(&[5, 5, 5], 10), [0..2, 2..3]);
        assert_eq!(cut(&[20, 1], 10), [0..1, 1..2]);
        assert!(cut(&[], 10).is_empty());
    }
}
