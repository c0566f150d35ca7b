//! The record of a video or audio; other modules keep its number (01 §4.1). Each area has its own.

use std::borrow::Cow;

use infra::{
    Allowed, App, Body, Change, Error, Page, Paged, ReadTx, Reply, Result, Tx, clock::Moment, files, permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query};
use serde_json::json;
use sqlx::PgConnection;

use super::channel::{MediaChannel, MediaState, NewVideo, Preview, Status, of_config};

permissions! {
    pages
        "/dashboard",
        "/schoolPC/basicData/course/record/list/{courseId}", "/platformPC/basicData/course/record/list/chapterList";
    HomeOrNamed Reads ListMedia = "system:pc:media:list" "音视频列表";
    HomeOrNamed Reads ViewMedia = "system:pc:media:view" "查看音视频";
}

/// A video or audio.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MediaAsset {
    /// 编号
    pub id: i64,
    /// 标题
    pub title: String,
    /// 通道
    pub channel: MediaChannel,
    /// 通道编号
    pub vid: String,
    /// 文件名
    pub file_name: String,
    /// 大小(字节)
    pub size: i64,
    /// 时长(秒)
    pub duration: Option<i32>,
    /// 封面
    pub cover_url: Option<String>,
    /// 状态
    pub state: MediaState,
    /// 失败原因
    pub fail_reason: Option<String>,
    /// 分类编号
    pub category_id: Option<String>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// A video with what its player needs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlayableMedia {
    #[oai(flatten)]
    pub asset: MediaAsset,
    /// 播放凭证
    pub play_token: Option<String>,
    /// 预览
    /// 可用的音视频才有
    pub preview: Option<MediaPreview>,
}

/// How it is looked at without the player of its channel.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MediaPreview {
    /// 地址
    /// 短期有效
    pub url: Option<String>,
    /// 嵌入播放页
    /// 是服务商的播放页，否则是浏览器直接播放的文件
    pub framed: bool,
    /// 不能预览的原因
    pub reason: Option<String>,
}

impl MediaPreview {
    fn at(url: String, framed: bool) -> Self {
        Self { url: Some(url), framed, reason: None }
    }

    fn none(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { url: None, framed: false, reason: Some(reason.into().into_owned()) }
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct MediaFilter {
    /// 标题
    #[oai(validator(max_length = 100))]
    pub title: Option<String>,
    /// 通道
    pub channel: Option<MediaChannel>,
    /// 状态
    pub state: Option<MediaState>,
    /// 分类编号
    #[oai(validator(max_length = 60))]
    pub category_id: Option<String>,
}

pub struct MediaAssets;

#[OpenApi(prefix_path = "/system/pc/media", tag = "crate::Tag::Settings")]
impl MediaAssets {
    /// 音视频列表
    #[oai(path = "/list", method = "post", operation_id = "listMedia")]
    async fn list(
        &self,
        caller: Allowed<ListMedia>,
        Body(asked): Body<Paged<MediaFilter>>,
    ) -> Result<Reply<Page<MediaAsset>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from media_asset
               where ($1::text is null or strpos(title, $1) > 0) and ($2::text is null or channel = $2)
                 and ($3::text is null or state = $3) and ($4::text is null or category_id = $4)"#,
            filter.title,
            filter.channel.map(MediaChannel::as_str),
            filter.state.map(MediaState::as_str),
            filter.category_id
        )
        .fetch_one(&mut *tx)
        .await?;
        let ids = sqlx::query_scalar!(
            "select id from media_asset
             where ($1::text is null or strpos(title, $1) > 0) and ($2::text is null or channel = $2)
               and ($3::text is null or state = $3) and ($4::text is null or category_id = $4)
             order by id desc limit $5 offset $6",
            filter.title,
            filter.channel.map(MediaChannel::as_str),
            filter.state.map(MediaState::as_str),
            filter.category_id,
            paging.limit(),
            paging.offset()
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(paging.page(total, rows(&mut tx, &ids).await?)))
    }

