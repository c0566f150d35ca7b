//! Whether an arrangement may be, and on which days it is: the rules, over what was read before (part 03 B9). Form, sheet and
//! proposal are judged alike; clashes with others are looked for by whoever writes.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::NaiveDate;
use course_selection::{
    enums::{OpeningKind, OpeningStatus},
    opening::Opening,
};
use infra::{Error, FieldError, Result, Scope, clock::Moment, naming::is_switched_off};
use student_status::student::check::NOT_YOURS;

use crate::{
    enums::{ArrangeKind, ArrangeMode},
    form::{ArrangeClass, ArrangeForm},
    period::{Periods, moment, span},
    weeks::{self, Parted, SemesterDays, Skip},
};

/// The roles of those who teach, as the allocations name them.
pub const LECTURER: &str = "lecturer";
pub const TUTOR: &str = "tutor";

/// A semester as the timetable knows it.
#[derive(Debug, Clone)]
pub struct Semester {
    pub name: String,
    pub closed: bool,
    pub days: SemesterDays,
}

#[derive(Debug, Clone)]
pub struct Teacher {
    pub name: String,
    pub active: bool,
}

#[derive(Debug, Clone)]
pub struct Site {
    pub name: String,
    pub closed: bool,
}

#[derive(Debug, Clone)]
pub struct Room {
    pub site_id: i64,
    pub name: String,
    pub room_type: String,
    pub capacity: i64,
    pub enabled: bool,
}

#[derive(Debug, Clone)]
pub struct Class {
    pub name: String,
    pub enabled: bool,
    pub grade_id: i64,
    pub major_id: i64,
    pub site_id: i64,
    /// In the register.
    pub students: i64,
}

/// What the rules look at.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    pub semesters: HashMap<i64, Semester>,
    pub courses: HashMap<i64, String>,
    pub teachers: HashMap<i64, Teacher>,
    pub sites: HashMap<i64, Site>,
    pub rooms: HashMap<i64, Room>,
    pub classes: HashMap<i64, Class>,
    pub openings: HashMap<i64, Opening>,
    /// Openings that are taught on the net alone.
    pub online: HashSet<i64>,
    /// By opening, class or all, and role: the teachers.
    pub allocated: HashMap<(i64, Option<i64>, &'static str), Vec<i64>>,
    /// How many of a class are on the roster of an opening.
    pub sizes: HashMap<(i64, i64), i64>,
    pub periods: Periods,
}

impl Facts {
    /// How many of a class come: those on the roster, or everybody as long as the opening waits.
    pub fn size(&self, opening: i64, class: i64) -> i64 {
        let on_roster = self.sizes.get(&(opening, class)).copied().unwrap_or_default();
        let waits = self.openings.get(&opening).is_some_and(|opening| opening.status == OpeningStatus::Draft);
        if waits && on_roster == 0 { self.classes.get(&class).map_or(0, |class| class.students) } else { on_roster }
    }

    /// Who has a role in a class: those named for it, else those of all classes.
    fn of_role(&self, opening: i64, class: i64, role: &'static str) -> &[i64] {
        let own = self.allocated.get(&(opening, Some(class), role));
        own.or_else(|| self.allocated.get(&(opening, None, role))).map_or(&[], Vec::as_slice)
    }

    /// Whether a teacher lectures or tutors in a class.
    pub fn teaches(&self, opening: i64, class: i64, teacher: i64) -> bool {
        [LECTURER, TUTOR].into_iter().any(|role| self.of_role(opening, class, role).contains(&teacher))
    }

    /// The lecturer of a class.
    pub fn lecturer(&self, opening: i64, class: i64) -> Option<i64> {
        self.of_role(opening, class, LECTURER).first().copied()
    }

    /// Whether a class takes part in an opening: by its grade and major, or because somebody of it is on the roster.
    fn takes_part(&self, opening: &Opening, class_id: i64, class: &Class) -> bool {
        opening.kind != OpeningKind::Plan
            || opening.is_for(class.grade_id, class.major_id)
            || self.sizes.contains_key(&(opening.id, class_id))
    }

