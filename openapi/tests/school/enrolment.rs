//! The official recruitment of a grade, its majors, and what sites take on of them (part 02 §4, §5).

use kit::{
    Client, Server, clients,
    cohort::{Cohort, cohort, registrar},
    enrolment::{ENROLMENT, MAJORS, PLAN, batch, file_majors, save_batch, save_major, submitted, turn},
    fields,
    imports::taken_back,
    rows::{majors, students},
    sheets::{XLSX, row_errors, sheet, texts},
    site_staff::STAFF,
};
use poem::http::Method;
use serde_json::{Value, json};

async fn seen(client: &Client<'_>, entity: &str, id: i64) -> Value {
    client.get(&format!("{entity}/view?id={id}")).await.data().clone()
}

async fn site(client: &Client<'_>, code: &str) -> i64 {
    let body = json!({ "code": code, "name": format!("站点{code}"), "kind": "headquarter" });
    client.post("/adult/pc/site/save", body).await.id()
}

async fn import(client: &Client<'_>, entity: &str, batch: i64, headings: &[&str], rows: &[Vec<String>]) -> Value {
    send(client, entity, batch, headings, rows).await.data().clone()
}

async fn send(client: &Client<'_>, entity: &str, batch: i64, headings: &[&str], rows: &[Vec<String>]) -> kit::Answer {
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let bytes = sheet(headings, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let texts = [("batchId", batch.to_string())];
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let path = format!("{entity}/import");
    client.send_file(Method::POST, &path, &texts, ("file", "a.xlsx", XLSX), &bytes).await
}

fn cells(row: &[&str]) -> Vec<String> {
    row.iter().map(|cell| (*cell).to_owned()).collect()
}

/// §4 scenario 1, and the way of a batch.
#[tokio::test]
async fn a_grade_has_one_open_batch() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let mut wrong = batch(&p, "2026-1");
    wrong["reportStartsAt"] = json!("2026-03-02T00:00:00+08:00");
    wrong["reportEndsAt"] = json!("2026-03-01T00:00:00+08:00");
    let refused = admin.post(&format!("{ENROLMENT}/save"), wrong).await;
    assert_eq!(fields(&refused), ["reportEndsAt: 报到结束时间须晚于报到开始时间"]);
    let first = save_batch(&admin, &p, "2026-1").await;
    assert_eq!(seen(&admin, ENROLMENT, first).await["enrolledOn"], json!("2026-03-01"), "the grade's");
    assert_eq!(turn(&admin, first, "open").await.refused(), (409, "该批次还没有招生专业，不能开放"));
    let unfiled = json!({ "batchId": first, "majorId": p.major, "quota": 10, "tuition": 0 });
    assert_eq!(fields(&admin.post(&format!("{MAJORS}/save"), unfiled).await), ["majorId: 该专业本年度未备案"]);
    file_majors(&server, p.grade).await;
    let made = admin.post(&format!("{MAJORS}/fromForecast"), json!({ "batchId": first })).await.data().clone();
    assert_eq!(made, json!({ "created": 1, "skipped": 0 }));
    let listed = admin.post(&format!("{MAJORS}/list"), json!({ "batchId": first })).await.data()["list"][0].clone();
    assert_eq!((&listed["quota"], &listed["tuition"]), (&json!(200), &json!(280_000)), "as they were filed");
    server.run("update school_1.enrollment_major set enabled = false").await;
    assert_eq!(turn(&admin, first, "open").await.refused(), (409, "该批次还没有招生专业，不能开放"), "none is enabled");
    server.run("update school_1.enrollment_major set enabled = true").await;
    assert_eq!(turn(&admin, first, "open").await.code(), 200);
    let second = save_batch(&admin, &p, "2026-2").await;
    admin.post(&format!("{MAJORS}/fromForecast"), json!({ "batchId": second })).await.data();
    let refused = turn(&admin, second, "open").await;
    assert_eq!(refused.refused(), (409, "年级2026级已有进行中的招生批次“2026-1招生”"));
    let refused = admin.delete(&format!("{ENROLMENT}/delete?id={first}")).await;
    assert_eq!(refused.refused(), (409, "“2026-1招生”进行中，只有草稿可以删除"));
    let refused = admin.delete(&format!("{ENROLMENT}/delete?id={second}")).await;
    assert_eq!(refused.refused(), (409, "“2026-2招生”已被引用，不能删除：1个招生专业"));
    assert_eq!(turn(&admin, first, "closed").await.code(), 200);
    assert_eq!(turn(&admin, second, "open").await.code(), 200);
    assert_eq!(turn(&admin, first, "open").await.code(), 409);
    let late = json!({ "batchId": first });
    let refused = admin.post(&format!("{MAJORS}/fromForecast"), late).await;
    assert_eq!(refused.refused(), (409, "招生批次“2026-1招生”已结束，请先重新开放"));
    let filing: i64 = server.one("select id from school_1.forecast_major").await;
    let withdrawn = json!({ "id": filing, "version": 1, "reason": "不招" });
    let refused = admin.put("/adult/pc/forecastingMajor/withdraw", withdrawn).await;
    assert_eq!(refused.refused(), (409, "该专业已在招生批次“2026-2招生”中，不能撤销"));
    let rows = texts(&admin.post(&format!("{ENROLMENT}/export"), json!({ "status": "open" })).await.bytes);
    assert_eq!((rows.len(), rows[1][0].as_str(), rows[1][7].as_str()), (2, "2026-2", "200"));
}

