//! People of a school in their own clients: sign-in, sessions, passwords, one-click sign-in, menus (01 §1.4.14–15, §8;
//! 02 §12.1, §12.5).

use chrono::Duration;
use kit::{
    PASSWORD, Server,
    clients::{HOST, OWN, school, sign_in, signed_in, with_token},
    cohort::{cohort, registrar},
    fields,
    rows::setting,
    teachers::{TEACHER, line, teacher},
};
use openapi::document;
use poem::http::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn the_first_sign_in_is_by_the_initial_password_and_asks_for_an_own_one() {
    let server = Server::start().await;
    school(&server).await;
    let answer = sign_in(&server, "t001", "Aa@150216", "teacher").await;
    assert_eq!((&answer.data()["mustChangePassword"], &answer.data()["name"]), (&json!(true), &json!("陈立新")));
    let teacher = with_token(&server, &answer);
    // The menu may be read before; the renewal of a session may not.
    assert_eq!(teacher.get("/user/client/menu").await.code(), 200);
    assert_eq!(teacher.bare(Method::PUT, "/user/client/renew").await.refused(), (403, "请先修改密码"));
    let change = |old: &str, new: &str, again: &str| json!({ "oldPassword": server.cipher(old), "loginPassword": server.cipher(new), "confirmPassword": server.cipher(again) });
    let path = "/user/client/password";
    let differ = teacher.put(path, change("Aa@150216", OWN, "Other#2026q")).await;
    assert_eq!(fields(&differ), ["confirmPassword: 登录密码和确认密码不一致"]);
    let wrong = teacher.put(path, change("Wrong#2026q", OWN, OWN)).await;
    assert_eq!(fields(&wrong), ["oldPassword: 原密码不正确"]);
    let weak = teacher.put(path, change("Aa@150216", "short", "short")).await;
    assert_eq!(fields(&weak), ["loginPassword: 密码须为8至32位，且至少包含大写字母、小写字母、数字、特殊符号中的三类"]);
    let same = teacher.put(path, change("Aa@150216", "Aa@150216", "Aa@150216")).await;
    assert_eq!(same.code(), 422, "{}", same.body);
    assert_eq!(teacher.put(path, change("Aa@150216", OWN, OWN)).await.code(), 200);
    assert_eq!(teacher.get("/user/client/menu").await.refused(), (303, "密码已修改，请重新登录"));
    let again = sign_in(&server, "T001", OWN, "teacher").await;
    assert_eq!(again.data()["mustChangePassword"], json!(false));
    let kept: String = server.one("select password_hash from school_1.client_account where login_name = 'T001'").await;
    assert!(kept.starts_with("$argon2id$"), "{kept}");
    let trail: String = server.one("select string_agg(changes::text, ' ') from school_1.audit_log").await;
    assert!(!trail.contains("argon2") && !trail.contains(OWN), "{trail}");
}

#[tokio::test]
async fn the_schools_own_rule_makes_the_initial_password() {
    let server = Server::start().await;
    school(&server).await;
    setting(&server, "initialPassword", &json!("cj{idLast6}!Q")).await;
    assert_eq!(sign_in(&server, "T001", "Aa@150216", "teacher").await.code(), 422);
    assert_eq!(sign_in(&server, "T001", "cj150216!Q", "teacher").await.code(), 200);
}

