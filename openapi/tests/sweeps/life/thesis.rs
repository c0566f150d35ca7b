//! Theses of the school: one of everything, and one that goes as far as its review.

use kit::{files::uploaded, plans};
use serde_json::{Value, json};

use super::{Life, MARK, id};

const THESIS: &str = "/adult/pc/thesis";

/// The student writes in a course of its own.
pub(super) async fn live(life: &mut Life<'_>, student: i64) {
    let course = plans::course(&life.client, "LWK1", 6.0, 54, 36).await;
    let of =
        format!("select semester_id from school_1.course_selection where student_id = {student} order by id limit 1");
    let semester: i64 = life.server.one(&of).await;
    life.server
        .run(&format!(
            "update school_1.course set kind = 'thesis' where id = {course};
             with made as (
                 insert into school_1.course_opening (semester_id, kind, course_id, type_id, nature, credits, hours, lecture_hours,
                     online_hours, practice_hours, self_study_hours, exam_form, assess_mode, teaching_mode, status, opened_at,
                     created_by, updated_by)
                 select {semester}, 'extra', u.id, u.type_id, 'elective', 6, u.hours, u.lecture_hours, u.online_hours, u.practice_hours,
                        u.self_study_hours, 'check', u.assess_mode, 'offline', 'opened', now(), 0, 0
                 from school_1.course u where u.id = {course} returning id)
             insert into school_1.course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status,
                 selected_at, created_by, updated_by)
             select y.id, m.id, {semester}, {course}, y.class_id, 'admin', 'selected', now(), 0, 0
             from made m, school_1.student y where y.id = {student}"
        ))
        .await;
    let plan = plan(life, semester).await;
    let teachers = teachers(life).await;
    advisers(life, plan, (teachers[0], teachers[1])).await;
    let topic = topic(life, plan, teachers[0]).await;
    life.post(&format!("{THESIS}/generate"), json!({ "planId": plan })).await;
    let listed = life.post(&format!("{THESIS}/list"), json!({ "planId": plan })).await;
    let thesis = listed["list"][0]["id"].as_i64().expect("a thesis");
    written(life, thesis, topic, teachers[1]).await;
    for doc in ["task", "proposal", "review", "defense", "grade"] {
        life.post(&format!("{THESIS}/print/{doc}"), json!({ "ids": [thesis] })).await;
    }
    defended(life, plan, thesis, &teachers[2..]).await;
    life.post(&format!("{THESIS}/print/schedule"), json!({ "planId": plan })).await;
    step(life, thesis, "cancel", json!({ "reason": "学生休学" })).await;
    life.post(&format!("{THESIS}/export"), json!({ "planId": plan })).await;
    life.post(&format!("{THESIS}/stat"), json!({ "planId": plan })).await;
    life.post(&format!("{THESIS}/batchDownload"), json!({ "planId": plan })).await;
}

async fn plan(life: &mut Life<'_>, semester: i64) -> i64 {
    let form = |code: &str| {
        json!({ "code": code, "name": format!("{MARK}论文{code}"), "semesterId": semester, "topicMode": "both",
            "selectMode": "first_come", "requireProposal": false, "adviserQuota": 20, "similarityLimit": 30.0,
            "similarityAttempts": 2, "defenseMode": "onsite", "minReviewers": 1, "finalDue": "2099-06-30",
            "draftDue": "2099-05-30" })
    };
    let plan = format!("{THESIS}/plan");
    let made = id(&life.post(&format!("{plan}/save"), form("LW1")).await);
    let (one, two) = (
        id(&life.post(&format!("{plan}/save"), form("LW2")).await),
        id(&life.post(&format!("{plan}/save"), form("LW3")).await),
    );
    life.delete(&format!("{plan}/delete?id={one}")).await;
    life.post(&format!("{plan}/batchDel"), json!({ "ids": [two] })).await;
    life.post(&format!("{plan}/list"), json!({})).await;
    life.post(&format!("{plan}/export"), json!({})).await;
    let seen = life.get(&format!("{plan}/view?id={made}")).await;
    let edit = kit::lessons::with(form("LW1"), json!({ "id": made, "version": seen["version"], "adviserQuota": 21 }));
    life.put(&format!("{plan}/edit"), edit).await;
    let version = life.get(&format!("{plan}/view?id={made}")).await["version"].clone();
    life.put(&format!("{plan}/update/status"), json!({ "id": made, "status": "active", "version": version })).await;
    made
}

