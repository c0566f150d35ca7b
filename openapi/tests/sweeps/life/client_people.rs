//! People of the clients: one of each kind in the school, their menus on the platform.

use kit::{
    site_staff::{MANAGER, STAFF},
    teachers::TEACHER,
};
use poem::http::Method;
use serde_json::{Value, json};

use super::{Life, MARK, id};

const CLASS: &str = "/adult/pc/class";
const WHY: &str = "reason=%E6%A0%B8%E5%AF%B9%E8%AF%BE%E7%A8%8B";

/// One of each kind, and what can be deleted at the end.
pub(super) async fn live(life: &mut Life<'_>, organization: i64, site: i64, class: i64) -> Vec<(&'static str, i64)> {
    life.server.run("update platform.school set domain = 'jia.example.cn' where id = 1").await;
    life.server.run("select pg_notify('chengjiao', 'school:1')").await;
    let teacher = |n: i64, name: &str| json!({ "workNo": format!("T{n}"), "name": format!("{MARK}{name}"), "phone": format!("1390000000{n}"), "organizationId": organization });
    let staff = |n: i64, name: &str| json!({ "siteId": site, "name": format!("{MARK}{name}"), "phone": format!("1360000000{n}"), "duty": "academic" });
    let manager = |n: i64, name: &str| json!({ "workNo": format!("B{n}"), "name": format!("{MARK}{name}"), "phone": format!("1370000000{n}"), "siteIds": [site] });
    person(life, TEACHER, teacher(1, "陈老师")).await;
    person(life, STAFF, staff(1, "刘站长")).await;
    let of_class = person(life, MANAGER, manager(1, "周老师")).await;
    let version = life.get(&format!("{MANAGER}/view?id={of_class}")).await["version"].clone();
    let allocation = json!({ "id": of_class, "version": version, "classIds": [class] });
    life.put(&format!("{MANAGER}/allocation"), allocation).await;
    for manager in [None, Some(of_class)] {
        let version = life.get(&format!("{CLASS}/view?id={class}")).await["version"].clone();
        let wanted = json!({ "items": [{ "id": class, "version": version }], "managerId": manager });
        let answer = life.put(&format!("{CLASS}/manager"), wanted).await;
        assert_eq!(answer["done"], json!(1), "{answer}");
    }
    life.get("/adult/pc/options/classManager").await;
    life.get(&format!("{CLASS}/roster?id={class}")).await;
    let name = |name: &str| format!("{MARK}{name}");
    life.import(
        &format!("{TEACHER}/import"),
        &["工号", "姓名", "手机", "机构"],
        &[&["T9", &name("钱老师"), "13900000009", "JG"]],
    )
    .await;
    life.import(
        &format!("{STAFF}/import"),
        &["站点编码", "姓名", "手机", "职务"],
        &[&["S1", &name("孙站长"), "13600000009", "教务"]],
    )
    .await;
    life.import(
        &format!("{MANAGER}/import"),
        &["工号", "姓名", "手机", "站点编码"],
        &[&["B9", &name("李主任"), "13700000009", "S1"]],
    )
    .await;
    let mut deleted = Vec::new();
    for n in [2, 3] {
        deleted.push((TEACHER, id(&life.post(&format!("{TEACHER}/save"), teacher(n, "多余教师")).await)));
    }
    for n in [2, 3] {
        deleted.push((STAFF, id(&life.post(&format!("{STAFF}/save"), staff(n, "多余站长")).await)));
    }
    for n in [2, 3] {
        deleted.push((MANAGER, id(&life.post(&format!("{MANAGER}/save"), manager(n, "多余主任")).await)));
    }
    deleted
}

/// save, view, list, edit, the steps on the account, one-click sign-in, the sheets.
async fn person(life: &mut Life<'_>, entity: &str, form: Value) -> i64 {
    let made = id(&life.post(&format!("{entity}/save"), form.clone()).await);
    let mut edit = form;
    edit["id"] = json!(made);
    edit["version"] = life.get(&format!("{entity}/view?id={made}")).await["version"].clone();
    edit["remark"] = json!("第一次");
    life.put(&format!("{entity}/edit"), edit).await;
    life.post(&format!("{entity}/list"), json!({})).await;
    life.post(&format!("{entity}/export"), json!({})).await;
    life.get(&format!("{entity}/import/template")).await;
    for enabled in [false, true] {
        let mut body = item(life, entity, made).await;
        body["enabled"] = json!(enabled);
        life.put(&format!("{entity}/update/status"), body).await;
    }
    let body = item(life, entity, made).await;
    life.post(&format!("{entity}/resetPassword"), body).await;
    let body = item(life, entity, made).await;
    life.put(&format!("{entity}/unlock"), body).await;
    life.get(&format!("{entity}/oneClickLogin?id={made}&{WHY}")).await;
    made
}

async fn item(life: &mut Life<'_>, entity: &str, id: i64) -> Value {
    let row = life.get(&format!("{entity}/view?id={id}")).await;
    json!({ "items": [{ "id": id, "version": row["accountVersion"] }] })
}

/// The student client as the student sees it.
pub(super) async fn student(life: &mut Life<'_>, student: i64) {
    life.get(&format!("/user/pc/student/oneClickLogin?id={student}&{WHY}")).await;
}

const MENU: &str = "/user/pc/menu";

/// The operator's: the menus of the clients.
pub(super) async fn platform(life: &mut Life<'_>) {
    for (client, word) in [("student", "Student"), ("teacher", "Teacher"), ("site", "Site")] {
        let form = json!({ "clientKind": client, "name": "首页", "path": "/home" });
        let menu = id(&life.post(&format!("{MENU}/save"), form.clone()).await);
        let mut edit = form;
        (edit["id"], edit["version"], edit["sort"]) = (json!(menu), json!(1), json!(5));
        life.put(&format!("{MENU}/edit"), edit).await;
        life.get(&format!("{MENU}/{client}List")).await;
        life.step(&format!("{MENU}/disableOrEnable{word}Menu?id={menu}")).await;
        life.call(Method::DELETE, &format!("{MENU}/delete?id={menu}"), super::Sent::Nothing).await;
    }
    life.get(&format!("{MENU}/pageList")).await;
}
