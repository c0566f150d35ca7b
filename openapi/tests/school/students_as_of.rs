//! The register of a day, out of the history of each student.

use chrono::Days;
use kit::{
    Client, Server,
    cohort::{cohort, registrar},
    corrections::{CORRECTION, audit, correction, evidence},
    fields,
    sheets::texts,
    students::{ROLL, save, student},
};
use serde_json::{Value, json};

async fn standing(client: &Client<'_>, on: &str, more: Value) -> Vec<Value> {
    let mut filter = json!({ "on": on });
    for (field, value) in more.as_object().expect("fields") {
        filter[field] = value.clone();
    }
    let told = client.post(&format!("{ROLL}/asOf/list"), filter).await;
    assert_eq!(told.code(), 200, "{}", told.body);
    assert_eq!(told.data()["totalCount"], json!(told.data()["list"].as_array().map(Vec::len)));
    told.data()["list"].as_array().expect("rows").clone()
}

/// Who was where on a day, under which name, in which state.
#[tokio::test]
async fn a_day_is_told_as_it_was() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let today = server.app.clock().today();
    let yesterday = (today - Days::new(1)).to_string();
    let today = today.to_string();
    let (moved, named, quiet) =
        (save(&admin, student(&p, 1)).await, save(&admin, student(&p, 2)).await, save(&admin, student(&p, 3)).await);
    let class = admin.post("/adult/pc/class/save", p.class("KJ1")).await.id();
    let version = async |id: i64| admin.get(&format!("{ROLL}/view?id={id}")).await.data()["version"].clone();
    let items = json!([{ "id": moved, "version": version(moved).await }]);
    let put = admin.put("/user/pc/student/divide", json!({ "items": items, "classId": class })).await;
    assert_eq!(put.data()["done"], json!(1), "{}", put.body);
    let papers = evidence(&admin, &["id_card", "hukou", "police_certificate"]).await;
    let body = correction(named, "changed_by_police", json!({ "name": "张小梅", "attachments": papers }));
    let id = admin.post(&format!("{CORRECTION}/save"), body).await.id();
    let second = registrar(&server).await;
    assert_eq!(audit(&second, id, "pass", json!({})).await.id(), id);
    let number = json!({ "provinceDocNo": "省教学籍〔2026〕12号" });
    assert_eq!(audit(&second, id, "pass", number).await.id(), id);
    let items = json!([{ "id": quiet, "version": version(quiet).await }]);
    server.run(&format!("update school_1.student set max_study_end_on = '{yesterday}' where id = {quiet}")).await;
    let mark = json!({ "items": items, "status": "expired", "remark": "已提醒" });
    let expired = admin.put(&format!("{ROLL}/changeStatus"), mark).await;
    assert_eq!(expired.data()["done"], json!(1), "{}", expired.body);

    let told = async |on: &str| -> Vec<(Value, Value, Value, Value)> {
        let rows = standing(&admin, on, json!({})).await;
        rows.iter()
            .map(|row| {
                (row["name"].clone(), row["className"].clone(), row["status"].clone(), row["laterChanges"].clone())
            })
            .collect()
    };
    let of = |name: &str, class: Option<&str>, status: &str, later: i64| {
        (json!(name), json!(class), json!(status), json!(later))
    };
    let class_name = admin.get(&format!("/adult/pc/class/view?id={class}")).await.data()["name"].clone();
    let class_name = class_name.as_str();
    assert_eq!(
        told(&today).await,
        [
            of("张晓梅", None, "expired", 0),
            of("张小梅", None, "registered", 0),
            of("张晓梅", class_name, "registered", 0)
        ]
    );
    assert_eq!(
        told(&yesterday).await,
        [of("张晓梅", None, "registered", 1), of("张晓梅", None, "registered", 1), of("张晓梅", None, "registered", 1)]
    );
    assert_eq!(told("2026-02-28").await, [], "before they entered");

    // Filters are of that day.
    let ids = async |on: &str, filter: Value| -> Vec<i64> {
        standing(&admin, on, filter).await.iter().filter_map(|row| row["id"].as_i64()).collect()
    };
    assert_eq!(ids(&today, json!({ "classId": class })).await, [moved]);
    assert_eq!(ids(&yesterday, json!({ "classId": class })).await, [0_i64; 0]);
    assert_eq!(ids(&today, json!({ "keyword": "小梅" })).await, [named]);
    assert_eq!(ids(&yesterday, json!({ "keyword": "小梅" })).await, [0_i64; 0]);
    assert_eq!(ids(&today, json!({ "status": ["expired"] })).await, [quiet]);
    assert_eq!(ids(&yesterday, json!({ "status": ["expired"] })).await, [0_i64; 0]);
    assert_eq!(ids(&yesterday, json!({ "id": quiet })).await, [quiet]);
    assert_eq!(standing(&admin, &today, json!({ "id": moved })).await[0]["idCardNo"], json!("429***********0013"));

    let tomorrow = (server.app.clock().today() + Days::new(1)).to_string();
    let early = admin.post(&format!("{ROLL}/asOf/list"), json!({ "on": tomorrow })).await;
    assert_eq!(fields(&early), ["on: 日期不能晚于今天"]);
    let far = admin
        .post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西教学点", "shortName": "城西", "kind": "headquarter", "phone": "13800000009" }))
        .await
        .id();
    let narrow = server.staff_within(1, &["adult:pc:studentRoll:list"], "named_sites", &[far]).await;
    assert_eq!(standing(&narrow, &today, json!({})).await, [] as [Value; 0]);

    let rows = texts(&admin.post(&format!("{ROLL}/asOf/export"), json!({ "on": yesterday })).await.bytes);
    assert_eq!((rows.len(), rows[1][2].as_str()), (4, "张晓梅"));
}

