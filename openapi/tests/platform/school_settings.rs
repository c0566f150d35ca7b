//! What a school sets, and an operator for it (01 §5.4, §5.6, §13).

use kit::{
    Client, Server,
    accounts::all_school_codes,
    files::{paper, uploaded},
};
use poem::http::Method;
use serde_json::{Value, json};

const VIEW: &str = "/system/pc/sys/school/setting/view";
const EDIT: &str = "/system/pc/sys/school/setting/edit";
const CODES: [&str; 2] = ["system:pc:sys:school:setting:view", "system:pc:sys:school:setting:edit"];

/// Somebody of school 1 with every right.
async fn registrar(server: &Server) -> Client<'_> {
    registrar_of(server, 1).await
}

async fn registrar_of(server: &Server, school: i64) -> Client<'_> {
    let codes = all_school_codes();
    server.staff(school, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await
}

async fn items(client: &Client<'_>, query: &str) -> (i64, Vec<Value>) {
    let seen = client.get(&format!("{VIEW}?{query}")).await;
    let version = seen.data()["version"].as_i64().expect("a version");
    (version, seen.data()["items"].as_array().expect("items").clone())
}

fn item<'i>(items: &'i [Value], key: &str) -> &'i Value {
    items.iter().find(|item| item["key"] == json!(key)).unwrap_or_else(|| panic!("no setting {key}"))
}

/// Code and every sentence of a refusal, with its field.
fn told(answer: &kit::Answer) -> (i64, Vec<(String, String)>) {
    let text = |field: &Value, name: &str| field[name].as_str().unwrap_or_default().to_owned();
    let fields = answer.body["data"].as_array().into_iter().flatten();
    (answer.code(), fields.map(|field| (text(field, "field"), text(field, "message"))).collect())
}

#[tokio::test]
async fn every_setting_has_its_default_until_it_is_set_and_after_it_is_reset() {
    let server = Server::start().await;
    let staff = server.staff(1, &CODES).await;
    let mut seen = Vec::new();
    for group in ["school_info", "recruitment", "teaching", "support"] {
        let (version, of_group) = items(&staff, &format!("group={group}")).await;
        assert_eq!(version, 0, "{group}");
        assert!(of_group.iter().all(|item| item["changed"] == json!(false) && item["value"] == item["defaultValue"]));
        seen.extend(of_group);
    }
    let default = |key: &str| item(&seen, key)["defaultValue"].clone();
    assert_eq!(default("preRegistrationAudit"), json!(true));
    assert_eq!(default("graduateDates"), json!({ "spring": "07-10", "autumn": "01-10" }));
    assert_eq!(default("graduateAccountDays"), json!(180));
    assert_eq!(default("initialPassword"), json!("Aa@{idLast6}"));
    assert_eq!(default("classCapacityDefault"), json!(50));
    assert_eq!(default("printHeader"), json!("东湖示范学院"), "the page header of prints is the school's name");
    assert_eq!(
        (default("oneClickNotify"), default("inboxMonths"), default("demo")),
        (json!(true), json!(24), json!(false))
    );

    let set = json!({
        "group": "recruitment", "version": 0, "value": { "graduateAccountDays": 90, "preRegistrationAudit": false },
    });
    assert_eq!(staff.put(EDIT, set).await.data()["version"], json!(1));
    let back = json!({ "group": "recruitment", "version": 1, "value": { "graduateAccountDays": null } });
    assert_eq!(staff.put(EDIT, back).await.data()["version"], json!(2));
    let (version, now) = items(&staff, "group=recruitment").await;
    assert_eq!(version, 2);
    let shown = |key: &str| (item(&now, key)["value"].clone(), item(&now, key)["changed"].clone());
    assert_eq!(shown("graduateAccountDays"), (json!(180), json!(false)));
    assert_eq!(shown("preRegistrationAudit"), (json!(false), json!(true)));
    let changes: Value = server
        .one("select changes from school_1.audit_log where entity_type = 'school_setting' order by id desc limit 1")
        .await;
    assert_eq!(changes, json!([{ "field": "graduateAccountDays", "before": 90, "after": null }]));
}

