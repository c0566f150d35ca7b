//! What roles and menus give changed: accounts notice, and every server looks at the rights anew.

use infra::{Result, Tx};

/// The rights of everybody with a role are looked at anew; their consoles notice it.
///
/// # Errors
/// Only internal ones.
pub async fn of_role_changed(tx: &mut Tx, role: i64) -> Result<()> {
    sqlx::query!(
        "update platform.sys_user set permission_version = permission_version + 1
         where id in (select user_id from platform.sys_user_role where role_id = $1)",
        role
    )
    .execute(&mut **tx)
    .await?;
    tx.notice("rights", "");
    Ok(())
}

/// Everybody's rights are looked at anew; those who have the menu notice it when they reload the page.
///
/// # Errors
/// Only internal ones.
pub async fn of_menu_changed(tx: &mut Tx, menu: i64) -> Result<()> {
    sqlx::query!(
        "update platform.sys_user u set permission_version = permission_version + 1
         where exists (select from platform.sys_user_role ur join platform.sys_role_menu rm on rm.role_id = ur.role_id
                       where ur.user_id = u.id and rm.menu_id = $1)",
        menu
    )
    .execute(&mut **tx)
    .await?;
    tx.notice("rights", "");
    Ok(())
}
