//! Papers: putting together, drawing, reviewing, freezing (part 03 A8).

use kit::{
    Client, Server,
    cohort::registrar,
    courses::{chapter, course},
    fields,
    questions::{PAPER, QUESTION, RULE, bank, case, choice, choices, compose, item, paper, question, version},
    sheets::texts,
};
use poem::http::Method;
use serde_json::{Value, json};

async fn started<'s>(server: &'s Server, usage: &str) -> (Client<'s>, i64, i64) {
    let admin = registrar(server).await;
    let course = course(&admin, "ZZJJ", "政治经济学").await;
    let bank = bank(&admin, course, "TK", usage).await;
    (admin, course, bank)
}

async fn status(client: &Client<'_>, paper: i64) -> Value {
    client.get(&format!("{PAPER}/view?id={paper}")).await.data()["status"].clone()
}

/// A homework paper of these questions, approved at once.
async fn approved(client: &Client<'_>, course: i64, questions: &[i64]) -> i64 {
    let id = paper(client, course, "homework", 2.0 * questions.len() as f64).await;
    compose(client, id, questions).await;
    client.put(&format!("{PAPER}/submit"), item(client, id).await).await.id()
}

#[tokio::test]
async fn a_paper_reaches_its_total_before_it_is_reviewed() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server, "exam").await;
    let ids = choices(&admin, bank, 50, None, "单选").await;
    let id = paper(&admin, course, "exam", 100.0).await;
    let code = admin.get(&format!("{PAPER}/view?id={id}")).await.data()["code"].clone();
    assert!(code.as_str().is_some_and(|code| code.len() == 13 && code.starts_with('P')), "{code}");
    compose(&admin, id, &ids[..49]).await;
    let submit = format!("{PAPER}/submit");
    let refused = admin.put(&submit, item(&admin, id).await).await;
    assert_eq!(refused.refused(), (422, "总分98.0，与目标总分100.0不一致"));
    let detail = admin.get(&format!("{PAPER}/detail?id={id}")).await;
    let section = detail.data()["sections"][0]["id"].clone();
    let append =
        json!({ "id": id, "version": version(&admin, id).await, "sectionId": section, "questionIds": [ids[49]] });
    assert_eq!(admin.put(&submit, item(&admin, id).await).await.code(), 422);
    assert_eq!(admin.post(&format!("{PAPER}/appendQuestions"), append).await.code(), 200);
    assert_eq!(admin.put(&submit, item(&admin, id).await).await.code(), 200);
    assert_eq!(status(&admin, id).await, json!("pending_review"));
    let own = admin.put(&format!("{PAPER}/audit"), item(&admin, id).await).await;
    assert_eq!(own.refused(), (409, "不能审核自己提交的试卷"));
    let other = registrar(&server).await;
    let back = json!({ "id": id, "version": version(&admin, id).await, "reason": "请换一题" });
    assert_eq!(other.put(&format!("{PAPER}/reject"), back).await.code(), 200);
    assert_eq!(admin.put(&submit, item(&admin, id).await).await.code(), 200);
    assert_eq!(other.put(&format!("{PAPER}/audit"), item(&admin, id).await).await.code(), 200);
    assert_eq!(status(&admin, id).await, json!("approved"));
    let view = admin.get(&format!("{PAPER}/view?id={id}")).await;
    let data = view.data();
    assert_eq!(
        (&data["questionCount"], &data["objectiveScore"], &data["difficultyCoefficient"]),
        (&json!(50), &json!(100.0), &json!(0.6))
    );
}

#[tokio::test]
async fn two_people_add_the_same_question_once() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server, "homework").await;
    let other = registrar(&server).await;
    let ids = choices(&admin, bank, 2, None, "单选").await;
    let id = paper(&admin, course, "homework", 4.0).await;
    compose(&admin, id, &ids[..1]).await;
    let detail = admin.get(&format!("{PAPER}/detail?id={id}")).await;
    let section = detail.data()["sections"][0]["id"].clone();
    let append =
        json!({ "id": id, "version": version(&admin, id).await, "sectionId": section, "questionIds": [ids[1]] });
    let path = format!("{PAPER}/appendQuestions");
    let (one, two) = tokio::join!(admin.post(&path, append.clone()), other.post(&path, append));
    let refused = if one.code() == 200 { &two } else { &one };
    assert_eq!(refused.refused(), (409, "该题已在试卷中"), "{} {}", one.body, two.body);
    assert_eq!(server.one::<i64>("select count(*) from school_1.paper_question").await, 2);
}

