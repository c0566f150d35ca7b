//! The shape of every statistic (part 05 §0): a table whose columns depend on the level, its 合计 over the whole filter, cards and
//! charts, and up to when the figures go.

use infra::{Page, Paging, across::SchoolNotice, clock::Moment, sheet::Cell};
use poem_openapi::Object;
use statistics_rules::{
    enums::{StatChartKind, StatColumnKind},
    rates,
};

/// A column of a table, as the code names it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Col {
    pub key: &'static str,
    pub title: &'static str,
    pub kind: StatColumnKind,
    /// What the figure is, as part 05 A4 defines it.
    pub help: &'static str,
}

pub(crate) const fn text(key: &'static str, title: &'static str) -> Col {
    Col { key, title, kind: StatColumnKind::Text, help: "" }
}

pub(crate) const fn count(key: &'static str, title: &'static str, help: &'static str) -> Col {
    Col { key, title, kind: StatColumnKind::Count, help }
}

pub(crate) const fn decimal(key: &'static str, title: &'static str, help: &'static str) -> Col {
    Col { key, title, kind: StatColumnKind::Decimal, help }
}

pub(crate) const fn percent(key: &'static str, title: &'static str, help: &'static str) -> Col {
    Col { key, title, kind: StatColumnKind::Percent, help }
}

/// A column of a statistic.
#[derive(Debug, Clone, Object)]
pub struct StatColumn {
    /// 列标识
    pub key: String,
    /// 列名
    pub title: String,
    /// 列类型
    pub kind: StatColumnKind,
    /// 口径
    pub help: Option<String>,
}

/// A figure or a word of a row; neither where there is none.
#[derive(Debug, Clone, Default, PartialEq, Object)]
pub struct StatCell {
    /// 数值
    #[oai(skip_serializing_if_is_none)]
    pub number: Option<f64>,
    /// 文字
    #[oai(skip_serializing_if_is_none)]
    pub text: Option<String>,
}

/// A row of a statistic.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct StatRow {
    /// 编号
    /// 该行统计对象的编号
    pub id: i64,
    /// 名称
    pub name: String,
    /// 院校编号
    #[oai(skip_serializing_if_is_none)]
    pub school_id: Option<i64>,
    /// 院校
    #[oai(skip_serializing_if_is_none)]
    pub school_name: Option<String>,
    /// 学生编号
    /// 按学生时
    #[oai(skip_serializing_if_is_none)]
    pub student_id: Option<i64>,
    /// 单元格
    /// 依次对应各列
    pub cells: Vec<StatCell>,
}

/// A page of a statistic.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StatTable {
    /// 统计时间
    pub computed_at: Moment,
    /// 数据截至
    pub data_until: Moment,
    /// 总条数
    pub total_count: i64,
    /// 总页数
    pub total_page: i64,
    /// 当前页
    pub page_current: i64,
    /// 每页条数
    pub page_size: i64,
    /// 名称列的列名
    pub name_title: String,
    /// 列
    pub columns: Vec<StatColumn>,
    /// 列表
    pub list: Vec<StatRow>,
    /// 合计
    /// 全部条件的合计，不是本页的
    pub total: Option<StatRow>,
    /// 未包含的院校
    #[oai(skip_serializing_if_is_empty, default)]
    pub notices: Vec<SchoolNotice>,
}

/// A card above a statistic.
#[derive(Debug, Clone, Object)]
pub struct StatCard {
    /// 标识
    pub key: String,
    /// 名称
    pub title: String,
    /// 数值
    pub value: Option<f64>,
    /// 单位
    pub unit: String,
    /// 口径
    pub help: String,
    /// 对比
    /// 上一期的同一数字
    pub compare: Option<f64>,
}

/// The cards of a statistic.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StatSummary {
    /// 统计时间
    pub computed_at: Moment,
    /// 数据截至
    pub data_until: Moment,
    /// 卡片
    pub cards: Vec<StatCard>,
}

/// A point of a chart.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct StatPoint {
    /// 名称
    pub name: String,
    /// 数值
    pub value: f64,
}

/// Points of one kind.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct StatSeries {
    /// 名称
    pub name: String,
    /// 数据
    pub points: Vec<StatPoint>,
}

/// A chart, which is shown as a table too.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct StatChart {
    /// 标识
    pub key: String,
    /// 名称
    pub title: String,
    /// 图表类型
    pub kind: StatChartKind,
    /// 单位
    pub unit: String,
    /// 系列
    pub series: Vec<StatSeries>,
}

/// The charts of a statistic.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StatCharts {
    /// 统计时间
    pub computed_at: Moment,
    /// 数据截至
    pub data_until: Moment,
    /// 图表
    pub charts: Vec<StatChart>,
}

/// When the figures were computed, and up to when their facts go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AsOf {
    pub computed_at: Moment,
    pub data_until: Moment,
}

/// The rows of a filter in one level, a page of them.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub total_count: i64,
    pub rows: Vec<StatRow>,
    pub total: Option<StatRow>,
}

