//! One person, from the wish to study to the return from a suspension: the way of part 02 §0.1, step by step, with its worked
//! number (§9.4) and dates (§9.3).
//!
//! What takes effect "today" takes effect on days of their own: between the steps the clock goes on.

use std::io::Cursor;

use chrono::{Datelike, Days, Months, NaiveDate};
use image::{ImageFormat, RgbImage};
use kit::{
    Client, Server,
    admission::{ADMISSION, granted, row, seen as admission, taken},
    clients::{self, HOST, OWN, entered, sign_in, with_token},
    cohort::{Cohort, cohort, registrar},
    enrolment::{ENROLMENT, MAJORS, batch, file_majors, turn as turn_batch},
    files::uploaded,
    information::{COMMITMENT, INFORMATION, commitment, form_of, information, turn, window, with},
    jobs::ended,
    pre_registrations::{BATCH, PRE, batch as pre_batch, person},
    registration::{REGISTRATION, registration},
    rows::setting,
    sheets::{XLSX, import, sheet, texts_of},
    site_staff::STAFF,
    status_change::{BATCH as WINDOW, CHANGE, batch_of, seen, step},
    students::{ROLL, id_number},
};
use poem::http::Method;
use serde_json::{Value, json};

const PUBLIC: &str = "/user/client/publicPreRegistration";
const OF_SITE: &str = "/user/client/preRegistration";
const OWN_CHANGE: &str = "/user/client/change";
/// The person is the second of the kit's people: a woman, born 1990-01-01.
const N: usize = 2;
const NAME: &str = "张晓梅";
/// The twenty-third of `26 3 0412 007` (§9.4).
const NUMBER: &str = "26304120070023";
const STATION: &str = "13600000001";

/// Where it all happens, and who works there.
struct School<'s> {
    server: &'s Server,
    admin: Client<'s>,
    site: Client<'s>,
    p: Cohort,
    /// 工商管理, to which the person changes.
    other: i64,
    /// Of the recruitment, and of those who tell that they want to study.
    batch: i64,
    leads: i64,
}

/// The days on which something took effect.
struct Dates {
    reported: NaiveDate,
    registered: NaiveDate,
    transferred: NaiveDate,
    suspended: NaiveDate,
    returned: NaiveDate,
}

fn holds(view: &Value, wanted: Value) {
    for (field, value) in wanted.as_object().expect("fields") {
        assert_eq!(&view[field], value, "{field} of {view}");
    }
}

fn examinee_no() -> String {
    row(N)[0].clone()
}

fn initial(n: usize) -> String {
    format!("Aa@{}", &id_number(n)[12..])
}

fn own(group: &str) -> String {
    group.replace("/pc/", "/client/")
}

impl<'s> School<'s> {
    /// 2026级 of a spring entry, with 会计学 (0412) and 工商管理 (0413) at the site 007, both recruited and filed.
    async fn opened(server: &'s Server) -> Self {
        let (admin, _) = clients::school(server).await;
        let p = cohort(&admin).await;
        server
            .run(&format!(
                "update school_1.major set code = '412' where id = {}; update school_1.site set code = '7' where id = {}",
                p.major, p.site
            ))
            .await;
        let national = admin.post("/adult/pc/nationalMajor/list", json!({ "keyword": "120201K" })).await;
        let national = national.data()["list"][0]["id"].clone();
        let other = json!({ "code": "413", "name": "工商管理", "nationalMajorId": national, "levelId": p.level, "totalCredits": 90 });
        let other = admin.post("/adult/pc/major/save", other).await.id();
        file_majors(server, p.grade).await;
        let form = with(batch(&p, "2026-1"), json!({ "enrolledOn": "2026-03-01" }));
        let recruited = admin.post(&format!("{ENROLMENT}/save"), form).await.id();
        let offered = offer(&admin, recruited, p.major, "101").await;
        offer(&admin, recruited, other, "102").await;
        assert_eq!(turn_batch(&admin, recruited, "open").await.code(), 200);
        granted(&admin, recruited, p.site, offered, 50).await;
        let leads = pre_batch(&admin, &p, "2026A", true).await;
        let segments = json!([
            { "kind": "grade_year", "length": 2 },
            { "kind": "level", "length": 1, "values": [{ "key": p.level.to_string(), "code": "3" }] },
            { "kind": "major", "length": 4 }, { "kind": "site", "length": 3 }, { "kind": "seq", "length": 4 },
        ]);
        let rule = json!({ "name": "2026级", "gradeIds": [p.grade], "segments": segments, "sortBy": "examinee_no", "enabled": true });
        admin.post(&format!("{ROLL}/studentNoRule/save"), rule).await.id();
        server.run("insert into school_1.student_no_counter (scope_key, last_no) values ('2630412007', 22)").await;
        // The entry of the worked dates may lie further back than a school lets people change their major.
        setting(server, "professionalDeadlineMonths", &json!(120)).await;
        let station = json!({ "siteId": p.site, "name": "刘站长", "phone": STATION, "duty": "academic", "idCardNo": id_number(41) });
        admin.post(&format!("{STAFF}/save"), station).await.id();
        let site = entered(server, STATION, &initial(41), "site_staff").await;
        Self { server, admin, site, p, other, batch: recruited, leads }
    }

