//! The community of the operators' site: blogs, questions, labels, bloggers, shelves, recommendations and certificates (part 01 §9.8,
//! §9.10 Community, §9.11).

use chrono::TimeDelta;
use kit::{
    Client, Server,
    accounts::operator_with,
    clients::{school, signed_in},
    community::{
        ARTICLE_ZONE, BLOG, BLOGGER, CERTIFICATE, COMMUNITY_RECOMMEND, LABEL, OWN_COMMUNITY, QUESTIONS, answer, blog,
        blog_comment, blogger, certificate, labelled, question,
    },
    fields,
    learners::{EXT, entered},
    sheets::texts,
    statistics::with,
};
use poem::http::Method;
use serde_json::{Value, json};

const PHONE: &str = "13900008101";

async fn label(operator: &Client<'_>, name: &str, kind: &str) -> i64 {
    operator.post(&format!("{LABEL}/save"), json!({ "labelName": name, "labelType": kind })).await.id()
}

async fn word(operator: &Client<'_>, word: &str, action: &str) {
    let form = json!({ "words": [word], "category": "ad", "action": action });
    operator.post("/system/pc/sys/sensitive/word/library/save", form).await.data();
}

async fn waits(server: &Server, code: &str, waits: bool) {
    server
        .run(&format!(
            "insert into platform.sys_param (code, value, updated_by) values ('{code}', '{waits}', 0)
             on conflict (code) do update set value = '{waits}'"
        ))
        .await;
    server.tell("param:").await;
}

fn article(title: &str) -> Value {
    json!({ "title": title, "content": "<p>每天一小时。</p>", "articleType": "original" })
}

async fn seen(operator: &Client<'_>, entity: &str, id: i64) -> Value {
    operator.get(&format!("{entity}/view?id={id}")).await.data().clone()
}

/// §9.10 (1): labels that were used together on one blog leave one link, and the number of uses is right.
#[tokio::test]
async fn labels_fall_together_in_one() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (a, b) = (label(&operator, "备考", "blog").await, label(&operator, "备考经验", "blog").await);
    let taken =
        operator.post(&format!("{LABEL}/save"), json!({ "labelName": " 备考 ", "labelType": "question" })).await;
    assert_eq!(fields(&taken), ["labelName: 标签名称已存在"]);
    let long = operator
        .post(&format!("{LABEL}/save"), json!({ "labelName": "一二三四五六七八九十一", "labelType": "blog" }))
        .await;
    assert_eq!(long.code(), 422);
    let (both, only) = (blog(&server, 1, "同时", "approved").await, blog(&server, 1, "只有", "approved").await);
    labelled(&server, both, &[a, b]).await;
    labelled(&server, only, &[a]).await;
    assert_eq!(seen(&operator, LABEL, a).await["refCount"], json!(2));
    let used = operator.delete(&format!("{LABEL}/delete?id={a}")).await;
    assert_eq!(used.refused(), (409, "已被2条博客引用，不能删除"));
    let other = label(&operator, "统考", "question").await;
    let mixed = operator.put(&format!("{LABEL}/merge"), json!({ "fromIds": [a, other], "toId": b })).await;
    assert_eq!(fields(&mixed), ["fromIds: 只能合并同一类型的标签"]);
    let itself = operator.put(&format!("{LABEL}/merge"), json!({ "fromIds": [b], "toId": b })).await;
    assert_eq!(itself.code(), 422);
    operator.put(&format!("{LABEL}/merge"), json!({ "fromIds": [a], "toId": b })).await.data();
    let links: Vec<i64> = server.one("select array_agg(label_id order by blog_id) from platform.blog_label").await;
    assert_eq!(links, [b, b], "one link for each blog");
    assert_eq!(seen(&operator, LABEL, b).await["refCount"], json!(2));
    let gone = operator.put(&format!("{LABEL}/merge"), json!({ "fromIds": [a], "toId": b })).await;
    assert_eq!(gone.code(), 404);
    let kind = json!({ "id": b, "version": 1, "labelName": "备考经验", "labelType": "question" });
    assert_eq!(operator.put(&format!("{LABEL}/edit"), kind).await.refused(), (409, "标签已被引用，不能修改类型"));
}