    /// Of these openings the one that a class takes part in: that of its grade and major before one for all.
    pub fn opening_of(&self, openings: &[i64], class_id: i64) -> Option<i64> {
        let class = self.classes.get(&class_id)?;
        let known = || openings.iter().filter_map(|id| self.openings.get(id));
        let own =
            |opening: &&Opening| opening.grade_id == Some(class.grade_id) && opening.major_id == Some(class.major_id);
        let any = |opening: &&Opening| self.takes_part(opening, class_id, class);
        known().find(own).or_else(|| known().find(any)).map(|opening| opening.id)
    }
}

/// Who asks.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'s> {
    pub scope: &'s Scope,
    /// In whose classes teachers need not be allocated.
    pub forced: Option<&'s Scope>,
}

/// When a lesson is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    pub held_on: NaiveDate,
    pub starts_at: Moment,
    pub ends_at: Moment,
}

/// An arrangement that may be, if nobody is in the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    pub weeks: Vec<i32>,
    pub meetings: Vec<Meeting>,
    /// Days without a lesson, and why.
    pub skipped: Vec<(NaiveDate, Skip)>,
}

/// Collects what is wrong with fields.
#[derive(Default)]
struct Wrong(Vec<FieldError>);

impl Wrong {
    fn at(&mut self, field: &str, message: impl Into<String>) {
        self.0.push(FieldError { field: field.to_owned(), message: message.into() });
    }
}

/// # Errors
/// 409 in a closed semester; 422 with all that is wrong.
pub fn judge(form: &ArrangeForm, facts: &Facts, asking: Asking<'_>) -> Result<Judged> {
    let mut wrong = Wrong::default();
    let Some(semester) = facts.semesters.get(&form.semester_id) else {
        return Err(Error::field("semesterId", "所选学期不存在，请重新选择"));
    };
    if semester.closed {
        return Err(Error::conflict(format!("学期“{}”已关闭，不能修改", semester.name)));
    }
    if !facts.courses.contains_key(&form.course_id) {
        wrong.at("courseId", "所选课程不存在，请重新选择");
    }
    let size = classes(form, facts, asking, &mut wrong);
    teachers(form, facts, asking, &mut wrong);
    place(form, facts, size, &mut wrong);
    let judged = times(form, facts, &semester.days, &mut wrong);
    match judged {
        Some(judged) if wrong.0.is_empty() => Ok(judged),
        _ => Err(Error::fields(wrong.0)),
    }
}

/// How many come together.
fn classes(form: &ArrangeForm, facts: &Facts, asking: Asking<'_>, wrong: &mut Wrong) -> i64 {
    let (mut size, mut seen) = (0, BTreeSet::new());
    for (place, item) in form.classes.iter().enumerate() {
        let (at_class, at_opening) = (format!("classes[{place}].classId"), format!("classes[{place}].openingId"));
        if !seen.insert(item.class_id) {
            wrong.at(&at_class, "班级重复");
            continue;
        }
        let Some(opening) = facts.openings.get(&item.opening_id) else {
            wrong.at(&at_opening, "所选开课不存在，请重新选择");
            continue;
        };
        if (opening.semester_id, opening.course_id) != (form.semester_id, form.course_id) {
            wrong.at(&at_opening, "所选开课不属于该学期和课程");
            continue;
        }
        let name = &opening.course_name;
        match opening.status {
            OpeningStatus::Draft | OpeningStatus::Opened => {}
            OpeningStatus::Closed | OpeningStatus::Cancelled => {
                wrong.at(&at_opening, format!("“{name}”{}，不能排课", opening.status.zh()));
            }
        }
        if form.kind != ArrangeKind::Live && facts.online.contains(&opening.id) {
            wrong.at(&at_opening, format!("“{name}”为线上教学，不能安排面授"));
        }
        let Some(class) = facts.classes.get(&item.class_id) else {
            wrong.at(&at_class, "所选班级不存在，请重新选择");
            continue;
        };
        if !asking.scope.sees(Some(class.site_id), Some(item.class_id)) {
            // Neither its name nor how many sit in it is told.
            wrong.at(&at_class, NOT_YOURS);
            continue;
        }
        if !class.enabled {
            wrong.at(&at_class, is_switched_off(&class.name));
        } else if !facts.takes_part(opening, item.class_id, class) {
            wrong.at(&at_class, format!("班级“{}”不属于该开课的年级和专业", class.name));
        }
        size += facts.size(item.opening_id, item.class_id);
    }
    size
}

