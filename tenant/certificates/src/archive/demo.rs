//! Demonstration data: archives in every state. Their papers lie in the office, so that only covers are stored.

use certificate_rules::enums::{ArchiveItemCode, ArchiveItemOrigin};
use infra::{Change, Result, Scope, Tx, across::Keyed};
use serde_json::json;

use super::{
    Archives,
    generate::{cover, kept},
    item::put,
    scans::finished,
    steps::{hand_over, seal},
};

/// Of a batch, in the order of their numbers: complete ones, and those of them that are sealed.
const COMPLETE: i64 = 12;
const SEALED: usize = 4;

/// # Errors
/// Those of the database and of the store.
pub(crate) async fn fill(tx: &mut Tx, batch: i64, (school, name): (i64, &str)) -> Result<()> {
    let ids =
        sqlx::query_scalar!("select id from archive where batch_id = $1 order by archive_no limit $2", batch, COMPLETE)
            .fetch_all(&mut **tx)
            .await?;
    sqlx::query!(
        "update archive_item set status = 'waived', waive_reason = '纸质材料已存档案室', version = version + 1
         where archive_id = any($1) and status = 'missing' and needed",
        &ids
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update archive set status = 'complete', ready_count = needed_count, version = version + 1 where id = any($1)",
        &ids
    )
    .execute(&mut **tx)
    .await?;
    let complete = |id: &i64| Change::event("archive", *id, "complete", json!({ "status": "complete" }));
    let mut changes: Vec<Change> = ids.iter().map(complete).collect();
    let scope = Scope::whole_school();
    for (place, id) in ids.into_iter().take(SEALED).enumerate() {
        let archive = Archives::find(tx, id, &scope).await?;
        let item = sqlx::query_scalar!("select id from archive_item where archive_id = $1 and code = 'cover'", id)
            .fetch_one(&mut **tx)
            .await?;
        let paper = cover(tx, &archive, name).await?;
        let file = kept(tx, Some(school), item, ArchiveItemCode::Cover, finished(paper).await?).await?;
        put(tx, item, file, ArchiveItemOrigin::Generated).await?;
        changes.push(seal(tx, id, Some(school), &scope).await?);
        if place == 0 {
            // Sealed just now, and handed over no earlier.
            let on = tx.app().clock().today();
            changes.push(hand_over(tx, id, ("市人才交流中心", on, Some("EMS1000001")), &scope).await?);
        }
    }
    tx.record(&changes).await
}
