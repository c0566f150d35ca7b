//! The ministry's catalogues, kept by operators (part 03 A3).

use kit::{
    Server,
    accounts::{all_school_codes, operator_with},
    cohort::{cohort, registrar},
    fields,
    imports::taken_back,
    sheets::{XLSX, import, row_errors, sheet},
};
use serde_json::{Value, json};

const MAJOR: &str = "/adult/pc/nationalMajor";
const HEADINGS: [&str; 8] =
    ["专业代码", "专业名称", "培养层次", "门类代码", "专业类代码", "专业类名称", "可授学位", "目录年版"];

fn major(code: &str) -> Value {
    json!({ "code": code, "name": "数字财务管理", "level": "bachelor", "disciplineCode": "12", "categoryCode": "1202", "category": "工商管理类", "degrees": ["管理学学士"], "year": 2030 })
}

/// Acceptance 6.
#[tokio::test]
async fn a_school_looks_and_changes_nothing() {
    let server = Server::start().await;
    let registrar = registrar(&server).await;
    assert_eq!(registrar.post(&format!("{MAJOR}/save"), major("120299T")).await.code(), 403);
    assert_eq!(registrar.post(&format!("{MAJOR}/list"), json!({ "keyword": "120203K" })).await.code(), 200);
    assert_eq!(import(&registrar, MAJOR, &HEADINGS, &[]).await.code(), 403);
}

#[tokio::test]
async fn a_major_that_schools_took_stays() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let first = cohort(&registrar(&server).await).await;
    let used = "已被1所院校的1个专业使用";
    let refused = operator.delete(&format!("{MAJOR}/delete?id={}", first.national)).await;
    assert_eq!(refused.refused(), (409, used));
    let codes = all_school_codes();
    let admin = server.staff(2, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let second = cohort(&admin).await;
    let more = json!({ "code": "KJ2", "name": "会计学(财务)", "nationalMajorId": second.national, "levelId": second.level, "totalCredits": 92.0, "direction": "财务" });
    admin.post("/adult/pc/major/save", more).await.id();
    let used = "已被2所院校的3个专业使用";
    let refused = operator.delete(&format!("{MAJOR}/delete?id={}", first.national)).await;
    assert_eq!(refused.refused(), (409, used));
    let free = operator.post(&format!("{MAJOR}/save"), major("120299T")).await.id();
    let bulk = operator.post(&format!("{MAJOR}/batchDel"), json!({ "ids": [first.national, free] })).await;
    assert_eq!(bulk.data()["done"], json!(1), "{}", bulk.body);
    assert_eq!(bulk.data()["failed"][0]["msg"], json!(used));
    let seen = operator.get(&format!("{MAJOR}/view?id={}", first.national)).await;
    let mut edit = json!({ "id": first.national });
    for field in ["code", "name", "level", "disciplineCode", "categoryCode", "category", "degrees", "year", "version"] {
        edit[field] = seen.data()[field].clone();
    }
    edit["code"] = json!("120293K");
    let refused = operator.put(&format!("{MAJOR}/edit"), edit.clone()).await;
    assert_eq!(refused.refused(), (409, "已被2所院校的3个专业使用，不能修改代码和培养层次"));
    edit["code"] = seen.data()["code"].clone();
    edit["name"] = json!("会计学（新）");
    assert_eq!(operator.put(&format!("{MAJOR}/edit"), edit).await.code(), 200);
    // Who may act for one school cannot know what the others use.
    let narrow = operator_with(&server, "narrow", &["adult:pc:nationalMajor:delete"]).await;
    server.run("update platform.sys_user set school_scope = 'listed' where login_name = 'narrow'").await;
    let refused = narrow.delete(&format!("{MAJOR}/delete?id={}", first.national)).await;
    let told = "您只能管理部分院校，不能确认其他院校的引用情况，请由管理全部院校的人员办理";
    assert_eq!(refused.refused(), (409, told));
}

#[tokio::test]
async fn what_does_not_fit_its_code_is_told_at_its_field() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let mut wrong = major("530302");
    wrong["categoryCode"] = json!("5303");
    let refused = operator.post(&format!("{MAJOR}/save"), wrong).await;
    assert_eq!(fields(&refused), ["categoryCode: 专业类代码应以门类代码12开头"]);
    operator.post(&format!("{MAJOR}/save"), major("120299T")).await.id();
    let again = operator.post(&format!("{MAJOR}/save"), major("120299T")).await;
    assert_eq!(fields(&again), ["code: 2030年版中代码“120299T”已存在"]);
}

