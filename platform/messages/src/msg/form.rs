//! 新增、编辑、删除消息, and how many persons a choice means.

use channels::channel::{Way, way};
use infra::{
    Allowed, App, Body, Change, Edit, Error, OnConstraint, Reply, Result, Saved,
    access::{MayWrite, Permission},
    clock::Moment,
    reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use scenes::{
    enums::{Channel, words_of},
    html,
};
use serde_json::json;

use super::{DeleteMessage, EditMessage, Message, PreviewAudience, SaveMessage, find};
use crate::{
    audience::{self, AudienceFilter, Chosen, SamplePerson},
    enums::{JumpType, MsgAudience, MsgStatus, MsgType, SendMode},
};

/// More schools are not asked one by one.
const MOST_SCHOOLS: usize = 200;

/// What a person types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct MessageForm {
    /// 标题
    #[oai(validator(max_length = 100))]
    pub title: String,
    /// 内容
    #[oai(validator(max_length = 20000))]
    pub content: String,
    /// 类型
    pub msg_type: MsgType,
    /// 渠道
    #[oai(validator(min_items = 1, max_items = 5))]
    pub channels: Vec<Channel>,
    /// 接收范围
    pub audience: MsgAudience,
    /// 接收条件
    pub audience_filter: Option<AudienceFilter>,
    /// 接收名单
    pub list_id: Option<i64>,
    /// 院校
    #[oai(default, validator(max_items = 200))]
    pub school_ids: Vec<i64>,
    /// 跳转类型
    #[oai(default = "no_jump")]
    pub jump_type: JumpType,
    /// 跳转目标
    #[oai(validator(max_length = 300))]
    pub jump_target: Option<String>,
    /// 发送方式
    #[oai(default = "at_once")]
    pub send_mode: SendMode,
    /// 发送时间
    pub send_at: Option<Moment>,
    /// 置顶至
    pub top_until: Option<Moment>,
    /// 备注
    #[oai(validator(max_length = 255))]
    pub remark: Option<String>,
}

fn no_jump() -> JumpType {
    JumpType::None
}

fn at_once() -> SendMode {
    SendMode::Now
}

impl Example for MessageForm {
    fn example() -> Self {
        Self {
            title: "2026年春季学期缴费通知".to_owned(),
            content: "<p>请于3月15日前完成缴费。</p>".to_owned(),
            msg_type: MsgType::System,
            channels: vec![Channel::InApp],
            audience: MsgAudience::AllStudents,
            audience_filter: None,
            list_id: None,
            school_ids: Vec::new(),
            jump_type: JumpType::None,
            jump_target: None,
            send_mode: SendMode::Now,
            send_at: None,
            top_until: None,
            remark: None,
        }
    }
}

/// Whom a message would reach.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AudienceChoice {
    /// 接收范围
    pub audience: MsgAudience,
    /// 接收条件
    pub audience_filter: Option<AudienceFilter>,
    /// 接收名单
    pub list_id: Option<i64>,
    /// 院校
    #[oai(default, validator(max_items = 200))]
    pub school_ids: Vec<i64>,
}

impl Example for AudienceChoice {
    fn example() -> Self {
        Self { audience: MsgAudience::AllStudents, audience_filter: None, list_id: None, school_ids: Vec::new() }
    }
}

/// How many, and a few of them.
#[derive(Debug, Clone, Object)]
pub struct AudiencePreview {
    /// 人数
    pub count: i64,
    /// 示例
    /// 最多五人；平台预览不含个人信息
    pub sample: Vec<SamplePerson>,
}

impl MessageForm {
    /// What only this form knows to be wrong; the caller's area decides who may be chosen.
    async fn check(&self, app: &App, inside: Option<i64>) -> Result<()> {
        let now = app.clock().now();
        choice_fits(app, self.audience, self.list_id, &self.school_ids, inside.is_some()).await?;
        let schools = inside.as_ref().map_or(self.school_ids.as_slice(), std::slice::from_ref);
        channels_work(app, &self.channels, schools).await?;
        match (self.jump_type, self.jump_target.as_deref()) {
            (JumpType::None, _) => {}
            (JumpType::Url, Some(url)) if infra::link::is_web(url) => {}
            (JumpType::Url, _) => {
                return Err(Error::field("jumpTarget", "跳转目标应为以 http:// 或 https:// 开头的网址"));
            }
            (_, Some(_)) => {}
            (_, None) => return Err(Error::field("jumpTarget", "跳转目标不能为空")),
        }
        match (self.send_mode, self.send_at) {
            (SendMode::Timed, None) => Err(Error::field("sendAt", "定时发送必须填写发送时间")),
            (SendMode::Timed, Some(at)) if at <= now => Err(Error::field("sendAt", "发送时间必须晚于当前时间")),
            _ => Ok(()),
        }
    }

