//! Banks, questions, rules and papers of the school: one of everything.

use kit::questions::{BANK, PAPER, QUESTION, RULE, case, choice};
use serde_json::{Value, json};

use super::{Life, MARK, Upload, courses::TYPE, id};

const COURSE: &str = "/course/pc/collegeCurriculum";
const CHAPTER: &str = "/course/pc/schoolChapter";

/// Answers what can be deleted at the end.
pub(super) async fn live(life: &mut Life<'_>) -> Vec<(&'static str, i64)> {
    // A type of one's own: the seeded ones have the same numbers in every school.
    let kind = json!({ "code": "TKLX", "name": format!("{MARK}题库课程类"), "systemKind": "practice" });
    let kind = id(&life.post(&format!("{TYPE}/save"), kind).await);
    let course = json!({ "code": "TK1", "name": format!("{MARK}政治经济学"), "typeId": kind, "credits": 4.0, "lectureHours": 72 });
    let course = id(&life.post(&format!("{COURSE}/save"), course).await);
    let chapter = json!({ "courseId": course, "title": format!("{MARK}货币") });
    let chapter = id(&life.post(&format!("{CHAPTER}/save"), chapter).await);
    let bank = banks(life, course).await;
    let question = questions(life, bank, chapter).await;
    reviewed(life, bank).await;
    let rule = rules(life, course).await;
    papers(life, course, bank, question).await;
    let wanted = json!({ "id": rule, "count": 1, "seed": 7, "name": format!("{MARK}生成的试卷") });
    life.post(&format!("{RULE}/generate"), wanted).await;
    let draft = json!({ "name": format!("{MARK}按策略组卷的试卷"), "courseId": course, "kind": "exam", "totalScore": 2.0, "passScore": 1.2 });
    let draft = id(&life.post(&format!("{PAPER}/save"), draft).await);
    let version = version(life, PAPER, draft).await;
    let wanted = json!({ "id": rule, "count": 1, "seed": 7, "paperId": draft, "version": version });
    life.post(&format!("{RULE}/generate"), wanted).await;
    // Every second one is deleted among several.
    let mut deleted = Vec::new();
    for n in ["2", "3"] {
        let more = json!({ "code": format!("X{n}"), "name": format!("{MARK}多余题库{n}"), "courseId": course, "usage": "both" });
        deleted.push((BANK, id(&life.post(&format!("{BANK}/save"), more).await)));
    }
    for n in ["2", "3"] {
        // Of a type that no rule draws.
        let more = case(bank, &format!("{MARK}多余的第{n}题"));
        deleted.push((QUESTION, id(&life.post(&format!("{QUESTION}/save"), more).await)));
    }
    for n in ["2", "3"] {
        let more = json!({ "name": format!("{MARK}多余试卷{n}"), "courseId": course, "kind": "homework", "code": format!("XP{n}") });
        deleted.push((PAPER, id(&life.post(&format!("{PAPER}/save"), more).await)));
    }
    for n in ["2", "3"] {
        deleted.push((RULE, id(&life.post(&format!("{RULE}/save"), rule_of(course, &format!("多余策略{n}"))).await)));
    }
    deleted
}

async fn version(life: &mut Life<'_>, entity: &str, id: i64) -> Value {
    life.get(&format!("{entity}/view?id={id}")).await["version"].clone()
}

async fn switched(life: &mut Life<'_>, entity: &str, id: i64) {
    for enabled in [false, true] {
        life.put(&format!("{entity}/update/status"), json!({ "id": id, "enabled": enabled })).await;
    }
}

async fn banks(life: &mut Life<'_>, course: i64) -> i64 {
    let body = json!({ "code": "TK", "name": format!("{MARK}考试题库"), "courseId": course, "usage": "both" });
    let bank = id(&life.post(&format!("{BANK}/save"), body.clone()).await);
    let mut edit = body;
    edit["id"] = json!(bank);
    edit["version"] = version(life, BANK, bank).await;
    edit["name"] = json!(format!("{MARK}通用题库"));
    life.put(&format!("{BANK}/edit"), edit).await;
    life.post(&format!("{BANK}/list"), json!({})).await;
    life.post(&format!("{BANK}/export"), json!({})).await;
    life.get(&format!("/adult/pc/options/questionBank?parentId={course}")).await;
    life.get("/adult/pc/options/account").await;
    switched(life, BANK, bank).await;
    bank
}

