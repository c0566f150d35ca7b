//! What a registrar types of a course, what follows from its type, and how it is written.

use infra::{
    Change, Error, OnConstraint, Result, Tx, files,
    naming::{code_taken, tidy},
    pinyin,
};
use units::organization;

use super::{AssessMode, Course, CourseForm, CourseKind, CourseSource, ExamForm, Textbook, find, rules};
use crate::curriculum_type::{self, KnownType};

/// A form with all that follows from its type.
#[derive(Debug)]
pub(super) struct Complete {
    pub(super) typed: CourseForm,
    pub(super) name: String,
    kind: CourseKind,
    pub(super) hours: i32,
    exam_form: ExamForm,
    textbook: Option<Textbook>,
}

impl Complete {
    pub(super) fn of(mut form: CourseForm, of_type: &KnownType) -> Result<Self> {
        form.prerequisite_ids.sort_unstable();
        form.prerequisite_ids.dedup();
        Ok(Self {
            name: tidy(&form.name),
            kind: form.kind.unwrap_or_else(|| CourseKind::usual(of_type.system_kind)),
            hours: rules::hours_of(&form)?,
            exam_form: rules::exam_form_of(&form, of_type.default_exam_form),
            textbook: rules::textbook_of(form.textbook.as_ref())?,
            typed: form,
        })
    }

    fn textbook_field(&self, field: fn(&Textbook) -> Option<&String>) -> Option<&str> {
        self.textbook.as_ref().and_then(field).map(String::as_str)
    }
}

/// Loads what the form refers to and checks it. What an edit leaves as it was may be switched off meanwhile.
pub(super) async fn prepare(tx: &mut Tx, form: CourseForm, before: Option<&Course>) -> Result<Complete> {
    let of_type = curriculum_type::chosen(tx, form.type_id).await?;
    check_references(tx, &form, &of_type, before).await?;
    Complete::of(form, &of_type)
}

/// The same with a type that is known already.
pub(super) async fn check_references(
    tx: &mut Tx,
    form: &CourseForm,
    of_type: &KnownType,
    before: Option<&Course>,
) -> Result<()> {
    if before.is_none_or(|before| before.type_id != form.type_id) {
        of_type.usable()?;
    }
    match form.organization_id {
        Some(unit) if before.is_none_or(|before| before.organization_id != Some(unit)) => {
            organization::usable(tx, unit).await
        }
        _ => Ok(()),
    }
}

pub(super) async fn insert(tx: &mut Tx, course: &Complete) -> Result<(i64, Change)> {
    let by = tx.by();
    let form = &course.typed;
    let id = sqlx::query_scalar!(
        "insert into course (code, name, english_name, type_id, kind, organization_id, credits, hours, lecture_hours, online_hours,
             practice_hours, self_study_hours, exam_form, assess_mode, degree_course, textbook_name, textbook_author, textbook_press,
             textbook_isbn, textbook_edition, introduction, cover_url, source, initials, sort_no, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7::float8::numeric, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
             $23, $24, $25, $26, $26)
         returning id",
        form.code,
        course.name,
        form.english_name,
        form.type_id,
        course.kind.as_str(),
        form.organization_id,
        form.credits,
        course.hours,
        form.lecture_hours,
        form.online_hours,
        form.practice_hours,
        form.self_study_hours,
        course.exam_form.as_str(),
        form.assess_mode.map(AssessMode::as_str),
        form.degree_course,
        course.textbook_field(|book| Some(&book.name)),
        course.textbook_field(|book| book.author.as_ref()),
        course.textbook_field(|book| book.press.as_ref()),
        course.textbook_field(|book| book.isbn.as_ref()),
        course.textbook_field(|book| book.edition.as_ref()),
        form.introduction,
        form.cover_url,
        form.source.unwrap_or(CourseSource::Own).as_str(),
        pinyin::text_initials(&course.name),
        form.sort_no,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, form))?;
    set_prerequisites(tx, id, &form.prerequisite_ids).await?;
    set_syllabus(tx, id, None, form.syllabus_key.as_deref()).await?;
    Ok((id, Change::created("course", id, form)))
}

