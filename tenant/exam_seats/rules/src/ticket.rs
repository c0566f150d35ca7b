//! 准考证号: prefix of the batch (6), number of the site (3), sequence (5) (part 04 §4.1).

use std::collections::HashSet;

/// A number of fourteen digits; none when a part has no room.
pub fn number(prefix: &str, site: i32, sequence: i32) -> Option<String> {
    let fits = prefix.len() == 6 && (0..=999).contains(&site) && (1..=99_999).contains(&sequence);
    fits.then(|| format!("{prefix}{site:03}{sequence:05}"))
}

/// The last three digits of the code of a site, where they are digits and nobody else's; else its place among the sites, from 1, or the next
/// one that is free.
pub fn site_number(code: &str, order: usize, taken: &HashSet<i32>) -> i32 {
    let tail: String = code.chars().rev().take(3).collect::<Vec<char>>().into_iter().rev().collect();
    let own = if tail.len() == 3 { tail.parse::<i32>().ok().filter(|number| *number >= 0) } else { None };
    if let Some(own) = own.filter(|own| !taken.contains(own)) {
        return own;
    }
    let first = i32::try_from(order).unwrap_or(1);
    (first..=999).chain(1..first).find(|number| !taken.contains(number)).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fourteen_digits() {
        assert_eq!(number("202601", 7, 12), Some("20260100700012".to_owned()));
        assert_eq!(number("202601", 7, 100_000), None);
        assert_eq!(number("2026", 7, 1), None);
    }

    #[test]
    fn a_site_is_known_by_its_last_digits() {
        let mut taken = HashSet::new();
        assert_eq!(site_number("S012", 3, &taken), 12);
        assert_eq!(site_number("东湖A", 3, &taken), 3);
        taken.extend([12, 3]);
        assert_eq!(site_number("T012", 5, &taken), 5, "another site has these digits");
        assert_eq!(site_number("12", 3, &taken), 4, "too short, and its place is taken");
    }
}
