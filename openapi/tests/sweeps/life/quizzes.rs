//! Exams of the operators' site, their questions and classes. What learners send stands in stories.

use kit::quizzes::{
    AUDIT, CATEGORY, CLASS, EXAM, PROBLEM, RECOMMEND, RECORD, category, choice, class, content, essay, problem, with,
};
use serde_json::{Value, json};

use super::{Life, Upload, id};

pub(super) async fn live(life: &mut Life<'_>) {
    for kind in ["info", "problem"] {
        categories(life, kind).await;
    }
    let place = category(&life.client, "problem", "一生的试题").await;
    let first = problems(life, place).await;
    let second = problem(&life.client, essay(place, "论述")).await;
    let exam = exams(life, first, second).await;
    recommended(life, exam, first).await;
    records(life, exam).await;
    classes(life, exam).await;
}

async fn categories(life: &mut Life<'_>, kind: &str) {
    let base = format!("{CATEGORY}/{kind}");
    let form = |name: &str| json!({ "categoryName": name });
    let made = id(&life.post(&format!("{base}/save"), form("甲")).await);
    life.put(&format!("{base}/edit"), with(form("乙"), json!({ "id": made, "version": 1 }))).await;
    life.get(&format!("{base}/view?id={made}")).await;
    life.post(&format!("{base}/list"), json!({})).await;
    life.post(&format!("{base}/export"), json!({})).await;
    switched(life, &base, made).await;
    let second = id(&life.post(&format!("{base}/save"), form("丙")).await);
    life.post(&format!("{base}/batchDel"), json!({ "ids": [second] })).await;
    life.delete(&format!("{base}/delete?id={made}")).await;
}

async fn switched(life: &mut Life<'_>, base: &str, id: i64) {
    for enabled in [false, true] {
        life.put(&format!("{base}/update/status"), json!({ "id": id, "enabled": enabled })).await;
    }
}

async fn problems(life: &mut Life<'_>, place: i64) -> i64 {
    let made = id(&life.post(&format!("{PROBLEM}/save"), choice(place, "甲题")).await);
    let edit = with(choice(place, "乙题"), json!({ "id": made, "version": 1 }));
    life.put(&format!("{PROBLEM}/edit"), edit).await;
    life.get(&format!("{PROBLEM}/view?id={made}")).await;
    life.post(&format!("{PROBLEM}/list"), json!({})).await;
    life.post(&format!("{PROBLEM}/export"), json!({})).await;
    switched(life, PROBLEM, made).await;
    for call in ["batchDel", "delete"] {
        let gone = id(&life.post(&format!("{PROBLEM}/save"), choice(place, "丙题")).await);
        if call == "delete" {
            life.delete(&format!("{PROBLEM}/delete?id={gone}")).await;
        } else {
            life.post(&format!("{PROBLEM}/batchDel"), json!({ "ids": [gone] })).await;
        }
    }
    life.get(&format!("{PROBLEM}/import/template")).await;
    let mut upload = Upload::sheet(&["题型", "题干", "答案"], &[&["判断题", "货币是商品", "对"]]);
    upload.texts.push(("categoryId", place.to_string()));
    let answer = life.upload(&format!("{PROBLEM}/import"), upload).await;
    assert_eq!((&answer["imported"], &answer["errors"]), (&json!(1), &json!([])));
    made
}

async fn version_of(life: &mut Life<'_>, exam: i64) -> Value {
    life.get(&format!("{EXAM}/view?id={exam}")).await["version"].clone()
}

async fn exams(life: &mut Life<'_>, first: i64, second: i64) -> i64 {
    let form = |name: &str, submission: &str| {
        with(content(name, 12.0, 6.0, &[(first, 2.0), (second, 10.0)]), json!({ "submission": submission }))
    };
    let made = id(&life.post(&format!("{EXAM}/save"), form("甲卷", "review")).await);
    life.post(&format!("{EXAM}/list"), json!({})).await;
    life.post(&format!("{EXAM}/export"), json!({})).await;
    let pending = json!({ "auditStatus": "pending" });
    let waiting = life.post(&format!("{AUDIT}/list"), pending.clone()).await["list"][0].clone();
    life.get(&format!("{AUDIT}/view?id={}", waiting["id"])).await;
    life.put(&format!("{AUDIT}/audit"), json!({ "id": waiting["id"], "auditStatus": "approved" })).await;
    let version = version_of(life, made).await;
    life.put(&format!("{EXAM}/edit"), with(form("乙卷", "review"), json!({ "id": made, "version": version }))).await;
    let waiting = life.post(&format!("{AUDIT}/list"), pending).await["list"][0].clone();
    let several = json!({ "ids": [waiting["id"]], "auditStatus": "approved" });
    assert_eq!(life.put(&format!("{AUDIT}/batchReview"), several).await["done"], json!(1));
    life.post(&format!("{AUDIT}/export"), json!({})).await;
    switched(life, EXAM, made).await;
    for putaway in ["on", "off", "on"] {
        life.put(&format!("{EXAM}/update/putaway"), json!({ "id": made, "putaway": putaway })).await;
    }
    for call in ["batchDel", "delete"] {
        let gone = id(&life.post(&format!("{EXAM}/save"), form("丙卷", "draft")).await);
        if call == "delete" {
            life.delete(&format!("{EXAM}/delete?id={gone}")).await;
        } else {
            life.post(&format!("{EXAM}/batchDel"), json!({ "ids": [gone] })).await;
        }
    }
    made
}

