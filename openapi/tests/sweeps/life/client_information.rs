//! Forms of information review in the clients: a student fills in their own, the class manager reminds and looks first; and what a
//! student sees and keeps of their own file.

use chrono::Datelike;
use kit::{
    Client,
    clients::entered,
    cohort::cohort,
    files::paper,
    information::{COMMITMENT, GRADUATION, INFORMATION, commitment, graduation, information, window, with},
    rows::setting,
    students::{id_number, save, student},
};
use serde_json::json;

use super::Life;

const GROUPS: [&str; 3] = [INFORMATION, COMMITMENT, GRADUATION];

fn own(group: &str) -> String {
    group.replace("/pc/", "/client/")
}

/// What somebody begins with.
fn initial(n: usize) -> String {
    format!("Aa@{}", &id_number(n)[12..])
}

pub(super) async fn live(life: &mut Life<'_>, admin: &Client<'_>) {
    let server = life.server;
    let p = cohort(admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let manager = json!({ "workNo": "B01", "name": "王班主任", "phone": "13700000001", "idCardNo": id_number(70), "siteIds": [p.site] });
    let manager = admin.post("/user/pc/classManager/save", manager).await.id();
    server.run(&format!("update school_1.class set manager_id = {manager} where id = {class}")).await;
    let one = save(admin, with(student(&p, 1), json!({ "classId": class }))).await;
    let year = server.app.clock().today().year();
    server
        .run(&format!(
            "update school_1.student set expected_graduation_on = '{year}-07-10', enrolled_on = '2024-03-01' where id = {one}"
        ))
        .await;
    setting(server, "classManagerReview", &json!(true)).await;
    for group in GROUPS {
        let text = (group == COMMITMENT).then_some("本人{name}承诺所提交的材料真实有效。");
        let body = with(window(server, &p), json!({ "templateText": text }));
        admin.post(&format!("{group}/window/save"), body).await.id();
    }
    let desk = entered(server, "B01", &initial(70), "class_manager").await;
    let student = entered(server, "2600000001", &initial(1), "student").await;
    life.client = desk.clone();
    for group in GROUPS {
        let body = json!({ "requestId": format!("remind {group}"), "classIds": [class] });
        let reminded = life.post(&format!("{}/remind", own(group)), body).await;
        assert_eq!(reminded["done"], json!(1), "{group} {reminded}");
    }
    life.client = student;
    for group in GROUPS {
        fill(life, admin, group).await;
    }
    file(life).await;
    life.client = desk;
    for group in GROUPS {
        look(life, group, p.grade).await;
    }
    let students = life.post("/user/client/student/list", json!({})).await;
    assert_eq!(students["totalCount"], json!(1), "{students}");
}

/// The student's form, kept and handed in.
async fn fill(life: &mut Life<'_>, admin: &Client<'_>, group: &str) {
    let path = own(group);
    let view = life.get(&format!("{path}/view")).await;
    let form = match group {
        INFORMATION => information(&view),
        COMMITMENT => commitment(&paper(admin, "学历报告.pdf").await),
        _ => graduation(&view),
    };
    let draft = with(form.clone(), json!({ "requestId": format!("save {group}"), "version": view["version"] }));
    life.put(&format!("{path}/save"), draft).await;
    let version = life.get(&format!("{path}/view")).await["version"].clone();
    let whole = with(form, json!({ "requestId": format!("submit {group}"), "version": version }));
    life.post(&format!("{path}/submit"), whole).await;
}

/// The student's own file.
async fn file(life: &mut Life<'_>) {
    let mine = life.get("/user/client/profile/view").await;
    let edit =
        json!({ "requestId": "profile", "version": mine["version"], "phone": mine["phone"], "workUnit": "江城机械厂" });
    life.put("/user/client/profile/edit", edit).await;
    life.get("/user/client/statusHistory/list").await;
}

/// The class manager's look at the only form of their class.
async fn look(life: &mut Life<'_>, group: &str, grade: i64) {
    let path = own(group);
    life.post(&format!("{path}/classStatistics"), json!({ "gradeId": grade })).await;
    let row = life.post(&format!("{path}/list"), json!({})).await["list"][0].clone();
    let review = json!({
        "requestId": format!("review {group}"), "id": row["id"], "version": row["version"], "result": "pass",
    });
    life.post(&format!("{path}/classReview"), review).await;
    let row = life.post(&format!("{path}/list"), json!({ "status": "class_passed" })).await;
    assert_eq!(row["totalCount"], json!(1), "{group} {row}");
}
