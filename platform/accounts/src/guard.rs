//! Lock-out after wrong passwords, by account name and by address (01 §1.4.5).

use account_rules::lock_out::Failures;
use chrono::Duration;
use infra::{
    App, Error, Part, Result, Tx,
    clock::Moment,
    params::{IntParam, Param},
};

pub const PART: Part = Part { params: &[PARAMS], ..Part::NONE };

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

const ADDRESS_FAILURES: i32 = 30;
const ADDRESS_WINDOW_MINUTES: i64 = 10;
const SECOND_LOCK_MINUTES: i64 = 60;
/// Files that visitors without a session may announce from one address in an hour.
const UPLOADS_AN_HOUR: i64 = 60;
const UPLOAD_WINDOW_MINUTES: i64 = 60;
/// Accounts of others that a school may look for in a minute.
const LOOKUPS_PER_MINUTE: i64 = 10;

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
    let shut = count_within(tx, &format!("call:{ip}"), limit, (1, ADDRESS_WINDOW_MINUTES), now).await?;
    if shut { Err(too_often()) } else { Ok(()) }
}

fn lookup_key(school: i64) -> String {
    format!("lookup:{school}")
}

fn looked_too_often() -> Error {
    Error::too_many("查找已有账号过于频繁，请一分钟后再试")
}

/// Counts that a school was told of, or asked for, an account that does not work there.
///
/// # Errors
/// 429 for a minute beyond ten in a minute.
pub async fn count_lookup(tx: &mut Tx, school: i64, now: Moment) -> Result<()> {
    let shut = count_within(tx, &lookup_key(school), LOOKUPS_PER_MINUTE, (1, 1), now).await?;
    if shut { Err(looked_too_often()) } else { Ok(()) }
}

/// # Errors
/// 429 while the school is shut out by [`count_lookup`].
pub async fn check_lookups(tx: &mut Tx, school: i64, now: Moment) -> Result<()> {
    if is_shut_out(tx, &lookup_key(school), now).await? { Err(looked_too_often()) } else { Ok(()) }
}

/// Counts a file that a visitor without a session announces; more than the limit in an hour shut the address out for as long.
///
/// # Errors
/// 429 while it is shut out.
pub async fn count_upload(tx: &mut Tx, ip: &str, now: Moment) -> Result<()> {
    let span = (UPLOAD_WINDOW_MINUTES, UPLOAD_WINDOW_MINUTES);
    let shut = count_within(tx, &format!("upload:{ip}"), UPLOADS_AN_HOUR, span, now).await?;
    if shut { Err(too_often()) } else { Ok(()) }
}

