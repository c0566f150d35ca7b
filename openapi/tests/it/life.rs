//! One school's life through every operation: what each leaves in the trail, what strangers and people of another site
//! get when they repeat it (style: the sweeps need valid calls; ruling 5).

use std::collections::{BTreeMap, BTreeSet};

use openapi::document;
use poem::http::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Client, Server, all_school_codes, sheet};

/// What was sent in a call.
#[derive(Debug, Clone)]
enum Sent {
    Nothing,
    Json(Value),
    Sheet(Vec<u8>),
}

/// A call that succeeded.
#[derive(Debug, Clone)]
struct Call {
    operation: String,
    writes: bool,
    method: Method,
    path: String,
    sent: Sent,
}

struct Life<'s> {
    server: &'s Server,
    client: Client<'s>,
    known: BTreeMap<(String, String), (String, bool)>,
    calls: Vec<Call>,
}

/// Stands in every name of school 1, so that a stranger's answer can be searched for it.
const MARK: &str = "甲校";

impl<'s> Life<'s> {
    async fn begin(server: &'s Server) -> Self {
        let codes = all_school_codes();
        let client = server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let shown = document::document();
        let known = document::operations(&shown)
            .map(|(method, path, operation)| {
                let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
                ((method, path.clone()), (id, operation["x-writes"] == json!(true)))
            })
            .collect();
        Self { server, client, known, calls: Vec::new() }
    }

    async fn get(&mut self, path: &str) -> Value {
        self.call(Method::GET, path, Sent::Nothing).await
    }

    async fn post(&mut self, path: &str, body: Value) -> Value {
        self.call(Method::POST, path, Sent::Json(body)).await
    }

    async fn put(&mut self, path: &str, body: Value) -> Value {
        self.call(Method::PUT, path, Sent::Json(body)).await
    }

    async fn delete(&mut self, path: &str) -> Value {
        self.call(Method::DELETE, path, Sent::Nothing).await
    }

    async fn import(&mut self, path: &str, headings: &[&str], rows: &[&[&str]]) {
        let answer = self.call(Method::POST, path, Sent::Sheet(sheet(headings, rows))).await;
        assert_eq!(answer["errors"], json!([]), "{path}");
        assert_eq!(answer["imported"], json!(rows.len()), "{path}");
    }

    /// Sends the call, wants success, and a row of the trail when it writes.
    async fn call(&mut self, method: Method, path: &str, sent: Sent) -> Value {
        let plain = path.split('?').next().unwrap_or(path);
        let template = plain.rsplit_once('/').map_or_else(String::new, |(parent, _)| format!("{parent}/{{type}}"));
        let (operation, writes) = [plain, &template]
            .into_iter()
            .find_map(|path| self.known.get(&(method.to_string(), path.to_owned())))
            .unwrap_or_else(|| panic!("{method} {path} is not in the document"))
            .clone();
        let answer = send(&self.client, &method, path, &sent).await;
        assert!(
            answer.status == 200 && (answer.file_name.is_some() || answer.code() == 200),
            "{method} {path}: {}",
            answer.body
        );
        if writes {
            let rows: i64 = self
                .server
                .one(&format!(
                    "select (select count(*) from school_1.audit_log where trace_id = '{0}')
                          + (select count(*) from platform.audit_log where trace_id = '{0}')",
                    answer.trace
                ))
                .await;
            let starts_job = answer.body["data"]["jobId"].is_i64();
            assert!(rows > 0 || starts_job, "{operation} left no row in the trail");
        }
        self.calls.push(Call { operation, writes, method, path: path.to_owned(), sent });
        answer.body["data"].clone()
    }
}

async fn send(client: &Client<'_>, method: &Method, path: &str, sent: &Sent) -> Answer {
    match sent {
        Sent::Nothing => client.bare(method.clone(), path).await,
        Sent::Json(body) => client.json(method.clone(), path, body).await,
        Sent::Sheet(bytes) => {
            client
                .upload(
                    path,
                    "file",
                    "a.xlsx",
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                    bytes,
                )
                .await
        }
    }
}

