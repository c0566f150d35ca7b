//! Long and short imports, their jobs, and photos by zip (00 §4, part 02 §9.7–9.8, §9.12, part 03 A4).

use std::{
    io::{Cursor, Write},
    time::{Duration, Instant},
};

use image::{ImageFormat, RgbImage};
use kit::{
    Answer, Client, Server,
    cohort::{cohort, registrar},
    imports::taken_back,
    jobs::{ended, job_until},
    sheets::{XLSX, row_errors, sheet, texts, texts_of},
    students::{HEADINGS, ROLL, id_number, import_rows, row},
};
use serde_json::{Value, json};
use sqlx::{Connection, Executor};
use zip::{ZipWriter, write::SimpleFileOptions};

fn rows(count: usize) -> Vec<Vec<String>> {
    (0..count).map(|n| row(n).to_vec()).collect()
}

async fn count(server: &Server, table: &str) -> i64 {
    server.one(&format!("select count(*) from school_1.{table}")).await
}

async fn dry_run(client: &Client<'_>, rows: &[Vec<String>]) -> Answer {
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let file = sheet(&HEADINGS, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
    client.upload_with(&format!("{ROLL}/import"), &[("dryRun", "true")], "file", "a.xlsx", XLSX, &file).await
}

#[tokio::test]
async fn ten_thousand_students_are_imported_all_or_none() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    let mut rows = rows(10_000);
    // The sheet's row 7,001: the first is the headings.
    let right = std::mem::replace(&mut rows[6_999][1], "110105194912310021".to_owned());
    // The message that the import ended is told of by the trail, too.
    let before = count(&server, "audit_log where entity_type <> 'msg'").await;
    let started = import_rows(&admin, &HEADINGS, &rows).await;
    assert_eq!((&started.data()["imported"], &started.data()["errors"]), (&json!(0), &json!([])));
    let job = ended(&admin, &started.data()["jobId"]).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("共10000行，1行有误，未导入任何数据")));
    assert_eq!(row_errors(&job), ["7001 证件号: 身份证号校验位错误，应为X"]);
    assert!(job["fileUrl"].is_string(), "the marked sheet is offered: {job}");
    for table in ["student", "client_account", "student_status_change"] {
        assert_eq!(count(&server, table).await, 0, "{table}");
    }
    assert_eq!(
        count(&server, "audit_log where entity_type <> 'msg'").await,
        before,
        "nothing was written, so the trail tells nothing"
    );

    rows[6_999][1] = right;
    let started = import_rows(&admin, &HEADINGS, &rows).await;
    let job = ended(&admin, &started.data()["jobId"]).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("共10000行，已导入10000行")));
    for table in ["student", "client_account", "student_status_change"] {
        assert_eq!(count(&server, table).await, 10_000, "{table}");
    }
    let trail: Vec<i64> = server
        .one(
            "select array[count(*), count(distinct batch_id), count(distinct entity_id)] from school_1.audit_log
             where entity_type = 'student' and action = 'import' and batch_id is not null",
        )
        .await;
    assert_eq!(trail, [10_000, 1, 10_000]);
    // 01 §12, import_finished: whoever started it reads both ends in their inbox.
    let inbox = "school_1.msg where scene_code = 'import_finished' and status = 'sent'";
    server.wait_until(&format!("select count(*) = 2 from {inbox}")).await;
    let letters = admin.post("/user/pc/msg/inbox/list", json!({})).await;
    assert!(
        letters.data()["list"][0]["content"].as_str().is_some_and(|text| text.contains("已导入10000行")),
        "{}",
        letters.body
    );
    let again = import_rows(&admin, &HEADINGS, &rows[..1]).await;
    let told = ["2 证件号: 该人员为在籍学生（2600000000），不能重复建档", "2 学号: 学号“2600000000”已存在"];
    assert_eq!(row_errors(again.data()), told);
}

#[tokio::test]
async fn a_cancelled_import_leaves_nothing() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    // Nobody can write a student until the lock goes, so the job is cancelled while it runs.
    let mut owner = server.owner().await;
    let mut lock = owner.begin().await.expect("a transaction");
    lock.execute("lock table school_1.student in share mode").await.expect("a lock");
    let started = import_rows(&admin, &HEADINGS, &rows(3_000)).await;
    let id = started.data()["jobId"].clone();
    job_until(&admin, &id, |job| job["state"] == json!("running")).await;
    assert_eq!(admin.bare(poem::http::Method::PUT, &format!("/system/pc/job/cancel?id={id}")).await.code(), 200);
    lock.rollback().await.expect("the lock goes");
    let job = ended(&admin, &id).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("cancelled"), &json!("任务已取消")));
    for table in ["student", "client_account", "student_status_change", "job_done"] {
        assert_eq!(count(&server, table).await, 0, "{table}");
    }
    let late = admin.bare(poem::http::Method::PUT, &format!("/system/pc/job/cancel?id={id}")).await;
    assert_eq!(late.refused(), (409, "任务已结束，不能取消"));
}

