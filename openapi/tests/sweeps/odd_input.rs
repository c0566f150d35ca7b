//! Values that no form sends: every text, date and number of every operation of the document, one at a time. Whatever they
//! are, the answer is a refusal or an answer, in the envelope, and no error of the server; and nothing of it was noticed by
//! the database alone.

use std::{
    io,
    sync::{Arc, Mutex},
};

use futures_util::{StreamExt, stream};
use kit::{Answer, Client, Server, sheets::sheet};
use openapi::document;
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};

/// What would end the callers' sessions.
const LEFT_OUT: [&str; 4] = ["logout", "leaveSchool", "/kick", "update/password"];
/// What a statement's refusal of a value is logged as: a check before it has a gap.
const GAP: &str = "a value that the database cannot hold came to a statement";
const AT_ONCE: usize = 8;
const ENTER: &str = "/system/pc/api/sys/user/createSchoolToken?id=1&reason=%E6%A0%B8%E5%AF%B9";

/// Where in a body a value stands.
#[derive(Debug, Clone)]
enum Step {
    Field(String),
    First,
}

/// A value of a body or query.
#[derive(Debug, Clone)]
struct Spot {
    steps: Vec<Step>,
    /// As the document has it: its type, or its format, or `enum`.
    kind: String,
}

struct Schemas<'d>(&'d Value);

impl Schemas<'_> {
    /// A schema with its references and parts put together.
    fn flat(&self, schema: &Value) -> Value {
        if let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
            return self.flat(&self.0["components"]["schemas"][name]);
        }
        let mut flat = json!({});
        let parts = schema["allOf"].as_array().into_iter().flatten().map(|part| self.flat(part));
        for part in parts.chain([schema.clone()]) {
            for (name, value) in part.as_object().into_iter().flatten().filter(|(name, _)| *name != "allOf") {
                flat[name] = value.clone();
            }
        }
        flat
    }

    fn kind(schema: &Value) -> String {
        let format = schema["format"].as_str();
        let named = if schema["enum"].is_array() { Some("enum") } else { format };
        named.or(schema["type"].as_str()).unwrap_or("free").to_owned()
    }

    /// A body with every field, and where each value of it stands.
    fn body(&self, schema: &Value, example: &Value, at: &[Step], places: &mut Vec<Spot>) -> Value {
        let schema = self.flat(schema);
        let example = if example.is_null() { &schema["example"] } else { example };
        let kind = Self::kind(&schema);
        if let Some(fields) = schema["properties"].as_object() {
            let fields = fields.iter().map(|(name, field)| {
                let here = [at, &[Step::Field(name.clone())]].concat();
                (name.clone(), self.body(field, &example[name], &here, places))
            });
            return Value::Object(fields.collect());
        }
        if kind == "array" {
            let here = [at, &[Step::First]].concat();
            return json!([self.body(&schema["items"], &example[0], &here, places)]);
        }
        places.push(Spot { steps: at.to_vec(), kind: kind.clone() });
        if !example.is_null() {
            return example.clone();
        }
        match kind.as_str() {
            "enum" => schema["enum"][0].clone(),
            "naive-date" => json!("2026-03-01"),
            "date-time" => json!("2026-03-01T08:00:00+08:00"),
            "boolean" => json!(false),
            "object" | "free" => json!({}),
            "double" | "int16" | "int32" | "int64" | "uint32" => {
                schema["minimum"].as_f64().map_or(json!(1), |min| json!(min as i64))
            }
            _ => json!("a"),
        }
    }
}

