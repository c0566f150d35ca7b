//! The operators' online-education site: categories and lecturers (part 01 §9.2, §9.5).

use kit::{
    Client, Server,
    accounts::operator_with,
    fields,
    quizzes::{self, EXAM},
    sheets::texts,
};
use serde_json::{Value, json};

const CATEGORY: &str = "/course/pc/category/record";
const LECTURER: &str = "/user/pc/lecturer";
const PARAM: &str = "/system/pc/sys/param/config";

async fn category(client: &Client<'_>, name: &str, parent: Option<i64>) -> i64 {
    let form = json!({ "categoryName": name, "parentId": parent });
    client.post(&format!("{CATEGORY}/save"), form).await.id()
}

fn lecturer(name: &str) -> Value {
    json!({ "lecturerName": name, "phone": "13900000003", "email": "chen@example.com" })
}

/// Courses on sale, with the version by which each was approved.
async fn courses(server: &Server, category: i64, lecturer: i64, count: i64) {
    server
        .run(&format!(
            "with course as (
                 insert into platform.online_course (course_type, course_name, category_id, lecturer_id, cover, is_free,
                     price_original, price_sale, audit_status, created_by, updated_by)
                 select 'record', '课程' || n, {category}, {lecturer}, '/a.png', false, 19900, 9900, 'approved', 0, 0
                 from generate_series(1, {count}) n returning id)
             insert into platform.online_course_revision (course_id, content, audit_status, submitter_id, audited_by,
                 audited_at, created_by, updated_by)
             select id, '{{}}', 'approved', 0, 0, now(), 0, 0 from course"
        ))
        .await;
    server
        .run(
            "update platform.online_course c set published_revision_id = r.id, putaway = 'on'
             from platform.online_course_revision r where r.course_id = c.id",
        )
        .await;
}

/// Names of a tree with their depth: `公共课 [英语 []]`.
fn drawn(nodes: &Value) -> String {
    let nodes = nodes.as_array().expect("nodes");
    let each = nodes.iter().map(|node| {
        let name = node["categoryName"].as_str().unwrap_or_default();
        format!("{name} [{}]", drawn(&node["children"]))
    });
    each.collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn categories_are_a_tree_of_three_levels() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let common = category(&operator, "公共课", None).await;
    let english = category(&operator, "英语", Some(common)).await;
    let grammar = category(&operator, "语法", Some(english)).await;
    let major = category(&operator, "专业课", None).await;
    let save = |name: &str, parent: i64| json!({ "categoryName": name, "parentId": parent });
    let refused = operator.post(&format!("{CATEGORY}/save"), save("时态", grammar)).await;
    assert_eq!(fields(&refused), ["parentId: 分类最多3级"]);
    let refused = operator.post(&format!("{CATEGORY}/save"), save("英语", common)).await;
    assert_eq!(fields(&refused), ["categoryName: 同级分类中名称“英语”已存在"]);
    let refused = operator.post(&format!("{CATEGORY}/save"), json!({ "categoryName": "公共课" })).await;
    assert_eq!(fields(&refused), ["categoryName: 同级分类中名称“公共课”已存在"]);
    let refused = operator.post(&format!("{CATEGORY}/save"), json!({ "categoryName": "一".repeat(21) })).await;
    assert_eq!(refused.code(), 422, "{}", refused.body);
    // The same name elsewhere is another category.
    category(&operator, "英语", Some(major)).await;

    let moved = |id: i64, name: &str, parent: Option<i64>| json!({ "id": id, "version": 1, "categoryName": name, "parentId": parent });
    let refused = operator.put(&format!("{CATEGORY}/edit"), moved(common, "公共课", Some(grammar))).await;
    assert_eq!(fields(&refused), ["parentId: 不能移动到自己的下级分类"]);
    let answer = operator.put(&format!("{CATEGORY}/edit"), moved(grammar, "语法", Some(major))).await;
    assert_eq!(answer.code(), 200, "{}", answer.body);
    assert_eq!(operator.put(&format!("{CATEGORY}/edit"), moved(grammar, "语法", None)).await.code(), 409);
    let whole = operator.post(&format!("{CATEGORY}/list"), json!({})).await;
    assert_eq!(drawn(whole.data()), "公共课 [英语 []] 专业课 [语法 [] 英语 []]");
    let found = operator.post(&format!("{CATEGORY}/list"), json!({ "categoryName": "语法" })).await;
    assert_eq!(drawn(found.data()), "专业课 [语法 []]");

    let off = json!({ "id": major, "enabled": false });
    assert_eq!(operator.put(&format!("{CATEGORY}/update/status"), off).await.code(), 200);
    let refused = operator.post(&format!("{CATEGORY}/save"), save("会计", major)).await;
    assert_eq!(fields(&refused), ["parentId: “专业课”已停用，请选择其他项"]);
    let sheet = operator.post(&format!("{CATEGORY}/export"), json!({ "enabled": false })).await;
    let rows = texts(&sheet.bytes);
    assert_eq!(rows[0][..4], ["名称", "上级分类", "排序", "启用"]);
    assert_eq!(rows[1..].iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), ["专业课"]);
}

