//! 登录日志: sign-ins, their failures and ends, entries into schools (01 §6.1–6.3, 05 E1).

mod client_ends;

use chrono::NaiveDate;
use futures_util::{StreamExt, TryStreamExt};
use infra::{
    Allowed, App, Body, Page, Paged, Part, Reply, Result, Scope, Window,
    access::Permission,
    clock::{Moment, day_began, day_ended},
    enumeration, mask,
    naming::typed,
    permissions, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows, export_job},
};
use log_rules::span::Span;
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::reach::Reach;

permissions! {
    pages "/data/user/log/login/list";
    Anywhere Reads       ListLoginLogs   = "data:pc:user:log:login:list" "登录日志列表";
    Anywhere ReadsLogged ExportLoginLogs = "data:pc:user:log:login:export" "导出登录日志";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        LoginIdentity::ENUMERATION,
        LoginEvent::ENUMERATION,
        LoginResult::ENUMERATION,
        LoginDevice::ENUMERATION,
    ],
    jobs: &[export_job::<LoginLogs>()],
    ..Part::NONE
};

enumeration! {
    /// 登录身份
    pub enum LoginIdentity = "loginIdentity" {
        Platform = "platform" "平台人员",
        School = "school" "院校人员",
        Teacher = "teacher" "教师",
        Student = "student" "学生",
        Site = "site" "站点人员",
        Learner = "learner" "学员",
        Unknown = "unknown" "未知账号",
    }
}

enumeration! {
    /// 登录事件
    pub enum LoginEvent = "loginEvent" {
        Login = "login" "登录",
        LoginFailed = "login_failed" "登录失败",
        Logout = "logout" "退出登录",
        Kicked = "kicked" "强制下线",
        Idle = "idle" "空闲退出",
        Expired = "expired" "到期退出",
        SchoolEnter = "school_enter" "进入院校",
        SchoolLeave = "school_leave" "离开院校",
        OneClick = "one_click" "一键登录",
    }
}

enumeration! {
    /// 登录结果
    pub enum LoginResult = "loginResult" {
        Succeeded = "succeeded" "成功",
        Failed = "failed" "失败",
    }
}

enumeration! {
    /// 登录设备
    pub enum LoginDevice = "loginDevice" {
        Pc = "pc" "电脑",
        Mobile = "mobile" "手机",
        Tablet = "tablet" "平板",
        MiniProgram = "mini_program" "小程序",
    }
}

/// A row of the login log as list and export show it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LoginLog {
    /// 编号
    id: i64,
    /// 时间
    at: Moment,
    /// 身份
    identity: LoginIdentity,
    /// 账号
    login_name: String,
    /// 姓名
    real_name: Option<String>,
    /// 院校
    school_name: Option<String>,
    /// 事件
    event: LoginEvent,
    /// 结果
    result: LoginResult,
    /// 原因
    reason: Option<String>,
    /// IP地址
    ip: String,
    /// 设备
    device: Option<LoginDevice>,
    /// 浏览器标识
    user_agent: String,
    /// 会话
    session_code: Option<String>,
    /// 会话编号
    /// 进入院校和一键登录的，用于查看其中的操作
    session_id: Option<String>,
    /// 操作数
    /// 进入院校或一键登录后记入日志的操作
    operation_count: Option<i64>,
    /// 结束时间
    /// 会话仍在使用时不显示
    ended_at: Option<Moment>,
    /// 会话时长(分钟)
    /// 从登录到退出；会话仍在使用时不显示
    session_minutes: Option<i64>,
    /// 结束原因
    end_reason: Option<String>,
    /// Of a person of the clients: their school and its session, whose end stands there.
    #[oai(skip)]
    client_session: Option<(i64, Uuid)>,
}

/// What the list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct LoginLogFilter {
    /// 账号/姓名
    /// 从开头匹配，账号不分大小写
    #[oai(validator(max_length = 32))]
    keyword: Option<String>,
    /// 身份
    identity: Option<LoginIdentity>,
    /// 事件
    event: Option<LoginEvent>,
    /// 结果
    result: Option<LoginResult>,
    /// 院校
    school_id: Option<i64>,
    /// IP地址
    /// 从开头匹配
    #[oai(validator(max_length = 45))]
    ip: Option<String>,
    /// 仅异常
    /// 失败的、换了设备的，或在0点至6点之间的
    #[oai(default)]
    unusual: bool,
    /// 开始日期
    /// 默认最近7天，跨度不超过92天
    starts_on: Option<NaiveDate>,
    /// 结束日期
    ends_on: Option<NaiveDate>,
}

