//! How much a school may store (01 §5.1).

use image::ImageFormat;
use kit::Server;
use serde_json::{Value, json};

use crate::{files::picture, uploads::swept};

const SCHOOL: &str = "/system/pc/sys/school";
const PRESIGN: &str = "/system/pc/upload/presign";

/// storageQuotaGb: announced files count as well, and what is swept away makes room again.
#[tokio::test]
async fn a_full_storage_takes_no_further_file() {
    let server = Server::start().await;
    let codes = ["system:pc:sys:school:setting:view", "system:pc:sys:school:setting:edit"];
    let (staff, operator) = (server.staff(1, &codes).await, server.operator().await);
    let announce = async |mebibytes: i64| {
        let form = json!({ "fileName": "a.pdf", "size": mebibytes << 20, "contentType": "application/pdf", "type": 3 });
        staff.post(PRESIGN, form).await
    };
    let school = async || operator.get(&format!("{SCHOOL}/view?id=1")).await.data().clone();
    let storage = async || {
        let seen = staff.get(&format!("{SCHOOL}/setting/view?group=basic")).await.data().clone();
        let item = |item: &&Value| item["key"] == json!("storage");
        seen["items"].as_array().and_then(|items| items.iter().find(item)).expect("the storage").clone()
    };
    for _ in [1, 2] {
        assert_eq!(announce(400).await.code(), 200, "without a quota there is no end");
    }
    assert_eq!(storage().await["value"], json!("已用0.8GB，不限"));

    let seen = school().await;
    let edit = json!({ "id": 1, "version": seen["version"], "name": seen["name"], "expiresOn": seen["expiresOn"],
        "storageQuotaGb": 1 });
    assert_eq!(operator.put(&format!("{SCHOOL}/edit"), edit).await.code(), 200);
    assert_eq!(announce(400).await.refused(), (409, "存储空间不足（已用0.8GB，共1GB），请联系平台扩容"));
    assert_eq!(announce(224).await.code(), 200, "to the last byte");
    let full = (409, "存储空间不足（已用1.0GB，共1GB），请联系平台扩容");
    assert_eq!(announce(1).await.refused(), full);
    let png = picture(ImageFormat::Png);
    let shot = staff.upload("/system/pc/upload/picture", "picFile", "a.png", "image/png", &png).await;
    assert_eq!(shot.refused(), full);
    assert_eq!(server.one::<i64>("select count(*) from school_1.file_object").await, 3);
    // Another school has its own.
    let form = json!({ "fileName": "a.pdf", "size": 5, "contentType": "application/pdf", "type": 3 });
    assert_eq!(server.staff(2, &[]).await.post(PRESIGN, form).await.code(), 200);

    let shown = storage().await;
    assert_eq!((&shown["value"], &shown["readOnly"]), (&json!("已用1.0GB，共1GB"), &json!(true)));
    let typed = json!({ "group": "basic", "version": school().await["version"], "value": { "storage": "1" } });
    assert_eq!(staff.put(&format!("{SCHOOL}/setting/edit"), typed).await.refused(), (422, "设置项不存在"));
    assert_eq!(school().await["storageUsed"], json!(1_i64 << 30));

    // The night adds up anew; what comes after it is counted beside its figure.
    server.run("update school_1.file_object set expires_at = now() - interval '1 minute' where size = 419430400").await;
    assert_eq!(swept(&server).await, "done已清理2个文件");
    assert_eq!(server.one::<i64>("select bytes from school_1.file_usage").await, 224 << 20);
    assert_eq!(announce(400).await.code(), 200);
    assert_eq!(school().await["storageUsed"], json!(624_i64 << 20));
    let rows = operator.post(&format!("{SCHOOL}/list"), json!({})).await.data()["list"].clone();
    let rows = rows.as_array().expect("a list");
    let of = |id: i64| rows.iter().find(|row| row["id"] == json!(id)).expect("a school");
    assert_eq!((&of(1)["storageUsed"], &of(2)["storageUsed"]), (&json!(624_i64 << 20), &json!(5)));
}
