//! The help centre of a school: who reads, who asks, and how they are answered (part 05 B).

use chrono::TimeDelta;
use kit::{
    Answer, Client, Server,
    accounts::admin,
    clients::{entered, school, signed_in},
    cohort::{cohort, registrar},
    fields,
    files::uploaded,
    rows::{setting, video},
    sheets::texts,
    site_staff::MANAGER,
    students::id_number,
    support::{
        OWN, READ, SUPPORT, article, category, draft, edit, found, number_of, open, paper_of, published, viewed, with,
    },
};
use poem::http::Method;
use serde_json::{Value, json};

const TEACHER: &str = "/system/pc/support/teacher";

/// What somebody in a client asks, each time with another number of the request.
fn question(n: i64, title: &str) -> Value {
    json!({ "requestId": format!("q{n}"), "title": title, "content": "请问如何办理？" })
}

async fn ask(client: &Client<'_>, n: i64, title: &str) -> Answer {
    client.post(&format!("{OWN}/question/save"), question(n, title)).await
}

async fn seen(client: &Client<'_>, audience: &str, id: i64) -> Value {
    client.get(&format!("{SUPPORT}/{audience}/question/view?id={id}")).await.data().clone()
}

async fn reply(client: &Client<'_>, audience: &str, id: i64, version: i64, words: &str) -> Answer {
    let body = json!({ "id": id, "version": version, "content": words });
    client.put(&format!("{SUPPORT}/{audience}/question/reply"), body).await
}

/// B4: both sides as one, the school's own first where it wants that.
#[tokio::test]
async fn the_articles_of_both_sides_are_one_list() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    let (operator, teacher) = (server.operator().await, signed_in(&server).await);
    let theirs = category(&operator, "teacher", "授课").await;
    let own = category(&staff, "teacher", "授课").await;
    let first = published(&operator, "teacher", article(theirs, "平台：课表", "一")).await;
    published(&operator, "teacher", with(article(theirs, "平台：置顶", "一"), json!({ "pinned": true }))).await;
    let of_school = published(&staff, "teacher", with(article(own, "本校：调课", "一"), json!({ "sort": 7 }))).await;
    draft(&staff, "teacher", article(own, "本校：草稿", "一")).await;
    published(&operator, "student", article(category(&operator, "student", "报名").await, "学生文章", "一")).await;

    assert_eq!(found(&teacher, OWN, json!({})).await, ["平台：置顶", "本校：调课", "平台：课表"]);
    let tree = teacher.get(&format!("{OWN}/tree")).await.data().clone();
    assert_eq!((&tree["audience"], &tree["questionOpen"]), (&json!("teacher"), &json!(true)));
    assert_eq!(tree["categories"].as_array().map(Vec::len), Some(1), "categories of one name are one: {tree}");
    assert_eq!((&tree["categories"][0]["ownId"], &tree["categories"][0]["count"]), (&json!(own), &json!(3)));
    let reading = teacher.get(&format!("{OWN}/article?source=school&id={of_school}")).await.data().clone();
    let beside = |side: &str| reading[side]["title"].clone();
    assert_eq!((beside("previous"), beside("next")), (json!("平台：置顶"), json!("平台：课表")));
    let of_category = json!({ "categoryId": theirs, "categorySource": "platform", "pageSize": 2 });
    assert_eq!(found(&teacher, OWN, of_category).await, ["平台：置顶", "本校：调课"]);
    assert_eq!(teacher.post(&format!("{OWN}/search"), json!({ "categoryId": own })).await.code(), 400);

    setting(&server, "schoolArticlesFirst", &json!(false)).await;
    assert_eq!(found(&teacher, OWN, json!({})).await, ["平台：置顶", "平台：课表", "本校：调课"]);
    // Staff see what their people see.
    assert_eq!(found(&staff, READ, json!({ "audience": "teacher" })).await.len(), 3);
    let there = staff.get(&format!("{READ}/article?source=platform&id={first}")).await;
    assert_eq!(there.data()["title"], json!("平台：课表"));
    // A category that is switched off takes its articles along.
    let off = json!({ "id": theirs, "version": 1, "name": "授课", "enabled": false });
    assert_eq!(operator.put(&format!("{TEACHER}/category/edit"), off).await.code(), 200);
    assert_eq!(found(&teacher, OWN, json!({})).await, ["本校：调课"]);
}

