//! Demonstration data: who watches, and rooms of confirmed sessions that are watched.

use chrono::NaiveDate;
use infra::{Change, Result, Tx, pinyin};
use serde_json::json;

/// Teachers a site who can be had.
const WATCHERS: i64 = 6;

/// Fills a school with invigilators of its sites.
///
/// # Errors
/// Those of the database.
pub async fn fill(tx: &mut Tx, _today: NaiveDate) -> Result<()> {
    let rows = sqlx::query!(
        r#"select s.id as "site!", w.id as "teacher!", w.name as "name!", w.gender, w.phone as "phone!"
           from (select id, row_number() over (order by id) as place from site where status = 'active') s
           join (select id, name, gender, phone, row_number() over (order by id) as place from teacher where status = 'active') w
             on (w.place - 1) / $1 = s.place - 1
           order by w.id"#,
        WATCHERS
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut changes = Vec::new();
    for row in rows {
        let id = sqlx::query_scalar!(
            "insert into invigilator (kind, teacher_id, name, initials, gender, phone, site_id, created_by, updated_by)
             values ('teacher', $1, $2, $3, $4, $5, $6, 0, 0) returning id",
            row.teacher,
            row.name,
            pinyin::text_initials(&row.name),
            row.gender,
            row.phone,
            row.site
        )
        .fetch_one(&mut **tx)
        .await?;
        changes.push(Change::event(
            "invigilator",
            id,
            "insert",
            json!({ "teacherId": row.teacher, "siteId": row.site }),
        ));
    }
    tx.record(&changes).await
}