async fn questions(life: &mut Life<'_>, bank: i64, chapter: i64) -> i64 {
    let body = choice(bank, &format!("{MARK}货币最基本的职能是"), 2.0);
    let question = id(&life.post(&format!("{QUESTION}/save"), body.clone()).await);
    let mut edit = body;
    edit["id"] = json!(question);
    edit["version"] = version(life, QUESTION, question).await;
    edit["analysis"] = json!("见第二章");
    life.put(&format!("{QUESTION}/edit"), edit).await;
    life.post(&format!("{QUESTION}/save"), case(bank, &format!("{MARK}阅读材料"))).await;
    life.post(&format!("{QUESTION}/list"), json!({ "bankId": bank })).await;
    life.post(&format!("{QUESTION}/export"), json!({ "bankId": bank })).await;
    life.post(&format!("{QUESTION}/export"), json!({ "bankId": bank, "format": "text" })).await;
    switched(life, QUESTION, question).await;
    let set = json!({ "ids": [question], "chapterId": chapter, "difficulty": "easy" });
    life.put(&format!("{QUESTION}/batchEdit"), set).await;
    life.post(&format!("{QUESTION}/duplicate"), json!({ "bankId": bank, "threshold": 0.8 })).await;
    life.get(&format!("{QUESTION}/import/template")).await;
    let stem = format!("{MARK}货币是商品");
    let mut upload = Upload::sheet(&["题型", "题干", "答案"], &[&["判断题", &stem, "对"]]);
    upload.texts.push(("bankId", bank.to_string()));
    let answer = life.upload(&format!("{QUESTION}/import"), upload).await;
    assert_eq!((&answer["imported"], &answer["errors"]), (&json!(1), &json!([])));
    let mut upload = Upload::text(&format!("1. [判断题] {MARK}货币是一般等价物\n【答案】对\n"));
    upload.texts.push(("bankId", bank.to_string()));
    let answer = life.upload(&format!("{QUESTION}/import/text"), upload).await;
    assert_eq!((&answer["imported"], &answer["errors"]), (&json!(1), &json!([])));
    let other = json!({ "code": "TK9", "name": format!("{MARK}作业题库"), "courseId": life_course(life, bank).await, "usage": "homework" });
    let other = id(&life.post(&format!("{BANK}/save"), other).await);
    let moved = id(&life.post(&format!("{QUESTION}/save"), choice(bank, &format!("{MARK}要移动的题"), 2.0)).await);
    let answer = life.put(&format!("{QUESTION}/move"), json!({ "ids": [moved], "bankId": other })).await;
    assert_eq!(answer["done"], json!(1), "{answer}");
    question
}

async fn life_course(life: &mut Life<'_>, bank: i64) -> Value {
    life.get(&format!("{BANK}/view?id={bank}")).await["courseId"].clone()
}

/// While the school has its questions reviewed.
async fn reviewed(life: &mut Life<'_>, bank: i64) {
    life.server
        .run("insert into school_1.school_setting (key, value, created_by, updated_by) values ('questionReviewRequired', 'true', 0, 0)")
        .await;
    for (n, step) in [(1, "audit"), (2, "reject")] {
        let body = choice(bank, &format!("{MARK}待审核的第{n}题"), 2.0);
        let question = id(&life.post(&format!("{QUESTION}/save"), body).await);
        let item = json!({ "items": [{ "id": question, "version": version(life, QUESTION, question).await }] });
        let answer = life.put(&format!("{QUESTION}/submit"), item).await;
        assert_eq!(answer["done"], json!(1), "{answer}");
        let mut item = json!({ "items": [{ "id": question, "version": version(life, QUESTION, question).await }] });
        if step == "reject" {
            item["reason"] = json!("答案有误");
        }
        let answer = life.put(&format!("{QUESTION}/{step}"), item).await;
        assert_eq!(answer["done"], json!(1), "{answer}");
    }
    life.server.run("delete from school_1.school_setting where key = 'questionReviewRequired'").await;
}

