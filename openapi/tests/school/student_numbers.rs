//! Student numbers: rules, allocation, preview, sheets (part 02 §9.4, §9.12 scenarios 1 and 2).

use kit::{
    Client, Server,
    cohort::{Cohort, cohort, registrar},
    fields,
    imports::undone,
    jobs::ended,
    rows::{setting, students},
    sheets::{import, row_errors, texts},
    students::{HEADINGS, ROLL, import_rows, row, save, student},
};
use serde_json::{Value, json};

const RULE: &str = "/adult/pc/studentRoll/studentNoRule";
const NUMBER: &str = "/adult/pc/studentRoll/studentNo";

fn segment(kind: &str, length: i64) -> Value {
    json!({ "kind": kind, "length": length })
}

fn rule(name: &str, grades: &[i64], segments: Value) -> Value {
    json!({ "name": name, "gradeIds": grades, "segments": segments, "sortBy": "examinee_no", "enabled": true })
}

/// `grade_year2 + level1(专升本=3) + major4 + site3 + seq4`.
fn worked(p: &Cohort) -> Value {
    json!([
        segment("grade_year", 2),
        { "kind": "level", "length": 1, "values": [{ "key": p.level.to_string(), "code": "3" }] },
        segment("major", 4),
        segment("site", 3),
        segment("seq", 4),
    ])
}

/// The cohort with the worked codes: major 0412 and site 007.
async fn coded(server: &Server, admin: &Client<'_>) -> Cohort {
    let p = cohort(admin).await;
    server.run("update school_1.major set code = '412'; update school_1.site set code = '7'").await;
    p
}

/// Students without a number, in the order of their examinee numbers.
async fn unnumbered(admin: &Client<'_>, p: &Cohort, numbers: std::ops::Range<usize>) -> Vec<i64> {
    let mut ids = Vec::new();
    for n in numbers {
        let mut body = student(p, n);
        body["studentNo"] = Value::Null;
        body["examineeNo"] = json!(format!("2642010115{n:04}"));
        ids.push(save(admin, body).await);
    }
    ids
}

fn items(ids: &[i64]) -> Value {
    json!({ "items": ids.iter().map(|id| json!({ "id": id, "version": 1 })).collect::<Vec<_>>() })
}

async fn numbers(server: &Server) -> Vec<Option<String>> {
    server.one("select array_agg(student_no order by examinee_no) from school_1.student").await
}

#[tokio::test]
async fn the_worked_number_is_given_and_an_imported_one_is_skipped() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    let ids = unnumbered(&admin, &p, 1..4).await;
    let made = admin.post(&format!("{RULE}/save"), rule("2026级", &[p.grade], worked(&p))).await;
    assert_eq!(made.code(), 200, "{}", made.body);
    server.run("insert into school_1.student_no_counter (scope_key, last_no) values ('2630412007', 22)").await;
    let first = admin.post(&format!("{NUMBER}/generate"), items(&ids[..1])).await;
    assert_eq!(first.data()["done"], json!(1), "{}", first.body);
    assert_eq!(numbers(&server).await[0].as_deref(), Some("26304120070023"));
    let mut other = student(&p, 9);
    other["studentNo"] = json!("26304120070024");
    other["examineeNo"] = json!("26420101159999");
    save(&admin, other).await;
    assert_eq!(admin.post(&format!("{NUMBER}/generate"), items(&ids[1..])).await.data()["done"], json!(2));
    let given: Vec<String> = numbers(&server).await.into_iter().flatten().collect();
    assert_eq!(given, ["26304120070023", "26304120070025", "26304120070026", "26304120070024"]);
    // Their accounts follow the number, and who has one gets no other.
    let logins: Vec<String> =
        server.one("select array_agg(login_name order by login_name) from school_1.client_account").await;
    assert_eq!(logins, ["26304120070023", "26304120070024", "26304120070025", "26304120070026"]);
    let again = json!({ "items": [{ "id": ids[0], "version": 2 }] });
    let again = admin.post(&format!("{NUMBER}/generate"), again).await;
    assert_eq!(again.data()["failed"][0]["msg"], json!("已有学号26304120070023，不能重新生成"));
}