/// §9.10 (2): nobody on the site sees the thirty blogs of a blogger who is switched off; here they stay.
#[tokio::test]
async fn a_blogger_who_is_switched_off_vanishes_with_all_blogs() {
    let server = Server::start().await;
    let operator = server.operator().await;
    for number in 0..30 {
        blog(&server, 7, &format!("第{number}篇"), "approved").await;
    }
    let other = blog(&server, 8, "别人的", "approved").await;
    let who = blogger(&server, 7).await;
    let shown = async || {
        let list = operator.post(&format!("{BLOG}/list"), json!({ "visible": true })).await;
        list.data()["totalCount"].clone()
    };
    assert_eq!(shown().await, json!(31));
    operator.put(&format!("{BLOGGER}/update/status"), json!({ "id": who, "enabled": false })).await.data();
    assert_eq!(shown().await, json!(1));
    let hidden = operator.post(&format!("{BLOG}/list"), json!({ "bloggerId": who, "pageSize": 50 })).await;
    assert_eq!(hidden.data()["totalCount"], json!(30), "rows are kept");
    assert!(hidden.data()["list"].as_array().expect("rows").iter().all(|row| row["visible"] == json!(false)));
    let row = seen(&operator, BLOGGER, who).await;
    assert_eq!((&row["blogCount"], &row["visibleBlogs"]), (&json!(30), &json!(0)));
    let kept = operator.delete(&format!("{BLOGGER}/delete?id={who}")).await;
    assert_eq!(kept.refused(), (409, "已被30条博客引用，不能删除"));
    operator.put(&format!("{BLOGGER}/update/status"), json!({ "id": who, "enabled": true })).await.data();
    assert_eq!(shown().await, json!(31));
    let level = json!({ "id": who, "version": seen(&operator, BLOGGER, who).await["version"], "level": 11 });
    assert_eq!(operator.put(&format!("{BLOGGER}/edit"), level).await.code(), 422);
    let rows = texts(&operator.post(&format!("{BLOG}/export"), json!({ "bloggerId": who })).await.bytes);
    assert_eq!(rows.len(), 31);
    operator.put(&format!("{BLOG}/update/putaway"), json!({ "id": other, "putaway": "off" })).await.data();
    assert_eq!(seen(&operator, BLOG, other).await["visible"], json!(false));
}

/// §9.10 (3): a certificate that expired yesterday is no badge.
#[tokio::test]
async fn a_badge_lasts_to_the_end_of_its_last_day() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let who = blogger(&server, 7).await;
    let asked = certificate(&server, 7, "高校英语教师").await;
    let silent = operator.put(&format!("{CERTIFICATE}/audit"), json!({ "id": asked, "auditStatus": "rejected" })).await;
    assert_eq!(fields(&silent), ["opinion: 请填写审核意见"]);
    let past = json!({ "id": asked, "auditStatus": "approved", "expiresOn": "2020-01-01" });
    assert_eq!(fields(&operator.put(&format!("{CERTIFICATE}/audit"), past).await), ["expiresOn: 有效期不能早于今天"]);
    let today = server.app.clock().today().to_string();
    let good = json!({ "id": asked, "auditStatus": "approved", "expiresOn": today });
    operator.put(&format!("{CERTIFICATE}/audit"), good.clone()).await.data();
    assert_eq!(operator.put(&format!("{CERTIFICATE}/audit"), good).await.refused(), (409, "该认证已审核，请刷新"));
    let shown = seen(&operator, BLOGGER, who).await;
    assert_eq!((&shown["badge"], &shown["certificateId"]), (&json!("高校英语教师"), &json!(asked)));
    let held = operator.delete(&format!("{CERTIFICATE}/delete?id={asked}")).await;
    assert_eq!(held.refused(), (409, "已通过的认证不能删除，请先撤销"));
    server.run("update platform.community_certificate set expires_on = expires_on - 1").await;
    let over = seen(&operator, BLOGGER, who).await;
    assert_eq!((&over["badge"], &over["certificateId"]), (&json!(null), &json!(null)));
    assert_eq!(seen(&operator, CERTIFICATE, asked).await["badge"], json!(false));
    server.run("update platform.community_certificate set expires_on = null").await;
    assert_eq!(seen(&operator, CERTIFICATE, asked).await["badge"], json!(true));
    operator.put(&format!("{CERTIFICATE}/revoke"), json!({ "id": asked, "reason": "证明不真实" })).await.data();
    assert_eq!(seen(&operator, BLOGGER, who).await["badge"], json!(null));
    let row = seen(&operator, CERTIFICATE, asked).await;
    assert_eq!((&row["auditStatus"], &row["revokeReason"]), (&json!("revoked"), &json!("证明不真实")));
    operator.delete(&format!("{CERTIFICATE}/delete?id={asked}")).await.data();
}

