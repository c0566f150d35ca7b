//! Exams of the operators' site: questions, versions and their audit, attempts and marks (part 01 §9.7).

use chrono::TimeDelta;
use kit::{
    Answer, Client, Server,
    accounts::operator_with,
    fields,
    imports::taken_back,
    learners::{EXT, entered},
    quizzes::{
        AUDIT, CATEGORY, EXAM, OWN, PROBLEM, RECOMMEND, RECORD, SECRET, answers, blank, category, choice, content,
        edit, exam, problem, problems, record_of, save, shown, start, submit, with,
    },
    sheets::{XLSX, row_errors, sheet, texts},
};
use serde_json::{Value, json};

const FIRST: &str = "13900000071";
const SECOND: &str = "13900000072";

async fn seen(operator: &Client<'_>, exam: i64) -> Value {
    operator.get(&format!("{EXAM}/view?id={exam}")).await.data().clone()
}

async fn record(operator: &Client<'_>, id: i64) -> Value {
    operator.get(&format!("{RECORD}/view?id={id}")).await.data().clone()
}

async fn mark(operator: &Client<'_>, id: i64, items: Value) -> Answer {
    let version = record(operator, id).await["version"].clone();
    operator.put(&format!("{RECORD}/mark"), json!({ "id": id, "version": version, "items": items })).await
}

/// 01 §9.10 Exams (1) and (2).
#[tokio::test]
async fn scores_come_to_the_total_and_nobody_needs_more() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let [first, second, third] = problems(&operator).await;
    let sheet = |scores: [f64; 3], pass: f64| {
        content("模拟卷", 100.0, pass, &[(first, scores[0]), (second, scores[1]), (third, scores[2])])
    };
    let short = save(&operator, sheet([40.0, 40.0, 18.0], 60.0), "publish").await;
    assert_eq!(fields(&short), ["totalScore: 题目分值合计98，与总分100不一致"]);
    let high = save(&operator, sheet([40.0, 40.0, 20.0], 101.0), "publish").await;
    assert_eq!(fields(&high), ["passScore: 及格分不能高于总分"]);
    // A draft is still composed; it is handed in as a whole.
    let draft = save(&operator, sheet([40.0, 40.0, 18.0], 60.0), "draft").await.id();
    let handed = edit(&operator, draft, sheet([40.0, 40.0, 18.0], 60.0), "review").await;
    assert_eq!(fields(&handed), ["totalScore: 题目分值合计98，与总分100不一致"]);
    let view = seen(&operator, draft).await;
    assert_eq!((&view["auditStatus"], &view["problemTotal"]), (&json!("draft"), &json!(3)));
    edit(&operator, draft, sheet([40.0, 40.0, 20.0], 60.0), "publish").await.id();
    let view = seen(&operator, draft).await;
    assert_eq!((&view["auditStatus"], &view["putaway"]), (&json!("approved"), &json!("off")));
    assert_eq!(view["paper"][0]["questions"][1]["answer"]["letters"], json!(["B"]));
    // A question that was switched off is replaced before the exam is handed in again.
    operator.put(&format!("{PROBLEM}/update/status"), json!({ "id": first, "enabled": false })).await.id();
    let again = edit(&operator, draft, sheet([30.0, 50.0, 20.0], 60.0), "publish").await;
    assert_eq!(fields(&again), ["sections: 1题已停用（第1题），请替换后再提交"]);
}

