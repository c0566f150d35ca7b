//! Which fields people fill in at a stage (part 02 §1).

use kit::{
    Answer, Client, Server,
    cohort::{Cohort, cohort, registrar},
    fields,
    files::paper,
    sheets::texts,
    students::{self, student},
};
use serde_json::{Value, json};

const FIELD: &str = "/adult/pc/fieldAttribute";
const STAGE: &str = "pre_registration";

fn new(stage: &str, key: &str, control: &str) -> Value {
    json!({ "stage": stage, "fieldKey": key, "label": "鞋码", "groupName": "other", "control": control })
}

async fn save(client: &Client<'_>, new: Value) -> i64 {
    client.post(&format!("{FIELD}/save"), new).await.id()
}

/// The fields of a stage, in their order.
async fn list(client: &Client<'_>, more: &str) -> Vec<Value> {
    let answer = client.post(&format!("{FIELD}/list{more}"), json!({ "stage": STAGE, "pageSize": 100 })).await;
    answer.data()["list"].as_array().expect("fields").clone()
}

async fn field(client: &Client<'_>, key: &str) -> Value {
    list(client, "").await.into_iter().find(|field| field["fieldKey"] == json!(key)).expect("the field")
}

/// What a form sends of a field, with changes.
fn edit(field: &Value, changes: Value) -> Value {
    let mut edit = field.clone();
    let fields = edit.as_object_mut().expect("fields");
    for shown in ["stage", "fieldKey", "builtIn", "systemRequired", "enabled"] {
        fields.remove(shown);
    }
    for (name, value) in changes.as_object().expect("fields") {
        edit[name] = value.clone();
    }
    edit
}

async fn change(client: &Client<'_>, key: &str, changes: Value) -> Answer {
    let body = edit(&field(client, key).await, changes);
    client.put(&format!("{FIELD}/edit"), body).await
}

async fn switch(client: &Client<'_>, key: &str, enabled: bool) -> Answer {
    let id = field(client, key).await["id"].clone();
    client.put(&format!("{FIELD}/update/status"), json!({ "id": id, "enabled": enabled })).await
}

async fn delete(client: &Client<'_>, key: &str) -> Answer {
    let id = field(client, key).await["id"].clone();
    client.delete(&format!("{FIELD}/delete?id={id}")).await
}

/// What people fill in, by key.
async fn form(client: &Client<'_>) -> Vec<Value> {
    client.get(&format!("{FIELD}/form?stage={STAGE}")).await.data().as_array().expect("fields").clone()
}

/// So many people who hold a value in a field, the last two of them in the recycle bin.
async fn people(server: &Server, p: &Cohort, count: i64, key: &str) {
    for statement in [
        format!(
            "insert into school_1.pre_registration_batch (code, name, grade_id, starts_at, ends_at, need_audit, public_token, created_by, updated_by)
             values ('B1', '春季', {}, now(), now() + interval '9 days', true, 'abcdefghijkl', 0, 0)",
            p.grade
        ),
        format!("insert into school_1.pre_registration_batch_level select id, {} from school_1.pre_registration_batch", p.level),
        format!(
            "insert into school_1.pre_registration_batch_major (batch_id, major_id, every_site)
             select id, {}, true from school_1.pre_registration_batch",
            p.major
        ),
        format!(
            "insert into school_1.pre_registration (batch_id, grade_id, name, name_grams, pinyin, initials, gender, id_card_type,
                 id_card_no, phone, level_id, major_id, site_id, study_form, extra, source, status, deleted_at, deleted_by, created_by,
                 updated_by)
             select b.id, b.grade_id, '考生', array['考', '生', '考生'], 'kao sheng', 'ks', 'male', 'passport', 'E1000' || n,
                    '139' || lpad(n::text, 8, '0'), {}, {}, {}, 'non_full_time', jsonb_build_object('{key}', '42'), 'back_office',
                    'pending', case when n > {count} - 2 then now() end, case when n > {count} - 2 then 0 end, 0, 0
             from school_1.pre_registration_batch b, generate_series(1, {count}) n",
            p.level, p.major, p.site
        ),
    ] {
        server.run(&statement).await;
    }
}

