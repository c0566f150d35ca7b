//! 考试统计: who sat for the examinations, and how they did (part 05 A4, A5).

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
    pages "/schoolPC/statistics/examinationStatistics/list", "/platformPC/statistics/examinationStatistics/list",
          "/schoolPC/statistics/examinationStatistics/siteList", "/platformPC/statistics/examinationStatistics/siteList";
    EachSchool Reads       ListExams     = "data:pc:examinationStatistics:list" "考试统计列表";
    EachSchool Reads       ListExamSite  = "data:pc:examinationStatistics:siteList" "站点考试统计";
    EachSchool ReadsLogged ExportExams   = "data:pc:examinationStatistics:export" "导出考试统计";
}

pub const PART: Part =
    Part { permissions: &[PERMISSIONS], jobs: &[screen::export_job::<Exams>()], option_pages: PAGES, ..Part::NONE };

const SHOULD: Col = count("should", "应考", "资格为可考的考生");
const PRESENT: Col = count("present", "实考", "到考的考生");
const ABSENT: Col = count("absent", "缺考", "应到未到的考生");
const DEFERRED: Col = count("deferred", "缓考", "已批准缓考的考生");
const DISQUALIFIED: Col = count("disqualified", "取消资格", "因进度、作业、缺勤或欠费取消资格的考生");
const VIOLATION: Col = count("violation", "违纪", "认定为违纪的考生");
const CHEATING: Col = count("cheating", "作弊", "认定为作弊的考生");
const ATTEND_RATE: Col = percent("attendRate", "参考率", "实考÷应考");
const AVERAGE: Col = decimal("average", "平均分", "成绩正常且已发布或已转入的考试成绩的平均");
const DEVIATION: Col = decimal("deviation", "标准差", "考试成绩的总体标准差");
const MEDIAN: Col = decimal("median", "中位", "考试成绩的中位数");
const MOST: Col = decimal("most", "最高", "");
const FEWEST: Col = decimal("fewest", "最低", "");
const PASS_RATE: Col = percent("passRate", "及格率", "及格÷（考生－免考－缓考），缺考、作弊、取消资格计入分母");
const EXCELLENT_RATE: Col = percent("excellentRate", "优秀率", "90分以上÷及格率的分母");
const BANDS: [Col; 5] = [
    count("band0", "60以下", "正常成绩"),
    count("band1", "60–69.9", "正常成绩"),
    count("band2", "70–79.9", "正常成绩"),
    count("band3", "80–89.9", "正常成绩"),
    count("band4", "90以上", "正常成绩"),
];
const RISK: Col = count("riskHigh", "高风险", "在线监考判为高风险的考生");

const FIGURES: [Col; 21] = [
    SHOULD,
    PRESENT,
    ABSENT,
    DEFERRED,
    DISQUALIFIED,
    VIOLATION,
    CHEATING,
    ATTEND_RATE,
    AVERAGE,
    DEVIATION,
    MEDIAN,
    MOST,
    FEWEST,
    PASS_RATE,
    EXCELLENT_RATE,
    BANDS[0],
    BANDS[1],
    BANDS[2],
    BANDS[3],
    BANDS[4],
    RISK,
];

/// The figures behind words of their own.
const fn behind<const WORDS: usize, const ALL: usize>(words: [Col; WORDS]) -> [Col; ALL] {
    let mut all = [FIGURES[0]; ALL];
    let mut at = 0;
    while at < ALL {
        all[at] = if at < WORDS { words[at] } else { FIGURES[at - WORDS] };
        at += 1;
    }
    all
}

