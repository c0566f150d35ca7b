//! Dictionary, parameters, configuration, sensitive words, banners (01 §3.5, §8).

use base64::{Engine, prelude::BASE64_STANDARD};
use kit::{
    Answer, Client, Server,
    accounts::all_school_codes,
    cohort::cohort,
    imports::taken_back,
    sheets::{XLSX, sheet},
    students::id_number_of,
    within,
};
use poem::http::Method;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use rsa::{
    RsaPrivateKey,
    pkcs8::{EncodePrivateKey, EncodePublicKey},
};
use serde_json::{Value, json};
use settings::sensitive::{self, Screened};

const TYPE: &str = "/system/pc/dict/type";
const DATA: &str = "/system/pc/dict/data";
const CONFIG: &str = "/system/pc/sys/config";
const PARAM: &str = "/system/pc/sys/param/config";
const WORDS: &str = "/system/pc/sys/sensitive/word/library";
const BANNER: &str = "/system/pc/banner";

/// What is wrong at which field.
fn field(answer: &Answer) -> (String, String) {
    assert_eq!(answer.code(), 422, "{}", answer.body);
    let first = &answer.body["data"][0];
    (first["field"].as_str().unwrap_or_default().to_owned(), first["message"].as_str().unwrap_or_default().to_owned())
}

fn rows(answer: &Answer) -> &Vec<Value> {
    answer.data()["list"].as_array().expect("a list")
}

async fn staff_of(server: &Server, school: i64) -> Client<'_> {
    let codes = all_school_codes();
    server.staff(school, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await
}

/// Somebody of ethnicity 01 in a school that has nobody yet.
async fn enrol(client: &Client<'_>, county: &str) {
    let p = cohort(client).await;
    let body = json!({
        "name": "张晓梅", "idCardNo": id_number_of(county, 1), "studentNo": "2600000001", "gradeId": p.grade, "levelId": p.level,
        "majorId": p.major, "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": p.site, "enrolledOn": "2026-03-01",
        "status": "registered", "phone": "15400000001", "source": "legacy", "ethnicity": "01",
    });
    client.post("/adult/pc/studentRoll/save", body).await.id();
}

async fn find_data(operator: &Client<'_>, dict_type: &str, value: &str) -> Value {
    let list = operator.post(&format!("{DATA}/list"), json!({ "dictType": dict_type, "pageSize": 500 })).await;
    rows(&list).iter().find(|row| row["dictValue"] == json!(value)).expect("the value is seeded").clone()
}

#[tokio::test]
async fn a_word_that_students_of_three_schools_carry_is_renamed_but_not_deleted() {
    let server = Server::start().await;
    let third = server.open_school("10593", "西山示范学院").await;
    for (school, county) in [(1, "429900"), (2, "449900"), (third, "519900")] {
        enrol(&staff_of(&server, school).await, county).await;
    }
    let operator = server.operator().await;
    let han = find_data(&operator, "ethnicity", "01").await;
    let (code, mut edit) = (han["dictCode"].clone(), han.clone());
    for shown in ["id", "dictName", "enabled", "builtIn", "readOnly"] {
        edit.as_object_mut().expect("fields").remove(shown);
    }
    edit["dictLabel"] = json!("汉");
    assert_eq!(operator.put(&format!("{DATA}/edit"), edit.clone()).await.code(), 200);
    assert_eq!(find_data(&operator, "ethnicity", "01").await["dictLabel"], json!("汉"));
    edit["version"] = json!(2);
    edit["dictValue"] = json!("99");
    assert_eq!(field(&operator.put(&format!("{DATA}/edit"), edit).await).0, "dictValue");

    let refused = operator.delete(&format!("{DATA}/delete?dictCodes={code}")).await;
    assert_eq!(refused.refused(), (409, "“汉”已被引用，不能删除，可以停用：3所院校的3名学生"));
    let off = json!({ "id": code, "enabled": false });
    assert_eq!(operator.put(&format!("{DATA}/update/status"), off).await.code(), 200);
    let offered = operator.get(&format!("{DATA}/dictType?dictType=ethnicity")).await;
    assert!(!offered.data().as_array().expect("words").iter().any(|word| word["dictValue"] == json!("01")));
}

#[tokio::test]
async fn a_list_of_ones_own_lives_from_type_to_words_and_goes() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let body = json!({ "dictType": "visit_reason", "dictName": "来访原因" });
    let id = operator.post(&format!("{TYPE}/save"), body.clone()).await.id();
    assert_eq!(field(&operator.post(&format!("{TYPE}/save"), body).await).1, "类型编码已存在");
    let seen = operator.get(&format!("{TYPE}/view?dictType=visit_reason")).await;
    assert_eq!(seen.data()["id"], json!(id));
    let edit = json!({ "id": id, "version": 1, "dictType": "visit_reason", "dictName": "到访原因" });
    assert_eq!(operator.put(&format!("{TYPE}/edit"), edit.clone()).await.code(), 200);
    assert_eq!(operator.put(&format!("{TYPE}/edit"), edit).await.code(), 409, "the version is old");

    let word = |label: &str, value: &str, first: bool| json!({ "dictType": "visit_reason", "dictLabel": label, "dictValue": value, "isDefault": first });
    let one = operator.post(&format!("{DATA}/save"), word("咨询", "ask", true)).await.id();
    let two = operator.post(&format!("{DATA}/save"), word("办事", "do", true)).await.id();
    assert_eq!(operator.get(&format!("{DATA}/view?dictCode={one}")).await.data()["isDefault"], json!(false));
    assert_eq!(operator.get(&format!("{DATA}/view?dictCode={two}")).await.data()["isDefault"], json!(true));
    let taken = operator.post(&format!("{DATA}/save"), word("咨询", "other", false)).await;
    assert_eq!(field(&taken), ("dictLabel".to_owned(), "该类型下已有这个标签".to_owned()));

    let headings = ["字典类型", "标签", "值", "排序", "默认", "备注"];
    let wrong =
        sheet(&headings, &[&["visit_reason", "投诉", "complain", "3", "否", ""], &["nothing", "甲", "a", "", "", ""]]);
    let xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    let answer = operator.upload(&format!("{DATA}/import"), "file", "words.xlsx", xlsx, &wrong).await;
    assert_eq!((answer.data()["imported"].clone(), answer.data()["errors"][0]["row"].clone()), (json!(0), json!(3)));
    assert_eq!(answer.data()["errors"][0]["column"], json!("字典类型"));
    let right = sheet(&headings, &[&["visit_reason", "投诉", "complain", "3", "否", "转办"]]);
    let answer = operator.upload(&format!("{DATA}/import"), "file", "words.xlsx", xlsx, &right).await;
    assert_eq!(answer.data()["imported"], json!(1));
    assert_eq!(operator.get(&format!("{DATA}/import/template")).await.status, 200);
    let exported = operator.post(&format!("{DATA}/export"), json!({ "dictType": "visit_reason" })).await;
    assert!(exported.file_name.is_some_and(|name| name.contains("xlsx")));

    assert_eq!(
        operator.delete(&format!("{TYPE}/delete?id={id}")).await.refused(),
        (409, "“到访原因”下有3条字典数据，请先删除数据")
    );
    let list = operator.post(&format!("{DATA}/list"), json!({ "dictType": "visit_reason" })).await;
    let built_in = find_data(&operator, "bank", "ICBC").await["dictCode"].clone();
    let codes: Vec<String> =
        rows(&list).iter().map(|row| row["dictCode"].to_string()).chain([built_in.to_string()]).collect();
    let gone = operator.delete(&format!("{DATA}/delete?dictCodes={}", codes.join(","))).await;
    assert_eq!(gone.data()["done"], json!(3), "{}", gone.body);
    assert!(gone.data()["failed"][0]["msg"].as_str().is_some_and(|msg| msg.contains("内置字典数据")));
    assert_eq!(operator.delete(&format!("{TYPE}/delete?id={id}")).await.code(), 200);
}

