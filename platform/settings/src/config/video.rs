//! 同步视频云: asks each enabled channel whether its credentials work (01 §3.2.4). Videos are refreshed by the room that
//! keeps them.

use std::collections::BTreeMap;

use aws_lc_rs::{digest, hmac};
use base64::{Engine, prelude::BASE64_STANDARD};
use futures_util::TryStreamExt;
use infra::{
    App, Error, Result,
    clock::Moment,
    jobs::{JobRun, Outcome},
    migrate::hex,
};
use md5::{Digest, Md5};
use serde_json::{Map, Value, json};
use sqlx::PgConnection;

use super::{
    ConfigFilter,
    content::{Secrets, whole},
    kinds::{AliyunVideoConfig, BaijiayunConfig, ConfigKind, PolyvConfig},
    record::{Opened, Row, select},
};

/// The enabled configs of video channels.
pub(super) async fn enabled(connection: &mut PgConnection) -> Result<Vec<Row>> {
    let filter = ConfigFilter { enabled: Some(true), ..ConfigFilter::default() };
    let rows: Vec<Row> = select(connection, None, &filter, None).try_collect().await?;
    Ok(rows.into_iter().filter(|row| row.config_kind.is_video()).collect())
}

/// The job.
pub(super) async fn sync(run: JobRun) -> Result<Outcome> {
    let mut tx = run.read().await?;
    let configs = enabled(&mut tx).await?;
    drop(tx);
    let total = i64::try_from(configs.len()).unwrap_or(i64::MAX);
    let mut errors = Vec::new();
    for (config, done) in configs.into_iter().zip(0..) {
        run.progress("校验凭据", done, total).await?;
        let Opened { row, content, secrets } = config.open(run.app())?;
        if let Err(reason) = verified(run.app(), row.config_kind, content, &secrets).await? {
            errors.push(json!({ "id": row.id, "name": row.config_name, "msg": reason }));
        }
    }
    let message = match errors.len() {
        0 => format!("已校验{total}个视频云配置，凭据均有效"),
        failed => format!("已校验{total}个视频云配置，{failed}个未通过"),
    };
    Ok(Outcome { message, errors, result_file: None })
}

/// Whether a channel accepts its credentials; the reason when it does not.
pub(super) async fn verified(
    app: &App,
    kind: ConfigKind,
    content: Map<String, Value>,
    secrets: &Secrets,
) -> Result<Result<(), String>> {
    let now = app.clock().now();
    let client =
        reqwest::Client::builder().timeout(std::time::Duration::from_secs(10)).build().map_err(Error::internal)?;
    let request = match kind {
        ConfigKind::VideoPolyv => polyv(&client, whole(content, secrets)?, now),
        ConfigKind::VideoBaijiayun => baijiayun(&client, whole(content, secrets)?, now),
        ConfigKind::VideoAliyun => aliyun(&client, whole(content, secrets)?, now, &app.random().uuid().to_string()),
        other => return Err(Error::internal(format!("{} is no video channel", other.as_str()))),
    };
    // The address of an error carries a signature, so it is not told or logged.
    let Ok(answer) = request.send().await else { return Ok(Err("无法连接服务商，请检查网络".to_owned())) };
    let status = answer.status();
    let Ok(body) = answer.json::<Value>().await else {
        return Ok(Err(format!("服务商的应答无法识别（{}）", status.as_u16())));
    };
    let refusal = match kind {
        ConfigKind::VideoPolyv => (body["code"] != json!(200)).then(|| body["message"].clone()),
        ConfigKind::VideoBaijiayun => (body["code"] != json!(0)).then(|| body["msg"].clone()),
        _ => body.get("Code").cloned(),
    };
    Ok(match refusal {
        None => Ok(()),
        Some(reason) => Err(format!("服务商拒绝了凭据：{}", reason.as_str().unwrap_or("未说明原因"))),
    })
}