/// §4 scenarios 2 and 6.
#[tokio::test]
async fn majors_come_by_sheet_with_the_codes_of_the_authority() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    majors(&server, &p, 59).await;
    let level = json!({ "code": "GQZ", "name": "高起专", "entryLevel": "high_school_to_associate" });
    let level = admin.post("/adult/pc/arrangement/save", level).await.id();
    server.run(&format!("update school_1.major set level_id = {level} where code = 'M59'")).await;
    file_majors(&server, p.grade).await;
    let batch = save_batch(&admin, &p, "2026-1").await;
    let headings = ["专业代码", "层次", "学习形式", "招办专业代码", "计划数", "学费(元/学年)"];
    let row = |n: usize, code: &str| cells(&[&format!("M{n:02}"), "专升本", "非脱产", code, "40", "2800.00"]);
    let mut rows: Vec<Vec<String>> = (1..=58).map(|n| row(n, &format!("{}", 100 + n))).collect();
    rows.push(cells(&["M59", "GQZ", "非脱产", "101", "30", "2600"]));
    rows.push(cells(&["KJ", "专升本", "非脱产", "101", "30", "2800.005"]));
    let told = import(&admin, MAJORS, batch, &headings, &rows).await;
    assert_eq!(told["imported"], json!(0));
    let errors = row_errors(&told);
    assert!(errors.iter().any(|error| error == "61 招办专业代码: 与第2行招办专业代码重复"), "{errors:?}");
    assert!(errors.iter().any(|error| error.starts_with("61 学费(元/学年)")), "{errors:?}");
    assert_eq!(errors.len(), 2, "the same code below another level is right: {errors:?}");
    rows[59] = cells(&["KJ", "专升本", "非脱产", "160", "30", "2800.00"]);
    assert_eq!(import(&admin, MAJORS, batch, &headings, &rows).await["imported"], json!(60));
    let found = admin.post(&format!("{MAJORS}/list"), json!({ "batchId": batch, "keyword": "KJ" })).await;
    assert_eq!(found.data()["list"][0]["tuition"], json!(280_000));
    // The codes of majors that were generated come by the same sheet.
    let generated = save_batch(&admin, &p, "2026-3").await;
    admin.post(&format!("{MAJORS}/fromForecast"), json!({ "batchId": generated })).await.data();
    let coded = import(&admin, MAJORS, generated, &headings, &rows).await;
    assert_eq!((&coded["imported"], &coded["errors"]), (&json!(60), &json!([])));
    let found = admin.post(&format!("{MAJORS}/list"), json!({ "batchId": generated, "keyword": "KJ" })).await;
    let line = &found.data()["list"][0];
    assert_eq!((&line["authorityCode"], &line["quota"]), (&json!("160"), &json!(30)));
    // A category is that of the major's level; a major that is switched off is not chosen.
    let bare = save_batch(&admin, &p, "2026-4").await;
    let wish =
        |major: i64| json!({ "batchId": bare, "majorId": major, "examCategory": "science", "quota": 1, "tuition": 0 });
    admin.post(&format!("{MAJORS}/save"), wish(p.major)).await.id();
    let found = admin.post(&format!("{MAJORS}/list"), json!({ "batchId": bare })).await;
    assert_eq!(found.data()["list"][0]["examCategory"], json!("engineering"));
    let off: i64 = server.one("update school_1.major set enabled = false where code = 'M01' returning id").await;
    let refused = admin.post(&format!("{MAJORS}/save"), wish(off)).await;
    assert_eq!(fields(&refused), ["majorId: “专业1”已停用，请选择其他项"]);
    server.run("update school_1.major set enabled = true where code = 'M01'").await;
    let copy = json!({ "id": batch, "gradeId": p.grade, "code": "2026-2", "name": "第二批" });
    let copied = admin.post(&format!("{ENROLMENT}/copy"), copy).await.data().clone();
    assert_eq!((&copied["copied"], &copied["skipped"]), (&json!(60), &json!([])));
    // Into the other season go no dates of this one; its exam is in the year of entry.
    server
        .run("update school_1.enrollment_batch set report_starts_at = '2026-03-01', report_ends_at = '2026-04-01'")
        .await;
    let autumn = json!({ "code": "2026B", "entrySeason": "autumn" });
    let autumn = admin.post("/adult/pc/grade/save", autumn).await.id();
    let copy = json!({ "id": batch, "gradeId": autumn, "code": "2026-5", "name": "秋季批" });
    let copied = admin.post(&format!("{ENROLMENT}/copy"), copy).await.data().clone();
    assert_eq!(
        (&copied["copied"], copied["skipped"].as_array().map(Vec::len)),
        (&json!(0), Some(60)),
        "nothing is filed"
    );
    let copy = seen(&admin, ENROLMENT, copied["id"].as_i64().expect("an id")).await;
    assert_eq!((&copy["year"], &copy["reportStartsAt"]), (&json!(2026), &json!(null)), "{copy}");
}

