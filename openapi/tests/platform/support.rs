//! The help centre of the operators: what they write for all schools or some, and what schools' staff ask them (part 05 B).

use chrono::TimeDelta;
use kit::{
    Answer, Client, Server,
    accounts::{admin, operator_with},
    fields,
    files::uploaded,
    rows::manage,
    support::{
        READ, SUPPORT, article, category, draft, edit, found, number_of, open, publish, published, viewed, with,
    },
};
use serde_json::{Value, json};

const STUDENT: &str = "/system/pc/support/student";

/// The titles of a page of the desk, in its order.
fn titles(page: &Answer) -> Vec<&str> {
    page.data()["list"].as_array().expect("articles").iter().filter_map(|row| row["title"].as_str()).collect()
}

async fn read(client: &Client<'_>, source: &str, id: i64) -> Answer {
    client.get(&format!("{READ}/article?source={source}&id={id}")).await
}

/// B8 1 and 2.
#[tokio::test]
async fn an_article_is_found_where_it_is_for_and_not_where_it_is_hidden() {
    let server = Server::start().await;
    open(&server).await;
    let (operator, one, two) = (server.operator().await, admin(&server, 1).await, admin(&server, 2).await);
    let place = category(&operator, "student", "报名与缴费").await;
    let some = with(article(place, "本省报名须知", "请看通知"), json!({ "schoolIds": [2] }));
    let of_two = published(&operator, "student", some).await;
    let of_all = published(&operator, "student", article(place, "如何缴费", "请登录后缴费")).await;

    let students = json!({ "audience": "student" });
    assert_eq!(found(&one, READ, students.clone()).await, ["如何缴费"]);
    assert_eq!(found(&two, READ, students.clone()).await.len(), 2);
    assert_eq!(found(&one, READ, json!({ "audience": "student", "keyword": "须知" })).await, [""; 0]);
    assert_eq!(read(&one, "platform", of_two).await.code(), 404);
    let seen = read(&two, "platform", of_two).await;
    assert_eq!(seen.data()["title"], json!("本省报名须知"));
    // At the desk of a school stands what the operators publish for it, and of another school not even the number.
    let desk =
        async |client: &Client<'_>| client.post(&format!("{STUDENT}/list"), json!({ "source": "platform" })).await;
    assert_eq!(titles(&desk(&one).await), ["如何缴费"]);
    assert_eq!(one.get(&format!("{STUDENT}/view?source=platform&id={of_two}")).await.code(), 404);
    assert_eq!(one.post(&format!("{STUDENT}/list"), json!({})).await.data()["totalCount"], json!(0));

    let hide = json!({ "id": of_all, "hidden": true });
    assert_eq!(one.put(&format!("{STUDENT}/hide"), hide.clone()).await.code(), 200);
    assert_eq!(found(&one, READ, students.clone()).await, [""; 0]);
    assert_eq!(read(&one, "platform", of_all).await.code(), 404);
    assert_eq!(desk(&one).await.data()["list"][0]["hidden"], json!(true));
    assert_eq!(found(&two, READ, students.clone()).await.len(), 2, "another school's people still find it");
    let told = operator.get(&format!("{STUDENT}/view?id={of_all}")).await;
    assert_eq!(told.data()["hiddenSchools"], json!(1));
    assert_eq!(two.get(&format!("{STUDENT}/view?source=platform&id={of_all}")).await.data()["hiddenSchools"], json!(0));
    let elsewhere = json!({ "id": of_two, "hidden": true });
    assert_eq!(one.put(&format!("{STUDENT}/hide"), elsewhere).await.code(), 404);
    assert_eq!(operator.put(&format!("{STUDENT}/hide"), hide).await.code(), 403, "operators hide nothing");
    let back = json!({ "id": of_all, "hidden": false });
    assert_eq!(one.put(&format!("{STUDENT}/hide"), back).await.code(), 200);
    assert_eq!(found(&one, READ, students).await, ["如何缴费"]);
}