#[tokio::test]
async fn a_dry_run_checks_everything_and_writes_nothing() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    // The message that the import ended is told of by the trail, too.
    let before = count(&server, "audit_log where entity_type <> 'msg'").await;
    let right = dry_run(&admin, &rows(3)).await;
    assert_eq!(
        (&right.data()["total"], &right.data()["imported"], &right.data()["errors"]),
        (&json!(3), &json!(0), &json!([]))
    );
    let mut wrong = rows(3);
    wrong[1][8] = "NO".to_owned();
    assert_eq!(row_errors(dry_run(&admin, &wrong).await.data()), ["3 站点编码: “NO”不存在"]);
    let long = dry_run(&admin, &rows(2_500)).await;
    let job = ended(&admin, &long.data()["jobId"]).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("共2500行，检查通过")));
    assert_eq!((&job["done"], &job["total"]), (&json!(2500), &json!(2500)));
    for table in ["student", "client_account", "student_status_change"] {
        assert_eq!(count(&server, table).await, 0, "{table}");
    }
    assert_eq!(count(&server, "audit_log").await, before);
    assert_eq!(import_rows(&admin, &HEADINGS, &rows(3)).await.data()["imported"], json!(3));
}

/// What is confirmed is what was checked; the log keeps what came (00 §4; 05 E1).
#[tokio::test]
async fn another_file_than_the_checked_one_is_refused() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    // A workbook carries the second in which it was made: the same one is sent twice.
    let made = |count: usize| {
        let rows = rows(count);
        let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        sheet(&HEADINGS, &cells.iter().map(Vec::as_slice).collect::<Vec<_>>())
    };
    let (three, four) = (made(3), made(4));
    let send = async |field: (&str, &str), file: &[u8]| {
        admin.upload_with(&format!("{ROLL}/import"), &[field], "file", "名单.xlsx", XLSX, file).await
    };
    let checked = send(("dryRun", "true"), &three).await;
    let digest = checked.data()["sha256"].as_str().expect("a digest").to_owned();
    let refused = send(("sha256", &digest), &four).await;
    assert_eq!(refused.refused(), (409, "文件与检查时的不同，请重新上传并检查"));
    assert_eq!(count(&server, "student").await, 0);
    assert_eq!(send(("sha256", &digest), &three).await.data()["imported"], json!(3));
    server
        .wait_until(&format!(
            "select count(*) = 1 from platform.sys_log where path = '{ROLL}/import' and result_code = 200 and entity_type = 'student'
               and notes -> 'import' = jsonb_build_object('file', '名单.xlsx', 'sha256', '{digest}', 'total', 3, 'imported', 3, 'errors', 0)"
        ))
        .await;
}

/// Whoever fills in a sheet looks up the codes in it: those of the school, within what they may see.
#[tokio::test]
async fn a_template_lists_the_codes_that_its_reader_may_name() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    let west = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let west = admin.post("/adult/pc/site/save", west).await.id();
    let codes = async |client: &Client<'_>, path: &str| {
        let file = client.get(&format!("{path}/import/template")).await;
        texts_of(&file.bytes, 2)
    };
    let listed = codes(&admin, "/adult/pc/class").await;
    let headings = ["年级编码", "名称", "层次编码", "名称", "校内专业代码", "名称", "站点编码", "名称"];
    assert_eq!(listed[0], headings);
    assert_eq!(listed[1], ["2026", "2026级", "ZSB", "专升本", "KJ", "会计学", "CD", "城东教学点"]);
    assert_eq!(listed[2], ["", "", "", "", "", "", "CX", "城西教学点"]);
    let narrow = server.staff_within(1, &["adult:pc:classroom:import"], "named_sites", &[west]).await;
    assert_eq!(codes(&narrow, "/adult/pc/classroom").await, [["站点编码", "名称"], ["CX", "城西教学点"]]);
}

