//! Files that lessons of the operators' site bring with them, the number that stands before that of buyers, and how long a course is
//! (part 01 §9.2, §9.11).

use kit::{
    Client, Server,
    accounts::operator_with,
    fields,
    files::paper,
    learners::{EXT, entered},
    platform_courses::{AUDIT, COURSE, content, edit, put, save, shelf},
    rows::video,
    sheets::texts,
    site,
};
use serde_json::{Value, json};

const LIST: &str = "/course/client/course/list";
const VIEW: &str = "/course/client/course/view";
const PLAY: &str = "/course/client/course/playToken";

/// The first lesson as somebody sees it.
async fn lesson(client: &Client<'_>, course: i64) -> Value {
    client.get(&format!("{VIEW}?id={course}")).await.data()["chapters"][0]["periods"][0].clone()
}

/// What its files are called, and of how many the address is told.
async fn files(client: &Client<'_>, course: i64) -> (Vec<String>, usize) {
    let lesson = lesson(client, course).await;
    let files = lesson["attachments"].as_array().expect("files");
    let names = files.iter().map(|file| file["name"].as_str().unwrap_or_default().to_owned()).collect();
    (names, files.iter().filter(|file| file["url"].is_string()).count())
}

/// A course on the shelf whose first lesson has these files.
async fn course_with(operator: &Client<'_>, server: &Server, keys: &[&str]) -> i64 {
    let stand = shelf(operator).await;
    let media = video(server, "platform", "v1", "ready", 90).await;
    let mut course = content(&stand, "大学英语", &[("第一章", &[("1.1", media), ("1.2", media)])]);
    course["chapters"][0]["periods"][0]["attachmentKeys"] = json!(keys);
    let id = save(operator, course, "publish").await.id();
    put(operator, id, "on").await.data();
    id
}

/// Everybody reads what there is; whoever may watch the lesson loads it.
#[tokio::test]
async fn files_of_a_lesson_are_for_who_may_watch_it() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (script, exercises) = (paper(&operator, "讲义.pdf").await, paper(&operator, "习题.pdf").await);
    let course = course_with(&operator, &server, &[&script, &exercises]).await;
    let (buyer, id) = entered(&server, "13900000181").await;
    let (other, _) = entered(&server, "13900000182").await;
    let names = || vec!["讲义.pdf".to_owned(), "习题.pdf".to_owned()];
    assert_eq!(files(&server.anonymous(), course).await, (names(), 0));
    assert_eq!(files(&buyer, course).await, (names(), 0));
    let right = json!({ "id": id, "productType": "record", "productId": course, "days": 30 });
    operator.post(&format!("{EXT}/grantRight"), right).await.data();
    assert_eq!(files(&buyer, course).await, (names(), 2));
    assert_eq!(files(&other, course).await, (names(), 0), "another's right is another's");
    assert_eq!(files(&operator, course).await, (names(), 0), "an operator is no learner");
    let shown = lesson(&buyer, course).await;
    assert_eq!(shown["attachments"][0]["size"], json!(5));
    let period = shown["id"].as_i64().expect("a lesson");
    let ticket = buyer.get(&format!("{PLAY}?periodId={period}")).await;
    assert_eq!(ticket.data()["attachments"][1]["name"], json!("习题.pdf"));
    assert!(ticket.data()["attachments"][1]["url"].is_string(), "{}", ticket.body);
    server.run("update platform.learner_right set expires_at = '2000-01-01'").await;
    assert_eq!(files(&buyer, course).await, (names(), 0), "its days are over");
    // A lesson to try brings its files to whoever signed in.
    edit(&operator, course, "publish", |body| body["chapters"][0]["periods"][0]["isFree"] = json!(true)).await.data();
    assert_eq!(files(&other, course).await, (names(), 2));
    assert_eq!(files(&server.anonymous(), course).await, (names(), 0));
}

