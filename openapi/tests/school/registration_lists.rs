//! Who comes, as lists, figures, sheets, papers and the client of a site tell and take it (part 02 §7, §8, §13).

use std::io::{Cursor, Write};

use ::registration::registration::mark_paid;
use image::{ImageFormat, RgbImage};
use kit::{
    Client, Server,
    admission::{ADMISSION, dbf, items, leads, levels, open_batch, row, seen, take, taken},
    clients,
    cohort::{Cohort, cohort, registrar},
    enrolment::{save_batch, save_major, turn},
    fields,
    files::{paper, uploaded},
    imports::{newest, taken_back},
    jobs::ended,
    pre_registrations::{PRE, batch as pre_batch},
    registration::{REGISTRATION, audited, ready, registration, registrations, report},
    rows::setting,
    sheets::{XLSX, import, row_errors, sheet, texts},
    site_staff::STAFF,
    students::id_number,
};
use poem::http::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection};
use zip::{ZipWriter, write::SimpleFileOptions};

const BIN: &str = "/adult/pc/registrationDeleted";
const FEE_HEADINGS: [&str; 6] = ["考生号", "证件号", "姓名", "实缴金额(元)", "缴费日期", "流水号"];
const RESULT_HEADINGS: [&str; 6] = ["考生号", "姓名", "证件号", "结果", "原因", "保留至"];
/// How everybody of a file here is called.
const NAME: &str = "张晓梅";

fn number(n: usize) -> String {
    format!("0501{n:010}")
}

/// Another site, to which the n-th person goes.
async fn moved_far(server: &Server, admin: &Client<'_>, n: usize) -> i64 {
    let far = json!({ "code": "FAR", "name": "远郊教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    for table in ["admission", "registration"] {
        let at = format!("update school_1.{table} set site_id = {far} where examinee_no = '{}'", number(n));
        server.run(&at).await;
    }
    far
}

async fn count(client: &Client<'_>, filter: Value) -> i64 {
    let list = client.post(&format!("{REGISTRATION}/list"), filter).await;
    list.data()["totalCount"].as_i64().unwrap_or_else(|| panic!("{}", list.body))
}

async fn put_status(server: &Server, n: usize, status: &str) {
    server
        .run(&format!("update school_1.registration set status = '{status}' where examinee_no = '{}'", number(n)))
        .await;
}

#[tokio::test]
async fn the_list_shows_whom_it_is_asked_for() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    audited(&admin, &p, batch, 1..8).await;
    let far = moved_far(&server, &admin, 7).await;
    server.run("update school_1.registration set phone = '13900000009'").await;
    let address = "武汉市洪山区珞喻路1037号";
    server.run(&format!("update school_1.admission set address = '{address}'")).await;
    for (n, status) in [(2, "abandoned"), (3, "no_show"), (4, "revoked")] {
        put_status(&server, n, status).await;
    }
    let paid =
        "update school_1.registration set fee_paid = true, paid_amount = 1, paid_at = now(), fee_source = 'manual',
                identity_verified = true, verify_method = 'manual'";
    server.run(&format!("{paid} where examinee_no = '{}'", number(1))).await;
    let all = admin.post(&format!("{REGISTRATION}/list"), json!({ "batchId": batch })).await.data().clone();
    assert_eq!(all["totalCount"], json!(7));
    let told: Vec<(&str, i64)> = all["segments"]
        .as_array()
        .expect("segments")
        .iter()
        .map(|one| (one["value"].as_str().expect("a word"), one["count"].as_i64().expect("a count")))
        .collect();
    let wanted = [("pending", 4), ("reported", 0), ("reserved", 0), ("abandoned", 1), ("no_show", 1), ("revoked", 1)];
    assert_eq!(told, wanted);
    // With a status chosen the others are still told.
    let late = admin.post(&format!("{REGISTRATION}/list"), json!({ "status": "no_show" })).await.data().clone();
    assert_eq!((&late["totalCount"], &late["segments"]), (&json!(1), &all["segments"]));
    for (filter, wanted) in [
        (json!({ "gradeId": p.grade, "levelId": p.level, "majorId": p.major }), 7),
        (json!({ "studyForm": "non_full_time" }), 7),
        (json!({ "studyForm": "online" }), 0),
        (json!({ "siteId": far }), 1),
        (json!({ "feePaid": true }), 1),
        (json!({ "feePaid": false }), 6),
        (json!({ "identityVerified": true }), 1),
        (json!({ "sheet": "missing" }), 5),
        (json!({ "sheet": "abandoned" }), 1),
        (json!({ "sheet": "roll" }), 0),
        (json!({ "keyword": number(3) }), 1),
        (json!({ "keyword": id_number(3) }), 1),
        (json!({ "keyword": "13900000009" }), 7),
        (json!({ "keyword": "晓梅" }), 7),
        (json!({ "keyword": "zxm" }), 7),
        (json!({ "keyword": "李" }), 0),
        (json!({ "createdTo": "2000-01-01" }), 0),
    ] {
        assert_eq!(count(&admin, filter.clone()).await, wanted, "{filter}");
    }
    let among = json!({ "among": [number(1), id_number(2), "没有"] });
    let found = admin.post(&format!("{REGISTRATION}/list"), among).await.data().clone();
    assert_eq!((&found["totalCount"], &found["notFound"]), (&json!(2), &json!(["没有"])));
    // Whole numbers are nowhere, and open one by one for whoever may.
    let row = registration(&admin, 1).await;
    let shown = admin.get(&format!("{REGISTRATION}/view?id={}", row["id"])).await;
    let printed = admin.get(&format!("{REGISTRATION}/print?id={}&doc=notice_receipt", row["id"])).await;
    for body in [&all, shown.data(), printed.data()] {
        for whole in [&*id_number(1), "13900000009", address] {
            assert!(!body.to_string().contains(whole), "{body}");
        }
    }
    assert_eq!((&row["idCardNo"], &row["phone"]), (&json!(masked(&id_number(1))), &json!("139****0009")));
    assert_eq!(printed.data()["registration"]["examineeNo"], json!(number(1)), "{}", printed.body);
    assert_eq!(
        (&printed.data()["doc"], &printed.data()["header"]),
        (&json!("notice_receipt"), &printed.data()["schoolName"])
    );
    let whole = |field: &str| json!({ "entity": "registration", "id": row["id"], "field": field });
    for (field, value) in [("idCardNo", &*id_number(1)), ("address", address)] {
        assert_eq!(admin.post("/system/pc/plain/view", whole(field)).await.data()["value"], json!(value));
    }
    // Staff of a site see theirs, in every call; a class has nobody who is still to come.
    let codes = ["list", "view", "export", "edit", "batchDel"].map(|code| format!("adult:pc:registration:{code}"));
    let codes = codes.each_ref().map(String::as_str);
    let opener = server.staff_within(1, &["adult:pc:registration:viewPlain"], "named_sites", &[far]).await;
    assert_eq!(opener.post("/system/pc/plain/view", whole("address")).await.code(), 404);
    let narrow = server.staff_within(1, &codes, "named_sites", &[far]).await;
    assert_eq!(count(&narrow, json!({})).await, 1);
    assert_eq!(narrow.get(&format!("{REGISTRATION}/view?id={}", row["id"])).await.code(), 404);
    assert_eq!(narrow.get(&format!("{REGISTRATION}/print?id={}&doc=roll", row["id"])).await.code(), 404);
    let sums = narrow.post(&format!("{REGISTRATION}/statistics"), json!({ "by": "site" })).await.data().clone();
    assert_eq!((&sums["rows"][0]["name"], &sums["all"]["expected"]), (&json!("远郊教学点"), &json!(1)), "{sums}");
    let rows = texts(&narrow.post(&format!("{REGISTRATION}/export"), json!({})).await.bytes);
    assert_eq!((rows.len(), rows[1][4].as_str()), (2, &*masked(&id_number(7))), "{rows:?}");
    let edit = json!({ "id": row["id"], "version": row["version"], "identityVerified": false, "materials": [] });
    assert_eq!(narrow.put(&format!("{REGISTRATION}/edit"), edit.clone()).await.code(), 404);
    let gone = narrow.post(&format!("{REGISTRATION}/batchDel"), json!({ "ids": [row["id"]] })).await;
    assert_eq!(gone.data()["failed"][0]["msg"], json!("无权操作该数据"));
    let of_class = server.staff_within(1, &codes, "named_classes", &[1]).await;
    assert_eq!(count(&of_class, json!({})).await, 0);
    // What was handed in, with a picture of their own.
    let mut form = edit;
    (form["identityVerified"], form["materials"]) = (json!(true), json!(["commitment", "id_copy", "commitment"]));
    let of_a_face =
        json!({ "id": row["id"], "version": row["version"], "identityVerified": true, "verifyMethod": "face" });
    let refused = admin.put(&format!("{REGISTRATION}/edit"), of_a_face).await;
    assert_eq!(fields(&refused), ["verifyMethod: 人脸核验只在客户端办理"]);
    // What calls itself a picture is looked at.
    let called = uploaded(&admin, "照片.jpg", "image/jpeg", b"12345").await;
    let wide = uploaded(&admin, "照片.jpg", "image/jpeg", &drawn(400, 400)).await;
    for (key, told) in [
        (paper(&admin, "照片.pdf").await, "photo: 图片无法识别，请使用jpg或png格式"),
        (called, "photo: 图片无法识别，请使用jpg或png格式"),
        (wide, "photo: 图片宽高比应为3:4，实际为400×400"),
    ] {
        form["photo"] = json!(key);
        assert_eq!(fields(&admin.put(&format!("{REGISTRATION}/edit"), form.clone()).await), [told]);
    }
    let sent = picture(&admin).await;
    form["photo"] = json!(sent);
    admin.put(&format!("{REGISTRATION}/edit"), form.clone()).await.id();
    // A clean copy is kept; what came from the camera is nobody's.
    let kept = format!(
        "select count(*) from school_1.registration r join school_1.file_object o on o.id = r.photo_id
         where o.owner_id = r.id and o.key <> '{sent}' and r.id = {}",
        row["id"]
    );
    assert_eq!(server.one::<i64>(&kept).await, 1);
    assert_eq!(owner(&server, &sent).await, None);
    let stale = admin.put(&format!("{REGISTRATION}/edit"), form).await;
    assert!(stale.code() == 409 && stale.msg().starts_with("数据已被"), "{}", stale.msg());
    let row = registration(&admin, 1).await;
    assert_eq!((&row["materials"], &row["hasPhoto"]), (&json!(["id_copy", "commitment"]), &json!(true)));
    let seen = admin.get(&format!("{REGISTRATION}/view?id={}", row["id"])).await.data().clone();
    assert!(seen["photoUrl"].is_string() && seen["canReportNow"] == json!(true), "{seen}");
    let revoked = registration(&admin, 4).await;
    let refused = admin.delete(&format!("{REGISTRATION}/delete?id={}", revoked["id"])).await;
    assert_eq!(refused.refused(), (409, "当前状态为取消入学资格，不能删除"));
}

