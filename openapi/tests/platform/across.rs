//! The operators' area over the data of many schools (00 §3, 05 F).

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use kit::{
    Client, Server,
    accounts::all_school_codes,
    clients::{school, with_token},
    cohort::{cohort, registrar},
    fields,
    rows::{grade, manage},
    sheets::{texts, texts_of},
    students::{ROLL, id_number, save, student},
    teachers::{TEACHER, teacher},
};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor};

const GRADE: &str = "/adult/pc/grade";
const ACCOUNT: &str = "/user/pc/student";
const WHY: &str = "reason=%E6%A0%B8%E5%AF%B9%E8%AF%BE%E7%A8%8B";

/// A third school beside the two of the template, and so many grades in each; answers the third's number.
async fn three_schools(server: &Server, grades: [i64; 3]) -> i64 {
    let third = server.open_school("demo03", "北山示范职业学院").await;
    for (school, count) in [1, 2, third].into_iter().zip(grades) {
        // Two at each minute: neither schools nor rows are told apart by their time alone.
        server
            .run(&format!(
                "insert into school_{school}.grade (code, name, entry_year, created_at, created_by, updated_by)
                 select (2000 + n)::text, 2000 + n || '级', 2000 + n,
                        timestamptz '2026-01-01 00:00:00+08' + n / 2 * interval '1 minute', 0, 0
                 from generate_series(1, {count}) n"
            ))
            .await;
    }
    third
}

/// Every grade of these schools, in the order of a list over schools.
async fn in_order(server: &Server, schools: &[i64]) -> Vec<(i64, i64)> {
    let each: Vec<String> = schools
        .iter()
        .map(|school| format!("select {school}::bigint as school, id, created_at from school_{school}.grade"))
        .collect();
    let all = each.join(" union all ");
    sqlx::query_as(AssertSqlSafe(format!("select school, id from ({all}) g order by created_at desc, school, id")))
        .fetch_all(&mut server.owner().await)
        .await
        .expect("grades")
}

/// A page of 20 grades.
async fn page(client: &Client<'_>, current: i64, query: &str) -> Value {
    let wanted = json!({ "pageCurrent": current, "pageSize": 20 });
    client.post(&format!("{GRADE}/list{query}"), wanted).await.data().clone()
}

/// School and number of the rows of a page.
fn keys(page: &Value) -> Vec<(i64, i64)> {
    let rows = page["list"].as_array().expect("rows");
    let number = |row: &Value, field: &str| row[field].as_i64().expect("a number");
    rows.iter().map(|row| (number(row, "schoolId"), number(row, "id"))).collect()
}

/// Which schools are missing, and why.
fn left_out(page: &Value) -> Vec<(i64, &str)> {
    let notices = page["notices"].as_array().map(Vec::as_slice).unwrap_or_default();
    notices
        .iter()
        .map(|one| (one["schoolId"].as_i64().expect("a school"), one["reason"].as_str().expect("why")))
        .collect()
}

/// Other servers' word that a school has changed.
pub(crate) async fn changed(server: &Server, school: i64) {
    server.tell(&format!("school:{school}")).await;
}

/// 05 F scenario 1.
#[tokio::test]
async fn pages_follow_each_other_though_a_row_comes_in_between() {
    let server = Server::start().await;
    let third = three_schools(&server, [30, 20, 5]).await;
    let wanted = in_order(&server, &[1, 2, third]).await;
    let operator = server.operator().await;
    let first = page(&operator, 1, "").await;
    assert_eq!((&first["totalCount"], &first["totalPage"]), (&json!(55), &json!(3)));
    assert!(left_out(&first).is_empty(), "{first}");
    assert_eq!(first["list"][0]["schoolName"], json!("东湖示范学院"));
    grade(&server, 2, 2099).await;
    let later = format!("?asOf={}", first["asOf"].as_str().expect("a time").replace('+', "%2B"));
    let (second, last) = (page(&operator, 2, &later).await, page(&operator, 3, &later).await);
    let pages = [keys(&first), keys(&second), keys(&last)];
    assert_eq!(pages.each_ref().map(Vec::len), [20, 20, 15]);
    assert_eq!(pages.concat(), wanted);
    assert_eq!(wanted.iter().collect::<BTreeSet<_>>().len(), 55);
    assert_eq!((&last["totalCount"], &last["asOf"]), (&json!(55), &first["asOf"]));
    // Whoever begins anew finds it, as the first.
    let anew = page(&operator, 1, "").await;
    assert_eq!((&anew["totalCount"], &anew["list"][0]["code"]), (&json!(56), &json!("2099")));
    assert_eq!(anew["list"][0]["schoolId"], json!(2));
    // 05 F scenario 10: of one school any column gives the order, over schools none does.
    let by_name = json!({ "pageCurrent": 1, "pageSize": 20, "sortField": "name", "sortOrder": "asc" });
    let sorted = async |query: &str| operator.post(&format!("{GRADE}/list{query}"), by_name.clone()).await;
    assert_eq!(sorted("?schoolId=1").await.data()["list"][0]["code"], json!("2001"));
    assert_eq!(keys(sorted("").await.data()), keys(&anew), "newest first");
    // Words and enumerations choose in every school.
    let named = operator.post(&format!("{GRADE}/list"), json!({ "keyword": "2017" })).await;
    assert_eq!(keys(named.data()).iter().map(|(school, _)| *school).collect::<Vec<_>>(), [1, 2]);
}

