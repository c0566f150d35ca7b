//! Teaching plans: put together, checked, audited, revised, copied, imported (part 03 B1).

use kit::{
    Client, Server,
    cohort::{Cohort, cohort, registrar},
    courses::COURSE,
    fields,
    imports::taken_back,
    jobs::ended,
    plans::{PLAN, PLAN_COURSE, PLAN_GROUP, added, course, group, in_effect, item, plan, put, status, version, worked},
    rows,
    sheets::{XLSX, row_errors, sheet, texts, texts_of},
};
use poem::http::Method;
use serde_json::{Value, json};

async fn check(client: &Client<'_>, plan: i64) -> Value {
    client.get(&format!("{PLAN}/check?id={plan}")).await.data().clone()
}

fn messages(problems: &Value) -> Vec<&str> {
    problems.as_array().expect("problems").iter().filter_map(|problem| problem["message"].as_str()).collect()
}

/// What stands in a plan, as `code term`.
async fn content(client: &Client<'_>, plan: i64) -> Vec<String> {
    let listed = client.post(&format!("{PLAN_COURSE}/list"), json!({ "planId": plan })).await;
    let rows = listed.data()["list"].as_array().expect("courses").clone();
    let mut told: Vec<String> = rows
        .iter()
        .map(|row| format!("{} {}", row["courseCode"].as_str().unwrap_or_default(), row["termNo"]))
        .collect();
    told.sort();
    told
}

async fn semester(client: &Client<'_>, code: &str, from: &str, to: &str) -> i64 {
    client.post("/adult/pc/semester/save", json!({ "code": code, "startsOn": from, "endsOn": to })).await.id()
}

#[tokio::test]
async fn the_worked_plan_is_checked_submitted_and_audited() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let (id, own) = worked(&admin, &p).await;
    let checked = check(&admin, id).await;
    assert_eq!((&checked["errors"], &checked["warnings"]), (&json!([]), &json!([])), "{checked}");
    assert_eq!(
        (&checked["totalCredits"], &checked["totalHours"], &checked["offlineHours"]),
        (&json!(92.0), &json!(1640.0), &json!(356.0))
    );
    assert_eq!((&checked["offlineRatio"], &checked["hoursPerCredit"]), (&json!(21.7), &json!(17.8)));
    let view = admin.get(&format!("{PLAN}/view?id={id}")).await;
    let data = view.data();
    assert_eq!(
        (&data["name"], &data["courseCount"], &data["totalHours"], &data["offlineRatio"]),
        (&json!("2026级专升本会计学教学计划V1"), &json!(9), &json!(1640.0), &json!(21.7))
    );

    // 86 of 88 credits.
    let form = json!({ "id": own[3], "version": version(&admin, id).await, "nature": "compulsory", "termNo": 4,
        "credits": 5.0, "examForm": "exam" });
    let edited = admin.put(&format!("{PLAN_COURSE}/edit"), form.clone()).await;
    assert_eq!(edited.data()["warnings"], json!(["课程“课程K4”每学分22.4学时，高于上限18"]), "{}", edited.body);
    let refused = admin.put(&format!("{PLAN}/submit"), item(&admin, id).await).await;
    assert_eq!(refused.refused(), (422, "必修课程学分合计86.0，应为88.0"));
    let mut back = form;
    back["version"] = version(&admin, id).await;
    back["credits"] = json!(7.0);
    assert_eq!(admin.put(&format!("{PLAN_COURSE}/edit"), back).await.code(), 200);

    assert_eq!(admin.put(&format!("{PLAN}/submit"), item(&admin, id).await).await.code(), 200);
    assert_eq!(status(&admin, id).await, json!("submitted"));
    let late = put_refused(&admin, id).await;
    assert_eq!(late.0, 409);
    assert_eq!(late.1, "只有草稿可以修改课程");
    // What was read is what is audited: a plan that was recalled and changed meanwhile is refused.
    let before = version(&admin, id).await;
    let stale = json!({ "id": id, "version": before.as_i64().expect("a number") - 1, "opinion": "同意执行" });
    assert_eq!(other.put(&format!("{PLAN}/audit"), stale).await.code(), 409);
    assert_eq!(other.put(&format!("{PLAN}/audit"), json!({ "id": id })).await.code(), 422);
    let audit = json!({ "id": id, "version": before, "opinion": "同意执行" });
    let refused = admin.put(&format!("{PLAN}/audit"), audit.clone()).await;
    assert_eq!(refused.refused(), (409, "不能审核自己提交的教学计划"));
    let refused = other.put(&format!("{PLAN}/recall"), item(&other, id).await).await;
    assert_eq!(refused.refused(), (409, "只有提交人可以撤回，请审核人退回"));
    let back = json!({ "id": id, "version": version(&admin, id).await, "reason": "请补充培养目标" });
    assert_eq!(other.put(&format!("{PLAN}/reject"), back).await.code(), 200);
    assert_eq!(status(&admin, id).await, json!("rejected"));
    in_effect(&admin, &other, id).await;
    assert_eq!(status(&admin, id).await, json!("effective"));
    let told: i64 = server.one("select count(*) from school_1.event_outbox where name = 'plan_audited'").await;
    assert_eq!(told, 2, "whoever submitted it is told of both decisions");
    let refused = admin.delete(&format!("{PLAN}/delete?id={id}")).await;
    assert_eq!(refused.refused(), (409, "当前状态为生效，只有草稿可以删除"));
    assert_eq!(admin.get(&format!("/adult/pc/options/plan?parentId={}", p.major)).await.data()[0]["code"], json!(id));
}

