//! Supervision: a student who is watched, called, reminded and handed over, and the rules by which others are found.

use serde_json::{Value, json};

use super::{Life, MARK, id};

const SUPERVISE: &str = "/adult/pc/supervise";
const RULE: &str = "/adult/pc/supervise/rule";

pub(super) async fn live(life: &mut Life<'_>, grade: i64, student: i64) {
    life.server.run("update school_1.semester set closed_at = null where current").await;
    rules(life, grade).await;
    let case = watched(life, student).await;
    contacts(life, case, student).await;
    reminders(life, case).await;
    told(life).await;
    steps(life, case).await;
}

async fn rules(life: &mut Life<'_>, grade: i64) {
    let form = json!({ "kind": "silent", "gradeIds": [grade], "yellow": 10, "orange": 20, "red": 40, "graceWeeks": 2 });
    let made = id(&life.post(&format!("{RULE}/save"), form.clone()).await);
    let mut edit = form;
    (edit["id"], edit["version"], edit["red"]) = (json!(made), json!(1), json!(50));
    life.put(&format!("{RULE}/edit"), edit).await;
    let rules = life.get(&format!("{RULE}/list")).await;
    let found =
        rules.as_array().expect("rules").iter().find(|rule| rule["id"] == json!(made)).expect("the rule").clone();
    assert_eq!((&found["red"], &found["scopeName"]), (&json!(50), &json!(format!("{MARK}2026级"))), "{found}");
    life.delete(&format!("{RULE}/delete?id={made}")).await;
    life.post(&format!("{RULE}/reset"), json!({ "kind": "silent" })).await;
}

/// Scans, and opens the case of the student where the scan found nothing.
async fn watched(life: &mut Life<'_>, student: i64) -> i64 {
    let only = json!({ "filter": { "studentId": student } });
    let mut dry = only.clone();
    dry["dryRun"] = json!(true);
    life.post(&format!("{SUPERVISE}/scan"), dry).await;
    life.post(&format!("{SUPERVISE}/scan"), only).await;
    let form = json!({ "studentId": student, "level": "orange", "content": format!("{MARK}家中有变故") });
    let case = id(&life.post(&format!("{SUPERVISE}/save"), form).await);
    let list = life.post(&format!("{SUPERVISE}/list"), json!({ "studentId": student })).await;
    assert_eq!(list["list"][0]["id"], json!(case), "{list}");
    let seen = life.get(&format!("{SUPERVISE}/view?id={case}")).await;
    let flags = seen["flags"].as_array().expect("flags");
    assert!(flags.iter().any(|flag| flag["kind"] == json!("manual")), "{seen}");
    life.post(&format!("{SUPERVISE}/export"), json!({ "studentId": student })).await;
    case
}

async fn contacts(life: &mut Life<'_>, case: i64, student: i64) {
    let next = life.server.app.clock().today() + chrono::Duration::days(7);
    let form = json!({ "caseId": case, "contactWay": "phone", "contactResult": "promised", "lagReason": "busy_work",
        "content": format!("{MARK}承诺本周末补学"), "nextContactOn": next });
    let made = id(&life.post(&format!("{SUPERVISE}/contact"), form).await);
    let edit = json!({ "id": made, "version": 1, "contactWay": "wechat", "contactResult": "promised",
        "content": format!("{MARK}承诺下周补学") });
    life.put(&format!("{SUPERVISE}/contact/edit"), edit).await;
    let list = life.post(&format!("{SUPERVISE}/contact/list"), json!({})).await;
    assert_eq!(list["list"][0]["contactWay"], json!("wechat"), "{list}");
    life.post(&format!("{SUPERVISE}/contact/export"), json!({})).await;
    life.get(&format!("{SUPERVISE}/import/template")).await;
    let of = |column: &str| format!("select {column} from school_1.student where id = {student}");
    let who: (String, String) = (life.server.one(&of("student_no")).await, life.server.one(&of("name")).await);
    let at = life.server.app.clock().now().format("%Y-%m-%d %H:%M").to_string();
    let word = |dictionary: &str, value: &str| {
        format!("select dict_label from platform.dict_data where dict_type = '{dictionary}' and dict_value = '{value}'")
    };
    let way: String = life.server.one(&word("contact_way", "phone")).await;
    let result: String = life.server.one(&word("contact_result", "reached")).await;
    let text = format!("{MARK}已说明补考安排");
    life.import(
        &format!("{SUPERVISE}/import"),
        &["学号", "姓名", "联系时间", "方式", "结果", "内容"],
        &[&[&who.0, &who.1, &at, &way, &result, &text]],
    )
    .await;
}

async fn reminders(life: &mut Life<'_>, case: i64) {
    let asked = json!({ "ids": [case], "channels": ["in_app"], "text": format!("{MARK}请尽快补学") });
    life.post(&format!("{SUPERVISE}/remind/preview"), asked.clone()).await;
    let told = life.post(&format!("{SUPERVISE}/remind"), asked).await;
    assert_eq!(told["done"], json!(1), "{told}");
    let list = life.post(&format!("{SUPERVISE}/remind/list"), json!({})).await;
    assert_eq!(list["list"][0]["caseId"], json!(case), "{list}");
}

async fn told(life: &mut Life<'_>) {
    life.post(&format!("{SUPERVISE}/summary"), json!({})).await;
    for by in ["class", "manager", "kind", "day", "reason"] {
        life.post(&format!("{SUPERVISE}/stat"), json!({ "by": by })).await;
    }
    life.post(&format!("{SUPERVISE}/print/sheet"), json!({})).await;
    life.post(&format!("{SUPERVISE}/print/sheet"), json!({ "whole": true, "reason": format!("{MARK}班主任打电话") }))
        .await;
}

async fn steps(life: &mut Life<'_>, case: i64) {
    let flag = format!("select min(id) from school_1.supervise_flag where case_id = {case} and cleared_at is null");
    let flag: Option<i64> = life.server.one(&flag).await;
    let flag = flag.expect("a live flag");
    for muted in [true, false] {
        let reason = if muted { json!(format!("{MARK}已电话确认")) } else { Value::Null };
        life.put(&format!("{SUPERVISE}/mute"), json!({ "flagId": flag, "muted": muted, "reason": reason })).await;
    }
    let manager: i64 = life.server.one("select id from school_1.class_manager where work_no = 'B9'").await;
    let handed = json!({ "items": [item(life, case).await], "managerId": manager, "remark": format!("{MARK}休产假") });
    let done = life.put(&format!("{SUPERVISE}/allocation"), handed).await;
    assert_eq!(done["done"], json!(1), "{done}");
    let closed = json!({ "items": [item(life, case).await], "status": "closed", "reason": format!("{MARK}无需督学") });
    let done = life.put(&format!("{SUPERVISE}/changeStatus"), closed).await;
    assert_eq!(done["done"], json!(1), "{done}");
}

/// A case as it was read, for its steps.
async fn item(life: &Life<'_>, case: i64) -> Value {
    let seen = life.client.get(&format!("{SUPERVISE}/view?id={case}")).await.data().clone();
    json!({ "id": case, "version": seen["version"] })
}
