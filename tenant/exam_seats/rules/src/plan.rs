//! 自动编排: who sits where, whole and without a database (part 04 §4.3).
//!
//! Never broken: a seat holds one person, a room as many as it has seats and may take, and whoever finds no place is told, not squeezed in.

use std::collections::{BTreeMap, HashSet};

use crate::{
    enums::{SeatFill, SeatMix, SeatOrder},
    mix::{interleave, proportional},
    order::{Sitter, sorted},
    rooms::sizes,
};

/// Told of whoever finds no place.
pub const FULL: &str = "考位不足";

/// What a person chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    pub per_room: usize,
    pub min_fill: usize,
    pub order: SeatOrder,
    pub mix: SeatMix,
    pub fill: SeatFill,
    pub seed: u64,
}

/// A room in which seats are free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeRoom {
    pub room: i64,
    /// Free seats in the order of their numbers.
    pub free: Vec<i32>,
    /// How many sit there already.
    pub taken: usize,
    /// Their course, where they have one.
    pub course: Option<i64>,
}

/// An exam point: its rooms in the order in which they are used, and who sits there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteRooms {
    pub site: i64,
    pub rooms: Vec<FreeRoom>,
    pub people: Vec<Sitter>,
}

/// Somebody has a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    pub candidate: i64,
    pub student: i64,
    pub room: i64,
    pub seat_no: i32,
}

/// Two of one course who sit side by side along the line of the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbours {
    pub room: i64,
    pub seat_no: i32,
    pub next_seat_no: i32,
    pub course: i64,
}

/// Who sits where, who nowhere, and what could not be avoided.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    pub placed: Vec<Placed>,
    pub unplaced: Vec<i64>,
    pub warnings: Vec<Neighbours>,
}

/// Seats everybody of every point.
pub fn seat(asked: &Asked, sites: Vec<SiteRooms>) -> Plan {
    let mut plan = Plan::default();
    for site in sites {
        let SiteRooms { mut rooms, people, .. } = site;
        let people = sorted(people, asked.order, asked.seed);
        match asked.mix {
            SeatMix::Interleave => {
                let all: Vec<usize> = (0..rooms.len()).collect();
                into_rooms(asked, &mut rooms, &all, proportional(people), &mut plan);
            }
            SeatMix::Separate => separate(asked, &mut rooms, people, &mut plan),
        }
    }
    plan
}

/// 一考场一课程: the largest course chooses first.
fn separate(asked: &Asked, rooms: &mut [FreeRoom], people: Vec<Sitter>, plan: &mut Plan) {
    let mut courses: BTreeMap<i64, Vec<Sitter>> = BTreeMap::new();
    for sitter in people {
        courses.entry(sitter.course).or_default().push(sitter);
    }
    let mut courses: Vec<(i64, Vec<Sitter>)> = courses.into_iter().collect();
    courses.sort_by_key(|(course, people)| (std::cmp::Reverse(people.len()), *course));
    let mut used: HashSet<usize> = HashSet::new();
    for (course, people) in courses {
        let fits = |room: &FreeRoom| room.taken == 0 || room.course == Some(course);
        let open: Vec<usize> = rooms
            .iter()
            .enumerate()
            .filter(|(place, room)| !used.contains(place) && fits(room))
            .map(|(place, _)| place)
            .collect();
        used.extend(into_rooms(asked, rooms, &open, people, plan));
    }
}

/// Deals people over rooms, and answers which of them are used.
fn into_rooms(
    asked: &Asked,
    rooms: &mut [FreeRoom],
    open: &[usize],
    people: Vec<Sitter>,
    plan: &mut Plan,
) -> Vec<usize> {
    let capacities: Vec<usize> = open
        .iter()
        .map(|place| rooms[*place].free.len().min(asked.per_room.saturating_sub(rooms[*place].taken)))
        .collect();
    let dealt = sizes(people.len(), asked.per_room, asked.min_fill, asked.fill, &capacities);
    let mut people = people.into_iter();
    let mut used = Vec::new();
    for (place, size) in open.iter().zip(dealt.rooms) {
        if size == 0 {
            continue;
        }
        used.push(*place);
        fill(asked, &mut rooms[*place], people.by_ref().take(size).collect(), plan);
    }
    plan.unplaced.extend(people.map(|sitter| sitter.candidate));
    used
}

