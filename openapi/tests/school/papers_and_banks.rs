//! What banks and rules mean for papers: whose questions a paper may hold, who sees them, and what is drawn (part 03 A7, A8).

use std::{
    io::{Cursor, Read},
    time::Duration,
};

use kit::{
    Client, Server,
    accounts::all_school_codes,
    cohort::registrar,
    courses::{CHAPTER, chapter, course},
    fields,
    questions::{BANK, PAPER, QUESTION, RULE, bank, case, choice, choices, compose, item, paper, question, version},
};
use poem::http::Method;
use serde_json::{Value, json};
use sqlx::{Connection, Executor};

/// What stands in the place of a question that is kept from whoever looks.
const UNSEEN: &str = "（所在题库仅成员可见）";

async fn view_of(client: &Client<'_>, entity: &str, id: i64) -> Value {
    client.get(&format!("{entity}/view?id={id}")).await.data().clone()
}

/// A bank of a course that its creator keeps.
async fn kept_bank(client: &Client<'_>, course: i64, code: &str, usage: &str) -> i64 {
    let body = json!({ "code": code, "name": format!("题库{code}"), "courseId": course, "usage": usage,
        "visibility": "owner", "memberAccountIds": [] });
    client.post(&format!("{BANK}/save"), body).await.id()
}

/// A homework paper of these questions, approved at once.
async fn approved(client: &Client<'_>, course: i64, questions: &[i64]) -> i64 {
    let id = paper(client, course, "homework", 2.0 * questions.len() as f64).await;
    compose(client, id, questions).await;
    submitted(client, id).await
}

async fn submitted(client: &Client<'_>, id: i64) -> i64 {
    client.put(&format!("{PAPER}/submit"), item(client, id).await).await.id()
}

/// The paper as it was read, as the body of an edit.
async fn edit_of(client: &Client<'_>, id: i64, change: Value) -> Value {
    let view = view_of(client, PAPER, id).await;
    let mut edit = json!({ "id": id });
    for field in ["version", "code", "name", "courseId", "kind", "totalScore", "passScore", "ruleId", "extraBankIds"] {
        edit[field] = view[field].clone();
    }
    for (field, value) in change.as_object().into_iter().flatten() {
        edit[field] = value.clone();
    }
    edit
}

/// The text of a paper as a document of a word processor.
async fn document(client: &Client<'_>, paper: i64, with_answer: bool) -> String {
    let wanted = json!({ "format": "word", "id": paper, "withAnswer": with_answer });
    let exported = client.post(&format!("{PAPER}/export"), wanted).await;
    let mut archive = zip::ZipArchive::new(Cursor::new(exported.bytes)).expect("an archive");
    let mut text = String::new();
    archive.by_name("word/document.xml").expect("a part").read_to_string(&mut text).expect("text");
    text
}

/// The first question of a paper, as somebody sees it.
async fn first_of(client: &Client<'_>, paper: i64) -> Value {
    let detail = client.get(&format!("{PAPER}/detail?id={paper}")).await;
    detail.data()["sections"][0]["questions"][0].clone()
}

#[tokio::test]
async fn a_paper_whose_bank_has_another_use_by_now_does_not_come_back() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let bank = bank(&admin, course, "TK", "homework").await;
    let ids = choices(&admin, bank, 1, None, "单选").await;
    let id = approved(&admin, course, &ids).await;
    let status = format!("{PAPER}/update/status");
    assert_eq!(admin.put(&status, json!({ "id": id, "enabled": false })).await.code(), 200);
    let version = view_of(&admin, BANK, bank).await["version"].clone();
    let edit =
        json!({ "id": bank, "version": version, "code": "TK", "name": "题库TK", "courseId": course, "usage": "exam" });
    assert_eq!(admin.put(&format!("{BANK}/edit"), edit).await.code(), 200, "a paper that is out of use hinders nobody");
    let told = (422, "1道试题所在题库不能用于作业");
    assert_eq!(admin.put(&status, json!({ "id": id, "enabled": true })).await.refused(), told);
    let copy = admin.put(&format!("{PAPER}/copy"), json!({ "id": id, "mode": "copy" })).await.id();
    assert_eq!(admin.put(&format!("{PAPER}/submit"), item(&admin, copy).await).await.refused(), told);
    // Nor is it used, however it came to be approved.
    server.run(&format!("update school_1.paper set status = 'approved' where id = {id}")).await;
    let refused = admin.get(&format!("{PAPER}/print?id={id}")).await;
    assert_eq!(refused.refused(), (409, "试卷“期末试卷”有1道试题所在题库不能用于作业，不能使用"));
}