impl StatRow {
    pub(crate) fn new(id: i64, name: impl Into<String>, cells: Vec<StatCell>) -> Self {
        Self { id, name: name.into(), school_id: None, school_name: None, student_id: None, cells }
    }

    /// 合计.
    pub(crate) fn total(cells: Vec<StatCell>) -> Self {
        Self::new(0, "合计", cells)
    }

    pub(crate) fn of_student(mut self, id: i64) -> Self {
        self.student_id = Some(id);
        self
    }

    pub(crate) fn of_school(mut self, id: i64, name: String) -> Self {
        self.school_id = Some(id);
        self.school_name = Some(name);
        self
    }
}

impl StatTable {
    pub(crate) fn of(name_title: &str, columns: &[Col], found: Found, paging: Paging, as_of: AsOf) -> Self {
        let Page { total_count, total_page, page_current, page_size, list, .. } =
            paging.page(found.total_count, found.rows);
        Self {
            computed_at: as_of.computed_at,
            data_until: as_of.data_until,
            total_count,
            total_page,
            page_current,
            page_size,
            name_title: name_title.to_owned(),
            columns: columns.iter().map(Col::shown).collect(),
            list,
            total: found.total,
            notices: Vec::new(),
        }
    }
}

impl Col {
    fn shown(&self) -> StatColumn {
        StatColumn {
            key: self.key.to_owned(),
            title: self.title.to_owned(),
            kind: self.kind,
            help: (!self.help.is_empty()).then(|| self.help.to_owned()),
        }
    }

    /// A cell of the column in a sheet.
    pub(crate) fn cell(&self, cell: &StatCell) -> Cell {
        match (&cell.text, cell.number, self.kind) {
            (Some(text), _, _) => Cell::Text(text.clone()),
            (None, Some(number), StatColumnKind::Count) => Cell::Int(whole(number)),
            (None, Some(number), _) => Cell::Decimal(whole(number * 10.0), 1),
            (None, None, _) => Cell::Empty,
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "counts and tenths that people read")]
fn whole(number: f64) -> i64 {
    number.round() as i64
}

/// Cells by what they hold.
pub(crate) mod cell {
    use super::{Moment, StatCell, rates};

    #[allow(clippy::cast_precision_loss, reason = "counts of people and rows")]
    pub(crate) fn count(number: i64) -> StatCell {
        StatCell { number: Some(number as f64), text: None }
    }

    pub(crate) fn number(number: Option<f64>) -> StatCell {
        StatCell { number, text: None }
    }

    pub(crate) fn percent(part: i64, of: i64) -> StatCell {
        number(rates::percent(part, of))
    }

    /// The mean of tenths.
    pub(crate) fn mean(tenths: i64, of: i64) -> StatCell {
        number(rates::mean(tenths, of))
    }

    pub(crate) fn hours(seconds: i64) -> StatCell {
        number(Some(rates::hours(seconds)))
    }

    pub(crate) fn text(text: Option<String>) -> StatCell {
        StatCell { number: None, text: text.filter(|text| !text.is_empty()) }
    }

    pub(crate) fn time(at: Option<Moment>) -> StatCell {
        text(at.map(|at| at.format("%Y-%m-%d %H:%M").to_string()))
    }

    /// What is not told of so few people.
    pub(crate) fn hidden(least: i64) -> StatCell {
        text(Some(format!("<{least}")))
    }
}

/// A chart of one series.
pub(crate) fn chart(
    key: &str,
    title: &str,
    (kind, unit): (StatChartKind, &str),
    series: Vec<(&str, Vec<StatPoint>)>,
) -> StatChart {
    StatChart {
        key: key.to_owned(),
        title: title.to_owned(),
        kind,
        unit: unit.to_owned(),
        series: series.into_iter().map(|(name, points)| StatSeries { name: name.to_owned(), points }).collect(),
    }
}

/// A point; what has no figure is not drawn.
pub(crate) fn point(name: impl Into<String>, value: Option<f64>) -> Option<StatPoint> {
    value.map(|value| StatPoint { name: name.into(), value })
}

/// A point of a count.
#[allow(clippy::cast_precision_loss, reason = "counts of people and rows")]
pub(crate) fn counted(name: impl Into<String>, value: i64) -> StatPoint {
    StatPoint { name: name.into(), value: value as f64 }
}

/// A card of a figure.
pub(crate) fn card(key: &str, title: &str, value: Option<f64>, unit: &str, help: &str) -> StatCard {
    StatCard {
        key: key.to_owned(),
        title: title.to_owned(),
        value,
        unit: unit.to_owned(),
        help: help.to_owned(),
        compare: None,
    }
}

/// A card of a count.
#[allow(clippy::cast_precision_loss, reason = "counts of people and rows")]
pub(crate) fn count_card(key: &str, title: &str, value: i64, unit: &str, help: &str) -> StatCard {
    card(key, title, Some(value as f64), unit, help)
}
