//! Scores of theses and practical work: the scenarios of part 04 §8.2 with their worked numbers.

use kit::{
    Answer, Client, Server,
    accounts::all_school_codes,
    clients,
    cohort::registrar,
    fields,
    files::paper,
    lessons::{Lessons, lessons, with},
    scores::{ACHIEVEMENT, CORRECTION},
    sheets::{XLSX, import, row_errors, sheet},
};
use poem::http::Method;
use serde_json::{Value, json};

const GRADE: &str = "/adult/pc/graduation/score";
const PRACTICE: &str = "/adult/pc/practice";
const THESIS: &str = "/adult/pc/thesis";

async fn colleague(server: &Server) -> Client<'_> {
    let codes = all_school_codes();
    server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await
}

/// A thesis course of six credits in which so many have defended; advised by the first teacher.
async fn defended(server: &Server, admin: &Client<'_>, people: [i64; 2]) -> Lessons {
    let taught = lessons(server, admin, people).await;
    server.run(&format!("update school_1.course set kind = 'thesis' where id = {}", taught.course)).await;
    server.run(&format!("update school_1.course_opening set credits = 6 where id = {}", taught.opening)).await;
    let form = json!({ "code": "LW1", "name": "毕业论文", "semesterId": taught.spring, "topicMode": "both",
        "selectMode": "first_come", "requireProposal": false, "adviserQuota": 20, "similarityLimit": 30.0,
        "similarityAttempts": 2, "defenseMode": "onsite", "minReviewers": 1 });
    let plan = admin.post(&format!("{THESIS}/plan/save"), form).await.id();
    let active = json!({ "id": plan, "status": "active", "version": 1 });
    admin.put(&format!("{THESIS}/plan/update/status"), active).await.data();
    admin.post(&format!("{THESIS}/generate"), json!({ "planId": plan })).await.data();
    server
        .run(&format!(
            "update school_1.thesis set stage = 'defense', stage_status = 'passed', title = '成本控制研究', adviser_id = {}",
            taught.teachers[0]
        ))
        .await;
    taught
}

async fn rows(client: &Client<'_>) -> Vec<Value> {
    let listed = client.post(&format!("{GRADE}/list"), json!({})).await;
    let mut rows = listed.data()["list"].as_array().expect("rows").clone();
    rows.sort_by_key(|row| row["studentNo"].to_string());
    rows
}

async fn seen(client: &Client<'_>, id: &Value) -> Value {
    client.get(&format!("{GRADE}/view?id={id}")).await.data().clone()
}

async fn enter(client: &Client<'_>, id: &Value, part: &str, more: Value) -> Answer {
    let version = seen(client, id).await["version"].clone();
    client.put(&format!("{GRADE}/edit{part}"), with(json!({ "id": id, "version": version }), more)).await
}

/// All three parts of a student.
async fn parts(client: &Client<'_>, id: &Value, [thesis, review, defense]: [f64; 3]) {
    for (part, score) in [("Thesis", thesis), ("Review", review), ("Defense", defense)] {
        enter(client, id, part, json!({ "score": score })).await.data();
    }
}

async fn step(client: &Client<'_>, name: &str, ids: &[&Value], more: Value) -> Answer {
    let mut items = Vec::new();
    for id in ids {
        items.push(json!({ "id": id, "version": seen(client, id).await["version"] }));
    }
    client.put(&format!("{GRADE}/{name}"), with(json!({ "items": items }), more)).await
}

fn told(answer: &Answer) -> Value {
    answer.data()["failed"][0]["msg"].clone()
}

