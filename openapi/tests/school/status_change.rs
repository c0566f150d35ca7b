//! Changes of students' status: the scenarios of part 02 §10 with their worked numbers, scope and stale versions.

use std::collections::BTreeMap;

use chrono::{Days, Months};
use infra::schedule::{Schedule, When};
use kit::{
    Client, Server,
    accounts::all_school_codes,
    cohort::{Cohort, cohort, registrar},
    enrolment::{PLAN, file_majors, save_batch, save_major, submitted, turn},
    fields,
    imports::undone,
    rows::{grade, majors, setting, students},
    sheets::{import, row_errors, texts},
    status_change::{BATCH, CHANGE, ask, batch_of, change, open_batch, seen, step},
    students::{ROLL, save, student},
};
use serde_json::{Value, json};

/// Somebody with every code but the one that waives the window and 科类.
async fn clerk(server: &Server) -> Client<'_> {
    let codes = all_school_codes();
    let codes: Vec<&str> =
        codes.iter().map(String::as_str).filter(|code| *code != "adult:pc:change:changeStatus").collect();
    server.staff(1, &codes).await
}

async fn of_student(client: &Client<'_>, id: i64) -> Value {
    client.get(&format!("{ROLL}/view?id={id}")).await.data().clone()
}

async fn site(client: &Client<'_>, code: &str, name: &str) -> i64 {
    client.post("/adult/pc/site/save", json!({ "code": code, "name": name, "kind": "headquarter" })).await.id()
}

async fn class(client: &Client<'_>, p: &Cohort, code: &str, more: Value) -> i64 {
    let mut body = p.class(code);
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    client.post("/adult/pc/class/save", body).await.id()
}

/// The kinds of a student's history, oldest first.
async fn history(client: &Client<'_>, id: i64) -> Vec<Value> {
    client.get(&format!("{ROLL}/history?id={id}")).await.data().as_array().expect("rows").clone()
}

/// A second major of the cohort's level; both are recruited by the grade, in different 科类.
async fn recruited(server: &Server, admin: &Client<'_>, p: &Cohort) -> i64 {
    majors(server, p, 1).await;
    let other: i64 = server.one("select id from school_1.major where code = 'M01'").await;
    file_majors(server, p.grade).await;
    let batch = save_batch(admin, p, "ZS-1").await;
    for (major, code) in [(p.major, "101"), (other, "102")] {
        save_major(admin, batch, major, code, 100).await;
    }
    assert_eq!(turn(admin, batch, "open").await.code(), 200);
    let category = |major: i64, category: &str| {
        format!("update school_1.enrollment_major set exam_category = '{category}' where major_id = {major}")
    };
    server.run(&category(p.major, "economics")).await;
    server.run(&category(other, "engineering")).await;
    other
}

/// Scenario 1: a deadline is nobody's to override; the window and 科类 are.
#[tokio::test]
async fn a_major_is_changed_once_and_in_time() {
    let server = Server::start().await;
    let (admin, clerk) = (registrar(&server).await, clerk(&server).await);
    let p = cohort(&admin).await;
    let other = recruited(&server, &admin, &p).await;
    let id = save(&admin, student(&p, 1)).await;
    let today = server.app.clock().today();
    let entered = async |months: u32| {
        let on = today.checked_sub_months(Months::new(months)).expect("a day");
        server.run(&format!("update school_1.student set enrolled_on = '{on}' where id = {id}")).await;
    };
    let wanted = || json!({ "after": { "majorId": other } });
    entered(13).await;
    let refused = ask(&clerk, id, "professional", wanted()).await;
    assert_eq!(
        refused.refused(),
        (409, "当前不在异动受理时间；科类不同（经济管理类、理工类），不能转专业；入学超过12个月，不能转专业")
    );
    assert_eq!(ask(&admin, id, "professional", wanted()).await.refused(), (409, "入学超过12个月，不能转专业"));
    setting(&server, "professionalDeadlineMonths", &json!(14)).await;
    assert_eq!(
        ask(&clerk, id, "professional", wanted()).await.refused(),
        (409, "当前不在异动受理时间；科类不同（经济管理类、理工类），不能转专业")
    );
    entered(3).await;
    open_batch(&admin).await;
    assert_eq!(
        ask(&clerk, id, "professional", wanted()).await.refused(),
        (409, "科类不同（经济管理类、理工类），不能转专业")
    );
    for (target, why) in [
        (json!({}), "after.majorId: 请选择目标专业"),
        (json!({ "majorId": other + 1_000 }), "after.majorId: 所选专业不存在，请重新选择"),
    ] {
        assert_eq!(fields(&ask(&admin, id, "professional", json!({ "after": target })).await), [why]);
    }
    let same = ask(&admin, id, "professional", json!({ "after": { "majorId": p.major } })).await;
    assert_eq!(same.refused(), (409, "目标专业与原专业相同"));
    server.run(&format!("update school_1.enrollment_major set enabled = false where major_id = {other}")).await;
    let closed = ask(&admin, id, "professional", wanted()).await;
    assert_eq!(closed.refused(), (409, "专业“专业1”不在该生年级的招生批次中"));
    server.run(&format!("update school_1.enrollment_major set enabled = true where major_id = {other}")).await;
    // Whoever may waive 科类 asks, and somebody who may not decides.
    let asked = ask(&admin, id, "professional", wanted()).await.id();
    let page = seen(&clerk, asked).await;
    assert_eq!((&page["status"], &page["waived"]), (&json!("pending_school"), &json!(true)));
    assert_eq!(page["afterNames"]["majorName"], json!("专业1"));
    assert_eq!(step(&clerk, "audit", asked, json!({})).await.id(), asked);
    let page = seen(&clerk, asked).await;
    assert_eq!((&page["status"], &page["effectiveOn"]), (&json!("executed"), &json!(today)));
    let stages: Vec<&Value> = page["steps"].as_array().expect("steps").iter().map(|step| &step["step"]).collect();
    assert_eq!(stages, ["submit", "school", "execute"]);
    let now = of_student(&admin, id).await;
    assert_eq!((&now["majorId"], &now["status"]), (&json!(other), &json!("registered")));
    let told = history(&admin, id).await.last().expect("a row").clone();
    assert_eq!((&told["kind"], &told["before"]["majorId"]), (&json!("professional"), &json!(p.major)));
    assert_eq!((&told["after"]["majorId"], &told["before"]["classId"]), (&json!(other), &json!(null)), "what differs");
    assert_eq!(told["reason"], json!("本人申请，材料齐全"));
    let again = ask(&admin, id, "professional", json!({ "after": { "majorId": p.major } })).await;
    assert_eq!(again.refused(), (409, "该生已转过专业，只能转一次"));
}