/// Scenario 1.
#[tokio::test]
async fn a_stage_has_at_most_forty_fields_of_its_own() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    for n in 1..=40 {
        save(&admin, new("registration", &format!("x_f{n}"), "text")).await;
    }
    let refused = admin.post(&format!("{FIELD}/save"), new("registration", "x_f41", "text")).await;
    assert_eq!(refused.refused(), (422, "每个环节最多40个自定义字段"));
    save(&admin, new(STAGE, "x_f41", "text")).await;
    let taken = admin.post(&format!("{FIELD}/save"), new(STAGE, "x_f41", "number")).await;
    assert_eq!(fields(&taken), ["fieldKey: 该环节已有这个字段标识"]);
}

/// Scenario 3.
#[tokio::test]
async fn a_field_with_values_is_switched_off_and_not_deleted() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    save(&admin, new(STAGE, "x_size", "text")).await;
    save(&admin, new(STAGE, "x_paper", "file")).await;
    people(&server, &p, 12, "x_size").await;
    assert_eq!(delete(&admin, "x_size").await.refused(), (409, "已有12条数据使用该字段，请停用"));
    let fixed = (409, "字段已有数据，不能修改类型");
    assert_eq!(change(&admin, "x_size", json!({ "control": "number" })).await.refused(), fixed);
    assert_eq!(change(&admin, "x_size", json!({ "label": "鞋子尺码", "maxLength": 3 })).await.code(), 200);
    assert!(form(&admin).await.iter().any(|field| field["label"] == json!("鞋子尺码")));
    assert_eq!(switch(&admin, "x_size", false).await.code(), 200);
    assert!(!form(&admin).await.iter().any(|field| field["fieldKey"] == json!("x_size")), "nobody is asked any more");

    // A field of files: whoever has several counts once.
    for name in ["证明.pdf", "补充.pdf"] {
        let key = paper(&admin, name).await;
        server
            .run(&format!(
                "insert into school_1.pre_registration_file (pre_registration_id, kind, file_id)
                 select min(p.id), 'x_paper', (select id from school_1.file_object where key = '{key}') from school_1.pre_registration p"
            ))
            .await;
    }
    assert_eq!(delete(&admin, "x_paper").await.refused(), (409, "已有1条数据使用该字段，请停用"));
    assert_eq!(change(&admin, "x_paper", json!({ "control": "image" })).await.refused(), fixed);
    server.run("delete from school_1.pre_registration_file").await;
    assert_eq!(change(&admin, "x_paper", json!({ "control": "image" })).await.code(), 200);
    assert_eq!(delete(&admin, "x_paper").await.code(), 200);
}

/// The same of what students state later, at either stage: a draft counts, an empty value does not.
#[tokio::test]
async fn values_of_later_stages_count_too() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let student = students::save(&admin, student(&p, 1)).await;
    let call = format!("{FIELD}/delete?id=");
    for (stage, more, value) in [
        ("admission_information", "null, null", json!("42")),
        ("graduation_information", "null, 'pending'", json!(["红", "蓝"])),
    ] {
        let size = save(&admin, new(stage, "x_size", "text")).await;
        let file = save(&admin, new(stage, "x_paper", "file")).await;
        let content = json!({ "extra": { "x_size": value, "x_empty": "" } });
        let form: i64 = server
            .one(&format!(
                "insert into school_1.student_information (kind, student_id, content, chsi_pre_check, photo_check, created_by, updated_by)
                 values ('{stage}', {student}, '{content}', {more}, 0, 0) returning id"
            ))
            .await;
        let held = (409, "已有1条数据使用该字段，请停用");
        assert_eq!(admin.delete(&format!("{call}{size}")).await.refused(), held, "{stage}");
        assert_eq!(admin.delete(&format!("{call}{file}")).await.code(), 200, "{stage}: no form has such a file");
        let file = save(&admin, new(stage, "x_paper", "file")).await;
        let key = paper(&admin, "证明.pdf").await;
        server
            .run(&format!(
                "insert into school_1.student_information_file (student_information_id, purpose, file_id)
                 select {form}, 'x_paper', id from school_1.file_object where key = '{key}'"
            ))
            .await;
        assert_eq!(admin.delete(&format!("{call}{file}")).await.refused(), held, "{stage}");
        let empty = save(&admin, new(stage, "x_empty", "text")).await;
        assert_eq!(admin.delete(&format!("{call}{empty}")).await.code(), 200, "{stage}: nothing was said");
    }
}

