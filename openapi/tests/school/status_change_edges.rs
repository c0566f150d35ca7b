//! Changes of students' status at their edges (part 02 §10): whose scope a waiver has, sheets across sites, nights with something
//! wrong in them, returns of people who came suspended, filing behind the effect, and what cannot be taken back any more.

use chrono::Days;
use infra::schedule::{Schedule, When};
use kit::{
    Client, Server,
    cohort::{Cohort, cohort, registrar},
    fields,
    sheets::{import, row_errors},
    status_change::{BATCH, CHANGE, ask, batch_of, change, open_batch, seen, step},
    students::{ROLL, save, student},
};
use serde_json::{Value, json};

const CLOSED: &str = "当前不在异动受理时间";

async fn of_student(client: &Client<'_>, id: i64) -> Value {
    client.get(&format!("{ROLL}/view?id={id}")).await.data().clone()
}

async fn site(client: &Client<'_>, code: &str, name: &str) -> i64 {
    client.post("/adult/pc/site/save", json!({ "code": code, "name": name, "kind": "headquarter" })).await.id()
}

async fn class(client: &Client<'_>, p: &Cohort, code: &str, site: i64) -> i64 {
    let mut body = p.class(code);
    (body["siteId"], body["name"]) = (json!(site), json!(format!("班级{code}")));
    client.post("/adult/pc/class/save", body).await.id()
}

fn codes(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| format!("adult:pc:change:{word}")).collect()
}

fn borrowed(codes: &[String]) -> Vec<&str> {
    codes.iter().map(String::as_str).collect()
}

/// A waiver is of the students that its code opens, stays with what it was for, and is noted where it was needed.
#[tokio::test]
async fn a_waiver_has_a_scope_and_an_object() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let far = site(&admin, "CX", "城西教学点").await;
    let (one, two) = (class(&admin, &p, "C1", p.site).await, class(&admin, &p, "C2", p.site).await);
    let (here, there) = (save(&admin, student(&p, 1)).await, {
        let mut body = student(&p, 2);
        body["siteId"] = json!(far);
        save(&admin, body).await
    });
    // Who waives at one site asks for students of every site, and waives for none of another.
    let may_ask = server.account(1, &borrowed(&codes(&["save", "view"])), "whole_school", &[]).await;
    let may_waive = server.account(1, &borrowed(&codes(&["changeStatus"])), "named_sites", &[far]).await;
    server
        .run(&format!(
            "insert into platform.sys_user_role (user_id, role_id, school_id, created_by)
             select u.id, r.id, 1, 0 from platform.sys_user u, platform.sys_role r
             where u.login_name = '{may_ask}' and r.role_name = '{may_waive}'"
        ))
        .await;
    let narrow = server.signed_in(&may_ask, "schoolLogin").await;
    let leave = || json!({ "reasonCode": "voluntary" });
    assert_eq!(ask(&narrow, here, "dropout", leave()).await.refused(), (409, CLOSED));
    let waived = ask(&narrow, there, "dropout", leave()).await.id();
    assert_eq!(seen(&admin, waived).await["waived"], json!(true));
    // A draft outside of the windows keeps its waiver while it is for the same.
    let clerk = server.staff(1, &borrowed(&codes(&["save", "edit", "view"]))).await;
    let to = |class: i64, reason: &str| {
        change(here, "class_change", json!({ "after": { "classId": class }, "reason": reason }))
    };
    let draft = admin.post(&format!("{CHANGE}/save"), to(one, "调整班级")).await.id();
    let edited = async |class: i64, reason: &str| {
        let mut body = to(class, reason);
        (body["id"], body["version"]) = (json!(draft), seen(&admin, draft).await["version"].clone());
        clerk.put(&format!("{CHANGE}/edit"), body).await
    };
    assert_eq!(edited(two, "调整班级").await.refused(), (409, CLOSED));
    assert_eq!(edited(one, "按本人意愿调整班级").await.id(), draft);
    assert_eq!(seen(&admin, draft).await["waived"], json!(true));
    step(&admin, "cancel", draft, json!({})).await.id();
    // Inside a window nothing is waived, whoever asks.
    open_batch(&admin).await;
    let plain = ask(&admin, here, "dropout", leave()).await.id();
    assert_eq!(seen(&admin, plain).await["waived"], json!(false));
    // What a batch is for is nobody's to waive.
    step(&admin, "cancel", plain, json!({})).await.id();
    let other = batch_of("YD-2", "休学批次", &["suspension"]);
    let other = admin.post(&format!("{BATCH}/save"), other).await.id();
    let strange = ask(&admin, here, "dropout", json!({ "reasonCode": "voluntary", "batchId": other })).await;
    assert_eq!(fields(&strange), ["batchId: 该批次不受理此异动，请重新选择"]);
}