/// What is no setting is not taken; a group without one is not offered, and each of 01 §13 has its place.
#[tokio::test]
async fn a_setting_that_nothing_reads_is_not_offered() {
    let server = Server::start().await;
    let (staff, operator) = (server.staff(1, &CODES).await, server.operator().await);
    let groups =
        async |client: &Client<'_>, query: &str| client.get(&format!("{VIEW}?{query}")).await.data()["groups"].clone();
    let of_school = json!([
        "basic",
        "brand",
        "domain",
        "help_center",
        "params",
        "school_info",
        "recruitment",
        "teaching",
        "examination",
        "statistics",
        "support"
    ]);
    assert_eq!(groups(&staff, "group=basic").await, of_school);
    assert_eq!(groups(&operator, "group=basic&id=2").await, of_school);
    assert_eq!(
        groups(&operator, "group=recruitment").await,
        json!(["recruitment", "teaching", "examination", "statistics", "support"])
    );
    let (_, teaching) = items(&staff, "group=teaching").await;
    assert!(teaching.iter().any(|item| item["key"] == json!("homeworkScoreStep")), "{teaching:?}");
    let (_, examination) = items(&staff, "group=examination").await;
    assert!(examination.iter().any(|item| item["key"] == json!("warnGpa")), "{examination:?}");
    let (_, statistics) = items(&staff, "group=statistics").await;
    assert!(statistics.iter().any(|item| item["key"] == json!("videoStandardPercent")), "{statistics:?}");
    let edit = |value: Value| json!({ "group": "school_info", "version": 0, "value": value });
    let refused = |key: &str, why: &str| (422, vec![(key.to_owned(), why.to_owned())]);
    let strange = staff.put(EDIT, edit(json!({ "officeFax": "027-87654321" }))).await;
    assert_eq!(told(&strange), refused("officeFax", "设置项不存在"));
    let short = staff.put(EDIT, edit(json!({ "postalCode": "43007" }))).await;
    assert_eq!(told(&short), refused("postalCode", "邮编格式不正确：应为6位数字"));
    let of_office =
        json!({ "officePhone": "027-87654321", "postalCode": "430079", "officeEmail": "cjb@donghu.edu.cn" });
    assert_eq!(staff.put(EDIT, edit(of_office)).await.data()["version"], json!(1));
}

/// Each setting stands under a tab of the page, once.
#[tokio::test]
async fn every_setting_of_a_room_stands_under_one_tab() {
    let server = Server::start().await;
    let staff = server.staff(1, &CODES).await;
    let groups = staff.get(&format!("{VIEW}?group=basic")).await.data()["groups"].clone();
    let mut shown = Vec::new();
    for group in groups.as_array().expect("groups").iter().filter_map(Value::as_str) {
        shown.extend(items(&staff, &format!("group={group}")).await.1);
    }
    let mut keys: Vec<&str> = shown.iter().filter_map(|item| item["key"].as_str()).collect();
    for settings in server.app.modules().all_settings() {
        for setting in settings.settings {
            assert!(
                keys.contains(&setting.key),
                "{} stands under the tab {}, which is none",
                setting.key,
                settings.group
            );
            let default = setting.kind.default();
            assert_eq!(setting.kind.normal(&default).as_ref(), Ok(&default), "{}", setting.key);
        }
    }
    let all = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), all, "a key stands twice");
}

#[tokio::test]
async fn every_wrong_value_is_told_at_its_key_and_nothing_is_saved() {
    let server = Server::start().await;
    let staff = server.staff(1, &CODES).await;
    let edit = |group: &str, value: Value| json!({ "group": group, "version": 0, "value": value });
    let wrong = staff
        .put(EDIT, edit("recruitment", json!({ "graduateAccountDays": 4000, "graduateDates": { "spring": "02-30" }, "preRegistrationAudit": false })))
        .await;
    let field = |key: &str, message: &str| (key.to_owned(), message.to_owned());
    assert_eq!(
        told(&wrong),
        (
            422,
            vec![
                field("graduateAccountDays", "学籍结束后账号保留(天)取值应在0到3650之间"),
                field("graduateDates", "毕业日期的“春季”不是有效的日期，应为月-日，例如 07-10"),
            ]
        )
    );
    let unknown = staff.put(EDIT, edit("teaching", json!({ "nothing": 1 }))).await;
    assert_eq!(told(&unknown), (422, vec![field("nothing", "设置项不存在")]));
    // A key of another group is none of this one.
    assert_eq!(staff.put(EDIT, edit("support", json!({ "classCapacityDefault": 45 }))).await.msg(), "设置项不存在");
    let demo = staff.put(EDIT, edit("support", json!({ "demo": true }))).await;
    assert_eq!(told(&demo), (422, vec![field("demo", "演示院校不能修改")]));
    assert_eq!(server.one::<i64>("select count(*) from school_1.school_setting").await, 0);
}

