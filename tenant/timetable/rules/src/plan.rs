//! The arrangement by itself, without the database: hardest first, then single lessons are moved as long as that makes it better
//! (part 03 B9).
//!
//! ```text
//! tasks, hardest first ─[place: each lesson where it costs least, or none]→ placed │ unplaced, why │ out of time
//! placed ─[improve: move, swap, try the unplaced again]→ the same with fewer penalty points
//! ```
//! Hard: nobody and nothing is in two places, rooms hold the people and are of the wanted kind, nobody has more lessons in a day
//! than the most, a task is placed with all its lessons or not at all. Soft, in points: days of a teacher 3, days of a class 3,
//! lessons of a course in the same week 2, empty seats 1, blocks that are liked less 1. With the same seed the same comes out
//! when it ends because nothing gets better.

use std::collections::HashMap;

use crate::enums::UnplacedReason;

/// Points of a day that a teacher or a class has to come.
const DAY: i64 = 30;
/// Of lessons of a course in one week, by their number squared.
const WEEK: i64 = 20;
/// Of a room, by its empty tenth parts.
const SEAT: i64 = 1;
/// Of a block, by its place among those that are liked.
const BLOCK: i64 = 10;
/// Attempts in vain after which nothing gets better, for each lesson.
const PATIENCE: usize = 60;
/// At the least, and at the most.
const PATIENCE_RANGE: (usize, usize) = (2_000, 200_000);

/// A time at which a lesson can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// By its place among the days.
    pub day: usize,
    pub week: usize,
    /// By its place among the blocks, the most liked first.
    pub block: usize,
    pub periods: i64,
}

/// A room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    pub site_id: i64,
    pub capacity: i64,
    /// By its place among the kinds.
    pub kind: usize,
}

/// Classes that are taught a course together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// By its place; none when nobody lectures.
    pub teacher: Option<usize>,
    /// By their places.
    pub classes: Vec<usize>,
    pub site_id: i64,
    pub size: i64,
    /// Lessons that are still to be given.
    pub periods: i64,
    /// The kind of room that it needs; none: any.
    pub room_kind: Option<usize>,
}

/// What is to be arranged.
#[derive(Debug, Clone, Default)]
pub struct Problem {
    pub slots: Vec<Slot>,
    /// Of each slot those that overlap with it, itself among them.
    pub overlaps: Vec<Vec<usize>>,
    pub rooms: Vec<Room>,
    pub tasks: Vec<Task>,
    pub days: usize,
    pub weeks: usize,
    /// Of each teacher, class and room the slots that are taken already.
    pub teacher_busy: Vec<Vec<bool>>,
    pub class_busy: Vec<Vec<bool>>,
    pub room_busy: Vec<Vec<bool>>,
    /// Lessons that each teacher and class has on each day already.
    pub teacher_periods: Vec<Vec<i64>>,
    pub class_periods: Vec<Vec<i64>>,
    pub most_of_teacher: i64,
    pub most_of_class: i64,
}

/// Where a lesson is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub slot: usize,
    pub room: usize,
}

/// How it came out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solution {
    /// Of each task its lessons; none for one that is not placed.
    pub placed: Vec<Option<Vec<Place>>>,
    /// Of each task that is not placed, why.
    pub unplaced: Vec<(usize, UnplacedReason)>,
    /// Fewer is better.
    pub penalty: i64,
    /// Nothing got better any more; else the time was up.
    pub converged: bool,
}

/// Numbers by chance that come again with the same seed (splitmix64).
#[derive(Debug, Clone)]
struct Chance(u64);

impl Chance {
    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// Below `bound`, which is not nothing.
    fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound.max(1)).unwrap_or(1);
        usize::try_from(self.draw() % bound).unwrap_or_default()
    }
}

