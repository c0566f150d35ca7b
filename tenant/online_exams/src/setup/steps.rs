//! 发布, 撤回, 取消, 结束 and 重开 of examinations on the net (part 04 §2.2).

use chrono::TimeDelta;
use exam_rules::setup::SetupTurn;
use exams::{
    candidate::{attended, eligible_of},
    enums::{ExamAttendance, ExamMode, MarkingStatus},
    setup::{self, HeldSetup, Said, SetupFilter, SetupRow},
};
use homework::sheet::void;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Error, Reply, Result, Saved, Scope, Tx,
    across::Item,
    reply,
    steps::{Chosen, Step, Stepped, inside, job},
};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    CancelOnlineSetup, CloseOnlineSetup, OnlineExamForm, OnlineSetups, PublishOnlineSetups, ReopenOnlineSetup,
    WithdrawOnlineSetup,
    publish::{publish, tell},
    reopen::{OnlineSetupReopening, reopened},
};
use crate::{mark::distribute, of_row};

/// An examination as it was read.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct OnlineSetupItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for OnlineSetupItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

impl Item for OnlineSetupItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// Examinations that are given.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OnlineSetupsChosen {
    #[oai(flatten)]
    pub rows: Chosen<OnlineSetupItem, SetupFilter>,
}

impl Example for OnlineSetupsChosen {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![OnlineSetupItem::example()]) }
    }
}

