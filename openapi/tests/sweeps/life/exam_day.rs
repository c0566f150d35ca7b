//! The day of examinations on paper: who watches, who came. The session has its seats; it runs while this goes on.

use kit::lessons::with;
use serde_json::{Value, json};

use super::{Life, MARK, classrooms::At, exam_seats::Sitting, id};

const MANAGE: &str = "/offline/pc/offline/manage";
const WATCHER: &str = "/offline/pc/offline/invigilator";

pub(super) async fn live(life: &mut Life<'_>, sitting: &Sitting, at: &At) {
    let Sitting { batch, session, .. } = *sitting;
    let people = watchers(life, at).await;
    duties(life, (batch, session), people).await;
    let of = |column: &str| format!("select {column}::text from school_1.offline_session where id = {session}");
    let (starts, ends, status): (String, String, String) = (
        life.server.one(&of("starts_at")).await,
        life.server.one(&of("ends_at")).await,
        life.server.one(&of("status")).await,
    );
    life.server
        .run(&format!(
            "update school_1.offline_session set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour',
                    status = 'confirmed', confirmed_at = coalesce(confirmed_at, now())
             where id = {session}"
        ))
        .await;
    rooms(life, (batch, session)).await;
    // What stands behind this life is examined on its own day.
    life.server
        .run(&format!(
            "update school_1.offline_session set starts_at = '{starts}', ends_at = '{ends}', status = '{status}' where id = {session}"
        ))
        .await;
}

/// Two who can be had.
async fn watchers(life: &mut Life<'_>, at: &At) -> [i64; 2] {
    let form = |name: &str, phone: &str| json!({ "kind": "external", "name": format!("{MARK}{name}"), "phone": phone, "siteId": at.site });
    let mut made = Vec::new();
    for (name, phone) in
        [("监考甲", "13800007001"), ("监考乙", "13800007002"), ("监考丙", "13800007003"), ("监考丁", "13800007004")]
    {
        made.push(id(&life.post(&format!("{WATCHER}/save"), form(name, phone)).await));
    }
    life.post(&format!("{WATCHER}/list"), json!({})).await;
    let seen = life.get(&format!("{WATCHER}/view?id={}", made[0])).await;
    let edit =
        with(form("监考甲", "13800007001"), json!({ "id": made[0], "version": seen["version"], "remark": "有经验" }));
    life.put(&format!("{WATCHER}/edit"), edit).await;
    life.delete(&format!("{WATCHER}/delete?id={}", made[2])).await;
    life.post(&format!("{WATCHER}/batchDel"), json!({ "ids": [made[3]] })).await;
    let teacher: i64 = life.server.one("select max(id) from school_1.teacher where phone is not null").await;
    life.post(&format!("{WATCHER}/addTeachers"), json!({ "siteId": at.site, "teacherIds": [teacher] })).await;
    let watches: i64 =
        life.server.one(&format!("select id from school_1.invigilator where teacher_id = {teacher}")).await;
    life.delete(&format!("{WATCHER}/delete?id={watches}")).await;
    life.get(&format!("{WATCHER}/import/template")).await;
    let site: String = life.server.one(&format!("select code from school_1.site where id = {}", at.site)).await;
    let name = format!("{MARK}监考戊");
    let headings = ["类型", "姓名", "手机号", "站点编码"];
    life.import(&format!("{WATCHER}/import"), &headings, &[&["外聘", &name, "13800007005", &site]]).await;
    life.post(&format!("{WATCHER}/export"), json!({})).await;
    [made[0], made[1]]
}

async fn duties(life: &mut Life<'_>, (batch, session): (i64, i64), people: [i64; 2]) {
    let listed = life.post(&format!("{WATCHER}/duty/list"), json!({ "sessionId": session })).await;
    let room = listed["list"][0]["id"].clone();
    let persons =
        json!([{ "invigilatorId": people[0], "role": "chief" }, { "invigilatorId": people[1], "role": "assistant" }]);
    life.post(&format!("{WATCHER}/assign"), json!({ "sessionRoomId": room, "people": persons })).await;
    life.post(&format!("{WATCHER}/clear"), json!({ "sessionIds": [session] })).await;
    life.post(&format!("{WATCHER}/auto"), json!({ "sessionIds": [session] })).await;
    life.post(&format!("{WATCHER}/workload/list"), json!({ "batchId": batch })).await;
    life.post(&format!("{WATCHER}/workload/export"), json!({ "batchId": batch })).await;
}

async fn rooms(life: &mut Life<'_>, (batch, session): (i64, i64)) {
    let listed = life.post(&format!("{MANAGE}/list"), json!({ "sessionId": session })).await;
    let rooms: Vec<Value> = listed["list"].as_array().expect("rooms").clone();
    for room in &rooms {
        let record = json!({ "sessionRoomId": room["id"], "absentSeatNos": [], "note": format!("{MARK}秩序良好"), "fileIds": [],
            "version": room["version"] });
        life.put(&format!("{MANAGE}/record"), record).await;
    }
    life.get(&format!("{MANAGE}/import/template")).await;
    let of = |column: &str| {
        format!(
            "select {column}::text from school_1.offline_seat z join school_1.offline_session_room r on r.id = z.session_room_id
             where r.session_id = {session} order by z.id limit 1"
        )
    };
    let seat: (String, String) =
        (life.server.one(&of("r.exam_room_no")).await, life.server.one(&of("z.seat_no")).await);
    let path = format!("{MANAGE}/import?sessionId={session}");
    life.import(&path, &["考场号", "座位号"], &[&[&seat.0, &seat.1]]).await;
    let ids: Vec<&Value> = rooms.iter().map(|room| &room["id"]).collect();
    let done = life.put(&format!("{MANAGE}/confirm"), json!({ "ids": ids })).await;
    assert_eq!(done["failed"], json!([]), "{done}");
    life.get(&format!("{MANAGE}/stat?batchId={batch}")).await;
    let done = life.put(&format!("{MANAGE}/unconfirm"), json!({ "ids": ids })).await;
    assert_eq!(done["failed"], json!([]), "{done}");
}
