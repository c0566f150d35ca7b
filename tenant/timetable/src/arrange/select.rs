//! How arrangements are read: list, view and export show the same. What they tell of classes and students is within the scope.

use chrono::NaiveDate;
use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
};
use poem_openapi::Object;
use serde::Deserialize;
use sqlx::{PgConnection, types::Json};
use timetable_rules::weeks;

use super::{ArrangeClass, ArrangeForm, Arranges};
use crate::enums::{ArrangeKind, ArrangeMode, ArrangeStatus, SessionStatus};

/// A class of an arrangement.
#[derive(Debug, Clone, PartialEq, Eq, Object, Deserialize)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct ArrangedClass {
    /// 班级编号
    pub class_id: i64,
    /// 班级
    pub class_name: String,
    /// 开课编号
    pub opening_id: i64,
    /// 人数
    pub students: i64,
    /// 已排学时
    pub scheduled: i64,
    /// 应排学时
    pub required: i64,
}

/// A person or place by number and name.
#[derive(Debug, Clone, PartialEq, Eq, Object, Deserialize)]
pub struct ArrangeTeacher {
    /// 编号
    pub id: i64,
    /// 名称
    pub name: String,
}

/// An arrangement, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseArrange {
    /// 编号
    pub id: i64,
    /// 学期编号
    pub semester_id: i64,
    /// 学期
    pub semester_name: String,
    /// 课程编号
    pub course_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 班级
    pub classes: Vec<ArrangedClass>,
    /// 教师编号
    pub teacher_id: i64,
    /// 教师
    pub teacher_name: String,
    /// 助教
    pub assistants: Vec<ArrangeTeacher>,
    /// 站点编号
    pub site_id: i64,
    /// 站点
    pub site_name: String,
    /// 教室编号
    pub classroom_id: Option<i64>,
    /// 教室
    pub classroom_name: Option<String>,
    /// 教室容量
    pub capacity: Option<i32>,
    /// 上课类型
    pub kind: ArrangeKind,
    /// 排课方式
    pub mode: ArrangeMode,
    /// 星期
    pub weekday: Option<i32>,
    /// 周次
    pub weeks: String,
    /// 上课日期
    pub dates: Vec<NaiveDate>,
    /// 开始节次
    pub period_from: i32,
    /// 结束节次
    pub period_to: i32,
    /// 允许超出教室容量
    pub allow_over_capacity: bool,
    /// 人数
    pub students: i64,
    /// 课次数
    pub sessions: i64,
    /// 排课状态
    pub status: ArrangeStatus,
    /// 发布时间
    pub published_at: Option<Moment>,
    /// 取消原因
    pub cancel_reason: Option<String>,
    /// 备注
    pub remark: Option<String>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl CourseArrange {
    /// What was typed of it, which is what its trail tells: names and figures of classes are told within the scope alone.
    pub(super) fn form(&self) -> ArrangeForm {
        let class = |class: &ArrangedClass| ArrangeClass { class_id: class.class_id, opening_id: class.opening_id };
        ArrangeForm {
            semester_id: self.semester_id,
            course_id: self.course_id,
            classes: self.classes.iter().map(class).collect(),
            teacher_id: self.teacher_id,
            assistant_teacher_ids: self.assistants.iter().map(|assistant| assistant.id).collect(),
            site_id: self.site_id,
            classroom_id: self.classroom_id,
            kind: self.kind,
            mode: self.mode,
            weekday: self.weekday,
            weeks: (self.mode == ArrangeMode::Weekly).then(|| self.weeks.clone()),
            dates: self.dates.clone(),
            period_from: self.period_from,
            period_to: self.period_to,
            allow_over_capacity: self.allow_over_capacity,
            remark: self.remark.clone(),
        }
    }

    /// When it is, as people say it: `1-16周 星期六 第1-4节`.
    pub fn time(&self) -> String {
        let periods = weeks::periods_zh(self.period_from, self.period_to);
        match (self.mode, self.weekday) {
            (ArrangeMode::Weekly, Some(weekday)) => {
                format!("{}周 {} {periods}", self.weeks, weeks::weekday_zh(weekday))
            }
            _ => {
                let days: Vec<String> = self.dates.iter().map(NaiveDate::to_string).collect();
                format!("{} {periods}", days.join("、"))
            }
        }
    }
}

