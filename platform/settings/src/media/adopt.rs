//! 登记: media that lie in a channel already and were not uploaded through us. Other modules name them by their channel's number
//! (03 A6); how far they are, the next look at the channels tells.
//!
//! Invariant: a number belongs to the school that named it first. Its player is opened with that school's config, so no
//! second school may name it.

use infra::{App, Change, Error, OnConstraint, Result, Tx, tx::for_counters};

use super::{
    asset::created,
    channel::{MediaChannel, MediaState, NewVideo, for_new},
};

/// The channels in which media can be known to others than us.
const OUTSIDE: [MediaChannel; 3] = [MediaChannel::Aliyun, MediaChannel::Polyv, MediaChannel::Baijiayun];

/// The media that one import of a school names.
///
/// ```text
/// let mut media = Adoption::start(app, school).await?;      before the transaction
/// let (id, change) = media.adopt(&mut tx, line, channel, vid, title).await?;
/// let foreign = media.settle(app, true).await?;             before it is committed
/// ```
pub struct Adoption {
    school_id: Option<i64>,
    /// Under which config new media of a channel stand; the refusal where there is none.
    configs: Vec<(MediaChannel, Result<i64>)>,
    adopted: Vec<Adopted>,
}

/// Media that were new to the school.
struct Adopted {
    /// Of the sheet.
    line: u32,
    channel: MediaChannel,
    vid: String,
    config_id: i64,
    media_id: i64,
}

impl Adoption {
    /// Reads which channels the school has.
    ///
    /// # Errors
    /// Only internal ones; a channel without config is refused when it is needed.
    pub async fn start(app: &App, school_id: Option<i64>) -> Result<Self> {
        let mut configs = Vec::with_capacity(OUTSIDE.len());
        for channel in OUTSIDE {
            let config = match for_new(app, channel, school_id).await {
                Ok((id, _)) => Ok(id),
                Err(error) if error.code == 409 => Err(Error::field("channel", error.msg)),
                Err(error) => return Err(error),
            };
            configs.push((channel, config));
        }
        Ok(Self { school_id, configs, adopted: Vec::new() })
    }

    /// The school's record of the media with this number, made when there is none; then with its change for the trail.
    ///
    /// # Errors
    /// 422 at `channel` when new media cannot be asked for there, 409 when somebody adopts the same media at this moment.
    pub async fn adopt(
        &mut self,
        tx: &mut Tx,
        line: u32,
        channel: MediaChannel,
        vid: &str,
        title: &str,
    ) -> Result<(i64, Option<Change>)> {
        let known =
            sqlx::query_scalar!("select id from media_asset where channel = $1 and vid = $2", channel.as_str(), vid)
                .fetch_optional(&mut **tx)
                .await?;
        if let Some(id) = known {
            return Ok((id, None));
        }
        let config_id = self.config(channel)?;
        let by = tx.by();
        // What the channel knows of the file, it tells later.
        let video = NewVideo { title: title.to_owned(), file_name: vid.to_owned(), size: 0, category: None };
        let media_id = sqlx::query_scalar!(
            "insert into media_asset (title, channel, vid, file_name, size, state, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
            video.title,
            channel.as_str(),
            vid,
            video.file_name,
            video.size,
            MediaState::Processing.as_str(),
            by
        )
        .fetch_one(&mut **tx)
        .await
        .on_constraint(|constraint| (constraint == "media_asset_vid_taken").then(being_adopted))?;
        self.adopted.push(Adopted { line, channel, vid: vid.to_owned(), config_id, media_id });
        Ok((media_id, Some(created(media_id, channel, vid, &video))))
    }

    fn config(&self, channel: MediaChannel) -> Result<i64> {
        match self.configs.iter().find(|(known, _)| *known == channel) {
            Some((_, config)) => config.clone(),
            None => Err(Error::field("channel", "对象存储中没有该媒体，请先上传")),
        }
    }

    /// The lines whose media another school, or the platform, has. With `keep` all others become this school's, unless there
    /// is such a line; without, nothing is written.
    ///
    /// # Errors
    /// 409 when another school names the same media at this moment.
    pub async fn settle(&self, app: &App, keep: bool) -> Result<Vec<u32>> {
        if self.adopted.is_empty() {
            return Ok(Vec::new());
        }
        let channels: Vec<&str> = self.adopted.iter().map(|media| media.channel.as_str()).collect();
        let vids: Vec<&str> = self.adopted.iter().map(|media| media.vid.as_str()).collect();
        let lines: Vec<i64> = self.adopted.iter().map(|media| media.line.into()).collect();
        let foreign: Vec<i64> = sqlx::query_scalar!(
            r#"select named.line as "line!"
               from unnest($2::text[], $3::text[], $4::bigint[]) as named (channel, vid, line)
               join platform.media_place p on p.channel = named.channel and p.vid = named.vid
               where p.school_id is distinct from $1 order by named.line"#,
            self.school_id,
            &channels as &[&str],
            &vids as &[&str],
            &lines
        )
        .fetch_all(&mut *app.platform_read().await?)
        .await?;
        if foreign.is_empty() && keep {
            self.keep(app, &channels, &vids).await?;
        }
        Ok(self.adopted.iter().map(|media| media.line).filter(|line| foreign.contains(&i64::from(*line))).collect())
    }

    /// Where an earlier import noted the place and was lost before its own end, the place is ours and is taken again.
    async fn keep(&self, app: &App, channels: &[&str], vids: &[&str]) -> Result<()> {
        let configs: Vec<i64> = self.adopted.iter().map(|media| media.config_id).collect();
        let ids: Vec<i64> = self.adopted.iter().map(|media| media.media_id).collect();
        let mut tx = for_counters(app).await?;
        let kept = sqlx::query!(
            "insert into platform.media_place (channel, vid, school_id, config_id, media_id, created_by, updated_by)
             select named.channel, named.vid, $1::bigint, named.config_id, named.media_id, 0, 0
             from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) as named (channel, vid, config_id, media_id)
             on conflict (channel, vid) do update
             set config_id = excluded.config_id, media_id = excluded.media_id, updated_at = now(), version = media_place.version + 1
             where media_place.school_id is not distinct from excluded.school_id",
            self.school_id,
            channels as &[&str],
            vids as &[&str],
            &configs,
            &ids
        )
        .execute(&mut *tx)
        .await?;
        if usize::try_from(kept.rows_affected()) != Ok(self.adopted.len()) {
            return Err(being_adopted());
        }
        tx.commit_untracked("pointers to records whose own changes are in the trail").await
    }
}

fn being_adopted() -> Error {
    Error::conflict("该媒体正被他人登记，请稍后重新导入")
}
