//! System users and school users as people manage them (01 §2.2, §2.5, §1.4.5, §1.4.11, §1.4.13).

use kit::{
    Answer, Client, PASSWORD, Server,
    accounts::{USER, admin, new_user, operator_with, role},
    fields,
    jobs::ended,
    sheets::texts,
    within,
};
use poem::http::Method;
use serde_json::{Value, json};

const SCHOOL_USER: &str = "/system/pc/sys/school/user";
const MENU: &str = "/system/pc/sys/user/menu";
const PERMISSION: &str = "/system/pc/sys/user/permission";

async fn user(server: &Server, login_name: &str) -> i64 {
    server.one(&format!("select id from platform.sys_user where login_name = '{login_name}'")).await
}

/// Gives an operator every code of both areas by roles that are not the super administrator's.
async fn as_strong_as_the_operator(server: &Server, login_name: &str) {
    for kind in [0, 1] {
        server
            .run(&format!(
                "with made as (insert into platform.sys_role (role_name, client_type, created_by, updated_by)
                     values ('{login_name}全部{kind}', {kind}, 0, 0) returning id),
                 given as (insert into platform.sys_user_role (user_id, role_id, created_by)
                     select u.id, made.id, 0 from made, platform.sys_user u where u.login_name = '{login_name}')
                 insert into platform.sys_role_permission (role_id, permission_id)
                 select made.id, p.id from made, platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id
                 where m.client_type = {kind}"
            ))
            .await;
    }
}

fn passwords(server: &Server, own: &str, new: &str, user_id: i64) -> Value {
    json!({ "userId": user_id, "oldPassword": server.cipher(own), "loginPassword": server.cipher(new), "confirmPassword": server.cipher(new) })
}

/// A first sign-in, and the change of password that it asks for.
async fn begins<'s>(server: &'s Server, login_name: &str, initial: &str, call: &str) -> Client<'s> {
    let entered = server.anonymous().sign_in(login_name, initial, call).await;
    let data = entered.data();
    let token = data.as_str().or_else(|| data["token"].as_str()).expect("a token");
    let fresh = server.anonymous().with_token(Some(token));
    assert_eq!(fresh.post("/system/pc/job/list", json!({})).await.refused(), (403, "请先修改密码"));
    let mut change = passwords(server, initial, PASSWORD, 0);
    change.as_object_mut().expect("fields").remove("userId");
    assert_eq!(fresh.put(&format!("{USER}/update/password/current"), change).await.code(), 200);
    server.signed_in(login_name, call).await
}

#[tokio::test]
async fn a_platform_account_lives() {
    let server = Server::start().await;
    let root = server.operator().await;
    let (audit, operations) = (role(&server, "audit").await, role(&server, "operations").await);
    let mut body = new_user("wangwu", &[audit]);
    body["phone"] = json!("13800000011");
    body["email"] = json!("wangwu@example.cn");
    let saved = root.post(&format!("{USER}/save"), body.clone()).await;
    let id = saved.id();
    let initial = saved.data()["initialPassword"].as_str().expect("shown once").to_owned();
    assert_eq!(initial.chars().count(), 12);
    assert_eq!(root.post(&format!("{USER}/save"), body.clone()).await.refused(), (422, "账号已存在"));
    body["loginName"] = json!("wangliu");
    assert_eq!(root.post(&format!("{USER}/save"), body).await.refused(), (422, "手机号已被其他账号使用"));

    let seen = root.get(&format!("{USER}/view?userId={id}")).await;
    let data = seen.data();
    assert_eq!((&data["phone"], &data["email"]), (&json!("138****0011"), &json!("w***@example.cn")));
    assert_eq!((&data["roleIdList"], &data["roleNames"]), (&json!([audit]), &json!(["审计"])));
    // What came back masked was not typed.
    let edit = json!({ "id": id, "version": data["version"], "realName": "王五一", "phone": data["phone"], "email": data["email"], "remark": "外包" });
    assert_eq!(root.put(&format!("{USER}/edit"), edit.clone()).await.code(), 200);
    let kept: String =
        server.one(&format!("select phone || ' ' || email from platform.sys_user where id = {id}")).await;
    assert_eq!(kept, "13800000011 wangwu@example.cn");
    let stale = root.put(&format!("{USER}/edit"), edit).await;
    assert_eq!(stale.code(), 409);
    assert!(stale.msg().starts_with("数据已被运营一于"), "{}", stale.msg());

    let listed = root.get(&format!("{USER}/selectPageList?loginName=WANG&realName=%E7%8E%8B%E4%BA%94&phone=13800000011&roleId={audit}&enabled=true")).await;
    assert_eq!(listed.data()["totalCount"], json!(1));
    assert_eq!(listed.data()["list"][0]["phone"], json!("138****0011"));
    let roles = json!({ "userId": id, "roleIdList": [operations] });
    assert_eq!(root.post(&format!("{USER}/allocation"), roles).await.code(), 200);
    assert_eq!(root.get(&format!("{USER}/select/roleId?userId={id}")).await.data(), &json!([operations]));
    let exported = root.post(&format!("{USER}/export"), json!({ "loginName": "wangwu" })).await;
    assert!(exported.file_name.is_some(), "{}", exported.body);

    let person = begins(&server, "wangwu", &initial, "login").await;
    assert_eq!(person.get(MENU).await.code(), 200);
    assert_eq!(root.put(&format!("{USER}/kick?userId={id}"), json!({})).await.data(), &json!(true));
    assert_eq!(person.get(MENU).await.refused(), (303, "您已被管理员强制下线"));
    assert_eq!(
        server
            .one::<i64>("select count(*) from platform.login_log where login_name = 'wangwu' and event = 'kicked'")
            .await,
        1
    );

    let person = server.signed_in("wangwu", "login").await;
    let switch = format!("{USER}/disableOrEnableAccount?userId={id}");
    assert_eq!(root.put(&switch, json!({})).await.data(), &json!(false));
    assert_eq!(person.get(MENU).await.refused(), (303, "账号已停用，请联系管理员"));
    let shut = server.anonymous().sign_in("wangwu", PASSWORD, "login").await;
    assert_eq!(shut.refused(), (403, "账号已停用，请联系管理员"));
    // Whoever says what they want on an old page does not turn it round.
    let off = format!("{switch}&enabled=false");
    assert_eq!(root.put(&off, json!({})).await.data(), &json!(false));
    assert_eq!(root.put(&switch, json!({})).await.data(), &json!(true));

    for _ in 0..5 {
        server.anonymous().sign_in("wangwu", "Wrong#2026qiu", "login").await;
    }
    assert_eq!(server.anonymous().sign_in("wangwu", PASSWORD, "login").await.code(), 429);
    let locked = root.get(&format!("{USER}/selectPageList?loginName=wangwu")).await;
    assert_eq!(locked.data()["list"][0]["locked"], json!(true));
    assert_eq!(root.put(&format!("{USER}/unlock?userId={id}"), json!({})).await.data(), &json!(true));
    assert_eq!(server.anonymous().sign_in("wangwu", PASSWORD, "login").await.code(), 200);

    assert_eq!(root.delete(&format!("{USER}/delete?id={id}")).await.id(), id);
    assert_eq!(root.get(&format!("{USER}/view?userId={id}")).await.code(), 404);
    let gone: String = server.one(&format!("select login_name from platform.sys_user where id = {id}")).await;
    assert_eq!(gone, format!("wangwu#{id}"));
    let roles: i64 = server.one(&format!("select count(*) from platform.sys_user_role where user_id = {id}")).await;
    assert_eq!(roles, 0);
    let mut again = new_user("wangwu", &[audit]);
    again["phone"] = json!("13800000011");
    assert_eq!(root.post(&format!("{USER}/save"), again).await.code(), 200, "name and phone are free again");
    let told: i64 = server
        .one("select count(*) from platform.audit_log where changes::text like '%argon2%' or changes::text like '%13800000011%'")
        .await;
    assert_eq!(told, 0, "neither hashes nor whole phones stand in the trail");
}