/// B8 10.
#[tokio::test]
async fn every_word_is_looked_for_and_what_is_not_found_is_counted() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    let teacher = signed_in(&server).await;
    let own = category(&staff, "teacher", "考试").await;
    let titles = [
        ("如何打印准考证", "登录后办理"),
        ("考前准备", "请提前打印好准考证"),
        ("准考证有误", "请联系考务"),
        ("打印成绩单", "在成绩中"),
    ];
    for (title, text) in titles {
        published(&staff, "teacher", article(own, title, text)).await;
    }
    let words = json!({ "keyword": "准考证 打印" });
    assert_eq!(found(&teacher, OWN, words).await, ["如何打印准考证", "考前准备"], "both words, the title first");
    let hit = teacher.post(&format!("{OWN}/search"), json!({ "keyword": "考务" })).await.data()["list"][0].clone();
    assert_eq!((&hit["excerpt"], &hit["categoryName"]), (&json!("请联系考务"), &json!("考试")));

    for keyword in ["奖学金", "奖学金 ", "奖学金"] {
        assert_eq!(found(&teacher, OWN, json!({ "keyword": keyword })).await, [""; 0]);
    }
    assert_eq!(found(&staff, READ, json!({ "audience": "teacher", "keyword": "奖学金" })).await, [""; 0]);
    let statistics = async || staff.post(&format!("{TEACHER}/stat"), json!({})).await.data().clone();
    let misses = statistics().await["misses"].clone();
    assert_eq!(misses.as_array().map(Vec::len), Some(1));
    assert_eq!((&misses[0]["word"], &misses[0]["count"]), (&json!("奖学金"), &json!(2)), "two persons, once a day");
    let of_platform: i64 = server.one("select count(*) from platform.support_search_miss").await;
    assert_eq!(of_platform, 2, "the operators learn of it too");
    let odd = staff.post(&format!("{TEACHER}/stat"), json!({ "from": "2026-01-01", "to": "2027-06-01" })).await;
    assert_eq!(fields(&odd), ["to: 统计期间不能超过366天"]);
}

/// B2: each person counts once a day, and may think otherwise.
#[tokio::test]
async fn reads_and_words_about_them_count_once_a_day() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    let (operator, teacher) = (server.operator().await, signed_in(&server).await);
    let own = category(&staff, "teacher", "授课").await;
    let id = published(&staff, "teacher", article(own, "调课", "一")).await;
    let theirs = category(&operator, "teacher", "授课").await;
    let of_platform = published(&operator, "teacher", article(theirs, "课表", "一")).await;
    let read = async |client: &Client<'_>, base: &str, source: &str, id: i64| {
        client.get(&format!("{base}/article?source={source}&id={id}")).await.data().clone()
    };
    for _ in 0..2 {
        read(&teacher, OWN, "school", id).await;
        read(&teacher, OWN, "platform", of_platform).await;
    }
    read(&staff, READ, "school", id).await;
    let rate = async |source: &str, id: i64, helpful: bool| {
        let said = json!({ "source": source, "id": id, "helpful": helpful });
        teacher.post(&format!("{OWN}/feedback"), said).await.data()["helpful"].clone()
    };
    assert_eq!(rate("school", id, true).await, json!(true));
    assert_eq!(rate("school", id, false).await, json!(false));
    rate("platform", of_platform, true).await;
    let counts = async |client: &Client<'_>, id: i64| {
        let seen = viewed(client, "teacher", id).await;
        ["viewCount", "helpful", "unhelpful", "helpfulRate"].map(|field| seen[field].clone())
    };
    assert_eq!(counts(&staff, id).await, [json!(2), json!(0), json!(1), json!(0.0)]);
    assert_eq!(counts(&operator, of_platform).await, [json!(1), json!(1), json!(0), json!(100.0)]);
    assert_eq!(read(&teacher, OWN, "school", id).await["helpful"], json!(false), "what they said today is shown");

    let told = staff.post(&format!("{TEACHER}/stat"), json!({})).await.data().clone();
    let days = told["days"].as_array().expect("days");
    assert_eq!((days.len(), &days[29]["reads"]), (30, &json!(3)), "of both sides, by the school's people");
    assert_eq!((&told["mostRead"][0]["title"], &told["mostRead"][0]["reads"]), (&json!("调课"), &json!(2)));
    assert_eq!(told["leastHelpful"].as_array().map(Vec::len), Some(1));
    let other = admin(&server, 2).await.post(&format!("{TEACHER}/stat"), json!({})).await;
    assert_eq!(other.data()["mostRead"], json!([]), "what school 1 reads is not school 2's to know");
}

