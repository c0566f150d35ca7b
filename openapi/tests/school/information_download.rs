//! Forms as papers, packed while they are fetched (part 02 §11.5).

use std::io::{Cursor, Read};

use kit::{
    Client, Server,
    cohort::{cohort, registrar},
    files::{paper, written},
    information::{COMMITMENT, INFORMATION, form_of, information, window, with},
    rows,
    students::{save, student},
};
use serde_json::{Value, json};

async fn fetched(client: &Client<'_>, group: &str, body: Value) -> zip::ZipArchive<Cursor<Vec<u8>>> {
    let answer = client.post(&format!("{group}/download"), body).await;
    let bytes = answer.bytes;
    zip::ZipArchive::new(Cursor::new(bytes)).expect("an archive")
}

fn named(archive: &zip::ZipArchive<Cursor<Vec<u8>>>) -> Vec<String> {
    archive.file_names().map(|name| name.expect("a name").into_owned()).collect()
}

/// Scenario 5: a folder for each, and what is too much or nothing is told.
#[tokio::test]
async fn everybody_has_a_folder() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = save(&admin, student(&p, 1)).await;
    let none = admin.post(&format!("{INFORMATION}/download"), json!({ "filter": { "gradeId": p.grade } })).await;
    assert_eq!((none.code(), none.msg()), (999, "没有可下载的数据"));
    admin.post(&format!("{INFORMATION}/window/save"), window(&server, &p)).await.id();
    let text = json!({ "templateText": "本人{name}（{idCardNo}）承诺所提交的材料真实有效。" });
    admin.post(&format!("{COMMITMENT}/window/save"), with(window(&server, &p), text)).await.id();
    let mut archive = fetched(&admin, INFORMATION, json!({ "filter": { "gradeId": p.grade } })).await;
    let names = named(&archive);
    let folder = "2026级/城东教学点/未分班/2600000001_张晓梅/登记表.pdf";
    assert!(names.iter().any(|name| name == folder) && names.iter().any(|name| name == "汇总.xlsx"), "{names:?}");
    let mut pdf = Vec::new();
    archive.by_name(folder).expect("a paper").read_to_end(&mut pdf).expect("bytes");
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() < 200_000, "{} bytes", pdf.len());
    let row = form_of(&admin, COMMITMENT, id).await;
    let archive = fetched(&admin, COMMITMENT, json!({ "ids": [row["id"]] })).await;
    let names = named(&archive);
    assert!(names.iter().any(|name| name.ends_with("承诺书.pdf")), "{names:?}");
    assert!(names.iter().any(|name| name.ends_with("资格审查表.pdf")), "{names:?}");
    // Somebody of another site has nothing to fetch.
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let narrow = server.staff_within(1, &["user:pc:admissionInformation:batchDownload"], "named_sites", &[far]).await;
    let nothing = narrow.post(&format!("{INFORMATION}/download"), json!({ "filter": {} })).await;
    assert_eq!((nothing.code(), nothing.msg()), (999, "没有可下载的数据"));
    // One more than may be.
    rows::students(&server, &p, p.site, None, 2, 5_000).await;
    server
        .run(
            "insert into school_1.student_information (kind, student_id, created_by, updated_by)
             select 'admission_information', id, 0, 0 from school_1.student on conflict do nothing",
        )
        .await;
    let many = admin.post(&format!("{INFORMATION}/download"), json!({ "filter": { "gradeId": p.grade } })).await;
    assert_eq!((many.code(), many.msg()), (999, "单次最多下载5000人，请缩小范围"));
    let many = json!({ "ids": (1..=5_001).collect::<Vec<i64>>() });
    let many = admin.post(&format!("{INFORMATION}/download"), many).await;
    assert_eq!((many.code(), many.msg()), (999, "单次最多下载5000人，请缩小范围"));
}

