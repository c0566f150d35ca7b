//! 直播频道: where lessons are given live (01 §9.2). Its number is the provider's; the address of its stream and the password of its
//! assistants are kept sealed and never shown.
//!
//! ```text
//! idle ⇄ living (while a lesson is on)    ─close→ ended, for good
//! sync: its name and how many may watch, as the provider has them
//! ```

mod form;
mod list;
mod sheet;
mod sync;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, enumeration, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use settings::media::{MediaChannel, told_channel};

pub use form::LiveChannelForm;
pub use list::{ChannelReplay, LiveChannel, LiveChannelFilter, LiveChannelView};
pub use sync::{ChannelSync, ChannelSynced};

pub(crate) use form::insert;

use form::{close, remove, update};
use list::{count, find, replays, select};

permissions! {
    pages "/course/live/channel/list";
    InPlatform Reads       ListLiveChannels        = "course:pc:live:channel:list" "直播频道列表";
    InPlatform Reads       ViewLiveChannel         = "course:pc:live:channel:view" "查看直播频道";
    InPlatform Writes      SaveLiveChannel         = "course:pc:live:channel:save" "新增直播频道";
    InPlatform Writes      EditLiveChannel         = "course:pc:live:channel:edit" "编辑直播频道";
    InPlatform Writes      DeleteLiveChannel       = "course:pc:live:channel:delete" "删除直播频道";
    InPlatform Writes      DeleteLiveChannels      = "course:pc:live:channel:batchDel" "批量删除直播频道";
    InPlatform Writes      ChangeLiveChannelStatus = "course:pc:live:channel:update:status" "启用停用直播频道";
    InPlatform Writes      CloseLiveChannel        = "course:pc:live:channel:close" "关闭直播";
    InPlatform Writes      SyncLiveChannel         = "course:pc:live:channel:sync" "同步直播频道";
    InPlatform ReadsLogged ExportLiveChannels      = "course:pc:live:channel:export" "导出直播频道";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[LiveProvider::ENUMERATION, LiveScene::ENUMERATION, LiveState::ENUMERATION],
    entities: &[Entity { table: "live_channel", name: "直播频道", counted: "个直播频道" }],
    jobs: &[export_job::<LiveChannels>()],
    histories: &[History { table: "live_channel", code: "course:pc:live:channel:view", scope: None }],
    unlogged: &["pushUrl", "assistantPassword"],
    ..Part::NONE
};

enumeration! {
    /// 直播服务商
    pub enum LiveProvider = "liveProvider" {
        Polyv = "polyv" "保利威",
        Baijiayun = "baijiayun" "百家云",
    }
}

impl From<LiveProvider> for MediaChannel {
    fn from(provider: LiveProvider) -> Self {
        match provider {
            LiveProvider::Polyv => Self::Polyv,
            LiveProvider::Baijiayun => Self::Baijiayun,
        }
    }
}

enumeration! {
    /// 直播场景
    pub enum LiveScene = "liveScene" {
        Lecture = "lecture" "大班直播",
        SmallClass = "small_class" "小班互动",
    }
}

enumeration! {
    /// 频道状态
    pub enum LiveState = "liveState" {
        Idle = "idle" "空闲",
        Living = "living" "直播中",
        Ended = "ended" "已结束",
    }
}

/// `{id, version}` of 关闭直播; the version is checked when it is sent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ChannelClosing {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: Option<i32>,
}

impl Example for ChannelClosing {
    fn example() -> Self {
        Self { id: 1, version: None }
    }
}

pub struct LiveChannels;

#[OpenApi(prefix_path = "/course/pc/live/channel", tag = "crate::Tag::Live")]
impl LiveChannels {
    /// 直播频道列表
    #[oai(path = "/list", method = "post", operation_id = "listLiveChannels")]
    async fn list(
        &self,
        caller: Allowed<ListLiveChannels>,
        Body(asked): Body<Paged<LiveChannelFilter>>,
    ) -> Result<Reply<Page<LiveChannel>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, now, &filter).await?;
        let list = select(&mut tx, now, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看直播频道
    /// 附该频道各课时的回放
    #[oai(path = "/view", method = "get", operation_id = "viewLiveChannel")]
    async fn view(
        &self,
        caller: Allowed<ViewLiveChannel>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<LiveChannelView>> {
        let mut tx = caller.read().await?;
        let channel = find(&mut tx, caller.app().clock().now(), id.0).await?;
        let replays = replays(&mut tx, id.0).await?;
        Ok(reply(LiveChannelView { channel, replays }))
    }

    /// 新增直播频道
    #[oai(path = "/save", method = "post", operation_id = "saveLiveChannel")]
    async fn save(&self, caller: Allowed<SaveLiveChannel>, Body(form): Body<LiveChannelForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑直播频道
    #[oai(path = "/edit", method = "put", operation_id = "editLiveChannel")]
    async fn edit(
        &self,
        caller: Allowed<EditLiveChannel>,
        Body(edit): Body<Edit<LiveChannelForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, caller.app().clock().now(), edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除直播频道
    #[oai(path = "/delete", method = "delete", operation_id = "deleteLiveChannel")]
    async fn delete(
        &self,
        caller: Allowed<DeleteLiveChannel>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, caller.app().clock().now(), id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除直播频道
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteLiveChannels")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteLiveChannels>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let now = caller.app().clock().now();
        let mut bulk = Bulk::named(caller.begin().await?, "live_channel", "channel_name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, now, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用直播频道
    #[oai(path = "/update/status", method = "put", operation_id = "changeLiveChannelStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeLiveChannelStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("live_channel", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 关闭直播
    /// 频道不再用于新的课时
    #[oai(path = "/close", method = "put", operation_id = "closeLiveChannel")]
    async fn close(
        &self,
        caller: Allowed<CloseLiveChannel>,
        Body(wanted): Body<ChannelClosing>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = close(&mut tx, caller.app().clock().now(), &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 同步直播频道
    /// 按服务商后台更新频道名称和最多观看人数，并告知是否正在直播
    #[oai(path = "/sync", method = "put", operation_id = "syncLiveChannel")]
    async fn sync(
        &self,
        caller: Allowed<SyncLiveChannel>,
        Body(wanted): Body<ChannelSync>,
    ) -> Result<Reply<ChannelSynced>> {
        let now = caller.app().clock().now();
        let channel = find(&mut *caller.read().await?, now, wanted.id).await?;
        sync::may_be(&channel)?;
        // The provider is asked while no transaction waits for it.
        let told = told_channel(caller.app(), channel.provider.into(), &channel.channel_no).await?;
        let mut tx = caller.begin().await?;
        let (synced, change) = sync::take_over(&mut tx, now, &channel, told).await?;
        tx.commit(change).await?;
        Ok(reply(synced))
    }

    /// 导出直播频道
    #[oai(path = "/export", method = "post", operation_id = "exportLiveChannels")]
    async fn export(
        &self,
        caller: Allowed<ExportLiveChannels>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<LiveChannelFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