/// B8 6.
#[tokio::test]
async fn five_questions_a_day_and_one_reply_of_two() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    let teacher = signed_in(&server).await;
    let first = ask(&teacher, 1, "课酬何时发放").await.id();
    let again = question(1, "课酬何时发放");
    let again = teacher.unlooked(Method::POST, &format!("{OWN}/question/save"), Some(&again)).await;
    assert_eq!(again.id(), first, "sent again it is the same question, which left its row before");
    for n in 2..=5 {
        ask(&teacher, n, "如何调课").await.id();
    }
    assert_eq!(ask(&teacher, 6, "第六个").await.refused(), (429, "今日咨询次数已达上限"));

    let version = seen(&staff, "teacher", first).await["version"].as_i64().expect("a version");
    assert_eq!(reply(&staff, "teacher", first, version, "学期末发放").await.code(), 200);
    let late = reply(&staff, "teacher", first, version, "下周发放").await;
    assert_eq!(late.code(), 409, "{}", late.body);
    let now = seen(&staff, "teacher", first).await;
    let replies = now["replies"].as_array().expect("replies");
    assert_eq!((replies.len(), &replies[0]["content"]), (1, &json!("学期末发放")));
    let told: i64 = server.one("select count(*) from school_1.event_outbox where name = 'support_replied'").await;
    assert_eq!(told, 1);
    assert_eq!(fields(&reply(&staff, "teacher", first, version + 1, "").await), ["content: 请填写回复内容"]);
    // The teacher's desk answers nobody else's.
    assert_eq!(reply(&staff, "student", first, version + 1, "好").await.code(), 404);
}

/// 05 D3, 01 §13 clientUrls: the link of a message leads into the client of who reads it.
#[tokio::test]
async fn a_link_in_a_message_leads_into_the_client() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    let operator = server.operator().await;
    let found = operator.post("/user/pc/psd/info/list", json!({ "keyword": "support_replied" })).await;
    let scene = found.data()["list"][0]["id"].clone();
    let sms = json!({ "sceneId": scene, "channel": "sms", "title": "回复", "content": "请查看：{{link}}", "providerTemplateCode": "SMS_1" });
    operator.post("/user/pc/psd/list/conf/save", sms).await.id();
    let switch = json!({ "sceneId": scene, "channel": "sms", "enabled": true });
    assert_eq!(operator.put("/user/pc/msg/scene/edit", switch).await.code(), 200);
    setting(&server, "clientUrls", &json!({ "student": "", "teacher": "https://t.example.cn/", "site": "" })).await;
    let teacher = signed_in(&server).await;
    let id = ask(&teacher, 1, "课酬何时发放").await.id();
    let version = seen(&staff, "teacher", id).await["version"].as_i64().expect("a version");
    assert_eq!(reply(&staff, "teacher", id, version, "学期末发放").await.code(), 200);
    server.wait_until("select count(*) = 1 from school_1.msg_delivery where channel = 'sms'").await;
    let text: String = server.one("select rendered_content from school_1.msg_delivery where channel = 'sms'").await;
    assert_eq!(text, format!("请查看：https://t.example.cn/support/question?question={id}"));
}

