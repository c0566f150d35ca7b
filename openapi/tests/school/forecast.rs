//! Majors that a school files for a year (part 03 A3).

use kit::{
    Client, Server,
    accounts::all_school_codes,
    cohort::{Cohort, cohort, registrar},
    enrolment::{MAJORS, save_batch},
    fields,
    files::paper,
    rows::majors,
    sheets::{row_errors, sheet, texts},
};
use poem::http::Method;
use serde_json::{Value, json};

const FILING: &str = "/adult/pc/forecastingMajor";

fn filing(p: &Cohort, year: i32) -> Value {
    json!({ "year": year, "gradeId": p.grade, "majorId": p.major, "plannedQuota": 200, "siteIds": [p.site] })
}

async fn step(client: &Client<'_>, call: &str, id: i64, more: Value) -> Value {
    let version = client.get(&format!("{FILING}/view?id={id}")).await.data()["version"].clone();
    let mut body = json!({ "items": [{ "id": id, "version": version }] });
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    client.put(&format!("{FILING}/{call}"), body).await.data().clone()
}

#[tokio::test]
async fn a_filing_goes_its_way() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = admin.post(&format!("{FILING}/save"), filing(&p, 2027)).await.id();
    let again = admin.post(&format!("{FILING}/save"), filing(&p, 2027)).await;
    assert_eq!(fields(&again), ["majorId: 该专业已在2027年的拟招生专业中"]);
    // Acceptance 7.
    let early = step(&admin, "audit", id, json!({ "filedOn": "2026-11-02" })).await;
    assert_eq!(early["failed"][0]["msg"], json!("只有已上报的记录可以审核"), "{early}");
    assert_eq!(early["failed"][0]["name"], json!("2027年 会计学"));
    assert_eq!(step(&admin, "submit", id, json!({})).await["done"], json!(1));
    let mut edit = filing(&p, 2027);
    edit["id"] = json!(id);
    edit["version"] = json!(2);
    let refused = admin.put(&format!("{FILING}/edit"), edit.clone()).await;
    assert_eq!(refused.refused(), (409, "已上报的专业不能修改，请先退回"));
    assert_eq!(step(&admin, "reject", id, json!({ "reason": "材料不全" })).await["done"], json!(1));
    let again = step(&admin, "submit", id, json!({})).await;
    assert_eq!(again["failed"][0]["msg"], json!("未通过的记录请先修改，再上报"), "{again}");
    edit["version"] = json!(3);
    edit["plannedQuota"] = json!(150);
    edit["siteIds"] = json!([]);
    assert_eq!(admin.put(&format!("{FILING}/edit"), edit).await.code(), 200);
    let seen = admin.get(&format!("{FILING}/view?id={id}")).await.data().clone();
    assert_eq!((&seen["status"], &seen["filingResult"]), (&json!("draft"), &json!("材料不全")));
    assert_eq!(step(&admin, "submit", id, json!({})).await["done"], json!(1));
    let accepted = json!({ "filedOn": "2026-11-02", "filingNo": "鄂2027-1" });
    assert_eq!(step(&admin, "audit", id, accepted).await["done"], json!(1));
    let seen = admin.get(&format!("{FILING}/view?id={id}")).await.data().clone();
    assert_eq!(
        (&seen["status"], &seen["filingNo"], &seen["filedOn"], &seen["plannedQuota"], &seen["siteCount"]),
        (&json!("filed"), &json!("鄂2027-1"), &json!("2026-11-02"), &json!(150), &json!(0))
    );
    let refused = admin.delete(&format!("{FILING}/delete?id={id}")).await;
    assert_eq!(refused.refused(), (409, "“会计学”已备案，只有草稿可以删除"));
    let withdrawn = json!({ "id": id, "version": seen["version"], "reason": "今年不招" });
    assert_eq!(admin.put(&format!("{FILING}/withdraw"), withdrawn).await.code(), 200);
    let rows = texts(&admin.post(&format!("{FILING}/export"), json!({})).await.bytes);
    assert!(rows[1].contains(&"撤销".to_owned()) && rows[1].contains(&"会计学".to_owned()), "{rows:?}");
    // Nor does a batch of its year recruit for it any more.
    let batch = save_batch(&admin, &p, "2026-1").await;
    let place = json!({ "batchId": batch, "majorId": p.major, "quota": 10, "tuition": 280_000 });
    assert_eq!(fields(&admin.post(&format!("{MAJORS}/save"), place).await), ["majorId: 该专业本年度未备案"]);
    let generated = admin.post(&format!("{MAJORS}/fromForecast"), json!({ "batchId": batch })).await;
    assert_eq!(generated.refused(), (409, "该年级还没有已备案的专业，请先在“拟招生专业”中办理备案"));
    let draft = admin.post(&format!("{FILING}/save"), filing(&p, 2028)).await.id();
    assert_eq!(admin.delete(&format!("{FILING}/delete?id={draft}")).await.code(), 200);
}

