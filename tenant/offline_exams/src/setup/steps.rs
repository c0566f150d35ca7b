//! 提交, 审核, 发布, 撤回 and 取消 (part 04 §4.2).

use chrono::TimeDelta;
use exam_rules::setup::SetupTurn;
use exam_seats::offered::{clashes, free, unseated};
use exams::{
    candidate::{eligible_of, newly_eligible, refresh},
    enums::{ExamMode, ExamSetupStatus, TestBatchStatus},
    setup::{self, HeldSetup, Said},
};
use infra::{Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Saved, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};

use super::{
    AuditOfflineSetups, CancelOfflineSetup, PublishOfflineSetups, SubmitOfflineSetups, WithdrawOfflineSetup,
    form::told, print::finalised,
};
use crate::of_row;

/// Where somebody sits, as long as only their ticket tells it.
const TICKET: &str = "以准考证为准";

/// An examination as it was read.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct OfflineSetupItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for OfflineSetupItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

/// Examinations that go on.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OfflineSetupsChosen {
    /// 勾选的记录
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<OfflineSetupItem>,
}

impl Example for OfflineSetupsChosen {
    fn example() -> Self {
        Self { items: vec![OfflineSetupItem::example()] }
    }
}

/// What a reviewer says.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OfflineSetupsAudit {
    /// 勾选的记录
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<OfflineSetupItem>,
    /// 通过
    pub pass: bool,
    /// 意见
    /// 退回时必填
    #[oai(validator(max_length = 200))]
    pub opinion: Option<String>,
}

impl Example for OfflineSetupsAudit {
    fn example() -> Self {
        Self { items: vec![OfflineSetupItem::example()], pass: true, opinion: None }
    }
}

