//! 同步: a channel takes over what people changed at its provider. Its number, scene and secrets are typed here and stay.

use infra::{Change, Error, Result, Tx, clock::Moment, naming::tidy};
use poem_openapi::{Object, types::Example};
use serde_json::json;
use settings::media::ToldChannel;

use super::{LiveChannel, LiveState, list::find};

/// The most letters of a name.
const NAME: usize = 60;

/// `{id}` of 同步.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ChannelSync {
    /// 编号
    pub id: i64,
}

impl Example for ChannelSync {
    fn example() -> Self {
        Self { id: 1 }
    }
}

/// What became of it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChannelSynced {
    /// 编号
    pub id: i64,
    /// 频道名称
    pub channel_name: String,
    /// 最多观看人数
    pub max_viewers: Option<i32>,
    /// 正在直播
    /// 服务商没有告知时为空
    pub on_air: Option<bool>,
    /// 有更新
    pub changed: bool,
}

/// # Errors
/// 409 for a channel that was closed.
pub(super) fn may_be(channel: &LiveChannel) -> Result<()> {
    match channel.state {
        LiveState::Ended => Err(Error::conflict("该频道已关闭，无需同步")),
        LiveState::Idle | LiveState::Living => Ok(()),
    }
}

/// # Errors
/// 409 when somebody changed the channel while the provider was asked.
pub(super) async fn take_over(
    tx: &mut Tx,
    now: Moment,
    before: &LiveChannel,
    told: ToldChannel,
) -> Result<(ChannelSynced, Change)> {
    let name: String = tidy(&told.name).chars().take(NAME).collect();
    let channel_name = if name.is_empty() { before.channel_name.clone() } else { name };
    let changed = channel_name != before.channel_name || told.max_viewers != before.max_viewers;
    let change = if changed {
        let by = tx.by();
        let kept = sqlx::query!(
            "update platform.live_channel set channel_name = $3, max_viewers = $4, updated_at = now(), updated_by = $5,
                    version = version + 1
             where id = $1 and version = $2",
            before.id,
            before.version,
            channel_name,
            told.max_viewers,
            by
        )
        .execute(&mut **tx)
        .await?;
        if kept.rows_affected() == 0 {
            return Err(tx.stale("live_channel", before.id).await);
        }
        let after = find(tx, now, before.id).await?;
        Change::edited("live_channel", before.id, before, &after)
    } else {
        Change::event("live_channel", before.id, "sync", json!({ "onAir": told.on_air }))
    };
    let synced =
        ChannelSynced { id: before.id, channel_name, max_viewers: told.max_viewers, on_air: told.on_air, changed };
    Ok((synced, change))
}
