//! Paging of every list (00 §4).

use poem_openapi::{
    Object,
    types::{Example, IsObjectType, ParseFromJSON, ToJSON, Type},
};

use crate::{
    across::Segment,
    enumeration::Word,
    error::{Error, Result},
    module::Part,
};

pub const PART: Part = Part { enumerations: &[SortOrder::ENUMERATION], ..Part::NONE };

crate::enumeration! {
    /// 排序方向
    pub enum SortOrder = "sortOrder" {
        Asc = "asc" "升序",
        Desc = "desc" "降序",
    }
}

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
    /// 各状态条数
    /// 其他条件与列表相同；列表没有状态时为空
    #[oai(skip_serializing_if_is_empty, default)]
    pub segments: Vec<Segment>,
}

/// The body of a list: a page of the rows that a filter names.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct Paged<F>
where
    F: Type + IsObjectType + ParseFromJSON + ToJSON + Default + Send + Sync,
{
    /// 当前页
    pub page_current: Option<i64>,
    /// 每页条数
    pub page_size: Option<i64>,
    #[oai(flatten)]
    pub filter: F,
}

impl<F> Paged<F>
where
    F: Type + IsObjectType + ParseFromJSON + ToJSON + Default + Send + Sync,
{
    /// # Errors
    /// As [`Paging::of`].
    pub fn paging(&self) -> Result<Paging> {
        Paging::of(self.page_current, self.page_size)
    }
}

impl<F> Example for Paged<F>
where
    F: Type + IsObjectType + ParseFromJSON + ToJSON + Default + Send + Sync,
{
    fn example() -> Self {
        Self { page_current: Some(1), page_size: Some(20), filter: F::default() }
    }
}

/// [`Paged`], of a list that can be put into the order of some of its fields, the words of `S`.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct Sorted<F, S>
where
    F: Type + IsObjectType + ParseFromJSON + ToJSON + Default + Send + Sync,
    S: Type + ParseFromJSON + ToJSON + Word + Send + Sync,
{
    /// 当前页
    pub page_current: Option<i64>,
    /// 每页条数
    pub page_size: Option<i64>,
    /// 排序字段
    /// 不填时为列表自身的顺序
    pub sort_field: Option<S>,
    /// 排序方向
    pub sort_order: Option<SortOrder>,
    #[oai(flatten)]
    pub filter: F,
}

impl<F, S> Sorted<F, S>
where
    F: Type + IsObjectType + ParseFromJSON + ToJSON + Default + Send + Sync,
    S: Type + ParseFromJSON + ToJSON + Word + Send + Sync,
{
    /// # Errors
    /// As [`Paging::of`].
    pub fn paging(&self) -> Result<Paging> {
        let descending = matches!(self.sort_order, Some(SortOrder::Desc));
        let order = self.sort_field.as_ref().map(|field| Order { field: field.word(), descending });
        Ok(Paging { order, ..Paging::of(self.page_current, self.page_size)? })
    }
}

impl<F, S> Example for Sorted<F, S>
where
    F: Type + IsObjectType + ParseFromJSON + ToJSON + Default + Send + Sync,
    S: Type + ParseFromJSON + ToJSON + Word + Send + Sync,
{
    fn example() -> Self {
        Self { page_current: Some(1), page_size: Some(20), sort_field: None, sort_order: None, filter: F::default() }
    }
}

/// The field of the rows by which a list is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    pub field: &'static str,
    pub descending: bool,
}

/// Which page is wanted: `pageCurrent` from 1, `pageSize` 1–500, 20 unless said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paging {
    current: i64,
    size: i64,
    order: Option<Order>,
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
        Ok(Self { current, size, order: None })
    }

    /// None: the list's own order.
    pub fn order(self) -> Option<Order> {
        self.order
    }

    pub fn limit(self) -> i64 {
        self.size
    }

    pub fn offset(self) -> i64 {
        (self.current - 1) * self.size
    }

    pub fn page<T: Type + ParseFromJSON + ToJSON + Send + Sync>(self, total_count: i64, list: Vec<T>) -> Page<T> {
        let total_page = (total_count + self.size - 1) / self.size;
        let segments = Vec::new();
        Page { total_count, total_page, page_current: self.current, page_size: self.size, list, segments }
    }

    /// A page of a list whose rows are counted by state: as many as the wanted state has, or all of them. So a tab and the list
    /// that it leads to tell the same number.
    pub fn page_of_state<T: Type + ParseFromJSON + ToJSON + Send + Sync>(
        self,
        segments: Vec<Segment>,
        state: Option<&str>,
        list: Vec<T>,
    ) -> Page<T> {
        let page = self.page(Segment::total(&segments, state), list);
        Page { segments, ..page }
    }
}

/// Where a page lies, counted from the nearer end of its list: the last page is read as fast as the first.
///
/// A list of the newest first orders the numbers of the page's rows by
/// ```text
/// case when $n then at end, case when $n then id end, at desc, id desc
/// ```
/// where `$n` is [`from_end`](Self::from_end). Planned with its values, one half of that is constant and falls away,
/// and an index on `(at, id)` gives the rows in either direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub from_end: bool,
    pub limit: i64,
    pub offset: i64,
}

impl Window {
    /// None for a page behind the last.
    pub fn of(paging: Paging, total: i64) -> Option<Self> {
        let (limit, offset) = (paging.limit().min(total - paging.offset()), paging.offset());
        if limit <= 0 {
            None
        } else if offset <= total / 2 {
            Some(Self { from_end: false, limit, offset })
        } else {
            Some(Self { from_end: true, limit, offset: total - offset - limit })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(current: i64, size: i64, total: i64) -> Option<Window> {
        Window::of(Paging::of(Some(current), Some(size)).expect("a page"), total)
    }

    #[test]
    fn the_last_page_is_read_from_the_other_end() {
        let (newest, oldest) = (
            |limit, offset| Some(Window { from_end: false, limit, offset }),
            |limit, offset| Some(Window { from_end: true, limit, offset }),
        );
        assert_eq!(window(1, 20, 200_000), newest(20, 0));
        assert_eq!(window(5001, 20, 200_000), newest(20, 100_000));
        assert_eq!(window(5002, 20, 200_000), oldest(20, 99_960));
        assert_eq!(window(10_000, 20, 200_000), oldest(20, 0));
        // 45 rows: the third page has five.
        assert_eq!(window(3, 20, 45), oldest(5, 0));
        assert_eq!(window(1, 20, 5), newest(5, 0));
    }

    #[test]
    fn there_is_nothing_behind_the_last_page() {
        assert_eq!(window(4, 20, 45), None);
        assert_eq!(window(1, 20, 0), None);
    }
}
