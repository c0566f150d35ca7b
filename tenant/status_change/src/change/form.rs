//! What is asked for, when it is accepted (C1), and how it is written.

use chrono::NaiveDate;
use infra::{Change, Edit, Error, FieldError, OnConstraint, Result, Scope, Tx, clock::Moment};
use poem_openapi::{
    Object,
    types::{Example, ToJSON},
};
use serde_json::Value;
use sqlx::PgConnection;
use student_status::student::{Student, correct, transfer::Placement};

use super::{
    ChangeFile, ChangeReason, ChangeSource, ChangeStage, ChangeStatus, Changes, StudentChange,
    checks::{Asked, Circumstances, Looked, Planned, look},
    locked, papers, rules,
    steps::{ChangeItem, note},
};
use crate::{
    ChangeType,
    batch::{Window, covering, window},
};

/// Told outside of every window.
const CLOSED: &str = "当前不在异动受理时间";

/// Where a student is to go; what is left out stays, or follows from the rest.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChangeTarget {
    /// 目标年级
    /// 复学；不填时按休学时间推算
    pub grade_id: Option<i64>,
    /// 目标层次
    /// 转层次
    pub level_id: Option<i64>,
    /// 目标专业
    /// 转专业、转层次
    pub major_id: Option<i64>,
    /// 目标站点
    /// 转班/转站点
    pub site_id: Option<i64>,
    /// 目标班级
    pub class_id: Option<i64>,
}

impl ChangeTarget {
    /// What was asked for to come to this placement.
    pub(super) fn of(after: &Placement) -> Self {
        Self {
            grade_id: Some(after.grade_id),
            level_id: Some(after.level_id),
            major_id: Some(after.major_id),
            site_id: Some(after.site_id),
            class_id: after.class_id,
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ChangeForm {
    /// 学生
    pub student_id: i64,
    /// 批次
    /// 不填时取受理该异动的批次
    pub batch_id: Option<i64>,
    /// 类型
    #[oai(rename = "type")]
    pub kind: ChangeType,
    /// 异动后
    #[oai(default)]
    pub after: ChangeTarget,
    /// 原因
    /// 退学和休学填写
    pub reason_code: Option<ChangeReason>,
    /// 说明
    /// 2至500个字符
    #[oai(validator(min_length = 2, max_length = 500))]
    pub reason: String,
    /// 附件
    #[oai(default, validator(max_items = 20))]
    pub attachments: Vec<String>,
    /// 休学开始
    pub suspend_from: Option<NaiveDate>,
    /// 休学月数
    /// 6或12；复学时，系统中没有休学记录的须填写
    pub suspend_months: Option<i32>,
    /// 转入院校
    /// 转学(转出)时填写
    #[oai(validator(max_length = 100))]
    pub target_school_name: Option<String>,
    /// 重编学号
    /// 转专业和转层次
    #[oai(default)]
    pub renumber: bool,
    /// 生效日期
    /// 不填时为批次的生效日期，批次也没有时休学为休学开始日期，其他为批准当日
    pub effective_on: Option<NaiveDate>,
}

impl Example for ChangeForm {
    fn example() -> Self {
        Self {
            student_id: 1,
            batch_id: None,
            kind: ChangeType::Dropout,
            after: ChangeTarget::default(),
            reason_code: Some(ChangeReason::Voluntary),
            reason: "因工作调动无法继续学习".to_owned(),
            attachments: Vec::new(),
            suspend_from: None,
            suspend_months: None,
            target_school_name: None,
            renumber: false,
            effective_on: None,
        }
    }
}

impl ChangeForm {
    pub(super) fn asked(&self) -> Asked {
        Asked {
            kind: self.kind,
            target: self.after.clone(),
            reason_code: self.reason_code,
            suspend_from: self.suspend_from,
            suspend_months: self.suspend_months,
        }
    }

    /// What the types want beside the checks.
    fn wrong(&self, student: &Student, last: Option<NaiveDate>) -> Vec<FieldError> {
        let mut wrong = Vec::new();
        let mut at = |field: &str, message: &str| {
            wrong.push(FieldError { field: field.to_owned(), message: message.to_owned() });
        };
        let named = self.target_school_name.as_deref().is_some_and(|name| name.trim().chars().count() >= 2);
        if self.kind == ChangeType::TransferOut && !named {
            at("targetSchoolName", "请填写转入院校");
        }
        if self.renumber && !may_renumber(self.kind) {
            at("renumber", "只有转专业和转层次可以重编学号");
        }
        if let Some(Err(why)) = self.effective_on.map(|on| in_history(student, last, on)) {
            at("effectiveOn", &why);
        }
        wrong
    }
}

/// The day of the last change of a student that has taken effect.
///
/// # Errors
/// Those of the database.
pub(super) async fn last_effect(connection: &mut PgConnection, student: i64) -> Result<Option<NaiveDate>> {
    let last = sqlx::query_scalar!(
        "select max(effective_on) from student_change where student_id = $1 and status = 'executed'",
        student
    )
    .fetch_one(connection)
    .await?;
    Ok(last)
}

/// A change takes effect neither before the entry nor before the one that took effect last.
///
/// # Errors
/// The refusal in Chinese.
pub(super) fn in_history(student: &Student, last: Option<NaiveDate>, on: NaiveDate) -> Result<(), String> {
    match last {
        _ if on < student.enrolled_on => Err("生效日期不能早于入学日期".to_owned()),
        Some(last) if on < last => Err(format!("生效日期不能早于上一次异动的生效日期{last}")),
        _ => Ok(()),
    }
}

/// Another number only where the major is another.
pub(super) fn may_renumber(kind: ChangeType) -> bool {
    matches!(kind, ChangeType::Professional | ChangeType::Hierarchical)
}

/// What is asked for, and whether it goes on at once.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ChangeSave {
    #[oai(flatten)]
    pub form: ChangeForm,
    /// 同时提交
    #[oai(default)]
    pub submit: bool,
}

impl Example for ChangeSave {
    fn example() -> Self {
        Self { form: ChangeForm::example(), submit: true }
    }
}

/// Who asks, and for whom they may.
pub(super) struct Applicant<'a> {
    pub(super) source: ChangeSource,
    /// The account that acts; none where it is the transaction's own.
    pub(super) account: Option<i64>,
    pub(super) scope: &'a Scope,
    /// For whom they are asked neither for the window nor for 科类; none: for nobody.
    pub(super) waiver: Option<&'a Scope>,
}

impl<'a> Applicant<'a> {
    /// Staff at the console.
    pub(super) fn office(scope: &'a Scope, waiver: Option<&'a Scope>) -> Self {
        Self { source: ChangeSource::BackOffice, account: None, scope, waiver }
    }

