//! An operator's life.

use kit::{PASSWORD, Server, accounts::operator_with, rows::manage};
use serde_json::{Value, json};

use super::{
    Life, Upload, catalogue, catalogue_courses, client_people, closing, community, field_attributes, forgotten, id,
    learners, messages, orders, own, people, quizzes, site_content, statistics, support, wechat,
};

/// Operations whose valid call needs more than a body; each has a story of its own.
const ELSEWHERE: [&str; 4] = [
    // account_import.rs
    "fetchUserImportTemplate",
    // schools.rs: a school whose opening failed
    "retrySchoolProvision",
    // Waits for a video channel to be configured (settings.rs).
    "syncVideoCloud",
    // site_courses.rs: asks the provider
    "syncLiveChannel",
];

const USER: &str = "/system/pc/sys/user";
const SCHOOL: &str = "/system/pc/sys/school";
const MENU: &str = "/system/pc/sys/menu";
const PERMISSION: &str = "/system/pc/sys/permission";
const TYPE: &str = "/system/pc/dict/type";
const DATA: &str = "/system/pc/dict/data";
const CONFIG: &str = "/system/pc/sys/config";
const PARAM: &str = "/system/pc/sys/param/config";
const WORDS: &str = "/system/pc/sys/sensitive/word/library";

/// No operation of the platform may be forgotten here: nobody would notice that it leaves no trail.
#[tokio::test]
async fn every_operation_of_the_platform_lives_and_leaves_a_trail() {
    let server = Server::start().await;
    let mut life = Life::of(&server, server.operator().await);
    let kept = people::live(&mut life, Some(1)).await;
    own::platform(&mut life).await;
    messages::platform(&mut life).await;
    client_people::platform(&mut life).await;
    closing::settings(&mut life, Some(1)).await;
    catalogue::live(&mut life).await;
    catalogue_courses::platform(&mut life).await;
    learners::live(&mut life).await;
    orders::live(&mut life).await;
    quizzes::live(&mut life).await;
    community::live(&mut life).await;
    site_content::live(&mut life).await;
    wechat::live(&mut life).await;
    field_attributes::platform(&mut life).await;
    support::platform(&mut life).await;
    statistics::both(&mut life, None).await;
    users(&mut life).await;
    schools(&mut life).await;
    menus(&mut life).await;
    dictionaries(&mut life).await;
    configuration(&mut life).await;
    words(&mut life).await;
    national_majors(&mut life).await;
    life.get(&format!("{USER}/menu")).await;
    life.post("/data/pc/sys/log/list", json!({})).await;
    life.post("/data/pc/sys/log/verify", json!({})).await;
    people::end(&mut life, &kept).await;
    // Whose menu is seen in the school.
    let elsewhere: Vec<&str> = ELSEWHERE
        .into_iter()
        .chain(people::ELSEWHERE)
        .chain(own::ELSEWHERE)
        .chain(messages::ELSEWHERE)
        .chain(orders::ELSEWHERE)
        .chain(closing::ELSEWHERE)
        .chain(wechat::ELSEWHERE)
        .chain(["viewSchoolMenu"])
        .collect();
    assert_eq!(forgotten(&life, &["platform", "both"], &elsewhere), Vec::<String>::new(), "no valid call is known");
}

/// An operator of some schools reaches no other, whatever they may do there (01 §1.1).
#[tokio::test]
async fn an_operator_of_one_school_looks_into_no_other() {
    let server = Server::start().await;
    let codes = ["user:pc:msg:outbox", "system:pc:sys:school:setting:view", "system:pc:sys:school:setting:edit"];
    let narrow = operator_with(&server, "narrow", &codes).await;
    manage(&server, "narrow", &[1]).await;
    for (school, code) in [(1, 200), (2, 404)] {
        let events = narrow.post("/user/pc/msg/outbox/list", json!({ "schoolId": school })).await;
        assert_eq!(events.code(), code, "{}", events.body);
        let again = narrow.put("/user/pc/msg/outbox/retry", json!({ "schoolId": school, "ids": [1] })).await;
        assert_eq!(again.code(), code, "{}", again.body);
        let setting = narrow.get(&format!("{SCHOOL}/setting/view?id={school}&group=recruitment")).await;
        assert_eq!(setting.code(), code, "{}", setting.body);
    }
}