#[tokio::test]
async fn the_later_of_two_equal_rows_names_the_first() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    let mut rows = rows(6);
    rows[3][1] = format!(" {} ", id_number(0).to_lowercase());
    rows[4][3] = rows[1][3].clone();
    // Who has ended may stand beside the active one.
    rows[5][1] = id_number(2);
    rows[5][11] = "毕业".to_owned();
    let refused = import_rows(&admin, &HEADINGS, &rows).await;
    assert_eq!(row_errors(refused.data()), ["5 证件号: 与第2行证件号重复", "6 学号: 与第3行学号重复"]);
    assert_eq!(count(&server, "student").await, 0);
    rows.drain(3..5);
    assert_eq!(import_rows(&admin, &HEADINGS, &rows).await.data()["imported"], json!(4));
}

#[tokio::test]
async fn the_error_workbook_says_what_is_wrong_and_is_imported_again_when_corrected() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    let mut wrong = rows(2);
    wrong[1][2] = "1540000".to_owned();
    let refused = import_rows(&admin, &HEADINGS, &wrong).await;
    assert_eq!(row_errors(refused.data()), ["3 手机: 格式不正确：应为11位手机号"]);
    assert!(refused.data()["errorFileId"].is_i64(), "{}", refused.body);
    let address = refused.data()["errorFileUrl"].as_str().expect("an address");
    let marked = admin
        .raw(poem::http::Method::GET, address, None, Vec::new())
        .await
        .into_body()
        .into_vec()
        .await
        .expect("bytes");
    let cells = texts(&marked);
    assert_eq!((cells[0][0].as_str(), cells[1][0].as_str()), ("错误说明", ""));
    assert!(cells[2][0].contains("应为11位手机号"), "{cells:?}");
    let phone = cells[0].iter().position(|heading| heading == "手机").expect("the column");
    let mut corrected = cells[1..].to_vec();
    corrected[1][phone] = "15400000001".to_owned();
    let headings: Vec<&str> = cells[0].iter().map(String::as_str).collect();
    assert_eq!(import_rows(&admin, &headings, &corrected).await.data()["imported"], json!(2));
}

#[tokio::test]
async fn ten_thousand_classes_with_one_code_twice_are_refused_on_the_later_row() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    let mut codes: Vec<String> = (0..10_000).map(|n| format!("K{n}")).collect();
    // The sheet's rows 12 and 9,001.
    codes[8_999] = codes[10].to_lowercase();
    let file = |codes: &[String]| {
        let rows: Vec<[&str; 5]> = codes.iter().map(|code| [code, "2026", "ZSB", "KJ", "CD"]).collect();
        sheet(
            &["班级编码", "年级编码", "层次编码", "校内专业代码", "站点编码"],
            &rows.iter().map(<[&str; 5]>::as_slice).collect::<Vec<_>>(),
        )
    };
    let started = admin.upload("/adult/pc/class/import", "file", "a.xlsx", XLSX, &file(&codes)).await;
    let job = ended(&admin, &started.data()["jobId"]).await;
    assert_eq!(row_errors(&job), ["9001 班级编码: 与第12行编码重复"]);
    assert_eq!(count(&server, "class").await, 0);
    codes[8_999] = "K8999".to_owned();
    let begun = Instant::now();
    let started = admin.upload("/adult/pc/class/import", "file", "a.xlsx", XLSX, &file(&codes)).await;
    let job = ended(&admin, &started.data()["jobId"]).await;
    assert_eq!(job["message"], json!("共10000行，已导入10000行"));
    assert_eq!(count(&server, "class").await, 10_000);
    // A build for debugging is no measure.
    assert!(cfg!(debug_assertions) || begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

fn jpeg() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::from_fn(300, 400, |x, y| image::Rgb([x as u8, y as u8, 90]))
        .write_to(&mut bytes, ImageFormat::Jpeg)
        .expect("a picture");
    bytes.into_inner()
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in files {
        zip.start_file(*name, stored).expect("an entry");
        zip.write_all(bytes).expect("its bytes");
    }
    zip.finish().expect("a zip").into_inner()
}

async fn photos(client: &Client<'_>, zip: &[u8], fields: &[(&str, &str)]) -> Value {
    let fields = [&[("kind", "enrol")], fields].concat();
    let answer =
        client.upload_with(&format!("{ROLL}/photo/import"), &fields, "file", "照片.zip", "application/zip", zip).await;
    answer.data().clone()
}