/// Scenario 2: pairs of levels; dates follow the years of the new level (§9.3).
#[tokio::test]
async fn a_level_is_changed_along_the_pairs_of_the_setting() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    let level = async |code: &str, name: &str, entry: &str| {
        let body = json!({ "code": code, "name": name, "entryLevel": entry });
        admin.post("/adult/pc/arrangement/save", body).await.id()
    };
    let (associate, bachelor) = (
        level("GQZ", "高起专", "high_school_to_associate").await,
        level("GQB", "高起本", "high_school_to_bachelor").await,
    );
    let found = admin.post("/adult/pc/nationalMajor/list", json!({ "keyword": "530302" })).await;
    let national = found.data()["list"][0]["id"].clone();
    let major = async |code: &str, national: Value, level: i64| {
        let body = json!({ "code": code, "name": format!("会计{code}"), "nationalMajorId": national, "levelId": level, "totalCredits": 96 });
        admin.post("/adult/pc/major/save", body).await.id()
    };
    let (zk, bk) = (major("ZK", national, associate).await, major("BK", json!(p.national), bachelor).await);
    let placed = |n: usize, level: i64, major: i64, years: f64| {
        let mut body = student(&p, n);
        (body["levelId"], body["majorId"], body["schoolingYears"]) = (json!(level), json!(major), json!(years));
        body
    };
    let low = save(&admin, placed(1, associate, zk, 2.5)).await;
    let high = save(&admin, placed(2, bachelor, bk, 5.0)).await;
    let up = ask(&admin, low, "hierarchical", json!({ "after": { "levelId": p.level, "majorId": p.major } })).await;
    assert_eq!(up.refused(), (409, "不允许由高起专转为专升本"));
    let wrong = json!({ "after": { "levelId": p.level, "majorId": zk } });
    assert_eq!(ask(&admin, high, "hierarchical", wrong).await.refused(), (409, "专业“会计ZK”不属于层次“专升本”"));
    let before = of_student(&admin, high).await;
    assert_eq!(
        (&before["expectedGraduationOn"], &before["maxStudyEndOn"]),
        (&json!("2031-01-10"), &json!("2034-02-28"))
    );
    let down = json!({ "studentId": high, "type": "hierarchical", "after": { "levelId": associate, "majorId": zk } });
    let look = admin.post(&format!("{CHANGE}/check"), down).await.data().clone();
    assert_eq!((&look["ok"], &look["reasons"]), (&json!(true), &json!([])));
    assert_eq!(look["preview"]["expectedGraduationOn"], json!("2028-07-10"));
    let asked =
        ask(&admin, high, "hierarchical", json!({ "after": { "levelId": associate, "majorId": zk } })).await.id();
    assert_eq!(step(&admin, "audit", asked, json!({})).await.id(), asked);
    let now = of_student(&admin, high).await;
    assert_eq!(
        (&now["levelId"], &now["majorId"], &now["schoolingYears"]),
        (&json!(associate), &json!(zk), &json!(2.5))
    );
    assert_eq!((&now["expectedGraduationOn"], &now["maxStudyEndOn"]), (&json!("2028-07-10"), &json!("2031-02-28")));
    // Taken back, all of it is as it was.
    assert_eq!(step(&admin, "revoke", asked, json!({})).await.id(), asked);
    let back = of_student(&admin, high).await;
    for field in ["levelId", "majorId", "schoolingYears", "expectedGraduationOn", "maxStudyEndOn"] {
        assert_eq!(back[field], before[field], "{field}");
    }
    let kinds: Vec<Value> = history(&admin, high).await.iter().map(|row| row["kind"].clone()).collect();
    assert_eq!(kinds, ["enrol", "hierarchical", "revoke"]);
}

