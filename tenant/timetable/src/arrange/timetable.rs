//! 课表: the sessions of a class, a teacher or a classroom between two days, as the console's week and month show them, and
//! what else keeps them busy.

use chrono::NaiveDate;
use infra::{
    Allowed, Error, Reply, Result, Scope,
    clock::{Moment, day_began, day_ended},
    reply,
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use timetable_rules::{
    entry::{TimetableEntry, checked_span},
    period::LessonPeriod,
    weeks::{SemesterDays, weekday_of},
};

use super::ViewArrange;
use crate::{
    enums::{ArrangeKind, ArrangeMode, ArrangeStatus, OccupationSource, ResourceKind, SessionStatus},
    period,
};

/// What else keeps somebody or something busy.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct BusyTime {
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 占用来源
    pub source: OccupationSource,
    /// 说明
    pub note: Option<String>,
}

/// The timetable of a class, a teacher or a classroom.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Timetable {
    /// 课表类型
    pub kind: ResourceKind,
    /// 编号
    pub id: i64,
    /// 名称
    pub name: String,
    /// 开始日期
    pub from: NaiveDate,
    /// 结束日期
    pub to: NaiveDate,
    /// 节次
    pub periods: Vec<LessonPeriod>,
    /// 停课日期
    pub holidays: Vec<NaiveDate>,
    /// 课次
    pub entries: Vec<TimetableEntry>,
    /// 其他占用
    pub busy: Vec<BusyTime>,
}

pub struct Timetables;

#[OpenApi(prefix_path = "/adult/pc/courseArrange", tag = "crate::Tag::Timetable")]
impl Timetables {
    /// 课表
    /// 一个班级、一名教师或一间教室在一段日期内的课次和其他占用
    #[oai(path = "/timetable", method = "get", operation_id = "showTimetable")]
    async fn timetable(
        &self,
        caller: Allowed<ViewArrange>,
        /// 课表类型
        kind: Query<ResourceKind>,
        /// 编号
        id: Query<i64>,
        /// 开始日期
        from: Query<NaiveDate>,
        /// 结束日期
        to: Query<NaiveDate>,
    ) -> Result<Reply<Timetable>> {
        let (kind, id, from, to) = (kind.0, id.0, from.0, to.0);
        checked_span(from, to)?;
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let whose = resource(&mut tx, kind, id, &scope).await?;
        let periods = period::load(&mut tx).await?;
        let asked = Asked { whose: Whose::of(kind, id), days: (from, to), only_published: false, cancelled: true };
        let entries = entries(&mut tx, &asked, &scope).await?;
        Ok(reply(Timetable {
            kind,
            id,
            name: whose.name,
            from,
            to,
            periods: periods.of(whose.site).1.iter().map(LessonPeriod::of).collect(),
            holidays: holidays(&mut tx, from, to).await?,
            entries,
            busy: busy(&mut tx, kind, id, (from, to)).await?,
        }))
    }
}

/// A class, teacher or classroom with the site whose periods count for it.
pub(super) struct Resource {
    pub name: String,
    pub site: Option<i64>,
}

/// # Errors
/// 404 when there is none, a class lies outside the scope, or a classroom where no class of it is taught. Teachers are everybody's
/// to choose; of theirs only what lies in the scope is shown.
pub(super) async fn resource(
    connection: &mut PgConnection,
    kind: ResourceKind,
    id: i64,
    scope: &Scope,
) -> Result<Resource> {
    let found = match kind {
        ResourceKind::Teacher => sqlx::query_scalar!("select name from teacher where id = $1", id)
            .fetch_optional(connection)
            .await?
            .map(|name| Resource { name, site: None }),
        ResourceKind::Classroom => sqlx::query!(
            "select r.name, r.site_id from classroom r
             where r.id = $1
               and ($2::bigint[] is null or r.site_id = any($2)
                    or exists (select from course_arrange_session s
                               join course_arrange_class c on c.arrange_id = s.arrange_id
                               join class k on k.id = c.class_id
                               where s.classroom_id = r.id and (k.site_id = any($2) or k.id = any($3::bigint[]))))",
            id,
            scope.sites(),
            scope.classes()
        )
        .fetch_optional(connection)
        .await?
        .map(|row| Resource { name: row.name, site: Some(row.site_id) }),
        ResourceKind::Class => sqlx::query!("select name, site_id from class where id = $1", id)
            .fetch_optional(connection)
            .await?
            .filter(|row| scope.sees(Some(row.site_id), Some(id)))
            .map(|row| Resource { name: row.name, site: Some(row.site_id) }),
    };
    found.ok_or_else(Error::not_found)
}