/// 01 §9.10 Exams (3), and several starts at once.
#[tokio::test]
async fn a_third_attempt_of_two_is_refused() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let exam = exam(&operator, "限两次", 2).await;
    let (learner, id) = entered(&server, FIRST).await;
    // Whoever starts several times at once has one attempt, and goes on with it.
    let begun = futures_util::future::join_all((0..6).map(|_| start(&learner, exam))).await;
    let numbers: Vec<i64> = begun.iter().map(record_of).collect();
    assert!(numbers.iter().all(|number| *number == numbers[0]), "{numbers:?}");
    let count: i64 =
        server.one(&format!("select count(*) from platform.online_exam_record where learner_id = {id}")).await;
    assert_eq!(count, 1);
    for attempt in 1..=2 {
        let sheet = start(&learner, exam).await;
        assert_eq!(sheet.data()["attemptNo"], json!(attempt));
        submit(&learner, record_of(&sheet), answers("B", "A", None)).await.data();
    }
    assert_eq!(start(&learner, exam).await.refused(), (409, "考试次数已用完"));
    // Of several that start at once behind the last one none gets through.
    let refused = futures_util::future::join_all((0..4).map(|_| start(&learner, exam))).await;
    assert!(refused.iter().all(|answer| answer.code() == 409));
    let listed = operator.post(&format!("{RECORD}/list"), json!({ "examId": exam })).await;
    assert_eq!(listed.data()["totalCount"], json!(2));
    assert_eq!(listed.data()["list"][0]["phone"], json!("139****0071"));
    assert_eq!(seen(&operator, exam).await["countJoin"], json!(1));
}

/// 01 §9.10 Exams (4), and what a learner may read meanwhile.
#[tokio::test]
async fn an_attempt_keeps_its_questions_and_no_secret_leaves() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let [first, second, third] = problems(&operator).await;
    let before = content("快照", 100.0, 60.0, &[(first, 40.0), (second, 40.0), (third, 20.0)]);
    let exam = shown(&operator, before.clone()).await;
    let (learner, _) = entered(&server, FIRST).await;
    let sheet = start(&learner, exam).await;
    let id = record_of(&sheet);
    let told = sheet.body.to_string();
    assert!(!told.contains(SECRET) && !told.contains("\"answer\"") && !told.contains("analysis"), "{told}");
    assert_eq!(sheet.data()["sections"][0]["questions"][0]["options"][1]["content"], json!("价值尺度"));
    assert_eq!(sheet.data()["totalScore"], json!(100.0));
    assert!((5_390..=5_400).contains(&sheet.data()["remainingSeconds"].as_i64().expect("seconds")));
    // The question, the exam and its pass mark are edited while it runs.
    let asked = operator.get(&format!("{PROBLEM}/view?id={first}")).await;
    let version = asked.data()["version"].clone();
    let category = asked.data()["categoryId"].as_i64().expect("a category");
    let mut turned = choice(category, "货币最基本的职能不是");
    turned["answer"] = json!({ "letters": ["A"] });
    let turned = with(turned, json!({ "id": first, "version": version }));
    operator.put(&format!("{PROBLEM}/edit"), turned).await.id();
    let after = content("快照", 50.0, 50.0, &[(first, 50.0)]);
    edit(&operator, exam, after, "publish").await.id();
    // It goes on as it began, and is marked by its own copy.
    let again = start(&learner, exam).await;
    assert_eq!(record_of(&again), id);
    assert_eq!(again.data()["sections"][0]["questions"].as_array().map(Vec::len), Some(3));
    assert_eq!(again.data()["sections"][0]["questions"][0]["stem"], json!("<p>货币最基本的职能是</p>"));
    let kept = learner
        .post(&format!("{OWN}/save"), json!({ "recordId": id, "answers": answers("B", "B", Some("一篇")) }))
        .await;
    assert_eq!(kept.data()["recordId"], json!(id));
    let done = submit(&learner, id, json!([])).await;
    assert!(!done.body.to_string().contains(SECRET));
    let told = done.data();
    assert_eq!(
        (&told["state"], &told["objectiveScore"], &told["score"], &told["passed"]),
        (&json!("marking"), &json!(80.0), &Value::Null, &Value::Null)
    );
    // Handed in once more it tells the same; nothing is answered any more.
    assert_eq!(submit(&learner, id, answers("A", "A", None)).await.data()["objectiveScore"], json!(80.0));
    let late = learner.post(&format!("{OWN}/save"), json!({ "recordId": id, "answers": [] })).await;
    assert_eq!(late.refused(), (409, "已交卷，不能再修改答案"));
    // The next attempt has what is published now.
    let next = start(&learner, exam).await;
    assert_eq!(next.data()["sections"][0]["questions"][0]["stem"], json!("<p>货币最基本的职能不是</p>"));
    assert_eq!(next.data()["totalScore"], json!(50.0));
}

