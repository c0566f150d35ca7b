//! Pictures, direct uploads of the console and of the clients, signed addresses (01 §4.4–4.5).

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use kit::{
    Client, Server,
    clients::{school, signed_in},
    cohort::{cohort, registrar},
    fields,
    files::paper,
    jobs::ended,
    pre_registrations::{PRE, batch, person},
};
use poem::http::{Method, StatusCode};
use serde_json::json;

const PICTURE: &str = "/system/pc/upload/picture";

pub(crate) fn picture(format: ImageFormat) -> Vec<u8> {
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
    let kept = format!("select original_name || ' ' || length(sha256) from school_1.file_object where key = '{key}'");
    assert_eq!(server.one::<String>(&kept).await, "校徽.png 64");
    let photo = picture(ImageFormat::Jpeg);
    let photo = staff.upload(PICTURE, "picFile", "合影.JPEG", "image/jpeg", &photo).await;
    let address = photo.data()["url"].as_str().expect("an address");
    assert!(address.ends_with(".jpeg"), "{address}");
    let shown = staff.raw(Method::GET, address, None, Vec::new()).await;
    assert_eq!((shown.status(), shown.content_type()), (StatusCode::OK, Some("image/jpeg")));
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

/// A bucket serves a public file under its stored type: what a browser may run is private, or nothing.
#[tokio::test]
async fn only_what_no_browser_runs_is_public() {
    let server = Server::start().await;
    let staff = server.staff(1, &[]).await;
    let form = |name: &str, content_type: &str, kind: i16| json!({ "fileName": name, "size": 5, "contentType": content_type, "type": kind });
    for (name, content_type, kind, told) in [
        ("a.xhtml", "application/xhtml+xml", 2, "fileName: 不支持上传该文件格式"),
        ("a.xml", "text/xml", 2, "fileName: 公开文件不支持该格式，请以私有附件上传"),
        ("a.pdf", "application/xhtml+xml", 2, "contentType: 文件内容类型与扩展名不一致，请重新选择文件"),
        ("a.png", "image/svg+xml", 1, "contentType: 文件内容类型与扩展名不一致，请重新选择文件"),
        ("a.pdf", "application/pdf", 1, "fileName: 公开文件不支持该格式，请以私有附件上传"),
    ] {
        let refused = staff.post("/system/pc/upload/presign", form(name, content_type, kind)).await;
        assert_eq!(fields(&refused), [told], "{name} {content_type}");
    }
    let ticket = staff.post("/system/pc/upload/presign", form("a.pdf", "application/pdf", 2)).await;
    let (key, url) = (ticket.data()["key"].clone(), ticket.data()["url"].as_str().expect("an address"));
    assert_eq!(staff.raw(Method::PUT, url, Some("application/pdf"), b"12345".to_vec()).await.status(), StatusCode::OK);
    // Announced under another version of the rules, it does not become public after all.
    server.run("update school_1.file_object set content_type = 'application/xhtml+xml'").await;
    let completed = staff.post("/system/pc/upload/complete", json!({ "key": key })).await;
    assert_eq!(completed.code(), 422, "{}", completed.body);
    server.run("update school_1.file_object set content_type = 'application/pdf'").await;
    assert_eq!(staff.post("/system/pc/upload/complete", json!({ "key": key })).await.code(), 200);
}

/// Exports and papers name people: no other account of the machine reads them.
#[tokio::test]
async fn the_data_folder_is_closed_to_other_accounts() {
    use std::os::unix::fs::PermissionsExt;

    let server = Server::start().await;
    let admin = registrar(&server).await;
    let started = admin.post("/adult/pc/site/export?job=true", json!({})).await;
    assert_eq!(ended(&admin, &started.data()["jobId"]).await["state"], json!("done"));
    let form = json!({ "fileName": "a.pdf", "size": 5, "contentType": "application/pdf", "type": 3 });
    let ticket = admin.post("/system/pc/upload/presign", form).await;
    let url = ticket.data()["url"].as_str().expect("an address");
    assert_eq!(admin.raw(Method::PUT, url, Some("application/pdf"), b"12345".to_vec()).await.status(), StatusCode::OK);
    let large = json!({ "fileName": "a.pdf", "size": 40 << 20, "contentType": "application/pdf", "type": 3 });
    admin.post("/system/pc/upload/presign", large).await.data();

    let (mut files, mut open) = (0, Vec::new());
    let mut folders = vec![server.app.config().data.clone()];
    while let Some(folder) = folders.pop() {
        let mode = |path: &std::path::Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        if mode(&folder) != 0o700 {
            open.push(format!("{:o} {}", mode(&folder), folder.display()));
        }
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files += 1;
                if mode(&path) != 0o600 {
                    open.push(format!("{:o} {}", mode(&path), path.display()));
                }
            }
        }
    }
    assert!(open.is_empty(), "{}", open.join("\n"));
    assert!(files >= 3, "{files} files");
}

