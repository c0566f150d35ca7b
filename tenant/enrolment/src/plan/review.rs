//! 提交, 核定, 退回, 撤销核定: how a plan goes on (02 §5).

use std::collections::HashMap;

use enrolment_rules::plan::{Step, after};
use infra::{
    Allowed, Body, BulkFailure, BulkResult, Change, Error, Reply, Result, Saved, Scope, Tx, Warned, across::Keyed,
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    AuditSiteEnrollment, EditSiteEnrollment, RejectSiteEnrollment, ReviewSiteEnrollments, SiteEnrollmentStatus,
    SiteEnrollmentView, SiteEnrollments, grant, lock, rows_of, select::kept,
};

/// A plan as it was read.
#[derive(Debug, Clone, Copy, Object)]
pub struct SiteEnrollmentItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

/// `{id, version}`.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct SiteEnrollmentStep {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for SiteEnrollmentStep {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

/// `{items}`.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SiteEnrollmentItems {
    /// 站点招生
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<SiteEnrollmentItem>,
}

impl Example for SiteEnrollmentItems {
    fn example() -> Self {
        Self { items: vec![SiteEnrollmentItem { id: 1, version: 1 }] }
    }
}

/// How many people of a line are granted.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteEnrollmentGrant {
    /// 编号
    pub id: i64,
    /// 核定人数
    #[oai(validator(minimum(value = "0"), maximum(value = "9999")))]
    pub quota_approved: i32,
}

/// What was decided about a plan.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SiteEnrollmentAudit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 核定人数
    /// 未列出的专业按申报人数核定
    #[oai(default, validator(max_items = 500))]
    pub lines: Vec<SiteEnrollmentGrant>,
}

impl Example for SiteEnrollmentAudit {
    fn example() -> Self {
        Self { id: 1, version: 1, lines: vec![SiteEnrollmentGrant { id: 1, quota_approved: 50 }] }
    }
}

/// How many plans were granted what they asked for.
#[derive(Debug, Clone, Object)]
pub struct SiteEnrollmentsReviewed {
    /// 成功条数
    pub done: i64,
    /// 失败明细
    pub failed: Vec<BulkFailure>,
    /// 提醒
    /// 值得核对的内容，不影响核定
    pub warnings: Vec<String>,
}

/// A plan that is sent back.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SiteEnrollmentReject {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    /// 2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for SiteEnrollmentReject {
    fn example() -> Self {
        Self { id: 1, version: 1, remark: Some("申报人数过多".to_owned()) }
    }
}

fn allowed(from: SiteEnrollmentStatus, step: Step) -> Result<SiteEnrollmentStatus> {
    after(from, step).map_err(|refusal| Error::conflict(refusal.to_string()))
}

pub struct Review;