#[tokio::test]
async fn a_batch_says_how_the_file_is_read() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = save_batch(&admin, &p, "2026-1").await;
    let usual = seen(&admin, ENROLMENT, id).await;
    assert!(
        usual["columnMap"].as_array().expect("columns").contains(&json!({ "field": "examinee_no", "column": "KSH" }))
    );
    let map = async |columns: Value, values: Value| {
        let body = json!({ "id": id, "version": 1, "columnMap": columns, "valueMaps": values });
        admin.put(&format!("{ENROLMENT}/mapping"), body).await
    };
    let refused = map(json!([{ "field": "name", "column": "XM" }]), json!([])).await;
    assert_eq!(fields(&refused), ["columnMap: 请填写考生号、性别、出生日期、身份证号、录取专业代码、层次的来源列"]);
    let level = |value: &str| json!([{ "field": "level", "code": "1", "value": value }]);
    let refused = map(usual["columnMap"].clone(), level("999")).await;
    assert_eq!(fields(&refused), ["valueMaps: 所选层次不存在，请重新选择"]);
    assert_eq!(map(usual["columnMap"].clone(), level(&p.level.to_string())).await.code(), 200);
    assert_eq!(map(usual["columnMap"].clone(), json!([])).await.code(), 409, "the version was read before");
    assert_eq!(seen(&admin, ENROLMENT, id).await["valueMaps"], level(&p.level.to_string()));
}

/// §5 scenarios 1 and 2, §4 scenario 3, and what a site was granted stays its own.
#[tokio::test]
async fn what_is_left_of_a_major_is_granted_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    file_majors(&server, p.grade).await;
    let batch = save_batch(&admin, &p, "2026-1").await;
    let major = save_major(&admin, batch, p.major, "101", 120).await;
    let audit = async |client: &Client<'_>, id: i64, lines: Value| {
        let version = seen(client, PLAN, id).await["version"].clone();
        client.post(&format!("{PLAN}/audit"), json!({ "id": id, "version": version, "lines": lines })).await
    };
    for (code, applied) in [("A", 50), ("B", 40)] {
        let plan = submitted(&admin, batch, site(&admin, &format!("ST{code}")).await, major, applied).await;
        assert_eq!(audit(&admin, plan, json!([])).await.code(), 200);
    }
    let third = submitted(&admin, batch, site(&admin, "STC").await, major, 35).await;
    let refused = audit(&admin, third, json!([])).await;
    assert_eq!(refused.refused(), (409, "会计学剩余计划30人，核定35人超出"));
    let line = seen(&admin, PLAN, third).await["lines"][0]["id"].clone();
    assert_eq!(audit(&admin, third, json!([{ "id": line, "quotaApproved": 30 }])).await.code(), 200);
    let left =
        async || admin.post(&format!("{PLAN}/majorSummary"), json!({ "batchId": batch })).await.data()[0].clone();
    let summary = left().await;
    assert_eq!(
        (&summary["quota"], &summary["allocated"], &summary["remaining"]),
        (&json!(120), &json!(120), &json!(0))
    );
    // Lower than what the sites have.
    let edit = |quota: i32, version: i32| json!({ "id": major, "version": version, "majorId": p.major, "authorityCode": "101", "quota": quota, "tuition": 280_000 });
    let refused = admin.put(&format!("{MAJORS}/edit"), edit(100, 1)).await;
    assert_eq!(refused.refused(), (409, "已分配给站点120人，不能低于该数"));
    // Revoked, and asked for by two at once: 30 are left, each wants 20.
    let version = seen(&admin, PLAN, third).await["version"].clone();
    admin.post(&format!("{PLAN}/revoke"), json!({ "id": third, "version": version })).await.id();
    assert_eq!(left().await["remaining"], json!(30));
    let c = submitted(&admin, batch, site(&admin, "STD").await, major, 20).await;
    let d = submitted(&admin, batch, site(&admin, "STE").await, major, 20).await;
    let (one, other) = tokio::join!(audit(&admin, c, json!([])), audit(&admin, d, json!([])));
    let mut told = [(one.code(), one.msg().to_owned()), (other.code(), other.msg().to_owned())];
    told.sort();
    assert_eq!(told[0].0, 200);
    assert_eq!(told[1], (409, "会计学剩余计划10人，核定20人超出".to_owned()));
    let refused = admin.delete(&format!("{MAJORS}/delete?id={major}")).await;
    assert_eq!(refused.refused(), (409, "“会计学”已被引用，不能删除：5个站点的招生计划"));
    let filing: i64 = server.one("select id from school_1.forecast_major").await;
    let withdrawn = json!({ "id": filing, "version": 1, "reason": "不招" });
    let refused = admin.put("/adult/pc/forecastingMajor/withdraw", withdrawn).await;
    assert_eq!(refused.refused(), (409, "该专业已编制5个站点的招生计划，不能撤销"));
}

