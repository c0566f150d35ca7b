//! Basic data of a school (part 03 A1–A4).

use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};

use crate::kit::{Answer, Client, Server};

/// A filled-in sheet: headings, then rows.
fn sheet(rows: &[&[&str]]) -> Vec<u8> {
    let mut book = Workbook::new();
    let page = book.add_worksheet();
    for (row, cells) in (0..).zip(rows) {
        for (column, cell) in (0..).zip(*cells) {
            page.write_string(row, column, *cell).expect("written");
        }
    }
    book.save_to_buffer().expect("a workbook")
}

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

async fn import(client: &Client<'_>, entity: &str, rows: &[&[&str]]) -> Answer {
    client.upload(&format!("/adult/pc/{entity}/import"), "file", "导入.xlsx", XLSX, &sheet(rows)).await
}

fn fields(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.code(), 422, "{}", answer.body);
    let fields = answer.body["data"].as_array().expect("fields");
    fields.iter().map(|f| format!("{}: {}", f["field"].as_str().unwrap_or(""), f["message"].as_str().unwrap_or(""))).collect()
}

fn errors(answer: &Answer) -> Vec<String> {
    let errors = answer.data()["errors"].as_array().expect("errors");
    errors
        .iter()
        .map(|e| format!("{} {}: {}", e["row"], e["column"].as_str().unwrap_or(""), e["message"].as_str().unwrap_or("")))
        .collect()
}

/// One grade, level, major and site.
struct Place {
    grade: i64,
    level: i64,
    major: i64,
    site: i64,
}

async fn place(admin: &Client<'_>) -> Place {
    let grade = admin.post("/adult/pc/grade/save", json!({ "code": "2026" })).await.id();
    let level = json!({ "code": "ZSB", "name": "专升本", "entryLevel": "associate_to_bachelor" });
    let level = admin.post("/adult/pc/arrangement/save", level).await.id();
    let national = national(admin, "120203K").await;
    let major = json!({ "code": "KJ", "name": "会计学", "nationalMajorId": national, "levelId": level, "totalCredits": 92.5 });
    let major = admin.post("/adult/pc/major/save", major).await.id();
    let site = json!({ "code": "CD", "name": "城东教学点", "shortName": "城东", "kind": "headquarter", "phone": "13800000001" });
    let site = admin.post("/adult/pc/site/save", site).await.id();
    Place { grade, level, major, site }
}

async fn national(admin: &Client<'_>, code: &str) -> i64 {
    let found = admin.post("/adult/pc/nationalMajor/list", json!({ "keyword": code })).await;
    found.data()["list"][0]["id"].as_i64().expect("a national major")
}

async fn student(server: &Server, p: &Place, class: Option<i64>, n: i64) {
    let class = class.map_or("null".to_owned(), |id| id.to_string());
    server
        .run(&format!(
            "insert into school_1.student (name, name_grams, pinyin, initials, id_card_type, id_card_no, grade_id, level_id, major_id,
                study_form, schooling_years, site_id, class_id, enrolled_on, expected_graduation_on, max_study_end_on, status, source,
                created_by, updated_by)
             values ('张三', '{{}}', '', '', 'passport', 'E{n:08}', {}, {}, {}, 'non_full_time', 2.5, {}, {class}, '2026-03-01',
                '2028-07-01', '2031-03-01', 'registered', 'legacy', 0, 0)",
            p.grade, p.level, p.major, p.site
        ))
        .await;
}

#[tokio::test]
async fn a_grade_lives() {
    let server = Server::start().await;
    let admin = server.admin_of(1).await;
    let id = admin.post("/adult/pc/grade/save", json!({ "code": "2026" })).await.id();
    assert_eq!(fields(&admin.post("/adult/pc/grade/save", json!({ "code": "2026", "name": "x", "entrySeason": "autumn" })).await), ["code: 编码“2026”已存在"]);
    assert_eq!(fields(&admin.post("/adult/pc/grade/save", json!({ "code": "2026A" })).await), ["entrySeason: 2026年春季入学的年级已存在"]);
    assert_eq!(fields(&admin.post("/adult/pc/grade/save", json!({ "code": "26", "sortNo": 10000 })).await).len(), 2);
    let seen = admin.get("/adult/pc/grade/view?code=2026").await;
    println!("{}", seen.body);
    let edit = |version: i64, code: &str| json!({ "id": id, "version": version, "code": code, "name": "二六级", "entrySeason": "spring" });
    assert_eq!(admin.put("/adult/pc/grade/edit", edit(1, "2026")).await.code(), 200);
    let stale = admin.put("/adult/pc/grade/edit", edit(1, "2026")).await;
    assert_eq!(stale.code(), 409);
    println!("{}", stale.msg());
    assert_eq!(admin.put("/adult/pc/grade/update/status", json!({ "id": id, "enabled": false })).await.code(), 200);
    assert_eq!(admin.put("/adult/pc/grade/update/status", json!({ "id": id, "enabled": true, "version": 1 })).await.code(), 409);
    assert_eq!(admin.put("/adult/pc/grade/update/status", json!({ "id": 99, "enabled": true })).await.code(), 404);
    let list = admin.post("/adult/pc/grade/list", json!({ "keyword": "2026", "enabled": false })).await;
    assert_eq!(list.data()["totalCount"], json!(1));
    let bulk = admin.post("/adult/pc/grade/batchDel", json!({ "ids": [id, 99] })).await;
    println!("{}", bulk.body);
    assert_eq!(bulk.data()["done"], json!(1));
}