/// B3: for fifteen days one asks again; then a question is closed.
#[tokio::test]
async fn a_question_goes_back_and_forth_until_it_is_closed() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    let teacher = signed_in(&server).await;
    let own = category(&staff, "teacher", "待遇").await;
    let paper = paper_of(&server, &teacher, "课酬单.pdf").await;
    let body = with(question(1, "课酬有误"), json!({ "categoryId": own, "fileIds": [paper] }));
    let id = teacher.post(&format!("{OWN}/question/save"), body).await.id();
    let at_desk = seen(&staff, "teacher", id).await;
    assert_eq!(
        (&at_desk["categoryName"], &at_desk["files"][0]["name"], &at_desk["waitingMinutes"]),
        (&json!("待遇"), &json!("课酬单.pdf"), &json!(0))
    );
    assert_eq!(reply(&staff, "teacher", id, 1, "已核对，无误").await.code(), 200);
    let append = async |n: &str, words: &str| {
        let body = json!({ "requestId": n, "id": id, "content": words });
        teacher.post(&format!("{OWN}/question/append"), body).await
    };
    assert_eq!(append("a1", "少了两课时").await.id(), id);
    assert_eq!(seen(&staff, "teacher", id).await["status"], json!("waiting"));
    assert_eq!(reply(&staff, "teacher", id, 3, "已补发").await.code(), 200);
    let listed = teacher.post(&format!("{OWN}/question/list"), json!({})).await.data()["list"][0].clone();
    let said: Vec<(&Value, &Value)> = listed["replies"]
        .as_array()
        .expect("replies")
        .iter()
        .map(|reply| (&reply["fromAsker"], &reply["content"]))
        .collect();
    assert_eq!(said.len(), 3);
    assert_eq!((said[1], &listed["mayAppend"]), ((&json!(true), &json!("少了两课时")), &json!(true)));

    server.run("update school_1.support_question set replied_at = replied_at - interval '16 days'").await;
    assert_eq!(append("a2", "还是不对").await.refused(), (409, "回复已超过15天，不能继续追问，请重新提交咨询"));
    server.when_due("support.close", TimeDelta::minutes(2)).await;
    assert_eq!(seen(&staff, "teacher", id).await["status"], json!("closed"));
    assert_eq!(append("a3", "还是不对").await.refused(), (409, "咨询已关闭，如仍有疑问请重新提交咨询"));
    assert_eq!(reply(&staff, "teacher", id, 5, "好").await.refused(), (409, "咨询已关闭，不能回复"));
    let counted: String = server
        .one("select audience || ' ' || waiting || ' ' || closed from platform.support_count where school_id = 1")
        .await;
    assert_eq!(counted, "teacher 0 1");
    // Another ends theirs, and says whether it helped.
    let second = ask(&teacher, 2, "如何调课").await.id();
    let more = async |n: i64| {
        let body = json!({ "requestId": format!("m{n}"), "id": second, "content": format!("补充{n}") });
        teacher.post(&format!("{OWN}/question/append"), body).await
    };
    for n in 1..=5 {
        assert_eq!(more(n).await.id(), second);
    }
    assert_eq!(more(6).await.refused(), (429, "您已多次补充，请等待回复后再追问"));
    let close = json!({ "id": second, "satisfied": true });
    assert_eq!(teacher.put(&format!("{OWN}/question/close"), close.clone()).await.id(), second);
    assert_eq!(teacher.put(&format!("{OWN}/question/close"), close).await.refused(), (409, "咨询已关闭"));
    let closed = json!({ "status": "closed", "satisfied": true });
    let closed = staff.post(&format!("{TEACHER}/question/list"), closed).await;
    assert_eq!(closed.data()["totalCount"], json!(1));
}

/// D6: what learners write is screened, staff are warned.
#[tokio::test]
async fn words_of_the_library_are_kept_back() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    let operator = server.operator().await;
    let words = "/system/pc/sys/sensitive/word/library/save";
    for (word, action) in [("代考", "reject"), ("押题", "review"), ("微信", "mask")] {
        operator.post(words, json!({ "words": [word], "category": "ad", "action": action })).await.data();
    }
    let teacher = signed_in(&server).await;
    assert_eq!(ask(&teacher, 1, "可以代 考吗").await.refused(), (422, "内容包含敏感词，请修改后提交"));
    let id = ask(&teacher, 2, "有押题资料吗").await.id();
    assert_eq!(seen(&staff, "teacher", id).await["pendingReview"], json!(true));
    let masked = ask(&teacher, 3, "加微信可以吗").await.id();
    let at_desk = seen(&staff, "teacher", masked).await;
    assert_eq!((&at_desk["title"], &at_desk["pendingReview"]), (&json!("加**可以吗"), &json!(false)));
    let warned = reply(&staff, "teacher", id, 1, "请加微信").await;
    assert_eq!(warned.data()["warnings"], json!(["回复包含敏感词：微信，请核对"]));
    let now = seen(&staff, "teacher", id).await;
    assert_eq!((&now["replies"][0]["content"], &now["pendingReview"]), (&json!("请加微信"), &json!(false)));
}

/// B8 8.
#[tokio::test]
async fn without_a_help_centre_nobody_reads_and_what_waits_is_answered() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    let teacher = signed_in(&server).await;
    let id = ask(&teacher, 1, "课酬何时发放").await.id();
    server.run("update platform.school set assistance_center_enabled = false where id = 1").await;
    let closed = (409, "帮助中心未开放");
    assert_eq!(staff.get(&format!("{READ}/tree")).await.refused(), closed);
    assert_eq!(staff.post(&format!("{READ}/search"), json!({})).await.refused(), closed);
    assert_eq!(teacher.get(&format!("{OWN}/tree")).await.refused(), closed);
    assert_eq!(ask(&teacher, 2, "如何调课").await.refused(), closed);
    assert_eq!(teacher.post(&format!("{OWN}/question/list"), json!({})).await.refused(), closed);
    assert_eq!(reply(&staff, "teacher", id, 1, "学期末发放").await.code(), 200);
    server.run("update platform.school set assistance_center_enabled = true where id = 1").await;
    setting(&server, "questionOpen", &json!(false)).await;
    assert_eq!(ask(&teacher, 3, "如何调课").await.refused(), (409, "本校暂未开放咨询"));
    let tree = teacher.get(&format!("{OWN}/tree")).await.data().clone();
    assert_eq!(tree["questionOpen"], json!(false));
}

