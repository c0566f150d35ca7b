//! What the automatic arrangement is asked, as a problem, and what it answers, in words.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{Days, NaiveDate};
use infra::{Error, Result, clock::Moment};
use units::classroom::ClassroomType;

use crate::{
    enums::{ArrangeKind, ArrangeMode, ProposalStatus, ResourceKind},
    form::{ArrangeClass, ArrangeForm},
    judge::{Facts, Semester},
    period::{moment, span},
    plan::{Place, Problem, Room, Slot, Solution, Task},
    proposal::{ArrangeProposal, AutoForm, ProposedArrange, UnplacedCourse},
    weeks::{LAST_WEEK, shown, weekday_of},
};

/// Classes that are taught a course together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Course {
    pub course_id: i64,
    pub classes: Vec<ArrangeClass>,
    pub teacher_id: Option<i64>,
    pub site_id: i64,
    pub size: i64,
    pub periods: i64,
}

/// A time at which a lesson can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotTime {
    pub day: NaiveDate,
    pub week: i32,
    /// By its place among those that are asked for.
    pub block: usize,
    pub period_from: i32,
    pub period_to: i32,
    /// Over all sites that take part.
    pub starts_at: Moment,
    pub ends_at: Moment,
}

/// Times and rooms by their places in the problem.
#[derive(Debug, Clone)]
pub struct Times {
    pub slots: Vec<SlotTime>,
    pub rooms: Vec<i64>,
}

/// What is asked.
pub struct Loaded {
    pub courses: Vec<Course>,
    pub facts: Facts,
    pub times: Times,
}

