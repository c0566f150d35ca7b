//! What students state and sign, and how staff look at it (part 02 §11).

use kit::{
    Client, Server,
    clients::{self, entered},
    cohort::{Cohort, cohort, registrar},
    corrections::{CORRECTION, audit},
    fields,
    files::{paper, uploaded},
    imports::{newest, undone},
    information::{
        COMMITMENT, GRADUATION, INFORMATION, all_right, commitment, form_of, information, photographed, turn, window,
        with,
    },
    jobs::ended,
    rows::{self, setting},
    sheets::{self, sheet},
    students::{HEADINGS, ROLL, id_number, import_rows, row, save, student},
};
use poem::http::Method;
use serde_json::{Value, json};
use sqlx::Connection;

/// Somebody who waits for registration and has a number to sign in with.
async fn waiting(client: &Client<'_>, p: &Cohort, n: usize) -> i64 {
    save(client, with(student(p, n), json!({ "status": "pending_registration" }))).await
}

async fn signed_in<'s>(server: &'s Server, n: usize) -> Client<'s> {
    entered(server, &format!("26{n:08}"), &format!("Aa@{}", &id_number(n)[12..]), "student").await
}

fn own(group: &str) -> String {
    group.replace("/pc/", "/client/")
}

async fn seen(client: &Client<'_>, group: &str) -> Value {
    client.get(&format!("{}/view", own(group))).await.data().clone()
}

async fn send(client: &Client<'_>, group: &str, request: &str, form: Value) -> kit::Answer {
    let version = seen(client, group).await["version"].clone();
    let body = with(form, json!({ "requestId": request, "version": version }));
    client.post(&format!("{}/submit", own(group)), body).await
}