/// 05 F scenario 2.
#[tokio::test]
async fn a_school_that_is_being_migrated_is_named_and_left_out() {
    let server = Server::start().await;
    let third = three_schools(&server, [30, 20, 5]).await;
    let operator = server.operator().await;
    server.run("update platform.school set schema_version = 0 where id = 2").await;
    changed(&server, 2).await;
    let shown = page(&operator, 1, "").await;
    assert_eq!(shown["totalCount"], json!(35));
    assert_eq!(shown["notices"], json!([{ "schoolId": 2, "schoolName": "南岭示范大学", "reason": "migrating" }]));
    assert_eq!(keys(&shown), in_order(&server, &[1, third]).await[..20]);
    let refused = operator.post(&format!("{GRADE}/list?schoolId=2"), json!({})).await;
    assert_eq!(refused.refused(), (409, "系统升级中，请稍后再试"));
}

/// 05 F scenario 3.
#[tokio::test]
async fn an_operator_names_his_schools_alone_and_nobody_inside_names_any() {
    let server = Server::start().await;
    let third = three_schools(&server, [3, 2, 1]).await;
    manage(&server, "operator", &[1, third]).await;
    let operator = server.operator().await;
    let shown = page(&operator, 1, "").await;
    assert_eq!((keys(&shown), left_out(&shown)), (in_order(&server, &[1, third]).await, Vec::new()));
    assert_eq!(operator.post(&format!("{GRADE}/list?schoolId=2"), json!({})).await.code(), 404);
    let one = page(&operator, 1, &format!("?schoolId={third}")).await;
    assert_eq!((&one["totalCount"], &one["list"][0]["schoolName"]), (&json!(1), &json!("北山示范职业学院")));
    let inside = server.staff(1, &["adult:pc:grade:list"]).await;
    for school in [1, 2] {
        let refused = inside.post(&format!("{GRADE}/list?schoolId={school}"), json!({})).await;
        assert_eq!((refused.status, refused.refused()), (400, (400, "请求参数不正确")));
    }
    let own = page(&inside, 1, "").await;
    assert_eq!((&own["totalCount"], &own["list"][0]["schoolId"]), (&json!(3), &json!(null)));
}

/// 05 F scenario 4.
#[tokio::test]
async fn a_list_over_schools_ends_at_ten_thousand_rows() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let list = |current: i64| json!({ "pageCurrent": current, "pageSize": 20 });
    let refused = operator.post(&format!("{GRADE}/list"), list(501)).await;
    assert_eq!(fields(&refused), ["pageCurrent: 请缩小查询范围或选择院校"]);
    assert_eq!(operator.post(&format!("{GRADE}/list"), list(500)).await.code(), 200);
    assert_eq!(operator.post(&format!("{GRADE}/list?schoolId=1"), list(501)).await.code(), 200);
}

