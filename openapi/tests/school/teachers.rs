//! Teachers (02 §12.2, §12.6).

use kit::{
    Answer, Client, Server,
    cohort::registrar,
    fields,
    jobs::ended,
    rows::setting,
    sheets::{XLSX, import, row_errors, sheet, texts},
    teachers::{TEACHER, line, teacher},
};
use serde_json::{Value, json};

async fn unit(client: &Client<'_>) -> i64 {
    let unit = json!({ "code": "JG", "name": "经济管理学院", "kind": "college" });
    client.post("/adult/pc/organize/save", unit).await.id()
}

#[tokio::test]
async fn a_teacher_is_entered_with_an_account_and_edited_without_losing_what_is_masked() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let unit = unit(&admin).await;
    let mut form = teacher(unit, 1);
    form["bankCardNo"] = json!("6200001234567891234");
    let id = admin.post(&format!("{TEACHER}/save"), form).await.id();
    let seen = admin.get(&format!("{TEACHER}/view?id={id}")).await.data().clone();
    assert_eq!(
        (
            &seen["phone"],
            &seen["idCardNo"],
            &seen["bankCardNo"],
            &seen["birthday"],
            &seen["gender"],
            &seen["loginName"]
        ),
        (
            &json!("139****0001"),
            &json!("429***********0216"),
            &json!("**** **** **** 1234"),
            &json!("1996-03-15"),
            &json!("male"),
            &json!("T001")
        )
    );
    let mut edit = teacher(unit, 1);
    for field in ["phone", "idCardNo", "bankCardNo", "version"] {
        edit[field] = seen[field].clone();
    }
    (edit["id"], edit["workNo"], edit["title"]) = (json!(id), json!("T900"), json!("professor"));
    assert_eq!(admin.put(&format!("{TEACHER}/edit"), edit.clone()).await.code(), 200);
    let stored: String = server
        .one("select phone || ' ' || id_card_no || ' ' || bank_card_no || ' ' || title from school_1.teacher")
        .await;
    assert_eq!(stored, "13900000001 429900199603150216 6200001234567891234 professor");
    assert_eq!(line(&admin, id).await["loginName"], json!("T900"), "the login name follows the number");
    let stale = admin.put(&format!("{TEACHER}/edit"), edit).await;
    assert_eq!(stale.code(), 409);
    let whole = json!({ "entity": "teacher", "id": id, "field": "bankCardNo" });
    assert_eq!(admin.post("/system/pc/plain/view", whole).await.data()["value"], json!("6200001234567891234"));
}

#[tokio::test]
async fn numbers_are_each_ones_own() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let unit = unit(&admin).await;
    let save = format!("{TEACHER}/save");
    admin.post(&save, teacher(unit, 1)).await.id();
    let mut second = teacher(unit, 1);
    assert_eq!(fields(&admin.post(&save, second.clone()).await), ["workNo: 工号“T001”已存在"]);
    second["workNo"] = json!("T002");
    assert_eq!(fields(&admin.post(&save, second.clone()).await), ["phone: 手机“13900000001”已存在"]);
    second["phone"] = json!("13900000002");
    assert_eq!(fields(&admin.post(&save, second.clone()).await), ["idCardNo: 证件号已被其他教师使用"]);
    second["idCardNo"] = json!("110105491231002");
    assert_eq!(admin.post(&save, second).await.code(), 200, "fifteen digits are an older form of eighteen");
    let mut wrong = teacher(unit, 3);
    wrong["idCardNo"] = json!("440524188001010014");
    assert_eq!(fields(&admin.post(&save, wrong).await), ["idCardNo: 身份证号中的出生日期无效"]);
    let stored: i64 = server.one("select count(*) from school_1.teacher where id_card_no = '11010519491231002X'").await;
    assert_eq!(stored, 1);
}

#[tokio::test]
async fn who_leaves_is_signed_out_and_stays_out() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let unit = unit(&admin).await;
    let id = admin.post(&format!("{TEACHER}/save"), teacher(unit, 1)).await.id();
    let mut edit = teacher(unit, 1);
    (edit["id"], edit["version"], edit["status"]) = (json!(id), json!(1), json!("left"));
    assert_eq!(admin.put(&format!("{TEACHER}/edit"), edit).await.code(), 200);
    let row = line(&admin, id).await;
    assert_eq!(row["accountState"], json!("disabled"));
    let body = json!({ "items": [{ "id": id, "version": row["accountVersion"] }], "enabled": true });
    let refused = admin.put(&format!("{TEACHER}/update/status"), body).await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!("该人员已停用或离职，请先修改人员状态"));
}

