//! Imports of what a school stands on go back: what a sheet made goes, what it changed is as it was, and what somebody changed
//! or refers to stays and is told.

use kit::{
    Answer, Client, Server,
    cohort::{cohort, registrar},
    courses::{CHAPTER, COURSE, PERIOD, course, record},
    imports::{newest, taken_back},
    jobs::ended,
    sheets::{XLSX, import, sheet},
    site_staff::{MANAGER, STAFF},
    teachers::{TEACHER, teacher},
};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection};

async fn count(server: &Server, table: &str) -> i64 {
    server.one(&format!("select count(*) from school_1.{table}")).await
}

async fn id_of(server: &Server, table: &str, code: &str) -> i64 {
    server.one(&format!("select id from school_1.{table} where code = '{code}'")).await
}

async fn taken(client: &Client<'_>, entity: &str, headings: &[&str], rows: &[&[&str]]) {
    let answer = import(client, entity, headings, rows).await;
    assert_eq!((&answer.data()["errors"], &answer.data()["imported"]), (&json!([]), &json!(rows.len())));
}

/// Switches a row off: a change behind the import.
async fn switch_off(client: &Client<'_>, entity: &str, id: i64) {
    let off = json!({ "id": id, "enabled": false });
    assert_eq!(client.put(&format!("{entity}/update/status"), off).await.code(), 200);
}

fn told(message: &str, stays: &[&str]) -> (String, Vec<String>) {
    (message.to_owned(), stays.iter().map(|line| (*line).to_owned()).collect())
}

#[tokio::test]
async fn levels_semesters_sites_and_rooms_go_again() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    let level = "/adult/pc/arrangement";
    taken(&admin, level, &["编码", "名称", "起点层次"], &[&["GQZ", "高起专", "高起专"], &["GQB", "高起本", "高起本"]])
        .await;
    switch_off(&admin, level, id_of(&server, "level", "GQB").await).await;
    let run = newest(&admin).await;
    assert_eq!((&run["title"], &run["records"], &run["undone"]), (&json!("层次"), &json!(2), &json!(0)));
    let checked = kit::imports::undone(&admin, true).await;
    assert_eq!(checked["message"], json!("共2条，可撤销1条，1条不能撤销"));
    assert_eq!(count(&server, "level").await, 3, "a check changes nothing");
    let kept = told("共2条，已撤销1条，1条保留", &["高起本: 导入后已被教务员"]);
    assert_eq!(taken_back(&admin, "层次").await, kept);
    assert_eq!(count(&server, "level").await, 2);
    assert_eq!(newest(&admin).await["undone"], json!(1));

    // The current semester goes last.
    let semesters: [&[&str]; 2] = [&["2027-1", "2027-03-01", "2027-07-11"], &["2027-2", "2027-08-30", "2028-01-09"]];
    taken(&admin, "/adult/pc/semester", &["学期编码", "开始日期", "结束日期"], &semesters).await;
    assert_eq!(taken_back(&admin, "学期").await, told("共2条，已撤销2条", &[]));
    assert_eq!(count(&server, "semester").await, 0);
    let again = admin.put("/system/pc/import/undo", json!({ "id": newest(&admin).await["id"] })).await;
    assert_eq!(again.refused(), (409, "该次导入已全部撤销"));

    let sites: [&[&str]; 2] = [&["CX", "城西教学点", "校本部"], &["CN", "城南教学点", "校本部"]];
    taken(&admin, "/adult/pc/site", &["站点编码", "站点名称", "类型"], &sites).await;
    let west = id_of(&server, "site", "CX").await;
    let rooms: [&[&str]; 2] = [&["CX", "101", "普通", "60"], &["CD", "201", "普通", "60"]];
    let headings = ["站点编码", "房间号", "类型", "容量"];
    taken(&admin, "/adult/pc/classroom", &headings, &rooms).await;
    let kept = told("共2条，已撤销1条，1条保留", &["城西教学点: “城西教学点”已被引用，不能删除：1间教室"]);
    assert_eq!(taken_back(&admin, "站点").await, kept);

    // Whoever sees some sites has their own imports alone.
    let narrow = server.staff_within(1, &["adult:pc:classroom:import"], "named_sites", &[west]).await;
    assert_eq!(newest(&narrow).await, Value::Null);
    let others = newest(&admin).await;
    assert_eq!(narrow.put("/system/pc/import/undo", json!({ "id": others["id"] })).await.code(), 404);
    taken(&narrow, "/adult/pc/classroom", &headings, &[&["CX", "102", "普通", "60"]]).await;
    assert_eq!(taken_back(&narrow, "教室").await, told("共1条，已撤销1条", &[]));
    assert_eq!(taken_back(&admin, "教室").await, told("共2条，已撤销2条", &[]));
    // What held the site is gone, so that the rest of its import goes too.
    assert_eq!(taken_back(&admin, "站点").await, told("共1条，已撤销1条", &[]));
    assert_eq!((count(&server, "site").await, count(&server, "classroom").await), (1, 0));
    let trail: i64 = server
        .one(
            "select count(*) from school_1.audit_log where entity_type = 'classroom' and action = 'delete' and batch_id is not null",
        )
        .await;
    assert_eq!(trail, 3);
}

