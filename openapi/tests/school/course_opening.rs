//! Openings: the scenarios of part 03 B2 with their worked numbers, credits across plans, scope and stale versions.

use chrono::Duration;
use kit::{
    Client, Server,
    accounts::all_school_codes,
    cohort::{Cohort, cohort, registrar},
    fields,
    imports::taken_back,
    jobs::ended,
    openings::{
        ALLOCATION, CREDIT, OPENING, SELECTION, generate, id_of, item, of_course, open, opened, plan, publish,
        selection_of, selections, semester, step,
    },
    plans,
    rows::{majors, students},
    sheets::{import, row_errors, texts},
    teachers::{TEACHER, teacher},
};
use poem::http::Method;
use serde_json::{Value, json};

/// The cohort of another major of the same grade.
fn of_major(p: &Cohort, major: i64) -> Cohort {
    Cohort { grade: p.grade, level: p.level, national: p.national, major, site: p.site }
}

/// So many courses `A1`, `A2` … of three credits.
async fn courses(client: &Client<'_>, count: usize) -> Vec<i64> {
    let mut ids = Vec::new();
    for n in 1..=count {
        ids.push(plans::course(client, &format!("A{n}"), 3.0, 54, 14).await);
    }
    ids
}

async fn class(client: &Client<'_>, p: &Cohort, code: &str) -> i64 {
    client.post("/adult/pc/class/save", p.class(code)).await.id()
}

async fn count(server: &Server, what: &str) -> i64 {
    server.one(&format!("select count(*) from school_1.{what}")).await
}

/// Scenarios 1, 4, 7 and 8.
#[tokio::test]
async fn plans_become_openings_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    majors(&server, &p, 3).await;
    let own = courses(&admin, 5).await;
    let of_plan: Vec<(i64, &str, i32)> = own.iter().map(|course| (*course, "compulsory", 1)).collect();
    let spring = semester(&admin, "2026-1").await;
    let mut cohorts = vec![of_major(&p, p.major)];
    for code in ["M01", "M02"] {
        let major: i64 = server.one(&format!("select id from school_1.major where code = '{code}'")).await;
        cohorts.push(of_major(&p, major));
    }
    for (n, cohort) in cohorts.iter().enumerate() {
        plan(&server, cohort, &of_plan).await;
        if n < 2 {
            students(&server, cohort, p.site, None, 1 + 100 * n as i64, 3).await;
        }
    }
    // A major with students and no plan, and a grade of its own with neither.
    let fourth: i64 = server.one("select id from school_1.major where code = 'M03'").await;
    students(&server, &of_major(&p, fourth), p.site, None, 900, 1).await;
    admin.post("/adult/pc/grade/save", json!({ "code": "2025" })).await.id();
    let dry = json!({ "semesterId": spring, "dryRun": true });
    let looked = admin.unlooked(Method::POST, &format!("{OPENING}/generate"), Some(&dry)).await;
    assert_eq!((&looked.data()["created"], count(&server, "course_opening").await), (&json!(10), 0));
    let calls = (0..2).map(|_| generate(&admin, spring));
    let both = futures_util::future::join_all(calls).await;
    let mut created: Vec<i64> = both.iter().map(|told| told["created"].as_i64().expect("a number")).collect();
    created.sort_unstable();
    assert_eq!((created, count(&server, "course_opening").await), (vec![0, 10], 10), "nobody makes one twice");
    let again = generate(&admin, spring).await;
    assert_eq!((&again["created"], &again["existing"], &again["skipped"]), (&json!(0), &json!(10), &json!(5)));
    let told = again["plans"].as_array().expect("plans").clone();
    let reasons = |of: &dyn Fn(&&Value) -> bool| -> Vec<Value> {
        told.iter().filter(of).flat_map(|plan| plan["skips"].as_array().cloned().unwrap_or_default()).collect()
    };
    let without = reasons(&|plan| plan["majorId"] == json!(cohorts[2].major));
    assert_eq!((&without[0]["reason"], &without[0]["count"]), (&json!("no_student"), &json!(5)));
    let unplanned = reasons(&|plan| plan["majorId"] == json!(fourth));
    assert_eq!(unplanned[0]["reason"], json!("no_effective_plan"));
    let empty = reasons(&|plan| plan["gradeName"] == json!("2025级"));
    assert_eq!(empty[0]["reason"], json!("no_effective_plan"));
    let row = admin.post(&format!("{OPENING}/list"), json!({ "majorId": p.major })).await.data()["list"][0].clone();
    assert_eq!((&row["termNo"], &row["credits"], &row["teachingMode"]), (&json!(1), &json!(3.0), &json!("blended")));
    assert_eq!((&row["status"], &row["classCount"]), (&json!("draft"), &json!(0)));
    // A course that is switched off is left out.
    server.run(&format!("delete from school_1.course_opening where course_id = {}", own[0])).await;
    server.run(&format!("update school_1.course set enabled = false where id = {}", own[0])).await;
    let told = generate(&admin, spring).await;
    assert_eq!((&told["created"], &told["skipped"]), (&json!(0), &json!(7)));
    // While courses wait the semester is not closed.
    let version = admin.get(&format!("/adult/pc/semester/view?id={spring}")).await.data()["version"].clone();
    let close = json!({ "id": spring, "version": version });
    let refused = admin.put("/adult/pc/semester/close", close.clone()).await;
    assert_eq!(refused.refused(), (409, "该学期还有8个未开课的开课记录，不能关闭"));
    server.run("update school_1.course_opening set status = 'cancelled'").await;
    assert_eq!(admin.put("/adult/pc/semester/close", close).await.code(), 200);
    let closed = admin.post(&format!("{OPENING}/generate"), json!({ "semesterId": spring })).await;
    assert_eq!(closed.refused(), (409, "学期“2026年春季学期”已关闭，不能修改"));
}

