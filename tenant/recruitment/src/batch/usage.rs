//! What pre-registrations hold in their batch. Those in the recycle bin hold it too: they may come back.

use infra::{Error, Result, Tx};
use recruitment_rules::usage::Holders;

async fn holders(tx: &mut Tx, batch: i64) -> Result<Holders> {
    Ok(sqlx::query_as!(
        Holders,
        r#"select count(*) as "all!", count(deleted_at) as "binned!" from pre_registration where batch_id = $1"#,
        batch
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// A batch goes only when nobody is in it.
///
/// # Errors
/// 409 with their number.
pub(super) async fn ensure_unused(tx: &mut Tx, batch: i64) -> Result<()> {
    let Holders { all, binned } = holders(tx, batch).await?;
    if all == 0 {
        return Ok(());
    }
    Err(Error::conflict(format!("批次下有{all}条预报名（含回收站{binned}条），不能删除")))
}

/// The grade stands in every row.
///
/// # Errors
/// 409 with their number.
pub(super) async fn grade(tx: &mut Tx, batch: i64) -> Result<()> {
    holders(tx, batch).await?.refused("该年级", "更换")
}

/// # Errors
/// 409 for the first of the levels that somebody has chosen.
pub(super) async fn levels(tx: &mut Tx, batch: i64, leaving: &[i64]) -> Result<()> {
    let found = sqlx::query_as!(
        Holders,
        r#"select count(*) as "all!", count(deleted_at) as "binned!" from pre_registration
           where batch_id = $1 and level_id = any($2) group by level_id order by level_id limit 1"#,
        batch,
        leaving
    )
    .fetch_optional(&mut **tx)
    .await?;
    found.map_or(Ok(()), |found| found.refused("该层次", "移除"))
}

/// # Errors
/// 409 for the first of the majors that somebody has chosen.
pub(super) async fn majors(tx: &mut Tx, batch: i64, leaving: &[i64]) -> Result<()> {
    let found = sqlx::query_as!(
        Holders,
        r#"select count(*) as "all!", count(deleted_at) as "binned!" from pre_registration
           where batch_id = $1 and major_id = any($2) group by major_id order by major_id limit 1"#,
        batch,
        leaving
    )
    .fetch_optional(&mut **tx)
    .await?;
    found.map_or(Ok(()), |found| found.refused("该专业", "移除"))
}
