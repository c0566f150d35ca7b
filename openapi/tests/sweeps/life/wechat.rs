//! The operators' official account, as far as it goes without a provider.

use kit::{
    files::{png, uploaded},
    wechat::{AUTO_REPLY, MATERIAL, MENU, keyword_reply, page},
};
use serde_json::json;

use super::{Life, id};

/// What asks the provider (platform/wechat.rs).
pub(super) const ELSEWHERE: [&str; 3] = ["publishGzhMenu", "pullGzhMenu", "syncGzhMaterials"];

pub(super) async fn live(life: &mut Life<'_>) {
    let made = id(&life.post(&format!("{MENU}/save"), page("招生", None)).await);
    let other = id(&life.post(&format!("{MENU}/save"), page("学习", None)).await);
    let menus = life.post(&format!("{MENU}/list"), json!({})).await;
    let mut edit = page("招生简章", None);
    (edit["id"], edit["version"]) = (json!(made), menus["menus"][0]["version"].clone());
    life.put(&format!("{MENU}/edit"), edit).await;
    // Of two with the same place the newer stands first.
    life.put(&format!("{MENU}/sort"), json!({ "ids": [made, other] })).await;
    life.delete(&format!("{MENU}/delete?id={other}")).await;
    let key = uploaded(&life.client, "封面.png", "image/png", &png(7)).await;
    let mut picture = json!({ "materialType": "image", "name": "封面", "fileKey": key });
    let made = id(&life.post(&format!("{MATERIAL}/save"), picture.clone()).await);
    life.post(&format!("{MATERIAL}/list"), json!({})).await;
    let seen = life.get(&format!("{MATERIAL}/view?id={made}")).await;
    (picture["id"], picture["version"], picture["name"]) = (json!(made), seen["version"].clone(), json!("新封面"));
    life.put(&format!("{MATERIAL}/edit"), picture).await;
    life.delete(&format!("{MATERIAL}/delete?id={made}")).await;
    let mut replies = Vec::new();
    for word in ["报名", "学费", "考试"] {
        let reply = keyword_reply(&[word], "contains", "请看简章");
        replies.push(id(&life.post(&format!("{AUTO_REPLY}/save"), reply).await));
    }
    life.post(&format!("{AUTO_REPLY}/list"), json!({})).await;
    let seen = life.get(&format!("{AUTO_REPLY}/view?id={}", replies[0])).await;
    let mut edit = keyword_reply(&["报名时间"], "exact", "八月至九月");
    (edit["id"], edit["version"]) = (json!(replies[0]), seen["version"].clone());
    life.put(&format!("{AUTO_REPLY}/edit"), edit).await;
    for enabled in [false, true] {
        life.put(&format!("{AUTO_REPLY}/update/status"), json!({ "id": replies[0], "enabled": enabled })).await;
    }
    life.post(&format!("{AUTO_REPLY}/export"), json!({})).await;
    life.delete(&format!("{AUTO_REPLY}/delete?id={}", replies[1])).await;
    life.post(&format!("{AUTO_REPLY}/batchDel"), json!({ "ids": [replies[2]] })).await;
}
