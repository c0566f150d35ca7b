//! Certificates: the scenarios of part 04 §10.

use kit::{
    Client, Server,
    cohort::registrar,
    files::{png, uploaded, written},
    graduation::{BATCH, Graduates, confirm, graduates},
    lessons::with,
    rows::setting,
    sheets::{import, texts},
};
use poem::http::Method;
use serde_json::{Value, json};

const CERTIFICATE: &str = "/adult/pc/certificate";
const SETTING: &str = "/system/pc/sys/school/setting";

/// Two graduates whose batch is decided: the first completes, the second graduates.
async fn decided(server: &Server, admin: &Client<'_>) -> Graduates {
    let at = graduates(server, admin).await;
    at.audit(admin).await;
    let [first, second] = at.students;
    assert_eq!(at.decide(admin, first, "complete").await["done"], json!(1));
    assert_eq!(at.decide(admin, second, "graduate").await["done"], json!(1));
    at
}

async fn numbers(admin: &Client<'_>) -> Vec<Value> {
    let listed = admin.post(&format!("{CERTIFICATE}/list"), json!({})).await;
    listed.data()["list"].as_array().expect("certificates").clone()
}

/// §10 scenarios 1, 3 and 5.
#[tokio::test]
async fn numbers_are_given_once_behind_the_confirmation() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = decided(&server, &admin).await;
    let body = json!({ "batchId": at.batch, "preview": false });
    let path = format!("{CERTIFICATE}/allocate");
    assert_eq!(admin.post(&path, body.clone()).await.refused(), (409, "毕业批次尚未确认"));
    confirm(&admin, at.batch).await.data();
    let look = json!({ "batchId": at.batch, "preview": true });
    let seen = admin.unlooked(Method::POST, &path, Some(&look)).await.data().clone();
    assert_eq!((&seen["count"], numbers(&admin).await.len()), (&json!(2), 0), "{seen}");
    // Two clerks at once: nobody is numbered twice, and there is no gap; the second finds nobody left.
    let clerk = || admin.unlooked(Method::POST, &path, Some(&body));
    let (one, other) = tokio::join!(clerk(), clerk());
    assert_eq!([one.code(), other.code()], [200, 200], "{} {}", one.body, other.body);
    let mut given: Vec<String> =
        numbers(&admin).await.iter().map(|row| row["number"].as_str().expect("a number").to_owned()).collect();
    given.sort_unstable();
    assert_eq!(given.len(), 2);
    let level = seen["levels"][0]["levelCode"].as_str().expect("a level");
    assert_eq!(given, [format!("1008652028{level}000001"), format!("1008652028{level}000002")]);
}

/// §10 scenario 7: who leaves without either has no number, and is told so.
#[tokio::test]
async fn who_leaves_incomplete_has_no_number() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = graduates(&server, &admin).await;
    at.audit(&admin).await;
    let [first, second] = at.students;
    assert_eq!(at.decide(&admin, first, "incomplete").await["done"], json!(1));
    assert_eq!(at.decide(&admin, second, "graduate").await["done"], json!(1));
    confirm(&admin, at.batch).await.data();
    let body = json!({ "batchId": at.batch, "preview": false });
    let given = admin.post(&format!("{CERTIFICATE}/allocate"), body).await.data().clone();
    let left = &given["notNumbered"][0];
    assert_eq!(
        (&given["count"], &left["studentId"], &left["reason"]),
        (&json!(1), &json!(first), &json!("肄业不编号")),
        "{given}"
    );
    assert_eq!(numbers(&admin).await.len(), 1);
}

/// §10 scenario 2: a void number is not given again.
#[tokio::test]
async fn a_void_number_stays_used() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = decided(&server, &admin).await;
    confirm(&admin, at.batch).await.data();
    let path = format!("{CERTIFICATE}/allocate");
    let body = json!({ "batchId": at.batch, "preview": false });
    admin.post(&path, body.clone()).await.data();
    let rows = numbers(&admin).await;
    let first =
        rows.iter().find(|row| row["number"].as_str().expect("a number").ends_with("000001")).expect("the first");
    let gone = json!({ "id": first["id"], "version": first["version"], "reason": "打印错误" });
    admin.put(&format!("{CERTIFICATE}/void"), gone).await.data();
    admin.post(&path, body).await.data();
    let live: Vec<Value> = numbers(&admin).await.into_iter().filter(|row| row["status"] != json!("voided")).collect();
    let mut serials: Vec<&str> = live.iter().map(|row| &row["number"].as_str().expect("a number")[12..]).collect();
    serials.sort_unstable();
    assert_eq!(serials, ["000002", "000003"]);
}

