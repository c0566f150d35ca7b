//! The operators' official account (part 01 §9.9, §9.10 Official account), against a provider of this process.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use aws_lc_rs::digest;
use channels::wechat::WechatEndpoint;
use kit::{
    Client, Server,
    accounts::operator_with,
    fields,
    files::{png, uploaded},
    jobs::ended,
    sheets::texts,
    statistics::with,
    wechat::{AES_KEY, APP, AUTO_REPLY, MATERIAL, MENU, TOKEN, configure, heading, keyword_reply, page, plain_reply},
};
use poem::{
    EndpointExt, Request, Response, Route, Server as HttpServer, handler,
    http::Method,
    listener::{Acceptor, Listener, TcpListener},
    web::Data,
};
use serde_json::{Value, json};

const CALLBACK: &str = "/admin/apis/system/callback/gzh";

/// What the provider was asked, by path, and what it answers next to a path.
#[derive(Default)]
struct Provider {
    asked: Vec<(String, Value)>,
    answers: BTreeMap<String, Value>,
}

type Shared = Arc<Mutex<Provider>>;

#[handler]
async fn answer_as_provider(request: &Request, body: poem::Body, provider: Data<&Shared>) -> Response {
    let path = request.uri().path().trim_start_matches("/cgi-bin").trim_start_matches('/').to_owned();
    let bytes = body.into_vec().await.expect("a body");
    let sent = serde_json::from_slice(&bytes).unwrap_or_else(|_| json!({ "bytes": bytes.len() }));
    let mut provider = provider.lock().expect("nothing panics");
    let kind = request
        .uri()
        .query()
        .unwrap_or_default()
        .split('&')
        .find_map(|pair| pair.strip_prefix("type="))
        .map(ToOwned::to_owned);
    let number = provider.asked.len();
    provider.asked.push((path.clone(), sent));
    let answer = provider.answers.get(&path).cloned().unwrap_or_else(|| match path.as_str() {
        "stable_token" => json!({ "access_token": format!("t{number}"), "expires_in": 7200 }),
        "material/add_material" => {
            let kind = kind.unwrap_or_default();
            json!({ "media_id": format!("{kind}-{number}"), "url": format!("https://mmbiz.example.com/{number}") })
        }
        "draft/add" => json!({ "media_id": format!("news-{number}") }),
        "material/batchget_material" | "draft/batchget" => json!({ "total_count": 0, "item_count": 0, "item": [] }),
        _ => json!({ "errcode": 0, "errmsg": "ok" }),
    });
    Response::builder().content_type("application/json").body(answer.to_string())
}

/// The server under test, with a provider that answers at this machine.
async fn with_provider() -> (Server, Shared) {
    let server = Server::start().await;
    let provider = Shared::default();
    let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await.expect("a port");
    let port = acceptor.local_addr()[0].as_socket_addr().expect("an address").port();
    let app = Route::new().nest("/cgi-bin", answer_as_provider.data(provider.clone()));
    tokio::spawn(HttpServer::new_with_acceptor(acceptor).run(app));
    server.app.of_room(|_| WechatEndpoint(format!("http://127.0.0.1:{port}")));
    (server, provider)
}

/// How often a path was asked.
fn times(provider: &Shared, path: &str) -> usize {
    provider.lock().expect("nothing panics").asked.iter().filter(|(asked, _)| asked == path).count()
}

fn last(provider: &Shared, path: &str) -> Value {
    let provider = provider.lock().expect("nothing panics");
    let found = provider.asked.iter().rev().find(|(asked, _)| asked == path);
    found.map(|(_, sent)| sent.clone()).expect("it was asked")
}

fn answers(provider: &Shared, path: &str, answer: Value) {
    provider.lock().expect("nothing panics").answers.insert(path.to_owned(), answer);
}

