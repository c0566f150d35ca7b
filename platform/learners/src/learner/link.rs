//! 关联学生: the student of a school who is the same person. The school is asked as itself, and only by whoever may act for it.

use infra::{Allowed, Error, Result, access::Permission};
use learner_rules::form::LearnerForm;
use sqlx::PgConnection;

/// Which student of which school.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) school_id: i64,
    pub(super) student_id: i64,
}

/// A linked student, as their school knows them.
#[derive(Debug, Clone)]
pub(super) struct Student {
    pub(super) student_no: Option<String>,
    pub(super) name: String,
}

/// What a learner is linked to.
pub(super) async fn of(connection: &mut PgConnection, learner: i64) -> Result<Option<Link>> {
    let row = sqlx::query!("select linked_school_id, linked_student_id from platform.user_ext where id = $1", learner)
        .fetch_optional(connection)
        .await?;
    Ok(row.and_then(|row| {
        let (school_id, student_id) = row.linked_school_id.zip(row.linked_student_id)?;
        Some(Link { school_id, student_id })
    }))
}

/// What the form links to. Of a school that stays, the number may be left out.
///
/// # Errors
/// 422 at the field: half a link, a school that the caller may not act for, a number that no student has.
pub(super) async fn asked<P: Permission>(
    caller: &Allowed<P>,
    form: &LearnerForm,
    before: Option<Link>,
) -> Result<Option<Link>> {
    let number = form.linked_student_no.as_deref().map(str::trim).filter(|number| !number.is_empty());
    let (school_id, number) = match (form.linked_school_id, number) {
        (None, None) => return Ok(None),
        (None, Some(_)) => return Err(Error::field("linkedSchoolId", "请选择学号所在的院校")),
        (Some(school), None) => {
            let kept = before.filter(|link| link.school_id == school);
            return kept.map(Some).ok_or_else(|| Error::field("linkedStudentNo", "请填写该院校的学号"));
        }
        (Some(school), Some(number)) => (school, number),
    };
    let none = || Error::field("linkedSchoolId", "所选院校不存在或您不能管理，请重新选择");
    let school = caller.app().school(school_id).await?.ok_or_else(none)?;
    let looked = caller.look_into(&school).await;
    let mut inside = looked.map_err(|error| if error.code == 404 { none() } else { error })?;
    let student = sqlx::query_scalar!("select id from student where student_no = $1", number)
        .fetch_optional(&mut *inside)
        .await?;
    let student_id = student.ok_or_else(|| Error::field("linkedStudentNo", "该院校没有这个学号"))?;
    Ok(Some(Link { school_id, student_id }))
}

/// The linked student; none when the caller may not look, the school cannot be asked now, or the student is gone.
pub(super) async fn student<P: Permission>(caller: &Allowed<P>, link: Link) -> Result<Option<Student>> {
    let Some(school) = caller.app().school(link.school_id).await? else { return Ok(None) };
    let mut inside = match caller.look_into(&school).await {
        Ok(inside) => inside,
        Err(error) if matches!(error.code, 403 | 404 | 409) => return Ok(None),
        Err(error) => return Err(error),
    };
    let student = sqlx::query_as!(Student, "select student_no, name from student where id = $1", link.student_id)
        .fetch_optional(&mut *inside)
        .await?;
    Ok(student)
}