/// B8 9.
#[tokio::test]
async fn a_private_attachment_is_its_schools() {
    let server = Server::start().await;
    open(&server).await;
    let (one, two) = (admin(&server, 1).await, admin(&server, 2).await);
    let own = category(&one, "school", "制度").await;
    let key = uploaded(&one, "用印申请表.pdf", "application/pdf", b"12345").await;
    let file = number_of(&server, "school_1", &key).await;
    let video = video(&server, "school_1", "v1", "processing", 60).await;
    let form = with(article(own, "用印申请", "见附件"), json!({ "fileIds": [file], "videoAssetId": video }));
    let id = published(&one, "school", form).await;
    let here = one.get(&format!("{READ}/article?source=school&id={id}")).await.data().clone();
    assert_eq!((&here["attachments"][0]["name"], &here["video"]["title"]), (&json!("用印申请表.pdf"), &json!("v1")));
    assert!(here["attachments"][0]["url"].as_str().is_some_and(|url| url.contains("private/s1/")), "{here}");
    assert_eq!(two.get(&format!("{READ}/article?source=school&id={id}")).await.code(), 404);
    assert_eq!(two.get(&format!("{SUPPORT}/school/view?id={id}")).await.code(), 404);
    // Files of another school, or of somebody else, are nobody's to attach.
    let theirs = category(&two, "school", "制度").await;
    let stolen = with(article(theirs, "用印申请", "见附件"), json!({ "fileIds": [file] }));
    let stolen = two.post(&format!("{SUPPORT}/school/save"), stolen).await;
    assert_eq!(fields(&stolen), ["fileIds: 附件不存在或有重复，请重新上传"]);
    let of_schools = with(article(own, "适用院校", "一"), json!({ "schoolIds": [2] }));
    assert_eq!(one.post(&format!("{SUPPORT}/school/save"), of_schools).await.code(), 400);
}

