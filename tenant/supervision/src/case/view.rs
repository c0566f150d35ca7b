//! One case: its flags, how far the student is in each course, when they signed in, what was done (part 05 C5).

use chrono::NaiveDate;
use infra::{App, Error, Result, Scope, clock::Moment};
use poem_openapi::Object;
use sqlx::PgConnection;
use supervision_rules::enums::{SuperviseKind, SuperviseLevel};

use super::{
    filter::SuperviseFilter,
    select::{SuperviseCase, page},
};
use crate::{
    contact::{SuperviseContact, of_case},
    remind::SuperviseReminder,
};

/// Days of sign-ins that are shown.
const LOGIN_DAYS: i32 = 30;

/// A flag.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseFlag {
    /// 编号
    pub id: i64,
    /// 预警类型
    pub kind: SuperviseKind,
    /// 对象
    /// 课程、作业或考试
    pub title: String,
    /// 课程编号
    pub course_id: Option<i64>,
    /// 测量值
    /// 百分点、个数、天数或月数
    pub value: f64,
    /// 应达(%)
    pub expected: Option<f64>,
    /// 所缺条件
    /// 考试资格尚缺的
    pub lack: Option<String>,
    /// 级别
    pub level: SuperviseLevel,
    /// 开始时间
    pub since: Moment,
    /// 解除时间
    pub cleared_at: Option<Moment>,
    /// 已忽略
    pub muted: bool,
    /// 忽略原因
    pub mute_reason: Option<String>,
    /// 忽略人
    pub muted_by: Option<String>,
}

/// A course of the semester.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseCourse {
    /// 课程编号
    pub course_id: i64,
    /// 课程
    pub course_name: String,
    /// 学习进度(%)
    pub progress: f64,
    /// 学习时长(分钟)
    pub study_minutes: i64,
    /// 最近学习
    pub last_at: Option<Moment>,
    /// 应交作业
    pub homework_should: i64,
    /// 已交作业
    pub homework_handed: i64,
}

/// A day on which the student signed in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseLogin {
    /// 日期
    pub date: NaiveDate,
    /// 登录次数
    pub logins: i32,
    /// 在线时长(分钟)
    pub minutes: i32,
}

/// Whose the case became.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseTransfer {
    /// 转交时间
    pub transferred_at: Moment,
    /// 原班主任
    pub from_name: Option<String>,
    /// 新班主任
    pub to_name: String,
    /// 转交人
    pub by_name: String,
    /// 说明
    pub remark: Option<String>,
}

/// A case with all that belongs to it.
#[derive(Debug, Clone, Object)]
pub struct SuperviseDetail {
    #[oai(flatten)]
    pub case: SuperviseCase,
    /// 备注
    pub remark: Option<String>,
    /// 预警
    pub flags: Vec<SuperviseFlag>,
    /// 课程
    pub courses: Vec<SuperviseCourse>,
    /// 登录
    pub logins: Vec<SuperviseLogin>,
    /// 联系记录
    pub contacts: Vec<SuperviseContact>,
    /// 提醒记录
    pub reminders: Vec<SuperviseReminder>,
    /// 转交记录
    pub transfers: Vec<SuperviseTransfer>,
}

/// A case, for staff and for whoever looks after its student.
///
/// # Errors
/// 404 when there is none, or none within the scope.
pub(crate) async fn detail(
    app: &App,
    connection: &mut PgConnection,
    id: i64,
    scope: &Scope,
) -> Result<SuperviseDetail> {
    let today = app.clock().today();
    let held = sqlx::query!(
        r#"select c.student_id, c.semester_id, c.remark from supervise_case c join student s on s.id = c.student_id
           where c.id = $1 and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))"#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let filter = SuperviseFilter {
        semester_id: Some(held.semester_id),
        student_id: Some(held.student_id),
        ..SuperviseFilter::default()
    };
    let wanted = filter.wanted(&mut *connection, scope, today).await?;
    let one = infra::Paging::of(Some(1), Some(1))?;
    let mut found = page(&mut *connection, &wanted, one, today).await?.1;
    super::in_words(app, &mut found).await?;
    let case = found.pop().ok_or_else(Error::not_found)?;
    let flags = flags(&mut *connection, id).await?;
    let courses = courses(&mut *connection, held.student_id, held.semester_id).await?;
    let logins = sqlx::query_as!(
        SuperviseLogin,
        "select date, logins, active_seconds / 60 as \"minutes!\" from stat_login_day
         where owner_kind = 'student' and owner_id = $1 and date > $2::date - $3::integer order by date desc",
        held.student_id,
        today,
        LOGIN_DAYS
    )
    .fetch_all(&mut *connection)
    .await?;
    let transfers = sqlx::query_as!(
        SuperviseTransfer,
        r#"select t.transferred_at, f.name as "from_name?", m.name as to_name, t.by_name, t.remark
           from supervise_transfer t join class_manager m on m.id = t.to_manager_id
           left join class_manager f on f.id = t.from_manager_id
           where t.case_id = $1 order by t.transferred_at desc, t.id desc"#,
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let reminders = crate::remind::of_case(&mut *connection, id).await?;
    let contacts = of_case(app, connection, id).await?;
    Ok(SuperviseDetail { case, remark: held.remark, flags, courses, logins, contacts, reminders, transfers })
}

async fn flags(connection: &mut PgConnection, case: i64) -> Result<Vec<SuperviseFlag>> {
    Ok(sqlx::query_as!(
        SuperviseFlag,
        r#"select f.id, f.kind as "kind: _", f.title, f.course_id, (f.value / 10.0)::float8 as "value!",
                  (f.expected / 10.0)::float8 as "expected?", f.lack, f.level as "level: _", f.since, f.cleared_at, f.muted, f.mute_reason,
                  f.muted_by
           from supervise_flag f where f.case_id = $1
           order by f.cleared_at is not null, case f.level when 'red' then 0 when 'orange' then 1 else 2 end, f.kind, f.id"#,
        case
    )
    .fetch_all(connection)
    .await?)
}

async fn courses(connection: &mut PgConnection, student: i64, semester: i64) -> Result<Vec<SuperviseCourse>> {
    Ok(sqlx::query_as!(
        SuperviseCourse,
        r#"select u.id as "course_id!", u.name as "course_name!", coalesce(p.progress, 0)::float8 as "progress!",
                  coalesce(p.study_seconds, 0) / 60 as "study_minutes!", p.last_at as "last_at?",
                  h.should as "homework_should!", h.handed as "homework_handed!"
           from course_selection c join course u on u.id = c.course_id
           left join study_course_progress p on p.id = c.id
           cross join lateral (
               select count(*) as should, count(*) filter (where x.state in ('submitted', 'marked', 'returned')) as handed
               from homework_student x join homework w on w.id = x.homework_id and w.status in ('published', 'closed')
               where x.selection_id = c.id and x.state not in ('exempt', 'void')) h
           where c.student_id = $1 and c.semester_id = $2 and c.status in ('selected', 'completed')
           order by u.code"#,
        student,
        semester
    )
    .fetch_all(connection)
    .await?)
}