#[OpenApi(prefix_path = "/adult/pc/siteEnrollment", tag = "crate::Tag::Enrolment")]
impl Review {
    /// 提交站点招生
    #[oai(path = "/submit", method = "post", operation_id = "submitSiteEnrollment")]
    async fn submit(
        &self,
        caller: Allowed<EditSiteEnrollment>,
        Body(wanted): Body<SiteEnrollmentStep>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = submit(&mut tx, wanted, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 核定站点招生
    #[oai(path = "/audit", method = "post", operation_id = "auditSiteEnrollment")]
    async fn audit(
        &self,
        caller: Allowed<AuditSiteEnrollment>,
        Body(wanted): Body<SiteEnrollmentAudit>,
    ) -> Result<Reply<Warned>> {
        let mut tx = caller.begin().await?;
        let item = SiteEnrollmentItem { id: wanted.id, version: wanted.version };
        let Approved { change, over, .. } = approve(&mut tx, item, &wanted.lines, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Warned { id: wanted.id, warnings: over.into_iter().collect() }))
    }

    /// 批量核定站点招生
    /// 按申报人数核定
    #[oai(path = "/batchReview", method = "post", operation_id = "reviewSiteEnrollments")]
    async fn review(
        &self,
        caller: Allowed<ReviewSiteEnrollments>,
        Body(wanted): Body<SiteEnrollmentItems>,
    ) -> Result<Reply<SiteEnrollmentsReviewed>> {
        let scope = caller.scope();
        let mut tx = caller.begin().await?;
        hold(&mut tx, &wanted.items).await?;
        let mut bulk = rows_of(tx);
        let mut warnings = Vec::new();
        for item in wanted.items {
            let outcome = approve(bulk.row().await?, item, &[], &scope).await;
            let change = outcome.map(|Approved { change, site, over }| {
                warnings.extend(over.map(|over| format!("“{site}”{over}")));
                change
            });
            bulk.ended(item.id, change).await?;
        }
        let BulkResult { done, failed } = bulk.commit().await?;
        Ok(reply(SiteEnrollmentsReviewed { done, failed, warnings }))
    }

    /// 退回站点招生
    #[oai(path = "/reject", method = "post", operation_id = "rejectSiteEnrollment")]
    async fn reject(
        &self,
        caller: Allowed<RejectSiteEnrollment>,
        Body(wanted): Body<SiteEnrollmentReject>,
    ) -> Result<Reply<Saved>> {
        let remark = wanted.remark.filter(|remark| remark.chars().count() >= 2);
        let remark = remark.ok_or_else(|| Error::field("remark", "请填写原因"))?;
        let mut tx = caller.begin().await?;
        let before = lock(&mut tx, wanted.id, &caller.scope()).await?;
        let to = allowed(before.plan.status, Step::Reject)?;
        let change = write(&mut tx, &before, wanted.version, to, Some(&remark)).await?;
        tx.commit(change.because(Some(&remark))).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 撤销核定
    #[oai(path = "/revoke", method = "post", operation_id = "revokeSiteEnrollment")]
    async fn revoke(
        &self,
        caller: Allowed<AuditSiteEnrollment>,
        Body(wanted): Body<SiteEnrollmentStep>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = lock(&mut tx, wanted.id, &caller.scope()).await?;
        let to = allowed(before.plan.status, Step::Revoke)?;
        nobody_admitted(&mut tx, &before, "撤销").await?;
        sqlx::query!("update site_enrollment_line set quota_approved = null where site_enrollment_id = $1", wanted.id)
            .execute(&mut *tx)
            .await?;
        let change = write(&mut tx, &before, wanted.version, to, None).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// Nobody was admitted to what the plan's site has of its majors, and nobody is meanwhile.
///
/// # Errors
/// 409.
pub(super) async fn nobody_admitted(tx: &mut Tx, plan: &SiteEnrollmentView, step: &str) -> Result<()> {
    let majors: Vec<i64> = plan.lines.iter().map(|line| line.enrollment_major_id).collect();
    // Whoever takes a place holds these too.
    grant::hold(tx, &majors, None).await?;
    let admitted = sqlx::query_scalar!(
        r#"select count(*) as "admitted!" from admission
           where enrollment_major_id = any($1) and site_id = $2 and status in ('assigned', 'audited') and deleted_at is null"#,
        &majors,
        plan.plan.site_id
    )
    .fetch_one(&mut **tx)
    .await?;
    if admitted == 0 { Ok(()) } else { Err(Error::conflict(format!("已有{admitted}名录取学生，不能{step}"))) }
}

/// What was declared waits for the school.
///
/// # Errors
/// 404 outside the scope, 409 from a status that does not lead there or when it changed since it was read.
pub(super) async fn submit(tx: &mut Tx, wanted: SiteEnrollmentStep, scope: &Scope) -> Result<Change> {
    let before = lock(tx, wanted.id, scope).await?;
    let to = allowed(before.plan.status, Step::Submit)?;
    write(tx, &before, wanted.version, to, None).await
}

/// A plan that was granted.
struct Approved {
    change: Change,
    site: String,
    /// By how much the site is over its capacity.
    over: Option<String>,
}

/// Grants the site these numbers, and what it asked for where none is told.
///
/// # Errors
/// 409 when more is granted than is left of a major, 422 for a line of another plan.
async fn approve(
    tx: &mut Tx,
    item: SiteEnrollmentItem,
    told: &[SiteEnrollmentGrant],
    scope: &Scope,
) -> Result<Approved> {
    let before = lock(tx, item.id, scope).await?;
    let to = allowed(before.plan.status, Step::Approve)?;
    let told: HashMap<i64, i32> = told.iter().map(|line| (line.id, line.quota_approved)).collect();
    if let Some(stranger) = told.keys().find(|id| !before.lines.iter().any(|line| line.id == **id)) {
        return Err(Error::field("lines", format!("核定的专业（编号{stranger}）不在该申报中，请刷新后重试")));
    }
    let majors: Vec<i64> = before.lines.iter().map(|line| line.enrollment_major_id).collect();
    let mut held = grant::hold(tx, &majors, Some(item.id)).await?;
    let (mut ids, mut granted, mut exceeded) = (Vec::new(), Vec::new(), Vec::new());
    for line in &before.lines {
        let wanted = told.get(&line.id).copied().unwrap_or(line.quota_applied);
        let major = held.get_mut(&line.enrollment_major_id).ok_or_else(Error::not_found)?;
        if wanted > 0 && !major.enabled {
            exceeded.push(format!("{}已停用，不能核定人数", major.name));
        } else if let Err(refused) = major.grant(wanted.into()) {
            exceeded.push(refused.to_string());
        }
        ids.push(line.id);
        granted.push(wanted);
    }
    if !exceeded.is_empty() {
        return Err(Error::conflict(exceeded.join("；")));
    }
    sqlx::query!(
        "update site_enrollment_line n set quota_approved = w.granted
         from unnest($1::bigint[], $2::integer[]) as w (id, granted) where n.id = w.id",
        &ids,
        &granted
    )
    .execute(&mut **tx)
    .await?;
    let change = write(tx, &before, item.version, to, None).await?;
    let sum = granted.iter().copied().map(i64::from).sum();
    let over = grant::over_capacity(before.capacity, before.student_count, sum);
    Ok(Approved { change, site: before.plan.site_name, over })
}

/// All plans of a bulk step, then their batches against their end, then all their majors, each in the order of their numbers: as
/// one plan and the imports hold them.
async fn hold(tx: &mut Tx, items: &[SiteEnrollmentItem]) -> Result<()> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    sqlx::query_scalar!("select id from site_enrollment where id = any($1) order by id for update", &ids)
        .fetch_all(&mut **tx)
        .await?;
    sqlx::query_scalar!(
        "select id from enrollment_batch where id in (select batch_id from site_enrollment where id = any($1))
         order by id for share",
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let majors = sqlx::query_scalar!(
        "select distinct enrollment_major_id from site_enrollment_line where site_enrollment_id = any($1)",
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    grant::hold(tx, &majors, None).await?;
    Ok(())
}

async fn write(
    tx: &mut Tx,
    before: &SiteEnrollmentView,
    version: i32,
    to: SiteEnrollmentStatus,
    remark: Option<&str>,
) -> Result<Change> {
    let (by, now, id) = (tx.by(), tx.app().clock().now(), before.plan.id);
    let submits = before.plan.status == SiteEnrollmentStatus::Draft;
    let changed = sqlx::query!(
        "update site_enrollment set status = $3, submitted_at = case when $4 then $5 else submitted_at end, review_remark = $6,
                reviewed_by = case when not $4 then $7::bigint end, reviewed_at = case when not $4 then $5::timestamptz end,
                updated_at = now(), updated_by = $7, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        to.as_str(),
        submits,
        now,
        remark,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("site_enrollment", id).await);
    }
    let plan = SiteEnrollments::find(tx, id, &Scope::whole_school()).await?;
    let after = kept(tx, plan).await?;
    Ok(Change::edited("site_enrollment", id, before, &after))
}
