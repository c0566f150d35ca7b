//! 院校邀请: a school asks for somebody of another school by their exact login name, and has nothing of them until they agree.

use chrono::Duration;
use kit::{
    Answer, Client, PASSWORD, Server,
    accounts::{admin, role},
};
use serde_json::{Value, json};

const USER: &str = "/system/pc/sys/school/user";
const OWN: &str = "/system/pc/sys/user/invitation";
const INFO: &str = "/system/pc/api/sys/user/getSchoolAccountInfo";

/// Somebody of school 1, past their first change of password; answers their number.
async fn li_min(server: &Server, first: &Client<'_>) -> i64 {
    let query = role(server, "query").await;
    let body = json!({ "loginName": "limin", "realName": "李敏敏", "phone": "13900000001", "roleIdList": [query] });
    let id = first.post(&format!("{USER}/save"), body).await.id();
    server.run(&format!("update platform.sys_user set must_change_password = false, password_hash = (select password_hash from platform.sys_user where login_name = 'operator') where id = {id}")).await;
    id
}

fn asked(user: i64, login_name: &str, role: i64) -> Value {
    json!({ "userId": user, "loginName": login_name, "roleIdList": [role] })
}

async fn invites(client: &Client<'_>, body: Value) -> Answer {
    client.post(&format!("{USER}/bindSchool"), body).await
}

async fn version(server: &Server, id: i64) -> i64 {
    server.one(&format!("select version::bigint from platform.sys_user where id = {id}")).await
}

fn reset(server: &Server, user: i64) -> Value {
    let new = server.cipher("Second#2026qiu");
    json!({ "userId": user, "oldPassword": server.cipher(PASSWORD), "loginPassword": new, "confirmPassword": new })
}

/// What stands in the trail of `platform` and of a school about an invitation.
async fn trail(server: &Server, invitation: i64, school: i64) -> (Vec<String>, Vec<String>) {
    let of = |schema: String| {
        format!(
            "select array_agg(action order by id) from {schema}.audit_log where entity_type = 'sys_school_invitation' and entity_id = {invitation}"
        )
    };
    (server.one(&of("platform".to_owned())).await, server.one(&of(format!("school_{school}"))).await)
}

