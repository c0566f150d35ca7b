//! The authority's second word: what a corrected file changes, what a check of it tells, and what of a lead stays meanwhile
//! (part 02 §6.4).

use kit::{
    Client, Server,
    admission::{ADMISSION, dbf, granted, leads, levels, open_batch, row, seen, take, taken},
    cohort::{Cohort, cohort, registrar},
    fields,
    imports::taken_back,
    jobs::ended,
    pre_registrations::{PRE, batch as pre_batch},
    sheets::{XLSX, sheet},
    students::id_number,
};
use poem::http::Method;
use serde_json::{Value, json};

async fn again(client: &Client<'_>, p: &Cohort, batch: i64, dry_run: &str, rows: &[Vec<String>]) -> Value {
    let maps = levels(p).to_string();
    let more = [("mode", "update"), ("valueMaps", maps.as_str()), ("dryRun", dry_run)];
    take(client, batch, &more, "LQK.dbf", &dbf(rows)).await.data().clone()
}

/// A name that was not the lead's is put right; meanwhile nobody takes the lead away. Another card is another person.
#[tokio::test]
async fn a_corrected_file_says_who_it_is() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, major) = open_batch(&server, &admin, &p, 200).await;
    granted(&admin, batch, p.site, major, 50).await;
    let pre = pre_batch(&admin, &p, "Y1", false).await;
    leads(&server, &p, pre, p.site, [(1, "张小梅"), (2, "张晓梅"), (3, "张晓梅")].into_iter()).await;
    taken(&admin, &p, batch, &[row(1), row(2)]).await;
    assert_eq!(seen(&admin, batch, 1).await["matchStatus"], json!("conflict"));
    let of_lead = async |column: &str, n: usize| -> String {
        let number = id_number(n);
        server.one(&format!("select {column}::text from school_1.pre_registration where id_card_no = '{number}'")).await
    };
    // The lead that somebody may be stays, also when its time is over.
    let lead = of_lead("id", 1).await;
    let refused = admin.delete(&format!("{PRE}/delete?id={lead}")).await;
    assert_eq!(refused.refused(), (409, "该预报名已关联录取数据，不能删除"));
    server.run("update school_1.pre_registration_batch set ends_at = '2022-01-01'").await;
    let due = admin.post("/data/pc/privacy/list", json!({})).await.data()["list"][0]["rows"].clone();
    assert_eq!(due, json!(1), "the third alone");
    let operator = server.operator().await;
    let night = operator.post("/data/pc/druid/job/run", json!({ "name": "privacy.scrub" })).await;
    assert_eq!(ended(&operator, &night.data()["jobId"]).await["state"], json!("done"));
    let scrubbed = "select count(*) from school_1.pre_registration where scrubbed_at is not null";
    assert_eq!(server.one::<i64>(scrubbed).await, 1);

    let mut right = row(1);
    right[1] = "张小梅".to_owned();
    let told = again(&admin, &p, batch, "false", &[right]).await;
    assert_eq!((&told["updated"], &told["errors"]), (&json!(1), &json!([])), "{told}");
    let one = seen(&admin, batch, 1).await;
    assert_eq!(
        (&one["matchStatus"], &one["status"], &one["phone"]),
        (&json!("matched"), &json!("assigned"), &json!("154****0001"))
    );
    assert_eq!(of_lead("exam_status", 1).await, "admitted");
    // Who was admitted while they waited here is neither sent back nor cancelled.
    server.run(&format!("update school_1.pre_registration set status = 'pending' where id = {lead}")).await;
    let version: i32 = server.one(&format!("select version from school_1.pre_registration where id = {lead}")).await;
    let id: i64 = lead.parse().expect("a number");
    let why = "该人员已录取，不能退回、拒绝或取消";
    for result in ["return", "reject"] {
        let body = json!({ "id": id, "version": version, "result": result, "remark": "照片不清晰" });
        assert_eq!(admin.post(&format!("{PRE}/audit"), body).await.refused(), (409, why));
    }
    let cancel = admin.put(&format!("{PRE}/cancel"), json!({ "id": id, "version": version })).await;
    assert_eq!(cancel.refused(), (409, why));

    // The second has the card of somebody else: the lead is free, and its site with it.
    let mut other = row(7);
    other[0] = row(2)[0].clone();
    let told = again(&admin, &p, batch, "false", &[other]).await;
    assert_eq!((&told["updated"], &told["errors"]), (&json!(1), &json!([])), "{told}");
    let two = seen(&admin, batch, 2).await;
    assert_eq!(
        (&two["matchStatus"], &two["status"], &two["siteId"]),
        (&json!("unmatched"), &json!("imported"), &json!(null))
    );
    assert_eq!(of_lead("exam_status", 2).await, "registered");
}

