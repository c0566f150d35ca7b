//! 启动, 生成名单, 审核, 注册完成 and 归档 of a batch.

use certificates::offered as certificates_of;
use graduation_rules::steps::{BatchTurn, batch_after};
use infra::{
    Allowed, Body, Change, Error, Reply, Result, Saved, Tx,
    jobs::{self, JobStarted, NewJob},
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use scores_rules::settings::CONVERSION_YEARS;
use serde_json::json;

use super::{ArchiveGraduationBatch, AuditBatch, GenerateGraduates, RegisterGraduationBatch, StartGraduationBatch};
use crate::{
    enums::{GraduationBatchKind, GraduationBatchStatus},
    user::{audit, steps::auditing},
};

/// A batch as it was read.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct GraduationBatchStep {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for GraduationBatchStep {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

/// Of which batch.
#[derive(Debug, Clone, Copy, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GraduationBatchChosen {
    /// 毕业批次
    pub batch_id: i64,
}

impl Example for GraduationBatchChosen {
    fn example() -> Self {
        Self { batch_id: 1 }
    }
}

/// Who came into a batch.
#[derive(Debug, Clone, Object)]
pub struct GraduatesGenerated {
    /// 新列入人数
    pub added: i64,
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/graduate/batch", tag = "crate::Tag::Graduation")]
impl Steps {
    /// 启动毕业批次
    /// 同时生成毕业生名单
    #[oai(path = "/start", method = "put", operation_id = "startGraduationBatch")]
    async fn start(
        &self,
        caller: Allowed<StartGraduationBatch>,
        Body(wanted): Body<GraduationBatchStep>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_long().await?;
        let before = held(&mut tx, wanted).await?;
        let change = turned(&mut tx, &before, BatchTurn::Start).await?;
        let added = list(&mut tx, wanted.id).await?;
        let listed = Change::event("graduation_batch", wanted.id, "generate", json!({ "added": added }));
        tx.commit_all(vec![change, listed]).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 生成毕业生名单
    /// 补入符合批次范围、尚未列入的学生
    #[oai(path = "/generate", method = "post", operation_id = "generateGraduates")]
    async fn generate(
        &self,
        caller: Allowed<GenerateGraduates>,
        Body(wanted): Body<GraduationBatchChosen>,
    ) -> Result<Reply<GraduatesGenerated>> {
        let mut tx = caller.begin_long().await?;
        auditing(&mut tx, wanted.batch_id).await?;
        let added = list(&mut tx, wanted.batch_id).await?;
        tx.commit(Change::event("graduation_batch", wanted.batch_id, "generate", json!({ "added": added }))).await?;
        Ok(reply(GraduatesGenerated { added }))
    }

    /// 批次毕业审核
    /// 作为任务审核管辖范围内的全部毕业生，终审结论不变
    #[oai(path = "/audit", method = "post", operation_id = "auditGraduationBatch")]
    async fn audit(
        &self,
        caller: Allowed<AuditBatch>,
        Body(wanted): Body<GraduationBatchChosen>,
    ) -> Result<Reply<JobStarted>> {
        let mut tx = caller.read().await?;
        let users = audit::waiting(&mut tx, Some(wanted.batch_id), None, &caller.scope()).await?;
        drop(tx);
        if users.is_empty() {
            return Err(Error::conflict("没有可以审核的毕业生"));
        }
        let job = NewJob {
            kind: audit::JOB.kind,
            target: format!("batch:{}", wanted.batch_id),
            title: format!("毕业审核（{}人）", users.len()),
            params: json!({ "batchId": wanted.batch_id }),
        };
        Ok(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? }))
    }

