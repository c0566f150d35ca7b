//! 自动编排 and 安排剩余: the people of sessions onto seats. With many it is a job; a look ahead writes nothing.

use std::collections::{BTreeMap, HashMap, HashSet};

use exam_seat_rules::{
    order::Sitter,
    plan::{Asked, FULL, FreeRoom, Plan, SiteRooms, seat},
    seats::numbered,
    session::SessionTurn,
};
use infra::{
    Allowed, Body, BulkFailure, Change, Error, Reply, Result, Scope, Tx,
    access::Permission,
    clock::Moment,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ParseFromJSON, ToJSON},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use timetable::{enums::OccupationSource, occupation::release};

use super::{PlaceSeats, SeatAll, SeatOptions, Seating, hold_batch, recount};
use crate::{
    enums::{ExamSessionStatus, SeatFill, SeatMix, SeatOrder, SeatPattern},
    offered::occupy,
    session::{self, HeldSession},
};

pub const JOB: JobKind =
    JobKind { kind: "seats.auto", code: Some(SeatAll::CODE), run: |run| Box::pin(work(run)), headings: None };

/// So many people are seated while the call waits.
const DIRECT: i64 = 2_000;
/// Seats of one statement.
const AT_ONCE: usize = 5_000;
/// People whom one answer names.
const TOLD: usize = 1_000;

/// Which sessions are seated, and how.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SeatAuto {
    /// 考试批次
    pub batch_id: i64,
    /// 场次
    /// 不填时为批次的全部场次
    #[oai(default, validator(max_items = 99))]
    pub session_ids: Vec<i64>,
    /// 考点
    /// 不填时为全部考点
    #[oai(default, validator(max_items = 1000))]
    pub site_ids: Vec<i64>,
    /// 考场
    /// 不填时为考点启用的考场，按使用顺序
    #[oai(validator(max_items = 5000))]
    pub room_ids: Option<Vec<i64>>,
    /// 每考场人数
    /// 不填时为批次的默认人数
    #[oai(validator(minimum(value = "1"), maximum(value = "900")))]
    pub per_room: Option<i32>,
    /// 排座顺序
    pub order: Option<SeatOrder>,
    /// 混排方式
    pub mix: Option<SeatMix>,
    /// 填充方式
    pub fill: Option<SeatFill>,
    /// 座位走向
    pub seat_pattern: Option<SeatPattern>,
    /// 随机种子
    /// 相同的种子得到相同的座位；不填时随机
    #[oai(validator(minimum(value = "0"), maximum(value = "2147483647")))]
    pub seed: Option<i64>,
    /// 保留人工安排的座位
    #[oai(default)]
    pub keep_manual: bool,
    /// 仅预览
    #[oai(default)]
    pub preview: bool,
}

impl Example for SeatAuto {
    fn example() -> Self {
        Self {
            batch_id: 1,
            session_ids: vec![1],
            site_ids: Vec::new(),
            room_ids: None,
            per_room: Some(30),
            order: Some(SeatOrder::Class),
            mix: Some(SeatMix::Separate),
            fill: Some(SeatFill::Even),
            seat_pattern: Some(SeatPattern::Snake),
            seed: Some(1),
            keep_manual: false,
            preview: false,
        }
    }
}

/// Who is put onto free seats.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SeatPlace {
    /// 考试批次
    pub batch_id: i64,
    /// 场次
    /// 不填时为批次的全部场次
    #[oai(default, validator(max_items = 99))]
    pub session_ids: Vec<i64>,
    /// 考点
    /// 不填时为全部考点
    #[oai(default, validator(max_items = 1000))]
    pub site_ids: Vec<i64>,
    /// 仅预览
    #[oai(default)]
    pub preview: bool,
}

impl Example for SeatPlace {
    fn example() -> Self {
        Self { batch_id: 1, session_ids: vec![1], site_ids: Vec::new(), preview: false }
    }
}

/// Somebody without a seat.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct UnseatedCandidate {
    /// 考生编号
    pub candidate_id: i64,
    /// 学号
    pub student_no: String,
    /// 姓名
    pub name: String,
    /// 课程
    pub course: String,
    /// 场次号
    pub session_code: String,
    /// 原因
    pub reason: String,
}