/// 05 F scenario 5.
#[tokio::test]
async fn a_school_that_does_not_answer_keeps_nobody_waiting() {
    let server = Server::start().await;
    let third = three_schools(&server, [3, 2, 1]).await;
    let operator = server.operator().await;
    let mut holder = server.owner().await;
    holder.execute("begin; lock table school_2.grade in access exclusive mode").await.expect("locked");
    let asked = Instant::now();
    let shown = page(&operator, 1, "").await;
    assert!(asked.elapsed() < Duration::from_secs(8), "{:?}", asked.elapsed());
    assert_eq!((&shown["totalCount"], keys(&shown)), (&json!(4), in_order(&server, &[1, third]).await));
    let told = left_out(&shown);
    assert!(matches!(told[..], [(2, "timeout" | "unavailable")]), "{told:?}");
    holder.execute("rollback").await.expect("free");
    assert_eq!(page(&operator, 1, "").await["totalCount"], json!(6));
}

/// 05 F scenario 7.
#[tokio::test]
async fn above_two_hundred_schools_one_must_be_named() {
    let server = Server::start().await;
    server
        .run(
            "insert into platform.school (code, name, status, provision_state, schema_name, db_role, schema_version,
                                          schema_checksum, created_by, updated_by)
             select 'many' || n, '示范学院' || n, 'active', 'ready', s.schema_name, s.db_role, s.schema_version,
                    s.schema_checksum, 0, 0
             from platform.school s, generate_series(1, 199) n where s.id = 1",
        )
        .await;
    assert_eq!(server.one::<i64>("select count(*) from platform.school").await, 201);
    let operator = server.operator().await;
    let refused = operator.post(&format!("{GRADE}/list"), json!({})).await;
    assert_eq!(fields(&refused), ["schoolId: 请选择院校"]);
    assert_eq!(operator.post(&format!("{GRADE}/list?schoolId=1"), json!({})).await.code(), 200);
}

/// 05 F scenario 10, 05 F 2.
#[tokio::test]
async fn a_suspended_school_is_read_when_it_is_named_and_never_written() {
    let server = Server::start().await;
    three_schools(&server, [3, 2, 1]).await;
    let operator = server.operator().await;
    let suspend = json!({ "id": 2, "reason": "未续费" });
    assert_eq!(operator.put("/system/pc/sys/school/suspend", suspend).await.id(), 2);
    let shown = page(&operator, 1, "").await;
    assert_eq!((&shown["totalCount"], left_out(&shown)), (&json!(4), vec![(2, "suspended")]));
    assert_eq!(page(&operator, 1, "?schoolId=2").await["totalCount"], json!(2));
    let refused = operator.post(&format!("{GRADE}/save?schoolId=2"), json!({ "code": "2026" })).await;
    assert_eq!(refused.refused(), (403, "院校已停用或归档，仅可查看"));
    let entered = operator.get(&format!("{TEACHER}/oneClickLogin?id=1&{WHY}&schoolId=2")).await;
    assert_eq!(entered.refused(), (403, "院校已停用或归档，仅可查看"));
}

/// 03 A2.7.
#[tokio::test]
async fn the_sites_of_all_schools_are_counted_together() {
    let server = Server::start().await;
    let third = three_schools(&server, [0, 0, 0]).await;
    for (school, count) in [(1, 10), (2, 20), (third, 5)] {
        server
            .run(&format!(
                "insert into school_{school}.site (code, name, kind, created_by, updated_by)
                 select 'S' || n, '第' || n || '教学点', 'headquarter', 0, 0 from generate_series(1, {count}) n"
            ))
            .await;
    }
    let operator = server.operator().await;
    let shown = operator.post("/adult/pc/site/list", json!({ "pageSize": 50 })).await;
    assert_eq!((&shown.data()["totalCount"], keys(shown.data()).len()), (&json!(35), 35));
}

