//! Pictures, direct uploads of the console and of the clients, signed addresses (01 §4.4–4.5).

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use poem::http::{Method, StatusCode};
use serde_json::json;

use crate::{
    basic_data::fields,
    clients::{school, signed_in},
    kit::{Client, Server},
};

const PICTURE: &str = "/system/pc/upload/picture";

pub(crate) fn picture(format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::new_rgb8(40, 30).write_to(&mut bytes, format).expect("a picture");
    bytes.into_inner()
}

/// The key of a paper that the console uploaded directly, with the bytes `12345`.
pub(crate) async fn paper(client: &Client<'_>, name: &str) -> String {
    let form = json!({ "fileName": name, "size": 5, "contentType": "application/pdf", "type": 3 });
    let ticket = client.post("/system/pc/upload/presign", form).await.data().clone();
    let url = ticket["url"].as_str().expect("an address");
    client.raw(Method::PUT, url, Some("application/pdf"), b"12345".to_vec()).await;
    let key = ticket["key"].as_str().expect("a key").to_owned();
    client.post("/system/pc/upload/complete", json!({ "key": key })).await.data();
    key
}

#[tokio::test]
async fn a_picture_is_known_by_its_bytes() {
    let server = Server::start().await;
    let staff = server.staff(1, &[]).await;
    let png = picture(ImageFormat::Png);
    let renamed = staff.upload(PICTURE, "picFile", "a.jpg", "image/jpeg", &png).await;
    assert_eq!(renamed.refused(), (422, "不支持上传该文件格式"));
    let program = staff.upload(PICTURE, "picFile", "a.png", "image/png", b"#!/bin/sh").await;
    assert_eq!(program.refused(), (422, "不支持上传该文件格式"));
    let stored = staff.upload(PICTURE, "picFile", "校徽.png", "image/png", &png).await;
    let key = stored.data()["key"].as_str().expect("a key");
    let name = key.rsplit('/').next().expect("a name");
    assert!(key.starts_with("public/s1/") && name.len() == 36 && name.ends_with(".png"), "{key}");
    assert_eq!((&stored.data()["width"], &stored.data()["height"]), (&json!(40), &json!(30)));
    let shown = staff.raw(Method::GET, stored.data()["url"].as_str().expect("an address"), None, Vec::new()).await;
    assert_eq!((shown.status(), shown.content_type()), (StatusCode::OK, Some("image/png")));
}

#[tokio::test]
async fn a_picture_stays_below_two_mebibytes() {
    let server = Server::start().await;
    let staff = server.staff(1, &[]).await;
    let padded = |size: usize| {
        let mut bytes = picture(ImageFormat::Gif);
        bytes.resize(size, 0);
        bytes
    };
    let large = staff.upload(PICTURE, "picFile", "a.gif", "image/gif", &padded(2_097_152)).await;
    assert_eq!(large.refused(), (422, "上传图片大小不能超过 2MB!"));
    let fits = staff.upload(PICTURE, "picFile", "a.gif", "image/gif", &padded(2_097_151)).await;
    assert_eq!(fits.code(), 200);
}

