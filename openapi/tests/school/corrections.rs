//! Corrections of the key fields of a person (part 02 §9.6, §9.12, §13).

use kit::{
    Client, Server,
    admission::open_batch,
    clients::{self, entered},
    cohort::{Cohort, cohort, registrar},
    corrections::{CORRECTION, audit, correction, evidence, seen},
    fields,
    registration::{audited, ready, registration, registrations, report},
    rows::setting,
    sheets::texts,
    site_staff::STAFF,
    students::{ROLL, id_number, save, student},
};
use poem::http::Method;
use serde_json::{Value, json};

const OWN: &str = "/user/client/correction";

/// Somebody who waits for registration, with a number of the exam alone.
async fn waiting(client: &Client<'_>, p: &Cohort, n: usize) -> i64 {
    let mut body = student(p, n);
    (body["status"], body["studentNo"]) = (json!("pending_registration"), json!(null));
    body["examineeNo"] = json!(format!("264201{n:08}"));
    save(client, body).await
}

/// As lists show a number.
fn masked(number: &str) -> String {
    format!("{}***********{}", &number[..3], &number[14..])
}

async fn ask(client: &Client<'_>, body: Value) -> kit::Answer {
    client.post(&format!("{CORRECTION}/save"), body).await
}

async fn of_student(client: &Client<'_>, id: i64) -> Value {
    client.get(&format!("{ROLL}/view?id={id}")).await.data().clone()
}

/// Who is not registered yet: the school decides, and somebody else than who asked.
#[tokio::test]
async fn who_asked_does_not_decide() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let id = waiting(&admin, &p, 1).await;
    let wanted = correction(id, "data_error", json!({ "name": "张晓玫", "ethnicity": "02", "gender": "male" }));
    let asked = ask(&admin, wanted.clone()).await.id();
    let page = seen(&admin, asked).await;
    assert_eq!((&page["status"], &page["own"]), (&json!("pending_school"), &json!(true)));
    assert_eq!(page["before"], json!({ "name": "张晓梅" }), "the gender is as it was; there was no ethnicity");
    assert_eq!(page["after"], json!({ "name": "张晓玫", "ethnicity": "02" }));
    assert_eq!((&page["ethnicityBefore"], &page["ethnicityAfter"]), (&json!(null), &json!("蒙古族")));
    assert_eq!(ask(&other, wanted).await.refused(), (409, "该生有未完成的信息更正"));
    assert_eq!(audit(&admin, asked, "pass", json!({})).await.refused(), (409, "本人提交的信息更正须由他人审核"));
    let refused = audit(&other, asked, "reject", json!({ "remark": "否" })).await;
    assert_eq!(fields(&refused), ["remark: 请填写原因"]);
    let numbered = audit(&other, asked, "pass", json!({ "provinceDocNo": "省12号" })).await;
    assert_eq!(fields(&numbered), ["provinceDocNo: 尚未报省厅，请不要填写省厅文号"]);
    assert_eq!(of_student(&admin, id).await["name"], json!("张晓梅"), "nothing is written before");
    assert_eq!(audit(&other, asked, "pass", json!({})).await.id(), asked);
    let page = seen(&other, asked).await;
    assert_eq!((&page["status"], &page["own"]), (&json!("approved"), &json!(false)));
    assert!(page["decidedOn"].is_string(), "{page}");
    let steps: Vec<&Value> = page["steps"].as_array().expect("steps").iter().map(|step| &step["toStatus"]).collect();
    assert_eq!(steps, [&json!("pending_school"), &json!("approved")]);
    let now = of_student(&admin, id).await;
    assert_eq!((&now["name"], &now["ethnicityName"]), (&json!("张晓玫"), &json!("蒙古族")));
    assert_eq!((&now["version"], &now["registerResult"]), (&json!(2), &json!("none")));
    // The search by parts and by first letters follows the name.
    for (keyword, found) in [("晓玫", 1), ("晓梅", 0), ("zxm", 1)] {
        let list = admin.post(&format!("{ROLL}/list"), json!({ "keyword": keyword })).await;
        assert_eq!(list.data()["totalCount"], json!(found), "{keyword}");
    }
    let history = admin.get(&format!("{ROLL}/history?id={id}")).await.data().clone();
    let told = history.as_array().expect("rows").last().expect("a row").clone();
    assert_eq!((&told["kind"], &told["toStatus"]), (&json!("correction"), &json!("pending_registration")));
    assert_eq!((&told["before"], &told["after"]["name"]), (&json!({ "name": "张晓梅" }), &json!("张晓玫")));
    assert_eq!(audit(&other, asked, "pass", json!({})).await.refused(), (409, "当前状态为已更正，不能审核"));
    let cancel = json!({ "id": asked, "version": page["version"] });
    let refused = other.post(&format!("{CORRECTION}/cancel"), cancel).await;
    assert_eq!(refused.refused(), (409, "当前状态为已更正，不能取消"));
    // What is decided makes room for another.
    ask(&admin, correction(id, "data_error", json!({ "name": "张小玫" }))).await.id();
}

