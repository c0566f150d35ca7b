//! 消息场景: what happens in the business and may be told to people, with the variables that it gives (01 §7, 05 D2).
//! The built-in ones ship with the product and are only switched on and off.

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Change, Edit, EnabledChange, Entity, Error, OnConstraint, Page, Paged, Paging, Part, Reply, Result,
    Saved, Tx, clock::Moment, permissions, reply, transfer::Rows,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;
use sqlx::{PgConnection, types::Json};

use crate::{
    enums::{Channel, SceneAudience, channels, words_of},
    template::{self, Variable, is_sensitive},
};

permissions! {
    pages "/user/psd/info/list";
    InPlatform Reads  ListScenes        = "user:pc:psd:info:list" "消息场景列表";
    InPlatform Reads  ViewScene         = "user:pc:psd:info:view" "查看消息场景";
    InPlatform Writes SaveScene         = "user:pc:psd:info:save" "新增消息场景";
    InPlatform Writes EditScene         = "user:pc:psd:info:edit" "编辑消息场景";
    InPlatform Writes DeleteScene       = "user:pc:psd:info:delete" "删除消息场景";
    InPlatform Writes ChangeSceneStatus = "user:pc:psd:info:update:status" "启用停用消息场景";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "psd_info", name: "消息场景", counted: "个消息场景" }],
    ..Part::NONE
};

