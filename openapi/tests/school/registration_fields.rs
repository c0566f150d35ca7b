//! 本校字段 at 报到: what a school asks for of its own when people report (part 02 §1, §7).

use kit::{
    Answer, Client, Server,
    admission::{items, open_batch},
    cohort::{cohort, registrar},
    enrolment::{save_batch, save_major, turn},
    fields,
    files::paper,
    imports::taken_back,
    registration::{REGISTRATION, audited, ready, registration, registrations, report},
    sheets::{XLSX, row_errors, sheet, texts},
    students::id_number,
};
use serde_json::{Value, json};

const FIELD: &str = "/adult/pc/fieldAttribute";
const BIN: &str = "/adult/pc/registrationDeleted";
/// How everybody of a file here is called.
const NAME: &str = "张晓梅";

fn number(n: usize) -> String {
    format!("0501{n:010}")
}

/// A field of the school's own at this stage; answers its number.
async fn field(client: &Client<'_>, key: &str, label: &str, control: &str, more: Value) -> i64 {
    let mut body = json!({
        "stage": "registration", "fieldKey": key, "label": label, "groupName": "other", "control": control,
    });
    for (name, value) in more.as_object().expect("fields") {
        body[name] = value.clone();
    }
    client.post(&format!("{FIELD}/save"), body).await.id()
}

async fn view(client: &Client<'_>, n: usize) -> Value {
    let id = registration(client, n).await["id"].clone();
    client.get(&format!("{REGISTRATION}/view?id={id}")).await.data().clone()
}

/// A step of the n-th person as they are, with more.
async fn turned(client: &Client<'_>, call: &str, n: usize, more: Value) -> Answer {
    let row = registration(client, n).await;
    let mut body = json!({ "id": row["id"], "version": row["version"] });
    for (name, value) in more.as_object().expect("fields") {
        body[name] = value.clone();
    }
    match call {
        "edit" => client.put(&format!("{REGISTRATION}/edit"), body).await,
        _ => client.post(&format!("{REGISTRATION}/{call}"), body).await,
    }
}

/// 编辑 or 报到 of somebody who was compared with their document.
async fn sent(client: &Client<'_>, call: &str, n: usize, more: Value) -> Answer {
    let mut body = json!({ "identityVerified": true });
    for (name, value) in more.as_object().expect("fields") {
        body[name] = value.clone();
    }
    turned(client, call, n, body).await
}

