//! What visitors see of the courses of the operators' site and what learners do with them: they look, play, report how far they are,
//! say something, score, and click what the search offers (part 01 §9.2, §9.3, §9.10 Courses, §9.11).

use chrono::{DateTime, FixedOffset, TimeDelta};
use infra::clock::Moment;
use kit::{
    Answer, Client, Server,
    clients::with_token,
    fields,
    learners::{EXT, OWN, entered, sign_in},
    platform_courses::{COURSE, content, put, save, shelf},
    rows::video,
    site,
};
use serde_json::{Value, json};

use crate::uploads::{SECRET, configure, with_provider};

const LIST: &str = "/course/client/course/list";
const VIEW: &str = "/course/client/course/view";
const PLAY: &str = "/course/client/course/playToken";
const PROGRESS: &str = "/course/client/study/progress";
const COMMENT: &str = "/course/client/comment/save";
const SCORE: &str = "/course/client/comment/score/save";
const CLICK: &str = "/system/client/search/click";
const FIRST: &str = "13900000081";
const SECOND: &str = "13900000082";
const THIRD: &str = "13900000083";

async fn shown(server: &Server, filter: Value) -> Vec<String> {
    let answer = server.anonymous().post(LIST, filter).await;
    let rows = answer.data()["list"].as_array().expect("courses");
    assert_eq!(answer.data()["totalCount"], json!(rows.len()));
    rows.iter().map(|row| row["courseName"].as_str().unwrap_or_default().to_owned()).collect()
}

async fn view(server: &Server, course: i64) -> Answer {
    server.anonymous().get(&format!("{VIEW}?id={course}")).await
}

async fn play(client: &Client<'_>, period: i64) -> Answer {
    client.get(&format!("{PLAY}?periodId={period}")).await
}

async fn beat(client: &Client<'_>, period: i64, position: i64, delta: i64) -> Answer {
    client.post(PROGRESS, json!({ "periodId": period, "position": position, "delta": delta })).await
}

async fn grant(operator: &Client<'_>, learner: i64, course: i64) {
    let right = json!({ "id": learner, "productType": "record", "productId": course, "days": 30 });
    operator.post(&format!("{EXT}/grantRight"), right).await.data();
}

fn at(value: &Value) -> DateTime<FixedOffset> {
    value.as_str().expect("a moment").parse().expect("a moment")
}

/// Only what is enabled, on the shelf and approved; what is recommended stands before it (01 §9.0, §9.2).
#[tokio::test]
async fn visitors_see_what_is_on_the_shelf() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let shelf = shelf(&operator).await;
    let mut made = Vec::new();
    for (name, price) in [("大学英语", 14_900), ("高等数学", 9_900), ("会计基础", 12_900)] {
        let media = video(&server, "platform", name, "ready", 90).await;
        let chapters: [(&str, &[(&str, i64)]); 1] = [("第一章", &[("1.1", media)])];
        let mut course = content(&shelf, name, &chapters);
        course["priceSale"] = json!(price);
        let id = save(&operator, course, "publish").await.id();
        put(&operator, id, "on").await.data();
        made.push(id);
    }
    let draft = content(&shelf, "草稿课程", &[]);
    save(&operator, draft, "draft").await.id();
    assert_eq!(shown(&server, json!({})).await, ["会计基础", "高等数学", "大学英语"], "the newest first");
    let recommended = json!({ "courseId": made[0], "position": "home" });
    operator.post("/course/pc/recommend/save", recommended).await.id();
    assert_eq!(shown(&server, json!({})).await, ["大学英语", "会计基础", "高等数学"]);
    assert_eq!(shown(&server, json!({ "recommended": true })).await, ["大学英语"]);
    let by_price = |order: &str| json!({ "sortField": "price", "sortOrder": order });
    assert_eq!(shown(&server, by_price("asc")).await, ["高等数学", "会计基础", "大学英语"]);
    assert_eq!(shown(&server, by_price("desc")).await, ["大学英语", "会计基础", "高等数学"]);
    assert_eq!(shown(&server, json!({ "keyword": "gdsx" })).await, ["高等数学"]);
    assert_eq!(shown(&server, json!({ "keyword": "方讲师", "isFree": false })).await.len(), 3);
    assert_eq!(shown(&server, json!({ "courseType": "live" })).await, Vec::<String>::new());
    let category = operator.get(&format!("{COURSE}/view?id={}", made[0])).await.data()["categoryId"].clone();
    assert_eq!(shown(&server, json!({ "categoryId": category })).await.len(), 3);
    // What a category recommends is none of the home page's, and the page of a course has its own.
    operator
        .post(
            "/course/pc/recommend/save",
            json!({ "courseId": made[1], "position": "category", "categoryId": category }),
        )
        .await
        .id();
    assert_eq!(shown(&server, json!({ "categoryId": category })).await[0], "高等数学");
    operator.post("/course/pc/recommend/save", json!({ "courseId": made[2], "position": "detail" })).await.id();

    let seen = view(&server, made[0]).await;
    let page = seen.data();
    assert_eq!(
        (&page["courseName"], &page["lecturer"]["lecturerName"], &page["periodTotal"], &page["recommended"]),
        (&json!("大学英语"), &json!("方讲师"), &json!(1), &json!(true))
    );
    let lesson = &page["chapters"][0]["periods"][0];
    assert_eq!(
        (&lesson["periodName"], &lesson["durationSeconds"], &lesson["playable"]),
        (&json!("1.1"), &json!(90), &json!(true))
    );
    assert_eq!(page["recommends"][0]["courseName"], json!("会计基础"));
    let told = seen.body.to_string();
    assert!(
        !told.contains("mediaAssetId") && !told.contains("vid\""),
        "what plays a lesson is told by its ticket: {told}"
    );

    put(&operator, made[0], "off").await.data();
    assert_eq!(view(&server, made[0]).await.code(), 404);
    let off = json!({ "id": made[1], "enabled": false });
    operator.put(&format!("{COURSE}/update/status"), off).await.data();
    assert_eq!(view(&server, made[1]).await.code(), 404);
    assert_eq!(shown(&server, json!({})).await, ["会计基础"]);
    assert_eq!(view(&server, 987_654).await.refused(), (404, "记录不存在或已被删除"));
}

