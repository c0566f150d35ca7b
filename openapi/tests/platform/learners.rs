//! Learners of the operators' site: registration and sign-in, what operators keep of them, membership and rights (part 01 §9.6,
//! §9.10 Learners, §9.11).

use chrono::{DateTime, Duration, FixedOffset, Months};
use kit::{
    Client, Server,
    accounts::operator_with,
    clients::{HOST, school, signed_in, with_token},
    cohort::cohort,
    fields,
    learners::{EXT, LEARNER, OWN, VIP_SET, code, entered, newest_code, register, sign_in, sign_in_by_code, vip_set},
    platform_courses::shared,
    sheets::{import, row_errors, texts},
    statistics::table,
    students::{ROLL, id_number},
};
use poem::http::Method;
use serde_json::{Value, json};

const PHONE: &str = "13900000005";
const OTHER: &str = "Yuan#2026hang";
const HEADINGS: [&str; 3] = ["手机号", "昵称", "性别"];

fn learner(phone: &str, nickname: &str) -> Value {
    json!({ "phone": phone, "nickname": nickname, "gender": "female" })
}

async fn seen(operator: &Client<'_>, id: i64) -> Value {
    operator.get(&format!("{EXT}/view?id={id}")).await.data().clone()
}

fn at(value: &Value) -> DateTime<FixedOffset> {
    value.as_str().expect("a moment").parse().expect("a moment")
}

/// What somebody says who sets a password.
fn passwords(server: &Server, old: &str, new: &str) -> Value {
    json!({
        "oldPassword": server.cipher(old), "loginPassword": server.cipher(new), "confirmPassword": server.cipher(new),
    })
}

#[tokio::test]
async fn a_phone_is_registered_by_its_code_and_signs_in() {
    let server = Server::start().await;
    let visitor = server.anonymous();
    let form = |code: &str, password: &str| json!({ "phone": PHONE, "password": server.cipher(password), "smsCode": code, "source": "h5" });
    let send =
        async |code: &str, password: &str| visitor.post(&format!("{LEARNER}/register"), form(code, password)).await;
    let asked = json!({ "phone": PHONE, "scene": "register" });
    let sent = visitor.post(&format!("{LEARNER}/smsCode"), asked.clone()).await;
    assert_eq!(sent.data(), &json!({ "againAfterSeconds": 60, "validMinutes": 5 }));
    let right = newest_code(&server, PHONE).await;
    let again = visitor.post(&format!("{LEARNER}/smsCode"), asked).await;
    assert_eq!(again.code(), 429, "{}", again.body);
    let wrong = if right == "000000" { "000001" } else { "000000" };
    let refused = ["smsCode: 验证码错误或已失效，请核对或重新获取"];
    assert_eq!(fields(&send(wrong, OWN).await), refused);
    let weak = fields(&send(&right, "12345678").await);
    assert_eq!(weak, ["password: 密码须为8至32位，且至少包含大写字母、小写字母、数字、特殊符号中的三类"]);
    assert_eq!(fields(&send(&right, &format!("Aa#{PHONE}")).await), ["password: 密码不能包含账号或手机号"]);
    let id = send(&right, OWN).await.id();
    assert_eq!(fields(&send(&right, OWN).await), refused, "a code serves once");
    let newer = code(&server, PHONE, "register").await;
    assert_eq!(send(&newer, OWN).await.refused(), (409, "该手机号已注册，请直接登录"));
    // Neither the phone nor a code stands in the table.
    let kept: String = server.one("select string_agg(c::text, ' ') from platform.learner_code c").await;
    assert!(!kept.contains(PHONE) && !kept.contains(&right), "{kept}");

    let answer = sign_in(&server, PHONE, OWN).await;
    assert_eq!((&answer.data()["name"], &answer.data()["mustChangePassword"]), (&json!("139****0005"), &json!(false)));
    let own = with_token(&server, &answer);
    let shown = own.get(&format!("{LEARNER}/view")).await.data().clone();
    assert_eq!(
        (&shown["id"], &shown["phone"], &shown["hasPassword"]),
        (&json!(id), &json!("139****0005"), &json!(true))
    );
    let body = json!({ "nickname": "好学的小林", "gender": "female", "birthday": "1996-03-15" });
    own.put(&format!("{LEARNER}/edit"), body).await.data();
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.data()["nickname"], json!("好学的小林"));
    let born = own.put(&format!("{LEARNER}/edit"), json!({ "birthday": "2199-01-01" })).await;
    assert_eq!(fields(&born), ["birthday: 生日应在1900年至今天之间"]);
    // Signed in elsewhere, the first session ends.
    let second = with_token(&server, &sign_in(&server, PHONE, OWN).await);
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.refused(), (303, "账号已在其他设备登录，请重新登录"));
    assert_eq!(second.bare(Method::POST, "/user/client/logout").await.data(), &json!(true));
    assert_eq!(second.get(&format!("{LEARNER}/view")).await.code(), 303);
    let log: String = server
        .one("select string_agg(event, ',' order by id) from platform.login_log where kind = 'learner' and school_id is null")
        .await;
    assert_eq!(log, "login,login,logout");
    let source: String = server.one(&format!("select source from platform.user_ext where id = {id}")).await;
    assert_eq!(source, "h5");
}

