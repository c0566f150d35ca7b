//! The timetable of the school and who came to its sessions: one of everything.

use kit::{
    jobs::ended,
    lessons::{ARRANGE, INSTRUCTION},
    openings::ALLOCATION,
};
use serde_json::{Value, json};

use super::{Life, MARK, classrooms::At, id};

/// The student's course, which is taught face to face from now on.
struct Course {
    selection: i64,
    opening: i64,
    course: i64,
    code: String,
    number: String,
    teacher: i64,
    room: i64,
}

/// The student is in a course that is taught.
pub(super) async fn live(life: &mut Life<'_>, at: &At, student: i64) {
    let course = course(life, at, student).await;
    periods(life, at).await;
    let session = arrangements(life, at, &course).await;
    automatic(life, at, &course).await;
    instruction(life, at, &course, &session).await;
}

async fn course(life: &mut Life<'_>, at: &At, student: i64) -> Course {
    let of = |column: &str| {
        format!(
            "select {column} from school_1.course_selection c
             join school_1.course_opening o on o.id = c.opening_id and o.status = 'opened'
             join school_1.course u on u.id = c.course_id
             join school_1.student s on s.id = c.student_id
             where c.student_id = {student} and c.status = 'selected' order by c.id limit 1"
        )
    };
    let (selection, opening, course): (i64, i64, i64) =
        (life.server.one(&of("c.id")).await, life.server.one(&of("o.id")).await, life.server.one(&of("u.id")).await);
    let (code, number): (String, String) =
        (life.server.one(&of("u.code")).await, life.server.one(&of("s.student_no")).await);
    life.server
        .run(&format!(
            "update school_1.course_opening set teaching_mode = 'blended', lecture_hours = 36,
                    hours = 36 + online_hours + practice_hours + self_study_hours where id = {opening};
             update school_1.course_selection set class_id = {} where id = {selection};
             delete from school_1.course_allocation where opening_id = {opening} and role = 'lecturer'",
            at.class
        ))
        .await;
    let teacher: i64 = life.server.one("select id from school_1.teacher where work_no = 'T1'").await;
    let item = json!({ "openingId": opening, "classId": at.class, "teacherId": teacher, "role": "lecturer", "hours": 36,
        "remark": format!("{MARK}备注") });
    life.post(&format!("{ALLOCATION}/save"), json!({ "items": [item] })).await;
    let room: i64 = life
        .server
        .one(&format!("select id from school_1.classroom where site_id = {} and room_no = '301'", at.site))
        .await;
    Course { selection, opening, course, code, number, teacher, room }
}

async fn periods(life: &mut Life<'_>, at: &At) {
    let listed = life.get(&format!("{ARRANGE}/period/list?siteId={}", at.site)).await;
    let own = json!({ "siteId": at.site, "version": listed["version"], "periods": listed["periods"] });
    life.put(&format!("{ARRANGE}/period/save"), own).await;
}

/// Answers the session of 2026-03-21, which took place.
async fn arrangements(life: &mut Life<'_>, at: &At, course: &Course) -> Value {
    let spring: i64 = life.server.one("select id from school_1.semester where code = '2026-1'").await;
    let form = |weeks: &str| {
        json!({ "semesterId": spring, "courseId": course.course, "teacherId": course.teacher, "siteId": at.site,
            "classes": [{ "classId": at.class, "openingId": course.opening }], "classroomId": course.room, "kind": "lecture",
            "mode": "weekly", "weekday": 6, "weeks": weeks, "periodFrom": 1, "periodTo": 4, "remark": format!("{MARK}备注") })
    };
    let made = id(&life.post(&format!("{ARRANGE}/save"), form("1-2")).await);
    life.post(&format!("{ARRANGE}/check"), form("1-2")).await;
    let mut edit = form("1-3");
    (edit["id"], edit["version"]) = (json!(made), json!(1));
    life.put(&format!("{ARRANGE}/edit"), edit).await;
    life.post(&format!("{ARRANGE}/list"), json!({ "semesterId": spring })).await;
    life.post(&format!("{ARRANGE}/export"), json!({ "semesterId": spring })).await;
    life.post(&format!("{ARRANGE}/pending/list"), json!({ "semesterId": spring })).await;
    life.get(&format!("{ARRANGE}/import/template")).await;
    let headings =
        ["学期编码", "课程代码", "班级编码", "教师工号", "站点编码", "教室", "周次", "星期", "开始节次", "结束节次"];
    let row = ["2026-1", &course.code, "C1", "T1", "S1", "301", "5", "星期日", "1", "2"];
    life.import(&format!("{ARRANGE}/import"), &headings, &[&row]).await;
    let published = json!({ "items": [{ "id": made, "version": 2 }] });
    assert_eq!(life.put(&format!("{ARRANGE}/publish"), published).await["done"], json!(1));
    let meetings = life.get(&format!("{ARRANGE}/view?id={made}")).await["meetings"].clone();
    let moved = json!({ "sessionId": meetings[0]["id"], "version": 1, "date": "2026-03-08", "periodFrom": 5, "periodTo": 8,
        "classroomId": course.room, "teacherId": course.teacher, "reason": format!("{MARK}教师出差") });
    life.put(&format!("{ARRANGE}/session/move"), moved).await;
    let cancelled = json!({ "sessionId": meetings[1]["id"], "version": 1, "reason": format!("{MARK}教师生病") });
    life.put(&format!("{ARRANGE}/session/cancel"), cancelled).await;
    life.get(&format!("{ARRANGE}/timetable?kind=class&id={}&from=2026-03-02&to=2026-03-31", at.class)).await;
    life.get(&format!("{ARRANGE}/print?kind=class&id={}&semesterId={spring}", at.class)).await;
    life.post(&format!("{ARRANGE}/feed/renew"), json!({ "teacherId": course.teacher })).await;
    life.get(&format!("{ARRANGE}/feed/view?teacherId={}", course.teacher)).await;
    life.delete(&format!("{ARRANGE}/feed/revoke?teacherId={}", course.teacher)).await;
    let imported: i64 = life.server.one("select max(id) from school_1.course_arrange where status = 'draft'").await;
    let cancel = json!({ "id": imported, "version": 1, "reason": format!("{MARK}课程停开") });
    life.put(&format!("{ARRANGE}/cancel"), cancel).await;
    let block = json!({ "kind": "classroom", "resourceId": course.room, "startsAt": "2026-03-11T08:00:00+08:00",
        "endsAt": "2026-03-11T10:00:00+08:00", "note": format!("{MARK}检修") });
    let blocked = life.post(&format!("{ARRANGE}/block"), json!({ "items": [block] })).await["ids"][0].clone();
    life.post(&format!("{ARRANGE}/block/list"), json!({})).await;
    life.delete(&format!("{ARRANGE}/block?ids={blocked}")).await;
    meetings[2]["id"].clone()
}