/// What is taken so far.
pub(crate) struct State<'p> {
    pub(crate) problem: &'p Problem,
    /// How often each slot is taken, itself or by one that overlaps.
    teacher_busy: Vec<Vec<i32>>,
    class_busy: Vec<Vec<i32>>,
    room_busy: Vec<Vec<i32>>,
    teacher_periods: Vec<Vec<i64>>,
    class_periods: Vec<Vec<i64>>,
    /// Lessons of each task in each week.
    weekly: Vec<Vec<i64>>,
    /// Rooms of a site, of a kind or of any, the smallest first.
    rooms: HashMap<(i64, Option<usize>), Vec<usize>>,
    placed: Vec<Option<Vec<Place>>>,
    penalty: i64,
}

impl<'p> State<'p> {
    pub(crate) fn of(problem: &'p Problem) -> Self {
        let mut rooms: HashMap<(i64, Option<usize>), Vec<usize>> = HashMap::new();
        for (number, room) in problem.rooms.iter().enumerate() {
            for kind in [None, Some(room.kind)] {
                rooms.entry((room.site_id, kind)).or_default().push(number);
            }
        }
        for of_kind in rooms.values_mut() {
            of_kind.sort_by_key(|room| (problem.rooms[*room].capacity, *room));
        }
        let counted = |busy: &Vec<Vec<bool>>| -> Vec<Vec<i32>> {
            busy.iter().map(|of_one| of_one.iter().map(|taken| i32::from(*taken)).collect()).collect()
        };
        Self {
            problem,
            teacher_busy: counted(&problem.teacher_busy),
            class_busy: counted(&problem.class_busy),
            room_busy: counted(&problem.room_busy),
            teacher_periods: problem.teacher_periods.clone(),
            class_periods: problem.class_periods.clone(),
            weekly: vec![vec![0; problem.weeks]; problem.tasks.len()],
            rooms,
            placed: vec![None; problem.tasks.len()],
            penalty: 0,
        }
    }

    fn teacher_free(&self, teacher: usize, slot: usize) -> bool {
        let Slot { day, periods, .. } = self.problem.slots[slot];
        self.teacher_busy[teacher][slot] == 0
            && self.teacher_periods[teacher][day] + periods <= self.problem.most_of_teacher
    }

    fn class_free(&self, class: usize, slot: usize) -> bool {
        let Slot { day, periods, .. } = self.problem.slots[slot];
        self.class_busy[class][slot] == 0 && self.class_periods[class][day] + periods <= self.problem.most_of_class
    }

    pub(crate) fn people_free(&self, task: &Task, slot: usize) -> bool {
        task.teacher.is_some_and(|teacher| self.teacher_free(teacher, slot))
            && task.classes.iter().all(|class| self.class_free(*class, slot))
    }

    /// The rooms that hold a task, the smallest first.
    pub(crate) fn rooms_of(&self, task: &Task) -> &[usize] {
        let of_kind = self.rooms.get(&(task.site_id, task.room_kind)).map_or(&[] as &[usize], Vec::as_slice);
        let small = of_kind.partition_point(|room| self.problem.rooms[*room].capacity < task.size);
        &of_kind[small..]
    }

    fn room_free(&self, room: usize, slot: usize) -> bool {
        self.room_busy[room][slot] == 0
    }

    /// Takes or sets free everybody and everything of a lesson, and what it costs. Points of days count what was there before
    /// too: a day on which somebody comes anyway costs nothing.
    pub(crate) fn turn(&mut self, number: usize, place: Place, taken: bool) {
        let problem = self.problem;
        let (task, slot) = (&problem.tasks[number], problem.slots[place.slot]);
        let once = if taken { 1 } else { -1 };
        let by = i64::from(once) * slot.periods;
        for overlap in &problem.overlaps[place.slot] {
            self.room_busy[place.room][*overlap] += once;
            for class in &task.classes {
                self.class_busy[*class][*overlap] += once;
            }
            if let Some(teacher) = task.teacher {
                self.teacher_busy[teacher][*overlap] += once;
            }
        }
        let mut days = 0;
        let mut day = |periods: &mut i64| {
            let before = i64::from(*periods > 0);
            *periods += by;
            days += i64::from(*periods > 0) - before;
        };
        if let Some(teacher) = task.teacher {
            day(&mut self.teacher_periods[teacher][slot.day]);
        }
        for class in &task.classes {
            day(&mut self.class_periods[*class][slot.day]);
        }
        let weekly = &mut self.weekly[number][slot.week];
        let before = *weekly * *weekly;
        *weekly += i64::from(once);
        let own = i64::from(once) * own_points(problem, task, place);
        self.penalty += days * DAY + (*weekly * *weekly - before) * WEEK + own;
    }