/// Scenario 3: the site agrees, the receiving one has nothing, then refuses, then takes the student.
#[tokio::test]
async fn another_site_is_asked_too() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let far = site(&admin, "CX", "城西教学点").await;
    let body = batch_of("YD-1", "转站点", &["class_change"]);
    admin.post(&format!("{BATCH}/save"), body).await.id();
    let id = save(&admin, student(&p, 1)).await;
    let wanted = || json!({ "after": { "siteId": far } });
    let refused = ask(&admin, id, "class_change", wanted()).await;
    assert_eq!(refused.refused(), (409, "站点“城西教学点”没有该专业的招生计划和班级，不能转入"));
    file_majors(&server, p.grade).await;
    let batch = save_batch(&admin, &p, "ZS-1").await;
    let offered = save_major(&admin, batch, p.major, "101", 100).await;
    turn(&admin, batch, "open").await;
    let plan = submitted(&admin, batch, far, offered, 10).await;
    admin.post(&format!("{PLAN}/audit"), json!({ "id": plan, "version": 2, "lines": [] })).await.data();
    let codes =
        ["list", "view", "siteReview", "acceptReview", "audit", "edit"].map(|code| format!("adult:pc:change:{code}"));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let here = server.staff_within(1, &codes, "named_sites", &[p.site]).await;
    let there = server.staff_within(1, &codes, "named_sites", &[far]).await;
    let count = async |client: &Client<'_>, filter: Value| {
        client.post(&format!("{CHANGE}/list"), filter).await.data()["totalCount"].clone()
    };
    let asked = ask(&admin, id, "class_change", wanted()).await.id();
    let page = seen(&here, asked).await;
    assert_eq!((&page["status"], &page["before"]["siteId"]), (&json!("pending_site"), &json!(p.site)));
    assert_eq!((&page["afterNames"]["siteName"], &page["after"]["siteId"]), (&json!("城西教学点"), &json!(far)));
    assert_eq!(count(&there, json!({})).await, json!(0), "nothing has come to it yet");
    let early = json!({ "id": asked, "version": 1, "result": "pass" });
    assert_eq!(there.post(&format!("{CHANGE}/acceptReview"), early.clone()).await.code(), 404);
    assert_eq!(
        admin.post(&format!("{CHANGE}/acceptReview"), early).await.refused(),
        (409, "当前状态为待站点审核，不能审核")
    );
    assert_eq!(step(&here, "siteReview", asked, json!({ "result": "pass", "remark": "同意转出" })).await.id(), asked);
    assert_eq!(count(&there, json!({ "scope": "pending_target_site" })).await, json!(1));
    let stolen = step(&here, "acceptReview", asked, json!({ "result": "pass" })).await;
    assert_eq!(stolen.code(), 404, "not by the site that the student leaves");
    let refused = step(&there, "acceptReview", asked, json!({ "result": "reject", "remark": "否" })).await;
    assert_eq!(fields(&refused), ["remark: 请填写原因"]);
    let refused = step(&there, "acceptReview", asked, json!({ "result": "reject", "remark": "名额已满" })).await;
    assert_eq!(refused.id(), asked);
    assert_eq!(seen(&here, asked).await["status"], json!("rejected"));
    let now = of_student(&admin, id).await;
    assert_eq!((&now["siteId"], &now["version"]), (&json!(p.site), &json!(1)), "unchanged");
    assert_eq!(count(&there, json!({})).await, json!(0), "what it refused is gone from it");
    let asked = ask(&admin, id, "class_change", wanted()).await.id();
    step(&here, "siteReview", asked, json!({ "result": "pass" })).await.id();
    assert_eq!(step(&there, "acceptReview", asked, json!({ "result": "pass" })).await.id(), asked);
    // It sees the change, and decides no more about it than that.
    let decision = json!({ "id": asked, "version": seen(&there, asked).await["version"] });
    for call in ["audit", "cancel"] {
        assert_eq!(there.post(&format!("{CHANGE}/{call}"), decision.clone()).await.code(), 404, "{call}");
    }
    let stale = json!({ "id": asked, "version": 1 });
    let refused = admin.post(&format!("{CHANGE}/audit"), stale).await;
    assert!(refused.code() == 409 && refused.msg().contains("修改，请刷新后重试"), "{}", refused.body);
    assert_eq!(step(&admin, "audit", asked, json!({})).await.id(), asked);
    let now = of_student(&admin, id).await;
    assert_eq!((&now["siteId"], &now["classId"]), (&json!(far), &json!(null)));
    assert_eq!(here.get(&format!("{CHANGE}/view?id={asked}")).await.code(), 404, "the student has left it");
    assert_eq!(seen(&there, asked).await["status"], json!("executed"));
}

/// Scenario 4: one open change a student, also of two at once.
#[tokio::test]
async fn one_change_of_a_student_is_open() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    let id = save(&admin, student(&p, 1)).await;
    let leave = || json!({ "reasonCode": "voluntary" });
    let (one, two) = tokio::join!(ask(&admin, id, "dropout", leave()), ask(&other, id, "dropout", leave()));
    let (made, refused) = if one.code() == 200 { (one, two) } else { (two, one) };
    let page = seen(&admin, made.id()).await;
    let number = page["changeNo"].as_str().expect("a number").to_owned();
    let today = server.app.clock().today().format("%Y%m%d").to_string();
    assert_eq!(number.get(..10), Some(format!("YD{today}").as_str()));
    assert_eq!(refused.refused(), (409, format!("该生有未完成的异动{number}").as_str()));
    let found = admin.post(&format!("{CHANGE}/list"), json!({ "keyword": number })).await.data().clone();
    assert_eq!(found["list"][0]["id"], made.data()["id"], "found by its number");
    let correction =
        json!({ "studentId": id, "kind": "changed_by_police", "reason": "经公安机关批准更名", "name": "李四" });
    let correction = admin.post("/adult/pc/correction/save", correction).await.id();
    let refused = step(&admin, "audit", made.id(), json!({})).await;
    assert_eq!(refused.refused(), (409, "该生有未完成的信息更正"));
    let version = admin.get(&format!("/adult/pc/correction/view?id={correction}")).await.data()["version"].clone();
    admin.post("/adult/pc/correction/cancel", json!({ "id": correction, "version": version })).await.id();
    step(&admin, "cancel", made.id(), json!({ "remark": "改变主意" })).await.id();
    ask(&admin, id, "dropout", leave()).await.id();
}

/// Scenario 5, drafts, and edits: how the student stands is frozen when it is sent in.
#[tokio::test]
async fn a_student_who_was_moved_meanwhile_is_looked_at_anew() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    let (one, two) = (class(&admin, &p, "C1", json!({})).await, class(&admin, &p, "C2", json!({})).await);
    let id = save(&admin, student(&p, 1)).await;
    let draft = admin
        .post(&format!("{CHANGE}/save"), change(id, "class_change", json!({ "after": { "classId": one } })))
        .await
        .id();
    assert_eq!(seen(&admin, draft).await["status"], json!("draft"));
    assert_eq!(step(&admin, "audit", draft, json!({})).await.refused(), (409, "当前状态为草稿，不能审批"));
    let mut edit = change(id, "class_change", json!({ "after": { "classId": two }, "reason": "改到二班" }));
    (edit["id"], edit["version"]) = (json!(draft), json!(1));
    assert_eq!(admin.put(&format!("{CHANGE}/edit"), edit.clone()).await.id(), draft);
    let stale = admin.put(&format!("{CHANGE}/edit"), edit).await;
    assert!(stale.code() == 409 && stale.msg().contains("修改，请刷新后重试"), "{}", stale.body);
    assert_eq!(step(&admin, "submit", draft, json!({})).await.id(), draft);
    assert_eq!(step(&admin, "submit", draft, json!({})).await.refused(), (409, "当前状态为待学校审批，不能提交"));
    let divide = json!({ "items": [{ "id": id, "version": 1 }], "classId": one });
    assert_eq!(admin.put("/user/pc/student/divide", divide).await.data()["done"], json!(1));
    let refused = step(&admin, "audit", draft, json!({})).await;
    assert_eq!(refused.refused(), (409, "学生信息已变化，请重新核对"));
    assert_eq!(step(&admin, "reject", draft, json!({ "remark": "已分班" })).await.id(), draft);
    let wrong = ask(&admin, id, "class_change", json!({ "after": { "classId": one } })).await;
    assert_eq!(wrong.refused(), (409, "已在该班级"));
    assert_eq!(fields(&ask(&admin, id, "class_change", json!({})).await), ["after.classId: 请选择目标班级"]);
}

