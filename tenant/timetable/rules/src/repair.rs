//! A lesson is moved by hand, and what stands in its way makes room with as few moves as go (part 03 B9).
//!
//! ```text
//! lesson → slot ─[who is in the way: of its teacher, its classes, in the room]→ each to a free time │ in the way of others, and so on
//! ```
//! First no other lesson is moved, then one, then two, up to [`MOST`]: the first way that is found has the fewest moves. The lesson itself
//! stays where it was put.

use crate::plan::{Place, Problem, State};

/// Other lessons that a repair moves at the most.
pub const MOST: usize = 4;
/// Looks at a slot before a search gives up, so that nobody waits for it.
const PATIENCE: usize = 20_000;

/// A lesson that moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// By its place among the tasks.
    pub task: usize,
    pub from: Place,
    pub to: Place,
}

/// A lesson by the places of its task and of itself among the task's.
type Lesson = (usize, usize);

struct Search<'p> {
    state: State<'p>,
    now: Vec<Vec<Option<Place>>>,
    /// What was changed, with what it was before.
    trail: Vec<(Lesson, Option<Place>)>,
    /// Lessons that were put somewhere and stay there.
    fixed: Vec<Lesson>,
    /// Others that may still be moved.
    left: usize,
    looks: usize,
}

/// Moves one lesson to a slot. The moves with that of the lesson first; none when there is no way with so few, or the slot has another
/// length.
pub fn repair(
    problem: &Problem,
    placed: &[Option<Vec<Place>>],
    lesson: (usize, usize),
    slot: usize,
) -> Option<Vec<Move>> {
    let before: Vec<Vec<Option<Place>>> =
        placed.iter().map(|places| places.iter().flatten().copied().map(Some).collect()).collect();
    let old = before.get(lesson.0)?.get(lesson.1).copied().flatten()?;
    if problem.slots.get(slot)?.periods != problem.slots[old.slot].periods {
        return None;
    }
    let mut search = Search {
        state: State::of(problem),
        now: before.clone(),
        trail: Vec::new(),
        fixed: Vec::new(),
        left: 0,
        looks: 0,
    };
    for (task, places) in before.iter().enumerate() {
        for place in places.iter().flatten() {
            search.state.turn(task, *place, true);
        }
    }
    search.set(lesson, None);
    for others in 0..=MOST {
        search.left = others;
        if search.fit(lesson, slot) {
            return Some(search.moves(&before, lesson));
        }
    }
    None
}

