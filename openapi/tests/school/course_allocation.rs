//! Who teaches: the scenarios of part 03 B3 with their worked numbers, scope, imports and their undoing.

use kit::{
    Client, Server,
    accounts::all_school_codes,
    cohort::{Cohort, cohort, registrar},
    fields,
    homework::with,
    imports::taken_back,
    openings::{ALLOCATION, opened, plan, semester},
    plans,
    rows::{setting, students},
    sheets::{import, row_errors, texts},
    teachers::{TEACHER, teacher},
};
use poem::http::Method;
use serde_json::{Value, json};

/// An opened course of two classes, and teachers T001 to T003.
struct School {
    p: Cohort,
    spring: i64,
    course: i64,
    opening: i64,
    classes: [i64; 2],
    teachers: Vec<i64>,
}

async fn school(server: &Server, admin: &Client<'_>) -> School {
    let p = cohort(admin).await;
    let course = plans::course(admin, "A1", 3.0, 54, 14).await;
    let spring = semester(admin, "2026-1").await;
    plan(server, &p, &[(course, "compulsory", 1)]).await;
    let classes = [
        admin.post("/adult/pc/class/save", p.class("C1")).await.id(),
        admin.post("/adult/pc/class/save", p.class("C2")).await.id(),
    ];
    students(server, &p, p.site, Some(classes[0]), 1, 2).await;
    students(server, &p, p.site, Some(classes[1]), 11, 3).await;
    let opening = opened(admin, spring, course).await;
    let organization = json!({ "code": "JG", "name": "经济管理学院", "kind": "college" });
    let organization = admin.post("/adult/pc/organize/save", organization).await.id();
    let mut teachers = Vec::new();
    for n in 1..=3 {
        let mut body = teacher(organization, n);
        body["name"] = json!(format!("教师{n}"));
        for field in ["idCardType", "idCardNo"] {
            body.as_object_mut().expect("fields").remove(field);
        }
        teachers.push(admin.post(&format!("{TEACHER}/save"), body).await.id());
    }
    School { p, spring, course, opening, classes, teachers }
}

fn form(opening: i64, class: Option<i64>, teacher: i64, role: &str, hours: i32) -> Value {
    json!({ "openingId": opening, "classId": class, "teacherId": teacher, "role": role, "hours": hours })
}

async fn save(client: &Client<'_>, forms: Vec<Value>) -> kit::Answer {
    client.post(&format!("{ALLOCATION}/save"), json!({ "items": forms })).await
}

/// The names of the lecturers, class by class.
async fn lecturers(client: &Client<'_>, opening: i64) -> Vec<Value> {
    let listed = client.post(&format!("{ALLOCATION}/list"), json!({ "openingId": opening })).await;
    let classes = listed.data()["list"][0]["classes"].as_array().expect("classes").clone();
    classes.iter().map(|class| class["lecturer"]["name"].clone()).collect()
}

/// Scenarios 1 and 2.
#[tokio::test]
async fn a_class_has_one_lecturer_and_its_own_goes_before_that_of_all() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let School { opening, classes, teachers, .. } = school(&server, &admin).await;
    let saved = save(&admin, vec![form(opening, None, teachers[0], "lecturer", 30)]).await;
    assert_eq!(saved.data()["warnings"], json!([]), "{}", saved.body);
    save(&admin, vec![form(opening, Some(classes[0]), teachers[1], "lecturer", 40)]).await.data();
    assert_eq!(lecturers(&admin, opening).await, [json!("教师2"), json!("教师1")]);
    let second = save(&admin, vec![form(opening, Some(classes[0]), teachers[2], "lecturer", 40)]).await;
    assert_eq!(fields(&second), ["items[0].teacherId: 该班级已有主讲教师“教师2”"]);
    let same =
        save(&admin, vec![form(opening, None, teachers[0], "tutor", 1), form(opening, None, teachers[0], "tutor", 2)])
            .await;
    assert_eq!(fields(&same), ["items[1].teacherId: 该教师已有相同的任课安排"]);
    server.run(&format!("update school_1.teacher set status = 'left' where id = {}", teachers[2])).await;
    let left = save(&admin, vec![form(opening, None, teachers[2], "marker", 0)]).await;
    assert_eq!(fields(&left), ["items[0].teacherId: 教师“教师3”已离职或停用"]);
    // Hours beyond what one teacher may have are told, and no refusal.
    setting(&server, "teacherMaxHours", &json!(100)).await;
    let much = save(&admin, vec![form(opening, Some(classes[1]), teachers[0], "tutor", 80)]).await;
    let told = much.data()["warnings"].clone();
    assert_eq!(told, json!(["教师“教师1”2026年春季学期任课110学时，超过上限100学时"]));
    let load = admin.post(&format!("{ALLOCATION}/workload/list"), json!({})).await;
    assert_eq!(fields(&load), ["semesterId: 请选择学期"]);
    // What belongs to a closed semester stays as it is (A1).
    server.run("update school_1.semester set closed_at = now()").await;
    let id = saved.data()["ids"][0].clone();
    let edit = with(form(opening, None, teachers[0], "lecturer", 36), json!({ "id": id, "version": 1 }));
    let edited = admin.put(&format!("{ALLOCATION}/edit"), edit).await;
    assert_eq!(edited.refused(), (409, "学期“2026年春季学期”已关闭，不能修改"));
    let deleted = admin.delete(&format!("{ALLOCATION}/delete?id={id}")).await;
    assert_eq!(deleted.refused(), (409, "学期“2026年春季学期”已关闭，不能修改"));
}