fn teachers(form: &ArrangeForm, facts: &Facts, asking: Asking<'_>, wrong: &mut Wrong) {
    let mut known = |id: i64, field: &str| match facts.teachers.get(&id) {
        None => wrong.at(field, "所选教师不存在，请重新选择"),
        Some(teacher) if !teacher.active => wrong.at(field, format!("教师“{}”已离职或停用", teacher.name)),
        Some(_) => {}
    };
    known(form.teacher_id, "teacherId");
    for (place, id) in form.assistant_teacher_ids.iter().enumerate() {
        known(*id, &format!("assistantTeacherIds[{place}]"));
    }
    if form.assistant_teacher_ids.contains(&form.teacher_id) {
        wrong.at("assistantTeacherIds", "助教不能与任课教师相同");
    }
    let asks = |item: &ArrangeClass| {
        let class = facts.classes.get(&item.class_id);
        let within = |scope: &Scope| class.is_some_and(|class| scope.sees(Some(class.site_id), Some(item.class_id)));
        within(asking.scope) && !asking.forced.is_some_and(within)
    };
    let not_taught = form.classes.iter().filter(|item| asks(item)).find(|item| {
        facts.openings.contains_key(&item.opening_id) && !facts.teaches(item.opening_id, item.class_id, form.teacher_id)
    });
    if let (Some(item), Some(teacher)) = (not_taught, facts.teachers.get(&form.teacher_id)) {
        let class = facts.classes.get(&item.class_id).map_or("", |class| class.name.as_str());
        wrong.at("teacherId", format!("教师“{}”不是班级“{class}”的主讲或辅导教师", teacher.name));
    }
}

fn place(form: &ArrangeForm, facts: &Facts, size: i64, wrong: &mut Wrong) {
    match facts.sites.get(&form.site_id) {
        None => wrong.at("siteId", "所选站点不存在，请重新选择"),
        Some(site) if site.closed => wrong.at("siteId", format!("站点“{}”已撤销", site.name)),
        Some(_) => {}
    }
    let Some(id) = form.classroom_id else {
        if form.kind != ArrangeKind::Live {
            wrong.at("classroomId", "请选择教室");
        }
        return;
    };
    match facts.rooms.get(&id) {
        None => wrong.at("classroomId", "所选教室不存在，请重新选择"),
        Some(room) if room.site_id != form.site_id => wrong.at("classroomId", "教室不属于所选站点"),
        Some(room) if !room.enabled => wrong.at("classroomId", is_switched_off(&room.name)),
        Some(room) if room.capacity < size && !form.allow_over_capacity => {
            wrong.at("classroomId", too_small(room.capacity, size));
        }
        Some(_) => {}
    }
}

/// Of a room that does not hold all.
pub fn too_small(capacity: i64, size: i64) -> String {
    format!("教室容量{capacity}，小于合班人数{size}")
}

fn times(form: &ArrangeForm, facts: &Facts, days: &SemesterDays, wrong: &mut Wrong) -> Option<Judged> {
    let (_, periods) = facts.periods.of(Some(form.site_id));
    let between = span(periods, form.period_from, form.period_to).filter(|_| form.period_from <= form.period_to);
    if form.period_from > form.period_to {
        wrong.at("periodTo", "结束节次不能早于开始节次");
    } else if between.is_none() {
        wrong.at("periodTo", format!("该站点的节次表只有{}节", periods.len()));
    }
    let (weeks, (held, skipped)) = match form.mode {
        ArrangeMode::Weekly => weekly(form, days, wrong)?,
        ArrangeMode::Dates => (Vec::new(), dates(form, days, wrong)?),
    };
    let (from, to) = between?;
    let meeting =
        |held_on: NaiveDate| Meeting { held_on, starts_at: moment(held_on, from), ends_at: moment(held_on, to) };
    Some(Judged { weeks, meetings: held.into_iter().map(meeting).collect(), skipped })
}

