//! What is typed of a course, what it must fulfil by itself, and what is only worth a second look (part 03 A5).

use infra::{Error, Result};
use poem_openapi::{Object, types::Example};

use crate::enums::{AssessMode, CourseKind, CourseSource, CurriculumSystemKind, ExamForm};

/// 教材
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct Textbook {
    /// 教材名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 作者
    #[oai(validator(max_length = 100))]
    pub author: Option<String>,
    /// 出版社
    #[oai(validator(max_length = 100))]
    pub press: Option<String>,
    /// ISBN书号
    #[oai(validator(max_length = 20))]
    pub isbn: Option<String>,
    /// 版次
    #[oai(validator(max_length = 30))]
    pub edition: Option<String>,
}

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CourseForm {
    /// 课程代码
    /// 1至32位字母、数字、下划线或短横线
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub code: String,
    /// 课程名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 英文名
    #[oai(validator(max_length = 140))]
    pub english_name: Option<String>,
    /// 课程类型
    pub type_id: i64,
    /// 课程性质类别
    pub kind: Option<CourseKind>,
    /// 开课单位
    pub organization_id: Option<i64>,
    /// 学分
    #[oai(validator(minimum(value = "0.5"), maximum(value = "30"), multiple_of = 0.5))]
    pub credits: f64,
    /// 总学时
    #[oai(validator(minimum(value = "0"), maximum(value = "9999")))]
    pub hours: Option<i32>,
    /// 面授学时
    #[oai(default, validator(minimum(value = "0"), maximum(value = "2000")))]
    pub lecture_hours: i32,
    /// 线上学时
    #[oai(default, validator(minimum(value = "0"), maximum(value = "2000")))]
    pub online_hours: i32,
    /// 实践学时
    #[oai(default, validator(minimum(value = "0"), maximum(value = "2000")))]
    pub practice_hours: i32,
    /// 自学学时
    #[oai(default, validator(minimum(value = "0"), maximum(value = "2000")))]
    pub self_study_hours: i32,
    /// 考核类型
    pub exam_form: Option<ExamForm>,
    /// 考核方式
    pub assess_mode: Option<AssessMode>,
    /// 学位课程
    #[oai(default)]
    pub degree_course: bool,
    /// 先修课程
    #[oai(default, validator(max_items = 20))]
    pub prerequisite_ids: Vec<i64>,
    /// 教材
    pub textbook: Option<Textbook>,
    /// 课程简介
    #[oai(validator(max_length = 2000))]
    pub introduction: Option<String>,
    /// 教学大纲
    #[oai(validator(max_length = 140))]
    pub syllabus_key: Option<String>,
    /// 封面
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub cover_url: Option<String>,
    /// 来源
    pub source: Option<CourseSource>,
    /// 排序
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort_no: i32,
}

impl Example for CourseForm {
    fn example() -> Self {
        Self {
            code: "GGJC001".to_owned(),
            name: "大学英语".to_owned(),
            english_name: Some("College English".to_owned()),
            type_id: 1,
            kind: None,
            organization_id: None,
            credits: 4.0,
            hours: None,
            lecture_hours: 24,
            online_hours: 40,
            practice_hours: 0,
            self_study_hours: 8,
            exam_form: Some(ExamForm::Exam),
            assess_mode: Some(AssessMode::ClosedBook),
            degree_course: false,
            prerequisite_ids: Vec::new(),
            textbook: None,
            introduction: None,
            syllabus_key: None,
            cover_url: None,
            source: None,
            sort_no: 0,
        }
    }
}

impl CourseKind {
    /// What a course of this type is unless somebody says otherwise.
    pub fn usual(kind: CurriculumSystemKind) -> Self {
        match kind {
            CurriculumSystemKind::Practice => Self::Practice,
            CurriculumSystemKind::Thesis => Self::Thesis,
            _ => Self::Theory,
        }
    }
}

/// The hours of a course, which are the sum of their parts.
///
/// # Errors
/// 422 at `hours` when another sum was sent.
pub fn hours_of(form: &CourseForm) -> Result<i32> {
    let sum = form.lecture_hours + form.online_hours + form.practice_hours + form.self_study_hours;
    match form.hours {
        Some(sent) if sent != sum => Err(Error::field("hours", format!("总学时应等于各学时之和{sum}"))),
        _ => Ok(sum),
    }
}