/// A room that people sit in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SeatedRoom {
    /// 场次号
    pub session_code: String,
    /// 考点名称
    pub site_name: String,
    /// 考场号
    pub exam_room_no: String,
    /// 考场名称
    pub room_name: String,
    /// 人数
    pub count: i64,
}

/// How an arrangement went.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SeatingResult {
    /// 已编排
    pub placed: i64,
    /// 未编排人数
    pub unplaced_count: i64,
    /// 未编排
    /// 前1000名
    pub unplaced: Vec<UnseatedCandidate>,
    /// 考场
    pub rooms: Vec<SeatedRoom>,
    /// 相邻同课程
    pub neighbour_warnings: Vec<String>,
    /// 随机种子
    pub seed: i64,
    /// 任务编号
    /// 超过2000人时转为后台任务，结果见任务中心
    #[oai(skip_serializing_if_is_none)]
    pub job_id: Option<i64>,
}

pub struct AutoSeats;

#[OpenApi(prefix_path = "/offline/pc/offline/user/room", tag = "crate::Tag::ExamSeats")]
impl AutoSeats {
    /// 自动编排座位
    /// 覆盖所选场次和考点原有的座位
    #[oai(path = "/auto", method = "post", operation_id = "seatCandidates")]
    async fn auto(&self, caller: Allowed<SeatAll>, Body(form): Body<SeatAuto>) -> Result<Reply<SeatingResult>> {
        let mut form = form;
        if form.seed.is_none() {
            let bytes: [u8; 4] = caller.app().random().bytes();
            form.seed = Some(i64::from(u32::from_le_bytes(bytes) >> 1));
        }
        let count = waiting(&mut *caller.read().await?, &form, &caller.scope()).await?;
        if count > DIRECT && !form.preview {
            let job = NewJob {
                kind: JOB.kind,
                target: format!("batch:{}", form.batch_id),
                title: format!("自动编排座位（{count}人次）"),
                params: json!({ "wanted": form.to_json() }),
            };
            let job_id = Some(jobs::start(caller.caller(), job).await?);
            return Ok(reply(SeatingResult {
                job_id,
                seed: form.seed.unwrap_or_default(),
                ..SeatingResult::default()
            }));
        }
        let mut tx = caller.begin_long().await?;
        let (result, changes) = seat_sessions(&mut tx, &Wanted::auto(form.clone()), &caller.scope()).await?;
        if !form.preview {
            tx.commit_all(changes).await?;
        }
        Ok(reply(result))
    }

    /// 安排剩余考生
    /// 只用空座位，已有的座位不变
    #[oai(path = "/place", method = "post", operation_id = "placeCandidates")]
    async fn place(&self, caller: Allowed<PlaceSeats>, Body(form): Body<SeatPlace>) -> Result<Reply<SeatingResult>> {
        let preview = form.preview;
        let mut tx = caller.begin_long().await?;
        let (result, changes) = seat_sessions(&mut tx, &Wanted::place(form), &caller.scope()).await?;
        if !preview {
            tx.commit_all(changes).await?;
        }
        Ok(reply(result))
    }
}

async fn work(run: JobRun) -> Result<Outcome> {
    let form = SeatAuto::parse_from_json(Some(run.params["wanted"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let scope = run.scope(SeatAll::CODE).await?;
    run.progress("编排座位", 0, 1).await?;
    let mut tx = run.begin().await?;
    let (result, changes) = seat_sessions(&mut tx, &Wanted::auto(form), &scope).await?;
    run.progress("编排座位", 1, 1).await?;
    let errors: Vec<Value> = result
        .unplaced
        .iter()
        .map(|one| {
            json!(BulkFailure {
                id: one.candidate_id,
                name: format!("{} {} {}", one.student_no, one.name, one.course),
                msg: one.reason.clone(),
            })
        })
        .collect();
    let warnings =
        result.neighbour_warnings.iter().map(|text| json!({ "row": 0, "column": "", "message": text })).collect();
    let message = format!("已编排{}人，未编排{}人，{}个考场", result.placed, result.unplaced_count, result.rooms.len());
    let outcome = Outcome { message, errors, warnings, ..Outcome::default() };
    run.mark_done(&mut tx, &outcome).await?;
    tx.commit_all(changes).await?;
    Ok(outcome)
}

/// 自动编排 within another's transaction.
///
/// # Errors
/// As those of the call.
pub(crate) async fn seat_all(tx: &mut Tx, form: SeatAuto, scope: &Scope) -> Result<(SeatingResult, Vec<Change>)> {
    seat_sessions(tx, &Wanted::auto(form), scope).await
}

/// How many may be seated in sessions of a batch, at the exam points that are wanted and within the scope.
async fn waiting(connection: &mut PgConnection, form: &SeatAuto, scope: &Scope) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "count!"
           from exam_candidate c
           join exam_setup s on s.id = c.setup_id
           join student y on y.id = c.student_id
           left join offline_point p on p.batch_id = c.batch_id and p.site_id = y.site_id
           where c.batch_id = $1 and not c.removed and c.eligibility = 'eligible' and s.session_id is not null
             and ($2::bigint[] = '{}' or s.session_id = any($2)) and s.status in ('approved', 'published')
             and ($3::bigint[] = '{}' or coalesce(p.exam_site_id, y.site_id) = any($3))
             and ($4::bigint[] is null or coalesce(p.exam_site_id, y.site_id) = any($4))"#,
        form.batch_id,
        &form.session_ids,
        &form.site_ids,
        scope.sites()
    )
    .fetch_one(connection)
    .await?)
}