/// Scenario 6: suspensions have a limit together, military service none.
#[tokio::test]
async fn suspensions_have_a_limit_but_for_service() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    let id = save(&admin, student(&p, 1)).await;
    server.run(&format!("update school_1.student set suspended_months = 18 where id = {id}")).await;
    let from = server.app.clock().today();
    let until = from.checked_add_months(Months::new(12)).and_then(|day| day.pred_opt()).expect("a day");
    let away =
        |reason: &str, months: i32| json!({ "reasonCode": reason, "suspendFrom": from, "suspendMonths": months });
    assert_eq!(ask(&admin, id, "suspension", away("illness", 12)).await.refused(), (409, "累计休学30个月，超过24个月"));
    let odd = ask(&admin, id, "suspension", away("illness", 9)).await;
    assert_eq!(fields(&odd), ["suspendMonths: 休学时间应为6个月或12个月"]);
    let strange = ask(&admin, id, "suspension", away("voluntary", 6)).await;
    assert_eq!(fields(&strange), ["reasonCode: “本人申请”不是休学的原因，请重新选择"]);
    let asked = ask(&admin, id, "suspension", away("military", 12)).await.id();
    assert_eq!(step(&admin, "audit", asked, json!({})).await.id(), asked);
    let now = of_student(&admin, id).await;
    assert_eq!((&now["status"], &now["suspendedUntil"]), (&json!("suspended"), &json!(until)));
    assert_eq!(
        (&now["suspendedMonths"], &now["maxStudyEndOn"]),
        (&json!(18), &json!("2032-02-29")),
        "service is added"
    );
    let enabled: bool = server.one(&format!("select enabled from school_1.client_account where owner_id = {id}")).await;
    assert!(enabled, "the login is kept");
    assert_eq!(
        ask(&admin, id, "professional", json!({ "after": { "majorId": p.major } })).await.msg().split('；').next(),
        Some("学籍状态为休学，不能办理转专业")
    );
    // Thirty days after its end who is still away is told so, here and on the home page.
    let list = |page: Value| page["list"][0]["overdue"].clone();
    let query = json!({ "types": ["suspension"] });
    assert_eq!(list(admin.post(&format!("{CHANGE}/list"), query.clone()).await.data().clone()), json!(false));
    let past = from.checked_sub_days(Days::new(31)).expect("a day");
    server.run(&format!("update school_1.student set suspended_until = '{past}' where id = {id}")).await;
    server.run(&format!("update school_1.student_change set suspend_until = '{past}' where id = {asked}")).await;
    assert_eq!(list(admin.post(&format!("{CHANGE}/list"), query).await.data().clone()), json!(true));
    let home = admin.get("/data/pc/dashboard/school").await.data().clone();
    let todo = home["todos"].as_array().expect("todos").iter().find(|todo| todo["key"] == json!("overdueReturns"));
    assert_eq!(todo.expect("the work")["count"], json!(1));
}

/// Scenario 7: back after twelve months, into the next grade that has the major, with two semesters lost.
#[tokio::test]
async fn who_returns_goes_on_with_the_next_grade() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    let (id, short) = (save(&admin, student(&p, 1)).await, save(&admin, student(&p, 2)).await);
    server.run("update school_1.student set enrolled_on = '2020-03-01'").await;
    let today = server.app.clock().today();
    let began =
        today.checked_sub_months(Months::new(12)).and_then(|day| day.checked_add_days(Days::new(10))).expect("a day");
    for (student, from, months) in [(id, began, 12), (short, today, 6)] {
        let away = json!({ "reasonCode": "illness", "suspendFrom": from, "suspendMonths": months });
        let asked = ask(&admin, student, "suspension", away).await.id();
        step(&admin, "audit", asked, json!({})).await.id();
    }
    assert_eq!(of_student(&admin, id).await["suspendedMonths"], json!(12));
    let none = ask(&admin, id, "return", json!({})).await;
    assert_eq!(none.refused(), (409, "没有招收该专业的下一年级，不能复学"));
    grade(&server, 1, 2027).await;
    let next: i64 = server.one("select id from school_1.grade where code = '2027'").await;
    file_majors(&server, next).await;
    let batch = json!({ "code": "ZS-27", "name": "2027级招生", "year": 2026, "season": "spring", "gradeId": next });
    let batch = admin.post("/adult/pc/enrollmentBatch/save", batch).await.id();
    save_major(&admin, batch, p.major, "101", 100).await;
    turn(&admin, batch, "open").await;
    assert_eq!(fields(&ask(&admin, id, "return", json!({})).await), ["after.classId: 请选择复学后的班级"]);
    let own = class(&admin, &p, "C26", json!({})).await;
    let wrong = ask(&admin, id, "return", json!({ "after": { "gradeId": p.grade, "classId": own } })).await;
    assert_eq!(wrong.refused(), (409, "休学12个月，应复学到2027级；与班级的年级不一致"));
    let theirs = class(&admin, &p, "C27", json!({ "gradeId": next })).await;
    let early = ask(&admin, short, "return", json!({ "after": { "classId": own } })).await;
    assert!(early.code() == 409 && early.msg().ends_with("起可以办理复学"), "{}", early.body);
    let asked = ask(&admin, id, "return", json!({ "after": { "classId": theirs } })).await.id();
    assert_eq!(seen(&admin, asked).await["afterNames"]["gradeName"], json!("2027级"));
    assert_eq!(step(&admin, "audit", asked, json!({})).await.id(), asked);
    let now = of_student(&admin, id).await;
    assert_eq!(
        (&now["status"], &now["gradeId"], &now["classId"]),
        (&json!("registered"), &json!(next), &json!(theirs))
    );
    assert_eq!((&now["expectedGraduationOn"], &now["suspendedUntil"]), (&json!("2029-07-10"), &json!(null)));
    assert_eq!(now["suspendedMonths"], json!(12), "what was lost is remembered");
}

