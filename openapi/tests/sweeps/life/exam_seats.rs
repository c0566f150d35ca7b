//! Rooms of examinations, sessions and seats: one of everything. The student sits in a course that is taught.

use kit::exam_seats::{POINT, ROOM, SEAT, SESSION, batch, day};
use serde_json::{Value, json};

use super::{Life, MARK, Upload, classrooms::At, id};

/// A student, and the course that they are examined in.
pub(super) struct Sitting {
    pub batch: i64,
    pub session: i64,
    pub course: i64,
    pub semester: i64,
    pub class: i64,
    pub number: String,
    pub code: String,
}

pub(super) async fn live(life: &mut Life<'_>, at: &At, student: i64) {
    rooms(life, at).await;
    let of = |column: &str| {
        format!(
            "select {column} from school_1.course_selection c
             join school_1.course_opening o on o.id = c.opening_id and o.status = 'opened'
             join school_1.course u on u.id = c.course_id join school_1.student y on y.id = c.student_id
             where c.student_id = {student} and c.status = 'selected' order by c.id limit 1"
        )
    };
    let semester: i64 = life.server.one(&of("c.semester_id")).await;
    let batch = batch(life.server, semester, "KW-1", "final").await;
    let session = sessions(life, batch).await;
    let sitting = Sitting {
        batch,
        session,
        course: life.server.one(&of("c.course_id")).await,
        semester,
        class: life.server.one(&of("c.class_id")).await,
        number: life.server.one(&of("y.student_no")).await,
        code: life.server.one(&of("u.code")).await,
    };
    super::offline_exams::approved(life, &sitting, student).await;
    seats(life, &sitting, at).await;
    super::exam_day::live(life, &sitting, at).await;
    super::offline_exams::ended(life, &sitting).await;
}

async fn rooms(life: &mut Life<'_>, at: &At) {
    let form = |no: &str| json!({ "siteId": at.site, "building": format!("{MARK}考试楼"), "roomNo": no, "rowsCount": 6, "columnsCount": 5 });
    let made = id(&life.post(&format!("{ROOM}/save"), form("901")).await);
    let other = id(&life.post(&format!("{ROOM}/save"), form("902")).await);
    let last = id(&life.post(&format!("{ROOM}/save"), form("903")).await);
    life.post(&format!("{ROOM}/list"), json!({})).await;
    let seen = life.get(&format!("{ROOM}/view?id={made}")).await;
    let mut edit = form("901");
    edit["id"] = json!(made);
    edit["version"] = seen["version"].clone();
    edit["monitored"] = json!(true);
    life.put(&format!("{ROOM}/edit"), edit).await;
    life.put(&format!("{ROOM}/update/status"), json!({ "id": other, "enabled": false })).await;
    life.post(&format!("{ROOM}/export"), json!({})).await;
    life.get(&format!("{ROOM}/import/template")).await;
    let site: String = life.server.one(&format!("select code from school_1.site where id = {}", at.site)).await;
    let headings = ["站点编码", "楼栋", "房间", "行数", "列数"];
    let building = format!("{MARK}附楼");
    life.import(&format!("{ROOM}/import"), &headings, &[&[&site, &building, "904", "6", "5"]]).await;
    life.post(&format!("{ROOM}/generate"), json!({ "siteIds": [at.site] })).await;
    life.delete(&format!("{ROOM}/delete?id={other}")).await;
    life.post(&format!("{ROOM}/batchDel"), json!({ "ids": [last] })).await;
}

