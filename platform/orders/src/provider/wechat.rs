//! 微信支付 API v3.

use infra::{App, Error, Result};
use order_rules::{
    enums::{PayTerminal, RefundStatus},
    wechat::{
        Placed, Signed, Signer, Transaction, authorization, client_parameters, is_theirs, opened, path, placing,
        refund_status, transaction,
    },
};
use serde_json::{Value, json};
use settings::pay_channel::PayAccount;

use super::{
    Begun, Message, News, Placing, RefundEnd, RefundWanted, Told, client, end_of, refused, unanswered, unusable,
};

pub(crate) struct WechatPay {
    base: String,
    account: PayAccount,
}

const LETTERS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

impl WechatPay {
    pub(super) fn new(base: String, account: PayAccount) -> Self {
        Self { base, account }
    }

    fn signer<'a>(&'a self, app: &App, nonce: &'a str) -> Signer<'a> {
        Signer {
            mch_id: &self.account.mch_id,
            serial_no: &self.account.mch_serial_no,
            private_key: &self.account.private_key,
            nonce,
            at: app.clock().now().timestamp(),
        }
    }

    /// The answer's HTTP status and body, which is theirs when it is a success.
    async fn call(&self, app: &App, method: &str, path: &str, body: Option<Value>) -> Result<(u16, Value)> {
        let nonce = app.random().text(LETTERS, 32);
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let header = authorization(self.signer(app, &nonce), method, path, &body).ok_or_else(unusable)?;
        let http = client()?;
        let address = format!("{}{path}", self.base);
        let request = if method == "POST" { http.post(address).body(body) } else { http.get(address) };
        let request = request
            .header("Authorization", header)
            .header("Accept", "application/json")
            .header("Content-Type", "application/json")
            .header("User-Agent", "chengjiao");
        let answer = request.send().await.map_err(|_| unanswered())?;
        let status = answer.status().as_u16();
        let of = |name: &str| {
            answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
        };
        let (timestamp, nonce, signature) =
            (of("wechatpay-timestamp"), of("wechatpay-nonce"), of("wechatpay-signature"));
        let text = answer.text().await.map_err(|_| unanswered())?;
        let signed = Signed { timestamp: &timestamp, nonce: &nonce, signature: &signature, body: &text };
        if (200..300).contains(&status) && !is_theirs(signed, &self.account.public_key, app.clock().now()) {
            tracing::warn!(status, "an answer of the pay provider is not signed by its key");
            return Err(unanswered());
        }
        Ok((status, serde_json::from_str(&text).unwrap_or(Value::Null)))
    }

    pub(super) async fn begin(&self, app: &App, placing_: Placing<'_>) -> Result<Begun> {
        let Placing { order_no, title, amount, pay_before, terminal, client_ip, open_id } = placing_;
        let inside = matches!(terminal, PayTerminal::MiniProgram | PayTerminal::WechatBrowser);
        if inside && open_id.is_none() {
            return Err(Error::field("openId", "请在微信中打开并授权后支付"));
        }
        let notify_url = self.account.notify_url.as_deref().unwrap_or_default();
        if notify_url.is_empty() {
            return Err(Error::conflict("平台站点尚未填写域名，不能使用该支付方式"));
        }
        let placed = Placed { order_no, title, amount, pay_before, notify_url, client_ip, open_id };
        let account = &self.account;
        let body = placing(terminal, (account.app_id.as_str(), account.mch_id.as_str()), placed);
        let (status, answer) = self.call(app, "POST", path(terminal), Some(body)).await?;
        if status != 200 {
            return Err(refused(answer["message"].as_str().unwrap_or("未说明原因")));
        }
        let text = |field: &str| answer[field].as_str().map(ToOwned::to_owned);
        match terminal {
            PayTerminal::Pc => Ok(Begun { code_url: text("code_url"), ..Begun::default() }),
            PayTerminal::H5 => Ok(Begun { pay_url: text("h5_url"), ..Begun::default() }),
            PayTerminal::App | PayTerminal::MiniProgram | PayTerminal::WechatBrowser => {
                let prepay = text("prepay_id").ok_or_else(unanswered)?;
                let nonce = app.random().text(LETTERS, 32);
                let parameters = client_parameters(terminal, &account.app_id, self.signer(app, &nonce), &prepay);
                Ok(Begun { parameters: Some(parameters.ok_or_else(unusable)?), ..Begun::default() })
            }
        }
    }

