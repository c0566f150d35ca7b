//! Theses: scenarios of part 04 §8.1.

use infra::clock::Moment;
use kit::{
    Client, Server,
    accounts::all_school_codes,
    cohort::registrar,
    fields,
    files::uploaded,
    lessons::{Lessons, lessons},
    sheets::row_errors,
};
use serde_json::{Value, json};

const THESIS: &str = "/adult/pc/thesis";

/// A plan of the course's semester in which everybody of the course writes a thesis.
struct Writing {
    taught: Lessons,
    plan: i64,
    theses: Vec<Value>,
}

async fn theses(client: &Client<'_>) -> Vec<Value> {
    let listed = client.post(&format!("{THESIS}/list"), json!({})).await;
    let mut rows = listed.data()["list"].as_array().expect("theses").clone();
    rows.sort_by_key(|row| row["studentNo"].to_string());
    rows
}

async fn writing(server: &Server, admin: &Client<'_>, more: Value) -> Writing {
    let taught = lessons(server, admin, [2, 1]).await;
    server.run(&format!("update school_1.course set kind = 'thesis' where id = {}", taught.course)).await;
    let form = json!({ "code": "LW1", "name": "毕业论文", "semesterId": taught.spring, "topicMode": "both",
        "selectMode": "first_come", "requireProposal": false, "adviserQuota": 20, "similarityLimit": 30.0,
        "similarityAttempts": 2, "defenseMode": "onsite", "minReviewers": 1 });
    let plan = admin.post(&format!("{THESIS}/plan/save"), kit::lessons::with(form, more)).await.id();
    let active = json!({ "id": plan, "status": "active", "version": 1 });
    admin.put(&format!("{THESIS}/plan/update/status"), active).await.data();
    for teacher in &taught.teachers {
        let adviser = json!({ "planId": plan, "teacherId": teacher, "canReview": true, "canDefend": true });
        admin.post(&format!("{THESIS}/adviser/save"), adviser).await.id();
    }
    let made = admin.post(&format!("{THESIS}/generate"), json!({ "planId": plan })).await.data().clone();
    assert_eq!(made["done"], json!(3), "{made}");
    let theses = theses(admin).await;
    Writing { taught, plan, theses }
}

/// A topic that another person audited.
async fn topic(server: &Server, admin: &Client<'_>, at: &Writing, teacher: i64, title: &str) -> i64 {
    let form = json!({ "planId": at.plan, "title": title, "teacherId": teacher, "source": "research", "capacity": 1,
        "submit": true });
    let made = admin.post(&format!("{THESIS}/topic/save"), form).await.id();
    let audit = json!({ "ids": [made], "pass": true });
    let own = admin.put(&format!("{THESIS}/topic/audit"), audit.clone()).await;
    assert_eq!(own.data()["failed"][0]["msg"], json!("不能审核自己提交的选题"));
    let codes = all_school_codes();
    let other = server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    assert_eq!(other.put(&format!("{THESIS}/topic/audit"), audit).await.data()["done"], json!(1));
    made
}

async fn fresh(client: &Client<'_>, thesis: &Value) -> Value {
    client.get(&format!("{THESIS}/view?id={}", thesis["id"])).await.data().clone()
}

async fn take(client: &Client<'_>, thesis: &Value, topic: i64) -> kit::Answer {
    let seen = fresh(client, thesis).await;
    let body = json!({ "id": thesis["id"], "topicId": topic, "version": seen["version"] });
    client.put(&format!("{THESIS}/assignTopic"), body).await
}

async fn hand_in(client: &Client<'_>, thesis: &Value, kind: &str, text: &str) -> kit::Answer {
    let key = uploaded(client, "论文.pdf", "application/pdf", text.as_bytes()).await;
    let seen = fresh(client, thesis).await;
    let body = json!({ "id": thesis["id"], "kind": kind, "fileKey": key, "version": seen["version"] });
    client.put(&format!("{THESIS}/upload"), body).await
}

async fn call(client: &Client<'_>, thesis: &Value, word: &str, more: Value) -> kit::Answer {
    let seen = fresh(client, thesis).await;
    let body = kit::lessons::with(json!({ "id": thesis["id"], "version": seen["version"] }), more);
    client.put(&format!("{THESIS}/{word}"), body).await
}

fn stands(thesis: &Value) -> (String, String) {
    let word = |field: &str| thesis[field].as_str().unwrap_or_default().to_owned();
    (word("stage"), word("stageStatus"))
}