/// Days by which the semester lies ahead while the machine arranges it: whole weeks.
const AHEAD: i32 = 7 * 3_337;

async fn shifted(life: &Life<'_>, days: i32) {
    life.server
        .run(&format!(
            "update school_1.semester set starts_on = starts_on + ({days}), ends_on = ends_on + ({days}),
                    holidays = array(select day + ({days}) from unnest(holidays) as h (day)) where code = '2026-1'"
        ))
        .await;
}

async fn automatic(life: &mut Life<'_>, at: &At, course: &Course) {
    let spring: i64 = life.server.one("select id from school_1.semester where code = '2026-1'").await;
    shifted(life, AHEAD).await;
    let wanted = json!({ "semesterId": spring, "items": [{ "classId": at.class, "openingId": course.opening }],
        "weekdays": [6, 7], "blocks": [{ "periodFrom": 1, "periodTo": 4 }, { "periodFrom": 5, "periodTo": 8 }],
        "timeLimit": 10 });
    let job = life.post(&format!("{ARRANGE}/auto"), wanted).await["jobId"].clone();
    let done = ended(&life.client, &job).await;
    assert_eq!(done["state"], json!("done"), "{done}");
    let proposal = life.get(&format!("{ARRANGE}/auto/view?jobId={job}")).await;
    assert_eq!(proposal["placedCourses"], json!(1), "{proposal}");
    let ids = life.post(&format!("{ARRANGE}/auto/accept"), json!({ "jobId": job })).await["ids"].clone();
    for id in ids.as_array().expect("drafts") {
        life.delete(&format!("{ARRANGE}/delete?id={id}")).await;
    }
    shifted(life, -AHEAD).await;
}

async fn instruction(life: &mut Life<'_>, at: &At, course: &Course, session: &Value) {
    let Course { selection, opening, code, number, .. } = course;
    let attendance = format!("{INSTRUCTION}/attendance");
    life.post(&format!("{attendance}/session/list"), json!({ "classId": at.class })).await;
    let came =
        json!({ "sessionId": session, "items": [{ "selectionId": selection, "result": "present", "version": 0 }] });
    life.put(&format!("{attendance}/save"), came).await;
    life.get(&format!("{attendance}/list?sessionId={session}")).await;
    life.get(&format!("{attendance}/import/template")).await;
    let headings = ["学号", "课程代码", "上课日期", "开始节次", "结果"];
    life.import(&format!("{attendance}/import"), &headings, &[&[number, code, "2026-03-08", "5", "迟到"]]).await;
    let scores = life.post(&format!("{INSTRUCTION}/list"), json!({ "openingId": opening })).await;
    let rows = scores["list"].as_array().expect("scores");
    let row = rows.iter().find(|row| row["selectionId"] == json!(selection)).expect("the student's score");
    assert_eq!((&row["requiredSessions"], &row["attendedCount"]), (&json!(2), &json!(1.5)), "{row}");
    let item = json!({ "selectionId": selection, "performanceScore": 88.0, "version": row["version"] });
    life.put(&format!("{INSTRUCTION}/edit"), json!({ "items": [item] })).await;
    life.get(&format!("{INSTRUCTION}/import/template")).await;
    let headings = ["学号", "学期编码", "课程代码", "出勤成绩", "表现成绩"];
    life.import(&format!("{INSTRUCTION}/import"), &headings, &[&[number, "2026-1", code, "", "90"]]).await;
    for (step, reason) in
        [("submit", None), ("return", Some("请核对")), ("submit", None), ("confirm", None), ("revoke", Some("有误"))]
    {
        let mut body = json!({ "selectionIds": [selection] });
        if let Some(reason) = reason {
            body["reason"] = json!(format!("{MARK}{reason}"));
        }
        assert_eq!(life.put(&format!("{INSTRUCTION}/{step}"), body).await["done"], json!(1), "{step}");
    }
    life.post(&format!("{INSTRUCTION}/export"), json!({ "openingId": opening })).await;
    life.get(&format!("{INSTRUCTION}/print?openingId={opening}&classId={}", at.class)).await;
}