/// Whoever sees one site sees its people's questions, hands them to whoever may reply, and makes an article of them.
#[tokio::test]
async fn questions_are_seen_by_site_and_become_articles() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    let p = cohort(&staff).await;
    let other = json!({ "code": "CX", "name": "城西教学点", "shortName": "城西", "kind": "headquarter" });
    let other = staff.post("/adult/pc/site/save", other).await.id();
    server
        .run(&format!(
            "insert into school_1.support_question (audience, asker_kind, asker_id, asker_name, site_id, site_name, title, content, asked_at,
                 created_by, updated_by)
             select 'site', 'site_staff', 7, '刘站长', n, '站点' || n, '问题' || n, '内容', now(), 0, 0
             from unnest(array[{}, {other}]) n",
            p.site
        ))
        .await;
    let codes = ["list", "question:list", "question:reply", "save", "export", "stat"];
    let codes = codes.map(|code| format!("system:pc:support:site:{code}"));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[p.site]).await;
    let desk = format!("{SUPPORT}/site");
    let list = narrow.post(&format!("{desk}/question/list"), json!({})).await.data().clone();
    assert_eq!((&list["totalCount"], &list["list"][0]["siteName"]), (&json!(1), &json!(format!("站点{}", p.site))));
    let there = list["list"][0]["id"].as_i64().expect("a number");
    let elsewhere: i64 =
        server.one(&format!("select id from school_1.support_question where site_id <> {}", p.site)).await;
    assert_eq!(narrow.get(&format!("{desk}/question/view?id={elsewhere}")).await.code(), 404);
    assert_eq!(reply(&narrow, "site", elsewhere, 1, "好").await.code(), 404);
    let told = narrow.post(&format!("{desk}/stat"), json!({})).await;
    assert_eq!(told.data()["questions"]["waiting"], json!(1));
    let all = staff.post(&format!("{desk}/stat"), json!({})).await;
    assert_eq!(all.data()["questions"]["waiting"], json!(2));

    assert_eq!(seen(&staff, "site", there).await["assignees"], json!([]), "only who hands it over asks for them");
    let able = staff.get(&format!("{desk}/question/view?id={there}&assignees=true")).await;
    let person = able.data()["assignees"].as_array().expect("people")[0].clone();
    let to = |user: &Value| json!({ "ids": [there, elsewhere], "userId": user });
    let nobody = staff.put(&format!("{desk}/question/assign"), to(&json!(1_000_000))).await;
    assert_eq!(fields(&nobody), ["userId: 该人员不能回复此类咨询，请选择其他人员"]);
    let done = narrow.put(&format!("{desk}/question/assign"), to(&person["id"])).await.data().clone();
    assert_eq!((&done["done"], done["failed"].as_array().map(Vec::len)), (&json!(1), Some(1)));
    assert_eq!(seen(&staff, "site", there).await["assignedName"], person["name"]);

    let own = category(&staff, "site", "常见问题").await;
    let made = with(article(own, "常见问题一", "答案"), json!({ "questionId": there }));
    let article_id = draft(&narrow, "site", made.clone()).await;
    assert_eq!(seen(&staff, "site", there).await["asArticleId"], json!(article_id));
    let again = narrow.post(&format!("{desk}/save"), with(made.clone(), json!({ "title": "常见问题二" }))).await;
    assert_eq!(again.refused(), (409, "该咨询已转为文章"));
    let foreign = with(made, json!({ "title": "常见问题三", "questionId": elsewhere }));
    assert_eq!(narrow.post(&format!("{desk}/save"), foreign).await.code(), 404);

    let articles = narrow.post(&format!("{desk}/export"), json!({ "part": "articles" })).await;
    let rows = texts(&articles.bytes);
    assert_eq!((rows.len(), rows[1][0].as_str()), (2, "常见问题一"));
    let questions = narrow.post(&format!("{desk}/export"), json!({ "part": "questions" })).await;
    let rows = texts(&questions.bytes);
    assert_eq!((rows.len(), rows[1][3].as_str()), (2, "刘站长"), "of one site alone");
    let (exports, lists) = (["system:pc:support:site:export"], ["system:pc:support:site:question:list"]);
    let near: &[i64] = &[p.site];
    let mixed =
        server.staff_with_roles(1, &[(&exports[..], "whole_school", &[]), (&lists[..], "named_sites", near)]).await;
    let questions = mixed.post(&format!("{desk}/export"), json!({ "part": "questions" })).await;
    assert_eq!(texts(&questions.bytes).len(), 2, "a file has no more than the list");
}

/// A class manager reads what teachers read, and only their own questions (part 05 B4).
#[tokio::test]
async fn everybody_reads_what_is_written_for_them() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    for (audience, title) in [("student", "给学生"), ("teacher", "给教师"), ("site", "给站点")] {
        let place = category(&staff, audience, "常用").await;
        published(&staff, audience, article(place, title, "一")).await;
    }
    let teacher = signed_in(&server).await;
    assert_eq!(found(&teacher, OWN, json!({})).await, ["给教师"]);
    assert_eq!(found(&teacher, OWN, json!({ "audience": "student" })).await, ["给教师"], "whatever they ask for");
    let asked = ask(&teacher, 1, "如何调课").await.id();
    let p = cohort(&staff).await;
    let manager = json!({ "workNo": "B01", "name": "周老师", "phone": "13700000001", "siteIds": [p.site],
        "idCardNo": id_number(70) });
    staff.post(&format!("{MANAGER}/save"), manager).await.id();
    let manager = entered(&server, "B01", &format!("Aa@{}", &id_number(70)[12..]), "class_manager").await;
    assert_eq!(found(&manager, OWN, json!({})).await, ["给教师"]);
    assert_eq!(manager.post(&format!("{OWN}/question/list"), json!({})).await.data()["totalCount"], json!(0));
    let close = json!({ "id": asked });
    assert_eq!(manager.put(&format!("{OWN}/question/close"), close).await.code(), 404);
    let own = ask(&manager, 1, "如何联系学生").await.id();
    let at_desk = seen(&staff, "teacher", own).await;
    assert_eq!((&at_desk["askerKind"], &at_desk["siteName"]), (&json!("class_manager"), &json!("城东教学点")));
}

/// 01's home page tells what waits.
#[tokio::test]
async fn the_home_page_counts_what_waits() {
    let server = Server::start().await;
    open(&server).await;
    let (_, _) = school(&server).await;
    let teacher = signed_in(&server).await;
    ask(&teacher, 1, "如何调课").await.id();
    let staff = registrar(&server).await;
    let home = staff.get("/data/pc/dashboard/school").await.data().clone();
    let todos = home["todos"].as_array().expect("todos");
    let waits = todos.iter().find(|todo| todo["key"] == json!("waitingTeacherQuestions")).expect("the work");
    assert_eq!(
        (&waits["count"], &waits["link"]),
        (&json!(1), &json!("/schoolPC/supportCenter/teacherSupport?tab=questions&status=waiting"))
    );
}

