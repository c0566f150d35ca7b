//! 移动, 调换, 清空, 确认 and 取消确认.

use exam_seat_rules::{seats::usable, session::SessionTurn};
use infra::{Allowed, Body, Change, Error, OnConstraint, Reply, Result, Saved, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    ClearSeats, ConfirmSeats, MoveSeat, SeatKept, SwapSeats, UnconfirmSeats,
    auto::{empty, settle},
    hold_batch, recount,
};
use crate::{
    session::{self, HeldSession},
    ticket,
};

/// Where somebody goes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SeatMove {
    /// 考生编号
    pub candidate_id: i64,
    /// 场次考场
    pub session_room_id: i64,
    /// 座位号
    #[oai(validator(minimum(value = "1"), maximum(value = "900")))]
    pub seat_no: i32,
}

impl Example for SeatMove {
    fn example() -> Self {
        Self { candidate_id: 1, session_room_id: 1, seat_no: 5 }
    }
}

/// Two who change their seats.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SeatSwap {
    /// 考生编号
    pub a: i64,
    /// 另一名考生编号
    pub b: i64,
}

impl Example for SeatSwap {
    fn example() -> Self {
        Self { a: 1, b: 2 }
    }
}

/// Whose seats are taken away.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SeatClear {
    /// 场次
    pub session_id: i64,
    /// 考点
    /// 不填时为全部考点
    pub site_id: Option<i64>,
}

impl Example for SeatClear {
    fn example() -> Self {
        Self { session_id: 1, site_id: Some(1) }
    }
}

/// A session whose seats are right.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SeatConfirm {
    /// 场次
    pub session_id: i64,
    /// 版本
    pub version: i32,
}

impl Example for SeatConfirm {
    fn example() -> Self {
        Self { session_id: 1, version: 1 }
    }
}

/// A session that is to be seated anew.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SeatUnconfirm {
    /// 场次
    pub session_id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    /// 准考证开放后必填，2至200个字符
    #[oai(validator(max_length = 200))]
    pub reason: Option<String>,
}

impl Example for SeatUnconfirm {
    fn example() -> Self {
        Self { session_id: 1, version: 1, reason: Some("考点调整".to_owned()) }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/offline/pc/offline/user/room", tag = "crate::Tag::ExamSeats")]
impl Steps {
    /// 移动座位
    /// 还没有座位的考生也可以直接安排
    #[oai(path = "/move", method = "put", operation_id = "moveExamSeat")]
    async fn shift(&self, caller: Allowed<MoveSeat>, Body(wanted): Body<SeatMove>) -> Result<Reply<Saved>> {
        let id = wanted.candidate_id;
        let mut tx = caller.begin().await?;
        let changes = shift(&mut tx, &wanted, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id }))
    }