/// Scenarios 2, 3 and 5.
#[tokio::test]
async fn opening_a_course_puts_its_students_on_the_roster() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let own = courses(&admin, 1).await[0];
    let spring = semester(&admin, "2026-1").await;
    plan(&server, &p, &[(own, "compulsory", 1)]).await;
    students(&server, &p, p.site, None, 1, 120).await;
    generate(&admin, spring).await;
    let id = id_of(&admin, spring, own).await;
    let refused = step(&admin, "open", id, json!({})).await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!("“2026级会计学”还没有班级，请先建立班级再开课"));
    class(&admin, &p, "C1").await;
    server.run("update school_1.student set status = 'suspended' where student_no = '2600000120'").await;
    open(&admin, id).await;
    assert_eq!(of_course(&admin, spring, own).await["selectedCount"], json!(119));
    let again = step(&admin, "open", id, json!({})).await;
    assert_eq!(again.data()["failed"][0]["msg"], json!("“课程A1”为已开课，只有待开课的可以开课"));
    // One comes back, another comes new: both come onto the roster.
    server.run("update school_1.student set status = 'registered' where student_no = '2600000120'").await;
    students(&server, &p, p.site, None, 121, 1).await;
    let synced = admin.post(&format!("{OPENING}/sync"), json!({ "ids": [id] })).await.data().clone();
    assert_eq!((&synced["added"], &synced["dropped"], &synced["moved"]), (&json!(2), &json!(0), &json!(0)));
    let rows = selections(&admin, json!({ "openingId": id })).await;
    assert_eq!(rows.len(), 121);
    assert_eq!(
        (&rows[0]["source"], &rows[0]["status"], &rows[0]["attemptNo"]),
        (&json!("plan"), &json!("selected"), &json!(1))
    );
    let nothing = admin.post(&format!("{OPENING}/sync"), json!({ "ids": [id, id + 1_000] })).await.data().clone();
    assert_eq!((&nothing["added"], &nothing["failed"][0]["msg"]), (&json!(0), &json!("无权操作该数据")));
    // Nobody need press the button for who registers: the roster follows within minutes.
    let late = kit::students::save(&admin, kit::students::student(&p, 200)).await;
    let now = server.now();
    server
        .run(&format!("update school_1.student_status_change set created_at = {now} where student_id = {late}"))
        .await;
    server.when_due("selection.follow", Duration::minutes(2)).await;
    assert_eq!(of_course(&admin, spring, own).await["selectedCount"], json!(122));
    // Another version with other credits reaches no opening that is open.
    server
        .run(&format!("update school_1.course set credits = 4, hours = 72, online_hours = 58 where id = {own}"))
        .await;
    plan(&server, &p, &[(own, "compulsory", 1)]).await;
    assert_eq!(generate(&admin, spring).await["existing"], json!(1));
    assert_eq!(of_course(&admin, spring, own).await["credits"], json!(3.0));
    assert_eq!(selections(&admin, json!({ "openingId": id })).await[0]["credits"], json!(3.0));
    // A course with a score is not called off; without one its roster and its teachers go.
    let one = rows[0]["id"].as_i64().expect("a number");
    publish(&server, one, 870, true).await;
    let refused = step(&admin, "cancel", id, json!({ "reason": "教师调整" })).await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!("该课程已有1条成绩，不能取消"));
    server
        .run(&format!("update school_1.course_selection set status = 'selected', final_score = null, passed = null where id = {one}"))
        .await;
    let organization = json!({ "code": "JG", "name": "经济管理学院", "kind": "college" });
    let organization = admin.post("/adult/pc/organize/save", organization).await.id();
    let teacher = admin.post(&format!("{TEACHER}/save"), teacher(organization, 1)).await.id();
    let items = json!({ "items": [{ "openingId": id, "teacherId": teacher, "role": "lecturer" }] });
    assert_eq!(admin.post(&format!("{ALLOCATION}/save"), items).await.code(), 200);
    assert_eq!(step(&admin, "cancel", id, json!({ "reason": "教师调整" })).await.data()["done"], json!(1));
    assert_eq!(count(&server, "course_allocation").await, 0);
    let row = selections(&admin, json!({ "openingId": id })).await[0].clone();
    let seen = admin.get(&format!("{SELECTION}/view?id={}", row["id"])).await.data().clone();
    assert_eq!((&seen["status"], &seen["dropReason"]), (&json!("dropped"), &json!("开课取消")));
    let told = count(&server, "event_outbox where name = 'selection_changed'").await;
    assert!(told >= 3, "{told} events for those who were added and dropped");
}

