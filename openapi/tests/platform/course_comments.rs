//! How far learners are with courses, what they say of them and how they score them (part 01 §9.2, §9.3).

use chrono::TimeDelta;
use infra::{Change, Tx, audit::Actor, tx};
use kit::{
    Server,
    accounts::operator_with,
    fields,
    learners::numbered,
    sheets::texts,
    site::{comment, course, lessons_of, rating, studied},
};
use serde_json::json;
use site_study::{
    progress::{Beat, beat},
    rating::{Scored, rate},
};

const COMMENT: &str = "/course/pc/comment";

#[tokio::test]
async fn a_comment_is_looked_at_answered_and_put_on_top() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let course = course(&server, "大学英语").await;
    let waiting = comment(&server, course, "讲得好", "pending").await;
    let early = operator.put(&format!("{COMMENT}/reply"), json!({ "id": waiting, "content": "谢谢" })).await;
    assert_eq!(early.refused(), (409, "评论审核通过后才能回复"));
    let silent = operator.put(&format!("{COMMENT}/audit"), json!({ "id": waiting, "auditStatus": "rejected" })).await;
    assert_eq!(fields(&silent), ["auditOpinion: 请填写审核意见"]);
    operator.put(&format!("{COMMENT}/audit"), json!({ "id": waiting, "auditStatus": "approved" })).await.data();
    let counted = operator.post(&format!("{COMMENT}/list"), json!({ "auditStatus": "pending" })).await.data().clone();
    let approved = json!([{ "value": "approved", "count": 1 }]);
    assert_eq!((&counted["totalCount"], &counted["segments"]), (&json!(0), &approved));
    let again = operator.put(&format!("{COMMENT}/audit"), json!({ "id": waiting, "auditStatus": "approved" })).await;
    assert_eq!(again.refused(), (409, "该评论已审核，请刷新"));
    let answer = operator.put(&format!("{COMMENT}/reply"), json!({ "id": waiting, "content": "谢谢" })).await.id();
    let beside = operator.put(&format!("{COMMENT}/reply"), json!({ "id": answer, "content": "再次感谢" })).await.id();
    let seen = operator.get(&format!("{COMMENT}/view?id={waiting}")).await;
    let answers: Vec<_> = seen.data()["answers"].as_array().expect("answers").iter().map(|each| &each["id"]).collect();
    assert_eq!(answers, [&json!(answer), &json!(beside)]);
    let top = async |id: i64| operator.put(&format!("{COMMENT}/top"), json!({ "id": id, "isTop": true })).await;
    top(waiting).await.data();
    assert_eq!(top(waiting).await.refused(), (409, "该评论已置顶"));
    assert_eq!(top(answer).await.refused(), (409, "回复不能置顶，请置顶其评论"));
    operator.delete(&format!("{COMMENT}/delete?id={waiting}")).await.data();
    let left: i64 = server.one("select count(*) from platform.course_comment").await;
    assert_eq!(left, 0, "a comment goes with its answers");
    let narrow = operator_with(&server, "narrow", &["course:pc:comment:list"]).await;
    assert_eq!(narrow.post(&format!("{COMMENT}/batchDel"), json!({ "ids": [1] })).await.code(), 403);
}

/// 5, 4 and 4 are 4.3; without the five they are 4.
#[tokio::test]
async fn the_average_follows_the_scores() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let course = course(&server, "大学英语").await;
    let mut ids = Vec::new();
    for (learner, score) in [(1, 5), (2, 4), (3, 4)] {
        ids.push(rating(&server, course, learner, score).await);
    }
    let list = operator.post(&format!("{COMMENT}/score/list"), json!({ "courseName": "大学" })).await;
    assert_eq!((&list.data()["average"], &list.data()["totalCount"]), (&json!(4.3), &json!(3)));
    assert_eq!(list.data()["distribution"][0], json!({ "score": 5, "count": 1 }));
    let fours = operator.post(&format!("{COMMENT}/score/list"), json!({ "score": 4 })).await;
    assert_eq!((&fours.data()["average"], &fours.data()["totalCount"]), (&json!(4.0), &json!(2)));
    let rows = texts(&operator.post(&format!("{COMMENT}/score/export"), json!({})).await.bytes);
    assert_eq!(rows.len(), 4);
    operator.delete(&format!("{COMMENT}/score/delete?id={}", ids[0])).await.data();
    let kept: String = server.one("select score_avg || '/' || score_count from platform.online_course").await;
    assert_eq!(kept, "4.0/2");
    for id in &ids[1..] {
        operator.delete(&format!("{COMMENT}/score/delete?id={id}")).await.data();
    }
    let none: i64 = server.one("select count(*) from platform.online_course where score_avg is null").await;
    assert_eq!(none, 1);
}

