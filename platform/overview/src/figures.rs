//! The shape of both pages (05 A7).

use chrono::NaiveDate;
use infra::{Part, clock::Moment, enumeration};
use poem_openapi::Object;

pub const PART: Part = Part { enumerations: &[ChartKind::ENUMERATION], ..Part::NONE };

enumeration! {
    /// 图表类型
    pub enum ChartKind = "chartKind" {
        Line = "line" "折线",
        Bar = "bar" "条形",
        Pie = "pie" "占比",
    }
}

/// The unit of amounts; whoever shows them writes them in yuan.
pub(crate) const MONEY: &str = "分";

/// A figure with its definition.
#[derive(Debug, Clone, Object)]
pub struct Card {
    /// 标识
    pub key: String,
    /// 名称
    pub title: String,
    /// 数值
    pub value: i64,
    /// 单位
    /// 金额为分
    pub unit: String,
    /// 口径
    pub help: String,
    /// 对比
    /// 昨日的同一数字；没有对比时为空
    pub compare: Option<i64>,
    /// 链接
    /// 该数字的明细列表
    pub link: Option<String>,
    /// 权限
    /// 有此权限的人员才看到；为空时人人可见
    pub code: Option<String>,
}

impl Card {
    pub(crate) fn new(key: &str, title: &str, value: i64, unit: &str, help: &str) -> Self {
        Self {
            key: key.to_owned(),
            title: title.to_owned(),
            value,
            unit: unit.to_owned(),
            help: help.to_owned(),
            compare: None,
            link: None,
            code: None,
        }
    }

    /// Beside the same figure of the day before.
    pub(crate) fn beside(mut self, yesterday: i64) -> Self {
        self.compare = Some(yesterday);
        self
    }

    /// Whose figure it is: who holds the code of its list.
    pub(crate) fn of(mut self, code: &str) -> Self {
        self.code = Some(code.to_owned());
        self
    }

    pub(crate) fn leads_to(mut self, link: impl Into<String>) -> Self {
        self.link = Some(link.into());
        self
    }
}

/// A point of a chart.
#[derive(Debug, Clone, Object)]
pub struct Point {
    /// 名称
    pub name: String,
    /// 数值
    pub value: i64,
    /// 链接
    pub link: Option<String>,
}

/// Points of one kind.
#[derive(Debug, Clone, Object)]
pub struct Series {
    /// 名称
    pub name: String,
    /// 数据
    pub points: Vec<Point>,
}

/// A chart, which is also shown as a table.
#[derive(Debug, Clone, Object)]
pub struct Chart {
    /// 标识
    pub key: String,
    /// 名称
    pub title: String,
    /// 图表类型
    pub kind: ChartKind,
    /// 单位
    pub unit: String,
    /// 口径
    pub help: String,
    /// 系列
    pub series: Vec<Series>,
    /// 全部
    /// 占比的分母：全部数量，不只是所列各项之和
    pub total: Option<i64>,
    /// 权限
    /// 有此权限的人员才看到；为空时人人可见
    pub code: Option<String>,
}

impl Chart {
    pub(crate) fn new(key: &str, title: &str, kind: ChartKind, unit: &str, help: &str, series: Vec<Series>) -> Self {
        Self {
            key: key.to_owned(),
            title: title.to_owned(),
            kind,
            unit: unit.to_owned(),
            help: help.to_owned(),
            series,
            total: None,
            code: None,
        }
    }

    /// Shares are of this.
    pub(crate) fn out_of(mut self, total: i64) -> Self {
        self.total = Some(total);
        self
    }
}

/// Open work, for whoever holds the code of its list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Todo {
    /// 标识
    pub key: String,
    /// 名称
    pub title: String,
    /// 数量
    pub count: i64,
    /// 链接
    pub link: String,
    /// 权限
    pub code: String,
    /// 最早
    /// 其中等待最久的一条的时间
    pub oldest: Option<Moment>,
    /// 截止
    /// 应办结的时间
    pub deadline: Option<Moment>,
}

impl Todo {
    pub(crate) fn new(key: &str, title: &str, count: i64, link: impl Into<String>, code: &str) -> Self {
        Self {
            key: key.to_owned(),
            title: title.to_owned(),
            count,
            link: link.into(),
            code: code.to_owned(),
            oldest: None,
            deadline: None,
        }
    }

    pub(crate) fn since(mut self, oldest: Option<Moment>) -> Self {
        self.oldest = oldest;
        self
    }

    pub(crate) fn until(mut self, deadline: Option<Moment>) -> Self {
        self.deadline = deadline;
        self
    }
}

/// A step of setting a school up, with what of it is there.
#[derive(Debug, Clone, Object)]
pub struct SetupStep {
    /// 标识
    pub key: String,
    /// 名称
    pub title: String,
    /// 数量
    pub count: i64,
    /// 链接
    pub link: String,
    /// 权限
    pub code: String,
}

