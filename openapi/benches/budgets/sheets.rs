//! Sheets of the largest size, beside the bare libraries on the same rows.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use calamine::{Reader, Xlsx, open_workbook};
use infra::App;
use openapi::server;
use poem::{Endpoint, Request, http::Method};
use rust_xlsxwriter::Workbook;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor};

use crate::{
    Anything, memory,
    place::{known, open, post, put, token, with_students},
    row,
};

const EXPORTED: i64 = 1_000_000;
const IMPORTED: usize = 100_000;
const PEOPLE: usize = 10_000;
const COLUMNS: u16 = 20;
const HEADINGS: [&str; 12] = [
    "姓名",
    "证件号",
    "手机",
    "学号",
    "年级",
    "层次",
    "专业代码",
    "学习形式",
    "站点编码",
    "入学日期",
    "学制",
    "学籍状态",
];

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/bench/tmp"))
}

/// Forgets the highest memory of this process so far.
fn forget_peak() -> Result<f64, Anything> {
    std::fs::write("/proc/self/clear_refs", "5")?;
    peak()
}

/// The highest resident memory since [`forget_peak`], in MB.
fn peak() -> Result<f64, Anything> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM")?;
    Ok(line.split_whitespace().next().ok_or("no number")?.parse::<f64>()? / 1024.0)
}

