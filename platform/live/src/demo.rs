//! A channel of the demonstration.

use infra::{Change, Result, Tx};

use crate::channel::{LiveChannelForm, LiveProvider, LiveScene, insert};

/// What [`fill`] made: table and number of each row, and the trail.
pub struct Made {
    pub channel: i64,
    pub rows: Vec<(&'static str, i64)>,
    pub changes: Vec<Change>,
}

/// The caller commits.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx) -> Result<Made> {
    let form = LiveChannelForm {
        channel_name: "一号直播间".to_owned(),
        provider: LiveProvider::Polyv,
        channel_no: "demo001".to_owned(),
        scene: LiveScene::Lecture,
        max_viewers: Some(500),
        push_url: None,
        assistant_password: None,
        enabled: true,
    };
    let (channel, change) = insert(tx, form).await?;
    Ok(Made { channel, rows: vec![("live_channel", channel)], changes: vec![change] })
}

/// Removes them; one on which another course has a lesson stays.
///
/// # Errors
/// Only internal ones.
pub async fn remove(tx: &mut Tx, channels: &[i64]) -> Result<()> {
    sqlx::query!(
        "delete from platform.live_channel c where id = any($1)
           and not exists (select from platform.online_period p where p.live_channel_id = c.id)",
        channels
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
