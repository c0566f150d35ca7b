//! 站点审核, 接收审核, 审批, 驳回, 撤回 and 登记备案文号: how a change goes on (02 §10).

use std::sync::Arc;

use chrono::NaiveDate;
use information_review::opening::levelled;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, OnConstraint, Reply, Result, Saved, Scope, Tx,
    across::Item,
    reply,
    steps::{Chosen, Step, Stepped, inside},
};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use student_status::student::{
    Student,
    check::NOT_YOURS,
    correct,
    transfer::{self, Placement, Transfer},
};

use crate::ChangeType;

use super::{
    AcceptChange, AuditChange, ChangeFilter, ChangeResult, ChangeStage, ChangeStatus, Changes, EditChange,
    RejectChange, ReviewChangeOfSite, ReviewChanges, StudentChange,
    checks::{Circumstances, Planned, Settings, look},
    form::{explain_constraint, in_history, last_effect, may_renumber, settled, stored, targets},
    locked,
    rules::{self, Refusal, Turn, require_reason},
};

/// Told when the student stands otherwise than when the change was sent in.
const CHANGED: &str = "学生信息已变化，请重新核对";

/// A change as it was read.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct ChangeItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for ChangeItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

impl Item for ChangeItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// What a site thinks of a change.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ChangeReview {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 异动审核结果
    pub result: ChangeResult,
    /// 意见
    /// 不通过时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for ChangeReview {
    fn example() -> Self {
        Self { id: 1, version: 1, result: ChangeResult::Pass, remark: None }
    }
}

/// A change that the school approves.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ChangeAudit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 意见
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
    /// 重编学号
    /// 不填时按申请
    pub renumber: Option<bool>,
    /// 生效日期
    /// 不填时按申请，申请也没有时为今天
    pub effective_on: Option<NaiveDate>,
}

impl Example for ChangeAudit {
    fn example() -> Self {
        Self { id: 1, version: 1, remark: None, renumber: None, effective_on: None }
    }
}

/// A change that is refused.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ChangeReject {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    /// 2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for ChangeReject {
    fn example() -> Self {
        Self { id: 1, version: 1, remark: Some("材料不齐".to_owned()) }
    }
}

/// A change that is taken back.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ChangeCancel {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 说明
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for ChangeCancel {
    fn example() -> Self {
        Self { id: 1, version: 1, remark: None }
    }
}

/// What was decided about several changes.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ChangesReview {
    #[oai(flatten)]
    pub rows: Chosen<ChangeItem, ChangeFilter>,
    /// 异动审核结果
    pub result: ChangeResult,
    /// 意见
    /// 不通过时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for ChangesReview {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![ChangeItem::example()]), result: ChangeResult::Pass, remark: None }
    }
}

/// By which paper the province has filed several changes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ChangesFiling {
    #[oai(flatten)]
    pub rows: Chosen<ChangeItem, ChangeFilter>,
    /// 备案文号
    #[oai(validator(min_length = 2, max_length = 50))]
    pub filing_no: String,
    /// 备案日期
    pub filed_on: NaiveDate,
}