fn id(answer: &Value) -> i64 {
    answer["id"].as_i64().expect("an id")
}

/// Numbers of what was made.
struct Made {
    site: i64,
    other_site: i64,
    class: i64,
    student: i64,
    deleted: Vec<(&'static str, i64)>,
}

const GRADE: &str = "/adult/pc/grade";
const LEVEL: &str = "/adult/pc/arrangement";
const SEMESTER: &str = "/adult/pc/semester";
const ORGANIZATION: &str = "/adult/pc/organize";
const SITE: &str = "/adult/pc/site";
const MAJOR: &str = "/adult/pc/major";
const CLASS: &str = "/adult/pc/class";
const ROLL: &str = "/adult/pc/studentRoll";
const ACCOUNT: &str = "/user/pc/student";

/// Makes one of everything, looks at it in every way, changes it; deletes nothing yet.
async fn live(life: &mut Life<'_>) -> Made {
    let grade = default_set(
        life,
        GRADE,
        json!({ "code": "2026", "name": format!("{MARK}2026级"), "entrySeason": "spring" }),
        json!({ "remark": "第一次" }),
    )
    .await;
    let level = default_set(
        life,
        LEVEL,
        json!({ "code": "ZSB", "name": format!("{MARK}专升本"), "entryLevel": "associate_to_bachelor" }),
        json!({ "minHours": 1700 }),
    )
    .await;
    let organization = default_set(
        life,
        ORGANIZATION,
        json!({ "code": "JG", "name": format!("{MARK}经济管理学院"), "kind": "college" }),
        json!({ "leader": "王主任" }),
    )
    .await;
    let site = default_set(life, SITE, json!({ "code": "S1", "name": format!("{MARK}城东站"), "kind": "headquarter", "organizationId": organization, "phone": "027-87654321" }), json!({ "contact": "李站长" })).await;
    let other_site = id(&life
        .post(&format!("{SITE}/save"), json!({ "code": "S2", "name": format!("{MARK}城西站"), "kind": "headquarter" }))
        .await);
    let third = id(&life
        .post(&format!("{SITE}/save"), json!({ "code": "S3", "name": format!("{MARK}城南站"), "kind": "headquarter" }))
        .await);
    let version = life.get(&format!("{SITE}/view?id={third}")).await["version"].clone();
    life.put(
        &format!("{SITE}/changeStatus"),
        json!({ "id": third, "status": "suspended", "reason": "停招", "version": version }),
    )
    .await;
    let semester = default_set(
        life,
        SEMESTER,
        json!({ "code": "2026-1", "startsOn": "2026-03-02", "endsOn": "2026-07-12" }),
        json!({ "holidays": ["2026-05-01"] }),
    )
    .await;
    life.put(&format!("{SEMESTER}/setCurrent"), json!({ "id": semester })).await;
    life.get(&format!("{SEMESTER}/current")).await;
    let version = life.get(&format!("{SEMESTER}/view?id={semester}")).await["version"].clone();
    life.put(&format!("{SEMESTER}/close"), json!({ "id": semester, "version": version })).await;
    let version = life.get(&format!("{SEMESTER}/view?id={semester}")).await["version"].clone();
    life.put(&format!("{SEMESTER}/reopen"), json!({ "id": semester, "version": version, "reason": "补排一次面授" }))
        .await;
    let national =
        life.post("/adult/pc/nationalMajor/list", json!({ "keyword": "120203K" })).await["list"][0]["id"].clone();
    life.get(&format!("/adult/pc/nationalMajor/view?id={national}")).await;
    let major = default_set(
        life,
        MAJOR,
        json!({ "code": "0412", "name": format!("{MARK}会计学"), "nationalMajorId": national, "levelId": level, "totalCredits": 92.0, "organizationId": organization }),
        json!({ "totalCredits": 93.0 }),
    )
    .await;
    let class = default_set(
        life,
        CLASS,
        json!({ "code": "C1", "name": format!("{MARK}会计1班"), "gradeId": grade, "levelId": level, "majorId": major, "siteId": site }),
        json!({ "capacity": 45 }),
    )
    .await;
    life.get("/adult/pc/options/site").await;
    imports(life).await;
    let student = student(life, grade, level, major, site, class).await;
    let mut deleted = Vec::new();
    for (entity, body) in [
        (GRADE, json!({ "code": "2020", "name": format!("{MARK}2020级"), "entrySeason": "spring" })),
        (LEVEL, json!({ "code": "X", "name": format!("{MARK}多余层次"), "entryLevel": "associate_to_bachelor" })),
        (SEMESTER, json!({ "code": "2020-1", "startsOn": "2020-03-02", "endsOn": "2020-07-12" })),
        (ORGANIZATION, json!({ "code": "X", "name": format!("{MARK}多余机构"), "kind": "center" })),
        (SITE, json!({ "code": "X", "name": format!("{MARK}多余站点"), "kind": "headquarter" })),
        (
            MAJOR,
            json!({ "code": "X", "name": format!("{MARK}多余专业"), "nationalMajorId": national, "levelId": level, "totalCredits": 92.0, "direction": "多余" }),
        ),
        (
            CLASS,
            json!({ "code": "X", "name": format!("{MARK}多余班级"), "gradeId": grade, "levelId": level, "majorId": major, "siteId": site }),
        ),
    ] {
        deleted.push((entity, id(&life.post(&format!("{entity}/save"), body.clone()).await)));
        let mut second = body;
        second["code"] = json!(match entity {
            GRADE => "2021",
            SEMESTER => "2021-1",
            _ => "Y",
        });
        for (field, value) in [("startsOn", "2021-03-02"), ("endsOn", "2021-07-12"), ("direction", "又一个")] {
            if second.get(field).is_some() {
                second[field] = json!(value);
            }
        }
        if second.get("name").is_some() {
            second["name"] = json!(format!("{MARK}又一个{entity}"));
        }
        deleted.push((entity, id(&life.post(&format!("{entity}/save"), second).await)));
    }
    everybody(life).await;
    Made { site, other_site, class, student, deleted }
}

/// save, view, list, edit, off and on, export: what most entities have.
async fn default_set(life: &mut Life<'_>, entity: &str, body: Value, change: Value) -> i64 {
    let made = id(&life.post(&format!("{entity}/save"), body.clone()).await);
    let seen = life.get(&format!("{entity}/view?id={made}")).await;
    let mut edit = body;
    edit["id"] = json!(made);
    edit["version"] = seen["version"].clone();
    for (field, value) in change.as_object().expect("fields") {
        edit[field] = value.clone();
    }
    life.put(&format!("{entity}/edit"), edit).await;
    let changed = life.get(&format!("{entity}/view?id={made}")).await;
    for (field, value) in change.as_object().expect("fields") {
        assert_eq!(&changed[field], value, "{entity} {field}");
    }
    life.post(&format!("{entity}/list"), json!({})).await;
    life.post(&format!("{entity}/export"), json!({})).await;
    if entity != SITE && entity != SEMESTER {
        life.put(&format!("{entity}/update/status"), json!({ "id": made, "enabled": false })).await;
        life.put(&format!("{entity}/update/status"), json!({ "id": made, "enabled": true })).await;
    }
    if entity != ORGANIZATION {
        life.get(&format!("{entity}/import/template")).await;
    }
    made
}

async fn imports(life: &mut Life<'_>) {
    let (grade, level, class) = (format!("{MARK}2025级"), format!("{MARK}高起专"), format!("{MARK}会计9班"));
    life.import(&format!("{GRADE}/import"), &["年级编码", "年级名称", "入学季"], &[&["2025", &grade, "春季"]]).await;
    life.import(
        &format!("{LEVEL}/import"),
        &["编码", "名称", "起点层次", "学制"],
        &[&["GQZ", &level, "高起专", "2.5"]],
    )
    .await;
    life.import(
        &format!("{SEMESTER}/import"),
        &["学期编码", "名称", "开始日期", "结束日期"],
        &[&["2025-2", "甲校2025年秋季学期", "2025-09-01", "2026-01-10"]],
    )
    .await;
    life.import(&format!("{SITE}/import"), &["站点编码", "站点名称", "类型"], &[&["S9", "甲校城北站", "校本部"]]).await;
    life.import(
        &format!("{MAJOR}/import"),
        &["校内专业代码", "专业名称", "国家专业代码", "层次编码", "学习形式", "总学分"],
        &[&["0999", "甲校大数据与会计", "530302", "GQZ", "非脱产", "96"]],
    )
    .await;
    life.import(
        &format!("{CLASS}/import"),
        &["班级编码", "班级名称", "年级编码", "层次编码", "校内专业代码", "站点编码"],
        &[&["C9", &class, "2026", "ZSB", "0412", "S1"]],
    )
    .await;
}

async fn student(life: &mut Life<'_>, grade: i64, level: i64, major: i64, site: i64, class: i64) -> i64 {
    let body = json!({
        "name": format!("{MARK}张晓梅"), "idCardNo": "429900199603150216", "studentNo": "26300412001", "gradeId": grade, "levelId": level,
        "majorId": major, "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": site, "classId": class,
        "enrolledOn": "2026-03-01", "status": "registered", "phone": "15400000001", "source": "legacy",
    });
    let made = id(&life.post(&format!("{ROLL}/save"), body).await);
    let seen = life.get(&format!("{ROLL}/view?id={made}")).await;
    assert_eq!(seen["idCardNo"], json!("429***********0216"));
    life.put(
        &format!("{ROLL}/edit"),
        json!({ "id": made, "version": seen["version"], "phone": "15400000002", "address": "某路1号" }),
    )
    .await;
    life.post(&format!("{ROLL}/list"), json!({ "scope": "all" })).await;
    life.post(&format!("{ROLL}/statistics"), json!({ "scope": "all" })).await;
    life.post(&format!("{ROLL}/export"), json!({ "scope": "all" })).await;
    life.get(&format!("{ROLL}/history?id={made}")).await;
    life.get(&format!("{ROLL}/import/template")).await;
    life.post("/system/pc/plain/view", json!({ "entity": "student", "id": made, "field": "idCardNo" })).await;
    life.import(
        &format!("{ROLL}/import"),
        &["姓名", "证件号", "年级", "层次", "专业代码", "学习形式", "站点编码", "入学日期", "学制", "学籍状态"],
        &[&["甲校李国强", "44990019881107048X", "2026", "ZSB", "0412", "非脱产", "S1", "2026-03-01", "2.5", "在籍"]],
    )
    .await;
    accounts(life, made).await;
    made
}

async fn accounts(life: &mut Life<'_>, student: i64) {
    let list = life.post(&format!("{ACCOUNT}/list"), json!({})).await;
    let rows = list["list"].as_array().expect("rows").clone();
    let of = |id: i64| rows.iter().find(|row| row["id"] == json!(id)).expect("the student").clone();
    life.get(&format!("{ACCOUNT}/view?id={student}")).await;
    life.post(&format!("{ACCOUNT}/export"), json!({})).await;
    life.put(
        &format!("{ACCOUNT}/edit"),
        json!({ "id": student, "version": of(student)["version"], "phone": "15400000003" }),
    )
    .await;
    let unnumbered = rows.iter().find(|row| row["id"] != json!(student)).expect("the imported student").clone();
    let refused = life
        .client
        .post(
            &format!("{ACCOUNT}/generate"),
            json!({ "items": [{ "id": unnumbered["id"], "version": unnumbered["version"] }] }),
        )
        .await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!("学号和考生号均为空，不能生成账号"));
    life.server.run(&format!("delete from school_1.client_account where owner_id = {student}")).await;
    let row = life.client.get(&format!("{ROLL}/view?id={student}")).await.data().clone();
    life.post(&format!("{ACCOUNT}/generate"), json!({ "items": [{ "id": student, "version": row["version"] }] })).await;
    let item = |row: &Value| json!({ "items": [{ "id": row["id"], "version": row["accountVersion"] }] });
    let fresh = |list: Value| {
        list["list"]
            .as_array()
            .expect("rows")
            .iter()
            .find(|row| row["id"] == json!(student))
            .expect("the student")
            .clone()
    };
    let row = fresh(life.post(&format!("{ACCOUNT}/list"), json!({})).await);
    life.post(&format!("{ACCOUNT}/resetPassword"), item(&row)).await;
    for enabled in [false, true] {
        let row = fresh(life.post(&format!("{ACCOUNT}/list"), json!({})).await);
        life.put(&format!("{ACCOUNT}/update/status"), json!({ "items": item(&row)["items"], "enabled": enabled }))
            .await;
    }
    let row = fresh(life.post(&format!("{ACCOUNT}/list"), json!({})).await);
    life.put(&format!("{ACCOUNT}/unlock"), item(&row)).await;
}