const OF_EXAM: [Col; 24] = behind([text("course", "课程"), text("mode", "方式"), text("round", "性质")]);
const OF_CLASS: [Col; 24] = behind([text("site", "站点"), text("major", "专业"), text("manager", "班主任")]);
const OF_SITE: [Col; 11] = [
    count("places", "考点数", "编排过本站点考生的考场所在站点"),
    count("sittings", "科次", "考试的场数"),
    SHOULD,
    PRESENT,
    ABSENT,
    ATTEND_RATE,
    AVERAGE,
    PASS_RATE,
    EXCELLENT_RATE,
    count("violations", "违纪作弊", "认定为违纪或作弊的考生"),
    RISK,
];
const OF_SCHOOL: [Col; 9] = [
    count("sittings", "科次", "考试的场数"),
    SHOULD,
    PRESENT,
    ABSENT,
    ATTEND_RATE,
    AVERAGE,
    PASS_RATE,
    EXCELLENT_RATE,
    count("violations", "违纪作弊", "认定为违纪或作弊的考生"),
];
const OF_STUDENT: [Col; 10] = [
    text("studentNo", "学号"),
    text("grade", "年级"),
    text("major", "专业"),
    text("site", "站点"),
    text("class", "班级"),
    text("exam", "考试"),
    text("eligibility", "资格"),
    text("attendance", "到考"),
    decimal("score", "成绩", "已发布或已转入的考试成绩"),
    text("mark", "成绩标记"),
];

/// The screen.
pub(crate) struct Exams;

/// What a group of candidates has come to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sat {
    pub key: i64,
    pub sittings: i64,
    pub enrolled: i64,
    pub should: i64,
    pub present: i64,
    pub absent: i64,
    pub deferred: i64,
    pub exempt: i64,
    pub disqualified: i64,
    pub cheating: i64,
    pub violation: i64,
    pub scored: i64,
    /// In order.
    pub scores: Vec<i32>,
    pub score_sum: i64,
    pub score_sq_sum: i64,
    pub passed: i64,
    pub excellent: i64,
    pub risk_high: i64,
}

impl Sat {
    /// Of whom the pass rate is told: absent, cheating and disqualified stay in it.
    const fn whole(&self) -> i64 {
        self.enrolled - self.exempt - self.deferred
    }

    fn cells(&self, least: Option<i64>) -> Vec<StatCell> {
        let tenths = |score: Option<&i32>| cell::number(score.and_then(|score| rates::mean(i64::from(*score), 1)));
        let mut cells = vec![
            cell::count(self.should),
            cell::count(self.present),
            cell::count(self.absent),
            cell::count(self.deferred),
            cell::count(self.disqualified),
            cell::count(self.violation),
            cell::count(self.cheating),
            cell::percent(self.present, self.should),
            told(self.scored, least, cell::mean(self.score_sum, self.scored)),
            told(self.scored, least, cell::number(rates::deviation(self.scored, self.score_sum, self.score_sq_sum))),
            told(self.scored, least, cell::number(rates::median(&self.scores))),
            told(self.scored, least, tenths(self.scores.last())),
            told(self.scored, least, tenths(self.scores.first())),
            told(self.whole(), least, cell::percent(self.passed, self.whole())),
            told(self.whole(), least, cell::percent(self.excellent, self.whole())),
        ];
        cells.extend(rates::bands(&self.scores).map(cell::count));
        cells.push(cell::count(self.risk_high));
        cells
    }

    /// Of a site or a school, from the examinations on.
    fn short(&self, least: Option<i64>) -> Vec<StatCell> {
        vec![
            cell::count(self.sittings),
            cell::count(self.should),
            cell::count(self.present),
            cell::count(self.absent),
            cell::percent(self.present, self.should),
            told(self.scored, least, cell::mean(self.score_sum, self.scored)),
            told(self.whole(), least, cell::percent(self.passed, self.whole())),
            told(self.whole(), least, cell::percent(self.excellent, self.whole())),
            cell::count(self.violation + self.cheating),
        ]
    }
}

