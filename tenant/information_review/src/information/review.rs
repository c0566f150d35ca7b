//! Looking at a form: the class manager first where the school wants it so, then the school, and what an approval does (02 §11.2).

use information_review_rules::steps::{Going, Turn, after, complete, held_back};
use infra::{BulkResult, Change, Error, Result, Scope, Tx};
use poem_openapi::{Object, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use sqlx::PgConnection;
use student_status::{
    enums::RegisterResult,
    student::{
        Student,
        check::NOT_YOURS,
        confirm::{Confirmed, PreEducation, confirm, educate},
    },
};

use super::{
    CLASS_MANAGER_REVIEW,
    held::{Form, InformationReviewItem, counts, held_one, hold_all, note, write},
    items,
    submit::collecting,
};
use crate::{
    content::{AdmissionCommitmentContent, AdmissionInformationContent, CheckedItem, GraduationInformationContent},
    enums::{
        ChsiPreCheck, CommitmentConclusion, InformationItem, InformationKind, InformationResult, InformationStage,
        InformationStatus, PhotoCheck,
    },
};

/// A form that goes back.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct InformationReject {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    /// 2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for InformationReject {
    fn example() -> Self {
        Self { id: 1, version: 2, remark: Some("照片不清晰".to_owned()) }
    }
}

impl InformationReject {
    pub(crate) fn going(self, kind: InformationKind) -> Going {
        let Self { id, version, remark } = self;
        Going { id, version, kind, turn: Turn::Reject, conclusion: None, remark }
    }
}

/// What the school says of a form.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct InformationReview {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 审核结果
    /// 对已通过的信息退回即撤销通过
    pub result: InformationResult,
    /// 原因
    /// 退回时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for InformationReview {
    fn example() -> Self {
        Self { id: 1, version: 2, result: InformationResult::Pass, remark: None }
    }
}

impl InformationReview {
    pub(crate) fn going(self, kind: InformationKind) -> Going {
        let Self { id, version, result, remark } = self;
        Going { id, version, kind, turn: Turn::School(result), conclusion: None, remark }
    }
}

/// Moves a form on. Answers what is worth a second look in what was let through.
///
/// # Errors
/// 404 outside the scope; 409 from a status that does not lead there, of a student who is not active any more, while something is
/// wrong that others must decide, or when it changed since it was read; 422 when something is missing.
pub(crate) async fn turn(tx: &mut Tx, going: Going, scope: &Scope) -> Result<(Vec<String>, Change)> {
    let class_manager_reviews = CLASS_MANAGER_REVIEW.is_on(tx).await?;
    turn_by(tx, going, scope, class_manager_reviews).await
}

async fn turn_by(
    tx: &mut Tx,
    going: Going,
    scope: &Scope,
    class_manager_reviews: bool,
) -> Result<(Vec<String>, Change)> {
    let (before, student) = held_one(tx, going.kind, going.id, going.version, scope).await?;
    // Whose class has no manager is looked at by the school alone.
    let class_manager_reviews =
        class_manager_reviews && (matches!(going.turn, Turn::Class(_)) || is_managed(tx, student.class_id).await?);
    counts(&student, if going.turn == Turn::School(InformationResult::Pass) { "审核" } else { "办理" })?;
    let to = after(before.status, going.turn, class_manager_reviews).map_err(Error::conflict)?;
    complete(&going)?;
    let mut form = before.clone();
    form.status = to;
    let remark = going.remark.as_deref().map(str::trim).filter(|remark| !remark.is_empty());
    let (now, name) = (tx.app().clock().now(), tx.actor().name.clone());
    match going.turn {
        Turn::Class(_) => {
            (form.class_review_by, form.class_review_at) = (Some(name), Some(now));
            form.class_review_remark = remark.map(ToOwned::to_owned);
        }
        Turn::School(_) | Turn::Reject => (form.reviewed_by, form.reviewed_at) = (Some(name), Some(now)),
    }
    let stage = match (going.turn, to, before.status) {
        (Turn::Class(_), InformationStatus::ClassPassed, _) => InformationStage::ClassPass,
        (_, InformationStatus::Approved, _) => {
            form.conclusion = going.conclusion.or(form.conclusion);
            approve(tx, &form, &student).await?;
            InformationStage::Approve
        }
        (_, _, InformationStatus::Approved) => {
            may_take_back(going.kind, &student)?;
            give_back(&mut form, &going, remark);
            InformationStage::TakeBack
        }
        _ => {
            give_back(&mut form, &going, remark);
            InformationStage::Return
        }
    };
    let change = write(tx, &before, &form).await?;
    note(tx, form.id, stage, remark).await?;
    if to == InformationStatus::Returned {
        tell(tx, &form, &student, remark.unwrap_or_default()).await?;
    }
    let warnings = if to == InformationStatus::Approved { form.warnings.clone() } else { Vec::new() };
    Ok((warnings, change.because(remark)))
}

