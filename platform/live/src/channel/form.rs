//! What an operator types of a channel, its secrets, and its end.

use infra::{App, Change, Edit, Error, OnConstraint, Result, Tx, clock::Moment, naming::tidy};
use poem_openapi::{Object, types::Example};
use serde::{Deserialize, Serialize};

use super::{ChannelClosing, LiveProvider, LiveScene, LiveState, list::find};

/// What an operator types. A secret that is not typed stays as it is.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct LiveChannelForm {
    /// 频道名称
    #[oai(validator(max_length = 60))]
    pub channel_name: String,
    /// 服务商
    pub provider: LiveProvider,
    /// 频道号
    /// 服务商后台的频道号，字母和数字
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,40}$"))]
    pub channel_no: String,
    /// 场景
    pub scene: LiveScene,
    /// 最多观看人数
    /// 不填为不限
    #[oai(validator(minimum(value = "1"), maximum(value = "100000")))]
    pub max_viewers: Option<i32>,
    /// 推流地址
    /// 以 rtmp://、rtmps:// 或 https:// 开头
    #[oai(write_only, validator(max_length = 500, pattern = r"^(rtmps?|https)://[^\s]+$"))]
    pub push_url: Option<String>,
    /// 助教密码
    #[oai(write_only, validator(max_length = 40))]
    pub assistant_password: Option<String>,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for LiveChannelForm {
    fn example() -> Self {
        Self {
            channel_name: "一号直播间".to_owned(),
            provider: LiveProvider::Polyv,
            channel_no: "3021456".to_owned(),
            scene: LiveScene::Lecture,
            max_viewers: None,
            push_url: None,
            assistant_password: None,
            enabled: true,
        }
    }
}

/// What is never shown.
#[derive(Default, Serialize, Deserialize)]
struct Secrets {
    push_url: Option<String>,
    assistant_password: Option<String>,
}

impl Secrets {
    fn unsealed(app: &App, sealed: Option<&[u8]>) -> Result<Self> {
        let Some(sealed) = sealed else { return Ok(Self::default()) };
        serde_json::from_slice(&app.keys().unseal(sealed)?).map_err(Error::internal)
    }

    /// With those that were typed.
    fn with(self, form: &LiveChannelForm) -> Self {
        Self {
            push_url: form.push_url.clone().or(self.push_url),
            assistant_password: form.assistant_password.clone().or(self.assistant_password),
        }
    }

    fn sealed(&self, app: &App) -> Result<Option<Vec<u8>>> {
        if self.push_url.is_none() && self.assistant_password.is_none() {
            return Ok(None);
        }
        let plain = serde_json::to_vec(self).map_err(Error::internal)?;
        app.keys().seal(app.random(), &plain).map(Some)
    }
}

fn explain_constraint(constraint: &str) -> Option<Error> {
    (constraint == "live_channel_no_taken").then(|| Error::field("channelNo", "该服务商的频道号已存在"))
}

pub(crate) async fn insert(tx: &mut Tx, form: LiveChannelForm) -> Result<(i64, Change)> {
    let app = tx.app().clone();
    let name = tidy(&form.channel_name);
    let secrets = Secrets::default().with(&form).sealed(&app)?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.live_channel (channel_name, provider, channel_no, scene, max_viewers, secrets, enabled, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        name,
        form.provider.as_str(),
        form.channel_no,
        form.scene.as_str(),
        form.max_viewers,
        secrets,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    let after = find(tx, app.clock().now(), id).await?;
    Ok((id, Change::created("live_channel", id, &after)))
}

pub(super) async fn update(tx: &mut Tx, now: Moment, edit: Edit<LiveChannelForm>) -> Result<Change> {
    let form = edit.form;
    let app = tx.app().clone();
    let before = find(tx, now, edit.id).await?;
    let sealed = sqlx::query_scalar!("select secrets from platform.live_channel where id = $1 for update", edit.id)
        .fetch_one(&mut **tx)
        .await?;
    let secrets = Secrets::unsealed(&app, sealed.as_deref())?.with(&form).sealed(&app)?;
    let name = tidy(&form.channel_name);
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.live_channel set channel_name = $3, provider = $4, channel_no = $5, scene = $6, max_viewers = $7,
                secrets = $8, enabled = $9, updated_at = now(), updated_by = $10, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        name,
        form.provider.as_str(),
        form.channel_no,
        form.scene.as_str(),
        form.max_viewers,
        secrets,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("live_channel", edit.id).await);
    }
    let after = find(tx, now, edit.id).await?;
    Ok(Change::edited("live_channel", edit.id, &before, &after))
}

/// # Errors
/// 409 with the number of the lessons that are on it.
pub(super) async fn remove(tx: &mut Tx, now: Moment, id: i64) -> Result<Change> {
    let before = find(tx, now, id).await?;
    tx.remove("live_channel", id, &before.channel_name).await?;
    Ok(Change::deleted("live_channel", id, &before))
}

/// # Errors
/// 409 for a channel that was closed already, and for one on which lessons are still to come.
pub(super) async fn close(tx: &mut Tx, now: Moment, wanted: &ChannelClosing) -> Result<Change> {
    tx.lock("live_channel", wanted.id).await?;
    let before = find(tx, now, wanted.id).await?;
    if wanted.version.is_some_and(|read| read != before.version) {
        return Err(tx.stale("live_channel", wanted.id).await);
    }
    match before.state {
        LiveState::Ended => return Err(Error::conflict("该频道已关闭")),
        LiveState::Idle | LiveState::Living => {}
    }
    if before.upcoming > 0 {
        return Err(Error::conflict(format!("该频道还有{}个未开始的课时，请先调整课时", before.upcoming)));
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.live_channel set state = 'ended', updated_at = now(), updated_by = $2, version = version + 1 where id = $1",
        wanted.id,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("live_channel", wanted.id, "state", before.state.as_str(), LiveState::Ended.as_str()))
}
