//! 验证码短信: a short message that leaves while somebody waits for it. It is no message of anybody's: neither event nor delivery
//! stands behind it, so that the code is kept nowhere; only where no provider is bought it is recorded as all others are.

use std::sync::Arc;

use channels::{
    channel::{Outcome, Outgoing, Way, way},
    circuit, quota,
    workspace::Workspace,
};
use infra::{App, Error, Result, clock::Moment, directory::School};
use scenes::{
    enums::Channel,
    switch,
    template::{self, Rendered, Values},
};

/// Who sends what comes from no school.
const OPERATORS: &str = "平台";

/// Sends the short message of a scene to a phone, by the ways of a school or, without one, of the operators. Without a template of
/// its own the scene says `words`, which a provider that wants its own template refuses.
///
/// # Errors
/// 409 when the scene or the channel is off there, the school's quota is used up, or the provider did not take it.
pub async fn send(
    app: &App,
    school: Option<&Arc<School>>,
    scene: &str,
    phone: &str,
    words: &str,
    values: Values,
) -> Result<()> {
    let now = app.clock().now();
    let workspace = Workspace { app: app.clone(), school: school.cloned() };
    let demo = school.is_some_and(|school| school.demo);
    let (shown, provider_template) = rendered(app, school.map(|school| &**school), scene, words, values).await?;
    if !quota::beyond(&workspace, Channel::Sms, vec![(0, shown.segments)], now).await?.is_empty() {
        return Err(Error::conflict("本校短信已达本月上限，暂时不能发送验证码，请联系学校"));
    }
    let outgoing = Outgoing {
        delivery_id: 0,
        address: phone.to_owned(),
        title: shown.title,
        content: shown.content,
        template: provider_template.map(|code| (code, shown.values)),
    };
    match way(app, Channel::Sms, workspace.school_id(), demo).await? {
        Way::Inbox | Way::Recorded => record(&workspace, &outgoing, now).await,
        Way::Unusable => Err(not_sent()),
        Way::Provider(adapter) => {
            let outcomes = adapter.send(now, std::slice::from_ref(&outgoing)).await;
            circuit::note(&workspace, Channel::Sms, &outcomes, adapter.limits(), now).await?;
            match outcomes.into_iter().next() {
                Some(Outcome::Accepted { .. }) => Ok(()),
                Some(Outcome::Rejected { code, provider_code, .. }) => {
                    tracing::warn!(
                        school = workspace.school_id(),
                        scene,
                        code = code.as_str(),
                        provider_code,
                        "a code did not leave"
                    );
                    Err(not_sent())
                }
                None => Err(Error::internal("an adapter gave no outcome")),
            }
        }
    }
}

fn not_sent() -> Error {
    Error::conflict("验证码短信发送失败，请稍后重新获取")
}

/// The text of the scene for this school, and the provider's own template.
async fn rendered(
    app: &App,
    school: Option<&School>,
    scene: &str,
    words: &str,
    mut values: Values,
) -> Result<(Rendered, Option<String>)> {
    let off = || {
        Error::conflict(match school {
            Some(_) => "本校未开启验证码短信，请联系学校",
            None => "平台未开启验证码短信，请联系客服",
        })
    };
    let mut platform = app.platform_read().await?;
    let known = sqlx::query_scalar!("select id from platform.psd_info where scene_code = $1 and enabled", scene)
        .fetch_optional(&mut *platform)
        .await?
        .ok_or_else(off)?;
    if !switch::channels_on(&mut platform, known, school.map(|school| school.id)).await?.contains(&Channel::Sms) {
        return Err(off());
    }
    let template = sqlx::query!(
        "select title, content, provider_template_code from platform.psd_conf
         where scene_id = $1 and channel = 'sms' and enabled",
        known
    )
    .fetch_optional(&mut *platform)
    .await?;
    drop(platform);
    values
        .entry("school".to_owned())
        .or_insert_with(|| school.map_or_else(|| OPERATORS.to_owned(), |school| school.name.clone()));
    values.entry("date".to_owned()).or_insert_with(|| app.clock().today().to_string());
    match template {
        Some(own) => {
            Ok((template::rendered(Channel::Sms, &own.title, &own.content, &values)?, own.provider_template_code))
        }
        None => Ok((template::rendered(Channel::Sms, "验证码", words, &values)?, None)),
    }
}

/// Keeps what would have been sent, so that a school can try its forms before a provider is bought (05 D4).
async fn record(workspace: &Workspace, outgoing: &Outgoing, now: Moment) -> Result<()> {
    let mut tx = workspace.begin().await?;
    sqlx::query!(
        "insert into msg_recorded (channel, address, title, content, at) values ('sms', $1, $2, $3, $4)",
        outgoing.address,
        outgoing.title,
        outgoing.content,
        now
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("a letter that nobody got").await
}