/// An ID number as people see it.
fn masked(number: &str) -> String {
    format!("{}***********{}", &number[..3], &number[14..])
}

/// The key of a picture of somebody that the console uploaded directly.
async fn picture(client: &Client<'_>) -> String {
    uploaded(client, "照片.jpg", "image/jpeg", &drawn(300, 400)).await
}

/// Of which kind of record a file is.
async fn owner(server: &Server, key: &str) -> Option<String> {
    server.one(&format!("select owner_type from school_1.file_object where key = '{key}'")).await
}

/// An open batch of the next grade, into which places that were kept go on.
async fn later_batch(server: &Server, admin: &Client<'_>, p: &Cohort) -> i64 {
    let grade = admin.post("/adult/pc/grade/save", json!({ "code": "2027" })).await.id();
    server
        .run(&format!(
            "insert into school_1.forecast_major (year, grade_id, major_id, planned_quota, tuition_per_year, status, filed_on,
                 created_by, updated_by)
             select 2031, {grade}, id, 200, 280000, 'filed', '2026-11-02', 0, 0 from school_1.major where enabled"
        ))
        .await;
    let later = save_batch(admin, &Cohort { grade, ..*p }, "2027-1").await;
    save_major(admin, later, p.major, "101", 50).await;
    assert_eq!(turn(admin, later, "open").await.code(), 200);
    let entry = server.app.clock().today() + chrono::Days::new(300);
    server.run(&format!("update school_1.enrollment_batch set enrolled_on = '{entry}' where id = {later}")).await;
    later
}

/// The batches begin as the test does, so that a year from its entry lies ahead.
async fn begun_today(server: &Server) {
    let today = server.app.clock().today();
    server.run(&format!("update school_1.enrollment_batch set enrolled_on = '{today}'")).await;
}

/// The body by which a place is kept for sixty days.
fn keep(server: &Server, row: &Value, attachment: &str) -> Value {
    json!({
        "id": row["id"], "version": row["version"], "reserveReason": "illness", "reason": "住院治疗",
        "reserveUntil": server.app.clock().today() + chrono::Days::new(60), "attachment": attachment,
    })
}

/// A file is swept away only when nobody names it: who was carried on has the same picture in both batches. And who was carried
/// on counts once where batches are summed.
#[tokio::test]
async fn a_file_stays_while_somebody_has_it() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let operator = server.operator().await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    begun_today(&server).await;
    audited(&admin, &p, batch, 1..4).await;
    let later = later_batch(&server, &admin, &p).await;
    let edit = format!("{REGISTRATION}/edit");
    let photographed = |row: &Value, photo: &str| json!({ "id": row["id"], "version": row["version"], "identityVerified": false, "photo": photo });
    let photo_of = async |row: &Value| -> String {
        let key =
            "select o.key from school_1.registration r join school_1.file_object o on o.id = r.photo_id where r.id =";
        server.one(&format!("{key} {}", row["id"])).await
    };
    let one = registration(&admin, 1).await;
    admin.put(&edit, photographed(&one, &picture(&admin).await)).await.id();
    let (one, first) = (registration(&admin, 1).await, photo_of(&one).await);
    // A file is one thing alone.
    let taken = admin.post(&format!("{REGISTRATION}/reserve"), keep(&server, &one, &first)).await;
    assert_eq!(fields(&taken), ["attachment: 该文件已是本人的报到照片，请另行上传"]);
    let attachment = paper(&admin, "申请.pdf").await;
    admin.post(&format!("{REGISTRATION}/reserve"), keep(&server, &one, &attachment)).await.id();
    let one = registration(&admin, 1).await;
    let taken = admin.put(&edit, photographed(&one, &attachment)).await;
    assert_eq!(fields(&taken), ["photo: 该文件已是本人的附件，请另行上传"]);
    let resume = format!("{REGISTRATION}/resume");
    let on = json!({ "id": one["id"], "version": one["version"], "batchId": later });
    admin.post(&resume, on).await.id();
    let new = registration(&admin, 1).await;
    admin.put(&edit, photographed(&new, &picture(&admin).await)).await.id();
    assert_eq!(owner(&server, &first).await.as_deref(), Some("registration"), "the first batch has it still");
    server.run("update school_1.file_object set created_at = created_at - interval '8 days'").await;
    let night = operator.post("/data/pc/druid/job/run", json!({ "name": "file.sweep" })).await;
    let told = ended(&operator, &night.data()["jobId"]).await;
    let errors = told["errors"].as_array().map_or(0, Vec::len);
    assert_eq!((&told["state"], errors), (&json!("done"), 0), "{told}");
    assert_eq!(photo_of(&one).await, first);
    assert_ne!(photo_of(&new).await, first);
    let left: i64 =
        server.one("select count(*) from school_1.file_object where owner_type is null and file_type = 3").await;
    assert_eq!(left, 0, "what was sent in is swept away");
    // By a batch they are kept in the one and wait in the other; together they are three.
    let figures = async |client: &Client<'_>, body: Value| {
        let all = client.post(&format!("{REGISTRATION}/statistics"), body).await.data()["all"].clone();
        (all["expected"].as_i64(), all["reserved"].as_i64(), all["missing"].as_i64())
    };
    let of = |expected, reserved, missing| (Some(expected), Some(reserved), Some(missing));
    for by in ["site", "major"] {
        assert_eq!(figures(&admin, json!({ "batchId": batch, "by": by })).await, of(3, 1, 2));
        assert_eq!(figures(&admin, json!({ "batchId": later, "by": by })).await, of(1, 0, 1));
        assert_eq!(figures(&admin, json!({ "by": by })).await, of(3, 0, 3));
    }
    assert_eq!(figures(&operator, json!({ "by": "school" })).await, of(3, 0, 3));
    // The paper of a place goes when the place is kept no longer, or for another reason.
    let two = registration(&admin, 2).await;
    let paper_of_two = paper(&admin, "申请.pdf").await;
    admin.post(&format!("{REGISTRATION}/reserve"), keep(&server, &two, &paper_of_two)).await.id();
    let two = registration(&admin, 2).await;
    admin.post(&resume, json!({ "id": two["id"], "version": two["version"] })).await.id();
    assert_eq!(owner(&server, &paper_of_two).await, None);
    let three = registration(&admin, 3).await;
    let (former, proof) = (paper(&admin, "申请.pdf").await, paper(&admin, "核查.pdf").await);
    admin.post(&format!("{REGISTRATION}/reserve"), keep(&server, &three, &former)).await.id();
    let three = registration(&admin, 3).await;
    let struck = json!({ "id": three["id"], "version": three["version"], "remark": "冒名顶替", "attachment": proof });
    admin.post(&format!("{REGISTRATION}/revoke"), struck).await.id();
    let owners = (owner(&server, &former).await, owner(&server, &proof).await);
    assert_eq!(owners, (None, Some("registration".to_owned())));
}

