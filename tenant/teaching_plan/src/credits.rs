//! Credits and hours of courses as the page of credits changes them across plans (part 03 B2 `courseCredit`): of a draft in place, of
//! a plan in effect as its next version. The rows are this module's; whoever calls has checked the code.

use infra::{Change, Error, Result, Tx};
use serde_json::json;

use crate::{
    course::{Base, PlanCourse, PlanCourseForm, Settled, select::courses_of},
    enums::PlanStatus,
    plan::{
        Held,
        check::checked,
        copy::revised,
        form::touch,
        held, held_with_family, hold_families,
        steps::{submitted, take_effect},
    },
};

/// What is wanted of one course of a plan; what is none stays.
#[derive(Debug, Clone, Default)]
pub struct CreditChange {
    pub plan_course_id: i64,
    /// Of the course of the plan, as it was read.
    pub version: i32,
    pub credits: Option<f64>,
    pub lecture_hours: Option<i32>,
    pub online_hours: Option<i32>,
    pub practice_hours: Option<i32>,
    pub self_study_hours: Option<i32>,
}

/// What became of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct CreditsChanged {
    /// The plan that has the credits now: itself, or its next version.
    pub plan_id: i64,
    /// Whether a next version was made.
    pub revised: bool,
    /// Of it: draft, submitted, or in effect.
    pub status: PlanStatus,
    /// What is worth a second look.
    pub warnings: Vec<String>,
    pub changes: Vec<Change>,
}

/// Holds these plans with their other versions, before [`change`] goes over them one by one.
///
/// # Errors
/// 409 when somebody else holds one for too long.
pub async fn hold(tx: &mut Tx, plans: &[i64]) -> Result<()> {
    let of = sqlx::query!("select distinct grade_id, major_id from teaching_plan where id = any($1)", plans)
        .fetch_all(&mut **tx)
        .await?;
    let of: Vec<(i64, i64)> = of.into_iter().map(|row| (row.grade_id, row.major_id)).collect();
    hold_families(tx, &of).await
}

/// Writes credits and hours of courses of one plan. A plan in effect gets a next version, which is in effect at once when
/// `audits`, else waits for its audit; where the credits do not come to what its head asks for, it stays a draft and says so.
///
/// # Errors
/// 404 for a course that is not there or of another plan; 409 when a course changed since it was read, is opened, or the plan is
/// neither a draft nor in effect, or has a version that is worked on; 422 at `credits` or `hours`, and with the sentence of a
/// check that a next version fails by more than its sums.
pub async fn change(tx: &mut Tx, plan: i64, wanted: &[CreditChange], audits: bool) -> Result<CreditsChanged> {
    let (own, family) = held_with_family(tx, plan).await?;
    if own.is_draft() {
        let (changes, warnings) = write(tx, &own, wanted).await?;
        touch(tx, own.id).await?;
        return Ok(CreditsChanged { plan_id: own.id, revised: false, status: own.status, warnings, changes });
    }
    if own.status != PlanStatus::Effective {
        return Err(Error::conflict(format!("教学计划“{}”为{}，不能修改学分", own.name, own.status.zh())));
    }
    refuse_opened(tx, &own, wanted).await?;
    let (next, created) = revised(tx, &own, &family).await?;
    let next = held(tx, next).await?;
    let same = same_courses(tx, &own, &next, wanted).await?;
    let (written, warnings) = write(tx, &next, &same).await?;
    touch(tx, next.id).await?;
    let mut changes = vec![created];
    changes.extend(written);
    let check = checked(tx, &next).await?;
    if let Some(sums) = check.only_sums() {
        // Another course, or the head of the version, makes up for it: the version waits as a draft until somebody did that.
        let mut told = vec![format!("“{}”已修订为草稿V{}，请完善后提交", next.name, next.version_no)];
        told.extend(sums);
        told.extend(warnings);
        return Ok(CreditsChanged { plan_id: next.id, revised: true, status: next.status, warnings: told, changes });
    }
    if let Some(told) = check.refusal() {
        return Err(Error::refused(told));
    }
    let status = if audits { PlanStatus::Effective } else { PlanStatus::Submitted };
    changes.push(submitted(tx, &next, PlanStatus::Submitted).await?);
    if audits {
        let next = held(tx, next.id).await?;
        changes.extend(take_effect(tx, &next, &family, Some("学分调整")).await?);
    }
    Ok(CreditsChanged { plan_id: next.id, revised: true, status, warnings, changes })
}

