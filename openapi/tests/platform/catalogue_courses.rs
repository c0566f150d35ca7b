//! Record courses of the operators' site, their audit, and what a school takes over (parts 01 §9.2, 03 A6).

use kit::{
    Client, Server,
    accounts::operator_with,
    cohort::registrar,
    courses::{PERIOD, RECORD, course},
    fields,
    platform_courses::{AUDIT, COURSE, content, edit, put, save, shared, shelf},
    rows::video,
    sheets::texts,
};
use serde_json::{Value, json};

use crate::uploads::{SECRET, configure, with_provider};

const SHARED: &str = "/course/pc/schoolCourse/platformCourse";
const IMPORT: &str = "/course/pc/schoolCourse/importPlatform";

/// The version that waits.
async fn waiting(client: &Client<'_>) -> Value {
    let list = client.post(&format!("{AUDIT}/list"), json!({ "auditStatus": "pending" })).await;
    assert_eq!(list.data()["totalCount"], json!(1), "{}", list.body);
    list.data()["list"][0].clone()
}

/// Acceptance (1): what is published stays until approval, and two auditors do not both decide.
#[tokio::test]
async fn a_published_course_stays_as_it_is_until_its_new_version_is_approved() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let shelf = shelf(&operator).await;
    let media = video(&server, "platform", "v1", "ready", 90).await;
    let id = save(&operator, content(&shelf, "大学英语", &[("第一章", &[("1.1", media)])]), "publish").await.id();
    put(&operator, id, "on").await.data();
    let period: i64 = server.one("select id from platform.online_period").await;

    let sent = edit(&operator, id, "review", |body| {
        body["courseName"] = json!("大学英语（新）");
        body["priceSale"] = json!(9_905);
        body["chapters"][0]["periods"][0]["periodName"] = json!("1.1 导学");
    })
    .await;
    assert_eq!(sent.code(), 200, "{}", sent.body);
    let shown = "select c.course_name || '/' || p.period_name from platform.online_course c
                 join platform.online_chapter h on h.course_id = c.id join platform.online_period p on p.chapter_id = h.id";
    assert_eq!(server.one::<String>(shown).await, "大学英语/1.1");
    let again = edit(&operator, id, "publish", |body| body["courseName"] = json!("又一次")).await;
    assert_eq!(again.refused(), (409, "该课程有待审核版本"));
    let listed = operator.post(&format!("{COURSE}/list"), json!({ "courseName": "大学" })).await;
    let row = &listed.data()["list"][0];
    assert_eq!((&row["auditStatus"], &row["revisionStatus"]), (&json!("approved"), &json!("pending")));

    let version = waiting(&operator).await;
    assert_eq!(version["changes"], json!(["课程名称", "价格", "章节课时"]));
    let seen = operator.get(&format!("{AUDIT}/view?id={}", version["id"])).await;
    let differences = seen.data()["differences"].as_array().expect("differences");
    assert_eq!(
        differences[0],
        json!({ "field": "course_name", "label": "课程名称", "before": "大学英语", "after": "大学英语（新）" })
    );
    assert_eq!(
        (&differences[1]["before"], &differences[1]["after"]),
        (&json!("原价199.00元，优惠价149.00元"), &json!("原价199.00元，优惠价99.05元"))
    );
    let decision = json!({ "id": version["id"], "auditStatus": "approved", "version": version["version"] });
    assert_eq!(operator.put(&format!("{AUDIT}/audit"), decision.clone()).await.code(), 200);
    assert_eq!(operator.put(&format!("{AUDIT}/audit"), decision).await.refused(), (409, "该版本已审核，请刷新"));
    assert_eq!(server.one::<String>(shown).await, "大学英语（新）/1.1 导学");
    assert_eq!(server.one::<i64>("select id from platform.online_period").await, period, "a period keeps its number");
    let rows = texts(&operator.post(&format!("{AUDIT}/export"), json!({ "auditStatus": "approved" })).await.bytes);
    assert_eq!(rows.len(), 3, "two versions below the headings");
    assert_eq!(rows[1][4], "课程名称、价格、章节课时");
}

