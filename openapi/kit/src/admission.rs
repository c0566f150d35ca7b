//! Files of the authority, and whom they admit.

use encoding_rs::GB18030;
use poem::http::Method;
use serde_json::{Value, json};

use crate::{
    Answer, Client, Server,
    cohort::Cohort,
    enrolment::{file_majors, save_batch, save_major, submitted, turn},
    students::id_number,
};

pub const ADMISSION: &str = "/adult/pc/admission";

/// The columns of a file here, and how many bytes each has in a dbf.
pub const COLUMNS: [(&str, u8); 12] = [
    ("KSH", 18),
    ("XM", 30),
    ("XBDM", 1),
    ("CSRQ", 8),
    ("SFZH", 18),
    ("LQZY", 6),
    ("LQZYMC", 40),
    ("CCDM", 2),
    ("ZF", 6),
    ("LXDH", 20),
    ("TXDZ", 60),
    ("BXDW", 40),
];

/// An open batch of the place's grade with its major, code 101.
pub async fn open_batch(server: &Server, client: &Client<'_>, p: &Cohort, quota: i32) -> (i64, i64) {
    file_majors(server, p.grade).await;
    let batch = save_batch(client, p, "2026-1").await;
    let major = save_major(client, batch, p.major, "101", quota).await;
    assert_eq!(turn(client, batch, "open").await.code(), 200);
    (batch, major)
}

/// Grants a site so many of the major.
pub async fn granted(client: &Client<'_>, batch: i64, site: i64, major: i64, people: i32) -> i64 {
    let plan = submitted(client, batch, site, major, people).await;
    let audit = json!({ "id": plan, "version": 2, "lines": [] });
    assert_eq!(client.post("/adult/pc/siteEnrollment/audit", audit).await.code(), 200);
    plan
}

/// The n-th person as the file has them: 2 is the place's level, 101 its major.
pub fn row(n: usize) -> Vec<String> {
    let number = id_number(n);
    let (examinee_no, score) = (format!("0501{n:010}"), format!("{}.5", 200 + n % 100));
    let gender = if n % 2 == 1 { "1" } else { "2" };
    let birthday = &number[6..14];
    let of: [&str; 12] = [&examinee_no, "张晓梅", gender, birthday, &number, "101", "会计学", "2", &score, "", "", ""];
    of.map(ToOwned::to_owned).into()
}

/// A dBASE table in GB18030, as a province sends it.
pub fn dbf(rows: &[Vec<String>]) -> Vec<u8> {
    dbf_of(&COLUMNS, rows)
}

/// The same with columns of its own, each with its width in bytes.
pub fn dbf_of(columns: &[(&str, u8)], rows: &[Vec<String>]) -> Vec<u8> {
    let length: usize = columns.iter().map(|(_, bytes)| usize::from(*bytes)).sum::<usize>() + 1;
    let head = 32 + 32 * columns.len() + 1;
    let mut file = vec![0x03, 126, 1, 5];
    file.extend(u32::try_from(rows.len()).expect("a number").to_le_bytes());
    file.extend(u16::try_from(head).expect("a number").to_le_bytes());
    file.extend(u16::try_from(length).expect("a number").to_le_bytes());
    file.resize(32, 0);
    for (name, bytes) in columns {
        let mut field = name.as_bytes().to_vec();
        field.resize(11, 0);
        field.push(b'C');
        field.resize(16, 0);
        field.push(*bytes);
        field.resize(32, 0);
        file.extend(field);
    }
    file.push(0x0D);
    for row in rows {
        file.push(b' ');
        for (text, (_, bytes)) in row.iter().zip(columns) {
            let mut cell = GB18030.encode(text).0.into_owned();
            cell.resize(usize::from(*bytes), b' ');
            file.extend(cell);
        }
    }
    file.push(0x1A);
    file
}

/// What code 2 means, as an import says it beside the file.
pub fn levels(p: &Cohort) -> Value {
    json!([{ "field": "level", "code": "2", "value": p.level.to_string() }])
}

/// Sends a file to the import.
pub async fn take(client: &Client<'_>, batch: i64, more: &[(&str, &str)], name: &str, bytes: &[u8]) -> Answer {
    let batch = batch.to_string();
    let mut texts = vec![("batchId", batch.as_str())];
    texts.extend_from_slice(more);
    let file = ("file", name, "application/octet-stream");
    client.send_file(Method::POST, &format!("{ADMISSION}/import"), &texts, file, bytes).await
}

/// Takes a small file over; answers what the import told.
pub async fn taken(client: &Client<'_>, p: &Cohort, batch: i64, rows: &[Vec<String>]) -> Value {
    let maps = levels(p).to_string();
    let told = take(client, batch, &[("valueMaps", &maps)], "LQK.dbf", &dbf(rows)).await.data().clone();
    assert_eq!(told["errors"], json!([]), "{told}");
    told
}

/// Approved leads of a batch of pre-registration: number and name of each.
pub async fn leads(server: &Server, p: &Cohort, batch: i64, site: i64, people: impl Iterator<Item = (usize, &str)>) {
    let mut values = Vec::new();
    for (n, name) in people {
        let grams = infra::pinyin::grams(name).join(",");
        values.push(format!("('{name}', '{{{grams}}}', '{}', '154{n:08}')", id_number(n)));
    }
    for part in values.chunks(1_000) {
        server
            .run(&format!(
                "insert into school_1.pre_registration (batch_id, grade_id, name, name_grams, pinyin, initials, gender, id_card_type,
                     id_card_no, phone, level_id, major_id, site_id, study_form, source, status, exam_status, created_by, updated_by)
                 select {batch}, {}, v.name, v.grams::text[], '', '',
                        case when substr(v.number, 17, 1)::integer % 2 = 1 then 'male' else 'female' end, 'resident_id', v.number,
                        v.phone, {}, {}, {site}, 'non_full_time', 'import', 'approved', 'registered', 0, 0
                 from (values {}) as v (name, grams, number, phone)",
                p.grade,
                p.level,
                p.major,
                part.join(", ")
            ))
            .await;
    }
}

/// The row of the n-th person in the list of a batch.
pub async fn seen(client: &Client<'_>, batch: i64, n: usize) -> Value {
    let filter = json!({ "batchId": batch, "keyword": format!("0501{n:010}") });
    client.post(&format!("{ADMISSION}/list"), filter).await.data()["list"][0].clone()
}

/// `{id, version}` of listed rows.
pub fn items(rows: &[Value]) -> Value {
    json!(rows.iter().map(|row| json!({ "id": row["id"], "version": row["version"] })).collect::<Vec<_>>())
}

/// How many rows of the list are in each segment.
pub async fn segments(client: &Client<'_>, filter: Value) -> Vec<(String, i64)> {
    let list = client.post(&format!("{ADMISSION}/list"), filter).await;
    let found = list.data()["segments"].as_array().expect("segments").clone();
    found
        .iter()
        .map(|one| (one["value"].as_str().expect("a word").to_owned(), one["count"].as_i64().expect("a count")))
        .collect()
}