/// The way of a plan, the capacity of its site, and the sites that somebody may see.
#[tokio::test]
async fn a_plan_goes_its_way_within_its_site() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    file_majors(&server, p.grade).await;
    let batch = save_batch(&admin, &p, "2026-1").await;
    let major = save_major(&admin, batch, p.major, "101", 120).await;
    server.run(&format!("update school_1.site set capacity = 100 where id = {}", p.site)).await;
    students(&server, &p, p.site, None, 1, 60).await;
    let plan = submitted(&admin, batch, p.site, major, 50).await;
    let form =
        |lines: Value| json!({ "batchId": batch, "siteId": p.site, "contactPhone": "027-87654321", "lines": lines });
    let again =
        admin.post(&format!("{PLAN}/save"), form(json!([{ "enrollmentMajorId": major, "quotaApplied": 5 }]))).await;
    assert_eq!(fields(&again), ["siteId: 该站点在本批次已有申报"]);
    let step = |version: i32| json!({ "id": plan, "version": version });
    let refused = admin.post(&format!("{PLAN}/reject"), step(2)).await;
    assert_eq!(fields(&refused), ["remark: 请填写原因"]);
    let mut edit = form(json!([{ "enrollmentMajorId": major, "quotaApplied": 60 }]));
    (edit["id"], edit["version"]) = (json!(plan), json!(2));
    assert_eq!(
        admin.put(&format!("{PLAN}/edit"), edit.clone()).await.refused(),
        (409, "已提交的申报不能修改，请先退回")
    );
    let mut back = step(2);
    back["remark"] = json!("人数过多");
    admin.post(&format!("{PLAN}/reject"), back).await.id();
    let refused = admin.post(&format!("{PLAN}/submit"), step(3)).await;
    assert_eq!(refused.refused(), (409, "退回的申报请先修改，再提交"));
    edit["version"] = json!(3);
    admin.put(&format!("{PLAN}/edit"), edit).await.id();
    admin.post(&format!("{PLAN}/submit"), step(4)).await.id();
    let told = admin.post(&format!("{PLAN}/audit"), step(5)).await.data().clone();
    assert_eq!(told["warnings"], json!(["超出站点容量20人"]), "60 students and 60 more of 100");
    let refused = admin.delete(&format!("{PLAN}/delete?id={plan}")).await;
    assert_eq!(refused.refused(), (409, "“城东教学点”的申报为已核定，只有草稿可以删除"));
    assert_ne!(seen(&admin, PLAN, plan).await["contactPhone"], json!("027-87654321"), "masked");
    let far = site(&admin, "FAR").await;
    let other = submitted(&admin, batch, far, major, 10).await;
    let codes =
        ["list", "view", "export", "save", "edit", "audit"].map(|code| format!("adult:pc:siteEnrollment:{code}"));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[far]).await;
    let list = narrow.post(&format!("{PLAN}/list"), json!({})).await.data().clone();
    assert_eq!((&list["totalCount"], &list["list"][0]["id"]), (&json!(1), &json!(other)));
    assert_eq!(narrow.get(&format!("{PLAN}/view?id={plan}")).await.code(), 404);
    assert_eq!(narrow.get(&format!("{PLAN}/view?id={other}")).await.data()["lines"][0]["remaining"], json!(null));
    assert_eq!(texts(&narrow.post(&format!("{PLAN}/export"), json!({})).await.bytes).len(), 2);
    let line = json!([{ "enrollmentMajorId": major, "quotaApplied": 5 }]);
    assert_eq!(fields(&narrow.post(&format!("{PLAN}/save"), form(line)).await), ["siteId: 无权操作该数据"]);
    let items = json!({ "items": [{ "id": other, "version": 2 }, { "id": plan, "version": 6 }] });
    let reviewed = admin.post(&format!("{PLAN}/batchReview"), items).await.data().clone();
    assert_eq!((&reviewed["done"], &reviewed["failed"][0]["name"]), (&json!(1), &json!("城东教学点")), "{reviewed}");
    // What other sites leave of a major is not in the trail, which the site reads too.
    let trail: i64 = server
        .one("select count(*) from school_1.audit_log where entity_type = 'site_enrollment' and changes::text ~ '\"remaining\": *[0-9]'")
        .await;
    assert_eq!(trail, 0);
}

