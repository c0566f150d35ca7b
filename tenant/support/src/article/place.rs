//! 排序 and 移动分类 of articles: where readers find them, in force at once (part 05 B5).

use infra::{Bulk, BulkResult, Change, OnConstraint, Result, Tx, access::Caller};
use poem_openapi::{Object, types::Example};
use support_rules::enums::SupportAudience;

use super::{
    find,
    form::{explained, room_for_pinned},
};
use crate::{author::Author, category};

/// The order of articles, or where they go.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HelpArticleOrder {
    /// 编号
    /// 文章编号，按新的顺序
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
    /// 移动到分类
    /// 填写时移动到该分类，顺序不变
    pub category_id: Option<i64>,
}

impl Example for HelpArticleOrder {
    fn example() -> Self {
        Self { ids: vec![2, 1], category_id: None }
    }
}

/// Puts articles into an order, or into another category.
///
/// # Errors
/// 422 at `categoryId` for a category that is not the audience's or is switched off; what keeps one article from it is its row's.
pub(crate) async fn sort(
    caller: &Caller,
    mut tx: Tx,
    audience: SupportAudience,
    order: HelpArticleOrder,
) -> Result<BulkResult> {
    let author = Author::of(caller, &mut tx, audience).await?;
    if let Some(category) = order.category_id {
        category::usable(&mut tx, audience, category).await?;
    }
    let mut bulk = Bulk::named(tx, "support_article", "title");
    for (place, id) in (1..).zip(order.ids) {
        let outcome = match order.category_id {
            Some(category) => moved(bulk.row().await?, &author, id, category).await,
            None => placed(bulk.row().await?, &author, id, place).await,
        };
        bulk.ended(id, outcome).await?;
    }
    bulk.commit().await
}

async fn placed(tx: &mut Tx, author: &Author, id: i64, place: i32) -> Result<Change> {
    tx.lock("support_article", id).await?;
    let before = author.held(tx, id).await?;
    if before.sort == place {
        return Ok(Change::nothing("support_article", id));
    }
    let by = tx.by();
    sqlx::query!(
        "update support_article set sort = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        id,
        place,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("support_article", id, "sort", before.sort, place))
}

async fn moved(tx: &mut Tx, author: &Author, id: i64, category: i64) -> Result<Change> {
    tx.lock("support_article", id).await?;
    let before = author.held(tx, id).await?;
    if before.category_id == category {
        return Ok(Change::nothing("support_article", id));
    }
    if before.pinned {
        room_for_pinned(tx, category, Some(id)).await?;
    }
    let by = tx.by();
    sqlx::query!(
        "update support_article set category_id = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        id,
        category,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explained)?;
    let after = find(tx, id).await?;
    Ok(Change::edited("support_article", id, &before, &after))
}
