//! Courses of a school and what they are taught with (part 03 A5, A6).

use kit::{
    Client, Server,
    cohort::registrar,
    courses::{CHAPTER, COURSE, PERIOD, RECORD, TYPE, body, chapter, course, record, type_of},
    fields,
    jobs::ended,
    rows::video,
    sheets::{import, row_errors, texts},
};
use poem::http::Method;
use serde_json::{Value, json};

/// The course as it was read, as the body of an edit.
async fn edit_of(client: &Client<'_>, id: i64, change: Value) -> Value {
    let seen = client.get(&format!("{COURSE}/view?id={id}")).await.data().clone();
    let mut edit = json!({ "id": id, "version": seen["version"] });
    for field in [
        "code",
        "name",
        "typeId",
        "kind",
        "credits",
        "lectureHours",
        "onlineHours",
        "practiceHours",
        "selfStudyHours",
        "examForm",
        "assessMode",
        "degreeCourse",
        "prerequisiteIds",
        "textbook",
        "source",
    ] {
        edit[field] = seen[field].clone();
    }
    for (field, value) in change.as_object().expect("fields") {
        edit[field] = value.clone();
    }
    edit
}

#[tokio::test]
async fn every_school_begins_with_one_type_of_each_kind() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let tree = admin.post(&format!("{TYPE}/list"), json!({})).await;
    let names: Vec<&str> = tree.data().as_array().expect("types").iter().filter_map(|t| t["name"].as_str()).collect();
    assert_eq!(names, ["公共基础课", "专业基础课", "专业核心课", "职业能力拓展课", "实践环节", "毕业设计(论文)"]);
    let kinds: i64 = server.one("select count(distinct system_kind) from school_2.curriculum_type").await;
    assert_eq!(kinds, 6);
}

#[tokio::test]
async fn types_stand_in_two_levels_and_courses_on_the_leaves() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let root = type_of(&admin, "ZYJC").await;
    let below = json!({ "code": "SX", "name": "数学类", "systemKind": "major_basic", "parentId": root });
    let leaf = admin.post(&format!("{TYPE}/save"), below).await.id();
    let third = json!({ "code": "GS", "name": "高等数学类", "systemKind": "major_basic", "parentId": leaf });
    assert_eq!(fields(&admin.post(&format!("{TYPE}/save"), third).await), ["parentId: 课程类型最多两级"]);
    let refused = admin.post(&format!("{COURSE}/save"), body("A", "高等数学", root)).await;
    assert_eq!(fields(&refused), ["typeId: “专业基础课”下有下级类型，请选择下级类型"]);
    admin.post(&format!("{COURSE}/save"), body("A", "高等数学", leaf)).await.id();
    let occupied = json!({ "code": "GS", "name": "高等数学类", "systemKind": "public_basic", "parentId": type_of(&admin, "GGJC").await });
    course(&admin, "B", "大学英语").await;
    assert_eq!(
        fields(&admin.post(&format!("{TYPE}/save"), occupied).await),
        ["parentId: “公共基础课”已有1门课程，不能再有下级类型，请先将课程改为其他类型"]
    );
    let refused = admin.delete(&format!("{TYPE}/delete?id={root}")).await;
    assert_eq!(refused.refused(), (409, "“专业基础课”已被引用，不能删除：1个下级类型"));
    let tree = admin.post(&format!("{TYPE}/list"), json!({ "keyword": "数学" })).await;
    assert_eq!(
        (&tree.data()[0]["courseCount"], &tree.data()[0]["children"][0]["courseCount"]),
        (&json!(1), &json!(1)),
        "{}",
        tree.body
    );
    let listed = admin.post(&format!("{COURSE}/list"), json!({ "typeId": root })).await;
    assert_eq!(listed.data()["totalCount"], json!(1), "a type stands for those below it");
    let offered = admin.get("/adult/pc/options/curriculumType?keyword=sxl").await;
    assert_eq!(offered.data()[0]["desc"], json!("专业基础课 / 数学类"), "{}", offered.body);
    let twin = json!({ "code": "sx", "name": "数学二", "systemKind": "major_basic" });
    assert_eq!(fields(&admin.post(&format!("{TYPE}/save"), twin).await), ["code: 编码“sx”已存在"]);
}

#[tokio::test]
async fn a_type_with_12_courses_stays() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let type_id = type_of(&admin, "ZYHX").await;
    for n in 1..=12 {
        admin.post(&format!("{COURSE}/save"), body(&format!("C{n}"), &format!("课程{n}"), type_id)).await.id();
    }
    let refused = admin.delete(&format!("{TYPE}/delete?id={type_id}")).await;
    assert_eq!(refused.refused(), (409, "“专业核心课”已被引用，不能删除：12门课程"));
}

