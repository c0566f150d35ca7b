//! 一键登录: a member of the staff, or an operator who names the school from outside, looks at the client as one of its
//! people sees it (01 §1.4.14).
//!
//! A session of half an hour that only reads, unless the staff member holds the entity's `oneClickLogin:write`. It leaves
//! the person's own session alone, ends with the staff member's, and stands with its reason in the login log and in the
//! school's trail. The person is told of it, unless the school has switched that off (05 E2).

use accounts::session::{ClientEvent, ENTRY_MINUTES, log_client};
use chrono::Duration;
use infra::{Change, Error, Reply, Result, Tx, access::Caller, clock::Moment, reply, token::Area, tx};
use poem_openapi::Object;
use scenes::{Persons, notify};
use serde_json::json;

use crate::{
    account::{OwnerKind, lock, named},
    person,
    session::{self, Acting, NewSession},
    setting,
};

/// One-click sign-ins of one member of the staff within an hour, in whichever schools.
const PER_HOUR: i64 = 30;

/// The way into the client.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OneClick {
    /// 令牌
    pub token: String,
    /// 客户端地址
    pub client_url: String,
    /// 有效期至
    pub expires_at: Moment,
    /// 仅可查看
    pub read_only: bool,
}

/// What a look with the scope of the right to write told: that right may reach fewer people than the one to sign in as them.
///
/// # Errors
/// Those of the look, except that the person is not in that scope.
pub fn within<T>(looked: Result<T>) -> Result<bool> {
    match looked {
        Ok(_) => Ok(true),
        Err(error) if matches!(error.code, 403 | 404) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Signs in as a person whom the caller was found to see; `table` is the person's, for the trail.
///
/// # Errors
/// 422 without a reason, 409 for a disabled account, 429 beyond 30 an hour.
pub async fn sign_in_as(
    caller: &Caller,
    mut tx: Tx,
    (kind, table, id): (OwnerKind, &'static str, i64),
    reason: Option<String>,
    may_write: bool,
) -> Result<Reply<OneClick>> {
    let reason = reason.map(|text| text.trim().to_owned()).unwrap_or_default();
    if !(2..=200).contains(&reason.chars().count()) {
        return Err(Error::field("reason", "请填写原因，2至200个字符"));
    }
    if caller.machine().is_some() {
        return Err(Error::new(403, "机器令牌不能代他人登录，请使用账号登录后办理"));
    }
    let school = caller.school.as_deref().ok_or_else(Error::not_found)?;
    let now = caller.app().clock().now();
    let person = person::find(&mut tx, kind, id).await?.ok_or_else(Error::not_found)?;
    let account = lock(&mut tx, kind, id).await?.ok_or_else(|| Error::conflict("还没有账号，请先生成账号"))?;
    if !account.enabled || !person.active {
        return Err(Error::conflict("账号已禁用"));
    }
    let client_url = setting::client_url(&mut tx, kind, school.domain.as_deref()).await?;
    let mut log = tx::for_counters(caller.app()).await?;
    count_one(&mut log, caller.user_id(), now).await?;
    let new = NewSession {
        account: &account,
        person_name: &person.name,
        acting: Some(Acting {
            user_id: caller.user_id(),
            name: &caller.session.real_name,
            session: caller.session.jti,
            reason: &reason,
        }),
        read_only: !may_write,
        expires_at: (now + Duration::minutes(ENTRY_MINUTES)).min(caller.session.expires_at),
    };
    let expires_at = new.expires_at;
    let opened = session::open(&mut tx, school, &caller.visit, new, now).await?;
    let event = ClientEvent {
        client: kind.client(),
        kind: kind.as_str(),
        person_id: Some(id),
        login_name: &account.login_name,
        person_name: Some(&person.name),
        school_id: Some(school.id),
        event: "one_click",
        success: true,
        reason: Some(&reason),
        session: Some(opened.jti),
    };
    log_client(&mut log, &caller.visit, event, now).await?;
    let what = json!({
        "person": person.name, "actor": caller.session.real_name, "reason": reason, "minutes": ENTRY_MINUTES,
        "readOnly": !may_write,
    });
    tell(&mut tx, kind, id, caller.session.area, &reason).await?;
    tx.commit(Change::event(table, id, "oneClickLogin", what)).await?;
    log.commit_untracked("a one-click sign-in stands in the school's trail too").await?;
    Ok(reply(OneClick { token: opened.token, client_url, expires_at, read_only: !may_write }))
}

/// Tells the person in their inbox: when, by whom and why (05 E2).
async fn tell(tx: &mut Tx, kind: OwnerKind, id: i64, area: Area, reason: &str) -> Result<()> {
    if !setting::ONE_CLICK_NOTIFY.is_on(tx).await? {
        return Ok(());
    }
    let staff = match area {
        Area::School => "学校工作人员",
        Area::Platform => "平台工作人员",
    };
    let at = tx.app().clock().now().format("%Y-%m-%d %H:%M").to_string();
    let values = [("date", at.as_str()), ("staff", staff), ("reason", reason)]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    notify(tx, "account_viewed", Persons::Recipients(vec![named(kind, id)]), values.into(), None).await
}

/// Counts a sign-in of this account among those of the last hour.
///
/// # Errors
/// 429 beyond 30.
async fn count_one(log: &mut Tx, user_id: i64, now: Moment) -> Result<()> {
    // Two calls at once wait for each other, so that they count each other.
    sqlx::query!("select pg_advisory_xact_lock(7003, hashtext($1))", user_id.to_string()).execute(&mut **log).await?;
    sqlx::query!(
        "delete from platform.one_click_entry where user_id = $1 and at <= $2",
        user_id,
        (now - Duration::hours(1))
    )
    .execute(&mut **log)
    .await?;
    let lately =
        sqlx::query_scalar!(r#"select count(*) as "count!" from platform.one_click_entry where user_id = $1"#, user_id)
            .fetch_one(&mut **log)
            .await?;
    if lately >= PER_HOUR {
        return Err(Error::too_many(format!("一小时内最多一键登录{PER_HOUR}次，请稍后再试")));
    }
    sqlx::query!("insert into platform.one_click_entry (user_id, at) values ($1, $2)", user_id, now)
        .execute(&mut **log)
        .await?;
    Ok(())
}
