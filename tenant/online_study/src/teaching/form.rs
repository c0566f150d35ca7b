//! What is set of how a course is studied, of one or of many at once, and how it is written.

use course_opening::of_all_classes;
use course_selection::{enums::OpeningStatus, opening};
use infra::{
    Bulk, BulkResult, Change, Edit, Error, Result, Scope, Tx,
    across::Keyed,
    clock::{Moment, day_began, day_ended},
};
use poem_openapi::{Object, types::Example};
use teaching_plan::credit::{points, tenths};

use super::{OnlineTeaching, Teachings};
use crate::of_row;

/// How a course is studied.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OnlineTeachingForm {
    /// 课程资源
    /// 不填时使用课程的默认资源
    pub course_record_id: Option<i64>,
    /// 学习开始时间
    /// 不填时为学期开始
    pub study_starts_at: Option<Moment>,
    /// 学习结束时间
    /// 不填时为学期结束
    pub study_ends_at: Option<Moment>,
    /// 完成标准(%)
    #[oai(default = "ninety", validator(minimum(value = "50"), maximum(value = "100")))]
    pub finish_percent: i32,
    /// 最高倍速
    /// 一位小数
    #[oai(default = "one_and_a_half", validator(minimum(value = "1"), maximum(value = "2")))]
    pub max_speed: f64,
    /// 允许拖动到未学部分
    #[oai(default)]
    pub allow_seek_unwatched: bool,
    /// 每日学习上限(分钟)
    /// 0为不限
    #[oai(default, validator(minimum(value = "0"), maximum(value = "1440")))]
    pub daily_limit_minutes: i32,
    /// 按顺序学习
    #[oai(default)]
    pub sequential: bool,
    /// 作业和考试要求进度(%)
    #[oai(default, validator(minimum(value = "0"), maximum(value = "100")))]
    pub required_progress: i32,
    /// 人脸核验
    #[oai(default)]
    pub face_check: bool,
}

fn ninety() -> i32 {
    90
}

fn one_and_a_half() -> f64 {
    1.5
}

impl Example for OnlineTeachingForm {
    fn example() -> Self {
        Self {
            course_record_id: None,
            study_starts_at: None,
            study_ends_at: None,
            finish_percent: 90,
            max_speed: 1.5,
            allow_seek_unwatched: false,
            daily_limit_minutes: 0,
            sequential: false,
            required_progress: 60,
            face_check: false,
        }
    }
}

impl OnlineTeachingForm {
    /// As it stands, for what a step over many leaves as it is.
    fn of(row: &OnlineTeaching) -> Self {
        Self {
            course_record_id: row.course_record_id,
            study_starts_at: row.study_starts_at,
            study_ends_at: row.study_ends_at,
            finish_percent: row.finish_percent,
            max_speed: row.max_speed,
            allow_seek_unwatched: row.allow_seek_unwatched,
            daily_limit_minutes: row.daily_limit_minutes,
            sequential: row.sequential,
            required_progress: row.required_progress,
            face_check: row.face_check,
        }
    }
}

/// What is set of many courses at once; what is left out stays as it is.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OnlineTeachings {
    /// 开课
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub opening_ids: Vec<i64>,
    /// 学习开始时间
    pub study_starts_at: Option<Moment>,
    /// 学习结束时间
    pub study_ends_at: Option<Moment>,
    /// 完成标准(%)
    #[oai(validator(minimum(value = "50"), maximum(value = "100")))]
    pub finish_percent: Option<i32>,
    /// 最高倍速
    #[oai(validator(minimum(value = "1"), maximum(value = "2")))]
    pub max_speed: Option<f64>,
    /// 允许拖动到未学部分
    pub allow_seek_unwatched: Option<bool>,
    /// 每日学习上限(分钟)
    #[oai(validator(minimum(value = "0"), maximum(value = "1440")))]
    pub daily_limit_minutes: Option<i32>,
    /// 按顺序学习
    pub sequential: Option<bool>,
    /// 作业和考试要求进度(%)
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub required_progress: Option<i32>,
    /// 人脸核验
    pub face_check: Option<bool>,
}

