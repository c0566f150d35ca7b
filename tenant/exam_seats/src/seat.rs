//! 座位编排: who sits where in a session (part 04 §4.3).
//!
//! A candidate lies where their student does, also in the data scope; the grid of a room where its site does.

pub mod auto;
pub mod export;
pub mod print;
mod select;
pub mod sheet;
pub mod steps;

use exam_seat_rules::seats::numbered;
use infra::{
    Allowed, Body, Entity, Error, History, Paged, Part, Reply, Result, Scope, Tx,
    across::{self, SchoolPage},
    permissions, reply,
    transfer::{export_job, import_job},
};
use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{ParseFromJSON, ToJSON},
};
use serde_json::{Map, Value};
use sqlx::PgConnection;

use crate::enums::{ExamSessionStatus, SeatFill, SeatMix, SeatOrder, SeatPattern};

pub use select::{ExamSeat, ExamSeatFilter};

permissions! {
    pages "/schoolPC/examination/offlineIndex/offlineManage", "/platformPC/examination/offlineIndex/offlineTestList";
    EachSchool  Reads       ListSeats      = "offline:pc:offline:user:room:list" "座位编排列表";
    EachSchool  Reads       ViewSeatGrid   = "offline:pc:offline:user:room:view" "考场座位图";
    InSchool    Writes      SeatAll        = "offline:pc:offline:user:room:auto" "自动编排座位";
    InSchool    Writes      PlaceSeats     = "offline:pc:offline:user:room:place" "安排剩余考生";
    InSchool    Writes      MoveSeat       = "offline:pc:offline:user:room:move" "移动座位";
    InSchool    Writes      SwapSeats      = "offline:pc:offline:user:room:swap" "调换座位";
    InSchool    Writes      ClearSeats     = "offline:pc:offline:user:room:clear" "清空座位";
    WholeSchool Writes      ConfirmSeats   = "offline:pc:offline:user:room:confirm" "确认座位";
    WholeSchool Writes      UnconfirmSeats = "offline:pc:offline:user:room:unconfirm" "取消确认座位";
    EachSchool  ReadsLogged ExportSeats    = "offline:pc:offline:user:room:export" "导出座位编排";
    InSchool    Writes      ImportSeats    = "offline:pc:offline:user:room:import" "导入座位编排";
    InSchool    Reads       FetchSeatSheet = "offline:pc:offline:user:room:import" "导入座位编排";
    InSchool    ReadsLogged PrintSeats     = "offline:pc:offline:user:room:print" "打印座位编排";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[print::SeatPaper::ENUMERATION],
    entities: &[Entity { table: "offline_seat", name: "座位", counted: "个座位" }],
    jobs: &[export_job::<export::SeatSheets>(), import_job::<sheet::SeatSheet>(), auto::JOB, print::JOB],
    histories: &[History {
        table: "offline_seat",
        code: "offline:pc:offline:user:room:view",
        scope: Some(("(select r.site_id from offline_session_room r where r.id = offline_seat.session_room_id)", None)),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// A seat as it stands in the trail.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct SeatKept {
    /// 考生编号
    pub candidate_id: i64,
    /// 场次
    pub session_id: i64,
    /// 场次考场
    pub session_room_id: i64,
    /// 座位号
    pub seat_no: i32,
    /// 学生编号
    pub student_id: i64,
    /// 人工安排
    pub manual: bool,
}

/// How the seats of a site were given last.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct SeatOptions {
    /// 每考场人数
    pub per_room: i32,
    /// 排座顺序
    pub order: SeatOrder,
    /// 混排方式
    pub mix: SeatMix,
    /// 填充方式
    pub fill: SeatFill,
    /// 座位走向
    pub seat_pattern: SeatPattern,
    /// 随机种子
    pub seed: i64,
}

/// Of a session: the options of each of its sites.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seating(Map<String, Value>);

impl Seating {
    pub fn of(value: Option<Value>) -> Self {
        match value {
            Some(Value::Object(sites)) => Self(sites),
            _ => Self::default(),
        }
    }

    pub fn at(&self, site: i64) -> Option<SeatOptions> {
        SeatOptions::parse_from_json(self.0.get(&site.to_string()).cloned()).ok()
    }

    /// Which way the numbers of a room go; along a snake until somebody says otherwise.
    pub fn pattern(&self, site: i64) -> SeatPattern {
        self.at(site).map_or(SeatPattern::Snake, |options| options.seat_pattern)
    }

    pub fn put(&mut self, site: i64, options: &SeatOptions) {
        self.0.insert(site.to_string(), options.to_json().unwrap_or_default());
    }

    pub fn into_value(self) -> Value {
        Value::Object(self.0)
    }
}

/// Holds the seats of a batch until the transaction ends, behind the timetable and before any row.
///
/// # Errors
/// 409 when somebody else holds them for too long.
pub(crate) async fn hold_batch(tx: &mut Tx, batch: i64) -> Result<()> {
    sqlx::query!(
        r#"select pg_advisory_xact_lock(hashtextextended('exam batch ' || current_schema() || $1::bigint, 0))::text as "locked""#,
        batch
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(())
}

/// Counts anew how many sit in rooms of sessions.
pub(crate) async fn recount(tx: &mut Tx, rooms: &[i64]) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update offline_session_room r
         set planned_count = n.count, updated_at = now(), updated_by = $2, version = version + 1
         from (select w.id, count(t.id)::integer as count
               from unnest($1::bigint[]) as w (id) left join offline_seat t on t.session_room_id = w.id group by w.id) n
         where r.id = n.id and r.planned_count <> n.count",
        rooms,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A place of a room.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GridSeat {
    /// 座位号
    pub seat_no: i32,
    /// 行
    pub row: i32,
    /// 列
    pub column: i32,
    /// 考生编号
    pub candidate_id: Option<i64>,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: Option<String>,
    /// 准考证号
    pub ticket_no: Option<String>,
    /// 课程编号
    pub course_id: Option<i64>,
    /// 课程
    pub course_name: Option<String>,
    /// 人工安排
    pub manual: bool,
}

/// A room of a session with its seats.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SeatGrid {
    /// 场次考场
    pub session_room_id: i64,
    /// 场次
    pub session_id: i64,
    /// 场次状态
    pub session_status: ExamSessionStatus,
    /// 站点
    pub site_id: i64,
    /// 站点名称
    pub site_name: String,
    /// 考场号
    pub exam_room_no: String,
    /// 考场名称
    pub room_name: String,
    /// 行数
    pub rows_count: i32,
    /// 列数
    pub columns_count: i32,
    /// 座位
    pub seats: Vec<GridSeat>,
}

/// A room of a session, for the tree of sites.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SessionRoom {
    /// 场次考场
    pub id: i64,
    /// 站点
    pub site_id: i64,
    /// 站点名称
    pub site_name: String,
    /// 考场号
    pub exam_room_no: String,
    /// 考场名称
    pub room_name: String,
    /// 考位数
    pub capacity: i32,
    /// 已编排
    pub planned_count: i32,
}