#[tokio::test]
async fn variants_of_different_versions_are_compared_and_printed() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let bank = bank(&admin, course, "TK", "homework").await;
    let ids = choices(&admin, bank, 2, None, "单选").await;
    let first = approved(&admin, course, &ids[..1]).await;
    let other = admin.put(&format!("{PAPER}/copy"), json!({ "id": first, "mode": "variant" })).await.id();
    submitted(&admin, other).await;
    // B has the other question; A comes to have it in its second version, while B is still in its first.
    let second = compose(&admin, first, &ids[1..]).await;
    assert_ne!(second, first);
    server.run("update school_1.paper set overlap_max_percent = 0").await;
    let check = admin.get(&format!("{PAPER}/check?id={second}")).await;
    assert_eq!(check.data()["problems"], json!(["A卷与B卷重复题100%，超过上限0%"]), "{}", check.body);
    let printed = admin.bare(Method::GET, &format!("{PAPER}/print?id={second}&variant=B")).await;
    assert!(printed.bytes.starts_with(b"%PDF"), "{}", printed.body);
    admin.put(&format!("{PAPER}/update/status"), json!({ "id": other, "enabled": false })).await.data();
    let check = admin.get(&format!("{PAPER}/check?id={second}")).await;
    assert_eq!(check.data()["problems"], json!([]), "what is out of use is compared with nothing");
    assert_eq!(admin.get(&format!("{PAPER}/print?id={second}&variant=B")).await.code(), 404);
}

#[tokio::test]
async fn a_paper_is_told_as_its_questions_are_when_it_passes() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let bank = bank(&admin, course, "TK", "homework").await;
    let ids = choices(&admin, bank, 2, None, "单选").await;
    let id = paper(&admin, course, "homework", 2.0).await;
    compose(&admin, id, &ids[..1]).await;
    assert_eq!(view_of(&admin, PAPER, id).await["difficultyCoefficient"], json!(0.6));
    let easy = json!({ "ids": [ids[0]], "difficulty": "easy" });
    assert_eq!(admin.put(&format!("{QUESTION}/batchEdit"), easy).await.data()["done"], json!(1));
    submitted(&admin, id).await;
    assert_eq!(view_of(&admin, PAPER, id).await["difficultyCoefficient"], json!(0.9));
    // A question that is of another type by now is told, where its section has one.
    let draft = paper(&admin, course, "homework", 2.0).await;
    compose(&admin, draft, &ids[1..]).await;
    let mut edit = choice(bank, "改为多选", 2.0);
    edit["id"] = json!(ids[1]);
    edit["version"] = view_of(&admin, QUESTION, ids[1]).await["version"].clone();
    edit["type"] = json!("multiple_choice");
    edit["answer"] = json!({ "letters": ["A", "B"] });
    assert_eq!(admin.put(&format!("{QUESTION}/edit"), edit).await.code(), 200);
    let check = admin.get(&format!("{PAPER}/check?id={draft}")).await;
    assert_eq!(check.data()["problems"], json!(["第1大题有1道试题不是单选题"]), "{}", check.body);
}

#[tokio::test]
async fn where_a_question_belongs_makes_no_other_snapshot() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let place = chapter(&admin, course, None, "第1章").await;
    let bank = bank(&admin, course, "TK", "homework").await;
    let ids = choices(&admin, bank, 1, Some(place), "单选").await;
    let id = approved(&admin, course, &ids).await;
    let print = format!("{PAPER}/print?id={id}");
    admin.bare(Method::GET, &print).await;
    server.run("update school_1.course_chapter set title = '改名的章节'").await;
    let easy = json!({ "ids": ids, "difficulty": "easy" });
    assert_eq!(admin.put(&format!("{QUESTION}/batchEdit"), easy).await.data()["done"], json!(1));
    admin.bare(Method::GET, &print).await;
    assert_eq!(server.one::<i64>("select count(*) from school_1.paper_snapshot").await, 1);
    assert_eq!(view_of(&admin, QUESTION, ids[0]).await["usedCount"], json!(1));
}