/// Scenarios 1 and 4: a topic has its places, an adviser a quota.
#[tokio::test]
async fn topics_and_advisers_have_their_places() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = writing(&server, &admin, json!({ "adviserQuota": 1 })).await;
    let teacher = at.taught.teachers[0];
    let first = topic(&server, &admin, &at, teacher, "小微企业成本控制研究").await;
    let same = json!({ "planId": at.plan, "title": "小微企业 成本控制 研究", "teacherId": teacher, "source": "other",
        "capacity": 1 });
    let same = admin.post(&format!("{THESIS}/topic/save"), same).await;
    assert_eq!(fields(&same), ["title: 本批次已有相同的题目"]);
    take(&admin, &at.theses[0], first).await.data();
    assert_eq!(take(&admin, &at.theses[1], first).await.refused(), (409, "该题目已被选满"));
    let second = topic(&server, &admin, &at, teacher, "乡村旅游发展路径研究").await;
    assert_eq!(take(&admin, &at.theses[1], second).await.refused(), (409, "该教师已指导1人，达到上限"));
    let advise = json!({ "ids": [at.theses[1]["id"]], "teacherId": teacher });
    let refused = admin.put(&format!("{THESIS}/assignAdviser"), advise).await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!("该教师已指导1人，达到上限"));
    let even = admin.put(&format!("{THESIS}/autoAssign"), json!({ "planId": at.plan })).await.data().clone();
    assert_eq!((&even["done"], even["left"].as_array().map(Vec::len)), (&json!(1), Some(1)), "{even}");
    // A plan whose students bring their own titles has no others; one that has a list takes none of theirs.
    let idea = |source: &str| json!({ "planId": at.plan, "title": "社区养老服务调查研究", "teacherId": teacher, "source": source, "capacity": 1 });
    for (mode, source, told) in [
        ("self", "social", "title: 本批次由学生自拟题目，不设题库"),
        ("pool", "self", "source: 本批次从题库选题，来源不能为自拟"),
    ] {
        server.run(&format!("update school_1.thesis_plan set topic_mode = '{mode}' where id = {}", at.plan)).await;
        assert_eq!(fields(&admin.post(&format!("{THESIS}/topic/save"), idea(source)).await), [told]);
    }
    // One that is over takes none, by hand as by sheet.
    let stands = async |status: &str| {
        let set =
            format!("update school_1.thesis_plan set topic_mode = 'both', status = '{status}' where id = {}", at.plan);
        server.run(&set).await;
    };
    stands("closed").await;
    let late = admin.post(&format!("{THESIS}/topic/save"), idea("social")).await;
    assert_eq!(fields(&late), ["planId: 论文批次不存在或已结束"]);
    stands("active").await;
    let nobody = kit::lessons::with(idea("social"), json!({ "teacherId": null }));
    assert_eq!(fields(&admin.post(&format!("{THESIS}/topic/save"), nobody).await), ["teacherId: 请选择指导教师"]);
    // The place of what is cancelled is free again.
    call(&admin, &at.theses[0], "cancel", json!({ "reason": "学生休学" })).await.data();
    let seen = admin.get(&format!("{THESIS}/topic/view?id={first}")).await.data().clone();
    assert_eq!(seen["taken"], json!(0));
    let wrong = json!({ "draftDue": "2026-04-10", "finalDue": "2026-04-01" });
    let form = json!({ "code": "LW2", "name": "另一批次", "semesterId": at.taught.spring, "topicMode": "pool",
        "selectMode": "assigned", "adviserQuota": 20, "similarityLimit": 30.0, "similarityAttempts": 2,
        "defenseMode": "written", "minReviewers": 1 });
    let wrong = admin.post(&format!("{THESIS}/plan/save"), kit::lessons::with(form, wrong)).await;
    assert_eq!(fields(&wrong), ["finalDue: 各阶段日期须依次推后"]);
}