/// Seven of twelve lessons are 58.3 %; a learner with all of them finished the course.
#[tokio::test]
async fn progress_is_finished_lessons_of_all() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let course = course(&server, "大学英语").await;
    let lessons = lessons_of(&server, course, 12).await;
    let done = studied(&server, course, 1).await;
    studied(&server, course, 2).await;
    for (learner, count) in [(1, 7), (2, 12)] {
        let each: Vec<String> = lessons[..count]
            .iter()
            .map(|period| format!("({learner}, {period}, {course}, 100, 100, now(), now())"))
            .collect();
        server
            .run(&format!(
                "insert into platform.online_study (learner_id, period_id, course_id, watched_seconds, position_seconds, finished_at,
                     beat_at)
                 values {}",
                each.join(", ")
            ))
            .await;
    }
    let list = operator.post("/course/pc/progress/list", json!({ "progressTo": 60 })).await;
    let row = &list.data()["list"][0];
    assert_eq!(list.data()["totalCount"], json!(1));
    assert_eq!(
        (&row["finished"], &row["periodTotal"], &row["progress"], &row["phone"]),
        (&json!(7), &json!(12), &json!(58.3), &json!("138****0001"))
    );
    // Whose phone changes is found by the new one, and shown with it.
    server.run("update platform.user_ext set phone = '13700000077' where id = 1").await;
    let list = operator.post("/course/pc/progress/list", json!({ "keyword": "13700000077" })).await;
    assert_eq!((&list.data()["totalCount"], &list.data()["list"][0]["phone"]), (&json!(1), &json!("137****0077")));
    let wanted = json!({ "entity": "siteProgress", "id": done, "field": "phone" });
    assert_eq!(operator.post("/system/pc/plain/view", wanted).await.data()["value"], json!("13700000077"));
    // What is asked for is what is shown: one place.
    let shown = json!({ "courseId": course, "progressFrom": 58.3, "progressTo": 58.3 });
    assert_eq!(operator.post("/course/pc/progress/list", shown).await.data()["list"][0]["id"], json!(done));
    let elsewhere = operator.post("/course/pc/progress/list", json!({ "courseId": course + 1 })).await;
    assert_eq!(elsewhere.data()["totalCount"], json!(0));
    let seen = operator.get(&format!("/course/pc/progress/view?id={done}")).await;
    assert_eq!(seen.data()["periods"].as_array().map(Vec::len), Some(12));
    assert_eq!(seen.data()["periods"][11]["finishedAt"], json!(null));
    let figures = operator.post("/course/pc/statistics/list", json!({})).await;
    let row = &figures.data()["list"][0];
    assert_eq!(
        (&row["learners"], &row["finishedRate"], &row["averageProgress"]),
        (&json!(2), &json!(50.0), &json!(79.2))
    );
    let charts = operator.post("/course/pc/statistics/chart", json!({})).await;
    assert_eq!(charts.data()["days"].as_array().map(Vec::len), Some(30));
    assert_eq!(charts.data()["top"][0]["learners"], json!(2));
    let refused = operator.delete(&format!("/course/pc/course/record/delete?id={course}")).await;
    assert_eq!(refused.refused(), (409, "“大学英语”已上架，请先下架再删除"));
}

/// A transaction in which a learner does something.
async fn begin(server: &Server) -> Tx {
    let actor = Actor {
        kind: "learner".to_owned(),
        id: 1,
        name: "小满".to_owned(),
        on_behalf_of: None,
        ip: "127.0.0.1".to_owned(),
        trace_id: "-".to_owned(),
    };
    tx::at_the_server(&server.app, actor).await.expect("a transaction")
}

