//! 字段映射, 代码映射: how the authority's file is read, which differs from province to province (02 §14.1).

use std::collections::HashSet;

use infra::{Error, Result, enumeration};
use majors::major::StudyForm;
use people::id_card::Gender;
use poem_openapi::Object;
use student_status::enums::{ExamCategory, PreEduLevel};

enumeration! {
    /// 录取数据的字段
    pub enum EnrollmentField = "enrollmentField" {
        ExamineeNo = "examinee_no" "考生号",
        TicketNo = "ticket_no" "准考证号",
        Name = "name" "姓名",
        Gender = "gender" "性别",
        Birthday = "birthday" "出生日期",
        IdCardNo = "id_card_no" "身份证号",
        Ethnicity = "ethnicity" "民族",
        PoliticalStatus = "political_status" "政治面貌",
        ExamCategory = "exam_category" "科类",
        PreEduLevel = "pre_edu_level" "文化程度",
        PreEduSchool = "pre_edu_school" "毕业学校",
        PreEduGraduatedOn = "pre_edu_graduated_on" "毕业日期",
        WorkStartedOn = "work_started_on" "参加工作日期",
        Phone = "phone" "电话",
        Address = "address" "通知书地址",
        PostalCode = "postal_code" "邮编",
        AuthorityCode = "authority_code" "录取专业代码",
        AuthorityName = "authority_name" "录取专业名称",
        Level = "level" "层次",
        StudyForm = "study_form" "学习形式",
        SchoolingYears = "schooling_years" "学制",
        TotalScore = "total_score" "总分",
        BonusScore = "bonus_score" "照顾分",
        AdmittedOn = "admitted_on" "录取日期",
        Site = "site" "办学单位",
    }
}

/// The columns as most provinces name them.
const USUAL: [(EnrollmentField, &str); 25] = [
    (EnrollmentField::ExamineeNo, "KSH"),
    (EnrollmentField::TicketNo, "ZKZH"),
    (EnrollmentField::Name, "XM"),
    (EnrollmentField::Gender, "XBDM"),
    (EnrollmentField::Birthday, "CSRQ"),
    (EnrollmentField::IdCardNo, "SFZH"),
    (EnrollmentField::Ethnicity, "MZDM"),
    (EnrollmentField::PoliticalStatus, "ZZMMDM"),
    (EnrollmentField::ExamCategory, "ZYLBDM"),
    (EnrollmentField::PreEduLevel, "WHCDDM"),
    (EnrollmentField::PreEduSchool, "BYXX"),
    (EnrollmentField::PreEduGraduatedOn, "BYRQ"),
    (EnrollmentField::WorkStartedOn, "GZRQ"),
    (EnrollmentField::Phone, "LXDH"),
    (EnrollmentField::Address, "TXDZ"),
    (EnrollmentField::PostalCode, "YZBM"),
    (EnrollmentField::AuthorityCode, "LQZY"),
    (EnrollmentField::AuthorityName, "LQZYMC"),
    (EnrollmentField::Level, "CCDM"),
    (EnrollmentField::StudyForm, "XXXSDM"),
    (EnrollmentField::SchoolingYears, "XZ"),
    (EnrollmentField::TotalScore, "ZF"),
    (EnrollmentField::BonusScore, "CJX91"),
    (EnrollmentField::AdmittedOn, "LQRQ"),
    (EnrollmentField::Site, "BXDW"),
];

/// Without these nobody can be taken over (02 §6.4).
const REQUIRED: [EnrollmentField; 7] = [
    EnrollmentField::ExamineeNo,
    EnrollmentField::Name,
    EnrollmentField::Gender,
    EnrollmentField::Birthday,
    EnrollmentField::IdCardNo,
    EnrollmentField::AuthorityCode,
    EnrollmentField::Level,
];

/// A field and its column in the authority's file.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct EnrollmentColumn {
    /// 字段
    pub field: EnrollmentField,
    /// 来源列
    #[oai(validator(min_length = 1, max_length = 40))]
    pub column: String,
}