/// A version says which files it has; those that it leaves out are nobody's once it is published.
#[tokio::test]
async fn files_are_part_of_a_version() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (script, exercises) = (paper(&operator, "讲义.pdf").await, paper(&operator, "习题.pdf").await);
    let course = course_with(&operator, &server, &[&script, &exercises]).await;
    let owned = "select count(*) from platform.file_object where owner_type = 'online_course'";
    assert_eq!(server.one::<i64>(owned).await, 2);
    let seen = operator.get(&format!("{COURSE}/view?id={course}")).await;
    let attachments = seen.data()["attachments"].as_array().expect("files").clone();
    assert_eq!(attachments.len(), 2);
    assert!(attachments.iter().all(|file| file["url"].is_string()), "{}", seen.body);

    let dropped = edit(&operator, course, "review", |body| {
        body["chapters"][0]["periods"][0]["attachmentKeys"] = json!([exercises]);
    });
    dropped.await.data();
    let waiting = operator.post(&format!("{AUDIT}/list"), json!({ "auditStatus": "pending" })).await;
    let version = waiting.data()["list"][0].clone();
    assert_eq!(version["changes"], json!(["附件"]));
    let seen = operator.get(&format!("{AUDIT}/view?id={}", version["id"])).await;
    let told = &seen.data()["differences"][0];
    assert_eq!((&told["before"], &told["after"]), (&json!("1.1：讲义.pdf、习题.pdf"), &json!("1.1：习题.pdf")));
    assert_eq!(seen.data()["attachments"][0]["key"], json!(exercises));
    assert_eq!(files(&server.anonymous(), course).await.0.len(), 2, "until approval");
    let decision = json!({ "id": version["id"], "auditStatus": "approved" });
    operator.put(&format!("{AUDIT}/audit"), decision).await.data();
    assert_eq!(files(&server.anonymous(), course).await.0, ["习题.pdf"]);
    assert_eq!(server.one::<i64>(owned).await, 1, "what was left out is nobody's");
    put(&operator, course, "off").await.data();
    operator.delete(&format!("{COURSE}/delete?id={course}")).await.data();
    assert_eq!(server.one::<i64>(owned).await, 0);
}

#[tokio::test]
async fn a_file_is_one_lessons_and_of_a_known_kind() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let script = paper(&operator, "讲义.pdf").await;
    let course = course_with(&operator, &server, &[&script]).await;
    let sent = async |keys: Value| {
        edit(&operator, course, "publish", |body| body["chapters"][0]["periods"][1]["attachmentKeys"] = keys).await
    };
    let field = "chapters[0].periods[1].attachmentKeys";
    assert_eq!(fields(&sent(json!([script])).await), [format!("{field}: 同一附件出现了两次，请删除其中一个")]);
    let program = json!(["private/platform/202611/a.exe"]);
    let kinds = "不支持该附件格式，可上传：doc、docx、xls、xlsx、ppt、pptx、pdf、zip";
    assert_eq!(fields(&sent(program).await), [format!("{field}: {kinds}")]);
    let missing = json!(["private/platform/202611/none.pdf"]);
    let absent = "文件不存在或未上传完成，请重新上传";
    assert_eq!(fields(&sent(missing).await), [format!("{field}: {absent}")]);
    let many: Vec<String> = (0..11).map(|number| format!("private/platform/202611/{number}.pdf")).collect();
    assert_eq!(sent(json!(many)).await.code(), 422);
    // A file of one course is none of another.
    let hall = site::channel(&server, "一号厅").await;
    let stand = site::shelf(&operator, "live").await;
    let mut live = site::content(&stand, "直播班");
    live["chapters"] = site::lessons(hall, &[("19:00", "20:30")]);
    live["submission"] = json!("publish");
    live["chapters"][0]["periods"][0]["attachmentKeys"] = json!([script]);
    let taken = operator.post("/course/pc/course/live/save", live.clone()).await;
    assert_eq!(fields(&taken), [format!("chapters[0].periods[0].attachmentKeys: {absent}")]);
    live["chapters"][0]["periods"][0]["attachmentKeys"] = json!([paper(&operator, "提纲.pdf").await]);
    let live = operator.post("/course/pc/course/live/save", live).await.id();
    operator.put("/course/pc/course/live/update/putaway", json!({ "id": live, "putaway": "on" })).await.data();
    assert_eq!(files(&server.anonymous(), live).await.0, ["提纲.pdf"]);
    let page = server.anonymous().get(&format!("{VIEW}?id={live}")).await;
    assert_eq!(page.data()["durationSeconds"], json!(5_400), "19:00 to 20:30");
    // Whoever looks alone changes nothing.
    let reader =
        operator_with(&server, "reader", &["course:pc:course:record:list", "course:pc:course:record:view"]).await;
    assert_eq!(edit(&reader, course, "publish", |_| {}).await.code(), 403);
}

