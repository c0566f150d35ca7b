//! 校验: each day of the two logs is sealed at night, so that a row that somebody changed, removed or added behind the
//! server's back is named afterwards (05 E1).
//!
//! A seal keeps of each row its number and eight bytes of its hash; the hash over these goes on from the day before, so that
//! a seal cannot be replaced without all that follow.

use chrono::{Days, NaiveDate};
use infra::{
    Allowed, Body, Part, Reply, Result,
    clock::{Moment, day_began, day_ended},
    enumeration,
    jobs::{JobKind, JobRun, Outcome},
    permissions, reply,
    schedule::{Schedule, When},
};
use log_rules::{
    seal::{LogDefect, first_difference},
    span::Span,
};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::PgConnection;

permissions! {
    pages "/data/sys/log/list";
    InPlatform ReadsLogged VerifyLogs = "data:pc:sys:log:verify" "校验日志完整性";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[SealedLog::ENUMERATION, LogDefect::ENUMERATION],
    jobs: &[KIND],
    schedules: &[SCHEDULE],
    ..Part::NONE
};

pub const KIND: JobKind = JobKind { kind: "logs.seal", code: None, run: |run| Box::pin(work(run)), headings: None };
/// After the last export of the day before has ended, which is written with the time at which it began.
pub const SCHEDULE: Schedule =
    Schedule { kind: KIND.kind, title: "封存前一日日志", when: When::Daily { hour: 4, minute: 50 } };

enumeration! {
    /// 日志
    pub enum SealedLog = "sealedLog" {
        Login = "login" "登录日志",
        Operation = "operation" "操作日志",
    }
}

impl SealedLog {
    const ALL: [Self; 2] = [Self::Login, Self::Operation];

    /// The seal of a day as its rows would have it now: how many there are, and what is kept of them.
    async fn digests(self, connection: &mut PgConnection, day: NaiveDate) -> Result<Vec<u8>> {
        let (from, to) = of_day(day);
        // Every column by its name: a column that comes later leaves the seals of earlier days alone.
        let digests = match self {
            Self::Login => {
                sqlx::query_scalar!(
                    r#"select string_agg(int8send(id) || substring(sha256(convert_to(row(
                           at at time zone 'UTC', client, kind, user_id, login_name, real_name, school_id, event, success, reason, ip,
                           user_agent, device, session_id)::text, 'UTF8')) from 1 for 8), ''::bytea order by id)
                       from platform.login_log where at >= $1 and at < $2"#,
                    from,
                    to
                )
                .fetch_one(connection)
                .await?
            }
            Self::Operation => {
                sqlx::query_scalar!(
                    r#"select string_agg(int8send(id) || substring(sha256(convert_to(row(
                           at at time zone 'UTC', trace_id, actor_type, actor_id, actor_name, on_behalf_of, school_id, module,
                           operation, permission_code, method, path, result_code, duration_ms, ip, params, sensitive, entity_type,
                           entity_id, notes, session_id)::text, 'UTF8')) from 1 for 8), ''::bytea order by id)
                       from platform.sys_log where at >= $1 and at < $2"#,
                    from,
                    to
                )
                .fetch_one(connection)
                .await?
            }
        };
        Ok(digests.unwrap_or_default())
    }
}

fn of_day(day: NaiveDate) -> (Moment, Moment) {
    (day_began(day), day_ended(day))
}

async fn work(run: JobRun) -> Result<Outcome> {
    let today = run.app().clock().today();
    let mut days = 0;
    for log in SealedLog::ALL {
        while let Some(day) = first_open(&mut *run.read_platform().await?, log, today).await? {
            let mut tx = run.begin_in_platform().await?;
            let digests = log.digests(&mut tx, day).await?;
            sqlx::query!(
                "insert into platform.log_seal (log, day, rows, digests, hash, sealed_at)
                 select $1, $2, length($3::bytea) / 16,
                        $3, sha256(coalesce((select s.hash from platform.log_seal s where s.log = $1 and s.day < $2
                                             order by s.day desc limit 1), ''::bytea) || $3), $4",
                log.as_str(),
                day,
                digests,
                run.app().clock().now()
            )
            .execute(&mut *tx)
            .await?;
            tx.commit_untracked("a seal is a record itself").await?;
            days += 1;
        }
    }
    Ok(Outcome { message: format!("已封存{days}日的日志"), ..Outcome::default() })
}

