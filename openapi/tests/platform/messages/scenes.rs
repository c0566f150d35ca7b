//! Scenes, their templates, and the matrix of switches.

use kit::{Server, fields};
use serde_json::{Value, json};

use super::{MSG, count};

const SCENE: &str = "/user/pc/psd/info";
const TEMPLATE: &str = "/user/pc/psd/list/conf";

fn cell(matrix: &Value, scene: &str, channel: &str) -> Value {
    let scenes = matrix.as_array().expect("scenes");
    let line = scenes.iter().find(|line| line["sceneCode"] == json!(scene)).expect("the scene");
    let cells = line["channels"].as_array().expect("channels");
    cells.iter().find(|cell| cell["channel"] == json!(channel)).expect("the channel").clone()
}

/// 01 §12: the scenes ship with an inbox template each, and a second start adds nothing.
#[tokio::test]
async fn the_scenes_that_ship_are_switched_only() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let found = operator.post(&format!("{SCENE}/list"), json!({ "keyword": "score_published" })).await;
    let scene = found.data()["list"][0].clone();
    assert_eq!((&scene["sceneName"], &scene["templateCount"]), (&json!("成绩发布"), &json!(1)));
    let all = operator.post(&format!("{SCENE}/list"), json!({ "pageSize": 1 })).await;
    assert_eq!(all.data()["totalCount"], json!(53));
    let edit = json!({ "id": scene["id"], "version": scene["version"], "sceneCode": "other", "sceneName": "别的", "module": "成绩",
        "defaultChannels": ["in_app"], "audienceType": "student" });
    assert_eq!(
        operator.put(&format!("{SCENE}/edit"), edit).await.refused(),
        (409, "“成绩发布”是内置场景，只能启用或停用")
    );
    assert_eq!(operator.delete(&format!("{SCENE}/delete?id={}", scene["id"])).await.code(), 409);
    let off = json!({ "id": scene["id"], "enabled": false });
    operator.put(&format!("{SCENE}/update/status"), off).await.data();
    openapi::upgrade::run(server.app.db(), &openapi::modules::modules(), |_, _| {}).await.expect("runs");
    let seen = operator.get(&format!("{SCENE}/view?id={}", scene["id"])).await;
    assert_eq!(seen.data()["enabled"], json!(false));
}

