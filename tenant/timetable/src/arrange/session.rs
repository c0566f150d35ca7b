//! 调课 and 停课: single sessions of what is published. A session with attendance stays as it is.
//!
//! What lies ahead does not go into the past. What lies behind without attendance may be put right, or be made up for later; of
//! what lies behind altogether nobody is told.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use course_selection::opening;
use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, clock::Moment, reply};
use poem_openapi::{
    Object, OpenApi,
    types::{Any, Example},
};
use serde_json::json;
use timetable_rules::{
    judge::{Facts, too_small},
    occupation::{of_meeting, refuse},
    period::{moment, span},
    session::{may_change, not_back, when},
    weeks::Skip,
};

use super::{
    CourseArrange, FORCE, MoveSession,
    facts::Named,
    form::locked,
    steps::{people_of, teacher, tell_changed},
};
use crate::{
    enums::{ArrangeStatus, OccupationSource, SessionStatus},
    hold,
    occupation::{conflicts, put, release},
};

/// Where a session goes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SessionMove {
    /// 课次
    pub session_id: i64,
    /// 版本
    pub version: i32,
    /// 日期
    pub date: NaiveDate,
    /// 开始节次
    #[oai(validator(minimum(value = "1"), maximum(value = "14")))]
    pub period_from: i32,
    /// 结束节次
    #[oai(validator(minimum(value = "1"), maximum(value = "14")))]
    pub period_to: i32,
    /// 教室
    /// 直播可以不选
    pub classroom_id: Option<i64>,
    /// 教师
    pub teacher_id: i64,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for SessionMove {
    fn example() -> Self {
        Self {
            session_id: 1,
            version: 1,
            date: NaiveDate::from_ymd_opt(2026, 3, 22).unwrap_or_default(),
            period_from: 1,
            period_to: 4,
            classroom_id: Some(1),
            teacher_id: 1,
            reason: "教师出差".to_owned(),
        }
    }
}

/// A session that does not take place, and why.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SessionCancel {
    /// 课次
    pub session_id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for SessionCancel {
    fn example() -> Self {
        Self { session_id: 1, version: 1, reason: "教师出差".to_owned() }
    }
}

/// A session as it stands, with its arrangement.
struct Standing {
    arrange: CourseArrange,
    held_on: NaiveDate,
    period_from: i32,
    period_to: i32,
    starts_at: Moment,
    teacher_id: i64,
    classroom_id: Option<i64>,
}

impl Standing {
    /// `3月7日第1-4节`.
    fn when(&self) -> String {
        when(self.held_on, self.period_from, self.period_to)
    }

    /// Tells everybody of the arrangement, and whoever was to teach the session.
    async fn tell(&self, tx: &mut Tx, lines: String) -> Result<()> {
        let mut people = people_of(tx, &[self.arrange.id]).await?;
        let own = teacher(self.teacher_id);
        if !people.contains(&own) {
            people.push(own);
        }
        tell_changed(tx, people, &self.arrange.course_name, lines).await
    }
}

pub struct Sessions;

#[OpenApi(prefix_path = "/adult/pc/courseArrange/session", tag = "crate::Tag::Timetable")]
impl Sessions {
    /// 调课
    /// 原课次取消，另排一次
    #[oai(path = "/move", method = "put", operation_id = "moveArrangeSession")]
    async fn shift(&self, caller: Allowed<MoveSession>, Body(wanted): Body<SessionMove>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, changes) = move_to(&mut tx, &wanted, caller.rights().get(FORCE), &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id }))
    }

    /// 停课
    #[oai(path = "/cancel", method = "put", operation_id = "cancelArrangeSession")]
    async fn cancel(&self, caller: Allowed<MoveSession>, Body(wanted): Body<SessionCancel>) -> Result<Reply<Saved>> {
        let SessionCancel { session_id: id, version, reason } = wanted;
        let mut tx = caller.begin().await?;
        let before = held(&mut tx, id, &caller.scope()).await?;
        let change = end(&mut tx, (id, version), &reason).await?;
        if before.starts_at > tx.app().clock().now() {
            let lines = format!("{}停课（{reason}）", before.when());
            before.tell(&mut tx, lines).await?;
        }
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}