impl Example for OnlineTeachings {
    fn example() -> Self {
        Self { opening_ids: vec![1], finish_percent: Some(90), ..Self::default() }
    }
}

impl OnlineTeachings {
    fn says_nothing(&self) -> bool {
        self.study_starts_at.is_none()
            && self.study_ends_at.is_none()
            && self.finish_percent.is_none()
            && self.max_speed.is_none()
            && self.allow_seek_unwatched.is_none()
            && self.daily_limit_minutes.is_none()
            && self.sequential.is_none()
            && self.required_progress.is_none()
            && self.face_check.is_none()
    }

    fn over(&self, stands: OnlineTeachingForm) -> OnlineTeachingForm {
        OnlineTeachingForm {
            course_record_id: stands.course_record_id,
            study_starts_at: self.study_starts_at.or(stands.study_starts_at),
            study_ends_at: self.study_ends_at.or(stands.study_ends_at),
            finish_percent: self.finish_percent.unwrap_or(stands.finish_percent),
            max_speed: self.max_speed.unwrap_or(stands.max_speed),
            allow_seek_unwatched: self.allow_seek_unwatched.unwrap_or(stands.allow_seek_unwatched),
            daily_limit_minutes: self.daily_limit_minutes.unwrap_or(stands.daily_limit_minutes),
            sequential: self.sequential.unwrap_or(stands.sequential),
            required_progress: self.required_progress.unwrap_or(stands.required_progress),
            face_check: self.face_check.unwrap_or(stands.face_check),
        }
    }
}

/// Writes what is set of one course; its opening is held. Progress follows by the job.
///
/// # Errors
/// 404 outside the scope; 403 when it touches classes beyond it; 409 when it is not taught now, its semester is closed, or somebody
/// changed it meanwhile; 422 for what cannot be chosen.
pub(super) async fn write(tx: &mut Tx, edit: Edit<OnlineTeachingForm>, scope: &Scope) -> Result<Change> {
    let Edit { id, version, form } = edit;
    let before = Teachings::find(tx, id, scope).await?;
    let opening = opening::known(tx, &[id]).await?.remove(&id).ok_or_else(Error::not_found)?;
    of_all_classes(tx, &[id], scope).await?;
    opening.in_open_semester()?;
    if opening.status != OpeningStatus::Opened {
        return Err(Error::conflict(format!("“{}”{}，不能修改在线教学设置", opening.course_name, opening.status.zh())));
    }
    if (points(tenths(form.max_speed)) - form.max_speed).abs() > 1e-9 {
        return Err(Error::field("maxSpeed", "最高倍速最多一位小数"));
    }
    // Whoever read a version of what nobody has set any more read something else.
    if before.version == 0 && version != 0 {
        return Err(tx.stale("online_teaching", id).await);
    }
    material(tx, &before, &form).await?;
    window(tx, before.semester_id, &form).await?;
    let by = tx.by();
    // The first to set it makes the row, with the version after none.
    let written = sqlx::query!(
        "insert into online_teaching as n (id, course_record_id, study_starts_at, study_ends_at, finish_percent, max_speed,
             allow_seek_unwatched, daily_limit_minutes, sequential, required_progress, face_check, created_by, updated_by)
         values ($1, $3, $4, $5, $6, $7::float8::numeric, $8, $9, $10, $11, $12, $13, $13)
         on conflict (id) do update
         set course_record_id = excluded.course_record_id, study_starts_at = excluded.study_starts_at,
             study_ends_at = excluded.study_ends_at, finish_percent = excluded.finish_percent, max_speed = excluded.max_speed,
             allow_seek_unwatched = excluded.allow_seek_unwatched, daily_limit_minutes = excluded.daily_limit_minutes,
             sequential = excluded.sequential, required_progress = excluded.required_progress, face_check = excluded.face_check,
             updated_at = excluded.updated_at, updated_by = excluded.updated_by, version = n.version + 1
         where n.version = $2",
        id,
        version,
        form.course_record_id,
        form.study_starts_at as _,
        form.study_ends_at as _,
        form.finish_percent,
        points(tenths(form.max_speed)),
        form.allow_seek_unwatched,
        form.daily_limit_minutes,
        form.sequential,
        form.required_progress,
        form.face_check,
        by
    )
    .execute(&mut **tx)
    .await?;
    if written.rows_affected() == 0 {
        return Err(tx.stale("online_teaching", id).await);
    }
    let after = Teachings::find(tx, id, scope).await?;
    Ok(Change::edited("online_teaching", id, &OnlineTeachingForm::of(&before), &OnlineTeachingForm::of(&after)))
}

