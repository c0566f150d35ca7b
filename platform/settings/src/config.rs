//! 系统配置: settings of the site and of providers, with secrets; one enabled default a kind and school (01 §3).
//!
//! Other modules take the one in force with [`in_force`]: the school's, else the platform's.

mod connection;
pub mod post;
mod record;
mod video;

use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, Change, Edit, EnabledChange, Entity, Error, History, OnConstraint, Page, Paged, Part, Reply,
    Result, Saved,
    access::Permission,
    clock::Moment,
    enumeration, files,
    jobs::{self, JobKind, JobStarted, NewJob},
    permissions, reply,
};
use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{Any, Example, ParseFromJSON},
};
use serde_json::{Map, Value, json};
pub(crate) use setting_rules::content;
pub use setting_rules::kinds;

use crate::caches::{CacheScopes, Dropped, dropped};
use content::{Content, Secrets, typed, whole};
pub use kinds::ConfigKind;
use record::{Row, find, object, select, sole_default};

/// Under this topic servers tell each other that a config changed.
pub(crate) const TOPIC: &str = "config";

permissions! {
    pages "/system/sys/config/list", "/system/sys/config/add", "/system/sys/config/edit";
    InPlatform Reads  ListConfigs        = "system:pc:sys:config:list" "系统配置列表";
    InPlatform Reads  ViewConfig         = "system:pc:sys:config:view" "查看系统配置";
    InPlatform Writes SaveConfig         = "system:pc:sys:config:save" "新增系统配置";
    InPlatform Writes EditConfig         = "system:pc:sys:config:edit" "编辑系统配置";
    InPlatform Writes DeleteConfig       = "system:pc:sys:config:delete" "删除系统配置";
    InPlatform Writes ChangeConfigStatus = "system:pc:sys:config:update:status" "启用停用系统配置";
    InPlatform Writes DropCaches         = "system:pc:sys:config:delete:redis" "清除缓存";
    InPlatform Writes SyncVideoCloud     = "system:pc:sys:config:sync:videocloud" "同步视频云";
    InPlatform Writes TestConfig         = "system:pc:sys:config:test" "测试连接";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        ConfigKind::ENUMERATION,
        SecretState::ENUMERATION,
        kinds::StorageProvider::ENUMERATION,
        kinds::SmsProvider::ENUMERATION,
        kinds::PushProvider::ENUMERATION,
        kinds::MailSecurity::ENUMERATION,
    ],
    entities: &[Entity { table: "sys_config", name: "系统配置", counted: "个系统配置" }],
    jobs: &[VIDEO_SYNC],
    histories: &[History { table: "sys_config", code: "system:pc:sys:config:view", scope: None }],
    ..Part::NONE
};

enumeration! {
    /// 密钥情况
    pub enum SecretState = "secretState" {
        None = "none" "无需密钥",
        Set = "set" "已设置",
        Partial = "partial" "部分设置",
        Unset = "unset" "未设置",
    }
}

/// A config as people see it; secrets are null, with whether they are set and their end beside them.
#[derive(Debug, Clone, Object)]
#[oai(rename = "SystemConfig", rename_all = "camelCase")]
pub struct Config {
    /// 编号
    pub id: i64,
    /// 名称
    pub config_name: String,
    /// 类别
    pub config_kind: ConfigKind,
    /// 院校
    pub school_id: Option<i64>,
    /// 院校名称
    pub school_name: Option<String>,
    /// 内容
    pub content: Any<Map<String, Value>>,
    /// 默认
    pub is_default: bool,
    /// 密钥
    pub secret_state: SecretState,
    /// 启用
    pub enabled: bool,
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
pub struct ConfigFilter {
    /// 名称
    #[oai(validator(max_length = 50))]
    pub config_name: Option<String>,
    /// 类别
    pub config_kind: Option<ConfigKind>,
    /// 院校
    pub school_id: Option<i64>,
    /// 启用
    pub enabled: Option<bool>,
}

/// What an operator types. A secret that is absent or null stays as it is; an empty text removes it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ConfigForm {
    /// 名称
    #[oai(validator(max_length = 50))]
    pub config_name: String,
    /// 类别
    pub config_kind: ConfigKind,
    /// 院校
    pub school_id: Option<i64>,
    /// 内容
    pub content: Content,
    /// 默认
    #[oai(default)]
    pub is_default: bool,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
    /// 备注
    #[oai(validator(max_length = 255))]
    pub remark: Option<String>,
}

fn on() -> bool {
    true
}

impl Example for ConfigForm {
    fn example() -> Self {
        let content = json!({ "title": "成教云" }).as_object().cloned().unwrap_or_default();
        Self {
            config_name: "平台站点".to_owned(),
            config_kind: ConfigKind::Website,
            school_id: None,
            content: Content(content),
            is_default: true,
            enabled: true,
            remark: None,
        }
    }
}

