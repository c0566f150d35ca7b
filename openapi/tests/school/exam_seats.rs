//! Seats of examinations: the scenarios of part 04 §4.7 with their worked numbers.

use std::{collections::HashSet, io::Cursor};

use kit::{
    Server,
    accounts::all_school_codes,
    cohort::registrar,
    exam_seats::{POINT, ROOM, SEAT, SESSION, batch, day, room, seated, second, session, setup},
    lessons::{lessons, with},
    sheets::{XLSX, sheet},
};
use serde_json::{Value, json};

/// Room and seat of a row of the list.
fn place(row: &Value) -> (String, String) {
    (row["examRoomNo"].to_string(), row["seatNo"].to_string())
}

fn counts(told: &Value) -> Vec<i64> {
    told["rooms"].as_array().expect("rooms").iter().filter_map(|room| room["count"].as_i64()).collect()
}

/// §4.7 scenarios 1, 5 and 10.
#[tokio::test]
async fn candidates_are_spread_evenly_and_alike() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = seated(&server, &admin, 215, &[(6, 5); 8]).await;
    let tried = at.auto(&admin, json!({ "preview": true })).await;
    assert_eq!(
        (&tried["placed"], at.seats(&admin).await.iter().any(|row| !row["seatNo"].is_null())),
        (&json!(215), false)
    );
    let told = at.auto(&admin, json!({})).await;
    assert_eq!((&told["placed"], &told["unplacedCount"]), (&json!(215), &json!(0)), "{told}");
    assert_eq!(counts(&told), [27, 27, 27, 27, 27, 27, 27, 26]);
    let first = at.seats(&admin).await;
    assert_eq!(first.iter().map(place).collect::<HashSet<_>>().len(), 215, "every seat once");
    at.auto(&admin, json!({})).await;
    let again = at.seats(&admin).await;
    assert_eq!(
        first.iter().map(place).collect::<Vec<_>>(),
        again.iter().map(place).collect::<Vec<_>>(),
        "the same seed"
    );
    let used = admin.delete(&format!("{ROOM}/delete?id={}", at.rooms[0])).await;
    assert_eq!(used.refused(), (409, "该考场已编排 27 名考生"));
    let used = admin.delete(&format!("{SESSION}/delete?id={}", at.session)).await;
    assert_eq!(used.refused(), (409, "该场次已有 1 门考试"));
    let full = json!({ "siteId": at.taught.p.site, "building": "考试楼", "roomNo": "501", "rowsCount": 6, "columnsCount": 5,
        "capacity": 31 });
    let full = admin.post(&format!("{ROOM}/save"), full).await;
    assert_eq!(kit::fields(&full), ["capacity: 考位数不能超过行数×列数"]);
    at.confirm(&admin).await;
    let body = json!({ "batchId": at.batch, "sessionIds": [at.session] });
    assert_eq!(admin.post(&format!("{SEAT}/auto"), body).await.refused(), (409, "座位已确认，请先取消确认"));
    let version = at.version(&admin).await;
    let back = json!({ "sessionId": at.session, "version": version });
    let open = admin.put(&format!("{SEAT}/unconfirm"), back.clone()).await;
    assert_eq!(open.refused(), (409, "准考证已开放，取消确认请填写原因"));
    let back = with(back, json!({ "reason": "考点调整" }));
    admin.put(&format!("{SEAT}/unconfirm"), back).await.data();
    let clear = json!({ "sessionId": at.session });
    admin.post(&format!("{SEAT}/clear"), clear).await.data();
    assert!(at.seats(&admin).await.iter().all(|row| row["seatNo"].is_null()));
}

/// §4.7 scenario 3.
#[tokio::test]
async fn nobody_sits_beyond_the_places() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = seated(&server, &admin, 215, &[(8, 5); 5]).await;
    let told = at.auto(&admin, json!({ "perRoom": 40 })).await;
    assert_eq!((&told["placed"], &told["unplacedCount"]), (&json!(200), &json!(15)), "{told}");
    assert_eq!(told["unplaced"][0]["reason"], json!("考位不足"));
    assert!(counts(&told).iter().all(|count| *count == 40));
    // Another room: only who has no seat gets one.
    kit::exam_seats::room(&admin, at.taught.p.site, "501", (6, 5)).await;
    let before = at.seats(&admin).await;
    let more = json!({ "batchId": at.batch, "sessionIds": [at.session] });
    let placed = admin.post(&format!("{SEAT}/place"), more).await.data().clone();
    assert_eq!((&placed["placed"], &placed["unplacedCount"]), (&json!(15), &json!(0)), "{placed}");
    let after = at.seats(&admin).await;
    for row in before.iter().filter(|row| !row["seatNo"].is_null()) {
        let now = after.iter().find(|now| now["id"] == row["id"]).expect("the same candidate");
        assert_eq!(place(now), place(row));
    }
}