/// §9.10 (4): of two hundred blogs one was reviewed already: 199 are done, one failed.
#[tokio::test]
async fn each_of_two_hundred_blogs_is_reviewed_by_itself() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let mut ids = Vec::new();
    for number in 0..200 {
        ids.push(blog(&server, 7, &format!("第{number}篇"), "pending").await);
    }
    operator.put(&format!("{BLOG}/audit"), json!({ "id": ids[9], "auditStatus": "approved" })).await.data();
    let named = json!({ "title": "第1", "auditStatus": "approved" });
    let named = operator.post(&format!("{BLOG}/list"), named).await.data().clone();
    assert_eq!((&named["totalCount"], &named["segments"]), (&json!(0), &json!([{ "value": "pending", "count": 111 }])));
    let all = operator.post(&format!("{BLOG}/list"), json!({})).await.data().clone();
    let states = json!([{ "value": "approved", "count": 1 }, { "value": "pending", "count": 199 }]);
    assert_eq!((&all["totalCount"], &all["segments"]), (&json!(200), &states));
    let silent = operator.put(&format!("{BLOG}/batchReview"), json!({ "ids": ids, "auditStatus": "rejected" })).await;
    assert_eq!(fields(&silent), ["auditOpinion: 请填写审核意见"]);
    let done = operator.put(&format!("{BLOG}/batchReview"), json!({ "ids": ids, "auditStatus": "approved" })).await;
    assert_eq!(done.data()["done"], json!(199));
    let failed = json!([{ "id": ids[9], "name": "第9篇", "msg": "该博客已审核，请刷新" }]);
    assert_eq!(done.data()["failed"], failed);
    ids.push(1);
    assert_eq!(
        operator.put(&format!("{BLOG}/batchReview"), json!({ "ids": ids, "auditStatus": "approved" })).await.code(),
        422
    );
}

/// §9.10 (5): what somebody else deleted meanwhile is not recommended; what is shown somewhere is not deleted.
#[tokio::test]
async fn only_what_is_there_is_recommended_and_what_is_shown_stays() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let waiting = blog(&server, 7, "待审核", "pending").await;
    let early = operator.put(&format!("{BLOG}/recommend"), json!({ "id": waiting, "isRecommend": true })).await;
    assert_eq!(early.refused(), (409, "博客审核通过后才能推荐"));
    let early = operator.put(&format!("{BLOG}/top"), json!({ "id": waiting, "isTop": true })).await;
    assert_eq!(early.refused(), (409, "博客审核通过后才能置顶"));
    operator.delete(&format!("{BLOG}/delete?id={waiting}")).await.data();
    let gone = operator.put(&format!("{BLOG}/recommend"), json!({ "id": waiting, "isRecommend": true })).await;
    assert_eq!(gone.refused(), (409, "博客不存在或已被删除，请刷新"));
    let place = |id: i64| json!({ "refType": "blog", "refId": id, "position": "home" });
    let gone = operator.post(&format!("{COMMUNITY_RECOMMEND}/save"), place(waiting)).await;
    assert_eq!(gone.refused(), (409, "博客不存在或已被删除，请刷新"));
    let good = blog(&server, 7, "好文", "approved").await;
    let made = operator.post(&format!("{COMMUNITY_RECOMMEND}/save"), place(good)).await.id();
    let twice = operator.post(&format!("{COMMUNITY_RECOMMEND}/save"), place(good)).await;
    assert_eq!(twice.refused(), (409, "该内容在此位置已有推荐"));
    assert_eq!(
        operator.delete(&format!("{BLOG}/delete?id={good}")).await.refused(),
        (409, "已被1条社区推荐引用，不能删除")
    );
    operator.put(&format!("{BLOG}/update/putaway"), json!({ "id": good, "putaway": "off" })).await.data();
    let again = operator.put(&format!("{BLOG}/update/putaway"), json!({ "id": good, "putaway": "off" })).await;
    assert_eq!(again.refused(), (409, "该博客已下架"));
    for (step, field, words) in [("recommend", "isRecommend", "推荐"), ("top", "isTop", "置顶")] {
        let hidden = operator.put(&format!("{BLOG}/{step}"), json!({ "id": good, field: true })).await;
        let told = format!("该博客已下架或博主已停用，恢复展示后才能{words}");
        assert_eq!(hidden.refused(), (409, told.as_str()));
    }
    assert_eq!(seen(&operator, COMMUNITY_RECOMMEND, made).await["state"], json!("lost"));
    let side = json!({ "refType": "blog", "refId": good, "position": "side" });
    let hidden = operator.post(&format!("{COMMUNITY_RECOMMEND}/save"), side).await;
    assert_eq!(fields(&hidden), ["refId: 所选内容未在网站上展示，请重新选择"]);
    for (kind, id) in
        [("question", question(&server, "怎么准备", "approved").await), ("blogger", blogger(&server, 7).await)]
    {
        let form = json!({ "refType": kind, "refId": id, "position": "side" });
        operator.post(&format!("{COMMUNITY_RECOMMEND}/save"), form).await.id();
    }
    let list = operator.post(&format!("{COMMUNITY_RECOMMEND}/list"), json!({ "position": "side" })).await;
    assert_eq!(list.data()["totalCount"], json!(2));
    let none = json!({ "refType": "blogger", "refId": 999_999, "position": "side" });
    let none = operator.post(&format!("{COMMUNITY_RECOMMEND}/save"), none).await;
    assert_eq!(none.refused(), (409, "博主不存在或已被删除，请刷新"));
}