#[tokio::test]
async fn a_deleted_teacher_takes_the_account_along() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let unit = unit(&admin).await;
    let id = admin.post(&format!("{TEACHER}/save"), teacher(unit, 1)).await.id();
    let manager = json!({ "code": "S1", "name": "城东站", "kind": "headquarter" });
    let site = admin.post("/adult/pc/site/save", manager).await.id();
    let manager =
        json!({ "workNo": "B001", "name": "周晓梅", "phone": "13700000001", "siteIds": [site], "teacherId": id });
    let manager = admin.post("/user/pc/classManager/save", manager).await.id();
    let refused = admin.delete(&format!("{TEACHER}/delete?id={id}")).await;
    assert_eq!(refused.refused(), (409, "该教师有1名班主任，请改为离职"));
    assert_eq!(admin.delete(&format!("/user/pc/classManager/delete?id={manager}")).await.code(), 200);
    let bulk = admin.post(&format!("{TEACHER}/batchDel"), json!({ "ids": [id] })).await;
    assert_eq!(bulk.data()["done"], json!(1), "{}", bulk.body);
    assert_eq!(server.one::<i64>("select count(*) from school_1.client_account").await, 0);
}

const HEADINGS: [&str; 6] = ["工号", "姓名", "手机", "机构", "职责", "证件号"];

fn row(n: usize) -> [String; 6] {
    [
        format!("T{n:05}"),
        "欧阳立".to_owned(),
        format!("138{n:08}"),
        "JG".to_owned(),
        "主讲、监考".to_owned(),
        String::new(),
    ]
}

/// 02 §12.6.1, with as many rows as make it a job.
#[tokio::test]
async fn one_repeated_number_keeps_a_whole_sheet_out() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    unit(&admin).await;
    let mut rows: Vec<[String; 6]> = (1..=2_001).map(row).collect();
    rows[2_000][0] = "T00007".to_owned();
    let borrowed: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let borrowed: Vec<&[&str]> = borrowed.iter().map(Vec::as_slice).collect();
    let answer = import(&admin, TEACHER, &HEADINGS, &borrowed).await;
    let told = ended(&admin, &answer.data()["jobId"]).await;
    assert!(told.to_string().contains("与第8行工号重复"), "{told}");
    assert_eq!(server.one::<i64>("select count(*) from school_1.teacher").await, 0);
}

#[tokio::test]
async fn a_sheet_is_written_whole_and_goes_out_masked() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    unit(&admin).await;
    let mut wrong = row(2);
    (wrong[3], wrong[4]) = ("XX".to_owned(), "唱歌".to_owned());
    let rows = [row(1), wrong];
    let borrowed: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let refused = import(&admin, TEACHER, &HEADINGS, &[&borrowed[0], &borrowed[1]]).await;
    assert_eq!(row_errors(refused.data()), ["3 机构: 编码“XX”不存在", "3 职责: 没有职责“唱歌”"]);
    assert_eq!(server.one::<i64>("select count(*) from school_1.teacher").await, 0);
    assert_eq!(import(&admin, TEACHER, &HEADINGS, &[&borrowed[0]]).await.data()["imported"], json!(1));
    assert_eq!(server.one::<i64>("select count(*) from school_1.client_account where login_name = 'T00001'").await, 1);
    let exporter = server.staff(1, &["user:pc:teacher:export"]).await;
    let book = exporter.post(&format!("{TEACHER}/export"), json!({ "duty": "invigilator" })).await;
    let shown = texts(&book.bytes).concat().join(" ");
    assert!(shown.contains("138****0001") && shown.contains("主讲、监考") && !shown.contains("13800000001"), "{shown}");
    let again = import(&admin, TEACHER, &HEADINGS, &[&borrowed[0]]).await;
    assert_eq!(row_errors(again.data()), ["2 工号: 工号“T00001”已存在"]);
    let empty = admin.upload(&format!("{TEACHER}/import"), "file", "a.xlsx", XLSX, &sheet(&["甲"], &[])).await;
    assert_eq!(empty.code(), 422);
}

/// The import with 更新已有 ticked.
async fn upsert(client: &Client<'_>, headings: &[&str], rows: &[&[&str]], dry_run: bool) -> Answer {
    let texts = [("mode", "upsert"), ("dryRun", if dry_run { "true" } else { "false" })];
    let path = format!("{TEACHER}/import");
    client.upload_with(&path, &texts, "file", "导入.xlsx", XLSX, &sheet(headings, rows)).await
}