    /// 查看音视频
    #[oai(path = "/view", method = "get", operation_id = "viewMedia")]
    async fn view(
        &self,
        caller: Allowed<ViewMedia>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<PlayableMedia>> {
        Ok(reply(playable(caller.app(), caller.read().await?, id.0, caller.user_id()).await?))
    }
}

/// A video of the transaction's area with what one person plays it with. The channel is asked when the transaction has ended.
///
/// # Errors
/// 404 when it does not exist here, and those of the channel.
pub async fn playable(app: &App, mut tx: ReadTx, id: i64, person: i64) -> Result<PlayableMedia> {
    let asset = find(&mut tx, id).await?;
    if asset.state != MediaState::Ready {
        return Ok(PlayableMedia { asset, play_token: None, preview: None });
    }
    if asset.channel == MediaChannel::Storage {
        let stored = files::address_of_key(app, &mut tx, &asset.vid).await?;
        let gone = || MediaPreview::none("文件不存在或已被删除");
        let preview = stored.map_or_else(gone, |url| MediaPreview::at(url, false));
        return Ok(PlayableMedia { asset, play_token: None, preview: Some(preview) });
    }
    drop(tx);
    let (play_token, preview) = at_channel(app, &asset, person).await?;
    Ok(PlayableMedia { asset, play_token, preview: Some(preview) })
}

/// With what one person plays a video of a channel, and where they look at it without its player.
async fn at_channel(app: &App, asset: &MediaAsset, person: i64) -> Result<(Option<String>, MediaPreview)> {
    let Some(owner) = owner_of(app, asset.channel, &asset.vid).await? else {
        return Ok((None, MediaPreview::none("该视频没有登记通道配置，请重新上传或登记")));
    };
    let provider = of_config(app, asset.channel, owner.config_id).await?;
    let now = app.clock().now();
    let play = provider.play(&asset.vid, &person.to_string(), now).await?;
    let preview = match provider.preview(&asset.vid, &play, now).await {
        Ok(Preview::Page(url)) => MediaPreview::at(url, true),
        Ok(Preview::File(url)) => MediaPreview::at(url, false),
        Ok(Preview::Sealed) => MediaPreview::none("视频已加密，或没有浏览器可播放的格式，请在服务商的控制台查看"),
        // The token is good all the same.
        Err(error) if error.code == 409 => MediaPreview::none(error.msg),
        Err(error) => return Err(error),
    };
    Ok((Some(play.token), preview))
}

/// With what one person plays a video; none where nobody knows under which config it was uploaded. The channel is asked, so whoever
/// calls holds no transaction.
///
/// # Errors
/// Those of the channel.
pub async fn play_token(app: &App, channel: MediaChannel, vid: &str, person: i64) -> Result<Option<String>> {
    let Some(owner) = owner_of(app, channel, vid).await? else { return Ok(None) };
    let provider = of_config(app, channel, owner.config_id).await?;
    Ok(Some(provider.play(vid, &person.to_string(), app.clock().now()).await?.token))
}

/// # Errors
/// 404 when it does not exist here.
pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<MediaAsset> {
    rows(connection, &[id]).await?.pop().ok_or_else(Error::not_found)
}

async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<MediaAsset>> {
    let rows = sqlx::query!(
        r#"select id, title, channel as "channel: MediaChannel", vid, file_name, size, duration, cover_url,
                  state as "state: MediaState", fail_reason, category_id, created_at, version
           from media_asset where id = any($1) order by id desc"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| MediaAsset {
            id: row.id,
            title: row.title,
            channel: row.channel,
            vid: row.vid,
            file_name: row.file_name,
            size: row.size,
            duration: row.duration,
            cover_url: row.cover_url,
            state: row.state,
            fail_reason: row.fail_reason,
            category_id: row.category_id,
            created_at: row.created_at,
            version: row.version,
        })
        .collect())
}

