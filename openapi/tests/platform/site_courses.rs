//! Live courses and their channels, files of the library, and what the site recommends (part 01 §9.2).

use kit::{
    Answer, Client, Server,
    accounts::operator_with,
    fields,
    learners::numbered,
    sheets::texts,
    site::{Shelf, channel, content, course, filed, lessons, shelf},
};
use serde_json::{Value, json};

use crate::uploads::{SECRET, configure, with_provider};

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

/// 9.2 同步: what people changed at the provider stands here too; what is typed here alone stays.
#[tokio::test]
async fn a_channel_takes_over_what_its_provider_says() {
    let (server, _) = with_provider().await;
    let operator = server.operator().await;
    let form = |provider: &str, number: &str| {
        json!({
            "channelName": "一号厅", "provider": provider, "channelNo": number, "scene": "lecture",
            "assistantPassword": "secret-7",
        })
    };
    let mut made = Vec::new();
    for (provider, number) in [("polyv", "3021456"), ("polyv", "404"), ("baijiayun", "23041367591808")] {
        made.push(operator.post(&format!("{CHANNEL}/save"), form(provider, number)).await.id());
    }
    let [hall, unknown, room] = made[..] else { panic!("three channels") };
    let sync = async |client: &Client<'_>, id: i64| client.put(&format!("{CHANNEL}/sync"), json!({ "id": id })).await;
    assert_eq!(sync(&operator, hall).await.refused(), (409, "未启用保利威，请先在系统配置中设置"));
    let keys = |more: Value| {
        let mut content =
            json!({ "userId": "u1", "writeToken": "write-token", "readToken": "read-token", "secretKey": "k" });
        for (field, value) in more.as_object().expect("fields") {
            content[field] = value.clone();
        }
        content
    };
    configure(&server, "video_polyv", keys(json!({}))).await;
    // Whoever configured it signed in as the operator once more.
    let operator = server.operator().await;
    let told = (409, "请先在系统配置的保利威中填写直播应用编号和直播应用密钥");
    assert_eq!(sync(&operator, hall).await.refused(), told);
    configure(&server, "video_polyv", keys(json!({ "liveAppId": "app1", "liveAppSecret": SECRET }))).await;
    let operator = server.operator().await;
    let answer = sync(&operator, hall).await;
    assert_eq!(
        answer.data(),
        &json!({ "id": hall, "channelName": "一号厅（新）", "maxViewers": 300, "onAir": true, "changed": true })
    );
    let seen = operator.get(&format!("{CHANNEL}/view?id={hall}")).await.data().clone();
    assert_eq!(
        (&seen["channelName"], &seen["maxViewers"], &seen["version"]),
        (&json!("一号厅（新）"), &json!(300), &json!(2))
    );
    assert_eq!((&seen["hasSecrets"], &seen["scene"]), (&json!(true), &json!("lecture")));
    // The same once more changes nothing.
    assert_eq!(sync(&operator, hall).await.data()["changed"], json!(false));
    let version: i32 = server.one(&format!("select version from platform.live_channel where id = {hall}")).await;
    assert_eq!(version, 2);
    assert_eq!(sync(&operator, unknown).await.refused(), (409, "音视频服务商拒绝了请求：channel not found."));
    configure(
        &server,
        "video_baijiayun",
        json!({ "partnerId": "p1", "partnerKey": SECRET, "privateDomain": "school" }),
    )
    .await;
    let operator = server.operator().await;
    let answer = sync(&operator, room).await;
    assert_eq!(
        answer.data(),
        &json!({ "id": room, "channelName": "小班教室", "maxViewers": null, "onAir": null, "changed": true })
    );
    operator.put(&format!("{CHANNEL}/close"), json!({ "id": room })).await.data();
    assert_eq!(sync(&operator, room).await.refused(), (409, "该频道已关闭，无需同步"));
    assert_eq!(sync(&operator, 987_654).await.code(), 404);
    let reader = operator_with(&server, "reader", &["course:pc:live:channel:list"]).await;
    assert_eq!(sync(&reader, hall).await.code(), 403);
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
    assert_eq!(stale.refused(), (422, "只能调整同一列表中各项的顺序，请刷新后重试"));
    let used = operator.delete(&format!("/course/pc/course/record/delete?id={first}")).await;
    assert_eq!(used.refused(), (409, "已被1条推荐引用，不能删除"));
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

/// Trail and file of a record open with the code of its kind alone.
#[tokio::test]
async fn a_trail_and_a_file_open_with_the_right_to_their_kind() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let library = shelf(&operator, "resource").await;
    let key = "private/platform/202611/0123456789abcdefghijklmnopqrstuv.pdf";
    stored(&server, key).await;
    let mut form = content(&library, "真题汇编");
    (form["resourceFileKey"], form["resourceFileName"]) = (json!(key), json!("真题.pdf"));
    let resource = save(&operator, "resource", form, "draft").await.id();
    let recorded = course(&server, "大学英语").await;
    let seeing = |kind: &str| ["course:pc:course", "course:pc:category"].map(|entity| format!("{entity}:{kind}:view"));
    for (login, kind, expected) in [("library", "resource", 200), ("films", "record", 403), ("halls", "live", 403)] {
        let codes = seeing(kind);
        let reader = operator_with(&server, login, &["system:pc:upload:view", &codes[0], &codes[1]]).await;
        for (table, id) in [("online_course", resource), ("online_category", library.category)] {
            let asked = json!({ "entityType": table, "entityId": id });
            assert_eq!(reader.post("/data/pc/sys/log/record", asked).await.code(), expected, "{table} by {kind}");
        }
        let signed = reader.get(&format!("/system/pc/upload/signedUrl?key={key}")).await;
        assert_eq!(signed.code(), expected, "the file by {kind}");
        let other = json!({ "entityType": "online_course", "entityId": recorded });
        let told = reader.post("/data/pc/sys/log/record", other).await.code();
        assert_eq!(told, if kind == "record" { 200 } else { 403 }, "a recorded course by {kind}");
        let gone = json!({ "entityType": "online_course", "entityId": 987_654 });
        assert_eq!(reader.post("/data/pc/sys/log/record", gone).await.code(), 404);
    }
    let stranger = operator_with(&server, "stranger", &["course:pc:recommend:view"]).await;
    let asked = json!({ "entityType": "online_course", "entityId": resource });
    assert_eq!(stranger.post("/data/pc/sys/log/record", asked).await.code(), 403);
}