fn weekly(form: &ArrangeForm, days: &SemesterDays, wrong: &mut Wrong) -> Option<(Vec<i32>, Parted)> {
    if !form.dates.is_empty() {
        wrong.at("dates", "按周排课不填日期");
    }
    let Some(weekday) = form.weekday else {
        wrong.at("weekday", "请选择星期");
        return None;
    };
    let weeks = match weeks::parse(form.weeks.as_deref().unwrap_or_default()) {
        Ok(weeks) => weeks,
        Err(why) => {
            wrong.at("weeks", why);
            return None;
        }
    };
    let (held, skipped) = days.weekly(&weeks, weekday);
    if held.is_empty() {
        wrong.at("weeks", "所选的周都不能上课，请检查学期日期和停课日期");
        return None;
    }
    Some((weeks, (held, skipped)))
}

fn dates(form: &ArrangeForm, days: &SemesterDays, wrong: &mut Wrong) -> Option<Parted> {
    if form.weekday.is_some() || form.weeks.is_some() {
        wrong.at("weeks", "按日期排课不填星期和周次");
    }
    if form.dates.is_empty() {
        wrong.at("dates", "请选择上课日期");
        return None;
    }
    let (held, skipped) = days.parted(form.dates.clone());
    if let Some((day, _)) = skipped.iter().find(|(_, why)| *why == Skip::Outside) {
        wrong.at("dates", format!("{day}不在学期内"));
    } else if held.is_empty() {
        wrong.at("dates", "所选日期都是停课日期");
    }
    Some((held, skipped))
}

#[cfg(test)]
mod tests {
    use infra::clock::day_began;
    use poem_openapi::types::Example;
    use teaching_plan::enums::CourseNature;

    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn class(name: &str, site_id: i64) -> Class {
        Class { name: name.to_owned(), enabled: true, grade_id: 1, major_id: 1, site_id, students: 50 }
    }

    /// An opened course of the classes 1 (45 people) and 2 (38), taught to all by 1 and to class 2 by 2, in a room of 80.
    fn facts() -> Facts {
        let opening = Opening {
            id: 1,
            semester_id: 1,
            semester_name: "2026年春季学期".to_owned(),
            semester_closed: false,
            ordinal: 4052,
            course_id: 1,
            course_name: "管理学".to_owned(),
            kind: OpeningKind::Plan,
            status: OpeningStatus::Opened,
            nature: CourseNature::Compulsory,
            grade_id: Some(1),
            major_id: Some(1),
            credits: 30,
            capacity: None,
        };
        let days = SemesterDays {
            starts_on: day("2026-03-02"),
            ends_on: day("2026-07-12"),
            holidays: vec![day("2026-05-02")],
        };
        let teacher = |name: &str| Teacher { name: name.to_owned(), active: true };
        let mut facts = Facts {
            semesters: [(1, Semester { name: "2026年春季学期".to_owned(), closed: false, days })].into(),
            courses: [(1, "管理学".to_owned())].into(),
            teachers: [(1, teacher("张三")), (2, teacher("李四"))].into(),
            sites: [(1, Site { name: "城东站".to_owned(), closed: false })].into(),
            classes: [(1, class("会计1班", 1)), (2, class("会计2班", 1))].into(),
            openings: [(1, opening)].into(),
            allocated: [((1, None, LECTURER), vec![1]), ((1, Some(2), LECTURER), vec![2]), ((1, None, TUTOR), vec![1])]
                .into(),
            sizes: [((1, 1), 45), ((1, 2), 38)].into(),
            ..Facts::default()
        };
        let (name, room_type) = ("301教室".to_owned(), "ordinary".to_owned());
        let room = Room { site_id: 1, name, room_type, capacity: 80, enabled: true };
        facts.rooms.insert(1, room);
        facts.periods = Periods::usual();
        facts
    }

    fn form() -> ArrangeForm {
        ArrangeForm { weeks: Some("1-16".to_owned()), ..ArrangeForm::example() }
    }

    fn told(form: &ArrangeForm, facts: &Facts, scope: &Scope) -> Vec<String> {
        let error = match judge(form, facts, Asking { scope, forced: None }) {
            Ok(_) => return Vec::new(),
            Err(error) => error,
        };
        let fields = error.data.as_array().expect("fields").clone();
        let text = |field: &serde_json::Value, name: &str| field[name].as_str().unwrap_or_default().to_owned();
        fields.iter().map(|field| format!("{}: {}", text(field, "field"), text(field, "message"))).collect()
    }

