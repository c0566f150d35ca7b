//! Classes of learners of the operators' site, and the exams that they take (part 01 §9.7, §9.11).

use chrono::TimeDelta;
use kit::{
    Client, Server, fields,
    learners::entered,
    quizzes::{
        CLASS, OWN, RECORD, answers, category, choice, class, code_of, content, edit, exam, join, open_class, problem,
        record_of, save, start, submit,
    },
    sheets::texts,
};
use serde_json::{Value, json};

const PHONES: [&str; 4] = ["13900000081", "13900000082", "13900000083", "13900000084"];

async fn members(operator: &Client<'_>, class: i64, state: &str) -> Vec<i64> {
    let list = operator.post(&format!("{CLASS}/member/list"), json!({ "gradeId": class, "state": state })).await;
    list.data()["list"].as_array().expect("a list").iter().map(|each| each["id"].as_i64().expect("an id")).collect()
}

async fn start_in(learner: &Client<'_>, exam: i64, class: i64) -> kit::Answer {
    learner.post(&format!("{OWN}/start"), json!({ "examId": exam, "gradeId": class })).await
}

/// 01 §9.10 Exams (5), also for two who want the last seat.
#[tokio::test]
async fn a_full_class_takes_nobody() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (id, code) = open_class(&operator, class("两人班", 2, "free")).await;
    assert!(code.len() == 6 && code.chars().all(|sign| sign.is_ascii_uppercase() || sign.is_ascii_digit()), "{code}");
    let (first, _) = entered(&server, PHONES[0]).await;
    let (second, _) = entered(&server, PHONES[1]).await;
    let (third, _) = entered(&server, PHONES[2]).await;
    // In any case, with blanks around it.
    let joined = join(&first, &format!(" {} ", code.to_lowercase())).await;
    assert_eq!((&joined.data()["gradeName"], &joined.data()["state"]), (&json!("两人班"), &json!("joined")));
    assert_eq!(join(&first, &code).await.refused(), (409, "您已加入该班级"));
    let (one, two) = futures_util::future::join(join(&second, &code), join(&third, &code)).await;
    let full = (409, "班级人数已满");
    let refused = if one.code() == 200 { two.refused() } else { one.refused() };
    assert_eq!((one.code().min(two.code()), refused), (200, full), "{} {}", one.body, two.body);
    let (fourth, _) = entered(&server, PHONES[3]).await;
    assert_eq!(join(&fourth, &code).await.refused(), full);
    let view = operator.get(&format!("{CLASS}/view?id={id}")).await.data().clone();
    assert_eq!((&view["joinedCount"], &view["maxMembers"]), (&json!(2), &json!(2)));
    let mut less = class("两人班", 1, "free");
    (less["id"], less["version"]) = (json!(id), view["version"].clone());
    let refused = operator.put(&format!("{CLASS}/edit"), less).await;
    assert_eq!(fields(&refused), ["maxMembers: 人数上限不能少于已加入的2人"]);
    // A seat that is given up is free.
    let member = members(&operator, id, "joined").await[0];
    operator.delete(&format!("{CLASS}/member/delete?id={member}")).await.id();
    assert_eq!(join(&fourth, &code).await.data()["state"], json!("joined"));
}

#[tokio::test]
async fn a_code_is_hard_to_find_and_can_be_changed() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (id, code) = open_class(&operator, class("换码班", 10, "free")).await;
    let (other, their_code) = open_class(&operator, class("另一班", 10, "free")).await;
    assert_ne!(code, their_code);
    let (learner, _) = entered(&server, PHONES[0]).await;
    let unknown = (404, "邀请码无效，请核对后重新输入");
    assert_eq!(join(&learner, "AAAAA0").await.refused(), unknown);
    let told = operator.put(&format!("{CLASS}/resetCode"), json!({ "id": id })).await;
    let fresh = told.data()["inviteCode"].as_str().expect("a code").to_owned();
    assert_eq!(code_of(&operator, id).await, fresh);
    assert_ne!(fresh, code);
    assert_eq!(join(&learner, &code).await.refused(), unknown);
    assert_eq!(join(&learner, &fresh).await.code(), 200);
    // One that is switched off is told like one that is not there.
    operator.put(&format!("{CLASS}/update/status"), json!({ "id": other, "enabled": false })).await.id();
    assert_eq!(join(&learner, &their_code).await.refused(), unknown);
    // Whoever tries codes is slowed down.
    let mut slowed = false;
    for _ in 0..12 {
        slowed |= join(&learner, "AAAAA0").await.code() == 429;
    }
    assert!(slowed);
    server.app.clock().shift(TimeDelta::minutes(2));
    let mut over = class("换码班", 10, "free");
    over["startsOn"] = json!("2019-01-01");
    over["endsOn"] = json!("2020-01-01");
    let (_, past) = open_class(&operator, over).await;
    assert_eq!(join(&learner, &past).await.refused(), (409, "班级已结束，不能加入"));
    let mut odd = class("倒着的班", 10, "free");
    odd["endsOn"] = json!("2019-12-31");
    let refused = operator.post(&format!("{CLASS}/save"), odd).await;
    assert_eq!(fields(&refused), ["endsOn: 结束日期不能早于开始日期"]);
}