#[tokio::test]
async fn types_that_repeat_an_enumeration_are_read_only() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let male = find_data(&operator, "gender", "1").await;
    assert_eq!(male["readOnly"], json!(true));
    let refused = (409, "该字典的取值由系统决定，仅可查看");
    let off = json!({ "id": male["dictCode"], "enabled": false });
    assert_eq!(operator.put(&format!("{DATA}/update/status"), off).await.refused(), refused);
    let word = json!({ "dictType": "gender", "dictLabel": "其他", "dictValue": "8" });
    assert_eq!(operator.post(&format!("{DATA}/save"), word).await.refused(), refused);
    let code = male["dictCode"].clone();
    assert_eq!(operator.delete(&format!("{DATA}/delete?dictCodes={code}")).await.refused(), refused);
}

async fn param(operator: &Client<'_>, code: &str) -> Value {
    operator.get(&format!("{PARAM}/view?code={code}")).await.data().clone()
}

#[tokio::test]
async fn a_parameter_keeps_its_range_and_goes_back_to_its_default() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let idle = param(&operator, "session.idleMinutes").await;
    let with = |value: &str, version: &Value| json!({ "id": idle["id"], "version": version, "paramValue": value });
    let refused = operator.put(&format!("{PARAM}/edit"), with("5", &idle["version"])).await;
    assert_eq!(field(&refused), ("paramValue".to_owned(), "取值应在10到720之间".to_owned()));
    assert_eq!(operator.put(&format!("{PARAM}/edit"), with("30", &idle["version"])).await.code(), 200);
    // The rule reads it at once. What a page without anybody before it asks for keeps no session alive, a person does.
    let seconds = |seconds| server.app.clock().shift(chrono::Duration::seconds(seconds));
    let alone = async || {
        let list = format!("{PARAM}/list");
        operator.with_header(Method::POST, &list, ("x-unattended", "1"), &json!({})).await.code()
    };
    seconds(20 * 60);
    assert_eq!(operator.get(&format!("{PARAM}/view?code=session.idleMinutes")).await.code(), 200);
    for _ in 0..2 {
        seconds(14 * 60);
        assert_eq!(alone().await, 200);
    }
    seconds(3 * 60);
    assert_eq!(alone().await, 302);
    assert_eq!(operator.get(&format!("{PARAM}/view?code=session.idleMinutes")).await.code(), 302);
    let operator = server.operator().await;
    let changed = param(&operator, "session.idleMinutes").await;
    assert_eq!((&changed["paramValue"], &changed["changed"]), (&json!("30"), &json!(true)));
    assert_eq!(operator.put(&format!("{PARAM}/edit"), with("40", &idle["version"])).await.code(), 409);
    let id = idle["id"].clone();
    assert_eq!(operator.bare(Method::PUT, &format!("{PARAM}/reset?id={id}")).await.code(), 200);
    let back = param(&operator, "session.idleMinutes").await;
    assert_eq!((&back["paramValue"], &back["changed"]), (&json!("120"), &json!(false)));
    assert_eq!(
        operator.delete(&format!("{PARAM}/delete?id={id}")).await.refused(),
        (409, "内置参数不能删除，可以恢复默认值")
    );
    let image = param(&operator, "upload.imageMaxMb").await;
    let fixed = json!({ "id": image["id"], "version": image["version"], "paramValue": "2" });
    assert_eq!(operator.put(&format!("{PARAM}/edit"), fixed).await.refused(), (409, "该参数的值是固定的，不能修改"));
}

