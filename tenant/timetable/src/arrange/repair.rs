//! 调课建议: a lesson goes to a time at which others stand in its way, and they make room with as few moves as go (part 03 B9,
//! [`timetable_rules::repair`]). What is proposed is read only; several lessons are moved together or not at all.
//!
//! Only lessons move that lie ahead, are published, are held in a room of the same site, and whose classes the caller sees; all others, and
//! whatever else keeps somebody busy, stay where they are.

use std::collections::HashMap;

use chrono::{Datelike, NaiveDate};
use infra::{
    Allowed, Body, Error, Reply, Result, Scope,
    clock::{Moment, day_began, day_ended},
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::PgConnection;
use timetable_rules::{
    period::{moment, span},
    plan::{Place, Problem, Room, Slot, Task},
    repair::{MOST, Move, repair},
    weeks::SemesterDays,
};
use tokio::task::spawn_blocking;

use super::{
    FORCE, MoveSession, ProposeMoves,
    session::{SessionMove, move_all},
};
use crate::{
    enums::{OccupationSource, ResourceKind},
    period,
};

/// Lessons of a day of one person or class: whoever moves by hand is not held to the most of a proposal.
const MOST_OF_DAY: i64 = 100;

/// Where one lesson is to go.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RepairWish {
    /// 课次
    pub session_id: i64,
    /// 日期
    pub date: NaiveDate,
    /// 开始节次
    #[oai(validator(minimum(value = "1"), maximum(value = "14")))]
    pub period_from: i32,
    /// 结束节次
    #[oai(validator(minimum(value = "1"), maximum(value = "14")))]
    pub period_to: i32,
}

impl Example for RepairWish {
    fn example() -> Self {
        let date = NaiveDate::from_ymd_opt(2026, 3, 22).unwrap_or_default();
        Self { session_id: 1, date, period_from: 1, period_to: 4 }
    }
}

/// A lesson that would move.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ProposedMove {
    /// 课次
    pub session_id: i64,
    /// 版本
    pub version: i32,
    /// 课程
    pub course_name: String,
    /// 班级
    pub class_names: Vec<String>,
    /// 教师编号
    pub teacher_id: i64,
    /// 教师
    pub teacher_name: String,
    /// 原日期
    pub from_date: NaiveDate,
    /// 原开始节次
    pub from_period_from: i32,
    /// 原结束节次
    pub from_period_to: i32,
    /// 日期
    pub date: NaiveDate,
    /// 开始节次
    pub period_from: i32,
    /// 结束节次
    pub period_to: i32,
    /// 教室编号
    pub classroom_id: i64,
    /// 教室
    pub classroom_name: String,
}

/// What is done about a move.
#[derive(Debug, Clone, Object)]
pub struct ProposedMoves {
    /// 调课
    /// 第一条为所调的课次，其余为给它让出时间的课次
    pub moves: Vec<ProposedMove>,
}

/// Moves that are made together.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SessionMoves {
    /// 调课
    #[oai(validator(min_items = 1, max_items = 5))]
    pub moves: Vec<SessionMove>,
}

impl Example for SessionMoves {
    fn example() -> Self {
        Self { moves: vec![SessionMove::example()] }
    }
}

/// The sessions that stand in the place of those that moved.
#[derive(Debug, Clone, Object)]
pub struct SessionsMoved {
    /// 编号
    pub ids: Vec<i64>,
}

pub struct Repairs;

#[OpenApi(prefix_path = "/adult/pc/courseArrange/session", tag = "crate::Tag::Timetable")]
impl Repairs {
    /// 调课建议
    /// 时间冲突时，给出改动课次最少的办法；不保存
    #[oai(path = "/repair", method = "post", operation_id = "proposeSessionMoves")]
    async fn propose(
        &self,
        caller: Allowed<ProposeMoves>,
        Body(wish): Body<RepairWish>,
    ) -> Result<Reply<ProposedMoves>> {
        let mut tx = caller.read().await?;
        let asked = load(&mut tx, &wish, &caller.scope(), caller.app().clock().now()).await?;
        drop(tx);
        let Asked { problem, placed, lesson, slot, sessions, slots, rooms } = asked;
        let found = spawn_blocking(move || repair(&problem, &placed, (lesson, 0), slot));
        let Some(moves) = found.await.map_err(Error::internal)? else {
            let told = format!("没有只改动其他{MOST}次以内课次的办法，请选择其他时间");
            return Err(Error::conflict(told));
        };
        let told = moves.iter().map(|one| told(one, &sessions, &slots, &rooms)).collect();
        Ok(reply(ProposedMoves { moves: told }))
    }

