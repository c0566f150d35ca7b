//! What was deleted of the admitted, and how it comes back (part 02 §8).

use kit::{
    Client, Server,
    admission::{ADMISSION, dbf, granted, levels, open_batch, row, seen, take, taken},
    cohort::{cohort, registrar},
    enrolment::turn,
    rows::setting,
    students::id_number,
};
use serde_json::{Value, json};

const BIN: &str = "/adult/pc/admissionDeleted";

/// Everything that lies in the bin, as items of a step.
async fn items(client: &Client<'_>) -> Vec<Value> {
    let list = client.post(&format!("{BIN}/list"), json!({ "pageSize": 100 })).await.data()["list"].clone();
    let rows = list.as_array().expect("rows").iter();
    rows.map(|row| json!({ "id": row["id"], "version": row["version"], "schoolId": row["schoolId"] })).collect()
}

async fn recover(client: &Client<'_>, items: Vec<Value>) -> Value {
    client.post(&format!("{BIN}/recover"), json!({ "items": items })).await.data().clone()
}

/// Acceptance 1, 2 and 6: as it was, but for a twin, for a site that is full, and for a batch that is over.
#[tokio::test]
async fn who_was_deleted_comes_back_as_they_were() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let (batch, major) = open_batch(&server, &admin, &p, 200).await;
    granted(&admin, batch, p.site, major, 1).await;
    let mut at_site = row(1);
    at_site[11] = "城东教学点".to_owned();
    taken(&admin, &p, batch, &[at_site, row(2), row(3)]).await;
    let mut ids = Vec::new();
    for n in 1..=3 {
        ids.push(seen(&admin, batch, n).await["id"].clone());
    }
    assert_eq!(seen(&admin, batch, 1).await["status"], json!("assigned"));
    assert_eq!(admin.post(&format!("{ADMISSION}/batchDel"), json!({ "ids": ids })).await.data()["done"], json!(3));
    let view = admin.get(&format!("{BIN}/view?id={}", ids[0])).await.data().clone();
    assert_eq!((&view["status"], view["deletedBy"].is_string()), (&json!("assigned"), true), "{view}");
    assert!(!view.to_string().contains(&id_number(1)), "also in the raw data: {view}");
    let list = admin.post(&format!("{BIN}/list"), json!({ "keyword": id_number(2) })).await;
    assert_eq!(list.data()["totalCount"], json!(1), "by the whole number");
    assert!(!list.body.to_string().contains(&id_number(2)), "which is not shown");

    // Somebody is the same person meanwhile: another number, the same card.
    let mut twin = row(2);
    twin[0] = "05019999999999".to_owned();
    let maps = levels(&p).to_string();
    let refused = take(&admin, batch, &[("valueMaps", &maps)], "LQK.dbf", &dbf(&[twin])).await;
    assert_eq!(refused.data()["errors"][0]["message"], json!("该考生号在回收站，请先恢复或清除"), "{}", refused.body);
    // Two at once: one of them.
    let of = |id: &Value, all: &[Value]| all.iter().find(|item| item["id"] == *id).expect("an item").clone();
    let all = items(&admin).await;
    let first = of(&ids[0], &all);
    let (a, b) = tokio::join!(recover(&admin, vec![first.clone()]), recover(&other, vec![first]));
    let (done, refused) = if a["done"] == json!(1) { (a, b) } else { (b, a) };
    assert_eq!((&done["done"], &refused["done"]), (&json!(1), &json!(0)), "{done} {refused}");
    assert_eq!(refused["failed"][0]["msg"], json!("数据已恢复"));
    let back = seen(&admin, batch, 1).await;
    assert_eq!(
        (&back["status"], &back["siteName"], &back["issues"]),
        (&json!("assigned"), &json!("城东教学点"), &json!([]))
    );

    // The one place is another's: refused where the school wants it so.
    let deleted = json!({ "ids": [ids[0]] });
    admin.post(&format!("{ADMISSION}/batchDel"), deleted).await.data();
    recover(&admin, vec![of(&ids[2], &all)]).await;
    let third = seen(&admin, batch, 3).await;
    let step = json!({ "items": [{ "id": third["id"], "version": third["version"] }], "siteId": p.site });
    assert_eq!(admin.post(&format!("{ADMISSION}/allocation"), step).await.data()["done"], json!(1));
    setting(&server, "quotaPolicy", &json!("refuse")).await;
    let all = items(&admin).await;
    let full = recover(&admin, vec![of(&ids[0], &all)]).await;
    assert_eq!(full["failed"][0]["msg"], json!("站点城东教学点会计学已满（1/1）"), "{full}");
    // Who waits for nobody any more may not come back into a batch that is over.
    server.run(&format!("update school_1.admission set status = 'rejected' where id = {}", third["id"])).await;
    assert_eq!(turn(&admin, batch, "closed").await.code(), 200);
    let over = recover(&admin, vec![of(&ids[1], &all)]).await;
    assert!(
        over["failed"][0]["msg"].as_str().is_some_and(|told| told.ends_with("只有进行中的批次可以办理录取")),
        "{over}"
    );
    // Staff of a site see theirs; who may delete sees no bin and destroys nothing.
    let codes = ["adult:pc:admissionDeleted:list", "adult:pc:admissionDeleted:recover"];
    let narrow = server.staff_within(1, &codes, "named_sites", &[p.site]).await;
    assert_eq!(narrow.post(&format!("{BIN}/list"), json!({})).await.data()["totalCount"], json!(1));
    let deleter = server.staff(1, &["adult:pc:admission:delete"]).await;
    assert_eq!(deleter.post(&format!("{BIN}/list"), json!({})).await.code(), 403);
    assert_eq!(deleter.delete(&format!("{BIN}/delete?id={}", ids[1])).await.code(), 403);
    assert_eq!(admin.delete(&format!("{BIN}/delete?id={}", ids[1])).await.code(), 403, "an operator's alone");
}

/// Acceptance 4 and 7: a line of the trail is what stays, and the number may come again.
#[tokio::test]
async fn who_is_destroyed_may_be_admitted_anew() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let operator = server.operator().await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    taken(&admin, &p, batch, &[row(1), row(2)]).await;
    let mut ids = Vec::new();
    for n in [1, 2] {
        ids.push(seen(&admin, batch, n).await["id"].clone());
    }
    admin.post(&format!("{ADMISSION}/batchDel"), json!({ "ids": ids })).await.data();
    assert_eq!(operator.delete(&format!("{BIN}/delete?schoolId=1&id={}", ids[0])).await.code(), 200);
    let gone = operator.delete(&format!("{BIN}/delete?schoolId=1&id={}", ids[0])).await;
    assert_eq!(gone.code(), 404);
    let rest = items(&operator).await;
    assert_eq!(operator.post(&format!("{BIN}/batchDel"), json!({ "items": rest })).await.data()["done"], json!(1));
    for table in ["admission", "audit_log"] {
        let held =
            format!("select exists (select from school_1.{table} t where position('{}' in t::text) > 0)", id_number(1));
        assert!(!server.one::<bool>(&held).await, "{table} has the whole number");
    }
    let lines = "select count(*) from school_1.audit_log where entity_type = 'admission' and action = 'delete' and changes::text like '%KSH%'";
    assert_eq!(
        server.one::<i64>(lines).await,
        2,
        "what was destroyed stands in the trail, with what the authority sent"
    );
    taken(&admin, &p, batch, &[row(1)]).await;
    assert_eq!(seen(&admin, batch, 1).await["status"], json!("imported"));
}