    fn content(&self) -> Result<String> {
        let content = html::cleaned(&self.content);
        if html::text_of(&content).is_empty() {
            return Err(Error::field("content", "内容不能为空"));
        }
        Ok(content)
    }

    fn filter(&self) -> AudienceFilter {
        self.audience_filter.clone().unwrap_or_default()
    }
}

/// Whether an audience can be chosen here: a school's people inside it, whole schools by operators.
async fn choice_fits(
    app: &App,
    audience: MsgAudience,
    list_id: Option<i64>,
    schools: &[i64],
    inside: bool,
) -> Result<()> {
    if audience == MsgAudience::Scene {
        return Err(Error::field("audience", "场景消息由系统自动发送，不能手动新增"));
    }
    if inside {
        if !schools.is_empty() {
            return Err(Error::malformed());
        }
        if audience == MsgAudience::List && list_id.is_none() {
            return Err(Error::field("listId", "请先导入接收名单"));
        }
        return Ok(());
    }
    if !audience.is_of_whole_schools() {
        return Err(Error::field(
            "audience",
            "平台只能向所选院校的全部学生、教师、站点人员或班主任发送，按条件发送请进入院校",
        ));
    }
    if schools.is_empty() || schools.len() > MOST_SCHOOLS {
        return Err(Error::field("schoolIds", "请选择院校"));
    }
    for id in schools {
        if app.school(*id).await?.is_none() {
            return Err(Error::field("schoolIds", "院校不存在，请重新选择"));
        }
    }
    Ok(())
}

/// Whether what a person writes can leave by these channels. Providers of short messages and WeChat send only texts that
/// they approved before, and those belong to scenes; a channel that reaches nobody is not chosen.
async fn channels_work(app: &App, channels: &[Channel], schools: &[i64]) -> Result<()> {
    for channel in channels.iter().copied().filter(|channel| channel.has_provider_template()) {
        for id in schools {
            let Some(school) = app.school(*id).await? else { continue };
            if let Way::Provider(_) = way(app, channel, Some(*id), school.demo).await? {
                let told = format!("{}服务商只发送审核过的模板，手写消息不能使用{}", channel.zh(), channel.zh());
                return Err(Error::field("channels", told));
            }
        }
    }
    Ok(())
}

fn unknown_list(constraint: &str) -> Option<Error> {
    (constraint == "msg_of_list").then(|| Error::field("listId", "接收名单不存在，请重新导入"))
}

pub struct Forms;

#[OpenApi(prefix_path = "/user/pc/msg", tag = "crate::Tag::Messages")]
impl Forms {
    /// 新增消息
    #[oai(path = "/save", method = "post", operation_id = "saveMessage")]
    async fn save(&self, caller: Allowed<SaveMessage>, Body(form): Body<MessageForm>) -> Result<Reply<Saved>> {
        save(&caller, form).await
    }

    /// 编辑消息
    /// 待发送的消息编辑后回到草稿，需要重新发送
    #[oai(path = "/edit", method = "put", operation_id = "editMessage")]
    async fn edit(&self, caller: Allowed<EditMessage>, Body(edit): Body<Edit<MessageForm>>) -> Result<Reply<Saved>> {
        self::edit(&caller, edit.id, edit.version, edit.form).await
    }

    /// 删除消息
    #[oai(path = "/delete", method = "delete", operation_id = "deleteMessage")]
    async fn delete(
        &self,
        caller: Allowed<DeleteMessage>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        delete(&caller, id.0).await
    }

    /// 预览接收人数
    #[oai(path = "/preview", method = "post", operation_id = "previewAudience")]
    async fn preview(
        &self,
        caller: Allowed<PreviewAudience>,
        Body(choice): Body<AudienceChoice>,
    ) -> Result<Reply<AudiencePreview>> {
        let app = caller.app();
        let inside = caller.session.school_id.is_some();
        choice_fits(app, choice.audience, choice.list_id, &choice.school_ids, inside).await?;
        let filter = choice.audience_filter.unwrap_or_default();
        if inside {
            let mut tx = caller.read().await?;
            let listed = audience::listed(&mut tx, choice.list_id).await?;
            let chosen = Chosen::of(choice.audience, filter, listed, caller.scope());
            let count = audience::count(&mut tx, &chosen).await?;
            return Ok(reply(AudiencePreview { count, sample: audience::sample(&mut tx, &chosen).await? }));
        }
        let chosen = Chosen::of(choice.audience, filter, None, infra::Scope::whole_school());
        let mut count = 0;
        for id in choice.school_ids {
            // A school that is closed for now gets nothing, and adds nothing.
            if let Some(school) = app.school(id).await?.filter(|school| school.is_open() && school.key().is_ok()) {
                count += audience::count(&mut *caller.look_into(&school).await?, &chosen).await?;
            }
        }
        Ok(reply(AudiencePreview { count, sample: Vec::new() }))
    }
}

