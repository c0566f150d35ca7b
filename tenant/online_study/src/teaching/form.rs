//! What is set of how a course is studied, of one or of many at once, and how it is written.

use course_opening::of_all_classes;
use course_selection::{enums::OpeningStatus, opening};
use infra::{
    Bulk, BulkResult, Change, Edit, Error, Result, Scope, Tx,
    across::Keyed,
    clock::{day_began, day_ended},
};
use online_study_rules::teaching::{OnlineTeachingForm, OnlineTeachings};
use teaching_plan::credit::{points, tenths};

use super::{OnlineTeaching, Teachings};
use crate::of_row;

/// How a course is studied as it stands, for what a step over many leaves as it is.
fn form_of(row: &OnlineTeaching) -> OnlineTeachingForm {
    OnlineTeachingForm {
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
    Ok(Change::edited("online_teaching", id, &form_of(&before), &form_of(&after)))
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
    let form = wanted.over(form_of(&stands));
    write(tx, Edit { id, version: stands.version, form }, scope).await
}
