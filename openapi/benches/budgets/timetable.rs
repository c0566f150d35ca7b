//! `make bench BENCH=timetable`: the automatic arrangement by itself, without a database. Instances that are made here have a way to place
//! everything, for they are made from one; so the share that is placed stands beside 1. Then single lessons are moved by hand, and what it
//! takes to make room is counted in moves, beside one. Last an instance in the format of the ITC 2007, or that which `CTT` names.

mod ctt;

use std::time::{Duration, Instant};

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use timetable::auto::{
    plan::{Problem, Room, Slot, Solution, Task, solve},
    repair::repair,
};

/// In which an arrangement is to be there.
const BUDGET: Duration = Duration::from_secs(60);
/// Lessons that are moved by hand in each instance.
const MOVED: usize = 50;

/// How large an instance is.
struct Size {
    name: &'static str,
    classes: usize,
    teachers: usize,
    rooms: usize,
    weeks: usize,
    courses: usize,
    /// Of each course, of four periods each.
    lessons: usize,
}

const SIZES: [Size; 3] = [
    Size { name: "small", classes: 10, teachers: 8, rooms: 5, weeks: 8, courses: 4, lessons: 4 },
    Size { name: "medium", classes: 40, teachers: 30, rooms: 20, weeks: 16, courses: 5, lessons: 9 },
    Size { name: "large", classes: 120, teachers: 90, rooms: 60, weeks: 18, courses: 6, lessons: 9 },
];

struct Dice(ChaCha8Rng);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0.next_u32() as usize % bound.max(1)
    }
}

pub fn timetable() {
    println!("{:<60} {:>13} {:>13} {:>8}", "what", "ours", "beside", "ratio");
    for size in &SIZES {
        let problem = made(size, &mut Dice(ChaCha8Rng::seed_from_u64(7)));
        measured(size.name, &problem);
    }
    let text = match std::env::var("CTT") {
        Ok(path) if !path.is_empty() => std::fs::read_to_string(&path).expect("the file that CTT names"),
        _ => include_str!("timetable/example.ctt").to_owned(),
    };
    let (name, problem) = ctt::read(&text).expect("an instance of the ITC 2007");
    measured(&format!("ITC 2007, {name}"), &problem);
}

/// Weekends with two blocks of four periods a day. Each course is given to a teacher and lessons at which teacher, class and a room are free;
/// then it is forgotten where they were.
fn made(size: &Size, dice: &mut Dice) -> Problem {
    let (days, blocks) = (size.weeks * 2, 2);
    let slots: Vec<Slot> = (0..days)
        .flat_map(|day| (0..blocks).map(move |block| Slot { day, week: day / 2, block, periods: 4 }))
        .collect();
    let mut teacher_busy = vec![vec![false; slots.len()]; size.teachers];
    let mut rooms_left = vec![size.rooms; slots.len()];
    let mut tasks = Vec::new();
    for class in 0..size.classes {
        let mut class_busy = vec![false; slots.len()];
        for _ in 0..size.courses {
            let teacher = dice.below(size.teachers);
            let mut free: Vec<usize> = (0..slots.len())
                .filter(|slot| !teacher_busy[teacher][*slot] && !class_busy[*slot] && rooms_left[*slot] > 0)
                .collect();
            let lessons = size.lessons.min(free.len());
            for _ in 0..lessons {
                let slot = free.swap_remove(dice.below(free.len()));
                (teacher_busy[teacher][slot], class_busy[slot]) = (true, true);
                rooms_left[slot] -= 1;
            }
            if lessons > 0 {
                let periods = 4 * i64::try_from(lessons).expect("few");
                tasks.push(Task {
                    teacher: Some(teacher),
                    classes: vec![class],
                    site_id: 1,
                    size: 40,
                    periods,
                    room_kind: None,
                });
            }
        }
    }
    Problem {
        overlaps: (0..slots.len()).map(|slot| vec![slot]).collect(),
        rooms: vec![Room { site_id: 1, capacity: 50, kind: 0 }; size.rooms],
        days,
        weeks: size.weeks,
        teacher_busy: vec![vec![false; slots.len()]; size.teachers],
        class_busy: vec![vec![false; slots.len()]; size.classes],
        room_busy: vec![vec![false; slots.len()]; size.rooms],
        teacher_periods: vec![vec![0; days]; size.teachers],
        class_periods: vec![vec![0; days]; size.classes],
        most_of_teacher: 8,
        most_of_class: 8,
        slots,
        tasks,
    }
}

fn line(what: &str, ours: &str, beside: &str, ratio: f64) {
    println!("{what:<60} {ours:>13} {beside:>13} {ratio:>8.2}");
}

fn measured(name: &str, problem: &Problem) {
    let begun = Instant::now();
    let solution = solve(problem, 1, || begun.elapsed() < BUDGET);
    let took = begun.elapsed();
    let asked: i64 = problem.tasks.iter().map(|task| task.periods).sum();
    let given: i64 = placed(problem, &solution).map(|(task, _)| problem.tasks[task].periods).sum();
    let share = given as f64 / asked as f64;
    line(&format!("{name}: share of {asked} periods placed"), &format!("{share:.3}"), "1", share);
    let ratio = took.as_secs_f64() / BUDGET.as_secs_f64();
    line(&format!("{name}: time"), &format!("{:.2} s", took.as_secs_f64()), &format!("{} s", BUDGET.as_secs()), ratio);
    println!(
        "{name}: {} points, {}",
        solution.penalty,
        if solution.converged { "nothing gets better" } else { "out of time" }
    );
    moved(name, problem, &solution);
}

/// Tasks that have their lessons.
fn placed<'s>(problem: &'s Problem, solution: &'s Solution) -> impl Iterator<Item = (usize, usize)> + 's {
    let lessons = move |task: usize| solution.placed[task].as_ref().map(|places| (task, places.len()));
    (0..problem.tasks.len()).filter_map(lessons)
}

/// Moves single lessons to times by chance, and counts what has to move with them.
fn moved(name: &str, problem: &Problem, solution: &Solution) {
    let lessons: Vec<(usize, usize)> =
        placed(problem, solution).flat_map(|(task, count)| (0..count).map(move |at| (task, at))).collect();
    if lessons.is_empty() {
        return;
    }
    let mut dice = Dice(ChaCha8Rng::seed_from_u64(11));
    let (mut moves, mut took, mut asked) = (Vec::new(), Vec::new(), 0_usize);
    while asked < MOVED {
        let lesson = lessons[dice.below(lessons.len())];
        let slot = dice.below(problem.slots.len());
        let stands = solution.placed[lesson.0].as_ref().expect("a placed task")[lesson.1].slot;
        if slot == stands {
            continue;
        }
        asked += 1;
        let begun = Instant::now();
        let way = repair(problem, &solution.placed, lesson, slot);
        took.push(begun.elapsed());
        moves.extend(way.map(|way| way.len()));
    }
    moves.sort_unstable();
    took.sort_unstable();
    let repaired = moves.len() as f64 / asked as f64;
    line(&format!("{name}: {asked} lessons moved, share with a way"), &format!("{repaired:.2}"), "1", repaired);
    if let (Some(half), Some(last)) = (moves.get(moves.len() / 2), moves.last()) {
        line(&format!("{name}: moves, half of them"), &half.to_string(), "1", *half as f64);
        line(&format!("{name}: moves, the most"), &last.to_string(), "1", *last as f64);
    }
    println!(
        "{name}: a repair takes {:.1} ms, the longest {:.1} ms",
        ms(took[took.len() / 2]),
        ms(took[took.len() - 1])
    );
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
