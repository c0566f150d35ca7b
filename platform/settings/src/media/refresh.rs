//! Asks the channels how far the videos are that are not ready yet.

use futures_util::TryStreamExt;
use infra::{
    App, Result, Tx,
    audit::Actor,
    directory::School,
    jobs::JobRun,
    tx::{at_the_server, at_the_server_in},
};
use serde_json::{Value, json};

use super::{
    asset::{VideoOwner, owner_of, update},
    callback::address,
    channel::{Channel, MediaChannel, MediaState, Status, channel_of, of_config},
};
use crate::config::{ConfigKind, in_force, kinds::WebsiteConfig};

/// Videos of a schema that are looked at in one run.
const MOST: i64 = 1_000;

/// The channel itself stands in the trail.
fn actor() -> Actor {
    Actor {
        kind: "job".to_owned(),
        id: 0,
        name: "音视频通道".to_owned(),
        on_behalf_of: None,
        ip: String::new(),
        trace_id: infra::http::current_trace(),
    }
}

async fn begin_at(app: &App, school_id: Option<i64>) -> Result<Option<Tx>> {
    Ok(match school_id {
        None => Some(at_the_server(app, actor()).await?),
        Some(id) => match app.school(id).await? {
            Some(school) => Some(at_the_server_in(app, &school, actor()).await?),
            None => None,
        },
    })
}

/// Asks for one video and keeps the answer; whether anything is new.
pub(super) async fn refresh(app: &App, channel: &dyn Channel, vid: &str, owner: &VideoOwner) -> Result<bool> {
    let gone = Status { fail_reason: Some("服务商没有该视频".to_owned()), ..Status::of(MediaState::Failed) };
    let status = channel.status(vid, app.clock().now()).await?.unwrap_or(gone);
    let Some(mut tx) = begin_at(app, owner.school_id).await? else { return Ok(false) };
    match update(&mut tx, owner.media_id, &status).await? {
        Some(change) => tx.commit(change).await.map(|()| true),
        None => Ok(false),
    }
}

/// The platform's own domain, at which the channels reach us; none until somebody typed it.
pub(crate) async fn own_domain(app: &App) -> Result<Option<String>> {
    let site = in_force::<WebsiteConfig>(app, ConfigKind::Website, None).await?;
    Ok(site.and_then(|site| site.domain).filter(|domain| !domain.is_empty()))
}

/// Tells a channel where it sends its messages.
pub(crate) async fn listen(app: &App, kind: ConfigKind, config_id: i64, domain: &str) -> Result<()> {
    let Some(channel) = channel_of(kind) else { return Ok(()) };
    of_config(app, channel, config_id).await?.listen_at(&address("https", domain, channel), app.clock().now()).await
}

/// What a look at all videos found.
#[derive(Debug, Default)]
pub(crate) struct Refreshed {
    pub(crate) checked: i64,
    pub(crate) updated: i64,
    /// `{name, msg}`, as every job tells what it left; the name is the number at the channel.
    pub(crate) failed: Vec<Value>,
}

/// All videos of the platform and of every school that are neither ready nor failed.
pub(crate) async fn refresh_all(run: &JobRun) -> Result<Refreshed> {
    let app = run.app();
    let schools = sqlx::query_scalar!(
        "select id from platform.school where deleted_at is null and provision_state = 'ready' order by id"
    )
    .fetch_all(&mut *app.platform_read().await?)
    .await?;
    let total = i64::try_from(schools.len()).unwrap_or(i64::MAX);
    let mut found = Refreshed::default();
    of_schema(run, None, &mut found).await?;
    for (id, done) in schools.into_iter().zip(1..) {
        run.progress("刷新音视频状态", done, total).await?;
        let school = app.school(id).await?.filter(|school| school.key().is_ok());
        if let Some(school) = school {
            of_schema(run, Some(&school), &mut found).await?;
        }
    }
    Ok(found)
}

async fn of_schema(run: &JobRun, school: Option<&School>, found: &mut Refreshed) -> Result<()> {
    let mut tx = match school {
        Some(school) => run.read_in(school).await?,
        None => run.read_platform().await?,
    };
    let open: Vec<(MediaChannel, String)> = sqlx::query!(
        r#"select channel as "channel: MediaChannel", vid from media_asset
           where state in ('uploading', 'processing') and channel <> 'storage' order by id limit $1"#,
        MOST
    )
    .map(|row| (row.channel, row.vid))
    .fetch(&mut *tx)
    .try_collect()
    .await?;
    drop(tx);
    for (channel, vid) in open {
        found.checked += 1;
        match one(run.app(), channel, &vid).await {
            Ok(updated) => found.updated += i64::from(updated),
            Err(error) => found.failed.push(json!({ "name": vid, "msg": error.msg })),
        }
    }
    Ok(())
}

async fn one(app: &App, channel: MediaChannel, vid: &str) -> Result<bool> {
    match owner_of(app, channel, vid).await? {
        Some(owner) => refresh(app, &*of_config(app, channel, owner.config_id).await?, vid, &owner).await,
        None => Ok(false),
    }
}
