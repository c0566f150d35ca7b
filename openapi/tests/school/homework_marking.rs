//! Marking: the scenarios of part 03 B7 with their worked numbers, and the teachers' client of B10.

use chrono::Duration;
use infra::clock::day_began;
use kit::{
    Client, Server,
    accounts::all_school_codes,
    clients::{self, entered},
    cohort::{Cohort, cohort},
    fields,
    homework::{
        MARKING, OWN, TASKS, approved, html, letter, published, row_of, save, short_answers, start, step, submit, task,
        with,
    },
    jobs::ended,
    openings::{ALLOCATION, SELECTION, opened, plan, publish, selection_item, selection_of, semester},
    plans,
    questions::{bank, choices},
    students::{id_number, save as enter, student},
};
use serde_json::{Value, json};

/// A course whose paper has two choices of 2 points and a short answer of 5, given to so many students.
struct Scene<'s> {
    admin: Client<'s>,
    teacher: i64,
    p: Cohort,
    class: i64,
    opening: i64,
    homework: i64,
    students: Vec<i64>,
}

async fn scene<'s>(server: &'s Server, people: usize, more: Value) -> Scene<'s> {
    scene_of(server, people, 1, more).await
}

/// The same with so many short answers.
async fn scene_of<'s>(server: &'s Server, people: usize, answers: usize, more: Value) -> Scene<'s> {
    let (admin, teacher) = clients::school(server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let course = plans::course(&admin, "A1", 3.0, 54, 14).await;
    let spring = semester(&admin, "2026-1").await;
    admin.put("/adult/pc/semester/setCurrent", json!({ "id": spring })).await.data();
    plan(server, &p, &[(course, "compulsory", 1)]).await;
    let mut students = Vec::new();
    for n in 1..=people {
        let mut body = student(&p, n);
        body["classId"] = json!(class);
        students.push(enter(&admin, body).await);
    }
    let opening = opened(&admin, spring, course).await;
    let marker = json!({ "items": [{ "openingId": opening, "teacherId": teacher, "role": "marker" }] });
    assert_eq!(admin.post(&format!("{ALLOCATION}/save"), marker).await.code(), 200);
    let bank = bank(&admin, course, "ZY", "homework").await;
    let choices = choices(&admin, bank, 2, None, "单选").await;
    let words = short_answers(&admin, bank, answers).await;
    let paper = approved(&admin, course, &choices, &words).await;
    let homework = published(&admin, with(task(server, (spring, course, opening), paper, 600), more)).await;
    Scene { admin, teacher, p, class, opening, homework, students }
}

async fn learner<'s>(server: &'s Server, n: usize) -> Client<'s> {
    entered(server, &format!("26{n:08}"), &format!("Aa@{}", &id_number(n)[12..]), "student").await
}

/// The n-th student hands in two letters and some words; the sheet.
async fn handed_in(server: &Server, scene: &Scene<'_>, n: usize, letters: [&str; 2], words: &str) -> Value {
    let own = learner(server, n).await;
    let row = row_of(&scene.admin, scene.homework, scene.students[n - 1]).await;
    let sheet = start(&own, &row, "r-1").await.data()["sheetId"].clone();
    let mut items = vec![("1", letter(letters[0])), ("2", letter(letters[1]))];
    if !words.is_empty() {
        items.push(("3", html(words)));
    }
    assert_eq!(save(&own, &sheet, 1, &items).await.code(), 200);
    assert_eq!(submit(&own, &sheet, "s-1").await.code(), 200);
    sheet
}

/// Opens a sheet for whoever calls.
async fn open(client: &Client<'_>, sheet: &Value) -> Value {
    let answer = client.get(&format!("{MARKING}/open?sheetId={sheet}")).await;
    assert_eq!(answer.code(), 200, "{}", answer.body);
    answer.data().clone()
}

/// The marks of the third question.
fn marks(paper: &Value, score: Value) -> Value {
    let item =
        paper["items"].as_array().expect("items").iter().find(|item| item["seq"] == json!("3")).expect("the third");
    json!({ "sheetId": paper["sheetId"], "version": paper["version"],
        "items": [{ "itemId": item["itemId"], "score": score, "comment": "要点完整" }] })
}