/// A file that somebody else uploaded.
async fn stored(server: &Server, key: &str) {
    server
        .run(&format!(
            "insert into platform.file_object (key, original_name, size, content_type, file_type, state, uploader_id)
             values ('{key}', '真题.pdf', 9, 'application/pdf', 3, 'stored', 0)"
        ))
        .await;
}

/// The course's content as it is read, changed and sent again.
async fn edit(client: &Client<'_>, kind: &str, id: i64, submission: &str, change: impl FnOnce(&mut Value)) -> Answer {
    let path = format!("/course/pc/course/{kind}");
    let seen = client.get(&format!("{path}/view?id={id}")).await.data().clone();
    let mut body = seen["content"].clone();
    (body["id"], body["version"], body["submission"]) = (json!(id), seen["version"].clone(), json!(submission));
    change(&mut body);
    client.put(&format!("{path}/edit"), body).await
}

/// Approves the version that waits.
async fn approve(client: &Client<'_>, kind: &str) -> Answer {
    let audit = format!("/course/pc/audit/{kind}");
    let waiting = client.post(&format!("{audit}/list"), json!({ "auditStatus": "pending" })).await;
    let id = waiting.data()["list"][0]["id"].clone();
    client.put(&format!("{audit}/audit"), json!({ "id": id, "auditStatus": "approved" })).await
}

/// A version may wait for long: what it refers to can be deleted meanwhile.
#[tokio::test]
async fn a_version_is_not_published_with_what_is_gone() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let library = shelf(&operator, "resource").await;
    let id = save(&operator, "resource", content(&library, "真题汇编"), "publish").await.id();
    let other = json!({ "categoryName": "模拟题" });
    let other = operator.post("/course/pc/category/resource/save", other).await.id();
    edit(&operator, "resource", id, "review", |body| body["categoryId"] = json!(other)).await.data();
    operator.delete(&format!("/course/pc/category/resource/delete?id={other}")).await.data();
    let told = (409, "该版本的分类已被删除，不能发布，请修改后重新提交");
    assert_eq!(approve(&operator, "resource").await.refused(), told);
    let kept: i64 = server.one("select category_id from platform.online_course").await;
    assert_eq!(kept, library.category);
    let states: String =
        server.one("select string_agg(audit_status, ',' order by id) from platform.online_course_revision").await;
    assert_eq!(states, "approved,pending", "it still waits");
}

