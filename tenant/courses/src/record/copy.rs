//! 复制为新版本: a draft with the same periods, to be changed without touching what learners see (part 03 A6).

use infra::{Change, Error, Result, Tx};
use serde_json::json;

use super::find;

/// The version is the next of the course; the copy is no default.
pub(super) async fn copy(tx: &mut Tx, id: i64) -> Result<(i64, Change)> {
    let from = find(tx, id).await?;
    // Two copies at once get two versions.
    sqlx::query!("select id from course where id = $1 for update", from.course_id).fetch_one(&mut **tx).await?;
    let by = tx.by();
    let made = sqlx::query!(
        "insert into course_record (course_id, name, lecturer_name, cover_url, introduction, source, lecturer_teacher_id, version_no, initials, created_by, updated_by)
         select r.course_id, r.name, r.lecturer_name, r.cover_url, r.introduction, r.source, r.lecturer_teacher_id,
                (select max(other.version_no) + 1 from course_record other where other.course_id = r.course_id), r.initials, $2, $2
         from course_record r where r.id = $1 returning id, version_no",
        id,
        by
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    sqlx::query!(
        "insert into course_period (course_record_id, course_id, chapter_id, title, kind, media_asset_id, file_id, url, live_starts_at,
             live_ends_at, duration_seconds, page_count, weight, required, free_preview, enabled, sort_no, created_by, updated_by)
         select $2, course_id, chapter_id, title, kind, media_asset_id, file_id, url, live_starts_at, live_ends_at, duration_seconds,
                page_count, weight, required, free_preview, enabled, sort_no, $3, $3
         from course_period where course_record_id = $1",
        id,
        made.id,
        by
    )
    .execute(&mut **tx)
    .await?;
    let change = Change::event(
        "course_record",
        made.id,
        "insert",
        json!({ "copiedFrom": id, "name": from.name, "versionNo": made.version_no, "periodCount": from.period_count }),
    );
    Ok((made.id, change))
}