#[tokio::test]
async fn a_shelf_marks_what_visitors_no_longer_see() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let zone = operator.post(&format!("{ARTICLE_ZONE}/save"), json!({ "zoneTitle": "备考心得" })).await.id();
    let (first, second) = (blog(&server, 7, "甲", "approved").await, blog(&server, 8, "乙", "approved").await);
    let put = |id: i64| json!({ "zoneId": zone, "blogId": id });
    let one = operator.post(&format!("{ARTICLE_ZONE}/item/save"), put(first)).await.id();
    let two = operator.post(&format!("{ARTICLE_ZONE}/item/save"), put(second)).await.id();
    let twice = operator.post(&format!("{ARTICLE_ZONE}/item/save"), put(first)).await;
    assert_eq!(fields(&twice), ["blogId: 该博客已在专区中"]);
    let waiting = blog(&server, 7, "丙", "pending").await;
    let early = operator.post(&format!("{ARTICLE_ZONE}/item/save"), put(waiting)).await;
    assert_eq!(fields(&early), ["blogId: 所选博客未在网站上展示，请重新选择"]);
    let used = operator.delete(&format!("{BLOG}/delete?id={first}")).await;
    assert_eq!(used.refused(), (409, "已被1条专区文章引用，不能删除"));
    let switch = json!({ "id": blogger(&server, 8).await, "enabled": false });
    operator.put(&format!("{BLOGGER}/update/status"), switch).await.data();
    operator.put(&format!("{ARTICLE_ZONE}/item/sort"), json!({ "ids": [two, one] })).await.data();
    let items = operator.post(&format!("{ARTICLE_ZONE}/item/list"), json!({ "zoneId": zone })).await;
    let shown: Vec<_> =
        items.data()["list"].as_array().expect("items").iter().map(|row| (&row["title"], &row["state"])).collect();
    assert_eq!(shown, [(&json!("乙"), &json!("lost")), (&json!("甲"), &json!("shown"))]);
    operator.delete(&format!("{ARTICLE_ZONE}/delete?id={zone}")).await.data();
    let left: i64 = server.one("select count(*) from platform.blog where audit_status = 'approved'").await;
    assert_eq!(left, 2, "blogs leave the shelf and stay");
}