async fn put_refused(client: &Client<'_>, plan: i64) -> (i64, String) {
    let course = course(client, "ZJ", 2.0, 36, 8).await;
    let answer = added(client, plan, json!([{ "courseId": course, "nature": "compulsory", "termNo": 1 }])).await;
    (answer.code(), answer.msg().to_owned())
}

#[tokio::test]
async fn a_strict_school_refuses_what_others_are_only_warned_of() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let level = json!({ "code": "GQZ", "name": "高起专", "entryLevel": "high_school_to_associate" });
    let level = admin.post("/adult/pc/arrangement/save", level).await.id();
    let found = admin.post("/adult/pc/nationalMajor/list", json!({ "keyword": "530302" })).await;
    let major = json!({ "code": "DSJ", "name": "大数据与会计", "nationalMajorId": found.data()["list"][0]["id"],
        "levelId": level, "totalCredits": 90.0 });
    let major = admin.post("/adult/pc/major/save", major).await.id();
    let body = json!({ "gradeId": p.grade, "majorId": major, "termCount": 3 });
    let id = admin.post(&format!("{PLAN}/save"), body).await.id();
    for (code, hours, term) in [("G1", 513, 1), ("G2", 513, 2), ("G3", 514, 3)] {
        let course = course(&admin, code, 30.0, hours, 110).await;
        put(&admin, id, course, term).await;
    }
    let doubt = "总学时1540.0，低于高起专最低总学时1600";
    assert_eq!(messages(&check(&admin, id).await["warnings"]), [doubt]);
    rows::setting(&server, "planPolicyStrict", &json!(true)).await;
    let checked = check(&admin, id).await;
    assert_eq!((messages(&checked["errors"]), &checked["strict"]), (vec![doubt], &json!(true)));
    let refused = admin.put(&format!("{PLAN}/submit"), item(&admin, id).await).await;
    assert_eq!(refused.refused(), (422, doubt));
    server.run("delete from school_1.school_setting where key = 'planPolicyStrict'").await;
    let passed = admin.put(&format!("{PLAN}/submit"), item(&admin, id).await).await;
    assert_eq!(passed.data()["warnings"], json!([doubt]), "{}", passed.body);
}