/// Scenarios 1 and 2, and what a marked sheet comes to.
#[tokio::test]
async fn a_machine_marks_what_it_can_and_a_marker_the_rest() {
    let server = Server::start().await;
    let scene = scene(&server, 2, json!({})).await;
    let admin = &scene.admin;
    let bare = handed_in(&server, &scene, 1, ["A", "B"], "").await;
    let seen = admin.get(&format!("{MARKING}/view?sheetId={bare}")).await.data().clone();
    assert_eq!(
        (&seen["markState"], &seen["objectiveScore"], &seen["totalScore"]),
        (&json!("marked"), &json!(2.0), &json!(2.0)),
        "nothing that a marker has to look at"
    );
    let sheet = handed_in(&server, &scene, 2, ["A", "A"], "价值尺度是货币最基本的职能").await;
    let listed = admin.post(&format!("{MARKING}/list"), json!({ "tab": "pending" })).await.data().clone();
    assert_eq!((&listed["totalCount"], &listed["list"][0]["markerId"]), (&json!(1), &json!(scene.teacher)), "{listed}");
    // The home page counts it, and leads to the same list (01 §11).
    let home = admin.get("/data/pc/dashboard/school").await.data().clone();
    let todo = home["todos"].as_array().expect("todos").iter().find(|todo| todo["key"] == json!("unmarkedHomework"));
    let todo = todo.expect("the work");
    assert_eq!(todo["count"], listed["totalCount"], "{todo}");
    let (_, semester) =
        todo["link"].as_str().expect("a link").split_once("?tab=pending&semesterId=").expect("a filter");
    let behind = json!({ "tab": "pending", "semesterId": semester.parse::<i64>().expect("a number") });
    assert_eq!(admin.post(&format!("{MARKING}/list"), behind).await.data()["totalCount"], todo["count"]);
    let paper = open(admin, &sheet).await;
    assert_eq!((&paper["scoreStep"], &paper["items"][2]["fullScore"]), (&json!(0.5), &json!(5.0)));
    assert_eq!(paper["items"][2]["reference"]["text"], json!("<p>价值尺度</p>"));
    let much = admin.put(&format!("{MARKING}/save"), marks(&paper, json!(5.5))).await;
    assert_eq!(fields(&much), ["items[0].score: 第3题得分应在0–5.0之间"]);
    let none = admin.put(&format!("{MARKING}/submit"), marks(&paper, json!(null))).await;
    assert_eq!(fields(&none), ["items: 第3题未给分"]);
    let mut own = marks(&paper, json!(4.5));
    own["items"][0]["annotations"] =
        json!([{ "kind": "highlight", "anchor": { "start": 0, "end": 4 }, "text": "准确", "color": "#ff0" }]);
    let saved = admin.put(&format!("{MARKING}/save"), own.clone()).await.data().clone();
    assert_eq!(saved["totalScore"], json!(null), "it is not submitted: {saved}");
    let stale = admin.put(&format!("{MARKING}/submit"), own.clone()).await;
    assert_eq!(stale.code(), 409, "{}", stale.body);
    own["version"] = saved["version"].clone();
    let done = admin.put(&format!("{MARKING}/submit"), own).await.data().clone();
    assert_eq!(
        (&done["finished"], &done["totalScore"], &done["nextSheetId"]),
        (&json!(true), &json!(8.5), &json!(null))
    );
    let row = row_of(admin, scene.homework, scene.students[1]).await;
    assert_eq!((&row["finalRaw"], &row["finalScore"]), (&json!(8.5), &json!(94.4)));
    let told: i64 = server.one("select count(*) from school_1.event_outbox where name = 'homework_marked'").await;
    assert_eq!(told, 1);
    let score: String = server
        .one("select payload->'variables'->>'score' from school_1.event_outbox where name = 'homework_marked'")
        .await;
    assert_eq!(score, "截止后公布", "the score waits for the close");
    // A mark that was given is changed, and the trail keeps both.
    let again = open(admin, &sheet).await;
    let changed = admin.put(&format!("{MARKING}/save"), marks(&again, json!(4.0))).await.data().clone();
    assert_eq!(changed["totalScore"], json!(8.0));
    let mut twice = marks(&again, json!(4.0));
    twice["version"] = changed["version"].clone();
    assert_eq!(admin.put(&format!("{MARKING}/submit"), twice).await.data()["finished"], json!(true));
    let told: i64 = server.one("select count(*) from school_1.event_outbox where name = 'homework_marked'").await;
    assert_eq!(told, 1, "who submits it again tells nobody");
    let kept: i64 = server
        .one("select count(*) from school_1.audit_log where entity_type = 'answer_item' and changes::text like '%4.5%' and changes::text like '%4.0%'")
        .await;
    assert_eq!(kept, 1);
}

/// One question of all sheets, one after the other: the queue has those where it still waits for its score.
#[tokio::test]
async fn a_question_is_marked_sheet_by_sheet() {
    let server = Server::start().await;
    let scene = scene(&server, 3, json!({})).await;
    let admin = &scene.admin;
    let first = handed_in(&server, &scene, 1, ["A", "A"], "价值尺度").await;
    let second = handed_in(&server, &scene, 2, ["A", "B"], "流通手段").await;
    handed_in(&server, &scene, 3, ["A", "A"], "").await;
    let paper = open(admin, &first).await;
    let question = |seq: usize| paper["items"][seq - 1]["questionId"].clone();
    let queue = async |question: Value| {
        let wanted = json!({ "homeworkId": scene.homework, "questionId": question, "tab": "pending" });
        let rows = admin.post(&format!("{MARKING}/list"), wanted).await.data()["list"].clone();
        let mut ids: Vec<Value> = rows.as_array().expect("sheets").iter().map(|row| row["id"].clone()).collect();
        ids.sort_by_key(Value::as_i64);
        ids
    };
    assert_eq!(queue(question(1)).await, [] as [Value; 0], "the machine marked it");
    assert_eq!(queue(question(3)).await, [first.clone(), second.clone()], "who left it empty waits for nobody");
    assert_eq!(admin.put(&format!("{MARKING}/submit"), marks(&paper, json!(4.0))).await.code(), 200);
    assert_eq!(queue(question(3)).await, [second]);
}

/// Scenario 3: one has it open, until half an hour after the last save.
#[tokio::test]
async fn a_sheet_is_open_for_one_marker() {
    let server = Server::start().await;
    let scene = scene(&server, 1, json!({})).await;
    let sheet = handed_in(&server, &scene, 1, ["A", "A"], "价值尺度").await;
    let other = kit::cohort::registrar(&server).await;
    let mine = open(&scene.admin, &sheet).await;
    let held = other.get(&format!("{MARKING}/open?sheetId={sheet}")).await;
    assert_eq!(held.code(), 409);
    assert!(held.msg().starts_with("该答卷正由") && held.msg().ends_with("批阅"), "{}", held.body);
    server.app.clock().shift(Duration::minutes(31));
    open(&other, &sheet).await;
    let late = scene.admin.put(&format!("{MARKING}/save"), marks(&mine, json!(4.0))).await;
    assert_eq!(late.code(), 409, "{}", late.body);
    let not_theirs = scene.admin.put(&format!("{MARKING}/release"), json!({ "sheetId": sheet })).await;
    assert_eq!(not_theirs.code(), 409, "what somebody else has open is not let go: {}", not_theirs.body);
    let go = other.put(&format!("{MARKING}/release"), json!({ "sheetId": sheet })).await;
    assert_eq!(go.code(), 200);
    let saved = scene.admin.put(&format!("{MARKING}/save"), marks(&mine, json!(4.0))).await;
    assert_eq!(saved.code(), 200, "nobody has it open any more: {}", saved.body);
}

