//! How far learners are with courses, what they say of them and how they score them (part 01 §9.2, §9.3).

use kit::{
    Server,
    accounts::operator_with,
    fields,
    sheets::texts,
    site::{comment, course, lessons_of, rating, studied},
};
use serde_json::json;

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
        (&json!(7), &json!(12), &json!(58.3), &json!("139****0061"))
    );
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
