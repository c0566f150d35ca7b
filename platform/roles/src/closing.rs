//! What a deleted school leaves behind in roles: nothing (01 §5.2).

use infra::{Result, Tx};

/// Removes the roles of a school's own; nobody holds them any more (`accounts::closing`).
///
/// # Errors
/// Only internal ones.
pub async fn remove_own(tx: &mut Tx, school_id: i64) -> Result<()> {
    sqlx::query!(
        "delete from platform.sys_role_scope where role_id in (select id from platform.sys_role where school_id = $1)",
        school_id
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from platform.sys_role_menu where role_id in (select id from platform.sys_role where school_id = $1)",
        school_id
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from platform.sys_role_permission where role_id in (select id from platform.sys_role where school_id = $1)",
        school_id
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.sys_role where school_id = $1", school_id).execute(&mut **tx).await?;
    Ok(())
}