#[tokio::test]
async fn hours_are_the_sum_of_their_parts_and_credits_come_in_halves() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let type_id = type_of(&admin, "GGJC").await;
    let sent = |credits: f64, hours: Value, onlinehours: i64| {
        json!({ "code": "A", "name": "大学英语", "typeId": type_id, "credits": credits, "hours": hours,
            "lectureHours": 20, "onlineHours": onlinehours, "practiceHours": 10 })
    };
    let refused = admin.post(&format!("{COURSE}/save"), sent(4.0, json!(64), 30)).await;
    assert_eq!(fields(&refused), ["hours: 总学时应等于各学时之和60"]);
    let refused = admin.post(&format!("{COURSE}/save"), sent(4.2, Value::Null, 30)).await;
    assert_eq!(fields(&refused), ["credits: 学分应为0.5的倍数"]);
    let few = admin.post(&format!("{COURSE}/save"), sent(4.0, json!(48), 18)).await;
    assert_eq!(few.data()["warnings"], json!(["每学分12.0学时，低于下限16"]));
    let id = few.id();
    let enough = admin.put(&format!("{COURSE}/edit"), edit_of(&admin, id, json!({ "onlineHours": 42 })).await).await;
    assert_eq!(enough.data()["warnings"], json!([]));
    let seen = admin.get(&format!("{COURSE}/view?code=a")).await;
    let data = seen.data();
    assert_eq!(
        (&data["hours"], &data["kind"], &data["examForm"], &data["source"]),
        (&json!(72), &json!("theory"), &json!("exam"), &json!("own"))
    );
    let mut namesake = body("B", "大学英语", type_id);
    namesake["examForm"] = json!("check");
    let warned = admin.post(&format!("{COURSE}/save"), namesake).await;
    assert_eq!(warned.data()["warnings"], json!(["已有同名课程：A"]));
}

#[tokio::test]
async fn a_repeated_save_answers_the_same_course_with_its_warnings() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let mut sent = body("A", "大学英语", type_of(&admin, "GGJC").await);
    sent["credits"] = json!(6.0);
    let save = || {
        admin.with_header(
            poem::http::Method::POST,
            "/course/pc/collegeCurriculum/save",
            ("Idempotency-Key", "k1"),
            &sent,
        )
    };
    let (first, second) = (save().await, save().await);
    assert_eq!(first.data()["warnings"], json!(["每学分12.0学时，低于下限16"]));
    assert_eq!(first.data(), second.data());
    assert_eq!(server.one::<i64>("select count(*) from school_1.course").await, 1);
}

#[tokio::test]
async fn a_type_gives_its_courses_kind_and_exam_form() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let mut thesis = body("L", "毕业论文", type_of(&admin, "BYSJ").await);
    thesis["textbook"] = json!({ "name": "论文写作", "isbn": "978-7-04-039663-9" });
    let refused = admin.post(&format!("{COURSE}/save"), thesis.clone()).await;
    assert_eq!(fields(&refused), ["textbook.isbn: ISBN校验位不正确，请核对"]);
    thesis["textbook"]["isbn"] = json!("978-7-04-039663-8");
    let id = admin.post(&format!("{COURSE}/save"), thesis).await.id();
    let seen = admin.get(&format!("{COURSE}/view?id={id}")).await;
    let data = seen.data();
    assert_eq!((&data["kind"], &data["examForm"]), (&json!("thesis"), &json!("check")));
    assert_eq!(data["textbook"]["isbn"], json!("9787040396638"));
}

#[tokio::test]
async fn no_course_comes_before_itself() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let a = course(&admin, "A", "大学英语一").await;
    let b = course(&admin, "B", "大学英语二").await;
    let c = course(&admin, "C", "商务英语").await;
    let edit = edit_of(&admin, a, json!({ "prerequisiteIds": [b] })).await;
    assert_eq!(admin.put(&format!("{COURSE}/edit"), edit).await.code(), 200);
    let circle = edit_of(&admin, b, json!({ "prerequisiteIds": [a] })).await;
    assert_eq!(
        fields(&admin.put(&format!("{COURSE}/edit"), circle).await),
        ["prerequisiteIds: 先修课程形成循环：大学英语二→大学英语一→大学英语二"]
    );
    // Two edits that are each right and together close a circle.
    let (one, two) = (
        edit_of(&admin, b, json!({ "prerequisiteIds": [c] })).await,
        edit_of(&other, c, json!({ "prerequisiteIds": [a] })).await,
    );
    let (path_one, path_two) = (format!("{COURSE}/edit"), format!("{COURSE}/edit"));
    let (one, two) = tokio::join!(admin.put(&path_one, one), other.put(&path_two, two));
    let mut codes = [one.code(), two.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 422], "{} {}", one.body, two.body);
    let refused = admin.delete(&format!("{COURSE}/delete?id={b}")).await;
    assert_eq!(refused.refused(), (409, "“大学英语二”已被引用，不能删除：1门后续课程"));
    assert_eq!(
        admin.delete(&format!("{COURSE}/delete?id={a}")).await.code(),
        if one.code() == 200 { 200 } else { 409 }
    );
}

