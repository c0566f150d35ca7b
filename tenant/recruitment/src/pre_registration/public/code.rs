//! 短信验证码: proves that whoever fills in the form has the phone that they type (02 §13). A phone has one code at a time, which
//! is good for five minutes, five tries and one use. Neither phone nor code is stored as it is.

use chrono::Duration;
use infra::{
    App, Error, Result, Tx,
    clock::{Moment, day_began},
    migrate::hex,
};

/// Minutes for which a code is good.
pub(super) const MINUTES: i64 = 5;
/// Seconds between two codes for one phone.
pub(super) const APART_SECONDS: i64 = 60;
/// Codes for one phone on a day, and for one address in an hour.
const A_DAY: i64 = 5;
const AN_HOUR: i64 = 20;
/// Wrong tries that end a code.
const TRIES: i32 = 5;
/// What is counted stays for so many days, codes for one.
const DAYS: i64 = 2;

/// A phone as the tables know it.
pub(super) fn digest(app: &App, phone: &str) -> Vec<u8> {
    app.keys().sign(format!("phone\n{phone}").as_bytes())
}

/// What of a code is signed. One of another school proves nothing here.
fn message(school: i64, phone: &str, code: &str) -> Vec<u8> {
    format!("code\n{school}\n{phone}\n{code}").into_bytes()
}

/// Counts a code that is about to leave, over all schools and servers; the transaction is in `platform`.
///
/// # Errors
/// 429 when the phone or the address has had enough.
pub(super) async fn count(tx: &mut Tx, school: i64, phone: &str, ip: &str, now: Moment) -> Result<()> {
    let phone = digest(tx.app(), phone);
    // One at a time for a phone and for an address; always in this order.
    for counted in [hex(&phone), ip.to_owned()] {
        sqlx::query!("select pg_advisory_xact_lock(hashtextextended('public code ' || $1::text, 0))", counted)
            .execute(&mut **tx)
            .await?;
    }
    let sent = sqlx::query!(
        r#"select (select max(sent_at) from platform.public_code_sent where phone_digest = $1) as last,
                  (select count(*) from platform.public_code_sent where phone_digest = $1 and sent_at >= $2) as "today!",
                  (select count(*) from platform.public_code_sent where client_ip = $3 and sent_at > $4) as "here!""#,
        phone,
        day_began(now.date_naive()),
        ip,
        (now - Duration::hours(1))
    )
    .fetch_one(&mut **tx)
    .await?;
    if let Some(wait) = sent.last.map(|last| APART_SECONDS - (now - last).num_seconds()).filter(|wait| *wait > 0) {
        return Err(Error::too_many(format!("验证码已发送，请{wait}秒后再获取")));
    }
    if sent.today >= A_DAY {
        return Err(Error::too_many(format!("该手机今天已获取{A_DAY}次验证码，请明天再试")));
    }
    if sent.here >= AN_HOUR {
        return Err(Error::too_many("当前网络获取验证码过于频繁，请一小时后再试"));
    }
    sqlx::query!(
        "delete from platform.public_code_sent where id in (
             select id from platform.public_code_sent where sent_at < $1 order by sent_at limit 1000 for update skip locked)",
        (now - Duration::days(DAYS))
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into platform.public_code_sent (school_id, phone_digest, client_ip, sent_at) values ($1, $2, $3, $4)",
        school,
        phone,
        ip,
        now
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Keeps a code in the school that it proves something to; the one before is good for nothing any more.
///
/// # Errors
/// Those of the database.
pub(super) async fn keep(tx: &mut Tx, school: i64, phone: &str, code: &str, now: Moment) -> Result<()> {
    let keys = tx.app().clone();
    let (phone_digest, code) = (digest(&keys, phone), keys.keys().sign(&message(school, phone, code)));
    sqlx::query!(
        "delete from pre_registration_code where phone_digest in (
             select phone_digest from pre_registration_code
             where expires_at < $1 order by expires_at limit 1000 for update skip locked)",
        (now - Duration::days(1))
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into pre_registration_code (phone_digest, code_digest, sent_at, expires_at) values ($1, $2, $3, $4)
         on conflict (phone_digest) do update
         set code_digest = excluded.code_digest, failures = 0, sent_at = excluded.sent_at, expires_at = excluded.expires_at,
             used_at = null",
        phone_digest,
        code,
        now,
        (now + Duration::minutes(MINUTES))
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Whether this is the code that the phone was sent. Nobody else tries it until the transaction ends; a wrong try is counted,
/// so the transaction must be committed also then.
///
/// # Errors
/// Those of the database.
pub(super) async fn proves(tx: &mut Tx, school: i64, phone: &str, code: &str, now: Moment) -> Result<bool> {
    let app = tx.app().clone();
    let phone_digest = digest(&app, phone);
    let kept = sqlx::query!(
        "select code_digest, failures from pre_registration_code
         where phone_digest = $1 and used_at is null and expires_at > $2 for update",
        phone_digest,
        now
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(kept) = kept.filter(|kept| kept.failures < TRIES) else { return Ok(false) };
    if app.keys().signature_is_right(&message(school, phone, code), &kept.code_digest) {
        return Ok(true);
    }
    sqlx::query!("update pre_registration_code set failures = failures + 1 where phone_digest = $1", phone_digest)
        .execute(&mut **tx)
        .await?;
    Ok(false)
}

/// The code of a phone has served.
///
/// # Errors
/// Those of the database.
pub(super) async fn used(tx: &mut Tx, phone: &str, now: Moment) -> Result<()> {
    let phone = digest(tx.app(), phone);
    sqlx::query!("update pre_registration_code set used_at = $2 where phone_digest = $1", phone, now)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// What whoever typed another code, an old one or one too often is told; it says nothing of anybody.
pub(super) fn wrong() -> Error {
    Error::field("smsCode", "验证码错误或已失效，请核对或重新获取")
}