/// 9.10 Lecturers and accounts (6), from the other side: nobody comes to the shelf by an approval who was switched off.
#[tokio::test]
async fn a_course_on_the_shelf_gets_no_lecturer_who_was_switched_off() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let stand = shelf(&operator, "live").await;
    let hall = channel(&server, "一号厅").await;
    let id = save(&operator, "live", live(&stand, "甲", hall, &[("19:00", "20:30")]), "publish").await.id();
    operator.put(&format!("{LIVE}/update/putaway"), json!({ "id": id, "putaway": "on" })).await.data();
    let other = json!({ "lecturerName": "圆讲师", "phone": "13900000004" });
    let other = operator.post("/user/pc/lecturer/save", other).await.id();
    edit(&operator, "live", id, "review", |body| body["lecturerId"] = json!(other)).await.data();
    operator.put("/user/pc/lecturer/update/status", json!({ "id": other, "enabled": false })).await.data();
    assert_eq!(approve(&operator, "live").await.refused(), (409, "讲师“圆讲师”已停用，课程不能上架"));
    operator.put("/user/pc/lecturer/update/status", json!({ "id": other, "enabled": true })).await.data();
    assert_eq!(approve(&operator, "live").await.code(), 200);
}

/// A channel that was switched off keeps the lessons that it has, and gets neither new ones nor those that are moved.
#[tokio::test]
async fn a_channel_that_was_switched_off_keeps_its_lessons_alone() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let stand = shelf(&operator, "live").await;
    let (first, second) = (channel(&server, "一号厅").await, channel(&server, "二号厅").await);
    let id = save(&operator, "live", live(&stand, "甲", first, &[("19:00", "20:30")]), "publish").await.id();
    // A version waits whose lesson is given elsewhere, where nothing is given any more when it is approved.
    let elsewhere = lessons(second, &[("08:00", "09:00")]);
    edit(&operator, "live", id, "review", |body| body["chapters"] = elsewhere).await.data();
    server.run("update platform.live_channel set enabled = false").await;
    let told = (409, "直播频道“二号厅”已停用或已关闭，不能发布，请修改后重新提交");
    assert_eq!(approve(&operator, "live").await.refused(), told);
    let waiting: i64 =
        server.one("select id from platform.online_course_revision where audit_status = 'pending'").await;
    let no = json!({ "id": waiting, "auditStatus": "rejected", "auditOpinion": "频道已停用" });
    operator.put("/course/pc/audit/live/audit", no).await.data();
    server.run(&format!("delete from platform.online_course_revision where id = {waiting}")).await;

    edit(&operator, "live", id, "publish", |body| body["courseName"] = json!("乙")).await.data();
    let wrong = |place: usize| {
        vec![format!("chapters[0].periods[{place}].liveChannelId: “一号厅”已停用或已关闭，请选择其他项")]
    };
    let moved = edit(&operator, "live", id, "publish", |body| {
        body["chapters"][0]["periods"][0]["endsAt"] = json!("2099-05-01T21:00:00+08:00");
    })
    .await;
    assert_eq!(fields(&moved), wrong(0));
    let added = edit(&operator, "live", id, "publish", |body| {
        let more = lessons(first, &[("10:00", "11:00")])[0]["periods"][0].clone();
        body["chapters"][0]["periods"].as_array_mut().expect("lessons").push(more);
    })
    .await;
    assert_eq!(fields(&added), wrong(1));
}

/// A lesson that ends on the next day holds its channel until then.
#[tokio::test]
async fn a_lesson_over_midnight_meets_the_next_morning() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let stand = shelf(&operator, "live").await;
    let hall = channel(&server, "一号厅").await;
    let at = |from: &str, to: &str| {
        let mut content = live(&stand, "甲", hall, &[("19:00", "20:30")]);
        let lesson = &mut content["chapters"][0]["periods"][0];
        (lesson["startsAt"], lesson["endsAt"]) = (json!(from), json!(to));
        content
    };
    let night = at("2099-05-01T23:00:00+08:00", "2099-05-02T00:30:00+08:00");
    save(&operator, "live", night, "publish").await.id();
    let early = at("2099-05-02T00:00:00+08:00", "2099-05-02T01:00:00+08:00");
    assert_eq!(save(&operator, "live", early, "publish").await.refused(), (409, "该频道在此时段已被占用"));
    let later = at("2099-05-02T00:30:00+08:00", "2099-05-02T01:00:00+08:00");
    save(&operator, "live", later, "publish").await.id();
}

