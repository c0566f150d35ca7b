//! What a registrar types of a course of a plan, laid over what stands (part 03 B1).

use courses::course::{AssessMode, ExamForm};
use infra::{Error, Result};
use poem_openapi::{Object, types::Example};

use crate::{
    course::PlanCourse,
    credit::{is_half, shown, tenths},
    enums::CourseNature,
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

/// What stands where nothing is typed: the library's course, or the plan's own.
#[derive(Debug, Clone)]
pub struct Base {
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
    /// A course as it stands in its plan.
    pub fn of(course: &PlanCourse) -> Self {
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
pub struct Settled {
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
    pub fn of(form: &PlanCourseForm, base: &Base) -> Result<Self> {
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
    pub fn doubt(&self, name: &str, (least, most): (i32, i32)) -> Option<String> {
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