/// Whose sessions, by number.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Whose {
    Class(i64),
    /// Also of those whom they help.
    Teacher(i64),
    Classroom(i64),
    /// Of the classes in which a student takes part.
    Student(i64),
}

impl Whose {
    pub fn of(kind: ResourceKind, id: i64) -> Self {
        match kind {
            ResourceKind::Class => Self::Class(id),
            ResourceKind::Teacher => Self::Teacher(id),
            ResourceKind::Classroom => Self::Classroom(id),
        }
    }

    /// Arrangements all of whose sessions are meant; none where it is not arrangements that say so. They are looked up first,
    /// so that the sessions of a semester are found by an index.
    async fn arranges(self, connection: &mut PgConnection) -> Result<Option<Vec<i64>>> {
        let ids = match self {
            Self::Classroom(_) => return Ok(None),
            Self::Class(id) => {
                sqlx::query_scalar!("select arrange_id from course_arrange_class where class_id = $1", id)
                    .fetch_all(connection)
                    .await?
            }
            Self::Teacher(id) => {
                sqlx::query_scalar!("select arrange_id from course_arrange_assistant where teacher_id = $1", id)
                    .fetch_all(connection)
                    .await?
            }
            Self::Student(id) => {
                sqlx::query_scalar!(
                    "select distinct c.arrange_id from course_selection z
                     join course_arrange_class c on c.opening_id = z.opening_id and c.class_id = z.class_id
                     where z.student_id = $1 and z.status in ('pending', 'selected', 'completed')",
                    id
                )
                .fetch_all(connection)
                .await?
            }
        };
        Ok(Some(ids))
    }
}

/// Which sessions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub whose: Whose,
    pub days: (NaiveDate, NaiveDate),
    /// No drafts.
    pub only_published: bool,
    /// Also those that do not take place.
    pub cancelled: bool,
}

