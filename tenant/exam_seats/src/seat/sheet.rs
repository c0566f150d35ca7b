//! 导入座位编排: a plan that was made by hand, for one session; each row goes the way of 移动座位, all or none.

use std::collections::{BTreeSet, HashMap};

use exam_seat_rules::session::SessionTurn;
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    naming::{Codes, referred},
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Finished, Import, ImportAnswer, ImportForm, Imported, refuse},
};
use poem_openapi::{Multipart, OpenApi, types::multipart::Upload};

use super::{
    FetchSeatSheet, ImportSeats, SeatKept,
    auto::{settle, vacate},
    hold_batch, recount,
    steps::{SeatMove, places_of, put},
};
use crate::{
    offered::occupy,
    session::{self, HeldSession},
};

const NUMBER: &str = "学号";
const COURSE: &str = "课程编码";
const ROOM: &str = "考场号";
const SEAT: &str = "座位号";
const COLUMNS: &[(&str, &str)] =
    &[("candidateId", NUMBER), ("sessionRoomId", ROOM), ("seatNo", SEAT), ("courseId", COURSE)];

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct SeatImportForm {
    /// 文件
    pub file: Upload,
    /// 场次
    pub session_id: i64,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    /// 仅检查时应答的 sha256；与本次文件不同时拒绝导入
    pub sha256: Option<String>,
}

pub struct SeatImport;

#[OpenApi(prefix_path = "/offline/pc/offline/user/room", tag = "crate::Tag::ExamSeats")]
impl SeatImport {
    /// 导入座位编排
    /// 一个场次的座位；考场号还没有考场时，按使用顺序取考点的考场
    #[oai(path = "/import", method = "post", operation_id = "importExamSeats")]
    async fn import(&self, caller: Allowed<ImportSeats>, form: SeatImportForm) -> Result<Reply<ImportAnswer>> {
        let SeatImportForm { file, session_id, dry_run, sha256 } = form;
        transfer::import_into::<SeatSheet>(&caller, ImportForm { file, dry_run, sha256 }, Some(session_id)).await
    }

    /// 座位编排导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchExamSeatImportTemplate")]
    async fn template(&self, caller: Allowed<FetchSeatSheet>) -> Result<Attachment> {
        transfer::template::<SeatSheet, _>(&caller).await
    }
}

/// One import, with the session that it fills.
pub(crate) struct SeatSheet {
    scope: Scope,
    held: HeldSession,
    courses: Codes<i64>,
    /// By student number, in lower case, and course.
    candidates: HashMap<(String, i64), (i64, i64)>,
    /// Rooms of the session by point and number.
    rooms: HashMap<(i64, String), i64>,
    /// Rooms of each point in the order of their use.
    order: HashMap<i64, Vec<i64>>,
    used: BTreeSet<i64>,
}

impl Import for SeatSheet {
    const KIND: &'static str = "offline_seat.import";
    type Permission = ImportSeats;
    const CODES: &'static [(&'static str, &'static str)] = &[(COURSE, "course")];