/// Who is registered: the school, then the province with the number of its paper. What 学信网 said stays.
#[tokio::test]
async fn the_province_decides_about_who_is_registered() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let id = save(&admin, student(&p, 1)).await;
    let closed = correction(id, "data_error", json!({ "name": "张晓玫" }));
    assert_eq!(fields(&ask(&admin, closed).await), ["kind: 学籍已上报学信网，录取信息有误的更正已关闭"]);
    let papers = evidence(&admin, &["id_card", "hukou"]).await;
    let wanted = json!({ "idCardNo": id_number(3), "attachments": papers });
    let asked = ask(&admin, correction(id, "changed_by_police", wanted)).await.id();
    let page = seen(&admin, asked).await;
    assert_eq!(page["after"], json!({ "idCardNo": masked(&id_number(3)) }), "masked, and the birthday is the same");
    assert_eq!(page["attachments"].as_array().map(Vec::len), Some(2));
    let address = page["attachments"][0]["url"].as_str().expect("an address");
    let mut file = admin.raw(Method::GET, address, None, Vec::new()).await;
    assert_eq!(file.take_body().into_vec().await.expect("bytes"), b"12345");
    let look = |field: &str| json!({ "entity": "studentCorrection", "id": asked, "field": field });
    for (field, number) in [("beforeIdCardNo", id_number(1)), ("afterIdCardNo", id_number(3))] {
        let whole = admin.post("/system/pc/plain/view", look(field)).await;
        assert_eq!(whole.data()["value"], json!(number));
    }
    assert_eq!(audit(&other, asked, "pass", json!({})).await.id(), asked);
    assert_eq!(seen(&other, asked).await["status"], json!("pending_province"));
    assert_eq!(fields(&audit(&other, asked, "pass", json!({})).await), ["provinceDocNo: 请填写省厅批复文号"]);
    let number = json!({ "provinceDocNo": "省教学籍〔2026〕12号" });
    assert_eq!(audit(&admin, asked, "pass", number.clone()).await.code(), 409, "not by who asked");
    assert_eq!(audit(&other, asked, "pass", number).await.id(), asked);
    let stored: String = server
        .one(&format!("select id_card_no || register_result || status from school_1.student where id = {id}"))
        .await;
    assert_eq!(stored, format!("{}acceptedregistered", id_number(3)));
    let history = admin.get(&format!("{ROLL}/history?id={id}")).await.data().clone();
    let told = history.as_array().expect("rows").last().expect("a row").clone();
    assert_eq!(told["documentNo"], json!("省教学籍〔2026〕12号"));
    assert_eq!(told["after"], json!({ "idCardNo": masked(&id_number(3)) }), "the history tells no whole number");
    let trail: i64 = server
        .one(&format!(
            "select count(*) from school_1.audit_log where entity_type in ('student', 'student_correction')
             and changes::text ~ '{}|{}'",
            id_number(1),
            id_number(3)
        ))
        .await;
    assert_eq!(trail, 0, "nor does the trail");
    // The initial password is made of the number that they have now.
    clients::school(&server).await;
    let login = format!("26{:08}", 1);
    let initial = format!("Aa@{}", &id_number(3)[12..]);
    assert_eq!(clients::sign_in(&server, &login, &initial, "student").await.code(), 200);
}

