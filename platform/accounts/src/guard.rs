//! Lock-out after wrong passwords, by account name and by address (01 §1.4.5).

use chrono::Duration;
use infra::{
    App, Error, Result, Tx,
    clock::Moment,
    params::{IntParam, Param},
};

/// Wrong passwords within fifteen minutes that lock an account.
pub const LOCK_FAILURES: IntParam = IntParam { code: "auth.lockFailures", default: 5, min: 3, max: 10 };
/// Minutes of the first lock; a second one within a day lasts an hour.
pub const LOCK_MINUTES: IntParam = IntParam { code: "auth.lockMinutes", default: 15, min: 5, max: 1440 };
/// Calls of `authenticate` that one address may make in a minute.
pub const PER_MINUTE: IntParam = IntParam { code: "auth.ipPerMinute", default: 60, min: 1, max: 100_000 };

pub const PARAMS: &[Param] = &[
    LOCK_FAILURES.entry("密码连续输错次数，达到即锁定", "登录安全"),
    LOCK_MINUTES.entry("首次锁定时长(分钟)", "登录安全"),
    PER_MINUTE.entry("同一地址每分钟登录校验次数", "登录安全"),
];

const FAILURE_WINDOW_MINUTES: i64 = 15;
const ADDRESS_FAILURES: i32 = 30;
const ADDRESS_WINDOW_MINUTES: i64 = 10;
const SECOND_LOCK_MINUTES: i64 = 60;

fn account_key(login_name: &str) -> String {
    format!("u:{}", login_name.to_lowercase())
}

pub fn too_often() -> Error {
    Error::too_many("操作过于频繁，请稍后再试")
}

fn locked(failures: i64, minutes: i64) -> Error {
    Error::too_many(format!("密码连续输错{failures}次，账号已锁定，请{minutes}分钟后再试"))
}

/// Counts a call of an address; more than the limit in a minute shut it out for ten.
///
/// # Errors
/// 429 while it is shut out.
pub async fn count_call(tx: &mut Tx, ip: &str, now: Moment) -> Result<()> {
    let limit = tx.app().int(PER_MINUTE).await?;
    let row = sqlx::query!(
        r#"insert into platform.sys_login_guard as g (key, failures, first_failure_at) values ($1, 1, $2)
           on conflict (key) do update set
               failures = case when g.first_failure_at < $3 then 1 else g.failures + 1 end,
               first_failure_at = case when g.first_failure_at < $3 then $2 else g.first_failure_at end,
               locked_until = case when g.locked_until > $2 then g.locked_until
                                   when g.first_failure_at >= $3 and g.failures + 1 > $4 then $5 end
           returning locked_until"#,
        format!("call:{ip}"),
        now.to_utc(),
        (now - Duration::minutes(1)).to_utc(),
        i32::try_from(limit).unwrap_or(i32::MAX),
        (now + Duration::minutes(ADDRESS_WINDOW_MINUTES)).to_utc()
    )
    .fetch_one(&mut **tx)
    .await?;
    if row.locked_until.is_some_and(|until| until > now.to_utc()) { Err(too_often()) } else { Ok(()) }
}

/// # Errors
/// 429 while the address is shut out because of wrong passwords.
pub async fn check_address(tx: &mut Tx, ip: &str, now: Moment) -> Result<()> {
    let until = sqlx::query_scalar!(
        "select locked_until from platform.sys_login_guard where key = $1 and locked_until > $2",
        format!("ip:{ip}"),
        now.to_utc()
    )
    .fetch_optional(&mut **tx)
    .await?;
    if until.is_some() { Err(too_often()) } else { Ok(()) }
}

/// # Errors
/// 429 while the account is locked; the right password does not help either.
pub async fn check_account(tx: &mut Tx, app: &App, login_name: &str, now: Moment) -> Result<()> {
    let until = sqlx::query_scalar!(
        r#"select locked_until as "until!" from platform.sys_login_guard where key = $1 and locked_until > $2 for update"#,
        account_key(login_name),
        now.to_utc()
    )
    .fetch_optional(&mut **tx)
    .await?;
    match until {
        None => Ok(()),
        Some(until) => {
            let seconds = (until - now.to_utc()).num_seconds();
            Err(locked(app.int(LOCK_FAILURES).await?, (seconds + 59) / 60))
        }
    }
}

