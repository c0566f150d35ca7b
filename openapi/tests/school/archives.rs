//! Archives of graduates: the scenarios of part 04 §11.

use kit::{
    Client, Server, admission,
    cohort::registrar,
    files::{paper, png, uploaded, written},
    graduation::{Graduates, confirm, graduates},
    jobs::ended,
    pre_registrations,
    sheets::texts,
};
use poem::http::Method;
use serde_json::{Value, json};

const ARCHIVE: &str = "/adult/pc/archive";

/// The archive of somebody who graduated, with the number of their batch.
async fn opened(server: &Server, admin: &Client<'_>) -> (i64, Value) {
    let (at, archive) = opened_at(server, admin).await;
    (at.batch, archive)
}

async fn opened_at(server: &Server, admin: &Client<'_>) -> (Graduates, Value) {
    let at = graduates(server, admin).await;
    at.audit(admin).await;
    let [first, second] = at.students;
    assert_eq!(at.decide(admin, first, "delay").await["done"], json!(1));
    assert_eq!(at.decide(admin, second, "graduate").await["done"], json!(1));
    confirm(admin, at.batch).await.data();
    let allocate = json!({ "batchId": at.batch, "preview": false });
    admin.post("/adult/pc/certificate/allocate", allocate).await.data();
    let listed = admin.post(&format!("{ARCHIVE}/list"), json!({ "batchId": at.batch })).await;
    assert_eq!(listed.data()["totalCount"], json!(1), "{}", listed.body);
    let archive = listed.data()["list"][0].clone();
    (at, archive)
}

async fn view(admin: &Client<'_>, id: &Value) -> Value {
    admin.get(&format!("{ARCHIVE}/view?id={id}")).await.data().clone()
}

/// §11 scenarios 1, 5 and 6.
#[tokio::test]
async fn an_archive_is_filled_sealed_once_and_opened_again() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (batch, archive) = opened(&server, &admin).await;
    let id = archive["id"].clone();
    server
        .run(&format!(
            "insert into school_1.student_information (kind, student_id, status, submitted_at, submitted_by, photo_check, created_by,
                 updated_by)
             values ('graduation_information', {0}, 'approved', now(), 'student', 'same', 0, 0) on conflict do nothing",
            archive["studentId"]
        ))
        .await;
    let generate = json!({ "batchId": batch });
    ended(&admin, &admin.post(&format!("{ARCHIVE}/generate"), generate.clone()).await.data()["jobId"]).await;
    let seal = json!({ "ids": [id] });
    let lacking = admin.put(&format!("{ARCHIVE}/seal"), seal.clone()).await;
    let told = lacking.data()["failed"][0]["msg"].as_str().expect("a reason").to_owned();
    assert!(told.starts_with("缺少："), "{told}");
    let seen = view(&admin, &id).await;
    let missing = seen["missing"].as_array().expect("what is missing").clone();
    for code in ["admission", "registration", "roll", "audit"] {
        assert!(!missing.contains(&json!(code)), "{code} is made of what is known: {seen}");
    }
    for code in &missing {
        let key = paper(&admin, "材料.pdf").await;
        let body = json!({ "id": id, "code": code, "fileKey": key });
        let answer = admin.put(&format!("{ARCHIVE}/upload"), body).await;
        assert_eq!(answer.code(), 200, "{}", answer.body);
    }
    assert_eq!(view(&admin, &id).await["status"], json!("complete"));
    let path = format!("{ARCHIVE}/seal");
    let (one, other) = tokio::join!(admin.put(&path, seal.clone()), admin.put(&path, seal.clone()));
    let done: i64 = [&one, &other].iter().map(|answer| answer.data()["done"].as_i64().unwrap_or_default()).sum();
    assert_eq!(done, 1, "{} {}", one.body, other.body);
    let sealed = view(&admin, &id).await;
    assert_eq!((&sealed["status"], sealed["bundleSha256"].is_string()), (&json!("sealed"), true), "{sealed}");
    // The whole of it is one document: every paper has its pages, the last is 备考表.
    let whole = admin.post(&format!("{ARCHIVE}/print/bundle"), json!({ "ids": [id] })).await;
    let document = lopdf::Document::load_mem(&whole.bytes).expect("a document");
    let papers = sealed["items"].as_array().expect("items").iter().filter(|item| item["url"].is_string()).count();
    assert!(document.get_pages().len() > papers, "{} pages of {papers} papers", document.get_pages().len());
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let narrow = server.staff_within(1, &["adult:pc:archive:print"], "named_sites", &[far]).await;
    let nothing = narrow.post(&format!("{ARCHIVE}/print/bundle"), json!({ "ids": [id] })).await;
    assert_eq!(nothing.refused(), (999, "没有可打印的档案"), "another site's archives");
    let late = json!({ "id": id, "code": "identity", "fileKey": paper(&admin, "新.pdf").await });
    assert_eq!(admin.put(&format!("{ARCHIVE}/upload"), late.clone()).await.refused(), (409, "档案已归档，不能修改"));
    // A score in a sealed archive is not corrected.
    let score: i64 = server
        .one(&format!("select min(id) from school_1.course_score where student_id = {}", archive["studentId"]))
        .await;
    let correct = async || {
        let form = json!({ "courseScoreId": score, "target": "exam", "newValue": 90.0, "reasonType": "recount",
            "reason": "复核", "fileKeys": [paper(&admin, "复核.pdf").await] });
        admin.post("/adult/pc/score/correction/save", form).await
    };
    assert_eq!(correct().await.refused(), (409, "该生档案已归档，请先取消归档"));
    let unseal = json!({ "id": id, "version": sealed["version"], "reason": "成绩更正" });
    admin.put(&format!("{ARCHIVE}/unseal"), unseal).await.data();
    assert_ne!(correct().await.msg(), "该生档案已归档，请先取消归档");
    admin.put(&format!("{ARCHIVE}/upload"), late).await.data();
    let again = view(&admin, &id).await;
    let identity = again["items"].as_array().expect("items").iter().find(|item| item["code"] == json!("identity"));
    assert_eq!(identity.expect("the item")["formerCount"], json!(1), "{again}");
}