/// A meeting of an arrangement.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct ArrangeSession {
    /// 课次编号
    pub id: i64,
    /// 日期
    pub date: NaiveDate,
    /// 开始节次
    pub period_from: i32,
    /// 结束节次
    pub period_to: i32,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 教师编号
    pub teacher_id: i64,
    /// 教师
    pub teacher_name: String,
    /// 教室编号
    pub classroom_id: Option<i64>,
    /// 教室
    pub classroom_name: Option<String>,
    /// 课次状态
    pub status: SessionStatus,
    /// 由哪次课调来
    pub moved_from_id: Option<i64>,
    /// 原因
    pub reason: Option<String>,
    /// 已登记考勤
    pub attended: bool,
    /// 版本
    pub version: i32,
}

/// An arrangement with its meetings.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseArrangeView {
    #[oai(flatten)]
    pub arrange: CourseArrange,
    /// 课次
    pub meetings: Vec<ArrangeSession>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ArrangeFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 开课
    pub opening_id: Option<i64>,
    /// 教师
    /// 任课教师或助教
    pub teacher_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 教室
    pub classroom_id: Option<i64>,
    /// 上课类型
    pub kind: Option<ArrangeKind>,
    /// 日期起
    pub date_from: Option<NaiveDate>,
    /// 日期止
    pub date_to: Option<NaiveDate>,
    /// 排课状态
    pub status: Option<ArrangeStatus>,
}

impl Keyed for Arranges {
    type Filter = ArrangeFilter;
    type Row = CourseArrange;

