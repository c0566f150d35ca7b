//! Who looks after a class, and who sits in it (part 03 A4).

use kit::{
    Client, Server,
    cohort::{Cohort, cohort, registrar},
    fields,
    sheets::{XLSX, row_errors, sheet, texts},
    site_staff::MANAGER,
    students::{save, student},
};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection};

const CLASS: &str = "/adult/pc/class";

async fn class(client: &Client<'_>, p: &Cohort, site: i64, code: &str) -> i64 {
    let body = json!({ "code": code, "name": format!("{code}班"), "gradeId": p.grade, "levelId": p.level, "majorId": p.major, "siteId": site });
    client.post(&format!("{CLASS}/save"), body).await.id()
}

async fn manager(client: &Client<'_>, site: i64, n: i64) -> i64 {
    let body = json!({ "workNo": format!("B{n:03}"), "name": format!("周晓梅{n}"), "phone": format!("1370000{n:04}"), "siteIds": [site] });
    client.post(&format!("{MANAGER}/save"), body).await.id()
}

async fn other_site(client: &Client<'_>) -> i64 {
    client.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西站", "kind": "headquarter" })).await.id()
}

async fn seen(client: &Client<'_>, entity: &str, id: i64) -> Value {
    client.get(&format!("{entity}/view?id={id}")).await.data().clone()
}

/// Sets the manager of these classes of these versions, or takes it away; answers how many, and the others with the reason.
async fn appoint(client: &Client<'_>, classes: &[(i64, i64)], manager: Option<i64>) -> (i64, Vec<String>) {
    let items: Vec<Value> = classes.iter().map(|(id, version)| json!({ "id": id, "version": version })).collect();
    let answer = client.put(&format!("{CLASS}/manager"), json!({ "items": items, "managerId": manager })).await;
    let data = answer.data();
    let text = |row: &Value, field: &str| row[field].as_str().expect("a text").to_owned();
    let failed = data["failed"].as_array().expect("rows");
    let told = failed.iter().map(|row| format!("{}: {}", text(row, "name"), text(row, "msg"))).collect();
    (data["done"].as_i64().expect("a number"), told)
}