/// Scenarios 2, 7 and 8, and what an approval writes.
#[tokio::test]
async fn what_a_student_confirms_goes_into_the_register() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let other = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = waiting(&admin, &p, 1).await;
    let student = signed_in(&server, 1).await;
    let none = student.unlooked(Method::GET, &format!("{}/view", own(INFORMATION)), None).await;
    assert_eq!(none.code(), 404, "there is no form before its window begins");
    admin
        .post(&format!("{INFORMATION}/window/save"), with(window(&server, &p), json!({ "requireSignature": true })))
        .await
        .id();
    let mine = seen(&student, INFORMATION).await;
    assert_eq!(
        (&mine["status"], &mine["windowOpen"], &mine["requireSignature"]),
        (&json!("not_submitted"), &json!(true), &json!(true))
    );
    assert_eq!(mine["items"].as_array().map(Vec::len), Some(13));
    // Everything that is missing is told at once.
    let told = send(&student, INFORMATION, "r-1", json!({ "items": [{ "key": "name", "ok": false }] })).await;
    let told = fields(&told);
    assert!(told.iter().any(|one| one == "items: 姓名有误时请填写正确的信息"), "{told:?}");
    assert!(told.iter().any(|one| one == "items: 出生日期尚未核对"), "{told:?}");
    assert!(told.iter().any(|one| one.starts_with("phone: ")), "{told:?}");
    assert!(told.iter().any(|one| one.starts_with("resume: ")), "{told:?}");
    let unsigned = send(&student, INFORMATION, "r-2", information(&mine)).await;
    assert_eq!(fields(&unsigned), ["signature: 请签名"]);
    // A draft waits with whatever was typed.
    let draft = with(information(&mine), json!({ "requestId": "r-3", "version": mine["version"], "items": [] }));
    student.put(&format!("{}/save", own(INFORMATION)), draft).await.id();
    let mine = seen(&student, INFORMATION).await;
    assert_eq!((&mine["status"], &mine["information"]["phone"]), (&json!("not_submitted"), &json!("138****8000")));
    // A wrong birthday opens a correction, which keeps the school from approving.
    let signature = uploaded(&admin, "签名.png", "image/png", b"12345").await;
    let mut items = all_right(&mine);
    items[2] = json!({ "key": "birthday", "ok": false, "declared": "1991-02-03" });
    items[5] = json!({ "key": "political_status", "ok": false, "declared": "01" });
    let wrong = with(information(&mine), json!({ "items": items, "signature": signature, "phone": "138****8000" }));
    let told = send(&student, INFORMATION, "r-4", wrong).await;
    assert_eq!(told.code(), 422, "the birthday stands in the number: {}", told.body);
    let mut items = all_right(&mine);
    items[0] = json!({ "key": "name", "ok": false, "declared": "张晓玫" });
    items[5] = json!({ "key": "political_status", "ok": false, "declared": "01" });
    let wrong = with(information(&mine), json!({ "items": items, "signature": signature, "phone": "138****8000" }));
    send(&student, INFORMATION, "r-5", wrong.clone()).await.id();
    let row = form_of(&admin, INFORMATION, id).await;
    assert_eq!(
        (&row["status"], &row["mismatches"], &row["correctionStatus"]),
        (&json!("submitted"), &json!(2), &json!("pending_site"))
    );
    // The home page counts it, and leads to the same list (01 §11).
    let home = admin.get("/data/pc/dashboard/school").await.data().clone();
    let todo = home["todos"].as_array().expect("todos").iter().find(|todo| todo["key"] == json!("pendingInformation"));
    let todo = todo.expect("the work");
    let listed = admin.post(&format!("{INFORMATION}/list"), json!({ "status": "submitted" })).await;
    assert_eq!((&todo["count"], &listed.data()["totalCount"]), (&json!(1), &json!(1)));
    assert_eq!(todo["link"], json!("/schoolPC/information/information/studentStatistics?status=submitted"));
    let held = turn(&admin, INFORMATION, "review", id, json!({ "result": "pass" })).await;
    assert_eq!(held.refused(), (409, "存在1项核对不符，请先处理信息更正"));
    let correction = row["correctionId"].as_i64().expect("a correction");
    for remark in ["pass", "reject"] {
        let more = if remark == "reject" { json!({ "remark": "与身份证不符" }) } else { json!({}) };
        audit(&other, correction, remark, more).await.id();
    }
    let held = turn(&admin, INFORMATION, "review", id, json!({ "result": "pass" })).await;
    assert_eq!(held.refused(), (409, "存在1项核对不符，请先处理信息更正"), "rejected is not corrected");
    let bare = turn(&admin, INFORMATION, "reject", id, json!({})).await;
    assert_eq!(fields(&bare), ["remark: 请填写原因"]);
    turn(&admin, INFORMATION, "reject", id, json!({ "remark": "姓名以身份证为准" })).await.id();
    let mine = seen(&student, INFORMATION).await;
    assert_eq!(
        (&mine["status"], &mine["remark"], &mine["returnCount"]),
        (&json!("returned"), &json!("姓名以身份证为准"), &json!(1))
    );
    let told: i64 = server.one("select count(*) from school_1.event_outbox where name = 'information_returned'").await;
    assert_eq!(told, 1, "the student is told why");
    // The student and the school at once: who comes second is told.
    let before = form_of(&admin, INFORMATION, id).await;
    let mut items = all_right(&mine);
    items[5] = json!({ "key": "political_status", "ok": false, "declared": "01" });
    let right = with(information(&mine), json!({ "items": items, "phone": "13900139000", "signature": signature }));
    send(&student, INFORMATION, "r-6", right.clone()).await.id();
    let stale = json!({ "id": before["id"], "version": before["version"], "result": "pass" });
    assert_eq!(admin.post(&format!("{INFORMATION}/review"), stale).await.code(), 409);
    turn(&admin, INFORMATION, "review", id, json!({ "result": "pass" })).await.id();
    let late = send(&student, INFORMATION, "r-7", right).await;
    assert_eq!(late.refused(), (409, "已审核，不能修改"));
    let now: (String, String, String) = (
        server.one(&format!("select phone from school_1.student where id = {id}")).await,
        server.one(&format!("select political_status from school_1.student where id = {id}")).await,
        server.one(&format!("select name from school_1.student where id = {id}")).await,
    );
    assert_eq!(now, ("13900139000".to_owned(), "01".to_owned(), "张晓梅".to_owned()));
    let page = admin.get(&format!("{INFORMATION}/view?id={}", before["id"])).await.data().clone();
    let steps: Vec<&Value> = page["steps"].as_array().expect("steps").iter().map(|step| &step["step"]).collect();
    assert_eq!(steps, [&json!("submit"), &json!("return"), &json!("submit"), &json!("approve")]);
    assert!(page["signatureUrl"].is_string() && page["idCardNo"].as_str().expect("a number").contains('*'), "{page}");
    // Taken back only before 学信网 knows.
    turn(&admin, INFORMATION, "review", id, json!({ "result": "return", "remark": "照片有误" })).await.id();
    let again = with(information(&mine), json!({ "signature": signature }));
    send(&student, INFORMATION, "r-8", again).await.id();
    turn(&admin, INFORMATION, "review", id, json!({ "result": "pass" })).await.id();
    let registering = form_of(&admin, INFORMATION, id).await;
    server.run(&format!("update school_1.student set status = 'registered', register_result = 'accepted', registered_on = '2026-03-20' where id = {id}")).await;
    let body =
        json!({ "id": registering["id"], "version": registering["version"], "result": "return", "remark": "照片有误" });
    assert_eq!(admin.post(&format!("{INFORMATION}/review"), body).await.refused(), (409, "该生已注册学籍，不能撤销"));
    // Who has left is only read.
    server.run(&format!("update school_1.student set status = 'withdrawn', status_reason = 'voluntary', ended_on = '2026-04-01' where id = {id}")).await;
    let gone = turn(&admin, INFORMATION, "review", id, json!({ "result": "return", "remark": "照片有误" })).await;
    assert_eq!(gone.refused(), (409, "该生已不在籍，不能办理"));
    assert_eq!(form_of(&admin, INFORMATION, id).await["counted"], json!(false));
}