    fn is_student(&self) -> bool {
        self.source == ChangeSource::StudentClient
    }
}

/// Whether the code that waives opens this student.
pub(super) fn may_waive(waiver: Option<&Scope>, student: &Student) -> bool {
    waiver.is_some_and(|scope| scope.sees(Some(student.site_id), student.class_id))
}

/// The window of a change, and whether one was waived that is not open.
#[derive(Debug)]
pub(super) struct Accepted {
    pub(super) window: Option<Window>,
    pub(super) waived: bool,
}

/// C1: the window in which the change is accepted; none outside of all of them, for whoever may do that.
///
/// # Errors
/// 422 at `batchId` for a batch that there is not, or that is for others; the inner one is the refusal.
pub(super) async fn accepted(
    connection: &mut PgConnection,
    batch: Option<i64>,
    (kind, grade): (ChangeType, i64),
    (by_student, waived): (bool, bool),
    now: Moment,
) -> Result<Result<Accepted, &'static str>> {
    let found = match batch {
        Some(id) => {
            let named = window(connection, id, now).await?;
            Some(named.ok_or_else(|| Error::field("batchId", "所选异动批次不存在，请重新选择"))?)
        }
        None => covering(connection, (kind, grade), by_student, now).await?,
    };
    // The time is waived, never whom and what a batch is for.
    let is_for = found.as_ref().is_none_or(|window| window.is_for(kind, grade));
    if waived && !is_for {
        return Err(Error::field("batchId", "该批次不受理此异动，请重新选择"));
    }
    Ok(judged(found, (kind, grade), (by_student, waived)))
}