#[tokio::test]
async fn people_send_in_private_files_from_their_clients_and_complete_their_own() {
    let server = Server::start().await;
    school(&server).await;
    let teacher = signed_in(&server).await;
    let presign = "/user/client/upload/presign";
    let form = |name: &str, kind: i16, purpose: &str| json!({ "fileName": name, "size": 5, "contentType": "application/pdf", "type": kind, "purpose": purpose });
    for (name, kind, purpose, told) in [
        ("课件.pdf", 3, "video", "purpose: 请选择上传用途：作业、考试、论文、报名材料、证件、咨询附件或信息核对材料"),
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

/// A pre-registration with a paper, and the key of the paper.
async fn a_paper_of_a_person(server: &Server) -> (Client<'_>, i64, String) {
    let admin = registrar(server).await;
    let p = cohort(&admin).await;
    let batch = batch(&admin, &p, "Y1", false).await;
    let key = paper(&admin, "毕业证.pdf").await;
    let mut person = person(&p, batch, 1);
    person["attachments"] = json!([{ "kind": "diploma", "key": key }]);
    assert_eq!(admin.post(&format!("{PRE}/save"), person).await.code(), 200);
    (admin, p.site, key)
}

#[tokio::test]
async fn a_file_opens_with_the_record_that_it_belongs_to() {
    let server = Server::start().await;
    let (admin, site, key) = a_paper_of_a_person(&server).await;
    let signed = format!("/system/pc/upload/signedUrl?key={key}");
    assert_eq!(admin.get(&signed).await.code(), 200, "whoever sent it in");
    let files = "system:pc:upload:view";
    let view = "adult:pc:preRegistration:view";
    assert_eq!(server.staff(1, &[files, view]).await.get(&signed).await.code(), 200, "whoever may open the person");
    assert_eq!(server.staff(1, &[files]).await.get(&signed).await.code(), 403);
    let there = server.staff_within(1, &[files, view], "named_sites", &[site]).await;
    assert_eq!(there.get(&signed).await.code(), 200);
    let elsewhere = server.staff_within(1, &[files, view], "named_sites", &[site + 1]).await;
    assert_eq!(elsewhere.get(&signed).await.code(), 404);
    // What belongs to no record yet is its sender's alone.
    let loose = paper(&admin, "草稿.pdf").await;
    let loose = format!("/system/pc/upload/signedUrl?key={loose}");
    assert_eq!(admin.get(&loose).await.code(), 200);
    assert_eq!(server.staff(1, &[files, view]).await.get(&loose).await.code(), 404);
}

#[tokio::test]
async fn a_file_of_one_record_is_not_taken_by_another() {
    let server = Server::start().await;
    let (admin, _, key) = a_paper_of_a_person(&server).await;
    let kind: i64 = server.one("select id from school_1.curriculum_type where code = 'GGJC'").await;
    let course = json!({
        "code": "A", "name": "大学英语", "typeId": kind, "credits": 4.0, "lectureHours": 24, "onlineHours": 40,
        "selfStudyHours": 8, "syllabusKey": key,
    });
    let taken = admin.post("/course/pc/collegeCurriculum/save", course).await;
    assert_eq!(fields(&taken), ["syllabusKey: 文件不存在或未上传完成，请重新上传"]);
    let owner: String = server.one(&format!("select owner_type from school_1.file_object where key = '{key}'")).await;
    assert_eq!(owner, "pre_registration");
}

/// Every path is the console's, but a script that is not there: a page of another version is not to be given the page as a script.
#[tokio::test]
async fn every_other_path_is_the_consoles() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("assets")).expect("assets");
    std::fs::write(folder.path().join("index.html"), "<title>console</title>").expect("the page");
    std::fs::write(folder.path().join("assets/index-1.js"), "export {}").expect("a script");
    let server = Server::with(|config| config.server.console_dir = folder.path().into()).await;
    let visitor = server.anonymous();
    let told = async |path: &str| {
        let answer = visitor.raw(Method::GET, path, None, Vec::new()).await;
        let status = answer.status();
        (status, answer.into_body().into_string().await.unwrap_or_default())
    };
    for path in ["/", "/schools/list"] {
        assert_eq!(told(path).await, (StatusCode::OK, "<title>console</title>".to_owned()), "{path}");
    }
    assert_eq!(told("/assets/index-1.js").await, (StatusCode::OK, "export {}".to_owned()));
    assert_eq!(told("/assets/index-2.js").await.0, StatusCode::NOT_FOUND);
}