/// The provider's signature over sorted parts.
fn signature(parts: &[&str]) -> String {
    let mut sorted = parts.to_vec();
    sorted.sort_unstable();
    let sum = digest::digest(&digest::SHA1_FOR_LEGACY_USE_ONLY, sorted.concat().as_bytes());
    sum.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn read(response: poem::Response) -> (u16, String) {
    let status = response.status().as_u16();
    let bytes = response.into_body().into_vec().await.expect("a body");
    (status, String::from_utf8(bytes).expect("UTF-8"))
}

/// Pushes a message, signed with a token.
async fn push_signed(server: &Server, xml: &str, token: &str) -> String {
    let path = format!(
        "{CALLBACK}?signature={}&timestamp=1700000000&nonce=42&openid=fan",
        signature(&[token, "1700000000", "42"])
    );
    let response = server.anonymous().raw(Method::POST, &path, Some("text/xml"), xml.as_bytes().to_vec()).await;
    read(response).await.1
}

async fn push(server: &Server, xml: &str) -> String {
    push_signed(server, xml, TOKEN).await
}

fn text(id: i64, content: &str) -> String {
    format!(
        "<xml><ToUserName><![CDATA[gh_1]]></ToUserName><FromUserName><![CDATA[fan]]></FromUserName>
         <CreateTime>1700000000</CreateTime><MsgType><![CDATA[text]]></MsgType>
         <Content><![CDATA[{content}]]></Content><MsgId>{id}</MsgId></xml>"
    )
}

fn event(event: &str, key: &str, at: i64) -> String {
    format!(
        "<xml><ToUserName><![CDATA[gh_1]]></ToUserName><FromUserName><![CDATA[fan]]></FromUserName>
         <CreateTime>{at}</CreateTime><MsgType><![CDATA[event]]></MsgType>
         <Event><![CDATA[{event}]]></Event><EventKey><![CDATA[{key}]]></EventKey></xml>"
    )
}

/// The words of an answer.
fn words(answer: &str) -> Option<&str> {
    answer.split_once("<Content><![CDATA[")?.1.split_once("]]></Content>").map(|(words, _)| words)
}

async fn saved(operator: &Client<'_>, reply: Value) -> i64 {
    operator.post(&format!("{AUTO_REPLY}/save"), reply).await.id()
}

/// 01 §3.1 originalId: what another account was told is not answered here.
#[tokio::test]
async fn a_message_to_another_account_is_refused() {
    let server = Server::start().await;
    let operator = server.operator().await;
    configure(&operator, false).await;
    assert!(push(&server, &text(2, "招生").replace("gh_1", "gh_2")).await.contains("请核对原始编号"));
    assert!(!push(&server, &text(3, "招生")).await.contains("请核对原始编号"));
}

/// §9.10 (1): the fourth entry of the first level is refused; so is the sixth below one, and what does something with others below it.
#[tokio::test]
async fn a_menu_has_its_limits() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let save = async |form: Value| operator.post(&format!("{MENU}/save"), form).await;
    let first = save(heading("招生")).await.id();
    let second = save(page("学习中心", None)).await.id();
    save(page("联系", None)).await.id();
    assert_eq!(save(page("更多", None)).await.refused(), (422, "一级菜单最多3个"));
    assert_eq!(fields(&save(page("太长的名称啊", None)).await), ["parentId: 一级菜单最多3个"]);
    assert_eq!(fields(&save(page("成绩与证书的查询", Some(first))).await), ["name: 二级菜单名称不能超过7个汉字"]);
    for number in 1..=5 {
        save(page(&format!("简章{number}"), Some(first))).await.id();
    }
    assert_eq!(fields(&save(page("简章6", Some(first))).await), ["parentId: 二级菜单最多5个"]);
    let occupied = save(page("课程", Some(second))).await;
    assert_eq!(fields(&occupied), ["parentId: “学习中心”已设置动作，请先清除其动作再新增下级"]);
    let acting = with(page("招生", None), json!({ "id": first, "version": 1 }));
    let acting = operator.put(&format!("{MENU}/edit"), acting).await;
    assert_eq!(fields(&acting), ["menuType: 有下级的一级菜单不能设置动作，请先删除其下级"]);
    let list = operator.post(&format!("{MENU}/list"), json!({})).await;
    assert_eq!((&list.data()["configured"], &list.data()["changed"]), (&json!(false), &json!(true)));
    let node = list.data()["menus"]
        .as_array()
        .expect("menus")
        .iter()
        .find(|menu| menu["id"] == json!(first))
        .expect("it")
        .clone();
    let below = node["children"].as_array().expect("children").clone();
    assert_eq!(below.len(), 5);
    let third = with(page("第三级", Some(below[0]["id"].as_i64().expect("an id"))), json!({}));
    assert_eq!(fields(&save(third).await), ["parentId: 菜单最多两级，请选择其他一级菜单"]);
    let held = operator.delete(&format!("{MENU}/delete?id={first}")).await;
    assert_eq!(held.refused(), (409, "“招生”有下级菜单，请先删除下级"));
    let incomplete =
        json!({ "id": second, "version": 1, "name": "学习中心", "menuType": "miniprogram", "appId": "wx1" });
    assert_eq!(fields(&operator.put(&format!("{MENU}/edit"), incomplete).await), ["pagePath: 请填写小程序页面路径"]);
    let last: Vec<Value> = below.iter().rev().map(|row| row["id"].clone()).collect();
    let sorted = operator.put(&format!("{MENU}/sort"), json!({ "ids": last })).await;
    assert_eq!(sorted.data()["done"], json!(5));
    let mixed = json!({ "ids": [second, below[0]["id"]] });
    assert_eq!(operator.put(&format!("{MENU}/sort"), mixed).await.code(), 422);
}