#[tokio::test]
async fn a_marker_gives_what_no_machine_can() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let exam = exam(&operator, "批改", 0).await;
    let (learner, _) = entered(&server, FIRST).await;
    let id = record_of(&start(&learner, exam).await);
    let doing = mark(&operator, id, json!([])).await;
    assert_eq!(doing.refused(), (409, "学员尚未交卷，不能批改"));
    submit(&learner, id, answers("B", "A", Some("货币有五种职能"))).await.data();
    let open = record(&operator, id).await;
    assert_eq!((&open["state"], &open["marks"][2]["score"]), (&json!("marking"), &Value::Null));
    assert_eq!(open["answers"][2]["answer"]["html"], json!("<p>货币有五种职能</p>"));
    let item = |seq: &str, score: f64| json!([{ "seq": seq, "score": score, "comment": "要点齐全" }]);
    assert_eq!(fields(&mark(&operator, id, json!([])).await), ["items: 第3题未给分"]);
    assert_eq!(fields(&mark(&operator, id, item("3", 20.5)).await), ["items: 第3题的得分应在0到20之间，最多一位小数"]);
    assert_eq!(fields(&mark(&operator, id, item("1", 0.0)).await), ["items: 第1题由系统阅卷，不能修改得分"]);
    mark(&operator, id, item("3", 19.5)).await.id();
    let done = record(&operator, id).await;
    assert_eq!(
        (&done["state"], &done["objectiveScore"], &done["subjectiveScore"], &done["score"], &done["passed"]),
        (&json!("finished"), &json!(40.0), &json!(19.5), &json!(59.5), &json!(false))
    );
    // Half a point more passes.
    mark(&operator, id, item("3", 20.0)).await.id();
    let done = record(&operator, id).await;
    assert_eq!((&done["score"], &done["passed"]), (&json!(60.0), &json!(true)));
    assert!(done["markerName"].is_string(), "{done}");
    let stale = json!({ "id": id, "version": 1, "items": item("3", 1.0) });
    assert_eq!(operator.put(&format!("{RECORD}/mark"), stale).await.code(), 409);
    // Nothing written needs no marker.
    let second = record_of(&start(&learner, exam).await);
    let told = submit(&learner, second, answers("B", "B", None)).await;
    assert_eq!((&told.data()["state"], &told.data()["score"]), (&json!("finished"), &json!(80.0)));
    // Who only reads marks nothing.
    let reader = operator_with(&server, "reader", &["exam:pc:info:record:list", "exam:pc:info:record:view"]).await;
    assert_eq!(mark(&reader, id, item("3", 1.0)).await.code(), 403);
}

