//! What 入学资格审查 asks of the former education and its evidence (02 §11.1).

use chrono::{Datelike, NaiveDate};
use infra::FieldError;

use crate::{content::AdmissionCommitmentContent, enums::DiplomaEvidence};

/// From this year on diplomas are registered, with numbers of 17 or 18 digits.
const NUMBERED_FROM: i32 = 2002;

/// A mistake at a field.
pub fn at(field: &str, message: &str) -> FieldError {
    FieldError { field: field.to_owned(), message: message.to_owned() }
}

/// What is missing or wrong of the former education and its evidence; whoever comes from 专科 states all of it.
pub fn wrong(content: &AdmissionCommitmentContent, enrolled_on: NaiveDate, from_associate: bool) -> Vec<FieldError> {
    let mut wrong = Vec::new();
    if from_associate {
        let missing = [
            ("preEduLevel", "请选择入学前学历", content.pre_edu_level.is_none()),
            ("preEduSchool", "请填写毕业院校", content.pre_edu_school.is_none()),
            ("preEduMajor", "请填写所学专业", content.pre_edu_major.is_none()),
            ("preEduCertificateNo", "请填写毕业证书号", content.pre_edu_certificate_no.is_none()),
            ("preEduGraduatedOn", "请填写毕业日期", content.pre_edu_graduated_on.is_none()),
        ];
        wrong.extend(
            missing.into_iter().filter(|(_, _, missing)| *missing).map(|(field, message, _)| at(field, message)),
        );
    }
    if content.pre_edu_graduated_on.is_some_and(|day| day >= enrolled_on) {
        wrong.push(at("preEduGraduatedOn", "毕业日期应早于入学日期"));
    }
    match content.evidence_kind {
        None => wrong.push(at("evidenceKind", "请选择证明方式")),
        Some(DiplomaEvidence::OnlineCode) => {
            let right = content.verify_code.as_deref().is_some_and(|code| {
                (12..=18).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
            });
            if !right {
                wrong.push(at("verifyCode", "在线验证码应为12至18位字母或数字"));
            }
        }
        Some(DiplomaEvidence::Report) if content.report_no.is_none() => wrong.push(at("reportNo", "请填写报告编号")),
        Some(
            DiplomaEvidence::Report
            | DiplomaEvidence::DiplomaCopy
            | DiplomaEvidence::HighSchool
            | DiplomaEvidence::Equivalent,
        ) => {}
    }
    wrong
}

/// A number of another shape than diplomas have since 2002.
pub fn number_warning(content: &AdmissionCommitmentContent) -> Option<String> {
    let number = content.pre_edu_certificate_no.as_deref()?;
    let registered = content.pre_edu_graduated_on.is_some_and(|day| day.year() >= NUMBERED_FROM);
    let usual = (17..=18).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    (registered && !usual).then(|| format!("毕业证书号“{number}”不是17或18位数字，请核对"))
}

#[cfg(test)]
mod tests {
    use student_status_rules::enums::PreEduLevel;

    use super::*;

    fn whole() -> AdmissionCommitmentContent {
        AdmissionCommitmentContent {
            pre_edu_level: Some(PreEduLevel::Associate),
            pre_edu_school: Some("湖北职业技术学院".to_owned()),
            pre_edu_major: Some("会计".to_owned()),
            pre_edu_certificate_no: Some("123456202306000123".to_owned()),
            pre_edu_graduated_on: "2023-06-30".parse().ok(),
            evidence_kind: Some(DiplomaEvidence::OnlineCode),
            verify_code: Some("AB12CD34EF56".to_owned()),
            report_no: None,
        }
    }

    fn told_of(content: &AdmissionCommitmentContent, from_associate: bool) -> Vec<String> {
        let enrolled_on = "2026-03-01".parse().expect("a day");
        wrong(content, enrolled_on, from_associate).into_iter().map(|wrong| wrong.field).collect()
    }

    #[test]
    fn who_comes_from_an_associate_degree_states_it_whole() {
        assert!(told_of(&whole(), true).is_empty());
        let without = AdmissionCommitmentContent { pre_edu_certificate_no: None, ..whole() };
        assert_eq!(told_of(&without, true), ["preEduCertificateNo"]);
        assert!(told_of(&without, false).is_empty());
        let late = AdmissionCommitmentContent { pre_edu_graduated_on: "2026-03-01".parse().ok(), ..whole() };
        assert_eq!(told_of(&late, true), ["preEduGraduatedOn"]);
    }

    #[test]
    fn each_kind_of_evidence_has_its_number() {
        let of = |evidence_kind, verify_code: Option<&str>, report_no: Option<&str>| {
            let (verify_code, report_no) = (verify_code.map(str::to_owned), report_no.map(str::to_owned));
            told_of(&AdmissionCommitmentContent { evidence_kind, verify_code, report_no, ..whole() }, true)
        };
        assert_eq!(of(None, None, None), ["evidenceKind"]);
        assert_eq!(of(Some(DiplomaEvidence::OnlineCode), Some("AB12CD34EF5"), None), ["verifyCode"]);
        assert_eq!(of(Some(DiplomaEvidence::Report), None, None), ["reportNo"]);
        assert!(of(Some(DiplomaEvidence::Report), None, Some("R1")).is_empty());
        assert!(of(Some(DiplomaEvidence::DiplomaCopy), None, None).is_empty());
    }

    #[test]
    fn an_unusual_number_is_worth_a_look_since_2002() {
        let told = |number: &str, on: &str| {
            number_warning(&AdmissionCommitmentContent {
                pre_edu_certificate_no: Some(number.to_owned()),
                pre_edu_graduated_on: on.parse().ok(),
                ..whole()
            })
        };
        assert!(told("123456202306000123", "2023-06-30").is_none());
        assert!(told("9900123", "2001-06-30").is_none());
        assert!(told("9900123", "2002-06-30").is_some());
    }
}