async fn advisers(life: &mut Life<'_>, plan: i64, teachers: (i64, i64)) {
    let adviser = format!("{THESIS}/adviser");
    let form = |teacher: i64| json!({ "planId": plan, "teacherId": teacher, "canReview": true, "canDefend": true });
    let made = id(&life.post(&format!("{adviser}/save"), form(teachers.0)).await);
    let other = id(&life.post(&format!("{adviser}/save"), form(teachers.1)).await);
    life.post(&format!("{adviser}/list"), json!({})).await;
    life.post(&format!("{adviser}/export"), json!({})).await;
    let seen = life.get(&format!("{adviser}/view?id={made}")).await;
    let edit = kit::lessons::with(form(teachers.0), json!({ "id": made, "version": seen["version"], "quota": 10 }));
    life.put(&format!("{adviser}/edit"), edit).await;
    life.delete(&format!("{adviser}/delete?id={other}")).await;
    let again = id(&life.post(&format!("{adviser}/save"), form(teachers.1)).await);
    life.post(&format!("{adviser}/batchDel"), json!({ "ids": [again] })).await;
}

async fn topic(life: &mut Life<'_>, plan: i64, teacher: i64) -> i64 {
    let topic = format!("{THESIS}/topic");
    let form = |title: &str| {
        json!({ "planId": plan, "title": format!("{MARK}{title}"), "teacherId": teacher, "source": "research",
            "capacity": 2, "submit": true })
    };
    let draft = |title: &str| kit::lessons::with(form(title), json!({ "submit": false }));
    let made = id(&life.post(&format!("{topic}/save"), form("小微企业成本控制研究")).await);
    let one = id(&life.post(&format!("{topic}/save"), draft("乡村旅游发展路径研究")).await);
    let two = id(&life.post(&format!("{topic}/save"), draft("社区养老服务供给研究")).await);
    let seen = life.get(&format!("{topic}/view?id={one}")).await;
    let edit = kit::lessons::with(draft("乡村旅游发展对策研究"), json!({ "id": one, "version": seen["version"] }));
    life.put(&format!("{topic}/edit"), edit).await;
    life.delete(&format!("{topic}/delete?id={one}")).await;
    life.post(&format!("{topic}/batchDel"), json!({ "ids": [two] })).await;
    // Nobody audits what they submitted.
    life.server.run(&format!("update school_1.thesis_topic set submitted_by = 0 where id = {made}")).await;
    life.put(&format!("{topic}/audit"), json!({ "ids": [made], "pass": true })).await;
    life.get(&format!("{topic}/import/template")).await;
    let imported = format!("{MARK}县域农产品品牌研究");
    life.import(&format!("{topic}/import?planId={plan}"), &["题目", "教师工号"], &[&[&imported, "LW1"]]).await;
    life.post(&format!("{topic}/list"), json!({})).await;
    life.post(&format!("{topic}/export"), json!({})).await;
    made
}

async fn written(life: &mut Life<'_>, thesis: i64, topic: i64, reviewer: i64) {
    let plan: i64 = life.server.one(&format!("select plan_id from school_1.thesis where id = {thesis}")).await;
    life.put(&format!("{THESIS}/autoAssign"), json!({ "planId": plan })).await;
    let number: String = life
        .server
        .one(&format!("select y.student_no from school_1.thesis t join school_1.student y on y.id = t.student_id where t.id = {thesis}"))
        .await;
    life.get(&format!("{THESIS}/import/template")).await;
    let nobody = format!("update school_1.thesis set adviser_id = null where id = {thesis}");
    life.server.run(&nobody).await;
    let upload = super::Upload {
        texts: vec![("kind", "adviser".to_owned())],
        ..super::Upload::sheet(&["学号", "导师工号"], &[&[&number, "LW1"]])
    };
    assert_eq!(life.upload(&format!("{THESIS}/import"), upload).await["errors"], json!([]));
    let adviser: i64 = life.server.one(&format!("select adviser_id from school_1.thesis where id = {thesis}")).await;
    life.server.run(&nobody).await;
    life.put(&format!("{THESIS}/assignAdviser"), json!({ "ids": [thesis], "teacherId": adviser })).await;
    step(life, thesis, "assignTopic", json!({ "topicId": topic })).await;
    life.put(&format!("{THESIS}/remind"), json!({ "ids": [thesis] })).await;
    step(life, thesis, "extend", json!({ "until": "2099-07-30", "reason": "住院治疗" })).await;
    step(life, thesis, "changeTitle", json!({ "title": "小微企业成本控制再研究", "reason": "缩小研究范围" })).await;
    for kind in ["draft", "final"] {
        let key = uploaded(&life.client, "论文.pdf", "application/pdf", kind.as_bytes()).await;
        step(life, thesis, "upload", json!({ "kind": kind, "fileKey": key })).await;
        step(life, thesis, "decide", json!({ "pass": true })).await;
    }
    step(life, thesis, "similarity", json!({ "rate": 12.5, "tool": "知网" })).await;
    let reviewers = json!({ "ids": [thesis], "reviewerIds": [reviewer] });
    life.put(&format!("{THESIS}/assignReviewer"), reviewers).await;
    let review = json!({ "id": thesis, "reviewerId": reviewer, "score": 82.0, "opinion": "agree", "version": 1 });
    life.put(&format!("{THESIS}/review"), review).await;
}