/// A ticket only with the right, or for what is free (01 §9.11), and for ten minutes.
#[tokio::test]
async fn a_lesson_is_played_by_who_has_the_right() {
    let (server, _provider) = with_provider().await;
    let keys = json!({ "userId": "u1", "writeToken": "write-token", "readToken": "read-token", "secretKey": SECRET });
    let config = configure(&server, "video_polyv", keys).await;
    let operator = server.operator().await;
    let stand = shelf(&operator).await;
    let (sold, free) =
        (video(&server, "platform", "v1", "ready", 90).await, video(&server, "platform", "v2", "ready", 90).await);
    server
        .run(&format!(
            "insert into platform.media_place (channel, vid, config_id, media_id, created_by, updated_by)
             select channel, vid, {config}, id, 0, 0 from platform.media_asset"
        ))
        .await;
    let chapters: [(&str, &[(&str, i64)]); 1] = [("第一章", &[("1.1", sold), ("1.2", free)])];
    let mut course = content(&stand, "大学英语", &chapters);
    course["chapters"][0]["periods"][1]["isFree"] = json!(true);
    let course = save(&operator, course, "publish").await.id();
    put(&operator, course, "on").await.data();
    let periods = view(&server, course).await.data()["chapters"][0]["periods"].clone();
    let period = |place: usize| periods[place]["id"].as_i64().expect("a lesson");
    let (buyer, id) = entered(&server, FIRST).await;
    let (other, _) = entered(&server, SECOND).await;

    assert_eq!(play(&buyer, period(0)).await.refused(), (403, "请先购买课程"));
    assert_eq!(play(&other, period(1)).await.data()["playToken"], json!("play-v2"), "a lesson to try");
    grant(&operator, id, course).await;
    let ticket = play(&buyer, period(0)).await;
    let ticket = ticket.data();
    assert_eq!(
        (&ticket["playToken"], &ticket["vid"], &ticket["channel"], &ticket["position"], &ticket["watermark"]),
        (&json!("play-v1"), &json!("v1"), &json!("polyv"), &json!(0), &json!("139****0081"))
    );
    let lives = Moment::from(at(&ticket["expiresAt"]).to_utc()) - server.app.clock().now();
    assert!((TimeDelta::minutes(9)..=TimeDelta::minutes(10)).contains(&lives), "{lives}");
    assert_eq!(play(&other, period(0)).await.refused(), (403, "请先购买课程"), "another's right is another's");
    assert_eq!(play(&buyer, 987_654).await.code(), 404);
    // Nobody else has tickets.
    assert_eq!(play(&server.anonymous(), period(0)).await.refused(), (301, "请先登录"));
    assert_eq!(play(&operator, period(0)).await.refused(), (403, "当前身份不能访问"));
    let back_office = buyer.post(&format!("{COURSE}/list"), json!({})).await;
    assert_eq!(back_office.refused(), (403, "当前身份不能访问"));
    // A video that is worked on is not played yet.
    server.run("update platform.media_asset set state = 'processing' where vid = 'v1'").await;
    assert_eq!(play(&buyer, period(0)).await.refused(), (409, "该课时的音视频尚未就绪，请稍后再试"));
    server.run("update platform.media_asset set state = 'ready'").await;
    // Off the shelf it stays with its buyers; days run out; what is switched off is nobody's.
    put(&operator, course, "off").await.data();
    assert_eq!(play(&buyer, period(0)).await.code(), 200);
    assert_eq!(play(&other, period(1)).await.code(), 404);
    put(&operator, course, "on").await.data();
    server.run("update platform.learner_right set expires_at = '2000-01-01'").await;
    assert_eq!(play(&buyer, period(0)).await.refused(), (403, "课程已过有效期，请重新购买"));
    server.run("update platform.learner_right set expires_at = null").await;
    operator.put(&format!("{COURSE}/update/status"), json!({ "id": course, "enabled": false })).await.data();
    assert_eq!(play(&buyer, period(0)).await.code(), 404);
    operator.put(&format!("{COURSE}/update/status"), json!({ "id": course, "enabled": true })).await.data();
    operator.put(&format!("{EXT}/update/status"), json!({ "id": id, "enabled": false })).await.data();
    assert_eq!(play(&buyer, period(0)).await.refused(), (303, "账号已停用，请联系管理员"));
}

