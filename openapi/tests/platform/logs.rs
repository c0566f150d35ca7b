//! The logs as people read them (01 §6.2–6.5, 05 E1, E2, E5).

use std::time::Instant;

use serde_json::{Value, json};

use kit::{
    Answer, Client, Server,
    cohort::{cohort, registrar},
    fields,
    sheets::texts,
    students::{HEADINGS, ROLL, id_number, import_rows, row, save, student},
};
use sqlx::{Connection, Executor};

const LOGIN: &str = "/data/pc/user/log/login";
const LOG: &str = "/data/pc/sys/log";
/// Of a school's people who read the logs and change a site.
const READER: [&str; 6] = [
    "adult:pc:site:save",
    "data:pc:sys:log:export",
    "data:pc:sys:log:userLog",
    "data:pc:sys:log:view",
    "data:pc:user:log:login:export",
    "data:pc:user:log:login:list",
];
const ENTER: &str = "/system/pc/api/sys/user/createSchoolToken?id=1&reason=%E6%A0%B8%E5%AF%B9%E7%94%B5%E8%AF%9D";

fn rows(answer: &Answer) -> &[Value] {
    answer.data()["list"].as_array().expect("a list")
}

/// A field of every row.
fn all<'a>(answer: &'a Answer, field: &str) -> Vec<&'a str> {
    rows(answer).iter().map(|row| row[field].as_str().unwrap_or("")).collect()
}

async fn logins(client: &Client<'_>, filter: Value) -> Answer {
    client.post(&format!("{LOGIN}/list"), filter).await
}

/// The operation log is written after the answer.
async fn written(server: &Server, trace: &str) {
    server.wait_until(&format!("select count(*) = 1 from platform.sys_log where trace_id = '{trace}'")).await;
}

#[tokio::test]
async fn who_came_in_who_was_refused_and_how_it_ended() {
    let server = Server::start().await;
    assert_eq!(server.anonymous().sign_in("operator", "falsch", "login").await.code(), 422);
    assert_eq!(server.anonymous().sign_in("Nobody", "falsch", "login").await.code(), 422);
    let operator = server.operator().await;
    let entered = operator.get(ENTER).await;
    let inside = operator.with_token(entered.data()["token"].as_str());
    assert_eq!(inside.post("/system/pc/sys/user/leaveSchool", json!({})).await.code(), 200);

    let mine = logins(&operator, json!({ "keyword": "OPER" })).await;
    assert!(rows(&mine)[1]["endedAt"].is_string(), "the entry has an end: {}", mine.body);
    assert_eq!(all(&mine, "event"), ["school_leave", "school_enter", "login", "login_failed"]);
    assert_eq!(all(&mine, "reason"), ["", "核对电话", "", "密码错误"]);
    assert_eq!(all(&mine, "schoolName"), ["东湖示范学院", "东湖示范学院", "", ""]);
    assert!(rows(&mine).iter().all(|row| row["identity"] == "platform" && row["device"] == "pc"), "{}", mine.body);
    assert_eq!(rows(&mine)[0]["endReason"], json!("离开院校"));
    // The entry and its end are one session; the sign-in is another.
    let codes: Vec<&Value> = rows(&mine).iter().map(|row| &row["sessionCode"]).collect();
    assert!(codes[0].is_string() && codes[0] == codes[1] && codes[2].is_string() && codes[2] != codes[1], "{codes:?}");
    // A call that needs no code is named by the document.
    server
        .wait_until(
            "select count(*) = 1 from platform.sys_log
             where path = '/system/pc/api/sys/user/createSchoolToken' and operation = '进入院校' and permission_code = 'signed-in'",
        )
        .await;
    assert_eq!(all(&logins(&operator, json!({ "keyword": "运营" })).await, "loginName"), ["operator"; 4]);
    let unknown = logins(&operator, json!({ "identity": "unknown" })).await;
    assert_eq!((all(&unknown, "loginName"), all(&unknown, "reason")), (vec!["Nobody"], vec!["账号不存在"]));
    let failed = logins(&operator, json!({ "result": "failed", "ip": "127." })).await;
    assert_eq!(failed.data()["totalCount"], json!(2));
    assert_eq!(logins(&operator, json!({ "keyword": "perator" })).await.data()["totalCount"], json!(0));

    let sheet = texts(&operator.post(&format!("{LOGIN}/export"), json!({ "event": "school_enter" })).await.bytes);
    assert_eq!(sheet[0], ["时间", "身份", "账号", "姓名", "院校", "事件", "结果", "原因", "IP地址", "设备"]);
    assert_eq!(sheet[1][1..8], ["平台人员", "operator", "运营一", "东湖示范学院", "进入院校", "成功", "核对电话"]);
    assert_eq!(sheet.len(), 2);
}

