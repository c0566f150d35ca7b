//! Settings of a school and its videos in a school's life and in an operator's.

use serde_json::{Value, json};

use super::Life;

const SETTING: &str = "/system/pc/sys/school/setting";

/// Each has a story of its own: a school ends once, and a provider of videos stands at the other end.
pub(super) const ELSEWHERE: [&str; 8] = [
    "archiveSchool",
    "restoreSchool",
    "exportSchoolData",
    "deleteSchool",
    "uploadToAliyun",
    "uploadToPolyv",
    "uploadToBaijiayun",
    "viewMedia",
];

/// `school` is whom an operator means; a school's own session names none.
pub(super) async fn settings(life: &mut Life<'_>, school: Option<i64>) {
    let named = school.map(|id| format!("&id={id}")).unwrap_or_default();
    for (group, value) in [
        ("teaching", json!({ "classCapacityDefault": 45 })),
        ("params", json!({ "msg.marketingHours": "09:00-21:00" })),
        ("basic", json!({ "contactName": "吴敏" })),
    ] {
        let seen = life.get(&format!("{SETTING}/view?group={group}{named}")).await;
        edit(life, school, group, value, &seen["version"]).await;
    }
    life.post("/system/pc/media/list", json!({})).await;
}

async fn edit(life: &mut Life<'_>, school: Option<i64>, group: &str, value: Value, version: &Value) {
    let mut body = json!({ "group": group, "value": value, "version": version });
    if let Some(id) = school {
        body["id"] = json!(id);
    }
    life.put(&format!("{SETTING}/edit"), body).await;
}