#[tokio::test]
async fn the_parameters_of_the_specification_are_there() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let list = operator.post(&format!("{PARAM}/list"), json!({ "pageSize": 500 })).await;
    let seen: std::collections::BTreeMap<&str, (&str, String)> = rows(&list)
        .iter()
        .map(|row| {
            let range = match (&row["minValue"], &row["maxValue"]) {
                (Value::Null, _) | (_, Value::Null) => String::new(),
                (min, max) => format!("{}–{}", min.as_f64().unwrap_or_default(), max.as_f64().unwrap_or_default()),
            };
            (row["paramCode"].as_str().unwrap_or_default(), (row["defaultValue"].as_str().unwrap_or_default(), range))
        })
        .collect();
    for (code, default, range) in [
        ("session.idleMinutes", "120", "10–720"),
        ("session.absoluteHours", "12", "1–24"),
        ("session.single", "true", ""),
        ("auth.lockFailures", "5", "3–10"),
        ("auth.lockMinutes", "15", "5–1440"),
        ("auth.passwordMaxDays", "180", "0–365"),
        ("upload.maxMb", "500", "1–5000"),
        ("upload.imageMaxMb", "2", "2–2"),
        ("log.keepMonths", "36", "6–120"),
        ("school.deleteWaitDays", "30", "7–365"),
        ("order.closeMinutes", "30", "5–1440"),
        ("order.settleDays", "7", "0–60"),
        ("msg.marketingHours", "08:00-22:00", ""),
    ] {
        assert_eq!(seen.get(code), Some(&(default, range.to_owned())), "{code}");
    }
    for (code, default) in [
        ("upload.videoMaxMb", "4096"),
        ("import.maxRows", "100000"),
        ("school.trialDays", "30"),
        ("lecturer.defaultProportion", "0.7"),
        ("account.minExtract", "10000"),
        ("extract.twoPersons", "true"),
        ("comment.preAudit", "false"),
    ] {
        assert_eq!(seen.get(code).map(|(default, _)| *default), Some(default), "{code}");
    }
    assert_eq!(param(&operator, "msg.marketingHours").await["schoolOverridable"], json!(true));
}

#[tokio::test]
async fn an_import_takes_as_many_rows_as_the_parameter_says() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let most = param(&operator, "import.maxRows").await;
    let edit = json!({ "id": most["id"], "version": most["version"], "paramValue": "1000" });
    assert_eq!(operator.put(&format!("{PARAM}/edit"), edit).await.code(), 200);
    let send = async |count: usize| {
        let rows: Vec<Vec<String>> =
            (0..count).map(|n| vec!["source_channel".to_owned(), format!("{n}"), format!("色{n}")]).collect();
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let file = sheet(&["字典类型", "值", "标签"], &rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
        operator.upload(&format!("{DATA}/import"), "file", "a.xlsx", XLSX, &file).await
    };
    assert_eq!(field(&send(1_001).await).1, "一次最多导入 1000 行，请拆分后分批导入");
    assert_eq!(send(1_000).await.code(), 200);
}

/// 00 §8: what has a natural key is found by it.
#[tokio::test]
async fn a_view_takes_the_natural_key() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let same = async |by_key: String, by_id: &str, id: &str| {
        let found = operator.get(&by_key).await.data().clone();
        assert_eq!(operator.get(&format!("{by_id}{}", found[id])).await.data(), &found, "{by_key}");
    };
    same(format!("{DATA}/view?dictType=ethnicity&dictValue=01"), &format!("{DATA}/view?dictCode="), "dictCode").await;
    let (user, role) = ("/system/pc/sys/user/view", "/system/pc/sys/role/view");
    same(format!("{user}?loginName=Operator"), &format!("{user}?userId="), "id").await;
    let named = "%E5%AE%A1%E8%AE%A1";
    same(format!("{role}?kind=platform&roleName={named}"), &format!("{role}?id="), "id").await;
    let scene = "/user/pc/psd/info/view";
    same(format!("{scene}?code=import_finished"), &format!("{scene}?id="), "id").await;
    for (path, code) in [
        (format!("{user}?loginName=nobody"), 404),
        (format!("{user}?loginName=operator&userId=1"), 400),
        (user.to_owned(), 400),
        (format!("{role}?roleName={named}"), 400),
        (format!("{role}?kind=template&roleName={named}"), 404),
        (format!("{DATA}/view?dictType=ethnicity"), 400),
    ] {
        assert_eq!(operator.get(&path).await.code(), code, "{path}");
    }
}

#[tokio::test]
async fn an_operators_own_parameter_is_a_text() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let body = json!({ "paramCode": "custom.hotline", "paramName": "值班电话", "paramValue": "027-1" });
    let id = operator.post(&format!("{PARAM}/save"), body.clone()).await.id();
    assert_eq!(field(&operator.post(&format!("{PARAM}/save"), body).await).1, "参数编码已存在");
    let built_in = json!({ "paramCode": "session.single", "paramName": "甲", "paramValue": "乙" });
    assert_eq!(field(&operator.post(&format!("{PARAM}/save"), built_in).await).1, "参数编码已存在");
    let edit = json!({ "id": id, "version": 1, "paramValue": "027-2", "paramName": "值班热线" });
    assert_eq!(operator.put(&format!("{PARAM}/edit"), edit).await.code(), 200);
    let seen = param(&operator, "custom.hotline").await;
    assert_eq!((&seen["paramValue"], &seen["groupName"]), (&json!("027-2"), &json!("自定义")));
    assert_eq!(operator.delete(&format!("{PARAM}/delete?id={id}")).await.code(), 200);
}

fn storage(secret: Value) -> Value {
    json!({
        "configName": "本机存储", "configKind": "storage", "isDefault": true, "enabled": true,
        "content": { "provider": "local", "directory": "files", "keyId": "AKIA", "secret": secret },
    })
}