#[tokio::test]
async fn wrong_passwords_lock_and_unlocking_clears() {
    let server = Server::start().await;
    let (admin, id) = school(&server).await;
    for name in ["T001", "nobody-at-all"] {
        for left in [4, 3, 2, 1] {
            let answer = sign_in(&server, name, "Wrong#2026qiu", "teacher").await;
            assert_eq!(answer.refused(), (422, format!("账号或密码错误，还可尝试{left}次").as_str()));
        }
        let fifth = sign_in(&server, name, "Wrong#2026qiu", "teacher").await;
        assert_eq!(fifth.refused(), (429, "密码连续输错5次，账号已锁定，请15分钟后再试"));
    }
    assert_eq!(sign_in(&server, "T001", "Aa@150216", "teacher").await.code(), 429, "also the right one");
    let row = line(&admin, id).await;
    assert_eq!(row["accountState"], json!("locked"));
    let items = json!({ "items": [{ "id": id, "version": row["accountVersion"] }] });
    assert_eq!(admin.put(&format!("{TEACHER}/unlock"), items).await.data()["done"], json!(1));
    assert_eq!(sign_in(&server, "T001", "Aa@150216", "teacher").await.code(), 200);
    let logged: Vec<String> = sqlx::query_scalar(
        "select distinct reason from platform.login_log where event = 'login_failed' and client = 'teacher' and school_id = 1 order by 1",
    )
    .fetch_all(&mut server.owner().await)
    .await
    .expect("the log");
    assert_eq!(logged, ["locked", "unknown_account", "wrong_password"]);
}

#[tokio::test]
async fn each_kind_has_its_own_entrance_and_the_host_says_the_school() {
    let server = Server::start().await;
    school(&server).await;
    assert_eq!(sign_in(&server, "T001", "Aa@150216", "student").await.code(), 422, "no student of that name");
    let caller = server.anonymous();
    caller.challenge("T001", "client").await.data();
    let body = json!({ "loginName": "T001", "loginPassword": server.cipher("Aa@150216"), "kind": "teacher" });
    assert_eq!(caller.post("/user/client/login", body).await.refused(), (403, "请从学校的网址登录"));
    // They never sign in to the console.
    let console = server.anonymous().sign_in("T001", "Aa@150216", "schoolLogin").await;
    assert_eq!(console.code(), 422, "{}", console.body);
}

#[tokio::test]
async fn a_second_sign_in_ends_the_first_and_a_sign_out_ends_itself() {
    let server = Server::start().await;
    school(&server).await;
    let first = signed_in(&server).await;
    let second = with_token(&server, &sign_in(&server, "T001", OWN, "teacher").await);
    assert_eq!(first.get("/user/client/menu").await.refused(), (303, "账号已在其他设备登录，请重新登录"));
    assert_eq!(second.post("/user/client/logout", json!({})).await.code(), 200);
    assert_eq!(second.get("/user/client/menu").await.code(), 303);
    let events: Vec<String> = sqlx::query_scalar(
        "select event from platform.login_log where client = 'teacher' and kind = 'teacher' and success order by id",
    )
    .fetch_all(&mut server.owner().await)
    .await
    .expect("the log");
    assert_eq!(events, ["login", "login", "login", "logout"]);
    // The log tells how long each lasted and why it ended (05 E1).
    let auditor = server.staff(1, &["data:pc:user:log:login:list"]).await;
    let list = auditor.post("/data/pc/user/log/login/list", json!({ "keyword": "T001", "event": "login" })).await;
    let ended: Vec<(&Value, &Value)> = list.data()["list"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| (&row["endReason"], &row["sessionMinutes"]))
        .collect();
    let none = json!(0);
    assert_eq!(
        ended,
        [(&json!("退出登录"), &none), (&json!("在别处登录"), &none), (&json!("修改了密码"), &none)],
        "{}",
        list.body
    );
}