#[tokio::test]
async fn a_grade_has_one_enabled_rule() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    let year = |name: &str, grades: &[i64]| rule(name, grades, json!([segment("grade_year", 4), segment("seq", 6)]));
    let first = admin.post(&format!("{RULE}/save"), year("甲", &[p.grade])).await.id();
    let refused = admin.post(&format!("{RULE}/save"), year("乙", &[p.grade])).await;
    assert_eq!(refused.refused(), (409, "年级已有启用的学号规则，请先停用原规则"));
    assert_eq!(admin.post(&format!("{RULE}/save"), year("全部", &[])).await.code(), 200);
    let refused = admin.post(&format!("{RULE}/save"), year("又一个", &[])).await;
    assert_eq!(refused.refused(), (409, "年级已有启用的学号规则，请先停用原规则"));
    // Switched off, it leaves the grade to another; two versions are not mixed.
    let mut off = year("甲", &[p.grade]);
    (off["id"], off["version"], off["enabled"]) = (json!(first), json!(1), json!(false));
    assert_eq!(admin.put(&format!("{RULE}/edit"), off.clone()).await.code(), 200);
    assert_eq!(admin.put(&format!("{RULE}/edit"), off.clone()).await.code(), 409);
    assert_eq!(admin.post(&format!("{RULE}/save"), year("乙", &[p.grade])).await.code(), 200);
    (off["version"], off["enabled"]) = (json!(2), json!(true));
    assert_eq!(admin.put(&format!("{RULE}/edit"), off).await.code(), 409);
    let shown = admin.get(&format!("{RULE}/list")).await;
    let names: Vec<&str> =
        shown.data().as_array().expect("rules").iter().filter_map(|rule| rule["name"].as_str()).collect();
    assert_eq!(names, ["乙", "全部", "甲"]);
}

#[tokio::test]
async fn a_rule_that_something_does_not_fit_is_not_saved() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    let refused = admin
        .post(&format!("{RULE}/save"), rule("短", &[p.grade], json!([segment("level", 1), segment("seq", 4)])))
        .await;
    assert_eq!(fields(&refused), ["segments: 层次“专升本”的编码ZSB超过1位，请在学号规则中设置对应值"]);
    let refused = admin.post(&format!("{RULE}/save"), rule("无", &[p.grade], json!([segment("major", 4)]))).await;
    assert_eq!(fields(&refused), ["segments: 须有且只有一个顺序号，并放在最后"]);
}

/// The next ten are shown, nothing is used up, and the gap of a number that somebody has is left out.
#[tokio::test]
async fn a_preview_shows_the_next_ten_and_uses_none() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    unnumbered(&admin, &p, 1..13).await;
    let mut taken = student(&p, 99);
    taken["studentNo"] = json!("26304120070002");
    save(&admin, taken).await;
    let wanted = json!({ "rule": rule("2026级", &[p.grade], worked(&p)) });
    for _ in 0..2 {
        let shown = admin.post(&format!("{RULE}/preview"), wanted.clone()).await;
        let mut shown: Vec<String> = shown
            .data()
            .as_array()
            .expect("numbers")
            .iter()
            .map(|row| row["studentNo"].as_str().unwrap_or("—").to_owned())
            .collect();
        shown.sort();
        let expected: Vec<String> = (1..=11).filter(|no| *no != 2).map(|no| format!("2630412007{no:04}")).collect();
        assert_eq!(shown, expected);
    }
    assert_eq!(server.one::<i64>("select count(*) from school_1.student_no_counter").await, 0);
}

#[tokio::test]
async fn when_the_running_numbers_are_used_up_the_rest_is_told() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    let ids = unnumbered(&admin, &p, 1..4).await;
    let short = rule("短", &[], json!([segment("grade_year", 2), segment("seq", 3)]));
    assert_eq!(admin.post(&format!("{RULE}/save"), short).await.code(), 200);
    server.run("insert into school_1.student_no_counter (scope_key, last_no) values ('26', 997)").await;
    let answer = admin.post(&format!("{NUMBER}/generate"), items(&ids)).await;
    assert_eq!(answer.data()["done"], json!(2));
    assert_eq!(answer.data()["failed"][0]["msg"], json!("学号序号已用尽，请修改规则"));
    let given: Vec<String> = numbers(&server).await.into_iter().flatten().collect();
    assert_eq!(given, ["26998", "26999"]);
}

#[tokio::test]
async fn two_registrars_at_once_give_different_numbers() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    let ids = unnumbered(&admin, &p, 1..21).await;
    let year = rule("全部", &[], json!([segment("grade_year", 4), segment("seq", 6)]));
    assert_eq!(admin.post(&format!("{RULE}/save"), year).await.code(), 200);
    let (mine, theirs) = (items(&ids[..10]), items(&ids[10..]));
    let path = format!("{NUMBER}/generate");
    let (mine, theirs) = tokio::join!(admin.post(&path, mine), admin.post(&path, theirs));
    assert_eq!((mine.data()["done"].clone(), theirs.data()["done"].clone()), (json!(10), json!(10)));
    let given: i64 = server.one("select count(distinct student_no) from school_1.student where student_no between '2026000001' and '2026000020'").await;
    assert_eq!(given, 20);
}

