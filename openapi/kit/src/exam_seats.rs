//! Examinations on paper: a batch, rooms, a session and who sits in it.

use poem::http::Method;
use serde_json::{Value, json};

use crate::{
    Client, Server,
    lessons::{Lessons, lessons},
    plans,
};

pub const ROOM: &str = "/offline/pc/offline/room";
pub const SESSION: &str = "/offline/pc/offline/session";
pub const SEAT: &str = "/offline/pc/offline/user/room";
pub const POINT: &str = "/offline/pc/offline/manage/point";
pub const SETUP: &str = "/offline/pc/offline/setup";
pub const CANDIDATE: &str = "/offline/pc/offline/candidate";

/// A batch on paper whose examinations are between the tenth and the fifteenth day from now; scores are entered from the tenth on.
pub async fn batch(server: &Server, semester: i64, code: &str, kind: &str) -> i64 {
    server
        .one(&format!(
            "insert into school_1.test_batch (code, name, semester_id, kind, mode, exam_starts_on, exam_ends_on, ticket_publish_at,
                 score_entry_starts_at, score_entry_ends_at, ticket_prefix, status, created_by, updated_by)
             values ('{code}', '批次{code}', {semester}, '{kind}', 'offline', current_date + 10, current_date + 15,
                 now() - interval '1 day', now() + interval '10 days', now() + interval '30 days', (select lpad((100000 + count(*))::text, 6, '0') from school_1.test_batch), 'active', 0, 0)
             returning id"
        ))
        .await
}

/// The day that lies so many days ahead.
pub async fn day(server: &Server, ahead: i32) -> String {
    server.one(&format!("select (current_date + {ahead})::text")).await
}

/// A session of the batch's first day.
pub async fn session(server: &Server, admin: &Client<'_>, batch: i64, (start, end): (&str, &str)) -> i64 {
    let body = json!({ "batchId": batch, "examDate": day(server, 10).await, "startTime": start, "endTime": end });
    admin.post(&format!("{SESSION}/save"), body).await.id()
}

/// A room of 30 seats, or of as many as its rows and columns say.
pub async fn room(admin: &Client<'_>, site: i64, no: &str, (rows, columns): (i32, i32)) -> i64 {
    let body =
        json!({ "siteId": site, "building": "考试楼", "roomNo": no, "rowsCount": rows, "columnsCount": columns });
    admin.post(&format!("{ROOM}/save"), body).await.id()
}

/// An approved setup of a course in a session, with everybody on its roster as a candidate.
pub async fn setup(server: &Server, batch: i64, (course, semester): (i64, i64), session: i64) -> i64 {
    server
        .one(&format!(
            "with made as (
                 insert into school_1.exam_setup (batch_id, mode, course_id, semester_id, name, round, assess_mode, session_id, status,
                     created_by, updated_by)
                 values ({batch}, 'offline', {course}, {semester}, '考试' || {course}, 'first', 'closed_book', {session}, 'approved', 0, 0)
                 returning id),
             listed as (
                 insert into school_1.exam_candidate (setup_id, selection_id, batch_id, course_id, student_id, round, created_by,
                     updated_by)
                 select m.id, c.id, {batch}, {course}, c.student_id, 'first', 0, 0
                 from made m, school_1.course_selection c
                 where c.course_id = {course} and c.semester_id = {semester} and c.status = 'selected' returning setup_id)
             select max(id) from made"
        ))
        .await
}

/// Examines a course on paper in a batch where scores are entered now; it is over, and nobody was seated. Answers its sheet of scores.
pub async fn over(server: &Server, batch: i64, (course, semester): (i64, i64), round: &str) -> i64 {
    server
        .run(&format!(
            "update school_1.test_batch
             set score_entry_starts_at = now() - interval '2 days', score_entry_ends_at = now() + interval '10 days' where id = {batch}"
        ))
        .await;
    let setup: i64 = server
        .one(&format!(
            "with session as (
                 insert into school_1.offline_session (batch_id, code, name, starts_at, ends_at, duration_minutes, created_by, updated_by)
                 select {batch}, lpad((1 + count(*))::text, 2, '0'), '场次' || 1 + count(*), now() - interval '28 hours',
                        now() - interval '26 hours', 120, 0, 0
                 from school_1.offline_session where batch_id = {batch} returning id),
             made as (
                 insert into school_1.exam_setup (batch_id, mode, course_id, semester_id, name, round, assess_mode, session_id, status,
                     published_at, created_by, updated_by)
                 select {batch}, 'offline', {course}, {semester}, '考试' || {course}, '{round}', 'closed_book', id, 'published', now(),
                        0, 0
                 from session returning id),
             listed as (
                 insert into school_1.exam_candidate (setup_id, selection_id, batch_id, course_id, student_id, round, created_by,
                     updated_by)
                 select m.id, c.id, {batch}, {course}, c.student_id, '{round}', 0, 0
                 from made m, school_1.course_selection c
                 where c.course_id = {course} and c.semester_id = {semester} and c.status in ('selected', 'completed')
                 returning setup_id)
             select max(id) from made"
        ))
        .await;
    server.when_due("exam.offline_close", chrono::TimeDelta::minutes(11)).await;
    server
        .wait_until(&format!(
            "select exists (select from school_1.exam_setup where id = {setup} and status = 'closed')"
        ))
        .await;
    server
        .one(&format!("select max(id) from school_1.score_sheet where batch_id = {batch} and course_id = {course}"))
        .await
}