/// Arranged by hand and by itself; the second defence is another day's.
async fn defended(life: &mut Life<'_>, plan: i64, thesis: i64, teachers: &[i64]) {
    let group = format!("{THESIS}/defense");
    let form = |name: &str| {
        json!({ "planId": plan, "name": format!("{MARK}{name}"), "mode": "onsite", "heldAt": "2020-01-01T09:00:00+08:00",
            "place": "教学楼201", "secretaryTeacherId": teachers[3],
            "members": [{ "teacherId": teachers[0], "chair": true }, { "teacherId": teachers[1] }, { "teacherId": teachers[2] }] })
    };
    let made = id(&life.post(&format!("{group}/save"), form("第一组")).await);
    let one = id(&life.post(&format!("{group}/save"), form("第二组")).await);
    let two = id(&life.post(&format!("{group}/save"), form("第三组")).await);
    life.delete(&format!("{group}/delete?id={one}")).await;
    life.post(&format!("{group}/batchDel"), json!({ "ids": [two] })).await;
    life.post(&format!("{group}/list"), json!({})).await;
    life.post(&format!("{group}/export"), json!({})).await;
    let seen = life.get(&format!("{group}/view?id={made}")).await;
    let arrange = json!({ "groupId": made, "thesisIds": [thesis], "minutes": 15, "version": seen["version"] });
    life.put(&format!("{THESIS}/arrange"), arrange).await;
    let version = life.get(&format!("{group}/view?id={made}")).await["version"].clone();
    let edit = kit::lessons::with(form("第一组"), json!({ "id": made, "version": version, "place": "教学楼202" }));
    life.put(&format!("{group}/edit"), edit).await;
    let auto = json!({ "planId": plan, "groupIds": [made], "minutes": 20 });
    life.put(&format!("{THESIS}/autoArrange"), auto).await;
    let slot = life.get(&format!("{group}/view?id={made}")).await["slots"][0].clone();
    let scores: Vec<Value> =
        teachers[..3].iter().map(|teacher| json!({ "teacherId": teacher, "score": 58.0 })).collect();
    let record = json!({ "slotId": slot["id"], "version": slot["version"], "present": true, "scores": scores,
        "comment": "请补充论证", "result": "second" });
    life.put(&format!("{THESIS}/defense"), record).await;
}

/// Who advises, who reviews, three who sit in a group, and a secretary.
async fn teachers(life: &Life<'_>) -> Vec<i64> {
    let mut teachers = Vec::new();
    for n in 1..=6 {
        teachers.push(
            life.server
                .one(&format!(
                    "insert into school_1.teacher (work_no, name, initials, phone, organization_id, created_by, updated_by)
                     select 'LW{n}', '{MARK}论文教师{n}', 'lwjs', '1390099000{n}', min(id), 0, 0 from school_1.organization
                     returning id"
                ))
                .await,
        );
    }
    teachers
}

async fn step(life: &mut Life<'_>, thesis: i64, word: &str, more: Value) {
    let version = life.get(&format!("{THESIS}/view?id={thesis}")).await["version"].clone();
    let body = kit::lessons::with(json!({ "id": thesis, "version": version }), more);
    life.put(&format!("{THESIS}/{word}"), body).await;
}