#[tokio::test]
async fn a_section_takes_only_its_type_and_a_case_shares_its_score() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server, "homework").await;
    let mut three = case(bank, "阅读材料");
    let part = three["subQuestions"][0].clone();
    three["subQuestions"].as_array_mut().expect("parts").push(part);
    three["subQuestions"][2]["stem"] = json!("第三问");
    let whole = question(&admin, three).await;
    let id = paper(&admin, course, "homework", 10.0).await;
    let body = |kind: &str, version: Value| {
        json!({ "id": id, "version": version, "sections": [
            { "title": "一、大题", "type": kind, "questions": [{ "questionId": whole, "score": 10.0 }] }] })
    };
    let path = format!("{PAPER}/sections");
    let refused = admin.put(&path, body("single_choice", version(&admin, id).await)).await;
    assert_eq!(fields(&refused), ["sections: 该大题只能放单选题"]);
    assert_eq!(admin.put(&path, body("case_analysis", version(&admin, id).await)).await.code(), 200);
    let detail = admin.get(&format!("{PAPER}/detail?id={id}")).await;
    assert_eq!(detail.data()["sections"][0]["questions"][0]["subScores"], json!([3.5, 3.5, 3.0]), "{}", detail.body);
    let mut scarce = body("case_analysis", version(&admin, id).await);
    scarce["sections"][0]["questions"][0]["score"] = json!(0.2);
    let told = "sections: 分值0.2过小，不够分给各空或各小题";
    assert_eq!(fields(&admin.put(&path, scarce).await), [told], "three parts would be worth more than the question");
    let exam = kit::questions::bank(&admin, course, "KS", "exam").await;
    let secret = question(&admin, choice(exam, "考试题", 2.0)).await;
    let stray = json!({ "id": id, "version": version(&admin, id).await,
        "sections": [{ "title": "一", "questions": [{ "questionId": secret }] }] });
    assert_eq!(
        fields(&admin.put(&path, stray).await),
        ["sections: 第1题不存在、未启用或不能用于该试卷"],
        "homework takes nothing from an examination bank"
    );
}

