//! Who takes the money: one kind of account each (01 §9.4). Nothing here touches the database once the account is read.
//!
//! ```text
//! offline    an operator notes what came, and gives back by hand
//! mock       pays at once, where all data are invented
//! wechat_v3  微信支付 API v3      alipay  支付宝 RSA2
//! ```

mod alipay;
mod wechat;

use std::{sync::Arc, time::Duration};

use infra::{App, Error, Result, clock::Moment};
use order_rules::enums::{PayTerminal, RefundStatus};
use serde_json::Value;
use settings::pay_channel::{PayProvider, opened};
use sqlx::PgConnection;

use self::{alipay::Alipay, wechat::WechatPay};

/// Where the providers answer. Only a test has others, and says so before the first call.
#[derive(Debug, Clone)]
pub struct PayEndpoints {
    pub wechat: String,
    pub alipay: String,
}

impl Default for PayEndpoints {
    fn default() -> Self {
        Self {
            wechat: "https://api.mch.weixin.qq.com".to_owned(),
            alipay: "https://openapi.alipay.com/gateway.do".to_owned(),
        }
    }
}

fn endpoints(app: &App) -> Arc<PayEndpoints> {
    app.of_room(|_| PayEndpoints::default())
}

/// A channel's provider with its account.
pub(crate) enum Provider {
    Mock,
    Offline,
    Wechat(Box<WechatPay>),
    Alipay(Box<Alipay>),
}

/// An order that somebody wants to pay now.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placing<'a> {
    pub(crate) order_no: &'a str,
    pub(crate) title: &'a str,
    /// 分.
    pub(crate) amount: i64,
    pub(crate) pay_before: Moment,
    pub(crate) terminal: PayTerminal,
    pub(crate) client_ip: &'a str,
    /// Of the buyer inside 微信.
    pub(crate) open_id: Option<&'a str>,
}

/// What the client does next.
#[derive(Debug, Default)]
pub(crate) struct Begun {
    /// What is shown as a QR code.
    pub(crate) code_url: Option<String>,
    /// Where the page goes.
    pub(crate) pay_url: Option<String>,
    /// What an application opens its payment with.
    pub(crate) parameters: Option<Value>,
    /// It is paid already.
    pub(crate) paid: Option<Told>,
}

/// A payment as a provider tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) order_no: String,
    pub(crate) trade_no: String,
    /// 分.
    pub(crate) amount: i64,
    pub(crate) paid_at: Moment,
}

/// A refund that is wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RefundWanted<'a> {
    pub(crate) order_no: &'a str,
    pub(crate) trade_no: &'a str,
    pub(crate) refund_no: &'a str,
    /// 分.
    pub(crate) amount: i64,
    /// Of the whole payment.
    pub(crate) total: i64,
    pub(crate) reason: &'a str,
}

/// What the provider says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RefundEnd {
    /// With the provider's own number.
    Success(Option<String>),
    Processing,
    Failed(String),
}

/// What a provider pushes: its signature stands in the headers or in the body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Message {
    pub(crate) timestamp: String,
    pub(crate) nonce: String,
    pub(crate) signature: String,
    pub(crate) body: String,
}

/// What a message says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum News {
    Paid(Told),
    Refunded {
        refund_no: String,
        end: RefundEnd,
    },
    /// Nothing that changes anything: an order that waits still.
    Nothing,
}

impl Provider {
    /// # Errors
    /// 404 for a channel that is gone.
    pub(crate) async fn of(app: &App, connection: &mut PgConnection, channel: i64) -> Result<Self> {
        let account = opened(app, connection, channel).await?.ok_or_else(Error::not_found)?;
        Ok(match account.provider {
            PayProvider::Mock => Self::Mock,
            PayProvider::Offline => Self::Offline,
            PayProvider::WechatV3 => Self::Wechat(Box::new(WechatPay::new(endpoints(app).wechat.clone(), account))),
            PayProvider::Alipay => Self::Alipay(Box::new(Alipay::new(endpoints(app).alipay.clone(), account))),
        })
    }

    /// Begins a payment.
    ///
    /// # Errors
    /// 409 with what the provider said, or when it does not answer; 422 at `openId` where it is needed.
    pub(crate) async fn begin(&self, app: &App, placing: Placing<'_>) -> Result<Begun> {
        match self {
            Self::Offline => Ok(Begun::default()),
            Self::Mock => {
                let told = Told {
                    order_no: placing.order_no.to_owned(),
                    trade_no: format!("MOCK{}", placing.order_no),
                    amount: placing.amount,
                    paid_at: app.clock().now(),
                };
                Ok(Begun { paid: Some(told), ..Begun::default() })
            }
            Self::Wechat(wechat) => wechat.begin(app, placing).await,
            Self::Alipay(alipay) => alipay.begin(app, placing),
        }
    }

    /// What the provider knows of an order; none while it is not paid.
    ///
    /// # Errors
    /// 409 as of [`Provider::begin`], and for a way that nobody can ask.
    pub(crate) async fn query(&self, app: &App, order_no: &str) -> Result<Option<Told>> {
        match self {
            Self::Offline | Self::Mock => Err(Error::conflict("该支付方式不能向服务商查询")),
            Self::Wechat(wechat) => wechat.query(app, order_no).await,
            Self::Alipay(alipay) => alipay.query(app, order_no).await,
        }
    }

    /// Gives back. What cannot be asked now goes on, and is asked again under the same number.
    pub(crate) async fn refund(&self, app: &App, wanted: RefundWanted<'_>) -> RefundEnd {
        match self {
            Self::Offline | Self::Mock => RefundEnd::Success(None),
            Self::Wechat(wechat) => wechat.refund(app, wanted).await,
            Self::Alipay(alipay) => alipay.refund(app, wanted).await,
        }
    }

    /// What a message says.
    ///
    /// # Errors
    /// 400 for one that is not the provider's.
    pub(crate) fn read(&self, app: &App, message: &Message) -> Result<News> {
        match self {
            Self::Offline | Self::Mock => Err(Error::malformed()),
            Self::Wechat(wechat) => wechat.read(app, message),
            Self::Alipay(alipay) => alipay.read(message),
        }
    }

    /// What tells the provider that its message was taken.
    pub(crate) fn thanks(&self) -> &'static str {
        match self {
            Self::Wechat(_) => r#"{"code":"SUCCESS","message":"成功"}"#,
            Self::Alipay(_) | Self::Offline | Self::Mock => "success",
        }
    }
}

fn client() -> Result<reqwest::Client> {
    reqwest::Client::builder().timeout(Duration::from_secs(10)).build().map_err(Error::internal)
}

/// A provider that did not answer, or not as it should. The address of an error may carry a signature, so it is not told.
fn unanswered() -> Error {
    Error::conflict("暂时无法连接支付服务商，请稍后再试")
}

/// What a provider said against a call.
fn refused(said: &str) -> Error {
    Error::conflict(format!("支付服务商未受理：{said}"))
}

/// An account whose key opens nothing any more.
fn unusable() -> Error {
    Error::conflict("支付通道的密钥不能使用，请联系运营人员检查通道配置")
}

fn end_of(status: RefundStatus, number: Option<String>, said: &str) -> RefundEnd {
    match status {
        RefundStatus::Success => RefundEnd::Success(number),
        RefundStatus::Processing => RefundEnd::Processing,
        RefundStatus::Failed => RefundEnd::Failed(said.to_owned()),
    }
}
