//! How courses and elective groups of plans are read.

use infra::Result;
use sqlx::PgConnection;
use teaching_plan_rules::course::{PlanCourse, PlanGroup};

/// The courses of some plans, each plan's by type, then in their places.
///
/// # Errors
/// Those of the database.
pub async fn courses_of(connection: &mut PgConnection, plans: &[i64]) -> sqlx::Result<Vec<PlanCourse>> {
    sqlx::query_as!(
        PlanCourse,
        r#"select p.id, p.plan_id, p.course_id, c.code as course_code, c.name as course_name, c.kind as "course_kind: _",
                  c.enabled as course_enabled, p.type_id, t.name as type_name, p.nature as "nature: _", p.elective_group_id,
                  g.name as "elective_group_name?", p.term_no, p.credits::float8 as "credits!", p.hours, p.lecture_hours,
                  p.online_hours, p.practice_hours, p.self_study_hours, p.exam_form as "exam_form: _",
                  p.assess_mode as "assess_mode: _", p.degree_course, p.sort_no, p.remark, p.version
           from plan_course p
           join course c on c.id = p.course_id
           join curriculum_type t on t.id = p.type_id
           left join plan_elective_group g on g.id = p.elective_group_id
           where p.plan_id = any($1)
           order by p.plan_id, t.sort_no, t.code, p.term_no, p.sort_no, c.code"#,
        plans
    )
    .fetch_all(connection)
    .await
}

/// The elective groups of some plans, in their places.
///
/// # Errors
/// Those of the database.
pub async fn groups_of(connection: &mut PgConnection, plans: &[i64]) -> sqlx::Result<Vec<PlanGroup>> {
    sqlx::query_as!(
        PlanGroup,
        r#"select g.id, g.plan_id, g.name, g.min_credits::float8 as "min_credits!", g.min_courses, g.sort_no,
                  n.courses as "course_count!", n.credits::float8 as "credits!", g.version
           from plan_elective_group g
           cross join lateral (
               select count(*) as courses, coalesce(sum(p.credits), 0) as credits
               from plan_course p where p.elective_group_id = g.id) n
           where g.plan_id = any($1)
           order by g.plan_id, g.sort_no, g.id"#,
        plans
    )
    .fetch_all(connection)
    .await
}

/// One course of a plan; none when it is gone.
///
/// # Errors
/// Those of the database.
pub(super) async fn course(connection: &mut PgConnection, plan: i64, id: i64) -> Result<Option<PlanCourse>> {
    Ok(courses_of(connection, &[plan]).await?.into_iter().find(|course| course.id == id))
}

/// One elective group of a plan; none when it is gone.
///
/// # Errors
/// Those of the database.
pub(super) async fn group(connection: &mut PgConnection, plan: i64, id: i64) -> Result<Option<PlanGroup>> {
    Ok(groups_of(connection, &[plan]).await?.into_iter().find(|group| group.id == id))
}
