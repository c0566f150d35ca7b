//! What was deleted of recruitment, and how it comes back (part 02 §8); and who is told what was decided (05 D2).

use kit::{
    Client, Server,
    accounts::all_school_codes,
    cohort::{cohort, registrar},
    files::paper,
    pre_registrations::{BATCH, PRE, batch, person},
    students::id_number,
};
use serde_json::{Value, json};

const BIN: &str = "/adult/pc/preRegistrationDeleted";

/// Everything that lies in the bin, as items of a step.
async fn items(client: &Client<'_>) -> Vec<Value> {
    let list = client.post(&format!("{BIN}/list"), json!({ "pageSize": 100 })).await.data()["list"].clone();
    let rows = list.as_array().expect("rows").iter();
    rows.map(|row| json!({ "id": row["id"], "version": row["version"], "schoolId": row["schoolId"] })).collect()
}

/// Acceptance 1 and 6.
#[tokio::test]
async fn fifty_come_back_but_for_those_who_have_a_twin() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", false).await;
    let mut ids = Vec::new();
    for n in 0..50 {
        ids.push(admin.post(&format!("{PRE}/save"), person(&p, batch, n)).await.id());
    }
    assert_eq!(admin.post(&format!("{PRE}/batchDel"), json!({ "ids": ids })).await.data()["done"], json!(50));
    for n in [7, 8] {
        assert_eq!(admin.post(&format!("{PRE}/save"), person(&p, batch, n)).await.code(), 200);
    }
    let seen = admin.get(&format!("{BIN}/view?id={}", ids[0])).await.data().clone();
    assert_eq!((&seen["status"], &seen["deletedBy"].is_string()), (&json!("approved"), &true), "{seen}");
    assert!(seen["idCardNo"].as_str().is_some_and(|number| number.contains('*')), "{seen}");
    let answer = admin.post(&format!("{BIN}/recover"), json!({ "items": items(&admin).await })).await.data().clone();
    assert_eq!((&answer["done"], answer["failed"].as_array().map(Vec::len)), (&json!(48), Some(2)), "{answer}");
    assert_eq!(answer["failed"][0]["msg"], json!("已存在相同证件号的有效数据，不能恢复"));
    assert_eq!(admin.post(&format!("{PRE}/list"), json!({})).await.data()["totalCount"], json!(50));
    assert_eq!(
        admin.post(&format!("{PRE}/list"), json!({ "status": "approved" })).await.data()["totalCount"],
        json!(50)
    );

    let gone = json!({ "ids": [ids[0]] });
    assert_eq!(admin.post(&format!("{PRE}/batchDel"), gone).await.data()["done"], json!(1));
    let version: i32 =
        server.one(&format!("select version from school_1.pre_registration where id = {}", ids[0])).await;
    let back = json!({ "items": [{ "id": ids[0], "version": version }] });
    let path = format!("{BIN}/recover");
    let (a, b) = tokio::join!(admin.post(&path, back.clone()), other.post(&path, back));
    let done: Vec<&Value> = [&a, &b].into_iter().map(|answer| &answer.data()["done"]).collect();
    assert!(done.contains(&&json!(1)) && done.contains(&&json!(0)), "{} {}", a.body, b.body);
    let refused = if a.data()["done"] == json!(0) { a } else { b };
    assert_eq!(refused.data()["failed"][0]["msg"], json!("数据已恢复"));
}

