//! Live courses, files of the library and what learners say of courses of the operators' site.

use serde_json::{Value, json};

use crate::{Client, Server, learners::numbered};

/// Where courses of a kind stand, and who teaches them.
pub struct Shelf {
    pub category: i64,
    pub lecturer: i64,
}

pub async fn shelf(operator: &Client<'_>, kind: &str) -> Shelf {
    let category = json!({ "categoryName": "公开课" });
    let lecturer = json!({ "lecturerName": "方讲师", "phone": "13900000003" });
    Shelf {
        category: operator.post(&format!("/course/pc/category/{kind}/save"), category).await.id(),
        lecturer: operator.post("/user/pc/lecturer/save", lecturer).await.id(),
    }
}

/// A course of 19.90 yuan, sold for 9.90, without lessons and file.
pub fn content(shelf: &Shelf, name: &str) -> Value {
    json!({
        "courseName": name, "categoryId": shelf.category, "lecturerId": shelf.lecturer, "cover": "/cover.png",
        "isFree": false, "priceOriginal": 1_990, "priceSale": 990,
    })
}

/// One chapter with a lesson at each of these times of a day far ahead.
pub fn lessons(channel: i64, times: &[(&str, &str)]) -> Value {
    let at = |time: &str| format!("2099-05-01T{time}:00+08:00");
    let periods: Vec<Value> = times
        .iter()
        .map(|(from, to)| {
            json!({ "periodName": format!("{from}开讲"), "liveChannelId": channel, "startsAt": at(from), "endsAt": at(to) })
        })
        .collect();
    json!([{ "chapterName": "第一章", "periods": periods }])
}

/// A channel of its own number.
pub async fn channel(server: &Server, name: &str) -> i64 {
    server
        .one(&format!(
            "insert into platform.live_channel (channel_name, provider, channel_no, scene, created_by, updated_by)
             select '{name}', 'polyv', 'kit' || count(*), 'lecture', 0, 0 from platform.live_channel returning id"
        ))
        .await
}

/// A recorded course that is on the shelf, without lessons.
pub async fn course(server: &Server, name: &str) -> i64 {
    let category: i64 = server
        .one(&format!(
            "insert into platform.online_category (category_type, category_name, created_by, updated_by)
             values ('record', '{name}的分类', 0, 0) returning id"
        ))
        .await;
    let lecturer: i64 = server
        .one(
            "insert into platform.lecturer (lecturer_name, phone, lecturer_proportion, created_by, updated_by)
             values ('方讲师', '13900000003', 0.7, 0, 0) returning id",
        )
        .await;
    let id: i64 = server
        .one(&format!(
            "insert into platform.online_course (course_type, course_name, category_id, lecturer_id, cover, is_free, price_original,
                 price_sale, audit_status, created_by, updated_by)
             values ('record', '{name}', {category}, {lecturer}, '/a.png', false, 19900, 9900, 'approved', 0, 0) returning id"
        ))
        .await;
    let revision: i64 = server
        .one(&format!(
            "insert into platform.online_course_revision (course_id, content, audit_status, submitter_id, submitted_at, audited_by,
                 audited_at, created_by, updated_by)
             values ({id}, '{{\"courseName\": \"{name}\"}}', 'approved', 0, now(), 0, now(), 0, 0) returning id"
        ))
        .await;
    server
        .run(&format!(
            "update platform.online_course set published_revision_id = {revision}, putaway = 'on' where id = {id}"
        ))
        .await;
    id
}

/// Gives the published version of a resource a file, as if it had been uploaded; nothing for other kinds.
pub async fn filed(server: &Server, course: i64, kind: &str) {
    if kind != "resource" {
        return;
    }
    server
        .run(&format!(
            "update platform.online_course_revision r
             set content = r.content || '{{\"resourceFileKey\": \"private/platform/202611/a.pdf\", \"resourceFileName\": \"真题.pdf\"}}'
             from platform.online_course c where c.published_revision_id = r.id and c.id = {course}"
        ))
        .await;
}

/// What a learner said of a course.
pub async fn comment(server: &Server, course: i64, content: &str, status: &str) -> i64 {
    numbered(server, 1).await;
    server
        .one(&format!(
            "insert into platform.course_comment (course_id, learner_id, learner_name, content, audit_status, created_by, updated_by)
             values ({course}, 1, '小满', '{content}', '{status}', 0, 0) returning id"
        ))
        .await
}

/// What a learner gave a course; its average is as it was.
pub async fn rating(server: &Server, course: i64, learner: i64, score: i16) -> i64 {
    numbered(server, learner).await;
    server
        .one(&format!(
            "insert into platform.course_rating (course_id, learner_id, learner_name, score, created_by, updated_by)
             values ({course}, {learner}, '学员{learner}', {score}, 0, 0) returning id"
        ))
        .await
}

/// A learner who began a course.
pub async fn studied(server: &Server, course: i64, learner: i64) -> i64 {
    numbered(server, learner).await;
    server.run(&format!("update platform.online_course set count_study = count_study + 1 where id = {course}")).await;
    server
        .one(&format!(
            "insert into platform.online_course_study (learner_id, course_id, learner_name, phone, watched_seconds, device,
                 started_at, last_at)
             values ({learner}, {course}, '学员{learner}', '13900000061', 600, 'web', now(), now()) returning id"
        ))
        .await
}

/// So many lessons of a recorded course, with the numbers of their periods.
pub async fn lessons_of(server: &Server, course: i64, count: usize) -> Vec<i64> {
    let chapter: i64 = server
        .one(&format!(
            "insert into platform.online_chapter (course_id, chapter_name, sort, created_by, updated_by)
             values ({course}, '第一章', 1, 0, 0) returning id"
        ))
        .await;
    let media = crate::rows::video(server, "platform", &format!("kit_{course}"), "ready", 100).await;
    let mut periods = Vec::with_capacity(count);
    for place in 1..=count {
        let made: i64 = server
            .one(&format!(
                "insert into platform.online_period (chapter_id, period_name, is_free, media_asset_id, sort, created_by, updated_by)
                 values ({chapter}, '第{place}课', false, {media}, {place}, 0, 0) returning id"
            ))
            .await;
        periods.push(made);
    }
    periods
}