/// Scenario 6: what fails is listed, and leaves the others opened.
#[tokio::test]
async fn many_are_opened_by_a_job() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    majors(&server, &p, 1).await;
    let other: i64 = server.one("select id from school_1.major where code = 'M01'").await;
    let other = of_major(&p, other);
    let own = courses(&admin, 3).await;
    let of_plan: Vec<(i64, &str, i32)> = own.iter().map(|course| (*course, "compulsory", 1)).collect();
    let spring = semester(&admin, "2026-1").await;
    plan(&server, &p, &of_plan).await;
    plan(&server, &other, &of_plan[..1]).await;
    students(&server, &p, p.site, None, 1, 2).await;
    students(&server, &other, p.site, None, 11, 2).await;
    class(&admin, &p, "C1").await;
    generate(&admin, spring).await;
    let filter = json!({ "filter": { "semesterId": spring, "status": "draft" } });
    let begun = admin.put(&format!("{OPENING}/open"), filter).await;
    let job = ended(&admin, &begun.data()["jobId"]).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("共4条，成功3条，失败1条")), "{job}");
    assert_eq!(job["errors"][0]["msg"], json!("“2026级专业1”还没有班级，请先建立班级再开课"));
    assert_eq!(count(&server, "course_opening where status = 'opened'").await, 3);
    // More than fifty ticks are a job of their own, each opening by itself.
    let ticked: Vec<Value> = (1..=51).map(|id| json!({ "id": id, "version": 1 })).collect();
    let begun = admin.put(&format!("{OPENING}/open"), json!({ "items": ticked })).await;
    let job = ended(&admin, &begun.data()["jobId"]).await;
    assert_eq!(job["message"], json!("共51条，成功0条，失败51条"), "{job}");
    // So are the rosters of more than fifty; those of a semester are chosen by it.
    students(&server, &p, p.site, None, 21, 1).await;
    let opened: Vec<i64> =
        sqlx::query_scalar("select id from school_1.course_opening where status = 'opened' order by id")
            .fetch_all(&mut server.owner().await)
            .await
            .expect("openings");
    let ids: Vec<i64> = opened.iter().copied().chain(1_000..1_050).collect();
    let begun = admin.post(&format!("{OPENING}/sync"), json!({ "ids": ids })).await;
    let job = ended(&admin, &begun.data()["jobId"]).await;
    let told = "3个开课的名单有变动，新增3人，退选0人，转入0人，50个未同步";
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!(told)), "{job}");
    assert_eq!(job["errors"][0]["msg"], json!("无权操作该数据"));
    students(&server, &p, p.site, None, 22, 1).await;
    let direct = admin.post(&format!("{OPENING}/sync"), json!({ "semesterId": spring })).await;
    assert_eq!((&direct.data()["done"], &direct.data()["added"]), (&json!(3), &json!(3)), "{}", direct.body);
    let neither = admin.post(&format!("{OPENING}/sync"), json!({})).await;
    assert_eq!(fields(&neither), ["ids: 请选择要同步的开课或学期"]);
    let both = admin.post(&format!("{OPENING}/sync"), json!({ "ids": [1], "semesterId": spring })).await;
    assert_eq!(fields(&both), ["semesterId: 已选择开课，不能同时按学期同步"]);
    let many: Vec<Value> = (1..=501).map(|id| json!({ "id": id, "version": 1 })).collect();
    let refused = admin.put(&format!("{OPENING}/open"), json!({ "items": many })).await;
    assert_eq!(fields(&refused), ["items: 一次最多勾选500个开课，更多请按查询条件办理"]);
    // What a semester leaves opened ends with it, in the night.
    server.run("update school_1.course_opening set status = 'cancelled' where status = 'draft'").await;
    server
        .run("update school_1.course_selection set status = 'pending' where id = (select min(id) from school_1.course_selection)")
        .await;
    let version = admin.get(&format!("/adult/pc/semester/view?id={spring}")).await.data()["version"].clone();
    admin.put("/adult/pc/semester/close", json!({ "id": spring, "version": version })).await.id();
    server.when_due("course_opening.end", Duration::minutes(2)).await;
    server
        .wait_until(
            "select count(*) = 3 from school_1.course_opening where status = 'closed' and closed_at is not null",
        )
        .await;
    assert_eq!(count(&server, "course_selection where status = 'dropped' and drop_reason = '课程已结课'").await, 1);
}

