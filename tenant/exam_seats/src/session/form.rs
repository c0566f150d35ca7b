//! What a clerk types of a session, and how it is written. What was seated is looked at anew when its time changes.

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use exam_seat_rules::session::next_code;
use infra::{
    Change, Edit, Error, OnConstraint, Result, Scope, Tx,
    across::Keyed,
    clock::{Moment, day_began},
    naming::tidy,
};
use poem_openapi::{Object, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use sqlx::PgConnection;

use super::{Sessions, held};
use crate::{enums::ExamSessionStatus, offered::occupy, seat::hold_batch};

/// What a clerk types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ExamSessionForm {
    /// 考试批次
    pub batch_id: i64,
    /// 名称
    /// 不填时为“第01场”
    #[oai(validator(max_length = 40))]
    pub name: Option<String>,
    /// 考试日期
    pub exam_date: NaiveDate,
    /// 开始时间
    /// 时间应为 HH:MM
    #[oai(validator(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub start_time: String,
    /// 结束时间
    /// 时间应为 HH:MM
    #[oai(validator(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub end_time: String,
    /// 时长(分钟)
    /// 不填时为开始到结束的时间
    #[oai(validator(minimum(value = "10"), maximum(value = "300")))]
    pub duration_minutes: Option<i32>,
    /// 站点
    /// 不填时为全部站点
    #[oai(default, validator(max_items = 1000))]
    pub site_ids: Vec<i64>,
}

impl Example for ExamSessionForm {
    fn example() -> Self {
        Self {
            batch_id: 1,
            name: None,
            exam_date: NaiveDate::from_ymd_opt(2026, 6, 20).unwrap_or_default(),
            start_time: "09:00".to_owned(),
            end_time: "11:00".to_owned(),
            duration_minutes: Some(120),
            site_ids: Vec::new(),
        }
    }
}

/// A session that is right by itself.
#[derive(Debug, Clone)]
pub(crate) struct NewSession {
    pub batch_id: i64,
    pub name: Option<String>,
    pub starts_at: Moment,
    pub ends_at: Moment,
    pub duration_minutes: i32,
    pub site_ids: Vec<i64>,
}

/// The moment of a time of a day.
pub(super) fn moment(day: NaiveDate, time: &str) -> Option<Moment> {
    let time = NaiveTime::parse_from_str(time, "%H:%M").ok()?;
    Some(day_began(day) + (time - NaiveTime::MIN))
}

impl NewSession {
    /// # Errors
    /// 422 at a time that is none, or an end that does not come behind the beginning.
    pub fn of(form: ExamSessionForm) -> Result<Self> {
        let wrong = |field: &str| Error::field(field, "时间应为 HH:MM");
        let starts_at = moment(form.exam_date, &form.start_time).ok_or_else(|| wrong("startTime"))?;
        let ends_at = moment(form.exam_date, &form.end_time).ok_or_else(|| wrong("endTime"))?;
        if ends_at <= starts_at {
            return Err(Error::field("endTime", "结束时间应晚于开始时间"));
        }
        let whole = minutes(ends_at - starts_at);
        let duration_minutes = form.duration_minutes.unwrap_or(whole);
        if !(10..=300).contains(&duration_minutes) || duration_minutes > whole {
            return Err(Error::field("durationMinutes", format!("时长应在10到{}分钟之间", whole.min(300))));
        }
        let mut site_ids = form.site_ids;
        site_ids.sort_unstable();
        site_ids.dedup();
        let name = form.name.as_deref().map(tidy).filter(|name| !name.is_empty());
        Ok(Self { batch_id: form.batch_id, name, starts_at, ends_at, duration_minutes, site_ids })
    }
}

pub(super) fn minutes(span: TimeDelta) -> i32 {
    i32::try_from(span.num_minutes()).unwrap_or(i32::MAX)
}