impl Screen for Exams {
    const TITLE: &'static str = "考试统计";
    const JOB: &'static str = "stat_exam.export";
    const EXPORT: &'static str = "data:pc:examinationStatistics:export";
    const LIST: &'static str = "data:pc:examinationStatistics:list";
    const SITES: &'static str = "data:pc:examinationStatistics:siteList";
    const LEVELS: &'static [StatLevel] = &[
        StatLevel::Exam,
        StatLevel::Course,
        StatLevel::Class,
        StatLevel::Teacher,
        StatLevel::Site,
        StatLevel::Student,
    ];

    fn columns(level: StatLevel) -> &'static [Col] {
        match level {
            StatLevel::Exam => &OF_EXAM,
            StatLevel::Class => &OF_CLASS,
            StatLevel::Site => &OF_SITE,
            StatLevel::Student => &OF_STUDENT,
            _ => &FIGURES,
        }
    }

    fn school_columns() -> &'static [Col] {
        &OF_SCHOOL
    }

    fn of_school(sums: &Published, least: i64) -> Vec<StatCell> {
        let sat = Sat {
            key: sums.school_id,
            sittings: sums.exams,
            enrolled: sums.enrolled,
            should: sums.should,
            present: sums.present,
            absent: sums.absent,
            deferred: sums.deferred,
            exempt: sums.exempt,
            disqualified: sums.disqualified,
            cheating: sums.cheating,
            violation: sums.violation,
            scored: sums.scored,
            scores: Vec::new(),
            score_sum: sums.score_sum,
            score_sq_sum: 0,
            passed: sums.passed,
            excellent: sums.excellent,
            risk_high: sums.risk_high,
        };
        sat.short(Some(least))
    }

    async fn found(connection: &mut PgConnection, asked: &Asked, slice: Slice, _as_of: AsOf) -> Result<Found> {
        match asked.level {
            StatLevel::Student => rows::of_students(connection, asked, slice).await,
            StatLevel::Class => rows::of_classes(connection, asked, slice).await,
            StatLevel::Site => rows::of_sites(connection, asked, slice).await,
            StatLevel::Course | StatLevel::Teacher => rows::of_named(connection, asked, slice).await,
            _ => rows::of_exams(connection, asked, slice).await,
        }
    }

    async fn cards(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<StatCard>> {
        let all = rows::total(connection, asked).await?;
        Ok(vec![
            count_card("should", "应考", all.should, "人次", SHOULD.help),
            count_card("present", "实考", all.present, "人次", PRESENT.help),
            card("attendRate", "参考率", rates::percent(all.present, all.should), "%", ATTEND_RATE.help),
            card(
                "average",
                "平均分",
                asked.tells(all.scored, rates::mean(all.score_sum, all.scored)),
                "分",
                AVERAGE.help,
            ),
            card(
                "passRate",
                "及格率",
                asked.tells(all.whole(), rates::percent(all.passed, all.whole())),
                "%",
                PASS_RATE.help,
            ),
            card(
                "excellentRate",
                "优秀率",
                asked.tells(all.whole(), rates::percent(all.excellent, all.whole())),
                "%",
                EXCELLENT_RATE.help,
            ),
            count_card("violations", "违纪作弊", all.violation + all.cheating, "人次", "认定为违纪或作弊的考生"),
        ])
    }

    async fn charts(connection: &mut PgConnection, asked: &Asked, _as_of: AsOf) -> Result<Vec<StatChart>> {
        let all = rows::total(connection, asked).await?;
        let spread = BANDS.iter().zip(rates::bands(&all.scores)).map(|(band, number)| counted(band.title, number));
        let of_pass = |sat: &Sat| asked.tells(sat.whole(), rates::percent(sat.passed, sat.whole()));
        let courses = rows::named(connection, asked, StatLevel::Course).await?;
        let by_course = courses.iter().filter_map(|(name, sat)| point(name.clone(), of_pass(sat)));
        let sites = rows::named(connection, asked, StatLevel::Site).await?;
        let by_site = sites.iter().filter_map(|(name, sat)| point(name.clone(), of_pass(sat)));
        let batches = rows::batches(connection, asked).await?;
        let by_batch = batches.iter().filter_map(|(name, passed, whole)| {
            point(name.clone(), asked.tells(*whole, rates::percent(*passed, *whole)))
        });
        let classes = rows::named(connection, asked, StatLevel::Class).await?;
        let boxes: Vec<(&str, [f64; 5])> = classes
            .iter()
            .filter(|(_, sat)| asked.least.is_none_or(|least| sat.scored >= least))
            .filter_map(|(name, sat)| Some((name.as_str(), rates::quartiles(&sat.scores)?)))
            .take(20)
            .collect();
        let line = |at: usize| boxes.iter().filter_map(|(name, five)| point(*name, five.get(at).copied())).collect();
        Ok(vec![
            chart("scores", "分数段", (StatChartKind::Bar, "人"), vec![("人数", spread.collect())]),
            chart(
                "classes",
                "班级成绩分布",
                (StatChartKind::Line, "分"),
                vec![
                    ("最低", line(0)),
                    ("下四分位", line(1)),
                    ("中位", line(2)),
                    ("上四分位", line(3)),
                    ("最高", line(4)),
                ],
            ),
            chart("courses", "课程及格率", (StatChartKind::Bar, "%"), vec![("及格率", by_course.take(20).collect())]),
            chart("sites", "站点及格率", (StatChartKind::Bar, "%"), vec![("及格率", by_site.collect())]),
            chart("batches", "各批次及格率", (StatChartKind::Line, "%"), vec![("及格率", by_batch.collect())]),
        ])
    }
}