/// A filter that was checked, with what the caller may see of its answer.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AskedLogins {
    /// 筛选
    filter: LoginLogFilter,
    /// 只看该院校
    school: Option<i64>,
    /// 只看这些院校
    schools: Option<Vec<i64>>,
    /// 含客户端人员
    /// 数据范围不是全校的，只看管理人员：学生和教师按站点、班级归属，日志中没有
    clients: bool,
    /// 开始日期
    first: NaiveDate,
    /// 结束日期
    last: NaiveDate,
}

async fn asked<P: Permission>(
    connection: &mut PgConnection,
    caller: &Allowed<P>,
    filter: LoginLogFilter,
    today: NaiveDate,
) -> Result<AskedLogins> {
    let Reach { school, schools } = Reach::of(connection, caller, filter.school_id).await?;
    let Span { first, last } = Span::of(filter.starts_on, filter.ends_on, today)?;
    Ok(AskedLogins { filter, school, schools, clients: caller.scope().is_whole(), first, last })
}

async fn asked_of<P: Permission>(caller: &Allowed<P>, filter: LoginLogFilter) -> Result<AskedLogins> {
    let mut tx = caller.read().await?;
    asked(&mut tx, caller, filter, caller.app().clock().today()).await
}

pub struct LoginLogCalls;