/// What is to be done, either way.
struct Wanted {
    batch: i64,
    sessions: Vec<i64>,
    sites: Vec<i64>,
    rooms: Option<Vec<i64>>,
    keep_manual: bool,
    /// None: 安排剩余, by what was chosen last.
    options: Option<Chosen>,
}

struct Chosen {
    per_room: Option<i32>,
    order: SeatOrder,
    mix: SeatMix,
    fill: SeatFill,
    pattern: SeatPattern,
    seed: i64,
}

impl Wanted {
    fn auto(form: SeatAuto) -> Self {
        Self {
            batch: form.batch_id,
            sessions: form.session_ids,
            sites: form.site_ids,
            rooms: form.room_ids,
            keep_manual: form.keep_manual,
            options: Some(Chosen {
                per_room: form.per_room,
                order: form.order.unwrap_or(SeatOrder::Class),
                mix: form.mix.unwrap_or(SeatMix::Separate),
                fill: form.fill.unwrap_or(SeatFill::Even),
                pattern: form.seat_pattern.unwrap_or(SeatPattern::Snake),
                seed: form.seed.unwrap_or_default(),
            }),
        }
    }

    fn place(form: SeatPlace) -> Self {
        Self {
            batch: form.batch_id,
            sessions: form.session_ids,
            sites: form.site_ids,
            rooms: None,
            keep_manual: true,
            options: None,
        }
    }
}

/// What a batch says of its rooms.
struct BatchRooms {
    per_room: i32,
    min_fill: i32,
}

/// Seats the people of sessions; nothing is committed here.
///
/// # Errors
/// 404 for what is not there or lies outside the scope; 409 for a session that is confirmed, or a room that is busy.
async fn seat_sessions(tx: &mut Tx, wanted: &Wanted, scope: &Scope) -> Result<(SeatingResult, Vec<Change>)> {
    timetable::hold(tx).await?;
    hold_batch(tx, wanted.batch).await?;
    let batch = sqlx::query_as!(
        BatchRooms,
        "select room_capacity_default as per_room, room_min_fill as min_fill from test_batch
         where id = $1 and status in ('draft', 'active')",
        wanted.batch
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::conflict("考试批次不存在或已结束，不能编排座位"))?;
    let sessions = sqlx::query_scalar!(
        "select id from offline_session where batch_id = $1 and ($2::bigint[] = '{}' or id = any($2)) order by id",
        wanted.batch,
        &wanted.sessions
    )
    .fetch_all(&mut **tx)
    .await?;
    if sessions.is_empty() || (!wanted.sessions.is_empty() && sessions.len() != wanted.sessions.len()) {
        return Err(Error::not_found());
    }
    if wanted.sites.iter().any(|site| !scope.sees(Some(*site), None)) {
        return Err(Error::not_found());
    }
    let sessions = session::held(tx, &sessions).await?;
    for held in &sessions {
        session::turn(held, SessionTurn::Seat)?;
    }
    let mut result =
        SeatingResult { seed: wanted.options.as_ref().map_or(0, |options| options.seed), ..SeatingResult::default() };
    let mut changes = Vec::new();
    for held in sessions {
        changes.extend(one_session(tx, &held, wanted, &batch, scope, &mut result).await?);
    }
    result.unplaced.truncate(TOLD);
    Ok((result, changes))
}