/// An operator takes rows of two schools out of their bins with one step; a site's staff only their own.
#[tokio::test]
async fn an_operator_recovers_in_each_of_his_schools() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let all = all_school_codes();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let mut scoped = None;
    for school in [1, 2] {
        let admin = server.staff(school, &all).await;
        let p = cohort(&admin).await;
        let batch = batch(&admin, &p, "2026A", true).await;
        let id = admin.post(&format!("{PRE}/save"), person(&p, batch, 1)).await.id();
        assert_eq!(admin.delete(&format!("{PRE}/delete?id={id}")).await.code(), 200);
        if school == 1 {
            let site = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
            scoped = Some(admin.post("/adult/pc/site/save", site).await.id());
        }
    }
    let codes = ["adult:pc:preRegistrationDeleted:list", "adult:pc:preRegistrationDeleted:recover"];
    let narrow = server.staff_within(1, &codes, "named_sites", &[scoped.expect("a site")]).await;
    assert_eq!(narrow.post(&format!("{BIN}/list"), json!({})).await.data()["totalCount"], json!(0));
    let all = items(&operator).await;
    assert_eq!(all.len(), 2);
    let own = json!({ "items": [{ "id": all[0]["id"], "version": all[0]["version"] }] });
    assert_eq!(narrow.post(&format!("{BIN}/recover"), own).await.data()["done"], json!(0), "not of their site");
    let answer = operator.post(&format!("{BIN}/recover"), json!({ "items": all })).await.data().clone();
    assert_eq!((&answer["done"], answer["schools"].as_array().map(Vec::len)), (&json!(2), Some(2)), "{answer}");
    assert!(items(&operator).await.is_empty());
    // Who may delete may not see the bin for that.
    let deleter = server.staff(1, &["adult:pc:preRegistration:delete"]).await;
    assert_eq!(deleter.post(&format!("{BIN}/list"), json!({})).await.code(), 403);
}

/// Every table of both areas that still has the text.
async fn places_with(server: &Server, text: &str) -> Vec<String> {
    let tables: Vec<String> = server
        .one(
            "select array_agg(format('%I.%I', table_schema, table_name) order by 1) from information_schema.tables
             where table_schema in ('platform', 'school_1') and table_type = 'BASE TABLE'",
        )
        .await;
    let mut found = Vec::new();
    for table in tables {
        let held: bool =
            server.one(&format!("select exists (select from {table} t where position('{text}' in t::text) > 0)")).await;
        found.extend(held.then_some(table));
    }
    found
}

/// A person with photo, papers, a replaced paper and a message, then in the bin.
async fn deleted_with_papers(server: &Server, admin: &Client<'_>, form: Value) -> (i64, Vec<String>) {
    let mut keys = Vec::new();
    for name in ["照片.pdf", "身份证.pdf", "毕业证.pdf", "旧毕业证.pdf"] {
        keys.push(paper(admin, name).await);
    }
    let mut form = form;
    form["photo"] = json!(keys[0]);
    form["attachments"] = json!([{ "kind": "id_front", "key": keys[1] }, { "kind": "diploma", "key": keys[3] }]);
    let id = admin.post(&format!("{PRE}/save"), form.clone()).await.id();
    form.as_object_mut().expect("fields").remove("batchId");
    (form["id"], form["version"]) = (json!(id), json!(1));
    form["attachments"] = json!([{ "kind": "id_front", "key": keys[1] }, { "kind": "diploma", "key": keys[2] }]);
    assert_eq!(admin.put(&format!("{PRE}/edit"), form).await.code(), 200);
    // What was given up is nobody's, and goes with the sweep.
    keys.pop();
    let audit = json!({ "id": id, "version": 2, "result": "return", "remark": "照片不清晰" });
    assert_eq!(admin.post(&format!("{PRE}/audit"), audit).await.code(), 200);
    server.wait_until("select not exists (select from school_1.event_outbox where status = 'pending')").await;
    assert_eq!(admin.delete(&format!("{PRE}/delete?id={id}")).await.code(), 200);
    (id, keys)
}