/// §9.10 (5): without a config nothing is published; the provider's refusal is told with its code.
#[tokio::test]
async fn a_menu_goes_to_the_provider_and_comes_from_it() {
    let (server, provider) = with_provider().await;
    let operator = server.operator().await;
    let first = operator.post(&format!("{MENU}/save"), heading("招生")).await.id();
    for call in ["menu/publish", "menu/pull", "sck/sync"] {
        let refused = operator.post(&format!("/system/pc/gzh/{call}"), json!({})).await;
        assert_eq!(refused.refused(), (409, "请先在系统配置中设置公众号"), "{call}");
    }
    configure(&operator, false).await;
    let idle = operator.post(&format!("{MENU}/publish"), json!({})).await;
    assert_eq!(idle.refused(), (422, "菜单“招生”没有动作，请设置动作或新增下级菜单"));
    operator.post(&format!("{MENU}/save"), page("招生简章", Some(first))).await.id();
    answers(&provider, "menu/create", json!({ "errcode": 40018, "errmsg": "invalid button name size" }));
    let refused = operator.post(&format!("{MENU}/publish"), json!({})).await;
    assert_eq!(refused.refused(), (409, "微信返回40018：invalid button name size"));
    let none: i64 = server.one("select count(*) from platform.gzh_publish").await;
    assert_eq!(none, 0);
    answers(&provider, "menu/create", json!({ "errcode": 0, "errmsg": "ok" }));
    operator.post(&format!("{MENU}/publish"), json!({})).await.id();
    let sent = last(&provider, "menu/create");
    assert_eq!(sent["button"][0]["sub_button"][0]["url"], json!("https://www.example.com/page"));
    let list = operator.post(&format!("{MENU}/list"), json!({})).await;
    assert_eq!((&list.data()["configured"], &list.data()["changed"]), (&json!(true), &json!(false)));
    assert!(list.data()["publishedAt"].is_string(), "{}", list.body);
    // One token for all calls, and a new one when the provider says that it is over.
    assert_eq!(times(&provider, "stable_token"), 1);
    answers(&provider, "menu/create", json!({ "errcode": 42001, "errmsg": "access_token expired" }));
    assert_eq!(operator.post(&format!("{MENU}/publish"), json!({})).await.code(), 409);
    assert_eq!(times(&provider, "stable_token"), 2);
    let theirs = json!({ "menu": { "button": [
        { "name": "官网", "type": "view", "url": "https://www.example.com" },
        { "name": "文章", "type": "article_id", "article_id": "1" },
    ] } });
    answers(&provider, "menu/get", theirs);
    let pulled = operator.post(&format!("{MENU}/pull"), json!({})).await;
    assert_eq!(
        (&pulled.data()["count"], &pulled.data()["warnings"]),
        (&json!(2), &json!(["菜单“文章”的动作这里不支持，请重新设置"]))
    );
    let list = operator.post(&format!("{MENU}/list"), json!({})).await;
    let names: Vec<_> = list.data()["menus"].as_array().expect("menus").iter().map(|menu| &menu["name"]).collect();
    assert_eq!(names, ["官网", "文章"]);
    assert_eq!(list.data()["changed"], json!(true), "what the console has no action for is not what followers see");
    let theirs =
        json!({ "menu": { "button": [{ "name": "官网", "type": "view", "url": "https://www.example.com" }] } });
    answers(&provider, "menu/get", theirs);
    operator.post(&format!("{MENU}/pull"), json!({})).await.data();
    let list = operator.post(&format!("{MENU}/list"), json!({})).await;
    assert_eq!(list.data()["changed"], json!(false), "what was pulled is what followers see");
    answers(&provider, "menu/get", json!({ "errcode": 46003, "errmsg": "menu no exist" }));
    assert_eq!(operator.post(&format!("{MENU}/pull"), json!({})).await.data()["count"], json!(0));
    let list = operator.post(&format!("{MENU}/list"), json!({})).await;
    assert_eq!((&list.data()["menus"], &list.data()["changed"]), (&json!([]), &json!(false)));
    operator.post(&format!("{MENU}/save"), page("官网", None)).await.id();
    let list = operator.post(&format!("{MENU}/list"), json!({})).await;
    assert_eq!(list.data()["changed"], json!(true));
}