/// Scenario 4: done again after the close, or counted as it was.
#[tokio::test]
async fn a_sheet_that_is_given_back_is_done_again_or_counts_as_it_did() {
    let server = Server::start().await;
    let scene = scene(&server, 2, json!({})).await;
    let admin = &scene.admin;
    let first = handed_in(&server, &scene, 1, ["A", "B"], "").await;
    let second = handed_in(&server, &scene, 2, ["A", "A"], "").await;
    assert_eq!(step(admin, "close", scene.homework).await.data()["done"], json!(1));
    let now = server.app.clock().now();
    let soon = json!({ "sheetIds": [first], "reason": "请补充", "redoUntil": now + Duration::minutes(30) });
    assert_eq!(fields(&admin.put(&format!("{MARKING}/return"), soon).await), ["redoUntil: 重做截止应至少在1小时之后"]);
    let back = json!({ "sheetIds": [first, second], "reason": "请补充计算过程", "redoUntil": now + Duration::days(2) });
    let given = admin.put(&format!("{MARKING}/return"), back).await;
    assert_eq!(given.data()["done"], json!(2), "{}", given.body);
    assert_eq!(
        row_of(admin, scene.homework, scene.students[0]).await["finalRaw"],
        json!(null),
        "it does not count now"
    );
    // The first does it again although the homework is closed and allows one attempt.
    let own = learner_again(&server, 1).await;
    let row = row_of(admin, scene.homework, scene.students[0]).await;
    let result = own.get(&format!("{OWN}/result?sheetId={first}")).await.data().clone();
    assert_eq!(result["returnReason"], json!("请补充计算过程"), "{result}");
    let keeps = |result: &Value| {
        (&result["answerVisible"], &result["items"][0]["reference"], &result["items"][0]["score"])
            == (&json!(false), &json!(null), &json!(null))
    };
    assert!(keeps(&result), "what was right is told after it was done again: {result}");
    let again = start(&own, &row, "r-2").await;
    assert_eq!(again.data()["attemptNo"], json!(2), "{}", again.body);
    let sheet = again.data()["sheetId"].clone();
    let meanwhile = own.get(&format!("{OWN}/result?sheetId={first}")).await.data().clone();
    assert!(keeps(&meanwhile), "{meanwhile}");
    save(&own, &sheet, 1, &[("1", letter("A")), ("2", letter("A"))]).await.data();
    assert_eq!(submit(&own, &sheet, "s-2").await.data()["state"], json!("marked"));
    assert_eq!(row_of(admin, scene.homework, scene.students[0]).await["finalRaw"], json!(4.0));
    assert_eq!(start(&own, &row, "r-3").await.refused(), (409, "作业已截止"), "only once");
    let result = own.get(&format!("{OWN}/result?sheetId={sheet}")).await.data().clone();
    assert_eq!((&result["answerVisible"], &result["totalScore"]), (&json!(true), &json!(4.0)), "{result}");
    // The second does nothing.
    server.app.clock().shift(Duration::days(2));
    server.when_due("homework.redo", Duration::minutes(11)).await;
    // The session from before is over.
    let admin = &kit::cohort::registrar(&server).await;
    let row = row_of(admin, scene.homework, scene.students[1]).await;
    assert_eq!((&row["state"], &row["finalRaw"]), (&json!("marked"), &json!(4.0)));
}

/// Keys that are shown after marking wait while another attempt may still begin: they would be its answers.
#[tokio::test]
async fn keys_wait_for_the_last_attempt() {
    let server = Server::start().await;
    let scene = scene(&server, 1, json!({ "maxAttempts": 2, "showAnswer": "after_marked" })).await;
    let first = handed_in(&server, &scene, 1, ["A", "B"], "").await;
    let own = learner_again(&server, 1).await;
    let result = async |sheet: &Value| {
        let result = own.get(&format!("{OWN}/result?sheetId={sheet}")).await.data().clone();
        let items = result["items"].as_array().expect("items");
        let hides = ["reference", "score", "autoScore"].map(|field| items.iter().all(|item| item[field].is_null()));
        assert!(hides == [true; 3] || hides == [false; 3], "which choices were right is told with the keys: {result}");
        (result["answerVisible"].clone(), result["totalScore"].clone(), hides[0])
    };
    assert_eq!(result(&first).await, (json!(false), json!(2.0), true));
    let row = row_of(&scene.admin, scene.homework, scene.students[0]).await;
    let second = start(&own, &row, "r-2").await.data()["sheetId"].clone();
    assert_eq!(result(&first).await, (json!(false), json!(2.0), true), "the second is open");
    assert_eq!(save(&own, &second, 1, &[("1", letter("A")), ("2", letter("A"))]).await.code(), 200);
    assert_eq!(submit(&own, &second, "s-2").await.data()["state"], json!("marked"));
    assert_eq!(result(&first).await, (json!(true), json!(2.0), false));
    assert_eq!(result(&second).await, (json!(true), json!(4.0), false));
}

/// The n-th student who signed in before.
async fn learner_again<'s>(server: &'s Server, n: usize) -> Client<'s> {
    let answer = clients::sign_in(server, &format!("26{n:08}"), clients::OWN, "student").await;
    clients::with_token(server, &answer)
}

