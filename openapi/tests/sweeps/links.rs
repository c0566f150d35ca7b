//! Addresses that people type: none of them takes whoever opens it somewhere unseen, and none takes the server inside.

use std::collections::BTreeSet;

use infra::{link, outbound::Targets};
use kit::Server;
use openapi::document;
use serde_json::{Value, json};

/// Fields of bodies that look like addresses and have another pattern, or none: the type, the field and the reason.
const OTHERS: [(&str, &str, &str); 21] = [
    ("NewSchool", "domain", "a host name without protocol and path"),
    ("SchoolEdit", "domain", "a host name without protocol and path"),
    ("website_config", "domain", "a host name without protocol and path"),
    ("video_baijiayun_config", "privateDomain", "the first label of a provider's host name"),
    ("LiveChannelForm", "pushUrl", "where a studio sends to, which nobody opens"),
    ("Edit_LiveChannelForm", "pushUrl", "where a studio sends to, which nobody opens"),
    ("mail_config", "host", "a name or an address, judged when it is connected"),
    ("MenuForm", "icon", "the name of an icon"),
    ("Edit_MenuForm", "icon", "the name of an icon"),
    ("ClientMenuForm", "icon", "the name of an icon"),
    ("Edit_ClientMenuForm", "icon", "the name of an icon"),
    // Read back through the type that wrote them, so a new pattern would hide what stands there already. They are shown as
    // pictures only, where an address neither runs nor leads anywhere.
    ("website_config", "logo", "a picture"),
    ("website_config", "logoNoWord", "a picture"),
    ("website_config", "ico", "a picture"),
    ("website_config", "loginBackground", "a picture"),
    ("RecordCourseForm", "cover", "a picture"),
    ("RecordCourseEdit", "cover", "a picture"),
    ("LiveCourseForm", "cover", "a picture"),
    ("LiveCourseEdit", "cover", "a picture"),
    ("ResourceCourseForm", "cover", "a picture"),
    ("ResourceCourseEdit", "cover", "a picture"),
];

/// Endings of the names of such fields.
const ENDINGS: [&str; 16] = [
    "url",
    "link",
    "href",
    "uri",
    "domain",
    "host",
    "baseurl",
    "endpoint",
    "logo",
    "logonoword",
    "ico",
    "icon",
    "loginbackground",
    "cover",
    "headimg",
    "website",
];

/// The texts of a schema and of all that it names, each with the type that it stands in.
fn collect<'d>(
    document: &'d Value,
    owner: &'d str,
    schema: &'d Value,
    seen: &mut BTreeSet<&'d str>,
    found: &mut Vec<(&'d str, &'d str, &'d Value)>,
) {
    if let Some(name) = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
        if seen.insert(name) {
            collect(document, name, &document["components"]["schemas"][name], seen, found);
        }
        return;
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        if field["type"] == "string" {
            found.push((owner, name, field));
        }
        collect(document, owner, field, seen, found);
    }
    for part in ["allOf", "anyOf", "oneOf"] {
        for schema in schema[part].as_array().into_iter().flatten() {
            collect(document, owner, schema, seen, found);
        }
    }
    if schema["items"].is_object() {
        collect(document, owner, &schema["items"], seen, found);
    }
}