/// Acceptance 2 and 4; §2 acceptance 5.
#[tokio::test]
async fn who_is_destroyed_leaves_nothing_but_a_line_of_the_trail() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let operator = server.operator().await;
    let scene = operator.post("/user/pc/psd/info/list", json!({ "keyword": "pre_registration_returned" })).await;
    let sms = json!({
        "sceneId": scene.data()["list"][0]["id"], "channel": "sms", "title": "预报名",
        "content": "{{name}}，您的预报名被退回：{{remark}}。", "providerTemplateCode": "SMS_1",
    });
    operator.post("/user/pc/psd/list/conf/save", sms).await.data();
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", true).await;
    let mut form = person(&p, batch, 1);
    for (field, value) in [
        ("name", "欧阳不留痕"),
        ("email", "oybulh@example.com"),
        ("address", "不留痕路一巷2号楼303室"),
        ("hukouPlace", "不留痕镇三组14号"),
        ("preEduCertificateNo", "BLH202600001"),
    ] {
        form[field] = json!(value);
    }
    let (id, keys) = deleted_with_papers(&server, &admin, form).await;
    let personal =
        [id_number(1), "15400000001".to_owned(), "oybulh@example.com".to_owned(), "不留痕路一巷2号楼303室".to_owned()];
    for text in &personal {
        assert_ne!(places_with(&server, text).await, Vec::<String>::new(), "{text} is looked for where it stands");
    }
    assert!(places_with(&server, "欧阳不留痕").await.len() > 2, "the row, the trail and what was told");

    // Whoever may look opens the person and the papers, and no whole number.
    let seen = admin.get(&format!("{BIN}/view?id={id}")).await.data().clone();
    assert_eq!(
        (&seen["preEduCertificateNo"], seen["attachmentLinks"].as_array().map(Vec::len), seen["photoUrl"].is_string()),
        (&json!("BLH202600001"), Some(2), true),
        "{seen}"
    );
    for text in &personal {
        assert!(!seen.to_string().contains(text.as_str()), "{seen}");
    }

    // Who may delete may not destroy, nor may anybody inside a school.
    let path = format!("{BIN}/delete?id={id}");
    assert_eq!(admin.delete(&path).await.code(), 403);
    let items = json!({ "items": [{ "id": id, "version": 4 }] });
    assert_eq!(admin.post(&format!("{BIN}/batchDel"), items).await.code(), 403);
    assert_eq!(operator.delete(&path).await.refused(), (422, "请选择院校"));
    assert_eq!(operator.delete(&format!("{path}&schoolId=2")).await.code(), 404);
    let held = admin.delete(&format!("{BATCH}/delete?id={batch}")).await;
    assert_eq!(held.refused(), (409, "批次下有1条预报名（含回收站1条），不能删除"));

    let trail = "select count(*) from school_1.audit_log where entity_type = 'pre_registration' and action = 'delete'";
    let before: i64 = server.one(trail).await;
    assert_eq!(operator.delete(&format!("{path}&schoolId=1")).await.id(), id);
    assert_eq!(server.one::<i64>(trail).await, before + 1);
    let kept: String = server
        .one(&format!(
            "select changes::text from school_1.audit_log where entity_id = {id} and actor_type = 'platform'"
        ))
        .await;
    assert!(kept.contains("欧阳不留痕") && kept.contains(&infra::mask::id_card(&id_number(1))), "{kept}");
    for text in &personal {
        assert_eq!(places_with(&server, text).await, Vec::<String>::new(), "{text}");
    }
    // The row stands in the trail, its numbers masked; beside it the log of the calls has what clerks typed.
    let logs = |tables: Vec<String>| tables.into_iter().filter(|table| !table.contains("_log")).collect::<Vec<_>>();
    assert_eq!(logs(places_with(&server, "欧阳不留痕").await), Vec::<String>::new());
    for key in &keys {
        assert!(infra::files::open(&server.app, key).await.expect("the store answers").is_none(), "{key}");
        assert_eq!(logs(places_with(&server, key).await), Vec::<String>::new(), "{key}");
    }
    assert_eq!(operator.delete(&format!("{path}&schoolId=1")).await.code(), 404);
    assert_eq!(admin.delete(&format!("{BATCH}/delete?id={batch}")).await.code(), 200);
}