/// Scenario 8: what is approved for a later day takes effect on that day, once; what may not any more is told.
#[tokio::test]
async fn what_is_approved_for_later_takes_effect_on_its_day() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    let (id, stuck) = (save(&admin, student(&p, 1)).await, save(&admin, student(&p, 2)).await);
    let today = server.app.clock().today();
    let later = today.checked_add_days(Days::new(10)).expect("a day");
    let mut asked = BTreeMap::new();
    for student in [id, stuck] {
        let leave = json!({ "reasonCode": "voluntary", "effectiveOn": later });
        let change = ask(&admin, student, "dropout", leave).await.id();
        assert_eq!(step(&admin, "audit", change, json!({})).await.id(), change);
        asked.insert(student, change);
    }
    let waiting = admin.post(&format!("{CHANGE}/list"), json!({ "scope": "approved" })).await.data().clone();
    assert_eq!((&waiting["totalCount"], &waiting["list"][0]["status"]), (&json!(2), &json!("approved")));
    assert_eq!(of_student(&admin, id).await["status"], json!("registered"));
    let night = async |round: i32| {
        let daily = Schedule { when: When::Daily { hour: 0, minute: 0 }, ..status_change::change::effect::SCHEDULE };
        assert_eq!(infra::schedule::queue_due(&server.app, [daily]).await.expect("queued"), 1, "round {round}");
        server
            .wait_until("select not exists (select from platform.job where kind = 'student_change.effect' and state in ('queued', 'running'))")
            .await;
        let state: String = server
            .one("select state from platform.job where kind = 'student_change.effect' order by id desc limit 1")
            .await;
        assert_eq!(state, "done");
        server
            .run("update platform.job set created_at = created_at - interval '1 day' where kind = 'student_change.effect'")
            .await;
    };
    night(1).await;
    let executed = "select count(*) from school_1.student_change where status = 'executed'";
    assert_eq!(server.one::<i64>(executed).await, 0, "not before its day");
    // Beyond the longest study somebody withdraws for another reason than this.
    server.run(&format!("update school_1.student set status = 'expired' where id = {stuck}")).await;
    server.app.clock().shift(chrono::Duration::days(10));
    for round in [2, 3] {
        night(round).await;
        assert_eq!(server.one::<i64>(executed).await, 1, "round {round}");
    }
    let admin = registrar(&server).await;
    let now = of_student(&admin, id).await;
    assert_eq!(
        (&now["status"], &now["endedOn"], &now["statusReason"]),
        (&json!("withdrawn"), &json!(later), &json!("voluntary"))
    );
    let kinds: Vec<Value> = history(&admin, id).await.iter().map(|row| row["kind"].clone()).collect();
    assert_eq!(kinds, ["enrol", "dropout"], "once");
    let enabled: bool = server.one(&format!("select enabled from school_1.client_account where owner_id = {id}")).await;
    assert!(!enabled, "who left signs in no more");
    let page = seen(&admin, asked[&stuck]).await;
    assert_eq!((&page["status"], &page["alert"]), (&json!("approved"), &json!("学生信息已变化，请重新核对")));
    let alerts: i64 = server.one("select count(*) from school_1.student_change_step where step = 'alert'").await;
    assert_eq!(alerts, 1, "told once");
    assert_eq!(step(&admin, "cancel", asked[&stuck], json!({ "remark": "改按超学制办理" })).await.id(), asked[&stuck]);
    let asked = ask(&admin, stuck, "dropout", json!({ "reasonCode": "voluntary" })).await;
    assert_eq!(asked.refused(), (409, "超学制的学生退学，原因须为超过最长学习年限"));
    ask(&admin, stuck, "dropout", json!({ "reasonCode": "exceed_years" })).await.id();
}

/// Scenario 9: a change is taken back within ninety days, while nothing came after it.
#[tokio::test]
async fn a_change_is_taken_back_while_nothing_came_after_it() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    let (one, two) = (class(&admin, &p, "C1", json!({})).await, class(&admin, &p, "C2", json!({})).await);
    let id = save(&admin, student(&p, 1)).await;
    let to = async |class: i64| {
        let asked = ask(&admin, id, "class_change", json!({ "after": { "classId": class } })).await.id();
        step(&admin, "audit", asked, json!({})).await.id()
    };
    let first = to(one).await;
    let ago = async |change: i64, days: i32| {
        server
            .run(&format!("update school_1.student_change set executed_at = executed_at - interval '{days} days' where id = {change}"))
            .await;
    };
    ago(first, 91).await;
    assert_eq!(step(&admin, "revoke", first, json!({})).await.refused(), (409, "异动生效已超过90天，不能撤销"));
    ago(first, -61).await;
    let second = to(two).await;
    assert_eq!(step(&admin, "revoke", first, json!({})).await.refused(), (409, "异动后数据已变化，不能撤销"));
    assert_eq!(step(&admin, "revoke", second, json!({ "remark": "误操作" })).await.id(), second);
    assert_eq!(of_student(&admin, id).await["classId"], json!(one));
    assert_eq!(step(&admin, "revoke", first, json!({})).await.id(), first);
    assert_eq!(of_student(&admin, id).await["classId"], json!(null));
    assert_eq!(step(&admin, "revoke", first, json!({})).await.refused(), (409, "当前状态为已撤销，不能撤销"));
    // Who left comes back, and signs in again; unless the seat is taken meanwhile.
    let third = to(one).await;
    let leave = ask(&admin, id, "dropout", json!({ "reasonCode": "voluntary" })).await.id();
    step(&admin, "audit", leave, json!({})).await.id();
    assert_eq!(of_student(&admin, id).await["classId"], json!(null), "a seat is free");
    assert_eq!(step(&admin, "revoke", third, json!({})).await.code(), 409);
    let mut neighbour = student(&p, 2);
    neighbour["classId"] = json!(one);
    save(&admin, neighbour).await;
    server.run(&format!("update school_1.class set capacity = 1 where id = {one}")).await;
    let full = step(&admin, "revoke", leave, json!({})).await;
    assert_eq!(full.refused(), (409, "班级容量1，已有1人，超出1人"));
    server.run(&format!("update school_1.class set capacity = 2 where id = {one}")).await;
    assert_eq!(step(&admin, "revoke", leave, json!({})).await.id(), leave);
    let now = of_student(&admin, id).await;
    assert_eq!((&now["status"], &now["classId"], &now["endedOn"]), (&json!("registered"), &json!(one), &json!(null)));
    // Their next end switches the account off again.
    let open = format!("select enabled and ended_at is null from school_1.client_account where owner_id = {id}");
    assert!(server.one::<bool>(&open).await);
}