/// 01 §9.11: 10 codes a day per phone; nobody learns who has an account.
#[tokio::test]
async fn codes_are_few_and_tell_nothing() {
    let server = Server::start().await;
    let ask = async |phone: &str, scene: &str| {
        server.run("update platform.learner_code set sent_at = sent_at - interval '61 seconds'").await;
        server.anonymous().post(&format!("{LEARNER}/smsCode"), json!({ "phone": phone, "scene": scene })).await
    };
    assert_eq!(ask("13900000099", "login").await.code(), 200, "the same answer for a stranger");
    assert_eq!(server.one::<i64>("select count(*) from platform.msg_recorded").await, 0);
    server
        .run(
            "insert into platform.learner_code (phone_digest, scene, code_digest, client_ip, sent_at, expires_at)
             select phone_digest, scene, code_digest, '10.0.0.1', sent_at, expires_at
             from platform.learner_code, generate_series(1, 9)",
        )
        .await;
    // All of today, whenever the story is told.
    server
        .run("update platform.learner_code set sent_at = date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai' + interval '1 minute'")
        .await;
    let many = server
        .anonymous()
        .post(&format!("{LEARNER}/smsCode"), json!({ "phone": "13900000099", "scene": "login" }))
        .await;
    assert_eq!(many.code(), 429, "{}", many.body);
    // At a school's address there are no learners.
    school(&server).await;
    let there = server.anonymous().at_host(HOST);
    let refused = there.post(&format!("{LEARNER}/smsCode"), json!({ "phone": PHONE, "scene": "register" })).await;
    assert_eq!(refused.refused(), (403, "请从平台网站注册或登录"));
    there.challenge(PHONE, "client").await.data();
    let body = json!({ "loginName": PHONE, "loginPassword": server.cipher(OWN), "kind": "learner" });
    assert_eq!(there.post("/user/client/login", body).await.refused(), (403, "请从平台网站登录"));
}

