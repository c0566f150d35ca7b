//! 支付宝: how calls are signed with RSA2, and what it tells (its own documentation: 自行实现签名, 异步通知说明).

use std::collections::BTreeMap;

use infra::clock::Moment;
use serde_json::Value;

use crate::{enums::PayTerminal, key};

/// Fields of a call or a message, in the order of their names.
pub type Fields = BTreeMap<String, String>;

/// Who calls.
#[derive(Debug, Clone, Copy)]
pub struct Caller<'a> {
    pub app_id: &'a str,
    pub private_key: &'a str,
    pub now: Moment,
}

fn joined(fields: &Fields) -> String {
    let parts = fields.iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| format!("{name}={value}"));
    parts.collect::<Vec<_>>().join("&")
}

/// The fields of a call with its signature, as a query. None for a key that is none.
pub fn query(
    caller: Caller<'_>,
    method: &str,
    content: &Value,
    addresses: (Option<&str>, Option<&str>),
) -> Option<String> {
    let mut fields: Fields = [
        ("app_id", caller.app_id),
        ("method", method),
        ("format", "JSON"),
        ("charset", "utf-8"),
        ("sign_type", "RSA2"),
        ("version", "1.0"),
        ("notify_url", addresses.0.unwrap_or_default()),
        ("return_url", addresses.1.unwrap_or_default()),
    ]
    .into_iter()
    .filter(|(_, value)| !value.is_empty())
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .collect();
    fields.insert("timestamp".to_owned(), caller.now.format("%Y-%m-%d %H:%M:%S").to_string());
    fields.insert("biz_content".to_owned(), content.to_string());
    let signature = key::signed(caller.private_key, &joined(&fields))?;
    fields.insert("sign".to_owned(), signature);
    serde_urlencoded::to_string(&fields).ok()
}

/// How an order is paid on a terminal: the method and the product of its contract.
pub const fn method(terminal: PayTerminal) -> (&'static str, &'static str) {
    match terminal {
        PayTerminal::Pc => ("alipay.trade.page.pay", "FAST_INSTANT_TRADE_PAY"),
        PayTerminal::App => ("alipay.trade.app.pay", "QUICK_MSECURITY_PAY"),
        PayTerminal::H5 | PayTerminal::MiniProgram | PayTerminal::WechatBrowser => {
            ("alipay.trade.wap.pay", "QUICK_WAP_WAY")
        }
    }
}

/// Whether a message is theirs.
pub fn is_theirs(told: &Fields, public_key: &str) -> bool {
    let Some(signature) = told.get("sign") else { return false };
    let mut fields = told.clone();
    fields.retain(|name, _| name != "sign" && name != "sign_type");
    key::is_signed(public_key, joined(&fields).as_bytes(), signature)
}

/// The node of an answer that bears the answer of a method, when it is signed by theirs: what is signed is its text as it came, and
/// nothing else of the answer is believed.
pub fn answer(text: &str, method: &str, public_key: &str) -> Option<Value> {
    let whole: Value = serde_json::from_str(text).ok()?;
    let name = format!("{}_response", method.replace('.', "_"));
    let begun = text.find(&format!("\"{name}\""))?;
    let from = begun + text[begun..].find('{')?;
    let to = from + end_of_object(&text[from..])?;
    key::is_signed(public_key, &text.as_bytes()[from..to], whole["sign"].as_str()?).then_some(())?;
    serde_json::from_str(&text[from..to]).ok()
}