/// A certificate is printed before it is issued, and taken back before it is void.
#[tokio::test]
async fn a_certificate_is_printed_issued_and_taken_back() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = decided(&server, &admin).await;
    confirm(&admin, at.batch).await.data();
    admin.post(&format!("{CERTIFICATE}/allocate"), json!({ "batchId": at.batch, "preview": false })).await.data();
    let id = numbers(&admin).await[0]["id"].clone();
    let issue = json!({ "ids": [id], "issuedOn": server.app.clock().today() });
    let early = admin.put(&format!("{CERTIFICATE}/issue"), issue.clone()).await;
    assert_eq!(early.data()["failed"][0]["msg"], json!("证书未打印，不能发放"), "{}", early.body);
    let print = json!({ "ids": [id] });
    let kind = numbers(&admin).await[0]["kind"].as_str().expect("a kind").to_owned();
    let bare = admin.post(&format!("{CERTIFICATE}/print/overlay"), print.clone()).await;
    assert_eq!(bare.code(), 409, "{}", bare.body);
    // A school places what its sheets bear, the code of the major and the degree among it.
    let group = admin.get(&format!("{SETTING}/view?group=examination")).await.data().clone();
    let overlay: Vec<Value> = ["name", "majorCode", "degree"]
        .map(|field| json!({ "certificate": kind, "field": field, "x": 60.0, "y": 80.0 }))
        .into();
    let edit =
        json!({ "group": "examination", "value": { "certificateOverlay": overlay }, "version": group["version"] });
    admin.put(&format!("{SETTING}/edit"), edit).await.data();
    let drawn = admin.post(&format!("{CERTIFICATE}/print/overlay"), print).await;
    assert!(drawn.bytes.starts_with(b"%PDF"), "{}", drawn.body);
    let code: String =
        server.one(&format!("select holder ->> 'majorCode' from school_1.certificate where id = {id}")).await;
    let words = written(&drawn.bytes);
    assert!(words.contains(&code), "{code} in {words}");
    let issue = with(issue, json!({ "receiverIdCardNo": "110101199003071233" }));
    assert_eq!(admin.put(&format!("{CERTIFICATE}/issue"), issue).await.data()["done"], json!(1));
    let sheet = texts(&admin.post(&format!("{CERTIFICATE}/export"), json!({})).await.bytes);
    assert!(sheet.iter().flatten().any(|cell| cell == "110***********1233"), "{sheet:?}");
    let seen = admin.get(&format!("{CERTIFICATE}/view?id={id}")).await.data().clone();
    assert_eq!((&seen["status"], &seen["receiverRelation"]), (&json!("issued"), &json!("本人")), "{seen}");
    let again = json!({ "id": id, "version": seen["version"], "number": "证明2028001", "reason": "遗失" });
    admin.put(&format!("{CERTIFICATE}/reissue"), again).await.data();
    let seen = admin.get(&format!("{CERTIFICATE}/view?id={id}")).await.data().clone();
    let gone =
        |returned: bool| json!({ "id": id, "version": seen["version"], "reason": "撤销毕业", "returned": returned });
    let kept = admin.put(&format!("{CERTIFICATE}/void"), gone(false)).await;
    assert_eq!(kept.refused(), (409, "证书已发放，请先收回"));
    admin.put(&format!("{CERTIFICATE}/void"), gone(true)).await.data();
}