    fn id(row: &CourseArrange) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ArrangeFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select a.id, a.created_at, count(*) over () as "total!"
               from course_arrange a
               where ($1::bigint[] is null or exists (
                          select from course_arrange_class c join class k on k.id = c.class_id
                          where c.arrange_id = a.id and (k.site_id = any($1) or k.id = any($2::bigint[]))))
                 and ($3::bigint is null or a.semester_id = $3)
                 and ($4::bigint is null or a.course_id = $4)
                 and ($5::bigint is null or a.id in (select c.arrange_id from course_arrange_class c where c.opening_id = $5))
                 and ($6::bigint is null or a.teacher_id = $6
                      or a.id in (select x.arrange_id from course_arrange_assistant x where x.teacher_id = $6))
                 and ($7::bigint is null or a.id in (select c.arrange_id from course_arrange_class c where c.class_id = $7))
                 and ($8::bigint is null or a.site_id = $8)
                 and ($9::bigint is null or a.classroom_id = $9)
                 and ($10::text is null or a.kind = $10)
                 and ($11::date is null and $12::date is null or a.id in (
                          select s.arrange_id from course_arrange_session s
                          where s.status = 'scheduled'
                            and s.held_on >= coalesce($11, '-infinity') and s.held_on <= coalesce($12, 'infinity')))
                 and ($13::text is null or a.status = $13)
                 and ($14::bigint is null or a.id = $14)
                 and ($15::timestamptz is null or a.created_at <= $15)
               order by a.created_at desc, a.id
               limit $16 offset $17"#,
            scope.sites(),
            scope.classes(),
            filter.semester_id,
            filter.course_id,
            filter.opening_id,
            filter.teacher_id,
            filter.class_id,
            filter.site_id,
            filter.classroom_id,
            filter.kind.map(ArrangeKind::as_str),
            filter.date_from,
            filter.date_to,
            filter.status.map(ArrangeStatus::as_str),
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<CourseArrange>> {
        let rows = sqlx::query!(
            r#"select a.id as "id!", a.semester_id as "semester_id!", e.name as "semester_name!", a.course_id as "course_id!",
                      u.code as "course_code!", u.name as "course_name!", a.teacher_id as "teacher_id!",
                      t.name as "teacher_name!", a.site_id as "site_id!", w.name as "site_name!", a.classroom_id,
                      r.name as "classroom_name?", r.capacity as "capacity?", a.kind as "kind!: ArrangeKind",
                      a.mode as "mode!: ArrangeMode", a.weekday, a.weeks as "weeks!", a.dates as "dates!",
                      a.period_from as "period_from!", a.period_to as "period_to!",
                      a.allow_over_capacity as "allow_over_capacity!", a.status as "status!: ArrangeStatus", a.published_at,
                      a.cancel_reason, a.remark, a.created_at as "created_at!", a.version as "version!",
                      (select count(*) from course_arrange_session s
                       where s.arrange_id = a.id and s.status = 'scheduled') as "sessions!",
                      coalesce((select jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name) order by x.id)
                                from course_arrange_assistant y join teacher x on x.id = y.teacher_id
                                where y.arrange_id = a.id), '[]') as "assistants!: Json<Vec<ArrangeTeacher>>",
                      coalesce((select jsonb_agg(jsonb_build_object(
                                    'classId', k.id, 'className', k.name, 'openingId', c.opening_id,
                                    'students', (select count(*) from course_selection z
                                                 where z.opening_id = c.opening_id and z.class_id = c.class_id
                                                   and z.status in ('pending', 'selected', 'completed')),
                                    'scheduled', coalesce((
                                        select sum(q.period_to - q.period_from + 1)
                                        from course_arrange_class p
                                        join course_arrange b on b.id = p.arrange_id and b.kind in ('lecture', 'lab', 'live')
                                        join course_arrange_session q on q.arrange_id = b.id and q.status = 'scheduled'
                                        where p.opening_id = c.opening_id and p.class_id = c.class_id), 0),
                                    'required', o.lecture_hours + o.practice_hours) order by k.code)
                                from course_arrange_class c
                                join class k on k.id = c.class_id
                                join course_opening o on o.id = c.opening_id
                                where c.arrange_id = a.id
                                  and ($2::bigint[] is null or k.site_id = any($2) or k.id = any($3::bigint[]))), '[]')
                          as "classes!: Json<Vec<ArrangedClass>>"
               from course_arrange a
               join semester e on e.id = a.semester_id
               join course u on u.id = a.course_id
               join teacher t on t.id = a.teacher_id
               join site w on w.id = a.site_id
               left join classroom r on r.id = a.classroom_id
               where a.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await?;
        let shown = rows.into_iter().map(|row| CourseArrange {
            id: row.id,
            semester_id: row.semester_id,
            semester_name: row.semester_name,
            course_id: row.course_id,
            course_code: row.course_code,
            course_name: row.course_name,
            students: row.classes.0.iter().map(|class| class.students).sum(),
            classes: row.classes.0,
            teacher_id: row.teacher_id,
            teacher_name: row.teacher_name,
            assistants: row.assistants.0,
            site_id: row.site_id,
            site_name: row.site_name,
            classroom_id: row.classroom_id,
            classroom_name: row.classroom_name,
            capacity: row.capacity,
            kind: row.kind,
            mode: row.mode,
            weekday: row.weekday,
            weeks: weeks::shown(&row.weeks),
            dates: row.dates,
            period_from: row.period_from,
            period_to: row.period_to,
            allow_over_capacity: row.allow_over_capacity,
            sessions: row.sessions,
            status: row.status,
            published_at: row.published_at,
            cancel_reason: row.cancel_reason,
            remark: row.remark,
            created_at: row.created_at,
            version: row.version,
        });
        Ok(shown.collect())
    }
}

/// The meetings of an arrangement in their order, the cancelled ones too.
pub(super) async fn meetings(connection: &mut PgConnection, arrange: i64) -> sqlx::Result<Vec<ArrangeSession>> {
    sqlx::query_as!(
        ArrangeSession,
        r#"select s.id as "id!", s.held_on as "date!", s.period_from as "period_from!", s.period_to as "period_to!",
                  s.starts_at as "starts_at!", s.ends_at as "ends_at!", s.teacher_id as "teacher_id!",
                  t.name as "teacher_name!", s.classroom_id, r.name as "classroom_name?",
                  s.status as "status!: SessionStatus", s.moved_from_id, s.reason,
                  exists (select from instruction_attendance x where x.session_id = s.id) as "attended!",
                  s.version as "version!"
           from course_arrange_session s
           join teacher t on t.id = s.teacher_id
           left join classroom r on r.id = s.classroom_id
           where s.arrange_id = $1
           order by s.held_on, s.period_from, s.id"#,
        arrange
    )
    .fetch_all(connection)
    .await
}