/// Scenarios 1, 3 and 5: weighed, vetoed below a floor, reviewed by somebody else, and then the score of the course.
#[tokio::test]
async fn parts_come_to_a_total_that_is_published() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    defended(&server, &admin, [2, 0]).await;
    let listed = rows(&admin).await;
    let (first, second) = (&listed[0]["id"], &listed[1]["id"]);
    assert_eq!((&listed[0]["status"], &listed[0]["version"]), (&json!("pending"), &json!(0)));
    parts(&admin, first, [82.0, 75.0, 70.0]).await;
    parts(&admin, second, [82.0, 75.0, 55.0]).await;
    let one = seen(&admin, first).await;
    assert_eq!((&one["total"], &one["gradeWord"], &one["veto"]), (&json!(76.0), &json!("中等"), &json!(null)));
    let other = seen(&admin, second).await;
    assert_eq!(
        (&other["total"], &other["gradeWord"], &other["veto"]),
        (&json!(59.0), &json!("不及格"), &json!("答辩成绩低于60分"))
    );
    // A rule that changed since is the one by which it is submitted.
    let floor = |least: i32| {
        format!(
            "update school_1.score_rule set params = jsonb_set(params, '{{floors,defense}}', '{least}') where kind = 'graduation_total'"
        )
    };
    server.run(&floor(50)).await;
    assert_eq!(step(&admin, "submit", &[second], json!({})).await.data()["done"], json!(1));
    assert_eq!(
        (&seen(&admin, second).await["total"], &seen(&admin, second).await["veto"]),
        (&json!(70.0), &json!(null))
    );
    let other_person = colleague(&server).await;
    step(&other_person, "reject", &[second], json!({ "reason": "规则恢复" })).await.data();
    enter(&other_person, first, "Review", json!({ "score": 75.0 })).await.data();
    server.run(&floor(60)).await;
    let stale = json!({ "id": first, "version": 0, "score": 90.0 });
    assert_eq!(admin.put(&format!("{GRADE}/editThesis"), stale).await.code(), 409);
    assert_eq!(step(&admin, "submit", &[first, second], json!({})).await.data()["done"], json!(2));
    let late = enter(&admin, first, "Thesis", json!({ "score": 90.0 })).await;
    assert_eq!(late.refused(), (409, "成绩已提交，请先退回"));
    assert_eq!(told(&step(&admin, "review", &[first], json!({})).await), json!("不能审核自己提交的成绩"));
    assert_eq!(told(&step(&other_person, "review", &[first], json!({})).await), json!("不能审核自己录入的成绩"));
    let reviewer = colleague(&server).await;
    let back = step(&reviewer, "reject", &[first], json!({ "reason": "核对评阅表" })).await;
    assert_eq!(back.data()["done"], json!(1));
    step(&admin, "submit", &[first], json!({})).await.data();
    assert_eq!(step(&reviewer, "review", &[first, second], json!({})).await.data()["done"], json!(2));
    // What was submitted is judged and explained by the rule of then.
    let explained = seen(&admin, first).await["formulaSummary"].clone();
    server
        .run(
            r#"update school_1.score_rule
               set params = jsonb_set(params, '{weights}', '{"internship":10,"thesis":30,"review":20,"defense":40}')
               where kind = 'graduation_total'"#,
        )
        .await;
    let kept = seen(&admin, first).await;
    assert_eq!((&kept["formulaSummary"], &kept["missing"]), (&explained, &json!([])), "{kept}");
    let out = step(&reviewer, "publish", &[first, second], json!({})).await;
    assert_eq!(out.data()["done"], json!(2), "{}", out.body);
    let scores = admin.post(&format!("{ACHIEVEMENT}/list"), json!({ "dimension": "score" })).await.data().clone();
    let of = |student: &Value| {
        let list = scores["list"].as_array().expect("scores");
        list.iter().find(|row| row["studentNo"] == student["studentNo"]).expect("a score").clone()
    };
    let passed = of(&listed[0]);
    assert_eq!((&passed["total"], &passed["credits"]), (&json!(76.0), &json!(6.0)), "{passed}");
    let ended: String =
        server.one(&format!("select status || ' ' || passed from school_1.course_selection where id = {first}")).await;
    assert_eq!(ended, "completed true");
    let theses: Vec<String> = vec![
        server.one(&format!("select status from school_1.thesis where selection_id = {first}")).await,
        server.one(&format!("select status from school_1.thesis where selection_id = {second}")).await,
    ];
    assert_eq!(theses, ["finished", "failed"]);
    assert_eq!(step(&reviewer, "lock", &[first], json!({})).await.data()["done"], json!(1));
    let locked = enter(&admin, first, "Thesis", json!({ "score": 90.0 })).await;
    assert_eq!(locked.refused(), (409, "成绩已发布，请走成绩更正"));
    // What was published is corrected part by part, by another person, and counted by the rule of then.
    let held = async |id: &Value| -> (String, String, String) {
        let text = |what: &str| format!("select {what} where c.id = {id}");
        let of = "from school_1.course_selection c join school_1.graduation_score g on g.selection_id = c.id
            join school_1.course_score s on s.selection_id = c.id join school_1.thesis t on t.selection_id = c.id";
        (
            server
                .one(&text(&format!("s.display_text || ' ' || s.total::text || ' ' || s.earned_credits::text {of}")))
                .await,
            server.one(&text(&format!("g.total::text || ' ' || g.grade_word || coalesce(g.veto, '') {of}"))).await,
            server.one(&text(&format!("t.status || ' ' || c.passed::text {of}"))).await,
        )
    };
    let correct = async |score: &Value, more: Value| {
        let form = with(
            json!({ "courseScoreId": score["id"], "reasonType": "entry_error", "reason": "答辩记录表登记有误",
                "fileKeys": [paper(&admin, "答辩记录表.pdf").await] }),
            more,
        );
        admin.post(&format!("{CORRECTION}/save"), form).await
    };
    let failed = of(&listed[1]);
    let no_exam = correct(&failed, json!({ "target": "exam", "newValue": 80.0 })).await;
    assert_eq!(fields(&no_exam), ["target: 毕业论文的成绩由各组成项计算，请更正组成项"]);
    let part = json!({ "target": "component", "componentKind": "study", "newValue": 80.0 });
    assert_eq!(fields(&correct(&failed, part).await), ["componentKind: 毕业论文没有学习成绩"]);
    let part = json!({ "target": "component", "componentKind": "defense", "newValue": 70.0 });
    let made = correct(&failed, part).await.id();
    let decide = json!({ "id": made, "pass": true, "version": 1 });
    assert_eq!(admin.put(&format!("{CORRECTION}/audit"), decide.clone()).await.code(), 409, "one's own");
    reviewer.put(&format!("{CORRECTION}/audit"), decide).await.data();
    let text = |one: &str, two: &str, three: &str| (one.to_owned(), two.to_owned(), three.to_owned());
    assert_eq!(held(second).await, text("中等 76.0 6.0", "76.0 中等", "finished true"));
    let explained = admin.get(&format!("{ACHIEVEMENT}/explain?courseScoreId={}", failed["id"])).await.data().clone();
    assert_eq!((&explained["examSummary"], explained["parts"].as_array().map(Vec::len)), (&json!(null), Some(4)));
    let cheated = correct(&passed, json!({ "target": "mark", "newMark": "cheating" })).await.id();
    reviewer.put(&format!("{CORRECTION}/audit"), json!({ "id": cheated, "pass": true, "version": 1 })).await.data();
    assert_eq!(held(first).await, text("作弊 0.0 0.0", "0.0 作弊作弊", "failed false"), "locked, too");
    let cleared = correct(&passed, json!({ "target": "mark", "newMark": "normal" })).await.id();
    reviewer.put(&format!("{CORRECTION}/audit"), json!({ "id": cleared, "pass": true, "version": 1 })).await.data();
    assert_eq!(held(first).await, text("中等 76.0 6.0", "76.0 中等", "finished true"));
    let printed = admin.post(&format!("{GRADE}/print/grade"), json!({ "ids": [first] })).await;
    assert_eq!(printed.status, 200);
    assert_eq!(admin.post(&format!("{GRADE}/print/other"), json!({ "ids": [first] })).await.code(), 404);
}