#[tokio::test]
async fn an_operator_lets_in_and_removes() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (id, code) = open_class(&operator, class("审核班", 1, "audit")).await;
    let (first, _) = entered(&server, PHONES[0]).await;
    let (second, _) = entered(&server, PHONES[1]).await;
    assert_eq!(join(&first, &code).await.data()["state"], json!("pending"));
    assert_eq!(join(&first, &code).await.refused(), (409, "您已申请加入该班级，请等待审核"));
    join(&second, &code).await.data();
    let waiting = members(&operator, id, "pending").await;
    let decide = async |ids: &[i64], decision: &str| {
        let body = json!({ "ids": ids, "decision": decision });
        operator.put(&format!("{CLASS}/member/audit"), body).await.data().clone()
    };
    // The class has one seat.
    let told = decide(&waiting, "approved").await;
    assert_eq!((&told["done"], &told["failed"][0]["msg"]), (&json!(1), &json!("班级人数已满")));
    let left = members(&operator, id, "pending").await;
    assert_eq!(decide(&left, "rejected").await["done"], json!(1));
    let inside = members(&operator, id, "joined").await;
    assert_eq!(decide(&inside, "approved").await["failed"][0]["msg"], json!("该成员已加入班级"));
    let refused = operator.delete(&format!("{CLASS}/delete?id={id}")).await;
    assert_eq!(refused.refused(), (409, "已被1名成员引用，不能删除"));
    operator.delete(&format!("{CLASS}/member/delete?id={}", inside[0])).await.id();
    let again = operator.delete(&format!("{CLASS}/member/delete?id={}", inside[0])).await;
    assert_eq!(again.refused(), (409, "该成员已移除"));
    // Who was removed does not come back by the code, but an operator may let them in.
    let gone = (409, "您已被移出该班级，如需重新加入请联系班级管理员");
    assert!([join(&first, &code).await.refused(), join(&second, &code).await.refused()].contains(&gone));
    assert_eq!(decide(&inside, "approved").await["done"], json!(1));
    let list = operator.post(&format!("{CLASS}/member/list"), json!({ "gradeId": id, "learner": "139" })).await;
    assert_eq!(list.data()["totalCount"], json!(2));
    assert!(list.data()["list"][0]["phone"].as_str().expect("a phone").contains("****"));
    operator.delete(&format!("{CLASS}/member/delete?id={}", inside[0])).await.id();
    operator.delete(&format!("{CLASS}/delete?id={id}")).await.id();
}