/// §9.12 scenarios 4 and 5, and what else an application needs.
#[tokio::test]
async fn each_value_has_its_evidence_and_its_rules() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = save(&admin, student(&p, 1)).await;
    let taken = waiting(&admin, &p, 5).await;
    let edit = json!({ "id": id, "version": 1, "idCardNo": id_number(3) });
    let refused = admin.put(&format!("{ROLL}/edit"), edit).await;
    assert_eq!(refused.refused(), (409, "该字段为学籍关键信息，请走信息更正或学籍异动"));
    let told = async |kinds: &[&str], wanted: Value| {
        let mut body = correction(id, "changed_by_police", wanted);
        body["attachments"] = evidence(&admin, kinds).await;
        fields(&ask(&admin, body).await)
    };
    let number = json!({ "idCardNo": id_number(3) });
    let both = json!({ "name": "李四", "idCardNo": id_number(3) });
    // The 1,003rd person was born a day later.
    let born = json!({ "idCardNo": id_number(1003) });
    assert_eq!(told(&["id_card", "hukou"], both.clone()).await, ["idCardNo: 姓名和身份证号不能同时更正"]);
    assert_eq!(told(&["id_card"], number.clone()).await, ["attachments: 缺少材料：户口簿"]);
    assert_eq!(told(&[], number.clone()).await, ["attachments: 缺少材料：身份证、户口簿"]);
    assert_eq!(told(&["id_card", "hukou"], born.clone()).await, ["attachments: 缺少材料：公安证明"]);
    // Another kind of document with the same number is another document.
    let kind = json!({ "idCardType": "passport" });
    assert_eq!(told(&[], kind).await, ["attachments: 缺少材料：身份证、户口簿"]);
    let named = json!({ "idCardType": "passport", "name": "李四" });
    assert_eq!(told(&["id_card", "hukou"], named).await, ["idCardType: 姓名和身份证号不能同时更正"]);
    setting(&server, "correctionBothAllowed", &json!(true)).await;
    assert_eq!(told(&["id_card", "hukou"], both).await, ["attachments: 缺少材料：公安证明"]);
    let shown = of_student(&admin, id).await["idCardNo"].clone();
    for same in [json!({}), json!({ "name": "张晓梅", "gender": "male", "idCardNo": shown })] {
        assert_eq!(told(&[], same).await, ["name: 没有需要更正的内容，请填写更正后的信息"]);
    }
    let wrong = format!("{}0", &id_number(3)[..17]);
    assert_eq!(
        told(&[], json!({ "idCardNo": wrong })).await,
        [format!("idCardNo: 身份证号校验位错误，应为{}", &id_number(3)[17..])]
    );
    assert_eq!(told(&[], json!({ "birthday": "1990-01-02" })).await, ["birthday: 出生日期与身份证号不符"]);
    assert_eq!(told(&[], json!({ "gender": "female" })).await, ["gender: 性别与身份证号不符"]);
    assert_eq!(told(&[], json!({ "ethnicity": "99" })).await, ["ethnicity: 民族取值无效，请重新选择"]);
    let officer = json!({ "idCardType": "military_id", "idCardNo": "12345678" });
    assert_eq!(told(&[], officer).await, ["idCardType: 军官证只能随历史数据导入，请选择其他证件"]);
    assert_eq!(
        told(&["id_card", "hukou"], json!({ "idCardNo": id_number(5) })).await,
        [format!("idCardNo: 该证件号已属于在籍学生（264201{:08}）", 5)]
    );
    let examinee = format!("264201{:08}", 5);
    assert_eq!(told(&[], json!({ "examineeNo": examinee })).await, [format!("examineeNo: 考生号“{examinee}”已存在")]);
    let twice = json!([{ "kind": "other", "key": "private/s1/202605/nothing.pdf" }]);
    let mut body = correction(id, "changed_by_police", json!({ "name": "李四" }));
    body["attachments"] = twice;
    assert_eq!(fields(&ask(&admin, body).await), ["attachments[0].key: 文件不存在或未上传完成，请重新上传"]);
    let mut short = correction(id, "changed_by_police", json!({ "name": "李四" }));
    short["reason"] = json!("略");
    assert_eq!(ask(&admin, short).await.code(), 422);
    // A login name of somebody else is nobody's number.
    server
        .run(&format!("update school_1.client_account set login_name = '26420199999999' where owner_id = {id}"))
        .await;
    let login = correction(taken, "data_error", json!({ "examineeNo": "26420199999999" }));
    assert_eq!(fields(&ask(&admin, login).await), ["examineeNo: 登录名“26420199999999”已被其他账号使用"]);
    // With the police's paper number and birthday go together.
    let mut right = correction(id, "changed_by_police", born);
    right["attachments"] = evidence(&admin, &["id_card", "hukou", "police_certificate"]).await;
    let asked = ask(&admin, right).await.id();
    let page = seen(&admin, asked).await;
    assert_eq!(page["after"]["birthday"], json!("1990-01-02"), "{page}");
    assert_eq!(page["before"]["birthday"], json!("1990-01-01"));
    for status in ["graduated", "completed"] {
        server
            .run(&format!(
                "update school_1.student set status = '{status}', ended_on = '2026-05-01' where id = {taken}"
            ))
            .await;
        let refused = ask(&admin, correction(taken, "changed_by_police", json!({ "name": "李四" }))).await;
        assert_eq!(refused.refused(), (409, "学历已注册，不可更正身份信息"));
    }
}