#[tokio::test]
async fn a_call_that_is_signed_wrongly_is_refused() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let check = async |token: &str| {
        let signature = signature(&[token, "1700000000", "42"]);
        let path = format!("{CALLBACK}?signature={signature}&timestamp=1700000000&nonce=42&echostr=hello");
        read(server.anonymous().raw(Method::GET, &path, None, Vec::new()).await).await.1
    };
    assert!(check(TOKEN).await.contains("签名不正确"), "no account is configured");
    configure(&operator, false).await;
    assert_eq!(check(TOKEN).await, "hello");
    assert!(check("other").await.contains("签名不正确"));
    saved(&operator, plain_reply("default", "已收到")).await;
    assert!(push_signed(&server, &text(1, "你好"), "other").await.contains("签名不正确"));
    let bare = server.anonymous().raw(Method::POST, CALLBACK, Some("text/xml"), text(1, "你好").into_bytes()).await;
    assert!(read(bare).await.1.contains("签名不正确"));
    assert_eq!(words(&push(&server, &text(1, "你好")).await), Some("已收到"));
    let entities = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><xml><Content>&b;</Content></xml>";
    let large = format!("<xml>{}</xml>", "<a>1</a>".repeat(20_000));
    for wrong in ["no message", entities, large.as_str()] {
        assert!(push(&server, wrong).await.contains("请求参数不正确"));
    }
}

