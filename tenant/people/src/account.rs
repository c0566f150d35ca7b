//! 客户端账号: login name, password and state of a person who signs in to another client (02 §12.1).

use std::collections::{HashMap, HashSet};

use accounts::password as secret;
use infra::{App, Change, Entity, Error, OnConstraint, Part, Result, Tx, clock::Moment, enumeration};
pub use people_rules::account::{OwnerKind, SignInKind};
use scenes::{Person, PersonKind, Persons, notify, template::Values};
use serde_json::json;
use sqlx::PgConnection;

use crate::session::{self, Ended};

pub const PART: Part = Part {
    enumerations: &[OwnerKind::ENUMERATION, SignInKind::ENUMERATION, AccountState::ENUMERATION],
    entities: &[Entity { table: "client_account", name: "客户端账号", counted: "个账号" }],
    ..Part::NONE
};

/// The person, for whoever tells them something.
pub(crate) const fn named(owner: OwnerKind, id: i64) -> Person {
    let kind = match owner {
        OwnerKind::Student => PersonKind::Student,
        OwnerKind::Teacher => PersonKind::Teacher,
        OwnerKind::SiteStaff => PersonKind::SiteStaff,
        OwnerKind::ClassManager => PersonKind::ClassManager,
    };
    Person { kind, id }
}

enumeration! {
    /// 账号状态
    pub enum AccountState = "clientAccountState" {
        Enabled = "enabled" "正常",
        Disabled = "disabled" "停用",
        Locked = "locked" "已锁定",
        None = "none" "未生成",
    }
}

/// An account to be opened with the initial password.
#[derive(Debug, Clone, Copy)]
pub struct NewAccount<'a> {
    pub owner_id: i64,
    pub login_name: &'a str,
    pub enabled: bool,
}

/// An account, locked by the transaction that read it.
#[derive(Debug, Clone)]
pub struct Account {
    pub id: i64,
    pub kind: OwnerKind,
    pub owner_id: i64,
    pub login_name: String,
    /// None: still the initial password.
    pub password_hash: Option<String>,
    pub must_change: bool,
    pub enabled: bool,
    pub failed_count: i32,
    pub locked_until: Option<Moment>,
    pub wechat_open_id: Option<String>,
    pub version: i32,
}

