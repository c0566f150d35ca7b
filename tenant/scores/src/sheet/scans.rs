//! 上传签字扫描件: the sheet as it was printed and signed, beside its rows (part 04 §6.1).

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Tx, files, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scores_rules::enums::SheetStatus;

use super::{
    ScanSheets,
    hold::{Reach, hold},
};

/// What a scan may be.
const KINDS: [&str; 4] = ["pdf", "jpg", "jpeg", "png"];
const MOST_MB: i64 = 20;

/// The scans of a sheet; they take the place of those before.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoreSheetScans {
    /// 登记表
    pub id: i64,
    /// 扫描件
    /// 替换原有的
    #[oai(validator(min_items = 1, max_items = 9))]
    pub file_keys: Vec<String>,
    /// 版本
    pub version: i32,
}

impl Example for ScoreSheetScans {
    fn example() -> Self {
        Self { id: 1, file_keys: vec!["private/2026/07/a.pdf".to_owned()], version: 1 }
    }
}

pub struct Scans;

#[OpenApi(prefix_path = "/adult/pc/score/sheet", tag = "crate::Tag::Scores")]
impl Scans {
    /// 上传签字扫描件
    #[oai(path = "/scan", method = "put", operation_id = "scanScoreSheet")]
    async fn scan(&self, caller: Allowed<ScanSheets>, Body(wanted): Body<ScoreSheetScans>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = keep(&mut tx, &wanted, &Reach::Scope(caller.scope())).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// # Errors
/// 404 beyond the reach; 409 when the sheet changed since, and for another scan of one that is locked; 422 for a file of another
/// kind, or of somebody else.
async fn keep(tx: &mut Tx, wanted: &ScoreSheetScans, reach: &Reach) -> Result<Change> {
    let held = hold(tx, &[wanted.id]).await?;
    let sheet = held.get(&wanted.id).filter(|sheet| reach.sees(sheet)).ok_or_else(Error::not_found)?;
    if sheet.version != wanted.version {
        return Err(tx.stale("score_sheet", wanted.id).await);
    }
    let before = sqlx::query_scalar!("select file_id from score_sheet_file where sheet_id = $1", wanted.id)
        .fetch_all(&mut **tx)
        .await?;
    if sheet.status == SheetStatus::Locked && !before.is_empty() {
        return Err(Error::conflict("成绩已锁定，不能替换扫描件"));
    }
    let mut ids = Vec::with_capacity(wanted.file_keys.len());
    for (place, key) in wanted.file_keys.iter().enumerate() {
        let file = files::adopt_kind(tx, key, ("score_sheet", wanted.id), &KINDS, MOST_MB).await;
        ids.push(file.map_err(|error| match error.code {
            422 => Error::field(&format!("fileKeys[{place}]"), error.msg),
            _ => error,
        })?);
    }
    sqlx::query!("delete from score_sheet_file where sheet_id = $1", wanted.id).execute(&mut **tx).await?;
    sqlx::query!(
        "insert into score_sheet_file (sheet_id, file_id, sort_no)
         select $1::bigint, w.id, w.place::integer from unnest($2::bigint[]) with ordinality as w (id, place)
         on conflict (sheet_id, file_id) do nothing",
        wanted.id,
        &ids
    )
    .execute(&mut **tx)
    .await?;
    let gone: Vec<i64> = before.into_iter().filter(|id| !ids.contains(id)).collect();
    files::let_go(tx, &gone).await?;
    let by = tx.by();
    sqlx::query!(
        "update score_sheet set updated_at = now(), updated_by = $2, version = version + 1 where id = $1",
        wanted.id,
        by
    )
    .execute(&mut **tx)
    .await?;
    let what = serde_json::json!({ "files": ids.len(), "replaced": gone.len() });
    Ok(Change::event("score_sheet", wanted.id, "scan", what))
}
