//! 排序: the rows that somebody sees take a new order among themselves; whatever else is in their list stays where it was (01 §9.0).

use std::collections::HashMap;

use infra::{BulkResult, Change, Error, Result, Tx};
use poem_openapi::{Object, types::Example};
use site_content_rules::order::placed;
use sqlx::AssertSqlSafe;

/// The order that rows of one list are to have.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SiteOrder {
    /// 编号
    /// 按新的顺序
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
}

impl Example for SiteOrder {
    fn example() -> Self {
        Self { ids: vec![2, 1] }
    }
}

/// Writes the new order. Rows belong to one list when they agree in the columns of `list`.
///
/// # Errors
/// 404 when the first of them is gone; 422 when they are not all of its list, or one is named twice.
pub(crate) async fn reorder(
    tx: &mut Tx,
    table: &'static str,
    list: &'static [&'static str],
    order: &SiteOrder,
) -> Result<Vec<Change>> {
    let first = order.ids.first().copied().ok_or_else(Error::not_found)?;
    let agree: String = list.iter().map(|column| format!(" and t.{column} is not distinct from f.{column}")).collect();
    // As of `Tx::set_enabled`: the names are literals at the calls, and nobody types them.
    let held = format!(
        "select t.id, t.sort from {table} t join {table} f on f.id = $1{agree} order by t.sort,
                t.id desc for update of t"
    );
    let rows: Vec<(i64, i32)> =
        sqlx::query_as(AssertSqlSafe(held)).bind(first).fetch_all(&mut **tx).await.map_err(Error::from)?;
    if rows.is_empty() {
        return Err(Error::not_found());
    }
    let all: Vec<i64> = rows.iter().map(|(id, _)| *id).collect();
    let placed =
        placed(&all, &order.ids).ok_or_else(|| Error::field("ids", "只能调整同一列表中各项的顺序，请刷新后重试"))?;
    let before: HashMap<i64, i32> = rows.into_iter().collect();
    let (mut ids, mut places, mut changes) = (Vec::new(), Vec::new(), Vec::new());
    for (place, id) in placed.iter().enumerate() {
        let sort = i32::try_from(place + 1).map_err(Error::internal)?;
        match before.get(id) {
            Some(before) if *before != sort => {
                ids.push(*id);
                places.push(sort);
                changes.push(Change::status(table, *id, "sort", *before, sort));
            }
            _ => {}
        }
    }
    let by = tx.by();
    let written = format!(
        "update {table} t set sort = w.place, updated_at = now(), updated_by = $3, version = t.version + 1
         from unnest($1::bigint[], $2::integer[]) as w (id, place) where t.id = w.id"
    );
    sqlx::query(AssertSqlSafe(written))
        .bind(&ids)
        .bind(&places)
        .bind(by)
        .execute(&mut **tx)
        .await
        .map_err(Error::from)?;
    Ok(changes)
}

/// The answer of an order that was written.
pub(crate) fn ordered(order: &SiteOrder) -> Result<BulkResult> {
    Ok(BulkResult { done: i64::try_from(order.ids.len()).map_err(Error::internal)?, failed: Vec::new() })
}
