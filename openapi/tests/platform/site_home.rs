//! What anybody sees of the operators' public site on its home page (part 01 §9.1, §9.11).

use chrono::TimeDelta;
use kit::{
    Server,
    site_content::{category, home},
};
use serde_json::json;

/// A category is seen while all above it are in use.
#[tokio::test]
async fn a_category_below_one_that_was_switched_off_leaves_the_home_page() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (top, below) = (category(&server, "公共课").await, category(&server, "英语").await);
    let deepest = category(&server, "语法").await;
    server
        .run(&format!(
            "update platform.online_category set parent_id = case id when {below} then {top} else {below} end
             where id in ({below}, {deepest})"
        ))
        .await;
    let shown = json!({ "terminal": "pc", "categoryId": deepest });
    operator.post("/course/pc/category/home/save", shown).await.data();
    assert_eq!(home(&server, "pc").await["categories"][0]["title"], json!("语法"));
    let switch = async |enabled: bool| {
        let wanted = json!({ "id": top, "enabled": enabled });
        operator.put("/course/pc/category/record/update/status", wanted).await.data();
    };
    switch(false).await;
    assert_eq!(home(&server, "pc").await["categories"], json!([]));
    switch(true).await;
    assert_eq!(home(&server, "pc").await["categories"].as_array().map(Vec::len), Some(1));
}

/// Anybody may ask for the page: it does not grow without end.
#[tokio::test]
async fn the_home_page_has_an_end() {
    let server = Server::start().await;
    server
        .run(
            "insert into platform.search_word (terminal, word_type, word, sort, created_by, updated_by)
             select 'pc', 'hot', '词' || n, n, 0, 0 from generate_series(1, 60) n
             union all values ('pc', 'placeholder', '搜一搜', 1, 0, 0)",
        )
        .await;
    server
        .run(
            "insert into platform.website_link (link_name, link_url, target, sort, created_by, updated_by)
             select '链接' || n, '/' || n, 'self', n, 0, 0 from generate_series(1, 210) n",
        )
        .await;
    server
        .run(
            "insert into platform.zone (terminal, zone_title, zone_type, layout, sort, created_by, updated_by)
             select 'pc', '专区' || n, 'record', 'grid', n, 0, 0 from generate_series(1, 60) n",
        )
        .await;
    server
        .run(
            "insert into platform.website_nav (nav_title, sort, enabled, created_by, updated_by)
             select '栏目' || n, n, n = 1, 0, 0 from generate_series(1, 2) n",
        )
        .await;
    server
        .run(
            "insert into platform.website_nav (parent_id, nav_title, link_url, sort, created_by, updated_by)
             select w.id, '链接' || n, '/' || n, 0, 0, 0
             from platform.website_nav w, generate_series(1, 250) n where w.parent_id is null",
        )
        .await;
    let seen = home(&server, "pc").await;
    let many = |field: &str| seen[field].as_array().map(Vec::len);
    assert_eq!((many("words"), many("links"), many("zones")), (Some(51), Some(200), Some(50)));
    // A column that is switched off takes no place, and those that are shown come before what stands below them.
    assert_eq!((many("footer"), &seen["footer"][0]["navTitle"]), (Some(1), &json!("栏目1")));
    assert_eq!(seen["footer"][0]["entries"].as_array().map(Vec::len), Some(199));
    assert_eq!((&seen["words"][0]["word"], &seen["words"][50]["word"]), (&json!("词1"), &json!("搜一搜")));
    assert_eq!(seen["zones"][0]["zoneTitle"], json!("专区1"));
}

/// What the operators say of their site in its configuration is read there, and on the page of signing in (01 §3.1).
#[tokio::test]
async fn what_the_site_says_of_itself_is_read() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let content = json!({
        "title": "成教在线", "policeRecord": "鄂公网安备42010602000001号", "servicePhone": "400-800-0000",
        "userAgreement": "同意后使用", "privacyPolicy": "不外传", "lecturerAgreement": "按期授课",
    });
    let config = json!({
        "configName": "平台", "configKind": "website", "isDefault": true, "enabled": true, "content": content,
    });
    operator.post("/system/pc/sys/config/save", config).await.id();
    let site = home(&server, "pc").await["site"].clone();
    for (field, value) in content.as_object().expect("fields") {
        assert_eq!(&site[field], value, "{field}");
    }
    let shown = server.anonymous().post("/system/pc/sys/config/get", json!({})).await.data().clone();
    assert_eq!(
        (&shown["policeRecord"], &shown["servicePhone"]),
        (&content["policeRecord"], &content["servicePhone"]),
        "{shown}"
    );
}

/// Somebody who asks for the page without pause waits; a minute later it is there again.
#[tokio::test]
async fn the_home_page_is_opened_so_often_from_an_address() {
    let server = Server::start().await;
    home(&server, "pc").await;
    let (mut asked, mut told) = (0, None);
    // While it is asked for, some calls come back.
    while told.is_none() && asked < 2_000 {
        let answer = server.anonymous().get("/system/client/site/home?terminal=pc").await;
        told = (answer.code() != 200).then(|| (answer.code(), answer.body["msg"].clone()));
        asked += 1;
    }
    assert_eq!(told, Some((429, json!("操作过于频繁，请稍后再试"))));
    assert!(asked >= 240, "{asked}");
    server.app.clock().shift(TimeDelta::minutes(1));
    home(&server, "pc").await;
}
