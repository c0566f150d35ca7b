//! Where files go, what is swept away, and the channels of videos against a provider that checks every signature (01 §4).

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use aws_lc_rs::{digest, hmac};
use base64::{Engine, prelude::BASE64_STANDARD};
use infra::schedule::{Schedule, When};
use kit::{Client, Server};
use md5::{Digest, Md5};
use poem::{
    Endpoint, EndpointExt, Request, Response, Route, Server as HttpServer, handler,
    http::{Method, StatusCode},
    listener::{Acceptor, Listener, TcpListener},
    web::Data,
};
use serde_json::{Value, json};
use settings::media::Endpoints;

const CONFIG: &str = "/system/pc/sys/config/save";
const PRESIGN: &str = "/system/pc/upload/presign";
const COMPLETE: &str = "/system/pc/upload/complete";
pub(crate) const SECRET: &str = "s3cret-of-the-provider";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn md5(text: &str) -> String {
    hex(&Md5::digest(text.as_bytes()))
}

/// `a=1&b=2` of everything but the signature, in the order of the names.
fn sorted(fields: &BTreeMap<String, String>) -> String {
    let pairs = fields.iter().filter(|(name, _)| *name != "sign").map(|(name, value)| format!("{name}={value}"));
    pairs.collect::<Vec<_>>().join("&")
}

/// What the providers were asked and what they say of their videos.
#[derive(Default)]
pub(crate) struct Provider {
    /// Where it listens.
    address: String,
    asked: Mutex<Vec<String>>,
    received: Mutex<Vec<u8>>,
    /// The parameters of 阿里云's SetMessageCallback.
    told: Mutex<BTreeMap<String, String>>,
}

