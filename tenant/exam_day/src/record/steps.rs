//! 登记, 确认 and 取消确认 of what happened in a room (part 04 §4.4).

use exam_seat_rules::enums::RoomRecordStatus;
use exams::{candidate::attended, enums::ExamAttendance, evidence};
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Ids, Reply, Result, Saved, Scope, Tx, across::Keyed, clock::Moment,
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{ConfirmRoomRecords, RecordRoom, ReopenRoomRecords, RoomRecords};

/// What happened in a room.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RoomRecordForm {
    /// 场次考场
    pub session_room_id: i64,
    /// 缺考座位号
    #[oai(default, validator(max_items = 900))]
    pub absent_seat_nos: Vec<i32>,
    /// 考场情况
    #[oai(validator(max_length = 1000))]
    pub note: Option<String>,
    /// 到岗监考
    /// 监考员编号；不填时保留已有的
    #[oai(validator(max_items = 20))]
    pub signed_in_ids: Option<Vec<i64>>,
    /// 签字的记录表
    /// 不填时保留已有的
    #[oai(default, validator(max_items = 9))]
    pub file_ids: Vec<i64>,
    /// 版本
    /// 还未登记时为0
    pub version: i32,
}

impl Example for RoomRecordForm {
    fn example() -> Self {
        let (absent_seat_nos, signed_in_ids) = (vec![5, 9], Some(vec![1]));
        Self { session_room_id: 1, absent_seat_nos, note: None, signed_in_ids, file_ids: Vec::new(), version: 0 }
    }
}

/// What is kept of it in the trail.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct RoomRecordContent {
    /// 缺考座位
    pub absent_seats: Vec<i32>,
    /// 考场情况
    pub note: Option<String>,
    /// 到岗监考
    pub signed_in_ids: Vec<i64>,
}

pub struct Steps;

