//! Filling a form in: by the student while it is collected, or by staff from a form that the student signed on paper (02 §11.2).

use std::collections::BTreeMap;

use corrections::correction::{CorrectionEvidenceForm, CorrectionForm, CorrectionKind};
use field_attributes::stage::{Given, StageFields};
use information_review_rules::papers::PAPER;
use infra::{Change, Error, FieldError, Result, Scope, Tx, Warned, clock::Moment, mask};
use poem_openapi::types::{Any, ToJSON};
use serde_json::{Map, Value, json};
use sqlx::{PgConnection, types::Json};
use student_status::{album::keep_copy, enums::PhotoKind, student::Student};

use super::{
    held::{Form, counts, note, write},
    items, papers,
};
use crate::{
    content::{CheckedItem, InformationFileForm},
    enums::{DiplomaEvidence, InformationKind, InformationStage, InformationStatus, InformationSubmitter},
};

/// Who fills a form in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Hand<'a> {
    /// The student, from an address; whether the client has compared the face; the account that acts in the student's place.
    Student {
        ip: &'a str,
        face: bool,
        account: Option<i64>,
    },
    Staff(&'a Scope),
}

/// What the school asks of the students of a grade.
#[derive(Debug, Clone)]
pub(crate) struct Collecting {
    pub opens_at: Moment,
    pub closes_at: Moment,
    pub template_text: Option<String>,
    pub template_version: i32,
    pub require_signature: bool,
    pub require_face: bool,
}

impl Collecting {
    pub fn is_open(&self, now: Moment) -> bool {
        self.opens_at <= now && now < self.closes_at
    }
}

/// The enabled window of a kind and grade, open or not.
///
/// # Errors
/// Those of the database.
pub(crate) async fn collecting(
    connection: &mut PgConnection,
    kind: InformationKind,
    grade: i64,
) -> Result<Option<Collecting>> {
    let found = sqlx::query_as!(
        Collecting,
        r#"select w.opens_at, w.closes_at, w.template_text, w.template_version, w.require_signature, w.require_face
           from information_window_grade g join information_window w on w.id = g.information_window_id
           where g.kind = $1 and g.grade_id = $2 and g.enabled"#,
        kind.as_str(),
        grade
    )
    .fetch_optional(connection)
    .await?;
    Ok(found)
}

/// 承诺书 with the student's data in the places of `{name} {idCardNo} {school} {level} {major}`.
pub(crate) fn promise(template: &str, school: &str, student: &Student) -> String {
    template
        .replace("{name}", &student.name)
        .replace("{idCardNo}", &student.id_card_no)
        .replace("{school}", school)
        .replace("{level}", &student.level_name)
        .replace("{major}", &student.major_name)
}

/// The 承诺书 as the student would sign it now, with the version of its text; none where the school has none.
///
/// # Errors
/// Those of the database.
pub(crate) async fn commitment_as_of(
    connection: &mut PgConnection,
    school: &str,
    student: &Student,
) -> Result<Option<(i32, String)>> {
    let asked = collecting(connection, InformationKind::AdmissionCommitment, student.grade_id).await?;
    Ok(asked.and_then(|asked| Some((asked.template_version, promise(&asked.template_text?, school, student)))))
}

/// A form of one group, on its way to be stored.
#[derive(Debug, Default)]
pub(crate) struct Filled {
    pub submit: bool,
    pub content: Value,
    pub items: Vec<CheckedItem>,
    pub files: Vec<InformationFileForm>,
    pub signature: Option<String>,
    /// 入学照片 that is handed in.
    pub photo: Option<String>,
    /// For the correction that wrong items open.
    pub evidence: Vec<CorrectionEvidenceForm>,
    pub evidence_kind: Option<DiplomaEvidence>,
    /// 承诺书 as it is signed.
    pub commitment: Option<(i32, String)>,
    pub warnings: Vec<String>,
}