/// Three providers at one address; a call whose signature is wrong is refused as they refuse it.
#[handler]
async fn answer_as_provider(request: &Request, body: poem::Body, provider: Data<&Arc<Provider>>) -> Response {
    let path = request.uri().path().to_owned();
    provider.asked.lock().expect("nothing panics").push(path.clone());
    let bytes = body.into_vec().await.expect("a body");
    if path == "/receive" {
        *provider.received.lock().expect("nothing panics") = bytes;
        return StatusCode::OK.into();
    }
    let text = String::from_utf8(bytes).expect("a form");
    let query = if text.is_empty() { request.uri().query().unwrap_or_default() } else { &text };
    let fields: BTreeMap<String, String> = poem::http::Uri::builder()
        .path_and_query(format!("/?{query}"))
        .build()
        .map(|uri| form(uri.query().unwrap_or_default()))
        .expect("a query");
    let field = |name: &str| fields.get(name).map(String::as_str).unwrap_or_default();
    let answer = if path.starts_with("/v2/uploadvideo/direct/") {
        let right = field("sign") == md5(&format!("{SECRET}{}", field("ptime")))
            && field("hash") == md5(&format!("{}write-token", field("ptime")));
        let policy = BASE64_STANDARD.encode(r#"{"expiration":"2099-01-01T00:00:00.000Z"}"#);
        if right {
            json!({ "code": 200, "status": "success", "data": { "vid": "poly_1", "host": format!("{}/receive", provider.address),
                "policy": policy, "accessid": "id", "signature": "sig", "callback": "cb", "dir": "a/b/" } })
        } else {
            json!({ "code": 400, "status": "error", "message": "the sign is not right." })
        }
    } else if path.starts_with("/v2/video/") || path.ends_with("/main") {
        let hash = digest::digest(&digest::SHA1_FOR_LEGACY_USE_ONLY, format!("{}{SECRET}", sorted(&fields)).as_bytes());
        let right = field("sign") == hex(hash.as_ref()).to_uppercase();
        if right && path.ends_with("/get-new-list") {
            let of_page = |page: &str| match page {
                "1" => json!([{ "vid": "poly_1", "title": "第一讲" }, { "vid": "poly_2", "title": "旧课件" }]),
                "2" => json!([{ "vid": "poly_3", "title": "" }]),
                _ => json!(""),
            };
            json!({ "code": 200, "status": "success", "data": of_page(field("pageNum")) })
        } else if right {
            json!({ "code": 200, "data": [{ "vid": field("vid"), "status": "61", "duration": "00:03:12", "first_image": "https://img.example.cn/1.jpg",
                "mp4": "https://mpv.example.cn/1.mp4", "seed": if field("vid") == "sealed" { 1 } else { 0 } }] })
        } else {
            json!({ "code": 400, "message": "the sign is not right." })
        }
    } else if path == "/service/v1/token" {
        let joined: String =
            fields.iter().filter(|(name, _)| *name != "sign").map(|(name, value)| format!("{name}{value}")).collect();
        if field("sign") == md5(&format!("{SECRET}{joined}{SECRET}")).to_uppercase() {
            json!({ "code": 200, "data": { "token": format!("play-{}", field("videoId")) } })
        } else {
            json!({ "code": 400, "message": "wrong sign" })
        }
    } else if path == "/live/v3/channel/basic/get" {
        let joined: String =
            fields.iter().filter(|(name, _)| *name != "sign").map(|(name, value)| format!("{name}{value}")).collect();
        if field("sign") != md5(&format!("{SECRET}{joined}{SECRET}")).to_uppercase() {
            json!({ "code": 403, "status": "error", "message": "invalid signature." })
        } else if field("channelId") == "3021456" {
            json!({ "code": 200, "status": "success", "data": { "channelId": 3_021_456, "name": " 一号厅（新） ",
                "maxViewerRestrict": "Y", "maxViewer": 300, "watchStatus": "live" } })
        } else {
            json!({ "code": 400, "status": "error", "message": "channel not found." })
        }
    } else if path == "/openapi/room/info" {
        if field("sign") == md5(&format!("{}&partner_key={SECRET}", sorted(&fields))) {
            json!({ "code": 0, "data": { "room_id": field("room_id"), "title": "小班教室", "max_users": "0" } })
        } else {
            json!({ "code": 1002, "msg": "sign error" })
        }
    } else if path.starts_with("/openapi/video/") {
        if field("sign") != md5(&format!("{}&partner_key={SECRET}", sorted(&fields))) {
            json!({ "code": 1004, "msg": "sign error" })
        } else if path.ends_with("getVideoList") {
            let listed = match field("page") {
                "1" => json!([{ "video_id": 7788, "name": "第一讲" }]),
                "2" => json!([{ "video_id": 99, "name": "直播回放" }]),
                _ => json!([]),
            };
            json!({ "code": 0, "data": { "list": listed, "total": 2 } })
        } else if path.ends_with("getUploadUrl") {
            json!({ "code": 0, "data": { "video_id": 7788, "upload_url": format!("{}/receive", provider.address) } })
        } else {
            json!({ "code": 0, "data": { "video_id": 7788, "status": 100, "length": 65, "total_size": "900", "token": "play" } })
        }
    } else {
        if field("Action") == "SetMessageCallback" {
            *provider.told.lock().expect("nothing panics") = fields.clone();
        }
        aliyun(&fields)
    };
    Response::builder().content_type("application/json").body(answer.to_string())
}

fn form(text: &str) -> BTreeMap<String, String> {
    let plain = |text: &str| {
        let bytes = text.replace('+', " ").into_bytes();
        let (mut out, mut at) = (Vec::new(), 0);
        while at < bytes.len() {
            if bytes[at] == b'%' {
                let code = std::str::from_utf8(&bytes[at + 1..at + 3]).expect("two digits");
                out.push(u8::from_str_radix(code, 16).expect("hexadecimal"));
                at += 3;
            } else {
                out.push(bytes[at]);
                at += 1;
            }
        }
        String::from_utf8(out).expect("UTF-8")
    };
    text.split('&').filter_map(|pair| pair.split_once('=')).map(|(name, value)| (plain(name), plain(value))).collect()
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|b| {
            if b.is_ascii_alphanumeric() || b"-_.~".contains(&b) {
                (b as char).to_string()
            } else {
                format!("%{b:02X}")
            }
        })
        .collect()
}

fn hmac_sha1(key: &str, text: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, key.as_bytes());
    BASE64_STANDARD.encode(hmac::sign(&key, text.as_bytes()))
}

