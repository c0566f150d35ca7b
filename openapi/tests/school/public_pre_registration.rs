//! Pre-registrations that come in by the link of a batch, and from the client of a site (part 02 §0.2, §13).

use kit::{
    Answer, Client, Server,
    clients::{self, HOST, entered},
    cohort::{Cohort, cohort},
    fields,
    pre_registrations::{BATCH, PRE, batch, person},
    sheets::{XLSX, row_errors, sheet, texts},
    site_staff::STAFF,
    students::{id_number, student},
};
use poem::http::Method;
use serde_json::{Value, json};

const PUBLIC: &str = "/user/client/publicPreRegistration";
const OF_SITE: &str = "/user/client/preRegistration";
const UPLOAD: &str = "/user/client/upload";
const GONE: (i64, &str) = (404, "报名链接已失效");
const NEUTRAL: &str = "idCardNo: 该证件号暂不能在线报名，请联系学校或教学站点";
const WRONG_CODE: &str = "smsCode: 验证码错误或已失效，请核对或重新获取";

/// A batch under the host of school 1, and somebody who has its link.
struct Opened<'s> {
    server: &'s Server,
    admin: Client<'s>,
    p: Cohort,
    batch: i64,
    token: String,
    visitor: Client<'s>,
}

async fn token(admin: &Client<'_>, batch: i64) -> String {
    let view = admin.get(&format!("{BATCH}/view?id={batch}")).await.data().clone();
    view["publicToken"].as_str().expect("a token").to_owned()
}

async fn opened(server: &Server) -> Opened<'_> {
    let (admin, _) = clients::school(server).await;
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "2026A", true).await;
    let token = token(&admin, batch).await;
    Opened { server, admin, p, batch, token, visitor: server.anonymous().at_host(HOST) }
}

fn phone(n: usize) -> String {
    format!("154{n:08}")
}

fn with(mut body: Value, changes: Value) -> Value {
    for (field, value) in changes.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

impl Opened<'_> {
    /// Asks for a code.
    async fn ask(&self, token: &str, phone: &str) -> Answer {
        let captcha = self.visitor.challenge(phone, "client").await.data().clone();
        let body = json!({ "publicToken": token, "phone": phone, "captcha": captcha });
        self.visitor.post(&format!("{PUBLIC}/smsCode"), body).await
    }

    /// The code that a phone is sent now, as long after the last as it must be.
    async fn code(&self, phone: &str) -> String {
        self.server.run("update platform.public_code_sent set sent_at = sent_at - interval '61 seconds'").await;
        assert_eq!(self.ask(&self.token, phone).await.data()["validMinutes"], json!(5));
        let sql =
            "select substring(content from '[0-9]{6}') from school_1.msg_recorded where channel = 'sms' and address =";
        self.server.one(&format!("{sql} '{phone}' order by id desc limit 1")).await
    }

    /// The n-th person in the body of the form.
    fn form(&self, n: usize, code: &str, request: &str) -> Value {
        let mut body = person(&self.p, self.batch, n);
        body.as_object_mut().expect("fields").remove("batchId");
        with(body, json!({ "publicToken": self.token, "smsCode": code, "requestId": request }))
    }

    async fn save(&self, body: Value) -> Answer {
        self.visitor.post(&format!("{PUBLIC}/save"), body).await
    }

    /// The n-th person in; their number and their code.
    async fn enter(&self, n: usize) -> (i64, String) {
        let code = self.code(&phone(n)).await;
        let saved = self.save(self.form(n, &code, &format!("r-{n}"))).await;
        (saved.id(), saved.data()["queryCode"].as_str().expect("a code").to_owned())
    }

    async fn view(&self, n: usize, number: &str) -> Answer {
        let code = self.code(&phone(n)).await;
        let body = json!({ "publicToken": self.token, "idCardNo": number, "phone": phone(n), "smsCode": code });
        self.visitor.post(&format!("{PUBLIC}/view"), body).await
    }

    /// The body of `edit` with what was read.
    fn again(&self, seen: &Value, code: &str, request: &str, changes: Value) -> Value {
        let mut body = seen.clone();
        let told = [
            "batchName",
            "status",
            "examStatus",
            "remark",
            "createdAt",
            "levelName",
            "majorName",
            "siteName",
            "photoUrl",
            "attachmentLinks",
        ];
        for field in told {
            body.as_object_mut().expect("fields").remove(field);
        }
        let opens = json!({ "publicToken": self.token, "queryCode": code, "requestId": request });
        with(with(body, opens), changes)
    }

    async fn edit(&self, body: Value) -> Answer {
        self.visitor.put(&format!("{PUBLIC}/edit"), body).await
    }

    async fn audit(&self, id: i64, result: &str) {
        let version = self.admin.get(&format!("{PRE}/view?id={id}")).await.data()["version"].clone();
        let body = json!({ "id": id, "version": version, "result": result, "remark": "照片不清晰" });
        assert_eq!(self.admin.post(&format!("{PRE}/audit"), body).await.id(), id);
    }
}