/// Scenario 9: drafts follow the version in effect.
#[tokio::test]
async fn drafts_follow_the_plan() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let own = courses(&admin, 2).await;
    let spring = semester(&admin, "2026-1").await;
    let of_plan = [(own[0], "compulsory", 1), (own[1], "elective", 1)];
    plan(&server, &p, &of_plan).await;
    students(&server, &p, p.site, None, 1, 1).await;
    generate(&admin, spring).await;
    let before = of_course(&admin, spring, own[0]).await;
    server
        .run(&format!("update school_1.course set credits = 2, hours = 40, online_hours = 26 where id = {}", own[0]))
        .await;
    plan(&server, &p, &of_plan).await;
    let told = generate(&admin, spring).await;
    assert_eq!((&told["created"], &told["existing"]), (&json!(0), &json!(2)));
    let after = of_course(&admin, spring, own[0]).await;
    assert_eq!(after["id"], before["id"], "no second opening of a course");
    assert_ne!(after["planCourseId"], before["planCourseId"]);
    assert_eq!((&before["credits"], &after["credits"]), (&json!(3.0), &json!(2.0)));
    let stale = json!({ "id": after["id"], "version": before["version"], "teachingMode": "online", "capacity": null });
    assert_eq!(admin.put(&format!("{OPENING}/edit"), stale).await.code(), 409);
    let edit = json!({ "id": after["id"], "version": after["version"], "teachingMode": "online", "capacity": 50 });
    assert_eq!(admin.put(&format!("{OPENING}/edit"), edit).await.code(), 200);
    assert_eq!(of_course(&admin, spring, own[0]).await["capacity"], json!(50));
    let refreshed: i64 = server
        .one(&format!(
            "select count(*) from school_1.audit_log
             where entity_type = 'course_opening' and entity_id = {} and changes::text like '%credits%'
               and changes::text like '%hours%' and action = 'update'",
            after["id"]
        ))
        .await;
    assert_eq!(refreshed, 1, "the trail tells what the plan changed of a draft");
    // Over schools a list is asked for by words, for numbers differ from school to school.
    for (list, filter, found) in [
        (OPENING, json!({ "gradeText": "2026", "majorText": "会计", "courseText": "a1" }), 1),
        (OPENING, json!({ "semesterText": "2026-1", "courseText": "课程A" }), 2),
        (OPENING, json!({ "semesterText": "2027" }), 0),
        (OPENING, json!({ "levelText": "没有的层次" }), 0),
        (CREDIT, json!({ "gradeText": "2026", "levelText": "专升本", "majorText": "会计", "courseText": "A1" }), 1),
        (CREDIT, json!({ "majorText": "没有的专业" }), 0),
    ] {
        let listed = admin.post(&format!("{list}/list"), filter.clone()).await;
        assert_eq!(listed.data()["totalCount"], json!(found), "{list} {filter}");
    }
    // A version without the elective: its draft is told, and not opened.
    plan(&server, &p, &of_plan[..1]).await;
    let told = generate(&admin, spring).await;
    let left = &told["plans"][0]["skips"][0];
    assert_eq!((&left["reason"], &left["courses"]), (&json!("left_over"), &json!(["课程A2"])), "{told}");
    let elective = id_of(&admin, spring, own[1]).await;
    let refused = step(&admin, "open", elective, json!({})).await;
    let msg = "“课程A2”不在该年级专业生效教学计划的第1学期，不能开课，请重新生成或删除";
    assert_eq!(refused.data()["failed"][0]["msg"], json!(msg));
    plan(&server, &p, &of_plan).await;
    assert_eq!(admin.delete(&format!("{OPENING}/delete?id={}", after["id"])).await.code(), 200);
    class(&admin, &p, "C1").await;
    let elective = id_of(&admin, spring, own[1]).await;
    open(&admin, elective).await;
    assert_eq!(selections(&admin, json!({ "openingId": elective })).await.len(), 0, "electives are chosen");
    let kept = admin.delete(&format!("{OPENING}/delete?id={elective}")).await;
    assert_eq!(kept.refused(), (409, "“课程A2”为已开课，只有待开课的可以删除"));
    let file = admin.post(&format!("{OPENING}/export"), json!({ "semesterId": spring })).await;
    assert_eq!(texts(&file.bytes).len(), 2);
}

