//! Takes what providers told of short messages to their deliveries, school by school.

use std::collections::{BTreeMap, HashSet};

use channels::{
    enums::FailCode,
    receipts::{self, Due},
    workspace::Workspace,
};
use chrono::Duration;
use infra::{Result, clock::Moment};

use crate::handover;

/// Takes receipts to their deliveries, one transaction a school; answers when the next one is due. Called at the platform.
pub(crate) async fn pending(workspace: &Workspace) -> Result<Option<Moment>> {
    let now = workspace.now();
    let next = receipts::next(&workspace.app).await?;
    if next.is_none_or(|at| at > now) {
        return Ok(next);
    }
    let mut schools: BTreeMap<Option<i64>, Vec<Due>> = BTreeMap::new();
    for receipt in receipts::due(&workspace.app, now).await? {
        schools.entry(receipt.school_id).or_default().push(receipt);
    }
    for (school, due) in schools {
        let again = match attempt(workspace, school, &due, now).await {
            Ok(again) => again,
            Err(error) => {
                tracing::warn!(?school, %error, "receipts could not be applied; tried again in a minute");
                vec![Some(now + Duration::minutes(1)); due.len()]
            }
        };
        receipts::mark(workspace, &due, &again).await?;
    }
    receipts::next(&workspace.app).await
}

/// Applies the receipts of one school, or of the platform; for each, when it must be tried again.
async fn attempt(workspace: &Workspace, school: Option<i64>, due: &[Due], now: Moment) -> Result<Vec<Option<Moment>>> {
    let there = match school {
        None => Some(workspace.clone()),
        Some(id) => {
            let school = workspace.app.school(id).await?;
            let open = school.filter(|school| school.is_open() && school.key().is_ok());
            open.map(|school| Workspace { app: workspace.app.clone(), school: Some(school) })
        }
    };
    // Suspended, archived and migrating schools are left alone; one that opens within the days gets its receipts.
    let Some(there) = there else { return Ok(vec![Some(now + Duration::hours(1)); due.len()]) };
    let in_flight = apply(&there, due).await?;
    let soon = now + Duration::seconds(5);
    Ok(due.iter().map(|receipt| in_flight.contains(&receipt.delivery_id).then_some(soon)).collect())
}

/// Turns deliveries to delivered or failed; answers those whose sending is not written yet. A delivery that was sent
/// anew since carries another number and stays as it is.
async fn apply(workspace: &Workspace, due: &[Due]) -> Result<HashSet<i64>> {
    let ids: Vec<i64> = due.iter().map(|receipt| receipt.delivery_id).collect();
    let numbers: Vec<&str> = due.iter().map(|receipt| receipt.number.as_str()).collect();
    let oks: Vec<bool> = due.iter().map(|receipt| receipt.ok).collect();
    let codes: Vec<Option<&str>> = due.iter().map(|receipt| receipt.failure().map(FailCode::as_str)).collect();
    let provider_codes: Vec<Option<&str>> = due.iter().map(|receipt| receipt.provider_code.as_deref()).collect();
    let details: Vec<Option<&str>> = due.iter().map(|receipt| receipt.detail.as_deref()).collect();
    let times: Vec<Moment> = due.iter().map(|receipt| receipt.told_at).collect();
    let mut tx = workspace.begin().await?;
    // Looked at first: what is written between the two statements is tried once more, not lost.
    let in_flight =
        sqlx::query_scalar!("select id from msg_delivery where id = any($1) and status = 'delivering'", &ids)
            .fetch_all(&mut *tx)
            .await?;
    let touched = sqlx::query_scalar!(
        r#"with told as (
               select * from unnest($1::bigint[], $2::text[], $3::boolean[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
                   as t (id, number, ok, code, provider_code, detail, told_at)),
           done as (
               update msg_delivery d set status = case when t.ok then 'delivered' else 'failed' end,
                      delivered_at = case when t.ok then t.told_at end, fail_code = t.code, provider_status = t.provider_code
               from told t
               where d.id = t.id and d.channel = 'sms' and d.status = 'sent' and d.provider_msg_id = t.number
               returning d.id, d.msg_id, d.attempts, t.number, t.ok, t.code, t.provider_code, t.detail, t.told_at),
           tried as (
               insert into msg_attempt (delivery_id, no, at, ok, code, provider_code, provider_msg_id, detail)
               select id, attempts, told_at, false, code, provider_code, number, detail from done where not ok),
           counted as (select msg_id, count(*) as failed from done where not ok group by msg_id order by msg_id)
           update msg m set sent_count = m.sent_count - c.failed, failed_count = m.failed_count + c.failed
           from counted c where m.id = c.msg_id returning m.id"#,
        &ids,
        &numbers as &[&str],
        &oks,
        &codes as &[Option<&str>],
        &provider_codes as &[Option<&str>],
        &details as &[Option<&str>],
        &times as &[Moment]
    )
    .fetch_all(&mut *tx)
    .await?;
    tx.commit_untracked("states of deliveries").await?;
    handover::report(workspace, &touched).await?;
    Ok(in_flight.into_iter().collect())
}
