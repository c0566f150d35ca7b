//! 视频学习统计: how far the rosters of the courses are (part 05 A4, A5).

pub(crate) mod rows;

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
    pages "/schoolPC/statistics/statisticsVideo/list", "/platformPC/statistics/statisticsVideo/list",
          "/schoolPC/statistics/statisticsVideo/siteList", "/platformPC/statistics/statisticsVideo/siteList";
    EachSchool Reads       ListVideo     = "data:pc:statisticsVideo:list" "视频学习统计列表";
    EachSchool Reads       ListVideoSite = "data:pc:statisticsVideo:siteList" "站点视频学习统计";
    EachSchool ReadsLogged ExportVideo   = "data:pc:statisticsVideo:export" "导出视频学习统计";
}

pub const PART: Part =
    Part { permissions: &[PERMISSIONS], jobs: &[screen::export_job::<Video>()], option_pages: PAGES, ..Part::NONE };

const ROSTER: Col = count("roster", "应学人次", "已选或已完成该课程的在籍学生人次；往期含毕业生");
const NOT_STARTED: Col = count("notStarted", "未学", "学习进度为0的人次");
const STUDYING: Col = count("studying", "学习中", "学习进度大于0、小于100的人次");
const FINISHED: Col = count("finished", "学完", "学习进度为100的人次");
const START_RATE: Col = percent("startRate", "开始率", "（应学人次－未学）÷应学人次");
const FINISH_RATE: Col = percent("finishRate", "学完率", "学完÷应学人次");
const REACH_RATE: Col =
    percent("reachRate", "达标率", "进度达到开课要求（未设要求时为院校的视频达标进度）的人次÷应学人次");
const AVERAGE: Col = decimal("avgProgress", "平均进度", "进度之和÷应学人次，未学为0");
const HOURS: Col = decimal("hours", "学习时长(小时)", "计入的学习秒数÷3600，含其他平台导入的时长");
const HOURS_EACH: Col = decimal("hoursPerHead", "人均时长(小时)", "学习时长÷应学人次");
const CLASSES: Col = count("classes", "班级数", "有应学学生的班级");
const STUDENTS: Col = count("students", "学生数", "该站点的在籍学生");

const OF_COURSE: [Col; 12] = [
    text("lecturer", "主讲"),
    count("classes", "开课班级数", "有应学学生的班级"),
    ROSTER,
    NOT_STARTED,
    STUDYING,
    FINISHED,
    START_RATE,
    FINISH_RATE,
    REACH_RATE,
    AVERAGE,
    HOURS,
    HOURS_EACH,
];
const OF_CLASS: [Col; 13] = [
    text("site", "站点"),
    text("major", "专业"),
    text("manager", "班主任"),
    ROSTER,
    NOT_STARTED,
    STUDYING,
    FINISHED,
    START_RATE,
    FINISH_RATE,
    REACH_RATE,
    AVERAGE,
    HOURS,
    HOURS_EACH,
];
const OF_SITE: [Col; 13] = [
    CLASSES,
    STUDENTS,
    ROSTER,
    NOT_STARTED,
    STUDYING,
    FINISHED,
    START_RATE,
    FINISH_RATE,
    REACH_RATE,
    AVERAGE,
    HOURS,
    HOURS_EACH,
    decimal("change", "平均进度周变化", "平均进度减7天前的平均进度"),
];
const OF_SCHOOL: [Col; 12] = [
    CLASSES,
    count("students", "学生数", "在籍学生"),
    ROSTER,
    NOT_STARTED,
    STUDYING,
    FINISHED,
    START_RATE,
    FINISH_RATE,
    REACH_RATE,
    AVERAGE,
    HOURS,
    HOURS_EACH,
];
const OF_STUDENT: [Col; 15] = [
    text("studentNo", "学号"),
    text("grade", "年级"),
    text("level", "层次"),
    text("major", "专业"),
    text("site", "站点"),
    text("class", "班级"),
    text("course", "课程"),
    decimal("progress", "进度(%)", "课程学习进度"),
    text("periods", "已完成课时/总课时"),
    decimal("hours", "学习时长(小时)", "计入的学习秒数÷3600，含其他平台导入的时长"),
    count("days", "学习天数", "有学习记录的天数"),
    text("lastAt", "最近学习"),
    text("reached", "达标"),
    count("rejectedSeconds", "异常秒数", "申报而未计入的秒数"),
    count("importedSeconds", "其中导入(秒)", "由其他平台导入的学习秒数，没有每日记录"),
];

/// The screen.
pub(crate) struct Video;

