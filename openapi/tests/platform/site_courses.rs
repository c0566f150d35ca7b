//! Live courses and their channels, files of the library, and what the site recommends (part 01 §9.2).

use kit::{
    Answer, Client, Server,
    accounts::operator_with,
    fields,
    sheets::texts,
    site::{Shelf, channel, content, course, filed, lessons, shelf},
};
use serde_json::{Value, json};

const LIVE: &str = "/course/pc/course/live";
const RESOURCE: &str = "/course/pc/course/resource";
const CHANNEL: &str = "/course/pc/live/channel";
const RECOMMEND: &str = "/course/pc/recommend";

async fn save(client: &Client<'_>, kind: &str, mut content: Value, submission: &str) -> Answer {
    content["submission"] = json!(submission);
    client.post(&format!("/course/pc/course/{kind}/save"), content).await
}

fn live(shelf: &Shelf, name: &str, channel: i64, times: &[(&str, &str)]) -> Value {
    let mut content = content(shelf, name);
    content["chapters"] = lessons(channel, times);
    content
}

/// Acceptance (4).
#[tokio::test]
async fn a_channel_gives_one_lesson_at_a_time() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let shelf = shelf(&operator, "live").await;
    let (first, second) = (channel(&server, "一号厅").await, channel(&server, "二号厅").await);
    save(&operator, "live", live(&shelf, "甲", first, &[("19:00", "20:30")]), "publish").await.id();
    let taken = (409, "该频道在此时段已被占用");
    let refused = save(&operator, "live", live(&shelf, "乙", first, &[("20:00", "21:00")]), "publish").await;
    assert_eq!(refused.refused(), taken);
    save(&operator, "live", live(&shelf, "丙", first, &[("20:30", "21:00")]), "publish").await.id();
    save(&operator, "live", live(&shelf, "丁", second, &[("20:00", "21:00")]), "publish").await.id();
    let itself = live(&shelf, "戊", second, &[("08:00", "09:00"), ("08:30", "09:30")]);
    assert_eq!(save(&operator, "live", itself, "publish").await.refused(), taken);
    let backwards = save(&operator, "live", live(&shelf, "己", first, &[("12:00", "11:00")]), "publish").await;
    assert_eq!(fields(&backwards), ["chapters[0].periods[0].endsAt: 结束时间必须晚于开始时间"]);
    let unknown = save(&operator, "live", live(&shelf, "庚", 987_654, &[("12:00", "13:00")]), "publish").await;
    assert_eq!(fields(&unknown), ["chapters[0].periods[0].liveChannelId: 所选直播频道不存在，请重新选择"]);
}

/// Two versions that wait want one hour: the second that is approved is refused.
#[tokio::test]
async fn a_channel_is_taken_by_what_is_approved_first() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let shelf = shelf(&operator, "live").await;
    let hall = channel(&server, "一号厅").await;
    for name in ["甲", "乙"] {
        save(&operator, "live", live(&shelf, name, hall, &[("19:00", "20:30")]), "review").await.id();
    }
    let waiting = operator.post("/course/pc/audit/live/list", json!({ "auditStatus": "pending" })).await;
    let ids: Vec<Value> =
        waiting.data()["list"].as_array().expect("versions").iter().map(|each| each["id"].clone()).collect();
    assert_eq!(ids.len(), 2);
    let several = json!({ "ids": ids, "auditStatus": "approved" });
    let done = operator.put("/course/pc/audit/live/batchReview", several).await;
    assert_eq!((&done.data()["done"], &done.data()["failed"][0]["msg"]), (&json!(1), &json!("该频道在此时段已被占用")));
}