#[tokio::test]
async fn photos_find_their_students_and_the_rest_is_told() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    admin.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西", "kind": "headquarter" })).await.id();
    let mut rows = rows(7);
    rows[6][8] = "CX".to_owned();
    assert_eq!(import_rows(&admin, &HEADINGS, &rows).await.data()["imported"], json!(7));
    let number = |n: usize| format!("26{n:08}");
    let by_id = format!("照片/一班/{}.JPG", id_number(1));
    let (first, double, climbing) =
        (format!("{}.jpg", number(0)), format!("{}.jpeg", id_number(0)), format!("../../{}.jpg", number(2)));
    let (broken, large, elsewhere) =
        (format!("{}.png", number(3)), format!("{}.jpg", number(4)), format!("{}.jpg", number(6)));
    let (picture, padding) = (jpeg(), vec![0; (2 << 20) + 1]);
    let files: [(&str, &[u8]); 11] = [
        (&first, &picture),
        (&by_id, &picture),
        (&climbing, &picture),
        (&double, &picture),
        (&broken, b"no picture"),
        (&large, &padding),
        (&elsewhere, &picture),
        ("99999999.jpg", &picture),
        ("../../x.jpg", &picture),
        ("__MACOSX/._x.jpg", &picture),
        ("名单.txt", b"x"),
    ];
    let zip = zipped(&files);
    let staff = server.staff_within(1, &["adult:pc:studentRoll:import"], "named_sites", &[p.site]).await;
    let told = json!({
        "total": 10, "matched": 3, "replaced": 0, "skipped": 0, "jobId": null,
        "unmatched": [&elsewhere, "99999999.jpg", "x.jpg"],
        "invalid": [
            { "name": double, "message": "同一学生有多张照片" },
            { "name": "名单.txt", "message": "只支持jpg、jpeg、png格式的图片" },
            { "name": broken, "message": "图片无法识别，请使用jpg或png格式" },
            { "name": large, "message": "图片不能超过2MB" },
        ],
    });
    let with_photo =
        "select array_agg(student_no order by student_no) from school_1.student where enrol_photo_id is not null";
    assert_eq!(photos(&staff, &zip, &[("dryRun", "true")]).await, told);
    assert_eq!(server.one::<Option<Vec<String>>>(with_photo).await, None);
    assert_eq!(photos(&staff, &zip, &[]).await, told);
    assert_eq!(server.one::<Vec<String>>(with_photo).await, [number(0), number(1), number(2)]);
    let strange: i64 = server
        .one("select count(*) from platform.file_object where key like '%..%' or key not like 'private/s1/%'")
        .await;
    assert_eq!(strange, 0);
    let data = &server.app.config().data;
    for climbed in [
        data.join("../../x.jpg"),
        data.join(&climbing),
        data.join("tmp").join(&climbing),
        data.join("files").join(&climbing),
    ] {
        assert!(!climbed.exists(), "{}", climbed.display());
    }
    let again = photos(&staff, &zip, &[]).await;
    assert_eq!((&again["matched"], &again["skipped"]), (&json!(0), &json!(3)));
    let which = "select array_agg(enrol_photo_id order by student_no) filter (where enrol_photo_id is not null) from school_1.student";
    let first: Vec<i64> = server.one(which).await;
    let over = photos(&staff, &zip, &[("overwrite", "true")]).await;
    assert_eq!((&over["matched"], &over["replaced"], &over["skipped"]), (&json!(3), &json!(3), &json!(0)));
    let seen = admin.get(&format!("{ROLL}/view?studentNo={}", number(2))).await;
    let shown = admin
        .raw(poem::http::Method::GET, seen.data()["enrolPhoto"].as_str().expect("an address"), None, Vec::new())
        .await;
    assert_eq!(shown.content_type(), Some("image/jpeg"));

    // The wrong archive goes again: everybody has the picture of before, then none. Whose picture is another one by now keeps it.
    let back = |done: &str| (done.to_owned(), Vec::<String>::new());
    assert_eq!(taken_back(&admin, "学生照片").await, back("共3条，已撤销3条"));
    assert_eq!(server.one::<Vec<i64>>(which).await, first);
    let one = zipped(&[(by_id.as_str(), picture.as_slice())]);
    assert_eq!(photos(&admin, &one, &[("overwrite", "true")]).await["replaced"], json!(1));
    let run = json!({ "id": first_run(&staff).await, "dryRun": false });
    let job = ended(&staff, &staff.put("/system/pc/import/undo", run).await.data()["jobId"]).await;
    assert_eq!(job["message"], json!("共3条，已撤销2条，1条保留"), "{job}");
    assert_eq!(server.one::<Vec<String>>(with_photo).await, [number(1)]);
    assert_eq!(taken_back(&admin, "学生照片").await, back("共1条，已撤销1条"));
    assert_eq!(taken_back(&staff, "学生照片").await, back("共1条，已撤销1条"));
    assert_eq!(server.one::<Option<Vec<String>>>(with_photo).await, None);
}