#[tokio::test]
async fn a_secret_is_written_and_never_read() {
    const SECRET: &str = "top-secret-value-7f3a";
    let server = Server::start().await;
    let operator = server.operator().await;
    let id = operator.post(&format!("{CONFIG}/save"), storage(json!(SECRET))).await.id();
    let seen = operator.get(&format!("{CONFIG}/view?id={id}")).await;
    let content = &seen.data()["content"];
    assert_eq!((&content["secret"], &content["secretSet"]), (&Value::Null, &json!(true)));
    assert_eq!(content["secretTail"], json!("7f3a"));
    assert_eq!(seen.data()["secretState"], json!("set"));
    assert_eq!(
        operator.post(&format!("{CONFIG}/test?id={id}"), json!({})).await.data()["message"],
        json!("写入、读取、删除均正常")
    );

    let mut edit = storage(Value::Null);
    (edit["id"], edit["version"]) = (json!(id), json!(1));
    edit["content"]["directory"] = json!("school/files");
    assert_eq!(operator.put(&format!("{CONFIG}/edit"), edit.clone()).await.code(), 200);
    let seen = operator.get(&format!("{CONFIG}/view?id={id}")).await;
    assert_eq!(seen.data()["content"]["secretTail"], json!("7f3a"), "an absent secret stays");
    assert_eq!(operator.post(&format!("{CONFIG}/test?id={id}"), json!({})).await.code(), 200);

    edit["version"] = json!(2);
    edit["content"]["provider"] = json!("s3");
    edit["content"]["secret"] = json!("");
    let refused = operator.put(&format!("{CONFIG}/edit"), edit).await;
    let told: Vec<&str> =
        refused.body["data"].as_array().expect("fields").iter().filter_map(|f| f["field"].as_str()).collect();
    assert_eq!(told, ["content.region", "content.bucket", "content.secret"]);

    // Nowhere in the database: the trail, the log of calls, the row itself.
    server.wait_until("select count(*) >= 3 from platform.sys_log where path like '%/sys/config/%'").await;
    for table in ["sys_config", "audit_log", "sys_log", "idempotency_key", "job"] {
        let found: i64 =
            server.one(&format!("select count(*) from platform.{table} t where t::text like '%{SECRET}%'")).await;
        assert_eq!(found, 0, "{table} holds the secret");
    }
    let bytes: i64 = server
        .one(&format!("select count(*) from platform.sys_config where position('{SECRET}'::bytea in secrets) > 0"))
        .await;
    assert_eq!(bytes, 0);
}

#[tokio::test]
async fn each_kind_says_what_is_wrong_in_its_content() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let save = |kind: &str, content: Value| json!({ "configName": "甲", "configKind": kind, "content": content });
    for (kind, content, wanted) in [
        ("website", json!({}), ("content.title", "站点标题不能为空")),
        ("mail", json!({ "host": "m.cn", "port": 0, "from": "a@b.cn" }), ("content.port", "端口取值应在1到65535之间")),
        (
            "sms",
            json!({ "provider": "aliyun", "keyId": "k", "signName": "甲" }),
            ("content.secret", "密钥在启用时不能为空"),
        ),
        (
            "wechat_mp",
            json!({ "appId": "wx1", "appSecret": "s", "encodingAesKey": "short" }),
            ("content.encodingAesKey", "消息加解密密钥格式不正确：43位字母和数字"),
        ),
    ] {
        let refused = operator.post(&format!("{CONFIG}/save"), save(kind, content)).await;
        assert_eq!(refused.code(), 422, "{kind} {wanted:?}");
        assert_eq!(field(&refused), (wanted.0.to_owned(), wanted.1.to_owned()), "{kind}");
    }
    let unknown =
        operator.post(&format!("{CONFIG}/save"), save("website", json!({ "title": "甲", "secret": "x" }))).await;
    assert_eq!(unknown.code(), 400);
    let recorded = operator.post(&format!("{CONFIG}/save"), save("sms", json!({ "provider": "recorded" }))).await.id();
    let alone = operator.post(&format!("{CONFIG}/test?id={recorded}"), json!({})).await;
    assert_eq!(alone.refused(), (409, "您的账号没有手机号，请先在账号资料中补充"));
    server.run("update platform.sys_user set phone = '13800138000' where login_name = 'operator'").await;
    let tried = operator.post(&format!("{CONFIG}/test?id={recorded}"), json!({})).await;
    assert_eq!(tried.data()["message"], json!("此配置只记录、不发送：发给138****8000等号码的短信只写入发件记录"));
}

fn website(title: &str, default: bool) -> Value {
    json!({
        "configName": title, "configKind": "website", "isDefault": default, "enabled": true,
        "content": { "title": title, "copyright": "某公司", "icp": "京ICP备1号", "schoolAssistanceCenter": true },
    })
}

async fn title(client: &Client<'_>) -> Value {
    client.post(&format!("{CONFIG}/get"), json!({})).await.data()["title"].clone()
}

#[tokio::test]
async fn one_default_stays() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let first = operator.post(&format!("{CONFIG}/save"), website("甲站", true)).await.id();
    let last = (409, "至少保留一个启用的默认配置");
    assert_eq!(operator.delete(&format!("{CONFIG}/delete?id={first}")).await.refused(), last);
    let off = json!({ "id": first, "enabled": false });
    assert_eq!(operator.put(&format!("{CONFIG}/update/status"), off.clone()).await.refused(), last);
    let mut edit = website("甲站", false);
    (edit["id"], edit["version"]) = (json!(first), json!(1));
    assert_eq!(operator.put(&format!("{CONFIG}/edit"), edit).await.refused(), last);

    let second = operator.post(&format!("{CONFIG}/save"), website("乙站", true)).await.id();
    let list = operator.post(&format!("{CONFIG}/list"), json!({ "configKind": "website" })).await;
    let defaults: Vec<i64> =
        rows(&list).iter().filter(|row| row["isDefault"] == json!(true)).filter_map(|row| row["id"].as_i64()).collect();
    assert_eq!(defaults, [second], "the former default stepped back");
    assert_eq!(title(&server.anonymous()).await, json!("乙站"));
    assert_eq!(operator.put(&format!("{CONFIG}/update/status"), off).await.code(), 200);
    assert_eq!(operator.delete(&format!("{CONFIG}/delete?id={first}")).await.code(), 200);
    let noted: i64 = server.one("select count(*) from platform.audit_log where entity_type = 'sys_config'").await;
    assert!(noted >= 5, "save, save, step back, status and delete leave their rows: {noted}");
}