/// A sheet reaches no site beyond the scope, and tells what deserves a second look.
#[tokio::test]
async fn a_sheet_of_plans_stays_within_the_scope() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    file_majors(&server, p.grade).await;
    let batch = save_batch(&admin, &p, "2026-1").await;
    let major = save_major(&admin, batch, p.major, "101", 120).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let headings = ["站点编码", "层次", "专业代码", "学习形式", "核定人数"];
    let rows = [cells(&["CD", "专升本", "KJ", "非脱产", "60"])];
    let of_class = server.staff_within(1, &["adult:pc:siteEnrollment:import"], "named_classes", &[class]).await;
    let refused = send(&of_class, PLAN, batch, &headings, &rows).await;
    let told = "您只能管理已分配的站点或班级，“导入站点招生”请由数据范围为全校的人员办理";
    assert_eq!(refused.refused(), (403, told), "a sheet grants what is left for all sites");
    server.run(&format!("update school_1.site set capacity = 50 where id = {}", p.site)).await;
    let told = import(&admin, PLAN, batch, &headings, &rows).await;
    assert_eq!((&told["imported"], &told["errors"]), (&json!(1), &json!([])));
    assert_eq!(told["warnings"][0]["message"], json!("“城东教学点”超出站点容量10人"));
    // Together with others the same is told, with the name of the site.
    let near = site(&admin, "NEAR").await;
    server.run(&format!("update school_1.site set capacity = 5 where id = {near}")).await;
    let plan = submitted(&admin, batch, near, major, 10).await;
    let items = json!({ "items": [{ "id": plan, "version": 2 }] });
    let reviewed = admin.post(&format!("{PLAN}/batchReview"), items).await.data().clone();
    assert_eq!((&reviewed["done"], &reviewed["warnings"]), (&json!(1), &json!(["“站点NEAR”超出站点容量5人"])));
    // A major that is switched off is granted to nobody any more.
    let far = submitted(&admin, batch, site(&admin, "FAR").await, major, 10).await;
    server.run("update school_1.enrollment_major set enabled = false").await;
    let refused = admin.post(&format!("{PLAN}/audit"), json!({ "id": far, "version": 2, "lines": [] })).await;
    assert_eq!(refused.refused(), (409, "会计学已停用，不能核定人数"));
}

/// §5 scenario 5: 2,000 lines, three majors over their quota.
#[tokio::test]
async fn a_sheet_of_plans_holds_the_quotas() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    majors(&server, &p, 20).await;
    server
        .run(
            "insert into school_1.site (code, name, kind, initials, created_by, updated_by)
             select 'Z' || lpad(n::text, 3, '0'), '站' || n, 'headquarter', '', 0, 0 from generate_series(1, 100) n",
        )
        .await;
    file_majors(&server, p.grade).await;
    let batch = save_batch(&admin, &p, "2026-1").await;
    admin.post(&format!("{MAJORS}/fromForecast"), json!({ "batchId": batch })).await.data();
    let headings = ["站点编码", "层次", "专业代码", "学习形式", "核定人数"];
    let rows = |over: &[usize]| -> Vec<Vec<String>> {
        let number = |major: usize| if over.contains(&major) { "3" } else { "2" };
        let row = |site: usize, major: usize| {
            cells(&[&format!("Z{site:03}"), "专升本", &format!("M{major:02}"), "非脱产", number(major)])
        };
        (1..=100).flat_map(|site| (1..=20).map(move |major| row(site, major)).collect::<Vec<_>>()).collect()
    };
    let told = import(&admin, PLAN, batch, &headings, &rows(&[3, 7, 20])).await;
    let errors = row_errors(&told);
    assert_eq!((errors.len(), &told["imported"]), (3, &json!(0)), "{errors:?}");
    assert!(errors[0].ends_with("核定人数: 专业3剩余计划2人，核定3人超出"), "{errors:?}");
    let written: i64 = server.one("select count(*) from school_1.site_enrollment").await;
    assert_eq!(written, 0);
    let all = rows(&[]);
    assert_eq!(import(&admin, PLAN, batch, &headings, &all).await["imported"], json!(2000));
    // The same again in place of what was there; then one more than is left.
    assert_eq!(import(&admin, PLAN, batch, &headings, &all[..20]).await["imported"], json!(20));
    let mut more = all[0].clone();
    more[4] = "3".to_owned();
    let told = import(&admin, PLAN, batch, &headings, &[more]).await;
    assert_eq!(row_errors(&told), ["2 核定人数: 专业1剩余计划2人，核定3人超出"]);
}