#[tokio::test]
async fn disabling_and_resetting_end_the_sessions_on_every_server() {
    let server = Server::start().await;
    let other = Server::beside(&server).await;
    let (admin, id) = school(&server).await;
    let teacher = signed_in(&server).await;
    assert_eq!(teacher.at(&other).get("/user/client/menu").await.code(), 200);
    let items = |row: &Value| json!([{ "id": id, "version": row["accountVersion"] }]);
    let body = json!({ "items": items(&line(&admin, id).await), "enabled": false });
    assert_eq!(admin.put(&format!("{TEACHER}/update/status"), body).await.data()["done"], json!(1));
    assert_eq!(teacher.get("/user/client/menu").await.refused(), (303, "账号已停用，请联系管理员"));
    other.catch_up().await;
    assert_eq!(teacher.at(&other).get("/user/client/menu").await.code(), 303);
    let closed = sign_in(&server, "T001", OWN, "teacher").await;
    assert_eq!(closed.refused(), (403, "账号已停用，请联系管理员"));
    let body = json!({ "items": items(&line(&admin, id).await), "enabled": true });
    assert_eq!(admin.put(&format!("{TEACHER}/update/status"), body).await.data()["done"], json!(1));
    let teacher = with_token(&server, &sign_in(&server, "T001", OWN, "teacher").await);
    let body = json!({ "items": items(&line(&admin, id).await) });
    assert_eq!(admin.post(&format!("{TEACHER}/resetPassword"), body).await.data()["done"], json!(1));
    assert_eq!(teacher.get("/user/client/menu").await.refused(), (303, "密码已被重置，请重新登录"));
    let again = sign_in(&server, "T001", "Aa@150216", "teacher").await;
    assert_eq!(again.data()["mustChangePassword"], json!(true));
    other.close().await;
}

#[tokio::test]
async fn tokens_of_the_clients_and_of_the_console_are_told_apart() {
    let server = Server::start().await;
    let (admin, _) = school(&server).await;
    let teacher = signed_in(&server).await;
    let document = document::document();
    let operator = server.operator().await;
    for (method, path, operation) in document::operations(document) {
        let method: Method = method.parse().expect("a method");
        let path = path.replace("{type}", "siteKind");
        let (area, code) = (operation["x-area"].as_str(), operation["x-permission"].as_str().unwrap_or_default());
        match area {
            Some("public") => {}
            Some("client") => {
                for stranger in [&admin, &operator] {
                    let answer = stranger.json(method.clone(), &path, &json!({})).await;
                    assert_eq!(answer.refused(), (403, "当前身份不能访问"), "{method} {path}");
                }
                if !code.split(',').any(|kind| kind == "client:teacher") {
                    let answer = teacher.json(method.clone(), &path, &json!({})).await;
                    assert_eq!(answer.refused(), (403, "当前身份不能访问"), "{method} {path}");
                }
            }
            _ => {
                let answer = teacher.json(method.clone(), &path, &json!({})).await;
                assert_eq!(answer.refused(), (403, "当前身份不能访问"), "{method} {path}");
            }
        }
    }
}

const WHY: &str = "reason=%E6%A0%B8%E5%AF%B9%E8%AF%BE%E7%A8%8B";

#[tokio::test]
async fn staff_look_at_the_client_as_its_person_for_half_an_hour() {
    let server = Server::start().await;
    let (admin, id) = school(&server).await;
    let own = signed_in(&server).await;
    let path = format!("{TEACHER}/oneClickLogin?id={id}");
    assert_eq!(fields(&admin.get(&path).await), ["reason: 请填写原因，2至200个字符"]);
    let reader = server.staff(1, &["user:pc:teacher:oneClickLogin"]).await;
    let without = server.staff(1, &["user:pc:teacher:list"]).await;
    assert_eq!(without.get(&format!("{path}&{WHY}")).await.refused(), (403, "没有操作权限"));
    let answer = reader.get(&format!("{path}&{WHY}")).await;
    let shown = answer.data();
    assert_eq!((&shown["readOnly"], &shown["clientUrl"]), (&json!(true), &json!(format!("https://{HOST}"))));
    let inside = with_token(&server, &answer);
    assert_eq!(inside.get("/user/client/menu").await.code(), 200);
    assert_eq!(own.get("/user/client/menu").await.code(), 200, "the person's own session stays");
    let body = json!({ "oldPassword": "x", "loginPassword": "x", "confirmPassword": "x" });
    let refused = inside.put("/user/client/password", body.clone()).await;
    assert_eq!(refused.refused(), (403, "代登录仅可查看，不能提交或修改"));
    // With the write code it may write, but the password is nobody else's.
    let writer = server.staff(1, &["user:pc:teacher:oneClickLogin", "user:pc:teacher:oneClickLogin:write"]).await;
    let writing = with_token(&server, &writer.get(&format!("{path}&{WHY}")).await);
    let refused = writing.put("/user/client/password", body).await;
    assert_eq!(refused.refused(), (403, "代登录不能修改密码，请本人登录后修改"));
    let logged: i64 = server
        .one("select count(*) from platform.login_log where event = 'one_click' and reason = '核对课程' and real_name = '陈立新' and school_id = 1")
        .await;
    assert_eq!(logged, 2);
    let trail: String = server
        .one("select string_agg(actor_name || ' ' || changes::text, ' ') from school_1.audit_log where action = 'oneClickLogin'")
        .await;
    assert!(trail.contains("教务员") && trail.contains("陈立新") && trail.contains("核对课程"), "{trail}");
    assert_eq!(
        server.one::<i64>("select count(*) from platform.login_log where event = 'login' and client is not null").await,
        2
    );
}