#[tokio::test]
async fn a_question_is_answered_and_closed() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let asked = question(&server, "怎么准备", "pending").await;
    operator.put(&format!("{QUESTIONS}/audit"), json!({ "id": asked, "auditStatus": "approved" })).await.data();
    let again = operator.put(&format!("{QUESTIONS}/audit"), json!({ "id": asked, "auditStatus": "approved" })).await;
    assert_eq!(again.refused(), (409, "该问题已审核，请刷新"));
    let good = answer(&server, asked, "先背单词", "approved").await;
    let waiting = answer(&server, asked, "加我微信", "pending").await;
    let accept = |id: i64| json!({ "id": asked, "answerId": id });
    let early = operator.put(&format!("{QUESTIONS}/accept"), accept(waiting)).await;
    assert_eq!(early.refused(), (409, "回答审核通过后才能采纳"));
    let decided = json!({ "id": asked, "answerId": waiting, "auditStatus": "rejected", "auditOpinion": "广告" });
    operator.put(&format!("{QUESTIONS}/audit"), decided).await.data();
    operator.put(&format!("{QUESTIONS}/accept"), accept(good)).await.data();
    assert_eq!(operator.put(&format!("{QUESTIONS}/accept"), accept(good)).await.refused(), (409, "该回答已采纳"));
    let other = question(&server, "别的", "approved").await;
    let stranger = answer(&server, other, "别的回答", "approved").await;
    assert_eq!(operator.put(&format!("{QUESTIONS}/accept"), accept(stranger)).await.code(), 404);
    let row = seen(&operator, QUESTIONS, asked).await;
    assert_eq!((&row["accepted"], &row["answerCount"], &row["waitingAnswers"]), (&json!(true), &json!(1), &json!(0)));
    operator.put(&format!("{QUESTIONS}/close"), json!({ "id": asked, "closed": true })).await.data();
    let twice = operator.put(&format!("{QUESTIONS}/close"), json!({ "id": asked, "closed": true })).await;
    assert_eq!(twice.refused(), (409, "该问题已关闭"));
    operator.delete(&format!("{QUESTIONS}/answer/delete?id={good}")).await.data();
    assert_eq!(
        seen(&operator, QUESTIONS, asked).await["accepted"],
        json!(false),
        "the answer went with its acceptance"
    );
    operator.delete(&format!("{QUESTIONS}/delete?id={asked}")).await.data();
    let left: i64 =
        server.one(&format!("select count(*) from platform.community_answer where question_id = {asked}")).await;
    assert_eq!(left, 0, "a question goes with its answers");
}

/// §9.11, §3.2.7: words of the library are refused, make a text wait, or are covered, also across marks.
#[tokio::test]
async fn a_learner_writes_and_words_are_looked_for() {
    let server = Server::start().await;
    let operator = server.operator().await;
    for (text, action) in [("赌博", "reject"), ("代写", "review"), ("加微信", "mask")] {
        word(&operator, text, action).await;
    }
    let labels = [label(&operator, "学习方法", "blog").await, label(&operator, "统考", "question").await];
    let (client, learner) = entered(&server, PHONE).await;
    let send = async |form: Value| client.post(&format!("{OWN_COMMUNITY}/blog/save"), form).await;
    let first = send(article("我的第一篇")).await;
    assert_eq!(first.data()["auditStatus"], json!("pending"), "blogs wait for an auditor");
    waits(&server, "community.preAudit", false).await;
    assert_eq!(send(article("怎样赌 博")).await.refused(), (422, "内容包含敏感词，请修改后提交"));
    for hidden in ["<p>远离赌<b>博</b></p>", "<p>赌&nbsp;博</p>", "<p>赌\u{200b}博</p>", "<p>赌&#x535A;</p>"] {
        let mut across = article("学习");
        across["content"] = json!(hidden);
        assert_eq!(fields(&send(across).await), ["content: 内容包含敏感词，请修改后提交"], "{hidden}");
    }
    assert_eq!(send(article("可以代写")).await.data()["auditStatus"], json!("pending"));
    let mut masked = article("心得");
    masked["content"] = json!("<p>想要笔记请加<strong>微信</strong>联系<script>x()</script></p>");
    masked["labelIds"] = json!([labels[0], labels[0]]);
    let masked = send(masked).await;
    assert_eq!(masked.data()["auditStatus"], json!("approved"));
    let operator = server.operator().await;
    let row = seen(&operator, BLOG, masked.id()).await;
    assert_eq!(row["content"], json!("<p>想要笔记请*<strong>**</strong>联系</p>"));
    assert_eq!(
        (&row["labels"], &row["summary"], &row["visible"]),
        (&json!(["学习方法"]), &json!("想要笔记请***联系"), &json!(true))
    );
    let mut wrong = article("标签");
    wrong["labelIds"] = json!([labels[1]]);
    assert_eq!(fields(&send(wrong).await), ["labelIds: 所选标签不存在或已停用，请重新选择"]);
    let mut reprint = article("转载");
    reprint["articleType"] = json!("reprint");
    assert_eq!(fields(&send(reprint.clone()).await), ["sourceUrl: 转载的文章请填写原文链接"]);
    reprint["sourceUrl"] = json!("https://example.com/a");
    send(reprint).await.data();
    let empty = json!({ "title": "空", "content": "<p> </p>", "articleType": "original" });
    assert_eq!(fields(&send(empty).await), ["content: 请填写内容"]);
    let bloggers: i64 =
        server.one(&format!("select count(*) from platform.blogger where learner_id = {learner}")).await;
    assert_eq!(bloggers, 1, "the first blog makes a blogger, the others do not");
    server.run("update platform.blogger set enabled = false").await;
    assert_eq!(send(article("停用后")).await.refused(), (409, "您的博主身份已停用，不能发表博客"));
}