fn aliyun(fields: &BTreeMap<String, String>) -> Value {
    let query: Vec<String> = fields
        .iter()
        .filter(|(name, _)| *name != "Signature")
        .map(|(name, value)| format!("{}={}", encoded(name), encoded(value)))
        .collect();
    let expected = hmac_sha1(&format!("{SECRET}&"), &format!("GET&%2F&{}", encoded(&query.join("&"))));
    if fields.get("Signature") != Some(&expected) {
        return json!({ "Code": "SignatureDoesNotMatch", "Message": "Specified signature is not matched" });
    }
    let base64 = |value: Value| BASE64_STANDARD.encode(value.to_string());
    match fields["Action"].as_str() {
        "CreateUploadVideo" => json!({
            "VideoId": "ali_1",
            "UploadAddress": base64(json!({ "Endpoint": "https://oss-cn-shanghai.aliyuncs.com", "Bucket": "outin", "FileName": "sv/1.mp4" })),
            "UploadAuth": base64(json!({ "AccessKeyId": "STS.id", "AccessKeySecret": "sts-secret", "SecurityToken": "sts+token" })),
        }),
        "GetVideoInfo" => {
            json!({ "Video": { "Status": "Normal", "Duration": 12.6, "Size": 1000, "CoverURL": "https://c.example.cn/1.jpg" } })
        }
        "GetPlayInfo" => json!({ "PlayInfoList": { "PlayInfo": [
            { "Encrypt": "1", "Format": "mp4", "PlayURL": "https://c.example.cn/sealed.mp4" },
            { "Encrypt": "0", "Format": "mp4", "PlayURL": "https://c.example.cn/1.mp4?auth_key=1" },
        ] } }),
        "GetVideoList" => {
            let of_page = |page: &str| match page {
                "1" => json!([
                    { "VideoId": "ali_1", "Title": "第一讲", "CreationTime": "2026-03-01T08:00:00Z" },
                    { "VideoId": "ali_2", "Title": "宣传片", "CreationTime": "2026-02-01T08:00:00Z" },
                ]),
                _ => json!([]),
            };
            json!({ "Total": 2, "VideoList": { "Video": of_page(&fields["PageNo"]) } })
        }
        _ => json!({ "PlayAuth": "auth" }),
    }
}

/// The server under test, with providers that answer at this machine.
pub(crate) async fn with_provider() -> (Server, Arc<Provider>) {
    let server = Server::start().await;
    let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await.expect("a port");
    let port = acceptor.local_addr()[0].as_socket_addr().expect("an address").port();
    let address = format!("http://127.0.0.1:{port}");
    let state = Arc::new(Provider { address: address.clone(), ..Provider::default() });
    let app = Route::new()
        .at("/*path", answer_as_provider.data(state.clone()))
        .at("/", answer_as_provider.data(state.clone()));
    tokio::spawn(HttpServer::new_with_acceptor(acceptor).run(app));
    let at = Endpoints {
        aliyun: Some(address.clone()),
        polyv_api: address.clone(),
        polyv_token: address.clone(),
        baijiayun: Some(address),
    };
    server.app.of_room(|_| at);
    (server, state)
}

pub(crate) async fn configure(server: &Server, kind: &str, content: Value) -> i64 {
    let body =
        json!({ "configName": kind, "configKind": kind, "content": content, "isDefault": true, "enabled": true });
    server.operator().await.post(CONFIG, body).await.id()
}

fn video(name: &str) -> Value {
    json!({ "fileName": name, "size": 5, "title": "第一讲" })
}

async fn state(server: &Server, vid: &str) -> (String, Option<i32>) {
    sqlx::query_as("select state, duration from school_1.media_asset where vid = $1")
        .bind(vid)
        .fetch_one(&mut server.owner().await)
        .await
        .expect("a video")
}

async fn told(client: &Client<'_>, path: &str, form: &str) -> kit::Answer {
    let address = format!("/admin/apis/system/callback/upload/{path}");
    let response =
        client.raw(Method::POST, &address, Some("application/x-www-form-urlencoded"), form.as_bytes().to_vec()).await;
    let status = response.status().as_u16();
    let bytes = response.into_body().into_vec().await.expect("a body");
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    kit::Answer { status, body, bytes, file_name: None, trace: String::new() }
}

