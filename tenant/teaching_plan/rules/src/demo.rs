//! Which courses the plans of a demonstration school have, and where they stand.

use majors::demo::COURSES;

/// Majors of the newest grade of which something else than a plan in effect is shown.
pub const SHOWN: usize = 5;

/// One line of the list of courses.
pub struct Line {
    pub entry_level: &'static str,
    pub national_code: &'static str,
    pub name: &'static str,
    pub credits: i64,
    pub is_elective: bool,
    pub term_no: i32,
}

/// All lines of the list of courses.
pub fn lines() -> Vec<Line> {
    let line = |line: &'static str| {
        let fields: Vec<&'static str> = line.split(',').collect();
        let [entry_level, national_code, _, _, name, _, _, credits, nature, term_no, ..] = fields.as_slice() else {
            return None;
        };
        Some(Line {
            entry_level,
            national_code,
            name,
            credits: credits.parse().ok()?,
            is_elective: *nature == "elective",
            term_no: term_no.parse().ok()?,
        })
    };
    COURSES.lines().skip(1).filter_map(line).collect()
}

/// The lines of a programme: what all of its level have, and its own.
pub fn of_programme<'l>(lines: &'l [Line], entry_level: &str, national_code: &str) -> Vec<&'l Line> {
    let own = |line: &&Line| {
        line.entry_level == entry_level && (line.national_code == "*" || line.national_code == national_code)
    };
    lines.iter().filter(own).collect()
}

/// Where a plan stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    Draft,
    Submitted,
    Rejected,
    Effective,
    Superseded,
    Withdrawn,
}

impl Stand {
    /// As it is stored.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Submitted => "submitted",
            Self::Rejected => "rejected",
            Self::Effective => "effective",
            Self::Superseded => "superseded",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// The versions of the newest grade's majors, the first majors first.
    pub fn of(place: usize) -> &'static [Self] {
        match place {
            0 => &[Self::Superseded, Self::Effective],
            1 => &[Self::Effective, Self::Draft],
            2 => &[Self::Effective, Self::Submitted],
            3 => &[Self::Effective, Self::Rejected],
            4 => &[Self::Withdrawn],
            _ => &[Self::Effective],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_programme_leaves_room_for_its_electives() {
        let lines = lines();
        for (level, total) in
            [("associate_to_bachelor", 92), ("high_school_to_associate", 96), ("high_school_to_bachelor", 168)]
        {
            let codes: std::collections::BTreeSet<&str> = lines
                .iter()
                .filter(|line| line.entry_level == level && line.national_code != "*")
                .map(|line| line.national_code)
                .collect();
            assert!(!codes.is_empty(), "{level}");
            for code in codes {
                let own = of_programme(&lines, level, code);
                let sum = |elective: bool| -> i64 {
                    own.iter().filter(|line| line.is_elective == elective).map(|line| line.credits).sum()
                };
                assert!(sum(false) <= total && total - sum(false) <= sum(true), "{level} {code}");
                let names: std::collections::BTreeSet<&str> = own.iter().map(|line| line.name).collect();
                assert_eq!(names.len(), own.len(), "{level} {code} names a course twice");
            }
        }
    }

    #[test]
    fn every_state_is_shown() {
        let shown: Vec<&str> =
            (0..=SHOWN).flat_map(|place| Stand::of(place).iter().map(|stand| stand.word())).collect();
        for word in ["draft", "submitted", "rejected", "effective", "superseded", "withdrawn"] {
            assert!(shown.contains(&word), "{word}");
        }
    }
}