/// §16: what a payment tells is noted once, wherever the person went meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_is_noted_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    begun_today(&server).await;
    audited(&admin, &p, batch, 1..5).await;
    let later = later_batch(&server, &admin, &p).await;
    let now = server.app.clock().now();
    let pay = async |row: &Value, trade_no: &str| {
        let admission = row["admissionId"].as_i64().expect("an admission");
        let mut tx = server.begin_in(1).await;
        let change = mark_paid(&mut tx, admission, 280_000, now, Some(trade_no)).await;
        match change {
            Ok(Some(change)) => {
                tx.commit(change).await.expect("committed");
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(error) => Err((error.code, error.msg.into_owned())),
        }
    };
    let one = registration(&admin, 1).await;
    assert_eq!(pay(&one, "ZF1").await, Ok(true));
    let paid = registration(&admin, 1).await;
    assert_eq!((&paid["feePaid"], &paid["paidAmount"]), (&json!(true), &json!(280_000)), "{paid}");
    assert_eq!(pay(&one, "ZF1").await, Ok(false), "told again");
    assert_eq!(registration(&admin, 1).await["version"], paid["version"]);
    let two = registration(&admin, 2).await;
    assert_eq!(pay(&two, "ZF1").await, Err((409, "流水号已用于其他人员的缴费".to_owned())));
    assert_eq!(registration(&admin, 2).await["feePaid"], json!(false));
    // Two at once.
    let three = registration(&admin, 3).await;
    let (first, second) = tokio::join!(pay(&three, "ZF3"), pay(&three, "ZF3"));
    let mut both = [first, second];
    both.sort();
    assert_eq!(both, [Ok(false), Ok(true)]);
    // Who went on in a later batch pays there.
    admin.post(&format!("{REGISTRATION}/reserve"), keep(&server, &two, &paper(&admin, "申请.pdf").await)).await.id();
    let kept = registration(&admin, 2).await;
    let on = json!({ "id": kept["id"], "version": kept["version"], "batchId": later });
    let new = admin.post(&format!("{REGISTRATION}/resume"), on).await.id();
    assert_eq!(pay(&two, "ZF2").await, Ok(true));
    let of = async |id: &Value| -> bool {
        server.one(&format!("select fee_paid from school_1.registration where id = {id}")).await
    };
    assert_eq!((of(&two["id"]).await, of(&json!(new)).await), (false, true));
    // And who goes on while the payment waits for them.
    let four = registration(&admin, 4).await;
    let mut desk = server.owner().await;
    let mut going = desk.begin().await.expect("a transaction");
    for step in [
        "update school_1.registration set status = 'reserved', reserve_reason = 'work', reserve_until = '2099-01-01',
                carried_on = true where id = ",
        "insert into school_1.registration (admission_id, batch_id, grade_id, enrollment_major_id, major_id, level_id, study_form,
             schooling_years, site_id, examinee_no, name, name_grams, pinyin, initials, gender, birthday, id_card_type,
             id_card_no, previous_id, created_by, updated_by)
         select admission_id, batch_id, grade_id, enrollment_major_id, major_id, level_id, study_form, schooling_years, site_id,
                examinee_no, name, name_grams, pinyin, initials, gender, birthday, id_card_type, id_card_no, id, 0, 0
         from school_1.registration where id = ",
    ] {
        sqlx::query(AssertSqlSafe(format!("{step}{}", four["id"]))).execute(&mut *going).await.expect("a step");
    }
    let waits = "select exists (select from pg_locks l join pg_stat_activity a on a.pid = l.pid
                 where not l.granted and a.datname = current_database())";
    let gone_on = async {
        server.wait_until(waits).await;
        going.commit().await.expect("they went on");
    };
    let (told, ()) = tokio::join!(pay(&four, "ZF4"), gone_on);
    assert_eq!(told, Ok(true));
    let next = registration(&admin, 4).await;
    assert_ne!(next["id"], four["id"]);
    assert_eq!((of(&four["id"]).await, of(&next["id"]).await), (false, true));
}

/// Of two registrations of a number the one that may still come to something is meant, and of two such nobody guesses.
#[tokio::test]
async fn a_number_means_who_may_still_come() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    audited(&admin, &p, batch, 1..2).await;
    let later = later_batch(&server, &admin, &p).await;
    let grade = server.one(&format!("select grade_id from school_1.enrollment_batch where id = {later}")).await;
    audited(&admin, &Cohort { grade, ..p }, later, 1..2).await;
    let today = server.app.clock().today().to_string();
    let by = |examinee_no: &str, id_card_no: &str| {
        [[examinee_no, id_card_no, NAME, "2800", today.as_str(), ""].map(ToOwned::to_owned)]
    };
    let told = row_errors(&sent(&admin, &by("", &id_number(1))).await);
    assert_eq!(told, ["2 证件号: 该证件号在招生批次“2026-1招生”“2027-1招生”均有报到数据，请改填考生号"]);
    let told = row_errors(&sent(&admin, &by(&number(1), "")).await);
    assert_eq!(told, ["2 考生号: 该考生号在招生批次“2026-1招生”“2027-1招生”均有报到数据，请在报到列表中逐条办理"]);
    server.run(&format!("update school_1.registration set status = 'revoked' where batch_id = {later}")).await;
    assert_eq!(sent(&admin, &by("", &id_number(1))).await["imported"], json!(1));
    let paid: Vec<i64> = server.one("select array_agg(batch_id) from school_1.registration where fee_paid").await;
    assert_eq!(paid, [batch]);
    // Of another site is nobody, however new.
    let far = moved_far(&server, &admin, 99).await;
    server
        .run(&format!(
            "update school_1.registration set site_id = {far}, status = 'pending' where batch_id = {later};
             update school_1.registration set fee_paid = false, fee_source = null where batch_id = {batch}"
        ))
        .await;
    let near = server.staff_within(1, &["adult:pc:registration:import"], "named_sites", &[p.site]).await;
    assert_eq!(sent(&near, &by("", &id_number(1))).await["imported"], json!(1));
    let paid: Vec<i64> = server.one("select array_agg(batch_id) from school_1.registration where fee_paid").await;
    assert_eq!(paid, [batch]);
}

/// §3: the conversion of leads ends at those who came.
#[tokio::test]
async fn the_last_step_of_leads_is_counted() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    let pre = pre_batch(&admin, &p, "Y1", false).await;
    leads(&server, &p, pre, p.site, [(1, NAME), (2, NAME)].into_iter()).await;
    // The third was no lead.
    audited(&admin, &p, batch, 1..4).await;
    ready(&server).await;
    for n in [1, 3] {
        assert_eq!(report(&admin, &registration(&admin, n).await).await.code(), 200);
    }
    let all = admin.get(&format!("{PRE}/funnel?batchId={pre}")).await.data()["all"].clone();
    assert_eq!((&all["admitted"], &all["reported"], &all["reportRate"]), (&json!(2), &json!(1), &json!(50.0)), "{all}");
    // By site and by major, each number with its people.
    for (by, field, id) in [("site", "siteId", p.site), ("major", "majorId", p.major)] {
        let told = admin.get(&format!("{PRE}/funnel?batchId={pre}&by={by}")).await.data().clone();
        assert_eq!((&told["rows"][0]["id"], &told["rows"][0]["figures"]), (&json!(id), &all), "{told}");
        assert_eq!((told["rows"].as_array().map(Vec::len), &told["all"]), (Some(1), &all), "{told}");
        for (reached, figure) in [("registered", "registered"), ("reported", "reported")] {
            let behind = json!({ "batchId": pre, field: id, "reached": reached });
            let list = admin.post(&format!("{PRE}/list"), behind).await.data().clone();
            assert_eq!(list["totalCount"], all[figure], "{by} {reached}");
        }
    }
    let far = moved_far(&server, &admin, 99).await;
    let narrow = server.staff_within(1, &["adult:pc:preRegistration:list"], "named_sites", &[far]).await;
    let told = narrow.get(&format!("{PRE}/funnel?by=site")).await.data().clone();
    assert_eq!(told["rows"], json!([]), "of other sites");
    let all = narrow.get(&format!("{PRE}/funnel")).await.data()["all"].clone();
    assert_eq!((&all["admitted"], &all["reported"], &all["reportRate"]), (&json!(0), &json!(0), &json!(null)), "{all}");
}

