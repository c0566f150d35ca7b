//! Accounts made by the server itself: the first operator, a school's first administrator, demo accounts.

use infra::{Error, OnConstraint, Result, Tx, clock::Moment};

use crate::password;

/// An account to be made.
#[derive(Debug, Clone)]
pub struct NewAccount<'a> {
    pub login_name: &'a str,
    pub real_name: &'a str,
    pub phone: Option<&'a str>,
    /// `platform` or `school`
    pub user_type: &'static str,
    pub password: &'a str,
    pub must_change: bool,
    pub built_in: bool,
}

/// # Errors
/// 422 when name or phone is taken.
pub async fn create(tx: &mut Tx, new: &NewAccount<'_>, now: Moment) -> Result<i64> {
    let hash = password::hash(tx.app(), new.password).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.sys_user (login_name, real_name, phone, user_type, password_hash, password_changed_at,
             must_change_password, built_in, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
        new.login_name,
        new.real_name,
        new.phone,
        new.user_type,
        hash,
        now,
        new.must_change,
        new.built_in,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| match name {
        "sys_user_login_name_taken" => Some(Error::field("loginName", "账号已存在")),
        "sys_user_phone_taken" => Some(Error::field("phone", "手机号已被其他账号使用")),
        _ => None,
    })?;
    password::remember(tx, id, &hash, now).await?;
    Ok(id)
}

/// Gives a role by the key it was seeded with; `school_id` null means every school.
pub async fn give_role(tx: &mut Tx, user_id: i64, seed_key: &str, school_id: Option<i64>) -> Result<()> {
    let by = tx.by();
    let given = sqlx::query!(
        "insert into platform.sys_user_role (user_id, role_id, school_id, created_by)
         select $1, id, $3, $4 from platform.sys_role where seed_key = $2
         on conflict do nothing",
        user_id,
        seed_key,
        school_id,
        by
    )
    .execute(&mut **tx)
    .await?;
    if given.rows_affected() == 0 {
        tracing::debug!(user_id, seed_key, "the role was given before or is not seeded");
    }
    tx.notice("rights", user_id);
    Ok(())
}

/// Binds an account to a school.
pub async fn bind(tx: &mut Tx, user_id: i64, school_id: i64, is_admin: bool) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "insert into platform.sys_user_school (user_id, school_id, is_admin, created_by, updated_by) values ($1, $2, $3, $4, $4)
         on conflict (user_id, school_id) do nothing",
        user_id,
        school_id,
        is_admin,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Notes that an account signed in, and where it works now.
///
/// # Errors
/// Only internal ones.
pub async fn signed_in(tx: &mut Tx, user_id: i64, school_id: Option<i64>, ip: &str, now: Moment) -> Result<()> {
    sqlx::query!("update platform.sys_user set last_login_at = $2, last_login_ip = $3 where id = $1", user_id, now, ip)
        .execute(&mut **tx)
        .await?;
    if let Some(school_id) = school_id {
        works_at(tx, user_id, school_id, now).await?;
    }
    Ok(())
}

/// Notes at which school an account works now; whether it is bound there.
///
/// # Errors
/// Only internal ones.
pub async fn works_at(tx: &mut Tx, user_id: i64, school_id: i64, now: Moment) -> Result<bool> {
    let bound = sqlx::query!(
        "update platform.sys_user_school set last_used_at = $3
         where user_id = $1 and school_id = $2 and enabled and (gmt_expires is null or gmt_expires > $3)",
        user_id,
        school_id,
        now
    )
    .execute(&mut **tx)
    .await?;
    Ok(bound.rows_affected() > 0)
}

/// Ends the account of a machine token. Its row stays, because trails and `created_by` name it.
///
/// # Errors
/// Only internal ones.
pub async fn end_machine(tx: &mut Tx, account_id: i64, now: Moment) -> Result<()> {
    sqlx::query!("delete from platform.sys_user_school where user_id = $1", account_id).execute(&mut **tx).await?;
    sqlx::query!("update platform.sys_user set enabled = false, deleted_at = $2 where id = $1", account_id, now)
        .execute(&mut **tx)
        .await?;
    tx.notice("session", format!("u{account_id}"));
    Ok(())
}
