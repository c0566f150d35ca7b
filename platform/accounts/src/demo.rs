//! Accounts of the demonstration, where no other step of the module does the same.

use infra::{Result, Tx};

/// Lets an account see one site in all its roles.
///
/// # Errors
/// Only internal ones.
pub async fn see_site(tx: &mut Tx, user_id: i64, site: i64) -> Result<()> {
    sqlx::query!(
        "insert into platform.sys_user_role_scope (user_role_id, target_type, target_id)
         select id, 'site', $2 from platform.sys_user_role where user_id = $1",
        user_id,
        site
    )
    .execute(&mut **tx)
    .await?;
    tx.notice("rights", user_id);
    Ok(())
}

/// Removes accounts with their sessions, roles and bindings; their machine tokens are gone already. The logs keep their names.
///
/// # Errors
/// Only internal ones.
pub async fn remove(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    sqlx::query!("delete from platform.sys_session where user_id = any($1)", ids).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.sys_school_invitation where user_id = any($1)", ids).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.sys_user_school where user_id = any($1)", ids).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.sys_user_role where user_id = any($1)", ids).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.sys_recovery_code where user_id = any($1)", ids).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.sys_user_totp where user_id = any($1)", ids).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.sys_password_history where user_id = any($1)", ids).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.sys_user where id = any($1)", ids).execute(&mut **tx).await?;
    tx.notice("session", "");
    tx.notice("rights", "");
    Ok(())
}