/// A page that is edited by two: the second is told.
#[tokio::test]
async fn two_editors_of_one_article() {
    let server = Server::start().await;
    let staff = admin(&server, 1).await;
    let place = category(&staff, "student", "报名").await;
    let id = draft(&staff, "student", article(place, "如何报名", "一")).await;
    assert_eq!(edit(&staff, "student", id, json!({ "title": "如何网上报名" })).await.code(), 200);
    let late = edit(&staff, "student", id, json!({ "title": "怎样报名", "version": 1 })).await;
    assert_eq!(late.code(), 409, "{}", late.body);
    let long = edit(&staff, "student", id, json!({ "keywords": ["长".repeat(21)] })).await;
    assert_eq!(fields(&long), ["keywords: 每个关键词不能超过20个字"]);
}

/// B3: a reply may end the question, with words or without.
#[tokio::test]
async fn a_reply_may_close_the_question() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    let teacher = signed_in(&server).await;
    let (first, second) = (ask(&teacher, 1, "课酬何时发放").await.id(), ask(&teacher, 2, "如何调课").await.id());
    let close = async |id: i64, words: &str, papers: &[i64]| {
        let body = json!({ "id": id, "version": 1, "content": words, "fileIds": papers, "close": true });
        staff.put(&format!("{TEACHER}/question/reply"), body).await
    };
    assert_eq!(close(first, "学期末发放", &[]).await.code(), 200);
    assert_eq!(fields(&close(second, "", &[7]).await), ["content: 请填写回复内容"], "a paper alone is no answer");
    assert_eq!(close(second, "", &[]).await.code(), 200);
    for (id, replies) in [(first, 1), (second, 0)] {
        let now = seen(&staff, "teacher", id).await;
        assert_eq!((&now["status"], now["replies"].as_array().map(Vec::len)), (&json!("closed"), Some(replies)));
        assert_ne!(now["closedAt"], Value::Null);
    }
    let told: i64 = server.one("select count(*) from school_1.event_outbox where name = 'support_replied'").await;
    assert_eq!(told, 1, "who is not answered is told nothing");
    let more = json!({ "requestId": "m1", "id": first, "content": "还没有收到" });
    let more = teacher.post(&format!("{OWN}/question/append"), more).await;
    assert_eq!(more.refused(), (409, "咨询已关闭，如仍有疑问请重新提交咨询"));
}

