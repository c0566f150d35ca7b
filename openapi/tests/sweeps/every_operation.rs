//! Rules that hold for every operation of the document, proved over all of them.

use std::collections::{BTreeMap, BTreeSet};

use kit::{Answer, Client, Server, accounts::all_school_codes};
use openapi::document;
use poem::http::Method;
use serde_json::{Value, json};

/// Path with its parameter filled, and method, of every operation.
fn all(document: &Value) -> Vec<(Method, String, &Value)> {
    document::operations(document)
        .map(|(method, path, operation)| {
            (method.parse().expect("a method"), path.replace("{type}", "siteKind"), operation)
        })
        .collect()
}

fn is_enveloped(answer: &Answer) -> bool {
    let keys: Option<Vec<&str>> = answer.body.as_object().map(|fields| fields.keys().map(String::as_str).collect());
    keys == Some(vec!["code", "data", "msg"])
}

async fn call(client: &Client<'_>, method: &Method, path: &str) -> Answer {
    client.json(method.clone(), path, &json!({})).await
}

#[tokio::test]
async fn asks_for_a_session_and_for_its_permission() {
    let server = Server::start().await;
    let document = document::document();
    let without_rights = server.staff(1, &[]).await;
    for (method, path, operation) in all(document) {
        let code = operation["x-permission"].as_str().expect("a permission");
        let anonymous = call(&server.anonymous(), &method, &path).await;
        assert!(is_enveloped(&anonymous), "{method} {path}: {}", anonymous.body);
        if code == "public" {
            continue;
        }
        assert_eq!(anonymous.code(), 301, "{method} {path}");
        if code != "signed-in" {
            let refused = call(&without_rights, &method, &path).await;
            assert_eq!(refused.code(), 403, "{method} {path}: {}", refused.body);
            assert!(is_enveloped(&refused));
        }
    }
}

#[tokio::test]
async fn a_school_token_reaches_no_platform_operation_and_the_other_way_round() {
    let server = Server::start().await;
    let document = document::document();
    let (outside, inside) = (server.operator().await, server.staff(1, &[]).await);
    for (method, path, operation) in all(document) {
        let stranger = match operation["x-area"].as_str() {
            Some("platform") => &inside,
            Some("school") => &outside,
            _ => continue,
        };
        assert_eq!(call(stranger, &method, &path).await.code(), 403, "{method} {path}");
    }
}

/// An operator names the school whose data they mean; nobody inside a school can (00 §3).
#[tokio::test]
async fn only_an_operator_names_a_school_and_only_his() {
    let server = Server::start().await;
    let document = document::document();
    let codes = all_school_codes();
    let inside = server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let outside = server.operator().await;
    server.run("update platform.sys_user set school_scope = 'listed' where login_name = 'operator'").await;
    let mut asked = 0;
    for (method, path, operation) in all(document) {
        let named = format!("{path}?schoolId=1");
        if operation["x-names-school"] == json!(true) {
            asked += 1;
            // What operators alone may do, nobody inside is let near.
            let refused = if operation["x-area"] == json!("platform") { 403 } else { 400 };
            assert_eq!(call(&inside, &method, &named).await.code(), refused, "{method} {path}");
            assert_eq!(call(&outside, &method, &named).await.code(), 404, "{method} {path}");
        }
    }
    assert!(asked > 100, "{asked} operations");
}

/// Enumerations that share their words on the wire keep the Chinese words of their own.
#[test]
fn an_enumeration_is_told_in_its_own_words() {
    let schemas = &document::document()["components"]["schemas"];
    let told = |schema: &str, word: &str| schemas[schema]["x-enum-labels"][word].clone();
    for (schema, word, zh) in [
        ("RecommendPosition", "detail", "课程详情页"),
        ("QuizRecommendPosition", "detail", "试卷详情页"),
        ("ExamPhase", "running", "进行中"),
        ("StudyWindow", "running", "学习中"),
        ("DegreeSource", "staff", "代申请"),
        ("DeferralApplicant", "staff", "代为申请"),
        ("InformationSubmitter", "staff", "代填"),
    ] {
        assert_eq!(told(schema, word), json!(zh), "{schema}");
    }
}

#[test]
fn the_table_of_permissions_is_committed() {
    expect_test::expect_file!["../../permissions.txt"].assert_eq(&document::permission_table(document::document()));
}

#[test]
fn operation_ids_are_unique_and_read_as_verb_and_noun() {
    let document = document::document();
    let mut seen = BTreeSet::new();
    for (_, path, operation) in document::operations(document) {
        let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{path} has no operation id"));
        assert!(seen.insert(id.to_owned()), "{id} twice");
        assert!(id.starts_with(|c: char| c.is_ascii_lowercase()), "{id}");
        assert!(operation["summary"].as_str().is_some_and(|title| !title.is_empty()), "{path} has no title");
    }
}