    /// 调换座位
    #[oai(path = "/swap", method = "put", operation_id = "swapExamSeats")]
    async fn swap(&self, caller: Allowed<SwapSeats>, Body(wanted): Body<SeatSwap>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let changes = swap(&mut tx, &wanted, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.a }))
    }

    /// 清空座位
    #[oai(path = "/clear", method = "post", operation_id = "clearExamSeats")]
    async fn clear(&self, caller: Allowed<ClearSeats>, Body(wanted): Body<SeatClear>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let changes = clear(&mut tx, &wanted, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.session_id }))
    }

    /// 确认座位
    /// 全部考生都有座位后确认，并发给准考证号
    #[oai(path = "/confirm", method = "put", operation_id = "confirmExamSeats")]
    async fn confirm(&self, caller: Allowed<ConfirmSeats>, Body(wanted): Body<SeatConfirm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_long().await?;
        let held = alone(&mut tx, wanted.session_id).await?;
        if held.version != wanted.version {
            return Err(tx.stale("offline_session", held.id).await);
        }
        let to = session::turn(&held, SessionTurn::Confirm)?;
        let waiting = sqlx::query_scalar!(
            r#"select count(*) as "count!" from exam_candidate c join exam_setup s on s.id = c.setup_id
               where s.session_id = $1 and s.status in ('approved', 'published') and not s.no_seating
                 and not c.removed and c.eligibility = 'eligible'
                 and not exists (select from offline_seat t where t.candidate_id = c.id)"#,
            held.id
        )
        .fetch_one(&mut *tx)
        .await?;
        if waiting > 0 {
            return Err(Error::conflict(format!("还有 {waiting} 名考生未编排座位")));
        }
        let mut changes = ticket::give(&mut tx, held.batch_id, held.id).await?;
        changes.push(session::turned(&mut tx, held.id, held.status, to).await?);
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.session_id }))
    }

    /// 取消确认座位
    #[oai(path = "/unconfirm", method = "put", operation_id = "unconfirmExamSeats")]
    async fn unconfirm(
        &self,
        caller: Allowed<UnconfirmSeats>,
        Body(wanted): Body<SeatUnconfirm>,
    ) -> Result<Reply<Saved>> {
        let reason = wanted.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
        if reason.is_some_and(|reason| reason.chars().count() < 2) {
            return Err(Error::field("reason", "请填写原因"));
        }
        let mut tx = caller.begin().await?;
        let held = alone(&mut tx, wanted.session_id).await?;
        if held.version != wanted.version {
            return Err(tx.stale("offline_session", held.id).await);
        }
        let open = sqlx::query_scalar!("select ticket_publish_at from test_batch where id = $1", held.batch_id)
            .fetch_one(&mut *tx)
            .await?
            .is_some_and(|at| at <= tx.app().clock().now());
        let to = session::turn(&held, SessionTurn::Unconfirm { excused: !open || reason.is_some() })?;
        let change = session::turned(&mut tx, held.id, held.status, to).await?;
        tx.commit(change.because(reason)).await?;
        Ok(reply(Saved { id: wanted.session_id }))
    }
}