#[tokio::test]
async fn an_approved_paper_is_edited_as_its_next_version() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server, "homework").await;
    let ids = choices(&admin, bank, 3, None, "单选").await;
    let first = approved(&admin, course, &ids[..2]).await;
    assert_eq!(status(&admin, first).await, json!("approved"));
    let printed = admin.bare(Method::GET, &format!("{PAPER}/print?id={first}")).await;
    assert!(printed.bytes.starts_with(b"%PDF"), "{}", printed.body);
    let again = admin.bare(Method::GET, &format!("{PAPER}/print?id={first}&booklet=true")).await;
    assert!(again.bytes.starts_with(b"%PDF"));
    assert_eq!(
        server.one::<i64>("select count(*) from school_1.paper_snapshot").await,
        1,
        "equal content is frozen once"
    );

    // The question changes; what was frozen does not.
    let view = admin.get(&format!("{QUESTION}/view?id={}", ids[0])).await.data().clone();
    let mut edit = choice(bank, "改过的题干", 2.0);
    edit["id"] = json!(ids[0]);
    edit["version"] = view["version"].clone();
    assert_eq!(admin.put(&format!("{QUESTION}/edit"), edit.clone()).await.code(), 200);
    let now = admin.get(&format!("{QUESTION}/view?id={}", ids[0])).await;
    assert_eq!((&now.data()["revision"], &now.data()["usedCount"]), (&json!(2), &json!(1)), "{}", now.body);
    edit["version"] = now.data()["version"].clone();
    edit["type"] = json!("multiple_choice");
    edit["answer"] = json!({ "letters": ["A", "B"] });
    assert_eq!(
        fields(&admin.put(&format!("{QUESTION}/edit"), edit).await),
        ["type: 试题已用于试卷快照，题型不能修改，请新增试题"]
    );
    let listed = admin.post(&format!("{PAPER}/snapshot/list"), json!({ "paperId": first })).await;
    let snapshot = listed.data()["list"][0]["id"].clone();
    let frozen = admin.get(&format!("{PAPER}/snapshot/view?id={snapshot}")).await;
    let held = &frozen.data()["sections"][0]["questions"][0];
    assert_eq!((&held["revision"], &held["stem"]), (&json!(1), &json!("<p>单选第1题</p>")), "{}", frozen.body);

    // An edit makes version 2; version 1 stays until that is approved.
    let second = compose(&admin, first, &ids[1..]).await;
    assert_ne!(second, first);
    let data = admin.get(&format!("{PAPER}/view?id={second}")).await.data().clone();
    assert_eq!((&data["versionNo"], &data["status"], &data["familyId"]), (&json!(2), &json!("draft"), &json!(first)));
    assert_eq!(status(&admin, first).await, json!("approved"));
    let twice = json!({ "id": first, "version": version(&admin, first).await, "sections": [] });
    let refused = admin.put(&format!("{PAPER}/sections"), twice).await;
    assert_eq!(refused.refused(), (409, "该试卷已有第2版，请编辑最新版本"));
    assert_eq!(admin.put(&format!("{PAPER}/submit"), item(&admin, second).await).await.code(), 200);
    assert_eq!((status(&admin, first).await, status(&admin, second).await), (json!("disabled"), json!("approved")));
    let refused = admin.delete(&format!("{PAPER}/delete?id={first}")).await;
    assert_eq!(refused.code(), 409);
    assert!(refused.body["msg"].as_str().is_some_and(|msg| msg.contains("1份试卷快照")), "{}", refused.body);
}

#[tokio::test]
async fn a_question_that_is_added_to_a_paper_in_use_makes_its_next_version() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server, "homework").await;
    let ids = choices(&admin, bank, 3, None, "单选").await;
    let first = approved(&admin, course, &ids[..2]).await;
    let detail = admin.get(&format!("{PAPER}/detail?id={first}")).await;
    let section = detail.data()["sections"][0]["id"].clone();
    let append =
        json!({ "id": first, "version": detail.data()["version"], "sectionId": section, "questionIds": [ids[2]] });
    let second = admin.post(&format!("{PAPER}/appendQuestions"), append).await.id();
    let data = admin.get(&format!("{PAPER}/view?id={second}")).await.data().clone();
    assert_eq!((&data["versionNo"], &data["status"], &data["questionCount"]), (&json!(2), &json!("draft"), &json!(3)));
    assert_eq!(status(&admin, first).await, json!("approved"));
    // Once the new one is in use the old one does not come back beside it.
    admin.bare(Method::GET, &format!("{PAPER}/print?id={first}")).await;
    server.run(&format!("update school_1.paper set total_score = 6 where id = {second}")).await;
    assert_eq!(admin.put(&format!("{PAPER}/submit"), item(&admin, second).await).await.code(), 200);
    let back = admin.put(&format!("{PAPER}/update/status"), json!({ "id": first, "enabled": true })).await;
    assert_eq!(back.refused(), (409, "第2版正在使用，不能启用旧版本"));
    // While the second is out of use the first may come back; it gives way again when the second does.
    let turned = async |id: i64, enabled: bool| {
        let wanted = json!({ "id": id, "enabled": enabled });
        assert_eq!(admin.put(&format!("{PAPER}/update/status"), wanted).await.code(), 200);
    };
    turned(second, false).await;
    turned(first, true).await;
    turned(second, true).await;
    assert_eq!((status(&admin, first).await, status(&admin, second).await), (json!("disabled"), json!("approved")));
}