/// Acceptance (7).
#[tokio::test]
async fn a_buyer_scores_once() {
    let server = Server::start().await;
    let course = course(&server, "大学英语").await;
    numbered(&server, 1).await;
    let give = async |score: i16, content: &str, bought: bool| {
        let mut tx = begin(&server).await;
        let learner = (1, "小满".to_owned());
        let scored = Scored { course_id: course, learner, score, content: Some(content.to_owned()), bought };
        let (_, change) = rate(&mut tx, scored).await.map_err(|error| (error.code, error.msg.into_owned()))?;
        tx.commit(change).await.map_err(|error| (error.code, error.msg.into_owned()))
    };
    assert_eq!(give(5, "", false).await, Err((403, "购买课程后才能评分".to_owned())));
    assert_eq!(give(6, "", true).await, Err((422, "评分应为1至5分".to_owned())));
    assert_eq!(give(5, "好".repeat(201).as_str(), true).await, Err((422, "评分内容最多200个字".to_owned())));
    assert_eq!(give(5, " 讲得好 ", true).await, Ok(()));
    assert_eq!(give(4, "", true).await, Err((409, "您已评分".to_owned())));
    let kept: String = server.one("select score_avg || '/' || score_count from platform.online_course").await;
    assert_eq!(kept, "5.0/1");
    let content: String = server.one("select content from platform.course_rating").await;
    assert_eq!(content, "讲得好");
}

/// Acceptance (6), one device at a time, and the end of a lesson.
#[tokio::test]
async fn a_beat_counts_what_can_have_been_watched() {
    let server = Server::start().await;
    let course = course(&server, "大学英语").await;
    let lesson = lessons_of(&server, course, 1).await[0];
    numbered(&server, 1).await;
    let now = server.app.clock().now();
    let mut tx = begin(&server).await;
    let mut counted = Vec::new();
    for (seconds, device, delta, position) in
        [(0, "web", 0, 0), (30, "web", 600, 60), (40, "phone", 30, 90), (60, "web", 30, 96)]
    {
        let told = Beat {
            learner_id: 1,
            learner_name: "小满".to_owned(),
            phone: "13900000061".to_owned(),
            period_id: lesson,
            position,
            delta,
            device: device.to_owned(),
        };
        let each = beat(&mut tx, now + TimeDelta::seconds(seconds), &told).await.expect("counted");
        counted.push(each);
    }
    tx.commit(Change::nothing("online_course_study", 0)).await.expect("kept");
    assert_eq!(counted, [0, 65, 0, 30]);
    let begun: i64 = server.one("select count_study from platform.online_course").await;
    assert_eq!(begun, 1);
    let finished: i64 = server
        .one("select count(*) from platform.online_study where finished_at is not null and watched_seconds = 95")
        .await;
    assert_eq!(finished, 1);
}

/// Beats that are sent again, at once or of two lessons side by side, count no more than twice the time that passed.
#[tokio::test]
async fn beats_do_not_add_up_to_what_nobody_watched() {
    let server = Server::start().await;
    let (english, maths) = (course(&server, "大学英语").await, course(&server, "高等数学").await);
    let lessons = [lessons_of(&server, english, 1).await[0], lessons_of(&server, maths, 1).await[0]];
    numbered(&server, 1).await;
    let now = server.app.clock().now();
    let mut tx = begin(&server).await;
    let mut counted = Vec::new();
    for (seconds, lesson) in [(0, 0), (0, 0), (0, 0), (30, 0), (30, 0), (30, 1), (40, 1), (40, 0), (70, 0), (70, 1)] {
        let told = Beat {
            learner_id: 1,
            learner_name: "小满".to_owned(),
            phone: "13900000061".to_owned(),
            period_id: lessons[lesson],
            position: 100,
            delta: 600,
            device: "web".to_owned(),
        };
        counted.push(beat(&mut tx, now + TimeDelta::seconds(seconds), &told).await.expect("counted"));
    }
    tx.commit(Change::nothing("online_course_study", 0)).await.expect("kept");
    assert_eq!(counted, [0, 0, 0, 65, 0, 0, 20, 0, 65, 0]);
}