/// Keeps a draft.
///
/// # Errors
/// 422 at the field that does not fit the caller's area.
pub(super) async fn save<P: Permission>(caller: &Allowed<P>, form: MessageForm) -> Result<Reply<Saved>>
where
    P::Mode: MayWrite,
{
    form.check(caller.app(), caller.session.school_id).await?;
    let content = form.content()?;
    let mut tx = caller.begin().await?;
    let (by, name) = (tx.by(), tx.actor().name.clone());
    let id = sqlx::query_scalar!(
        "insert into msg (title, content, msg_type, channels, audience, audience_filter, list_id, school_ids, jump_type, jump_target,
             send_mode, send_at, top_until, remark, creator_name, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16) returning id",
        form.title,
        content,
        form.msg_type.as_str(),
        &words_of(&form.channels),
        form.audience.as_str(),
        json!(form.filter()),
        form.list_id.filter(|_| form.audience == MsgAudience::List),
        &form.school_ids,
        form.jump_type.as_str(),
        form.jump_target,
        form.send_mode.as_str(),
        form.send_at.filter(|_| form.send_mode == SendMode::Timed),
        form.top_until,
        form.remark,
        name,
        by
    )
    .fetch_one(&mut *tx)
    .await
    .on_constraint(unknown_list)?;
    tx.commit(Change::created("msg", id, &form)).await?;
    Ok(reply(Saved { id }))
}

/// Keeps a draft's or a timed message's new form.
///
/// # Errors
/// 409 when it was sent, or changed since it was read.
pub(super) async fn edit<P: Permission>(
    caller: &Allowed<P>,
    id: i64,
    version: i32,
    form: MessageForm,
) -> Result<Reply<Saved>>
where
    P::Mode: MayWrite,
{
    let mut tx = caller.begin().await?;
    let before = find(&mut tx, id).await?;
    before.may_be_edited()?;
    form.check(caller.app(), caller.session.school_id).await?;
    let content = form.content()?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update msg set title = $3, content = $4, msg_type = $5, channels = $6, audience = $7, audience_filter = $8, list_id = $9,
                school_ids = $10, jump_type = $11, jump_target = $12, send_mode = $13, send_at = $14, top_until = $15, remark = $16,
                status = 'draft', updated_at = now(), updated_by = $17, version = version + 1
         where id = $1 and version = $2 and status in ('draft', 'scheduled')",
        id,
        version,
        form.title,
        content,
        form.msg_type.as_str(),
        &words_of(&form.channels),
        form.audience.as_str(),
        json!(form.filter()),
        form.list_id.filter(|_| form.audience == MsgAudience::List),
        &form.school_ids,
        form.jump_type.as_str(),
        form.jump_target,
        form.send_mode.as_str(),
        form.send_at.filter(|_| form.send_mode == SendMode::Timed),
        form.top_until,
        form.remark,
        by
    )
    .execute(&mut *tx)
    .await
    .on_constraint(unknown_list)?;
    if changed.rows_affected() == 0 {
        find(&mut tx, id).await?.may_be_edited()?;
        return Err(tx.stale("msg", id).await);
    }
    let after = find(&mut tx, id).await?;
    tx.commit(Change::edited("msg", id, &before, &after)).await?;
    Ok(reply(Saved { id }))
}

/// Deletes what was never sent, was recalled or failed.
///
/// # Errors
/// 409 in any other state.
pub(super) async fn delete<P: Permission>(caller: &Allowed<P>, id: i64) -> Result<Reply<Saved>>
where
    P::Mode: MayWrite,
{
    let mut tx = caller.begin().await?;
    let before = find(&mut tx, id).await?;
    let gone = sqlx::query!("delete from msg where id = $1 and status in ('draft', 'recalled', 'failed')", id)
        .execute(&mut *tx)
        .await?;
    if gone.rows_affected() == 0 {
        return Err(Error::conflict(format!("消息{}，只能删除草稿、已撤回或发送失败的消息", before.status.zh())));
    }
    tx.commit(Change::deleted("msg", id, &before)).await?;
    Ok(reply(Saved { id }))
}

impl Message {
    fn may_be_edited(&self) -> Result<()> {
        match self.status {
            MsgStatus::Draft | MsgStatus::Scheduled => Ok(()),
            _ => Err(Error::conflict("消息已发送，不能修改")),
        }
    }
}
