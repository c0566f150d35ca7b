//! What students state and sign, as the school collects it: three groups of forms with their windows, steps, sheets and archives;
//! then the national register, who owes money, and what the school says of itself.

use chrono::Datelike;
use kit::{
    cohort::Cohort,
    files::paper,
    information::{
        COMMITMENT, GRADUATION, INFORMATION, commitment, form_of, graduation, information, photographed, window, with,
    },
    jobs::ended,
    students::id_number_of,
};
use poem::http::Method;
use serde_json::{Value, json};

use super::{Life, MARK, Sent, classrooms::At, id};

const ROLL: &str = "/adult/pc/studentRoll";
const SCHOOL: &str = "/user/pc/schoolInfo";
const PROMISE: &str = "本人{name}（{idCardNo}）承诺：报读{school}{level}{major}专业所提交的材料真实有效。";

/// Two wait for registration and two graduate; the first of each goes the long way.
pub(super) async fn live(life: &mut Life<'_>, at: &At, level: i64) {
    let one = student(life, at, level, (1, "pending_registration")).await;
    let two = student(life, at, level, (2, "pending_registration")).await;
    let three = student(life, at, level, (3, "registered")).await;
    let four = student(life, at, level, (4, "registered")).await;
    let year = life.server.app.clock().today().year();
    life.server
        .run(&format!(
            "update school_1.student set expected_graduation_on = '{year}-07-10', enrolled_on = '2023-03-01'
             where id in ({three}, {four})"
        ))
        .await;
    let place = Cohort { grade: at.grade, level, national: 0, major: at.major, site: at.site };
    for (group, text, long, short) in
        [(INFORMATION, None, one, two), (COMMITMENT, Some(PROMISE), one, two), (GRADUATION, None, three, four)]
    {
        collect(life, &place, group, text).await;
        let reminded = life.post(&format!("{group}/remind"), json!({ "classIds": [at.class] })).await;
        assert_eq!(reminded["done"], json!(1), "{group} {reminded}");
        decided(life, group, long, short).await;
        read(life, at, group, long).await;
    }
    sheets(life, at).await;
    life.get(&format!("{ROLL}/print?id={one}")).await;
    of_itself(life).await;
}

fn number(n: usize) -> String {
    format!("26306{n:06}")
}

fn examinee(n: usize) -> String {
    format!("2642088{n:07}")
}

fn name(n: usize) -> String {
    format!("{MARK}信息{n}")
}

fn id_card(n: usize) -> String {
    id_number_of("410600", n)
}

async fn student(life: &Life<'_>, at: &At, level: i64, (n, status): (usize, &str)) -> i64 {
    let body = json!({
        "name": name(n), "idCardNo": id_card(n), "studentNo": number(n), "examineeNo": examinee(n), "gradeId": at.grade,
        "levelId": level, "majorId": at.major, "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": at.site,
        "classId": at.class, "enrolledOn": "2026-03-01", "status": status, "phone": format!("157{n:08}"), "source": "legacy",
    });
    id(life.client.post(&format!("{ROLL}/save"), body).await.data())
}

/// A window, which makes the forms of everybody in the grade.
async fn collect(life: &mut Life<'_>, place: &Cohort, group: &str, text: Option<&str>) {
    let body = with(window(life.server, place), json!({ "templateText": text }));
    let made = id(&life.post(&format!("{group}/window/save"), body.clone()).await);
    let row = life.get(&format!("{group}/window/list")).await[0].clone();
    assert_eq!(row["id"], json!(made), "{group} {row}");
    let edit = with(body, json!({ "id": made, "version": row["version"] }));
    life.put(&format!("{group}/window/edit"), edit).await;
}

/// One form is sent back, filled in again and approved alone; the other is approved among others.
async fn decided(life: &mut Life<'_>, group: &str, long: i64, short: i64) {
    let pass = match group {
        COMMITMENT => json!({ "result": "pass", "conclusion": "qualified" }),
        _ => json!({ "result": "pass" }),
    };
    hand_in(life, group, long).await;
    step(life, group, "reject", (long, json!({ "remark": "照片不清晰" }))).await;
    hand_in(life, group, long).await;
    if group == GRADUATION {
        photographed(life.server, &life.client, long).await;
        several(life, (Method::PUT, group, "photoCheck"), long, json!({ "result": "same" })).await;
        several(life, (Method::PUT, group, "opinion"), long, json!({ "schoolOpinion": "同意毕业" })).await;
    }
    step(life, group, "review", (long, pass.clone())).await;
    hand_in(life, group, short).await;
    several(life, (Method::POST, group, "batchReview"), short, pass).await;
}