/// 120 before 12 are 132 for visitors; the books know of 12.
#[tokio::test]
async fn visitors_read_the_base_and_what_was_bought() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let course = course_with(&operator, &server, &[]).await;
    let other = site::course(&server, "高等数学").await;
    server.run(&format!("update platform.online_course set count_buy = 100 where id = {other}")).await;
    server.run(&format!("update platform.online_course set count_buy = 12 where id = {course}")).await;
    let low = edit(&operator, course, "publish", |body| body["countBuyBase"] = json!(-1)).await;
    assert_eq!(fields(&low), ["countBuyBase: 购买基数取值应在0到9999999之间"]);
    edit(&operator, course, "review", |body| body["countBuyBase"] = json!(120)).await.data();
    let shown = async || {
        let hot = json!({ "sortField": "hot", "sortOrder": "desc" });
        let list = server.anonymous().post(LIST, hot).await.data()["list"].clone();
        let each = list.as_array().expect("courses").iter();
        each.map(|row| format!("{}{}", row["courseName"].as_str().unwrap_or_default(), row["countBuy"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(shown().await, ["高等数学100", "大学英语12"], "until approval");
    let waiting = operator.post(&format!("{AUDIT}/list"), json!({ "auditStatus": "pending" })).await;
    let version = waiting.data()["list"][0].clone();
    assert_eq!(version["changes"], json!(["购买基数"]));
    let decision = json!({ "id": version["id"], "auditStatus": "approved" });
    operator.put(&format!("{AUDIT}/audit"), decision).await.data();
    assert_eq!(shown().await, ["大学英语132", "高等数学100"]);
    let list = operator.post(&format!("{COURSE}/list"), json!({ "courseName": "大学英语" })).await;
    let row = &list.data()["list"][0];
    assert_eq!(
        (&row["countBuy"], &row["countBuyBase"], &row["durationSeconds"], &row["scoreCount"]),
        (&json!(12), &json!(120), &json!(180), &json!(0))
    );
    let page = server.anonymous().get(&format!("{VIEW}?id={course}")).await;
    assert_eq!(
        (&page.data()["countBuy"], &page.data()["durationSeconds"]),
        (&json!(132), &json!(180)),
        "two lessons of 90 seconds"
    );
    let rows = texts(&operator.post(&format!("{COURSE}/export"), json!({ "courseName": "大学英语" })).await.bytes);
    let of = |heading: &str| {
        let at = rows[0].iter().position(|each| each == heading).expect("a column");
        rows[1][at].clone()
    };
    assert_eq!((of("购买数"), of("购买基数"), of("总时长(分钟)")), ("12".to_owned(), "120".to_owned(), "3".to_owned()));
    put(&operator, course, "off").await.data();
    let refused = operator.delete(&format!("{COURSE}/delete?id={course}")).await;
    assert_eq!(refused.refused(), (409, "已有12名学员购买，请下架"), "the base has bought nothing");
}