/// An operator records what the ministry answered, for several schools with one step.
#[tokio::test]
async fn results_of_two_schools_are_recorded_at_once() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let mut items = Vec::new();
    for school in [1, 2] {
        let admin = server.staff(school, &codes).await;
        let p = cohort(&admin).await;
        let id = admin.post(&format!("{FILING}/save"), filing(&p, 2027)).await.id();
        if school == 1 {
            assert_eq!(step(&admin, "submit", id, json!({})).await["done"], json!(1));
        }
        let version = admin.get(&format!("{FILING}/view?id={id}")).await.data()["version"].clone();
        items.push(json!({ "id": id, "version": version, "schoolId": school }));
    }
    let refused = json!({ "items": [{ "id": 1, "version": 1 }], "filedOn": "2026-11-02" });
    assert_eq!(operator.put(&format!("{FILING}/audit"), refused).await.refused(), (422, "请选择院校"));
    let accepted = json!({ "items": items, "filedOn": "2026-11-02" });
    let answer = operator.put(&format!("{FILING}/audit"), accepted).await.data().clone();
    assert_eq!(answer["done"], json!(1), "{answer}");
    let failed = &answer["failed"][0];
    assert_eq!((&failed["schoolId"], &failed["msg"]), (&json!(2), &json!("只有已上报的记录可以审核")), "{answer}");
}

#[tokio::test]
async fn the_paper_that_a_filing_is_founded_on_lies_beside_it() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let mut form = filing(&p, 2027);
    form["basisKey"] = json!("private/s1/202611/0123456789abcdefghijklmnopqrstuv.pdf");
    let refused = admin.post(&format!("{FILING}/save"), form.clone()).await;
    assert_eq!(fields(&refused), ["basisKey: 文件不存在或未上传完成，请重新上传"]);
    form["basisKey"] = json!(paper(&admin, "调研报告.pdf").await);
    let id = admin.post(&format!("{FILING}/save"), form.clone()).await.id();
    let view = || async { admin.get(&format!("{FILING}/view?id={id}")).await.data().clone() };
    let seen = view().await;
    assert_eq!((&seen["basisKey"], &seen["basisName"]), (&form["basisKey"], &json!("调研报告.pdf")));
    let address = seen["basisUrl"].as_str().expect("an address");
    let read = admin.raw(Method::GET, address, None, Vec::new()).await;
    assert_eq!(read.into_body().into_vec().await.expect("bytes"), b"12345");

    form["id"] = json!(id);
    form["version"] = seen["version"].clone();
    form["basisKey"] = json!(null);
    assert_eq!(admin.put(&format!("{FILING}/edit"), form).await.code(), 200);
    let seen = view().await;
    assert_eq!((&seen["basisKey"], &seen["basisUrl"]), (&json!(null), &json!(null)));
    let told: i64 = server
        .one("select count(*) from school_1.audit_log where entity_type = 'forecast_major' and action = 'update' and changes::text like '%调研报告.pdf%'")
        .await;
    assert_eq!(told, 1, "what was taken away stands in the trail");
    let kept: i64 = server.one("select count(*) from school_1.file_object where owner_type = 'forecast_major'").await;
    assert_eq!(kept, 0, "and is nobody's, for the sweep to take");
}