/// What was bought, what is somebody else's, and what the site does not show.
#[tokio::test]
async fn who_may_begin_an_exam() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let [first, second, _] = problems(&operator).await;
    let sold = with(
        content("收费卷", 4.0, 2.0, &[(first, 2.0), (second, 2.0)]),
        json!({ "isFree": false, "priceOriginal": 4_900, "priceSale": 2_900 }),
    );
    let id = save(&operator, sold, "publish").await.id();
    let (learner, number) = entered(&server, FIRST).await;
    let hidden = (404, "试卷不存在或未发布");
    assert_eq!(start(&learner, id).await.refused(), hidden);
    operator.put(&format!("{EXAM}/update/putaway"), json!({ "id": id, "putaway": "on" })).await.id();
    assert_eq!(start(&learner, id).await.refused(), (403, "请先购买该试卷"));
    let right = json!({ "id": number, "productType": "exam", "productId": id, "days": 30 });
    operator.post(&format!("{EXT}/grantRight"), right).await.id();
    let view = operator.get(&format!("{EXT}/view?id={number}")).await;
    assert_eq!(view.data()["rights"][0]["productName"], json!("收费卷"));
    let sheet = start(&learner, id).await;
    let own = record_of(&sheet);
    // Off the shelf nobody begins without a right, and whoever began goes on.
    operator.put(&format!("{EXAM}/update/putaway"), json!({ "id": id, "putaway": "off" })).await.id();
    assert_eq!(record_of(&start(&learner, id).await), own);
    let (other, guest) = entered(&server, SECOND).await;
    assert_eq!(start(&other, id).await.refused(), hidden);
    for call in ["save", "submit"] {
        let foreign = other.post(&format!("{OWN}/{call}"), json!({ "recordId": own, "answers": [] })).await;
        assert_eq!(foreign.code(), 404, "{call}");
    }
    // Whoever has a right to it begins off the shelf, too, as a course that was bought is watched.
    let right = json!({ "id": guest, "productType": "exam", "productId": id, "days": 30 });
    operator.post(&format!("{EXT}/grantRight"), right).await.id();
    assert_eq!(start(&other, id).await.code(), 200);
    let odd = json!([{ "seq": "9", "answer": { "letters": ["A"] } }]);
    assert_eq!(fields(&submit(&learner, own, odd).await), ["answers: 第9题：试卷中没有这道题"]);
    submit(&learner, own, answers("B", "B", None)).await.data();
    // A right that ran out opens nothing.
    operator.put(&format!("{EXAM}/update/putaway"), json!({ "id": id, "putaway": "on" })).await.id();
    server.run("update platform.learner_right set expires_at = now() - interval '1 day'").await;
    assert_eq!(start(&learner, id).await.refused(), (403, "请先购买该试卷"));
    // A right keeps its exam, and so does an attempt.
    operator.put(&format!("{EXAM}/update/putaway"), json!({ "id": id, "putaway": "off" })).await.id();
    let kept = operator.delete(&format!("{EXAM}/delete?id={id}")).await;
    assert_eq!(kept.refused(), (409, "已被2项学员权益引用，不能删除"));
    server.run("delete from platform.learner_right").await;
    let kept = operator.delete(&format!("{EXAM}/delete?id={id}")).await;
    assert_eq!((kept.code(), kept.msg().contains("2条考试记录")), (409, true), "{}", kept.body);
}

#[tokio::test]
async fn time_that_is_over_hands_in() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let exam = exam(&operator, "限时", 0).await;
    let (first, _) = entered(&server, FIRST).await;
    let (second, _) = entered(&server, SECOND).await;
    let mine = record_of(&start(&first, exam).await);
    let theirs = record_of(&start(&second, exam).await);
    first.post(&format!("{OWN}/save"), json!({ "recordId": mine, "answers": answers("B", "B", None) })).await.data();
    // The mail of the last moment still comes.
    server.app.clock().shift(TimeDelta::minutes(90) + TimeDelta::seconds(10));
    first.post(&format!("{OWN}/save"), json!({ "recordId": mine, "answers": answers("B", "A", None) })).await.data();
    server.app.clock().shift(TimeDelta::seconds(30));
    let late = json!({ "recordId": mine, "answers": answers("B", "B", None) });
    assert_eq!(first.post(&format!("{OWN}/save"), late).await.refused(), (409, "考试时间已到，已自动交卷"));
    let done = record(&operator, mine).await;
    assert_eq!(
        (&done["state"], &done["submitKind"], &done["score"]),
        (&json!("finished"), &json!("time"), &json!(40.0))
    );
    // What nobody touches is handed in by itself.
    assert_eq!(record(&operator, theirs).await["state"], json!("doing"));
    server.when_due("quiz.close", TimeDelta::minutes(2)).await;
    let done = record(&operator, theirs).await;
    assert_eq!(
        (&done["state"], &done["submitKind"], &done["score"]),
        (&json!("finished"), &json!("time"), &json!(0.0))
    );
}

