//! What the rows of an import refer to, read once.

use std::collections::{HashMap, HashSet};

use courses::course::{AssessMode, ExamForm};
use infra::{Result, naming::Codes};
use sqlx::PgConnection;

use super::form::MOST_TERMS;
use crate::{course::Base, credit::tenths, enums::PlanStatus};

/// A major of the school, and what its plans begin with.
#[derive(Debug, Clone)]
pub(super) struct OfMajor {
    pub id: i64,
    pub name: String,
    pub enabled: bool,
}

/// The version of a grade and major that is worked on.
#[derive(Debug, Clone)]
pub(super) struct Open {
    pub id: i64,
    pub version: i32,
    pub version_no: i32,
    pub status: PlanStatus,
    pub term_count: i32,
    /// What it has already.
    pub courses: HashSet<i64>,
    /// The least credits of its groups, in tenths.
    pub groups: HashMap<String, i64>,
}

/// The school's majors by code, and the terms of each.
pub(super) async fn majors(connection: &mut PgConnection) -> Result<(Codes<OfMajor>, HashMap<i64, i32>)> {
    let rows = sqlx::query!(
        r#"select m.id, m.code, m.name, m.enabled, (l.schooling_years * 2)::integer as "term_count!"
           from major m join level l on l.id = m.level_id"#
    )
    .fetch_all(connection)
    .await?;
    let terms = rows.iter().map(|row| (row.id, row.term_count.clamp(1, MOST_TERMS))).collect();
    let major = |id, name, enabled| OfMajor { id, name, enabled };
    Ok((rows.into_iter().map(|row| (row.code, major(row.id, row.name, row.enabled))).collect(), terms))
}

/// Hours a credit that a major's level allows.
pub(super) async fn limits(connection: &mut PgConnection) -> Result<HashMap<i64, (i32, i32)>> {
    let rows = sqlx::query!(
        "select m.id, l.hours_per_credit_min, l.hours_per_credit_max from major m join level l on l.id = m.level_id"
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, (row.hours_per_credit_min, row.hours_per_credit_max))).collect())
}

pub(super) async fn library(connection: &mut PgConnection) -> Result<Codes<Base>> {
    let rows = sqlx::query!(
        r#"select code, id, name, enabled, type_id, credits::float8 as "credits!", lecture_hours, online_hours, practice_hours,
                  self_study_hours, exam_form as "exam_form: ExamForm", assess_mode as "assess_mode: AssessMode", degree_course
           from course"#
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let base = Base {
                course_id: row.id,
                name: row.name,
                enabled: row.enabled,
                type_id: row.type_id,
                credits: row.credits,
                lecture_hours: row.lecture_hours,
                online_hours: row.online_hours,
                practice_hours: row.practice_hours,
                self_study_hours: row.self_study_hours,
                exam_form: row.exam_form,
                assess_mode: row.assess_mode,
                degree_course: row.degree_course,
                sort_no: 0,
                remark: None,
            };
            (row.code, base)
        })
        .collect())
}

/// The versions that are worked on, with what they have.
pub(super) async fn open(connection: &mut PgConnection) -> Result<HashMap<(i64, i64), Open>> {
    let rows = sqlx::query!(
        r#"select p.id, p.grade_id, p.major_id, p.version, p.version_no, p.status as "status: PlanStatus", p.term_count,
                  array(select c.course_id from plan_course c where c.plan_id = p.id) as "courses!"
           from teaching_plan p where p.status in ('draft', 'submitted', 'rejected')"#
    )
    .fetch_all(&mut *connection)
    .await?;
    let groups = sqlx::query!(
        r#"select g.plan_id, g.name, g.min_credits::float8 as "min_credits!"
           from plan_elective_group g join teaching_plan p on p.id = g.plan_id
           where p.status in ('draft', 'submitted', 'rejected')"#
    )
    .fetch_all(connection)
    .await?;
    let mut by_plan: HashMap<i64, HashMap<String, i64>> = HashMap::new();
    for row in groups {
        by_plan.entry(row.plan_id).or_default().insert(row.name, tenths(row.min_credits));
    }
    Ok(rows
        .into_iter()
        .map(|row| {
            let open = Open {
                id: row.id,
                version: row.version,
                version_no: row.version_no,
                status: row.status,
                term_count: row.term_count,
                courses: row.courses.into_iter().collect(),
                groups: by_plan.remove(&row.id).unwrap_or_default(),
            };
            ((row.grade_id, row.major_id), open)
        })
        .collect())
}