/// Scenarios 3 and 9: the former education of who comes from 专科, and the 承诺书 as it was signed.
#[tokio::test]
async fn a_commitment_stays_as_it_was_signed() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p = cohort(&admin).await;
    let (one, two) = (waiting(&admin, &p, 1).await, waiting(&admin, &p, 2).await);
    let without = admin.post(&format!("{COMMITMENT}/window/save"), window(&server, &p)).await;
    assert!(fields(&without)[0].starts_with("templateText: "), "{}", without.body);
    let text = "本人{name}（{idCardNo}）承诺：报读{school}{level}{major}专业所提交的材料真实有效。";
    let opened = with(window(&server, &p), json!({ "templateText": text }));
    let opened = admin.post(&format!("{COMMITMENT}/window/save"), opened).await.id();
    let taken = with(window(&server, &p), json!({ "templateText": text }));
    let taken = admin.post(&format!("{COMMITMENT}/window/save"), taken).await;
    assert_eq!(taken.refused().0, 409, "{}", taken.body);
    let row = form_of(&admin, COMMITMENT, one).await;
    assert_eq!(row["chsiPreCheck"], json!("pending"), "专升本 is checked");
    let diploma = paper(&admin, "学历报告.pdf").await;
    let student = signed_in(&server, 1).await;
    let lacks = with(commitment(&diploma), json!({ "preEduCertificateNo": null, "signed": false, "files": [] }));
    let told = fields(&send(&student, COMMITMENT, "r-1", lacks).await);
    assert_eq!(told, ["preEduCertificateNo: 请填写毕业证书号", "files: 请上传证明材料", "signed: 请阅读并签署承诺书"]);
    let old = with(commitment(&diploma), json!({ "preEduCertificateNo": "9900123" }));
    let told = send(&student, COMMITMENT, "r-2", old).await.data().clone();
    assert_eq!(told["warnings"], json!(["毕业证书号“9900123”不是17或18位数字，请核对"]));
    // Another text is another version; who signed keeps theirs.
    let windows = admin.get(&format!("{COMMITMENT}/window/list")).await.data().clone();
    let edited = with(
        window(&server, &p),
        json!({ "id": opened, "version": windows[0]["version"], "templateText": format!("{text}如有虚假，自愿退学。") }),
    );
    admin.put(&format!("{COMMITMENT}/window/edit"), edited).await.id();
    let second = paper(&admin, "学历报告2.pdf").await;
    let other = signed_in(&server, 2).await;
    send(&other, COMMITMENT, "r-3", commitment(&second)).await.id();
    let signed = |student: i64| {
        format!(
            "select commitment_version from school_1.student_information where student_id = {student} and kind = 'admission_commitment'"
        )
    };
    assert_eq!((server.one::<i32>(&signed(one)).await, server.one::<i32>(&signed(two)).await), (1, 2));
    let stored: String = server
        .one(&format!("select commitment_text from school_1.student_information where student_id = {one} and kind = 'admission_commitment'"))
        .await;
    assert!(
        stored.starts_with(&format!("本人张晓梅（{}）承诺：报读", id_number(1))) && !stored.contains("自愿退学"),
        "{stored}"
    );
    // The conclusion decides.
    let bare = turn(&admin, COMMITMENT, "review", one, json!({ "result": "pass" })).await;
    assert_eq!(fields(&bare), ["conclusion: 请选择审查结论"]);
    let wrong = turn(&admin, COMMITMENT, "review", one, json!({ "result": "pass", "conclusion": "supplement" })).await;
    assert_eq!(fields(&wrong), ["conclusion: 审查结论为合格的才能通过，其余请退回"]);
    turn(&admin, COMMITMENT, "review", one, json!({ "result": "pass", "conclusion": "qualified" })).await.id();
    let learned: (String, String) = (
        server.one(&format!("select pre_edu_school from school_1.student where id = {one}")).await,
        server.one(&format!("select pre_edu_certificate_no from school_1.student where id = {one}")).await,
    );
    assert_eq!(learned, ("湖北职业技术学院".to_owned(), "9900123".to_owned()));
    let body = json!({ "result": "return", "conclusion": "unqualified", "remark": "毕业证书查无信息" });
    turn(&admin, COMMITMENT, "review", two, body).await.id();
    let row = form_of(&admin, COMMITMENT, two).await;
    assert_eq!((&row["status"], &row["conclusion"]), (&json!("returned"), &json!("unqualified")));
    // 学信网 finds afterwards that a diploma is none: the form stays approved, and the conclusion falls.
    let headings = ["考生号", "姓名", "身份证号", "清查结果", "清查日期"];
    server.run("update school_1.student set examinee_no = '2642010115' || id").await;
    let number = |id: i64| format!("2642010115{id}");
    let found = [number(one), "张晓梅".to_owned(), id_number(1), "未通过".to_owned(), "2026-06-20".to_owned()];
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    let strange = [number(two), "李四".to_owned(), id_number(2), "通过".to_owned(), String::new()];
    let strange: Vec<&str> = strange.iter().map(String::as_str).collect();
    let call = format!("{COMMITMENT}/preCheck/import");
    let refused = admin.upload(&call, "file", "清查.xlsx", sheets::XLSX, &sheet(&headings, &[&found, &strange])).await;
    assert_eq!(refused.data()["imported"], json!(0), "{}", refused.body);
    let taken = admin.upload(&call, "file", "清查.xlsx", sheets::XLSX, &sheet(&headings, &[&found])).await;
    assert_eq!(taken.data()["imported"], json!(1), "{}", taken.body);
    let row = form_of(&admin, COMMITMENT, one).await;
    assert_eq!(
        (&row["status"], &row["conclusion"], &row["chsiPreCheck"], &row["chsiCheckedOn"]),
        (&json!("approved"), &json!("unqualified"), &json!("failed"), &json!("2026-06-20"))
    );
    // Whoever withdraws students finds the one on the home page, and the register has a tag on them.
    let home = admin.get("/data/pc/dashboard/school?refresh=true").await.data().clone();
    let todo = home["todos"].as_array().expect("todos").iter().find(|todo| todo["key"] == json!("failedCommitments"));
    assert_eq!(todo.expect("the work")["count"], json!(1), "{home}");
    let behind = json!({ "status": "approved", "conclusion": "unqualified", "counted": true });
    assert_eq!(admin.post(&format!("{COMMITMENT}/list"), behind).await.data()["totalCount"], json!(1));
    let register = admin.post(&format!("{ROLL}/list"), json!({})).await.data()["list"].clone();
    let tagged: Vec<&Value> =
        register.as_array().expect("rows").iter().filter(|row| row["chsiFailed"] == json!(true)).collect();
    assert_eq!(tagged.iter().map(|row| &row["id"]).collect::<Vec<_>>(), [&json!(one)]);
    assert_eq!(admin.get(&format!("{ROLL}/view?id={one}")).await.data()["chsiFailed"], json!(true));
}