/// What everybody calls who is signed in.
async fn everybody(life: &mut Life<'_>) {
    for path in [
        "/system/pc/api/enum/list",
        "/system/pc/api/enum/list/siteKind",
        "/system/pc/api/region/children?parent=420000",
        "/system/pc/api/sys/user/getSchoolAccountInfo",
        "/system/pc/dict/data/dictType?dictType=ethnicity",
        "/system/pc/sys/school/available/list",
        "/system/pc/sys/school/user/menu",
        "/system/pc/sys/user/permission",
    ] {
        life.get(path).await;
    }
    life.post("/system/pc/job/list", json!({})).await;
}

/// A hash over all tables of school 1 that people change.
async fn digest(server: &Server) -> String {
    let tables: Vec<String> = sqlx::query_scalar(
        "select table_name::text from information_schema.tables where table_schema = 'school_1' and table_name not in ('_sqlx_migrations') order by 1",
    )
    .fetch_all(&mut server.owner().await)
    .await
    .expect("tables");
    let parts: Vec<String> = tables
        .iter()
        .map(|table| format!("select '{table}' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as h from school_1.{table} t"))
        .collect();
    server
        .one(&format!("select md5(string_agg(h, ',' order by h)) from ({}) all_tables", parts.join(" union all ")))
        .await
}