/// Scenario 4.
#[tokio::test]
async fn what_the_product_needs_stays_asked_for() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let told = (409, "系统必填字段不可停用或设为非必填");
    assert_eq!(change(&admin, "phone", json!({ "required": false })).await.refused(), told);
    assert_eq!(change(&admin, "phone", json!({ "visible": false, "required": false })).await.refused(), told);
    assert_eq!(switch(&admin, "phone", false).await.refused(), told);
    assert_eq!(delete(&admin, "phone").await.refused(), (409, "“手机”是系统必填字段，不能删除"));
    assert_eq!(delete(&admin, "email").await.refused(), (409, "“邮箱”是内置字段，不能删除，可以停用"));
    let fixed = (409, "内置字段的控件、字典、长度和正则由系统决定，不能修改");
    assert_eq!(change(&admin, "email", json!({ "control": "textarea" })).await.refused(), fixed);
    assert_eq!(change(&admin, "email", json!({ "maxLength": 50 })).await.refused(), fixed);
    let hidden = change(&admin, "email", json!({ "visible": false, "required": true })).await;
    assert_eq!(fields(&hidden), ["required: 必填字段必须显示"]);
    let asked = json!({ "label": "电子邮箱", "required": true, "helpText": "用来收录取通知" });
    assert_eq!(change(&admin, "email", asked).await.code(), 200);
    assert_eq!(switch(&admin, "referrer", false).await.code(), 200);

    let operator = server.operator().await;
    assert_eq!(switch(&operator, "name", false).await.refused(), told, "nor in the template");
}

/// What a form may say of a field, and what people then see.
#[tokio::test]
async fn a_field_of_ones_own_is_asked_for() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let told = async |changes: Value| {
        let mut body = new(STAGE, "x_channel", "select");
        for (name, value) in changes.as_object().expect("fields") {
            body[name] = value.clone();
        }
        fields(&admin.post(&format!("{FIELD}/save"), body).await)
    };
    assert_eq!(told(json!({})).await, ["dictType: 请选择字典"]);
    assert_eq!(told(json!({ "dictType": "no_such" })).await, ["dictType: 字典不存在，请重新选择"]);
    let pattern = json!({ "control": "text", "pattern": "[0-9" });
    assert_eq!(told(pattern).await, ["pattern: 正则表达式无效"]);
    let key = json!({ "fieldKey": "channel", "dictType": "source_channel" });
    assert_eq!(told(key).await, ["fieldKey: 字段标识格式不正确：以 x_ 开头，后接1至30位小写字母、数字或下划线"]);
    let mut body = new(STAGE, "x_channel", "select");
    (body["dictType"], body["label"], body["required"]) = (json!("source_channel"), json!("推荐渠道"), json!(true));
    let id = save(&admin, body).await;
    let answer = admin.post(&format!("{FIELD}/list"), json!({ "stage": STAGE })).await;
    let offered = answer.data()["dictionaries"].as_array().expect("dictionaries");
    assert!(offered.contains(&json!({ "dictType": "source_channel", "dictName": "来源渠道" })), "{offered:?}");

    // The last of the fields, with the words of the dictionary; built-in sets are the program's.
    let asked = form(&admin).await;
    let channel = asked.last().expect("the new field");
    assert_eq!((&channel["fieldKey"], &channel["required"]), (&json!("x_channel"), &json!(true)));
    assert!(!channel["options"].as_array().expect("words").is_empty(), "{channel}");
    let of = |key: &str| asked.iter().find(|field| field["fieldKey"] == json!(key)).expect("a field");
    assert_eq!(of("gender")["options"], json!([]));
    assert!(of("ethnicity")["options"].as_array().is_some_and(|words| words.len() > 50));

    // 排序 names every field of the stage.
    let mut ids: Vec<Value> = list(&admin, "").await.iter().map(|field| field["id"].clone()).collect();
    ids.rotate_right(1);
    assert_eq!(admin.put(&format!("{FIELD}/sort"), json!({ "ids": ids })).await.code(), 200);
    assert_eq!(form(&admin).await[0]["fieldKey"], json!("x_channel"));
    let some = admin.put(&format!("{FIELD}/sort"), json!({ "ids": ids[1..] })).await;
    assert_eq!(some.refused(), (409, "字段已变化，请刷新"));

    let rows = texts(&admin.post(&format!("{FIELD}/export"), json!({ "stage": STAGE })).await.bytes);
    assert_eq!(rows[0][..6], ["环节", "排序", "字段标识", "显示名称", "分组", "控件"]);
    assert_eq!(rows[1][2..6], ["x_channel", "推荐渠道", "其他", "单选"]);
    assert_eq!(delete(&admin, "x_channel").await.code(), 200);
    let trail = json!({ "entityType": "field_attribute", "entityId": id });
    let trail = admin.post("/data/pc/sys/log/record", trail).await;
    assert_eq!(trail.data()["totalCount"], json!(3), "{}", trail.body);
}

