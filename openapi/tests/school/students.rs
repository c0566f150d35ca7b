//! The register of students and their accounts (part 02 §0.2–0.6, §9, §12.3; part 05 E4–E5).

use kit::{
    Client, Server,
    cohort::{cohort, registrar},
    fields,
    rows::setting,
    sheets::{XLSX, row_errors, texts},
    students::{HEADINGS, ROLL, id_number, import_rows, row, save, student},
};
use serde_json::{Value, json};
use student_status::enums::StudentStatus;

const ACCOUNT: &str = "/user/pc/student";
const PLAIN: &str = "/system/pc/plain/view";

fn with(mut body: Value, changes: Value) -> Value {
    for (field, value) in changes.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

/// Rules and statements count the same students as in the register: the column is generated from the status.
#[tokio::test]
async fn the_database_and_the_rules_agree_on_who_is_in_the_register() {
    let server = Server::start().await;
    let generated: String = server
        .one(
            "select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d
             join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
             where d.adrelid = 'school_1.student'::regclass and a.attname = 'active'",
        )
        .await;
    for (word, status) in StudentStatus::CHOICES {
        let active: bool =
            server.one(&format!("select {generated} from (values ('{}')) as s (status)", status.as_str())).await;
        assert_eq!(active, status.is_active(), "{word}");
    }
}

#[tokio::test]
async fn key_fields_are_not_edited() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = save(&admin, student(&p, 1)).await;
    let edit = |changes: Value| with(json!({ "id": id, "version": 1 }), changes);
    for change in [
        json!({ "idCardNo": id_number(2) }),
        json!({ "name": "李四" }),
        json!({ "schoolingYears": 3 }),
        json!({ "enrolledOn": "2026-03-02" }),
    ] {
        let refused = admin.put(&format!("{ROLL}/edit"), edit(change)).await;
        assert_eq!(refused.refused(), (409, "该字段为学籍关键信息，请走信息更正或学籍异动"));
    }
    let other =
        admin.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西", "kind": "headquarter" })).await.id();
    let moved = admin.put(&format!("{ROLL}/edit"), edit(json!({ "siteId": other }))).await;
    assert_eq!(moved.refused(), (409, "当前学籍状态为在籍，站点和班级请走学籍异动或分班"));
    // What the form was filled with may come back, masked.
    let masked = admin.get(&format!("{ROLL}/view?id={id}")).await.data()["idCardNo"].clone();
    let saved = admin
        .put(&format!("{ROLL}/edit"), edit(json!({ "idCardNo": masked, "phone": "154****0001", "workUnit": "某公司" })))
        .await;
    assert_eq!(saved.code(), 200, "{}", saved.body);
    let stored: String = server.one("select id_card_no || phone || work_unit from school_1.student").await;
    assert_eq!(stored, format!("{}15400000001某公司", id_number(1)));
}

#[tokio::test]
async fn wrong_id_numbers_are_told_at_their_field_by_save_and_by_import() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let cases = [
        (json!({ "idCardNo": "1101051949" }), "idCardNo: 身份证号长度应为18位"),
        (json!({ "idCardNo": "110105194912310021" }), "idCardNo: 身份证号校验位错误，应为X"),
        (json!({ "idCardNo": "440524188001010014" }), "idCardNo: 身份证号中的出生日期无效"),
        (json!({ "idCardNo": "11010519491231002X", "gender": "male" }), "gender: 性别与身份证号不符"),
        (json!({ "idCardNo": "11010519491231002X", "birthday": "1949-12-30" }), "birthday: 出生日期与身份证号不符"),
    ];
    for (change, told) in cases {
        let refused = admin.post(&format!("{ROLL}/save"), with(student(&p, 1), change)).await;
        assert_eq!(fields(&refused), [told]);
    }
    let headings: Vec<&str> = HEADINGS.into_iter().chain(["性别"]).collect();
    let numbers =
        [("1101051949", ""), ("110105194912310021", ""), ("440524188001010014", ""), ("11010519491231002X", "男")];
    let rows: Vec<Vec<String>> = (1..)
        .zip(numbers)
        .map(|(n, (number, gender))| {
            let mut cells = row(n).to_vec();
            cells[1] = number.to_owned();
            cells.push(gender.to_owned());
            cells
        })
        .collect();
    let answer = import_rows(&admin, &headings, &rows).await;
    let told = [
        "2 证件号: 身份证号长度应为18位",
        "3 证件号: 身份证号校验位错误，应为X",
        "4 证件号: 身份证号中的出生日期无效",
        "5 性别: 性别与身份证号不符",
    ];
    assert_eq!(row_errors(answer.data()), told);
    assert_eq!(server.one::<i64>("select count(*) from school_1.student").await, 0);
}