/// Whatever held when it was asked for is looked at again.
#[tokio::test]
async fn an_approval_looks_again() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let id = waiting(&admin, &p, 1).await;
    let papers = evidence(&admin, &["id_card", "hukou"]).await;
    let wanted = json!({ "idCardNo": id_number(3), "attachments": papers });
    let asked = ask(&admin, correction(id, "data_error", wanted)).await.id();
    waiting(&admin, &p, 3).await;
    let refused = audit(&other, asked, "pass", json!({})).await;
    assert_eq!(refused.code(), 409);
    assert_eq!(refused.msg(), format!("该证件号已属于在籍学生（264201{:08}）", 3));
    assert_eq!(seen(&admin, asked).await["status"], json!("pending_school"));
    server.run(&format!("update school_1.student set register_result = 'exported' where id = {id}")).await;
    let refused = audit(&other, asked, "pass", json!({})).await;
    assert_eq!(refused.refused(), (409, "学籍已上报学信网，录取信息有误的更正已关闭"));
    server
        .run(&format!(
            "update school_1.student set register_result = 'none', id_card_no = '{}' where id = {id}",
            id_number(7)
        ))
        .await;
    assert_eq!(audit(&other, asked, "pass", json!({})).await.refused(), (409, "学生信息已变化，请重新核对"));
    server
        .run(&format!("update school_1.student set status = 'graduated', ended_on = '2026-05-01' where id = {id}"))
        .await;
    assert_eq!(audit(&other, asked, "pass", json!({})).await.refused(), (409, "学历已注册，不可更正身份信息"));
    assert_eq!(audit(&other, asked, "reject", json!({ "remark": "已毕业" })).await.id(), asked);
    let page = seen(&admin, asked).await;
    assert_eq!((&page["status"], &page["steps"][1]["remark"]), (&json!("rejected"), &json!("已毕业")));
}

/// The own one is edited until somebody has looked at it; whoever may edit takes any back.
#[tokio::test]
async fn the_own_one_is_edited_and_any_is_taken_back() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let (id, second) = (save(&admin, student(&p, 1)).await, save(&admin, student(&p, 2)).await);
    let papers = evidence(&admin, &["id_card", "hukou"]).await;
    let wanted = json!({ "idCardNo": id_number(3), "attachments": papers });
    let asked = ask(&admin, correction(id, "changed_by_police", wanted)).await.id();
    let edited = |student: i64, version: i64, more: Value| {
        let mut body = correction(student, "changed_by_police", more);
        (body["id"], body["version"]) = (json!(asked), json!(version));
        body
    };
    let put = async |client: &Client<'_>, body: Value| client.put(&format!("{CORRECTION}/edit"), body).await;
    // What came masked stays; the papers are replaced as a whole.
    let shown = seen(&admin, asked).await["after"]["idCardNo"].clone();
    let kept = papers[0].clone();
    let new = evidence(&admin, &["hukou", "other"]).await;
    let papers = json!([kept, new[0], new[1]]);
    let body = edited(id, 1, json!({ "idCardNo": shown, "attachments": papers }));
    assert_eq!(put(&other, body.clone()).await.refused(), (409, "只能修改本人提交的信息更正"));
    let elsewhere = edited(second, 1, json!({ "name": "李四" }));
    assert_eq!(fields(&put(&admin, elsewhere).await), ["studentId: 更正的学生不能更换，请另行申请"]);
    assert_eq!(put(&admin, body.clone()).await.id(), asked);
    assert_eq!(put(&admin, body).await.code(), 409, "the version was read before");
    let page = seen(&admin, asked).await;
    let kinds: Vec<&Value> =
        page["attachments"].as_array().expect("papers").iter().map(|paper| &paper["kind"]).collect();
    assert_eq!(kinds, [&json!("id_card"), &json!("hukou"), &json!("other")]);
    let nobodys: i64 = server
        .one("select count(*) from school_1.file_object where owner_id is null and original_name = 'hukou.pdf'")
        .await;
    assert_eq!(nobodys, 1, "the paper that was replaced");
    let stored: String = server.one("select changes #>> '{idCardNo,to}' from school_1.student_correction").await;
    assert_eq!(stored, id_number(3));
    assert_eq!(audit(&other, asked, "pass", json!({})).await.id(), asked);
    let late = edited(id, 3, json!({ "idCardNo": shown, "attachments": papers }));
    assert_eq!(put(&admin, late).await.refused(), (409, "当前状态为待省厅，不能修改"));
    let cancel = json!({ "id": asked, "version": 3, "remark": "学生要求撤回" });
    assert_eq!(other.post(&format!("{CORRECTION}/cancel"), cancel).await.id(), asked);
    let page = seen(&admin, asked).await;
    assert_eq!((&page["status"], &page["decidedOn"]), (&json!("cancelled"), &json!(null)));
    assert_eq!(of_student(&admin, id).await["idCardNo"], json!(masked(&id_number(1))), "as it was");
}