    pub(super) async fn query(&self, app: &App, order_no: &str) -> Result<Option<Told>> {
        let path = format!("/v3/pay/transactions/out-trade-no/{order_no}?mchid={}", self.account.mch_id);
        let (status, answer) = self.call(app, "GET", &path, None).await?;
        match (status, answer["code"].as_str()) {
            (200, _) => Ok(transaction(&answer).map(|paid| told(app, paid))),
            // An order that nobody began to pay is not known there.
            (404, Some("ORDER_NOT_EXIST" | "ORDERNOTEXIST")) => Ok(None),
            _ => Err(refused(answer["message"].as_str().unwrap_or("未说明原因"))),
        }
    }

    pub(super) async fn refund(&self, app: &App, wanted: RefundWanted<'_>) -> RefundEnd {
        let mut body = json!({
            "transaction_id": wanted.trade_no,
            "out_refund_no": wanted.refund_no,
            "reason": wanted.reason,
            "amount": { "refund": wanted.amount, "total": wanted.total, "currency": "CNY" },
        });
        if let Some(address) = &self.account.notify_url {
            body["notify_url"] = json!(address);
        }
        let (status, answer) = match self.call(app, "POST", "/v3/refund/domestic/refunds", Some(body)).await {
            Ok(answered) => answered,
            Err(error) => {
                tracing::warn!(order = wanted.order_no, %error, "a refund could not be asked for; it is tried again");
                return RefundEnd::Processing;
            }
        };
        let said = answer["message"].as_str().unwrap_or("服务商未说明原因");
        match status {
            200..300 => {
                let number = answer["refund_id"].as_str().map(ToOwned::to_owned);
                end_of(refund_status(&answer), number, "退款关闭或异常，请到商户平台处理")
            }
            // Too many calls, or trouble at theirs: the same number is asked again.
            429 | 500.. => RefundEnd::Processing,
            _ => end_of(RefundStatus::Failed, None, said),
        }
    }

    pub(super) fn read(&self, app: &App, message: &Message) -> Result<News> {
        let Message { timestamp, nonce, signature, body } = message;
        let signed = Signed { timestamp, nonce, signature, body };
        if !is_theirs(signed, &self.account.public_key, app.clock().now()) {
            return Err(Error::malformed());
        }
        let told_: Value = serde_json::from_str(body).map_err(|_| Error::malformed())?;
        let inside = opened(&told_["resource"], &self.account.api_v3_key).ok_or_else(Error::malformed)?;
        if inside["mchid"].as_str() != Some(self.account.mch_id.as_str()) {
            return Err(Error::malformed());
        }
        if let Some(refund_no) = inside["out_refund_no"].as_str() {
            let number = inside["refund_id"].as_str().map(ToOwned::to_owned);
            let end = end_of(refund_status(&inside), number, "退款关闭或异常，请到商户平台处理");
            return Ok(News::Refunded { refund_no: refund_no.to_owned(), end });
        }
        Ok(transaction(&inside).map_or(News::Nothing, |paid| News::Paid(told(app, paid))))
    }
}

fn told(app: &App, paid: Transaction) -> Told {
    let now = app.clock().now();
    Told {
        order_no: paid.order_no,
        trade_no: paid.trade_no,
        amount: paid.amount,
        // A provider whose clock is ahead was not paid in the future.
        paid_at: paid.paid_at.map_or(now, |at| at.min(now)),
    }
}