#[OpenApi(prefix_path = "/offline/pc/offline/manage", tag = "crate::Tag::ExamDay")]
impl Steps {
    /// 登记考场情况
    /// 考试开始后登记；确认后须先取消确认
    #[oai(path = "/record", method = "put", operation_id = "recordRoom")]
    async fn record(&self, caller: Allowed<RecordRoom>, Body(form): Body<RoomRecordForm>) -> Result<Reply<Saved>> {
        let id = form.session_room_id;
        let mut tx = caller.begin().await?;
        let room = held(&mut tx, id, &caller.scope()).await?;
        if room.version != form.version {
            return Err(tx.stale("offline_room_record", id).await);
        }
        let note = form.note.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(ToOwned::to_owned);
        let change = write(&mut tx, &room, (form.absent_seat_nos, note), form.signed_in_ids).await?;
        // Without new files those that were sent in before stay: whoever corrects a seat does not scan the form again.
        if !form.file_ids.is_empty() {
            evidence::keep(&mut tx, ("offline_room_record", id), &form.file_ids).await?;
            sqlx::query!("delete from offline_room_file where record_id = $1", id).execute(&mut *tx).await?;
            sqlx::query!(
                "insert into offline_room_file (record_id, file_id, sort_no)
             select $1, f.id, f.place::integer from unnest($2::bigint[]) with ordinality as f (id, place)",
                id,
                &form.file_ids
            )
            .execute(&mut *tx)
            .await?;
        }
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 确认考场情况
    /// 登记考生的到考情况；场次的考场全部确认后场次结束
    #[oai(path = "/confirm", method = "put", operation_id = "confirmRoomRecords")]
    async fn confirm(&self, caller: Allowed<ConfirmRoomRecords>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let tx = caller.begin().await?;
        Ok(reply(each(tx, ids.ids, true, &caller.scope()).await?))
    }

    /// 取消确认考场情况
    /// 成绩登记表提交前可以取消
    #[oai(path = "/unconfirm", method = "put", operation_id = "reopenRoomRecords")]
    async fn reopen(&self, caller: Allowed<ReopenRoomRecords>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let tx = caller.begin().await?;
        Ok(reply(each(tx, ids.ids, false, &caller.scope()).await?))
    }
}

/// A room of a session that is held, with its record.
pub(crate) struct Held {
    pub id: i64,
    session_id: i64,
    starts_at: Moment,
    pub status: RoomRecordStatus,
    pub content: RoomRecordContent,
    pub version: i32,
}

/// Holds a room behind its session.
///
/// # Errors
/// 404 for a room of another site.
pub(crate) async fn held(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Held> {
    RoomRecords::find(tx, id, scope).await?;
    sqlx::query_scalar!(
        "select id from offline_session where id = (select session_id from offline_session_room where id = $1) for update",
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    tx.lock("offline_session_room", id).await?;
    let row = sqlx::query!(
        r#"select r.session_id as "session_id!", x.starts_at as "starts_at!", coalesce(w.status, 'none') as "status!: RoomRecordStatus",
                  coalesce(w.absent_seats, '{}') as "absent!", w.note as "note?", coalesce(w.version, 0) as "version!"
           from offline_session_room r
           join offline_session x on x.id = r.session_id
           left join offline_room_record w on w.id = r.id
           where r.id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let signed_in_ids = sqlx::query_scalar!(
        "select invigilator_id from invigilation where session_room_id = $1 and signed_in order by invigilator_id",
        id
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(Held {
        id,
        session_id: row.session_id,
        starts_at: row.starts_at,
        status: row.status,
        content: RoomRecordContent { absent_seats: row.absent, note: row.note, signed_in_ids },
        version: row.version,
    })
}

/// Writes what happened in a room, and who came to watch it, where that is said.
///
/// # Errors
/// 409 before the session began, and for a record that is confirmed; 422 for a seat where nobody sits, and for who does not watch there.
pub(crate) async fn write(
    tx: &mut Tx,
    room: &Held,
    (mut absent, note): (Vec<i32>, Option<String>),
    came: Option<Vec<i64>>,
) -> Result<Change> {
    let now = tx.app().clock().now();
    if now < room.starts_at {
        return Err(Error::conflict("考试未开始，不能登记考场情况"));
    }
    if room.status == RoomRecordStatus::Confirmed {
        return Err(Error::conflict("考场情况已确认，请先取消确认"));
    }
    absent.sort_unstable();
    absent.dedup();
    let seats =
        sqlx::query_scalar!("select seat_no from offline_seat where session_room_id = $1 order by seat_no", room.id)
            .fetch_all(&mut **tx)
            .await?;
    if let Some(empty) = absent.iter().find(|seat| !seats.contains(seat)) {
        return Err(Error::field("absentSeatNos", format!("座位 {empty} 没有考生")));
    }
    let count = |length: usize| i32::try_from(length).map_err(Error::internal);
    let (missing, present) = (count(absent.len())?, count(seats.len() - absent.len())?);
    let (by, name) = (tx.by(), tx.actor().name.clone());
    sqlx::query!(
        "insert into offline_room_record (id, absent_seats, present_count, absent_count, note, recorded_by_name, recorded_at, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
         on conflict (id) do update
         set absent_seats = excluded.absent_seats, present_count = excluded.present_count, absent_count = excluded.absent_count,
             note = excluded.note, recorded_by_name = excluded.recorded_by_name, recorded_at = excluded.recorded_at,
             updated_at = excluded.updated_at, updated_by = excluded.updated_by, version = offline_room_record.version + 1",
        room.id,
        &absent,
        present,
        missing,
        note,
        name,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    let signed_in_ids = match came {
        Some(came) => signed_in(tx, room.id, came).await?,
        None => room.content.signed_in_ids.clone(),
    };
    let after = RoomRecordContent { absent_seats: absent, note, signed_in_ids };
    Ok(match room.status {
        RoomRecordStatus::None => Change::created("offline_room_record", room.id, &after),
        RoomRecordStatus::Recorded | RoomRecordStatus::Confirmed => {
            Change::edited("offline_room_record", room.id, &room.content, &after)
        }
    })
}

/// Keeps who of those who are to watch a room came.
///
/// # Errors
/// 422 for somebody who does not watch there.
async fn signed_in(tx: &mut Tx, room: i64, mut came: Vec<i64>) -> Result<Vec<i64>> {
    came.sort_unstable();
    came.dedup();
    let by = tx.by();
    let watchers = sqlx::query_scalar!(
        "select invigilator_id from invigilation where session_room_id = $1 order by id for update",
        room
    )
    .fetch_all(&mut **tx)
    .await?;
    if came.iter().any(|one| !watchers.contains(one)) {
        return Err(Error::field("signedInIds", "所选人员不在该考场的监考安排中，请刷新后重试"));
    }
    sqlx::query!(
        "update invigilation set signed_in = not signed_in, updated_at = now(), updated_by = $3, version = version + 1
         where session_room_id = $1 and signed_in <> (invigilator_id = any($2))",
        room,
        &came,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(came)
}

async fn each(tx: Tx, mut ids: Vec<i64>, confirm: bool, scope: &Scope) -> Result<BulkResult> {
    ids.sort_unstable();
    ids.dedup();
    let mut bulk = Bulk::named(tx, "offline_session_room", "exam_room_no");
    for id in ids {
        let outcome = turned(bulk.row().await?, id, confirm, scope).await;
        bulk.ended(id, outcome).await?;
    }
    bulk.commit().await
}

/// Confirms the record of a room, or takes that back.
///
/// # Errors
/// 404 for a room of another site; 409 from a record that is not so, and once scores were submitted.
pub(crate) async fn turned(tx: &mut Tx, id: i64, confirm: bool, scope: &Scope) -> Result<Change> {
    let room = held(tx, id, scope).await?;
    match (room.status, confirm) {
        (RoomRecordStatus::Recorded, true) | (RoomRecordStatus::Confirmed, false) => {}
        (RoomRecordStatus::None, true) => return Err(Error::conflict("考场情况未登记，不能确认")),
        (RoomRecordStatus::Confirmed, true) => return Err(Error::conflict("考场情况已确认")),
        (RoomRecordStatus::None | RoomRecordStatus::Recorded, false) => {
            return Err(Error::conflict("考场情况未确认，不能取消确认"));
        }
    }
    let seats = sqlx::query!(
        "select z.seat_no, z.candidate_id from offline_seat z join exam_candidate c on c.id = z.candidate_id
         where z.session_room_id = $1 and not c.removed order by z.candidate_id",
        id
    )
    .fetch_all(&mut **tx)
    .await?;
    if !confirm {
        let candidates: Vec<i64> = seats.iter().map(|seat| seat.candidate_id).collect();
        if !scores::offered::past_entering(tx, &candidates).await?.is_empty() {
            return Err(Error::conflict("成绩已提交，不能取消确认"));
        }
    }
    let came = |seat: i32| match (confirm, room.content.absent_seats.contains(&seat)) {
        (false, _) => ExamAttendance::Unknown,
        (true, true) => ExamAttendance::Absent,
        (true, false) => ExamAttendance::Present,
    };
    let marks: Vec<(i64, ExamAttendance)> = seats.iter().map(|seat| (seat.candidate_id, came(seat.seat_no))).collect();
    let mut changes = attended(tx, &marks).await?;
    let to = if confirm { RoomRecordStatus::Confirmed } else { RoomRecordStatus::Recorded };
    let (by, name, now) = (tx.by(), tx.actor().name.clone(), tx.app().clock().now());
    sqlx::query!(
        "update offline_room_record
         set status = $2, confirmed_by_name = case when $2 = 'confirmed' then $3 end,
             confirmed_at = case when $2 = 'confirmed' then $4::timestamptz end, updated_at = now(), updated_by = $5,
             version = version + 1
         where id = $1",
        id,
        to.as_str(),
        name,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    let open = sqlx::query_scalar!(
        r#"select exists (
               select from offline_session_room r left join offline_room_record w on w.id = r.id
               where r.session_id = $1 and w.status is distinct from 'confirmed') as "open!""#,
        room.session_id
    )
    .fetch_one(&mut **tx)
    .await?;
    if confirm && !open {
        changes.extend(exam_seats::offered::finish(tx, room.session_id).await?);
    }
    tx.record(&changes).await?;
    Ok(Change::status("offline_room_record", id, "status", room.status.as_str(), to.as_str()))
}