#[tokio::test]
async fn a_live_lesson_is_played_when_its_replay_is_there() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let stand = site::shelf(&operator, "live").await;
    let hall = site::channel(&server, "一号厅").await;
    let mut live = site::content(&stand, "直播班");
    live["chapters"] = site::lessons(hall, &[("19:00", "20:30")]);
    (live["isFree"], live["submission"]) = (json!(true), json!("publish"));
    let course = operator.post("/course/pc/course/live/save", live).await.id();
    let on = json!({ "id": course, "putaway": "on" });
    operator.put("/course/pc/course/live/update/putaway", on).await.data();
    let listed = server.anonymous().post(LIST, json!({ "courseType": "live", "liveStanding": "waiting" })).await;
    assert_eq!(listed.data()["list"][0]["nextStartsAt"], json!("2099-05-01T19:00:00+08:00"), "{}", listed.body);
    let page = view(&server, course).await;
    let lesson = page.data()["chapters"][0]["periods"][0].clone();
    assert_eq!((&lesson["playable"], &lesson["startsAt"]), (&json!(false), &json!("2099-05-01T19:00:00+08:00")));
    let period = lesson["id"].as_i64().expect("a lesson");
    let (learner, _) = entered(&server, FIRST).await;
    assert_eq!(play(&learner, period).await.refused(), (409, "该直播课时还没有回放，请在直播结束后观看"));
    assert_eq!(beat(&learner, period, 0, 0).await.code(), 404, "nothing is watched yet");
    let replay = video(&server, "platform", "replay", "ready", 90).await;
    server.run(&format!("update platform.online_period set replay_asset_id = {replay} where id = {period}")).await;
    assert_eq!(play(&learner, period).await.data()["vid"], json!("replay"));
    assert_eq!(beat(&learner, period, 0, 0).await.data()["acceptedSeconds"], json!(0));
}

