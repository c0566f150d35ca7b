//! 校验: what a plan must fulfil before it is submitted, and what is only worth a second look (part 03 B1).

use std::collections::HashMap;

use courses::course::CourseKind;
use poem_openapi::Object;
use term::NationalLevel;

use crate::{
    course::{PlanCourse, PlanGroup},
    credit::{shown, tenths},
    measure::{Amount, Measure, UNIT, measure, of_group, term_credits},
};

/// Credits of one term beyond which a plan is worth a second look, in tenths.
const MOST_TERM_CREDITS: i64 = 300;

/// What a plan and its level ask for. Credits are in tenths.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub compulsory: i64,
    pub elective: i64,
    pub term_count: i32,
    /// Of the level: in a later term no semester has a course.
    pub level_terms: i32,
    pub level_name: String,
    pub national_level: NationalLevel,
    pub min_hours: i32,
    pub hours_per_credit: (i32, i32),
    pub min_offline_ratio: i32,
}

/// A course of the library that requires another, both in the plan.
#[derive(Debug, Clone, Copy)]
pub struct Required {
    pub course: i64,
    pub earlier: i64,
}

/// A course that was opened for students of an earlier version, and in which term and semester.
#[derive(Debug, Clone)]
pub struct Opened {
    pub course: i64,
    pub course_name: String,
    pub term_no: i32,
    pub semester: String,
}

/// What is wrong with a plan, or worth a second look, and at which course.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanProblem {
    /// 说明
    pub message: String,
    /// 课程
    pub course_id: Option<i64>,
    /// 选修组
    pub group_id: Option<i64>,
    /// 开课学期
    pub term_no: Option<i32>,
    /// It says that credits do not come to what the head asks for, which another course or another head mends.
    #[oai(skip)]
    pub(crate) of_sum: bool,
}

impl PlanProblem {
    fn of(message: impl Into<String>) -> Self {
        Self { message: message.into(), course_id: None, group_id: None, term_no: None, of_sum: false }
    }

    fn of_sum(message: impl Into<String>) -> Self {
        Self { of_sum: true, ..Self::of(message) }
    }

    fn at_course(course: i64, message: impl Into<String>) -> Self {
        Self { course_id: Some(course), ..Self::of(message) }
    }

    fn at_group(group: i64, message: impl Into<String>) -> Self {
        Self { group_id: Some(group), ..Self::of(message) }
    }

    fn at_term(term: i32, message: impl Into<String>) -> Self {
        Self { term_no: Some(term), ..Self::of(message) }
    }
}

/// What keeps a plan from being submitted, in the order in which people mend it.
pub fn problems(
    wanted: &Wanted,
    courses: &[PlanCourse],
    groups: &[PlanGroup],
    required: &[Required],
    opened: &[Opened],
) -> Vec<PlanProblem> {
    let mut found = Vec::new();
    if courses.is_empty() {
        found.push(PlanProblem::of("教学计划没有课程"));
        found.extend(of_opened(courses, opened));
        return found;
    }
    let Measure { compulsory, elective, .. } = measure(courses, groups);
    if compulsory != wanted.compulsory {
        let (sum, should) = (shown(compulsory), shown(wanted.compulsory));
        found.push(PlanProblem::of_sum(format!("必修课程学分合计{sum}，应为{should}")));
    }
    if elective < wanted.elective {
        let (sum, should) = (shown(elective), shown(wanted.elective));
        found.push(PlanProblem::of_sum(format!("选修组最低学分合计{sum}，低于选修学分{should}")));
    }
    for group in groups {
        let own = of_group(courses, group.id);
        let least = tenths(group.min_credits);
        if own.credits < least {
            let told = format!("选修组“{}”可选学分{}，低于最低学分{}", group.name, shown(own.credits), shown(least));
            found.push(PlanProblem::at_group(group.id, told));
        }
        if let Some(count) = group.min_courses.filter(|count| own.courses < i64::from(*count)) {
            let told = format!("选修组“{}”只有{}门课程，少于最少门数{count}", group.name, own.courses);
            found.push(PlanProblem::at_group(group.id, told));
        }
    }
    for course in courses.iter().filter(|course| !course.course_enabled) {
        let told = format!("课程“{}”已停用，请移除或更换", course.course_name);
        found.push(PlanProblem::at_course(course.course_id, told));
    }
    let by_course: HashMap<i64, &PlanCourse> = courses.iter().map(|course| (course.course_id, course)).collect();
    for Required { course, earlier } in required {
        let (Some(later), Some(before)) = (by_course.get(course), by_course.get(earlier)) else { continue };
        if before.term_no >= later.term_no {
            let told = format!(
                "课程“{}”在第{}学期，其先修课程“{}”在第{}学期，应先于它",
                later.course_name, later.term_no, before.course_name, before.term_no
            );
            found.push(PlanProblem::at_course(later.course_id, told));
        }
    }
    if wanted.term_count > wanted.level_terms {
        let (own, level, terms) = (wanted.term_count, &wanted.level_name, wanted.level_terms);
        found.push(PlanProblem::of(format!("学期数{own}超过{level}的学期数{terms}，请修改计划")));
    }
    for course in courses.iter().filter(|course| course.term_no > wanted.term_count) {
        let told = format!("课程“{}”的开课学期{}超出学期数{}", course.course_name, course.term_no, wanted.term_count);
        found.push(PlanProblem::at_course(course.course_id, told));
    }
    found.extend(of_opened(courses, opened));
    found
}