/// Scenario 2: nothing is published as long as a part is missing; too many excellent ones are confirmed.
#[tokio::test]
async fn missing_parts_and_many_excellent_hold_it_up() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    defended(&server, &admin, [3, 0]).await;
    let listed = rows(&admin).await;
    let ids: Vec<&Value> = listed.iter().map(|row| &row["id"]).collect();
    for id in &ids {
        enter(&admin, id, "Thesis", json!({ "score": 95.0 })).await.data();
        enter(&admin, id, "Review", json!({ "score": 95.0 })).await.data();
    }
    let lacking = step(&admin, "publish", &ids, json!({})).await;
    assert_eq!(lacking.refused(), (409, "有 3 名学生缺少答辩成绩"));
    // Who has all parts is submitted, the others stay.
    enter(&admin, ids[0], "Defense", json!({ "score": 95.0 })).await.data();
    let partly = step(&admin, "submit", &ids, json!({})).await;
    let left = partly.data()["failed"].as_array().map(Vec::len);
    assert_eq!((&partly.data()["done"], left), (&json!(1), Some(2)), "{}", partly.body);
    assert_eq!(told(&partly), json!("缺少答辩成绩"));
    let computed = admin.post(&format!("{GRADE}/compute"), json!({})).await.data().clone();
    assert_eq!((&computed["done"], computed["left"].as_array().map(Vec::len)), (&json!(0), Some(2)), "{computed}");
    for id in &ids[1..] {
        enter(&admin, id, "Defense", json!({ "score": 95.0 })).await.data();
    }
    assert_eq!(step(&admin, "submit", &ids[1..], json!({})).await.data()["done"], json!(2));
    let reviewer = colleague(&server).await;
    step(&reviewer, "review", &ids, json!({})).await.data();
    let many = step(&reviewer, "publish", &ids, json!({})).await;
    assert_eq!(many.refused(), (409, "优秀率 100%，超过 15%，请确认后发布"));
    let sure = step(&reviewer, "publish", &ids, json!({ "confirmExcellent": true })).await;
    assert_eq!(sure.data()["done"], json!(3), "{}", sure.body);
}