#[tokio::test]
async fn an_old_number_of_15_digits_is_the_new_one_of_18() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    save(&admin, with(student(&p, 1), json!({ "idCardNo": "110105491231002", "studentNo": "26000001" }))).await;
    let stored: String = server.one("select id_card_no || gender || birthday from school_1.student").await;
    assert_eq!(stored, "11010519491231002Xfemale1949-12-31");
    let again = with(student(&p, 2), json!({ "idCardNo": " 11010519491231002x " }));
    let refused = admin.post(&format!("{ROLL}/save"), again).await;
    assert_eq!(fields(&refused), ["idCardNo: 该人员为在籍学生（26000001），不能重复建档"]);
    let resident = json!({ "idCardType": "hmt_residence", "idCardNo": "810000199003070015" });
    assert_eq!(admin.post(&format!("{ROLL}/save"), with(student(&p, 3), resident)).await.code(), 200);
}

#[tokio::test]
async fn a_person_has_one_active_enrolment_and_a_number_is_never_used_again() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let p = cohort(&admin).await;
    let path = format!("{ROLL}/save");
    let same = |no: &str, status: &str| with(student(&p, 1), json!({ "studentNo": no, "status": status }));
    let (a, b) = tokio::join!(
        admin.post(&path, same("26000001", "registered")),
        other.post(&path, same("26000002", "suspended"))
    );
    let (saved, refused, no) = if a.code() == 200 { (a, b, "26000001") } else { (b, a, "26000002") };
    assert_eq!(saved.code(), 200, "{}", saved.body);
    assert_eq!(refused.code(), 422, "{}", refused.body);
    let third = admin.post(&path, same("26000003", "pending_registration")).await;
    assert_eq!(fields(&third), [format!("idCardNo: 该人员为在籍学生（{no}），不能重复建档")]);
    for (no, status) in [("20000001", "graduated"), ("20000002", "transferred_out")] {
        assert_eq!(admin.post(&path, same(no, status)).await.code(), 200);
    }
    let taken = admin.post(&path, with(student(&p, 2), json!({ "studentNo": "20000001" }))).await;
    assert_eq!(fields(&taken), ["studentNo: 学号“20000001”已存在"]);
    // The database says the same when nobody asked it first.
    use sqlx::Executor;
    let revive = "update school_1.student set status = 'registered' where student_no = '20000001'";
    let told = server.owner().await.execute(revive).await.expect_err("a second active enrolment");
    assert!(told.to_string().contains("student_id_card_active_taken"), "{told}");
}

#[tokio::test]
async fn a_keyword_is_a_number_a_phone_a_prefix_initials_or_part_of_a_name() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let a = save(
        &admin,
        with(student(&p, 1), json!({ "name": "王小明", "studentNo": "26300412001", "examineeNo": "26420101150001" })),
    )
    .await;
    let b = save(
        &admin,
        with(
            student(&p, 2),
            json!({ "name": "欧阳娜娜", "studentNo": "26300412002", "idCardNo": "11010519491231002X" }),
        ),
    )
    .await;
    let c = save(&admin, with(student(&p, 3), json!({ "name": "小王", "studentNo": "2639" }))).await;
    let cases: [(&str, &[i64]); 15] = [
        (&id_number(1), &[a]),
        ("11010519491231002x", &[b]),
        ("110105491231002", &[b]),
        ("15400000003", &[c]),
        ("15400000009", &[]),
        ("2630041", &[b, a]),
        ("26420101150001", &[a]),
        ("2642", &[a]),
        ("263", &[]),
        ("小", &[c, a]),
        ("阳娜", &[b]),
        ("王小", &[a]),
        ("oynn", &[b]),
        ("WX", &[a]),
        ("xm", &[]),
    ];
    for (keyword, wanted) in cases {
        let list = admin.post(&format!("{ROLL}/list"), json!({ "keyword": keyword })).await;
        let found: Vec<i64> =
            list.data()["list"].as_array().expect("rows").iter().filter_map(|row| row["id"].as_i64()).collect();
        assert_eq!(found, wanted, "{keyword}");
        assert_eq!(list.data()["totalCount"], json!(wanted.len()), "{keyword}");
    }
}