#[tokio::test]
async fn what_lies_outside_the_plans_is_made_by_hand() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let own = courses(&admin, 1).await[0];
    let spring = semester(&admin, "2026-1").await;
    let extra = json!({ "semesterId": spring, "kind": "extra", "courseId": own, "capacity": 2 });
    let save = format!("{OPENING}/save");
    let id = admin.post(&save, extra.clone()).await.id();
    let seen = admin.get(&format!("{OPENING}/view?id={id}")).await.data().clone();
    assert_eq!((&seen["gradeId"], &seen["nature"], &seen["credits"]), (&json!(null), &json!("elective"), &json!(3.0)));
    let twice = admin.post(&save, extra.clone()).await;
    assert_eq!(fields(&twice), ["courseId: “课程A1”在本学期已有相同的开课"]);
    for (field, value, told) in [
        ("kind", json!("plan"), "kind: 计划内的课程请按计划生成开课"),
        ("courseId", json!(own + 1_000), "courseId: 所选课程不存在，请重新选择"),
        ("gradeId", json!(p.grade + 1_000), "gradeId: 所选年级不存在，请重新选择"),
        ("credits", json!(3.3), "credits: 学分应在0.5到30之间，为0.5的倍数"),
        ("nature", json!("compulsory"), "nature: 必修课程请指定年级和专业"),
    ] {
        let mut body = extra.clone();
        body[field] = value;
        assert_eq!(fields(&admin.post(&save, body).await), [told]);
    }
    open(&admin, id).await;
    students(&server, &p, p.site, None, 1, 3).await;
    let people: Vec<i64> = vec![
        server.one("select id from school_1.student where student_no = '2600000001'").await,
        server.one("select id from school_1.student where student_no = '2600000002'").await,
        server.one("select id from school_1.student where student_no = '2600000003'").await,
    ];
    let wanted = json!({ "openingIds": [id], "studentIds": people });
    let saved = admin.post(&format!("{SELECTION}/save"), wanted).await.data().clone();
    assert_eq!((&saved["created"], &saved["refused"][0]["message"]), (&json!(2), &json!("人数已满")));
    let now = item(&admin, id).await;
    let edit = json!({ "id": id, "version": now["version"], "teachingMode": "online", "capacity": 1 });
    let refused = admin.put(&format!("{OPENING}/edit"), edit).await;
    assert_eq!(fields(&refused), ["capacity: 已有2人选课，人数上限不能低于该数"]);
    // What is compulsory for a grade and major has its students when it is opened, outside the plan too.
    let other = plans::course(&admin, "B1", 2.0, 36, 8).await;
    let must = json!({ "semesterId": spring, "kind": "extra", "courseId": other, "nature": "compulsory",
        "gradeId": p.grade, "majorId": p.major });
    let must = admin.post(&save, must).await.id();
    open(&admin, must).await;
    assert_eq!(selections(&admin, json!({ "openingId": must })).await.len(), 3);
}