#[tokio::test]
async fn a_paper_whose_question_was_taken_out_of_use_is_not_frozen() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server, "homework").await;
    let ids = choices(&admin, bank, 2, None, "单选").await;
    let id = approved(&admin, course, &ids).await;
    admin.put(&format!("{QUESTION}/update/status"), json!({ "id": ids[0], "enabled": false })).await.data();
    let refused = admin.get(&format!("{PAPER}/print?id={id}")).await;
    assert_eq!(refused.refused(), (409, "试卷“期末试卷”有1道试题已停用或待审核，不能使用"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.paper_snapshot").await, 0);
}

#[tokio::test]
async fn a_paper_is_taken_back_and_put_to_another_use_where_its_banks_allow() {
    let server = Server::start().await;
    let (admin, course, both) = started(&server, "both").await;
    let ids = choices(&admin, both, 1, None, "单选").await;
    let id = paper(&admin, course, "exam", 2.0).await;
    compose(&admin, id, &ids).await;
    assert_eq!(admin.put(&format!("{PAPER}/submit"), item(&admin, id).await).await.code(), 200);
    let back = json!({ "id": id, "version": version(&admin, id).await, "reason": "改为作业" });
    assert_eq!(admin.put(&format!("{PAPER}/reject"), back).await.code(), 200, "one's own is taken back");
    let edit = |id: i64, version: Value| {
        json!({ "id": id, "version": version, "name": "期末试卷", "courseId": course, "kind": "homework",
            "totalScore": 2.0, "passScore": 1.2 })
    };
    let path = format!("{PAPER}/edit");
    assert_eq!(admin.put(&path, edit(id, version(&admin, id).await)).await.code(), 200);
    let exam = kit::questions::bank(&admin, course, "KS", "exam").await;
    let secret = choices(&admin, exam, 1, None, "考试").await;
    let other = paper(&admin, course, "exam", 2.0).await;
    compose(&admin, other, &secret).await;
    assert_eq!(
        fields(&admin.put(&path, edit(other, version(&admin, other).await)).await),
        ["kind: 1道试题所在题库不能用于作业，请先移出"]
    );
}

#[tokio::test]
async fn a_case_that_was_frozen_is_known_by_its_parts() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server, "both").await;
    let place = chapter(&admin, course, None, "第1章").await;
    let mut body = case(bank, "阅读材料");
    body["chapterId"] = json!(place);
    let whole = question(&admin, body).await;
    let id = paper(&admin, course, "homework", 6.0).await;
    let section = json!({ "title": "一、综合题", "questions": [{ "questionId": whole, "score": 6.0 }] });
    let sections = json!({ "id": id, "version": version(&admin, id).await, "sections": [section] });
    admin.put(&format!("{PAPER}/sections"), sections).await.id();
    admin.put(&format!("{PAPER}/submit"), item(&admin, id).await).await.id();
    admin.bare(Method::GET, &format!("{PAPER}/print?id={id}")).await;
    let view = admin.get(&format!("{QUESTION}/view?id={whole}")).await;
    let data = view.data();
    assert_eq!((&data["typeFixed"], &data["snapshotCount"]), (&json!(true), &json!(1)), "{}", view.body);
    // Nor is it drawn where what homework had is avoided.
    let items = json!([{ "title": "一", "type": "case_analysis", "count": 1, "scoreEach": 6.0 }]);
    let mut avoiding = rule(course, items, 6.0);
    avoiding["avoidHomeworkQuestions"] = json!(true);
    let avoiding = admin.post(&format!("{RULE}/save"), avoiding).await.id();
    let short = admin.post(&format!("{RULE}/generate"), json!({ "id": avoiding, "count": 1 })).await;
    assert_eq!(short.refused(), (422, "第1项 综合题：需要1题，可用0题"));
    let refused = admin.delete(&format!("/course/pc/schoolChapter/delete?id={place}")).await;
    assert_eq!(refused.code(), 409, "{}", refused.body);
    assert!(refused.body["msg"].as_str().is_some_and(|msg| msg.ends_with("：1道试题")), "{}", refused.body);
}

