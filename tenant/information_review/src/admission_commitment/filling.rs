//! What 入学资格审查 asks for: the former education with its evidence, and the 承诺书 (02 §11.1).

use information_review_rules::{
    former_education::{at, number_warning, wrong},
    papers::ATTACHMENT,
};
use infra::{Error, Result, Tx};
use student_status::student::Student;

use crate::{
    content::{AdmissionCommitmentContent, AdmissionCommitmentForm},
    information::{
        held::Form,
        submit::{Collecting, Filled, promise, stored},
    },
};

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