/// B8 3.
#[tokio::test]
async fn readers_see_what_was_published_last() {
    let server = Server::start().await;
    open(&server).await;
    let (operator, reader) = (server.operator().await, admin(&server, 1).await);
    let place = category(&operator, "school", "入门").await;
    let id = published(&operator, "school", article(place, "第一版", "一")).await;
    assert_eq!(edit(&operator, "school", id, json!({ "title": "第二版" })).await.code(), 200);
    publish(&operator, "school", id).await;
    assert_eq!(edit(&operator, "school", id, json!({ "title": "第三版" })).await.code(), 200);
    publish(&operator, "school", id).await;
    assert_eq!(edit(&operator, "school", id, json!({ "title": "第四版", "content": "<p>四</p>" })).await.code(), 200);

    let seen = async || read(&reader, "platform", id).await.data()["title"].clone();
    assert_eq!(seen().await, json!("第三版"));
    assert_eq!(found(&reader, READ, json!({ "keyword": "第四版" })).await, [""; 0]);
    let own = viewed(&operator, "school", id).await;
    assert_eq!((&own["title"], &own["versionNo"], &own["changed"]), (&json!("第四版"), &json!(3), &json!(true)));
    let there = reader.get(&format!("{SUPPORT}/school/view?source=platform&id={id}")).await;
    assert_eq!(there.data()["title"], json!("第三版"), "what is being written is nobody else's");
    publish(&operator, "school", id).await;
    assert_eq!(seen().await, json!("第四版"));

    // The second version again, as a draft.
    let second = operator.get(&format!("{SUPPORT}/school/view?id={id}&versionNo=2")).await.data().clone();
    assert_eq!((&second["title"], &second["versions"].as_array().map(Vec::len)), (&json!("第二版"), &Some(4)));
    let again = json!({ "title": second["title"], "content": second["content"] });
    assert_eq!(edit(&operator, "school", id, again).await.code(), 200);
    assert_eq!(seen().await, json!("第四版"));
    publish(&operator, "school", id).await;
    assert_eq!((seen().await, viewed(&operator, "school", id).await["versionNo"].clone()), (json!("第二版"), json!(5)));
    // What is the same as readers see needs no publication.
    let refused = operator.put(&format!("{SUPPORT}/school/publish"), json!({ "ids": [id] })).await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!("文章没有未发布的修改，无需再次发布"));
}

/// B8 4.
#[tokio::test]
async fn an_article_is_published_once_at_its_moment() {
    let server = Server::start().await;
    open(&server).await;
    let (operator, staff) = (server.operator().await, admin(&server, 1).await);
    let now = server.app.clock().now();
    let (place, own) = (category(&operator, "student", "报名").await, category(&staff, "student", "报名").await);
    let of_platform = draft(&operator, "student", article(place, "平台通知", "一")).await;
    let of_school = draft(&staff, "student", article(own, "本校通知", "一")).await;
    let at = |minutes: i64| (now + TimeDelta::minutes(minutes)).to_rfc3339();
    for (client, id) in [(&operator, of_platform), (&staff, of_school)] {
        let past = client.put(&format!("{STUDENT}/publish"), json!({ "ids": [id], "publishAt": at(-1) })).await;
        assert_eq!(fields(&past), ["publishAt: 定时发布时间必须晚于当前时间"]);
        let wanted = json!({ "ids": [id], "publishAt": at(60) });
        assert_eq!(client.put(&format!("{STUDENT}/publish"), wanted).await.data()["done"], json!(1));
        let early = edit(client, "student", id, json!({ "offlineAt": at(30) })).await;
        assert_eq!(fields(&early), ["offlineAt: 定时下线时间必须晚于定时发布时间"]);
        assert_eq!(edit(client, "student", id, json!({ "offlineAt": at(180) })).await.code(), 200);
    }
    let status = async |schema: &str, id: i64| -> String {
        server.one(&format!("select status from {schema}.support_article where id = {id}")).await
    };
    server.when_due("support.schedule", TimeDelta::minutes(30)).await;
    assert_eq!(status("platform", of_platform).await, "draft");
    // Two servers look; one of them finds the article.
    let other = Server::beside(&server).await;
    server.when_due("support.schedule", TimeDelta::minutes(31)).await;
    server.when_due("support.schedule", TimeDelta::minutes(2)).await;
    other.close().await;
    for (schema, id) in [("platform", of_platform), ("school_1", of_school)] {
        assert_eq!(status(schema, id).await, "published", "{schema}");
        let versions = format!("select count(*) from {schema}.support_article_version where article_id = {id}");
        assert_eq!(server.one::<i64>(&versions).await, 1, "{schema}");
    }
    server.when_due("support.schedule", TimeDelta::hours(3)).await;
    assert_eq!(status("platform", of_platform).await, "offline");
    assert_eq!(status("school_1", of_school).await, "offline");
}