#[tokio::test]
async fn what_is_frozen_cannot_be_changed_by_the_schools_own_role() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server, "homework").await;
    let ids = choices(&admin, bank, 2, None, "单选").await;
    let id = approved(&admin, course, &ids).await;
    admin.bare(Method::GET, &format!("{PAPER}/print?id={id}")).await;
    for table in ["paper_snapshot", "snapshot_question", "snapshot_correction"] {
        let may: bool = server
            .one(&format!(
                "select has_table_privilege(s.db_role, 'school_1.{table}', 'update')
                     or has_table_privilege(s.db_role, 'school_1.{table}', 'delete') from platform.school s where s.id = 1"
            ))
            .await;
        assert!(!may, "{table}");
        let inserts: bool = server
            .one(&format!("select has_table_privilege(s.db_role, 'school_1.{table}', 'insert') from platform.school s where s.id = 1"))
            .await;
        assert!(inserts, "{table}");
    }
}

fn rule(course: i64, items: Value, total: f64) -> Value {
    json!({ "name": "期末", "courseId": course, "kind": "exam", "totalScore": total, "items": items })
}

#[tokio::test]
async fn fifteen_choices_of_which_five_are_of_chapter_2() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server, "exam").await;
    let one = chapter(&admin, course, None, "第1章").await;
    let two = chapter(&admin, course, None, "第2章").await;
    let first = choices(&admin, bank, 10, Some(one), "第1章").await;
    choices(&admin, bank, 5, Some(two), "第2章").await;
    let item = |title: &str, chapters: Value, count: i64| json!({ "title": title, "type": "single_choice", "chapterIds": chapters, "count": count, "scoreEach": 2.0 });
    let items = json!([item("一", json!([]), 10), item("二", json!([two]), 5)]);
    let wrong = admin.post(&format!("{RULE}/save"), rule(course, items.clone(), 31.0)).await;
    assert_eq!(fields(&wrong), ["totalScore: 各大题合计30.0分，与总分31.0不一致"]);
    let id = admin.post(&format!("{RULE}/save"), rule(course, items, 30.0)).await.id();
    let checked = admin.post(&format!("{RULE}/check"), json!({ "id": id })).await;
    assert_eq!(checked.data()["feasible"], json!(true), "{}", checked.body);
    let wanted = json!({ "id": id, "count": 1, "seed": 7 });
    let made = admin.post(&format!("{RULE}/generate"), wanted.clone()).await.data().clone();
    let again = admin.post(&format!("{RULE}/generate"), wanted).await.data().clone();
    let mut held = Vec::new();
    for made in [&made, &again] {
        let detail = admin.get(&format!("{PAPER}/detail?id={}", made["ids"][0])).await;
        let sections = detail.data()["sections"].as_array().expect("sections").clone();
        assert_eq!(sections.len(), 2);
        let questions: Vec<Value> = sections
            .iter()
            .flat_map(|section| section["questions"].as_array().expect("questions").clone())
            .map(|question| question["questionId"].clone())
            .collect();
        assert_eq!(questions.len(), 15);
        held.push(questions);
    }
    assert_eq!(held[0], held[1], "the same seed, the same questions in the same order");
    let off = json!({ "id": first[0], "enabled": false });
    admin.put(&format!("{QUESTION}/update/status"), off).await.data();
    let short = admin.post(&format!("{RULE}/generate"), json!({ "id": id, "count": 1 })).await;
    assert_eq!(short.refused(), (422, "第2项 单选题·第2章：需要5题，可用4题"));
}