impl Example for ChangesFiling {
    fn example() -> Self {
        Self {
            rows: Chosen::items(vec![ChangeItem::example()]),
            filing_no: "省教学籍〔2026〕12号".to_owned(),
            filed_on: NaiveDate::from_ymd_opt(2026, 4, 20).unwrap_or_default(),
        }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/change", tag = "crate::Tag::StatusChange")]
impl Steps {
    /// 站点审核异动
    #[oai(path = "/siteReview", method = "post", operation_id = "reviewChangeOfSite")]
    async fn site_review(
        &self,
        caller: Allowed<ReviewChangeOfSite>,
        Body(wanted): Body<ChangeReview>,
    ) -> Result<Reply<Saved>> {
        let ChangeReview { id, version, result, remark } = wanted;
        let mut tx = caller.begin().await?;
        let change = turn(&mut tx, Going::new(id, version, Turn::Site(result), remark), &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 接收站点审核异动
    #[oai(path = "/acceptReview", method = "post", operation_id = "acceptChange")]
    async fn accept(&self, caller: Allowed<AcceptChange>, Body(wanted): Body<ChangeReview>) -> Result<Reply<Saved>> {
        let ChangeReview { id, version, result, remark } = wanted;
        let mut tx = caller.begin().await?;
        let change = turn(&mut tx, Going::new(id, version, Turn::Target(result), remark), &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 审批学籍异动
    /// 生效日期不晚于今天的立即生效
    #[oai(path = "/audit", method = "post", operation_id = "auditChange")]
    async fn audit(&self, caller: Allowed<AuditChange>, Body(wanted): Body<ChangeAudit>) -> Result<Reply<Saved>> {
        let ChangeAudit { id, version, remark, renumber, effective_on } = wanted;
        let mut tx = caller.begin().await?;
        let going = Going { renumber, effective_on, ..Going::new(id, version, Turn::Approve, remark) };
        let change = turn(&mut tx, going, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 驳回学籍异动
    #[oai(path = "/reject", method = "post", operation_id = "rejectChange")]
    async fn reject(&self, caller: Allowed<RejectChange>, Body(wanted): Body<ChangeReject>) -> Result<Reply<Saved>> {
        let ChangeReject { id, version, remark } = wanted;
        let mut tx = caller.begin().await?;
        let change = turn(&mut tx, Going::new(id, version, Turn::Reject, remark), &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 撤回学籍异动
    /// 尚未批准的异动，或已批准而未能生效的异动
    #[oai(path = "/cancel", method = "post", operation_id = "cancelChange")]
    async fn cancel(&self, caller: Allowed<EditChange>, Body(wanted): Body<ChangeCancel>) -> Result<Reply<Saved>> {
        let ChangeCancel { id, version, remark } = wanted;
        let mut tx = caller.begin().await?;
        let change = turn(&mut tx, Going::new(id, version, Turn::Cancel, remark), &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 批量审批学籍异动
    #[oai(path = "/batchReview", method = "post", operation_id = "reviewChanges")]
    async fn review(
        &self,
        caller: Allowed<ReviewChanges>,
        Body(wanted): Body<ChangesReview>,
    ) -> Result<Reply<Stepped>> {
        let ChangesReview { rows, result, remark } = wanted;
        if result == ChangeResult::Reject {
            require_reason(remark.as_deref())?;
        }
        Ok(reply(inside(&caller, rows, ReviewAll { result, remark }).await?))
    }

    /// 登记备案文号
    #[oai(path = "/filing", method = "put", operation_id = "fileChanges")]
    async fn filing(&self, caller: Allowed<EditChange>, Body(wanted): Body<ChangesFiling>) -> Result<Reply<Stepped>> {
        let ChangesFiling { rows, filing_no, filed_on } = wanted;
        Ok(reply(inside(&caller, rows, FileAll { filing_no, filed_on }).await?))
    }
}

/// A step of one change.
#[derive(Debug)]
pub(super) struct Going {
    pub(super) id: i64,
    pub(super) version: i32,
    pub(super) turn: Turn,
    pub(super) remark: Option<String>,
    /// Of an approval: what differs from what was asked for.
    pub(super) renumber: Option<bool>,
    pub(super) effective_on: Option<NaiveDate>,
    /// Read once for all rows of a bulk step.
    pub(super) settings: Option<Arc<Settings>>,
}

impl Going {
    pub(super) fn new(id: i64, version: i32, turn: Turn, remark: Option<String>) -> Self {
        Self { id, version, turn, remark, renumber: None, effective_on: None, settings: None }
    }

    /// As the way of the change names it.
    fn stage(&self) -> (ChangeStage, Option<ChangeResult>) {
        match self.turn {
            Turn::Site(result) => (ChangeStage::Site, Some(result)),
            Turn::Target(result) => (ChangeStage::TargetSite, Some(result)),
            Turn::Approve => (ChangeStage::School, Some(ChangeResult::Pass)),
            Turn::Reject => (ChangeStage::School, Some(ChangeResult::Reject)),
            Turn::Cancel | Turn::Withdraw => (ChangeStage::Cancel, None),
        }
    }
}

/// The change, when this step of it is the scope's: the receiving site decides about what comes to it, everything else is
/// decided where the student is.
fn is_theirs(change: &StudentChange, turn: Turn, scope: &Scope) -> bool {
    match turn {
        // Who waits for no receiving site is told so by the rule.
        Turn::Target(_) => match change.target_site_id {
            Some(site) => scope.sees(Some(site), change.after.class_id),
            None => change.is_of(scope),
        },
        Turn::Site(_) | Turn::Approve | Turn::Reject | Turn::Cancel | Turn::Withdraw => change.is_of(scope),
    }
}

/// Moves a change on; one that is approved and due takes effect in the same transaction.
///
/// # Errors
/// 404 outside the scope; 409 from a status that does not lead there, when the student stands otherwise or may not be changed
/// so any more, or when it changed since it was read; 422 when a reason is missing.
pub(super) async fn turn(tx: &mut Tx, going: Going, scope: &Scope) -> Result<Change> {
    let found = Changes::find(tx, going.id, scope).await?;
    if !is_theirs(&found, going.turn, scope) {
        return Err(Error::not_found());
    }
    let student = correct::hold(tx, found.student_id, &Scope::whole_school()).await?;
    let before = locked(tx, going.id, scope).await?;
    let to = rules::after(before.status, going.turn, before.crosses(), before.alert.is_some())?;
    if going.turn.refuses() {
        require_reason(going.remark.as_deref())?;
    }
    if before.version != going.version {
        return Err(tx.stale("student_change", going.id).await);
    }
    let to = if to == ChangeStatus::Approved {
        approve(tx, &student, &before, &going).await?
    } else {
        move_on(tx, &before, to).await?;
        let (stage, result) = going.stage();
        note(tx, before.id, stage, result, going.remark.as_deref()).await?;
        to
    };
    tell(tx, &before, to, going.remark.as_deref()).await?;
    if going.turn == Turn::Approve {
        // Number, day and target may be others than were asked for.
        let after = Changes::find(tx, before.id, &Scope::whole_school()).await?;
        let change = Change::edited("student_change", before.id, &before, &after);
        return Ok(change.because(going.remark.as_deref()));
    }
    let change = Change::status("student_change", before.id, "status", before.status.as_str(), to.as_str());
    Ok(change.because(going.remark.as_deref()))
}

async fn move_on(tx: &mut Tx, before: &StudentChange, to: ChangeStatus) -> Result<()> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update student_change set status = $2, moved_at = $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        before.id,
        to.as_str(),
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Withdraws a change that was imported as approved, before its day.
///
/// # Errors
/// 404 outside the scope; 409 when it is not approved any more.
pub(super) async fn withdraw(tx: &mut Tx, found: &StudentChange, remark: &str, scope: &Scope) -> Result<Change> {
    correct::hold(tx, found.student_id, scope).await?;
    let before = locked(tx, found.id, scope).await?;
    if before.status != ChangeStatus::Approved {
        return Err(Refusal::Over(before.status).into());
    }
    let to = ChangeStatus::Cancelled;
    move_on(tx, &before, to).await?;
    note(tx, before.id, ChangeStage::Cancel, None, Some(remark)).await?;
    let change = Change::status("student_change", before.id, "status", before.status.as_str(), to.as_str());
    Ok(change.because(Some(remark)))
}

/// Whatever held when it was sent in must still hold: the student stands as then, and may be changed so. Its deadlines are
/// measured by that day.
///
/// # Errors
/// 409 with what does not.
pub(super) async fn still(
    tx: &mut Tx,
    student: &Student,
    before: &StudentChange,
    settings: Option<&Settings>,
) -> Result<Planned> {
    if Placement::of(student) != before.before {
        return Err(Error::conflict(CHANGED));
    }
    let today = tx.app().clock().today();
    let on = before.submitted_at.map_or(today, |at| at.date_naive());
    let circumstances = Circumstances { on, waived: before.waived, but: Some(before.id), told_to: None, settings };
    let looked = look(tx, student, &before.asked(), circumstances).await?;
    // Who decides typed nothing of it: what is missing is the state of things.
    settled(looked).map_err(|error| if error.code == 422 { Error::conflict(error.msg) } else { error })
}

/// Approves a change; answers whether it has taken effect.
async fn approve(tx: &mut Tx, student: &Student, before: &StudentChange, going: &Going) -> Result<ChangeStatus> {
    let planned = still(tx, student, before, going.settings.as_deref()).await?;
    let renumber = going.renumber.unwrap_or(before.renumber);
    if renumber && !may_renumber(before.kind) {
        return Err(Error::field("renumber", "只有转专业和转层次可以重编学号"));
    }
    let today = tx.app().clock().today();
    let effective_on = going.effective_on.or(before.effective_on).unwrap_or(today);
    let last = last_effect(tx, student.id).await?;
    in_history(student, last, effective_on).map_err(|why| Error::field("effectiveOn", why))?;
    let [major, site, class] = targets(&before.before, &planned.after);
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update student_change set status = 'approved', after = $2, target_major_id = $3, target_site_id = $4,
                target_class_id = $5, renumber = $6, effective_on = $7, moved_at = $8, updated_at = now(), updated_by = $9,
                version = version + 1
         where id = $1",
        before.id,
        stored(&planned.after),
        major,
        site,
        class,
        renumber,
        effective_on,
        now,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    let (stage, result) = going.stage();
    note(tx, before.id, stage, result, going.remark.as_deref()).await?;
    if effective_on > today {
        return Ok(ChangeStatus::Approved);
    }
    let due = Due { renumber, effective_on };
    take_effect(tx, student, before, &planned, due).await?;
    Ok(ChangeStatus::Executed)
}

/// What was settled by the approval.
#[derive(Debug, Clone, Copy)]
pub(super) struct Due {
    pub(super) renumber: bool,
    pub(super) effective_on: NaiveDate,
}

/// Writes an approved change into the register.
///
/// # Errors
/// 409 when the class is full, or no number can be given.
pub(super) async fn take_effect(
    tx: &mut Tx,
    student: &Student,
    before: &StudentChange,
    planned: &Planned,
    due: Due,
) -> Result<()> {
    let reason = match before.reason_code {
        Some(code) => format!("{}：{}", code.zh(), before.reason),
        None => before.reason.clone(),
    };
    let moved = Transfer {
        effect: planned.effect,
        after: &planned.after,
        reason: &reason,
        renumber: due.renumber,
        change_id: before.id,
        document_no: before.filing_no.as_deref(),
        effective_on: due.effective_on,
    };
    transfer::execute(tx, student, &moved).await?;
    if before.kind == ChangeType::Hierarchical {
        levelled(tx, student.id).await?;
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update student_change set status = 'executed', executed_at = $2, moved_at = $2, alert = null, updated_at = now(),
                updated_by = $3, version = version + 1
         where id = $1",
        before.id,
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    note(tx, before.id, ChangeStage::Execute, None, None).await
}

/// Tells the student what was decided.
async fn tell(tx: &mut Tx, before: &StudentChange, to: ChangeStatus, remark: Option<&str>) -> Result<()> {
    let result = match to {
        ChangeStatus::Approved | ChangeStatus::Executed => "通过",
        ChangeStatus::Rejected => "不通过",
        ChangeStatus::Draft
        | ChangeStatus::PendingSite
        | ChangeStatus::PendingTargetSite
        | ChangeStatus::PendingSchool
        | ChangeStatus::Cancelled
        | ChangeStatus::Revoked => return Ok(()),
    };
    let values = [("changeType", before.kind.zh()), ("result", result), ("remark", remark.unwrap_or_default())];
    let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let person = Person { kind: PersonKind::Student, id: before.student_id };
    notify(tx, "change_result", Persons::Recipients(vec![person]), values, None).await
}

/// A row of the way that a change goes.
///
/// # Errors
/// Those of the database.
pub(crate) async fn note(
    tx: &mut Tx,
    id: i64,
    stage: ChangeStage,
    result: Option<ChangeResult>,
    remark: Option<&str>,
) -> Result<()> {
    let actor = tx.actor().clone();
    sqlx::query!(
        "insert into student_change_step (student_change_id, step, result, remark, actor_kind, actor_id, actor_name)
         values ($1, $2, $3, $4, $5, $6, $7)",
        id,
        stage.as_str(),
        result.map(ChangeResult::as_str),
        remark,
        actor.kind,
        actor.id,
        actor.on_behalf_of.map_or_else(|| actor.name.clone(), |staff| format!("{}（{staff}代）", actor.name))
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

fn as_listed(row: &StudentChange) -> ChangeItem {
    ChangeItem { id: row.id, version: row.version }
}

/// The rows of a decision with everything that is taken for them, each in the order of its numbers: students, changes, the
/// classes that they go to, and the counters of new numbers. So two such steps at once wait for each other and never in a
/// circle. Of students beyond the scope nothing is held.
async fn held(tx: &mut Tx, items: &[ChangeItem], scope: &Scope, approves: bool) -> Result<()> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    let students = sqlx::query_scalar!(
        "select id from student
         where id in (select student_id from student_change where id = any($1))
           and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))
         order by id for update",
        &ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let changes = sqlx::query!(
        "select target_class_id, renumber from student_change where id = any($1) and student_id = any($2) order by id for update",
        &ids,
        &students
    )
    .fetch_all(&mut **tx)
    .await?;
    if !approves {
        return Ok(());
    }
    let classes: Vec<i64> = changes.iter().filter_map(|change| change.target_class_id).collect();
    classes::class::seats_of_classes(tx, &classes).await?;
    if changes.iter().any(|change| change.renumber) {
        student_numbers::allocation::hold(tx).await?;
    }
    Ok(())
}

/// The rows of a bulk step; each is called by the name of its student.
fn named(tx: Tx) -> Bulk {
    Bulk::named(tx, "(select c.id, s.name from student_change c join student s on s.id = c.student_id) change", "name")
}

/// A row of a bulk step outside the scope is told so, without a name.
fn of_row(error: Error) -> Error {
    if error.code == 404 { Error::new(404, NOT_YOURS) } else { error }
}

/// 批量审批学籍异动
#[derive(Debug, Object)]
pub(super) struct ReviewAll {
    result: ChangeResult,
    remark: Option<String>,
}

impl Step for ReviewAll {
    const KIND: &'static str = "student_change.review";
    const TITLE: &'static str = "批量审批学籍异动";
    type Permission = ReviewChanges;
    type Item = ChangeItem;
    type List = Changes;

    fn item(row: &StudentChange) -> ChangeItem {
        as_listed(row)
    }

    async fn run(&self, mut tx: Tx, items: Vec<ChangeItem>, scope: &Scope) -> Result<BulkResult> {
        let to = match self.result {
            ChangeResult::Pass => Turn::Approve,
            ChangeResult::Reject => Turn::Reject,
        };
        held(&mut tx, &items, scope, to == Turn::Approve).await?;
        let settings = Arc::new(Settings::of_school(&mut tx).await?);
        let mut bulk = named(tx);
        for item in items {
            let settings = Some(settings.clone());
            let going = Going { settings, ..Going::new(item.id, item.version, to, self.remark.clone()) };
            let outcome = turn(bulk.row().await?, going, scope).await;
            bulk.ended(item.id, outcome.map_err(of_row)).await?;
        }
        bulk.commit().await
    }
}

/// 登记备案文号
#[derive(Debug, Object)]
pub(super) struct FileAll {
    filing_no: String,
    filed_on: NaiveDate,
}

impl Step for FileAll {
    const KIND: &'static str = "student_change.file";
    const TITLE: &'static str = "登记备案文号";
    type Permission = EditChange;
    type Item = ChangeItem;
    type List = Changes;

    fn item(row: &StudentChange) -> ChangeItem {
        as_listed(row)
    }

    /// Nothing of the students and their classes is written, so only the changes are held.
    async fn run(&self, mut tx: Tx, items: Vec<ChangeItem>, scope: &Scope) -> Result<BulkResult> {
        let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
        sqlx::query_scalar!(
            "select c.id from student_change c join student s on s.id = c.student_id
             where c.id = any($1) and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))
             order by c.id for update of c",
            &ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(&mut *tx)
        .await?;
        let mut bulk = named(tx);
        for item in items {
            let outcome = self.file(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome.map_err(of_row)).await?;
        }
        bulk.commit().await
    }
}

impl FileAll {
    async fn file(&self, tx: &mut Tx, item: ChangeItem, scope: &Scope) -> Result<Change> {
        let before = locked(tx, item.id, scope).await?;
        if !before.is_of(scope) {
            return Err(Error::not_found());
        }
        if !matches!(before.status, ChangeStatus::Approved | ChangeStatus::Executed) {
            return Err(Refusal::Undecided(before.status).into());
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update student_change set filing_no = $3, filed_on = $4, updated_at = now(), updated_by = $5,
                    version = version + 1
             where id = $1 and version = $2",
            item.id,
            item.version,
            self.filing_no,
            self.filed_on,
            by
        )
        .execute(&mut **tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("student_change", item.id).await);
        }
        let filed = StudentChange {
            filing_no: Some(self.filing_no.clone()),
            filed_on: Some(self.filed_on),
            version: before.version + 1,
            ..before.clone()
        };
        Ok(Change::edited("student_change", item.id, &before, &filed))
    }
}
