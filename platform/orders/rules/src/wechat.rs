//! 微信支付 API v3: how calls are signed, and what it tells (its own documentation: 签名生成, 签名验证, 回调报文解密).

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use base64::{Engine, prelude::BASE64_STANDARD};
use infra::clock::Moment;
use serde_json::{Value, json};

use crate::{
    enums::{PayTerminal, RefundStatus},
    key,
};

/// How far its clock and ours may be apart, in seconds.
const SKEW: u64 = 300;

/// Who signs a call, and with what.
#[derive(Debug, Clone, Copy)]
pub struct Signer<'a> {
    pub mch_id: &'a str,
    pub serial_no: &'a str,
    pub private_key: &'a str,
    pub nonce: &'a str,
    /// Seconds since 1970.
    pub at: i64,
}

/// The header `Authorization` of a call; `path` with its query. None for a key that is none.
pub fn authorization(signer: Signer<'_>, method: &str, path: &str, body: &str) -> Option<String> {
    let Signer { mch_id, serial_no, private_key, nonce, at } = signer;
    let signature = key::signed(private_key, &format!("{method}\n{path}\n{at}\n{nonce}\n{body}\n"))?;
    Some(format!(
        "WECHATPAY2-SHA256-RSA2048 mchid=\"{mch_id}\",nonce_str=\"{nonce}\",signature=\"{signature}\",timestamp=\"{at}\",\
         serial_no=\"{serial_no}\""
    ))
}

/// What it signed: of its answers and of what it tells.
#[derive(Debug, Clone, Copy)]
pub struct Signed<'a> {
    pub timestamp: &'a str,
    pub nonce: &'a str,
    pub signature: &'a str,
    pub body: &'a str,
}

/// Whether it is theirs, and of these minutes.
pub fn is_theirs(signed: Signed<'_>, public_key: &str, now: Moment) -> bool {
    let Ok(at) = signed.timestamp.parse::<i64>() else { return false };
    let message = format!("{at}\n{}\n{}\n", signed.nonce, signed.body);
    now.timestamp().abs_diff(at) <= SKEW && key::is_signed(public_key, message.as_bytes(), signed.signature)
}

/// What stands sealed in `resource` of a message.
pub fn opened(resource: &Value, api_v3_key: &str) -> Option<Value> {
    let text = |field: &str| resource[field].as_str();
    let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, api_v3_key.as_bytes()).ok()?);
    let nonce = Nonce::try_assume_unique_for_key(text("nonce")?.as_bytes()).ok()?;
    let mut sealed = BASE64_STANDARD.decode(text("ciphertext")?).ok()?;
    let aad = Aad::from(text("associated_data").unwrap_or_default().as_bytes());
    let plain = key.open_in_place(nonce, aad, &mut sealed).ok()?;
    serde_json::from_slice(plain).ok()
}

/// A payment as it tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    pub order_no: String,
    pub trade_no: String,
    /// 分.
    pub amount: i64,
    pub paid_at: Option<Moment>,
}

/// None for one that is not paid.
pub fn transaction(told: &Value) -> Option<Transaction> {
    (told["trade_state"] == "SUCCESS").then_some(())?;
    Some(Transaction {
        order_no: told["out_trade_no"].as_str()?.to_owned(),
        trade_no: told["transaction_id"].as_str()?.to_owned(),
        amount: told["amount"]["total"].as_i64()?,
        paid_at: told["success_time"].as_str().and_then(|at| at.parse().ok()),
    })
}

/// What became of a refund, in its answer or its message.
pub fn refund_status(told: &Value) -> RefundStatus {
    match told["status"].as_str().or(told["refund_status"].as_str()) {
        Some("SUCCESS") => RefundStatus::Success,
        Some("CLOSED" | "ABNORMAL") => RefundStatus::Failed,
        _ => RefundStatus::Processing,
    }
}

/// An order that is to be paid.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    pub order_no: &'a str,
    pub title: &'a str,
    /// 分.
    pub amount: i64,
    pub pay_before: Moment,
    pub notify_url: &'a str,
    /// The buyer's address, for a page on a phone.
    pub client_ip: &'a str,
    /// Of the buyer inside 微信.
    pub open_id: Option<&'a str>,
}

/// Where an order is placed from a terminal.
pub const fn path(terminal: PayTerminal) -> &'static str {
    match terminal {
        PayTerminal::Pc => "/v3/pay/transactions/native",
        PayTerminal::H5 => "/v3/pay/transactions/h5",
        PayTerminal::App => "/v3/pay/transactions/app",
        PayTerminal::MiniProgram | PayTerminal::WechatBrowser => "/v3/pay/transactions/jsapi",
    }
}

