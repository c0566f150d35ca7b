//! A life through every operation: what each leaves in the trail, what strangers and people of another site get when they
//! repeat it. The sweeps need valid calls; one life is in a school, one on the platform, and what both areas have is lived in
//! each of them.

mod admission;
mod catalogue;
mod catalogue_courses;
mod certificates;
mod classrooms;
mod client_information;
mod client_people;
mod clients;
mod closing;
mod community;
mod corrections;
mod course_opening;
mod courses;
mod enrolment;
mod exam_day;
mod exam_seats;
mod exams;
mod field_attributes;
mod graduation;
mod graduation_grades;
mod homework;
mod information;
mod learners;
mod masked;
mod messages;
mod numbers;
mod offline_exams;
mod online_exams;
mod online_study;
mod order;
mod orders;
mod outside;
mod own;
mod people;
mod platform;
mod question_bank;
mod quizzes;
mod recruitment;
mod recruitment_batches;
mod registration;
mod school;
mod scores;
mod site_content;
mod statistics;
mod status_change;
mod supervision;
mod support;
mod teaching_plan;
mod thesis;
mod timetable;
mod wechat;

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{Cursor, Read},
};

use kit::{
    Answer, Client, Server,
    sheets::{sheet, texts},
};
use openapi::document;
use poem::http::Method;
use serde_json::{Value, json};
use zip::ZipArchive;

/// What was sent in a call.
#[derive(Debug, Clone)]
enum Sent {
    Nothing,
    Json(Value),
    File(Upload),
}

/// A file of a multipart form, with the other fields before it.
#[derive(Debug, Clone)]
struct Upload {
    texts: Vec<(&'static str, String)>,
    field: &'static str,
    name: &'static str,
    content_type: &'static str,
    bytes: Vec<u8>,
}

impl Upload {
    fn sheet(headings: &[&str], rows: &[&[&str]]) -> Self {
        Self {
            texts: Vec::new(),
            field: "file",
            name: "a.xlsx",
            content_type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            bytes: sheet(headings, rows),
        }
    }

    fn text(text: &str) -> Self {
        let bytes = text.as_bytes().to_vec();
        Self { texts: Vec::new(), field: "file", name: "a.txt", content_type: "text/plain", bytes }
    }
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
    /// An operator who makes the calls that they may make from outside, and the school that they name in them.
    outside: Option<(Client<'s>, i64)>,
    known: BTreeMap<(String, String), Known>,
    calls: Vec<Call>,
}

/// What the document says of an operation.
#[derive(Debug, Clone)]
struct Known {
    id: String,
    writes: bool,
    names_school: bool,
}

/// Stands in every name of school 1, so that a stranger's answer can be searched for it.
const MARK: &str = "甲校";

impl<'s> Life<'s> {
    fn of(server: &'s Server, client: Client<'s>) -> Self {
        let shown = document::document();
        let known = document::operations(shown)
            .map(|(method, path, operation)| {
                let known = Known {
                    id: operation["operationId"].as_str().unwrap_or_default().to_owned(),
                    writes: operation["x-writes"] == json!(true),
                    names_school: operation["x-names-school"] == json!(true),
                };
                ((method, path.clone()), known)
            })
            .collect();
        Self { server, client, outside: None, known, calls: Vec::new() }
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
        let answer = self.upload(path, Upload::sheet(headings, rows)).await;
        assert_eq!(answer["errors"], json!([]), "{path}");
        assert_eq!(answer["imported"], json!(rows.len()), "{path}");
    }

    async fn upload(&mut self, path: &str, upload: Upload) -> Value {
        self.call(Method::POST, path, Sent::File(upload)).await
    }

    /// PUT without a body: what switches, kicks, unlocks.
    async fn step(&mut self, path: &str) -> Value {
        self.call(Method::PUT, path, Sent::Nothing).await
    }