/// What may not be published at its moment waits for a person, and nobody tries every minute.
#[tokio::test]
async fn what_cannot_be_published_at_its_moment_waits() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let place = category(&operator, "site", "招生").await;
    let id = draft(&operator, "site", article(place, "招生简章", "一")).await;
    let at = (server.app.clock().now() + TimeDelta::minutes(10)).to_rfc3339();
    operator.put(&format!("{SUPPORT}/site/publish"), json!({ "ids": [id], "publishAt": at })).await.data();
    let off = json!({ "id": place, "version": 1, "name": "招生", "enabled": false });
    assert_eq!(operator.put(&format!("{SUPPORT}/site/category/edit"), off).await.code(), 200);
    let now = operator.put(&format!("{SUPPORT}/site/publish"), json!({ "ids": [id] })).await;
    assert_eq!(now.data()["failed"][0]["msg"], json!("分类已停用，不能发布"));
    server.when_due("support.schedule", TimeDelta::minutes(11)).await;
    let seen = viewed(&operator, "site", id).await;
    assert_eq!((&seen["status"], &seen["publishAt"]), (&json!("draft"), &Value::Null));
    let told: Value =
        server.one("select errors from platform.job where kind = 'support.schedule' order by id desc limit 1").await;
    assert_eq!((&told[0]["name"], &told[0]["msg"]), (&json!("招生简章"), &json!("分类已停用，不能发布")));
}

/// B8 5, with the other refusals of the desk.
#[tokio::test]
async fn what_is_read_goes_offline_before_it_goes() {
    let server = Server::start().await;
    open(&server).await;
    let operator = server.operator().await;
    let place = category(&operator, "student", "考试").await;
    let id = published(&operator, "student", article(place, "准考证打印", "一")).await;
    for title in ["缓考", "补考"] {
        draft(&operator, "student", article(place, title, "一")).await;
    }
    let deleted = async |id: i64| operator.delete(&format!("{STUDENT}/delete?id={id}")).await;
    assert_eq!(deleted(id).await.refused(), (409, "已发布的文章请先下线"));
    let refused = operator.delete(&format!("{STUDENT}/category/delete?id={place}")).await;
    assert_eq!(refused.refused(), (409, "分类下有3篇文章，不能删除"));
    let taken = operator.post(&format!("{STUDENT}/save"), article(place, "缓考", "一")).await;
    assert_eq!(fields(&taken), ["title: 该分类下已有相同标题的文章"]);
    let bare = operator.post(&format!("{STUDENT}/save"), article(place, "空白", "")).await;
    assert_eq!(fields(&bare), ["content: 正文不能为空"]);
    assert_eq!(
        fields(&operator.post(&format!("{STUDENT}/save"), article(place + 1000, "无分类", "一")).await),
        ["categoryId: 所选分类不存在，请重新选择"]
    );
    // Another audience's desk knows nothing of it.
    assert_eq!(operator.get(&format!("{SUPPORT}/teacher/view?id={id}")).await.code(), 404);
    assert_eq!(
        operator.put(&format!("{SUPPORT}/teacher/offline"), json!({ "ids": [id] })).await.data()["done"],
        json!(0)
    );

    assert_eq!(operator.put(&format!("{STUDENT}/offline"), json!({ "ids": [id] })).await.data()["done"], json!(1));
    assert_eq!(deleted(id).await.code(), 200);
    let below =
        operator.post(&format!("{STUDENT}/category/save"), json!({ "name": "补考", "parentId": place })).await.id();
    let deeper = json!({ "name": "更深", "parentId": below });
    let deeper = operator.post(&format!("{STUDENT}/category/save"), deeper).await;
    assert_eq!(fields(&deeper), ["parentId: 分类最多2级"]);
    server.run("delete from platform.support_article").await;
    let refused = operator.delete(&format!("{STUDENT}/category/delete?id={place}")).await;
    assert_eq!(refused.refused(), (409, "分类下有1个下级分类，不能删除"));
    for category in [below, place] {
        assert_eq!(operator.delete(&format!("{STUDENT}/category/delete?id={category}")).await.code(), 200);
    }
}