/// A school that needs an operator's hand.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct NeedySchool {
    /// 院校编号
    pub id: i64,
    /// 院校
    pub name: String,
    /// 原因
    pub reasons: Vec<String>,
    /// 链接
    pub link: String,
}

/// Where in the semester one is, and what ends soon.
#[derive(Debug, Clone, Object)]
pub struct Calendar {
    /// 当前学期
    /// 还没有学期时为空
    pub semester: Option<CalendarSemester>,
    /// 截止事项
    /// 14天内截止的报名、填报、异动和选课，以及14天内开始的考试批次，先到的在前
    pub deadlines: Vec<Deadline>,
}

/// The semester that the school made its current one; it may be over, or not begun yet.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CalendarSemester {
    /// 学期
    pub name: String,
    /// 开始日期
    pub starts_on: NaiveDate,
    /// 结束日期
    pub ends_on: NaiveDate,
    /// 周次
    /// 不在学期内时为空
    pub week: Option<i64>,
    /// 总周数
    pub weeks: i64,
}

/// What people can do until a moment that comes soon, or what begins at it.
#[derive(Debug, Clone, Object)]
#[oai(rename = "CalendarDeadline")]
pub struct Deadline {
    /// 事项
    pub title: String,
    /// 截止时间
    pub at: Moment,
}

/// A page of the menu that a person keeps at hand.
#[derive(Debug, Clone, Object)]
pub struct Shortcut {
    /// 路径
    pub path: String,
    /// 名称
    pub title: String,
    /// 图标
    pub icon: String,
}

/// One of the newest messages of a person's own inbox.
#[derive(Debug, Clone, Object)]
#[oai(rename = "HomeNotice", rename_all = "camelCase")]
pub struct Notice {
    /// 编号
    pub id: i64,
    /// 标题
    pub title: String,
    /// 时间
    pub sent_at: Option<Moment>,
    /// 已读
    pub read: bool,
}

/// The home page of an area.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Dashboard {
    /// 统计时间
    pub computed_at: Moment,
    /// 数据截至
    /// 院校汇总数据的时间；还没有汇总时为空
    pub data_until: Option<Moment>,
    /// 包含演示院校
    /// 没有演示院校时为空
    pub demo: Option<bool>,
    /// 卡片
    pub cards: Vec<Card>,
    /// 图表
    pub charts: Vec<Chart>,
    /// 待办
    pub todos: Vec<Todo>,
    /// 建校步骤
    /// 全部完成后为空
    pub setup: Vec<SetupStep>,
    /// 需要处理的院校
    pub schools: Vec<NeedySchool>,
    /// 校历
    pub calendar: Option<Calendar>,
    /// 通知
    /// 本人最近的5条消息
    pub notices: Vec<Notice>,
    /// 快捷入口
    pub shortcuts: Vec<Shortcut>,
}

/// What is remembered of a page: all but what is the person's own.
#[derive(Debug, Clone)]
pub(crate) struct Figures {
    pub(crate) computed_at: Moment,
    pub(crate) data_until: Option<Moment>,
    pub(crate) demo: Option<bool>,
    pub(crate) cards: Vec<Card>,
    pub(crate) charts: Vec<Chart>,
    pub(crate) todos: Vec<Todo>,
    pub(crate) setup: Vec<SetupStep>,
    pub(crate) schools: Vec<NeedySchool>,
    pub(crate) calendar: Option<Calendar>,
}

/// Where whole personal values are asked for; beyond a day's most the answer is 429 (05 E4).
pub(crate) const PLAIN_VIEW: &str = "/system/pc/plain/view";
/// The refused ones of a week, as the log's list is asked for them.
pub(crate) const BEYOND: &str = "path=/system/pc/plain/view&resultCode=429";
/// Days behind which nobody asks any more who looked too often; the list shows as many.
pub(crate) const BEYOND_DAYS: i64 = 7;

/// Days of the line of sign-ins.
pub(crate) const DAYS: i64 = 30;

/// 30 days up to today, each with its value: days without a row count 0.
pub(crate) fn by_day(name: &str, today: NaiveDate, value: impl Fn(NaiveDate) -> i64) -> Series {
    let points = (0..DAYS)
        .rev()
        .map(|ago| today - chrono::Duration::days(ago))
        .map(|day| Point { name: day.to_string(), value: value(day), link: None })
        .collect();
    Series { name: name.to_owned(), points }
}

/// Statuses in the order of a student's life, with their words.
pub(crate) const STATUSES: [(&str, &str); 9] = [
    ("pending_registration", "待注册"),
    ("registered", "在籍"),
    ("suspended", "休学"),
    ("expired", "超学制"),
    ("withdrawn", "退学"),
    ("transferred_out", "转出"),
    ("graduated", "毕业"),
    ("completed", "结业"),
    ("incomplete", "肄业"),
];