    fn today(&self) -> NaiveDate {
        self.server.app.clock().today()
    }

    /// Lets days go by; whoever works here signs in anew.
    async fn later(&mut self, days: i64) {
        self.server.app.clock().shift(chrono::Duration::days(days));
        self.admin = registrar(self.server).await;
        self.site = with_token(self.server, &sign_in(self.server, STATION, OWN, "site_staff").await);
    }

    /// The student in their own client.
    async fn student(&self) -> Client<'s> {
        with_token(self.server, &sign_in(self.server, NUMBER, OWN, "student").await)
    }

    async fn file(&self, id: i64) -> Value {
        self.admin.get(&format!("{ROLL}/view?id={id}")).await.data().clone()
    }

    async fn lead(&self, id: i64) -> Value {
        self.admin.get(&format!("{PRE}/view?id={id}")).await.data().clone()
    }

    async fn class(&self, code: &str, grade: i64, major: i64) -> i64 {
        let form = with(self.p.class(code), json!({ "gradeId": grade, "majorId": major }));
        self.admin.post("/adult/pc/class/save", form).await.id()
    }

    /// The student asks in their client, the site agrees, the school approves; it takes effect at once.
    async fn changed(&self, request: &str, wanted: Value) -> i64 {
        let body = with(wanted, json!({ "requestId": request, "reason": "本人申请，材料齐全" }));
        let id = self.student().await.post(&format!("{OWN_CHANGE}/submit"), body).await.id();
        holds(&seen(&self.admin, id).await, json!({ "status": "pending_site", "source": "student_client" }));
        let review = json!({
            "requestId": format!("{request}-site"), "id": id, "version": seen(&self.admin, id).await["version"],
            "result": "pass", "remark": "情况属实",
        });
        assert_eq!(self.site.post(&format!("{OWN_CHANGE}/siteReview"), review).await.id(), id);
        assert_eq!(seen(&self.admin, id).await["status"], json!("pending_school"));
        assert_eq!(step(&self.admin, "audit", id, json!({ "remark": "同意" })).await.id(), id);
        let page = seen(&self.admin, id).await;
        holds(&page, json!({ "status": "executed", "effectiveOn": self.today(), "applicantName": NAME }));
        let steps: Vec<&Value> = page["steps"].as_array().expect("steps").iter().map(|step| &step["step"]).collect();
        assert_eq!(steps, ["submit", "site", "school", "execute"]);
        id
    }
}

/// A major of a batch, 2800 元 a year.
async fn offer(admin: &Client<'_>, batch: i64, major: i64, code: &str) -> i64 {
    let body = json!({
        "batchId": batch, "majorId": major, "authorityCode": code, "examCategory": "economics", "quota": 100,
        "tuition": 280_000,
    });
    admin.post(&format!("{MAJORS}/save"), body).await.id()
}