#[tokio::test]
async fn a_course_that_was_switched_off_stays_where_it_is_and_is_not_chosen_again() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let a = course(&admin, "A", "大学英语一").await;
    let b = course(&admin, "B", "大学英语二").await;
    let c = course(&admin, "C", "商务英语").await;
    let edit = edit_of(&admin, b, json!({ "prerequisiteIds": [a] })).await;
    assert_eq!(admin.put(&format!("{COURSE}/edit"), edit).await.code(), 200);
    admin.put(&format!("{COURSE}/update/status"), json!({ "id": a, "enabled": false })).await.data();
    let offered = admin.get("/adult/pc/options/course?keyword=dxyyy").await;
    assert_eq!(offered.data(), &json!([]), "{}", offered.body);
    let kept = edit_of(&admin, b, json!({ "credits": 4.5 })).await;
    assert_eq!(admin.put(&format!("{COURSE}/edit"), kept).await.code(), 200);
    let chosen = edit_of(&admin, c, json!({ "prerequisiteIds": [a] })).await;
    assert_eq!(
        fields(&admin.put(&format!("{COURSE}/edit"), chosen).await),
        ["prerequisiteIds: “大学英语一”已停用，请选择其他项"]
    );
    let stale = json!({ "id": a, "enabled": true, "version": 1 });
    assert_eq!(admin.put(&format!("{COURSE}/update/status"), stale).await.code(), 409);
}

#[tokio::test]
async fn many_courses_are_set_at_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let a = course(&admin, "A", "电工学").await;
    let core = type_of(&admin, "ZYHX").await;
    let path = format!("{COURSE}/batchEdit");
    let nothing = admin.put(&path, json!({ "ids": [a] })).await;
    assert_eq!(nothing.refused(), (422, "请至少选择一项要设置的内容"));
    let set = admin.put(&path, json!({ "ids": [a, 999], "typeId": core, "assessMode": "open_book" })).await;
    assert_eq!((&set.data()["done"], &set.data()["failed"][0]["msg"]), (&json!(1), &json!("记录不存在或已被删除")));
    let seen = admin.get(&format!("{COURSE}/view?id={a}")).await;
    let data = seen.data();
    assert_eq!(
        (&data["typeName"], &data["assessMode"], &data["examForm"], &data["version"]),
        (&json!("专业核心课"), &json!("open_book"), &json!("exam"), &json!(2))
    );
}

const HEADINGS: [&str; 8] =
    ["课程代码", "课程名称", "课程类型编码", "学分", "面授学时", "线上学时", "考核类型", "先修课程代码"];

#[tokio::test]
async fn an_import_takes_new_codes_and_updates_known_ones_only_when_asked() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let rows: [&[&str]; 2] = [
        &["A", "大学英语一", "GGJC", "4", "24", "48", "考试", ""],
        &["B", "大学英语二", "ggjc", "4", "24", "48", "考试", "A"],
    ];
    let first = import(&admin, COURSE, &HEADINGS, &rows).await;
    assert_eq!((&first.data()["imported"], &first.data()["errors"]), (&json!(2), &json!([])));
    let again = import(&admin, COURSE, &HEADINGS, &rows).await;
    assert_eq!(row_errors(again.data()), ["2 课程代码: 编码“A”已存在", "3 课程代码: 编码“B”已存在"]);
    let doubtful =
        import(&admin, COURSE, &HEADINGS, &[&["E", "大学英语一", "GGJC", "4", "24", "24", "考试", ""]]).await;
    assert_eq!(doubtful.data()["imported"], json!(1));
    assert_eq!(doubtful.data()["warnings"][0]["message"], json!("已有同名课程：A"));
    assert_eq!(doubtful.data()["warnings"][1]["message"], json!("每学分12.0学时，低于下限16"));
    let wrong: [&[&str]; 2] =
        [&["C", "口语", "NO", "4.2", "24", "48", "考试", "Z"], &["D", "听力", "GGJC", "4", "24", "48", "面试", ""]];
    let refused = import(&admin, COURSE, &HEADINGS, &wrong).await;
    let told = row_errors(refused.data());
    for expected in ["2 课程类型编码: 编码“NO”不存在", "2 先修课程代码: 编码“Z”不存在", "2 学分: 学分应为0.5的倍数"]
    {
        assert!(told.contains(&expected.to_owned()), "{expected} in {told:?}");
    }
    assert!(told.iter().any(|error| error.starts_with("3 考核类型: “面试”不在可选范围内")), "{told:?}");

    let headings = ["课程代码", "课程名称", "课程类型编码", "学分", "考核类型", "先修课程代码", "ISBN", "教材名称"];
    let upsert = |rows: Vec<Vec<&'static str>>| {
        let admin = &admin;
        async move {
            let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
            let bytes = kit::sheets::sheet(&headings, &rows);
            let texts = [("mode", "upsert")];
            admin.upload_with(&format!("{COURSE}/import"), &texts, "file", "a.xlsx", kit::sheets::XLSX, &bytes).await
        }
    };
    let done = upsert(vec![
        vec!["a", "大学英语（一）", "GGJC", "5", "考查", "", "9787040396638", "新编英语"],
        vec!["C", "商务英语", "GGJC", "3", "考查", "A;B", "", ""],
    ])
    .await;
    assert_eq!((&done.data()["imported"], &done.data()["errors"]), (&json!(2), &json!([])));
    let seen = admin.get(&format!("{COURSE}/view?code=A")).await;
    let data = seen.data();
    assert_eq!(
        (&data["name"], &data["credits"], &data["hours"], &data["examForm"], &data["textbook"]["isbn"]),
        (&json!("大学英语（一）"), &json!(5.0), &json!(72), &json!("check"), &json!("9787040396638")),
        "hours had no column and stay"
    );
    let circle = upsert(vec![vec!["A", "大学英语（一）", "GGJC", "5", "考查", "C", "", ""]]).await;
    assert_eq!(row_errors(circle.data()), ["2 先修课程代码: 先修课程形成循环：大学英语（一）→商务英语→大学英语（一）"]);
    let unknown = admin
        .upload_with(&format!("{COURSE}/import"), &[("mode", "replace")], "file", "a.xlsx", kit::sheets::XLSX, b"x")
        .await;
    assert_eq!(fields(&unknown), ["mode: 导入方式取值无效，请重新选择"]);
    let sheet = texts(&admin.post(&format!("{COURSE}/export"), json!({ "keyword": "C" })).await.bytes);
    assert_eq!(&sheet[1][..4], ["C", "商务英语", "公共基础课", "理论"], "{sheet:?}");
    assert!(sheet[1].contains(&"大学英语（一）、大学英语二".to_owned()), "{sheet:?}");
}