/// Values for a kind; the second says whether one must be refused.
fn odd(kind: &str) -> Vec<(Value, bool)> {
    let day = |day: &str| if kind == "date-time" { json!(format!("{day}T23:59:59Z")) } else { json!(day) };
    match kind {
        "naive-date" | "date-time" => [
            ("-5000-01-01", true),
            ("+262142-12-31", true),
            ("0001-01-01", true),
            ("9999-12-31", true),
            ("1900-01-01", false),
            ("2200-12-31", false),
        ]
        .into_iter()
        .map(|(text, refused)| (day(text), refused))
        .chain([(json!("\0"), true)])
        .collect(),
        "int16" | "int32" | "int64" | "uint32" => {
            vec![(json!(i64::MAX), false), (json!(i64::MIN), false), (json!(u64::MAX), true)]
        }
        "double" => vec![(json!(f64::MAX), false), (json!(f64::MIN), false), (json!(1e-300), false)],
        "boolean" => vec![(json!("\0"), true)],
        "object" | "free" => {
            vec![
                (json!({ "a": [{ "b": "\0" }] }), true),
                (json!({ "\0": 1 }), true),
                (json!({ "a": "\u{ffff}" }), false),
            ]
        }
        "enum" => vec![(json!("\0"), true)],
        _ => vec![
            (json!("\0"), true),
            (json!("%_\\'\";--{}[]$1\u{1}\u{fffe}\u{ffff}\u{202e}😀"), false),
            (json!("长".repeat(3_000)), false),
        ],
    }
}

fn put(body: &mut Value, steps: &[Step], value: Value) {
    let mut at = body;
    for step in steps {
        at = match step {
            Step::Field(name) => &mut at[name],
            Step::First => &mut at[0],
        };
    }
    *at = value;
}

fn told(steps: &[Step]) -> String {
    steps
        .iter()
        .map(|step| if let Step::Field(name) = step { name.as_str() } else { "[0]" })
        .collect::<Vec<_>>()
        .join(".")
}

struct Call {
    method: Method,
    path: String,
    body: Option<Value>,
    /// Which value is odd, for who reads what failed.
    what: String,
    refused: bool,
}

/// The calls of an operation, one odd value in each.
fn calls(document: &Value, method: &str, path: &str, operation: &Value) -> Vec<Call> {
    let schemas = Schemas(document);
    let method: Method = method.parse().expect("a method");
    let path = path.replace("{type}", "siteKind").replace("{provider}", "aliyun").replace("{channel}", "aliyun");
    let mut places = Vec::new();
    let content = &operation["requestBody"]["content"]["application/json"];
    let mut body = content.is_object().then(|| schemas.body(&content["schema"], &Value::Null, &[], &mut places));
    // The callers are in school 1; what ends a school may end the other one.
    let record = if path.starts_with("/system/pc/sys/school/") { 2 } else { 1 };
    if let Some(id) = body.as_mut().and_then(|body| body.get_mut("id")).filter(|id| **id == json!(1)) {
        *id = json!(record);
    }
    let mut calls = Vec::new();
    for place in &places {
        for (value, refused) in odd(&place.kind) {
            let mut body = body.clone().expect("a body has places");
            let shown: String = value.to_string().chars().take(60).collect();
            put(&mut body, &place.steps, value);
            let what = format!("{} = {shown}", told(&place.steps));
            calls.push(Call { method: method.clone(), path: path.clone(), body: Some(body), what, refused });
        }
    }
    let queries = operation["parameters"].as_array().into_iter().flatten().filter(|query| query["in"] == "query");
    for query in queries {
        let name = query["name"].as_str().expect("a name");
        let others: String = operation["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|other| other["in"] == "query" && other["required"] == json!(true) && other["name"] != name)
            .map(|other| format!("&{}={record}", other["name"].as_str().unwrap_or_default()))
            .collect();
        for (text, refused) in [
            ("%00", true),
            ("%25_%5C'%22%EF%BF%BF%F0%9F%98%80%01%FF", false),
            ("9223372036854775807", false),
            ("18446744073709551616", false),
            ("-5000-01-01T00:00:00Z", false),
        ] {
            let path = format!("{path}?{name}={text}{others}");
            calls.push(Call { method: method.clone(), path, body: body.clone(), what: "query".to_owned(), refused });
        }
    }
    calls
}

fn is_enveloped(answer: &Answer) -> bool {
    answer.body.as_object().is_some_and(|fields| fields.keys().eq(["code", "data", "msg"]))
}

/// What is wrong with an answer; nothing for a refusal and an answer.
fn fault(answer: &Answer, refused: bool) -> Option<String> {
    let code = answer.code();
    // An export also answers 999 where there is nothing to export, which it says.
    let broken = answer.status >= 500 || (500..600).contains(&code) || code == 999 && answer.msg().contains("失败");
    let odd = !is_enveloped(answer) && answer.file_name.is_none();
    let taken = refused && answer.file_name.is_none() && code == 200 || refused && answer.file_name.is_some();
    (broken || odd || taken).then(|| format!("{} {}", answer.status, String::from_utf8_lossy(&answer.bytes)))
}

/// What this thread logs, from warnings on.
#[derive(Clone, Default)]
struct Logged(Arc<Mutex<Vec<u8>>>);

impl io::Write for Logged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Logged {
    fn listen() -> (Self, tracing::subscriber::DefaultGuard) {
        let logged = Self::default();
        let writer = logged.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_max_level(tracing::Level::WARN)
            .with_writer(move || writer.clone())
            .finish();
        (logged, tracing::subscriber::set_default(subscriber))
    }

    fn gaps(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.0.lock().expect("no panic")).into_owned();
        text.lines().filter(|line| line.contains(GAP)).map(ToOwned::to_owned).collect()
    }
}

