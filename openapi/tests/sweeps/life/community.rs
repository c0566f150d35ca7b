//! What learners write on the operators' site, and what operators make of it.

use kit::community::{
    ARTICLE_ZONE, BLOG, BLOGGER, CERTIFICATE, COMMUNITY_RECOMMEND, LABEL, QUESTIONS, answer, blog, blog_comment,
    blogger, certificate, question,
};
use serde_json::{Value, json};

use super::{Life, id};

const LEARNER: i64 = 900_001;

pub(super) async fn live(life: &mut Life<'_>) {
    labels(life).await;
    let shown = blogs(life).await;
    questions(life).await;
    bloggers(life).await;
    zones(life, shown).await;
    recommends(life, shown).await;
    certificates(life).await;
}

async fn edited(life: &mut Life<'_>, entity: &str, id: i64, mut form: Value) {
    form["id"] = json!(id);
    form["version"] = life.get(&format!("{entity}/view?id={id}")).await["version"].clone();
    life.put(&format!("{entity}/edit"), form).await;
}

async fn switched(life: &mut Life<'_>, entity: &str, id: i64) {
    for enabled in [false, true] {
        life.put(&format!("{entity}/update/status"), json!({ "id": id, "enabled": enabled })).await;
    }
}

async fn listed(life: &mut Life<'_>, entity: &str) {
    life.post(&format!("{entity}/list"), json!({})).await;
    life.post(&format!("{entity}/export"), json!({})).await;
}

async fn labels(life: &mut Life<'_>) {
    let form = |name: &str| json!({ "labelName": name, "labelType": "blog" });
    let mut made = Vec::new();
    for name in ["甲", "乙", "丙", "丁"] {
        made.push(id(&life.post(&format!("{LABEL}/save"), form(name)).await));
    }
    listed(life, LABEL).await;
    edited(life, LABEL, made[0], form("戊")).await;
    switched(life, LABEL, made[0]).await;
    life.put(&format!("{LABEL}/merge"), json!({ "fromIds": [made[0]], "toId": made[1] })).await;
    life.delete(&format!("{LABEL}/delete?id={}", made[2])).await;
    life.post(&format!("{LABEL}/batchDel"), json!({ "ids": [made[3]] })).await;
}

/// Answers a blog that visitors see.
async fn blogs(life: &mut Life<'_>) -> i64 {
    let server = life.server;
    let mut waiting = Vec::new();
    for title in ["一", "二", "三", "四"] {
        waiting.push(blog(server, LEARNER, title, "pending").await);
    }
    listed(life, BLOG).await;
    life.get(&format!("{BLOG}/view?id={}", waiting[0])).await;
    life.put(&format!("{BLOG}/audit"), json!({ "id": waiting[0], "auditStatus": "approved" })).await;
    let several = json!({ "ids": [waiting[1]], "auditStatus": "rejected", "auditOpinion": "与学习无关" });
    life.put(&format!("{BLOG}/batchReview"), several).await;
    life.put(&format!("{BLOG}/top"), json!({ "id": waiting[0], "isTop": true })).await;
    life.put(&format!("{BLOG}/recommend"), json!({ "id": waiting[0], "isRecommend": true })).await;
    for putaway in ["off", "on"] {
        life.put(&format!("{BLOG}/update/putaway"), json!({ "id": waiting[0], "putaway": putaway })).await;
    }
    let comment = blog_comment(server, waiting[0], "好", "approved").await;
    life.post(&format!("{BLOG}/comment/list"), json!({ "blogId": waiting[0] })).await;
    life.delete(&format!("{BLOG}/comment/delete?id={comment}")).await;
    life.delete(&format!("{BLOG}/delete?id={}", waiting[2])).await;
    life.post(&format!("{BLOG}/batchDel"), json!({ "ids": [waiting[3]] })).await;
    waiting[0]
}

async fn questions(life: &mut Life<'_>) {
    let server = life.server;
    let mut asked = Vec::new();
    for title in ["一", "二", "三"] {
        asked.push(question(server, title, "pending").await);
    }
    listed(life, QUESTIONS).await;
    life.get(&format!("{QUESTIONS}/view?id={}", asked[0])).await;
    life.put(&format!("{QUESTIONS}/audit"), json!({ "id": asked[0], "auditStatus": "approved" })).await;
    let (good, other) =
        (answer(server, asked[0], "甲", "approved").await, answer(server, asked[0], "乙", "approved").await);
    life.post(&format!("{QUESTIONS}/answer/list"), json!({ "questionId": asked[0] })).await;
    life.put(&format!("{QUESTIONS}/accept"), json!({ "id": asked[0], "answerId": good })).await;
    life.put(&format!("{QUESTIONS}/close"), json!({ "id": asked[0], "closed": true })).await;
    life.delete(&format!("{QUESTIONS}/answer/delete?id={other}")).await;
    life.delete(&format!("{QUESTIONS}/delete?id={}", asked[1])).await;
    life.post(&format!("{QUESTIONS}/batchDel"), json!({ "ids": [asked[2]] })).await;
}