#[tokio::test]
async fn a_visitor_registers_looks_mends_and_takes_back() {
    let server = Server::start().await;
    let o = opened(&server).await;
    let code = o.code(&phone(1)).await;
    let body = with(o.form(1, &code, "r-1"), json!({ "visitorKey": "abcdefghijklmnopqrstuvwxyz012345" }));
    let saved = o.save(body.clone()).await;
    let (id, query) = (saved.id(), saved.data()["queryCode"].as_str().expect("a code").to_owned());
    assert_eq!(query.len(), 12);
    // The answer was lost: the same call is answered alike and enters nobody.
    let again = o.save(body).await;
    assert_eq!((again.id(), again.data()["queryCode"].as_str()), (id, Some(query.as_str())));
    let other = with(o.form(1, &code, "r-1"), json!({ "address": "人民路1号" }));
    assert_eq!(o.save(other).await.refused(), (409, "请求编号已被使用"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.pre_registration").await, 1);
    let row: String = server
        .one("select source || ' ' || status || ' ' || visitor_key || ' ' || created_by from school_1.pre_registration")
        .await;
    assert_eq!(row, "student_client pending abcdefghijklmnopqrstuvwxyz012345 0");
    // Neither code nor phone lies about.
    let everything: String = server
        .one(
            "select string_agg(t, ' ') from (
                  select p::text as t from school_1.pre_registration p union all
                  select c::text from school_1.pre_registration_code c union all
                  select s::text from platform.public_code_sent s union all
                  select r::text from school_1.client_request r union all
                  select a::text from school_1.audit_log a) kept",
        )
        .await;
    assert!(!everything.contains(&query), "{everything}");
    let keyed: i32 = server.one("select octet_length(code_digest) from school_1.pre_registration_code").await;
    assert_eq!(keyed, 32, "a code is stored keyed");
    let counted: String = server.one("select string_agg(s::text, ' ') from platform.public_code_sent s").await;
    assert!(!counted.contains(&phone(1)), "{counted}");
    let actor: String = server
        .one(
            "select string_agg(actor_type || ' ' || actor_name || ' ' || action, ', ') from school_1.audit_log
              where entity_type = 'pre_registration'",
        )
        .await;
    assert_eq!(actor, "public 公开报名 insert");

    o.audit(id, "return").await;
    let seen = o.view(1, &id_number(1)).await.data().clone();
    assert_eq!(
        (&seen["id"], &seen["status"], &seen["remark"], &seen["siteName"]),
        (&json!(id), &json!("returned"), &json!("照片不清晰"), &json!("城东教学点"))
    );
    assert!(seen["idCardNo"].as_str().is_some_and(|number| number.contains('*')), "{seen}");
    assert!(seen["phone"].as_str().is_some_and(|number| number.contains('*')), "{seen}");
    let wish = json!({ "address": "人民路1号" });
    let stranger = o.edit(o.again(&seen, "k7PqX2mTzW9c", "e-0", wish.clone())).await;
    assert_eq!(stranger.refused(), (404, "没有找到该报名，请核对查询码"));
    let mended = o.again(&seen, &query, "e-1", wish);
    assert_eq!(o.edit(mended.clone()).await.id(), id);
    assert_eq!(o.edit(mended).await.id(), id, "sent twice it is done once");
    let stored = o.admin.get(&format!("{PRE}/view?id={id}")).await.data().clone();
    assert_eq!(
        (&stored["status"], &stored["auditRemark"], &stored["name"]),
        (&json!("pending"), &Value::Null, &json!("李秀英"))
    );
    assert_eq!(
        server.one::<String>("select phone || id_card_no from school_1.pre_registration").await,
        phone(1) + &id_number(1)
    );
    let stale = o.edit(o.again(&seen, &query, "e-2", json!({ "address": "解放路2号" }))).await;
    assert!(stale.code() == 409 && stale.msg().contains("请刷新后重试"), "{}", stale.body);

    let cancel = |code: &str, request: &str| json!({ "publicToken": o.token, "id": id, "queryCode": code, "requestId": request });
    let path = format!("{PUBLIC}/cancel");
    assert_eq!(o.visitor.put(&path, cancel("k7PqX2mTzW9c", "c-0")).await.code(), 404);
    assert_eq!(o.visitor.put(&path, cancel(&query, "c-1")).await.id(), id);
    assert_eq!(o.visitor.put(&path, cancel(&query, "c-1")).await.id(), id);
    assert_eq!(o.visitor.put(&path, cancel(&query, "c-2")).await.refused(), (409, "当前状态为已取消，不能取消"));
    let late = o.edit(o.again(&with(seen, json!({ "version": 9 })), &query, "e-3", json!({}))).await;
    assert_eq!(late.refused(), (409, "已取消的报名不能修改，请联系学校或教学站点"));
    let doers: String = server
        .one(
            "select string_agg(distinct actor_type, ',' order by actor_type) from school_1.audit_log
              where entity_type = 'pre_registration'",
        )
        .await;
    assert_eq!(doers, "public,school", "the visitor, and the auditor");
}

#[tokio::test]
async fn codes_come_so_often_and_no_oftener() {
    let server = Server::start().await;
    let other = Server::beside(&server).await;
    let o = opened(&server).await;
    assert_eq!(o.ask(&o.token, &phone(1)).await.data()["againAfterSeconds"], json!(60));
    // Another server counts the same.
    let elsewhere = o.visitor.at(&other);
    let captcha = elsewhere.challenge(&phone(1), "client").await.data().clone();
    let body = json!({ "publicToken": o.token, "phone": phone(1), "captcha": captcha });
    let soon = elsewhere.post(&format!("{PUBLIC}/smsCode"), body.clone()).await;
    assert!(soon.code() == 429 && soon.msg().starts_with("验证码已发送，请"), "{}", soon.body);
    // What was shown once is used up, also by a call that was refused.
    server.run("update platform.public_code_sent set sent_at = sent_at - interval '61 seconds'").await;
    let replayed = o.visitor.post(&format!("{PUBLIC}/smsCode"), body).await;
    assert_eq!(fields(&replayed), ["captcha: 校验已失效，请重新获取验证码"]);
    let alien = o.visitor.challenge(&phone(2), "client").await.data().clone();
    let body = json!({ "publicToken": o.token, "phone": phone(1), "captcha": alien });
    assert_eq!(o.visitor.post(&format!("{PUBLIC}/smsCode"), body).await.code(), 422, "of another phone");
    // Today's count holds, whenever the story is told.
    server
        .run(
            "insert into platform.public_code_sent (school_id, phone_digest, client_ip, sent_at)
                select 2, phone_digest, '10.0.0.1', sent_at from platform.public_code_sent, generate_series(1, 4)",
        )
        .await;
    let (now, today) = (server.now(), server.app.clock().today());
    server
        .run(&format!(
            "update platform.public_code_sent
             set sent_at = greatest({now} - interval '61 seconds', timestamptz '{today} 00:00:00+08')"
        ))
        .await;
    let sixth = o.ask(&o.token, &phone(1)).await;
    assert_eq!(sixth.code(), 429, "{}", sixth.body);
    assert_eq!(o.ask(&o.token, &phone(2)).await.code(), 200, "another phone");
    server
        .run(&format!(
            "insert into platform.public_code_sent (school_id, phone_digest, client_ip, sent_at)
                select 2, '\\x00', '127.0.0.1', {now} from generate_series(1, 18)"
        ))
        .await;
    let full = o.ask(&o.token, &phone(3)).await;
    assert_eq!(full.refused(), (429, "当前网络获取验证码过于频繁，请一小时后再试"));
    server.run("update platform.public_code_sent set sent_at = sent_at - interval '61 minutes' where phone_digest = '\\x00'").await;
    assert_eq!(o.ask(&o.token, &phone(3)).await.code(), 200);
    other.close().await;
}

#[tokio::test]
async fn a_code_is_good_for_five_tries_five_minutes_and_one_use() {
    let server = Server::start().await;
    let o = opened(&server).await;
    let none = o.save(o.form(1, "000000", "r-0")).await;
    assert_eq!(fields(&none), [WRONG_CODE], "none was sent");
    let code = o.code(&phone(1)).await;
    let wrong = if code == "123456" { "654321" } else { "123456" };
    for n in 0..5 {
        assert_eq!(fields(&o.save(o.form(1, wrong, &format!("w-{n}"))).await), [WRONG_CODE]);
    }
    assert_eq!(fields(&o.save(o.form(1, &code, "r-1")).await), [WRONG_CODE], "it was guessed at too often");
    let code = o.code(&phone(1)).await;
    let now = server.now();
    server.run(&format!("update school_1.pre_registration_code set expires_at = {now} - interval '1 second'")).await;
    assert_eq!(fields(&o.save(o.form(1, &code, "r-2")).await), [WRONG_CODE]);
    let former = o.code(&phone(1)).await;
    let code = o.code(&phone(1)).await;
    if former != code {
        assert_eq!(fields(&o.save(o.form(1, &former, "r-3")).await), [WRONG_CODE], "the last one counts");
    }
    // What is wrong with the form costs nothing; it is not said before the phone is proven.
    let bad = json!({ "idCardNo": "110105194912310021" });
    assert_eq!(fields(&o.save(with(o.form(1, wrong, "r-4"), bad.clone())).await), [WRONG_CODE]);
    assert_eq!(fields(&o.save(with(o.form(1, &code, "r-5"), bad)).await), ["idCardNo: 身份证号校验位错误，应为X"]);
    assert_eq!(o.save(o.form(1, &code, "r-6")).await.code(), 200);
    assert_eq!(fields(&o.save(with(o.form(2, &code, "r-7"), json!({ "phone": phone(1) }))).await), [WRONG_CODE]);
    // Of many at once with one code, one comes in.
    let code = o.code(&phone(3)).await;
    let calls = (0..6).map(|n| o.save(o.form(3, &code, &format!("m-{n}"))));
    let answers = futures_util::future::join_all(calls).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == 200).count(), 1);
    assert_eq!(server.one::<i64>("select count(*) from school_1.pre_registration").await, 2);
}