/// What a code of the authority means here.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct EnrollmentValue {
    /// 字段
    pub field: EnrollmentField,
    /// 招办代码
    #[oai(validator(min_length = 1, max_length = 20))]
    pub code: String,
    /// 对应值
    /// 层次为层次编号，其他为该字段的选项
    #[oai(validator(min_length = 1, max_length = 30))]
    pub value: String,
}

pub fn usual_columns() -> Vec<EnrollmentColumn> {
    USUAL.map(|(field, column)| EnrollmentColumn { field, column: column.to_owned() }).into()
}

/// Levels have no usual codes: they differ, and are confirmed once for each batch.
pub fn usual_values() -> Vec<EnrollmentValue> {
    let of = |code: &str, gender: Gender| EnrollmentValue {
        field: EnrollmentField::Gender,
        code: code.to_owned(),
        value: gender.as_str().to_owned(),
    };
    vec![of("1", Gender::Male), of("2", Gender::Female)]
}

/// The maps as the trail tells them, a line an entry.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct Told {
    /// 字段映射
    column_map: Vec<String>,
    /// 代码映射
    value_maps: Vec<String>,
}

impl Told {
    pub fn of(columns: &[EnrollmentColumn], values: &[EnrollmentValue]) -> Self {
        Self {
            column_map: columns.iter().map(|entry| format!("{}：{}", entry.field.zh(), entry.column)).collect(),
            value_maps: values
                .iter()
                .map(|entry| format!("{} {}：{}", entry.field.zh(), entry.code, entry.value))
                .collect(),
        }
    }

    /// The maps that are told so; none for lines that tell none.
    pub fn read(&self) -> Option<(Vec<EnrollmentColumn>, Vec<EnrollmentValue>)> {
        let field = |word: &str| EnrollmentField::CHOICES.iter().find(|(zh, _)| *zh == word).map(|(_, field)| *field);
        let columns = self.column_map.iter().map(|line| {
            let (word, column) = line.split_once('：')?;
            Some(EnrollmentColumn { field: field(word)?, column: column.to_owned() })
        });
        let values = self.value_maps.iter().map(|line| {
            let (word, entry) = line.split_once(' ')?;
            // A value is a number or a word of ours; the authority's code may be anything.
            let (code, value) = entry.rsplit_once('：')?;
            Some(EnrollmentValue { field: field(word)?, code: code.to_owned(), value: value.to_owned() })
        });
        Some((columns.collect::<Option<_>>()?, values.collect::<Option<_>>()?))
    }
}

/// # Errors
/// 422 for a field without its column, and for one that is mapped twice.
pub fn check_columns(columns: &[EnrollmentColumn]) -> Result<()> {
    let mut seen = HashSet::new();
    let mut used = HashSet::new();
    for entry in columns {
        if !seen.insert(entry.field.as_str()) {
            return Err(Error::field("columnMap", format!("“{}”只能映射一次", entry.field.zh())));
        }
        if !used.insert(entry.column.to_uppercase()) {
            return Err(Error::field("columnMap", format!("来源列“{}”只能使用一次", entry.column)));
        }
    }
    let missing: Vec<&str> =
        REQUIRED.into_iter().filter(|field| !seen.contains(field.as_str())).map(EnrollmentField::zh).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(Error::field("columnMap", format!("请填写{}的来源列", missing.join("、"))))
    }
}

/// Whether the value is one of its field's; the level's are looked up elsewhere.
pub fn is_known(entry: &EnrollmentValue) -> bool {
    let two_digits = entry.value.len() == 2 && entry.value.bytes().all(|digit| digit.is_ascii_digit());
    match entry.field {
        EnrollmentField::Level => entry.value.parse::<i64>().is_ok(),
        EnrollmentField::StudyForm => StudyForm::parse(&entry.value).is_some(),
        EnrollmentField::Gender => Gender::parse(&entry.value).is_some(),
        EnrollmentField::ExamCategory => ExamCategory::parse(&entry.value).is_some(),
        EnrollmentField::PreEduLevel => PreEduLevel::parse(&entry.value).is_some(),
        EnrollmentField::Ethnicity | EnrollmentField::PoliticalStatus => two_digits,
        _ => false,
    }
}