    /// What a lesson would add in a slot, but for the room.
    pub(crate) fn cost(&self, number: usize, slot: usize) -> i64 {
        let (task, at) = (&self.problem.tasks[number], self.problem.slots[slot]);
        let new_day = |periods: i64| if periods > 0 { 0 } else { DAY };
        let teacher = task.teacher.map_or(0, |teacher| new_day(self.teacher_periods[teacher][at.day]));
        let classes: i64 = task.classes.iter().map(|class| new_day(self.class_periods[*class][at.day])).sum();
        let weekly = self.weekly[number][at.week];
        teacher + classes + (2 * weekly + 1) * WEEK + i64::try_from(at.block).unwrap_or(0) * BLOCK
    }

    /// The best room that is free.
    pub(crate) fn room_for(&self, task: &Task, slot: usize) -> Option<usize> {
        self.rooms_of(task).iter().copied().find(|room| self.room_free(*room, slot))
    }

    /// Places all lessons of a task or none: each in the weeks that have the fewest of it, where it costs least. Lessons that share
    /// a day because that is cheaper are brought together by the search; one that had filled a day would never leave it.
    fn place(&mut self, number: usize) -> Result<(), UnplacedReason> {
        let problem = self.problem;
        let task = &problem.tasks[number];
        let (mut left, mut places) = (task.periods, Vec::new());
        while left > 0 {
            let best = (0..problem.slots.len())
                .filter(|slot| self.people_free(task, *slot))
                .filter_map(|slot| {
                    let in_week = self.weekly[number][problem.slots[slot].week];
                    self.room_for(task, slot).map(|room| (in_week, self.cost(number, slot), slot, room))
                })
                .min();
            let Some((_, _, slot, room)) = best else {
                let why = self.why(number);
                for place in places {
                    self.turn(number, place, false);
                }
                return Err(why);
            };
            let place = Place { slot, room };
            self.turn(number, place, true);
            places.push(place);
            left -= problem.slots[slot].periods;
        }
        places.sort_unstable();
        self.placed[number] = Some(places);
        Ok(())
    }

    /// Why the next lesson of a task has no place.
    fn why(&self, number: usize) -> UnplacedReason {
        let task = &self.problem.tasks[number];
        let Some(teacher) = task.teacher else { return UnplacedReason::NoLecturer };
        let of_kind =
            |room: &&Room| room.site_id == task.site_id && task.room_kind.is_none_or(|kind| kind == room.kind);
        let mut rooms = self.problem.rooms.iter().filter(of_kind).peekable();
        if rooms.peek().is_none() {
            return UnplacedReason::NoRoom;
        }
        if rooms.all(|room| room.capacity < task.size) {
            return UnplacedReason::TooLarge;
        }
        let slots = 0..self.problem.slots.len();
        let classes_free = |slot: &usize| task.classes.iter().all(|class| self.class_free(*class, *slot));
        if !slots.clone().any(|slot| classes_free(&slot)) {
            UnplacedReason::ClassClash
        } else if !slots.clone().filter(classes_free).any(|slot| self.teacher_free(teacher, slot)) {
            UnplacedReason::NoTeacherTime
        } else {
            UnplacedReason::NoRoom
        }
    }

    /// How hard a task is: the fewer times and rooms it has for each lesson, the earlier it is placed.
    fn ease(&self, number: usize) -> (i64, i64, usize) {
        let task = &self.problem.tasks[number];
        let slots = (0..self.problem.slots.len()).filter(|slot| self.people_free(task, *slot)).count();
        let rooms = self.rooms_of(task).len();
        let choices = i64::try_from(slots * rooms).unwrap_or(i64::MAX);
        (choices / task.periods.max(1), -task.size, number)
    }
}