#[tokio::test]
async fn what_is_referred_to_stays() {
    let server = Server::start().await;
    let admin = server.admin_of(1).await;
    let p = place(&admin).await;
    let class = |code: &str| json!({ "code": code, "gradeId": p.grade, "levelId": p.level, "majorId": p.major, "siteId": p.site });
    let first = admin.post("/adult/pc/class/save", class("C1")).await.id();
    admin.post("/adult/pc/class/save", class("C2")).await.id();
    let seen = admin.get(&format!("/adult/pc/class/view?id={first}")).await;
    println!("{}", seen.body);
    assert_eq!(seen.data()["name"], json!("2026级专升本会计学城东1班"));
    for n in 0..3 {
        student(&server, &p, Some(first), n).await;
    }
    let refused = admin.delete(&format!("/adult/pc/grade/delete?id={}", p.grade)).await;
    println!("{:?}", refused.refused());
    let refused = admin.put("/adult/pc/grade/edit", json!({ "id": p.grade, "version": 1, "code": "2026B", "entrySeason": "spring" })).await;
    println!("{:?}", refused.refused());
    let refused = admin.put("/adult/pc/arrangement/edit", json!({ "id": p.level, "version": 1, "code": "ZSB", "name": "专升本", "entryLevel": "associate_to_bachelor", "schoolingYears": 3.0 })).await;
    println!("{:?}", refused.refused());
    let major = admin.get(&format!("/adult/pc/major/view?id={}", p.major)).await;
    println!("{}", major.body);
    let refused = admin.put("/adult/pc/major/edit", json!({ "id": p.major, "version": 1, "code": "KJ", "name": "会计学", "nationalMajorId": major.data()["nationalMajorId"], "levelId": p.level, "studyForm": "part_time", "totalCredits": 92 })).await;
    println!("{:?}", refused.refused());
    let edit = |capacity: i64, site: i64| json!({ "id": first, "version": 1, "code": "C1", "gradeId": p.grade, "levelId": p.level, "majorId": p.major, "siteId": site, "capacity": capacity });
    println!("{:?}", fields(&admin.put("/adult/pc/class/edit", edit(2, p.site)).await));
    let other = admin.post("/adult/pc/site/save", json!({ "code": "CX", "name": "城西", "kind": "cooperative" })).await.id();
    println!("{:?}", admin.put("/adult/pc/class/edit", edit(40, other)).await.refused());
    println!("{:?}", admin.put("/adult/pc/class/edit", edit(40, p.site)).await.refused());
    println!("{:?}", admin.delete(&format!("/adult/pc/class/delete?id={first}")).await.refused());
    println!("{:?}", admin.put("/adult/pc/site/changeStatus", json!({ "id": p.site, "status": "closed", "version": 1 })).await.refused());
    println!("{:?}", admin.put("/adult/pc/site/changeStatus", json!({ "id": other, "status": "closed", "version": 1, "reason": "到期撤销" })).await.refused());
    let associate = json!({ "code": "GQZ", "name": "高起专", "entryLevel": "high_school_to_associate" });
    let associate = admin.post("/adult/pc/arrangement/save", associate).await.id();
    println!("{:?}", fields(&admin.post("/adult/pc/major/save", json!({ "code": "KJ2", "name": "会计学", "nationalMajorId": major.data()["nationalMajorId"], "levelId": associate, "totalCredits": 92 })).await));
    println!("{:?}", fields(&admin.post("/adult/pc/major/save", json!({ "code": "KJ3", "name": "会计学", "nationalMajorId": major.data()["nationalMajorId"], "levelId": p.level, "totalCredits": 92 })).await));
    // Scope: staff of the other site see it alone.
    let codes = ["adult:pc:site:list", "adult:pc:site:view", "adult:pc:site:export", "adult:pc:class:list", "adult:pc:options:view", "adult:pc:class:save"];
    let staff = server.staff_within(1, &codes, "named_sites", &[other]).await;
    assert_eq!(staff.post("/adult/pc/site/list", json!({})).await.data()["totalCount"], json!(1));
    assert_eq!(staff.get(&format!("/adult/pc/site/view?id={}", p.site)).await.code(), 404);
    assert_eq!(staff.post("/adult/pc/class/list", json!({})).await.data()["totalCount"], json!(0));
    println!("{:?}", fields(&staff.post("/adult/pc/class/save", class("C9")).await));
    let of_class = server.staff_within(1, &codes, "named_classes", &[first]).await;
    let sites = of_class.post("/adult/pc/site/list", json!({})).await;
    assert_eq!(sites.data()["list"][0]["id"], json!(p.site));
    assert_eq!(sites.data()["list"][0]["phone"], json!("138****0001"));
    assert_eq!(of_class.post("/adult/pc/class/list", json!({})).await.data()["totalCount"], json!(1));
    for kind in ["grade", "level", "semester", "organization", "site", "major", "class", "nationalMajor"] {
        let options = of_class.get(&format!("/adult/pc/options/{kind}?keyword=k")).await;
        println!("{kind} {}", options.data().as_array().map_or(0, Vec::len));
    }
    println!("{:?}", of_class.get("/adult/pc/options/teacher").await.refused());
    println!("{}", of_class.get("/adult/pc/options/class").await.body);
    let file = staff.post("/adult/pc/site/export", json!({})).await;
    println!("{:?} {} bytes {}", file.file_name, file.bytes.len(), file.status);
    assert!(file.bytes.starts_with(b"PK"));
}