/// Scenario 2 of §1: whoever came before the field is listed as before, and is not edited without it.
#[tokio::test]
async fn what_is_required_is_asked_of_whoever_reports() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    audited(&admin, &p, batch, 1..6).await;
    ready(&server).await;
    for n in 1..=3 {
        sent(&admin, "edit", n, json!({})).await.id();
    }
    field(&admin, "x_referrer", "推荐人", "text", json!({ "required": true, "maxLength": 10 })).await;
    field(&admin, "x_size", "鞋码", "number", json!({})).await;
    field(&admin, "x_proof", "在职证明", "file", json!({ "required": true })).await;
    assert_eq!(registrations(&admin, json!({ "batchId": batch })).await.len(), 5);
    let missing = ["x_proof: 在职证明不能为空", "x_referrer: 推荐人不能为空"];
    for call in ["edit", "report"] {
        assert_eq!(fields(&sent(&admin, call, 1, json!({})).await), missing, "{call}");
    }
    // Nothing of a refused form is kept, and who is reported with others is told what they lack.
    let (proof, other) = (paper(&admin, "证明.pdf").await, paper(&admin, "其他.pdf").await);
    let file = |kind: &str, key: &str| json!({ "kind": kind, "key": key });
    let wrong = json!({
        "extra": { "x_referrer": "一二三四五六七八九十一", "x_size": "四十", "x_gone": 1 },
        "files": [file("x_proof", &proof), file("x_proof", &other), file("x_none", &other)],
    });
    assert_eq!(
        fields(&sent(&admin, "edit", 1, wrong).await),
        [
            "files[1].kind: 每个字段只能上传一个文件",
            "files[2].kind: 没有该材料字段或已停用，请刷新后重新上传",
            "x_gone: 没有该字段或已停用，请刷新后重新填写",
            "x_referrer: 不能超过10个字符",
            "x_size: 应为数字",
        ]
    );
    let rows = registrations(&admin, json!({ "batchId": batch })).await;
    let many = json!({ "items": items(&rows), "identityVerified": true });
    let told = admin.post(&format!("{REGISTRATION}/batchReview"), many).await.data().clone();
    assert_eq!(told["done"], json!(0), "{told}");
    let lacking = "资料不完整：推荐人、在职证明，请先在“核验和材料”中补充";
    assert!(told["failed"].as_array().expect("rows").iter().all(|row| row["msg"] == json!(lacking)), "{told}");

    let said = json!({ "extra": { "x_referrer": " 王老师 ", "x_size": 42 }, "files": [file("x_proof", &proof)] });
    sent(&admin, "edit", 1, said.clone()).await.id();
    let one = view(&admin, 1).await;
    assert_eq!(one["extra"], json!({ "x_referrer": "王老师", "x_size": 42 }), "{one}");
    assert_eq!((&one["files"][0]["kind"], &one["files"][0]["name"]), (&json!("x_proof"), &json!("证明.pdf")), "{one}");
    assert!(one["files"][0]["url"].as_str().is_some_and(|url| url.contains("http") || url.starts_with('/')), "{one}");
    let asked: Vec<&Value> =
        one["ownFields"].as_array().expect("fields").iter().map(|field| &field["fieldKey"]).collect();
    assert_eq!(asked, [&json!("x_referrer"), &json!("x_size"), &json!("x_proof")]);
    assert!(registration(&admin, 1).await["extra"].is_null(), "a line of the list has no room for it");
    // A file is one thing alone.
    let photo = sent(&admin, "edit", 1, json!({ "photo": proof })).await;
    assert_eq!(fields(&photo), ["photo: 该文件已是本人的本校字段的文件，请另行上传"]);
    // What is not sent stays; what is sent empty goes.
    sent(&admin, "edit", 1, json!({ "materials": ["id_copy"] })).await.id();
    assert_eq!(view(&admin, 1).await["extra"], one["extra"]);
    sent(&admin, "edit", 1, json!({ "extra": { "x_referrer": "王老师" } })).await.id();
    assert_eq!(view(&admin, 1).await["extra"], json!({ "x_referrer": "王老师" }));
    // One at the desk with everything, one together with others who said it before.
    let report_two = json!({ "extra": { "x_referrer": "李老师", "x_size": 40.5 }, "files": [file("x_proof", &other)] });
    assert_eq!(sent(&admin, "report", 2, report_two).await.code(), 200);
    let rows = [registration(&admin, 1).await];
    let many = json!({ "items": items(&rows), "identityVerified": true });
    let told = admin.post(&format!("{REGISTRATION}/batchReview"), many).await.data().clone();
    assert_eq!((&told["done"], &told["failed"]), (&json!(1), &json!([])), "{told}");
    // Afterwards it is still put right, and the trail tells it.
    sent(&admin, "edit", 2, json!({ "extra": { "x_referrer": "赵老师" } })).await.id();
    let two = registration(&admin, 2).await;
    let trail = json!({ "entityType": "registration", "entityId": two["id"] });
    let trail = admin.post("/data/pc/sys/log/record", trail).await.data().clone();
    assert!(trail.to_string().contains("赵老师"), "{trail}");

    // The export of all columns has them behind the program's, in words; whoever chooses columns chooses the program's.
    let export = format!("{REGISTRATION}/export");
    let rows = texts(&admin.post(&export, json!({ "batchId": batch })).await.bytes);
    let (width, two) = (rows[0].len(), rows.iter().find(|row| row[1] == number(2)).expect("the second"));
    assert_eq!(rows[0][width - 3..], ["报到时间", "推荐人", "鞋码"].map(ToOwned::to_owned));
    assert_eq!(two[width - 2..], ["赵老师".to_owned(), String::new()], "{rows:?}");
    let name = format!("{export}?columns=%E5%A7%93%E5%90%8D");
    assert_eq!(texts(&admin.post(&name, json!({ "batchId": batch })).await.bytes)[0], ["姓名"]);
}