/// §10 scenario 4.
#[tokio::test]
async fn numbers_of_another_school_are_refused() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = decided(&server, &admin).await;
    confirm(&admin, at.batch).await.data();
    let [_, second] = at.students;
    let number: String = server.one(&format!("select student_no from school_1.student where id = {second}")).await;
    let heads = ["学号", "证书编号"];
    let other = import(&admin, CERTIFICATE, &heads, &[&[&number, "109995202805000001"]]).await;
    assert!(other.body.to_string().contains("证书编号前5位应为10086"), "{}", other.body);
    assert_eq!(numbers(&admin).await.len(), 0);
    let own = import(&admin, CERTIFICATE, &heads, &[&[&number, "100865202805000009"]]).await;
    assert_eq!(own.code(), 200, "{}", own.body);
    let rows = numbers(&admin).await;
    assert_eq!((rows.len(), &rows[0]["imported"]), (1, &json!(true)), "{rows:?}");
}

/// A number that was given elsewhere is passed over: nobody is numbered twice, and the batch is numbered all the same.
#[tokio::test]
async fn numbers_from_elsewhere_are_passed_over() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = decided(&server, &admin).await;
    confirm(&admin, at.batch).await.data();
    let path = format!("{CERTIFICATE}/allocate");
    let look = json!({ "batchId": at.batch, "preview": true });
    let seen = admin.unlooked(Method::POST, &path, Some(&look)).await.data().clone();
    let taken = seen["levels"][0]["first"].as_str().expect("a number").to_owned();
    let number: String =
        server.one(&format!("select student_no from school_1.student where id = {}", at.students[1])).await;
    let sent = import(&admin, CERTIFICATE, &["学号", "证书编号"], &[&[&number, &taken]]).await;
    assert_eq!(sent.code(), 200, "{}", sent.body);
    let next = admin.unlooked(Method::POST, &path, Some(&look)).await.data().clone();
    assert!(next["levels"][0]["first"].as_str().expect("a number").ends_with("000002"), "{next}");
    let given = admin.post(&path, json!({ "batchId": at.batch, "preview": false })).await.data().clone();
    assert_eq!(given["count"], json!(1), "{given}");
    let mut serials: Vec<String> =
        numbers(&admin).await.iter().map(|row| row["number"].as_str().expect("a number")[12..].to_owned()).collect();
    serials.sort_unstable();
    assert_eq!(serials, ["000001", "000002"]);
}

/// The signature of whoever fetched a certificate is opened by who may see the certificate.
#[tokio::test]
async fn who_fetched_a_certificate_signed_for_it() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = decided(&server, &admin).await;
    confirm(&admin, at.batch).await.data();
    let number: String =
        server.one(&format!("select student_no from school_1.student where id = {}", at.students[1])).await;
    let sent = import(&admin, CERTIFICATE, &["学号", "证书编号"], &[&[&number, "100865202805000009"]]).await;
    assert_eq!(sent.code(), 200, "{}", sent.body);
    let id = numbers(&admin).await[0]["id"].clone();
    let key = uploaded(&admin, "签名.png", "image/png", b"12345").await;
    let issue = json!({ "ids": [id], "issuedOn": server.app.clock().today(), "signFileKey": key });
    assert_eq!(admin.put(&format!("{CERTIFICATE}/issue"), issue).await.data()["done"], json!(1));
    let seen = admin.get(&format!("{CERTIFICATE}/view?id={id}")).await.data().clone();
    assert!(seen["signFileUrl"].is_string(), "{seen}");
}

/// 校长签名 is a picture that the school sets; a sheet that asks for it is not printed without one.
#[tokio::test]
async fn a_certificate_bears_the_signature_of_the_president() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = decided(&server, &admin).await;
    confirm(&admin, at.batch).await.data();
    admin.post(&format!("{CERTIFICATE}/allocate"), json!({ "batchId": at.batch, "preview": false })).await.data();
    let row = numbers(&admin).await[0].clone();
    let place = json!([{ "certificate": row["kind"], "field": "principalSign", "x": 120, "y": 150 }]);
    setting(&server, "certificateOverlay", &place).await;
    let print = async || admin.post(&format!("{CERTIFICATE}/print/overlay"), json!({ "ids": [row["id"]] })).await;
    assert_eq!(print().await.refused(), (409, "请先在学校信息中上传校长签名"));
    let groups = admin.get("/user/pc/schoolInfo/view").await.data()["groups"].clone();
    let groups = groups.as_array().expect("groups");
    let version =
        groups.iter().find(|group| group["group"] == json!("school_info")).expect("the group")["version"].clone();
    let key = uploaded(&admin, "签名.png", "image/png", &png(90)).await;
    let edit = json!({ "group": "school_info", "value": { "presidentSignImage": key }, "version": version });
    admin.put("/user/pc/schoolInfo/edit", edit).await.data();
    let drawn = print().await;
    let document = lopdf::Document::load_mem(&drawn.bytes).expect("a document");
    let pictures = document.objects.values().filter_map(|object| object.as_stream().ok());
    let pictures = pictures.filter(|stream| {
        stream.dict.get(b"Subtype").is_ok_and(|kind| kind.as_name().is_ok_and(|name| name == b"Image"))
    });
    assert_eq!(pictures.count(), 1, "the signature");
}