/// 9.10 Decoration (4), and the same for what stands below.
#[tokio::test]
async fn a_category_in_use_stays() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let common = category(&operator, "公共课", None).await;
    let english = category(&operator, "英语", Some(common)).await;
    let politics = category(&operator, "政治", Some(common)).await;
    let teacher = operator.post(&format!("{LECTURER}/save"), lecturer("陈老师")).await.id();
    courses(&server, english, teacher, 3).await;
    let delete = async |id: i64| operator.delete(&format!("{CATEGORY}/delete?id={id}")).await;
    assert_eq!(delete(common).await.refused(), (409, "已被2条分类引用，不能删除"));
    assert_eq!(delete(english).await.refused(), (409, "已被3条课程引用，不能删除"));
    let many = operator.post(&format!("{CATEGORY}/batchDel"), json!({ "ids": [english, politics] })).await;
    let kept = json!([{ "id": english, "name": "英语", "msg": "已被3条课程引用，不能删除" }]);
    assert_eq!(many.data(), &json!({ "done": 1, "failed": kept }));
    assert_eq!(operator.get(&format!("{CATEGORY}/view?id={politics}")).await.code(), 404);
}

#[tokio::test]
async fn another_kind_of_category_is_none_of_these() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let live: i64 = server
        .one(
            "insert into platform.online_category (category_type, category_name, created_by, updated_by)
             values ('live', '直播', 0, 0) returning id",
        )
        .await;
    assert_eq!(operator.get(&format!("{CATEGORY}/view?id={live}")).await.code(), 404);
    assert_eq!(operator.delete(&format!("{CATEGORY}/delete?id={live}")).await.code(), 404);
    let off = json!({ "id": live, "enabled": false });
    assert_eq!(operator.put(&format!("{CATEGORY}/update/status"), off).await.code(), 404);
    let below = operator.post(&format!("{CATEGORY}/save"), json!({ "categoryName": "甲", "parentId": live })).await;
    assert_eq!(fields(&below), ["parentId: 所选上级分类不存在，请重新选择"]);
    assert_eq!(operator.post(&format!("{CATEGORY}/list"), json!({})).await.data(), &json!([]));
}