    /// Scenario 6.
    #[test]
    fn weeks_become_days_but_for_holidays() {
        let scope = Scope::whole_school();
        let judged = judge(&form(), &facts(), Asking { scope: &scope, forced: None }).expect("may be");
        assert_eq!((judged.meetings.len(), judged.skipped), (15, vec![(day("2026-05-02"), Skip::Holiday)]));
        let first = judged.meetings[0];
        assert_eq!(first.held_on, day("2026-03-07"));
        assert_eq!(first.starts_at - day_began(first.held_on), chrono::TimeDelta::hours(8));
        assert_eq!((first.ends_at - first.starts_at).num_minutes(), 220);
    }

    /// Scenario 4.
    #[test]
    fn a_room_holds_all_classes_unless_said_otherwise() {
        let scope = Scope::whole_school();
        let mut both = form();
        both.classes.push(ArrangeClass { class_id: 2, opening_id: 1 });
        let facts = facts();
        assert_eq!(told(&both, &facts, &scope), ["classroomId: 教室容量80，小于合班人数83"]);
        both.allow_over_capacity = true;
        assert_eq!(told(&both, &facts, &scope), Vec::<String>::new());
    }

    #[test]
    fn who_is_named_for_a_class_goes_before_who_is_named_for_all() {
        let facts = facts();
        assert!(facts.teaches(1, 1, 1) && !facts.teaches(1, 1, 2) && facts.teaches(1, 2, 2));
        // As the tutor of all classes 1 may teach class 2 too.
        assert!(facts.teaches(1, 2, 1));
        let scope = Scope::whole_school();
        let other = ArrangeForm { teacher_id: 2, ..form() };
        assert_eq!(told(&other, &facts, &scope), ["teacherId: 教师“李四”不是班级“会计1班”的主讲或辅导教师"]);
        assert!(judge(&other, &facts, Asking { scope: &scope, forced: Some(&scope) }).is_ok());
        // Whoever may do so elsewhere may not here.
        let elsewhere = Scope::limited(vec![9], vec![]);
        assert!(judge(&other, &facts, Asking { scope: &scope, forced: Some(&elsewhere) }).is_err());
    }

    #[test]
    fn what_cannot_be_chosen_is_told_at_its_field() {
        let (scope, mut facts) = (Scope::limited(vec![9], vec![]), facts());
        facts.online.insert(1);
        facts.sites.insert(2, Site { name: "城西站".to_owned(), closed: true });
        let wrong = ArrangeForm { site_id: 2, period_to: 13, weeks: Some("9-8".to_owned()), ..form() };
        assert_eq!(
            told(&wrong, &facts, &scope),
            [
                "classes[0].openingId: “管理学”为线上教学，不能安排面授",
                "classes[0].classId: 无权操作该数据",
                "siteId: 站点“城西站”已撤销",
                "classroomId: 教室不属于所选站点",
                "periodTo: 该站点的节次表只有12节",
                "weeks: 周次“9-8”无法识别，例如 1-8,10-16双",
            ]
        );
        let whole = Scope::whole_school();
        let dated = ArrangeForm {
            mode: ArrangeMode::Dates,
            weekday: None,
            weeks: None,
            dates: vec![day("2026-08-01")],
            ..form()
        };
        facts.online.clear();
        assert_eq!(told(&dated, &facts, &whole), ["dates: 2026-08-01不在学期内"]);
        let closed = facts.semesters.get_mut(&1).expect("the semester");
        closed.closed = true;
        let error = judge(&form(), &facts, Asking { scope: &whole, forced: None }).expect_err("closed");
        assert_eq!((error.code, &*error.msg), (409, "学期“2026年春季学期”已关闭，不能修改"));
    }

    #[test]
    fn a_class_waits_with_everybody_in_it() {
        let mut facts = facts();
        facts.sizes.clear();
        assert_eq!(facts.size(1, 1), 0);
        if let Some(opening) = facts.openings.get_mut(&1) {
            opening.status = OpeningStatus::Draft;
        }
        assert_eq!(facts.size(1, 1), 50);
    }
}