/// A course that is taught beside, with the first class on its roster.
pub async fn second(server: &Server, admin: &Client<'_>, at: &Lessons, code: &str) -> i64 {
    let course = plans::course(admin, code, 3.0, 54, 36).await;
    server
        .run(&format!(
            "with made as (
                 insert into school_1.course_opening (semester_id, kind, course_id, type_id, nature, credits, hours, lecture_hours,
                     online_hours, practice_hours, self_study_hours, exam_form, assess_mode, teaching_mode, status, opened_at,
                     created_by, updated_by)
                 select {0}, 'extra', u.id, u.type_id, 'elective', 3, u.hours, u.lecture_hours, u.online_hours, u.practice_hours,
                        u.self_study_hours, 'exam', u.assess_mode, 'offline', 'opened', now(), 0, 0
                 from school_1.course u where u.id = {course} returning id)
             insert into school_1.course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status,
                 selected_at, created_by, updated_by)
             select y.id, m.id, {0}, {course}, y.class_id, 'admin', 'selected', now(), 0, 0
             from made m, school_1.student y where y.class_id = {1}",
            at.spring, at.classes[0]
        ))
        .await;
    course
}

/// A course whose roster sits in one session, with rooms for it.
pub struct Seated {
    pub taught: Lessons,
    pub batch: i64,
    pub session: i64,
    pub setup: i64,
    pub rooms: Vec<i64>,
}

/// So many students in rooms of these sizes; nobody has a seat yet.
pub async fn seated(server: &Server, admin: &Client<'_>, people: i64, sizes: &[(i32, i32)]) -> Seated {
    let taught = lessons(server, admin, [people, 0]).await;
    let batch = batch(server, taught.spring, "P1", "final").await;
    let session = session(server, admin, batch, ("09:00", "11:00")).await;
    let setup = setup(server, batch, (taught.course, taught.spring), session).await;
    let mut rooms = Vec::new();
    for (place, size) in sizes.iter().enumerate() {
        rooms.push(room(admin, taught.p.site, &format!("{}", 401 + place), *size).await);
    }
    Seated { taught, batch, session, setup, rooms }
}

impl Seated {
    /// Seats everybody of the session, with more said; a look ahead leaves nothing in the trail.
    pub async fn auto(&self, client: &Client<'_>, more: Value) -> Value {
        let mut body =
            json!({ "batchId": self.batch, "sessionIds": [self.session], "perRoom": 30, "fill": "even", "seed": 7 });
        for (field, value) in more.as_object().into_iter().flatten() {
            body[field] = value.clone();
        }
        let path = format!("{SEAT}/auto");
        let answer = if body["preview"] == json!(true) {
            client.unlooked(Method::POST, &path, Some(&body)).await
        } else {
            client.post(&path, body).await
        };
        answer.data().clone()
    }

    /// Where everybody sits.
    pub async fn seats(&self, client: &Client<'_>) -> Vec<Value> {
        let listed = client.post(&format!("{SEAT}/list"), json!({ "sessionId": self.session, "pageSize": 500 })).await;
        listed.data()["list"].as_array().expect("rows").clone()
    }

    pub async fn version(&self, client: &Client<'_>) -> Value {
        client.get(&format!("{SESSION}/view?id={}", self.session)).await.data()["version"].clone()
    }

    /// Confirms the seats of the session.
    pub async fn confirm(&self, client: &Client<'_>) {
        let body = json!({ "sessionId": self.session, "version": self.version(client).await });
        client.put(&format!("{SEAT}/confirm"), body).await.data();
    }
}