#[tokio::test]
async fn a_failure_and_the_small_hours_are_unusual() {
    let server = Server::start().await;
    let operator = server.operator().await;
    server
        .run(
            "insert into platform.login_log (at, login_name, event, success, ip, user_agent, device)
             select (current_date - 1 + hour) at time zone 'Asia/Shanghai', 'night' || n, 'login', true, '10.0.0.1', '', 'pc'
             from (values (1, time '00:00'), (2, time '05:59'), (3, time '06:00'), (4, time '23:59')) t (n, hour)",
        )
        .await;
    let unusual = logins(&operator, json!({ "keyword": "night", "unusual": true })).await;
    assert_eq!(all(&unusual, "loginName"), ["night2", "night1"]);
    assert_eq!(logins(&operator, json!({ "keyword": "night" })).await.data()["totalCount"], json!(4));
}

/// 05 E1: a sign-in from another device than those before is unusual, a newer version of the browser is none.
#[tokio::test]
async fn another_device_is_unusual() {
    let server = Server::start().await;
    let operator = server.operator().await;
    server
        .run(
            "insert into platform.login_log (at, login_name, event, success, ip, user_agent, device, client, school_id)
             select (current_date - 2 + time '10:00') at time zone 'Asia/Shanghai' + n * interval '1 minute',
                    'lan', 'login', true, '10.0.0.1', agent, device, client, school
             from (values (1, 'Chrome/141.0 Windows', 'pc', null, null), (2, 'Chrome/142.0.7 Windows', 'pc', null, null),
                          (3, 'Safari iPhone', 'mobile', null, null), (4, 'Safari iPhone', 'mobile', null, null),
                          (5, 'Firefox', 'pc', 'student', 1), (6, 'Edge', 'pc', 'student', 2))
                  t (n, agent, device, client, school)",
        )
        .await;
    let unusual = logins(&operator, json!({ "keyword": "lan", "unusual": true })).await;
    assert_eq!(all(&unusual, "userAgent"), ["Safari iPhone"]);
    assert!(rows(&unusual)[0]["at"].as_str().is_some_and(|at| at.contains("T10:03")), "{}", unusual.body);
}

