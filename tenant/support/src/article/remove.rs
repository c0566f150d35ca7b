//! 删除 of articles that no reader sees: with their versions and counts, and the files that no other article has.

use infra::{Bulk, BulkResult, Change, Error, Result, Tx, access::Caller, files};
use support_rules::{article::may_be_deleted, enums::SupportAudience};

use super::form::files_of;
use crate::author::Author;

/// # Errors
/// 404 for an article of another audience, 403 for one of schools for which the caller does not act, 409 for one that is published.
pub(crate) async fn delete(caller: &Caller, mut tx: Tx, audience: SupportAudience, id: i64) -> Result<i64> {
    let author = Author::of(caller, &mut tx, audience).await?;
    let change = remove(&mut tx, &author, id).await?;
    tx.commit(change).await?;
    Ok(id)
}

/// # Errors
/// Those of the database; what keeps one article from it is its row's.
pub(crate) async fn delete_many(
    caller: &Caller,
    mut tx: Tx,
    audience: SupportAudience,
    ids: Vec<i64>,
) -> Result<BulkResult> {
    let author = Author::of(caller, &mut tx, audience).await?;
    let mut bulk = Bulk::named(tx, "support_article", "title");
    for id in ids {
        let outcome = remove(bulk.row().await?, &author, id).await;
        bulk.ended(id, outcome).await?;
    }
    bulk.commit().await
}

async fn remove(tx: &mut Tx, author: &Author, id: i64) -> Result<Change> {
    tx.lock("support_article", id).await?;
    let before = author.held(tx, id).await?;
    may_be_deleted(before.status).map_err(|refusal| Error::conflict(refusal.to_string()))?;
    let mut held = files_of(tx, id).await?;
    held.extend(files::of_records(tx, "support_article", &[id]).await?);
    sqlx::query!("update support_question set as_article_id = null where as_article_id = $1", id)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from support_read where article_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from support_article_version where article_id = $1", id).execute(&mut **tx).await?;
    // Schools hide what is the platform's; only beside it lies who does.
    if author.school.is_none() {
        sqlx::query!("delete from platform.support_hidden where article_id = $1", id).execute(&mut **tx).await?;
    }
    tx.remove("support_article", id, &before.title).await?;
    // A copy may have the same files.
    let free = sqlx::query_scalar!(
        r#"select w.id as "id!" from unnest($1::bigint[]) as w (id)
           where not exists (select from support_article a where w.id = any(a.file_ids))
             and not exists (select from support_article_version v where w.id = any(v.file_ids))"#,
        &held
    )
    .fetch_all(&mut **tx)
    .await?;
    files::let_go(tx, &free).await?;
    Ok(Change::deleted("support_article", id, &before))
}