/// Whoever studies a course finds it in the next version, in the same term.
fn of_opened<'a>(courses: &'a [PlanCourse], opened: &'a [Opened]) -> impl Iterator<Item = PlanProblem> + 'a {
    let missing = move |opened: &&Opened| {
        !courses.iter().any(|course| course.course_id == opened.course && course.term_no == opened.term_no)
    };
    opened.iter().filter(missing).map(|opened| {
        let told = format!("课程“{}”已在{}开课，不能删除或调整学期", opened.course_name, opened.semester);
        PlanProblem::at_course(opened.course, told)
    })
}

/// What is worth a second look; of a school that wants it so, as wrong as the problems.
pub fn doubts(wanted: &Wanted, courses: &[PlanCourse], groups: &[PlanGroup]) -> Vec<PlanProblem> {
    if courses.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let counted = measure(courses, groups);
    let level = &wanted.level_name;
    if counted.hours.settled() < Amount::whole(wanted.min_hours.into()).settled() {
        let told = format!("总学时{}，低于{level}最低总学时{}", shown(counted.hours.tenths()), wanted.min_hours);
        found.push(PlanProblem::of(told));
    }
    let least = i128::from(wanted.min_offline_ratio) * counted.hours.settled();
    if let Some(ratio) = counted.offline_ratio.filter(|_| counted.offline.settled() * 100 < least) {
        let told = format!("线下教学比例{}%，低于最低比例{}%", shown(tenths(ratio)), wanted.min_offline_ratio);
        found.push(PlanProblem::of(told));
    }
    let credits = i128::from(counted.compulsory + counted.elective);
    if let Some(density) = counted.hours_per_credit {
        let (least, most) = wanted.hours_per_credit;
        let ten_hours = counted.hours.settled() * 10;
        let of = |limit: i32| i128::from(limit) * credits * UNIT;
        if ten_hours < of(least) {
            found.push(PlanProblem::of(format!("每学分{}学时，低于下限{least}", shown(tenths(density)))));
        } else if ten_hours > of(most) {
            found.push(PlanProblem::of(format!("每学分{}学时，高于上限{most}", shown(tenths(density)))));
        }
    }
    for term in 1..=wanted.term_count {
        if !courses.iter().any(|course| course.term_no == term) {
            found.push(PlanProblem::at_term(term, format!("第{term}学期没有课程")));
            continue;
        }
        // Their amounts are in tenths of credits.
        let here = term_credits(courses, groups, term);
        if here.settled() > Amount::whole(MOST_TERM_CREDITS).settled() {
            let told = format!(
                "第{term}学期学分{}，超过{}",
                shown(here.tenths().saturating_add(5).div_euclid(10)),
                MOST_TERM_CREDITS / 10
            );
            found.push(PlanProblem::at_term(term, told));
        }
    }
    let ends = courses.iter().any(|course| course.course_kind == CourseKind::Thesis);
    if wanted.national_level == NationalLevel::Bachelor && !ends {
        found.push(PlanProblem::of("本科层次的教学计划没有毕业论文类课程"));
    }
    found
}

