//! Openings of the school, who teaches them, and who selects them: one of everything.

use kit::openings::{ALLOCATION, CREDIT, OPENING, RULE, SELECTION};
use poem::http::Method;
use serde_json::{Value, json};

use super::{Life, MARK, Sent, classrooms::At, id};

const SEMESTER: &str = "/adult/pc/semester";

/// Answers what can be deleted at the end. The plan of the grade and major is in effect.
pub(super) async fn live(life: &mut Life<'_>, at: &At, student: i64) -> Vec<(&'static str, i64)> {
    let spring: i64 = life.server.one("select id from school_1.semester where code = '2026-1'").await;
    let openings = openings(life, at, spring).await;
    credits(life, at).await;
    let mut deleted = rules(life, at, spring).await;
    deleted.extend(allocations(life, at, spring, openings[0]).await);
    selections(life, at, spring, &openings, student).await;
    deleted
}

async fn version(life: &mut Life<'_>, entity: &str, id: i64) -> Value {
    life.get(&format!("{entity}/view?id={id}")).await["version"].clone()
}

async fn items(life: &mut Life<'_>, entity: &str, id: i64) -> Value {
    json!([{ "id": id, "version": version(life, entity, id).await }])
}

/// Generates the openings of the term; answers those of its two compulsory courses, opened.
async fn openings(life: &mut Life<'_>, at: &At, spring: i64) -> Vec<i64> {
    let told = life.post(&format!("{OPENING}/generate"), json!({ "semesterId": spring, "gradeIds": [at.grade] })).await;
    assert_eq!(told["created"], json!(2), "{told}");
    life.post(&format!("{OPENING}/list"), json!({ "semesterId": spring })).await;
    life.post(&format!("{OPENING}/export"), json!({ "semesterId": spring })).await;
    life.get(&format!("/adult/pc/options/opening?parentId={spring}")).await;
    let own: Vec<i64> = sqlx::query_scalar("select id from school_1.course_opening order by id")
        .fetch_all(&mut life.server.owner().await)
        .await
        .expect("openings");
    let edit = json!({ "id": own[0], "version": version(life, OPENING, own[0]).await, "teachingMode": "online",
        "remark": format!("{MARK}备注") });
    life.put(&format!("{OPENING}/edit"), edit).await;
    for opening in &own {
        let body = json!({ "items": items(life, OPENING, *opening).await });
        assert_eq!(life.put(&format!("{OPENING}/open"), body).await["done"], json!(1));
    }
    life.post(&format!("{OPENING}/sync"), json!({ "ids": own })).await;
    let elective: i64 = life.server.one("select id from school_1.course where code = 'JH3'").await;
    let extra = |grade: Option<i64>| {
        json!({ "semesterId": spring, "kind": "extra", "courseId": elective, "gradeId": grade,
        "remark": format!("{MARK}计划外") })
    };
    let save = format!("{OPENING}/save");
    let deleted = id(&life.post(&save, extra(None)).await);
    life.delete(&format!("{OPENING}/delete?id={deleted}")).await;
    life.get(&format!("{OPENING}/import/template")).await;
    let headings = ["学期编码", "课程代码", "开课类别", "年级编码", "校内专业代码", "教学方式", "人数上限"];
    life.import(&format!("{OPENING}/import"), &headings, &[&["2026-1", "JH3", "重修班", "", "", "线上", "30"]]).await;
    for (grade, step) in [(None, "cancel"), (Some(at.grade), "close")] {
        let made = id(&life.post(&save, extra(grade)).await);
        let mut body = json!({ "items": items(life, OPENING, made).await });
        if step == "cancel" {
            body["reason"] = json!(format!("{MARK}教师调整"));
        } else {
            life.put(&format!("{OPENING}/open"), body).await;
            body = json!({ "items": items(life, OPENING, made).await });
        }
        assert_eq!(life.put(&format!("{OPENING}/{step}"), body).await["done"], json!(1));
    }
    own
}

/// Of the draft that was copied to another grade.
async fn credits(life: &mut Life<'_>, at: &At) {
    life.post(&format!("{CREDIT}/list"), json!({ "gradeId": at.grade })).await;
    life.post(&format!("{CREDIT}/export"), json!({})).await;
    life.post(&format!("{CREDIT}/student/list"), json!({})).await;
    life.post(&format!("{CREDIT}/student/export"), json!({})).await;
    let (course, version): (i64, i64) = (
        life.server.one("select x.id from school_1.plan_course x join school_1.teaching_plan p on p.id = x.plan_id where p.status = 'draft' order by x.id limit 1").await,
        life.server.one("select x.version::bigint from school_1.plan_course x join school_1.teaching_plan p on p.id = x.plan_id where p.status = 'draft' order by x.id limit 1").await,
    );
    let edit = json!({ "items": [{ "planCourseId": course, "version": version, "lectureHours": 22 }] });
    let done = life.put(&format!("{CREDIT}/edit"), edit).await;
    assert_eq!(done["done"], json!(1), "{done}");
}