/// §8.2: a thesis that failed ends its course below the line, whatever its parts come to and whatever is missing.
#[tokio::test]
async fn a_failed_thesis_ends_its_course() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    defended(&server, &admin, [2, 0]).await;
    let listed = rows(&admin).await;
    let (first, second) = (&listed[0]["id"], &listed[1]["id"]);
    let fail = async |id: &Value| {
        let failed =
            format!("update school_1.thesis set status = 'failed', stage_status = 'failed' where selection_id = {id}");
        server.run(&failed).await;
    };
    // The one fails with a good total that was reviewed, the other before anybody gave it a score.
    parts(&admin, first, [82.0, 75.0, 70.0]).await;
    step(&admin, "submit", &[first], json!({})).await.data();
    let reviewer = colleague(&server).await;
    step(&reviewer, "review", &[first], json!({})).await.data();
    fail(first).await;
    fail(second).await;
    let good = step(&reviewer, "publish", &[first], json!({})).await;
    assert_eq!(told(&good), json!("论文未通过，总评须重新计算，请退回后再提交"));
    step(&reviewer, "reject", &[first], json!({ "reason": "论文未通过" })).await.data();
    let computed = admin.post(&format!("{GRADE}/compute"), json!({ "ids": [first, second] })).await.data().clone();
    assert_eq!((&computed["done"], &computed["left"]), (&json!(2), &json!([])), "{computed}");
    for (id, total) in [(first, 59.0), (second, 0.0)] {
        let row = seen(&admin, id).await;
        let kept = (&row["total"], &row["gradeWord"], &row["veto"]);
        assert_eq!(kept, (&json!(total), &json!("不及格"), &json!("论文未通过")), "{row}");
    }
    assert_eq!(step(&admin, "submit", &[first, second], json!({})).await.data()["done"], json!(2));
    assert_eq!(step(&reviewer, "review", &[first, second], json!({})).await.data()["done"], json!(2));
    let out = step(&reviewer, "publish", &[first, second], json!({})).await;
    assert_eq!(out.data()["done"], json!(2), "{}", out.body);
    let ended: i64 =
        server.one("select count(*) from school_1.course_selection where status = 'completed' and not passed").await;
    assert_eq!(ended, 2, "both may be taken again");
}