/// Changes that wait for the school, of all students who have none, into one class.
async fn waiting(server: &Server, class: i64) {
    server
        .run(&format!(
            "insert into school_1.student_change (change_no, student_id, type, status, before, after, target_class_id, reason, source,
                 applicant_name, submitted_at, created_by, updated_by)
             select 'YD20260101' || lpad(s.id::text, 4, '0'), s.id, 'class_change', 'pending_school', w.now,
                    w.now || jsonb_build_object('classId', {class}), {class}, '分到新班', 'back_office', '教务员', now(), 0, 0
             from school_1.student s
             cross join lateral (select jsonb_build_object('gradeId', s.grade_id, 'levelId', s.level_id, 'majorId', s.major_id,
                 'studyForm', s.study_form, 'schoolingYears', s.schooling_years, 'siteId', s.site_id, 'classId', s.class_id,
                 'status', s.status) as now) w
             where not exists (select from school_1.student_change c where c.student_id = s.id)"
        ))
        .await;
}

async fn items(server: &Server) -> Vec<Value> {
    let ids: Vec<i64> = server
        .one("select array_agg(id order by id) from school_1.student_change where status = 'pending_school'")
        .await;
    ids.into_iter().map(|id| json!({ "id": id, "version": 1 })).collect()
}

/// Scenario 10: each row by itself, and a class never above its capacity.
#[tokio::test]
async fn a_class_is_never_above_its_capacity() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let one = class(&admin, &p, "C1", json!({ "capacity": 496 })).await;
    students(&server, &p, p.site, None, 1, 500).await;
    waiting(&server, one).await;
    let body = json!({ "items": items(&server).await, "result": "pass" });
    let done = admin.post(&format!("{CHANGE}/batchReview"), body).await.data().clone();
    assert_eq!((&done["done"], done["failed"].as_array().map(Vec::len)), (&json!(496), Some(4)));
    assert_eq!(done["failed"][0]["msg"], json!("班级容量496，已有496人，超出1人"));
    assert!(done["failed"][0]["name"].as_str().is_some_and(|name| name.starts_with("学生")), "{done}");
    server.run("update school_1.student_change set status = 'rejected' where status = 'pending_school'").await;
    // Two at once, into a class that takes all but five of both.
    let two = class(&admin, &p, "C2", json!({ "capacity": 35 })).await;
    students(&server, &p, p.site, None, 501, 40).await;
    waiting(&server, two).await;
    let all = items(&server).await;
    let (front, back) = all.split_at(20);
    let path = format!("{CHANGE}/batchReview");
    let (ahead, behind) = tokio::join!(
        admin.post(&path, json!({ "items": front, "result": "pass" })),
        other.post(&path, json!({ "items": back, "result": "pass" }))
    );
    let sum = |field: &dyn Fn(&Value) -> i64| field(ahead.data()) + field(behind.data());
    assert_eq!(sum(&|data| data["done"].as_i64().unwrap_or_default()), 35, "{} {}", ahead.body, behind.body);
    assert_eq!(sum(&|data| data["failed"].as_array().map_or(0, Vec::len) as i64), 5);
    let taken: i64 = server.one(&format!("select count(*) from school_1.student where class_id = {two}")).await;
    assert_eq!(taken, 35);
}

