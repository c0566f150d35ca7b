//! The authority's file: taken over, again, and what of it is not taken (part 02 §6.4).

use kit::{
    Client, Server,
    admission::{ADMISSION, dbf, items, leads, levels, open_batch, row, seen, segments, take, taken},
    cohort::{Cohort, cohort, registrar},
    enrolment::ENROLMENT,
    fields,
    jobs::ended,
    pre_registrations::{PRE, batch as pre_batch},
    sheets::{row_errors, texts},
    students::{id_number, save, student},
};
use serde_json::{Value, json};

fn counts(told: &[(&str, i64)]) -> Vec<(String, i64)> {
    told.iter().map(|(word, count)| ((*word).to_owned(), *count)).collect()
}

async fn import(client: &Client<'_>, p: &Cohort, batch: i64, mode: &str, rows: &[Vec<String>]) -> Value {
    let maps = levels(p).to_string();
    let told = take(client, batch, &[("mode", mode), ("valueMaps", &maps)], "LQK.dbf", &dbf(rows)).await;
    ended(client, &told.data()["jobId"]).await
}

/// Scenarios 1 and 2: 10,000 rows of a dbf, 9,112 of whom told before that they want to study.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_ten_thousand_is_taken_over() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, major) = open_batch(&server, &admin, &p, 10_000).await;
    kit::admission::granted(&admin, batch, p.site, major, 9_999).await;
    let pre = pre_batch(&admin, &p, "Y1", false).await;
    // Of 62 the authority writes the name otherwise.
    leads(&server, &p, pre, p.site, (0..9_112).map(|n| (n, if n < 62 { "张小梅" } else { "张晓梅" }))).await;
    let mut rows: Vec<Vec<String>> = (0..10_000).map(row).collect();
    let job = import(&admin, &p, batch, "insert", &rows).await;
    assert_eq!(job["state"], json!("done"), "{job}");
    let message = job["message"].as_str().expect("a message");
    assert!(message.starts_with("共10000行，新增10000行，修改0行，未变0行，匹配已匹配9050行"), "{message}");
    let of = json!({ "batchId": batch });
    assert_eq!(
        segments(&admin, of.clone()).await,
        counts(&[("matched", 9_050), ("unmatched", 888), ("conflict", 62), ("has_issue", 62)])
    );
    let students = json!({ "batchId": batch, "scope": "student" });
    assert_eq!(segments(&admin, students).await, counts(&[("imported", 950), ("assigned", 9_050), ("audited", 0)]));
    let funnel = admin.get(&format!("{PRE}/funnel")).await.data()["all"]["admitted"].clone();
    assert_eq!(funnel, json!(9_050), "the leads of the matched are admitted");
    let record = admin.post(&format!("{ADMISSION}/imports"), of).await.data()[0].clone();
    assert_eq!(
        (&record["total"], &record["inserted"], &record["people"]),
        (&json!(10_000), &json!(10_000), &json!(10_000))
    );
    // The codes that were said once stand for the next file.
    let kept = admin.get(&format!("{ENROLMENT}/view?id={batch}")).await.data()["valueMaps"].clone();
    assert!(kept.as_array().expect("codes").contains(&levels(&p)[0]), "{kept}");

    // The same file again, then a revised one of which two people are decided.
    let again = take(&admin, batch, &[], "LQK.dbf", &dbf(&rows)).await;
    assert!(
        again.code() == 409 && again.msg().starts_with("该文件已于") && again.msg().ends_with("导入"),
        "{}",
        again.msg()
    );
    for row in rows.iter_mut().take(105).skip(95) {
        row[8] = "333.0".to_owned();
    }
    let audited = "select id from school_1.admission where examinee_no in ('05010000000095', '05010000000096')";
    server.run(&format!("update school_1.admission set status = 'audited' where id in ({audited})")).await;
    let job = import(&admin, &p, batch, "update", &rows).await;
    assert_eq!(job["state"], json!("done"), "{job}");
    assert_eq!(row_errors(&job), ["97 KSH: 该生已审核，不能覆盖", "98 KSH: 该生已审核，不能覆盖"]);
    let changed = "select count(*) from school_1.admission where total_score = 3330";
    assert_eq!(server.one::<i64>(changed).await, 0, "nothing is written");
    server.run(&format!("update school_1.admission set status = 'assigned' where id in ({audited})")).await;
    let job = import(&admin, &p, batch, "update", &rows).await;
    let message = job["message"].as_str().expect("a message");
    assert!(message.starts_with("共10000行，新增0行，修改10行，未变9990行"), "{message}");
    assert_eq!(server.one::<i64>(changed).await, 10);
    let held = json!({ "batchId": batch, "scope": "student" });
    assert_eq!(
        segments(&admin, held).await,
        counts(&[("imported", 950), ("assigned", 9_050), ("audited", 0)]),
        "as before"
    );
}