/// Acceptance (3) for both kinds.
#[tokio::test]
async fn a_live_course_needs_a_lesson_and_a_resource_its_file() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let hall = channel(&server, "一号厅").await;
    let on = |kind: &str, id: i64| {
        let path = format!("/course/pc/course/{kind}/update/putaway");
        let operator = &operator;
        async move { operator.put(&path, json!({ "id": id, "putaway": "on" })).await }
    };
    let stand = shelf(&operator, "live").await;
    let empty = save(&operator, "live", live(&stand, "空", hall, &[]), "publish").await.id();
    assert_eq!(on("live", empty).await.refused(), (409, "请先添加课时"));
    let given = save(&operator, "live", live(&stand, "甲", hall, &[("19:00", "20:30")]), "publish").await.id();
    on("live", given).await.data();
    let row = operator.post(&format!("{LIVE}/list"), json!({ "liveStanding": "waiting" })).await;
    assert_eq!(row.data()["list"][0]["nextStartsAt"], json!("2099-05-01T19:00:00+08:00"), "{}", row.body);
    assert_eq!(row.data()["totalCount"], json!(1));
    let rows = texts(&operator.post(&format!("{LIVE}/export"), json!({ "putaway": "on" })).await.bytes);
    assert_eq!(rows.len(), 2);

    let library = shelf(&operator, "resource").await;
    let resource = save(&operator, "resource", content(&library, "真题汇编"), "publish").await.id();
    assert_eq!(on("resource", resource).await.refused(), (409, "请先上传资源文件"));
    let mut program = content(&library, "程序");
    program["resourceFileKey"] = json!("private/platform/202611/a.exe");
    let refused = save(&operator, "resource", program, "publish").await;
    assert_eq!(
        fields(&refused),
        ["resourceFileKey: 不支持该文件格式，可上传：doc、docx、xls、xlsx、ppt、pptx、pdf、zip"]
    );
    let mut absent = content(&library, "没有上传");
    absent["resourceFileKey"] = json!("private/platform/202611/none.pdf");
    let refused = save(&operator, "resource", absent, "publish").await;
    assert_eq!(fields(&refused), ["resourceFileKey: 文件不存在或未上传完成，请重新上传"]);
    filed(&server, resource, "resource").await;
    on("resource", resource).await.data();
    // A course of one kind is none of another.
    assert_eq!(operator.get(&format!("{RESOURCE}/view?id={given}")).await.code(), 404);
    assert_eq!(operator.delete(&format!("{LIVE}/delete?id={resource}")).await.code(), 404);
}

#[tokio::test]
async fn a_channel_in_use_stays_and_a_closed_one_takes_no_lessons() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let stand = shelf(&operator, "live").await;
    let form = json!({
        "channelName": "一号厅", "provider": "polyv", "channelNo": "3021456", "scene": "lecture",
        "pushUrl": "rtmp://push.example.com/live/key", "assistantPassword": "secret-7",
    });
    let hall = operator.post(&format!("{CHANNEL}/save"), form.clone()).await.id();
    let again = operator.post(&format!("{CHANNEL}/save"), form.clone()).await;
    assert_eq!(fields(&again), ["channelNo: 该服务商的频道号已存在"]);
    let seen = operator.get(&format!("{CHANNEL}/view?id={hall}")).await;
    assert_eq!((&seen.data()["hasSecrets"], &seen.data()["state"]), (&json!(true), &json!("idle")));
    assert!(!seen.body.to_string().contains("push.example.com"), "a secret is not shown");
    let mut edit = form;
    (edit["id"], edit["version"], edit["pushUrl"], edit["assistantPassword"]) =
        (json!(hall), json!(1), json!(null), json!(null));
    operator.put(&format!("{CHANNEL}/edit"), edit).await.data();
    let kept: bool = server.one("select secrets is not null from platform.live_channel").await;
    assert!(kept, "what is not typed stays");
    let given = save(&operator, "live", live(&stand, "甲", hall, &[("19:00", "20:30")]), "publish").await.id();
    let refused = operator.delete(&format!("{CHANNEL}/delete?id={hall}")).await;
    assert_eq!(refused.refused(), (409, "“一号厅”已被引用，不能删除：1个课时"));
    let refused = operator.put(&format!("{CHANNEL}/close"), json!({ "id": hall })).await;
    assert_eq!(refused.refused(), (409, "该频道还有1个未开始的课时，请先调整课时"));
    operator.delete(&format!("{LIVE}/delete?id={given}")).await.data();
    operator.put(&format!("{CHANNEL}/close"), json!({ "id": hall })).await.data();
    let refused = save(&operator, "live", live(&stand, "乙", hall, &[("19:00", "20:30")]), "publish").await;
    assert_eq!(fields(&refused), ["chapters[0].periods[0].liveChannelId: “一号厅”已停用或已关闭，请选择其他项"]);
    assert_eq!(operator.put(&format!("{CHANNEL}/close"), json!({ "id": hall })).await.refused(), (409, "该频道已关闭"));
}