/// # Errors
/// 422 for material of another course, or off the shelf.
async fn material(tx: &mut Tx, before: &OnlineTeaching, form: &OnlineTeachingForm) -> Result<()> {
    let Some(wanted) = form.course_record_id.filter(|record| before.course_record_id != Some(*record)) else {
        return Ok(());
    };
    // Held, so that it is not taken off the shelf meanwhile.
    let record = sqlx::query!("select course_id, name, status from course_record where id = $1 for share", wanted)
        .fetch_optional(&mut **tx)
        .await?
        .filter(|record| record.course_id == before.course_id)
        .ok_or_else(|| Error::field("courseRecordId", "所选课程资源不属于该课程，请重新选择"))?;
    if record.status != "published" {
        return Err(Error::field("courseRecordId", format!("“{}”未上架，请先上架", record.name)));
    }
    Ok(())
}

/// # Errors
/// 422 for a window that ends before it begins; what is left out is the semester's.
async fn window(tx: &mut Tx, semester: i64, form: &OnlineTeachingForm) -> Result<()> {
    let days =
        sqlx::query!("select starts_on, ends_on from semester where id = $1", semester).fetch_one(&mut **tx).await?;
    let starts = form.study_starts_at.unwrap_or_else(|| day_began(days.starts_on));
    let ends = form.study_ends_at.unwrap_or_else(|| day_ended(days.ends_on));
    if ends > starts { Ok(()) } else { Err(Error::field("studyEndsAt", "学习结束时间应晚于开始时间")) }
}

/// Writes what is set of many courses, each for itself.
///
/// # Errors
/// 422 when nothing is set.
pub(super) async fn write_all(mut tx: Tx, wanted: OnlineTeachings, scope: &Scope) -> Result<BulkResult> {
    if wanted.says_nothing() {
        return Err(Error::refused("请至少填写一项要修改的内容"));
    }
    let mut ids = wanted.opening_ids.clone();
    ids.sort_unstable();
    ids.dedup();
    opening::hold(&mut tx, &ids).await?;
    let table = "(select o.id, u.name from course_opening o join course u on u.id = o.course_id) opening";
    let mut bulk = Bulk::named(tx, table, "name");
    for id in ids {
        let outcome = of_one(bulk.row().await?, id, &wanted, scope).await;
        bulk.ended(id, outcome.map_err(of_row)).await?;
    }
    bulk.commit().await
}

async fn of_one(tx: &mut Tx, id: i64, wanted: &OnlineTeachings, scope: &Scope) -> Result<Change> {
    let stands = Teachings::find(tx, id, scope).await?;
    let form = wanted.over(OnlineTeachingForm::of(&stands));
    write(tx, Edit { id, version: stands.version, form }, scope).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_of_a_step_stays() {
        let wanted = OnlineTeachings { finish_percent: Some(80), sequential: Some(true), ..OnlineTeachings::default() };
        let form = wanted.over(OnlineTeachingForm::example());
        assert_eq!((form.finish_percent, form.sequential, form.required_progress), (80, true, 60));
        assert!(OnlineTeachings::default().says_nothing() && !wanted.says_nothing());
    }
}