/// Holds a batch that takes sessions at this time.
///
/// # Errors
/// 422 at the batch when it is not there, online, or over; at the date outside of its days.
async fn batch_open(tx: &mut Tx, new: &NewSession) -> Result<()> {
    let batch = sqlx::query!(
        "select name, mode, status, exam_starts_on, exam_ends_on from test_batch where id = $1 for update",
        new.batch_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("batchId", "所选考试批次不存在，请重新选择"))?;
    if !matches!(batch.status.as_str(), "draft" | "active") {
        return Err(Error::field("batchId", format!("“{}”已结束，不能安排场次", batch.name)));
    }
    if batch.mode == "online" {
        return Err(Error::field("batchId", format!("“{}”为线上考试，不需要场次", batch.name)));
    }
    let day = new.starts_at.date_naive();
    let (Some(first), Some(last)) = (batch.exam_starts_on, batch.exam_ends_on) else {
        return Err(Error::field("batchId", format!("请先设置“{}”的考试日期", batch.name)));
    };
    if day < first || day > last {
        return Err(Error::field("examDate", format!("考试日期应在批次的{first}至{last}之内")));
    }
    Ok(())
}

async fn sites_known(connection: &mut PgConnection, sites: &[i64]) -> Result<()> {
    let known = sqlx::query_scalar!(
        r#"select count(*) as "count!" from site where id = any($1) and status <> 'closed'"#,
        sites
    )
    .fetch_one(connection)
    .await?;
    if usize::try_from(known).ok() == Some(sites.len()) {
        Ok(())
    } else {
        Err(Error::field("siteIds", "所选站点不存在或已撤销，请重新选择"))
    }
}

async fn write_sites(tx: &mut Tx, session: i64, sites: &[i64]) -> Result<()> {
    sqlx::query!("delete from offline_session_site where session_id = $1 and site_id <> all($2)", session, sites)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into offline_session_site (session_id, site_id)
         select $1::bigint, w.site from unnest($2::bigint[]) as w (site) on conflict do nothing",
        session,
        sites
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Adds a session with the next free number of its batch.
///
/// # Errors
/// 422 by field; 409 when the batch has 99.
pub(crate) async fn insert(tx: &mut Tx, new: &NewSession) -> Result<(i64, Change)> {
    batch_open(tx, new).await?;
    sites_known(tx, &new.site_ids).await?;
    let taken = sqlx::query_scalar!("select code from offline_session where batch_id = $1", new.batch_id)
        .fetch_all(&mut **tx)
        .await?;
    let code = next_code(&taken).ok_or_else(|| Error::conflict("一个批次最多99个场次"))?;
    let name = new.name.clone().unwrap_or_else(|| format!("第{code}场"));
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into offline_session (batch_id, code, name, starts_at, ends_at, duration_minutes, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        new.batch_id,
        code,
        name,
        new.starts_at as _,
        new.ends_at as _,
        new.duration_minutes,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "offline_session_code_taken").then(|| Error::conflict("场次号已存在，请重试"))
    })?;
    write_sites(tx, id, &new.site_ids).await?;
    let after = Sessions::find(tx, id, &Scope::whole_school()).await?;
    Ok((id, Change::created("offline_session", id, &after)))
}

/// # Errors
/// 404; 409 when it was changed meanwhile, is over, or a room or teacher is busy then; 422 when somebody sits elsewhere at the time.
pub(super) async fn update(tx: &mut Tx, edit: Edit<ExamSessionForm>) -> Result<Change> {
    let new = NewSession::of(edit.form)?;
    timetable::hold(tx).await?;
    let before = Sessions::find(tx, edit.id, &Scope::whole_school()).await?;
    if new.batch_id != before.batch_id {
        return Err(Error::field("batchId", "场次不能更换批次"));
    }
    batch_open(tx, &new).await?;
    hold_batch(tx, before.batch_id).await?;
    let session = held(tx, &[edit.id]).await?;
    if session.iter().any(|held| held.status == ExamSessionStatus::Finished) {
        return Err(Error::conflict("场次已结束，不能修改"));
    }
    sites_known(tx, &new.site_ids).await?;
    sites_stay(tx, edit.id, &new.site_ids).await?;
    let by = tx.by();
    let name = new.name.clone().unwrap_or_else(|| before.name.clone());
    let changed = sqlx::query!(
        "update offline_session set name = $3, starts_at = $4, ends_at = $5, duration_minutes = $6, updated_at = now(),
                updated_by = $7, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        name,
        new.starts_at as _,
        new.ends_at as _,
        new.duration_minutes,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("offline_session", edit.id).await);
    }
    write_sites(tx, edit.id, &new.site_ids).await?;
    let moved = (before.starts_at, before.ends_at) != (new.starts_at, new.ends_at);
    if moved {
        nobody_twice(tx, edit.id).await?;
        rooms_free(tx, edit.id).await?;
        let rooms =
            sqlx::query_scalar!("select id from offline_session_room where session_id = $1 order by id", edit.id)
                .fetch_all(&mut **tx)
                .await?;
        occupy(tx, &rooms).await?;
        tell_moved(tx, edit.id, new.starts_at).await?;
    }
    let after = Sessions::find(tx, edit.id, &Scope::whole_school()).await?;
    Ok(Change::edited("offline_session", edit.id, &before, &after))
}