#[tokio::test]
async fn a_link_opens_its_batch_at_its_school_while_it_is_open() {
    let server = Server::start().await;
    let o = opened(&server).await;
    let (id, query) = o.enter(1).await;
    let code = o.code(&phone(2)).await;
    let times = async |set: &str| server.run(&format!("update school_1.pre_registration_batch set {set}")).await;
    let now = server.now();
    let over = format!("ends_at = {now} - interval '1 second'");
    let coming = format!("starts_at = {now} + interval '1 hour', ends_at = {now} + interval '2 hours'");
    for (set, told) in [
        (over.as_str(), "预报名已结束"),
        (coming.as_str(), "预报名未开始"),
        ("starts_at = '2020-09-01', enabled = false", "预报名已停用"),
    ] {
        times(set).await;
        assert_eq!(o.save(o.form(2, &code, "r-2")).await.refused(), (409, told));
    }
    times(&format!("enabled = true, {over}")).await;
    // Behind the end one still looks and mends.
    let seen = o.view(1, &id_number(1)).await.data().clone();
    assert_eq!(o.edit(o.again(&seen, &query, "e-1", json!({ "address": "人民路1号" }))).await.id(), id);
    times("ends_at = '2099-01-01'").await;
    server.run("update school_1.grade set enabled = false").await;
    assert_eq!(o.save(o.form(2, &code, "r-2")).await.refused(), (409, "年级“2026级”已停用，不能再报名"));
    server.run("update school_1.grade set enabled = true").await;

    // At another school's host, and at none, the link opens nothing.
    server.run("update platform.school set domain = 'bh.example.cn' where id = 2").await;
    server.tell("school:2").await;
    let all = async |visitor: &Client<'_>| {
        let captcha = visitor.challenge(&phone(2), "client").await.data().clone();
        let ask = json!({ "publicToken": o.token, "phone": phone(2), "captcha": captcha });
        let query_of = json!({ "publicToken": o.token, "idCardNo": id_number(1), "phone": phone(2), "smsCode": code });
        let cancel = json!({ "publicToken": o.token, "id": id, "queryCode": query, "requestId": "c-9" });
        let mut answers = Vec::new();
        for (method, call, body) in [
            (Method::POST, "smsCode", ask),
            (Method::POST, "save", o.form(2, &code, "r-9")),
            (Method::POST, "view", query_of),
            (Method::PUT, "edit", o.again(&seen, &query, "e-9", json!({}))),
            (Method::PUT, "cancel", cancel),
        ] {
            answers.push(visitor.json(method, &format!("{PUBLIC}/{call}"), &body).await);
        }
        answers
    };
    let anybody = server.anonymous();
    for host in ["bh.example.cn", "other.example.cn"] {
        for answer in all(&anybody.at_host(host)).await {
            assert_eq!(answer.refused(), GONE, "{host}");
        }
    }
    // The school took the link back.
    assert_eq!(o.admin.put(&format!("{BATCH}/resetToken"), json!({ "id": o.batch })).await.id(), o.batch);
    for answer in all(&o.visitor).await {
        assert_eq!(answer.refused(), GONE);
    }
    assert_eq!(server.one::<i64>("select count(*) from school_1.pre_registration").await, 1);
    assert_eq!(server.one::<i64>("select count(*) from school_2.pre_registration").await, 0);
}

