//! 作业统计: what rosters handed in, and how it was marked (part 05 A4, A5).

mod rows;

use infra::{Allowed, Body, Paged, Part, Reply, Result, permissions, transfer::Exported};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;
use statistics_rules::{
    enums::{StatChartKind, StatLevel},
    rates,
};

use crate::{
    filter::{Asked, Slice, StatFilter},
    schools::Published,
    screen::{self, Screen, told},
    table::{
        AsOf, Col, Found, StatCard, StatCell, StatChart, StatCharts, StatSummary, StatTable, card, cell, chart, count,
        count_card, counted, decimal, percent, point, text,
    },
};

permissions! {
    pages "/schoolPC/statistics/workStatistics/list", "/platformPC/statistics/workStatistics/list",
          "/schoolPC/statistics/workStatistics/siteList", "/platformPC/statistics/workStatistics/siteList";
    EachSchool Reads       ListWork     = "data:pc:workStatistics:list" "作业统计列表";
    EachSchool Reads       ListWorkSite = "data:pc:workStatistics:siteList" "站点作业统计";
    EachSchool ReadsLogged ExportWork   = "data:pc:workStatistics:export" "导出作业统计";
}

pub const PART: Part =
    Part { permissions: &[PERMISSIONS], jobs: &[screen::export_job::<Work>()], option_pages: PAGES, ..Part::NONE };

const TASKS: Col = count("tasks", "作业数", "已发布或已截止、用途为作业的作业");
const SHOULD: Col = count("should", "应交", "不含免做和作废的学生作业");
const HANDED: Col = count("handed", "已交", "已提交、已批阅或已退回");
const MISSED: Col = count("missed", "缺交", "截止后仍未提交");
const OPEN: Col = count("open", "未交", "应交－已交");
const HAND_RATE: Col = percent("handRate", "提交率", "已交÷应交");
const ON_TIME: Col = percent("onTimeRate", "按时率", "按时提交÷已交");
const PENDING: Col = count("pending", "待批", "已提交、尚未批阅");
const MARK_RATE: Col = percent("markRate", "批阅率", "已批阅÷（已批阅＋待批）");
const AVERAGE: Col = decimal("average", "平均分", "已批阅作业得分之和÷已批阅");
const PASS_RATE: Col = percent("passRate", "及格率", "得分不低于60÷已批阅");

const OF_COURSE: [Col; 10] =
    [TASKS, SHOULD, HANDED, MISSED, HAND_RATE, ON_TIME, PENDING, MARK_RATE, AVERAGE, PASS_RATE];
const OF_CLASS: [Col; 13] = [
    text("site", "站点"),
    text("major", "专业"),
    text("manager", "班主任"),
    TASKS,
    SHOULD,
    HANDED,
    MISSED,
    HAND_RATE,
    ON_TIME,
    PENDING,
    MARK_RATE,
    AVERAGE,
    PASS_RATE,
];
const OF_SITE: [Col; 12] = [
    count("classes", "班级数", "有应交作业的班级"),
    count("students", "学生数", "该站点的在籍学生"),
    TASKS,
    count("should", "应交人次", "不含免做和作废的学生作业"),
    HANDED,
    MISSED,
    HAND_RATE,
    ON_TIME,
    PENDING,
    MARK_RATE,
    AVERAGE,
    PASS_RATE,
];
const OF_TASK: [Col; 13] = [
    text("course", "课程"),
    text("purpose", "用途"),
    text("endsAt", "截止"),
    SHOULD,
    HANDED,
    OPEN,
    HAND_RATE,
    ON_TIME,
    PENDING,
    MARK_RATE,
    AVERAGE,
    PASS_RATE,
    count("similar", "相似≥阈值", "相似率达到作业阈值的学生作业"),
];
const OF_STUDENT: [Col; 11] = [
    text("studentNo", "学号"),
    text("grade", "年级"),
    text("level", "层次"),
    text("major", "专业"),
    text("site", "站点"),
    text("class", "班级"),
    count("should", "应交", "不含免做和作废的作业"),
    HANDED,
    MISSED,
    decimal("average", "平均分", "已批阅作业得分的平均"),
    text("lastAt", "最近提交"),
];