#[tokio::test]
async fn the_next_version_takes_the_place_of_the_one_in_effect() {
    let server = Server::start().await;
    let (admin, other, third) = (registrar(&server).await, registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let (first, own) = worked(&admin, &p).await;
    in_effect(&admin, &other, first).await;
    let edit = json!({ "id": first, "version": version(&admin, first).await, "gradeId": p.grade, "majorId": p.major });
    let refused = admin.put(&format!("{PLAN}/edit"), edit).await;
    assert_eq!(refused.refused(), (409, "当前状态为生效，只有草稿可以修改"));
    let next = admin.post(&format!("{PLAN}/revise"), json!({ "id": first })).await.id();
    let again = admin.post(&format!("{PLAN}/revise"), json!({ "id": first })).await;
    assert_eq!(again.refused(), (409, "该年级专业已有未完成的版本V2"));
    let view = admin.get(&format!("{PLAN}/view?id={next}")).await;
    let data = view.data();
    assert_eq!(
        (&data["name"], &data["versionNo"], &data["courseCount"], &data["versions"][1]["id"]),
        (&json!("2026级专升本会计学教学计划V2"), &json!(2), &json!(9), &json!(first)),
        "{}",
        view.body
    );
    let same = admin.get(&format!("{PLAN}/diff?id={next}&otherId={first}")).await;
    assert_eq!((&same.data()["courses"], &same.data()["groups"]), (&json!([]), &json!([])), "{}", same.body);

    // The last elective comes a term earlier.
    let listed = admin.post(&format!("{PLAN_COURSE}/list"), json!({ "planId": next })).await;
    let rows = listed.data()["list"].as_array().expect("courses").clone();
    let elective = rows.iter().find(|row| row["courseCode"] == json!("X4")).expect("an elective");
    assert!(!own.contains(&elective["id"].as_i64().expect("a number")), "the courses of a version are its own");
    let moved = json!({ "id": elective["id"], "version": version(&admin, next).await, "termNo": 3 });
    assert_eq!(admin.put(&format!("{PLAN_COURSE}/move"), moved).await.code(), 200);
    let told = admin.get(&format!("{PLAN}/diff?id={next}&otherId={first}")).await;
    assert_eq!(
        told.data()["courses"],
        json!([{ "courseId": elective["courseId"], "courseCode": "X4", "courseName": "课程X4", "kind": "changed",
            "fields": [{ "field": "termNo", "label": "开课学期", "before": "4", "after": "3" }] }]),
        "{}",
        told.body
    );

    assert_eq!(admin.put(&format!("{PLAN}/submit"), item(&admin, next).await).await.code(), 200);
    // Of two who audit at once one comes first; the other is told that it is in effect.
    let path = format!("{PLAN}/audit");
    let audit = json!({ "id": next, "version": version(&admin, next).await });
    let (one, two) = tokio::join!(other.put(&path, audit.clone()), third.put(&path, audit));
    let late = if one.code() == 200 { &two } else { &one };
    assert_eq!(late.refused(), (409, "当前状态为生效，不能审核"), "{} {}", one.body, two.body);
    assert_eq!(status(&admin, first).await, json!("superseded"));
    let effective: i64 = server.one("select count(*) from school_1.teaching_plan where status = 'effective'").await;
    assert_eq!(effective, 1);
    let shown = admin.get(&format!("{PLAN}/byMajor?gradeId={}&majorId={}", p.grade, p.major)).await;
    assert_eq!(shown.data()["plan"]["id"], json!(next), "{}", shown.body);
    let latest = admin.post(&format!("{PLAN}/list"), json!({ "latestOnly": true })).await;
    assert_eq!(latest.data()["totalCount"], json!(1), "{}", latest.body);

    // What is in effect names its courses by their codes.
    let course: i64 = server.one("select id from school_1.course where code = 'K1'").await;
    let view = admin.get(&format!("{COURSE}/view?id={course}")).await.data().clone();
    let renamed = json!({ "id": course, "version": view["version"], "code": "K1A", "name": view["name"],
        "typeId": view["typeId"], "credits": view["credits"], "lectureHours": 100, "onlineHours": 348 });
    let refused = admin.put(&format!("{COURSE}/edit"), renamed).await;
    assert_eq!(refused.refused(), (409, "已有1个生效的教学计划使用该课程，不能修改课程代码"));
    let refused = admin.delete(&format!("{COURSE}/delete?id={course}")).await;
    assert_eq!(refused.refused(), (409, "“课程K1”已被引用，不能删除：2个教学计划"));
}

/// A course of a plan as it is opened for its students, without the room of openings.
async fn opened(server: &Server, p: &Cohort, plan_course: i64, semester: i64) {
    server
        .run(&format!(
            "insert into school_1.course_opening (semester_id, kind, plan_course_id, course_id, grade_id, level_id, major_id, term_no,
                 type_id, nature, credits, hours, lecture_hours, online_hours, exam_form, teaching_mode, status, opened_at,
                 created_by, updated_by)
             select {semester}, 'plan', c.id, c.course_id, {}, {}, {}, c.term_no, c.type_id, c.nature, c.credits, c.hours,
                    c.lecture_hours, c.online_hours, c.exam_form, 'blended', 'opened', now(), 0, 0
             from school_1.plan_course c where c.id = {plan_course}",
            p.grade, p.level, p.major
        ))
        .await;
}

#[tokio::test]
async fn what_was_opened_stays_in_its_term() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let spring = semester(&admin, "2026-1", "2026-03-02", "2026-07-12").await;
    let (first, own) = worked(&admin, &p).await;
    in_effect(&admin, &other, first).await;
    opened(&server, &p, own[0], spring).await;
    let next = admin.post(&format!("{PLAN}/revise"), json!({ "id": first })).await.id();
    let listed = admin.post(&format!("{PLAN_COURSE}/list"), json!({ "planId": next })).await;
    let rows = listed.data()["list"].as_array().expect("courses").clone();
    let id = rows.iter().find(|row| row["courseCode"] == json!("K1")).expect("a course")["id"].clone();
    let told = "课程“课程K1”已在2026年春季学期开课，不能删除或调整学期";
    let moved = json!({ "id": id, "version": version(&admin, next).await, "termNo": 2 });
    assert_eq!(admin.put(&format!("{PLAN_COURSE}/move"), moved).await.code(), 200);
    let refused = admin.put(&format!("{PLAN}/submit"), item(&admin, next).await).await;
    assert_eq!(refused.refused(), (422, told));
    let back = json!({ "id": id, "version": version(&admin, next).await, "termNo": 1 });
    assert_eq!(admin.put(&format!("{PLAN_COURSE}/move"), back).await.code(), 200);
    assert_eq!(admin.put(&format!("{PLAN}/submit"), item(&admin, next).await).await.code(), 200);
}