/// Scenarios 2, 3 and 7: documents in their order and in time, too similar once and twice, reviewed by somebody else.
#[tokio::test]
async fn a_thesis_goes_through_its_stages() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let yesterday: Moment = server.app.clock().now() - chrono::TimeDelta::days(1);
    let yesterday = yesterday.date_naive().to_string();
    let at = writing(&server, &admin, json!({ "finalDue": yesterday })).await;
    let thesis = at.theses[0].clone();
    let chosen = topic(&server, &admin, &at, at.taught.teachers[0], "小微企业成本控制研究").await;
    take(&admin, &thesis, chosen).await.data();
    assert_eq!(stands(&fresh(&admin, &thesis).await), ("draft".to_owned(), "pending".to_owned()));
    hand_in(&admin, &thesis, "draft", "初稿一").await.data();
    assert_eq!(fields(&call(&admin, &thesis, "decide", json!({ "pass": false })).await), ["comment: 请填写修改意见"]);
    call(&admin, &thesis, "decide", json!({ "pass": false, "comment": "请补充数据" })).await.data();
    assert_eq!(hand_in(&admin, &thesis, "draft", "初稿一").await.refused(), (409, "与上一版本内容相同"));
    // A real paper tells how many pages it has.
    let sheet = admin.post(&format!("{THESIS}/print/task"), json!({ "ids": [thesis["id"]] })).await.bytes;
    let key = uploaded(&admin, "论文.pdf", "application/pdf", &sheet).await;
    call(&admin, &thesis, "upload", json!({ "kind": "draft", "fileKey": key })).await.data();
    assert_eq!(fresh(&admin, &thesis).await["documents"][0]["pages"], json!(1));
    call(&admin, &thesis, "decide", json!({ "pass": false, "comment": "这不是论文" })).await.data();
    hand_in(&admin, &thesis, "draft", "初稿二").await.data();
    assert_eq!(fresh(&admin, &thesis).await["documents"][0]["pages"], json!(null));
    call(&admin, &thesis, "decide", json!({ "pass": true })).await.data();
    let late = hand_in(&admin, &thesis, "final", "终稿一").await;
    assert_eq!(late.refused(), (409, format!("已超过终稿提交截止日期（{yesterday}）").as_str()));
    let until = (server.app.clock().now() + chrono::TimeDelta::days(3)).date_naive().to_string();
    call(&admin, &thesis, "extend", json!({ "until": until, "reason": "住院治疗" })).await.data();
    hand_in(&admin, &thesis, "final", "终稿一").await.data();
    call(&admin, &thesis, "decide", json!({ "pass": true })).await.data();
    let check = async |rate: f64| {
        let found = json!({ "rate": rate, "tool": "知网", "checkedOn": "2020-04-20" });
        call(&admin, &thesis, "similarity", found).await
    };
    let ahead = json!({ "rate": 12.0, "tool": "知网", "checkedOn": "2199-01-01" });
    assert_eq!(fields(&call(&admin, &thesis, "similarity", ahead).await), ["checkedOn: 检测日期不能晚于今天"]);
    let picture = uploaded(&admin, "报告.png", "image/png", &kit::files::png(7)).await;
    let picture = json!({ "rate": 12.0, "tool": "知网", "reportFileKey": picture });
    let told = fields(&call(&admin, &thesis, "similarity", picture).await).concat();
    assert!(told.starts_with("reportFileKey: 不支持该文件格式"), "{told}");
    check(30.1).await.data();
    let seen = fresh(&admin, &thesis).await;
    assert_eq!(stands(&seen), ("final".to_owned(), "returned".to_owned()));
    assert_eq!(seen["remark"], json!("总文字复制比 30.1%，超过30%，请修改后重新提交"));
    assert_eq!(seen["similarityOn"], json!("2020-04-20"));
    hand_in(&admin, &thesis, "final", "终稿二").await.data();
    call(&admin, &thesis, "decide", json!({ "pass": true })).await.data();
    check(30.0).await.data();
    assert_eq!(stands(&fresh(&admin, &thesis).await), ("review".to_owned(), "pending".to_owned()));
    let reviewers = |teacher: i64| json!({ "ids": [thesis["id"]], "reviewerIds": [teacher] });
    // Who was not let review, or does not advise the major, is not taken for it.
    let second = at.taught.teachers[1];
    let allow = |flag: bool| {
        format!(
            "update school_1.thesis_adviser set can_review = {flag}, can_defend = {flag} where teacher_id = {second}"
        )
    };
    server.run(&allow(false)).await;
    let unfit = admin.put(&format!("{THESIS}/assignReviewer"), reviewers(second)).await;
    assert_eq!(unfit.data()["failed"][0]["msg"], json!("“教师2”在本批次不参加评阅"));
    let group = json!({ "planId": at.plan, "name": "评审组", "mode": "onsite", "members": [{ "teacherId": second }] });
    let unfit = admin.post(&format!("{THESIS}/defense/save"), group).await;
    assert_eq!(fields(&unfit), ["members: “教师2”在本批次不参加答辩"]);
    server.run(&allow(true)).await;
    server.run(&format!("update school_1.thesis_adviser set major_ids = '{{999}}' where teacher_id = {second}")).await;
    let advise = json!({ "ids": [thesis["id"]], "teacherId": second });
    let refused = admin.put(&format!("{THESIS}/assignAdviser"), advise).await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!("该教师不指导该学生的专业"));
    let own = admin.put(&format!("{THESIS}/assignReviewer"), reviewers(at.taught.teachers[0])).await;
    assert_eq!(own.data()["failed"][0]["msg"], json!("评阅教师不能是指导教师"));
    let other = admin.put(&format!("{THESIS}/assignReviewer"), reviewers(at.taught.teachers[1])).await;
    assert_eq!(other.data()["done"], json!(1), "{}", other.body);
    let review = json!({ "id": thesis["id"], "reviewerId": at.taught.teachers[1], "score": 75.0, "opinion": "agree",
        "version": 1 });
    // Item by item, as the rule names them: 80 × 20% + 76 × 50% + 70 × 30%.
    let items = |argument: f64| {
        json!([{ "code": "novelty", "score": 80.0 }, { "code": "argument", "score": argument },
            { "code": "format", "score": 70.0 }])
    };
    let wrong = kit::lessons::with(review.clone(), json!({ "items": items(60.0) }));
    assert_eq!(fields(&admin.put(&format!("{THESIS}/review"), wrong).await), ["items: 成绩与评分项不符，应为67"]);
    let review = kit::lessons::with(review, json!({ "items": items(76.0) }));
    admin.put(&format!("{THESIS}/review"), review).await.data();
    let seen = fresh(&admin, &thesis).await;
    assert_eq!((&seen["reviews"][0]["score"], &seen["reviews"][0]["items"][1]["score"]), (&json!(75.0), &json!(76.0)));
    assert_eq!(stands(&seen), ("defense".to_owned(), "pending".to_owned()));
    assert_eq!((seen["documents"].as_array().map(Vec::len), &seen["reviewScore"]), (Some(5), &json!(75.0)));
    let started = admin.post(&format!("{THESIS}/batchDownload"), json!({ "planId": at.plan })).await.data().clone();
    let job = kit::jobs::ended(&admin, &started["jobId"]).await;
    assert_eq!(job["message"], json!("共5个文稿"), "{job}");
}

