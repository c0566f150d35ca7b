//! Part 04 with the rights of a site or a class: what reaches beyond them is refused, or left out.

use kit::{
    Server,
    cohort::registrar,
    exam_seats::{CANDIDATE, SESSION, SETUP, batch, day},
    fields,
    lessons::{lessons, with},
};
use serde_json::json;

/// §4.6: a make-up without classes is of everybody who failed; a site lists those of its own.
#[tokio::test]
async fn a_site_lists_its_own_people_for_a_make_up() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = lessons(&server, &admin, [2, 0]).await;
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    server
        .run(&format!(
            "update school_1.score_rule set params = params || '{{\"makeupLimit\": 2}}' where kind = 'final_exam';
             insert into school_1.course_score (selection_id, student_id, course_id, semester_id, attempt_no, class_id, credits, nature,
                 total, mark, display_text, passed, status, published_at, created_by, updated_by)
             select id, student_id, course_id, semester_id, 1, class_id, 3, 'compulsory', 45, 'normal', '45', false, 'published', now(), 0, 0
             from school_1.course_selection;
             update school_1.student set site_id = {far}, class_id = null where id = (select max(id) from school_1.student)"
        ))
        .await;
    let makeup = batch(&server, at.spring, "P2", "makeup").await;
    let codes = [
        "offline:pc:offline:setup:makeup",
        "offline:pc:offline:candidate:list",
        "offline:pc:offline:candidate:refresh",
        "offline:pc:offline:setup:save",
    ];
    let narrow = server.staff_within(1, &codes, "named_sites", &[far]).await;
    let own: i64 = server
        .one("select id from school_1.course_selection where student_id = (select max(id) from school_1.student)")
        .await;
    let wanted = json!({ "batchId": makeup, "mode": "offline",
        "rows": [{ "courseId": at.course, "semesterId": at.spring, "selectionIds": [own] }] });
    let made = narrow.post(&format!("{SETUP}/makeup"), wanted).await.data()["rows"][0].clone();
    assert_eq!(made["added"], json!(1), "{made}");
    let body = json!({ "setupId": made["setupId"] });
    let refreshed = narrow.post(&format!("{CANDIDATE}/refresh"), body.clone()).await.data().clone();
    assert_eq!(refreshed["added"], json!(0), "{refreshed}");
    let listed = admin.post(&format!("{CANDIDATE}/list"), body).await.data().clone();
    assert_eq!(listed["totalCount"], json!(1), "of no other site: {listed}");
}

/// §4.1: sessions are the whole school's; a site takes one that is for it, and makes none.
#[tokio::test]
async fn a_site_makes_no_session() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = lessons(&server, &admin, [2, 0]).await;
    let round = batch(&server, at.spring, "P1", "final").await;
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let day = day(&server, 10).await;
    let time = json!({ "startTime": "09:00", "endTime": "11:00" });
    let form = with(
        json!({ "batchId": round, "courseId": at.course, "semesterId": at.spring, "classIds": [at.classes[0]],
            "date": day }),
        time.clone(),
    );
    let narrow = server.staff_within(1, &["offline:pc:offline:setup:save"], "named_sites", &[at.p.site]).await;
    let path = format!("{SETUP}/save");
    assert_eq!(fields(&narrow.post(&path, form.clone()).await), ["sessionId: 请选择已有场次"]);
    let of_far = with(json!({ "batchId": round, "examDate": day, "siteIds": [far] }), time.clone());
    admin.post(&format!("{SESSION}/save"), of_far).await.data();
    assert_eq!(fields(&narrow.post(&path, form.clone()).await), ["sessionId: 请选择已有场次"]);
    // One of another site is none for all.
    let wanted = json!({ "batchId": round, "dates": [day], "slots": [time] });
    let made = admin.post(&format!("{SESSION}/generate"), wanted).await.data().clone();
    assert_eq!(made["skipped"], json!(0), "{made}");
    let setup = narrow.post(&path, form).await.id();
    let taken: i64 = server.one(&format!("select session_id from school_1.exam_setup where id = {setup}")).await;
    assert_eq!(made["ids"], json!([taken]));
}

/// §8.1: a group of the defence with students of others is theirs too.
#[tokio::test]
async fn a_class_changes_no_defence_of_another_class() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = lessons(&server, &admin, [1, 1]).await;
    server.run(&format!("update school_1.course set kind = 'thesis' where id = {}", at.course)).await;
    let plan = json!({ "code": "LW1", "name": "毕业论文", "semesterId": at.spring, "topicMode": "both",
        "selectMode": "first_come", "requireProposal": false, "adviserQuota": 20, "similarityLimit": 30.0,
        "similarityAttempts": 2, "defenseMode": "onsite", "minReviewers": 1 });
    let plan = admin.post("/adult/pc/thesis/plan/save", plan).await.id();
    let active = json!({ "id": plan, "status": "active", "version": 1 });
    admin.put("/adult/pc/thesis/plan/update/status", active).await.data();
    admin.post("/adult/pc/thesis/generate", json!({ "planId": plan })).await.data();
    let form = json!({ "planId": plan, "name": "第一组", "mode": "onsite", "heldAt": "2028-06-01T09:00:00+08:00",
        "place": "教学楼201", "members": [] });
    let group = admin.post("/adult/pc/thesis/defense/save", form.clone()).await.id();
    server
        .run(&format!(
            "insert into school_1.defense_slot (group_id, thesis_id, round_no, order_no, created_by, updated_by)
             select {group}, t.id, 1, row_number() over (order by t.id), 0, 0 from school_1.thesis t"
        ))
        .await;
    let codes = [
        "adult:pc:thesis:defense:view",
        "adult:pc:thesis:defense:edit",
        "adult:pc:thesis:arrange",
        "adult:pc:thesis:autoArrange",
    ];
    let narrow = server.staff_within(1, &codes, "named_classes", &[at.classes[1]]).await;
    let seen = narrow.get(&format!("/adult/pc/thesis/defense/view?id={group}")).await.data().clone();
    assert_eq!(seen["slotCount"], json!(1), "{seen}");
    let mut edit = form;
    edit["id"] = json!(group);
    edit["version"] = seen["version"].clone();
    edit["place"] = json!("教学楼202");
    let refused = narrow.put("/adult/pc/thesis/defense/edit", edit.clone()).await;
    assert_eq!(refused.code(), 403, "groups are the school's: {}", refused.body);
    admin.put("/adult/pc/thesis/defense/edit", edit).await.data();
    // Somebody without a class lies beyond every class.
    server
        .run(&format!(
            "update school_1.student set class_id = null where class_id = {};
             update school_1.thesis set stage = 'defense', title = '研究' || id",
            at.classes[0]
        ))
        .await;
    let auto = json!({ "planId": plan, "groupIds": [group], "minutes": 15 });
    let own: i64 = server
        .one(&format!(
            "select t.id from school_1.thesis t join school_1.student y on y.id = t.student_id where y.class_id = {}",
            at.classes[1]
        ))
        .await;
    let version: i32 = server.one(&format!("select version from school_1.defense_group where id = {group}")).await;
    let arrange = json!({ "groupId": group, "thesisIds": [own], "minutes": 15, "version": version });
    for (word, body) in [("autoArrange", auto), ("arrange", arrange)] {
        let refused = narrow.put(&format!("/adult/pc/thesis/{word}"), body).await;
        assert_eq!(refused.refused(), (409, "答辩组含您数据范围以外的学生，不能重新安排"), "{word}");
    }
    let kept: i64 = server.one(&format!("select count(*) from school_1.defense_slot where group_id = {group}")).await;
    assert_eq!(kept, 2);
}
