//! 短信验证码: proves that somebody has the phone that they type (01 §9.11). The newest of a phone and scene is good for five minutes,
//! five tries and one use. Neither phone nor code is stored as it is.

use chrono::Duration;
use infra::{
    App, Error, Result, Tx,
    clock::{Moment, day_began},
    migrate::hex,
};
use learner_rules::{
    code::{MINUTES, Sent, TRIES, may_leave},
    enums::CodeScene,
};

/// What is counted stays for so many days.
const DAYS: i64 = 2;

/// A phone as the table knows it.
fn digest(app: &App, phone: &str) -> Vec<u8> {
    app.keys().sign(format!("learner phone\n{phone}").as_bytes())
}

/// What of a code is signed.
fn message(scene: CodeScene, phone: &str, code: &str) -> Vec<u8> {
    format!("learner code\n{}\n{phone}\n{code}", scene.as_str()).into_bytes()
}

/// Keeps a code that is about to leave, and counts it over all servers.
///
/// # Errors
/// 429 when the phone or the address has had enough.
pub(crate) async fn keep(
    tx: &mut Tx,
    scene: CodeScene,
    phone: &str,
    code: &str,
    (ip, now): (&str, Moment),
) -> Result<()> {
    let app = tx.app().clone();
    let phone_digest = digest(&app, phone);
    // One at a time for a phone and for an address; always in this order.
    for counted in [hex(&phone_digest), ip.to_owned()] {
        sqlx::query!("select pg_advisory_xact_lock(hashtextextended('learner code ' || $1::text, 0))", counted)
            .execute(&mut **tx)
            .await?;
    }
    let sent = sqlx::query!(
        r#"select (select max(sent_at) from platform.learner_code where phone_digest = $1) as last,
                  (select count(*) from platform.learner_code where phone_digest = $1 and sent_at >= $2) as "today!",
                  (select count(*) from platform.learner_code where client_ip = $3 and sent_at > $4) as "here!""#,
        phone_digest,
        day_began(now.date_naive()),
        ip,
        (now - Duration::hours(1))
    )
    .fetch_one(&mut **tx)
    .await?;
    may_leave(Sent { last: sent.last, today: sent.today, here: sent.here }, now)
        .map_err(|why| Error::too_many(why.to_string()))?;
    sqlx::query!(
        "delete from platform.learner_code where id in (
             select id from platform.learner_code where sent_at < $1 order by sent_at limit 1000 for update skip locked)",
        (now - Duration::days(DAYS))
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into platform.learner_code (phone_digest, scene, code_digest, client_ip, sent_at, expires_at)
         values ($1, $2, $3, $4, $5, $6)",
        phone_digest,
        scene.as_str(),
        app.keys().sign(&message(scene, phone, code)),
        ip,
        now,
        (now + Duration::minutes(MINUTES))
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Whether this is the code that the phone was sent, which has then served. Nobody else tries it until the transaction ends; a wrong
/// try is counted, so the transaction must be committed also then.
///
/// # Errors
/// Those of the database.
pub(crate) async fn proves(tx: &mut Tx, scene: CodeScene, phone: &str, code: &str, now: Moment) -> Result<bool> {
    let app = tx.app().clone();
    let newest = sqlx::query!(
        "select id, code_digest, failures, expires_at, used_at from platform.learner_code
         where phone_digest = $1 and scene = $2 order by sent_at desc, id desc limit 1 for update",
        digest(&app, phone),
        scene.as_str()
    )
    .fetch_optional(&mut **tx)
    .await?;
    let good = newest.filter(|kept| kept.used_at.is_none() && kept.expires_at > now && kept.failures < TRIES);
    let Some(kept) = good else { return Ok(false) };
    let right = app.keys().signature_is_right(&message(scene, phone, code), &kept.code_digest);
    sqlx::query!(
        "update platform.learner_code set used_at = case when $2 then $3::timestamptz end,
                failures = failures + case when $2 then 0 else 1 end
         where id = $1",
        kept.id,
        right,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(right)
}

/// What whoever typed another code, an old one or one too often is told; it says nothing of anybody.
pub(crate) fn wrong() -> Error {
    Error::field("smsCode", "验证码错误或已失效，请核对或重新获取")
}