#[tokio::test]
async fn several_classes_get_a_manager_at_once_and_each_for_itself() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let away = other_site(&admin).await;
    let one = class(&admin, &p, p.site, "C1").await;
    let two = class(&admin, &p, p.site, "C2").await;
    let elsewhere = class(&admin, &p, away, "C3").await;
    let (first, second) = (manager(&admin, p.site, 1).await, manager(&admin, p.site, 2).await);

    let told = appoint(&admin, &[(one, 1), (two, 1), (elsewhere, 1), (elsewhere + 99, 1)], Some(first)).await;
    let refusals = ["C3班: 班级的站点不在周晓梅1负责的站点内", ": 记录不存在或已被删除"];
    assert_eq!(told, (2, Vec::from(refusals.map(str::to_owned))));
    let listed = admin.post(&format!("{CLASS}/list"), json!({ "managerId": first })).await;
    assert_eq!(listed.data()["totalCount"], json!(2), "{}", listed.body);
    assert_eq!(listed.data()["list"][0]["managerName"], json!("周晓梅1"));
    let sheet = texts(&admin.post(&format!("{CLASS}/export"), json!({ "managerId": first })).await.bytes);
    let at = sheet[0].iter().position(|heading| heading == "班主任").expect("a column");
    assert_eq!((sheet.len(), sheet[1][at].as_str()), (3, "周晓梅1"));
    assert_eq!(seen(&admin, MANAGER, first).await["classIds"], json!([one, two]));

    // The first list is old now; who read it is told by whom.
    let (done, stale) = appoint(&admin, &[(one, 1)], Some(second)).await;
    assert_eq!(done, 0);
    assert!(stale[0].starts_with("C1班: 数据已被教务员于") && stale[0].ends_with("修改，请刷新后重试"), "{stale:?}");
    let again = appoint(&admin, &[(one, 2)], Some(first)).await;
    assert_eq!(again, (0, vec!["C1班: 班主任已是周晓梅1".to_owned()]));

    // Taken over: whoever read the former manager before has read the wrong classes.
    let read = seen(&admin, MANAGER, first).await;
    assert_eq!(appoint(&admin, &[(one, 2)], Some(second)).await, (1, Vec::new()));
    let late = json!({ "id": first, "version": read["version"], "classIds": [one, two] });
    assert_eq!(admin.put(&format!("{MANAGER}/allocation"), late).await.code(), 409);
    assert_eq!(seen(&admin, CLASS, one).await["managerId"], json!(second));

    // A class without students goes to another site, and leaves its manager there.
    let mut moved = json!({ "id": one, "version": 3, "code": "C1", "name": "C1班", "gradeId": p.grade, "levelId": p.level, "majorId": p.major });
    for (site, kept) in [(p.site, json!(second)), (away, json!(null))] {
        moved["siteId"] = json!(site);
        assert_eq!(admin.put(&format!("{CLASS}/edit"), moved.clone()).await.code(), 200);
        let after = seen(&admin, CLASS, one).await;
        assert_eq!(after["managerId"], kept);
        moved["version"] = after["version"].clone();
    }

    let taken = appoint(&admin, &[(two, 2), (elsewhere, 1)], None).await;
    assert_eq!(taken, (1, vec!["C3班: 该班级没有班主任".to_owned()]));
    assert_eq!(seen(&admin, CLASS, two).await["managerName"], json!(null));
    let trail: i64 = server
        .one("select count(*) from school_1.audit_log where entity_type = 'class' and changes::text like '%managerId%'")
        .await;
    assert_eq!(trail, 5, "two were given, one was taken over, one left behind, one taken away");
}

#[tokio::test]
async fn classes_come_with_their_managers() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    other_site(&admin).await;
    let first = manager(&admin, p.site, 1).await;
    let taken = async |rows: &[&[&str]]| {
        let headings = ["班级编码", "年级编码", "层次编码", "校内专业代码", "站点编码", "班主任工号"];
        admin.upload(&format!("{CLASS}/import"), "file", "班级.xlsx", XLSX, &sheet(&headings, rows)).await
    };
    let row =
        |code: &'static str, site: &'static str, manager: &'static str| [code, "2026", "ZSB", "KJ", site, manager];
    let refused = taken(&[&row("C1", "CD", "b001"), &row("C2", "CX", "B001"), &row("C3", "CD", "B999")]).await;
    assert_eq!(
        row_errors(refused.data()),
        ["3 班主任工号: 班级的站点不在周晓梅1负责的站点内", "4 班主任工号: 编码“B999”不存在"]
    );
    let imported = taken(&[&row("C1", "CD", "b001"), &row("C2", "CX", "")]).await;
    assert_eq!(imported.data()["imported"], json!(2), "{}", imported.body);
    let listed = admin.post(&format!("{CLASS}/list"), json!({ "managerId": first })).await;
    assert_eq!(listed.data()["totalCount"], json!(1), "{}", listed.body);
    // Whoever had the manager open before must look again: their classes are others now.
    assert_eq!(seen(&admin, MANAGER, first).await["version"], json!(2));
}