#[tokio::test]
async fn majors_and_the_results_of_their_filings_go_again() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let headings = ["校内专业代码", "专业名称", "国家专业代码", "层次编码", "学习形式", "专业方向", "总学分"];
    let majors: [&[&str]; 2] = [
        &["KJ6", "税务会计", "120203K", "ZSB", "函授", "税务", "92"],
        &["KJ7", "管理会计", "120203K", "ZSB", "函授", "管理", "92"],
    ];
    taken(&admin, "/adult/pc/major", &headings, &majors).await;
    let filing = "/adult/pc/forecastingMajor";
    let mut items = Vec::new();
    for major in [p.major, id_of(&server, "major", "KJ6").await] {
        let form =
            json!({ "year": 2027, "gradeId": p.grade, "majorId": major, "plannedQuota": 200, "siteIds": [p.site] });
        let id = admin.post(&format!("{filing}/save"), form).await.id();
        items.push(json!({ "id": id, "version": 1 }));
    }
    assert_eq!(admin.put(&format!("{filing}/submit"), json!({ "items": items })).await.data()["done"], json!(2));
    let results: [&[&str]; 2] =
        [&["2027", "KJ", "通过", "鄂2027-1", ""], &["2027", "KJ6", "不通过", "", "办学条件不足"]];
    taken(&admin, &format!("{filing}/result"), &["招生年份", "校内专业代码", "结果", "备案号", "说明"], &results).await;
    let withdrawn = json!({ "id": items[0]["id"], "version": 3, "reason": "今年不招" });
    assert_eq!(admin.put(&format!("{filing}/withdraw"), withdrawn).await.code(), 200);
    let kept = told("共2条，已撤销1条，1条保留", &["2027年 会计学: 导入后已被教务员"]);
    assert_eq!(taken_back(&admin, "备案结果").await, kept);
    let stands: Vec<String> = server
        .one("select array_agg(concat_ws(' ', status, filing_no, filing_result) order by id) from school_1.forecast_major")
        .await;
    assert_eq!(stands, ["withdrawn 鄂2027-1", "submitted"]);

    let kept = told("共2条，已撤销1条，1条保留", &["税务会计: “税务会计”已被引用，不能删除：1个拟招生专业"]);
    assert_eq!(taken_back(&admin, "学校专业").await, kept);
    assert_eq!(count(&server, "major").await, 2);
}