/// Writes a course again; with a version only the one that was read.
pub(super) async fn update(tx: &mut Tx, before: &Course, version: Option<i32>, course: &Complete) -> Result<Change> {
    let by = tx.by();
    let form = &course.typed;
    if form.code != before.code {
        refuse_planned(tx, before.id).await?;
    }
    let changed = sqlx::query!(
        "update course set code = $3, name = $4, english_name = $5, type_id = $6, kind = $7, organization_id = $8,
                credits = $9::float8::numeric, hours = $10, lecture_hours = $11, online_hours = $12, practice_hours = $13,
                self_study_hours = $14, exam_form = $15, assess_mode = $16, degree_course = $17, textbook_name = $18,
                textbook_author = $19, textbook_press = $20, textbook_isbn = $21, textbook_edition = $22, introduction = $23,
                cover_url = $24, source = $25, initials = $26, sort_no = $27, updated_at = now(), updated_by = $28,
                version = version + 1
         where id = $1 and ($2::integer is null or version = $2)",
        before.id,
        version,
        form.code,
        course.name,
        form.english_name,
        form.type_id,
        course.kind.as_str(),
        form.organization_id,
        form.credits,
        course.hours,
        form.lecture_hours,
        form.online_hours,
        form.practice_hours,
        form.self_study_hours,
        course.exam_form.as_str(),
        form.assess_mode.map(AssessMode::as_str),
        form.degree_course,
        course.textbook_field(|book| Some(&book.name)),
        course.textbook_field(|book| book.author.as_ref()),
        course.textbook_field(|book| book.press.as_ref()),
        course.textbook_field(|book| book.isbn.as_ref()),
        course.textbook_field(|book| book.edition.as_ref()),
        form.introduction,
        form.cover_url,
        form.source.unwrap_or(CourseSource::Own).as_str(),
        pinyin::text_initials(&course.name),
        form.sort_no,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("course", before.id).await);
    }
    set_prerequisites(tx, before.id, &form.prerequisite_ids).await?;
    set_syllabus(tx, before.id, before.syllabus_key.as_deref(), form.syllabus_key.as_deref()).await?;
    let after = find(tx, before.id).await?;
    Ok(Change::edited("course", before.id, before, &after))
}

/// # Errors
/// 409 while a plan in effect has the course: what was printed and filed names its code (03 A5).
async fn refuse_planned(tx: &mut Tx, course: i64) -> Result<()> {
    let plans = sqlx::query_scalar!(
        r#"select count(*) as "plans!" from plan_course c
           join teaching_plan p on p.id = c.plan_id and p.status = 'effective' where c.course_id = $1"#,
        course
    )
    .fetch_one(&mut **tx)
    .await?;
    if plans == 0 {
        return Ok(());
    }
    Err(Error::conflict(format!("已有{plans}个生效的教学计划使用该课程，不能修改课程代码")))
}

async fn set_prerequisites(tx: &mut Tx, course: i64, earlier: &[i64]) -> Result<()> {
    sqlx::query!(
        "delete from course_prerequisite where course_id = $1 and prerequisite_id <> all($2)",
        course,
        earlier
    )
    .execute(&mut **tx)
    .await?;
    if !earlier.is_empty() {
        sqlx::query!(
            "insert into course_prerequisite (course_id, prerequisite_id) select $1, earlier from unnest($2::bigint[]) earlier
             on conflict (course_id, prerequisite_id) do nothing",
            course,
            earlier
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// # Errors
/// 422 at `syllabusKey` when the upload was not completed.
async fn set_syllabus(tx: &mut Tx, course: i64, before: Option<&str>, wanted: Option<&str>) -> Result<()> {
    if before == wanted {
        return Ok(());
    }
    let file = match wanted {
        Some(key) => {
            let adopted = files::adopt_attachment(tx, key, "course", course).await;
            Some(adopted.map_err(|error| match error.code {
                422 => Error::field("syllabusKey", error.msg),
                _ => error,
            })?)
        }
        None => None,
    };
    sqlx::query!("update course set syllabus_file_id = $2 where id = $1", course, file).execute(&mut **tx).await?;
    if let Some(before) = before {
        files::release(tx, &[before.to_owned()]).await?;
    }
    Ok(())
}

fn explain_constraint(constraint: &str, form: &CourseForm) -> Option<Error> {
    match constraint {
        "course_code_taken" => Some(code_taken(&form.code)),
        // Somebody deleted it since it was checked.
        "course_prerequisite_of_earlier" => Some(Error::field("prerequisiteIds", "所选先修课程不存在，请重新选择")),
        _ => None,
    }
}