#[tokio::test]
async fn whoever_forgot_the_password_signs_in_by_a_code() {
    let server = Server::start().await;
    register(&server, PHONE).await;
    let sent = code(&server, PHONE, "login").await;
    let wrong = if sent == "000000" { "000001" } else { "000000" };
    let refused = sign_in_by_code(&server, PHONE, wrong).await;
    assert_eq!(fields(&refused), ["smsCode: 验证码错误或已失效，还可尝试4次"]);
    let answer = sign_in_by_code(&server, PHONE, &sent).await;
    let own = with_token(&server, &answer);
    assert_eq!(sign_in_by_code(&server, PHONE, &sent).await.code(), 422, "a code serves once");
    own.put("/user/client/password", passwords(&server, "whatever", OTHER)).await.data();
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.refused(), (303, "密码已修改，请重新登录"));
    let own = with_token(&server, &sign_in(&server, PHONE, OTHER).await);
    // By the password one must know the former one; the fifth wrong one ends the session.
    for _ in 0..5 {
        let refused = own.put("/user/client/password", passwords(&server, "Wrong#2026qiu", OWN)).await;
        assert_eq!(fields(&refused), ["oldPassword: 原密码不正确"]);
    }
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.refused(), (303, "您已被管理员强制下线"));
    // A code of five minutes ago is none.
    let late = code(&server, PHONE, "login").await;
    server.app.clock().shift(Duration::minutes(6));
    assert_eq!(sign_in_by_code(&server, PHONE, &late).await.code(), 422);
}

#[tokio::test]
async fn five_wrong_passwords_lock_the_phone_and_a_reset_opens_it() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let id = register(&server, PHONE).await;
    for left in [4, 3, 2, 1] {
        let told = format!("账号或密码错误，还可尝试{left}次");
        assert_eq!(sign_in(&server, PHONE, "Wrong#2026qiu").await.refused(), (422, told.as_str()));
    }
    assert_eq!(sign_in(&server, PHONE, "Wrong#2026qiu").await.code(), 429);
    assert_eq!(sign_in(&server, PHONE, OWN).await.code(), 429, "the right one does not help");
    // A stranger counts down alike.
    assert_eq!(sign_in(&server, "13900000098", OWN).await.refused(), (422, "账号或密码错误，还可尝试4次"));
    let told = operator.put(&format!("{EXT}/update/password"), json!({ "id": id })).await;
    let password = told.data()["password"].as_str().expect("a password").to_owned();
    let answer = sign_in(&server, PHONE, &password).await;
    assert_eq!(answer.data()["mustChangePassword"], json!(true));
    let own = with_token(&server, &answer);
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.refused(), (403, "请先修改密码"));
    own.put("/user/client/password", passwords(&server, &password, OTHER)).await.data();
    assert_eq!(sign_in(&server, PHONE, OTHER).await.data()["mustChangePassword"], json!(false));
    let shown = seen(&operator, id).await;
    let results: Vec<&str> =
        shown["signIns"].as_array().expect("sign-ins").iter().filter_map(|one| one["result"].as_str()).collect();
    assert_eq!(results[..2], ["登录成功", "登录成功"]);
    assert!(results.contains(&"密码错误") && results.contains(&"账号已锁定"), "{results:?}");
    let stale = operator.put(&format!("{EXT}/update/password"), json!({ "id": id, "version": 1 })).await;
    assert_eq!(stale.code(), 409, "{}", stale.body);
}

/// 01 §9.10 Learners (2).
#[tokio::test]
async fn disabling_ends_the_sessions_on_every_server() {
    let server = Server::start().await;
    let other = Server::beside(&server).await;
    let operator = server.operator().await;
    let (own, id) = entered(&server, PHONE).await;
    let view = format!("{LEARNER}/view");
    assert_eq!(own.at(&other).get(&view).await.code(), 200);
    let switch = async |enabled: bool| {
        operator.put(&format!("{EXT}/update/status"), json!({ "id": id, "enabled": enabled })).await
    };
    assert_eq!(switch(false).await.id(), id);
    assert_eq!(own.get(&view).await.refused(), (303, "账号已停用，请联系管理员"));
    other.catch_up().await;
    assert_eq!(own.at(&other).get(&view).await.code(), 303);
    assert_eq!(sign_in(&server, PHONE, OWN).await.refused(), (403, "账号已停用，请联系客服"));
    let refused = operator.post(&format!("{EXT}/grantVip"), json!({ "id": id, "vipSetId": 1 })).await;
    assert_eq!(refused.refused(), (409, "该学员已停用，请先启用"));
    assert_eq!(switch(true).await.id(), id);
    assert_eq!(sign_in(&server, PHONE, OWN).await.code(), 200);
    other.close().await;
}