/// Whoever sees some sites or classes reaches the changes of their students, and no others.
#[tokio::test]
async fn a_change_is_seen_where_its_student_is() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    let far = site(&admin, "CX", "城西教学点").await;
    let one = class(&admin, &p, "C1", json!({})).await;
    let mut of_class = student(&p, 1);
    of_class["classId"] = json!(one);
    let (id, free) = (save(&admin, of_class).await, save(&admin, student(&p, 2)).await);
    let leave = || json!({ "reasonCode": "voluntary" });
    let asked = ask(&admin, id, "dropout", leave()).await.id();
    ask(&admin, free, "dropout", leave()).await.id();
    let codes = all_school_codes();
    let codes: Vec<&str> =
        codes.iter().map(String::as_str).filter(|code| code.starts_with("adult:pc:change:")).collect();
    let stranger = server.staff_within(1, &codes, "named_sites", &[far]).await;
    let foreign = server.staff(2, &codes).await;
    for client in [&stranger, &foreign] {
        let list = client.post(&format!("{CHANGE}/list"), json!({})).await;
        assert_eq!(list.data()["totalCount"], json!(0));
        let sum = client.post(&format!("{CHANGE}/statistics"), json!({ "by": "type" })).await;
        assert_eq!(sum.data(), &json!({ "total": 0, "list": [] }));
        for call in ["view", "print"] {
            assert_eq!(client.get(&format!("{CHANGE}/{call}?id={asked}")).await.code(), 404, "{call}");
        }
        assert_eq!(ask(client, id, "dropout", leave()).await.code(), 404);
        let check = json!({ "studentId": id, "type": "dropout", "reasonCode": "voluntary" });
        assert_eq!(client.post(&format!("{CHANGE}/check"), check).await.code(), 404);
        let item = json!({ "id": asked, "version": 1, "remark": "材料不齐" });
        for call in ["audit", "reject", "cancel", "revoke"] {
            assert_eq!(client.post(&format!("{CHANGE}/{call}"), item.clone()).await.code(), 404, "{call}");
        }
        assert_eq!(client.post(&format!("{CHANGE}/submit"), json!({ "id": asked, "version": 1 })).await.code(), 404);
        let items = json!({ "items": [{ "id": asked, "version": 1 }], "result": "pass" });
        let bulk = client.post(&format!("{CHANGE}/batchReview"), items).await.data().clone();
        assert_eq!(bulk, json!({ "done": 0, "failed": [{ "id": asked, "name": "", "msg": "无权操作该数据" }] }));
        assert_eq!(texts(&client.post(&format!("{CHANGE}/export"), json!({})).await.bytes).len(), 1);
        let row = ["2600000001", "张晓梅", "退学", "本人申请", "2026-09-01"];
        let sent = import(client, CHANGE, &["学号", "姓名", "异动类型", "原因", "生效日期"], &[&row]).await;
        assert_ne!(sent.data()["errors"], json!([]));
    }
    let manager = server.staff_within(1, &codes, "named_classes", &[one]).await;
    let list = manager.post(&format!("{CHANGE}/list"), json!({})).await.data().clone();
    assert_eq!((&list["totalCount"], &list["list"][0]["id"]), (&json!(1), &json!(asked)), "those of the class");
    let paper = manager.get(&format!("{CHANGE}/print?id={asked}")).await.data().clone();
    assert!(paper["idCardNo"].as_str().is_some_and(|number| number.contains('*')), "{paper}");
    assert_eq!((&paper["phone"], &paper["name"]), (&json!("154****0001"), &json!("张晓梅")));
}

/// Rows of record take effect at once, all or none; the number is another where the approver wants it.
#[tokio::test]
async fn changes_of_record_come_by_a_sheet_and_numbers_may_be_new() {
    let server = Server::start().await;
    let (admin, clerk) = (registrar(&server).await, clerk(&server).await);
    let p = cohort(&admin).await;
    let other = recruited(&server, &admin, &p).await;
    let one = class(&admin, &p, "C1", json!({ "name": "会计1班" })).await;
    let mut ids = Vec::new();
    for n in 1..=3 {
        ids.push(save(&admin, student(&p, n)).await);
    }
    let headings = ["学号", "姓名", "异动类型", "目标班级", "原因", "休学起", "休学止", "生效日期", "备案文号"];
    let rows = |until: &'static str| {
        [
            ["2600000001", "张晓梅", "转班", "会计1班", "调整班级", "", "", "2026-09-01", ""],
            ["2600000002", "张晓梅", "退学", "", "本人申请", "", "", "2026-09-01", "省12号"],
            ["2600000003", "张晓梅", "休学", "", "应征入伍", "2026-09-01", until, "2026-09-01", ""],
        ]
    };
    let send = async |client: &Client<'_>, rows: [[&'static str; 9]; 3]| {
        let rows: Vec<&[&str]> = rows.iter().map(|row| &row[..]).collect();
        import(client, CHANGE, &headings, &rows).await.data().clone()
    };
    let outside = send(&clerk, rows("2027-08-31")).await;
    assert_eq!(row_errors(&outside), [2, 3, 4].map(|row| format!("{row} : 当前不在异动受理时间")), "{outside}");
    let wrong = send(&admin, rows("2027-08-30")).await;
    assert_eq!(row_errors(&wrong), ["4 休学止: 应为休学起之后6个月或12个月的前一天"]);
    let none: i64 = server.one("select count(*) from school_1.student_change").await;
    assert_eq!(none, 0, "all or none");
    let done = send(&admin, rows("2027-08-31")).await;
    assert_eq!((&done["errors"], &done["imported"]), (&json!([]), &json!(3)), "{done}");
    let states = async |ids: &[i64]| {
        let mut states = Vec::new();
        for id in ids {
            states.push(of_student(&admin, *id).await["status"].clone());
        }
        states
    };
    let today = server.app.clock().today();
    if today >= "2026-09-01".parse().expect("a day") {
        assert_eq!(states(&ids).await, ["registered", "withdrawn", "suspended"]);
        assert_eq!(of_student(&admin, ids[0]).await["classId"], json!(one));
    } else {
        assert_eq!(states(&ids).await, ["registered"; 3]);
    }
    let sum = admin.post(&format!("{CHANGE}/statistics"), json!({ "by": "type" })).await.data().clone();
    assert_eq!((&sum["total"], sum["list"].as_array().map(Vec::len)), (&json!(3), Some(3)));
    let months = admin.post(&format!("{CHANGE}/statistics"), json!({ "by": "month" })).await.data().clone();
    let month = json!({ "key": "2026-09", "name": "2026-09", "toKey": null, "toName": null, "count": 3 });
    assert_eq!(months["list"], json!([month]));
    // Another number by the rule, once the major is another.
    let rule = json!({
        "name": "学号", "gradeIds": [p.grade], "sortBy": "examinee_no", "enabled": true,
        "segments": [{ "kind": "literal", "text": "9" }, { "kind": "grade_year", "length": 4 }, { "kind": "seq", "length": 6 }],
    });
    admin.post(&format!("{ROLL}/studentNoRule/save"), rule).await.id();
    let id = save(&admin, student(&p, 4)).await;
    let entered = today.checked_sub_months(Months::new(3)).expect("a day");
    server.run(&format!("update school_1.student set enrolled_on = '{entered}' where id = {id}")).await;
    let asked = ask(&admin, id, "professional", json!({ "after": { "majorId": other } })).await.id();
    step(&admin, "siteReview", asked, json!({ "result": "pass" })).await.id();
    assert_eq!(step(&admin, "audit", asked, json!({ "renumber": true })).await.id(), asked);
    let number = of_student(&admin, id).await["studentNo"].clone();
    assert_eq!(number, json!("92026000001"));
    let login: String =
        server.one(&format!("select login_name from school_1.client_account where owner_id = {id}")).await;
    assert_eq!(json!(login), number);
    assert_eq!(step(&admin, "revoke", asked, json!({})).await.id(), asked);
    assert_eq!(of_student(&admin, id).await["studentNo"], json!("2600000004"), "the old one was kept for them");
    let flow = json!({ "by": "flow", "scope": "results", "types": ["professional"] });
    let flow = admin.post(&format!("{CHANGE}/statistics"), flow).await.data().clone();
    assert_eq!((&flow["list"][0]["name"], &flow["list"][0]["toName"]), (&json!("会计学"), &json!("专业1")));
}