/// Those that a page does not show keep their places.
#[tokio::test]
async fn recommendations_change_places_among_themselves() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let mut made = Vec::new();
    for name in ["甲", "乙", "丙"] {
        let course = course(&server, name).await;
        let form = json!({ "courseId": course, "position": "home" });
        made.push(operator.post(&format!("{RECOMMEND}/save"), form).await.id());
    }
    let elsewhere = json!({ "courseId": course(&server, "丁").await, "position": "detail" });
    let elsewhere = operator.post(&format!("{RECOMMEND}/save"), elsewhere).await.id();
    let order = async || {
        let list = operator.post(&format!("{RECOMMEND}/list"), json!({ "position": "home" })).await;
        let each = list.data()["list"].as_array().expect("a list").clone();
        each.iter().map(|row| row["courseName"].as_str().unwrap_or_default().to_owned()).collect::<String>()
    };
    // Of equal places the newest comes first.
    assert_eq!(order().await, "丙乙甲");
    let sort = async |ids: Value| operator.put(&format!("{RECOMMEND}/sort"), json!({ "ids": ids })).await;
    sort(json!([made[0], made[1]])).await.data();
    assert_eq!(order().await, "丙甲乙");
    let told = (422, "只能调整同一列表中各项的顺序，请刷新后重试");
    assert_eq!(sort(json!([made[0], elsewhere])).await.refused(), told);
    assert_eq!(sort(json!([made[0], made[0]])).await.refused(), told);
}

/// Whoever was given a course without buying it keeps it as well.
#[tokio::test]
async fn a_course_that_somebody_may_use_is_not_deleted() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let course = course(&server, "大学英语").await;
    numbered(&server, 1).await;
    server
        .run(&format!(
            "insert into platform.learner_right (learner_id, product_type, product_id, created_by, updated_by)
             values (1, 'record', {course}, 0, 0)"
        ))
        .await;
    let delete = async || operator.delete(&format!("/course/pc/course/record/delete?id={course}")).await;
    assert_eq!(delete().await.refused(), (409, "已被1项学员权益引用，不能删除"));
    // One of another kind has the same number.
    server.run("update platform.learner_right set product_type = 'live'").await;
    server.run("update platform.online_course set putaway = 'off'").await;
    delete().await.data();
}

#[tokio::test]
async fn a_cover_is_the_address_of_a_picture() {
    let server = Server::start().await;
    let operator = server.operator().await;
    for kind in ["live", "resource"] {
        let stand = shelf(&operator, kind).await;
        for cover in ["javascript:alert(1)", "//evil.example/a.png", "data:text/html,x"] {
            let mut content = content(&stand, "甲");
            content["cover"] = json!(cover);
            if kind == "live" {
                content["chapters"] = json!([]);
            }
            let refused = save(&operator, kind, content, "draft").await;
            assert_eq!(fields(&refused), ["cover: 封面地址应以 http://、https:// 或 / 开头，请重新上传"], "{cover}");
        }
    }
}

/// The auditor reads the file before it is sold.
#[tokio::test]
async fn an_auditor_reads_the_file_of_a_version() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let library = shelf(&operator, "resource").await;
    let key = "private/platform/202611/0123456789abcdefghijklmnopqrstuv.pdf";
    stored(&server, key).await;
    let mut form = content(&library, "真题汇编");
    (form["resourceFileKey"], form["resourceFileName"]) = (json!(key), json!("真题.pdf"));
    save(&operator, "resource", form.clone(), "review").await.id();
    let again = save(&operator, "resource", form, "review").await;
    assert_eq!(fields(&again), ["resourceFileKey: 文件不存在或未上传完成，请重新上传"], "it is another's by now");
    let auditor =
        operator_with(&server, "auditor", &["course:pc:audit:resource:list", "course:pc:audit:resource:view"]).await;
    let waiting = auditor.post("/course/pc/audit/resource/list", json!({})).await;
    let version = waiting.data()["list"][0]["id"].clone();
    let seen = auditor.get(&format!("/course/pc/audit/resource/view?id={version}")).await;
    assert!(
        seen.data()["fileUrl"].as_str().is_some_and(|url| url.contains("0123456789abcdefghijklmnopqrstuv")),
        "{}",
        seen.body
    );
    let decision = json!({ "id": version, "auditStatus": "approved" });
    assert_eq!(auditor.put("/course/pc/audit/resource/audit", decision).await.code(), 403);
}