/// Scenarios 5 and 8, in small: a key from A to B; whoever has a published score keeps what they have.
#[tokio::test]
async fn a_corrected_key_marks_every_sheet_anew() {
    let server = Server::start().await;
    let scene = scene(&server, 4, json!({})).await;
    let admin = &scene.admin;
    for (n, first) in [(1, "A"), (2, "A"), (3, "B"), (4, "A")] {
        handed_in(&server, &scene, n, [first, "A"], "").await;
    }
    let selection = selection_of(admin, scene.students[3], scene.opening).await["id"].as_i64().expect("a number");
    publish(&server, selection, 800, true).await;
    let question: i64 = server
        .one("select q.id from school_1.snapshot_question q join school_1.homework_snapshot s on s.snapshot_id = q.snapshot_id where q.seq = '1'")
        .await;
    let wanted = |dry_run: bool| json!({ "snapshotQuestionId": question, "answer": { "letters": ["B"] }, "reason": "答案有误", "dryRun": dry_run });
    let path = format!("{MARKING}/rejudge");
    let checked = admin.post(&path, wanted(true)).await.data().clone();
    assert_eq!(
        (&checked["changed"], &checked["down"], &checked["up"], &checked["done"]),
        (&json!(3), &json!(2), &json!(1), &json!(0)),
        "{checked}"
    );
    assert_eq!(checked["locked"].as_array().map(Vec::len), Some(1));
    // Whom it would move, and by how much, before it does.
    let mut moved: Vec<(String, f64, f64)> = checked["moved"]
        .as_array()
        .expect("students")
        .iter()
        .map(|one| {
            let score = |field: &str| one[field].as_f64().expect("a score");
            (one["studentNo"].as_str().expect("a number").to_owned(), score("before"), score("after"))
        })
        .collect();
    moved.sort_by(|one, other| one.0.cmp(&other.0));
    let number = |n: usize| format!("26{n:08}");
    assert_eq!(moved, [(number(1), 2.0, 0.0), (number(2), 2.0, 0.0), (number(3), 0.0, 2.0)]);
    assert_eq!(
        row_of(admin, scene.homework, scene.students[0]).await["finalRaw"],
        json!(4.0),
        "a check changes nothing"
    );
    assert_eq!(admin.post(&path, wanted(false)).await.data()["done"], json!(3));
    let mut scores = Vec::new();
    for student in &scene.students {
        scores.push(row_of(admin, scene.homework, *student).await["finalRaw"].clone());
    }
    assert_eq!(scores, [json!(2.0), json!(2.0), json!(4.0), json!(4.0)]);
    // Why: what went in, by which key; who is locked keeps what the former key gave, and the replay says so.
    let why = async |n: usize| {
        let row = row_of(admin, scene.homework, scene.students[n]).await["id"].clone();
        let told = admin.get(&format!("/exam/pc/tasks/student/why?homeworkStudentId={row}")).await;
        assert_eq!(told.code(), 200, "{}", told.body);
        told.data().clone()
    };
    let moved = why(2).await;
    assert_eq!((&moved["agrees"], &moved["finalRaw"], &moved["replayedRaw"]), (&json!(true), &json!(4.0), &json!(4.0)));
    let first = &moved["sheets"][0]["items"][0];
    assert_eq!((&first["keyVersion"], &first["correctedBecause"]), (&json!(2), &json!("答案有误")), "{first}");
    assert_eq!((&first["score"], &first["replayed"], &first["answered"]), (&json!(2.0), &json!(2.0), &json!(true)));
    assert_eq!(moved["steps"][0], json!("第1次：客观分4.0＋主观分0.0＝4.0"), "{moved}");
    let locked = why(3).await;
    assert_eq!(
        (&locked["agrees"], &locked["finalRaw"], &locked["replayedRaw"]),
        (&json!(false), &json!(4.0), &json!(2.0))
    );
    assert!(!locked.to_string().contains("letters"), "keys are told by their version alone");
    let all = json!({ "snapshotQuestionId": question, "fullScore": true, "reason": "题干有误", "dryRun": false });
    assert_eq!(admin.post(&path, all).await.data()["up"], json!(2));
    let locked: String =
        server.one(&format!("select a.id::text from school_1.answer_sheet a join school_1.homework_student s on s.id = a.homework_student_id where s.selection_id = {selection}")).await;
    let locked: Value = json!(locked.parse::<i64>().expect("a number"));
    let paper = open(admin, &locked).await;
    let refused = admin.put(&format!("{MARKING}/save"), marks(&paper, json!(0.0))).await;
    assert_eq!(refused.refused(), (409, "成绩已锁定，不能修改批阅结果"));
    let strange = json!({ "snapshotQuestionId": question, "answer": { "letters": ["C"] }, "reason": "答案有误" });
    assert_eq!(fields(&admin.post(&path, strange).await), ["answer: 新答案与单选题不符，请检查"], "it has two options");
    let wrong = json!({ "snapshotQuestionId": question, "answer": { "value": true }, "reason": "答案有误" });
    assert_eq!(fields(&admin.post(&path, wrong).await), ["answer: 新答案与单选题不符，请检查"]);
}

/// Scenarios 6 and 7, in small.
#[tokio::test]
async fn answers_that_are_alike_are_found_and_judged() {
    let server = Server::start().await;
    let scene = scene(&server, 3, json!({})).await;
    let admin = &scene.admin;
    let own = "货币在商品交换中首先执行价值尺度的职能，它使各种商品的价值能够在量上互相比较。流通手段要求现实的货币，在买卖分离之后，交换的链条可能在任何一个环节上中断。";
    let other = "从教材的案例可以看出，企业在核算成本时必须区分固定费用与变动费用，综上所述，理论的结论应当放到具体的业务当中去检验，不能只停留在概念上。";
    handed_in(&server, &scene, 1, ["A", "A"], own).await;
    handed_in(&server, &scene, 2, ["A", "A"], &format!("{own}以上是我的看法。")).await;
    handed_in(&server, &scene, 3, ["A", "A"], other).await;
    let wanted = json!({ "homeworkId": scene.homework, "threshold": 60 });
    let started = admin.post(&format!("{MARKING}/similarity"), wanted).await.data().clone();
    let job = ended(admin, &started["jobId"]).await;
    assert_eq!(job["message"], json!("发现1对相似答卷"), "{job}");
    let found = admin.post(&format!("{MARKING}/similarity/list"), json!({ "homeworkId": scene.homework })).await;
    let pair = found.data()["list"][0].clone();
    assert_eq!((&pair["percent"], &pair["verdict"]), (&json!(100.0), &json!("open")), "{pair}");
    assert!(!pair["fragments"].as_array().expect("fragments").is_empty());
    let row = row_of(admin, scene.homework, scene.students[0]).await;
    assert_eq!((&row["similarity"], &row["finalRaw"]), (&json!(100.0), &json!(null)), "it changes no score");
    assert_eq!(row_of(admin, scene.homework, scene.students[2]).await["similarity"], json!(0.0));
    let similar = admin.post(&format!("{MARKING}/list"), json!({ "tab": "similar" })).await.data().clone();
    assert_eq!(similar["totalCount"], json!(2));
    let verdict = json!({ "id": pair["id"], "verdict": "confirmed", "note": "段落相同" });
    assert_eq!(admin.put(&format!("{MARKING}/similarity/verdict"), verdict).await.code(), 200);
    // What was judged stays when it is compared again.
    let again =
        admin.post(&format!("{MARKING}/similarity"), json!({ "homeworkId": scene.homework, "threshold": 90 })).await;
    ended(admin, &again.data()["jobId"]).await;
    let found = admin.post(&format!("{MARKING}/similarity/list"), json!({ "verdict": "confirmed" })).await;
    assert_eq!(found.data()["totalCount"], json!(1));
}