#[tokio::test]
async fn a_group_is_saved_by_one_person_at_a_time() {
    let server = Server::start().await;
    let (one, two) = (server.staff(1, &CODES).await, server.staff(1, &CODES).await);
    let edit = |seats: i64| json!({ "group": "teaching", "version": 0, "value": { "classCapacityDefault": seats } });
    let (first, second) = tokio::join!(one.put(EDIT, edit(30)), two.put(EDIT, edit(40)));
    let mut codes = [first.code(), second.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409]);
    let refused = if first.code() == 409 { first } else { second };
    assert!(
        refused.msg().starts_with("数据已被教务员于") && refused.msg().ends_with("修改，请刷新后重试"),
        "{}",
        refused.msg()
    );
}

/// 01 §5.6, scenario 6, and who may change what of the school's row.
#[tokio::test]
async fn the_brand_is_edited_by_both_areas_and_the_domain_by_operators_alone() {
    let server = Server::start().await;
    let (staff, operator) = (server.staff(1, &CODES).await, server.operator().await);
    let (version, brand) = items(&staff, "group=brand").await;
    assert_eq!(item(&brand, "brandColor")["type"], json!("color"));
    let edit = |version: i64, color: &str| json!({ "group": "brand", "version": version, "value": { "brandColor": color, "title": "东湖继教" } });
    let pale = staff.put(EDIT, edit(version, "#FF7D00")).await;
    assert_eq!(pale.refused(), (422, "品牌色与白色文字的对比度为2.6，应不低于4.5，请选择较深的颜色"));
    assert_eq!(staff.put(EDIT, edit(version, "#7A1F5C")).await.code(), 200);
    let mut late = edit(version, "#0E7A5F");
    late["id"] = json!(1);
    let second = operator.put(EDIT, late).await;
    assert_eq!(second.code(), 409);
    assert!(second.msg().starts_with("数据已被教务员于"), "{}", second.msg());

    let (version, domain) = items(&staff, "group=domain").await;
    assert_eq!(item(&domain, "domain")["readOnly"], json!(true));
    let own = json!({ "group": "domain", "version": version, "value": { "domain": "cj.donghu.example.cn" } });
    assert_eq!(staff.put(EDIT, own.clone()).await.refused(), (422, "域名不能在此修改"));
    let mut named = own;
    named["id"] = json!(1);
    assert_eq!(operator.put(EDIT, named).await.code(), 200);
    // Website info serves the new look at the new domain at once.
    let shown = server.anonymous().at_host("cj.donghu.example.cn").post("/system/pc/sys/config/get", json!({})).await;
    assert_eq!((&shown.data()["title"], &shown.data()["brandColor"]), (&json!("东湖继教"), &json!("#7A1F5C")));

    let (version, basic) = items(&staff, "group=basic").await;
    for key in ["code", "name"] {
        assert_eq!(item(&basic, key)["readOnly"], json!(true), "{key}");
    }
    let renamed =
        json!({ "group": "basic", "version": version, "value": { "name": "别的学院", "contactName": "吴敏" } });
    assert_eq!(staff.put(EDIT, renamed).await.refused(), (422, "院校名称不能在此修改"));
    let contact = json!({ "group": "basic", "version": version, "value": { "contactName": "吴敏" } });
    assert_eq!(staff.put(EDIT, contact).await.code(), 200);
    assert_eq!(server.one::<String>("select contact_name from platform.school where id = 1").await, "吴敏");
}

#[tokio::test]
async fn a_school_names_no_school_and_an_operator_only_those_of_his_scope() {
    let server = Server::start().await;
    let staff = server.staff(1, &CODES).await;
    assert_eq!(staff.get(&format!("{VIEW}?group=teaching&id=1")).await.code(), 400);
    let named = json!({ "id": 1, "group": "teaching", "version": 0, "value": {} });
    assert_eq!(staff.put(EDIT, named).await.code(), 400);
    let operator = server.operator().await;
    server.run("update platform.sys_user set school_scope = 'listed' where login_name = 'operator'").await;
    server.tell("session:").await;
    assert_eq!(operator.get(&format!("{VIEW}?group=teaching&id=2")).await.code(), 404);
    let edit = json!({ "id": 2, "group": "teaching", "version": 0, "value": { "classCapacityDefault": 1 } });
    assert_eq!(operator.put(EDIT, edit).await.code(), 404);
}