#[OpenApi(prefix_path = "/data/pc/user/log/login", tag = "crate::Tag::Logs")]
impl LoginLogCalls {
    /// 登录日志列表
    #[oai(path = "/list", method = "post", operation_id = "listLoginLogs")]
    async fn list(
        &self,
        caller: Allowed<ListLoginLogs>,
        Body(page): Body<Paged<LoginLogFilter>>,
    ) -> Result<Reply<Page<LoginLog>>> {
        let (paging, filter) = (page.paging()?, page.filter);
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let asked = asked(&mut tx, &caller, filter, now.date_naive()).await?;
        let total = count(&mut tx, &asked).await?;
        let mut list: Vec<LoginLog> = match Window::of(paging, total) {
            Some(window) => {
                let of_page = keys(&mut tx, &asked, window).await?;
                select(&mut tx, &asked, Some(&of_page), now).try_collect().await?
            }
            None => Vec::new(),
        };
        drop(tx);
        client_ends::tell(&caller, &mut list, now).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 导出登录日志
    #[oai(path = "/export", method = "post", operation_id = "exportLoginLogs")]
    async fn export(
        &self,
        caller: Allowed<ExportLoginLogs>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<LoginLogFilter>>,
    ) -> Result<Exported> {
        let asked = asked_of(&caller, asked.filter).await?;
        transfer::export::<LoginLogs>(&caller, asked, job.0).await
    }
}

struct Row {
    id: i64,
    at: Moment,
    identity: String,
    login_name: String,
    real_name: Option<String>,
    school_name: Option<String>,
    event: LoginEvent,
    success: bool,
    reason: Option<String>,
    ip: String,
    device: String,
    user_agent: String,
    session_code: Option<String>,
    session_id: Option<String>,
    operation_count: Option<i64>,
    ended_at: Option<Moment>,
    session_minutes: Option<i64>,
    end_reason: Option<String>,
    client_school: Option<i64>,
    client_session: Option<Uuid>,
}

impl From<Row> for LoginLog {
    fn from(row: Row) -> Self {
        let identity = LoginIdentity::parse(&row.identity).unwrap_or(LoginIdentity::Unknown);
        // Learners sign in with their phones, which lists and sheets show to nobody (05 E4).
        let login_name = match identity {
            LoginIdentity::Learner => mask::phone(&row.login_name),
            _ => row.login_name,
        };
        Self {
            id: row.id,
            at: row.at,
            identity,
            login_name,
            real_name: row.real_name,
            school_name: row.school_name,
            event: row.event,
            result: if row.success { LoginResult::Succeeded } else { LoginResult::Failed },
            // Of a failure a code stands there, of an entry what the person typed.
            reason: row.reason.map(|reason| if row.success { reason } else { why_refused(&reason).to_owned() }),
            ip: row.ip,
            device: LoginDevice::parse(&row.device),
            user_agent: row.user_agent,
            session_code: row.session_code,
            session_id: row.session_id,
            operation_count: row.operation_count,
            ended_at: row.ended_at,
            session_minutes: row.session_minutes,
            end_reason: row.end_reason.map(|reason| why_ended(&reason).to_owned()),
            client_session: row.client_school.zip(row.client_session),
        }
    }
}

/// The reason codes of a refused sign-in (05 E1) in the words of people.
fn why_refused(code: &str) -> &str {
    match code {
        "wrong_password" => "密码错误",
        "wrong_code" => "动态验证码错误",
        "wrong_sms_code" => "短信验证码错误",
        "unknown_account" => "账号不存在",
        "locked" => "账号已锁定",
        "disabled" => "账号已停用",
        "expired" => "账号已过期",
        "not_bound" => "未绑定院校或入口不符",
        "school_closed" => "院校已停用",
        "replay" => "重复的登录请求",
        other => other,
    }
}

/// Why a session ended (`sys_session_reason_known`), and that its time ran out.
fn why_ended(code: &str) -> &str {
    match code {
        "logout" => "退出登录",
        "replaced" => "在别处登录",
        "kicked" => "强制下线",
        "password_changed" => "修改了密码",
        "password_reset" => "密码被重置",
        "account_disabled" => "账号被停用",
        "account_expired" => "账号过期",
        "school_disabled" => "院校被停用",
        "idle" => "长时间未操作",
        "left_school" => "离开院校",
        "expired" => "会话到期",
        other => other,
    }
}

/// A statement over `platform.login_log l` with the condition of a question in its middle: the macro of sqlx, the row type,
/// the text before, the question, the text behind (parameters from `$12`) and its parameters.
macro_rules! of_logins {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $asked:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            r#" where l.at >= $1 and l.at < $2
                  -- A learner's is their phone: whoever sees its mask could learn the rest sign by sign, so it is found as a whole.
                  and ($3::text is null or starts_with(lower(l.login_name) collate "C", lower($3))
                           and (l.client is distinct from 'learner' or l.login_name = $3)
                       or starts_with(l.real_name collate "C", $3))
                  and ($4::text is null or coalesce(
                           l.client, (select a.user_type from platform.sys_user a where a.id = l.user_id), 'unknown') = $4)
                  and ($5::text is null or l.event = $5)
                  and ($6::boolean is null or l.success = $6)
                  and ($7::text is null or starts_with(l.ip, $7))
                  and ($8::bigint is null or l.school_id = $8)
                  and ($9::bigint[] is null or l.school_id is null or l.school_id = any($9))
                  and (not $10 or not l.success or extract(hour from l.at at time zone 'Asia/Shanghai') < 6
                       -- Signed in before, and never in half a year with this device; the numbers are a browser's versions.
                       or l.event = 'login' and coalesce((
                           select not bool_or(b.device = l.device
                                              and regexp_replace(b.user_agent, '[0-9._]+', '', 'g')
                                                = regexp_replace(l.user_agent, '[0-9._]+', '', 'g'))
                           from platform.login_log b
                           where lower(b.login_name) collate "C" = lower(l.login_name) collate "C"
                             and b.at < l.at and b.at >= l.at - interval '180 days' and b.event = 'login' and b.success
                             and b.client is not distinct from l.client
                             and (l.client is null or b.school_id is not distinct from l.school_id)), false))
                  and ($11 or l.client is null) "# $($tail)*,
            day_began($asked.first),
            day_ended($asked.last),
            typed($asked.filter.keyword.as_deref()),
            $asked.filter.identity.map(LoginIdentity::as_str),
            $asked.filter.event.map(LoginEvent::as_str),
            $asked.filter.result.map(|result| result == LoginResult::Succeeded),
            typed($asked.filter.ip.as_deref()),
            $asked.school,
            $asked.schools.as_deref(),
            $asked.filter.unusual,
            $asked.clients
            $(, $extra)*
        )
    };
}