/// §5 scenario 3, in the client of the site.
#[tokio::test]
async fn a_site_declares_in_time() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p: Cohort = cohort(&admin).await;
    file_majors(&server, p.grade).await;
    let batch = save_batch(&admin, &p, "2026-1").await;
    let major = save_major(&admin, batch, p.major, "101", 120).await;
    assert_eq!(turn(&admin, batch, "open").await.code(), 200);
    let person = json!({ "siteId": p.site, "name": "刘站长", "phone": "13600000001", "duty": "principal", "idCardNo": "429900199603150216" });
    admin.post(&format!("{STAFF}/save"), person).await.id();
    let client = clients::entered(&server, "13600000001", "Aa@150216", "site_staff").await;
    let own = "/user/client/siteEnrollment";
    let view = client.get(&format!("{own}/view")).await.data().clone();
    assert_eq!((&view["open"], &view["plan"]), (&json!(true), &json!(null)));
    let form = |request: &str| json!({ "requestId": request, "batchId": batch, "lines": [{ "enrollmentMajorId": major, "quotaApplied": 30 }] });
    let (save, submit) = (format!("{own}/save"), format!("{own}/submit"));
    let id = client.post(&save, form("r-1")).await.id();
    // The answer was lost, and the telephone sends the same again.
    assert_eq!(again(&client, &save, &form("r-1")).await, json!({ "id": id }));
    let refused = client.post(&save, form("r-2")).await;
    assert_eq!(fields(&refused), ["version: 本站点已有申报，请刷新后修改"]);
    let mut other = form("r-1");
    other["contactName"] = json!("刘站长");
    assert_eq!(client.post(&save, other).await.refused(), (409, "请求编号已被使用"));
    server.run("update school_1.enrollment_batch set site_apply_ends_at = now()").await;
    let step = json!({ "requestId": "r-3", "id": id, "version": 1 });
    assert_eq!(client.post(&submit, step.clone()).await.refused(), (409, "申报已截止"));
    server.run("update school_1.enrollment_batch set site_apply_ends_at = null").await;
    assert_eq!(client.post(&submit, step.clone()).await.id(), id);
    assert_eq!(again(&client, &submit, &step).await, json!({ "id": id }));
    assert_eq!(seen(&admin, PLAN, id).await["status"], json!("submitted"));
    // The number of another operation is none for this one, and a day later it is nobody's.
    assert_eq!(client.post(&save, form("r-3")).await.refused(), (409, "请求编号已被使用"));
    server.run("update school_1.client_request set created_at = created_at - interval '25 hours'").await;
    let late = client.unlooked(Method::POST, &submit, Some(&step)).await;
    assert_eq!(late.refused(), (409, "当前状态为待审核，不能提交"));
}

/// The answer to a call that was answered before, which leaves no row of the trail.
async fn again(client: &Client<'_>, path: &str, body: &Value) -> Value {
    client.unlooked(Method::POST, path, Some(body)).await.data().clone()
}

/// A sheet may take from one site what it gives to another, however far its rows stand apart.
#[tokio::test]
async fn a_sheet_of_plans_moves_a_quota_upward() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    majors(&server, &p, 20).await;
    server
        .run(
            "insert into school_1.site (code, name, kind, initials, created_by, updated_by)
             select 'Z' || lpad(n::text, 3, '0'), '站' || n, 'headquarter', '', 0, 0 from generate_series(1, 100) n",
        )
        .await;
    file_majors(&server, p.grade).await;
    let batch = save_batch(&admin, &p, "2026-1").await;
    admin.post(&format!("{MAJORS}/fromForecast"), json!({ "batchId": batch })).await.data();
    let headings = ["站点编码", "层次", "专业代码", "学习形式", "核定人数"];
    let row =
        |site: usize, major: usize| cells(&[&format!("Z{site:03}"), "专升本", &format!("M{major:02}"), "非脱产", "2"]);
    let mut rows: Vec<Vec<String>> =
        (1..=100).flat_map(|site| (1..=20).map(|major| row(site, major)).collect::<Vec<_>>()).collect();
    let first = import(&admin, PLAN, batch, &headings, &rows).await;
    assert_eq!((&first["imported"], first["differences"].as_array().map(Vec::len)), (&json!(2000), Some(2000)));
    // The first of 2,000 rows takes one of the first major more; the 1,981st leaves it.
    rows[0][4] = "3".to_owned();
    rows[1_980][4] = "1".to_owned();
    let told = import(&admin, PLAN, batch, &headings, &rows).await;
    assert_eq!((&told["imported"], &told["errors"]), (&json!(2000), &json!([])));
    let line = |row: u32, name: &str, after: &str| json!({ "row": row, "name": name, "column": "核定人数", "before": "2", "after": after });
    assert_eq!(told["differences"], json!([line(2, "站1 专业1", "3"), line(1_982, "站100 专业1", "1")]));
    let granted: Vec<i32> = server
        .one(
            "select array_agg(n.quota_approved order by s.code) from school_1.site_enrollment_line n
             join school_1.site_enrollment p on p.id = n.site_enrollment_id join school_1.site s on s.id = p.site_id
             join school_1.enrollment_major e on e.id = n.enrollment_major_id join school_1.major m on m.id = e.major_id
             where m.code = 'M01' and s.code in ('Z001', 'Z002', 'Z100')",
        )
        .await;
    assert_eq!(granted, [3, 2, 1]);
    // One more than is left is told at the row that asks for it, wherever it stands.
    rows[1_980][4] = "2".to_owned();
    let told = import(&admin, PLAN, batch, &headings, &rows).await;
    assert_eq!(row_errors(&told), ["1982 核定人数: 专业1剩余计划1人，核定2人超出"]);
}