/// A thesis lies where its student is.
#[tokio::test]
async fn theses_are_seen_within_the_scope() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = writing(&server, &admin, json!({})).await;
    let stat = async |client: &Client<'_>| {
        let stat = client.post(&format!("{THESIS}/stat"), json!({ "planId": at.plan })).await.data().clone();
        (stat["total"]["total"].clone(), stat["total"]["stages"][0]["count"].clone())
    };
    assert_eq!(stat(&admin).await, (json!(3), json!(3)));
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_classes", &[at.taught.classes[1]]).await;
    assert_eq!(theses(&narrow).await.len(), 1);
    assert_eq!(stat(&narrow).await, (json!(1), json!(1)));
    assert_eq!(narrow.get(&format!("{THESIS}/view?id={}", at.theses[0]["id"])).await.code(), 404);
    let cancel = json!({ "id": at.theses[0]["id"], "reason": "学生休学", "version": 1 });
    assert_eq!(narrow.put(&format!("{THESIS}/cancel"), cancel).await.code(), 404);
    let plan = json!({ "id": at.plan, "status": "closed", "version": 2 });
    assert_eq!(narrow.put(&format!("{THESIS}/plan/update/status"), plan).await.code(), 403);
    // What the school offers is seen and not changed; what a student proposed is that student's site's or class'.
    let pool = topic(&server, &admin, &at, at.taught.teachers[0], "小微企业成本控制研究").await;
    let proposed = async |thesis: &Value, title: &str| -> i64 {
        let insert = format!(
            "insert into school_1.thesis_topic (plan_id, title, title_key, proposed_by, source, status, created_by, updated_by)
             values ({}, '{title}', '{title}', {}, 'self', 'submitted', 0, 0) returning id",
            at.plan, thesis["studentId"]
        );
        server.one(&insert).await
    };
    let own_thesis = theses(&narrow).await[0].clone();
    let (own, other) =
        (proposed(&own_thesis, "社区养老服务调查研究").await, proposed(&at.theses[0], "县域电商物流成本研究").await);
    let listed = narrow.post(&format!("{THESIS}/topic/list"), json!({})).await.data().clone();
    let mut ids: Vec<i64> =
        listed["list"].as_array().expect("topics").iter().filter_map(|topic| topic["id"].as_i64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [pool, own], "{listed}");
    assert_eq!(narrow.get(&format!("{THESIS}/topic/view?id={other}")).await.code(), 404);
    let audit = json!({ "ids": [own, other], "pass": true });
    let audited = narrow.put(&format!("{THESIS}/topic/audit"), audit).await.data().clone();
    assert_eq!((&audited["done"], &audited["failed"][0]["id"]), (&json!(1), &json!(other)), "{audited}");
    let gone = narrow.delete(&format!("{THESIS}/topic/delete?id={pool}")).await;
    assert_eq!(gone.refused(), (403, "您只能管理已分配的站点或班级，题库中的选题请由数据范围为全校的人员办理"));
    let headings = ["学号", "复制比", "检测系统", "检测日期"];
    let no = at.theses[0]["studentNo"].as_str().expect("a number");
    let far: [&[&str]; 1] = [&[no, "12", "知网", "2020-04-20"]];
    assert_eq!(row_errors(similar(&narrow, &headings, &far).await.data()), ["2 学号: 学号不存在"]);
    // Nobody is given what another student proposed.
    assert_eq!(take(&admin, &at.theses[0], own).await.refused(), (409, "该题目由其他学生申报，不能选择"));
}