/// Steps 1 and 2: the public form, with a code by short message; the school approves; 网报号 and 考生号 come by a sheet.
async fn applies(s: &School<'_>) -> i64 {
    let token = s.admin.get(&format!("{BATCH}/view?id={}", s.leads)).await.data()["publicToken"].clone();
    let visitor = s.server.anonymous().at_host(HOST);
    let phone = format!("154{N:08}");
    let captcha = visitor.challenge(&phone, "client").await.data().clone();
    let ask = json!({ "publicToken": token, "phone": phone, "captcha": captcha });
    assert_eq!(visitor.post(&format!("{PUBLIC}/smsCode"), ask).await.data()["validMinutes"], json!(5));
    let sent = format!(
        "select substring(content from '[0-9]{{6}}') from school_1.msg_recorded
         where channel = 'sms' and address = '{phone}' order by id desc limit 1"
    );
    let code: String = s.server.one(&sent).await;
    let mut form = with(
        person(&s.p, s.leads, N),
        json!({
            "publicToken": token, "smsCode": code, "requestId": "form-1", "name": NAME, "ethnicity": "01",
            "preEduLevel": "associate", "address": "武汉市洪山区珞瑜路1037号",
        }),
    );
    form.as_object_mut().expect("fields").remove("batchId");
    let id = visitor.post(&format!("{PUBLIC}/save"), form).await.id();
    holds(
        &s.lead(id).await,
        json!({
            "status": "pending", "examStatus": "none", "source": "student_client", "gender": "female",
            "birthday": "1990-01-01", "studyForm": "non_full_time", "dupStudent": false, "examineeNo": null,
        }),
    );
    // Somebody else comes by the site, and is never heard of again.
    let other = with(person(&s.p, s.leads, N + 1), json!({ "requestId": "site-1" }));
    let other = s.site.post(&format!("{OF_SITE}/save"), other).await.id();
    holds(&s.lead(other).await, json!({ "status": "pending", "source": "site_client" }));

    let pass = json!({ "id": id, "version": s.lead(id).await["version"], "result": "pass" });
    assert_eq!(s.admin.post(&format!("{PRE}/audit"), pass).await.id(), id);
    let approved = s.lead(id).await;
    holds(&approved, json!({ "status": "approved", "examStatus": "none" }));
    assert!(approved["auditedAt"].is_string(), "{approved}");
    let batch = s.leads.to_string();
    let numbers =
        sheet(&["证件号", "姓名", "网报号", "考生号"], &[&[&id_number(N), NAME, "W20250002", &examinee_no()]]);
    let told = s
        .admin
        .send_file(
            Method::PUT,
            &format!("{PRE}/examineeNo/import"),
            &[("batchId", &batch)],
            ("file", "考生号.xlsx", XLSX),
            &numbers,
        )
        .await;
    assert_eq!(told.data()["imported"], json!(1), "{}", told.body);
    holds(
        &s.lead(id).await,
        json!({ "examStatus": "registered", "provincialRegNo": "W20250002", "examineeNo": examinee_no() }),
    );
    id
}

/// Steps 3 and 4: the 录取库 finds the lead by its ID number and its site with it; the school audits.
async fn is_admitted(s: &School<'_>, lead: i64) {
    let told = taken(&s.admin, &s.p, s.batch, &[row(N)]).await;
    holds(&told, json!({ "total": 1, "inserted": 1, "updated": 0, "unchanged": 0 }));
    let found = admission(&s.admin, s.batch, N).await;
    holds(
        &found,
        json!({
            "status": "assigned", "matchStatus": "matched", "issues": [], "siteId": s.p.site, "siteName": "城东教学点",
            "examineeNo": examinee_no(), "totalScore": 202.5, "authorityMajorCode": "101", "majorName": "会计学",
            "phone": "154****0002", "overQuota": false,
        }),
    );
    holds(&s.lead(lead).await, json!({ "status": "approved", "examStatus": "admitted" }));
    let pass = json!({ "id": found["id"], "version": found["version"], "result": "pass" });
    s.admin.post(&format!("{ADMISSION}/audit"), pass).await.id();
    assert_eq!(admission(&s.admin, s.batch, N).await["status"], json!("audited"));
    holds(
        &registration(&s.admin, N).await,
        json!({
            "status": "pending", "feePaid": false, "paidAmount": null, "identityVerified": false, "studentId": null,
            "gradeName": "2026级", "majorName": "会计学", "siteName": "城东教学点",
        }),
    );
}

