//! 打印: the 教学计划进程表 on A4 across: its courses by type, a column a term, totals and signatures (part 03 B1).

use ::paper::{Cell, Line, Paper, Row, Side};
use infra::{Allowed, Error, Result, Scope, across::Keyed, transfer::Printed};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;
use teaching_plan_rules::measure::{Measure, measure};
use tokio::task::spawn_blocking;

use super::{Plan, Plans, PrintPlan};
use crate::{
    course::{
        PlanCourse, PlanGroup,
        select::{courses_of, groups_of},
    },
    credit::{shown, tenths},
};

/// Widths of the columns before the terms, as shares.
const COLUMNS: [(&str, u16); 11] = [
    ("课程类型", 30),
    ("课程代码", 26),
    ("课程名称", 58),
    ("性质", 14),
    ("学分", 13),
    ("总学时", 15),
    ("面授", 13),
    ("线上", 13),
    ("实践", 13),
    ("自学", 13),
    ("考核", 14),
];
/// Of a term's column.
const TERM: u16 = 11;

/// What stands on the sheet.
#[derive(Debug)]
struct Printing {
    school: String,
    plan: Plan,
    objective: Option<String>,
    courses: Vec<PlanCourse>,
    groups: Vec<PlanGroup>,
}

async fn printing(connection: &mut PgConnection, id: i64, school: String) -> Result<Printing> {
    let plan = Plans::find(connection, id, &Scope::whole_school()).await?;
    let objective = sqlx::query_scalar!("select objective from teaching_plan where id = $1", id)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or_else(Error::not_found)?;
    let courses = courses_of(connection, &[id]).await?;
    let groups = groups_of(connection, &[id]).await?;
    Ok(Printing { school, plan, objective, courses, groups })
}

pub struct Prints;