/// A sheet of results goes back while nobody decided on the form since.
#[tokio::test]
async fn imported_results_of_former_diplomas_go_back() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p = cohort(&admin).await;
    let (one, two) = (waiting(&admin, &p, 1).await, waiting(&admin, &p, 2).await);
    let opened = with(window(&server, &p), json!({ "templateText": "本人{name}承诺材料真实有效。" }));
    admin.post(&format!("{COMMITMENT}/window/save"), opened).await.id();
    server.run("update school_1.student set examinee_no = '2642010115' || id").await;
    let result = |id: i64, n: usize, word: &str| {
        [format!("2642010115{id}"), "张晓梅".to_owned(), id_number(n), word.to_owned(), "2026-06-20".to_owned()]
    };
    let rows = [result(one, 1, "未通过"), result(two, 2, "通过")];
    let rows = rows.each_ref().map(|row| row.each_ref().map(String::as_str));
    let file = sheet(&["考生号", "姓名", "身份证号", "清查结果", "清查日期"], &[&rows[0], &rows[1]]);
    let call = format!("{COMMITMENT}/preCheck/import");
    let taken = admin.upload(&call, "file", "清查.xlsx", sheets::XLSX, &file).await;
    assert_eq!(taken.data()["imported"], json!(2), "{}", taken.body);
    let results = async || {
        let form = "school_1.student_information where kind = 'admission_commitment'";
        server.one::<String>(&format!("select string_agg(chsi_pre_check, ' ' order by id) from {form}")).await
    };
    assert_eq!(results().await, "failed passed");
    // Whoever signs what was found stands behind it.
    let diploma = paper(&admin, "学历报告.pdf").await;
    send(&signed_in(&server, 2).await, COMMITMENT, "r-1", commitment(&diploma)).await.id();
    let checked = undone(&admin, true).await;
    assert_eq!(checked["message"], json!("共2条，可撤销1条，1条不能撤销"), "{checked}");
    assert_eq!(checked["errors"][0]["name"], json!("张晓梅"), "{checked}");
    assert_eq!(results().await, "failed passed", "a check changes nothing");
    let done = undone(&admin, false).await;
    assert_eq!(done["message"], json!("共2条，已撤销1条，1条保留"), "{done}");
    assert_eq!(results().await, "pending passed");
    assert_eq!(form_of(&admin, COMMITMENT, one).await["chsiCheckedOn"], Value::Null);
    let told: Vec<String> = server
        .one(
            "select array_agg(t.remark order by t.id) from school_1.student_information_step t
             join school_1.student_information i on i.id = t.student_information_id
             where t.step = 'pre_check' and i.chsi_pre_check = 'pending'",
        )
        .await;
    assert_eq!(told, ["未通过", "撤销导入，恢复为未查"]);
}

/// A sheet of students goes back with accounts, history and the forms that opened by themselves. Who stated something, or was
/// edited, stays and is told.
#[tokio::test]
async fn imported_students_go_wholly_unless_something_was_made_of_them() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p = cohort(&admin).await;
    let people: Vec<Vec<String>> = (1..=4).map(|n| row(n).to_vec()).collect();
    let done = import_rows(&admin, &HEADINGS, &people).await;
    assert_eq!(done.data()["imported"], json!(4), "{}", done.body);
    admin.post(&format!("{INFORMATION}/window/save"), window(&server, &p)).await.id();
    let of = |n: usize| format!("from school_1.student where student_no = '26{n:08}'");
    let stated = signed_in(&server, 1).await;
    let mine = seen(&stated, INFORMATION).await;
    send(&stated, INFORMATION, "u-1", information(&mine)).await.id();
    let edited: i64 = server.one(&format!("select id {}", of(2))).await;
    let edit = json!({ "id": edited, "version": 1, "phone": "15400000002", "remark": "已核对" });
    assert_eq!(admin.put(&format!("{ROLL}/edit"), edit).await.code(), 200);
    // What a student was told goes with them.
    server
        .run(&format!(
            "with told as (
                 insert into school_1.msg (title, content, msg_type, channels, audience, scene_code, status, creator_name, created_by,
                     updated_by)
                 values ('提醒', '提醒', 'system', '{{in_app}}', 'scene', 'import_finished', 'sent', '系统', 0, 0) returning id)
             insert into school_1.msg_delivery (msg_id, recipient_type, recipient_id, recipient_name, channel, status,
                 next_attempt_at, expires_at, created_at)
             select told.id, 'student', s.id, s.name, 'in_app', 'cancelled', now(), now(), now()
             from told, (select id, name {}) s",
            of(3)
        ))
        .await;
    let run = newest(&admin).await;
    assert_eq!((&run["total"], &run["records"], &run["undone"]), (&json!(4), &json!(4), &json!(0)), "{run}");
    let narrow = server.staff_within(1, &["adult:pc:studentRoll:import"], "named_sites", &[p.site]).await;
    let theirs = narrow.put("/system/pc/import/undo", json!({ "id": run["id"], "dryRun": false })).await;
    assert_eq!(theirs.code(), 404, "with a narrower scope one undoes one's own alone: {}", theirs.body);
    let count = async |what: &str| server.one::<i64>(&format!("select count(*) from school_1.{what}")).await;
    let checked = undone(&admin, true).await;
    assert_eq!(checked["message"], json!("共4条，可撤销2条，2条不能撤销"), "{checked}");
    assert_eq!(count("student").await, 4, "a check changes nothing");
    let done = undone(&admin, false).await;
    assert_eq!(done["message"], json!("共4条，已撤销2条，2条保留"), "{done}");
    let kept = done["errors"].as_array().expect("who stays");
    assert!(kept[0]["msg"].as_str().is_some_and(|msg| msg.starts_with("导入后已被")), "{done}");
    let told = (&kept[1]["name"], &kept[1]["msg"]);
    assert_eq!(told, (&json!("张晓梅"), &json!("学生已有1条学生信息，不能撤销导入")));
    for what in
        ["student", "student_status_change", "student_information", "client_account where owner_kind = 'student'"]
    {
        assert_eq!(count(what).await, 2, "{what}");
    }
    assert_eq!(count("msg_delivery where recipient_type = 'student'").await, 0);
    assert_eq!(count("student_number").await, 2, "the mended sheet brings them again");
    assert_eq!(count("audit_log where entity_type = 'student' and action = 'delete'").await, 2);
    assert_eq!(newest(&admin).await["undone"], json!(2));
    // The mended sheet brings the person again, under the same number.
    let again = import_rows(&admin, &HEADINGS, &people[3..]).await;
    assert_eq!(again.data()["imported"], json!(1), "{}", again.body);
}

