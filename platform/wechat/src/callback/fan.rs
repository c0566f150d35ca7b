//! 粉丝: who follows the account, by the number that the provider gave them.

use infra::{Result, Tx};

/// Somebody follows, perhaps again.
pub(super) async fn follows(tx: &mut Tx, open_id: &str) -> Result<()> {
    let now = tx.app().clock().now();
    sqlx::query!(
        "insert into platform.gzh_fan (open_id, subscribed_at, left_at) values ($1, $2, null)
         on conflict on constraint gzh_fan_key do update set subscribed_at = excluded.subscribed_at, left_at = excluded.left_at",
        open_id,
        now
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Somebody follows no more.
pub(super) async fn leaves(tx: &mut Tx, open_id: &str) -> Result<()> {
    let now = tx.app().clock().now();
    sqlx::query!("update platform.gzh_fan set left_at = $2 where open_id = $1 and left_at is null", open_id, now)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
