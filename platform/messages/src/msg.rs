//! 消息: what a person writes to many (01 §7). Inside a school it goes to the school's students, within the writer's data
//! scope; operators send to the students of chosen schools.
//!
//! ```text
//! draft ─send→ sending ─→ sent │ failed        send of a timed one: draft → scheduled ─due→ sending
//! scheduled ─cancel→ draft;  sending, sent ─recall→ recalled;  edit: draft, scheduled;  delete: draft, recalled, failed
//! ```

pub mod app;
pub mod failures;
pub(crate) mod figures;
mod form;
pub mod inbox;
mod list_import;
pub mod own;
pub mod persons;
pub mod readers;
pub mod steps;

use chrono::NaiveDate;
use infra::{
    Allowed, Body, Entity, Error, Page, Paged, Paging, Part, Reply, Result, Scope, Window,
    access::{Caller, Permission},
    clock::{Moment, day_began, day_ended},
    permissions, reply,
    transfer::export_job,
};
use poem_openapi::{Object, OpenApi, param::Query};
use scenes::enums::{Channel, channels};
use serde_json::Value;
use sqlx::PgConnection;

use crate::{
    audience::{AudienceFilter, filter_of},
    enums::{JumpType, MsgAudience, MsgStatus, MsgType, SendMode},
};

pub use figures::Statistics;
pub use form::Forms;
pub use list_import::ListImport;
pub use steps::Steps;

permissions! {
    pages "/user/msg/list", "/user/msg/add", "/user/msg/edit";
    AtHome Reads  ListMessages    = "user:pc:msg:list" "消息列表";
    AtHome Reads  ViewMessage     = "user:pc:msg:view" "查看消息";
    AtHome Writes SaveMessage     = "user:pc:msg:save" "新增消息";
    AtHome Writes EditMessage     = "user:pc:msg:edit" "编辑消息";
    AtHome Writes DeleteMessage   = "user:pc:msg:delete" "删除消息";
    AtHome Writes SendMessage     = "user:pc:msg:send" "发送消息";
    AtHome Writes CancelMessage   = "user:pc:msg:cancel" "取消定时发送";
    AtHome Writes RecallMessage   = "user:pc:msg:recall" "撤回消息";
    AtHome Reads  PreviewAudience = "user:pc:msg:preview" "预览接收人数";
    InSchool Writes ImportRecipients = "user:pc:msg:recipient:import" "导入接收人";
}

pub const PART: Part = Part {
    permissions: &[
        PERMISSIONS,
        steps::PERMISSIONS,
        figures::PERMISSIONS,
        readers::PERMISSIONS,
        failures::PERMISSIONS,
        app::PERMISSIONS,
        persons::PERMISSIONS,
    ],
    entities: &[
        Entity { table: "msg", name: "消息", counted: "条消息" },
        Entity { table: "msg_list", name: "接收名单", counted: "个接收名单" },
        Entity { table: "msg_delivery", name: "投递", counted: "条投递" },
    ],
    jobs: &[export_job::<readers::Readers>(), export_job::<failures::Failures>()],
    option_pages: &["/user/msg/add", "/user/msg/edit", "/user/msg/checkStatistics"],
    ..Part::NONE
};