/// §9.10 (2): what meets an exact keyword and one that is contained gets the exact one; then the longest, then by sort, then default.
#[tokio::test]
async fn the_exact_keyword_answers_before_the_contained_one() {
    let server = Server::start().await;
    let operator = server.operator().await;
    configure(&operator, false).await;
    assert_eq!(push(&server, &text(1, "报名")).await, "success", "nothing answers yet");
    saved(&operator, keyword_reply(&["报名"], "contains", "包含报名")).await;
    saved(&operator, keyword_reply(&["报名时间"], "exact", "正好报名时间")).await;
    saved(&operator, keyword_reply(&["报名时"], "contains", "包含报名时")).await;
    saved(&operator, with(keyword_reply(&["学费"], "contains", "后"), json!({ "sort": 9 }))).await;
    saved(&operator, with(keyword_reply(&["缴纳"], "contains", "先"), json!({ "sort": 2 }))).await;
    saved(&operator, keyword_reply(&["APP下载", "app"], "exact", "下载地址")).await;
    let said = async |id: i64, content: &str| words(&push(&server, &text(id, content)).await).map(ToOwned::to_owned);
    assert_eq!(said(2, "报名时间").await.as_deref(), Some("正好报名时间"));
    assert_eq!(said(3, "请问报名时间").await.as_deref(), Some("包含报名时"), "the longest that is contained");
    assert_eq!(said(4, "怎么报名").await.as_deref(), Some("包含报名"));
    assert_eq!(said(5, "学费怎么缴纳").await.as_deref(), Some("先"));
    assert_eq!(said(6, " App ").await.as_deref(), Some("下载地址"), "case and blanks do not matter");
    assert_eq!(said(7, "天气").await, None);
    let default = saved(&operator, plain_reply("default", "请留言")).await;
    assert_eq!(said(8, "天气").await.as_deref(), Some("请留言"));
    let picture = text(9, "x").replace("[text]", "[image]");
    assert_eq!(words(&push(&server, &picture).await), Some("请留言"), "what has no words gets the default");
    assert_eq!(
        words(&push(&server, &event("CLICK", "报名时间", 1)).await),
        Some("正好报名时间"),
        "an entry of the menu says its key"
    );
    assert_eq!(push(&server, &event("VIEW", "https://www.example.com", 2)).await, "success");
    operator.put(&format!("{AUTO_REPLY}/update/status"), json!({ "id": default, "enabled": false })).await.data();
    assert_eq!(said(10, "天气").await, None);
}

/// §9.10 (3): the same MsgId three times gets one answer.
#[tokio::test]
async fn what_is_told_again_is_answered_once() {
    let server = Server::start().await;
    let operator = server.operator().await;
    configure(&operator, false).await;
    saved(&operator, plain_reply("default", "已收到")).await;
    saved(&operator, plain_reply("subscribe", "欢迎关注")).await;
    let mut answered = Vec::new();
    for _ in 0..3 {
        answered.push(push(&server, &text(77, "你好")).await);
    }
    assert_eq!(words(&answered[0]), Some("已收到"));
    assert_eq!(answered[1..], ["success", "success"]);
    assert_eq!(words(&push(&server, &text(78, "你好")).await), Some("已收到"));
    // An event has no number: who did it when names it.
    assert_eq!(words(&push(&server, &event("subscribe", "", 5)).await), Some("欢迎关注"));
    assert_eq!(push(&server, &event("subscribe", "", 5)).await, "success");
    let follows = "select count(*) from platform.gzh_fan where open_id = 'fan' and left_at is null";
    assert_eq!(server.one::<i64>(follows).await, 1);
    assert_eq!(push(&server, &event("unsubscribe", "", 6)).await, "success");
    assert_eq!(server.one::<i64>(follows).await, 0);
    assert_eq!(words(&push(&server, &event("subscribe", "", 7)).await), Some("欢迎关注"));
    assert_eq!(server.one::<i64>(follows).await, 1, "whoever comes back is the same fan");
    server.run("update platform.gzh_callback set received_at = received_at - interval '2 days'").await;
    push(&server, &text(79, "你好")).await;
    assert_eq!(server.one::<i64>("select count(*) from platform.gzh_callback").await, 1, "what is old goes");
}

