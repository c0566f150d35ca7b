//! Lists over schools are narrowed by codes and names of the schools' own data, whose numbers differ from school to school (02 §0.5).

use kit::{
    Client, Server,
    accounts::all_school_codes,
    admission::{ADMISSION, open_batch},
    cohort::cohort,
    courses::{COURSE, RECORD, course, record},
    enrolment::{PLAN, save_batch},
    fields,
    information::{COMMITMENT, GRADUATION, INFORMATION},
    pre_registrations::{BATCH, PRE, batch, person},
    questions::{BANK, QUESTION, bank, choice, question},
    registration::{REGISTRATION, audited},
    sheets::texts,
    site_staff::STAFF,
    status_change::{self, CHANGE, ask},
    students::{ROLL, save, student},
};
use serde_json::{Value, json};

const ACCOUNT: &str = "/user/pc/student";
const CLASS: &str = "/adult/pc/class";
const FILING: &str = "/adult/pc/forecastingMajor";
const MAJOR: &str = "/adult/pc/major";
const ROOM: &str = "/adult/pc/classroom";
const SITE: &str = "/adult/pc/site";
const TEACHER: &str = "/user/pc/teacher";

/// Of each kind the field, a part of the code that both schools have in other letters, and a part of a name that only school 2 has.
const KINDS: [(&str, &str, &str); 5] = [
    ("gradeText", "202", "春季"),
    ("levelText", "zs", "业余"),
    ("majorText", "kJ", "财会"),
    ("siteText", "cd", "临江"),
    ("classText", "c1", "周末"),
];

/// One student of school 1 and of school 2 with everything that lists tell about, under the same codes and other names.
async fn two_schools(server: &Server) {
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    for (school, code, name) in [(1, "YY-1", "大学英语"), (2, "YY-2", "商务英语")] {
        let staff = server.staff(school, &codes).await;
        let p = cohort(&staff).await;
        let class = staff.post(&format!("{CLASS}/save"), p.class("C1")).await.id();
        let mut body = student(&p, 1);
        body["classId"] = json!(class);
        let student = save(&staff, body).await;
        status_change::open_batch(&staff).await;
        ask(&staff, student, "dropout", json!({ "reasonCode": "voluntary" })).await.id();
        let open = batch(&staff, &p, "YB-1", false).await;
        staff.post(&format!("{PRE}/save"), person(&p, open, 2)).await.id();
        let room = json!({ "siteId": p.site, "roomNo": "101", "roomType": "ordinary", "capacity": 60 });
        staff.post(&format!("{ROOM}/save"), room).await.id();
        let principal = json!({ "siteId": p.site, "name": "刘站长", "phone": "13600000001", "duty": "principal" });
        staff.post(&format!("{STAFF}/save"), principal).await.id();
        let filing =
            json!({ "year": 2027, "gradeId": p.grade, "majorId": p.major, "plannedQuota": 200, "siteIds": [p.site] });
        staff.post(&format!("{FILING}/save"), filing).await.id();
        let course = course(&staff, code, name).await;
        record(&staff, course, "第一版").await;
        let bank = bank(&staff, course, "TK", "homework").await;
        question(&staff, choice(bank, "选一选", 2.0)).await;
        for kind in ["admission_information", "admission_commitment", "graduation_information"] {
            server
                .run(&format!(
                    "insert into school_{school}.student_information (kind, student_id, chsi_pre_check, photo_check, created_by,
                         updated_by)
                     values ('{kind}', {student}, case when '{kind}' = 'admission_commitment' then 'pending' end,
                         case when '{kind}' = 'graduation_information' then 'pending' end, 0, 0) on conflict do nothing"
                ))
                .await;
        }
        if school == 1 {
            let (batch, _) = open_batch(server, &staff, &p, 200).await;
            audited(&staff, &p, batch, 5..6).await;
        } else {
            save_batch(&staff, &p, "2026-1").await;
        }
        server
            .run(&format!(
                "insert into school_{school}.site_enrollment (batch_id, site_id, created_by, updated_by)
                 select b.id, {}, 0, 0 from school_{school}.enrollment_batch b on conflict do nothing",
                p.site
            ))
            .await;
    }
    for (table, name) in [
        ("grade", "2026级春季"),
        ("level", "专升本业余"),
        ("major", "财会学"),
        ("site", "临江教学点"),
        ("class", "周末一班"),
    ] {
        server.run(&format!("update school_2.{table} set name = '{name}'")).await;
    }
}

/// The schools of the rows that a list shows, in order.
async fn schools(client: &Client<'_>, list: &str, filter: Value) -> Vec<i64> {
    let answer = client.post(&format!("{list}/list"), filter).await;
    let rows = answer.data()["list"].as_array().expect("rows");
    let mut schools: Vec<i64> = rows.iter().map(|row| row["schoolId"].as_i64().expect("a school")).collect();
    schools.sort_unstable();
    schools
}