/// The first day before today that is not sealed yet: after the last seal, or where the log begins.
async fn first_open(connection: &mut PgConnection, log: SealedLog, today: NaiveDate) -> Result<Option<NaiveDate>> {
    let last = sqlx::query_scalar!("select max(day) from platform.log_seal where log = $1", log.as_str())
        .fetch_one(&mut *connection)
        .await?;
    let first = match (last, log) {
        (Some(last), _) => Some(last + Days::new(1)),
        (None, SealedLog::Login) => {
            sqlx::query_scalar!("select (min(at) at time zone 'Asia/Shanghai')::date from platform.login_log")
                .fetch_one(connection)
                .await?
        }
        (None, SealedLog::Operation) => {
            sqlx::query_scalar!("select (min(at) at time zone 'Asia/Shanghai')::date from platform.sys_log")
                .fetch_one(connection)
                .await?
        }
    };
    Ok(first.filter(|day| *day < today))
}

/// Which days are checked.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CheckedDays {
    /// 开始日期
    /// 默认最近7天，跨度不超过92天
    starts_on: Option<NaiveDate>,
    /// 结束日期
    ends_on: Option<NaiveDate>,
}

impl Example for CheckedDays {
    fn example() -> Self {
        Self::default()
    }
}

/// The first row that is not as it was sealed.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct BrokenLog {
    /// 日志
    log: SealedLog,
    /// 日期
    day: NaiveDate,
    /// 日志编号
    /// 封存记录本身有问题时为空
    id: Option<i64>,
    /// 问题
    defect: LogDefect,
}

/// What a check found.
#[derive(Debug, Clone, Object)]
pub struct LogCheck {
    /// 已校验天数
    days: i64,
    /// 已校验条数
    rows: i64,
    /// 尚未封存的天数
    /// 每日凌晨封存前一日的日志
    open: i64,
    /// 首个问题
    broken: Option<BrokenLog>,
}

pub struct Seals;

#[OpenApi(prefix_path = "/data/pc/sys/log", tag = "crate::Tag::Logs")]
impl Seals {
    /// 校验日志完整性
    #[oai(path = "/verify", method = "post", operation_id = "verifyLogs")]
    async fn verify(&self, caller: Allowed<VerifyLogs>, Body(wanted): Body<CheckedDays>) -> Result<Reply<LogCheck>> {
        let today = caller.app().clock().today();
        let span = Span::of(wanted.starts_on, wanted.ends_on, today)?;
        let mut tx = caller.read().await?;
        let (mut days, mut rows, mut broken) = (0, 0, None);
        let wanted = ((span.last.min(today) - span.first).num_days() + 1).max(0) * SealedLog::ALL.len() as i64;
        'logs: for log in SealedLog::ALL {
            let seals = sqlx::query!(
                r#"select day, rows, digests, hash,
                          sha256(coalesce((select b.hash from platform.log_seal b where b.log = s.log and b.day < s.day
                                           order by b.day desc limit 1), ''::bytea) || s.digests) as "expected!"
                   from platform.log_seal s where s.log = $1 and s.day between $2 and $3 order by s.day"#,
                log.as_str(),
                span.first,
                span.last
            )
            .fetch_all(&mut *tx)
            .await?;
            for seal in seals {
                let now = log.digests(&mut tx, seal.day).await?;
                days += 1;
                rows += seal.rows;
                let found = if seal.hash == seal.expected {
                    first_difference(&seal.digests, &now).map(|(id, defect)| (Some(id), defect))
                } else {
                    Some((None, LogDefect::Seal))
                };
                if let Some((id, defect)) = found {
                    broken = Some(BrokenLog { log, day: seal.day, id, defect });
                    break 'logs;
                }
            }
        }
        let open = if broken.is_some() { 0 } else { wanted - days };
        Ok(reply(LogCheck { days, rows, open, broken }))
    }
}
