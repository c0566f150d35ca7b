//! Places of sites: who gets the last one, what the figures say, and who sees whom (part 02 §4–§6).

use kit::{
    Client, Server,
    admission::{ADMISSION, granted, items, open_batch, row, seen, taken},
    cohort::{cohort, registrar},
    enrolment::{ENROLMENT, MAJORS, PLAN, turn},
    fields,
    imports::taken_back,
    jobs::ended,
    rows::setting,
    sheets::{XLSX, row_errors, sheet},
};
use serde_json::{Value, json};

async fn site(client: &Client<'_>, code: &str) -> i64 {
    let body = json!({ "code": code, "name": format!("站点{code}"), "kind": "headquarter" });
    client.post("/adult/pc/site/save", body).await.id()
}

async fn listed(client: &Client<'_>, filter: Value) -> Vec<Value> {
    let mut body = filter;
    body["pageSize"] = json!(500);
    client.post(&format!("{ADMISSION}/list"), body).await.data()["list"].as_array().expect("rows").clone()
}

async fn allocate(client: &Client<'_>, rows: &[Value], more: Value) -> Value {
    let mut body = json!({ "items": items(rows) });
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    client.post(&format!("{ADMISSION}/allocation"), body).await.data().clone()
}

/// Scenario 9, and §5 scenario 4: 60 people, 50 places; the best scores have them.
#[tokio::test]
async fn the_best_scores_have_the_places() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, major) = open_batch(&server, &admin, &p, 200).await;
    granted(&admin, batch, p.site, major, 50).await;
    setting(&server, "quotaPolicy", &json!("refuse")).await;
    let rows: Vec<Vec<String>> = (0..60).map(row).collect();
    taken(&admin, &p, batch, &rows).await;
    let people = listed(&admin, json!({ "batchId": batch })).await;
    let told = allocate(&admin, &people, json!({ "siteId": p.site })).await;
    assert_eq!(told["done"], json!(50), "{told}");
    let failed = told["failed"].as_array().expect("rows").clone();
    assert!(failed.iter().all(|one| one["msg"] == json!("站点城东教学点会计学已满（50/50）")), "{failed:?}");
    assert_eq!(failed.len(), 10);
    let without = listed(&admin, json!({ "batchId": batch, "assigned": false })).await;
    let mut scores: Vec<f64> = without.iter().map(|one| one["totalScore"].as_f64().expect("a score")).collect();
    scores.sort_by(f64::total_cmp);
    assert_eq!((scores[0], scores[9]), (200.5, 209.5), "the lowest ten");
    // A place that was given back is there for the next one.
    let one = seen(&admin, batch, 59).await;
    assert_eq!(allocate(&admin, std::slice::from_ref(&one), json!({ "clear": true })).await["done"], json!(1));
    assert_eq!(allocate(&admin, &without[..1], json!({ "siteId": p.site })).await["done"], json!(1));
    // A site that was granted nothing takes nobody, where nobody may be beyond the plan.
    let other = site(&admin, "ST2").await;
    let told = allocate(&admin, &without[1..2], json!({ "siteId": other })).await;
    assert_eq!(told["failed"][0]["msg"], json!("站点站点ST2未核定会计学的招生计划"));
    // By filter: all who have none, as a job, in the same order.
    let body = json!({ "filter": { "batchId": batch, "assigned": false }, "siteId": p.site });
    let job = admin.post(&format!("{ADMISSION}/allocation"), body).await.data()["jobId"].clone();
    let job = ended(&admin, &job).await;
    assert_eq!(job["message"], json!("共10条，成功0条，失败10条"), "{job}");
    // Told, but not refused, where the school only warns.
    server.run("update school_1.school_setting set value = '\"warn\"' where key = 'quotaPolicy'").await;
    let told = allocate(&admin, &without[1..2], json!({ "siteId": p.site })).await;
    assert_eq!(told["warnings"][0]["msg"], json!("站点城东教学点会计学已满（50/50）"), "{told}");
    let beyond = listed(&admin, json!({ "batchId": batch, "issue": "over_quota" })).await;
    assert_eq!((beyond.len(), &beyond[0]["overQuota"]), (1, &json!(true)));
    let refused = json!({ "items": items(&without[2..3]) });
    assert_eq!(fields(&admin.post(&format!("{ADMISSION}/allocation"), refused).await), ["siteId: 请选择站点"]);
}