#[tokio::test]
async fn a_new_title_and_dropped_caches_are_heard_by_both_servers_within_a_second() {
    let server = Server::start().await;
    let other = Server::beside(&server).await;
    let operator = server.operator().await;
    let there = server.anonymous().at(&other);
    let id = operator.post(&format!("{CONFIG}/save"), website("旧标题", true)).await.id();
    heard(&there, "旧标题").await;
    let mut edit = website("新标题", true);
    (edit["id"], edit["version"]) = (json!(id), json!(1));
    assert_eq!(operator.put(&format!("{CONFIG}/edit"), edit).await.code(), 200);
    heard(&there, "新标题").await;

    // A change past the servers is known to none of them, until the caches are dropped.
    server.run("update platform.sys_config set content = jsonb_set(content, '{title}', '\"第三个标题\"')").await;
    assert_eq!(title(&there).await, json!("新标题"));
    let dropped = operator.bare(Method::PUT, &format!("{CONFIG}/delete/redis")).await;
    assert_eq!(dropped.data(), &json!({ "instances": 2, "dropped": 6 }));
    heard(&there, "第三个标题").await;
    assert_eq!(
        operator.at(&other).post(&format!("{CONFIG}/list"), json!({})).await.code(),
        200,
        "the session survives"
    );
    let one = operator.put(&format!("{CONFIG}/delete/redis"), json!({ "scopes": ["param"] })).await;
    assert_eq!(one.data()["dropped"], json!(1));
}

async fn heard(client: &Client<'_>, wanted: &str) {
    within(1, wanted, async || title(client).await == json!(wanted)).await;
}

#[tokio::test]
async fn the_host_decides_whose_site_it_is() {
    let server = Server::start().await;
    let operator = server.operator().await;
    operator.post(&format!("{CONFIG}/save"), website("平台", true)).await.id();
    server
        .run("update platform.school set domain = 'dh.example.cn', assistance_center_enabled = true where id = 1")
        .await;
    let at_school = server.anonymous().at_host("dh.example.cn");
    let info = at_school.post(&format!("{CONFIG}/get"), json!({})).await;
    assert_eq!((&info.data()["schoolId"], &info.data()["title"]), (&json!(1), &json!("东湖示范学院")));
    assert_eq!(info.data()["icp"], json!("京ICP备1号"), "what the school lacks is the platform's");
    assert_eq!(info.data()["schoolAssistanceCenter"], json!(true));
    let mut own = website("东湖继教", true);
    own["schoolId"] = json!(1);
    operator.post(&format!("{CONFIG}/save"), own).await.id();
    assert_eq!(title(&at_school).await, json!("东湖继教"));
    assert_eq!(title(&server.anonymous()).await, json!("平台"));
    let suspend = json!({ "id": 1, "reason": "服务到期" });
    assert_eq!(operator.put("/system/pc/sys/school/suspend", suspend).await.code(), 200);
    let info = at_school.post(&format!("{CONFIG}/get"), json!({})).await;
    assert_eq!((&info.data()["schoolId"], &info.data()["title"]), (&Value::Null, &json!("平台")));
}

#[tokio::test]
async fn one_synchronisation_of_the_video_cloud_runs_at_a_time() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let path = format!("{CONFIG}/sync/videocloud");
    let nothing = operator.bare(Method::PUT, &path).await;
    assert_eq!(nothing.refused(), (409, "没有启用的视频云配置，请先新增并启用"));
    let polyv = json!({
        "configName": "保利威", "configKind": "video_polyv",
        "content": { "userId": "u1", "writeToken": "w-1234567", "readToken": "r-1234567", "secretKey": "k-1234567" },
    });
    operator.post(&format!("{CONFIG}/save"), polyv).await.id();
    let job = operator.bare(Method::PUT, &path).await.data()["jobId"].clone();
    // As if it took long.
    server.wait_until(&format!("select state not in ('queued', 'running') from platform.job where id = {job}")).await;
    server
        .run(&format!(
            "update platform.job set state = 'running', leased_until = now() + interval '1 hour' where id = {job}"
        ))
        .await;
    assert_eq!(operator.bare(Method::PUT, &path).await.refused(), (409, "同步任务正在执行"));
    server.run(&format!("update platform.job set state = 'done' where id = {job}")).await;
    assert_eq!(operator.bare(Method::PUT, &path).await.code(), 200);
}

async fn add_word(operator: &Client<'_>, words: &[&str], action: &str) -> Answer {
    operator.post(&format!("{WORDS}/save"), json!({ "words": words, "category": "other", "action": action })).await
}

#[tokio::test]
async fn a_rejected_word_is_met_through_blanks_and_not_in_another_script() {
    let server = Server::start().await;
    let operator = server.operator().await;
    add_word(&operator, &["赌博"], "reject").await.data();
    add_word(&operator, &["加微信"], "mask").await.data();
    let refused = sensitive::screen(&server.app, "赌 博").await.expect_err("the word is listed");
    assert_eq!((refused.code, refused.msg.as_ref()), (422, "内容包含敏感词，请修改后提交"));
    let passed = sensitive::screen(&server.app, "賭博").await;
    assert_eq!(passed, Ok(Screened::Publish("賭博".to_owned())));
    let masked = sensitive::screen(&server.app, "请加-微信！").await;
    assert_eq!(masked, Ok(Screened::Publish("请****！".to_owned())));
    let hits: i64 = server.one("select hit_count from platform.sensitive_word where word = '赌博'").await;
    assert_eq!(hits, 1);

    let checked = operator.post(&format!("{WORDS}/check"), json!({ "text": "远离赌 博，加微信" })).await;
    assert_eq!(checked.data()["action"], json!("reject"));
    let places: Vec<(i64, i64)> = checked.data()["hits"]
        .as_array()
        .expect("hits")
        .iter()
        .map(|hit| (hit["start"].as_i64().unwrap_or(-1), hit["end"].as_i64().unwrap_or(-1)))
        .collect();
    assert_eq!(places, [(2, 5), (6, 9)]);
    let hits: i64 = server.one("select hit_count from platform.sensitive_word where word = '赌博'").await;
    assert_eq!(hits, 1, "a trial does not count");
}