async fn bloggers(life: &mut Life<'_>) {
    let server = life.server;
    let (first, second) = (blogger(server, LEARNER + 1).await, blogger(server, LEARNER + 2).await);
    listed(life, BLOGGER).await;
    edited(life, BLOGGER, first, json!({ "level": 3 })).await;
    switched(life, BLOGGER, first).await;
    life.delete(&format!("{BLOGGER}/delete?id={first}")).await;
    life.post(&format!("{BLOGGER}/batchDel"), json!({ "ids": [second] })).await;
}

async fn zones(life: &mut Life<'_>, shown: i64) {
    const ITEM: &str = "/user/pc/community/article/zone/item";
    let form = |title: &str| json!({ "zoneTitle": title });
    let mut made = Vec::new();
    for title in ["甲", "乙", "丙"] {
        made.push(id(&life.post(&format!("{ARTICLE_ZONE}/save"), form(title)).await));
    }
    listed(life, ARTICLE_ZONE).await;
    edited(life, ARTICLE_ZONE, made[0], form("丁")).await;
    switched(life, ARTICLE_ZONE, made[0]).await;
    life.put(&format!("{ARTICLE_ZONE}/sort"), json!({ "ids": [made[0], made[1]] })).await;
    let other = blog(life.server, LEARNER, "另一篇", "approved").await;
    let mut items = Vec::new();
    for blog in [shown, other] {
        items.push(id(&life.post(&format!("{ITEM}/save"), json!({ "zoneId": made[0], "blogId": blog })).await));
    }
    life.post(&format!("{ITEM}/list"), json!({ "zoneId": made[0] })).await;
    life.put(&format!("{ITEM}/sort"), json!({ "ids": [items[1], items[0]] })).await;
    life.delete(&format!("{ITEM}/delete?id={}", items[0])).await;
    life.delete(&format!("{ARTICLE_ZONE}/delete?id={}", made[1])).await;
    life.post(&format!("{ARTICLE_ZONE}/batchDel"), json!({ "ids": [made[2]] })).await;
}

async fn recommends(life: &mut Life<'_>, shown: i64) {
    let form = |blog: i64, place: &str| json!({ "refType": "blog", "refId": blog, "position": place });
    let made = id(&life.post(&format!("{COMMUNITY_RECOMMEND}/save"), form(shown, "home")).await);
    let other = blog(life.server, LEARNER, "再一篇", "approved").await;
    let beside = id(&life.post(&format!("{COMMUNITY_RECOMMEND}/save"), form(other, "home")).await);
    listed(life, COMMUNITY_RECOMMEND).await;
    let mut edit = form(shown, "home");
    edit["sort"] = json!(7);
    edited(life, COMMUNITY_RECOMMEND, made, edit).await;
    switched(life, COMMUNITY_RECOMMEND, made).await;
    life.put(&format!("{COMMUNITY_RECOMMEND}/sort"), json!({ "ids": [made, beside] })).await;
    life.delete(&format!("{COMMUNITY_RECOMMEND}/delete?id={made}")).await;
    life.post(&format!("{COMMUNITY_RECOMMEND}/batchDel"), json!({ "ids": [beside] })).await;
}

async fn certificates(life: &mut Life<'_>) {
    let server = life.server;
    let mut asked = Vec::new();
    for learner in 1..=3 {
        asked.push(certificate(server, LEARNER + learner, "英语教师").await);
    }
    listed(life, CERTIFICATE).await;
    life.get(&format!("{CERTIFICATE}/view?id={}", asked[0])).await;
    life.put(&format!("{CERTIFICATE}/audit"), json!({ "id": asked[0], "auditStatus": "approved" })).await;
    life.put(&format!("{CERTIFICATE}/revoke"), json!({ "id": asked[0], "reason": "证明不真实" })).await;
    life.delete(&format!("{CERTIFICATE}/delete?id={}", asked[1])).await;
    life.post(&format!("{CERTIFICATE}/batchDel"), json!({ "ids": [asked[2]] })).await;
}