#[tokio::test]
async fn an_operators_change_stands_in_the_schools_own_trail() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let edit = json!({ "id": 2, "group": "teaching", "version": 0, "value": { "classCapacityDefault": 8 } });
    assert_eq!(operator.put(EDIT, edit).await.code(), 200);
    assert_eq!(
        server.one::<Value>("select value from school_2.school_setting where key = 'classCapacityDefault'").await,
        json!(8)
    );
    let (kind, name): (String, String) = sqlx::query_as(
        "select actor_type, actor_name from school_2.audit_log where entity_type = 'school_setting' order by id desc limit 1",
    )
    .fetch_one(&mut server.owner().await)
    .await
    .expect("a row of the trail");
    assert_eq!((kind.as_str(), name.as_str()), ("platform", "运营一"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.school_setting").await, 0);
}

#[tokio::test]
async fn a_school_overrides_a_parameter_and_goes_back_to_the_platforms() {
    const HOURS: &str = "msg.marketingHours";
    let server = Server::start().await;
    let staff = server.staff(1, &CODES).await;
    let (version, params) = items(&staff, "group=params").await;
    let hours = item(&params, HOURS);
    assert_eq!((&hours["value"], &hours["defaultValue"]), (&json!("08:00-22:00"), &json!("08:00-22:00")));
    assert!(params.iter().all(|item| item["key"] != json!("session.idleMinutes")), "not overridable");

    let edit = |version: i64, value: Value| json!({ "group": "params", "version": version, "value": value });
    let wrong = staff.put(EDIT, edit(version, json!({ "msg.marketingHours": "8-22" }))).await;
    assert_eq!(wrong.refused(), (422, "营销消息发送时段格式不正确：例如 08:00-22:00"));
    let set = edit(version, json!({ HOURS: "09:00-21:00" }));
    assert_eq!(staff.put(EDIT, set).await.code(), 200);
    for (school, in_force) in [(1, "09:00-21:00"), (2, "08:00-22:00")] {
        let known = server.app.school(school).await.expect("asked").expect("a school");
        let mut tx = infra::tx::at_the_server_read_in(&server.app, &known).await.expect("a snapshot");
        assert_eq!(server.app.param_text_in(&mut tx, HOURS).await.expect("a value"), in_force, "school {school}");
    }
    // The platform's value is what a school without its own has.
    server.run("update platform.sys_param set value = '10:00-20:00' where code = 'msg.marketingHours'").await;
    server.tell("param:").await;
    let (version, params) = items(&staff, "group=params").await;
    assert_eq!(item(&params, HOURS)["defaultValue"], json!("10:00-20:00"));
    assert_eq!(staff.put(EDIT, edit(version, json!({ HOURS: null }))).await.code(), 200);
    let (_, params) = items(&staff, "group=params").await;
    assert_eq!(
        (&item(&params, HOURS)["value"], &item(&params, HOURS)["changed"]),
        (&json!("10:00-20:00"), &json!(false))
    );
}

/// The rules that read a setting read what was saved.
#[tokio::test]
async fn a_new_class_and_a_new_student_follow_the_settings() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let put = async |group: &str, value: Value| {
        let (version, _) = items(&admin, &format!("group={group}")).await;
        let answer = admin.put(EDIT, json!({ "group": group, "version": version, "value": value })).await;
        assert_eq!(answer.code(), 200, "{}", answer.body);
    };
    let save = async |path: &str, body: Value| admin.post(&format!("{path}/save"), body).await.id();
    let grade = save("/adult/pc/grade", json!({ "code": "2026", "name": "2026级", "entrySeason": "spring" })).await;
    let level = save(
        "/adult/pc/arrangement",
        json!({ "code": "ZSB", "name": "专升本", "entryLevel": "associate_to_bachelor" }),
    )
    .await;
    let site = save("/adult/pc/site", json!({ "code": "S1", "name": "城东站", "kind": "headquarter" })).await;
    let national = admin.post("/adult/pc/nationalMajor/list", json!({ "keyword": "120203K" })).await.data()["list"][0]
        ["id"]
        .clone();
    let major = save(
        "/adult/pc/major",
        json!({ "code": "0412", "name": "会计学", "nationalMajorId": national, "levelId": level, "totalCredits": 92.0 }),
    )
    .await;
    let class = async |code: &str| {
        let made = save(
            "/adult/pc/class",
            json!({ "code": code, "name": code, "gradeId": grade, "levelId": level, "majorId": major, "siteId": site }),
        )
        .await;
        admin.get(&format!("/adult/pc/class/view?id={made}")).await.data()["capacity"].clone()
    };
    assert_eq!(class("C1").await, json!(50), "the default of the registry");
    put("teaching", json!({ "classCapacityDefault": 45 })).await;
    assert_eq!(class("C2").await, json!(45));
    put("teaching", json!({ "classCapacityDefault": null })).await;
    assert_eq!(class("C3").await, json!(50));

    put("recruitment", json!({ "graduateDates": { "spring": "06-30", "autumn": "01-20" } })).await;
    let student = save(
        "/adult/pc/studentRoll",
        json!({
            "name": "张晓梅", "idCardNo": "429900199603150216", "studentNo": "26300412001", "gradeId": grade, "levelId": level,
            "majorId": major, "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": site, "enrolledOn": "2026-03-01",
            "status": "registered", "phone": "15400000001", "source": "legacy",
        }),
    )
    .await;
    let seen = admin.get(&format!("/adult/pc/studentRoll/view?id={student}")).await;
    assert_eq!(seen.data()["expectedGraduationOn"], json!("2028-06-30"));
}