#[tokio::test]
async fn the_library_is_kept_and_both_servers_follow() {
    let server = Server::start().await;
    let other = Server::beside(&server).await;
    let operator = server.operator().await;
    let added = add_word(&operator, &["代考", "ＤＡＩ考", " dai考 "], "reject").await;
    assert_eq!((&added.data()["imported"], &added.data()["skipped"]), (&json!(2), &json!(1)));
    assert_eq!(field(&add_word(&operator, &["代 考"], "mask").await).1, "该敏感词已存在");
    assert_eq!(field(&add_word(&operator, &["！！"], "mask").await).0, "words");
    assert!(sensitive::screen(&other.app, "代考").await.is_err());
    let list = operator.post(&format!("{WORDS}/list"), json!({ "word": "代-考" })).await;
    let row = rows(&list)[0].clone();
    let edit = json!({ "id": row["id"], "version": 1, "word": "代考", "category": "ad", "action": "review" });
    assert_eq!(operator.put(&format!("{WORDS}/update"), edit.clone()).await.code(), 200);
    assert_eq!(operator.put(&format!("{WORDS}/update"), edit).await.code(), 409);
    let reviewed = Ok(Screened::Review("代考".to_owned()));
    within(1, "the other server knows the word's new action", async || {
        sensitive::screen(&other.app, "代考").await == reviewed
    })
    .await;
    let off = json!({ "id": row["id"], "enabled": false });
    assert_eq!(operator.put(&format!("{WORDS}/update/status"), off).await.code(), 200);
    assert_eq!(sensitive::screen(&server.app, "代考").await, Ok(Screened::Publish("代考".to_owned())));
    let rebuilt = operator.bare(Method::PUT, &format!("{WORDS}/delete/redis")).await;
    assert_eq!(rebuilt.data(), &json!({ "instances": 2, "dropped": 1 }));
    let id = row["id"].clone();
    assert_eq!(operator.delete(&format!("{WORDS}/delete?id={id}")).await.code(), 200);
    assert_eq!(operator.delete(&format!("{WORDS}/delete?id={id}")).await.code(), 404);
}

#[tokio::test]
async fn ten_thousand_lines_are_imported_all_or_none() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let known: Vec<String> = (0..200).map(|n| format!("已有{n}")).collect();
    add_word(&operator, &known.iter().map(String::as_str).collect::<Vec<_>>(), "reject").await.data();
    let mut lines: Vec<String> = known.into_iter().chain((0..9_799).map(|n| format!("新词{n}"))).collect();
    lines.insert(5_000, "长".repeat(60));
    let import = async |lines: &[String]| {
        let text = lines.join("\n");
        operator.upload(&format!("{WORDS}/txt/import"), "file", "words.txt", "text/plain", text.as_bytes()).await
    };
    let refused = import(&lines).await;
    assert_eq!((&refused.data()["total"], &refused.data()["imported"]), (&json!(10_000), &json!(0)));
    assert_eq!(
        refused.data()["errors"],
        json!([{ "row": 5_001, "column": "敏感词", "message": "敏感词不能超过50个字符" }])
    );
    assert_eq!(server.one::<i64>("select count(*) from platform.sensitive_word").await, 200);
    lines.remove(5_000);
    let imported = import(&lines).await;
    assert_eq!(imported.data(), &json!({ "total": 9_999, "imported": 9_799, "skipped": 200, "errors": [] }));
    // 赌博, 广告, 替换 in GB18030.
    let chinese = b"\xb6\xc4\xb2\xa9\t\xb9\xe3\xb8\xe6\t\xcc\xe6\xbb\xbb\n";
    let other = operator.upload(&format!("{WORDS}/txt/import"), "file", "words.txt", "text/plain", chinese).await;
    assert_eq!(other.data()["imported"], json!(1));
    let kept: String = server.one("select category || action from platform.sensitive_word where word = '赌博'").await;
    assert_eq!(kept, "admask");
}

fn banner(title: &str, changes: Value) -> Value {
    let mut body = json!({
        "title": title, "imageUrl": "/admin/files/public/a.png", "terminal": "pc", "position": "home",
    });
    for (field, value) in changes.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

async fn shown(client: &Client<'_>) -> Vec<String> {
    let answer = client.get("/system/client/banner?position=home&terminal=pc").await;
    let titles = answer.data().as_array().expect("banners").iter();
    titles.filter_map(|banner| banner["title"].as_str().map(ToOwned::to_owned)).collect()
}

#[tokio::test]
async fn a_banner_is_shown_until_its_end_and_ten_at_most() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let now = server.app.clock().now();
    let at = |minutes: i64| (now + chrono::Duration::minutes(minutes)).to_rfc3339();
    let wrong = banner("倒置", json!({ "beginsAt": at(10), "endsAt": at(10) }));
    let refused = operator.post(&format!("{BANNER}/save"), wrong).await;
    assert_eq!(field(&refused), ("endsAt".to_owned(), "结束时间必须晚于开始时间".to_owned()));
    let body = banner("限时", json!({ "beginsAt": at(0), "endsAt": at(120), "sort": 0 }));
    let id = operator.post(&format!("{BANNER}/save"), body.clone()).await.id();
    let visitor = server.anonymous();
    assert_eq!(shown(&visitor).await, ["限时"]);
    for n in 1..=10 {
        operator.post(&format!("{BANNER}/save"), banner(&format!("第{n}张"), json!({ "sort": n }))).await.id();
    }
    let all = shown(&visitor).await;
    assert_eq!((all.len(), all.contains(&"第10张".to_owned())), (10, false), "the eleventh is cut");
    server.app.clock().shift(chrono::Duration::minutes(119));
    assert!(shown(&visitor).await.contains(&"限时".to_owned()));
    server.app.clock().shift(chrono::Duration::minutes(1));
    let all = shown(&visitor).await;
    assert!(!all.contains(&"限时".to_owned()) && all.contains(&"第10张".to_owned()), "{all:?}");

    let operator = server.operator().await;
    let ended = operator.post(&format!("{BANNER}/list"), json!({ "standing": "ended" })).await;
    assert_eq!(ended.data()["totalCount"], json!(1));
    assert_eq!(rows(&ended)[0]["id"], json!(id));
    let mut edit = body;
    (edit["id"], edit["version"], edit["endsAt"]) = (json!(id), json!(1), Value::Null);
    assert_eq!(operator.put(&format!("{BANNER}/edit"), edit.clone()).await.code(), 200);
    assert_eq!(operator.put(&format!("{BANNER}/edit"), edit).await.code(), 409, "the version is old");
    assert_eq!(operator.get(&format!("{BANNER}/view?id={id}")).await.data()["standing"], json!("shown"));
    assert_eq!(
        operator.put(&format!("{BANNER}/update/status"), json!({ "id": id, "enabled": false })).await.code(),
        200
    );
    assert!(!shown(&visitor).await.contains(&"限时".to_owned()));
    assert_eq!(operator.delete(&format!("{BANNER}/delete?id={id}")).await.code(), 200);
}