/// Nobody at the other site is asked by a sheet, so who sends it acts for both.
#[tokio::test]
async fn a_sheet_moves_nobody_to_a_site_beyond_the_scope() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let far = site(&admin, "CX", "城西教学点").await;
    class(&admin, &p, "C9", far).await;
    open_batch(&admin).await;
    let id = save(&admin, student(&p, 1)).await;
    let today = server.app.clock().today().to_string();
    let headings = ["学号", "姓名", "异动类型", "目标站点", "目标班级", "原因", "生效日期"];
    let row = ["2600000001", "张晓梅", "转班", "CX", "班级C9", "搬家", today.as_str()];
    let importing = codes(&["import"]);
    let here = server.staff_within(1, &borrowed(&importing), "named_sites", &[p.site]).await;
    let refused = import(&here, CHANGE, &headings, &[&row]).await.data().clone();
    assert_eq!(row_errors(&refused), ["2 目标站点: 无权操作该数据"]);
    assert_eq!(of_student(&admin, id).await["siteId"], json!(p.site));
    let both = server.staff_within(1, &borrowed(&importing), "named_sites", &[p.site, far]).await;
    let done = import(&both, CHANGE, &headings, &[&row]).await.data().clone();
    assert_eq!((&done["errors"], &done["imported"]), (&json!([]), &json!(1)), "{done}");
    assert_eq!(of_student(&admin, id).await["siteId"], json!(far));
}

/// What is wrong with one change, and who is held by somebody, keeps no other from its day; and being held is no reason.
#[tokio::test]
async fn a_night_goes_on() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    let later = server.app.clock().today().checked_add_days(Days::new(10)).expect("a day");
    let (mut ids, mut asked) = (Vec::new(), Vec::new());
    for n in 1..=3 {
        let id = save(&admin, student(&p, n)).await;
        let leave = json!({ "reasonCode": "voluntary", "effectiveOn": later });
        let change = ask(&admin, id, "dropout", leave).await.id();
        step(&admin, "audit", change, json!({})).await.id();
        ids.push(id);
        asked.push(change);
    }
    let kept: Value = server.one(&format!("select before from school_1.student_change where id = {}", asked[0])).await;
    server.run(&format!("update school_1.student_change set before = '{{}}' where id = {}", asked[0])).await;
    server.app.clock().shift(chrono::Duration::days(10));
    let night = async {
        let daily = Schedule { when: When::Daily { hour: 0, minute: 0 }, ..status_change::change::effect::SCHEDULE };
        assert_eq!(infra::schedule::queue_due(&server.app, [daily]).await.expect("queued"), 1);
        server
            .wait_until("select not exists (select from platform.job where kind = 'student_change.effect' and state in ('queued', 'running'))")
            .await;
    };
    // Held for longer than anybody waits for a lock.
    let holding =
        format!("select pg_sleep(6) from (select id from school_1.student where id = {} for update) held", ids[1]);
    tokio::join!(server.run(&holding), night);
    let state = "select state from platform.job where kind = 'student_change.effect' order by id desc limit 1";
    assert_eq!(server.one::<String>(state).await, "done");
    let of = async |change: i64| {
        let told =
            format!("select status || ' ' || coalesce(alert, '-') from school_1.student_change where id = {change}");
        server.one::<String>(&told).await
    };
    assert_eq!(of(asked[0]).await, "approved 系统错误，请联系系统管理员");
    assert_eq!((of(asked[1]).await, of(asked[2]).await), ("executed -".to_owned(), "executed -".to_owned()));
    server.run(&format!("update school_1.student_change set before = '{kept}' where id = {}", asked[0])).await;
}