#[tokio::test]
async fn a_private_file_is_uploaded_directly_and_read_by_signed_addresses_alone() {
    let server = Server::start().await;
    let staff = server.staff(1, &["system:pc:upload:view"]).await;
    let form = json!({ "fileName": "证明.pdf", "size": 5, "contentType": "application/pdf", "type": 3 });
    let ticket = staff.post("/system/pc/upload/presign", form).await;
    let (key, url) = (ticket.data()["key"].clone(), ticket.data()["url"].as_str().expect("an address").to_owned());
    let complete = || staff.post("/system/pc/upload/complete", json!({ "key": key }));
    assert_eq!(complete().await.refused(), (409, "文件上传不完整，请重新上传"));
    let wrong = staff.raw(Method::PUT, &url, Some("text/html"), b"12345".to_vec()).await;
    assert_eq!(wrong.status(), StatusCode::FORBIDDEN);
    let put = staff.raw(Method::PUT, &url, Some("application/pdf"), b"12345".to_vec()).await;
    assert_eq!(put.status(), StatusCode::OK);
    let (first, second) = (complete().await, complete().await);
    assert_eq!(first.id(), second.id());
    let key = key.as_str().expect("a key");
    let bare = staff.raw(Method::GET, &format!("/admin/files/{key}"), None, Vec::new()).await;
    assert_eq!(bare.status(), StatusCode::FORBIDDEN);
    let signed = staff.get(&format!("/system/pc/upload/signedUrl?key={key}")).await;
    let address = signed.data()["url"].as_str().expect("an address").to_owned();
    let read = || staff.raw(Method::GET, &address, None, Vec::new());
    assert_eq!(read().await.into_body().into_vec().await.expect("bytes"), b"12345");
    server.app.clock().shift(chrono::Duration::seconds(601));
    assert_eq!(read().await.status(), StatusCode::FORBIDDEN);
    // The key of another school is no key here.
    let other = server.staff(2, &["system:pc:upload:view"]).await;
    assert_eq!(other.get(&format!("/system/pc/upload/signedUrl?key={key}")).await.code(), 404);
}

#[tokio::test]
async fn programs_are_never_uploaded() {
    let server = Server::start().await;
    let staff = server.staff(1, &[]).await;
    let form = json!({ "fileName": "a.exe", "size": 5, "contentType": "application/octet-stream", "type": 2 });
    assert_eq!(staff.post("/system/pc/upload/presign", form).await.refused(), (422, "不支持上传该文件格式"));
}

#[tokio::test]
async fn people_send_in_private_files_from_their_clients_and_complete_their_own() {
    let server = Server::start().await;
    school(&server).await;
    let teacher = signed_in(&server).await;
    let presign = "/user/client/upload/presign";
    let form = |name: &str, kind: i16, purpose: &str| json!({ "fileName": name, "size": 5, "contentType": "application/pdf", "type": kind, "purpose": purpose });
    for (name, kind, purpose, told) in [
        ("课件.pdf", 3, "video", "purpose: 请选择上传用途：作业、考试、论文、报名材料或证件"),
        ("论文.pdf", 2, "thesis", "type: 客户端只能上传私有附件"),
        ("论文.exe", 3, "thesis", "fileName: 不支持上传该文件格式"),
        ("论文.txt", 3, "thesis", "fileName: 不支持上传该文件格式，可上传：pdf、doc、docx、zip"),
    ] {
        assert_eq!(fields(&teacher.post(presign, form(name, kind, purpose)).await), [told]);
    }
    let ticket = teacher.post(presign, form("论文.pdf", 3, "thesis")).await;
    let (key, url) = (ticket.data()["key"].clone(), ticket.data()["url"].as_str().expect("an address"));
    assert!(key.as_str().is_some_and(|key| key.starts_with("private/s1/")), "{key}");
    let complete = || teacher.post("/user/client/upload/complete", json!({ "key": key }));
    assert_eq!(complete().await.refused(), (409, "文件上传不完整，请重新上传"));
    let put = teacher.raw(Method::PUT, url, Some("application/pdf"), b"12345".to_vec()).await;
    assert_eq!(put.status(), StatusCode::OK);
    assert_eq!((&complete().await.data()["originalName"], complete().await.code()), (&json!("论文.pdf"), 200));
    let kept: String = server
        .one("select uploader_type || ' ' || state || ' ' || (expires_at is null) from school_1.file_object")
        .await;
    assert_eq!(kept, "teacher stored true");
    let by: String = server
        .one("select string_agg(distinct actor_name, ',') from school_1.audit_log where entity_type = 'file_object'")
        .await;
    assert_eq!(by, "陈立新");
    // An account of the console with the same number is somebody else, and so is the next person.
    for other in ["uploader_type = 'account'", "uploader_type = 'teacher', uploader_id = uploader_id + 1"] {
        server.run(&format!("update school_1.file_object set {other}")).await;
        assert_eq!(complete().await.code(), 404, "{other}");
    }
}
