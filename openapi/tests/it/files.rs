//! Pictures, direct uploads, signed addresses (01 §4.5).

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use poem::http::{Method, StatusCode};
use serde_json::json;

use crate::kit::Server;

const PICTURE: &str = "/system/pc/upload/picture";

fn picture(format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::new_rgb8(40, 30).write_to(&mut bytes, format).expect("a picture");
    bytes.into_inner()
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
