//! 支付通道 and 支付规则, and what the providers tell: against providers of this process that check every signature (part 01 §9.4, §9.10
//! Orders 3, 5, 6, 7).

use std::sync::{Arc, Mutex};

use aws_lc_rs::{
    aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    rand::SystemRandom,
    rsa::KeyPair,
    signature::{ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use chrono::TimeDelta;
use kit::{
    Client, Server, fields,
    learners::{LEARNER, entered},
    lecturers::balance,
    orders::{
        CHANNEL, ORDER, OWN_ORDER, RULE, bought, coupon, member, mock_pays, order, pay, receive, refund, seen,
        sold_for, taught_by,
    },
    statistics::with,
};
use orders::provider::PayEndpoints;
use poem::{
    EndpointExt, Request, Response, Route, Server as HttpServer, handler,
    http::{Method, StatusCode},
    listener::{Acceptor, Listener, TcpListener},
    web::Data,
};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use rsa::{
    RsaPrivateKey,
    pkcs8::{EncodePrivateKey, EncodePublicKey},
};
use serde_json::{Value, json};

const PHONE: &str = "13900000005";
const MERCHANT: &str = "1900000109";
const APPLICATION: &str = "2021000000000001";
const V3_KEY: &str = "0123456789abcdef0123456789ABCDEF";

struct Pair {
    private: Vec<u8>,
    public: Vec<u8>,
}

impl Pair {
    fn new(server: &Server) -> Self {
        let mut rng = ChaCha20Rng::from_seed(server.app.random().bytes());
        let pair = RsaPrivateKey::new(&mut rng, 2048).expect("a key");
        Self {
            private: pair.to_pkcs8_der().expect("a private key").as_bytes().to_vec(),
            public: pair.to_public_key().to_public_key_der().expect("a public key").as_bytes().to_vec(),
        }
    }

    fn sign(&self, message: &str) -> String {
        let pair = KeyPair::from_pkcs8(&self.private).expect("a key");
        let mut signature = vec![0; pair.public_modulus_len()];
        pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message.as_bytes(), &mut signature).expect("a signature");
        BASE64_STANDARD.encode(signature)
    }

    fn signed(&self, message: &str, signature: &str) -> bool {
        let key = ParsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, self.public.clone()).expect("a key");
        BASE64_STANDARD.decode(signature).is_ok_and(|signature| key.verify_sig(message.as_bytes(), &signature).is_ok())
    }
}

/// Both providers at one address.
struct Providers {
    merchant: Pair,
    theirs: Pair,
    /// What they were asked: an address or a method, and what it said.
    asked: Mutex<Vec<(String, Value)>>,
    /// What 微信支付 knows of the order that somebody asks for.
    known: Mutex<Value>,
    /// How refunds end there.
    refunds: Mutex<&'static str>,
}

impl Providers {
    fn heard(&self, what: &str) -> Vec<Value> {
        let asked = self.asked.lock().expect("nothing panics");
        asked.iter().filter(|(told, _)| told == what).map(|(_, said)| said.clone()).collect()
    }

    fn refunds_end(&self, status: &'static str) {
        *self.refunds.lock().expect("nothing panics") = status;
    }

    fn wechat(&self, request: &Request, text: &str) -> Response {
        let header = request.header("authorization").unwrap_or_default();
        let part = |name: &str| {
            let rest = header.split(&format!("{name}=\"")).nth(1).unwrap_or_default();
            rest.split('"').next().unwrap_or_default().to_owned()
        };
        let (at, nonce) = (part("timestamp"), part("nonce_str"));
        let path = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
        let message = format!("{}\n{path}\n{at}\n{nonce}\n{text}\n", request.method());
        if part("mchid") != MERCHANT || !self.merchant.signed(&message, &part("signature")) {
            return Response::builder()
                .status(StatusCode::UNAUTHORIZED)
                .body(json!({ "message": "验签失败" }).to_string());
        }
        let said = serde_json::from_str(text).unwrap_or(Value::Null);
        self.asked.lock().expect("nothing panics").push((request.uri().path().to_owned(), said));
        let (status, answer) = match request.uri().path() {
            "/v3/pay/transactions/native" => (StatusCode::OK, json!({ "code_url": "weixin://wxpay/bizpayurl?pr=1" })),
            "/v3/refund/domestic/refunds" => {
                let refunds = *self.refunds.lock().expect("nothing panics");
                (StatusCode::OK, json!({ "status": refunds, "refund_id": "50300000001" }))
            }
            _ => match self.known.lock().expect("nothing panics").clone() {
                Value::Null => (StatusCode::NOT_FOUND, json!({ "code": "ORDER_NOT_EXIST", "message": "订单不存在" })),
                known => (StatusCode::OK, known),
            },
        };
        let body = answer.to_string();
        let signature = self.theirs.sign(&format!("{at}\nn1\n{body}\n"));
        Response::builder()
            .status(status)
            .header("wechatpay-timestamp", at)
            .header("wechatpay-nonce", "n1")
            .header("wechatpay-signature", signature)
            .content_type("application/json")
            .body(body)
    }