/// Acceptance (6): 600 seconds after 30 are 65. The end of a lesson, 7 of 12 are 58.3 %, one device at a time.
#[tokio::test]
async fn a_beat_counts_what_can_have_been_watched() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let course = site::course(&server, "大学英语").await;
    let lessons = site::lessons_of(&server, course, 12).await;
    let (learner, id) = entered(&server, FIRST).await;
    let (other, _) = entered(&server, SECOND).await;
    assert_eq!(beat(&learner, lessons[0], 0, 0).await.refused(), (403, "请先购买课程"));
    grant(&operator, id, course).await;
    for period in &lessons[1..7] {
        server
            .run(&format!(
                "insert into platform.online_study (learner_id, period_id, course_id, watched_seconds, position_seconds, finished_at,
                     beat_at)
                 values ({id}, {period}, {course}, 100, 100, now(), now())"
            ))
            .await;
    }
    let told = beat(&learner, lessons[0], 0, 600).await;
    assert_eq!(told.data()["acceptedSeconds"], json!(0), "nothing can have been watched before the first");
    assert_eq!(view(&server, course).await.data()["countStudy"], json!(1));
    server.app.clock().shift(TimeDelta::seconds(30));
    let told = beat(&learner, lessons[0], 60, 600).await;
    let told = told.data();
    // 65, and two for each second that the story itself takes.
    let accepted = told["acceptedSeconds"].as_i64().expect("seconds");
    assert!((65..=75).contains(&accepted), "{told}");
    assert_eq!(
        (&told["watchedSeconds"], &told["positionSeconds"], &told["finished"], &told["progress"]),
        (&json!(accepted), &json!(60), &json!(false), &json!(50.0)),
        "6 of 12"
    );
    server.app.clock().shift(TimeDelta::seconds(30));
    // A player that says it stands behind the end stands at it.
    let told = beat(&learner, lessons[0], 86_400, 30).await;
    let told = told.data();
    let watched = accepted + 30;
    assert_eq!(
        (&told["acceptedSeconds"], &told["watchedSeconds"], &told["positionSeconds"], &told["finished"]),
        (&json!(30), &json!(watched), &json!(100), &json!(true))
    );
    assert_eq!(told["progress"], json!(58.3), "7 of 12");
    let shown = operator.post("/course/pc/progress/list", json!({ "learnerId": id })).await;
    let row = &shown.data()["list"][0];
    assert_eq!(
        (&row["progress"], &row["watchedSeconds"], &row["phone"]),
        (&json!(58.3), &json!(watched), &json!("139****0081"))
    );
    assert_eq!(beat(&other, lessons[0], 10, 10).await.refused(), (403, "请先购买课程"));
    // Signed in elsewhere it is another device: while the first plays it counts nothing.
    let again = with_token(&server, &sign_in(&server, FIRST, OWN).await);
    assert_eq!(beat(&learner, lessons[8], 10, 10).await.code(), 303);
    let told = beat(&again, lessons[8], 10, 10).await;
    assert_eq!((&told.data()["acceptedSeconds"], &told.data()["finished"]), (&json!(0), &json!(false)));
    server.app.clock().shift(TimeDelta::seconds(31));
    assert_eq!(beat(&again, lessons[8], 10, 10).await.data()["acceptedSeconds"], json!(10));
    assert_eq!(view(&server, course).await.data()["countStudy"], json!(1), "one learner, whatever they play it on");
    // What ran out, or was refunded, counts no more, whatever ticket the player still has.
    server.run("update platform.learner_right set expires_at = '2000-01-01'").await;
    assert_eq!(beat(&again, lessons[8], 20, 10).await.refused(), (403, "课程已过有效期，请重新购买"));
    server.run("delete from platform.learner_right").await;
    assert_eq!(beat(&again, lessons[8], 20, 10).await.refused(), (403, "请先购买课程"));
    let wrong = beat(&again, lessons[8], -1, 86_401).await;
    assert_eq!(
        fields(&wrong),
        ["position: 播放位置(秒)取值应在0到86400之间", "delta: 上次上报以来的观看时长(秒)取值应在0到86400之间"]
    );
    // Beats come every half a minute of everybody: no log keeps them.
    let logged: i64 = server
        .one(&format!("select count(*) from platform.sys_log where path like '%{PROGRESS}' and result_code = 200"))
        .await;
    assert_eq!(logged, 0);
}