fn deletions(made: &Made) -> Vec<Call> {
    let mut calls = Vec::new();
    for (n, (entity, id)) in made.deleted.iter().enumerate() {
        let (method, path, sent) = if n % 2 == 0 {
            (Method::DELETE, format!("{entity}/delete?id={id}"), Sent::Nothing)
        } else {
            (Method::POST, format!("{entity}/batchDel"), Sent::Json(json!({ "ids": [id] })))
        };
        calls.push(Call { operation: String::new(), writes: true, method, path, sent });
    }
    calls
}

/// No operation of the school area may be forgotten here: it would escape every sweep.
#[tokio::test]
async fn every_operation_lives_leaves_a_trail_and_is_nobody_elses() {
    let server = Server::start().await;
    // Numbers of the two schools differ, so that a stranger's number never fits by chance.
    server.run("select school_2_apart from (select setval(pg_get_serial_sequence('school_2.' || t, 'id'), 1000000) as school_2_apart
        from unnest(array['grade','level','semester','organization','site','major','class','student','client_account']) t) s").await;
    let mut life = Life::begin(&server).await;
    let made = live(&mut life).await;

    strangers(&server, &life, &made).await;
    people_of_another_site(&server, &life, &made).await;

    for call in deletions(&made) {
        match call.sent {
            Sent::Json(body) => {
                let answer = life.post(&call.path, body).await;
                assert_eq!(answer["done"], json!(1), "{} {answer}", call.path);
            }
            _ => {
                life.delete(&call.path).await;
            }
        }
    }

    let lived: BTreeSet<&str> = life.calls.iter().map(|call| call.operation.as_str()).collect();
    let shown = document::document();
    let forgotten: Vec<&str> = document::operations(&shown)
        .filter(|(_, _, operation)| operation["x-area"] == json!("school"))
        .filter_map(|(_, _, operation)| operation["operationId"].as_str())
        .filter(|id| !lived.contains(id) && !ELSEWHERE.contains(id))
        .collect();
    assert!(forgotten.is_empty(), "no valid call of these is known: {forgotten:?}");
}