#[tokio::test]
async fn five_of_a_category_stand_before_the_others() {
    let server = Server::start().await;
    open(&server).await;
    let (operator, reader) = (server.operator().await, admin(&server, 1).await);
    let (place, other) = (category(&operator, "school", "入门").await, category(&operator, "school", "教务").await);
    let pinned = |title: String| with(article(place, &title, "一"), json!({ "pinned": true }));
    let mut ids = Vec::new();
    for n in 1..=5 {
        ids.push(published(&operator, "school", pinned(format!("置顶{n}"))).await);
    }
    let sixth = operator.post(&format!("{SUPPORT}/school/save"), pinned("置顶6".to_owned())).await;
    assert_eq!(sixth.refused(), (409, "每个分类最多置顶5篇"));
    let plain = published(&operator, "school", article(place, "普通", "一")).await;
    assert_eq!(
        edit(&operator, "school", plain, json!({ "pinned": true })).await.refused(),
        (409, "每个分类最多置顶5篇")
    );
    assert_eq!(edit(&operator, "school", ids[0], json!({ "sort": 9 })).await.code(), 200, "it stays pinned");
    assert_eq!(
        found(&reader, READ, json!({})).await,
        ["置顶5", "置顶4", "置顶3", "置顶2", "置顶1", "普通"],
        "pinned first, then by order, then the newest"
    );
    let order = json!({ "ids": [ids[4], ids[2], ids[0]] });
    assert_eq!(operator.put(&format!("{SUPPORT}/school/sort"), order).await.data()["done"], json!(3));
    let moved = json!({ "ids": [plain, ids[1]], "categoryId": other });
    assert_eq!(operator.put(&format!("{SUPPORT}/school/sort"), moved).await.data()["done"], json!(2));
    let listed = operator.post(&format!("{SUPPORT}/school/list"), json!({ "categoryId": other })).await;
    assert_eq!(titles(&listed), ["置顶2", "普通"]);
    let tree = reader.get(&format!("{READ}/tree")).await.data().clone();
    let counts: Vec<(&Value, &Value)> = tree["categories"]
        .as_array()
        .expect("categories")
        .iter()
        .map(|category| (&category["name"], &category["count"]))
        .collect();
    assert_eq!(counts.len(), 2);
    assert!(counts.contains(&(&json!("教务"), &json!(2))), "{tree}");
}

/// B8 7.
#[tokio::test]
async fn texts_are_kept_as_they_are_shown() {
    let server = Server::start().await;
    open(&server).await;
    let (operator, reader) = (server.operator().await, admin(&server, 1).await);
    let place = category(&operator, "school", "入门").await;
    let odd = json!({ "categoryId": place, "title": "清洗", "content":
        "<h2 onclick=\"x()\">步骤</h2><p>点<a href=\"javascript:x()\">这里</a><img src=\"x\" onerror=\"alert(1)\"></p><script>x()</script>" });
    let id = published(&operator, "school", odd).await;
    let kept = "<h2>步骤</h2><p>点<a rel=\"noopener noreferrer nofollow\">这里</a></p>";
    assert_eq!(viewed(&operator, "school", id).await["content"], json!(kept));
    let stored: String = server.one("select content from platform.support_article_version").await;
    assert_eq!((stored.as_str(), &read(&reader, "platform", id).await.data()["content"]), (kept, &json!(kept)));
    assert_eq!(found(&reader, READ, json!({ "keyword": "步骤 这里" })).await, ["清洗"]);
    assert_eq!(found(&reader, READ, json!({ "keyword": "javascript" })).await, [""; 0], "marks are not searched");
}

