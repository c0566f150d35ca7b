//! The introduction of a set of material, which is rich text.

use kit::{
    Server,
    cohort::registrar,
    courses::{RECORD, course, record},
    fields,
    sheets::texts,
};
use serde_json::{Value, json};

/// The introduction is rich text (part 03 A6): clean when it comes, counted by its words, plain in a sheet.
#[tokio::test]
async fn an_introduction_keeps_its_marks_and_nothing_that_runs() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "A", "大学英语").await;
    let html = "<p onclick=\"x()\">本课<strong>重点</strong><script>x()</script></p><ul><li><p>语音</p></li></ul>\
                <a href=\"javascript:x()\">大纲</a><img src=\"x\" onerror=\"x()\">";
    let mut form = json!({ "courseId": course, "name": "甲", "source": "own", "introduction": html });
    let id = admin.post(&format!("{RECORD}/save"), form.clone()).await.id();
    let clean =
        "<p>本课<strong>重点</strong></p><ul><li><p>语音</p></li></ul><a rel=\"noopener noreferrer nofollow\">大纲</a>";
    let seen = admin.get(&format!("{RECORD}/view?id={id}")).await;
    assert_eq!(seen.data()["introduction"], json!(clean));
    let trail: String = server.one("select string_agg(changes::text, ' ') from school_1.audit_log").await;
    assert!(!trail.contains("onerror") && !trail.contains("script"), "{trail}");
    let rows = texts(&admin.post(&format!("{RECORD}/export"), json!({ "courseId": course })).await.bytes);
    let place = rows[0].iter().position(|heading| heading == "简介").expect("a column");
    assert_eq!(rows[1][place], "本课重点\n语音\n大纲");

    (form["id"], form["version"]) = (json!(id), json!(1));
    let edit = format!("{RECORD}/edit");
    form["introduction"] = json!(format!("<p><strong>{}</strong></p>", "字".repeat(2_001)));
    assert_eq!(fields(&admin.put(&edit, form.clone()).await), ["introduction: 简介不能超过2000个字符"]);
    form["introduction"] = json!(format!("<p><strong>{}</strong></p>", "字".repeat(2_000)));
    assert_eq!(admin.put(&edit, form.clone()).await.code(), 200, "marks do not count");
    (form["version"], form["introduction"]) = (json!(2), json!("<p> </p><ul><li></li></ul>"));
    assert_eq!(admin.put(&edit, form).await.code(), 200);
    let words: i64 = server.one("select count(*) from school_1.course_record where introduction is not null").await;
    assert_eq!(words, 0, "without words it is none");
}

/// What was typed before introductions were rich text reads as it did.
#[tokio::test]
async fn an_introduction_of_old_becomes_paragraphs() {
    const BECOMES_RICH: &str = include_str!("../../../migrations/school/0017_courses_introduction.sql");
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "A", "大学英语").await;
    let (old, none) = (record(&admin, course, "甲").await, record(&admin, course, "乙").await);
    let typed =
        format!("update school_1.course_record set introduction = E'第一行 <b>A & B\\r\\n第二行' where id = {old}");
    server.run(&typed).await;
    server.run(&format!("set search_path = school_1;\n{BECOMES_RICH}")).await;
    let seen = admin.get(&format!("{RECORD}/view?id={old}")).await;
    assert_eq!(seen.data()["introduction"], json!("<p>第一行 &lt;b&gt;A &amp; B</p><p>第二行</p>"));
    let seen = admin.get(&format!("{RECORD}/view?id={none}")).await;
    assert_eq!(seen.data()["introduction"], Value::Null);
}