/// Operations whose valid call needs more than a body; each has a story of its own that also asks the stranger.
const ELSEWHERE: [&str; 2] = ["importStudentPhotos", "unbindStudentWechat"];

/// Somebody of school 2 with every right repeats every call.
async fn strangers(server: &Server, life: &Life<'_>, made: &Made) {
    let codes = all_school_codes();
    let stranger = server.staff(2, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let before = digest(server).await;
    // First all that reads, while the stranger's own school is empty; then all that writes.
    for call in life.calls.iter().filter(|call| !call.writes) {
        let answer = send(&stranger, &call.method, &call.path, &call.sent).await;
        let shown = String::from_utf8_lossy(&answer.bytes);
        assert!(!shown.contains(MARK), "{} {}: {shown}", call.method, call.path);
        if call.path.contains("/view?id=") && !call.path.contains("nationalMajor") {
            assert_eq!(answer.code(), 404, "{} {}", call.method, call.path);
        }
    }
    for call in life.calls.iter().filter(|call| call.writes).chain(&deletions(made)) {
        let answer = send(&stranger, &call.method, &call.path, &call.sent).await;
        let names_a_record = match &call.sent {
            Sent::Json(body) => body.get("id").is_some(),
            Sent::Sheet(_) => false,
            Sent::Nothing => call.path.contains("?id="),
        };
        assert!(!names_a_record || answer.code() != 200, "{} {}: {}", call.method, call.path, answer.body);
    }
    assert_eq!(digest(server).await, before, "a stranger changed a row of school 1");
}

/// Somebody of school 1 who may see another site alone repeats every call about people.
async fn people_of_another_site(server: &Server, life: &Life<'_>, made: &Made) {
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[made.other_site]).await;
    let before = digest(server).await;
    for call in life.calls.iter().filter(|call| {
        [SITE, CLASS, ROLL, ACCOUNT, "/system/pc/plain"].iter().any(|about| call.path.starts_with(about))
    }) {
        if call.writes && call.path.ends_with("/save") && call.path.starts_with(SITE) {
            continue;
        }
        let answer = send(&narrow, &call.method, &call.path, &call.sent).await;
        let shown = String::from_utf8_lossy(&answer.bytes);
        for name in ["张晓梅", "李国强", "城东站", "会计1班", "429900199603150216"] {
            let typed = matches!(&call.sent, Sent::Json(body) if body.to_string().contains(name));
            assert!(typed || !shown.contains(name), "{} {} shows {name}: {shown}", call.method, call.path);
        }
        if call.writes && !call.path.contains("/export") {
            assert_eq!(
                digest(server).await,
                before,
                "{} {} changed a row outside the scope: {shown}",
                call.method,
                call.path
            );
        }
    }
    for (path, id) in [(SITE, made.site), (CLASS, made.class), (ROLL, made.student), (ACCOUNT, made.student)] {
        assert_eq!(narrow.get(&format!("{path}/view?id={id}")).await.code(), 404, "{path}");
    }
    let own = narrow.post(&format!("{SITE}/list"), json!({})).await;
    assert_eq!(own.data()["totalCount"], json!(1), "{}", own.body);
    assert_eq!(narrow.post(&format!("{ROLL}/list"), json!({ "scope": "all" })).await.data()["totalCount"], json!(0));
}