/// Imports what the checker found.
async fn similar(client: &Client<'_>, headings: &[&str], rows: &[&[&str]]) -> kit::Answer {
    let file = kit::sheets::sheet(headings, rows);
    let fields = [("kind", "similarity")];
    client.upload_with(&format!("{THESIS}/import"), &fields, "file", "查重.xlsx", kit::sheets::XLSX, &file).await
}

/// A student in their client, by the number of the thesis' student.
async fn student_of<'s>(server: &'s Server, thesis: &Value) -> Client<'s> {
    let id = thesis["studentId"].as_i64().expect("a student");
    let token = kit::clients::inside(server, &[id]).await.remove(0);
    server.anonymous().with_token(Some(&token))
}

/// Scenario 1 in the clients: two students choose one place, the adviser has to agree, a document is read and decided.
#[tokio::test]
async fn students_and_advisers_work_in_their_clients() {
    const OWN: &str = "/exam/client/thesis";
    let server = Server::start().await;
    let (admin, t001) = kit::clients::school(&server).await;
    let at = writing(&server, &admin, json!({ "selectMode": "adviser_confirm" })).await;
    let adviser = json!({ "planId": at.plan, "teacherId": t001, "canReview": true, "canDefend": true });
    admin.post(&format!("{THESIS}/adviser/save"), adviser).await.id();
    let chosen = topic(&server, &admin, &at, t001, "小微企业成本控制研究").await;
    let (one, two) = (student_of(&server, &at.theses[0]).await, student_of(&server, &at.theses[1]).await);
    let topics = one.get(&format!("{OWN}/topics")).await.data().clone();
    assert_eq!(topics["list"][0]["id"], json!(chosen), "{topics}");
    let select = |request: &str| json!({ "requestId": request, "topicId": chosen });
    let path = format!("{OWN}/topic/select");
    let (first, second) =
        tokio::join!(one.post(&path, select("request-0001")), two.post(&path, select("request-0002")));
    let refused: Vec<&str> = [&first, &second].into_iter().filter(|a| a.code() != 200).map(|a| a.msg()).collect();
    assert_eq!(refused, ["该题目已被选满"], "{} {}", first.body, second.body);
    let (taker, thesis) = if first.code() == 200 { (&one, &at.theses[0]) } else { (&two, &at.theses[1]) };
    let other = if first.code() == 200 { &two } else { &one };
    let seen = taker.get(&format!("{OWN}/view")).await.data().clone();
    assert_eq!(stands(&seen), ("topic".to_owned(), "submitted".to_owned()));
    let proposed = json!({ "requestId": "request-0003", "title": "乡村旅游发展路径研究" });
    let idea = other.post(&format!("{OWN}/topic/propose"), proposed).await.id();
    let more = json!({ "requestId": "request-0008", "title": "县域电商物流成本研究" });
    let waits = other.post(&format!("{OWN}/topic/propose"), more).await;
    assert_eq!(waits.refused(), (409, "您申报的题目正在审核，请等待结果"));
    // One's own idea is one's own: nobody else sees or takes it.
    let audit = |pass: bool| json!({ "ids": [idea], "pass": pass, "opinion": "题目过大" });
    assert_eq!(admin.put(&format!("{THESIS}/topic/audit"), audit(false)).await.data()["done"], json!(1));
    // It is edited without an adviser; who hands it in again does not pass it.
    let found = admin.get(&format!("{THESIS}/topic/view?id={idea}")).await.data().clone();
    let edit = json!({ "id": idea, "version": found["version"], "planId": at.plan, "title": "乡村旅游发展路径研究",
        "teacherId": null, "source": "self", "capacity": 1, "submit": true });
    admin.put(&format!("{THESIS}/topic/edit"), edit).await.data();
    let again = admin.put(&format!("{THESIS}/topic/audit"), audit(true)).await.data().clone();
    assert_eq!(again["failed"][0]["msg"], json!("不能审核自己提交的选题"), "{again}");
    let codes = all_school_codes();
    let colleague = server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    assert_eq!(colleague.put(&format!("{THESIS}/topic/audit"), audit(true)).await.data()["done"], json!(1));
    let third = student_of(&server, &at.theses[2]).await;
    let shown = third.get(&format!("{OWN}/topics")).await.body.to_string();
    assert!(!shown.contains("乡村旅游发展路径研究"), "{shown}");
    let theirs = json!({ "requestId": "request-0009", "topicId": idea });
    assert_eq!(third.post(&path, theirs.clone()).await.code(), 404);
    assert_eq!(other.post(&path, theirs).await.code(), 200);
    let teacher = kit::clients::signed_in(&server).await;
    let advised = teacher.get(&format!("{OWN}/list")).await.data().clone();
    assert_eq!(advised["list"].as_array().map(Vec::len), Some(1), "{advised}");
    let decide =
        |thesis: &Value, version: &Value| json!({ "thesisId": thesis["id"], "pass": true, "version": version });
    teacher.put(&format!("{OWN}/decide"), decide(thesis, &seen["version"])).await.data();
    let form =
        json!({ "fileName": "初稿.pdf", "size": 5, "contentType": "application/pdf", "type": 3, "purpose": "thesis" });
    let ticket = taker.post("/user/client/upload/presign", form).await.data().clone();
    let address = ticket["url"].as_str().expect("an address");
    taker.raw(poem::http::Method::PUT, address, Some("application/pdf"), b"12345".to_vec()).await;
    assert_eq!(taker.post("/user/client/upload/complete", json!({ "key": ticket["key"] })).await.code(), 200);
    let draft = json!({ "requestId": "request-0004", "kind": "draft", "fileKey": ticket["key"] });
    taker.post(&format!("{OWN}/document/save"), draft).await.data();
    let version = fresh(&admin, thesis).await["version"].clone();
    let back = json!({ "thesisId": thesis["id"], "pass": false, "comment": "请补充数据", "version": version });
    teacher.put(&format!("{OWN}/decide"), back).await.data();
    let comments = taker.get(&format!("{OWN}/comments")).await.data().clone();
    assert_eq!(comments["list"][0]["comment"], json!("请补充数据"), "{comments}");
    // A choice that waits for the adviser is confirmed by the adviser, or by staff in their place.
    let more = topic(&server, &admin, &at, t001, "县域冷链物流成本研究").await;
    let body = json!({ "requestId": "request-0010", "topicId": more });
    assert_eq!(third.post(&path, body).await.code(), 200);
    assert_eq!(stands(&fresh(&admin, &at.theses[2]).await), ("topic".to_owned(), "submitted".to_owned()));
    take(&admin, &at.theses[2], more).await.data();
    assert_eq!(stands(&fresh(&admin, &at.theses[2]).await), ("draft".to_owned(), "pending".to_owned()));
    let seen = admin.get(&format!("{THESIS}/topic/view?id={more}")).await.data().clone();
    assert_eq!(seen["taken"], json!(1), "{seen}");
    // Nobody decides what another teacher advises.
    server.run(&format!("update school_1.thesis set adviser_id = {}", at.taught.teachers[1])).await;
    let version = fresh(&admin, thesis).await["version"].clone();
    assert_eq!(teacher.put(&format!("{OWN}/decide"), decide(thesis, &version)).await.code(), 404);
}