#[tokio::test]
async fn who_leaves_while_classes_come_gets_none_of_them() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let first = manager(&admin, p.site, 1).await;
    let headings = ["班级编码", "年级编码", "层次编码", "校内专业代码", "站点编码", "班主任工号"];
    let file = sheet(&headings, &[&["C1", "2026", "ZSB", "KJ", "CD", "B001"]]);
    let mut leaves = server.owner().await;
    let mut leaving = leaves.begin().await.expect("a transaction");
    let left = format!("update school_1.class_manager set status = 'left' where id = {first}");
    sqlx::query(AssertSqlSafe(left)).execute(&mut *leaving).await.expect("who leaves");
    let path = format!("{CLASS}/import");
    let (taken, ()) = tokio::join!(admin.upload(&path, "file", "班级.xlsx", XLSX, &file), async {
        let waits = "select exists (select from pg_locks l join pg_stat_activity a on a.pid = l.pid
            where not l.granted and a.datname = current_database())";
        server.wait_until(waits).await;
        leaving.commit().await.expect("they left");
    });
    assert_eq!(row_errors(taken.data()), ["2 班主任工号: “周晓梅1”已停用或离职，请选择其他班主任"]);
    assert_eq!(server.one::<i64>("select count(*) from school_1.class").await, 0);
}

#[tokio::test]
async fn only_who_works_here_and_is_seen_looks_after_a_class() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let away = other_site(&admin).await;
    let group = class(&admin, &p, p.site, "C1").await;
    let (first, second) = (manager(&admin, p.site, 1).await, manager(&admin, away, 2).await);
    let path = format!("{CLASS}/manager");
    let wish = |id: i64| json!({ "items": [{ "id": group, "version": 1 }], "managerId": id });
    let unknown = admin.put(&path, wish(second + 99)).await;
    assert_eq!(fields(&unknown), ["managerId: 所选班主任不存在，请重新选择"]);

    let codes = ["adult:pc:class:edit", "adult:pc:options:view"];
    let narrow = server.staff_within(1, &codes, "named_sites", &[away]).await;
    assert_eq!(fields(&narrow.put(&path, wish(first)).await), ["managerId: 所选班主任不存在，请重新选择"]);
    // A class of another site is not even named.
    let told = appoint(&narrow, &[(group, 1)], Some(second)).await;
    assert_eq!(told, (0, vec![": 记录不存在或已被删除".to_owned()]));
    let offered = narrow.get("/adult/pc/options/classManager").await;
    let names = |offered: &Value| -> Vec<String> {
        let rows = offered.as_array().expect("choices");
        rows.iter().map(|row| row["desc"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names(offered.data()), ["周晓梅2（B002）"]);
    let here = admin.get(&format!("/adult/pc/options/classManager?parentId={}", p.site)).await;
    assert_eq!(names(here.data()), ["周晓梅1（B001）"]);

    server.run(&format!("update school_1.class_manager set status = 'left' where id = {first}")).await;
    let left = admin.put(&path, wish(first)).await;
    assert_eq!(fields(&left), ["managerId: “周晓梅1”已停用或离职，请选择其他班主任"]);
    let offered = admin.get(&format!("/adult/pc/options/classManager?parentId={}", p.site)).await;
    assert_eq!(offered.data(), &json!([]));
}

#[tokio::test]
async fn a_roster_names_who_sits_in_the_class_in_order_and_masked() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let group = class(&admin, &p, p.site, "C1").await;
    let head = manager(&admin, p.site, 1).await;
    assert_eq!(appoint(&admin, &[(group, 1)], Some(head)).await, (1, Vec::new()));
    for n in [3, 1, 2, 4] {
        let mut body = student(&p, n);
        (body["classId"], body["name"]) = (json!(group), json!(format!("学生{n}")));
        if n == 2 {
            body.as_object_mut().expect("a body").remove("studentNo");
        }
        save(&admin, body).await;
    }
    server.run("update school_1.student set status = 'graduated' where name = '学生4'").await;
    server.run("update school_1.student set status = 'suspended' where name = '学生3'").await;

    let path = format!("{CLASS}/roster?id={group}");
    let roster = admin.get(&path).await.data().clone();
    let head =
        ["schoolName", "name", "gradeName", "levelName", "majorName", "siteName", "managerName"].map(|at| &roster[at]);
    let wanted = ["东湖示范学院", "C1班", "2026级", "专升本", "会计学", "城东教学点", "周晓梅1"];
    assert_eq!(json!(head), json!(wanted));
    let lines = roster["students"].as_array().expect("students");
    let shown: Vec<Value> = lines.iter().map(|line| json!([line["seq"], line["name"], line["status"]])).collect();
    // Who has no number yet stands at the end; who has ended is not on the sheet.
    assert_eq!(
        json!(shown),
        json!([[1, "学生1", "registered"], [2, "学生3", "suspended"], [3, "学生2", "registered"]])
    );
    assert_eq!((&lines[0]["studentNo"], &lines[0]["phone"]), (&json!("2600000001"), &json!("154****0001")));
    assert!(
        lines.iter().all(|line| line["idCardNo"].as_str().is_some_and(|number| number.contains("****"))),
        "{roster}"
    );
    let count = seen(&admin, CLASS, group).await["studentCount"].clone();
    assert_eq!(count, json!(lines.len()), "the sheet is the figure's");

    assert_eq!((&roster["header"], &roster["sealUrl"]), (&json!("东湖示范学院"), &Value::Null));

    let other = other_site(&admin).await;
    let narrow = server.staff_within(1, &["adult:pc:class:view"], "named_sites", &[other]).await;
    assert_eq!(narrow.get(&path).await.code(), 404);
    let mine = server.staff_within(1, &["adult:pc:class:view"], "named_classes", &[group]).await;
    assert_eq!(mine.get(&path).await.data(), &roster);

    let operator = server.operator().await;
    assert_eq!(fields(&operator.get(&path).await), ["schoolId: 请选择院校"]);
    assert_eq!(operator.get(&format!("{path}&schoolId=1")).await.data(), &roster);
    assert_eq!(operator.get(&format!("{path}&schoolId=2")).await.code(), 404);
}