/// A copy has the files of the one that it was made of, and keeps them when that goes.
#[tokio::test]
async fn a_copy_shares_its_files() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let place = category(&operator, "student", "下载").await;
    let key = uploaded(&operator, "申请表.pdf", "application/pdf", b"12345").await;
    let file = number_of(&server, "platform", &key).await;
    let form = with(article(place, "申请表", "见附件"), json!({ "fileIds": [file] }));
    let first = draft(&operator, "student", form.clone()).await;
    let seen = viewed(&operator, "student", first).await;
    assert_eq!((&seen["fileIds"], &seen["attachments"][0]["name"]), (&json!([file]), &json!("申请表.pdf")));
    let taken = operator.post(&format!("{STUDENT}/save"), with(form.clone(), json!({ "title": "偷用" }))).await;
    assert_eq!(fields(&taken), ["fileIds: 附件不存在或有重复，请重新上传"]);
    let copy = with(form, json!({ "title": "申请表（副本）", "copiedFrom": first }));
    let copy = draft(&operator, "student", copy).await;
    assert_eq!(edit(&operator, "student", copy, json!({ "sort": 3 })).await.code(), 200);
    assert_eq!(operator.delete(&format!("{STUDENT}/delete?id={first}")).await.code(), 200);
    let owner = format!("select count(*) from platform.file_object where id = {file} and owner_id is not null");
    assert_eq!(server.one::<i64>(&owner).await, 1, "the copy still has it");
    assert_eq!(operator.delete(&format!("{STUDENT}/delete?id={copy}")).await.code(), 200);
    assert_eq!(server.one::<i64>(&owner).await, 0, "nobody has it, so it is swept away");
}

/// What staff of a school ask is the operators' to answer, and no other school's to see.
#[tokio::test]
async fn staff_ask_the_operators() {
    let server = Server::start().await;
    open(&server).await;
    let (one, two) = (admin(&server, 1).await, admin(&server, 2).await);
    let desk = format!("{SUPPORT}/school/question");
    let key = uploaded(&one, "截图.pdf", "application/pdf", b"12345").await;
    let file = number_of(&server, "school_1", &key).await;
    let ask = json!({ "title": "导入失败", "content": "提示编码不存在", "fileIds": [file] });
    let question = one.post(&format!("{desk}/ask"), ask).await.id();

    let own = one.post(&format!("{desk}/list"), json!({})).await.data()["list"][0].clone();
    assert_eq!((&own["title"], &own["status"], &own["own"]), (&json!("导入失败"), &json!("waiting"), &json!(true)));
    assert_eq!(two.post(&format!("{desk}/list"), json!({})).await.data()["totalCount"], json!(0));
    assert_eq!(two.get(&format!("{desk}/view?id={question}")).await.code(), 404);
    assert_eq!(one.post(&format!("{desk}/list"), json!({ "schoolId": 2 })).await.code(), 400);
    let narrow = operator_with(&server, "narrow", &["system:pc:support:school:question:list"]).await;
    manage(&server, "narrow", &[2]).await;
    assert_eq!(narrow.get(&format!("{desk}/view?id={question}")).await.code(), 404);
    assert_eq!(narrow.post(&format!("{desk}/list"), json!({})).await.data()["totalCount"], json!(0));

    let operator = server.operator().await;
    let seen = operator.get(&format!("{desk}/view?id={question}")).await.data().clone();
    assert_eq!((&seen["schoolId"], &seen["files"][0]["name"]), (&json!(1), &json!("截图.pdf")));
    let paper = uploaded(&operator, "说明.pdf", "application/pdf", b"12345").await;
    let paper = number_of(&server, "platform", &paper).await;
    let reply =
        |version: i64| json!({ "id": question, "version": version, "content": "请核对编码", "fileIds": [paper] });
    let answered = operator.put(&format!("{desk}/reply"), reply(1)).await;
    assert_eq!(answered.data(), &json!({ "id": question, "warnings": [] }));
    // The school's outbox is another transaction's: what is to be told waits for the next minute, and is told once.
    let untold = "select count(*) from platform.support_reply where untold";
    assert_eq!(server.one::<i64>(untold).await, 1);
    server.when_due("support.schedule", TimeDelta::minutes(2)).await;
    assert_eq!(server.one::<i64>(untold).await, 0);
    server.run("update platform.support_reply set untold = true").await;
    server.when_due("support.schedule", TimeDelta::minutes(2)).await;
    let events: i64 = server.one("select count(*) from school_1.event_outbox where name = 'support_replied'").await;
    assert_eq!(events, 1);
    let told: String =
        server.one("select payload::text from school_1.event_outbox where name = 'support_replied'").await;
    assert!(told.contains("导入失败") && told.contains("/schoolSupport?question="), "{told}");
    let seen = one.get(&format!("{desk}/view?id={question}")).await.data().clone();
    assert_eq!((&seen["status"], &seen["replies"][0]["files"][0]["name"]), (&json!("replied"), &json!("说明.pdf")));
    assert_eq!(one.put(&format!("{desk}/reply"), reply(2)).await.code(), 403, "nobody inside answers themselves");

    let more = json!({ "id": question, "content": "仍然失败" });
    assert_eq!(two.post(&format!("{desk}/append"), more.clone()).await.code(), 404);
    assert_eq!(one.post(&format!("{desk}/append"), more).await.code(), 200);
    assert_eq!(one.get(&format!("{desk}/view?id={question}")).await.data()["status"], json!("waiting"));
    let closed = json!({ "id": question, "satisfied": true });
    assert_eq!(one.put(&format!("{desk}/close"), closed.clone()).await.code(), 200);
    assert_eq!(one.put(&format!("{desk}/close"), closed).await.refused(), (409, "咨询已关闭"));
    let seen = operator.get(&format!("{desk}/view?id={question}")).await.data().clone();
    assert_eq!((&seen["status"], &seen["satisfied"]), (&json!("closed"), &json!(true)));
    assert_eq!(operator.put(&format!("{desk}/reply"), reply(4)).await.refused(), (409, "咨询已关闭，不能回复"));
}