#[tokio::test]
async fn a_schools_banner_is_its_own() {
    let server = Server::start().await;
    server.run("update platform.school set domain = 'dh.example.cn' where id = 1").await;
    let codes = ["system:pc:banner:list", "system:pc:banner:view", "system:pc:banner:save", "system:pc:banner:delete"];
    let (one, two) = (server.staff(1, &codes).await, server.staff(2, &codes).await);
    let operator = server.operator().await;
    let id = one.post(&format!("{BANNER}/save"), banner("甲校开学", json!({}))).await.id();
    for stranger in [&two, &operator] {
        assert_eq!(stranger.post(&format!("{BANNER}/list"), json!({})).await.data()["totalCount"], json!(0));
        assert_eq!(stranger.get(&format!("{BANNER}/view?id={id}")).await.code(), 404);
        assert_eq!(stranger.delete(&format!("{BANNER}/delete?id={id}")).await.code(), 404);
    }
    assert_eq!(shown(&server.anonymous().at_host("dh.example.cn")).await, ["甲校开学"]);
    assert_eq!(shown(&server.anonymous()).await, Vec::<String>::new());
    let noted: i64 = server.one("select count(*) from school_1.audit_log where entity_type = 'banner'").await;
    assert_eq!(noted, 1);
}

const PAY: &str = "/user/pc/pay/channel";

/// 01 §9.4: the account of a pay channel; its secrets are sealed and never shown, and a key that is none is refused.
#[tokio::test]
async fn a_pay_channel_keeps_its_secrets_and_opens_when_it_is_whole() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let none = operator.get(&format!("{PAY}/unique/view")).await;
    assert_eq!((none.code(), &none.body["data"]), (200, &Value::Null), "no channel is enabled yet");
    let listed = operator.post(&format!("{PAY}/list"), json!({})).await;
    let channel = rows(&listed).iter().find(|row| row["provider"] == json!("alipay")).expect("seeded")["id"].clone();
    let enable = json!({ "id": channel, "enabled": true });
    let early = operator.put(&format!("{PAY}/update/status"), enable.clone()).await;
    assert_eq!(early.refused(), (409, "请先完成通道配置"));
    let save = async |with: Value| {
        let mut body = json!({ "channelId": channel, "appId": "2021000000000001" });
        for (field, value) in with.as_object().expect("fields") {
            body[field] = value.clone();
        }
        operator.post(&format!("{PAY}/unique/save"), body).await
    };
    let wrong = save(json!({ "privateKey": "nonsense", "alipayPublicKey": "AAAA" })).await;
    assert_eq!(kit::fields(&wrong), ["privateKey: 私钥格式错误", "alipayPublicKey: 公钥格式错误"]);
    let mut rng = ChaCha20Rng::from_seed(server.app.random().bytes());
    let pair = RsaPrivateKey::new(&mut rng, 2048).expect("a key");
    let private = pair.to_pkcs8_der().expect("a private key");
    let private = BASE64_STANDARD.encode(private.as_bytes());
    let private = format!("-----BEGIN PRIVATE KEY-----\n{private}\n-----END PRIVATE KEY-----\n");
    let public = pair.to_public_key().to_public_key_der().expect("a public key");
    let public = BASE64_STANDARD.encode(public.as_bytes());
    assert_eq!(save(json!({ "privateKey": private, "alipayPublicKey": public })).await.code(), 200);
    let seen = operator.get(&format!("{PAY}/unique/view?channelId={channel}")).await;
    let data = seen.data();
    assert_eq!(
        (&data["privateKey"], &data["privateKeySet"], &data["configured"]),
        (&Value::Null, &json!(true), &json!(true))
    );
    assert!(!seen.body.to_string().contains("PRIVATE"), "{}", seen.body);
    let clear: i64 = server
        .one("select count(*) from platform.pay_channel_unique where content::text like '%PRIVATE%' or position('PRIVATE'::bytea in secrets) > 0")
        .await;
    assert_eq!(clear, 0);
    let trail: i64 = server
        .one("select count(*) from platform.audit_log where entity_type = 'pay_channel_unique' and changes::text like '%privateKey%'
              and changes::text not like '%PRIVATE%'")
        .await;
    assert_eq!(trail, 1, "the trail says which secret changed, and nothing of it");

    // A secret that is not typed stays; the version guards against another's save.
    assert_eq!(save(json!({ "alipayPublicKey": public, "version": 1 })).await.code(), 200);
    assert_eq!(save(json!({ "alipayPublicKey": public, "version": 1 })).await.code(), 409);
    assert_eq!(operator.put(&format!("{PAY}/update/status"), enable).await.code(), 200);
    let first = operator.get(&format!("{PAY}/unique/view")).await;
    assert_eq!(first.data()["channelId"], channel);
    let emptied = save(json!({})).await;
    assert_eq!(emptied.refused(), (409, "通道已启用，配置必须完整，请补全或先停用通道"));
}

/// What 01 §12 and 05 I call the enumerations.
const ENUMERATIONS: &str = "userType schoolScope dataScope clientType menuType schoolStatus provisionState configKind paramType wordCategory
    wordAction fileType mediaState jobState loginEvent actorType msgType msgChannel msgStatus clientKind terminal bannerPosition
    zoneType courseType putaway auditStatus productType orderStatus payType orderAbnormal payProvider couponType couponUserStatus
    distributionStatus extractStatus articleType certType gzhMenuType replyKind replyType
    superviseKind superviseLevel superviseStatus superviseClosedReason supportAudience supportArticleStatus supportQuestionStatus
    outboxStatus deliveryStatus deliveryFailCode statReport statLevel visitPage noticeReason regionKind";

