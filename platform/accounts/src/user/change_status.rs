//! Whether an account may sign in: switched on and off, unlocked, thrown out, ended (01 §2.2.7, §2.2.8, §1.6).

use infra::{Change, Error, Result, Tx, access::Caller, clock::Moment};
use serde_json::json;

use super::known::{self, Known};
use crate::{
    guard,
    session::{self, Event, Which},
};

/// The last enabled super administrator stays one.
///
/// # Errors
/// 409 when nobody else is.
pub(super) async fn keep_a_super_administrator(tx: &mut Tx, leaving: i64) -> Result<()> {
    // Two who leave together wait for each other here.
    sqlx::query!("select id from platform.sys_role where seed_key = 'super' for no key update")
        .fetch_optional(&mut **tx)
        .await?;
    let now = tx.app().clock().now();
    let others = sqlx::query_scalar!(
        r#"select exists (
               select from platform.sys_user_role ur
               join platform.sys_role r on r.id = ur.role_id and r.seed_key = 'super' and r.enabled
               join platform.sys_user u on u.id = ur.user_id
               where u.id <> $1 and u.enabled and u.deleted_at is null and (u.gmt_expires is null or u.gmt_expires > $2)
           ) as "others!""#,
        leaving,
        now
    )
    .fetch_one(&mut **tx)
    .await?;
    if others { Ok(()) } else { Err(Error::conflict("至少保留一名启用的超级管理员")) }
}

async fn is_super_administrator(tx: &mut Tx, user_id: i64) -> Result<bool> {
    let found = sqlx::query_scalar!(
        r#"select exists (select from platform.sys_user_role ur join platform.sys_role r on r.id = ur.role_id
                          where ur.user_id = $1 and r.seed_key = 'super') as "found!""#,
        user_id
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(found)
}

/// A school's last administrator stays one; asked in the school area only.
///
/// # Errors
/// 409 when nobody else is.
pub(super) async fn keep_an_administrator(tx: &mut Tx, school: i64, leaving: i64) -> Result<()> {
    sqlx::query!(
        "select id from platform.sys_user_school where school_id = $1 and is_admin order by id for update",
        school
    )
    .fetch_all(&mut **tx)
    .await?;
    let now = tx.app().clock().now();
    let left = sqlx::query!(
        r#"select coalesce(bool_or(b.user_id = $2), false) as "leaves!",
                  coalesce(bool_or(b.user_id <> $2 and b.enabled and u.enabled and u.deleted_at is null
                      and (b.gmt_expires is null or b.gmt_expires > $3)
                      and (u.gmt_expires is null or u.gmt_expires > $3)), false) as "others!"
           from platform.sys_user_school b join platform.sys_user u on u.id = b.user_id
           where b.school_id = $1 and b.is_admin"#,
        school,
        leaving,
        now
    )
    .fetch_one(&mut **tx)
    .await?;
    if left.leaves && !left.others { Err(Error::conflict("院校至少保留一名管理员")) } else { Ok(()) }
}

/// Switches an account as `wanted`, or round where nothing is wanted; answers its new state.
///
/// # Errors
/// 409 for oneself, the built-in account and the last super administrator.
pub(super) async fn switch_account(
    tx: &mut Tx,
    caller: &Caller,
    user: &Known,
    wanted: Option<bool>,
    now: Moment,
) -> Result<(bool, Change)> {
    let enabled = wanted.unwrap_or(!user.enabled);
    if user.enabled && !enabled {
        if user.id == caller.user_id() {
            return Err(Error::conflict("不能停用当前登录账号"));
        }
        if user.built_in {
            return Err(Error::conflict("内置账号不能停用"));
        }
        if is_super_administrator(tx, user.id).await? {
            keep_a_super_administrator(tx, user.id).await?;
        }
        session::revoke(tx, Which::OfUser(user.id), "account_disabled", now).await?;
    }
    sqlx::query!("update platform.sys_user set enabled = $2 where id = $1", user.id, enabled)
        .execute(&mut **tx)
        .await?;
    known::touch(tx, user.id).await?;
    Ok((enabled, Change::status("sys_user", user.id, "enabled", user.enabled, enabled)))
}

/// Ends sessions: everywhere, or at one school; answers how many there were.
pub(super) async fn kick(
    tx: &mut Tx,
    caller: &Caller,
    user: &Known,
    school: Option<i64>,
    now: Moment,
) -> Result<Change> {
    if user.id == caller.user_id() {
        return Err(Error::conflict("不能强制下线当前登录账号，请使用退出登录"));
    }
    let which = school.map_or(Which::OfUser(user.id), |school| Which::OfUserAt(user.id, school));
    let ended = session::revoke(tx, which, "kicked", now).await?;
    if ended > 0 {
        let event = Event {
            user_id: Some(user.id),
            login_name: &user.login_name,
            real_name: Some(&user.real_name),
            school_id: school,
            event: "kicked",
            success: true,
            reason: None,
            session: None,
        };
        session::log(tx, &caller.visit, event, now).await?;
    }
    Ok(Change::event("sys_user", user.id, "kick", json!({ "sessions": ended })))
}

pub(super) async fn unlock(tx: &mut Tx, user: &Known) -> Result<Change> {
    guard::clear(tx, &user.login_name).await?;
    Ok(Change::event("sys_user", user.id, "unlock", json!({ "loginName": user.login_name })))
}

/// The soft end of an account: signed out everywhere, without roles and bindings, its name and phone free again.
///
/// # Errors
/// 409 for oneself, the built-in account and the last super administrator.
pub(super) async fn delete(tx: &mut Tx, by: i64, user: &Known, now: Moment) -> Result<Change> {
    if user.id == by {
        return Err(Error::conflict("不能删除当前登录账号"));
    }
    if is_super_administrator(tx, user.id).await? {
        keep_a_super_administrator(tx, user.id).await?;
    }
    if user.built_in {
        return Err(Error::conflict("内置数据不能删除"));
    }
    session::revoke(tx, Which::OfUser(user.id), "account_disabled", now).await?;
    sqlx::query!("delete from platform.sys_user_role where user_id = $1", user.id).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.sys_user_school where user_id = $1", user.id).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.sys_school_invitation where user_id = $1", user.id).execute(&mut **tx).await?;
    sqlx::query!(
        "update platform.sys_user set enabled = false, login_name = login_name || '#' || id, phone = null, deleted_at = $2 where id = $1",
        user.id,
        now
    )
    .execute(&mut **tx)
    .await?;
    tx.notice("rights", user.id);
    known::touch(tx, user.id).await?;
    let what = json!({ "loginName": user.login_name, "realName": user.real_name });
    Ok(Change::event("sys_user", user.id, "delete", what))
}
