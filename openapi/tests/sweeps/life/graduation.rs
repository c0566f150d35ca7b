//! Graduation, degrees, punishments and outside examinations: one of everything. Those who leave are people of their own.

use kit::{
    cohort::Cohort,
    files::paper,
    graduation::{BATCH, DEGREE, DISCIPLINE, EXTERNAL, RULE, USER},
    jobs,
    rows::students,
};
use serde_json::{Value, json};

use super::{Life, MARK, classrooms::At, id};

/// What the rules of a life ask for.
const ASKED: &str = "'status', 'fee'";

pub(super) async fn live(life: &mut Life<'_>, at: &At, level: i64) {
    let p = Cohort { grade: at.grade, level, national: 0, major: at.major, site: at.site };
    students(life.server, &p, at.site, Some(at.class), 8101, 4).await;
    let mut own = Vec::new();
    for n in 8101..=8104 {
        let of = format!("select id from school_1.student where student_no = '260000{n}'");
        own.push(life.server.one::<i64>(&of).await);
    }
    rules(life, at).await;
    punished(life, own[3]).await;
    examined(life, own[3]).await;
    school(life).await;
    let batch = batches(life).await;
    people(life, batch, &own).await;
    let done = item(life, batch).await;
    life.put(&format!("{BATCH}/confirm"), done).await;
    numbered(life, batch, own[0]).await;
    degrees(life, batch, own[0]).await;
    registered(life, batch, own[0]).await;
    empty(life, own[2]).await;
    life.server.run("update school_1.graduation_rule set enabled = true where grade_id is null").await;
}

async fn rules(life: &mut Life<'_>, at: &At) {
    let form = |code: &str| {
        json!({ "purpose": "graduation", "ruleCode": code, "gradeId": at.grade, "majorId": at.major, "severity": "warn",
            "waivable": true })
    };
    let made = id(&life.post(&format!("{RULE}/save"), form("fee")).await);
    life.post(&format!("{RULE}/list"), json!({})).await;
    let seen = life.get(&format!("{RULE}/view?id={made}")).await;
    let mut edit = form("fee");
    edit["id"] = json!(made);
    edit["version"] = seen["version"].clone();
    edit["waivable"] = json!(false);
    life.put(&format!("{RULE}/edit"), edit).await;
    life.put(&format!("{RULE}/update/status"), json!({ "id": made, "enabled": false })).await;
    life.post(&format!("{RULE}/export"), json!({})).await;
    life.delete(&format!("{RULE}/delete?id={made}")).await;
    let other = life.client.post(&format!("{RULE}/save"), form("photo")).await.id();
    life.post(&format!("{RULE}/batchDel"), json!({ "ids": [other] })).await;
}

async fn punished(life: &mut Life<'_>, student: i64) {
    let today: String = life.server.one("select current_date::text").await;
    let form = |no: &str| json!({ "studentId": student, "type": "warning", "documentNo": no, "reason": format!("{MARK}考试违纪"), "decidedOn": today });
    let made = id(&life.post(&format!("{DISCIPLINE}/save"), form("校发1号")).await);
    life.post(&format!("{DISCIPLINE}/list"), json!({})).await;
    let seen = life.get(&format!("{DISCIPLINE}/view?id={made}")).await;
    let mut edit = form("校发2号");
    edit["id"] = json!(made);
    edit["version"] = seen["version"].clone();
    life.put(&format!("{DISCIPLINE}/edit"), edit).await;
    let seen = life.client.get(&format!("{DISCIPLINE}/view?id={made}")).await.data().clone();
    let release = json!({ "id": made, "version": seen["version"], "releasedOn": today, "reason": "考察期满" });
    life.put(&format!("{DISCIPLINE}/release"), release).await;
    life.post(&format!("{DISCIPLINE}/export"), json!({})).await;
    life.get(&format!("{DISCIPLINE}/import/template")).await;
    let number: String =
        life.server.one(&format!("select student_no from school_1.student where id = {student}")).await;
    let headings = ["学号", "类型", "文号", "原因", "处分日期"];
    let row = [&*number, "警告", "校发3号", "考试违纪", &*today];
    life.import(&format!("{DISCIPLINE}/import"), &headings, &[&row]).await;
    let other = life.client.post(&format!("{DISCIPLINE}/save"), form("校发4号")).await.id();
    life.delete(&format!("{DISCIPLINE}/delete?id={other}")).await;
    let last = life.client.post(&format!("{DISCIPLINE}/save"), form("校发5号")).await.id();
    life.post(&format!("{DISCIPLINE}/batchDel"), json!({ "ids": [last] })).await;
}