#[tokio::test]
async fn learners_comment_answer_and_ask() {
    let server = Server::start().await;
    let operator = server.operator().await;
    word(&operator, "代写", "review").await;
    let (client, _) = entered(&server, PHONE).await;
    let say = async |kind: &str, id: i64, content: &str| {
        let form = json!({ "refType": kind, "refId": id, "content": content });
        client.post(&format!("{OWN_COMMUNITY}/comment/save"), form).await
    };
    let public = blog(&server, 7, "公开", "approved").await;
    let waiting = blog(&server, 7, "待审核", "pending").await;
    assert_eq!(say("blog", waiting, "好").await.code(), 404);
    let first = say("blog", public, " 好 ").await;
    assert_eq!(first.data()["auditStatus"], json!("approved"), "comments do not wait unless the param says so");
    assert_eq!(fields(&say("blog", public, &"长".repeat(501)).await), ["content: 评论应为1至500个字"]);
    let below = json!({ "refType": "blog", "refId": public, "parentId": first.id(), "content": "谢谢" });
    client.post(&format!("{OWN_COMMUNITY}/comment/save"), below).await.id();
    let looked = say("blog", public, "可以代写").await;
    assert_eq!(looked.data()["auditStatus"], json!("pending"));
    waits(&server, "comment.preAudit", true).await;
    assert_eq!(say("blog", public, "再说").await.data()["auditStatus"], json!("pending"));
    let asked = client
        .post(
            &format!("{OWN_COMMUNITY}/questions/save"),
            json!({ "title": "怎么准备", "content": "<p>三个月够吗？</p>" }),
        )
        .await;
    assert_eq!(asked.data()["auditStatus"], json!("pending"));
    assert_eq!(say("question", asked.id(), "够").await.code(), 404, "it is not seen yet");
    let operator = server.operator().await;
    operator.put(&format!("{QUESTIONS}/audit"), json!({ "id": asked.id(), "auditStatus": "approved" })).await.data();
    say("question", asked.id(), &"长".repeat(501)).await.id();
    operator.put(&format!("{QUESTIONS}/close"), json!({ "id": asked.id(), "closed": true })).await.data();
    assert_eq!(say("question", asked.id(), "够").await.refused(), (409, "该问题已关闭，不能再回答"));
    // What waits is decided on by the call of its blog.
    let decide = |blog: i64| json!({ "id": blog, "commentId": looked.id(), "auditStatus": "approved" });
    assert_eq!(operator.put(&format!("{BLOG}/audit"), decide(waiting)).await.code(), 404, "of another blog");
    operator.put(&format!("{BLOG}/audit"), decide(public)).await.data();
    assert_eq!(operator.put(&format!("{BLOG}/audit"), decide(public)).await.refused(), (409, "该评论已审核，请刷新"));
    let row = seen(&operator, BLOG, public).await;
    assert_eq!((&row["commentCount"], &row["waitingComments"]), (&json!(3), &json!(1)));
    operator.delete(&format!("{BLOG}/comment/delete?id={}", first.id())).await.data();
    let listed = operator.post(&format!("{BLOG}/comment/list"), json!({ "blogId": public })).await;
    assert_eq!(listed.data()["totalCount"], json!(2), "a comment goes with its answers");
    operator.delete(&format!("{BLOG}/delete?id={public}")).await.data();
    let left: i64 = server.one("select count(*) from platform.blog_comment").await;
    assert_eq!(left, 0, "a blog goes with its comments");
}

#[tokio::test]
async fn an_answer_stands_below_the_comment_of_its_blog() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (client, _) = entered(&server, PHONE).await;
    let (public, other) = (blog(&server, 7, "公开", "approved").await, blog(&server, 8, "另一篇", "approved").await);
    let first = blog_comment(&server, public, "好", "approved").await;
    let waiting = blog_comment(&server, public, "加我", "pending").await;
    let say = async |kind: &str, id: i64, parent: i64| {
        let form = json!({ "refType": kind, "refId": id, "parentId": parent, "content": "谢谢" });
        client.post(&format!("{OWN_COMMUNITY}/comment/save"), form).await
    };
    let below = say("blog", public, first).await.id();
    let further = say("blog", public, below).await.id();
    let parent = format!("select parent_id from platform.blog_comment where id = {further}");
    assert_eq!(server.one::<i64>(&parent).await, first, "an answer to an answer stands beside it");
    assert_eq!(say("blog", other, first).await.code(), 404, "of another blog");
    assert_eq!(say("blog", public, waiting).await.code(), 404, "nobody sees it yet");
    let asked = question(&server, "怎么准备", "approved").await;
    assert_eq!(fields(&say("question", asked, first).await), ["parentId: 只有博客的评论可以回复"]);
    let switch = json!({ "id": blogger(&server, 7).await, "enabled": false });
    operator.put(&format!("{BLOGGER}/update/status"), switch).await.data();
    assert_eq!(say("blog", public, first).await.code(), 404, "what vanished from the site is not answered");
}