/// Sessions in their order. Of an arrangement that was cancelled those stand that were held.
pub(crate) async fn entries(
    connection: &mut PgConnection,
    asked: &Asked,
    scope: &Scope,
) -> Result<Vec<TimetableEntry>> {
    let Asked { whose, days: (from, to), only_published, cancelled } = *asked;
    let arranges = whose.arranges(&mut *connection).await?;
    let teacher = if let Whose::Teacher(id) = whose { Some(id) } else { None };
    let classroom = if let Whose::Classroom(id) = whose { Some(id) } else { None };
    let rows = sqlx::query!(
        r#"select s.id as "session_id!", a.id as "arrange_id!", a.semester_id as "semester_id!", s.held_on as "held_on!",
                  s.period_from as "period_from!", s.period_to as "period_to!", s.starts_at as "starts_at!",
                  s.ends_at as "ends_at!", u.code as "course_code!", u.name as "course_name!",
                  a.kind as "kind!: ArrangeKind", a.mode as "mode!: ArrangeMode", s.teacher_id as "teacher_id!",
                  t.name as "teacher_name!", w.id as "site_id!", w.name as "site_name!", s.classroom_id,
                  r.name as "classroom_name?",
                  coalesce((select array_agg(k.name order by k.code) from course_arrange_class c
                            join class k on k.id = c.class_id
                            where c.arrange_id = a.id
                              and ($1::bigint[] is null or k.site_id = any($1) or k.id = any($2::bigint[]))), '{}')
                      as "class_names!", a.status as "status!: ArrangeStatus", s.status as "session_status!: SessionStatus",
                  s.moved_from_id, s.version as "version!",
                  exists (select from instruction_attendance x where x.session_id = s.id) as "attended!",
                  e.starts_on as "starts_on!", e.ends_on as "ends_on!"
           from course_arrange_session s
           join course_arrange a on a.id = s.arrange_id
           join semester e on e.id = a.semester_id
           join course u on u.id = a.course_id
           join teacher t on t.id = s.teacher_id
           left join classroom r on r.id = s.classroom_id
           -- Where it is: a moved one may be elsewhere, with the lessons of that day.
           join site w on w.id = coalesce(r.site_id, a.site_id)
           where s.held_on between $3 and $4
             and ($1 is null or exists (
                      select from course_arrange_class c join class k on k.id = c.class_id
                      where c.arrange_id = a.id and (k.site_id = any($1) or k.id = any($2))))
             and ($5::bigint[] is null or s.arrange_id = any($5) or s.teacher_id = $6::bigint)
             and ($7::bigint is null or s.classroom_id = $7)
             and (not $8::boolean or a.status <> 'draft')
             and ($9::boolean or s.status = 'scheduled')
           order by s.held_on, s.period_from, s.id"#,
        scope.sites(),
        scope.classes(),
        from,
        to,
        arranges.as_deref(),
        teacher,
        classroom,
        only_published,
        cancelled
    )
    .fetch_all(connection)
    .await?;
    let entry = rows.into_iter().map(|row| {
        let days = SemesterDays { starts_on: row.starts_on, ends_on: row.ends_on, holidays: Vec::new() };
        TimetableEntry {
            session_id: row.session_id,
            arrange_id: row.arrange_id,
            semester_id: row.semester_id,
            date: row.held_on,
            weekday: weekday_of(row.held_on),
            week_no: days.week_of(row.held_on),
            period_from: row.period_from,
            period_to: row.period_to,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            course_code: row.course_code,
            course_name: row.course_name,
            kind: row.kind,
            mode: row.mode,
            teacher_id: row.teacher_id,
            teacher_name: row.teacher_name,
            site_id: row.site_id,
            site_name: row.site_name,
            classroom_id: row.classroom_id,
            classroom_name: row.classroom_name,
            class_names: row.class_names,
            status: row.status,
            session_status: row.session_status,
            moved_from_id: row.moved_from_id,
            attended: row.attended,
            version: row.version,
        }
    });
    Ok(entry.collect())
}

/// What but sessions keeps somebody or something busy on these days.
async fn busy(
    connection: &mut PgConnection,
    kind: ResourceKind,
    id: i64,
    (from, to): (NaiveDate, NaiveDate),
) -> Result<Vec<BusyTime>> {
    let rows = sqlx::query!(
        r#"select lower(during) as "starts_at!", upper(during) as "ends_at!", source_type as "source!: OccupationSource", note
           from resource_occupation
           where kind = $1 and resource_id = $2 and source_type <> 'session' and during && tstzrange($3, $4)
           order by lower(during), id"#,
        kind.as_str(),
        id,
        day_began(from) as _,
        day_ended(to) as _
    )
    .fetch_all(connection)
    .await?;
    let time = rows.into_iter().map(|row| BusyTime {
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        source: row.source,
        note: row.note,
    });
    Ok(time.collect())
}

async fn holidays(connection: &mut PgConnection, from: NaiveDate, to: NaiveDate) -> Result<Vec<NaiveDate>> {
    Ok(sqlx::query_scalar!(
        r#"select x.day as "day!" from semester e cross join lateral unnest(e.holidays) as x (day)
           where x.day between $1 and $2 order by x.day"#,
        from,
        to
    )
    .fetch_all(connection)
    .await?)
}