/// The rooms of a session; of one room also its seats.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SeatGrids {
    /// 考场
    pub rooms: Vec<SessionRoom>,
    /// 座位图
    /// 指明考场时
    #[oai(skip_serializing_if_is_none)]
    pub grid: Option<SeatGrid>,
}

pub struct Seats;

#[OpenApi(prefix_path = "/offline/pc/offline/user/room", tag = "crate::Tag::ExamSeats")]
impl Seats {
    /// 座位编排列表
    #[oai(path = "/list", method = "post", operation_id = "listExamSeats")]
    async fn list(
        &self,
        caller: Allowed<ListSeats>,
        Body(asked): Body<Paged<ExamSeatFilter>>,
    ) -> Result<Reply<SchoolPage<ExamSeat>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 考场座位图
    /// 按场次列出考场；指明场次考场时，列出其全部座位
    #[oai(path = "/grid", method = "get", operation_id = "viewExamSeatGrid")]
    async fn grid(
        &self,
        caller: Allowed<ViewSeatGrid>,
        /// 场次考场
        #[oai(name = "sessionRoomId")]
        session_room_id: Query<Option<i64>>,
        /// 场次
        #[oai(name = "sessionId")]
        session_id: Query<Option<i64>>,
    ) -> Result<Reply<SeatGrids>> {
        let mut tx = caller.read().await?;
        let scope = caller.scope();
        let grid = match session_room_id.0 {
            Some(room) => Some(grid_of(&mut tx, room, &scope).await?),
            None => None,
        };
        let session = grid.as_ref().map(|grid| grid.session_id).or(session_id.0);
        let session = session.ok_or_else(Error::malformed)?;
        Ok(reply(SeatGrids { rooms: rooms_of(&mut tx, session, &scope).await?, grid }))
    }
}

