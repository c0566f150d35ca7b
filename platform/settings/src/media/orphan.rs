//! Videos that lie at a provider and that nobody here knows: sent from elsewhere, or left behind.

use std::collections::HashSet;

use infra::{Result, jobs::JobRun};
use setting_rules::orphans::{MOST, Orphans};

use super::channel::{ListPlace, channel_of, of_config};
use crate::config::ConfigKind;

/// Goes through the videos of one config, page by page; the reason where its provider breaks off.
///
/// # Errors
/// 409 when somebody cancelled the job; else only internal ones.
pub(crate) async fn look(
    orphans: &mut Orphans,
    run: &JobRun,
    kind: ConfigKind,
    config_id: i64,
) -> Result<Result<(), String>> {
    let Some(channel) = channel_of(kind) else { return Ok(Ok(())) };
    let app = run.app();
    let provider = of_config(app, channel, config_id).await?;
    let mut place = Some(ListPlace::FIRST);
    while let Some(at) = place {
        if orphans.looked_at >= MOST {
            orphans.cut = true;
            break;
        }
        run.progress(&format!("核对{}的视频，已核对{}个", channel.zh(), orphans.looked_at), 0, 0).await?;
        let (videos, next) = match provider.list(&at, app.clock().now()).await {
            Ok(page) => page,
            Err(error) => {
                orphans.broken = true;
                return Ok(Err(error.msg.into_owned()));
            }
        };
        orphans.looked_at += videos.len();
        let vids: Vec<&str> = videos.iter().map(|video| video.vid.as_str()).collect();
        let known: HashSet<String> = sqlx::query_scalar!(
            "select vid from platform.media_place where channel = $1 and vid = any($2)",
            channel.as_str(),
            &vids as &[&str]
        )
        .fetch_all(&mut *app.platform_read().await?)
        .await?
        .into_iter()
        .collect();
        for video in videos.into_iter().filter(|video| !known.contains(&video.vid)) {
            orphans.keep(channel, video.vid, &video.title);
        }
        place = next;
    }
    Ok(Ok(()))
}