#[tokio::test]
async fn a_new_school_begins_with_the_platforms_defaults() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (version, recruitment) = items(&operator, "group=recruitment").await;
    assert_eq!((version, &item(&recruitment, "graduateAccountDays")["value"]), (0, &json!(180)));
    let edit = |version: i64, value: Value| json!({ "group": "recruitment", "version": version, "value": value });
    let begin = json!({ "graduateAccountDays": 90, "preRegistrationAudit": false });
    assert_eq!(operator.put(EDIT, edit(0, begin)).await.code(), 200);
    assert_eq!(operator.put(EDIT, edit(0, json!({ "preRegistrationAudit": true }))).await.code(), 409);
    assert_eq!(operator.put(EDIT, edit(1, json!({ "preRegistrationAudit": null }))).await.code(), 200);
    // Row, parameters and what is each school's own cannot be set for a school that does not exist.
    for group in ["basic", "params", "school_info"] {
        assert_eq!(operator.get(&format!("{VIEW}?group={group}")).await.code(), 400, "{group}");
    }
    let opened = server.open_school("10589", "海南示范大学").await;
    let kept: Vec<(String, Value)> = sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "select key, value from school_{opened}.school_setting order by key"
    )))
    .fetch_all(&mut server.owner().await)
    .await
    .expect("settings");
    assert_eq!(kept, [("graduateAccountDays".to_owned(), json!(90))]);
    assert_eq!(
        server.one::<i64>("select count(*) from school_1.school_setting").await,
        0,
        "the others stay as they are"
    );
    let (_, info) = items(&operator, &format!("group=school_info&id={opened}")).await;
    assert_eq!(item(&info, "printHeader")["value"], json!("海南示范大学"));
}

