//! 消息场景配置: the matrix of scenes and channels. A school's own switch counts, else the platform's, else the scene's
//! default channels (01 §7.3-4). Operators set the platform's; a school sets its own and sees what it would have without.

use infra::{Allowed, Body, Change, Error, Part, Reply, Result, Saved, permissions, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use sqlx::PgConnection;

use crate::enums::{Channel, SceneAudience, channels};

permissions! {
    pages "/user/msg/scene/list", "/schoolPC/systemManagerment";
    Anywhere Reads  ListSwitches = "user:pc:msg:scene:list" "消息场景配置列表";
    Anywhere Writes EditSwitch   = "user:pc:msg:scene:edit" "编辑消息场景配置";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], ..Part::NONE };

/// One cell of the matrix.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChannelSwitch {
    /// 渠道
    pub channel: Channel,
    /// 开启
    pub enabled: bool,
    /// 默认开启
    /// 恢复默认后的状态
    pub default_enabled: bool,
    /// 已单独设置
    pub changed: bool,
    /// 有模板
    pub has_template: bool,
}

/// A line of the matrix.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SceneSwitches {
    /// 场景
    pub scene_id: i64,
    /// 场景编码
    pub scene_code: String,
    /// 场景名称
    pub scene_name: String,
    /// 模块
    pub module: String,
    /// 接收人
    pub audience_type: SceneAudience,
    /// 场景启用
    pub scene_enabled: bool,
    /// 渠道
    pub channels: Vec<ChannelSwitch>,
}

/// What the matrix asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SwitchFilter {
    /// 编码或名称
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 模块
    #[oai(validator(max_length = 30))]
    pub module: Option<String>,
}

impl Example for SwitchFilter {
    fn example() -> Self {
        Self::default()
    }
}

/// One switch, or back to the default when `enabled` is absent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SwitchForm {
    /// 场景
    pub scene_id: i64,
    /// 渠道
    /// 不填且不填开启时，该场景的所有渠道恢复默认
    pub channel: Option<Channel>,
    /// 开启
    pub enabled: Option<bool>,
}

impl Example for SwitchForm {
    fn example() -> Self {
        Self { scene_id: 1, channel: Some(Channel::Sms), enabled: Some(false) }
    }
}

pub struct Switches;

#[OpenApi(prefix_path = "/user/pc/msg/scene", tag = "crate::Tag::Scenes")]
impl Switches {
    /// 消息场景配置列表
    #[oai(path = "/list", method = "post", operation_id = "listSceneSwitches")]
    async fn list(
        &self,
        caller: Allowed<ListSwitches>,
        Body(filter): Body<SwitchFilter>,
    ) -> Result<Reply<Vec<SceneSwitches>>> {
        let mut tx = caller.read().await?;
        Ok(reply(matrix(&mut tx, &filter, caller.session.school_id).await?))
    }

    /// 编辑消息场景配置
    #[oai(path = "/edit", method = "put", operation_id = "editSceneSwitch")]
    async fn edit(&self, caller: Allowed<EditSwitch>, Body(form): Body<SwitchForm>) -> Result<Reply<Saved>> {
        let school = caller.session.school_id;
        let mut tx = caller.begin().await?;
        let known =
            sqlx::query_scalar!("select scene_code from platform.psd_info where id = $1 for update", form.scene_id)
                .fetch_optional(&mut *tx)
                .await?;
        let Some(scene) = known else { return Err(Error::field("sceneId", "场景不存在，请刷新后重试")) };
        let by = tx.by();
        match (form.channel, form.enabled) {
            (None, Some(_)) => return Err(Error::field("channel", "请选择要设置的渠道")),
            (Some(channel), Some(enabled)) => {
                sqlx::query!(
                    "insert into platform.msg_scene_switch as w (scene_id, channel, school_id, enabled, created_by, updated_by)
                     values ($1, $2, $3, $4, $5, $5)
                     on conflict on constraint msg_scene_switch_once do update
                         set enabled = excluded.enabled, updated_at = now(), updated_by = excluded.updated_by, version = w.version + 1",
                    form.scene_id,
                    channel.as_str(),
                    school,
                    enabled,
                    by
                )
                .execute(&mut *tx)
                .await?;
            }
            (channel, None) => {
                sqlx::query!(
                    "delete from platform.msg_scene_switch
                     where scene_id = $1 and school_id is not distinct from $2 and ($3::text is null or channel = $3)",
                    form.scene_id,
                    school,
                    channel.map(Channel::as_str)
                )
                .execute(&mut *tx)
                .await?;
            }
        }
        let what = json!({
            "sceneCode": scene,
            "schoolId": school,
            "channel": form.channel.map(Channel::as_str),
            "enabled": form.enabled,
        });
        tx.commit(Change::event("psd_info", form.scene_id, "switch", what)).await?;
        Ok(reply(Saved { id: form.scene_id }))
    }
}