#[tokio::test]
async fn of_10000_courses_with_one_repeated_code_none_is_imported() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let mut rows: Vec<[String; 8]> = (2..=10_001)
        .map(|n| {
            let texts = [&format!("K{n}"), &format!("课程{n}"), "GGJC", "4", "24", "48", "考试", ""];
            texts.map(ToString::to_string)
        })
        .collect();
    // Row 7,500 of the sheet repeats the code of row 7,000.
    rows[7_498][0] = rows[6_998][0].clone();
    let lines: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let lines: Vec<&[&str]> = lines.iter().map(Vec::as_slice).collect();
    let started = import(&admin, COURSE, &HEADINGS, &lines).await;
    let job = ended(&admin, &started.data()["jobId"]).await;
    assert_eq!(row_errors(&job), ["7500 课程代码: 与第7000行代码重复"]);
    assert_eq!(job["message"], json!("共10000行，1行有误，未导入任何数据"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.course").await, 0);
}

fn link(record: i64, chapter: i64, title: &str) -> Value {
    json!({ "courseRecordId": record, "chapterId": chapter, "title": title, "kind": "link", "url": "https://example.com/1" })
}

async fn publish(client: &Client<'_>, record: i64) -> kit::Answer {
    client.put(&format!("{RECORD}/update/status"), json!({ "id": record, "status": "published" })).await
}

#[tokio::test]
async fn a_record_is_published_when_its_required_videos_are_ready() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "A", "大学英语").await;
    let record = record(&admin, course, "大学英语（2026版）").await;
    let chapter = chapter(&admin, course, None, "第一章").await;
    assert_eq!(publish(&admin, record).await.refused(), (422, "请先添加并启用课时，再上架"));
    for n in 1..=10 {
        let media =
            video(&server, "school_1", &format!("v{n}"), if n == 10 { "processing" } else { "ready" }, 600).await;
        let period = json!({ "courseRecordId": record, "chapterId": chapter, "title": format!("1.{n}"), "kind": "video", "mediaAssetId": media });
        admin.post(&format!("{PERIOD}/save"), period).await.id();
    }
    assert_eq!(publish(&admin, record).await.refused(), (422, "还有1个必修课时未转码完成"));
    let seen = admin.get(&format!("{RECORD}/view?id={record}")).await;
    let data = seen.data();
    assert_eq!(
        (&data["periodCount"], &data["readyCount"], &data["totalSeconds"], &data["isDefault"]),
        (&json!(10), &json!(9), &json!(6000), &json!(true)),
        "the length is the video's"
    );
    server.run("update school_1.media_asset set state = 'ready'").await;
    assert_eq!(publish(&admin, record).await.code(), 200);
    let refused = admin.delete(&format!("{RECORD}/delete?id={record}")).await;
    assert_eq!(refused.refused(), (409, "“大学英语（2026版）”已上架，请先下架再删除"));
    let back = admin.put(&format!("{RECORD}/update/status"), json!({ "id": record, "status": "draft" })).await;
    assert_eq!(back.refused(), (409, "已上架的资源不能退回草稿，请下架"));
    let off = json!({ "id": record, "status": "off_shelf", "version": 1 });
    assert_eq!(admin.put(&format!("{RECORD}/update/status"), off).await.code(), 409, "somebody read an older version");
    let off = json!({ "id": record, "status": "off_shelf", "version": 2 });
    assert_eq!(admin.put(&format!("{RECORD}/update/status"), off).await.code(), 200);
    let refused = admin.delete(&format!("{RECORD}/delete?id={record}")).await;
    assert_eq!(refused.refused(), (409, "“大学英语（2026版）”已被引用，不能删除：10个课时"));
}

