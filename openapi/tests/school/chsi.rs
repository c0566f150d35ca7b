//! The national register: what is sent, and what comes back (part 02 §9.9, §9.12, §14.2).

use std::io::Read;

use kit::{
    Client, Server,
    admission::{dbf_of, open_batch},
    cohort::{Cohort, cohort, registrar},
    fields,
    imports::undone,
    jobs::ended,
    registration::{REGISTRATION, audited, ready, registration, report},
    rows::setting,
    sheets::{XLSX, row_errors, sheet, texts_of},
    students::{ROLL, id_number},
};
use serde_json::{Value, json};

const HEADINGS: [&str; 6] = ["考生号", "姓名", "身份证号", "注册结果", "注册日期", "说明"];

/// People who reported, with both forms approved and a number each.
async fn reported(server: &Server, admin: &Client<'_>, people: std::ops::Range<usize>) -> Cohort {
    let p = cohort(admin).await;
    let (batch, _) = open_batch(server, admin, &p, 200).await;
    audited(admin, &p, batch, people.clone()).await;
    ready(server).await;
    for n in people {
        let told = report(admin, &registration(admin, n).await).await;
        assert_eq!(told.code(), 200, "{}", told.body);
    }
    let opened: i64 = server.one("select count(*) from school_1.student_information").await;
    let students: i64 = server.one("select count(*) from school_1.student").await;
    assert_eq!(opened, students * 2, "a report opens both forms");
    server
        .run("update school_1.student set student_no = '2630412007' || lpad(id::text, 4, '0') where student_no is null")
        .await;
    server
        .run(
            "update school_1.student_information set status = 'approved', submitted_at = now(), submitted_by = 'student',
                    conclusion = case when kind = 'admission_commitment' then 'qualified' end",
        )
        .await;
    p
}

async fn export(admin: &Client<'_>, p: &Cohort, format: &str) -> (Value, Vec<u8>) {
    let body = json!({ "gradeId": p.grade, "levelIds": [], "format": format });
    let job = admin.post(&format!("{ROLL}/chsi/export"), body).await.data()["jobId"].clone();
    let job = ended(admin, &job).await;
    assert_eq!(job["state"], json!("done"), "{job}");
    let url = job["fileUrl"].as_str().unwrap_or_else(|| panic!("a file: {job}")).to_owned();
    let file = admin.raw(poem::http::Method::GET, &url, None, Vec::new()).await;
    (job, file.into_body().into_bytes().await.expect("bytes").to_vec())
}