/// The same of the window that was found.
pub(super) fn judged(
    found: Option<Window>,
    (kind, grade): (ChangeType, i64),
    (by_student, waived): (bool, bool),
) -> Result<Accepted, &'static str> {
    let covers = found
        .as_ref()
        .is_some_and(|window| window.open && window.is_for(kind, grade) && (window.client_entry || !by_student));
    if covers || waived { Ok(Accepted { window: found, waived: !covers }) } else { Err(CLOSED) }
}

/// What may be asked for: the window and how the student would stand.
struct Allowed {
    window: Option<Window>,
    planned: Planned,
    /// Whether it may be only because the window or 科类 was waived.
    waived: bool,
    /// As it was typed, or as batch and type say.
    effective_on: Option<NaiveDate>,
}

/// # Errors
/// 422 at what is not filled in, 409 with all reasons why it may not be.
async fn allowed(
    tx: &mut Tx,
    student: &Student,
    form: &ChangeForm,
    (by_student, waived): (bool, bool),
    (but, scope): (Option<i64>, &Scope),
) -> Result<Allowed> {
    let (now, today) = (tx.app().clock().now(), tx.app().clock().today());
    let accepted = accepted(tx, form.batch_id, (form.kind, student.grade_id), (by_student, waived), now).await?;
    let nothing = Scope::default();
    let told_to = Some(if by_student { &nothing } else { scope });
    let circumstances = Circumstances { on: today, waived, but, told_to, settings: None };
    let mut looked = look(tx, student, &form.asked(), circumstances).await?;
    let last = last_effect(tx, student.id).await?;
    looked.wrong.extend(form.wrong(student, last));
    let (window, outside) = match accepted {
        Ok(Accepted { window, waived }) => (window, waived),
        Err(closed) => {
            looked.reasons.insert(0, closed.to_owned());
            (None, false)
        }
    };
    let waived = outside || looked.waived;
    let planned = settled(looked)?;
    let from = form.suspend_from.filter(|_| form.kind == ChangeType::Suspension);
    let effective_on = form.effective_on.or(window.as_ref().and_then(|window| window.effective_on)).or(from);
    Ok(Allowed { window, planned, waived, effective_on })
}

/// # Errors
/// 422 at what is not filled in, 409 with all reasons why it may not be.
pub(super) fn settled(looked: Looked) -> Result<Planned> {
    let Looked { wrong, reasons, planned, .. } = looked;
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    if !reasons.is_empty() {
        return Err(Error::conflict(reasons.join("；")));
    }
    planned.ok_or_else(|| Error::internal("a change without wrong fields and reasons was not planned"))
}

/// A number for a change of today. Nobody waits for who takes one: numbers run on over the days, in four digits at the least,
/// and one that was taken for nothing is left out.
///
/// # Errors
/// Those of the database.
pub(crate) async fn next_no(tx: &mut Tx, today: NaiveDate) -> Result<String> {
    let no = sqlx::query_scalar!("insert into student_change_counter default values returning no")
        .fetch_one(&mut **tx)
        .await?;
    Ok(format!("YD{}{no:04}", today.format("%Y%m%d")))
}

/// A placement as it is stored.
pub(super) fn stored(placement: &Placement) -> Value {
    placement.to_json().unwrap_or_default()
}

/// The parts of `after` that are another row's, where they differ.
pub(super) fn targets(before: &Placement, after: &Placement) -> [Option<i64>; 3] {
    [
        Some(after.major_id).filter(|major| *major != before.major_id),
        Some(after.site_id).filter(|site| *site != before.site_id),
        after.class_id.filter(|class| Some(*class) != before.class_id),
    ]
}

