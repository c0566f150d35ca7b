//! App消息: the messages that go to the app as a push, with where a tap leads (01 §7.4). They are rows of `msg` like all
//! others and take the same steps; this is their screen, with codes of its own.

use infra::{
    Allowed, Body, Edit, Error, Page, Paged, Reply, Result, Saved, access::Permission, clock::Moment, permissions,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use scenes::enums::Channel;

use super::{Message, MessageFilter, find, form, form::MessageForm, page, steps};
use crate::enums::{JumpType, MsgAudience, MsgStatus, MsgType, SendMode};

permissions! {
    pages "/user/msg/app/list";
    InPlatform Reads  ListAppMessages  = "user:pc:msg:app:list" "App消息列表";
    InPlatform Reads  ViewAppMessage   = "user:pc:msg:app:view" "查看App消息";
    InPlatform Writes SaveAppMessage   = "user:pc:msg:app:save" "新增App消息";
    InPlatform Writes EditAppMessage   = "user:pc:msg:app:edit" "编辑App消息";
    InPlatform Writes DeleteAppMessage = "user:pc:msg:app:delete" "删除App消息";
    InPlatform Writes SendAppMessage   = "user:pc:msg:app:send" "发送App消息";
    InPlatform Writes CancelAppMessage = "user:pc:msg:app:cancel" "取消App消息定时发送";
    InPlatform Writes RecallAppMessage = "user:pc:msg:app:recall" "撤回App消息";
}

/// What the list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct AppMessageFilter {
    /// 标题
    #[oai(validator(max_length = 100))]
    pub title: Option<String>,
    /// 类型
    pub msg_type: Option<MsgType>,
    /// 状态
    pub status: Option<MsgStatus>,
    /// 院校
    pub school_id: Option<i64>,
}

impl From<AppMessageFilter> for MessageFilter {
    fn from(filter: AppMessageFilter) -> Self {
        Self {
            title: filter.title,
            msg_type: filter.msg_type,
            status: filter.status,
            school_id: filter.school_id,
            channel: Some(Channel::AppPush),
            ..Self::default()
        }
    }
}

/// What a person types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AppMessageForm {
    /// 标题
    #[oai(validator(max_length = 100))]
    pub title: String,
    /// 内容
    #[oai(validator(max_length = 2000))]
    pub content: String,
    /// 类型
    pub msg_type: MsgType,
    /// 院校
    #[oai(validator(min_items = 1, max_items = 200))]
    pub school_ids: Vec<i64>,
    /// 跳转类型
    pub jump_type: JumpType,
    /// 跳转目标
    #[oai(validator(max_length = 300))]
    pub jump_target: Option<String>,
    /// 发送方式
    pub send_mode: SendMode,
    /// 发送时间
    pub send_at: Option<Moment>,
    /// 备注
    #[oai(validator(max_length = 255))]
    pub remark: Option<String>,
}

impl Example for AppMessageForm {
    fn example() -> Self {
        Self {
            title: "期末考试安排已发布".to_owned(),
            content: "<p>请查看考试时间和地点。</p>".to_owned(),
            msg_type: MsgType::Exam,
            school_ids: vec![1],
            jump_type: JumpType::None,
            jump_target: None,
            send_mode: SendMode::Now,
            send_at: None,
            remark: None,
        }
    }
}

impl AppMessageForm {
    /// As the message that it becomes; one that goes by more channels keeps them.
    fn by(self, channels: Vec<Channel>) -> MessageForm {
        MessageForm {
            title: self.title,
            content: self.content,
            msg_type: self.msg_type,
            channels,
            audience: MsgAudience::AllStudents,
            audience_filter: None,
            list_id: None,
            school_ids: self.school_ids,
            jump_type: self.jump_type,
            jump_target: self.jump_target,
            send_mode: self.send_mode,
            send_at: self.send_at,
            top_until: None,
            remark: self.remark,
        }
    }
}

pub struct AppMessages;

#[OpenApi(prefix_path = "/user/pc/msg/app", tag = "crate::Tag::Messages")]
impl AppMessages {
    /// App消息列表
    #[oai(path = "/list", method = "post", operation_id = "listAppMessages")]
    async fn list(
        &self,
        caller: Allowed<ListAppMessages>,
        Body(asked): Body<Paged<AppMessageFilter>>,
    ) -> Result<Reply<Page<Message>>> {
        page(&caller, asked.paging()?, &asked.filter.into()).await
    }

    /// 查看App消息
    #[oai(path = "/view", method = "get", operation_id = "viewAppMessage")]
    async fn view(
        &self,
        caller: Allowed<ViewAppMessage>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Message>> {
        Ok(infra::reply(pushed(&caller, id.0).await?))
    }

    /// 新增App消息
    #[oai(path = "/save", method = "post", operation_id = "saveAppMessage")]
    async fn save(&self, caller: Allowed<SaveAppMessage>, Body(new): Body<AppMessageForm>) -> Result<Reply<Saved>> {
        form::save(&caller, new.by(vec![Channel::AppPush])).await
    }

    /// 编辑App消息
    /// 待发送的消息编辑后回到草稿，需要重新发送
    #[oai(path = "/edit", method = "put", operation_id = "editAppMessage")]
    async fn edit(
        &self,
        caller: Allowed<EditAppMessage>,
        Body(edit): Body<Edit<AppMessageForm>>,
    ) -> Result<Reply<Saved>> {
        let before = pushed(&caller, edit.id).await?;
        form::edit(&caller, edit.id, edit.version, edit.form.by(before.channels)).await
    }

    /// 删除App消息
    #[oai(path = "/delete", method = "delete", operation_id = "deleteAppMessage")]
    async fn delete(
        &self,
        caller: Allowed<DeleteAppMessage>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        pushed(&caller, id.0).await?;
        form::delete(&caller, id.0).await
    }

    /// 发送App消息
    /// 立即发送的开始发送，定时发送的等待到发送时间
    #[oai(path = "/send", method = "post", operation_id = "sendAppMessage")]
    async fn send(
        &self,
        caller: Allowed<SendAppMessage>,
        /// 编号
        id: Query<i64>,
        /// 包含敏感词时仍然发送
        force: Query<Option<bool>>,
    ) -> Result<Reply<Saved>> {
        pushed(&caller, id.0).await?;
        steps::send(&caller, id.0, force.0 == Some(true)).await
    }

    /// 取消App消息定时发送
    #[oai(path = "/cancel", method = "put", operation_id = "cancelAppMessage")]
    async fn cancel(
        &self,
        caller: Allowed<CancelAppMessage>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        pushed(&caller, id.0).await?;
        steps::cancel(&caller, id.0).await
    }

    /// 撤回App消息
    /// 尚未发出的取消，已经推送的不能撤回
    #[oai(path = "/recall", method = "put", operation_id = "recallAppMessage")]
    async fn recall(
        &self,
        caller: Allowed<RecallAppMessage>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        pushed(&caller, id.0).await?;
        steps::recall_everywhere(&caller, id.0).await
    }
}

/// The message, if it goes to the app.
async fn pushed<P: Permission>(caller: &Allowed<P>, id: i64) -> Result<Message> {
    let message = find(&mut *caller.read().await?, id).await?;
    if message.channels.contains(&Channel::AppPush) { Ok(message) } else { Err(Error::not_found()) }
}
