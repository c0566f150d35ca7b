//! Where the providers push receipts (05 D4). Neither signs its pushes, so a secret of the config stands in the address
//! that an operator enters at the provider: `…/system/callback/sms/aliyun?config=12&secret=…`.

use channel_rules::report::reports;
use infra::{Error, Public, Result, Writes};
use poem::Body as HttpBody;
use poem_openapi::{
    Object, OpenApi,
    param::{Path, Query},
    payload::Json,
};
use settings::config::{
    ConfigKind,
    kinds::{SmsConfig, SmsProvider},
    of_kind,
};

use super::keep;

/// A push of a few hundred receipts.
const MOST_BYTES: usize = 64 << 10;

/// What the providers read in our answer: 阿里云 `code` and `msg`, 腾讯云 `result` and `errmsg`.
#[derive(Debug, Clone, Object)]
#[oai(rename = "SmsReceiptAnswer")]
pub struct Taken {
    /// 结果码
    pub code: i32,
    /// 提示
    pub msg: String,
    /// 腾讯云结果码
    pub result: i32,
    /// 腾讯云提示
    pub errmsg: String,
}

pub struct Callbacks;

#[OpenApi(tag = "crate::Tag::Channels")]
impl Callbacks {
    /// 短信回执回调
    /// 地址中的配置和回执密钥由系统配置给出；未知的短信编号同样应答成功
    #[oai(path = "/system/callback/sms/:provider", method = "post", operation_id = "receiveSmsReceipts")]
    async fn receive(
        &self,
        caller: Public<Writes>,
        /// 服务商
        provider: Path<String>,
        /// 配置
        config: Query<Option<i64>>,
        /// 回执密钥
        secret: Query<Option<String>>,
        body: HttpBody,
    ) -> Result<Json<Taken>> {
        let app = &caller.app;
        let provider = SmsProvider::parse(&provider.0).filter(|known| *known != SmsProvider::Recorded);
        let provider = provider.ok_or_else(Error::not_found)?;
        // Who names no config of ours learns no more than who does not know its secret.
        let refused = || Error::new(403, "回执密钥不正确");
        let (config_id, given) = config.0.zip(secret.0).ok_or_else(refused)?;
        let known = of_kind::<SmsConfig>(app, ConfigKind::Sms, config_id).await?;
        let right = known.filter(|known| known.provider == provider).and_then(|known| known.receipt_secret);
        if !right.is_some_and(|right| is_same(&given, &right)) {
            return Err(refused());
        }
        let bytes = body.into_bytes_limit(MOST_BYTES).await.map_err(|_| Error::malformed())?;
        let told = reports(provider, &bytes).ok_or_else(Error::malformed)?;
        keep(&caller, config_id, &told, app.clock().now()).await.map_err(repeated)?;
        Ok(Json(Taken { code: 0, msg: "成功".to_owned(), result: 0, errmsg: "OK".to_owned() }))
    }
}

/// Compared without telling how much of it is right.
fn is_same(given: &str, right: &str) -> bool {
    aws_lc_rs::constant_time::verify_slices_are_equal(given.as_bytes(), right.as_bytes()).is_ok()
}

/// A provider repeats its push only after HTTP 500, also where a person would be asked to try again.
fn repeated(error: Error) -> Error {
    if error.code == 500 { error } else { Error::internal(error) }
}