/// Takes away the record of media that nothing plays. Where they lie stays noted, for whoever names them again.
///
/// # Errors
/// 404 when it does not exist here, 409 when something refers to it.
pub async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    tx.remove("media_asset", id, &before.title).await?;
    Ok(Change::deleted("media_asset", id, &before))
}

/// A video that was begun at its channel. Answers its number.
pub(super) async fn insert(tx: &mut Tx, channel: MediaChannel, vid: &str, video: &NewVideo) -> Result<i64> {
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into media_asset (title, channel, vid, file_name, size, category_id, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        video.title,
        channel.as_str(),
        vid,
        video.file_name,
        video.size,
        video.category,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}

/// What the channel says of a video; none when nothing is new. What is ready stays ready.
pub(super) async fn update(tx: &mut Tx, id: i64, status: &Status) -> Result<Option<Change>> {
    let by = tx.by();
    let before = sqlx::query_scalar!(
        r#"with before as (select id, state from media_asset where id = $1 for update)
           update media_asset m set state = $2, duration = coalesce($3, m.duration), size = coalesce($4, m.size),
                  cover_url = coalesce($5, m.cover_url), fail_reason = $6,
                  updated_at = now(), updated_by = $7, version = m.version + 1
           from before
           where m.id = before.id and (before.state <> 'ready' or $2 in ('ready', 'failed'))
             and (before.state <> $2 or m.duration is distinct from coalesce($3, m.duration))
           returning before.state as "state!""#,
        id,
        status.state.as_str(),
        status.duration,
        status.size,
        status.cover_url,
        status.fail_reason,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(before.map(|before| Change::status("media_asset", id, "state", before, status.state.as_str())))
}

/// A video that failed is asked for again by the next look at the channels.
///
/// # Errors
/// 409 unless it failed.
pub async fn retry(tx: &mut Tx, id: i64) -> Result<Change> {
    let by = tx.by();
    let retried = sqlx::query!(
        "update media_asset set state = 'processing', fail_reason = null, updated_at = now(), updated_by = $2, version = version + 1
         where id = $1 and state = 'failed'",
        id,
        by
    )
    .execute(&mut **tx)
    .await?;
    if retried.rows_affected() == 0 {
        return Err(Error::conflict("音视频没有失败，无需重试"));
    }
    let (failed, processing) = (MediaState::Failed.as_str(), MediaState::Processing.as_str());
    Ok(Change::status("media_asset", id, "state", failed, processing))
}

/// Whose a channel's video is.
pub(super) struct VideoOwner {
    pub(super) school_id: Option<i64>,
    pub(super) config_id: i64,
    pub(super) media_id: i64,
}

pub(super) async fn owner_of(app: &App, channel: MediaChannel, vid: &str) -> Result<Option<VideoOwner>> {
    let owner = sqlx::query_as!(
        VideoOwner,
        "select school_id, config_id, media_id from platform.media_place where channel = $1 and vid = $2",
        channel.as_str(),
        vid
    )
    .fetch_optional(&mut *app.platform_read().await?)
    .await?;
    Ok(owner)
}

/// Notes whose a video is, so that a message of the channel, which names no school, finds it.
pub(super) async fn note_place(app: &App, channel: MediaChannel, vid: &str, owner: &VideoOwner) -> Result<()> {
    let mut tx = infra::tx::for_counters(app).await?;
    sqlx::query!(
        "insert into platform.media_place (channel, vid, school_id, config_id, media_id, created_by, updated_by)
         values ($1, $2, $3, $4, $5, 0, 0) on conflict (channel, vid) do nothing",
        channel.as_str(),
        vid,
        owner.school_id,
        owner.config_id,
        owner.media_id
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("a pointer to a record whose own change is in the trail").await
}

/// For the trail of an upload.
pub(super) fn created(id: i64, channel: MediaChannel, vid: &str, video: &NewVideo) -> Change {
    let what = json!({ "title": video.title, "channel": channel.as_str(), "vid": vid, "fileName": video.file_name,
        "size": video.size });
    Change::event("media_asset", id, "insert", what)
}