#[tokio::test]
async fn one_record_is_of_one_school_and_a_save_lands_there() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let body = json!({ "code": "2026" });
    let without = [
        operator.get(&format!("{GRADE}/view?id=1")).await,
        operator.post(&format!("{GRADE}/save"), body.clone()).await,
        operator.delete(&format!("{GRADE}/delete?id=1")).await,
        operator.post(&format!("{GRADE}/batchDel"), json!({ "ids": [1] })).await,
        operator.get(&format!("{ROLL}/view?id=1")).await,
        operator.get(&format!("{ROLL}/history?id=1")).await,
        operator.post(&format!("{ROLL}/statistics"), json!({})).await,
        operator.get(&format!("{TEACHER}/oneClickLogin?id=1&{WHY}")).await,
        operator.post(&format!("{ACCOUNT}/resetPassword"), json!({ "items": [{ "id": 1, "version": 1 }] })).await,
    ];
    for answer in &without {
        assert_eq!(fields(answer), ["schoolId: 请选择院校"]);
    }
    let id = operator.post(&format!("{GRADE}/save?schoolId=2"), body).await.id();
    let seen = operator.get(&format!("{GRADE}/view?id={id}&schoolId=2")).await;
    assert_eq!(seen.data()["code"], json!("2026"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.grade").await, 0);
    let trail: Vec<(String, String)> = sqlx::query_as(
        "select actor_type, actor_name from school_2.audit_log where entity_type = 'grade' and action = 'insert'",
    )
    .fetch_all(&mut server.owner().await)
    .await
    .expect("the trail");
    assert_eq!(trail, [("platform".to_owned(), "运营一".to_owned())]);
}

/// 02 §12.2, §12.3: what the operators' area does with people.
#[tokio::test]
async fn students_of_all_schools_are_listed_masked_and_their_accounts_kept() {
    let server = Server::start().await;
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let mut ids = Vec::new();
    for (school, count) in [(1, 3), (2, 2)] {
        let staff = server.staff(school, &codes).await;
        let p = cohort(&staff).await;
        for n in 1..=count {
            ids.push((school, save(&staff, student(&p, n)).await));
        }
    }
    let operator = server.operator().await;
    // The newest first.
    let newest: Vec<(i64, i64)> = ids.iter().rev().copied().collect();
    for entity in [ROLL, ACCOUNT] {
        let listed = operator.post(&format!("{entity}/list"), json!({})).await;
        assert_eq!((&listed.data()["totalCount"], keys(listed.data())), (&json!(5), newest.clone()), "{entity}");
        let text = listed.body.to_string();
        assert!(!text.contains("15400000001") && !text.contains(&id_number(1)), "{text}");
        assert_eq!(listed.data()["list"][0]["phone"], json!("154****0002"), "{entity}");
        let few = operator.post(&format!("{entity}/list"), json!({ "keyword": "2600000003" })).await;
        assert_eq!(keys(few.data()), [ids[2]], "{entity}");
    }
    let never = operator.post(&format!("{ACCOUNT}/list"), json!({ "signedIn": true })).await;
    assert_eq!(never.data()["totalCount"], json!(0));

    let (_, id) = ids[3];
    let path = |step: &str| format!("{ACCOUNT}/{step}?schoolId=2");
    let seen = operator.get(&format!("{ACCOUNT}/view?id={id}&schoolId=2")).await;
    let account = &seen.data()["account"];
    assert_eq!(seen.data()["student"]["phone"], json!("154****0001"));
    let items = json!({ "items": [{ "id": id, "version": account["accountVersion"] }] });
    assert_eq!(operator.post(&path("resetPassword"), items).await.data()["done"], json!(1));
    let counted = operator.post(&format!("{ROLL}/statistics?schoolId=2"), json!({})).await;
    assert_eq!(counted.data()["total"], json!(2));
    let history = operator.get(&format!("{ROLL}/history?id={id}&schoolId=2")).await;
    assert_eq!(history.data()[0]["kind"], json!("enrol"));
    let whole = json!({ "entity": "student", "id": id, "field": "phone" });
    let whole = operator.post("/system/pc/plain/view?schoolId=2", whole).await;
    assert_eq!(whole.data()["value"], json!("15400000001"));
    // What is done to the register is done inside.
    let divide = json!({ "items": [{ "id": id, "version": 1 }], "classId": null });
    assert_eq!(operator.put(&format!("{ACCOUNT}/divide"), divide).await.code(), 403);
    let opened = server.one::<i64>("select count(*) from school_2.audit_log where actor_type = 'platform'").await;
    assert_eq!(opened, 1, "the password alone was changed");
}

/// 02 §12.1–2, 01 §1.4.14.
#[tokio::test]
async fn an_operator_edits_a_teacher_and_signs_in_as_him_from_outside() {
    let server = Server::start().await;
    let (_, id) = school(&server).await;
    let operator = server.operator().await;
    let listed = operator.post(&format!("{TEACHER}/list"), json!({})).await;
    let row = &listed.data()["list"][0];
    assert_eq!((&row["schoolId"], &row["phone"]), (&json!(1), &json!("139****0001")));
    let mut edit = teacher(row["organizationId"].as_i64().expect("a unit"), 1);
    (edit["id"], edit["version"], edit["title"]) = (json!(id), row["version"].clone(), json!("professor"));
    assert_eq!(operator.put(&format!("{TEACHER}/edit?schoolId=1"), edit.clone()).await.code(), 200);
    assert_eq!(operator.put(&format!("{TEACHER}/edit?schoolId=2"), edit).await.code(), 404, "nobody there");
    assert_eq!(operator.delete(&format!("{TEACHER}/delete?id={id}")).await.code(), 403, "that is done inside");

    let answer = operator.get(&format!("{TEACHER}/oneClickLogin?id={id}&{WHY}&schoolId=1")).await;
    let inside = with_token(&server, &answer);
    assert_eq!(inside.get("/user/client/menu").await.code(), 200);
    let logged: i64 = server
        .one("select count(*) from platform.login_log where event = 'one_click' and school_id = 1 and reason = '核对课程'")
        .await;
    assert_eq!(logged, 1);
    let trail: String = server
        .one("select actor_type || ' ' || changes::text from school_1.audit_log where action = 'oneClickLogin'")
        .await;
    assert!(trail.starts_with("platform ") && trail.contains("运营一") && trail.contains("核对课程"), "{trail}");
    assert_eq!(operator.post("/system/pc/sys/user/logout", json!({})).await.code(), 200);
    assert_eq!(inside.get("/user/client/menu").await.code(), 303, "it ends with the operator's own");
}

/// 02 §12.4: the operators' screen of the people who look after the sites.
#[tokio::test]
async fn the_staff_of_sites_are_appointed_from_outside() {
    let server = Server::start().await;
    let staff = registrar(&server).await;
    let site = cohort(&staff).await.site;
    let operator = server.operator().await;
    let person = json!({ "siteId": site, "name": "刘站长", "phone": "13600000001", "duty": "principal" });
    let id = operator.post("/user/pc/siteStaff/save?schoolId=1", person.clone()).await.id();
    let elsewhere = operator.post("/user/pc/siteStaff/save?schoolId=2", person).await;
    assert_eq!(fields(&elsewhere), ["siteId: 所选站点不存在，请重新选择"]);
    let listed = operator.post("/user/pc/siteStaff/list", json!({ "duty": "principal" })).await;
    assert_eq!(keys(listed.data()), [(1, id)]);
    assert_eq!(listed.data()["list"][0]["phone"], json!("136****0001"));
    assert_eq!(operator.post("/user/pc/classManager/list", json!({})).await.code(), 403, "the schools' own");
}

/// 05 F scenario 8, with fewer schools.
#[tokio::test]
async fn an_export_over_schools_ends_with_those_that_are_missing() {
    let server = Server::start().await;
    let third = three_schools(&server, [3, 2, 4]).await;
    let operator = server.operator().await;
    let whole = operator.post(&format!("{GRADE}/export"), json!({})).await;
    let rows = texts(&whole.bytes);
    assert_eq!(rows[0][..2], ["院校", "编码"]);
    let schools: Vec<&str> = rows[1..].iter().map(|row| row[0].as_str()).collect();
    let wanted = [vec!["东湖示范学院"; 3], vec!["南岭示范大学"; 2], vec!["北山示范职业学院"; 4]].concat();
    assert_eq!(schools, wanted);

    server.run("alter table school_2.grade rename to gone").await;
    server.run(&format!("update platform.school set status = 'suspended' where id = {third}")).await;
    changed(&server, third).await;
    let part = operator.post(&format!("{GRADE}/export"), json!({})).await;
    let schools: BTreeSet<String> = texts(&part.bytes)[1..].iter().map(|row| row[0].clone()).collect();
    assert_eq!(schools.into_iter().collect::<Vec<_>>(), ["东湖示范学院"]);
    let missing = texts_of(&part.bytes, 1);
    assert_eq!(missing[1], ["北山示范职业学院", "已停用"]);
    assert_eq!(missing[2], ["南岭示范大学", "系统繁忙，请稍后再试"]);

    let job = operator.post(&format!("{GRADE}/export?job=true"), json!({})).await.data()["jobId"].clone();
    server
        .wait_until(&format!("select state <> 'queued' and state <> 'running' from platform.job where id = {job}"))
        .await;
    let ended = operator.get(&format!("/system/pc/job/view?id={job}")).await;
    assert_eq!(
        ended.data()["message"],
        json!("部分完成：共导出3行，2所院校未完成，见最后一张工作表"),
        "{}",
        ended.body
    );
}