/// An examination that does not take place.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OfflineSetupCancellation {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for OfflineSetupCancellation {
    fn example() -> Self {
        Self { id: 1, version: 1, reason: "考点停电".to_owned() }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/offline/pc/offline/setup", tag = "crate::Tag::OfflineExams")]
impl Steps {
    /// 提交线下考试
    #[oai(path = "/submit", method = "put", operation_id = "submitOfflineSetups")]
    async fn submit(
        &self,
        caller: Allowed<SubmitOfflineSetups>,
        Body(wanted): Body<OfflineSetupsChosen>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "exam_setup");
        for item in ordered(wanted.items) {
            let outcome = submit(bulk.row().await?, item, &caller.scope()).await;
            bulk.ended(item.id, outcome.map_err(of_row)).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 审核线下考试
    /// 不能审核自己提交的；已审核的可以退回为草稿，释放座位
    #[oai(path = "/audit", method = "put", operation_id = "auditOfflineSetups")]
    async fn audit(
        &self,
        caller: Allowed<AuditOfflineSetups>,
        Body(wanted): Body<OfflineSetupsAudit>,
    ) -> Result<Reply<BulkResult>> {
        let opinion = wanted.opinion.as_deref().map(str::trim).filter(|opinion| !opinion.is_empty());
        if !wanted.pass && opinion.is_none() {
            return Err(Error::field("opinion", "退回请填写意见"));
        }
        let mut bulk = Bulk::new(caller.begin().await?, "exam_setup");
        for item in ordered(wanted.items.clone()) {
            let outcome = audit(bulk.row().await?, item, (wanted.pass, opinion), &caller.scope()).await;
            bulk.ended(item.id, outcome.map_err(of_row)).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 发布线下考试
    /// 全部考生已编排座位；通知考生
    #[oai(path = "/publish", method = "put", operation_id = "publishOfflineSetups")]
    async fn publish(
        &self,
        caller: Allowed<PublishOfflineSetups>,
        Body(wanted): Body<OfflineSetupsChosen>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "exam_setup");
        for item in ordered(wanted.items) {
            let outcome = publish(bulk.row().await?, item, &caller.scope()).await;
            bulk.ended(item.id, outcome.map_err(of_row)).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 撤回线下考试
    /// 距开考超过24小时时可以撤回为已审核
    #[oai(path = "/withdraw", method = "put", operation_id = "withdrawOfflineSetup")]
    async fn withdraw(
        &self,
        caller: Allowed<WithdrawOfflineSetup>,
        Body(item): Body<OfflineSetupItem>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let held = as_read(&mut tx, item, &caller.scope()).await?;
        let to = held.after(SetupTurn::Withdraw)?;
        let now = tx.app().clock().now();
        if held.starts_at.is_none_or(|starts| now > starts - TimeDelta::hours(24)) {
            return Err(Error::conflict("距开考不足24小时，不能撤回"));
        }
        let change = setup::turned(&mut tx, &held, to, Said::default()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: item.id }))
    }

    /// 取消线下考试
    /// 开考前；释放座位，通知考生
    #[oai(path = "/cancel", method = "put", operation_id = "cancelOfflineSetup")]
    async fn cancel(
        &self,
        caller: Allowed<CancelOfflineSetup>,
        Body(wanted): Body<OfflineSetupCancellation>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let item = OfflineSetupItem { id: wanted.id, version: wanted.version };
        let held = as_read(&mut tx, item, &caller.scope()).await?;
        let to = held.after(SetupTurn::Cancel)?;
        let scored =
            sqlx::query_scalar!(r#"select exists (select from exam_score where setup_id = $1) as "scored!""#, held.id)
                .fetch_one(&mut *tx)
                .await?;
        if scored {
            return Err(Error::conflict("已有成绩，不能取消"));
        }
        if held.status == ExamSetupStatus::Published && held.starts_at.is_some_and(|at| at <= tx.app().clock().now()) {
            return Err(Error::conflict("考试已开始，不能取消"));
        }
        let mut changes = free_all(&mut tx, held.id).await?;
        if held.is_given() {
            tell(&mut tx, &held, "exam_changed", &format!("已取消（{}）", wanted.reason)).await?;
        }
        let said = Said { reason: Some(&wanted.reason), ..Said::default() };
        changes.insert(0, setup::turned(&mut tx, &held, to, said).await?);
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

fn ordered(mut items: Vec<OfflineSetupItem>) -> Vec<OfflineSetupItem> {
    items.sort_by_key(|item| item.id);
    items
}

async fn as_read(tx: &mut Tx, item: OfflineSetupItem, scope: &Scope) -> Result<HeldSetup> {
    let held = setup::held(tx, item.id, ExamMode::Offline, scope).await?;
    held.as_read(tx, item.version).await?;
    Ok(held)
}

/// Takes every candidate of a setup off their seat.
async fn free_all(tx: &mut Tx, setup: i64) -> Result<Vec<Change>> {
    let candidates = sqlx::query_scalar!("select id from exam_candidate where setup_id = $1 order by id", setup)
        .fetch_all(&mut **tx)
        .await?;
    free(tx, &candidates).await
}

/// How many may sit for a setup.
async fn eligible(tx: &mut Tx, setup: i64) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "count!" from exam_candidate where setup_id = $1 and not removed and eligibility = 'eligible'"#,
        setup
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// # Errors
/// 409 without a session, when nobody may sit or somebody would be in two examinations at once, and for a paper that cannot be used.
async fn submit(tx: &mut Tx, item: OfflineSetupItem, scope: &Scope) -> Result<Change> {
    let held = as_read(tx, item, scope).await?;
    let to = held.after(SetupTurn::Submit)?;
    let session = held.session_id.ok_or_else(|| Error::conflict("请先选择考试场次"))?;
    if eligible(tx, held.id).await? == 0 {
        let listed = refresh(tx, &held, scope).await?;
        tx.record(&listed.changes).await?;
    }
    if eligible(tx, held.id).await? == 0 {
        return Err(Error::conflict("没有符合条件的考生"));
    }
    // Who came to the list behind the choice of the session was not compared then.
    if let Some(why) = told(&clashes(tx, Some(held.id), &[], session).await?) {
        return Err(Error::conflict(why));
    }
    finalised(tx, &held).await?;
    setup::turned(tx, &held, to, Said::default()).await
}

/// # Errors
/// 409 for one's own. What was passed may be given back while it is not published.
async fn audit(
    tx: &mut Tx,
    item: OfflineSetupItem,
    (pass, opinion): (bool, Option<&str>),
    scope: &Scope,
) -> Result<Change> {
    let held = as_read(tx, item, scope).await?;
    let to = held.after(if pass { SetupTurn::Pass } else { SetupTurn::Fail })?;
    if held.submitted_by == Some(tx.by()) {
        return Err(Error::conflict("不能审核自己提交的考试安排"));
    }
    // Its session may change now: nobody keeps a seat there.
    if held.status == ExamSetupStatus::Approved {
        let freed = free_all(tx, held.id).await?;
        tx.record(&freed).await?;
    }
    setup::turned(tx, &held, to, Said { opinion, ..Said::default() }).await
}

/// # Errors
/// 409 before its batch has begun, behind its beginning, or while somebody has no seat.
async fn publish(tx: &mut Tx, item: OfflineSetupItem, scope: &Scope) -> Result<Change> {
    let held = as_read(tx, item, scope).await?;
    let to = held.after(SetupTurn::Publish)?;
    if held.batch_status != TestBatchStatus::Active {
        return Err(Error::conflict(format!("批次{}，不能发布考试", held.batch_status.zh())));
    }
    let now = tx.app().clock().now();
    if held.starts_at.is_none_or(|starts| starts <= now) {
        return Err(Error::conflict("考试开始时间已过"));
    }
    if !held.no_seating {
        let waiting = unseated(tx, held.id).await?;
        if waiting > 0 {
            return Err(Error::conflict(format!("还有 {waiting} 名考生未编排座位")));
        }
    }
    let change = setup::turned(tx, &held, to, Said::default()).await?;
    tell(tx, &held, "exam_published", TICKET).await?;
    Ok(change)
}

/// Whoever may sit is told.
async fn tell(tx: &mut Tx, held: &HeldSetup, scene: &str, place: &str) -> Result<()> {
    let students = eligible_of(tx, held.id).await?;
    let once = format!("{scene}:{}:{}", held.id, held.version);
    tell_students(tx, held, (scene, place), students, Some(&once)).await
}

/// Whoever may sit by now for what is published, and could not before, is told of it.
///
/// # Errors
/// Those of the database.
pub(crate) async fn tell_new(tx: &mut Tx, held: &HeldSetup, before: &[i64]) -> Result<()> {
    if held.status != ExamSetupStatus::Published {
        return Ok(());
    }
    let new = newly_eligible(tx, held.id, before).await?;
    tell_students(tx, held, ("exam_published", TICKET), new, None).await
}

async fn tell_students(
    tx: &mut Tx,
    held: &HeldSetup,
    (scene, place): (&str, &str),
    students: Vec<i64>,
    once: Option<&str>,
) -> Result<()> {
    if students.is_empty() {
        return Ok(());
    }
    let people = students.into_iter().map(|id| Person { kind: PersonKind::Student, id }).collect();
    let values = [
        ("course".to_owned(), held.course_name.clone()),
        ("startsAt".to_owned(), held.starts_at.map(|at| at.format("%Y-%m-%d %H:%M").to_string()).unwrap_or_default()),
        ("place".to_owned(), place.to_owned()),
    ];
    notify(tx, scene, Persons::Recipients(people), values.into(), once).await
}