/// §9.10 (4): a keyword that is in use elsewhere is refused, as is a second reply to followers.
#[tokio::test]
async fn a_keyword_leads_to_one_reply() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let first = saved(&operator, keyword_reply(&["报名", "学费"], "contains", "甲")).await;
    let taken = operator.post(&format!("{AUTO_REPLY}/save"), keyword_reply(&["考试", " 学费 "], "exact", "乙")).await;
    assert_eq!(taken.refused(), (409, "关键词已存在：学费"));
    let off = with(keyword_reply(&["学费"], "exact", "乙"), json!({ "enabled": false }));
    let second = saved(&operator, off).await;
    let switch = |id: i64, enabled: bool| json!({ "id": id, "enabled": enabled });
    let both = operator.put(&format!("{AUTO_REPLY}/update/status"), switch(second, true)).await;
    assert_eq!(both.refused(), (409, "关键词已存在：学费"));
    operator.put(&format!("{AUTO_REPLY}/update/status"), switch(first, false)).await.data();
    operator.put(&format!("{AUTO_REPLY}/update/status"), switch(second, true)).await.data();
    let seen = operator.get(&format!("{AUTO_REPLY}/view?id={second}")).await.data().clone();
    let edit = with(keyword_reply(&["缴费"], "exact", "丙"), json!({ "id": second, "version": seen["version"] }));
    operator.put(&format!("{AUTO_REPLY}/edit"), edit).await.data();
    operator.put(&format!("{AUTO_REPLY}/update/status"), switch(first, true)).await.data();
    operator.delete(&format!("{AUTO_REPLY}/delete?id={first}")).await.data();
    saved(&operator, keyword_reply(&["报名"], "exact", "丁")).await;
    saved(&operator, plain_reply("subscribe", "欢迎")).await;
    let again = operator.post(&format!("{AUTO_REPLY}/save"), plain_reply("subscribe", "欢迎光临")).await;
    assert_eq!(again.refused(), (409, "已有启用的关注回复，请先停用"));
    let none = operator.post(&format!("{AUTO_REPLY}/save"), keyword_reply(&[" "], "exact", "戊")).await;
    assert_eq!(fields(&none), ["keywords: 请填写关键词"]);
    let silent = operator.post(&format!("{AUTO_REPLY}/save"), plain_reply("default", " ")).await;
    assert_eq!(silent.code(), 422);
    let list = operator.post(&format!("{AUTO_REPLY}/list"), json!({ "replyKind": "keyword" })).await;
    assert_eq!((&list.data()["totalCount"], &list.data()["configured"]), (&json!(2), &json!(false)));
    let rows = texts(&operator.post(&format!("{AUTO_REPLY}/export"), json!({})).await.bytes);
    assert_eq!(rows.len(), 4);
}