/// Openings outside the plans come by a sheet, all or none, and go back while they wait.
#[tokio::test]
async fn a_sheet_of_openings_is_written_whole_or_not_at_all() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    courses(&admin, 2).await;
    semester(&admin, "2026-1").await;
    let (grade, major): (String, String) = (
        server.one(&format!("select code from school_1.grade where id = {}", p.grade)).await,
        server.one(&format!("select code from school_1.major where id = {}", p.major)).await,
    );
    let headings = ["学期编码", "课程代码", "开课类别", "年级编码", "校内专业代码", "教学方式", "人数上限"];
    let right: [&[&str]; 2] =
        [&["2026-1", "A1", "计划外", &grade, &major, "线上", "30"], &["2026-1", "A2", "重修班", "", "", "", ""]];
    let wrong = import(
        &admin,
        OPENING,
        &headings,
        &[
            right[0],
            &["2026-1", "A9", "计划外", "", "", "", ""],
            &["2026-1", "A2", "重修班", "", "", "", "0"],
            right[0],
        ],
    )
    .await;
    let told = row_errors(wrong.data());
    assert_eq!(told[0], "3 课程代码: 编码“A9”不存在");
    assert!(told.iter().any(|line| line.starts_with("4 人数上限: ")), "{told:?}");
    assert!(told.contains(&"5 课程代码: “课程A1”在本学期已有相同的开课".to_owned()), "{told:?}");
    assert_eq!(count(&server, "course_opening").await, 0);
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[p.site]).await;
    assert_eq!(import(&narrow, OPENING, &headings, &right).await.code(), 403);
    let done = import(&admin, OPENING, &headings, &right).await;
    assert_eq!(done.data()["imported"], json!(2), "{}", done.body);
    let kinds =
        "course_opening where status = 'draft' and (kind = 'extra' and capacity = 30 and teaching_mode = 'online'
                                                            or kind = 'retake' and grade_id is null)";
    assert_eq!(count(&server, kinds).await, 2);
    let extra: i64 = server.one("select id from school_1.course_opening where kind = 'extra'").await;
    class(&admin, &p, "C1").await;
    open(&admin, extra).await;
    let (_, staying) = taken_back(&admin, "开课").await;
    assert_eq!(staying.len(), 1, "{staying:?}");
    assert_eq!(count(&server, "course_opening").await, 1, "what was opened stays");
}

/// Credits are changed across plans: of a draft in place, of a plan in effect as its next version.
#[tokio::test]
async fn credits_are_changed_until_a_course_is_opened() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let own = courses(&admin, 1).await[0];
    let spring = semester(&admin, "2026-1").await;
    let plan = plan(&server, &p, &[(own, "compulsory", 1)]).await;
    server.run(&format!("update school_1.teaching_plan set total_credits = 3, min_compulsory_credits = 3, min_elective_credits = 0 where id = {plan}")).await;
    server.run("delete from school_1.plan_elective_group").await;
    let row = admin.post(&format!("{CREDIT}/list"), json!({ "planId": plan })).await.data()["list"][0].clone();
    assert_eq!((&row["credits"], &row["opened"], &row["planCompulsory"]), (&json!(3.0), &json!(false), &json!(3.0)));
    let edit = |row: &Value, hours: i32| json!({ "items": [{ "planCourseId": row["id"], "version": row["version"], "lectureHours": hours }] });
    let much = admin.put(&format!("{CREDIT}/edit"), edit(&row, 2_001)).await;
    assert_eq!(much.code(), 422, "{}", much.body);
    let mut twice = edit(&row, 10);
    twice["items"] = json!([twice["items"][0], twice["items"][0]]);
    let twice = admin.put(&format!("{CREDIT}/edit"), twice).await;
    assert_eq!(fields(&twice), ["items[1].planCourseId: 计划课程重复，请合并为一条"]);
    let done = admin.put(&format!("{CREDIT}/edit"), edit(&row, 10)).await.data().clone();
    assert_eq!(done["done"], json!(1), "{done}");
    assert_eq!((&done["plans"][0]["revised"], &done["plans"][0]["status"]), (&json!(true), &json!("effective")));
    let next = done["plans"][0]["planId"].clone();
    let changed = admin.post(&format!("{CREDIT}/list"), json!({ "planId": next })).await.data()["list"][0].clone();
    assert_eq!((&changed["lectureHours"], &changed["hours"]), (&json!(10), &json!(50)));
    let old: String = server.one(&format!("select status from school_1.teaching_plan where id = {plan}")).await;
    assert_eq!(old, "superseded");
    // Other credits than the head asks for: the next version waits as a draft, and says what is off.
    let more = json!({ "items": [{ "planCourseId": changed["id"], "version": changed["version"], "credits": 4.0 }] });
    let done = admin.put(&format!("{CREDIT}/edit"), more).await.data().clone();
    assert_eq!((&done["done"], &done["plans"][0]["status"]), (&json!(1), &json!("draft")), "{done}");
    assert_eq!(done["plans"][0]["warnings"][1], json!("必修课程学分合计4.0，应为3.0"));
    assert_eq!(
        admin.delete(&format!("/adult/pc/teachingPlan/delete?id={}", done["plans"][0]["planId"])).await.code(),
        200
    );
    students(&server, &p, p.site, None, 1, 1).await;
    class(&admin, &p, "C1").await;
    opened(&admin, spring, own).await;
    let refused = admin.put(&format!("{CREDIT}/edit"), edit(&changed, 20)).await.data().clone();
    assert_eq!(
        (&refused["done"], &refused["failed"][0]["msg"]),
        (&json!(0), &json!("课程“课程A1”已在2026年春季学期开课，不能修改学分学时"))
    );
    // What the student has selected, obtained and needs.
    let student: i64 = server.one("select id from school_1.student").await;
    let line = async || admin.post(&format!("{CREDIT}/student/list"), json!({})).await.data()["list"][0].clone();
    let told = line().await;
    assert_eq!(told["id"], json!(student));
    assert_eq!(
        (&told["selectedCredits"], &told["obtainedCredits"], &told["requiredCredits"]),
        (&json!(3.0), &json!(0.0), &json!(3.0))
    );
    let opening = id_of(&admin, spring, own).await;
    let selection = selection_of(&admin, student, opening).await["id"].as_i64().expect("a number");
    publish(&server, selection, 600, true).await;
    assert_eq!(line().await["obtainedCredits"], json!(3.0));
    kit::openings::rule(&server, &admin, spring, 20.0).await;
    let below = admin.post(&format!("{CREDIT}/student/list"), json!({ "belowMinimumOf": spring })).await;
    assert_eq!(below.data()["totalCount"], json!(1), "three of at least ten credits");
}