/// # Errors
/// 404 for a student outside the scope; 409 outside of the windows, when something of theirs is asked for already, or when
/// it may not be; 422 for what is not filled in.
pub(super) async fn insert(tx: &mut Tx, wanted: ChangeSave, applicant: &Applicant<'_>) -> Result<(i64, Change)> {
    let ChangeSave { form, submit } = wanted;
    let (now, today) = (tx.app().clock().now(), tx.app().clock().today());
    let change_no = next_no(tx, today).await?;
    let student = correct::hold(tx, form.student_id, applicant.scope).await?;
    let may = (applicant.is_student(), may_waive(applicant.waiver, &student));
    let Allowed { window, planned, waived, effective_on } =
        allowed(tx, &student, &form, may, (None, applicant.scope)).await?;
    let before = Placement::of(&student);
    let [major, site, class] = targets(&before, &planned.after);
    let status = if submit {
        rules::first(window.as_ref().is_none_or(|window| window.site_review), site.is_some())
    } else {
        ChangeStatus::Draft
    };
    let by = tx.by();
    let name = tx.actor().name.clone();
    let id = sqlx::query_scalar!(
        "insert into student_change (change_no, change_batch_id, student_id, type, status, before, after, target_major_id,
             target_site_id, target_class_id, reason_code, reason, suspend_from, suspend_until, suspend_months,
             target_school_name, renumber, effective_on, source, applicant_name, waived, submitted_at, moved_at, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
                 $25) returning id",
        change_no,
        window.map(|window| window.id),
        student.id,
        form.kind.as_str(),
        status.as_str(),
        stored(&before),
        stored(&planned.after),
        major,
        site,
        class,
        form.reason_code.map(ChangeReason::as_str),
        form.reason,
        form.suspend_from.filter(|_| form.kind == ChangeType::Suspension),
        planned.suspend_until,
        planned.months,
        form.target_school_name.as_deref().filter(|_| form.kind == ChangeType::TransferOut),
        form.renumber,
        effective_on,
        applicant.source.as_str(),
        name,
        waived,
        submit.then_some(now),
        now,
        applicant.account.unwrap_or(by),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    papers::set(tx, id, &[], &form.attachments).await?;
    note(tx, id, if submit { ChangeStage::Submit } else { ChangeStage::Save }, None, None).await?;
    let after = kept(tx, id).await?;
    Ok((id, Change::created("student_change", id, &after)))
}

/// What was asked for is changed until somebody has looked at it; how the student stands is frozen anew. What others asked for
/// remains theirs: its type stays, and its way tells who changed it.
///
/// # Errors
/// As [`insert`]; 409 when it is underway or changed since it was read; 422 for another type of what others asked for.
pub(super) async fn update(
    tx: &mut Tx,
    edit: Edit<ChangeForm>,
    scope: &Scope,
    waiver: Option<&Scope>,
) -> Result<Change> {
    let Edit { id, version, form } = edit;
    let found = find_own(tx, id, scope).await?;
    let student = correct::hold(tx, found.student_id, scope).await?;
    let before = locked(tx, id, scope).await?;
    rules::may_edit(before.status)?;
    if form.student_id != before.student_id {
        return Err(Error::field("studentId", "异动的学生不能更换，请另行申请"));
    }
    let of_others = matches!(before.source, ChangeSource::StudentClient | ChangeSource::SiteClient);
    if of_others && form.kind != before.kind {
        return Err(Error::field("type", "学员或站点提交的申请不能更换类型，请驳回后另行申请"));
    }
    let may_be_waived = may_waive(waiver, &student) || before.lends_waiver(form.kind, &form.after);
    let may = (before.source == ChangeSource::StudentClient, may_be_waived);
    let Allowed { window, planned, waived, effective_on } =
        allowed(tx, &student, &form, may, (Some(id), scope)).await?;
    let from = Placement::of(&student);
    let [major, site, class] = targets(&from, &planned.after);
    let (by, former) = (tx.by(), papers::of(tx, id).await?);
    let changed = sqlx::query!(
        "update student_change set change_batch_id = $3, type = $4, before = $5, after = $6, target_major_id = $7,
                target_site_id = $8, target_class_id = $9, reason_code = $10, reason = $11, suspend_from = $12,
                suspend_until = $13, suspend_months = $14, target_school_name = $15, renumber = $16, effective_on = $17,
                waived = $18, updated_at = now(), updated_by = $19, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        window.map(|window| window.id),
        form.kind.as_str(),
        stored(&from),
        stored(&planned.after),
        major,
        site,
        class,
        form.reason_code.map(ChangeReason::as_str),
        form.reason,
        form.suspend_from.filter(|_| form.kind == ChangeType::Suspension),
        planned.suspend_until,
        planned.months,
        form.target_school_name.as_deref().filter(|_| form.kind == ChangeType::TransferOut),
        form.renumber,
        effective_on,
        waived,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("student_change", id).await);
    }
    papers::set(tx, id, &former, &form.attachments).await?;
    if of_others || before.status != ChangeStatus::Draft {
        note(tx, id, ChangeStage::Edit, None, None).await?;
    }
    let before = Kept { change: before, attachments: former };
    let after = kept(tx, id).await?;
    Ok(Change::edited("student_change", id, &before, &after))
}

