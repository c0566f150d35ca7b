//! Demonstration data: who watches, the rooms of confirmed sessions that are watched, and what was registered of those that were held.

use chrono::NaiveDate;
use infra::{Change, Result, Scope, Tx, clock::day_began, pinyin};
use serde_json::json;

use crate::record::steps::{held, turned, write};

/// Teachers a site who can be had.
const WATCHERS: i64 = 4;

/// Fills a school with invigilators of its sites, and their duties. Behind the seats.
///
/// # Errors
/// Those of the database.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    invigilators(tx).await?;
    // Two a room, as far as a site has them.
    sqlx::query!(
        "insert into invigilation (session_room_id, invigilator_id, role, signed_in, created_by, updated_by)
         select r.id, v.id, case when v.place % 2 = 1 then 'chief' else 'assistant' end, r.ends_at < $1, 0, 0
         from (select r.id, r.site_id, x.ends_at, row_number() over (partition by r.session_id, r.site_id order by r.exam_room_no) as place
               from offline_session_room r join offline_session x on x.id = r.session_id and x.status = 'confirmed') r
         join (select id, site_id, row_number() over (partition by site_id order by id) as place from invigilator) v
           on v.site_id = r.site_id and (v.place + 1) / 2 = r.place
         order by r.id, v.id",
        day_began(today) as _
    )
    .execute(&mut **tx)
    .await?;
    records(tx, today).await
}

/// Of the first session that was held every room is confirmed; of the next one some are registered, some are not.
async fn records(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let scope = Scope::whole_school();
    let rooms = sqlx::query!(
        r#"select r.id, dense_rank() over (order by x.starts_at, x.id) as "session!",
                  row_number() over (partition by x.id order by r.id) as "place!",
                  array(select z.seat_no from offline_seat z where z.session_room_id = r.id and z.seat_no % 13 = 4
                        order by z.seat_no) as "absent!: Vec<i32>"
           from offline_session_room r
           join offline_session x on x.id = r.session_id and x.status = 'confirmed' and x.ends_at < $1
           order by x.starts_at, r.id"#,
        day_began(today) as _
    )
    .fetch_all(&mut **tx)
    .await?;
    for room in rooms {
        let is_first = room.session == 1;
        if !is_first && room.place % 4 == 0 {
            continue;
        }
        let before = held(tx, room.id, &scope).await?;
        let note = if room.absent.is_empty() { "考场秩序良好" } else { "考场秩序良好，有考生缺考" };
        let change = write(tx, &before, (room.absent, Some(note.to_owned())), None).await?;
        tx.record(&[change]).await?;
        if is_first || room.place % 4 == 1 {
            let change = turned(tx, room.id, true, &scope).await?;
            tx.record(&[change]).await?;
        }
    }
    Ok(())
}

async fn invigilators(tx: &mut Tx) -> Result<()> {
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