async fn examined(life: &mut Life<'_>, student: i64) {
    let day: String = life.server.one("select (current_date - 30)::text").await;
    let form = |kind: &str| {
        json!({ "studentId": student, "type": kind, "score": 430.0, "examDate": day, "passed": true,
            "certificateNo": format!("{MARK}{kind}") })
    };
    let made = id(&life.post(&format!("{EXTERNAL}/save"), form("cet4")).await);
    life.post(&format!("{EXTERNAL}/list"), json!({})).await;
    let seen = life.get(&format!("{EXTERNAL}/view?id={made}")).await;
    let mut edit = form("cet4");
    edit["id"] = json!(made);
    edit["version"] = seen["version"].clone();
    edit["score"] = json!(431.0);
    life.put(&format!("{EXTERNAL}/edit"), edit).await;
    life.post(&format!("{EXTERNAL}/export"), json!({})).await;
    life.get(&format!("{EXTERNAL}/import/template")).await;
    let of = |column: &str| format!("select {column} from school_1.student where id = {student}");
    let who: (String, String) = (life.server.one(&of("student_no")).await, life.server.one(&of("name")).await);
    let headings = ["学号", "姓名", "类型", "考试日期", "是否合格"];
    life.import(&format!("{EXTERNAL}/import"), &headings, &[&[&who.0, &who.1, "公共英语三级", &day, "是"]]).await;
    let other = life.client.post(&format!("{EXTERNAL}/save"), form("cet6")).await.id();
    life.delete(&format!("{EXTERNAL}/delete?id={other}")).await;
    let last = life.client.post(&format!("{EXTERNAL}/save"), form("cet6")).await.id();
    life.post(&format!("{EXTERNAL}/batchDel"), json!({ "ids": [last] })).await;
}

/// What the school must have told of itself before anybody graduates.
async fn school(life: &Life<'_>) {
    life.server
        .run(
            "insert into school_1.school_setting (key, value, created_by, updated_by) values
                 ('nationalCode', '\"10086\"', 0, 0), ('presidentName', '\"张明\"', 0, 0)
             on conflict (key) do update set value = excluded.value",
        )
        .await;
    life.server
        .run(&format!(
            "update school_1.graduation_rule set enabled = false where rule_code not in ({ASKED}) or purpose = 'degree'"
        ))
        .await;
}

fn form(code: &str, year: i32) -> Value {
    json!({ "code": code, "name": format!("{MARK}毕业批次{code}"), "year": year, "season": "autumn", "kind": "regular",
        "graduatesOn": format!("{year}-07-10"), "certificateDate": format!("{year}-07-10"), "degreeEnabled": true })
}

async fn item(life: &Life<'_>, batch: i64) -> Value {
    let version: i32 =
        life.server.one(&format!("select version from school_1.graduation_batch where id = {batch}")).await;
    json!({ "id": batch, "version": version })
}

async fn batches(life: &mut Life<'_>) -> i64 {
    let made = id(&life.post(&format!("{BATCH}/save"), form("BY1", 2028)).await);
    life.post(&format!("{BATCH}/list"), json!({})).await;
    let seen = life.get(&format!("{BATCH}/view?id={made}")).await;
    let mut edit = form("BY1", 2028);
    edit["id"] = json!(made);
    edit["version"] = seen["version"].clone();
    edit["remark"] = json!("夏季毕业");
    life.put(&format!("{BATCH}/edit"), edit).await;
    life.post(&format!("{BATCH}/export"), json!({})).await;
    for (code, year, bulk) in [("BY2", 2029, false), ("BY3", 2030, true)] {
        let other = life.client.post(&format!("{BATCH}/save"), form(code, year)).await.id();
        if bulk {
            life.post(&format!("{BATCH}/batchDel"), json!({ "ids": [other] })).await;
        } else {
            life.delete(&format!("{BATCH}/delete?id={other}")).await;
        }
    }
    let begun = item(life, made).await;
    life.put(&format!("{BATCH}/start"), begun).await;
    life.post(&format!("{BATCH}/generate"), json!({ "batchId": made })).await;
    made
}

async fn row(life: &Life<'_>, batch: i64, student: i64) -> Value {
    let of = |column: &str| {
        format!("select {column} from school_1.graduation_user where batch_id = {batch} and student_id = {student}")
    };
    let found: (i64, i32) = (life.server.one(&of("id")).await, life.server.one(&of("version")).await);
    json!({ "id": found.0, "version": found.1 })
}