/// Two who assign at once do not take the same place.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_at_once_do_not_take_the_same_place() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let other = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, major) = open_batch(&server, &admin, &p, 200).await;
    granted(&admin, batch, p.site, major, 5).await;
    setting(&server, "quotaPolicy", &json!("refuse")).await;
    taken(&admin, &p, batch, &(0..8).map(row).collect::<Vec<_>>()).await;
    let people = listed(&admin, json!({ "batchId": batch })).await;
    let to = json!({ "siteId": p.site });
    let (one, two) = tokio::join!(allocate(&admin, &people[..4], to.clone()), allocate(&other, &people[4..], to));
    let done = one["done"].as_i64().expect("a count") + two["done"].as_i64().expect("a count");
    assert_eq!(done, 5, "{one} {two}");
    // The same row by two: one has it, the other is told that it changed.
    let rest = listed(&admin, json!({ "batchId": batch, "assigned": false })).await;
    let far = site(&admin, "FAR").await;
    granted(&admin, batch, far, major, 50).await;
    let to = json!({ "siteId": far });
    let (one, two) = tokio::join!(allocate(&admin, &rest[..1], to.clone()), allocate(&other, &rest[..1], to));
    let mut done = [one["done"].clone(), two["done"].clone()];
    done.sort_by_key(|count| count.as_i64());
    assert_eq!(done, [json!(0), json!(1)]);
    let failed = one["failed"]
        .as_array()
        .into_iter()
        .chain(two["failed"].as_array())
        .flatten()
        .next()
        .expect("a refusal")
        .clone();
    assert!(failed["msg"].as_str().expect("why").starts_with("数据已被"), "{failed}");
}

/// 861 of 900, and what people who were admitted hold fast.
#[tokio::test]
async fn figures_are_those_of_the_people() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, major) = open_batch(&server, &admin, &p, 900).await;
    let plan = granted(&admin, batch, p.site, major, 900).await;
    taken(&admin, &p, batch, &(0..863).map(row).collect::<Vec<_>>()).await;
    for n in [861, 862] {
        let one = seen(&admin, batch, n).await;
        let body = json!({ "id": one["id"], "version": one["version"], "remark": "招办撤销录取" });
        admin.post(&format!("{ADMISSION}/cancel"), body).await.id();
    }
    let of_batch = json!({ "batchId": batch });
    let line = admin.post(&format!("{MAJORS}/list"), of_batch.clone()).await.data()["list"][0].clone();
    assert_eq!((&line["admitted"], &line["completionRate"]), (&json!(861), &json!(95.7)));
    assert_eq!(admin.get(&format!("{ENROLMENT}/view?id={batch}")).await.data()["admitted"], json!(861));
    let all = json!({ "filter": { "batchId": batch, "status": "imported" }, "siteId": p.site });
    let job = admin.post(&format!("{ADMISSION}/allocation"), all).await.data()["jobId"].clone();
    assert_eq!(ended(&admin, &job).await["message"], json!("共861条，成功861条，失败0条"));
    let row_of = admin.post(&format!("{PLAN}/list"), of_batch.clone()).await.data()["list"][0].clone();
    assert_eq!((&row_of["admitted"], &row_of["completionRate"]), (&json!(861), &json!(95.7)), "{row_of}");
    let view = admin.get(&format!("{PLAN}/view?id={plan}")).await.data().clone();
    assert_eq!(view["lines"][0]["admitted"], json!(861));
    let summary = admin.post(&format!("{PLAN}/majorSummary"), of_batch).await.data()[0].clone();
    assert_eq!(summary["admitted"], json!(861));
    let quota = admin.get(&format!("{ADMISSION}/quota?batchId={batch}")).await.data()["majors"][0].clone();
    assert_eq!((&quota["quota"], &quota["admitted"], &quota["unassigned"]), (&json!(900), &json!(861), &json!(0)));
    assert_eq!((&quota["sites"][0]["quota"], &quota["sites"][0]["admitted"]), (&json!(900), &json!(861)));
    let revoked = admin.post(&format!("{PLAN}/revoke"), json!({ "id": plan, "version": view["version"] })).await;
    assert_eq!(revoked.refused(), (409, "已有861名录取学生，不能撤销"));
    let deleted = admin.delete(&format!("{PLAN}/delete?id={plan}")).await;
    assert_eq!(deleted.refused(), (409, "“城东教学点”的申报为已核定，只有草稿可以删除"));
    let refused = admin.delete(&format!("{MAJORS}/delete?id={major}")).await;
    assert_eq!(refused.refused(), (409, "“会计学”已被引用，不能删除：863条录取数据、1个站点的招生计划"));
    assert_eq!(turn(&admin, batch, "closed").await.refused(), (409, "尚有861条录取数据未审核"));
    // A sheet of plans stays above the people.
    let bytes =
        sheet(&["站点编码", "层次", "专业代码", "学习形式", "核定人数"], &[&["CD", "专升本", "KJ", "非脱产", "860"]]);
    let batch_text = batch.to_string();
    let told = admin
        .send_file(
            poem::http::Method::POST,
            &format!("{PLAN}/import"),
            &[("batchId", &batch_text)],
            ("file", "a.xlsx", XLSX),
            &bytes,
        )
        .await;
    assert_eq!(row_errors(told.data()), ["2 核定人数: 已有861名录取学生，不能低于该数"]);
    // When all are decided the batch ends.
    server.run("update school_1.admission set status = 'audited' where status = 'assigned'").await;
    assert_eq!(turn(&admin, batch, "closed").await.code(), 200);
    let gone = seen(&admin, batch, 862).await;
    let back = json!({ "id": gone["id"], "version": gone["version"], "action": "restore", "remark": "误操作" });
    let refused = admin.post(&format!("{ADMISSION}/cancel"), back).await;
    assert_eq!(refused.refused(), (409, "招生批次“2026-1招生”为已结束，只有进行中的批次可以办理录取"));
}