async fn faults(client: &Client<'_>, calls: Vec<Call>) -> Vec<String> {
    stream::iter(calls)
        .map(|call| async move {
            let answer = client.unlooked(call.method.clone(), &call.path, call.body.as_ref()).await;
            fault(&answer, call.refused).map(|fault| format!("{} {} {}: {fault}", call.method, call.path, call.what))
        })
        .buffer_unordered(AT_ONCE)
        .filter_map(async |fault| fault)
        .collect()
        .await
}

#[tokio::test]
async fn no_value_of_any_operation_breaks_the_server() {
    let (logged, _listening) = Logged::listen();
    let server = Server::start().await;
    let document = document::document();
    let (outside, nobody) = (server.operator().await, server.anonymous());
    // One session of an account lives at a time, so the operator enters with the one that they keep.
    let enter = async || outside.with_token(outside.get(ENTER).await.data()["token"].as_str());
    let mut inside = enter().await;
    let (mut found, mut asked) = (Vec::new(), 0);
    for (method, path, operation) in document::operations(document) {
        if LEFT_OUT.iter().any(|part| path.contains(part)) {
            continue;
        }
        let caller = match (operation["x-permission"].as_str(), operation["x-area"].as_str()) {
            (Some("public"), _) => &nobody,
            (_, Some("platform")) => &outside,
            _ => &inside,
        };
        let calls = calls(document, &method, path, operation);
        asked += calls.len();
        found.extend(faults(caller, calls).await);
        if ENTER.starts_with(path.as_str()) {
            inside = enter().await;
        }
        for signed_in in [&outside, &inside] {
            let account = signed_in.get("/system/pc/api/sys/user/getSchoolAccountInfo").await;
            assert_eq!(account.code(), 200, "{method} {path} ended a session: {}", account.body);
        }
    }
    found.extend(logged.gaps());
    assert!(found.is_empty(), "{} of {asked} calls:\n{}", found.len(), found.join("\n"));
    assert!(asked > 5_000, "{asked} calls");
}

#[tokio::test]
async fn no_path_of_a_call_breaks_the_server() {
    let server = Server::start().await;
    let operator = server.operator().await;
    for last in ["%00", "a%00b", "%EF%BF%BF", "..%2f..%2fmaster.key", &"x".repeat(5_000)] {
        let path = format!("/system/pc/sys/enum/list/{last}");
        let answer = operator.unlooked(Method::GET, &path, None).await;
        assert_eq!(fault(&answer, true), None, "{path}");
    }
    // What is no text at all is no path of a call, and is refused before.
    assert_eq!(operator.unlooked(Method::GET, "/system/pc/sys/enum/list/%FF", None).await.status, 400);
}