#[tokio::test]
async fn classes_their_managers_and_the_staff_of_sites_go_again() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    let headings = ["班级编码", "班级名称", "年级编码", "层次编码", "校内专业代码", "站点编码"];
    let classes: [&[&str]; 3] = [
        &["C1", "会计1班", "2026", "ZSB", "KJ", "CD"],
        &["C2", "会计2班", "2026", "ZSB", "KJ", "CD"],
        &["C3", "会计3班", "2026", "ZSB", "KJ", "CD"],
    ];
    taken(&admin, "/adult/pc/class", &headings, &classes).await;
    let managers: [&[&str]; 2] =
        [&["B1", "王立", "13500000001", "CD", "C1、C2"], &["B2", "周敏", "13500000002", "CD", "C3"]];
    taken(&admin, MANAGER, &["工号", "姓名", "手机", "站点编码", "班级"], &managers).await;
    assert_eq!(newest(&admin).await["records"], json!(5), "the classes that they were given go back with them");
    switch_off(&admin, "/adult/pc/class", id_of(&server, "class", "C3").await).await;
    let kept = told("共5条，已撤销3条，2条保留", &["会计3班: 导入后已被教务员", "周敏: 仍负责1个班级"]);
    assert_eq!(taken_back(&admin, "班主任").await, kept);
    assert_eq!((count(&server, "class_manager").await, count(&server, "client_account").await), (1, 1));
    // What was undone does not count as a change of the classes.
    let kept = told("共3条，已撤销2条，1条保留", &["会计3班: 导入后已被教务员"]);
    assert_eq!(taken_back(&admin, "班级").await, kept);

    // Classes that came with their manager, who stays without them.
    let headings = ["班级编码", "年级编码", "层次编码", "校内专业代码", "站点编码", "班主任工号"];
    let classes: [&[&str]; 2] = [&["C4", "2026", "ZSB", "KJ", "CD", "B2"], &["C5", "2026", "ZSB", "KJ", "CD", ""]];
    taken(&admin, "/adult/pc/class", &headings, &classes).await;
    let led = "select count(*) from school_1.class c join school_1.class_manager m on m.id = c.manager_id where m.work_no = 'B2'";
    assert_eq!(server.one::<i64>(led).await, 2);
    assert_eq!(taken_back(&admin, "班级").await, told("共3条，已撤销3条", &[]));
    assert_eq!(server.one::<i64>(led).await, 1);

    let staff: [&[&str]; 2] = [&["CD", "李明", "13500000003", "负责人"], &["CD", "刘芳", "13500000004", "教务"]];
    taken(&admin, STAFF, &["站点编码", "姓名", "手机", "职务"], &staff).await;
    let kept = told("共2条，已撤销1条，1条保留", &["李明: 站点须保留一名负责人"]);
    assert_eq!(taken_back(&admin, "站点人员").await, kept);
    assert_eq!(
        server.one::<i64>("select count(*) from school_1.client_account where owner_kind = 'site_staff'").await,
        1
    );
}

async fn upsert(client: &Client<'_>, entity: &str, headings: &[&str], rows: &[&[&str]]) -> Answer {
    let path = format!("{entity}/import");
    client.upload_with(&path, &[("mode", "upsert")], "file", "导入.xlsx", XLSX, &sheet(headings, rows)).await
}

#[tokio::test]
async fn teachers_hold_again_what_they_held() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let unit = json!({ "code": "JG", "name": "经济管理学院", "kind": "college" });
    let unit = admin.post("/adult/pc/organize/save", unit).await.id();
    let first = admin.post(&format!("{TEACHER}/save"), teacher(unit, 1)).await.id();
    let mut form = teacher(unit, 3);
    (form["name"], form["idCardNo"], form["idCardType"]) = (json!("周敏"), json!(null), json!(null));
    let third = admin.post(&format!("{TEACHER}/save"), form.clone()).await.id();
    let headings = ["工号", "姓名", "手机", "机构", "证件号", "职称"];
    let rows: [&[&str]; 3] = [
        &["T001", "陈立", "13900000009", "JG", "440524198001010013", "教授"],
        &["T002", "欧阳立", "13900000002", "JG", "", ""],
        &["T003", "周敏", "13900000003", "JG", "", "教授"],
    ];
    let done = upsert(&admin, TEACHER, &headings, &rows).await;
    assert_eq!((&done.data()["errors"], &done.data()["imported"]), (&json!([]), &json!(3)));
    (form["id"], form["version"], form["remark"]) = (json!(third), json!(2), json!("返聘"));
    assert_eq!(admin.put(&format!("{TEACHER}/edit"), form).await.code(), 200);
    let kept = told("共3条，已撤销2条，1条保留", &["周敏: 导入后已被教务员"]);
    assert_eq!(taken_back(&admin, "教师").await, kept);
    let stored: String = server
        .one(&format!(
            "select concat_ws(' ', name, phone, id_card_no, birthday, title, version) from school_1.teacher where id = {first}"
        ))
        .await;
    assert_eq!(stored, "陈立新 13900000001 429900199603150216 1996-03-15 lecturer 3");
    assert_eq!((count(&server, "teacher").await, count(&server, "client_account").await), (2, 2));
    // The trail tells of it without the whole number.
    let trail: Value = server
        .one(&format!("select changes from school_1.audit_log where entity_type = 'teacher' and entity_id = {first} order by id desc limit 1"))
        .await;
    let lines = trail.as_array().expect("fields");
    assert!(lines.contains(&json!({ "field": "phone", "before": "139****0009", "after": "139****0001" })), "{trail}");
    // Teachers are managed by whoever sees the whole school.
    let narrow = server.staff_within(1, &["user:pc:teacher:import"], "named_sites", &[1]).await;
    assert_eq!(newest(&narrow).await, Value::Null);
}