/// What a sheet would change, as `row name column: before → after`; a new record has no column.
fn told(answer: &Answer) -> Vec<String> {
    let word = |line: &Value, field: &str| line[field].as_str().unwrap_or("").to_owned();
    let lines = answer.data()["differences"].as_array().expect("differences");
    lines
        .iter()
        .map(|line| {
            let (name, column) = (word(line, "name"), word(line, "column"));
            format!("{} {name} {column}: {} → {}", line["row"], word(line, "before"), word(line, "after"))
        })
        .collect()
}

/// 更新已有 (02 §12.2): an empty cell leaves what is stored, whatever the column; new numbers are entered beside.
#[tokio::test]
async fn a_ticked_sheet_updates_whom_it_knows_and_keeps_what_is_blank() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let unit = unit(&admin).await;
    let mut form = teacher(unit, 1);
    for (field, value) in [("email", "chen@example.com"), ("bankName", "工商银行"), ("remark", "返聘")] {
        form[field] = json!(value);
    }
    form["bankCardNo"] = json!("6200001234567891234");
    let id = admin.post(&format!("{TEACHER}/save"), form).await.id();
    let headings = ["工号", "姓名", "手机", "机构", "证件号", "职称", "类别", "职责", "邮箱", "开户行", "银行卡号"];
    let rows: [&[&str]; 2] = [
        &["t001", "陈立新", "13900000009", "JG", "", "教授", "", "", "", "", ""],
        &["T002", "欧阳立", "13900000002", "JG", "", "", "", "主讲", "", "", ""],
    ];
    let unticked = import(&admin, TEACHER, &headings, &rows).await;
    assert_eq!(row_errors(unticked.data()), ["2 工号: 工号“t001”已存在"]);
    let expected =
        ["2 T001 陈立新 手机: 139****0001 → 139****0009", "2 T001 陈立新 职称: 讲师 → 教授", "3 T002 欧阳立 :  → "];
    let checked = upsert(&admin, &headings, &rows, true).await;
    assert_eq!((told(&checked), &checked.data()["imported"]), (expected.map(str::to_owned).to_vec(), &json!(0)));
    assert_eq!(server.one::<i64>("select count(*) from school_1.teacher where phone = '13900000001'").await, 1);
    let done = upsert(&admin, &headings, &rows, false).await;
    assert_eq!((told(&done), &done.data()["imported"]), (expected.map(str::to_owned).to_vec(), &json!(2)));
    let stored: String = server
        .one(&format!(
            "select concat_ws(' ', work_no, phone, id_card_no, birthday, gender, title, kind, array_to_string(duties, ','), email,
                    bank_name, bank_card_no, remark, version) from school_1.teacher where id = {id}"
        ))
        .await;
    assert_eq!(
        stored,
        "T001 13900000009 429900199603150216 1996-03-15 male professor full_time lecturer,marker chen@example.com 工商银行 \
         6200001234567891234 返聘 2"
    );
    let trail: Value = server
        .one(&format!(
            "select changes from school_1.audit_log where entity_type = 'teacher' and entity_id = {id} and action = 'import'"
        ))
        .await;
    let kept = |field: &str| {
        let lines = trail.as_array().expect("fields").clone();
        lines.into_iter().find(|line| line["field"] == json!(field)).unwrap_or_default()
    };
    assert_eq!(kept("title"), json!({ "field": "title", "before": "lecturer", "after": "professor" }));
    assert_eq!(kept("phone"), json!({ "field": "phone", "before": "139****0001", "after": "139****0009" }));
    assert_eq!(kept("idCardNo"), Value::Null, "what was blank did not change");
    assert_eq!(told(&upsert(&admin, &headings, &rows, true).await), [""; 0], "the same sheet again changes nothing");
}