/// §4.7 scenarios 4 and 6.
#[tokio::test]
async fn a_free_seat_is_given_once_and_a_freed_one_stays_free() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = seated(&server, &admin, 20, &[(6, 5)]).await;
    at.auto(&admin, json!({})).await;
    let seats = at.seats(&admin).await;
    let to = |row: &Value| json!({ "candidateId": row["id"], "sessionRoomId": row["sessionRoomId"], "seatNo": 30 });
    let path = format!("{SEAT}/move");
    let (one, other) = tokio::join!(admin.put(&path, to(&seats[0])), admin.put(&path, to(&seats[1])));
    let refused: Vec<_> = [&one, &other].into_iter().filter(|answer| answer.code() != 200).collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].refused(), (409, "该座位已被占用"));
    let swap = json!({ "a": seats[2]["id"], "b": seats[3]["id"] });
    admin.put(&format!("{SEAT}/swap"), swap).await.data();
    let now = at.seats(&admin).await;
    let of = |id: &Value| now.iter().find(|row| row["id"] == *id).map(place);
    assert_eq!(of(&seats[2]["id"]), Some(place(&seats[3])));
    // Who is taken off leaves the seat; nobody moves up.
    let gone = json!({ "ids": [seats[5]["id"]], "reason": "批准缓考" });
    let removed = admin.put("/offline/pc/offline/candidate/remove", gone).await;
    assert_eq!(removed.data()["done"], json!(1), "{}", removed.body);
    let left = at.seats(&admin).await;
    assert_eq!(left.len(), 19);
    for row in &left {
        assert_eq!(Some(place(row)), of(&row["id"]), "nobody moved");
    }
    let grid = admin.get(&format!("{SEAT}/grid?sessionRoomId={}", seats[5]["sessionRoomId"])).await.data().clone();
    let empty = grid["grid"]["seats"].as_array().expect("seats");
    let freed = empty.iter().find(|seat| seat["seatNo"] == seats[5]["seatNo"]).expect("a seat");
    assert!(freed["candidateId"].is_null(), "{freed}");
}

/// §3 scenario 2, and a refresh: who may not sit any more leaves the seat, and nobody else moves.
#[tokio::test]
async fn who_may_not_sit_any_more_leaves_the_seat() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let codes = all_school_codes();
    let other = server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let at = seated(&server, &admin, 4, &[(6, 5)]).await;
    server
        .run(&format!(
            "insert into school_1.exam_setup_class (setup_id, class_id) values ({}, {})",
            at.setup, at.taught.classes[0]
        ))
        .await;
    at.auto(&admin, json!({})).await;
    let seats = at.seats(&admin).await;
    let student = async |row: &Value| -> i64 {
        server.one(&format!("select student_id from school_1.exam_candidate where id = {}", row["id"])).await
    };
    let (put_off, owing) = (student(&seats[0]).await, student(&seats[1]).await);
    let wanted = json!({ "studentId": put_off, "batchId": at.batch, "courseId": at.taught.course, "reasonType": "illness",
        "reason": "住院治疗" });
    let id = admin.post("/exam/pc/deferral/save", wanted).await.id();
    for (mode, count) in [("online", 0), ("offline", 1)] {
        let listed = admin.post("/exam/pc/deferral/list", json!({ "mode": mode })).await;
        assert_eq!(listed.data()["totalCount"], json!(count), "{mode}: {}", listed.body);
    }
    let version = admin.get(&format!("/exam/pc/deferral/view?id={id}")).await.data()["version"].clone();
    let audit = json!({ "id": id, "version": version, "pass": true, "opinion": "同意" });
    other.put("/exam/pc/deferral/audit", audit).await.data();
    let still = async || {
        let now = at.seats(&admin).await;
        for row in &now {
            let before = seats.iter().find(|seat| seat["id"] == row["id"]).expect("a seat");
            assert_eq!(place(row), place(before), "nobody moved");
        }
        now.len()
    };
    assert_eq!(still().await, 3);
    let deferred: String =
        server.one(&format!("select eligibility from school_1.exam_candidate where id = {}", seats[0]["id"])).await;
    assert_eq!(deferred, "deferred");

    server.run(&format!("update school_1.exam_setup set require_fee = true where id = {}", at.setup)).await;
    server.run(&format!("update school_1.student set fee_flag = 'arrears' where id = {owing}")).await;
    let refresh = json!({ "setupId": at.setup });
    let told = admin.post("/offline/pc/offline/candidate/refresh", refresh.clone()).await.data().clone();
    assert_eq!((&told["updated"], &told["removed"]), (&json!(1), &json!(0)), "{told}");
    assert_eq!(still().await, 2);

    // What is over keeps who sat for it.
    server
        .run(&format!(
            "update school_1.exam_setup set status = 'closed', published_at = now(), closed_at = now() where id = {}",
            at.setup
        ))
        .await;
    let late = admin.post("/offline/pc/offline/candidate/refresh", refresh).await;
    assert_eq!(late.refused(), (409, "考试已结束，不能刷新名单"));
    server.run(&format!("update school_1.exam_setup set status = 'published' where id = {}", at.setup)).await;
    server
        .run(&format!(
            "update school_1.test_batch set status = 'archived', closed_at = now(), archived_at = now() where id = {}",
            at.batch
        ))
        .await;
    let extend = json!({ "ids": [seats[2]["id"]], "minutes": 15, "reason": "视力障碍" });
    let archived = admin.put("/offline/pc/offline/candidate/extend", extend).await;
    assert_eq!(archived.data()["failed"][0]["msg"], json!("批次已归档，不能修改考试安排"), "{}", archived.body);
}