/// 6.5.4: a school sees its own rows and names no other.
#[tokio::test]
async fn a_school_reads_its_own_logs_only() {
    let server = Server::start().await;
    let (east, south) = (server.staff(1, &READER).await, server.staff(2, &READER).await);
    let site = json!({ "code": "S1", "name": "城东站", "kind": "headquarter" });
    for school in [&east, &south] {
        written(&server, &school.post("/adult/pc/site/save", site.clone()).await.trace).await;
    }
    let operator = server.operator().await;
    for (school, name) in [(&east, "东湖示范学院"), (&south, "南岭示范大学")] {
        let seen = logins(school, json!({})).await;
        assert_eq!(all(&seen, "schoolName"), vec![name; rows(&seen).len()]);
        assert!(!rows(&seen).is_empty());
        let seen = school.post(&format!("{LOG}/userLog"), json!({})).await;
        assert_eq!(all(&seen, "schoolName"), [name]);
        let other = logins(school, json!({ "schoolId": 2 })).await;
        assert_eq!((other.status, other.refused()), (400, (400, "请求参数不正确")));
        assert_eq!(school.post(&format!("{LOG}/userLog"), json!({ "schoolId": 1 })).await.code(), 400);
        assert_eq!(school.post(&format!("{LOG}/list"), json!({})).await.code(), 403);
        let system = school.post(&format!("{LOG}/export"), json!({ "list": "system" })).await;
        assert_eq!(system.refused(), (403, "没有操作权限"));
        let sheet = texts(&school.post(&format!("{LOG}/export"), json!({ "list": "user" })).await.bytes);
        assert!(sheet.len() > 1 && sheet[1..].iter().all(|line| line[3] == name), "{sheet:?}");
    }
    let of_south = operator.post(&format!("{LOG}/userLog"), json!({ "schoolId": 2 })).await;
    assert!(all(&of_south, "schoolName").iter().all(|name| *name == "南岭示范大学") && !rows(&of_south).is_empty());
    let id = rows(&of_south).last().expect("a row")["id"].clone();
    assert_eq!(south.get(&format!("{LOG}/view?id={id}")).await.data()["changedCount"], json!(1));
    assert_eq!(east.get(&format!("{LOG}/view?id={id}")).await.refused(), (404, "记录不存在或已被删除"));
    // An operator of listed schools sees those, and what belongs to none.
    server.run("update platform.sys_user set school_scope = 'listed' where login_name = 'operator'").await;
    assert_eq!(rows(&operator.post(&format!("{LOG}/userLog"), json!({})).await).len(), 0);
    assert_eq!(operator.get(&format!("{LOG}/view?id={id}")).await.code(), 404);
    assert!(all(&logins(&operator, json!({})).await, "schoolName").iter().all(|name| name.is_empty()));
}

/// 6.5.1 and 05 E5.2: the change, its trail and its call have one number; the school reads who of the operator's people did it.
#[tokio::test]
async fn a_phone_is_edited_and_both_sides_read_who_did_it() {
    let server = Server::start().await;
    let p = cohort(&registrar(&server).await).await;
    let operator = server.operator().await;
    let entered = operator.get(ENTER).await;
    let inside = operator.with_token(entered.data()["token"].as_str());
    let body = json!({
        "name": "张晓梅", "idCardNo": id_number(1), "gradeId": p.grade, "levelId": p.level, "majorId": p.major,
        "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": p.site, "enrolledOn": "2026-03-01", "status": "registered",
        "phone": "13800000001", "source": "legacy",
    });
    let id = inside.post(&format!("{ROLL}/save"), body).await.id();
    let edited = inside.put(&format!("{ROLL}/edit"), json!({ "id": id, "version": 1, "phone": "13900000002" })).await;
    assert_eq!(edited.code(), 200, "{}", edited.body);
    written(&server, &edited.trace).await;

    let reader = server.staff(1, &READER).await;
    let phone = json!([{ "field": "phone", "label": "手机", "before": "138****0001", "after": "139****0002" }]);
    // Who reads from outside the school sees no name of its people.
    for (reader, target) in [(&reader, "学生 张晓梅".to_owned()), (&operator, format!("学生（{id}）"))] {
        let found = reader.post(&format!("{LOG}/userLog"), json!({ "traceId": edited.trace })).await;
        assert_eq!(all(&found, "actorName"), ["平台人员 运营一"]);
        assert_eq!(rows(&found)[0]["target"], json!(target));
        let detail = reader.get(&format!("{LOG}/view?id={}", rows(&found)[0]["id"])).await;
        let detail = detail.data();
        assert_eq!(detail["onBehalfOf"], json!("平台人员 运营一 进入 东湖示范学院"));
        assert_eq!(detail["params"]["phone"], json!("139****0002"));
        assert_eq!(detail["changedCount"], json!(1));
        let change = &detail["changes"][0];
        assert_eq!((&change["entityName"], &change["action"]), (&json!("学生"), &json!("修改")));
        assert_eq!(change["fields"], phone);
        // 05 E2: from the entry to what was done in it, and how much.
        let entry = logins(reader, json!({ "event": "school_enter" })).await;
        assert_eq!(
            (&rows(&entry)[0]["sessionId"], &rows(&entry)[0]["operationCount"]),
            (&detail["sessionId"], &json!(2))
        );
        // Everything of that entry: the save and the edit.
        let session = detail["sessionId"].as_str().expect("a session");
        let of_session = reader.post(&format!("{LOG}/userLog"), json!({ "sessionId": session })).await;
        assert_eq!(of_session.data()["totalCount"], json!(2));
    }
    let system = operator.post(&format!("{LOG}/list"), json!({ "onBehalf": true, "keyword": "运营" })).await;
    assert_eq!(all(&system, "traceId").first(), Some(&edited.trace.as_str()));
    assert_eq!(system.data()["totalCount"], json!(2));
    let wrong = operator.post(&format!("{LOG}/list"), json!({ "sessionId": "x" })).await;
    assert_eq!(fields(&wrong), ["sessionId: 会话编号不正确"]);
}