#[tokio::test]
async fn who_has_paid_is_marked_by_hand() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    audited(&admin, &p, batch, 1..5).await;
    let call = format!("{REGISTRATION}/fee");
    let today = server.app.clock().today();
    let body = |rows: &[Value], more: Value| {
        let mut body = json!({ "items": items(rows), "feePaid": true, "paidAmount": 280_000, "paidAt": today });
        for (field, value) in more.as_object().expect("fields") {
            body[field] = value.clone();
        }
        body
    };
    let (one, two) = (registration(&admin, 1).await, registration(&admin, 2).await);
    let both = [one.clone(), two.clone()];
    for (more, wanted) in [
        (json!({ "paidAmount": null }), "paidAmount: 请填写实缴金额"),
        (json!({ "paidAt": null }), "paidAt: 请填写缴费日期"),
        (json!({ "paidAt": today + chrono::Days::new(1) }), "paidAt: 缴费日期不能晚于今天"),
        (json!({ "tradeNo": "T1" }), "tradeNo: 流水号是一人一笔的，请逐人填写"),
    ] {
        assert_eq!(fields(&admin.put(&call, body(&both, more)).await), [wanted]);
    }
    assert_eq!(admin.put(&call, body(&both, json!({}))).await.data()["done"], json!(2));
    // Stale, gone, and one who has nothing to pay any more.
    put_status(&server, 3, "abandoned").await;
    let mut rows = vec![one, registration(&admin, 3).await];
    rows.push(json!({ "id": 999_999, "version": 1 }));
    let told = admin.put(&call, body(&rows, json!({}))).await.data().clone();
    let failed: Vec<&str> =
        told["failed"].as_array().expect("failures").iter().filter_map(|row| row["msg"].as_str()).collect();
    assert_eq!((&told["done"], failed.len()), (&json!(0), 3), "{told}");
    assert!(failed[0].starts_with("数据已被"), "{told}");
    assert_eq!(failed[1..], ["当前状态为放弃入学资格，不能登记缴费", "记录不存在或已被删除"]);
    // The trade number is one person's.
    let four = registration(&admin, 4).await;
    assert_eq!(admin.put(&call, body(&[four], json!({ "tradeNo": "T4" }))).await.data()["done"], json!(1));
    let one = registration(&admin, 1).await;
    let told = admin.put(&call, body(std::slice::from_ref(&one), json!({ "tradeNo": "T4" }))).await.data().clone();
    assert_eq!(told["failed"][0]["msg"], json!("流水号已用于其他人员的缴费"), "{told}");
    let told = admin.put(&call, body(std::slice::from_ref(&one), json!({ "paidAmount": 1 }))).await.data().clone();
    let why = format!("该生已于{today}缴费2800.00元，如需更改请先取消缴费标记");
    assert_eq!(told["failed"][0]["msg"], json!(why), "{told}");
    let seen = admin.get(&format!("{REGISTRATION}/view?id={}", one["id"])).await.data().clone();
    assert_eq!(
        (&seen["feePaid"], &seen["paidAmount"], &seen["feeSource"]),
        (&json!(true), &json!(280_000), &json!("manual"))
    );
    // Taken back; but not what came through a payment.
    let clear = json!({ "items": items(std::slice::from_ref(&one)), "feePaid": false });
    assert_eq!(admin.put(&call, clear).await.data()["done"], json!(1));
    let cleared = registration(&admin, 1).await;
    assert_eq!(cleared["paidAmount"], json!(null));
    // Nothing is changed of who has not paid.
    let clear = json!({ "items": items(std::slice::from_ref(&cleared)), "feePaid": false });
    assert_eq!(admin.put(&call, clear).await.data()["done"], json!(1));
    assert_eq!(registration(&admin, 1).await["version"], cleared["version"]);
    server.run("update school_1.registration set fee_source = 'payment' where trade_no = 'T4'").await;
    let clear = json!({ "items": items(&[registration(&admin, 4).await]), "feePaid": false });
    assert_eq!(admin.put(&call, clear).await.data()["failed"][0]["msg"], json!("在线支付的缴费不能取消，请办理退费"));
}

/// §7, scenario 4: nobody reports who has not paid; ten thousand payments, of whom four are nobody's.
#[tokio::test]
async fn payments_come_by_sheet_all_or_none() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    audited(&admin, &p, batch, 1..4).await;
    multiplied(&server, 10_000).await;
    let today = server.app.clock().today().to_string();
    let mut rows: Vec<[String; 6]> = (0..10_000)
        .map(|n| {
            let trade_no = format!("YH{n:08}");
            [format!("7{n:09}"), String::new(), NAME.to_owned(), "2800.00".to_owned(), today.clone(), trade_no]
        })
        .collect();
    for row in [17, 5_000, 5_001, 9_999] {
        rows[row][0] = format!("9{row:09}");
    }
    let paid = "select count(*) from school_1.registration where fee_paid";
    let job = ended(&admin, &sent(&admin, &rows).await["jobId"]).await;
    assert_eq!(job["message"], json!("共10000行，4行有误，未导入任何数据"), "{job}");
    assert_eq!(row_errors(&job)[0], "19 考生号: 没有该考生号的报到数据");
    assert_eq!(server.one::<i64>(paid).await, 0, "nothing is written");
    for row in [17, 5_000, 5_001, 9_999] {
        rows[row][0] = format!("7{row:09}");
    }
    let job = ended(&admin, &sent(&admin, &rows).await["jobId"]).await;
    assert_eq!(job["message"], json!("共10000行，已导入10000行"), "{job}");
    assert_eq!(server.one::<i64>(paid).await, 10_000);
    // The same sheet again changes nothing.
    let versions = "select sum(version)::bigint from school_1.registration";
    let before: i64 = server.one(versions).await;
    let job = ended(&admin, &sent(&admin, &rows).await["jobId"]).await;
    assert_eq!((&job["state"], server.one::<i64>(versions).await), (&json!("done"), before), "{job}");
    // Every mistake at its row and column.
    let tomorrow = (server.app.clock().today() + chrono::Days::new(1)).to_string();
    let row = |of: [&str; 6]| of.map(ToOwned::to_owned);
    let wrong = [
        row(["", "", NAME, "2800", &today, ""]),
        row([&number(1), "", "李雷", "2800", &today, ""]),
        row([&number(1), "", NAME, "2800.005", &today, ""]),
        row([&number(1), "", NAME, "2800", &tomorrow, ""]),
        row([&number(3), "", NAME, "2800", &today, "YH00000001"]),
        row([&number(2), "", NAME, "2800", &today, "N1"]),
        row([&number(3), "", NAME, "2800", &today, "N1"]),
        row(["", &id_number(2), NAME, "2800", &today, ""]),
    ];
    let told = [
        "2 考生号: 请填写考生号或证件号",
        "3 姓名: 姓名与报到数据不一致",
        "4 实缴金额(元): 请填写数字，最多 2 位小数",
        "5 缴费日期: 缴费日期不能晚于今天",
        "6 流水号: 流水号已用于其他人员的缴费",
        "8 流水号: 与第7行流水号重复",
        "9 证件号: 与第7行是同一人",
    ];
    assert_eq!(row_errors(&sent(&admin, &wrong).await), told);
    // Of another site: not told whether they are there.
    let far = moved_far(&server, &admin, 3).await;
    let narrow = server.staff_within(1, &["adult:pc:registration:import"], "named_sites", &[far]).await;
    let one = row([&number(1), "", NAME, "2800", &today, ""]);
    let nobody = row(["88888888", "", NAME, "2800", &today, ""]);
    let refused = ["2 考生号: 无权操作该数据", "3 考生号: 无权操作该数据"];
    assert_eq!(row_errors(&sent(&narrow, &[one.clone(), nobody]).await), refused);
    // By the ID number, and as the desk needs it.
    let by_card = row(["", &id_number(1), NAME, "2800.5", &today, "N3"]);
    ready_but_unpaid(&server).await;
    assert_eq!(report(&admin, &registration(&admin, 1).await).await.refused(), (409, "未缴费，不能报到"));
    assert_eq!(sent(&admin, &[by_card]).await["imported"], json!(1));
    let view = format!("{REGISTRATION}/view?id={}", registration(&admin, 1).await["id"]);
    let seen = admin.get(&view).await.data().clone();
    assert_eq!(
        (&seen["paidAmount"], &seen["feeSource"], &seen["tradeNo"]),
        (&json!(280_050), &json!("import"), &json!("N3"))
    );
    assert_eq!(report(&admin, &registration(&admin, 1).await).await.code(), 200);
}

/// Everybody has the authority's picture.
async fn ready_but_unpaid(server: &Server) {
    server
        .run(
            "insert into school_1.file_object (key, original_name, size, content_type, file_type, state, uploader_id)
             values ('private/s1/202601/of_all.jpg', '照片.jpg', 1, 'image/jpeg', 3, 'stored', 0);
             update school_1.admission set photo_id = (select max(id) from school_1.file_object)",
        )
        .await;
}

async fn sent(client: &Client<'_>, rows: &[[String; 6]]) -> Value {
    let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let rows: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
    import(client, &format!("{REGISTRATION}/fee"), &FEE_HEADINGS, &rows).await.data().clone()
}