/// A session as it is seated.
struct At {
    id: i64,
    code: String,
    starts_at: Moment,
    ends_at: Moment,
    seating: Seating,
}

async fn one_session(
    tx: &mut Tx,
    held: &HeldSession,
    wanted: &Wanted,
    batch: &BatchRooms,
    scope: &Scope,
    result: &mut SeatingResult,
) -> Result<Vec<Change>> {
    let row = sqlx::query!("select code, starts_at, ends_at, seating from offline_session where id = $1", held.id)
        .fetch_one(&mut **tx)
        .await?;
    let mut at = At {
        id: held.id,
        code: row.code,
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        seating: Seating::of(row.seating),
    };
    let sites = sites_of(tx, &at, &wanted.sites, scope).await?;
    if wanted.options.is_some() {
        empty(tx, at.id, &sites, wanted.keep_manual).await?;
    }
    let people = people_of(tx, &at, &sites, wanted.sites.is_empty() && scope.is_whole()).await?;
    let mut rooms = rooms_of(tx, &at, &sites, wanted).await?;
    let mut told: HashMap<i64, &Waiting> = HashMap::new();
    let mut by_site: BTreeMap<i64, Vec<Sitter>> = BTreeMap::new();
    let mut seen: HashSet<i64> = HashSet::new();
    for person in &people {
        told.insert(person.candidate, person);
        let refusal = if !sites.contains(&person.site) {
            Some("本场次不含该考点".to_owned())
        } else if let Some(code) = &person.busy {
            Some(format!("与{code}场时间冲突"))
        } else if person.here || !seen.insert(person.student) {
            Some("本场次已有其他课程的座位".to_owned())
        } else {
            None
        };
        match refusal {
            Some(why) => result.unplaced.push(person.told(&at.code, why)),
            None => by_site.entry(person.site).or_default().push(person.sitter()),
        }
    }
    let mut plan = Plan::default();
    for (site, sitters) in by_site {
        let (asked, options) = asked(wanted, batch, &at.seating, site);
        if wanted.options.is_some() {
            at.seating.put(site, &options);
        }
        let here: Vec<FreeRoom> =
            rooms.iter().filter(|room| room.site == site).map(|room| room.free(options.seat_pattern)).collect();
        let part = seat(&asked, vec![SiteRooms { site, rooms: here, people: sitters }]);
        plan.placed.extend(part.placed);
        plan.unplaced.extend(part.unplaced);
        plan.warnings.extend(part.warnings);
    }
    for candidate in &plan.unplaced {
        if let Some(person) = told.get(candidate) {
            result.unplaced.push(person.told(&at.code, FULL.to_owned()));
        }
    }
    write_rooms(tx, at.id, &mut rooms, &plan).await?;
    write_seats(tx, at.id, &rooms, &plan).await?;
    let busy: Vec<i64> = rooms.iter().filter_map(|room| room.session_room).collect();
    recount(tx, &busy).await?;
    occupy(tx, &busy).await?;
    let placed = i64::try_from(plan.placed.len()).unwrap_or(i64::MAX);
    result.placed += placed;
    result.unplaced_count = i64::try_from(result.unplaced.len()).unwrap_or(i64::MAX);
    for room in &rooms {
        let count = room.taken.len() + plan.placed.iter().filter(|placed| placed.room == room.id).count();
        if count > 0 {
            result.rooms.push(SeatedRoom {
                session_code: at.code.clone(),
                site_name: room.site_name.clone(),
                exam_room_no: room.exam_room_no.clone().unwrap_or_default(),
                room_name: room.name.clone(),
                count: i64::try_from(count).unwrap_or(i64::MAX),
            });
        }
    }
    for pair in &plan.warnings {
        let room = rooms.iter().find(|room| room.id == pair.room);
        let no = room.and_then(|room| room.exam_room_no.as_deref()).unwrap_or_default();
        result
            .neighbour_warnings
            .push(format!("{}场{no}考场{}号与{}号同一课程相邻", at.code, pair.seat_no, pair.next_seat_no));
    }
    let what = json!({ "placed": placed, "unplaced": plan.unplaced.len(), "rooms": busy.len() });
    let seated = seated(tx, held, at.seating).await?;
    Ok(vec![seated, Change::event("offline_session", held.id, "seat", what)])
}

