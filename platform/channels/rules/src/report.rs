//! The bodies in which the providers push receipts: lists, one entry a short message.
//!
//! - 阿里云: <https://help.aliyun.com/document_detail/101867.html>
//! - 腾讯云: <https://www.tencentcloud.com/document/product/382/43547>

use std::collections::BTreeMap;

use chrono::NaiveDateTime;
use infra::clock::{Moment, china};
use serde_json::Value;
use setting_rules::kinds::SmsProvider;

use crate::enums::FailCode;

/// Longer numbers are no provider's.
const LONGEST_NUMBER: usize = 100;
const LONGEST_CODE: usize = 60;
const LONGEST_DETAIL: usize = 200;

/// What became of one short message.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The number that the provider gave the message when it took it.
    pub number: String,
    /// Whether the person got it.
    pub ok: bool,
    /// The provider's or the carrier's word for it.
    pub code: String,
    pub detail: String,
    /// None when the provider says it in no form that is known.
    pub at: Option<Moment>,
}

/// The entries of a body in the order of their numbers, the first of each; what is no receipt is left out. None when the
/// body is no list.
pub fn reports(provider: SmsProvider, body: &[u8]) -> Option<Vec<Report>> {
    let read = match provider {
        SmsProvider::Aliyun => of_aliyun,
        SmsProvider::Tencent => of_tencent,
        SmsProvider::Recorded => return None,
    };
    let entries: Vec<Value> = serde_json::from_slice(body).ok()?;
    let mut known = BTreeMap::new();
    for report in entries.iter().filter_map(read) {
        known.entry(report.number.clone()).or_insert(report);
    }
    Some(known.into_values().collect())
}

fn of_aliyun(entry: &Value) -> Option<Report> {
    let ok = match &entry["success"] {
        Value::Bool(ok) => *ok,
        Value::String(text) => text.parse().ok()?,
        _ => return None,
    };
    Some(Report {
        number: number(&entry["biz_id"])?,
        ok,
        code: words(&entry["err_code"], LONGEST_CODE),
        detail: words(&entry["err_msg"], LONGEST_DETAIL),
        at: moment(&entry["report_time"]),
    })
}

fn of_tencent(entry: &Value) -> Option<Report> {
    let ok = match entry["report_status"].as_str()? {
        "SUCCESS" => true,
        "FAIL" => false,
        _ => return None,
    };
    Some(Report {
        number: number(&entry["sid"])?,
        ok,
        code: words(&entry["errmsg"], LONGEST_CODE),
        detail: words(&entry["description"], LONGEST_DETAIL),
        at: moment(&entry["user_receive_time"]),
    })
}

fn number(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    let right = !text.is_empty() && text.len() <= LONGEST_NUMBER && text.bytes().all(|byte| byte.is_ascii_graphic());
    right.then(|| text.to_owned())
}

/// A text without the characters that no person reads and the database does not keep.
fn words(value: &Value, most: usize) -> String {
    let text = value.as_str().unwrap_or_default();
    text.chars().filter(|letter| !letter.is_control()).take(most).collect()
}

/// The providers tell the time in China.
fn moment(value: &Value) -> Option<Moment> {
    let at = NaiveDateTime::parse_from_str(value.as_str()?, "%Y-%m-%d %H:%M:%S").ok()?;
    at.and_local_timezone(china()).single().map(Moment::from)
}

/// What a failure is called here. Carriers have many codes of their own; those stay 服务商拒绝, with the code beside it.
pub fn meaning(code: &str) -> FailCode {
    match code {
        "INVALID_NUMBER" | "MOBILE_NOT_ON_SERVICE" => FailCode::InvalidAddress,
        "MOBILE_IN_BLACK" | "USER_REJECT" => FailCode::Blacklisted,
        "MOBILE_SEND_LIMIT" => FailCode::RateLimited,
        "CONTENT_KEYWORD" | "CONTENT_ERROR" | "REJECTD" => FailCode::ContentRejected,
        "EXPIRED" => FailCode::Timeout,
        "COMFAIL" | "WTNFAIL" => FailCode::ProviderBusy,
        _ => FailCode::ProviderRejected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The provider's own example.
    #[test]
    fn a_push_of_aliyun() {
        let body = r#"[{ "phone_number": "1381111****", "send_time": "2017-01-01 00:00:00", "report_time": "2017-01-01 00:00:05",
            "success": true, "err_code": "DELIVERED", "err_msg": "用户接收成功", "sms_size": "1", "biz_id": "12345^0",
            "out_id": "67890" }]"#;
        let told = reports(SmsProvider::Aliyun, body.as_bytes()).expect("a list");
        assert_eq!((told.len(), told[0].number.as_str(), told[0].ok), (1, "12345^0", true));
        assert_eq!(told[0].at.map(|at| at.to_rfc3339()).as_deref(), Some("2017-01-01T00:00:05+08:00"));
    }

    #[test]
    fn a_push_of_tencent() {
        let body = r#"[
            { "user_receive_time": "2015-10-17 08:03:04", "nationcode": "86", "mobile": "13xxxxxxxxx",
              "report_status": "SUCCESS", "errmsg": "DELIVRD", "description": "用户短信送达成功", "sid": "7:1" },
            { "user_receive_time": "", "report_status": "FAIL", "errmsg": "UNDELIV", "description": "关机", "sid": "7:2" }]"#;
        let told = reports(SmsProvider::Tencent, body.as_bytes()).expect("a list");
        assert_eq!(told.iter().map(|report| report.ok).collect::<Vec<_>>(), [true, false]);
        assert_eq!((told[1].code.as_str(), told[1].detail.as_str(), told[1].at), ("UNDELIV", "关机", None));
    }

    #[test]
    fn what_is_no_receipt_is_left_out() {
        let body = r#"[1, { "success": true }, { "biz_id": "1", "success": "maybe" }, { "biz_id": "a\u0000", "success": true },
            { "biz_id": "2", "success": false, "err_msg": "a\u0000b" }, { "biz_id": "2", "success": true }]"#;
        let told = reports(SmsProvider::Aliyun, body.as_bytes()).expect("a list");
        assert_eq!((told.len(), told[0].ok, told[0].detail.as_str()), (1, false, "ab"), "the first of each counts");
        assert_eq!(reports(SmsProvider::Aliyun, b"{}"), None);
        assert_eq!(reports(SmsProvider::Tencent, b"[]"), Some(Vec::new()));
    }
}