/// What learners write is shown to others as it is kept, so it holds no program and leads to the web alone.
#[tokio::test]
async fn programs_are_taken_out_of_what_learners_write() {
    let server = Server::start().await;
    let (client, _) = entered(&server, PHONE).await;
    let send =
        async |more: Value| client.post(&format!("{OWN_COMMUNITY}/blog/save"), with(article("链接"), more)).await;
    let content = "<p onclick=\"x()\"><a href=\"javascript:x()\">点</a><img src=x onerror=x()><iframe src=\"https://e.com\"></iframe>我</p>";
    send(json!({ "content": content })).await.id();
    let kept: String = server.one("select content || summary from platform.blog").await;
    for mark in ["javascript", "onclick", "onerror", "<img", "<iframe"] {
        assert!(!kept.contains(mark), "{kept}");
    }
    for link in
        ["javascript:x()", "data:text/html,x", "//evil.example", "https://example.com@evil.example", "/\\evil.example"]
    {
        assert_eq!(send(json!({ "cover": link })).await.code(), 422, "{link}");
        let reprint = json!({ "articleType": "reprint", "sourceUrl": link });
        assert_eq!(send(reprint).await.code(), 422, "{link}");
    }
}

/// A blog stands in a category of blogs that is switched on, or in none.
#[tokio::test]
async fn a_blog_stands_in_a_category_of_blogs() {
    let server = Server::start().await;
    let (client, _) = entered(&server, PHONE).await;
    let category = async |kind: &str, enabled: bool| -> i64 {
        server
            .one(&format!(
                "insert into platform.online_category (category_type, category_name, enabled, created_by, updated_by)
                 values ('{kind}', '备考{enabled}', {enabled}, 0, 0) returning id"
            ))
            .await
    };
    let send = async |category: i64| {
        client
            .post(&format!("{OWN_COMMUNITY}/blog/save"), with(article("分类"), json!({ "categoryId": category })))
            .await
    };
    send(category("blog", true).await).await.id();
    let gone = "categoryId: 所选分类不存在，请重新选择";
    assert_eq!(fields(&send(category("exam", true).await).await), [gone]);
    let off = "categoryId: “备考false”已停用，请选择其他项";
    assert_eq!(fields(&send(category("blog", false).await).await), [off]);
}

#[tokio::test]
async fn whoever_is_switched_off_or_floods_sends_nothing() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (client, learner) = entered(&server, PHONE).await;
    let public = blog(&server, 7, "公开", "approved").await;
    let say = async || {
        let form = json!({ "refType": "blog", "refId": public, "content": "好" });
        client.post(&format!("{OWN_COMMUNITY}/comment/save"), form).await
    };
    let mut codes = Vec::new();
    for place in 0..30 {
        if place % 10 == 0 {
            // As fast as any client may call.
            server.app.clock().shift(TimeDelta::seconds(1));
        }
        codes.push(say().await.code());
    }
    assert_eq!((codes[19], codes[29]), (200, 429), "nobody writes thirty comments in a few seconds: {codes:?}");
    operator.put(&format!("{EXT}/update/status"), json!({ "id": learner, "enabled": false })).await.id();
    assert_eq!(say().await.refused(), (303, "账号已停用，请联系管理员"));
}

#[tokio::test]
async fn of_two_auditors_one_decides() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (text, asked) = (blog(&server, 7, "待审核", "pending").await, question(&server, "怎么准备", "pending").await);
    let claim = certificate(&server, 7, "英语教师").await;
    for (entity, id) in [(BLOG, text), (QUESTIONS, asked), (CERTIFICATE, claim)] {
        let path = format!("{entity}/audit");
        let decision = json!({ "id": id, "auditStatus": "approved" });
        let (one, two) = tokio::join!(operator.put(&path, decision.clone()), operator.put(&path, decision));
        let mut codes = [one.code(), two.code()];
        codes.sort_unstable();
        assert_eq!(codes, [200, 409], "{entity}");
    }
}