struct Row {
    id: i64,
    scene_code: String,
    scene_name: String,
    module: String,
    audience_type: SceneAudience,
    enabled: bool,
    default_channels: Vec<String>,
    templates: Vec<String>,
    platform_on: Vec<String>,
    platform_off: Vec<String>,
    school_on: Vec<String>,
    school_off: Vec<String>,
}

impl Row {
    fn shown(self, school: Option<i64>) -> SceneSwitches {
        let has = |words: &[String], channel: Channel| words.iter().any(|word| word == channel.as_str());
        let state = |on: &[String], off: &[String], channel| {
            if has(on, channel) {
                Some(true)
            } else if has(off, channel) {
                Some(false)
            } else {
                None
            }
        };
        let cells = Channel::ALL.into_iter().map(|channel| {
            let built_in = channels(&self.default_channels).contains(&channel);
            let platform = state(&self.platform_on, &self.platform_off, channel);
            let own = match school {
                Some(_) => state(&self.school_on, &self.school_off, channel),
                None => platform,
            };
            let default_enabled = if school.is_some() { platform.unwrap_or(built_in) } else { built_in };
            ChannelSwitch {
                channel,
                enabled: own.unwrap_or(default_enabled),
                default_enabled,
                changed: own.is_some(),
                has_template: has(&self.templates, channel),
            }
        });
        SceneSwitches {
            scene_id: self.id,
            channels: cells.collect(),
            scene_code: self.scene_code,
            scene_name: self.scene_name,
            module: self.module,
            audience_type: self.audience_type,
            scene_enabled: self.enabled,
        }
    }
}

async fn matrix(
    connection: &mut PgConnection,
    filter: &SwitchFilter,
    school: Option<i64>,
) -> Result<Vec<SceneSwitches>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select s.id, s.scene_code, s.scene_name, s.module, s.audience_type as "audience_type: _", s.enabled, s.default_channels,
                  array(select c.channel from platform.psd_conf c where c.scene_id = s.id and c.enabled) as "templates!",
                  array(select w.channel from platform.msg_scene_switch w
                        where w.scene_id = s.id and w.school_id is null and w.enabled) as "platform_on!",
                  array(select w.channel from platform.msg_scene_switch w
                        where w.scene_id = s.id and w.school_id is null and not w.enabled) as "platform_off!",
                  array(select w.channel from platform.msg_scene_switch w
                        where w.scene_id = s.id and w.school_id = $3 and w.enabled) as "school_on!",
                  array(select w.channel from platform.msg_scene_switch w
                        where w.scene_id = s.id and w.school_id = $3 and not w.enabled) as "school_off!"
           from platform.psd_info s
           where ($1::text is null or strpos(s.scene_name, $1) > 0 or strpos(s.scene_code, lower($1)) > 0)
             and ($2::text is null or strpos(s.module, $2) > 0)
             and ($3::bigint is null or s.audience_type <> 'learner')
           order by s.id"#,
        filter.keyword,
        filter.module,
        school
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| row.shown(school)).collect())
}

/// Whether each channel of a scene is on for a school, or for the platform.
pub async fn channels_on(connection: &mut PgConnection, scene_id: i64, school: Option<i64>) -> Result<Vec<Channel>> {
    let row = sqlx::query_scalar!(
        r#"select array(
               select t.channel from unnest(array['in_app', 'sms', 'wechat', 'app_push', 'mail']) as t (channel)
               left join platform.msg_scene_switch p on p.scene_id = s.id and p.channel = t.channel and p.school_id is null
               left join platform.msg_scene_switch o on o.scene_id = s.id and o.channel = t.channel and o.school_id = $2
               where coalesce(o.enabled, p.enabled, t.channel = any(s.default_channels))) as "channels!"
           from platform.psd_info s where s.id = $1"#,
        scene_id,
        school
    )
    .fetch_one(connection)
    .await?;
    Ok(channels(&row))
}