/// The state and the options of a session behind its seating; a session without any seat is a draft again.
async fn seated(tx: &mut Tx, held: &HeldSession, seating: Seating) -> Result<Change> {
    let (by, seating) = (tx.by(), seating.into_value());
    sqlx::query!(
        "update offline_session set seating = $2, updated_at = now(), updated_by = $3 where id = $1",
        held.id,
        seating,
        by
    )
    .execute(&mut **tx)
    .await?;
    settle(tx, held).await
}

/// Draft or seated, by whether anybody sits there.
pub(super) async fn settle(tx: &mut Tx, held: &HeldSession) -> Result<Change> {
    let any =
        sqlx::query_scalar!(r#"select exists (select from offline_seat where session_id = $1) as "any!""#, held.id)
            .fetch_one(&mut **tx)
            .await?;
    let to = if any { ExamSessionStatus::Seated } else { ExamSessionStatus::Draft };
    session::turned(tx, held.id, held.status, to).await
}

/// The exam points of a session that are wanted and within the scope.
async fn sites_of(connection: &mut PgConnection, at: &At, wanted: &[i64], scope: &Scope) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select s.id from site s
         where ($2::bigint[] = '{}' or s.id = any($2)) and ($3::bigint[] is null or s.id = any($3))
           and (not exists (select from offline_session_site w where w.session_id = $1)
                or exists (select from offline_session_site w where w.session_id = $1 and w.site_id = s.id))
         order by s.code, s.id",
        at.id,
        wanted,
        scope.sites()
    )
    .fetch_all(connection)
    .await?)
}

/// Takes away the seats of sites, but those given by hand where they are kept, and the rooms that nobody watches or sits in any more.
pub(super) async fn empty(tx: &mut Tx, session: i64, sites: &[i64], keep_manual: bool) -> Result<()> {
    sqlx::query!(
        "delete from offline_seat t using offline_session_room r
         where r.id = t.session_room_id and t.session_id = $1 and r.site_id = any($2) and not (t.manual and $3::boolean)",
        session,
        sites,
        keep_manual
    )
    .execute(&mut **tx)
    .await?;
    let rooms = sqlx::query_scalar!(
        "select id from offline_session_room where session_id = $1 and site_id = any($2) order by id",
        session,
        sites
    )
    .fetch_all(&mut **tx)
    .await?;
    vacate(tx, &rooms).await
}

/// Lets go of those of these rooms that nobody watches or sits in any more, and of what they kept busy. The timetable is held.
pub(super) async fn vacate(tx: &mut Tx, rooms: &[i64]) -> Result<()> {
    let rooms = sqlx::query_scalar!(
        "select r.id from offline_session_room r
         where r.id = any($1)
           and not exists (select from offline_seat t where t.session_room_id = r.id)
           and not exists (select from invigilation i where i.session_room_id = r.id)
           and not exists (select from offline_room_record c where c.id = r.id)
         order by r.id for update",
        rooms
    )
    .fetch_all(&mut **tx)
    .await?;
    release(tx, OccupationSource::ExamSession, &rooms).await?;
    sqlx::query!("delete from offline_session_room where id = any($1)", &rooms).execute(&mut **tx).await?;
    Ok(())
}

/// Somebody of a session who has no seat.
struct Waiting {
    candidate: i64,
    student: i64,
    class: String,
    number: String,
    name: String,
    course_id: i64,
    course: String,
    site: i64,
    /// The session in which they sit at that time.
    busy: Option<String>,
    /// They sit in this session already.
    here: bool,
}

impl Waiting {
    fn sitter(&self) -> Sitter {
        Sitter {
            candidate: self.candidate,
            student: self.student,
            class: self.class.clone(),
            number: self.number.clone(),
            course: self.course_id,
        }
    }

    fn told(&self, session: &str, reason: String) -> UnseatedCandidate {
        UnseatedCandidate {
            candidate_id: self.candidate,
            student_no: self.number.clone(),
            name: self.name.clone(),
            course: self.course.clone(),
            session_code: session.to_owned(),
            reason,
        }
    }
}

