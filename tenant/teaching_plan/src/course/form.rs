//! What a registrar types of a course of a plan, what is taken from the library, and how it is written.

use courses::course::{AssessMode, ExamForm};
use infra::{Change, Error, OnConstraint, Result, Tx, naming::switched_off};
use poem_openapi::{Object, types::Example};

use super::{
    MOST_COURSES, PlanCourse,
    select::{course, courses_of},
};
use crate::{
    credit::{is_half, shown, tenths},
    enums::CourseNature,
    plan::Held,
};

/// What a registrar types. What is left out stays as it is: as the library has it, or as it stands in the plan.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PlanCourseForm {
    /// 课程类型
    pub type_id: Option<i64>,
    /// 课程性质
    pub nature: CourseNature,
    /// 选修组
    /// 限选、任选课程必填
    pub elective_group_id: Option<i64>,
    /// 开课学期
    #[oai(validator(minimum(value = "1"), maximum(value = "12")))]
    pub term_no: i32,
    /// 学分
    /// 0.5至30，0.5的倍数
    #[oai(validator(minimum(value = "0.5"), maximum(value = "30"), multiple_of = 0.5))]
    pub credits: Option<f64>,
    /// 总学时
    #[oai(validator(minimum(value = "0"), maximum(value = "9999")))]
    pub hours: Option<i32>,
    /// 面授学时
    #[oai(validator(minimum(value = "0"), maximum(value = "2000")))]
    pub lecture_hours: Option<i32>,
    /// 线上学时
    #[oai(validator(minimum(value = "0"), maximum(value = "2000")))]
    pub online_hours: Option<i32>,
    /// 实践学时
    #[oai(validator(minimum(value = "0"), maximum(value = "2000")))]
    pub practice_hours: Option<i32>,
    /// 自学学时
    #[oai(validator(minimum(value = "0"), maximum(value = "2000")))]
    pub self_study_hours: Option<i32>,
    /// 考核类型
    pub exam_form: Option<ExamForm>,
    /// 考核方式
    pub assess_mode: Option<AssessMode>,
    /// 学位课程
    pub degree_course: Option<bool>,
    /// 排序
    #[oai(validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort_no: Option<i32>,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
}

impl Example for PlanCourseForm {
    fn example() -> Self {
        Self {
            type_id: None,
            nature: CourseNature::Compulsory,
            elective_group_id: None,
            term_no: 1,
            credits: Some(4.0),
            hours: None,
            lecture_hours: Some(24),
            online_hours: Some(40),
            practice_hours: Some(0),
            self_study_hours: Some(8),
            exam_form: None,
            assess_mode: None,
            degree_course: None,
            sort_no: None,
            remark: None,
        }
    }
}

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

/// What stands where nothing is typed: the library's course, or the plan's own.
#[derive(Debug, Clone)]
pub(crate) struct Base {
    pub course_id: i64,
    pub name: String,
    pub enabled: bool,
    pub type_id: i64,
    pub credits: f64,
    pub lecture_hours: i32,
    pub online_hours: i32,
    pub practice_hours: i32,
    pub self_study_hours: i32,
    pub exam_form: ExamForm,
    pub assess_mode: Option<AssessMode>,
    pub degree_course: bool,
    pub sort_no: i32,
    pub remark: Option<String>,
}

impl Base {
    pub(crate) fn of(course: &PlanCourse) -> Self {
        Self {
            course_id: course.course_id,
            name: course.course_name.clone(),
            // It stands in the plan already; a check tells that it was switched off.
            enabled: true,
            type_id: course.type_id,
            credits: course.credits,
            lecture_hours: course.lecture_hours,
            online_hours: course.online_hours,
            practice_hours: course.practice_hours,
            self_study_hours: course.self_study_hours,
            exam_form: course.exam_form,
            assess_mode: course.assess_mode,
            degree_course: course.degree_course,
            sort_no: course.sort_no,
            remark: None,
        }
    }
}

/// A course with all that is written of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settled {
    pub type_id: i64,
    pub nature: CourseNature,
    pub elective_group_id: Option<i64>,
    pub term_no: i32,
    pub credits: f64,
    pub hours: i32,
    pub lecture_hours: i32,
    pub online_hours: i32,
    pub practice_hours: i32,
    pub self_study_hours: i32,
    pub exam_form: ExamForm,
    pub assess_mode: Option<AssessMode>,
    pub degree_course: bool,
    pub sort_no: i32,
    pub remark: Option<String>,
}

