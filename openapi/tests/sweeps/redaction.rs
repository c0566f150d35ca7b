//! What logs, trails and jobs keep of what people typed names nobody (01 §6.1, 05 E1, E4).

use std::collections::{BTreeMap, BTreeSet};

use kit::{
    Client, Server,
    cohort::{cohort, registrar},
    jobs::ended,
    sheets::texts,
    students::{ROLL, id_number, student},
};
use openapi::{document, modules};
use poem::http::Method;
use serde_json::{Value, json};

/// Everything that keeps what was typed, beside the records themselves.
const TRAILS: [&str; 11] = [
    "platform.sys_log",
    "platform.login_log",
    "platform.job",
    "platform.audit_log",
    "school_1.audit_log",
    "school_1.job_done",
    "school_1.job_part",
    "platform.import_run",
    "platform.import_record",
    "school_1.import_run",
    "school_1.import_record",
];

/// Rows of the trails that have the text in any column.
async fn rows_with(server: &Server, text: &str) -> Vec<String> {
    let each = TRAILS.map(|table| format!("select '{table}' as place, t::text as line from {table} t"));
    server
        .one(&format!(
            "select coalesce(array_agg(place || ' ' || line), '{{}}') from ({}) rows where position('{text}' in line) > 0",
            each.join(" union all ")
        ))
        .await
}

/// The operation log is written after the answer.
async fn written(server: &Server, trace: &str) {
    server.wait_until(&format!("select count(*) > 0 from platform.sys_log where trace_id = '{trace}'")).await;
}

async fn export(client: &Client<'_>, keyword: &str) -> (Vec<Vec<String>>, Value, [String; 2]) {
    let path = format!("{ROLL}/export");
    let direct = client.post(&path, json!({ "keyword": keyword })).await;
    let started = client.post(&format!("{path}?job=true"), json!({ "keyword": keyword })).await;
    let job = ended(client, &started.data()["jobId"]).await;
    (texts(&direct.bytes), job, [direct.trace, started.trace])
}

#[tokio::test]
async fn a_person_who_is_looked_for_by_a_number_stands_in_no_log_and_in_no_job() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let mut person = student(&p, 1);
    let (id, phone, mail) = (id_number(1), "13912345678".to_owned(), "zhang.xm@example.com".to_owned());
    person["phone"] = json!(phone);
    person["email"] = json!(mail);
    person["remark"] = json!(format!("证件{id}，电话{phone}，邮箱{mail}"));
    admin.post(&format!("{ROLL}/save"), person).await.id();
    admin.post(&format!("{ROLL}/save"), student(&p, 2)).await.id();

    let (sheet, job, traces) = export(&admin, &id).await;
    assert_eq!(sheet.len(), 2, "the filter itself works with the whole number");
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("共导出1行")), "{job}");
    for trace in &traces {
        written(&server, trace).await;
    }
    export(&admin, &phone).await;
    // What is refused is logged too, and so is what stands in a name, a number and a path.
    let odd = json!({ "keyword": { &id: [&phone, 13_912_345_678_i64] } });
    let refused = admin.post(&format!("{ROLL}/export"), odd).await;
    assert_eq!(refused.code(), 422);
    written(&server, &refused.trace).await;
    let unknown = admin.bare(Method::DELETE, &format!("{ROLL}/delete?id=1&reason={id}")).await;
    assert_ne!(unknown.code(), 200);
    let operator = server.operator().await;
    let entry = format!("/system/pc/api/sys/user/createSchoolToken?id=1&reason=%E6%A0%B8%E5%AF%B9{id}");
    let entered = operator.get(&entry).await;
    assert_eq!(entered.code(), 200, "{}", entered.body);
    written(&server, &entered.trace).await;

    for number in [&id, &phone, &mail] {
        assert_eq!(rows_with(&server, number).await, Vec::<String>::new(), "{number}");
    }
    let kept: i64 = server
        .one("select count(*) from platform.job where input is not null or params -> 'filter' ->> 'keyword' not like '%***%'")
        .await;
    assert_eq!(kept, 0, "an input is forgotten with the end of its job");
    // People read the same.
    let found = admin.post("/data/pc/sys/log/userLog", json!({ "traceId": traces[0] })).await;
    let row = found.data()["list"][0]["id"].clone();
    let shown = admin.get(&format!("/data/pc/sys/log/view?id={row}")).await;
    assert_eq!(shown.data()["params"]["keyword"], json!(infra::mask::id_card(&id)), "{}", shown.body);
    let jobs = admin.post("/system/pc/job/list", json!({})).await;
    for answer in [&shown.body, &job, &jobs.body] {
        assert!(!answer.to_string().contains(&id), "{answer}");
    }
}