/// `everywhere`: also those whose point the session does not have, who are told.
async fn people_of(connection: &mut PgConnection, at: &At, sites: &[i64], everywhere: bool) -> Result<Vec<Waiting>> {
    Ok(sqlx::query_as!(
        Waiting,
        r#"select c.id as "candidate!", c.student_id as "student!", coalesce(h.code, '') as "class!",
                  coalesce(y.student_no, '') as "number!", y.name as "name!", c.course_id as "course_id!", u.name as "course!",
                  coalesce(p.exam_site_id, y.site_id) as "site!",
                  (select z.code from offline_seat o join offline_session z on z.id = o.session_id
                   where o.student_id = c.student_id and z.id <> $1 and z.starts_at < $4 and z.ends_at > $3 limit 1) as "busy?",
                  exists (select from offline_seat o where o.session_id = $1 and o.student_id = c.student_id) as "here!"
           from exam_candidate c
           join exam_setup s on s.id = c.setup_id
           join student y on y.id = c.student_id
           join course u on u.id = c.course_id
           left join class h on h.id = y.class_id
           left join offline_point p on p.batch_id = c.batch_id and p.site_id = y.site_id
           where s.session_id = $1 and s.status in ('approved', 'published') and not s.no_seating
             and not c.removed and c.eligibility = 'eligible'
             and ($5::boolean or coalesce(p.exam_site_id, y.site_id) = any($2))
             and not exists (select from offline_seat o where o.candidate_id = c.id)
           order by c.id"#,
        at.id,
        sites,
        at.starts_at as _,
        at.ends_at as _,
        everywhere
    )
    .fetch_all(connection)
    .await?)
}

/// A room that may be used.
struct UsableRoom {
    id: i64,
    site: i64,
    site_name: String,
    name: String,
    rows: i32,
    columns: i32,
    capacity: i32,
    blocked: Vec<i32>,
    session_room: Option<i64>,
    exam_room_no: Option<String>,
    taken: Vec<i32>,
    course: Option<i64>,
}

impl UsableRoom {
    fn free(&self, pattern: SeatPattern) -> FreeRoom {
        let size = |count: i32| usize::try_from(count).unwrap_or(0);
        let cells = numbered((size(self.rows), size(self.columns)), &self.blocked, size(self.capacity), pattern).len();
        let last = i32::try_from(cells).unwrap_or(0);
        FreeRoom {
            room: self.id,
            free: (1..=last).filter(|no| !self.taken.contains(no)).collect(),
            taken: self.taken.len(),
            course: self.course,
        }
    }
}

async fn rooms_of(connection: &mut PgConnection, at: &At, sites: &[i64], wanted: &Wanted) -> Result<Vec<UsableRoom>> {
    let remaining = wanted.options.is_none();
    Ok(sqlx::query_as!(
        UsableRoom,
        r#"select e.id as "id!", e.site_id as "site!", s.name as "site_name!", e.name as "name!", e.rows_count as "rows!",
                  e.columns_count as "columns!", e.capacity as "capacity!", e.blocked_seats as "blocked!",
                  r.id as "session_room?", r.exam_room_no as "exam_room_no?",
                  coalesce((select array_agg(t.seat_no) from offline_seat t where t.session_room_id = r.id), '{}') as "taken!",
                  (select min(c.course_id) from offline_seat t join exam_candidate c on c.id = t.candidate_id
                   where t.session_room_id = r.id) as "course?"
           from exam_room e
           join site s on s.id = e.site_id
           left join offline_session_room r on r.room_id = e.id and r.session_id = $1
           where e.site_id = any($2)
             and case when r.id is not null
                      then $3::bigint[] is null or e.id = any($3)
                           or exists (select from offline_seat t where t.session_room_id = r.id)
                      else e.enabled and ($3::bigint[] is null or e.id = any($3))
                           and not exists (
                               select from offline_session_room o join offline_session z on z.id = o.session_id
                               where o.room_id = e.id and o.session_id <> $1 and z.starts_at < $5 and z.ends_at > $4)
                           and ($3::bigint[] is not null or e.classroom_id is null or not exists (
                               select from resource_occupation k
                               where k.kind = 'classroom' and k.resource_id = e.classroom_id
                                 and k.during && tstzrange($4, $5))) end
           order by s.code, case when $6::boolean then r.id is null end, e.priority, e.id"#,
        at.id,
        sites,
        wanted.rooms.as_deref(),
        at.starts_at as _,
        at.ends_at as _,
        remaining
    )
    .fetch_all(connection)
    .await?)
}

