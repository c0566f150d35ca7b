//! Messages in a school's life and in an operator's.

use serde_json::{Value, json};

use super::{Life, MARK, Upload, id};

const MSG: &str = "/user/pc/msg";
const SCENE: &str = "/user/pc/psd/info";
const TEMPLATE: &str = "/user/pc/psd/list/conf";

fn letter(with: Value) -> Value {
    let mut body = json!({
        "title": format!("{MARK}缴费通知"), "content": "<p>请缴费</p>", "msgType": "system", "channels": ["in_app"],
        "audience": "all_students",
    });
    for (field, value) in with.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

/// Waits until the loop has nothing left to do with a message.
async fn settled(life: &Life<'_>, schema: &str, id: i64) {
    life.server.wait_until(&format!("select status in ('sent', 'failed') from {schema}.msg where id = {id}")).await;
}

/// Everything that a school does with messages; `with` says who is meant.
async fn sent(life: &mut Life<'_>, schema: &str, with: Value) -> i64 {
    life.post(&format!("{MSG}/preview"), {
        let mut choice = with.clone();
        choice["audience"] = json!("all_students");
        choice
    })
    .await;
    let made = id(&life.post(&format!("{MSG}/save"), letter(with.clone())).await);
    let seen = life.get(&format!("{MSG}/view?id={made}")).await;
    let mut edit = letter(with.clone());
    edit["id"] = json!(made);
    edit["version"] = seen["version"].clone();
    edit["sendMode"] = json!("timed");
    edit["sendAt"] = json!((life.server.app.clock().now() + chrono::Duration::hours(1)).to_rfc3339());
    life.put(&format!("{MSG}/edit"), edit.clone()).await;
    life.post(&format!("{MSG}/send?id={made}"), json!({})).await;
    life.step(&format!("{MSG}/cancel?id={made}")).await;
    edit["version"] = life.get(&format!("{MSG}/view?id={made}")).await["version"].clone();
    edit["sendMode"] = json!("now");
    life.put(&format!("{MSG}/edit"), edit).await;
    life.post(&format!("{MSG}/send?id={made}"), json!({})).await;
    settled(life, schema, made).await;
    life.post(&format!("{MSG}/list"), json!({})).await;
    life.get(&format!("{MSG}/statistics?id={made}")).await;
    life.post(&format!("{MSG}/checkStatistics"), json!({ "id": made })).await;
    life.post(&format!("{MSG}/failureLog"), json!({})).await;
    life.post(&format!("{MSG}/recorded/list"), json!({})).await;
    life.post(&format!("{MSG}/export"), json!({ "id": made })).await;
    let switches = life.post(&format!("{MSG}/scene/list"), json!({ "keyword": "change_result" })).await;
    life.put(
        &format!("{MSG}/scene/edit"),
        json!({ "sceneId": switches[0]["sceneId"], "channel": "sms", "enabled": true }),
    )
    .await;
    inbox(life, schema).await;
    made
}

/// What one is told oneself.
async fn inbox(life: &mut Life<'_>, schema: &str) {
    let me = life.get("/system/pc/api/sys/user/getSchoolAccountInfo").await["userId"].clone();
    let told: i64 = life
        .server
        .one(&format!(
            "with m as (
                 insert into {schema}.msg (title, content, msg_type, channels, audience, scene_code, status, creator_name, created_by,
                     updated_by)
                 values ('{MARK}到期提醒', '', 'system', '{{in_app}}', 'scene', 'school_expiring', 'sent', '系统', 0, 0) returning id)
             insert into {schema}.msg_delivery (msg_id, recipient_type, recipient_id, recipient_name, channel, status,
                 next_attempt_at, expires_at, created_at, sent_at)
             select id, 'account', {me}, '本人', 'in_app', 'sent', now(), now(), now(), now() from m returning id"
        ))
        .await;
    life.post(&format!("{MSG}/inbox/list"), json!({})).await;
    life.put(&format!("{MSG}/inbox/read"), json!({ "ids": [told] })).await;
}

pub(super) async fn school(life: &mut Life<'_>) {
    let made = sent(life, "school_1", json!({})).await;
    let reminder = id(&life.post(&format!("{MSG}/remind?id={made}"), json!({})).await);
    settled(life, "school_1", reminder).await;
    life.server
        .run(&format!(
            "update school_1.msg_delivery set status = 'failed', fail_code = 'provider_rejected' where msg_id = {reminder};
             update school_1.msg set status = 'sent', sent_count = 0, failed_count = total_count where id = {reminder}"
        ))
        .await;
    let failed: i64 =
        life.server.one(&format!("select min(id) from school_1.msg_delivery where msg_id = {reminder}")).await;
    life.post(&format!("{MSG}/resend"), json!({ "ids": [failed] })).await;
    settled(life, "school_1", reminder).await;
    let rows: &[&[&str]] = &[&["26300412001", ""]];
    let list = life.upload(&format!("{MSG}/recipient/import"), Upload::sheet(&["学号或手机号", "姓名"], rows)).await;
    assert_eq!((&list["imported"], &list["errors"]), (&json!(1), &json!([])));
    life.step(&format!("{MSG}/recall?id={made}")).await;
    let draft = id(&life.post(&format!("{MSG}/save"), letter(json!({}))).await);
    life.delete(&format!("{MSG}/delete?id={draft}")).await;
}