/// Steps 5 and 6: whoever has paid reports, and is a student with number, class, account and two forms.
async fn reports(s: &School<'_>) -> (i64, i64) {
    let mut picture = Cursor::new(Vec::new());
    RgbImage::from_fn(300, 400, |x, y| image::Rgb([x as u8, y as u8, 90]))
        .write_to(&mut picture, ImageFormat::Jpeg)
        .expect("a picture");
    let picture = picture.into_inner();
    let report = async || {
        let photo = uploaded(&s.admin, "照片.jpg", "image/jpeg", &picture).await;
        let row = registration(&s.admin, N).await;
        let body = json!({
            "id": row["id"], "version": row["version"], "identityVerified": true, "verifyMethod": "card_reader",
            "materials": ["id_copy", "diploma_copy"], "photo": photo,
        });
        s.admin.post(&format!("{REGISTRATION}/report"), body).await
    };
    assert_eq!(report().await.refused(), (409, "未缴费，不能报到"));
    let headings = ["考生号", "姓名", "实缴金额(元)", "缴费日期", "流水号"];
    let paid: &[&str] = &[&examinee_no(), NAME, "2800.00", "2026-02-25", "T0001"];
    let told = import(&s.admin, &format!("{REGISTRATION}/fee"), &headings, &[paid]).await;
    assert_eq!(told.data()["imported"], json!(1), "{}", told.body);
    holds(&registration(&s.admin, N).await, json!({ "status": "pending", "feePaid": true, "paidAmount": 280_000 }));
    let source: String = s.server.one("select fee_source || ' ' || trade_no from school_1.registration").await;
    assert_eq!(source, "import T0001");

    let told = report().await.data().clone();
    assert_eq!(told["studentNo"], json!(NUMBER));
    let (id, class_name) = (told["studentId"].as_i64().expect("a student"), told["className"].clone());
    assert!(class_name.as_str().is_some_and(|name| name.ends_with("1班")), "{told}");
    holds(
        &registration(&s.admin, N).await,
        json!({ "status": "reported", "studentId": id, "studentNo": NUMBER, "identityVerified": true, "hasPhoto": true }),
    );
    let file = s.file(id).await;
    holds(
        &file,
        json!({
            "status": "pending_registration", "studentNo": NUMBER, "examineeNo": examinee_no(), "name": NAME,
            "gender": "female", "birthday": "1990-01-01", "gradeName": "2026级", "levelName": "专升本",
            "majorId": s.p.major, "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": s.p.site,
            "className": class_name, "enrolledOn": "2026-03-01", "expectedGraduationOn": "2028-07-10",
            "maxStudyEndOn": "2031-02-28", "registerResult": "none", "registeredOn": null, "totalScore": 202.5,
            "source": "report", "feeFlag": "none", "suspendedUntil": null, "suspendedMonths": 0,
        }),
    );
    let account = format!(
        "select login_name from school_1.client_account where owner_kind = 'student' and owner_id = {id} and enabled"
    );
    assert_eq!(s.server.one::<String>(&account).await, NUMBER);
    for group in [INFORMATION, COMMITMENT] {
        assert_eq!(form_of(&s.admin, group, id).await["status"], json!("not_submitted"), "{group}");
    }
    assert_eq!(form_of(&s.admin, COMMITMENT, id).await["chsiPreCheck"], json!("pending"), "专升本 is checked");
    (id, file["classId"].as_i64().expect("a class"))
}