#[test]
fn each_address_in_a_body_has_one_of_the_checked_patterns() {
    let document = document::document();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for (_, _, operation) in document::operations(document) {
        for (_, kind) in operation["requestBody"]["content"].as_object().into_iter().flatten() {
            collect(document, "", &kind["schema"], &mut seen, &mut found);
        }
    }
    // What a config holds is described beside the operations that write it.
    for (name, schema) in document["components"]["schemas"].as_object().expect("schemas") {
        if name.ends_with("_config") && seen.insert(name) {
            collect(document, name, schema, &mut seen, &mut found);
        }
    }
    let mut others: BTreeSet<(&str, &str)> = OTHERS.iter().map(|(owner, name, _)| (*owner, *name)).collect();
    let (mut checked, mut wrong) = (0, Vec::new());
    for (owner, name, field) in found {
        let pattern = field["pattern"].as_str().unwrap_or_default();
        let looks = ENDINGS.iter().any(|ending| name.to_lowercase().ends_with(ending)) || pattern.contains("http");
        if looks && ![link::WEB, link::SECURE, link::LINK, link::PICTURE].contains(&pattern) {
            if !others.remove(&(owner, name)) {
                wrong.push(format!("{owner} {name}: {field}"));
            }
        } else if looks {
            checked += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(others.is_empty(), "no longer there or no longer exceptions: {others:?}");
    assert!(checked > 15, "only {checked} fields look like addresses");
}

#[tokio::test]
async fn a_banner_leads_nowhere_unseen() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let banner = |field: &str, address: &str| {
        let mut body =
            json!({ "title": "招生", "imageUrl": "/admin/files/public/a.png", "terminal": "pc", "position": "home" });
        body[field] = json!(address);
        body
    };
    for field in ["linkUrl", "imageUrl"] {
        for address in [
            "//evil.example",
            "/\\evil.example",
            "/\n/evil.example",
            "javascript:alert(1)",
            "data:text/html,x",
            "https://a@evil.example",
        ] {
            let refused = operator.post("/system/pc/banner/save", banner(field, address)).await;
            assert_eq!(refused.code(), 422, "{field} {address:?}: {}", refused.body);
            assert_eq!(refused.body["data"][0]["field"], json!(field));
        }
        for address in ["/courses?id=1", "https://www.example.cn/招生", "http://example.cn:8080"] {
            let saved = operator.post("/system/pc/banner/save", banner(field, address)).await;
            assert_eq!(saved.code(), 200, "{field} {address}: {}", saved.body);
        }
    }
}

#[tokio::test]
async fn a_trial_of_a_config_looks_neither_at_this_machine_nor_around_it() {
    const CONFIG: &str = "/system/pc/sys/config";
    let server = Server::with(|config| config.outbound.targets = Targets::Lan).await;
    let operator = server.operator().await;
    server.run("update platform.sys_user set email = 'wang@example.com' where login_name = 'operator'").await;
    // Somebody listens, and would greet.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let mail = |host: &str, port: u16| {
        json!({ "configName": host, "configKind": "mail",
                "content": { "host": host, "port": port, "security": "none", "from": "office@example.com" } })
    };
    let storage = |endpoint: &str| {
        json!({ "configName": endpoint, "configKind": "storage", "enabled": true,
                "content": { "provider": "minio", "endpoint": endpoint, "region": "cn-east-1", "bucket": "b", "keyId": "k",
                             "secret": "s-e-c-r-e-t", "forcePathStyle": true } })
    };
    let tried = async |config: Value| {
        let saved = operator.post(&format!("{CONFIG}/save"), config).await;
        assert_eq!(saved.code(), 200, "{}", saved.body);
        operator.post(&format!("{CONFIG}/test?id={}", saved.id()), json!({})).await
    };
    for host in ["127.0.0.1", "localhost", "169.254.169.254", "0.0.0.0", "2130706433"] {
        let refused = tried(mail(host, port)).await;
        assert_eq!(refused.code(), 409, "{host}: {}", refused.body);
        assert!(refused.refused().1.starts_with("不允许连接"), "{host}: {}", refused.body);
    }
    for endpoint in
        [format!("http://127.0.0.1:{port}"), "http://169.254.169.254".to_owned(), "http://[::1]:9000".to_owned()]
    {
        let refused = tried(storage(&endpoint)).await;
        assert!(refused.refused().1.starts_with("不允许连接"), "{endpoint}: {}", refused.body);
    }
    // By a name, the trial fails without a connection.
    let refused = tried(storage(&format!("http://localhost:{port}"))).await;
    assert_eq!(refused.code(), 409, "{}", refused.body);
    let knocked = tokio::time::timeout(std::time::Duration::from_millis(100), listener.accept()).await;
    assert!(knocked.is_err(), "somebody was connected");
}

#[tokio::test]
async fn a_trial_tells_no_open_port_from_a_closed_one() {
    const CONFIG: &str = "/system/pc/sys/config";
    let server = Server::start().await;
    let operator = server.operator().await;
    server.run("update platform.sys_user set email = 'wang@example.com' where login_name = 'operator'").await;
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let closed = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        listener.local_addr().expect("an address").port()
    };
    let hangs_up = silent.local_addr().expect("an address").port();
    tokio::spawn(async move { while silent.accept().await.is_ok() {} });
    let mut told = Vec::new();
    for port in [closed, hangs_up] {
        let config = json!({ "configName": port.to_string(), "configKind": "mail",
            "content": { "host": "127.0.0.1", "port": port, "security": "none", "from": "office@example.com" } });
        let id = operator.post(&format!("{CONFIG}/save"), config).await.id();
        let refused = operator.post(&format!("{CONFIG}/test?id={id}"), json!({})).await;
        told.push(refused.body.clone());
    }
    assert_eq!(told[0], told[1]);
    assert_eq!(told[0]["msg"], json!("无法连接服务器，请检查地址、端口和加密方式"));
}