pub struct ExamStatistics;

#[OpenApi(prefix_path = "/data/pc/examinationStatistics", tag = "crate::Tag::Statistics")]
impl ExamStatistics {
    /// 考试统计列表
    /// 平台端未指明院校时，每所院校一行
    #[oai(path = "/list", method = "post", operation_id = "listExamStatistics")]
    async fn list(&self, caller: Allowed<ListExams>, Body(asked): Body<Paged<StatFilter>>) -> Result<Reply<StatTable>> {
        screen::list::<Exams, _>(&caller, asked.paging()?, asked.filter, StatLevel::Exam).await
    }

    /// 站点考试统计
    #[oai(path = "/siteList", method = "post", operation_id = "listSiteExamStatistics")]
    async fn site_list(
        &self,
        caller: Allowed<ListExamSite>,
        Body(asked): Body<Paged<StatFilter>>,
    ) -> Result<Reply<StatTable>> {
        screen::list::<Exams, _>(&caller, asked.paging()?, asked.filter, StatLevel::Site).await
    }

    /// 考试统计图表
    #[oai(path = "/chart", method = "post", operation_id = "chartExamStatistics")]
    async fn chart(
        &self,
        caller: Allowed<ListExams>,
        Body(asked): Body<Paged<StatFilter>>,
    ) -> Result<Reply<StatCharts>> {
        screen::charts::<Exams, _>(&caller, asked.filter).await
    }

    /// 考试统计汇总
    #[oai(path = "/summary", method = "post", operation_id = "summarizeExamStatistics")]
    async fn summary(
        &self,
        caller: Allowed<ListExams>,
        Body(asked): Body<Paged<StatFilter>>,
    ) -> Result<Reply<StatSummary>> {
        screen::summary::<Exams, _>(&caller, asked.filter).await
    }

    /// 导出考试统计
    /// 导出所示层级的表，另需该层级所在列表的权限；按站点时为站点考试统计的权限
    #[oai(path = "/export", method = "post", operation_id = "exportExamStatistics")]
    async fn export(
        &self,
        caller: Allowed<ExportExams>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<StatFilter>>,
    ) -> Result<Exported> {
        screen::export::<Exams, _>(&caller, asked.filter, StatLevel::Exam, job.0).await
    }
}