/// A message of 阿里云, as its servers send it; answers the code.
async fn message(server: &Server, at: i64, signature: &str) -> i64 {
    let request = Request::builder()
        .method(Method::POST)
        .uri("/admin/apis/system/callback/upload/aliyun".parse().expect("an address"))
        .header("host", "cj.example.cn")
        .header("content-type", "application/json")
        .header("x-vod-timestamp", at.to_string())
        .header("x-vod-signature", signature)
        .body(json!({ "EventType": "TranscodeComplete", "VideoId": "ali_1" }).to_string());
    let response = openapi::server::endpoint(&server.app).map_to_response().get_response(request).await;
    let bytes = response.into_body().into_vec().await.expect("a body");
    serde_json::from_slice::<Value>(&bytes).expect("an envelope")["code"].as_i64().expect("a code")
}

/// 01 §4.5, scenario 5, and the life of a video that the browser sends itself.
#[tokio::test]
async fn a_video_of_polyv_becomes_ready_by_a_message_that_is_signed() {
    let (server, _) = with_provider().await;
    let staff = server.staff(1, &["system:pc:upload:polyv", "system:pc:media:list", "system:pc:media:view"]).await;
    const UPLOAD: &str = "/system/pc/upload/polyv";
    assert_eq!(staff.post(UPLOAD, video("a.mp4")).await.refused(), (409, "未启用该上传通道，请先在系统配置中设置"));
    configure(
        &server,
        "video_polyv",
        json!({ "userId": "u1", "writeToken": "write-token", "readToken": "read-token", "secretKey": SECRET }),
    )
    .await;
    assert_eq!(staff.post(UPLOAD, video("a.exe")).await.code(), 422);
    let begun = staff.post(UPLOAD, video("a.mp4")).await;
    let data = begun.data();
    assert_eq!(
        (&data["vid"], &data["state"], &data["method"]),
        (&json!("poly_1"), &json!("uploading"), &json!("POST"))
    );
    assert_eq!(data["fields"][0], json!(["key", "a/b/poly_1.mp4"]));
    assert_eq!(data["expiresAt"], json!("2099-01-01T08:00:00+08:00"));

    let anonymous = server.anonymous();
    let forged =
        told(&anonymous, "polyv", &format!("type=pass&vid=poly_1&sign={}", md5("passpoly_1another key"))).await;
    assert_eq!(forged.refused(), (403, "签名不正确"));
    assert_eq!(told(&anonymous, "polyv", "type=pass&vid=unknown&sign=0").await.code(), 403);
    assert_eq!(state(&server, "poly_1").await, ("uploading".to_owned(), None), "a forged message changes nothing");
    let right =
        told(&anonymous, "polyv", &format!("type=pass&vid=poly_1&sign={}", md5(&format!("passpoly_1{SECRET}")))).await;
    assert_eq!(right.code(), 200, "{}", right.body);
    assert_eq!(state(&server, "poly_1").await, ("ready".to_owned(), Some(192)));

    let listed = staff.post("/system/pc/media/list", json!({ "state": "ready" })).await;
    assert_eq!(
        (&listed.data()["totalCount"], &listed.data()["list"][0]["coverUrl"]),
        (&json!(1), &json!("https://img.example.cn/1.jpg"))
    );
    let id = begun.id();
    let seen = staff.get(&format!("/system/pc/media/view?id={id}")).await;
    assert_eq!(seen.data()["playToken"], json!("play-poly_1"));
    let file = json!({ "url": "https://mpv.example.cn/1.mp4", "framed": false, "reason": null });
    assert_eq!(seen.data()["preview"], file);
    let stranger = server.staff(2, &["system:pc:media:list", "system:pc:media:view"]).await;
    assert_eq!(stranger.get(&format!("/system/pc/media/view?id={id}")).await.code(), 404);
    assert_eq!(stranger.post("/system/pc/media/list", json!({})).await.data()["totalCount"], json!(0));
    let trail: i64 = server.one("select count(*) from school_1.audit_log where entity_type = 'media_asset'").await;
    assert_eq!(trail, 2, "its upload, and its becoming ready");
}