#[tokio::test]
async fn a_lecturer_gets_the_usual_part_unless_another_is_typed() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let part =
        async |id: i64| operator.get(&format!("{LECTURER}/view?id={id}")).await.data()["lecturerProportion"].clone();
    let first = operator.post(&format!("{LECTURER}/save"), lecturer("陈老师")).await.id();
    assert_eq!(part(first).await, json!(0.7));
    let usual = operator.get(&format!("{PARAM}/view?code=lecturer.defaultProportion")).await.data().clone();
    let change = json!({ "id": usual["id"], "version": usual["version"], "paramValue": "0.65" });
    assert_eq!(operator.put(&format!("{PARAM}/edit"), change).await.code(), 200);
    let second = operator.post(&format!("{LECTURER}/save"), lecturer("李老师")).await.id();
    assert_eq!((part(first).await, part(second).await), (json!(0.7), json!(0.65)));

    let with = |part: f64| {
        let mut form = lecturer("王老师");
        form["lecturerProportion"] = json!(part);
        form
    };
    let refused = operator.post(&format!("{LECTURER}/save"), with(0.66667)).await;
    assert_eq!(fields(&refused), ["lecturerProportion: 分成比例最多四位小数"]);
    for outside in [-0.1, 1.0001] {
        let refused = operator.post(&format!("{LECTURER}/save"), with(outside)).await;
        assert_eq!((refused.code(), &refused.body["data"][0]["field"]), (422, &json!("lecturerProportion")));
    }
    let third = operator.post(&format!("{LECTURER}/save"), with(0.6667)).await.id();
    assert_eq!(part(third).await, json!(0.6667));
}

/// 01 §3.2.7: an introduction is warned of.
#[tokio::test]
async fn a_sensitive_word_in_an_introduction_is_a_warning() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let word = json!({ "words": ["代考"], "category": "other", "action": "mask" });
    operator.post("/system/pc/sys/sensitive/word/library/save", word).await.data();
    let mut form = lecturer("陈老师");
    form["introduce"] = json!("从不代考");
    let answer = operator.post(&format!("{LECTURER}/save"), form).await;
    assert_eq!(answer.data()["warnings"], json!(["讲师简介包含敏感词：代考，请核对"]));
    assert_eq!(server.one::<i64>("select hit_count from platform.sensitive_word where word = '代考'").await, 1);
}

#[tokio::test]
async fn a_lecturers_contacts_are_masked_and_stay_through_an_edit() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let made = operator.post(&format!("{LECTURER}/save"), lecturer("陈老师")).await.id();
    let found = operator.post(&format!("{LECTURER}/list"), json!({ "keyword": "13900000003" })).await;
    let row = found.data()["list"][0].clone();
    assert_eq!((&row["phone"], &row["email"]), (&json!("139****0003"), &json!("c***@example.com")));
    let edit = json!({
        "id": made, "version": row["version"], "lecturerName": "陈静", "phone": row["phone"], "email": row["email"],
        "position": "高级讲师",
    });
    assert_eq!(operator.put(&format!("{LECTURER}/edit"), edit.clone()).await.code(), 200);
    let stored: String =
        server.one("select phone || ' ' || email || ' ' || lecturer_name from platform.lecturer").await;
    assert_eq!(stored, "13900000003 chen@example.com 陈静");
    // Somebody else was quicker.
    assert_eq!(operator.put(&format!("{LECTURER}/edit"), edit).await.code(), 409);
    let mut masked = lecturer("李老师");
    masked["phone"] = json!("139****0003");
    let refused = operator.post(&format!("{LECTURER}/save"), masked).await;
    assert_eq!(fields(&refused), ["phone: 请填写完整的手机号"]);

    let keeper = operator_with(&server, "keeper", &["user:pc:lecturer:list", "user:pc:lecturer:export"]).await;
    let sheet = texts(&keeper.post(&format!("{LECTURER}/export"), json!({})).await.bytes);
    assert_eq!(sheet[0], ["姓名", "手机", "邮箱", "职位", "分成比例", "课程数", "收入(元)", "启用", "创建时间"]);
    assert_eq!(sheet[1][..4], ["陈静", "139****0003", "c***@example.com", "高级讲师"]);
    let wanted = json!({ "entity": "lecturer", "id": made, "field": "phone" });
    assert_eq!(keeper.post("/system/pc/plain/view", wanted.clone()).await.code(), 403);
    let codes = ["user:pc:lecturer:viewPlain"];
    let trusted = operator_with(&server, "trusted", &codes).await;
    assert_eq!(trusted.post("/system/pc/plain/view", wanted).await.data()["value"], json!("13900000003"));
}