/// Who lacks something, is too wide for the file or differs from the admission is told, and not sent.
#[tokio::test]
async fn who_is_not_sent_is_told_why() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = reported(&server, &admin, 1..6).await;
    let of = |n: usize| format!("examinee_no = '0501{n:010}'");
    server.run(&format!("update school_1.student set name = '改名' where {}", of(2))).await;
    server.run(&format!("update school_1.student set student_no = '2630412007000301' where {}", of(3))).await;
    server
        .run(&format!(
            "update school_1.student_information set status = 'submitted', conclusion = null where kind = 'admission_commitment'
             and student_id = (select id from school_1.student where {})",
            of(4)
        ))
        .await;
    let (job, bytes) = export(&admin, &p, "xlsx").await;
    assert_eq!(job["message"], json!("已导出2人，未导出3人"), "{job}");
    let sent = texts_of(&bytes, 0);
    assert_eq!(
        sent[0],
        [
            "KSH", "XH", "XM", "XB", "CSRQ", "SFZH", "ZZMM", "MZ", "ZYDM", "ZYMC", "FY", "XSH", "BH", "CC", "XXXS",
            "XZ", "RXRQ", "YJBYRQ"
        ]
    );
    assert_eq!(sent.len(), 3);
    assert_eq!(
        (sent[1][0].as_str(), sent[1][13].as_str(), sent[1][14].as_str()),
        ("05010000000001", "专升本", "非脱产")
    );
    let kept: Vec<(String, String)> =
        texts_of(&bytes, 1).into_iter().skip(1).map(|row| (row[0].clone(), row[2].clone())).collect();
    let told = |n: usize, why: &str| (format!("0501{n:010}"), why.to_owned());
    assert_eq!(kept, [told(2, "与录取数据不一致：姓名"), told(3, "学号超过15位"), told(4, "入学资格审查未审核通过")]);
    let exported: i64 = server.one("select count(*) from school_1.student where register_result = 'exported'").await;
    assert_eq!(exported, 2);
    // The switches of the school open the way.
    setting(&server, "chsiStudentNoCheck", &json!(false)).await;
    setting(&server, "commitmentRequiredForRegister", &json!(false)).await;
    server
        .run(&format!(
            "insert into school_1.student_correction (student_id, kind, reason, changes, status, source, applicant_name, decided_on,
                created_by, updated_by)
             select id, 'data_error', '更名', '{{\"name\": {{\"from\": \"甲\", \"to\": \"改名\"}}}}', 'approved', 'back_office', '某人',
                current_date, 0, 0 from school_1.student where {}",
            of(2)
        ))
        .await;
    let (job, bytes) = export(&admin, &p, "dbf").await;
    assert_eq!(job["message"], json!("已导出5人，未导出0人"), "{job}");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("an archive");
    let mut table = Vec::new();
    archive.by_name("新生注册.dbf").expect("the table").read_to_end(&mut table).expect("bytes");
    assert_eq!(table[4..8], 5_u32.to_le_bytes());
    let record = usize::from(u16::from_le_bytes([table[10], table[11]]));
    let head = usize::from(u16::from_le_bytes([table[8], table[9]]));
    assert_eq!(&table[head + 1..head + 15], b"05010000000001");
    assert_eq!(table.len(), head + record * 5 + 1);
    assert!(archive.by_name("未导出.xlsx").is_ok());
    // Byte for byte the table of §14.2, written by hand but for its day; a longer 学号 makes its column wider.
    let columns = [
        ("KSH", 18),
        ("XH", 16),
        ("XM", 40),
        ("XB", 2),
        ("CSRQ", 8),
        ("SFZH", 18),
        ("ZZMM", 16),
        ("MZ", 24),
        ("ZYDM", 6),
        ("ZYMC", 50),
        ("FY", 24),
        ("XSH", 24),
        ("BH", 24),
        ("CC", 12),
        ("XXXS", 10),
        ("XZ", 3),
        ("RXRQ", 8),
        ("YJBYRQ", 8),
    ];
    let (_, same) = export(&admin, &p, "xlsx").await;
    let by_hand = dbf_of(&columns, &texts_of(&same, 0)[1..]);
    assert_eq!((table[0], &table[4..]), (by_hand[0], &by_hand[4..]));
    // Nobody waits in another grade; nobody sends without the right.
    let other = admin.post("/adult/pc/grade/save", json!({ "code": "2027" })).await.id();
    let none = admin.post(&format!("{ROLL}/chsi/export"), json!({ "gradeId": other, "format": "xlsx" })).await;
    assert_eq!(none.refused(), (409, "2027级没有待注册的学生"));
    let narrow = server.staff(1, &["adult:pc:studentRoll:list"]).await;
    assert_eq!(
        narrow.post(&format!("{ROLL}/chsi/export"), json!({ "gradeId": p.grade, "format": "xlsx" })).await.code(),
        403
    );
    // The file has whole numbers alone: the right to them is asked for over all who are in it.
    let (most, further): (&[&str], &[&str]) = (&["adult:pc:studentRoll:export"], &["adult:pc:studentRoll:exportPlain"]);
    let partly = server.staff_with_roles(1, &[(most, "whole_school", &[]), (further, "named_sites", &[p.site])]).await;
    let wanted = json!({ "gradeId": p.grade, "format": "xlsx" });
    let refused = partly.post(&format!("{ROLL}/chsi/export"), wanted).await;
    assert!(refused.code() == 403 && refused.msg().contains("只包含部分站点或班级"), "{}", refused.body);
}

