//! A form as the steps know it: its student is held first, then the form, then what lies in other modules; of many, each in the
//! order of their numbers.

use chrono::NaiveDate;
use infra::{Change, Error, Result, Scope, Tx, across::Item, clock::Moment, mask};
use poem_openapi::{
    Object,
    types::{ParseFromJSON, ToJSON},
};
use serde_json::{Value, json};
use sqlx::types::Json;
use student_status::student::{Student, correct};

use crate::enums::{
    ChsiPreCheck, CommitmentConclusion, DiplomaEvidence, InformationItem, InformationKind, InformationStage,
    InformationStatus, InformationSubmitter, PhotoCheck,
};

/// A form as it was read.
#[derive(Debug, Clone, Copy, Object)]
pub struct InformationReviewItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Item for InformationReviewItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// A form that is held.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    pub id: i64,
    pub version: i32,
    pub kind: InformationKind,
    pub student_id: i64,
    pub status: InformationStatus,
    pub content: Json<Value>,
    pub warnings: Vec<String>,
    pub submitted_at: Option<Moment>,
    pub submitted_by: Option<InformationSubmitter>,
    pub signature_id: Option<i64>,
    pub signed_at: Option<Moment>,
    pub sign_ip: Option<String>,
    pub class_review_by: Option<String>,
    pub class_review_at: Option<Moment>,
    pub class_review_remark: Option<String>,
    pub reviewed_by: Option<String>,
    pub reviewed_at: Option<Moment>,
    pub remark: Option<String>,
    pub return_count: i32,
    pub mismatches: i32,
    pub correction_id: Option<i64>,
    pub photo_id: Option<i64>,
    pub evidence_kind: Option<DiplomaEvidence>,
    pub commitment_version: Option<i32>,
    pub commitment_text: Option<String>,
    pub conclusion: Option<CommitmentConclusion>,
    pub chsi_pre_check: Option<ChsiPreCheck>,
    pub chsi_checked_on: Option<NaiveDate>,
    pub photo_check: Option<PhotoCheck>,
}

impl Form {
    /// What was filled in, as the types of the group say.
    ///
    /// # Errors
    /// Internal, when it is stored in another shape.
    pub fn content<T: ParseFromJSON>(&self) -> Result<T> {
        T::parse_from_json(Some(self.content.0.clone())).map_err(|error| Error::internal(error.into_message()))
    }

    /// As the trail keeps it.
    fn told(&self) -> Value {
        json!({
            "status": self.status.as_str(), "content": masked(&self.content.0), "warnings": self.warnings,
            "submittedBy": self.submitted_by.map(InformationSubmitter::as_str), "signatureId": self.signature_id,
            "classReviewBy": self.class_review_by, "classReviewRemark": self.class_review_remark,
            "reviewedBy": self.reviewed_by, "remark": self.remark, "returnCount": self.return_count,
            "mismatches": self.mismatches, "correctionId": self.correction_id, "photoId": self.photo_id,
            "commitmentVersion": self.commitment_version, "signedAt": self.signed_at, "photo": self.photo_id,
            "conclusion": self.conclusion.map(CommitmentConclusion::as_str),
            "chsiPreCheck": self.chsi_pre_check.map(ChsiPreCheck::as_str), "chsiCheckedOn": self.chsi_checked_on,
            "photoCheck": self.photo_check.map(PhotoCheck::as_str),
        })
    }
}

/// A content as the trail keeps it: what stands in an item is not known by its name, so a number of a person is masked here.
fn masked(content: &Value) -> Value {
    let mut content = content.clone();
    let items = content.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten();
    for item in items.filter(|item| item["key"] == json!(InformationItem::IdCardNo.as_str())) {
        for field in ["registered", "declared"] {
            if let Some(number) = item[field].as_str().map(mask::id_card) {
                item[field] = json!(number);
            }
        }
    }
    content
}