/// A sheet leaves what its empty cells do not say, tells how it differs, and may exchange the codes of the authority.
#[tokio::test]
async fn a_sheet_of_majors_overwrites_what_it_says() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    majors(&server, &p, 3).await;
    file_majors(&server, p.grade).await;
    let batch = save_batch(&admin, &p, "2026-1").await;
    let headings = ["专业代码", "层次", "学习形式", "招办专业代码", "招办专业名称", "科类", "计划数", "学费(元/学年)"];
    let row = |major: &str, code: &str, name: &str, category: &str, quota: &str| {
        cells(&[major, "专升本", "非脱产", code, name, category, quota, "2800.00"])
    };
    let rows = [row("M01", "101", "会计", "经济管理类", "40"), row("M02", "102", "", "", "30")];
    let told = import(&admin, MAJORS, batch, &headings, &rows).await;
    let new = |row: u32, name: &str| json!({ "row": row, "name": name, "column": "", "before": "", "after": "" });
    assert_eq!(told["differences"], json!([new(2, "M01 专业1"), new(3, "M02 专业2")]), "{told}");
    // The codes change places, one quota changes, and name and category are left empty.
    let rows = [row("M01", "102", "", "", "45"), row("M02", "101", "", "", "30")];
    let told = import(&admin, MAJORS, batch, &headings, &rows).await;
    assert_eq!((&told["imported"], &told["errors"]), (&json!(2), &json!([])));
    let line = |row: u32, name: &str, column: &str, before: &str, after: &str| json!({ "row": row, "name": name, "column": column, "before": before, "after": after });
    assert_eq!(
        told["differences"],
        json!([
            line(2, "M01 专业1", "招办专业代码", "101", "102"),
            line(2, "M01 专业1", "计划数", "40", "45"),
            line(3, "M02 专业2", "招办专业代码", "102", "101"),
        ])
    );
    let stored = async || {
        server
            .one::<Vec<String>>(
                "select array_agg(concat_ws(' ', e.authority_code, e.authority_name, e.exam_category, e.quota) order by m.code)
                 from school_1.enrollment_major e join school_1.major m on m.id = e.major_id",
            )
            .await
    };
    assert_eq!(stored().await, ["102 会计 economics 45", "101 30"]);
    // A code that another major keeps is taken.
    let told = import(&admin, MAJORS, batch, &headings, &[row("M03", "101", "", "", "10")]).await;
    assert_eq!(row_errors(&told), ["2 招办专业代码: 招办专业代码“101”在该层次已存在"]);
    assert_eq!(stored().await, ["102 会计 economics 45", "101 30"], "nothing is written");
}

/// Majors that come together stand in the trail each; what it keeps of a major tells nothing of sites.
#[tokio::test]
async fn majors_that_come_together_stand_in_the_trail() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    majors(&server, &p, 2).await;
    file_majors(&server, p.grade).await;
    let batch = save_batch(&admin, &p, "2026-1").await;
    let major = save_major(&admin, batch, p.major, "101", 120).await;
    admin.post(&format!("{MAJORS}/fromForecast"), json!({ "batchId": batch })).await.data();
    let copy = json!({ "id": batch, "gradeId": p.grade, "code": "2026-2", "name": "第二批" });
    let copied = admin.post(&format!("{ENROLMENT}/copy"), copy).await;
    assert_eq!(copied.data()["copied"], json!(3), "{}", copied.body);
    let trail = "select count(*) from school_1.enrollment_major e where exists (
                     select from school_1.audit_log a where a.entity_type = 'enrollment_major' and a.entity_id = e.id
                       and a.action = 'insert' and a.changes::text like '%\"field\": \"majorId\"%'
                       and a.changes::text like '%\"field\": \"tuition\"%')";
    assert_eq!(server.one::<i64>(trail).await, 6, "3 of the first batch and 3 of its copy");
    let copied = copied.id();
    let own = admin.post(&format!("{MAJORS}/list"), json!({ "batchId": copied, "keyword": "101" })).await;
    let own = own.data()["list"][0]["id"].as_i64().expect("the major of the copy");
    // Whoever sees some sites reads the history of a major: it tells what was typed, and no figure over sites.
    let plan = submitted(&admin, batch, p.site, major, 50).await;
    admin.post(&format!("{PLAN}/audit"), json!({ "id": plan, "version": 2, "lines": [] })).await.data();
    let edit = json!({ "id": major, "version": 1, "majorId": p.major, "authorityCode": "101", "quota": 130, "tuition": 280_000 });
    admin.put(&format!("{MAJORS}/edit"), edit).await.id();
    admin.delete(&format!("{MAJORS}/delete?id={own}")).await.data();
    let narrow = server.staff_within(1, &["adult:pc:enrollment:view"], "named_sites", &[p.site]).await;
    for id in [major, own] {
        let look = json!({ "entityType": "enrollment_major", "entityId": id });
        let history = narrow.post("/data/pc/sys/log/record", look).await.data().clone();
        let fields: Vec<&str> = history["list"]
            .as_array()
            .expect("rows")
            .iter()
            .flat_map(|row| row["fields"].as_array().expect("fields"))
            .filter_map(|field| field["field"].as_str())
            .collect();
        assert!(fields.contains(&"quota"), "{history}");
        assert!(!fields.contains(&"allocated"), "{history}");
    }
}

