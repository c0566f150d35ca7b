//! What a school sets for the people of its clients (01 §13).

use infra::{
    Error, Part, Result,
    setting::{Setting, Settings},
};
use people_rules::password::{DEFAULT_RULE, INITIAL_PASSWORD};
use scenes::client::CLIENT_URLS;
use sqlx::PgConnection;

use crate::account::OwnerKind;

pub const PART: Part = Part {
    settings: &[
        Settings { group: "recruitment", settings: &[INITIAL_PASSWORD, CLIENT_URLS] },
        Settings { group: "support", settings: &[ONE_CLICK_NOTIFY] },
    ],
    ..Part::NONE
};

/// Whether a person is told that staff looked at their client.
pub(crate) const ONE_CLICK_NOTIFY: Setting = Setting::yes_no("oneClickNotify", "一键登录通知本人", true, "");

/// `initialPassword`.
pub async fn initial_password_rule(connection: &mut PgConnection) -> Result<String> {
    Ok(INITIAL_PASSWORD.value(connection).await?.as_str().unwrap_or(DEFAULT_RULE).to_owned())
}

/// `clientUrls`: where the client of such a person is; until the school says so, under its own domain.
///
/// # Errors
/// 409 when the school has neither.
pub async fn client_url(connection: &mut PgConnection, kind: OwnerKind, domain: Option<&str>) -> Result<String> {
    let set = CLIENT_URLS.value(connection).await?;
    let url = set[kind.client()].as_str().filter(|url| !url.is_empty()).map(ToOwned::to_owned);
    url.or_else(|| domain.map(|domain| format!("https://{domain}")))
        .ok_or_else(|| Error::conflict("尚未设置客户端地址，请先在“系统设置”中填写"))
}