/// Counts under a key over a window of so many minutes; whether it is shut out now, which it is for so many minutes beyond the
/// limit.
async fn count_within(
    tx: &mut Tx,
    key: &str,
    limit: i64,
    (window_minutes, shut_minutes): (i64, i64),
    now: Moment,
) -> Result<bool> {
    let until = sqlx::query_scalar!(
        r#"insert into platform.sys_login_guard as g (key, failures, first_failure_at) values ($1, 1, $2)
           on conflict (key) do update set
               failures = case when g.first_failure_at < $3 then 1 else g.failures + 1 end,
               first_failure_at = case when g.first_failure_at < $3 then $2 else g.first_failure_at end,
               locked_until = case when g.locked_until > $2 then g.locked_until
                                   when g.first_failure_at >= $3 and g.failures + 1 > $4 then $5 end
           returning locked_until"#,
        key,
        now,
        (now - Duration::minutes(window_minutes)),
        i32::try_from(limit).unwrap_or(i32::MAX),
        (now + Duration::minutes(shut_minutes))
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(until.is_some_and(|until| until > now))
}

async fn is_shut_out(tx: &mut Tx, key: &str, now: Moment) -> Result<bool> {
    let until = sqlx::query_scalar!(
        "select locked_until from platform.sys_login_guard where key = $1 and locked_until > $2",
        key,
        now
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(until.is_some())
}

/// # Errors
/// 429 while the address is shut out because of wrong passwords.
pub async fn check_address(tx: &mut Tx, ip: &str, now: Moment) -> Result<()> {
    if is_shut_out(tx, &format!("ip:{ip}"), now).await? { Err(too_often()) } else { Ok(()) }
}

/// What was wrong of a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    Password,
    /// The second step: the password was right.
    Code,
    /// A code by short message, which stands for the password.
    SmsCode,
}

impl Wrong {
    fn told(self, left: i64) -> Error {
        match self {
            Self::Password => Error::refused(format!("账号或密码错误，还可尝试{left}次")),
            Self::Code => Error::field("totpCode", format!("动态验证码错误，还可尝试{left}次")),
            Self::SmsCode => Error::field("smsCode", format!("验证码错误或已失效，还可尝试{left}次")),
        }
    }
}

/// Until when the account is locked, as it stands now.
pub async fn locked_until(tx: &mut Tx, login_name: &str, now: Moment) -> Result<Option<Moment>> {
    let until = sqlx::query_scalar!(
        r#"select locked_until as "until!" from platform.sys_login_guard where key = $1 and locked_until > $2"#,
        account_key(login_name),
        now
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(until)
}

/// A try at an account, counted as a failure before the password is looked at: of many at once no more are made than the
/// limit, however long each takes. What it was is told by [`Attempt::wrong`], [`Attempt::spared`] or [`clear`].
#[derive(Debug)]
#[must_use]
pub struct Attempt {
    key: String,
    most: i64,
    left: i64,
    lock_minutes: i64,
}

/// Counts a try. Unknown names count and lock with the same texts.
///
/// # Errors
/// 429 while the account is locked; the right password does not help either.
pub async fn attempt(tx: &mut Tx, app: &App, login_name: &str, now: Moment) -> Result<Attempt> {
    let key = account_key(login_name);
    let (most, first_minutes) = (app.int(LOCK_FAILURES).await?, app.int(LOCK_MINUTES).await?);
    // Writes nothing new, but holds the row against every other try of this name.
    let row = sqlx::query!(
        "insert into platform.sys_login_guard as g (key) values ($1)
         on conflict (key) do update set key = excluded.key
         returning failures, first_failure_at, locked_until, last_lock_at",
        key
    )
    .fetch_one(&mut **tx)
    .await?;
    let at = now;
    if let Some(until) = row.locked_until.filter(|until| *until > at) {
        return Err(locked(most, ((until - at).num_seconds() + 59) / 60));
    }
    let again = row.last_lock_at.is_some_and(|last| last > at - Duration::hours(24));
    let lock_minutes = if again { SECOND_LOCK_MINUTES } else { first_minutes };
    let before = Failures { count: row.failures, since: row.first_failure_at, locked_until: row.locked_until };
    let after = before.with_one_more(at, most, lock_minutes);
    sqlx::query!(
        "update platform.sys_login_guard set failures = $2, first_failure_at = $3, locked_until = $4 where key = $1",
        key,
        after.count,
        after.since,
        after.locked_until
    )
    .execute(&mut **tx)
    .await?;
    Ok(Attempt { key, most, left: most - i64::from(after.count), lock_minutes })
}

impl Attempt {
    /// It was wrong: counts it for the address too, and answers what the person is told.
    pub async fn wrong(self, tx: &mut Tx, ip: &str, wrong: Wrong, now: Moment) -> Result<Error> {
        let shut_out = now + Duration::minutes(ADDRESS_WINDOW_MINUTES);
        sqlx::query!(
            "insert into platform.sys_login_guard as g (key, failures, first_failure_at) values ($1, 1, $2)
             on conflict (key) do update set
                 failures = case when g.first_failure_at is null or g.first_failure_at < $3 then 1 else g.failures + 1 end,
                 first_failure_at = case when g.first_failure_at is null or g.first_failure_at < $3 then $2 else g.first_failure_at end,
                 locked_until = case when g.first_failure_at >= $3 and g.failures + 1 >= $4 then $5 else g.locked_until end",
            format!("ip:{ip}"),
            now,
            (now - Duration::minutes(ADDRESS_WINDOW_MINUTES)),
            ADDRESS_FAILURES,
            shut_out
        )
        .execute(&mut **tx)
        .await?;
        if self.left > 0 {
            return Ok(wrong.told(self.left));
        }
        sqlx::query!(
            "update platform.sys_login_guard set last_lock_at = $2,
                    locks_in_24h = case when last_lock_at > $3 then locks_in_24h + 1 else 1 end
             where key = $1",
            self.key,
            now,
            (now - Duration::hours(24))
        )
        .execute(&mut **tx)
        .await?;
        Ok(locked(self.most, self.lock_minutes))
    }

    /// It was no failure, nor did it let anybody in: it is not counted, and its own lock goes.
    pub async fn spared(self, tx: &mut Tx) -> Result<()> {
        sqlx::query!(
            "update platform.sys_login_guard set failures = greatest(failures - 1, 0),
                    locked_until = case when $2 then null else locked_until end
             where key = $1",
            self.key,
            self.left <= 0
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }
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
