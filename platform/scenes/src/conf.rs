//! 消息模板: the words of a scene in one channel (05 D3). What it may contain is decided in [`crate::template`].

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Change, Edit, EnabledChange, Entity, Error, OnConstraint, Page, Paged, Paging, Part, Reply, Result,
    Saved, clock::Moment, permissions, reply, transfer::Rows,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::{PgConnection, types::Json};

use crate::{
    enums::Channel,
    html, scene,
    template::{self, Variable},
};

permissions! {
    pages "/user/psd/list/conf/list";
    InPlatform Reads  ListTemplates        = "user:pc:psd:list:conf:list" "消息模板列表";
    InPlatform Reads  ViewTemplate         = "user:pc:psd:list:conf:view" "查看消息模板";
    InPlatform Writes SaveTemplate         = "user:pc:psd:list:conf:save" "新增消息模板";
    InPlatform Writes EditTemplate         = "user:pc:psd:list:conf:edit" "编辑消息模板";
    InPlatform Writes DeleteTemplate       = "user:pc:psd:list:conf:delete" "删除消息模板";
    InPlatform Writes ChangeTemplateStatus = "user:pc:psd:list:conf:update:status" "启用停用消息模板";
    InPlatform Writes TestTemplate         = "user:pc:psd:list:conf:test" "测试发送消息模板";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "psd_conf", name: "消息模板", counted: "个消息模板" }],
    ..Part::NONE
};

