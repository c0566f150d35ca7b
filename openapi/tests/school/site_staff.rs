//! Site staff and class managers (02 §12.4, §12.6).

use kit::{
    Client, Server,
    cohort::{Cohort, cohort, registrar},
    fields,
    sheets::{import, row_errors},
    site_staff::{MANAGER, STAFF},
};
use serde_json::{Value, json};

fn person(site: i64, n: i64) -> Value {
    json!({ "siteId": site, "name": "刘站长", "phone": format!("1360000{n:04}"), "duty": "principal" })
}

fn manager(site: i64, n: i64) -> Value {
    json!({ "workNo": format!("B{n:03}"), "name": format!("周晓梅{n}"), "phone": format!("1370000{n:04}"), "siteIds": [site] })
}

async fn class(client: &Client<'_>, p: &Cohort, code: &str) -> i64 {
    let body = json!({ "code": code, "gradeId": p.grade, "levelId": p.level, "majorId": p.major, "siteId": p.site });
    client.post("/adult/pc/class/save", body).await.id()
}

async fn seen(client: &Client<'_>, entity: &str, id: i64) -> Value {
    client.get(&format!("{entity}/view?id={id}")).await.data().clone()
}

#[tokio::test]
async fn a_site_keeps_a_principal_and_has_one_first_one() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let mut first = person(p.site, 1);
    first["isPrimary"] = json!(true);
    let id = admin.post(&format!("{STAFF}/save"), first.clone()).await.id();
    assert_eq!(seen(&admin, STAFF, id).await["loginName"], json!("13600000001"), "without a number the phone signs in");
    let gone = admin.delete(&format!("{STAFF}/delete?id={id}")).await;
    assert_eq!(gone.refused(), (409, "站点须保留一名负责人"));
    let mut edit = first.clone();
    (edit["id"], edit["version"], edit["duty"]) = (json!(id), json!(1), json!("academic"));
    assert_eq!(admin.put(&format!("{STAFF}/edit"), edit).await.refused(), (409, "站点须保留一名负责人"));
    let mut second = person(p.site, 2);
    second["isPrimary"] = json!(true);
    let refused = admin.post(&format!("{STAFF}/save"), second.clone()).await;
    assert_eq!(fields(&refused), ["isPrimary: 该站点已有主要负责人，请先取消原来的"]);
    second["isPrimary"] = json!(false);
    admin.post(&format!("{STAFF}/save"), second).await.id();
    assert_eq!(admin.delete(&format!("{STAFF}/delete?id={id}")).await.code(), 200);
}

#[tokio::test]
async fn staff_of_a_site_see_its_people_alone() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = admin.post(&format!("{STAFF}/save"), person(p.site, 1)).await.id();
    let codes = [
        "user:pc:siteStaff:list",
        "user:pc:siteStaff:view",
        "user:pc:siteStaff:save",
        "user:pc:siteStaff:resetPassword",
    ];
    let own = server.staff_within(1, &codes, "named_sites", &[p.site]).await;
    let other = server.staff_within(1, &codes, "named_sites", &[p.site + 1000]).await;
    assert_eq!(own.post(&format!("{STAFF}/list"), json!({})).await.data()["totalCount"], json!(1));
    assert_eq!(other.post(&format!("{STAFF}/list"), json!({})).await.data()["totalCount"], json!(0));
    assert_eq!(other.get(&format!("{STAFF}/view?id={id}")).await.code(), 404);
    let refused = other.post(&format!("{STAFF}/save"), person(p.site, 2)).await;
    assert_eq!(fields(&refused), ["siteId: 所选站点不存在，请重新选择"]);
    let items = json!({ "items": [{ "id": id, "version": 1 }] });
    let reset = other.post(&format!("{STAFF}/resetPassword"), items).await;
    assert_eq!((&reset.data()["done"], &reset.data()["failed"][0]["name"]), (&json!(0), &json!("")));
}

#[tokio::test]
async fn people_of_sites_come_by_sheet() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    let headings = ["站点编码", "姓名", "手机", "职务", "主要负责人"];
    let right: &[&str] = &["CD", "王立", "13500000001", "负责人", "是"];
    let wrong = import(&admin, STAFF, &headings, &[right, &["XX", "李明", "1350000", "校长", "否"]]).await;
    let told = row_errors(wrong.data());
    assert!(told.iter().any(|text| text == "3 站点编码: 编码“XX”不存在"), "{told:?}");
    assert_eq!(server.one::<i64>("select count(*) from school_1.site_staff").await, 0);
    let done = import(&admin, STAFF, &headings, &[right]).await;
    assert_eq!(done.data()["imported"], json!(1), "{}", done.body);
}

