//! The help centre: each audience's desk in a school and at the operators', who reads, who asks and who answers.

use kit::support::{OWN, READ, SUPPORT, open};
use serde_json::json;

use super::{Life, MARK, id};

/// In the order of their words.
const AUDIENCES: [&str; 4] = ["school", "site", "student", "teacher"];

/// Everything that a desk does with categories and articles; answers the number of an article that is read.
async fn desk(life: &mut Life<'_>, audience: &str) -> i64 {
    let base = format!("{SUPPORT}/{audience}");
    let named = |name: &str| json!({ "name": format!("{MARK}{name}") });
    let category = id(&life.post(&format!("{base}/category/save"), named("报名")).await);
    let other = id(&life.post(&format!("{base}/category/save"), named("学习")).await);
    let mut edit = named("报名与缴费");
    (edit["id"], edit["version"]) = (json!(category), json!(1));
    life.put(&format!("{base}/category/edit"), edit).await;
    life.put(&format!("{base}/category/sort"), json!({ "ids": [other, category] })).await;
    life.post(&format!("{base}/category/list"), json!({})).await;
    life.delete(&format!("{base}/category/delete?id={other}")).await;

    let form = |title: &str| json!({ "categoryId": category, "title": format!("{MARK}{title}"), "content": format!("<p>{MARK}正文</p>") });
    let made = id(&life.post(&format!("{base}/save"), form("如何缴费")).await);
    let mut edit = form("如何缴纳学费");
    (edit["id"], edit["version"]) = (json!(made), json!(1));
    life.put(&format!("{base}/edit"), edit).await;
    let mut more = Vec::new();
    for title in ["一", "二", "三"] {
        more.push(id(&life.post(&format!("{base}/save"), form(title)).await));
    }
    // There and back, so that whoever repeats both changes something each time.
    life.put(&format!("{base}/sort"), json!({ "ids": [more[0], made] })).await;
    life.put(&format!("{base}/sort"), json!({ "ids": [made, more[0]] })).await;
    life.put(&format!("{base}/publish"), json!({ "ids": [made, more[0]] })).await;
    life.put(&format!("{base}/offline"), json!({ "ids": [more[0]] })).await;
    life.get(&format!("{base}/view?id={made}")).await;
    life.post(&format!("{base}/list"), json!({})).await;
    life.post(&format!("{base}/export"), json!({ "part": "articles" })).await;
    life.post(&format!("{base}/stat"), json!({})).await;
    life.delete(&format!("{base}/delete?id={}", more[1])).await;
    let gone = life.post(&format!("{base}/batchDel"), json!({ "ids": [more[2]] })).await;
    assert_eq!(gone["done"], json!(1), "{gone}");
    made
}

/// A question as somebody in a client, or another school's staff, would leave it.
async fn asked(life: &Life<'_>, schema: &str, audience: &str, school: Option<i64>, site: Option<i64>) -> i64 {
    let kind = if audience == "school" { "school_staff" } else { "site_staff" };
    let null = |id: Option<i64>| id.map_or_else(|| "null".to_owned(), |id| id.to_string());
    life.server
        .one(&format!(
            "insert into {schema}.support_question (audience, school_id, asker_kind, asker_id, asker_name, site_id, title, content,
                 asked_at, created_by, updated_by)
             values ('{audience}', {}, '{kind}', 1, '{MARK}提问人', {}, '{MARK}如何缴费', '{MARK}请问如何缴费？', now(), 0, 0)
             returning id",
            null(school),
            null(site)
        ))
        .await
}

/// Looks at a question in every way, hands it over and replies.
async fn answered(life: &mut Life<'_>, audience: &str, question: i64) {
    let base = format!("{SUPPORT}/{audience}/question");
    life.post(&format!("{base}/list"), json!({})).await;
    let seen = life.get(&format!("{base}/view?id={question}&assignees=true")).await;
    let person = seen["assignees"][0]["id"].clone();
    let done = life.put(&format!("{base}/assign"), json!({ "ids": [question], "userId": person })).await;
    assert_eq!(done["done"], json!(1), "{done}");
    let version = life.get(&format!("{base}/view?id={question}")).await["version"].clone();
    let words = json!({ "id": question, "version": version, "content": format!("{MARK}请到站点缴费") });
    life.put(&format!("{base}/reply"), words).await;
}