/// Scenario 3: who begins after school needs no number, and nothing is checked.
#[tokio::test]
async fn who_comes_from_school_states_less() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    server
        .run("update school_1.level set entry_level = 'high_school_to_associate', national_level = 'associate'")
        .await;
    let id = waiting(&admin, &p, 1).await;
    let text = json!({ "templateText": "本人{name}承诺所提交的材料真实有效。" });
    admin.post(&format!("{COMMITMENT}/window/save"), with(window(&server, &p), text)).await.id();
    let row = form_of(&admin, COMMITMENT, id).await;
    assert_eq!(row["chsiPreCheck"], json!("not_required"));
    // Staff fill it in from the paper that the student signed.
    let (diploma, scan) = (paper(&admin, "毕业证.pdf").await, paper(&admin, "承诺书.pdf").await);
    let form = json!({
        "id": row["id"], "version": row["version"], "submit": true, "evidenceKind": "high_school", "signed": true,
        "files": [{ "kind": "attachment", "key": diploma }],
    });
    let unscanned = admin.put(&format!("{COMMITMENT}/edit"), form.clone()).await;
    assert_eq!(fields(&unscanned), ["files: 代填请上传学生本人签字的纸质表扫描件"]);
    let files = json!([{ "kind": "attachment", "key": diploma }, { "kind": "paper", "key": scan }]);
    admin.put(&format!("{COMMITMENT}/edit"), with(form, json!({ "files": files }))).await.id();
    let row = form_of(&admin, COMMITMENT, id).await;
    assert_eq!((&row["status"], &row["submittedBy"]), (&json!("submitted"), &json!("staff")));
}

/// Scenario 6: with the class manager between.
#[tokio::test]
async fn the_class_manager_looks_first() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let manager = json!({ "workNo": "B01", "name": "王班主任", "phone": "13700000001", "idCardNo": id_number(70), "siteIds": [p.site] });
    let manager = admin.post("/user/pc/classManager/save", manager).await.id();
    admin.put("/user/pc/classManager/allocation", json!({ "managerId": manager, "classIds": [class] })).await;
    server.run(&format!("update school_1.class set manager_id = {manager} where id = {class}")).await;
    let (one, two) = (waiting(&admin, &p, 1).await, waiting(&admin, &p, 2).await);
    server.run(&format!("update school_1.student set class_id = {class} where id = {one}")).await;
    setting(&server, "classManagerReview", &json!(true)).await;
    admin.post(&format!("{INFORMATION}/window/save"), window(&server, &p)).await.id();
    for n in [1, 2] {
        let student = signed_in(&server, n).await;
        let mine = seen(&student, INFORMATION).await;
        send(&student, INFORMATION, "r-1", information(&mine)).await.id();
    }
    let row = form_of(&admin, INFORMATION, one).await;
    let items = json!({ "items": [{ "id": row["id"], "version": row["version"] }], "result": "pass" });
    let told = admin.post(&format!("{INFORMATION}/batchReview"), items).await.data().clone();
    assert_eq!((&told["done"], &told["failed"][0]["msg"]), (&json!(0), &json!("待班主任审核")));
    assert_eq!(told["failed"][0]["name"], json!("张晓梅"));
    let desk = entered(&server, "B01", &format!("Aa@{}", &id_number(70)[12..]), "class_manager").await;
    let list = desk.post(&format!("{}/list", own(INFORMATION)), json!({})).await.data().clone();
    assert_eq!((&list["totalCount"], &list["list"][0]["studentId"]), (&json!(1), &json!(one)), "only the own classes");
    let beyond = form_of(&admin, INFORMATION, two).await;
    let review = |request: &str, row: &Value| json!({ "requestId": request, "id": row["id"], "version": row["version"], "result": "pass" });
    let call = format!("{}/classReview", own(INFORMATION));
    assert_eq!(desk.post(&call, review("m-1", &beyond)).await.code(), 404);
    desk.post(&call, review("m-2", &row)).await.data();
    let row = form_of(&admin, INFORMATION, one).await;
    assert_eq!(row["status"], json!("class_passed"));
    turn(&admin, INFORMATION, "review", one, json!({ "result": "pass" })).await.id();
    let students = desk.post("/user/client/student/list", json!({})).await.data().clone();
    assert_eq!(students["totalCount"], json!(1), "{students}");
    let figures = desk.post(&format!("{}/classStatistics", own(INFORMATION)), json!({ "gradeId": p.grade })).await;
    assert_eq!((&figures.data()["total"]["should"], &figures.data()["total"]["approved"]), (&json!(1), &json!(1)));
}