/// Acceptance 5, and the rule of the import: new inserted, same updated, missing untouched.
#[tokio::test]
async fn a_catalogue_is_imported_by_code_and_edition() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let rows: Vec<[String; 8]> = (0..1_500)
        .map(|n| {
            let code = if n == 700 { "12020X".to_owned() } else { format!("12{n:04}") };
            [&code, "某专业", "本科", "12", "", "", "管理学学士", "2031"].map(ToOwned::to_owned)
        })
        .collect();
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let wrong = import(&operator, MAJOR, &HEADINGS, &rows).await;
    assert_eq!(row_errors(wrong.data()), ["702 专业代码: “12020X”不是本科专业代码"]);
    assert_eq!(server.one::<i64>("select count(*) from platform.national_major where year = 2031").await, 0);

    let known: String = server.one("select name from platform.national_major where code = '120203K'").await;
    let year: i32 = server.one("select year from platform.national_major where code = '120203K'").await;
    let year = year.to_string();
    let lines: [[&str; 8]; 3] = [
        ["120203K", "会计学（改）", "本科", "12", "1202", "工商管理类", "管理学学士", &year],
        ["120299T", "数字财务管理", "本科", "12", "1202", "工商管理类", "管理学学士", "2031"],
        ["120299T", "数字财务管理", "本科", "12", "1202", "工商管理类", "管理学学士", "2030"],
    ];
    let lines: Vec<&[&str]> = lines.iter().map(<[&str; 8]>::as_slice).collect();
    let file = sheet(&HEADINGS, &lines);
    let tried =
        operator.upload_with(&format!("{MAJOR}/import"), &[("dryRun", "true")], "file", "目录.xlsx", XLSX, &file).await;
    let told: Vec<String> = tried.data()["differences"]
        .as_array()
        .expect("differences")
        .iter()
        .map(|d| {
            format!(
                "{} {} {}→{}",
                d["row"],
                d["column"].as_str().unwrap_or(""),
                d["before"].as_str().unwrap_or(""),
                d["after"].as_str().unwrap_or("")
            )
        })
        .collect();
    assert_eq!(
        told,
        [format!("2 专业名称 {known}→会计学（改）"), "3  →".to_owned(), "4  →".to_owned()],
        "{}",
        tried.body
    );
    let count = "select count(*) from platform.national_major";
    let before: i64 = server.one(count).await;
    let done = import(&operator, MAJOR, &HEADINGS, &lines).await;
    assert_eq!(done.data()["imported"], json!(3), "{}", done.body);
    assert_eq!(server.one::<i64>(count).await, before + 2);
    let renamed: String = server.one("select name from platform.national_major where code = '120203K'").await;
    assert_eq!(renamed, "会计学（改）");
    let again = import(&operator, MAJOR, &HEADINGS, &lines).await;
    assert_eq!((&again.data()["differences"], again.code()), (&json!([]), 200), "{}", again.body);
}

/// What a school took stays; what was there is as it was.
#[tokio::test]
async fn a_catalogue_that_was_imported_goes_again() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let before = operator.get(&format!("{MAJOR}/view?id={}", p.national)).await.data().clone();
    let count = "select count(*) from platform.national_major";
    let there: i64 = server.one(count).await;
    let year = before["year"].to_string();
    let lines: [[&str; 8]; 3] = [
        ["120203K", "会计学（改）", "本科", "12", "1202", "工商管理类", "管理学学士", &year],
        ["120299T", "数字财务管理", "本科", "12", "1202", "工商管理类", "管理学学士", "2031"],
        ["120299T", "数字财务", "本科", "12", "1202", "工商管理类", "管理学学士", "2030"],
    ];
    let lines: Vec<&[&str]> = lines.iter().map(<[&str; 8]>::as_slice).collect();
    assert_eq!(import(&operator, MAJOR, &HEADINGS, &lines).await.data()["imported"], json!(3));
    let new: i64 = server.one("select id from platform.national_major where code = '120299T' and year = 2031").await;
    let taken = json!({ "code": "SZ", "name": "数字财务管理", "nationalMajorId": new, "levelId": p.level, "totalCredits": 92.0 });
    admin.post("/adult/pc/major/save", taken).await.id();
    let kept = ("共3条，已撤销2条，1条保留".to_owned(), vec!["数字财务管理: 已被1所院校的1个专业使用".to_owned()]);
    assert_eq!(taken_back(&operator, "国家专业").await, kept);
    assert_eq!(server.one::<i64>(count).await, there + 1);
    let after = operator.get(&format!("{MAJOR}/view?id={}", p.national)).await.data().clone();
    for field in ["name", "degrees", "category", "uncertain", "enabled"] {
        assert_eq!(before[field], after[field], "{field}");
    }
}