/// Codes and quotas that a sheet moved come back, whoever has them; what somebody changed since stays and is told.
#[tokio::test]
async fn sheets_of_majors_and_plans_go_back() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    majors(&server, &p, 3).await;
    file_majors(&server, p.grade).await;
    let batch = save_batch(&admin, &p, "2026-1").await;
    let headings = ["专业代码", "层次", "学习形式", "招办专业代码", "计划数", "学费(元/学年)"];
    let row = |major: &str, code: &str, quota: &str| cells(&[major, "专升本", "非脱产", code, quota, "2800.00"]);
    import(&admin, MAJORS, batch, &headings, &[row("M01", "101", "40"), row("M02", "102", "30")]).await;
    let exchanged = [row("M01", "102", "45"), row("M02", "101", "30"), row("M03", "103", "10")];
    assert_eq!(import(&admin, MAJORS, batch, &headings, &exchanged).await["imported"], json!(3));
    let stored = async || {
        server
            .one::<Vec<String>>(
                "select array_agg(concat_ws(' ', e.authority_code, e.quota) order by m.code)
                 from school_1.enrollment_major e join school_1.major m on m.id = e.major_id where m.code like 'M%'",
            )
            .await
    };
    assert_eq!(stored().await, ["102 45", "101 30", "103 10"]);
    let told = |message: &str, stays: &[&str]| {
        let stays: Vec<String> = stays.iter().map(|one| (*one).to_owned()).collect();
        (message.to_owned(), stays)
    };
    // The second lost its code, then got another: both are told.
    assert_eq!(taken_back(&admin, "招生专业").await, told("共4条，已撤销4条", &[]));
    assert_eq!(stored().await, ["101 40", "102 30"]);
    let listed = admin.post(&format!("{MAJORS}/list"), json!({ "batchId": batch, "keyword": "M01" })).await;
    let mut edit = listed.data()["list"][0].clone();
    edit["quota"] = json!(50);
    let fields = ["id", "version", "majorId", "authorityCode", "quota", "tuition"];
    let edit: Value = fields.into_iter().map(|field| (field.to_owned(), edit[field].clone())).collect();
    admin.put(&format!("{MAJORS}/edit"), edit).await.id();
    let kept = told("共2条，已撤销1条，1条保留", &["专业1: 导入后已被教务员"]);
    assert_eq!(taken_back(&admin, "招生专业").await, kept);
    assert_eq!(stored().await, ["101 50"]);

    save_major(&admin, batch, p.major, "104", 70).await;
    let near = site(&admin, "NEAR").await;
    let headings = ["站点编码", "层次", "专业代码", "学习形式", "核定人数"];
    let plans = async |cd: &str, of_near: &str| {
        let row = |site: &str, people: &str| cells(&[site, "专升本", "KJ", "非脱产", people]);
        import(&admin, PLAN, batch, &headings, &[row("CD", cd), row("NEAR", of_near)]).await["imported"].clone()
    };
    // All of the major is granted; then one site has what the other gives.
    assert_eq!((plans("40", "30").await, plans("50", "20").await), (json!(2), json!(2)));
    let granted = "select array_agg(n.quota_approved order by p.id) from school_1.site_enrollment_line n
                   join school_1.site_enrollment p on p.id = n.site_enrollment_id";
    assert_eq!(server.one::<Vec<i32>>(granted).await, [50, 20]);
    assert_eq!(taken_back(&admin, "站点招生计划").await, told("共2条，已撤销2条", &[]));
    assert_eq!(server.one::<Vec<i32>>(granted).await, [40, 30]);
    let id: i64 = server.one(&format!("select id from school_1.site_enrollment where site_id = {near}")).await;
    let version = seen(&admin, PLAN, id).await["version"].clone();
    admin.post(&format!("{PLAN}/revoke"), json!({ "id": id, "version": version })).await.id();
    let kept = told("共2条，已撤销1条，1条保留", &["站点NEAR: 导入后已被教务员"]);
    assert_eq!(taken_back(&admin, "站点招生计划").await, kept);
    assert_eq!(server.one::<i64>("select count(*) from school_1.site_enrollment").await, 1);
}