/// Another teacher of the school.
async fn second_teacher(server: &Server, scene: &Scene<'_>) -> i64 {
    let organization: i64 = server.one("select organization_id from school_1.teacher limit 1").await;
    let more = json!({ "organizationId": organization, "idCardNo": "119900200002291008", "name": "周明" });
    let second = with(kit::teachers::teacher(1, 2), more);
    scene.admin.post(&format!("{}/save", kit::teachers::TEACHER), second).await.id()
}

/// A sheet that is done again has its own time: a close does not end it.
#[tokio::test]
async fn a_close_leaves_what_is_done_again() {
    let server = Server::start().await;
    let scene = scene(&server, 1, json!({})).await;
    let admin = &scene.admin;
    let first = handed_in(&server, &scene, 1, ["A", "B"], "").await;
    let until = server.app.clock().now() + Duration::days(2);
    let back = json!({ "sheetIds": [first], "reason": "请补充计算过程", "redoUntil": until });
    assert_eq!(admin.put(&format!("{MARKING}/return"), back).await.data()["done"], json!(1));
    let own = learner_again(&server, 1).await;
    let row = row_of(admin, scene.homework, scene.students[0]).await;
    let sheet = start(&own, &row, "r-2").await.data()["sheetId"].clone();
    assert_eq!(step(admin, "close", scene.homework).await.data()["done"], json!(1));
    assert_eq!(row_of(admin, scene.homework, scene.students[0]).await["state"], json!("in_progress"));
    assert_eq!(save(&own, &sheet, 1, &[("1", letter("A")), ("2", letter("A"))]).await.code(), 200);
    assert_eq!(submit(&own, &sheet, "s-2").await.data()["state"], json!("marked"));
    let row = row_of(admin, scene.homework, scene.students[0]).await;
    assert_eq!((&row["finalRaw"], &row["late"]), (&json!(4.0), &json!(false)));
}

/// Whoever left the course has nothing to be marked; back in it they have what they handed in.
#[tokio::test]
async fn sheets_of_who_left_wait_for_nobody() {
    let server = Server::start().await;
    let scene = scene(&server, 1, json!({})).await;
    let admin = &scene.admin;
    let sheet = handed_in(&server, &scene, 1, ["A", "A"], "价值尺度").await;
    let waiting = async || admin.post(&format!("{MARKING}/list"), json!({})).await.data()["totalCount"].clone();
    assert_eq!(waiting().await, json!(1));
    let left = selection_of(admin, scene.students[0], scene.opening).await["id"].clone();
    let drop = json!({ "items": [selection_item(admin, &left).await], "reason": "本人申请" });
    assert_eq!(admin.put(&format!("{SELECTION}/drop"), drop).await.data()["done"], json!(1));
    server.when_due("homework.close", Duration::minutes(11)).await;
    assert_eq!(waiting().await, json!(0));
    let progress = admin.post(&format!("{MARKING}/progress/list"), json!({})).await.data().clone();
    assert_eq!(progress["totalCount"], json!(0), "{progress}");
    let refused = admin.get(&format!("{MARKING}/open?sheetId={sheet}")).await;
    assert_eq!(refused.refused(), (409, "该学生的作业为作废，不能批阅"));
    let again = json!({ "openingIds": [scene.opening], "studentIds": [scene.students[0]] });
    assert_eq!(admin.post(&format!("{SELECTION}/save"), again).await.data()["created"], json!(1));
    server.when_due("homework.close", Duration::minutes(11)).await;
    assert_eq!(waiting().await, json!(1));
    open(admin, &sheet).await;
}

