//! 同步视频云: asks each enabled channel whether its credentials work, then how far the videos are that are not ready yet,
//! for the messages that got lost, and which videos it has that nobody here knows (01 §3.2.4).

use std::collections::BTreeMap;

use futures_util::TryStreamExt;
use infra::{
    App, Error, Result,
    clock::Moment,
    jobs::{JobRun, Outcome},
};
use serde_json::{Map, Value, json};
use setting_rules::orphans::Orphans;
use sqlx::PgConnection;

use super::{
    ConfigFilter,
    content::{Secrets, whole},
    kinds::{AliyunVideoConfig, BaijiayunConfig, ConfigKind, PolyvConfig},
    record::{Opened, Row, select},
};
use crate::media::{Endpoints, endpoints, listen, look, own_domain, refresh_all, sign};

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
    let domain = own_domain(run.app()).await?;
    let (mut errors, mut accepted) = (Vec::new(), Vec::new());
    let failed = |row: &Row, reason: String| json!({ "id": row.id, "name": row.config_name, "msg": reason });
    for (config, done) in configs.into_iter().zip(0..) {
        run.progress("校验凭据", done, total).await?;
        let Opened { row, content, secrets } = config.open(run.app())?;
        if let Err(reason) = verified(run.app(), row.config_kind, content, &secrets).await? {
            errors.push(failed(&row, reason));
            continue;
        }
        if let Some(domain) = &domain
            && let Err(error) = listen(run.app(), row.config_kind, row.id, domain).await
        {
            errors.push(failed(&row, error.msg.into_owned()));
        }
        accepted.push(row);
    }
    let credentials = match errors.len() {
        0 => format!("已校验{total}个视频云配置，凭据均有效"),
        failed => format!("已校验{total}个视频云配置，{failed}个未通过"),
    };
    let callback =
        if domain.is_some() { "" } else { "；平台的站点信息没有填写域名，未设置回调地址" };
    let videos = refresh_all(&run).await?;
    let checked = format!("检查{}个音视频，更新{}个，失败{}个", videos.checked, videos.updated, videos.failed.len());
    let mut orphans = Orphans::default();
    for row in &accepted {
        if let Err(reason) = look(&mut orphans, &run, row.config_kind, row.id).await? {
            errors.push(failed(row, format!("视频没有列完：{reason}")));
        }
    }
    // Where no list was asked for, nothing is known of what lies there.
    let unknown = if accepted.is_empty() { String::new() } else { format!("；{}", orphans.message()) };
    let message = format!("{credentials}{callback}；{checked}{unknown}");
    errors.extend(videos.failed);
    Ok(Outcome { message, errors, warnings: orphans.into_told(), ..Outcome::default() })
}

/// Whether a channel accepts its credentials; the reason when it does not.
pub(super) async fn verified(
    app: &App,
    kind: ConfigKind,
    content: Map<String, Value>,
    secrets: &Secrets,
) -> Result<Result<(), String>> {
    let now = app.clock().now();
    let at = endpoints(app);
    let client =
        reqwest::Client::builder().timeout(std::time::Duration::from_secs(10)).build().map_err(Error::internal)?;
    let request = match kind {
        ConfigKind::VideoPolyv => polyv(&client, &at, whole(content, secrets)?, now),
        ConfigKind::VideoBaijiayun => baijiayun(&client, &at, whole(content, secrets)?, now),
        ConfigKind::VideoAliyun => {
            aliyun(&client, &at, whole(content, secrets)?, now, &app.random().uuid().to_string())
        }
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

/// Space and traffic of the account; signed with SHA-1 over the sorted parameters and the key.
fn polyv(client: &reqwest::Client, at: &Endpoints, config: PolyvConfig, now: Moment) -> reqwest::RequestBuilder {
    let mut parameters =
        BTreeMap::from([("ptime", now.timestamp_millis().to_string()), ("userid", config.user_id.clone())]);
    let signature = sign::polyv(&parameters, config.secret_key.as_deref().unwrap_or_default());
    parameters.insert("sign", signature);
    client.get(format!("{}/v2/user/{}/main", at.polyv_api, config.user_id)).query(&parameters)
}

/// The first page of the videos; signed with MD5 over the sorted parameters and the key.
fn baijiayun(
    client: &reqwest::Client,
    at: &Endpoints,
    config: BaijiayunConfig,
    now: Moment,
) -> reqwest::RequestBuilder {
    let mut parameters = BTreeMap::from([
        ("page", "1".to_owned()),
        ("page_size", "1".to_owned()),
        ("partner_id", config.partner_id),
        ("timestamp", now.timestamp().to_string()),
    ]);
    let signature = sign::baijiayun(&parameters, config.partner_key.as_deref().unwrap_or_default());
    parameters.insert("sign", signature);
    let usual = format!("https://{}.at.baijiayun.com", config.private_domain);
    let api = at.baijiayun.clone().unwrap_or(usual);
    client.post(format!("{api}/openapi/video/getVideoList")).form(&parameters)
}

/// The categories of the account; signed with HMAC-SHA-1 (RPC signature 1.0).
fn aliyun(
    client: &reqwest::Client,
    at: &Endpoints,
    config: AliyunVideoConfig,
    now: Moment,
    nonce: &str,
) -> reqwest::RequestBuilder {
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
    let signature = sign::aliyun(&parameters, config.secret.as_deref().unwrap_or_default());
    parameters.insert("Signature", signature);
    let api = at.aliyun.clone().unwrap_or_else(|| format!("https://vod.{}.aliyuncs.com", config.region));
    client.get(format!("{api}/")).query(&parameters)
}