/// The textbook with an ISBN of digits alone.
///
/// # Errors
/// 422 at `textbook.isbn` when it is no ISBN-13.
pub fn textbook_of(textbook: Option<&Textbook>) -> Result<Option<Textbook>> {
    let Some(textbook) = textbook else { return Ok(None) };
    let isbn = match &textbook.isbn {
        Some(typed) => Some(isbn_of(typed).map_err(|why| Error::field("textbook.isbn", why))?),
        None => None,
    };
    Ok(Some(Textbook { isbn, ..textbook.clone() }))
}

/// ISBN-13: digits weighted 1, 3, 1, 3 … sum to a multiple of ten. Dashes and blanks between are only for reading.
fn isbn_of(typed: &str) -> Result<String, &'static str> {
    let digits: String = typed.chars().filter(|sign| !matches!(sign, '-' | ' ')).collect();
    let right_shape = digits.len() == 13
        && digits.bytes().all(|digit| digit.is_ascii_digit())
        && (digits.starts_with("978") || digits.starts_with("979"));
    if !right_shape {
        return Err("ISBN应为13位数字，以978或979开头");
    }
    let sum: u32 =
        digits.bytes().zip([1, 3].into_iter().cycle()).map(|(digit, weight)| u32::from(digit - b'0') * weight).sum();
    if sum.is_multiple_of(10) { Ok(digits) } else { Err("ISBN校验位不正确，请核对") }
}

/// Least and most hours per credit that the school's levels allow.
pub type Density = (i32, i32);

/// What is worth a second look before plans are made of it.
pub fn warnings(namesakes: &[String], credits: f64, hours: i32, limits: Density) -> Vec<String> {
    let mut warnings = Vec::new();
    if !namesakes.is_empty() {
        warnings.push(format!("已有同名课程：{}", namesakes.join("、")));
    }
    warnings.extend(density(credits, hours, limits));
    warnings
}

/// Credits come in halves, so all of it is whole numbers.
fn density(credits: f64, hours: i32, (least, most): Density) -> Option<String> {
    let halves = (credits * 2.0).round() as i32;
    if halves <= 0 {
        return None;
    }
    let tenths = (40 * hours + halves) / (2 * halves);
    let shown = format!("{}.{}", tenths / 10, tenths % 10);
    if 2 * hours < least * halves {
        Some(format!("每学分{shown}学时，低于下限{least}"))
    } else if 2 * hours > most * halves {
        Some(format!("每学分{shown}学时，高于上限{most}"))
    } else {
        None
    }
}

/// How the course is examined unless somebody says otherwise.
pub fn exam_form_of(form: &CourseForm, usual: Option<ExamForm>) -> ExamForm {
    form.exam_form.or(usual).unwrap_or(ExamForm::Exam)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_per_credit_are_compared_exactly_and_shown_with_one_place() {
        assert_eq!(density(4.0, 72, (16, 18)), None);
        assert_eq!(density(4.0, 48, (16, 18)), Some("每学分12.0学时，低于下限16".to_owned()));
        assert_eq!(density(4.0, 64, (16, 18)), None);
        assert_eq!(density(4.0, 73, (16, 18)), Some("每学分18.3学时，高于上限18".to_owned()));
        assert_eq!(density(3.5, 55, (16, 18)), Some("每学分15.7学时，低于下限16".to_owned()));
        assert_eq!(density(0.5, 9, (16, 18)), None);
    }

    #[test]
    fn an_isbn_is_right_by_its_check_digit() {
        assert_eq!(isbn_of("978-7-04-039663-8"), Ok("9787040396638".to_owned()));
        assert_eq!(isbn_of("9787040396639"), Err("ISBN校验位不正确，请核对"));
        for wrong in ["7040396638", "1234567890123", "97870403966３8", ""] {
            assert_eq!(isbn_of(wrong), Err("ISBN应为13位数字，以978或979开头"), "{wrong}");
        }
    }

    #[test]
    fn hours_are_the_sum_of_their_parts() {
        let form = |hours| CourseForm {
            hours,
            lecture_hours: 20,
            online_hours: 30,
            practice_hours: 10,
            self_study_hours: 0,
            ..CourseForm::example()
        };
        assert_eq!(hours_of(&form(None)), Ok(60));
        assert_eq!(hours_of(&form(Some(60))), Ok(60));
        assert_eq!(hours_of(&form(Some(64))), Err(Error::field("hours", "总学时应等于各学时之和60")));
    }
}