/// 9.10 Lecturers and accounts (6).
#[tokio::test]
async fn disabling_a_lecturer_takes_his_courses_off_sale() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let stands = category(&operator, "公共课", None).await;
    let chen = operator.post(&format!("{LECTURER}/save"), lecturer("陈老师")).await.id();
    let li = operator.post(&format!("{LECTURER}/save"), lecturer("李老师")).await.id();
    courses(&server, stands, chen, 4).await;
    courses(&server, stands, li, 1).await;
    let on_sale = async || {
        let counts = "select string_agg(n::text, ',' order by lecturer_id) from (
                          select lecturer_id, count(*) filter (where putaway = 'on') as n
                          from platform.online_course group by lecturer_id) c";
        server.one::<String>(counts).await
    };
    assert_eq!(on_sale().await, "4,1");
    let seen = operator.post(&format!("{LECTURER}/list"), json!({ "keyword": "陈老师" })).await;
    assert_eq!(seen.data()["list"][0]["courseCount"], json!(4));
    let switch = async |enabled: bool| {
        let answer =
            operator.put(&format!("{LECTURER}/update/status"), json!({ "id": chen, "enabled": enabled })).await;
        assert_eq!(answer.code(), 200, "{}", answer.body);
    };
    switch(false).await;
    assert_eq!(on_sale().await, "0,1");
    let trail: i64 = server
        .one("select count(*) from platform.audit_log where entity_type = 'online_course' and action = 'status'")
        .await;
    assert_eq!(trail, 4);
    switch(true).await;
    assert_eq!(on_sale().await, "0,1");
    let refused = operator.delete(&format!("{LECTURER}/delete?id={chen}")).await;
    assert_eq!(refused.refused(), (409, "已被4条课程引用，不能删除"));
    let many = operator.post(&format!("{LECTURER}/batchDel"), json!({ "ids": [chen] })).await;
    assert_eq!(many.data()["failed"][0]["name"], json!("陈老师"));
}

/// 9.5 for exams: theirs go off sale too, and stay off until somebody puts them back.
#[tokio::test]
async fn disabling_a_lecturer_takes_his_exams_off_sale() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let chen = operator.post(&format!("{LECTURER}/save"), lecturer("陈老师")).await.id();
    let [first, second, _] = quizzes::problems(&operator).await;
    let paper = |name: &str, lecturer: Option<i64>| {
        let content = quizzes::content(name, 100.0, 60.0, &[(first, 50.0), (second, 50.0)]);
        quizzes::with(content, json!({ "lecturerId": lecturer }))
    };
    let of_chen = quizzes::shown(&operator, paper("学位英语模拟卷", Some(chen))).await;
    let of_nobody = quizzes::shown(&operator, paper("政治模拟卷", None)).await;
    let on_sale = async |exam: i64| operator.get(&format!("{EXAM}/view?id={exam}")).await.data()["putaway"].clone();
    let switch = async |enabled: bool| {
        let wanted = json!({ "id": chen, "enabled": enabled });
        operator.put(&format!("{LECTURER}/update/status"), wanted).await.data();
    };
    switch(false).await;
    assert_eq!((on_sale(of_chen).await, on_sale(of_nobody).await), (json!("off"), json!("on")));
    let trail: i64 = server
        .one(&format!(
            "select count(*) from platform.audit_log
             where entity_type = 'online_exam' and entity_id = {of_chen} and action = 'status'"
        ))
        .await;
    assert_eq!(trail, 2, "put on the shelf, and taken off");
    let on = json!({ "id": of_chen, "putaway": "on" });
    let path = format!("{EXAM}/update/putaway");
    assert_eq!(operator.put(&path, on.clone()).await.code(), 409, "its lecturer is switched off");
    switch(true).await;
    assert_eq!(on_sale(of_chen).await, json!("off"));
    operator.put(&path, on).await.data();
    assert_eq!(on_sale(of_chen).await, json!("on"));
}