/// §11 scenarios 3 and 4, and the way of a sealed archive.
#[tokio::test]
async fn sealed_archives_are_fetched_and_handed_over() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (batch, archive) = opened(&server, &admin).await;
    let id = archive["id"].clone();
    assert_eq!(admin.get(&format!("{ARCHIVE}/download?id={id}")).await.refused(), (409, "档案未归档，没有全卷"));
    for code in view(&admin, &id).await["missing"].as_array().expect("what is missing") {
        let body = json!({ "id": id, "code": code, "reason": "学校批准" });
        admin.put(&format!("{ARCHIVE}/waive"), body).await.data();
    }
    let sheet = texts(&admin.post(&format!("{ARCHIVE}/export"), json!({ "batchId": batch })).await.bytes);
    let cell = |heading: &str| {
        let place = sheet[0].iter().position(|head| head == heading).expect("the column");
        sheet[1][place].clone()
    };
    let waived = view(&admin, &id).await;
    assert_eq!(cell("齐全度"), format!("{}/{}", waived["readyCount"], waived["neededCount"]));
    assert_eq!(cell("班级"), archive["className"].as_str().unwrap_or_default());
    assert_eq!(admin.put(&format!("{ARCHIVE}/seal"), json!({ "ids": [id] })).await.data()["done"], json!(1));
    assert!(admin.get(&format!("{ARCHIVE}/download?id={id}")).await.data()["url"].is_string());
    let bundle = admin.post(&format!("{ARCHIVE}/batchDownload"), json!({ "batchId": batch })).await;
    ended(&admin, &bundle.data()["jobId"]).await;
    let to = json!({ "ids": [id], "to": "人才交流中心", "date": server.app.clock().today(), "trackingNo": "SF1" });
    assert_eq!(admin.put(&format!("{ARCHIVE}/handover"), to).await.data()["done"], json!(1));
    let handed = view(&admin, &id).await;
    let unseal = json!({ "id": id, "version": handed["version"], "reason": "成绩更正" });
    let refused = admin.put(&format!("{ARCHIVE}/unseal"), unseal).await;
    assert_eq!(refused.refused(), (409, "档案已移交，不能取消归档"));
}