/// Calls of the console's own, which the customer's list does not have: the views that people keep of lists, the undoing of
/// imports, what a new school takes over from another one, the register of a day, the plans of a semester as a workbook, the
/// calendars of persons, the repair around a lesson that is moved, the sheet of those who are given a coupon, why a score is what it is, whom another weight would move, how far
/// archives and sheets of scores are, the signed papers of sheets, each round of an examination, and what staff asked, add to
/// their question or end it with.
const BESIDE: [&str; 23] = [
    "/system/pc/saved/view/",
    "/system/pc/import/",
    "/system/pc/sys/school/foundation/",
    "/adult/pc/studentRoll/asOf/",
    "/adult/pc/forecastingMajor/result/import/template",
    "/adult/pc/preRegistration/examineeNo/import/template",
    "/adult/pc/teachingPlan/bySemester/export",
    "/course/pc/schoolCourse/uses",
    "/user/pc/coupon/grant/import/template",
    "/adult/pc/courseArrange/feed/",
    "/adult/pc/courseArrange/session/repair",
    "/adult/pc/courseArrange/session/moveAll",
    "/user/client/timetable/feed",
    "/user/client/timetable/calendar",
    "/exam/pc/tasks/student/why",
    "/exam/pc/tasks/weight/",
    "/adult/pc/archive/stat",
    "/adult/pc/score/component/exam/",
    "/adult/pc/score/sheet/progress",
    "/adult/pc/score/sheet/scan",
    "/system/pc/support/school/question/append",
    "/system/pc/support/school/question/close",
    "/system/pc/support/school/question/own",
];

/// The customer's list of calls decides path, method and permission.
#[test]
fn paths_and_permissions_are_the_contracts() {
    let wanted: BTreeMap<(String, String), String> = include_str!("calls.tsv")
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            ((fields[1].to_owned(), fields[2].to_owned()), fields[4].to_owned())
        })
        .collect();
    let document = document::document();
    for (method, path, operation) in document::operations(document) {
        if BESIDE.iter().any(|beside| path.starts_with(beside)) {
            continue;
        }
        let permission = wanted
            .get(&(method.clone(), path.clone()))
            .unwrap_or_else(|| panic!("{method} {path} is no call of the contract"));
        // Nothing that a visitor of a public form may send in comes in parts.
        let with_session = permission.trim_start_matches("public,");
        let permission = if path == "/user/client/upload/parts" { with_session } else { permission };
        // Leaving a school also works with an entry that has run out, so the token is read by the step itself.
        if path != "/system/pc/sys/user/leaveSchool" {
            assert_eq!(operation["x-permission"].as_str(), Some(permission), "{method} {path}");
        }
    }
}

/// The schema that a reference, also one wrapped with words of its own, means.
fn resolved<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    let target = schema["$ref"].as_str().or_else(|| schema["allOf"][0]["$ref"].as_str());
    match target.and_then(|target| target.strip_prefix("#/components/schemas/")) {
        Some(name) => resolved(document, &document["components"]["schemas"][name]),
        None => schema,
    }
}

/// Names of the fields of an object and of its parts.
fn fields_of(document: &Value, schema: &Value) -> BTreeSet<String> {
    let schema = resolved(document, schema);
    let own = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone());
    let parts = schema["allOf"].as_array().into_iter().flatten().flat_map(|part| fields_of(document, part));
    own.chain(parts).collect()
}

/// Names of all fields that an answer holds, at any depth.
fn told_by(document: &Value, schema: &Value, seen: &mut BTreeSet<String>, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(parts) => {
            if let Some(target) = schema["$ref"].as_str()
                && seen.insert(target.to_owned())
            {
                told_by(document, resolved(document, schema), seen, names);
            }
            names.extend(schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()));
            for part in parts.values() {
                told_by(document, part, seen, names);
            }
        }
        Value::Array(parts) => parts.iter().for_each(|part| told_by(document, part, seen, names)),
        _ => {}
    }
}

/// An edit replaces the record, so whoever edits must be able to send back what stands there: each field that the body may
/// leave out is told by the entity's view, or where it has none by its list.
#[test]
fn what_an_edit_would_empty_is_told_by_the_view() {
    let document = document::document();
    let mut asked = 0;
    let mut untold = Vec::new();
    for (method, path, operation) in all(document) {
        if operation["x-replaces"] != json!(true) {
            continue;
        }
        asked += 1;
        let id = operation["operationId"].as_str().unwrap_or_default();
        assert!(operation["description"].as_str().is_some_and(|said| said.contains("整体替换")), "{method} {path}");
        let (entity, _) = path.rsplit_once('/').expect("an entity");
        let mut shown = BTreeSet::new();
        for (_, _, reads) in all(document).into_iter().filter(|(_, path, operation)| {
            // The view of a public form uses up a code, so it writes.
            let views = operation["operationId"].as_str().is_some_and(|id| id.starts_with("view"));
            path.rsplit_once('/').is_some_and(|(of, _)| of == entity)
                && (views || operation["x-writes"] == json!(false))
        }) {
            let answer = &reads["responses"]["200"]["content"]["application/json; charset=utf-8"]["schema"];
            told_by(document, answer, &mut BTreeSet::new(), &mut shown);
        }
        let body = resolved(document, &operation["requestBody"]["content"]["application/json"]["schema"]);
        let required = body["required"].as_array().cloned().unwrap_or_default();
        for field in fields_of(document, body) {
            let known = NOT_VIEWED.iter().any(|(operation, name, _)| *operation == id && *name == field);
            if !required.contains(&json!(field)) && !shown.contains(&field) && !known {
                untold.push(format!("{id}.{field}"));
            }
        }
    }
    assert!(asked > 30, "{asked} operations edit");
    assert_eq!(untold, Vec::<String>::new(), "an edit would empty what its caller cannot know");
}