/// Acceptance 4: 30 of which 4 are switched off and 1 exists.
#[tokio::test]
async fn last_years_filings_begin_this_years() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    majors(&server, &p, 29).await;
    server.run("update school_1.major set enabled = false where code in ('M01', 'M02', 'M03', 'M04')").await;
    server
        .run(&format!(
            "insert into school_1.forecast_major (year, grade_id, major_id, planned_quota, status, filed_on, created_by, updated_by)
             select 2026, {}, id, 100, 'filed', '2025-11-01', 0, 0 from school_1.major",
            p.grade
        ))
        .await;
    server
        .run(&format!("insert into school_1.forecast_major_site select id, {} from school_1.forecast_major", p.site))
        .await;
    admin.post(&format!("{FILING}/save"), filing(&p, 2027)).await.id();
    let wish = json!({ "fromYear": 2026, "toYear": 2027, "gradeId": p.grade });
    let copied = admin.post(&format!("{FILING}/copy"), wish.clone()).await.data().clone();
    assert_eq!((&copied["created"], &copied["skipped"]), (&json!(25), &json!(5)), "{copied}");
    let reasons = copied["reasons"].as_array().expect("reasons");
    assert_eq!(reasons.iter().filter(|reason| reason["msg"] == json!("专业已停用")).count(), 4);
    assert!(reasons.iter().any(|reason| *reason == json!({ "name": "会计学", "msg": "2027年已有该专业" })), "{copied}");
    let drafts: i64 = server
        .one("select count(*) from school_1.forecast_major where year = 2027 and status = 'draft' and filed_on is null")
        .await;
    assert_eq!(drafts, 26);
    let sites: i64 = server
        .one("select count(*) from school_1.forecast_major_site s join school_1.forecast_major f on f.id = s.forecast_major_id and f.year = 2027")
        .await;
    assert_eq!(sites, 26);
    let again = admin.post(&format!("{FILING}/copy"), wish).await.data().clone();
    assert_eq!((&again["created"], &again["skipped"]), (&json!(0), &json!(30)), "{again}");
    assert_eq!(again["reasons"].as_array().map(Vec::len), Some(30));

    // Two copy at once: each filing is made once, and each of the two is told what it made.
    let other = registrar(&server).await;
    let wish = json!({ "fromYear": 2026, "toYear": 2028, "gradeId": p.grade });
    let path = format!("{FILING}/copy");
    let (a, b) = tokio::join!(admin.post(&path, wish.clone()), other.post(&path, wish));
    let sum = |field: &str| a.data()[field].as_i64().zip(b.data()[field].as_i64()).map(|(a, b)| a + b);
    assert_eq!((sum("created"), sum("skipped")), (Some(26), Some(34)), "{} {}", a.body, b.body);
    let sites: i64 = server
        .one("select count(*) from school_1.forecast_major_site s join school_1.forecast_major f on f.id = s.forecast_major_id and f.year = 2028")
        .await;
    assert_eq!(sites, 26);
}

#[tokio::test]
async fn results_come_from_the_ministrys_sheet() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = admin.post(&format!("{FILING}/save"), filing(&p, 2027)).await.id();
    let headings = ["招生年份", "校内专业代码", "结果", "备案号", "备案日期", "说明"];
    let upload = async |rows: &[&[&str]]| {
        let bytes = sheet(&headings, rows);
        admin
            .upload(&format!("{FILING}/result/import"), "file", "结果.xlsx", kit::sheets::XLSX, &bytes)
            .await
            .data()
            .clone()
    };
    let wrong = upload(&[
        &["2027", "KJ", "通过", "", "", ""],
        &["2028", "KJ", "通过", "", "", ""],
        &["2027", "kj", "不通过", "", "", ""],
    ])
    .await;
    assert_eq!(
        row_errors(&wrong),
        [
            "2 结果: 只有已上报的记录可以审核",
            "3 校内专业代码: 2028年的拟招生专业中没有代码“KJ”",
            "4 说明: 不通过时请填写说明",
            "4 结果: 只有已上报的记录可以审核",
            "4 校内专业代码: 与前面的行重复",
        ]
    );
    assert_eq!(step(&admin, "submit", id, json!({})).await["done"], json!(1));
    let right = upload(&[&["2027", "kj", "通过", "鄂2027-1", "2026-11-02", ""]]).await;
    assert_eq!(right["imported"], json!(1), "{right}");
    let filed: String =
        server.one("select status || ' ' || filing_no || ' ' || filed_on from school_1.forecast_major").await;
    assert_eq!(filed, "filed 鄂2027-1 2026-11-02");
}