#[tokio::test]
async fn a_semester_shows_the_courses_of_its_term() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    rows::students(&server, &p, p.site, None, 1, 3).await;
    let missing = admin.get(&format!("{PLAN}/missing")).await;
    assert_eq!(
        (&missing.data()[0]["majorName"], &missing.data()[0]["studentCount"], &missing.data()[0]["openPlanId"]),
        (&json!("会计学"), &json!(3), &Value::Null),
        "{}",
        missing.body
    );
    let (id, own) = worked(&admin, &p).await;
    assert_eq!(admin.get(&format!("{PLAN}/missing")).await.data()[0]["openPlanId"], json!(id));
    in_effect(&admin, &other, id).await;
    assert_eq!(admin.get(&format!("{PLAN}/missing")).await.data(), &json!([]));
    let none = admin.get(&format!("{PLAN}/bySemester")).await;
    assert_eq!(none.refused(), (404, "尚未设置当前学期，请选择学期"));
    let autumn = semester(&admin, "2027-2", "2027-08-30", "2028-01-09").await;
    opened(&server, &p, own[3], autumn).await;
    let shown = admin.get(&format!("{PLAN}/bySemester?semesterId={autumn}")).await;
    let rows = shown.data()["list"].as_array().expect("courses").clone();
    assert!(rows.iter().all(|row| row["termNo"] == json!(4) && row["studentCount"] == json!(3)), "{}", shown.body);
    let told: Vec<(&str, bool)> =
        rows.iter().map(|row| (row["courseCode"].as_str().unwrap_or_default(), row["opened"] == json!(true))).collect();
    assert_eq!(told, [("K4", true), ("X1", false), ("X2", false), ("X3", false), ("X4", false)]);
    assert_eq!(
        shown.data()["courses"][0],
        json!({ "courseId": rows[0]["courseId"], "courseCode": "K4", "courseName": "课程K4", "planCount": 1,
            "studentCount": 3, "openedCount": 1 })
    );
    // The same as a workbook, by the code of exports and with a line in the log.
    let filter = json!({ "semesterId": autumn });
    let export = format!("{PLAN}/bySemester/export");
    let file = admin.post(&export, filter.clone()).await;
    let lines = texts(&file.bytes);
    assert_eq!(lines.len(), 6, "{lines:?}");
    assert_eq!(lines[0][..4], ["课程代码", "课程", "年级", "层次"]);
    assert_eq!((&*lines[1][0], &*lines[1][11], &*lines[1][12]), ("K4", "3", "是"), "{lines:?}");
    assert_eq!(texts_of(&file.bytes, 1)[1], ["K4", "课程K4", "1", "3", "1"]);
    // Who took the file stands in the log.
    server
        .wait_until(
            "select count(*) = 1 from platform.sys_log where path = '/adult/pc/teachingPlan/bySemester/export' and result_code = 200",
        )
        .await;
    let viewer = server.staff(1, &["adult:pc:teachingPlan:view"]).await;
    assert_eq!(viewer.post(&export, filter).await.code(), 403);
    // The first semester is the current one, which is meant where none is named.
    assert_eq!(texts(&admin.post(&export, json!({})).await.bytes).len(), 6);
    let electives = admin.get(&format!("{PLAN}/bySemester?semesterId={autumn}&nature=elective")).await;
    assert_eq!(electives.data()["list"].as_array().map(Vec::len), Some(4));
    let of = async |filter: String| {
        let shown = admin.get(&format!("{PLAN}/bySemester?semesterId={autumn}{filter}")).await;
        shown.data()["list"].as_array().map(Vec::len)
    };
    assert_eq!(
        (of(format!("&levelId={}", p.level)).await, of(format!("&levelId={}", p.level + 1)).await),
        (Some(5), Some(0))
    );
    // A level of four terms has no fifth one, and a grade that is switched off has none at all.
    let fifth = semester(&admin, "2028-1", "2028-02-28", "2028-07-09").await;
    let in_fifth = async || {
        let shown = admin.get(&format!("{PLAN}/bySemester?semesterId={fifth}")).await;
        shown.data()["list"].as_array().map(Vec::len)
    };
    assert_eq!(in_fifth().await, Some(1));
    server.run(&format!("update school_1.level set schooling_years = 2.0 where id = {}", p.level)).await;
    assert_eq!(in_fifth().await, Some(0));
    server.run(&format!("update school_1.level set schooling_years = 2.5 where id = {}", p.level)).await;
    server.run(&format!("update school_1.grade set enabled = false where id = {}", p.grade)).await;
    assert_eq!(of(String::new()).await, Some(0));
    server.run(&format!("update school_1.grade set enabled = true where id = {}", p.grade)).await;
    // Students of other sites are not counted for whoever sees one site.
    let site = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let site = admin.post("/adult/pc/site/save", site).await.id();
    let narrow = server.staff_within(1, &["adult:pc:teachingPlan:view"], "named_sites", &[site]).await;
    let seen = narrow.get(&format!("{PLAN}/bySemester?semesterId={autumn}")).await;
    assert_eq!(seen.data()["list"][0]["studentCount"], json!(0), "{}", seen.body);
}