/// Part 03 A7: what was given of what could be given, and how far a question tells the best from the others, from real answers.
#[tokio::test]
async fn a_question_tells_how_it_was_answered() {
    let server = Server::start().await;
    let scene = scene(&server, 2, json!({})).await;
    let admin = &scene.admin;
    let good = handed_in(&server, &scene, 1, ["A", "A"], "").await;
    let bad = handed_in(&server, &scene, 2, ["B", "A"], "").await;
    let ids: Vec<i64> = server
        .one(
            "select array_agg(q.question_id order by q.seq) from school_1.snapshot_question q
             join school_1.homework_snapshot s on s.snapshot_id = q.snapshot_id",
        )
        .await;
    let list = "/exam/pc/exam/problem/list";
    let figures = async |id: i64| {
        let row = admin.post(list, json!({ "ids": [id] })).await.data()["list"][0].clone();
        (row["answerCount"].clone(), row["scoreRate"].clone(), row["discrimination"].clone())
    };
    assert_eq!(figures(ids[0]).await, (json!(0), json!(null), json!(null)), "nobody measured yet");
    server.when_due("homework.measure", Duration::minutes(11)).await;
    let found = async |filter: Value| {
        let rows = admin.post(list, filter).await.data()["list"].clone();
        let mut found: Vec<i64> =
            rows.as_array().expect("questions").iter().filter_map(|row| row["id"].as_i64()).collect();
        found.sort_unstable();
        found
    };
    // So many sheets more of each kind.
    let more = async |from: i32, to: i32| {
        server
            .run(&format!(
                "insert into school_1.answer_sheet (homework_student_id, attempt_no, snapshot_id, started_at, deadline_at, submitted_at,
                     submit_kind, objective_score, subjective_score, total_score, mark_state, created_by, updated_by)
                 select a.homework_student_id, 100 + n, a.snapshot_id, a.started_at, a.deadline_at, a.submitted_at, a.submit_kind,
                        a.objective_score, a.subjective_score, a.total_score, a.mark_state, 0, 0
                 from school_1.answer_sheet a, generate_series({from}, {to}) n where a.id in ({good}, {bad})"
            ))
            .await;
        server
            .run(
                "insert into school_1.answer_item (sheet_id, snapshot_question_id, seq, answer, auto_score, score, mark_state)
                 select c.id, i.snapshot_question_id, i.seq, i.answer, i.auto_score, i.score, i.mark_state
                 from school_1.answer_sheet c
                 join school_1.answer_sheet o on o.homework_student_id = c.homework_student_id and o.attempt_no = 1
                 join school_1.answer_item i on i.sheet_id = o.id
                 where c.attempt_no > 100 and not exists (select from school_1.answer_item x where x.sheet_id = c.id)",
            )
            .await;
        server.when_due("homework.measure", Duration::minutes(3)).await;
    };
    assert_eq!(figures(ids[0]).await, (json!(2), json!(null), json!(null)), "of two it tells what each got");
    assert_eq!(found(json!({ "scoreRateTo": 100.0 })).await, [] as [i64; 0], "nor does the filter tell it");
    more(1, 1).await;
    assert_eq!(figures(ids[0]).await, (json!(4), json!(null), json!(null)));
    more(2, 2).await;
    assert_eq!(figures(ids[0]).await, (json!(6), json!(50.0), json!(null)), "too few to tell people apart");
    assert_eq!(figures(ids[1]).await, (json!(6), json!(100.0), json!(null)));
    more(3, 9).await;
    assert_eq!(figures(ids[0]).await, (json!(20), json!(50.0), json!(1.0)), "who knows more has it right");
    assert_eq!(figures(ids[1]).await, (json!(20), json!(100.0), json!(0.0)), "everybody has it right");
    let view = admin.get(&format!("/exam/pc/exam/problem/view?id={}", ids[0])).await.data().clone();
    assert_eq!((&view["answerCount"], &view["scoreRate"]), (&json!(20), &json!(50.0)));
    assert_eq!(found(json!({ "discriminationTo": 0.2 })).await, [ids[1], ids[2]]);
    assert_eq!(found(json!({ "scoreRateTo": 50.0 })).await, [ids[0], ids[2]]);
    // What became void is not counted any more.
    server.run("update school_1.answer_sheet set mark_state = 'void'").await;
    server.when_due("homework.measure", Duration::minutes(11)).await;
    assert_eq!(figures(ids[0]).await, (json!(0), json!(null), json!(null)));
}

/// Questions are marked by whom they were given to; the sheet stays its marker's. Whoever is late with it is told once a day.
#[tokio::test]
async fn a_question_is_marked_by_whom_it_was_given_to() {
    let server = Server::start().await;
    let due = server.app.clock().now() + Duration::hours(12);
    let scene = scene(&server, 1, json!({ "markDueAt": due })).await;
    let admin = &scene.admin;
    let sheet = handed_in(&server, &scene, 1, ["A", "A"], "价值尺度").await;
    let second = second_teacher(&server, &scene).await;
    let give = |mode: &str, markers: Value| json!({ "homeworkId": scene.homework, "mode": mode, "markers": markers });
    let path = format!("{MARKING}/assign");
    let strange = give("question", json!([{ "teacherId": second, "questionSeqs": ["第三题"] }]));
    assert_eq!(fields(&admin.put(&path, strange).await), ["markers: 题号应为数字，如 3、7.2"]);
    let whole = give("average", json!([{ "teacherId": second }]));
    assert_eq!(admin.put(&path, whole).await.data()["done"], json!(1));
    let part = give("question", json!([{ "teacherId": scene.teacher, "questionSeqs": ["3"] }]));
    assert_eq!(admin.put(&path, part).await.data()["done"], json!(1));
    let clock = server.app.clock();
    let noon = day_began(clock.today() + chrono::Days::new(2)) + Duration::hours(12);
    clock.shift(noon - clock.now());
    for _ in 0..2 {
        server.when_due("homework.close", Duration::minutes(11)).await;
    }
    let told: i64 = server.one("select count(*) from school_1.event_outbox where name = 'marking_overdue'").await;
    assert_eq!(told, 1, "whoever has something to mark is told once a day");
    // The session from before is over.
    let admin = &kit::cohort::registrar(&server).await;
    let progress = admin.post(&format!("{MARKING}/progress/list"), json!({})).await.data()["list"].clone();
    let of = |teacher: i64| {
        let row = progress.as_array().expect("markers").iter().find(|row| row["teacherId"] == json!(teacher));
        let row = row.unwrap_or_else(|| panic!("{progress}"));
        (row["totalCount"].clone(), row["pendingCount"].clone())
    };
    assert_eq!(of(scene.teacher), (json!(1), json!(1)), "the one question is theirs");
    assert_eq!(of(second), (json!(1), json!(0)), "of the sheet nothing else waits");
    let remind = |teacher: i64| json!({ "homeworkId": scene.homework, "teacherIds": [teacher] });
    let told = admin.post(&format!("{MARKING}/remind"), remind(scene.teacher)).await;
    assert_eq!(told.data()["told"], json!(1), "{}", told.body);
    assert_eq!(admin.post(&format!("{MARKING}/remind"), remind(second)).await.code(), 409);
    let teacher = clients::signed_in(&server).await;
    let own = "/exam/client/marking";
    let mut paper = teacher.get(&format!("{own}/open?sheetId={sheet}")).await.data().clone();
    let saved = teacher.put(&format!("{own}/save"), marks(&paper, json!(3.0))).await.data().clone();
    let told = admin.post(&format!("{MARKING}/remind"), remind(second)).await;
    assert_eq!(told.data()["told"], json!(1), "it has all its scores, but nobody submitted them: {}", told.body);
    paper["version"] = saved["version"].clone();
    let done = teacher.put(&format!("{own}/submit"), marks(&paper, json!(3.0))).await.data().clone();
    assert_eq!((&done["finished"], &done["totalScore"]), (&json!(true), &json!(7.0)), "{done}");
    let of: i64 = server.one(&format!("select marker_id from school_1.answer_sheet where id = {sheet}")).await;
    assert_eq!(of, second);
}