    /// 批量调课
    /// 各课次同时调整，一次不成则全部不动
    #[oai(path = "/moveAll", method = "put", operation_id = "moveArrangeSessions")]
    async fn move_all(
        &self,
        caller: Allowed<MoveSession>,
        Body(wanted): Body<SessionMoves>,
    ) -> Result<Reply<SessionsMoved>> {
        let mut tx = caller.begin().await?;
        let (ids, changes) = move_all(&mut tx, &wanted.moves, caller.rights().get(FORCE), &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(SessionsMoved { ids }))
    }
}

/// A session that may move.
#[derive(Debug, Clone)]
struct Session {
    id: i64,
    version: i32,
    held_on: NaiveDate,
    period_from: i32,
    period_to: i32,
    teacher_id: i64,
    teacher_name: String,
    course_name: String,
    class_ids: Vec<i64>,
    class_names: Vec<String>,
    assistants: Vec<i64>,
    classroom_id: i64,
    size: i64,
}

/// A room of the site.
#[derive(Debug, Clone)]
struct Hall {
    id: i64,
    name: String,
    kind: String,
    capacity: i64,
}

/// A time at which a lesson can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Time {
    day: NaiveDate,
    period_from: i32,
    period_to: i32,
    starts_at: Moment,
    ends_at: Moment,
}

/// What is looked at: the problem with what its numbers mean.
struct Asked {
    problem: Problem,
    placed: Vec<Option<Vec<Place>>>,
    lesson: usize,
    slot: usize,
    sessions: Vec<Session>,
    slots: Vec<Time>,
    rooms: Vec<Hall>,
}