/// Acceptance (8), as visitors see it.
#[tokio::test]
async fn what_is_said_of_a_course_is_screened_and_seen() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (course, elsewhere) = (site::course(&server, "大学英语").await, site::course(&server, "高等数学").await);
    for (word, action) in [("代考", "mask"), ("作弊", "reject"), ("加群", "review")] {
        let word = json!({ "words": [word], "category": "other", "action": action });
        operator.post("/system/pc/sys/sensitive/word/library/save", word).await.data();
    }
    let (learner, _) = entered(&server, FIRST).await;
    let say = async |content: &str, parent: Option<i64>| {
        learner.post(COMMENT, json!({ "courseId": course, "parentId": parent, "content": content })).await
    };
    let seen = async || view(&server, course).await.data()["comments"].clone();
    assert_eq!(fields(&say("帮你作弊", None).await), ["content: 内容包含敏感词，请修改后提交"]);
    assert_eq!(fields(&say("  ", None).await), ["content: 评论不能为空"]);
    assert_eq!(fields(&say("好".repeat(501).as_str(), None).await), ["content: 评论不能超过500个字符"]);
    let first = say("从不代考", None).await;
    assert_eq!(first.data()["auditStatus"], json!("approved"));
    assert_eq!(seen().await[0]["content"], json!("从不**"));
    assert_eq!(seen().await[0]["learnerName"], json!("139****0081"));
    let reply = say("同意", Some(first.id())).await;
    assert_eq!(reply.data()["auditStatus"], json!("approved"));
    assert_eq!(seen().await[0]["replies"][0]["content"], json!("同意"));
    // Of each comment some answers stand on the page: those of one do not take the place of another's.
    server
        .run(&format!(
            "insert into platform.course_comment (course_id, learner_name, parent_id, content, audit_status, created_by, updated_by)
             select {course}, '学员', {}, '第' || n || '条', 'approved', 0, 0 from generate_series(1, 300) n",
            first.id()
        ))
        .await;
    let second = say("<b>讲得</b>细", None).await;
    say("的确", Some(second.id())).await.id();
    let page = seen().await;
    assert_eq!((&page[0]["content"], &page[0]["replies"][0]["content"]), (&json!("<b>讲得</b>细"), &json!("的确")));
    assert_eq!(
        (&page[1]["replies"][0]["content"], &page[1]["replies"].as_array().map(Vec::len)),
        (&json!("同意"), &Some(10))
    );
    server.run(&format!("delete from platform.course_comment where {} in (id, parent_id)", second.id())).await;
    let waiting = say("加群领资料", None).await;
    assert_eq!(waiting.data()["auditStatus"], json!("pending"));
    assert_eq!(seen().await.as_array().map(Vec::len), Some(1), "it waits for an auditor");
    let decision = json!({ "id": waiting.id(), "auditStatus": "approved" });
    operator.put("/course/pc/comment/audit", decision).await.data();
    assert_eq!(seen().await.as_array().map(Vec::len), Some(2));
    operator.put("/course/pc/comment/top", json!({ "id": first.id(), "isTop": true })).await.data();
    assert_eq!(seen().await[0]["isTop"], json!(true));
    let param = operator.get("/system/pc/sys/param/config/view?code=comment.preAudit").await.data().clone();
    let on = json!({ "id": param["id"], "version": param["version"], "paramValue": "true" });
    assert_eq!(operator.put("/system/pc/sys/param/config/edit", on).await.code(), 200);
    assert_eq!(say("讲得好", None).await.data()["auditStatus"], json!("pending"));
    let strange = json!({ "courseId": elsewhere, "parentId": first.id(), "content": "走错了" });
    assert_eq!(learner.post(COMMENT, strange).await.code(), 404, "a comment of another course");
    server.run(&format!("update platform.online_course set putaway = 'off' where id = {course}")).await;
    assert_eq!(say("还在吗", None).await.code(), 404);
    let body = json!({ "courseId": elsewhere, "content": "你好" });
    assert_eq!(operator.post(COMMENT, body.clone()).await.refused(), (403, "当前身份不能访问"));
    assert_eq!(server.anonymous().post(COMMENT, body.clone()).await.code(), 301);
    // Ten a minute are much for a person.
    let (hasty, _) = entered(&server, SECOND).await;
    let mut codes = Vec::new();
    for _ in 0..11 {
        codes.push(hasty.post(COMMENT, body.clone()).await.code());
    }
    assert_eq!((codes[9], codes[10]), (200, 429), "{codes:?}");
}

/// Words are counted before a comment holds a connection of its own: many at once do not wait for each other.
#[tokio::test]
async fn many_comments_with_words_at_once_are_kept() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let course = site::course(&server, "大学英语").await;
    let word = json!({ "words": ["代考"], "category": "other", "action": "mask" });
    operator.post("/system/pc/sys/sensitive/word/library/save", word).await.data();
    let mut learners = Vec::new();
    for phone in [FIRST, SECOND, THIRD] {
        learners.push(entered(&server, phone).await.0);
    }
    let body = &json!({ "courseId": course, "content": "从不代考" });
    let sent = learners.iter().flat_map(|learner| (0..8).map(move |_| learner.post(COMMENT, body.clone())));
    let answers = futures_util::future::join_all(sent).await;
    let codes: Vec<i64> = answers.iter().map(Answer::code).collect();
    assert_eq!(codes, [200; 24]);
    let met: i64 = server.one("select hit_count::bigint from platform.sensitive_word").await;
    assert_eq!(met, 24);
}