#[tokio::test]
async fn lists_over_schools_are_asked_for_by_codes_and_names() {
    let server = Server::start().await;
    two_schools(&server).await;
    let operator = server.operator().await;
    let (five, four) = (&KINDS[..], &KINDS[..4]);
    for (list, kinds) in [
        (ROLL, five),
        (ACCOUNT, five),
        (CHANGE, five),
        (INFORMATION, five),
        (COMMITMENT, five),
        (GRADUATION, five),
        (CLASS, four),
        (PRE, four),
        (MAJOR, &KINDS[1..2]),
        (BATCH, &KINDS[..1]),
        (status_change::BATCH, &KINDS[..1]),
        (PLAN, &KINDS[3..4]),
        (ROOM, &KINDS[3..4]),
        (STAFF, &KINDS[3..4]),
    ] {
        for (field, code, name) in kinds {
            let told = format!("{list} {field}");
            assert_eq!(schools(&operator, list, json!({ *field: code })).await, [1, 2], "{told}");
            assert_eq!(schools(&operator, list, json!({ *field: name })).await, [2], "{told}");
            assert_eq!(schools(&operator, list, json!({ *field: "没有的" })).await, [0_i64; 0], "{told}");
        }
    }
    // The windows were for every grade; now that of school 2 is for another one alone.
    server
        .run(
            "with other as (
                 insert into school_2.grade (code, name, entry_year, entry_season, created_by, updated_by)
                 values ('2027', '2027级秋季', 2027, 'autumn', 0, 0) returning id)
             insert into school_2.change_batch_grade (change_batch_id, grade_id)
             select b.id, o.id from school_2.change_batch b, other o",
        )
        .await;
    for (text, wanted) in [("2026", &[1_i64][..]), ("秋季", &[2][..])] {
        let windows = schools(&operator, status_change::BATCH, json!({ "gradeText": text })).await;
        assert_eq!(windows, wanted, "{text}");
    }
    // School 1 filed for its enrolment too.
    for (text, wanted) in [("zs", &[1_i64, 2][..]), ("业余", &[2][..]), ("没有的", &[][..])] {
        let filter = json!({ "levelText": text, "year": 2027 });
        assert_eq!(schools(&operator, FILING, filter).await, wanted, "{text}");
    }
    // Those of school 1 alone were admitted.
    for list in [ADMISSION, REGISTRATION] {
        for (field, code, name) in four {
            let told = format!("{list} {field}");
            assert_eq!(schools(&operator, list, json!({ *field: code })).await, [1], "{told}");
            assert_eq!(schools(&operator, list, json!({ *field: name })).await, [0_i64; 0], "{told}");
        }
    }
    for (filter, wanted) in [
        (json!({ "courseText": "yy" }), &[1_i64, 2][..]),
        (json!({ "courseText": "英语" }), &[1, 2][..]),
        (json!({ "courseText": " 商务 " }), &[2][..]),
        (json!({ "courseText": "数学" }), &[][..]),
    ] {
        for list in [RECORD, BANK, QUESTION] {
            assert_eq!(schools(&operator, list, filter.clone()).await, wanted, "{list} {filter}");
        }
    }
    assert_eq!(schools(&operator, COURSE, json!({ "typeText": "ggj" })).await, [1, 2]);
    assert_eq!(schools(&operator, COURSE, json!({ "typeText": "专业" })).await, [0_i64; 0]);
    for list in [COURSE, SITE, TEACHER] {
        assert_eq!(
            schools(&operator, list, json!({ "organizationText": "学院" })).await,
            [0_i64; 0],
            "{list}: none there"
        );
    }
}

#[tokio::test]
async fn texts_go_together_with_each_other_and_with_a_school() {
    let server = Server::start().await;
    two_schools(&server).await;
    let operator = server.operator().await;
    let both = json!({ "gradeText": "2026", "siteText": "临江", "classText": "" });
    assert_eq!(schools(&operator, ROLL, both.clone()).await, [2]);
    let apart = json!({ "gradeText": "春季", "siteText": "城东" });
    assert_eq!(schools(&operator, ROLL, apart).await, [0_i64; 0], "each of them is of another school");
    // What is exported is what is listed.
    let sheet = texts(&operator.post(&format!("{ROLL}/export"), both.clone()).await.bytes);
    assert_eq!((sheet.len(), sheet[1][0].as_str()), (2, "南岭示范大学"));

    for (school, count) in [(1, 0), (2, 1)] {
        let named = operator.post(&format!("{ROLL}/list?schoolId={school}"), both.clone()).await;
        assert_eq!(named.data()["totalCount"], json!(count), "school {school}");
    }
    let inside = server.staff(1, &["adult:pc:studentRoll:list"]).await;
    let grade: i64 = server.one("select id from school_1.grade").await;
    let number = json!({ "gradeId": grade, "gradeText": "2026级", "classText": "C1" });
    let own = inside.post(&format!("{ROLL}/list"), number).await;
    assert_eq!(own.data()["totalCount"], json!(1));
    let long = json!({ "gradeText": "级".repeat(51) });
    assert_eq!(fields(&inside.post(&format!("{ROLL}/list"), long).await).len(), 1);
}
