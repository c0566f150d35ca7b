//! Learners of the operators' online-education site.

use serde_json::{Value, json};

use crate::{Answer, Client, Server};

pub const EXT: &str = "/user/pc/ext";
pub const LEARNER: &str = "/user/client/learner";
pub const VIP_SET: &str = "/system/pc/vip/set";
pub const OWN: &str = "Xue#2026xian";

/// What operators type of a learner.
pub fn learner(phone: &str, nickname: &str) -> Value {
    json!({ "phone": phone, "nickname": nickname, "gender": "female" })
}

/// A learner as operators see them.
pub async fn seen(operator: &Client<'_>, id: i64) -> Value {
    operator.get(&format!("{EXT}/view?id={id}")).await.data().clone()
}

/// What somebody says who sets a password.
pub fn passwords(server: &Server, old: &str, new: &str) -> Value {
    json!({
        "oldPassword": server.cipher(old), "loginPassword": server.cipher(new), "confirmPassword": server.cipher(new),
    })
}

/// The code that a phone was sent last; it is recorded, for no provider is configured.
pub async fn newest_code(server: &Server, phone: &str) -> String {
    let sql = format!(
        "select substring(content from '[0-9]{{6}}') from platform.msg_recorded
         where channel = 'sms' and address = '{phone}' order by id desc limit 1"
    );
    server.one(&sql).await
}

/// A code for a phone, as long after the last as it must be.
pub async fn code(server: &Server, phone: &str, scene: &str) -> String {
    server.run("update platform.learner_code set sent_at = sent_at - interval '61 seconds'").await;
    let body = json!({ "phone": phone, "scene": scene });
    assert_eq!(server.anonymous().post(&format!("{LEARNER}/smsCode"), body).await.data()["validMinutes"], json!(5));
    newest_code(server, phone).await
}

/// Registers a phone with the password of the stories.
pub async fn register(server: &Server, phone: &str) -> i64 {
    let code = code(server, phone, "register").await;
    let body = json!({ "phone": phone, "password": server.cipher(OWN), "smsCode": code });
    server.anonymous().post(&format!("{LEARNER}/register"), body).await.id()
}

/// Signs in by the password.
pub async fn sign_in(server: &Server, phone: &str, password: &str) -> Answer {
    let caller = server.anonymous();
    caller.challenge(phone, "client").await.data();
    let body = json!({ "loginName": phone, "loginPassword": server.cipher(password), "kind": "learner" });
    caller.post("/user/client/login", body).await
}

/// Signs in by a code.
pub async fn sign_in_by_code(server: &Server, phone: &str, code: &str) -> Answer {
    let caller = server.anonymous();
    caller.challenge(phone, "client").await.data();
    let body = json!({ "loginName": phone, "smsCode": code, "kind": "learner" });
    caller.post("/user/client/login", body).await
}

/// A learner who registered and is in.
pub async fn entered<'s>(server: &'s Server, phone: &str) -> (Client<'s>, i64) {
    let id = register(server, phone).await;
    let answer = sign_in(server, phone, OWN).await;
    (crate::clients::with_token(server, &answer), id)
}

/// A membership of so many months at 85 %.
pub async fn vip_set(operator: &Client<'_>, name: &str, months: i32) -> i64 {
    let form = json!({
        "setName": name, "months": months, "priceOriginal": 39_900, "price": 29_900, "discountRate": 0.85,
        "benefits": "全部课程按85%付款",
    });
    operator.post(&format!("{VIP_SET}/save"), form).await.id()
}

/// Makes the learner of a number, where only the number counts.
pub async fn numbered(server: &Server, id: i64) {
    server
        .run(&format!(
            "insert into platform.user_ext (id, phone, nickname, source, created_by, updated_by) overriding system value
             values ({id}, '138' || lpad({id}::text, 8, '0'), '学员{id}', 'pc', 0, 0) on conflict do nothing"
        ))
        .await;
    // Whoever registers later gets a number of their own.
    server
        .run(
            "select setval(pg_get_serial_sequence('platform.user_ext', 'id'), (select max(id) from platform.user_ext))",
        )
        .await;
}
