//! What the other rooms of examinations use of seats, each in the caller's own transaction.

use exam_seat_rules::session::SessionTurn;
use infra::{Change, Error, Result, Scope, Tx, clock::Moment};
use poem_openapi::Object;
use sqlx::PgConnection;
use timetable::{
    enums::{OccupationSource, ResourceKind},
    occupation::{Occupation, release},
};

use crate::{
    enums::ExamSessionStatus,
    seat::{SeatKept, recount},
    session::{self, NewSession},
};

/// Takes candidates off their seats; others stay where they are. Holds seats by id. A confirmed session stays confirmed.
///
/// # Errors
/// Those of the database.
pub async fn free(tx: &mut Tx, candidates: &[i64]) -> Result<Vec<Change>> {
    let seats = sqlx::query!(
        r#"select id, candidate_id, session_id, session_room_id, seat_no, student_id, manual
           from offline_seat where candidate_id = any($1) order by id for update"#,
        candidates
    )
    .fetch_all(&mut **tx)
    .await?;
    if seats.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = seats.iter().map(|seat| seat.id).collect();
    sqlx::query!("delete from offline_seat where id = any($1)", &ids).execute(&mut **tx).await?;
    let rooms: Vec<i64> = seats.iter().map(|seat| seat.session_room_id).collect();
    recount(tx, &rooms).await?;
    let gone = seats.into_iter().map(|seat| {
        let kept = SeatKept {
            candidate_id: seat.candidate_id,
            session_id: seat.session_id,
            session_room_id: seat.session_room_id,
            seat_no: seat.seat_no,
            student_id: seat.student_id,
            manual: seat.manual,
        };
        Change::deleted("offline_seat", seat.id, &kept)
    });
    Ok(gone.collect())
}

/// Candidates of a setup that may sit and have no seat. Reads.
///
/// # Errors
/// Those of the database.
pub async fn unseated(connection: &mut PgConnection, setup: i64) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "count!" from exam_candidate c
           where c.setup_id = $1 and not c.removed and c.eligibility = 'eligible'
             and not exists (select from offline_seat t where t.candidate_id = c.id)"#,
        setup
    )
    .fetch_one(connection)
    .await?)
}

/// A student who would be in two examinations at once.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct TimeClash {
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 冲突的课程
    pub course: String,
}

/// Students who would be in two examinations at once if this setup (its candidates) or these students were in this session; with their names
/// for a download.
///
/// # Errors
/// Those of the database.
pub async fn clashes(
    connection: &mut PgConnection,
    setup: Option<i64>,
    students: &[i64],
    session: i64,
) -> Result<Vec<TimeClash>> {
    Ok(sqlx::query_as!(
        TimeClash,
        r#"with people as (
               select w.student from unnest($2::bigint[]) as w (student)
               union
               select c.student_id from exam_candidate c
               where c.setup_id = $1 and not c.removed and c.eligibility = 'eligible'
           )
           select y.id as "student_id!", y.student_no as "student_no?", y.name as "name!", u.name as "course!"
           from offline_session x
           join exam_setup_time t on t.starts_at < x.ends_at and t.ends_at > x.starts_at and t.setup_id is distinct from $1
           join exam_setup s on s.id = t.setup_id and s.mode = 'offline' and s.status <> 'cancelled'
           join exam_candidate c on c.setup_id = s.id and not c.removed and c.eligibility = 'eligible'
           join people p on p.student = c.student_id
           join student y on y.id = c.student_id
           join course u on u.id = s.course_id
           where x.id = $3
           order by u.name, y.student_no, y.id"#,
        setup,
        students,
        session
    )
    .fetch_all(connection)
    .await?)
}

/// The session of a batch at this time that is for these sites, or for all where none is named; made for all, with the next code,
/// where there is none. Only who acts for the whole school makes one. Holds the batch.
///
/// # Errors
/// 422 when there is none and the caller may not make it, when the batch takes no sessions, or the time lies outside of it.
pub async fn session_at(
    tx: &mut Tx,
    batch: i64,
    (starts_at, ends_at): (Moment, Moment),
    duration: i32,
    (sites, scope): (&[i64], &Scope),
) -> Result<(i64, Option<Change>)> {
    tx.lock("test_batch", batch).await?;
    if let Some(id) = session::covering(tx, batch, (starts_at, ends_at), sites).await? {
        return Ok((id, None));
    }
    if !scope.is_whole() {
        return Err(Error::field("sessionId", "请选择已有场次"));
    }
    let new = NewSession {
        batch_id: batch,
        name: None,
        starts_at,
        ends_at,
        duration_minutes: duration,
        site_ids: Vec::new(),
    };
    let (id, change) = session::insert(tx, &new).await?;
    Ok((id, Some(change)))
}

/// Keeps the classrooms of these rooms of sessions, and the teachers who watch there, busy; sets free what they kept. The timetable is held by
/// the caller ([`timetable::hold`]).
///
/// # Errors
/// 409 with all that is in the way.
pub async fn occupy(tx: &mut Tx, session_rooms: &[i64]) -> Result<()> {
    release(tx, OccupationSource::ExamSession, session_rooms).await?;
    let rows = sqlx::query!(
        r#"select r.id as "room!", 'classroom' as "kind!: ResourceKind", e.classroom_id as "resource!", x.starts_at as "starts_at!",
                  x.ends_at as "ends_at!", b.name as "batch!"
           from offline_session_room r
           join exam_room e on e.id = r.room_id
           join offline_session x on x.id = r.session_id
           join test_batch b on b.id = x.batch_id
           where r.id = any($1) and e.classroom_id is not null
           union all
           select r.id, 'teacher', w.teacher_id, x.starts_at, x.ends_at, b.name
           from offline_session_room r
           join invigilation i on i.session_room_id = r.id
           join invigilator w on w.id = i.invigilator_id
           join offline_session x on x.id = r.session_id
           join test_batch b on b.id = x.batch_id
           where r.id = any($1) and w.teacher_id is not null
           order by 1, 2, 3"#,
        session_rooms
    )
    .fetch_all(&mut **tx)
    .await?;
    let wanted: Vec<Occupation> = rows
        .into_iter()
        .map(|row| Occupation {
            kind: row.kind,
            resource_id: row.resource,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            source_id: Some(row.room),
            note: Some(format!("《{}》", row.batch)),
        })
        .collect();
    timetable::occupation::occupy(tx, OccupationSource::ExamSession, &wanted).await
}

/// A session all of whose rooms are confirmed ends.
///
/// # Errors
/// Those of the database.
pub async fn finish(tx: &mut Tx, session: i64) -> Result<Option<Change>> {
    let status = sqlx::query_scalar!(
        r#"select status as "status: ExamSessionStatus" from offline_session where id = $1 for update"#,
        session
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let Ok(to) = exam_seat_rules::session::after(status, SessionTurn::Finish) else { return Ok(None) };
    let open = sqlx::query_scalar!(
        r#"select exists (
               select from offline_session_room r
               where r.session_id = $1 and not exists (
                   select from offline_room_record c where c.id = r.id and c.status = 'confirmed')) as "open!""#,
        session
    )
    .fetch_one(&mut **tx)
    .await?;
    if open {
        return Ok(None);
    }
    session::turned(tx, session, status, to).await.map(Some)
}
