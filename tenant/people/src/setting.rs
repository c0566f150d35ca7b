//! What a school sets for the people of its clients (01 §13).

use infra::{Error, Result};
use serde_json::Value;
use sqlx::PgConnection;

use crate::{account::OwnerKind, password::DEFAULT_RULE};

async fn value(connection: &mut PgConnection, key: &str) -> Result<Option<Value>> {
    Ok(sqlx::query_scalar!("select value from school_setting where key = $1", key).fetch_optional(connection).await?)
}

/// `initialPassword`.
pub async fn initial_password_rule(connection: &mut PgConnection) -> Result<String> {
    let set = value(connection, "initialPassword").await?;
    Ok(set.and_then(|rule| rule.as_str().map(ToOwned::to_owned)).unwrap_or_else(|| DEFAULT_RULE.to_owned()))
}

/// `clientUrls`: where the client of such a person is; until the school says so, under its own domain.
///
/// # Errors
/// 409 when the school has neither.
pub async fn client_url(connection: &mut PgConnection, kind: OwnerKind, domain: Option<&str>) -> Result<String> {
    let set = value(connection, "clientUrls").await?.unwrap_or_default();
    let url = set[kind.client()].as_str().filter(|url| !url.is_empty()).map(ToOwned::to_owned);
    url.or_else(|| domain.map(|domain| format!("https://{domain}")))
        .ok_or_else(|| Error::conflict("尚未设置客户端地址，请先在“系统设置”中填写"))
}