#[tokio::test]
async fn a_file_is_forwarded_to_baijiayun() {
    let (server, provider) = with_provider().await;
    let staff = server.staff(1, &["system:pc:upload:baijiayun", "system:pc:media:view"]).await;
    configure(&server, "video_baijiayun", json!({ "partnerId": "49", "partnerKey": SECRET, "privateDomain": "e49" }))
        .await;
    let sent = staff
        .upload_with(
            "/system/pc/upload/baijiayun",
            &[("title", "第一讲")],
            "file",
            "a.mp4",
            "video/mp4",
            b"the bytes of a video",
        )
        .await;
    assert_eq!(
        (&sent.data()["vid"], &sent.data()["state"], &sent.data()["uploadUrl"]),
        (&json!("7788"), &json!("processing"), &Value::Null)
    );
    let received = String::from_utf8_lossy(&provider.received.lock().expect("nothing panics")).into_owned();
    assert!(received.contains("the bytes of a video") && received.contains("filename=\"a.mp4\""), "{received}");
    let fields = "status=100&timestamp=1&video_id=7788";
    let signed = |key: &str| format!("{fields}&sign={}", md5(&format!("{fields}&partner_key={key}")));
    assert_eq!(told(&server.anonymous(), "baijiayun", &signed("another")).await.code(), 403);
    assert_eq!(told(&server.anonymous(), "baijiayun", &signed(SECRET)).await.code(), 200);
    assert_eq!(state(&server, "7788").await, ("ready".to_owned(), Some(65)));
    let seen = staff.get(&format!("/system/pc/media/view?id={}", sent.id())).await;
    let page = format!("{}/web/video/player?vid=7788&token=play", provider.address);
    assert_eq!(seen.data()["preview"], json!({ "url": page, "framed": true, "reason": null }));
}

#[tokio::test]
async fn aliyun_gets_a_signed_address_and_lost_messages_are_made_up_for() {
    let (server, provider) = with_provider().await;
    let staff = server.staff(1, &["system:pc:upload:aliyun", "system:pc:media:view"]).await;
    configure(&server, "video_aliyun", json!({ "region": "cn-shanghai", "keyId": "id", "secret": SECRET })).await;
    let begun = staff.post("/system/pc/upload/aliyun", video("a.mp4")).await;
    let url = begun.data()["uploadUrl"].as_str().expect("an address");
    let (address, query) = url.split_once('?').expect("a query");
    assert_eq!(
        (address, &begun.data()["method"]),
        ("https://outin.oss-cn-shanghai.aliyuncs.com/sv/1.mp4", &json!("PUT"))
    );
    let query = form(query);
    let signed =
        format!("PUT\n\napplication/octet-stream\n{}\n/outin/sv/1.mp4?security-token=sts+token", query["Expires"]);
    assert_eq!(query["Signature"], hmac_sha1("sts-secret", &signed));
    // The message got lost; the synchronisation finds out, and tells the provider where its messages go.
    configure(&server, "website", json!({ "title": "成教云", "domain": "cj.example.cn" })).await;
    let operator = server.operator().await;
    let (ended, told_of) = synchronised(&server, &operator).await;
    let valid = "已校验1个视频云配置，凭据均有效";
    let unknown = "服务商有1个视频未在本系统登记";
    assert_eq!(ended, format!("{valid}；检查1个音视频，更新1个，失败0个；{unknown}"));
    assert_eq!((&told_of[0]["vid"], &told_of[0]["name"]), (&json!("ali_2"), &json!("宣传片")));
    assert_eq!(state(&server, "ali_1").await, ("ready".to_owned(), Some(12)));
    let (ended, _) = synchronised(&server, &operator).await;
    assert_eq!(ended, format!("{valid}；检查0个音视频，更新0个，失败0个；{unknown}"));

    // The provider signs with the key that it was told.
    server.run("update school_1.media_asset set state = 'processing', duration = null").await;
    let told = provider.told.lock().expect("nothing panics").clone();
    assert_eq!(told["CallbackURL"], "https://cj.example.cn/admin/apis/system/callback/upload/aliyun");
    let now = server.app.clock().now().timestamp();
    let signed = |at: i64| md5(&format!("{}|{at}|{}", told["CallbackURL"], told["AuthKey"]));
    assert_eq!(message(&server, now, &md5("x")).await, 403);
    assert_eq!(message(&server, now - 301, &signed(now - 301)).await, 403, "an old message is not repeated");
    assert_eq!(state(&server, "ali_1").await, ("processing".to_owned(), None));
    assert_eq!(message(&server, now, &signed(now)).await, 200);
    assert_eq!(state(&server, "ali_1").await, ("ready".to_owned(), Some(12)));
    let seen = staff.get(&format!("/system/pc/media/view?id={}", begun.id())).await;
    assert_eq!(seen.data()["playToken"], json!("auth"));
    assert_eq!(seen.data()["preview"]["url"], json!("https://c.example.cn/1.mp4?auth_key=1"), "not the encrypted one");
}

