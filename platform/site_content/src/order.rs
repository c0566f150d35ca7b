//! 排序: what an operator sends who gives rows of a list a new order, and what is answered (01 §9.0).

use infra::{BulkResult, Error, Result};
use poem_openapi::{Object, types::Example};

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

/// The answer of an order that was written.
///
/// # Errors
/// Only internal ones.
pub fn ordered(order: &SiteOrder) -> Result<BulkResult> {
    Ok(BulkResult { done: i64::try_from(order.ids.len()).map_err(Error::internal)?, failed: Vec::new() })
}