/// Who may audit plans for one site alone may audit none, and so lets no next version take effect by its credits either.
#[tokio::test]
async fn a_narrow_audit_lets_no_credits_take_effect() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let own = courses(&admin, 1).await[0];
    let plan = plan(&server, &p, &[(own, "compulsory", 1)]).await;
    server.run(&format!("update school_1.teaching_plan set total_credits = 3, min_compulsory_credits = 3, min_elective_credits = 0 where id = {plan}")).await;
    server.run("delete from school_1.plan_elective_group").await;
    let edits = ["adult:pc:courseCredit:edit", "adult:pc:courseCredit:list"];
    let whole = server.account(1, &edits, "whole_school", &[]).await;
    let narrow = server.account(1, &["adult:pc:teachingPlan:audit"], "named_sites", &[p.site]).await;
    server
        .run(&format!(
            "insert into platform.sys_user_role (user_id, role_id, school_id, created_by)
             select u.id, r.id, 1, 0 from platform.sys_user u cross join platform.sys_role r
             where u.login_name = '{whole}' and r.role_name = '{narrow}'"
        ))
        .await;
    let both = server.signed_in(&whole, "schoolLogin").await;
    let row = both.post(&format!("{CREDIT}/list"), json!({ "planId": plan })).await.data()["list"][0].clone();
    let edit = json!({ "items": [{ "planCourseId": row["id"], "version": row["version"], "lectureHours": 10 }] });
    let done = both.put(&format!("{CREDIT}/edit"), edit).await.data().clone();
    assert_eq!(
        (&done["plans"][0]["revised"], &done["plans"][0]["status"]),
        (&json!(true), &json!("submitted")),
        "{done}"
    );
    let first: String = server.one(&format!("select status from school_1.teaching_plan where id = {plan}")).await;
    assert_eq!(first, "effective");
}