/// # Errors
/// 404 for a session that is not there or lies outside the scope; 409 for one that cannot move so; 422 for a time that is none.
async fn load(connection: &mut PgConnection, wish: &RepairWish, scope: &Scope, now: Moment) -> Result<Asked> {
    let at = sqlx::query!(
        r#"select a.semester_id, r.site_id, e.starts_on, e.ends_on, e.holidays
           from course_arrange_session s
           join course_arrange a on a.id = s.arrange_id
           join semester e on e.id = a.semester_id
           join classroom r on r.id = s.classroom_id
           where s.id = $1
             and ($2::bigint[] is null or exists (
                      select from course_arrange_class c join class k on k.id = c.class_id
                      where c.arrange_id = a.id and (k.site_id = any($2) or k.id = any($3::bigint[]))))"#,
        wish.session_id,
        scope.sites(),
        scope.classes()
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let days = SemesterDays { starts_on: at.starts_on, ends_on: at.ends_on, holidays: at.holidays };
    if let Some(why) = days.skipped(wish.date) {
        return Err(Error::field("date", format!("{}{why}，请选择其他日期", wish.date)));
    }
    let mut sessions = sessions(connection, at.semester_id, at.site_id, scope, now).await?;
    let lesson = sessions
        .iter()
        .position(|session| session.id == wish.session_id)
        .ok_or_else(|| Error::conflict("只有已发布、还未上、没有考勤并且班级都在您管辖范围内的面授课次可以这样调课"))?;
    let periods = period::load(connection).await?;
    let (_, periods) = periods.of(Some(at.site_id));
    let time = |day: NaiveDate, from: i32, to: i32| {
        let (starts, ends) = span(periods, from, to)?;
        Some(Time { day, period_from: from, period_to: to, starts_at: moment(day, starts), ends_at: moment(day, ends) })
    };
    let target = time(wish.date, wish.period_from, wish.period_to)
        .filter(|target| wish.period_from <= wish.period_to && target.starts_at > now)
        .ok_or_else(|| Error::field("periodTo", "该站点没有这样的节次，或时间已经过去"))?;
    let mut slots = times(&sessions, &days, now, time);
    if !slots.contains(&target) {
        slots.push(target);
    }
    let slot = slots.iter().position(|other| *other == target).ok_or_else(Error::not_found)?;
    if target.period_to - target.period_from != sessions[lesson].period_to - sessions[lesson].period_from {
        return Err(Error::field("periodTo", "调课建议不改变课次的节数"));
    }
    let rooms = sqlx::query_as!(
        Hall,
        r#"select id, name, room_type as kind, capacity::bigint as "capacity!" from classroom where site_id = $1 and enabled order by id"#,
        at.site_id
    )
    .fetch_all(&mut *connection)
    .await?;
    // Others in a room that was closed, or at periods that are gone, stay where they are like what else keeps people busy.
    let moves =
        |other: &Session| rooms.iter().any(|room| room.id == other.classroom_id) && self::at(other, &slots).is_some();
    sessions.retain(|other| other.id == wish.session_id || moves(other));
    let lesson = sessions.iter().position(|other| other.id == wish.session_id).ok_or_else(Error::not_found)?;
    let busy = busy(connection, &sessions, &slots).await?;
    problem(Known { sessions, slots, rooms, busy, days: &days }, lesson, slot)
}

/// Those that may move.
async fn sessions(
    connection: &mut PgConnection,
    semester: i64,
    site: i64,
    scope: &Scope,
    now: Moment,
) -> Result<Vec<Session>> {
    Ok(sqlx::query_as!(
        Session,
        r#"select s.id as "id!", s.version as "version!", s.held_on as "held_on!", s.period_from as "period_from!",
                  s.period_to as "period_to!", s.teacher_id as "teacher_id!", t.name as "teacher_name!",
                  u.name as "course_name!", s.classroom_id as "classroom_id!",
                  array(select c.class_id from course_arrange_class c where c.arrange_id = a.id order by c.class_id) as "class_ids!",
                  array(select k.name from course_arrange_class c join class k on k.id = c.class_id
                        where c.arrange_id = a.id order by c.class_id) as "class_names!",
                  array(select x.teacher_id from course_arrange_assistant x where x.arrange_id = a.id) as "assistants!",
                  case when a.allow_over_capacity then 0 else (
                      select count(*) from course_arrange_class c join course_selection z
                          on z.opening_id = c.opening_id and z.class_id = c.class_id
                      where c.arrange_id = a.id and z.status in ('pending', 'selected', 'completed')) end as "size!"
           from course_arrange_session s
           join course_arrange a on a.id = s.arrange_id
           join course u on u.id = a.course_id
           join teacher t on t.id = s.teacher_id
           join classroom r on r.id = s.classroom_id
           where a.semester_id = $1 and a.status = 'published' and s.status = 'scheduled' and s.starts_at > $2
             and r.site_id = $3
             and not exists (select from instruction_attendance x where x.session_id = s.id)
             and ($4::bigint[] is null or not exists (
                      select from course_arrange_class c join class k on k.id = c.class_id
                      where c.arrange_id = a.id and not (k.site_id = any($4) or k.id = any($5::bigint[]))))
           order by s.id"#,
        semester,
        now as _,
        site,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?)
}

/// The times at which lessons are, and the same lessons of the day on the other days of the semester that are taught on.
fn times(
    sessions: &[Session],
    days: &SemesterDays,
    now: Moment,
    time: impl Fn(NaiveDate, i32, i32) -> Option<Time>,
) -> Vec<Time> {
    let mut blocks: Vec<(i32, i32)> = sessions.iter().map(|session| (session.period_from, session.period_to)).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let weekdays: Vec<u32> = sessions.iter().map(|session| session.held_on.weekday().number_from_monday()).collect();
    let first = now.date_naive().max(days.starts_on);
    let all = first.iter_days().take_while(|day| *day <= days.ends_on);
    let taught =
        all.filter(|day| days.skipped(*day).is_none() && weekdays.contains(&day.weekday().number_from_monday()));
    let mut times: Vec<Time> = taught
        .flat_map(|day| blocks.iter().map(move |(from, to)| (day, *from, *to)))
        .filter_map(|(day, from, to)| time(day, from, to))
        .filter(|time| time.starts_at > now)
        .collect();
    // Where a lesson is it may be, whatever the day.
    for session in sessions {
        let own = time(session.held_on, session.period_from, session.period_to);
        if let Some(own) = own.filter(|own| !times.contains(own)) {
            times.push(own);
        }
    }
    times
}

/// Who and what is busy with something that does not move.
type Busy = Vec<(ResourceKind, i64, Moment, Moment)>;

async fn busy(connection: &mut PgConnection, sessions: &[Session], slots: &[Time]) -> Result<Busy> {
    let (Some(first), Some(last)) = (slots.iter().map(|slot| slot.day).min(), slots.iter().map(|slot| slot.day).max())
    else {
        return Ok(Vec::new());
    };
    let ids: Vec<i64> = sessions.iter().map(|session| session.id).collect();
    let rows = sqlx::query!(
        r#"select kind as "kind: ResourceKind", resource_id, lower(during) as "starts_at!", upper(during) as "ends_at!"
           from resource_occupation
           where during && tstzrange($1, $2) and not (source_type = $3 and source_id = any($4))"#,
        day_began(first) as _,
        day_ended(last) as _,
        OccupationSource::Session.as_str(),
        &ids
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.kind, row.resource_id, row.starts_at, row.ends_at)).collect())
}

/// What was read.
struct Known<'d> {
    sessions: Vec<Session>,
    slots: Vec<Time>,
    rooms: Vec<Hall>,
    busy: Busy,
    days: &'d SemesterDays,
}

/// The places of numbers as they come.
#[derive(Default)]
struct Places(HashMap<i64, usize>);

impl Places {
    fn of(&mut self, id: i64) -> usize {
        let next = self.0.len();
        *self.0.entry(id).or_insert(next)
    }
}