/// Step 7: the student confirms what will be registered for life and signs the 承诺书; the school approves both.
async fn confirms(s: &School<'_>, id: i64) {
    let signed = with(window(s.server, &s.p), json!({ "requireSignature": true }));
    s.admin.post(&format!("{INFORMATION}/window/save"), signed).await.id();
    let text = "本人{name}（{idCardNo}）承诺：报读{school}{level}{major}专业所提交的材料真实有效。";
    let promised = with(window(s.server, &s.p), json!({ "templateText": text }));
    s.admin.post(&format!("{COMMITMENT}/window/save"), promised).await.id();
    let student = entered(s.server, NUMBER, &initial(N), "student").await;
    let sent = async |name: &str, content_type: &str| -> String {
        let form =
            json!({ "fileName": name, "size": 5, "contentType": content_type, "type": 3, "purpose": "information" });
        let ticket = student.post("/user/client/upload/presign", form).await.data().clone();
        let url = ticket["url"].as_str().expect("an address");
        student.raw(Method::PUT, url, Some(content_type), b"12345".to_vec()).await;
        student.post("/user/client/upload/complete", json!({ "key": ticket["key"] })).await.data();
        ticket["key"].as_str().expect("a key").to_owned()
    };
    let submit = async |group: &str, request: &str, form: Value| {
        let version = student.get(&format!("{}/view", own(group))).await.data()["version"].clone();
        let body = with(form, json!({ "requestId": request, "version": version }));
        student.post(&format!("{}/submit", own(group)), body).await.id()
    };
    let mine = student.get(&format!("{}/view", own(INFORMATION))).await.data().clone();
    holds(&mine, json!({ "status": "not_submitted", "windowOpen": true, "requireSignature": true }));
    assert_eq!(mine["items"].as_array().map(Vec::len), Some(13));
    let signature = sent("签名.png", "image/png").await;
    submit(INFORMATION, "info-1", with(information(&mine), json!({ "signature": signature }))).await;
    submit(COMMITMENT, "commit-1", commitment(&sent("学历报告.pdf", "application/pdf").await)).await;
    for group in [INFORMATION, COMMITMENT] {
        holds(&form_of(&s.admin, group, id).await, json!({ "status": "submitted", "submittedBy": "student" }));
    }
    turn(&s.admin, INFORMATION, "review", id, json!({ "result": "pass" })).await.id();
    turn(&s.admin, COMMITMENT, "review", id, json!({ "result": "pass", "conclusion": "qualified" })).await.id();
    assert_eq!(form_of(&s.admin, INFORMATION, id).await["status"], json!("approved"));
    holds(
        &form_of(&s.admin, COMMITMENT, id).await,
        json!({ "status": "approved", "conclusion": "qualified", "chsiPreCheck": "pending" }),
    );
    let stored: String = s
        .server
        .one("select commitment_text from school_1.student_information where kind = 'admission_commitment'")
        .await;
    assert!(stored.starts_with(&format!("本人{NAME}（{}）承诺：报读", id_number(N))), "{stored}");
    holds(
        &s.file(id).await,
        json!({
            "status": "pending_registration", "preEduSchool": "湖北职业技术学院", "preEduCertificateNo": "123456202306000123",
            "preEduGraduatedOn": "2023-06-30",
        }),
    );
}

/// Step 8: the file for 学信网.
async fn is_sent(s: &School<'_>, id: i64) {
    let wanted = json!({ "gradeId": s.p.grade, "levelIds": [s.p.level], "format": "xlsx" });
    let job = s.admin.post(&format!("{ROLL}/chsi/export"), wanted).await.data()["jobId"].clone();
    let job = ended(&s.admin, &job).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("已导出1人，未导出0人")), "{job}");
    let url = job["fileUrl"].as_str().expect("a file").to_owned();
    let file = s.admin.raw(Method::GET, &url, None, Vec::new()).await;
    let lines = texts_of(&file.into_body().into_bytes().await.expect("bytes"), 0);
    let (card, examinee_no) = (id_number(N), examinee_no());
    for (column, value) in [
        ("KSH", &*examinee_no),
        ("XH", NUMBER),
        ("XM", NAME),
        ("XB", "女"),
        ("CSRQ", "19900101"),
        ("SFZH", &*card),
        ("ZYDM", "120203"),
        ("ZYMC", "会计学"),
        ("XSH", "城东教学点"),
        ("CC", "专升本"),
        ("XXXS", "非脱产"),
        ("XZ", "2.5"),
        ("RXRQ", "20260301"),
        ("YJBYRQ", "20280710"),
    ] {
        let place = lines[0].iter().position(|heading| heading == column).expect(column);
        assert_eq!(lines[1][place], value, "{column}");
    }
    assert_eq!(lines.len(), 2);
    holds(&s.file(id).await, json!({ "status": "pending_registration", "registerResult": "exported" }));
}