#[tokio::test]
async fn answers_are_exported_with_what_explains_their_parts() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let bank = bank(&admin, course, "TK", "homework").await;
    let mut body = case(bank, "阅读材料");
    body["subQuestions"][0]["analysis"] = json!("第一问的解析");
    body["subQuestions"][1] = json!({ "type": "short_answer", "stem": "第二问", "defaultScore": 3.0,
        "answer": { "text": "参考", "points": [{ "text": "要点甲", "score": 1.0 }, { "text": "要点乙", "score": 2.0 }] } });
    let whole = question(&admin, body).await;
    let id = paper(&admin, course, "homework", 6.0).await;
    let section = json!({ "title": "一、综合题", "questions": [{ "questionId": whole, "score": 6.0 }] });
    let sections = json!({ "id": id, "version": version(&admin, id).await, "sections": [section] });
    admin.put(&format!("{PAPER}/sections"), sections).await.id();
    let text = document(&admin, id, true).await;
    for words in ["【解析】第一问的解析", "【得分要点】要点甲（1.0分）；要点乙（2.0分）"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let text = document(&admin, id, false).await;
    assert!(!text.contains("解析") && !text.contains("要点"), "{text}");
}

#[tokio::test]
async fn questions_of_a_kept_bank_are_for_its_members_until_their_paper_passes() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let bank = kept_bank(&admin, course, "MT", "exam").await;
    let secret = question(&admin, choice(bank, "保密试题", 2.0)).await;
    let id = paper(&admin, course, "exam", 2.0).await;
    compose(&admin, id, &[secret]).await;
    let codes = ["view", "edit", "print", "export", "submit"].map(|code| format!("exam:pc:exam:info:{code}"));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let teacher = server.staff(1, &codes).await;
    let seen = first_of(&teacher, id).await;
    assert_eq!((&seen["questionId"], &seen["score"], &seen["options"]), (&json!(secret), &json!(2.0), &json!([])));
    assert!(seen["stem"].as_str().is_some_and(|stem| stem.contains(UNSEEN)), "{seen}");
    let text = document(&teacher, id, false).await;
    assert!(text.contains(UNSEEN) && !text.contains("保密试题") && !text.contains("价值尺度"), "{text}");
    assert!(document(&admin, id, false).await.contains("保密试题"));
    // Who does not see it may put the paper together all the same, and loses nothing of it.
    compose(&teacher, id, &[secret]).await;
    assert_eq!(first_of(&admin, id).await["stem"], json!("<p>保密试题</p>"));
    submitted(&admin, id).await;
    assert_eq!(first_of(&teacher, id).await["options"], json!([]), "it waits");
    // Who passes it sees what they pass.
    let other = registrar(&server).await;
    assert_eq!(first_of(&other, id).await["stem"], json!("<p>保密试题</p>"));
    assert_eq!(other.get(&format!("{QUESTION}/view?id={secret}")).await.code(), 404);
    assert_eq!(other.put(&format!("{PAPER}/audit"), item(&other, id).await).await.code(), 200);
    assert_eq!(first_of(&teacher, id).await["stem"], json!("<p>保密试题</p>"), "a paper that passed is for all");
}

#[tokio::test]
async fn further_banks_stay_whoever_edits_and_go_only_without_questions() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let own = course(&admin, "ZZJJ", "政治经济学").await;
    let other = course(&admin, "GGGL", "公共管理").await;
    let kept = kept_bank(&admin, other, "MT", "homework").await;
    let open = bank(&admin, other, "GG", "homework").await;
    let held = choices(&admin, kept, 2, None, "单选").await;
    let id = paper(&admin, own, "homework", 2.0).await;
    let edit = format!("{PAPER}/edit");
    let named = edit_of(&admin, id, json!({ "extraBankIds": [kept, open] })).await;
    assert_eq!(admin.put(&edit, named).await.code(), 200);
    compose(&admin, id, &held[..1]).await;
    let teacher = server.staff(1, &["exam:pc:exam:info:view", "exam:pc:exam:info:edit"]).await;
    assert_eq!(view_of(&teacher, PAPER, id).await["extraBankIds"], json!([open]), "nobody else learns of it");
    let renamed = edit_of(&teacher, id, json!({ "name": "改名的试卷" })).await;
    assert_eq!(teacher.put(&edit, renamed).await.code(), 200);
    let mut banks = view_of(&admin, PAPER, id).await["extraBankIds"].as_array().expect("banks").clone();
    banks.sort_by_key(Value::as_i64);
    assert_eq!(banks, [json!(kept), json!(open)], "what somebody does not see they do not take away");
    let without = edit_of(&admin, id, json!({ "extraBankIds": [open] })).await;
    let told = ["extraBankIds: 1道试题来自题库“题库MT”，请先移出"];
    assert_eq!(fields(&admin.put(&edit, without).await), told);
    // What is named already may be switched off; what is not may not be named any more.
    admin.put(&format!("{BANK}/update/status"), json!({ "id": open, "enabled": false })).await.data();
    let same = edit_of(&admin, id, json!({ "name": "期末试卷" })).await;
    assert_eq!(admin.put(&edit, same).await.code(), 200);
    let new = json!({ "name": "另一试卷", "courseId": own, "kind": "homework", "extraBankIds": [open] });
    let refused = admin.post(&format!("{PAPER}/save"), new).await;
    assert_eq!(fields(&refused), ["extraBankIds: “题库GG”已停用，请选择其他项"]);
    // Another variant takes its questions from there too.
    let variant = admin.put(&format!("{PAPER}/copy"), json!({ "id": id, "mode": "variant" })).await.id();
    assert_eq!(first_of(&admin, variant).await["questionId"], json!(held[1]));
}