/// So many more are to come, 考生号 7 and the running number.
async fn multiplied(server: &Server, people: i64) {
    server
        .run(&format!(
            "insert into school_1.admission (batch_id, grade_id, import_id, examinee_no, name, name_grams, pinyin, initials, gender,
                 birthday, id_card_no, enrollment_major_id, major_id, level_id, study_form, schooling_years, authority_major_code,
                 raw, site_id, status, created_by, updated_by)
             select a.batch_id, a.grade_id, a.import_id, '7' || lpad(n::text, 9, '0'), a.name, a.name_grams, a.pinyin, a.initials,
                    a.gender, a.birthday, 'E' || n, a.enrollment_major_id, a.major_id, a.level_id, a.study_form, a.schooling_years,
                    a.authority_major_code, a.raw, a.site_id, 'audited', 0, 0
             from school_1.admission a, generate_series(0, {people} - 1) n where a.examinee_no = '{}';
             insert into school_1.registration (admission_id, batch_id, grade_id, enrollment_major_id, major_id, level_id, study_form,
                 schooling_years, site_id, examinee_no, name, name_grams, pinyin, initials, gender, birthday, id_card_type,
                 id_card_no, created_by, updated_by)
             select id, batch_id, grade_id, enrollment_major_id, major_id, level_id, study_form, schooling_years, site_id,
                    examinee_no, name, name_grams, pinyin, initials, gender, birthday, id_card_type, id_card_no, 0, 0
             from school_1.admission where examinee_no like '7%';
             analyze school_1.admission; analyze school_1.registration",
            number(1)
        ))
        .await;
}

#[tokio::test]
async fn results_come_by_sheet_all_or_none() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    let today = server.app.clock().today();
    server.run(&format!("update school_1.enrollment_batch set enrolled_on = '{today}'")).await;
    audited(&admin, &p, batch, 1..7).await;
    ready(&server).await;
    put_status(&server, 6, "revoked").await;
    let until = |n: usize, result: &str, reason: &str, until: &str| {
        [&*number(n), NAME, &*id_number(n), result, reason, until].map(ToOwned::to_owned)
    };
    let row = |n: usize, result: &str, reason: &str| until(n, result, reason, "");
    let send_as = async |client: &Client<'_>, rows: &[[String; 6]], more: &[(&str, &str)]| {
        let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let file = sheet(&RESULT_HEADINGS, &cells.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let call = format!("{REGISTRATION}/result/import");
        client.upload_with(&call, more, "file", "结果.xlsx", XLSX, &file).await
    };
    let send = async |rows: &[[String; 6]], more: &[(&str, &str)]| send_as(&admin, rows, more).await.data().clone();
    let mut rows = vec![
        row(1, "报到", ""),
        row(2, "报到", ""),
        row(3, "保留入学资格", "疾病"),
        row(4, "放弃入学资格", "工作调动"),
        row(6, "报到", ""),
    ];
    let checked = [("identityVerified", "true")];
    let told = send(&rows, &checked).await;
    assert_eq!(row_errors(&told), ["6 结果: 当前状态为取消入学资格，不能报到"]);
    let nobody: i64 = server.one("select count(*) from school_1.student").await;
    assert_eq!((nobody, count(&admin, json!({ "status": "pending" })).await), (0, 5), "nothing is written");
    rows.pop();
    // A check says the same and writes nothing; whoever was not compared with their document does not report.
    let told = send(&rows, &[("identityVerified", "true"), ("dryRun", "true")]).await;
    assert_eq!((&told["errors"], &told["imported"]), (&json!([]), &json!(0)), "{told}");
    let told = send(&rows, &[]).await;
    let unseen = ["2 结果: 未核验身份，不能报到", "3 结果: 未核验身份，不能报到"];
    assert_eq!(row_errors(&told), unseen);
    assert_eq!(server.one::<i64>("select count(*) from school_1.student").await, 0);
    // Identities are compared by whoever has people report, and faces nowhere here.
    let clerk = server.staff(1, &["adult:pc:registration:import"]).await;
    let refused = send_as(&clerk, &rows, &checked).await;
    assert_eq!(fields(&refused), ["identityVerified: 身份由办理报到的人员核验，您没有这些人员的报到权限"]);
    assert_eq!(row_errors(send_as(&clerk, &rows, &[]).await.data()), unseen);
    let one = registration(&admin, 1).await;
    let face = json!({ "id": one["id"], "version": one["version"], "identityVerified": true, "verifyMethod": "face" });
    let faces = json!({ "items": items(std::slice::from_ref(&one)), "identityVerified": true, "verifyMethod": "face" });
    for (call, body) in [("report", face), ("batchReview", faces)] {
        let refused = admin.post(&format!("{REGISTRATION}/{call}"), body).await;
        assert_eq!(fields(&refused), ["verifyMethod: 人脸核验只在客户端办理"], "{call}");
    }
    let told = send(&rows, &checked).await;
    assert_eq!((&told["errors"], &told["imported"]), (&json!([]), &json!(4)), "{told}");
    let mut found = Vec::new();
    for n in 1..=4 {
        found.push(registration(&admin, n).await["status"].clone());
    }
    assert_eq!(found, ["reported", "reported", "reserved", "abandoned"].map(|word| json!(word)));
    assert_eq!(server.one::<i64>("select count(*) from school_1.student where source = 'report'").await, 2);
    let kept = registration(&admin, 3).await;
    let view = admin.get(&format!("{REGISTRATION}/view?id={}", kept["id"])).await.data().clone();
    let last = today.checked_add_months(chrono::Months::new(12)).expect("a day");
    assert_eq!((&view["reserveReason"], &view["reserveUntil"]), (&json!("illness"), &json!(last)), "{view}");
    let signed = texts(&admin.post(&format!("{REGISTRATION}/export"), json!({ "sheet": "reserved" })).await.bytes);
    assert_eq!(signed[1][8], "疾病", "the word once: {signed:?}");
    // The paper comes afterwards, and only of a place that is kept.
    let papered = async |n: usize| {
        let row = registration(&admin, n).await;
        let attachment = paper(&admin, "诊断证明.pdf").await;
        let body =
            json!({ "id": row["id"], "version": row["version"], "identityVerified": false, "attachment": attachment });
        admin.put(&format!("{REGISTRATION}/edit"), body).await
    };
    assert_eq!(json!(papered(3).await.id()), kept["id"]);
    let view = admin.get(&format!("{REGISTRATION}/view?id={}", kept["id"])).await.data().clone();
    assert_eq!(view["attachmentName"], json!("诊断证明.pdf"), "{view}");
    assert_eq!(papered(5).await.refused(), (409, "当前状态为待报到，没有保留证明材料"));
    // What is wrong with a row itself.
    let wrong = [
        row(5, "放弃入学资格", ""),
        [&*number(5), "李雷", &*id_number(5), "报到", "", ""].map(ToOwned::to_owned),
        [&*number(5), NAME, &*id_number(4), "报到", "", ""].map(ToOwned::to_owned),
        row(1, "报到", ""),
        row(60, "报到", ""),
        row(5, "保留入学资格", "应征入伍"),
        until(5, "保留入学资格", "应征入伍", "2099-01-01"),
        until(5, "保留入学资格", "应征入伍", "2020-01-01"),
        until(5, "报到", "", "2099-01-01"),
    ];
    let army =
        format!("2 保留至: 保留期限不能晚于{}", today.checked_add_months(chrono::Months::new(120)).expect("a day"));
    let one_by_one = [
        "2 原因: 请填写原因",
        "2 姓名: 姓名与报到数据不一致",
        "2 证件号: 证件号与报到数据不一致",
        "2 结果: 该生已报到",
        "2 考生号: 没有该考生号的报到数据",
        "2 保留至: 应征入伍的请填写保留至退役后两年内的日期",
        &army,
        "2 保留至: 保留期限不能早于今天",
        "2 保留至: 只在保留入学资格时填写",
    ];
    for (row, wanted) in wrong.into_iter().zip(one_by_one) {
        assert_eq!(row_errors(&send(&[row], &checked).await), [wanted]);
    }
    let served = today + chrono::Days::new(900);
    let told = send(&[until(5, "保留入学资格", "应征入伍", &served.to_string())], &[]).await;
    assert_eq!((&told["errors"], &told["imported"]), (&json!([]), &json!(1)), "{told}");
    let five = registration(&admin, 5).await;
    assert_eq!((&five["reserveReason"], &five["reserveUntil"]), (&json!("military"), &json!(served)), "{five}");
}