#[tokio::test]
async fn a_repeated_save_makes_one_account_and_shows_no_password_again() {
    let server = Server::start().await;
    let root = server.operator().await;
    let body = new_user("wangwu", &[role(&server, "audit").await]);
    let key = ("idempotency-key", "new-wangwu");
    let first = root.with_header(Method::POST, &format!("{USER}/save"), key, &body).await;
    assert!(first.data()["initialPassword"].is_string());
    let again = root.with_header(Method::POST, &format!("{USER}/save"), key, &body).await;
    assert_eq!((again.id(), &again.data()["initialPassword"]), (first.id(), &json!(null)));
}

#[tokio::test]
async fn another_persons_password_is_set_by_somebody_who_gives_his_own() {
    let server = Server::start().await;
    let root = server.operator().await;
    let saved = root.post(&format!("{USER}/save"), new_user("wangwu", &[role(&server, "audit").await])).await;
    let id = saved.id();
    let person =
        begins(&server, "wangwu", saved.data()["initialPassword"].as_str().expect("a password"), "login").await;
    const CALL: &str = "/system/pc/sys/user/update/password";
    let wrong = root.put(CALL, passwords(&server, "Wrong#2026qiu", "Second#2026qiu", id)).await;
    assert_eq!((wrong.refused(), &wrong.body["data"][0]["field"]), ((422, "原密码不正确"), &json!("oldPassword")));
    let weak = root.put(CALL, passwords(&server, PASSWORD, "wangwu#2026A", id)).await;
    assert_eq!(weak.refused(), (422, "密码不能包含账号或手机号"));
    let mut differs = passwords(&server, PASSWORD, "Second#2026qiu", id);
    differs["confirmPassword"] = json!(server.cipher("Second#2026qiv"));
    assert_eq!(root.put(CALL, differs).await.refused(), (422, "登录密码和确认密码不一致"));
    for _ in 0..5 {
        server.anonymous().sign_in("wangwu", "Wrong#2026qiu", "login").await;
    }
    assert_eq!(root.put(CALL, passwords(&server, PASSWORD, "Second#2026qiu", id)).await.data(), &json!(true));
    assert_eq!(person.get(MENU).await.refused(), (303, "密码已被重置，请重新登录"));
    // 01 §12, account_password_reset: they are told.
    let told = format!(
        "select exists (select from platform.msg_delivery d join platform.msg m on m.id = d.msg_id
                        where m.scene_code = 'account_password_reset' and d.recipient_type = 'account' and d.recipient_id = {id})"
    );
    server.wait_until(&told).await;
    // The reset cleared the lock, and the new password must be changed at once.
    let entered = server.anonymous().sign_in("wangwu", "Second#2026qiu", "login").await;
    assert_eq!(entered.data()["mustChangePassword"], json!(true));

    let second = operator_with(&server, "second", &["system:pc:sys:user:update:password"]).await;
    let own = user(&server, "second").await;
    // Whoever holds less resets nobody's password: they would become the other.
    let refused = second.put(CALL, passwords(&server, PASSWORD, "Third#2026qiux", id)).await;
    assert_eq!(refused.code(), 403);
    assert!(refused.msg().starts_with("该账号拥有您没有的权限“"), "{}", refused.msg());
    as_strong_as_the_operator(&server, "second").await;
    let built_in = user(&server, "operator").await;
    let refused = second.put(CALL, passwords(&server, PASSWORD, "Third#2026qiux", built_in)).await;
    assert_eq!(refused.refused(), (403, "内置账号的密码只能由本人修改"));
    // Five wrong own passwords within a quarter of an hour end the session; older ones do not count.
    let wrong = async || second.put(CALL, passwords(&server, "Wrong#2026qiu", "Third#2026qiux", id)).await;
    for _ in 0..4 {
        assert_eq!(wrong().await.refused(), (422, "原密码不正确"));
    }
    server.app.clock().shift(chrono::Duration::minutes(16));
    for _ in 0..4 {
        assert_eq!(wrong().await.refused(), (422, "原密码不正确"));
    }
    assert_eq!(second.get(MENU).await.code(), 200);
    assert_eq!(wrong().await.refused(), (422, "原密码不正确"));
    assert_eq!(second.get(MENU).await.refused(), (303, "请重新登录"));
    // Without another's number it is one's own.
    let second = server.signed_in("second", "login").await;
    assert_eq!(second.put(CALL, passwords(&server, PASSWORD, "Third#2026qiux", own)).await.data(), &json!(true));
    assert_eq!(second.get(MENU).await.refused(), (303, "密码已修改，请重新登录"));
    let entered = server.anonymous().sign_in("second", "Third#2026qiux", "login").await;
    assert_eq!(entered.data()["mustChangePassword"], json!(false));
}