#[tokio::test]
async fn a_learner_reaches_nothing_of_schools_and_of_the_console() {
    let server = Server::start().await;
    let (own, _) = entered(&server, PHONE).await;
    school(&server).await;
    let teacher = signed_in(&server).await;
    let stranger = (403, "当前身份不能访问");
    assert_eq!(own.get("/user/client/menu").await.refused(), stranger);
    assert_eq!(own.post("/user/pc/ext/list", json!({})).await.refused(), stranger);
    assert_eq!(own.get("/system/pc/sys/user/menu").await.refused(), stranger);
    assert_eq!(teacher.get(&format!("{LEARNER}/view")).await.refused(), stranger);
    assert_eq!(own.bare(Method::PUT, "/user/client/renew").await.refused(), (403, "当前不是代登录，无需续期"));
    // The inbox of a learner lies in the operators' area.
    assert_eq!(own.get("/user/client/msg/unread").await.data()["count"], json!(0));
    assert_eq!(own.post("/user/client/msg/list", json!({})).await.data()["totalCount"], json!(0));
    let form =
        json!({ "fileName": "a.pdf", "size": 5, "contentType": "application/pdf", "type": 3, "purpose": "exam" });
    let ticket = own.post("/user/client/upload/presign", form).await.data().clone();
    let key = ticket["key"].as_str().expect("a key");
    assert!(key.contains("platform/"), "{key}");
    // Left alone for hours, it ends.
    server.app.clock().shift(Duration::hours(13));
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.code(), 302);
}

/// 01 §9.10 Learners (4).
#[tokio::test]
async fn a_phone_is_one_learners() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let first = operator.post(&format!("{EXT}/save"), learner(PHONE, "小林")).await.id();
    let again = operator.post(&format!("{EXT}/save"), learner(PHONE, "小王")).await;
    assert_eq!(again.refused(), (409, "该手机号已被其他学员使用"));
    let second = operator.post(&format!("{EXT}/save"), learner("13900000006", "小王")).await.id();
    let mut edit = learner(PHONE, "小王");
    (edit["id"], edit["version"]) = (json!(second), json!(1));
    assert_eq!(operator.put(&format!("{EXT}/edit"), edit.clone()).await.code(), 409);
    // A mask stands for the stored number.
    edit["phone"] = json!("139****0006");
    edit["nickname"] = json!("小王二");
    operator.put(&format!("{EXT}/edit"), edit.clone()).await.data();
    let stale = operator.put(&format!("{EXT}/edit"), edit).await;
    assert_eq!(stale.code(), 409, "{}", stale.body);
    let shown = seen(&operator, second).await;
    assert_eq!((&shown["phone"], &shown["nickname"]), (&json!("139****0006"), &json!("小王二")));
    assert_eq!(seen(&operator, first).await["source"], json!("admin"));
    // Whoever gets another phone signs in anew.
    let (own, third) = entered(&server, "13900000007").await;
    let version = seen(&operator, third).await["version"].clone();
    let moved = json!({ "id": third, "version": version, "phone": "13900000008" });
    operator.put(&format!("{EXT}/edit"), moved).await.data();
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.code(), 303);
    assert_eq!(sign_in(&server, "13900000008", OWN).await.code(), 200);
}

/// Operators look at the pictures of learners in their lists: none comes from where it likes.
#[tokio::test]
async fn a_picture_is_of_this_site_or_encrypted() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (own, _) = entered(&server, PHONE).await;
    let told = ["headImg: 头像格式不正确：请上传图片，或填写以 https:// 开头的图片地址"];
    for wrong in ["http://cdn.example.com/a.png", "/a.png", "/admin/files/../apis/a"] {
        let refused = own.put(&format!("{LEARNER}/edit"), json!({ "headImg": wrong })).await;
        assert_eq!(fields(&refused), told, "{wrong}");
        let mut form = learner("13900000006", "小王");
        form["headImg"] = json!(wrong);
        assert_eq!(fields(&operator.post(&format!("{EXT}/save"), form).await), told, "{wrong}");
    }
    for right in ["https://cdn.example.com/a.png", "/admin/files/public/platform/202611/a.png"] {
        own.put(&format!("{LEARNER}/edit"), json!({ "headImg": right })).await.data();
        assert_eq!(own.get(&format!("{LEARNER}/view")).await.data()["headImg"], json!(right));
    }
}