#[tokio::test]
async fn semesters_and_units() {
    let server = Server::start().await;
    let admin = server.admin_of(1).await;
    let save = |code: &str, from: &str, to: &str| json!({ "code": code, "startsOn": from, "endsOn": to, "holidays": [] });
    let one = admin.post("/adult/pc/semester/save", save("2026-1", "2026-03-02", "2026-07-12")).await.id();
    println!("{:?}", fields(&admin.post("/adult/pc/semester/save", save("2026-2", "2026-07-10", "2026-12-12")).await));
    let two = admin.post("/adult/pc/semester/save", save("2026-2", "2026-08-31", "2027-01-10")).await.id();
    let (a, b) = tokio::join!(
        admin.put("/adult/pc/semester/setCurrent", json!({ "id": two })),
        admin.put("/adult/pc/semester/setCurrent", json!({ "id": two }))
    );
    assert_eq!((a.code(), b.code()), (200, 200), "{} {}", a.body, b.body);
    let current: i64 = server.one("select count(*) from school_1.semester where current").await;
    assert_eq!(current, 1);
    println!("{}", admin.get("/adult/pc/semester/current").await.body);
    println!("{}", admin.put("/adult/pc/semester/close", json!({ "id": one, "version": 2 })).await.body);
    println!("{:?}", admin.put("/adult/pc/semester/edit", json!({ "id": one, "version": 3, "code": "2026-1", "startsOn": "2026-03-02", "endsOn": "2026-07-12" })).await.refused());
    println!("{:?}", admin.delete(&format!("/adult/pc/semester/delete?id={two}")).await.refused());
    println!("{}", admin.put("/adult/pc/semester/reopen", json!({ "id": one, "version": 3, "reason": "补排面授" })).await.body);
    // 8. an import whose third row overlaps the second.
    let rows: &[&[&str]] = &[
        &["*学期编码", "名称", "*开始日期", "*结束日期"],
        &["2027-1", "", "2027-03-01", "2027-07-11"],
        &["2027-2", "", "2027-08-30", "2028-01-09"],
        &["2028-1", "", "2028-01-01", "2028-07-09"],
        &["2028-2", "", "2028-08-28", "2029-01-07"],
    ];
    let answer = import(&admin, "semester", rows).await;
    println!("{}", answer.body);
    assert_eq!(errors(&answer), ["4 开始日期: 与学期“2027年秋季学期”的日期重叠"]);
    assert!(answer.data()["errorFileId"].is_i64());
    let count: i64 = server.one("select count(*) from school_1.semester").await;
    assert_eq!(count, 2);
    let unit = |code: &str, name: &str, parent: Option<i64>| json!({ "code": code, "name": name, "kind": "college", "parentId": parent });
    let a = admin.post("/adult/pc/organize/save", unit("A", "甲", None)).await.id();
    let b = admin.post("/adult/pc/organize/save", unit("B", "乙", Some(a))).await.id();
    let c = admin.post("/adult/pc/organize/save", unit("C", "丙", Some(b))).await.id();
    let mut under = unit("A", "甲", Some(c));
    under["id"] = json!(a);
    under["version"] = json!(1);
    println!("{:?}", fields(&admin.put("/adult/pc/organize/edit", under).await));
    println!("{:?}", admin.put("/adult/pc/organize/update/status", json!({ "id": a, "enabled": false })).await.refused());
    println!("{:?}", admin.delete(&format!("/adult/pc/organize/delete?id={b}")).await.refused());
    println!("{}", admin.post("/adult/pc/organize/list", json!({ "keyword": "丙" })).await.body);
    println!("{:?}", fields(&admin.post("/adult/pc/organize/save", unit("D", "乙", Some(a))).await));
    let changes: Value = server.one("select jsonb_agg(entity_type || '.' || action order by id) from school_1.audit_log").await;
    println!("{changes}");
}