/// What reviews, defences and internships came to is filled in; what somebody entered stays.
#[tokio::test]
async fn parts_are_filled_in_from_where_they_were_given() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = defended(&server, &admin, [1, 0]).await;
    server
        .run(&format!(
            "insert into school_1.thesis_review (thesis_id, reviewer_id, score, opinion, submitted_at, created_by, updated_by)
             select t.id, {}, 75, 'agree', now(), 0, 0 from school_1.thesis t",
            taught.teachers[1]
        ))
        .await;
    let id = rows(&admin).await[0]["id"].clone();
    enter(&admin, &id, "Defense", json!({ "score": 70.0 })).await.data();
    let items = json!({ "items": [{ "code": "topic", "score": 80.0 }, { "code": "content", "score": 85.0 },
        { "code": "format", "score": 80.0 }] });
    assert_eq!(fields(&enter(&admin, &id, "Thesis", items).await), ["items: 请录入“态度”"]);
    let items = json!({ "items": [{ "code": "topic", "score": 80.0 }, { "code": "content", "score": 85.0 },
        { "code": "format", "score": 80.0 }, { "code": "attitude", "score": 80.0 }] });
    enter(&admin, &id, "Thesis", items).await.data();
    let computed = admin.post(&format!("{GRADE}/compute"), json!({ "ids": [id] })).await.data().clone();
    assert_eq!(computed["done"], json!(1), "{computed}");
    let row = seen(&admin, &id).await;
    assert_eq!(
        (&row["thesisScore"], &row["reviewScore"], &row["defenseScore"], &row["total"]),
        (&json!(82.0), &json!(75.0), &json!(70.0), &json!(76.0))
    );
    enter(&admin, &id, "Review", json!({ "score": 60.0 })).await.data();
    // Counted when it was entered: there is nothing left for the trail.
    admin.unlooked(Method::POST, &format!("{GRADE}/compute"), Some(&json!({ "ids": [id] }))).await.data();
    assert_eq!(seen(&admin, &id).await["reviewScore"], json!(60.0), "what was entered stays");
    server.run("update school_1.thesis set stage = 'final', stage_status = 'submitted'").await;
    let early = enter(&admin, &id, "Thesis", json!({ "score": 70.0 })).await;
    assert_eq!(early.refused(), (409, "终稿未通过，不能录入论文成绩"));
}

/// Scenario 4: every row of a sheet or none.
#[tokio::test]
async fn a_sheet_is_imported_whole_or_not_at_all() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    defended(&server, &admin, [2, 0]).await;
    let listed = rows(&admin).await;
    let text = |row: &Value, field: &str| row[field].as_str().expect("text").to_owned();
    let send = async |second: &str| {
        let (one, two) = (text(&listed[0], "studentNo"), text(&listed[1], "studentNo"));
        let name = text(&listed[0], "studentName");
        let file = sheet(&["学号", "姓名", "成绩", "评语"], &[&[&one, &name, "82", "好"], &[&two, second, "75", ""]]);
        let form = [("part", "thesis")];
        let path = format!("{GRADE}/import");
        admin.send_file(Method::POST, &path, &form, ("file", "论文成绩.xlsx", XLSX), &file).await
    };
    let wrong = send("别人").await;
    assert_eq!(row_errors(wrong.data()), ["3 姓名: 姓名与学号不符"]);
    assert_eq!(server.one::<i64>("select count(*) from school_1.graduation_score").await, 0);
    let right = send(&text(&listed[1], "studentName")).await;
    assert_eq!(right.data()["imported"], json!(2), "{}", right.body);
    assert_eq!(rows(&admin).await[0]["thesisScore"], json!(82.0));
    // A major has items of its own: they are columns, too.
    server
        .run(
            r#"insert into school_1.score_rule (kind, major_id, params, created_by, updated_by)
               select 'thesis', min(major_id), '{"items":[{"code":"practice","name":"实践","weight":100}],"itemsRequired":false}', 0, 0
               from school_1.student"#,
        )
        .await;
    let number = text(&listed[0], "studentNo");
    let name = text(&listed[0], "studentName");
    let heads = ["学号", "姓名", "选题", "实践"];
    let foreign = part(&admin, "thesis", &heads, &[&number, &name, "80", ""], true).await;
    assert_eq!(row_errors(foreign.data()), ["2 选题: 该生的评分规则没有此项，请留空"]);
    let own = part(&admin, "thesis", &heads, &[&number, &name, "", "88"], false).await;
    assert_eq!(own.data()["imported"], json!(1), "{}", own.body);
    // A check promises no more than the import does.
    server.run("update school_1.thesis set stage = 'final', stage_status = 'submitted'").await;
    let early = part(&admin, "thesis", &heads, &[&number, &name, "", "90"], true).await;
    assert_eq!(row_errors(early.data()), ["2 学号: 终稿未通过，不能录入论文成绩"]);
}