#[tokio::test]
async fn work_is_counted_by_who_really_teaches() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let School { spring, opening, classes, teachers, .. } = school(&server, &admin).await;
    save(
        &admin,
        vec![
            form(opening, None, teachers[0], "lecturer", 30),
            form(opening, Some(classes[0]), teachers[1], "lecturer", 40),
        ],
    )
    .await
    .data();
    let load = admin.post(&format!("{ALLOCATION}/workload/list"), json!({ "semesterId": spring })).await;
    let line = |row: &Value| {
        let number = |field: &str| row[field].as_i64().expect("a number");
        (row["name"].clone(), number("courseCount"), number("classCount"), number("studentCount"), number("hours"))
    };
    let lines: Vec<_> = load.data()["list"].as_array().expect("teachers").iter().map(line).collect();
    assert_eq!(lines, [(json!("教师2"), 1, 1, 2, 40), (json!("教师1"), 1, 1, 3, 30)]);
    let file = admin.post(&format!("{ALLOCATION}/workload/export"), json!({ "semesterId": spring })).await;
    assert_eq!(texts(&file.bytes)[1][..3], ["T002", "教师2", "经济管理学院"]);
    let notice = |teacher: i64| format!("{ALLOCATION}/print?semesterId={spring}&teacherId={teacher}");
    let printed = admin.bare(Method::GET, &notice(teachers[0])).await;
    assert!(printed.bytes.starts_with(b"%PDF"), "{}", printed.body);
    // Operators print it for the school that they name, and for none without.
    let operator = server.operator().await;
    let named = operator.bare(Method::GET, &format!("{}&schoolId=1", notice(teachers[0]))).await;
    assert!(named.bytes.starts_with(b"%PDF"), "{}", named.body);
    assert_eq!(operator.get(&notice(teachers[0])).await.code(), 422);
    let nothing = admin.get(&notice(teachers[2])).await;
    assert_eq!(nothing.refused(), (404, "该教师在这个学期没有任课"));
    let moved = json!({ "fromTeacherId": teachers[0], "toTeacherId": teachers[2], "openingIds": [opening], "roles": ["lecturer"] });
    assert_eq!(admin.put(&format!("{ALLOCATION}/transfer"), moved.clone()).await.data()["done"], json!(1));
    assert_eq!(lecturers(&admin, opening).await, [json!("教师2"), json!("教师3")]);
    let none = admin.put(&format!("{ALLOCATION}/transfer"), moved).await;
    assert_eq!(fields(&none), ["openingIds: 该教师在所选开课中没有任课安排"]);
    let unallocated =
        admin.post(&format!("{ALLOCATION}/list"), json!({ "semesterId": spring, "allocated": false })).await;
    assert_eq!(unallocated.data()["totalCount"], json!(0));
}

