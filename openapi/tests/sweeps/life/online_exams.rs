//! Examinations on the net while they run and after: two who sit in one are watched, marked and handed to the scores.

use chrono::Duration;
use kit::{
    clients::inside,
    cohort::Cohort,
    exams::{CANDIDATE, ONLINE, batch, begin, exam, item, save, start, submit},
    homework::{html, letter, with},
    rows::students,
};
use serde_json::{Value, json};

use super::{Life, MARK};

const ATTEMPT: &str = "/exam/pc/online/attempt";
const MARKING: &str = "/exam/pc/online/mark";
const RECORD: &str = "/adult/pc/exam/achievement/record";

/// Where they sit, and with which paper.
pub(super) struct Place {
    pub semester: i64,
    pub course: i64,
    pub class: i64,
    pub paper: i64,
}

pub(super) async fn live(life: &mut Life<'_>, at: &Place, student: i64) {
    let own = beside(life, at, student).await;
    let later = batch(life.server, &life.client, at.semester, "SWLATER").await;
    drafts(life, at, later).await;
    withdrawn(life, at, later).await;
    let now = batch(life.server, &life.client, at.semester, "SWSITS").await;
    let setup = begun(life, at, now, student).await;
    let sheets = watched(life, setup, own).await;
    let over = item(&life.client, setup).await;
    life.put(&format!("{ONLINE}/close"), over).await;
    let absent: i64 = life
        .server
        .one(&format!("select id from school_1.exam_candidate where setup_id = {setup} and student_id = {student}"))
        .await;
    let until = life.server.app.clock().now() + Duration::hours(2);
    let again =
        json!({ "endsAt": until, "candidateIds": [absent], "mode": "new_attempt", "reason": format!("{MARK}停电") });
    let again = with(item(&life.client, setup).await, again);
    life.put(&format!("{ONLINE}/reopen"), again).await;
    let over = item(&life.client, setup).await;
    life.client.put(&format!("{ONLINE}/close"), over).await.data();
    marked(life, setup, sheets[0]).await;
    let candidate: i64 =
        life.server.one(&format!("select exam_candidate_id from school_1.answer_sheet where id = {}", sheets[0])).await;
    life.post(&format!("{RECORD}/list"), json!({})).await;
    life.get(&format!("{RECORD}/view?id={candidate}")).await;
    life.post(&format!("{RECORD}/export"), json!({})).await;
}

/// People of the student's class who are in the course, too.
async fn beside(life: &Life<'_>, at: &Place, student: i64) -> [i64; 2] {
    let of = |column: &str| format!("select {column} from school_1.student where id = {student}");
    let p = Cohort {
        grade: life.server.one(&of("grade_id")).await,
        level: life.server.one(&of("level_id")).await,
        national: 0,
        major: life.server.one(&of("major_id")).await,
        site: life.server.one(&of("site_id")).await,
    };
    students(life.server, &p, p.site, Some(at.class), 8051, 2).await;
    life.server
        .run(&format!(
            "insert into school_1.course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status,
                 selected_at, created_by, updated_by)
             select y.id, c.opening_id, c.semester_id, c.course_id, y.class_id, 'admin', 'selected', now(), 0, 0
             from school_1.student y, school_1.course_selection c
             where y.student_no in ('2600008051', '2600008052') and c.student_id = {student} and c.course_id = {}
               and c.semester_id = {} and c.status = 'selected'",
            at.course, at.semester
        ))
        .await;
    let of = |no: &str| format!("select id from school_1.student where student_no = '{no}'");
    [life.server.one(&of("2600008051")).await, life.server.one(&of("2600008052")).await]
}

fn form(life: &Life<'_>, at: &Place, batch: i64) -> Value {
    let form = exam(life.server, (batch, at.course, at.semester), at.paper, at.class, 60);
    with(form, json!({ "name": format!("{MARK}在线考试") }))
}

/// The same two days ahead.
fn ahead(life: &Life<'_>, at: &Place, batch: i64) -> Value {
    let begins = life.server.app.clock().now() + Duration::days(2);
    with(form(life, at, batch), json!({ "startsAt": begins, "endsAt": begins + Duration::minutes(70) }))
}

/// Drafts that are deleted again.
async fn drafts(life: &mut Life<'_>, at: &Place, batch: i64) {
    let common = ahead(life, at, batch);
    let row = json!({ "courseId": at.course, "semesterId": at.semester, "classIds": [at.class], "papers": [at.paper],
        "startsAt": common["startsAt"], "endsAt": common["endsAt"] });
    let wanted = json!({ "batchId": batch, "common": common, "rows": [row], "confirmSamePaper": true });
    let made = life.post(&format!("{ONLINE}/saveBatch"), wanted).await;
    life.delete(&format!("{ONLINE}/delete?id={}", made["ids"][0])).await;
    let other = ahead(life, at, batch);
    let other = life.client.post(&format!("{ONLINE}/save"), other).await.id();
    life.post(&format!("{ONLINE}/batchDel"), json!({ "ids": [other] })).await;
}

/// One that is taken back, published again and cancelled.
async fn withdrawn(life: &mut Life<'_>, at: &Place, batch: i64) {
    let wanted = ahead(life, at, batch);
    let setup = kit::exams::published(&life.client, wanted).await;
    let one = item(&life.client, setup).await;
    life.put(&format!("{ONLINE}/withdraw"), one).await;
    let again = json!({ "items": [item(&life.client, setup).await] });
    life.client.put(&format!("{ONLINE}/publish"), again).await.data();
    let cancel = with(item(&life.client, setup).await, json!({ "reason": format!("{MARK}改为线下") }));
    life.put(&format!("{ONLINE}/cancel"), cancel).await;
}