/// Opens accounts set-wise and answers their numbers in the order of the accounts.
///
/// # Errors
/// 409 when a login name is taken; ask [`taken_logins`] first to tell whose.
pub async fn open_accounts(tx: &mut Tx, kind: OwnerKind, accounts: &[NewAccount<'_>]) -> Result<Vec<i64>> {
    let by = tx.by();
    let owners: Vec<i64> = accounts.iter().map(|account| account.owner_id).collect();
    let names: Vec<String> = accounts.iter().map(|account| account.login_name.to_owned()).collect();
    let enabled: Vec<bool> = accounts.iter().map(|account| account.enabled).collect();
    sqlx::query_scalar!(
        "insert into client_account (owner_kind, owner_id, login_name, enabled, ended_at, created_by, updated_by)
         select $1, a.owner_id, a.login_name, a.enabled, case when not a.enabled then now() end, $5, $5
         from unnest($2::bigint[], $3::text[], $4::boolean[]) with ordinality as a (owner_id, login_name, enabled, place)
         order by a.place
         returning id",
        kind.as_str(),
        &owners,
        &names,
        &enabled,
        by
    )
    .fetch_all(&mut **tx)
    .await
    .on_constraint(|name| match name {
        "client_account_owner_taken" => Some(Error::conflict("已有账号，无需再次生成")),
        "client_account_login_name_taken" => Some(match accounts {
            [only] => login_taken(only.login_name),
            _ => Error::conflict("登录名已被其他账号使用"),
        }),
        _ => None,
    })
}

/// Has people sign in by numbers that they got, set-wise: their accounts are renamed, and those who have none get one. Answers the
/// records of the renamed.
///
/// # Errors
/// 409 when somebody else has one of the login names.
pub async fn follow_numbers(tx: &mut Tx, kind: OwnerKind, given: &[(i64, &str)]) -> Result<Vec<Change>> {
    let by = tx.by();
    let owners: Vec<i64> = given.iter().map(|(owner, _)| *owner).collect();
    let there = sqlx::query!(
        "select id, owner_id, login_name from client_account
         where owner_kind = $1 and owner_id = any($2) order by id for update",
        kind.as_str(),
        &owners
    )
    .fetch_all(&mut **tx)
    .await?;
    // Whoever is left has no account yet.
    let mut names: HashMap<i64, &str> = given.iter().copied().collect();
    let mut renamed = Vec::with_capacity(there.len());
    for account in there {
        if let Some(login) = names.remove(&account.owner_id) {
            renamed.push((account.id, account.login_name, login));
        }
    }
    let ids: Vec<i64> = renamed.iter().map(|(id, _, _)| *id).collect();
    let logins: Vec<&str> = renamed.iter().map(|(_, _, login)| *login).collect();
    sqlx::query!(
        "update client_account a
         set login_name = n.login, updated_at = now(), updated_by = $3, version = a.version + 1
         from unnest($1::bigint[], $2::text[]) as n (id, login) where a.id = n.id",
        &ids,
        &logins as _,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| {
        (name == "client_account_login_name_taken").then(|| match logins.as_slice() {
            [only] => login_taken(only),
            _ => Error::conflict("登录名已被其他账号使用"),
        })
    })?;
    let new: Vec<NewAccount<'_>> = given
        .iter()
        .filter(|(owner, _)| names.contains_key(owner))
        .map(|(owner_id, login_name)| NewAccount { owner_id: *owner_id, login_name, enabled: true })
        .collect();
    if !new.is_empty() {
        open_accounts(tx, kind, &new).await?;
    }
    Ok(renamed
        .into_iter()
        .map(|(id, former, login)| Change::status("client_account", id, "loginName", former, login))
        .collect())
}

fn login_taken(name: &str) -> Error {
    Error::conflict(format!("登录名“{name}”已被其他账号使用"))
}

/// Those of the login names that somebody has, in lower case.
pub async fn taken_logins(connection: &mut PgConnection, names: &[String]) -> Result<HashSet<String>> {
    let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    // One by one out of the index, however the table has grown within the transaction.
    let taken = sqlx::query_scalar!(
        r#"select a.name as "name!" from unnest($1::text[]) as n (name)
           cross join lateral (
               select lower(c.login_name) as name from client_account c where lower(c.login_name) = n.name offset 0) a"#,
        &lower
    )
    .fetch_all(connection)
    .await?;
    Ok(taken.into_iter().collect())
}

/// Whose the login names are that somebody has, by name in lower case.
pub async fn login_owners(
    connection: &mut PgConnection,
    names: &[String],
) -> Result<HashMap<String, (OwnerKind, i64)>> {
    let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let taken = sqlx::query!(
        r#"select lower(login_name) as "name!", owner_kind as "kind: OwnerKind", owner_id
           from client_account where lower(login_name) = any($1)"#,
        &lower
    )
    .fetch_all(connection)
    .await?;
    Ok(taken.into_iter().map(|account| (account.name, (account.kind, account.owner_id))).collect())
}

/// The account of a person, kept from others until the transaction ends; none when there is none yet.
pub async fn lock(tx: &mut Tx, kind: OwnerKind, owner_id: i64) -> Result<Option<Account>> {
    let account = sqlx::query_as!(
        Account,
        r#"select id, owner_kind as "kind: _", owner_id, login_name, password_hash, must_change, enabled, failed_count,
                  locked_until, wechat_open_id, version
           from client_account where owner_kind = $1 and owner_id = $2 for update"#,
        kind.as_str(),
        owner_id
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(account)
}

/// The same by what its owner types.
pub async fn lock_by_login(tx: &mut Tx, kind: OwnerKind, login_name: &str) -> Result<Option<Account>> {
    let account = sqlx::query_as!(
        Account,
        r#"select id, owner_kind as "kind: _", owner_id, login_name, password_hash, must_change, enabled, failed_count,
                  locked_until, wechat_open_id, version
           from client_account where owner_kind = $1 and lower(login_name) = lower($2) for update"#,
        kind.as_str(),
        login_name
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(account)
}

/// Switches off the accounts of people for whom what they were here for has ended, once: who was let in again afterwards
/// stays in. Answers the trail of those that were switched off.
pub async fn end_accounts(tx: &mut Tx, kind: OwnerKind, owner_ids: &[i64]) -> Result<Vec<Change>> {
    let by = tx.by();
    let ended = sqlx::query!(
        "update client_account set enabled = false, ended_at = now(), updated_at = now(), updated_by = $3, version = version + 1
         where owner_kind = $1 and owner_id = any($2) and enabled and ended_at is null
         returning id, owner_id",
        kind.as_str(),
        owner_ids,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut changes = Vec::with_capacity(ended.len());
    for account in ended {
        session::end(tx, kind, account.owner_id, Ended::AccountDisabled).await?;
        changes.push(Change::status("client_account", account.id, "enabled", true, false));
    }
    Ok(changes)
}

/// Takes the account of a person who is deleted, with its sessions.
pub async fn remove(tx: &mut Tx, kind: OwnerKind, owner_id: i64) -> Result<()> {
    session::end(tx, kind, owner_id, Ended::AccountDisabled).await?;
    sqlx::query!("delete from client_account where owner_kind = $1 and owner_id = $2", kind.as_str(), owner_id)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

impl Account {
    /// # Errors
    /// 409 when somebody changed the account since it was read.
    pub async fn unchanged_since(&self, tx: &mut Tx, version: i32) -> Result<()> {
        if self.version == version { Ok(()) } else { Err(tx.stale("client_account", self.id).await) }
    }

    /// Whether a password is this account's; `initial` is the one of the school's rule, when that can be computed.
    pub async fn is_password(&self, app: &App, typed: &str, initial: Option<&str>) -> Result<bool> {
        // Without a hash the same work is done for nothing, so that the time tells nothing.
        let by_hash = secret::matches(app, typed, self.password_hash.clone()).await?;
        Ok(by_hash || self.password_hash.is_none() && initial == Some(typed))
    }

    /// 启用, 禁用. Who is disabled is signed out everywhere.
    pub async fn set_enabled(&self, tx: &mut Tx, enabled: bool) -> Result<Change> {
        let by = tx.by();
        sqlx::query!(
            "update client_account set enabled = $2, updated_at = now(), updated_by = $3, version = version + 1
             where id = $1",
            self.id,
            enabled,
            by
        )
        .execute(&mut **tx)
        .await?;
        if !enabled {
            session::end(tx, self.kind, self.owner_id, Ended::AccountDisabled).await?;
        }
        Ok(Change::status("client_account", self.id, "enabled", self.enabled, enabled))
    }

    /// Lets somebody in again whose end was taken back: the next end switches the account off anew.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn reopen(&self, tx: &mut Tx) -> Result<Change> {
        let by = tx.by();
        sqlx::query!(
            "update client_account set enabled = true, ended_at = null, updated_at = now(), updated_by = $2,
                    version = version + 1
             where id = $1",
            self.id,
            by
        )
        .execute(&mut **tx)
        .await?;
        Ok(Change::status("client_account", self.id, "enabled", self.enabled, true))
    }

    /// 重置密码: back to the initial password, which must be changed at the next sign-in; a lock ends with it, and so do
    /// the sessions. The person is told.
    pub async fn reset_password(&self, tx: &mut Tx) -> Result<Change> {
        self.reset_to(tx, None).await
    }

    /// The same to a random password, for a person whose initial one cannot be computed. It is told here and nowhere else.
    pub async fn reset_to_random(&self, tx: &mut Tx) -> Result<(Change, String)> {
        let password = secret::random(tx.app());
        let hash = secret::hash(tx.app(), &password).await?;
        Ok((self.reset_to(tx, Some(&hash)).await?, password))
    }

    async fn reset_to(&self, tx: &mut Tx, hash: Option<&str>) -> Result<Change> {
        let by = tx.by();
        sqlx::query!(
            "update client_account set password_hash = $3, must_change = true, failed_count = 0, locked_until = null,
                    updated_at = now(), updated_by = $2, version = version + 1
             where id = $1",
            self.id,
            by,
            hash
        )
        .execute(&mut **tx)
        .await?;
        session::end(tx, self.kind, self.owner_id, Ended::PasswordReset).await?;
        let told = Persons::Recipients(vec![named(self.kind, self.owner_id)]);
        notify(tx, "account_password_reset", told, Values::new(), None).await?;
        Ok(Change::event("client_account", self.id, "resetPassword", json!({ "loginName": self.login_name })))
    }

    /// The person's own new password; it ends every session.
    ///
    /// # Errors
    /// 422 at `loginPassword` with the rule that it breaks.
    pub async fn set_password(&self, tx: &mut Tx, app: &App, password: &str, initial: Option<&str>) -> Result<Change> {
        let weak = |why: secret::Weak| Error::field("loginPassword", why.zh());
        secret::check(password, &self.login_name, None).map_err(weak)?;
        if self.is_password(app, password, initial).await? || initial == Some(password) {
            return Err(Error::field("loginPassword", "新密码不能与原密码或初始密码相同"));
        }
        let hash = secret::hash(app, password).await?;
        let by = tx.by();
        sqlx::query!(
            "update client_account set password_hash = $2, must_change = false, updated_at = now(), updated_by = $3,
                    version = version + 1 where id = $1",
            self.id,
            hash,
            by
        )
        .execute(&mut **tx)
        .await?;
        session::end(tx, self.kind, self.owner_id, Ended::PasswordChanged).await?;
        Ok(Change::event("client_account", self.id, "update", json!({ "password": "changed" })))
    }

    /// 解锁: forgets the wrong passwords.
    pub async fn unlock(&self, tx: &mut Tx) -> Result<Change> {
        let by = tx.by();
        sqlx::query!(
            "update client_account set failed_count = 0, locked_until = null,
                    updated_at = now(), updated_by = $2, version = version + 1
             where id = $1",
            self.id,
            by
        )
        .execute(&mut **tx)
        .await?;
        Ok(Change::event("client_account", self.id, "unlock", json!({ "loginName": self.login_name })))
    }

    /// Another login name, because the number it came from has changed.
    ///
    /// # Errors
    /// 409 when somebody has it.
    pub async fn rename(&self, tx: &mut Tx, login_name: &str) -> Result<Change> {
        let by = tx.by();
        sqlx::query!(
            "update client_account set login_name = $2, updated_at = now(), updated_by = $3, version = version + 1
             where id = $1",
            self.id,
            login_name,
            by
        )
        .execute(&mut **tx)
        .await
        .on_constraint(|name| (name == "client_account_login_name_taken").then(|| login_taken(login_name)))?;
        Ok(Change::status("client_account", self.id, "loginName", self.login_name.as_str(), login_name))
    }

    /// 解绑微信.
    ///
    /// # Errors
    /// 409 when none is bound.
    pub async fn unbind_wechat(&self, tx: &mut Tx) -> Result<Change> {
        if self.wechat_open_id.is_none() {
            return Err(Error::conflict("该账号没有绑定微信"));
        }
        let by = tx.by();
        sqlx::query!(
            "update client_account set wechat_open_id = null, updated_at = now(), updated_by = $2, version = version + 1
             where id = $1",
            self.id,
            by
        )
        .execute(&mut **tx)
        .await?;
        Ok(Change::event("client_account", self.id, "unbindWechat", json!({ "loginName": self.login_name })))
    }
}