/// As courses: what is published stays until a version is approved, by one auditor.
#[tokio::test]
async fn a_version_waits_for_its_auditor() {
    let server = Server::start().await;
    let writer = operator_with(&server, "writer", &["exam:pc:info:save", "exam:pc:info:view"]).await;
    let operator = server.operator().await;
    let [first, second, third] = problems(&operator).await;
    let before = content("待审卷", 4.0, 2.0, &[(first, 2.0), (second, 2.0)]);
    let refused = save(&writer, before.clone(), "publish").await;
    assert_eq!(fields(&refused), ["submission: 您没有直接发布的权限，请提交审核"]);
    let exam = save(&writer, before.clone(), "review").await.id();
    let on = json!({ "id": exam, "putaway": "on" });
    let early = operator.put(&format!("{EXAM}/update/putaway"), on.clone()).await;
    assert_eq!(early.refused(), (409, "试卷尚未审核通过，不能上架"));
    let waiting = async || {
        let list = operator.post(&format!("{AUDIT}/list"), json!({ "auditStatus": "pending" })).await;
        list.data()["list"][0].clone()
    };
    let version = waiting().await;
    assert_eq!((&version["examName"], &version["submitterName"]), (&json!("待审卷"), &json!("王五")));
    let why = operator.put(&format!("{AUDIT}/audit"), json!({ "id": version["id"], "auditStatus": "rejected" })).await;
    assert_eq!(fields(&why), ["auditOpinion: 请填写审核意见"]);
    let approve = json!({ "id": version["id"], "auditStatus": "approved" });
    let (one, two) = futures_util::future::join(
        operator.put(&format!("{AUDIT}/audit"), approve.clone()),
        operator.put(&format!("{AUDIT}/audit"), approve.clone()),
    )
    .await;
    let mut codes = [one.code(), two.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409], "{} {}", one.body, two.body);
    operator.put(&format!("{EXAM}/update/putaway"), on).await.id();
    // The site keeps the old text until the new one is approved.
    let after = content("新名称", 5.0, 2.0, &[(first, 2.0), (third, 3.0)]);
    edit(&operator, exam, after.clone(), "review").await.id();
    let again = edit(&operator, exam, after.clone(), "review").await;
    assert_eq!(again.refused(), (409, "该试卷有待审核版本"));
    let listed = operator.post(&format!("{EXAM}/list"), json!({ "examName": "待审卷" })).await;
    assert_eq!(listed.data()["list"][0]["revisionStatus"], json!("pending"));
    let counted = operator.post(&format!("{AUDIT}/list"), json!({ "auditStatus": "rejected" })).await.data().clone();
    let states = json!([{ "value": "approved", "count": 1 }, { "value": "pending", "count": 1 }]);
    assert_eq!((&counted["totalCount"], &counted["segments"]), (&json!(0), &states));
    let version = waiting().await;
    let view = operator.get(&format!("{AUDIT}/view?id={}", version["id"])).await.data().clone();
    let fields: Vec<&str> =
        view["differences"].as_array().expect("differences").iter().filter_map(|each| each["label"].as_str()).collect();
    assert_eq!(fields, ["试卷名称", "总分和及格分", "试题"]);
    assert!(view["differences"][2]["after"].as_str().expect("a text").contains("2. 论货币的职能（3分）"), "{view}");
    let reject = json!({ "id": version["id"], "auditStatus": "rejected", "auditOpinion": "题量不足" });
    operator.put(&format!("{AUDIT}/audit"), reject.clone()).await.id();
    assert_eq!(operator.put(&format!("{AUDIT}/audit"), reject).await.refused(), (409, "该版本已审核，请刷新"));
    let view = seen(&operator, exam).await;
    assert_eq!(
        (&view["examName"], &view["auditStatus"], &view["revisionStatus"], &view["auditOpinion"]),
        (&json!("待审卷"), &json!("approved"), &json!("rejected"), &json!("题量不足"))
    );
    // What was rejected is written again.
    edit(&operator, exam, after, "review").await.id();
    let several = json!({ "ids": [waiting().await["id"]], "auditStatus": "approved" });
    assert_eq!(operator.put(&format!("{AUDIT}/batchReview"), several).await.data()["done"], json!(1));
    assert_eq!(seen(&operator, exam).await["examName"], json!("新名称"));
}