/// What is said of a file before anybody says what its columns mean; other names of columns, a csv.
#[tokio::test]
async fn a_file_is_looked_at_first() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    let number = id_number(1);
    let birthday = &number[6..14];
    let csv = format!(
        "考生号,姓名,XB,CSRQ,SFZH,LQZYDH,CC,CJX01,备用\r\n05010001,张晓梅,1,{birthday},{number},101,Z,88.5,{number}\r\n"
    );
    let inspect = async |more: &[(&str, &str)]| {
        let batch = batch.to_string();
        let mut texts = vec![("batchId", batch.as_str())];
        texts.extend_from_slice(more);
        let file = ("file", "录取.csv", "text/csv");
        admin
            .send_file(poem::http::Method::POST, &format!("{ADMISSION}/import/inspect"), &texts, file, csv.as_bytes())
            .await
    };
    let found = inspect(&[]).await.data().clone();
    assert_eq!((&found["total"], &found["columns"][0]), (&json!(1), &json!("考生号")));
    let map = found["proposedMap"].clone();
    assert!(
        map.as_array().expect("a map").contains(&json!({ "field": "authority_code", "column": "LQZYDH" })),
        "{map}"
    );
    assert!(!found.to_string().contains(&number), "numbers are masked: {found}");
    let codes = found["codesMet"].as_array().expect("codes").clone();
    assert_eq!(codes[0], json!({ "field": "level", "code": "Z", "count": 1, "value": null }));
    assert_eq!(codes[1]["value"], json!("male"), "the batch knows what 1 is: {codes:?}");
    assert_eq!(found["importedAt"], json!(null));
    // A level is nothing until somebody says which.
    let map = map.to_string();
    let send = async |more: &[(&str, &str)]| take(&admin, batch, more, "录取.csv", csv.as_bytes()).await;
    let told = send(&[("columnMap", &map)]).await.data().clone();
    assert_eq!(row_errors(&told), ["2 CC: 层次代码“Z”未对应层次，请填写代码映射"]);
    let level = json!([{ "field": "level", "code": "Z", "value": p.level.to_string() }]).to_string();
    assert_eq!(
        fields(&send(&[("columnMap", r#"[{"field":"name","column":"没有"}]"#)]).await),
        ["columnMap: 文件中没有列“没有”"]
    );
    assert_eq!(fields(&send(&[("columnMap", "{")]).await), ["columnMap: 映射的格式不正确，请重新选择文件"]);
    let dry = send(&[("columnMap", &map), ("valueMaps", &level), ("dryRun", "true")]).await.data().clone();
    assert_eq!((&dry["inserted"], &dry["imported"], &dry["errors"]), (&json!(1), &json!(0), &json!([])));
    let told = send(&[("columnMap", &map), ("valueMaps", &level)]).await.data().clone();
    assert_eq!((&told["inserted"], &told["updated"], &told["unchanged"]), (&json!(1), &json!(0), &json!(0)), "{told}");
    let found = inspect(&[("columnMap", &map)]).await.data().clone();
    assert!(found["importedAt"].is_string() && found["codesMet"][0]["value"] == json!(p.level.to_string()), "{found}");
    let id = admin.post(&format!("{ADMISSION}/list"), json!({})).await.data()["list"][0]["id"].clone();
    let view = admin.get(&format!("{ADMISSION}/view?id={id}")).await.data().clone();
    assert_eq!((&view["scores"]["CJX01"], &view["raw"]["姓名"]), (&json!(88.5), &json!("张晓梅")));
    assert!(!view.to_string().contains(&number), "also in the raw data: {view}");
    // What the batch had of other fields stands.
    let columns = admin.get(&format!("{ENROLMENT}/view?id={batch}")).await.data()["columnMap"].clone();
    let columns = columns.as_array().expect("columns").clone();
    assert!(columns.contains(&json!({ "field": "name", "column": "姓名" })));
    assert!(columns.contains(&json!({ "field": "phone", "column": "LXDH" })), "{columns:?}");
}

/// Scenario 3, and what else of a row is wrong, odd or worth a second look.
#[tokio::test]
async fn what_a_row_says_is_looked_at() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    let maps = levels(&p).to_string();
    let number = id_number(1);
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    for (column, heading) in (0_u16..).zip(["KSH", "XM", "XBDM", "CSRQ", "SFZH", "LQZY", "CCDM"]) {
        sheet.write_string(0, column, heading).expect("a cell");
    }
    sheet.write_number(1, 0, 501_230_001.0).expect("a cell");
    for (column, text) in (1_u16..).zip(["张晓梅", "1", &number[6..14], &number, "101", "2"]) {
        sheet.write_string(1, column, text).expect("a cell");
    }
    let bytes = workbook.save_to_buffer().expect("a workbook");
    let told = take(&admin, batch, &[("valueMaps", &maps)], "录取.xlsx", &bytes).await.data().clone();
    assert_eq!(row_errors(&told), ["2 KSH: 考生号应为文本（可能丢失前导零）"]);

    let wrong = |n: usize, column: usize, text: &str| {
        let mut row = row(n);
        row[column] = text.to_owned();
        row
    };
    let mut twin = row(2);
    twin[0] = row(1)[0].clone();
    let mut same_card = row(7);
    same_card[3] = row(1)[3].clone();
    same_card[4] = row(1)[4].clone();
    let rows = [
        row(1),
        twin,
        wrong(3, 5, "999"),
        wrong(4, 2, "9"),
        wrong(5, 3, "20261399"),
        wrong(6, 8, "700"),
        same_card,
        wrong(8, 0, "0501-1"),
    ];
    let told = take(&admin, batch, &[("valueMaps", &maps)], "LQK.dbf", &dbf(&rows)).await.data().clone();
    assert_eq!(told["imported"], json!(0));
    let errors = row_errors(&told);
    let wanted = [
        "3 KSH: 与第2行考生号重复",
        "4 LQZY: 招办专业代码999未在本批次维护",
        "5 XBDM: 性别代码“9”未对应性别，请填写代码映射",
        "6 CSRQ: 日期不正确，请按 2026-03-01 的格式填写",
        "7 ZF: 分数应在0到600之间",
        "8 SFZH: 与第2行证件号重复",
        "9 KSH: 考生号应为8至18位数字或字母",
    ];
    assert_eq!(errors, wanted, "{told}");
    let marked = told["errorFileUrl"].as_str().expect("a marked copy").to_owned();
    let mut answer = admin.raw(poem::http::Method::GET, &marked, None, Vec::new()).await;
    let cells = texts(&answer.take_body().into_vec().await.expect("a file"));
    assert_eq!((cells[0][0].as_str(), cells[2][0].as_str()), ("错误说明", "KSH：与第2行考生号重复"), "{cells:?}");

    // A wrong check digit, a lost sign, a student, a strange name of the major and an unknown site are no errors.
    save(&admin, student(&p, 11)).await;
    let mut number = row(9)[4].clone();
    let last = if number.ends_with('0') { '1' } else { '0' };
    number.pop();
    number.push(last);
    let rows = [
        wrong(9, 4, &number),
        wrong(10, 1, "张?梅"),
        row(11),
        wrong(12, 6, "会计"),
        wrong(13, 11, "某县教学点"),
        wrong(14, 11, "cd"),
    ];
    let told = taken(&admin, &p, batch, &rows).await;
    assert_eq!(told["inserted"], json!(6));
    let warnings: Vec<&str> =
        told["warnings"].as_array().expect("warnings").iter().filter_map(|one| one["message"].as_str()).collect();
    assert!(warnings.iter().any(|told| told.starts_with("身份证号校验位错误")), "{warnings:?}");
    assert!(warnings.contains(&"招办专业名称“会计”与本批次的“会计学”不同"), "{warnings:?}");
    let issues = async |n: usize| seen(&admin, batch, n).await["issues"].clone();
    assert_eq!(issues(9).await, json!(["id_checksum"]));
    assert_eq!(issues(10).await, json!(["name_differs"]));
    assert_eq!(issues(11).await, json!(["active_student"]));
    assert_eq!(issues(12).await, json!([]));
    assert_eq!(issues(13).await, json!(["site_missing"]));
    let there = seen(&admin, batch, 14).await;
    assert_eq!(
        (&there["status"], &there["siteName"]),
        (&json!("assigned"), &json!("城东教学点")),
        "by the file's own word"
    );
    assert_eq!(there["issues"], json!(["over_quota"]), "the site was granted nothing of it: {there}");
    // Who has a problem, and which.
    let filter = json!({ "batchId": batch, "hasIssue": true });
    assert_eq!(admin.post(&format!("{ADMISSION}/list"), filter).await.data()["totalCount"], json!(5));
    let filter = json!({ "batchId": batch, "issue": "id_checksum" });
    assert_eq!(admin.post(&format!("{ADMISSION}/list"), filter).await.data()["totalCount"], json!(1));
}

/// A row that stands is told apart from a new one; a number of the bin comes back by nobody's file.
#[tokio::test]
async fn a_file_meets_what_stands() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    taken(&admin, &p, batch, &[row(1), row(2), row(3)]).await;
    let maps = levels(&p).to_string();
    let send = async |mode: &str, rows: &[Vec<String>]| {
        take(&admin, batch, &[("mode", mode), ("valueMaps", &maps)], "LQK.dbf", &dbf(rows)).await.data().clone()
    };
    let mut changed = row(1);
    changed[8] = "299.5".to_owned();
    let mut taken_card = row(4);
    (taken_card[3], taken_card[4], taken_card[2]) = (row(2)[3].clone(), row(2)[4].clone(), row(2)[2].clone());
    let told = send("insert", &[changed.clone(), taken_card]).await;
    assert_eq!(
        row_errors(&told),
        ["2 KSH: 考生号已存在且数据不同", "3 SFZH: 该证件号已有录取数据（考生号05010000000002）"]
    );
    let id = seen(&admin, batch, 3).await["id"].clone();
    admin.delete(&format!("{ADMISSION}/delete?id={id}")).await.data();
    let told = send("insert", &[row(3)]).await;
    assert_eq!(row_errors(&told), ["2 KSH: 该考生号在回收站，请先恢复或清除"]);
    let told = send("update", &[changed, row(2), row(5)]).await;
    let did = (&told["inserted"], &told["updated"], &told["unchanged"]);
    assert_eq!(did, (&json!(1), &json!(1), &json!(1)), "{told}");
    let differs = told["differences"].as_array().expect("differences").clone();
    assert_eq!(differs[0], json!({ "row": 2, "name": "张晓梅", "column": "ZF", "before": "201.5", "after": "299.5" }));
    assert_eq!((&differs[1]["row"], &differs[1]["column"]), (&json!(4), &json!("")), "a new one: {differs:?}");
    assert_eq!(seen(&admin, batch, 1).await["totalScore"], json!(299.5));
    // A withdrawn admission comes back by the file that names the person again.
    let one = seen(&admin, batch, 2).await;
    let cancel = json!({ "id": one["id"], "version": one["version"], "action": "cancel", "remark": "招办撤销" });
    admin.post(&format!("{ADMISSION}/cancel"), cancel).await.id();
    assert_eq!(send("insert", &[row(2)]).await["unchanged"], json!(1));
    assert_eq!(seen(&admin, batch, 2).await["status"], json!("cancelled"));
    assert_eq!(send("update", &[row(2), row(6)]).await["updated"], json!(1));
    assert_eq!(seen(&admin, batch, 2).await["status"], json!("imported"));
    // Nobody is admitted to a batch that is over, nor by whoever sees a part of the school.
    let narrow = server.staff_within(1, &["adult:pc:admission:import"], "named_sites", &[p.site]).await;
    assert_eq!(take(&narrow, batch, &[], "LQK.dbf", &dbf(&[row(7)])).await.code(), 403);
    server.run("update school_1.enrollment_batch set status = 'closed'").await;
    let refused = take(&admin, batch, &[], "LQK.dbf", &dbf(&[row(7)])).await;
    assert_eq!(refused.refused(), (409, "招生批次“2026-1招生”为已结束，只有进行中的批次可以办理录取"));
}

/// By hand, not at all, again; and what becomes of the lead.
#[tokio::test]
async fn who_is_whom_is_decided_by_hand_where_a_file_cannot() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, major) = open_batch(&server, &admin, &p, 200).await;
    kit::admission::granted(&admin, batch, p.site, major, 50).await;
    let pre = pre_batch(&admin, &p, "Y1", false).await;
    leads(&server, &p, pre, p.site, [(1, "张晓梅"), (2, "张小梅"), (30, "李娜")].into_iter()).await;
    let mut own_phone = row(1);
    own_phone[9] = "027-87654321".to_owned();
    taken(&admin, &p, batch, &[own_phone, row(2), row(3)]).await;
    let one = seen(&admin, batch, 1).await;
    assert_eq!(
        (&one["matchStatus"], &one["status"], &one["siteName"]),
        (&json!("matched"), &json!("assigned"), &json!("城东教学点"))
    );
    assert_eq!(one["phone"], json!("154****0001"), "the lead's is newer");
    let conflict = seen(&admin, batch, 2).await;
    assert_eq!((&conflict["matchStatus"], &conflict["issues"]), (&json!("conflict"), &json!(["name_differs"])));
    assert_eq!(conflict["status"], json!("imported"));
    let exam = async |n: usize| -> String {
        server
            .one(&format!("select exam_status from school_1.pre_registration where id_card_no = '{}'", id_number(n)))
            .await
    };
    assert_eq!((exam(1).await.as_str(), exam(2).await.as_str()), ("admitted", "registered"));
    // Somebody looks: it is the same person.
    let found = admin.get(&format!("{ADMISSION}/candidates?id={}", conflict["id"])).await.data().clone();
    assert_eq!((&found[0]["name"], &found[0]["sameIdCard"]), (&json!("张小梅"), &json!(true)), "{found}");
    assert!(!found.to_string().contains(&id_number(2)), "masked");
    let by_hand = async |row: &Value, lead: Value| {
        let body = json!({ "id": row["id"], "version": row["version"], "preRegistrationId": lead });
        admin.put(&format!("{ADMISSION}/matchManual"), body).await
    };
    let stale = by_hand(&json!({ "id": conflict["id"], "version": 99 }), found[0]["id"].clone()).await;
    assert_eq!(stale.code(), 409);
    assert_eq!(by_hand(&conflict, found[0]["id"].clone()).await.data()["warnings"], json!([]));
    let matched = seen(&admin, batch, 2).await;
    assert_eq!((&matched["matchStatus"], &matched["status"]), (&json!("matched"), &json!("assigned")));
    assert_eq!(matched["issues"], json!(["name_differs"]), "that stays to be seen");
    assert_eq!(exam(2).await, "admitted");
    // The third person by the name of another, whom the first may not be.
    let third = seen(&admin, batch, 3).await;
    let taken_lead = by_hand(&third, found[0]["id"].clone()).await;
    assert_eq!(fields(&taken_lead), ["preRegistrationId: 该预报名已与张晓梅的录取数据匹配"]);
    let sought =
        admin.get(&format!("{ADMISSION}/candidates?id={}&keyword={}", third["id"], "%E6%9D%8E%E5%A8%9C")).await;
    assert_eq!(sought.data()[0]["name"], json!("李娜"), "by a name: {}", sought.body);
    let phone = admin.get(&format!("{ADMISSION}/candidates?id={}&keyword=15400000030", third["id"])).await;
    by_hand(&third, phone.data()[0]["id"].clone()).await.data();
    assert_eq!(exam(30).await, "admitted");
    // It was not: free again, the place stays until it is taken away.
    let third = seen(&admin, batch, 3).await;
    by_hand(&third, json!(null)).await.data();
    let third = seen(&admin, batch, 3).await;
    assert_eq!((&third["matchStatus"], &third["status"]), (&json!("unmatched"), &json!("assigned")));
    assert_eq!(exam(30).await, "registered");
    let refused = by_hand(&third, json!(null)).await;
    assert_eq!(refused.refused(), (409, "该人员尚未匹配预报名"));
    // A lead that comes later is found by looking again.
    taken(&admin, &p, batch, &[row(4)]).await;
    leads(&server, &p, pre, p.site, [(4, "张晓梅")].into_iter()).await;
    let rows = [seen(&admin, batch, 4).await, seen(&admin, batch, 1).await];
    let again = admin.post(&format!("{ADMISSION}/match"), json!({ "items": items(&rows) })).await.data().clone();
    assert_eq!((&again["done"], &again["failed"]), (&json!(2), &json!([])));
    assert_eq!(seen(&admin, batch, 4).await["status"], json!("assigned"));
    let all = admin.post(&format!("{ADMISSION}/match"), json!({ "filter": { "batchId": batch } })).await.data().clone();
    assert_eq!(ended(&admin, &all["jobId"]).await["state"], json!("done"));

    // Withdrawn: the lead is registered as before; and back again.
    let one = seen(&admin, batch, 1).await;
    let step = |row: &Value, action: &str, remark: &str| json!({ "id": row["id"], "version": row["version"], "action": action, "remark": remark });
    let call = format!("{ADMISSION}/cancel");
    assert_eq!(fields(&admin.post(&call, step(&one, "cancel", "否")).await), ["remark: 请填写原因"]);
    admin.post(&call, step(&one, "cancel", "招办撤销录取")).await.id();
    let gone = seen(&admin, batch, 1).await;
    assert_eq!(
        (&gone["status"], &gone["siteId"], &gone["matchStatus"]),
        (&json!("cancelled"), &json!(null), &json!("unmatched"))
    );
    assert_eq!(exam(1).await, "registered");
    let view = admin.get(&format!("{ADMISSION}/view?id={}", gone["id"])).await.data().clone();
    assert_eq!(view["cancelRemark"], json!("招办撤销录取"));
    assert_eq!(admin.post(&call, step(&gone, "cancel", "招办撤销录取")).await.refused(), (409, "该录取数据已注销"));
    admin.post(&call, step(&gone, "restore", "误操作")).await.id();
    let back = seen(&admin, batch, 1).await;
    assert_eq!((&back["status"], &back["matchStatus"]), (&json!("assigned"), &json!("matched")));
    // How people are reached is typed here; the rest is the authority's.
    let contact = json!({ "id": back["id"], "version": back["version"], "phone": back["phone"], "address": "某路2号", "postalCode": "430000" });
    admin.put(&format!("{ADMISSION}/edit"), contact).await.id();
    let phone: String = server.one("select phone from school_1.admission where examinee_no = '05010000000001'").await;
    assert_eq!(phone, "15400000001", "a masked number that was not touched stays");
    // Deleted: the lead is free.
    let ids = json!({ "ids": [back["id"], third["id"], 999_999] });
    let gone = admin.post(&format!("{ADMISSION}/batchDel"), ids).await.data().clone();
    assert_eq!((&gone["done"], gone["failed"].as_array().map(Vec::len)), (&json!(2), Some(1)));
    assert_eq!(exam(1).await, "registered");
    let rows = texts(&admin.post(&format!("{ADMISSION}/export"), json!({ "scope": "student" })).await.bytes);
    assert_eq!((rows[0][3].as_str(), rows.len()), ("姓名", 3), "{rows:?}");
    let rows = texts(&admin.post(&format!("{ADMISSION}/export"), json!({ "scope": "data" })).await.bytes);
    assert_eq!(rows[0][2], "准考证号");
}