#[tokio::test]
async fn one_record_is_the_default_though_two_people_set_it_at_once() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let course = course(&admin, "A", "大学英语").await;
    let a = record(&admin, course, "甲").await;
    let b = record(&admin, course, "乙").await;
    let c = record(&admin, course, "丙").await;
    let path = format!("{RECORD}/setDefault");
    assert_eq!(admin.put(&path, json!({ "id": b })).await.code(), 200);
    let defaults = "select array_agg(id order by id) from school_1.course_record where is_default";
    assert_eq!(server.one::<Vec<i64>>(defaults).await, [b]);
    let (one, two) = tokio::join!(admin.put(&path, json!({ "id": c })), other.put(&path, json!({ "id": a })));
    assert_eq!((one.code(), two.code()), (200, 200), "{} {}", one.body, two.body);
    assert_eq!(server.one::<Vec<i64>>(defaults).await.len(), 1);
    let at = server.one::<i64>("select id from school_1.course_record where is_default").await;
    assert_eq!(admin.put(&path, json!({ "id": at })).await.refused(), (409, "该资源已是默认资源"));
}

#[tokio::test]
async fn a_copy_is_a_draft_of_the_next_version_with_the_same_periods() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "A", "大学英语").await;
    let first = record(&admin, course, "大学英语").await;
    let chapter = chapter(&admin, course, None, "第一章").await;
    admin.post(&format!("{PERIOD}/save"), link(first, chapter, "导学")).await.id();
    assert_eq!(publish(&admin, first).await.code(), 200);
    let copy = admin.post(&format!("{RECORD}/copy"), json!({ "id": first })).await.id();
    let seen = admin.get(&format!("{RECORD}/view?id={copy}")).await;
    let data = seen.data();
    assert_eq!(
        (&data["versionNo"], &data["status"], &data["isDefault"], &data["periodCount"]),
        (&json!(2), &json!("draft"), &json!(false), &json!(1))
    );
    let offered = admin.get(&format!("/adult/pc/options/courseRecord?parentId={course}")).await;
    assert_eq!(offered.data().as_array().map(Vec::len), Some(1), "a draft is not offered: {}", offered.body);
    let edit = json!({ "id": copy, "version": 1, "courseId": course + 1, "name": "乙", "source": "own" });
    let refused = admin.put(&format!("{RECORD}/edit"), edit).await;
    assert_eq!(fields(&refused), ["courseId: 课程资源不能改到其他课程，请新增"]);
    let rows = texts(&admin.post(&format!("{RECORD}/export"), json!({ "courseId": course })).await.bytes);
    assert_eq!(rows.len(), 3, "{rows:?}");
    // What was on the shelf keeps its periods; a draft goes with them.
    let off = json!({ "id": first, "status": "off_shelf" });
    assert_eq!(admin.put(&format!("{RECORD}/update/status"), off).await.code(), 200);
    assert_eq!(admin.delete(&format!("{RECORD}/delete?id={first}")).await.code(), 409);
    assert_eq!(admin.delete(&format!("{RECORD}/delete?id={copy}")).await.code(), 200);
    let left: Vec<i64> = server.one("select array_agg(course_record_id order by id) from school_1.course_period").await;
    assert_eq!(left, [first]);
    let told: String = server
        .one(&format!("select changes::text from school_1.audit_log where entity_type = 'course_record' and entity_id = {copy} and action = 'delete'"))
        .await;
    assert!(told.contains("periodCount"), "how many went is told: {told}");
}

/// Courses are found by whether anybody has material for them.
#[tokio::test]
async fn courses_without_material_are_found() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (with, without) = (course(&admin, "A", "大学英语").await, course(&admin, "B", "高等数学").await);
    for name in ["甲", "乙"] {
        record(&admin, with, name).await;
    }
    for (wanted, ids, counts) in [
        (json!({}), vec![with, without], vec![2, 0]),
        (json!({ "hasRecords": true }), vec![with], vec![2]),
        (json!({ "hasRecords": false }), vec![without], vec![0]),
    ] {
        let page = admin.post(&format!("{COURSE}/list"), wanted.clone()).await.data().clone();
        let rows = page["list"].as_array().expect("rows").clone();
        let found: Vec<i64> = rows.iter().filter_map(|row| row["id"].as_i64()).collect();
        let told: Vec<i64> = rows.iter().filter_map(|row| row["recordCount"].as_i64()).collect();
        assert_eq!((found, told), (ids.clone(), counts), "{wanted}");
        assert_eq!(page["totalCount"], json!(ids.len()), "{wanted}");
    }
}