/// # Errors
/// 409 when a room of a lesson is not used any more.
fn problem(known: Known<'_>, lesson: usize, slot: usize) -> Result<Asked> {
    let Known { sessions, slots, rooms, busy, days } = known;
    let (mut teachers, mut classes, mut kinds) = (Places::default(), Places::default(), HashMap::new());
    for room in &rooms {
        let next = kinds.len();
        kinds.entry(room.kind.clone()).or_insert(next);
    }
    let halls: HashMap<i64, usize> = rooms.iter().enumerate().map(|(place, room)| (room.id, place)).collect();
    let (mut tasks, mut placed) = (Vec::with_capacity(sessions.len()), Vec::with_capacity(sessions.len()));
    for session in &sessions {
        let place = at(session, &slots).ok_or_else(|| Error::conflict("节次设置已变动，请先调整受影响的课次"))?;
        let room = *halls.get(&session.classroom_id).ok_or_else(|| Error::conflict("有课次的教室已停用，请先调整"))?;
        // An assistant is somebody who is in one place, as a class is; the numbers of people are told from those of classes by their sign.
        let people = session.class_ids.iter().copied().chain(session.assistants.iter().map(|id| -id));
        tasks.push(Task {
            teacher: Some(teachers.of(session.teacher_id)),
            classes: people.map(|id| classes.of(id)).collect(),
            site_id: 0,
            size: session.size,
            periods: i64::from(session.period_to - session.period_from + 1),
            room_kind: kinds.get(&rooms[room].kind).copied(),
        });
        placed.push(Some(vec![Place { slot: place, room }]));
    }
    let mut day_places = Places::default();
    let all: Vec<Slot> = slots
        .iter()
        .map(|time| Slot {
            day: day_places.of(i64::from(time.day.num_days_from_ce())),
            week: days.week_of(time.day).and_then(|week| usize::try_from(week).ok()).unwrap_or_default(),
            block: 0,
            periods: i64::from(time.period_to - time.period_from + 1),
        })
        .collect();
    let meets = |time: &Time, from: Moment, to: Moment| time.starts_at < to && from < time.ends_at;
    let overlaps = slots
        .iter()
        .map(|one| (0..slots.len()).filter(|other| meets(&slots[*other], one.starts_at, one.ends_at)).collect())
        .collect();
    let mut problem = Problem {
        overlaps,
        rooms: rooms.iter().map(|room| Room { site_id: 0, capacity: room.capacity, kind: kinds[&room.kind] }).collect(),
        days: day_places.0.len(),
        weeks: all.iter().map(|slot| slot.week + 1).max().unwrap_or(1),
        teacher_busy: vec![vec![false; slots.len()]; teachers.0.len()],
        class_busy: vec![vec![false; slots.len()]; classes.0.len()],
        room_busy: vec![vec![false; slots.len()]; rooms.len()],
        teacher_periods: vec![vec![0; day_places.0.len()]; teachers.0.len()],
        class_periods: vec![vec![0; day_places.0.len()]; classes.0.len()],
        most_of_teacher: MOST_OF_DAY,
        most_of_class: MOST_OF_DAY,
        slots: all,
        tasks,
    };
    for (kind, id, from, to) in busy {
        for place in (0..slots.len()).filter(|place| meets(&slots[*place], from, to)) {
            match kind {
                ResourceKind::Teacher => {
                    if let Some(teacher) = teachers.0.get(&id) {
                        problem.teacher_busy[*teacher][place] = true;
                    }
                    if let Some(assistant) = classes.0.get(&-id) {
                        problem.class_busy[*assistant][place] = true;
                    }
                }
                ResourceKind::Class => {
                    if let Some(class) = classes.0.get(&id) {
                        problem.class_busy[*class][place] = true;
                    }
                }
                ResourceKind::Classroom => {
                    if let Some(room) = halls.get(&id) {
                        problem.room_busy[*room][place] = true;
                    }
                }
            }
        }
    }
    Ok(Asked { problem, placed, lesson, slot, sessions, slots, rooms })
}

/// The place of a session's time among those that are known.
fn at(session: &Session, slots: &[Time]) -> Option<usize> {
    let own = (session.held_on, session.period_from, session.period_to);
    slots.iter().position(|time| (time.day, time.period_from, time.period_to) == own)
}

fn told(one: &Move, sessions: &[Session], slots: &[Time], rooms: &[Hall]) -> ProposedMove {
    let (session, time, room) = (&sessions[one.task], slots[one.to.slot], &rooms[one.to.room]);
    ProposedMove {
        session_id: session.id,
        version: session.version,
        course_name: session.course_name.clone(),
        class_names: session.class_names.clone(),
        teacher_id: session.teacher_id,
        teacher_name: session.teacher_name.clone(),
        from_date: session.held_on,
        from_period_from: session.period_from,
        from_period_to: session.period_to,
        date: time.day,
        period_from: time.period_from,
        period_to: time.period_to,
        classroom_id: room.id,
        classroom_name: room.name.clone(),
    }
}