/// Rows past the server: so many students of a class with their forms in these states.
async fn forms(server: &Server, p: &Cohort, class: i64, first: i64, states: &[(&str, i64)]) {
    let count = states.iter().map(|(_, count)| count).sum();
    rows::students(server, p, p.site, Some(class), first, count).await;
    let mut from = first;
    for (state, count) in states {
        server
            .run(&format!(
                "insert into school_1.student_information (kind, student_id, status, submitted_at, submitted_by, created_by, updated_by)
                 select 'admission_information', id, '{state}', case when '{state}' <> 'not_submitted' then now() end,
                        case when '{state}' <> 'not_submitted' then 'student' end, 0, 0
                 from school_1.student where student_no between '26' || lpad('{from}', 8, '0') and '26' || lpad('{}', 8, '0')",
                from + count - 1
            ))
            .await;
        from += count;
    }
}

/// Scenarios 1 and 10: figures of classes, and reminding them.
#[tokio::test]
async fn figures_add_up_and_a_class_is_reminded_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let one = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let two = admin.post("/adult/pc/class/save", with(p.class("C2"), json!({ "capacity": 60 }))).await.id();
    forms(&server, &p, one, 1000, &[("not_submitted", 3), ("submitted", 5), ("approved", 36), ("returned", 2)]).await;
    forms(&server, &p, two, 2000, &[("approved", 44)]).await;
    admin.post(&format!("{INFORMATION}/window/save"), window(&server, &p)).await.id();
    let missing = admin.post(&format!("{INFORMATION}/classStatistics"), json!({})).await;
    assert_eq!(fields(&missing), ["gradeId: 请选择年级"]);
    let told =
        admin.post(&format!("{INFORMATION}/classStatistics"), json!({ "gradeId": p.grade })).await.data().clone();
    let lines = told["lines"].as_array().expect("lines");
    let line = lines.iter().find(|line| line["classId"] == json!(one)).expect("a line");
    let figures = |line: &Value| -> Vec<Value> {
        ["should", "notSubmitted", "submitted", "approved", "returned", "submitRate", "passRate"]
            .map(|name| line[name].clone())
            .to_vec()
    };
    assert_eq!(figures(line), json!([46, 3, 5, 36, 2, 93.5, 78.3]).as_array().expect("figures").clone());
    assert_eq!(figures(&told["total"]), json!([90, 3, 5, 80, 2, 96.7, 88.9]).as_array().expect("figures").clone());
    let list = json!({ "gradeId": p.grade, "classId": one, "status": "submitted", "counted": true });
    assert_eq!(admin.post(&format!("{INFORMATION}/list"), list).await.data()["totalCount"], json!(5));
    // Suspended still counts, and who has left does not.
    server.run("update school_1.student set status = 'withdrawn', status_reason = 'voluntary', ended_on = '2026-04-01' where student_no = '2600001000'").await;
    let told =
        admin.post(&format!("{INFORMATION}/classStatistics"), json!({ "gradeId": p.grade, "classId": one })).await;
    assert_eq!((&told.data()["total"]["should"], &told.data()["total"]["notSubmitted"]), (&json!(45), &json!(2)));
    let remind = |classes: &[i64]| json!({ "classIds": classes });
    let done = admin.post(&format!("{INFORMATION}/remind"), remind(&[one])).await.data().clone();
    assert_eq!((&done["done"], &done["failed"]), (&json!(1), &json!([])));
    let told: i64 = server
        .one("select jsonb_array_length(payload -> 'recipients')::bigint from school_1.event_outbox where name = 'information_remind'")
        .await;
    assert_eq!(told, 4, "not handed in, or returned");
    forms(&server, &p, two, 3000, &[("not_submitted", 1)]).await;
    let again = admin.post(&format!("{INFORMATION}/remind"), remind(&[one, two])).await.data().clone();
    assert_eq!(again["done"], json!(1), "{again}");
    assert_eq!((&again["failed"][0]["id"], &again["failed"][0]["msg"]), (&json!(one), &json!("24小时内已催办")));
    // Somebody of another site sees nothing of it.
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let codes = ["user:pc:admissionInformation:list", "user:pc:admissionInformation:edit"];
    let narrow = server.staff_within(1, &codes, "named_sites", &[far]).await;
    let told =
        narrow.post(&format!("{INFORMATION}/classStatistics"), json!({ "gradeId": p.grade })).await.data().clone();
    assert_eq!(told["total"]["should"], json!(0), "{told}");
    let reminded = narrow.post(&format!("{INFORMATION}/remind"), remind(&[two])).await.data().clone();
    assert_eq!((&reminded["done"], reminded["failed"].as_array().map(Vec::len)), (&json!(0), Some(1)));
}

/// Scenario 4: a thousand by filter, of whom twelve say that something is wrong.
#[tokio::test]
async fn a_thousand_are_approved_at_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    forms(&server, &p, class, 1000, &[("submitted", 1000)]).await;
    server
        .run(
            "update school_1.student_information set mismatches = 1,
                    content = '{\"items\": [{\"key\": \"name\", \"registered\": \"甲\", \"ok\": false, \"declared\": \"乙\"}]}'
             where student_id in (select id from school_1.student order by id limit 12)",
        )
        .await;
    let bare = json!({ "filter": { "gradeId": p.grade, "status": "submitted" }, "result": "return" });
    let bare = admin.post(&format!("{INFORMATION}/batchReview"), bare).await;
    assert_eq!(fields(&bare), ["remark: 请填写原因"], "before any job");
    let filter = json!({ "filter": { "gradeId": p.grade, "status": "submitted" }, "result": "pass" });
    let job = admin.post(&format!("{INFORMATION}/batchReview"), filter).await.data()["jobId"].clone();
    let job = ended(&admin, &job).await;
    assert_eq!(job["message"], json!("共1000条，成功988条，失败12条"), "{job}");
    assert_eq!(job["errors"][0]["msg"], json!("存在1项核对不符，请先处理信息更正"), "{job}");
    let approved: i64 = server.one("select count(*) from school_1.student_information where status = 'approved'").await;
    assert_eq!(approved, 988);
}