#[tokio::test]
async fn chapters_have_sections_and_a_place_that_two_editors_cannot_lose() {
    let server = Server::start().await;
    let (admin, other) = (registrar(&server).await, registrar(&server).await);
    let course = course(&admin, "A", "大学英语").await;
    let first = chapter(&admin, course, None, "第一章").await;
    let second = chapter(&admin, course, None, "第二章").await;
    let section = chapter(&admin, course, Some(first), "第一节").await;
    let third = json!({ "courseId": course, "parentId": section, "title": "第一小节" });
    assert_eq!(fields(&admin.post(&format!("{CHAPTER}/save"), third).await), ["parentId: 章节最多两级：章、节"]);
    let twin = json!({ "courseId": course, "title": "第一章" });
    assert_eq!(fields(&admin.post(&format!("{CHAPTER}/save"), twin).await), ["title: 同级中标题“第一章”已存在"]);

    let place = |id: i64, parent: Option<i64>, sort: i64| json!({ "id": id, "parentId": parent, "sortNo": sort });
    let seen = [place(second, None, 1), place(first, None, 2), place(section, Some(second), 1)];
    assert_eq!(
        admin.put(&format!("{CHAPTER}/sort"), json!({ "courseId": course, "items": seen.clone() })).await.code(),
        200
    );
    let tree = admin.get(&format!("{CHAPTER}/list?courseId={course}")).await;
    assert_eq!(
        (&tree.data()[0]["title"], &tree.data()[0]["children"][0]["title"]),
        (&json!("第二章"), &json!("第一节")),
        "{}",
        tree.body
    );
    // Somebody adds a chapter; the other's order does not know it.
    chapter(&other, course, None, "第三章").await;
    let stale = admin.put(&format!("{CHAPTER}/sort"), json!({ "courseId": course, "items": seen })).await;
    assert_eq!(stale.refused(), (409, "章节已变化，请刷新"));
    let refused = admin.delete(&format!("{CHAPTER}/delete?id={second}")).await;
    assert_eq!(refused.refused(), (409, "“第二章”已被引用，不能删除：1个章节"));
    let record = record(&admin, course, "甲").await;
    admin.post(&format!("{PERIOD}/save"), link(record, section, "导学")).await.id();
    let refused = admin.delete(&format!("{CHAPTER}/delete?id={section}")).await;
    assert_eq!(refused.refused(), (409, "“第一节”已被引用，不能删除：1个课时"));
    let offered = admin.get(&format!("/adult/pc/options/chapter?parentId={course}")).await;
    assert_eq!(offered.data()[1]["desc"], json!("第二章 / 第一节"), "{}", offered.body);
    assert_eq!(admin.get(&format!("{CHAPTER}/list?courseId=999999")).await.code(), 404);
}

#[tokio::test]
async fn chapters_are_imported_into_the_course_that_the_call_names() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let course = course(&admin, "A", "大学英语").await;
    let headings = ["章序号", "章标题", "节序号", "节标题", "学时"];
    let send = |rows: Vec<[&'static str; 5]>| {
        let admin = &admin;
        async move {
            let rows: Vec<&[&str]> = rows.iter().map(<[&str; 5]>::as_slice).collect();
            let texts = [("courseId", course.to_string())];
            let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
            let bytes = kit::sheets::sheet(&headings, &rows);
            admin.upload_with(&format!("{CHAPTER}/import"), &texts, "file", "a.xlsx", kit::sheets::XLSX, &bytes).await
        }
    };
    let refused = send(vec![["1", "绪论", "1", "", "2"], ["1", "绪论", "2", "学习方法", "2"]]).await;
    assert_eq!(row_errors(refused.data()), ["2 节标题: 请填写节标题"]);
    assert!(refused.data()["errorFileUrl"].is_string(), "{}", refused.body);
    assert_eq!(server.one::<i64>("select count(*) from school_1.course_chapter").await, 0);
    let done = send(vec![
        ["2", "语音", "", "", "4"],
        ["1", "绪论", "1", "课程导学", "1"],
        ["1", "绪论", "2", "学习方法", "2"],
    ])
    .await;
    assert_eq!((&done.data()["imported"], &done.data()["errors"]), (&json!(3), &json!([])));
    let tree = admin.get(&format!("{CHAPTER}/list?courseId={course}")).await;
    let titles: Vec<&str> =
        tree.data().as_array().expect("a tree").iter().filter_map(|c| c["title"].as_str()).collect();
    assert_eq!(titles, ["绪论", "语音"]);
    assert_eq!(
        (&tree.data()[0]["children"][1]["title"], &tree.data()[1]["hours"]),
        (&json!("学习方法"), &json!(4)),
        "{}",
        tree.body
    );
    let again = send(vec![["2", "语音", "", "", "4"], ["1", "绪论", "3", "课程导学", "1"]]).await;
    assert_eq!(row_errors(again.data()), ["2 章标题: 同级中标题“语音”已存在", "3 节标题: 同级中标题“课程导学”已存在"]);
}

