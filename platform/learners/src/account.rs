//! The account of a learner: phone, password and state (01 §1.4.15, §9.6).

use accounts::{guard, password as secret};
use chrono::Duration;
use infra::{
    Change, Customer, Entity, Error, Part, Result, Tx,
    access::{Clients, MayWrite, Mode},
    mask,
};
use serde_json::json;

use crate::session::{self, Ended};

pub const PART: Part =
    Part { entities: &[Entity { table: "user_ext", name: "学员", counted: "名学员" }], ..Part::NONE };

/// As sessions and the login log name them.
pub const KIND: &str = "learner";
/// Wrong own passwords within one session that end it.
const WRONG_OWN_PASSWORDS: i32 = 5;
/// Minutes after a sign-in by a code in which the former password is not asked for: whoever forgot it signs in so.
const BY_CODE_MINUTES: i64 = 15;

/// An account, locked by the transaction that read it.
#[derive(Debug, Clone)]
pub struct Account {
    pub id: i64,
    pub phone: String,
    pub nickname: Option<String>,
    /// None: signs in by a code alone.
    pub password_hash: Option<String>,
    pub must_change: bool,
    pub enabled: bool,
    pub version: i32,
}

impl Account {
    /// What others read of them: the nickname, or their phone as lists show it.
    pub fn name(&self) -> String {
        self.nickname.clone().unwrap_or_else(|| mask::phone(&self.phone))
    }

    /// # Errors
    /// 409 when somebody changed the account since it was read.
    pub async fn unchanged_since(&self, tx: &mut Tx, version: Option<i32>) -> Result<()> {
        match version {
            Some(read) if read != self.version => Err(tx.stale("user_ext", self.id).await),
            _ => Ok(()),
        }
    }
}

/// Under this name wrong passwords and codes of a phone are counted.
pub(crate) fn guarded(phone: &str) -> String {
    format!("{KIND}/{phone}")
}

/// The account, kept from others until the transaction ends.
///
/// # Errors
/// 404 when it is gone.
pub async fn lock(tx: &mut Tx, id: i64) -> Result<Account> {
    let account = sqlx::query_as!(
        Account,
        "select id, phone, nickname, password_hash, must_change, enabled, version
         from platform.user_ext where id = $1 for update",
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    account.ok_or_else(Error::not_found)
}

/// The same by the phone that somebody types.
///
/// # Errors
/// Those of the database.
pub(crate) async fn lock_by_phone(tx: &mut Tx, phone: &str) -> Result<Option<Account>> {
    let account = sqlx::query_as!(
        Account,
        "select id, phone, nickname, password_hash, must_change, enabled, version
         from platform.user_ext where phone = $1 for update",
        phone
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(account)
}

/// 重置密码: a random one, told here and nowhere else, which must be changed at the next sign-in; a lock ends with it, and so do the
/// sessions.
pub(crate) async fn reset_password(tx: &mut Tx, account: &Account) -> Result<(Change, String)> {
    let password = secret::random(tx.app());
    let hash = secret::hash(tx.app(), &password).await?;
    let by = tx.by();
    sqlx::query!(
        "update platform.user_ext set password_hash = $2, must_change = true, updated_at = now(), updated_by = $3,
                version = version + 1
         where id = $1",
        account.id,
        hash,
        by
    )
    .execute(&mut **tx)
    .await?;
    guard::clear(tx, &guarded(&account.phone)).await?;
    session::end(tx, account.id, Ended::PasswordReset).await?;
    let name = account.name();
    Ok((Change::event("user_ext", account.id, "resetPassword", json!({ "nickname": name })), password))
}

/// The own password, as cipher texts: the former one, and the new one twice.
pub struct OwnPassword<'a> {
    pub old: &'a str,
    pub new: &'a str,
    pub again: &'a str,
}

/// A learner's own new password; it ends every session. Whoever signed in by a code within a quarter of an hour, or has no password
/// yet, need not know the former one.
///
/// # Errors
/// 422 at `confirmPassword`, `oldPassword` or `loginPassword` with the rule that it breaks.
pub async fn change_password<K: Clients, M: Mode + MayWrite>(
    customer: &Customer<K, M>,
    typed: OwnPassword<'_>,
) -> Result<()> {
    let (app, keys, random) = (&customer.app, customer.app.keys(), customer.app.random());
    let new = keys.decrypt(typed.new, random).await?;
    if keys.decrypt(typed.again, random).await? != new {
        return Err(Error::field("confirmPassword", "登录密码和确认密码不一致"));
    }
    let since = app.clock().now() - Duration::minutes(BY_CODE_MINUTES);
    let mut tx = customer.begin().await?;
    let account = lock(&mut tx, customer.session.person_id).await?;
    let by_code = sqlx::query_scalar!(
        r#"select by_code and issued_at > $2 as "by_code!" from platform.customer_session where jti = $1"#,
        customer.session.jti,
        since
    )
    .fetch_one(&mut *tx)
    .await?;
    if !by_code && account.password_hash.is_some() {
        let old = keys.decrypt(typed.old, random).await?;
        if !secret::matches(app, &old, account.password_hash.clone()).await? {
            let failures = sqlx::query_scalar!(
                "update platform.customer_session set password_failures = password_failures + 1 where jti = $1
                 returning password_failures",
                customer.session.jti
            )
            .fetch_one(&mut *tx)
            .await?;
            if failures >= WRONG_OWN_PASSWORDS {
                session::end_one(&mut tx, customer.session.jti, Ended::Kicked).await?;
            }
            tx.commit_untracked("the count of wrong own passwords").await?;
            return Err(Error::field("oldPassword", "原密码不正确"));
        }
    }
    secret::check(&new, &account.phone, Some(&account.phone))
        .map_err(|weak| Error::field("loginPassword", weak.zh()))?;
    if secret::matches(app, &new, account.password_hash.clone()).await? {
        return Err(Error::field("loginPassword", "新密码不能与原密码相同"));
    }
    let hash = secret::hash(app, &new).await?;
    let by = tx.by();
    sqlx::query!(
        "update platform.user_ext set password_hash = $2, must_change = false, updated_at = now(), updated_by = $3,
                version = version + 1
         where id = $1",
        account.id,
        hash,
        by
    )
    .execute(&mut *tx)
    .await?;
    session::end(&mut tx, account.id, Ended::PasswordChanged).await?;
    tx.commit(Change::event("user_ext", account.id, "update", json!({ "password": "changed" }))).await
}
