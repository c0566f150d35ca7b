//! How the columns of a file are understood (02 §6.4, §14.1).

use enrolment_rules::mapping::{EnrollmentColumn, EnrollmentField, EnrollmentValue};
use infra::{Error, Result, body};
use poem_openapi::Object;
use serde_json::{Value, json};

/// Names that provinces give to a column beside that of the batch's map (02 §14.1), and what people call it.
const OTHERWISE: [(EnrollmentField, &[&str]); 25] = [
    (EnrollmentField::ExamineeNo, &["KSH", "考生号"]),
    (EnrollmentField::TicketNo, &["ZKZH", "准考证号"]),
    (EnrollmentField::Name, &["XM", "姓名"]),
    (EnrollmentField::Gender, &["XBDM", "XB", "性别", "性别代码"]),
    (EnrollmentField::Birthday, &["CSRQ", "出生日期"]),
    (EnrollmentField::IdCardNo, &["SFZH", "ZJHM", "身份证号", "证件号"]),
    (EnrollmentField::Ethnicity, &["MZDM", "MZ", "民族", "民族代码"]),
    (EnrollmentField::PoliticalStatus, &["ZZMMDM", "ZZMM", "政治面貌", "政治面貌代码"]),
    (EnrollmentField::ExamCategory, &["ZYLBDM", "BKZYSXDM", "KLDM", "科类", "科类代码"]),
    (EnrollmentField::PreEduLevel, &["WHCDDM", "WHCD", "文化程度", "文化程度代码"]),
    (EnrollmentField::PreEduSchool, &["BYXX", "毕业学校", "毕业院校"]),
    (EnrollmentField::PreEduGraduatedOn, &["BYRQ", "毕业日期"]),
    (EnrollmentField::WorkStartedOn, &["GZRQ", "参加工作日期"]),
    (EnrollmentField::Phone, &["LXDH", "联系电话", "电话", "手机"]),
    (EnrollmentField::Address, &["TXDZ", "通知书地址", "通讯地址"]),
    (EnrollmentField::PostalCode, &["YZBM", "邮编", "邮政编码"]),
    (EnrollmentField::AuthorityCode, &["LQZY", "LQZYDH", "LQZYDM", "录取专业代码"]),
    (EnrollmentField::AuthorityName, &["LQZYMC", "ZYMC", "录取专业名称", "录取专业"]),
    (EnrollmentField::Level, &["CCDM", "CC", "层次", "层次代码"]),
    (EnrollmentField::StudyForm, &["XXXSDM", "XXXS", "学习形式", "学习形式代码"]),
    (EnrollmentField::SchoolingYears, &["XZ", "学制"]),
    (EnrollmentField::TotalScore, &["ZF", "总分"]),
    (EnrollmentField::BonusScore, &["CJX91", "照顾分"]),
    (EnrollmentField::AdmittedOn, &["LQRQ", "录取日期"]),
    (EnrollmentField::Site, &["BXDW", "办学单位", "教学点", "教学站点"]),
];

/// What is said beside a file of its columns and codes.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct AdmissionMaps {
    /// 字段映射
    #[oai(default, validator(max_items = 50))]
    pub column_map: Vec<EnrollmentColumn>,
    /// 代码映射
    #[oai(default, validator(max_items = 1000))]
    pub value_maps: Vec<EnrollmentValue>,
}

impl AdmissionMaps {
    /// From the texts of a form.
    ///
    /// # Errors
    /// 422 at `columnMap` or `valueMaps` for what is no map.
    pub fn parse(columns: Option<&str>, values: Option<&str>) -> Result<Self> {
        let of = |field: &str, text: Option<&str>| match text {
            None | Some("") => Ok(json!([])),
            Some(text) => {
                serde_json::from_str::<Value>(text).map_err(|_| Error::field(field, "映射的格式不正确，请重新选择文件"))
            }
        };
        body::check(json!({ "columnMap": of("columnMap", columns)?, "valueMaps": of("valueMaps", values)? }))
    }
}

/// The columns that the file has for the fields: what the batch's map says, else a usual name.
pub fn proposed(standing: &[EnrollmentColumn], headings: &[String]) -> Vec<EnrollmentColumn> {
    let found = |name: &str| headings.iter().find(|heading| heading.eq_ignore_ascii_case(name));
    OTHERWISE
        .iter()
        .filter_map(|(field, names)| {
            let known = standing.iter().filter(|entry| entry.field == *field).map(|entry| entry.column.as_str());
            let column = known.chain(names.iter().copied()).find_map(found)?;
            Some(EnrollmentColumn { field: *field, column: column.clone() })
        })
        .collect()
}

/// CJX01 … CJX93.
pub fn is_score(heading: &str) -> bool {
    let name = heading.to_uppercase();
    name.strip_prefix("CJX").is_some_and(|no| no.len() == 2 && no.bytes().all(|digit| digit.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_the_batch_then_by_usual_names() {
        let headings = ["ksh", "姓名", "XB", "DH", "LXDH"].map(ToOwned::to_owned);
        let standing = [EnrollmentColumn { field: EnrollmentField::Phone, column: "DH".to_owned() }];
        let found: Vec<(EnrollmentField, String)> =
            proposed(&standing, &headings).into_iter().map(|entry| (entry.field, entry.column)).collect();
        let wanted = [
            (EnrollmentField::ExamineeNo, "ksh"),
            (EnrollmentField::Name, "姓名"),
            (EnrollmentField::Gender, "XB"),
            (EnrollmentField::Phone, "DH"),
        ];
        assert_eq!(found, wanted.map(|(field, column)| (field, column.to_owned())));
    }

    #[test]
    fn maps_come_as_texts_of_a_form() {
        assert_eq!(AdmissionMaps::parse(None, Some("")).ok(), Some(AdmissionMaps::default()));
        let maps = AdmissionMaps::parse(Some(r#"[{"field":"name","column":"XM"}]"#), None).expect("a map");
        assert_eq!(maps.column_map, [EnrollmentColumn { field: EnrollmentField::Name, column: "XM".to_owned() }]);
        assert_eq!(AdmissionMaps::parse(Some("{"), None).expect_err("no JSON").code, 422);
        assert!(is_score("cjx01") && !is_score("CJX1") && !is_score("ZF"));
    }
}