/// Whether a text holds 17 digits and a check digit, or a mobile number.
fn is_whole(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |from: usize, n: usize| bytes[from..from + n].iter().all(u8::is_ascii_digit);
    let id = |at: usize| digits(at, 17) && (bytes[at + 17].is_ascii_digit() || bytes[at + 17] == b'X');
    let phone = |at: usize| bytes[at] == b'1' && (b'3'..=b'9').contains(&bytes[at + 1]) && digits(at + 2, 9);
    (0..bytes.len().saturating_sub(17)).any(id) || (0..bytes.len().saturating_sub(10)).any(phone)
}

#[tokio::test]
async fn lists_views_and_exports_are_masked_and_whole_exports_are_logged() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = save(&admin, student(&p, 1)).await;
    save(
        &admin,
        with(student(&p, 2), json!({ "idCardType": "passport", "idCardNo": "E12345678", "phone": "13812345678" })),
    )
    .await;
    let codes = ["adult:pc:studentRoll:list", "adult:pc:studentRoll:view", "adult:pc:studentRoll:export"];
    let staff = server.staff(1, &codes).await;
    let list = staff.post(&format!("{ROLL}/list"), json!({})).await;
    assert_eq!(
        (&list.data()["list"][0]["idCardNo"], &list.data()["list"][0]["phone"]),
        (&json!("E1***78"), &json!("138****5678"))
    );
    let view = staff.get(&format!("{ROLL}/view?id={id}")).await;
    for answer in [&list, &view] {
        assert!(!is_whole(&String::from_utf8_lossy(&answer.bytes)), "{}", answer.body);
    }
    let masked = texts(&staff.post(&format!("{ROLL}/export"), json!({})).await.bytes);
    assert_eq!(masked.len(), 3, "{masked:?}");
    assert!(masked.iter().flatten().all(|cell| !is_whole(cell)), "{masked:?}");
    assert!(masked[1].contains(&"138****5678".to_owned()), "{masked:?}");
    let plain = server.staff(1, &[&codes[..], &["adult:pc:studentRoll:exportPlain"]].concat()).await;
    // Whole numbers are asked for, with their reason, by whoever has the right; else the file is masked.
    let masked = texts(&plain.post(&format!("{ROLL}/export"), json!({})).await.bytes);
    assert!(masked.iter().flatten().all(|cell| !is_whole(cell)), "{masked:?}");
    let asked = format!("{ROLL}/export?whole=true&reason=%E5%AD%A6%E4%BF%A1%E7%BD%91%E6%B3%A8%E5%86%8C");
    assert_eq!(staff.post(&asked, json!({})).await.code(), 403);
    let without = plain.post(&format!("{ROLL}/export?whole=true"), json!({})).await;
    assert_eq!(kit::fields(&without), ["reason: 请填写导出完整内容的用途，2至200个字符"]);
    let whole = texts(&plain.post(&asked, json!({})).await.bytes);
    for value in [id_number(1), "15400000001".to_owned(), "E12345678".to_owned(), "13812345678".to_owned()] {
        assert!(whole.iter().flatten().any(|cell| *cell == value), "{value} is not in {whole:?}");
    }
    server
        .wait_until(&format!(
            "select count(*) = 3 and array_agg((notes -> 'export' ->> 'plain')::boolean order by id) = '{{f,f,t}}'
                and min((notes -> 'export' ->> 'rows')::int) = 2
                and array_agg(notes -> 'export' ->> 'reason' order by id) = '{{null,null,学信网注册}}'
             from platform.sys_log where path = '{ROLL}/export' and sensitive = (notes -> 'export' ->> 'plain')::boolean and result_code = 200"
        ))
        .await;
    // Whole numbers of one site are not those of the school, neither at once nor in a job; with both rights there they leave.
    let (most, further): (&[&str], &[&str]) = (&codes, &["adult:pc:studentRoll:exportPlain"]);
    let partly = server.staff_with_roles(1, &[(most, "whole_school", &[]), (further, "named_sites", &[p.site])]).await;
    for wanted in [asked.clone(), format!("{asked}&job=true")] {
        let refused = partly.post(&wanted, json!({})).await;
        assert_eq!(refused.code(), 403, "{}", refused.body);
        assert!(refused.msg().starts_with("您导出完整内容的权限只包含部分站点或班级"), "{}", refused.body);
    }
    let masked = texts(&partly.post(&format!("{ROLL}/export"), json!({})).await.bytes);
    assert!(masked.len() == 3 && masked.iter().flatten().all(|cell| !is_whole(cell)), "{masked:?}");
    let there = server.staff_within(1, &[most, further].concat(), "named_sites", &[p.site]).await;
    let whole = texts(&there.post(&asked, json!({})).await.bytes);
    assert!(whole.iter().flatten().any(|cell| *cell == id_number(1)), "{whole:?}");
}