#[tokio::test]
async fn each_filter_narrows_and_jobs_are_the_systems() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let dict = json!({ "dictType": "visit_reason", "dictName": "来访原因" });
    let saved = operator.post("/system/pc/dict/type/save", dict).await;
    written(&server, &saved.trace).await;
    let refused = operator.put("/system/pc/sys/school/resume?id=999", json!({})).await;
    written(&server, &refused.trace).await;
    let job = operator.post(&format!("{LOGIN}/export?job=true"), json!({})).await.data()["jobId"].clone();
    server.wait_until(&format!("select state = 'done' from platform.job where id = {job}")).await;
    server.wait_until("select count(*) = 1 from platform.sys_log where path = 'login_log.export'").await;

    let list = |filter: Value| {
        let operator = &operator;
        async move { operator.post(&format!("{LOG}/list"), filter).await }
    };
    let path = list(json!({ "path": "sys/school/resume", "resultCode": refused.code() })).await;
    assert_eq!(all(&path, "traceId"), [&refused.trace]);
    assert_eq!(list(json!({ "path": "sys/school/resume", "resultCode": 200 })).await.data()["totalCount"], json!(0));
    let jobs = list(json!({ "module": "job", "operation": "导出登录日志" })).await;
    assert_eq!((all(&jobs, "actorType"), all(&jobs, "module")), (vec!["job"], vec!["任务"]));
    assert_eq!(rows(&jobs)[0]["permissionCode"], json!("login_log.export"));
    let exported = list(json!({ "module": "data" })).await;
    assert_eq!(all(&exported, "operation"), ["导出登录日志"]);
    assert_eq!(rows(&exported)[0]["sensitive"], json!(false), "what it shows of persons is masked");
    assert_eq!(list(json!({ "actorType": "school" })).await.data()["totalCount"], json!(0));
    let user = operator.post(&format!("{LOG}/userLog"), json!({})).await;
    assert_eq!(user.data()["totalCount"], json!(0), "{}", user.body);
}

/// 6.5.2: nothing of an import that was undone stands in the trail, and its call says 422.
#[tokio::test]
async fn an_import_that_was_refused_leaves_one_row_of_the_log_and_none_of_the_trail() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    cohort(&admin).await;
    let mut second = row(2);
    second[8] = "没有的站点".to_owned();
    let refused = import_rows(&admin, &HEADINGS, &[row(1).to_vec(), second.to_vec()]).await;
    written(&server, &refused.trace).await;
    let operator = server.operator().await;
    let found = operator.post(&format!("{LOG}/userLog"), json!({ "traceId": refused.trace })).await;
    assert_eq!(rows(&found)[0]["resultCode"], json!(refused.code()));
    assert_eq!(rows(&found)[0]["operation"], json!("导入学籍"));
    let detail = operator.get(&format!("{LOG}/view?id={}", rows(&found)[0]["id"])).await;
    assert_eq!((&detail.data()["changedCount"], &detail.data()["changes"]), (&json!(0), &json!([])));
    assert_eq!(detail.data()["notes"]["import"]["imported"], json!(0));
    assert_eq!(server.one::<i64>("select count(*) from school_1.audit_log where entity_type = 'student'").await, 0);
}

