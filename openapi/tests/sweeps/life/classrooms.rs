//! Rooms of a site, filings of majors, generated classes, who sits in which class, and what rolls over into the next year.

use serde_json::{Value, json};

use super::{Life, MARK, id, school::default_set};

const ROOM: &str = "/adult/pc/classroom";
const FILING: &str = "/adult/pc/forecastingMajor";
const STUDENT: &str = "/user/pc/student";
const ROLL: &str = "/adult/pc/studentRoll";

/// Where things are made.
pub(super) struct At {
    pub(super) grade: i64,
    pub(super) major: i64,
    pub(super) site: i64,
    pub(super) other_site: i64,
    pub(super) class: i64,
}

/// Answers what can be deleted at the end.
pub(super) async fn live(life: &mut Life<'_>, at: &At) -> Vec<(&'static str, i64)> {
    let room = |no: &str| json!({ "siteId": at.site, "roomNo": no, "name": format!("{MARK}教室{no}"), "roomType": "lab", "capacity": 60 });
    default_set(life, ROOM, room("301"), json!({ "examCapacity": 30 })).await;
    life.import(&format!("{ROOM}/import"), &["站点编码", "房间号", "类型", "容量"], &[&["S1", "302", "机房", "40"]])
        .await;
    let mut deleted = Vec::new();
    for no in ["401", "402"] {
        deleted.push((ROOM, id(&life.post(&format!("{ROOM}/save"), room(no)).await)));
    }
    filings(life, at, &mut deleted).await;
    let generation = |dry_run: bool| json!({ "gradeId": at.grade, "items": [{ "majorId": at.major, "siteId": at.site, "count": 2 }], "dryRun": dry_run });
    life.post("/adult/pc/class/generate", generation(false)).await;
    deleted
}

async fn filings(life: &mut Life<'_>, at: &At, deleted: &mut Vec<(&'static str, i64)>) {
    let filing = |year: i32| json!({ "year": year, "gradeId": at.grade, "majorId": at.major, "plannedQuota": 100, "siteIds": [at.other_site] });
    let made = id(&life.post(&format!("{FILING}/save"), filing(2026)).await);
    let mut edit = filing(2026);
    edit["id"] = json!(made);
    edit["version"] = json!(1);
    edit["plannedQuota"] = json!(120);
    life.put(&format!("{FILING}/edit"), edit.clone()).await;
    life.post(&format!("{FILING}/list"), json!({})).await;
    life.post(&format!("{FILING}/export"), json!({})).await;
    for (call, more) in [
        ("submit", json!({})),
        ("reject", json!({ "reason": "材料不全" })),
        ("submit", json!({})),
        ("audit", json!({ "filedOn": "2026-01-20", "filingNo": "B2026-1" })),
    ] {
        let seen = life.get(&format!("{FILING}/view?id={made}")).await;
        let mut version = seen["version"].clone();
        if seen["status"] == json!("rejected") {
            // What was refused is looked over before it is sent again.
            edit["version"] = version;
            life.put(&format!("{FILING}/edit"), edit.clone()).await;
            version = life.get(&format!("{FILING}/view?id={made}")).await["version"].clone();
        }
        let mut body = json!({ "items": [{ "id": made, "version": version }] });
        for (field, value) in more.as_object().expect("fields") {
            body[field] = value.clone();
        }
        let answer = life.put(&format!("{FILING}/{call}"), body).await;
        assert_eq!(answer["done"], json!(1), "{call} {answer}");
    }
    life.post(&format!("{FILING}/copy"), json!({ "fromYear": 2026, "toYear": 2027, "gradeId": at.grade })).await;
    let copied = life.post(&format!("{FILING}/list"), json!({ "year": 2027 })).await["list"][0].clone();
    let item = json!({ "items": [{ "id": copied["id"], "version": copied["version"] }] });
    life.put(&format!("{FILING}/submit"), item).await;
    life.get(&format!("{FILING}/result/import/template")).await;
    life.import(
        &format!("{FILING}/result/import"),
        &["招生年份", "校内专业代码", "结果", "备案号"],
        &[&["2027", "0412", "通过", "B2027-1"]],
    )
    .await;
    let version = life.get(&format!("{FILING}/view?id={made}")).await["version"].clone();
    life.put(&format!("{FILING}/withdraw"), json!({ "id": made, "version": version, "reason": "今年不招" })).await;
    for year in [2028, 2029] {
        deleted.push((FILING, id(&life.post(&format!("{FILING}/save"), filing(year)).await)));
    }
}

/// Divides the only student without a class, takes it back, seats them by hand, and moves another by sheet.
pub(super) async fn divide(life: &mut Life<'_>, at: &At) {
    let wish = json!({ "gradeId": at.grade, "mode": "balance", "order": "name_pinyin", "dryRun": true });
    let plan = life.post(&format!("{STUDENT}/autoDivide"), wish.clone()).await;
    assert_eq!(plan["students"], json!(1), "{plan}");
    let mut sure = wish;
    sure["dryRun"] = json!(false);
    sure["planHash"] = plan["planHash"].clone();
    life.post(&format!("{STUDENT}/autoDivide"), sure).await;
    life.put(&format!("{STUDENT}/divide/undo"), json!({ "planHash": plan["planHash"] })).await;
    let unassigned: Value =
        life.post(&format!("{ROLL}/list"), json!({ "scope": "all", "assigned": false })).await["list"][0].clone();
    let body = json!({ "items": [{ "id": unassigned["id"], "version": unassigned["version"] }], "classId": at.class });
    let answer = life.put(&format!("{STUDENT}/divide"), body).await;
    assert_eq!(answer["done"], json!(1), "{answer}");
    life.get(&format!("{STUDENT}/divide/import/template")).await;
    let (name, class) = (format!("{MARK}张晓梅"), format!("{MARK}会计9班"));
    life.import(&format!("{STUDENT}/divide/import"), &["学号", "姓名", "班级名称"], &[&["26300412001", &name, &class]])
        .await;
}

/// The grade, its classes and the semesters of its year, into the next.
pub(super) async fn roll_over(life: &mut Life<'_>, at: &At) {
    let path = "/adult/pc/grade/rollOver";
    let plan = life.post(&format!("{path}/preview"), json!({ "gradeId": at.grade })).await;
    let new = |rows: &Value| -> Vec<Value> {
        let rows = rows.as_array().expect("rows");
        rows.iter().filter(|row| row["state"] == json!("new")).map(|row| row["sourceId"].clone()).collect()
    };
    let order = json!({
        "gradeId": plan["gradeId"], "year": plan["year"], "digest": plan["digest"], "grade": true,
        "semesterIds": new(&plan["semesters"]), "classIds": new(&plan["classes"]),
    });
    let done = life.post(&format!("{path}/save"), order).await;
    assert!(done["grades"] == json!(1) && done["classes"].as_i64() > Some(0), "{plan} {done}");
}