#[tokio::test]
async fn an_invitation_opens_nothing_and_takes_nothing_until_the_person_agrees() {
    let server = Server::start().await;
    let (first, second) = (admin(&server, 1).await, admin(&server, 2).await);
    let query = role(&server, "query").await;
    let id = li_min(&server, &first).await;
    // By its number alone, by another's name, by a wrong number: the same words.
    assert_eq!(
        invites(&second, json!({ "userId": id, "roleIdList": [query] })).await.refused(),
        (422, "请填写该人员的账号")
    );
    let operator: i64 = server.one("select id from platform.sys_user where login_name = 'operator'").await;
    for (user, name) in [(id, "demo01_admin"), (id, "limi"), (id + 1000, "limin"), (operator, "operator")] {
        let unknown = invites(&second, asked(user, name, query)).await;
        assert_eq!(unknown.refused(), (422, "没有找到该账号，请向本人核对账号"), "{user} {name}");
    }
    let before = version(&server, id).await;
    let invitation = invites(&second, asked(id, "LiMin", query)).await.id();
    assert_eq!(version(&server, id).await, before, "the account is as it was");
    assert_eq!(invites(&second, asked(id, "limin", query)).await.refused(), (409, "已邀请该账号，待本人登录后同意"));
    let saved = json!({ "loginName": "limin", "realName": "李敏敏", "roleIdList": [query] });
    let offered = second.post(&format!("{USER}/save"), saved).await;
    assert_eq!(offered.refused(), (409, "已邀请该账号，待本人登录后同意"));

    // The school that asked sees what it typed and a masked name.
    let list = second.get(&format!("{USER}/invitation/list")).await;
    let row = &list.data()[0];
    assert_eq!(
        (&row["loginName"], &row["realNameMasked"], &row["state"]),
        (&json!("LiMin"), &json!("李**"), &json!("pending"))
    );
    assert!(!list.body.to_string().contains("13900000001") && !list.body.to_string().contains("敏"), "{}", list.body);
    assert_eq!(first.get(&format!("{USER}/invitation/list")).await.data(), &json!([]));

    // It reaches the account by nothing.
    for path in [format!("{USER}/view?userId={id}"), format!("{USER}/select/roleId?userId={id}")] {
        assert_eq!(second.get(&path).await.code(), 404, "{path}");
    }
    assert_eq!(second.get(&format!("{USER}/selectPageList?loginName=limin")).await.data()["totalCount"], json!(0));
    let plain = json!({ "entity": "schoolUser", "id": id, "field": "phone" });
    assert_eq!(second.post("/system/pc/plain/view", plain).await.code(), 404);
    for step in ["disableOrEnableAccount", "kick", "unlock"] {
        assert_eq!(second.put(&format!("{USER}/{step}?userId={id}"), json!({})).await.code(), 404, "{step}");
    }
    let edit = json!({ "id": id, "version": before, "realName": "别人" });
    assert_eq!(second.put(&format!("{USER}/edit"), edit).await.code(), 404);
    assert_eq!(second.put(&format!("{USER}/update/password"), reset(&server, id)).await.code(), 404);
    let roles = json!({ "userId": id, "roleIdList": [query] });
    assert_eq!(second.post(&format!("{USER}/allocation"), roles).await.code(), 404);
    assert_eq!(second.delete(&format!("{USER}/deleteBingSchool?id={invitation}")).await.code(), 404);

    // The person's own school loses nothing.
    let edit = json!({ "id": id, "version": before, "realName": "李敏", "phone": "13900000001" });
    assert_eq!(first.put(&format!("{USER}/edit"), edit).await.code(), 200);
    assert_eq!(first.put(&format!("{USER}/update/password"), reset(&server, id)).await.data(), &json!(true));
    assert_eq!(first.put(&format!("{USER}/unlock?userId={id}"), json!({})).await.data(), &json!(true));
    server.run(&format!("update platform.sys_user set must_change_password = false, password_hash = (select password_hash from platform.sys_user where login_name = 'operator') where id = {id}")).await;

    // The person signs in where they work, and nowhere else.
    let person = server.signed_in("limin", "schoolLogin").await;
    let info = person.get(INFO).await.data().clone();
    assert_eq!((&info["schoolId"], info["schools"].as_array().map(Vec::len)), (&json!(1), Some(1)));
    assert_eq!(
        person.get("/system/pc/api/sys/user/createSchoolToken?id=2").await.refused(),
        (403, "没有进入该院校的权限")
    );
    let own = person.get(&format!("{OWN}/list")).await;
    assert_eq!((&own.data()[0]["schoolName"], &own.data()[0]["roleNames"]), (&json!("南岭示范大学"), &json!(["查询"])));

    // Nobody else agrees for them.
    let stranger = server.staff(1, &[]).await;
    for step in ["accept", "refuse"] {
        let refused = stranger.put(&format!("{OWN}/{step}?id={invitation}"), json!({})).await;
        assert_eq!(refused.refused(), (404, "邀请不存在、已处理或已过期"), "{step}");
    }
    assert_eq!(person.put(&format!("{OWN}/accept?id={invitation}"), json!({})).await.id(), invitation);
    assert_eq!(person.put(&format!("{OWN}/accept?id={invitation}"), json!({})).await.code(), 404);
    assert_eq!(second.get(&format!("{USER}/view?userId={id}")).await.code(), 200);
    assert_eq!(second.get(&format!("{USER}/invitation/list")).await.data(), &json!([]));
    let there = person.get("/system/pc/api/sys/user/createSchoolToken?id=2").await.data()["token"].clone();
    let there = person.with_token(there.as_str());
    assert_eq!(there.post("/adult/pc/studentRoll/list", json!({})).await.code(), 200);
    let refused = first.put(&format!("{USER}/update/password"), reset(&server, id)).await;
    assert_eq!(refused.refused(), (403, "该账号绑定了多个院校，请由平台重置密码"));
    let steps = vec!["insert".to_owned(), "accept".to_owned()];
    assert_eq!(trail(&server, invitation, 2).await, (steps.clone(), steps));
    let by: String = server
        .one("select actor_name from school_2.audit_log where entity_type = 'sys_school_invitation' and action = 'accept'")
        .await;
    assert_eq!(by, "李敏");
}