/// 6.5.5, with fewer rows: a span of 93 days is refused, and an account in seven days is found at once.
#[tokio::test]
async fn a_log_is_asked_for_in_a_span_of_days() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let span = |first: &str, last: &str| json!({ "startsOn": first, "endsOn": last });
    for path in [format!("{LOGIN}/list"), format!("{LOG}/list"), format!("{LOG}/userLog"), format!("{LOGIN}/export")] {
        let refused = operator.post(&path, span("2026-01-01", "2026-04-03")).await;
        assert_eq!(fields(&refused), ["startsOn: 时间跨度不能超过92天"], "{path}");
        let backwards = operator.post(&path, span("2026-01-02", "2026-01-01")).await;
        assert_eq!(fields(&backwards), ["endsOn: 结束日期不能早于开始日期"], "{path}");
    }
    assert_eq!(logins(&operator, span("2026-01-01", "2026-04-02")).await.code(), 200);
    let now = server.now();
    server
        .run(&format!(
            "insert into platform.login_log (at, login_name, real_name, event, success, ip, user_agent, device)
             select {now} - n * interval '40 seconds', 'many' || n % 500, '张三', 'login', true, '10.0.0.1', '', 'pc'
             from generate_series(1, 100000) n"
        ))
        .await;
    server.run("analyze platform.login_log").await;
    let started = Instant::now();
    let found = logins(&operator, json!({ "keyword": "many499" })).await;
    let took = started.elapsed();
    // Without dates: today and the six days before it, in China's time.
    let today = server.app.clock().today();
    let week: i64 = server
        .one(&format!(
            "select count(*) from platform.login_log where login_name = 'many499'
             and at >= (date '{today}' - 6)::timestamp at time zone 'Asia/Shanghai'"
        ))
        .await;
    assert!((25..=30).contains(&week), "{week}");
    assert_eq!(found.data()["totalCount"], json!(week), "{}", found.body);
    assert!(took.as_millis() < 500, "{took:?}");
}

/// Pages behind the middle are read from the other end: together they are the list, whatever the moments that rows share.
#[tokio::test]
async fn the_pages_of_a_long_list_are_the_list() {
    let server = Server::start().await;
    let operator = server.operator().await;
    server
        .run(
            "insert into platform.login_log (at, login_name, real_name, event, success, ip, user_agent, device)
             select now() - n / 3 * interval '1 minute', 'paged' || n, '张三', 'login', true, '10.0.0.1', '', 'pc'
             from generate_series(1, 11) n;
             insert into platform.sys_log (at, trace_id, actor_type, actor_id, actor_name, module, operation, permission_code,
                 method, path, result_code, duration_ms, ip, params, sensitive)
             select now() - n / 3 * interval '1 minute', 'paged' || n, 'platform', n, 'paged', 'system', '编辑', 'a:b', 'PUT', '/a',
                 200, 1, '10.0.0.1', '{}', false
             from generate_series(1, 11) n;
             insert into platform.msg (title, content, msg_type, channels, audience, status, creator_name, created_at, created_by,
                 updated_by)
             select 'paged' || n, '', 'system', array['in_app'], 'all_students', 'sent', '张三',
                 now() - n / 3 * interval '1 minute', 0, 0
             from generate_series(1, 11) n",
        )
        .await;
    let lists = [
        (format!("{LOGIN}/list"), json!({ "keyword": "paged" })),
        (format!("{LOG}/list"), json!({ "keyword": "paged" })),
        ("/user/pc/msg/list".to_owned(), json!({ "title": "paged" })),
    ];
    for (path, filter) in &lists {
        let page = async |current: i64, size: i64| {
            let mut asked = filter.clone();
            asked["pageCurrent"] = json!(current);
            asked["pageSize"] = json!(size);
            let answer = operator.post(path, asked).await;
            assert_eq!(answer.data()["totalCount"], json!(11), "{path}: {}", answer.body);
            rows(&answer).iter().map(|row| row["id"].as_i64().expect("a number")).collect::<Vec<_>>()
        };
        let whole = page(1, 20).await;
        assert_eq!(whole.len(), 11, "{path}");
        let mut together = Vec::new();
        for current in 1..=4 {
            together.extend(page(current, 3).await);
        }
        assert_eq!(together, whole, "{path}");
        assert_eq!(page(5, 3).await, Vec::<i64>::new(), "{path}");
    }
}