/// 01 §9.10 Learners (3).
#[tokio::test]
async fn a_sheet_with_one_wrong_phone_writes_nothing() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let phones: Vec<String> =
        (0..300).map(|n| if n == 200 { "1390000123".to_owned() } else { format!("13700{n:06}") }).collect();
    let rows: Vec<[&str; 3]> = phones.iter().map(|phone| [phone.as_str(), "学员", "女"]).collect();
    let all: Vec<&[&str]> = rows.iter().map(|row| row.as_slice()).collect();
    let answer = import(&operator, EXT, &HEADINGS, &all).await.data().clone();
    assert_eq!((&answer["total"], &answer["imported"]), (&json!(300), &json!(0)));
    let errors = row_errors(&answer);
    assert!(errors.len() == 1 && errors[0].starts_with("202 手机号: "), "{errors:?}");
    assert_eq!(server.one::<i64>("select count(*) from platform.user_ext").await, 0);
    operator.post(&format!("{EXT}/save"), learner(PHONE, "小林")).await.id();
    let rows: [&[&str]; 3] = [&[PHONE, "", ""], &["13700000001", "甲", "男"], &["13700000001", "乙", ""]];
    let answer = import(&operator, EXT, &HEADINGS, &rows).await.data().clone();
    let errors = ["2 手机号: 该手机号已被其他学员使用", "4 手机号: 与第3行手机号重复"];
    assert_eq!(row_errors(&answer), errors);
    let answer = import(&operator, EXT, &HEADINGS, &rows[1..2]).await.data().clone();
    assert_eq!(answer["imported"], json!(1), "{answer}");
    let list = operator.post(&format!("{EXT}/list"), json!({ "phone": "13700000001" })).await.data().clone();
    let row = &list["list"][0];
    assert_eq!((&list["totalCount"], &row["nickname"], &row["gender"]), (&json!(1), &json!("甲"), &json!("male")));
    assert_eq!((&row["hasPassword"], &row["source"]), (&json!(false), &json!("admin")));
    // Without a password they come in by a code, and set one.
    let sent = code(&server, "13700000001", "login").await;
    let own = with_token(&server, &sign_in_by_code(&server, "13700000001", &sent).await);
    own.put("/user/client/password", passwords(&server, "", OWN)).await.data();
    assert_eq!(sign_in(&server, "13700000001", OWN).await.code(), 200);
}

#[tokio::test]
async fn an_import_that_is_undone_takes_away_whom_nothing_refers_to() {
    let server = Server::start().await;
    let operator = server.operator().await;
    import(&operator, EXT, &HEADINGS, &[&["13700000001", "甲", ""], &["13700000002", "乙", ""]]).await.data();
    let set = vip_set(&operator, "年度会员", 12).await;
    let member: i64 = server.one("select id from platform.user_ext where nickname = '甲'").await;
    operator.post(&format!("{EXT}/grantVip"), json!({ "id": member, "vipSetId": set })).await.data();
    kit::imports::undone(&operator, false).await;
    let left: String = server.one("select string_agg(nickname, ',') from platform.user_ext").await;
    assert_eq!(left, "甲", "a member stays");
}