async fn recommended(life: &mut Life<'_>, exam: i64, problem: i64) {
    let form = |exam: i64| json!({ "examId": exam, "position": "home" });
    let made = id(&life.post(&format!("{RECOMMEND}/save"), form(exam)).await);
    let edit = with(form(exam), json!({ "id": made, "version": 1, "sort": 7 }));
    life.put(&format!("{RECOMMEND}/edit"), edit).await;
    life.get(&format!("{RECOMMEND}/view?id={made}")).await;
    life.post(&format!("{RECOMMEND}/list"), json!({})).await;
    life.post(&format!("{RECOMMEND}/export"), json!({})).await;
    switched(life, RECOMMEND, made).await;
    let other = with(content("丁卷", 2.0, 1.0, &[(problem, 2.0)]), json!({ "submission": "publish" }));
    let other = id(&life.post(&format!("{EXAM}/save"), other).await);
    let beside = id(&life.post(&format!("{RECOMMEND}/save"), form(other)).await);
    life.put(&format!("{RECOMMEND}/sort"), json!({ "ids": [beside, made] })).await;
    life.post(&format!("{RECOMMEND}/batchDel"), json!({ "ids": [beside] })).await;
    life.delete(&format!("{RECOMMEND}/delete?id={made}")).await;
}

/// An attempt that waits for its marker, as its learner would have left it.
async fn records(life: &mut Life<'_>, exam: i64) {
    kit::learners::numbered(life.server, 7).await;
    let question = json!({
        "problemId": 1, "seq": "1", "type": "essay", "stem": "<p>论述</p>", "options": [],
        "answer": { "text": "<p>略</p>" }, "score": 12.0, "parts": [],
    });
    let paper = json!([{ "title": "一", "questions": [question] }]);
    let marks = json!([{ "seq": "1", "type": "essay", "fullScore": 12.0, "objective": false }]);
    let made: i64 = life
        .server
        .one(&format!(
            "insert into platform.online_exam_record (exam_id, learner_id, attempt_no, exam_name, total_score, pass_score, snapshot,
                 marks, state, submit_kind, started_at, deadline_at, submitted_at, objective_score, created_by, updated_by)
             values ({exam}, 7, 1, '乙卷', 120, 60, '{paper}', '{marks}', 'marking', 'learner', now(), now(), now(), 0, 0, 0)
             returning id"
        ))
        .await;
    life.post(&format!("{RECORD}/list"), json!({ "examId": exam })).await;
    let version = life.get(&format!("{RECORD}/view?id={made}")).await["version"].clone();
    let items = json!([{ "seq": "1", "score": 9.5 }]);
    life.put(&format!("{RECORD}/mark"), json!({ "id": made, "version": version, "items": items })).await;
}

async fn classes(life: &mut Life<'_>, exam: i64) {
    let made = id(&life.post(&format!("{CLASS}/save"), class("甲班", 10, "audit")).await);
    life.put(&format!("{CLASS}/edit"), with(class("乙班", 20, "audit"), json!({ "id": made, "version": 1 }))).await;
    life.get(&format!("{CLASS}/view?id={made}")).await;
    life.post(&format!("{CLASS}/list"), json!({})).await;
    life.post(&format!("{CLASS}/export"), json!({})).await;
    switched(life, CLASS, made).await;
    life.put(&format!("{CLASS}/resetCode"), json!({ "id": made })).await;
    let member: i64 = life
        .server
        .one(&format!(
            "insert into platform.exam_grade_member (grade_id, learner_id, state, created_by, updated_by)
             values ({made}, 7, 'pending', 0, 0) returning id"
        ))
        .await;
    life.post(&format!("{CLASS}/member/list"), json!({ "gradeId": made })).await;
    let decision = json!({ "ids": [member], "decision": "approved" });
    assert_eq!(life.put(&format!("{CLASS}/member/audit"), decision).await["done"], json!(1));
    let times = json!({ "opensAt": "2027-05-01T08:00:00+08:00", "closesAt": "2027-05-02T08:00:00+08:00" });
    let form = with(json!({ "gradeId": made, "examId": exam }), times);
    let arranged = id(&life.post(&format!("{CLASS}/exam/save"), form.clone()).await);
    life.put(&format!("{CLASS}/exam/edit"), with(form, json!({ "id": arranged, "version": 1 }))).await;
    life.post(&format!("{CLASS}/exam/list"), json!({ "gradeId": made })).await;
    life.post(&format!("{CLASS}/score/list"), json!({ "gradeId": made })).await;
    life.post(&format!("{CLASS}/score/export"), json!({ "gradeId": made })).await;
    life.delete(&format!("{CLASS}/exam/delete?id={arranged}")).await;
    life.delete(&format!("{CLASS}/member/delete?id={member}")).await;
    for call in ["batchDel", "delete"] {
        let gone = id(&life.post(&format!("{CLASS}/save"), class("丙班", 10, "free")).await);
        if call == "delete" {
            life.delete(&format!("{CLASS}/delete?id={gone}")).await;
        } else {
            life.post(&format!("{CLASS}/batchDel"), json!({ "ids": [gone] })).await;
        }
    }
}