/// What was wrong of a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    Password,
    /// The second step: the password was right.
    Code,
}

impl Wrong {
    fn told(self, left: i64) -> Error {
        match self {
            Self::Password => Error::refused(format!("账号或密码错误，还可尝试{left}次")),
            Self::Code => Error::field("totpCode", format!("动态验证码错误，还可尝试{left}次")),
        }
    }
}

/// Until when the account is locked, as it stands now.
pub async fn locked_until(tx: &mut Tx, login_name: &str, now: Moment) -> Result<Option<Moment>> {
    let until = sqlx::query_scalar!(
        r#"select locked_until as "until!" from platform.sys_login_guard where key = $1 and locked_until > $2"#,
        account_key(login_name),
        now.to_utc()
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(until.map(|until| until.with_timezone(&infra::clock::china())))
}

/// Counts a failure; answers what the person is told. Unknown names count and lock with the same texts.
pub async fn count_failure(
    tx: &mut Tx,
    app: &App,
    login_name: &str,
    ip: &str,
    wrong: Wrong,
    now: Moment,
) -> Result<Error> {
    let most = app.int(LOCK_FAILURES).await?;
    let window = (now - Duration::minutes(FAILURE_WINDOW_MINUTES)).to_utc();
    let failures = sqlx::query_scalar!(
        "insert into platform.sys_login_guard as g (key, failures, first_failure_at) values ($1, 1, $2)
         on conflict (key) do update set
             failures = case when g.first_failure_at is null or g.first_failure_at < $3 then 1 else g.failures + 1 end,
             first_failure_at = case when g.first_failure_at is null or g.first_failure_at < $3 then $2 else g.first_failure_at end
         returning failures",
        account_key(login_name),
        now.to_utc(),
        window
    )
    .fetch_one(&mut **tx)
    .await?;
    let shut_out = (now + Duration::minutes(ADDRESS_WINDOW_MINUTES)).to_utc();
    sqlx::query!(
        "insert into platform.sys_login_guard as g (key, failures, first_failure_at) values ($1, 1, $2)
         on conflict (key) do update set
             failures = case when g.first_failure_at is null or g.first_failure_at < $3 then 1 else g.failures + 1 end,
             first_failure_at = case when g.first_failure_at is null or g.first_failure_at < $3 then $2 else g.first_failure_at end,
             locked_until = case when g.first_failure_at >= $3 and g.failures + 1 >= $4 then $5 else g.locked_until end",
        format!("ip:{ip}"),
        now.to_utc(),
        (now - Duration::minutes(ADDRESS_WINDOW_MINUTES)).to_utc(),
        ADDRESS_FAILURES,
        shut_out
    )
    .execute(&mut **tx)
    .await?;
    let left = most - i64::from(failures);
    if left > 0 {
        return Ok(wrong.told(left));
    }
    let day_ago = (now - Duration::hours(24)).to_utc();
    let first_minutes = app.int(LOCK_MINUTES).await?;
    let again = sqlx::query_scalar!(
        r#"select last_lock_at > $2 as "again" from platform.sys_login_guard where key = $1"#,
        account_key(login_name),
        day_ago
    )
    .fetch_one(&mut **tx)
    .await?
    .unwrap_or(false);
    let minutes = if again { SECOND_LOCK_MINUTES } else { first_minutes };
    sqlx::query!(
        "update platform.sys_login_guard set locked_until = $2, last_lock_at = $3, failures = 0, first_failure_at = null,
                locks_in_24h = case when $4 then locks_in_24h + 1 else 1 end
         where key = $1",
        account_key(login_name),
        (now + Duration::minutes(minutes)).to_utc(),
        now.to_utc(),
        again
    )
    .execute(&mut **tx)
    .await?;
    Ok(locked(most, minutes))
}

/// A right password, a reset or an unlock clears the account's counter; the address's stays.
pub async fn clear(tx: &mut Tx, login_name: &str) -> Result<()> {
    sqlx::query!(
        "update platform.sys_login_guard set failures = 0, first_failure_at = null, locked_until = null where key = $1",
        account_key(login_name)
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