/// The days of topics are over; who got more time still chooses. What waits for its review beyond its day is late, too.
#[tokio::test]
async fn more_time_counts_in_every_stage() {
    let server = Server::start().await;
    let (admin, t001) = kit::clients::school(&server).await;
    let day = |days: i64| (server.app.clock().now() + chrono::TimeDelta::days(days)).date_naive().to_string();
    let at = writing(&server, &admin, json!({ "topicTo": day(-2) })).await;
    let adviser = json!({ "planId": at.plan, "teacherId": t001, "canReview": true, "canDefend": true });
    admin.post(&format!("{THESIS}/adviser/save"), adviser).await.id();
    let chosen = topic(&server, &admin, &at, t001, "小微企业成本控制研究").await;
    let one = student_of(&server, &at.theses[0]).await;
    let select = |request: &str| json!({ "requestId": request, "topicId": chosen });
    let late = one.post("/exam/client/thesis/topic/select", select("request-0001")).await;
    assert_eq!(late.refused(), (409, "不在选题时间内"));
    let until = json!({ "until": day(3), "reason": "住院治疗" });
    call(&admin, &at.theses[0], "extend", until).await.data();
    assert_eq!(one.post("/exam/client/thesis/topic/select", select("request-0002")).await.code(), 200);
    let of = format!("where id = {}", at.theses[1]["id"]);
    server.run(&format!("update school_1.thesis set stage = 'review', title = '研究' {of}")).await;
    // Days are late by the database's day.
    server
        .run(&format!(
            "update school_1.thesis_plan set review_due = (now() at time zone 'Asia/Shanghai')::date - 2 where id = {}",
            at.plan
        ))
        .await;
    let listed = admin.post(&format!("{THESIS}/list"), json!({ "stage": "review", "overdue": true })).await;
    assert_eq!(listed.data()["list"][0]["overdueDays"], json!(2), "{}", listed.body);
}