/// 03 A6: what lies in the own store is played by the browser, which asks for it part by part; what cannot be played says why.
#[tokio::test]
async fn staff_look_at_what_was_uploaded() {
    let (server, _) = with_provider().await;
    let staff = server.staff(1, &["system:pc:media:view", "system:pc:upload:polyv"]).await;
    let form = json!({ "fileName": "第一讲.mp4", "size": 5, "contentType": "video/mp4", "type": 3 });
    let ticket = staff.post(PRESIGN, form).await;
    let key = ticket.data()["key"].as_str().expect("a key").to_owned();
    let url = ticket.data()["url"].as_str().expect("a url").to_owned();
    staff.raw(Method::PUT, &url, Some("video/mp4"), b"12345".to_vec()).await;
    assert_eq!(staff.post(COMPLETE, json!({ "key": key })).await.code(), 200);
    let record = async |channel: &str, vid: &str, state: &str| -> i64 {
        server
            .one(&format!(
                "insert into school_1.media_asset (title, channel, vid, file_name, size, state, created_by, updated_by)
                 values ('第一讲', '{channel}', '{vid}', '第一讲.mp4', 5, '{state}', 0, 0) returning id"
            ))
            .await
    };
    let preview = async |id: i64| staff.get(&format!("/system/pc/media/view?id={id}")).await.data()["preview"].clone();

    let stored = preview(record("storage", &key, "ready").await).await;
    assert_eq!((&stored["framed"], &stored["reason"]), (&json!(false), &Value::Null));
    let url = stored["url"].as_str().expect("a signed address").to_owned();
    let part = Request::builder()
        .uri(url.parse().expect("an address"))
        .header("host", "localhost")
        .header("range", "bytes=1-2")
        .finish();
    let part = openapi::server::endpoint(&server.app).map_to_response().get_response(part).await;
    assert_eq!((part.status(), part.header("content-range")), (StatusCode::PARTIAL_CONTENT, Some("bytes 1-2/5")));
    assert_eq!(part.content_type(), Some("video/mp4"));
    assert_eq!(part.into_body().into_vec().await.expect("bytes"), b"23");
    let whole = staff.raw(Method::GET, &url, None, Vec::new()).await;
    assert_eq!(whole.into_body().into_vec().await.expect("bytes"), b"12345");

    // A key of which no file is here opens nothing, be it another school's.
    let gone = preview(record("storage", "private/s2/202603/other.mp4", "ready").await).await;
    assert_eq!((&gone["url"], &gone["reason"]), (&Value::Null, &json!("文件不存在或已被删除")));
    assert_eq!(preview(record("polyv", "coming", "processing").await).await, Value::Null);
    let unknown = preview(record("polyv", "nobodys", "ready").await).await;
    assert_eq!(unknown["reason"], json!("该视频没有登记通道配置，请重新上传或登记"));
    let content =
        json!({ "userId": "u1", "writeToken": "write-token", "readToken": "read-token", "secretKey": SECRET });
    let config = configure(&server, "video_polyv", content).await;
    let sealed = record("polyv", "sealed", "ready").await;
    server
        .run(&format!(
            "insert into platform.media_place (channel, vid, school_id, config_id, media_id, created_by, updated_by)
             values ('polyv', 'sealed', 1, {config}, {sealed}, 0, 0)"
        ))
        .await;
    let sealed = preview(sealed).await;
    assert_eq!(sealed["url"], Value::Null);
    assert_eq!(sealed["reason"], json!("视频已加密，或没有浏览器可播放的格式，请在服务商的控制台查看"));
}

