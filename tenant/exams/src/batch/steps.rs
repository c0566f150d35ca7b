//! 启用, 结束, 重新打开 and 归档 of a batch (part 04 §1).

use chrono::TimeDelta;
use exam_rules::batch::{BatchTurn, after};
use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Tx, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scores::offered::{lock_batch, unpublished_of};

use super::{ActivateTestBatch, ArchiveTestBatch, CloseTestBatch, ReopenTestBatch};
use crate::enums::TestBatchStatus;

/// A batch as it was read.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct TestBatchItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for TestBatchItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

/// Where a batch goes.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct TestBatchActivation {
    /// 编号
    pub id: i64,
    /// 状态
    /// 只能为 active
    pub status: TestBatchStatus,
    /// 版本
    pub version: Option<i32>,
}

impl Example for TestBatchActivation {
    fn example() -> Self {
        Self { id: 1, status: TestBatchStatus::Active, version: Some(1) }
    }
}

/// Why a batch is opened again.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct TestBatchReopening {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    /// 5至200个字符
    #[oai(validator(min_length = 5, max_length = 200))]
    pub reason: String,
}

impl Example for TestBatchReopening {
    fn example() -> Self {
        Self { id: 1, version: 1, reason: "补充安排一门考试".to_owned() }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/exam/pc/test/batch", tag = "crate::Tag::Exams")]
impl Steps {
    /// 启用考试批次
    /// 启用后可以发布考试安排；须已设置考试日期和成绩录入时间
    #[oai(path = "/update/status", method = "put", operation_id = "activateTestBatch")]
    async fn activate(
        &self,
        caller: Allowed<ActivateTestBatch>,
        Body(wanted): Body<TestBatchActivation>,
    ) -> Result<Reply<Saved>> {
        if wanted.status != TestBatchStatus::Active {
            return Err(Error::field("status", "此处只能启用批次"));
        }
        let mut tx = caller.begin().await?;
        let batch = held(&mut tx, wanted.id, wanted.version).await?;
        let to = after(batch.status, BatchTurn::Activate).map_err(Error::conflict)?;
        if !batch.dated {
            return Err(Error::conflict("请先设置考试日期和成绩录入时间"));
        }
        let change = write(&mut tx, &batch, to, None).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 结束考试批次
    /// 考试安排须全部结束或取消，成绩登记表须全部发布；发布的成绩随之锁定
    #[oai(path = "/close", method = "put", operation_id = "closeTestBatch")]
    async fn close(&self, caller: Allowed<CloseTestBatch>, Body(item): Body<TestBatchItem>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_long().await?;
        let batch = held(&mut tx, item.id, Some(item.version)).await?;
        let to = after(batch.status, BatchTurn::Close).map_err(Error::conflict)?;
        let open = sqlx::query_scalar!(
            r#"select count(*) as "open!" from exam_setup where batch_id = $1 and status not in ('closed', 'cancelled')"#,
            item.id
        )
        .fetch_one(&mut *tx)
        .await?;
        if open > 0 {
            return Err(Error::conflict(format!("还有 {open} 个考试安排未结束")));
        }
        let unpublished = unpublished_of(&mut tx, item.id).await?;
        if unpublished > 0 {
            return Err(Error::conflict(format!("还有 {unpublished} 张成绩登记表未发布")));
        }
        let mut changes = vec![write(&mut tx, &batch, to, None).await?];
        changes.extend(lock_batch(&mut tx, item.id).await?);
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: item.id }))
    }

    /// 重新打开考试批次
    /// 已锁定的成绩不随之解锁
    #[oai(path = "/reopen", method = "put", operation_id = "reopenTestBatch")]
    async fn reopen(
        &self,
        caller: Allowed<ReopenTestBatch>,
        Body(wanted): Body<TestBatchReopening>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let batch = held(&mut tx, wanted.id, Some(wanted.version)).await?;
        let to = after(batch.status, BatchTurn::Reopen).map_err(Error::conflict)?;
        let change = write(&mut tx, &batch, to, Some(&wanted.reason)).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 归档考试批次
    /// 结束满1天后可以归档，归档后不能再修改
    #[oai(path = "/archive", method = "put", operation_id = "archiveTestBatch")]
    async fn archive(
        &self,
        caller: Allowed<ArchiveTestBatch>,
        Body(item): Body<TestBatchItem>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let batch = held(&mut tx, item.id, Some(item.version)).await?;
        let to = after(batch.status, BatchTurn::Archive).map_err(Error::conflict)?;
        let now = tx.app().clock().now();
        if batch.closed_at.is_none_or(|closed| now < closed + TimeDelta::days(1)) {
            return Err(Error::conflict("结束满1天后才能归档"));
        }
        let change = write(&mut tx, &batch, to, None).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: item.id }))
    }
}

struct Held {
    id: i64,
    status: TestBatchStatus,
    closed_at: Option<Moment>,
    dated: bool,
}

/// # Errors
/// 404 for none; 409 when it changed since it was read.
async fn held(tx: &mut Tx, id: i64, version: Option<i32>) -> Result<Held> {
    tx.lock("test_batch", id).await?;
    let row = sqlx::query!(
        r#"select status as "status: TestBatchStatus", closed_at, version,
                  exam_starts_on is not null and exam_ends_on is not null and score_entry_starts_at is not null
                      and score_entry_ends_at is not null as "dated!"
           from test_batch where id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if version.is_some_and(|version| version != row.version) {
        return Err(tx.stale("test_batch", id).await);
    }
    Ok(Held { id, status: row.status, closed_at: row.closed_at, dated: row.dated })
}

async fn write(tx: &mut Tx, batch: &Held, to: TestBatchStatus, reason: Option<&str>) -> Result<Change> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update test_batch
         set status = $2, closed_at = case when $2 = 'closed' then $3::timestamptz when $2 = 'active' then null else closed_at end,
             archived_at = case when $2 = 'archived' then $3::timestamptz else archived_at end, updated_at = now(),
             updated_by = $4, version = version + 1
         where id = $1",
        batch.id,
        to.as_str(),
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("test_batch", batch.id, "status", batch.status.as_str(), to.as_str()).because(reason))
}