/// What a trial of a connection found.
#[derive(Debug, Clone, Object)]
pub struct Tried {
    /// 结果
    pub message: String,
}

pub struct Configs;

#[OpenApi(prefix_path = "/system/pc/sys/config", tag = "crate::Tag::Settings")]
impl Configs {
    /// 系统配置列表
    #[oai(path = "/list", method = "post", operation_id = "listConfigs")]
    async fn list(
        &self,
        caller: Allowed<ListConfigs>,
        Body(asked): Body<Paged<ConfigFilter>>,
    ) -> Result<Reply<Page<Config>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from platform.sys_config
               where ($1::text is null or strpos(config_name, $1) > 0) and ($2::text is null or config_kind = $2)
                 and ($3::bigint is null or school_id = $3) and ($4::boolean is null or enabled = $4)"#,
            filter.config_name,
            filter.config_kind.map(ConfigKind::as_str),
            filter.school_id,
            filter.enabled
        )
        .fetch_one(&mut *tx)
        .await?;
        let rows: Vec<Row> = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        let list = rows.into_iter().map(|row| Ok(row.open(caller.app())?.shown())).collect::<Result<_>>()?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看系统配置
    #[oai(path = "/view", method = "get", operation_id = "viewConfig")]
    async fn view(
        &self,
        caller: Allowed<ViewConfig>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Config>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(caller.app(), &mut tx, id.0).await?.shown()))
    }

    /// 新增系统配置
    #[oai(path = "/save", method = "post", operation_id = "saveConfig")]
    async fn save(&self, caller: Allowed<SaveConfig>, Body(form): Body<ConfigForm>) -> Result<Reply<Saved>> {
        let app = caller.app();
        let (content, secrets) = typed(form.config_kind, form.content, Secrets::default(), form.enabled)?;
        let mut tx = caller.begin().await?;
        if let Some(school) = form.school_id
            && app.school(school).await?.is_none()
        {
            return Err(Error::field("schoolId", "院校不存在，请重新选择"));
        }
        if form.is_default && form.enabled {
            sole_default(&mut tx, form.config_kind, form.school_id, 0).await?;
        }
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.sys_config (config_name, config_kind, school_id, content, secrets, is_default, enabled, remark,
                 created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
            form.config_name,
            form.config_kind.as_str(),
            form.school_id,
            Value::Object(content),
            secrets.seal(app)?,
            form.is_default,
            form.enabled,
            form.remark,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        let after = find(app, &mut tx, id).await?;
        tx.notice(TOPIC, "");
        tx.commit(Change::created("sys_config", id, &after.for_trail(&Secrets::default()))).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑系统配置
    #[oai(path = "/edit", method = "put", operation_id = "editConfig")]
    async fn edit(&self, caller: Allowed<EditConfig>, Body(edit): Body<Edit<ConfigForm>>) -> Result<Reply<Saved>> {
        let app = caller.app();
        let mut tx = caller.begin().await?;
        let before = find(app, &mut tx, edit.id).await?;
        let form = edit.form;
        if before.row.config_kind != form.config_kind {
            return Err(Error::field("configKind", "类别不能修改，请新增配置"));
        }
        if before.row.school_id != form.school_id {
            return Err(Error::field("schoolId", "院校不能修改，请新增配置"));
        }
        let (content, secrets) = typed(form.config_kind, form.content, before.secrets.clone(), form.enabled)?;
        let is_default = form.is_default && form.enabled;
        if !is_default {
            before.may_step_back()?;
        } else {
            sole_default(&mut tx, form.config_kind, form.school_id, edit.id).await?;
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.sys_config set config_name = $3, content = $4, secrets = $5, is_default = $6, enabled = $7, remark = $8,
                    updated_at = now(), updated_by = $9, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.config_name,
            Value::Object(content),
            secrets.seal(app)?,
            form.is_default,
            form.enabled,
            form.remark,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("sys_config", edit.id).await);
        }
        let after = find(app, &mut tx, edit.id).await?;
        tx.notice(TOPIC, "");
        let change = Change::edited(
            "sys_config",
            edit.id,
            &before.for_trail(&before.secrets),
            &after.for_trail(&before.secrets),
        );
        tx.commit(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除系统配置
    #[oai(path = "/delete", method = "delete", operation_id = "deleteConfig")]
    async fn delete(
        &self,
        caller: Allowed<DeleteConfig>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(caller.app(), &mut tx, id.0).await?;
        before.may_step_back()?;
        if before.row.config_kind == ConfigKind::Storage && files::file_store::is_used(caller.app(), id.0).await? {
            return Err(Error::conflict("该存储中仍有文件，不能删除，可以停用"));
        }
        tx.remove("sys_config", id.0, &before.row.config_name).await?;
        tx.notice(TOPIC, "");
        tx.commit(Change::deleted("sys_config", id.0, &before.for_trail(&before.secrets))).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用系统配置
    #[oai(path = "/update/status", method = "put", operation_id = "changeConfigStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeConfigStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(caller.app(), &mut tx, wanted.id).await?;
        if wanted.enabled {
            before.may_be_enabled()?;
            if before.row.is_default {
                sole_default(&mut tx, before.row.config_kind, before.row.school_id, wanted.id).await?;
            }
        } else {
            before.may_step_back()?;
        }
        let change = tx.set_enabled("sys_config", &wanted).await?;
        tx.notice(TOPIC, "");
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 清除缓存
    #[oai(path = "/delete/redis", method = "put", operation_id = "dropCaches")]
    async fn drop_caches(
        &self,
        caller: Allowed<DropCaches>,
        Body(wanted): Body<Option<CacheScopes>>,
    ) -> Result<Reply<Dropped>> {
        let topics = wanted.unwrap_or_default().topics();
        Ok(reply(dropped(caller.begin().await?, &topics).await?))
    }

    /// 同步视频云
    #[oai(path = "/sync/videocloud", method = "put", operation_id = "syncVideoCloud")]
    async fn sync(&self, caller: Allowed<SyncVideoCloud>) -> Result<Reply<JobStarted>> {
        let mut tx = caller.begin().await?;
        if video::enabled(&mut tx).await?.is_empty() {
            return Err(Error::conflict("没有启用的视频云配置，请先新增并启用"));
        }
        let job =
            NewJob {
                kind: VIDEO_SYNC.kind, target: String::new(), title: "同步视频云".to_owned(), params: json!({})
            };
        let job_id = jobs::start_in(&mut tx, None, &job).await.map_err(|error| match error.code {
            409 => Error::conflict("同步任务正在执行"),
            _ => error,
        })?;
        tx.commit(Change::event("job", job_id, "start", json!({ "kind": VIDEO_SYNC.kind }))).await?;
        jobs::wake(caller.app());
        Ok(reply(JobStarted { job_id }))
    }

    /// 测试连接
    #[oai(path = "/test", method = "post", operation_id = "testConfig")]
    async fn test(
        &self,
        caller: Allowed<TestConfig>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Tried>> {
        let mut tx = caller.read().await?;
        let config = find(caller.app(), &mut tx, id.0).await?;
        drop(tx);
        config.is_complete()?;
        let message = connection::tried(&caller, &config).await?;
        let tx = caller.begin().await?;
        tx.commit(Change::event("sys_config", id.0, "test", json!({ "message": message }))).await?;
        Ok(reply(Tried { message }))
    }
}

fn explain_constraint(constraint: &str) -> Option<Error> {
    (constraint == "sys_config_default_taken").then(|| Error::conflict("默认配置刚刚被他人修改，请重试"))
}

pub const VIDEO_SYNC: JobKind = JobKind {
    kind: "videocloud.sync",
    code: Some(SyncVideoCloud::CODE),
    run: |run| Box::pin(video::sync(run)),
    headings: None,
};

/// The content of the enabled default of a kind: the school's, else the platform's; none when neither is there.
pub async fn in_force<T: ParseFromJSON + 'static>(
    app: &App,
    kind: ConfigKind,
    school_id: Option<i64>,
) -> Result<Option<T>> {
    Ok(chosen(app, kind, school_id).await?.map(|(_, content)| content))
}

/// The same with its number, by which [`of_kind`] finds it again.
pub async fn chosen<T: ParseFromJSON + 'static>(
    app: &App,
    kind: ConfigKind,
    school_id: Option<i64>,
) -> Result<Option<(i64, T)>> {
    let mut tx = app.platform_read().await?;
    let row = sqlx::query!(
        "select id, content, secrets from platform.sys_config
         where config_kind = $1 and is_default and enabled and (school_id = $2 or school_id is null)
         order by school_id nulls last limit 1",
        kind.as_str(),
        school_id
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let secrets = Secrets::unseal(app, row.secrets.as_deref())?;
    whole(object(row.content), &secrets).map(|content| Some((row.id, content)))
}

/// The content of one config, also when it is no default any more: for what was made under it.
pub(crate) async fn of_id<T: ParseFromJSON + 'static>(app: &App, id: i64) -> Result<T> {
    let mut tx = app.platform_read().await?;
    let config = find(app, &mut tx, id).await?;
    whole(config.content, &config.secrets)
}

/// The content of one config of this kind, also when it is no default any more; none when there is no such config.
pub async fn of_kind<T: ParseFromJSON + 'static>(app: &App, kind: ConfigKind, id: i64) -> Result<Option<T>> {
    let mut tx = app.platform_read().await?;
    let row = sqlx::query!(
        "select content, secrets from platform.sys_config where id = $1 and config_kind = $2",
        id,
        kind.as_str()
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let secrets = Secrets::unseal(app, row.secrets.as_deref())?;
    whole(object(row.content), &secrets).map(Some)
}