impl Search<'_> {
    fn moves(&self, before: &[Vec<Option<Place>>], first: Lesson) -> Vec<Move> {
        let mut moves = Vec::new();
        for (task, places) in before.iter().enumerate() {
            for (at, from) in places.iter().enumerate() {
                if let (Some(from), Some(to)) = (*from, self.now[task][at])
                    && from != to
                {
                    moves.push(((task, at) != first, Move { task, from, to }));
                }
            }
        }
        moves.sort_by_key(|(other, _)| *other);
        moves.into_iter().map(|(_, one)| one).collect()
    }

    fn set(&mut self, lesson: Lesson, place: Option<Place>) {
        let old = self.put(lesson, place);
        self.trail.push((lesson, old));
    }

    fn put(&mut self, (task, at): Lesson, place: Option<Place>) -> Option<Place> {
        let old = std::mem::replace(&mut self.now[task][at], place);
        if let Some(old) = old {
            self.state.turn(task, old, false);
        }
        if let Some(new) = place {
            self.state.turn(task, new, true);
        }
        old
    }

    fn back_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some((lesson, old)) = self.trail.pop() {
                self.put(lesson, old);
            }
        }
    }

    /// Puts a lesson into a slot, from which others are moved away, and they from where others are.
    fn fit(&mut self, lesson: Lesson, slot: usize) -> bool {
        let (mark, fixed, left) = (self.trail.len(), self.fixed.len(), self.left);
        let Some((away, room)) = self.in_the_way(lesson.0, slot) else { return false };
        if away.len() > left || away.iter().any(|other| self.fixed.contains(other)) {
            return false;
        }
        for other in &away {
            self.set(*other, None);
        }
        // A day has its most, whoever was in the way.
        if !self.state.people_free(&self.state.problem.tasks[lesson.0], slot) {
            self.back_to(mark);
            return false;
        }
        self.set(lesson, Some(Place { slot, room }));
        self.fixed.push(lesson);
        self.left -= away.len();
        let settled = away.iter().all(|other| self.settle(*other));
        if !settled {
            self.fixed.truncate(fixed);
            self.left = left;
            self.back_to(mark);
        }
        settled
    }

    /// Finds a place for a lesson that was moved away: a free one where it costs least, else one from which others are moved away.
    fn settle(&mut self, lesson: Lesson) -> bool {
        let problem = self.state.problem;
        let Some(periods) = self.periods_of(lesson) else { return false };
        let mut slots: Vec<usize> =
            (0..problem.slots.len()).filter(|slot| problem.slots[*slot].periods == periods).collect();
        slots.sort_by_cached_key(|slot| (self.state.cost(lesson.0, *slot), *slot));
        let task = &problem.tasks[lesson.0];
        for slot in &slots {
            if !self.state.people_free(task, *slot) {
                continue;
            }
            if let Some(room) = self.state.room_for(task, *slot) {
                self.set(lesson, Some(Place { slot: *slot, room }));
                self.fixed.push(lesson);
                return true;
            }
        }
        self.left > 0 && slots.into_iter().any(|slot| self.fit(lesson, slot))
    }

    /// The length that a lesson had before it was moved away.
    fn periods_of(&self, lesson: Lesson) -> Option<i64> {
        let old = self.trail.iter().rev().find(|(other, place)| *other == lesson && place.is_some())?.1?;
        Some(self.state.problem.slots[old.slot].periods)
    }

    /// Which lessons stand in the way of a task in a slot, and the room that it gets. None where somebody is busy with something else, or
    /// no room holds it.
    fn in_the_way(&mut self, task: usize, slot: usize) -> Option<(Vec<Lesson>, usize)> {
        self.looks += 1;
        if self.looks > PATIENCE {
            return None;
        }
        let problem = self.state.problem;
        let wanted = &problem.tasks[task];
        let outside = wanted.teacher.is_none_or(|teacher| problem.teacher_busy[teacher][slot])
            || wanted.classes.iter().any(|class| problem.class_busy[*class][slot]);
        if outside {
            return None;
        }
        let (mut away, mut in_rooms) = (Vec::new(), Vec::new());
        for (number, places) in self.now.iter().enumerate() {
            for (at, place) in places.iter().enumerate() {
                let Some(place) = place.filter(|place| problem.overlaps[slot].contains(&place.slot)) else { continue };
                let other = &problem.tasks[number];
                let shares =
                    other.teacher == wanted.teacher || other.classes.iter().any(|class| wanted.classes.contains(class));
                if shares {
                    away.push((number, at));
                } else {
                    in_rooms.push(((number, at), place.room));
                }
            }
        }
        let rooms: Vec<usize> = self.state.rooms_of(wanted).to_vec();
        let taken = |room: &usize| in_rooms.iter().filter(|(_, of)| of == room).count();
        let mut open = rooms.iter().copied().filter(|room| !problem.room_busy[*room][slot]);
        if let Some(room) = open.clone().find(|room| taken(room) == 0) {
            return Some((away, room));
        }
        let room = open.find(|room| taken(room) == 1)?;
        away.extend(in_rooms.iter().filter(|(_, of)| *of == room).map(|(lesson, _)| *lesson));
        Some((away, room))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Room, Slot, Task};

    /// So many days with one block; teachers and classes are never busy.
    fn problem(days: usize, rooms: usize, tasks: Vec<Task>) -> Problem {
        let slots: Vec<Slot> = (0..days).map(|day| Slot { day, week: 0, block: 0, periods: 4 }).collect();
        let (teachers, classes) = (4, 4);
        Problem {
            overlaps: (0..days).map(|slot| vec![slot]).collect(),
            rooms: vec![Room { site_id: 1, capacity: 50, kind: 0 }; rooms],
            days,
            weeks: 1,
            teacher_busy: vec![vec![false; days]; teachers],
            class_busy: vec![vec![false; days]; classes],
            room_busy: vec![vec![false; days]; rooms],
            teacher_periods: vec![vec![0; days]; teachers],
            class_periods: vec![vec![0; days]; classes],
            most_of_teacher: 8,
            most_of_class: 8,
            slots,
            tasks,
        }
    }

    fn task(teacher: usize, class: usize) -> Task {
        Task { teacher: Some(teacher), classes: vec![class], site_id: 1, size: 40, periods: 4, room_kind: None }
    }

    fn at(slot: usize, room: usize) -> Option<Vec<Place>> {
        Some(vec![Place { slot, room }])
    }

    #[test]
    fn a_free_time_moves_nobody_else() {
        let problem = problem(2, 1, vec![task(0, 0)]);
        let moves = repair(&problem, &[at(0, 0)], (0, 0), 1).expect("a way");
        assert_eq!(moves, [Move { task: 0, from: Place { slot: 0, room: 0 }, to: Place { slot: 1, room: 0 } }]);
    }

    /// Of one teacher: what stands there goes where the moved one was, or to the day that is free.
    #[test]
    fn who_is_in_the_way_makes_room() {
        let problem = problem(2, 1, vec![task(0, 0), task(0, 1)]);
        let moves = repair(&problem, &[at(0, 0), at(1, 0)], (0, 0), 1).expect("a way");
        assert_eq!(moves.iter().map(|one| (one.task, one.to.slot)).collect::<Vec<_>>(), [(0, 1), (1, 0)]);
    }

    /// Task 1 shares its teacher with task 0 and its class with task 2, which alone may go to the first day.
    #[test]
    fn a_chain_goes_on_until_everybody_has_a_place() {
        let mut problem = problem(3, 3, vec![task(0, 0), task(0, 1), task(1, 1)]);
        problem.class_busy[0][2] = true;
        problem.teacher_busy[0][0] = true;
        // Task 0 is on the first day by hand, although its teacher is busy then; it goes to the second, where task 1 is.
        let moves = repair(&problem, &[at(0, 0), at(1, 0), at(2, 0)], (0, 0), 1).expect("a way");
        assert_eq!(moves.iter().map(|one| (one.task, one.to.slot)).collect::<Vec<_>>(), [(0, 1), (1, 2), (2, 0)]);
    }

    #[test]
    fn what_cannot_be_is_told() {
        let mut one = problem(2, 1, vec![task(0, 0), task(0, 1)]);
        one.class_busy[1][0] = true;
        assert_eq!(repair(&one, &[at(0, 0), at(1, 0)], (0, 0), 1), None, "the other has nowhere to go");
        one.slots[1].periods = 2;
        assert_eq!(repair(&one, &[at(0, 0), None], (0, 0), 1), None, "another length");
        assert_eq!(repair(&one, &[at(0, 0), None], (0, 1), 1), None, "no such lesson");
    }

    /// Whatever moves, nobody and nothing is in two places afterwards.
    #[test]
    fn after_a_repair_everything_holds() {
        let tasks = vec![task(0, 0), task(0, 1), task(1, 1), task(1, 2), task(2, 2), task(2, 0)];
        let problem = problem(4, 2, tasks);
        let solution = crate::plan::first(&problem);
        let mut repaired = 0;
        for lesson in 0..problem.tasks.len() {
            for slot in 0..problem.slots.len() {
                let Some(moves) = repair(&problem, &solution.placed, (lesson, 0), slot) else { continue };
                repaired += 1;
                let mut after = solution.placed.clone();
                for one in &moves {
                    after[one.task] = Some(vec![one.to]);
                }
                assert_eq!(after[lesson].as_ref().expect("placed")[0].slot, slot);
                let mut taken = std::collections::HashSet::new();
                for (number, places) in after.iter().enumerate() {
                    for place in places.iter().flatten() {
                        let task = &problem.tasks[number];
                        assert!(taken.insert(("room", place.room, place.slot)));
                        assert!(taken.insert(("teacher", task.teacher.expect("a teacher"), place.slot)));
                        assert!(taken.insert(("class", task.classes[0], place.slot)));
                    }
                }
            }
        }
        assert!(repaired > 0);
    }
}