#[tokio::test]
async fn questions_are_checked_imported_and_kept() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let place = category(&operator, "problem", "政治经济学").await;
    let first = problem(&operator, choice(place, "货币最基本的职能是")).await;
    let twin = operator.post(&format!("{PROBLEM}/save"), choice(place, "货币 最基本的职能是")).await;
    assert_eq!(fields(&twin), ["stem: 该分类中已有相同的试题"]);
    let mut odd = choice(place, "另一题");
    odd["answer"] = json!({ "letters": ["C"] });
    assert_eq!(fields(&operator.post(&format!("{PROBLEM}/save"), odd).await), ["answer: 答案C不在选项中"]);
    let elsewhere = category(&operator, "info", "试卷").await;
    let wrong = operator.post(&format!("{PROBLEM}/save"), choice(elsewhere, "放错分类")).await;
    assert_eq!(fields(&wrong), ["categoryId: 所选分类不存在，请重新选择"]);
    // A sheet as the schools have it; one wrong row and nothing is written.
    let headings = ["题型", "题干", "选项A", "选项B", "选项C", "答案", "解析", "难度", "分值", "大题编号"];
    let rows: [&[&str]; 5] = [
        &["多选题", "商品的属性有", "价值", "使用价值", "颜色", "AB", "", "易", "3", ""],
        &["判断题", "货币是商品", "", "", "", "对", "", "", "", ""],
        &["综合题", "阅读材料", "", "", "", "", "", "", "", "1"],
        &["填空题", "价格是____的货币表现", "", "", "", "价值", "", "", "2", "1"],
        &["简答题", "为什么", "", "", "", "因为", "", "", "8", "1"],
    ];
    let import = async |rows: &[&[&str]]| {
        let texts = [("categoryId", place.to_string())];
        let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let bytes = sheet(&headings, rows);
        operator.upload_with(&format!("{PROBLEM}/import"), &texts, "file", "试题.xlsx", XLSX, &bytes).await
    };
    let broken: [&[&str]; 2] = [rows[0], &["单选题", "没有答案的题", "甲", "乙", "", "", "", "", "", ""]];
    assert_eq!(row_errors(import(&broken).await.data()), ["3 答案: 不能为空"]);
    let told = import(&rows).await;
    assert_eq!((row_errors(told.data()), &told.data()["imported"]), (Vec::<String>::new(), &json!(5)));
    let again = import(&rows[..1]).await;
    assert_eq!(row_errors(again.data()).len(), 1, "{}", again.body);
    let list = operator.post(&format!("{PROBLEM}/list"), json!({ "categoryId": place })).await;
    assert_eq!(list.data()["totalCount"], json!(4));
    let case = operator.post(&format!("{PROBLEM}/list"), json!({ "type": "case_analysis" })).await;
    let case = case.data()["list"][0].clone();
    assert_eq!((&case["subCount"], &case["defaultScore"]), (&json!(2), &json!(10.0)));
    let book = operator.post(&format!("{PROBLEM}/export"), json!({ "type": "multiple_choice" })).await;
    let lines = texts(&book.bytes);
    assert_eq!((lines.len(), lines[1].contains(&"AB".to_owned())), (2, true), "{lines:?}");
    // What an exam has stays, and so does its category.
    let filled = problem(&operator, blank(place, "价值的承担者是")).await;
    let exams = category(&operator, "info", "模拟").await;
    let paper = with(
        content("两题卷", 12.0, 6.0, &[(first, 2.0), (case["id"].as_i64().expect("an id"), 10.0)]),
        json!({ "categoryId": exams }),
    );
    let exam = save(&operator, paper.clone(), "draft").await.id();
    let used = operator.delete(&format!("{PROBLEM}/delete?id={first}")).await;
    assert_eq!(used.refused(), (409, "已被1份试卷引用，请改为停用"));
    let of_exams = operator.delete(&format!("{CATEGORY}/info/delete?id={exams}")).await;
    assert_eq!(of_exams.refused(), (409, "已被1份试卷引用，不能删除"));
    let of_problems = operator.delete(&format!("{CATEGORY}/problem/delete?id={place}")).await;
    assert_eq!(of_problems.refused(), (409, "已被5道试题引用，不能删除"));
    let mut file = blank(place, "上传作业");
    file["type"] = json!("file_upload");
    file["upload"] = json!({ "extensions": ["docx"], "maxFiles": 1, "maxSizeMb": 10 });
    file["answer"] = json!({});
    let file = problem(&operator, file).await;
    let refused = save(&operator, content("附件卷", 2.0, 1.0, &[(file, 2.0)]), "draft").await;
    assert_eq!(fields(&refused), ["sections[0].problems[0].problemId: 附件题含有须上传附件的题目，不能用于线上试卷"]);
    // The import goes back as far as nothing refers to it.
    let (message, stays) = taken_back(&operator, "线上试题").await;
    assert_eq!(stays.len(), 1, "{message} {stays:?}");
    // A question of a published exam keeps its type, also when no exam has it any more.
    edit(&operator, exam, paper, "publish").await.id();
    edit(&operator, exam, content("一题卷", 2.0, 1.0, &[(filled, 2.0)]), "publish").await.id();
    let version = operator.get(&format!("{PROBLEM}/view?id={first}")).await.data()["version"].clone();
    let turned = with(blank(place, "货币"), json!({ "id": first, "version": version }));
    let refused = operator.put(&format!("{PROBLEM}/edit"), turned).await;
    assert_eq!(fields(&refused), ["type: 试题已用于试卷，题型不能修改，请新增试题"]);
    let kept = operator.delete(&format!("{PROBLEM}/delete?id={first}")).await;
    assert_eq!(kept.refused(), (409, "试题已用于考试，不能删除，请改为停用"));
}