/// Step 8, the answer, by sheet.
async fn is_registered(s: &School<'_>, id: i64) {
    let on = s.today().to_string();
    let headings = ["考生号", "姓名", "身份证号", "注册结果", "注册日期"];
    let line: &[&str] = &[&examinee_no(), NAME, &id_number(N), "已注册", &on];
    let told = import(&s.admin, &format!("{ROLL}/chsi"), &headings, &[line]).await;
    assert_eq!(told.data()["imported"], json!(1), "{}", told.body);
    holds(&s.file(id).await, json!({ "status": "registered", "registerResult": "accepted", "registeredOn": on }));
    // From now on the admission data are closed.
    let back = turn(&s.admin, INFORMATION, "review", id, json!({ "result": "return", "remark": "照片有误" })).await;
    assert_eq!(back.refused(), (409, "该生已注册学籍，不能撤销"));
}

/// Step 9: 前置学历清查.
async fn is_checked(s: &School<'_>, id: i64) {
    let on = s.today().to_string();
    let headings = ["考生号", "姓名", "身份证号", "清查结果", "清查日期"];
    let line: &[&str] = &[&examinee_no(), NAME, &id_number(N), "通过", &on];
    let told = import(&s.admin, &format!("{COMMITMENT}/preCheck"), &headings, &[line]).await;
    assert_eq!(told.data()["imported"], json!(1), "{}", told.body);
    holds(
        &form_of(&s.admin, COMMITMENT, id).await,
        json!({ "status": "approved", "conclusion": "qualified", "chsiPreCheck": "passed", "chsiCheckedOn": on }),
    );
    holds(&s.file(id).await, json!({ "status": "registered", "chsiFailed": false }));
}

/// Step 10: another major, in a window that students may enter; number and dates stay.
async fn changes_the_major(s: &School<'_>, id: i64) -> i64 {
    let types = ["professional", "suspension", "return"];
    let window = with(batch_of("YD-2026", "2026年秋季异动", &types), json!({ "clientEntry": true }));
    let window = s.admin.post(&format!("{WINDOW}/save"), window).await.id();
    let class = s.class("GS26", s.p.grade, s.other).await;
    let student = s.student().await;
    let open = student.get(&format!("{OWN_CHANGE}/batches")).await.data().clone();
    assert_eq!((&open[0]["id"], open.as_array().map(Vec::len)), (&json!(window), Some(1)));
    let wanted = json!({ "type": "professional", "after": { "majorId": s.other, "classId": class } });
    let look = student.post(&format!("{OWN_CHANGE}/check"), wanted.clone()).await.data().clone();
    holds(&look, json!({ "ok": true, "reasons": [] }));
    assert_eq!(look["preview"]["expectedGraduationOn"], json!("2028-07-10"));
    let change = s.changed("major-1", wanted).await;
    assert_eq!(seen(&s.admin, change).await["batchId"], json!(window));
    holds(
        &s.file(id).await,
        json!({
            "status": "registered", "studentNo": NUMBER, "gradeName": "2026级", "majorId": s.other, "majorName": "工商管理",
            "classId": class, "siteId": s.p.site, "schoolingYears": 2.5, "expectedGraduationOn": "2028-07-10",
            "maxStudyEndOn": "2031-02-28",
        }),
    );
    class
}

/// Step 10: twelve months away; answers the last day of them.
async fn is_suspended(s: &School<'_>, id: i64, class: i64) -> NaiveDate {
    let today = s.today();
    let end = today.checked_add_months(Months::new(12)).expect("a day");
    let until = if end.day() == today.day() { end - Days::new(1) } else { end };
    let away = json!({ "type": "suspension", "reasonCode": "illness", "suspendFrom": today, "suspendMonths": 12 });
    s.changed("away-1", away).await;
    holds(
        &s.file(id).await,
        json!({
            "status": "suspended", "suspendedUntil": until, "suspendedMonths": 12, "classId": class, "studentNo": NUMBER,
            "expectedGraduationOn": "2028-07-10", "maxStudyEndOn": "2031-02-28",
        }),
    );
    until
}