/// Whoever was given a question writes no words to another's, and gives the sheet back only when it is theirs.
#[tokio::test]
async fn a_part_of_a_sheet_is_not_the_rest() {
    let server = Server::start().await;
    let scene = scene_of(&server, 1, 2, json!({})).await;
    let admin = &scene.admin;
    let own = learner(&server, 1).await;
    let row = row_of(admin, scene.homework, scene.students[0]).await;
    let sheet = start(&own, &row, "r-1").await.data()["sheetId"].clone();
    let items = [("1", letter("A")), ("2", letter("A")), ("3", html("价值尺度")), ("4", html("流通手段"))];
    assert_eq!(save(&own, &sheet, 1, &items).await.code(), 200);
    assert_eq!(submit(&own, &sheet, "s-1").await.code(), 200);
    let second = second_teacher(&server, &scene).await;
    let give = async |mode: &str, teacher: i64, seqs: Value| {
        let markers = json!([{ "teacherId": teacher, "questionSeqs": seqs }]);
        let wanted = json!({ "sheetIds": [sheet], "mode": mode, "markers": markers });
        let given = admin.put(&format!("{MARKING}/assign"), wanted).await;
        assert_eq!(given.data()["done"], json!(1), "{}", given.body);
    };
    give("average", second, json!([])).await;
    give("question", scene.teacher, json!(["3"])).await;
    let teacher = clients::signed_in(&server).await;
    let path = "/exam/client/marking";
    let words = async |seq: &str, words: &str| {
        let paper = teacher.get(&format!("{path}/open?sheetId={sheet}")).await.data().clone();
        let items = paper["items"].as_array().expect("items");
        let item = items.iter().find(|item| item["seq"] == json!(seq)).expect("the question");
        let item = json!({ "itemId": item["itemId"], "score": item["score"], "comment": words });
        let marks = json!({ "sheetId": sheet, "version": paper["version"], "items": [item] });
        teacher.put(&format!("{path}/save"), marks).await
    };
    for seq in ["1", "4"] {
        let refused = words(seq, "同意").await;
        assert_eq!(fields(&refused), [format!("items[0].comment: 第{seq}题由其他教师批阅")]);
    }
    assert_eq!(words("3", "要点完整").await.code(), 200, "their own");
    let back = async |client: &Client<'_>, path: &str| {
        let until = server.app.clock().now() + Duration::days(1);
        let wanted = json!({ "sheetIds": [sheet], "reason": "请补充", "redoUntil": until });
        client.put(&format!("{path}/return"), wanted).await
    };
    // An account that is this teacher is held to the part in the console too.
    let bound = format!("update platform.sys_user_school set teacher_id = {} where school_id = 1", scene.teacher);
    server.run(&bound).await;
    for (client, path) in [(&teacher, path), (admin, MARKING)] {
        let refused = back(client, path).await;
        assert_eq!(
            (&refused.data()["done"], &refused.data()["failed"][0]["msg"]),
            (&json!(0), &json!("该答卷还有由其他教师批阅的题目，请联系教师“周明”或教务人员退回")),
            "{}",
            refused.body
        );
    }
    // Whose the sheet is gives it back, also when a part of it was given to another.
    give("average", scene.teacher, json!([])).await;
    give("question", second, json!(["4"])).await;
    let given = back(&teacher, path).await;
    assert_eq!(given.data()["done"], json!(1), "{}", given.body);
}

/// Scenario 9, and sheets that are given to somebody.
#[tokio::test]
async fn a_marker_of_a_class_sees_its_sheets() {
    let server = Server::start().await;
    let scene = scene(&server, 2, json!({})).await;
    let other = scene.admin.post("/adult/pc/class/save", scene.p.class("C2")).await.id();
    let moved = scene.students[1];
    server.run(&format!("update school_1.student set class_id = {other} where id = {moved}")).await;
    server.run(&format!("update school_1.course_selection set class_id = {other} where student_id = {moved}")).await;
    let sheet = handed_in(&server, &scene, 1, ["A", "A"], "价值尺度").await;
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let own = server.staff_within(1, &codes, "named_classes", &[scene.class]).await;
    let foreign = server.staff_within(1, &codes, "named_classes", &[other]).await;
    let count = async |client: &Client<'_>| {
        client.post(&format!("{MARKING}/list"), json!({})).await.data()["totalCount"].clone()
    };
    assert_eq!((count(&own).await, count(&foreign).await), (json!(1), json!(0)));
    // By words, as over all schools.
    let students = format!("{TASKS}/student/list");
    for (asked, sheets, works) in [
        (json!({ "classText": "c1" }), 1, 1),
        (json!({ "classText": "c2" }), 0, 1),
        (json!({ "siteText": "城东", "majorText": "会计", "gradeText": "2026" }), 1, 2),
        (json!({ "homeworkText": "没有这样的作业" }), 0, 0),
    ] {
        let marking = scene.admin.post(&format!("{MARKING}/list"), asked.clone()).await;
        assert_eq!(marking.data()["totalCount"], json!(sheets), "{asked}: {}", marking.body);
        let listed = scene.admin.post(&students, asked.clone()).await;
        assert_eq!(listed.data()["totalCount"], json!(works), "{asked}: {}", listed.body);
    }
    let openings = scene.admin.post("/adult/pc/courseOpening/list", json!({})).await;
    assert_eq!(openings.data()["list"][0]["homeworkCount"], json!(1));
    assert_eq!(foreign.get(&format!("{MARKING}/open?sheetId={sheet}")).await.code(), 404);
    open(&own, &sheet).await;
    let second = second_teacher(&server, &scene).await;
    let assign = json!({ "homeworkId": scene.homework, "mode": "average", "markers": [{ "teacherId": second }] });
    let given = scene.admin.put(&format!("{MARKING}/assign"), assign).await;
    assert_eq!((&given.data()["done"], &given.data()["left"]), (&json!(1), &json!(0)), "{}", given.body);
    let progress = scene.admin.post(&format!("{MARKING}/progress/list"), json!({})).await.data().clone();
    assert_eq!(
        (&progress["list"][0]["teacherId"], &progress["list"][0]["pendingCount"]),
        (&json!(second), &json!(1)),
        "{progress}"
    );
    let told = json!({ "homeworkId": scene.homework, "teacherIds": [second] });
    let remind = format!("{MARKING}/remind");
    let refused = foreign.post(&remind, told.clone()).await;
    assert_eq!(refused.refused(), (409, "所选教师没有待批阅的答卷"), "who has sheets of other classes is not told");
    assert_eq!(scene.admin.post(&remind, told).await.data()["told"], json!(1));
    let names: Vec<String> =
        server.one("select array_agg(name order by id) from school_1.event_outbox where name like '%marking%'").await;
    assert_eq!(names, ["homework_marking_remind"], "nothing is late before its time is over");
    // Of a homework that both classes have nobody is told the other class, nor who marks it.
    let form = scene.admin.get(&format!("{TASKS}/view?id={}", scene.homework)).await.data()["form"].clone();
    let target = |class: i64| json!({ "openingId": scene.opening, "classId": class });
    let marker = |teacher: i64, class: i64| json!({ "teacherId": teacher, "classId": class });
    let both = json!({ "title": "按班级布置", "targets": [target(scene.class), target(other)],
        "markers": [marker(scene.teacher, scene.class), marker(second, other)] });
    let both = scene.admin.post(&format!("{TASKS}/save"), with(form, both)).await.id();
    for (client, class, marks, seen) in [
        (&own, scene.class, scene.teacher, 1),
        (&foreign, other, second, 1),
        (&scene.admin, scene.class, scene.teacher, 2),
    ] {
        let view = client.get(&format!("{TASKS}/view?id={both}")).await.data().clone();
        let (targets, markers) =
            (view["targets"].as_array().expect("targets"), view["markers"].as_array().expect("markers"));
        assert_eq!((targets.len(), markers.len()), (seen, seen), "{view}");
        assert_eq!((&targets[0]["classId"], &markers[0]["teacherId"]), (&json!(class), &json!(marks)));
    }
    // Whoever has sheets to mark is not taken off them.
    let marker: i64 =
        server.one(&format!("select id from school_1.course_allocation where teacher_id = {}", scene.teacher)).await;
    server.run(&format!("update school_1.answer_sheet set marker_id = {}", scene.teacher)).await;
    let kept = scene.admin.delete(&format!("{ALLOCATION}/delete?id={marker}")).await;
    assert_eq!(kept.refused(), (409, "该教师还有1份待批答卷，请先转交"));
}