#[tokio::test]
async fn a_one_click_session_ends_after_half_an_hour_unless_it_is_renewed() {
    let server = Server::start().await;
    let (admin, id) = school(&server).await;
    let path = format!("{TEACHER}/oneClickLogin?id={id}&{WHY}");
    let (left, renewed) = (admin.get(&path).await, admin.get(&path).await);
    let (left, renewed) = (with_token(&server, &left), with_token(&server, &renewed));
    server.app.clock().shift(Duration::minutes(25));
    let token = renewed.bare(Method::PUT, "/user/client/renew").await;
    let renewed = with_token(&server, &token);
    server.app.clock().shift(Duration::minutes(6));
    assert_eq!(left.get("/user/client/menu").await.refused(), (302, "登录已过期，请重新登录"));
    assert_eq!(renewed.get("/user/client/menu").await.code(), 200);
    let own = signed_in(&server).await;
    assert_eq!(own.bare(Method::PUT, "/user/client/renew").await.refused(), (403, "当前不是代登录，无需续期"));
}

/// 01 §1.4.15: people of the clients may leave theirs alone for hours, longer than staff of the console.
#[tokio::test]
async fn a_client_is_left_alone_for_hours() {
    let server = Server::start().await;
    school(&server).await;
    // A session ends after twelve hours in any case, unless the platform lets it go on.
    let operator = server.operator().await;
    let hours = operator.get("/system/pc/sys/param/config/view?code=session.absoluteHours").await.data().clone();
    let longer = json!({ "id": hours["id"], "version": hours["version"], "paramValue": "24" });
    assert_eq!(operator.put("/system/pc/sys/param/config/edit", longer).await.code(), 200);
    let own = signed_in(&server).await;
    server.app.clock().shift(Duration::hours(11));
    assert_eq!(own.get("/user/client/menu").await.code(), 200);
    server.app.clock().shift(Duration::minutes(12 * 60 + 1));
    assert_eq!(own.get("/user/client/menu").await.refused(), (302, "登录已过期，请重新登录"));
    let from_there: bool = server
        .one(
            "select (select ip from platform.login_log where event = 'idle' and ip <> '')
                  = (select max(ip) from platform.login_log where event = 'login' and client is not null)",
        )
        .await;
    assert!(from_there, "the end is logged where the beginning was");
}

#[tokio::test]
async fn a_one_click_session_ends_with_the_staffs_own() {
    let server = Server::start().await;
    let (admin, id) = school(&server).await;
    let inside = with_token(&server, &admin.get(&format!("{TEACHER}/oneClickLogin?id={id}&{WHY}")).await);
    assert_eq!(inside.get("/user/client/menu").await.code(), 200);
    assert_eq!(admin.post("/system/pc/sys/user/logout", json!({})).await.code(), 200);
    assert_eq!(inside.get("/user/client/menu").await.code(), 303);
}