/// A sheet of one line with a part of a score.
async fn part(client: &Client<'_>, part: &str, heads: &[&str], cells: &[&str], dry: bool) -> Answer {
    let form = [("part", part), ("dryRun", if dry { "true" } else { "false" })];
    let file = ("file", "毕业成绩.xlsx", XLSX);
    client.send_file(Method::POST, &format!("{GRADE}/import"), &form, file, &sheet(heads, &[cells])).await
}

/// Scenario 6: once more, and no oftener.
#[tokio::test]
async fn a_thesis_is_written_twice_at_most() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    defended(&server, &admin, [1, 0]).await;
    let again = async || {
        server
            .run(
                "with old as (
                     update school_1.course_selection set status = 'completed', passed = false, final_score = 50
                     where status = 'selected' returning *),
                 opened as (
                     insert into school_1.course_opening (semester_id, kind, course_id, type_id, nature, credits, hours, lecture_hours,
                         online_hours, practice_hours, self_study_hours, exam_form, assess_mode, teaching_mode, status, opened_at,
                         created_by, updated_by)
                     select o.semester_id, case o.kind when 'plan' then 'extra' else 'retake' end, o.course_id, o.type_id, o.nature, o.credits, o.hours, o.lecture_hours,
                            o.online_hours, o.practice_hours, o.self_study_hours, o.exam_form, o.assess_mode, o.teaching_mode,
                            'opened', now(), 0, 0
                     from school_1.course_opening o where o.id = (select opening_id from old) returning id)
                 insert into school_1.course_selection (student_id, opening_id, semester_id, course_id, class_id, source, attempt_no,
                     status, selected_at, created_by, updated_by)
                 select old.student_id, n.id, old.semester_id, old.course_id, old.class_id, 'retake', old.attempt_no + 1, 'selected',
                        now(), 0, 0
                 from old, opened n",
            )
            .await;
        server.run("update school_1.thesis set status = 'failed' where status = 'active'").await;
        let plan: i64 = server.one("select min(id) from school_1.thesis_plan").await;
        admin.post(&format!("{THESIS}/generate"), json!({ "planId": plan })).await
    };
    assert_eq!(again().await.data()["done"], json!(1));
    assert_eq!(again().await.refused(), (409, "毕业论文最多补做一次"));
}

/// An adviser judges what they advise and nothing else.
#[tokio::test]
async fn an_adviser_judges_their_own_theses() {
    let server = Server::start().await;
    let (admin, t001) = clients::school(&server).await;
    defended(&server, &admin, [1, 0]).await;
    let teacher = clients::signed_in(&server).await;
    let thesis: i64 = server.one("select min(id) from school_1.thesis").await;
    let give =
        |request: &str| json!({ "requestId": request, "thesisId": thesis, "score": 82.0, "comment": "论证充分" });
    assert_eq!(teacher.put("/exam/client/thesis/score", give("request-0001")).await.code(), 404);
    server.run(&format!("update school_1.thesis set adviser_id = {t001}")).await;
    let done = teacher.put("/exam/client/thesis/score", give("request-0002")).await;
    assert_eq!(done.code(), 200, "{}", done.body);
    assert_eq!(rows(&admin).await[0]["thesisScore"], json!(82.0));
}

