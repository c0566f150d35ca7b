//! The format of track 3 of the International Timetabling Competition 2007 (curriculum-based course timetabling, `.ctt`):
//!
//! ```text
//! Days: 5                      COURSES:    id teacher lectures [days at least] students
//! Periods_per_day: 4           ROOMS:      id capacity
//!                              CURRICULA:  id count course …
//!                              UNAVAILABILITY_CONSTRAINTS:  course day period
//! ```
//! What the competition counts in points is hard here: a room holds all students. Days at least and what stands together have no like here and
//! are not read. Each curriculum is a class of all its courses; the times that a course cannot have are those of a class that is its alone.

use std::collections::HashMap;

use timetable::auto::plan::{Problem, Room, Slot, Task};

/// A week of one lesson each, with the number of lectures that are asked for.
pub fn read(text: &str) -> Result<(String, Problem), String> {
    let (mut name, mut days, mut per_day) = (String::new(), 0, 0);
    let mut sections: HashMap<&str, Vec<Vec<&str>>> = HashMap::new();
    let mut section = "";
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["COURSES:" | "ROOMS:" | "CURRICULA:" | "UNAVAILABILITY_CONSTRAINTS:"] => section = words[0],
            ["END."] => break,
            ["Name:", value] => value.clone_into(&mut name),
            ["Days:", value] => days = number(value)?,
            ["Periods_per_day:", value] => per_day = number(value)?,
            _ if section.is_empty() => {}
            _ => sections.entry(section).or_default().push(words),
        }
    }
    let mut lines = |section: &str| sections.remove(section).unwrap_or_default();
    let (courses, rooms) = (lines("COURSES:"), lines("ROOMS:"));
    let (curricula, unavailable) = (lines("CURRICULA:"), lines("UNAVAILABILITY_CONSTRAINTS:"));
    if days == 0 || per_day == 0 || courses.is_empty() || rooms.is_empty() {
        return Err("no days, periods, courses or rooms".to_owned());
    }
    let slots: Vec<Slot> =
        (0..days).flat_map(|day| (0..per_day).map(move |block| Slot { day, week: 0, block, periods: 1 })).collect();
    let (mut places, mut teachers) = (HashMap::new(), HashMap::new());
    let mut tasks = Vec::with_capacity(courses.len());
    for (place, course) in courses.iter().enumerate() {
        let [id, teacher, lectures, .., students] = course[..] else { return Err(format!("a course: {course:?}")) };
        places.insert(id, place);
        let next = teachers.len();
        let teacher = *teachers.entry(teacher).or_insert(next);
        // The class that is the course's alone.
        tasks.push(Task {
            teacher: Some(teacher),
            classes: vec![place],
            site_id: 1,
            size: number(students)?,
            periods: number(lectures)?,
            room_kind: None,
        });
    }
    for (class, curriculum) in (tasks.len()..).zip(&curricula) {
        for course in curriculum.iter().skip(2) {
            let place = places.get(course).ok_or_else(|| format!("no course {course}"))?;
            tasks[*place].classes.push(class);
        }
    }
    let classes = courses.len() + curricula.len();
    let mut class_busy = vec![vec![false; slots.len()]; classes];
    for constraint in &unavailable {
        let [course, day, period] = constraint[..] else { return Err(format!("a constraint: {constraint:?}")) };
        let place = places.get(course).ok_or_else(|| format!("no course {course}"))?;
        let (day, period): (usize, usize) = (number(day)?, number(period)?);
        *class_busy[*place].get_mut(day * per_day + period).ok_or("a constraint outside the week")? = true;
    }
    let mut halls = Vec::with_capacity(rooms.len());
    for room in &rooms {
        let [_, capacity] = room[..] else { return Err(format!("a room: {room:?}")) };
        halls.push(Room { site_id: 1, capacity: number(capacity)?, kind: 0 });
    }
    let most = i64::try_from(per_day).map_err(|error| error.to_string())?;
    let problem = Problem {
        overlaps: (0..slots.len()).map(|slot| vec![slot]).collect(),
        teacher_busy: vec![vec![false; slots.len()]; teachers.len()],
        room_busy: vec![vec![false; slots.len()]; halls.len()],
        teacher_periods: vec![vec![0; days]; teachers.len()],
        class_periods: vec![vec![0; days]; classes],
        class_busy,
        rooms: halls,
        tasks,
        days,
        weeks: 1,
        most_of_teacher: most,
        most_of_class: most,
        slots,
    };
    Ok((name, problem))
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("no number: {text}"))
}