#[tokio::test]
async fn imports_write_all_or_nothing() {
    let server = Server::start().await;
    let admin = server.admin_of(1).await;
    let p = place(&admin).await;
    for entity in ["grade", "arrangement", "semester", "site", "major", "class"] {
        let template = admin.get(&format!("/adult/pc/{entity}/import/template")).await;
        assert!(template.bytes.starts_with(b"PK"), "{entity} {}", template.body);
        println!("{:?}", template.file_name);
        let file = admin.post(&format!("/adult/pc/{entity}/export"), json!({})).await;
        assert!(file.bytes.starts_with(b"PK"), "{entity} {}", file.body);
    }
    assert!(admin.post("/adult/pc/organize/export", json!({})).await.bytes.starts_with(b"PK"));
    let head: &[&str] = &["班级编码", "班级名称", "年级编码", "层次编码", "校内专业代码", "学习形式", "站点编码", "容量"];
    let wrong: &[&[&str]] = &[
        head,
        &["K1", "", "2026", "zsb", "KJ", "非脱产", "CD", "45"],
        &["K2", "", "2027", "ZSB", "KJ", "", "CD", "600"],
        &["k1", "", "2026", "ZSB", "KJ", "函授", "CD", ""],
        &["", "", "2026", "ZSB", "KJ", "", "CD", ""],
    ];
    let answer = import(&admin, "class", wrong).await;
    println!("{:#?}", errors(&answer));
    let right: &[&[&str]] = &[head, &["K1", "", "2026", "zsb", "KJ", "非脱产", "CD", "45"], &["K2", "特色班", "2026", "ZSB", "KJ", "", "CD", ""]];
    let answer = import(&admin, "class", right).await;
    println!("{}", answer.body);
    println!("{}", admin.post("/adult/pc/class/list", json!({})).await.body);
    let left: i64 = server.one("select count(*) from school_1.audit_log where action = 'import' and batch_id is not null").await;
    assert_eq!(left, 2);
    // The number of the refused file was given back with everything else.
    let mut rows: Vec<Vec<String>> = vec![head.iter().map(|text| (*text).to_owned()).collect()];
    for n in 0..10_000 {
        rows.push(vec![format!("M{n}"), String::new(), "2026".into(), "ZSB".into(), "KJ".into(), String::new(), "CD".into(), String::new()]);
    }
    let many: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let many: Vec<&[&str]> = many.iter().map(Vec::as_slice).collect();
    let started = std::time::Instant::now();
    let answer = import(&admin, "class", &many).await;
    println!("{}", answer.body);
    let job = answer.data()["jobId"].as_i64().expect("a job");
    for _ in 0..600 {
        let view = admin.get(&format!("/system/pc/job/view?id={job}")).await;
        if !["queued", "running"].contains(&view.data()["state"].as_str().unwrap_or("")) {
            println!("{} after {:?}", view.body, started.elapsed());
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    let started = std::time::Instant::now();
    let file = admin.post("/adult/pc/class/export", json!({})).await;
    println!("export of 10,002: {} bytes in {:?}", file.bytes.len(), started.elapsed());
    let started = admin.post("/adult/pc/class/export?job=true", json!({})).await;
    println!("{}", started.body);
    let job = started.data()["jobId"].as_i64().expect("a job");
    for _ in 0..600 {
        let view = admin.get(&format!("/system/pc/job/view?id={job}")).await;
        if !["queued", "running"].contains(&view.data()["state"].as_str().unwrap_or("")) {
            println!("{}", view.body);
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let sites: &[&[&str]] = &[
        &["站点编号", "站点名称", "类型", "管理机构编码", "设点单位", "地区代码", "电话", "容量"],
        &["S1", "一站", "校外教学点", "", "某学校", "420111", "027-87654321", "100"],
        &["S2", "二站", "校外教学点", "NO", "", "999999", "1380000", ""],
    ];
    println!("{:#?}", errors(&import(&admin, "site", sites).await));
    let majors: &[&[&str]] = &[
        &["校内专业代码", "专业名称", "国家专业代码", "层次编码", "学习形式", "总学分", "学费(元)", "学制"],
        &["QQ", "学前教育", "040106", "ZSB", "函授", "80.5", "2400", "2.5"],
    ];
    println!("{}", import(&admin, "major", majors).await.body);
    println!("{}", admin.get("/adult/pc/major/view?code=qq").await.body);
    println!("{}", p.site);
}