/// A scene.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Scene {
    /// 编号
    pub id: i64,
    /// 场景编码
    pub scene_code: String,
    /// 场景名称
    pub scene_name: String,
    /// 模块
    pub module: String,
    /// 变量
    pub variables: Vec<Variable>,
    /// 默认渠道
    pub default_channels: Vec<Channel>,
    /// 接收人
    pub audience_type: SceneAudience,
    /// 模板数
    pub template_count: i64,
    /// 内置
    pub built_in: bool,
    /// 备注
    pub remark: Option<String>,
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
pub struct SceneFilter {
    /// 编码或名称
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 模块
    #[oai(validator(max_length = 30))]
    pub module: Option<String>,
    /// 接收人
    pub audience_type: Option<SceneAudience>,
    /// 启用
    pub enabled: Option<bool>,
}

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SceneForm {
    /// 场景编码
    /// 小写字母、数字和下划线，以字母开头
    #[oai(validator(max_length = 50, pattern = "^[a-z][a-z0-9_]{1,49}$"))]
    pub scene_code: String,
    /// 场景名称
    #[oai(validator(max_length = 50))]
    pub scene_name: String,
    /// 模块
    #[oai(validator(max_length = 30))]
    pub module: String,
    /// 变量
    #[oai(default, validator(max_items = 30))]
    pub variables: Vec<Variable>,
    /// 默认渠道
    #[oai(validator(min_items = 1, max_items = 5))]
    pub default_channels: Vec<Channel>,
    /// 接收人
    pub audience_type: SceneAudience,
    /// 备注
    #[oai(validator(max_length = 255))]
    pub remark: Option<String>,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for SceneForm {
    fn example() -> Self {
        Self {
            scene_code: "tuition_due".to_owned(),
            scene_name: "学费到期".to_owned(),
            module: "财务".to_owned(),
            variables: vec![Variable {
                name: "amount".to_owned(),
                label: "金额".to_owned(),
                sample: "2800.00元".to_owned(),
            }],
            default_channels: vec![Channel::InApp],
            audience_type: SceneAudience::Student,
            remark: None,
            enabled: true,
        }
    }
}

impl SceneForm {
    fn check(&self) -> Result<()> {
        for (n, variable) in self.variables.iter().enumerate() {
            let field = format!("variables[{n}].name");
            if is_sensitive(&variable.name) {
                return Err(Error::field(&field, format!("模板不能包含敏感变量：{}", variable.name)));
            }
            if self.variables[..n].iter().any(|other| other.name == variable.name) {
                return Err(Error::field(&field, format!("变量{}重复", variable.name)));
            }
            if template::known_names(&[]).contains(&variable.name) {
                return Err(Error::field(&field, format!("变量{}是每个场景都有的，不需要填写", variable.name)));
            }
        }
        Ok(())
    }
}

pub struct Scenes;

#[OpenApi(prefix_path = "/user/pc/psd/info", tag = "crate::Tag::Scenes")]
impl Scenes {
    /// 消息场景列表
    #[oai(path = "/list", method = "post", operation_id = "listScenes")]
    async fn list(
        &self,
        caller: Allowed<ListScenes>,
        Body(asked): Body<Paged<SceneFilter>>,
    ) -> Result<Reply<Page<Scene>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from platform.psd_info s
               where ($1::text is null or strpos(s.scene_name, $1) > 0 or strpos(s.scene_code, lower($1)) > 0)
                 and ($2::text is null or strpos(s.module, $2) > 0)
                 and ($3::text is null or s.audience_type = $3) and ($4::boolean is null or s.enabled = $4)"#,
            filter.keyword,
            filter.module,
            filter.audience_type.map(SceneAudience::as_str),
            filter.enabled
        )
        .fetch_one(&mut *tx)
        .await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看消息场景
    #[oai(path = "/view", method = "get", operation_id = "viewScene")]
    async fn view(
        &self,
        caller: Allowed<ViewScene>,
        /// 编号
        id: Query<Option<i64>>,
        /// 场景编码
        /// 代替编号
        code: Query<Option<String>>,
    ) -> Result<Reply<Scene>> {
        let mut tx = caller.read().await?;
        let id = match (id.0, code.0) {
            (Some(id), None) => id,
            (None, Some(code)) => sqlx::query_scalar!("select id from platform.psd_info where scene_code = $1", code)
                .fetch_optional(&mut *tx)
                .await?
                .ok_or_else(Error::not_found)?,
            _ => return Err(Error::malformed()),
        };
        Ok(reply(find(&mut tx, id).await?))
    }

    /// 新增消息场景
    #[oai(path = "/save", method = "post", operation_id = "saveScene")]
    async fn save(&self, caller: Allowed<SaveScene>, Body(form): Body<SceneForm>) -> Result<Reply<Saved>> {
        form.check()?;
        let mut tx = caller.begin().await?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.psd_info (scene_code, scene_name, module, variables, default_channels, audience_type, remark, enabled,
                 created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
            form.scene_code,
            form.scene_name,
            form.module,
            json!(form.variables),
            &words_of(&form.default_channels),
            form.audience_type.as_str(),
            form.remark,
            form.enabled,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        tx.commit(Change::created("psd_info", id, &form)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑消息场景
    #[oai(path = "/edit", method = "put", operation_id = "editScene")]
    async fn edit(&self, caller: Allowed<EditScene>, Body(edit): Body<Edit<SceneForm>>) -> Result<Reply<Saved>> {
        let form = edit.form;
        form.check()?;
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, edit.id).await?;
        before.is_ours()?;
        templates_still_fit(&mut tx, edit.id, &form.variables).await?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.psd_info set scene_code = $3, scene_name = $4, module = $5, variables = $6, default_channels = $7,
                    audience_type = $8, remark = $9, enabled = $10, updated_at = now(), updated_by = $11, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.scene_code,
            form.scene_name,
            form.module,
            json!(form.variables),
            &words_of(&form.default_channels),
            form.audience_type.as_str(),
            form.remark,
            form.enabled,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("psd_info", edit.id).await);
        }
        let after = find(&mut tx, edit.id).await?;
        tx.commit(Change::edited("psd_info", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除消息场景
    #[oai(path = "/delete", method = "delete", operation_id = "deleteScene")]
    async fn delete(
        &self,
        caller: Allowed<DeleteScene>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, id.0).await?;
        before.is_ours()?;
        if before.template_count > 0 {
            return Err(Error::conflict(format!(
                "“{}”已有{}个消息模板，请先删除模板",
                before.scene_name, before.template_count
            )));
        }
        sqlx::query!("delete from platform.psd_info where id = $1", id.0).execute(&mut *tx).await?;
        tx.commit(Change::deleted("psd_info", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用消息场景
    #[oai(path = "/update/status", method = "put", operation_id = "changeSceneStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeSceneStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("psd_info", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

impl Scene {
    /// The product itself calls built-in scenes by their code and gives their variables.
    fn is_ours(&self) -> Result<()> {
        if self.built_in {
            return Err(Error::conflict(format!("“{}”是内置场景，只能启用或停用", self.scene_name)));
        }
        Ok(())
    }
}

fn explain_constraint(constraint: &str) -> Option<Error> {
    (constraint == "psd_info_code_taken").then(|| Error::field("sceneCode", "场景编码已存在"))
}

/// A variable that a template uses stays.
async fn templates_still_fit(tx: &mut Tx, id: i64, variables: &[Variable]) -> Result<()> {
    let templates = sqlx::query!(
        r#"select channel as "channel: Channel", title, content from platform.psd_conf where scene_id = $1"#,
        id
    )
    .fetch_all(&mut **tx)
    .await?;
    let known = template::known_names(variables);
    for row in templates {
        let used = template::names(&row.title).into_iter().chain(template::names(&row.content));
        if let Some(missing) = used.into_iter().find(|name| !known.contains(name)) {
            let told = format!("{}模板正在使用变量{missing}，请先修改模板", row.channel.zh());
            return Err(Error::field("variables", told));
        }
    }
    Ok(())
}

struct Row {
    id: i64,
    scene_code: String,
    scene_name: String,
    module: String,
    variables: Json<Vec<Variable>>,
    default_channels: Vec<String>,
    audience_type: SceneAudience,
    template_count: i64,
    built_in: bool,
    remark: Option<String>,
    enabled: bool,
    created_at: Moment,
    version: i32,
}

impl From<Row> for Scene {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            scene_code: row.scene_code,
            scene_name: row.scene_name,
            module: row.module,
            variables: row.variables.0,
            default_channels: channels(&row.default_channels),
            audience_type: row.audience_type,
            template_count: row.template_count,
            built_in: row.built_in,
            remark: row.remark,
            enabled: row.enabled,
            created_at: row.created_at,
            version: row.version,
        }
    }
}

fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &SceneFilter,
    page: Option<Paging>,
) -> Rows<'c, Scene> {
    let rows = sqlx::query_as!(
        Row,
        r#"select s.id, s.scene_code, s.scene_name, s.module, s.variables as "variables: _", s.default_channels,
                  s.audience_type as "audience_type: _",
                  (select count(*) from platform.psd_conf c where c.scene_id = s.id) as "template_count!",
                  s.built_in, s.remark, s.enabled, s.created_at, s.version
           from platform.psd_info s
           where ($1::bigint is null or s.id = $1)
             and ($2::text is null or strpos(s.scene_name, $2) > 0 or strpos(s.scene_code, lower($2)) > 0)
             and ($3::text is null or strpos(s.module, $3) > 0)
             and ($4::text is null or s.audience_type = $4)
             and ($5::boolean is null or s.enabled = $5)
           order by s.id limit $6 offset $7"#,
        only,
        filter.keyword,
        filter.module,
        filter.audience_type.map(SceneAudience::as_str),
        filter.enabled,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows.map_ok(Scene::from))
}

pub async fn find(connection: &mut PgConnection, id: i64) -> Result<Scene> {
    select(connection, Some(id), &SceneFilter::default(), None).try_next().await?.ok_or_else(Error::not_found)
}