#[tokio::test]
async fn an_invitation_is_refused_withdrawn_or_runs_out() {
    let server = Server::start().await;
    let (first, second) = (admin(&server, 1).await, admin(&server, 2).await);
    let query = role(&server, "query").await;
    let id = li_min(&server, &first).await;
    let person = server.signed_in("limin", "schoolLogin").await;
    let states = async || -> Vec<Value> {
        let list = second.get(&format!("{USER}/invitation/list")).await;
        list.data().as_array().expect("a list").iter().map(|row| row["state"].clone()).collect()
    };

    let refused = invites(&second, asked(id, "limin", query)).await.id();
    assert_eq!(person.put(&format!("{OWN}/refuse?id={refused}"), json!({})).await.id(), refused);
    assert_eq!(person.put(&format!("{OWN}/accept?id={refused}"), json!({})).await.code(), 404);
    assert_eq!(states().await, [json!("refused")]);
    let steps = vec!["insert".to_owned(), "refuse".to_owned()];
    assert_eq!(trail(&server, refused, 2).await, (steps.clone(), steps));

    let withdrawn = invites(&second, asked(id, "limin", query)).await.id();
    let withdraw = format!("{USER}/invitation/delete?id={withdrawn}");
    assert_eq!(first.delete(&withdraw).await.code(), 404, "another school's");
    assert_eq!(second.delete(&withdraw).await.id(), withdrawn);
    assert_eq!(second.delete(&withdraw).await.code(), 404);
    assert_eq!(person.put(&format!("{OWN}/accept?id={withdrawn}"), json!({})).await.code(), 404);
    let steps = vec!["insert".to_owned(), "withdraw".to_owned()];
    assert_eq!(trail(&server, withdrawn, 2).await, (steps.clone(), steps));

    let late = invites(&second, asked(id, "limin", query)).await.id();
    server
        .run(&format!(
            "update platform.sys_school_invitation set ends_at = now() - interval '1 minute' where id = {late}"
        ))
        .await;
    assert_eq!(states().await[0], json!("expired"));
    assert_eq!(person.get(&format!("{OWN}/list")).await.data(), &json!([]));
    assert_eq!(person.put(&format!("{OWN}/accept?id={late}"), json!({})).await.code(), 404);
    // One that ran out makes way for a new one; an operator's binding settles it.
    invites(&second, asked(id, "limin", query)).await.id();
    let root = server.operator().await;
    let bind = json!({ "userId": id, "schoolId": 2, "roleIdList": [query] });
    assert_eq!(root.post(&format!("{USER}/bindSchool"), bind).await.code(), 200);
    assert_eq!(second.get(&format!("{USER}/view?userId={id}")).await.code(), 200, "operators bind at once");
    assert_eq!(person.get(&format!("{OWN}/list")).await.data(), &json!([]));
    assert_eq!(states().await, [json!("refused")]);
}

#[tokio::test]
async fn a_school_looks_for_ten_accounts_a_minute() {
    let server = Server::start().await;
    let (first, second) = (admin(&server, 1).await, admin(&server, 2).await);
    let query = role(&server, "query").await;
    let id = li_min(&server, &first).await;
    let saved = json!({ "loginName": "limin", "realName": "李敏敏", "roleIdList": [query] });
    for _ in 0..5 {
        assert_eq!(
            second.post(&format!("{USER}/save"), saved.clone()).await.refused(),
            (409, "账号已存在，可直接绑定")
        );
        assert_eq!(invites(&second, asked(id + 1, "nobody", query)).await.code(), 422);
    }
    const TOO_OFTEN: (i64, &str) = (429, "查找已有账号过于频繁，请一分钟后再试");
    assert_eq!(invites(&second, asked(id, "limin", query)).await.refused(), TOO_OFTEN);
    assert_eq!(second.post(&format!("{USER}/save"), saved.clone()).await.refused(), TOO_OFTEN);
    // Also a name that nobody has is not told from one that somebody has.
    let free = json!({ "loginName": "nobody_has_it", "realName": "李敏敏", "roleIdList": [query] });
    assert_eq!(second.post(&format!("{USER}/save"), free).await.refused(), TOO_OFTEN);
    assert_eq!(
        first.post(&format!("{USER}/save"), saved).await.refused(),
        (409, "该账号已绑定本院校"),
        "another school is not held up"
    );
    server.app.clock().shift(Duration::seconds(61));
    assert_eq!(invites(&second, asked(id, "limin", query)).await.code(), 200);
}