/// Practical work: written by its student, scored and passed by two people, then the score of its course; or waived.
#[tokio::test]
async fn practical_work_ends_its_course() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let taught = lessons(&server, &admin, [2, 1]).await;
    server.run(&format!("update school_1.course set kind = 'internship' where id = {}", taught.course)).await;
    let listed = admin.post(&format!("{PRACTICE}/list"), json!({})).await.data()["list"].clone();
    assert_eq!(listed.as_array().map(Vec::len), Some(3), "{listed}");
    let own = listed.as_array().expect("rows").iter().find(|row| row["className"] == listed[0]["className"]).cloned();
    let own = own.expect("a row");
    let token = clients::inside(&server, &[own["studentId"].as_i64().expect("a student")]).await.remove(0);
    let student = server.anonymous().with_token(Some(&token));
    let save = |request: &str, version: i32, submit: bool| {
        json!({ "requestId": request, "id": own["id"], "version": version, "unit": "海岸电子", "mentorPhone": "13800001234",
            "submit": submit })
    };
    student.post("/exam/client/internship/save", save("request-0001", 0, true)).await.data();
    let early = student.post("/exam/client/internship/save", save("request-0002", 3, true)).await;
    assert_eq!(early.refused().0, 409, "{}", early.body);
    let seen = async || admin.get(&format!("{PRACTICE}/view?id={}", own["id"])).await.data().clone();
    let row = seen().await;
    assert_eq!((&row["status"], &row["mentorPhone"]), (&json!("submitted"), &json!("138****1234")));
    let edit = |row: &Value, teacher: f64| {
        json!({ "id": own["id"], "version": row["version"], "unit": "海岸电子", "mentorPhone": "138****1234",
            "unitScore": 80.0, "teacherScore": teacher })
    };
    admin.put(&format!("{PRACTICE}/edit"), edit(&row, 90.0)).await.data();
    // Somebody else gives it anew: neither of them passes it.
    let third = colleague(&server).await;
    third.put(&format!("{PRACTICE}/edit"), edit(&seen().await, 90.5)).await.data();
    let waits = student.get("/exam/client/internship/view").await.data()["list"][0].clone();
    for hidden in ["unitScore", "teacherScore", "score", "scoredByName"] {
        assert_eq!(waits[hidden], json!(null), "nobody passed it yet: {waits}");
    }
    let kept: String = server.one("select mentor_phone from school_1.internship").await;
    assert_eq!(kept, "13800001234");
    let step = async |client: &Client<'_>, name: &str, more: Value| {
        let items = json!({ "items": [{ "id": own["id"], "version": seen().await["version"] }] });
        client.put(&format!("{PRACTICE}/{name}"), with(items, more)).await
    };
    for giver in [&admin, &third] {
        assert_eq!(told(&step(giver, "audit", json!({})).await), json!("不能审核自己录入的成绩"));
    }
    let other = colleague(&server).await;
    assert_eq!(step(&other, "reject", json!({ "reason": "请补交鉴定" })).await.data()["done"], json!(1));
    assert_eq!(step(&admin, "submit", json!({})).await.data()["done"], json!(1));
    assert_eq!(step(&other, "audit", json!({})).await.data()["done"], json!(1));
    let score: String = server
        .one(&format!(
            "select total::text || ' ' || passed from school_1.course_score where selection_id = {}",
            own["id"]
        ))
        .await;
    assert_eq!(score, "86.3 true", "40 % of 80 and 60 % of 90.5");
    let told: i64 = server
        .one(
            "select count(*) from school_1.event_outbox where name = 'score_published' and payload::text like '%86.3%'",
        )
        .await;
    assert_eq!(told, 1);
    let of_plan = admin.post(&format!("{PRACTICE}/list"), json!({ "adviserId": taught.teachers[0] })).await;
    assert_eq!(of_plan.data()["totalCount"], json!(0), "nobody of them writes a thesis");
    let view = student.get("/exam/client/internship/view").await.data().clone();
    assert_eq!(view["list"][0]["score"], json!(86.3), "{view}");
    // A wrong mark of the teacher is corrected by another person, and counts where it stands.
    let mark = json!({ "courseScoreId": server.one::<i64>(&format!(
            "select id from school_1.course_score where selection_id = {}", own["id"])).await,
        "target": "component", "componentKind": "teacher", "newValue": 80.5, "reasonType": "entry_error",
        "reason": "教师评分登记有误", "fileKeys": [paper(&admin, "评分表.pdf").await] });
    let correction = admin.post(&format!("{CORRECTION}/save"), mark).await.id();
    let pass = json!({ "id": correction, "pass": true, "version": 1 });
    other.put(&format!("{CORRECTION}/audit"), pass).await.data();
    let scores: String = server
        .one(&format!(
            "select s.total::text || ' ' || i.score::text || ' ' || i.teacher_score::text from school_1.course_score s
             join school_1.internship i on i.selection_id = s.selection_id where s.selection_id = {}",
            own["id"]
        ))
        .await;
    assert_eq!(scores, "80.3 80.3 80.5", "40 % of 80 and 60 % of 80.5");
    // Another one works in what they study.
    let rest = listed.as_array().expect("rows").iter().find(|row| row["id"] != own["id"]).expect("another").clone();
    let waive = json!({ "id": rest["id"], "version": 0, "reason": "在职人员" });
    assert_eq!(fields(&admin.put(&format!("{PRACTICE}/waive"), waive.clone()).await), ["fileKey: 请上传在职证明"]);
    let waive = with(waive, json!({ "fileKey": paper(&admin, "在职证明.pdf").await }));
    admin.put(&format!("{PRACTICE}/waive"), waive).await.data();
    let text: String = server
        .one(&format!(
            "select s.mark || ' ' || s.display_text || ' ' || s.total::text || ' ' || (s.earned_credits = s.credits) || ' '
                    || s.passed || ' ' || coalesce(s.grade_point::text, 'none') || ' ' || c.passed
             from school_1.course_score s join school_1.course_selection c on c.id = s.selection_id where c.id = {}",
            rest["id"]
        ))
        .await;
    assert_eq!(text, "exempt 免修 75.0 true true none true", "with its credits, and in no average");
    let nobody = import(&admin, PRACTICE, &["学号", "姓名", "单位评分"], &[&["000", "无", "80"]]).await;
    assert_eq!(row_errors(nobody.data()), ["2 学号: 学号不存在"]);
}