/// Scenario 5.
#[tokio::test]
async fn of_two_who_edit_the_same_field_the_second_is_told() {
    let server = Server::start().await;
    let (one, two) = (registrar(&server).await, registrar(&server).await);
    for n in 1..4 {
        assert_eq!(change(&one, "email", json!({ "label": format!("邮箱{n}") })).await.code(), 200);
    }
    let seen = field(&two, "email").await;
    assert_eq!(seen["version"], json!(4));
    assert_eq!(change(&one, "email", json!({ "required": true })).await.code(), 200);
    let late = two.put(&format!("{FIELD}/edit"), edit(&seen, json!({ "label": "电邮" }))).await;
    assert_eq!(late.code(), 409);
    assert!(late.msg().starts_with("数据已被教务员于") && late.msg().ends_with("修改，请刷新后重试"), "{}", late.msg());
    let off = json!({ "id": seen["id"], "version": 4, "enabled": false });
    assert_eq!(two.put(&format!("{FIELD}/update/status"), off).await.code(), 409);
}

/// 恢复默认: the switches of built-in fields, and nothing else.
#[tokio::test]
async fn switches_go_back_to_the_template() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    save(&admin, new(STAGE, "x_size", "text")).await;
    let email = json!({ "label": "电子邮箱", "required": true, "studentEditable": false });
    assert_eq!(change(&admin, "email", email).await.code(), 200);
    assert_eq!(change(&admin, "x_size", json!({ "visible": false })).await.code(), 200);
    assert_eq!(switch(&admin, "referrer", false).await.code(), 200);
    let operator = server.operator().await;
    assert_eq!(change(&operator, "occupation", json!({ "visible": false })).await.code(), 200);

    let back = admin.post(&format!("{FIELD}/reset"), json!({ "stage": STAGE })).await;
    assert_eq!(back.data()["done"], json!(3));
    let email = field(&admin, "email").await;
    assert_eq!(
        (&email["label"], &email["required"], &email["studentEditable"]),
        (&json!("电子邮箱"), &json!(false), &json!(true))
    );
    assert_eq!(field(&admin, "referrer").await["enabled"], json!(true));
    assert_eq!(field(&admin, "occupation").await["visible"], json!(false));
    assert_eq!(field(&admin, "x_size").await["visible"], json!(false));
    let again = admin.post(&format!("{FIELD}/reset"), json!({ "stage": STAGE })).await;
    assert_eq!(again.data()["done"], json!(0));
}