/// What sheets told of payments and arrivals goes back; who has something else by now stays and is told.
#[tokio::test]
async fn sheets_of_arrivals_go_back() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    let today = server.app.clock().today();
    server.run(&format!("update school_1.enrollment_batch set enrolled_on = '{today}'")).await;
    audited(&admin, &p, batch, 1..6).await;
    let fee = |n: usize| {
        let trade_no = format!("T{n}");
        [&*number(n), "", NAME, "2800.00", &today.to_string(), &trade_no].map(ToOwned::to_owned)
    };
    assert_eq!(sent(&admin, &[fee(1), fee(2), fee(3)]).await["imported"], json!(3));
    let three = registration(&admin, 3).await;
    let unpaid = json!({ "items": items(std::slice::from_ref(&three)), "feePaid": false });
    assert_eq!(admin.put(&format!("{REGISTRATION}/fee"), unpaid).await.data()["done"], json!(1));
    // Whoever sees another site has none of it to undo.
    let far = moved_far(&server, &admin, 5).await;
    let narrow = server.staff_within(1, &["adult:pc:registration:import"], "named_sites", &[far]).await;
    let run = newest(&admin).await["id"].clone();
    assert_eq!(narrow.put("/system/pc/import/undo", json!({ "id": run })).await.code(), 404);
    let (message, stays) = taken_back(&admin, "缴费").await;
    assert_eq!(message, "共3条，已撤销2条，1条保留");
    assert_eq!(stays, ["张晓梅: 导入后已被教务员"]);
    let paid: i64 =
        server.one("select count(*) from school_1.registration where fee_paid or trade_no is not null").await;
    assert_eq!(paid, 0);
    // Undone, the same payment may be told again.
    assert_eq!(sent(&admin, &[fee(1)]).await["imported"], json!(1));

    ready(&server).await;
    let result = |n: usize, result: &str, reason: &str| {
        [&*number(n), NAME, &*id_number(n), result, reason, ""].map(ToOwned::to_owned)
    };
    let rows = [
        result(1, "报到", ""),
        result(2, "报到", ""),
        result(3, "保留入学资格", "疾病"),
        result(4, "放弃入学资格", "工作调动"),
    ];
    let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let file = sheet(&RESULT_HEADINGS, &cells.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let call = format!("{REGISTRATION}/result/import");
    let told = admin.upload_with(&call, &[("identityVerified", "true")], "file", "结果.xlsx", XLSX, &file).await;
    assert_eq!((&told.data()["errors"], &told.data()["imported"]), (&json!([]), &json!(4)), "{}", told.body);
    let two = registration(&admin, 2).await["studentId"].clone();
    server
        .run(&format!(
            "insert into school_1.student_correction (student_id, kind, reason, changes, status, source, applicant_name, created_by,
                 updated_by)
             values ({two}, 'data_error', '姓名有误', '{{\"name\": {{}}}}', 'pending_school', 'back_office', '某人', 0, 0)"
        ))
        .await;
    let (message, stays) = taken_back(&admin, "报到结果").await;
    assert_eq!(message, "共4条，已撤销3条，1条保留");
    assert_eq!(stays, ["张晓梅: 学生已有1条信息更正，不能撤销报到"]);
    let stand: Vec<String> = server
        .one(
            "select array_agg(concat_ws(' ', status, identity_verified, reserve_until, reason) order by examinee_no)
             from school_1.registration",
        )
        .await;
    assert_eq!(stand, ["pending f", "reported t", "pending f", "pending f", "pending f"]);
    let left: Vec<i64> = server
        .one(
            "select array[(select count(*) from school_1.student), (select count(*) from school_1.client_account),
                          (select count(distinct student_id) from school_1.student_information)]",
        )
        .await;
    assert_eq!(left, [1, 1, 1]);
}

#[tokio::test]
async fn figures_add_up_and_sheets_open() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let operator = server.operator().await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    audited(&admin, &p, batch, 1..10).await;
    ready(&server).await;
    let far = moved_far(&server, &admin, 9).await;
    for n in [1, 2] {
        assert_eq!(report(&admin, &registration(&admin, n).await).await.code(), 200);
    }
    for (n, status) in [(3, "abandoned"), (4, "no_show"), (5, "revoked")] {
        put_status(&server, n, status).await;
    }
    begun_today(&server).await;
    let kept = keep(&server, &registration(&admin, 6).await, &paper(&admin, "申请.pdf").await);
    admin.post(&format!("{REGISTRATION}/reserve"), kept).await.id();
    // By their whole number whoever came is found.
    server.run("update school_1.student set student_no = 'S2026' || lpad(id::text, 4, '0')").await;
    let student_no = registration(&admin, 1).await["studentNo"].as_str().expect("a number").to_owned();
    assert_eq!(count(&admin, json!({ "keyword": student_no.to_lowercase() })).await, 1);
    assert_eq!(count(&admin, json!({ "keyword": &student_no[..6] })).await, 0);
    let call = format!("{REGISTRATION}/statistics");
    for by in ["site", "major"] {
        let sums = admin.post(&call, json!({ "batchId": batch, "by": by })).await.data().clone();
        let all = &sums["all"];
        let of = |field: &str| all[field].as_i64().expect("a count");
        assert_eq!((of("expected"), of("reported"), of("missing"), of("revoked")), (8, 2, 4, 1), "{sums}");
        assert_eq!(of("expected"), of("reported") + of("reserved") + of("abandoned") + of("missing"));
        assert_eq!(all["reportRate"], json!(25.0));
        for field in ["expected", "reported", "reserved", "abandoned", "missing", "revoked"] {
            let rows = sums["rows"].as_array().expect("rows");
            let sum: i64 = rows.iter().map(|row| row[field].as_i64().expect("a count")).sum();
            assert_eq!(sum, of(field), "{by} {field}");
        }
        // Who is struck off is not expected, but everybody stands in the list.
        assert_eq!(of("expected") + of("revoked"), count(&admin, json!({ "batchId": batch })).await);
    }
    let by_school = admin.post(&call, json!({ "by": "school" })).await;
    assert_eq!(fields(&by_school), ["by: 按院校统计只用于平台全部院校，请选择按站点或按专业"]);
    let sums = operator.post(&call, json!({ "by": "school" })).await.data().clone();
    let own = sums["rows"].as_array().expect("schools").iter().find(|row| row["id"] == json!(1)).expect("school 1");
    assert_eq!((&own["expected"], &own["reported"]), (&json!(8), &json!(2)), "{sums}");
    assert_eq!(fields(&operator.post(&call, json!({ "by": "site" })).await), ["schoolId: 请选择院校"]);
    let sums = operator.post(&format!("{call}?schoolId=1"), json!({ "by": "site" })).await.data().clone();
    assert_eq!(sums["rows"].as_array().map(Vec::len), Some(2), "{sums}");
    // The four sheets, each with those that it is of, numbered in the order of sites.
    let signed = ["序号", "考生号", "姓名", "性别", "证件号", "层次", "专业", "站点", "原因", "签字"];
    let reserved = ["序号", "考生号", "姓名", "性别", "证件号", "层次", "专业", "站点", "原因", "保留至", "签字"];
    let roll = ["序号", "学号", "考生号", "姓名", "性别", "证件号", "层次", "专业", "站点", "签字"];
    for (sheet, headings, people) in [
        ("roll", &roll[..], 2),
        ("missing", &signed[..], 4),
        ("reserved", &reserved[..], 1),
        ("abandoned", &signed[..], 1),
    ] {
        let file = admin.post(&format!("{REGISTRATION}/export"), json!({ "sheet": sheet })).await;
        let rows = texts(&file.bytes);
        let headings: Vec<String> = headings.iter().map(ToString::to_string).collect();
        assert_eq!((&rows[0], rows.len() - 1), (&headings, people), "{sheet}");
        if sheet == "reserved" {
            assert_eq!((&*rows[1][8], rows[1][9].is_empty()), ("疾病：住院治疗", false), "{rows:?}");
        }
        let numbers: Vec<&str> = rows[1..].iter().map(|row| row[0].as_str()).collect();
        let wanted: Vec<String> = (1..=people).map(|n| n.to_string()).collect();
        assert_eq!(numbers, wanted, "{sheet}");
    }
    let missing = texts(&admin.post(&format!("{REGISTRATION}/export"), json!({ "sheet": "missing" })).await.bytes);
    assert_eq!(missing[4][7], "远郊教学点", "{missing:?}");
    let job =
        admin.post(&format!("{REGISTRATION}/export?job=true"), json!({ "sheet": "reserved", "siteId": p.site })).await;
    let job = ended(&admin, &job.data()["jobId"]).await;
    assert_eq!(job["message"], json!("共导出1行"), "{job}");
    let all = texts(&admin.post(&format!("{REGISTRATION}/export"), json!({ "siteId": far })).await.bytes);
    assert_eq!(
        (all[0][1].as_str(), all[1][1].as_str(), all[1][12].as_str()),
        ("考生号", &*number(9), "2800"),
        "{all:?}"
    );
}

