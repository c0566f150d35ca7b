//! How channels are read. One is living while a published lesson is on it.

use futures_util::TryStreamExt;
use infra::{Error, Paging, Result, clock::Moment, transfer::Rows};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{LiveProvider, LiveScene, LiveState};

/// A channel.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LiveChannel {
    /// 编号
    pub id: i64,
    /// 频道名称
    pub channel_name: String,
    /// 服务商
    pub provider: LiveProvider,
    /// 频道号
    pub channel_no: String,
    /// 场景
    pub scene: LiveScene,
    /// 最多观看人数
    pub max_viewers: Option<i32>,
    /// 频道状态
    pub state: LiveState,
    /// 未开始的课时
    pub upcoming: i64,
    /// 下次直播时间
    pub next_starts_at: Option<Moment>,
    /// 已保存密钥
    /// 推流地址和助教密码不显示
    pub has_secrets: bool,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What is left of a lesson that was given on a channel.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChannelReplay {
    /// 课时编号
    pub period_id: i64,
    /// 课程名称
    pub course_name: String,
    /// 课时名称
    pub period_name: String,
    /// 开始时间
    pub starts_at: Moment,
    /// 回放编号
    pub media_asset_id: i64,
    /// 回放
    pub media_title: String,
}

/// A channel with what is left of its lessons.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LiveChannelView {
    #[oai(flatten)]
    pub channel: LiveChannel,
    /// 回放列表
    pub replays: Vec<ChannelReplay>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct LiveChannelFilter {
    /// 名称或频道号
    #[oai(validator(max_length = 60))]
    pub keyword: Option<String>,
    /// 服务商
    pub provider: Option<LiveProvider>,
    /// 频道状态
    pub state: Option<LiveState>,
    /// 启用
    pub enabled: Option<bool>,
}

/// Newest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    now: Moment,
    only: Option<i64>,
    filter: &LiveChannelFilter,
    page: Option<Paging>,
) -> Rows<'c, LiveChannel> {
    let rows = sqlx::query_as!(
        LiveChannel,
        r#"select c.id, c.channel_name, c.provider as "provider: _", c.channel_no, c.scene as "scene: _", c.max_viewers,
                  case when c.state = 'ended' then 'ended' when t.living > 0 then 'living' else 'idle' end as "state!: _",
                  t.upcoming as "upcoming!", t.next_starts_at as "next_starts_at?",
                  c.secrets is not null as "has_secrets!", c.enabled, c.created_at, c.version
           from platform.live_channel c
           cross join lateral (
               select count(*) filter (where p.starts_at <= $1 and p.ends_at > $1) as living,
                      count(*) filter (where p.starts_at > $1) as upcoming,
                      min(p.starts_at) filter (where p.starts_at > $1) as next_starts_at
               from platform.online_period p where p.live_channel_id = c.id) t
           where ($2::bigint is null or c.id = $2)
             and ($3::text is null or strpos(c.channel_name, $3) > 0 or c.channel_no = $3)
             and ($4::text is null or c.provider = $4)
             and ($5::text is null or $5 = case when c.state = 'ended' then 'ended' when t.living > 0 then 'living' else 'idle' end)
             and ($6::boolean is null or c.enabled = $6)
           order by c.created_at desc, c.id desc limit $7 offset $8"#,
        now,
        only,
        filter.keyword,
        filter.provider.map(LiveProvider::as_str),
        filter.state.map(LiveState::as_str),
        filter.enabled,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, now: Moment, filter: &LiveChannelFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.live_channel c
           where ($2::text is null or strpos(c.channel_name, $2) > 0 or c.channel_no = $2)
             and ($3::text is null or c.provider = $3)
             and ($4::text is null or $4 = case
                 when c.state = 'ended' then 'ended'
                 when exists (select from platform.online_period p
                              where p.live_channel_id = c.id and p.starts_at <= $1 and p.ends_at > $1) then 'living'
                 else 'idle' end)
             and ($5::boolean is null or c.enabled = $5)"#,
        now,
        filter.keyword,
        filter.provider.map(LiveProvider::as_str),
        filter.state.map(LiveState::as_str),
        filter.enabled
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, now: Moment, id: i64) -> Result<LiveChannel> {
    let found = select(connection, now, Some(id), &LiveChannelFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

/// The newest lesson first.
pub(super) async fn replays(connection: &mut PgConnection, id: i64) -> Result<Vec<ChannelReplay>> {
    let replays = sqlx::query_as!(
        ChannelReplay,
        r#"select p.id as period_id, c.course_name, p.period_name, p.starts_at as "starts_at!", m.id as media_asset_id,
                  m.title as media_title
           from platform.online_period p
           join platform.online_chapter h on h.id = p.chapter_id
           join platform.online_course c on c.id = h.course_id
           join platform.media_asset m on m.id = p.replay_asset_id
           where p.live_channel_id = $1
           order by p.starts_at desc, p.id desc limit 200"#,
        id
    )
    .fetch_all(connection)
    .await?;
    Ok(replays)
}