/// A number stays used when its student has gone: neither a form nor a sheet gives it again.
#[tokio::test]
async fn a_number_is_given_once_for_ever() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    let gone = save(&admin, student(&p, 1)).await;
    server
        .run(&format!(
            "delete from school_1.client_account where owner_id = {gone}; delete from school_1.student_status_change where student_id = {gone};
             delete from school_1.student where id = {gone}"
        ))
        .await;
    let mut again = student(&p, 2);
    again["studentNo"] = json!("2600000001");
    let refused = admin.post(&format!("{ROLL}/save"), again).await;
    assert_eq!(fields(&refused), ["studentNo: 学号已被使用过，不能重复使用"]);
    unnumbered(&admin, &p, 3..5).await;
    let headings = ["考生号", "姓名", "学号"];
    let rows: [&[&str]; 2] = [&["26420101150003", "张晓梅", "2600000001"], &["26420101150004", "张晓眉", "26-1"]];
    let answer = import(&admin, NUMBER, &headings, &rows).await;
    assert_eq!(
        row_errors(answer.data()),
        [
            "2 学号: 学号已被使用过，不能重复使用",
            "3 姓名: 与学籍中的姓名不一致",
            "3 学号: 学号格式不正确：应为4至20位数字或大写字母"
        ]
    );
    let rows: [&[&str]; 2] = [&["26420101150003", "张晓梅", "2600000008"], &["26420101150004", "张晓梅", "2600000007"]];
    let answer = import(&admin, NUMBER, &headings, &rows).await;
    assert_eq!(answer.data()["imported"], json!(2), "{}", answer.body);
    let rows: [&[&str]; 1] = [&["26420101150003", "张晓梅", "2600000009"]];
    let answer = import(&admin, NUMBER, &headings, &rows).await;
    assert_eq!(row_errors(answer.data()), ["2 学号: 该生已有学号2600000008"]);
}

/// By the setting a number comes with the entry into the register or with the registration.
#[tokio::test]
async fn numbers_come_with_the_entry_or_with_the_registration() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    let year = rule("全部", &[], json!([segment("grade_year", 4), segment("seq", 6)]));
    assert_eq!(admin.post(&format!("{RULE}/save"), year).await.code(), 200);
    unnumbered(&admin, &p, 1..2).await;
    assert_eq!(numbers(&server).await, [Some("2026000001".to_owned())]);
    setting(&server, "studentNoAt", &json!("register")).await;
    let mut waiting = student(&p, 2);
    (waiting["studentNo"], waiting["status"]) = (Value::Null, json!("pending_registration"));
    waiting["examineeNo"] = json!("26420101150002");
    let id = save(&admin, waiting).await;
    assert_eq!(numbers(&server).await[1], None);
    let mut body = items(&[id]);
    body["registeredOn"] = json!("2026-03-20");
    let answer = admin.put(&format!("{ROLL}/register"), body).await;
    assert_eq!(answer.data()["done"], json!(1), "{}", answer.body);
    assert_eq!(numbers(&server).await[1].as_deref(), Some("2026000002"));
}

/// Of a big cohort too: the parts of a long step go on from each other.
#[tokio::test]
async fn a_cohort_is_numbered_in_the_order_of_its_rule() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    students(&server, &p, p.site, None, 1, 1_200).await;
    // Whom the list shows first come last by their examinee numbers.
    server
        .run(
            "update school_1.student set student_no = null,
                    examinee_no = '2642' || lpad((5000 - row_number)::text, 10, '0')
             from (select id as of, row_number() over (order by id) from school_1.student) n where id = n.of",
        )
        .await;
    let year = rule("全部", &[], json!([segment("grade_year", 4), segment("seq", 6)]));
    assert_eq!(admin.post(&format!("{RULE}/save"), year).await.code(), 200);
    let next = admin
        .post(
            &format!("{RULE}/preview"),
            json!({ "rule": rule("再一个", &[], json!([segment("grade_year", 4), segment("seq", 6)])) }),
        )
        .await;
    let shown: Vec<&str> =
        next.data().as_array().expect("numbers").iter().filter_map(|row| row["name"].as_str()).collect();
    let firsts: Vec<String> = server
        .one("select array_agg(name order by examinee_no) from (select name, examinee_no from school_1.student order by examinee_no limit 10) s")
        .await;
    assert_eq!(shown, firsts, "the preview shows who is next");
    let started = admin.post(&format!("{NUMBER}/generate"), json!({ "filter": {} })).await;
    let job = ended(&admin, &started.data()["jobId"]).await;
    assert_eq!(job["message"], json!("共1200条，成功1200条，失败0条"), "{job}");
    let given = numbers(&server).await;
    let expected: Vec<Option<String>> = (1..=1_200).map(|no| Some(format!("2026{no:06}"))).collect();
    assert_eq!(given, expected);
}