#[tokio::test]
async fn the_last_super_administrator_stays() {
    let server = Server::start().await;
    server.operator().await;
    let (super_role, audit) = (role(&server, "super").await, role(&server, "audit").await);
    let second = operator_with(
        &server,
        "second",
        &[
            "system:pc:sys:user:delete",
            "system:pc:sys:user:disableOrEnableAccount",
            "system:pc:sys:user:allocation",
            "system:pc:sys:user:edit",
        ],
    )
    .await;
    let first = user(&server, "operator").await;
    as_strong_as_the_operator(&server, "second").await;
    server.run(&format!("update platform.sys_user set built_in = false where id = {first}")).await;
    const LAST: (i64, &str) = (409, "至少保留一名启用的超级管理员");
    assert_eq!(second.delete(&format!("{USER}/delete?id={first}")).await.refused(), LAST);
    assert_eq!(second.put(&format!("{USER}/disableOrEnableAccount?userId={first}"), json!({})).await.refused(), LAST);
    let takes = json!({ "userId": first, "roleIdList": [role(&server, "support").await] });
    assert_eq!(second.post(&format!("{USER}/allocation"), takes).await.refused(), LAST);
    // A disabled second one does not count.
    let root = server.operator().await;
    let spare = root.post(&format!("{USER}/save"), new_user("spare", &[super_role])).await.id();
    server.run(&format!("update platform.sys_user set enabled = false where id = {spare}")).await;
    assert_eq!(second.delete(&format!("{USER}/delete?id={first}")).await.refused(), LAST);
    server.run(&format!("update platform.sys_user set enabled = true where id = {spare}")).await;
    server.run(&format!("update platform.sys_user set built_in = true where id = {first}")).await;
    assert_eq!(second.delete(&format!("{USER}/delete?id={first}")).await.refused(), (409, "内置数据不能删除"));
    let off = second.put(&format!("{USER}/disableOrEnableAccount?userId={first}"), json!({})).await;
    assert_eq!(off.refused(), (409, "内置账号不能停用"));
    let mine = user(&server, "second").await;
    assert_eq!(second.delete(&format!("{USER}/delete?id={mine}")).await.refused(), (409, "不能删除当前登录账号"));
    let own = json!({ "userId": mine, "roleIdList": [audit] });
    assert_eq!(second.post(&format!("{USER}/allocation"), own).await.refused(), (409, "不能修改自己的角色"));
}