#[tokio::test]
async fn nobody_learns_of_others_by_the_form() {
    let server = Server::start().await;
    let o = opened(&server).await;
    let (id, query) = o.enter(1).await;
    let second = batch(&o.admin, &o.p, "2026B", true).await;
    o.admin.post(&format!("{PRE}/save"), person(&o.p, second, 2)).await.id();
    o.admin.post("/adult/pc/studentRoll/save", student(&o.p, 3)).await.id();
    // In this batch, in another, a student: one sentence for all, and each try costs the code.
    for n in [1, 2, 3] {
        let code = o.code(&phone(9)).await;
        let tried = with(o.form(n, &code, &format!("x-{n}")), json!({ "phone": phone(9) }));
        assert_eq!(fields(&o.save(tried).await), [NEUTRAL]);
        let again = with(o.form(4, &code, &format!("y-{n}")), json!({ "phone": phone(9) }));
        assert_eq!(fields(&o.save(again).await), [WRONG_CODE]);
        server.run("delete from platform.public_code_sent").await;
    }
    // Whoever has the phone of the row is told what is theirs.
    let code = o.code(&phone(1)).await;
    let own = fields(&o.save(o.form(1, &code, "z-1")).await);
    assert!(own[0].starts_with("idCardNo: 该证件号在本批次已有预报名（城东教学点，20"), "{own:?}");
    // Known or not, a number with another phone is not found.
    server.run("delete from platform.public_code_sent").await;
    for n in [1, 7] {
        let unknown = o.view(9, &id_number(n)).await;
        assert_eq!(unknown.refused(), (404, "没有找到报名信息，请核对证件号和手机"));
    }
    // One's own row is no way to ask after others either.
    server.run("delete from platform.public_code_sent").await;
    let seen = o.view(1, &id_number(1)).await.data().clone();
    let other = json!({ "idCardNo": id_number(3), "gender": null, "birthday": null });
    let bare = o.edit(o.again(&seen, &query, "e-1", other.clone())).await;
    assert_eq!(fields(&bare), ["smsCode: 修改手机或证件须填写该手机收到的验证码"]);
    let code = o.code(&phone(1)).await;
    let proven = with(other, json!({ "smsCode": code }));
    assert_eq!(fields(&o.edit(o.again(&seen, &query, "e-2", proven.clone())).await), [NEUTRAL]);
    assert_eq!(fields(&o.edit(o.again(&seen, &query, "e-3", proven)).await), [WRONG_CODE]);
    // Another phone is proven by its own code.
    let code = o.code(&phone(5)).await;
    let moved = json!({ "phone": phone(5), "smsCode": code });
    assert_eq!(o.edit(o.again(&seen, &query, "e-4", moved)).await.id(), id);
    let stored: String = server.one(&format!("select phone from school_1.pre_registration where id = {id}")).await;
    assert_eq!(stored, phone(5));
}

