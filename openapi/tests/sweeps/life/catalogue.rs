//! The operators' online-education site: categories and lecturers.

use serde_json::{Value, json};

use super::{Life, id};

pub(super) async fn live(life: &mut Life<'_>) {
    default_set(life, "/course/pc/category/record", "categoryName", json!({})).await;
    default_set(life, "/user/pc/lecturer", "lecturerName", json!({ "phone": "13900000003" })).await;
}

/// The default actions of an entity, whose rows are gone afterwards. `named` is the field of its name.
async fn default_set(life: &mut Life<'_>, entity: &str, named: &str, rest: Value) {
    let form = |name: &str| {
        let mut form = rest.clone();
        form[named] = json!(name);
        form
    };
    let made = id(&life.post(&format!("{entity}/save"), form("甲")).await);
    let mut edit = form("乙");
    (edit["id"], edit["version"]) = (json!(made), json!(1));
    life.put(&format!("{entity}/edit"), edit).await;
    assert_eq!(life.get(&format!("{entity}/view?id={made}")).await[named], json!("乙"));
    life.post(&format!("{entity}/list"), json!({})).await;
    life.post(&format!("{entity}/export"), json!({})).await;
    for enabled in [false, true] {
        life.put(&format!("{entity}/update/status"), json!({ "id": made, "enabled": enabled })).await;
    }
    let second = id(&life.post(&format!("{entity}/save"), form("丙")).await);
    life.post(&format!("{entity}/batchDel"), json!({ "ids": [second] })).await;
    life.delete(&format!("{entity}/delete?id={made}")).await;
}