#[tokio::test]
async fn one_click_is_refused_for_the_disabled_and_beyond_thirty_an_hour() {
    let server = Server::start().await;
    let (admin, id) = school(&server).await;
    let path = format!("{TEACHER}/oneClickLogin?id={id}&{WHY}");
    for _ in 0..30 {
        assert_eq!(admin.get(&path).await.code(), 200);
    }
    assert_eq!(admin.get(&path).await.refused(), (429, "一小时内最多一键登录30次，请稍后再试"));
    let body =
        json!({ "items": [{ "id": id, "version": line(&admin, id).await["accountVersion"] }], "enabled": false });
    assert_eq!(admin.put(&format!("{TEACHER}/update/status"), body).await.data()["done"], json!(1));
    assert_eq!(admin.get(&path).await.refused(), (409, "账号已禁用"));
}

/// 01 §1.4.14: the limit is the person's, wherever they look.
#[tokio::test]
async fn an_operators_thirty_an_hour_are_those_of_all_schools_together() {
    let server = Server::start().await;
    let (staff, first) = school(&server).await;
    server.run("update platform.school set domain = 'nl.example.cn' where id = 2").await;
    server.run("select pg_notify('chengjiao', 'school:2')").await;
    let inside = server.operator_in(2).await;
    let organization = json!({ "code": "JG", "name": "经济管理学院", "kind": "college" });
    let organization = inside.post("/adult/pc/organize/save", organization).await.id();
    let second = inside.post(&format!("{TEACHER}/save"), teacher(organization, 1)).await.id();
    let operator = server.operator().await;
    let look = async |school: i64| {
        let id = if school == 1 { first } else { second };
        operator.get(&format!("{TEACHER}/oneClickLogin?id={id}&{WHY}&schoolId={school}")).await
    };
    for _ in 0..15 {
        for school in [1, 2] {
            let entered = look(school).await;
            assert_eq!(entered.code(), 200, "{}", entered.body);
        }
    }
    for school in [1, 2] {
        assert_eq!(look(school).await.refused(), (429, "一小时内最多一键登录30次，请稍后再试"));
    }
    // Another's are their own.
    assert_eq!(staff.get(&format!("{TEACHER}/oneClickLogin?id={first}&{WHY}")).await.code(), 200);
    server.app.clock().shift(Duration::minutes(61));
    assert_eq!(look(2).await.code(), 200);
    let kept: i64 = server
        .one(
            "select count(*) from platform.one_click_entry e join platform.sys_user u on u.id = e.user_id
             where u.login_name = 'operator'",
        )
        .await;
    assert_eq!(kept, 1, "what is older than an hour is gone");
}

#[tokio::test]
async fn a_student_is_seen_as_by_himself_within_the_data_scope() {
    let server = Server::start().await;
    school(&server).await;
    let admin = registrar(&server).await;
    let place = cohort(&admin).await;
    let id = kit::students::save(&admin, kit::students::student(&place, 1)).await;
    let path = format!("/user/pc/student/oneClickLogin?id={id}&{WHY}");
    let elsewhere =
        server.staff_within(1, &["user:pc:student:oneClickLogin"], "named_sites", &[place.site + 1000]).await;
    assert_eq!(elsewhere.get(&path).await.code(), 404);
    // Whoever may write as those of another site alone only looks at this one.
    let far = [place.site + 1000];
    let roles: [(&[&str], &str, &[i64]); 2] = [
        (&["user:pc:student:oneClickLogin"], "whole_school", &[]),
        (&["user:pc:student:oneClickLogin:write"], "named_sites", &far),
    ];
    let looking = server.staff_with_roles(1, &roles).await;
    assert_eq!(looking.get(&path).await.data()["readOnly"], json!(true));
    let answer = admin.get(&path).await;
    assert_eq!(answer.data()["readOnly"], json!(false), "the registrar holds every code");
    let inside = with_token(&server, &answer);
    assert_eq!(inside.get("/user/client/menu").await.code(), 200);
    // What is changed so is the student's, by whoever acted (§12.6, scenario 4).
    let version = inside.get("/user/client/profile/view").await.data()["version"].clone();
    let edit = json!({ "requestId": "p-1", "version": version, "phone": "154****0001", "workUnit": "江城机械厂" });
    inside.put("/user/client/profile/edit", edit).await.id();
    let by: String = server
        .one(&format!(
            "select concat_ws(' ', actor_type, actor_name, on_behalf_of) from school_1.audit_log
             where entity_type = 'student' and entity_id = {id} and action = 'update'"
        ))
        .await;
    assert_eq!(by, "student 张晓梅 员工 教务员");
}

