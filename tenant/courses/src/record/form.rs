//! What a registrar types of a set of material, and how it is written.

use infra::{
    Change, Edit, Error, OnConstraint, Result, RichText, Tx,
    naming::{switched_off, tidy},
    pinyin,
};
use poem_openapi::{Object, types::Example};

use super::find;
use crate::course::CourseSource;

/// Characters of an introduction.
const INTRODUCTION: usize = 2_000;

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CourseRecordForm {
    /// 课程
    pub course_id: i64,
    /// 资源名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 主讲
    /// 选择了主讲教师时以教师的姓名为准
    #[oai(validator(max_length = 50))]
    pub lecturer_name: Option<String>,
    /// 主讲教师
    pub lecturer_teacher_id: Option<i64>,
    /// 封面
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub cover_url: Option<String>,
    /// 简介
    /// 文字最多2000个字符
    pub introduction: Option<RichText>,
    /// 来源
    pub source: CourseSource,
}

impl Example for CourseRecordForm {
    fn example() -> Self {
        Self {
            course_id: 1,
            name: "大学英语（2026版）".to_owned(),
            lecturer_name: Some("李老师".to_owned()),
            lecturer_teacher_id: None,
            cover_url: None,
            introduction: None,
            source: CourseSource::Own,
        }
    }
}

impl CourseRecordForm {
    /// The text of the lecturer: none beside a teacher, whose name is shown as it is now.
    fn typed_lecturer(&self) -> Option<&str> {
        self.lecturer_name.as_deref().filter(|_| self.lecturer_teacher_id.is_none())
    }

    /// What is kept of the introduction: nothing of one without words.
    ///
    /// # Errors
    /// 422 when it is too long.
    fn introduction(&self) -> Result<Option<&str>> {
        let Some(text) = self.introduction.as_ref().filter(|text| !text.is_blank()) else { return Ok(None) };
        text.at_most("introduction", "简介", INTRODUCTION)?;
        Ok(Some(text.as_str()))
    }
}

/// # Errors
/// 422 at `lecturerTeacherId` for nobody, and for whoever teaches no more and was not chosen before.
async fn check_teacher(tx: &mut Tx, wanted: Option<i64>, before: Option<i64>) -> Result<()> {
    let Some(id) = wanted.filter(|_| wanted != before) else { return Ok(()) };
    let teacher = sqlx::query!(r#"select name, status = 'active' as "active!" from teacher where id = $1"#, id)
        .fetch_optional(&mut **tx)
        .await?;
    match teacher {
        None => Err(Error::field("lecturerTeacherId", "所选教师不存在，请重新选择")),
        Some(teacher) if !teacher.active => Err(switched_off("lecturerTeacherId", &teacher.name)),
        Some(_) => Ok(()),
    }
}

/// The first record of a course becomes its default.
pub(super) async fn insert(tx: &mut Tx, form: &CourseRecordForm) -> Result<(i64, Change)> {
    let introduction = form.introduction()?;
    // Two first records would both be the default.
    let course = sqlx::query!("select name, enabled from course where id = $1 for update", form.course_id)
        .fetch_optional(&mut **tx)
        .await?;
    match course {
        None => return Err(Error::field("courseId", "所选课程不存在，请重新选择")),
        Some(course) if !course.enabled => return Err(switched_off("courseId", &course.name)),
        Some(_) => {}
    }
    check_teacher(tx, form.lecturer_teacher_id, None).await?;
    let name = tidy(&form.name);
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into course_record (course_id, name, lecturer_name, cover_url, introduction, source, is_default, initials,
             lecturer_teacher_id, created_by, updated_by)
         select $1::bigint, $2::text, $3::text, $4::text, $5::text, $6::text,
                not exists (select from course_record where course_id = $1 and is_default), $7::text,
                $9::bigint, $8::bigint, $8::bigint
         returning id",
        form.course_id,
        name,
        form.typed_lecturer(),
        form.cover_url,
        introduction,
        form.source.as_str(),
        pinyin::text_initials(&name),
        by,
        form.lecturer_teacher_id
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "course_record_of_course").then(|| Error::field("courseId", "所选课程不存在，请重新选择"))
    })?;
    Ok((id, Change::created("course_record", id, form)))
}

/// # Errors
/// 422 at `courseId` when another course is sent, at `introduction` when it is too long; 409 when somebody else edited
/// meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: &Edit<CourseRecordForm>) -> Result<Change> {
    let before = find(tx, edit.id).await?;
    let form = &edit.form;
    if before.course_id != form.course_id {
        return Err(Error::field("courseId", "课程资源不能改到其他课程，请新增"));
    }
    let introduction = form.introduction()?;
    check_teacher(tx, form.lecturer_teacher_id, before.lecturer_teacher_id).await?;
    let name = tidy(&form.name);
    let by = tx.by();
    let changed = sqlx::query!(
        "update course_record set name = $3, lecturer_name = $4, cover_url = $5, introduction = $6, source = $7, initials = $8,
                lecturer_teacher_id = $10, updated_at = now(), updated_by = $9, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        name,
        form.typed_lecturer(),
        form.cover_url,
        introduction,
        form.source.as_str(),
        pinyin::text_initials(&name),
        by,
        form.lecturer_teacher_id
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("course_record", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("course_record", edit.id, &before, &after))
}