/// A sheet of changes goes back: what waits for its day is withdrawn, what has taken effect is taken back, what went on stays.
#[tokio::test]
async fn imported_changes_go_back() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    class(&admin, &p, "C1", json!({ "name": "会计1班" })).await;
    let mut ids = Vec::new();
    for n in 1..=3 {
        ids.push(save(&admin, student(&p, n)).await);
    }
    let today = server.app.clock().today();
    let later = today.checked_add_days(Days::new(10)).expect("a day").to_string();
    let today = today.to_string();
    let headings = ["学号", "姓名", "异动类型", "目标班级", "原因", "生效日期"];
    let rows: [&[&str]; 3] = [
        &["2600000001", "张晓梅", "转班", "会计1班", "调整班级", &today],
        &["2600000002", "张晓梅", "退学", "", "本人申请", &later],
        &["2600000003", "张晓梅", "退学", "", "本人申请", &later],
    ];
    let done = import(&admin, CHANGE, &headings, &rows).await.data().clone();
    assert_eq!(done["imported"], json!(3), "{done}");
    let filed: i64 = server.one(&format!("select id from school_1.student_change where student_id = {}", ids[2])).await;
    let version = seen(&admin, filed).await["version"].clone();
    let filing = json!({ "items": [{ "id": filed, "version": version }], "filingNo": "省教12号", "filedOn": today });
    assert_eq!(admin.put(&format!("{CHANGE}/filing"), filing).await.data()["done"], json!(1));
    let states = async || {
        let states: String =
            server.one("select string_agg(status, ' ' order by student_id) from school_1.student_change").await;
        let classes: i64 = server.one("select count(class_id) from school_1.student").await;
        (states, classes)
    };
    assert_eq!(states().await, ("executed approved approved".to_owned(), 1));
    let checked = undone(&admin, true).await;
    assert_eq!(checked["message"], json!("共3条，可撤销2条，1条不能撤销"), "{checked}");
    assert_eq!(states().await, ("executed approved approved".to_owned(), 1), "a check changes nothing");
    let done = undone(&admin, false).await;
    assert_eq!(done["message"], json!("共3条，已撤销2条，1条保留"), "{done}");
    assert_eq!(done["errors"][0]["name"], json!("张晓梅"), "{done}");
    assert_eq!(states().await, ("revoked cancelled approved".to_owned(), 0));
}

/// A batch is edited until it has applications, and has a phase.
#[tokio::test]
async fn a_batch_keeps_what_was_asked_for_in_it() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let mut body = batch_of("YD-1", "春季异动", &["dropout", "suspension"]);
    body["endsAt"] = json!("2020-01-01T00:00:00+08:00");
    assert_eq!(fields(&admin.post(&format!("{BATCH}/save"), body).await), ["endsAt: 结束时间须晚于开始时间"]);
    let mut body = batch_of("YD-1", "春季异动", &["suspension", "dropout", "dropout"]);
    body["gradeIds"] = json!([p.grade]);
    let id = admin.post(&format!("{BATCH}/save"), body.clone()).await.id();
    let page = admin.get(&format!("{BATCH}/view?id={id}")).await.data().clone();
    assert_eq!((&page["phase"], &page["types"]), (&json!("open"), &json!(["dropout", "suspension"])));
    assert_eq!((&page["gradeNames"], &page["siteReview"]), (&json!(["2026级"]), &json!(true)));
    let student = save(&admin, student(&p, 1)).await;
    let asked = ask(&admin, student, "dropout", json!({ "reasonCode": "voluntary", "batchId": id })).await.id();
    assert_eq!(seen(&admin, asked).await["batchName"], json!("春季异动"));
    let counted =
        admin.post(&format!("{BATCH}/list"), json!({ "phase": "open", "type": "dropout" })).await.data().clone();
    assert_eq!((&counted["list"][0]["total"], &counted["list"][0]["approved"]), (&json!(1), &json!(0)));
    let refused = admin.delete(&format!("{BATCH}/delete?id={id}")).await;
    assert_eq!(refused.refused(), (409, "批次“春季异动”下有1条学籍异动，不能删除"));
    (body["id"], body["version"], body["types"]) = (json!(id), json!(1), json!(["suspension"]));
    let refused = admin.put(&format!("{BATCH}/edit"), body.clone()).await;
    assert_eq!(refused.refused(), (409, "批次下已有1条“退学”的申请，不能移除该类型"));
    admin.put(&format!("{BATCH}/update/status"), json!({ "id": id, "enabled": false })).await.id();
    let closed =
        ask(&clerk(&server).await, student, "dropout", json!({ "reasonCode": "voluntary", "batchId": id })).await;
    assert!(closed.code() == 409 && closed.msg().starts_with("当前不在异动受理时间"), "{}", closed.body);
    let named = admin.delete(&format!("/adult/pc/grade/delete?id={}", p.grade)).await;
    assert!(named.code() == 409 && named.msg().contains("1个异动批次"), "{}", named.body);
}