#[tokio::test]
async fn an_update_by_sheet_goes_through_the_checks_of_the_form() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let unit = unit(&admin).await;
    admin.post(&format!("{TEACHER}/save"), teacher(unit, 1)).await.id();
    let mut second = teacher(unit, 2);
    second["idCardNo"] = json!("11010519491231002X");
    let second = admin.post(&format!("{TEACHER}/save"), second).await.id();
    let headings = ["工号", "姓名", "手机", "机构", "证件号", "性别"];
    let refused = |row: [&'static str; 6]| {
        let admin = &admin;
        async move { row_errors(upsert(admin, &headings, &[&row], false).await.data()) }
    };
    assert_eq!(refused(["T002", "欧阳立", "13900000001", "JG", "", ""]).await, ["2 手机: 手机“13900000001”已存在"]);
    let card = "429900199603150216";
    assert_eq!(refused(["T002", "欧阳立", "13900000002", "JG", card, ""]).await, ["2 证件号: 证件号已被其他教师使用"]);
    let odd = refused(["T002", "欧阳立", "13900000002", "JG", "", "男"]).await;
    assert_eq!(odd, ["2 性别: 性别与身份证号不符"], "against the number that is stored");
    assert_eq!(server.one::<i64>("select count(*) from school_1.teacher where version > 1").await, 0);
    // Another number tells another birthday and gender; the former ones came from the former number.
    let renumbered: [&str; 6] = ["T002", "欧阳立", "13900000002", "JG", "440524198001010013", ""];
    let done = upsert(&admin, &headings, &[&renumbered], false).await;
    assert_eq!((&done.data()["errors"], &done.data()["imported"]), (&json!([]), &json!(1)));
    let seen = admin.get(&format!("{TEACHER}/view?id={second}")).await;
    assert_eq!((&seen.data()["birthday"], &seen.data()["gender"]), (&json!("1980-01-01"), &json!("male")));
    // Teachers lie in no site: who sees some sites updates none.
    let narrow = server.staff_within(1, &["user:pc:teacher:import"], "named_sites", &[1]).await;
    let kept_out = upsert(&narrow, &headings, &[&renumbered], false).await;
    assert_eq!(row_errors(kept_out.data()), ["2 : 您只能管理已分配的站点或班级，不能新增教师"]);
    let unknown =
        admin.upload_with(&format!("{TEACHER}/import"), &[("mode", "replace")], "file", "a.xlsx", XLSX, b"x").await;
    assert_eq!(fields(&unknown), ["mode: 导入方式取值无效，请重新选择"]);
}

#[tokio::test]
async fn two_updates_by_sheet_at_once_lose_nothing() {
    let server = Server::start().await;
    let (one, two) = (registrar(&server).await, registrar(&server).await);
    let unit = unit(&one).await;
    let id = one.post(&format!("{TEACHER}/save"), teacher(unit, 1)).await.id();
    let headings = ["工号", "姓名", "手机", "机构", "职称", "开户行"];
    let titled: [&str; 6] = ["T001", "陈立新", "13900000001", "JG", "教授", ""];
    let banked: [&str; 6] = ["T001", "陈立新", "13900000001", "JG", "", "工商银行"];
    let titles: [&[&str]; 1] = [&titled];
    let banks: [&[&str]; 1] = [&banked];
    let (titles, banks) = tokio::join!(upsert(&one, &headings, &titles, false), upsert(&two, &headings, &banks, false));
    let done = [&titles, &banks].into_iter().filter(|answer| answer.data()["imported"] == json!(1)).count();
    assert!(done >= 1, "{} {}", titles.body, banks.body);
    let written: i64 = server
        .one(&format!(
            "select ((title = 'professor')::int + (bank_name is not null)::int)::bigint from school_1.teacher where id = {id}"
        ))
        .await;
    assert_eq!(written, i64::try_from(done).expect("few"), "who was told so is written, who was refused is not");
}

#[tokio::test]
async fn without_an_id_number_a_reset_tells_a_random_password_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let unit = unit(&admin).await;
    let mut form = teacher(unit, 1);
    for field in ["idCardNo", "idCardType"] {
        form.as_object_mut().expect("fields").remove(field);
    }
    let id = admin.post(&format!("{TEACHER}/save"), form).await.id();
    let items = json!({ "items": [{ "id": id, "version": line(&admin, id).await["accountVersion"] }] });
    let reset = admin.post(&format!("{TEACHER}/resetPassword"), items).await;
    let given = &reset.data()["passwords"][0];
    assert_eq!((&given["loginName"], &given["name"]), (&json!("T001"), &json!("陈立新")));
    let password = given["password"].as_str().expect("a password");
    assert_eq!(password.chars().count(), 12);
    let trail: String = server.one("select string_agg(changes::text, ' ') from school_1.audit_log").await;
    assert!(!trail.contains(password), "{trail}");
}