async fn rules(life: &mut Life<'_>, at: &At, spring: i64) -> Vec<(&'static str, i64)> {
    let rule = |term: Option<i32>| {
        json!({ "semesterId": spring, "gradeId": at.grade, "termNo": term, "minCredits": 2.0,
        "maxCredits": 40.0, "selectStartsAt": "2026-03-01T00:00:00+08:00", "selectEndsAt": "2026-03-15T00:00:00+08:00",
        "dropEndsAt": "2026-03-22T00:00:00+08:00" })
    };
    let made = id(&life.post(&format!("{RULE}/save"), rule(None)).await);
    let mut edit = rule(None);
    edit["id"] = json!(made);
    edit["version"] = version(life, RULE, made).await;
    edit["maxCredits"] = json!(36.0);
    life.put(&format!("{RULE}/edit"), edit).await;
    life.post(&format!("{RULE}/list"), json!({})).await;
    life.post(&format!("{RULE}/export"), json!({})).await;
    let mut deleted = Vec::new();
    for term in [8, 9] {
        deleted.push((RULE, id(&life.post(&format!("{RULE}/save"), rule(Some(term))).await)));
    }
    deleted
}

async fn allocations(life: &mut Life<'_>, at: &At, spring: i64, opening: i64) -> Vec<(&'static str, i64)> {
    let teacher: i64 = life.server.one("select id from school_1.teacher where work_no = 'T1'").await;
    let other: i64 = life.server.one("select id from school_1.teacher where work_no = 'T9'").await;
    let form = |class: Option<i64>, teacher: i64, role: &str| {
        json!({ "openingId": opening, "classId": class, "teacherId": teacher,
        "role": role, "hours": 36, "remark": format!("{MARK}备注") })
    };
    let saved =
        life.post(&format!("{ALLOCATION}/save"), json!({ "items": [form(Some(at.class), teacher, "lecturer")] })).await;
    let made = saved["ids"][0].as_i64().expect("a number");
    let mut edit = form(Some(at.class), teacher, "lecturer");
    edit["id"] = json!(made);
    edit["version"] = version(life, ALLOCATION, made).await;
    edit["hours"] = json!(40);
    life.put(&format!("{ALLOCATION}/edit"), edit).await;
    life.post(&format!("{ALLOCATION}/list"), json!({ "semesterId": spring })).await;
    life.post(&format!("{ALLOCATION}/export"), json!({ "semesterId": spring })).await;
    life.post(&format!("{ALLOCATION}/workload/list"), json!({ "semesterId": spring })).await;
    life.post(&format!("{ALLOCATION}/workload/export"), json!({ "semesterId": spring })).await;
    life.get(&format!("{ALLOCATION}/print?semesterId={spring}&teacherId={teacher}")).await;
    let transfer =
        json!({ "fromTeacherId": teacher, "toTeacherId": other, "openingIds": [opening], "roles": ["lecturer"] });
    assert_eq!(life.put(&format!("{ALLOCATION}/transfer"), transfer).await["done"], json!(1));
    life.get(&format!("{ALLOCATION}/import/template")).await;
    let headings = ["学期编码", "课程代码", "班级编码", "教师工号", "角色", "学时"];
    let course: String = life
        .server
        .one(&format!("select c.code from school_1.course_opening o join school_1.course c on c.id = o.course_id where o.id = {opening}"))
        .await;
    life.import(&format!("{ALLOCATION}/import"), &headings, &[&["2026-1", &course, "C1", "T1", "辅导", "10"]]).await;
    // Into another semester in which the same course is open to all.
    let autumn = json!({ "code": "2026-2", "name": format!("{MARK}2026年秋季学期"), "startsOn": "2026-08-31",
        "endsOn": "2026-12-31" });
    let later = id(&life.post(&format!("{SEMESTER}/save"), autumn).await);
    let own: i64 =
        life.server.one(&format!("select course_id from school_1.course_opening where id = {opening}")).await;
    let again = json!({ "semesterId": later, "kind": "extra", "courseId": own, "gradeId": at.grade, "majorId": at.major,
        "remark": format!("{MARK}再开") });
    life.post(&format!("{OPENING}/save"), again).await;
    let copy = json!({ "fromSemesterId": spring, "toSemesterId": later });
    let copied = life.post(&format!("{ALLOCATION}/copy"), copy).await;
    assert_eq!(copied["created"], json!(2), "{copied}");
    let mut deleted = Vec::new();
    for role in ["tutor", "marker"] {
        let saved = life.post(&format!("{ALLOCATION}/save"), json!({ "items": [form(None, other, role)] })).await;
        deleted.push((ALLOCATION, saved["ids"][0].as_i64().expect("a number")));
    }
    deleted
}