/// 05 E2: the student reads in their inbox that staff looked, and why, unless the school switched that off.
#[tokio::test]
async fn a_student_is_told_that_staff_looked() {
    let server = Server::start().await;
    school(&server).await;
    let admin = registrar(&server).await;
    let place = cohort(&admin).await;
    let id = kit::students::save(&admin, kit::students::student(&place, 1)).await;
    let path = format!("/user/pc/student/oneClickLogin?id={id}&{WHY}");
    setting(&server, "oneClickNotify", &json!(false)).await;
    assert_eq!(admin.get(&path).await.code(), 200);
    assert_eq!(server.one::<i64>("select count(*) from school_1.event_outbox").await, 0);
    server.run("delete from school_1.school_setting where key = 'oneClickNotify'").await;
    assert_eq!(admin.get(&path).await.code(), 200);
    let told = format!("select count(*) = 1 from school_1.msg_delivery where recipient_id = {id} and status = 'sent'");
    server.wait_until(&told).await;
    let content: String = server.one("select content from school_1.msg").await;
    assert!(content.ends_with(" 学校工作人员因“核对课程”查看过您的账号。</p>"), "{content}");
    let day = server.app.clock().today().to_string();
    assert_eq!(content["<p>".len()..].split(' ').next(), Some(day.as_str()), "when it was: {content}");

    // So is a teacher.
    let teacher: i64 = server.one("select min(id) from school_1.teacher").await;
    assert_eq!(admin.get(&format!("{TEACHER}/oneClickLogin?id={teacher}&{WHY}")).await.code(), 200);
    let told = format!(
        "select count(*) = 1 from school_1.msg_delivery
         where recipient_type = 'teacher' and recipient_id = {teacher} and status = 'sent'"
    );
    server.wait_until(&told).await;
}

const MENU: &str = "/user/pc/menu";

#[tokio::test]
async fn menus_reach_the_people_of_their_schools() {
    let server = Server::start().await;
    school(&server).await;
    let operator = server.operator().await;
    let save = |name: &str, client: &str, parent: Option<i64>| json!({ "clientKind": client, "name": name, "path": "/x", "parentId": parent });
    let top = operator.post(&format!("{MENU}/save"), save("教学", "teacher", None)).await.id();
    let below = operator.post(&format!("{MENU}/save"), save("我的课程", "teacher", Some(top))).await.id();
    let mut limited = save("外校菜单", "teacher", None);
    limited["schoolIds"] = json!([2]);
    operator.post(&format!("{MENU}/save"), limited).await.id();
    let mut managers = save("我的班级", "teacher", None);
    managers["permissionKey"] = json!("class:list");
    operator.post(&format!("{MENU}/save"), managers).await.id();
    let student = operator.post(&format!("{MENU}/save"), save("选课", "student", None)).await.id();
    let teacher = signed_in(&server).await;
    let shown = teacher.get("/user/client/menu").await;
    assert_eq!(shown.data().as_array().map(Vec::len), Some(1), "{}", shown.body);
    assert_eq!(
        (&shown.data()[0]["name"], &shown.data()[0]["children"][0]["name"]),
        (&json!("教学"), &json!("我的课程"))
    );
    // The parent is switched off, the child keeps its flag.
    let switch = format!("{MENU}/disableOrEnableTeacherMenu?id=");
    assert_eq!(operator.bare(Method::PUT, &format!("{switch}{top}")).await.code(), 200);
    assert_eq!(operator.bare(Method::PUT, &format!("{switch}{top}&enabled=false")).await.code(), 200, "as it is");
    assert_eq!(*teacher.get("/user/client/menu").await.data(), json!([]));
    let tree = operator.get(&format!("{MENU}/teacherList")).await;
    let node =
        tree.data().as_array().expect("menus").iter().find(|node| node["id"] == json!(top)).expect("the top").clone();
    assert_eq!((&node["enabled"], &node["children"][0]["enabled"]), (&json!(false), &json!(true)));
    assert_eq!(operator.bare(Method::PUT, &format!("{switch}{student}")).await.code(), 404, "a student menu");
    let mut moved = save("教学", "teacher", Some(below));
    (moved["id"], moved["version"]) = (json!(top), node["version"].clone());
    let refused = operator.put(&format!("{MENU}/edit"), moved).await;
    assert_eq!(fields(&refused), ["parentId: 上级菜单不能是自身或下级"]);
    let third = operator.post(&format!("{MENU}/save"), save("三级", "teacher", Some(below))).await.id();
    let fourth = operator.post(&format!("{MENU}/save"), save("四级", "teacher", Some(third))).await;
    assert_eq!(fields(&fourth), ["parentId: 菜单最多三级"]);
    let foreign = operator.post(&format!("{MENU}/save"), save("串端", "student", Some(top))).await;
    assert_eq!(fields(&foreign), ["parentId: 所选上级菜单不存在，请重新选择"]);
    let twice = operator.post(&format!("{MENU}/save"), save("教学", "teacher", None)).await;
    assert_eq!(fields(&twice), ["name: 同级菜单中“教学”已存在"]);
    let parent = operator.delete(&format!("{MENU}/delete?id={top}")).await;
    assert_eq!(parent.refused(), (409, "请先删除下级菜单"));
    assert_eq!(operator.delete(&format!("{MENU}/delete?id={third}")).await.code(), 200);
    let page = operator.get(&format!("{MENU}/pageList?clientKind=student&pageSize=1")).await;
    assert_eq!((&page.data()["totalCount"], &page.data()["list"][0]["name"]), (&json!(1), &json!("选课")));
}