/// Scenario 3 of §1: a field with values is switched off, and what it holds stays.
#[tokio::test]
async fn a_field_with_values_is_switched_off() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    audited(&admin, &p, batch, 0..13).await;
    ready(&server).await;
    let size = field(&admin, "x_size", "鞋码", "text", json!({})).await;
    let proof = field(&admin, "x_proof", "在职证明", "image", json!({})).await;
    for n in 0..12 {
        sent(&admin, "edit", n, json!({ "extra": { "x_size": "42" } })).await.id();
    }
    let paper = paper(&admin, "证明.pdf").await;
    sent(&admin, "edit", 0, json!({ "files": [{ "kind": "x_proof", "key": paper }] })).await.id();
    let delete = |id: i64| format!("{FIELD}/delete?id={id}");
    assert_eq!(admin.delete(&delete(size)).await.refused(), (409, "已有12条数据使用该字段，请停用"));
    assert_eq!(admin.delete(&delete(proof)).await.refused(), (409, "已有1条数据使用该字段，请停用"));
    let template = format!("{REGISTRATION}/result/import/template");
    assert!(texts(&admin.get(&template).await.bytes)[0].contains(&"鞋码".to_owned()));
    for id in [size, proof] {
        let off = json!({ "id": id, "enabled": false });
        assert_eq!(admin.put(&format!("{FIELD}/update/status"), off).await.code(), 200);
    }
    assert!(!texts(&admin.get(&template).await.bytes)[0].contains(&"鞋码".to_owned()));
    assert_eq!(view(&admin, 0).await["ownFields"], json!([]));
    // Neither shown nor lost.
    sent(&admin, "edit", 0, json!({ "extra": {}, "files": [] })).await.id();
    assert_eq!(report(&admin, &registration(&admin, 0).await).await.code(), 200);
    let kept: Vec<i64> = server
        .one(
            "select array[(select count(*) from school_1.registration where extra ->> 'x_size' = '42'),
                          (select count(*) from school_1.registration_file)]",
        )
        .await;
    assert_eq!(kept, [12, 1]);
}

/// Whoever goes on in a later batch has said it already; who leaves the bin for good takes the files along.
#[tokio::test]
async fn what_was_said_goes_on_with_the_person() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let operator = server.operator().await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    let today = server.app.clock().today();
    server.run(&format!("update school_1.enrollment_batch set enrolled_on = '{today}'")).await;
    audited(&admin, &p, batch, 1..3).await;
    ready(&server).await;
    field(&admin, "x_size", "鞋码", "text", json!({ "required": true })).await;
    field(&admin, "x_proof", "在职证明", "file", json!({})).await;
    let grade = admin.post("/adult/pc/grade/save", json!({ "code": "2027" })).await.id();
    server
        .run(&format!(
            "insert into school_1.forecast_major (year, grade_id, major_id, planned_quota, tuition_per_year, status, filed_on,
                 created_by, updated_by)
             select 2031, {grade}, id, 200, 280000, 'filed', '2026-11-02', 0, 0 from school_1.major where enabled"
        ))
        .await;
    let later = save_batch(&admin, &kit::cohort::Cohort { grade, ..p }, "2027-1").await;
    save_major(&admin, later, p.major, "101", 50).await;
    assert_eq!(turn(&admin, later, "open").await.code(), 200);
    let entry = today + chrono::Days::new(300);
    server.run(&format!("update school_1.enrollment_batch set enrolled_on = '{entry}' where id = {later}")).await;
    let proof = paper(&admin, "证明.pdf").await;
    let said = json!({ "extra": { "x_size": "42" }, "files": [{ "kind": "x_proof", "key": proof }] });
    for n in [1, 2] {
        let said = if n == 1 { said.clone() } else { json!({ "extra": { "x_size": "40" } }) };
        sent(&admin, "edit", n, said).await.id();
    }
    let keep = json!({
        "reserveReason": "illness", "reserveUntil": today + chrono::Days::new(60), "reason": "住院治疗",
        "attachment": paper(&admin, "申请.pdf").await,
    });
    turned(&admin, "reserve", 1, keep).await.id();
    turned(&admin, "resume", 1, json!({ "batchId": later })).await.id();
    let new = view(&admin, 1).await;
    assert_eq!((&new["gradeName"], &new["extra"]), (&json!("2027级"), &json!({ "x_size": "42" })), "{new}");
    assert_eq!(new["files"][0]["key"], json!(proof), "{new}");
    // Taken away in the later batch, the file stays with the earlier one.
    sent(&admin, "edit", 1, json!({ "files": [] })).await.id();
    let owner: Option<String> =
        server.one(&format!("select owner_type from school_1.file_object where key = '{proof}'")).await;
    assert_eq!(owner.as_deref(), Some("registration"));
    assert_eq!(report(&admin, &registration(&admin, 1).await).await.code(), 200, "what is required came along");

    let other = paper(&admin, "证明.pdf").await;
    sent(&admin, "edit", 2, json!({ "files": [{ "kind": "x_proof", "key": other }] })).await.id();
    server.run("update school_1.registration set fee_paid = false, fee_source = null where status = 'pending'").await;
    let two = registration(&admin, 2).await["id"].clone();
    admin.delete(&format!("{REGISTRATION}/delete?id={two}")).await.id();
    let seen = admin.get(&format!("{BIN}/view?id={two}")).await.data().clone();
    assert_eq!((&seen["extra"], &seen["files"][0]["kind"]), (&json!({ "x_size": "40" }), &json!("x_proof")), "{seen}");
    assert_eq!(operator.delete(&format!("{BIN}/delete?schoolId=1&id={two}")).await.code(), 200);
    let left: i64 = server.one(&format!("select count(*) from school_1.file_object where key = '{other}'")).await;
    assert_eq!(left, 0);
}