/// Acceptance (2), and the way back from a rejection.
#[tokio::test]
async fn who_rejects_says_why_and_the_course_is_handed_in_again() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let shelf = shelf(&operator).await;
    let id = save(&operator, content(&shelf, "大学英语", &[]), "review").await.id();
    let version = waiting(&operator).await;
    let mut decision = json!({ "id": version["id"], "auditStatus": "rejected" });
    let refused = operator.put(&format!("{AUDIT}/audit"), decision.clone()).await;
    assert_eq!(fields(&refused), ["auditOpinion: 请填写审核意见"]);
    let several = json!({ "ids": [version["id"]], "auditStatus": "rejected" });
    assert_eq!(operator.put(&format!("{AUDIT}/batchReview"), several).await.code(), 422);
    decision["auditOpinion"] = json!("封面不清晰");
    assert_eq!(operator.put(&format!("{AUDIT}/audit"), decision).await.code(), 200);
    let seen = operator.get(&format!("{COURSE}/view?id={id}")).await;
    assert_eq!((&seen.data()["auditStatus"], &seen.data()["auditOpinion"]), (&json!("rejected"), &json!("封面不清晰")));
    assert_eq!(put(&operator, id, "on").await.refused(), (409, "课程尚未审核通过，不能上架"));
    let counted = operator.post(&format!("{AUDIT}/list"), json!({ "auditStatus": "pending" })).await;
    let rejected = json!([{ "value": "rejected", "count": 1 }]);
    assert_eq!((&counted.data()["totalCount"], &counted.data()["segments"]), (&json!(0), &rejected));
    let others = operator.post("/course/pc/audit/live/list", json!({})).await;
    assert_eq!(others.data()["segments"], json!(null), "of another kind of course");
    edit(&operator, id, "draft", |body| body["cover"] = json!("/new.png")).await.data();
    let hidden = operator.post(&format!("{AUDIT}/list"), json!({})).await;
    assert_eq!(hidden.data()["totalCount"], json!(0), "a draft is its author's");
    assert_eq!(hidden.data()["segments"], json!(null));
    edit(&operator, id, "review", |_| {}).await.data();
    let again = waiting(&operator).await;
    let bulk = json!({ "ids": [again["id"], 987_654], "auditStatus": "approved" });
    let done = operator.put(&format!("{AUDIT}/batchReview"), bulk).await;
    assert_eq!((&done.data()["done"], &done.data()["failed"][0]["id"]), (&json!(1), &json!(987_654)));
    let states: String = server.one("select string_agg(audit_status, ',') from platform.online_course_revision").await;
    assert_eq!(states, "approved", "one version went the whole way");
}

/// Acceptance (3), with the other conditions of the shelf.
#[tokio::test]
async fn a_course_comes_on_the_shelf_when_it_can_be_watched() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let shelf = shelf(&operator).await;
    let media = video(&server, "platform", "v1", "processing", 90).await;
    let id = save(&operator, content(&shelf, "大学英语", &[]), "publish").await.id();
    assert_eq!(put(&operator, id, "on").await.refused(), (409, "请先添加课时"));
    let unchanged = edit(&operator, id, "publish", |_| {}).await;
    assert_eq!(unchanged.refused(), (409, "内容与已发布的版本相同，无需提交"));
    let chapters = json!([{ "chapterName": "第一章", "periods": [{ "periodName": "1.1", "mediaAssetId": media }] }]);
    edit(&operator, id, "publish", |body| body["chapters"] = chapters).await.data();
    assert_eq!(put(&operator, id, "on").await.refused(), (409, "还有1个课时的音视频未转码完成"));
    server.run("update platform.media_asset set state = 'ready'").await;
    put(&operator, id, "on").await.data();
    assert_eq!(put(&operator, id, "on").await.refused(), (409, "课程已是上架状态"));
    let emptied = edit(&operator, id, "publish", |body| body["chapters"] = json!([])).await;
    assert_eq!(emptied.refused(), (409, "请先添加课时"), "what is on the shelf stays watchable");
    let gone = operator.delete(&format!("{COURSE}/delete?id={id}")).await;
    assert_eq!(gone.refused(), (409, "“大学英语”已上架，请先下架再删除"));
    put(&operator, id, "off").await.data();
    operator.delete(&format!("{COURSE}/delete?id={id}")).await.data();
    let left: i64 = server
        .one("select (select count(*) from platform.online_course_revision) + (select count(*) from platform.online_period)")
        .await;
    assert_eq!(left, 0);
}