/// A password of the console opens no client, and the other way round.
#[tokio::test]
async fn the_consoles_accounts_are_no_people_of_the_clients() {
    let server = Server::start().await;
    school(&server).await;
    let answer = sign_in(&server, "demo01_admin", PASSWORD, "teacher").await;
    assert_eq!(answer.refused(), (422, "账号或密码错误，还可尝试4次"));
}

/// Part 03 B10: a token makes so many calls in a second; the unit tests of `infra::pace` count by the millisecond.
#[tokio::test]
async fn a_client_that_calls_too_fast_waits() {
    let server = Server::start().await;
    school(&server).await;
    let teacher = signed_in(&server).await;
    let menu = "/user/client/menu";
    let limit = async |calls: u32| {
        server
            .run(&format!("update platform.sys_param set value = '{calls}' where code = 'client.callsPerSecond'"))
            .await;
        server.tell("param:").await;
    };
    // How many of 25 calls were taken, and in how many milliseconds.
    let burst = async || {
        let (begun, mut taken) = (std::time::Instant::now(), 0_u128);
        for _ in 0..25 {
            let answer = teacher.get(menu).await;
            match answer.code() {
                429 => assert_eq!(answer.refused(), (429, "操作过于频繁，请稍后再试")),
                _ => {
                    answer.data();
                    taken += 1;
                }
            }
        }
        (taken, begun.elapsed().as_millis())
    };
    limit(20).await;
    let (taken, millis) = burst().await;
    // What comes back while the calls are made is taken too, and nothing beyond.
    assert!(taken <= 21 + millis / 50, "{taken} taken in {millis} ms");
    limit(1).await;
    let (taken, millis) = burst().await;
    assert!(taken < 25 && taken <= 2 + millis / 1_000, "{taken} taken in {millis} ms");
    // Of two at once one is refused, also where a second has just passed.
    let codes = [teacher.get(menu).await.code(), teacher.get(menu).await.code()];
    assert!(codes.contains(&429), "{codes:?}");
    server.app.clock().shift(Duration::seconds(2));
    assert_eq!(teacher.get(menu).await.code(), 200, "after a pause");
}
