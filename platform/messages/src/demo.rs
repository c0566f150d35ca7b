//! Messages of a demonstration school: two that scenes sent, and a draft. Nothing leaves such a school (05 D8-8).

use infra::{Change, Result, Tx};
use scenes::outbox::{Person, PersonKind, Persons, notify};
use serde_json::json;

/// Students of each message at most.
const READERS: i64 = 200;

/// Writes them and commits, once.
///
/// # Errors
/// Only internal ones.
pub async fn fill(mut tx: Tx) -> Result<()> {
    let known = sqlx::query_scalar!(r#"select exists (select from msg) as "known!""#).fetch_one(&mut *tx).await?;
    if known {
        return Ok(());
    }
    let ids = sqlx::query_scalar!("select id from student order by id limit $1", READERS).fetch_all(&mut *tx).await?;
    let persons =
        |ids: &[i64]| Persons::Recipients(ids.iter().map(|id| Person { kind: PersonKind::Student, id: *id }).collect());
    let of =
        |pairs: &[(&str, &str)]| pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let timetable = of(&[("semester", "2026年春季学期")]);
    notify(&mut tx, "timetable_published", persons(&ids), timetable, Some("demo:timetable")).await?;
    let first = &ids[..ids.len().min(3)];
    let result = of(&[("changeType", "转专业"), ("result", "通过"), ("remark", "自2026年3月起")]);
    notify(&mut tx, "change_result", persons(first), result, Some("demo:change")).await?;
    let id = sqlx::query_scalar!(
        "insert into msg (title, content, msg_type, channels, audience, creator_name, created_by, updated_by)
         values ('2026年春季学期缴费通知', '<p>各位同学：</p><p>请于3月15日前完成本学期缴费，逾期影响选课和考试。</p>', 'system',
                 array['in_app', 'sms'], 'all_students', '演示数据', 0, 0) returning id"
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit(Change::event("msg", id, "insert", json!({ "demo": true }))).await
}
