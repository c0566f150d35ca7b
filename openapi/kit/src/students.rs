//! Students of the register.

use serde_json::{Value, json};

use crate::{Answer, Client, cohort::Cohort, sheets::import};

/// The columns that every row of an import fills, and some more.
pub const HEADINGS: [&str; 12] = [
    "姓名",
    "证件号",
    "手机",
    "学号",
    "年级",
    "层次",
    "专业代码",
    "学习形式",
    "站点编码",
    "入学日期",
    "学制",
    "学籍状态",
];

/// The n-th person's row in a sheet for [`place`].
pub fn row(n: usize) -> [String; 12] {
    let cells = [
        "张晓梅",
        &id_number(n),
        &format!("154{n:08}"),
        &format!("26{n:08}"),
        "2026",
        "ZSB",
        "KJ",
        "非脱产",
        "CD",
        "2026-03-01",
        "2.5",
        "在籍",
    ];
    cells.map(ToOwned::to_owned)
}

/// Imports rows of owned texts.
pub async fn import_rows(client: &Client<'_>, headings: &[&str], rows: &[Vec<String>]) -> Answer {
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    import(client, ROLL, headings, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>()).await
}

pub const ROLL: &str = "/adult/pc/studentRoll";

/// The n-th person's ID number.
pub fn id_number(n: usize) -> String {
    id_number_of("429900", n)
}

/// The same in another county, so that nobody of the demonstration data has it.
pub fn id_number_of(county: &str, n: usize) -> String {
    let birthday = chrono::NaiveDate::from_ymd_opt(1990, 1, 1).expect("a day") + chrono::Days::new(n as u64 / 1000);
    let mut number = format!("{county}{}{:03}", birthday.format("%Y%m%d"), n % 1000);
    number.push(student_status::id_card::check_digit(&number));
    number
}

/// The n-th person in the body of `save`.
pub fn student(p: &Cohort, n: usize) -> Value {
    json!({
        "name": "张晓梅", "idCardNo": id_number(n), "studentNo": format!("26{n:08}"), "gradeId": p.grade, "levelId": p.level,
        "majorId": p.major, "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": p.site, "enrolledOn": "2026-03-01",
        "status": "registered", "phone": format!("154{n:08}"), "source": "legacy",
    })
}

pub async fn save(client: &Client<'_>, body: Value) -> i64 {
    client.post(&format!("{ROLL}/save"), body).await.id()
}
