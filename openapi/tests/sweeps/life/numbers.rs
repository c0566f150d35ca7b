//! What somebody of one site, or of one class, reads in numbers says nothing of people elsewhere (03 §0.1, 02 §0.6).

use std::collections::BTreeSet;

use kit::{Server, accounts::all_school_codes, students::id_number_of};
use serde_json::{Value, json};

use super::{Call, Life, id, opened, send};

/// Operations whose answers hold other numbers each time, and why that tells of nobody elsewhere.
const OTHER_NUMBERS: [(&str, &str); 10] = [
    ("listJobs", "one's own jobs, of which the second reading adds some"),
    ("packPreRegistrationPapers", "the number of the job that it began"),
    ("downloadHomeworkFiles", "the same"),
    ("findSimilarSheets", "the same"),
    ("downloadTheses", "the same"),
    ("downloadArchives", "the same"),
    ("listUserLogs", "what everybody called, this sweep among them"),
    ("exportOperationLogs", "the same"),
    ("listLoginLogs", "who signed in, the sweep's own people among them"),
    ("exportLoginLogs", "the same"),
];

/// A call as it can be compared with itself: where it went, and what was sent.
fn key(call: &Call) -> String {
    format!("{} {} {:?}", call.operation, call.path, call.sent)
}

/// Every number of an answer with its place; of sheets the cells that are numbers.
fn numbers(place: &str, value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Number(number) => {
            found.insert(format!("{place} = {number}"));
        }
        Value::Array(items) => {
            found.insert(format!("{place} has {}", items.len()));
            items.iter().enumerate().for_each(|(n, item)| numbers(&format!("{place}[{n}]"), item, found));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, inner)| numbers(&format!("{place}.{name}"), inner, found));
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

async fn read(client: &kit::Client<'_>, call: &Call) -> BTreeSet<String> {
    let answer = send(client, &call.method, &call.path, &call.sent).await;
    let mut found = BTreeSet::new();
    if answer.bytes.starts_with(b"PK") {
        let number = |cell: &String| cell.parse::<f64>().map_or(Value::Null, |number| json!(number));
        let (names, sheets) = opened(&answer.bytes);
        numbers("files", &json!(names), &mut found);
        for (n, rows) in sheets.iter().enumerate() {
            let cells: Vec<Vec<Value>> = rows.iter().map(|row| row.iter().map(number).collect()).collect();
            numbers(&format!("sheet {n}"), &json!(cells), &mut found);
        }
    } else {
        numbers("", &answer.body, &mut found);
    }
    found
}

/// Somebody of the other site and somebody of one class read everything; then people come in at the site without them.
pub(super) async fn of_people_elsewhere(server: &Server, life: &Life<'_>, site: i64, other_site: i64, class: i64) {
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let readers = [
        ("a site", server.staff_within(1, &codes, "named_sites", &[other_site]).await),
        ("a class", server.staff_within(1, &codes, "named_classes", &[class]).await),
    ];
    let mut seen = BTreeSet::new();
    let calls: Vec<&Call> = life
        .calls
        .iter()
        .filter(|call| !call.writes && !OTHER_NUMBERS.iter().any(|(operation, _)| *operation == call.operation))
        .filter(|call| seen.insert(key(call)))
        .collect();
    assert!(calls.len() > 150, "{} calls that read", calls.len());
    let mut before = Vec::new();
    for (_, reader) in &readers {
        let mut answers = Vec::new();
        for call in &calls {
            answers.push(read(reader, call).await);
        }
        before.push(answers);
    }
    more_people(server, life, site, class).await;
    let mut told = Vec::new();
    for ((of, reader), answers) in readers.iter().zip(&before) {
        for (call, answer) in calls.iter().zip(answers) {
            let now = read(reader, call).await;
            let changed: Vec<&String> = answer.symmetric_difference(&now).take(4).collect();
            if !changed.is_empty() {
                told.push(format!("{of}: {} {} {changed:?}", call.operation, call.path));
            }
        }
    }
    assert!(told.is_empty(), "these tell of people outside the scope:\n{}", told.join("\n"));
}

/// A class at the site with a student, another student without a class, somebody who pre-registered, staff.
async fn more_people(server: &Server, life: &Life<'_>, site: i64, class: i64) {
    let number = |column: &str| format!("select {column} from school_1.class where id = {class}");
    let (grade, level, major): (i64, i64, i64) = (
        server.one(&number("grade_id")).await,
        server.one(&number("level_id")).await,
        server.one(&number("major_id")).await,
    );
    let client = &life.client;
    let new = json!({ "code": "ELSE", "name": "别处1班", "gradeId": grade, "levelId": level, "majorId": major, "siteId": site });
    let new = id(client.post("/adult/pc/class/save", new).await.data());
    for (n, class) in [(901, json!(new)), (902, Value::Null)] {
        let student = json!({
            "name": "别处学生", "idCardNo": id_number_of("410200", n), "studentNo": format!("99{n:08}"), "gradeId": grade,
            "levelId": level, "majorId": major, "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": site,
            "classId": class, "enrolledOn": "2026-03-01", "status": "registered", "phone": format!("155{n:08}"),
            "source": "legacy",
        });
        client.post("/adult/pc/studentRoll/save", student).await.id();
    }
    let batch: i64 = server
        .one(&format!(
            "select batch_id from school_1.pre_registration_batch_major where major_id = {major} order by batch_id limit 1"
        ))
        .await;
    let person = json!({
        "batchId": batch, "name": "别处考生", "idCardNo": id_number_of("410200", 903), "phone": "15500000903", "levelId": level,
        "majorId": major, "siteId": site,
    });
    // The school's own fields are another story's.
    server.run("update school_1.field_attribute set required = false where not built_in").await;
    client.post("/adult/pc/preRegistration/save", person).await.id();
    let staff = json!({ "siteId": site, "name": "别处站长", "phone": "15500000904", "duty": "academic" });
    client.post("/user/pc/siteStaff/save", staff).await.id();
}
