//! 自动排监考: who watches which room (part 04 §4.3). Rooms of up to 30 get two, larger ones three; nobody is in two places, nobody watches their own
//! class or course, and whoever has watched least comes first.

use std::collections::{HashMap, HashSet};

use infra::clock::Moment;

/// Up to so many candidates two people watch.
const SMALL: usize = 30;

/// A room of a session that is to be watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DutyRoom {
    pub session_room: i64,
    pub site: i64,
    pub starts_at: Moment,
    pub ends_at: Moment,
    /// How many sit there.
    pub count: usize,
    /// Who watches it already.
    pub present: Vec<i64>,
    /// Teachers of its classes and courses, and managers of its classes.
    pub barred: HashSet<i64>,
}

/// Somebody who can be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watcher {
    pub invigilator: i64,
    pub site: i64,
    pub teacher: Option<i64>,
    /// When they are busy, from whatever reason.
    pub busy: Vec<(Moment, Moment)>,
}

/// Who watches where, and which rooms lack how many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Duties {
    pub given: Vec<(i64, i64)>,
    pub short: Vec<(i64, usize)>,
}

/// How many a room needs.
pub const fn needed(count: usize) -> usize {
    if count > SMALL { 3 } else { 2 }
}

/// Gives duties. `held` says how many each has already.
pub fn give(rooms: &[DutyRoom], people: &[Watcher], held: &HashMap<i64, i64>) -> Duties {
    let mut held = held.clone();
    let mut busy: HashMap<i64, Vec<(Moment, Moment)>> =
        people.iter().map(|person| (person.invigilator, person.busy.clone())).collect();
    let mut order: Vec<&DutyRoom> = rooms.iter().collect();
    order.sort_by_key(|room| (room.starts_at, room.session_room));
    let mut duties = Duties::default();
    for room in order {
        let mut lacking = needed(room.count).saturating_sub(room.present.len());
        while lacking > 0 {
            let is_free = |person: &&Watcher| {
                let times = busy.get(&person.invigilator).map(Vec::as_slice).unwrap_or_default();
                person.site == room.site
                    && !room.present.contains(&person.invigilator)
                    && !person.teacher.is_some_and(|teacher| room.barred.contains(&teacher))
                    && times.iter().all(|(from, to)| *to <= room.starts_at || *from >= room.ends_at)
            };
            let least = |person: &&Watcher| (held.get(&person.invigilator).copied().unwrap_or(0), person.invigilator);
            let Some(person) = people.iter().filter(is_free).min_by_key(least) else { break };
            duties.given.push((room.session_room, person.invigilator));
            *held.entry(person.invigilator).or_default() += 1;
            busy.entry(person.invigilator).or_default().push((room.starts_at, room.ends_at));
            lacking -= 1;
        }
        if lacking > 0 {
            duties.short.push((room.session_room, lacking));
        }
    }
    duties
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use infra::clock::day_began;

    use super::*;

    fn at(hour: i64) -> Moment {
        day_began("2026-06-20".parse().expect("a day")) + TimeDelta::hours(hour)
    }

    fn room(id: i64, hour: i64, count: usize) -> DutyRoom {
        DutyRoom {
            session_room: id,
            site: 1,
            starts_at: at(hour),
            ends_at: at(hour + 2),
            count,
            present: Vec::new(),
            barred: HashSet::new(),
        }
    }

    fn person(id: i64) -> Watcher {
        Watcher { invigilator: id, site: 1, teacher: Some(id), busy: Vec::new() }
    }

    #[test]
    fn large_rooms_get_three_and_nobody_is_in_two_places() {
        let people: Vec<Watcher> = (1..=4).map(person).collect();
        let duties = give(&[room(11, 9, 30), room(12, 9, 31)], &people, &HashMap::new());
        assert_eq!(duties.given, [(11, 1), (11, 2), (12, 3), (12, 4)]);
        assert_eq!(duties.short, [(12, 1)]);
    }

    #[test]
    fn duties_are_balanced_and_nobody_watches_their_own_class() {
        let people: Vec<Watcher> = (1..=3).map(person).collect();
        let mut own = room(11, 9, 20);
        own.barred.insert(1);
        let duties = give(&[own, room(12, 14, 20)], &people, &HashMap::new());
        assert_eq!(duties.given, [(11, 2), (11, 3), (12, 1), (12, 2)]);
        let duties = give(&[room(12, 14, 20)], &people, &[(1, 5)].into());
        assert_eq!(duties.given, [(12, 2), (12, 3)]);
    }
}