fn rule_of(course: i64, name: &str) -> Value {
    json!({ "name": format!("{MARK}{name}"), "courseId": course, "kind": "exam", "totalScore": 2.0,
        "items": [{ "title": "一、单项选择题", "type": "single_choice", "count": 1, "scoreEach": 2.0 }] })
}

async fn rules(life: &mut Life<'_>, course: i64) -> i64 {
    let rule = id(&life.post(&format!("{RULE}/save"), rule_of(course, "期末策略")).await);
    let mut edit = rule_of(course, "期末策略");
    edit["id"] = json!(rule);
    edit["version"] = version(life, RULE, rule).await;
    edit["durationMinutes"] = json!(90);
    life.put(&format!("{RULE}/edit"), edit).await;
    life.post(&format!("{RULE}/list"), json!({})).await;
    life.post(&format!("{RULE}/export"), json!({})).await;
    life.post(&format!("{RULE}/check"), json!({ "id": rule })).await;
    life.get(&format!("/adult/pc/options/paperRule?parentId={course}")).await;
    switched(life, RULE, rule).await;
    rule
}

async fn papers(life: &mut Life<'_>, course: i64, bank: i64, question: i64) {
    let body = json!({ "name": format!("{MARK}期末试卷"), "courseId": course, "kind": "exam", "totalScore": 4.0, "passScore": 2.4 });
    let paper = id(&life.post(&format!("{PAPER}/save"), body.clone()).await);
    let mut edit = body;
    edit["id"] = json!(paper);
    edit["version"] = version(life, PAPER, paper).await;
    edit["durationMinutes"] = json!(90);
    life.put(&format!("{PAPER}/edit"), edit).await;
    let section = json!({ "title": "一、单项选择题", "questions": [{ "questionId": question, "score": 2.0 }] });
    let sections = json!({ "id": paper, "version": version(life, PAPER, paper).await, "sections": [section] });
    life.put(&format!("{PAPER}/sections"), sections).await;
    let detail = life.get(&format!("{PAPER}/detail?id={paper}")).await;
    let more = id(&life.post(&format!("{QUESTION}/save"), choice(bank, &format!("{MARK}加入试卷的题"), 2.0)).await);
    let append = json!({ "id": paper, "version": detail["version"], "sectionId": detail["sections"][0]["id"], "questionIds": [more] });
    life.post(&format!("{PAPER}/appendQuestions"), append).await;
    let check = life.get(&format!("{PAPER}/check?id={paper}")).await;
    assert_eq!(check["problems"], json!([]), "{check}");
    for step in ["submit", "reject", "submit", "audit"] {
        // Nobody decides about their own.
        life.server.run(&format!("update school_1.paper set submitted_by = 0 where id = {paper}")).await;
        let mut item = json!({ "id": paper, "version": version(life, PAPER, paper).await });
        if step == "reject" {
            item["reason"] = json!("请换一题");
        }
        life.put(&format!("{PAPER}/{step}"), item).await;
    }
    life.get(&format!("{PAPER}/print?id={paper}")).await;
    let listed = life.post(&format!("{PAPER}/snapshot/list"), json!({ "paperId": paper })).await;
    let snapshot = listed["list"][0]["id"].clone();
    life.get(&format!("{PAPER}/snapshot/view?id={snapshot}")).await;
    life.post(&format!("{PAPER}/list"), json!({})).await;
    life.post(&format!("{PAPER}/export"), json!({})).await;
    life.get(&format!("/adult/pc/options/paper?parentId={course}")).await;
    let copy = json!({ "id": paper, "mode": "copy", "name": format!("{MARK}复制的试卷") });
    life.put(&format!("{PAPER}/copy"), copy).await;
    let variant = json!({ "id": paper, "mode": "variant", "name": format!("{MARK}另一卷") });
    life.put(&format!("{PAPER}/copy"), variant).await;
    life.get(&format!("{PAPER}/print?snapshotId={snapshot}&withAnswer=true")).await;
    switched(life, PAPER, paper).await;
}
