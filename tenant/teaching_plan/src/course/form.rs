//! What of a course of a plan is taken from the library, and how it is written.

use courses::course::AssessMode;
use infra::{Change, Error, OnConstraint, Result, Tx, naming::switched_off};
use poem_openapi::{Object, types::Example};
use teaching_plan_rules::form::{Base, PlanCourseForm, Settled};

use super::{
    MOST_COURSES, PlanCourse,
    select::{course, courses_of},
};
use crate::plan::Held;

/// A course of the library that comes into a plan.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanCourseItem {
    /// 课程
    pub course_id: i64,
    #[oai(flatten)]
    pub form: PlanCourseForm,
}

impl PlanCourseItem {
    pub(super) fn example() -> Self {
        Self { course_id: 1, form: PlanCourseForm::example() }
    }
}

/// # Errors
/// 422 at `termNo` beyond the plan's terms.
pub(super) fn in_terms(plan: &Held, term: i32) -> Result<()> {
    if (1..=plan.term_count).contains(&term) {
        return Ok(());
    }
    Err(Error::field("termNo", format!("开课学期应在1到{}之间", plan.term_count)))
}

/// Hours a credit that the plan's level allows.
async fn limits(tx: &mut Tx, plan: &Held) -> Result<(i32, i32)> {
    let row = sqlx::query!("select hours_per_credit_min, hours_per_credit_max from level where id = $1", plan.level_id)
        .fetch_one(&mut **tx)
        .await?;
    Ok((row.hours_per_credit_min, row.hours_per_credit_max))
}

/// # Errors
/// 422 at `typeId` or `electiveGroupId` for what is not there, has types below it, or is of another plan.
async fn check_references(
    tx: &mut Tx,
    plan: &Held,
    (settled, form): (&Settled, &PlanCourseForm),
    before: Option<&PlanCourse>,
) -> Result<()> {
    if before.is_none_or(|before| before.type_id != settled.type_id) {
        let of_type = sqlx::query!(
            r#"select name, enabled, exists (select from curriculum_type below where below.parent_id = t.id) as "parent!"
               from curriculum_type t where id = $1"#,
            settled.type_id
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("typeId", "所选课程类型不存在，请重新选择"))?;
        if of_type.parent {
            return Err(Error::field("typeId", format!("“{}”下有下级类型，请选择下级类型", of_type.name)));
        }
        // What the library's course has is its own affair.
        if !of_type.enabled && form.type_id.is_some() {
            return Err(switched_off("typeId", &of_type.name));
        }
    }
    if let Some(group) = settled.elective_group_id {
        sqlx::query_scalar!("select id from plan_elective_group where id = $1 and plan_id = $2", group, plan.id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| Error::field("electiveGroupId", "所选选修组不属于本计划，请重新选择"))?;
    }
    in_terms(plan, settled.term_no)
}

/// The library's course as the base of one of a plan.
///
/// # Errors
/// 422 at `courseId` for what is not there or was switched off.
async fn base(tx: &mut Tx, id: i64) -> Result<Base> {
    let base = sqlx::query_as!(
        Base,
        r#"select id as course_id, name, enabled, type_id, credits::float8 as "credits!", lecture_hours, online_hours,
                  practice_hours, self_study_hours, exam_form as "exam_form: _", assess_mode as "assess_mode: _", degree_course,
                  0 as "sort_no!", null::text as "remark?"
           from course where id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("courseId", "所选课程不存在，请重新选择"))?;
    if base.enabled { Ok(base) } else { Err(switched_off("courseId", &base.name)) }
}

