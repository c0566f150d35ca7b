//! Videos of the demonstration, which no provider has.

use infra::{Result, Tx};

/// Bytes that each is said to have.
const SIZE: i64 = 100 << 20;

/// A video as the list of media shows it.
pub struct Video<'a> {
    pub title: &'a str,
    pub channel: &'a str,
    pub vid: &'a str,
    pub file: &'a str,
    pub seconds: i32,
    pub state: &'a str,
}

/// Adds a video to the transaction's area; answers its number.
///
/// # Errors
/// Only internal ones.
pub async fn video(tx: &mut Tx, video: &Video<'_>) -> Result<i64> {
    let id = sqlx::query_scalar!(
        "insert into media_asset (title, channel, vid, file_name, size, duration, state, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, 0, 0) returning id",
        video.title,
        video.channel,
        video.vid,
        video.file,
        SIZE,
        video.seconds,
        video.state
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}

/// Removes videos that nobody plays.
///
/// # Errors
/// Only internal ones.
pub async fn remove(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    sqlx::query!("delete from media_asset where id = any($1)", ids).execute(&mut **tx).await?;
    Ok(())
}