/// 02 §12.6.2: each of many resets has its own entry, and no password stands in any.
#[tokio::test]
async fn a_bulk_reset_leaves_an_entry_for_each_person() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    unit(&admin).await;
    let rows: Vec<[String; 6]> = (1..=800).map(row).collect();
    let borrowed: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let borrowed: Vec<&[&str]> = borrowed.iter().map(Vec::as_slice).collect();
    assert_eq!(import(&admin, TEACHER, &HEADINGS, &borrowed).await.data()["imported"], json!(800));
    // A rule without an ID number: nobody needs a random password.
    setting(&server, "initialPassword", &json!("Cj@2026first")).await;
    server
        .run(
            "insert into school_1.client_session (jti, client, kind, person_id, account_id, login_name, person_name, ip, user_agent,
                 issued_at, last_seen_at, expires_at)
             select gen_random_uuid(), 'teacher', 'teacher', owner_id, id, login_name, 'x', '', '', now(), now(), now() + interval '1 hour'
             from school_1.client_account",
        )
        .await;
    let items: Vec<Value> = sqlx::query_scalar(
        "select jsonb_build_object('id', owner_id, 'version', version) from school_1.client_account",
    )
    .fetch_all(&mut server.owner().await)
    .await
    .expect("accounts");
    let reset = admin.post(&format!("{TEACHER}/resetPassword"), json!({ "items": items })).await;
    assert_eq!((&reset.data()["done"], &reset.data()["passwords"]), (&json!(800), &json!([])));
    let ended: i64 =
        server.one("select count(*) from school_1.client_session where revoke_reason = 'password_reset'").await;
    assert_eq!(ended, 800);
    let entries: i64 = server
        .one("select count(*) from school_1.audit_log where action = 'resetPassword' and changes::text !~ 'Cj@2026first'")
        .await;
    assert_eq!(entries, 800);
}

#[tokio::test]
async fn who_sees_some_sites_sees_no_teacher() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let unit = unit(&admin).await;
    let id = admin.post(&format!("{TEACHER}/save"), teacher(unit, 1)).await.id();
    let codes =
        ["user:pc:teacher:list", "user:pc:teacher:view", "user:pc:teacher:save", "user:pc:teacher:resetPassword"];
    let narrow = server.staff_within(1, &codes, "named_sites", &[1]).await;
    assert_eq!(narrow.post(&format!("{TEACHER}/list"), json!({})).await.data()["totalCount"], json!(0));
    assert_eq!(narrow.get(&format!("{TEACHER}/view?id={id}")).await.code(), 404);
    assert_eq!(narrow.post(&format!("{TEACHER}/save"), teacher(unit, 2)).await.code(), 403);
    let items = json!({ "items": [{ "id": id, "version": 1 }] });
    let refused = narrow.post(&format!("{TEACHER}/resetPassword"), items).await;
    assert_eq!((&refused.data()["done"], &refused.data()["failed"][0]["name"]), (&json!(0), &json!("")));
}

/// 03 §0.1, 02 §12.4: a teacher is chosen by name, number or initials, for example as a class manager.
#[tokio::test]
async fn teachers_are_chosen_by_whoever_sees_the_whole_school() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let unit = unit(&admin).await;
    let id = admin.post(&format!("{TEACHER}/save"), teacher(unit, 1)).await.id();
    let choices = admin.get("/adult/pc/options/teacher?keyword=t0").await.data().clone();
    assert_eq!((&choices[0]["code"], &choices[0]["desc"]), (&json!(id), &json!("陈立新（T001）")), "{choices}");
    admin
        .put(&format!("{TEACHER}/edit"), {
            let mut left = teacher(unit, 1);
            (left["id"], left["version"], left["status"]) = (json!(id), json!(1), json!("left"));
            left
        })
        .await
        .data();
    assert_eq!(*admin.get("/adult/pc/options/teacher").await.data(), json!([]));
    let narrow = server.staff_within(1, &["adult:pc:options:view"], "named_sites", &[1]).await;
    assert_eq!(*narrow.get("/adult/pc/options/teacher?enabled=false").await.data(), json!([]));
    // An officer's card comes in with old data alone.
    let mut military = teacher(unit, 2);
    (military["idCardType"], military["idCardNo"]) = (json!("military_id"), json!("JUN12345"));
    let typed = admin.post(&format!("{TEACHER}/save"), military).await;
    assert_eq!(fields(&typed), ["idCardType: 军官证只能随历史数据导入，请选择其他证件"]);
}