/// A sheet is numbered as a whole, behind its last row.
#[tokio::test]
async fn a_sheet_is_numbered_in_the_order_of_its_rule() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    server.run("update school_1.major set code = 'KJ'; update school_1.site set code = 'CD'").await;
    let year = rule("全部", &[p.grade], json!([segment("grade_year", 4), segment("seq", 6)]));
    assert_eq!(admin.post(&format!("{RULE}/save"), year).await.code(), 200);
    let headings: Vec<&str> =
        HEADINGS.iter().map(|heading| if *heading == "学号" { "考生号" } else { *heading }).collect();
    let rows: Vec<Vec<String>> = (1..=1_010)
        .map(|n| {
            let mut cells = row(n).to_vec();
            cells[3] = format!("2642{:010}", 5_000 - n);
            cells
        })
        .collect();
    let answer = import_rows(&admin, &headings, &rows).await;
    assert_eq!(answer.data()["imported"], json!(1_010), "{}", answer.body);
    let expected: Vec<Option<String>> = (1..=1_010).map(|no| Some(format!("2026{no:06}"))).collect();
    assert_eq!(numbers(&server).await, expected);
}

/// Where numbers come with the registration, who comes registered has one; who waits for it gets theirs then.
#[tokio::test]
async fn who_comes_registered_has_a_number() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    server.run("update school_1.major set code = 'KJ'; update school_1.site set code = 'CD'").await;
    let year = rule("全部", &[], json!([segment("grade_year", 4), segment("seq", 6)]));
    assert_eq!(admin.post(&format!("{RULE}/save"), year).await.code(), 200);
    setting(&server, "studentNoAt", &json!("register")).await;
    let headings: Vec<&str> =
        HEADINGS.iter().map(|heading| if *heading == "学号" { "考生号" } else { *heading }).collect();
    let line = |n: usize, status: &str| {
        let mut cells = row(n).to_vec();
        (cells[3], cells[11]) = (format!("2642{n:010}"), status.to_owned());
        cells
    };
    let answer = import_rows(&admin, &headings, &[line(1, "待注册"), line(2, "在籍")]).await;
    assert_eq!(answer.data()["imported"], json!(2), "{}", answer.body);
    assert_eq!(numbers(&server).await, [None, Some("2026000001".to_owned())]);
    let mut third = student(&p, 3);
    (third["studentNo"], third["examineeNo"]) = (Value::Null, json!("26420000000003"));
    save(&admin, third).await;
    assert_eq!(numbers(&server).await[2].as_deref(), Some("2026000002"), "typed as well as imported");
}

/// 学信网 takes 15 characters: who makes the rule is told, and who gives the numbers.
#[tokio::test]
async fn numbers_that_are_too_wide_are_told() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    let wide = |version: i32, id: i64| {
        let mut rule = rule("宽", &[], json!([segment("grade_year", 4), segment("site", 6), segment("seq", 6)]));
        (rule["id"], rule["version"]) = (json!(id), json!(version));
        rule
    };
    let mut new = wide(0, 0);
    for field in ["id", "version"] {
        new.as_object_mut().expect("a body").remove(field);
    }
    let saved = admin.post(&format!("{RULE}/save"), new).await;
    let told = json!(["学号共16位，学信网只接收15位，请核对"]);
    assert_eq!(saved.data()["warnings"], told, "{}", saved.body);
    assert_eq!(admin.put(&format!("{RULE}/edit"), wide(1, saved.id())).await.data()["warnings"], told);
    students(&server, &p, p.site, None, 1, 3).await;
    server.run("update school_1.student set student_no = null").await;
    let first: i64 = server.one("select min(id) from school_1.student").await;
    let msg = "学号超过15位，学信网只接收15位，请核对";
    let answer = admin.post(&format!("{NUMBER}/generate"), items(&[first])).await;
    assert_eq!(answer.data()["warnings"], json!([{ "id": first, "name": "学生1", "msg": msg }]), "{}", answer.body);
    // Of a long step the job tells it, with a file of the rows.
    let started = admin.post(&format!("{NUMBER}/generate"), json!({ "filter": {} })).await;
    let job = ended(&admin, &started.data()["jobId"]).await;
    assert_eq!(job["message"], json!("共3条，成功2条，失败1条，2条提醒请核对"), "{job}");
    assert_eq!(job["warnings"][0]["msg"], json!(msg));
    let file = job["fileUrl"].as_str().expect("a file");
    let file = admin.raw(poem::http::Method::GET, file, None, Vec::new()).await;
    let lines = texts(&file.into_body().into_vec().await.expect("bytes"));
    let outcomes: Vec<&str> = lines.iter().map(|line| line[2].as_str()).collect();
    assert_eq!(outcomes, ["结果", "失败", "提醒", "提醒"], "{lines:?}");
}