/// 05 E5.4: no role of a request changes a log, and what a superuser changed is named.
#[tokio::test]
async fn a_changed_log_is_found() {
    let server = Server::start().await;
    let operator = server.operator().await;
    for word in ["jia", "yi", "bing"] {
        let dict = json!({ "dictType": format!("reason_{word}"), "dictName": format!("原因{word}") });
        operator.post("/system/pc/dict/type/save", dict).await.id();
    }
    server.wait_until("select count(*) >= 3 from platform.sys_log where path = '/system/pc/dict/type/save'").await;
    let mut bare = server.bare().await;
    for (statement, log) in [
        ("update platform.sys_log set ip = ''", "sys_log"),
        ("delete from platform.login_log", "login_log"),
        ("delete from platform.log_seal", "log_seal"),
    ] {
        let mut tx = bare.begin().await.expect("a transaction");
        tx.execute("set local role chengjiao_platform").await.expect("the role");
        let refused = tx.execute(statement).await.expect_err(log);
        assert_eq!(refused.as_database_error().and_then(|error| error.code()).as_deref(), Some("42501"), "{log}");
    }
    let yesterday = "at - interval '1 day'";
    server.run(&format!("update platform.sys_log set at = {yesterday}; ")).await;
    server.run(&format!("update platform.login_log set at = {yesterday}")).await;
    let seal = async || {
        let job = operator.post("/data/pc/druid/job/run", json!({ "name": "logs.seal" })).await.data()["jobId"].clone();
        kit::jobs::ended(&operator, &job).await["message"].clone()
    };
    let check = async || operator.post(&format!("{LOG}/verify"), json!({})).await.data().clone();
    assert_eq!(check().await["days"], json!(0));
    assert_eq!(seal().await, json!("已封存2日的日志"));
    let right = check().await;
    assert_eq!((&right["days"], &right["broken"]), (&json!(2), &Value::Null), "{right}");
    assert!(right["rows"].as_i64().is_some_and(|rows| rows >= 4), "{right}");
    let id: i64 = server.one("select min(id) from platform.sys_log where path = '/system/pc/dict/type/save'").await;
    server.run(&format!("update platform.sys_log set actor_name = '别人' where id = {id}")).await;
    let broken = check().await["broken"].clone();
    assert_eq!(
        (&broken["log"], &broken["id"], &broken["defect"]),
        (&json!("operation"), &json!(id), &json!("changed"))
    );
    server.run(&format!("update platform.sys_log set actor_name = '运营一' where id = {id}")).await;
    assert_eq!(check().await["broken"], Value::Null);
    server.run("delete from platform.login_log where id = (select max(id) from platform.login_log where at < now() - interval '12 hours')").await;
    assert_eq!(check().await["broken"]["defect"], json!("missing"));
    server.run("update platform.log_seal set digests = '', rows = 0 where log = 'login'").await;
    assert_eq!(check().await["broken"]["defect"], json!("seal"));
}