/// The rooms of a session that the scope shows.
async fn rooms_of(connection: &mut PgConnection, session: i64, scope: &Scope) -> Result<Vec<SessionRoom>> {
    Ok(sqlx::query_as!(
        SessionRoom,
        r#"select r.id, r.site_id, s.name as site_name, r.exam_room_no, e.name as room_name, e.capacity, r.planned_count
           from offline_session_room r
           join site s on s.id = r.site_id
           join exam_room e on e.id = r.room_id
           where r.session_id = $1 and ($2::bigint[] is null or r.site_id = any($2))
           order by s.code, r.exam_room_no"#,
        session,
        scope.sites()
    )
    .fetch_all(connection)
    .await?)
}

/// A room with its seats, empty ones among them.
///
/// # Errors
/// 404 when there is none, or none within the scope.
async fn grid_of(connection: &mut PgConnection, room: i64, scope: &Scope) -> Result<SeatGrid> {
    let head = sqlx::query!(
        r#"select r.session_id, x.status as "status: ExamSessionStatus", x.seating as "seating?", r.site_id, s.name as site_name,
                  r.exam_room_no, e.name as room_name, e.rows_count, e.columns_count, e.capacity, e.blocked_seats
           from offline_session_room r
           join offline_session x on x.id = r.session_id
           join site s on s.id = r.site_id
           join exam_room e on e.id = r.room_id
           where r.id = $1 and ($2::bigint[] is null or r.site_id = any($2))"#,
        room,
        scope.sites()
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let seated = sqlx::query!(
        r#"select t.seat_no as "seat_no!", t.candidate_id as "candidate_id!", y.student_no as "student_no?", y.name as "name!",
                  k.ticket_no as "ticket_no?", u.id as "course_id!", u.name as "course!", t.manual as "manual!"
           from offline_seat t
           join exam_candidate c on c.id = t.candidate_id
           join student y on y.id = t.student_id
           join course u on u.id = c.course_id
           left join exam_ticket k on k.batch_id = c.batch_id and k.student_id = c.student_id
           where t.session_room_id = $1 order by t.seat_no"#,
        room
    )
    .fetch_all(connection)
    .await?;
    let pattern = Seating::of(head.seating).pattern(head.site_id);
    let size = |count: i32| usize::try_from(count).unwrap_or(0);
    let cells =
        numbered((size(head.rows_count), size(head.columns_count)), &head.blocked_seats, size(head.capacity), pattern);
    let place = |place: usize| i32::try_from(place + 1).unwrap_or(i32::MAX);
    let mut seats: Vec<GridSeat> = cells
        .iter()
        .enumerate()
        .map(|(no, cell)| GridSeat {
            seat_no: place(no),
            row: place(cell.row),
            column: place(cell.column),
            candidate_id: None,
            student_no: None,
            name: None,
            ticket_no: None,
            course_id: None,
            course_name: None,
            manual: false,
        })
        .collect();
    for row in seated {
        let Some(seat) = seats.iter_mut().find(|seat| seat.seat_no == row.seat_no) else { continue };
        seat.candidate_id = Some(row.candidate_id);
        seat.student_no = row.student_no;
        seat.name = Some(row.name);
        seat.ticket_no = row.ticket_no;
        seat.course_id = Some(row.course_id);
        seat.course_name = Some(row.course);
        seat.manual = row.manual;
    }
    Ok(SeatGrid {
        session_room_id: room,
        session_id: head.session_id,
        session_status: head.status,
        site_id: head.site_id,
        site_name: head.site_name,
        exam_room_no: head.exam_room_no,
        room_name: head.room_name,
        rows_count: head.rows_count,
        columns_count: head.columns_count,
        seats,
    })
}