/// What the plan of a site is asked for, and the options as they are kept.
fn asked(wanted: &Wanted, batch: &BatchRooms, seating: &Seating, site: i64) -> (Asked, SeatOptions) {
    let options = match &wanted.options {
        Some(chosen) => SeatOptions {
            per_room: chosen.per_room.unwrap_or(batch.per_room),
            order: chosen.order,
            mix: chosen.mix,
            fill: chosen.fill,
            seat_pattern: chosen.pattern,
            seed: chosen.seed,
        },
        None => seating.at(site).unwrap_or(SeatOptions {
            per_room: batch.per_room,
            order: SeatOrder::Class,
            mix: SeatMix::Separate,
            fill: SeatFill::Full,
            seat_pattern: SeatPattern::Snake,
            seed: 0,
        }),
    };
    let remaining = wanted.options.is_none();
    let size = |count: i32| usize::try_from(count).unwrap_or(0);
    let asked = Asked {
        per_room: size(options.per_room),
        // Who came later fills what is free, room after room.
        min_fill: if remaining { 0 } else { size(batch.min_fill) },
        order: options.order,
        mix: options.mix,
        fill: if remaining { SeatFill::Full } else { options.fill },
        seed: u64::try_from(options.seed).unwrap_or(0),
    };
    (asked, options)
}

/// Makes the rooms of the session that are used for the first time, with the next free numbers of their sites.
async fn write_rooms(tx: &mut Tx, session: i64, rooms: &mut [UsableRoom], plan: &Plan) -> Result<()> {
    let used: HashSet<i64> = plan.placed.iter().map(|placed| placed.room).collect();
    let mut numbers: HashMap<i64, HashSet<String>> = HashMap::new();
    let known = sqlx::query!("select site_id, exam_room_no from offline_session_room where session_id = $1", session)
        .fetch_all(&mut **tx)
        .await?;
    for row in known {
        numbers.entry(row.site_id).or_default().insert(row.exam_room_no);
    }
    let by = tx.by();
    for room in rooms.iter_mut().filter(|room| room.session_room.is_none() && used.contains(&room.id)) {
        let taken = numbers.entry(room.site).or_default();
        let no = (1..=999).map(|no| format!("{no:03}")).find(|no| !taken.contains(no));
        let no = no.ok_or_else(|| Error::conflict("一个考点一场最多999个考场"))?;
        taken.insert(no.clone());
        let id = sqlx::query_scalar!(
            "insert into offline_session_room (session_id, room_id, site_id, exam_room_no, paper_bag_no, created_by, updated_by)
             values ($1, $2, $3, $4, $4, $5, $5) returning id",
            session,
            room.id,
            room.site,
            no,
            by
        )
        .fetch_one(&mut **tx)
        .await?;
        (room.session_room, room.exam_room_no) = (Some(id), Some(no));
    }
    Ok(())
}

async fn write_seats(tx: &mut Tx, session: i64, rooms: &[UsableRoom], plan: &Plan) -> Result<()> {
    let rooms: HashMap<i64, i64> =
        rooms.iter().filter_map(|room| room.session_room.map(|own| (room.id, own))).collect();
    let by = tx.by();
    for part in plan.placed.chunks(AT_ONCE) {
        let candidates: Vec<i64> = part.iter().map(|placed| placed.candidate).collect();
        let students: Vec<i64> = part.iter().map(|placed| placed.student).collect();
        let places: Vec<i64> = part.iter().map(|placed| rooms.get(&placed.room).copied().unwrap_or_default()).collect();
        let numbers: Vec<i32> = part.iter().map(|placed| placed.seat_no).collect();
        sqlx::query!(
            "insert into offline_seat (candidate_id, session_id, session_room_id, seat_no, student_id, created_by, updated_by)
             select w.candidate, $1::bigint, w.room, w.no, w.student, $6::bigint, $6::bigint
             from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::integer[]) as w (candidate, student, room, no)",
            session,
            &candidates,
            &students,
            &places,
            &numbers,
            by
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}