/// Points of a lesson by itself: empty seats, and a block that is liked less.
fn own_points(problem: &Problem, task: &Task, place: Place) -> i64 {
    let room = problem.rooms[place.room];
    let empty = (room.capacity - task.size).max(0) * 10 / room.capacity.max(1);
    empty * SEAT + i64::try_from(problem.slots[place.slot].block).unwrap_or(0) * BLOCK
}

/// Arranges as much as goes, without looking for anything better.
pub fn first(problem: &Problem) -> Solution {
    let mut state = State::of(problem);
    let unplaced = place_all(&mut state, &mut || true);
    ended(state, unplaced, false)
}

/// Arranges as much as goes, as well as it goes while `go_on` says so. It is asked often enough that nobody waits for the end.
pub fn solve(problem: &Problem, seed: u64, mut go_on: impl FnMut() -> bool) -> Solution {
    let mut state = State::of(problem);
    let mut unplaced = place_all(&mut state, &mut go_on);
    let converged = improve(&mut state, &mut unplaced, &mut Chance(seed), &mut go_on);
    ended(state, unplaced, converged)
}

/// Tasks without a place, and why.
type Unplaced = Vec<(usize, UnplacedReason)>;

fn ended(state: State<'_>, mut unplaced: Unplaced, converged: bool) -> Solution {
    unplaced.sort_by_key(|(number, _)| *number);
    Solution { placed: state.placed, unplaced, penalty: state.penalty, converged }
}

/// Places the tasks one after the other, the hardest first; those for which there is no time left have no place either.
fn place_all(state: &mut State<'_>, go_on: &mut impl FnMut() -> bool) -> Unplaced {
    let mut order: Vec<usize> = (0..state.problem.tasks.len()).collect();
    order.sort_by_cached_key(|number| state.ease(*number));
    let (mut unplaced, mut in_time) = (Vec::new(), true);
    for number in order {
        in_time = in_time && go_on();
        let placed = if in_time { state.place(number) } else { Err(UnplacedReason::OutOfTime) };
        if let Err(why) = placed {
            unplaced.push((number, why));
        }
    }
    unplaced
}

/// Moves and swaps lessons by chance as long as that makes it better; answers whether nothing got better any more.
fn improve(
    state: &mut State<'_>,
    unplaced: &mut Unplaced,
    chance: &mut Chance,
    go_on: &mut impl FnMut() -> bool,
) -> bool {
    let mut tasks: Vec<usize> = (0..state.placed.len()).filter(|number| state.placed[*number].is_some()).collect();
    if tasks.is_empty() || state.problem.slots.is_empty() {
        return true;
    }
    let lessons: usize = state.placed.iter().flatten().map(Vec::len).sum();
    let patience = (lessons * PATIENCE).clamp(PATIENCE_RANGE.0, PATIENCE_RANGE.1);
    let (mut in_vain, mut tried) = (0, 0);
    while in_vain < patience {
        if in_vain % 64 == 0 && !go_on() {
            return false;
        }
        let one = tasks[chance.below(tasks.len())];
        let better = if chance.below(3) == 0 {
            let other = tasks[chance.below(tasks.len())];
            swap(state, one, other, chance)
        } else {
            shift(state, one, chance)
        };
        in_vain = if better { 0 } else { in_vain + 1 };
        // What was moved may have made room: each time another one tries.
        if better && !unplaced.is_empty() {
            tried = (tried + 1) % unplaced.len();
            let (number, _) = unplaced[tried];
            if state.place(number).is_ok() {
                unplaced.remove(tried);
                tasks.push(number);
            }
        }
    }
    // Once more those whose turn did not come since.
    let mut left = Vec::with_capacity(unplaced.len());
    for (number, why) in unplaced.drain(..) {
        if !go_on() || state.place(number).is_err() {
            left.push((number, why));
        }
    }
    *unplaced = left;
    true
}