/// B10: teachers mark what was given to them, by the same rules.
#[tokio::test]
async fn a_teacher_marks_in_their_client() {
    let server = Server::start().await;
    let scene = scene(&server, 2, json!({})).await;
    let sheet = handed_in(&server, &scene, 1, ["A", "A"], "价值尺度").await;
    let foreign = handed_in(&server, &scene, 2, ["A", "A"], "流通手段").await;
    server.run(&format!("update school_1.answer_sheet set marker_id = null where id = {foreign}")).await;
    let teacher = clients::signed_in(&server).await;
    let path = "/exam/client/marking";
    let listed = teacher.post(&format!("{path}/list"), json!({})).await.data().clone();
    assert_eq!((&listed["totalCount"], &listed["list"][0]["id"]), (&json!(1), &sheet), "{listed}");
    assert_eq!(teacher.get(&format!("{path}/open?sheetId={foreign}")).await.code(), 404);
    server
        .run(&format!(
            "insert into school_1.answer_similarity (sheet_a, sheet_b, seq_a, seq_b, percent, created_by, updated_by)
             values ({sheet}, {foreign}, '3', '3', 87.5, 0, 0)"
        ))
        .await;
    let paper = teacher.get(&format!("{path}/open?sheetId={sheet}")).await.data().clone();
    let like = &paper["similar"][0];
    assert_eq!((&like["sheetId"], &like["percent"]), (&foreign, &json!(87.5)), "{paper}");
    assert_eq!((&like["name"], &like["studentNo"]), (&json!("其他班级学生"), &json!(null)), "it was not given to them");
    let whole = scene.admin.get(&format!("{MARKING}/view?sheetId={sheet}")).await.data().clone();
    assert_eq!(whole["similar"][0]["studentNo"], json!(format!("26{:08}", 2)));
    let held = scene.admin.get(&format!("{MARKING}/open?sheetId={sheet}")).await;
    assert_eq!(held.code(), 409, "the teacher has it open: {}", held.body);
    // Staff who look for the teacher mark nothing (B10).
    let staff = server.staff(1, &["user:pc:teacher:oneClickLogin", "user:pc:teacher:oneClickLogin:write"]).await;
    let entry =
        format!("/user/pc/teacher/oneClickLogin?id={}&reason=%E6%A0%B8%E5%AF%B9%E8%AF%BE%E7%A8%8B", scene.teacher);
    let inside = clients::with_token(&server, &staff.get(&entry).await);
    assert_eq!(inside.post(&format!("{path}/list"), json!({})).await.code(), 200);
    let refused = (403, "代登录只能查看，不能代为学习、作答或批阅");
    assert_eq!(inside.get(&format!("{path}/open?sheetId={sheet}")).await.refused(), refused);
    assert_eq!(inside.put(&format!("{path}/submit"), marks(&paper, json!(3.0))).await.refused(), refused);
    let saved = teacher.put(&format!("{path}/save"), marks(&paper, json!(3.0))).await.data().clone();
    let mut last = marks(&paper, json!(3.5));
    last["version"] = saved["version"].clone();
    let done = teacher.put(&format!("{path}/submit"), last).await.data().clone();
    assert_eq!((&done["totalScore"], &done["nextSheetId"]), (&json!(7.5), &json!(null)), "{done}");
    let by: i64 = server
        .one(&format!("select marked_by_teacher_id from school_1.answer_item where sheet_id = {sheet} and seq = '3'"))
        .await;
    assert_eq!(by, scene.teacher);
    let until = server.app.clock().now() + Duration::days(1);
    let back = json!({ "sheetIds": [sheet], "reason": "请补充", "redoUntil": until });
    assert_eq!(teacher.put(&format!("{path}/return"), back).await.data()["done"], json!(1));
    let seen = scene.admin.post(&format!("{TASKS}/student/list"), json!({ "state": "returned" })).await.data().clone();
    assert_eq!(seen["totalCount"], json!(1));
}
