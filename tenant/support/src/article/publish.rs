//! 发布 and 下线: what readers see from now on, or from a moment on (part 05 B3).

use infra::{Bulk, BulkResult, Change, Error, OnConstraint, Result, Tx, access::Caller, clock::Moment, pinyin};
use poem_openapi::{Object, types::Example};
use support_rules::{
    article::{Ready, may_go_offline, may_publish},
    enums::{SupportArticleStatus, SupportAudience},
    search,
};

use super::{Record, find, form::explained};
use crate::{author::Author, due};

/// Which articles are published, and when.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HelpPublishing {
    /// 编号
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
    /// 发布时间
    /// 不填为立即发布
    pub publish_at: Option<Moment>,
}

impl Example for HelpPublishing {
    fn example() -> Self {
        Self { ids: vec![1], publish_at: None }
    }
}

/// Publishes articles now, or says when they are.
///
/// # Errors
/// 422 for a moment that has passed; what keeps one article from it is its row's.
pub(crate) async fn publish(
    caller: &Caller,
    mut tx: Tx,
    audience: SupportAudience,
    wanted: HelpPublishing,
) -> Result<BulkResult> {
    let now = caller.app().clock().now();
    if wanted.publish_at.is_some_and(|at| at <= now) {
        return Err(Error::field("publishAt", "定时发布时间必须晚于当前时间"));
    }
    let author = Author::of(caller, &mut tx, audience).await?;
    let mut bulk = Bulk::named(tx, "support_article", "title");
    for id in wanted.ids {
        let outcome = match wanted.publish_at {
            Some(at) => put_off(bulk.row().await?, &author, id, at).await,
            None => at_once(bulk.row().await?, &author, id).await,
        };
        bulk.ended(id, outcome).await?;
    }
    let told = bulk.commit().await?;
    if let Some(at) = wanted.publish_at {
        due::note(caller.app(), caller.session.school_id, at).await?;
    }
    Ok(told)
}

/// Takes articles away from readers; of one that waits for its moment, the moment.
///
/// # Errors
/// Those of the database; what keeps one article from it is its row's.
pub(crate) async fn offline(
    caller: &Caller,
    mut tx: Tx,
    audience: SupportAudience,
    ids: Vec<i64>,
) -> Result<BulkResult> {
    let author = Author::of(caller, &mut tx, audience).await?;
    let mut bulk = Bulk::named(tx, "support_article", "title");
    for id in ids {
        let outcome = away(bulk.row().await?, &author, id).await;
        bulk.ended(id, outcome).await?;
    }
    bulk.commit().await
}

async fn at_once(tx: &mut Tx, author: &Author, id: i64) -> Result<Change> {
    tx.lock("support_article", id).await?;
    let before = author.held(tx, id).await?;
    publish_now(tx, id, &before).await
}

async fn put_off(tx: &mut Tx, author: &Author, id: i64, at: Moment) -> Result<Change> {
    tx.lock("support_article", id).await?;
    let before = author.held(tx, id).await?;
    ready(tx, &before).await?;
    let by = tx.by();
    sqlx::query!(
        "update support_article set publish_at = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        id,
        at,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explained)?;
    let after = find(tx, id).await?;
    Ok(Change::edited("support_article", id, &before, &after))
}

async fn away(tx: &mut Tx, author: &Author, id: i64) -> Result<Change> {
    tx.lock("support_article", id).await?;
    let before = author.held(tx, id).await?;
    let waits = before.publish_at.is_some();
    if !waits || before.status == SupportArticleStatus::Published {
        may_go_offline(before.status).map_err(|refusal| Error::conflict(refusal.to_string()))?;
    }
    take_offline(tx, id, &before).await
}

/// # Errors
/// 409 for an article that may not be published as it is.
async fn ready(tx: &mut Tx, article: &Record) -> Result<()> {
    let category_enabled = sqlx::query_scalar!(
        r#"select c.enabled and coalesce(p.enabled, true) as "enabled!"
           from support_category c left join support_category p on p.id = c.parent_id where c.id = $1"#,
        article.category_id
    )
    .fetch_one(&mut **tx)
    .await?;
    let ready =
        Ready { status: article.status, changed: article.changed, blank: article.content.is_blank(), category_enabled };
    may_publish(ready).map_err(|refusal| Error::conflict(refusal.to_string()))
}

/// Publishes an article that the transaction holds.
///
/// # Errors
/// 409 for an article that may not be published as it is.
pub(crate) async fn publish_now(tx: &mut Tx, id: i64, before: &Record) -> Result<Change> {
    ready(tx, before).await?;
    let (now, by, name) = (tx.app().clock().now(), tx.by(), tx.actor().name.clone());
    let plain = before.content.plain();
    let searched = search::searched(&before.title, &before.keywords, &plain);
    let (version_no, grams) = (before.version_no + 1, pinyin::grams(&searched));
    sqlx::query!(
        "insert into support_article_version (article_id, version_no, title, keywords, content, content_text, searched, grams, file_ids,
             video_asset_id, published_at, published_by, published_name)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        id,
        version_no,
        before.title,
        &before.keywords,
        before.content.as_str(),
        plain,
        searched,
        &grams,
        &before.file_ids,
        before.video_asset_id,
        now,
        by,
        name
    )
    .execute(&mut **tx)
    .await?;
    // A moment to go offline that has passed meanwhile would take it away again at once.
    sqlx::query!(
        "update support_article set status = 'published', version_no = $2, changed = false, published_at = $3, publish_at = null,
                offline_at = case when offline_at > $3 then offline_at end, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        id,
        version_no,
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    let after = find(tx, id).await?;
    Ok(Change::edited("support_article", id, before, &after))
}

/// Takes an article that the transaction holds away from readers, and forgets the moment at which it would have been published.
///
/// # Errors
/// Those of the database.
pub(crate) async fn take_offline(tx: &mut Tx, id: i64, before: &Record) -> Result<Change> {
    let (now, by) = (tx.app().clock().now(), tx.by());
    sqlx::query!(
        "update support_article set status = case when status = 'published' then 'offline' else status end, publish_at = null,
                offline_at = case when status <> 'published' and offline_at > $3 then offline_at end, updated_at = now(),
                updated_by = $2, version = version + 1
         where id = $1",
        id,
        by,
        now
    )
    .execute(&mut **tx)
    .await?;
    let after = find(tx, id).await?;
    Ok(Change::edited("support_article", id, before, &after))
}