/// Acceptance (7), and 5, 4 and 4 are 4.3.
#[tokio::test]
async fn a_buyer_scores_once() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let course = site::course(&server, "大学英语").await;
    let give = async |client: &Client<'_>, score: i64| {
        client.post(SCORE, json!({ "courseId": course, "score": score, "content": "讲得好" })).await
    };
    let mut buyers = Vec::new();
    for phone in [FIRST, SECOND, THIRD] {
        let (client, id) = entered(&server, phone).await;
        assert_eq!(give(&client, 5).await.refused(), (403, "购买课程后才能评分"));
        grant(&operator, id, course).await;
        buyers.push(client);
    }
    assert_eq!(fields(&give(&buyers[0], 6).await), ["score: 评分取值应在1到5之间"]);
    for (client, score) in buyers.iter().zip([5, 4, 4]) {
        give(client, score).await.id();
    }
    assert_eq!(give(&buyers[0], 1).await.refused(), (409, "您已评分"));
    let page = view(&server, course).await;
    assert_eq!((&page.data()["scoreAvg"], &page.data()["scoreCount"]), (&json!(4.3), &json!(3)));
    assert_eq!(operator.post(SCORE, json!({ "courseId": course, "score": 5 })).await.code(), 403);
    // What somebody bought and whose days are over may still be scored; what is refunded is taken back, and with it the right to score.
    server.run("delete from platform.course_rating").await;
    let both = futures_util::future::join(give(&buyers[1], 2), give(&buyers[1], 4)).await;
    let mut codes = [both.0.code(), both.1.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409], "{} {}", both.0.body, both.1.body);
    server.run("delete from platform.course_rating").await;
    server.run("update platform.learner_right set expires_at = '2000-01-01'").await;
    give(&buyers[0], 3).await.id();
    server.run("delete from platform.learner_right").await;
    assert_eq!(give(&buyers[1], 3).await.refused(), (403, "购买课程后才能评分"));
}

/// A click is counted beside the word, whose editor is told of no other edit.
#[tokio::test]
async fn clicks_on_words_of_the_search_are_counted() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let form = |terminal: &str| json!({ "terminal": terminal, "wordType": "hot", "word": "学位英语" });
    let pc = operator.post("/system/pc/search/save", form("pc")).await.id();
    let app = operator.post("/system/pc/search/save", form("app")).await.id();
    let (learner, _) = entered(&server, FIRST).await;
    let click = async |body: Value| learner.post(CLICK, body).await;
    assert_eq!(click(json!({ "word": " 学位英语 ", "terminal": "pc" })).await.data(), &json!(true));
    assert_eq!(click(json!({ "word": "学位英语" })).await.data(), &json!(true));
    assert_eq!(click(json!({ "word": "没有的词" })).await.data(), &json!(false));
    let count = async |id: i64| operator.get(&format!("/system/pc/search/view?id={id}")).await.data().clone();
    assert_eq!((&count(pc).await["clickCount"], &count(pc).await["version"]), (&json!(2), &json!(1)));
    assert_eq!(count(app).await["clickCount"], json!(1));
    operator.put("/system/pc/search/update/status", json!({ "id": pc, "enabled": false })).await.data();
    assert_eq!(click(json!({ "word": "学位英语", "terminal": "pc" })).await.data(), &json!(false));
    assert_eq!(operator.post(CLICK, json!({ "word": "学位英语" })).await.refused(), (403, "当前身份不能访问"));
    assert_eq!(server.anonymous().post(CLICK, json!({ "word": "学位英语" })).await.code(), 301);
    let mut codes = Vec::new();
    for place in 0..40 {
        if place % 10 == 0 {
            // As fast as any client may call.
            server.app.clock().shift(TimeDelta::seconds(1));
        }
        codes.push(click(json!({ "word": "没有的词" })).await.code());
    }
    assert_eq!((codes[0], codes[39]), (200, 429), "thirty a minute: {codes:?}");
}