/// §13: where and from when certificates are fetched the batch says, else the school, else the site; everybody is told once.
#[tokio::test]
async fn who_may_fetch_a_certificate_is_told_where() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = decided(&server, &admin).await;
    confirm(&admin, at.batch).await.data();
    admin.post(&format!("{CERTIFICATE}/allocate"), json!({ "batchId": at.batch, "preview": false })).await.data();
    let rows = numbers(&admin).await;
    let overlay: Vec<Value> = ["graduation", "completion"]
        .map(|kind| json!({ "certificate": kind, "field": "name", "x": 60, "y": 80 }))
        .into();
    setting(&server, "certificateOverlay", &json!(overlay)).await;
    let print = async |row: &Value| {
        let drawn = admin.post(&format!("{CERTIFICATE}/print/overlay"), json!({ "ids": [row["id"]] })).await;
        assert!(drawn.bytes.starts_with(b"%PDF"), "{}", drawn.body);
    };
    let told = async || -> Vec<String> {
        server
            .one(
                "select coalesce(array_agg(payload->'variables'->>'place' order by id), '{}') from school_1.event_outbox
                 where name = 'certificate_ready'",
            )
            .await
    };
    print(&rows[0]).await;
    assert_eq!(told().await, ["城东教学点"], "nobody says anything else");
    print(&rows[0]).await;
    assert_eq!(told().await.len(), 1, "once");

    // A batch that is confirmed still says where and from when; nothing else of it changes.
    let seen = admin.get(&format!("{BATCH}/view?id={}", at.batch)).await.data().clone();
    let edit = |place: &str, name: &str| {
        json!({
            "id": at.batch, "version": seen["version"], "code": seen["code"], "name": name, "year": seen["year"],
            "season": seen["season"], "kind": seen["kind"], "graduatesOn": seen["graduatesOn"],
            "certificateDate": seen["certificateDate"], "auditStartsOn": seen["auditStartsOn"],
            "auditEndsOn": seen["auditEndsOn"], "degreeEnabled": seen["degreeEnabled"], "collectPlace": place,
            "collectFrom": server.app.clock().today() + chrono::Days::new(1),
        })
    };
    let name = seen["name"].as_str().expect("a name");
    let other = admin.put(&format!("{BATCH}/edit"), edit("行政楼101", "另一个名称")).await;
    assert_eq!(kit::fields(&other), ["name: 批次已确认，不能修改"]);
    admin.put(&format!("{BATCH}/edit"), edit("行政楼101", name)).await.data();
    print(&rows[1]).await;
    assert_eq!(told().await.len(), 1, "the day has not come");
    server.when_due("certificates.ready", chrono::TimeDelta::days(1)).await;
    assert_eq!(told().await, ["城东教学点", "行政楼101"]);
    server.when_due("certificates.ready", chrono::TimeDelta::days(1)).await;
    assert_eq!(told().await.len(), 2, "once");

    // Without a place of the batch, the school's.
    server
        .run(
            "update school_1.certificate set told_at = null; update school_1.graduation_batch set collect_place = null",
        )
        .await;
    setting(&server, "certificateCollectPlace", &json!("继续教育学院")).await;
    server.when_due("certificates.ready", chrono::TimeDelta::days(1)).await;
    assert_eq!(told().await[2..], ["继续教育学院", "继续教育学院"], "of each kind");
}