/// Moves a lesson of a task to another slot and room when that costs less.
fn shift(state: &mut State<'_>, number: usize, chance: &mut Chance) -> bool {
    let Some(places) = state.placed[number].clone() else { return false };
    let (at, slot) = (chance.below(places.len()), chance.below(state.problem.slots.len()));
    let old = places[at];
    // Another length would leave lessons over, or give too many.
    if state.problem.slots[slot].periods != state.problem.slots[old.slot].periods {
        return false;
    }
    let (before, problem) = (state.penalty, state.problem);
    state.turn(number, old, false);
    let task = &problem.tasks[number];
    let room = if state.people_free(task, slot) { state.room_for(task, slot) } else { None };
    if let Some(room) = room {
        let new = Place { slot, room };
        state.turn(number, new, true);
        if state.penalty < before {
            put(state, number, at, new);
            return true;
        }
        state.turn(number, new, false);
    }
    state.turn(number, old, true);
    false
}

/// Lets lessons of two tasks change their times when that costs less; each looks for a room anew.
fn swap(state: &mut State<'_>, one: usize, other: usize, chance: &mut Chance) -> bool {
    let (Some(of_one), Some(of_other)) = (state.placed[one].clone(), state.placed[other].clone()) else { return false };
    let (at_one, at_other) = (chance.below(of_one.len()), chance.below(of_other.len()));
    let (mine, theirs) = (of_one[at_one], of_other[at_other]);
    let periods = |place: Place| state.problem.slots[place.slot].periods;
    if one == other || mine.slot == theirs.slot || periods(mine) != periods(theirs) {
        return false;
    }
    let before = state.penalty;
    state.turn(one, mine, false);
    state.turn(other, theirs, false);
    if let Some(new_one) = free_at(state, one, theirs.slot) {
        state.turn(one, new_one, true);
        if let Some(new_other) = free_at(state, other, mine.slot) {
            state.turn(other, new_other, true);
            if state.penalty < before {
                put(state, one, at_one, new_one);
                put(state, other, at_other, new_other);
                return true;
            }
            state.turn(other, new_other, false);
        }
        state.turn(one, new_one, false);
    }
    state.turn(one, mine, true);
    state.turn(other, theirs, true);
    false
}

fn free_at(state: &State<'_>, number: usize, slot: usize) -> Option<Place> {
    let task = &state.problem.tasks[number];
    if !state.people_free(task, slot) {
        return None;
    }
    state.room_for(task, slot).map(|room| Place { slot, room })
}

