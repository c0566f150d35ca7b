//! What a deleted school leaves behind in accounts: nothing but the accounts themselves (01 §5.2).

use infra::{Result, Tx, clock::Moment};

/// Ends every session inside a school, those of operators too.
pub async fn end_sessions(tx: &mut Tx, school_id: i64, now: Moment) -> Result<()> {
    sqlx::query!(
        "update platform.sys_session set revoked_at = $2, revoke_reason = 'school_disabled'
         where school_id = $1 and revoked_at is null",
        school_id,
        now
    )
    .execute(&mut **tx)
    .await?;
    tx.notice("session", "");
    Ok(())
}

/// Ends the school's sessions, takes its bindings, its invitations and what was given at it. The roles of its
/// own go after that, in the module `roles`.
pub async fn leave_school(tx: &mut Tx, school_id: i64, now: Moment) -> Result<()> {
    end_sessions(tx, school_id, now).await?;
    sqlx::query!("delete from platform.sys_user_school where school_id = $1", school_id).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.sys_school_invitation where school_id = $1", school_id)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "delete from platform.sys_user_role
         where school_id = $1 or role_id in (select id from platform.sys_role where school_id = $1)",
        school_id
    )
    .execute(&mut **tx)
    .await?;
    tx.notice("rights", "");
    Ok(())
}
