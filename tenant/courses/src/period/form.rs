//! How periods are written.

use infra::{Change, Edit, Error, OnConstraint, Result, Tx, files};
use sqlx::PgConnection;

use super::{PeriodForm, list::find};

/// A document that was uploaded belongs to its record from now on.
///
/// # Errors
/// 422 at `fileKey` when the upload was not completed.
async fn adopted(tx: &mut Tx, form: &PeriodForm) -> Result<Option<i64>> {
    let Some(key) = &form.file_key else { return Ok(None) };
    match files::adopt_attachment(tx, key, "course_record", form.course_record_id).await {
        Ok(id) => Ok(Some(id)),
        Err(error) if error.code == 422 => Err(Error::field("fileKey", error.msg)),
        Err(error) => Err(error),
    }
}

/// # Errors
/// 422 at the reference that does not exist or is of another course.
pub(super) async fn insert(tx: &mut Tx, form: PeriodForm) -> Result<(i64, Change)> {
    let form = form.of_its_kind()?;
    let course = course_of(tx, form.course_record_id).await?;
    let file = adopted(tx, &form).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into course_period (course_record_id, course_id, chapter_id, title, kind, media_asset_id, file_id, url, live_starts_at,
             live_ends_at, duration_seconds, page_count, weight, required, free_preview, sort_no, created_by, updated_by)
         select $1::bigint, $2::bigint, $3::bigint, $4::text, $5::text, $6::bigint, $7::bigint, $8::text, $9::timestamptz,
                $10::timestamptz, coalesce($11::integer, (select nullif(duration, 0) from media_asset where id = $6)),
                $12::integer, $13::integer, $14::boolean, $15::boolean,
                least(9999, coalesce(max(sort_no) + 1, 1))::integer, $16::bigint, $16::bigint
         from course_period where course_record_id = $1 and chapter_id = $3
         returning id",
        form.course_record_id,
        course,
        form.chapter_id,
        form.title,
        form.kind.as_str(),
        form.media_asset_id,
        file,
        form.url,
        form.live_starts_at,
        form.live_ends_at,
        form.duration_seconds,
        form.page_count,
        form.weight,
        form.required,
        form.free_preview,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(refused)?;
    Ok((id, Change::created("course_period", id, &form)))
}

/// Moving a period to another chapter of the course keeps what learners did with it.
pub(super) async fn update(tx: &mut Tx, edit: Edit<PeriodForm>) -> Result<Change> {
    let before = find(tx, edit.id).await?;
    let form = edit.form.of_its_kind()?;
    if before.course_record_id != form.course_record_id {
        return Err(Error::field("courseRecordId", "课时不能移到其他课程资源"));
    }
    let former = document(tx, edit.id).await?;
    let file = if form.file_key == before.file_key { None } else { adopted(tx, &form).await? };
    let by = tx.by();
    let changed = sqlx::query!(
        "update course_period set chapter_id = $3, title = $4, kind = $5, media_asset_id = $6,
                file_id = case when $17 then coalesce($7, file_id) end, url = $8, live_starts_at = $9, live_ends_at = $10,
                duration_seconds = coalesce($11, (select nullif(duration, 0) from media_asset where id = $6)), page_count = $12,
                weight = $13, required = $14, free_preview = $15, updated_at = now(), updated_by = $16, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.chapter_id,
        form.title,
        form.kind.as_str(),
        form.media_asset_id,
        file,
        form.url,
        form.live_starts_at,
        form.live_ends_at,
        form.duration_seconds,
        form.page_count,
        form.weight,
        form.required,
        form.free_preview,
        by,
        form.file_key.is_some()
    )
    .execute(&mut **tx)
    .await
    .on_constraint(refused)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("course_period", edit.id).await);
    }
    if form.file_key != before.file_key {
        let_go(tx, &former).await?;
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("course_period", edit.id, &before, &after))
}

/// The document of a period, if it has one.
pub(super) async fn document(connection: &mut PgConnection, id: i64) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        r#"select file_id as "file_id!" from course_period where id = $1 and file_id is not null"#,
        id
    )
    .fetch_all(connection)
    .await?)
}

/// Lets documents go that periods gave up, unless another one shows them: a record's copy has the documents of the first.
///
/// # Errors
/// Those of the database.
pub(crate) async fn let_go(tx: &mut Tx, files: &[i64]) -> Result<()> {
    let free = sqlx::query_scalar!(
        "select o.id from file_object o
         where o.id = any($1) and o.owner_type = 'course_record'
           and not exists (select from course_period p where p.file_id = o.id)",
        files
    )
    .fetch_all(&mut **tx)
    .await?;
    files::let_go(tx, &free).await
}

/// # Errors
/// 422 at `courseRecordId` when there is no such record.
pub(super) async fn course_of(connection: &mut PgConnection, record: i64) -> Result<i64> {
    sqlx::query_scalar!("select course_id from course_record where id = $1", record)
        .fetch_optional(connection)
        .await?
        .ok_or_else(|| Error::field("courseRecordId", "课程资源不存在或已被删除"))
}

fn refused(constraint: &str) -> Option<Error> {
    match constraint {
        "course_period_of_chapter" => Some(Error::field("chapterId", "所选章节不属于该课程，请重新选择")),
        "course_period_of_media" => Some(Error::field("mediaAssetId", "所选音视频不存在，请重新选择")),
        _ => None,
    }
}