/// Scenarios 5 and 6: three members at least, advisers avoided, of five the ends do not count; a second defence, and no third.
#[tokio::test]
async fn defences_are_arranged_and_recorded() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = writing(&server, &admin, json!({})).await;
    let thesis = &at.theses[0];
    let adviser = at.taught.teachers[0];
    let set = format!(
        "update school_1.thesis set stage = 'defense', stage_status = 'pending', title = '研究', adviser_id = {adviser}
         where id = {}",
        thesis["id"]
    );
    server.run(&set).await;
    let mut sitting = Vec::new();
    for n in 1..=6 {
        let mut body = kit::teachers::teacher(1, 300 + n);
        for field in ["idCardType", "idCardNo"] {
            body.as_object_mut().expect("fields").remove(field);
        }
        body["organizationId"] = json!(server.one::<i64>("select min(id) from school_1.organization").await);
        sitting.push(admin.post(&format!("{}/save", kit::teachers::TEACHER), body).await.id());
    }
    let members = |of: &[i64]| -> Value {
        of.iter().zip(0..).map(|(teacher, n)| json!({ "teacherId": teacher, "chair": n == 0 })).collect()
    };
    let form = |of: &[i64]| {
        json!({ "planId": at.plan, "name": "第一组", "mode": "onsite", "heldAt": "2020-01-01T09:00:00+08:00",
            "place": "教学楼201", "secretaryTeacherId": sitting[5], "members": members(of) })
    };
    let days = |from: &str, to: &str| {
        format!("update school_1.thesis_plan set defense_from = {from}, defense_to = {to} where id = {}", at.plan)
    };
    server.run(&days("'2020-02-01'", "'2020-02-20'")).await;
    let early = admin.post(&format!("{THESIS}/defense/save"), form(&sitting[..2])).await;
    assert_eq!(fields(&early), ["heldAt: 答辩时间应在论文批次的答辩日期内（2020-02-01 至 2020-02-20）"]);
    server.run(&days("null", "null")).await;
    let group = admin.post(&format!("{THESIS}/defense/save"), form(&sitting[..2])).await.id();
    let seen = async || admin.get(&format!("{THESIS}/defense/view?id={group}")).await.data().clone();
    let arrange = async || {
        let body =
            json!({ "groupId": group, "thesisIds": [thesis["id"]], "minutes": 15, "version": seen().await["version"] });
        admin.put(&format!("{THESIS}/arrange"), body).await
    };
    let edit = async |of: &[i64]| {
        let body = kit::lessons::with(form(of), json!({ "id": group, "version": seen().await["version"] }));
        admin.put(&format!("{THESIS}/defense/edit"), body).await.data();
    };
    assert_eq!(fields(&arrange().await), ["members: 答辩组成员不少于3人"]);
    edit(&[sitting[0], sitting[1], adviser]).await;
    assert_eq!(fields(&arrange().await), ["members: 指导教师应回避"]);
    edit(&sitting[..5]).await;
    arrange().await.data();
    let shown = seen().await;
    assert_eq!((&shown["status"], &shown["slots"][0]["roundNo"]), (&json!("arranged"), &json!(1)));
    let gone = admin.delete(&format!("{THESIS}/defense/delete?id={group}")).await;
    assert_eq!(gone.refused(), (409, "“第一组”已安排1名学生，不能删除"));
    let record = async |group: i64, given: &[f64], result: &str| {
        let shown = admin.get(&format!("{THESIS}/defense/view?id={group}")).await.data().clone();
        let scores: Vec<Value> =
            sitting.iter().zip(given).map(|(teacher, score)| json!({ "teacherId": teacher, "score": score })).collect();
        let body = json!({ "slotId": shown["slots"][0]["id"], "version": shown["slots"][0]["version"], "present": true,
            "scores": scores, "result": result });
        admin.put(&format!("{THESIS}/defense"), body).await
    };
    let slot = seen().await["slots"][0].clone();
    let absent = json!({ "slotId": slot["id"], "version": slot["version"], "present": false, "result": "second" });
    let absent = admin.put(&format!("{THESIS}/defense"), absent).await;
    assert_eq!(fields(&absent), ["result: 缺席的学生答辩不通过，也没有评分"]);
    let some = record(group, &[90.0, 80.0], "passed").await;
    assert_eq!(fields(&some), ["scores: 还有3名成员未评分，请录入全部成员的评分"]);
    // Where the rule wants items, each member gives them.
    let required = |flag: bool| {
        format!(
            "update school_1.score_rule set params = jsonb_set(params, '{{itemsRequired}}', '{flag}') where kind = 'defense'"
        )
    };
    server.run(&required(true)).await;
    let whole = record(group, &[90.0, 80.0, 82.0, 84.0, 60.0], "second").await;
    assert_eq!(fields(&whole), ["scores: 请按评分项录入"]);
    assert_eq!(seen().await["slots"][0]["itemsRequired"], json!(true));
    server.run(&required(false)).await;
    record(group, &[90.0, 80.0, 82.0, 84.0, 60.0], "second").await.data();
    let slot = seen().await["slots"][0].clone();
    assert_eq!((&slot["score"], &slot["marks"][0]["score"]), (&json!(82.0), &json!(90.0)), "{slot}");
    assert_eq!(stands(&fresh(&admin, thesis).await), ("defense".to_owned(), "pending".to_owned()));
    let again = kit::lessons::with(form(&sitting[..3]), json!({ "name": "二次答辩" }));
    let again = admin.post(&format!("{THESIS}/defense/save"), again).await.id();
    let auto = json!({ "planId": at.plan, "groupIds": [again], "minutes": 15 });
    let dealt = admin.put(&format!("{THESIS}/autoArrange"), auto).await;
    assert_eq!(dealt.data()["done"], json!(1), "{}", dealt.body);
    assert_eq!(fields(&record(again, &[58.0, 58.0, 58.0], "second").await), ["result: 二次答辩只能一次"]);
    record(again, &[72.0, 75.0, 78.0], "passed").await.data();
    assert_eq!(stands(&fresh(&admin, thesis).await), ("defense".to_owned(), "passed".to_owned()));
}

/// Who has three days left is told so once; an extension moves the day.
#[tokio::test]
async fn who_is_nearly_late_is_reminded_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let day = |days: i64| (server.app.clock().now() + chrono::TimeDelta::days(days)).date_naive().to_string();
    let at = writing(&server, &admin, json!({ "draftDue": day(2), "finalDue": day(30) })).await;
    server.run("update school_1.thesis set stage = 'draft', title = '研究' || id").await;
    let extend = json!({ "until": day(20), "reason": "住院治疗" });
    call(&admin, &at.theses[0], "extend", extend).await.data();
    for _ in 0..2 {
        server.when_due("thesis.nightly", chrono::TimeDelta::minutes(5)).await;
        let once = "select count(*) from school_1.thesis where reminded_on is not null and version = 2";
        assert_eq!(server.one::<i64>(once).await, 2);
    }
}