/// 01 §3.2.7: the name of a course is warned of; its author may keep it. The words count as met.
#[tokio::test]
async fn a_sensitive_word_in_a_name_is_a_warning() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let word = json!({ "words": ["代考"], "category": "other", "action": "reject" });
    server.operator().await.post("/system/pc/sys/sensitive/word/library/save", word).await.data();
    let id = course(&admin, "A", "大学英语").await;
    let edit = edit_of(&admin, id, json!({ "name": "代-考指南" })).await;
    let answer = admin.put(&format!("{COURSE}/edit"), edit).await;
    assert_eq!(answer.data()["warnings"][0], json!("课程名称包含敏感词：代考，请核对"), "{}", answer.body);
    assert_eq!(server.one::<i64>("select hit_count from platform.sensitive_word where word = '代考'").await, 1);
    let trace = &answer.trace;
    server
        .wait_until(&format!("select notes::text like '%代考%' from platform.sys_log where trace_id = '{trace}'"))
        .await;
}

/// 01 §4.2.4: also a public attachment is its record's, and stays.
#[tokio::test]
async fn a_public_attachment_belongs_to_its_record() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let one = course(&admin, "A", "大学英语").await;
    let (record, own) = (record(&admin, one, "甲").await, chapter(&admin, one, None, "第一章").await);
    let form = json!({ "fileName": "a.pdf", "size": 5, "contentType": "application/pdf", "type": 2 });
    let ticket = admin.post("/system/pc/upload/presign", form).await.data().clone();
    let url = ticket["url"].as_str().expect("a url");
    admin.raw(Method::PUT, url, Some("application/pdf"), b"12345".to_vec()).await;
    admin.post("/system/pc/upload/complete", json!({ "key": ticket["key"] })).await.data();
    let document = json!({ "courseRecordId": record, "chapterId": own, "title": "讲义", "kind": "document", "fileKey": ticket["key"] });
    let period = admin.post(&format!("{PERIOD}/save"), document).await.id();
    let owner = async || -> (Option<String>, Option<i64>) {
        sqlx::query_as("select owner_type, owner_id from school_1.file_object")
            .fetch_one(&mut server.owner().await)
            .await
            .expect("the file")
    };
    let owned = (Some("course_record".to_owned()), Some(record));
    assert_eq!(owner().await, owned);
    // It stays as long as a copy shows it, and is nobody's then.
    let copy = admin.post(&format!("{RECORD}/copy"), json!({ "id": record })).await.id();
    assert_eq!(admin.delete(&format!("{PERIOD}/delete?id={period}")).await.code(), 200);
    assert_eq!(owner().await, owned);
    let gone = admin.delete(&format!("{RECORD}/delete?id={copy}")).await;
    assert_eq!((gone.code(), owner().await), (200, (None, None)), "{}", gone.body);
}

/// 03 A6: a lecturer is a text or a teacher; a teacher's new name is shown at once.
#[tokio::test]
async fn a_lecturer_may_be_a_teacher() {
    let server = Server::start().await;
    let (admin, teacher) = kit::clients::school(&server).await;
    let one = course(&admin, "A", "大学英语").await;
    let form =
        json!({ "courseId": one, "name": "甲", "source": "own", "lecturerName": "某人", "lecturerTeacherId": teacher });
    let id = admin.post(&format!("{RECORD}/save"), form.clone()).await.id();
    let view = async || admin.get(&format!("{RECORD}/view?id={id}")).await.data().clone();
    let found = async |name: &str| {
        admin.post(&format!("{RECORD}/list"), json!({ "lecturerName": name })).await.data()["totalCount"].clone()
    };
    assert_eq!(
        (&view().await["lecturerName"], found("立新").await, found("某人").await),
        (&json!("陈立新"), json!(1), json!(0))
    );
    server.run(&format!("update school_1.teacher set name = '陈新' where id = {teacher}")).await;
    assert_eq!((&view().await["lecturerName"], found("陈新").await), (&json!("陈新"), json!(1)));
    let copy = admin.post(&format!("{RECORD}/copy"), json!({ "id": id })).await.id();
    assert_eq!(admin.get(&format!("{RECORD}/view?id={copy}")).await.data()["lecturerTeacherId"], json!(teacher));

    let gone = admin.delete(&format!("/user/pc/teacher/delete?id={teacher}")).await;
    assert_eq!(gone.refused(), (409, "该教师有2个课程资源，请改为离职"), "{}", gone.body);
    server.run(&format!("update school_1.teacher set status = 'left' where id = {teacher}")).await;
    let mut edit = form.clone();
    (edit["id"], edit["version"]) = (json!(id), json!(1));
    assert_eq!(admin.put(&format!("{RECORD}/edit"), edit).await.code(), 200, "who was chosen before stays");
    let refused = admin.post(&format!("{RECORD}/save"), form).await;
    assert_eq!(fields(&refused)[0].split(':').next(), Some("lecturerTeacherId"), "{}", refused.body);
    let text =
        json!({ "id": id, "version": 2, "courseId": one, "name": "甲", "source": "own", "lecturerName": "某人" });
    assert_eq!(admin.put(&format!("{RECORD}/edit"), text).await.code(), 200);
    assert_eq!((&view().await["lecturerName"], &view().await["lecturerTeacherId"]), (&json!("某人"), &Value::Null));
}