/// §8, scenarios 3, 4 and 6; who is deleted comes back, unless their place is another's or gone.
#[tokio::test]
async fn what_was_deleted_comes_back_or_goes() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let operator = server.operator().await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    audited(&admin, &p, batch, 1..6).await;
    let far = moved_far(&server, &admin, 5).await;
    let mut ids = Vec::new();
    for n in 1..=5 {
        ids.push(registration(&admin, n).await["id"].clone());
    }
    let one = registration(&admin, 1).await;
    let photo = picture(&admin).await;
    let edit = json!({ "id": one["id"], "version": one["version"], "identityVerified": false, "photo": photo });
    admin.put(&format!("{REGISTRATION}/edit"), edit).await.id();
    put_status(&server, 3, "abandoned").await;
    put_status(&server, 4, "abandoned").await;
    let gone = admin.post(&format!("{REGISTRATION}/batchDel"), json!({ "ids": ids })).await;
    assert_eq!(gone.data()["done"], json!(5), "{}", gone.body);
    assert_eq!(count(&admin, json!({})).await, 0, "seen by nobody any more");
    let list = admin.post(&format!("{BIN}/list"), json!({ "keyword": id_number(2) })).await;
    assert_eq!(list.data()["totalCount"], json!(1));
    assert!(!list.body.to_string().contains(&id_number(2)), "by the whole number, which is not shown");
    let view = admin.get(&format!("{BIN}/view?id={}", ids[2])).await.data().clone();
    assert_eq!((&view["status"], view["deletedBy"].is_string()), (&json!("abandoned"), true), "{view}");
    let rows = texts(&admin.post(&format!("{BIN}/export"), json!({ "batchId": batch })).await.bytes);
    assert_eq!((rows[0][1].as_str(), rows.len()), ("考生号", 6), "{rows:?}");
    // Staff of a site see theirs alone.
    let codes = ["adult:pc:registrationDeleted:list", "adult:pc:registrationDeleted:recover"];
    let narrow = server.staff_within(1, &codes, "named_sites", &[far]).await;
    assert_eq!(narrow.post(&format!("{BIN}/list"), json!({})).await.data()["totalCount"], json!(1));
    let all = binned(&admin).await;
    let of = |id: &Value| all.iter().find(|item| item["id"] == *id).expect("an item").clone();
    let beyond = recover(&narrow, vec![of(&ids[0])]).await;
    assert_eq!(beyond["done"], json!(0), "{beyond}");
    // Two at once: one of them.
    let (a, b) = tokio::join!(recover(&admin, vec![of(&ids[2])]), recover(&other, vec![of(&ids[2])]));
    let (done, refused) = if a["done"] == json!(1) { (a, b) } else { (b, a) };
    assert_eq!((&done["done"], &refused["done"]), (&json!(1), &json!(0)), "{done} {refused}");
    assert_eq!(refused["failed"][0]["msg"], json!("数据已恢复"));
    assert_eq!(registration(&admin, 3).await["status"], json!("abandoned"), "as it was");
    // The admission is audited no more, then it is deleted, then audited anew.
    let admission = seen(&admin, batch, 2).await;
    let audit = |row: &Value, result: &str| json!({ "id": row["id"], "version": row["version"], "result": result, "remark": "信息待核" });
    admin.post(&format!("{ADMISSION}/audit"), audit(&admission, "revoke")).await.id();
    let told = recover(&admin, vec![of(&ids[1])]).await;
    assert_eq!(told["failed"][0]["msg"], json!("录取数据已不是已审核，请重新审核录取"));
    admin.delete(&format!("{ADMISSION}/delete?id={}", admission["id"])).await.data();
    let told = recover(&admin, vec![of(&ids[1])]).await;
    assert_eq!(told["failed"][0]["msg"], json!("请先恢复录取数据"));
    let bin = admin.post("/adult/pc/admissionDeleted/list", json!({})).await.data()["list"][0].clone();
    let back = json!({ "items": [{ "id": bin["id"], "version": bin["version"] }] });
    assert_eq!(admin.post("/adult/pc/admissionDeleted/recover", back).await.data()["done"], json!(1));
    let admission = seen(&admin, batch, 2).await;
    admin.post(&format!("{ADMISSION}/audit"), audit(&admission, "pass")).await.id();
    // Who had waited waits again with the audit; beside who had given up somebody new waits.
    let told = recover(&admin, vec![of(&ids[1])]).await;
    assert_eq!(told["failed"][0]["msg"], json!("数据已恢复"));
    for result in ["revoke", "pass"] {
        let admission = seen(&admin, batch, 4).await;
        admin.post(&format!("{ADMISSION}/audit"), audit(&admission, result)).await.id();
    }
    let told = recover(&admin, vec![of(&ids[3])]).await;
    assert_eq!(told["failed"][0]["msg"], json!("已存在相同证件号的有效数据，不能恢复"));
    // For good: by an operator alone, with the picture, and a masked line stays.
    assert_eq!(admin.delete(&format!("{BIN}/delete?id={}", ids[0])).await.code(), 403);
    let deleter = server.staff(1, &["adult:pc:registration:delete"]).await;
    assert_eq!(deleter.post(&format!("{BIN}/list"), json!({})).await.code(), 403);
    assert_eq!(operator.delete(&format!("{BIN}/delete?schoolId=1&id={}", ids[0])).await.code(), 200);
    assert_eq!(operator.delete(&format!("{BIN}/delete?schoolId=1&id={}", ids[0])).await.code(), 404);
    let files: i64 = server.one("select count(*) from school_1.file_object where owner_type = 'registration'").await;
    assert_eq!(files, 0);
    let kept: i64 = server
        .one(&format!(
            "select count(*) from school_1.audit_log
             where entity_type = 'registration' and entity_id = {} and action = 'delete' and changes::text like '%examineeNo%'",
            ids[0]
        ))
        .await;
    assert_eq!(kept, 1);
    let whole = format!("select count(*) from school_1.audit_log where changes::text like '%{}%'", id_number(1));
    assert_eq!(server.one::<i64>(&whole).await, 0, "the trail has the whole number");
    let rest: Vec<Value> = binned(&operator).await;
    let told = operator.post(&format!("{BIN}/batchDel"), json!({ "items": rest })).await;
    assert_eq!(told.data()["done"], json!(2), "{}", told.body);
    // A batch that is over has nobody who waits.
    let waiting = registration(&admin, 2).await;
    admin.post(&format!("{REGISTRATION}/batchDel"), json!({ "ids": [waiting["id"]] })).await.data();
    server.run("update school_1.enrollment_batch set status = 'closed'").await;
    let told = recover(&admin, binned(&admin).await).await;
    assert_eq!(told["failed"][0]["msg"], json!("招生批次“2026-1招生”已结束，不能恢复待报到的数据"), "{told}");
}

/// Everything that lies in the bin, as items of a step.
async fn binned(client: &Client<'_>) -> Vec<Value> {
    let list = client.post(&format!("{BIN}/list"), json!({ "pageSize": 100 })).await.data()["list"].clone();
    let rows = list.as_array().expect("rows").iter();
    rows.map(|row| json!({ "id": row["id"], "version": row["version"], "schoolId": row["schoolId"] })).collect()
}

async fn recover(client: &Client<'_>, items: Vec<Value>) -> Value {
    client.post(&format!("{BIN}/recover"), json!({ "items": items })).await.data().clone()
}