/// Step 10: back into the next grade that has the major, two semesters later.
async fn returns(s: &mut School<'_>, id: i64, until: NaiveDate) -> i64 {
    let next = s.admin.post("/adult/pc/grade/save", json!({ "code": "2027" })).await.id();
    file_majors(s.server, next).await;
    let form = json!({ "code": "2027-1", "name": "2027级招生", "year": 2026, "season": "spring", "gradeId": next });
    let later = s.admin.post(&format!("{ENROLMENT}/save"), form).await.id();
    offer(&s.admin, later, s.other, "102").await;
    assert_eq!(turn_batch(&s.admin, later, "open").await.code(), 200);
    let class = s.class("GS27", next, s.other).await;
    let wanted = json!({ "type": "return", "after": { "classId": class } });
    let early = s.student().await.post(&format!("{OWN_CHANGE}/check"), wanted.clone()).await.data().clone();
    let first = until - Days::new(30);
    assert_eq!(early["reasons"], json!([format!("休学至{until}，{first}起可以办理复学")]));
    s.later((first - s.today()).num_days()).await;
    s.changed("back-1", wanted).await;
    holds(
        &s.file(id).await,
        json!({
            "status": "registered", "gradeId": next, "gradeName": "2027级", "majorId": s.other, "classId": class,
            "studentNo": NUMBER, "enrolledOn": "2026-03-01", "expectedGraduationOn": "2029-07-10",
            "maxStudyEndOn": "2031-02-28", "suspendedUntil": null, "suspendedMonths": 12, "feeFlag": "none",
            "registerResult": "accepted",
        }),
    );
    class
}

/// What the history says, to the school and to the student.
async fn history_is_whole(s: &School<'_>, id: i64, classes: [i64; 3], days: &Dates) {
    let rows = s.admin.get(&format!("{ROLL}/history?id={id}")).await.data().as_array().expect("rows").clone();
    let told: Vec<Value> =
        rows.iter().map(|row| json!([row["kind"], row["fromStatus"], row["toStatus"], row["effectiveOn"]])).collect();
    let wanted = [
        json!(["enrol", null, "pending_registration", "2026-03-01"]),
        json!(["class_change", "pending_registration", "pending_registration", days.reported]),
        json!(["register", "pending_registration", "registered", days.registered]),
        json!(["professional", "registered", "registered", days.transferred]),
        json!(["suspension", "registered", "suspended", days.suspended]),
        json!(["return", "suspended", "registered", days.returned]),
    ];
    assert_eq!(told, wanted);
    holds(
        &rows[0]["after"],
        json!({ "majorId": s.p.major, "siteId": s.p.site, "classId": null, "schoolingYears": 2.5 }),
    );
    assert_eq!((&rows[1]["before"]["classId"], &rows[1]["after"]["classId"]), (&json!(null), &json!(classes[0])));
    assert_eq!(rows[3]["before"], json!({ "majorId": s.p.major, "classId": classes[0] }), "what differs");
    assert_eq!(rows[3]["after"], json!({ "majorId": s.other, "classId": classes[1] }));
    holds(&rows[4]["before"], json!({ "status": "registered", "suspendedUntil": null, "suspendedMonths": 0 }));
    holds(
        &rows[5]["before"],
        json!({ "gradeId": s.p.grade, "classId": classes[1], "expectedGraduationOn": "2028-07-10" }),
    );
    holds(
        &rows[5]["after"],
        json!({ "classId": classes[2], "expectedGraduationOn": "2029-07-10", "status": "registered" }),
    );
    let reasons: Vec<&Value> = rows[3..].iter().map(|row| &row["reason"]).collect();
    assert_eq!(reasons, ["本人申请，材料齐全", "因病：本人申请，材料齐全", "本人申请，材料齐全"]);
    let mine = s.student().await.get("/user/client/statusHistory/list").await.data().clone();
    assert_eq!(mine.as_array().map(Vec::len), Some(wanted.len()), "{mine}");
}