/// A job whose server went away between begin and end is run again with what it needs, which nobody can read meanwhile.
#[tokio::test]
async fn what_a_waiting_job_needs_is_sealed() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    admin.post(&format!("{ROLL}/save"), student(&p, 1)).await.id();
    let id = id_number(1);
    // No worker leases a job while another transaction holds the table.
    let mut owner = server.owner().await;
    let mut lock = sqlx::Connection::begin(&mut owner).await.expect("a transaction");
    sqlx::Executor::execute(&mut *lock, "lock table school_1.student in access exclusive mode").await.expect("a lock");
    let started = admin.post(&format!("{ROLL}/export?job=true"), json!({ "keyword": id })).await;
    let job = started.data()["jobId"].clone();
    let row: String =
        server.one(&format!("select t::text from platform.job t where id = {job} and input is not null")).await;
    assert!(!row.contains(&id) && row.contains("***********"), "{row}");
    lock.rollback().await.expect("the lock goes");
    let job = ended(&admin, &job).await;
    assert_eq!(job["message"], json!("共导出1行"));
    assert_eq!(server.one::<i64>("select count(*) from platform.job where input is not null").await, 0);
    // The database holds that too.
    let mut owner = server.owner().await;
    let kept = sqlx::Executor::execute(&mut owner, "update platform.job set input = 'x' where state = 'done'").await;
    let constraint =
        kept.expect_err("it is refused").as_database_error().and_then(|error| error.constraint().map(str::to_owned));
    assert_eq!(constraint.as_deref(), Some("job_input_kept"));
}

/// Words in the label of a field that say what a person's it is, with a value of it that has no shape of its own: the field
/// alone must do.
const LABELS: [(&[&str], &str); 5] = [
    (&["证件号", "身份证号"], "E12345678"),
    (&["手机", "电话", "座机"], "87654321"),
    (&["银行卡", "银行账号"], "1234567"),
    (&["邮箱"], "zhang-xm"),
    (&["通讯地址", "家庭地址", "住址", "户籍地", "户口所在地"], "光明小区5号楼302室"),
];

/// The same for the fields of `Plain`, by the ends of their names.
const PLAIN: [(&str, &str); 4] =
    [("idcardno", "E12345678"), ("phone", "87654321"), ("bankcardno", "1234567"), ("email", "zhang-xm")];

/// A field that opens something, for which any value would do.
const SECRETS: [&str; 4] = ["密码", "密钥", "令牌", "凭证"];

/// Fields that such a label names and that are neither: who a key is, and what is shown of one to tell it from others.
const NEITHER: [&str; 2] = ["keyId", "shownPrefix"];

/// What is personal is told by the document and by `Plain`; the trail knows each of these fields.
#[test]
fn every_personal_field_is_redacted_by_its_name() {
    let document = document::document();
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for schema in document["components"]["schemas"].as_object().expect("schemas").values() {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let label = field["title"].as_str().unwrap_or_default().to_owned();
            if field["type"] == json!("string") && !field["format"].is_string() && !field["enum"].is_array() {
                named.entry(name.clone()).or_default().insert(label);
            }
        }
    }
    let mut open = Vec::new();
    let mut check = |name: &str, why: &str, value: &str| {
        if infra::audit::redacted(name, &json!(value)) == json!(value) {
            open.push(format!("{name} ({why})"));
        }
    };
    for (name, labels) in named.iter().filter(|(name, _)| !NEITHER.contains(&name.as_str())) {
        for label in labels {
            for (words, value) in LABELS {
                // 查询条件 named 姓名或手机 is any text; its shape is looked at instead.
                if words.iter().any(|word| label.contains(word)) && !label.contains('或') {
                    check(name, label, value);
                }
            }
            if SECRETS.iter().any(|word| label.contains(word)) {
                check(name, label, "任意内容");
            }
        }
    }
    for plain in modules::modules().plains() {
        for (name, _) in plain.fields {
            let value = PLAIN.iter().find(|(end, _)| name.to_lowercase().ends_with(end)).map(|(_, value)| *value);
            check(name, plain.entity, value.unwrap_or("任意内容"));
        }
    }
    assert!(open.is_empty(), "these stand in the trail as they were typed:\n{}", open.join("\n"));
}