/// App消息 and 用户消息, which operators alone have.
async fn pushed(life: &mut Life<'_>) {
    let app = format!("{MSG}/app");
    let later = (life.server.app.clock().now() + chrono::Duration::hours(1)).to_rfc3339();
    let mut form = json!({ "title": "考试安排", "content": "<p>请查看考场。</p>", "msgType": "exam", "schoolIds": [1],
        "jumpType": "none", "sendMode": "timed", "sendAt": later });
    let made = id(&life.post(&format!("{app}/save"), form.clone()).await);
    life.post(&format!("{app}/send?id={made}"), json!({})).await;
    life.step(&format!("{app}/cancel?id={made}")).await;
    form["id"] = json!(made);
    form["version"] = life.get(&format!("{app}/view?id={made}")).await["version"].clone();
    form["sendMode"] = json!("now");
    life.put(&format!("{app}/edit"), form).await;
    life.post(&format!("{app}/send?id={made}"), json!({})).await;
    settled(life, "platform", made).await;
    life.server.run(&format!("update platform.msg set status = 'sent' where id = {made}")).await;
    life.post(&format!("{app}/list"), json!({})).await;
    let told: i64 = life
        .server
        .one(&format!(
            "insert into platform.msg_delivery (msg_id, recipient_type, recipient_id, recipient_name, channel, address, status,
                 fail_code, next_attempt_at, expires_at, created_at)
             values ({made}, 'account', 1, '运营', 'mail', 'a@example.com', 'failed', 'timeout', now(), now(), now()) returning id"
        ))
        .await;
    life.post(&format!("{MSG}/user/list"), json!({})).await;
    life.post(&format!("{MSG}/user/resend"), json!({ "ids": [told] })).await;
    life.server.wait_until(&format!("select status = 'sent' from platform.msg_delivery where id = {told}")).await;
    life.delete(&format!("{MSG}/user/delete?id={told}")).await;
    life.step(&format!("{app}/recall?id={made}")).await;
    life.delete(&format!("{app}/delete?id={made}")).await;
}

/// Only what an operator does outside schools.
pub(super) async fn platform(life: &mut Life<'_>) {
    let made = sent(life, "platform", json!({ "schoolIds": [1] })).await;
    life.server.run(&format!("update platform.msg set status = 'sent' where id = {made}")).await;
    life.step(&format!("{MSG}/recall?id={made}")).await;
    life.delete(&format!("{MSG}/delete?id={made}")).await;
    pushed(life).await;

    let scene = json!({ "sceneCode": "tuition_due", "sceneName": "学费到期", "module": "财务", "defaultChannels": ["in_app"],
        "audienceType": "student", "variables": [{ "name": "amount", "label": "金额", "sample": "2800.00元" }] });
    let made = id(&life.post(&format!("{SCENE}/save"), scene.clone()).await);
    let mut edit = scene;
    edit["id"] = json!(made);
    edit["version"] = life.get(&format!("{SCENE}/view?id={made}")).await["version"].clone();
    life.put(&format!("{SCENE}/edit"), edit).await;
    life.post(&format!("{SCENE}/list"), json!({})).await;
    life.put(&format!("{SCENE}/update/status"), json!({ "id": made, "enabled": false })).await;

    let template = json!({ "sceneId": made, "channel": "sms", "title": "缴费", "content": "请缴{{amount}}",
        "providerTemplateCode": "SMS_1" });
    let kept = id(&life.post(&format!("{TEMPLATE}/save"), template.clone()).await);
    let mut edit = template;
    edit["id"] = json!(kept);
    edit["version"] = life.get(&format!("{TEMPLATE}/view?id={kept}")).await["version"].clone();
    life.put(&format!("{TEMPLATE}/edit"), edit).await;
    life.post(&format!("{TEMPLATE}/list"), json!({})).await;
    life.server.run("update platform.sys_user set phone = '13800000009' where login_name = 'operator'").await;
    life.post(&format!("{TEMPLATE}/test"), json!({ "id": kept })).await;
    life.put(&format!("{TEMPLATE}/update/status"), json!({ "id": kept, "enabled": false })).await;
    life.delete(&format!("{TEMPLATE}/delete?id={kept}")).await;
    life.delete(&format!("{SCENE}/delete?id={made}")).await;

    life.server
        .run(
            "insert into platform.event_outbox (kind, name, payload, status, occurred_at, next_attempt_at)
              values ('message', 'no_such_scene', '{\"recipients\": [], \"variables\": {}}', 'skipped', now(), now())",
        )
        .await;
    let events = life.post(&format!("{MSG}/outbox/list"), json!({ "sceneCode": "no_such_scene" })).await;
    life.put(&format!("{MSG}/outbox/retry"), json!({ "ids": [events["list"][0]["id"]] })).await;
    life.put(&format!("{MSG}/quota/edit"), json!({ "schoolId": 1, "monthlyLimit": 50_000 })).await;
    life.get(&format!("{MSG}/quota/list")).await;
}

/// In the school's life alone, or refused outside schools.
pub(super) const ELSEWHERE: [&str; 3] = ["remindUnread", "resendDeliveries", "importRecipients"];
