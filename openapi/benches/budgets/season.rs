//! `make bench BENCH=season`: a school's season with 20,000 people, from the wish to the national register, by files and steps over a
//! filter, as a table of times.
//! `PEOPLE=2000` makes it a smaller school. A server of its own on a database of its own; nothing of it is kept.
//!
//! What students do themselves (filling in their forms) is put into the table by a statement, and its time is not counted.

use std::{
    io::{Cursor, Write},
    time::{Duration, Instant},
};

use image::{ImageFormat, RgbImage};
use kit::{
    Client, Server,
    admission::{ADMISSION, COLUMNS, dbf, levels, take},
    cohort::{Cohort, cohort, registrar},
    enrolment::{PLAN, file_majors, save_batch, save_major, turn},
    jobs::ended,
    pre_registrations::{BATCH, PRE, batch as lead_batch},
    registration::REGISTRATION,
    sheets::{XLSX, sheet},
    students::{ROLL, id_number},
};
use poem::http::Method;
use serde_json::{Value, json};
use zip::{ZipWriter, write::SimpleFileOptions};

const NAME: &str = "张晓梅";
const SITES: usize = 5;
/// More than one, because a major is filed for 9,999 people at the most.
const MAJORS: usize = 4;
/// Pictures of one archive.
const ARCHIVE: usize = 5_000;

fn examinee_no(n: usize) -> String {
    format!("0501{n:010}")
}

fn site_name(n: usize) -> String {
    format!("第{}教学点", n % SITES + 1)
}

/// Of the person: at each site some study each.
fn major(n: usize) -> usize {
    n / SITES % MAJORS
}

fn major_name(n: usize) -> String {
    format!("会计学{}", n + 1)
}

fn authority_code(n: usize) -> String {
    format!("{}", 101 + n)
}

/// The line of the authority's file.
fn admitted(n: usize) -> Vec<String> {
    let mut row = kit::admission::row(n);
    for (cell, (column, _)) in row.iter_mut().zip(COLUMNS) {
        match column {
            "LQZY" => *cell = authority_code(major(n)),
            "LQZYMC" => *cell = major_name(major(n)),
            _ => {}
        }
    }
    row
}

/// How long each step took, printed as it ends.
struct Table {
    begun: Instant,
    sum: Duration,
}

impl Table {
    fn row(&mut self, what: &str, since: Instant, told: &Value) {
        let took = since.elapsed();
        self.sum += took;
        println!(
            "{what:<36} {:>8.1} s {:>8.0} MB  {}",
            took.as_secs_f64(),
            resident(),
            told.as_str().unwrap_or_default()
        );
    }
}

/// What the process holds of the machine's memory, in MB.
fn resident() -> f64 {
    let told = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = told.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok()).unwrap_or_default() / 1024.0
}

pub async fn season() {
    let people: usize = std::env::var("PEOPLE").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let mut table = Table { begun: Instant::now(), sum: Duration::ZERO };
    println!("{:<36} {:>10} {:>11}  {people} people, {SITES} sites, {MAJORS} majors", "step", "time", "memory");
    let season = Season { server: &server, admin: &admin, p: &p, people };
    let (batch, majors) = season.opened().await;
    season.leads(&mut table, &majors).await;
    season.admitted(&mut table, batch).await;
    season.arrived(&mut table, batch).await;
    season.reviewed(&mut table).await;
    season.registered(&mut table).await;
    println!(
        "{:<36} {:>8.1} s            of {:.1} s",
        "all steps",
        table.sum.as_secs_f64(),
        table.begun.elapsed().as_secs_f64()
    );
    server.close().await;
}

struct Season<'s> {
    server: &'s Server,
    admin: &'s Client<'s>,
    p: &'s Cohort,
    people: usize,
}