/// Who has moved on since is found where they were, and nowhere else: the first change behind the day tells it.
#[tokio::test]
async fn a_day_finds_who_has_moved_on_since() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let today = server.app.clock().today();
    let ago = |days: u64| (today - Days::new(days)).to_string();
    let (moved, stayed, ended) =
        (save(&admin, student(&p, 1)).await, save(&admin, student(&p, 2)).await, save(&admin, student(&p, 3)).await);
    let first = admin.post("/adult/pc/class/save", p.class("KJ1")).await.id();
    let second = admin.post("/adult/pc/class/save", p.class("KJ2")).await.id();
    let version = async |id: i64| admin.get(&format!("{ROLL}/view?id={id}")).await.data()["version"].clone();
    // As if what was done last had been done on an earlier day.
    let backdate = async |day: String| {
        let last = "(select max(id) from school_1.student_status_change)";
        server
            .run(&format!("update school_1.student_status_change set effective_on = '{day}' where id = {last}"))
            .await;
    };
    for (id, class, day) in [(moved, first, ago(20)), (stayed, first, ago(20)), (moved, second, ago(10))] {
        let items = json!([{ "id": id, "version": version(id).await }]);
        let put = admin.put("/user/pc/student/divide", json!({ "items": items, "classId": class })).await;
        assert_eq!(put.data()["done"], json!(1), "{}", put.body);
        backdate(day).await;
    }
    server.run(&format!("update school_1.student set max_study_end_on = '{}' where id = {ended}", ago(1))).await;
    let items = json!([{ "id": ended, "version": version(ended).await }]);
    let mark = json!({ "items": items, "status": "expired", "remark": "已提醒" });
    assert_eq!(admin.put(&format!("{ROLL}/changeStatus"), mark).await.data()["done"], json!(1));
    backdate(ago(5)).await;

    let ids = async |on: &str, filter: Value| -> Vec<i64> {
        standing(&admin, on, filter).await.iter().filter_map(|row| row["id"].as_i64()).collect()
    };
    let of = |class: i64| json!({ "classId": class });
    assert_eq!(ids(&ago(15), of(first)).await, [stayed, moved]);
    assert_eq!(ids(&ago(15), of(second)).await, [0_i64; 0]);
    assert_eq!(ids(&ago(5), of(first)).await, [stayed]);
    assert_eq!(ids(&ago(5), of(second)).await, [moved]);
    assert_eq!(ids(&ago(25), of(first)).await, [0_i64; 0], "before they were seated");
    assert_eq!(ids(&ago(25), json!({ "siteId": p.site })).await, [ended, stayed, moved], "a move names the site too");
    assert_eq!(ids(&ago(6), json!({ "status": ["registered"] })).await, [ended, stayed, moved]);
    assert_eq!(ids(&ago(5), json!({ "status": ["registered"] })).await, [stayed, moved]);
    assert_eq!(ids(&ago(6), json!({ "status": ["expired"] })).await, [0_i64; 0]);
    let both = json!({ "classId": first, "status": ["registered"], "gradeId": p.grade, "keyword": "张" });
    assert_eq!(ids(&ago(15), both).await, [stayed, moved]);
    let row = standing(&admin, &ago(15), of(first)).await[1].clone();
    let class_name = admin.get(&format!("/adult/pc/class/view?id={first}")).await.data()["name"].clone();
    assert_eq!((&row["className"], &row["laterChanges"]), (&class_name, &json!(1)));

    // The last page is read from the other end.
    let page = |current: i64| json!({ "on": ago(15), "pageSize": 1, "pageCurrent": current });
    for (current, wanted) in [(1, Some(ended)), (2, Some(stayed)), (3, Some(moved)), (4, None)] {
        let told = admin.post(&format!("{ROLL}/asOf/list"), page(current)).await;
        assert_eq!(
            (&told.data()["totalCount"], told.data()["list"][0]["id"].as_i64()),
            (&json!(3), wanted),
            "{current}"
        );
    }
}