/// Fills a form in from the paper that the student signed.
async fn hand_in(life: &mut Life<'_>, group: &str, student: i64) {
    let row = form_of(&life.client, group, student).await;
    let view = life.get(&format!("{group}/view?id={}", row["id"])).await;
    let scan = json!({ "kind": "paper", "key": paper(&life.client, "签字.pdf").await });
    let form = match group {
        INFORMATION => with(information(&view), json!({ "phone": format!("158{student:08}"), "files": [scan] })),
        COMMITMENT => {
            let diploma = paper(&life.client, "学历报告.pdf").await;
            let proof = json!({ "kind": "attachment", "key": diploma });
            with(commitment(&diploma), json!({ "files": [proof, scan] }))
        }
        _ => with(graduation(&view), json!({ "files": [scan] })),
    };
    let body = with(form, json!({ "id": row["id"], "version": row["version"], "submit": true }));
    life.put(&format!("{group}/edit"), body).await;
}

/// A step of one form as it stands.
async fn step(life: &mut Life<'_>, group: &str, call: &str, (student, more): (i64, Value)) {
    let row = form_of(&life.client, group, student).await;
    let body = with(json!({ "id": row["id"], "version": row["version"] }), more);
    life.post(&format!("{group}/{call}"), body).await;
}

/// The same of one among several.
async fn several(life: &mut Life<'_>, (method, group, call): (Method, &str, &str), student: i64, more: Value) {
    let row = form_of(&life.client, group, student).await;
    let body = with(json!({ "items": [{ "id": row["id"], "version": row["version"] }] }), more);
    let answer = life.call(method, &format!("{group}/{call}"), Sent::Json(body)).await;
    assert_eq!(answer["done"], json!(1), "{group} {call} {answer}");
}

/// Everything that shows forms.
async fn read(life: &mut Life<'_>, at: &At, group: &str, student: i64) {
    let row = form_of(&life.client, group, student).await;
    let one = &row["id"];
    life.get(&format!("{group}/view?id={one}")).await;
    life.get(&format!("{group}/print?id={one}")).await;
    life.post(&format!("{group}/list"), json!({ "gradeId": at.grade, "counted": true })).await;
    life.post(&format!("{group}/classStatistics"), json!({ "gradeId": at.grade })).await;
    life.post(&format!("{group}/export"), json!({ "gradeId": at.grade })).await;
    life.post(&format!("{group}/download"), json!({ "ids": [one] })).await;
    let entity = group.rsplit('/').next();
    life.post("/system/pc/plain/view", json!({ "entity": entity, "id": one, "field": "idCardNo" })).await;
}

/// What is found of a former diploma, who owes money, who is sent to 学信网 and who is registered there.
async fn sheets(life: &mut Life<'_>, at: &At) {
    let (number, examinee, name, id_card) = (number(1), examinee(1), name(1), id_card(1));
    life.get(&format!("{COMMITMENT}/preCheck/import/template")).await;
    life.import(
        &format!("{COMMITMENT}/preCheck/import"),
        &["考生号", "姓名", "身份证号", "清查结果"],
        &[&[&examinee, &name, &id_card, "通过"]],
    )
    .await;
    life.get(&format!("{ROLL}/feeFlag/import/template")).await;
    life.import(&format!("{ROLL}/feeFlag/import"), &["学号", "姓名", "欠费"], &[&[&number, &name, "是"]]).await;
    let export = json!({ "gradeId": at.grade, "levelIds": [], "format": "xlsx" });
    let job = life.post(&format!("{ROLL}/chsi/export"), export).await["jobId"].clone();
    let job = ended(&life.client, &job).await;
    assert_eq!(job["state"], json!("done"), "{job}");
    life.get(&format!("{ROLL}/chsi/import/template")).await;
    life.import(
        &format!("{ROLL}/chsi/import"),
        &["考生号", "姓名", "身份证号", "注册结果"],
        &[&[&examinee, &name, &id_card, "已注册"]],
    )
    .await;
    super::own::imports(life).await;
    let day = json!({ "on": life.server.app.clock().today().to_string() });
    life.post(&format!("{ROLL}/asOf/list"), day.clone()).await;
    life.post(&format!("{ROLL}/asOf/export"), day).await;
}

async fn of_itself(life: &mut Life<'_>) {
    let group = life.get(&format!("{SCHOOL}/view")).await["groups"][0].clone();
    assert_eq!(group["group"], json!("school_info"), "{group}");
    let value = json!({ "printHeader": format!("{MARK}继续教育学院") });
    let edit = json!({ "group": group["group"], "value": value, "version": group["version"] });
    life.put(&format!("{SCHOOL}/edit"), edit).await;
}