/// Writes one course; its place is the last of the plan unless it is said.
async fn insert_row(tx: &mut Tx, plan: i64, course: i64, name: &str, settled: &Settled) -> Result<i64> {
    let by = tx.by();
    sqlx::query_scalar!(
        "insert into plan_course (plan_id, course_id, type_id, nature, elective_group_id, term_no, credits, hours, lecture_hours,
             online_hours, practice_hours, self_study_hours, exam_form, assess_mode, degree_course, sort_no, remark, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7::float8::numeric, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)
         returning id",
        plan,
        course,
        settled.type_id,
        settled.nature.as_str(),
        settled.elective_group_id,
        settled.term_no,
        settled.credits,
        settled.hours,
        settled.lecture_hours,
        settled.online_hours,
        settled.practice_hours,
        settled.self_study_hours,
        settled.exam_form.as_str(),
        settled.assess_mode.map(AssessMode::as_str),
        settled.degree_course,
        settled.sort_no,
        settled.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "plan_course_taken").then(|| Error::field("courseId", format!("课程“{name}”已在计划中")))
    })
}

/// Puts courses of the library into a draft, which the caller holds; all or none.
///
/// # Errors
/// 422 at the field of the first that cannot come in.
pub(super) async fn insert(
    tx: &mut Tx,
    plan: &Held,
    items: &[super::PlanCourseItem],
) -> Result<(Vec<i64>, Vec<Change>, Vec<String>)> {
    let stored = courses_of(tx, &[plan.id]).await?;
    let count = i64::try_from(stored.len() + items.len()).unwrap_or(i64::MAX);
    if count > MOST_COURSES {
        return Err(Error::field("items", format!("一个教学计划最多{MOST_COURSES}门课程")));
    }
    let limits = limits(tx, plan).await?;
    let (mut ids, mut warnings) = (Vec::with_capacity(items.len()), Vec::new());
    for item in items {
        let base = base(tx, item.course_id).await?;
        let settled = Settled::of(&item.form, &base)?;
        check_references(tx, plan, (&settled, &item.form), None).await?;
        ids.push(insert_row(tx, plan.id, item.course_id, &base.name, &settled).await?);
        warnings.extend(settled.doubt(&base.name, limits));
    }
    let written = courses_of(tx, &[plan.id]).await?;
    let changes = written
        .iter()
        .filter(|course| ids.contains(&course.id))
        .map(|course| Change::created("plan_course", course.id, course))
        .collect();
    Ok((ids, changes, warnings))
}

/// Writes a course of a draft again, which the caller holds.
///
/// # Errors
/// 422 at the field.
pub(super) async fn update(
    tx: &mut Tx,
    plan: &Held,
    before: &PlanCourse,
    form: &PlanCourseForm,
) -> Result<(Change, Vec<String>)> {
    let mut settled = Settled::of(form, &Base::of(before))?;
    // An edit replaces: what may be empty is empty when it is left out.
    settled.assess_mode = form.assess_mode;
    check_references(tx, plan, (&settled, form), Some(before)).await?;
    let by = tx.by();
    sqlx::query!(
        "update plan_course set type_id = $2, nature = $3, elective_group_id = $4, term_no = $5, credits = $6::float8::numeric,
                hours = $7, lecture_hours = $8, online_hours = $9, practice_hours = $10, self_study_hours = $11, exam_form = $12,
                assess_mode = $13, degree_course = $14, sort_no = $15, remark = $16, updated_at = now(), updated_by = $17,
                version = version + 1
         where id = $1",
        before.id,
        settled.type_id,
        settled.nature.as_str(),
        settled.elective_group_id,
        settled.term_no,
        settled.credits,
        settled.hours,
        settled.lecture_hours,
        settled.online_hours,
        settled.practice_hours,
        settled.self_study_hours,
        settled.exam_form.as_str(),
        settled.assess_mode.map(AssessMode::as_str),
        settled.degree_course,
        settled.sort_no,
        settled.remark,
        by
    )
    .execute(&mut **tx)
    .await?;
    let after = course(tx, plan.id, before.id).await?.ok_or_else(Error::not_found)?;
    let limits = limits(tx, plan).await?;
    let warnings = settled.doubt(&before.course_name, limits).into_iter().collect();
    Ok((Change::edited("plan_course", before.id, before, &after), warnings))
}