/// An operator outside of schools reads what is written for school staff, and nothing else.
#[tokio::test]
async fn an_operator_reads_what_school_staff_read() {
    let server = Server::start().await;
    open(&server).await;
    let operator = server.operator().await;
    let (place, other) = (category(&operator, "school", "入门").await, category(&operator, "student", "报名").await);
    published(&operator, "school", article(place, "上线准备", "一")).await;
    let of_students = published(&operator, "student", article(other, "如何报名", "一")).await;
    let tree = operator.get(&format!("{READ}/tree")).await.data().clone();
    assert_eq!((&tree["audiences"], &tree["questionOpen"]), (&json!(["school"]), &json!(false)));
    assert_eq!(found(&operator, READ, json!({})).await, ["上线准备"]);
    assert_eq!(operator.get(&format!("{READ}/tree?audience=student")).await.code(), 400);
    assert_eq!(read(&operator, "platform", of_students).await.code(), 404);
    assert_eq!(read(&operator, "school", 1).await.code(), 404);
}

/// 01 §1.1: a code of the operators' area is held for the schools of its holder.
#[tokio::test]
async fn operators_of_some_schools_write_for_these_alone() {
    let server = Server::start().await;
    open(&server).await;
    let codes = ["list", "view", "save", "edit", "delete", "publish", "sort", "category:save", "category:sort"];
    let codes = codes.map(|code| format!("system:pc:support:student:{code}"));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = operator_with(&server, "narrow", &codes).await;
    manage(&server, "narrow", &[2]).await;
    let operator = server.operator().await;
    let place = category(&operator, "student", "报名").await;
    let of = |title: &str, schools: Value| with(article(place, title, "一"), json!({ "schoolIds": schools }));
    let save = async |form: Value| narrow.post(&format!("{STUDENT}/save"), form).await;
    let choose = "schoolIds: 您只能管理部分院校，请选择适用院校";
    assert_eq!(fields(&save(of("全部", json!([]))).await), [choose]);
    assert_eq!(fields(&save(of("一校", json!([1]))).await), ["schoolIds: 所选院校不存在，请重新选择"]);
    let own = published(&narrow, "student", of("二校", json!([2]))).await;
    assert_eq!(fields(&edit(&narrow, "student", own, json!({ "schoolIds": [] })).await), [choose]);
    assert_eq!(edit(&narrow, "student", own, json!({ "sort": 3 })).await.code(), 200);

    let of_all = published(&operator, "student", of("全部院校", json!([]))).await;
    let of_both = published(&operator, "student", of("两校", json!([1, 2]))).await;
    let (for_all, for_others) = (
        (403, "该文章用于全部院校，请由可管全部院校的人员办理"),
        (403, "该文章的适用院校超出您可管的院校，请由可管这些院校的人员办理"),
    );
    assert_eq!(edit(&narrow, "student", of_all, json!({ "title": "改名" })).await.refused(), for_all);
    assert_eq!(edit(&narrow, "student", of_both, json!({ "title": "改名" })).await.refused(), for_others);
    assert_eq!(narrow.delete(&format!("{STUDENT}/delete?id={of_all}")).await.refused(), for_all);
    for step in ["offline", "sort"] {
        let done = narrow.put(&format!("{STUDENT}/{step}"), json!({ "ids": [of_all, own, of_both] })).await;
        let failed = &done.data()["failed"];
        assert_eq!((&failed[0]["msg"], &failed[1]["msg"]), (&json!(for_all.1), &json!(for_others.1)), "{step}");
        assert_eq!(done.data()["done"], json!(1), "{step}");
    }
    let below = json!({ "name": "缴费" });
    assert_eq!(
        narrow.post(&format!("{STUDENT}/category/save"), below).await.refused(),
        (403, "帮助分类用于全部院校，请由可管全部院校的人员办理")
    );
    assert_eq!(narrow.put(&format!("{STUDENT}/category/sort"), json!({ "ids": [place] })).await.code(), 403);
}