fn joined(parameters: &BTreeMap<&str, String>) -> String {
    parameters.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

/// Space and traffic of the account; signed with SHA-1 over the sorted parameters and the key.
fn polyv(client: &reqwest::Client, config: PolyvConfig, now: Moment) -> reqwest::RequestBuilder {
    let mut parameters =
        BTreeMap::from([("ptime", now.timestamp_millis().to_string()), ("userid", config.user_id.clone())]);
    let text = joined(&parameters) + config.secret_key.as_deref().unwrap_or_default();
    let sign = hex(digest::digest(&digest::SHA1_FOR_LEGACY_USE_ONLY, text.as_bytes()).as_ref()).to_uppercase();
    parameters.insert("sign", sign);
    client.get(format!("https://api.polyv.net/v2/user/{}/main", config.user_id)).query(&parameters)
}

/// The first page of the videos; signed with MD5 over the sorted parameters and the key.
fn baijiayun(client: &reqwest::Client, config: BaijiayunConfig, now: Moment) -> reqwest::RequestBuilder {
    let mut parameters = BTreeMap::from([
        ("page", "1".to_owned()),
        ("page_size", "1".to_owned()),
        ("partner_id", config.partner_id),
        ("timestamp", now.timestamp().to_string()),
    ]);
    let text = format!("{}&partner_key={}", joined(&parameters), config.partner_key.unwrap_or_default());
    parameters.insert("sign", hex(&Md5::digest(text.as_bytes())));
    let domain = config.private_domain;
    client.post(format!("https://{domain}.at.baijiayun.com/openapi/video/getVideoList")).form(&parameters)
}

/// The categories of the account; signed with HMAC-SHA-1 (RPC signature 1.0).
fn aliyun(client: &reqwest::Client, config: AliyunVideoConfig, now: Moment, nonce: &str) -> reqwest::RequestBuilder {
    let mut parameters = BTreeMap::from([
        ("AccessKeyId", config.key_id),
        ("Action", "GetCategories".to_owned()),
        ("Format", "JSON".to_owned()),
        ("SignatureMethod", "HMAC-SHA1".to_owned()),
        ("SignatureNonce", nonce.to_owned()),
        ("SignatureVersion", "1.0".to_owned()),
        ("Timestamp", now.to_utc().format("%Y-%m-%dT%H:%M:%SZ").to_string()),
        ("Version", "2017-03-21".to_owned()),
    ]);
    let signature = aliyun_signature(&parameters, config.secret.as_deref().unwrap_or_default());
    parameters.insert("Signature", signature);
    client.get(format!("https://vod.{}.aliyuncs.com/", config.region)).query(&parameters)
}

fn aliyun_signature(parameters: &BTreeMap<&str, String>, secret: &str) -> String {
    let query =
        parameters.iter().map(|(name, value)| format!("{}={}", percent(name), percent(value))).collect::<Vec<_>>();
    let text = format!("GET&%2F&{}", percent(&query.join("&")));
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, format!("{secret}&").as_bytes());
    BASE64_STANDARD.encode(hmac::sign(&key, text.as_bytes()))
}

/// Percent-encodes everything but letters, digits and `-_.~`.
fn percent(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
        encoded
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of the provider's own documentation of the signature.
    #[test]
    fn the_signature_is_the_providers() {
        let parameters = BTreeMap::from([
            ("AccessKeyId", "testid".to_owned()),
            ("Action", "DescribeRegions".to_owned()),
            ("Format", "XML".to_owned()),
            ("SignatureMethod", "HMAC-SHA1".to_owned()),
            ("SignatureNonce", "3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf".to_owned()),
            ("SignatureVersion", "1.0".to_owned()),
            ("Timestamp", "2016-02-23T12:46:24Z".to_owned()),
            ("Version", "2014-05-26".to_owned()),
        ]);
        assert_eq!(aliyun_signature(&parameters, "testsecret"), "OLeaidS1JvxuMvnyHOwuJ+uX5qY=");
    }
}