#[tokio::test]
async fn papers_come_in_by_the_link_alone() {
    let server = Server::start().await;
    let o = opened(&server).await;
    let paper = |size: i64, kind: &str, purpose: &str| json!({ "fileName": format!("证件.{}", if kind == "image/png" { "png" } else { "pdf" }), "size": size, "contentType": kind, "type": 3, "purpose": purpose });
    let presign = async |query: &str, form: Value| o.visitor.post(&format!("{UPLOAD}/presign{query}"), form).await;
    let link = format!("?publicToken={}", o.token);
    let right = paper(5, "application/pdf", "registration");
    assert_eq!(presign("", right.clone()).await.code(), 301, "neither session nor link");
    assert_eq!(presign("?publicToken=abcdefghjkmn", right.clone()).await.refused(), GONE);
    let large = paper((2 << 20) + 1, "image/png", "identity");
    assert_eq!(fields(&presign(&link, large).await), ["size: 图片大小不能超过2MB"]);
    let large = paper((10 << 20) + 1, "application/pdf", "registration");
    assert_eq!(fields(&presign(&link, large).await), ["size: 文件大小不能超过10MB"]);
    let homework = paper(5, "application/pdf", "homework");
    assert_eq!(fields(&presign(&link, homework).await), ["purpose: 请选择上传用途：报名材料或证件"]);
    let ticket = presign(&link, right.clone()).await.data().clone();
    let complete = json!({ "key": ticket["key"] });
    let path = format!("{UPLOAD}/complete{link}");
    assert_eq!(o.visitor.post(&path, complete.clone()).await.refused(), (409, "文件上传不完整，请重新上传"));
    let url = ticket["url"].as_str().expect("an address");
    o.visitor.raw(Method::PUT, url, Some("application/pdf"), b"12345".to_vec()).await;
    assert_eq!(
        o.visitor.post(&format!("{UPLOAD}/complete?publicToken=abcdefghjkmn"), complete.clone()).await.refused(),
        GONE
    );
    assert_eq!(o.visitor.post(&path, complete).await.data()["key"], ticket["key"]);
    let code = o.code(&phone(1)).await;
    let papers = json!({ "attachments": [{ "kind": "diploma", "key": ticket["key"] }] });
    let saved = o.save(with(o.form(1, &code, "r-1"), papers.clone())).await;
    assert_eq!(saved.code(), 200, "{}", saved.body);
    let seen = o.view(1, &id_number(1)).await.data().clone();
    assert_eq!(seen["attachmentLinks"][0]["name"], json!("证件.pdf"));
    // What people may not change themselves stays, whatever a client leaves out.
    server.run("update school_1.field_attribute set student_editable = false where field_key = 'attachments'").await;
    let query = saved.data()["queryCode"].as_str().expect("a code").to_owned();
    let left_out = json!({ "attachments": [], "address": "人民路1号" });
    o.edit(o.again(&seen, &query, "e-1", left_out)).await.id();
    let kept: (i64, String) = (
        server.one("select count(*) from school_1.pre_registration_file").await,
        server.one("select address from school_1.pre_registration").await,
    );
    assert_eq!(kept, (1, "人民路1号".to_owned()));
    // It is nobody else's.
    let code = o.code(&phone(2)).await;
    let refused = o.save(with(o.form(2, &code, "r-2"), papers)).await;
    assert_eq!(fields(&refused), ["attachments[0].key: 文件不存在或未上传完成，请重新上传"]);
    server.run("update platform.sys_login_guard set failures = 60 where key like 'upload:%'").await;
    assert_eq!(presign(&link, right).await.refused(), (429, "操作过于频繁，请稍后再试"));
}