async fn people(life: &mut Life<'_>, batch: i64, own: &[i64]) {
    // Nobody else leaves in this life.
    let kept = own[..2].iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    life.server
        .run(&format!("delete from school_1.graduation_user where batch_id = {batch} and student_id not in ({kept})"))
        .await;
    life.server.run(&format!("update school_1.student set fee_flag = 'arrears' where id = {}", own[0])).await;
    life.post(&format!("{USER}/add"), json!({ "batchId": batch, "studentIds": [own[3]] })).await;
    life.post(&format!("{USER}/list"), json!({ "batchId": batch })).await;
    life.post(&format!("{USER}/export"), json!({ "batchId": batch })).await;
    let job = life.post(&format!("{BATCH}/audit"), json!({ "batchId": batch })).await["jobId"].clone();
    jobs::ended(&life.client, &job).await;
    let first = row(life, batch, own[0]).await;
    life.post(&format!("{USER}/audit"), json!({ "ids": [first["id"]] })).await;
    life.get(&format!("{USER}/view?id={}", first["id"])).await;
    let mut waive = row(life, batch, own[0]).await;
    waive["ruleCode"] = json!("fee");
    waive["reason"] = json!("已办理缓交");
    waive["fileKey"] = json!(paper(&life.client, "缓交.pdf").await);
    life.put(&format!("{USER}/waive"), waive).await;
    let checked = json!({ "items": [row(life, batch, own[0]).await], "opinion": "agree" });
    life.put(&format!("{USER}/siteCheck"), checked).await;
    let removed = json!({ "items": [row(life, batch, own[3]).await], "reason": format!("{MARK}本人申请延期") });
    life.put(&format!("{USER}/remove"), removed).await;
    for (student, decision) in [(own[0], "graduate"), (own[1], "delay")] {
        let decided = json!({ "items": [row(life, batch, student).await], "decision": decision, "reason": "终审" });
        let told = life.put(&format!("{USER}/decide"), decided).await;
        assert_eq!(told["done"], json!(1), "{told}");
    }
    life.post(&format!("{USER}/print/form"), json!({ "batchId": batch })).await;
}

async fn degrees(life: &mut Life<'_>, batch: i64, student: i64) {
    let made = id(&life.post(&format!("{DEGREE}/save"), json!({ "studentId": student, "batchId": batch })).await);
    life.post(&format!("{DEGREE}/list"), json!({})).await;
    life.get(&format!("{DEGREE}/view?id={made}")).await;
    life.post(&format!("{DEGREE}/audit"), json!({ "ids": [made] })).await;
    let of = async |life: &Life<'_>| -> Value {
        let version: i32 =
            life.server.one(&format!("select version from school_1.degree_application where id = {made}")).await;
        json!({ "id": made, "version": version })
    };
    let today: String = life.server.one("select current_date::text").await;
    let decide = json!({ "items": [of(life).await], "decision": "approved", "committeeDate": today, "committeeNo": "2028-1",
        "chairName": "李主席" });
    life.put(&format!("{DEGREE}/decide"), decide).await;
    let award = json!({ "items": [of(life).await] });
    life.put(&format!("{DEGREE}/award"), award).await;
    life.post(&format!("{DEGREE}/export"), json!({ "batchId": batch })).await;
}

/// The number of a certificate, as certificates give it.
async fn numbered(life: &Life<'_>, batch: i64, student: i64) {
    life.server.run(&format!("update school_1.student set examinee_no = '26420000008101' where id = {student}")).await;
    life.server
        .run(&format!(
            "insert into school_1.certificate (student_id, batch_id, kind, number, year, level_code, seq_no, holder, created_by, updated_by)
             values ({student}, {batch}, 'graduation', '100865202805000001', 2028, '05', 1, '{{}}', 0, 0)"
        ))
        .await;
}

/// The report of the graduate and its answer; then the graduation is taken back.
async fn registered(life: &mut Life<'_>, batch: i64, student: i64) {
    life.post(&format!("{BATCH}/registerExport"), json!({ "batchId": batch })).await;
    life.get(&format!("{BATCH}/import/template")).await;
    let headings = ["考生号", "姓名", "证书编号", "结果"];
    life.import(
        &format!("{BATCH}/import"),
        &headings,
        &[&["26420000008101", "学生8101", "100865202805000001", "成功"]],
    )
    .await;
    let mut revoke = row(life, batch, student).await;
    revoke["reason"] = json!(format!("{MARK}学术不端"));
    revoke["fileKey"] = json!(paper(&life.client, "撤销决定.pdf").await);
    revoke["certificateReturned"] = json!(true);
    life.put(&format!("{USER}/revoke"), revoke).await;
}

/// A batch of which nobody gets a certificate goes to its end.
async fn empty(life: &mut Life<'_>, student: i64) {
    let batch = life.client.post(&format!("{BATCH}/save"), form("BY4", 2031)).await.id();
    let begun = item(life, batch).await;
    life.client.put(&format!("{BATCH}/start"), begun).await.data();
    life.server
        .run(&format!("delete from school_1.graduation_user where batch_id = {batch} and student_id <> {student}"))
        .await;
    let one = row(life, batch, student).await;
    life.client.post(&format!("{USER}/audit"), json!({ "ids": [one["id"]] })).await.data();
    let decided = json!({ "items": [row(life, batch, student).await], "decision": "delay", "reason": "学分不足" });
    life.client.put(&format!("{USER}/decide"), decided).await.data();
    let done = item(life, batch).await;
    life.client.put(&format!("{BATCH}/confirm"), done).await.data();
    let done = item(life, batch).await;
    life.put(&format!("{BATCH}/register"), done).await;
    let done = item(life, batch).await;
    life.put(&format!("{BATCH}/archive"), done).await;
}