#[tokio::test]
async fn a_whole_value_is_opened_one_by_one_and_logged_and_at_most_200_times_a_day() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = save(&admin, student(&p, 1)).await;
    let look = json!({ "entity": "student", "id": id, "field": "idCardNo" });
    let without = server.staff(1, &["adult:pc:studentRoll:view"]).await;
    assert_eq!(without.post(PLAIN, look.clone()).await.code(), 403);
    let elsewhere = server.staff_within(1, &["adult:pc:studentRoll:viewPlain"], "named_sites", &[p.site + 1000]).await;
    assert_eq!(elsewhere.post(PLAIN, look.clone()).await.code(), 404);
    let staff = server.staff(1, &["adult:pc:studentRoll:viewPlain"]).await;
    let login: String = server.one("select login_name from platform.sys_user order by id desc limit 1").await;
    assert_eq!(staff.post(PLAIN, look.clone()).await.data()["value"], json!(id_number(1)));
    let unknown = json!({ "entity": "student", "id": id, "field": "name" });
    assert_eq!(staff.post(PLAIN, unknown).await.refused(), (404, "没有可查看的内容"));
    server
        .wait_until(&format!(
            "select count(*) = 1 from platform.sys_log l join platform.sys_user u on u.id = l.actor_id and u.login_name = '{login}'
             where l.path = '{PLAIN}' and l.result_code = 200 and l.sensitive
               and l.notes = jsonb_build_object('entity', 'student', 'ids', jsonb_build_array({id}))"
        ))
        .await;
    // Yesterday's do not count, and calls beside each other do not pass the limit together.
    server.run("update platform.plain_view_count set seen = 195").await;
    server
        .run("insert into platform.plain_view_count select user_id, day - 1, 200 from platform.plain_view_count")
        .await;
    let looks = (0..8).map(|_| staff.post(PLAIN, look.clone()));
    let answers = futures_util::future::join_all(looks).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == 200).count(), 5);
    let refused = staff.post(PLAIN, look).await;
    assert_eq!(refused.refused(), (429, "今日查看敏感信息已达200次，请明天再试或联系管理员"));
}

/// The student's line in the list of accounts.
async fn line(client: &Client<'_>, id: i64) -> Value {
    let list = client.post(&format!("{ACCOUNT}/list"), json!({})).await;
    list.data()["list"]
        .as_array()
        .expect("rows")
        .iter()
        .find(|row| row["id"] == json!(id))
        .expect("the student")
        .clone()
}

#[tokio::test]
async fn a_reset_account_starts_again_and_a_withdrawn_student_stays_out() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = save(&admin, student(&p, 1)).await;
    let gone = save(&admin, with(student(&p, 2), json!({ "status": "withdrawn", "statusReason": "voluntary" }))).await;
    let new: i64 =
        server.one("select count(*) from school_1.client_account where password_hash is null and must_change").await;
    assert_eq!(new, 2);
    server
        .run(
            "update school_1.client_account set password_hash = 'argon2-hash', must_change = false, failed_count = 5,
                locked_until = now() + interval '10 minutes'",
        )
        .await;
    assert_eq!(line(&admin, id).await["accountState"], json!("locked"));
    let items = json!({ "items": [{ "id": id, "version": line(&admin, id).await["accountVersion"] }] });
    let reset = admin.post(&format!("{ACCOUNT}/resetPassword"), items.clone()).await;
    assert_eq!((&reset.data()["done"], &reset.data()["failed"]), (&json!(1), &json!([])));
    let again: bool = server
        .one(&format!(
            "select password_hash is null and must_change and failed_count = 0 and locked_until is null
             from school_1.client_account where owner_id = {id}"
        ))
        .await;
    assert!(again, "the account did not start again");
    // 01 §12, account_password_reset: the person reads of it behind the next sign-in.
    let letter = format!(
        "select count(*) = 1 from school_1.msg m join school_1.msg_delivery d on d.msg_id = m.id
         where m.scene_code = 'account_password_reset' and m.content like '%已由工作人员重置%'
           and d.recipient_type = 'student' and d.recipient_id = {id} and d.channel = 'in_app' and d.status = 'sent'"
    );
    server.wait_until(&letter).await;
    let stale = admin.post(&format!("{ACCOUNT}/resetPassword"), items).await;
    let told = stale.data()["failed"][0]["msg"].as_str().expect("a reason");
    assert!(told.starts_with("数据已被教务员于") && told.ends_with("修改，请刷新后重试"), "{told}");
    let trail: String = server
        .one("select string_agg(changes::text, ' ') from school_1.audit_log where entity_type = 'client_account'")
        .await;
    assert!(!trail.contains("argon2"), "{trail}");
    let both = json!({ "enabled": true, "items": [
        { "id": gone, "version": line(&admin, gone).await["accountVersion"] },
        { "id": id, "version": line(&admin, id).await["accountVersion"] },
    ] });
    let enabled = admin.put(&format!("{ACCOUNT}/update/status"), both).await;
    assert_eq!(enabled.data()["done"], json!(1));
    assert_eq!(
        (&enabled.data()["failed"][0]["id"], &enabled.data()["failed"][0]["msg"]),
        (&json!(gone), &json!("该生已退学，账号不可启用"))
    );
    let off = json!({ "enabled": false, "items": [{ "id": id, "version": line(&admin, id).await["accountVersion"] }] });
    assert_eq!(admin.put(&format!("{ACCOUNT}/update/status"), off).await.data()["done"], json!(1));
    assert_eq!(line(&admin, id).await["accountState"], json!("disabled"));
}