/// 01 §9.10 Learners (1).
#[tokio::test]
async fn months_are_added_behind_what_runs() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (own, id) = entered(&server, PHONE).await;
    let (year, month) = (vip_set(&operator, "年度会员", 12).await, vip_set(&operator, "月度会员", 1).await);
    let grant = async |set: i64| operator.post(&format!("{EXT}/grantVip"), json!({ "id": id, "vipSetId": set })).await;
    assert_eq!(seen(&operator, id).await["memberState"], json!("none"));
    grant(month).await.data();
    let first = seen(&operator, id).await;
    assert_eq!((&first["memberState"], &first["vipDiscountRate"]), (&json!("running"), &json!(0.85)));
    grant(year).await.data();
    let second = seen(&operator, id).await;
    let wanted = at(&first["vipExpiresAt"]).checked_add_months(Months::new(12)).expect("a day");
    assert_eq!(at(&second["vipExpiresAt"]), wanted);
    let spans = second["memberships"].as_array().expect("memberships");
    assert_eq!((spans[0]["fromAt"].clone(), spans.len()), (first["vipExpiresAt"].clone(), 2));
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.data()["vipDiscountRate"], json!(0.85));
    let off = json!({ "id": year, "enabled": false });
    operator.put(&format!("{VIP_SET}/update/status"), off).await.data();
    assert_eq!(fields(&grant(year).await), ["vipSetId: 所选会员设置已停用，请重新选择"]);
    assert_eq!(fields(&grant(9_999).await), ["vipSetId: 所选会员设置不存在，请重新选择"]);
    let refused = operator.delete(&format!("{VIP_SET}/delete?id={year}")).await;
    assert_eq!(refused.refused(), (409, "已被1条会员记录引用，不能删除"));
    let found = async |state: &str| {
        operator.post(&format!("{EXT}/list"), json!({ "memberState": state })).await.data()["totalCount"].clone()
    };
    assert_eq!((found("running").await, found("none").await, found("ended").await), (json!(1), json!(0), json!(0)));
    server.run("update platform.user_ext set vip_expires_at = now() - interval '1 day'").await;
    assert_eq!((found("running").await, found("ended").await), (json!(0), json!(1)));
}

#[tokio::test]
async fn a_membership_is_sold_at_its_price() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let id = vip_set(&operator, "年度会员", 12).await;
    let form = |more: Value| {
        let mut form = json!({
            "setName": "季度会员", "months": 3, "priceOriginal": 9_900, "price": 7_900, "discountRate": 0.9,
        });
        more.as_object().expect("fields").iter().for_each(|(name, value)| form[name] = value.clone());
        form
    };
    let save = async |more: Value| operator.post(&format!("{VIP_SET}/save"), form(more)).await;
    assert_eq!(fields(&save(json!({ "setName": "年度会员" })).await), ["setName: 名称已存在"]);
    assert_eq!(fields(&save(json!({ "price": 9_901 })).await), ["price: 售价不能高于原价"]);
    assert_eq!(fields(&save(json!({ "discountRate": 0.855 })).await), ["discountRate: 会员折扣最多两位小数"]);
    for wrong in [
        json!({ "months": 61 }),
        json!({ "months": 0 }),
        json!({ "discountRate": 0.09 }),
        json!({ "discountRate": 1.01 }),
    ] {
        assert_eq!(save(wrong.clone()).await.code(), 422, "{wrong}");
    }
    let second = save(json!({ "sort": 0 })).await.id();
    let list = operator.post(&format!("{VIP_SET}/list"), json!({})).await.data().clone();
    let names: Vec<&str> =
        list["list"].as_array().expect("a list").iter().filter_map(|one| one["setName"].as_str()).collect();
    assert_eq!(names, ["季度会员", "年度会员"]);
    let mut edit = form(json!({ "price": 6_900 }));
    (edit["id"], edit["version"]) = (json!(second), json!(1));
    operator.put(&format!("{VIP_SET}/edit"), edit.clone()).await.data();
    assert_eq!(operator.put(&format!("{VIP_SET}/edit"), edit).await.code(), 409);
    let sheet = texts(&operator.post(&format!("{VIP_SET}/export"), json!({})).await.bytes);
    assert_eq!(sheet[0][..5], ["名称", "月数", "原价(元)", "售价(元)", "会员折扣"]);
    assert_eq!(sheet[1][..5], ["季度会员", "3", "99", "69", "0.9"]);
    operator.delete(&format!("{VIP_SET}/delete?id={id}")).await.data();
}