/// Keys that no store would take were never given to anybody.
#[tokio::test]
async fn a_file_under_an_odd_key_is_not_there() {
    let server = Server::start().await;
    let anybody = server.anonymous();
    let long = "a".repeat(5_000);
    for key in [
        "public/..%2f..%2fmaster.key",
        "public/%00",
        "public/a%00.png",
        "public/%E5%9B%BE.png",
        "public-999999/s1/202611/a.png",
        "public-99999999999999999999/a.png",
        &format!("public/{long}"),
    ] {
        for method in [Method::GET, Method::PUT] {
            let answer = anybody.raw(method.clone(), &format!("/admin/files/{key}"), None, Vec::new()).await;
            let shown = &key[..key.len().min(60)];
            let expected = if method == Method::GET { StatusCode::NOT_FOUND } else { answer.status() };
            assert!(
                !answer.status().is_server_error() && answer.status() == expected,
                "{method} {shown}: {}",
                answer.status()
            );
        }
    }
}

/// Forms: texts, names of files, and files that are none.
#[tokio::test]
async fn no_file_of_any_form_breaks_the_server() {
    let (logged, _listening) = Logged::listen();
    let server = Server::start().await;
    let document = document::document();
    let outside = server.operator().await;
    let inside = outside.with_token(outside.get(ENTER).await.data()["token"].as_str());
    let schemas = Schemas(document);
    let right = sheet(&["姓名"], &[&["=1+1"]]);
    let files: [&[u8]; 5] = [b"", b"\0\0\0", b"PK\x03\x04", &[0xff; 4_096], &right];
    let (mut found, mut forms) = (Vec::new(), 0);
    for (method, path, operation) in document::operations(document) {
        let form = schemas.flat(&operation["requestBody"]["content"]["multipart/form-data"]["schema"]);
        let Some(fields) = form["properties"].as_object() else { continue };
        forms += 1;
        let caller = if operation["x-area"] == json!("platform") { &outside } else { &inside };
        let method: Method = method.parse().expect("a method");
        let flat = |field: &Value| schemas.flat(field);
        let (binary, texts): (Vec<_>, Vec<_>) =
            fields.iter().partition(|(_, field)| flat(field)["format"] == json!("binary"));
        let file = binary.first().expect("a file").0;
        for text in ["1", "\0", "-5000-01-01", "\u{ffff}😀", "9223372036854775808"] {
            let texts: Vec<(&str, &str)> = texts.iter().map(|(name, _)| (name.as_str(), text)).collect();
            for (bytes, name) in files.iter().zip(["a.xlsx", "a\u{1}.xlsx", "=1+1.xlsx", "../../x.txt", "名单.zip"]) {
                let answer = caller
                    .send_file_unlooked(method.clone(), path, &texts, (file, name, "application/zip"), bytes)
                    .await;
                found.extend(fault(&answer, false).map(|fault| format!("{method} {path} {text:?} {name:?}: {fault}")));
            }
        }
    }
    found.extend(logged.gaps());
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(forms > 20, "{forms} forms");
}

/// The hidden form of an export goes through the same checks as its JSON.
#[tokio::test]
async fn a_hidden_form_with_an_odd_text_is_refused_at_its_field() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let token = operator.token.as_deref().expect("a token");
    let sent = |body: &str| format!("token={token}&body={body}");
    let post = async |body: &str| {
        let path = "/admin/apis/data/pc/user/log/login/export";
        let kind = Some("application/x-www-form-urlencoded");
        let response = server.anonymous().raw(Method::POST, path, kind, sent(body).into_bytes()).await;
        let status = response.status();
        (status, response.into_body().into_string().await.unwrap_or_default())
    };
    let (_, told) = post("%7B%22keyword%22%3A%22%5Cu0000%22%7D").await;
    assert!(told.contains("422") && told.contains("含有无法保存的字符"), "{told}");
    let (status, told) = post("%7B%22keyword%22%3A%22%5Cud800%22%7D").await;
    assert_eq!((status, told.contains("请求参数不正确")), (StatusCode::BAD_REQUEST, true), "{told}");
}