/// Whoever may import sees no whole number of anybody; and what a file wrote oddly may stay.
#[tokio::test]
async fn a_check_tells_no_whole_number() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    let mut first = row(1);
    first[9] = "转123（家）".to_owned();
    taken(&admin, &p, batch, &[first.clone(), row(2)]).await;
    let importer = server.staff(1, &["adult:pc:admission:import"]).await;
    let mut second = row(3);
    second[0].clone_from(&first[0]);
    second[9] = "15412345678".to_owned();
    let told = again(&importer, &p, batch, "true", &[second]).await;
    assert_eq!((&told["updated"], &told["errors"]), (&json!(1), &json!([])), "{told}");
    let columns: Vec<&Value> =
        told["differences"].as_array().expect("differences").iter().map(|one| &one["column"]).collect();
    assert!(columns.contains(&&json!("SFZH")) && columns.contains(&&json!("LXDH")), "{told}");
    for whole in [&id_number(1), &id_number(3), "15412345678"] {
        assert!(!told.to_string().contains(whole), "{told}");
    }

    let one = seen(&admin, batch, 1).await;
    let edit = async |version: i64, phone: &Value, code: &str| {
        let body =
            json!({ "id": one["id"], "version": version, "phone": phone, "address": "某路3号", "postalCode": code });
        admin.put(&format!("{ADMISSION}/edit"), body).await
    };
    let version = one["version"].as_i64().expect("a version");
    edit(version, &one["phone"], "430000").await.id();
    let wrong = edit(version + 1, &json!("1390"), "43000").await;
    assert_eq!(fields(&wrong), ["phone: 手机格式不正确", "postalCode: 邮编格式不正确"]);
    let phone: String = server.one("select phone from school_1.admission where examinee_no = '05010000000001'").await;
    assert_eq!(phone, first[9]);
    // What lies in the recycle bin shows nothing whole.
    let plain = json!({ "entity": "admission", "id": one["id"], "field": "idCardNo" });
    assert_eq!(admin.post("/system/pc/plain/view", plain.clone()).await.data()["value"], json!(id_number(1)));
    admin.delete(&format!("{ADMISSION}/delete?id={}", one["id"])).await.id();
    assert_eq!(admin.post("/system/pc/plain/view", plain).await.code(), 404);
}

