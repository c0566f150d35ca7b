//! What follows of orders by itself (01 §6.4, §9.4): those that are not paid in their time are closed, those that were paid long enough
//! ago are settled, refunds that a provider has not ended are asked for again.

use chrono::TimeDelta;
use infra::{
    Part, Result,
    jobs::{JobKind, JobRun, Outcome},
    params::{IntParam, Param},
    schedule::{Schedule, When},
};
use serde_json::{Value, json};

use crate::order::{CLOSE_MINUTES, close::close, locked::lock, refund, settle::settle};

pub const PART: Part = Part {
    jobs: &[CLOSING, SETTLING, REFUNDING],
    schedules: &[
        Schedule { kind: CLOSING.kind, title: "关闭未支付的订单", when: When::Every { minutes: 1 } },
        Schedule { kind: SETTLING.kind, title: "结算订单收入", when: When::Every { minutes: 30 } },
        Schedule { kind: REFUNDING.kind, title: "核对退款结果", when: When::Every { minutes: 5 } },
    ],
    params: &[PARAMS],
    ..Part::NONE
};

const CLOSING: JobKind =
    JobKind { kind: "order.close", code: None, run: |run| Box::pin(close_overdue(run)), headings: None };
const SETTLING: JobKind =
    JobKind { kind: "order.settle", code: None, run: |run| Box::pin(settle_due(run)), headings: None };
const REFUNDING: JobKind =
    JobKind { kind: "order.refund", code: None, run: |run| Box::pin(ask_again(run)), headings: None };

/// Days after which what a payment brought is free.
const SETTLE_DAYS: IntParam = IntParam { code: "order.settleDays", default: 7, min: 0, max: 60 };

const PARAMS: &[Param] =
    &[CLOSE_MINUTES.entry("未支付订单关闭时间(分钟)", "订单"), SETTLE_DAYS.entry("订单收入结算天数", "订单")];

/// Orders of one look.
const AT_ONCE: i64 = 500;
/// A provider that has not said how a refund ended is asked again after so many minutes.
const AGAIN_MINUTES: i64 = 2;

/// Each order in a transaction of its own, so that nobody waits for the others.
async fn close_overdue(run: JobRun) -> Result<Outcome> {
    let now = run.app().clock().now();
    let (mut closed, mut errors, mut after) = (0, Vec::new(), 0);
    loop {
        let due = sqlx::query_scalar!(
            "select id from platform.order_info where order_status = 'pending' and pay_before <= $1 and id > $2
             order by id limit $3",
            now,
            after,
            AT_ONCE
        )
        .fetch_all(&mut *run.app().platform_read().await?)
        .await?;
        let Some(last) = due.last() else { break };
        after = *last;
        for id in due {
            match close_one(&run, id).await {
                Ok(did) => closed += i64::from(did),
                Err(error) => errors.push(told(id, &error)),
            }
        }
    }
    Ok(Outcome { message: format!("关闭{closed}个订单"), errors, ..Outcome::default() })
}

fn told(id: i64, error: &infra::Error) -> Value {
    json!({ "id": id, "name": "", "msg": error.msg })
}

/// One that was paid a moment ago stays.
async fn close_one(run: &JobRun, id: i64) -> Result<bool> {
    let mut tx = run.begin_in_platform().await?;
    let order = lock(&mut tx, id).await?;
    if order.pay_before > run.app().clock().now() {
        return Ok(false);
    }
    match close(&mut tx, &order).await {
        Ok(changes) => tx.commit_all(changes).await.map(|()| true),
        Err(error) if error.code == 409 => Ok(false),
        Err(error) => Err(error),
    }
}

async fn settle_due(run: JobRun) -> Result<Outcome> {
    let days = run.app().int(SETTLE_DAYS).await?;
    let before = run.app().clock().now() - TimeDelta::days(days);
    let (mut settled, mut errors, mut after) = (0, Vec::new(), 0);
    loop {
        let due = sqlx::query_scalar!(
            "select id from platform.order_info
             where order_status = 'paid' and settled_at is null and paid_at <= $1 and id > $2 order by id limit $3",
            before,
            after,
            AT_ONCE
        )
        .fetch_all(&mut *run.app().platform_read().await?)
        .await?;
        let Some(last) = due.last() else { break };
        after = *last;
        for id in due {
            match settle_one(&run, id).await {
                Ok(did) => settled += i64::from(did),
                Err(error) => errors.push(told(id, &error)),
            }
        }
    }
    Ok(Outcome { message: format!("结算{settled}个订单"), errors, ..Outcome::default() })
}

async fn settle_one(run: &JobRun, id: i64) -> Result<bool> {
    let mut tx = run.begin_in_platform().await?;
    let order = lock(&mut tx, id).await?;
    let changes = settle(&mut tx, &order).await?;
    if changes.is_empty() {
        return Ok(false);
    }
    tx.commit_all(changes).await?;
    Ok(true)
}

async fn ask_again(run: JobRun) -> Result<Outcome> {
    let before = run.app().clock().now() - TimeDelta::minutes(AGAIN_MINUTES);
    let (mut ended, mut errors, mut after) = (0, Vec::new(), 0);
    loop {
        let waiting = sqlx::query_scalar!(
            "select id from platform.order_refund
             where status = 'processing' and created_at <= $1 and id > $2 order by id limit $3",
            before,
            after,
            AT_ONCE
        )
        .fetch_all(&mut *run.app().platform_read().await?)
        .await?;
        let Some(last) = waiting.last() else { break };
        after = *last;
        for id in waiting {
            match end_one(&run, id).await {
                Ok(did) => ended += i64::from(did),
                Err(error) => errors.push(told(id, &error)),
            }
        }
    }
    Ok(Outcome { message: format!("{ended}笔退款有了结果"), errors, ..Outcome::default() })
}

async fn end_one(run: &JobRun, id: i64) -> Result<bool> {
    let end = refund::provider_says(run.app(), id).await?;
    let mut tx = run.begin_in_platform().await?;
    let changes = refund::ended(&mut tx, id, &end).await?;
    if changes.is_empty() {
        return Ok(false);
    }
    tx.commit_all(changes).await?;
    Ok(true)
}