/// Behind the bracket that closes the first one.
fn end_of_object(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (place, sign) in text.char_indices() {
        match sign {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' if !quoted => depth += 1,
            '}' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(place + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// An amount of 分 as it is written: 14915 → `149.15`.
pub fn written(fen: i64) -> String {
    format!("{}.{:02}", fen / 100, fen % 100)
}

/// The same back; none for what is no amount.
pub fn fen(written: &str) -> Option<i64> {
    let (yuan, rest) = written.split_once('.').unwrap_or((written, ""));
    if rest.len() > 2 || !rest.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let yuan: i64 = yuan.parse().ok().filter(|yuan| *yuan >= 0)?;
    let cents: i64 = format!("{rest:0<2}").parse().ok()?;
    yuan.checked_mul(100)?.checked_add(cents)
}

/// Whether a payment stands, by the word of its state.
pub fn is_paid(trade_status: Option<&str>) -> bool {
    matches!(trade_status, Some("TRADE_SUCCESS" | "TRADE_FINISHED"))
}

/// A moment as it writes it, of China: `2027-05-01 10:00:00`.
pub fn moment(written: &str) -> Option<Moment> {
    format!("{}+08:00", written.replacen(' ', "T", 1)).parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn amounts_are_written_in_yuan() {
        assert_eq!([14_915, 5, 100].map(written), ["149.15", "0.05", "1.00"]);
        let read = ["149.15", "0.05", "1", "1.5", "1.234", "x", "-1.00", "1.-5"].map(fen);
        assert_eq!(read, [Some(14_915), Some(5), Some(100), Some(150), None, None, None, None]);
    }

    #[test]
    fn a_message_is_signed_over_its_fields() {
        let (private, public) = crate::key::tests::pair();
        let mut told: Fields =
            [("total_amount", "149.15"), ("out_trade_no", "1"), ("subject", "大学 英语"), ("body", "")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into();
        let signature =
            key::signed(&private, "out_trade_no=1&subject=大学 英语&total_amount=149.15").expect("a signature");
        told.insert("sign".to_owned(), signature);
        told.insert("sign_type".to_owned(), "RSA2".to_owned());
        assert!(is_theirs(&told, &public));
        told.insert("total_amount".to_owned(), "0.01".to_owned());
        assert!(!is_theirs(&told, &public));
    }

    #[test]
    fn a_call_carries_its_signature() {
        let (private_key, public) = crate::key::tests::pair();
        let now: Moment = "2027-05-01T10:00:00+08:00".parse().expect("a moment");
        let caller = Caller { app_id: "2021", private_key: &private_key, now };
        let sent = query(caller, "alipay.trade.query", &json!({ "out_trade_no": "1" }), (None, None)).expect("a query");
        let fields: Fields = serde_urlencoded::from_str(&sent).expect("fields");
        assert_eq!((fields["timestamp"].as_str(), fields.contains_key("notify_url")), ("2027-05-01 10:00:00", false));
        // The kind of signature is signed in calls, other than in messages.
        let mut signed = fields.clone();
        signed.remove("sign");
        assert!(key::is_signed(&public, joined(&signed).as_bytes(), &fields["sign"]));
    }

    #[test]
    fn an_answer_is_signed_as_its_text_came() {
        let (private, public) = crate::key::tests::pair();
        let node = r#"{"code":"10000","trade_status":"TRADE_SUCCESS","subject":"a}\"{b"}"#;
        let signature = key::signed(&private, node).expect("a signature");
        let text = format!(r#"{{"alipay_trade_query_response":{node},"sign":"{signature}"}}"#);
        let read = answer(&text, "alipay.trade.query", &public).expect("an answer");
        assert_eq!(read["trade_status"], json!("TRADE_SUCCESS"));
        let forged = text.replace("10000", "10001");
        assert_eq!(answer(&forged, "alipay.trade.query", &public), None);
        // A second node of the same name is not signed.
        let doubled = format!(
            r#"{{"alipay_trade_query_response":{node},"alipay_trade_query_response":{{"code":"0"}},"sign":"{signature}"}}"#
        );
        assert_eq!(answer(&doubled, "alipay.trade.query", &public).expect("the signed one")["code"], json!("10000"));
    }

    #[test]
    fn its_times_are_chinas() {
        let at = moment("2027-05-01 10:00:00").map(|at| at.to_rfc3339());
        assert_eq!(at, Some("2027-05-01T10:00:00+08:00".to_owned()));
        assert!(is_paid(Some("TRADE_SUCCESS")) && !is_paid(Some("WAIT_BUYER_PAY")) && !is_paid(None));
    }
}