/// §11: what somebody sent in stays when papers are made again, unless it is to be replaced; what cannot be made is told.
#[tokio::test]
async fn an_uploaded_paper_stays() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (batch, archive) = opened(&server, &admin).await;
    let id = archive["id"].clone();
    let roll = async || {
        let seen = view(&admin, &id).await;
        let items = seen["items"].as_array().expect("items").clone();
        items.into_iter().find(|item| item["code"] == json!("roll")).expect("the paper")
    };
    let stamped = admin.post(&format!("{ARCHIVE}/print/catalogue"), json!({ "ids": [id] })).await.bytes;
    let pages = lopdf::Document::load_mem(&stamped).expect("a document").get_pages().len();
    let key = uploaded(&admin, "盖章的登记表.pdf", "application/pdf", &stamped).await;
    admin.put(&format!("{ARCHIVE}/upload"), json!({ "id": id, "code": "roll", "fileKey": key })).await.data();
    assert_eq!(roll().await["pages"], json!(pages));
    let generate = async |replaces: bool| {
        let body = json!({ "batchId": batch, "replaceUploaded": replaces });
        ended(&admin, &admin.post(&format!("{ARCHIVE}/generate"), body).await.data()["jobId"]).await
    };
    let told = generate(false).await;
    assert!(told.to_string().contains("缺少照片、身份证扫描"), "{told}");
    let kept = roll().await;
    assert_eq!((&kept["fileName"], &kept["formerCount"]), (&json!("盖章的登记表.pdf"), &json!(0)), "{kept}");
    generate(true).await;
    let made = roll().await;
    assert_eq!((&made["fileName"], &made["formerCount"]), (&json!("学籍登记表.pdf"), &json!(1)), "{made}");
    assert!(made["pages"].as_i64().is_some_and(|pages| pages > 0), "{made}");
    // It hides the number, and says when the student graduated, not when they were to.
    let student = archive["studentId"].clone();
    let number: String = server.one(&format!("select id_card_no from school_1.student where id = {student}")).await;
    server
        .run(&format!("update school_1.student set expected_graduation_on = '2031-01-31' where id = {student}"))
        .await;
    generate(true).await;
    let address = roll().await["url"].as_str().expect("an address").to_owned();
    let mut answer = server.anonymous().raw(Method::GET, &address, None, Vec::new()).await;
    let text = written(&answer.take_body().into_vec().await.expect("the paper"));
    assert!(!text.contains(&number) && text.contains(&infra::mask::id_card(&number)), "{text}");
    assert!(text.contains("2028-07-10") && !text.contains("2031-01-31"), "{text}");
}

/// §11: how far the archives of each site are, of those that are seen.
#[tokio::test]
async fn sites_are_counted_within_the_scope() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (batch, _) = opened(&server, &admin).await;
    let asked = json!({ "batchId": batch });
    let seen = admin.post(&format!("{ARCHIVE}/stat"), asked.clone()).await.data().clone();
    assert_eq!((&seen[0]["collecting"], &seen[0]["sealed"]), (&json!(1), &json!(0)), "{seen}");
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let narrow = server.staff_within(1, &["adult:pc:archive:list"], "named_sites", &[far]).await;
    assert_eq!(narrow.post(&format!("{ARCHIVE}/stat"), asked).await.data(), &json!([]));
}

/// §11, paper 11: what lies in the register and in the pre-registration is bound, a page a picture; what is no picture is told.
#[tokio::test]
async fn papers_of_identity_are_bound_from_what_was_handed_in() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (at, archive) = opened_at(&server, &admin).await;
    let (id, student, p) = (archive["id"].clone(), archive["studentId"].clone(), &at.taught.p);
    let mut keys = Vec::new();
    for shade in 1..=4 {
        keys.push(uploaded(&admin, "扫描.png", "image/png", &png(shade)).await);
    }
    let leads = pre_registrations::batch(&admin, p, "2026A", true).await;
    let mut lead = pre_registrations::person(p, leads, 50);
    lead["attachments"] = json!([{ "kind": "id_front", "key": keys[0] }, { "kind": "id_back", "key": keys[1] },
        { "kind": "diploma", "key": keys[2] }]);
    let lead = admin.post(&format!("{}/save", pre_registrations::PRE), lead).await.id();
    let (batch, _) = admission::open_batch(&server, &admin, p, 20).await;
    admission::taken(&admin, p, batch, &[admission::row(50)]).await;
    server
        .run(&format!(
            "update school_1.admission set pre_registration_id = {lead}, match_status = 'matched';
             update school_1.student
             set admission_id = (select id from school_1.admission),
                 enrol_photo_id = (select id from school_1.file_object where key = '{}')
             where id = {student}",
            keys[3]
        ))
        .await;
    let identity = async || {
        let body = json!({ "batchId": at.batch });
        let told = ended(&admin, &admin.post(&format!("{ARCHIVE}/generate"), body).await.data()["jobId"]).await;
        let seen = view(&admin, &id).await;
        let items = seen["items"].as_array().expect("items").clone();
        (told, items.into_iter().find(|item| item["code"] == json!("identity")).expect("the paper"))
    };
    let (_, bound) = identity().await;
    assert_eq!(
        (&bound["status"], &bound["origin"], &bound["pages"]),
        (&json!("ready"), &json!("generated"), &json!(4)),
        "photo, both sides and the diploma: {bound}"
    );
    let scan = paper(&admin, "毕业证.pdf").await;
    server
        .run(&format!(
            "update school_1.pre_registration_file set file_id = (select id from school_1.file_object where key = '{scan}')
             where kind = 'diploma'"
        ))
        .await;
    let (told, kept) = identity().await;
    assert!(told.to_string().contains("有的文件不是PDF或图片"), "{told}");
    assert_eq!(kept["pages"], json!(4), "what was bound stays: {kept}");
}