#[tokio::test]
async fn plans_of_forty_majors_go_to_the_next_grade() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let next = admin.post("/adult/pc/grade/save", json!({ "code": "2027" })).await.id();
    rows::majors(&server, &p, 40).await;
    let insert = |grade: i64, status: &str, some: &str| {
        format!(
            "insert into school_1.teaching_plan (grade_id, level_id, major_id, name, total_credits, min_compulsory_credits,
                 min_elective_credits, term_count, status, effective_at, created_by, updated_by)
             select {grade}, level_id, id, name || '教学计划V1', 90, 90, 0, 5, '{status}',
                    case when '{status}' = 'effective' then now() end, 0, 0
             from school_1.major where code like 'M%' {some}"
        )
    };
    server.run(&insert(p.grade, "effective", "")).await;
    server.run(&insert(next, "draft", "and code in ('M01', 'M02', 'M03')")).await;
    let taken = course(&admin, "K1", 4.0, 72, 20).await;
    server
        .run(&format!(
            "insert into school_1.plan_course (plan_id, course_id, type_id, nature, term_no, credits, hours, lecture_hours,
                 exam_form, created_by, updated_by)
             select p.id, {taken}, c.type_id, 'compulsory', 1, 4, 72, 72, 'exam', 0, 0
             from school_1.teaching_plan p, school_1.course c where p.grade_id = {} and c.id = {taken}",
            p.grade
        ))
        .await;
    let listed = admin.post(&format!("{PLAN}/list"), json!({ "gradeId": p.grade, "pageSize": 100 })).await;
    let sources: Vec<Value> =
        listed.data()["list"].as_array().expect("plans").iter().map(|row| row["id"].clone()).collect();
    let copied = admin.post(&format!("{PLAN}/copy"), json!({ "sourceIds": sources, "gradeId": next })).await;
    assert_eq!(copied.data()["done"], json!(37), "{}", copied.body);
    let results = copied.data()["results"].as_array().expect("results").clone();
    let refused: Vec<String> = results
        .iter()
        .filter(|row| row["planId"].is_null())
        .map(|row| {
            format!("{}: {}", row["name"].as_str().unwrap_or_default(), row["message"].as_str().unwrap_or_default())
        })
        .collect();
    assert_eq!(refused.len(), 3);
    assert_eq!(refused[0], "2027级专业1: 该年级专业已有未完成的版本V1");
    let courses: i64 = server
        .one(&format!(
            "select count(*) from school_1.plan_course c join school_1.teaching_plan p on p.id = c.plan_id where p.grade_id = {next}"
        ))
        .await;
    assert_eq!(courses, 37);
    let nothing = admin.post(&format!("{PLAN}/copy"), json!({ "sourceIds": sources })).await;
    assert_eq!(fields(&nothing), ["targets: 请选择要复制的计划和目标年级专业"]);
}

#[tokio::test]
async fn of_two_who_drag_at_once_the_second_is_told() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let (id, own) = worked(&admin, &p).await;
    let read = version(&admin, id).await;
    let path = format!("{PLAN_COURSE}/move");
    let moved = |course: i64| json!({ "id": course, "version": read, "termNo": 2 });
    let (one, two) = tokio::join!(admin.put(&path, moved(own[0])), other.put(&path, moved(own[2])));
    let codes = [one.code(), two.code()];
    assert!(codes.contains(&200) && codes.contains(&409), "{} {}", one.body, two.body);
    let late = if one.code() == 409 { &one } else { &two };
    assert!(late.msg().starts_with("数据已被") && late.msg().ends_with("请刷新后重试"), "{}", late.body);
}