async fn users(life: &mut Life<'_>) {
    let audit: i64 = life.server.one("select id from platform.sys_role where seed_key = 'audit'").await;
    let new = json!({ "loginName": "wangwu", "realName": "王五", "roleIdList": [audit] });
    let user = id(&life.post(&format!("{USER}/save"), new).await);
    let version = life.get(&format!("{USER}/view?userId={user}")).await["version"].clone();
    life.put(&format!("{USER}/edit"), json!({ "id": user, "version": version, "realName": "王五一" })).await;
    life.get(&format!("{USER}/selectPageList?loginName=wangwu")).await;
    life.post(&format!("{USER}/export"), json!({ "loginName": "wangwu" })).await;
    let query: i64 = life.server.one("select id from platform.sys_role where seed_key = 'operations'").await;
    life.post(&format!("{USER}/allocation"), json!({ "userId": user, "roleIdList": [audit, query] })).await;
    life.get(&format!("{USER}/select/roleId?userId={user}")).await;
    for _ in 0..2 {
        life.step(&format!("{USER}/disableOrEnableAccount?userId={user}")).await;
    }
    life.step(&format!("{USER}/kick?userId={user}")).await;
    life.step(&format!("{USER}/unlock?userId={user}")).await;
    let server = life.server;
    let passwords = json!({
        "userId": user, "oldPassword": server.cipher(PASSWORD), "loginPassword": server.cipher("Second#2026qiu"),
        "confirmPassword": server.cipher("Second#2026qiu"),
    });
    life.put(&format!("{USER}/update/password"), passwords).await;
    life.delete(&format!("{USER}/delete?id={user}")).await;
    let mut sheet = Upload::sheet(&["账号", "姓名"], &[&["zhaoliu", "赵六"]]);
    sheet.texts.push(("roleIdList", audit.to_string()));
    let imported = life.upload(&format!("{USER}/import/excel"), sheet).await;
    assert_eq!(imported["imported"], json!(1), "{imported}");
    super::own::imports(life).await;
}

async fn schools(life: &mut Life<'_>) {
    let new = json!({ "code": "10589", "name": "海南示范大学", "status": "trial" });
    let school = id(&life.post(&format!("{SCHOOL}/save"), new).await);
    life.server.wait_until(&format!("select provision_state = 'ready' from platform.school where id = {school}")).await;
    let seen = life.get(&format!("{SCHOOL}/view?id={school}")).await;
    let edit = json!({ "id": school, "version": seen["version"], "name": "海南示范大学", "expiresOn": "2099-01-01" });
    life.put(&format!("{SCHOOL}/edit"), edit).await;
    life.post(&format!("{SCHOOL}/list"), json!({})).await;
    life.post(&format!("{SCHOOL}/export"), json!({})).await;
    life.get(&format!("{SCHOOL}/foundation/view?id={school}&sourceId=1")).await;
    let copy = json!({ "id": school, "sourceId": 1, "kinds": ["level", "grade"] });
    let job = life.post(&format!("{SCHOOL}/foundation/copy"), copy).await["jobId"].clone();
    life.server.wait_until(&format!("select state = 'done' from platform.job where id = {job}")).await;
    life.put(&format!("{SCHOOL}/suspend"), json!({ "id": school, "reason": "未续费" })).await;
    life.step(&format!("{SCHOOL}/resume?id={school}")).await;
}