/// 毕业登记: of who is registered and ends within the year of the window.
#[tokio::test]
async fn who_graduates_fills_a_form_in() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p = cohort(&admin).await;
    let (id, later) = (save(&admin, student(&p, 1)).await, save(&admin, student(&p, 2)).await);
    let suspended = save(&admin, student(&p, 3)).await;
    let year = chrono::Datelike::year(&server.app.clock().today());
    server.run(&format!("update school_1.student set expected_graduation_on = '{year}-07-10', enrolled_on = '2023-03-01' where id = {id}")).await;
    server
        .run(&format!("update school_1.student set expected_graduation_on = '{}-07-10' where id = {later}", year + 3))
        .await;
    server
        .run(&format!(
            "update school_1.student set status = 'suspended', suspended_until = '2027-01-01' where id = {suspended}"
        ))
        .await;
    admin.post(&format!("{GRADUATION}/window/save"), window(&server, &p)).await.id();
    let closes: i32 = server
        .one("select extract(year from closes_at at time zone 'Asia/Shanghai')::int from school_1.information_window")
        .await;
    let told = admin.post(&format!("{GRADUATION}/classStatistics"), json!({ "gradeId": p.grade })).await.data().clone();
    assert!(closes >= year && told["total"]["should"] == json!(1), "{told}");
    let none: i64 =
        server.one(&format!("select count(*) from school_1.student_information where student_id = {suspended}")).await;
    assert_eq!(none, 0, "who is suspended does not graduate");
    let student = signed_in(&server, 1).await;
    let mine = seen(&student, GRADUATION).await;
    let form = json!({
        "items": all_right(&mine), "selfAssessment": "好".repeat(199), "thesisTitle": "会计信息化研究", "rewards": "无",
        "resume": [{ "from": "2015-09", "to": null, "unit": "江城机械厂" }],
        "family": [{ "relation": "父亲", "name": "张建国", "unit": "退休" }],
    });
    let short = send(&student, GRADUATION, "r-1", form.clone()).await;
    assert_eq!(fields(&short), ["selfAssessment: 自我鉴定应为200至800个字符，现有199个"]);
    server
        .run(
            "update school_1.field_attribute set student_editable = false
             where stage = 'graduation_information' and field_key = 'rewards'",
        )
        .await;
    send(&student, GRADUATION, "r-2", with(form, json!({ "selfAssessment": "好".repeat(200) }))).await.id();
    let said = seen(&student, GRADUATION).await["graduation"].clone();
    assert_eq!((&said["thesisTitle"], &said["rewards"]), (&json!("会计信息化研究"), &Value::Null), "{said}");
    let row = form_of(&admin, GRADUATION, id).await;
    let item = json!([{ "id": row["id"], "version": row["version"] }]);
    let checked = admin.put(&format!("{GRADUATION}/photoCheck"), json!({ "items": item, "result": "different" })).await;
    assert_eq!(checked.data()["done"], json!(1), "{}", checked.body);
    let held = turn(&admin, GRADUATION, "review", id, json!({ "result": "pass" })).await;
    assert_eq!(held.refused(), (409, "三照比对不一致，不能通过"));
    let row = form_of(&admin, GRADUATION, id).await;
    let item = json!([{ "id": row["id"], "version": row["version"] }]);
    let same = json!({ "items": item, "result": "same" });
    let told = admin.put(&format!("{GRADUATION}/photoCheck"), same.clone()).await.data().clone();
    assert_eq!(told["failed"][0]["msg"], json!("缺少录取照片、入学照片、学历照片，不能判定一致"));
    photographed(&server, &admin, id).await;
    let told = admin.put(&format!("{GRADUATION}/photoCheck"), same).await.data().clone();
    assert_eq!(told["done"], json!(1), "{told}");
    let opinion = json!({ "filter": { "gradeId": p.grade }, "schoolOpinion": "同意毕业" });
    let job = admin.put(&format!("{GRADUATION}/opinion"), opinion).await.data()["jobId"].clone();
    ended(&admin, &job).await;
    turn(&admin, GRADUATION, "review", id, json!({ "result": "pass" })).await.id();
    let page = admin.get(&format!("{GRADUATION}/print?id={}", row["id"])).await.data().clone();
    assert!(page.to_string().contains("同意毕业"), "{page}");
    // 01 §13: names and numbers of the office stand below the header once they are set.
    setting(&server, "collegeName", &json!("继续教育学院")).await;
    setting(&server, "officePhone", &json!("027-87654321")).await;
    let roll = admin.get(&format!("{ROLL}/print?id={id}")).await.data().clone();
    assert_eq!(
        (&roll["student"]["name"], &roll["office"], &roll["header"]),
        (&json!("张晓梅"), &json!("继续教育学院　电话：027-87654321"), &roll["schoolName"])
    );
}