/// A site sees its own; a class sees nobody; a sheet reaches no further.
#[tokio::test]
async fn a_site_sees_its_own_people() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, major) = open_batch(&server, &admin, &p, 200).await;
    let far = site(&admin, "FAR").await;
    granted(&admin, batch, p.site, major, 10).await;
    granted(&admin, batch, far, major, 10).await;
    taken(&admin, &p, batch, &(1..5).map(row).collect::<Vec<_>>()).await;
    let rows = [seen(&admin, batch, 1).await, seen(&admin, batch, 2).await, seen(&admin, batch, 3).await];
    allocate(&admin, &rows[..1], json!({ "siteId": p.site })).await;
    allocate(&admin, &rows[1..2], json!({ "siteId": far })).await;
    let codes = ["list", "view", "export", "edit", "delete", "batchDel", "allocation", "import"]
        .map(|code| format!("adult:pc:admission:{code}"));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[far]).await;
    let own = listed(&narrow, json!({})).await;
    assert_eq!((own.len(), &own[0]["examineeNo"]), (1, &rows[1]["examineeNo"]));
    for stranger in [&rows[0], &rows[2]] {
        assert_eq!(
            narrow.get(&format!("{ADMISSION}/view?id={}", stranger["id"])).await.code(),
            404,
            "without a site too"
        );
        let body = json!({ "id": stranger["id"], "version": stranger["version"], "phone": "15400000001" });
        assert_eq!(narrow.put(&format!("{ADMISSION}/edit"), body).await.code(), 404);
        assert_eq!(narrow.delete(&format!("{ADMISSION}/delete?id={}", stranger["id"])).await.code(), 404);
    }
    let told = allocate(&narrow, &rows[..1], json!({ "clear": true })).await;
    assert_eq!(
        (&told["done"], &told["failed"][0]["name"], &told["failed"][0]["msg"]),
        (&json!(0), &json!(""), &json!("无权操作该数据"))
    );
    let beyond = json!({ "items": items(&own), "siteId": p.site });
    assert_eq!(fields(&narrow.post(&format!("{ADMISSION}/allocation"), beyond).await), ["siteId: 无权操作该数据"]);
    let quota = narrow.get(&format!("{ADMISSION}/quota?batchId={batch}")).await.data()["majors"][0].clone();
    assert_eq!((&quota["admitted"], &quota["unassigned"]), (&json!(1), &json!(null)));
    assert_eq!(quota["sites"].as_array().map(Vec::len), Some(1));
    // Whole-school figures are of the school alone, and of a batch the site counts its own.
    let looking = ["adult:pc:enrollment:view", "adult:pc:admission:list"];
    let looking = server.staff_within(1, &looking, "named_sites", &[far]).await;
    assert_eq!(looking.get(&format!("{ENROLMENT}/view?id={batch}")).await.data()["admitted"], json!(1));
    assert_eq!(looking.post(&format!("{ADMISSION}/imports"), json!({ "batchId": batch })).await.code(), 403);
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let of_class = server.staff_within(1, &codes, "named_classes", &[class]).await;
    assert_eq!(listed(&of_class, json!({})).await.len(), 0);
    // By sheet: their own to their own sites.
    let batch_text = batch.to_string();
    let import = async |client: &Client<'_>, rows: &[&[&str]]| {
        let bytes = sheet(&["考生号", "姓名", "站点编码"], rows);
        let path = format!("{ADMISSION}/allocation/import");
        let file = ("file", "a.xlsx", XLSX);
        client
            .send_file(poem::http::Method::POST, &path, &[("batchId", &batch_text)], file, &bytes)
            .await
            .data()
            .clone()
    };
    let told = import(&narrow, &[&["05010000000001", "张晓梅", "FAR"]]).await;
    assert_eq!(row_errors(&told), ["2 考生号: 无权操作该数据"]);
    let told = import(&admin, &[&["05010000000003", "张小梅", "FAR"], &["05010000000009", "张晓梅", "FAR"]]).await;
    assert_eq!(row_errors(&told), ["2 姓名: 姓名与录取数据不一致", "3 考生号: 本批次没有该考生号的录取数据"]);
    let told = import(&admin, &[&["05010000000003", "张晓梅", "FAR"], &["05010000000001", "张晓梅", "FAR"]]).await;
    assert_eq!((&told["imported"], &told["errors"]), (&json!(2), &json!([])), "{told}");
    assert_eq!(listed(&narrow, json!({})).await.len(), 3);
    // Of the operators' area: the rows of every school, and one named.
    let operator = server.operator().await;
    let list = operator.post(&format!("{ADMISSION}/list"), json!({})).await.data().clone();
    assert_eq!((&list["totalCount"], &list["list"][0]["schoolId"]), (&json!(4), &json!(1)), "{list}");
    let id = list["list"][0]["id"].clone();
    assert_eq!(operator.get(&format!("{ADMISSION}/view?id={id}&schoolId=1")).await.code(), 200);
    assert_eq!(operator.get(&format!("{ADMISSION}/quota?batchId={batch}&schoolId=1")).await.code(), 200);
}