/// 05 E5.5.
#[tokio::test]
async fn a_month_goes_when_its_last_day_is_no_longer_kept() {
    let server = Server::start().await;
    let mut owner = server.owner().await;
    let day = |text: &str| text.parse::<chrono::NaiveDate>().expect("a date");
    logs::keep::keep(&mut owner, day("2022-12-05"), 36).await.expect("made");
    server
        .run("insert into platform.login_log (at, login_name, event, success, ip, user_agent, device)
              select at, 'old', 'login', true, '', '', 'pc' from unnest(array['2023-01-31 23:59+08', '2023-02-01 00:00+08']::timestamptz[]) at")
        .await;
    let left = async || server.one::<i64>("select count(*) from platform.login_log where login_name = 'old'").await;
    assert_eq!(
        logs::keep::keep(&mut owner, day("2026-01-31"), 36).await.expect("kept"),
        ["login_log_202212", "sys_log_202212"]
    );
    assert_eq!(left().await, 2);
    let gone = logs::keep::keep(&mut owner, day("2026-02-01"), 36).await.expect("kept");
    assert_eq!(gone, ["login_log_202301", "sys_log_202301"]);
    assert_eq!(left().await, 1);
    let others: i64 = server
        .one("select (select count(*) from platform.login_log_other) + (select count(*) from platform.sys_log_other)")
        .await;
    assert_eq!(others, 0, "each row lies in its month");
}

/// The database keeps no NUL; what a caller sends may have one, and the row of their call stands all the same.
#[tokio::test]
async fn no_body_keeps_its_call_out_of_the_log() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let odd = json!({ "dictType": "odd", "dictName": "原因", "remark": "a\u{0}b", "x\u{0}y": "z" });
    let answer = operator.post("/system/pc/dict/type/save", odd).await;
    assert_ne!(answer.code(), 500, "{}", answer.body);
    let right = json!({ "dictType": "even", "dictName": "原因" });
    let beside = operator.post("/system/pc/dict/type/save", right).await;
    for trace in [&answer.trace, &beside.trace] {
        server.wait_until(&format!("select exists (select from platform.sys_log where trace_id = '{trace}')")).await;
    }
}

/// 05 E3: a student's trail stays for ever, the others ten calendar years; an archived school stays as it is.
#[tokio::test]
async fn a_trail_goes_after_ten_years_unless_it_is_a_persons_record() {
    let server = Server::start().await;
    let rows = |place: &str| {
        format!(
            "insert into {place}.audit_log (at, trace_id, actor_type, actor_id, actor_name, ip, entity_type, entity_id, action, changes)
             select t::timestamptz, 'old', 'school', 0, '旧', '', e, 1, 'update', '{{}}'
             from (values ('2015-12-31 23:59+08', 'site'), ('2015-12-31 23:59+08', 'student'), ('2016-01-01 00:00+08', 'site')) v (t, e)"
        )
    };
    for place in ["platform", "school_1", "school_2"] {
        // An old trail begins with old numbers.
        server.run(&format!("delete from {place}.audit_log; {}", rows(place))).await;
    }
    server.run("update platform.school set status = 'archived', archived_from = 'active', archived_at = now() where id = 2").await;
    let today = "2026-11-22".parse().expect("a date");
    assert_eq!(logs::keep::keep_trails(&mut server.owner().await, today).await.expect("kept"), 2);
    assert_eq!(logs::keep::keep_trails(&mut server.owner().await, today).await.expect("kept"), 0);
    for (place, left) in [("platform", 2), ("school_1", 2), ("school_2", 3)] {
        let old: i64 = server.one(&format!("select count(*) from {place}.audit_log where trace_id = 'old'")).await;
        assert_eq!(old, left, "{place}");
    }
}