/// Whoever works nowhere has no school to sign in to; they agree while they sign in, with password and code.
#[tokio::test]
async fn whoever_works_nowhere_agrees_while_he_signs_in() {
    let server = Server::start().await;
    let (first, second) = (admin(&server, 1).await, admin(&server, 2).await);
    let query = role(&server, "query").await;
    let id = li_min(&server, &first).await;
    let invitation = invites(&second, asked(id, "limin", query)).await.id();
    server.run("update platform.school set domain = 'nl.example.cn' where id = 2").await;
    let signs_in = async |host: &str, password: &str, agree_to: Option<i64>| {
        let client = server.anonymous().at_host(host);
        client.challenge("limin", "schoolLogin").await;
        let body = json!({ "loginName": "limin", "loginPassword": server.cipher(password), "agreeTo": agree_to });
        client.post("/system/pc/api/sys/user/schoolLogin", body).await
    };
    // At the site of the school that asks they are asked, also while they work elsewhere.
    let offered = signs_in("nl.example.cn", PASSWORD, None).await;
    assert_eq!(offered.refused(), (403, "“南岭示范大学”邀请您加入，同意后即可登录"));
    assert_eq!(offered.body["data"]["invitations"][0]["id"], json!(invitation));
    let binding: i64 = server.one(&format!("select id from platform.sys_user_school where user_id = {id}")).await;
    assert_eq!(first.delete(&format!("{USER}/deleteBingSchool?id={binding}")).await.id(), binding);
    let offered = signs_in("localhost", PASSWORD, None).await;
    assert_eq!(offered.body["data"]["invitations"][0]["id"], json!(invitation));
    // Neither a wrong password nor a number of somebody else's invitation opens anything.
    let wrong = signs_in("localhost", "Wrong#2026qiu", Some(invitation)).await;
    assert_eq!((wrong.code(), &wrong.body["data"]), (422, &json!(null)));
    assert_eq!(signs_in("localhost", PASSWORD, Some(invitation + 1)).await.code(), 403);
    assert_eq!(
        server.one::<i64>(&format!("select count(*) from platform.sys_user_school where user_id = {id}")).await,
        0
    );
    let token = signs_in("localhost", PASSWORD, Some(invitation)).await.data().clone();
    let person = server.anonymous().with_token(token.as_str());
    let info = person.get(INFO).await.data().clone();
    assert_eq!((&info["schoolId"], &info["roleNames"]), (&json!(2), &json!(["查询"])));
    let steps = vec!["insert".to_owned(), "accept".to_owned()];
    assert_eq!(trail(&server, invitation, 2).await, (steps.clone(), steps));
    let by: i64 = server
        .one(&format!("select actor_id from platform.audit_log where entity_type = 'sys_school_invitation' and action = 'accept' and entity_id = {invitation}"))
        .await;
    assert_eq!(by, id, "under his own name");
}

/// The roles are those of the moment when the person agrees; a deleted account is asked no more.
#[tokio::test]
async fn what_is_left_of_an_offer_is_given() {
    let server = Server::start().await;
    let (first, second) = (admin(&server, 1).await, admin(&server, 2).await);
    let query = role(&server, "query").await;
    let id = li_min(&server, &first).await;
    let own = json!({ "roleName": "临时", "kind": "own", "dataScope": "whole_school" });
    let own = second.post("/system/pc/sys/role/save", own).await.id();
    let mut offer = asked(id, "limin", query);
    offer["roleIdList"] = json!([own]);
    offer["isAdmin"] = json!(true);
    let invitation = invites(&second, offer).await.id();
    let person = server.signed_in("limin", "schoolLogin").await;
    assert_eq!(
        second.bare(poem::http::Method::PUT, &format!("/system/pc/sys/role/disableOrEnableRole?id={own}")).await.code(),
        200
    );
    let none = person.put(&format!("{OWN}/accept?id={invitation}"), json!({})).await;
    assert_eq!(none.refused(), (409, "邀请中的角色已不存在或已停用，请联系该院校重新邀请"));
    assert_eq!(
        second.bare(poem::http::Method::PUT, &format!("/system/pc/sys/role/disableOrEnableRole?id={own}")).await.code(),
        200
    );
    assert_eq!(person.put(&format!("{OWN}/accept?id={invitation}"), json!({})).await.code(), 200);
    let row = second.get(&format!("{USER}/view?userId={id}")).await.data().clone();
    assert_eq!((&row["roleNames"], &row["isAdmin"]), (&json!(["临时"]), &json!(true)));
    // What the inviting person does not hold cannot be offered.
    let clerk = server.staff(2, &["system:pc:sys:school:user:bindSchool"]).await;
    let other = server.account(1, &[], "whole_school", &[]).await;
    let other_id: i64 = server.one(&format!("select id from platform.sys_user where login_name = '{other}'")).await;
    assert_eq!(invites(&clerk, asked(other_id, &other, query)).await.code(), 403);
    let mut admin_offer = asked(other_id, &other, own);
    admin_offer["isAdmin"] = json!(true);
    assert_eq!(
        invites(&clerk, admin_offer).await.refused(),
        (403, "您不是院校管理员，请由院校管理员或平台运营方设置院校管理员")
    );
    assert_eq!(invites(&clerk, asked(other_id, &other, own)).await.code(), 200);
    let root = server.operator().await;
    assert_eq!(root.delete(&format!("/system/pc/sys/user/delete?id={other_id}")).await.code(), 200);
    assert_eq!(
        server
            .one::<i64>(&format!("select count(*) from platform.sys_school_invitation where user_id = {other_id}"))
            .await,
        0
    );
}