#[tokio::test]
async fn a_manager_of_classes_goes_when_they_are_given_away() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (one, two) = (class(&admin, &p, "C1").await, class(&admin, &p, "C2").await);
    let id = admin.post(&format!("{MANAGER}/save"), manager(p.site, 1)).await.id();
    let give = |version: &Value, classes: &[i64]| json!({ "id": id, "version": version, "classIds": classes });
    let path = format!("{MANAGER}/allocation");
    let version = seen(&admin, MANAGER, id).await["version"].clone();
    assert_eq!(admin.put(&path, give(&version, &[one, two])).await.code(), 200);
    let shown = seen(&admin, MANAGER, id).await;
    assert_eq!((&shown["classCount"], &shown["classIds"]), (&json!(2), &json!([one, two])));
    let refused = admin.delete(&format!("{MANAGER}/delete?id={id}")).await;
    assert_eq!(refused.refused(), (409, "仍负责2个班级"));
    let stale = admin.put(&path, give(&version, &[])).await;
    assert_eq!(stale.code(), 409, "somebody allocated since: {}", stale.body);
    assert_eq!(admin.put(&path, give(&shown["version"], &[])).await.code(), 200);
    assert_eq!(admin.delete(&format!("{MANAGER}/delete?id={id}")).await.code(), 200);
    let trail: i64 = server
        .one("select count(*) from school_1.audit_log where entity_type = 'class' and changes::text like '%managerId%'")
        .await;
    assert_eq!(trail, 4, "two classes were given and taken");
}

/// 02 §12.6.7.
#[tokio::test]
async fn a_class_of_another_manager_is_taken_over_knowingly() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let group = class(&admin, &p, "C1").await;
    let first = admin.post(&format!("{MANAGER}/save"), manager(p.site, 1)).await.id();
    let second = admin.post(&format!("{MANAGER}/save"), manager(p.site, 2)).await.id();
    let path = format!("{MANAGER}/allocation");
    let give = |id: i64, version: i64, over: bool| json!({ "id": id, "version": version, "classIds": [group], "takeOver": over });
    assert_eq!(admin.put(&path, give(first, 1, false)).await.code(), 200);
    let told = admin.put(&path, give(second, 1, false)).await;
    assert_eq!(told.code(), 409);
    assert!(told.msg().contains("由周晓梅1负责"), "{}", told.body);
    assert_eq!(admin.put(&path, give(second, 1, true)).await.code(), 200);
    assert_eq!(seen(&admin, MANAGER, first).await["classCount"], json!(0));
    // Who read the first manager before the take-over has read the wrong classes.
    assert_eq!(admin.put(&path, give(first, 2, true)).await.code(), 409);
    let elsewhere = json!({ "code": "S9", "name": "城西站", "kind": "headquarter" });
    let elsewhere = admin.post("/adult/pc/site/save", elsewhere).await.id();
    let third = admin.post(&format!("{MANAGER}/save"), manager(elsewhere, 3)).await.id();
    let refused = admin.put(&path, give(third, 1, true)).await;
    assert_eq!(refused.code(), 422);
    assert!(refused.msg().ends_with("不在该班主任的站点"), "{}", refused.body);
    let mut edit = manager(elsewhere, 2);
    (edit["id"], edit["version"]) = (json!(second), seen(&admin, MANAGER, second).await["version"].clone());
    let kept = admin.put(&format!("{MANAGER}/edit"), edit).await;
    assert_eq!(fields(&kept), ["siteIds: 仍负责城东教学点的班级，不能移除该站点"]);
}

#[tokio::test]
async fn managers_come_by_sheet_with_their_classes() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    class(&admin, &p, "C1").await;
    class(&admin, &p, "C2").await;
    let headings = ["工号", "姓名", "手机", "站点编码", "班级"];
    let wrong = import(&admin, MANAGER, &headings, &[&["B1", "王立", "13500000001", "CD", "C1、C9"]]).await;
    assert_eq!(row_errors(wrong.data()), ["2 班级: 编码“C9”不存在"]);
    let done = import(&admin, MANAGER, &headings, &[&["B1", "王立", "13500000001", "CD", "C1、C2"]]).await;
    assert_eq!(done.data()["imported"], json!(1), "{}", done.body);
    assert_eq!(server.one::<i64>("select count(*) from school_1.class where manager_id is not null").await, 2);
}

#[tokio::test]
async fn a_number_that_signs_somebody_else_in_gives_way_to_the_phone() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let mut staff = person(p.site, 1);
    staff["workNo"] = json!("B001");
    admin.post(&format!("{STAFF}/save"), staff).await.id();
    let id = admin.post(&format!("{MANAGER}/save"), manager(p.site, 1)).await.id();
    assert_eq!(seen(&admin, MANAGER, id).await["loginName"], json!("13700000001"));
}