/// Two at once: one correction is open, and one decision holds.
#[tokio::test]
async fn of_two_at_once_one_succeeds() {
    let server = Server::start().await;
    let (admin, other, third) = (registrar(&server).await, registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let id = waiting(&admin, &p, 1).await;
    let wanted = |name: &str| correction(id, "data_error", json!({ "name": name }));
    let (one, two) = tokio::join!(ask(&admin, wanted("张晓玫")), ask(&admin, wanted("张小梅")));
    let mut told = [(one.code(), one.msg().to_owned()), (two.code(), two.msg().to_owned())];
    told.sort();
    assert_eq!((told[0].0, &told[1]), (200, &(409, "该生有未完成的信息更正".to_owned())));
    let asked: i64 = server.one("select id from school_1.student_correction").await;
    let body = |result: &str| json!({ "id": asked, "version": 1, "result": result, "remark": "材料不符" });
    let path = format!("{CORRECTION}/audit");
    let (one, two) = tokio::join!(other.post(&path, body("pass")), third.post(&path, body("reject")));
    let mut codes = [one.code(), two.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409], "{} {}", one.body, two.body);
    let steps: i64 = server.one("select count(*) from school_1.student_correction_step").await;
    assert_eq!(steps, 2);
    // Two students who are to have one number: the second waits, and sees what the first has.
    let (first, second) = (waiting(&admin, &p, 11).await, waiting(&admin, &p, 13).await);
    let mut both = Vec::new();
    for student in [first, second] {
        let papers = evidence(&admin, &["id_card", "hukou"]).await;
        let wanted = json!({ "idCardNo": id_number(15), "attachments": papers });
        both.push(ask(&admin, correction(student, "data_error", wanted)).await.id());
    }
    let (one, two) = tokio::join!(audit(&other, both[0], "pass", json!({})), audit(&third, both[1], "pass", json!({})));
    let mut codes = [one.code(), two.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409], "{} {}", one.body, two.body);
}

/// A person of another site or school reaches nothing; the scope follows the student.
#[tokio::test]
async fn a_correction_is_seen_where_its_student_is() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let mut of_class = student(&p, 1);
    of_class["classId"] = json!(class);
    let id = save(&admin, of_class).await;
    let other = save(&admin, student(&p, 2)).await;
    let wanted = |student: i64| correction(student, "changed_by_police", json!({ "name": "李四" }));
    let asked = ask(&admin, wanted(id)).await.id();
    ask(&admin, wanted(other)).await.id();
    let codes = ["list", "view", "export", "save", "edit", "audit", "viewPlain"]
        .map(|code| format!("adult:pc:correction:{code}"));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let stranger = server.staff_within(1, &codes, "named_sites", &[far]).await;
    let foreign = server.staff(2, &codes).await;
    for client in [&stranger, &foreign] {
        let list = client.post(&format!("{CORRECTION}/list"), json!({})).await;
        assert_eq!(list.data()["totalCount"], json!(0));
        assert_eq!(client.get(&format!("{CORRECTION}/view?id={asked}")).await.code(), 404);
        assert_eq!(ask(client, wanted(id)).await.code(), 404);
        let decision = json!({ "id": asked, "version": 1, "result": "pass" });
        assert_eq!(client.post(&format!("{CORRECTION}/audit"), decision).await.code(), 404);
        let cancel = json!({ "id": asked, "version": 1 });
        assert_eq!(client.post(&format!("{CORRECTION}/cancel"), cancel).await.code(), 404);
        let mut edit = wanted(id);
        (edit["id"], edit["version"]) = (json!(asked), json!(1));
        assert_eq!(client.put(&format!("{CORRECTION}/edit"), edit).await.code(), 404);
        let plain = json!({ "entity": "studentCorrection", "id": asked, "field": "afterIdCardNo" });
        assert_eq!(client.post("/system/pc/plain/view", plain).await.code(), 404);
        assert_eq!(texts(&client.post(&format!("{CORRECTION}/export"), json!({})).await.bytes).len(), 1);
    }
    let manager = server.staff_within(1, &codes, "named_classes", &[class]).await;
    let list = manager.post(&format!("{CORRECTION}/list"), json!({})).await.data().clone();
    assert_eq!((&list["totalCount"], &list["list"][0]["id"]), (&json!(1), &json!(asked)), "those of the class");
    server.run(&format!("update school_1.student set class_id = null, site_id = {far} where id = {id}")).await;
    assert_eq!(manager.get(&format!("{CORRECTION}/view?id={asked}")).await.code(), 404, "the student has left it");
    assert_eq!(seen(&stranger, asked).await["siteName"], json!("城西教学点"));
}