async fn count(connection: &mut PgConnection, asked: &AskedLogins) -> Result<i64> {
    let total = of_logins!(query_scalar [] [r#"select count(*) as "count!" from platform.login_log l"#] asked []);
    Ok(total.fetch_one(connection).await?)
}

/// The numbers of the page's rows: without a filter they come out of an index.
async fn keys(connection: &mut PgConnection, asked: &AskedLogins, window: Window) -> Result<Vec<i64>> {
    let keys = of_logins!(query_scalar []
        ["select l.id from platform.login_log l"]
        asked
        [+ " order by case when $12 then l.at end, case when $12 then l.id end, l.at desc, l.id desc limit $13 offset $14"],
        window.from_end,
        window.limit,
        window.offset);
    Ok(keys.fetch_all(connection).await?)
}

/// The newest first; with numbers, only these.
fn select<'c>(
    connection: &'c mut PgConnection,
    asked: &AskedLogins,
    only: Option<&[i64]>,
    now: Moment,
) -> Rows<'c, LoginLog> {
    of_logins!(query_as [Row]
        [r#"select l.id, l.at, coalesce(l.client, u.user_type, 'unknown') as "identity!", l.login_name, l.real_name,
                   s.name as "school_name?", l.event as "event: _", l.success, l.reason, l.ip, l.device, l.user_agent,
                   left(l.session_id::text, 8) as session_code,
                   case when l.event in ('school_enter', 'one_click') then l.session_id::text end as session_id,
                   case when l.event in ('school_enter', 'one_click') then
                       (select count(*) from platform.sys_log o where o.session_id = l.session_id) end as operation_count,
                   e.over_at as ended_at,
                   (extract(epoch from e.over_at - e.issued_at) / 60)::bigint as session_minutes,
                   case when e.over_at is not null then coalesce(e.revoke_reason, 'expired') end as end_reason,
                   case when l.client is not null then l.school_id end as client_school,
                   case when l.client is not null then l.session_id end as client_session
            from platform.login_log l
            left join platform.sys_user u on u.id = l.user_id
            left join platform.school s on s.id = l.school_id
            left join lateral (
                select x.issued_at, x.revoke_reason,
                       coalesce(x.revoked_at, case when x.expires_at <= $13 then x.expires_at end) as over_at
                from platform.sys_session x where x.jti = l.session_id
                union all
                select c.issued_at, c.revoke_reason,
                       coalesce(c.revoked_at, case when c.expires_at <= $13 then c.expires_at end)
                from platform.customer_session c where c.jti = l.session_id) e on true"#]
        asked
        [+ " and ($12::bigint[] is null or l.id = any($12)) order by l.at desc, l.id desc"],
        only,
        now)
    .fetch(connection)
    .map_ok(LoginLog::from)
    .boxed()
}

fn at(log: &LoginLog) -> Cell {
    Cell::DateTime(log.at)
}
fn identity(log: &LoginLog) -> Cell {
    Cell::Text(log.identity.zh().to_owned())
}
fn login_name(log: &LoginLog) -> Cell {
    Cell::Text(log.login_name.clone())
}
fn real_name(log: &LoginLog) -> Cell {
    Cell::text(log.real_name.clone())
}
fn school_name(log: &LoginLog) -> Cell {
    Cell::text(log.school_name.clone())
}
fn event(log: &LoginLog) -> Cell {
    Cell::Text(log.event.zh().to_owned())
}
fn result(log: &LoginLog) -> Cell {
    Cell::Text(log.result.zh().to_owned())
}
fn reason(log: &LoginLog) -> Cell {
    Cell::text(log.reason.clone())
}
fn ip(log: &LoginLog) -> Cell {
    Cell::Text(log.ip.clone())
}
fn device(log: &LoginLog) -> Cell {
    Cell::text(log.device.map(|device| device.zh().to_owned()))
}

/// The export of the login log: the list's columns (01 §6.2).
pub enum LoginLogs {}

impl Export for LoginLogs {
    type Filter = AskedLogins;
    type Row = LoginLog;
    const KIND: &'static str = "login_log.export";
    type Permission = ExportLoginLogs;
    const TITLE: &'static str = "登录日志";
    const COLUMNS: &'static [Column<LoginLog>] = &[
        Column { heading: "时间", width: 20, cell: at },
        Column { heading: "身份", width: 10, cell: identity },
        Column { heading: "账号", width: 18, cell: login_name },
        Column { heading: "姓名", width: 12, cell: real_name },
        Column { heading: "院校", width: 24, cell: school_name },
        Column { heading: "事件", width: 12, cell: event },
        Column { heading: "结果", width: 8, cell: result },
        Column { heading: "原因", width: 28, cell: reason },
        Column { heading: "IP地址", width: 16, cell: ip },
        Column { heading: "设备", width: 10, cell: device },
    ];
    const OF_PLATFORM: bool = true;

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        asked: &AskedLogins,
        _scope: &Scope,
    ) -> Result<Rows<'c, LoginLog>> {
        Ok(select(connection, asked, None, app.clock().now()))
    }
}
