//! Courses of the school: one of everything.

use kit::rows::video;
use serde_json::json;

use super::{Life, MARK, Upload, catalogue_courses, id, school::default_set};

pub(super) const TYPE: &str = "/adult/pc/curriculumType";
const COURSE: &str = "/course/pc/collegeCurriculum";
const RECORD: &str = "/course/pc/schoolCourse";
const CHAPTER: &str = "/course/pc/schoolChapter";
const PERIOD: &str = "/course/pc/schoolPeriod";
const POINT: &str = "/course/pc/knowledgePoint";

/// Answers what can be deleted at the end.
pub(super) async fn live(life: &mut Life<'_>) -> Vec<(&'static str, i64)> {
    let kind = json!({ "code": "JX", "name": format!("{MARK}军训类"), "systemKind": "practice" });
    let type_id = default_set(life, TYPE, kind, json!({ "defaultExamForm": "check" })).await;
    let course = |code: &str, name: &str| json!({ "code": code, "name": format!("{MARK}{name}"), "typeId": type_id, "credits": 4.0, "lectureHours": 72 });
    let first = default_set(life, COURSE, course("K1", "大学英语"), json!({ "degreeCourse": true })).await;
    life.put(&format!("{COURSE}/batchEdit"), json!({ "ids": [first], "assessMode": "closed_book" })).await;
    let name = format!("{MARK}商务英语");
    life.import(
        &format!("{COURSE}/import"),
        &["课程代码", "课程名称", "课程类型编码", "学分", "面授学时", "考核类型"],
        &[&["K9", &name, "JX", "4", "72", "考试"]],
    )
    .await;
    material(life, first).await;
    // Every second one is deleted among several.
    let mut deleted = Vec::new();
    for n in ["2", "3"] {
        let kind = json!({ "code": format!("X{n}"), "name": format!("{MARK}多余类型{n}"), "systemKind": "thesis" });
        deleted.push((TYPE, id(&life.post(&format!("{TYPE}/save"), kind).await)));
    }
    for n in ["2", "3"] {
        let more = course(&format!("X{n}"), &format!("多余课程{n}"));
        deleted.push((COURSE, id(&life.post(&format!("{COURSE}/save"), more).await)));
    }
    for n in ["2", "3"] {
        let more = json!({ "courseId": first, "name": format!("{MARK}多余资源{n}"), "source": "own" });
        deleted.push((RECORD, id(&life.post(&format!("{RECORD}/save"), more).await)));
    }
    let point = knowledge(life, first).await;
    for n in ["2", "3"] {
        let more = json!({ "courseId": first, "parentId": point, "code": format!("X{n}"), "name": format!("{MARK}多余知识点{n}") });
        deleted.push((POINT, id(&life.post(&format!("{POINT}/save"), more).await)));
    }
    deleted
}

/// What its questions are about. Answers the point below which others stand.
async fn knowledge(life: &mut Life<'_>, course: i64) -> i64 {
    let body = json!({ "courseId": course, "code": "YF", "name": format!("{MARK}语法") });
    let point = id(&life.post(&format!("{POINT}/save"), body.clone()).await);
    let mut edit = body;
    edit["id"] = json!(point);
    edit["version"] = life.get(&format!("{POINT}/view?id={point}")).await["version"].clone();
    edit["sortNo"] = json!(10);
    life.put(&format!("{POINT}/edit"), edit).await;
    let tree = life.post(&format!("{POINT}/list"), json!({ "courseId": course })).await;
    assert_eq!(tree[0]["sortNo"], json!(10), "{tree}");
    life.post(&format!("{POINT}/export"), json!({ "courseId": course })).await;
    life.get(&format!("/adult/pc/options/knowledgePoint?parentId={course}")).await;
    point
}

