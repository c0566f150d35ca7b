//! How a registrar works on lists: states with their counts, pasted names, files of chosen columns, views, a new school's
//! first steps.

use kit::{
    Client, Server,
    cohort::{cohort, registrar},
    fields,
    sheets::texts,
    students::{ROLL, id_number, save, student},
};
use serde_json::{Value, json};

const VIEW: &str = "/system/pc/saved/view";
const HOME: &str = "/data/pc/dashboard/school";

fn segment(list: &Value, value: &str) -> i64 {
    let found = list["segments"].as_array().expect("segments").iter().find(|segment| segment["value"] == json!(value));
    found.and_then(|segment| segment["count"].as_i64()).unwrap_or_else(|| panic!("{value} is not in {list}"))
}

async fn listed(client: &Client<'_>, filter: Value) -> Value {
    client.post(&format!("{ROLL}/list"), filter).await.data().clone()
}

#[tokio::test]
async fn each_state_tells_the_total_of_the_list_that_it_leads_to_within_the_scope() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    for n in 1..=3 {
        save(&admin, student(&p, n)).await;
    }
    server
        .run("update school_1.student set status = 'suspended' where id = (select max(id) from school_1.student)")
        .await;
    let all = listed(&admin, json!({ "scope": "suspended" })).await;
    assert_eq!((&all["totalCount"], segment(&all, "suspended")), (&json!(1), 1));
    assert_eq!((segment(&all, "registered"), segment(&all, "all"), segment(&all, "withdrawn")), (2, 3, 0));
    for state in ["all", "registered", "suspended", "expired"] {
        let list = listed(&admin, json!({ "scope": state })).await;
        assert_eq!(list["totalCount"], json!(segment(&all, state)), "{state}");
    }
    let one = listed(&admin, json!({ "keyword": id_number(1) })).await;
    assert_eq!((segment(&one, "registered"), segment(&one, "suspended")), (1, 0));
    let site =
        admin.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西", "kind": "headquarter" })).await.id();
    let narrow = server.staff_within(1, &["adult:pc:studentRoll:list"], "named_sites", &[site]).await;
    assert_eq!(segment(&listed(&narrow, json!({})).await, "all"), 0);
}

#[tokio::test]
async fn a_pasted_list_finds_by_name_and_number_and_tells_what_it_does_not_find() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    for n in 1..=3 {
        save(&admin, student(&p, n)).await;
    }
    let pasted = json!({ "among": [id_number(1), " 15400000002 ", "无此人", "2026999999"] });
    let found = listed(&admin, pasted.clone()).await;
    assert_eq!(found["totalCount"], json!(2), "{found}");
    assert_eq!(found["notFound"], json!(["无此人", "2026999999"]));
    // The steps of the list act on the result.
    let step = json!({ "filter": pasted, "classId": null });
    assert!(admin.put("/user/pc/student/divide", step).await.data()["jobId"].is_number());
    let many: Vec<String> = (0..501).map(|n| n.to_string()).collect();
    assert_eq!(fields(&admin.post(&format!("{ROLL}/list"), json!({ "among": many })).await).len(), 1);
    // What lies outside the scope is not found, as if it were not there.
    let site =
        admin.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西", "kind": "headquarter" })).await.id();
    let narrow = server.staff_within(1, &["adult:pc:studentRoll:list"], "named_sites", &[site]).await;
    assert_eq!(listed(&narrow, json!({ "among": [id_number(1)] })).await["notFound"], json!([id_number(1)]));
}

#[tokio::test]
async fn a_file_has_the_columns_that_are_asked_for_in_their_order() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    save(&admin, student(&p, 1)).await;
    let asked = format!("{ROLL}/export?columns=%E5%B1%82%E6%AC%A1,%E5%A7%93%E5%90%8D");
    assert_eq!(texts(&admin.post(&asked, json!({})).await.bytes)[0], ["层次", "姓名"]);
    let unknown = admin.post(&format!("{ROLL}/export?columns=%E6%98%9F%E5%BA%A7"), json!({})).await;
    assert_eq!(fields(&unknown), ["columns: 没有名为“星座”的列，请重新选择"]);
}

#[tokio::test]
async fn a_view_is_its_owners_until_it_is_shared_with_the_office() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let colleague = server.staff(1, &["adult:pc:studentRoll:list"]).await;
    let form = json!({
        "list": "listStudents", "name": "未分班", "path": "/schoolPC/studentStatus/studentRoll/BeRegistered",
        "query": "assigned=false", "columns": ["name", "status"],
    });
    let id = admin.post(&format!("{VIEW}/save"), form.clone()).await.id();
    let twice = admin.post(&format!("{VIEW}/save"), form.clone()).await;
    assert_eq!(fields(&twice), ["name: 已有名为“未分班”的视图，请换一个名称"]);
    assert_eq!(colleague.get(&format!("{VIEW}/list")).await.data(), &json!([]));
    assert_eq!(colleague.put(&format!("{VIEW}/pin"), json!({ "id": id, "pinned": true })).await.code(), 404);
    let share = json!({ "id": id, "shared": true });
    assert_eq!(colleague.put(&format!("{VIEW}/share"), share.clone()).await.code(), 403);
    assert_eq!(admin.put(&format!("{VIEW}/share"), share).await.code(), 200);
    assert_eq!(colleague.put(&format!("{VIEW}/pin"), json!({ "id": id, "pinned": true })).await.code(), 200);
    let seen = colleague.get(&format!("{VIEW}/list")).await.data()[0].clone();
    assert_eq!(
        (&seen["mine"], &seen["pinned"], &seen["query"]),
        (&json!(false), &json!(true), &json!("assigned=false"))
    );
    // The pin is one's own, and nobody changes a colleague's view.
    assert_eq!(admin.get(&format!("{VIEW}/list")).await.data()[0]["pinned"], json!(false));
    assert_eq!(colleague.delete(&format!("{VIEW}/delete?id={id}")).await.code(), 404);
    assert_eq!(admin.delete(&format!("{VIEW}/delete?id={id}")).await.code(), 200);
    assert_eq!(colleague.get(&format!("{VIEW}/list")).await.data(), &json!([]));
}

#[tokio::test]
async fn a_new_school_is_told_its_steps_until_each_has_something() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let home = admin.get(HOME).await;
    let steps = home.data()["setup"].as_array().expect("steps").clone();
    let count = |key: &str| steps.iter().find(|step| step["key"] == json!(key)).map(|step| step["count"].clone());
    assert_eq!((count("sites"), count("students")), (Some(json!(0)), Some(json!(0))), "{}", home.body);
    // Part of the school is nobody's to set up.
    let site =
        admin.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西", "kind": "headquarter" })).await.id();
    let codes = ["data:pc:dashboard:view", "adult:pc:site:list"];
    let narrow = server.staff_within(1, &codes, "named_sites", &[site]).await;
    assert_eq!(narrow.get(HOME).await.data()["setup"], json!([]));
}

#[tokio::test]
async fn open_work_says_since_when_it_waits() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    save(&admin, student(&p, 1)).await;
    let home = admin.get(HOME).await;
    let todos = home.data()["todos"].as_array().expect("todos").clone();
    let loose = todos.iter().find(|todo| todo["key"] == json!("studentsWithoutClass")).expect("the students").clone();
    assert_eq!(loose["count"], json!(1), "{loose}");
    assert!(loose["oldest"].is_string(), "{loose}");
    let list = listed(&admin, json!({ "assigned": false })).await;
    assert_eq!(list["totalCount"], loose["count"]);
}