#[tokio::test]
async fn courses_and_groups_hold_to_their_plan() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = plan(&admin, &p).await;
    let twin = json!({ "gradeId": p.grade, "majorId": p.major });
    assert_eq!(admin.post(&format!("{PLAN}/save"), twin).await.refused(), (409, "该年级专业已有未完成的版本V1"));
    let electives = group(&admin, id, "专业选修", 4.0).await;
    let taken = json!({ "planId": id, "name": "专业选修", "minCredits": 2.0 });
    assert_eq!(fields(&admin.post(&format!("{PLAN_GROUP}/save"), taken).await), ["name: 名称“专业选修”已存在"]);
    let one = course(&admin, "K1", 4.0, 72, 20).await;
    for (item, told) in [
        (json!({ "courseId": one, "nature": "elective", "termNo": 1 }), "electiveGroupId: 任选课程请选择选修组"),
        (
            json!({ "courseId": one, "nature": "compulsory", "electiveGroupId": electives, "termNo": 1 }),
            "electiveGroupId: 必修课程不属于选修组",
        ),
        (json!({ "courseId": one, "nature": "compulsory", "termNo": 6 }), "termNo: 开课学期应在1到5之间"),
        (
            json!({ "courseId": one, "nature": "compulsory", "termNo": 1, "hours": 64 }),
            "hours: 总学时应等于各学时之和72",
        ),
    ] {
        assert_eq!(fields(&added(&admin, id, json!([item])).await), [told]);
    }
    let own = put(&admin, id, one, 5).await;
    let again = json!([{ "courseId": one, "nature": "compulsory", "termNo": 1 }]);
    assert_eq!(fields(&added(&admin, id, again).await), ["courseId: 课程“课程K1”已在计划中"]);
    let mut longer = json!({ "id": id, "version": version(&admin, id).await, "gradeId": p.grade, "majorId": p.major,
        "totalCredits": 92.0, "minCompulsoryCredits": 88.0, "termCount": 6 });
    assert_eq!(
        fields(&admin.put(&format!("{PLAN}/edit"), longer.clone()).await),
        ["termCount: 学期数不能超过层次的学期数5"]
    );
    longer["termCount"] = json!(5);
    assert_eq!(admin.put(&format!("{PLAN}/edit"), longer).await.code(), 200);
    let shorter = json!({ "id": id, "version": version(&admin, id).await, "gradeId": p.grade, "majorId": p.major,
        "totalCredits": 92.0, "minCompulsoryCredits": 88.0, "termCount": 4 });
    assert_eq!(
        fields(&admin.put(&format!("{PLAN}/edit"), shorter).await),
        ["termCount: 已有课程开设在第5学期，学期数不能少于5"]
    );

    // Defaults of the library change, the plan's course does not.
    let view = admin.get(&format!("{COURSE}/view?id={one}")).await.data().clone();
    let more = json!({ "id": one, "version": view["version"], "code": "K1", "name": view["name"], "typeId": view["typeId"],
        "credits": 4.5, "lectureHours": 20, "onlineHours": 60 });
    assert_eq!(admin.put(&format!("{COURSE}/edit"), more).await.code(), 200);
    let listed = admin.post(&format!("{PLAN_COURSE}/list"), json!({ "planId": id })).await;
    assert_eq!(listed.data()["list"][0]["credits"], json!(4.0));
    let refused = admin.delete(&format!("{COURSE}/delete?id={one}")).await;
    assert_eq!(refused.refused(), (409, "“课程K1”已被引用，不能删除：1个教学计划"));
    let off = json!({ "id": one, "enabled": false });
    assert_eq!(admin.put(&format!("{COURSE}/update/status"), off).await.code(), 200);
    assert!(messages(&check(&admin, id).await["errors"]).contains(&"课程“课程K1”已停用，请移除或更换"));

    // What a group still holds keeps it.
    let two = course(&admin, "K2", 2.0, 36, 8).await;
    kit::plans::put_electives(&admin, id, electives, &[two], 3).await;
    let refused = admin.delete(&format!("{PLAN_GROUP}/delete?id={electives}")).await;
    assert_eq!(refused.refused(), (409, "选修组“专业选修”还有1门课程，请先移出"));
    assert_eq!(admin.delete(&format!("{PLAN_COURSE}/delete?id={own}")).await.code(), 200);
    let withdrawn = admin.put(&format!("{PLAN}/withdraw"), item(&admin, id).await).await;
    assert_eq!(withdrawn.code(), 200, "{}", withdrawn.body);
    let next = admin.post(&format!("{PLAN}/save"), json!({ "gradeId": p.grade, "majorId": p.major })).await.id();
    let view = admin.get(&format!("{PLAN}/view?id={next}")).await;
    assert_eq!((&view.data()["versionNo"], &view.data()["totalCredits"]), (&json!(2), &json!(92.5)));
    assert_eq!(admin.delete(&format!("{PLAN}/delete?id={next}")).await.code(), 200);
}

#[tokio::test]
async fn a_prerequisite_comes_before() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = plan(&admin, &p).await;
    let one = course(&admin, "K1", 4.0, 72, 20).await;
    let kind = kit::courses::type_of(&admin, "GGJC").await;
    let body = json!({ "code": "K2", "name": "课程K2", "typeId": kind, "credits": 4.0, "lectureHours": 72, "prerequisiteIds": [one] });
    let two = admin.post(&format!("{COURSE}/save"), body).await.id();
    put(&admin, id, one, 2).await;
    put(&admin, id, two, 2).await;
    let told = "课程“课程K2”在第2学期，其先修课程“课程K1”在第2学期，应先于它";
    assert!(messages(&check(&admin, id).await["errors"]).contains(&told));
}

