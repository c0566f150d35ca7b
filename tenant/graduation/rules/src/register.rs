//! The rows of the reports to the national register and of degrees (part 04 §9.4, §10).

use chrono::NaiveDate;
use serde_json::Value;

/// The columns that a school chose for a report; all of them where it chose none.
pub fn chosen(value: &Value, all: &[(&str, &str)]) -> Vec<String> {
    let words: Vec<String> =
        value.as_array().into_iter().flatten().filter_map(Value::as_str).map(ToOwned::to_owned).collect();
    if words.is_empty() { all.iter().map(|(word, _)| (*word).to_owned()).collect() } else { words }
}

/// A graduate as the national register wants them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegisterRow {
    pub examinee_no: String,
    pub student_no: String,
    pub name: String,
    pub gender: String,
    pub birthday: Option<NaiveDate>,
    pub id_card_no: String,
    pub ethnicity: String,
    pub political_status: String,
    pub major_code: String,
    pub major_name: String,
    pub level: String,
    pub schooling_years: String,
    pub study_form: String,
    pub enrolled_on: Option<NaiveDate>,
    pub graduated_on: Option<NaiveDate>,
    pub branch: String,
    pub department: String,
    pub class: String,
    pub conclusion: String,
    pub certificate_no: String,
    pub principal: String,
}

/// The cells of these columns, by their words; a word that is none gives an empty cell.
pub fn row(columns: &[String], r: &RegisterRow) -> Vec<String> {
    let cell = |column: &String| match column.as_str() {
        "KSH" => r.examinee_no.clone(),
        "XH" => r.student_no.clone(),
        "XM" => r.name.clone(),
        "XB" => r.gender.clone(),
        "CSRQ" => digits(r.birthday),
        "SFZH" => r.id_card_no.clone(),
        "MZ" => r.ethnicity.clone(),
        "ZZMM" => r.political_status.clone(),
        "ZYDM" => r.major_code.clone(),
        "ZYMC" => r.major_name.clone(),
        "CC" => r.level.clone(),
        "XZ" => r.schooling_years.clone(),
        "XXXS" => r.study_form.clone(),
        "RXRQ" => digits(r.enrolled_on),
        "BYRQ" => digits(r.graduated_on),
        "FY" => r.branch.clone(),
        "XSH" => r.department.clone(),
        "BH" => r.class.clone(),
        "BJYJL" => r.conclusion.clone(),
        "ZSBH" => r.certificate_no.clone(),
        "XZXM" => r.principal.clone(),
        _ => String::new(),
    };
    columns.iter().map(cell).collect()
}

/// Somebody with a degree, as it is reported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DegreeRow {
    pub name: String,
    pub name_pinyin: String,
    pub gender_code: String,
    pub ethnicity_code: String,
    pub political_code: String,
    pub birthday: Option<NaiveDate>,
    pub id_card_type_code: String,
    pub id_card_no: String,
    pub unit_code: String,
    pub principal: String,
    pub chair: String,
    pub training_unit_code: String,
    pub degree_kind_code: String,
    pub major_code: String,
    pub certificate_major: String,
    pub examinee_no: String,
    pub enrolled_on: Option<NaiveDate>,
    pub graduated_on: Option<NaiveDate>,
    pub thesis_title: String,
    pub awarded_on: Option<NaiveDate>,
    pub certificate_no: String,
}

/// The cells of these columns, by their words.
pub fn degree_row(columns: &[String], r: &DegreeRow) -> Vec<String> {
    let cell = |column: &String| match column.as_str() {
        "XM" => r.name.clone(),
        "XMPY" => r.name_pinyin.clone(),
        "XBM" => r.gender_code.clone(),
        "MZM" => r.ethnicity_code.clone(),
        "ZZMMM" => r.political_code.clone(),
        "CSRQ" => digits(r.birthday),
        "ZJLXM" => r.id_card_type_code.clone(),
        "ZJHM" => r.id_card_no.clone(),
        "XWSYDWM" => r.unit_code.clone(),
        "XZXM" => r.principal.clone(),
        "ZXXM" => r.chair.clone(),
        "PYDWM" => r.training_unit_code.clone(),
        "XWLBM" => r.degree_kind_code.clone(),
        "ZYDM" => r.major_code.clone(),
        "ZSZYMC" => r.certificate_major.clone(),
        "KSH" => r.examinee_no.clone(),
        "RXNY" => month(r.enrolled_on),
        "BYNY" => month(r.graduated_on),
        "LWTM" => r.thesis_title.clone(),
        "HXWRQ" => digits(r.awarded_on),
        "XWZSBH" => r.certificate_no.clone(),
        _ => String::new(),
    };
    columns.iter().map(cell).collect()
}

/// `YYYYMMDD`.
fn digits(day: Option<NaiveDate>) -> String {
    day.map(|day| day.format("%Y%m%d").to_string()).unwrap_or_default()
}

/// `YYYYMM`.
fn month(day: Option<NaiveDate>) -> String {
    day.map(|day| day.format("%Y%m").to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{DEGREE_COLUMNS, REGISTER_COLUMNS};

    #[test]
    fn days_are_digits_and_columns_stand_as_they_were_chosen() {
        let who = RegisterRow {
            name: "张三".to_owned(),
            birthday: "1990-01-05".parse().ok(),
            id_card_no: "110101199001051234".to_owned(),
            ..RegisterRow::default()
        };
        let columns = ["CSRQ", "XM", "SFZH", "?"].map(ToOwned::to_owned);
        assert_eq!(row(&columns, &who), ["19900105", "张三", "110101199001051234", ""]);
    }

    /// A value for every word that a school may choose.
    #[test]
    fn no_column_is_always_empty() {
        let day = "2028-07-10".parse().ok();
        let x = || "x".to_owned();
        let who = RegisterRow {
            examinee_no: x(),
            student_no: x(),
            name: x(),
            gender: x(),
            birthday: day,
            id_card_no: x(),
            ethnicity: x(),
            political_status: x(),
            major_code: x(),
            major_name: x(),
            level: x(),
            schooling_years: x(),
            study_form: x(),
            enrolled_on: day,
            graduated_on: day,
            branch: x(),
            department: x(),
            class: x(),
            conclusion: x(),
            certificate_no: x(),
            principal: x(),
        };
        let words =
            |options: &[(&str, &str)]| options.iter().map(|(word, _)| (*word).to_owned()).collect::<Vec<String>>();
        assert!(row(&words(REGISTER_COLUMNS), &who).iter().all(|cell| !cell.is_empty()));
        let who = DegreeRow {
            name: x(),
            name_pinyin: x(),
            gender_code: x(),
            ethnicity_code: x(),
            political_code: x(),
            birthday: day,
            id_card_type_code: x(),
            id_card_no: x(),
            unit_code: x(),
            principal: x(),
            chair: x(),
            training_unit_code: x(),
            degree_kind_code: x(),
            major_code: x(),
            certificate_major: x(),
            examinee_no: x(),
            enrolled_on: day,
            graduated_on: day,
            thesis_title: x(),
            awarded_on: day,
            certificate_no: x(),
        };
        assert!(degree_row(&words(DEGREE_COLUMNS), &who).iter().all(|cell| !cell.is_empty()));
    }
}
