//! Fields of a stage: a school's own, and the operators' template.

use serde_json::{Value, json};

use super::{Life, MARK, id};

const FIELD: &str = "/adult/pc/fieldAttribute";
const STAGE: &str = "pre_registration";

/// In a school.
pub(super) async fn live(life: &mut Life<'_>) {
    kept(life).await;
    life.post(&format!("{FIELD}/reset"), json!({ "stage": STAGE })).await;
}

/// On the platform: the template, and what of it goes to a school.
pub(super) async fn platform(life: &mut Life<'_>) {
    let field = kept(life).await;
    let given = life.post(&format!("{FIELD}/allocation"), json!({ "ids": [field], "schoolIds": [1] })).await;
    assert_eq!(given["added"], json!({ "1": 1 }));
}

/// A field that is changed in every way, and another that goes; answers the one that is left.
async fn kept(life: &mut Life<'_>) -> i64 {
    let form = |label: &str| json!({ "label": format!("{MARK}{label}"), "groupName": "other", "control": "select", "dictType": "source_channel" });
    let new = |key: &str| {
        let mut new = form("来源");
        (new["stage"], new["fieldKey"]) = (json!(STAGE), json!(key));
        new
    };
    let field = id(&life.post(&format!("{FIELD}/save"), new("x_channel")).await);
    let gone = id(&life.post(&format!("{FIELD}/save"), new("x_other")).await);
    let mut edit = form("来源渠道");
    (edit["id"], edit["version"], edit["required"]) = (json!(field), json!(1), json!(true));
    life.put(&format!("{FIELD}/edit"), edit).await;
    for enabled in [false, true] {
        life.put(&format!("{FIELD}/update/status"), json!({ "id": field, "enabled": enabled })).await;
    }
    life.delete(&format!("{FIELD}/delete?id={gone}")).await;
    let list = life.post(&format!("{FIELD}/list"), json!({ "stage": STAGE, "pageSize": 100 })).await;
    let mut ids: Vec<Value> = list["list"].as_array().expect("fields").iter().map(|row| row["id"].clone()).collect();
    ids.rotate_right(1);
    assert_eq!(ids.first(), Some(&json!(field)));
    life.put(&format!("{FIELD}/sort"), json!({ "ids": ids })).await;
    let shown = life.get(&format!("{FIELD}/form?stage={STAGE}")).await;
    assert_eq!(shown[0]["label"], json!(format!("{MARK}来源渠道")), "{shown}");
    life.post(&format!("{FIELD}/export"), json!({ "stage": STAGE })).await;
    field
}