#[tokio::test]
async fn staff_of_another_site_reset_nobody() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = save(&admin, student(&p, 1)).await;
    server.run("update school_1.client_account set password_hash = 'h'").await;
    let items = json!({ "items": [{ "id": id, "version": line(&admin, id).await["accountVersion"] }] });
    let elsewhere = server.staff_within(1, &["user:pc:student:resetPassword"], "named_sites", &[p.site + 1000]).await;
    let refused = elsewhere.post(&format!("{ACCOUNT}/resetPassword"), items).await;
    assert_eq!(refused.data()["done"], json!(0));
    assert_eq!(refused.data()["failed"][0]["msg"], json!("无权操作该数据"));
    assert!(!String::from_utf8_lossy(&refused.bytes).contains("张晓梅"), "{}", refused.body);
    assert_eq!(server.one::<String>("select password_hash from school_1.client_account").await, "h");
    // An import into another site is refused in its row.
    let importer = server.staff_within(1, &["adult:pc:studentRoll:import"], "named_sites", &[p.site + 1000]).await;
    let sheet = kit::sheets::sheet(&HEADINGS, &[&row(2).each_ref().map(String::as_str)]);
    let answer = importer.upload(&format!("{ROLL}/import"), "file", "a.xlsx", XLSX, &sheet).await;
    assert_eq!(row_errors(answer.data()), ["2 站点编码: 无权操作该数据"]);
}

#[tokio::test]
async fn the_statistics_sum_up_to_the_list() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    for n in 1..=3 {
        save(&admin, student(&p, n)).await;
    }
    save(&admin, with(student(&p, 4), json!({ "status": "suspended" }))).await;
    for (filter, total) in [(json!({}), 4), (json!({ "scope": "registered" }), 3), (json!({ "keyword": "zxm" }), 4)] {
        let counted = admin.post(&format!("{ROLL}/statistics"), filter.clone()).await;
        let listed = admin.post(&format!("{ROLL}/list"), filter).await;
        assert_eq!(counted.data()["total"], listed.data()["totalCount"]);
        assert_eq!(counted.data()["total"], json!(total));
        assert_eq!(counted.data()["unassigned"], json!(total));
        for table in ["cohorts", "majors"] {
            let rows = counted.data()[table].as_array().expect("rows");
            assert_eq!(rows.len(), 1, "{table}");
            assert_eq!(rows[0]["count"], json!(total), "{table}");
        }
    }
    let nobody = admin.post(&format!("{ROLL}/statistics"), json!({ "keyword": "没有这个人" })).await;
    assert_eq!(*nobody.data(), json!({ "total": 0, "unassigned": 0, "cohorts": [], "majors": [] }));
}

/// 01 §5.3: registered and suspended students count; who waits for registration does not.
#[tokio::test]
async fn a_school_registers_no_more_students_than_its_quota() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    server.run("update platform.school set student_quota = 2 where id = 1").await;
    save(&admin, student(&p, 1)).await;
    save(&admin, with(student(&p, 2), json!({ "status": "suspended" }))).await;
    save(&admin, with(student(&p, 3), json!({ "status": "pending_registration" }))).await;
    let more = admin.post(&format!("{ROLL}/save"), student(&p, 4)).await;
    assert_eq!((more.code(), more.msg()), (409, "在籍学生数已达上限2"));
    let rows: Vec<Vec<String>> = (5..8).map(|n| row(n).to_vec()).collect();
    server.run("update platform.school set student_quota = 4 where id = 1").await;
    let imported = import_rows(&admin, &HEADINGS, &rows).await;
    assert_eq!((imported.code(), imported.msg()), (409, "在籍学生数已达上限4"));
    server.run("update platform.school set student_quota = 5 where id = 1").await;
    assert_eq!(import_rows(&admin, &HEADINGS, &rows).await.data()["imported"], json!(3));
}

