//! What a message refuses, lists of recipients, reminders, and what operators send to schools.

use kit::{
    Server, fields,
    rows::students,
    sheets::{XLSX, row_errors, sheet},
};
use serde_json::json;

use super::{MSG, becomes, count, letter, school, send};

/// 01 §7.2, §7.6-4.
#[tokio::test]
async fn a_sent_message_is_neither_edited_nor_deleted() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 3).await;
    let id = send(&admin, json!({})).await;
    becomes(&server, id, "sent").await;
    let version = admin.get(&format!("{MSG}/view?id={id}")).await.data()["version"].clone();
    let edit = letter(json!({ "id": id, "version": version }));
    assert_eq!(admin.put(&format!("{MSG}/edit"), edit).await.refused(), (409, "消息已发送，不能修改"));
    let deleted = admin.delete(&format!("{MSG}/delete?id={id}")).await;
    assert_eq!(deleted.refused(), (409, "消息已发送，只能删除草稿、已撤回或发送失败的消息"));
    let again = admin.post(&format!("{MSG}/send?id={id}"), json!({})).await;
    assert_eq!(again.refused(), (409, "消息已发送，不能再次发送"));
    assert_eq!(admin.put(&format!("{MSG}/cancel?id={id}"), json!({})).await.code(), 409);
    admin.put(&format!("{MSG}/recall?id={id}"), json!({})).await.data();
    admin.delete(&format!("{MSG}/delete?id={id}")).await.data();
    assert_eq!(admin.get(&format!("{MSG}/view?id={id}")).await.code(), 404);
}

#[tokio::test]
async fn a_form_says_what_is_wrong_and_content_is_cleaned() {
    let server = Server::start().await;
    let (admin, _) = school(&server).await;
    let save = async |with| admin.post(&format!("{MSG}/save"), letter(with)).await;
    assert_eq!(fields(&save(json!({ "audience": "scene" })).await), ["audience: 场景消息由系统自动发送，不能手动新增"]);
    assert_eq!(fields(&save(json!({ "audience": "list" })).await), ["listId: 请先导入接收名单"]);
    assert_eq!(fields(&save(json!({ "sendMode": "timed" })).await), ["sendAt: 定时发送必须填写发送时间"]);
    let past = json!({ "sendMode": "timed", "sendAt": "2020-01-01T08:00:00+08:00" });
    assert_eq!(fields(&save(past).await), ["sendAt: 发送时间必须晚于当前时间"]);
    let script = json!({ "jumpType": "url", "jumpTarget": "javascript:x()" });
    assert_eq!(fields(&save(script).await), ["jumpTarget: 跳转目标应为以 http:// 或 https:// 开头的网址"]);
    assert_eq!(fields(&save(json!({ "content": "<script>x()</script>" })).await), ["content: 内容不能为空"]);
    assert_eq!(fields(&save(json!({ "channels": [] })).await), ["channels: 渠道至少选择一项"]);
    assert_eq!(save(json!({ "schoolIds": [1] })).await.code(), 400);
    let id = save(json!({ "content": "<p onclick=\"x()\">通知<script>x()</script></p>" })).await.id();
    assert_eq!(admin.get(&format!("{MSG}/view?id={id}")).await.data()["content"], json!("<p>通知</p>"));
}

/// 05 D6: a word of the library warns the sender; they may send anyway, and the trail keeps it.
#[tokio::test]
async fn a_sensitive_word_warns_before_sending() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 1).await;
    let word = json!({ "words": ["代考"], "category": "other", "action": "reject" });
    let operator = server.operator().await;
    operator.post("/system/pc/sys/sensitive/word/library/save", word).await.data();
    let id = admin.post(&format!("{MSG}/save"), letter(json!({ "content": "<p>严禁代-考</p>" }))).await.id();
    let refused = admin.post(&format!("{MSG}/send?id={id}"), json!({})).await;
    assert_eq!(refused.refused(), (422, "内容包含敏感词：代考，请修改；确认无误可以仍然发送"));
    admin.post(&format!("{MSG}/send?id={id}&force=true"), json!({})).await.data();
    let kept: bool = server
        .one(&format!(
            "select exists (select from school_1.audit_log where entity_type = 'msg' and entity_id = {id} and changes::text like '%代考%')"
        ))
        .await;
    assert!(kept);
}

/// 01 §7.5: by 学号 or 手机号, a name that is given must match, every row right or no list.
#[tokio::test]
async fn recipients_come_from_a_sheet() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 3).await;
    let path = format!("{MSG}/recipient/import");
    let import = async |rows: &[&[&str]]| {
        admin.upload(&path, "file", "名单.xlsx", XLSX, &sheet(&["学号或手机号", "姓名"], rows)).await
    };
    let wrong = import(&[&["2600000001", "学生1"], &["2600000002", "别人"], &["99999999", ""]]).await;
    assert_eq!(
        row_errors(wrong.data()),
        ["3 姓名: 姓名与学籍中的不一致", "4 学号或手机号: 没有这名学生，或不在您的数据范围内"]
    );
    assert_eq!(wrong.data()["listId"], json!(null));
    let right = import(&[&["2600000001", "学生1"], &["15400000002", ""], &["2600000002", ""]]).await;
    assert_eq!((&right.data()["total"], &right.data()["imported"]), (&json!(3), &json!(2)));
    let id = send(&admin, json!({ "audience": "list", "listId": right.data()["listId"] })).await;
    becomes(&server, id, "sent").await;
    assert_eq!(count(&server, &format!("school_1.msg_delivery where msg_id = {id}")).await, 2);
    assert_eq!(admin.get(&format!("{MSG}/view?id={id}")).await.data()["listName"], json!("名单.xlsx"));
    // Somebody of another site cannot put them on a list.
    let other = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let other = admin.post("/adult/pc/site/save", other).await.id();
    let narrow = server.staff_within(1, &["user:pc:msg:recipient:import"], "named_sites", &[other]).await;
    let bytes = sheet(&["学号或手机号", "姓名"], &[&["2600000001", ""]]);
    let refused = narrow.upload(&path, "file", "名单.xlsx", XLSX, &bytes).await;
    assert_eq!(row_errors(refused.data()), ["2 学号或手机号: 没有这名学生，或不在您的数据范围内"]);
}