/// What a group of rosters has come to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Study {
    pub key: i64,
    pub classes: i64,
    pub roster: i64,
    pub not_started: i64,
    pub studying: i64,
    pub finished: i64,
    pub reached: i64,
    pub progress_sum: i64,
    pub seconds: i64,
}

impl Study {
    fn cells(&self, least: Option<i64>) -> Vec<StatCell> {
        let Self { roster, not_started, studying, finished, reached, progress_sum, seconds, .. } = *self;
        vec![
            cell::count(roster),
            cell::count(not_started),
            cell::count(studying),
            cell::count(finished),
            cell::percent(roster - not_started, roster),
            cell::percent(finished, roster),
            told(roster, least, cell::percent(reached, roster)),
            told(roster, least, cell::mean(progress_sum, roster)),
            cell::hours(seconds),
            told(roster, least, cell::number(rates::hours_each(seconds, roster))),
        ]
    }

    fn add(&mut self, other: &Self) {
        self.classes += other.classes;
        self.roster += other.roster;
        self.not_started += other.not_started;
        self.studying += other.studying;
        self.finished += other.finished;
        self.reached += other.reached;
        self.progress_sum += other.progress_sum;
        self.seconds += other.seconds;
    }
}

impl Screen for Video {
    const TITLE: &'static str = "视频学习统计";
    const JOB: &'static str = "stat_video.export";
    const EXPORT: &'static str = "data:pc:statisticsVideo:export";
    const LIST: &'static str = "data:pc:statisticsVideo:list";
    const SITES: &'static str = "data:pc:statisticsVideo:siteList";
    const LEVELS: &'static [StatLevel] = &[StatLevel::Course, StatLevel::Class, StatLevel::Site, StatLevel::Student];

    fn columns(level: StatLevel) -> &'static [Col] {
        match level {
            StatLevel::Class => &OF_CLASS,
            StatLevel::Site => &OF_SITE,
            StatLevel::Student => &OF_STUDENT,
            _ => &OF_COURSE,
        }
    }

    fn school_columns() -> &'static [Col] {
        &OF_SCHOOL
    }

    fn of_school(sums: &Published, least: i64) -> Vec<StatCell> {
        let study = Study {
            key: sums.school_id,
            classes: sums.classes,
            roster: sums.roster,
            not_started: sums.not_started,
            studying: sums.studying,
            finished: sums.finished,
            reached: sums.reached,
            progress_sum: sums.progress_sum,
            seconds: sums.study_seconds,
        };
        let mut cells = vec![cell::count(sums.classes), cell::count(sums.students)];
        cells.extend(study.cells(Some(least)));
        cells
    }

    async fn found(connection: &mut PgConnection, asked: &Asked, slice: Slice, as_of: AsOf) -> Result<Found> {
        match asked.level {
            StatLevel::Student => rows::of_students(connection, asked, slice, as_of).await,
            StatLevel::Class => rows::of_classes(connection, asked, slice).await,
            StatLevel::Site => rows::of_sites(connection, asked, slice, as_of).await,
            _ => rows::of_courses(connection, asked, slice).await,
        }
    }

    async fn cards(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<StatCard>> {
        let total = rows::total(connection, asked).await?;
        let imported = rows::imported(connection, asked).await?;
        Ok(vec![
            count_card("roster", "应学人次", total.roster, "人次", ROSTER.help),
            card(
                "startRate",
                "开始率",
                rates::percent(total.roster - total.not_started, total.roster),
                "%",
                START_RATE.help,
            ),
            card("finishRate", "学完率", rates::percent(total.finished, total.roster), "%", FINISH_RATE.help),
            card(
                "reachRate",
                "达标率",
                asked.tells(total.roster, rates::percent(total.reached, total.roster)),
                "%",
                REACH_RATE.help,
            ),
            card(
                "avgProgress",
                "平均进度",
                asked.tells(total.roster, rates::mean(total.progress_sum, total.roster)),
                "%",
                AVERAGE.help,
            ),
            card("hours", "学习时长", Some(rates::hours(total.seconds)), "小时", HOURS.help),
            card("importedHours", "其中导入", Some(rates::hours(imported)), "小时", "由其他平台导入的学习时长"),
        ])
    }

    async fn charts(connection: &mut PgConnection, asked: &Asked, as_of: AsOf) -> Result<Vec<StatChart>> {
        let bins = rows::bins(connection, asked).await?;
        let spread =
            bins.into_iter().zip(0..).map(|(count, at)| counted(format!("{}–{}%", at * 10, at * 10 + 10), count));
        let days = rows::days(connection, asked, as_of.computed_at.date_naive()).await?;
        let learners = days.iter().map(|day| counted(day.day.to_string(), day.learners)).collect();
        let hours = days.iter().filter_map(|day| point(day.day.to_string(), Some(rates::hours(day.seconds)))).collect();
        let mut courses = rows::groups(connection, asked, StatLevel::Course).await?;
        courses.retain(|course| course.roster > 0);
        let rate = |study: &Study| asked.tells(study.roster, rates::percent(study.reached, study.roster));
        courses.sort_by(|one, other| rate(other).partial_cmp(&rate(one)).unwrap_or(std::cmp::Ordering::Equal));
        let names = rows::course_names(connection, &courses).await?;
        let points = |of: &[Study]| {
            of.iter()
                .filter_map(|study| point(names.get(&study.key).cloned().unwrap_or_default(), rate(study)))
                .collect()
        };
        let best: Vec<Study> = courses.iter().take(10).cloned().collect();
        let worst: Vec<Study> = courses.iter().rev().take(10).cloned().collect();
        let mut sites = rows::groups(connection, asked, StatLevel::Site).await?;
        sites.sort_by(|one, other| rate(other).partial_cmp(&rate(one)).unwrap_or(std::cmp::Ordering::Equal));
        let site_names = rows::site_names(connection, &sites).await?;
        let ranked = sites
            .iter()
            .filter_map(|study| point(site_names.get(&study.key).cloned().unwrap_or_default(), rate(study)));
        Ok(vec![
            chart("progress", "进度分布", (StatChartKind::Bar, "人次"), vec![("人次", spread.collect())]),
            chart("learners", "每日学习人数", (StatChartKind::Line, "人"), vec![("学习人数", learners)]),
            chart("hours", "每日学习时长", (StatChartKind::Line, "小时"), vec![("学习时长", hours)]),
            chart("best", "达标率最高的课程", (StatChartKind::Bar, "%"), vec![("达标率", points(&best))]),
            chart("worst", "达标率最低的课程", (StatChartKind::Bar, "%"), vec![("达标率", points(&worst))]),
            chart("sites", "站点达标率", (StatChartKind::Bar, "%"), vec![("达标率", ranked.collect())]),
        ])
    }
}