/// Acceptance 5: what cannot be done in one school stays there, with its reason; what was had back meanwhile stays too.
#[tokio::test]
async fn rows_of_several_schools_are_destroyed_where_that_is_possible() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let third = server.open_school("demo03", "西岭示范学院").await;
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    for school in [1, 2, third] {
        let admin = server.staff(school, &codes).await;
        let p = cohort(&admin).await;
        let batch = batch(&admin, &p, "2026A", false).await;
        for n in [1, 2] {
            let id = admin.post(&format!("{PRE}/save"), person(&p, batch, n)).await.id();
            assert_eq!(admin.delete(&format!("{PRE}/delete?id={id}")).await.code(), 200);
        }
    }
    let all = items(&operator).await;
    assert_eq!(all.len(), 6);
    let of = |school: i64| all.iter().filter(move |item| item["schoolId"] == json!(school));
    let back = of(1).next().expect("a row of school 1").clone();
    assert_eq!(operator.post(&format!("{BIN}/recover"), json!({ "items": [back] })).await.data()["done"], json!(1));
    server.run(&format!("update platform.school set schema_version = 0 where id = {third}")).await;
    server.tell(&format!("school:{third}")).await;
    let answer = operator.post(&format!("{BIN}/batchDel"), json!({ "items": all })).await.data().clone();
    assert_eq!(answer["done"], json!(3), "{answer}");
    let failed: Vec<(&Value, &Value)> =
        answer["failed"].as_array().expect("failures").iter().map(|row| (&row["schoolId"], &row["msg"])).collect();
    let unfinished = json!("院校升级中，暂不能修改");
    assert_eq!(
        failed,
        [
            (&json!(1), &json!("数据已恢复，不在回收站中，不能彻底删除")),
            (&json!(third), &unfinished),
            (&json!(third), &unfinished),
        ],
        "{answer}"
    );
    for (school, left) in [(1, 1), (2, 0), (third, 2)] {
        let rows: i64 = server.one(&format!("select count(*) from school_{school}.pre_registration")).await;
        assert_eq!(rows, left, "school {school}");
    }
}

/// Somebody without an account is told by short message; the inbox is for those who can open one.
#[tokio::test]
async fn who_is_approved_or_returned_is_told_by_short_message() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", true).await;
    let operator = server.operator().await;
    for (scene, content) in [
        ("pre_registration_approved", "{{name}}，您在{{siteName}}的{{major}}预报名已审核通过。"),
        ("pre_registration_returned", "{{name}}，您的预报名被退回：{{remark}}。"),
    ] {
        let found = operator.post("/user/pc/psd/info/list", json!({ "keyword": scene })).await;
        let scene = found.data()["list"][0]["id"].clone();
        let sms = json!({ "sceneId": scene, "channel": "sms", "title": "预报名", "content": content, "providerTemplateCode": "SMS_1" });
        operator.post("/user/pc/psd/list/conf/save", sms).await.data();
    }
    for (n, result) in [(1, json!({ "result": "pass" })), (2, json!({ "result": "return", "remark": "照片不清晰" }))]
    {
        let id = admin.post(&format!("{PRE}/save"), person(&p, batch, n)).await.id();
        let mut audit = result;
        audit["id"] = json!(id);
        audit["version"] = json!(1);
        assert_eq!(admin.post(&format!("{PRE}/audit"), audit).await.code(), 200);
    }
    server.wait_until("select not exists (select from school_1.event_outbox where status = 'pending')").await;
    let told: Vec<String> = server
        .one(
            "select array_agg(concat_ws('|', recipient_type, channel, address, rendered_content) order by id)
             from school_1.msg_delivery",
        )
        .await;
    assert_eq!(
        told,
        [
            "pre_registration|sms|15400000001|李秀英，您在城东教学点的会计学预报名已审核通过。",
            "pre_registration|sms|15400000002|李秀英，您的预报名被退回：照片不清晰。",
        ]
    );
}
