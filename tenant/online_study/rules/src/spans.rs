//! Which parts of a whole were watched or read: half-open ranges of whole numbers, apart from each other and in order, as
//! PostgreSQL writes an `int4multirange`.

use std::fmt;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spans(Vec<(i32, i32)>);

impl Spans {
    /// From the database's text: `{[0,300),[310,420)}`.
    pub fn parse(text: &str) -> Option<Self> {
        let inner = text.strip_prefix('{')?.strip_suffix('}')?;
        if inner.is_empty() {
            return Some(Self::default());
        }
        let span = |part: &str| {
            let (from, to) = part.trim_start_matches('[').trim_end_matches(')').split_once(',')?;
            Some((from.parse().ok()?, to.parse().ok()?))
        };
        inner.split("),").map(span).collect::<Option<Vec<_>>>().map(Self)
    }

    /// Adds what lies from `from` up to `to`; what meets becomes one.
    pub fn add(&mut self, from: i32, to: i32) {
        if to <= from {
            return;
        }
        let (mut first, mut last) = (from, to);
        self.0.retain(|(begin, end)| {
            let apart = *end < first || *begin > last;
            if !apart {
                first = first.min(*begin);
                last = last.max(*end);
            }
            apart
        });
        self.0.push((first, last));
        self.0.sort_unstable();
    }

    /// How much of what lies from `from` up to `to` is there.
    pub fn within(&self, from: i32, to: i32) -> i32 {
        self.0.iter().map(|(begin, end)| (*end.min(&to) - *begin.max(&from)).max(0)).sum()
    }

    pub fn has(&self, one: i32) -> bool {
        self.0.iter().any(|(begin, end)| (*begin..*end).contains(&one))
    }

    /// Whether a place is reached without leaving more than `slack` out: from the beginning, or from inside a part or its end.
    pub fn reaches(&self, at: i32, slack: i32) -> bool {
        at <= slack || self.0.iter().any(|(begin, end)| (*begin..=end.saturating_add(slack)).contains(&at))
    }
}

impl fmt::Display for Spans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.0.iter().map(|(begin, end)| format!("[{begin},{end})")).collect();
        write!(f, "{{{}}}", parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(parts: &[(i32, i32)]) -> Spans {
        let mut spans = Spans::default();
        for (from, to) in parts {
            spans.add(*from, *to);
        }
        spans
    }

    #[test]
    fn parts_that_meet_are_one() {
        let spans = spans(&[(0, 300), (200, 420), (500, 500), (430, 440), (420, 430)]);
        assert_eq!(spans.to_string(), "{[0,440)}");
        assert_eq!(spans.within(0, 600), 440);
        assert_eq!(spans.within(0, 400), 400);
        assert_eq!(spans.within(100, 110), 10);
    }

    #[test]
    fn the_database_reads_what_it_wrote() {
        for text in ["{}", "{[0,300)}", "{[0,300),[310,420)}"] {
            assert_eq!(Spans::parse(text).map(|spans| spans.to_string()).as_deref(), Some(text));
        }
        assert_eq!(Spans::parse("[0,300)"), None);
        assert_eq!(Spans::parse("{[a,300)}"), None);
    }

    #[test]
    fn one_goes_on_from_where_one_was() {
        let spans = spans(&[(0, 60), (100, 120)]);
        assert!(spans.reaches(3, 5) && spans.reaches(30, 0) && spans.reaches(65, 5) && spans.reaches(125, 5));
        assert!(!spans.reaches(66, 5) && !spans.reaches(99, 5) && !spans.reaches(126, 5));
        assert!(spans.has(59) && !spans.has(60) && spans.has(100));
    }
}
