//! Periods by a sheet: media that lie in their channel already become lessons of a record (part 03 A6).

use kit::{
    Answer, Client, Server,
    cohort::registrar,
    courses::{PERIOD, chapter, course, record},
    fields,
    rows::video,
    sheets::{XLSX, row_errors, sheet, texts_of},
};
use serde_json::{Value, json};

const HEADINGS: [&str; 8] = ["章标题", "节标题", "课时标题", "类型", "通道", "媒体ID", "时长(秒)", "必修"];

/// A record of a course with 第一章 and, below it, 第一节; and 保利威, where the school's media are.
struct Setup<'s> {
    server: &'s Server,
    client: Client<'s>,
    record: i64,
    chapter: i64,
    section: i64,
}

impl<'s> Setup<'s> {
    async fn of(server: &'s Server) -> Self {
        let content =
            json!({ "userId": "u1", "writeToken": "write-token", "readToken": "read-token", "secretKey": "s3cret" });
        let config = json!({ "configName": "保利威", "configKind": "video_polyv", "content": content, "isDefault": true,
            "enabled": true });
        server.operator().await.post("/system/pc/sys/config/save", config).await.id();
        let client = registrar(server).await;
        let course = course(&client, "A", "大学英语").await;
        let record = record(&client, course, "大学英语精讲").await;
        let first = chapter(&client, course, None, "第一章").await;
        let section = chapter(&client, course, Some(first), "第一节").await;
        Self { server, client, record, chapter: first, section }
    }

    async fn send(&self, dry_run: bool, rows: &[[&str; 8]]) -> Answer {
        send(&self.client, self.record, dry_run, rows).await
    }

    async fn periods(&self) -> Vec<Value> {
        let list = self.client.post(&format!("{PERIOD}/list"), json!({ "courseRecordId": self.record })).await;
        list.data().as_array().expect("periods").clone()
    }

    async fn count(&self, table: &str) -> i64 {
        self.server.one(&format!("select count(*) from {table}")).await
    }
}

async fn send(client: &Client<'_>, record: i64, dry_run: bool, rows: &[[&str; 8]]) -> Answer {
    let rows: Vec<&[&str]> = rows.iter().map(<[&str; 8]>::as_slice).collect();
    let record = record.to_string();
    let texts = [("courseRecordId", record.as_str()), ("dryRun", if dry_run { "true" } else { "false" })];
    client.upload_with(&format!("{PERIOD}/import"), &texts, "file", "课时.xlsx", XLSX, &sheet(&HEADINGS, &rows)).await
}

#[tokio::test]
async fn known_media_are_taken_and_unknown_ones_become_the_schools() {
    let server = Server::start().await;
    let place = Setup::of(&server).await;
    let known = video(&server, "school_1", "v1", "ready", 600).await;
    let rows = [
        ["第一章", "第一节", "课程导学", "视频", "保利威", "v1", "", ""],
        ["第一章", "", "课文朗读", "音频", "保利威", "v2", "300", "否"],
        ["第一章", "第一节", "导学回看", "视频", "保利威", "v2", "", "是"],
    ];
    let checked = place.send(true, &rows).await;
    assert_eq!(
        (&checked.data()["total"], &checked.data()["imported"], &checked.data()["errors"]),
        (&json!(3), &json!(0), &json!([]))
    );
    assert_eq!((place.periods().await.len(), place.count("platform.media_place").await), (0, 0));

    let done = place.send(false, &rows).await;
    assert_eq!((&done.data()["imported"], &done.data()["errors"]), (&json!(3), &json!([])));
    let periods = place.periods().await;
    let told: Vec<String> = periods
        .iter()
        .map(|period| {
            let of = |field: &str| period[field].to_string().replace('"', "");
            ["title", "chapterId", "kind", "mediaState", "durationSeconds", "required", "weight"].map(of).join(" ")
        })
        .collect();
    let (chapter, section) = (place.chapter, place.section);
    assert_eq!(
        told,
        [
            format!("课文朗读 {chapter} audio processing 300 false 1"),
            format!("课程导学 {section} video ready 600 true 1"),
            format!("导学回看 {section} video processing null true 1"),
        ]
    );
    assert_eq!(periods[1]["mediaAssetId"], json!(known));
    assert_eq!(periods[0]["mediaAssetId"], periods[2]["mediaAssetId"], "one record for one number");
    // The next look at the channels finds the new one.
    let noted: String = server
        .one(
            "select p.vid || ' ' || p.school_id || ' ' || c.config_kind || ' ' || (p.media_id = m.id)
             from platform.media_place p join platform.sys_config c on c.id = p.config_id
             join school_1.media_asset m on m.vid = p.vid",
        )
        .await;
    assert_eq!(noted, "v2 1 video_polyv true");
    let trail: i64 = server
        .one(
            "select count(*) from school_1.audit_log
             where entity_type in ('media_asset', 'course_period') and action = 'import'",
        )
        .await;
    assert_eq!(trail, 4);

    let again = place.send(false, &rows[..1]).await;
    assert_eq!(row_errors(again.data()), ["2 课时标题: 该章节中已有课时“课程导学”"]);
}

