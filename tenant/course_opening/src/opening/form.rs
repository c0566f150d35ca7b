//! What is typed of an opening outside the plans, and of any opening, and how it is written.

use courses::course::{AssessMode, ExamForm};
use infra::{Change, Edit, Error, OnConstraint, Result, Scope, Tx, across::Keyed, naming::switched_off};
use poem_openapi::{Object, types::Example};
use teaching_plan::{credit::is_half, enums::CourseNature};

use super::{Openings, locked};
use crate::{
    enums::{OpeningKind, OpeningStatus, TeachingMode},
    of_whole_school, open_semester,
};

/// An opening outside the plans. What is left out is the course's.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OpeningForm {
    /// 学期
    pub semester_id: i64,
    /// 开课类别
    /// 计划外或重修班
    pub kind: OpeningKind,
    /// 课程
    pub course_id: i64,
    /// 年级
    /// 不填为不限
    pub grade_id: Option<i64>,
    /// 专业
    /// 不填为不限
    pub major_id: Option<i64>,
    /// 性质
    /// 不填为任选；必修须指定年级和专业
    pub nature: Option<CourseNature>,
    /// 学分
    pub credits: Option<f64>,
    /// 面授学时
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub lecture_hours: Option<i32>,
    /// 线上学时
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub online_hours: Option<i32>,
    /// 实践学时
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub practice_hours: Option<i32>,
    /// 自学学时
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub self_study_hours: Option<i32>,
    /// 考核类型
    pub exam_form: Option<ExamForm>,
    /// 考核方式
    pub assess_mode: Option<AssessMode>,
    /// 教学方式
    /// 不填时按学时推算
    pub teaching_mode: Option<TeachingMode>,
    /// 人数上限
    #[oai(validator(minimum(value = "1"), maximum(value = "100000")))]
    pub capacity: Option<i32>,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
}

impl Example for OpeningForm {
    fn example() -> Self {
        Self {
            semester_id: 1,
            kind: OpeningKind::Extra,
            course_id: 1,
            grade_id: None,
            major_id: None,
            nature: None,
            credits: None,
            lecture_hours: None,
            online_hours: None,
            practice_hours: None,
            self_study_hours: None,
            exam_form: None,
            assess_mode: None,
            teaching_mode: None,
            capacity: Some(50),
            remark: None,
        }
    }
}

/// What of an opening may be set whoever made it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OpeningSettings {
    /// 教学方式
    pub teaching_mode: TeachingMode,
    /// 人数上限
    /// 不填为不限
    #[oai(validator(minimum(value = "1"), maximum(value = "100000")))]
    pub capacity: Option<i32>,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
}

impl Example for OpeningSettings {
    fn example() -> Self {
        Self { teaching_mode: TeachingMode::Blended, capacity: Some(50), remark: None }
    }
}