async fn menus(life: &mut Life<'_>) {
    let form = json!({ "parentId": 0, "clientType": 1, "menuName": "学信网", "menuType": "page", "frameUrl": "https://www.chsi.com.cn/" });
    let menu = id(&life.post(&format!("{MENU}/save"), form.clone()).await);
    let mut edit = form;
    (edit["id"], edit["version"], edit["menuName"]) = (json!(menu), json!(1), json!("学信网查询"));
    life.put(&format!("{MENU}/edit"), edit).await;
    life.get(&format!("{MENU}/view?id={menu}")).await;
    life.get(&format!("{MENU}/list?clientType=1&parentId=0")).await;
    life.get(&format!("{MENU}/available/list?clientType=1")).await;
    let form = json!({ "menuId": menu, "permissionName": "导出年级", "permissionCode": "adult:pc:grade:export" });
    let permission = id(&life.post(&format!("{PERMISSION}/save"), form.clone()).await);
    let mut edit = form;
    (edit["id"], edit["version"], edit["permissionName"]) = (json!(permission), json!(1), json!("导出"));
    life.put(&format!("{PERMISSION}/edit"), edit).await;
    life.get(&format!("{PERMISSION}/view?id={permission}")).await;
    life.get(&format!("{PERMISSION}/list?menuId={menu}")).await;
    for _ in 0..2 {
        life.step(&format!("{PERMISSION}/disableOrEnablePermission?id={permission}")).await;
        life.step(&format!("{MENU}/disableOrEnableMenu?id={menu}")).await;
    }
    life.delete(&format!("{PERMISSION}/delete?id={permission}")).await;
    life.delete(&format!("{MENU}/delete?id={menu}")).await;
}

async fn dictionaries(life: &mut Life<'_>) {
    let form = json!({ "dictType": "visit_reason", "dictName": "来访原因" });
    let kind = id(&life.post(&format!("{TYPE}/save"), form.clone()).await);
    let mut edit = form;
    (edit["id"], edit["version"], edit["dictName"]) = (json!(kind), json!(1), json!("到访原因"));
    life.put(&format!("{TYPE}/edit"), edit).await;
    life.get(&format!("{TYPE}/view?id={kind}")).await;
    life.post(&format!("{TYPE}/list"), json!({})).await;
    let form = json!({ "dictType": "visit_reason", "dictLabel": "咨询", "dictValue": "ask" });
    let word = id(&life.post(&format!("{DATA}/save"), form.clone()).await);
    let mut edit = form;
    (edit["dictCode"], edit["version"], edit["dictLabel"]) = (json!(word), json!(1), json!("问询"));
    life.put(&format!("{DATA}/edit"), edit).await;
    life.put(&format!("{DATA}/update/status"), json!({ "id": word, "enabled": false })).await;
    life.get(&format!("{DATA}/view?dictCode={word}")).await;
    life.post(&format!("{DATA}/list"), json!({ "dictType": "visit_reason" })).await;
    life.post(&format!("{DATA}/export"), json!({ "dictType": "visit_reason" })).await;
    life.get(&format!("{DATA}/import/template")).await;
    life.import(&format!("{DATA}/import"), &["字典类型", "标签", "值"], &[&["visit_reason", "办事", "do"]]).await;
    let others: Vec<i64> =
        life.server.one("select array_agg(id) from platform.dict_data where dict_type = 'visit_reason'").await;
    let codes: Vec<String> = others.iter().map(ToString::to_string).collect();
    life.delete(&format!("{DATA}/delete?dictCodes={}", codes.join(","))).await;
    life.delete(&format!("{TYPE}/delete?id={kind}")).await;
}