/// What is wrong with a row is told at the row; numbers are read however they are typed.
#[tokio::test]
async fn a_sheet_of_numbers_folds_and_looks_at_login_names() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    let ids = unnumbered(&admin, &p, 1..4).await;
    server
        .run(&format!(
            "update school_1.client_account set login_name = '2600000055' where owner_id = {};
             update school_1.student set examinee_no = '26420101150003X' where id = {}",
            ids[0], ids[2]
        ))
        .await;
    let headings = ["考生号", "姓名", "学号"];
    let rows: [&[&str]; 2] = [&["26420101150002", "张晓梅", "2600000055"], &["26420101150001", "张晓梅", "2600000001"]];
    let told = import(&admin, NUMBER, &headings, &rows).await;
    assert_eq!(told.code(), 200, "{}", told.body);
    assert_eq!(row_errors(told.data()), ["2 学号: 登录名“2600000055”已被其他账号使用"]);
    // The own login name is no hindrance; full width and small letters are what they stand for.
    let rows: [&[&str]; 2] = [
        &["26420101150001", "张晓梅", "２６０００００055"],
        &["２６４２０１０１１５０００３x", "张晓梅", "26a0000003"],
    ];
    let answer = import(&admin, NUMBER, &headings, &rows).await;
    assert_eq!(answer.data()["imported"], json!(2), "{}", answer.body);
    let given: Vec<String> =
        server.one("select array_agg(student_no order by id) from school_1.student where student_no is not null").await;
    assert_eq!(given, ["2600000055", "26A0000003"]);
    let card: [&[&str]; 1] = [&[&kit::students::id_number(2).replace('4', "４"), "张晓梅", "2600000002"]];
    let answer = import(&admin, NUMBER, &["证件号", "姓名", "学号"], &card).await;
    assert_eq!(answer.data()["imported"], json!(1), "{}", answer.body);
}

/// Numbers that came by a sheet go, and a mended sheet may bring them again; whoever went on with theirs keeps it.
#[tokio::test]
async fn imported_numbers_go_back_and_stay_used() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = coded(&server, &admin).await;
    let ids = unnumbered(&admin, &p, 1..3).await;
    let headings = ["考生号", "姓名", "学号"];
    let rows: [&[&str]; 2] = [&["26420101150001", "张晓梅", "2600000001"], &["26420101150002", "张晓梅", "2600000002"]];
    let answer = import(&admin, NUMBER, &headings, &rows).await;
    assert_eq!(answer.data()["imported"], json!(2), "{}", answer.body);
    let edit = json!({ "id": ids[0], "version": 2, "remark": "已核对" });
    assert_eq!(admin.put(&format!("{ROLL}/edit"), edit).await.code(), 200);
    let checked = undone(&admin, true).await;
    assert_eq!(checked["message"], json!("共2条，可撤销1条，1条不能撤销"), "{checked}");
    let done = undone(&admin, false).await;
    assert_eq!(done["message"], json!("共2条，已撤销1条，1条保留"), "{done}");
    assert_eq!(numbers(&server).await, [Some("2600000001".to_owned()), None]);
    let login: String =
        server.one(&format!("select login_name from school_1.client_account where owner_id = {}", ids[1])).await;
    assert_eq!(login, "26420101150002", "they sign in as before");
    let again = import(&admin, NUMBER, &headings, &rows[1..]).await;
    assert_eq!(again.data()["imported"], json!(1), "the mended sheet brings it again: {}", again.body);
}