/// A draft is sent in: everything is looked at once more, and how the student stands is frozen now.
///
/// # Errors
/// As [`insert`]; 409 for what is no draft, or changed since it was read.
pub(super) async fn submit(tx: &mut Tx, wanted: ChangeItem, scope: &Scope, waiver: Option<&Scope>) -> Result<Change> {
    let found = find_own(tx, wanted.id, scope).await?;
    let student = correct::hold(tx, found.student_id, scope).await?;
    let before = locked(tx, wanted.id, scope).await?;
    if before.status != ChangeStatus::Draft {
        return Err(rules::Refusal::Sent(before.status).into());
    }
    if before.version != wanted.version {
        return Err(tx.stale("student_change", wanted.id).await);
    }
    let form = before.form();
    let may = (before.source == ChangeSource::StudentClient, before.waived || may_waive(waiver, &student));
    let Allowed { window, planned, waived, effective_on } =
        allowed(tx, &student, &form, may, (Some(before.id), scope)).await?;
    let from = Placement::of(&student);
    let [major, site, class] = targets(&from, &planned.after);
    let status = rules::first(window.as_ref().is_none_or(|window| window.site_review), site.is_some());
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update student_change set status = $2, before = $3, after = $4, target_major_id = $5, target_site_id = $6,
                target_class_id = $7, suspend_until = $8, suspend_months = $9, change_batch_id = $10, waived = $11,
                submitted_at = $12, moved_at = $12, effective_on = $13, updated_at = now(), updated_by = $14,
                version = version + 1
         where id = $1",
        before.id,
        status.as_str(),
        stored(&from),
        stored(&planned.after),
        major,
        site,
        class,
        planned.suspend_until,
        planned.months,
        window.map(|window| window.id),
        waived,
        now,
        effective_on,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    note(tx, before.id, ChangeStage::Submit, None, None).await?;
    let after = Changes::find(tx, before.id, &Scope::whole_school()).await?;
    Ok(Change::edited("student_change", before.id, &before, &after))
}

/// A change as the trail keeps it.
#[derive(Debug, Object)]
struct Kept {
    #[oai(flatten)]
    change: StudentChange,
    /// 附件
    attachments: Vec<ChangeFile>,
}

async fn kept(tx: &mut Tx, id: i64) -> Result<Kept> {
    let change = Changes::find(tx, id, &Scope::whole_school()).await?;
    Ok(Kept { change, attachments: papers::of(tx, id).await? })
}

/// The change, when its student lies in the scope: what the receiving site sees, it may not do everything with.
///
/// # Errors
/// 404 outside the scope.
pub(super) async fn find_own(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<StudentChange> {
    let found = Changes::find(connection, id, scope).await?;
    if found.is_of(scope) { Ok(found) } else { Err(Error::not_found()) }
}

pub(super) fn explain_constraint(constraint: &str) -> Option<Error> {
    let what = match constraint {
        "student_change_open_taken" => return Some(Error::conflict("该生有未完成的异动")),
        "student_change_of_batch" => "异动批次",
        "student_change_of_major" => "专业",
        "student_change_of_site" => "站点",
        "student_change_of_class" => "班级",
        _ => return None,
    };
    Some(Error::conflict(format!("所选{what}已被删除，请重新选择")))
}