/// Somebody who sees one site sees its openings, and changes none that others share.
#[tokio::test]
async fn an_opening_is_changed_by_whoever_sees_all_its_classes() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let own = courses(&admin, 1).await[0];
    let spring = semester(&admin, "2026-1").await;
    plan(&server, &p, &[(own, "compulsory", 1)]).await;
    let near = class(&admin, &p, "C1").await;
    students(&server, &p, p.site, Some(near), 1, 2).await;
    students(&server, &p, far, None, 11, 3).await;
    let id = opened(&admin, spring, own).await;
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[p.site]).await;
    assert_eq!(of_course(&narrow, spring, own).await["selectedCount"], json!(2));
    assert_eq!(selections(&narrow, json!({ "openingId": id })).await.len(), 2);
    let elsewhere = server.staff_within(1, &codes, "named_sites", &[far]).await;
    // The class is the near site's alone, but students of the other are on the roster: both see it, neither changes it.
    assert_eq!(of_course(&elsewhere, spring, own).await["selectedCount"], json!(3));
    let seen = item(&narrow, id).await;
    let edit = |version: &Value| json!({ "id": id, "version": version, "teachingMode": "online" });
    let refused = narrow.put(&format!("{OPENING}/edit"), edit(&seen["version"])).await;
    assert_eq!(refused.refused(), (403, "该记录包含您管辖范围以外的班级，不能修改"));
    let refused = step(&narrow, "cancel", id, json!({ "reason": "教师调整" })).await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!("该记录包含您管辖范围以外的班级，不能修改"));
    let synced = narrow.post(&format!("{OPENING}/sync"), json!({ "ids": [id] })).await.data().clone();
    assert_eq!(synced["failed"][0]["msg"], json!("该记录包含您管辖范围以外的班级，不能修改"));
    server
        .run(&format!(
            "update school_1.course_selection c set status = 'dropped', dropped_at = now() from school_1.student s
             where s.id = c.student_id and s.site_id = {far}"
        ))
        .await;
    assert_eq!(elsewhere.get(&format!("{OPENING}/view?id={id}")).await.code(), 404, "nothing of theirs");
    // While the classes are theirs alone they may; with another site's class beside them they may not.
    assert_eq!(narrow.put(&format!("{OPENING}/edit"), edit(&seen["version"])).await.code(), 200);
    let mut other = p.class("C2");
    other["siteId"] = json!(far);
    admin.post("/adult/pc/class/save", other).await.id();
    let seen = item(&narrow, id).await;
    let refused = narrow.put(&format!("{OPENING}/edit"), edit(&seen["version"])).await;
    assert_eq!(refused.refused(), (403, "该记录包含您管辖范围以外的班级，不能修改"));
    let refused = step(&narrow, "close", id, json!({})).await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!("该记录包含您管辖范围以外的班级，不能修改"));
    let generation = narrow.post(&format!("{OPENING}/generate"), json!({ "semesterId": spring })).await;
    assert_eq!(generation.code(), 403);
    assert_eq!(elsewhere.get(&format!("{OPENING}/view?id={id}")).await.code(), 200);
    server.run("update school_1.course_selection set status = 'pending' where status = 'selected'").await;
    assert_eq!(step(&admin, "close", id, json!({})).await.data()["done"], json!(1));
    assert_eq!(count(&server, "course_selection where drop_reason = '课程已结课'").await, 2, "nobody waits for ever");
}

/// Over all schools the lists of teaching are asked for by codes and names, for numbers differ from school to school (03 §0.1).
#[tokio::test]
async fn lists_over_schools_are_asked_for_by_words() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let own = courses(&admin, 1).await[0];
    let spring = semester(&admin, "2026-1").await;
    plan(&server, &p, &[(own, "compulsory", 1)]).await;
    let c1 = class(&admin, &p, "C1").await;
    students(&server, &p, p.site, Some(c1), 1, 1).await;
    opened(&admin, spring, own).await;
    let rule = json!({ "semesterId": spring, "gradeId": p.grade, "majorId": p.major, "minCredits": 1.0, "maxCredits": 20.0,
        "selectStartsAt": "2026-03-01T00:00:00+08:00", "selectEndsAt": "2026-03-15T00:00:00+08:00",
        "dropEndsAt": "2026-03-22T00:00:00+08:00" });
    admin.post("/adult/pc/selectionRule/save", rule).await.id();
    let operator = server.operator().await;
    let words = [
        ("semesterText", "2026-1", "春季学期"),
        ("gradeText", "202", "2026级"),
        ("levelText", "zs", "专升本"),
        ("majorText", "kJ", "会计"),
        ("courseText", "a1", "课程A"),
        ("siteText", "cd", "城东"),
        ("classText", "c1", "会计"),
    ];
    let all = ["semesterText", "gradeText", "levelText", "majorText", "courseText", "siteText", "classText"];
    let statistics = format!("{SELECTION}/stat");
    let of_students = format!("{CREDIT}/student");
    for (list, fields) in [
        ("/adult/pc/teachingPlan", &all[1..4]),
        (SELECTION, &all[..]),
        (statistics.as_str(), &["semesterText", "gradeText", "majorText", "courseText"][..]),
        ("/adult/pc/selectionRule", &["semesterText", "gradeText", "majorText"][..]),
        (of_students.as_str(), &["gradeText", "levelText", "majorText", "siteText", "classText"][..]),
        (ALLOCATION, &all[..5]),
    ] {
        for (field, code, name) in words.iter().filter(|(field, ..)| fields.contains(field)) {
            for (word, found) in [(*code, 1), (*name, 1), ("没有的", 0)] {
                let listed = operator.post(&format!("{list}/list"), json!({ *field: word })).await;
                assert_eq!(listed.data()["totalCount"], json!(found), "{list} {field} {word}: {}", listed.body);
            }
        }
    }
    let grid = operator.post(&format!("{ALLOCATION}/list"), json!({ "courseText": "a1" })).await;
    assert_eq!(grid.data()["list"][0]["schoolId"], json!(1), "{}", grid.body);
}