/// 教学计划校验
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanCheck {
    /// 错误
    /// 有错误的计划不能提交
    pub errors: Vec<PlanProblem>,
    /// 提醒
    pub warnings: Vec<PlanProblem>,
    /// 严格检查
    /// 学校设置为严格检查时，提醒按错误处理
    pub strict: bool,
    /// 课程数
    pub course_count: i64,
    /// 必修课程学分合计
    pub compulsory_credits: f64,
    /// 选修组最低学分合计
    pub elective_credits: f64,
    /// 学分合计
    pub total_credits: f64,
    /// 总学时
    /// 必修课程学时，加选修组按最低学分折算的学时
    pub total_hours: f64,
    /// 线下学时
    pub offline_hours: f64,
    /// 线下比例(%)
    pub offline_ratio: Option<f64>,
    /// 每学分学时
    pub hours_per_credit: Option<f64>,
}

impl PlanCheck {
    /// What keeps the plan from being submitted when nothing but its sums does; none when nothing or anything else does.
    pub fn only_sums(&self) -> Option<Vec<String>> {
        let only = !self.errors.is_empty() && self.errors.iter().all(|problem| problem.of_sum);
        only.then(|| self.errors.iter().map(|problem| problem.message.clone()).collect())
    }

    /// The errors as one sentence; none when the plan may be submitted.
    pub fn refusal(&self) -> Option<String> {
        let told: Vec<&str> = self.errors.iter().map(|problem| problem.message.as_str()).collect();
        (!told.is_empty()).then(|| told.join("；"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enums::CourseNature;

    fn course(id: i64, nature: CourseNature, term_no: i32, credits: f64, hours: i32, offline: i32) -> PlanCourse {
        PlanCourse {
            id,
            plan_id: 1,
            course_id: id,
            course_code: format!("K{id}"),
            course_name: format!("课程{id}"),
            course_kind: if id == 99 { CourseKind::Thesis } else { CourseKind::Theory },
            course_enabled: true,
            type_id: 1,
            type_name: "公共基础课".to_owned(),
            nature,
            elective_group_id: (nature != CourseNature::Compulsory).then_some(7),
            elective_group_name: None,
            term_no,
            credits,
            hours,
            lecture_hours: offline,
            online_hours: hours - offline,
            practice_hours: 0,
            self_study_hours: 0,
            exam_form: courses::course::ExamForm::Exam,
            assess_mode: None,
            degree_course: false,
            sort_no: 0,
            remark: None,
            version: 1,
        }
    }

    fn group(min_credits: f64, credits: f64) -> PlanGroup {
        PlanGroup {
            id: 7,
            plan_id: 1,
            name: "专业选修".to_owned(),
            min_credits,
            min_courses: None,
            sort_no: 0,
            course_count: 4,
            credits,
            version: 1,
        }
    }

    fn wanted() -> Wanted {
        Wanted {
            compulsory: 880,
            elective: 40,
            term_count: 5,
            level_terms: 5,
            level_name: "专升本".to_owned(),
            national_level: NationalLevel::Bachelor,
            min_hours: 1600,
            hours_per_credit: (16, 18),
            min_offline_ratio: 20,
        }
    }

    /// Compulsory 88 credits, 1,568 hours, of which 340 face to face; four electives of 2 credits, 36 hours, 8 face to face.
    fn worked() -> (Vec<PlanCourse>, Vec<PlanGroup>) {
        let mut courses: Vec<PlanCourse> = [(1, 1, 448, 100), (2, 2, 448, 100), (3, 3, 448, 100), (4, 4, 112, 20)]
            .into_iter()
            .map(|(id, term, hours, offline)| {
                course(id, CourseNature::Compulsory, term, if id == 4 { 7.0 } else { 25.0 }, hours, offline)
            })
            .collect();
        courses.push(course(99, CourseNature::Compulsory, 5, 6.0, 112, 20));
        courses.extend((11..15).map(|id| course(id, CourseNature::Elective, 4, 2.0, 36, 8)));
        (courses, vec![group(4.0, 8.0)])
    }

    fn told(problems: &[PlanProblem]) -> Vec<&str> {
        problems.iter().map(|problem| problem.message.as_str()).collect()
    }

    #[test]
    fn the_worked_plan_is_right() {
        let (courses, groups) = worked();
        let counted = measure(&courses, &groups);
        assert_eq!((counted.compulsory, counted.elective), (880, 40));
        assert_eq!((counted.hours.rounded(), counted.offline.rounded()), (1_640.0, 356.0));
        assert_eq!((counted.offline_ratio, counted.hours_per_credit), (Some(21.7), Some(17.8)));
        assert_eq!(problems(&wanted(), &courses, &groups, &[], &[]), []);
        assert_eq!(doubts(&wanted(), &courses, &groups), []);
    }

    #[test]
    fn what_is_missing_is_told_with_its_numbers() {
        let (mut courses, mut groups) = worked();
        courses[3].credits = 5.0;
        assert_eq!(told(&problems(&wanted(), &courses, &groups, &[], &[])), ["必修课程学分合计86.0，应为88.0"]);
        courses[3].credits = 7.0;
        groups[0].min_credits = 2.0;
        assert_eq!(told(&problems(&wanted(), &courses, &groups, &[], &[])), ["选修组最低学分合计2.0，低于选修学分4.0"]);
        groups[0].min_credits = 10.0;
        groups[0].min_courses = Some(5);
        assert_eq!(
            told(&problems(&wanted(), &courses, &groups, &[], &[])),
            ["选修组“专业选修”可选学分8.0，低于最低学分10.0", "选修组“专业选修”只有4门课程，少于最少门数5"]
        );
        assert_eq!(told(&problems(&wanted(), &[], &[], &[], &[])), ["教学计划没有课程"]);
        groups[0].min_credits = 4.0;
        groups[0].min_courses = None;
        let long = Wanted { term_count: 6, ..wanted() };
        assert_eq!(told(&problems(&long, &courses, &groups, &[], &[])), ["学期数6超过专升本的学期数5，请修改计划"]);
    }

    #[test]
    fn courses_stand_in_their_order() {
        let (mut courses, groups) = worked();
        let required = [Required { course: 2, earlier: 1 }, Required { course: 1, earlier: 3 }];
        courses[1].course_enabled = false;
        courses[0].term_no = 2;
        let opened =
            [Opened {
                course: 1, course_name: "课程1".to_owned(), term_no: 1, semester: "2026年春季学期".to_owned()
            }];
        assert_eq!(
            told(&problems(&Wanted { term_count: 4, ..wanted() }, &courses, &groups, &required, &opened)),
            [
                "课程“课程2”已停用，请移除或更换",
                "课程“课程2”在第2学期，其先修课程“课程1”在第2学期，应先于它",
                "课程“课程1”在第2学期，其先修课程“课程3”在第3学期，应先于它",
                "课程“课程99”的开课学期5超出学期数4",
                "课程“课程1”已在2026年春季学期开课，不能删除或调整学期",
            ]
        );
    }

    #[test]
    fn doubts_are_told_with_their_numbers() {
        let (mut courses, groups) = worked();
        courses[4].course_kind = CourseKind::Practice;
        courses[4].term_no = 4;
        let strict = Wanted { min_hours: 1_700, min_offline_ratio: 22, hours_per_credit: (18, 19), ..wanted() };
        assert_eq!(
            told(&doubts(&strict, &courses, &groups)),
            [
                "总学时1640.0，低于专升本最低总学时1700",
                "线下教学比例21.7%，低于最低比例22%",
                "每学分17.8学时，低于下限18",
                "第5学期没有课程",
                "本科层次的教学计划没有毕业论文类课程",
            ]
        );
        courses[0].term_no = 2;
        let crowded = doubts(&Wanted { hours_per_credit: (16, 17), ..wanted() }, &courses, &groups);
        assert_eq!(told(&crowded)[..3], ["每学分17.8学时，高于上限17", "第1学期没有课程", "第2学期学分50.0，超过30"]);
    }
}
