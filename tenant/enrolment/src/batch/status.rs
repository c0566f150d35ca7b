//! 开放, 结束: how a batch goes on.

use enrolment_rules::batch::allow;
use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{ChangeEnrollmentBatchStatus, EnrollmentBatch, EnrollmentBatchStatus, lock};

/// Where a batch is to go.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct EnrollmentBatchStep {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 状态
    pub status: EnrollmentBatchStatus,
}

impl Example for EnrollmentBatchStep {
    fn example() -> Self {
        Self { id: 1, version: 1, status: EnrollmentBatchStatus::Open }
    }
}

pub struct ChangeStatus;

#[OpenApi(prefix_path = "/adult/pc/enrollmentBatch", tag = "crate::Tag::Enrolment")]
impl ChangeStatus {
    /// 开放结束招生批次
    /// 结束时，报到时间已过仍未报到的人员为逾期未报到
    #[oai(path = "/changeStatus", method = "put", operation_id = "changeEnrollmentBatchStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeEnrollmentBatchStatus>,
        Body(wanted): Body<EnrollmentBatchStep>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = lock(&mut tx, wanted.id).await?;
        let offered = sqlx::query_scalar!(
            r#"select count(*) as "offered!" from enrollment_major where batch_id = $1 and enabled"#,
            wanted.id
        )
        .fetch_one(&mut *tx)
        .await?;
        allow(before.status, wanted.status, offered).map_err(|why| Error::conflict(why.to_string()))?;
        match wanted.status {
            EnrollmentBatchStatus::Open => alone(&mut tx, &before).await?,
            EnrollmentBatchStatus::Closed => decided(&mut tx, before.id).await?,
            EnrollmentBatchStatus::Draft => {}
        }
        let mut changes = match wanted.status {
            EnrollmentBatchStatus::Closed => registration::ending::close(&mut tx, before.id).await?,
            EnrollmentBatchStatus::Open | EnrollmentBatchStatus::Draft => Vec::new(),
        };
        let by = tx.by();
        let changed = sqlx::query!(
            "update enrollment_batch set status = $3, updated_at = now(), updated_by = $4, version = version + 1
             where id = $1 and version = $2",
            wanted.id,
            wanted.version,
            wanted.status.as_str(),
            by
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("enrollment_batch", wanted.id).await);
        }
        let change =
            Change::status("enrollment_batch", wanted.id, "status", before.status.as_str(), wanted.status.as_str());
        changes.insert(0, change);
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// A grade has one open batch; whoever opens another waits until the first is open or not.
async fn alone(tx: &mut Tx, batch: &EnrollmentBatch) -> Result<()> {
    tx.lock("grade", batch.grade_id).await?;
    let other = sqlx::query_scalar!(
        "select name from enrollment_batch where grade_id = $1 and status = 'open' and id <> $2",
        batch.grade_id,
        batch.id
    )
    .fetch_optional(&mut **tx)
    .await?;
    other.map_or(Ok(()), |other| Err(Error::conflict(format!("年级{}已有进行中的招生批次“{other}”", batch.grade_name))))
}

/// # Errors
/// 409 while somebody who was admitted waits for a site or for the audit.
async fn decided(tx: &mut Tx, batch: i64) -> Result<()> {
    let waiting = sqlx::query_scalar!(
        r#"select count(*) as "waiting!" from admission
           where batch_id = $1 and status in ('imported', 'assigned') and deleted_at is null"#,
        batch
    )
    .fetch_one(&mut **tx)
    .await?;
    if waiting == 0 { Ok(()) } else { Err(Error::conflict(format!("尚有{waiting}条录取数据未审核"))) }
}
