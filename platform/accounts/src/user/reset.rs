//! 重置密码: another's password, set by somebody who says their own once more (01 §1.4.13).

use infra::{Body, Change, Error, Reply, Result, Tx, access::Caller, clock::Moment, reply};
use poem_openapi::{Object, types::Example};
use scenes::{Person, PersonKind, Persons, notify, template::Values};
use serde_json::json;

use super::known::Known;
use crate::{
    guard, password,
    session::{self, Which},
    totp,
};

/// The acting person's own password, and the new one twice; all as cipher texts.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PasswordReset {
    /// 账号编号
    /// 不填为本人
    pub(super) user_id: Option<i64>,
    /// 本人登录密码
    #[oai(validator(max_length = 1024))]
    old_password: String,
    /// 新密码
    #[oai(validator(max_length = 1024))]
    login_password: String,
    /// 确认密码
    #[oai(validator(max_length = 1024))]
    confirm_password: String,
    /// 解除两步验证
    /// 本人更换手机或遗失恢复码时
    #[oai(default)]
    reset_totp: bool,
}

impl Example for PasswordReset {
    fn example() -> Self {
        let cipher = || "Base64 of the RSA-OAEP cipher text".to_owned();
        Self {
            user_id: Some(2),
            old_password: cipher(),
            login_password: cipher(),
            confirm_password: cipher(),
            reset_totp: false,
        }
    }
}

/// The passwords as they were typed.
pub(super) struct Typed {
    old: String,
    new: String,
    reset_totp: bool,
}

/// # Errors
/// 422 when a cipher text cannot be read, or the two new ones differ.
pub(super) async fn typed(caller: &Caller, Body(form): &Body<PasswordReset>) -> Result<Typed> {
    let (keys, random) = (caller.app().keys(), caller.app().random());
    let old = keys.decrypt(&form.old_password, random).await?;
    let new = keys.decrypt(&form.login_password, random).await?;
    if keys.decrypt(&form.confirm_password, random).await? != new {
        return Err(Error::field("confirmPassword", "登录密码和确认密码不一致"));
    }
    Ok(Typed { old, new, reset_totp: form.reset_totp })
}

/// One's own password: ends all sessions of the account.
pub(super) async fn own(tx: Tx, caller: &Caller, typed: &Typed, now: Moment) -> Result<Reply<bool>> {
    let mut tx = password::confirmed(tx, caller, &typed.old, now).await?;
    password::set(&mut tx, caller.user_id(), &typed.new, false, now).await?;
    session::revoke(&mut tx, Which::OfUser(caller.user_id()), "password_changed", now).await?;
    tx.commit(Change::event("sys_user", caller.user_id(), "update", json!({ "password": "changed" }))).await?;
    Ok(reply(true))
}

/// Another's: it must be changed at the next sign-in, the lock is gone, and so are the sessions; the second step of
/// signing in too when that was asked for. The person is told.
///
/// # Errors
/// 403 for the built-in account, 422 when the acting person's own password is wrong or the new one too weak.
pub(super) async fn anothers(tx: Tx, caller: &Caller, user: &Known, typed: &Typed, now: Moment) -> Result<Reply<bool>> {
    if user.built_in {
        return Err(Error::new(403, "内置账号的密码只能由本人修改"));
    }
    let mut tx = password::confirmed(tx, caller, &typed.old, now).await?;
    password::set(&mut tx, user.id, &typed.new, true, now).await?;
    guard::clear(&mut tx, &user.login_name).await?;
    session::revoke(&mut tx, Which::OfUser(user.id), "password_reset", now).await?;
    let mut changes = vec![Change::event("sys_user", user.id, "update", json!({ "password": "reset" }))];
    if typed.reset_totp && totp::remove(&mut tx, user.id).await? {
        changes.push(Change::status("sys_user", user.id, "totp", "on", "off"));
    }
    tell(&mut tx, caller, user.id).await?;
    tx.commit_all(changes).await?;
    Ok(reply(true))
}

/// Tells somebody that others set their password (01 §12, scene account_password_reset); in words of the school where they did.
async fn tell(tx: &mut Tx, caller: &Caller, user: i64) -> Result<()> {
    let school = caller.school.as_ref().map(|school| ("school".to_owned(), school.name.clone()));
    let values: Values = school.into_iter().collect();
    let person = Person { kind: PersonKind::Account, id: user };
    notify(tx, "account_password_reset", Persons::Recipients(vec![person]), values, None).await
}