#[tokio::test]
async fn the_unread_are_reminded_once_a_day() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 5).await;
    let id = send(&admin, json!({})).await;
    becomes(&server, id, "sent").await;
    server
        .run(&format!(
            "update school_1.msg_delivery set read_at = now() where msg_id = {id} and recipient_no <= '2600000002'"
        ))
        .await;
    let reminder = admin.post(&format!("{MSG}/remind?id={id}"), json!({})).await.id();
    becomes(&server, reminder, "sent").await;
    assert_eq!(count(&server, &format!("school_1.msg_delivery where msg_id = {reminder}")).await, 3);
    let again = admin.post(&format!("{MSG}/remind?id={id}"), json!({})).await;
    assert_eq!(again.refused(), (409, "24小时内已提醒过，请稍后再试"));
}

/// 01 §7.3-3: advertising waits for its hours, says how to refuse it, and reaches a person once a day.
#[tokio::test]
async fn advertising_keeps_its_hours_and_comes_once_a_day() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 2).await;
    let now = server.app.clock().now();
    let hours = |from: i64, to: i64| {
        let at = |hour| (now + chrono::Duration::hours(hour)).format("%H:00").to_string();
        format!("{}-{}", at(from), at(to))
    };
    let set = async |value: String| {
        server.run(&format!("update platform.sys_param set value = '{value}' where code = 'msg.marketingHours'")).await;
        server.tell("param:").await;
    };
    set(hours(2, 4)).await;
    let advert = json!({ "msgType": "marketing", "channels": ["sms"] });
    let id = send(&admin, advert.clone()).await;
    server.wait_until(&format!("select count(*) = 2 from school_1.msg_delivery where msg_id = {id}")).await;
    let soon = format!("{} + interval '50 minutes'", server.now());
    let waiting =
        format!("school_1.msg_delivery where msg_id = {id} and status = 'queued' and next_attempt_at > {soon}");
    assert_eq!(count(&server, &waiting).await, 2);
    let told =
        count(&server, &format!("school_1.msg_delivery where msg_id = {id} and rendered_content like '%拒收请回复R'"))
            .await;
    assert_eq!(told, 2);
    set("00:00-23:59".to_owned()).await;
    let second = send(&admin, advert).await;
    becomes(&server, second, "failed").await;
    let limited =
        count(&server, &format!("school_1.msg_delivery where msg_id = {second} and fail_code = 'rate_limited'")).await;
    assert_eq!(limited, 2);
}

/// The operator sends to schools; each gets a message of its own, and its figures come back without its people.
#[tokio::test]
async fn an_operator_sends_to_chosen_schools() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 4).await;
    let operator = server.operator().await;
    let choice = json!({ "audience": "all_students", "schoolIds": [1] });
    assert_eq!(operator.post(&format!("{MSG}/preview"), choice.clone()).await.data()["count"], json!(4));
    let none = operator.post(&format!("{MSG}/save"), letter(json!({}))).await;
    assert_eq!(fields(&none), ["schoolIds: 请选择院校"]);
    let some =
        operator.post(&format!("{MSG}/save"), letter(json!({ "audience": "student_filter", "schoolIds": [1] }))).await;
    assert_eq!(
        fields(&some),
        ["audience: 平台只能向所选院校的全部学生、教师、站点人员或班主任发送，按条件发送请进入院校"]
    );

    let id = send(&operator, json!({ "schoolIds": [1, 2] })).await;
    server.wait_until(&format!("select status = 'sent' from platform.msg where id = {id}")).await;
    let figures = operator.get(&format!("{MSG}/statistics?id={id}")).await;
    assert_eq!(figures.data()["total"]["succeeded"], json!(4));
    let schools = &figures.data()["bySchool"];
    assert_eq!((&schools[0]["persons"], &schools[0]["status"]), (&json!(4), &json!("已发送")));
    // School 2 has no students.
    assert_eq!(
        (&schools[1]["status"], &schools[1]["failReason"]),
        (&json!("发送失败"), &json!("没有符合条件的接收人"))
    );
    let list = admin.post(&format!("{MSG}/list"), json!({})).await;
    assert_eq!(list.data()["list"][0]["creatorName"], json!("平台 运营一"));
    assert_eq!(count(&server, "platform.msg_delivery").await, 0);

    operator.put(&format!("{MSG}/recall?id={id}"), json!({})).await.data();
    assert_eq!(count(&server, "school_1.msg_delivery where status = 'recalled'").await, 4);
}