/// Synchronises with the providers: what the job says, and the videos that it tells of.
async fn synchronised(server: &Server, operator: &Client<'_>) -> (String, Value) {
    let started = operator.put("/system/pc/sys/config/sync/videocloud", json!({})).await;
    let job = started.data()["jobId"].as_i64().expect("a job");
    server.wait_until(&format!("select state not in ('queued', 'running') from platform.job where id = {job}")).await;
    let ended = operator.get(&format!("/system/pc/job/view?id={job}")).await;
    let job = ended.data();
    assert_eq!((&job["state"], &job["errors"]), (&json!("done"), &json!([])), "{job}");
    (job["message"].as_str().expect("a message").to_owned(), job["warnings"].clone())
}

/// 01 §3.2.4: what lies at the providers and nobody here knows is told, page after page; and that no message can come.
#[tokio::test]
async fn videos_that_nobody_knows_are_found_at_each_provider() {
    let (server, provider) = with_provider().await;
    let staff = server.staff(1, &["system:pc:upload:polyv", "system:pc:upload:baijiayun"]).await;
    let polyv = json!({ "userId": "u1", "writeToken": "write-token", "readToken": "read-token", "secretKey": SECRET });
    configure(&server, "video_polyv", polyv.clone()).await;
    configure(&server, "video_baijiayun", json!({ "partnerId": "49", "partnerKey": SECRET, "privateDomain": "e49" }))
        .await;
    staff.post("/system/pc/upload/polyv", video("a.mp4")).await.id();
    staff.post("/system/pc/upload/baijiayun", video("a.mp4")).await.id();
    let operator = server.operator().await;
    // Another config of the same account: its videos count once.
    let again = json!({ "configName": "保利威二", "configKind": "video_polyv", "content": polyv, "enabled": true });
    operator.post(CONFIG, again).await.id();
    let (message, told_of) = synchronised(&server, &operator).await;
    assert_eq!(
        message,
        "已校验3个视频云配置，凭据均有效；平台的站点信息没有填写域名，未设置回调地址；检查2个音视频，更新2个，失败0个；\
         服务商有3个视频未在本系统登记"
    );
    let mut vids: Vec<String> = told_of
        .as_array()
        .expect("a list")
        .iter()
        .map(|video| format!("{} {}", video["vid"].as_str().unwrap_or("?"), video["name"].as_str().unwrap_or("?")))
        .collect();
    vids.sort();
    assert_eq!(vids, ["99 直播回放", "poly_2 旧课件", "poly_3 poly_3"]);
    let asked = provider.asked.lock().expect("nothing panics").clone();
    let pages = |path: &str| asked.iter().filter(|each| each.as_str() == path).count();
    assert_eq!(pages("/v2/video/u1/get-new-list"), 6, "three pages of each of two configs");
    assert_eq!(pages("/openapi/video/getVideoList"), 4, "the credentials, then three pages");
}

#[tokio::test]
async fn files_go_to_the_configured_store_and_stay_readable_when_it_changes() {
    let server = Server::start().await;
    let staff = server.staff(1, &["system:pc:upload:view"]).await;
    let put = async |purpose: Option<&str>| -> String {
        let form = json!({ "fileName": "证明.pdf", "size": 5, "contentType": "application/pdf", "type": 3, "purpose": purpose });
        let ticket = staff.post(PRESIGN, form).await;
        let (key, url) = (
            ticket.data()["key"].as_str().expect("a key").to_owned(),
            ticket.data()["url"].as_str().expect("a url").to_owned(),
        );
        let sent = staff.raw(Method::PUT, &url, Some("application/pdf"), b"12345".to_vec()).await;
        assert_eq!(sent.status(), StatusCode::OK);
        assert_eq!(staff.post(COMPLETE, json!({ "key": key })).await.code(), 200);
        key
    };
    let first = put(None).await;
    assert!(first.starts_with("private/s1/"), "{first}");
    let config = configure(&server, "storage", json!({ "provider": "local" })).await;
    let second = put(Some("thesis")).await;
    assert!(second.starts_with(&format!("private-{config}/s1/")), "{second}");
    assert_eq!(
        server.one::<i64>(&format!("select storage_config_id from school_1.file_object where key = '{second}'")).await,
        config
    );
    let third = configure(&server, "storage", json!({ "provider": "local" })).await;
    assert!(put(None).await.starts_with(&format!("private-{third}/")));
    let removed = server.operator().await.delete(&format!("/system/pc/sys/config/delete?id={config}")).await;
    assert_eq!(removed.refused(), (409, "该存储中仍有文件，不能删除，可以停用"));
    for key in [&first, &second] {
        let signed = staff.get(&format!("/system/pc/upload/signedUrl?key={key}")).await;
        let address = signed.data()["url"].as_str().expect("an address").to_owned();
        let read = staff.raw(Method::GET, &address, None, Vec::new()).await;
        assert_eq!(read.into_body().into_vec().await.expect("bytes"), b"12345");
        assert_eq!(
            staff.raw(Method::GET, &format!("/admin/files/{key}"), None, Vec::new()).await.status(),
            StatusCode::FORBIDDEN
        );
    }
}