/// What stands on the only paper whose name ends so.
fn written_in(archive: &mut zip::ZipArchive<Cursor<Vec<u8>>>, ending: &str) -> String {
    let name = named(archive).into_iter().find(|name| name.ends_with(ending)).expect("a paper");
    let mut pdf = Vec::new();
    archive.by_name(&name).expect("a paper").read_to_end(&mut pdf).expect("bytes");
    written(&pdf)
}

/// Numbers of people leave whole only with who may export them whole, and the log tells which it was.
#[tokio::test]
async fn papers_show_no_whole_numbers() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let id = save(&admin, student(&p, 1)).await;
    server
        .run(&format!(
            "update school_1.student set id_card_type = 'passport', id_card_no = 'H12345678' where id = {id}"
        ))
        .await;
    admin.post(&format!("{INFORMATION}/window/save"), window(&server, &p)).await.id();
    let text = json!({ "templateText": "本人{name}（{idCardNo}）承诺所提交的材料真实有效。" });
    admin.post(&format!("{COMMITMENT}/window/save"), with(window(&server, &p), text)).await.id();
    let row = form_of(&admin, INFORMATION, id).await;
    let view = admin.get(&format!("{INFORMATION}/view?id={}", row["id"])).await.data().clone();
    let scan = json!({ "kind": "paper", "key": paper(&admin, "签字.pdf").await });
    let said = json!({ "email": "zhang@example.com", "emergencyPhone": "13900139001", "files": [scan] });
    let body = json!({ "id": row["id"], "version": row["version"], "submit": true });
    admin.put(&format!("{INFORMATION}/edit"), with(with(information(&view), said), body)).await.id();

    let code = |group: &str, action: &str| format!("user:pc:{}:{action}", group.rsplit('/').next().expect("a name"));
    let whole = ["H12345678", "13800138000", "13900139001", "zhang@example.com", "珞瑜路1037号"];
    let masked = ["H1***78", "138****8000", "139****9001", "z***@example.com", "武汉市洪山区***"];
    for plain in [false, true] {
        let codes: Vec<String> = [INFORMATION, COMMITMENT]
            .iter()
            .flat_map(|group| [code(group, "batchDownload"), code(group, if plain { "exportPlain" } else { "export" })])
            .collect();
        let client = server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let wanted = json!({ "filter": { "gradeId": p.grade } });
        let mut archive = fetched(&client, INFORMATION, wanted.clone()).await;
        let sheet = written_in(&mut archive, "登记表.pdf");
        let (shown, hidden) = if plain { (whole, masked) } else { (masked, whole) };
        for text in shown {
            assert!(sheet.contains(text), "{plain}: {text} in {sheet}");
        }
        for text in hidden {
            assert!(!sheet.contains(text), "{plain}: {text} in {sheet}");
        }
        let mut archive = fetched(&client, COMMITMENT, wanted).await;
        for paper in ["承诺书.pdf", "资格审查表.pdf"] {
            let text = written_in(&mut archive, paper);
            assert_eq!(text.contains("H12345678"), plain, "{paper}: {text}");
        }
        let noted = format!(
            "select count(*) = 2 from platform.sys_log where path like '%/download' and notes -> 'export' ->> 'plain' = '{plain}'"
        );
        server.wait_until(&noted).await;
    }
    // Whole numbers of another site open none here.
    let (downloads, plain) = (code(INFORMATION, "batchDownload"), code(INFORMATION, "exportPlain"));
    let (most, further) = ([downloads.as_str()], [plain.as_str()]);
    let far: &[i64] = &[p.site + 1000];
    let client =
        server.staff_with_roles(1, &[(&most[..], "whole_school", &[]), (&further[..], "named_sites", far)]).await;
    let mut archive = fetched(&client, INFORMATION, json!({ "filter": { "gradeId": p.grade } })).await;
    let sheet = written_in(&mut archive, "登记表.pdf");
    assert!(
        masked.iter().all(|text| sheet.contains(text)) && !whole.iter().any(|text| sheet.contains(text)),
        "{sheet}"
    );
}