/// Somebody of each of two sites.
async fn of_sites<'s>(o: &Opened<'s>) -> (i64, Client<'s>, Client<'s>) {
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = o.admin.post("/adult/pc/site/save", far).await.id();
    for (site, phone, n) in [(o.p.site, "13600000001", 41), (far, "13600000002", 42)] {
        let person =
            json!({ "siteId": site, "name": "刘站长", "phone": phone, "duty": "academic", "idCardNo": id_number(n) });
        o.admin.post(&format!("{STAFF}/save"), person).await.id();
    }
    let initial = |n: usize| format!("Aa@{}", &id_number(n)[12..]);
    let here = entered(o.server, "13600000001", &initial(41), "site_staff").await;
    let there = entered(o.server, "13600000002", &initial(42), "site_staff").await;
    (far, here, there)
}

#[tokio::test]
async fn a_site_enters_its_own_people_while_the_batch_is_open() {
    let server = Server::start().await;
    let o = opened(&server).await;
    let (far, here, there) = of_sites(&o).await;
    let save = format!("{OF_SITE}/save");
    let entry = |n: usize, request: &str| with(person(&o.p, o.batch, n), json!({ "requestId": request }));
    let id = here.post(&save, entry(1, "s-1")).await.id();
    let replay = here.unlooked(Method::POST, &save, Some(&entry(1, "s-1"))).await;
    assert_eq!(replay.id(), id, "sent twice it enters once");
    let twice = fields(&here.post(&save, entry(1, "s-2")).await);
    assert!(twice[0].starts_with("idCardNo: 该证件号在本批次已有预报名（城东教学点"), "{twice:?}");
    let elsewhere = here.post(&save, with(entry(2, "s-3"), json!({ "siteId": far }))).await;
    assert_eq!(fields(&elsewhere), ["siteId: 无权操作该数据"]);
    let row = o.admin.get(&format!("{PRE}/view?id={id}")).await.data().clone();
    assert_eq!((&row["source"], &row["status"]), (&json!("site_client"), &json!("pending")));
    let listed =
        async |client: &Client<'_>, filter: Value| client.post(&format!("{OF_SITE}/list"), filter).await.data().clone();
    let seen = listed(&here, json!({ "batchId": o.batch, "status": "pending", "keyword": "李秀英" })).await;
    assert_eq!((&seen["totalCount"], &seen["list"][0]["id"]), (&json!(1), &json!(id)));
    let shown = seen["list"][0].clone();
    assert!(shown["idCardNo"].as_str().is_some_and(|number| number.contains('*')), "{shown}");
    assert_eq!(listed(&there, json!({})).await["totalCount"], json!(0));

    let mut edit = with(entry(1, "e-1"), json!({ "id": id, "version": shown["version"], "address": "人民路1号" }));
    edit.as_object_mut().expect("fields").remove("batchId");
    (edit["idCardNo"], edit["phone"]) = (shown["idCardNo"].clone(), shown["phone"].clone());
    let path = format!("{OF_SITE}/edit");
    assert_eq!(there.put(&path, edit.clone()).await.code(), 404);
    assert_eq!(here.put(&path, edit.clone()).await.id(), id);
    assert_eq!(here.unlooked(Method::PUT, &path, Some(&edit)).await.id(), id);
    assert_eq!(
        server.one::<String>("select address || phone from school_1.pre_registration").await,
        format!("人民路1号{}", phone(1))
    );
    let stale = here.put(&path, with(edit, json!({ "requestId": "e-2", "address": "解放路2号" }))).await;
    assert_eq!(stale.code(), 409, "{}", stale.body);

    let template = here.get(&format!("{OF_SITE}/import/template?batchId={}", o.batch)).await;
    let headings = ["姓名", "证件号", "手机", "层次", "专业", "站点"];
    assert!(texts(&template.bytes)[0].contains(&"*姓名".to_owned()), "{:?}", texts(&template.bytes));
    let file = |rows: &[(usize, &str)]| {
        let cells: Vec<[String; 6]> = rows
            .iter()
            .map(|(n, site)| ["王芳", &id_number(*n), &phone(*n), "ZSB", "KJ", site].map(ToOwned::to_owned))
            .collect();
        let rows: Vec<Vec<&str>> = cells.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        sheet(&headings, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
    };
    let batch_id = o.batch.to_string();
    let texts_of = |request: &'static str, more: &[(&'static str, &'static str)]| {
        let mut sent = vec![("requestId", request), ("batchId", batch_id.as_str())];
        sent.extend_from_slice(more);
        sent
    };
    let import = format!("{OF_SITE}/import");
    let alien = here
        .upload_with(&import, &texts_of("i-1", &[]), "file", "a.xlsx", XLSX, &file(&[(11, "CD"), (12, "CX")]))
        .await;
    assert_eq!(row_errors(alien.data()), ["3 站点: 无权操作该数据"]);
    assert!(alien.data()["errorFileUrl"].is_string(), "{}", alien.body);
    let right = file(&[(11, "CD"), (12, "CD")]);
    let tried =
        here.upload_with(&import, &texts_of("i-1", &[("dryRun", "true")]), "file", "a.xlsx", XLSX, &right).await;
    assert_eq!((&tried.data()["total"], &tried.data()["imported"]), (&json!(2), &json!(0)));
    let done = here.upload_with(&import, &texts_of("i-1", &[]), "file", "a.xlsx", XLSX, &right).await;
    assert_eq!(done.data()["imported"], json!(2), "{}", done.body);
    let replay =
        here.send_file_unlooked(Method::POST, &import, &texts_of("i-1", &[]), ("file", "a.xlsx", XLSX), &right).await;
    assert_eq!(replay.data(), done.data(), "sent twice it is imported once");
    let sources: String =
        server.one("select string_agg(source, ',') from school_1.pre_registration where name = '王芳'").await;
    assert_eq!(sources, "site_client,site_client");
    let many: Vec<(usize, &str)> = (1_000..3_001).map(|n| (n, "CD")).collect();
    let long = here.upload_with(&import, &texts_of("i-2", &[]), "file", "a.xlsx", XLSX, &file(&many)).await;
    assert_eq!(fields(&long), ["file: 一次最多导入2000行，请分成几个文件导入"]);

    let now = server.now();
    server.run(&format!("update school_1.pre_registration_batch set ends_at = {now} - interval '1 second'")).await;
    assert_eq!(here.post(&save, entry(5, "s-5")).await.refused(), (409, "预报名已结束"));
    let late = here.upload_with(&import, &texts_of("i-3", &[]), "file", "a.xlsx", XLSX, &file(&[(13, "CD")])).await;
    assert_eq!(late.refused(), (409, "预报名已结束"));
    // The office goes on, and the site mends what it has.
    assert_eq!(o.admin.post(&format!("{PRE}/save"), person(&o.p, o.batch, 6)).await.code(), 200);
    let student = here.with_token(None).post(&save, entry(7, "s-7")).await;
    assert_eq!(student.code(), 301);
}