impl Loaded {
    /// The classes that take part.
    pub fn class_ids(&self) -> Vec<i64> {
        let mut ids: Vec<i64> =
            self.courses.iter().flat_map(|course| &course.classes).map(|class| class.class_id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

/// # Errors
/// 422 for days and blocks that are none.
pub fn checked(form: &AutoForm) -> Result<()> {
    match (form.weekdays.is_empty(), form.dates.is_empty()) {
        (true, true) => return Err(Error::field("weekdays", "请选择可用星期或可用日期")),
        (false, false) => return Err(Error::field("dates", "可用星期和可用日期只能选择一种")),
        _ => {}
    }
    if form.weekdays.iter().any(|day| !(1..=7).contains(day)) {
        return Err(Error::field("weekdays", "星期应为1到7"));
    }
    if form.blocks.iter().any(|block| block.period_from > block.period_to) {
        return Err(Error::field("blocks", "节次段的结束节次不能早于开始节次"));
    }
    Ok(())
}

/// The same courses with classes put together: of one site, lecturer and number of lessons, as many as `largest` holds.
pub fn merged(alone: Vec<Course>, largest: impl Fn(i64) -> i64) -> Vec<Course> {
    let mut groups: BTreeMap<(i64, i64, Option<i64>, i64), Vec<Course>> = BTreeMap::new();
    for course in alone {
        let key = (course.course_id, course.site_id, course.teacher_id, course.periods);
        groups.entry(key).or_default().push(course);
    }
    let mut together: Vec<Course> = Vec::new();
    for ((_, site, teacher, _), mut group) in groups {
        group.sort_by_key(|course| std::cmp::Reverse(course.size));
        let (most, first) = (largest(site), together.len());
        for course in group {
            let open = together[first..]
                .iter_mut()
                .find(|other| teacher.is_some() && other.size + course.size <= most && !shares(other, &course));
            match open {
                Some(other) => {
                    other.size += course.size;
                    other.classes.extend(course.classes);
                }
                None => together.push(course),
            }
        }
    }
    together
}

/// Whether a class is in both.
fn shares(one: &Course, other: &Course) -> bool {
    one.classes.iter().any(|class| other.classes.iter().any(|known| known.class_id == class.class_id))
}

/// Days of the semester on which lessons may be, with each block; of weeks only those that an arrangement can name.
///
/// # Errors
/// 422 when no day is left, when all of it lies before `after`, or when no site has the lessons of a block.
pub fn slots(
    form: &AutoForm,
    semester: &Semester,
    (facts, sites): (&Facts, &HashSet<i64>),
    after: Option<Moment>,
) -> Result<Vec<SlotTime>> {
    let days = &semester.days;
    let held: Vec<NaiveDate> = if form.dates.is_empty() {
        let all = (0..).map_while(|count| days.starts_on.checked_add_days(Days::new(count)));
        let all =
            all.take_while(|day| *day <= days.ends_on && days.week_of(*day).is_some_and(|week| week <= LAST_WEEK));
        all.filter(|day| form.weekdays.contains(&weekday_of(*day)) && days.skipped(*day).is_none()).collect()
    } else {
        days.parted(form.dates.clone()).0
    };
    let field = if form.dates.is_empty() { "weekdays" } else { "dates" };
    if held.is_empty() {
        return Err(Error::field(field, "可用日期都不在学期内，或是停课日期"));
    }
    let mut slots = Vec::with_capacity(held.len() * form.blocks.len());
    for day in held {
        for (place, block) in form.blocks.iter().enumerate() {
            let (from, to) = (block.period_from, block.period_to);
            let spans = sites.iter().filter_map(|site| span(facts.periods.of(Some(*site)).1, from, to));
            let spans: Vec<_> = spans.collect();
            let (Some(starts), Some(ends)) =
                (spans.iter().map(|(from, _)| *from).min(), spans.iter().map(|(_, to)| *to).max())
            else {
                return Err(Error::field(&format!("blocks[{place}].periodTo"), format!("节次表没有第{to}节")));
            };
            slots.push(SlotTime {
                day,
                week: days.week_of(day).unwrap_or(1),
                block: place,
                period_from: from,
                period_to: to,
                starts_at: moment(day, starts),
                ends_at: moment(day, ends),
            });
        }
    }
    slots.retain(|slot: &SlotTime| after.is_none_or(|after| slot.starts_at > after));
    if slots.is_empty() {
        return Err(Error::field(field, "可用日期都已经过去，请选择以后的日期"));
    }
    Ok(slots)
}

/// Numbers by their places.
struct Places(HashMap<i64, usize>);

impl Places {
    fn of(ids: impl IntoIterator<Item = i64>) -> Self {
        let mut places = HashMap::new();
        for id in ids {
            let next = places.len();
            places.entry(id).or_insert(next);
        }
        Self(places)
    }

    fn get(&self, id: i64) -> Option<usize> {
        self.0.get(&id).copied()
    }
}

/// The same as a problem, which takes a while where there is much of it; `taken` is what stands already.
pub fn problem(form: &AutoForm, loaded: &Loaded, taken: &[Busy]) -> Problem {
    let Loaded { courses, facts, times } = loaded;
    let days = day_places(&times.slots);
    let teachers = Places::of(courses.iter().filter_map(|course| course.teacher_id));
    let classes = Places::of(courses.iter().flat_map(|course| &course.classes).map(|class| class.class_id));
    let rooms = Places::of(times.rooms.iter().copied());
    let kind =
        |word: &str| ClassroomType::CHOICES.iter().position(|(_, kind)| kind.as_str() == word).unwrap_or_default();
    let count = times.slots.len();
    let mut problem = Problem {
        slots: times
            .slots
            .iter()
            .map(|slot| Slot {
                day: days.get(&slot.day).copied().unwrap_or_default(),
                week: usize::try_from(slot.week - 1).unwrap_or_default(),
                block: slot.block,
                periods: i64::from(slot.period_to - slot.period_from + 1),
            })
            .collect(),
        overlaps: overlaps(&times.slots),
        rooms: times
            .rooms
            .iter()
            .filter_map(|id| facts.rooms.get(id))
            .map(|room| Room { site_id: room.site_id, capacity: room.capacity, kind: kind(&room.room_type) })
            .collect(),
        tasks: courses
            .iter()
            .map(|course| Task {
                teacher: course.teacher_id.and_then(|id| teachers.get(id)),
                classes: course.classes.iter().filter_map(|class| classes.get(class.class_id)).collect(),
                site_id: course.site_id,
                size: course.size,
                periods: course.periods,
                room_kind: form.room_type.map(|wanted| kind(wanted.as_str())),
            })
            .collect(),
        days: days.len(),
        weeks: times.slots.iter().filter_map(|slot| usize::try_from(slot.week).ok()).max().unwrap_or_default(),
        teacher_busy: vec![vec![false; count]; teachers.0.len()],
        class_busy: vec![vec![false; count]; classes.0.len()],
        room_busy: vec![vec![false; count]; times.rooms.len()],
        teacher_periods: vec![vec![0; days.len()]; teachers.0.len()],
        class_periods: vec![vec![0; days.len()]; classes.0.len()],
        most_of_teacher: i64::from(form.max_periods_per_day_teacher),
        most_of_class: i64::from(form.max_per_day_class),
    };
    // A site that has not so many lessons in a day has none of them then.
    let mut lacks: HashMap<i64, Vec<usize>> = HashMap::new();
    for course in courses {
        let lacking = lacks.entry(course.site_id).or_insert_with(|| {
            let (_, periods) = facts.periods.of(Some(course.site_id));
            let has = |slot: &SlotTime| span(periods, slot.period_from, slot.period_to).is_some();
            (0..count).filter(|place| !has(&times.slots[*place])).collect()
        });
        for class in course.classes.iter().filter_map(|class| classes.get(class.class_id)) {
            for place in lacking.iter() {
                problem.class_busy[class][*place] = true;
            }
        }
    }
    busy(&mut problem, times, taken, &days, (&teachers, &classes, &rooms));
    problem
}

fn day_places(slots: &[SlotTime]) -> HashMap<NaiveDate, usize> {
    let mut days = HashMap::new();
    for slot in slots {
        let next = days.len();
        days.entry(slot.day).or_insert(next);
    }
    days
}

fn overlaps(slots: &[SlotTime]) -> Vec<Vec<usize>> {
    let mut of_day: HashMap<NaiveDate, Vec<usize>> = HashMap::new();
    for (place, slot) in slots.iter().enumerate() {
        of_day.entry(slot.day).or_default().push(place);
    }
    let of = |slot: &SlotTime| {
        let beside = of_day.get(&slot.day).map_or(&[] as &[usize], Vec::as_slice);
        let meets = |other: &&usize| {
            let other = &slots[**other];
            other.starts_at < slot.ends_at && slot.starts_at < other.ends_at
        };
        beside.iter().filter(meets).copied().collect()
    };
    slots.iter().map(of).collect()
}

/// What somebody or something has already.
pub struct Busy {
    pub kind: ResourceKind,
    pub resource_id: i64,
    pub starts_at: Moment,
    pub ends_at: Moment,
    /// Of a session.
    pub held_on: Option<NaiveDate>,
    pub periods: i64,
}

/// Marks what is taken already, and how many lessons teachers and classes have on each day.
fn busy(
    problem: &mut Problem,
    times: &Times,
    taken: &[Busy],
    days: &HashMap<NaiveDate, usize>,
    (teachers, classes, rooms): (&Places, &Places, &Places),
) {
    let mut of_day: BTreeMap<NaiveDate, Vec<usize>> = BTreeMap::new();
    for (place, slot) in times.slots.iter().enumerate() {
        of_day.entry(slot.day).or_default().push(place);
    }
    for row in taken {
        let places = match row.kind {
            ResourceKind::Teacher => teachers,
            ResourceKind::Class => classes,
            ResourceKind::Classroom => rooms,
        };
        let Some(place) = places.get(row.resource_id) else { continue };
        let marked = match row.kind {
            ResourceKind::Teacher => &mut problem.teacher_busy[place],
            ResourceKind::Class => &mut problem.class_busy[place],
            ResourceKind::Classroom => &mut problem.room_busy[place],
        };
        for slot in of_day.range(row.starts_at.date_naive()..=row.ends_at.date_naive()).flat_map(|(_, slots)| slots) {
            let at = &times.slots[*slot];
            marked[*slot] |= at.starts_at < row.ends_at && row.starts_at < at.ends_at;
        }
        let Some(day) = row.held_on.and_then(|day| days.get(&day).copied()) else { continue };
        match row.kind {
            ResourceKind::Teacher => problem.teacher_periods[place][day] += row.periods,
            ResourceKind::Class => problem.class_periods[place][day] += row.periods,
            ResourceKind::Classroom => {}
        }
    }
}

/// The answer in words; `asked` is the wish and the number of the job.
pub fn told(loaded: &Loaded, solution: &Solution, (form, job_id): (&AutoForm, i64)) -> ArrangeProposal {
    let Loaded { courses, facts, times } = loaded;
    let class_names = |course: &Course| -> Vec<String> {
        let names = course.classes.iter().filter_map(|class| facts.classes.get(&class.class_id));
        names.map(|class| class.name.clone()).collect()
    };
    let course_name = |course: &Course| facts.courses.get(&course.course_id).cloned().unwrap_or_default();
    let teacher_name = |id: Option<i64>| id.and_then(|id| facts.teachers.get(&id)).map(|teacher| teacher.name.clone());
    let mut placed = Vec::new();
    for (course, places) in courses.iter().zip(&solution.placed) {
        let (Some(places), Some(teacher_id)) = (places, course.teacher_id) else { continue };
        for (room, days) in together(times, places, form.dates.is_empty()) {
            let sessions = i64::try_from(days.len()).unwrap_or_default();
            let Some(first) = days.first().copied() else { continue };
            placed.push(ProposedArrange {
                form: as_form((form, course, teacher_id), room, first, &days),
                course_name: course_name(course),
                class_names: class_names(course),
                teacher_name: teacher_name(course.teacher_id).unwrap_or_default(),
                classroom_name: facts.rooms.get(&room).map(|room| room.name.clone()).unwrap_or_default(),
                students: course.size,
                sessions,
            });
        }
    }
    let unplaced = solution.unplaced.iter().filter_map(|(number, reason)| {
        let course = courses.get(*number)?;
        Some(UnplacedCourse {
            course_name: course_name(course),
            class_names: class_names(course),
            teacher_name: teacher_name(course.teacher_id),
            periods: course.periods,
            reason: *reason,
        })
    });
    let whole = solution.placed.iter().flatten().count();
    ArrangeProposal {
        job_id,
        semester_id: form.semester_id,
        status: ProposalStatus::Open,
        score: solution.penalty,
        converged: solution.converged,
        placed_courses: i64::try_from(whole).unwrap_or_default(),
        placed,
        unplaced: unplaced.collect(),
    }
}

/// Lessons that become one arrangement: in one room, with the same lessons of the day, and on the same day of the week where
/// they repeat.
fn together(times: &Times, places: &[Place], weekly: bool) -> Vec<(i64, Vec<SlotTime>)> {
    let mut groups: BTreeMap<(i32, i32, i32, i64), Vec<SlotTime>> = BTreeMap::new();
    for place in places {
        let (Some(slot), Some(room)) = (times.slots.get(place.slot), times.rooms.get(place.room)) else { continue };
        let weekday = if weekly { weekday_of(slot.day) } else { 0 };
        groups.entry((weekday, slot.period_from, slot.period_to, *room)).or_default().push(*slot);
    }
    groups
        .into_iter()
        .map(|((.., room), mut days)| {
            days.sort_unstable_by_key(|slot| slot.day);
            (room, days)
        })
        .collect()
}

fn as_form(
    (form, course, teacher_id): (&AutoForm, &Course, i64),
    room: i64,
    first: SlotTime,
    days: &[SlotTime],
) -> ArrangeForm {
    let weekly = form.dates.is_empty();
    let weeks: Vec<i32> = days.iter().map(|slot| slot.week).collect();
    ArrangeForm {
        semester_id: form.semester_id,
        course_id: course.course_id,
        classes: course.classes.clone(),
        teacher_id,
        assistant_teacher_ids: Vec::new(),
        site_id: course.site_id,
        classroom_id: Some(room),
        kind: ArrangeKind::Lecture,
        mode: if weekly { ArrangeMode::Weekly } else { ArrangeMode::Dates },
        weekday: weekly.then(|| weekday_of(first.day)),
        weeks: weekly.then(|| shown(&weeks)),
        dates: if weekly { Vec::new() } else { days.iter().map(|slot| slot.day).collect() },
        period_from: first.period_from,
        period_to: first.period_to,
        allow_over_capacity: false,
        remark: None,
    }
}

#[cfg(test)]
mod tests {
    use poem_openapi::types::Example;

    use super::*;
    use crate::{period::Periods, weeks::SemesterDays};

    fn course(class_id: i64, size: i64, teacher_id: Option<i64>) -> Course {
        let classes = vec![ArrangeClass { class_id, opening_id: class_id }];
        Course { course_id: 1, classes, teacher_id, site_id: 1, size, periods: 36 }
    }

    #[test]
    fn classes_are_put_together_as_far_as_a_room_holds_them() {
        let alone =
            vec![course(1, 30, Some(1)), course(2, 45, Some(1)), course(3, 38, Some(1)), course(4, 20, Some(2))];
        let sizes = |courses: &[Course]| courses.iter().map(|course| course.size).collect::<Vec<i64>>();
        assert_eq!(sizes(&merged(alone.clone(), |_| 80)), [75, 38, 20]);
        assert_eq!(sizes(&merged(alone.clone(), |_| 120)), [113, 20]);
        assert_eq!(sizes(&merged(alone, |_| 40)), [45, 38, 30, 20]);
        let nobody = vec![course(1, 10, None), course(2, 10, None)];
        assert_eq!(merged(nobody, |_| 80).len(), 2);
    }

    fn slot(day: &str, week: i32, from: i32) -> SlotTime {
        let day: NaiveDate = day.parse().expect("a day");
        let hour = |hour: u32| moment(day, chrono::NaiveTime::from_hms_opt(hour, 0, 0).expect("a time"));
        let (starts_at, ends_at) = if from == 1 { (hour(8), hour(12)) } else { (hour(14), hour(18)) };
        SlotTime { day, week, block: 0, period_from: from, period_to: from + 3, starts_at, ends_at }
    }

    #[test]
    fn lessons_that_repeat_become_one_arrangement() {
        let slots = vec![
            slot("2026-03-07", 1, 1),
            slot("2026-03-14", 2, 1),
            slot("2026-03-14", 2, 5),
            slot("2026-03-15", 2, 1),
        ];
        assert_eq!(overlaps(&slots), [vec![0], vec![1], vec![2], vec![3]]);
        let times = Times { slots, rooms: vec![7] };
        let places: Vec<Place> = (0..4).map(|slot| Place { slot, room: 0 }).collect();
        let weekly = together(&times, &places, true);
        let counts: Vec<usize> = weekly.iter().map(|(_, days)| days.len()).collect();
        assert_eq!(counts, [2, 1, 1]);
        let dated = together(&times, &places, false);
        assert_eq!(dated.iter().map(|(_, days)| days.len()).collect::<Vec<usize>>(), [3, 1]);
        let (room, days) = &weekly[0];
        let form = as_form((&AutoForm::example(), &course(1, 30, Some(1)), 1), *room, days[0], days);
        assert_eq!((form.weekday, form.weeks.as_deref(), form.classroom_id), (Some(6), Some("1-2"), Some(7)));
    }

    /// A semester of three weeks from a Monday on; on the Saturday of the second it is noon.
    #[test]
    fn what_is_behind_is_no_time_for_lessons() {
        let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
        let days = SemesterDays {
            starts_on: day("2026-03-02"),
            ends_on: day("2026-03-22"),
            holidays: vec![day("2026-03-15")],
        };
        let semester = Semester { name: "2026年春季学期".to_owned(), closed: false, days };
        let facts = Facts { periods: Periods::usual(), ..Facts::default() };
        let sites = HashSet::from([1]);
        let of = |after: Option<&str>| {
            let after = after.map(|text| text.parse::<Moment>().expect("a time"));
            slots(&AutoForm::example(), &semester, (&facts, &sites), after)
        };
        let told = |slots: &[SlotTime]| -> Vec<(String, i32, usize)> {
            slots.iter().map(|slot| (slot.day.to_string(), slot.period_from, slot.block)).collect()
        };
        assert_eq!(of(None).expect("slots").len(), 10);
        let ahead = of(Some("2026-03-14T12:00:00+08:00")).expect("slots");
        assert_eq!(
            told(&ahead),
            [
                ("2026-03-14", 5, 1),
                ("2026-03-21", 1, 0),
                ("2026-03-21", 5, 1),
                ("2026-03-22", 1, 0),
                ("2026-03-22", 5, 1)
            ]
            .map(|(day, from, block)| (day.to_owned(), from, block))
        );
        let over = of(Some("2026-03-23T00:00:00+08:00")).map_err(|error| error.msg);
        assert_eq!(over, Err("可用日期都已经过去，请选择以后的日期".into()));
    }

    #[test]
    fn days_or_dates_are_chosen() {
        let of = |weekdays: Vec<i32>, dates: Vec<NaiveDate>| {
            checked(&AutoForm { weekdays, dates, ..AutoForm::example() }).map_err(|error| error.msg)
        };
        assert_eq!(of(vec![], vec![]), Err("请选择可用星期或可用日期".into()));
        assert_eq!(of(vec![8], vec![]), Err("星期应为1到7".into()));
        assert_eq!(of(vec![6], vec![NaiveDate::MIN]), Err("可用星期和可用日期只能选择一种".into()));
        assert_eq!(of(vec![6, 7], vec![]), Ok(()));
    }
}