#[tokio::test]
async fn a_purpose_takes_its_own_kinds_of_files() {
    let server = Server::start().await;
    let staff = server.staff(1, &[]).await;
    let form = |name: &str, purpose: &str| json!({ "fileName": name, "size": 5, "contentType": "application/pdf", "type": 3, "purpose": purpose });
    assert_eq!(
        staff.post(PRESIGN, form("a.pdf", "identity")).await.refused(),
        (422, "不支持上传该文件格式，可上传：jpg、jpeg、png")
    );
    assert_eq!(staff.post(PRESIGN, form("a.jpg", "identity")).await.code(), 200);
    assert_eq!(staff.post(PRESIGN, form("a.pdf", "nothing")).await.refused(), (422, "上传用途不存在"));
}

/// A night's clean-up, and what it says.
pub(crate) async fn swept(server: &Server) -> String {
    let at_once = Schedule { when: When::Daily { hour: 0, minute: 0 }, ..infra::files::sweep::SCHEDULE };
    infra::schedule::queue_due(&server.app, [at_once]).await.expect("queued");
    server
        .wait_until(
            "select exists (select from platform.job where kind = 'file.sweep' and state not in ('queued', 'running'))",
        )
        .await;
    server.one("select state || message from platform.job where kind = 'file.sweep'").await
}

#[tokio::test]
async fn at_night_what_was_not_completed_or_is_nobodys_goes() {
    let server = Server::start().await;
    let staff = server.staff(1, &[]).await;
    let upload = async |complete: bool| -> String {
        let form = json!({ "fileName": "a.pdf", "size": 5, "contentType": "application/pdf", "type": 3 });
        let ticket = staff.post(PRESIGN, form).await;
        let (key, url) = (
            ticket.data()["key"].as_str().expect("a key").to_owned(),
            ticket.data()["url"].as_str().expect("a url").to_owned(),
        );
        staff.raw(Method::PUT, &url, Some("application/pdf"), b"12345".to_vec()).await;
        if complete {
            assert_eq!(staff.post(COMPLETE, json!({ "key": key })).await.code(), 200);
        }
        key
    };
    let (pending, ownerless, owned, fresh) =
        (upload(false).await, upload(true).await, upload(true).await, upload(true).await);
    server
        .run(&format!(
            "update school_1.file_object set expires_at = now() - interval '1 minute' where key = '{pending}'"
        ))
        .await;
    server.run(&format!("update school_1.file_object set created_at = now() - interval '8 days' where key in ('{ownerless}', '{owned}')")).await;
    server
        .run(&format!("update school_1.file_object set owner_type = 'student', owner_id = 1 where key = '{owned}'"))
        .await;
    assert_eq!(swept(&server).await, "done已清理2个文件");
    let left: Vec<String> = sqlx::query_scalar("select key from school_1.file_object order by id")
        .fetch_all(&mut server.owner().await)
        .await
        .expect("files");
    assert_eq!(left, [owned.clone(), fresh]);
    let folder = server.app.config().data.join("files");
    assert!(folder.join(&owned).exists());
    for gone in [pending, ownerless] {
        assert!(!folder.join(&gone).exists(), "{gone}");
    }
}
