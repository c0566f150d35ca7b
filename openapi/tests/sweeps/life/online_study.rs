//! Online study of the school: how a course is studied, who studies it, what is asked there.

use serde_json::json;

use super::{Life, MARK};

const TEACHING: &str = "/adult/pc/onlineTeaching";

/// The student is in a course that is taught.
pub(super) async fn live(life: &mut Life<'_>, student: i64) {
    let of = |column: &str| {
        format!(
            "select {column} from school_1.course_selection c
             join school_1.course_opening o on o.id = c.opening_id and o.status = 'opened'
             join school_1.course u on u.id = c.course_id
             join school_1.student s on s.id = c.student_id
             where c.student_id = {student} and c.status = 'selected' order by c.id limit 1"
        )
    };
    let (selection, opening): (i64, i64) = (life.server.one(&of("c.id")).await, life.server.one(&of("o.id")).await);
    let (course, number): (String, String) =
        (life.server.one(&of("u.code")).await, life.server.one(&of("s.student_no")).await);
    teaching(life, opening).await;
    life.get(&format!("{TEACHING}/import/template")).await;
    let headings = ["学号", "课程代码", "学期编码", "课程进度(%)", "学习时长(分钟)"];
    life.import(&format!("{TEACHING}/import"), &headings, &[&[&number, &course, "2026-1", "42.5", "90"]]).await;
    life.post(&format!("{TEACHING}/progress/list"), json!({ "openingId": opening })).await;
    life.post(&format!("{TEACHING}/progress/stat"), json!({ "openingId": opening })).await;
    life.post(&format!("{TEACHING}/progress/export"), json!({ "openingId": opening })).await;
    let seen = life.get(&format!("{TEACHING}/progress/view?selectionId={selection}")).await;
    assert_eq!((&seen["progress"], &seen["studyMinutes"]), (&json!(42.5), &json!(90)));
    let told = life.post(&format!("{TEACHING}/remind"), json!({ "selectionIds": [selection] })).await;
    assert_eq!(told["done"], json!(1), "{told}");
    let reset = json!({ "selectionId": selection, "reason": format!("{MARK}他人代学") });
    life.put(&format!("{TEACHING}/reset"), reset).await;
    questions(life, selection).await;
}

async fn teaching(life: &mut Life<'_>, opening: i64) {
    let day = |days: i64| life.server.app.clock().now() + chrono::Duration::days(days);
    let (from, until) = (day(-1), day(1));
    let edit = json!({ "id": opening, "version": 0, "studyStartsAt": from, "studyEndsAt": until, "finishPercent": 85,
        "maxSpeed": 1.2, "requiredProgress": 40 });
    life.put(&format!("{TEACHING}/edit"), edit).await;
    let all = json!({ "openingIds": [opening], "dailyLimitMinutes": 120 });
    assert_eq!(life.put(&format!("{TEACHING}/batchEdit"), all).await["done"], json!(1));
    let seen = life.get(&format!("{TEACHING}/view?id={opening}")).await;
    assert_eq!((&seen["finishPercent"], &seen["dailyLimitMinutes"]), (&json!(85), &json!(120)), "{seen}");
    life.post(&format!("{TEACHING}/list"), json!({})).await;
    life.post(&format!("{TEACHING}/export"), json!({})).await;
}

async fn questions(life: &mut Life<'_>, selection: i64) {
    let qa: i64 = life
        .server
        .one(&format!(
            "insert into school_1.course_qa (selection_id, title, content, created_by, updated_by)
             values ({selection}, '{MARK}复利', '{MARK}如何换算', 0, 0) returning id"
        ))
        .await;
    let listed = life.post(&format!("{TEACHING}/qa/list"), json!({})).await;
    assert_eq!(listed["list"][0]["id"], json!(qa));
    life.put(&format!("{TEACHING}/qa/reply"), json!({ "id": qa, "content": format!("{MARK}见教材第三章") })).await;
    let marks = json!({ "id": qa, "version": 1, "excellent": true, "hidden": false });
    life.put(&format!("{TEACHING}/qa/edit"), marks).await;
}