/// What everybody of the console may read.
async fn read(life: &mut Life<'_>, source: &str, article: i64) {
    life.get(&format!("{READ}/tree?audience=school")).await;
    life.post(&format!("{READ}/search"), json!({ "keyword": "没有这样的词" })).await;
    life.get(&format!("{READ}/article?source={source}&id={article}")).await;
    life.post(&format!("{READ}/feedback"), json!({ "source": source, "id": article, "helpful": true })).await;
}

/// An article of the operators for all schools; nothing in it is school 1's.
async fn of_platform(life: &Life<'_>, audience: &str) -> i64 {
    life.server
        .one(&format!(
            "with c as (
                 insert into platform.support_category (audience, name, created_by, updated_by)
                 values ('{audience}', '平台', 0, 0) returning id),
             a as (
                 insert into platform.support_article (audience, category_id, title, content, status, version_no, changed, published_at,
                     created_by, updated_by)
                 select '{audience}', id, '平台文章', '<p>正文</p>', 'published', 1, false, now(), 0, 0 from c returning id)
             insert into platform.support_article_version (article_id, version_no, title, content, content_text, searched, grams,
                 published_at, published_by, published_name)
             select id, 1, '平台文章', '<p>正文</p>', '正文', '平台文章', '{{}}', now(), 0, '运营' from a
             returning article_id"
        ))
        .await
}

pub(super) async fn school(life: &mut Life<'_>, site: i64) {
    open(life.server).await;
    let mut own = 0;
    for audience in AUDIENCES {
        let made = desk(life, audience).await;
        let theirs = of_platform(life, audience).await;
        for hidden in [true, false] {
            life.put(&format!("{SUPPORT}/{audience}/hide"), json!({ "id": theirs, "hidden": hidden })).await;
        }
        if audience == "school" {
            own = made;
            continue;
        }
        let question = asked(life, "school_1", audience, None, Some(site)).await;
        answered(life, audience, question).await;
    }
    read(life, "school", own).await;

    let base = format!("{SUPPORT}/school/question");
    let ask = json!({ "title": format!("{MARK}导入失败"), "content": format!("{MARK}导入时提示编码不存在") });
    let question = id(&life.post(&format!("{base}/ask"), ask).await);
    life.post(&format!("{base}/list"), json!({})).await;
    life.get(&format!("{base}/view?id={question}")).await;
    life.post(&format!("{base}/append"), json!({ "id": question, "content": format!("{MARK}再试仍然失败") })).await;
    life.post(&format!("{base}/own"), json!({})).await;
    life.put(&format!("{base}/close"), json!({ "id": question, "satisfied": false })).await;
}

/// Only what operators do outside schools.
pub(super) async fn platform(life: &mut Life<'_>) {
    open(life.server).await;
    let mut own = 0;
    for audience in AUDIENCES {
        let made = desk(life, audience).await;
        if audience == "school" {
            own = made;
        }
    }
    let question = asked(life, "platform", "school", Some(1), None).await;
    answered(life, "school", question).await;
    read(life, "platform", own).await;
}

/// Somebody in a client, who reads and asks.
pub(super) async fn client(life: &mut Life<'_>) {
    open(life.server).await;
    let article = of_platform(life, "teacher").await;
    life.get(&format!("{OWN}/tree")).await;
    life.post(&format!("{OWN}/search"), json!({ "keyword": "没有这样的词" })).await;
    life.get(&format!("{OWN}/article?source=platform&id={article}")).await;
    let said = json!({ "source": "platform", "id": article, "helpful": true });
    life.post(&format!("{OWN}/feedback"), said).await;
    let words = json!({ "requestId": "1", "title": "课酬何时发放", "content": "请问本学期课酬何时发放？" });
    let question = id(&life.post(&format!("{OWN}/question/save"), words).await);
    life.post(&format!("{OWN}/question/list"), json!({})).await;
    let more = json!({ "requestId": "2", "id": question, "content": "还没有收到。" });
    life.post(&format!("{OWN}/question/append"), more).await;
    life.put(&format!("{OWN}/question/close"), json!({ "id": question, "satisfied": true })).await;
}