async fn sessions(life: &mut Life<'_>, batch: i64) -> i64 {
    let first = day(life.server, 10).await;
    let form = |start: &str, end: &str| json!({ "batchId": batch, "name": format!("{MARK}场次"), "examDate": first, "startTime": start, "endTime": end });
    let made = id(&life.post(&format!("{SESSION}/save"), form("09:00", "11:00")).await);
    let other = id(&life.post(&format!("{SESSION}/save"), form("14:00", "16:00")).await);
    life.post(&format!("{SESSION}/list"), json!({})).await;
    let seen = life.get(&format!("{SESSION}/view?id={made}")).await;
    let mut edit = form("09:00", "11:00");
    edit["id"] = json!(made);
    edit["version"] = seen["version"].clone();
    edit["durationMinutes"] = json!(100);
    life.put(&format!("{SESSION}/edit"), edit).await;
    life.post(&format!("{SESSION}/export"), json!({})).await;
    let slots = json!([{ "startTime": "09:00", "endTime": "11:00" }]);
    let wanted = json!({ "batchId": batch, "dates": [day(life.server, 11).await], "slots": slots });
    let generated = life.post(&format!("{SESSION}/generate"), wanted).await;
    life.delete(&format!("{SESSION}/delete?id={other}")).await;
    life.post(&format!("{SESSION}/batchDel"), json!({ "ids": generated["ids"] })).await;
    made
}

async fn version(life: &Life<'_>, session: i64) -> Value {
    let version: i32 =
        life.server.one(&format!("select version from school_1.offline_session where id = {session}")).await;
    json!(version)
}

async fn seats(life: &mut Life<'_>, sitting: &Sitting, at: &At) {
    let Sitting { batch, session, .. } = *sitting;
    life.post(&format!("{POINT}/list"), json!({ "batchId": batch })).await;
    let other: i64 = life
        .server
        .one(&format!("select min(id) from school_1.site where id <> {} and status <> 'closed'", at.site))
        .await;
    for point in [json!(other), Value::Null] {
        let points = json!({ "batchId": batch, "items": [{ "siteId": at.site, "examSiteId": point }] });
        life.put(&format!("{POINT}/save"), points).await;
    }
    let auto = json!({ "batchId": batch, "sessionIds": [session], "seed": 3 });
    assert_eq!(life.post(&format!("{SEAT}/auto"), auto).await["unplacedCount"], json!(0));
    life.post(&format!("{SEAT}/clear"), json!({ "sessionId": session })).await;
    let place = json!({ "batchId": batch, "sessionIds": [session] });
    life.post(&format!("{SEAT}/place"), place).await;
    life.post(&format!("{SEAT}/list"), json!({ "sessionId": session })).await;
    let seated = life
        .client
        .post(&format!("{SEAT}/list"), json!({ "sessionId": session, "seated": true, "pageSize": 500 }))
        .await
        .data()["list"]
        .as_array()
        .expect("rows")
        .clone();
    let own = seated.iter().find(|row| row["studentNo"] == json!(sitting.number)).expect("the student").clone();
    let other = seated.iter().find(|row| row["id"] != own["id"]).expect("somebody else").clone();
    let room = &own["sessionRoomId"];
    life.get(&format!("{SEAT}/grid?sessionRoomId={room}")).await;
    let to = json!({ "candidateId": own["id"], "sessionRoomId": room, "seatNo": 29 });
    life.put(&format!("{SEAT}/move"), to).await;
    life.put(&format!("{SEAT}/swap"), json!({ "a": own["id"], "b": other["id"] })).await;
    life.get(&format!("{SEAT}/import/template")).await;
    let headings = ["学号", "课程编码", "考场号", "座位号"];
    let no = own["examRoomNo"].as_str().expect("a number").to_owned();
    let upload = Upload {
        texts: vec![("sessionId", session.to_string())],
        ..Upload::sheet(&headings, &[&[&sitting.number, &sitting.code, &no, "28"]])
    };
    assert_eq!(life.upload(&format!("{SEAT}/import"), upload).await["errors"], json!([]));
    life.post(&format!("{SEAT}/export"), json!({ "batchId": batch })).await;
    let confirm = json!({ "sessionId": session, "version": version(life, session).await });
    life.put(&format!("{SEAT}/confirm"), confirm).await;
    for what in ["ticket", "door", "desk", "attendance", "record", "bag"] {
        life.post(&format!("{SEAT}/print/{what}"), json!({ "batchId": batch, "sessionId": session })).await;
    }
    let unconfirm = json!({ "sessionId": session, "version": version(life, session).await, "reason": "补充考生" });
    life.put(&format!("{SEAT}/unconfirm"), unconfirm).await;
}