/// Scenarios 6 and 7 of §9.12 with few, and who was never a student.
#[tokio::test]
async fn the_answer_is_taken_all_or_none() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = reported(&server, &admin, 1..6).await;
    export(&admin, &p, "xlsx").await;
    let people: Vec<(String, String)> = {
        let mut people = Vec::new();
        for n in 1..6 {
            let row = format!("from school_1.student where examinee_no = '0501{n:010}'");
            people.push((
                server.one::<String>(&format!("select name {row}")).await,
                server.one::<String>(&format!("select id_card_no {row}")).await,
            ));
        }
        people
    };
    let row = |n: usize, name: &str, answer: &str, on: &str, why: &str| -> Vec<String> {
        [&format!("0501{n:010}"), name, &people[n - 1].1, answer, on, why].map(ToOwned::to_owned).to_vec()
    };
    let take = async |rows: Vec<Vec<String>>| {
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        admin.upload(&format!("{ROLL}/chsi/import"), "file", "注册结果.xlsx", XLSX, &sheet(&HEADINGS, &rows)).await
    };
    let name = |n: usize| people[n - 1].0.as_str();
    let wrong = take(vec![row(1, name(1), "已注册", "2026-03-20", ""), row(2, "李四", "已注册", "", "")]).await;
    assert_eq!(row_errors(wrong.data()), ["3 姓名: 姓名与学籍不一致"]);
    let none: i64 = server.one("select count(*) from school_1.student where status = 'registered'").await;
    assert_eq!(none, 0, "a row that is wrong holds all");
    let told = take(vec![
        row(1, name(1), "已注册", "2026-03-20", ""),
        row(2, name(2), "未注册", "", "照片不合格"),
        row(3, name(3), "保留入学资格", "", "本人应征入伍"),
        row(4, name(4), "取消入学资格", "", "前置学历虚假"),
    ])
    .await;
    assert_eq!(told.data()["imported"], json!(4), "{}", told.body);
    let warned: Vec<&Value> =
        told.data()["warnings"].as_array().expect("warnings").iter().map(|warning| &warning["row"]).collect();
    assert_eq!(warned, [4, 5], "who goes for good is told beforehand");
    let one: (String, String) = (
        server.one("select status || ' ' || register_result from school_1.student where examinee_no = '05010000000001'").await,
        server.one("select register_result || ' ' || register_message from school_1.student where examinee_no = '05010000000002'").await,
    );
    assert_eq!(one, ("registered accepted".to_owned(), "rejected 照片不合格".to_owned()));
    let history: i64 = server.one("select count(*) from school_1.student_status_change where kind = 'register'").await;
    assert_eq!(history, 1);
    let told: i64 = server.one("select count(*) from school_1.event_outbox where name = 'status_registered'").await;
    assert_eq!(told, 1);
    // They were never students: no file, no account, no form; their places are kept or lost.
    let left: i64 = server.one("select count(*) from school_1.student").await;
    let forms: i64 = server.one("select count(*) from school_1.student_information").await;
    assert_eq!((left, forms), (3, 6));
    for (n, state) in [(3, "reserved"), (4, "revoked"), (5, "reported")] {
        assert_eq!(registration(&admin, n).await["status"], json!(state));
    }
    // Answers go back: who was registered waits again. Who was never a student is none again by hand alone.
    let checked = undone(&admin, true).await;
    assert_eq!(checked["message"], json!("共4条，可撤销2条，2条不能撤销"), "{checked}");
    let done = undone(&admin, false).await;
    assert_eq!(done["message"], json!("共4条，已撤销2条，2条保留"), "{done}");
    let kept = done["errors"].as_array().expect("who stays");
    assert!(kept.iter().all(|one| one["msg"].as_str().is_some_and(|msg| msg.contains("不能恢复"))), "{done}");
    let states: String = server
        .one(
            "select string_agg(status || ' ' || register_result || ' ' || coalesce(register_message, '-')
                 || ' ' || coalesce(registered_on::text, '-'), ', ' order by examinee_no)
             from school_1.student where examinee_no <= '05010000000002'",
        )
        .await;
    assert_eq!(states, ["pending_registration exported - -"; 2].join(", "));
    let kinds: Vec<String> = server
        .one(
            "select array_agg(h.kind order by h.id) from school_1.student_status_change h
             join school_1.student s on s.id = h.student_id
             where s.examinee_no = '05010000000001' and h.kind in ('register', 'revoke')",
        )
        .await;
    assert_eq!(kinds, ["register", "revoke"]);
    let once_more = take(vec![row(1, name(1), "已注册", "2026-03-20", "")]).await;
    assert_eq!(once_more.data()["imported"], json!(1), "{}", once_more.body);
    let again = take(vec![row(1, name(1), "已注册", "", "")]).await;
    assert_eq!(row_errors(again.data()), ["2 注册结果: 当前学籍状态为在籍，不能标记已注册"]);
    // Who was sent does not go by the desk any more.
    let five = registration(&admin, 5).await;
    let undo = json!({ "id": five["id"], "version": five["version"], "reason": "误操作" });
    let undone = admin.post(&format!("{REGISTRATION}/undoReport"), undo).await;
    assert!(undone.code() == 409, "{}", undone.body);
    let empty = admin.post(&format!("{ROLL}/chsi/export"), json!({ "gradeId": 999_999, "format": "xlsx" })).await;
    assert_eq!(fields(&empty), ["gradeId: 所选年级不存在，请重新选择"]);
}

