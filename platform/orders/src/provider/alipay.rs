//! 支付宝: pages and applications are opened with a signed query, which needs no call.

use infra::{App, Error, Result};
use order_rules::{
    alipay::{Caller, Fields, answer, fen, is_paid, is_theirs, method, moment, query, written},
    enums::PayTerminal,
};
use serde_json::{Value, json};
use settings::pay_channel::PayAccount;

use super::{Begun, Message, News, Placing, RefundEnd, RefundWanted, Told, client, refused, unanswered, unusable};

pub(crate) struct Alipay {
    gateway: String,
    account: PayAccount,
}

const QUERY: &str = "alipay.trade.query";
const REFUND: &str = "alipay.trade.refund";

impl Alipay {
    pub(super) fn new(gateway: String, account: PayAccount) -> Self {
        Self { gateway, account }
    }

    fn caller(&self, app: &App) -> Caller<'_> {
        Caller { app_id: &self.account.app_id, private_key: &self.account.private_key, now: app.clock().now() }
    }

    pub(super) fn begin(&self, app: &App, placing: Placing<'_>) -> Result<Begun> {
        let notify_url = self.account.notify_url.as_deref();
        if notify_url.is_none() {
            return Err(Error::conflict("平台站点尚未填写域名，不能使用该支付方式"));
        }
        let (method, product) = method(placing.terminal);
        let content = json!({
            "out_trade_no": placing.order_no,
            "total_amount": written(placing.amount),
            "subject": placing.title.chars().take(80).collect::<String>(),
            "product_code": product,
            "time_expire": placing.pay_before.format("%Y-%m-%d %H:%M:%S").to_string(),
        });
        let addresses = (notify_url, self.account.return_url.as_deref());
        let query = query(self.caller(app), method, &content, addresses).ok_or_else(unusable)?;
        Ok(match placing.terminal {
            PayTerminal::App => Begun { parameters: Some(json!({ "orderString": query })), ..Begun::default() },
            PayTerminal::Pc | PayTerminal::H5 | PayTerminal::MiniProgram | PayTerminal::WechatBrowser => {
                Begun { pay_url: Some(format!("{}?{query}", self.gateway)), ..Begun::default() }
            }
        })
    }

    /// What a call answers, as far as it is theirs.
    async fn call(&self, app: &App, method: &str, content: &Value) -> Result<Value> {
        let body = query(self.caller(app), method, content, (None, None)).ok_or_else(unusable)?;
        let request = client()?
            .post(format!("{}?charset=utf-8", self.gateway))
            .header("Content-Type", "application/x-www-form-urlencoded;charset=utf-8")
            .body(body);
        let sent = request.send().await.map_err(|_| unanswered())?;
        let text = sent.text().await.map_err(|_| unanswered())?;
        let read = answer(&text, method, &self.account.public_key);
        if read.is_none() {
            tracing::warn!(method, "an answer of the pay provider is not signed by its key");
        }
        read.ok_or_else(unanswered)
    }

    pub(super) async fn query(&self, app: &App, order_no: &str) -> Result<Option<Told>> {
        let read = self.call(app, QUERY, &json!({ "out_trade_no": order_no })).await?;
        match (read["code"].as_str(), read["sub_code"].as_str()) {
            (Some("10000"), _) if is_paid(read["trade_status"].as_str()) => {
                let (trade_no, amount) = (read["trade_no"].as_str(), read["total_amount"].as_str().and_then(fen));
                let (trade_no, amount) = trade_no.zip(amount).ok_or_else(unanswered)?;
                let now = app.clock().now();
                let paid_at = read["send_pay_date"].as_str().and_then(moment).map_or(now, |at| at.min(now));
                Ok(Some(Told { order_no: order_no.to_owned(), trade_no: trade_no.to_owned(), amount, paid_at }))
            }
            // An order that nobody began to pay is not known there.
            (Some("10000"), _) | (_, Some("ACQ.TRADE_NOT_EXIST")) => Ok(None),
            _ => Err(refused(said(&read))),
        }
    }

    /// Its refunds end with their answer.
    pub(super) async fn refund(&self, app: &App, wanted: RefundWanted<'_>) -> RefundEnd {
        let content = json!({
            "trade_no": wanted.trade_no,
            "refund_amount": written(wanted.amount),
            "refund_reason": wanted.reason,
            "out_request_no": wanted.refund_no,
        });
        let read = match self.call(app, REFUND, &content).await {
            Ok(read) => read,
            Err(error) => {
                tracing::warn!(order = wanted.order_no, %error, "a refund could not be asked for; it is tried again");
                return RefundEnd::Processing;
            }
        };
        match (read["code"].as_str(), read["sub_code"].as_str()) {
            (Some("10000"), _) => RefundEnd::Success(None),
            // Trouble at theirs: the same number is asked again.
            (Some("20000"), _) | (_, Some("ACQ.SYSTEM_ERROR")) => RefundEnd::Processing,
            _ => RefundEnd::Failed(said(&read).to_owned()),
        }
    }

    pub(super) fn read(&self, message: &Message) -> Result<News> {
        let fields: Fields = serde_urlencoded::from_str(&message.body).map_err(|_| Error::malformed())?;
        let of = |name: &str| fields.get(name).map(String::as_str);
        if !is_theirs(&fields, &self.account.public_key) || of("app_id") != Some(self.account.app_id.as_str()) {
            return Err(Error::malformed());
        }
        if !is_paid(of("trade_status")) {
            return Ok(News::Nothing);
        }
        let told = || {
            Some(Told {
                order_no: of("out_trade_no")?.to_owned(),
                trade_no: of("trade_no")?.to_owned(),
                amount: of("total_amount").and_then(fen)?,
                paid_at: of("gmt_payment").and_then(moment)?,
            })
        };
        told().map(News::Paid).ok_or_else(Error::malformed)
    }
}

fn said(read: &Value) -> &str {
    read["sub_msg"].as_str().or(read["msg"].as_str()).unwrap_or("未说明原因")
}
