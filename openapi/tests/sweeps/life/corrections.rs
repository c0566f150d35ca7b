//! A student's key fields are corrected: asked for, changed, taken back, and decided by somebody else than who asked.

use kit::{
    accounts::all_school_codes,
    corrections::{CORRECTION, correction, evidence},
};
use serde_json::json;

use super::{Life, MARK, id};

pub(super) async fn live(life: &mut Life<'_>, student: i64) {
    let papers = evidence(&life.client, &["id_card", "hukou"]).await;
    let number = kit::students::id_number_of("419900", 1996);
    let body = json!({ "idCardNo": number, "attachments": papers, "reason": format!("{MARK}户口簿有误") });
    let mut body = correction(student, "changed_by_police", body);
    body["attachments"]
        .as_array_mut()
        .expect("papers")
        .extend(evidence(&life.client, &["police_certificate"]).await.as_array().expect("papers").iter().cloned());
    let own = id(&life.post(&format!("{CORRECTION}/save"), body.clone()).await);
    life.get(&format!("{CORRECTION}/view?id={own}")).await;
    (body["id"], body["version"]) = (json!(own), json!(1));
    life.put(&format!("{CORRECTION}/edit"), body).await;
    life.post(&format!("{CORRECTION}/list"), json!({})).await;
    life.post(&format!("{CORRECTION}/export"), json!({})).await;
    // Corrections are a school's own: nobody looks at one from outside.
    if life.outside.is_none() {
        let number = json!({ "entity": "studentCorrection", "id": own, "field": "afterIdCardNo" });
        life.post("/system/pc/plain/view", number).await;
    }
    life.post(&format!("{CORRECTION}/cancel"), json!({ "id": own, "version": 2, "remark": "填错了" })).await;
    let codes = all_school_codes();
    let other = life.server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let renamed = correction(student, "changed_by_police", json!({ "name": format!("{MARK}张晓玫") }));
    let theirs = other.post(&format!("{CORRECTION}/save"), renamed).await.id();
    life.post(&format!("{CORRECTION}/audit"), json!({ "id": theirs, "version": 1, "result": "pass" })).await;
}