#[tokio::test]
async fn courses_go_back_step_by_step() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let headings = ["课程代码", "课程名称", "课程类型编码", "学分", "面授学时", "线上学时", "考核类型", "先修课程代码"];
    let new: [&[&str]; 2] = [
        &["A", "大学英语一", "GGJC", "4", "24", "48", "考试", ""],
        &["B", "大学英语二", "GGJC", "4", "24", "48", "考试", "A"],
    ];
    taken(&admin, COURSE, &headings, &new).await;
    let headings = ["课程代码", "课程名称", "课程类型编码", "学分", "考核类型", "先修课程代码", "教材名称"];
    let more: [&[&str]; 2] = [
        &["A", "大学英语（一）", "GGJC", "5", "考查", "", "新编英语"],
        &["C", "商务英语", "GGJC", "3", "考查", "A;B", ""],
    ];
    let done = upsert(&admin, COURSE, &headings, &more).await;
    assert_eq!((&done.data()["errors"], &done.data()["imported"]), (&json!([]), &json!(2)));
    assert_eq!(taken_back(&admin, "院校课程").await, told("共2条，已撤销2条", &[]));
    let seen = admin.get(&format!("{COURSE}/view?code=A")).await.data().clone();
    assert_eq!(
        (&seen["name"], &seen["credits"], &seen["hours"], &seen["examForm"], &seen["textbook"]),
        (&json!("大学英语一"), &json!(4.0), &json!(72), &json!("exam"), &json!(null))
    );
    assert_eq!(count(&server, "course").await, 2);
    // The later course requires the earlier one and goes first; the update that was undone is no change.
    assert_eq!(taken_back(&admin, "院校课程").await, told("共2条，已撤销2条", &[]));
    assert_eq!((count(&server, "course").await, count(&server, "course_prerequisite").await), (0, 0));
}

/// A sheet of what belongs to one record.
async fn taken_into(client: &Client<'_>, entity: &str, of: (&str, i64), headings: &[&str], rows: &[&[&str]]) {
    let id = of.1.to_string();
    let (path, texts) = (format!("{entity}/import"), [(of.0, id.as_str())]);
    let answer = client.upload_with(&path, &texts, "file", "导入.xlsx", XLSX, &sheet(headings, rows)).await;
    assert_eq!((&answer.data()["errors"], &answer.data()["imported"]), (&json!([]), &json!(rows.len())));
}

#[tokio::test]
async fn chapters_and_periods_of_a_sheet_go_again() {
    let server = Server::start().await;
    let content =
        json!({ "userId": "u1", "writeToken": "write-token", "readToken": "read-token", "secretKey": "s3cret" });
    let config = json!({ "configName": "保利威", "configKind": "video_polyv", "content": content, "isDefault": true,
        "enabled": true });
    server.operator().await.post("/system/pc/sys/config/save", config).await.id();
    let admin = registrar(&server).await;
    let course = course(&admin, "A", "大学英语").await;
    let record = record(&admin, course, "大学英语精讲").await;
    let headings = ["章序号", "章标题", "节序号", "节标题"];
    taken_into(
        &admin,
        CHAPTER,
        ("courseId", course),
        &headings,
        &[&["1", "绪论", "1", "课程导学"], &["2", "语音", "", ""]],
    )
    .await;
    let headings = ["章标题", "节标题", "课时标题", "类型", "通道", "媒体ID"];
    let rows: [&[&str]; 2] = [
        &["绪论", "课程导学", "导学一", "视频", "保利威", "v1"],
        &["绪论", "课程导学", "导学二", "视频", "保利威", "v2"],
    ];
    taken_into(&admin, PERIOD, ("courseRecordId", record), &headings, &rows).await;
    let periods = admin.post(&format!("{PERIOD}/list"), json!({ "courseRecordId": record })).await;
    switch_off(&admin, PERIOD, periods.data()[0]["id"].as_i64().expect("导学一")).await;
    let kept =
        told("共4条，已撤销2条，2条保留", &["导学一: 导入后已被教务员", "导学一: “导学一”已被引用，不能删除：1个课时"]);
    assert_eq!(taken_back(&admin, "课时").await, kept);
    assert_eq!((count(&server, "course_period").await, count(&server, "media_asset").await), (1, 1));

    let kept = told(
        "共3条，已撤销1条，2条保留",
        &["课程导学: “课程导学”已被引用，不能删除：1个课时", "绪论: “绪论”已被引用，不能删除：1个章节"],
    );
    assert_eq!(taken_back(&admin, "课程章节").await, kept);
    assert_eq!(count(&server, "course_chapter").await, 2);
}