/// One that runs now, whose candidates were changed by hand before.
async fn begun(life: &mut Life<'_>, at: &Place, batch: i64, student: i64) -> i64 {
    let wanted = form(life, at, batch);
    let setup = life.client.post(&format!("{ONLINE}/save"), wanted).await.id();
    life.client.post(&format!("{CANDIDATE}/refresh"), json!({ "setupId": setup })).await.data();
    let of = |column: &str| {
        format!("select {column} from school_1.exam_candidate where setup_id = {setup} and student_id = {student}")
    };
    let candidate: i64 = life.server.one(&of("id")).await;
    let selection: i64 = life.server.one(&of("selection_id")).await;
    let remove = json!({ "ids": [candidate], "reason": format!("{MARK}重复报名") });
    assert_eq!(life.put(&format!("{CANDIDATE}/remove"), remove).await["done"], json!(1));
    let add = json!({ "setupId": setup, "selectionIds": [selection], "reason": format!("{MARK}补报名") });
    life.post(&format!("{CANDIDATE}/add"), add).await;
    let candidate: i64 = life.server.one(&of("id")).await;
    let decide = json!({ "ids": [candidate], "eligible": true, "reason": format!("{MARK}已补学") });
    life.put(&format!("{CANDIDATE}/override"), decide).await;
    let items = json!({ "items": [item(&life.client, setup).await] });
    assert_eq!(life.client.put(&format!("{ONLINE}/publish"), items).await.data()["done"], json!(1));
    begin(life.server);
    life.get(&format!("{ONLINE}/paper/preview?setupId={setup}&slot=A")).await;
    setup
}

/// One hands in; the other is warned, gets more time and another device, and is handed in.
async fn watched(life: &mut Life<'_>, setup: i64, people: [i64; 2]) -> [i64; 2] {
    let tokens = inside(life.server, &people).await;
    let mut sheets = [0, 0];
    for (place, token) in tokens.iter().enumerate() {
        let own = life.server.anonymous().with_token(Some(token));
        let sheet = start(&own, setup, "web-1", "request-0001").await.data()["sheetId"].clone();
        sheets[place] = sheet.as_i64().expect("a sheet");
        if place == 0 {
            save(&own, &sheet, 1, &[("1", letter("A")), ("2", html("价值尺度"))]).await.data();
            submit(&own, &sheet, "request-0002").await.data();
        }
    }
    let [done, open] = sheets;
    life.get(&format!("{ATTEMPT}/view?sheetId={done}")).await;
    life.get(&format!("{ATTEMPT}/events?sheetId={open}")).await;
    life.get(&format!("{ATTEMPT}/stat?setupId={setup}")).await;
    let warn = json!({ "sheetIds": [open], "text": format!("{MARK}请不要离开考试页面") });
    assert_eq!(life.put(&format!("{ATTEMPT}/warn"), warn).await["done"], json!(1));
    let extend = json!({ "sheetIds": [open], "minutes": 10, "reason": format!("{MARK}网络中断") });
    assert_eq!(life.put(&format!("{ATTEMPT}/extend"), extend).await["done"], json!(1));
    for name in ["releaseDevice", "forceSubmit", "void"] {
        let wanted = json!({ "sheetIds": [open], "reason": format!("{MARK}更换电脑") });
        assert_eq!(life.put(&format!("{ATTEMPT}/{name}"), wanted).await["done"], json!(1), "{name}");
    }
    sheets
}

/// The sheet gets its marks, then the examination its end.
async fn marked(life: &mut Life<'_>, setup: i64, sheet: i64) {
    let teacher: i64 = life.server.one("select min(id) from school_1.teacher").await;
    let markers = json!({ "setupId": setup, "markers": [{ "teacherId": teacher }] });
    life.client.post("/offline/pc/offline/marker/assign", markers).await.data();
    life.post(&format!("{MARKING}/assign"), json!({ "setupId": setup })).await;
    let paper = life.get(&format!("{MARKING}/next?setupId={setup}&sheetId={sheet}")).await;
    let of = |what: &str| {
        format!(
            "select {what} from school_1.answer_item where sheet_id = {sheet} order by mark_state = 'pending' desc, id limit 1"
        )
    };
    let waiting: i64 = life.server.one(&of("id")).await;
    let marks = |version: &Value| json!({ "sheetId": sheet, "version": version, "items": [{ "itemId": waiting, "score": 4.0, "comment": format!("{MARK}要点完整") }] });
    let saved = life.put(&format!("{MARKING}/save"), marks(&paper["version"])).await;
    life.put(&format!("{MARKING}/submit"), marks(&saved["version"])).await;
    life.post(&format!("{MARKING}/export"), json!({ "batchId": null })).await;
    let question: i64 = life
        .server
        .one(&format!("select snapshot_question_id from school_1.answer_item where sheet_id = {sheet} and mark_state = 'auto' limit 1"))
        .await;
    let correction = json!({ "snapshotQuestionId": question, "fullScore": true, "reason": format!("{MARK}试题有误"), "dryRun": false });
    life.post(&format!("{MARKING}/rejudge"), correction).await;
    life.put(&format!("{MARKING}/finish"), json!({ "setupId": setup })).await;
    life.post(&format!("{MARKING}/transfer"), json!({ "setupId": setup })).await;
}
