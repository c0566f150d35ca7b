//! The config of the official account, and what the provider refuses.

use channels::wechat::{OfficialAccount, Outcome};
use infra::{App, Error, Result};
use settings::config::{ConfigKind, in_force, kinds::WechatConfig};

/// The platform's enabled config; none where there is none that could be used.
pub(crate) async fn config(app: &App) -> Result<Option<WechatConfig>> {
    match in_force::<WechatConfig>(app, ConfigKind::WechatMp, None).await {
        Err(error) if error.code != 500 => {
            tracing::warn!(%error, "the config of the official account cannot be used");
            Ok(None)
        }
        known => known,
    }
}

/// The account at the provider.
///
/// # Errors
/// 409 `请先在系统配置中设置公众号`.
pub(crate) async fn account(app: &App) -> Result<OfficialAccount> {
    let config = config(app).await?.ok_or_else(|| Error::conflict("请先在系统配置中设置公众号"))?;
    OfficialAccount::new(app, &config)
}

/// What the provider said, with its code.
pub(crate) fn words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Accepted { .. } => "微信未说明原因".to_owned(),
        Outcome::Rejected { provider_code, detail, .. } if provider_code.is_empty() => detail.clone(),
        Outcome::Rejected { provider_code, detail, .. } => format!("微信返回{provider_code}：{detail}"),
    }
}

/// 409 with the provider's code and text.
pub(crate) fn refused(outcome: Outcome) -> Error {
    Error::conflict(words(&outcome))
}

/// Whether the provider refused with this code.
pub(crate) fn is_refused_with(outcome: &Outcome, code: &str) -> bool {
    matches!(outcome, Outcome::Rejected { provider_code, .. } if provider_code == code)
}