/// What the register of a day says of the person.
async fn days_are_told(s: &School<'_>, id: i64, classes: [i64; 3], days: &Dates) {
    let on = async |day: &str| -> Value {
        let asked = json!({ "on": day, "id": id });
        s.admin.post(&format!("{ROLL}/asOf/list"), asked).await.data()["list"].clone()
    };
    assert_eq!(on("2026-02-28").await, json!([]), "before they entered");
    let day_before = days.transferred - Days::new(1);
    for (day, status, grade, major, class, later) in [
        (days.reported, "pending_registration", "2026级", "会计学", classes[0], 4),
        (days.registered, "registered", "2026级", "会计学", classes[0], 3),
        (day_before, "registered", "2026级", "会计学", classes[0], 3),
        (days.transferred, "registered", "2026级", "工商管理", classes[1], 2),
        (days.suspended, "suspended", "2026级", "工商管理", classes[1], 1),
        (days.returned - Days::new(1), "suspended", "2026级", "工商管理", classes[1], 1),
        (days.returned, "registered", "2027级", "工商管理", classes[2], 0),
    ] {
        let listed = on(&day.to_string()).await;
        assert_eq!(listed.as_array().map(Vec::len), Some(1), "{day}");
        let class_name = s.admin.get(&format!("/adult/pc/class/view?id={class}")).await.data()["name"].clone();
        holds(
            &listed[0],
            json!({
                "status": status, "gradeName": grade, "levelName": "专升本", "majorName": major, "className": class_name,
                "siteName": "城东教学点", "laterChanges": later, "studentNo": NUMBER, "name": NAME, "enrolledOn": "2026-03-01",
            }),
        );
    }
}

/// How far the two who told that they want to study came.
async fn figures_add_up(s: &School<'_>) {
    let funnel = s.admin.get(&format!("{PRE}/funnel?batchId={}", s.leads)).await.data()["all"].clone();
    let wanted = json!({
        "total": 2, "approved": 1, "registered": 1, "admitted": 1, "admissionRate": 100.0, "reported": 1, "reportRate": 100.0,
    });
    assert_eq!(funnel, wanted);
    holds(
        s.admin.get(&format!("{ENROLMENT}/view?id={}", s.batch)).await.data(),
        json!({ "admitted": 1, "reported": 1 }),
    );
    let majors = s.admin.post(&format!("{MAJORS}/list"), json!({ "batchId": s.batch })).await.data()["list"].clone();
    let of = |major: i64| {
        let found = majors.as_array().expect("majors").iter().find(|line| line["majorId"] == json!(major));
        found.expect("a major").clone()
    };
    holds(&of(s.p.major), json!({ "admitted": 1, "reported": 1, "completionRate": 1.0 }));
    // Whoever changes their major later was not recruited by the other.
    holds(&of(s.other), json!({ "admitted": 0, "reported": 0 }));
    let arrivals = json!({ "batchId": s.batch, "by": "site" });
    let arrivals = s.admin.post(&format!("{REGISTRATION}/statistics"), arrivals).await.data()["all"].clone();
    holds(
        &arrivals,
        json!({ "expected": 1, "reported": 1, "reserved": 0, "abandoned": 0, "missing": 0, "reportRate": 100.0 }),
    );
    let changes = s.admin.post(&format!("{CHANGE}/statistics"), json!({ "by": "type" })).await.data().clone();
    assert_eq!((&changes["total"], changes["list"].as_array().map(Vec::len)), (&json!(3), Some(3)));
}

#[tokio::test]
async fn one_person_comes_studies_and_comes_back() {
    let server = Server::start().await;
    let mut s = School::opened(&server).await;
    let lead = applies(&s).await;
    is_admitted(&s, lead).await;
    let (id, first) = reports(&s).await;
    let reported = s.today();
    confirms(&s, id).await;
    is_sent(&s, id).await;
    s.later(20).await;
    is_registered(&s, id).await;
    let registered = s.today();
    s.later(90).await;
    is_checked(&s, id).await;
    s.later(60).await;
    let second = changes_the_major(&s, id).await;
    let transferred = s.today();
    s.later(30).await;
    let until = is_suspended(&s, id, second).await;
    let suspended = s.today();
    let third = returns(&mut s, id, until).await;
    let days = Dates { reported, registered, transferred, suspended, returned: s.today() };
    let classes = [first, second, third];
    history_is_whole(&s, id, classes, &days).await;
    days_are_told(&s, id, classes, &days).await;
    figures_add_up(&s).await;
}