/// The screen.
pub(crate) struct Work;

/// What a group of rosters handed in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Handed {
    pub key: i64,
    pub classes: i64,
    pub tasks: i64,
    pub should: i64,
    pub handed: i64,
    pub on_time: i64,
    pub marked: i64,
    pub missed: i64,
    pub pending: i64,
    pub scored: i64,
    pub score_sum: i64,
    pub passed: i64,
}

impl Handed {
    /// From the number of tasks on; `open` instead of those missed.
    fn cells(&self, least: Option<i64>, tasks: bool, open: bool) -> Vec<StatCell> {
        let mut cells = if tasks { vec![cell::count(self.tasks)] } else { Vec::new() };
        cells.extend([
            cell::count(self.should),
            cell::count(self.handed),
            cell::count(if open { self.should - self.handed } else { self.missed }),
            cell::percent(self.handed, self.should),
            cell::percent(self.on_time, self.handed),
            cell::count(self.pending),
            cell::percent(self.marked, self.marked + self.pending),
            told(self.marked, least, cell::mean(self.score_sum, self.scored)),
            told(self.marked, least, cell::percent(self.passed, self.marked)),
        ]);
        cells
    }
}

impl Screen for Work {
    const TITLE: &'static str = "作业统计";
    const JOB: &'static str = "stat_work.export";
    const EXPORT: &'static str = "data:pc:workStatistics:export";
    const LIST: &'static str = "data:pc:workStatistics:list";
    const SITES: &'static str = "data:pc:workStatistics:siteList";
    const LEVELS: &'static [StatLevel] =
        &[StatLevel::Course, StatLevel::Task, StatLevel::Class, StatLevel::Site, StatLevel::Student];

    fn columns(level: StatLevel) -> &'static [Col] {
        match level {
            StatLevel::Class => &OF_CLASS,
            StatLevel::Site => &OF_SITE,
            StatLevel::Task => &OF_TASK,
            StatLevel::Student => &OF_STUDENT,
            _ => &OF_COURSE,
        }
    }

    fn school_columns() -> &'static [Col] {
        &OF_SITE
    }

    fn of_school(sums: &Published, least: i64) -> Vec<StatCell> {
        let handed = Handed {
            key: sums.school_id,
            classes: sums.classes,
            tasks: sums.hw_tasks,
            should: sums.hw_should,
            handed: sums.hw_handed,
            on_time: sums.hw_on_time,
            marked: sums.hw_marked,
            missed: sums.hw_missed,
            pending: sums.hw_pending,
            scored: sums.hw_scored,
            score_sum: sums.hw_score_sum,
            passed: sums.hw_passed,
        };
        let mut cells = vec![cell::count(sums.classes), cell::count(sums.students)];
        cells.extend(handed.cells(Some(least), true, false));
        cells
    }

    async fn found(connection: &mut PgConnection, asked: &Asked, slice: Slice, _as_of: AsOf) -> Result<Found> {
        match asked.level {
            StatLevel::Student => rows::of_students(connection, asked, slice).await,
            StatLevel::Task => rows::of_tasks(connection, asked, slice).await,
            StatLevel::Class => rows::of_classes(connection, asked, slice).await,
            StatLevel::Site => rows::of_sites(connection, asked, slice).await,
            _ => rows::of_courses(connection, asked, slice).await,
        }
    }

    async fn cards(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<StatCard>> {
        let total = rows::total(connection, asked).await?;
        Ok(vec![
            count_card("should", "应交人次", total.should, "人次", SHOULD.help),
            count_card("handed", "已交", total.handed, "人次", HANDED.help),
            card("handRate", "提交率", rates::percent(total.handed, total.should), "%", HAND_RATE.help),
            card("onTimeRate", "按时率", rates::percent(total.on_time, total.handed), "%", ON_TIME.help),
            count_card("pending", "待批", total.pending, "份", PENDING.help),
            card("markRate", "批阅率", rates::percent(total.marked, total.marked + total.pending), "%", MARK_RATE.help),
            card(
                "average",
                "平均分",
                asked.tells(total.marked, rates::mean(total.score_sum, total.scored)),
                "分",
                AVERAGE.help,
            ),
            card(
                "passRate",
                "及格率",
                asked.tells(total.marked, rates::percent(total.passed, total.marked)),
                "%",
                PASS_RATE.help,
            ),
        ])
    }

    async fn charts(connection: &mut PgConnection, asked: &Asked, as_of: AsOf) -> Result<Vec<StatChart>> {
        let courses = rows::named(connection, asked, StatLevel::Course).await?;
        let rate = |handed: &Handed| rates::percent(handed.handed, handed.should);
        let by_course = courses.iter().filter_map(|(name, handed)| point(name.clone(), rate(handed)));
        let sites = rows::named(connection, asked, StatLevel::Site).await?;
        let by_site = sites.iter().filter_map(|(name, handed)| point(name.clone(), rate(handed)));
        let bands = rows::bands(connection, asked).await?;
        let words = ["60以下", "60–69.9", "70–79.9", "80–89.9", "90以上"];
        let spread = words.into_iter().zip(bands).map(|(word, number)| counted(word, number));
        let days = rows::days(connection, asked, as_of.computed_at.date_naive()).await?;
        let submitted = days.iter().map(|(day, number)| counted(day.to_string(), *number));
        let deadlines = rows::deadlines(connection, asked, as_of.computed_at.date_naive()).await?;
        let ending = deadlines.iter().map(|(day, number)| counted(day.to_string(), *number));
        Ok(vec![
            chart("courses", "课程提交率", (StatChartKind::Bar, "%"), vec![("提交率", by_course.take(20).collect())]),
            chart("sites", "站点提交率", (StatChartKind::Bar, "%"), vec![("提交率", by_site.collect())]),
            chart("scores", "得分分布", (StatChartKind::Bar, "人次"), vec![("人次", spread.collect())]),
            chart(
                "days",
                "每日提交",
                (StatChartKind::Line, "份"),
                vec![("提交", submitted.collect()), ("当日截止的作业", ending.collect())],
            ),
        ])
    }
}