/// Whether a form may be filled in now.
///
/// # Errors
/// 409 when it is decided, not collected, or its student is not active any more.
pub(crate) fn may_fill(
    before: &Form,
    student: &Student,
    asked: Option<&Collecting>,
    hand: Hand<'_>,
    (submit, now): (bool, Moment),
) -> Result<()> {
    counts(student, "填写")?;
    match before.status {
        InformationStatus::ClassPassed | InformationStatus::Approved => {
            return Err(Error::conflict("已审核，不能修改"));
        }
        InformationStatus::Submitted if !submit => return Err(Error::conflict("已提交待审核，修改后请重新提交")),
        // What a student signed is not written over.
        InformationStatus::Submitted
            if matches!(hand, Hand::Staff(_)) && before.submitted_by == Some(InformationSubmitter::Student) =>
        {
            return Err(Error::conflict("学生已提交，请先退回再代填"));
        }
        InformationStatus::NotSubmitted | InformationStatus::Submitted | InformationStatus::Returned => {}
    }
    match hand {
        Hand::Student { .. } if !asked.is_some_and(|asked| asked.is_open(now)) => Err(Error::conflict("采集未开放")),
        Hand::Student { .. } | Hand::Staff(_) => Ok(()),
    }
}

/// What a form must come with besides what its group asks for.
fn signed_wrong(filled: &Filled, asked: Option<&Collecting>, hand: Hand<'_>) -> Vec<FieldError> {
    let at = |field: &str, message: &str| FieldError { field: field.to_owned(), message: message.to_owned() };
    let mut wrong = Vec::new();
    match hand {
        Hand::Student { face, .. } => {
            // Each time: a signature stands under what was signed, and under nothing else.
            if asked.is_some_and(|asked| asked.require_signature) && filled.signature.is_none() {
                wrong.push(at("signature", "请签名"));
            }
            if asked.is_some_and(|asked| asked.require_face) && !face {
                wrong.push(at("faceVerified", "请先完成人脸核验"));
            }
        }
        Hand::Staff(_) => {
            if !filled.files.iter().any(|file| file.kind == PAPER) {
                wrong.push(at("files", "代填请上传学生本人签字的纸质表扫描件"));
            }
        }
    }
    wrong
}

/// Stores what was filled in, and hands it in where it is wanted.
///
/// # Errors
/// 422 at each field that is missing or wrong; 409 as the correction that wrong items open.
pub(crate) async fn fill(
    tx: &mut Tx,
    before: &Form,
    student: &Student,
    filled: Filled,
    asked: Option<&Collecting>,
    hand: Hand<'_>,
) -> Result<(Warned, Change)> {
    if filled.submit {
        let wrong = signed_wrong(&filled, asked, hand);
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
    }
    let files: Vec<InformationFileForm> = filled.files;
    let used = files.iter().map(|file| ("files", file.key.as_str()));
    let used = used.chain(filled.evidence.iter().map(|paper| ("evidence", paper.key.as_str())));
    let used = used.chain(filled.photo.as_deref().map(|key| ("enrolPhoto", key)));
    papers::once(used.chain(filled.signature.as_deref().map(|key| ("signature", key))))?;
    let now = tx.app().clock().now();
    let mut form = before.clone();
    form.content = Json(filled.content);
    form.evidence_kind = filled.evidence_kind;
    let mut gone = Vec::new();
    if let Some(key) = &filled.photo {
        gone.extend(papers::key_of(tx, before.photo_id).await?);
        form.photo_id = Some(photographed(tx, key, before).await?);
        gone.push(key.clone());
    }
    let kept = papers::of(tx, before.id).await?;
    let files = with_papers(files, &kept, hand);
    gone.extend(papers::set(tx, before.id, &files).await?);
    match (&filled.signature, hand) {
        (Some(_), Hand::Staff(_)) => return Err(Error::field("signature", "代填不能代替学生签名，请上传纸质表扫描件")),
        (Some(key), Hand::Student { ip, .. }) => {
            gone.extend(papers::key_of(tx, before.signature_id).await?);
            form.signature_id = Some(papers::signed(tx, before.id, key).await?);
            (form.signed_at, form.sign_ip) = (Some(now), Some(ip.to_owned()));
        }
        (None, Hand::Student { .. }) => {}
        (None, Hand::Staff(_)) if filled.submit => {
            gone.extend(papers::key_of(tx, before.signature_id).await?);
            (form.signature_id, form.signed_at, form.sign_ip) = (None, None, None);
        }
        (None, Hand::Staff(_)) => {}
    }
    let mut warnings = Vec::new();
    if filled.submit {
        if let Some((version, text)) = filled.commitment {
            (form.commitment_version, form.commitment_text) = (Some(version), Some(text));
            form.signed_at = Some(now);
            if let Hand::Student { ip, .. } = hand {
                form.sign_ip = Some(ip.to_owned());
            }
        }
        form.status = InformationStatus::Submitted;
        form.submitted_at = Some(now);
        form.submitted_by = Some(match hand {
            Hand::Student { .. } => InformationSubmitter::Student,
            Hand::Staff(_) => InformationSubmitter::Staff,
        });
        form.mismatches =
            i32::try_from(filled.items.iter().filter(|item| !item.ok).count()).map_err(Error::internal)?;
        (form.class_review_by, form.class_review_at, form.class_review_remark) = (None, None, None);
        (form.reviewed_by, form.reviewed_at) = (None, None);
        form.warnings.clone_from(&filled.warnings);
        warnings = filled.warnings;
        form.correction_id = correct(tx, student, &filled.items, filled.evidence, (before, hand)).await?;
        note(tx, form.id, InformationStage::Submit, None).await?;
    }
    let change = write(tx, before, &form).await?;
    papers::let_go(tx, form.id, &gone).await?;
    tx.record(&papers_changed(form.id, &kept, &files)).await?;
    Ok((Warned { id: form.id, warnings }, change))
}