/// The session of a published arrangement, kept from others until the transaction ends.
///
/// # Errors
/// 404 outside the scope, 403 when other classes take part, 409 when it is cancelled, waits to be published, or has attendance.
async fn held(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Standing> {
    let arrange = sqlx::query_scalar!("select arrange_id from course_arrange_session where id = $1", id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    let arrange = locked(tx, arrange, &[], scope).await?;
    tx.lock("course_arrange_session", id).await?;
    let row = sqlx::query!(
        r#"select held_on, period_from, period_to, starts_at, teacher_id, classroom_id, status as "status: SessionStatus",
                  exists (select from instruction_attendance x where x.session_id = $1) as "attended!"
           from course_arrange_session where id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    may_change(arrange.status, row.status, row.attended)?;
    Ok(Standing {
        arrange,
        held_on: row.held_on,
        period_from: row.period_from,
        period_to: row.period_to,
        starts_at: row.starts_at,
        teacher_id: row.teacher_id,
        classroom_id: row.classroom_id,
    })
}

/// Cancels a session that is held, and sets free what it kept busy.
async fn end(tx: &mut Tx, (id, version): (i64, i32), reason: &str) -> Result<Change> {
    let by = tx.by();
    let changed = sqlx::query!(
        "update course_arrange_session
         set status = 'cancelled', reason = $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        reason,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("course_arrange_session", id).await);
    }
    release(tx, OccupationSource::Session, &[id]).await?;
    Ok(Change::status("course_arrange_session", id, "status", "scheduled", "cancelled").because(Some(reason)))
}

/// Another session in the place of one.
///
/// # Errors
/// Those of [`held`]; 409 with all clashes; 422 for what cannot be chosen.
async fn move_to(
    tx: &mut Tx,
    wanted: &SessionMove,
    forced: Option<&Scope>,
    scope: &Scope,
) -> Result<(i64, Vec<Change>)> {
    let (leaving, ended) = leave(tx, wanted, forced, scope).await?;
    let (id, made) = arrive(tx, wanted, &leaving).await?;
    Ok((id, vec![made, ended]))
}

/// The same of several at once: each sets its time free before any takes another's.
///
/// # Errors
/// As [`move_to`]; 422 for a session that stands twice.
pub(super) async fn move_all(
    tx: &mut Tx,
    wanted: &[SessionMove],
    forced: Option<&Scope>,
    scope: &Scope,
) -> Result<(Vec<i64>, Vec<Change>)> {
    // All openings at once and in their order, as the room locks them.
    hold(tx).await?;
    let sessions: Vec<i64> = wanted.iter().map(|one| one.session_id).collect();
    let openings = sqlx::query_scalar!(
        "select distinct c.opening_id from course_arrange_session s join course_arrange_class c on c.arrange_id = s.arrange_id
         where s.id = any($1) order by c.opening_id",
        &sessions
    )
    .fetch_all(&mut **tx)
    .await?;
    opening::hold(tx, &openings).await?;
    // Then all arrangements and all sessions, in the order in which whoever registers attendance holds them.
    let mut arranges = BTreeSet::new();
    for one in wanted {
        let arrange =
            sqlx::query_scalar!("select arrange_id from course_arrange_session where id = $1", one.session_id)
                .fetch_optional(&mut **tx)
                .await?;
        arranges.extend(arrange);
    }
    for arrange in arranges {
        tx.lock("course_arrange", arrange).await?;
    }
    for session in BTreeSet::from_iter(sessions) {
        tx.lock("course_arrange_session", session).await?;
    }
    let (mut leaving, mut changes, mut ids) = (Vec::with_capacity(wanted.len()), Vec::new(), Vec::new());
    for (place, one) in wanted.iter().enumerate() {
        if wanted[..place].iter().any(|other| other.session_id == one.session_id) {
            return Err(Error::field(&format!("moves[{place}].sessionId"), "课次重复，请合并为一条"));
        }
        let (left, ended) = leave(tx, one, forced, scope).await?;
        leaving.push(left);
        changes.push(ended);
    }
    for (one, left) in wanted.iter().zip(&leaving) {
        let (id, made) = arrive(tx, one, left).await?;
        ids.push(id);
        changes.push(made);
    }
    Ok((ids, changes))
}

/// A session that set its time free and is on its way.
struct Leaving {
    before: Standing,
    facts: Facts,
    starts_at: Moment,
    ends_at: Moment,
}

async fn leave(tx: &mut Tx, wanted: &SessionMove, forced: Option<&Scope>, scope: &Scope) -> Result<(Leaving, Change)> {
    let before = held(tx, wanted.session_id, scope).await?;
    let arrange = &before.arrange;
    if arrange.status == ArrangeStatus::Cancelled {
        return Err(Error::conflict(format!("“{}”已取消，不能调课", arrange.course_name)));
    }
    let named = Named {
        semesters: Some(vec![arrange.semester_id]),
        courses: Some(Vec::new()),
        teachers: Some(vec![wanted.teacher_id]),
        sites: Some(Vec::new()),
        rooms: Some(wanted.classroom_id.into_iter().collect()),
        classes: Some(arrange.classes.iter().map(|class| class.class_id).collect()),
        openings: Some(arrange.classes.iter().map(|class| class.opening_id).collect()),
    };
    let facts = named.load(tx).await?;
    let (from, to) = allowed(wanted, arrange, &facts, forced)?;
    let (starts_at, ends_at, now) = (moment(wanted.date, from), moment(wanted.date, to), tx.app().clock().now());
    not_back(before.starts_at, starts_at, now)?;
    let ended = end(tx, (wanted.session_id, wanted.version), &wanted.reason).await?;
    Ok((Leaving { before, facts, starts_at, ends_at }, ended))
}

/// # Errors
/// 409 with all clashes.
async fn arrive(tx: &mut Tx, wanted: &SessionMove, leaving: &Leaving) -> Result<(i64, Change)> {
    let Leaving { before, facts, starts_at, ends_at } = leaving;
    let (arrange, starts_at, ends_at, now) = (&before.arrange, *starts_at, *ends_at, tx.app().clock().now());
    let classes: Vec<i64> = arrange.classes.iter().map(|class| class.class_id).collect();
    let mut teachers: Vec<i64> = arrange.assistants.iter().map(|assistant| assistant.id).collect();
    teachers.push(wanted.teacher_id);
    let whom = (teachers.as_slice(), wanted.classroom_id, classes.as_slice());
    let busy: Vec<_> = of_meeting(whom, (starts_at, ends_at), 0).collect();
    let found = conflicts(tx, &busy, &[]).await?;
    if !found.is_empty() {
        return Err(refuse(&found));
    }
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into course_arrange_session (arrange_id, held_on, period_from, period_to, starts_at, ends_at, teacher_id,
             classroom_id, moved_from_id, reason, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id",
        arrange.id,
        wanted.date,
        wanted.period_from,
        wanted.period_to,
        starts_at as _,
        ends_at as _,
        wanted.teacher_id,
        wanted.classroom_id,
        wanted.session_id,
        wanted.reason,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    let taken: Vec<_> = of_meeting(whom, (starts_at, ends_at), id).collect();
    put(tx, OccupationSource::Session, &taken).await?;
    if before.starts_at > now || starts_at > now {
        before.tell(tx, told(before, wanted, facts)).await?;
    }
    let made = Any(json!({
        "arrangeId": arrange.id, "date": wanted.date, "periodFrom": wanted.period_from, "periodTo": wanted.period_to,
        "teacherId": wanted.teacher_id, "classroomId": wanted.classroom_id, "movedFromId": wanted.session_id,
        "reason": wanted.reason,
    }));
    Ok((id, Change::created("course_arrange_session", id, &made)))
}

/// What people are told of a move.
fn told(before: &Standing, wanted: &SessionMove, facts: &Facts) -> String {
    let mut told = format!("{}改为{}", before.when(), when(wanted.date, wanted.period_from, wanted.period_to));
    if wanted.classroom_id != before.classroom_id
        && let Some(room) = wanted.classroom_id.and_then(|id| facts.rooms.get(&id))
    {
        told.push_str(&format!("，教室{}", room.name));
    }
    if wanted.teacher_id != before.teacher_id
        && let Some(teacher) = facts.teachers.get(&wanted.teacher_id)
    {
        told.push_str(&format!("，教师{}", teacher.name));
    }
    told
}

/// From when to when the session may be there.
///
/// # Errors
/// 422 with what is wrong.
fn allowed(
    wanted: &SessionMove,
    arrange: &CourseArrange,
    facts: &Facts,
    forced: Option<&Scope>,
) -> Result<(chrono::NaiveTime, chrono::NaiveTime)> {
    let semester = facts.semesters.get(&arrange.semester_id).ok_or_else(Error::not_found)?;
    match semester.days.skipped(wanted.date) {
        Some(Skip::Outside) => return Err(Error::field("date", format!("{}不在学期内", wanted.date))),
        Some(Skip::Holiday) => return Err(Error::field("date", format!("{}是停课日期", wanted.date))),
        None => {}
    }
    match facts.teachers.get(&wanted.teacher_id) {
        None => return Err(Error::field("teacherId", "所选教师不存在，请重新选择")),
        Some(teacher) if !teacher.active => {
            return Err(Error::field("teacherId", format!("教师“{}”已离职或停用", teacher.name)));
        }
        Some(teacher) => {
            let open = |class: i64| {
                let site = facts.classes.get(&class).map(|known| known.site_id);
                forced.is_some_and(|forced| forced.sees(site, Some(class)))
            };
            let other = arrange.classes.iter().find(|class| {
                !open(class.class_id) && !facts.teaches(class.opening_id, class.class_id, wanted.teacher_id)
            });
            if let Some(class) = other {
                let told = format!("教师“{}”不是班级“{}”的主讲或辅导教师", teacher.name, class.class_name);
                return Err(Error::field("teacherId", told));
            }
        }
    }
    let mut site = arrange.site_id;
    match wanted.classroom_id {
        None if arrange.classroom_id.is_some() => return Err(Error::field("classroomId", "请选择教室")),
        None => {}
        Some(id) => {
            let room = facts.rooms.get(&id).filter(|room| room.enabled);
            let room = room.ok_or_else(|| Error::field("classroomId", "所选教室不存在或已停用，请重新选择"))?;
            let size: i64 = arrange.classes.iter().map(|class| facts.size(class.opening_id, class.class_id)).sum();
            if room.capacity < size && !arrange.allow_over_capacity {
                return Err(Error::field("classroomId", too_small(room.capacity, size)));
            }
            site = room.site_id;
        }
    }
    let (_, periods) = facts.periods.of(Some(site));
    span(periods, wanted.period_from, wanted.period_to)
        .filter(|_| wanted.period_from <= wanted.period_to)
        .ok_or_else(|| Error::field("periodTo", format!("该站点的节次表只有{}节，且不能早于开始节次", periods.len())))
}
