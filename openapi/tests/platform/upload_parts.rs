//! Large files in parts: sent in any order, gone on with after a break, put together, or swept away (01 §4.2).

use kit::{
    Client, Server,
    clients::{school, signed_in},
};
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::uploads::swept;

const PRESIGN: &str = "/system/pc/upload/presign";
const PARTS: &str = "/system/pc/upload/parts";
const COMPLETE: &str = "/system/pc/upload/complete";
const PART: usize = 16 << 20;
/// Two parts and a bit.
const SIZE: usize = 2 * PART + 7;

fn content() -> Vec<u8> {
    (0..SIZE).map(|n| (n >> 4) as u8).collect()
}

async fn announce(client: &Client<'_>, size: usize) -> Value {
    let form = json!({ "fileName": "讲义.pdf", "size": size, "contentType": "application/pdf", "type": 3 });
    client.post(PRESIGN, form).await.data().clone()
}

async fn progress(client: &Client<'_>, key: &Value) -> Value {
    client.post(PARTS, json!({ "key": key })).await.data().clone()
}

/// The numbers of the parts that are in this list.
fn numbers(parts: &Value) -> Vec<i64> {
    parts.as_array().expect("parts").iter().map(|part| part["number"].as_i64().expect("a number")).collect()
}

fn address(progress: &Value, number: i64) -> String {
    let parts = progress["missing"].as_array().expect("parts");
    let part = parts.iter().find(|part| part["number"] == json!(number)).expect("the part is missing");
    part["url"].as_str().expect("an address").to_owned()
}

async fn put(client: &Client<'_>, url: &str, bytes: &[u8]) -> StatusCode {
    client.raw(Method::PUT, url, None, bytes.to_vec()).await.status()
}

#[tokio::test]
async fn what_broke_off_goes_on_where_it_stopped() {
    let server = Server::start().await;
    let staff = server.staff(1, &["system:pc:upload:view"]).await;
    let content = content();
    assert_eq!(announce(&staff, 2 * PART).await["partSize"], Value::Null, "a small file goes whole");

    let ticket = announce(&staff, SIZE).await;
    let key = &ticket["key"];
    assert_eq!(ticket["partSize"], json!(PART));
    let begun = progress(&staff, key).await;
    assert_eq!((&begun["partSize"], &begun["partCount"], &begun["arrived"]), (&json!(PART), &json!(3), &json!([])));
    assert_eq!(numbers(&begun["missing"]), [1, 2, 3]);
    let sizes: Vec<&Value> = begun["missing"].as_array().expect("parts").iter().map(|part| &part["size"]).collect();
    assert_eq!(sizes, [&json!(PART), &json!(PART), &json!(7)]);
    assert_eq!(put(&staff, &address(&begun, 3), &content[2 * PART..]).await, StatusCode::OK);
    assert_eq!(put(&staff, &address(&begun, 1), &content[..PART]).await, StatusCode::OK);

    // Here it broke off.
    let seen = progress(&staff, key).await;
    assert_eq!(seen["arrived"], json!([{ "number": 1, "size": PART }, { "number": 3, "size": 7 }]));
    assert_eq!(numbers(&seen["missing"]), [2]);
    let complete = || staff.post(COMPLETE, json!({ "key": key }));
    assert_eq!(complete().await.refused(), (409, "还有1个分片未上传，请继续上传"));

    // A part of another size, or at the address of another part, has not arrived.
    let second = address(&seen, 2);
    for lie in [&content[PART..2 * PART - 1], &content[PART..2 * PART + 1]] {
        assert_eq!(put(&staff, &second, lie).await, StatusCode::BAD_REQUEST);
    }
    for forged in
        [second.replace("part=2", "part=1"), second.replace("size=16777216", "size=5"), second.replace("exp=", "exp=9")]
    {
        assert_eq!(put(&staff, &forged, b"12345").await, StatusCode::FORBIDDEN, "{forged}");
    }
    assert_eq!(numbers(&progress(&staff, key).await["missing"]), [2]);
    server.app.clock().shift(chrono::Duration::seconds(901));
    assert_eq!(put(&staff, &second, &content[PART..2 * PART]).await, StatusCode::FORBIDDEN, "its time is over");
    let second = address(&progress(&staff, key).await, 2);
    assert_eq!(put(&staff, &second, &content[PART..2 * PART]).await, StatusCode::OK);

    let (first, again) = (complete().await, complete().await);
    assert_eq!((first.data()["size"].clone(), first.id()), (json!(SIZE), again.id()));
    let key = key.as_str().expect("a key");
    let signed = staff.get(&format!("/system/pc/upload/signedUrl?key={key}")).await;
    let url = signed.data()["url"].as_str().expect("an address").to_owned();
    let read = staff.raw(Method::GET, &url, None, Vec::new()).await.into_body().into_vec().await.expect("bytes");
    assert!(read == content, "the parts in their order");
    assert_eq!(staff.post(PARTS, json!({ "key": key })).await.refused(), (409, "该文件已上传完成或无需分片上传"));
    assert_eq!(put(&staff, &second, &content[PART..2 * PART]).await, StatusCode::NOT_FOUND, "too late");
    let waiting = server.app.config().data.join("files/parts").join(key);
    assert!(!waiting.exists(), "no part is left");
    let row: String = server
        .one(&format!(
            "select concat_ws(' ', state, upload_id, part_size) from school_1.file_object where key = '{key}'"
        ))
        .await;
    assert_eq!(row, "stored");
}