#[tokio::test]
async fn variants_have_a_tenth_in_common_at_most() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server, "exam").await;
    choices(&admin, bank, 76, None, "单选").await;
    let items = json!([{ "title": "一", "type": "single_choice", "count": 40, "scoreEach": 2.0 }]);
    let id = admin.post(&format!("{RULE}/save"), rule(course, items, 80.0)).await.id();
    let wanted = json!({ "id": id, "count": 1, "variants": 2, "overlapMaxPercent": 10, "seed": 1 });
    let made = admin.post(&format!("{RULE}/generate"), wanted).await.data().clone();
    let common: i64 = server
        .one(&format!(
            "select count(*) from school_1.paper_question a join school_1.paper_question b using (question_id)
             where a.paper_id = {} and b.paper_id = {}",
            made["ids"][0], made["ids"][1]
        ))
        .await;
    assert!(common <= 4, "{common}");
    let view = admin.get(&format!("{PAPER}/view?id={}", made["ids"][1])).await;
    assert_eq!((&view.data()["variant"], &view.data()["ruleSeed"]), (&json!("B"), &json!(1)));
    let check = admin.get(&format!("{PAPER}/check?id={}", made["ids"][1])).await;
    assert_eq!(check.data()["problems"], json!([]), "{}", check.body);
    let printed = |variant: &str| format!("{PAPER}/print?id={}&variant={variant}", made["ids"][0]);
    assert!(admin.bare(Method::GET, &printed("B")).await.bytes.starts_with(b"%PDF"));
    assert_eq!(admin.get(&printed("C")).await.code(), 404);
    server.run("update school_1.paper set overlap_max_percent = 0").await;
    let check = admin.get(&format!("{PAPER}/check?id={}", made["ids"][1])).await;
    assert_eq!(check.data()["problems"], json!(["B卷与A卷重复题10%，超过上限0%"]));
}

#[tokio::test]
async fn a_copy_and_another_variant_are_drafts_of_their_own() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server, "homework").await;
    let ids = choices(&admin, bank, 4, None, "单选").await;
    let id = approved(&admin, course, &ids[..2]).await;
    let copy = admin.put(&format!("{PAPER}/copy"), json!({ "id": id, "mode": "copy" })).await.id();
    let data = admin.get(&format!("{PAPER}/view?id={copy}")).await.data().clone();
    assert_eq!(
        (&data["name"], &data["familyId"], &data["questionCount"]),
        (&json!("期末试卷（副本）"), &json!(copy), &json!(2))
    );
    let other = admin.put(&format!("{PAPER}/copy"), json!({ "id": id, "mode": "variant" })).await.id();
    let data = admin.get(&format!("{PAPER}/view?id={other}")).await.data().clone();
    assert_eq!((&data["variant"], &data["familyId"]), (&json!("B"), &json!(id)));
    let common: i64 = server
        .one(&format!(
            "select count(*) from school_1.paper_question a join school_1.paper_question b using (question_id)
             where a.paper_id = {id} and b.paper_id = {other}"
        ))
        .await;
    assert_eq!(common, 0, "every question has another like it");
    let exported = admin.post(&format!("{PAPER}/export"), json!({})).await;
    assert_eq!(texts(&exported.bytes).len(), 4, "a heading and three papers");
    let word = admin.post(&format!("{PAPER}/export"), json!({ "format": "word", "id": id, "withAnswer": true })).await;
    assert!(word.bytes.starts_with(b"PK"), "{}", word.body);
}

#[tokio::test]
async fn answers_of_an_examination_paper_are_printed_for_some_alone() {
    let server = Server::start().await;
    let (admin, course, bank) = started(&server, "exam").await;
    let ids = choices(&admin, bank, 1, None, "单选").await;
    let id = paper(&admin, course, "exam", 2.0).await;
    compose(&admin, id, &ids).await;
    let teacher = server.staff(1, &["exam:pc:exam:info:view", "exam:pc:exam:info:print"]).await;
    let detail = teacher.get(&format!("{PAPER}/detail?id={id}")).await;
    let data = detail.data();
    assert_eq!((&data["answerVisible"], &data["sections"][0]["questions"][0]["answer"]), (&json!(false), &Value::Null));
    let refused = teacher.get(&format!("{PAPER}/print?id={id}&withAnswer=true")).await;
    assert_eq!(refused.code(), 403);
    let printed = admin.bare(Method::GET, &format!("{PAPER}/print?id={id}&withAnswer=true")).await;
    assert!(printed.bytes.starts_with(b"%PDF"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.paper_snapshot").await, 0, "a draft is not frozen");
}