/// A message.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Message {
    /// 编号
    pub id: i64,
    /// 标题
    pub title: String,
    /// 内容
    pub content: String,
    /// 类型
    pub msg_type: MsgType,
    /// 渠道
    pub channels: Vec<Channel>,
    /// 接收范围
    pub audience: MsgAudience,
    /// 接收条件
    pub audience_filter: AudienceFilter,
    /// 接收名单
    pub list_id: Option<i64>,
    /// 名单文件
    pub list_name: Option<String>,
    /// 院校
    pub school_ids: Vec<i64>,
    /// 跳转类型
    pub jump_type: JumpType,
    /// 跳转目标
    pub jump_target: Option<String>,
    /// 发送方式
    pub send_mode: SendMode,
    /// 发送时间
    pub send_at: Option<Moment>,
    /// 置顶至
    pub top_until: Option<Moment>,
    /// 状态
    pub status: MsgStatus,
    /// 失败说明
    pub fail_reason: Option<String>,
    /// 场景编码
    pub scene_code: Option<String>,
    /// 开始发送
    pub resolved_at: Option<Moment>,
    /// 接收人数
    pub person_count: i64,
    /// 投递总数
    pub total_count: i64,
    /// 成功
    pub sent_count: i64,
    /// 失败
    pub failed_count: i64,
    /// 已读
    pub read_count: i64,
    /// 创建人
    pub creator_name: String,
    /// 备注
    pub remark: Option<String>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct MessageFilter {
    /// 标题
    #[oai(validator(max_length = 100))]
    pub title: Option<String>,
    /// 类型
    pub msg_type: Option<MsgType>,
    /// 渠道
    pub channel: Option<Channel>,
    /// 状态
    pub status: Option<MsgStatus>,
    /// 场景消息
    pub automatic: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
    /// 院校
    pub school_id: Option<i64>,
}

pub struct Messages;

#[OpenApi(prefix_path = "/user/pc/msg", tag = "crate::Tag::Messages")]
impl Messages {
    /// 消息列表
    #[oai(path = "/list", method = "post", operation_id = "listMessages")]
    async fn list(
        &self,
        caller: Allowed<ListMessages>,
        Body(asked): Body<Paged<MessageFilter>>,
    ) -> Result<Reply<Page<Message>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        if caller.session.school_id.is_some() && filter.school_id.is_some() {
            return Err(Error::malformed());
        }
        page(&caller, paging, &filter).await
    }

    /// 查看消息
    #[oai(path = "/view", method = "get", operation_id = "viewMessage")]
    async fn view(
        &self,
        caller: Allowed<ViewMessage>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Message>> {
        let message = find(&mut *caller.read().await?, id.0).await?;
        Ok(reply(message.shown_to(&caller.scope())))
    }
}

/// What stands in the place of words about one person.
const OF_A_PERSON: &str = "按人员生成的消息，内容请在发送记录中查看";

impl Message {
    /// What an event said of a person is read by whoever sees everybody; others find it with the person.
    fn shown_to(mut self, scope: &Scope) -> Self {
        if self.scene_code.is_some() && !scope.is_whole() {
            OF_A_PERSON.clone_into(&mut self.content);
        }
        self
    }
}

async fn page<P: Permission>(
    caller: &Allowed<P>,
    paging: Paging,
    filter: &MessageFilter,
) -> Result<Reply<Page<Message>>> {
    let mut tx = caller.read().await?;
    let total = count(&mut tx, filter).await?;
    let list = match Window::of(paging, total) {
        Some(window) => {
            let of_page = keys(&mut tx, filter, window).await?;
            of_ids(&mut tx, &of_page).await?
        }
        None => Vec::new(),
    };
    let list = list.into_iter().map(|message| message.shown_to(&caller.scope())).collect();
    Ok(reply(paging.page(total, list)))
}

struct Row {
    id: i64,
    title: String,
    content: String,
    msg_type: MsgType,
    channels: Vec<String>,
    audience: MsgAudience,
    audience_filter: Value,
    list_id: Option<i64>,
    list_name: Option<String>,
    school_ids: Vec<i64>,
    jump_type: JumpType,
    jump_target: Option<String>,
    send_mode: SendMode,
    send_at: Option<Moment>,
    top_until: Option<Moment>,
    status: MsgStatus,
    fail_reason: Option<String>,
    scene_code: Option<String>,
    resolved_at: Option<Moment>,
    person_count: i64,
    total_count: i64,
    sent_count: i64,
    failed_count: i64,
    read_count: i64,
    creator_name: String,
    remark: Option<String>,
    created_at: Moment,
    version: i32,
}