/// Sealed messages are opened and answered sealed; with a key nothing else is taken.
#[tokio::test]
async fn a_sealed_message_is_answered_sealed() {
    let server = Server::start().await;
    let operator = server.operator().await;
    configure(&operator, true).await;
    saved(&operator, plain_reply("default", "已收到")).await;
    assert!(push(&server, &text(1, "你好")).await.contains("签名不正确"), "what is not sealed is not taken");
    let seal = wechat_rules::sealed::Seal::of(AES_KEY).expect("a key");
    let send = async |message: &str, app: &str| {
        let sealed = seal.close(message, app, [3; 16]).expect("sealed");
        let signature = signature(&[TOKEN, "1700000000", "42", &sealed]);
        let path = format!("{CALLBACK}?encrypt_type=aes&msg_signature={signature}&timestamp=1700000000&nonce=42");
        let xml =
            format!("<xml><ToUserName><![CDATA[gh_1]]></ToUserName><Encrypt><![CDATA[{sealed}]]></Encrypt></xml>");
        read(server.anonymous().raw(Method::POST, &path, Some("text/xml"), xml.into_bytes()).await).await.1
    };
    assert!(send(&text(1, "你好"), "wx0000000000000000").await.contains("签名不正确"), "of another application");
    let answer = send(&text(1, "你好"), APP).await;
    let part = |name: &str| {
        let inner =
            answer.split_once(&format!("<{name}>")).and_then(|(_, rest)| rest.split_once(&format!("</{name}>")));
        inner.map(|(text, _)| text.trim_start_matches("<![CDATA[").trim_end_matches("]]>").to_owned()).expect("a part")
    };
    let (sealed, at, nonce) = (part("Encrypt"), part("TimeStamp"), part("Nonce"));
    assert_eq!(part("MsgSignature"), signature(&[TOKEN, &at, &nonce, &sealed]));
    assert_eq!(words(&seal.open(&sealed, APP).expect("opened")), Some("已收到"));
    assert_eq!(send(&text(1, "你好"), APP).await, "success", "a repetition");
}

