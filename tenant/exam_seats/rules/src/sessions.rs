//! 自动安排场次: examinations into sessions, so that nobody sits in two at once and everybody finds a seat (part 04 §4.3).

use std::collections::{BTreeMap, HashSet};

/// Told of an examination whose people are busy in every session.
pub const BUSY: &str = "各场次都有考生时间冲突";
/// Told of one for which no session has seats.
pub const FULL: &str = "各场次考位不足";

/// An examination without a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupNode {
    pub setup: i64,
    pub students: HashSet<i64>,
    /// Seats that it takes, by exam point; none where nobody is seated.
    pub seats: BTreeMap<i64, usize>,
}

/// A session, in the order of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionPlace {
    pub session: i64,
    /// Seats that are left, by exam point; a point that is not here has none.
    pub free: BTreeMap<i64, usize>,
    /// Who is busy then: in this session, and in every other one that it overlaps.
    pub busy: HashSet<i64>,
    /// Sessions of the list that overlap with this one, by their place.
    pub overlaps: Vec<usize>,
}

/// Which examination goes into which session, and which into none, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coloured {
    pub placed: Vec<(i64, i64)>,
    pub unplaced: Vec<(i64, &'static str)>,
}

/// The one with most neighbours chooses first, then the larger one; each takes the earliest session that fits.
pub fn colour(setups: &[SetupNode], sessions: &[SessionPlace]) -> Coloured {
    let degree = |node: &SetupNode| {
        setups.iter().filter(|other| other.setup != node.setup && !other.students.is_disjoint(&node.students)).count()
    };
    let mut order: Vec<&SetupNode> = setups.iter().collect();
    order.sort_by_cached_key(|node| {
        (std::cmp::Reverse(degree(node)), std::cmp::Reverse(node.students.len()), node.setup)
    });
    let mut sessions = sessions.to_vec();
    let mut coloured = Coloured::default();
    for node in order {
        let calm: Vec<usize> =
            (0..sessions.len()).filter(|place| sessions[*place].busy.is_disjoint(&node.students)).collect();
        let fits = |place: &usize| {
            node.seats.iter().all(|(site, count)| sessions[*place].free.get(site).copied().unwrap_or(0) >= *count)
        };
        let Some(place) = calm.iter().copied().find(|place| fits(place)) else {
            coloured.unplaced.push((node.setup, if calm.is_empty() { BUSY } else { FULL }));
            continue;
        };
        let overlaps = sessions[place].overlaps.clone();
        for other in overlaps.into_iter().chain([place]) {
            sessions[other].busy.extend(&node.students);
        }
        for (site, count) in &node.seats {
            if let Some(free) = sessions[place].free.get_mut(site) {
                *free -= count;
            }
        }
        coloured.placed.push((node.setup, sessions[place].session));
    }
    coloured.placed.sort_unstable();
    coloured.unplaced.sort_unstable();
    coloured
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(setup: i64, students: std::ops::Range<i64>) -> SetupNode {
        let students: HashSet<i64> = students.collect();
        SetupNode { setup, seats: [(1, students.len())].into(), students }
    }

    fn place(session: i64, free: usize) -> SessionPlace {
        SessionPlace { session, free: [(1, free)].into(), busy: HashSet::new(), overlaps: Vec::new() }
    }

    /// Part 04 §4.3, worked: A(120) and B(90) share 15, C(60) shares none, 200 seats.
    #[test]
    fn those_who_share_people_are_in_different_sessions() {
        let setups = [node(1, 0..120), node(2, 105..195), node(3, 500..560)];
        let coloured = colour(&setups, &[place(11, 200), place(12, 200)]);
        assert_eq!(coloured.placed, [(1, 11), (2, 12), (3, 11)]);
        assert_eq!(coloured.unplaced, vec![]);
    }

    #[test]
    fn what_fits_nowhere_is_told() {
        let setups = [node(1, 0..120), node(2, 105..195), node(3, 500..560)];
        let coloured = colour(&setups, &[place(11, 150)]);
        assert_eq!(coloured.placed, [(1, 11)]);
        assert_eq!(coloured.unplaced, [(2, BUSY), (3, FULL)]);
    }

    #[test]
    fn overlapping_sessions_share_their_people() {
        let mut sessions = [place(11, 200), place(12, 200), place(13, 200)];
        (sessions[0].overlaps, sessions[1].overlaps) = (vec![1], vec![0]);
        let coloured = colour(&[node(1, 0..120), node(2, 105..195)], &sessions);
        assert_eq!(coloured.placed, [(1, 11), (2, 13)]);
    }
}