/// # Errors
/// 409 when one of the courses is opened for the plan's grade and major.
async fn refuse_opened(tx: &mut Tx, plan: &Held, wanted: &[CreditChange]) -> Result<()> {
    let ids: Vec<i64> = wanted.iter().map(|change| change.plan_course_id).collect();
    let opened = sqlx::query!(
        "select c.name as course, s.name as semester
         from plan_course p
         join course_opening o on o.course_id = p.course_id and o.grade_id = $1 and o.major_id = $2
              and o.kind = 'plan' and o.status in ('opened', 'closed')
         join course c on c.id = p.course_id
         join semester s on s.id = o.semester_id
         where p.id = any($3) order by s.code, c.code limit 1",
        plan.grade_id,
        plan.major_id,
        &ids
    )
    .fetch_optional(&mut **tx)
    .await?;
    match opened {
        None => Ok(()),
        Some(row) => Err(Error::conflict(format!("课程“{}”已在{}开课，不能修改学分学时", row.course, row.semester))),
    }
}

/// The same wishes for the courses of the next version, which are new rows.
///
/// # Errors
/// 404 for a course of another plan; 409 for one that changed since it was read.
async fn same_courses(tx: &mut Tx, own: &Held, next: &Held, wanted: &[CreditChange]) -> Result<Vec<CreditChange>> {
    let (before, after) = (courses_of(tx, &[own.id]).await?, courses_of(tx, &[next.id]).await?);
    let mut same = Vec::with_capacity(wanted.len());
    for change in wanted {
        let course = known(tx, &before, change).await?;
        let there = after.iter().find(|other| other.course_id == course.course_id).ok_or_else(Error::not_found)?;
        same.push(CreditChange { plan_course_id: there.id, version: there.version, ..change.clone() });
    }
    Ok(same)
}

/// The course that is meant, as it was read.
async fn known<'c>(tx: &mut Tx, courses: &'c [PlanCourse], change: &CreditChange) -> Result<&'c PlanCourse> {
    let course = courses.iter().find(|course| course.id == change.plan_course_id).ok_or_else(Error::not_found)?;
    if course.version == change.version { Ok(course) } else { Err(tx.stale("plan_course", course.id).await) }
}

async fn write(tx: &mut Tx, plan: &Held, wanted: &[CreditChange]) -> Result<(Vec<Change>, Vec<String>)> {
    let courses = courses_of(tx, &[plan.id]).await?;
    let limits =
        sqlx::query!("select hours_per_credit_min, hours_per_credit_max from level where id = $1", plan.level_id)
            .fetch_one(&mut **tx)
            .await?;
    let limits = (limits.hours_per_credit_min, limits.hours_per_credit_max);
    let (mut changes, mut warnings) = (Vec::with_capacity(wanted.len()), Vec::new());
    let by = tx.by();
    for change in wanted {
        let before = known(tx, &courses, change).await?;
        let settled = Settled::of(&form(before, change), &Base::of(before))?;
        sqlx::query!(
            "update plan_course set credits = $2::float8::numeric, hours = $3, lecture_hours = $4, online_hours = $5,
                    practice_hours = $6, self_study_hours = $7, updated_at = now(), updated_by = $8, version = version + 1
             where id = $1",
            before.id,
            settled.credits,
            settled.hours,
            settled.lecture_hours,
            settled.online_hours,
            settled.practice_hours,
            settled.self_study_hours,
            by
        )
        .execute(&mut **tx)
        .await?;
        warnings.extend(settled.doubt(&before.course_name, limits));
        let told = |course: &PlanCourse| {
            json!({
                "credits": course.credits, "hours": course.hours, "lectureHours": course.lecture_hours,
                "onlineHours": course.online_hours, "practiceHours": course.practice_hours,
                "selfStudyHours": course.self_study_hours,
            })
        };
        let after = PlanCourse {
            credits: settled.credits,
            hours: settled.hours,
            lecture_hours: settled.lecture_hours,
            online_hours: settled.online_hours,
            practice_hours: settled.practice_hours,
            self_study_hours: settled.self_study_hours,
            ..before.clone()
        };
        changes.push(Change::edited("plan_course", before.id, &told(before), &told(&after)));
    }
    Ok((changes, warnings))
}

fn form(course: &PlanCourse, change: &CreditChange) -> PlanCourseForm {
    PlanCourseForm {
        type_id: None,
        nature: course.nature,
        elective_group_id: course.elective_group_id,
        term_no: course.term_no,
        credits: change.credits,
        hours: None,
        lecture_hours: change.lecture_hours,
        online_hours: change.online_hours,
        practice_hours: change.practice_hours,
        self_study_hours: change.self_study_hours,
        exam_form: None,
        assess_mode: None,
        degree_course: None,
        sort_no: None,
        remark: None,
    }
}
