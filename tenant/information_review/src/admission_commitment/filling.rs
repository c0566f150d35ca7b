//! What 入学资格审查 asks for: the former education with its evidence, and the 承诺书 (02 §11.1).

use chrono::{Datelike, NaiveDate};
use infra::{Error, FieldError, Result, Tx};
use student_status::student::Student;

use crate::{
    content::{AdmissionCommitmentContent, AdmissionCommitmentForm},
    enums::DiplomaEvidence,
    information::{
        held::Form,
        submit::{ATTACHMENT, Collecting, Filled, promise, stored},
    },
};

/// From this year on diplomas are registered, with numbers of 17 or 18 digits.
const NUMBERED_FROM: i32 = 2002;

/// The form as it is stored; complete, where it is handed in. `school` is how the 承诺书 calls the school.
///
/// # Errors
/// 422 at each field that is missing or wrong; 409 when the school has no 承诺书 for the grade yet.
pub(super) async fn filled(
    tx: &mut Tx,
    form: AdmissionCommitmentForm,
    (before, student): (&Form, &Student),
    (asked, school): (Option<&Collecting>, &str),
) -> Result<Filled> {
    let content = AdmissionCommitmentContent {
        pre_edu_level: form.pre_edu_level,
        pre_edu_school: told(form.pre_edu_school.as_deref()),
        pre_edu_major: told(form.pre_edu_major.as_deref()),
        pre_edu_certificate_no: told(form.pre_edu_certificate_no.as_deref()),
        pre_edu_graduated_on: form.pre_edu_graduated_on,
        evidence_kind: form.evidence_kind,
        verify_code: told(form.verify_code.as_deref()),
        report_no: told(form.report_no.as_deref()),
    };
    let (mut commitment, mut warnings) = (None, Vec::new());
    if form.submit {
        let from_associate = sqlx::query_scalar!(
            r#"select entry_level = 'associate_to_bachelor' as "yes!" from level where id = $1"#,
            student.level_id
        )
        .fetch_one(&mut **tx)
        .await?;
        let attached = form.files.iter().any(|file| file.kind == ATTACHMENT);
        let mut wrong = wrong(&content, student.enrolled_on, from_associate);
        if !attached {
            wrong.push(at("files", "请上传证明材料"));
        }
        if !form.signed && before.commitment_text.is_none() {
            wrong.push(at("signed", "请阅读并签署承诺书"));
        }
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
        warnings.extend(number_warning(&content));
        // What was signed stays as it was signed, unless it is signed anew.
        if form.signed {
            let asked = asked.and_then(|asked| Some((asked.template_version, asked.template_text.as_deref()?)));
            let (version, template) =
                asked.ok_or_else(|| Error::conflict("学校尚未设置该年级的承诺书，请先在采集设置中填写"))?;
            commitment = Some((version, promise(template, school, student)));
        }
    }
    Ok(Filled {
        submit: form.submit,
        content: stored(&content),
        files: form.files,
        signature: form.signature,
        evidence_kind: form.evidence_kind,
        commitment,
        warnings,
        ..Filled::default()
    })
}

fn told(text: Option<&str>) -> Option<String> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(ToOwned::to_owned)
}

fn at(field: &str, message: &str) -> FieldError {
    FieldError { field: field.to_owned(), message: message.to_owned() }
}

/// What is missing or wrong of the former education and its evidence; whoever comes from 专科 states all of it.
fn wrong(content: &AdmissionCommitmentContent, enrolled_on: NaiveDate, from_associate: bool) -> Vec<FieldError> {
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
fn number_warning(content: &AdmissionCommitmentContent) -> Option<String> {
    let number = content.pre_edu_certificate_no.as_deref()?;
    let registered = content.pre_edu_graduated_on.is_some_and(|day| day.year() >= NUMBERED_FROM);
    let usual = (17..=18).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    (registered && !usual).then(|| format!("毕业证书号“{number}”不是17或18位数字，请核对"))
}

#[cfg(test)]
mod tests {
    use student_status::enums::PreEduLevel;

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
