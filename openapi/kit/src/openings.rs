//! Openings, their teachers, and selections of a school.

use serde_json::{Value, json};

use crate::{Answer, Client, Server, cohort::Cohort};

pub const OPENING: &str = "/adult/pc/courseOpening";
pub const CREDIT: &str = "/adult/pc/courseCredit";
pub const RULE: &str = "/adult/pc/selectionRule";
pub const ALLOCATION: &str = "/adult/pc/courseAllocation";
pub const SELECTION: &str = "/adult/pc/adult/selection";

/// A semester by its code, of the usual days.
pub async fn semester(client: &Client<'_>, code: &str) -> i64 {
    let (year, season) = code.split_once('-').expect("a code");
    let (from, until) = if season == "1" { ("03-02", "07-12") } else { ("08-31", "12-31") };
    let body = json!({ "code": code, "startsOn": format!("{year}-{from}"), "endsOn": format!("{year}-{until}") });
    client.post("/adult/pc/semester/save", body).await.id()
}

/// A plan in effect for a cohort with these courses: number, nature and term. The version before goes out of effect.
pub async fn plan(server: &Server, p: &Cohort, courses: &[(i64, &str, i32)]) -> i64 {
    server
        .run(&format!(
            "update school_1.teaching_plan set status = 'superseded'
             where grade_id = {} and major_id = {} and status = 'effective'",
            p.grade, p.major
        ))
        .await;
    let plan: i64 = server
        .one(&format!(
            "insert into school_1.teaching_plan (grade_id, level_id, major_id, version_no, name, total_credits,
                 min_compulsory_credits, min_elective_credits, term_count, status, effective_at, created_by, updated_by)
             select {0}, {1}, {2}, 1 + count(*), '教学计划V' || 1 + count(*), 20, 10, 10, 5, 'effective', now(), 0, 0
             from school_1.teaching_plan where grade_id = {0} and major_id = {2} returning id",
            p.grade, p.level, p.major
        ))
        .await;
    server
        .run(&format!(
            "insert into school_1.plan_elective_group (plan_id, name, min_credits, created_by, updated_by)
             values ({plan}, '专业选修', 4, 0, 0)"
        ))
        .await;
    for (course, nature, term) in courses {
        server
            .run(&format!(
                "insert into school_1.plan_course (plan_id, course_id, type_id, nature, elective_group_id, term_no, credits, hours,
                     lecture_hours, online_hours, practice_hours, self_study_hours, exam_form, created_by, updated_by)
                 select {plan}, c.id, c.type_id, '{nature}', case when '{nature}' <> 'compulsory' then g.id end, {term},
                        c.credits, c.hours, c.lecture_hours, c.online_hours, c.practice_hours, c.self_study_hours, c.exam_form, 0, 0
                 from school_1.course c join school_1.plan_elective_group g on g.plan_id = {plan} where c.id = {course}"
            ))
            .await;
    }
    plan
}

/// Generates the openings of a semester; what the call tells.
pub async fn generate(client: &Client<'_>, semester: i64) -> Value {
    let answer = client.post(&format!("{OPENING}/generate"), json!({ "semesterId": semester })).await;
    assert_eq!(answer.code(), 200, "{}", answer.body);
    answer.data().clone()
}

/// The opening of a course in a semester that is not cancelled, as the list shows it.
pub async fn of_course(client: &Client<'_>, semester: i64, course: i64) -> Value {
    let listed = client.post(&format!("{OPENING}/list"), json!({ "semesterId": semester, "courseId": course })).await;
    let rows = listed.data()["list"].as_array().expect("openings").clone();
    rows.into_iter().find(|row| row["status"] != json!("cancelled")).expect("an opening")
}

/// The number of [`of_course`].
pub async fn id_of(client: &Client<'_>, semester: i64, course: i64) -> i64 {
    of_course(client, semester, course).await["id"].as_i64().expect("a number")
}

/// An opening as it was read, for its steps.
pub async fn item(client: &Client<'_>, id: i64) -> Value {
    let seen = client.get(&format!("{OPENING}/view?id={id}")).await.data().clone();
    json!({ "id": id, "version": seen["version"] })
}

/// A step of one opening.
pub async fn step(client: &Client<'_>, name: &str, id: i64, more: Value) -> Answer {
    let mut body = json!({ "items": [item(client, id).await] });
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    client.put(&format!("{OPENING}/{name}"), body).await
}

/// Opens an opening.
pub async fn open(client: &Client<'_>, id: i64) {
    let answer = step(client, "open", id, json!({})).await;
    assert_eq!(answer.data()["done"], json!(1), "{}", answer.body);
}

/// Generates the openings of a semester and opens that of a course.
pub async fn opened(client: &Client<'_>, semester: i64, course: i64) -> i64 {
    generate(client, semester).await;
    let id = id_of(client, semester, course).await;
    open(client, id).await;
    id
}

/// Selections that a filter names.
pub async fn selections(client: &Client<'_>, mut filter: Value) -> Vec<Value> {
    filter["pageSize"] = json!(500);
    let listed = client.post(&format!("{SELECTION}/list"), filter).await;
    listed.data()["list"].as_array().expect("selections").clone()
}

/// A selection as it was read, for its steps.
pub async fn selection_item(client: &Client<'_>, id: &Value) -> Value {
    let seen = client.get(&format!("{SELECTION}/view?id={id}")).await.data().clone();
    json!({ "id": id, "version": seen["version"] })
}

/// The selection of a student in an opening.
pub async fn selection_of(client: &Client<'_>, student: i64, opening: i64) -> Value {
    let rows = selections(client, json!({ "studentId": student, "openingId": opening })).await;
    rows.into_iter().next().expect("a selection")
}

/// A rule of a semester whose time is now: at least 10 credits, at most so many.
pub async fn rule(server: &Server, client: &Client<'_>, semester: i64, max_credits: f64) -> i64 {
    let day = |days: i64| server.app.clock().now() + chrono::Duration::days(days);
    let body = json!({ "semesterId": semester, "minCredits": 10.0, "maxCredits": max_credits, "selectStartsAt": day(-1),
        "selectEndsAt": day(1), "dropEndsAt": day(2) });
    client.post(&format!("{RULE}/save"), body).await.id()
}

/// Publishes the score of a selection, in tenths, as the scores' part does.
pub async fn publish(server: &Server, selection: i64, score: i64, passed: bool) {
    let mut tx = server.begin_in(1).await;
    let change = course_selection::score::complete_selection(&mut tx, selection, score, passed).await.expect("a score");
    tx.commit(change).await.expect("committed");
}