/// 02 §0.3.2, §9.1, 03 A2: what is worth a second look is told by save, edit and import alike.
#[tokio::test]
async fn what_is_worth_a_second_look_is_told_and_refuses_nothing() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let other =
        admin.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西", "kind": "headquarter" })).await.id();
    server.run(&format!("update school_1.site set capacity = 1 where id = {}", p.site)).await;
    let quiet = admin.post(&format!("{ROLL}/save"), student(&p, 1)).await;
    assert_eq!(quiet.data()["warnings"], json!([]));
    server.run(&format!("update school_1.site set filing_expires_on = '2020-01-01' where id = {}", p.site)).await;
    let odd =
        json!({ "idCardNo": "11010519491231002X", "studentNo": "2630412007002311", "status": "pending_registration" });
    let site = ["站点“城东教学点”可容纳1人，已有1人，请核对", "站点“城东教学点”的备案已于2020-01-01过期，请核对"];
    let person = ["入学时超过70周岁，请核对", "学号超过15位，学信网只接收15位，请核对"];
    let saved = admin.post(&format!("{ROLL}/save"), with(student(&p, 2), odd)).await;
    assert_eq!(saved.data()["warnings"], json!([person[0], person[1], site[0], site[1]]));
    // An edit tells of the site to which it moves somebody, and of nothing that stood there already.
    let id = saved.data()["id"].clone();
    let edit = |version: i64, site: i64| json!({ "id": id, "version": version, "siteId": site });
    for (version, site, told) in [(1, p.site, json!([])), (2, other, json!([])), (3, p.site, json!(site))] {
        let edited = admin.put(&format!("{ROLL}/edit"), edit(version, site)).await;
        assert_eq!(edited.data()["warnings"], told, "{}", edited.body);
    }

    let mut rows: Vec<Vec<String>> = (5..8).map(|n| row(n).to_vec()).collect();
    rows[2][3] = "2630412007002399".to_owned();
    let imported = import_rows(&admin, &HEADINGS, &rows).await;
    assert_eq!(
        (&imported.data()["imported"], &imported.data()["errors"]),
        (&json!(3), &json!([])),
        "{}",
        imported.body
    );
    let told = json!([
        { "row": 2, "column": "站点编码", "message": "站点“城东教学点”可容纳1人，已有2人，请核对" },
        { "row": 2, "column": "站点编码", "message": site[1] },
        { "row": 4, "column": "学号", "message": person[1] },
    ]);
    assert_eq!(imported.data()["warnings"], told);
    let address = imported.data()["errorFileUrl"].as_str().expect("the marked sheet");
    let file = admin.raw(poem::http::Method::GET, address, None, Vec::new()).await;
    let cells = texts(&file.into_body().into_vec().await.expect("bytes"));
    assert_eq!((cells[0][1].as_str(), cells[3][1].as_str()), ("提醒", format!("学号：{}", person[1]).as_str()));
}

async fn ids(client: &Client<'_>, filter: Value) -> Vec<i64> {
    let list = client.post(&format!("{ROLL}/list"), filter).await;
    list.data()["list"].as_array().expect("rows").iter().filter_map(|row| row["id"].as_i64()).collect()
}

