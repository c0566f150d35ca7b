//! What a course must fulfil by itself, and what is only worth a second look.

use infra::{Error, Result};
use sqlx::PgConnection;

use super::{Course, CourseForm, CourseKind, ExamForm, Textbook};
use crate::curriculum_type::CurriculumSystemKind;

/// Hours per credit where the school has no level that says otherwise (03 A1).
const USUAL_HOURS_PER_CREDIT: (i32, i32) = (16, 18);

impl CourseKind {
    /// What a course of this type is unless somebody says otherwise.
    pub(super) fn usual(kind: CurriculumSystemKind) -> Self {
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
pub(super) fn hours_of(form: &CourseForm) -> Result<i32> {
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
pub(super) fn textbook_of(textbook: Option<&Textbook>) -> Result<Option<Textbook>> {
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
pub(super) type Density = (i32, i32);

pub(super) async fn density_limits(connection: &mut PgConnection) -> Result<Density> {
    let limits = sqlx::query!(
        "select min(hours_per_credit_min) as least, max(hours_per_credit_max) as most from level where enabled"
    )
    .fetch_one(connection)
    .await?;
    let (least, most) = USUAL_HOURS_PER_CREDIT;
    Ok((limits.least.unwrap_or(least), limits.most.unwrap_or(most)))
}

/// Codes of other courses with the name, of which a person is told ten.
pub(super) async fn namesakes(connection: &mut PgConnection, course: &Course) -> Result<Vec<String>> {
    Ok(sqlx::query_scalar!(
        "select code from course where name = $1 and id <> $2 order by code limit 10",
        course.name,
        course.id
    )
    .fetch_all(connection)
    .await?)
}

/// What is worth a second look before plans are made of it.
pub(super) fn warnings(namesakes: &[String], credits: f64, hours: i32, limits: Density) -> Vec<String> {
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
pub(super) fn exam_form_of(form: &CourseForm, usual: Option<ExamForm>) -> ExamForm {
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
            ..<CourseForm as poem_openapi::types::Example>::example()
        };
        assert_eq!(hours_of(&form(None)), Ok(60));
        assert_eq!(hours_of(&form(Some(60))), Ok(60));
        assert_eq!(hours_of(&form(Some(64))), Err(Error::field("hours", "总学时应等于各学时之和60")));
    }
}
