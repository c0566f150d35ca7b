//! Paging of every list (00 §4).

use poem_openapi::{
    Object,
    types::{ParseFromJSON, ToJSON, Type},
};

use crate::error::{Error, Result};

/// One page of a list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Page<T: Type + ParseFromJSON + ToJSON + Send + Sync> {
    /// 总条数
    pub total_count: i64,
    /// 总页数
    pub total_page: i64,
    /// 当前页
    pub page_current: i64,
    /// 每页条数
    pub page_size: i64,
    /// 列表
    pub list: Vec<T>,
}

/// Which page is wanted: `pageCurrent` from 1, `pageSize` 1–500, 20 unless said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paging {
    current: i64,
    size: i64,
}

impl Paging {
    /// The page a list's body asks for.
    ///
    /// # Errors
    /// 422 at the field when the page is below 1 or the size outside 1–500.
    pub fn of(current: Option<i64>, size: Option<i64>) -> Result<Self> {
        let (current, size) = (current.unwrap_or(1), size.unwrap_or(20));
        if !(1..=10_000_000).contains(&current) {
            return Err(Error::field("pageCurrent", "页码应从1开始"));
        }
        if !(1..=500).contains(&size) {
            return Err(Error::field("pageSize", "每页条数应在1到500之间"));
        }
        Ok(Self { current, size })
    }

    pub fn limit(self) -> i64 {
        self.size
    }

    pub fn offset(self) -> i64 {
        (self.current - 1) * self.size
    }

    pub fn page<T: Type + ParseFromJSON + ToJSON + Send + Sync>(self, total_count: i64, list: Vec<T>) -> Page<T> {
        let total_page = (total_count + self.size - 1) / self.size;
        Page { total_count, total_page, page_current: self.current, page_size: self.size, list }
    }
}