const HEADINGS: [&str; 8] =
    ["年级编码", "校内专业代码", "课程代码", "课程性质", "选修组", "选修组最低学分", "开课学期", "学分"];

#[tokio::test]
async fn a_sheet_makes_and_fills_drafts_and_goes_back() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    rows::majors(&server, &p, 1).await;
    for code in ["K1", "K2", "K3"] {
        course(&admin, code, 4.0, 72, 20).await;
    }
    let sent = |rows: &[&[&str]], mode: &'static str| (sheet(&HEADINGS, rows), mode);
    let import = async |(bytes, mode): (Vec<u8>, &str)| {
        admin.upload_with(&format!("{PLAN}/import"), &[("mode", mode)], "file", "计划.xlsx", XLSX, &bytes).await
    };
    let wrong = import(sent(
        &[
            &["2026", "KJ", "K1", "必修", "", "", "1", ""],
            &["2026", "KJ", "K1", "必修", "", "", "2", ""],
            &["2026", "KJ", "K9", "必修", "", "", "2", ""],
            &["2026", "KJ", "K2", "任选", "", "", "2", ""],
            &["2026", "KJ", "K3", "任选", "选修", "", "9", ""],
        ],
        "append",
    ))
    .await;
    assert_eq!(
        row_errors(wrong.data()),
        [
            "3 课程代码: 与第2行课程重复",
            "4 课程代码: 编码“K9”不存在",
            "5 选修组: 任选课程请选择选修组",
            "6 开课学期: 开课学期应在1到5之间",
        ],
        "{}",
        wrong.body
    );
    assert_eq!(server.one::<i64>("select count(*) from school_1.teaching_plan").await, 0);

    let right = import(sent(
        &[
            &["2026", "KJ", "K1", "必修", "", "", "1", "3.5"],
            &["2026", "M01", "K1", "必修", "", "", "1", ""],
            &["2026", "KJ", "K2", "任选", "选修", "2", "2", ""],
        ],
        "append",
    ))
    .await;
    assert_eq!((&right.data()["imported"], &right.data()["errors"]), (&json!(3), &json!([])), "{}", right.body);
    let id: i64 = server.one(&format!("select id from school_1.teaching_plan where major_id = {}", p.major)).await;
    assert_eq!(content(&admin, id).await, ["K1 1", "K2 2"]);
    let view = admin.get(&format!("{PLAN}/view?id={id}")).await;
    assert_eq!(
        (&view.data()["minCompulsoryCredits"], &view.data()["minElectiveCredits"]),
        (&json!(90.5), &json!(2.0)),
        "{}",
        view.body
    );
    let added = import(sent(&[&["2026", "KJ", "K3", "任选", "选修", "", "3", ""]], "append")).await;
    assert_eq!(added.data()["imported"], json!(1), "{}", added.body);
    assert_eq!(content(&admin, id).await, ["K1 1", "K2 2", "K3 3"]);
    let twice = import(sent(&[&["2026", "KJ", "K3", "必修", "", "", "3", ""]], "append")).await;
    assert_eq!(row_errors(twice.data()), ["2 课程代码: 课程“课程K3”已在计划中"]);
    let replaced = import(sent(&[&["2026", "KJ", "K3", "必修", "", "", "5", ""]], "replace")).await;
    assert_eq!(replaced.data()["imported"], json!(1), "{}", replaced.body);
    assert_eq!(content(&admin, id).await, ["K3 5"]);

    // Back, the newest first.
    assert_eq!(taken_back(&admin, "教学计划").await, ("共1条，已撤销1条".to_owned(), Vec::new()));
    assert_eq!(content(&admin, id).await, ["K1 1", "K2 2", "K3 3"]);
    assert_eq!(taken_back(&admin, "教学计划").await.0, "共1条，已撤销1条");
    assert_eq!(content(&admin, id).await, ["K1 1", "K2 2"]);
    // Somebody went on with the one; the other goes.
    let off = course(&admin, "K4", 4.0, 72, 20).await;
    put(&admin, id, off, 4).await;
    let (done, stays) = taken_back(&admin, "教学计划").await;
    assert_eq!(done, "共2条，已撤销1条，1条保留");
    assert_eq!(stays, ["2026级专升本会计学教学计划V1: 导入后又有改动，不能撤销"]);

    // The courses of one plan, without grade and major.
    let bytes = sheet(&HEADINGS[2..], &[&["K3", "必修", "", "", "2", ""]]);
    let plan_id = id.to_string();
    let texts = [("planId", plan_id.as_str())];
    let one = admin.upload_with(&format!("{PLAN_COURSE}/import"), &texts, "file", "课程.xlsx", XLSX, &bytes).await;
    assert_eq!((&one.data()["imported"], &one.data()["errors"]), (&json!(1), &json!([])), "{}", one.body);
    assert_eq!(content(&admin, id).await, ["K1 1", "K2 2", "K3 2", "K4 4"]);
    assert_eq!(taken_back(&admin, "计划课程").await.0, "共1条，已撤销1条");
    assert_eq!(content(&admin, id).await, ["K1 1", "K2 2", "K4 4"]);
}

