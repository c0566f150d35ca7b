//! 校验: a plan as it stands is checked by the rules of its level (part 03 B1).

use infra::{Allowed, Reply, Result, reply};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;
use teaching_plan_rules::{
    check::{Opened, PlanCheck, Required, Wanted, doubts, problems},
    measure::measure,
};
use term::NationalLevel;

use super::{CheckPlan, Held, POLICY_STRICT, form::MOST_TERMS, known};
use crate::{
    course::{
        PlanCourse,
        select::{courses_of, groups_of},
    },
    credit::{points, tenths},
};

/// Checks a plan as it stands.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn checked(connection: &mut PgConnection, plan: &Held) -> Result<PlanCheck> {
    let courses = courses_of(connection, &[plan.id]).await?;
    let groups = groups_of(connection, &[plan.id]).await?;
    let wanted = wanted(connection, plan).await?;
    let required = prerequisites(connection, &courses).await?;
    let opened = opened(connection, plan).await?;
    let strict = POLICY_STRICT.is_on(connection).await?;
    let mut errors = problems(&wanted, &courses, &groups, &required, &opened);
    let mut warnings = doubts(&wanted, &courses, &groups);
    if strict {
        errors.append(&mut warnings);
    }
    let counted = measure(&courses, &groups);
    Ok(PlanCheck {
        errors,
        warnings,
        strict,
        course_count: i64::try_from(courses.len()).unwrap_or(i64::MAX),
        compulsory_credits: points(counted.compulsory),
        elective_credits: points(counted.elective),
        total_credits: points(counted.compulsory + counted.elective),
        total_hours: counted.hours.rounded(),
        offline_hours: counted.offline.rounded(),
        offline_ratio: counted.offline_ratio,
        hours_per_credit: counted.hours_per_credit,
    })
}

async fn wanted(connection: &mut PgConnection, plan: &Held) -> Result<Wanted> {
    let row = sqlx::query!(
        r#"select p.min_compulsory_credits::float8 as "compulsory!", p.min_elective_credits::float8 as "elective!", p.term_count,
                  (l.schooling_years * 2)::integer as "level_terms!", l.name as level_name, l.national_level as "national_level: NationalLevel", l.min_hours,
                  l.hours_per_credit_min, l.hours_per_credit_max, l.min_offline_ratio
           from teaching_plan p join level l on l.id = p.level_id where p.id = $1"#,
        plan.id
    )
    .fetch_one(connection)
    .await?;
    Ok(Wanted {
        compulsory: tenths(row.compulsory),
        elective: tenths(row.elective),
        term_count: row.term_count,
        level_terms: row.level_terms.clamp(1, MOST_TERMS),
        level_name: row.level_name,
        national_level: row.national_level,
        min_hours: row.min_hours,
        hours_per_credit: (row.hours_per_credit_min, row.hours_per_credit_max),
        min_offline_ratio: row.min_offline_ratio,
    })
}

async fn prerequisites(connection: &mut PgConnection, courses: &[PlanCourse]) -> Result<Vec<Required>> {
    let ids: Vec<i64> = courses.iter().map(|course| course.course_id).collect();
    Ok(sqlx::query_as!(
        Required,
        "select course_id as course, prerequisite_id as earlier from course_prerequisite
         where course_id = any($1) and prerequisite_id = any($1) order by 1, 2",
        &ids
    )
    .fetch_all(connection)
    .await?)
}

/// Courses of the grade and major that were opened by their plan, with the semester that people know.
async fn opened(connection: &mut PgConnection, plan: &Held) -> Result<Vec<Opened>> {
    Ok(sqlx::query_as!(
        Opened,
        r#"select o.course_id as course, c.name as course_name, o.term_no as "term_no!", s.name as semester
           from course_opening o
           join course c on c.id = o.course_id
           join semester s on s.id = o.semester_id
           where o.grade_id = $1 and o.major_id = $2 and o.kind = 'plan' and o.status in ('opened', 'closed')
           order by s.code, c.code"#,
        plan.grade_id,
        plan.major_id
    )
    .fetch_all(connection)
    .await?)
}

pub struct Checks;

#[OpenApi(prefix_path = "/adult/pc/teachingPlan", tag = "crate::Tag::TeachingPlan")]
impl Checks {
    /// 校验教学计划
    #[oai(path = "/check", method = "get", operation_id = "checkTeachingPlan")]
    async fn check(
        &self,
        caller: Allowed<CheckPlan>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<PlanCheck>> {
        let mut tx = caller.read().await?;
        let plan = known(&mut tx, id.0).await?;
        Ok(reply(checked(&mut tx, &plan).await?))
    }
}