/// What a course is taught with.
async fn material(life: &mut Life<'_>, course: i64) {
    let body = json!({ "courseId": course, "name": format!("{MARK}大学英语资源"), "source": "own" });
    let record = id(&life.post(&format!("{RECORD}/save"), body.clone()).await);
    let mut edit = body;
    edit["id"] = json!(record);
    edit["version"] = life.get(&format!("{RECORD}/view?id={record}")).await["version"].clone();
    edit["lecturerName"] = json!("李老师");
    life.put(&format!("{RECORD}/edit"), edit).await;
    life.get(&format!("{RECORD}/uses?id={record}")).await;
    life.post(&format!("{RECORD}/list"), json!({})).await;
    life.post(&format!("{RECORD}/export"), json!({})).await;
    let chapter = chapters(life, course).await;
    periods(life, record, chapter).await;
    life.put(&format!("{RECORD}/update/status"), json!({ "id": record, "status": "published" })).await;
    let copy = id(&life.post(&format!("{RECORD}/copy"), json!({ "id": record })).await);
    life.put(&format!("{RECORD}/setDefault"), json!({ "id": copy })).await;
    catalogue_courses::school(life, course).await;
}

async fn chapters(life: &mut Life<'_>, course: i64) -> i64 {
    let body = json!({ "courseId": course, "title": format!("{MARK}第一章") });
    let chapter = id(&life.post(&format!("{CHAPTER}/save"), body.clone()).await);
    let mut edit = body;
    edit["id"] = json!(chapter);
    edit["version"] = json!(1);
    edit["hours"] = json!(4);
    life.put(&format!("{CHAPTER}/edit"), edit).await;
    let spare = json!({ "courseId": course, "title": format!("{MARK}多余章") });
    let spare = id(&life.post(&format!("{CHAPTER}/save"), spare).await);
    life.delete(&format!("{CHAPTER}/delete?id={spare}")).await;
    life.put(&format!("{CHAPTER}/sort"), json!({ "courseId": course, "items": [{ "id": chapter, "sortNo": 5 }] }))
        .await;
    life.get(&format!("{CHAPTER}/import/template")).await;
    let name = format!("{MARK}第二章");
    let mut upload = Upload::sheet(&["章序号", "章标题", "学时"], &[&["2", &name, "4"]]);
    upload.texts.push(("courseId", course.to_string()));
    life.upload(&format!("{CHAPTER}/import"), upload).await;
    life.get(&format!("{CHAPTER}/list?courseId={course}")).await;
    chapter
}

async fn periods(life: &mut Life<'_>, record: i64, chapter: i64) {
    let media = video(life.server, "school_1", "v1", "failed", 0).await;
    let body = json!({ "courseRecordId": record, "chapterId": chapter, "title": format!("{MARK}第一讲"), "kind": "video",
        "mediaAssetId": media });
    let period = id(&life.post(&format!("{PERIOD}/save"), body.clone()).await);
    life.put(&format!("{PERIOD}/retry"), json!({ "id": period })).await;
    life.server.run("update school_1.media_asset set state = 'ready'").await;
    let mut edit = body;
    edit["id"] = json!(period);
    edit["version"] = json!(1);
    edit["freePreview"] = json!(true);
    life.put(&format!("{PERIOD}/edit"), edit).await;
    life.put(&format!("{PERIOD}/sort"), json!({ "courseRecordId": record, "chapterId": chapter, "ids": [period] }))
        .await;
    for enabled in [false, true] {
        life.put(&format!("{PERIOD}/update/status"), json!({ "id": period, "enabled": enabled })).await;
    }
    let spare = json!({ "courseRecordId": record, "chapterId": chapter, "title": format!("{MARK}多余课时"), "kind": "link",
        "url": "https://example.com" });
    let spare = id(&life.post(&format!("{PERIOD}/save"), spare).await);
    life.delete(&format!("{PERIOD}/delete?id={spare}")).await;
    life.get(&format!("{PERIOD}/import/template?courseRecordId={record}")).await;
    let (chapter, title) = (format!("{MARK}第一章"), format!("{MARK}第二讲"));
    let mut upload = Upload::sheet(
        &["章标题", "课时标题", "类型", "通道", "媒体ID"],
        &[&[&chapter, &title, "视频", "保利威", "v1"]],
    );
    upload.texts.push(("courseRecordId", record.to_string()));
    let answer = life.upload(&format!("{PERIOD}/import"), upload).await;
    assert_eq!((&answer["imported"], &answer["errors"]), (&json!(1), &json!([])));
    life.post(&format!("{PERIOD}/list"), json!({ "courseRecordId": record })).await;
}
