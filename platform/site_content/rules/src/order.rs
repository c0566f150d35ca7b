//! The order that people give the rows of a list, of which they may see one page only (01 §9.0).

use std::collections::HashSet;

/// All rows in their new order: those of `wanted` take, in the order of `wanted`, the places that they hold among `all`; the
/// others stay. None when one of `wanted` is not among `all`, or stands twice in it.
pub fn placed(all: &[i64], wanted: &[i64]) -> Option<Vec<i64>> {
    let moved: HashSet<i64> = wanted.iter().copied().collect();
    let held = all.iter().filter(|id| moved.contains(id)).count();
    if moved.len() != wanted.len() || held != wanted.len() {
        return None;
    }
    let mut next = wanted.iter().copied();
    Some(all.iter().map(|id| if moved.contains(id) { next.next().unwrap_or(*id) } else { *id }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_a_page_change_places_among_themselves() {
        assert_eq!(placed(&[1, 2, 3, 4, 5], &[3, 2]), Some(vec![1, 3, 2, 4, 5]));
        assert_eq!(placed(&[1, 2, 3, 4, 5], &[5, 1, 3]), Some(vec![5, 2, 1, 4, 3]));
        assert_eq!(placed(&[1, 2], &[2, 1]), Some(vec![2, 1]));
        assert_eq!(placed(&[1, 2], &[]), Some(vec![1, 2]));
    }

    #[test]
    fn a_stranger_or_a_row_named_twice_has_no_place() {
        assert_eq!(placed(&[1, 2], &[2, 3]), None);
        assert_eq!(placed(&[1, 2], &[2, 2]), None);
    }
}