/// Of what lies outside the data scope by now nothing is told, nor who changed it.
#[tokio::test]
async fn a_narrower_scope_is_told_of_its_own_alone() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let sites: [&[&str]; 1] = [&["CX", "城西教学点", "校本部"]];
    taken(&admin, "/adult/pc/site", &["站点编码", "站点名称", "类型"], &sites).await;
    let west = id_of(&server, "site", "CX").await;
    let narrow = server.staff_within(1, &["adult:pc:classroom:import"], "named_sites", &[p.site, west]).await;
    let rooms: [&[&str]; 4] = [
        &["CD", "201", "普通", "60"],
        &["CD", "202", "普通", "60"],
        &["CX", "101", "普通", "60"],
        &["CX", "102", "普通", "60"],
    ];
    taken(&narrow, "/adult/pc/classroom", &["站点编码", "房间号", "类型", "容量"], &rooms).await;
    for number in ["202", "101"] {
        let id = server.one(&format!("select id from school_1.classroom where room_no = '{number}'")).await;
        switch_off(&admin, "/adult/pc/classroom", id).await;
    }
    server.run(&format!("delete from platform.sys_role_scope where target_type = 'site' and target_id = {west}")).await;
    let mut tx = server.begin().await;
    tx.notice("rights", "");
    tx.commit(infra::Change::event("sys_role", 1, "update", json!({}))).await.expect("narrower");
    let name: String = server.one("select name from school_1.classroom where room_no = '202'").await;
    let (message, stays) = taken_back(&narrow, "教室").await;
    assert_eq!(message, "共4条，已撤销1条，3条保留");
    let own = format!("{name}: 导入后已被教务员");
    assert_eq!(stays, [": 记录不存在或已被删除", ": 记录不存在或已被删除", own.as_str()]);
}

/// Whoever held a record while it was about to go has changed it: it stays.
#[tokio::test]
async fn what_is_changed_in_that_moment_stays() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    let rows: [&[&str]; 2] = [&["GQZ", "高起专", "高起专"], &["GQB", "高起本", "高起本"]];
    taken(&admin, "/adult/pc/arrangement", &["编码", "名称", "起点层次"], &rows).await;
    let id = id_of(&server, "level", "GQB").await;
    let mut desk = server.owner().await;
    let mut editing = desk.begin().await.expect("a transaction");
    let now = server.now();
    for sql in [
        format!("update school_1.level set enabled = false, version = version + 1 where id = {id}"),
        format!(
            "insert into school_1.audit_log (at, trace_id, actor_type, actor_id, actor_name, ip, entity_type, entity_id, action,
                 changes)
             values ({now}, 'desk', 'school', 7, '李老师', '127.0.0.1', 'level', {id}, 'status', '[]')"
        ),
    ] {
        sqlx::query(AssertSqlSafe(sql)).execute(&mut *editing).await.expect("an edit");
    }
    let undo = json!({ "id": newest(&admin).await["id"], "dryRun": false });
    let begun = admin.put("/system/pc/import/undo", undo).await;
    let waits = "select exists (select from pg_locks l join pg_stat_activity a on a.pid = l.pid
                 where not l.granted and a.datname = current_database())";
    server.wait_until(waits).await;
    editing.commit().await.expect("it is kept");
    let job = ended(&admin, &begun.data()["jobId"]).await;
    assert_eq!(job["message"], json!("共2条，已撤销1条，1条保留"), "{job}");
    let why = job["errors"][0]["msg"].as_str().unwrap_or_default();
    assert!(why.starts_with("导入后已被李老师于"), "{job}");
    assert!(!job["title"].as_str().unwrap_or_default().contains("导入.xlsx"), "{job}");
    let left: Vec<String> = server.one("select array_agg(code order by id) from school_1.level").await;
    assert_eq!(left, ["ZSB", "GQB"]);
}
