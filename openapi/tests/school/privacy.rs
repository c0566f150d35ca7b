//! What is personal of people whom the province never admitted goes two years after their batch has ended (05 E3).

use chrono::{Days, Months, NaiveDate};
use kit::{
    Client, Server,
    accounts::all_school_codes,
    cohort::{Cohort, cohort, registrar},
    files::paper,
    jobs::ended,
};
use serde_json::{Value, json};

use crate::pre_registration_batches::{BATCH, batch, opened, people};

const PRIVACY: &str = "/data/pc/privacy";

/// A batch that ends at the beginning of a day of China.
async fn ended_on(client: &Client<'_>, p: &Cohort, code: &str, day: NaiveDate) -> i64 {
    let mut form = batch(p, code);
    form["startsAt"] = json!("2015-01-01T00:00:00+08:00");
    form["endsAt"] = json!(format!("{day}T00:00:00+08:00"));
    opened(client, p, form).await
}

/// A day whose two years are over in so many days.
fn due_in(server: &Server, days: i64) -> NaiveDate {
    let today = server.app.clock().today();
    let due = if days < 0 { today - Days::new(days.unsigned_abs()) } else { today + Days::new(days.unsigned_abs()) };
    due - Months::new(24)
}

/// Runs the night's work; answers what it says.
async fn night(server: &Server) -> String {
    let operator = server.operator().await;
    let job = operator.post("/data/pc/druid/job/run", json!({ "name": "privacy.scrub" })).await.data()["jobId"].clone();
    let told = ended(&operator, &job).await;
    assert_eq!((&told["state"], &told["errors"]), (&json!("done"), &json!([])), "{told}");
    told["message"].as_str().unwrap_or_default().to_owned()
}

/// How many of a batch are in each state, as every figure counts them.
async fn figures(server: &Server, batch: i64) -> String {
    server
        .one(&format!(
            "select string_agg(line, ', ' order by line) from (
                 select concat_ws(' ', status, exam_status, level_id, major_id, site_id, gender, pre_edu_level,
                                  deleted_at is not null, created_at::date, count(*)) as line
                 from school_1.pre_registration where batch_id = {batch}
                 group by status, exam_status, level_id, major_id, site_id, gender, pre_edu_level, deleted_at is not null,
                          created_at::date) lines"
        ))
        .await
}

/// Rows of a batch that tell nothing of a person any more.
async fn blank(server: &Server, school: i64, batch: i64) -> i64 {
    server
        .one(&format!(
            "select count(*) from school_{school}.pre_registration
             where batch_id = {batch} and scrubbed_at is not null and name = '*' and id_card_no = '*' and phone = '*'
               and address = '*' and name_grams = '{{}}' and pinyin = '' and initials = '' and extra = '{{}}' and photo_id is null
               and num_nonnulls(email, postal_code, birthday, hukou_place, work_unit, occupation, referrer, pre_edu_certificate_no,
                                provincial_reg_no, examinee_no, audit_remark) = 0"
        ))
        .await
}

async fn listed(client: &Client<'_>) -> Vec<Value> {
    let page = client.post(&format!("{PRIVACY}/list"), json!({})).await.data().clone();
    page["list"].as_array().expect("a list").clone()
}

/// 05 E5.6.
#[tokio::test]
async fn a_scrub_keeps_the_figures_and_whoever_was_admitted() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let old = ended_on(&admin, &p, "OLD", due_in(&server, 0)).await;
    let young = ended_on(&admin, &p, "YOUNG", due_in(&server, 1)).await;
    people(&server, 1, old, &p, (1, 2800), "status = 'approved', exam_status = 'registered', examinee_no = 'K' || id")
        .await;
    people(&server, 1, old, &p, (2801, 3000), "audit_remark = '与张晓梅重复', status = 'rejected'").await;
    people(&server, 1, old, &p, (3001, 3108), "deleted_at = now(), deleted_by = 0").await;
    people(&server, 1, old, &p, (3109, 3120), "status = 'approved', exam_status = 'admitted', examinee_no = 'K' || id")
        .await;
    people(&server, 1, young, &p, (1, 3), "").await;
    let (photo, scan, kept) =
        (paper(&admin, "照片.pdf").await, paper(&admin, "身份证.pdf").await, paper(&admin, "录取.pdf").await);
    let of = |key: &str| format!("(select id from school_1.file_object where key = '{key}')");
    let person = |n: i64| {
        format!(
            "(select id from school_1.pre_registration where batch_id = {old} and id_card_no = 'E' || lpad('{n}', 8, '0'))"
        )
    };
    server
        .run(&format!("update school_1.pre_registration set photo_id = {} where id = {}", of(&photo), person(1)))
        .await;
    for (n, key) in [(3001, &scan), (3120, &kept)] {
        server
            .run(&format!(
                "insert into school_1.pre_registration_file (pre_registration_id, kind, file_id) values ({}, 'id_front', {})",
                person(n),
                of(key)
            ))
            .await;
    }
    // What an import could put back of somebody is theirs too.
    server
        .run(&format!(
            "with run as (
                 insert into school_1.import_run (kind, title, file_name, by_id, by_name, batch_id, undo_batch)
                 values ('pre_registration.examinee_no', '考生号', '考生号.xlsx', 0, '教务员', gen_random_uuid(), gen_random_uuid())
                 returning id)
             insert into school_1.import_record (run_id, seq, entity, entity_id, action, held)
             select run.id, row_number() over (order by p.id), 'pre_registration', p.id, 'update', 'x'::bytea from run, school_1.pre_registration p
             where p.id in ({}, {})",
            person(1),
            person(3120)
        ))
        .await;
    let before = figures(&server, old).await;
    let of_admitted = "select md5(string_agg(t::text, '|' order by id)) from school_1.pre_registration t where exam_status = 'admitted'";
    let admitted: String = server.one(of_admitted).await;

    assert_eq!(night(&server).await, "已清理3108条预报名的个人信息，删除2个文件");
    assert_eq!(blank(&server, 1, old).await, 3108);
    assert_eq!(figures(&server, old).await, before);
    let put_back: Vec<bool> =
        server.one("select array_agg(held is not null order by seq) from school_1.import_record").await;
    assert_eq!(put_back, [false, true]);
    assert_eq!(server.one::<String>(of_admitted).await, admitted);
    assert_eq!(blank(&server, 1, young).await, 0, "its day has not come");
    for (key, there) in [(&photo, false), (&scan, false), (&kept, true)] {
        let stored = infra::files::open(&server.app, key).await.expect("the store answers").is_some();
        let noted: bool = server.one(&format!("select exists {}", of(key))).await;
        assert_eq!((stored, noted), (there, there), "{key}");
    }
    let counted: i64 = server
        .one(&format!(
            "select sum((field->>'after')::bigint)::bigint from school_1.audit_log, jsonb_array_elements(changes) field
             where entity_type = 'pre_registration_batch' and entity_id = {old} and action = 'scrub' and field->>'field' = 'rows'"
        ))
        .await;
    assert_eq!(counted, 3108);
    let list = admin.post(&format!("{BATCH}/list"), json!({ "keyword": "OLD" })).await.data()["list"][0].clone();
    assert_eq!((&list["total"], &list["approved"]), (&json!(3012), &json!(2812)));

    assert_eq!(night(&server).await, "已清理0条预报名的个人信息，删除0个文件", "nothing is left to do");
    server.app.clock().shift(chrono::Duration::days(1));
    assert_eq!(night(&server).await, "已清理3条预报名的个人信息，删除0个文件");
}