async fn configuration(life: &mut Life<'_>) {
    let form = json!({ "configName": "短信", "configKind": "sms", "content": { "provider": "recorded" } });
    let config = id(&life.post(&format!("{CONFIG}/save"), form.clone()).await);
    let mut edit = form;
    (edit["id"], edit["version"], edit["remark"]) = (json!(config), json!(1), json!("不外发"));
    life.put(&format!("{CONFIG}/edit"), edit).await;
    life.get(&format!("{CONFIG}/view?id={config}")).await;
    life.post(&format!("{CONFIG}/list"), json!({})).await;
    life.post("/data/pc/sys/log/record", json!({ "entityType": "sys_config", "entityId": config })).await;
    life.server.run("update platform.sys_user set phone = '13800138000' where login_name = 'operator'").await;
    life.call(poem::http::Method::POST, &format!("{CONFIG}/test?id={config}"), super::Sent::Json(json!({}))).await;
    life.put(&format!("{CONFIG}/update/status"), json!({ "id": config, "enabled": false })).await;
    life.put(&format!("{CONFIG}/delete/redis"), json!({})).await;
    life.delete(&format!("{CONFIG}/delete?id={config}")).await;

    let listed = life.post("/user/pc/pay/channel/list", json!({})).await;
    let offline = listed["list"].as_array().expect("channels").iter().find(|row| row["provider"] == json!("offline"));
    let channel = offline.expect("it ships")["id"].clone();
    life.post("/user/pc/pay/channel/unique/save", json!({ "channelId": channel })).await;
    life.get(&format!("/user/pc/pay/channel/unique/view?channelId={channel}")).await;
    life.put("/user/pc/pay/channel/update/status", json!({ "id": channel, "enabled": true })).await;

    let form = json!({ "paramCode": "custom.hotline", "paramName": "值班电话", "paramValue": "027-1" });
    let own = id(&life.post(&format!("{PARAM}/save"), form).await);
    life.get(&format!("{PARAM}/view?id={own}")).await;
    let params = life.post(&format!("{PARAM}/list"), json!({ "pageSize": 500 })).await;
    let idle =
        params["list"].as_array().expect("params").iter().find(|row| row["paramCode"] == json!("session.idleMinutes"));
    let idle: Value = idle.expect("a param of the registry").clone();
    let edit = json!({ "id": idle["id"], "version": idle["version"], "paramValue": "60" });
    life.put(&format!("{PARAM}/edit"), edit).await;
    life.step(&format!("{PARAM}/reset?id={}", idle["id"])).await;
    life.delete(&format!("{PARAM}/delete?id={own}")).await;
}

async fn words(life: &mut Life<'_>) {
    let form = json!({ "words": ["代考"], "category": "other", "action": "reject" });
    life.post(&format!("{WORDS}/save"), form).await;
    let row = life.post(&format!("{WORDS}/list"), json!({ "word": "代考" })).await["list"][0].clone();
    let edit = json!({ "id": row["id"], "version": 1, "word": "代考", "category": "ad", "action": "review" });
    life.put(&format!("{WORDS}/update"), edit).await;
    life.put(&format!("{WORDS}/update/status"), json!({ "id": row["id"], "enabled": false })).await;
    life.post(&format!("{WORDS}/check"), json!({ "text": "远离代考" })).await;
    life.upload(&format!("{WORDS}/txt/import"), Upload::text("赌博\n")).await;
    life.step(&format!("{WORDS}/delete/redis")).await;
    life.delete(&format!("{WORDS}/delete?id={}", row["id"])).await;
}

const NATIONAL: &str = "/adult/pc/nationalMajor";

async fn national_majors(life: &mut Life<'_>) {
    let major = |code: &str| json!({ "code": code, "name": "数字财务管理", "level": "bachelor", "disciplineCode": "12", "categoryCode": "1202", "category": "工商管理类", "degrees": ["管理学学士"], "year": 2030 });
    let made = id(&life.post(&format!("{NATIONAL}/save"), major("120297T")).await);
    let mut edit = major("120297T");
    edit["id"] = json!(made);
    edit["version"] = json!(1);
    edit["name"] = json!("智能财务管理");
    life.put(&format!("{NATIONAL}/edit"), edit).await;
    life.get(&format!("{NATIONAL}/view?id={made}")).await;
    life.post(&format!("{NATIONAL}/list"), json!({})).await;
    life.put(&format!("{NATIONAL}/update/status"), json!({ "id": made, "enabled": false })).await;
    life.post(&format!("{NATIONAL}/export"), json!({ "year": 2030 })).await;
    life.get(&format!("{NATIONAL}/import/template")).await;
    life.import(
        &format!("{NATIONAL}/import"),
        &["专业代码", "专业名称", "培养层次", "门类代码", "专业类代码", "专业类名称", "可授学位", "目录年版"],
        &[&["120298T", "绿色财务管理", "本科", "12", "1202", "工商管理类", "管理学学士", "2030"]],
    )
    .await;
    life.delete(&format!("{NATIONAL}/delete?id={made}")).await;
    let other = id(&life.post(&format!("{NATIONAL}/save"), major("120296T")).await);
    let gone = life.post(&format!("{NATIONAL}/batchDel"), json!({ "ids": [other] })).await;
    assert_eq!(gone["done"], json!(1), "{gone}");
}