/// The oldest import of the person.
async fn first_run(client: &Client<'_>) -> Value {
    let listed = client.post("/system/pc/import/list", json!({})).await;
    listed.data()["list"].as_array().and_then(|runs| runs.last()).expect("an import")["id"].clone()
}

/// An archive of more than 200 pictures becomes a job; what it wrote before somebody cancelled it stays.
#[tokio::test]
async fn many_photos_are_a_job_that_can_be_cancelled() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    import_rows(&admin, &HEADINGS, &rows(450)).await.data();
    let picture = jpeg();
    let mut names: Vec<String> = (0..450).map(|n| format!("26{n:08}.jpg")).collect();
    names.push("nobody.jpg".to_owned());
    let zip = zipped(&names.iter().map(|name| (name.as_str(), picture.as_slice())).collect::<Vec<_>>());
    let dry = photos(&admin, &zip, &[("dryRun", "true")]).await;
    let job = ended(&admin, &dry["jobId"]).await;
    let told = "共451张，可导入450张（替换0张），已有而跳过0张，1张不能导入";
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!(told)), "{job}");
    assert_eq!(job["errors"], json!([{ "name": "nobody.jpg", "msg": "没有对应的学生" }]));
    assert!(job["fileUrl"].is_string(), "what was not kept is offered: {job}");
    let with_photo = "select count(*) from school_1.student where enrol_photo_id is not null";
    assert_eq!(server.one::<i64>(with_photo).await, 0);

    // The second part waits for a student whom somebody holds, and is cancelled there.
    let mut owner = server.owner().await;
    let mut held = owner.begin().await.expect("a transaction");
    held.execute("select from school_1.student where student_no = '2600000300' for update").await.expect("a lock");
    let started = photos(&admin, &zip, &[]).await;
    server.wait_until("select count(*) >= 200 from school_1.student where enrol_photo_id is not null").await;
    let id = &started["jobId"];
    assert_eq!(admin.bare(poem::http::Method::PUT, &format!("/system/pc/job/cancel?id={id}")).await.code(), 200);
    held.rollback().await.expect("the lock goes");
    let job = ended(&admin, id).await;
    assert_eq!(job["state"], json!("cancelled"), "{job}");
    let kept: i64 = server.one(with_photo).await;
    assert!((200..450).contains(&kept), "{kept}");
    // The same archive again brings the rest.
    let job = ended(&admin, &photos(&admin, &zip, &[]).await["jobId"]).await;
    let told = format!("共451张，已导入{}张（替换0张），已有而跳过{kept}张，1张不能导入", 450 - kept);
    assert_eq!(job["message"], json!(told), "{job}");
    // Both can be undone, what was cancelled too.
    let runs = admin.post("/system/pc/import/list", json!({})).await;
    let records = |place: usize| runs.data()["list"][place]["records"].as_i64();
    assert_eq!((records(0), records(1)), (Some(450 - kept), Some(kept)), "{}", runs.body);

    // And all of them come out again under their numbers.
    let wanted = json!({ "kind": "enrol", "keyword": "26000000" });
    let packed = admin.post(&format!("{ROLL}/photo/export"), wanted).await;
    let job = ended(&admin, &packed.data()["jobId"]).await;
    assert_eq!(job["message"], json!("已导出100张入学照片"), "{job}");
    let file = job["fileUrl"].as_str().expect("an archive");
    let file = admin.raw(poem::http::Method::GET, file, None, Vec::new()).await;
    let archive = file.into_body().into_vec().await.expect("bytes");
    let mut archive = zip::ZipArchive::new(Cursor::new(archive)).expect("a zip");
    assert_eq!((archive.len(), archive.by_name("2600000007.jpg").is_ok()), (100, true));
    let none = admin.post(&format!("{ROLL}/photo/export"), json!({ "kind": "graduation" })).await;
    assert_eq!(none.refused(), (409, "当前名单没有学历照片"));
}