/// Fields of an edit that its view does not tell, and why a caller who leaves them out loses nothing.
const NOT_VIEWED: [(&str, &str, &str); 33] = [
    ("editAdmissionCommitment", "files", "told as attachments and papers"),
    ("editAdmissionCommitment", "signature", "the key of an upload; without one it stays, which signatureUrl shows"),
    ("editAdmissionCommitment", "submit", "asks for a step and keeps nothing"),
    ("editAdmissionInformation", "evidence", "goes to the correction that wrong items open, and stays there"),
    ("editAdmissionInformation", "files", "told as attachments and papers"),
    ("editAdmissionInformation", "signature", "the key of an upload; without one it stays, which signatureUrl shows"),
    ("editAdmissionInformation", "submit", "asks for a step and keeps nothing"),
    ("editArrange", "assistantTeacherIds", "told as assistants, with their names"),
    ("editGraduationInformation", "files", "told as attachments and papers"),
    ("editGraduationInformation", "signature", "the key of an upload; without one it stays, which signatureUrl shows"),
    ("editGraduationInformation", "submit", "asks for a step and keeps nothing"),
    ("editInternship", "appraisalFileKey", "the key of an upload; without one it stays, which appraisalUrl shows"),
    ("editInternship", "reportFileKey", "the key of an upload; without one it stays, which reportUrl shows"),
    ("editLiveChannel", "assistantPassword", "a secret; without one it stays, which hasSecrets shows"),
    ("editLiveChannel", "pushUrl", "a secret; without one it stays, which hasSecrets shows"),
    ("editPlanGroup", "minCourses", "told with the group by the list of the plan's courses"),
    ("editPlanGroup", "sortNo", "told with the group by the list of the plan's courses"),
    ("editPublicPreRegistration", "smsCode", "proves a phone or number that changes, and keeps nothing"),
    ("editQuestion", "copiedFrom", "says where a new question came from; an edit leaves that"),
    ("editQuizProblem", "copiedFrom", "the same"),
    ("editQuestion", "draft", "asks for a state and keeps nothing"),
    ("editRegistration", "attachment", "the key of an upload; without one the paper stays, which attachmentUrl shows"),
    ("editRegistration", "photo", "the key of an upload; without one the photo stays, which photoUrl shows"),
    ("editSchool", "activate", "asks for a step and keeps nothing"),
    ("editSchoolInfo", "confirmed", "says that a warning was read, and keeps nothing"),
    ("editSchoolSetting", "confirmed", "says that a warning was read, and keeps nothing"),
    ("editSchoolSetting", "id", "names the school in the operators' area"),
    ("editSchoolUserRoles", "scopes", "told as siteIds and classIds of each of the account's roles"),
    ("editThesisTopic", "closed", "told as the status"),
    ("editThesisTopic", "submit", "asks for a step and keeps nothing"),
    ("editOwnProfile", "avatar", "told by view/current"),
    ("editOwnProfile", "email", "told by view/current"),
    ("editOwnProfile", "phone", "told by view/current"),
];

#[test]
fn every_field_has_a_chinese_label() {
    let document = document::document();
    for (name, schema) in document["components"]["schemas"].as_object().expect("schemas") {
        for (field, property) in schema["properties"].as_object().into_iter().flatten() {
            let label = property["title"].as_str().unwrap_or_default();
            assert!(!label.is_ascii() || field == "id" && !label.is_empty(), "{name}.{field} is labelled {label:?}");
        }
    }
}

#[test]
fn every_page_that_a_permission_names_is_in_the_menu() {
    let menus: BTreeSet<&str> = include_str!("../../../platform/roles/data/menus.tsv")
        .lines()
        .filter_map(|line| line.split('\t').nth(1))
        .collect();
    for entry in openapi::modules::modules().permissions() {
        assert!(!entry.pages.is_empty(), "{} stands under no page, so nobody can be given it", entry.code);
        for page in entry.pages {
            assert!(menus.contains(page), "{} names the page {page}, which is in no menu", entry.code);
        }
    }
}

#[test]
fn keys_of_answers_come_in_order() {
    // A dependency that switches serde_json's preserve_order on would turn every snapshot round.
    assert_eq!(json!({ "b": 1, "a": 2 }).to_string(), r#"{"a":2,"b":1}"#);
}