/// Scenario 6 of §9.12: ten thousand answers in one sheet.
#[tokio::test]
async fn ten_thousand_answers_are_one_import() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    kit::rows::students(&server, &p, p.site, None, 1, 10_000).await;
    server
        .run("update school_1.student set status = 'pending_registration', register_result = 'exported', examinee_no = '2642' || student_no")
        .await;
    let rows: Vec<[String; 6]> = (1..=10_000)
        .map(|n| {
            let (answer, on) = if n % 833 == 0 { ("未注册", "") } else { ("已注册", "2026-03-20") };
            [
                format!("264226{n:08}"),
                format!("学生{n}"),
                format!("E{n:08}"),
                answer.to_owned(),
                on.to_owned(),
                String::new(),
            ]
        })
        .collect();
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let sent =
        admin.upload(&format!("{ROLL}/chsi/import"), "file", "注册结果.xlsx", XLSX, &sheet(&HEADINGS, &rows)).await;
    let job = ended(&admin, &sent.data()["jobId"]).await;
    assert_eq!(job["state"], json!("done"), "{job}");
    let counts: (i64, i64, i64) = (
        server
            .one("select count(*) from school_1.student where status = 'registered' and register_result = 'accepted'")
            .await,
        server.one("select count(*) from school_1.student where register_result = 'rejected'").await,
        server.one("select count(*) from school_1.student_status_change where kind = 'register'").await,
    );
    assert_eq!(counts, (9_988, 12, 9_988));
}

/// Who owes money, by sheet; and a student who keeps their own data.
#[tokio::test]
async fn flags_and_own_data() {
    let (server, n) = (Server::start().await, 1);
    let (admin, _) = kit::clients::school(&server).await;
    let p = cohort(&admin).await;
    let id = kit::students::save(&admin, kit::students::student(&p, n)).await;
    let number = format!("26{n:08}");
    let call = format!("{ROLL}/feeFlag/import");
    let flags = |name: &str, owes: &str| sheet(&["学号", "姓名", "欠费"], &[&[&number, name, owes]]);
    let wrong = admin.upload(&call, "file", "欠费.xlsx", XLSX, &flags("李四", "是")).await;
    assert_eq!(row_errors(wrong.data()), ["2 姓名: 与学籍中的姓名不一致"]);
    let told = admin.upload(&call, "file", "欠费.xlsx", XLSX, &flags("张晓梅", "是")).await;
    assert_eq!(told.data()["imported"], json!(1), "{}", told.body);
    assert_eq!(
        server.one::<String>(&format!("select fee_flag from school_1.student where id = {id}")).await,
        "arrears"
    );
    let own = kit::clients::entered(&server, &number, &format!("Aa@{}", &id_number(n)[12..]), "student").await;
    let mine = own.get("/user/client/profile/view").await.data().clone();
    assert_eq!((&mine["phone"], &mine["name"]), (&json!("154****0001"), &json!("张晓梅")));
    // As long as staff may type it.
    let place = "江".repeat(100);
    let edit = json!({ "requestId": "p-1", "version": mine["version"], "phone": "154****0001", "workUnit": "江城机械厂",
        "nativePlace": place });
    own.put("/user/client/profile/edit", edit).await.id();
    let now: (String, String) = (
        server.one(&format!("select phone from school_1.student where id = {id}")).await,
        server.one(&format!("select work_unit from school_1.student where id = {id}")).await,
    );
    assert_eq!(now, (format!("154{n:08}"), "江城机械厂".to_owned()));
    let stale = json!({ "requestId": "p-2", "version": mine["version"], "workUnit": "别处" });
    assert_eq!(own.put("/user/client/profile/edit", stale).await.code(), 409);
    let history = own.get("/user/client/statusHistory/list").await.data().clone();
    assert!(history.as_array().is_some_and(|rows| !rows.is_empty()), "{history}");
}