/// 02 §9.10: 全部 are the four statuses of the register; who has left or finished stands on a screen of their own.
#[tokio::test]
async fn everybody_is_found_on_the_screen_of_their_status() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let mut of = Vec::new();
    for (n, (_, status)) in (1..).zip(StudentStatus::CHOICES) {
        let mut body = with(student(&p, n), json!({ "status": status.as_str() }));
        if !status.is_active() {
            body["endedOn"] = json!(format!("2026-04-{n:02}"));
        }
        if *status == StudentStatus::Withdrawn {
            body["statusReason"] = json!("academic");
        }
        of.push((*status, save(&admin, body).await));
    }
    let find = |wanted: &[StudentStatus]| -> Vec<i64> {
        of.iter().rev().filter(|(status, _)| wanted.contains(status)).map(|(_, id)| *id).collect()
    };
    use StudentStatus::{
        Completed, Expired, Graduated, Incomplete, PendingRegistration, Registered, Suspended, TransferredOut,
        Withdrawn,
    };
    let screens: [(&str, &[StudentStatus]); 7] = [
        ("all", &[PendingRegistration, Registered, Suspended, Expired]),
        ("pending_registration", &[PendingRegistration]),
        ("registered", &[Registered]),
        ("suspended", &[Suspended]),
        ("expired", &[Expired]),
        ("left", &[Withdrawn, TransferredOut]),
        ("finished", &[Graduated, Completed, Incomplete]),
    ];
    for (scope, shown) in screens {
        assert_eq!(ids(&admin, json!({ "scope": scope })).await, find(shown), "{scope}");
    }
    assert_eq!(ids(&admin, json!({})).await.len(), 9);
    assert_eq!(ids(&admin, json!({ "scope": "left", "statusReason": "academic" })).await, find(&[Withdrawn]));
    let ended = json!({ "endedFrom": "2026-04-05", "endedTo": "2026-04-07" });
    assert_eq!(ids(&admin, ended).await, find(&[TransferredOut, Graduated]));
    let figures = admin.post(&format!("{ROLL}/statistics"), json!({ "scope": "all" })).await;
    assert_eq!(figures.data()["total"], json!(4));
    let left = admin.post(&format!("{ROLL}/list"), json!({ "scope": "left", "statusReason": "academic" })).await;
    let row = &left.data()["list"][0];
    assert_eq!((&row["endedOn"], &row["statusReason"]), (&json!("2026-04-04"), &json!("academic")));
}

/// 02 §9.2: the account of a graduate stays open for the school's days, then it is switched off, once.
#[tokio::test]
async fn a_graduates_account_is_switched_off_some_time_after_the_end() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let today = server.app.clock().today();
    let left = async |n: usize, days: u64| {
        let enrolled = today - chrono::Days::new(100);
        let ended =
            json!({ "status": "graduated", "endedOn": today - chrono::Days::new(days), "enrolledOn": enrolled });
        save(&admin, with(student(&p, n), ended)).await
    };
    let (early, late) = (left(1, 30).await, left(2, 29).await);
    save(&admin, student(&p, 3)).await;
    let enabled = || async {
        let sql = "select coalesce(array_agg(owner_id order by owner_id) filter (where not enabled), '{}') from school_1.client_account";
        server.one::<Vec<i64>>(sql).await
    };
    let night = async || {
        let operator = server.operator().await;
        let named = json!({ "name": "student.account_ending" });
        let job = operator.post("/data/pc/druid/job/run", named).await.data()["jobId"].clone();
        let told = kit::jobs::ended(&operator, &job).await;
        assert_eq!(told["state"], json!("done"), "{told}");
        told["message"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(night().await, "已停用0个账号");
    setting(&server, "graduateAccountDays", &json!(29)).await;
    assert_eq!(night().await, "已停用1个账号");
    assert_eq!(enabled().await, [early]);
    // Whoever is let in again stays in.
    let account: i32 =
        server.one(&format!("select version from school_1.client_account where owner_id = {early}")).await;
    let again = json!({ "items": [{ "id": early, "version": account }], "enabled": true });
    assert_eq!(admin.put(&format!("{ACCOUNT}/update/status"), again).await.data()["done"], json!(1));
    server.app.clock().shift(chrono::Duration::days(1));
    assert_eq!(night().await, "已停用1个账号");
    assert_eq!(enabled().await, [late]);
}

/// 03 A4: a class has graduated in the night after its last student ended, and no more when somebody studies there again.
#[tokio::test]
async fn a_class_graduates_with_its_last_student() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let [one, empty] = [
        admin.post("/adult/pc/class/save", p.class("K1")).await.id(),
        admin.post("/adult/pc/class/save", p.class("K2")).await.id(),
    ];
    let seated = |n: usize, status: Value| {
        let mut form = with(student(&p, n), status);
        form["classId"] = json!(one);
        form
    };
    let graduate = json!({ "status": "graduated", "endedOn": "2026-09-01" });
    save(&admin, seated(1, graduate)).await;
    let studies = save(&admin, seated(2, json!({}))).await;
    let night = async || {
        let operator = server.operator().await;
        let named = json!({ "name": "class.graduated" });
        let job = operator.post("/data/pc/druid/job/run", named).await.data()["jobId"].clone();
        kit::jobs::ended(&operator, &job).await["message"].as_str().unwrap_or_default().to_owned()
    };
    let graduated =
        async |id: i64| admin.get(&format!("/adult/pc/class/view?id={id}")).await.data()["graduatedAt"].clone();
    assert_eq!(night().await, "已更新0个班级的毕业时间");
    let set = async |status: &str| {
        server.run(&format!("update school_1.student set status = '{status}' where id = {studies}")).await;
    };
    set("graduated").await;
    assert_eq!(night().await, "已更新1个班级的毕业时间");
    assert!(graduated(one).await.is_string());
    assert_eq!((graduated(empty).await, night().await.as_str()), (Value::Null, "已更新0个班级的毕业时间"));
    set("registered").await;
    assert_eq!(night().await, "已更新1个班级的毕业时间");
    assert_eq!(graduated(one).await, Value::Null);
}