/// Makes an opening outside the plans, a draft.
///
/// # Errors
/// 403 for whoever sees a part of the school; 409 when the semester is closed; 422 for what cannot be chosen.
pub(super) async fn insert(tx: &mut Tx, form: &OpeningForm, scope: &Scope) -> Result<(i64, Change)> {
    of_whole_school(scope)?;
    if form.kind == OpeningKind::Plan {
        return Err(Error::field("kind", "计划内的课程请按计划生成开课"));
    }
    if form.nature == Some(CourseNature::Compulsory) {
        if form.kind == OpeningKind::Retake {
            return Err(Error::field("nature", "重修班的学生由学校安排，不能设为必修"));
        }
        if form.grade_id.is_none() || form.major_id.is_none() {
            return Err(Error::field("nature", "必修课程请指定年级和专业"));
        }
    }
    open_semester(tx, form.semester_id, "semesterId").await?;
    let course = sqlx::query!(
        r#"select name, enabled, type_id, credits::float8 as "credits!", lecture_hours, online_hours, practice_hours,
                  self_study_hours, exam_form as "exam_form: ExamForm", assess_mode as "assess_mode: AssessMode"
           from course where id = $1"#,
        form.course_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("courseId", "所选课程不存在，请重新选择"))?;
    if !course.enabled {
        return Err(switched_off("courseId", &course.name));
    }
    let level = place(tx, form).await?;
    let credits = form.credits.unwrap_or(course.credits);
    if !is_half(credits, 5, 300) {
        return Err(Error::field("credits", "学分应在0.5到30之间，为0.5的倍数"));
    }
    let lecture = form.lecture_hours.unwrap_or(course.lecture_hours);
    let online = form.online_hours.unwrap_or(course.online_hours);
    let practice = form.practice_hours.unwrap_or(course.practice_hours);
    let self_study = form.self_study_hours.unwrap_or(course.self_study_hours);
    let mode = form.teaching_mode.unwrap_or(TeachingMode::usual(lecture + practice, online));
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into course_opening (semester_id, kind, course_id, grade_id, level_id, major_id, type_id, nature, credits, hours,
             lecture_hours, online_hours, practice_hours, self_study_hours, exam_form, assess_mode, teaching_mode, capacity,
             remark, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9::float8::numeric, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $20)
         returning id",
        form.semester_id,
        form.kind.as_str(),
        form.course_id,
        form.grade_id,
        level,
        form.major_id,
        course.type_id,
        form.nature.unwrap_or(CourseNature::Elective).as_str(),
        credits,
        lecture + online + practice + self_study,
        lecture,
        online,
        practice,
        self_study,
        form.exam_form.unwrap_or(course.exam_form).as_str(),
        form.assess_mode.or(course.assess_mode).map(AssessMode::as_str),
        mode.as_str(),
        form.capacity,
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "course_opening_taken")
            .then(|| Error::field("courseId", format!("“{}”在本学期已有相同的开课", course.name)))
    })?;
    let made = Openings::find(tx, id, scope).await?;
    Ok((id, Change::created("course_opening", id, &made)))
}

/// Grade and major that may be chosen; the level is the major's.
async fn place(tx: &mut Tx, form: &OpeningForm) -> Result<Option<i64>> {
    if let Some(grade) = form.grade_id {
        let grade = sqlx::query!("select name, enabled from grade where id = $1", grade)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| Error::field("gradeId", "所选年级不存在，请重新选择"))?;
        if !grade.enabled {
            return Err(switched_off("gradeId", &grade.name));
        }
    }
    let Some(major) = form.major_id else { return Ok(None) };
    let major = sqlx::query!("select name, enabled, level_id from major where id = $1", major)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("majorId", "所选专业不存在，请重新选择"))?;
    if !major.enabled {
        return Err(switched_off("majorId", &major.name));
    }
    Ok(Some(major.level_id))
}

/// # Errors
/// 404 outside the scope; 403 when it touches classes beyond it; 409 when it is over or changed meanwhile; 422 for fewer places
/// than are taken.
pub(super) async fn update(tx: &mut Tx, edit: Edit<OpeningSettings>, scope: &Scope) -> Result<Change> {
    let before = locked(tx, edit.id, scope).await?;
    if !matches!(before.status, OpeningStatus::Draft | OpeningStatus::Opened) {
        return Err(Error::conflict(format!("“{}”为{}，不能修改", before.course_name, before.status.zh())));
    }
    let OpeningSettings { teaching_mode, capacity, remark } = edit.form;
    if let Some(capacity) = capacity.filter(|capacity| before.capacity.is_none_or(|now| *capacity < now)) {
        let taken = sqlx::query_scalar!(
            r#"select count(*) as "taken!" from course_selection where opening_id = $1 and status in ('pending', 'selected')"#,
            edit.id
        )
        .fetch_one(&mut **tx)
        .await?;
        if i64::from(capacity) < taken {
            return Err(Error::field("capacity", format!("已有{taken}人选课，人数上限不能低于该数")));
        }
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update course_opening set teaching_mode = $3, capacity = $4, remark = $5, updated_at = now(), updated_by = $6,
                version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        teaching_mode.as_str(),
        capacity,
        remark,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("course_opening", edit.id).await);
    }
    let after = Openings::find(tx, edit.id, scope).await?;
    Ok(Change::edited("course_opening", edit.id, &before, &after))
}