#[tokio::test]
async fn what_is_wrong_in_a_course_is_told_at_its_field() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let shelf = shelf(&operator).await;
    let stored: i64 = server
        .one(
            "insert into platform.media_asset (title, channel, vid, file_name, size, state, created_by, updated_by)
             values ('文件', 'storage', 'k1', 'a.mp4', 7, 'ready', 0, 0) returning id",
        )
        .await;
    let with = |field: &str, value: Value| {
        let mut content = content(&shelf, "大学英语", &[]);
        content[field] = value;
        content
    };
    let told = |content: Value| save(&operator, content, "publish");
    assert_eq!(fields(&told(with("priceSale", json!(20_000))).await), ["priceSale: 优惠价不能高于原价"]);
    assert_eq!(
        fields(&told(with("priceSale", json!(0))).await),
        ["priceSale: 收费课程的优惠价应大于0，不收费请选择免费"]
    );
    assert_eq!(fields(&told(with("lecturerId", json!(99))).await), ["lecturerId: 所选讲师不存在，请重新选择"]);
    let file = content(&shelf, "大学英语", &[("第一章", &[("1.1", stored), ("1.2", 99)])]);
    assert_eq!(
        fields(&told(file).await),
        [
            "chapters[0].periods[0].mediaAssetId: 对象存储中的文件不能在线播放，请上传到视频通道",
            "chapters[0].periods[1].mediaAssetId: 所选音视频不存在，请重新选择"
        ]
    );
    let twice = content(&shelf, "大学英语", &[("第一章", &[]), ("第一章", &[])]);
    assert_eq!(fields(&told(twice).await), ["chapters[1].chapterName: 章节名称“第一章”重复"]);
    let free = told(with("isFree", json!(true))).await.id();
    let seen = operator.get(&format!("{COURSE}/view?id={free}")).await;
    assert_eq!(seen.data()["priceSale"], json!(0), "what is free costs nothing");
    let rows = texts(&operator.post(&format!("{COURSE}/export"), json!({ "isFree": true })).await.bytes);
    assert_eq!((rows.len(), rows[1][4].as_str()), (2, "199"));
}

/// Who may only hand in does not publish.
#[tokio::test]
async fn a_course_of_somebody_without_the_right_to_edit_waits() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let shelf = shelf(&operator).await;
    let writer =
        operator_with(&server, "writer", &["course:pc:course:record:save", "course:pc:course:record:list"]).await;
    let refused = save(&writer, content(&shelf, "大学英语", &[]), "publish").await;
    assert_eq!(fields(&refused), ["submission: 您没有直接发布的权限，请提交审核"]);
    save(&writer, content(&shelf, "大学英语", &[]), "review").await.id();
    let operator = server.operator().await;
    assert_eq!(waiting(&operator).await["submitterName"], json!("王五"));
}