/// Scenario 3: of the former semester's rows those whose teacher left stay behind.
#[tokio::test]
async fn the_former_semester_is_taken_over() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let School { p, spring, course, opening, classes, teachers } = school(&server, &admin).await;
    save(
        &admin,
        vec![
            form(opening, Some(classes[0]), teachers[0], "lecturer", 40),
            form(opening, Some(classes[1]), teachers[1], "lecturer", 40),
            form(opening, None, teachers[2], "marker", 0),
        ],
    )
    .await
    .data();
    // The next cohort has the course a year later, in classes of the same site.
    let grade = admin.post("/adult/pc/grade/save", json!({ "code": "2027" })).await.id();
    let next = Cohort { grade, level: p.level, national: p.national, major: p.major, site: p.site };
    plan(&server, &next, &[(course, "compulsory", 1)]).await;
    admin.post("/adult/pc/class/save", next.class("D1")).await.id();
    students(&server, &next, p.site, None, 21, 1).await;
    let later = semester(&admin, "2027-1").await;
    let to = opened(&admin, later, course).await;
    server.run(&format!("update school_1.teacher set status = 'left' where id = {}", teachers[0])).await;
    let wanted = |dry_run: bool| json!({ "fromSemesterId": spring, "toSemesterId": later, "dryRun": dry_run });
    let looked = admin.unlooked(Method::POST, &format!("{ALLOCATION}/copy"), Some(&wanted(true))).await;
    assert_eq!(looked.data()["created"], json!(2), "{}", looked.body);
    let copied = admin.post(&format!("{ALLOCATION}/copy"), wanted(false)).await.data().clone();
    assert_eq!(copied["created"], json!(2));
    let skipped = copied["skipped"].as_array().expect("rows").clone();
    assert_eq!(skipped.len(), 1);
    assert_eq!(
        (&skipped[0]["teacherName"], &skipped[0]["message"]),
        (&json!("教师1"), &json!("教师“教师1”已离职或停用"))
    );
    assert_eq!(lecturers(&admin, to).await, [json!("教师2")]);
    let again = admin.post(&format!("{ALLOCATION}/copy"), wanted(false)).await.data().clone();
    assert_eq!((&again["created"], again["skipped"].as_array().map(Vec::len)), (&json!(0), Some(3)));
}

/// Scenario 5.
#[tokio::test]
async fn a_site_allocates_its_own_classes() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let School { p, opening, classes, teachers, .. } = school(&server, &admin).await;
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let mut other = p.class("C9");
    other["siteId"] = json!(far);
    let other = admin.post("/adult/pc/class/save", other).await.id();
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[p.site]).await;
    let listed = narrow.post(&format!("{ALLOCATION}/list"), json!({ "openingId": opening })).await;
    assert_eq!(listed.data()["list"][0]["classes"].as_array().map(Vec::len), Some(2));
    let of_all = save(&narrow, vec![form(opening, None, teachers[0], "lecturer", 30)]).await;
    assert_eq!(of_all.refused(), (403, "该记录包含您管辖范围以外的班级，不能修改"));
    let elsewhere = save(&narrow, vec![form(opening, Some(other), teachers[0], "lecturer", 30)]).await;
    assert_eq!(fields(&elsewhere), ["items[0].classId: 无权操作该数据"]);
    let own = save(&narrow, vec![form(opening, Some(classes[0]), teachers[0], "lecturer", 30)]).await;
    let id = own.data()["ids"][0].clone();
    let theirs =
        save(&admin, vec![form(opening, Some(other), teachers[1], "lecturer", 30)]).await.data()["ids"][0].clone();
    assert_eq!(narrow.get(&format!("{ALLOCATION}/view?id={theirs}")).await.code(), 404);
    // A class that is taught stays (A4).
    let kept = admin.delete(&format!("/adult/pc/class/delete?id={other}")).await;
    assert_eq!(kept.code(), 409, "{}", kept.body);
    assert!(kept.msg().ends_with("已被引用，不能删除：1条任课安排"), "{}", kept.body);
    let elsewhere = json!({ "openingId": opening, "teacherId": teachers[1] });
    for (client, seen) in [(&admin, 1), (&narrow, 0)] {
        let listed = client.post(&format!("{ALLOCATION}/list"), elsewhere.clone()).await;
        assert_eq!(listed.data()["totalCount"], json!(seen), "who teaches a class beyond the scope is not told");
    }
    // Whose lecturers are counted is the same in the filter and in the column; a site shows its own classes alone.
    let with = json!({ "openingId": opening, "siteId": far });
    let grid = admin.post(&format!("{ALLOCATION}/list"), with).await.data()["list"][0]["classes"].clone();
    assert_eq!((grid.as_array().map(Vec::len), &grid[0]["classId"]), (Some(1), &json!(other)));
    admin.delete(&format!("{ALLOCATION}/delete?id={id}")).await.data();
    let without = json!({ "allocated": false });
    let without = narrow.post("/adult/pc/courseOpening/list", without).await.data()["totalCount"].clone();
    assert_eq!(without, json!(1), "the lecturer of the other site's class is none of this one's");
    let own = save(&narrow, vec![form(opening, Some(classes[0]), teachers[0], "lecturer", 30)]).await;
    let id = own.data()["ids"][0].clone();
    // A class of another major takes a teacher where somebody of it is on the roster.
    kit::rows::majors(&server, &p, 1).await;
    let major: i64 = server.one("select id from school_1.major where code = 'M01'").await;
    let third = Cohort { grade: p.grade, level: p.level, national: p.national, major, site: p.site };
    let third = admin.post("/adult/pc/class/save", third.class("M1")).await.id();
    let foreign = form(opening, Some(third), teachers[1], "lecturer", 30);
    assert_eq!(save(&admin, vec![foreign.clone()]).await.code(), 422);
    server
        .run(&format!(
            "update school_1.course_selection set class_id = {third}, class_by_hand = true
             where id = (select min(id) from school_1.course_selection where opening_id = {opening})"
        ))
        .await;
    assert_eq!(save(&admin, vec![foreign]).await.code(), 200);
    let headings = ["学期编码", "课程代码", "班级编码", "教师工号", "角色", "学时"];
    let by_sheet = import(&admin, ALLOCATION, &headings, &[&["2026-1", "A1", "M1", "T003", "辅导", "10"]]).await;
    assert_eq!(by_sheet.data()["imported"], json!(1), "{}", by_sheet.body);
    let deleted = narrow.post(&format!("{ALLOCATION}/batchDel"), json!({ "ids": [theirs, id] })).await.data().clone();
    assert_eq!((&deleted["done"], &deleted["failed"][0]["msg"]), (&json!(1), &json!("无权操作该数据")));
}