/// A seal is a private file of this school; while the setting names it, the nightly clean-up leaves it alone.
#[tokio::test]
async fn a_seal_that_is_set_belongs_to_the_settings() {
    let server = Server::start().await;
    let staff = registrar(&server).await;
    let edit = |key: &str| json!({ "group": "school_info", "value": { "sealImage": key }, "version": 0 });
    let unknown = staff.put(EDIT, edit("private/202611/s1/none.png")).await;
    assert_eq!(told(&unknown), (422, vec![("sealImage".to_owned(), "文件不存在或未上传完成，请重新上传".to_owned())]));
    let form = json!({ "fileName": "seal.png", "size": 5, "contentType": "image/png", "type": 3 });
    let ticket = staff.post("/system/pc/upload/presign", form).await;
    let (key, url) =
        (ticket.data()["key"].as_str().expect("a key").to_owned(), ticket.data()["url"].as_str().expect("an address"));
    staff.raw(Method::PUT, url, Some("image/png"), b"12345".to_vec()).await;
    staff.post("/system/pc/upload/complete", json!({ "key": key })).await.id();
    assert_eq!(staff.put(EDIT, edit(&key)).await.code(), 200);
    let owner: String =
        server.one(&format!("select owner_type || owner_id from school_1.file_object where key = '{key}'")).await;
    assert_eq!(owner, "school_setting1");
    let other = registrar_of(&server, 2).await;
    assert_eq!(other.put(EDIT, edit(&key)).await.code(), 422, "the file of another school");
    // Only a picture that is small enough.
    let change = |key: &str| json!({ "group": "school_info", "value": { "sealImage": key }, "version": 1 });
    let refused = async |key: &str| told(&staff.put(EDIT, change(key)).await);
    let at = |message: &str| (422, vec![("sealImage".to_owned(), message.to_owned())]);
    let scan = paper(&staff, "印章.pdf").await;
    assert_eq!(refused(&scan).await, at("不支持上传该文件格式，可上传：jpg、jpeg、png"));
    let called = uploaded(&staff, "印章.png", "application/zip", b"12345").await;
    assert_eq!(refused(&called).await, at("文件内容类型与扩展名不一致，请重新选择文件"));
    let large = uploaded(&staff, "印章.png", "image/png", b"12345").await;
    server.run(&format!("update school_1.file_object set size = 2097153 where key = '{large}'")).await;
    assert_eq!(refused(&large).await, at("图片大小不能超过2MB"));

    // The roster of a class is printed below the school's header, with its seal.
    let header =
        json!({ "group": "school_info", "value": { "printHeader": "东湖示范学院继续教育学院" }, "version": 1 });
    assert_eq!(staff.put(EDIT, header).await.code(), 200);
    let place = kit::cohort::cohort(&staff).await;
    let class = staff.post("/adult/pc/class/save", place.class("C1")).await.id();
    let roster = staff.get(&format!("/adult/pc/class/roster?id={class}")).await.data().clone();
    assert_eq!(roster["header"], json!("东湖示范学院继续教育学院"));
    let seal = staff.raw(Method::GET, roster["sealUrl"].as_str().expect("an address"), None, Vec::new()).await;
    assert_eq!(seal.into_body().into_bytes().await.expect("the picture"), b"12345"[..]);

    // Another in its place: the former is nobody's, and neither is one that is taken away.
    let second = uploaded(&staff, "新章.png", "image/png", b"12345").await;
    let owners = async || -> Vec<(String, Option<String>)> {
        sqlx::query_as("select key, owner_type from school_1.file_object where key = any($1) order by id")
            .bind([&key, &second].map(ToOwned::to_owned).to_vec())
            .fetch_all(&mut server.owner().await)
            .await
            .expect("files")
    };
    let setting = Some("school_setting".to_owned());
    let edit = |value: Value, version: i64| json!({ "group": "school_info", "value": { "sealImage": value }, "version": version });
    assert_eq!(staff.put(EDIT, edit(json!(second), 2)).await.code(), 200);
    assert_eq!(owners().await, [(key.clone(), None), (second.clone(), setting)]);
    assert_eq!(staff.put(EDIT, edit(Value::Null, 3)).await.code(), 200);
    assert_eq!(owners().await, [(key.clone(), None), (second.clone(), None)]);
}

/// The number by which 学信网 knows the school: another is confirmed in both doors, and the trail says that it was.
#[tokio::test]
async fn a_number_that_is_known_elsewhere_is_changed_knowingly() {
    let server = Server::start().await;
    let staff = registrar(&server).await;
    let place = kit::cohort::cohort(&staff).await;
    let doors = [EDIT, "/user/pc/schoolInfo/edit"];
    let edit = |code: &str, version: i64| json!({ "group": "school_info", "value": { "nationalCode": code }, "version": version });
    assert_eq!(staff.put(EDIT, edit("10001", 0)).await.code(), 200, "nobody knows it yet");
    kit::rows::students(&server, &place, place.site, None, 1, 1).await;
    server.run("update school_1.student set register_result = 'exported'").await;
    let why = "学信网已有本校学生数据，修改院校代码将使前后文件不一致，确认后再保存";
    let mut version = 1;
    for (door, code) in doors.into_iter().zip(["10002", "10003"]) {
        let refused = staff.put(door, edit(code, version)).await;
        assert_eq!(told(&refused), (422, vec![("nationalCode".to_owned(), why.to_owned())]), "{door}");
        let header = json!({ "group": "school_info", "value": { "printHeader": code }, "version": version });
        assert_eq!(staff.put(door, header).await.code(), 200, "{door}: only the number is asked for");
        let mut sure = edit(code, version + 1);
        sure["confirmed"] = json!(true);
        assert_eq!(staff.put(door, sure).await.code(), 200, "{door}");
        version += 2;
    }
    let kept: i64 = server
        .one(
            r#"select count(*) from school_1.audit_log where entity_type = 'school_setting'
               and changes @> '[{"field": "nationalCode"}, {"field": "confirmed", "after": true}]'"#,
        )
        .await;
    assert_eq!(kept, 2);
}