    fn template() -> Template {
        Template {
            title: "座位编排",
            columns: vec![
                InputColumn::required(NUMBER, ""),
                InputColumn::required(COURSE, "课程管理中的编码"),
                InputColumn::required(ROOM, "三位数字，例如 001"),
                InputColumn::required(SEAT, "从1起"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> Result<Self> {
        let id = into.ok_or_else(Error::malformed)?;
        timetable::hold(tx).await?;
        let batch = sqlx::query_scalar!("select batch_id from offline_session where id = $1", id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| Error::field("sessionId", "所选场次不存在，请重新选择"))?;
        hold_batch(tx, batch).await?;
        let held = session::held(tx, &[id]).await?.into_iter().next().ok_or_else(Error::not_found)?;
        session::turn(&held, SessionTurn::Seat)?;
        let people = sqlx::query!(
            r#"select c.id as "id!", lower(y.student_no) as "number!", c.course_id as "course!",
                      coalesce(p.exam_site_id, y.site_id) as "site!"
               from exam_candidate c
               join exam_setup s on s.id = c.setup_id and s.session_id = $1 and s.status <> 'cancelled'
               join student y on y.id = c.student_id and y.student_no is not null
               left join offline_point p on p.batch_id = c.batch_id and p.site_id = y.site_id
               where not c.removed and ($2::bigint[] is null or coalesce(p.exam_site_id, y.site_id) = any($2))"#,
            id,
            scope.sites()
        )
        .fetch_all(&mut **tx)
        .await?;
        let rooms = sqlx::query!(
            "select id, site_id, exam_room_no, room_id from offline_session_room where session_id = $1",
            id
        )
        .fetch_all(&mut **tx)
        .await?;
        let order = sqlx::query!(
            "select id, site_id from exam_room r
             where r.enabled and ($1::bigint[] is null or r.site_id = any($1))
               and (not exists (select from offline_session_site w where w.session_id = $2)
                    or exists (select from offline_session_site w where w.session_id = $2 and w.site_id = r.site_id))
             order by r.site_id, r.priority, r.id",
            scope.sites(),
            id
        )
        .fetch_all(&mut **tx)
        .await?;
        let courses = sqlx::query!(
            "select distinct u.code, u.id from course u join exam_setup s on s.course_id = u.id where s.session_id = $1",
            id
        )
        .fetch_all(&mut **tx)
        .await?;
        let mut of_site: HashMap<i64, Vec<i64>> = HashMap::new();
        for row in order {
            of_site.entry(row.site_id).or_default().push(row.id);
        }
        Ok(Self {
            scope,
            held,
            courses: courses.into_iter().map(|row| (row.code, row.id)).collect(),
            candidates: people.into_iter().map(|row| ((row.number, row.course), (row.id, row.site))).collect(),
            used: rooms.iter().map(|row| row.room_id).collect(),
            rooms: rooms.into_iter().map(|row| ((row.site_id, row.exam_room_no), row.id)).collect(),
            order: of_site,
        })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        let mut changes = Vec::with_capacity(rows.len());
        for row in rows {
            let number = row.required(NUMBER);
            let course = referred(row, COURSE, &self.courses).copied();
            let room = row.required(ROOM);
            let seat = row.integer(SEAT).and_then(|no| i32::try_from(no).ok());
            if seat.is_none() {
                row.refuse_once(SEAT, "座位号应为1到900的整数");
            }
            let (Some(course), Some(seat_no), true) = (course, seat, row.errors().is_empty()) else { continue };
            let Some((candidate, site)) = self.candidates.get(&(number.to_lowercase(), course)).copied() else {
                row.refuse(NUMBER, "该学号不是本场次该课程的考生");
                continue;
            };
            tx.savepoint().await?;
            match self.one(tx, (candidate, site), &room, seat_no).await {
                Ok(change) => {
                    tx.row_done().await?;
                    changes.push(change);
                }
                Err(error) => {
                    tx.row_failed(error.clone()).await?;
                    refuse(row, COLUMNS, &error);
                }
            }
        }
        Ok(changes)
    }

    async fn finish(&mut self, tx: &mut Tx, write: bool) -> Result<Finished> {
        if !write {
            return Ok(Finished::default());
        }
        let mut rooms: Vec<i64> = self.rooms.values().copied().collect();
        rooms.sort_unstable();
        occupy(tx, &rooms).await?;
        Ok(Finished { changes: vec![settle(tx, &self.held).await?], ..Finished::default() })
    }

    /// The timetable, then the seats of the batches, as whoever gives seats holds them.
    async fn hold(tx: &mut Tx, records: &[i64]) -> Result<()> {
        timetable::hold(tx).await?;
        let batches = sqlx::query_scalar!(
            "select id from test_batch
             where id in (select x.batch_id from offline_seat t join offline_session x on x.id = t.session_id where t.id = any($1))
             order by id",
            records
        )
        .fetch_all(&mut **tx)
        .await?;
        for batch in batches {
            hold_batch(tx, batch).await?;
        }
        Ok(())
    }

    /// Who got a seat loses it, and the room that came with the sheet goes when nobody is left in it; who was moved sits where they sat.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if record.entity != "offline_seat" {
            return Ok(None);
        }
        // The session before its seats, as everywhere.
        let session = sqlx::query_scalar!("select session_id from offline_seat where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(Error::not_found)?;
        let held = session::held(tx, &[session]).await?.into_iter().next().ok_or_else(Error::not_found)?;
        session::turn(&held, SessionTurn::Seat)?;
        let now = seat(tx, record.id).await?;
        let site = sqlx::query_scalar!("select site_id from offline_session_room where id = $1", now.session_room_id)
            .fetch_one(&mut **tx)
            .await?;
        if !scope.sees(Some(site), None) {
            return Err(Error::not_found());
        }
        if record.is_new("offline_seat") {
            // A room of the same moment was made for the sheet.
            let made = sqlx::query_scalar!(
                "select r.id from offline_seat t
                 join offline_session_room r on r.id = t.session_room_id and r.created_at = t.created_at
                 where t.id = $1",
                record.id
            )
            .fetch_all(&mut **tx)
            .await?;
            sqlx::query!("delete from offline_seat where id = $1", record.id).execute(&mut **tx).await?;
            recount(tx, &[now.session_room_id]).await?;
            vacate(tx, &made).await?;
            let settled = settle(tx, &held).await?;
            tx.record(&[settled]).await?;
            return Ok(Some(Change::deleted("offline_seat", record.id, &now)));
        }
        let former: SeatKept = record.former(&now)?;
        let back = SeatMove {
            candidate_id: former.candidate_id,
            session_room_id: former.session_room_id,
            seat_no: former.seat_no,
        };
        // The room may be gone by now, be smaller, or lie beyond the scope.
        let places = places_of(tx, back.session_room_id, back.seat_no, scope).await;
        let (_, site) = places.map_err(|error| match error.code {
            404 | 422 => Error::conflict("原来的考场座位已不存在，不能恢复，请手工安排"),
            _ => error,
        })?;
        put(tx, &back, &held, site).await?;
        sqlx::query!("update offline_seat set manual = $2 where id = $1", record.id, former.manual)
            .execute(&mut **tx)
            .await?;
        Ok(Some(Change::edited("offline_seat", record.id, &now, &former)))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            "select y.name from offline_seat t join student y on y.id = t.student_id where t.id = $1",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}

async fn seat(tx: &mut Tx, id: i64) -> Result<SeatKept> {
    sqlx::query_as!(
        SeatKept,
        "select candidate_id, session_id, session_room_id, seat_no, student_id, manual from offline_seat where id = $1 for update",
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

impl SeatSheet {
    async fn one(&mut self, tx: &mut Tx, (candidate_id, site): (i64, i64), room: &str, seat_no: i32) -> Result<Change> {
        let wrong = |message: String| Error::field("sessionRoomId", message);
        let no = room.parse::<u32>().ok().filter(|no| (1..=999).contains(no));
        let no = no.ok_or_else(|| wrong("考场号应为三位数字，例如 001".to_owned()))?;
        let written = format!("{no:03}");
        let session_room_id = match self.rooms.get(&(site, written.clone())) {
            Some(known) => *known,
            None => {
                let place = usize::try_from(no - 1).unwrap_or(usize::MAX);
                let own = self.order.get(&site).and_then(|rooms| rooms.get(place)).copied();
                let own = own.filter(|own| !self.used.contains(own));
                let own = own.ok_or_else(|| wrong(format!("考生的考点没有{written}考场")))?;
                let busy = sqlx::query_scalar!(
                    r#"select x.code from offline_session_room r
                       join offline_session x on x.id = r.session_id
                       join offline_session o on o.id = $1 and o.starts_at < x.ends_at and o.ends_at > x.starts_at
                       where r.room_id = $2 and r.session_id <> $1 order by x.id limit 1"#,
                    self.held.id,
                    own
                )
                .fetch_optional(&mut **tx)
                .await?;
                if let Some(code) = busy {
                    return Err(wrong(format!("{written}考场同一时间用于{code}场次")));
                }
                let by = tx.by();
                sqlx::query_scalar!(
                    "insert into offline_session_room (session_id, room_id, site_id, exam_room_no, paper_bag_no, created_by, updated_by)
                     values ($1, $2, $3, $4, $4, $5, $5) returning id",
                    self.held.id,
                    own,
                    site,
                    written,
                    by
                )
                .fetch_one(&mut **tx)
                .await?
            }
        };
        let places = places_of(tx, session_room_id, seat_no, &self.scope).await?;
        let wanted = SeatMove { candidate_id, session_room_id, seat_no };
        let change = put(tx, &wanted, &self.held, places.1).await?;
        // Kept only now: a row that fails takes its room along.
        if self.rooms.insert((site, written), session_room_id).is_none() {
            let own = sqlx::query_scalar!("select room_id from offline_session_room where id = $1", session_room_id)
                .fetch_one(&mut **tx)
                .await?;
            self.used.insert(own);
        }
        Ok(change)
    }
}