/// Decoration (3) for recommendations: what is off the shelf is told to be hidden, and stands again when it is back.
#[tokio::test]
async fn a_recommendation_follows_its_course() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (first, second) = (course(&server, "甲课程").await, course(&server, "乙课程").await);
    let save = async |body: Value| operator.post(&format!("{RECOMMEND}/save"), body).await;
    let one = save(json!({ "courseId": first, "position": "home" })).await.id();
    let twice = save(json!({ "courseId": first, "position": "home" })).await;
    assert_eq!(twice.refused(), (409, "该课程在此位置已有推荐"));
    let nowhere = save(json!({ "courseId": first, "position": "category" })).await;
    assert_eq!(fields(&nowhere), ["categoryId: 请选择分类"]);
    let gone = save(json!({ "courseId": 987_654, "position": "home" })).await;
    assert_eq!(fields(&gone), ["courseId: 所选课程不存在，请重新选择"]);
    let other = save(json!({ "courseId": second, "position": "home", "sort": 2 })).await.id();
    let standing = async || {
        let list = operator.post(&format!("{RECOMMEND}/list"), json!({})).await;
        let each = list.data()["list"].as_array().expect("a list").clone();
        each.iter().map(|row| format!("{}{}", row["courseName"], row["standing"])).collect::<String>().replace('"', "")
    };
    assert_eq!(standing().await, "甲课程shown乙课程shown");
    operator.put(&format!("{RECOMMEND}/sort"), json!({ "ids": [other, one] })).await.data();
    server.run(&format!("update platform.online_course set putaway = 'off' where id = {first}")).await;
    assert_eq!(standing().await, "乙课程shown甲课程hidden");
    let stale = operator.put(&format!("{RECOMMEND}/sort"), json!({ "ids": [other, 987_654] })).await;
    assert_eq!(stale.refused(), (409, "推荐已变化，请刷新后重试"));
    let used = operator.delete(&format!("/course/pc/course/record/delete?id={first}")).await;
    assert_eq!(used.refused(), (409, "“甲课程”已被引用，不能删除：1条推荐"));
}

/// Acceptance (5).
#[tokio::test]
async fn a_course_that_was_bought_is_not_deleted() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let course = course(&server, "大学英语").await;
    server.run("update platform.online_course set count_buy = 12").await;
    let refused = operator.delete(&format!("/course/pc/course/record/delete?id={course}")).await;
    assert_eq!(refused.refused(), (409, "已有12名学员购买，请下架"));
    let list = operator.post("/course/pc/course/record/list", json!({ "recommended": false })).await;
    assert_eq!(list.data()["list"][0]["countBuy"], json!(12));
}

/// Whoever looks at one kind neither sees nor changes another.
#[tokio::test]
async fn each_kind_asks_for_its_own_right() {
    let server = Server::start().await;
    let narrow =
        operator_with(&server, "narrow", &["course:pc:course:live:list", "course:pc:category:live:save"]).await;
    assert_eq!(narrow.post(&format!("{LIVE}/list"), json!({})).await.code(), 200);
    assert_eq!(narrow.post(&format!("{RESOURCE}/list"), json!({})).await.code(), 403);
    assert_eq!(narrow.post(&format!("{CHANNEL}/list"), json!({})).await.code(), 403);
    let category = json!({ "categoryName": "直播讲座" });
    narrow.post("/course/pc/category/live/save", category.clone()).await.id();
    assert_eq!(narrow.post("/course/pc/category/resource/save", category).await.code(), 403);
}
