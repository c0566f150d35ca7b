//! One school's life.

use kit::{Server, accounts::all_school_codes};
use poem::http::Method;
use serde_json::{Value, json};

use super::{
    Call, Life, MARK, Sent, admission, certificates, classrooms, client_people, closing, corrections, course_opening,
    courses, enrolment, exam_seats, exams, field_attributes, forgotten, graduation, graduation_grades, homework, id,
    information, masked, messages, numbers, online_study, order, own, people, question_bank, recruitment,
    recruitment_batches, registration, scores, send, shown, statistics, status_change, supervision, support,
    teaching_plan, thesis, timetable,
};

/// Numbers of what was made.
pub(super) struct Made {
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
pub(super) async fn live(life: &mut Life<'_>) -> Made {
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
    life.post("/data/pc/sys/log/record", json!({ "entityType": "site", "entityId": site })).await;
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
    let at = classrooms::At { grade, major, site, other_site, class };
    let mut kept_until_the_end = classrooms::live(life, &at).await;
    classrooms::divide(life, &at).await;
    kept_until_the_end.extend(enrolment::live(life, &at).await);
    kept_until_the_end.extend(recruitment::live(life, &at, level).await);
    kept_until_the_end.extend(admission::live(life, &at, level).await);
    let offer = recruitment_batches::At { grade, level, major, site: other_site };
    kept_until_the_end.extend(recruitment_batches::live(life, &offer).await);
    field_attributes::live(life).await;
    classrooms::roll_over(life, &at).await;
    kept_until_the_end.extend(registration::live(life, level).await);
    let mut deleted = courses::live(life).await;
    deleted.extend(question_bank::live(life).await);
    teaching_plan::live(life, &at).await;
    deleted.extend(client_people::live(life, organization, site, class).await);
    client_people::student(life, student).await;
    corrections::live(life, student).await;
    kept_until_the_end.extend(status_change::live(life, &at, level).await);
    kept_until_the_end.extend(course_opening::live(life, &at, student).await);
    online_study::live(life, student).await;
    kept_until_the_end.extend(homework::live(life, student).await);
    kept_until_the_end.extend(exams::live(life, student).await);
    timetable::live(life, &at, student).await;
    exam_seats::live(life, &at, student).await;
    scores::live(life, student).await;
    thesis::live(life, student).await;
    graduation_grades::live(life, student).await;
    graduation::live(life, &at, level).await;
    certificates::live(life).await;
    information::live(life, &at, level).await;
    statistics::live(life, site).await;
    supervision::live(life, grade, student).await;
    deleted.append(&mut kept_until_the_end);
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
    Made { site, other_site, class, student, deleted }
}

/// save, view, list, edit, off and on, export: what most entities have.
pub(super) async fn default_set(life: &mut Life<'_>, entity: &str, body: Value, change: Value) -> i64 {
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
    if entity != ORGANIZATION && entity != courses::TYPE {
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
    let waiting = json!({
        "name": format!("{MARK}王小明"), "idCardNo": "119900200002291008", "studentNo": "26300412009", "gradeId": grade, "levelId": level,
        "majorId": major, "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": site, "classId": class,
        "enrolledOn": "2026-03-01", "status": "pending_registration", "phone": "15400000009", "source": "legacy",
    });
    let waiting = id(&life.post(&format!("{ROLL}/save"), waiting).await);
    let items = |version: i64| json!([{ "id": waiting, "version": version }]);
    life.put(&format!("{ROLL}/register"), json!({ "items": items(1), "registeredOn": "2026-03-20" })).await;
    life.server.run(&format!("update school_1.student set max_study_end_on = '2026-03-02' where id = {waiting}")).await;
    life.put(&format!("{ROLL}/changeStatus"), json!({ "items": items(2), "status": "expired" })).await;
    life.import(
        &format!("{ROLL}/import"),
        &["姓名", "证件号", "年级", "层次", "专业代码", "学习形式", "站点编码", "入学日期", "学制", "学籍状态"],
        &[&["甲校李国强", "44990019881107048X", "2026", "ZSB", "0412", "非脱产", "S1", "2026-03-01", "2.5", "在籍"]],
    )
    .await;
    accounts(life, made).await;
    let more = json!({ "gradeId": grade, "levelId": level, "majorId": major, "siteId": site, "classId": class });
    student_numbers(life, &more).await;
    made
}

/// A rule, what it would give, and numbers by it and by a sheet. It is switched off in the end.
async fn student_numbers(life: &mut Life<'_>, of: &Value) {
    let waiting = |name: &str, id_card_no: &str, examinee_no: &str| {
        let mut body = of.clone();
        for (field, value) in [
            ("name", json!(format!("{MARK}{name}"))),
            ("idCardNo", json!(id_card_no)),
            ("examineeNo", json!(examinee_no)),
            ("studyForm", json!("non_full_time")),
            ("schoolingYears", json!(2.5)),
            ("enrolledOn", json!("2026-03-01")),
            ("status", json!("pending_registration")),
            ("source", json!("legacy")),
        ] {
            body[field] = value;
        }
        body
    };
    let first =
        id(&life.post(&format!("{ROLL}/save"), waiting("孙一鸣", "110105198001010016", "26420101150101")).await);
    life.post(&format!("{ROLL}/save"), waiting("孙二鸣", "110105198001010032", "26420101150102")).await;
    let mut rule = json!({
        "name": format!("{MARK}学号"), "gradeIds": [of["gradeId"]], "sortBy": "examinee_no", "enabled": true,
        "segments": [{ "kind": "literal", "text": "9" }, { "kind": "grade_year", "length": 4 }, { "kind": "seq", "length": 6 }],
    });
    life.post(&format!("{ROLL}/studentNoRule/preview"), json!({ "rule": rule })).await;
    let made = id(&life.post(&format!("{ROLL}/studentNoRule/save"), rule.clone()).await);
    life.get(&format!("{ROLL}/studentNoRule/list")).await;
    let items = json!({ "items": [{ "id": first, "version": 1 }] });
    life.post(&format!("{ROLL}/studentNo/generate"), items).await;
    (rule["id"], rule["version"], rule["enabled"]) = (json!(made), json!(1), json!(false));
    life.put(&format!("{ROLL}/studentNoRule/edit"), rule).await;
    life.get(&format!("{ROLL}/studentNo/import/template")).await;
    let row = ["26420101150102", &format!("{MARK}孙二鸣"), "92026900001"];
    life.import(&format!("{ROLL}/studentNo/import"), &["考生号", "姓名", "学号"], &[&row]).await;
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

/// What of `platform` belongs to school 1: its roles with their rights, its people and what they hold.
const ON_THE_PLATFORM: [&str; 6] = [
    "platform.sys_role t where t.school_id = 1",
    "platform.sys_role_permission t join platform.sys_role r on r.id = t.role_id and r.school_id = 1",
    "platform.sys_role_scope t join platform.sys_role r on r.id = t.role_id and r.school_id = 1",
    "platform.sys_user_role t where t.school_id = 1",
    "platform.sys_user_school t where t.school_id = 1",
    "platform.sys_user t where t.user_type = 'school' and t.id in (select user_id from platform.sys_user_school where school_id = 1)",
];

/// A hash over all that is school 1's and people change.
pub(super) async fn digest(server: &Server) -> String {
    let tables: Vec<String> = sqlx::query_scalar(
        "select table_name::text from information_schema.tables where table_schema = 'school_1' and table_name not in ('_sqlx_migrations') order by 1",
    )
    .fetch_all(&mut server.owner().await)
    .await
    .expect("tables");
    let own = tables.iter().map(|table| format!("school_1.{table} t"));
    let parts: Vec<String> = own
        .chain(ON_THE_PLATFORM.map(ToOwned::to_owned))
        .enumerate()
        .map(|(n, rows)| {
            format!("select '{n}' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as h from {rows}")
        })
        .collect();
    server
        .one(&format!("select md5(string_agg(h, ',' order by h)) from ({}) all_tables", parts.join(" union all ")))
        .await
}

pub(super) fn deletions(made: &Made) -> Vec<Call> {
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
    server
        .run("select setval(oid::regclass, 1000000) from pg_class where relkind = 'S' and relnamespace = 'school_2'::regnamespace")
        .await;
    let codes = all_school_codes();
    let client = server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let mut life = Life::of(&server, client);
    let made = live(&mut life).await;
    let kept = people::live(&mut life, None).await;
    own::school(&mut life).await;
    messages::school(&mut life).await;
    support::school(&mut life, made.site).await;
    closing::settings(&mut life, None).await;

    strangers(&server, &life, &made).await;
    people_of_another_site(&server, &life, &made).await;
    let hidden: Vec<&str> = codes.iter().map(String::as_str).filter(|code| !code.ends_with("Plain")).collect();
    masked::for_whom_nothing_is_open(&life, &server.staff(1, &hidden).await).await;
    numbers::of_people_elsewhere(&server, &life, made.site, made.other_site, made.class).await;
    order::of_every_column(&life.client).await;

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

    people::end(&mut life, &kept).await;

    life.get("/system/pc/sys/school/user/menu").await;
    // Whose menu is seen on the platform.
    let elsewhere: Vec<&str> = ELSEWHERE
        .into_iter()
        .chain(people::ELSEWHERE)
        .chain(own::ELSEWHERE)
        .chain(closing::ELSEWHERE)
        .chain(["viewPlatformMenu"])
        .collect();
    assert_eq!(forgotten(&life, &["school", "both"], &elsewhere), Vec::<String>::new(), "no valid call is known");
}

/// Operations whose valid call needs more than a body; each has a story of its own that also asks the stranger.
const ELSEWHERE: [&str; 7] = [
    "importAdmissionPhotos",
    "importStudentPhotos",
    "moveArrangeSessions",
    "packStudentPhotos",
    "proposeSessionMoves",
    // statistics.rs: once a minute, and it computes figures of the whole school
    "refreshStatistics",
    "unbindStudentWechat",
];

/// Operations that a stranger may repeat although they name a number of school 1, and why.
const DONE_BY_A_STRANGER: [(&str, &str); 5] = [
    ("editSceneSwitch", "scenes are the platform's; each school switches its own"),
    ("hideSchoolHelpArticle", "articles of the platform; each school hides them from its own people"),
    ("hideSiteHelpArticle", "the same"),
    ("hideStudentHelpArticle", "the same"),
    ("hideTeacherHelpArticle", "the same"),
];

/// Whether a call means a record by its number: in its body, at any depth, or in its address.
fn names_a_record(call: &Call) -> bool {
    fn is_number(name: &str) -> bool {
        let name = name.to_lowercase();
        name.ends_with("id") || name.ends_with("ids")
    }
    fn within(value: &Value) -> bool {
        match value {
            Value::Object(fields) => fields.iter().any(|(name, inner)| {
                is_number(name) && (inner.is_i64() || inner.as_array().is_some_and(|ids| !ids.is_empty()))
                    || within(inner)
            }),
            Value::Array(items) => items.iter().any(within),
            _ => false,
        }
    }
    let query = call.path.split_once('?').map_or("", |(_, query)| query);
    let addressed = query.split('&').filter_map(|pair| pair.split_once('=')).any(|(name, _)| is_number(name));
    addressed || matches!(&call.sent, Sent::Json(body) if within(body))
}

/// Somebody of school 2 with every right repeats every call.
async fn strangers(server: &Server, life: &Life<'_>, made: &Made) {
    let codes = all_school_codes();
    let stranger = server.staff(2, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let before = digest(server).await;
    // First all that reads, while the stranger's own school is empty; then all that writes.
    for call in life.calls.iter().filter(|call| !call.writes) {
        let answer = send(&stranger, &call.method, &call.path, &call.sent).await;
        let shown = shown(&answer);
        assert!(!shown.contains(MARK), "{} {}: {shown}", call.method, call.path);
        if call.path.contains("/view?id=") && !call.path.contains("nationalMajor") {
            assert_eq!(answer.code(), 404, "{} {}", call.method, call.path);
        }
    }
    let mut done = Vec::new();
    for call in life.calls.iter().filter(|call| call.writes).chain(&deletions(made)) {
        let answer = send(&stranger, &call.method, &call.path, &call.sent).await;
        // A step over several records answers with what it did, which is nothing.
        let data = &answer.body["data"];
        let nothing = ["cleared", "created", "done", "imported"].into_iter().any(|field| data[field] == json!(0));
        let did = answer.code() == 200 && !nothing;
        let known = DONE_BY_A_STRANGER.iter().any(|(operation, _)| *operation == call.operation);
        if names_a_record(call) && !known && did {
            done.push(format!("{} {} ({}): {}", call.method, call.path, call.operation, answer.body));
        }
    }
    assert!(done.is_empty(), "a stranger did:\n{}", done.join("\n"));
    assert_eq!(digest(server).await, before, "a stranger changed a row of school 1");
}

/// Somebody of school 1 who may see another site alone repeats every call. No answer holds anything of what stands at the
/// site of this life, and no call changes a row of it. What stands there is found in the catalogue, so that a new table is
/// inside by default.
async fn people_of_another_site(server: &Server, life: &Life<'_>, made: &Made) {
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[made.other_site]).await;
    let there = Standing::at(server, made).await;
    let hidden = there.words(server).await;
    for word in ["张晓梅", "李国强", "城东站", "会计1班", "429900199603150216", "private/s1/"] {
        assert!(hidden.iter().any(|hidden| hidden.contains(word)), "{word} is not among what stands there: {hidden:?}");
    }
    let mut before = there.rows(server).await;
    let mut wrong = Vec::new();
    for call in &life.calls {
        let answer = send(&narrow, &call.method, &call.path, &call.sent).await;
        let shown = shown(&answer);
        let typed = match &call.sent {
            Sent::Json(body) => body.to_string(),
            _ => String::new(),
        };
        let told = hidden.iter().find(|word| shown.contains(word.as_str()) && !typed.contains(word.as_str()));
        let named = format!("{} {} ({})", call.method, call.path, call.operation);
        if let Some(word) = told {
            wrong.push(format!("{named} tells {word}: {shown}"));
        }
        if call.writes {
            let after = there.rows(server).await;
            if after != before {
                wrong.push(format!("{named} changed a row outside the scope: {shown}"));
                before = after;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (path, id) in [(SITE, made.site), (CLASS, made.class), (ROLL, made.student), (ACCOUNT, made.student)] {
        assert_eq!(narrow.get(&format!("{path}/view?id={id}")).await.code(), 404, "{path}");
    }
    let own = narrow.post(&format!("{SITE}/list"), json!({})).await;
    assert_eq!(own.data()["totalCount"], json!(1), "{}", own.body);
    assert_eq!(narrow.post(&format!("{ROLL}/list"), json!({ "scope": "all" })).await.data()["totalCount"], json!(0));
}

/// Rows of school 1 at one site: the site itself, and every row of every table that names it or its class.
struct Standing {
    /// A table and the condition for its rows.
    tables: Vec<(String, String)>,
    site: i64,
}

impl Standing {
    async fn at(server: &Server, made: &Made) -> Self {
        let Made { site, class, .. } = made;
        let columns: Vec<(String, String)> = sqlx::query_as(
            "select table_name::text, string_agg(column_name::text, ',' order by column_name)
             from information_schema.columns
             where table_schema = 'school_1' and column_name in ('site_id', 'class_id')
             group by table_name order by table_name",
        )
        .fetch_all(&mut server.owner().await)
        .await
        .expect("columns");
        let mut tables: Vec<(String, String)> = columns
            .into_iter()
            .map(|(table, columns)| {
                let parts: Vec<String> = columns
                    .split(',')
                    .map(|column| format!("t.{column} = {}", if column == "site_id" { site } else { class }))
                    .collect();
                (table, parts.join(" or "))
            })
            .collect();
        tables.push(("site".to_owned(), format!("t.id = {site}")));
        Self { tables, site: *site }
    }

    /// All of these rows as text, for a comparison.
    async fn rows(&self, server: &Server) -> String {
        let parts: Vec<String> = self
            .tables
            .iter()
            .map(|(table, at)| format!("select '{table}' || t::text as row from school_1.{table} t where {at}"))
            .collect();
        server
            .one(&format!(
                "select coalesce(string_agg(row, E'\\n' order by row), '') from ({}) r",
                parts.join(" union all ")
            ))
            .await
    }

    /// Names, numbers, addresses and keys of files that only these rows hold.
    async fn words(&self, server: &Server) -> Vec<String> {
        let personal =
            "'name','id_card_no','phone','email','address','student_no','examinee_no','work_no','login_name'";
        let mut words = Vec::new();
        let mut owner = server.owner().await;
        for (table, at) in &self.tables {
            let found: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
                "select distinct f.value #>> '{{}}' from school_1.{table} t, jsonb_each(to_jsonb(t)) f
                 where ({at}) and f.key in ({personal}) and length(f.value #>> '{{}}') > 3
                 union
                 select o.key from school_1.file_object o join school_1.{table} t on o.owner_type = '{table}' and o.owner_id = (to_jsonb(t) ->> 'id')::bigint
                 where {at}"
            )))
            .fetch_all(&mut owner)
            .await
            .expect("words");
            words.extend(found);
        }
        words.sort();
        words.dedup();
        assert!(words.len() > 10, "what stands at site {} has names: {words:?}", self.site);
        words
    }
}
