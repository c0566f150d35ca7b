//! The rooms of a demonstration school, and the sessions of its batch that goes on: two were held, one is confirmed, one is seated.

use chrono::{Days, NaiveDate};
use infra::{Error, Result, Scope, Tx, across::Keyed};

use crate::{
    room::{self, ExamRoomForm},
    seat::auto::{SeatAuto, seat_all},
    session::{self, ExamSessionForm, NewSession, Sessions},
    ticket,
};

/// Rooms of a site: rows, columns.
const ROOMS: [(&str, i32, i32); 4] = [("101", 6, 5), ("102", 6, 5), ("201", 9, 5), ("202", 9, 5)];
/// Times of a day.
const SLOTS: [(&str, &str); 2] = [("09:00", "11:00"), ("14:00", "16:00")];
/// Days of sessions, from the first of the batch on.
const DAYS: [u64; 3] = [0, 5, 6];
/// Sessions whose seats are confirmed; of the next one they are given and not confirmed.
const CONFIRMED: usize = 3;

/// Rooms at each site with students, and six sessions of the batch on paper that goes on.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let all = Scope::whole_school();
    let sites = sqlx::query_scalar!("select id from site where status in ('active', 'suspended') order by id")
        .fetch_all(&mut **tx)
        .await?;
    for site in sites {
        for (room_no, rows_count, columns_count) in ROOMS {
            let form = ExamRoomForm {
                site_id: site,
                classroom_id: None,
                building: Some("考试楼".to_owned()),
                room_no: room_no.to_owned(),
                name: None,
                rows_count,
                columns_count,
                capacity: None,
                blocked_seats: Vec::new(),
                room_type: None,
                monitored: true,
                priority: None,
            };
            room::insert(tx, form, &all).await?;
        }
    }
    let batch = sqlx::query!(
        r#"select id, exam_starts_on as "starts_on!", exam_ends_on as "ends_on!" from test_batch
           where status = 'active' and mode <> 'online' and exam_starts_on is not null and exam_ends_on >= $1
           order by id limit 1"#,
        today
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(batch) = batch else { return Ok(()) };
    for day in DAYS.into_iter().filter_map(|day| batch.starts_on.checked_add_days(Days::new(day))) {
        for (start, end) in SLOTS.iter().filter(|_| day <= batch.ends_on) {
            let form = ExamSessionForm {
                batch_id: batch.id,
                name: None,
                exam_date: day,
                start_time: (*start).to_owned(),
                end_time: (*end).to_owned(),
                duration_minutes: None,
                site_ids: Vec::new(),
            };
            session::insert(tx, &NewSession::of(form)?).await?;
        }
    }
    Ok(())
}

/// Seats who is set into the sessions, and confirms the first of them: behind the examinations that are set on paper.
///
/// # Errors
/// Only internal ones.
pub async fn seats(tx: &mut Tx) -> Result<()> {
    let sessions = sqlx::query!(
        r#"select x.id, x.batch_id from offline_session x
           where exists (select from exam_setup s where s.session_id = x.id and s.status in ('approved', 'published'))
           order by x.starts_at, x.id limit $1"#,
        i64::try_from(CONFIRMED + 1).map_err(Error::internal)?
    )
    .fetch_all(&mut **tx)
    .await?;
    for (place, row) in sessions.into_iter().enumerate() {
        let form = SeatAuto {
            batch_id: row.batch_id,
            session_ids: vec![row.id],
            site_ids: Vec::new(),
            room_ids: None,
            per_room: None,
            order: None,
            mix: None,
            fill: None,
            seat_pattern: None,
            seed: Some(1),
            keep_manual: false,
            preview: false,
        };
        let (_, changes) = seat_all(tx, form, &Scope::whole_school()).await?;
        tx.record(&changes).await?;
        let session = Sessions::find(tx, row.id, &Scope::whole_school()).await?;
        if place < CONFIRMED && session.seated > 0 && session.seated == session.candidates {
            let given = ticket::give(tx, row.batch_id, row.id).await?;
            tx.record(&given).await?;
            let change =
                session::turned(tx, row.id, session.status, crate::enums::ExamSessionStatus::Confirmed).await?;
            tx.record(&[change]).await?;
        }
    }
    Ok(())
}