#[tokio::test]
async fn a_paper_is_saved_with_its_questions_and_a_version_under_the_code_that_was_typed() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let bank = bank(&admin, course, "TK", "homework").await;
    let ids = choices(&admin, bank, 1, None, "单选").await;
    let section =
        |questions: Value| json!([{ "title": "一、单项选择题", "defaultScore": 2.0, "questions": questions }]);
    let body = json!({ "code": "QM1", "name": "期末试卷", "courseId": course, "kind": "homework", "totalScore": 2.0,
        "passScore": 1.2, "sections": section(json!([{ "questionId": ids[0] }])) });
    let id = admin.post(&format!("{PAPER}/save"), body.clone()).await.id();
    assert_eq!(view_of(&admin, PAPER, id).await["questionCount"], json!(1));
    let mut stray = body;
    stray["code"] = json!("QM9");
    stray["sections"] = section(json!([{ "questionId": 999_999 }]));
    let refused = admin.post(&format!("{PAPER}/save"), stray).await;
    assert_eq!(fields(&refused), ["sections: 第1题不存在、未启用或不能用于该试卷"]);
    let edit = format!("{PAPER}/edit");
    let with = edit_of(&admin, id, json!({ "sections": section(json!([])) })).await;
    assert_eq!(fields(&admin.put(&edit, with).await), ["sections: 大题和试题请在选题中修改"]);
    submitted(&admin, id).await;
    let typed = edit_of(&admin, id, json!({ "code": "QM2" })).await;
    let second = admin.put(&edit, typed).await.id();
    assert_eq!(view_of(&admin, PAPER, second).await["code"], json!("QM2"));
    submitted(&admin, second).await;
    let third = admin.put(&edit, edit_of(&admin, second, json!({})).await).await.id();
    let code = view_of(&admin, PAPER, third).await["code"].clone();
    assert!(code.as_str().is_some_and(|code| code.len() == 13 && code.starts_with('P')), "{code}");
}

fn rule_item(count: i64, change: Value) -> Value {
    let mut item = json!({ "title": "一、单项选择题", "type": "single_choice", "count": count, "scoreEach": 2.0 });
    for (field, value) in change.as_object().into_iter().flatten() {
        item[field] = value.clone();
    }
    item
}

fn rule(course: i64, name: &str, item: Value) -> Value {
    let total = 2.0 * item["count"].as_f64().expect("a count");
    json!({ "name": name, "courseId": course, "kind": "homework", "totalScore": total, "items": [item] })
}