#[tokio::test]
async fn nothing_is_written_unless_every_line_is_right() {
    let server = Server::start().await;
    let place = Setup::of(&server).await;
    let long = "长".repeat(141);
    let refused = place
        .send(
            false,
            &[
                ["第一章", "第一节", "课程导学", "视频", "保利威", "v1", "600", "是"],
                ["第九章", "", "甲", "视频", "保利威", "v2", "", ""],
                ["第一章", "第九节", "乙", "视频", "保利威", "v3", "", ""],
                ["第一章", "", "丙", "文档", "优酷", "v4", "0", "也许"],
                ["第一章", "", "丁", "视频", "阿里云点播", "v5", "", ""],
                ["第一章", "", "戊", "视频", "对象存储", "v6", "", ""],
                ["第一章", "第一节", "课程导学", "视频", "保利威", "v7", "", ""],
                ["第一章", "", &long, "视频", "保利威", "", "", ""],
            ],
        )
        .await;
    assert_eq!(
        row_errors(refused.data()),
        [
            "3 章标题: 本课程没有章“第九章”，请先新增或导入章节",
            "4 节标题: “第一章”下没有节“第九节”，请先新增或导入章节",
            "5 类型: “文档”不在可选范围内，请填写：视频、音频",
            "5 通道: “优酷”不在可选范围内，请填写：对象存储、阿里云点播、保利威、百家云",
            "5 时长(秒): 时长应在1到360000之间",
            "5 必修: “也许”不在可选范围内，请填写：是、否",
            "6 通道: 未启用该上传通道，请先在系统配置中设置",
            "7 通道: 对象存储中没有该媒体，请先上传",
            "8 课时标题: 该章节中已有课时“课程导学”",
            "9 课时标题: 不能超过140个字符",
            "9 媒体ID: 不能为空",
        ]
    );
    assert!(refused.data()["errorFileUrl"].is_string(), "{}", refused.body);
    assert_eq!(place.periods().await.len(), 0);
    for table in ["school_1.media_asset", "platform.media_place"] {
        assert_eq!(place.count(table).await, 0, "{table}");
    }
    let nowhere = send(&place.client, 999_999, true, &[["第一章", "", "甲", "视频", "保利威", "v1", "", ""]]).await;
    assert_eq!(fields(&nowhere), ["courseRecordId: 课程资源不存在或已被删除"]);
}

/// A player is opened with the config of the school to which a number belongs, so nobody else may name it.
#[tokio::test]
async fn media_of_another_school_are_refused() {
    let server = Server::start().await;
    let place = Setup::of(&server).await;
    server
        .run(
            "insert into platform.media_place (channel, vid, school_id, config_id, media_id, created_by, updated_by)
             select 'polyv', 'v9', 2, id, 7, 0, 0 from platform.sys_config where config_kind = 'video_polyv'",
        )
        .await;
    let rows =
        [["第一章", "", "甲", "视频", "保利威", "v8", "", ""], ["第一章", "", "乙", "视频", "保利威", "v9", "", ""]];
    for dry_run in [true, false] {
        let refused = place.send(dry_run, &rows).await;
        assert_eq!(row_errors(refused.data()), ["3 媒体ID: 该媒体属于其他院校，请核对媒体ID"]);
    }
    assert_eq!((place.periods().await.len(), place.count("school_1.media_asset").await), (0, 0));
    let kept: String = server.one("select string_agg(vid || ' ' || school_id, ',') from platform.media_place").await;
    assert_eq!(kept, "v9 2");
    // A pointer that an import left when it was lost before its own end is taken again.
    server.run("update platform.media_place set school_id = 1").await;
    assert_eq!(place.send(false, &rows).await.data()["imported"], json!(2));
    let found: i64 = server
        .one("select count(*) from platform.media_place p join school_1.media_asset m on m.id = p.media_id and m.vid = p.vid")
        .await;
    assert_eq!(found, 2);
}

#[tokio::test]
async fn the_template_offers_the_chapters_of_the_records_course() {
    let server = Server::start().await;
    let place = Setup::of(&server).await;
    let path = format!("{PERIOD}/import/template");
    let of_record = place.client.get(&format!("{path}?courseRecordId={}", place.record)).await;
    let heads: Vec<String> = texts_of(&of_record.bytes, 0).remove(0);
    assert_eq!(heads, ["*章标题", "节标题", "*课时标题", "*类型", "*通道", "*媒体ID", "时长(秒)", "必修"]);
    let explained = texts_of(&of_record.bytes, 1);
    let offered = |heading: &str| {
        let line = explained.iter().find(|line| line[0] == heading).expect("the column");
        line[3].clone()
    };
    assert_eq!(
        ["章标题", "节标题", "类型", "通道", "必修"].map(offered),
        ["第一章", "第一节", "视频、音频", "对象存储、阿里云点播、保利威、百家云", "是、否"]
    );
    let plain = place.client.get(&path).await;
    assert_eq!(texts_of(&plain.bytes, 1)[1][3], "", "no course, no chapters");
    let nowhere = place.client.get(&format!("{path}?courseRecordId=999999")).await;
    assert_eq!(fields(&nowhere), ["courseRecordId: 课程资源不存在或已被删除"]);
}