/// An examination that does not take place.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OnlineSetupCancellation {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for OnlineSetupCancellation {
    fn example() -> Self {
        Self { id: 1, version: 1, reason: "试卷有误".to_owned() }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/exam/pc/online/setup", tag = "crate::Tag::OnlineExams")]
impl Steps {
    /// 发布在线考试
    /// 冻结并分发试卷，通知考生
    #[oai(path = "/publish", method = "put", operation_id = "publishOnlineSetups")]
    async fn publish(
        &self,
        caller: Allowed<PublishOnlineSetups>,
        Body(wanted): Body<OnlineSetupsChosen>,
    ) -> Result<Reply<Stepped>> {
        Ok(reply(inside(&caller, wanted.rows, PublishExams {}).await?))
    }

    /// 撤回在线考试
    /// 没有考生进入、距开考超过10分钟时可以撤回为草稿
    #[oai(path = "/withdraw", method = "put", operation_id = "withdrawOnlineSetup")]
    async fn withdraw(
        &self,
        caller: Allowed<WithdrawOnlineSetup>,
        Body(item): Body<OnlineSetupItem>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let held = as_read(&mut tx, item, &caller.scope()).await?;
        let to = held.after(SetupTurn::Withdraw)?;
        if count(&mut tx, held.id, false).await? > 0 {
            return Err(Error::conflict("已有考生进入考试，不能撤回"));
        }
        let now = tx.app().clock().now();
        if held.starts_at.is_none_or(|starts| now >= starts - TimeDelta::minutes(10)) {
            return Err(Error::conflict("距开考不足10分钟，不能撤回"));
        }
        let change = setup::turned(&mut tx, &held, to, Said::default()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: item.id }))
    }

    /// 取消在线考试
    /// 答卷作废，通知考生；成绩已转入的不能取消
    #[oai(path = "/cancel", method = "put", operation_id = "cancelOnlineSetup")]
    async fn cancel(
        &self,
        caller: Allowed<CancelOnlineSetup>,
        Body(wanted): Body<OnlineSetupCancellation>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let item = OnlineSetupItem { id: wanted.id, version: wanted.version };
        let held = as_read(&mut tx, item, &caller.scope()).await?;
        if held.marking_status == MarkingStatus::Transferred {
            return Err(Error::conflict("成绩已转入，不能取消"));
        }
        let to = held.after(SetupTurn::Cancel)?;
        let mut changes = Vec::new();
        for sheet in sheets(&mut tx, held.id).await? {
            changes.push(void(&mut tx, sheet).await?);
        }
        if held.is_given() {
            let students = eligible_of(&mut tx, held.id).await?;
            let once = format!("exam_changed:{}:cancel", held.id);
            tell_cancelled(&mut tx, &held, &students, &once).await?;
        }
        let said = Said { reason: Some(&wanted.reason), ..Said::default() };
        changes.insert(0, setup::turned(&mut tx, &held, to, said).await?);
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 结束在线考试
    /// 没有作答中的答卷时可以结束；没有答卷的考生记为缺考
    #[oai(path = "/close", method = "put", operation_id = "closeOnlineSetup")]
    async fn close(
        &self,
        caller: Allowed<CloseOnlineSetup>,
        Body(item): Body<OnlineSetupItem>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_long().await?;
        let held = as_read(&mut tx, item, &caller.scope()).await?;
        let changes = closed(&mut tx, &held).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: item.id }))
    }

    /// 延长重开在线考试
    /// 所选考生可以重新作答，或以交卷时的剩余时间继续作答
    #[oai(path = "/reopen", method = "put", operation_id = "reopenOnlineSetup")]
    async fn reopen(
        &self,
        caller: Allowed<ReopenOnlineSetup>,
        Body(wanted): Body<OnlineSetupReopening>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let changes = reopened(&mut tx, &wanted, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// Holds an examination as it was read.
async fn as_read(tx: &mut Tx, item: OnlineSetupItem, scope: &Scope) -> Result<HeldSetup> {
    let held = setup::held(tx, item.id, ExamMode::Online, scope).await?;
    held.as_read(tx, item.version).await?;
    Ok(held)
}

/// Sheets of a setup that are not void, or that are answered now.
pub(crate) async fn count(tx: &mut Tx, setup: i64, answered: bool) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "count!" from answer_sheet a join exam_candidate c on c.id = a.exam_candidate_id
           where c.setup_id = $1 and a.mark_state <> 'void' and (not $2 or a.mark_state = 'in_progress')"#,
        setup,
        answered
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Holds the candidates of a setup: nobody enters it meanwhile.
async fn hold_candidates(tx: &mut Tx, setup: i64) -> Result<()> {
    sqlx::query_scalar!("select id from exam_candidate where setup_id = $1 order by id for update", setup)
        .fetch_all(&mut **tx)
        .await?;
    Ok(())
}

/// The sheets of a setup that are not void, behind its candidates, which are held.
async fn sheets(tx: &mut Tx, setup: i64) -> Result<Vec<i64>> {
    hold_candidates(tx, setup).await?;
    Ok(sqlx::query_scalar!(
        "select a.id from answer_sheet a join exam_candidate c on c.id = a.exam_candidate_id
         where c.setup_id = $1 and a.mark_state <> 'void' order by a.id",
        setup
    )
    .fetch_all(&mut **tx)
    .await?)
}

async fn tell_cancelled(tx: &mut Tx, held: &HeldSetup, students: &[i64], once: &str) -> Result<()> {
    let told = HeldSetup { course_name: format!("{}（已取消）", held.course_name), ..held.clone() };
    tell(tx, &told, "exam_changed", students, Some(once)).await
}

/// Ends an examination: who did not come is absent, what waits for a marker is given out.
///
/// # Errors
/// 409 while somebody answers.
pub(crate) async fn closed(tx: &mut Tx, held: &HeldSetup) -> Result<Vec<Change>> {
    let to = held.after(SetupTurn::Close)?;
    // Who enters in this moment is counted, or finds it over.
    hold_candidates(tx, held.id).await?;
    let answering = count(tx, held.id, true).await?;
    if answering > 0 {
        return Err(Error::conflict(format!("还有 {answering} 名考生正在作答")));
    }
    let missing = sqlx::query_scalar!(
        "select c.id from exam_candidate c
         where c.setup_id = $1 and not c.removed and c.eligibility in ('eligible', 'disqualified') and c.attendance <> 'absent'
           and not exists (select from answer_sheet a where a.exam_candidate_id = c.id and a.mark_state <> 'void')
         order by c.id",
        held.id
    )
    .fetch_all(&mut **tx)
    .await?;
    let absent: Vec<(i64, ExamAttendance)> = missing.into_iter().map(|id| (id, ExamAttendance::Absent)).collect();
    let mut changes = attended(tx, &absent).await?;
    changes.insert(0, setup::turned(tx, held, to, Said::default()).await?);
    let waiting = sqlx::query_scalar!(
        r#"select exists (
               select from answer_sheet a join exam_candidate c on c.id = a.exam_candidate_id
               where c.setup_id = $1 and a.mark_state = 'submitted') as "waiting!""#,
        held.id
    )
    .fetch_one(&mut **tx)
    .await?;
    let state = if waiting { MarkingStatus::Marking } else { MarkingStatus::Done };
    changes.push(setup::marking(tx, held.id, state).await?);
    if waiting {
        changes.extend(distribute(tx, held).await?);
    }
    Ok(changes)
}

/// An edit; of a published examination sheets that are answered follow a later end, and candidates are told.
pub(super) async fn edited(tx: &mut Tx, edit: &Edit<OnlineExamForm>, scope: &Scope) -> Result<Vec<Change>> {
    let before = setup::held(tx, edit.id, ExamMode::Online, scope).await?;
    let plan = edit.form.plan(tx).await?;
    let mut changes = vec![setup::update(tx, edit.id, edit.version, &plan, ExamMode::Online, scope).await?];
    let after = setup::known(tx, edit.id, ExamMode::Online).await?;
    if before.is_given() && before.ends_at != after.ends_at {
        changes.extend(crate::attempt::follow_deadlines(tx, &after, None).await?);
        let students = eligible_of(tx, edit.id).await?;
        let once = format!("exam_changed:{}:{}", edit.id, after.version);
        tell(tx, &after, "exam_changed", &students, Some(&once)).await?;
    }
    Ok(changes)
}

/// 批量发布在线考试
#[derive(Debug, Object)]
pub(super) struct PublishExams {}

impl Step for PublishExams {
    const KIND: &'static str = "online_exam.publish";
    const TITLE: &'static str = "批量发布在线考试";
    const AT_ONCE: usize = 1;
    type Permission = PublishOnlineSetups;
    type Item = OnlineSetupItem;
    type List = OnlineSetups;

    fn item(row: &SetupRow) -> OnlineSetupItem {
        OnlineSetupItem { id: row.id, version: row.version }
    }

    async fn run(&self, tx: Tx, mut items: Vec<OnlineSetupItem>, scope: &Scope) -> Result<BulkResult> {
        items.sort_by_key(|item| item.id);
        let mut bulk = Bulk::new(tx, "exam_setup");
        for item in items {
            let outcome = publish(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome.map_err(of_row)).await?;
        }
        bulk.commit().await
    }
}

pub(super) const PUBLISH_JOB: infra::jobs::JobKind = job::<PublishExams>();