/// What places an order.
pub fn placing(terminal: PayTerminal, (app_id, mch_id): (&str, &str), placed: Placed<'_>) -> Value {
    let mut body = json!({
        "appid": app_id,
        "mchid": mch_id,
        "description": placed.title.chars().take(42).collect::<String>(),
        "out_trade_no": placed.order_no,
        "time_expire": placed.pay_before.format("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        "notify_url": placed.notify_url,
        "amount": { "total": placed.amount, "currency": "CNY" },
    });
    match terminal {
        PayTerminal::H5 => {
            body["scene_info"] = json!({ "payer_client_ip": placed.client_ip, "h5_info": { "type": "Wap" } });
        }
        PayTerminal::MiniProgram | PayTerminal::WechatBrowser => {
            body["payer"] = json!({ "openid": placed.open_id });
        }
        PayTerminal::Pc | PayTerminal::App => {}
    }
    body
}

/// What a client needs that opens 微信 with what placing answered; signed once more. None for a key that is none.
pub fn client_parameters(terminal: PayTerminal, app_id: &str, signer: Signer<'_>, prepay: &str) -> Option<Value> {
    let Signer { mch_id, private_key, nonce, at, .. } = signer;
    let sign = |message: String| key::signed(private_key, &message);
    Some(match terminal {
        PayTerminal::App => json!({
            "appid": app_id, "partnerid": mch_id, "prepayid": prepay, "package": "Sign=WXPay", "noncestr": nonce,
            "timestamp": at.to_string(), "sign": sign(format!("{app_id}\n{at}\n{nonce}\n{prepay}\n"))?,
        }),
        PayTerminal::MiniProgram | PayTerminal::WechatBrowser => json!({
            "appId": app_id, "timeStamp": at.to_string(), "nonceStr": nonce, "package": format!("prepay_id={prepay}"),
            "signType": "RSA", "paySign": sign(format!("{app_id}\n{at}\n{nonce}\nprepay_id={prepay}\n"))?,
        }),
        PayTerminal::Pc | PayTerminal::H5 => json!({}),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const V3_KEY: &str = "0123456789abcdef0123456789ABCDEF";

    fn sealed(plain: &str) -> Value {
        let nonce = "abcdefghijkl";
        let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, V3_KEY.as_bytes()).expect("a key"));
        let mut bytes = plain.as_bytes().to_vec();
        let unique = Nonce::try_assume_unique_for_key(nonce.as_bytes()).expect("a nonce");
        key.seal_in_place_append_tag(unique, Aad::from(b"transaction".as_slice()), &mut bytes).expect("sealed");
        json!({ "nonce": nonce, "associated_data": "transaction", "ciphertext": BASE64_STANDARD.encode(bytes) })
    }

    #[test]
    fn a_sealed_message_opens_with_its_key() {
        let plain = json!({ "trade_state": "SUCCESS", "out_trade_no": "202705010000000001", "transaction_id": "4200001",
            "amount": { "total": 14_915 }, "success_time": "2027-05-01T10:00:00+08:00" });
        let told = opened(&sealed(&plain.to_string()), V3_KEY).expect("a message");
        assert_eq!(told, plain);
        let paid = transaction(&told).expect("a payment");
        assert_eq!(
            (paid.order_no.as_str(), paid.trade_no.as_str(), paid.amount),
            ("202705010000000001", "4200001", 14_915)
        );
        assert_eq!(paid.paid_at.map(|at| at.to_rfc3339()), Some("2027-05-01T10:00:00+08:00".to_owned()));
        assert_eq!(opened(&sealed(&plain.to_string()), "0123456789abcdef0123456789ABCDEX"), None);
        assert_eq!(transaction(&json!({ "trade_state": "NOTPAY" })), None);
    }

    #[test]
    fn what_it_signs_is_of_these_minutes() {
        let (private, public) = crate::key::tests::pair();
        let now: Moment = "2027-05-01T10:00:00+08:00".parse().expect("a moment");
        let signed = |at: i64, body: &str| key::signed(&private, &format!("{at}\nn1\n{body}\n")).expect("a signature");
        let theirs = |at: i64, body: &str, told: &str| {
            let (timestamp, signature) = (at.to_string(), signed(at, body));
            let signed = Signed { timestamp: &timestamp, nonce: "n1", signature: &signature, body: told };
            is_theirs(signed, &public, now)
        };
        let at = now.timestamp();
        assert!(theirs(at, "{}", "{}"));
        assert!(!theirs(at, "{}", "{ }"), "another body");
        assert!(!theirs(at - 301, "{}", "{}"), "too old");
        assert!(!theirs(i64::MIN, "{}", "{}"), "of no time at all");
    }

    #[test]
    fn a_call_is_signed_over_its_lines() {
        let (private_key, public) = crate::key::tests::pair();
        let signer =
            Signer { mch_id: "190001", serial_no: "5157F0", private_key: &private_key, nonce: "n1", at: 1_777_000_000 };
        let header = authorization(signer, "GET", "/v3/pay", "").expect("a header");
        let signature =
            header.split("signature=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a signature");
        assert!(key::is_signed(&public, b"GET\n/v3/pay\n1777000000\nn1\n\n", signature), "{header}");
        let client = client_parameters(PayTerminal::App, "wx1", signer, "p1").expect("parameters");
        let sign = client["sign"].as_str().expect("a signature");
        assert!(key::is_signed(&public, b"wx1\n1777000000\nn1\np1\n", sign));
    }

    #[test]
    fn a_refund_ends_or_goes_on() {
        let told = |word: &str| refund_status(&json!({ "status": word }));
        assert_eq!(
            ["SUCCESS", "ABNORMAL", "PROCESSING"].map(told),
            [RefundStatus::Success, RefundStatus::Failed, RefundStatus::Processing]
        );
        assert_eq!(refund_status(&json!({ "refund_status": "CLOSED" })), RefundStatus::Failed);
    }

    #[test]
    fn an_order_is_placed_as_its_terminal_wants() {
        let placed = Placed {
            order_no: "202705010000000001",
            title: "大学英语",
            amount: 14_915,
            pay_before: "2027-05-01T10:30:00+08:00".parse().expect("a moment"),
            notify_url: "https://cj.example.cn/notify",
            client_ip: "10.0.0.1",
            open_id: Some("o1"),
        };
        let body = placing(PayTerminal::WechatBrowser, ("wx1", "190001"), placed);
        assert_eq!(
            (&body["payer"]["openid"], &body["time_expire"]),
            (&json!("o1"), &json!("2027-05-01T10:30:00+08:00"))
        );
        assert_eq!(
            placing(PayTerminal::H5, ("wx1", "190001"), placed)["scene_info"]["payer_client_ip"],
            json!("10.0.0.1")
        );
        assert_eq!(path(PayTerminal::Pc), "/v3/pay/transactions/native");
    }
}