    fn alipay(&self, text: &str) -> Response {
        let fields = pairs(text);
        let of = |name: &str| {
            let found = fields.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let method = of("method");
        let node = if self.merchant.signed(&joined(&fields, &["sign"]), &of("sign")) {
            let said = serde_json::from_str(&of("biz_content")).expect("JSON");
            self.asked.lock().expect("nothing panics").push((method.clone(), said));
            json!({ "code": "10000", "msg": "Success" })
        } else {
            json!({ "code": "40002", "sub_msg": "验签出错" })
        };
        let (node, name) = (node.to_string(), method.replace('.', "_"));
        let signature = self.theirs.sign(&node);
        Response::builder().body(format!(r#"{{"{name}_response":{node},"sign":"{signature}"}}"#))
    }
}

/// The fields of a form.
fn pairs(text: &str) -> Vec<(String, String)> {
    let url = reqwest::Url::parse(&format!("http://a/?{text}")).expect("a form");
    url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
}

/// What is signed of fields: those with a value, in the order of their names.
fn joined(fields: &[(String, String)], but: &[&str]) -> String {
    let mut all: Vec<String> = fields
        .iter()
        .filter(|(name, value)| !but.contains(&name.as_str()) && !value.is_empty())
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    all.sort();
    all.join("&")
}

#[handler]
async fn answer_as_provider(request: &Request, body: poem::Body, providers: Data<&Arc<Providers>>) -> Response {
    let text = body.into_string().await.expect("a body");
    if request.uri().path() == "/gateway.do" { providers.alipay(&text) } else { providers.wechat(request, &text) }
}

async fn channel(server: &Server, code: &str) -> i64 {
    server.one(&format!("select id from platform.pay_channel where channel_code = '{code}'")).await
}

fn typed(key: &[u8]) -> String {
    format!("-----BEGIN KEY-----\n{}\n-----END KEY-----", BASE64_STANDARD.encode(key))
}

/// What is no secret of an account.
fn account(channel: i64, providers: &Providers) -> Value {
    json!({
        "channelId": channel, "appId": APPLICATION, "mchId": MERCHANT, "mchSerialNo": "5157F09EFDC096DE",
        "platformPublicKey": typed(&providers.theirs.public), "alipayPublicKey": typed(&providers.theirs.public),
    })
}

/// Both ways to pay are open on computers, at providers of this process.
async fn with_providers() -> (Server, Arc<Providers>) {
    let server = Server::start().await;
    let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await.expect("a port");
    let port = acceptor.local_addr()[0].as_socket_addr().expect("an address").port();
    let providers = Arc::new(Providers {
        merchant: Pair::new(&server),
        theirs: Pair::new(&server),
        asked: Mutex::default(),
        known: Mutex::default(),
        refunds: Mutex::new("SUCCESS"),
    });
    let app = Route::new().at("/*path", answer_as_provider.data(providers.clone()));
    tokio::spawn(HttpServer::new_with_acceptor(acceptor).run(app));
    let address = format!("http://127.0.0.1:{port}");
    server.app.of_room(|_| PayEndpoints { wechat: address.clone(), alipay: format!("{address}/gateway.do") });
    let operator = server.operator().await;
    let website = json!({
        "configName": "平台", "configKind": "website", "isDefault": true, "enabled": true,
        "content": { "title": "平台", "domain": "cj.example.cn" },
    });
    operator.post("/system/pc/sys/config/save", website).await.id();
    for code in ["wechat", "alipay"] {
        let id = channel(&server, code).await;
        let secrets = json!({ "privateKey": typed(&providers.merchant.private), "apiV3Key": V3_KEY });
        operator.post(&format!("{CHANNEL}/unique/save"), with(account(id, &providers), secrets)).await.data();
        operator.put(&format!("{CHANNEL}/update/status"), json!({ "id": id, "enabled": true })).await.data();
        let rule = json!({ "terminal": "pc", "payType": code, "channelId": id, "priority": 1 });
        operator.post(&format!("{RULE}/save"), rule).await.id();
    }
    (server, providers)
}

/// A message of 微信支付 as it is sent: signed at `at`, with `inside` sealed in it.
fn sealed(inside: &Value) -> String {
    let nonce = "abcdefghijkl";
    let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, V3_KEY.as_bytes()).expect("a key"));
    let mut bytes = inside.to_string().into_bytes();
    let unique = Nonce::try_assume_unique_for_key(nonce.as_bytes()).expect("a nonce");
    key.seal_in_place_append_tag(unique, Aad::from(b"transaction".as_slice()), &mut bytes).expect("sealed");
    let resource = json!({
        "algorithm": "AEAD_AES_256_GCM", "nonce": nonce, "associated_data": "transaction",
        "ciphertext": BASE64_STANDARD.encode(bytes),
    });
    json!({ "id": "1", "event_type": "TRANSACTION.SUCCESS", "resource": resource }).to_string()
}

async fn push(server: &Server, code: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
    let path = format!("/admin/apis/user/callback/pay/{code}");
    let response = server.anonymous().raw_with(Method::POST, &path, headers, body.as_bytes().to_vec()).await;
    let status = response.status().as_u16();
    (status, response.into_body().into_string().await.expect("a text"))
}

/// What 微信支付 tells, signed by a key at so many seconds from now.
async fn wechat_tells(server: &Server, key: &Pair, seconds: i64, body: &str) -> u16 {
    wechat_tells_at(server, "wechat", key, seconds, body).await
}

/// The same at the address of a channel.
async fn wechat_tells_at(server: &Server, code: &str, key: &Pair, seconds: i64, body: &str) -> u16 {
    let at = (server.app.clock().now().timestamp() + seconds).to_string();
    let signature = key.sign(&format!("{at}\nn2\n{body}\n"));
    let headers = [
        ("content-type", "application/json"),
        ("wechatpay-timestamp", at.as_str()),
        ("wechatpay-nonce", "n2"),
        ("wechatpay-signature", signature.as_str()),
    ];
    let (status, answer) = push(server, code, &headers, body).await;
    assert_eq!(status == 200, answer.contains("SUCCESS"), "{answer}");
    status
}

/// That an order was paid with so much, under a number of theirs.
fn came(order_no: &Value, number: &str, amount: i64) -> Value {
    json!({
        "mchid": MERCHANT, "trade_state": "SUCCESS", "out_trade_no": order_no, "transaction_id": number,
        "amount": { "total": amount }, "success_time": "2026-01-01T10:00:00+08:00",
    })
}

/// What 支付宝 tells of an order of 199.00 yuan.
async fn alipay_tells(server: &Server, key: &Pair, order_no: &Value, number: &str) -> (u16, String) {
    let mut fields: Vec<(String, String)> = [
        ("app_id", APPLICATION),
        ("out_trade_no", order_no.as_str().expect("a number")),
        ("trade_no", number),
        ("trade_status", "TRADE_SUCCESS"),
        ("total_amount", "199.00"),
        ("gmt_payment", "2026-01-01 10:00:00"),
        ("subject", "学位 英语"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
    let signature = key.sign(&joined(&fields, &[]));
    fields.push(("sign_type".to_owned(), "RSA2".to_owned()));
    fields.push(("sign".to_owned(), signature));
    let url = reqwest::Url::parse_with_params("http://a/", &fields).expect("a form");
    let body = url.query().expect("a form").to_owned();
    push(server, "alipay", &[("content-type", "application/x-www-form-urlencoded")], &body).await
}

async fn cancel(own: &Client<'_>, placed: &Value) {
    own.post(&format!("{OWN_ORDER}/cancel"), json!({ "orderNo": placed["orderNo"] })).await.data();
}

async fn rights(own: &Client<'_>) -> usize {
    own.get(&format!("{LEARNER}/view")).await.data()["rights"].as_array().expect("rights").len()
}

fn number(placed: &Value) -> i64 {
    placed["id"].as_i64().expect("a number")
}

/// Acceptance (3): the same told five times is one right and one booking; another amount is none.
#[tokio::test]
async fn a_payment_that_is_told_five_times_counts_once() {
    let (server, providers) = with_providers().await;
    let operator = server.operator().await;
    let course = sold_for(&server, "学位英语", 19_900).await;
    let (_, teaching) = entered(&server, "13900000011").await;
    taught_by(&server, course, teaching).await;
    let (own, learner) = entered(&server, PHONE).await;
    member(&operator, learner).await;
    let off = coupon(&server, &operator, 1, json!({})).await;
    let held = receive(&own, off).await.id();
    let placed = order(&own, course, json!({ "couponUserId": held })).await.data().clone();
    let begun = pay(&own, &placed, "wechat").await.data().clone();
    assert_eq!(
        (&begun["codeUrl"], &begun["orderStatus"]),
        (&json!("weixin://wxpay/bizpayurl?pr=1"), &json!("pending"))
    );
    let asked = &providers.heard("/v3/pay/transactions/native")[0];
    assert_eq!((&asked["out_trade_no"], &asked["amount"]["total"]), (&placed["orderNo"], &json!(14_915)));
    assert_eq!(asked["notify_url"], json!("https://cj.example.cn/admin/apis/user/callback/pay/wechat"));
    let id = number(&placed);

    let little = sealed(&came(&placed["orderNo"], "42000001", 14_914));
    assert_eq!(wechat_tells(&server, &providers.theirs, 0, &little).await, 200);
    let shown = seen(&operator, id).await;
    assert_eq!((&shown["orderStatus"], &shown["abnormal"]), (&json!("pending"), &json!("amount_mismatch")));
    assert_eq!((&shown["payments"][0]["outcome"], rights(&own).await), (&json!("amount_mismatch"), 0));
    let found = operator.post(&format!("{ORDER}/list"), json!({ "abnormal": "amount_mismatch" })).await;
    assert_eq!(found.data()["totalCount"], json!(1));

    // What is not theirs, or of another hour, or sealed with another key is not believed.
    let right = sealed(&came(&placed["orderNo"], "42000002", 14_915));
    assert_eq!(wechat_tells(&server, &providers.merchant, 0, &right).await, 400);
    assert_eq!(wechat_tells(&server, &providers.theirs, -3_600, &right).await, 400);
    let torn = right.replace("\"ciphertext\":\"", "\"ciphertext\":\"AAAA");
    assert_eq!(wechat_tells(&server, &providers.theirs, 0, &torn).await, 400);
    let foreign = sealed(&with(came(&placed["orderNo"], "42000002", 14_915), json!({ "mchid": "1900000000" })));
    assert_eq!(wechat_tells(&server, &providers.theirs, 0, &foreign).await, 400);
    assert_eq!(seen(&operator, id).await["orderStatus"], json!("pending"));
    let unknown = sealed(&came(&json!("202601010000000009"), "42000009", 1));
    assert_eq!(wechat_tells(&server, &providers.theirs, 0, &unknown).await, 200, "another installation's");

    for _ in 0..5 {
        assert_eq!(wechat_tells(&server, &providers.theirs, 0, &right).await, 200);
    }
    let shown = seen(&operator, id).await;
    assert_eq!(
        (&shown["orderStatus"], &shown["abnormal"], &shown["tradeNo"], &shown["feeAmount"]),
        (&json!("paid"), &json!("none"), &json!("42000002"), &json!(89))
    );
    let lecturers: i64 = server.one("select lecturer_profit from platform.order_info").await;
    assert_eq!((rights(&own).await, balance(&server, teaching).await), (1, format!("0/{lecturers}/0")));
    let booked: i64 = server.one("select count(*) from platform.account_journal").await;
    let paid: i64 = server.one("select count(*) from platform.order_payment where outcome = 'paid'").await;
    assert_eq!((booked, paid), (1, 1));
    let used: String = server.one(&format!("select status from platform.coupon_user where id = {held}")).await;
    assert_eq!(used, "used");
}

/// A refund that does not end at once ends by what the provider tells, or when it is asked again.
#[tokio::test]
async fn a_refund_ends_when_the_provider_says_so() {
    let (server, providers) = with_providers().await;
    let operator = server.operator().await;
    let course = sold_for(&server, "学位英语", 17_900).await;
    let (own, _) = entered(&server, PHONE).await;
    let placed = order(&own, course, json!({})).await.data().clone();
    pay(&own, &placed, "wechat").await.data();
    let paid = sealed(&came(&placed["orderNo"], "42000001", 17_900));
    assert_eq!(wechat_tells(&server, &providers.theirs, 0, &paid).await, 200);
    let id = number(&placed);
    providers.refunds_end("PROCESSING");
    refund(&operator, id, 5_000).await.data();
    let shown = seen(&operator, id).await;
    assert_eq!((&shown["orderStatus"], &shown["refundedAmount"]), (&json!("refunding"), &json!(0)));
    assert_eq!(refund(&operator, id, 100).await.refused(), (409, "订单退款中，不能退款"));
    let asked = &providers.heard("/v3/refund/domestic/refunds")[0];
    assert_eq!(asked["amount"], json!({ "refund": 5_000, "total": 17_900, "currency": "CNY" }));
    let told = json!({
        "mchid": MERCHANT, "out_refund_no": shown["refunds"][0]["refundNo"], "refund_id": "50300000001", "refund_status": "SUCCESS",
    });
    let told = sealed(&told);
    for _ in 0..2 {
        assert_eq!(wechat_tells(&server, &providers.theirs, 0, &told).await, 200);
    }
    let shown = seen(&operator, id).await;
    assert_eq!((&shown["orderStatus"], &shown["refundedAmount"]), (&json!("paid"), &json!(5_000)));
    // One that is refused leaves the order as it was.
    providers.refunds_end("ABNORMAL");
    let refused = refund(&operator, id, 1_000).await.data().clone();
    assert_eq!(
        (&refused["status"], &refused["warnings"]),
        (&json!("failed"), &json!(["退款关闭或异常，请到商户平台处理"]))
    );
    let shown = seen(&operator, id).await;
    assert_eq!((&shown["orderStatus"], &shown["refundedAmount"]), (&json!("paid"), &json!(5_000)));
    assert_eq!(shown["refunds"][1]["status"], json!("failed"));
    assert_eq!(shown["refunds"][1]["failReason"], json!("退款关闭或异常，请到商户平台处理"));
    // Asked again under the same number.
    providers.refunds_end("PROCESSING");
    refund(&operator, id, 12_900).await.data();
    providers.refunds_end("SUCCESS");
    server.when_due("order.refund", TimeDelta::minutes(4)).await;
    let shown = seen(&operator, id).await;
    assert_eq!((&shown["orderStatus"], &shown["refunds"][2]["status"]), (&json!("refunded"), &json!("success")));
    let numbers: Vec<Value> = providers
        .heard("/v3/refund/domestic/refunds")
        .iter()
        .skip(2)
        .map(|asked| asked["out_refund_no"].clone())
        .collect();
    assert!(numbers.len() == 2 && numbers[0] == numbers[1], "{numbers:?}");
    assert_eq!(rights(&own).await, 0);
}

/// Two channels of one account are both told: a number of the provider is one payment, and nothing of it goes back.
#[tokio::test]
async fn a_payment_is_one_at_all_channels_of_its_account() {
    let (server, providers) = with_providers().await;
    let operator = server.operator().await;
    let form = json!({
        "channelCode": "wechat_b", "channelName": "微信支付（二）", "provider": "wechat_v3", "payType": "wechat", "feeRate": 0.006,
    });
    let second = operator.post(&format!("{CHANNEL}/save"), form).await.id();
    let secrets = json!({ "privateKey": typed(&providers.merchant.private), "apiV3Key": V3_KEY });
    operator.post(&format!("{CHANNEL}/unique/save"), with(account(second, &providers), secrets)).await.data();
    let course = sold_for(&server, "学位英语", 19_900).await;
    let (own, _) = entered(&server, PHONE).await;
    let placed = order(&own, course, json!({})).await.data().clone();
    pay(&own, &placed, "wechat").await.data();
    let told = sealed(&came(&placed["orderNo"], "42000001", 19_900));
    assert_eq!(wechat_tells(&server, &providers.theirs, 0, &told).await, 200);
    assert_eq!(wechat_tells_at(&server, "wechat_b", &providers.theirs, 0, &told).await, 200);
    let shown = seen(&operator, number(&placed)).await;
    assert_eq!((&shown["orderStatus"], shown["payments"].as_array().map(Vec::len)), (&json!("paid"), Some(1)));
    assert_eq!((providers.heard("/v3/refund/domestic/refunds").len(), rights(&own).await), (0, 1));
    // A time at the end of its type is no time of theirs, and stops nothing.
    let at = i64::MIN.to_string();
    let signature = providers.theirs.sign(&format!("{at}\nn2\n{told}\n"));
    let headers = [
        ("content-type", "application/json"),
        ("wechatpay-timestamp", at.as_str()),
        ("wechatpay-nonce", "n2"),
        ("wechatpay-signature", signature.as_str()),
    ];
    assert_eq!(push(&server, "wechat", &headers, &told).await.0, 400);
}

/// Nobody pays twice for one product: its second order does not begin to be paid, and what comes for it all the same goes back.
#[tokio::test]
async fn what_comes_for_a_product_that_is_owned_goes_back() {
    let (server, providers) = with_providers().await;
    let operator = server.operator().await;
    let course = sold_for(&server, "学位英语", 19_900).await;
    let (own, _) = entered(&server, PHONE).await;
    let held = coupon(&server, &operator, 1, json!({})).await;
    let held = receive(&own, held).await.id();
    let first = order(&own, course, json!({})).await.data().clone();
    pay(&own, &first, "wechat").await.data();
    cancel(&own, &first).await;
    let second = order(&own, course, json!({ "couponUserId": held })).await.data().clone();
    pay(&own, &second, "wechat").await.data();
    let late = sealed(&came(&first["orderNo"], "42000001", 19_900));
    assert_eq!(wechat_tells(&server, &providers.theirs, 0, &late).await, 200);
    assert_eq!(pay(&own, &second, "wechat").await.refused(), (409, "您已购买该商品"));
    let twice = sealed(&came(&second["orderNo"], "42000002", 17_900));
    assert_eq!(wechat_tells(&server, &providers.theirs, 0, &twice).await, 200);
    let shown = seen(&operator, number(&second)).await;
    assert_eq!((&shown["orderStatus"], &shown["payments"][0]["outcome"]), (&json!("refunded"), &json!("returned")));
    assert_eq!((&shown["refunds"][0]["status"], &shown["refunds"][0]["amount"]), (&json!("success"), &json!(17_900)));
    let status: String = server.one(&format!("select status from platform.coupon_user where id = {held}")).await;
    assert_eq!((rights(&own).await, status.as_str()), (1, "unused"));
}

/// Acceptance (5): what comes after the order was closed is honoured, or goes back to whoever has the product by now.
#[tokio::test]
async fn money_that_comes_late_buys_or_goes_back() {
    let (server, providers) = with_providers().await;
    let operator = server.operator().await;
    let course = sold_for(&server, "学位英语", 19_900).await;
    let (own, _) = entered(&server, PHONE).await;
    let first = order(&own, course, json!({})).await.data().clone();
    let begun = pay(&own, &first, "alipay").await.data().clone();
    let address = begun["payUrl"].as_str().expect("an address").to_owned();
    let query = pairs(address.split_once('?').expect("a query").1);
    let of =
        |name: &str| query.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).unwrap_or_default();
    assert!(providers.merchant.signed(&joined(&query, &["sign"]), &of("sign")), "{address}");
    assert_eq!(of("method"), "alipay.trade.page.pay");
    cancel(&own, &first).await;
    let second = order(&own, course, json!({})).await.data().clone();
    cancel(&own, &second).await;

    let forged = alipay_tells(&server, &providers.merchant, &first["orderNo"], "2026A").await;
    assert_eq!(forged.0, 400);
    let taken = alipay_tells(&server, &providers.theirs, &first["orderNo"], "2026A").await;
    assert_eq!(taken, (200, "success".to_owned()));
    let shown = seen(&operator, number(&first)).await;
    assert_eq!((&shown["orderStatus"], &shown["abnormal"]), (&json!("paid"), &json!("late_paid")));
    assert_eq!(rights(&own).await, 1);

    // The second is not needed any more.
    assert_eq!(alipay_tells(&server, &providers.theirs, &second["orderNo"], "2026B").await.0, 200);
    let shown = seen(&operator, number(&second)).await;
    assert_eq!((&shown["orderStatus"], &shown["abnormal"]), (&json!("refunded"), &json!("late_paid")));
    assert_eq!(
        (&shown["payments"][0]["outcome"], &shown["refunds"][0]["status"]),
        (&json!("returned"), &json!("success"))
    );
    let asked = providers.heard("alipay.trade.refund");
    assert_eq!(
        (asked.len(), &asked[0]["trade_no"], &asked[0]["refund_amount"]),
        (1, &json!("2026B"), &json!("199.00"))
    );
    assert_eq!(shown["refunds"][0]["operatorName"], Value::Null);

    // Paid twice: the order is paid, and the second payment goes back.
    assert_eq!(alipay_tells(&server, &providers.theirs, &first["orderNo"], "2026C").await.0, 200);
    let shown = seen(&operator, number(&first)).await;
    assert_eq!((&shown["orderStatus"], &shown["refundedAmount"]), (&json!("paid"), &json!(0)));
    assert_eq!(shown["payments"].as_array().map(Vec::len), Some(2));
    assert_eq!((providers.heard("alipay.trade.refund").len(), rights(&own).await), (2, 1));
    let who: i64 = server
        .one("select count(*) from platform.audit_log where entity_type = 'order_info' and actor_name = '支付服务商'")
        .await;
    assert!(who > 0, "the trail says who told of it");
}

#[tokio::test]
async fn a_provider_is_asked_whether_an_order_is_paid() {
    let (server, providers) = with_providers().await;
    let operator = server.operator().await;
    let course = sold_for(&server, "学位英语", 19_900).await;
    let (own, _) = entered(&server, PHONE).await;
    let placed = order(&own, course, json!({})).await.data().clone();
    pay(&own, &placed, "wechat").await.data();
    let query = async || operator.post(&format!("{ORDER}/queryPay"), json!({ "id": placed["id"] })).await;
    let waiting = query().await.data().clone();
    assert_eq!((&waiting["done"], &waiting["orderStatus"]), (&json!(0), &json!("pending")));
    *providers.known.lock().expect("nothing panics") = came(&placed["orderNo"], "42000001", 19_900);
    let paid = query().await.data().clone();
    assert_eq!((&paid["done"], &paid["orderStatus"]), (&json!(1), &json!("paid")));
    assert_eq!(query().await.refused(), (409, "订单已支付，无需查询"));
    assert_eq!(rights(&own).await, 1);
    // What the provider tells of it later is known.
    let told = sealed(&came(&placed["orderNo"], "42000001", 19_900));
    assert_eq!(wechat_tells(&server, &providers.theirs, 0, &told).await, 200);
    let count: i64 = server.one("select count(*) from platform.order_payment").await;
    assert_eq!(count, 1);
}

/// Acceptance (6): a secret is never shown, and stays when it is not typed.
#[tokio::test]
async fn secrets_stay_and_payments_go_on() {
    let (server, providers) = with_providers().await;
    let operator = server.operator().await;
    let id = channel(&server, "wechat").await;
    let shown = operator.get(&format!("{CHANNEL}/unique/view?channelId={id}")).await.data().clone();
    assert_eq!((&shown["privateKey"], &shown["apiV3Key"]), (&Value::Null, &Value::Null));
    assert_eq!((&shown["privateKeySet"], &shown["apiV3KeySet"]), (&json!(true), &json!(true)));
    let save =
        async |more: Value| operator.post(&format!("{CHANNEL}/unique/save"), with(account(id, &providers), more)).await;
    assert_eq!(fields(&save(json!({ "privateKey": "nonsense" })).await), ["privateKey: 私钥格式错误"]);
    save(json!({})).await.data();
    let course = sold_for(&server, "学位英语", 19_900).await;
    let (own, _) = entered(&server, PHONE).await;
    let placed = order(&own, course, json!({})).await.data().clone();
    pay(&own, &placed, "wechat").await.data();
    let told = sealed(&came(&placed["orderNo"], "42000001", 19_900));
    assert_eq!(wechat_tells(&server, &providers.theirs, 0, &told).await, 200);
    assert_eq!(rights(&own).await, 1);
    // A key that is another's: the provider says so, and nothing is lost.
    let other = Pair::new(&server);
    save(json!({ "privateKey": typed(&other.private) })).await.data();
    let next = sold_for(&server, "写作课", 19_900).await;
    let placed = order(&own, next, json!({})).await.data().clone();
    assert_eq!(pay(&own, &placed, "wechat").await.refused(), (409, "支付服务商未受理：验签失败"));
    assert_eq!(seen(&operator, number(&placed)).await["orderStatus"], json!("pending"));
}

#[tokio::test]
async fn a_channel_lives_as_long_as_it_is_used() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let form = |more: Value| {
        let form = json!({ "channelCode": "bank_b", "channelName": "对公转账", "provider": "offline", "payType": "offline", "feeRate": 0 });
        with(form, more)
    };
    let save = async |more: Value| operator.post(&format!("{CHANNEL}/save"), form(more)).await;
    assert_eq!(fields(&save(json!({ "payType": "wechat" })).await), ["payType: 支付方式与服务商不符，请重新选择"]);
    assert_eq!(fields(&save(json!({ "feeRate": 0.00601 })).await), ["feeRate: 手续费率最多四位小数"]);
    assert_eq!(fields(&save(json!({ "channelCode": "wechat" })).await), ["channelCode: 通道编码已存在"]);
    let id = save(json!({})).await.id();
    let edit = async |more: Value| {
        let version = operator.get(&format!("{CHANNEL}/view?id={id}")).await.data()["version"].clone();
        operator.put(&format!("{CHANNEL}/edit"), with(form(more), json!({ "id": id, "version": version }))).await
    };
    assert_eq!(fields(&edit(json!({ "channelCode": "bank_c" })).await), ["channelCode: 通道编码不能修改"]);
    assert_eq!(fields(&edit(json!({ "provider": "mock" })).await), ["provider: 服务商不能修改，请新增通道"]);
    edit(json!({ "channelName": "对公转账（二）", "feeRate": 0.001 })).await.data();
    let shown = operator.get(&format!("{CHANNEL}/view?id={id}")).await.data().clone();
    assert_eq!(
        (&shown["channelName"], &shown["feeRate"], &shown["configured"]),
        (&json!("对公转账（二）"), &json!(0.001), &json!(true))
    );
    let switch = async |id: i64, enabled: bool| {
        operator.put(&format!("{CHANNEL}/update/status"), json!({ "id": id, "enabled": enabled })).await
    };
    switch(id, true).await.data();
    let delete = async || operator.delete(&format!("{CHANNEL}/delete?id={id}")).await;
    assert_eq!(delete().await.refused(), (409, "通道已启用，请先停用再删除"));
    let rule = json!({ "terminal": "pc", "payType": "offline", "channelId": id, "priority": 1 });
    let rule = operator.post(&format!("{RULE}/save"), rule).await.id();
    switch(id, false).await.data();
    let used = delete().await;
    assert!(used.code() == 409 && used.msg().contains("支付规则"), "{}", used.body);
    operator.delete(&format!("{RULE}/delete?id={rule}")).await.data();
    assert_eq!(delete().await.id(), id);
    // What pays with nothing pays only where all data are invented.
    let mock = json!({ "channelCode": "mock_b", "channelName": "模拟支付", "provider": "mock", "payType": "wechat" });
    let mock = save(mock).await.id();
    assert_eq!(switch(mock, true).await.refused(), (409, "模拟支付只能用于演示环境，正式环境不能启用"));
}

/// The smallest priority among the rules that hold the amount and whose channel is open. Acceptance (7) without one.
#[tokio::test]
async fn rules_choose_a_channel() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let mock = mock_pays(&server).await;
    let other: i64 = server
        .one(
            "insert into platform.pay_channel (channel_code, channel_name, provider, pay_type, configured, enabled, created_by,
                 updated_by)
             values ('mock_b', '模拟支付二', 'mock', 'wechat', true, true, 0, 0) returning id",
        )
        .await;
    let save = async |more: Value| {
        let rule = json!({ "terminal": "pc", "payType": "wechat", "channelId": other, "priority": 2 });
        operator.post(&format!("{RULE}/save"), with(rule, more)).await
    };
    assert_eq!(save(json!({ "priority": 1 })).await.refused(), (409, "该终端和支付方式已有相同优先级的规则"));
    assert_eq!(fields(&save(json!({ "payType": "alipay" })).await), ["channelId: 所选支付通道不是该支付方式"]);
    assert_eq!(
        fields(&save(json!({ "payType": "free" })).await),
        ["payType: 免费订单不需要支付规则，请选择其他支付方式"]
    );
    assert_eq!(fields(&save(json!({ "channelId": 999 })).await), ["channelId: 所选支付通道不存在，请重新选择"]);
    assert_eq!(fields(&save(json!({ "minAmount": 2, "maxAmount": 1 })).await), ["maxAmount: 最高金额不能低于最低金额"]);
    save(json!({})).await.id();
    // The first takes amounts of up to 100 yuan from now on.
    server.run(&format!("update platform.pay_rule set max_amount = 10000 where channel_id = {mock}")).await;
    let (own, _) = entered(&server, PHONE).await;
    let paid_by = async |price: i64| {
        let course = sold_for(&server, &format!("课程{price}"), price).await;
        let id = bought(&own, course, json!({})).await;
        seen(&operator, id).await["channelName"].clone()
    };
    assert_eq!(paid_by(10_000).await, json!("模拟支付"));
    assert_eq!(paid_by(10_001).await, json!("模拟支付二"));
    operator.put(&format!("{CHANNEL}/update/status"), json!({ "id": mock, "enabled": false })).await.data();
    assert_eq!(paid_by(9_000).await, json!("模拟支付二"));
    let listed = operator.post(&format!("{RULE}/list"), json!({ "terminal": "pc" })).await.data().clone();
    assert_eq!((&listed["list"][0]["channelUsable"], &listed["list"][1]["priority"]), (&json!(false), &json!(2)));
    let off = json!({ "id": listed["list"][1]["id"], "enabled": false });
    operator.put(&format!("{RULE}/update/status"), off).await.data();
    let course = sold_for(&server, "写作课", 8_000).await;
    let placed = order(&own, course, json!({})).await.data().clone();
    assert_eq!(pay(&own, &placed, "wechat").await.refused(), (409, "暂无可用的支付方式"));
    // No longer a demonstration: what pays with nothing does not pay.
    operator
        .put(&format!("{RULE}/update/status"), json!({ "id": listed["list"][1]["id"], "enabled": true }))
        .await
        .data();
    server.run("delete from platform.demonstration").await;
    assert_eq!(pay(&own, &placed, "wechat").await.refused(), (409, "暂无可用的支付方式"));
}
