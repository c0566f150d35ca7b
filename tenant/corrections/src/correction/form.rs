//! What is asked for, and how it is written.

use correction_rules::{
    changes::changes,
    correction::{BOTH_ALLOWED, Standing, Turn, is_open_to, may_edit, wrong},
    step::Step,
};
use infra::{Change, Edit, Error, OnConstraint, Result, Scope, Tx, Warned, across::Keyed, mask};
use poem_openapi::{Object, types::Example};
use student_status::student::{
    Student,
    correct::{self, Checked, KeyFields},
};

use super::{
    Correction, CorrectionEvidence, CorrectionKind, CorrectionSource, CorrectionStatus, Corrections, EvidenceKind,
    papers,
    steps::{note, turn},
};

/// A file that proves new values.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct CorrectionEvidenceForm {
    /// 更正材料
    pub kind: EvidenceKind,
    /// 文件
    #[oai(validator(max_length = 300))]
    pub key: String,
}

/// What is to be corrected of a student: the fields as they should be; those that are left out or as they are stay.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CorrectionForm {
    /// 学生
    pub student_id: i64,
    /// 更正类型
    pub kind: CorrectionKind,
    /// 说明
    /// 2至500个字符
    #[oai(validator(min_length = 2, max_length = 500))]
    pub reason: String,
    /// 材料
    #[oai(default, validator(max_items = 20))]
    pub attachments: Vec<CorrectionEvidenceForm>,
    #[oai(flatten)]
    pub fields: KeyFields,
}

impl Example for CorrectionForm {
    fn example() -> Self {
        Self {
            student_id: 1,
            kind: CorrectionKind::ChangedByPolice,
            reason: "经公安机关批准更名".to_owned(),
            attachments: Vec::new(),
            fields: KeyFields { name: Some("张晓玫".to_owned()), ..KeyFields::default() },
        }
    }
}

/// Who asks, for whom they may, and where it begins.
pub(super) struct Applicant<'a> {
    pub(super) source: CorrectionSource,
    pub(super) begins: CorrectionStatus,
    /// The account that acts: 0 for a student themself.
    pub(super) account: Option<i64>,
    pub(super) scope: &'a Scope,
}

impl<'a> Applicant<'a> {
    /// Staff, who have looked at the papers: the school is next.
    pub(super) fn office(scope: &'a Scope) -> Self {
        let begins = CorrectionStatus::PendingSchool;
        Self { source: CorrectionSource::BackOffice, begins, account: None, scope }
    }
}

/// Opens a correction for somebody who said elsewhere what is wrong; a student's begins at the site, staff's at the school.
/// `account` is the one that acts in a student's place.
///
/// # Errors
/// As those of an application: 404 for a student outside the scope; 409 when something of theirs is asked for already, or after
/// the diploma; 422 for what may not be corrected, or not by this evidence (`attachments`).
pub async fn open(
    tx: &mut Tx,
    form: CorrectionForm,
    by_student: bool,
    account: Option<i64>,
    scope: &Scope,
) -> Result<(Warned, Change)> {
    let applicant = if by_student {
        Applicant { source: CorrectionSource::StudentClient, begins: CorrectionStatus::PendingSite, account, scope }
    } else {
        Applicant::office(scope)
    };
    insert(tx, form, &applicant).await
}

/// A correction of a student that is not decided yet.
#[derive(Debug)]
pub struct OpenCorrection {
    pub id: i64,
    after: KeyFields,
}

impl OpenCorrection {
    /// Whether it asks for these values, with whatever they bring along.
    pub fn asks_for(&self, fields: &KeyFields) -> bool {
        self.after.beside(fields) == *fields
    }
}