#[tokio::test]
async fn a_batch_is_listed_before_its_time_and_can_be_held_back() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let held = ended_on(&admin, &p, "HELD", due_in(&server, -400)).await;
    let soon = ended_on(&admin, &p, "SOON", due_in(&server, 90)).await;
    let later = ended_on(&admin, &p, "LATER", due_in(&server, 100)).await;
    let all_admitted = ended_on(&admin, &p, "DONE", due_in(&server, -1)).await;
    for batch in [held, soon, later] {
        people(&server, 1, batch, &p, (1, 3), "").await;
        people(&server, 1, batch, &p, (4, 4), "deleted_at = now(), deleted_by = 0").await;
    }
    people(&server, 1, held, &p, (5, 6), "exam_status = 'admitted'").await;
    people(&server, 1, all_admitted, &p, (1, 2), "exam_status = 'admitted'").await;
    let rows = listed(&admin).await;
    let told: Vec<_> = rows.iter().map(|row| (&row["code"], &row["rows"], &row["hold"])).collect();
    assert_eq!(told, [(&json!("HELD"), &json!(4), &json!(false)), (&json!("SOON"), &json!(4), &json!(false))]);
    assert_eq!(rows[1]["dueOn"], json!(server.app.clock().today() + Days::new(90)));

    let hold = json!({ "batchId": held, "hold": true, "version": rows[0]["version"] });
    assert_eq!(admin.put(&format!("{PRIVACY}/hold"), hold.clone()).await.id(), held);
    assert_eq!(admin.put(&format!("{PRIVACY}/hold"), hold).await.code(), 409, "the version was read before");
    assert_eq!(admin.put(&format!("{PRIVACY}/hold"), json!({ "batchId": 999, "hold": true })).await.code(), 404);
    assert_eq!(listed(&admin).await[0]["hold"], json!(true));
    assert_eq!(admin.get(&format!("{BATCH}/view?id={held}")).await.data()["privacyHold"], json!(true));
    assert_eq!(night(&server).await, "已清理0条预报名的个人信息，删除0个文件");
    assert_eq!(blank(&server, 1, held).await, 0);

    // An operator lifts it, for the school they name.
    let operator = server.operator().await;
    assert_eq!(listed(&operator).await.len(), 2);
    let free = json!({ "batchId": held, "hold": false });
    assert_eq!(operator.put(&format!("{PRIVACY}/hold"), free.clone()).await.refused(), (422, "请选择院校"));
    assert_eq!(operator.put(&format!("{PRIVACY}/hold?schoolId=1"), free).await.id(), held);
    assert_eq!(night(&server).await, "已清理4条预报名的个人信息，删除0个文件");
    assert_eq!(blank(&server, 1, held).await, 4);
    let codes: Vec<Value> = listed(&admin).await.iter().map(|row| row["code"].clone()).collect();
    assert_eq!(codes, [json!("SOON")]);
}

#[tokio::test]
async fn a_school_that_is_closed_stays_as_it_is() {
    let server = Server::start().await;
    let codes = all_school_codes();
    let admin = server.staff(2, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let p = cohort(&admin).await;
    let old = ended_on(&admin, &p, "OLD", due_in(&server, -30)).await;
    people(&server, 2, old, &p, (1, 5), "").await;
    for standing in ["status = 'suspended'", "status = 'archived', archived_from = 'active', archived_at = now()"] {
        server.run(&format!("update platform.school set {standing} where id = 2")).await;
        assert_eq!(night(&server).await, "已清理0条预报名的个人信息，删除0个文件", "{standing}");
        assert_eq!(blank(&server, 2, old).await, 0);
    }
    server
        .run("update platform.school set status = 'active', archived_from = null, archived_at = null where id = 2")
        .await;
    assert_eq!(night(&server).await, "已清理5条预报名的个人信息，删除0个文件");
    assert_eq!(blank(&server, 2, old).await, 5);
}