    /// Sends the call and wants success.
    async fn call(&mut self, method: Method, path: &str, sent: Sent) -> Value {
        let plain = path.split('?').next().unwrap_or(path);
        let template =
            |name: &str| plain.rsplit_once('/').map_or_else(String::new, |(parent, _)| format!("{parent}/{{{name}}}"));
        let Known { id: operation, writes, names_school } = [plain, &template("type"), &template("doc")]
            .into_iter()
            .find_map(|path| self.known.get(&(method.to_string(), path.to_owned())))
            .unwrap_or_else(|| panic!("{method} {path} is not in the document"))
            .clone();
        let (client, path) = match &self.outside {
            Some((operator, school)) if names_school => (operator, naming(path, *school)),
            _ => (&self.client, path.to_owned()),
        };
        let answer = send(client, &method, &path, &sent).await;
        assert!(
            answer.status == 200 && (answer.file_name.is_some() || answer.code() == 200),
            "{method} {path}: {}",
            answer.body
        );
        self.calls.push(Call { operation, writes, method, path, sent });
        answer.body["data"].clone()
    }
}

/// The path of a call in which an operator names a school.
fn naming(path: &str, school: i64) -> String {
    let before = if path.contains('?') { '&' } else { '?' };
    format!("{path}{before}schoolId={school}")
}

async fn send(client: &Client<'_>, method: &Method, path: &str, sent: &Sent) -> Answer {
    match sent {
        Sent::Nothing => client.bare(method.clone(), path).await,
        Sent::Json(body) => client.json(method.clone(), path, body).await,
        Sent::File(file) => {
            let texts: Vec<(&str, &str)> = file.texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
            let field = (file.field, file.name, file.content_type);
            client.send_file(method.clone(), path, &texts, field, &file.bytes).await
        }
    }
}

/// The rows of a sheet.
type Rows = Vec<Vec<String>>;

/// Names of the files in an archive, and the sheets among them; of a workbook its one sheet; of anything else nothing.
fn opened(bytes: &[u8]) -> (Vec<String>, Vec<Rows>) {
    if !bytes.starts_with(b"PK") {
        return (Vec::new(), Vec::new());
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("an archive");
    let names: Vec<String> = archive.file_names().map(|name| name.expect("UTF-8").into_owned()).collect();
    if names.iter().any(|name| name == "[Content_Types].xml") {
        return (Vec::new(), vec![texts(bytes)]);
    }
    let mut sheets = Vec::new();
    for name in names.iter().filter(|name| name.ends_with(".xlsx")) {
        let mut book = Vec::new();
        archive.by_name(name).expect("a file").read_to_end(&mut book).expect("bytes");
        sheets.push(texts(&book));
    }
    (names, sheets)
}

/// What a person reads in an answer: a workbook's cells, the names and sheets of an archive, else the text itself.
fn shown(answer: &Answer) -> String {
    if answer.bytes.starts_with(b"PK") {
        let (names, sheets) = opened(&answer.bytes);
        format!("{} {}", names.join(" "), sheets.concat().concat().join(" "))
    } else {
        String::from_utf8_lossy(&answer.bytes).into_owned()
    }
}

/// Operations of these areas that a life has not called; `elsewhere` names those with a story of their own. What has a
/// school's data alone is lived in a school.
fn forgotten(life: &Life<'_>, areas: &[&str], elsewhere: &[&str]) -> Vec<String> {
    let lived: BTreeSet<&str> = life.calls.iter().map(|call| call.operation.as_str()).collect();
    let shown = document::document();
    let known: BTreeSet<&str> =
        document::operations(shown).filter_map(|(_, _, operation)| operation["operationId"].as_str()).collect();
    let gone = elsewhere.iter().filter(|id| !known.contains(**id)).map(|id| format!("{id} is no operation any more"));
    document::operations(shown)
        .filter(|(_, _, operation)| areas.iter().any(|area| operation["x-area"] == json!(area)))
        .filter(|(_, _, operation)| areas.contains(&"school") || operation["x-school-data"] != json!(true))
        .filter_map(|(_, _, operation)| operation["operationId"].as_str().map(ToOwned::to_owned))
        .filter(|id| !lived.contains(id.as_str()) && !elsewhere.contains(&id.as_str()))
        .chain(gone)
        .collect()
}

fn id(answer: &Value) -> i64 {
    answer["id"].as_i64().expect("an id")
}