/// 02 §0.3.1: an officer's card comes in with old data alone.
#[tokio::test]
async fn an_officers_card_is_imported_and_not_typed() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let military = json!({ "idCardType": "military_id", "idCardNo": "JUN12345" });
    let typed = admin.post(&format!("{ROLL}/save"), with(student(&p, 1), military)).await;
    assert_eq!(fields(&typed), ["idCardType: 军官证只能随历史数据导入，请选择其他证件"]);
    let headings: Vec<&str> = HEADINGS.into_iter().chain(["证件类型"]).collect();
    let mut cells = row(1).to_vec();
    cells[1] = "JUN12345".to_owned();
    cells.push("军官证".to_owned());
    assert_eq!(import_rows(&admin, &headings, &[cells]).await.data()["imported"], json!(1));
}

/// 02 §9.2: who waits and has a number is registered within the quota, who is beyond the longest study time is marked; each
/// by itself, and the history tells it.
#[tokio::test]
async fn staff_mark_who_is_registered_and_who_is_beyond_their_years() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let waiting = json!({ "status": "pending_registration" });
    let a = save(&admin, with(student(&p, 1), waiting.clone())).await;
    let b = save(&admin, with(student(&p, 2), waiting.clone())).await;
    let without =
        save(&admin, with(student(&p, 3), json!({ "status": "pending_registration", "studentNo": null }))).await;
    let there = save(&admin, student(&p, 4)).await;
    server.run("update platform.school set student_quota = 2 where id = 1").await;
    let items: Vec<Value> = [a, b, without, there].into_iter().map(|id| json!({ "id": id, "version": 1 })).collect();
    let marked = admin.put(&format!("{ROLL}/register"), json!({ "items": items, "registeredOn": "2026-03-20" })).await;
    let told: Vec<(i64, &str)> = marked.data()["failed"]
        .as_array()
        .expect("failures")
        .iter()
        .map(|failure| (failure["id"].as_i64().unwrap_or(0), failure["msg"].as_str().unwrap_or("")))
        .collect();
    let wanted = [
        (b, "在籍学生数已达上限2"),
        (without, "还没有学号，不能标记已注册"),
        (there, "当前学籍状态为在籍，不能标记已注册"),
    ];
    assert_eq!((&marked.data()["done"], told.as_slice()), (&json!(1), wanted.as_slice()), "{}", marked.body);
    let seen = admin.get(&format!("{ROLL}/view?id={a}")).await.data().clone();
    assert_eq!(
        (&seen["status"], &seen["registeredOn"], &seen["registerResult"]),
        (&json!("registered"), &json!("2026-03-20"), &json!("accepted"))
    );

    server.run(&format!("update school_1.student set max_study_end_on = '2026-03-02' where id = {a}")).await;
    let mark = |id: i64, version: i64| json!({ "items": [{ "id": id, "version": version }], "status": "expired", "remark": "已提醒" });
    let early = admin.put(&format!("{ROLL}/changeStatus"), mark(there, 1)).await;
    assert_eq!(early.data()["failed"][0]["msg"], json!("最长学习期限为2031-02-28，尚未超过"));
    assert_eq!(admin.put(&format!("{ROLL}/changeStatus"), mark(a, 2)).await.data()["done"], json!(1));
    let history = admin.get(&format!("{ROLL}/history?id={a}")).await.data().clone();
    let kinds: Vec<&Value> = history.as_array().expect("rows").iter().map(|row| &row["kind"]).collect();
    assert_eq!(kinds, [&json!("enrol"), &json!("register"), &json!("expire")]);
    assert_eq!(history[2]["reason"], json!("已提醒"));
    // Somebody of another site marks nobody and is told no name.
    let elsewhere = server.staff_within(1, &["adult:pc:studentRoll:audit"], "named_sites", &[p.site + 1000]).await;
    let one = json!({ "items": [{ "id": b, "version": 1 }], "registeredOn": "2026-03-20" });
    let refused = elsewhere.put(&format!("{ROLL}/register"), one).await;
    assert_eq!((&refused.data()["done"], &refused.data()["failed"][0]["name"]), (&json!(0), &json!("")));
}