/// Whoever reported is listed and found there by the corrected values; what the authority sent stays.
#[tokio::test]
async fn a_correction_reaches_the_list_of_registrations() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    audited(&admin, &p, batch, 1..3).await;
    ready(&server).await;
    let row = registration(&admin, 1).await;
    let reported = report(&admin, &row).await;
    let id = reported.data()["studentId"].as_i64().expect("a student");
    let asked = ask(&admin, correction(id, "data_error", json!({ "name": "张小玫" }))).await.id();
    assert_eq!(audit(&other, asked, "pass", json!({})).await.id(), asked);
    assert_eq!(registration(&admin, 1).await["name"], json!("张小玫"));
    for (keyword, found) in [("小玫", 1), ("晓梅", 1)] {
        let list = registrations(&admin, json!({ "keyword": keyword })).await;
        assert_eq!(list.len(), found, "{keyword}");
    }
    let view = admin.get(&format!("/adult/pc/registration/view?id={}", row["id"])).await.data().clone();
    assert_eq!(view["name"], json!("张小玫"), "{view}");
    let told: String = server
        .one(&format!(
            "select changes::text from school_1.audit_log
             where entity_type = 'registration' and entity_id = {} and action = 'update' order by id desc limit 1",
            row["id"]
        ))
        .await;
    assert!(told.contains("张晓梅") && told.contains("张小玫"), "{told}");
    let kept: String = server.one("select string_agg(distinct name, ',') from school_1.admission").await;
    assert_eq!(kept, "张晓梅");
}

/// Filters name the same rows in list and export; numbers are whole only for whoever may have them so.
#[tokio::test]
async fn a_list_is_filtered_and_exported() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (one, two) = (save(&admin, student(&p, 1)).await, waiting(&admin, &p, 2).await);
    let papers = evidence(&admin, &["id_card", "hukou"]).await;
    let number = json!({ "idCardNo": id_number(3), "attachments": papers });
    let first = ask(&admin, correction(one, "changed_by_police", number)).await.id();
    let second = ask(&admin, correction(two, "data_error", json!({ "name": "王丽", "ethnicity": "02" }))).await.id();
    let cancel = json!({ "id": second, "version": 1 });
    admin.post(&format!("{CORRECTION}/cancel"), cancel).await.id();
    let found = async |filter: Value| {
        let list = admin.post(&format!("{CORRECTION}/list"), filter.clone()).await.data().clone();
        let rows = list["list"].as_array().expect("rows").clone();
        let exported = texts(&admin.post(&format!("{CORRECTION}/export"), filter).await.bytes).len();
        assert_eq!(rows.len() + 1, exported);
        rows.iter().map(|row| row["id"].as_i64().expect("an id")).collect::<Vec<_>>()
    };
    assert_eq!(found(json!({})).await, [second, first], "the newest first");
    for (filter, ids) in [
        (json!({ "status": "cancelled" }), vec![second]),
        (json!({ "kind": "changed_by_police" }), vec![first]),
        (json!({ "source": "student_client" }), vec![]),
        (json!({ "studentId": one }), vec![first]),
        (json!({ "siteId": p.site, "majorId": p.major, "gradeId": p.grade, "levelId": p.level }), vec![second, first]),
        (json!({ "siteId": p.site + 100 }), vec![]),
        (json!({ "keyword": id_number(2) }), vec![second]),
        (json!({ "keyword": "2600000001" }), vec![first]),
        (json!({ "createdTo": "2020-01-01" }), vec![]),
        (json!({ "createdFrom": "2020-01-01" }), vec![second, first]),
    ] {
        assert_eq!(found(filter.clone()).await, ids, "{filter}");
    }
    let asked = format!("{CORRECTION}/export?whole=true&reason=%E6%8A%A5%E7%9C%81%E5%8E%85");
    for (path, is_whole) in [(format!("{CORRECTION}/export"), false), (asked, true)] {
        let rows = texts(&admin.post(&path, json!({})).await.bytes);
        assert_eq!(rows[1][11], "姓名：王丽；民族：蒙古族");
        assert_eq!(rows[2][11] == format!("证件号：{}", id_number(3)), is_whole, "{rows:?}");
    }
}

async fn paper(client: &Client<'_>, name: &str) -> Value {
    let form = json!({
        "fileName": name, "size": 5, "contentType": "application/pdf", "type": 3, "purpose": "registration",
    });
    let ticket = client.post("/user/client/upload/presign", form).await.data().clone();
    let url = ticket["url"].as_str().expect("an address");
    client.raw(Method::PUT, url, Some("application/pdf"), b"12345".to_vec()).await;
    client.post("/user/client/upload/complete", json!({ "key": ticket["key"] })).await.data();
    ticket["key"].clone()
}