/// A file that was undone may come again, mended or not; whom it overwrote is who they were, with their lead and their place.
#[tokio::test]
async fn an_undone_file_leaves_nothing() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, major) = open_batch(&server, &admin, &p, 200).await;
    granted(&admin, batch, p.site, major, 50).await;
    let pre = pre_batch(&admin, &p, "Y1", false).await;
    leads(&server, &p, pre, p.site, [(1, "张晓梅"), (2, "张晓梅"), (7, "张晓梅")].into_iter()).await;
    let first = [row(1), row(2), row(3)];
    taken(&admin, &p, batch, &first).await;
    let of_leads = async || {
        server.one::<Vec<String>>("select array_agg(exam_status order by phone) from school_1.pre_registration").await
    };
    assert_eq!(of_leads().await, ["admitted", "admitted", "registered"]);
    let codes = async || -> i64 {
        server.one("select count(*) from school_1.enrollment_batch where value_maps::text like '%\"level\"%'").await
    };
    let stored = async |n: usize| -> String {
        let number = &row(n)[0];
        server
            .one(&format!(
                "select concat_ws(' ', id_card_no, total_score, match_status, status, raw ->> 'ZF') from school_1.admission
                 where examinee_no = '{number}'"
            ))
            .await
    };
    let before = (stored(1).await, stored(2).await);
    assert_eq!(before.1, format!("{} 2025 matched assigned 202.5", id_number(2)));

    // The second is somebody else now, the first has another score, a fourth is new.
    let mut score = row(1);
    score[8] = "299.5".to_owned();
    let mut card = row(7);
    card[0].clone_from(&row(2)[0]);
    let second = [score, card, row(4)];
    let told = again(&admin, &p, batch, "false", &second).await;
    assert_eq!((&told["inserted"], &told["updated"], &told["errors"]), (&json!(1), &json!(2), &json!([])), "{told}");
    assert_eq!(of_leads().await, ["admitted", "registered", "admitted"]);
    // The file, the fourth, what was overwritten, and whose lead the second got.
    assert_eq!(taken_back(&admin, "录取数据").await, ("共5条，已撤销5条".to_owned(), Vec::new()));
    assert_eq!((stored(1).await, stored(2).await), before);
    assert_eq!(of_leads().await, ["admitted", "admitted", "registered"]);
    assert_eq!(codes().await, 1);
    // And the first file, with what was said of its codes.
    assert_eq!(taken_back(&admin, "录取数据").await, ("共5条，已撤销5条".to_owned(), Vec::new()));
    assert_eq!(of_leads().await, ["registered", "registered", "registered"]);
    let left: i64 = server
        .one("select (select count(*) from school_1.admission) + (select count(*) from school_1.admission_import)")
        .await;
    assert_eq!((left, codes().await), (0, 0));

    taken(&admin, &p, batch, &first).await;
    assert_eq!(again(&admin, &p, batch, "false", &second).await["updated"], json!(2));
    let fourth = seen(&admin, batch, 4).await;
    let body = json!({ "id": fourth["id"], "version": fourth["version"], "phone": "15400000004" });
    admin.put(&format!("{ADMISSION}/edit"), body).await.id();
    let (message, stays) = taken_back(&admin, "录取数据").await;
    assert_eq!(message, "共5条，已撤销3条，2条保留");
    assert_eq!(stays, ["张晓梅: 导入后已被教务员", "LQK.dbf: 仍有1条录取数据来自该文件，导入记录保留"]);
    assert_eq!((stored(1).await, stored(2).await), before);
    // The trail hides what a file had in columns of any name.
    let trail: i64 = server
        .one("select count(*) from school_1.audit_log where entity_type = 'admission' and changes::text like '%SFZH%'")
        .await;
    assert_eq!(trail, 0);
}

/// What followed of a file of which nothing is left is nobody's change: what was imported before it goes too.
#[tokio::test]
async fn an_undone_file_keeps_nothing_that_came_before_it() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    let pre = pre_batch(&admin, &p, "Y1", false).await;
    leads(&server, &p, pre, p.site, [(1, "张晓梅")].into_iter()).await;
    let file = sheet(&["证件号", "姓名", "考生号"], &[&[&id_number(1), "张晓梅", &row(1)[0]]]);
    let (call, of) = (format!("{PRE}/examineeNo/import"), pre.to_string());
    let told = admin.send_file(Method::PUT, &call, &[("batchId", of.as_str())], ("file", "a.xlsx", XLSX), &file).await;
    assert_eq!(told.data()["imported"], json!(1), "{}", told.body);
    taken(&admin, &p, batch, &[row(1)]).await;
    // The lead was admitted by the file.
    let (message, stays) = taken_back(&admin, "考生号").await;
    assert_eq!((&*message, stays), ("共1条，已撤销0条，1条保留", vec!["张晓梅: 导入后已被教务员".to_owned()]));
    assert_eq!(taken_back(&admin, "录取数据").await, ("共3条，已撤销3条".to_owned(), Vec::new()));
    assert_eq!(taken_back(&admin, "考生号").await, ("共1条，已撤销1条".to_owned(), Vec::new()));
    let number: Option<String> = server.one("select examinee_no from school_1.pre_registration").await;
    assert_eq!(number, None);
}