/// 01 §9.10 Learners (5).
#[tokio::test]
async fn days_of_an_owned_product_extend_it() {
    let server = Server::start().await;
    let course = shared(&server, "video_1").await;
    let operator = server.operator().await;
    let (own, id) = entered(&server, PHONE).await;
    let grant = async |product: i64, kind: &str, days: i64| {
        let body = json!({ "id": id, "productType": kind, "productId": product, "days": days });
        operator.post(&format!("{EXT}/grantRight"), body).await
    };
    grant(course, "record", 30).await.data();
    let first = seen(&operator, id).await["rights"][0].clone();
    assert_eq!((&first["productName"], &first["granted"]), (&json!("大学英语（平台）"), &json!(true)));
    grant(course, "record", 30).await.data();
    let rights = own.get(&format!("{LEARNER}/view")).await.data()["rights"].clone();
    assert_eq!(rights.as_array().map(Vec::len), Some(1));
    assert_eq!(at(&rights[0]["expiresAt"]), at(&first["expiresAt"]) + Duration::days(30));
    server.run("update platform.learner_right set expires_at = null").await;
    assert_eq!(grant(course, "record", 30).await.refused(), (409, "该学员已长期拥有该商品，无需赠送"));
    assert_eq!(fields(&grant(course, "live", 30).await), ["productId: 所选商品不存在，请重新选择"]);
    assert_eq!(fields(&grant(1, "vip", 30).await), ["productType: 会员请用“开通会员”办理"]);
    assert_eq!(grant(course, "record", 0).await.code(), 422);
    let trail: String = server
        .one("select string_agg(action, ',' order by id) from platform.audit_log where entity_type = 'learner_right'")
        .await;
    assert_eq!(trail, "insert,status");
}

#[tokio::test]
async fn whole_phones_are_for_those_who_may_see_them() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let id = operator.post(&format!("{EXT}/save"), learner(PHONE, "小林")).await.id();
    let keeper = operator_with(&server, "keeper", &["user:pc:ext:list", "user:pc:ext:export"]).await;
    let list = keeper.post(&format!("{EXT}/list"), json!({ "nickname": "xl" })).await.data().clone();
    assert_eq!(list["list"][0]["phone"], json!("139****0005"));
    let sheet = texts(&keeper.post(&format!("{EXT}/export"), json!({})).await.bytes);
    assert_eq!(sheet[0][..4], ["昵称", "手机号", "性别", "注册来源"]);
    assert_eq!(sheet[1][..4], ["小林", "139****0005", "女", "后台添加"]);
    let wanted = json!({ "entity": "user_ext", "id": id, "field": "phone" });
    assert_eq!(keeper.post("/system/pc/plain/view", wanted.clone()).await.code(), 403);
    let trusted = operator_with(&server, "trusted", &["user:pc:ext:viewPlain"]).await;
    assert_eq!(trusted.post("/system/pc/plain/view", wanted).await.data()["value"], json!(PHONE));
    // What the codes do not open.
    for (call, body) in [
        ("save", learner("13900000006", "小王")),
        ("grantVip", json!({ "id": id, "vipSetId": 1 })),
        ("grantRight", json!({ "id": id, "productType": "record", "productId": 1, "days": 1 })),
    ] {
        assert_eq!(keeper.post(&format!("{EXT}/{call}"), body).await.refused(), (403, "没有操作权限"), "{call}");
    }
    let off = json!({ "id": id, "enabled": false });
    assert_eq!(keeper.put(&format!("{EXT}/update/status"), off).await.code(), 403);
    assert_eq!(keeper.get(&format!("{EXT}/view?id={id}")).await.code(), 403);
    let operator = server.operator().await;
    assert_eq!(operator.get(&format!("{EXT}/view?id={}", id + 1)).await.code(), 404);
}