/// Whether a class has somebody who could look at its forms.
pub(crate) async fn is_managed(connection: &mut PgConnection, class: Option<i64>) -> Result<bool> {
    let managed = sqlx::query_scalar!(
        r#"select exists (select from class where id = $1 and manager_id is not null) as "managed!""#,
        class
    )
    .fetch_one(connection)
    .await?;
    Ok(managed)
}

fn give_back(form: &mut Form, going: &Going, remark: Option<&str>) {
    form.return_count += 1;
    form.remark = remark.map(ToOwned::to_owned);
    // What was found before stands until something else is; what was approved was qualified, and is so no more.
    let former = form.conclusion.filter(|conclusion| *conclusion != CommitmentConclusion::Qualified);
    form.conclusion = going.conclusion.or(former);
}

/// What was registered on its ground stays.
///
/// # Errors
/// 409 of who is registered with 学信网, or reported there.
fn may_take_back(kind: InformationKind, student: &Student) -> Result<()> {
    match (kind, student.register_result) {
        (InformationKind::GraduationInformation, _) | (_, RegisterResult::None | RegisterResult::Rejected) => Ok(()),
        (_, RegisterResult::Accepted) => Err(Error::conflict("该生已注册学籍，不能撤销")),
        (_, RegisterResult::Exported) => Err(Error::conflict("该生已上报学信网，不能撤销，请先导入注册结果")),
    }
}

/// The effects of an approval.
///
/// # Errors
/// 409 while something is wrong that others must decide.
async fn approve(tx: &mut Tx, form: &Form, student: &Student) -> Result<()> {
    match form.kind {
        InformationKind::AdmissionInformation => {
            let content: AdmissionInformationContent = form.content()?;
            settled(tx, form, student, &content.items).await?;
            let confirmed = Confirmed {
                political_status: items::declared(&content.items, InformationItem::PoliticalStatus),
                phone: content.phone,
                email: content.email,
                address: content.address,
                postal_code: content.postal_code,
                work_unit: content.work_unit,
                occupation: content.occupation,
                native_place: content.native_place,
                emergency_contact: content.emergency_contact,
                emergency_phone: content.emergency_phone,
                enrol_photo_id: form.photo_id,
            };
            confirm(tx, student, &confirmed).await
        }
        InformationKind::AdmissionCommitment => {
            if form.chsi_pre_check == Some(ChsiPreCheck::Failed) {
                return Err(Error::conflict("前置学历清查未通过，不能认定为合格"));
            }
            let content: AdmissionCommitmentContent = form.content()?;
            let former = PreEducation {
                level: content.pre_edu_level,
                school: content.pre_edu_school,
                major: content.pre_edu_major,
                certificate_no: content.pre_edu_certificate_no,
                graduated_on: content.pre_edu_graduated_on,
            };
            educate(tx, student, &former).await
        }
        InformationKind::GraduationInformation => {
            if form.photo_check == Some(PhotoCheck::Different) {
                return Err(Error::conflict("三照比对不一致，不能通过"));
            }
            let content: GraduationInformationContent = form.content()?;
            settled(tx, form, student, &content.items).await?;
            match items::declared(&content.items, InformationItem::PoliticalStatus) {
                None => Ok(()),
                political_status => confirm(tx, student, &Confirmed { political_status, ..Confirmed::default() }).await,
            }
        }
    }
}