impl Season<'_> {
    fn everybody(&self) -> impl Iterator<Item = usize> {
        1..=self.people
    }

    /// Waits for the job of an answer, where it is not the end already; all of it must have gone well.
    async fn went(&self, answer: kit::Answer) -> Value {
        assert_eq!(answer.code(), 200, "{}", answer.body);
        if answer.data()["jobId"].is_null() {
            assert_eq!(answer.data()["errors"], json!([]), "{}", answer.body);
            return json!({ "message": format!("共{}行", answer.data()["total"]) });
        }
        let job = ended(self.admin, &answer.data()["jobId"]).await;
        assert_eq!((&job["state"], &job["errors"]), (&json!("done"), &json!([])), "{job}");
        job
    }

    /// A sheet of as many rows as there are people.
    fn sheet<const N: usize>(&self, headings: &[&str; N], row: impl Fn(usize) -> [String; N]) -> Vec<u8> {
        let rows: Vec<[String; N]> = self.everybody().map(row).collect();
        let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        sheet(headings, &cells.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    async fn sent(&self, call: &str, texts: &[(&str, &str)], file: &[u8]) -> Value {
        self.went(self.admin.send_file(Method::POST, call, texts, ("file", "导入.xlsx", XLSX), file).await).await
    }

    async fn one(&self, statement: &str) -> i64 {
        self.server.one(statement).await
    }

    /// Sites, the batch that is open, what each site may take, and how numbers are made.
    async fn opened(&self) -> (i64, Vec<i64>) {
        let mut sites = Vec::new();
        for n in 0..SITES {
            let site = json!({
                "code": format!("S{n}"), "name": site_name(n), "shortName": format!("第{}", n + 1), "kind": "headquarter",
                "phone": format!("1390000000{n}"),
            });
            sites.push(self.admin.post("/adult/pc/site/save", site).await.id());
        }
        let mut majors = Vec::new();
        for n in 0..MAJORS {
            let form = json!({
                "code": format!("KJ{n}"), "name": major_name(n), "nationalMajorId": self.p.national, "levelId": self.p.level,
                "totalCredits": 92.5, "direction": format!("方向{}", n + 1),
            });
            majors.push(self.admin.post("/adult/pc/major/save", form).await.id());
        }
        file_majors(self.server, self.p.grade).await;
        let each = self.people.div_ceil(SITES * MAJORS);
        let quota = i32::try_from(each * SITES).expect("a number");
        self.server.run(&format!("update school_1.forecast_major set planned_quota = {quota}")).await;
        let batch = save_batch(self.admin, self.p, "2026-1").await;
        let mut lines = Vec::new();
        for (n, major) in majors.iter().enumerate() {
            let offered = save_major(self.admin, batch, *major, &authority_code(n), quota).await;
            lines.push(json!({ "enrollmentMajorId": offered, "quotaApplied": each }));
        }
        assert_eq!(turn(self.admin, batch, "open").await.code(), 200);
        for site in sites {
            let plan = json!({ "batchId": batch, "siteId": site, "lines": lines });
            let plan = self.admin.post(&format!("{PLAN}/save"), plan).await.id();
            self.admin.post(&format!("{PLAN}/submit"), json!({ "id": plan, "version": 1 })).await.id();
            let audit = json!({ "id": plan, "version": 2, "lines": [] });
            assert_eq!(self.admin.post(&format!("{PLAN}/audit"), audit).await.code(), 200);
        }
        let rule = json!({
            "name": "学号", "gradeIds": [self.p.grade], "sortBy": "examinee_no", "enabled": true,
            "segments": [{ "kind": "grade_year", "length": 4 }, { "kind": "seq", "length": 6 }],
        });
        self.admin.post(&format!("{ROLL}/studentNoRule/save"), rule).await.id();
        (batch, majors)
    }

    /// 预报名: by sheet, approved by filter.
    async fn leads(&self, table: &mut Table, majors: &[i64]) {
        let batch = lead_batch(self.admin, self.p, "2026A", true).await;
        let majors: Vec<Value> = majors.iter().map(|major| json!({ "majorId": major })).collect();
        let offered = json!({ "id": batch, "version": 2, "majors": majors });
        assert_eq!(self.admin.put(&format!("{BATCH}/majors"), offered).await.code(), 200);
        let batch = batch.to_string();
        let headings = ["姓名", "证件号", "手机", "层次", "专业", "站点", "科类", "入学前学历"];
        let file = self.sheet(&headings, |n| {
            [NAME, &id_number(n), &format!("154{n:08}"), "ZSB", &major_name(major(n)), &site_name(n), "理工类", "专科"]
                .map(ToOwned::to_owned)
        });
        let since = Instant::now();
        let job = self.sent(&format!("{PRE}/import"), &[("batchId", &batch)], &file).await;
        table.row("pre-registrations by sheet", since, &job["message"]);
        let since = Instant::now();
        let body = json!({ "filter": { "batchId": batch.parse::<i64>().expect("a number") }, "result": "pass" });
        let job = self.went(self.admin.post(&format!("{PRE}/batchReview"), body).await).await;
        table.row("approved by filter", since, &job["message"]);
    }

    /// 录取库 with its match and places, pictures, and the audit.
    async fn admitted(&self, table: &mut Table, batch: i64) {
        let rows: Vec<Vec<String>> = self.everybody().map(admitted).collect();
        let (maps, file) = (levels(self.p).to_string(), dbf(&rows));
        let since = Instant::now();
        let job = self.went(take(self.admin, batch, &[("valueMaps", &maps)], "LQK.dbf", &file).await).await;
        table.row("file of the authority (dbf), matched", since, &job["message"]);
        let placed = self.one("select count(*) from school_1.admission where status = 'assigned'").await;
        assert_eq!(usize::try_from(placed), Ok(self.people), "everybody was a lead of a site");

        let picture = drawn();
        let numbers: Vec<usize> = self.everybody().collect();
        let archives: Vec<Vec<u8>> = numbers.chunks(ARCHIVE).map(|part| zipped(part, &picture)).collect();
        let since = Instant::now();
        for archive in &archives {
            let call = format!("{ADMISSION}/photo/import");
            let sent = self.admin.upload(&call, "file", "照片.zip", "application/zip", archive).await;
            assert_eq!(sent.code(), 200, "{}", sent.body);
            if !sent.data()["jobId"].is_null() {
                self.went(sent).await;
            }
        }
        let with_photo = self.one("select count(*) from school_1.admission where photo_id is not null").await;
        assert_eq!(usize::try_from(with_photo), Ok(self.people));
        let bytes = archives.iter().map(Vec::len).sum::<usize>() / 1_000_000;
        table.row("pictures by zip", since, &json!(format!("{} archives, {bytes} MB", archives.len())));

        let since = Instant::now();
        let body = json!({ "filter": { "batchId": batch, "scope": "audit", "status": "assigned" }, "result": "pass" });
        let job = self.went(self.admin.post(&format!("{ADMISSION}/batchReview"), body).await).await;
        table.row("audited by filter", since, &job["message"]);
    }

    /// 报到: fees and results by sheet; each gets a file, an account, a number and two forms.
    async fn arrived(&self, table: &mut Table, batch: i64) {
        let today = self.server.app.clock().today().to_string();
        self.server
            .run(&format!("update school_1.enrollment_batch set enrolled_on = '{today}' where id = {batch}"))
            .await;
        let headings = ["考生号", "证件号", "姓名", "实缴金额(元)", "缴费日期", "流水号"];
        let file = self.sheet(&headings, |n| {
            [examinee_no(n), id_number(n), NAME.to_owned(), "2800.00".to_owned(), today.clone(), format!("T{n:08}")]
        });
        let since = Instant::now();
        let job = self.sent(&format!("{REGISTRATION}/fee/import"), &[], &file).await;
        table.row("payments by sheet", since, &job["message"]);
        let headings = ["考生号", "姓名", "证件号", "结果", "原因", "保留至"];
        let file = self.sheet(&headings, |n| {
            [examinee_no(n), NAME.to_owned(), id_number(n), "报到".to_owned(), String::new(), String::new()]
        });
        let since = Instant::now();
        let job = self.sent(&format!("{REGISTRATION}/result/import"), &[("identityVerified", "true")], &file).await;
        table.row("arrivals by sheet", since, &job["message"]);
        let numbered = self.one("select count(distinct student_no) from school_1.student").await;
        assert_eq!(usize::try_from(numbered), Ok(self.people), "a number each, by the rule");
        assert_eq!(self.one("select count(*) from school_1.student where class_id is null").await, 0, "and a class");
    }

    /// 信息核对 and 入学资格审查: the school approves what everybody submitted.
    async fn reviewed(&self, table: &mut Table) {
        self.server
            .run(
                "update school_1.student_information
                 set status = 'submitted', submitted_at = now(), submitted_by = 'student'",
            )
            .await;
        let steps = [
            ("admissionInformation", "information approved", None),
            ("admissionCommitment", "qualified", Some("qualified")),
        ];
        for (call, what, conclusion) in steps {
            let since = Instant::now();
            let filter = json!({ "gradeId": self.p.grade, "status": "submitted" });
            let mut body = json!({ "filter": filter, "result": "pass" });
            if let Some(conclusion) = conclusion {
                body["conclusion"] = json!(conclusion);
            }
            let job = self.went(self.admin.post(&format!("/user/pc/{call}/batchReview"), body).await).await;
            table.row(what, since, &job["message"]);
        }
    }

    /// 学信网: the file out, the results in.
    async fn registered(&self, table: &mut Table) {
        let since = Instant::now();
        let body = json!({ "gradeId": self.p.grade, "levelIds": [], "format": "dbf" });
        let job = self.went(self.admin.post(&format!("{ROLL}/chsi/export"), body).await).await;
        table.row("file for the national register", since, &job["message"]);
        let today = self.server.app.clock().today().to_string();
        let headings = ["考生号", "姓名", "身份证号", "注册结果", "注册日期", "说明"];
        let file = self.sheet(&headings, |n| {
            [examinee_no(n), NAME.to_owned(), id_number(n), "已注册".to_owned(), today.clone(), String::new()]
        });
        let since = Instant::now();
        let job = self.sent(&format!("{ROLL}/chsi/import"), &[], &file).await;
        table.row("its results by sheet", since, &job["message"]);
        let registered = self.one("select count(*) from school_1.student where status = 'registered'").await;
        assert_eq!(usize::try_from(registered), Ok(self.people));
    }
}

/// A portrait as the authority sends it.
fn drawn() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let shade =
        |x: u32, y: u32| image::Rgb([u8::try_from(x % 251).unwrap_or(0), u8::try_from(y % 241).unwrap_or(0), 90]);
    RgbImage::from_fn(480, 640, shade).write_to(&mut bytes, ImageFormat::Jpeg).expect("a picture");
    bytes.into_inner()
}

fn zipped(people: &[usize], picture: &[u8]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for n in people {
        zip.start_file(format!("{}.jpg", examinee_no(*n)), stored).expect("an entry");
        zip.write_all(picture).expect("its bytes");
    }
    zip.finish().expect("a zip").into_inner()
}