/// Holds the students of these forms of a kind, then the forms; those aside that the scope does not show.
pub(crate) async fn hold_all(tx: &mut Tx, kind: InformationKind, ids: &[i64], scope: &Scope) -> Result<()> {
    let students = sqlx::query_scalar!(
        "select id from student
         where id in (select student_id from student_information where id = any($1) and kind = $2)
           and ($3::bigint[] is null or site_id = any($3) or class_id = any($4::bigint[]))
         order by id for update",
        ids,
        kind.as_str(),
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query_scalar!(
        "select id from student_information where id = any($1) and kind = $2 and student_id = any($3)
         order by id for update",
        ids,
        kind.as_str(),
        &students
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(())
}

/// One form with its student, as it was read.
///
/// # Errors
/// 404 outside the scope or of another kind; 409 when it changed since.
pub(crate) async fn held_one(
    tx: &mut Tx,
    kind: InformationKind,
    id: i64,
    version: i32,
    scope: &Scope,
) -> Result<(Form, Student)> {
    let student = sqlx::query_scalar!(
        "select student_id from student_information where id = $1 and kind = $2",
        id,
        kind.as_str()
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let student = correct::hold(tx, student, scope).await?;
    tx.lock("student_information", id).await?;
    let form = find(tx, id).await?;
    if form.version != version {
        return Err(tx.stale("student_information", id).await);
    }
    Ok((form, student))
}

/// The form of a student themself, with the student; both are held.
///
/// # Errors
/// 404 when the student has none of this kind.
pub(crate) async fn held_own(tx: &mut Tx, kind: InformationKind, student: i64) -> Result<(Form, Student)> {
    let student = correct::hold(tx, student, &Scope::whole_school()).await?;
    let id = sqlx::query_scalar!(
        "select id from student_information where student_id = $1 and kind = $2 for update",
        student.id,
        kind.as_str()
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    Ok((find(tx, id).await?, student))
}

async fn find(tx: &mut Tx, id: i64) -> Result<Form> {
    sqlx::query_as!(
        Form,
        r#"select id, version, kind as "kind: _", student_id, status as "status: _", content as "content: Json<Value>",
                  warnings, submitted_at, submitted_by as "submitted_by: _", signature_id, signed_at, sign_ip,
                  class_review_by, class_review_at, class_review_remark, reviewed_by, reviewed_at, remark, return_count,
                  mismatches, correction_id, photo_id, evidence_kind as "evidence_kind: _", commitment_version,
                  commitment_text, conclusion as "conclusion: _", chsi_pre_check as "chsi_pre_check: _", chsi_checked_on,
                  photo_check as "photo_check: _"
           from student_information where id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// Writes what a step made of a form; answers the record of it.
pub(crate) async fn write(tx: &mut Tx, before: &Form, after: &Form) -> Result<Change> {
    let by = tx.by();
    sqlx::query!(
        "update student_information
         set status = $2, content = $3, warnings = $4, submitted_at = $5, submitted_by = $6, signature_id = $7,
             signed_at = $8, sign_ip = $9, class_review_by = $10, class_review_at = $11, class_review_remark = $12,
             reviewed_by = $13, reviewed_at = $14, remark = $15, return_count = $16, mismatches = $17, correction_id = $18,
             photo_id = $19, evidence_kind = $20, commitment_version = $21, commitment_text = $22, conclusion = $23,
             chsi_pre_check = $24, chsi_checked_on = $25, photo_check = $26, updated_at = now(), updated_by = $27,
             version = version + 1
         where id = $1",
        after.id,
        after.status.as_str(),
        after.content.0.to_json(),
        &after.warnings,
        after.submitted_at as _,
        after.submitted_by.map(InformationSubmitter::as_str),
        after.signature_id,
        after.signed_at as _,
        after.sign_ip,
        after.class_review_by,
        after.class_review_at as _,
        after.class_review_remark,
        after.reviewed_by,
        after.reviewed_at as _,
        after.remark,
        after.return_count,
        after.mismatches,
        after.correction_id,
        after.photo_id,
        after.evidence_kind.map(DiplomaEvidence::as_str),
        after.commitment_version,
        after.commitment_text,
        after.conclusion.map(CommitmentConclusion::as_str),
        after.chsi_pre_check.map(ChsiPreCheck::as_str),
        after.chsi_checked_on,
        after.photo_check.map(PhotoCheck::as_str),
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::edited("student_information", after.id, &before.told(), &after.told()))
}

/// A row of the way that a form goes.
pub(crate) async fn note(tx: &mut Tx, id: i64, stage: InformationStage, remark: Option<&str>) -> Result<()> {
    let actor = tx.actor().clone();
    sqlx::query!(
        "insert into student_information_step (student_information_id, step, remark, actor_kind, actor_id, actor_name)
         values ($1, $2, $3, $4, $5, $6)",
        id,
        stage.as_str(),
        remark,
        actor.kind,
        actor.id,
        actor.on_behalf_of.map_or_else(|| actor.name.clone(), |staff| format!("{}（{staff}代）", actor.name))
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// # Errors
/// 409 of a student who is not active any more: the form is only read.
pub(crate) fn counts(student: &Student, step: &str) -> Result<()> {
    if student.status.is_active() { Ok(()) } else { Err(Error::conflict(format!("该生已不在籍，不能{step}"))) }
}