#[tokio::test]
async fn nobody_gives_a_right_that_he_does_not_hold() {
    let server = Server::start().await;
    let admin = admin(&server, 1).await;
    let (query, school_admin) = (role(&server, "query").await, role(&server, "school_admin").await);
    let lacking: i64 = server
        .one("select p.id from platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id and m.client_type = 1
              where p.permission_code = 'adult:pc:studentRoll:exportPlain' limit 1")
        .await;
    let person = admin
        .post(
            &format!("{SCHOOL_USER}/save"),
            json!({ "loginName": "limin", "realName": "李敏", "roleIdList": [query] }),
        )
        .await
        .id();
    // The administrator's own role loses the right; another role has it.
    server
        .run(&format!(
            "delete from platform.sys_role_permission where role_id = {school_admin} and permission_id in
        (select id from platform.sys_permission where permission_code = 'adult:pc:studentRoll:exportPlain')"
        ))
        .await;
    server.run(&format!("with made as (insert into platform.sys_role (role_name, client_type, school_id, created_by, updated_by)
        values ('导出员', 1, 1, 0, 0) returning id) insert into platform.sys_role_permission select id, {lacking} from made")).await;
    let exporter: i64 = server.one("select id from platform.sys_role where role_name = '导出员'").await;
    let name: String =
        server.one(&format!("select permission_name from platform.sys_permission where id = {lacking}")).await;
    let give = json!({ "userId": person, "roleIdList": [query, exporter] });
    let refused = admin.post(&format!("{SCHOOL_USER}/allocation"), give.clone()).await;
    assert_eq!(refused.refused(), (403, format!("不能授予自己没有的权限：{name}").as_str()));
    let saved = admin
        .post(
            &format!("{SCHOOL_USER}/save"),
            json!({ "loginName": "zhangsan", "realName": "张三", "roleIdList": [exporter] }),
        )
        .await;
    assert_eq!(saved.code(), 403);
    assert_eq!(server.one::<i64>("select count(*) from platform.sys_user where login_name = 'zhangsan'").await, 0);
    // The super administrator is exempt.
    let root = server.operator().await;
    let mut give_at = give;
    give_at["schoolId"] = json!(1);
    assert_eq!(root.post(&format!("{SCHOOL_USER}/allocation"), give_at).await.code(), 200);
    // Now the person holds more than the administrator, who acts on them no more, and is told who may.
    let roles = json!({ "userId": person, "roleIdList": [query] });
    let told = format!("该账号拥有您没有的权限“{name}”，请由拥有这些权限的院校管理员或平台运营方办理");
    assert_eq!(admin.post(&format!("{SCHOOL_USER}/allocation"), roles.clone()).await.refused(), (403, told.as_str()));
    let mut taken = roles;
    taken["schoolId"] = json!(1);
    assert_eq!(root.post(&format!("{SCHOOL_USER}/allocation"), taken).await.code(), 200);

    let own = user(&server, "demo01_admin").await;
    let mine = json!({ "userId": own, "roleIdList": [query] });
    assert_eq!(admin.post(&format!("{SCHOOL_USER}/allocation"), mine).await.refused(), (409, "不能修改自己的角色"));
    // A role of another school cannot even be named, nor one of the platform.
    server.run("insert into platform.sys_role (role_name, client_type, school_id, created_by, updated_by) values ('别校', 1, 2, 0, 0)").await;
    for foreign in
        [server.one("select id from platform.sys_role where role_name = '别校'").await, role(&server, "audit").await]
    {
        let answer = admin
            .post(&format!("{SCHOOL_USER}/allocation"), json!({ "userId": person, "roleIdList": [foreign] }))
            .await;
        assert_eq!(answer.refused(), (422, "所选角色不存在或已停用，请重新选择"));
    }
}

#[tokio::test]
async fn a_narrow_scope_gives_no_wider_one() {
    let server = Server::start().await;
    let admin = admin(&server, 1).await;
    let site = |code: &str| json!({ "code": code, "name": format!("{code}站"), "kind": "headquarter" });
    let (s1, s2) = (
        admin.post("/adult/pc/site/save", site("S1")).await.id(),
        admin.post("/adult/pc/site/save", site("S2")).await.id(),
    );
    let (site_admin, query) = (role(&server, "site_admin").await, role(&server, "query").await);
    let scopes = |sites: &[i64]| json!([{ "roleId": site_admin, "siteIds": sites }]);
    let body =
        json!({ "loginName": "zhanzhang", "realName": "站长", "roleIdList": [site_admin], "scopes": scopes(&[s1]) });
    let id = admin.post(&format!("{SCHOOL_USER}/save"), body).await.id();
    let seen = admin.get(&format!("{SCHOOL_USER}/view?userId={id}")).await;
    assert_eq!(seen.data()["bindings"][0]["roles"][0]["siteIds"], json!([s1]));
    let wrong = json!({ "userId": id, "roleIdList": [site_admin], "scopes": scopes(&[999_999]) });
    assert_eq!(
        admin.post(&format!("{SCHOOL_USER}/allocation"), wrong).await.refused(),
        (422, "所选站点或班级不存在，请重新选择")
    );
    let unfit = json!({ "userId": id, "roleIdList": [query], "scopes": [{ "roleId": query, "siteIds": [s1] }] });
    assert_eq!(
        admin.post(&format!("{SCHOOL_USER}/allocation"), unfit).await.refused(),
        (422, "角色“查询”的数据范围不是这一类，不能指定")
    );

    // Somebody who sees one site and may allocate passes on that site and no other.
    server.run(&format!("insert into platform.sys_role_permission (role_id, permission_id)
        select {site_admin}, p.id from platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id and m.client_type = 1
        where p.permission_code in ('system:pc:sys:school:user:allocation', 'system:pc:sys:school:user:save')")).await;
    server.run(&format!("update platform.sys_user set must_change_password = false, password_hash = (select password_hash from platform.sys_user where login_name = 'operator') where id = {id}")).await;
    let narrow = server.signed_in("zhanzhang", "schoolLogin").await;
    let new = |name: &str, sites: &[i64]| json!({ "loginName": name, "realName": "站员", "roleIdList": [site_admin], "scopes": scopes(sites) });
    let wider = narrow.post(&format!("{SCHOOL_USER}/save"), new("zhanyuan", &[s1, s2])).await;
    assert_eq!(wider.code(), 403);
    assert!(wider.msg().starts_with("不能授予超出自己数据范围的权限："), "{}", wider.msg());
    assert_eq!(narrow.post(&format!("{SCHOOL_USER}/save"), new("zhanyuan", &[s1])).await.code(), 200);
    // Changed targets reach the person's next call.
    let list = narrow.post("/adult/pc/site/list", json!({})).await;
    assert_eq!(list.data()["totalCount"], json!(1));
    let both = json!({ "userId": id, "roleIdList": [site_admin], "scopes": scopes(&[s1, s2]) });
    assert_eq!(admin.post(&format!("{SCHOOL_USER}/allocation"), both).await.code(), 200);
    assert_eq!(narrow.post("/adult/pc/site/list", json!({})).await.data()["totalCount"], json!(2));
}

#[tokio::test]
async fn a_first_password_that_its_maker_chose_is_told_to_nobody() {
    let server = Server::start().await;
    let admin = admin(&server, 1).await;
    let query = role(&server, "query").await;
    let body = |password: String| {
        let mut body = json!({ "loginName": "limin", "realName": "李敏敏", "roleIdList": [query] });
        body["initialPassword"] = json!(password);
        body
    };
    let path = format!("{SCHOOL_USER}/save");
    let weak = admin.post(&path, body(server.cipher("12345678"))).await;
    assert!(fields(&weak).iter().any(|told| told.starts_with("initialPassword: ")), "{}", weak.body);
    let plain = admin.post(&path, body("Chu#2026mima".to_owned())).await;
    assert_ne!(plain.code(), 200, "only a cipher text is taken: {}", plain.body);
    let key = ("idempotency-key", "with-password");
    let typed = body(server.cipher("Chu#2026mima"));
    let saved = admin.with_header(Method::POST, &path, key, &typed).await;
    assert_eq!(saved.data()["initialPassword"], Value::Null, "{}", saved.body);
    let again = admin.with_header(Method::POST, &path, key, &typed).await;
    assert_eq!((again.id(), &again.data()["initialPassword"]), (saved.id(), &Value::Null));
    // It is good for one sign-in, and then to be changed.
    begins(&server, "limin", "Chu#2026mima", "schoolLogin").await;
}

#[tokio::test]
async fn an_account_at_two_schools_is_two_bindings() {
    let server = Server::start().await;
    let (first, second) = (admin(&server, 1).await, admin(&server, 2).await);
    let query = role(&server, "query").await;
    let body = json!({ "loginName": "limin", "realName": "李敏敏", "phone": "13900000001", "roleIdList": [query] });
    let saved = first.post(&format!("{SCHOOL_USER}/save"), body.clone()).await;
    let id = saved.id();
    assert_eq!(first.post(&format!("{SCHOOL_USER}/save"), body.clone()).await.refused(), (409, "该账号已绑定本院校"));
    // The other school is offered the account, by its name or by its phone, and learns no more than a masked name.
    let mut by_phone = body.clone();
    by_phone["loginName"] = json!("limin2");
    for body in [body, by_phone] {
        let offered = second.post(&format!("{SCHOOL_USER}/save"), body).await;
        assert_eq!(offered.refused(), (409, "账号已存在，可直接绑定"));
        assert_eq!(offered.body["data"], json!({ "userId": id, "realNameMasked": "李**" }));
    }
    assert_eq!(second.get(&format!("{SCHOOL_USER}/view?userId={id}")).await.code(), 404);
    let bind = json!({ "userId": id, "loginName": "limin", "roleIdList": [query] });
    let invitation = second.post(&format!("{SCHOOL_USER}/bindSchool"), bind.clone()).await.id();
    let person =
        begins(&server, "limin", saved.data()["initialPassword"].as_str().expect("a password"), "schoolLogin").await;
    let accept = format!("/system/pc/sys/user/invitation/accept?id={invitation}");
    assert_eq!(person.put(&accept, json!({})).await.code(), 200);
    assert_eq!(second.post(&format!("{SCHOOL_USER}/bindSchool"), bind).await.refused(), (409, "该账号已绑定本院校"));
    let binding: i64 =
        server.one(&format!("select id from platform.sys_user_school where user_id = {id} and school_id = 2")).await;
    let listed = second.get(&format!("{SCHOOL_USER}/selectPageList?loginName=limin")).await;
    let row = &listed.data()["list"][0];
    assert_eq!(
        (&row["bindingId"], &row["schoolNames"]),
        (&json!(binding), &json!([])),
        "no school learns of the other"
    );
    let seen = second.get(&format!("{SCHOOL_USER}/view?userId={id}")).await;
    assert_eq!(seen.data()["bindings"].as_array().map(Vec::len), Some(1));

    // Disabled at the first, untouched at the second (01 §2.5.5).
    let here = person.get("/system/pc/api/sys/user/getSchoolAccountInfo").await.data()["schoolId"].clone();
    assert_eq!(here, json!(1));
    let switch = format!("{SCHOOL_USER}/disableOrEnableAccount?userId={id}");
    assert_eq!(first.put(&switch, json!({})).await.data(), &json!(false));
    assert_eq!(person.get(PERMISSION).await.refused(), (303, "账号已停用，请联系管理员"));
    let person = server.signed_in("limin", "schoolLogin").await;
    let there = person.get("/system/pc/api/sys/user/getSchoolAccountInfo").await.data()["schoolId"].clone();
    assert_eq!(there, json!(2));
    assert_eq!(first.put(&format!("{SCHOOL_USER}/kick?userId={id}"), json!({})).await.data(), &json!(true));
    assert_eq!(person.get(PERMISSION).await.code(), 200, "the first school throws nobody out of the second");
    assert_eq!(first.put(&format!("{switch}&enabled=false"), json!({})).await.data(), &json!(false), "as it is");
    assert_eq!(first.put(&switch, json!({})).await.data(), &json!(true));

    // One school alone changes neither password nor name of somebody who works at two.
    let reset = passwords(&server, PASSWORD, "Second#2026qiu", id);
    let refused = first.put(&format!("{SCHOOL_USER}/update/password"), reset.clone()).await;
    assert_eq!(refused.refused(), (403, "该账号绑定了多个院校，请由平台重置密码"));
    let row = first.get(&format!("{SCHOOL_USER}/view?userId={id}")).await.data().clone();
    let edit = |name: &str, ends: Value| json!({ "id": id, "version": row["version"], "realName": name, "phone": row["phone"], "gender": row["gender"], "gmtExpires": ends });
    let refused = first.put(&format!("{SCHOOL_USER}/edit"), edit("李明明", json!(null))).await;
    assert_eq!(refused.refused(), (403, "该账号绑定了多个院校，请由平台修改资料"));
    let ends = (server.app.clock().now() + chrono::Duration::days(10)).to_rfc3339();
    assert_eq!(first.put(&format!("{SCHOOL_USER}/edit"), edit("李敏敏", json!(ends))).await.code(), 200);
    let soon = first.get(&format!("{SCHOOL_USER}/selectPageList?expiry=within_30_days")).await;
    assert_eq!(soon.data()["list"][0]["id"], json!(id));
    assert_eq!(
        second.get(&format!("{SCHOOL_USER}/selectPageList?expiry=within_30_days")).await.data()["totalCount"],
        json!(0)
    );

    let unlock = format!("{SCHOOL_USER}/unlock?userId={id}");
    assert_eq!(first.put(&unlock, json!({})).await.refused(), (403, "该账号绑定了多个院校，请由平台解锁"));

    // The operator may, and sees both.
    let root = server.operator().await;
    let whole = root.get(&format!("{SCHOOL_USER}/view?userId={id}")).await;
    assert_eq!(whole.data()["bindings"].as_array().map(Vec::len), Some(2));
    assert_eq!(root.put(&format!("{SCHOOL_USER}/update/password"), reset).await.data(), &json!(true));
    assert_eq!(person.get(PERMISSION).await.refused(), (303, "密码已被重置，请重新登录"));

    // Unbound at the second it is the first's alone again; roles and sessions there are gone.
    assert_eq!(first.delete(&format!("{SCHOOL_USER}/deleteBingSchool?id={binding}")).await.code(), 404);
    assert_eq!(second.delete(&format!("{SCHOOL_USER}/deleteBingSchool?id={binding}")).await.id(), binding);
    assert_eq!(second.get(&format!("{SCHOOL_USER}/view?userId={id}")).await.code(), 404);
    let left: i64 = server.one(&format!("select count(*) from platform.sys_user_role where user_id = {id}")).await;
    assert_eq!(left, 1);
    let reset = passwords(&server, PASSWORD, "Third#2026qiux", id);
    assert_eq!(first.put(&format!("{SCHOOL_USER}/update/password"), reset).await.data(), &json!(true));
    assert_eq!(first.put(&format!("{SCHOOL_USER}/unlock?userId={id}"), json!({})).await.data(), &json!(true));
}

/// 01 §2.4: an account at a school may be one of its teachers; another school's teacher is none.
#[tokio::test]
async fn an_account_is_tied_to_its_teacher() {
    let server = Server::start().await;
    let (_, teacher) = kit::clients::school(&server).await;
    let query = role(&server, "query").await;
    let (first, second) = (admin(&server, 1).await, admin(&server, 2).await);
    let body = json!({ "loginName": "limin", "realName": "李敏敏", "roleIdList": [query] });
    let saved = second.post(&format!("{SCHOOL_USER}/save"), body).await;
    let id = saved.id();
    // Asked by the school, and bound when the person agrees.
    let mut bind = json!({ "userId": id, "loginName": "limin", "roleIdList": [query], "teacherId": teacher + 1000 });
    let refused = first.post(&format!("{SCHOOL_USER}/bindSchool"), bind.clone()).await;
    assert_eq!(fields(&refused), ["teacherId: 所选教师不存在或已离职，请重新选择"]);
    bind["teacherId"] = json!(teacher);
    let invitation = first.post(&format!("{SCHOOL_USER}/bindSchool"), bind).await.id();
    let initial = saved.data()["initialPassword"].as_str().expect("a password");
    let person = begins(&server, "limin", initial, "schoolLogin").await;
    let accept = format!("/system/pc/sys/user/invitation/accept?id={invitation}");
    assert_eq!(person.put(&accept, json!({})).await.code(), 200);
    let binding =
        async || first.get(&format!("{SCHOOL_USER}/view?loginName=limin")).await.data()["bindings"][0].clone();
    let bound = binding().await;
    assert_eq!(bound["teacherId"], json!(teacher));

    let edit = |teacher: Value, version: &Value| json!({ "id": bound["id"], "roleIdList": [query], "teacherId": teacher, "version": version });
    let path = format!("{SCHOOL_USER}/editSchoolRole");
    assert_eq!(first.put(&path, edit(json!(teacher + 1000), &bound["version"])).await.code(), 422);
    assert_eq!(first.put(&path, edit(Value::Null, &bound["version"])).await.code(), 200);
    assert_eq!(first.put(&path, edit(json!(teacher), &bound["version"])).await.code(), 409, "the binding has changed");
    let now = binding().await;
    assert_eq!(
        (&now["teacherId"], first.put(&path, edit(json!(teacher), &now["version"])).await.code()),
        (&Value::Null, 200)
    );
    // At the second school nobody has this number.
    let there = second.get(&format!("{SCHOOL_USER}/view?loginName=limin")).await.data()["bindings"][0].clone();
    let foreign = json!({ "id": there["id"], "roleIdList": [query], "teacherId": teacher });
    assert_eq!(second.put(&path, foreign).await.code(), 422);
}

#[tokio::test]
async fn operators_manage_school_accounts_by_naming_the_school() {
    let server = Server::start().await;
    let root = server.operator().await;
    let (query, status) = (role(&server, "query").await, role(&server, "status").await);
    let mut body = json!({ "loginName": "limin", "realName": "李敏", "roleIdList": [query] });
    assert_eq!(root.post(&format!("{SCHOOL_USER}/save"), body.clone()).await.refused(), (422, "请选择院校"));
    body["schoolId"] = json!(1);
    let id = root.post(&format!("{SCHOOL_USER}/save"), body).await.id();
    let bind = json!({ "userId": id, "schoolId": 2, "roleIdList": [query], "isAdmin": true });
    let binding = root.post(&format!("{SCHOOL_USER}/bindSchool"), bind).await.id();
    assert_eq!(
        root.put(&format!("{SCHOOL_USER}/editSchoolRole"), json!({ "id": binding, "roleIdList": [status] })).await.id(),
        binding
    );
    let at = |school: i64| format!("{SCHOOL_USER}/select/roleId?userId={id}&schoolId={school}");
    assert_eq!(root.get(&at(1)).await.data(), &json!([query]));
    assert_eq!(root.get(&at(2)).await.data(), &json!([status]));
    let listed = root.get(&format!("{SCHOOL_USER}/selectPageList?schoolId=2&loginName=limin&roleId={status}")).await;
    assert_eq!(listed.data()["list"][0]["schoolNames"], json!(["东湖示范学院", "南岭示范大学"]));
    let row = root.get(&format!("{SCHOOL_USER}/view?userId={id}")).await.data().clone();
    let edit = json!({ "id": id, "version": row["version"], "realName": "李敏", "phone": "13900000009", "email": "li@example.cn" });
    assert_eq!(root.put(&format!("{SCHOOL_USER}/edit"), edit).await.code(), 200);
    let choices = root.get(&format!("{SCHOOL_USER}/selectRoleList?schoolId=1")).await;
    assert!(choices.data().as_array().expect("roles").iter().any(|role| role["roleName"] == json!("院校管理员")));
    let platform = root.get(&format!("{SCHOOL_USER}/selectRoleList?clientType=0")).await;
    assert!(platform.data().as_array().expect("roles").iter().any(|role| role["roleName"] == json!("审计")));
    let paged = root.get(&format!("{SCHOOL_USER}/selectRolePageList?schoolId=2&roleName=%E5%AD%A6%E7%B1%8D")).await;
    assert_eq!((&paged.data()["totalCount"], &paged.data()["list"][0]["accountCount"]), (&json!(1), &json!(1)));
    // At the platform the account is switched as a whole.
    let person = server
        .one::<i64>(&format!("select count(*) from platform.sys_user_school where user_id = {id} and enabled"))
        .await;
    assert_eq!(
        root.put(&format!("{SCHOOL_USER}/disableOrEnableAccount?userId={id}"), json!({})).await.data(),
        &json!(false)
    );
    let bound: i64 =
        server.one(&format!("select count(*) from platform.sys_user_school where user_id = {id} and enabled")).await;
    assert_eq!((person, bound), (2, 2));
    assert!(!server.one::<bool>(&format!("select enabled from platform.sys_user where id = {id}")).await);
    assert_eq!(root.put(&format!("{SCHOOL_USER}/kick?userId={id}"), json!({})).await.data(), &json!(true));
    let exported = root.post(&format!("{SCHOOL_USER}/export"), json!({ "schoolId": 2 })).await;
    assert!(exported.file_name.is_some());
    assert_eq!(root.delete(&format!("{USER}/delete?id={id}")).await.id(), id);
    let left: i64 = server.one(&format!("select count(*) from platform.sys_user_school where user_id = {id}")).await;
    assert_eq!(left, 0);
}

#[tokio::test]
async fn an_operator_of_one_school_reaches_no_other() {
    let server = Server::start().await;
    let root = server.operator().await;
    let query = role(&server, "query").await;
    let save = |name: &str, school: i64| json!({ "loginName": name, "realName": "李敏", "roleIdList": [query], "schoolId": school });
    let here = root.post(&format!("{SCHOOL_USER}/save"), save("here", 1)).await.id();
    let there = root.post(&format!("{SCHOOL_USER}/save"), save("there", 2)).await.id();
    let codes = [
        "selectPageList",
        "view",
        "save",
        "edit",
        "bindSchool",
        "deleteBingSchool",
        "allocation",
        "disableOrEnableAccount",
        "kick",
        "unlock",
    ]
    .map(|action| format!("system:pc:sys:school:user:{action}"));
    let mut codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    codes.extend(["system:pc:sys:user:save", "system:pc:sys:user:edit", "system:pc:sys:user:delete"]);
    let narrow = operator_with(&server, "narrow", &codes).await;
    // Making the second operator signed the first one in anew.
    let root = server.operator().await;
    let own = user(&server, "narrow").await;
    let row = root.get(&format!("{USER}/view?userId={own}")).await.data().clone();
    let listed =
        json!({ "id": own, "version": row["version"], "realName": "王五", "schoolScope": "listed", "schoolIds": [1] });
    assert_eq!(root.put(&format!("{USER}/edit"), listed).await.code(), 200);
    let seen = narrow.get(&format!("{SCHOOL_USER}/selectPageList")).await;
    let names: Vec<&str> =
        seen.data()["list"].as_array().expect("rows").iter().filter_map(|row| row["loginName"].as_str()).collect();
    assert!(names.contains(&"here") && !names.contains(&"there"), "{names:?}");
    assert_eq!(narrow.get(&format!("{SCHOOL_USER}/view?userId={here}")).await.code(), 200);
    for call in ["disableOrEnableAccount", "kick", "unlock"] {
        assert_eq!(narrow.put(&format!("{SCHOOL_USER}/{call}?userId={there}"), json!({})).await.code(), 404, "{call}");
    }
    assert_eq!(narrow.delete(&format!("{USER}/delete?id={there}")).await.code(), 404);
    const NOT_HIS: (i64, &str) = (403, "没有管理该院校的权限");
    assert_eq!(narrow.get(&format!("{SCHOOL_USER}/selectPageList?schoolId=2")).await.refused(), NOT_HIS);
    assert_eq!(narrow.post(&format!("{SCHOOL_USER}/save"), save("more", 2)).await.refused(), NOT_HIS);
    let bind = |user: i64, school: i64| json!({ "userId": user, "schoolId": school, "roleIdList": [query] });
    assert_eq!(narrow.post(&format!("{SCHOOL_USER}/bindSchool"), bind(here, 2)).await.refused(), NOT_HIS);
    assert_eq!(
        narrow.post(&format!("{SCHOOL_USER}/bindSchool"), bind(there, 1)).await.code(),
        404,
        "nobody of his schools"
    );
    // They neither widen themself nor make somebody wider.
    let row = root.get(&format!("{USER}/view?userId={own}")).await.data().clone();
    let widened = json!({ "id": own, "version": row["version"], "realName": "王五", "schoolScope": "all" });
    assert_eq!(narrow.put(&format!("{USER}/edit"), widened).await.refused(), (409, "不能修改自己的可管院校"));
    let wider = json!({ "loginName": "wider", "realName": "赵六", "roleIdList": [role(&server, "audit").await] });
    assert_eq!(narrow.post(&format!("{USER}/save"), wider).await.refused(), (403, "不能授予自己没有的可管院校"));
}

#[tokio::test]
async fn a_school_names_no_school_and_keeps_an_administrator() {
    let server = Server::start().await;
    let admin = admin(&server, 1).await;
    let (query, school_admin) = (role(&server, "query").await, role(&server, "school_admin").await);
    let own = user(&server, "demo01_admin").await;
    let named = json!({ "loginName": "limin", "realName": "李敏", "roleIdList": [query], "schoolId": 1 });
    for (path, body) in [
        ("save", named),
        ("bindSchool", json!({ "userId": own, "roleIdList": [query], "schoolId": 2 })),
        ("allocation", json!({ "userId": own, "roleIdList": [query], "schoolId": 2 })),
        ("export", json!({ "schoolId": 2 })),
    ] {
        assert_eq!(
            admin.post(&format!("{SCHOOL_USER}/{path}"), body).await.refused(),
            (400, "请求参数不正确"),
            "{path}"
        );
    }
    for path in [
        "selectPageList?schoolId=2",
        "selectRoleList?schoolId=2",
        "selectRolePageList?schoolId=1",
        "selectRoleList?clientType=0",
    ] {
        assert_eq!(admin.get(&format!("{SCHOOL_USER}/{path}")).await.code(), 400, "{path}");
    }
    let second = admin
        .post(
            &format!("{SCHOOL_USER}/save"),
            json!({ "loginName": "second", "realName": "副管", "roleIdList": [school_admin], "isAdmin": true }),
        )
        .await;
    let (id, initial) = (second.id(), second.data()["initialPassword"].as_str().expect("a password").to_owned());
    let deputy = begins(&server, "second", &initial, "schoolLogin").await;
    let binding: i64 = server.one(&format!("select id from platform.sys_user_school where user_id = {own}")).await;
    let deputys: i64 = server.one(&format!("select id from platform.sys_user_school where user_id = {id}")).await;
    let self_unbound = deputy.delete(&format!("{SCHOOL_USER}/deleteBingSchool?id={deputys}")).await;
    assert_eq!(self_unbound.refused(), (409, "不能解除当前登录账号的绑定"));
    // While the deputy is one, the first may go; then the deputy is the last.
    let row = admin.get(&format!("{SCHOOL_USER}/view?userId={id}")).await.data().clone();
    let demoted = json!({ "id": id, "version": row["version"], "realName": "副管", "isAdmin": false });
    assert_eq!(admin.put(&format!("{SCHOOL_USER}/edit"), demoted).await.code(), 200);
    // Who is none acts on no administrator and makes none; the operator inside may, as far as one stays.
    const NOT_ONE: (i64, &str) = (403, "该账号是院校管理员，请由院校管理员或平台运营方办理");
    assert_eq!(deputy.delete(&format!("{SCHOOL_USER}/deleteBingSchool?id={binding}")).await.refused(), NOT_ONE);
    let third = json!({ "loginName": "third", "realName": "三副", "roleIdList": [query], "isAdmin": true });
    const NAMES_NONE: (i64, &str) = (403, "您不是院校管理员，请由院校管理员或平台运营方设置院校管理员");
    assert_eq!(deputy.post(&format!("{SCHOOL_USER}/save"), third).await.refused(), NAMES_NONE);
    let row = deputy.get(&format!("{SCHOOL_USER}/view?userId={id}")).await.data().clone();
    let promote = json!({ "id": id, "version": row["version"], "realName": "副管", "isAdmin": true });
    assert_eq!(deputy.put(&format!("{SCHOOL_USER}/edit"), promote).await.refused(), NAMES_NONE, "not even himself");
    const LAST: (i64, &str) = (409, "院校至少保留一名管理员");
    let inside = server.operator_in(1).await;
    assert_eq!(inside.delete(&format!("{SCHOOL_USER}/deleteBingSchool?id={binding}")).await.refused(), LAST);
    assert_eq!(
        inside.put(&format!("{SCHOOL_USER}/disableOrEnableAccount?userId={own}"), json!({})).await.refused(),
        LAST
    );
    let row = inside.get(&format!("{SCHOOL_USER}/view?userId={own}")).await.data().clone();
    let demote = json!({ "id": own, "version": row["version"], "realName": row["realName"], "isAdmin": false });
    assert_eq!(inside.put(&format!("{SCHOOL_USER}/edit"), demote).await.refused(), LAST);
    let row = deputy.get(&format!("{SCHOOL_USER}/view?userId={id}")).await.data().clone();
    let promote = json!({ "id": id, "version": row["version"], "realName": "副管", "isAdmin": true });
    assert_eq!(admin.put(&format!("{SCHOOL_USER}/edit"), promote).await.code(), 200);
    assert_eq!(deputy.delete(&format!("{SCHOOL_USER}/deleteBingSchool?id={binding}")).await.id(), binding);
    assert_eq!(admin.get(PERMISSION).await.code(), 303, "who is unbound is out");
}

#[tokio::test]
async fn a_whole_phone_is_shown_to_whoever_may_see_it() {
    let server = Server::start().await;
    let (first, second) = (admin(&server, 1).await, admin(&server, 2).await);
    let query = role(&server, "query").await;
    let body = json!({ "loginName": "limin", "realName": "李敏", "phone": "13900000001", "roleIdList": [query] });
    let id = first.post(&format!("{SCHOOL_USER}/save"), body).await.id();
    let wanted = |entity: &str| json!({ "entity": entity, "id": id, "field": "phone" });
    const PLAIN: &str = "/system/pc/plain/view";
    assert_eq!(first.post(PLAIN, wanted("schoolUser")).await.data()["value"], json!("13900000001"));
    assert_eq!(second.post(PLAIN, wanted("schoolUser")).await.code(), 404);
    // The codes of the platform's pages open nothing inside a school.
    assert_eq!(first.post(PLAIN, wanted("systemUser")).await.code(), 403);
    let clerk = server.staff(1, &["system:pc:sys:school:user:selectPageList"]).await;
    assert_eq!(clerk.post(PLAIN, wanted("schoolUser")).await.code(), 403);
    // An export is masked unless its own code says otherwise and a reason is told.
    let exporter = server.staff(1, &["system:pc:sys:school:user:export"]).await;
    let whole = "?whole=true&reason=%E6%A0%B8%E5%AF%B9";
    for (person, asked, phone) in
        [(&exporter, "", "139****0001"), (&first, "", "139****0001"), (&first, whole, "13900000001")]
    {
        let exported = person.post(&format!("{SCHOOL_USER}/export{asked}"), json!({ "loginName": "limin" })).await;
        let rows = texts(&exported.bytes);
        assert_eq!((&rows[0][2], &rows[1][2]), (&"手机号".to_owned(), &phone.to_owned()));
    }
    let started = exporter.bare(Method::POST, &format!("{SCHOOL_USER}/export?job=true")).await;
    assert_eq!(started.code(), 400, "without a filter");
    let body = json!({ "loginName": "limin" });
    let started = exporter.json(Method::POST, &format!("{SCHOOL_USER}/export?job=true"), &body).await;
    assert_eq!(
        ended(&exporter, &started.data()["jobId"]).await["message"],
        json!("共导出1行"),
        "a school's export reads the platform's rows"
    );
    let root = server.operator().await;
    assert_eq!(root.post(PLAIN, wanted("schoolUser")).await.data()["value"], json!("13900000001"));
    assert_eq!(root.post(PLAIN, wanted("systemUser")).await.code(), 404);
    let hung: i64 = server
        .one("select count(*) from platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id and m.client_type = 1
              where p.permission_code like 'system:pc:sys:user:%'")
        .await;
    assert_eq!(hung, 0);
}

#[tokio::test]
async fn an_end_in_the_past_is_refused_and_a_passed_one_ends_the_session() {
    let server = Server::start().await;
    let root = server.operator().await;
    let mut body = new_user("wangwu", &[role(&server, "audit").await]);
    let at = |minutes: i64| json!((server.app.clock().now() + chrono::Duration::minutes(minutes)).to_rfc3339());
    body["gmtExpires"] = at(-1);
    assert_eq!(root.post(&format!("{USER}/save"), body.clone()).await.refused(), (422, "有效期不能早于当前时间"));
    body["gmtExpires"] = at(60);
    let saved = root.post(&format!("{USER}/save"), body).await;
    let person =
        begins(&server, "wangwu", saved.data()["initialPassword"].as_str().expect("a password"), "login").await;
    assert_eq!(person.get(MENU).await.code(), 200);
    server.app.clock().shift(chrono::Duration::minutes(61));
    assert_eq!(person.get(MENU).await.refused(), (303, "账号已过期，请联系管理员"));
    let late = server.anonymous().sign_in("wangwu", PASSWORD, "login").await;
    assert_eq!(late.refused(), (403, "账号已过期，请联系管理员"));
    let expired = root.get(&format!("{USER}/selectPageList?expiry=expired")).await;
    assert_eq!(expired.data()["list"][0]["loginName"], json!("wangwu"));
}

#[tokio::test]
async fn changed_rights_reach_every_server_within_a_second() {
    let server = Server::start().await;
    let other = Server::beside(&server).await;
    let root = server.operator().await;
    let saved = root.post(&format!("{USER}/save"), new_user("wangwu", &[role(&server, "audit").await])).await;
    let id = saved.id();
    let person =
        begins(&server, "wangwu", saved.data()["initialPassword"].as_str().expect("a password"), "login").await;
    let codes = person.at(&other).get(PERMISSION).await.data().as_array().expect("codes").len();
    let until = |holds: fn(&Answer, usize) -> bool| {
        let there = person.at(&other);
        async move {
            let believes = async || holds(&there.get(PERMISSION).await, codes);
            within(1, "the other server believes the new state", believes).await;
        }
    };
    let roles = json!({ "userId": id, "roleIdList": [role(&server, "super").await] });
    assert_eq!(root.post(&format!("{USER}/allocation"), roles).await.code(), 200);
    until(|answer, before| answer.body["data"].as_array().is_some_and(|codes| codes.len() > before)).await;
    assert_eq!(root.put(&format!("{USER}/disableOrEnableAccount?userId={id}"), json!({})).await.data(), &json!(false));
    until(|answer, _| answer.code() == 303).await;
}