/// Scenario 6.
#[tokio::test]
async fn the_template_goes_to_schools_that_lack_it() {
    let server = Server::start().await;
    let third = server.open_school("10593", "西山示范学院").await;
    let admin = registrar(&server).await;
    let operator = server.operator().await;
    let mut wechat = new(STAGE, "x_wechat", "text");
    wechat["label"] = json!("微信号");
    let own = save(&admin, wechat.clone()).await;
    wechat["label"] = json!("微信");
    let template = save(&operator, wechat).await;
    let given = json!({ "ids": [template], "schoolIds": [third, 1, 2, 1] });
    let answer = operator.post(&format!("{FIELD}/allocation"), given).await;
    assert_eq!(answer.data()["added"], json!({ "1": 0, "2": 1, third.to_string(): 1 }));
    let kept = field(&admin, "x_wechat").await;
    assert_eq!((&kept["id"], &kept["label"], &kept["version"]), (&json!(own), &json!("微信号"), &json!(1)));

    // An operator looks into a school, and writes the template alone.
    let seen = list(&operator, "?schoolId=2").await;
    assert_eq!(seen.last().map(|field| &field["label"]), Some(&json!("微信")));
    assert_eq!(change(&operator, "x_wechat", json!({ "label": "微信账号" })).await.code(), 200);
    assert_eq!(list(&operator, "?schoolId=2").await, seen);
    let named = operator.post(&format!("{FIELD}/save?schoolId=2"), new(STAGE, "x_size", "text")).await;
    assert_eq!(named.code(), 400);
    let shown = operator.get(&format!("{FIELD}/form?stage={STAGE}&schoolId=2")).await;
    assert_eq!(shown.data().as_array().map(Vec::len), Some(27));
    let rows = operator.post(&format!("{FIELD}/export?schoolId=2"), json!({ "stage": STAGE })).await;
    assert!(texts(&rows.bytes).concat().contains(&"微信".to_owned()));
    let trails: i64 = server
        .one("select count(*) from school_2.audit_log where entity_type = 'field_attribute' and actor_type = 'platform' and action = 'insert'")
        .await;
    assert_eq!(trails, 1);

    // A school that is opened later has the template from its first day.
    let fourth = server.open_school("10594", "北山示范学院").await;
    assert_eq!(
        list(&operator, &format!("?schoolId={fourth}")).await.last().map(|field| field["label"].clone()),
        Some(json!("微信账号"))
    );
}

/// What one school cannot take keeps nothing from the others, and is told with its reason.
#[tokio::test]
async fn what_does_not_fit_one_school_goes_to_the_others() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let third = server.open_school("demo03", "西岭示范学院").await;
    let template = save(&operator, new("registration", "x_size", "text")).await;
    server
        .run(
            "insert into school_2.field_attribute (stage, field_key, label, group_name, control, sort, created_by, updated_by)
             select 'registration', 'x_f' || n, '字段', 'other', 'text', n, 0, 0 from generate_series(1, 40) n",
        )
        .await;
    server.run(&format!("update platform.school set status = 'suspended' where id = {third}")).await;
    server.tell(&format!("school:{third}")).await;
    let given = json!({ "ids": [template], "schoolIds": [1, 2, third, 999] });
    let answer = operator.post(&format!("{FIELD}/allocation"), given.clone()).await.data().clone();
    assert_eq!(answer["added"], json!({ "1": 1 }), "{answer}");
    let failed: Vec<(&Value, &Value)> =
        answer["failed"].as_array().expect("failures").iter().map(|row| (&row["schoolName"], &row["msg"])).collect();
    assert_eq!(
        failed,
        [
            (&json!("南岭示范大学"), &json!("每个环节最多40个自定义字段")),
            (&json!("西岭示范学院"), &json!("院校已停用或归档")),
            (&Value::Null, &json!("记录不存在或已被删除")),
        ],
        "{answer}"
    );
    let own: i64 = server.one("select count(*) from school_1.field_attribute where field_key = 'x_size'").await;
    assert_eq!(own, 1);
    server.run("update platform.sys_user set school_scope = 'listed' where login_name = 'operator'").await;
    let answer = operator.post(&format!("{FIELD}/allocation"), given).await.data().clone();
    assert_eq!((&answer["added"], answer["failed"].as_array().map(Vec::len)), (&json!({}), Some(4)), "not his schools");
    assert!(answer["failed"].as_array().expect("failures").iter().all(|row| row["schoolName"].is_null()), "{answer}");
}