/// The open correction of a student who is held; none when there is none.
///
/// # Errors
/// Those of the database.
pub async fn open_of(tx: &mut Tx, student: i64) -> Result<Option<OpenCorrection>> {
    let id = sqlx::query_scalar!(
        "select id from student_correction
         where student_id = $1 and status in ('pending_site', 'pending_school', 'pending_province')",
        student
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(id) = id else { return Ok(None) };
    let found = Corrections::find(tx, id, &Scope::whole_school()).await?;
    Ok(Some(OpenCorrection { id, after: found.after }))
}

/// Takes back an open correction of a student who is held: whoever asked asks for something else.
///
/// # Errors
/// 409 when it was decided meanwhile.
pub async fn withdraw(tx: &mut Tx, id: i64, why: &str) -> Result<Change> {
    let before = locked(tx, id, &Scope::whole_school()).await?;
    let step =
        Step { id, version: before.version, turn: Turn::Cancel, document_no: None, remark: Some(why.to_owned()) };
    let (_, change) = turn(tx, step, &Scope::whole_school()).await?;
    Ok(change)
}

/// What was asked for, and may be.
struct Asked {
    before: KeyFields,
    after: KeyFields,
    warnings: Vec<String>,
}

/// Looks at everything that 02 §9.6 says of an application.
async fn asked(tx: &mut Tx, student: &Student, form: &CorrectionForm, stored: Option<&str>) -> Result<Asked> {
    let standing = Standing { status: student.status, register_result: student.register_result };
    is_open_to(standing, form.kind)?;
    let mut wanted = form.fields.clone();
    // What came back masked was not typed: the number that was asked for, else the student's.
    wanted.id_card_no = mask::kept(wanted.id_card_no, stored, mask::id_card);
    wanted.id_card_no = mask::kept(wanted.id_card_no, Some(student.id_card_no.as_str()), mask::id_card);
    let Checked { values, warnings } = correct::check(tx, student, &wanted).await?;
    let kinds: Vec<EvidenceKind> = form.attachments.iter().map(|paper| paper.kind).collect();
    let wrong = wrong(&values, &kinds, BOTH_ALLOWED.is_on(tx).await?);
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    Ok(Asked { before: KeyFields::of(student).beside(&values), after: values, warnings })
}

/// # Errors
/// 404 for a student outside the scope; 409 when something of theirs is asked for already, or after the diploma; 422 for
/// what may not be corrected, or not by this evidence.
pub(super) async fn insert(tx: &mut Tx, form: CorrectionForm, applicant: &Applicant<'_>) -> Result<(Warned, Change)> {
    let student = correct::hold(tx, form.student_id, applicant.scope).await?;
    let Asked { before, after, warnings } = asked(tx, &student, &form, None).await?;
    let by = tx.by();
    let name = tx.actor().name.clone();
    let id = sqlx::query_scalar!(
        "insert into student_correction (student_id, kind, reason, changes, status, source, warnings, applicant_name,
                                         created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id",
        student.id,
        form.kind.as_str(),
        form.reason,
        changes(&before, &after),
        applicant.begins.as_str(),
        applicant.source.as_str(),
        &warnings,
        name,
        applicant.account.unwrap_or(by),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    papers::set(tx, id, &[], &form.attachments).await?;
    note(tx, id, None, applicant.begins, None).await?;
    let after = kept(tx, id).await?;
    Ok((Warned { id, warnings }, Change::created("student_correction", id, &after)))
}

/// Who asked changes what was asked for, until somebody has looked at it.
///
/// # Errors
/// As [`insert`]; 409 when it is another's or underway, or changed since it was read.
pub(super) async fn update(tx: &mut Tx, edit: Edit<CorrectionForm>, scope: &Scope) -> Result<(Warned, Change)> {
    let Edit { id, version, form } = edit;
    let found = Corrections::find(tx, id, scope).await?;
    let student = correct::hold(tx, found.student_id, scope).await?;
    let before = locked(tx, id, scope).await?;
    may_edit(before.status, before.is_of(tx.by()))?;
    if form.student_id != before.student_id {
        return Err(Error::field("studentId", "更正的学生不能更换，请另行申请"));
    }
    let stored = before.after.id_card_no.as_deref();
    let Asked { before: from, after: to, warnings } = asked(tx, &student, &form, stored).await?;
    let (by, former) = (tx.by(), papers::of(tx, id).await?);
    let changed = sqlx::query!(
        "update student_correction set kind = $3, reason = $4, changes = $5, warnings = $6, updated_at = now(),
                updated_by = $7, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        form.kind.as_str(),
        form.reason,
        changes(&from, &to),
        &warnings,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("student_correction", id).await);
    }
    papers::set(tx, id, &former, &form.attachments).await?;
    let before = Kept { correction: before, attachments: former };
    let after = kept(tx, id).await?;
    Ok((Warned { id, warnings }, Change::edited("student_correction", id, &before, &after)))
}

/// A correction as the trail keeps it.
#[derive(Debug, Object)]
struct Kept {
    #[oai(flatten)]
    correction: Correction,
    /// 材料
    attachments: Vec<CorrectionEvidence>,
}

async fn kept(tx: &mut Tx, id: i64) -> Result<Kept> {
    let correction = Corrections::find(tx, id, &Scope::whole_school()).await?;
    Ok(Kept { correction, attachments: papers::of(tx, id).await? })
}

/// The correction, kept from others until the transaction ends. Whoever asks holds its student first.
///
/// # Errors
/// 404 outside the scope.
pub(super) async fn locked(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Correction> {
    tx.lock("student_correction", id).await?;
    Corrections::find(tx, id, scope).await
}

fn explain_constraint(constraint: &str) -> Option<Error> {
    (constraint == "student_correction_open_taken").then(|| Error::conflict("该生有未完成的信息更正"))
}