/// §13: the student asks, the site of the student looks, the school decides.
#[tokio::test]
async fn a_student_asks_and_the_site_looks() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p = cohort(&admin).await;
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    for (site, phone) in [(p.site, "13600000001"), (far, "13600000002")] {
        let person = json!({ "siteId": site, "name": "刘站长", "phone": phone, "duty": "academic", "idCardNo": id_number(site as usize + 40) });
        admin.post(&format!("{STAFF}/save"), person).await.id();
    }
    let id = waiting(&admin, &p, 1).await;
    waiting(&admin, &p, 2).await;
    let login = |n: usize| format!("264201{n:08}");
    let initial = |number: &str| format!("Aa@{}", &number[12..]);
    let own = entered(&server, &login(1), &initial(&id_number(1)), "student").await;
    let other = entered(&server, &login(2), &initial(&id_number(2)), "student").await;
    let site = entered(&server, "13600000001", &initial(&id_number(p.site as usize + 40)), "site_staff").await;
    let elsewhere = entered(&server, "13600000002", &initial(&id_number(far as usize + 40)), "site_staff").await;
    let key = paper(&own, "户口簿.pdf").await;
    let form = json!({
        "requestId": "r-1", "kind": "data_error", "reason": "姓名与户口簿不一致", "name": "张晓玫", "examineeNo": "26420188888888",
        "attachments": [{ "kind": "hukou", "key": key }],
    });
    let asked = own.post(&format!("{OWN}/submit"), form.clone()).await.id();
    let replay = own.unlooked(Method::POST, &format!("{OWN}/submit"), Some(&form)).await;
    assert_eq!(replay.id(), asked, "sent twice it asks once");
    let mut again = form.clone();
    again["requestId"] = json!("r-2");
    again["attachments"] = json!([]);
    assert_eq!(own.post(&format!("{OWN}/submit"), again).await.refused(), (409, "该生有未完成的信息更正"));
    for (client, count) in [(&own, 1), (&other, 0), (&site, 1), (&elsewhere, 0)] {
        let list = client.post(&format!("{OWN}/list"), json!({})).await.data().clone();
        assert_eq!(list["totalCount"], json!(count), "{list}");
    }
    let row = site.post(&format!("{OWN}/list"), json!({ "status": "pending_site" })).await.data()["list"][0].clone();
    assert_eq!((&row["source"], &row["applicantName"]), (&json!("student_client"), &json!("张晓梅")));
    assert!(row["attachments"][0]["url"].is_string(), "the site reads the paper: {row}");
    assert_eq!(row["phone"], json!("154****0001"));
    let review = |version: i64, result: &str, remark: Option<&str>| json!({ "requestId": format!("s-{version}-{result}"), "id": asked, "version": version, "result": result, "remark": remark });
    let path = format!("{OWN}/siteReview");
    assert_eq!(elsewhere.put(&path, review(1, "pass", None)).await.code(), 404);
    assert_eq!(own.put(&path, review(1, "pass", None)).await.code(), 403, "no student reviews");
    assert_eq!(site.post(&format!("{OWN}/submit"), form).await.code(), 403, "no site asks");
    assert_eq!(fields(&site.put(&path, review(1, "reject", None)).await), ["remark: 请填写原因"]);
    assert_eq!(site.put(&path, review(1, "pass", Some("材料属实"))).await.id(), asked);
    let replay = site.unlooked(Method::PUT, &path, Some(&review(1, "pass", Some("材料属实")))).await;
    assert_eq!(replay.data(), &json!({ "id": asked, "warnings": [] }), "sent twice it is done once");
    assert_eq!(site.put(&path, review(2, "pass", None)).await.refused(), (409, "当前状态为待学校，不能审核"));
    let page = seen(&admin, asked).await;
    assert_eq!((&page["status"], &page["own"]), (&json!("pending_school"), &json!(false)));
    assert_eq!((&page["steps"][1]["remark"], &page["steps"][1]["actorName"]), (&json!("材料属实"), &json!("刘站长")));
    let mut edit = correction(id, "data_error", json!({ "name": "张小玫" }));
    (edit["id"], edit["version"]) = (json!(asked), json!(2));
    let refused = admin.put(&format!("{CORRECTION}/edit"), edit).await;
    assert_eq!(refused.refused(), (409, "只能修改本人提交的信息更正"));
    assert_eq!(audit(&admin, asked, "pass", json!({})).await.id(), asked);
    // The session goes on under the new name, and the login name follows the number.
    let name: String = server
        .one(&format!("select string_agg(distinct person_name, '') from school_1.client_session where kind = 'student' and person_id = {id} and revoked_at is null"))
        .await;
    assert_eq!(name, "张晓玫");
    assert_eq!(clients::sign_in(&server, "26420188888888", clients::OWN, "student").await.code(), 200);
    assert_ne!(clients::sign_in(&server, &login(1), clients::OWN, "student").await.code(), 200);
    // What a site does not pass ends there; where it says nothing the school looks in its place.
    let second = json!({ "requestId": "r-1", "kind": "data_error", "reason": "民族有误", "ethnicity": "02" });
    let rejected = other.post(&format!("{OWN}/submit"), second.clone()).await.id();
    let review = json!({ "requestId": "s-9", "id": rejected, "version": 1, "result": "reject", "remark": "没有证明" });
    assert_eq!(site.put(&path, review).await.id(), rejected);
    assert_eq!(seen(&admin, rejected).await["status"], json!("rejected"));
    let mut third = second;
    third["requestId"] = json!("r-2");
    let silent = other.post(&format!("{OWN}/submit"), third).await.id();
    assert_eq!(audit(&admin, silent, "pass", json!({})).await.id(), silent);
    assert_eq!(seen(&admin, silent).await["status"], json!("pending_school"));
}