/// 01 §1.1, B5: what an operator of some schools sees of reading and searching is what the people of these did.
#[tokio::test]
async fn operators_of_some_schools_see_what_these_read() {
    let server = Server::start().await;
    open(&server).await;
    let (operator, one, two) = (server.operator().await, admin(&server, 1).await, admin(&server, 2).await);
    let place = category(&operator, "student", "报名").await;
    let id = published(&operator, "student", article(place, "如何缴费", "一")).await;
    for (reader, word) in [(&one, "转学手续"), (&two, "休学手续")] {
        read(reader, "platform", id).await.data();
        assert_eq!(found(reader, READ, json!({ "audience": "student", "keyword": word })).await, [""; 0]);
    }
    let unhelpful = json!({ "source": "platform", "id": id, "helpful": false });
    two.post(&format!("{READ}/feedback"), unhelpful).await.data();
    let narrow = operator_with(&server, "narrow", &["system:pc:support:student:stat"]).await;
    manage(&server, "narrow", &[1]).await;
    let operator = server.operator().await;
    let figures = async |client: &Client<'_>| {
        let told = client.post(&format!("{STUDENT}/stat"), json!({})).await.data().clone();
        let days: i64 = told["days"].as_array().expect("days").iter().filter_map(|day| day["reads"].as_i64()).sum();
        let listed = |name: &str| told[name].as_array().map(Vec::len).unwrap_or_default();
        let most = told["mostRead"][0]["reads"].clone();
        (days, most, listed("leastHelpful"), listed("misses"), told["misses"][0]["word"].clone())
    };
    let (days, most, least, misses, _) = figures(&operator).await;
    assert_eq!((days, most, least, misses), (2, json!(2), 1, 2));
    assert_eq!(figures(&narrow).await, (1, json!(1), 0, 1, json!("转学手续")));
}

/// B5: where schools answer their people themselves, operators see how many wait in those that they may act for.
#[tokio::test]
async fn operators_see_how_many_wait_in_each_school() {
    let server = Server::start().await;
    server
        .run(
            "insert into platform.support_count (school_id, audience, waiting, replied, closed, computed_at)
             values (1, 'student', 3, 2, 1, now()), (2, 'student', 5, 0, 4, now()), (1, 'teacher', 9, 0, 0, now())",
        )
        .await;
    let narrow = operator_with(&server, "narrow", &["system:pc:support:student:stat"]).await;
    manage(&server, "narrow", &[1]).await;
    let operator = server.operator().await;
    let counts = async |client: &Client<'_>| {
        client.post(&format!("{STUDENT}/stat"), json!({ "schoolsOnly": true })).await.data().clone()
    };
    let all = counts(&operator).await;
    let rows: Vec<[&Value; 4]> = all["schools"]
        .as_array()
        .expect("schools")
        .iter()
        .map(|row| [&row["schoolId"], &row["waiting"], &row["replied"], &row["closed"]])
        .collect();
    assert_eq!(rows, [[&json!(2), &json!(5), &json!(0), &json!(4)], [&json!(1), &json!(3), &json!(2), &json!(1)]]);
    assert_eq!((&all["days"], &all["mostRead"]), (&json!([]), &json!([])), "nothing else is counted");
    let some = counts(&narrow).await;
    assert_eq!((some["schools"].as_array().map(Vec::len), &some["schools"][0]["schoolId"]), (Some(1), &json!(1)));
    let whole = operator.post(&format!("{STUDENT}/stat"), json!({})).await.data().clone();
    assert_eq!((&whole["schools"], &whole["questions"]), (&json!([]), &Value::Null));
    let nowhere = json!({ "schoolsOnly": true });
    assert_eq!(operator.post(&format!("{SUPPORT}/school/stat"), nowhere.clone()).await.code(), 400);
    assert_eq!(admin(&server, 1).await.post(&format!("{STUDENT}/stat"), nowhere).await.code(), 400);
}