/// Part 03 A6: a draft of the school's own, and nothing that the operator changes changes it.
#[tokio::test]
async fn a_school_takes_a_course_over_and_it_is_its_own() {
    let server = Server::start().await;
    let shared = shared(&server, "v1").await;
    let admin = registrar(&server).await;
    let own = course(&admin, "A", "大学英语").await;
    let chapter = json!({ "courseId": own, "title": "第一章 绪论" });
    let merged = admin.post("/course/pc/schoolChapter/save", chapter).await.id();
    let listed = admin.post(&format!("{SHARED}/list"), json!({ "keyword": "dxyy" })).await;
    let row = &listed.data()["list"][0];
    assert_eq!(
        (&row["chapterTotal"], &row["periodTotal"], &row["totalSeconds"], &row["taken"]),
        (&json!(2), &json!(2), &json!(180), &json!(false))
    );
    let seen = admin.get(&format!("{SHARED}/view?platformCourseId={shared}")).await;
    assert_eq!(seen.data()["chapters"][1]["periods"][0]["periodName"], json!("2.1 时态"));

    let wanted = json!({ "platformCourseId": shared, "courseId": own });
    let record = admin.post(IMPORT, wanted.clone()).await.id();
    assert_eq!(admin.post(IMPORT, wanted.clone()).await.refused(), (409, "该课程已引用此平台课程"));
    let draft = admin.get(&format!("{RECORD}/view?id={record}")).await.data().clone();
    assert_eq!(
        (&draft["status"], &draft["source"], &draft["platformCourseId"], &draft["versionNo"]),
        (&json!("draft"), &json!("platform"), &json!(shared), &json!(1))
    );
    assert_eq!(
        (&draft["name"], &draft["lecturerName"], &draft["coverUrl"], &draft["introduction"]),
        (
            &json!("大学英语（平台）"),
            &json!("方讲师"),
            &json!("/cover.png"),
            &json!("<p>本课<strong>重点</strong></p>")
        )
    );
    assert_eq!((&draft["periodCount"], &draft["readyCount"]), (&json!(2), &json!(2)));
    let periods = admin.post(&format!("{PERIOD}/list"), json!({ "courseRecordId": record })).await;
    let first = periods.data().as_array().expect("periods").iter().find(|each| each["title"] == json!("1.1 导学"));
    let first = first.expect("the first period").clone();
    assert_eq!(
        (&first["chapterId"], &first["kind"]),
        (&json!(merged), &json!("video")),
        "chapters are joined by title"
    );
    assert_eq!(first["durationSeconds"], json!(90));
    let chapters: i64 = server.one("select count(*) from school_1.course_chapter").await;
    assert_eq!(chapters, 2);
    let media: String =
        server.one("select string_agg(channel || ' ' || vid, ',' order by vid) from school_1.media_asset").await;
    assert_eq!(media, "polyv v1,polyv v1_b");

    // The operator goes on; the school's record stays.
    let operator = server.operator().await;
    let renamed =
        edit(&operator, shared, "publish", |body| body["chapters"][0]["periods"][0]["periodName"] = json!("导学"))
            .await;
    renamed.data();
    let still = admin.get(&format!("{RECORD}/view?id={record}")).await.data().clone();
    assert_eq!(still, draft);
    // A newer version is another record.
    let newer = admin.post(IMPORT, wanted.clone()).await.id();
    let second = admin.get(&format!("{RECORD}/view?id={newer}")).await;
    assert_eq!(second.data()["versionNo"], json!(2));
    let media: i64 = server.one("select count(*) from school_1.media_asset").await;
    assert_eq!(media, 2, "a video is referred to once");
    // What is not shared is not taken over.
    operator.put(&format!("{COURSE}/update/schoolShared"), json!({ "id": shared, "schoolShared": false })).await.data();
    let refused = admin.post(IMPORT, wanted).await;
    assert_eq!(fields(&refused), ["platformCourseId: 该平台课程不存在或已停止供院校使用，请重新选择"]);
    assert_eq!(admin.get(&format!("{SHARED}/view?platformCourseId={shared}")).await.code(), 404);
    // And the school publishes what it has.
    let published = admin.put(&format!("{RECORD}/update/status"), json!({ "id": record, "status": "published" })).await;
    assert_eq!(published.code(), 200, "{}", published.body);
}

/// A reference is no dead link: the school's people play the platform's video.
#[tokio::test]
async fn a_video_that_was_referred_to_plays_in_the_school() {
    let (server, _provider) = with_provider().await;
    let config = configure(
        &server,
        "video_polyv",
        json!({ "userId": "u1", "writeToken": "write-token", "readToken": "read-token", "secretKey": SECRET }),
    )
    .await;
    let shared = shared(&server, "v1").await;
    server
        .run(&format!(
            "insert into platform.media_place (channel, vid, config_id, media_id, created_by, updated_by)
             select channel, vid, {config}, id, 0, 0 from platform.media_asset"
        ))
        .await;
    let admin = registrar(&server).await;
    let own = course(&admin, "A", "大学英语").await;
    admin.post(IMPORT, json!({ "platformCourseId": shared, "courseId": own })).await.id();
    let media: i64 = server.one("select id from school_1.media_asset where vid = 'v1'").await;
    let seen = admin.get(&format!("/system/pc/media/view?id={media}")).await;
    assert_eq!((&seen.data()["state"], &seen.data()["playToken"]), (&json!("ready"), &json!("play-v1")));
}