pub struct VideoStatistics;

#[OpenApi(prefix_path = "/data/pc/statisticsVideo", tag = "crate::Tag::Statistics")]
impl VideoStatistics {
    /// 视频学习统计列表
    /// 平台端未指明院校时，每所院校一行
    #[oai(path = "/list", method = "post", operation_id = "listVideoStatistics")]
    async fn list(&self, caller: Allowed<ListVideo>, Body(asked): Body<Paged<StatFilter>>) -> Result<Reply<StatTable>> {
        screen::list::<Video, _>(&caller, asked.paging()?, asked.filter, StatLevel::Course).await
    }

    /// 站点视频学习统计
    #[oai(path = "/siteList", method = "post", operation_id = "listSiteVideoStatistics")]
    async fn site_list(
        &self,
        caller: Allowed<ListVideoSite>,
        Body(asked): Body<Paged<StatFilter>>,
    ) -> Result<Reply<StatTable>> {
        screen::list::<Video, _>(&caller, asked.paging()?, asked.filter, StatLevel::Site).await
    }

    /// 视频学习统计图表
    #[oai(path = "/chart", method = "post", operation_id = "chartVideoStatistics")]
    async fn chart(
        &self,
        caller: Allowed<ListVideo>,
        Body(asked): Body<Paged<StatFilter>>,
    ) -> Result<Reply<StatCharts>> {
        screen::charts::<Video, _>(&caller, asked.filter).await
    }

    /// 视频学习统计汇总
    #[oai(path = "/summary", method = "post", operation_id = "summarizeVideoStatistics")]
    async fn summary(
        &self,
        caller: Allowed<ListVideo>,
        Body(asked): Body<Paged<StatFilter>>,
    ) -> Result<Reply<StatSummary>> {
        screen::summary::<Video, _>(&caller, asked.filter).await
    }

    /// 导出视频学习统计
    /// 导出所示层级的表，另需该层级所在列表的权限；按站点时为站点视频学习统计的权限
    #[oai(path = "/export", method = "post", operation_id = "exportVideoStatistics")]
    async fn export(
        &self,
        caller: Allowed<ExportVideo>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<StatFilter>>,
    ) -> Result<Exported> {
        screen::export::<Video, _>(&caller, asked.filter, StatLevel::Course, job.0).await
    }
}
