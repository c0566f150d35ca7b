//! 引用: a school plays a video of the platform. Its record has the same channel and number, and nothing is copied; whose the
//! video is, and with which config its player is opened, stays as it was noted at the upload.

use std::collections::HashMap;

use infra::{Change, Error, Result, Tx};

use super::{
    asset::created,
    channel::{MediaChannel, MediaState, NewVideo},
};

/// A video of the platform that is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaReference {
    pub title: String,
    pub channel: MediaChannel,
    /// The channel's number.
    pub vid: String,
    pub file_name: String,
    pub size: i64,
    /// Seconds.
    pub duration: Option<i32>,
    pub cover_url: Option<String>,
}

/// The school's records of such videos, by channel and number, made where there are none; and what was made, for the trail.
///
/// # Errors
/// 409 for a file of the platform's store: it has no player in a school.
pub async fn refer(
    tx: &mut Tx,
    wanted: &[&MediaReference],
) -> Result<(HashMap<(MediaChannel, String), i64>, Vec<Change>)> {
    if let Some(stored) = wanted.iter().find(|media| media.channel == MediaChannel::Storage) {
        let why = format!("“{}”存放在平台的对象存储中，院校不能播放，请联系平台上传到视频通道", stored.title);
        return Err(Error::conflict(why));
    }
    let titles: Vec<&str> = wanted.iter().map(|media| media.title.as_str()).collect();
    let channels: Vec<&str> = wanted.iter().map(|media| media.channel.as_str()).collect();
    let vids: Vec<&str> = wanted.iter().map(|media| media.vid.as_str()).collect();
    let files: Vec<&str> = wanted.iter().map(|media| media.file_name.as_str()).collect();
    let sizes: Vec<i64> = wanted.iter().map(|media| media.size).collect();
    let durations: Vec<Option<i32>> = wanted.iter().map(|media| media.duration).collect();
    let covers: Vec<Option<&str>> = wanted.iter().map(|media| media.cover_url.as_deref()).collect();
    let by = tx.by();
    let made = sqlx::query!(
        r#"insert into media_asset (title, channel, vid, file_name, size, duration, cover_url, state, created_by, updated_by)
           select distinct on (w.channel, w.vid) w.title, w.channel, w.vid, w.file_name, w.size, w.duration, w.cover_url,
                  $8::text, $9::bigint, $9::bigint
           from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::integer[], $7::text[])
                as w (title, channel, vid, file_name, size, duration, cover_url)
           order by w.channel, w.vid
           on conflict (channel, vid) do nothing
           returning id, title, channel as "channel: MediaChannel", vid, file_name, size"#,
        &titles as &[&str],
        &channels as &[&str],
        &vids as &[&str],
        &files as &[&str],
        &sizes,
        &durations as &[Option<i32>],
        &covers as &[Option<&str>],
        MediaState::Ready.as_str(),
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let changes = made
        .into_iter()
        .map(|row| {
            let video = NewVideo { title: row.title, file_name: row.file_name, size: row.size, category: None };
            created(row.id, row.channel, &row.vid, &video)
        })
        .collect();
    let known = sqlx::query!(
        r#"select m.id, m.channel as "channel: MediaChannel", m.vid
           from unnest($1::text[], $2::text[]) as w (channel, vid)
           join media_asset m on m.channel = w.channel and m.vid = w.vid"#,
        &channels as &[&str],
        &vids as &[&str]
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok((known.into_iter().map(|row| ((row.channel, row.vid), row.id)).collect(), changes))
}