fn fill(asked: &Asked, room: &mut FreeRoom, people: Vec<Sitter>, plan: &mut Plan) {
    let several = people.windows(2).any(|pair| pair[0].course != pair[1].course);
    let (line, pairs) = if asked.mix == SeatMix::Interleave && several {
        interleave(people, room.free.len())
    } else {
        (people.into_iter().map(Some).collect(), Vec::new())
    };
    for (one, other) in pairs {
        if let (Some(sitter), Some(seat_no), Some(next)) =
            (line[one].as_ref(), room.free.get(one), room.free.get(other))
        {
            let course = sitter.course;
            plan.warnings.push(Neighbours { room: room.room, seat_no: *seat_no, next_seat_no: *next, course });
        }
    }
    let seats = room.free.clone();
    for (sitter, seat_no) in line.into_iter().zip(seats) {
        let Some(sitter) = sitter else { continue };
        room.course = Some(sitter.course);
        room.taken += 1;
        room.free.retain(|free| *free != seat_no);
        plan.placed.push(Placed { candidate: sitter.candidate, student: sitter.student, room: room.room, seat_no });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: Asked = Asked {
        per_room: 30,
        min_fill: 10,
        order: SeatOrder::StudentNo,
        mix: SeatMix::Separate,
        fill: SeatFill::Even,
        seed: 1,
    };

    fn people(course: i64, count: i64) -> Vec<Sitter> {
        let of = |n| Sitter {
            candidate: course * 1000 + n,
            student: course * 1000 + n,
            class: "A".to_owned(),
            number: format!("{n:04}"),
            course,
        };
        (1..=count).map(of).collect()
    }

    fn room(id: i64, seats: i32) -> FreeRoom {
        FreeRoom { room: id, free: (1..=seats).collect(), taken: 0, course: None }
    }

    fn counts(plan: &Plan) -> Vec<(i64, usize)> {
        let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
        for placed in &plan.placed {
            *counts.entry(placed.room).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    /// Scenario 1.
    #[test]
    fn the_same_seed_gives_the_same_seats() {
        let site = || SiteRooms { site: 1, rooms: (1..=10).map(|n| room(n, 30)).collect(), people: people(1, 215) };
        let asked = Asked { order: SeatOrder::Random, ..ASKED };
        let plan = seat(&asked, vec![site()]);
        let sizes: Vec<usize> = counts(&plan).into_iter().map(|(_, count)| count).collect();
        assert_eq!(sizes, [27, 27, 27, 27, 27, 27, 27, 26]);
        let seats: HashSet<(i64, i32)> = plan.placed.iter().map(|placed| (placed.room, placed.seat_no)).collect();
        assert_eq!(seats.len(), 215);
        assert_eq!(plan, seat(&asked, vec![site()]));
        assert_ne!(plan, seat(&Asked { seed: 2, ..asked }, vec![site()]));
    }

    /// Scenario 3: a capacity of 200 for 215.
    #[test]
    fn fifteen_of_two_hundred_and_fifteen_find_no_place() {
        let mut rooms: Vec<FreeRoom> = (1..=6).map(|n| room(n, 30)).collect();
        rooms.push(room(7, 20));
        let plan = seat(&ASKED, vec![SiteRooms { site: 1, rooms, people: people(1, 215) }]);
        assert_eq!((plan.placed.len(), plan.unplaced.len()), (200, 15));
    }

    #[test]
    fn a_room_holds_one_course_where_they_are_kept_apart() {
        let rooms = (1..=4).map(|n| room(n, 30)).collect();
        let people = [people(1, 20), people(2, 40)].concat();
        let plan = seat(&ASKED, vec![SiteRooms { site: 1, rooms, people }]);
        assert_eq!(counts(&plan), [(1, 20), (2, 20), (3, 20)]);
        assert!(plan.placed.iter().filter(|placed| placed.room < 3).all(|placed| placed.candidate > 2000));
        assert_eq!(plan.warnings, vec![]);
    }

    #[test]
    fn mixed_rooms_hold_both_courses_apart() {
        let rooms = (1..=2).map(|n| room(n, 30)).collect();
        let people = [people(1, 30), people(2, 30)].concat();
        let asked = Asked { mix: SeatMix::Interleave, ..ASKED };
        let plan = seat(&asked, vec![SiteRooms { site: 1, rooms, people }]);
        assert_eq!((plan.placed.len(), plan.warnings.len()), (60, 0));
        let course = |no: i32| {
            plan.placed
                .iter()
                .find(|placed| placed.room == 1 && placed.seat_no == no)
                .map(|placed| placed.candidate / 1000)
        };
        assert!((1..30).all(|no| course(no) != course(no + 1)));
    }

    /// 安排剩余: into free seats, beside those of the same course.
    #[test]
    fn who_came_later_sits_on_free_seats() {
        let mut first = room(1, 30);
        (first.free, first.taken, first.course) = (vec![3, 29], 28, Some(1));
        let plan = seat(&ASKED, vec![SiteRooms { site: 1, rooms: vec![first, room(2, 30)], people: people(1, 3) }]);
        let seats: Vec<(i64, i32)> = plan.placed.iter().map(|placed| (placed.room, placed.seat_no)).collect();
        assert_eq!(seats, [(1, 3), (1, 29), (2, 1)]);
    }
}