/// B4: the platform's own flag closes the help centre of all schools, and the operators' too.
#[tokio::test]
async fn without_the_platforms_flag_nobody_has_a_help_centre() {
    let server = Server::start().await;
    open(&server).await;
    let (operator, staff) = (server.operator().await, admin(&server, 1).await);
    assert_eq!(staff.get(&format!("{READ}/tree")).await.code(), 200);
    server
        .run("update platform.sys_config set content = content || '{\"schoolAssistanceCenter\": false}' where config_kind = 'website'")
        .await;
    server.tell("config:").await;
    for reader in [&operator, &staff] {
        assert_eq!(reader.get(&format!("{READ}/tree")).await.refused(), (409, "帮助中心未开放"));
    }
    let place = category(&operator, "school", "入门").await;
    draft(&operator, "school", article(place, "上线准备", "一")).await;
}

/// Whoever may ask reads what they were answered, and nobody else's.
#[tokio::test]
async fn who_asks_reads_the_answer() {
    let server = Server::start().await;
    open(&server).await;
    let code = ["system:pc:support:school:question:ask"];
    let (asker, other) = (server.staff(1, &code).await, server.staff(1, &code).await);
    let desk = format!("{SUPPORT}/school/question");
    let key = uploaded(&asker, "截图.pdf", "application/pdf", b"12345").await;
    let file = number_of(&server, "school_1", &key).await;
    let ask = json!({ "title": "导入失败", "content": "提示编码不存在", "fileIds": [file] });
    let question = asker.post(&format!("{desk}/ask"), ask).await.id();
    let operator = server.operator().await;
    let paper = uploaded(&operator, "说明.pdf", "application/pdf", b"12345").await;
    let paper = number_of(&server, "platform", &paper).await;
    let words = json!({ "id": question, "version": 1, "content": "请核对编码", "fileIds": [paper] });
    assert_eq!(operator.put(&format!("{desk}/reply"), words).await.code(), 200);

    assert_eq!(asker.post(&format!("{desk}/list"), json!({})).await.code(), 403);
    let own = async |client: &Client<'_>, asked: Value| client.post(&format!("{desk}/own"), asked).await.data().clone();
    let read = own(&asker, json!({ "id": question })).await["list"][0].clone();
    assert_eq!((&read["status"], &read["mayAppend"]), (&json!("replied"), &json!(true)));
    assert_eq!(
        (&read["files"][0]["name"], &read["replies"][0]["content"], &read["replies"][0]["files"][0]["name"]),
        (&json!("截图.pdf"), &json!("请核对编码"), &json!("说明.pdf"))
    );
    assert_eq!(own(&asker, json!({ "status": "closed" })).await["totalCount"], json!(0));
    assert_eq!(own(&other, json!({})).await["totalCount"], json!(0));
    assert_eq!(own(&other, json!({ "id": question })).await["totalCount"], json!(0));

    server.run("update platform.support_question set replied_at = replied_at - interval '16 days'").await;
    let late = own(&asker, json!({})).await["list"][0].clone();
    assert_eq!(late["mayAppend"], json!(false));
    let more = json!({ "id": question, "content": "仍然失败" });
    assert_eq!(
        asker.post(&format!("{desk}/append"), more).await.refused(),
        (409, "回复已超过15天，不能继续追问，请重新提交咨询")
    );
}