#[tokio::test]
async fn nobody_else_goes_on_with_it() {
    let server = Server::start().await;
    let staff = server.staff(1, &[]).await;
    let key = announce(&staff, SIZE).await["key"].clone();
    let colleague = server.staff(1, &[]).await;
    let stranger = server.staff(2, &[]).await;
    let operator = server.operator().await;
    for path in [PARTS, COMPLETE] {
        for other in [&colleague, &stranger, &operator] {
            assert_eq!(
                other.post(path, json!({ "key": key })).await.refused(),
                (404, "记录不存在或已被删除"),
                "{path}"
            );
        }
        let inside = operator.post(&format!("{path}?schoolId=1"), json!({ "key": key })).await;
        assert_eq!(inside.code(), 404, "{path}");
    }
    let small = announce(&staff, 5).await["key"].clone();
    let refused = staff.post(PARTS, json!({ "key": small })).await;
    assert_eq!(refused.refused(), (409, "该文件已上传完成或无需分片上传"));
    // Nobody reads what waits, not even of a public file.
    let form = json!({ "fileName": "a.pdf", "size": SIZE, "contentType": "application/pdf", "type": 2 });
    let public = staff.post(PRESIGN, form).await.data()["key"].clone();
    let begun = progress(&staff, &public).await;
    assert_eq!(put(&staff, &address(&begun, 3), b"1234567").await, StatusCode::OK);
    let bare = format!("/admin/files/parts/{}/3", public.as_str().expect("a key"));
    assert_eq!(staff.raw(Method::GET, &bare, None, Vec::new()).await.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn people_of_the_clients_go_on_with_their_own() {
    let server = Server::start().await;
    school(&server).await;
    let teacher = signed_in(&server).await;
    let form = json!({ "fileName": "论文.pdf", "size": SIZE, "contentType": "application/pdf", "type": 3, "purpose": "thesis" });
    let ticket = teacher.post("/user/client/upload/presign", form).await.data().clone();
    let (key, content) = (ticket["key"].clone(), content());
    let parts = || teacher.post("/user/client/upload/parts", json!({ "key": key }));
    let complete = || teacher.post("/user/client/upload/complete", json!({ "key": key }));
    assert_eq!(complete().await.refused(), (409, "还有3个分片未上传，请继续上传"));
    for (number, bytes) in (1..).zip(content.chunks(PART)) {
        let url = address(parts().await.data(), number);
        assert_eq!(put(&teacher, &url, bytes).await, StatusCode::OK);
    }
    assert_eq!(complete().await.data()["size"], json!(SIZE));
    // An account of the console with the same number is somebody else.
    server.run("update school_1.file_object set uploader_type = 'account'").await;
    assert_eq!(parts().await.code(), 404);
}

/// The address of the whole works for a large file too; what was begun in parts is forgotten then.
#[tokio::test]
async fn a_large_file_may_come_whole() {
    let server = Server::start().await;
    let staff = server.staff(1, &[]).await;
    let ticket = announce(&staff, SIZE).await;
    let begun = progress(&staff, &ticket["key"]).await;
    assert_eq!(put(&staff, &address(&begun, 3), b"1234567").await, StatusCode::OK);
    let url = ticket["url"].as_str().expect("an address");
    let sent = staff.raw(Method::PUT, url, Some("application/pdf"), content()).await;
    assert_eq!(sent.status(), StatusCode::OK);
    let complete = staff.post(COMPLETE, json!({ "key": ticket["key"] })).await;
    assert_eq!(complete.data()["size"], json!(SIZE));
    let key = ticket["key"].as_str().expect("a key");
    assert!(!server.app.config().data.join("files/parts").join(key).exists());
}

#[tokio::test]
async fn at_night_the_parts_of_what_was_given_up_go() {
    let server = Server::start().await;
    let staff = server.staff(1, &[]).await;
    let [old, fresh] = [announce(&staff, SIZE).await["key"].clone(), announce(&staff, SIZE).await["key"].clone()];
    for key in [&old, &fresh] {
        let begun = progress(&staff, key).await;
        assert_eq!(put(&staff, &address(&begun, 3), b"1234567").await, StatusCode::OK);
    }
    let [old, fresh] = [&old, &fresh].map(|key| key.as_str().expect("a key").to_owned());
    let waiting = |key: &str| server.app.config().data.join("files/parts").join(key);
    assert!(waiting(&old).exists() && waiting(&fresh).exists());
    server
        .run(&format!("update school_1.file_object set expires_at = now() - interval '1 minute' where key = '{old}'"))
        .await;
    assert_eq!(swept(&server).await, "done已清理1个文件");
    assert!(!waiting(&old).exists(), "its parts went with it");
    assert!(waiting(&fresh).exists());
    assert_eq!(staff.post(PARTS, json!({ "key": old })).await.code(), 404);
    assert_eq!(numbers(&progress(&staff, &json!(fresh)).await["missing"]), [1, 2]);
}