/// A template, with how it reads when the samples of its scene fill it.
#[derive(Debug, Clone, Object)]
#[oai(rename = "MessageTemplate", rename_all = "camelCase")]
pub struct Template {
    /// 编号
    pub id: i64,
    /// 场景
    pub scene_id: i64,
    /// 场景编码
    pub scene_code: String,
    /// 场景名称
    pub scene_name: String,
    /// 渠道
    pub channel: Channel,
    /// 标题
    pub title: String,
    /// 内容
    pub content: String,
    /// 服务商模板号
    pub provider_template_code: Option<String>,
    /// 标题预览
    pub preview_title: String,
    /// 内容预览
    pub preview_content: String,
    /// 短信条数
    pub segments: i32,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct TemplateFilter {
    /// 场景
    #[oai(validator(max_length = 50))]
    pub scene: Option<String>,
    /// 渠道
    pub channel: Option<Channel>,
    /// 标题
    #[oai(validator(max_length = 100))]
    pub title: Option<String>,
    /// 启用
    pub enabled: Option<bool>,
}

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TemplateForm {
    /// 场景
    pub scene_id: i64,
    /// 渠道
    pub channel: Channel,
    /// 标题
    #[oai(validator(max_length = 100))]
    pub title: String,
    /// 内容
    /// 变量写成{{变量名}}；公众号填写JSON，例如{"thing1":"{{course}}"}
    #[oai(validator(max_length = 20000))]
    pub content: String,
    /// 服务商模板号
    /// 短信和公众号必填；腾讯云短信填“应用编号/模板编号”
    #[oai(validator(max_length = 100))]
    pub provider_template_code: Option<String>,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for TemplateForm {
    fn example() -> Self {
        Self {
            scene_id: 1,
            channel: Channel::InApp,
            title: "成绩发布".to_owned(),
            content: "<p>《{{course}}》的成绩已发布：{{score}}。</p>".to_owned(),
            provider_template_code: None,
            enabled: true,
        }
    }
}

impl TemplateForm {
    /// The content as it is kept; refused when it may not be.
    fn checked(&self, variables: &[Variable]) -> Result<String> {
        let content = match self.channel {
            Channel::InApp | Channel::Mail => html::cleaned(&self.content),
            _ => self.content.clone(),
        };
        template::check(self.channel, &self.title, &content, variables)?;
        if self.channel.has_provider_template() && self.provider_template_code.is_none() {
            return Err(Error::field("providerTemplateCode", "短信和公众号模板必须填写服务商模板号"));
        }
        Ok(content)
    }
}

pub struct Templates;

#[OpenApi(prefix_path = "/user/pc/psd/list/conf", tag = "crate::Tag::Scenes")]
impl Templates {
    /// 消息模板列表
    #[oai(path = "/list", method = "post", operation_id = "listTemplates")]
    async fn list(
        &self,
        caller: Allowed<ListTemplates>,
        Body(asked): Body<Paged<TemplateFilter>>,
    ) -> Result<Reply<Page<Template>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from platform.psd_conf c join platform.psd_info s on s.id = c.scene_id
               where ($1::text is null or strpos(s.scene_name, $1) > 0 or strpos(s.scene_code, lower($1)) > 0)
                 and ($2::text is null or c.channel = $2) and ($3::text is null or strpos(c.title, $3) > 0)
                 and ($4::boolean is null or c.enabled = $4)"#,
            filter.scene,
            filter.channel.map(Channel::as_str),
            filter.title,
            filter.enabled
        )
        .fetch_one(&mut *tx)
        .await?;
        let rows: Vec<Row> = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        let list = rows.into_iter().map(Row::shown).collect::<Result<_>>()?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看消息模板
    #[oai(path = "/view", method = "get", operation_id = "viewTemplate")]
    async fn view(
        &self,
        caller: Allowed<ViewTemplate>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Template>> {
        Ok(reply(find(&mut *caller.read().await?, id.0).await?))
    }

    /// 新增消息模板
    #[oai(path = "/save", method = "post", operation_id = "saveTemplate")]
    async fn save(&self, caller: Allowed<SaveTemplate>, Body(form): Body<TemplateForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let content = form.checked(&variables(&mut tx, form.scene_id).await?)?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.psd_conf (scene_id, channel, title, content, provider_template_code, enabled, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
            form.scene_id,
            form.channel.as_str(),
            form.title,
            content,
            form.provider_template_code,
            form.enabled,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        tx.commit(Change::created("psd_conf", id, &form)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑消息模板
    #[oai(path = "/edit", method = "put", operation_id = "editTemplate")]
    async fn edit(&self, caller: Allowed<EditTemplate>, Body(edit): Body<Edit<TemplateForm>>) -> Result<Reply<Saved>> {
        let form = edit.form;
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, edit.id).await?;
        let content = form.checked(&variables(&mut tx, form.scene_id).await?)?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.psd_conf set scene_id = $3, channel = $4, title = $5, content = $6, provider_template_code = $7,
                    enabled = $8, updated_at = now(), updated_by = $9, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.scene_id,
            form.channel.as_str(),
            form.title,
            content,
            form.provider_template_code,
            form.enabled,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("psd_conf", edit.id).await);
        }
        let after = find(&mut tx, edit.id).await?;
        tx.commit(Change::edited("psd_conf", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除消息模板
    #[oai(path = "/delete", method = "delete", operation_id = "deleteTemplate")]
    async fn delete(
        &self,
        caller: Allowed<DeleteTemplate>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, id.0).await?;
        tx.remove("psd_conf", id.0, &before.title).await?;
        tx.commit(Change::deleted("psd_conf", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用消息模板
    #[oai(path = "/update/status", method = "put", operation_id = "changeTemplateStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeTemplateStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("psd_conf", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

fn explain_constraint(constraint: &str) -> Option<Error> {
    (constraint == "psd_conf_channel_taken").then(|| Error::field("channel", "该场景在此渠道已有模板，请直接编辑"))
}

async fn variables(connection: &mut PgConnection, scene_id: i64) -> Result<Vec<Variable>> {
    match scene::find(connection, scene_id).await {
        Ok(found) => Ok(found.variables),
        Err(error) if error.code == 404 => Err(Error::field("sceneId", "场景不存在，请重新选择")),
        Err(error) => Err(error),
    }
}

struct Row {
    id: i64,
    scene_id: i64,
    scene_code: String,
    scene_name: String,
    variables: Json<Vec<Variable>>,
    channel: Channel,
    title: String,
    content: String,
    provider_template_code: Option<String>,
    enabled: bool,
    created_at: Moment,
    version: i32,
}

impl Row {
    fn shown(self) -> Result<Template> {
        let samples = template::samples(&self.variables.0);
        let preview = template::rendered(self.channel, &self.title, &self.content, &samples)?;
        Ok(Template {
            id: self.id,
            scene_id: self.scene_id,
            scene_code: self.scene_code,
            scene_name: self.scene_name,
            channel: self.channel,
            title: self.title,
            content: self.content,
            provider_template_code: self.provider_template_code,
            preview_title: preview.title,
            preview_content: preview.content,
            segments: preview.segments,
            enabled: self.enabled,
            created_at: self.created_at,
            version: self.version,
        })
    }
}

fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &TemplateFilter,
    page: Option<Paging>,
) -> Rows<'c, Row> {
    sqlx::query_as!(
        Row,
        r#"select c.id, c.scene_id, s.scene_code, s.scene_name, s.variables as "variables: _", c.channel as "channel: _", c.title,
                  c.content, c.provider_template_code, c.enabled, c.created_at, c.version
           from platform.psd_conf c join platform.psd_info s on s.id = c.scene_id
           where ($1::bigint is null or c.id = $1)
             and ($2::text is null or strpos(s.scene_name, $2) > 0 or strpos(s.scene_code, lower($2)) > 0)
             and ($3::text is null or c.channel = $3)
             and ($4::text is null or strpos(c.title, $4) > 0)
             and ($5::boolean is null or c.enabled = $5)
           order by c.scene_id, c.id limit $6 offset $7"#,
        only,
        filter.scene,
        filter.channel.map(Channel::as_str),
        filter.title,
        filter.enabled,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection)
}

/// A template by its number.
///
/// # Errors
/// 404 when there is none.
pub async fn find(connection: &mut PgConnection, id: i64) -> Result<Template> {
    let found = select(connection, Some(id), &TemplateFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)?.shown()
}