/// What lies at another class is neither seen nor scored.
#[tokio::test]
async fn scores_lie_where_their_students_are() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = defended(&server, &admin, [1, 1]).await;
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_classes", &[taught.classes[1]]).await;
    assert_eq!(rows(&narrow).await.len(), 1);
    let all = rows(&admin).await;
    let own = rows(&narrow).await[0]["id"].clone();
    let foreign = all.iter().find(|row| row["id"] != own).expect("another").clone();
    assert_eq!(narrow.get(&format!("{GRADE}/view?id={}", foreign["id"])).await.code(), 404);
    let entry = json!({ "id": foreign["id"], "version": 0, "score": 82.0 });
    assert_eq!(narrow.put(&format!("{GRADE}/editThesis"), entry).await.code(), 404);
    let computed = narrow.post(&format!("{GRADE}/compute"), json!({})).await.data().clone();
    assert_eq!(computed["left"].as_array().map(Vec::len), Some(1), "{computed}");
    assert_eq!(narrow.post(&format!("{GRADE}/print/grade"), json!({ "ids": [foreign["id"]] })).await.code(), 404);
    // A sheet tells of a foreign number what it tells of one that is nobody's.
    let number = foreign["studentNo"].as_str().expect("a number");
    let guessed = part(&narrow, "review", &["学号", "姓名", "成绩"], &[number, "猜的", "80"], true).await;
    assert_eq!(row_errors(guessed.data()), ["2 学号: 学号不存在"]);
    let guessed = import(&narrow, PRACTICE, &["学号", "姓名", "单位评分"], &[&[number, "猜的", "80"]]).await;
    assert_eq!(row_errors(guessed.data()), ["2 学号: 学号不存在"]);
    // How many are excellent is counted of those that the publisher sees.
    let (own, foreign) = (&own, &foreign["id"]);
    parts(&admin, foreign, [95.0; 3]).await;
    parts(&admin, own, [70.0; 3]).await;
    assert_eq!(step(&admin, "submit", &[own, foreign], json!({})).await.data()["done"], json!(2));
    let wide = colleague(&server).await;
    step(&wide, "review", &[foreign], json!({})).await.data();
    step(&wide, "publish", &[foreign], json!({ "confirmExcellent": true })).await.data();
    step(&narrow, "review", &[own], json!({})).await.data();
    let out = step(&narrow, "publish", &[own], json!({})).await;
    assert_eq!(out.data()["done"], json!(1), "{}", out.body);
}