fn put(state: &mut State<'_>, number: usize, at: usize, new: Place) {
    if let Some(place) = state.placed[number].as_mut().and_then(|places| places.get_mut(at)) {
        *place = new;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Weekends of so many weeks with two blocks of four lessons a day.
    fn weekends(weeks: usize) -> Problem {
        let mut slots = Vec::new();
        for day in 0..weeks * 2 {
            for block in 0..2 {
                slots.push(Slot { day, week: day / 2, block, periods: 4 });
            }
        }
        let overlaps = (0..slots.len()).map(|slot| vec![slot]).collect();
        Problem { slots, overlaps, days: weeks * 2, weeks, most_of_teacher: 8, most_of_class: 8, ..Problem::default() }
    }

    fn room(capacity: i64) -> Room {
        Room { site_id: 1, capacity, kind: 0 }
    }

    fn task(teacher: usize, class: usize, size: i64, periods: i64) -> Task {
        Task { teacher: Some(teacher), classes: vec![class], site_id: 1, size, periods, room_kind: None }
    }

    /// Nobody is busy.
    fn free(mut problem: Problem) -> Problem {
        let teachers = problem.tasks.iter().filter_map(|task| task.teacher).max().map_or(0, |last| last + 1);
        let classes = problem.tasks.iter().flat_map(|task| &task.classes).max().map_or(0, |last| last + 1);
        problem.teacher_busy = vec![vec![false; problem.slots.len()]; teachers];
        problem.class_busy = vec![vec![false; problem.slots.len()]; classes];
        problem.room_busy = vec![vec![false; problem.slots.len()]; problem.rooms.len()];
        problem.teacher_periods = vec![vec![0; problem.days]; teachers];
        problem.class_periods = vec![vec![0; problem.days]; classes];
        problem
    }

    /// Nothing and nobody is in two places, and every task has all its lessons.
    fn holds(problem: &Problem, solution: &Solution) {
        let mut taken = HashSet::new();
        for (number, places) in solution.placed.iter().enumerate() {
            let Some(places) = places else { continue };
            let task = &problem.tasks[number];
            let given: i64 = places.iter().map(|place| problem.slots[place.slot].periods).sum();
            assert!(given >= task.periods, "task {number} lacks lessons");
            for place in places {
                assert!(problem.rooms[place.room].capacity >= task.size);
                assert!(taken.insert(('r', place.room, place.slot)), "a room twice");
                assert!(taken.insert(('t', task.teacher.expect("a teacher"), place.slot)), "a teacher twice");
                for class in &task.classes {
                    assert!(taken.insert(('c', *class, place.slot)), "a class twice");
                }
            }
        }
    }

    /// Scenario 7: forty courses, of which one class has no day that is free.
    #[test]
    fn who_has_no_day_is_left_over_and_told_why() {
        let tasks = (0..40).map(|number| task(number % 10, number, 40, 36)).collect();
        let mut problem = free(Problem { tasks, rooms: vec![room(60); 12], ..weekends(18) });
        problem.class_busy[17] = vec![true; problem.slots.len()];
        let solution = solve(&problem, 7, || true);
        holds(&problem, &solution);
        assert_eq!(solution.placed.iter().flatten().count(), 39);
        assert_eq!(solution.unplaced, [(17, UnplacedReason::ClassClash)]);
        assert!(solution.converged);
    }

    #[test]
    fn the_same_seed_gives_the_same() {
        let tasks = (0..12).map(|number| task(number % 3, number % 6, 30, 16)).collect();
        let problem = free(Problem { tasks, rooms: vec![room(40), room(50)], ..weekends(12) });
        let (one, other) = (solve(&problem, 42, || true), solve(&problem, 42, || true));
        assert_eq!(one, other);
        holds(&problem, &one);
    }

    #[test]
    fn looking_on_makes_it_no_worse() {
        let tasks = (0..12).map(|number| task(number % 3, number % 6, 30, 16)).collect();
        let problem = free(Problem { tasks, rooms: vec![room(40), room(50)], ..weekends(12) });
        let (first, best) = (first(&problem), solve(&problem, 1, || true));
        assert!(!first.converged && best.converged);
        assert!(best.penalty <= first.penalty, "{} over {}", best.penalty, first.penalty);
        holds(&problem, &best);
    }

    #[test]
    fn who_is_out_of_time_stops() {
        let tasks = (0..12).map(|number| task(number % 3, number % 6, 30, 16)).collect();
        let problem = free(Problem { tasks, rooms: vec![room(40), room(50)], ..weekends(12) });
        let mut asked = 0;
        let solution = solve(&problem, 1, || {
            asked += 1;
            asked <= 5
        });
        holds(&problem, &solution);
        assert_eq!(solution.placed.iter().flatten().count(), 5);
        let reasons: HashSet<UnplacedReason> = solution.unplaced.iter().map(|(_, why)| *why).collect();
        assert_eq!(reasons, [UnplacedReason::OutOfTime].into());
        assert!(!solution.converged);
    }

    /// A class of forty takes the room of fifty, and leaves that of eighty to one of sixty.
    #[test]
    fn the_smallest_room_that_holds_all_is_taken() {
        let tasks = vec![task(0, 0, 40, 4), task(1, 1, 60, 4), task(2, 2, 90, 4)];
        let problem = free(Problem { tasks, rooms: vec![room(80), room(50), room(30)], ..weekends(1) });
        let solution = first(&problem);
        let rooms: Vec<Option<usize>> =
            solution.placed.iter().map(|places| places.as_ref().map(|places| places[0].room)).collect();
        assert_eq!(rooms, [Some(1), Some(0), None]);
        assert_eq!(solution.unplaced, [(2, UnplacedReason::TooLarge)]);
    }

    /// The points are counted up as lessons come and go; they must be what they are when counted at once.
    #[test]
    fn points_do_not_run_away() {
        let tasks = (0..8).map(|number| task(number % 3, number % 4, 30, 12)).collect();
        let problem = free(Problem { tasks, rooms: vec![room(40), room(50)], ..weekends(10) });
        let solution = solve(&problem, 3, || true);
        let mut anew = State::of(&problem);
        for (number, places) in solution.placed.iter().enumerate() {
            for place in places.iter().flatten() {
                anew.turn(number, *place, true);
            }
        }
        assert_eq!(anew.penalty, solution.penalty);
    }

    /// Three slots of one day: lessons 1-4, 3-6 and 5-8. What overlaps is taken with it, and what was taken before stays so.
    #[test]
    fn slots_that_overlap_are_taken_together() {
        let slot = |block| Slot { day: 0, week: 0, block, periods: 4 };
        let problem = Problem {
            slots: vec![slot(0), slot(1), slot(2)],
            overlaps: vec![vec![0, 1], vec![0, 1, 2], vec![1, 2]],
            days: 1,
            weeks: 1,
            most_of_teacher: 8,
            most_of_class: 8,
            tasks: vec![task(0, 0, 30, 8)],
            rooms: vec![room(40)],
            ..Problem::default()
        };
        let problem = free(problem);
        let solution = solve(&problem, 1, || true);
        assert_eq!(solution.placed[0], Some(vec![Place { slot: 0, room: 0 }, Place { slot: 2, room: 0 }]));
        let mut state = State::of(&problem);
        let (first, last) = (Place { slot: 0, room: 0 }, Place { slot: 2, room: 0 });
        state.turn(0, first, true);
        state.turn(0, last, true);
        state.turn(0, first, false);
        assert!(state.room_free(0, 0) && !state.room_free(0, 1), "the middle is still taken by the last");
    }

    #[test]
    fn each_reason_is_told() {
        let why = |change: &dyn Fn(&mut Problem)| {
            let tasks = vec![task(0, 0, 40, 8)];
            let mut problem = free(Problem { tasks, rooms: vec![room(60)], ..weekends(2) });
            change(&mut problem);
            solve(&problem, 1, || true).unplaced.first().map(|(_, why)| *why)
        };
        assert_eq!(why(&|_| {}), None);
        assert_eq!(why(&|problem| problem.rooms[0].capacity = 30), Some(UnplacedReason::TooLarge));
        assert_eq!(why(&|problem| problem.rooms[0].site_id = 2), Some(UnplacedReason::NoRoom));
        assert_eq!(why(&|problem| problem.tasks[0].room_kind = Some(3)), Some(UnplacedReason::NoRoom));
        assert_eq!(why(&|problem| problem.room_busy[0].fill(true)), Some(UnplacedReason::NoRoom));
        assert_eq!(why(&|problem| problem.teacher_busy[0].fill(true)), Some(UnplacedReason::NoTeacherTime));
        assert_eq!(why(&|problem| problem.class_busy[0].fill(true)), Some(UnplacedReason::ClassClash));
        assert_eq!(why(&|problem| problem.tasks[0].teacher = None), Some(UnplacedReason::NoLecturer));
        assert_eq!(why(&|problem| problem.most_of_teacher = 3), Some(UnplacedReason::NoTeacherTime));
        // Half of the lessons are none.
        assert_eq!(why(&|problem| problem.tasks[0].periods = 40), Some(UnplacedReason::ClassClash));
    }

    #[test]
    fn lessons_stand_together_in_a_day_and_apart_over_the_weeks() {
        // Two courses of one teacher and class: on the same days, each once a week.
        let tasks = vec![task(0, 0, 30, 16), task(0, 0, 30, 16)];
        let problem = free(Problem { tasks, rooms: vec![room(40)], ..weekends(4) });
        let solution = solve(&problem, 9, || true);
        let days = |number: usize| -> Vec<usize> {
            let places = solution.placed[number].as_ref().expect("placed");
            places.iter().map(|place| problem.slots[place.slot].day).collect()
        };
        let all: HashSet<usize> = days(0).into_iter().chain(days(1)).collect();
        assert_eq!(all.len(), 4);
        let weeks: HashSet<usize> = days(0).into_iter().map(|day| day / 2).collect();
        assert_eq!(weeks.len(), 4);
    }
}