pub struct WorkStatistics;

#[OpenApi(prefix_path = "/data/pc/workStatistics", tag = "crate::Tag::Statistics")]
impl WorkStatistics {
    /// 作业统计列表
    /// 平台端未指明院校时，每所院校一行
    #[oai(path = "/list", method = "post", operation_id = "listWorkStatistics")]
    async fn list(&self, caller: Allowed<ListWork>, Body(asked): Body<Paged<StatFilter>>) -> Result<Reply<StatTable>> {
        screen::list::<Work, _>(&caller, asked.paging()?, asked.filter, StatLevel::Course).await
    }

    /// 站点作业统计
    #[oai(path = "/siteList", method = "post", operation_id = "listSiteWorkStatistics")]
    async fn site_list(
        &self,
        caller: Allowed<ListWorkSite>,
        Body(asked): Body<Paged<StatFilter>>,
    ) -> Result<Reply<StatTable>> {
        screen::list::<Work, _>(&caller, asked.paging()?, asked.filter, StatLevel::Site).await
    }

    /// 作业统计图表
    #[oai(path = "/chart", method = "post", operation_id = "chartWorkStatistics")]
    async fn chart(
        &self,
        caller: Allowed<ListWork>,
        Body(asked): Body<Paged<StatFilter>>,
    ) -> Result<Reply<StatCharts>> {
        screen::charts::<Work, _>(&caller, asked.filter).await
    }

    /// 作业统计汇总
    #[oai(path = "/summary", method = "post", operation_id = "summarizeWorkStatistics")]
    async fn summary(
        &self,
        caller: Allowed<ListWork>,
        Body(asked): Body<Paged<StatFilter>>,
    ) -> Result<Reply<StatSummary>> {
        screen::summary::<Work, _>(&caller, asked.filter).await
    }

    /// 导出作业统计
    /// 导出所示层级的表，另需该层级所在列表的权限；按站点时为站点作业统计的权限
    #[oai(path = "/export", method = "post", operation_id = "exportWorkStatistics")]
    async fn export(
        &self,
        caller: Allowed<ExportWork>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<StatFilter>>,
    ) -> Result<Exported> {
        screen::export::<Work, _>(&caller, asked.filter, StatLevel::Course, job.0).await
    }
}