/// Holds a session with the seats of its batch.
///
/// # Errors
/// 404 when there is none.
async fn alone(tx: &mut Tx, id: i64) -> Result<HeldSession> {
    let batch = sqlx::query_scalar!("select batch_id from offline_session where id = $1", id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    hold_batch(tx, batch).await?;
    session::held(tx, &[id]).await?.into_iter().next().ok_or_else(Error::not_found)
}

/// A seat that stands.
#[derive(Debug, Clone)]
struct Stands {
    id: i64,
    candidate_id: i64,
    session_id: i64,
    session_room_id: i64,
    seat_no: i32,
    student_id: i64,
    manual: bool,
    site_id: i64,
}

impl Stands {
    fn kept(&self) -> SeatKept {
        SeatKept {
            candidate_id: self.candidate_id,
            session_id: self.session_id,
            session_room_id: self.session_room_id,
            seat_no: self.seat_no,
            student_id: self.student_id,
            manual: self.manual,
        }
    }
}

/// The seats of candidates, held by id.
async fn seats_of(tx: &mut Tx, candidates: &[i64]) -> Result<Vec<Stands>> {
    Ok(sqlx::query_as!(
        Stands,
        "select t.id, t.candidate_id, t.session_id, t.session_room_id, t.seat_no, t.student_id, t.manual, r.site_id
         from offline_seat t join offline_session_room r on r.id = t.session_room_id
         where t.candidate_id = any($1) order by t.id for update of t",
        candidates
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// A room of a session that takes a seat of this number.
///
/// # Errors
/// 404 outside the scope; 422 for a number that the room does not have.
pub(super) async fn places_of(tx: &mut Tx, room: i64, seat_no: i32, scope: &Scope) -> Result<(i64, i64)> {
    let row = sqlx::query!(
        "select r.session_id, r.site_id, e.rows_count, e.columns_count, e.capacity, e.blocked_seats
         from offline_session_room r join exam_room e on e.id = r.room_id where r.id = $1",
        room
    )
    .fetch_optional(&mut **tx)
    .await?
    .filter(|row| scope.sees(Some(row.site_id), None))
    .ok_or_else(Error::not_found)?;
    let size = |count: i32| usize::try_from(count).unwrap_or(0);
    let places = usable(size(row.rows_count), size(row.columns_count), &row.blocked_seats, size(row.capacity)).len();
    if size(seat_no) > places {
        return Err(Error::field("seatNo", format!("该考场只有{places}个座位")));
    }
    Ok((row.session_id, row.site_id))
}

/// Puts somebody on a seat of a room, held or new; the session is held and takes seats.
///
/// # Errors
/// 409 when somebody sits there, or they sit elsewhere at that time; 422 when they may not sit there.
pub(super) async fn put(tx: &mut Tx, wanted: &SeatMove, held: &HeldSession, site: i64) -> Result<Change> {
    let person = sqlx::query!(
        r#"select c.student_id as "student_id!", s.session_id as "session_id?", s.status as "status!", s.no_seating as "no_seating!",
                  c.removed as "removed!", c.eligibility as "eligibility!", coalesce(p.exam_site_id, y.site_id) as "site!",
                  (select z.code from offline_seat o
                   join offline_session z on z.id = o.session_id
                   join offline_session x on x.id = $2
                   where o.student_id = c.student_id and o.candidate_id <> c.id
                     and z.starts_at < x.ends_at and z.ends_at > x.starts_at limit 1) as "busy?"
           from exam_candidate c
           join exam_setup s on s.id = c.setup_id
           join student y on y.id = c.student_id
           left join offline_point p on p.batch_id = c.batch_id and p.site_id = y.site_id
           where c.id = $1"#,
        wanted.candidate_id,
        held.id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let open = matches!(person.status.as_str(), "approved" | "published") && !person.no_seating && !person.removed;
    if !open || person.eligibility != "eligible" || person.session_id != Some(held.id) {
        return Err(Error::field("candidateId", "该考生不参加本场次的考试，不能安排座位"));
    }
    if person.site != site {
        return Err(Error::field("sessionRoomId", "该考场不属于考生的考点"));
    }
    if let Some(code) = person.busy {
        return Err(Error::conflict(format!("该考生同一时间已在{code}场考试")));
    }
    let taken = |constraint: &str| match constraint {
        "offline_seat_taken" => Some(Error::conflict("该座位已被占用")),
        "offline_seat_student_taken" => Some(Error::conflict("该考生本场次已有座位")),
        _ => None,
    };
    let by = tx.by();
    let before = seats_of(tx, &[wanted.candidate_id]).await?.into_iter().next();
    let kept = SeatKept {
        candidate_id: wanted.candidate_id,
        session_id: held.id,
        session_room_id: wanted.session_room_id,
        seat_no: wanted.seat_no,
        student_id: person.student_id,
        manual: true,
    };
    let Some(before) = before else {
        let id = sqlx::query_scalar!(
            "insert into offline_seat (candidate_id, session_id, session_room_id, seat_no, student_id, manual, created_by, updated_by)
             values ($1, $2, $3, $4, $5, true, $6, $6) returning id",
            wanted.candidate_id,
            held.id,
            wanted.session_room_id,
            wanted.seat_no,
            person.student_id,
            by
        )
        .fetch_one(&mut **tx)
        .await
        .on_constraint(taken)?;
        recount(tx, &[wanted.session_room_id]).await?;
        return Ok(Change::created("offline_seat", id, &kept));
    };
    sqlx::query!(
        "update offline_seat set session_id = $2, session_room_id = $3, seat_no = $4, manual = true, updated_at = now(),
                updated_by = $5, version = version + 1
         where id = $1",
        before.id,
        held.id,
        wanted.session_room_id,
        wanted.seat_no,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(taken)?;
    recount(tx, &[before.session_room_id, wanted.session_room_id]).await?;
    Ok(Change::edited("offline_seat", before.id, &before.kept(), &kept))
}

/// # Errors
/// 404 outside the scope; 409 when the session is confirmed, or the seat is taken.
async fn shift(tx: &mut Tx, wanted: &SeatMove, scope: &Scope) -> Result<Vec<Change>> {
    let (session, site) = places_of(tx, wanted.session_room_id, wanted.seat_no, scope).await?;
    let held = alone(tx, session).await?;
    session::turn(&held, SessionTurn::Seat)?;
    let own = seats_of(tx, &[wanted.candidate_id]).await?;
    if own.iter().any(|seat| !scope.sees(Some(seat.site_id), None)) {
        return Err(Error::not_found());
    }
    let moved = put(tx, wanted, &held, site).await?;
    Ok(vec![moved, settle(tx, &held).await?])
}

/// # Errors
/// 404 when one has no seat, or none within the scope; 409 when they sit in different sessions or points.
async fn swap(tx: &mut Tx, wanted: &SeatSwap, scope: &Scope) -> Result<Vec<Change>> {
    if wanted.a == wanted.b {
        return Err(Error::field("b", "请选择两名考生"));
    }
    let session = sqlx::query_scalar!("select session_id from offline_seat where candidate_id = $1", wanted.a)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    let held = alone(tx, session).await?;
    session::turn(&held, SessionTurn::Seat)?;
    let seats = seats_of(tx, &[wanted.a, wanted.b]).await?;
    let [one, other] = seats.as_slice() else { return Err(Error::not_found()) };
    if !scope.sees(Some(one.site_id), None) || !scope.sees(Some(other.site_id), None) {
        return Err(Error::not_found());
    }
    if (one.session_id, one.site_id) != (other.session_id, other.site_id) {
        return Err(Error::conflict("只能在同一场次同一考点内调换"));
    }
    // Both go before either comes: a seat is one person's at every moment.
    sqlx::query!("delete from offline_seat where id = any($1)", &[one.id, other.id]).execute(&mut **tx).await?;
    let by = tx.by();
    let mut changes = Vec::with_capacity(4);
    for (who, place) in [(one, other), (other, one)] {
        let kept =
            SeatKept { session_room_id: place.session_room_id, seat_no: place.seat_no, manual: true, ..who.kept() };
        let id = sqlx::query_scalar!(
            "insert into offline_seat (candidate_id, session_id, session_room_id, seat_no, student_id, manual, created_by, updated_by)
             values ($1, $2, $3, $4, $5, true, $6, $6) returning id",
            kept.candidate_id,
            kept.session_id,
            kept.session_room_id,
            kept.seat_no,
            kept.student_id,
            by
        )
        .fetch_one(&mut **tx)
        .await?;
        changes.push(Change::deleted("offline_seat", who.id, &who.kept()));
        changes.push(Change::created("offline_seat", id, &kept));
    }
    Ok(changes)
}

/// # Errors
/// 404 outside the scope; 409 when the session is confirmed.
async fn clear(tx: &mut Tx, wanted: &SeatClear, scope: &Scope) -> Result<Vec<Change>> {
    if wanted.site_id.is_some_and(|site| !scope.sees(Some(site), None)) {
        return Err(Error::not_found());
    }
    timetable::hold(tx).await?;
    let held = alone(tx, wanted.session_id).await?;
    session::turn(&held, SessionTurn::Clear)?;
    let sites = sqlx::query_scalar!(
        "select distinct site_id from offline_session_room
         where session_id = $1 and ($2::bigint is null or site_id = $2) and ($3::bigint[] is null or site_id = any($3))
         order by site_id",
        held.id,
        wanted.site_id,
        scope.sites()
    )
    .fetch_all(&mut **tx)
    .await?;
    empty(tx, held.id, &sites, false).await?;
    let rooms = sqlx::query_scalar!("select id from offline_session_room where session_id = $1 order by id", held.id)
        .fetch_all(&mut **tx)
        .await?;
    recount(tx, &rooms).await?;
    let change = Change::event("offline_session", held.id, "clear", serde_json::json!({ "sites": sites }));
    Ok(vec![change, settle(tx, &held).await?])
}
