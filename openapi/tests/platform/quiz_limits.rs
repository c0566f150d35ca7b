//! What exams of the operators' site keep to themselves, and what stands in their way (part 01 §9.7).

use chrono::TimeDelta;
use kit::{
    Client, Server, fields,
    learners::{EXT, entered},
    quizzes::{
        AUDIT, CATEGORY, EXAM, OWN, PROBLEM, RECORD, SECRET, answers, blank, category, choice, content, edit, exam,
        problem, problems, record_of, save, shown, start, submit, with,
    },
};
use serde_json::{Value, json};

const FIRST: &str = "13900000091";
const SECOND: &str = "13900000092";
const LOG: &str = "/data/pc/sys/log/record";

/// The version that waits for its auditors.
async fn waiting(operator: &Client<'_>) -> Value {
    let list = operator.post(&format!("{AUDIT}/list"), json!({ "auditStatus": "pending" })).await;
    list.data()["list"][0]["id"].clone()
}

/// Who reads the trail need not be among those who read keys.
#[tokio::test]
async fn the_trail_of_a_question_has_no_key() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let place = category(&operator, "problem", "货币").await;
    let form = choice(place, "货币最基本的职能是");
    let id = problem(&operator, form.clone()).await;
    let turned = with(form, json!({ "id": id, "version": 1, "answer": { "letters": ["A"] } }));
    operator.put(&format!("{PROBLEM}/edit"), turned).await.id();
    operator.delete(&format!("{PROBLEM}/delete?id={id}")).await.id();
    let told: String = server
        .one("select string_agg(changes::text, ' ' order by id) from platform.audit_log where entity_type = 'online_problem'")
        .await;
    assert!(!told.contains(SECRET) && !told.contains("letters"), "{told}");
    assert!(told.contains("货币最基本的职能是") && told.contains("答案和解析（已修改，不记录）"), "{told}");
    // Categories of either kind have a trail that can be read.
    for kind in ["info", "problem"] {
        let id = category(&operator, kind, "有记录").await;
        let trail = operator.post(LOG, json!({ "entityType": "online_category", "entityId": id })).await;
        assert_eq!(trail.data()["totalCount"], json!(1), "{kind}: {}", trail.body);
    }
}

/// A version may wait for long; what it refers to may have gone, or been switched off, meanwhile.
#[tokio::test]
async fn a_version_is_published_with_what_is_there() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let [first, second, _] = problems(&operator).await;
    let exam = shown(&operator, content("已发布", 2.0, 1.0, &[(first, 2.0)])).await;
    let place = category(&operator, "info", "将被删除").await;
    let lecturer = json!({ "lecturerName": "方讲师", "phone": "13900000003" });
    let lecturer = operator.post("/user/pc/lecturer/save", lecturer).await.id();
    let after = content("改版", 2.0, 1.0, &[(second, 2.0)]);
    edit(&operator, exam, with(after.clone(), json!({ "categoryId": place })), "review").await.id();
    operator.delete(&format!("{CATEGORY}/info/delete?id={place}")).await.id();
    let approve = async |id: &Value| {
        operator.put(&format!("{AUDIT}/audit"), json!({ "id": id, "auditStatus": "approved" })).await
    };
    let version = waiting(&operator).await;
    let gone = (409, "该版本的分类已被删除，不能发布，请修改后重新提交");
    assert_eq!(approve(&version).await.refused(), gone);
    let reject = json!({ "id": version, "auditStatus": "rejected", "auditOpinion": "分类已删除" });
    operator.put(&format!("{AUDIT}/audit"), reject).await.id();
    edit(&operator, exam, with(after, json!({ "lecturerId": lecturer })), "review").await.id();
    let version = waiting(&operator).await;
    let switch = async |path: &str, id: i64, enabled: bool| {
        operator.put(&format!("{path}/update/status"), json!({ "id": id, "enabled": enabled })).await.id()
    };
    switch(PROBLEM, second, false).await;
    assert_eq!(approve(&version).await.refused(), (409, "1题已停用，不能发布，请替换后重新提交"));
    switch(PROBLEM, second, true).await;
    switch("/user/pc/lecturer", lecturer, false).await;
    assert_eq!(approve(&version).await.refused(), (409, "讲师“方讲师”已停用，试卷不能上架"));
    let view = operator.get(&format!("{EXAM}/view?id={exam}")).await;
    assert_eq!((&view.data()["examName"], &view.data()["revisionStatus"]), (&json!("已发布"), &json!("pending")));
    switch("/user/pc/lecturer", lecturer, true).await;
    approve(&version).await.id();
}

