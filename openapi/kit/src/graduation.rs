//! Graduates: a batch with students whose credits are known.

use serde_json::{Value, json};

use crate::{
    Answer, Client, Server,
    exam_seats::second,
    lessons::{Lessons, lessons},
};

pub const BATCH: &str = "/adult/pc/graduate/batch";
pub const USER: &str = "/adult/pc/graduate/user";
pub const RULE: &str = "/adult/pc/graduate/rule";
pub const DISCIPLINE: &str = "/adult/pc/discipline";
pub const EXTERNAL: &str = "/adult/pc/external/exam";
pub const DEGREE: &str = "/adult/pc/degree";

/// What is asked beside: everything else is off, so that a story sees what it is about.
const ASKED: &str = "'status', 'credits', 'compulsory', 'fee'";

/// Two students of a plan of 80 credits, each of three electives passed with 76.0 credits together. The first has failed the
/// compulsory course, the second has passed it with 10 credits.
pub struct Graduates {
    pub taught: Lessons,
    pub batch: i64,
    pub students: [i64; 2],
}

/// With a batch that is under audit, and a school that may confirm it.
pub async fn graduates(server: &Server, admin: &Client<'_>) -> Graduates {
    let taught = lessons(server, admin, [2, 0]).await;
    for code in ["B1", "B2", "B3"] {
        second(server, admin, &taught, code).await;
    }
    server
        .run(&format!(
            "update school_1.graduation_rule set enabled = false
             where purpose = 'graduation' and rule_code not in ({ASKED})"
        ))
        .await;
    server
        .run(
            "update school_1.teaching_plan
             set total_credits = 80, min_compulsory_credits = 70, min_elective_credits = 10 where status = 'effective'",
        )
        .await;
    scored(server, taught.course).await;
    server
        .run(
            "insert into school_1.school_setting (key, value, created_by, updated_by) values
                 ('nationalCode', '\"10086\"', 0, 0), ('presidentName', '\"张明\"', 0, 0)
             on conflict (key) do update set value = excluded.value",
        )
        .await;
    let batch = batch(admin, ("2028B", "2028年秋季", "autumn"), "regular").await;
    start(admin, batch).await;
    let students = [
        server.one("select min(id) from school_1.student").await,
        server.one("select max(id) from school_1.student").await,
    ];
    Graduates { taught, batch, students }
}

/// Published scores of all selections.
async fn scored(server: &Server, compulsory: i64) {
    server
        .run(&format!(
            "insert into school_1.course_score (selection_id, student_id, course_id, semester_id, attempt_no, class_id, credits, nature,
                 total, mark, display_text, passed, earned_credits, status, published_at, counted_at, created_by, updated_by)
             select w.id, w.student_id, w.course_id, w.semester_id, 1, w.class_id, w.credits,
                    case when w.compulsory then 'compulsory' else 'elective' end, case when w.passed then 80 else 45 end, 'normal',
                    case when w.passed then '80' else '45' end, w.passed, case when w.passed then w.credits else 0 end,
                    'published', now(), now() - interval '1 day', 0, 0
             from (select c.id, c.student_id, c.course_id, c.semester_id, c.class_id, c.course_id = {compulsory} as compulsory,
                          c.course_id <> {compulsory} or c.student_id = (select max(id) from school_1.student) as passed,
                          case when c.course_id = {compulsory} then 10
                               when row_number() over (partition by c.student_id order by c.course_id = {compulsory}, c.course_id) = 1
                               then 26 else 25 end as credits
                   from school_1.course_selection c) w"
        ))
        .await;
}

/// A batch of summer 2028.
pub async fn batch(admin: &Client<'_>, (code, name, season): (&str, &str, &str), kind: &str) -> i64 {
    let body = json!({ "code": code, "name": name, "year": 2028, "season": season, "kind": kind, "graduatesOn": "2028-07-10",
        "certificateDate": "2028-07-10", "degreeEnabled": true });
    admin.post(&format!("{BATCH}/save"), body).await.id()
}

/// A batch as it was read.
pub async fn item(admin: &Client<'_>, batch: i64) -> Value {
    let seen = admin.get(&format!("{BATCH}/view?id={batch}")).await.data().clone();
    json!({ "id": batch, "version": seen["version"] })
}

pub async fn start(admin: &Client<'_>, batch: i64) {
    admin.put(&format!("{BATCH}/start"), item(admin, batch).await).await.data();
}

pub async fn confirm(admin: &Client<'_>, batch: i64) -> Answer {
    admin.put(&format!("{BATCH}/confirm"), item(admin, batch).await).await
}

impl Graduates {
    /// The row of a student in the batch, with what each rule said.
    pub async fn seen(&self, admin: &Client<'_>, student: i64) -> Value {
        let asked = json!({ "batchId": self.batch, "studentId": student });
        let listed = admin.post(&format!("{USER}/list"), asked).await;
        let id = listed.data()["list"][0]["id"].clone();
        admin.get(&format!("{USER}/view?id={id}")).await.data().clone()
    }

    /// Examines everybody.
    pub async fn audit(&self, admin: &Client<'_>) {
        let mut ids = Vec::new();
        for student in self.students {
            ids.push(self.seen(admin, student).await["id"].clone());
        }
        admin.post(&format!("{USER}/audit"), json!({ "ids": ids })).await.data();
    }

    /// Decides over a student.
    pub async fn decide(&self, admin: &Client<'_>, student: i64, decision: &str) -> Value {
        let seen = self.seen(admin, student).await;
        let body = json!({ "items": [{ "id": seen["id"], "version": seen["version"] }], "decision": decision, "reason": "终审" });
        admin.put(&format!("{USER}/decide"), body).await.data().clone()
    }
}

/// What a rule said of somebody.
pub fn rule<'v>(seen: &'v Value, code: &str) -> &'v Value {
    let items = seen["items"].as_array().expect("items");
    items.iter().find(|item| item["ruleCode"] == json!(code)).expect("the rule")
}