/// By sheet two who have the last places change them; whoever is within the plan again is told of no more.
#[tokio::test]
async fn two_who_change_places_need_no_third() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, major) = open_batch(&server, &admin, &p, 200).await;
    let far = site(&admin, "FAR").await;
    granted(&admin, batch, p.site, major, 1).await;
    granted(&admin, batch, far, major, 1).await;
    setting(&server, "quotaPolicy", &json!("refuse")).await;
    let mut letters = row(2);
    letters[0] = "0501a0000002".to_owned();
    taken(&admin, &p, batch, &[row(1), letters, row(3)]).await;
    let all = listed(&admin, json!({ "batchId": batch })).await;
    let of = |rows: &[Value], no: &str| rows.iter().find(|row| row["examineeNo"] == json!(no)).cloned().expect("a row");
    let (one, two) = (of(&all, "05010000000001"), of(&all, "0501a0000002"));
    allocate(&admin, &[one], json!({ "siteId": p.site })).await;
    allocate(&admin, &[two], json!({ "siteId": far })).await;
    let bytes = sheet(
        &["考生号", "姓名", "站点编码"],
        &[&["05010000000001", "张晓梅", "FAR"], &["0501A0000002", "张晓梅", "CD"]],
    );
    let batch_text = batch.to_string();
    let exchange = async |dry_run: &str| {
        let texts = [("batchId", batch_text.as_str()), ("dryRun", dry_run)];
        let path = format!("{ADMISSION}/allocation/import");
        let told = admin.send_file(poem::http::Method::POST, &path, &texts, ("file", "a.xlsx", XLSX), &bytes).await;
        assert_eq!((&told.data()["total"], &told.data()["errors"]), (&json!(2), &json!([])), "{}", told.body);
    };
    exchange("true").await;
    exchange("false").await;
    // Back again, though both places are taken: each left before the other came.
    assert_eq!(taken_back(&admin, "站点分配").await, ("共4条，已撤销4条".to_owned(), Vec::new()));
    let all = listed(&admin, json!({ "batchId": batch })).await;
    let sites = ["05010000000001", "0501a0000002"].map(|no| of(&all, no)["siteId"].clone());
    assert_eq!(sites, [json!(p.site), json!(far)]);
    exchange("false").await;
    let all = listed(&admin, json!({ "batchId": batch })).await;
    let (one, two, three) = (of(&all, "05010000000001"), of(&all, "0501a0000002"), of(&all, "05010000000003"));
    assert_eq!((&one["siteId"], &two["siteId"]), (&json!(far), &json!(p.site)));
    // A third beyond the plan, until the second is gone.
    server.run("update school_1.school_setting set value = '\"warn\"' where key = 'quotaPolicy'").await;
    allocate(&admin, &[three], json!({ "siteId": p.site })).await;
    let three = seen(&admin, batch, 3).await;
    assert_eq!(three["issues"], json!(["over_quota"]));
    allocate(&admin, &[two], json!({ "clear": true })).await;
    assert_eq!(allocate(&admin, &[three], json!({ "siteId": p.site })).await["done"], json!(1));
    let three = seen(&admin, batch, 3).await;
    assert_eq!((&three["issues"], &three["siteId"]), (&json!([]), &json!(p.site)));
    // Nothing changes: nothing is written.
    assert_eq!(allocate(&admin, std::slice::from_ref(&three), json!({ "siteId": p.site })).await["done"], json!(1));
    assert_eq!(seen(&admin, batch, 3).await["version"], three["version"]);
}