/// Sessions of a batch, its points, the sheet of seats and its undoing.
#[tokio::test]
async fn seats_come_from_a_sheet_and_go_again() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = seated(&server, &admin, 3, &[(6, 5)]).await;
    let wanted = json!({ "batchId": at.batch, "dates": [day(&server, 11).await],
        "slots": [{ "startTime": "09:00", "endTime": "11:00" }, { "startTime": "14:00", "endTime": "16:00" }] });
    let made = admin.post(&format!("{SESSION}/generate"), wanted.clone()).await.data().clone();
    assert_eq!(made["ids"].as_array().map(Vec::len), Some(2), "{made}");
    let again = admin.post(&format!("{SESSION}/generate"), wanted).await;
    assert_eq!(again.refused(), (409, "所选日期和时段都已有场次"));
    let points = admin.post(&format!("{POINT}/list"), json!({ "batchId": at.batch })).await.data().clone();
    assert_eq!(points["list"][0]["candidates"], json!(3), "{points}");
    let rows: Vec<Value> = at.seats(&admin).await;
    let number = |place: usize| rows[place]["studentNo"].as_str().expect("a number").to_owned();
    let headings = ["学号", "课程编码", "考场号", "座位号"];
    let session_id = at.session.to_string();
    let send = async |seat: &str| {
        let book = sheet(&headings, &[&[&number(0), "A1", "001", "1"], &[&number(1), "A1", "001", seat]]);
        let path = format!("{SEAT}/import");
        admin.upload_with(&path, &[("sessionId", &session_id)], "file", "座位.xlsx", XLSX, &book).await
    };
    let wrong = send("1").await;
    assert_eq!(kit::sheets::row_errors(wrong.data()).len(), 1, "{}", wrong.body);
    assert!(at.seats(&admin).await.iter().all(|row| row["seatNo"].is_null()), "all or none");
    // No room is in two sessions at once.
    let beside =
        session(&server, &admin, batch(&server, at.taught.spring, "P2", "final").await, ("10:00", "12:00")).await;
    server
        .run(&format!(
            "insert into school_1.offline_session_room (session_id, room_id, site_id, exam_room_no, paper_bag_no, created_by, updated_by)
             values ({beside}, {}, {}, '001', '001', 0, 0)",
            at.rooms[0], at.taught.p.site
        ))
        .await;
    let busy = send("2").await;
    let told = kit::sheets::row_errors(busy.data());
    assert!(told.iter().any(|error| error.contains("001考场同一时间用于")), "{}", busy.body);
    server.run(&format!("delete from school_1.offline_session_room where session_id = {beside}")).await;
    let done = send("2").await;
    assert_eq!(done.code(), 200, "{}", done.body);
    assert_eq!(at.seats(&admin).await.iter().filter(|row| !row["seatNo"].is_null()).count(), 2);
    let (_, staying) = kit::imports::taken_back(&admin, "座位编排").await;
    assert!(staying.is_empty(), "{staying:?}");
    assert!(at.seats(&admin).await.iter().all(|row| row["seatNo"].is_null()));
    let rooms: i64 = server
        .one(&format!("select count(*) from school_1.offline_session_room where session_id = {}", at.session))
        .await;
    assert_eq!(rooms, 0, "a room that came with the sheet goes with it");
}