/// §13: a site has its own people report, inside the time for it, and each call once.
#[tokio::test]
async fn a_site_has_its_people_report() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p: Cohort = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    server.run(&format!("update school_1.enrollment_batch set enrolled_on = '{}'", server.app.clock().today())).await;
    audited(&admin, &p, batch, 1..5).await;
    ready(&server).await;
    moved_far(&server, &admin, 4).await;
    let person = json!({ "siteId": p.site, "name": "刘站长", "phone": "13600000001", "duty": "principal", "idCardNo": "429900199603150216" });
    admin.post(&format!("{STAFF}/save"), person).await.id();
    let client = clients::entered(&server, "13600000001", "Aa@150216", "site_staff").await;
    let own = "/user/client/registration";
    let list =
        client.post(&format!("{own}/list"), json!({ "batchId": batch, "status": "pending" })).await.data().clone();
    assert_eq!(list["totalCount"], json!(3), "of its own site");
    assert!(!list.to_string().contains(&id_number(1)));
    let (one, two, three) =
        (registration(&admin, 1).await, registration(&admin, 2).await, registration(&admin, 3).await);
    let come = |row: &Value, request: &str| {
        json!({
            "requestId": request, "id": row["id"], "version": row["version"], "identityVerified": true, "verifyMethod": "face",
            "materials": ["id_copy"],
        })
    };
    let call = format!("{own}/report");
    let now = server.app.clock().now();
    let window = async |from: i64, to: i64| {
        let at = |hours: i64| (now + chrono::Duration::hours(hours)).to_rfc3339();
        let (from, to) = (at(from), at(to));
        let set = format!("report_starts_at = '{from}', report_ends_at = '{to}'");
        server.run(&format!("update school_1.enrollment_batch set {set}")).await;
    };
    window(-48, -24).await;
    assert_eq!(client.post(&call, come(&one, "r-1")).await.refused(), (409, "不在报到时间内"));
    window(-48, 24).await;
    let pictured = |request: &str, photo: &str| {
        let mut body = come(&one, request);
        body["photo"] = json!(photo);
        body
    };
    let no_picture = client.post(&call, pictured("r-1b", &paper(&admin, "照片.pdf").await)).await;
    assert_eq!(fields(&no_picture), ["photo: 图片无法识别，请使用jpg或png格式"]);
    let sent = pictured("r-2", &picture(&admin).await);
    let first = client.post(&call, sent.clone()).await.data().clone();
    assert_eq!(first["id"], one["id"], "{first}");
    let taken_over =
        "select count(*) from school_1.student s join school_1.registration r on r.photo_id = s.enrol_photo_id
                      where r.student_id = s.id";
    assert_eq!(server.one::<i64>(taken_over).await, 1);
    // The answer was lost, and the telephone sends the same again.
    let again = client.unlooked(Method::POST, &call, Some(&sent)).await;
    assert_eq!(again.data(), &first);
    assert_eq!(server.one::<i64>("select count(*) from school_1.student where source = 'report'").await, 1);
    assert_eq!(client.post(&call, come(&two, "r-2")).await.refused(), (409, "请求编号已被使用"));
    let seen = admin.get(&format!("{REGISTRATION}/view?id={}", one["id"])).await.data().clone();
    assert_eq!((&seen["reportedBy"], &seen["verifyMethod"]), (&json!("刘站长"), &json!("face")), "{seen}");
    // Somebody of another site is nobody here, whatever is asked.
    let foreign = registration(&admin, 4).await;
    assert_eq!(client.post(&call, come(&foreign, "r-3")).await.code(), 404);
    let reason = |row: &Value, request: &str| json!({ "requestId": request, "id": row["id"], "version": row["version"], "reason": "不来了" });
    assert_eq!(client.post(&format!("{own}/abandon"), reason(&foreign, "r-4")).await.code(), 404);
    assert_eq!(json!(client.post(&format!("{own}/abandon"), reason(&two, "r-5")).await.id()), two["id"]);
    let keep = json!({
        "requestId": "r-6", "id": three["id"], "version": three["version"], "reserveReason": "illness",
        "reserveUntil": server.app.clock().today() + chrono::Days::new(60), "reason": "住院",
        "attachment": paper(&admin, "病历.pdf").await,
    });
    assert_eq!(json!(client.post(&format!("{own}/reserve"), keep).await.id()), three["id"]);
    let left = registrations(&admin, json!({ "batchId": batch })).await;
    let mut found: Vec<&str> = left.iter().filter_map(|row| row["status"].as_str()).collect();
    found.sort_unstable();
    assert_eq!(found, ["abandoned", "pending", "reported", "reserved"]);
    // Neither teachers nor the console have these calls.
    assert_eq!(admin.post(&format!("{own}/list"), json!({})).await.code(), 403);
}

/// §6: the authority's pictures, by 考生号 or 证件号; they go along into the register.
#[tokio::test]
async fn pictures_of_the_admitted_come_by_number() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    setting(&server, "feeRequiredAtReport", &json!(false)).await;
    audited(&admin, &p, batch, 1..5).await;
    taken(&admin, &p, batch, &[row(5)]).await;
    let far = moved_far(&server, &admin, 4).await;
    // More than are told apart at once.
    multiplied(&server, 1_100).await;
    let before = seen(&admin, batch, 3).await;
    let picture = drawn(300, 400);
    let files: [(String, &[u8]); 4] = [
        (format!("照片/{}.jpg", number(1)), &picture),
        (format!("{}.JPG", id_number(2)), &picture),
        (format!("{}.jpg", number(99)), &picture),
        (format!("{}.png", number(3)), b"no picture"),
    ];
    let zip = zipped(&files);
    let send = async |client: &Client<'_>, more: &[(&str, &str)]| {
        let call = format!("{ADMISSION}/photo/import");
        client.upload_with(&call, more, "file", "照片.zip", "application/zip", &zip).await.data().clone()
    };
    let told = send(&admin, &[("dryRun", "true")]).await;
    assert_eq!((&told["total"], &told["matched"]), (&json!(4), &json!(2)), "{told}");
    let with_photo = "select count(*) from school_1.admission where photo_id is not null";
    assert_eq!(server.one::<i64>(with_photo).await, 0);
    let narrow = server.staff_within(1, &["adult:pc:admission:import"], "named_sites", &[far]).await;
    assert_eq!(send(&narrow, &[]).await["unmatched"].as_array().map(Vec::len), Some(4), "of other sites");
    let told = send(&admin, &[]).await;
    assert_eq!(
        (&told["unmatched"], &told["invalid"][0]["name"]),
        (&json!([format!("{}.jpg", number(99))]), &json!(format!("{}.png", number(3))))
    );
    let told = send(&admin, &[]).await;
    assert_eq!((&told["skipped"], &told["matched"]), (&json!(2), &json!(0)), "{told}");
    let over = send(&admin, &[("overwrite", "true")]).await;
    assert_eq!((&over["replaced"], &over["matched"]), (&json!(2), &json!(2)), "{over}");
    // Whoever has none is told apart, and seen so in the lists.
    let (one, three) = (seen(&admin, batch, 1).await, seen(&admin, batch, 3).await);
    let lacks = |row: &Value| row["issues"].as_array().expect("issues").contains(&json!("photo_missing"));
    assert_eq!((&one["hasPhoto"], lacks(&one)), (&json!(true), false), "{one}");
    assert_eq!((&three["hasPhoto"], lacks(&three)), (&json!(false), true), "{three}");
    assert_eq!(three["version"], before["version"], "nobody edits that");
    let untold =
        "select count(*) from school_1.admission where photo_id is null and not issues @> array['photo_missing']";
    assert_eq!(server.one::<i64>(untold).await, 0);
    // Whoever lacks one lacks it still when the authority sends its file again.
    let mut corrected = row(5);
    corrected[8] = "299.5".to_owned();
    let maps = levels(&p).to_string();
    let more = [("mode", "update"), ("valueMaps", maps.as_str())];
    let told = take(&admin, batch, &more, "LQK2.dbf", &dbf(&[corrected])).await.data().clone();
    assert_eq!(told["updated"], json!(1), "{told}");
    assert!(lacks(&seen(&admin, batch, 5).await));
    let view = admin.get(&format!("{ADMISSION}/view?id={}", one["id"])).await.data().clone();
    assert!(view["photoUrl"].is_string() && view["registrationStatus"] == json!("pending"), "{view}");
    let row = registration(&admin, 1).await;
    assert_eq!(row["hasPhoto"], json!(true));
    let told = report(&admin, &row).await.data().clone();
    let student = admin.get(&format!("/adult/pc/studentRoll/view?id={}", told["studentId"])).await.data().clone();
    assert!(student["admissionPhoto"].is_string(), "{student}");
    // The picture of who lacked one comes later, when they have reported with one of their own.
    let own = registration(&admin, 3).await;
    let own = json!({
        "id": own["id"], "version": own["version"], "identityVerified": true, "photo": self::picture(&admin).await,
    });
    let reported = admin.post(&format!("{REGISTRATION}/report"), own).await.data().clone();
    let of_three = format!("/adult/pc/studentRoll/view?id={}", reported["studentId"]);
    let student = admin.get(&of_three).await.data().clone();
    assert!(student["enrolPhoto"].is_string() && student["admissionPhoto"].is_null(), "{student}");
    let later = zipped(&[(format!("{}.jpg", number(3)), &picture[..])]);
    let call = format!("{ADMISSION}/photo/import");
    admin.upload_with(&call, &[], "file", "照片.zip", "application/zip", &later).await.data();
    assert!(!lacks(&seen(&admin, batch, 3).await));
    let given = admin.get(&of_three).await.data().clone();
    assert!(given["admissionPhoto"].is_string() && given["enrolPhoto"].is_string(), "{given}");
    // It was the wrong one: it goes from both again.
    assert_eq!(taken_back(&admin, "录取照片").await, ("共1条，已撤销1条".to_owned(), Vec::new()));
    let taken = admin.get(&of_three).await.data().clone();
    assert!(taken["admissionPhoto"].is_null() && taken["enrolPhoto"].is_string(), "{taken}");
    let three = seen(&admin, batch, 3).await;
    assert_eq!((&three["hasPhoto"], lacks(&three)), (&json!(false), true), "{three}");
}

/// A picture of so many pixels.
fn drawn(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::from_fn(width, height, |x, y| image::Rgb([x as u8, y as u8, 90]))
        .write_to(&mut bytes, ImageFormat::Jpeg)
        .expect("a picture");
    bytes.into_inner()
}

fn zipped(files: &[(String, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in files {
        zip.start_file(name.as_str(), stored).expect("an entry");
        zip.write_all(bytes).expect("its bytes");
    }
    zip.finish().expect("a zip").into_inner()
}