/// 01 §7.6-5, 05 D3, D8-7: unknown and sensitive variables, segments, the provider's number.
#[tokio::test]
async fn a_template_may_use_its_scenes_variables_only() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let own = json!({ "sceneCode": "tuition_due", "sceneName": "学费到期", "module": "财务", "defaultChannels": ["in_app", "sms"],
        "audienceType": "student", "variables": [{ "name": "amount", "label": "金额", "sample": "2800.00元" }] });
    let mut secret = own.clone();
    secret["variables"][0]["name"] = json!("idCardNo");
    let refused = operator.post(&format!("{SCENE}/save"), secret).await;
    assert_eq!(fields(&refused), ["variables[0].name: 模板不能包含敏感变量：idCardNo"]);
    let scene = operator.post(&format!("{SCENE}/save"), own.clone()).await.id();
    let taken = operator.post(&format!("{SCENE}/save"), own.clone()).await;
    assert_eq!(fields(&taken), ["sceneCode: 场景编码已存在"]);

    let template = |with: Value| {
        let mut body = json!({ "sceneId": scene, "channel": "sms", "title": "缴费", "content": "请缴{{amount}}",
            "providerTemplateCode": "SMS_1" });
        for (field, value) in with.as_object().expect("fields") {
            body[field] = value.clone();
        }
        body
    };
    let save = async |with| operator.post(&format!("{TEMPLATE}/save"), template(with)).await;
    assert_eq!(fields(&save(json!({ "content": "{{stuName}}" })).await), ["content: 模板包含未定义变量：stuName"]);
    assert_eq!(fields(&save(json!({ "title": "{{password}}" })).await), ["title: 模板不能包含敏感变量：password"]);
    let unnumbered = save(json!({ "providerTemplateCode": null })).await;
    assert_eq!(fields(&unnumbered), ["providerTemplateCode: 短信和公众号模板必须填写服务商模板号"]);
    let long = save(json!({ "content": "字".repeat(501) })).await;
    assert_eq!(fields(&long), ["content: 短信按示例填充后不能超过500个字符"]);
    let id = save(json!({ "content": format!("{}{{{{amount}}}}", "字".repeat(62)) })).await.id();
    // 62 and the 8 of the sample are 70: one segment; one more is two.
    let seen = operator.get(&format!("{TEMPLATE}/view?id={id}")).await;
    assert_eq!(
        (&seen.data()["segments"], seen.data()["previewContent"].as_str().map(|text| text.ends_with("2800.00元"))),
        (&json!(1), Some(true))
    );
    let edit = template(
        json!({ "id": id, "version": seen.data()["version"], "content": format!("{}{{{{amount}}}}", "字".repeat(63)) }),
    );
    operator.put(&format!("{TEMPLATE}/edit"), edit).await.data();
    let listed = operator.post(&format!("{TEMPLATE}/list"), json!({ "scene": "tuition", "channel": "sms" })).await;
    assert_eq!(listed.data()["list"][0]["segments"], json!(2));
    assert_eq!(fields(&save(json!({})).await), ["channel: 该场景在此渠道已有模板，请直接编辑"]);

    // A variable that a template uses stays; a scene with templates too.
    let view = operator.get(&format!("{SCENE}/view?id={scene}")).await;
    let mut without = own;
    without["variables"] = json!([]);
    without["id"] = json!(scene);
    without["version"] = view.data()["version"].clone();
    let refused = operator.put(&format!("{SCENE}/edit"), without).await;
    assert_eq!(fields(&refused), ["variables: 短信模板正在使用变量amount，请先修改模板"]);
    let refused = operator.delete(&format!("{SCENE}/delete?id={scene}")).await;
    assert_eq!(refused.refused(), (409, "“学费到期”已有1个消息模板，请先删除模板"));

    // 测试发送 goes to the operator's own number; an attempt is kept, a message never.
    let lacking = operator.post(&format!("{TEMPLATE}/test"), json!({ "id": id })).await;
    assert_eq!(lacking.refused(), (409, "您的账号没有手机号，请先在账号资料中补充"));
    server.run("update platform.sys_user set phone = '13800000009' where login_name = 'operator'").await;
    let tried = operator.post(&format!("{TEMPLATE}/test"), json!({ "id": id })).await;
    assert_eq!(tried.data()["message"], json!("已记录发给138****0009的测试消息，未实际发送"));
    assert_eq!(count(&server, "platform.msg_attempt where delivery_id is null and ok").await, 1);
    assert_eq!(count(&server, "platform.msg").await, 0);
    operator.put(&format!("{TEMPLATE}/update/status"), json!({ "id": id, "enabled": false })).await.data();
    operator.delete(&format!("{TEMPLATE}/delete?id={id}")).await.data();
    operator.delete(&format!("{SCENE}/delete?id={scene}")).await.data();
}

/// 01 §7.3-4: the school's switch, else the platform's, else the default channels.
#[tokio::test]
async fn a_schools_switch_goes_before_the_platforms() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let staff = server.staff(1, &["user:pc:msg:scene:list", "user:pc:msg:scene:edit"]).await;
    let list = format!("{MSG}/scene/list");
    let edit = format!("{MSG}/scene/edit");
    let matrix = operator.post(&list, json!({})).await.data().clone();
    let scene = matrix
        .as_array()
        .expect("scenes")
        .iter()
        .find(|line| line["sceneCode"] == json!("timetable_changed"))
        .expect("there");
    let id = scene["sceneId"].clone();
    let state = |matrix: &Value| {
        let cell = cell(matrix, "timetable_changed", "sms");
        [cell["enabled"].clone(), cell["defaultEnabled"].clone(), cell["changed"].clone()]
    };
    assert_eq!(state(&matrix), [json!(true), json!(true), json!(false)]);

    operator.put(&edit, json!({ "sceneId": id, "channel": "sms", "enabled": false })).await.data();
    assert_eq!(state(operator.post(&list, json!({})).await.data()), [json!(false), json!(true), json!(true)]);
    assert_eq!(state(staff.post(&list, json!({})).await.data()), [json!(false), json!(false), json!(false)]);
    staff.put(&edit, json!({ "sceneId": id, "channel": "sms", "enabled": true })).await.data();
    assert_eq!(state(staff.post(&list, json!({})).await.data()), [json!(true), json!(false), json!(true)]);
    // Another school has the platform's.
    let other = server.staff(2, &["user:pc:msg:scene:list"]).await;
    assert_eq!(state(other.post(&list, json!({})).await.data()), [json!(false), json!(false), json!(false)]);
    staff.put(&edit, json!({ "sceneId": id })).await.data();
    assert_eq!(state(staff.post(&list, json!({})).await.data()), [json!(false), json!(false), json!(false)]);
}