/// # Errors
/// 409 with the number of items of which the register still says something else, or while their correction is not decided.
async fn settled(tx: &mut Tx, form: &Form, student: &Student, checked: &[CheckedItem]) -> Result<()> {
    let undecided = match form.correction_id {
        None => false,
        Some(correction) => {
            sqlx::query_scalar!(
                r#"select status in ('pending_site', 'pending_school', 'pending_province') as "open!"
               from student_correction where id = $1"#,
                correction
            )
            .fetch_one(&mut **tx)
            .await?
        }
    };
    let open: Vec<InformationItem> = checked
        .iter()
        .filter(|item| {
            !items::settled(student, item) || (undecided && !item.ok && item.key != InformationItem::PoliticalStatus)
        })
        .map(|item| item.key)
        .collect();
    if open.is_empty() { Ok(()) } else { Err(Error::conflict(held_back(&open))) }
}

/// Tells the student why a form came back, and who fills it in when they cannot any more (02 §11.2: students only while it is
/// collected).
async fn tell(tx: &mut Tx, form: &Form, student: &Student, remark: &str) -> Result<()> {
    let now = tx.app().clock().now();
    let asked = collecting(tx, form.kind, student.grade_id).await?;
    let remark = if asked.is_some_and(|asked| asked.is_open(now)) {
        remark.to_owned()
    } else {
        format!("{remark}（采集未开放，请联系学校代填）")
    };
    let values = [("title", form.kind.zh()), ("remark", remark.as_str())];
    let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let person = Person { kind: PersonKind::Student, id: form.student_id };
    notify(tx, "information_returned", Persons::Recipients(vec![person]), values, None).await
}

/// What is said of many forms.
#[derive(Debug, Clone)]
pub(crate) struct Verdict {
    pub kind: InformationKind,
    pub result: InformationResult,
    pub conclusion: Option<CommitmentConclusion>,
    pub remark: Option<String>,
}

impl Verdict {
    fn going(&self, item: InformationReviewItem) -> Going {
        // What is approved is taken back one by one (02 §11.2).
        let turn = match self.result {
            InformationResult::Pass => Turn::School(self.result),
            InformationResult::Return => Turn::Reject,
        };
        let Self { kind, conclusion, .. } = *self;
        Going { id: item.id, version: item.version, kind, turn, conclusion, remark: self.remark.clone() }
    }

    /// Whether it may be said at all, before a job begins with it.
    ///
    /// # Errors
    /// 422 when the reason or the conclusion is missing.
    pub fn check(&self) -> Result<()> {
        complete(&self.going(InformationReviewItem { id: 0, version: 0 }))
    }
}

/// The same of many, each for itself.
///
/// # Errors
/// 422 before any row when the reason or the conclusion is missing.
pub(crate) async fn turn_all(
    mut tx: Tx,
    verdict: &Verdict,
    items: Vec<InformationReviewItem>,
    scope: &Scope,
) -> Result<BulkResult> {
    verdict.check()?;
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    hold_all(&mut tx, verdict.kind, &ids, scope).await?;
    let class_manager_reviews = CLASS_MANAGER_REVIEW.is_on(&mut tx).await?;
    let mut bulk = super::named(tx);
    for item in items {
        let outcome = turn_by(bulk.row().await?, verdict.going(item), scope, class_manager_reviews).await;
        let outcome = outcome.map(|(_, change)| change).map_err(|error| match error.code {
            404 => Error::new(404, NOT_YOURS),
            _ => error,
        });
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}