/// 05 E1: beside a record stands its own trail, for those who may open the record and within their data scope.
#[tokio::test]
async fn a_record_shows_its_own_trail() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let edit = json!({ "id": p.site, "version": 1, "code": "CD", "name": "城西教学点", "kind": "headquarter", "phone": "027-87654321" });
    admin.put("/adult/pc/site/edit", edit).await.id();
    let asked = json!({ "entityType": "site", "entityId": p.site });
    let trail = admin.post(&format!("{LOG}/record"), asked.clone()).await.data().clone();
    assert_eq!(trail["totalCount"], json!(2));
    assert_eq!((&trail["list"][0]["action"], &trail["list"][1]["action"]), (&json!("修改"), &json!("新增")));
    let name = trail["list"][0]["fields"].as_array().expect("fields").iter().find(|field| field["field"] == "name");
    assert_eq!(name.map(|field| (&field["label"], &field["after"])), Some((&json!("名称"), &json!("城西教学点"))));

    let code = "adult:pc:site:view";
    let near = server.staff_within(1, &[code], "named_sites", &[p.site]).await;
    assert_eq!(near.post(&format!("{LOG}/record"), asked.clone()).await.data()["totalCount"], json!(2));
    let far = server.staff_within(1, &[code], "named_sites", &[p.site + 1000]).await;
    assert_eq!(far.post(&format!("{LOG}/record"), asked.clone()).await.code(), 404);
    let blind = server.staff_within(1, &["adult:pc:grade:view"], "named_sites", &[p.site]).await;
    assert_eq!(blind.post(&format!("{LOG}/record"), asked).await.code(), 403);
    let unknown = admin.post(&format!("{LOG}/record"), json!({ "entityType": "audit_log", "entityId": 1 })).await;
    assert_eq!(fields(&unknown), ["entityType: 该对象没有操作历史"]);
    // Each trail that a module declares can be asked for.
    let modules = openapi::modules::modules();
    let of_school = |code: &str| modules.permissions().any(|entry| entry.code == code && entry.school);
    for history in modules.histories().filter(|history| of_school(history.code)) {
        let reader = server.staff_within(1, &[history.code], "named_sites", &[p.site]).await;
        let answer = reader.post(&format!("{LOG}/record"), json!({ "entityType": history.table, "entityId": 0 })).await;
        // Of these tables some rows are kept to some accounts, so that one that is not there tells nobody that it is not.
        let kept = ["question_bank", "question"].contains(&history.table);
        let expected = if history.scope.is_some() || kept { 404 } else { 200 };
        assert_eq!(answer.code(), expected, "{}: {}", history.table, answer.body);
    }
}

/// 05 E1: numbers of other records and codes of dictionaries are read as names, also the record of a row of the log.
#[tokio::test]
async fn a_trail_names_what_it_refers_to() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let mut person = student(&p, 1);
    person["ethnicity"] = json!("01");
    let id = save(&admin, person).await;
    let trail =
        admin.post(&format!("{LOG}/record"), json!({ "entityType": "student", "entityId": id })).await.data().clone();
    let fields = trail["list"][0]["fields"].as_array().expect("fields");
    let told = |name: &str| {
        let field =
            fields.iter().find(|field| field["field"] == name).unwrap_or_else(|| panic!("no {name}: {fields:?}"));
        format!("{}：{}", field["label"].as_str().expect("label"), field["after"].as_str().expect("after"))
    };
    assert_eq!(told("gradeId"), "年级：2026级");
    assert_eq!(told("ethnicity"), "民族：汉族");
    assert_eq!(told("siteId"), "站点：城东教学点");

    // The log is written behind the answer.
    server.wait_until("select exists (select from platform.sys_log where operation = '新增学籍')").await;
    let log = admin.post(&format!("{LOG}/userLog"), json!({ "operation": "新增学籍" })).await.data().clone();
    assert_eq!(log["list"][0]["target"], json!("学生 张晓梅"), "{log}");
    let row = log["list"][0]["id"].as_i64().expect("number");
    let detail = admin.get(&format!("{LOG}/view?id={row}")).await.data().clone();
    assert_eq!(detail["changes"][0]["name"], json!("张晓梅"), "{detail}");
}

/// 01 §6.1, 05 E1: what a call said in its address is kept; a row is sensitive when something personal was shown whole.
#[tokio::test]
async fn the_log_keeps_the_query_and_marks_what_was_shown_whole() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let entered = operator.get(ENTER).await;
    written(&server, &entered.trace).await;
    let row = |trace: &str, what: &str| format!("select {what} from platform.sys_log where trace_id = '{trace}'");
    assert_eq!(server.one::<String>(&row(&entered.trace, "params ->> 'id'")).await, "1");

    let masked = server.staff(1, &["adult:pc:site:export", "adult:pc:site:list"]).await;
    let whole = server.staff(1, &["adult:pc:site:export", "adult:pc:site:exportPlain"]).await;
    let asked = "/adult/pc/site/export?whole=true&reason=%E5%B9%B4%E6%A3%80";
    for (client, path, sensitive) in [(masked, "/adult/pc/site/export", false), (whole, asked, true)] {
        let exported = client.post(path, json!({})).await;
        written(&server, &exported.trace).await;
        assert_eq!(server.one::<bool>(&row(&exported.trace, "sensitive")).await, sensitive);
    }
}