/// Whoever takes a manager's account sees their sites and classes: of one that reaches further nobody takes it.
#[tokio::test]
async fn nobody_acts_on_the_account_of_a_manager_who_reaches_further() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let away = other_site(&admin).await;
    let codes = ["resetPassword", "changeStatus", "oneClickLogin", "delete", "list", "view"]
        .map(|action| format!("user:pc:classManager:{action}"));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[p.site]).await;
    let own = manager(&admin, p.site, 1).await;
    let body = json!({ "workNo": "B002", "name": "周晓梅2", "phone": "13700000002", "siteIds": [p.site, away] });
    let further = admin.post(&format!("{MANAGER}/save"), body).await.id();
    const FURTHER: &str = "该班主任还负责您数据范围以外的站点或班级，请由数据范围更大的人员办理";
    for (id, refused) in [(further, true), (own, false)] {
        let version = seen(&narrow, MANAGER, id).await["accountVersion"].clone();
        let mut item = json!({ "items": [{ "id": id, "version": version }] });
        let reset = narrow.post(&format!("{MANAGER}/resetPassword"), item.clone()).await;
        assert_eq!(reset.data()["failed"][0]["msg"].as_str() == Some(FURTHER), refused, "{}", reset.body);
        let unlocked = narrow.put(&format!("{MANAGER}/unlock"), item.clone()).await;
        assert_eq!(unlocked.data()["failed"][0]["msg"].as_str() == Some(FURTHER), refused, "{}", unlocked.body);
        item["enabled"] = json!(false);
        let answer = narrow.put(&format!("{MANAGER}/update/status"), item).await;
        assert_eq!(answer.data()["failed"][0]["msg"].as_str() == Some(FURTHER), refused, "{}", answer.body);
        let entered = narrow.get(&format!("{MANAGER}/oneClickLogin?id={id}&reason=%E6%A0%B8%E5%AF%B9")).await;
        assert_eq!(entered.refused() == (403, FURTHER), refused, "{}", entered.body);
        let deleted = narrow.delete(&format!("{MANAGER}/delete?id={id}")).await;
        assert_eq!(deleted.refused() == (403, FURTHER), refused, "{}", deleted.body);
    }
}