#[tokio::test]
async fn one_wrong_row_among_ten_thousand_holds_all() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    rows::majors(&server, &p, 99).await;
    server
        .run(
            "insert into school_1.course (code, name, type_id, kind, credits, hours, lecture_hours, exam_form, created_by, updated_by)
             select 'Q' || n, '课程' || n, t.id, 'theory', 4, 72, 72, 'exam', 0, 0
             from generate_series(1, 102) n, school_1.curriculum_type t where t.code = 'GGJC'",
        )
        .await;
    let mut lines: Vec<[String; 8]> = Vec::with_capacity(10_098);
    for major in 1..=99 {
        for course in 1..=102 {
            let code = if (major, course) == (50, 7) { "QX".to_owned() } else { format!("Q{course}") };
            let cells = ["2026", &format!("M{major:02}"), &code, "必修", "", "", &format!("{}", course % 5 + 1), ""];
            lines.push(cells.map(ToOwned::to_owned));
        }
    }
    let lines: Vec<Vec<&str>> = lines.iter().map(|line| line.iter().map(String::as_str).collect()).collect();
    let bytes = sheet(&HEADINGS, &lines.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let begun = admin.upload(&format!("{PLAN}/import"), "file", "计划.xlsx", XLSX, &bytes).await;
    let job = ended(&admin, &begun.data()["jobId"]).await;
    assert_eq!(row_errors(&job), [format!("{} 课程代码: 编码“QX”不存在", 49 * 102 + 8)], "{job}");
    assert_eq!(server.one::<i64>("select count(*) from school_1.teaching_plan").await, 0);
}

#[tokio::test]
async fn plans_are_exported_and_printed() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (id, _) = worked(&admin, &p).await;
    let exported = admin.post(&format!("{PLAN}/export"), json!({})).await;
    let rows = texts(&exported.bytes);
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1][7..15], ["1", "9", "92", "88", "4", "5", "1640", "21.7"], "{:?}", rows[1]);
    let printed = admin.bare(Method::GET, &format!("{PLAN}/print?id={id}")).await;
    assert!(printed.bytes.starts_with(b"%PDF"), "{}", printed.body);
    let shown = admin.get(&format!("{PLAN}/byMajor?planId={id}")).await;
    assert_eq!(shown.data()["courses"].as_array().map(Vec::len), Some(9), "{}", shown.body);
    assert_eq!(admin.get(&format!("{PLAN}/byMajor?planId={id}&gradeId=1")).await.code(), 400);
}

#[tokio::test]
async fn plans_are_the_whole_schools() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (id, _) = worked(&admin, &p).await;
    assert_eq!(admin.put(&format!("{PLAN}/submit"), item(&admin, id).await).await.code(), 200);
    let codes = ["adult:pc:teachingPlan:list", "adult:pc:teachingPlan:audit", "adult:pc:teachingPlan:reject"];
    let narrow = server.staff_within(1, &codes, "named_sites", &[p.site]).await;
    assert_eq!(narrow.post(&format!("{PLAN}/list"), json!({})).await.data()["totalCount"], json!(1));
    let read = item(&admin, id).await;
    let refused = narrow.put(&format!("{PLAN}/audit"), read.clone()).await;
    assert_eq!(refused.refused(), (403, "您只能管理已分配的站点或班级，“审核教学计划”请由数据范围为全校的人员办理"));
    let back = json!({ "id": id, "version": read["version"], "reason": "请调整" });
    assert_eq!(narrow.put(&format!("{PLAN}/reject"), back).await.code(), 403);
    // An operator audits for the school that they name.
    let operator = server.operator().await;
    assert_eq!(operator.put(&format!("{PLAN}/audit"), read.clone()).await.code(), 422);
    let audited = operator.put(&format!("{PLAN}/audit?schoolId=1"), read).await;
    assert_eq!(audited.code(), 200, "{}", audited.body);
    let over_schools = operator.post(&format!("{PLAN}/list"), json!({})).await;
    assert_eq!(over_schools.data()["list"][0]["schoolId"], json!(1), "{}", over_schools.body);
}