/// The correction that a wrong item opens is the student's, and follows its own way.
#[tokio::test]
async fn a_corrected_item_is_settled() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let other = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = waiting(&admin, &p, 1).await;
    admin.post(&format!("{INFORMATION}/window/save"), window(&server, &p)).await.id();
    let student = signed_in(&server, 1).await;
    let mine = seen(&student, INFORMATION).await;
    let mut items = all_right(&mine);
    items[0] = json!({ "key": "name", "ok": false, "declared": "张晓玫" });
    send(&student, INFORMATION, "r-1", with(information(&mine), json!({ "items": items }))).await.id();
    let correction = form_of(&admin, INFORMATION, id).await["correctionId"].as_i64().expect("a correction");
    audit(&other, correction, "pass", json!({})).await.id();
    audit(&other, correction, "pass", json!({})).await.id();
    let asked = other.get(&format!("{CORRECTION}/view?id={correction}")).await.data().clone();
    assert_eq!((&asked["status"], &asked["source"]), (&json!("approved"), &json!("student_client")), "{asked}");
    turn(&admin, INFORMATION, "review", id, json!({ "result": "pass" })).await.id();
    let name: String = server.one(&format!("select name from school_1.student where id = {id}")).await;
    assert_eq!(name, "张晓玫");
}

/// A window over many is opened in parts: the call opens the first, without waiting for anybody, and the job the rest.
#[tokio::test]
async fn a_window_over_many_is_opened_in_parts() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    rows::students(&server, &p, p.site, None, 1, 20_002).await;
    let mut desk = server.owner().await;
    let mut busy = desk.begin().await.expect("a transaction");
    sqlx::query("select id from school_1.student order by id limit 1 for update")
        .execute(&mut *busy)
        .await
        .expect("a student");
    admin.post(&format!("{INFORMATION}/window/save"), window(&server, &p)).await.id();
    let opened = "select count(*) from school_1.student_information";
    assert_eq!(server.one::<i64>(opened).await, 20_000);
    busy.rollback().await.expect("the student is free");
    let operator = server.operator().await;
    let named = json!({ "name": "information.opening" });
    let job = operator.post("/data/pc/druid/job/run", named).await.data()["jobId"].clone();
    let told = ended(&operator, &job).await;
    assert_eq!(told["message"], json!("已生成2条待提交的学生信息"), "{told}");
    assert_eq!(server.one::<i64>(opened).await, 20_002);
}

/// What is too large, or of another kind, is told before the bytes come, and again when a form takes it over.
#[tokio::test]
async fn papers_and_signatures_are_of_their_kind_and_size() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p = cohort(&admin).await;
    waiting(&admin, &p, 1).await;
    admin.post(&format!("{INFORMATION}/window/save"), window(&server, &p)).await.id();
    let student = signed_in(&server, 1).await;
    let presign = async |name: &str, content_type: &str, size: i64, purpose: &str| {
        let form =
            json!({ "fileName": name, "size": size, "contentType": content_type, "type": 3, "purpose": purpose });
        student.post("/user/client/upload/presign", form).await
    };
    for (name, content_type, size, told) in [
        ("签字.pdf", "application/pdf", (10 << 20) + 1, "size: 文件大小不能超过10MB"),
        ("签名.png", "image/png", (2 << 20) + 1, "size: 图片大小不能超过2MB"),
        ("材料.zip", "application/zip", 5, "fileName: 不支持上传该文件格式，可上传：pdf、jpg、jpeg、png"),
    ] {
        assert_eq!(fields(&presign(name, content_type, size, "information").await), [told]);
    }
    let sent = async |name: &str, content_type: &str, purpose: &str| -> String {
        let ticket = presign(name, content_type, 5, purpose).await.data().clone();
        let url = ticket["url"].as_str().expect("an address");
        student.raw(Method::PUT, url, Some(content_type), b"12345".to_vec()).await;
        student.post("/user/client/upload/complete", json!({ "key": ticket["key"] })).await.data();
        ticket["key"].as_str().expect("a key").to_owned()
    };
    let mine = seen(&student, INFORMATION).await;
    let keep = async |request: &str, more: Value| {
        let body = with(information(&mine), json!({ "requestId": request, "version": mine["version"] }));
        student.put(&format!("{}/save", own(INFORMATION)), with(body, more)).await
    };
    // A file that came in for something else.
    let archive = sent("作业.zip", "application/zip", "homework").await;
    let told = keep("r-1", json!({ "files": [{ "kind": "attachment", "key": archive }] })).await;
    assert_eq!(fields(&told), ["files[0].key: 不支持上传该文件格式，可上传：pdf、jpg、jpeg、png"]);
    let paper = sent("签名.pdf", "application/pdf", "information").await;
    assert_eq!(fields(&keep("r-2", json!({ "signature": paper })).await), ["signature: 请上传图片"]);
    let called = sent("作业.jpg", "application/pdf", "homework").await;
    let told = keep("r-3", json!({ "signature": called })).await;
    assert_eq!(fields(&told), ["signature: 文件内容类型与扩展名不一致，请重新选择文件"]);
    let picture = sent("签名.png", "image/png", "homework").await;
    server.run(&format!("update school_1.file_object set size = 2097153 where key = '{picture}'")).await;
    assert_eq!(fields(&keep("r-4", json!({ "signature": picture })).await), ["signature: 图片大小不能超过2MB"]);
    let owned: i64 =
        server.one("select count(*) from school_1.file_object where owner_type = 'student_information'").await;
    assert_eq!(owned, 0, "what is refused is nobody's");
    let picture = sent("签名.png", "image/png", "information").await;
    let files = json!([{ "kind": "attachment", "key": paper }]);
    keep("r-5", json!({ "signature": picture, "files": files })).await.id();
}
