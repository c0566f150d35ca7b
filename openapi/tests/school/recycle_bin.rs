//! What was deleted of recruitment, and how it comes back (part 02 §8); and who is told what was decided (05 D2).

use kit::{
    Client, Server,
    accounts::all_school_codes,
    places::{place, registrar},
    pre_registrations::{PRE, batch, person},
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
    let p = place(&admin).await;
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
        let p = place(&admin).await;
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

/// Somebody without an account is told by short message; the inbox is for those who can open one.
#[tokio::test]
async fn who_is_approved_or_returned_is_told_by_short_message() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = place(&admin).await;
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
