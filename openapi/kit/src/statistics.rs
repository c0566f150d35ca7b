//! Statistics: the course of part 05 A4 with its two classes, and what a table tells.

use chrono::Duration;
use serde_json::{Value, json};

use crate::{
    Answer, Client, Server,
    cohort::{Cohort, cohort},
    lessons::called,
    openings::{opened, plan, semester},
    plans,
    rows::students,
};

pub use crate::client::with;

pub const VIDEO: &str = "/data/pc/statisticsVideo";
pub const WORK: &str = "/data/pc/workStatistics";
pub const EXAM: &str = "/data/pc/examinationStatistics";
pub const LEARNING: &str = "/data/pc/learningRecords";
pub const LOGIN: &str = "/data/pc/studentLoginStatistics";
pub const SOURCE: &str = "/data/pc/fromStatistics";
pub const LINK: &str = "/data/pc/promotionLink";
pub const REPORT: &str = "/data/pc/statistics";

/// 课程A1 in the current semester: K1 with 40 students at the first site, K2 with 20 at the other.
pub struct Worked {
    pub p: Cohort,
    pub other_site: i64,
    pub spring: i64,
    pub course: i64,
    pub opening: i64,
    pub classes: [i64; 2],
}

/// The course with everybody on its roster, of whom nobody has begun.
pub async fn roster(server: &Server, admin: &Client<'_>) -> Worked {
    let p = cohort(admin).await;
    let site = json!({ "code": "CX", "name": "城西教学点", "shortName": "城西", "kind": "headquarter" });
    let other_site = admin.post("/adult/pc/site/save", site).await.id();
    let course = plans::course(admin, "A1", 3.0, 54, 0).await;
    let spring = semester(admin, "2026-1").await;
    admin.put("/adult/pc/semester/setCurrent", json!({ "id": spring })).await.data();
    plan(server, &p, &[(course, "compulsory", 1)]).await;
    let at_other = with(called(&p, "K2"), json!({ "siteId": other_site }));
    let classes = [
        admin.post("/adult/pc/class/save", called(&p, "K1")).await.id(),
        admin.post("/adult/pc/class/save", at_other).await.id(),
    ];
    students(server, &p, p.site, Some(classes[0]), 1, 40).await;
    students(server, &p, other_site, Some(classes[1]), 41, 20).await;
    let opening = opened(admin, spring, course).await;
    server.run(&format!("update school_1.course_opening set teaching_mode = 'online' where id = {opening}")).await;
    Worked { p, other_site, spring, course, opening, classes }
}

/// The selections of a class in the order of their students, as `s` with their place `n`.
pub fn ordered(class: i64) -> String {
    format!(
        "(select c.id, c.student_id, row_number() over (order by y.student_no) as n
          from school_1.course_selection c join school_1.student y on y.id = c.student_id where c.class_id = {class}) s"
    )
}

/// How far everybody is: K1 10 not begun, 20 with 60.0, 10 finished, 432,000 s; K2 2, 8 with 52.5, 10, 270,000 s. The eleventh of K1
/// studied two hours.
pub async fn progress(server: &Server, of: &Worked) {
    let now = server.app.clock().now();
    for (class, waiting, finished, progress, seconds) in [
        (
            of.classes[0],
            10,
            30,
            "60.0",
            "case when s.n > 30 then 20000 when s.n = 11 then 7200 when s.n = 12 then 8800 else 12000 end",
        ),
        (of.classes[1], 2, 10, "52.5", "15000"),
    ] {
        server
            .run(&format!(
                "insert into school_1.study_course_progress (id, opening_id, progress, study_seconds, last_at, updated_at)
                 select s.id, {}, case when s.n > {finished} then 100.0 else {progress} end, {seconds}, '{now}', '{now}'
                 from {} where s.n > {waiting}",
                of.opening,
                ordered(class)
            ))
            .await;
    }
}

/// Asks for new figures; the clock goes on, as once a minute is enough.
pub async fn refreshed(client: &Client<'_>) -> Value {
    client.server.app.clock().shift(Duration::seconds(61));
    client.post(&format!("{REPORT}/refresh"), json!({ "screen": "statistics" })).await.data().clone()
}

/// The rows of a table by their names, and its 合计.
pub async fn table(client: &Client<'_>, path: &str, body: Value) -> Table {
    let answer = client.post(path, with(json!({ "pageSize": 100 }), body)).await;
    Table::of(&answer)
}

/// A table as it was answered.
#[derive(Debug)]
pub struct Table {
    pub answer: Value,
    keys: Vec<String>,
}

impl Table {
    pub fn of(answer: &Answer) -> Self {
        let answer = answer.data().clone();
        let columns = answer["columns"].as_array().expect("columns");
        let keys = columns.iter().filter_map(|column| column["key"].as_str()).map(ToOwned::to_owned).collect();
        Self { answer, keys }
    }

    /// The names of the rows.
    pub fn names(&self) -> Vec<&str> {
        self.answer["list"].as_array().expect("rows").iter().filter_map(|row| row["name"].as_str()).collect()
    }

    /// Figures of a row, or of the 合计.
    pub fn figures(&self, name: &str, keys: &[&str]) -> Vec<Value> {
        let row = if name == "合计" {
            &self.answer["total"]
        } else {
            let rows = self.answer["list"].as_array().expect("rows");
            rows.iter().find(|row| row["name"] == json!(name)).unwrap_or_else(|| panic!("no {name}: {}", self.answer))
        };
        keys.iter().map(|key| self.cell(row, key)).collect()
    }

    fn cell(&self, row: &Value, key: &str) -> Value {
        let place = self.keys.iter().position(|known| known == key).unwrap_or_else(|| panic!("no column {key}"));
        let cell = &row["cells"][place];
        if cell["number"].is_number() { cell["number"].clone() } else { cell["text"].clone() }
    }
}