/// A student does not take away what staff scanned.
fn with_papers(
    mut files: Vec<InformationFileForm>,
    kept: &[papers::InformationFile],
    hand: Hand<'_>,
) -> Vec<InformationFileForm> {
    if let Hand::Student { .. } = hand {
        let scans = kept.iter().filter(|file| file.kind == PAPER);
        files.retain(|file| file.kind != PAPER);
        files.extend(scans.map(|file| InformationFileForm { kind: file.kind.clone(), key: file.key.clone() }));
    }
    files
}

/// The record of files that came or went; none when they are the same.
fn papers_changed(id: i64, before: &[papers::InformationFile], after: &[InformationFileForm]) -> Vec<Change> {
    let told = |kind: &str, key: &str| json!({ "kind": kind, "key": key });
    let before: Vec<Value> = before.iter().map(|file| told(&file.kind, &file.key)).collect();
    let after: Vec<Value> = after.iter().map(|file| told(&file.kind, &file.key)).collect();
    if before == after {
        return Vec::new();
    }
    vec![Change::edited("student_information", id, &Any(json!({ "files": before })), &Any(json!({ "files": after })))]
}

/// Opens the correction of what the student says is wrong. One that the form opened before and that says something else now is
/// taken back first; another one must be decided before. At 毕业登记 nothing is corrected this way: what was registered is closed, and
/// asks for evidence of its own (02 §9.6).
///
/// # Errors
/// 409 while another correction of the student is open; as that of an application.
async fn correct(
    tx: &mut Tx,
    student: &Student,
    checked: &[CheckedItem],
    evidence: Vec<CorrectionEvidenceForm>,
    (before, hand): (&Form, Hand<'_>),
) -> Result<Option<i64>> {
    if before.kind != InformationKind::AdmissionInformation {
        return Ok(None);
    }
    let fields = items::corrections(checked);
    match corrections::correction::open_of(tx, student.id).await? {
        None => {}
        Some(open) if !fields.is_empty() && open.asks_for(&fields) => return Ok(Some(open.id)),
        Some(open) if before.correction_id == Some(open.id) => {
            let change = corrections::correction::withdraw(tx, open.id, "学生重新提交了学籍注册信息").await?;
            tx.record(&[change]).await?;
        }
        Some(_) if fields.is_empty() => return Ok(None),
        Some(_) => return Err(Error::conflict("该生有未完成的信息更正，请待其办结后再提交")),
    }
    if fields.is_empty() {
        return Ok(None);
    }
    let names: Vec<&str> = checked.iter().filter(|item| !item.ok).map(|item| item.key.zh()).collect();
    let form = CorrectionForm {
        student_id: student.id,
        kind: CorrectionKind::DataError,
        reason: format!("学籍注册信息核对：{}与登记不符", names.join("、")),
        attachments: evidence,
        fields,
    };
    let whole = Scope::whole_school();
    let (by_student, account, scope) = match hand {
        Hand::Student { account, .. } => (true, account, &whole),
        Hand::Staff(scope) => (false, None, scope),
    };
    let opened = corrections::correction::open(tx, form, by_student, account, scope).await;
    let (Warned { id, .. }, change) = opened.map_err(of_items)?;
    tx.record(&[change]).await?;
    Ok(Some(id))
}

/// What is wrong with a correction, at the fields of this form.
fn of_items(error: Error) -> Error {
    if error.code != 422 {
        return error;
    }
    let told: Vec<FieldError> = serde_json::from_value(error.data.clone()).unwrap_or_default();
    if told.iter().any(|wrong| wrong.field == "kind") {
        return Error::conflict(error.msg);
    }
    let at = |field: &str| if field.starts_with("attachments") { "evidence" } else { "items" }.to_owned();
    let told: Vec<FieldError> =
        told.into_iter().map(|wrong| FieldError { field: at(&wrong.field), message: wrong.message }).collect();
    if told.is_empty() { error } else { Error::fields(told) }
}

/// Keeps a clean copy of 入学照片; what was sent in stays as it is.
///
/// # Errors
/// 422 at `enrolPhoto` for what is no picture of a person, or was not sent completely.
async fn photographed(tx: &mut Tx, key: &str, before: &Form) -> Result<i64> {
    let at = |error: Error| if error.code == 422 { Error::field("enrolPhoto", error.msg) } else { error };
    let sent = infra::files::adopt(tx, key, "student_information", before.id).await.map_err(at)?;
    if before.photo_id == Some(sent) {
        return Ok(sent);
    }
    let copy = keep_copy(tx, key, PhotoKind::Enrol, ("student_information", before.id)).await.map_err(at)?;
    Ok(copy)
}

/// What came back masked was not typed: it is what was said before, or what the register has.
pub(crate) fn whole(
    typed: Option<String>,
    before: Option<&str>,
    registered: Option<&str>,
    mask: fn(&str) -> String,
) -> Option<String> {
    mask::kept(mask::kept(typed, before, mask), registered, mask)
}

/// The school's own values of a stage: checked when the form is handed in, as they are in a draft. What is asked for no more stays.
///
/// # Errors
/// One sentence for each wrong field.
pub(crate) fn own_values(
    fields: &StageFields,
    typed: BTreeMap<String, Value>,
    before: &BTreeMap<String, Value>,
    submit: bool,
) -> Result<BTreeMap<String, Value>, Vec<FieldError>> {
    if !submit {
        let asked = |key: &str| {
            fields.fields().iter().any(|field| field.key == key && !field.built_in && !field.control.is_file())
        };
        let kept = before.iter().filter(|(key, _)| !asked(key)).map(|(key, value)| (key.clone(), value.clone()));
        return Ok(kept.chain(typed.into_iter().filter(|(key, _)| asked(key))).collect());
    }
    let before: Map<String, Value> = before.clone().into_iter().collect();
    Ok(fields.own_values(&typed, &before)?.into_iter().collect())
}

/// Whether the school's own file of this key is there.
pub(crate) fn own_file<'f>(files: &'f [InformationFileForm], key: &str) -> Given<'f> {
    Given::some(files.iter().find(|file| file.kind == key))
}

/// A content as it is stored.
pub(crate) fn stored(content: &impl ToJSON) -> Value {
    content.to_json().unwrap_or_else(|| Value::Object(Map::new()))
}