#[tokio::test]
async fn materials_are_exchanged_and_sent() {
    let (server, provider) = with_provider().await;
    let operator = server.operator().await;
    configure(&operator, false).await;
    let save = async |form: Value| operator.post(&format!("{MATERIAL}/save"), form).await;
    let key = uploaded(&operator, "封面.png", "image/png", &png(7)).await;
    let cover = save(json!({ "materialType": "image", "name": "封面", "fileKey": key })).await.id();
    let voice = uploaded(&operator, "欢迎.mp3", "audio/mpeg", b"12345").await;
    let form = |seconds: Value| json!({ "materialType": "voice", "name": "欢迎", "fileKey": voice, "durationSeconds": seconds });
    assert_eq!(save(form(json!(61))).await.code(), 422);
    assert_eq!(fields(&save(form(json!(null))).await), ["durationSeconds: 语音时长应为1至60秒"]);
    let voice = save(form(json!(3))).await.id();
    let wrong = uploaded(&operator, "文件.pdf", "application/pdf", b"12345").await;
    let wrong = save(json!({ "materialType": "image", "name": "错", "fileKey": wrong })).await;
    assert_eq!(fields(&wrong), ["fileKey: 不支持该文件格式，可上传：jpg、jpeg、png、gif"]);
    let article = |cover: i64| json!({ "title": "招生简章", "coverId": cover, "content": "<p>欢迎<script>x()</script></p>", "linkUrl": "https://www.example.com" });
    let uncovered = save(json!({ "materialType": "news", "name": "简章", "articles": [article(voice)] })).await;
    assert_eq!(fields(&uncovered), ["articles: 请为“招生简章”选择图片素材作为封面"]);
    let news = save(json!({ "materialType": "news", "name": "简章", "articles": [article(cover)] })).await.id();
    let reply = |kind: &str, id: i64| json!({ "replyKind": "keyword", "keywords": [kind], "matchMode": "exact", "replyType": kind, "materialId": id });
    let warned = operator.post(&format!("{AUTO_REPLY}/save"), reply("voice", voice)).await;
    assert_eq!(warned.data()["warnings"], json!(["素材“欢迎”尚未同步到微信，同步后才会回复"]));
    assert_eq!(push(&server, &text(1, "voice")).await, "success", "what is not there is not sent");
    saved(&operator, reply("news", news)).await;
    let other = operator.post(&format!("{AUTO_REPLY}/save"), reply("image", voice)).await;
    assert_eq!(fields(&other), ["materialId: 请选择图片素材"]);
    // The provider knows one that is not known here.
    let theirs = json!({ "total_count": 1, "item_count": 1, "item": [{ "media_id": "theirs", "name": "旧图.jpg", "url": "https://mmbiz.example.com/old" }] });
    answers(&provider, "material/batchget_material", theirs);
    let articles = json!([{ "title": "旧简章", "content": "<p>旧</p>", "thumb_media_id": "theirs" }]);
    let theirs =
        json!({ "total_count": 1, "item": [{ "media_id": "their news", "content": { "news_item": articles } }] });
    answers(&provider, "draft/batchget", theirs);
    let job = operator.post(&format!("{MATERIAL}/sync"), json!({})).await.data()["jobId"].clone();
    let job = ended(&operator, &job).await;
    assert_eq!(job["message"], json!("上传3个，拉取2个，删除微信中不再使用的0个"), "{job}");
    assert_eq!(last(&provider, "draft/add")["articles"][0]["content"], json!("<p>欢迎</p>"));
    let list = operator.post(&format!("{MATERIAL}/list"), json!({ "synced": true })).await;
    assert_eq!((&list.data()["totalCount"], &list.data()["configured"]), (&json!(5), &json!(true)));
    let old: i64 = server.one("select id from platform.gzh_material where media_id = 'their news'").await;
    let old = with(reply("news", old), json!({ "keywords": ["旧简章"] }));
    let old = operator.post(&format!("{AUTO_REPLY}/save"), old).await;
    assert_eq!(old.data()["warnings"], json!(["图文“旧简章”没有原文链接，填写后才会回复"]));
    let sent = push(&server, &text(2, "voice")).await;
    assert!(sent.contains("<Voice><MediaId><![CDATA[voice-"), "{sent}");
    let sent = push(&server, &text(3, "news")).await;
    assert!(sent.contains("<ArticleCount>1</ArticleCount>") && sent.contains("https://www.example.com"), "{sent}");
    let used = operator.delete(&format!("{MATERIAL}/delete?id={voice}")).await;
    assert_eq!(used.refused(), (409, "已被1条自动回复引用，不能删除"));
    let shown = operator.delete(&format!("{MATERIAL}/delete?id={cover}")).await;
    assert_eq!(shown.refused(), (409, "已被1篇图文引用，不能删除"));
    // Another file goes anew, as do the articles that show it; the former ones go from the provider with the next exchange.
    let seen = operator.get(&format!("{MATERIAL}/view?id={cover}")).await.data().clone();
    let anew = uploaded(&operator, "新封面.png", "image/png", &png(8)).await;
    let edit =
        json!({ "id": cover, "version": seen["version"], "materialType": "image", "name": "新封面", "fileKey": anew });
    operator.put(&format!("{MATERIAL}/edit"), edit).await.data();
    assert_eq!(operator.get(&format!("{MATERIAL}/view?id={cover}")).await.data()["synced"], json!(false));
    answers(&provider, "material/batchget_material", json!({ "total_count": 0, "item": [] }));
    let job = operator.post(&format!("{MATERIAL}/sync"), json!({})).await.data()["jobId"].clone();
    assert_eq!(ended(&operator, &job).await["message"], json!("上传2个，拉取0个，删除微信中不再使用的2个"));
    assert_eq!(last(&provider, "material/del_material")["media_id"], seen["mediaId"]);
    assert_eq!(times(&provider, "draft/delete"), 1);
}

/// Whoever lacks the code gets nowhere.
#[tokio::test]
async fn others_are_refused() {
    let server = Server::start().await;
    let narrow = operator_with(&server, "narrow", &["system:pc:gzh:menu:list"]).await;
    narrow.post(&format!("{MENU}/list"), json!({})).await.data();
    assert_eq!(narrow.post(&format!("{MENU}/publish"), json!({})).await.code(), 403);
    assert_eq!(narrow.post(&format!("{MATERIAL}/list"), json!({})).await.code(), 403);
    assert_eq!(narrow.post(&format!("{AUTO_REPLY}/save"), plain_reply("default", "好")).await.code(), 403);
    assert_eq!(server.staff(1, &[]).await.post(&format!("{MENU}/list"), json!({})).await.code(), 403);
}