/// What is worth a second look in a long import is told by its job.
#[tokio::test]
async fn a_job_tells_what_is_worth_a_second_look() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    let mut rows = rows(2_001);
    rows[2_000][3] = "2630412007002311".to_owned();
    let job = ended(&admin, &import_rows(&admin, &HEADINGS, &rows).await.data()["jobId"]).await;
    assert_eq!(job["message"], json!("共2001行，已导入2001行，1行请核对"));
    let told = json!([{ "row": 2002, "column": "学号", "message": "学号超过15位，学信网只接收15位，请核对" }]);
    assert_eq!((&job["errors"], &job["warnings"]), (&json!([]), &told));
}

/// A name that a spreadsheet may take for a formula comes in with the apostrophe of a CSV or without, and goes out as text.
#[tokio::test]
async fn a_name_like_a_formula_comes_in_and_goes_out_as_it_is() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let names = ["=cmd|/C calc!A0", "+1", "-1+1", "@SUM(A1)", "'=1"];
    let typed = ["'=cmd|/C calc!A0", "+1", "'-1+1", "@SUM(A1)", "''=1"];
    let rows: Vec<[String; 3]> =
        (0..).zip(typed).map(|(n, name)| [format!("F{n}"), name.to_owned(), "校本部".to_owned()]).collect();
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let file = sheet(&["站点编码", "站点名称", "类型"], &rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let imported = admin.upload("/adult/pc/site/import", "file", "a.xlsx", XLSX, &file).await;
    assert_eq!((imported.data()["imported"].as_u64(), row_errors(imported.data())), (Some(5), Vec::new()));
    let kept: Vec<String> =
        server.one("select array_agg(name order by code) from school_1.site where code like 'F%'").await;
    assert_eq!(kept, names);

    let book = admin.post("/adult/pc/site/export", json!({})).await.bytes;
    let cells = texts(&book);
    let mut shown: Vec<&str> = cells.iter().filter(|row| row[0].starts_with('F')).map(|row| row[1].as_str()).collect();
    shown.sort_unstable();
    // In a workbook the mark is a style of the cell; only a text that begins with an apostrophe itself gets another.
    assert_eq!(shown, ["''=1", "+1", "-1+1", "=cmd|/C calc!A0", "@SUM(A1)"]);
    let mut archive = zip::ZipArchive::new(Cursor::new(&book)).expect("a zip");
    let mut styles = String::new();
    std::io::Read::read_to_string(&mut archive.by_name("xl/styles.xml").expect("styles"), &mut styles).expect("text");
    assert!(styles.contains("quotePrefix=\"1\""), "{styles}");
}

/// A workbook that no spreadsheet made is refused in words, and a cell that the database cannot keep is no failure.
#[tokio::test]
async fn an_odd_workbook_is_refused_in_words() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let odd = |cell: &str| {
        let right = sheet(&["站点编码", "站点名称", "类型"], &[&["OD", "张三", "校本部"]]);
        let mut archive = zip::ZipArchive::new(Cursor::new(&right)).expect("a zip");
        let mut written = ZipWriter::new(Cursor::new(Vec::new()));
        for index in 0..archive.len() {
            let mut part = archive.by_index(index).expect("a part");
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut part, &mut bytes).expect("bytes");
            let name = part.name().expect("a name").to_string();
            if name.ends_with("sheet1.xml") {
                bytes = String::from_utf8(bytes)
                    .expect("text")
                    .replace("</sheetData>", &format!("{cell}</sheetData>"))
                    .into_bytes();
            }
            written.start_file(name, SimpleFileOptions::default()).expect("an entry");
            written.write_all(&bytes).expect("its bytes");
        }
        written.finish().expect("a zip").into_inner()
    };
    let send = async |file: &[u8]| admin.upload("/adult/pc/site/import", "file", "a.xlsx", XLSX, file).await;
    let refused = "文件不是有效的 Excel 工作簿，请用下载的模板填写，并保存为 .xlsx 格式";
    for cell in [
        r#"<row r="4294967299"><c r="A4294967299"><v>1</v></c></row>"#,
        r#"<row r="3"><c r="ZZZZZZZZ1"><v>1</v></c></row>"#,
        r#"<row r="1048577"><c r="A1048577"><v>1</v></c></row>"#,
    ] {
        let answer = send(&odd(cell)).await;
        assert_eq!(answer.refused(), (422, refused), "{cell}");
    }
    assert_eq!(send(b"PK\x03\x04 and nothing").await.refused(), (422, refused));
    let answer = send(&odd(r#"<row r="3"><c r="A3" t="inlineStr"><is><t>O_x0000_E&#1;</t></is></c></row>"#)).await;
    assert_eq!(answer.code(), 200, "{}", answer.body);
    assert_eq!(row_errors(answer.data()).len(), 3, "{}", answer.body);
}