#[tokio::test]
async fn recommended_exams_stand_in_their_order() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let [first, ..] = problems(&operator).await;
    let paper = |name: &str| content(name, 2.0, 1.0, &[(first, 2.0)]);
    let (one, two) = (shown(&operator, paper("甲卷")).await, save(&operator, paper("乙卷"), "publish").await.id());
    let form = |exam: i64, position: &str| json!({ "examId": exam, "position": position });
    let save = async |form: Value| operator.post(&format!("{RECOMMEND}/save"), form).await;
    let upper = save(form(one, "home")).await.id();
    let lower = save(form(two, "home")).await.id();
    assert_eq!(save(form(one, "home")).await.refused(), (409, "该试卷在此位置已有推荐"));
    assert_eq!(fields(&save(form(one, "category")).await), ["categoryId: 请选择分类"]);
    let of_problems = category(&operator, "problem", "试题").await;
    let wrong = with(form(one, "category"), json!({ "categoryId": of_problems }));
    assert_eq!(fields(&save(wrong).await), ["categoryId: 所选分类不存在，请选择试卷分类"]);
    operator.put(&format!("{RECOMMEND}/sort"), json!({ "ids": [lower, upper] })).await.data();
    let list = operator.post(&format!("{RECOMMEND}/list"), json!({ "position": "home" })).await;
    let told: Vec<(&Value, &Value)> = list.data()["list"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|each| (&each["examName"], &each["standing"]))
        .collect();
    assert_eq!(told, [(&json!("乙卷"), &json!("hidden")), (&json!("甲卷"), &json!("shown"))]);
    assert_eq!(seen(&operator, one).await["recommended"], json!(true));
    let elsewhere = save(form(one, "detail")).await.id();
    let mixed = operator.put(&format!("{RECOMMEND}/sort"), json!({ "ids": [elsewhere, upper] })).await;
    assert_eq!(fields(&mixed), ["ids: 只能调整同一列表中各项的顺序，请刷新后重试"]);
    let kept = operator.delete(&format!("{EXAM}/delete?id={two}")).await;
    assert_eq!(kept.code(), 409, "{}", kept.body);
    operator.delete(&format!("{RECOMMEND}/delete?id={lower}")).await.id();
    operator.delete(&format!("{EXAM}/delete?id={two}")).await.id();
}

/// A school's people reach none of it.
#[tokio::test]
async fn a_school_has_no_part_in_the_sites_exams() {
    let server = Server::start().await;
    let school = server.admin_of(1).await;
    for call in [EXAM, PROBLEM, AUDIT, RECOMMEND, RECORD] {
        let refused = school.post(&format!("{call}/list"), json!({})).await;
        assert_eq!(refused.code(), 403, "{call}: {}", refused.body);
    }
}