/// All columns of the register of 1,000,000 students, streamed as the call does.
pub async fn export(app: &App) -> Result<(), Anything> {
    let school = with_students(app, "million", EXPORTED).await?;
    let token = token(app, school).await?;
    let endpoint = server::endpoint(app);
    let before = forget_peak()?;
    let started = Instant::now();
    let request = Request::builder()
        .method(Method::POST)
        .uri_str("/admin/apis/adult/pc/studentRoll/export")
        .header("token", &token)
        .content_type("application/json")
        .body(r#"{"scope":"all"}"#);
    let mut answer = endpoint.get_response(request).await.into_body().into_async_read();
    let written = folder().join("export.xlsx");
    let bytes = tokio::io::copy(&mut answer, &mut tokio::fs::File::create(&written).await?).await?;
    let ours = started.elapsed();
    let grown = peak()? - before;
    if bytes < 1_000_000 {
        return Err(tokio::fs::read_to_string(&written).await?.into());
    }
    let bare =
        tokio::task::spawn_blocking(|| bare_export(&folder().join("bare.xlsx")).map_err(|error| error.to_string()))
            .await??;
    row(&format!("export {EXPORTED} students"), ours, bare, 1.5);
    memory("    memory above what the server had", grown, 64.0);
    Ok(())
}

/// The same number of rows and columns of similar texts, by the library alone.
fn bare_export(path: &Path) -> Result<Duration, rust_xlsxwriter::XlsxError> {
    let started = Instant::now();
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    for n in 0..u32::try_from(EXPORTED).unwrap_or(u32::MAX) {
        for column in 0..COLUMNS {
            sheet.write_string(n, column, format!("学生{n}{column}"))?;
        }
    }
    workbook.save(path)?;
    Ok(started.elapsed())
}

/// A sheet of 100,000 new students with every check, from the call to the end of its job.
pub async fn import(app: &App) -> Result<(), Anything> {
    let path = folder().join("import.xlsx");
    write_students(&path)?;
    let school = match known(app, "import").await? {
        Some(id) => id,
        None => open(app, "import", "导入大学").await?,
    };
    let token = token(app, school).await?;
    let endpoint = server::endpoint(app);
    prepare(app, &endpoint, school, &token).await?;
    let before = forget_peak()?;
    let started = Instant::now();
    let mut looks = Looks::default();
    let file = tokio::fs::read(&path).await?;
    let message = tokio::select! {
        message = sent(app, &endpoint, &token, "/adult/pc/studentRoll/import", &[], &file) => message?,
        Err(error) = looks.go_on(app) => return Err(error),
    };
    let ours = started.elapsed();
    if message != format!("共{IMPORTED}行，已导入{IMPORTED}行") {
        return Err(message.into());
    }
    let grown = peak()? - before;
    let started = Instant::now();
    let mut workbook: Xlsx<_> = open_workbook(&path)?;
    let sheet = workbook.sheet_names().first().cloned().ok_or("no sheet")?;
    let rows = workbook.worksheet_range(&sheet)?.height();
    let bare = started.elapsed();
    row(&format!("import {} students", rows - 1), ours, Duration::from_secs(15), 1.0);
    row("    beside reading the sheet alone", ours, bare, f64::NAN);
    looks.print(ours);
    memory("    memory above what the server had", grown, 150.0);
    people(app, &endpoint, school, &token).await
}

/// What the database was seen at, look by look.
#[derive(Default)]
struct Looks {
    taken: u32,
    /// How often each statement was under way.
    statements: BTreeMap<String, u32>,
}

impl Looks {
    /// Looks again and again, until dropped.
    async fn go_on(&mut self, app: &App) -> Result<(), Anything> {
        loop {
            let under_way: Vec<String> = sqlx::query_scalar(
                r"select left(regexp_replace(query, '\s+', ' ', 'g'), 44) from pg_stat_activity
                  where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()",
            )
            .fetch_all(app.db().owner())
            .await?;
            self.taken += 1;
            for statement in under_way {
                *self.statements.entry(statement).or_default() += 1;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// The statements that took most of `whole`.
    fn print(self, whole: Duration) {
        let mut most: Vec<(String, u32)> = self.statements.into_iter().collect();
        most.sort_unstable_by_key(|(_, times)| std::cmp::Reverse(*times));
        for (statement, times) in most.into_iter().take(8) {
            let share = f64::from(times) / f64::from(self.taken);
            println!("    {statement:<48} {:>10.1} s  {:>3.0} %", share * whole.as_secs_f64(), share * 100.0);
        }
    }
}

/// 10,000 people who want to study, into a new batch.
async fn people(app: &App, endpoint: &impl Endpoint, school: i64, token: &str) -> Result<(), Anything> {
    app.db()
        .owner()
        .execute(AssertSqlSafe(format!(
            "set search_path = school_{school}, ext; truncate pre_registration_batch cascade; reset search_path"
        )))
        .await?;
    let (grade, level, major): (i64, i64, i64) = sqlx::query_as(AssertSqlSafe(format!(
        "select (select min(id) from school_{school}.grade), level_id, id from school_{school}.major order by id limit 1"
    )))
    .fetch_one(app.db().owner())
    .await?;
    let batch = format!(
        r#"{{"code":"2026A","name":"春季","gradeId":{grade},"startsAt":"2020-09-01T00:00:00+08:00",
            "endsAt":"2099-01-01T00:00:00+08:00","levelIds":[{level}],"needAudit":true}}"#
    );
    let batch = id(&post(endpoint, token, "/adult/pc/preRegistrationBatch/save", &batch).await?)?;
    let majors = format!(r#"{{"id":{batch},"version":1,"majors":[{{"majorId":{major}}}]}}"#);
    put(endpoint, token, "/adult/pc/preRegistrationBatch/majors", &majors).await?;
    let (sheet, batch) = (people_sheet()?, batch.to_string());
    let started = Instant::now();
    let message =
        sent(app, endpoint, token, "/adult/pc/preRegistration/import", &[("batchId", &batch)], &sheet).await?;
    let ours = started.elapsed();
    if message != format!("共{PEOPLE}行，已导入{PEOPLE}行") {
        return Err(message.into());
    }
    row(&format!("import {PEOPLE} pre-registrations"), ours, Duration::from_secs(60), 1.0);
    Ok(())
}

/// Sends a sheet to an import and answers what its job said at its end.
async fn sent(
    app: &App,
    endpoint: &impl Endpoint,
    token: &str,
    path: &str,
    fields: &[(&str, &str)],
    sheet: &[u8],
) -> Result<String, Anything> {
    let boundary = "bench";
    let mut body: String = fields
        .iter()
        .map(|(name, text)| {
            format!("--{boundary}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
        })
        .collect();
    body += &format!(
        "--{boundary}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.xlsx\"\r\n\
         content-type: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet\r\n\r\n"
    );
    let mut body = body.into_bytes();
    body.extend(sheet);
    body.extend(format!("\r\n--{boundary}--\r\n").into_bytes());
    let request = Request::builder()
        .method(Method::POST)
        .uri_str(format!("/admin/apis{path}"))
        .header("token", token)
        .content_type(&format!("multipart/form-data; boundary={boundary}"))
        .body(body);
    let answer = endpoint.get_response(request).await.into_body().into_string().await?;
    let answer: Value = serde_json::from_str(&answer)?;
    let job = answer["data"]["jobId"].as_i64().ok_or_else(|| answer.to_string())?;
    loop {
        let (state, message): (String, String) =
            sqlx::query_as("select state, message from platform.job where id = $1")
                .bind(job)
                .fetch_one(app.db().owner())
                .await?;
        if state == "done" || state == "failed" {
            return Ok(message);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn id(answer: &str) -> Result<i64, Anything> {
    let answer: Value = serde_json::from_str(answer)?;
    answer["data"]["id"].as_i64().ok_or_else(|| answer.to_string().into())
}

/// What the rows refer to; students of a former run are removed.
async fn prepare(app: &App, endpoint: &impl Endpoint, school: i64, token: &str) -> Result<(), Anything> {
    app.db()
        .owner()
        .execute(AssertSqlSafe(format!(
            "set search_path = school_{school}, ext; truncate student cascade; reset search_path"
        )))
        .await?;
    let has_grade: bool =
        sqlx::query_scalar(AssertSqlSafe(format!("select exists (select from school_{school}.grade)")))
            .fetch_one(app.db().owner())
            .await?;
    if has_grade {
        return Ok(());
    }
    post(endpoint, token, "/adult/pc/grade/save", r#"{"code":"2026"}"#).await?;
    let level = r#"{"code":"ZSB","name":"专升本","entryLevel":"associate_to_bachelor"}"#;
    let level = id(&post(endpoint, token, "/adult/pc/arrangement/save", level).await?)?;
    let national: i64 =
        sqlx::query_scalar("select id from platform.national_major where code = '120203K' order by id limit 1")
            .fetch_one(app.db().owner())
            .await?;
    let major = format!(
        r#"{{"code":"KJ","name":"会计学","nationalMajorId":{national},"levelId":{level},"totalCredits":92.5}}"#
    );
    post(endpoint, token, "/adult/pc/major/save", &major).await?;
    let site = r#"{"code":"CD","name":"城东教学点","shortName":"城东","kind":"headquarter","phone":"13800000001"}"#;
    post(endpoint, token, "/adult/pc/site/save", site).await?;
    Ok(())
}

fn write_students(path: &Path) -> Result<(), Anything> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    for (column, heading) in (0..).zip(HEADINGS) {
        sheet.write_string(0, column, heading)?;
    }
    for n in 0..IMPORTED {
        let cells = [
            "张晓梅",
            &id_number(n)?,
            &format!("154{n:08}"),
            &format!("26{n:08}"),
            "2026",
            "ZSB",
            "KJ",
            "非脱产",
            "CD",
            "2026-03-01",
            "2.5",
            "在籍",
        ];
        for (column, cell) in (0..).zip(cells) {
            sheet.write_string(u32::try_from(n)? + 1, column, cell)?;
        }
    }
    workbook.save(path)?;
    Ok(())
}

fn people_sheet() -> Result<Vec<u8>, Anything> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let headings = ["姓名", "证件号", "手机", "层次", "专业", "站点", "科类", "入学前学历"];
    for (column, heading) in (0..).zip(headings) {
        sheet.write_string(0, column, heading)?;
    }
    for n in 0..PEOPLE {
        let cells = ["李秀英", &id_number(n)?, &format!("155{n:08}"), "ZSB", "会计学", "城东教学点", "理工类", "专科"];
        for (column, cell) in (0..).zip(cells) {
            sheet.write_string(u32::try_from(n)? + 1, column, cell)?;
        }
    }
    Ok(workbook.save_to_buffer()?)
}

/// The n-th person's; 900 are born on each day.
fn id_number(n: usize) -> Result<String, Anything> {
    let first = chrono::NaiveDate::from_ymd_opt(1970, 1, 1).ok_or("no day")?;
    let birthday = first + chrono::Days::new((n / 900) as u64);
    let mut number = format!("429900{}{:03}", birthday.format("%Y%m%d"), n % 900);
    number.push(student_status::id_card::check_digit(&number));
    Ok(number)
}