/// # Errors
/// 409 when people sit at a site that the session would not have any more.
async fn sites_stay(connection: &mut PgConnection, session: i64, sites: &[i64]) -> Result<()> {
    if sites.is_empty() {
        return Ok(());
    }
    let left = sqlx::query_scalar!(
        "select s.name from offline_session_room r join site s on s.id = r.site_id
         where r.session_id = $1 and r.site_id <> all($2) order by s.code limit 1",
        session,
        sites
    )
    .fetch_optional(connection)
    .await?;
    match left {
        Some(site) => Err(Error::conflict(format!("“{site}”在本场次已编排座位，请先清空"))),
        None => Ok(()),
    }
}

/// # Errors
/// 422 with how many would sit in two examinations at once.
async fn nobody_twice(connection: &mut PgConnection, session: i64) -> Result<()> {
    let found = sqlx::query!(
        r#"select u.name as "course!", count(distinct c.student_id) as "count!"
           from offline_session x
           join exam_setup own on own.session_id = x.id and own.status <> 'cancelled'
           join exam_candidate mine on mine.setup_id = own.id and not mine.removed and mine.eligibility = 'eligible'
           join exam_candidate c on c.student_id = mine.student_id and not c.removed and c.eligibility = 'eligible'
           join exam_setup s on s.id = c.setup_id and s.mode = 'offline' and s.status <> 'cancelled'
                and s.session_id is distinct from x.id
           join exam_setup_time t on t.setup_id = s.id and t.starts_at < x.ends_at and t.ends_at > x.starts_at
           join course u on u.id = s.course_id
           where x.id = $1
           group by u.name order by 2 desc, 1 limit 1"#,
        session
    )
    .fetch_optional(connection)
    .await?;
    match found {
        Some(row) => Err(Error::field("startTime", format!("与《{}》有 {} 名学生时间冲突", row.course, row.count))),
        None => Ok(()),
    }
}

/// # Errors
/// 409 with the room that another session has then.
async fn rooms_free(connection: &mut PgConnection, session: i64) -> Result<()> {
    let found = sqlx::query!(
        r#"select e.name as "room!", b.name as "batch!", y.code as "code!"
           from offline_session x
           join offline_session_room r on r.session_id = x.id
           join offline_session_room o on o.room_id = r.room_id and o.session_id <> x.id
           join offline_session y on y.id = o.session_id and y.starts_at < x.ends_at and y.ends_at > x.starts_at
           join test_batch b on b.id = y.batch_id
           join exam_room e on e.id = r.room_id
           where x.id = $1 order by e.name, y.id limit 1"#,
        session
    )
    .fetch_optional(connection)
    .await?;
    match found {
        Some(row) => Err(Error::conflict(format!("考场“{}”该时间已用于《{}》{}场", row.room, row.batch, row.code))),
        None => Ok(()),
    }
}

/// Who sits for what is published is told of the new time, course by course.
async fn tell_moved(tx: &mut Tx, session: i64, starts_at: Moment) -> Result<()> {
    let setups = sqlx::query!(
        r#"select u.name as "course!", array_agg(c.student_id order by c.student_id) as "students!"
           from exam_setup s
           join exam_candidate c on c.setup_id = s.id and not c.removed and c.eligibility = 'eligible'
           join course u on u.id = s.course_id
           where s.session_id = $1 and s.status = 'published'
           group by s.id, u.name order by s.id"#,
        session
    )
    .fetch_all(&mut **tx)
    .await?;
    for setup in setups {
        let people = setup.students.into_iter().map(|id| Person { kind: PersonKind::Student, id }).collect();
        let values = [
            ("course".to_owned(), setup.course),
            ("startsAt".to_owned(), starts_at.format("%Y-%m-%d %H:%M").to_string()),
            ("place".to_owned(), "以准考证为准".to_owned()),
        ];
        notify(tx, "exam_changed", Persons::Recipients(people), values.into(), None).await?;
    }
    Ok(())
}