/// Scenario 6, and what a sheet wrote goes back.
#[tokio::test]
async fn a_sheet_is_written_whole_or_not_at_all() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let School { opening, .. } = school(&server, &admin).await;
    let headings = ["学期编码", "课程代码", "班级编码", "教师工号", "角色", "学时"];
    let wrong = import(
        &admin,
        ALLOCATION,
        &headings,
        &[
            &["2026-1", "A1", "C1", "T001", "主讲", "40"],
            &["2026-1", "A1", "C2", "T901", "主讲", "40"],
            &["2026-1", "A1", "C2", "T902", "辅导", "40"],
            &["2026-1", "A1", "", "T903", "批阅", ""],
        ],
    )
    .await;
    assert_eq!(
        row_errors(wrong.data()),
        ["3 教师工号: 编码“T901”不存在", "4 教师工号: 编码“T902”不存在", "5 教师工号: 编码“T903”不存在",]
    );
    assert_eq!(server.one::<i64>("select count(*) from school_1.course_allocation").await, 0);
    let rows: [&[&str]; 3] = [
        &["2026-1", "A1", "C1", "T001", "主讲", "40"],
        &["2026-1", "A1", "", "T002", "主讲", "30"],
        &["2026-1", "A1", "C1", "T002", "主讲", "30"],
    ];
    // The check waits for nobody who is selecting meanwhile, and keeps nobody from it.
    let mut selecting = server.begin_in(1).await;
    course_selection::opening::hold(&mut selecting, &[opening]).await.expect("held");
    let twice = import(&admin, ALLOCATION, &headings, &rows).await;
    assert_eq!(row_errors(twice.data()), ["4 教师工号: 该班级已有主讲教师“教师1”"]);
    drop(selecting);
    // Hours beyond what one teacher may have are told beside the row, as beside a form.
    setting(&server, "teacherMaxHours", &json!(35)).await;
    let done = import(&admin, ALLOCATION, &headings, &rows[..2]).await;
    assert_eq!(done.data()["imported"], json!(2), "{}", done.body);
    let warned = &done.data()["warnings"];
    assert_eq!(warned[0]["message"], json!("教师“教师1”2026年春季学期任课40学时，超过上限35学时"), "{warned}");
    assert_eq!(lecturers(&admin, opening).await, [json!("教师1"), json!("教师2")]);
    let (_, staying) = taken_back(&admin, "任课安排").await;
    assert_eq!(staying, Vec::<String>::new());
    assert_eq!(server.one::<i64>("select count(*) from school_1.course_allocation").await, 0);
}