#[OpenApi(prefix_path = "/adult/pc/teachingPlan", tag = "crate::Tag::TeachingPlan")]
impl Prints {
    /// 打印教学计划
    /// 教学计划进程表，A4横向
    #[oai(path = "/print", method = "get", operation_id = "printTeachingPlan")]
    async fn print(
        &self,
        caller: Allowed<PrintPlan>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Printed> {
        let school = caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
        let mut tx = caller.read().await?;
        let printing = printing(&mut tx, id.0, school).await?;
        drop(tx);
        let name = format!("{}.pdf", printing.plan.name);
        let drawn = spawn_blocking(move || sheet(&printing).finish());
        let bytes = drawn.await.map_err(Error::internal)?.map_err(Error::internal)?;
        Ok(Printed { name, bytes })
    }
}

fn sheet(printing: &Printing) -> Paper {
    let Printing { school, plan, objective, courses, groups } = printing;
    let title = format!("{}教学计划进程表", plan.major_name);
    let mut sheet = Paper::landscape(plan.name.clone(), school.clone());
    sheet.heading(&title);
    let about = format!(
        "年级：{}　层次：{}　专业：{}（{}）　学习形式：{}　版本：V{}（{}）　学期数：{}",
        plan.grade_name,
        plan.level_name,
        plan.major_name,
        plan.major_code,
        plan.study_form.zh(),
        plan.version_no,
        plan.status.zh(),
        plan.term_count
    );
    sheet.note(&about);
    if let Some(objective) = objective {
        sheet.note(&format!("培养目标：{objective}"));
    }
    sheet.space(2.0).listing(&head(plan.term_count), rows(plan, courses, groups));
    for group in groups {
        let count = group.min_courses.map(|count| format!("，不少于{count}门")).unwrap_or_default();
        let told = format!(
            "选修组“{}”：{}门课程，共{}学分，至少修读{}学分{count}。",
            group.name,
            group.course_count,
            shown(tenths(group.credits)),
            shown(tenths(group.min_credits))
        );
        sheet.note(&told);
    }
    sheet.space(3.0);
    sheet.line(
        &Line::of("制表：").signature(None).words("审核：").signature(None).words("（盖章）　年　月　日"),
        Side::Right,
    );
    sheet
}

fn head(terms: i32) -> Row {
    let fixed = COLUMNS.iter().map(|(heading, share)| Cell::label(*share, *heading));
    Row::of(fixed.chain((1..=terms).map(|term| Cell::label(TERM, term.to_string())))).small()
}

/// A row each course, the sums of each type and, at the end, of the whole plan.
fn rows(plan: &Plan, courses: &[PlanCourse], groups: &[PlanGroup]) -> Vec<Row> {
    let mut rows = Vec::with_capacity(courses.len() + 8);
    for of_type in courses.chunk_by(|one, next| one.type_id == next.type_id) {
        rows.extend(of_type.iter().map(|course| of_course(plan.term_count, course)));
        if let Some(first) = of_type.first() {
            rows.push(sums(&format!("{}小计", first.type_name), plan.term_count, of_type));
        }
    }
    rows.push(sums("总计", plan.term_count, courses));
    let Measure { compulsory, elective, hours, offline_ratio, .. } = measure(courses, groups);
    let ratio = offline_ratio.map(|ratio| format!("，线下教学{}%", shown(tenths(ratio)))).unwrap_or_default();
    let told = format!(
        "毕业要求：总学分{}，其中必修{}、选修{}；必修课程{}学分，选修组最低{}学分，按要求修读共{}学时{ratio}",
        shown(tenths(plan.total_credits)),
        shown(tenths(plan.min_compulsory_credits)),
        shown(tenths(plan.min_elective_credits)),
        shown(compulsory),
        shown(elective),
        shown(hours.tenths())
    );
    rows.push(Row::of([Cell::value(1, told)]).small());
    rows
}

fn of_course(terms: i32, course: &PlanCourse) -> Row {
    let words = [
        course.type_name.clone(),
        course.course_code.clone(),
        if course.degree_course { format!("{}★", course.course_name) } else { course.course_name.clone() },
        course.nature.zh().to_owned(),
        shown(tenths(course.credits)),
        course.hours.to_string(),
        course.lecture_hours.to_string(),
        course.online_hours.to_string(),
        course.practice_hours.to_string(),
        course.self_study_hours.to_string(),
        course.exam_form.zh().to_owned(),
    ];
    let fixed = COLUMNS.iter().zip(words).map(|((_, share), word)| Cell::value(*share, word));
    let credits = shown(tenths(course.credits));
    let in_terms =
        (1..=terms).map(|term| Cell::value(TERM, if term == course.term_no { credits.clone() } else { String::new() }));
    Row::of(fixed.chain(in_terms)).small()
}

/// What courses come to: credits, hours of each kind, and credits of each term.
fn sums(label: &str, terms: i32, courses: &[PlanCourse]) -> Row {
    let hours =
        |of: fn(&PlanCourse) -> i32| courses.iter().map(|course| i64::from(of(course))).sum::<i64>().to_string();
    let numbers = [
        shown(credits_of(courses.iter())),
        hours(|course| course.hours),
        hours(|course| course.lecture_hours),
        hours(|course| course.online_hours),
        hours(|course| course.practice_hours),
        hours(|course| course.self_study_hours),
        String::new(),
    ];
    let before: u16 = COLUMNS.iter().take(4).map(|(_, share)| share).sum();
    let counted = COLUMNS.iter().skip(4).zip(numbers).map(|((_, share), number)| Cell::label(*share, number));
    let in_terms = (1..=terms).map(|term| {
        let sum = credits_of(courses.iter().filter(|course| course.term_no == term));
        Cell::label(TERM, if sum > 0 { shown(sum) } else { String::new() })
    });
    Row::of([Cell::label(before, label)].into_iter().chain(counted).chain(in_terms)).small()
}

fn credits_of<'c>(courses: impl Iterator<Item = &'c PlanCourse>) -> i64 {
    courses.map(|course| tenths(course.credits)).sum()
}