#[tokio::test]
async fn a_rule_holds_its_chapters_and_its_banks() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let own = course(&admin, "ZZJJ", "政治经济学").await;
    let other = course(&admin, "GGGL", "公共管理").await;
    let place = chapter(&admin, own, None, "第1章").await;
    let strange = bank(&admin, other, "GG", "homework").await;
    let kept = kept_bank(&admin, own, "MT", "homework").await;
    let save = format!("{RULE}/save");
    let refused = admin.post(&save, rule(own, "期末", rule_item(1, json!({ "bankIds": [strange] })))).await;
    let told = "items[0].bankIds: 部分题库不存在、不属于本课程或不能用于该用途，请重新选择";
    assert_eq!(fields(&refused), [told]);
    let body = rule(own, "期末", rule_item(1, json!({ "bankIds": [kept], "chapterIds": [place] })));
    let id = admin.post(&save, body.clone()).await.id();
    assert_eq!(view_of(&admin, RULE, id).await["items"][0]["chapterIds"], json!([place]));
    let refused = admin.delete(&format!("{CHAPTER}/delete?id={place}")).await;
    assert_eq!(refused.refused(), (409, "“第1章”已被引用，不能删除：1个策略大题"));
    // Whoever does not see the bank sees nothing of it, and does not take it away.
    let teacher = server.staff(1, &["exam:pc:exam:rule:view", "exam:pc:exam:rule:edit"]).await;
    let view = view_of(&teacher, RULE, id).await;
    assert_eq!(view["items"][0]["bankIds"], json!([]), "{view}");
    let edit = format!("{RULE}/edit");
    let mut renamed = rule(own, "期末策略", rule_item(1, json!({ "chapterIds": [place] })));
    (renamed["id"], renamed["version"]) = (json!(id), view["version"].clone());
    assert_eq!(teacher.put(&edit, renamed.clone()).await.code(), 200);
    let view = view_of(&admin, RULE, id).await;
    assert_eq!((&view["name"], &view["items"][0]["bankIds"]), (&json!("期末策略"), &json!([kept])), "{view}");
    renamed["version"] = view["version"].clone();
    renamed["items"][0]["type"] = json!("true_false");
    let told = (409, "第1项含有仅成员可见的题库，请由题库成员调整该项");
    assert_eq!(teacher.put(&edit, renamed).await.refused(), told);
    // What it names already may be switched off; what is new may not be.
    admin.put(&format!("{BANK}/update/status"), json!({ "id": kept, "enabled": false })).await.data();
    let mut same = body.clone();
    (same["id"], same["version"]) = (json!(id), view["version"].clone());
    assert_eq!(admin.put(&edit, same).await.code(), 200);
    let mut new = body;
    new["name"] = json!("另一策略");
    assert_eq!(fields(&admin.post(&save, new).await), ["items[0].bankIds: “题库MT”已停用，请选择其他项"]);
}

#[tokio::test]
async fn a_rule_that_is_put_into_a_paper_is_its_edit() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let bank = bank(&admin, course, "TK", "homework").await;
    let ids = choices(&admin, bank, 4, None, "单选").await;
    let made = admin.post(&format!("{RULE}/save"), rule(course, "作业", rule_item(3, json!({})))).await.id();
    let id = paper(&admin, course, "homework", 6.0).await;
    compose(&admin, id, &ids[..1]).await;
    let read = version(&admin, id).await;
    let generate = format!("{RULE}/generate");
    let wanted = |version: Value| json!({ "id": made, "count": 1, "seed": 7, "paperId": id, "version": version });
    let teacher = server.staff(1, &["exam:pc:exam:rule:generate"]).await;
    assert_eq!(teacher.post(&generate, wanted(read.clone())).await.code(), 403);
    assert_eq!(fields(&admin.post(&generate, wanted(Value::Null)).await), ["version: 请填写试卷版本"]);
    compose(&admin, id, &ids[..2]).await;
    assert_eq!(admin.post(&generate, wanted(read)).await.code(), 409, "somebody composed it meanwhile");
    let view = view_of(&admin, PAPER, id).await;
    assert_eq!(view["questionCount"], json!(2), "and lost nothing");
    let put = admin.post(&generate, wanted(view["version"].clone())).await;
    assert_eq!(put.data()["ids"], json!([id]), "{}", put.body);
    let view = view_of(&admin, PAPER, id).await;
    assert_eq!(
        (&view["questionCount"], &view["composeMode"], &view["ruleSeed"]),
        (&json!(3), &json!("mixed"), &json!(7))
    );
}

#[tokio::test]
async fn a_rule_gives_no_question_less_than_its_parts_are_worth() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let bank = bank(&admin, course, "TK", "homework").await;
    let mut six = case(bank, "阅读材料");
    let parts = six["subQuestions"].as_array_mut().expect("parts");
    for n in 3..=6 {
        let mut part = parts[0].clone();
        part["stem"] = json!(format!("第{n}问"));
        parts.push(part);
    }
    question(&admin, six).await;
    let item = rule_item(1, json!({ "title": "一、综合题", "type": "case_analysis", "scoreEach": 0.5 }));
    let mut wanted = rule(course, "综合", item);
    wanted["totalScore"] = json!(0.5);
    let made = admin.post(&format!("{RULE}/save"), wanted).await.id();
    let told = (422, "“一、综合题”每题0.5分过小，不够分给试题的各空或各小题");
    assert_eq!(admin.post(&format!("{RULE}/generate"), json!({ "id": made, "count": 1 })).await.refused(), told);
    let dealt = ::papers::rule::deal(&mut server.begin_in(1).await, made, 7, &[1]).await;
    let refused = dealt.expect_err("a student would earn more than the paper has");
    assert_eq!((i64::from(refused.code), refused.msg.as_ref()), told);
}