#[tokio::test]
async fn a_period_has_what_its_kind_needs_and_stays_in_its_course() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (one, two) = (course(&admin, "A", "大学英语").await, course(&admin, "B", "高等数学").await);
    let record = record(&admin, one, "甲").await;
    let own = chapter(&admin, one, None, "第一章").await;
    let foreign = chapter(&admin, two, None, "第一章").await;
    let save = format!("{PERIOD}/save");
    let refused = admin.post(&save, link(record, foreign, "导学")).await;
    assert_eq!(fields(&refused), ["chapterId: 所选章节不属于该课程，请重新选择"]);
    let mut live = link(record, own, "直播");
    live["kind"] = json!("live");
    // Addresses of live lessons carry long keys.
    live["url"] = json!(format!("https://example.com/live?key={}", "k".repeat(900)));
    let refused = admin.post(&save, live.clone()).await;
    assert_eq!(fields(&refused), ["liveStartsAt: 请填写直播开始时间", "liveEndsAt: 请填写直播结束时间"]);
    live["liveStartsAt"] = json!("2026-12-01T20:00:00+08:00");
    live["liveEndsAt"] = json!("2026-12-01T19:00:00+08:00");
    assert_eq!(fields(&admin.post(&save, live.clone()).await), ["liveEndsAt: 结束时间必须晚于开始时间"]);
    live["liveEndsAt"] = json!("2026-12-01T21:00:00+08:00");
    let live_id = admin.post(&save, live).await.id();
    let video_period =
        json!({ "courseRecordId": record, "chapterId": own, "title": "视频", "kind": "video", "mediaAssetId": 999 });
    assert_eq!(fields(&admin.post(&save, video_period.clone()).await), ["mediaAssetId: 所选音视频不存在，请重新选择"]);
    let failed = video(&server, "school_1", "v1", "failed", 0).await;
    let mut video_period = video_period;
    video_period["mediaAssetId"] = json!(failed);
    let video_id = admin.post(&save, video_period).await.id();
    let retry = format!("{PERIOD}/retry");
    assert_eq!(admin.put(&retry, json!({ "id": live_id })).await.refused(), (409, "该课时没有音视频，无需重试"));
    assert_eq!(admin.put(&retry, json!({ "id": video_id })).await.code(), 200);
    assert_eq!(server.one::<String>("select state from school_1.media_asset").await, "processing");
    assert_eq!(admin.put(&retry, json!({ "id": video_id })).await.refused(), (409, "音视频没有失败，无需重试"));

    let sort = |ids: &[i64]| json!({ "courseRecordId": record, "chapterId": own, "ids": ids });
    let path = format!("{PERIOD}/sort");
    assert_eq!(admin.put(&path, sort(&[video_id])).await.refused(), (409, "课时已变化，请刷新"));
    assert_eq!(admin.put(&path, sort(&[video_id, live_id])).await.code(), 200);
    let list = admin.post(&format!("{PERIOD}/list"), json!({ "courseRecordId": record, "chapterId": own })).await;
    let titles: Vec<&str> =
        list.data().as_array().expect("periods").iter().filter_map(|p| p["title"].as_str()).collect();
    assert_eq!(titles, ["视频", "直播"]);
    let off = json!({ "id": live_id, "enabled": false });
    assert_eq!(admin.put(&format!("{PERIOD}/update/status"), off).await.code(), 200);
    // The record's own log tells what became of its periods, newest first.
    let wanted = json!({ "entityType": "course_record", "entityId": record });
    let log = admin.post("/data/pc/sys/log/record", wanted).await.data()["list"].clone();
    let told: Vec<&str> = log.as_array().expect("lines").iter().filter_map(|line| line["action"].as_str()).collect();
    assert_eq!(told, ["停用课时", "课时排序", "新增课时", "新增课时", "新增"]);
    assert_eq!(log[0]["fields"][0]["after"], json!("直播"), "{log}");
    let mut edit = link(record, own, "链接");
    edit["id"] = json!(live_id);
    edit["version"] = json!(3);
    assert_eq!(admin.put(&format!("{PERIOD}/edit"), edit).await.code(), 200);
    let list = admin.post(&format!("{PERIOD}/list"), json!({ "courseRecordId": record })).await;
    assert_eq!(
        (&list.data()[1]["kind"], &list.data()[1]["liveStartsAt"]),
        (&json!("link"), &Value::Null),
        "{}",
        list.body
    );
    assert_eq!(admin.delete(&format!("{PERIOD}/delete?id={live_id}")).await.code(), 200);
}