impl Settled {
    /// Lays what was typed over what stands.
    ///
    /// # Errors
    /// 422 at `electiveGroupId` where nature and group do not belong together, at `credits` for no halves, at `hours` where
    /// another sum was sent.
    pub(crate) fn of(form: &PlanCourseForm, base: &Base) -> Result<Self> {
        match (form.nature, form.elective_group_id) {
            (CourseNature::Compulsory, Some(_)) => {
                return Err(Error::field("electiveGroupId", "必修课程不属于选修组"));
            }
            (CourseNature::LimitedElective | CourseNature::Elective, None) => {
                return Err(Error::field("electiveGroupId", format!("{}课程请选择选修组", form.nature.zh())));
            }
            (CourseNature::Compulsory, None) | (CourseNature::LimitedElective | CourseNature::Elective, Some(_)) => {}
        }
        let credits = form.credits.unwrap_or(base.credits);
        if !is_half(credits, 5, 300) {
            return Err(Error::field("credits", "学分应在0.5到30之间，为0.5的倍数"));
        }
        let lecture_hours = form.lecture_hours.unwrap_or(base.lecture_hours);
        let online_hours = form.online_hours.unwrap_or(base.online_hours);
        let practice_hours = form.practice_hours.unwrap_or(base.practice_hours);
        let self_study_hours = form.self_study_hours.unwrap_or(base.self_study_hours);
        let sum = lecture_hours + online_hours + practice_hours + self_study_hours;
        if form.hours.is_some_and(|sent| sent != sum) {
            return Err(Error::field("hours", format!("总学时应等于各学时之和{sum}")));
        }
        Ok(Self {
            type_id: form.type_id.unwrap_or(base.type_id),
            nature: form.nature,
            elective_group_id: form.elective_group_id,
            term_no: form.term_no,
            credits,
            hours: sum,
            lecture_hours,
            online_hours,
            practice_hours,
            self_study_hours,
            exam_form: form.exam_form.unwrap_or(base.exam_form),
            assess_mode: form.assess_mode.or(base.assess_mode),
            degree_course: form.degree_course.unwrap_or(base.degree_course),
            sort_no: form.sort_no.unwrap_or(base.sort_no),
            remark: form.remark.clone().or_else(|| base.remark.clone()),
        })
    }

    /// What is worth a second look: hours a credit outside what the level allows (A5).
    pub(crate) fn doubt(&self, name: &str, (least, most): (i32, i32)) -> Option<String> {
        let (hours, credits) = (i64::from(self.hours), tenths(self.credits));
        let density = shown((200 * hours + credits).div_euclid(2 * credits));
        if 10 * hours < i64::from(least) * credits {
            Some(format!("课程“{name}”每学分{density}学时，低于下限{least}"))
        } else if 10 * hours > i64::from(most) * credits {
            Some(format!("课程“{name}”每学分{density}学时，高于上限{most}"))
        } else {
            None
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Base {
        Base {
            course_id: 1,
            name: "大学英语".to_owned(),
            enabled: true,
            type_id: 3,
            credits: 4.0,
            lecture_hours: 24,
            online_hours: 40,
            practice_hours: 0,
            self_study_hours: 8,
            exam_form: ExamForm::Exam,
            assess_mode: Some(AssessMode::ClosedBook),
            degree_course: false,
            sort_no: 0,
            remark: None,
        }
    }

    fn form() -> PlanCourseForm {
        PlanCourseForm {
            credits: None,
            lecture_hours: None,
            online_hours: None,
            practice_hours: None,
            self_study_hours: None,
            ..PlanCourseForm::example()
        }
    }

    #[test]
    fn what_is_not_typed_is_the_librarys() {
        let settled = Settled::of(&form(), &base()).expect("a course");
        assert_eq!((settled.type_id, settled.credits, settled.hours), (3, 4.0, 72));
        assert_eq!((settled.exam_form, settled.assess_mode), (ExamForm::Exam, Some(AssessMode::ClosedBook)));
        assert_eq!(settled.doubt("大学英语", (16, 18)), None);
        let more = Settled::of(&PlanCourseForm { lecture_hours: Some(25), ..form() }, &base()).expect("a course");
        assert_eq!(more.doubt("大学英语", (16, 18)), Some("课程“大学英语”每学分18.3学时，高于上限18".to_owned()));
    }

    #[test]
    fn natures_hours_and_credits_are_held_to_their_rules() {
        let refused = |form: PlanCourseForm| Settled::of(&form, &base()).expect_err("a refusal");
        assert_eq!(
            refused(PlanCourseForm { hours: Some(64), ..form() }),
            Error::field("hours", "总学时应等于各学时之和72")
        );
        assert_eq!(
            refused(PlanCourseForm { nature: CourseNature::Elective, ..form() }),
            Error::field("electiveGroupId", "任选课程请选择选修组")
        );
        assert_eq!(
            refused(PlanCourseForm { elective_group_id: Some(7), ..form() }),
            Error::field("electiveGroupId", "必修课程不属于选修组")
        );
        assert_eq!(
            refused(PlanCourseForm { credits: Some(4.3), ..form() }),
            Error::field("credits", "学分应在0.5到30之间，为0.5的倍数")
        );
    }
}