/// A student fetches the ticket of a published examination.
#[tokio::test]
async fn a_student_fetches_the_own_ticket() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = seated(&server, &admin, 2, &[(6, 5)]).await;
    at.auto(&admin, json!({})).await;
    at.confirm(&admin).await;
    server
        .run(&format!(
            "update school_1.exam_setup set status = 'published', published_at = now() where id = {}",
            at.setup
        ))
        .await;
    server.run("update school_1.exam_candidate set extra_minutes = 15").await;
    let own: i64 = server.one("select min(id) from school_1.student").await;
    let tokens = kit::clients::inside(&server, &[own]).await;
    let student = server.anonymous().with_token(Some(&tokens[0]));
    let path = format!("/exam/client/exam/ticket?batchId={}", at.batch);
    let ticket = student.get(&path).await.data().clone();
    assert_eq!((ticket["lines"].as_array().map(Vec::len), &ticket["lines"][0]["examRoomNo"]), (Some(1), &json!("001")));
    assert_eq!(ticket["lines"][0]["extraMinutes"], json!(15));
    assert_eq!(ticket["ticketNo"].as_str().map(str::len), Some(14), "{ticket}");
    server.run("update school_1.test_batch set ticket_publish_at = now() + interval '1 day'").await;
    assert_eq!(student.get(&path).await.refused(), (409, "准考证尚未开放"));
}

/// §4.7 scenario 9: the people of 20 sites sit for three courses; with many it is a job, and the export has a book a site.
#[tokio::test]
async fn a_batch_of_many_sites_is_seated_by_a_job() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = lessons(&server, &admin, [36, 0]).await;
    server
        .run(
            "insert into school_1.site (code, name, kind, created_by, updated_by)
             select 'S' || n, '第' || n || '教学点', 'headquarter', 0, 0 from generate_series(2, 20) n",
        )
        .await;
    let mut sites = vec![at.p.site];
    for n in 2..=20 {
        let site: i64 = server.one(&format!("select id from school_1.site where code = 'S{n}'")).await;
        kit::rows::students(&server, &at.p, site, None, n * 1_000, 36).await;
        sites.push(site);
    }
    let courses = [at.course, second(&server, &admin, &at, "B1").await, second(&server, &admin, &at, "B2").await];
    server
        .run(
            "insert into school_1.course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status,
                 selected_at, created_by, updated_by)
             select y.id, o.id, o.semester_id, o.course_id, y.class_id, 'admin', 'selected', now(), 0, 0
             from school_1.student y, school_1.course_opening o
             where not exists (select from school_1.course_selection c where c.student_id = y.id and c.opening_id = o.id)",
        )
        .await;
    for site in sites {
        room(&admin, site, "401", (6, 6)).await;
    }
    let round = batch(&server, at.spring, "P1", "final").await;
    for (course, time) in courses.into_iter().zip([("09:00", "11:00"), ("14:00", "16:00"), ("19:00", "21:00")]) {
        let slot = session(&server, &admin, round, time).await;
        setup(&server, round, (course, at.spring), slot).await;
    }
    let wanted = json!({ "batchId": round, "perRoom": 36, "seed": 7 });
    let started = admin.post(&format!("{SEAT}/auto"), wanted).await.data().clone();
    let job = kit::jobs::ended(&admin, &started["jobId"]).await;
    assert_eq!(
        (&job["state"], &job["message"]),
        (&json!("done"), &json!("已编排2160人，未编排0人，60个考场")),
        "{job}"
    );
    let apart: (i64, i64) = (
        server.one("select min(candidate_id) from school_1.offline_seat").await,
        server.one("select max(candidate_id) from school_1.offline_seat").await,
    );
    let swap = admin.put(&format!("{SEAT}/swap"), json!({ "a": apart.0, "b": apart.1 })).await;
    assert_eq!(swap.refused(), (409, "只能在同一场次同一考点内调换"));
    let packed = admin.post(&format!("{SEAT}/export"), json!({ "layout": "zip", "batchId": round })).await;
    let archive = zip::ZipArchive::new(Cursor::new(packed.bytes)).expect("an archive");
    assert_eq!(archive.len(), 20, "a book a site");
}