/// A question that an exam has is one that learners can answer.
#[tokio::test]
async fn a_question_in_use_takes_no_files() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let place = category(&operator, "problem", "价值").await;
    let id = problem(&operator, blank(place, "价值的承担者是")).await;
    let filed = with(
        blank(place, "上传作业"),
        json!({
            "id": id, "version": 1, "type": "file_upload", "answer": {},
            "upload": { "extensions": ["docx"], "maxFiles": 1, "maxSizeMb": 10 },
        }),
    );
    let draft = save(&operator, content("草稿卷", 2.0, 1.0, &[(id, 2.0)]), "draft").await.id();
    let refused = operator.put(&format!("{PROBLEM}/edit"), filed.clone()).await;
    assert_eq!(fields(&refused), ["type: 试题已用于试卷，不能含有须上传附件的题目"]);
    operator.delete(&format!("{EXAM}/delete?id={draft}")).await.id();
    operator.put(&format!("{PROBLEM}/edit"), filed).await.id();
    let copied = with(choice(place, "货币是"), json!({ "copiedFrom": 999 }));
    let refused = operator.post(&format!("{PROBLEM}/save"), copied).await;
    assert_eq!(fields(&refused), ["copiedFrom: 复制的试题不存在或已被删除"]);
}

/// One attempt that cannot be marked holds up none of the others.
#[tokio::test]
async fn a_broken_attempt_holds_up_no_other() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let exam = exam(&operator, "限时", 0).await;
    let (first, _) = entered(&server, FIRST).await;
    let (second, _) = entered(&server, SECOND).await;
    let broken = record_of(&start(&first, exam).await);
    let theirs = record_of(&start(&second, exam).await);
    server.run(&format!("update platform.online_exam_record set snapshot = '{{}}' where id = {broken}")).await;
    server.when_due("quiz.close", TimeDelta::minutes(92)).await;
    let states: String = server
        .one(&format!(
            "select string_agg(state, ' ' order by id) from platform.online_exam_record where id in ({broken}, {theirs})"
        ))
        .await;
    assert_eq!(states, "doing finished");
}

/// What a machine marked whole is nobody's to mark; tokens of the console and of learners open only their own calls.
#[tokio::test]
async fn everybody_keeps_to_their_own_calls() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let [first, second, _] = problems(&operator).await;
    let exam = shown(&operator, content("两题", 4.0, 2.0, &[(first, 2.0), (second, 2.0)])).await;
    let (learner, number) = entered(&server, FIRST).await;
    let stranger = (403, "当前身份不能访问");
    assert_eq!(start(&operator, exam).await.refused(), stranger);
    assert_eq!(learner.post(&format!("{RECORD}/list"), json!({})).await.refused(), stranger);
    assert_eq!(learner.get(&format!("{EXAM}/view?id={exam}")).await.refused(), stranger);
    let id = record_of(&start(&learner, exam).await);
    submit(&learner, id, answers("B", "A", None)).await.data();
    let view = operator.get(&format!("{RECORD}/view?id={id}")).await.data().clone();
    assert_eq!((&view["score"], &view["byHand"]), (&json!(2.0), &json!(false)));
    let marking = json!({ "id": id, "version": view["version"], "items": [] });
    let refused = operator.put(&format!("{RECORD}/mark"), marking).await;
    assert_eq!(refused.refused(), (409, "答卷中没有须批改的题目"));
    // Who was switched off begins nothing more.
    operator.put(&format!("{EXT}/update/status"), json!({ "id": number, "enabled": false })).await.id();
    assert_eq!(learner.post(&format!("{OWN}/start"), json!({ "examId": exam })).await.code(), 303);
}