/// 01 §12, 05 I: enumerations are served under the names that the parts give them.
#[tokio::test]
async fn enumerations_have_the_names_of_the_contract() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let served = operator.get("/system/pc/api/enum/list").await.data().clone();
    let served: Vec<&str> = served.as_array().expect("names").iter().filter_map(Value::as_str).collect();
    let lacking: Vec<&str> = ENUMERATIONS.split_whitespace().filter(|name| !served.contains(name)).collect();
    assert!(lacking.is_empty(), "{lacking:?}");
    for name in ["actorType", "clientType", "fileType", "noticeReason", "payProvider", "regionKind"] {
        assert_eq!(operator.get(&format!("/system/pc/api/enum/list/{name}")).await.code(), 200, "{name}");
    }
    let unknown = operator.get("/system/pc/api/enum/list/nothing").await;
    assert_eq!(unknown.refused(), (404, "枚举不存在"));
}

/// 05 H, acceptance 1 to 3 and 5: what ships is there once, a second load changes no row and nothing that people edited; of divisions a
/// placeholder is not shown, what lies below it stands beside the real ones.
#[tokio::test]
async fn what_ships_is_loaded_once_and_what_people_edited_stays() {
    let server = Server::start().await;
    let figures = "select string_agg(n::text, ' ' order by year desc) || ' ' || sum(usable)::text from (
                      select year, count(*) as n, count(*) filter (where enabled) as usable
                      from platform.national_major group by year) y";
    assert_eq!(server.one::<String>(figures).await, "883 744 1515");
    let word = "dict_type = 'ethnicity' and dict_value = '01'";
    server.run(&format!("update platform.dict_data set dict_label = '汉', updated_by = 1 where {word}")).await;
    server.run("update platform.national_major set name = '学前教育学', updated_by = 1 where code = '570102K'").await;
    let rows = "select md5(string_agg(t, '|' order by t)) from (
                    select w::text as t from platform.dict_data w union all select d::text from platform.dict_type d
                    union all select r::text from platform.region r union all select m::text from platform.national_major m) q";
    let before: String = server.one(rows).await;
    let load = async || {
        let mut owner = server.owner().await;
        for statement in ["set search_path = platform, ext", "delete from seed_load"] {
            sqlx::query(statement).execute(&mut owner).await.expect(statement);
        }
        settings::seed::run(&mut owner, &openapi::modules::modules()).await.expect("loaded");
        majors::national_major::load(&mut owner).await.expect("loaded")
    };
    assert_eq!(load().await, 0);
    assert_eq!(server.one::<String>(rows).await, before);
    // What nobody edited follows the file.
    server.run("update platform.national_major set name = '旧名' where code = '0502104TK'").await;
    assert_eq!(load().await, 1);

    let (operator, visitor) = (server.operator().await, server.anonymous());
    for (client, base) in [(&operator, "/system/pc/api"), (&visitor, "/system/client")] {
        let below = client.get(&format!("{base}/region/children?parent=420000")).await;
        let below = below.data().as_array().expect("divisions").clone();
        let cities = below.iter().filter(|division| division["level"] == json!("prefecture")).count();
        let names: Vec<&str> = below.iter().filter_map(|division| division["name"].as_str()).collect();
        assert_eq!((cities, &names[13..]), (13, ["仙桃市", "潜江市", "天门市", "神农架林区"].as_slice()), "{names:?}");
    }
}

#[tokio::test]
async fn words_of_a_list_go_again_and_the_former_default_comes_back() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let body = json!({ "dictType": "visit_reason", "dictName": "来访原因" });
    operator.post(&format!("{TYPE}/save"), body).await.id();
    let first = json!({ "dictType": "visit_reason", "dictLabel": "咨询", "dictValue": "ask", "isDefault": true });
    let first = operator.post(&format!("{DATA}/save"), first).await.id();
    enrol(&staff_of(&server, 1).await, "429900").await;
    let headings = ["字典类型", "标签", "值", "默认"];
    let words = sheet(
        &headings,
        &[
            &["visit_reason", "投诉", "complain", "是"],
            &["visit_reason", "办事", "do", ""],
            &["ethnicity", "测试族", "95", ""],
        ],
    );
    let answer = operator.upload(&format!("{DATA}/import"), "file", "words.xlsx", XLSX, &words).await;
    assert_eq!(answer.data()["imported"], json!(3), "{}", answer.body);
    let errand = find_data(&operator, "visit_reason", "do").await;
    let off = json!({ "id": errand["dictCode"], "enabled": false });
    assert_eq!(operator.put(&format!("{DATA}/update/status"), off).await.code(), 200);
    server.run("update school_1.student set ethnicity = '95'").await;
    let (message, stays) = taken_back(&operator, "字典数据").await;
    assert_eq!(message, "共4条，已撤销2条，2条保留");
    assert_eq!(stays[0], "测试族: “测试族”已被引用，不能删除，可以停用：1所院校的1名学生");
    assert!(stays[1].starts_with("办事: 导入后已被"), "{stays:?}");
    assert_eq!(operator.get(&format!("{DATA}/view?dictCode={first}")).await.data()["isDefault"], json!(true));
}

#[tokio::test]
async fn words_of_a_file_go_again() {
    let server = Server::start().await;
    let operator = server.operator().await;
    add_word(&operator, &["代考"], "reject").await.data();
    let text = "代考\n替考\n枪手\n";
    let answer =
        operator.upload(&format!("{WORDS}/txt/import"), "file", "words.txt", "text/plain", text.as_bytes()).await;
    assert_eq!(answer.data()["imported"], json!(2), "{}", answer.body);
    assert!(sensitive::screen(&server.app, "替考").await.is_err());
    let list = operator.post(&format!("{WORDS}/list"), json!({ "word": "枪手" })).await;
    let off = json!({ "id": rows(&list)[0]["id"], "enabled": false });
    assert_eq!(operator.put(&format!("{WORDS}/update/status"), off).await.code(), 200);
    let (message, stays) = taken_back(&operator, "敏感词").await;
    assert_eq!(message, "共2条，已撤销1条，1条保留");
    assert!(stays.len() == 1 && stays[0].starts_with("枪手: 导入后已被"), "{stays:?}");
    assert_eq!(sensitive::screen(&server.app, "替考").await, Ok(Screened::Publish("替考".to_owned())));
    assert!(sensitive::screen(&server.app, "代考").await.is_err(), "what was there before stays");
}