/// A column that is another field's now is no longer the one's that had it.
pub fn merge_columns(standing: &[EnrollmentColumn], sent: &[EnrollmentColumn]) -> Vec<EnrollmentColumn> {
    let fields: HashSet<&str> = sent.iter().map(|entry| entry.field.as_str()).collect();
    let columns: HashSet<String> = sent.iter().map(|entry| entry.column.to_uppercase()).collect();
    let kept = standing
        .iter()
        .filter(|entry| !fields.contains(entry.field.as_str()) && !columns.contains(&entry.column.to_uppercase()));
    kept.chain(sent).cloned().collect()
}

/// Of the codes of a field, those that were sent; the others as they stand.
pub fn merge_values(standing: &[EnrollmentValue], sent: &[EnrollmentValue]) -> Vec<EnrollmentValue> {
    let key = |entry: &EnrollmentValue| (entry.field.as_str(), entry.code.to_uppercase());
    let codes: HashSet<_> = sent.iter().map(key).collect();
    standing.iter().filter(|entry| !codes.contains(&key(entry))).chain(sent).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_is_known_by_has_a_column() {
        assert!(check_columns(&usual_columns()).is_ok());
        let without: Vec<_> =
            usual_columns().into_iter().filter(|entry| entry.field != EnrollmentField::Level).collect();
        let refused = check_columns(&without).expect_err("no level");
        assert!(refused.data.to_string().contains("请填写层次的来源列"), "{refused:?}");
        let mut twice = usual_columns();
        twice[1].column = "ksh".to_owned();
        assert!(check_columns(&twice).expect_err("a column twice").data.to_string().contains("只能使用一次"));
    }

    #[test]
    fn a_code_means_what_its_field_has() {
        let known = |field, value: &str| is_known(&EnrollmentValue { field, code: "1".into(), value: value.into() });
        assert!(known(EnrollmentField::Gender, "male") && !known(EnrollmentField::Gender, "男"));
        assert!(known(EnrollmentField::Ethnicity, "01") && !known(EnrollmentField::Ethnicity, "1"));
        assert!(known(EnrollmentField::Level, "12") && !known(EnrollmentField::Name, "12"));
    }

    #[test]
    fn maps_are_read_as_they_are_told() {
        let odd = EnrollmentValue { field: EnrollmentField::Level, code: "2 ：A".to_owned(), value: "7".to_owned() };
        let values: Vec<EnrollmentValue> = usual_values().into_iter().chain([odd]).collect();
        assert_eq!(Told::of(&usual_columns(), &values).read(), Some((usual_columns(), values)));
    }

    #[test]
    fn what_was_not_sent_keeps_its_map() {
        let column = |field, column: &str| EnrollmentColumn { field, column: column.to_owned() };
        let standing = usual_columns();
        assert_eq!(merge_columns(&standing, &[]), standing);
        // 电话 comes in the column of 邮编, which then has none.
        let merged = merge_columns(&standing, &[column(EnrollmentField::Phone, "yzbm")]);
        assert_eq!(merged.len(), standing.len() - 1);
        assert!(merged.contains(&column(EnrollmentField::Phone, "yzbm")));
        assert!(merged.contains(&column(EnrollmentField::Name, "XM")));
        let value = |code: &str, value: &str| EnrollmentValue {
            field: EnrollmentField::Level,
            code: code.to_owned(),
            value: value.to_owned(),
        };
        let merged = merge_values(&[value("1", "7"), value("2", "8")], &[value("2", "9")]);
        assert_eq!(merged, [value("1", "7"), value("2", "9")]);
    }
}
