//! 提交, 撤回, 审核, 退回, 作废 of a plan (part 03 B1).

use infra::{Allowed, Body, Change, Error, OnConstraint, Reply, Result, Saved, Tx, Warned, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use teaching_plan_rules::steps::{Turn, after};

use super::{
    AuditPlan, Held, RecallPlan, RejectPlan, SubmitPlan, WithdrawPlan, check::checked, held, held_with_family, whole,
};
use crate::enums::PlanStatus;

/// A plan as it was read.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct PlanItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for PlanItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

/// A plan that is approved.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct PlanAudit {
    /// 编号
    pub id: i64,
    /// 版本
    /// 审核的是读取时的内容：提交后又撤回修改的计划不会被误审
    pub version: i32,
    /// 审核意见
    #[oai(validator(max_length = 500))]
    pub opinion: Option<String>,
}

impl Example for PlanAudit {
    fn example() -> Self {
        Self { id: 1, version: 1, opinion: Some("同意执行".to_owned()) }
    }
}

/// A plan that goes back.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct PlanReject {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    /// 2至500个字符
    #[oai(validator(min_length = 2, max_length = 500))]
    pub reason: String,
}

impl Example for PlanReject {
    fn example() -> Self {
        Self { id: 1, version: 1, reason: "第3学期学分偏多，请调整".to_owned() }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/teachingPlan", tag = "crate::Tag::TeachingPlan")]
impl Steps {
    /// 提交教学计划
    /// 有错误的计划不能提交；返回提醒
    #[oai(path = "/submit", method = "put", operation_id = "submitTeachingPlan")]
    async fn submit(&self, caller: Allowed<SubmitPlan>, Body(item): Body<PlanItem>) -> Result<Reply<Warned>> {
        let mut tx = caller.begin().await?;
        let plan = held(&mut tx, item.id).await?;
        plan.as_read(&mut tx, item.version).await?;
        let to = after(plan.status, Turn::Submit).map_err(Error::conflict)?;
        let check = checked(&mut tx, &plan).await?;
        if let Some(told) = check.refusal() {
            return Err(Error::refused(told));
        }
        let change = submitted(&mut tx, &plan, to).await?;
        tx.commit(change).await?;
        let warnings = check.warnings.into_iter().map(|problem| problem.message).collect();
        Ok(reply(Warned { id: item.id, warnings }))
    }

    /// 撤回教学计划
    /// 只有提交人可以撤回
    #[oai(path = "/recall", method = "put", operation_id = "recallTeachingPlan")]
    async fn recall(&self, caller: Allowed<RecallPlan>, Body(item): Body<PlanItem>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let plan = held(&mut tx, item.id).await?;
        plan.as_read(&mut tx, item.version).await?;
        let to = after(plan.status, Turn::Recall).map_err(Error::conflict)?;
        if plan.submitted_by != Some(tx.by()) {
            return Err(Error::conflict("只有提交人可以撤回，请审核人退回"));
        }
        let by = tx.by();
        sqlx::query!(
            "update teaching_plan set status = $2, submitted_by = null, submitted_by_name = null, submitted_at = null,
                    updated_at = now(), updated_by = $3, version = version + 1
             where id = $1",
            plan.id,
            to.as_str(),
            by
        )
        .execute(&mut *tx)
        .await?;
        tx.commit(told(&plan, to)).await?;
        Ok(reply(Saved { id: item.id }))
    }

    /// 审核教学计划
    /// 审核通过后生效，同年级专业原生效的版本同时被替代
    #[oai(path = "/audit", method = "put", operation_id = "auditTeachingPlan")]
    async fn audit(&self, caller: Allowed<AuditPlan>, Body(wanted): Body<PlanAudit>) -> Result<Reply<Saved>> {
        whole(&caller.scope(), "审核教学计划")?;
        let mut tx = caller.begin().await?;
        let (plan, family) = held_with_family(&mut tx, wanted.id).await?;
        after(plan.status, Turn::Pass).map_err(Error::conflict)?;
        plan.as_read(&mut tx, wanted.version).await?;
        if plan.submitted_by == Some(tx.by()) {
            return Err(Error::conflict("不能审核自己提交的教学计划"));
        }
        // What it was submitted with may have changed since: a course was switched off, another was opened.
        if let Some(told) = checked(&mut tx, &plan).await?.refusal() {
            return Err(Error::refused(told));
        }
        let changes = take_effect(&mut tx, &plan, &family, wanted.opinion.as_deref()).await?;
        tell(&mut tx, &plan, "通过", wanted.opinion.as_deref()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 退回教学计划
    #[oai(path = "/reject", method = "put", operation_id = "rejectTeachingPlan")]
    async fn reject(&self, caller: Allowed<RejectPlan>, Body(wanted): Body<PlanReject>) -> Result<Reply<Saved>> {
        whole(&caller.scope(), "退回教学计划")?;
        let mut tx = caller.begin().await?;
        let plan = held(&mut tx, wanted.id).await?;
        plan.as_read(&mut tx, wanted.version).await?;
        let to = after(plan.status, Turn::Return).map_err(Error::conflict)?;
        if plan.submitted_by == Some(tx.by()) {
            return Err(Error::conflict("不能退回自己提交的教学计划，请撤回"));
        }
        judged(&mut tx, &plan, to, Some(&wanted.reason)).await?;
        tell(&mut tx, &plan, "退回", Some(&wanted.reason)).await?;
        let change = told(&plan, to).because(Some(&wanted.reason));
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 作废教学计划
    #[oai(path = "/withdraw", method = "put", operation_id = "withdrawTeachingPlan")]
    async fn withdraw(&self, caller: Allowed<WithdrawPlan>, Body(item): Body<PlanItem>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let plan = held(&mut tx, item.id).await?;
        plan.as_read(&mut tx, item.version).await?;
        let to = after(plan.status, Turn::Withdraw).map_err(Error::conflict)?;
        let by = tx.by();
        sqlx::query!(
            "update teaching_plan set status = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
            plan.id,
            to.as_str(),
            by
        )
        .execute(&mut *tx)
        .await?;
        tx.commit(told(&plan, to)).await?;
        Ok(reply(Saved { id: item.id }))
    }
}

fn told(plan: &Held, to: PlanStatus) -> Change {
    Change::status("teaching_plan", plan.id, "status", plan.status.as_str(), to.as_str())
}

/// Sends a plan to its audit, under the name of whoever acts.
pub(crate) async fn submitted(tx: &mut Tx, plan: &Held, to: PlanStatus) -> Result<Change> {
    let (by, name, now) = (tx.by(), tx.actor().name.clone(), tx.app().clock().now());
    sqlx::query!(
        "update teaching_plan set status = $2, submitted_by = $3, submitted_by_name = $4, submitted_at = $5, audited_by = null,
                audited_by_name = null, audited_at = null, audit_opinion = null, updated_at = now(), updated_by = $3,
                version = version + 1
         where id = $1",
        plan.id,
        to.as_str(),
        by,
        name,
        now
    )
    .execute(&mut **tx)
    .await?;
    Ok(told(plan, to))
}

/// Writes who decided, and how.
async fn judged(tx: &mut Tx, plan: &Held, to: PlanStatus, opinion: Option<&str>) -> Result<()> {
    let (by, name, now) = (tx.by(), tx.actor().name.clone(), tx.app().clock().now());
    let effective = (to == PlanStatus::Effective).then_some(now);
    sqlx::query!(
        "update teaching_plan set status = $2, audited_by = $3, audited_by_name = $4, audited_at = $5, audit_opinion = $6,
                effective_at = coalesce($7, effective_at), updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        plan.id,
        to.as_str(),
        by,
        name,
        now,
        opinion,
        effective
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "teaching_plan_effective_taken")
            .then(|| Error::conflict("该年级专业的另一版本刚刚生效，请刷新后查看"))
    })?;
    Ok(())
}

/// The version in effect gives way to this one. Whoever calls holds all versions.
pub(crate) async fn take_effect(
    tx: &mut Tx,
    plan: &Held,
    family: &[Held],
    opinion: Option<&str>,
) -> Result<Vec<Change>> {
    let by = tx.by();
    let mut changes = Vec::with_capacity(2);
    for old in family.iter().filter(|old| old.status == PlanStatus::Effective) {
        sqlx::query!(
            "update teaching_plan set status = 'superseded', updated_at = now(), updated_by = $2, version = version + 1
             where id = $1",
            old.id,
            by
        )
        .execute(&mut **tx)
        .await?;
        changes.push(told(old, PlanStatus::Superseded));
    }
    judged(tx, plan, PlanStatus::Effective, opinion).await?;
    changes.push(told(plan, PlanStatus::Effective).because(opinion));
    Ok(changes)
}

/// Tells whoever submitted a plan what was decided.
async fn tell(tx: &mut Tx, plan: &Held, result: &str, opinion: Option<&str>) -> Result<()> {
    let Some(account) = plan.submitted_by.filter(|account| *account != 0) else { return Ok(()) };
    let values = [("plan", plan.name.as_str()), ("result", result), ("remark", opinion.unwrap_or_default())];
    let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let person = Person { kind: PersonKind::Account, id: account };
    notify(tx, "plan_audited", Persons::Recipients(vec![person]), values, None).await
}