#[tokio::test]
async fn a_certificate_is_proved_by_private_pictures() {
    let server = Server::start().await;
    let (client, learner) = entered(&server, PHONE).await;
    let picture = kit::files::png(9);
    let form = json!({
        "fileName": "教师资格证.png", "size": picture.len(), "contentType": "image/png", "type": 3, "purpose": "identity",
    });
    let ticket = client.post("/user/client/upload/presign", form).await.data().clone();
    let address = ticket["url"].as_str().expect("an address");
    client.raw(Method::PUT, address, Some("image/png"), picture).await;
    client.post("/user/client/upload/complete", json!({ "key": ticket["key"] })).await.data();
    let ask = async |keys: Value| {
        let form = json!({ "certType": "teacher", "title": "中学英语教师", "proofKeys": keys });
        client.post(&format!("{OWN_COMMUNITY}/certificate/save"), form).await
    };
    let none = ask(json!(["private/platform/202611/none.png"])).await;
    assert_eq!(fields(&none), ["proofKeys: 文件不存在或未上传完成，请重新上传"]);
    let kept: i64 = server.one("select count(*) from platform.community_certificate").await;
    assert_eq!(kept, 0, "nothing is kept of what was refused");
    let asked = ask(json!([ticket["key"], ticket["key"]])).await.id();
    assert_eq!(ask(json!([ticket["key"]])).await.refused(), (409, "您的认证正在审核，请耐心等待"));
    let (stranger, _) = entered(&server, "13900008102").await;
    let borrowed = json!({ "certType": "expert", "title": "专家", "proofKeys": [ticket["key"]] });
    let borrowed = stranger.post(&format!("{OWN_COMMUNITY}/certificate/save"), borrowed).await;
    assert_eq!(fields(&borrowed), ["proofKeys: 文件不存在或未上传完成，请重新上传"], "what proves one proves no other");
    assert_eq!(stranger.get(&format!("{CERTIFICATE}/view?id={asked}")).await.code(), 403);
    let operator = server.operator().await;
    let row = seen(&operator, CERTIFICATE, asked).await;
    assert_eq!(row["proofCount"], json!(1), "a proof that was sent twice is one");
    assert_eq!((&row["learnerId"], &row["proofs"][0]["key"]), (&json!(learner), &ticket["key"]));
    assert!(row["proofs"][0]["address"].as_str().is_some_and(|address| address.contains("sig=")), "{row}");
    operator
        .put(&format!("{CERTIFICATE}/audit"), json!({ "id": asked, "auditStatus": "rejected", "opinion": "看不清" }))
        .await
        .data();
    operator.delete(&format!("{CERTIFICATE}/delete?id={asked}")).await.data();
    let owned: i64 =
        server.one("select count(*) from platform.file_object where owner_type = 'community_certificate'").await;
    assert_eq!(owned, 0, "its proofs are nobody's then");
}

/// Whoever lacks the code, and whoever is no learner, gets nowhere.
#[tokio::test]
async fn others_are_refused() {
    let server = Server::start().await;
    let row = blog(&server, 7, "公开", "approved").await;
    let said = blog_comment(&server, row, "好", "approved").await;
    let narrow = operator_with(&server, "narrow", &["user:pc:community:blog:list"]).await;
    narrow.post(&format!("{BLOG}/list"), json!({})).await.data();
    assert_eq!(narrow.put(&format!("{BLOG}/top"), json!({ "id": row, "isTop": true })).await.code(), 403);
    assert_eq!(narrow.delete(&format!("{BLOG}/comment/delete?id={said}")).await.code(), 403);
    assert_eq!(narrow.post(&format!("{CERTIFICATE}/list"), json!({})).await.code(), 403);
    assert_eq!(narrow.post(&format!("{OWN_COMMUNITY}/blog/save"), article("后台")).await.code(), 403);
    assert_eq!(server.anonymous().post(&format!("{OWN_COMMUNITY}/blog/save"), article("无")).await.code(), 301);
    let (learner, _) = entered(&server, PHONE).await;
    assert_eq!(learner.post(&format!("{BLOG}/list"), json!({})).await.refused(), (403, "当前身份不能访问"));
    school(&server).await;
    let teacher = signed_in(&server).await;
    assert_eq!(teacher.post(&format!("{OWN_COMMUNITY}/blog/save"), article("教师")).await.code(), 403);
    assert_eq!(server.staff(1, &[]).await.post(&format!("{BLOG}/list"), json!({})).await.code(), 403);
}