/// B5: the most read first, at most twenty; the least helpful by the share of those whom it helped.
#[tokio::test]
async fn figures_are_ordered_and_cut() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    let own = category(&staff, "teacher", "授课").await;
    let today = server.app.clock().today();
    server
        .run(&format!(
            "with a as (
                 insert into school_1.support_article (audience, category_id, title, content, status, version_no, changed, published_at,
                     created_by, updated_by)
                 select 'teacher', {own}, lpad(n::text, 2, '0'), '<p>一</p>', 'published', 1, false, now(), 0, 0
                 from generate_series(1, 22) n returning id, title),
             v as (
                 insert into school_1.support_article_version (article_id, version_no, title, content, content_text, searched, grams,
                     published_at, published_by, published_name)
                 select id, 1, title, '<p>一</p>', '一', title, '{{}}', now(), 0, '教务' from a returning article_id, title)
             insert into school_1.support_read (article_id, day, reader, helpful)
             select v.article_id, '{today}'::date, 'teacher/' || r,
                    case v.title when '22' then r % 2 = 0 when '21' then r > 14 when '05' then false when '04' then false
                                 when '03' then true end
             from v cross join lateral generate_series(1, v.title::integer) r"
        ))
        .await;
    let told = staff.post(&format!("{TEACHER}/stat"), json!({})).await.data().clone();
    let titles = |field: &str| -> Vec<String> {
        let rows = told[field].as_array().expect("articles").iter();
        rows.map(|row| row["title"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let most: Vec<String> = (3..=22).rev().map(|n| format!("{n:02}")).collect();
    assert_eq!(titles("mostRead"), most, "twenty of them");
    assert_eq!(titles("leastHelpful"), ["05", "04", "21", "22"], "of equal shares the one with more words first");
    assert_eq!(told["leastHelpful"][2]["helpfulRate"], json!(33.3), "7 of 21");
    assert_eq!(told["days"][29]["reads"], json!(253));
    assert_eq!((&told["schools"], &told["questions"]["waiting"]), (&json!([]), &json!(0)));
}

/// B2: which files go with an article, which with a question, and how large they may be.
#[tokio::test]
async fn attachments_have_their_kinds_and_sizes() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    let teacher = signed_in(&server).await;
    let own = category(&staff, "teacher", "下载").await;
    // The row is what counts: nobody sends 50 MB in a story.
    let becomes = async |file: i64, size: i64, ending: &str| {
        let row = format!(
            "update school_1.file_object set size = {size}, key = regexp_replace(key, '[.][a-z0-9]+$', '.{ending}') where id = {file}"
        );
        server.run(&row).await;
    };
    let key = uploaded(&staff, "申请表.pdf", "application/pdf", b"12345").await;
    let file = number_of(&server, "school_1", &key).await;
    let save = async |files: &[i64]| {
        let form = with(article(own, "申请表", "见附件"), json!({ "fileIds": files }));
        staff.post(&format!("{TEACHER}/save"), form).await
    };
    becomes(file, (50 << 20) + 1, "pdf").await;
    assert_eq!(fields(&save(&[file]).await), ["fileIds: 单个附件不能超过50MB"]);
    becomes(file, 5, "png").await;
    assert_eq!(
        fields(&save(&[file]).await),
        ["fileIds: 不支持该文件格式，可上传：pdf、doc、docx、xls、xlsx、ppt、pptx、zip、mp4"]
    );
    let many: Vec<i64> = (1..=11).collect();
    assert_ne!(save(&many).await.code(), 200);
    becomes(file, 50 << 20, "pdf").await;
    assert_eq!(save(&[file]).await.code(), 200);

    let paper = paper_of(&server, &teacher, "课酬单.pdf").await;
    let asked = async |n: i64, files: &[i64]| {
        let form = with(question(n, "课酬有误"), json!({ "fileIds": files }));
        teacher.post(&format!("{OWN}/question/save"), form).await
    };
    becomes(paper, (10 << 20) + 1, "pdf").await;
    assert_eq!(fields(&asked(1, &[paper]).await), ["fileIds: 单个附件不能超过10MB"]);
    becomes(paper, 5, "mp4").await;
    assert_eq!(
        fields(&asked(2, &[paper]).await),
        ["fileIds: 不支持该文件格式，可上传：pdf、doc、docx、xls、xlsx、jpg、jpeg、png、zip"]
    );
    assert_ne!(asked(3, &[1, 2, 3, 4, 5]).await.code(), 200);
    becomes(paper, 10 << 20, "pdf").await;
    assert_eq!(asked(4, &[paper]).await.code(), 200);
}

/// A file holds no more than its list: questions need the right to see them.
#[tokio::test]
async fn the_right_to_export_shows_no_questions() {
    let server = Server::start().await;
    let staff = server.staff(1, &["system:pc:support:teacher:export"]).await;
    let file = async |part: &str| staff.post(&format!("{TEACHER}/export"), json!({ "part": part })).await;
    assert_eq!(texts(&file("articles").await.bytes).len(), 1, "the headings");
    assert_eq!(file("questions").await.code(), 403);
}

/// What all people of a school are told is decided by whoever sees all of it; a draft may come from anybody with the code.
#[tokio::test]
async fn whoever_sees_one_site_writes_drafts_alone() {
    let server = Server::start().await;
    open(&server).await;
    let (staff, _) = school(&server).await;
    let p = cohort(&staff).await;
    let own = category(&staff, "site", "常用").await;
    let codes = ["save", "edit", "publish", "delete", "sort", "category:save"];
    let codes = codes.map(|code| format!("system:pc:support:site:{code}"));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[p.site]).await;
    let id = draft(&narrow, "site", article(own, "站点须知", "一")).await;
    let desk = format!("{SUPPORT}/site");
    let ids = json!({ "ids": [id] });
    let refused = narrow.put(&format!("{desk}/publish"), ids.clone()).await;
    assert_eq!(refused.refused(), (403, "您只能管理已分配的站点或班级，“发布站点帮助”请由数据范围为全校的人员办理"));
    assert_eq!(narrow.put(&format!("{desk}/hide"), json!({ "id": 1, "hidden": true })).await.code(), 403);
    assert_eq!(narrow.post(&format!("{desk}/category/save"), json!({ "name": "新" })).await.code(), 403);
    assert_eq!(staff.put(&format!("{desk}/publish"), ids).await.data()["done"], json!(1));
}