    /// 毕业批次注册完成
    #[oai(path = "/register", method = "put", operation_id = "registerGraduationBatch")]
    async fn register(
        &self,
        caller: Allowed<RegisterGraduationBatch>,
        Body(wanted): Body<GraduationBatchStep>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = held(&mut tx, wanted).await?;
        batch_after(before.status, BatchTurn::Register).map_err(|why| Error::conflict(why.to_string()))?;
        let unnumbered = certificates_of::unnumbered_of(&mut tx, wanted.id).await?;
        if unnumbered > 0 {
            return Err(Error::conflict(format!("还有 {unnumbered} 人没有证书编号")));
        }
        let open = sqlx::query_scalar!(
            r#"select count(*) as "count!" from graduation_outcome g
               where g.batch_id = $1 and g.decision in ('graduate', 'complete')
                 and not exists (select from certificate c where c.student_id = g.student_id and c.batch_id = $1
                                 and c.kind = case g.decision when 'graduate' then 'graduation' else 'completion' end
                                 and c.status <> 'voided' and c.register_result is not null)"#,
            wanted.id
        )
        .fetch_one(&mut *tx)
        .await?;
        if open > 0 {
            return Err(Error::conflict(format!("还有 {open} 人没有学信网注册结果")));
        }
        let change = turned(&mut tx, &before, BatchTurn::Register).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 归档毕业批次
    #[oai(path = "/archive", method = "put", operation_id = "archiveGraduationBatch")]
    async fn archive(
        &self,
        caller: Allowed<ArchiveGraduationBatch>,
        Body(wanted): Body<GraduationBatchStep>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = held(&mut tx, wanted).await?;
        batch_after(before.status, BatchTurn::Archive).map_err(|why| Error::conflict(why.to_string()))?;
        let unsealed = certificates_of::unsealed_of(&mut tx, wanted.id).await?;
        if unsealed > 0 {
            return Err(Error::conflict(format!("还有 {unsealed} 份档案未归档")));
        }
        let change = turned(&mut tx, &before, BatchTurn::Archive).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// A batch that is held.
pub(crate) struct HeldBatch {
    pub id: i64,
    pub status: GraduationBatchStatus,
    pub kind: GraduationBatchKind,
    pub graduates_on: Option<chrono::NaiveDate>,
    pub certificate_date: Option<chrono::NaiveDate>,
    pub version: i32,
}

/// Holds a batch in the version that was read.
///
/// # Errors
/// 404; 409 when it was changed meanwhile.
pub(crate) async fn held(tx: &mut Tx, wanted: GraduationBatchStep) -> Result<HeldBatch> {
    let found = sqlx::query_as!(
        HeldBatch,
        r#"select id, status as "status: _", kind as "kind: _", graduates_on, certificate_date, version
           from graduation_batch where id = $1 for update"#,
        wanted.id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    // Two at once: the second is told what the first did.
    if found.version != wanted.version && found.status == GraduationBatchStatus::Confirmed {
        return Err(Error::conflict("毕业批次已确认"));
    }
    if found.version == wanted.version { Ok(found) } else { Err(tx.stale("graduation_batch", wanted.id).await) }
}

/// Writes the state behind a step, with the moment that belongs to it.
///
/// # Errors
/// 409 when it may not be; 422 when the days of a batch that starts are missing.
pub(crate) async fn turned(tx: &mut Tx, before: &HeldBatch, turn: BatchTurn) -> Result<Change> {
    let to = batch_after(before.status, turn).map_err(|why| Error::conflict(why.to_string()))?;
    if before.graduates_on.is_none() || before.certificate_date.is_none() {
        return Err(Error::conflict("请先填写毕业日期和发证日期"));
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    let name = tx.actor().name.clone();
    sqlx::query!(
        "update graduation_batch
         set status = $2, started_at = case when $2 = 'auditing' then $3 else started_at end,
             confirmed_at = case when $2 = 'confirmed' then $3 else confirmed_at end,
             confirmed_by = case when $2 = 'confirmed' then $4 else confirmed_by end,
             confirmed_by_name = case when $2 = 'confirmed' then $5 else confirmed_by_name end,
             registered_at = case when $2 = 'registered' then $3 else registered_at end,
             archived_at = case when $2 = 'archived' then $3 else archived_at end,
             updated_at = $3, updated_by = $4, version = version + 1
         where id = $1",
        before.id,
        to.as_str(),
        now as _,
        by,
        name
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("graduation_batch", before.id, "status", before.status.as_str(), to.as_str()))
}

/// Lists whoever belongs to a batch and waits in none; how many came.
pub(crate) async fn list(tx: &mut Tx, batch: i64) -> Result<i64> {
    let years = i32::try_from(CONVERSION_YEARS.number(tx).await?).unwrap_or(2);
    let by = tx.by();
    let added = sqlx::query!(
        "insert into graduation_user (batch_id, student_id, created_by, updated_by)
         select b.id, y.id, $2::bigint, $2::bigint
         from graduation_batch b
         join student y on (b.kind = 'regular' and y.status in ('registered', 'expired')
                            and y.expected_graduation_on <= b.graduates_on)
              or (b.kind = 'conversion' and y.status = 'completed' and y.ended_on <= b.graduates_on
                  and y.ended_on + make_interval(years => $3) >= b.graduates_on)
         where b.id = $1
           and (b.grade_ids = '{}' or y.grade_id = any(b.grade_ids)) and (b.level_ids = '{}' or y.level_id = any(b.level_ids))
           and (b.major_ids = '{}' or y.major_id = any(b.major_ids)) and (b.site_ids = '{}' or y.site_id = any(b.site_ids))
           and not exists (select from graduation_user g where g.student_id = y.id
                           and (g.batch_id = b.id or g.status in ('listed', 'site_checked', 'decided')))
         order by y.id",
        batch,
        by,
        years
    )
    .execute(&mut **tx)
    .await?;
    i64::try_from(added.rows_affected()).map_err(Error::internal)
}