async fn selections(life: &mut Life<'_>, at: &At, spring: i64, openings: &[i64], student: i64) {
    life.post(&format!("{SELECTION}/list"), json!({ "semesterId": spring })).await;
    life.post(&format!("{SELECTION}/stat/list"), json!({ "semesterId": spring })).await;
    life.post(&format!("{SELECTION}/export"), json!({ "semesterId": spring })).await;
    life.get(&format!("{SELECTION}/import/template")).await;
    let of = |opening: i64| {
        format!("select id from school_1.course_selection where opening_id = {opening} and student_id = {student}")
    };
    let (first, second): (i64, i64) =
        (life.server.one(&of(openings[0])).await, life.server.one(&of(openings[1])).await);
    let dropped = json!({ "items": items(life, SELECTION, first).await, "reason": format!("{MARK}本人申请") });
    assert_eq!(life.put(&format!("{SELECTION}/drop"), dropped).await["done"], json!(1));
    let wanted = json!({ "openingIds": [openings[0]], "studentIds": [student], "reason": format!("{MARK}补选") });
    assert_eq!(life.post(&format!("{SELECTION}/save"), wanted).await["created"], json!(1));
    for step in ["audit", "reject"] {
        life.server.run(&format!("update school_1.course_selection set status = 'pending' where id = {first}")).await;
        let mut body = json!({ "items": items(life, SELECTION, first).await });
        if step == "reject" {
            body["reason"] = json!(format!("{MARK}时间冲突"));
        }
        assert_eq!(life.put(&format!("{SELECTION}/{step}"), body).await["done"], json!(1));
    }
    // Somebody who took the course before and did not pass it.
    life.server
        .run(&format!(
            "with former as (
                 insert into school_1.course_opening (semester_id, kind, course_id, type_id, nature, credits, hours, lecture_hours,
                     online_hours, practice_hours, self_study_hours, exam_form, assess_mode, teaching_mode, status, closed_at,
                     created_by, updated_by)
                 select semester_id, 'extra', course_id, type_id, nature, credits, hours, lecture_hours, online_hours,
                        practice_hours, self_study_hours, exam_form, assess_mode, 'offline', 'closed', now(), 0, 0
                 from school_1.course_opening where id = {} returning id, semester_id, course_id)
             insert into school_1.course_selection (student_id, opening_id, semester_id, course_id, source, status, selected_at,
                 final_score, passed, created_by, updated_by)
             select {student}, id, semester_id, course_id, 'plan', 'completed', now(), 45.5, false, 0, 0 from former",
            openings[0]
        ))
        .await;
    let retake = json!({ "items": [{ "studentId": student, "openingId": openings[0], "classId": at.class }] });
    assert_eq!(life.post(&format!("{SELECTION}/retake"), retake).await["created"], json!(1));
    let key = kit::files::paper(&life.client, "免修证明.pdf").await;
    let exempt = json!({ "id": second, "version": version(life, SELECTION, second).await, "reason": format!("{MARK}自学考试已通过"),
        "fileKey": key });
    life.put(&format!("{SELECTION}/exempt"), exempt).await;
    // Taken off the roster first, so that the sheet has somebody to bring in.
    let body = json!({ "items": items(life, SELECTION, first).await, "reason": format!("{MARK}改由导入") });
    life.put(&format!("{SELECTION}/drop"), body).await;
    let (number, course): (String, String) = (
        life.server.one(&format!("select student_no from school_1.student where id = {student}")).await,
        life.server
            .one(&format!(
                "select c.code from school_1.course_opening o join school_1.course c on c.id = o.course_id where o.id = {}",
                openings[0]
            ))
            .await,
    );
    let headings = ["学号", "学期编码", "课程代码", "来源"];
    life.import(&format!("{SELECTION}/import"), &headings, &[&[&number, "2026-1", &course, "补选"]]).await;
    life.call(Method::GET, &format!("{SELECTION}/view?id={first}"), Sent::Nothing).await;
}