/// Who came into the register as suspended tells how long; who left it to the system would lose no semester.
#[tokio::test]
async fn a_suspension_that_nobody_knows_is_told_at_the_return() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    let own = class(&admin, &p, "C1", p.site).await;
    let id = save(&admin, student(&p, 1)).await;
    server.run(&format!("update school_1.student set status = 'suspended' where id = {id}")).await;
    let silent = ask(&admin, id, "return", json!({ "after": { "classId": own } })).await;
    assert_eq!(fields(&silent), ["suspendMonths: 请填写休学月数"]);
    let odd = ask(&admin, id, "return", json!({ "after": { "classId": own }, "suspendMonths": 9 })).await;
    assert_eq!(fields(&odd), ["suspendMonths: 休学时间应为6个月或12个月"]);
    let year = ask(&admin, id, "return", json!({ "after": { "classId": own }, "suspendMonths": 12 })).await;
    assert_eq!(year.refused(), (409, "没有招收该专业的下一年级，不能复学"));
    let asked = ask(&admin, id, "return", json!({ "after": { "classId": own }, "suspendMonths": 6 })).await.id();
    assert_eq!(step(&admin, "audit", asked, json!({})).await.id(), asked);
    let now = of_student(&admin, id).await;
    assert_eq!((&now["status"], &now["expectedGraduationOn"]), (&json!("registered"), &json!("2029-01-10")));
}

/// The province files what has taken effect; the history tells by which paper.
#[tokio::test]
async fn the_history_has_the_number_of_a_later_filing() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    let id = save(&admin, student(&p, 1)).await;
    let asked = ask(&admin, id, "dropout", json!({ "reasonCode": "exceed_years" })).await.id();
    step(&admin, "audit", asked, json!({})).await.id();
    let last = async || {
        let rows = admin.get(&format!("{ROLL}/history?id={id}")).await.data().clone();
        rows.as_array().and_then(|rows| rows.last().cloned()).expect("a row")
    };
    assert_eq!(last().await["documentNo"], json!(null));
    let item = json!({ "id": asked, "version": seen(&admin, asked).await["version"] });
    let filing = json!({ "items": [item], "filingNo": "省教学籍〔2026〕12号", "filedOn": "2026-04-20" });
    assert_eq!(admin.put(&format!("{CHANGE}/filing"), filing).await.data()["done"], json!(1));
    let told = last().await;
    assert_eq!((&told["kind"], &told["documentNo"]), (&json!("dropout"), &json!("省教学籍〔2026〕12号")));
    let page = seen(&admin, asked).await;
    assert_eq!((&page["filingNo"], &page["filedOn"]), (&json!("省教学籍〔2026〕12号"), &json!("2026-04-20")));
}

/// Without the opinion of sites the receiving one is asked; a place that was left and is gone cannot be come back to.
#[tokio::test]
async fn nobody_comes_back_to_a_site_that_is_gone() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    let far = site(&admin, "CX", "城西教学点").await;
    let own = class(&admin, &p, "C1", p.site).await;
    let mut body = student(&p, 1);
    body["siteId"] = json!(far);
    let id = save(&admin, body).await;
    let wanted = json!({ "after": { "siteId": p.site, "classId": own } });
    let asked = ask(&admin, id, "class_change", wanted).await.id();
    assert_eq!(seen(&admin, asked).await["status"], json!("pending_target_site"));
    step(&admin, "acceptReview", asked, json!({ "result": "pass" })).await.id();
    step(&admin, "audit", asked, json!({})).await.id();
    assert_eq!(of_student(&admin, id).await["siteId"], json!(p.site));
    server.run(&format!("delete from school_1.site where id = {far}")).await;
    assert_eq!(step(&admin, "revoke", asked, json!({})).await.refused(), (409, "异动后数据已变化，不能撤销"));
    let early = json!({ "after": { "classId": own }, "effectiveOn": "2025-01-01" });
    let early = fields(&ask(&admin, id, "class_change", early).await);
    assert_eq!(early, ["effectiveOn: 生效日期不能早于入学日期"]);
}

/// §9.12, scenario 10: of two who decide about a student at once one is told.
#[tokio::test]
async fn a_student_is_marked_or_leaves_and_not_both() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    open_batch(&admin).await;
    for n in 1..=6 {
        let id = save(&admin, student(&p, n)).await;
        server.run(&format!("update school_1.student set max_study_end_on = '2026-03-02' where id = {id}")).await;
        let asked = ask(&other, id, "dropout", json!({ "reasonCode": "voluntary" })).await.id();
        let version = of_student(&admin, id).await["version"].clone();
        let mark = json!({ "items": [{ "id": id, "version": version }], "status": "expired", "remark": "已提醒" });
        let path = format!("{ROLL}/changeStatus");
        let (marked, left) = tokio::join!(admin.put(&path, mark), step(&other, "audit", asked, json!({})));
        let now = of_student(&admin, id).await["status"].clone();
        let outcome = (marked.data()["done"].clone(), left.code(), now);
        assert!(
            outcome == (json!(1), 409, json!("expired")) || outcome == (json!(0), 200, json!("withdrawn")),
            "{outcome:?} {} {}",
            marked.body,
            left.body
        );
    }
}