/// 导入报到结果: the columns behind the program's, for who came; what was said at the desk stays where a cell is empty.
#[tokio::test]
async fn a_sheet_of_arrivals_has_the_fields_of_the_school() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    let today = server.app.clock().today();
    server.run(&format!("update school_1.enrollment_batch set enrolled_on = '{today}'")).await;
    audited(&admin, &p, batch, 1..5).await;
    ready(&server).await;
    field(&admin, "x_dorm", "住宿", "switch", json!({})).await;
    field(&admin, "x_size", "鞋码", "text", json!({ "required": true, "pattern": "[0-9]{2}" })).await;
    field(&admin, "x_day", "到校日期", "date", json!({})).await;
    sent(&admin, "edit", 1, json!({ "extra": { "x_size": "42", "x_dorm": false } })).await.id();
    let headings = ["考生号", "姓名", "证件号", "结果", "原因", "保留至", "住宿", "鞋码", "到校日期"];
    let template = texts(&admin.get(&format!("{REGISTRATION}/result/import/template")).await.bytes);
    let found: Vec<&str> = template[0].iter().map(|heading| heading.trim_start_matches('*')).collect();
    assert_eq!(found, headings);
    let row = |n: usize, result: &str, reason: &str, own: [&str; 3]| {
        let [dorm, size, day] = own;
        [&*number(n), NAME, &*id_number(n), result, reason, "", dorm, size, day].map(ToOwned::to_owned)
    };
    let send = async |headings: &[&str], rows: &[[String; 9]]| {
        let cells: Vec<Vec<&str>> =
            rows.iter().map(|row| row.iter().take(headings.len()).map(String::as_str).collect()).collect();
        let file = sheet(headings, &cells.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let call = format!("{REGISTRATION}/result/import");
        let more = [("identityVerified", "true")];
        admin.upload_with(&call, &more, "file", "结果.xlsx", XLSX, &file).await.data().clone()
    };
    let none = ["", "", ""];
    let wrong = [
        row(2, "报到", "", none),
        row(3, "报到", "", ["也许", "4", "2026-02-30"]),
        row(4, "放弃入学资格", "工作调动", ["", "40", ""]),
    ];
    let told = row_errors(&send(&headings, &wrong).await);
    assert!(told.contains(&"2 鞋码: 鞋码不能为空".to_owned()), "{told:?}");
    assert!(told.iter().any(|error| error.starts_with("3 住宿: ")), "{told:?}");
    assert!(told.iter().any(|error| error.starts_with("3 到校日期: ")), "{told:?}");
    assert!(told.contains(&"4 鞋码: 只在报到时填写".to_owned()), "{told:?}");
    assert_eq!(server.one::<i64>("select count(*) from school_1.student").await, 0);
    let right = [
        row(1, "报到", "", none),
        row(2, "报到", "", ["是", "39", "2026-03-01"]),
        row(4, "放弃入学资格", "工作调动", none),
    ];
    let told = send(&headings, &right).await;
    assert_eq!((&told["errors"], &told["imported"]), (&json!([]), &json!(3)), "{told}");
    assert_eq!(view(&admin, 1).await["extra"], json!({ "x_size": "42", "x_dorm": false }));
    assert_eq!(view(&admin, 2).await["extra"], json!({ "x_dorm": true, "x_size": "39", "x_day": "2026-03-01" }));
    // A sheet from before the fields does for whoever has said it.
    let told = row_errors(&send(&headings[..6], &[row(3, "报到", "", none)]).await);
    assert_eq!(told, ["2 鞋码: 鞋码不能为空"]);
    let (message, stays) = taken_back(&admin, "报到结果").await;
    assert_eq!((message.as_str(), stays.len()), ("共3条，已撤销3条", 0));
    assert_eq!(view(&admin, 1).await["extra"], json!({ "x_size": "42", "x_dorm": false }));
    assert_eq!(view(&admin, 2).await["extra"], json!({}), "what the sheet said is taken back");
}
