//! Courses that are taught face to face: classes, teachers and rooms of one, its arrangements and sessions.

use serde_json::{Value, json};

use crate::{
    Answer, Client, Server,
    cohort::{Cohort, cohort},
    openings::{ALLOCATION, opened, plan, semester},
    plans,
    rows::students,
    teachers::{TEACHER, teacher},
};

pub use crate::client::with;

pub const ARRANGE: &str = "/adult/pc/courseArrange";
pub const INSTRUCTION: &str = "/adult/pc/offlineInstruction";
pub const ROOM: &str = "/adult/pc/classroom";

/// 课程A1 with 36 hours face to face in 2026-1, taught by 教师1 to the classes C1 and C2; 教师2 teaches nobody yet. The rooms are
/// 301教室 for 80 and 302教室 for 120.
pub struct Lessons {
    pub p: Cohort,
    pub spring: i64,
    pub course: i64,
    pub opening: i64,
    pub classes: [i64; 2],
    pub teachers: Vec<i64>,
    pub rooms: [i64; 2],
}

/// With so many students in each class.
pub async fn lessons(server: &Server, admin: &Client<'_>, people: [i64; 2]) -> Lessons {
    let p = cohort(admin).await;
    let course = plans::course(admin, "A1", 3.0, 54, 36).await;
    let spring = semester(admin, "2026-1").await;
    plan(server, &p, &[(course, "compulsory", 1)]).await;
    let classes = [
        admin.post("/adult/pc/class/save", called(&p, "C1")).await.id(),
        admin.post("/adult/pc/class/save", called(&p, "C2")).await.id(),
    ];
    students(server, &p, p.site, Some(classes[0]), 1, people[0]).await;
    students(server, &p, p.site, Some(classes[1]), 101, people[1]).await;
    let opening = opened(admin, spring, course).await;
    let teachers = teachers(admin, 2).await;
    allocate(admin, opening, None, teachers[0]).await;
    let rooms = [room(admin, p.site, "301", 80).await, room(admin, p.site, "302", 120).await];
    Lessons { p, spring, course, opening, classes, teachers, rooms }
}

/// The form of a class whose name is its code.
pub fn called(p: &Cohort, code: &str) -> Value {
    with(p.class(code), json!({ "name": code }))
}

/// Teachers T101, T102 and so on, called 教师1, 教师2.
pub async fn teachers(admin: &Client<'_>, count: i64) -> Vec<i64> {
    let organization = json!({ "code": "JXB", "name": "教学部", "kind": "center" });
    let organization = admin.post("/adult/pc/organize/save", organization).await.id();
    let mut teachers = Vec::new();
    for n in 1..=count {
        let mut body = teacher(organization, 100 + n);
        body["name"] = json!(format!("教师{n}"));
        for field in ["idCardType", "idCardNo"] {
            body.as_object_mut().expect("fields").remove(field);
        }
        teachers.push(admin.post(&format!("{TEACHER}/save"), body).await.id());
    }
    teachers
}

/// A room of so many seats.
pub async fn room(admin: &Client<'_>, site: i64, no: &str, capacity: i32) -> i64 {
    let body = json!({ "siteId": site, "roomNo": no, "name": format!("{no}教室"), "roomType": "ordinary",
        "capacity": capacity });
    admin.post(&format!("{ROOM}/save"), body).await.id()
}

/// Lets a teacher lecture; answers the number of the allocation.
pub async fn allocate(admin: &Client<'_>, opening: i64, class: Option<i64>, teacher: i64) -> i64 {
    let item = json!({ "openingId": opening, "classId": class, "teacherId": teacher, "role": "lecturer", "hours": 36 });
    let saved = admin.post(&format!("{ALLOCATION}/save"), json!({ "items": [item] })).await;
    saved.data()["ids"][0].as_i64().expect("a number")
}

impl Lessons {
    /// The first class on Saturdays, lessons 1 to 4 in 301教室, by 教师1.
    pub fn form(&self, weeks: &str) -> Value {
        json!({
            "semesterId": self.spring, "courseId": self.course,
            "classes": [{ "classId": self.classes[0], "openingId": self.opening }],
            "teacherId": self.teachers[0], "siteId": self.p.site, "classroomId": self.rooms[0], "kind": "lecture",
            "mode": "weekly", "weekday": 6, "weeks": weeks, "periodFrom": 1, "periodTo": 4,
        })
    }
}

pub async fn save(client: &Client<'_>, form: Value) -> Answer {
    client.post(&format!("{ARRANGE}/save"), form).await
}

/// An arrangement with its meetings.
pub async fn seen(client: &Client<'_>, id: i64) -> Value {
    client.get(&format!("{ARRANGE}/view?id={id}")).await.data().clone()
}

/// Saves an arrangement and publishes it; what is seen of it.
pub async fn published(client: &Client<'_>, form: Value) -> Value {
    let id = save(client, form).await.id();
    let item = json!({ "id": id, "version": seen(client, id).await["version"] });
    let done = client.put(&format!("{ARRANGE}/publish"), json!({ "items": [item] })).await;
    assert_eq!(done.data()["done"], json!(1), "{}", done.body);
    seen(client, id).await
}

/// Registers who of a session came: selection and result.
pub async fn attend(client: &Client<'_>, session: &Value, came: &[(&Value, &str)]) -> Answer {
    let items: Vec<Value> =
        came.iter().map(|(selection, result)| json!({ "selectionId": selection, "result": result })).collect();
    client.put(&format!("{INSTRUCTION}/attendance/save"), json!({ "sessionId": session, "items": items })).await
}