/// A class takes its exam in its time, whether or not the site sells it; its scores are the best of each one's attempts.
#[tokio::test]
async fn a_class_takes_its_exams() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let paper = exam(&operator, "班级卷", 2).await;
    let sold = async |exam: i64| {
        operator.put("/exam/pc/info/update/putaway", json!({ "id": exam, "putaway": "off" })).await.id()
    };
    sold(paper).await;
    let (id, code) = open_class(&operator, class("考试班", 10, "free")).await;
    let now = server.app.clock().now();
    let at = |hours: i64| (now + TimeDelta::hours(hours)).format("%Y-%m-%dT%H:%M:00+08:00").to_string();
    let form = |exam: i64, from: i64, to: i64| json!({ "gradeId": id, "examId": exam, "opensAt": at(from), "closesAt": at(to) });
    let save_form = async |form: Value| operator.post(&format!("{CLASS}/exam/save"), form).await;
    let place = category(&operator, "problem", "别的题").await;
    let small = problem(&operator, choice(place, "别的题")).await;
    let draft = save(&operator, content("草稿卷", 2.0, 1.0, &[(small, 2.0)]), "draft").await.id();
    let refused = save_form(form(draft, 0, 1)).await;
    assert_eq!(fields(&refused), ["examId: 试卷尚未审核通过或已停用，不能安排"]);
    assert_eq!(fields(&save_form(form(paper, 2, 1)).await), ["closesAt: 关闭时间必须晚于开放时间"]);
    let arranged = save_form(form(paper, 1, 3)).await.id();
    assert_eq!(save_form(form(paper, 1, 3)).await.refused(), (409, "该试卷已安排给本班级"));
    let (learner, _) = entered(&server, PHONES[0]).await;
    let outside = (403, "您不在该班级，或班级没有安排这份试卷");
    assert_eq!(start_in(&learner, paper, id).await.refused(), outside);
    join(&learner, &code).await.data();
    assert_eq!(start_in(&learner, paper, id).await.refused(), (409, "考试尚未开始"));
    server.app.clock().shift(TimeDelta::minutes(100));
    // What was begun in the class is not gone on with on the site, where it would not count.
    let first = record_of(&start_in(&learner, paper, id).await);
    assert_eq!(start(&learner, paper).await.refused(), (409, "您在其他入口已开始这份试卷，请先交卷"));
    // The class closes before the exam's own ninety minutes are over.
    let view = operator.get(&format!("{RECORD}/view?id={first}")).await.data().clone();
    assert_eq!((&view["gradeName"], &view["deadlineAt"]), (&json!("考试班"), &json!(at(3))));
    submit(&learner, first, answers("B", "A", None)).await.data();
    let second = record_of(&start_in(&learner, paper, id).await);
    submit(&learner, second, answers("B", "B", None)).await.data();
    assert_eq!(start_in(&learner, paper, id).await.refused(), (409, "考试次数已用完"));
    let scores = operator.post(&format!("{CLASS}/score/list"), json!({ "gradeId": id })).await.data().clone();
    assert_eq!((&scores["exams"][0]["examName"], &scores["totalCount"]), (&json!("班级卷"), &json!(1)));
    let score = &scores["list"][0]["scores"][0];
    assert_eq!(
        (&score["attempts"], &score["score"], &score["totalScore"], &score["passed"], &score["waiting"]),
        (&json!(2), &json!(80.0), &json!(100.0), &json!(true), &json!(false))
    );
    // The score keeps its own total, whatever the exam comes to later.
    edit(&operator, paper, content("班级卷", 2.0, 1.0, &[(small, 2.0)]), "publish").await.id();
    let scores = operator.post(&format!("{CLASS}/score/list"), json!({ "gradeId": id })).await;
    let score = &scores.data()["list"][0]["scores"][0];
    assert_eq!((&score["score"], &score["totalScore"]), (&json!(80.0), &json!(100.0)));
    let book = operator.post(&format!("{CLASS}/score/export"), json!({ "gradeId": id })).await;
    let lines = texts(&book.bytes);
    assert_eq!((lines.len(), lines[1].contains(&"80".to_owned()) || lines[1].contains(&"80.0".to_owned())), (2, true));
    assert!(lines[1].iter().all(|cell| cell != PHONES[0]), "{lines:?}");
    // What was taken stays.
    let kept = operator.delete(&format!("{CLASS}/exam/delete?id={arranged}")).await;
    assert_eq!(kept.refused(), (409, "已有1名成员参加考试，不能删除"));
    let mut edit = form(paper, 0, 1);
    (edit["id"], edit["version"]) = (json!(arranged), json!(1));
    operator.put(&format!("{CLASS}/exam/edit"), edit).await.id();
    let (late, _) = entered(&server, PHONES[1]).await;
    join(&late, &code).await.data();
    assert_eq!(start_in(&late, paper, id).await.refused(), (409, "考试已结束"));
    let list = operator.post(&format!("{CLASS}/exam/list"), json!({ "gradeId": id })).await;
    assert_eq!(list.data()["list"][0]["takenCount"], json!(1));
}