#[tokio::test]
async fn a_learner_may_be_a_schools_student() {
    let server = Server::start().await;
    let (admin, _) = school(&server).await;
    let p = cohort(&admin).await;
    let student = json!({
        "name": "张晓梅", "idCardNo": id_number(1), "studentNo": "2600000001", "gradeId": p.grade, "levelId": p.level,
        "majorId": p.major, "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": p.site,
        "enrolledOn": "2026-03-01", "status": "registered", "source": "legacy",
    });
    admin.post(&format!("{ROLL}/save"), student).await.id();
    let operator = server.operator().await;
    let linked = |phone: &str, school: Value, number: Value| json!({ "phone": phone, "linkedSchoolId": school, "linkedStudentNo": number });
    let save = async |form: Value| operator.post(&format!("{EXT}/save"), form).await;
    let half = save(linked(PHONE, json!(null), json!("2600000001"))).await;
    assert_eq!(fields(&half), ["linkedSchoolId: 请选择学号所在的院校"]);
    assert_eq!(fields(&save(linked(PHONE, json!(1), json!(null))).await), ["linkedStudentNo: 请填写该院校的学号"]);
    let none = save(linked(PHONE, json!(1), json!("2600000009"))).await;
    assert_eq!(fields(&none), ["linkedStudentNo: 该院校没有这个学号"]);
    let id = save(linked(PHONE, json!(1), json!("2600000001"))).await.id();
    let shown = seen(&operator, id).await;
    assert_eq!((&shown["linkedStudentNo"], &shown["linkedStudentName"]), (&json!("2600000001"), &json!("张晓梅")));
    let taken = save(linked("13900000006", json!(1), json!("2600000001"))).await;
    assert_eq!(fields(&taken), ["linkedStudentNo: 该学生已关联其他学员"]);
    // An operator of another school sees that there is a link, and no more.
    let narrow = operator_with(&server, "narrow", &["user:pc:ext:view", "user:pc:ext:save"]).await;
    kit::rows::manage(&server, "narrow", &[2]).await;
    let less = seen(&narrow, id).await;
    assert_eq!((&less["linkedSchoolId"], &less["linkedStudentNo"]), (&json!(1), &json!(null)));
    let strange = narrow.post(&format!("{EXT}/save"), linked("13900000007", json!(1), json!("2600000001"))).await;
    assert_eq!(fields(&strange), ["linkedSchoolId: 所选院校不存在或您不能管理，请重新选择"]);
}

/// 05 A1: a registration is given to the visit that led to it.
#[tokio::test]
async fn a_registration_is_counted_with_its_visit() {
    let server = Server::start().await;
    let visitor = server.anonymous();
    let visit = json!({ "page": "home", "terminal": "h5" });
    let key = visitor.post("/data/client/visit/save", visit).await.data()["visitorKey"].clone();
    let sent = code(&server, PHONE, "register").await;
    let body = json!({ "phone": PHONE, "password": server.cipher(OWN), "smsCode": sent, "visitorKey": key });
    visitor.post(&format!("{LEARNER}/register"), body).await.id();
    // Another one came without a browser that is known.
    register(&server, "13900000006").await;
    let operator = server.operator().await;
    let again = json!({ "screen": "from_statistics" });
    operator.post("/data/pc/statistics/refresh", again.clone()).await.data();
    let list = table(&operator, "/data/pc/fromStatistics/list", json!({ "own": true })).await;
    assert_eq!(list.figures("合计", &["pv", "learners"]), [json!(1.0), json!(1.0)]);
    server.app.clock().shift(Duration::seconds(61));
    operator.post("/data/pc/statistics/refresh", again).await.data();
    let kept: i64 = server.one("select sum(learners)::bigint from platform.visit_day").await;
    assert_eq!(kept, 1, "and once");
}