#[tokio::test]
async fn papers_of_one_call_have_codes_one_after_the_other() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let bank = bank(&admin, course, "TK", "homework").await;
    choices(&admin, bank, 4, None, "单选").await;
    let made = admin.post(&format!("{RULE}/save"), rule(course, "作业", rule_item(1, json!({})))).await.id();
    let generate = format!("{RULE}/generate");
    let made = admin.post(&generate, json!({ "id": made, "count": 2, "variants": 2, "seed": 7 })).await;
    let mut codes = Vec::new();
    for id in made.data()["ids"].as_array().expect("papers") {
        let view = view_of(&admin, PAPER, id.as_i64().expect("a number")).await;
        codes.push((view["code"].as_str().expect("a code")[9..].to_owned(), view["variant"].clone()));
    }
    let wanted = [("0001", "A"), ("0002", "B"), ("0003", "A"), ("0004", "B")];
    assert_eq!(codes, wanted.map(|(code, variant)| (code.to_owned(), json!(variant))));
}

#[tokio::test]
async fn papers_of_a_school_wait_for_those_of_no_other() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let own = course(&admin, "ZZJJ", "政治经济学").await;
    let codes = all_school_codes();
    let other = server.staff(2, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let theirs = course(&other, "GGGL", "公共管理").await;
    bank(&other, theirs, "GG", "homework").await;
    // The other school's are numbered and not yet committed.
    let mut tx = server.begin_in(2).await;
    ::papers::demo::fill(&mut tx).await.expect("papers");
    let made = tokio::time::timeout(Duration::from_secs(5), paper(&admin, own, "homework", 2.0)).await;
    let code = view_of(&admin, PAPER, made.expect("nobody waits")).await["code"].clone();
    assert!(code.as_str().is_some_and(|code| code.ends_with("0001")), "{code}");
    drop(tx);
}

#[tokio::test]
async fn what_went_out_of_use_while_it_was_dealt_is_not_frozen() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let bank = bank(&admin, course, "TK", "homework").await;
    let ids = choices(&admin, bank, 1, None, "单选").await;
    let made = admin.post(&format!("{RULE}/save"), rule(course, "作业", rule_item(1, json!({})))).await.id();
    let mut owner = server.owner().await;
    let mut other = owner.begin().await.expect("a transaction");
    other.execute("update school_1.question set status = 'disabled'").await.expect("held");
    let mut tx = server.begin_in(1).await;
    let deal = ::papers::rule::deal(&mut tx, made, 7, &[1]);
    let end = async {
        server.wait_until("select exists (select from pg_locks where not granted)").await;
        other.commit().await.expect("committed");
    };
    let (dealt, ()) = tokio::join!(deal, end);
    let refused = dealt.expect_err("the question is out of use");
    assert_eq!((refused.code, refused.msg.as_ref()), (409, "抽到的1道试题刚被停用或修改，请重试"));
    drop(tx);
    assert_eq!(view_of(&admin, QUESTION, ids[0]).await["usedCount"], json!(0));
}

#[tokio::test]
async fn questions_are_listed_by_chance_for_whoever_draws() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let bank = bank(&admin, course, "TK", "homework").await;
    let ids = choices(&admin, bank, 6, None, "单选").await;
    let wanted = json!({ "bankId": bank, "pageSize": 1, "sortField": "random" });
    let mut drawn = std::collections::BTreeSet::new();
    for _ in 0..60 {
        let listed = admin.post(&format!("{QUESTION}/list"), wanted.clone()).await;
        assert_eq!(listed.data()["totalCount"], json!(6));
        drawn.extend(listed.data()["list"][0]["id"].as_i64());
    }
    // Sixty times three of the six alone: never.
    assert!(drawn.len() > 3 && drawn.iter().all(|id| ids.contains(id)), "{drawn:?}");
}