impl Row {
    fn shown(self) -> Result<Message> {
        Ok(Message {
            id: self.id,
            title: self.title,
            content: self.content,
            msg_type: self.msg_type,
            channels: channels(&self.channels),
            audience: self.audience,
            audience_filter: filter_of(self.audience_filter)?,
            list_id: self.list_id,
            list_name: self.list_name,
            school_ids: self.school_ids,
            jump_type: self.jump_type,
            jump_target: self.jump_target,
            send_mode: self.send_mode,
            send_at: self.send_at,
            top_until: self.top_until,
            status: self.status,
            fail_reason: self.fail_reason,
            scene_code: self.scene_code,
            resolved_at: self.resolved_at,
            person_count: self.person_count,
            total_count: self.total_count,
            sent_count: self.sent_count,
            failed_count: self.failed_count,
            read_count: self.read_count,
            creator_name: self.creator_name,
            remark: self.remark,
            created_at: self.created_at,
            version: self.version,
        })
    }
}

/// A statement over `msg m` with the condition of a filter in its middle: the macro of sqlx, the row type, the text before,
/// the filter, the text behind (parameters from `$9`) and its parameters.
macro_rules! of_filter {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $filter:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " where ($1::text is null or strpos(m.title, $1) > 0)
                and ($2::text is null or m.msg_type = $2)
                and ($3::text is null or $3 = any(m.channels))
                and ($4::text is null or m.status = $4)
                and ($5::boolean is null or (m.scene_code is not null) = $5)
                and ($6::timestamptz is null or m.created_at >= $6)
                and ($7::timestamptz is null or m.created_at < $7)
                and ($8::bigint is null or $8 = any(m.school_ids)) " $($tail)*,
            $filter.title,
            $filter.msg_type.map(MsgType::as_str),
            $filter.channel.map(Channel::as_str),
            $filter.status.map(MsgStatus::as_str),
            $filter.automatic,
            $filter.created_from.map(day_began),
            $filter.created_to.map(day_ended),
            $filter.school_id
            $(, $extra)*
        )
    };
}

async fn count(connection: &mut PgConnection, filter: &MessageFilter) -> Result<i64> {
    let total = of_filter!(query_scalar [] [r#"select count(*) as "count!" from msg m"#] filter []);
    Ok(total.fetch_one(connection).await?)
}

/// The numbers of the page's rows: without a filter they come out of an index.
async fn keys(connection: &mut PgConnection, filter: &MessageFilter, window: Window) -> Result<Vec<i64>> {
    let keys = of_filter!(query_scalar []
        ["select m.id from msg m"]
        filter
        [+ " order by case when $9 then m.created_at end, case when $9 then m.id end, m.created_at desc, m.id desc
             limit $10 offset $11"],
        window.from_end,
        window.limit,
        window.offset);
    Ok(keys.fetch_all(connection).await?)
}

/// The messages of these numbers, the newest first.
async fn of_ids(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Message>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select m.id, m.title, m.content, m.msg_type as "msg_type: _", m.channels, m.audience as "audience: _", m.audience_filter,
                  m.list_id, l.file_name as "list_name?", m.school_ids, m.jump_type as "jump_type: _", m.jump_target,
                  m.send_mode as "send_mode: _", m.send_at, m.top_until, m.status as "status: _", m.fail_reason, m.scene_code,
                  m.resolved_at, m.person_count, m.total_count, m.sent_count, m.failed_count, m.read_count, m.creator_name, m.remark,
                  m.created_at, m.version
           from msg m left join msg_list l on l.id = m.list_id
           where m.id = any($1) order by m.created_at desc, m.id desc"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Row::shown).collect()
}

/// The message that a call means: of an operator who names a school, the school's part of the platform's one.
///
/// # Errors
/// 404 when the school has no part of it.
async fn meant(connection: &mut PgConnection, caller: &Caller, id: i64) -> Result<i64> {
    if caller.session.school_id.is_some() || caller.school_id().is_none() {
        return Ok(id);
    }
    sqlx::query_scalar!("select id from msg where origin_id = $1", id)
        .fetch_optional(connection)
        .await?
        .ok_or_else(Error::not_found)
}

pub(crate) async fn find(connection: &mut PgConnection, id: i64) -> Result<Message> {
    of_ids(connection, &[id]).await?.pop().ok_or_else(Error::not_found)
}
