//! Certificates and archives of a batch whose audits are over; nothing where there is none.

use kit::files::paper;
use serde_json::json;

use super::{Life, MARK};

const CERTIFICATE: &str = "/adult/pc/certificate";
const ARCHIVE: &str = "/adult/pc/archive";

pub(super) async fn live(life: &mut Life<'_>) {
    life.post(&format!("{CERTIFICATE}/list"), json!({})).await;
    life.post(&format!("{ARCHIVE}/list"), json!({})).await;
    life.post(&format!("{ARCHIVE}/stat"), json!({})).await;
    let batch: i64 = life
        .server
        .one(
            "select coalesce(max(b.id), 0) from school_1.graduation_batch b
             where b.status in ('confirmed', 'registered') and exists (select from school_1.archive a where a.batch_id = b.id)",
        )
        .await;
    if batch == 0 {
        return;
    }
    let archive: i64 = life.server.one(&format!("select min(id) from school_1.archive where batch_id = {batch}")).await;
    let student: i64 = life.server.one(&format!("select student_id from school_1.archive where id = {archive}")).await;
    // Whose graduation was taken back graduates again; their first number stays used.
    life.server
        .run(&format!(
            "update school_1.graduation_user set status = 'confirmed' where batch_id = {batch} and student_id = {student};
             insert into school_1.certificate_sequence (kind_group, year, level_code, next)
             select 'diploma', year, level_code, max(seq_no) + 1 from school_1.certificate
             where kind <> 'degree' and seq_no is not null group by year, level_code
             on conflict (kind_group, year, level_code) do nothing"
        ))
        .await;
    numbers(life, batch, student).await;
    papers(life, batch, archive).await;
    sealed(life, batch, archive, student).await;
}

async fn newest(life: &Life<'_>, student: i64) -> i64 {
    life.server
        .one(&format!(
            "select max(id) from school_1.certificate where student_id = {student} and kind <> 'degree' and status <> 'voided'"
        ))
        .await
}

/// Printed, issued, issued again and void; then another one.
async fn numbers(life: &mut Life<'_>, batch: i64, student: i64) {
    let allocate = json!({ "batchId": batch, "preview": false });
    life.post(&format!("{CERTIFICATE}/allocate"), allocate.clone()).await;
    let certificate = newest(life, student).await;
    life.get(&format!("{CERTIFICATE}/view?id={certificate}")).await;
    life.server
        .run(
            "insert into school_1.school_setting (key, value, created_by, updated_by)
             values ('certificateOverlay', '[{\"certificate\":\"graduation\",\"field\":\"name\",\"x\":60,\"y\":80}]', 0, 0)
             on conflict (key) do update set value = excluded.value",
        )
        .await;
    life.post(&format!("{CERTIFICATE}/print/overlay"), json!({ "ids": [certificate] })).await;
    life.post(&format!("{CERTIFICATE}/print/register"), json!({ "ids": [certificate] })).await;
    let today = life.server.app.clock().today();
    let issue = json!({ "ids": [certificate], "issuedOn": today });
    assert_eq!(life.put(&format!("{CERTIFICATE}/issue"), issue).await["done"], json!(1));
    let seen = life.get(&format!("{CERTIFICATE}/view?id={certificate}")).await;
    let again = json!({ "id": certificate, "version": seen["version"], "number": "证明2028001", "reason": format!("{MARK}遗失") });
    life.put(&format!("{CERTIFICATE}/reissue"), again).await;
    let seen = life.get(&format!("{CERTIFICATE}/view?id={certificate}")).await;
    let void =
        json!({ "id": certificate, "version": seen["version"], "reason": format!("{MARK}打印错误"), "returned": true });
    life.put(&format!("{CERTIFICATE}/void"), void).await;
    life.get(&format!("{CERTIFICATE}/import/template")).await;
    let number: String =
        life.server.one(&format!("select student_no from school_1.student where id = {student}")).await;
    life.import(&format!("{CERTIFICATE}/import"), &["学号", "证书编号"], &[&[&number, "100865202805000777"]]).await;
    life.post(&format!("{CERTIFICATE}/export"), json!({})).await;
}

async fn papers(life: &mut Life<'_>, batch: i64, archive: i64) {
    let job =
        life.post(&format!("{ARCHIVE}/generate"), json!({ "batchId": batch, "ids": [archive] })).await["jobId"].clone();
    kit::jobs::ended(&life.client, &job).await;
    let key = paper(&life.client, "材料.pdf").await;
    life.put(&format!("{ARCHIVE}/upload"), json!({ "id": archive, "code": "identity", "fileKey": key })).await;
    let optional = json!({ "id": archive, "code": "rewards", "reason": format!("{MARK}没有处分") });
    life.client.put(&format!("{ARCHIVE}/waive"), optional).await;
    let seen = life.get(&format!("{ARCHIVE}/view?id={archive}")).await;
    for code in seen["missing"].as_array().expect("what is missing") {
        let waive = json!({ "id": archive, "code": code, "reason": format!("{MARK}学校批准") });
        life.put(&format!("{ARCHIVE}/waive"), waive).await;
    }
    life.post(&format!("{ARCHIVE}/export"), json!({})).await;
    for kind in ["label", "catalogue", "bundle"] {
        life.post(&format!("{ARCHIVE}/print/{kind}"), json!({ "ids": [archive] })).await;
    }
}

/// Sealed, opened, sealed again, fetched and handed over by hand and by a sheet.
async fn sealed(life: &mut Life<'_>, batch: i64, archive: i64, student: i64) {
    let seal = json!({ "ids": [archive] });
    assert_eq!(life.put(&format!("{ARCHIVE}/seal"), seal.clone()).await["done"], json!(1));
    let seen = life.get(&format!("{ARCHIVE}/view?id={archive}")).await;
    let unseal = json!({ "id": archive, "version": seen["version"], "reason": format!("{MARK}补充材料") });
    life.put(&format!("{ARCHIVE}/unseal"), unseal).await;
    life.client.put(&format!("{ARCHIVE}/seal"), seal).await.data();
    life.get(&format!("{ARCHIVE}/download?id={archive}")).await;
    let job = life.post(&format!("{ARCHIVE}/batchDownload"), json!({ "batchId": batch })).await["jobId"].clone();
    kit::jobs::ended(&life.client, &job).await;
    let today = life.server.app.clock().today();
    let to = json!({ "ids": [archive], "to": format!("{MARK}人才交流中心"), "date": today });
    assert_eq!(life.put(&format!("{ARCHIVE}/handover"), to).await["done"], json!(1));
    // The sheet tells of another day's handover.
    life.server
        .run(&format!(
            "update school_1.archive set status = 'sealed', handed_to = null, handed_on = null, tracking_no = null where id = {archive}"
        ))
        .await;
    life.get(&format!("{ARCHIVE}/import/template")).await;
    let number: String =
        life.server.one(&format!("select student_no from school_1.student where id = {student}")).await;
    let (center, day) = (format!("{MARK}人才交流中心"), today.to_string());
    life.import(&format!("{ARCHIVE}/import"), &["学号", "去向", "日期"], &[&[&number, &center, &day]]).await;
}