/// Staff in the place of a student stay who they are: what they sent in is decided by somebody else.
#[tokio::test]
async fn staff_in_the_place_of_a_student_do_not_decide() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let other = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = waiting(&admin, &p, 1).await;
    let path = format!("/user/pc/student/oneClickLogin?id={id}&reason=%E4%BB%A3%E4%B8%BA%E7%94%B3%E8%AF%B7");
    let acting = clients::with_token(&server, &admin.get(&path).await);
    let form = json!({ "requestId": "r-1", "kind": "data_error", "reason": "民族有误", "ethnicity": "02" });
    let asked = acting.post(&format!("{OWN}/submit"), form).await.id();
    assert_eq!(audit(&admin, asked, "pass", json!({})).await.refused(), (409, "本人提交的信息更正须由他人审核"));
    assert_eq!(audit(&other, asked, "pass", json!({})).await.id(), asked);
}

/// What the rules find worth a second look reaches whoever decides, and the answer to a call that is sent again.
#[tokio::test]
async fn what_is_worth_a_second_look_reaches_who_decides() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let other = registrar(&server).await;
    let p = cohort(&admin).await;
    let (id, second) = (waiting(&admin, &p, 1).await, waiting(&admin, &p, 2).await);
    // Born on 2009-06-01: sixteen as they enter.
    let number = |serial: usize| {
        let mut number = format!("42990020090601{serial:03}");
        number.push(student_status::id_card::check_digit(&number));
        number
    };
    let warnings = json!(["入学时未满17周岁，请核对"]);
    let papers = evidence(&admin, &["id_card", "hukou", "police_certificate"]).await;
    let wanted = json!({ "idCardNo": number(11), "attachments": papers });
    let asked = ask(&admin, correction(id, "data_error", wanted)).await;
    assert_eq!(asked.data()["warnings"], warnings, "{}", asked.body);
    let asked = asked.id();
    assert_eq!(seen(&other, asked).await["warnings"], warnings, "who decides reads it");
    let decided = audit(&other, asked, "pass", json!({})).await;
    assert_eq!(decided.data()["warnings"], warnings);
    // In the client of a student the same is told, and told again.
    let initial = format!("Aa@{}", &id_number(2)[12..]);
    let own = entered(&server, &format!("264201{:08}", 2), &initial, "student").await;
    let mut keys = Vec::new();
    for kind in ["id_card", "hukou", "police_certificate"] {
        keys.push(json!({ "kind": kind, "key": paper(&own, &format!("{kind}.pdf")).await }));
    }
    let form = json!({ "requestId": "r-7", "kind": "data_error", "reason": "证件号有误", "idCardNo": number(13), "attachments": keys });
    let first = own.post(&format!("{OWN}/submit"), form.clone()).await.data().clone();
    assert_eq!(first["warnings"], warnings);
    let replay = own.unlooked(Method::POST, &format!("{OWN}/submit"), Some(&form)).await;
    assert_eq!(replay.data(), &first);
    let mut changed = form;
    changed["reason"] = json!("民族有误");
    let refused = own.unlooked(Method::POST, &format!("{OWN}/submit"), Some(&changed)).await;
    assert_eq!(refused.refused(), (409, "请求编号已被使用"));
    let open: i64 =
        server.one(&format!("select count(*) from school_1.student_correction where student_id = {second}")).await;
    assert_eq!(open, 1);
}
