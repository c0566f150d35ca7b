//! 综合统计: the reports of a school (part 05 A6). What goes on is told from the sums, what a register was from its history; a report of
//! the past is the same whenever it is asked for.

mod graduate;
mod overview;
mod recruit;
mod score;
mod status;
mod teaching;
mod yearly;

use std::collections::HashMap;

use chrono::{Datelike, NaiveDate};
use futures_util::{FutureExt, future::BoxFuture};
use infra::{
    Allowed, App, Body, Error, Paged, Part, Reply, Result, Scope,
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    permissions, reply,
    token::Area,
    transfer::Exported,
};
use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{ParseFromJSON, ToJSON},
};
use serde_json::json;
use sqlx::PgConnection;
use statistics_rules::enums::{ReportDimension, StatColumnKind, StatReport};
use student_status::enums::StudyForm;

use crate::{
    file,
    filter::{Slice, shows_nothing_whole},
    schools,
    screen::least_of,
    table::{AsOf, Col, Found, StatCard, StatCell, StatChart, StatCharts, StatRow, StatSummary, StatTable, card},
    watch,
};

permissions! {
    pages "/schoolPC/statistics/list", "/platformPC/statistics/list";
    EachSchool Reads       ListReports   = "data:pc:statistics:list" "综合统计列表";
    EachSchool ReadsLogged ExportReports = "data:pc:statistics:export" "导出综合统计";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[EXPORT], option_pages: PAGES, ..Part::NONE };

const CODE: &str = "data:pc:statistics:export";
const EXPORT: JobKind =
    JobKind { kind: "stat_report.export", code: Some(CODE), run: |run| Box::pin(run_export(run)), headings: None };

/// What a report is asked for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ReportFilter {
    /// 统计报表
    pub report: Option<StatReport>,
    /// 维度
    /// 不填时为合计一行；概况和年报表没有维度
    pub dimension: Option<ReportDimension>,
    /// 统计日期
    /// 概况、学籍统计；不填时为今日
    pub date: Option<NaiveDate>,
    /// 学期
    /// 教学统计、成绩统计；不填时为当前学期
    pub semester_id: Option<i64>,
    /// 课程
    /// 成绩统计
    pub course_id: Option<i64>,
    /// 年级
    /// 招生统计、毕业统计；招生统计不填时为最新年级
    pub grade_id: Option<i64>,
    /// 预报名批次
    /// 招生统计，只限预报名和网报
    pub pre_registration_batch_id: Option<i64>,
    /// 毕业批次
    /// 毕业统计；批次和年级都不填时为最近的批次
    pub graduation_batch_id: Option<i64>,
    /// 年度
    /// 年报表；不填时为本年
    #[oai(validator(minimum(value = "1980"), maximum(value = "2100")))]
    pub year: Option<i32>,
    /// 站点
    pub site_id: Option<i64>,
}

/// A filter, ready for the statements.
#[derive(Debug, Clone)]
struct Wanted {
    report: StatReport,
    dimension: Option<ReportDimension>,
    today: NaiveDate,
    day: NaiveDate,
    semester: i64,
    course: Option<i64>,
    grade: Option<i64>,
    pre_batch: Option<i64>,
    graduation_batch: Option<i64>,
    year: i32,
    site: Option<i64>,
    scope: Scope,
    /// Of fewer people no mean is told; none where the school looks at itself.
    least: Option<i64>,
}

impl Wanted {
    /// # Errors
    /// 422 without a report, or at a day that is to come.
    async fn of(
        connection: &mut PgConnection,
        filter: &ReportFilter,
        (scope, area): (&Scope, Area),
        today: NaiveDate,
    ) -> Result<Self> {
        let report = filter.report.ok_or_else(unnamed)?;
        let day = filter.date.unwrap_or(today);
        if day > today {
            return Err(Error::field("date", "统计日期不能晚于今日"));
        }
        let semester = match filter.semester_id {
            Some(id) => id,
            None => sqlx::query_scalar!("select id from semester where current")
                .fetch_optional(&mut *connection)
                .await?
                .unwrap_or_default(),
        };
        let (mut grade, mut graduation_batch) = (filter.grade_id, filter.graduation_batch_id);
        if report == StatReport::Recruit && grade.is_none() {
            grade = sqlx::query_scalar!(
                "select id from grade order by entry_year desc, (entry_season = 'autumn') desc, id limit 1"
            )
            .fetch_optional(&mut *connection)
            .await?;
        }
        if report == StatReport::Graduate && grade.is_none() && graduation_batch.is_none() {
            graduation_batch = sqlx::query_scalar!(
                "select id from graduation_batch where status <> 'draft' order by graduates_on desc nulls last, id desc limit 1"
            )
            .fetch_optional(&mut *connection)
            .await?;
        }
        let whole = matches!(report, StatReport::Overview | StatReport::Yearly);
        Ok(Self {
            report,
            dimension: filter.dimension.filter(|_| !whole),
            today,
            day,
            semester,
            course: filter.course_id,
            grade,
            pre_batch: filter.pre_registration_batch_id,
            graduation_batch,
            year: filter.year.unwrap_or_else(|| today.year()),
            site: filter.site_id,
            scope: scope.clone(),
            least: least_of(connection, area).await?,
        })
    }

    /// By what the statements group.
    fn key(&self) -> &'static str {
        self.dimension.map_or("", ReportDimension::as_str)
    }

    fn sites(&self) -> Option<&[i64]> {
        self.scope.sites()
    }

    fn classes(&self) -> Option<&[i64]> {
        self.scope.classes()
    }

    /// Whether the figures are of the whole school.
    fn is_whole(&self) -> bool {
        self.scope.is_whole() && self.site.is_none() && self.dimension.is_none()
    }

    fn name_title(&self) -> &'static str {
        match (self.report, self.dimension) {
            (StatReport::Overview, _) => "指标",
            (StatReport::Yearly, _) => "层次",
            (_, Some(dimension)) => dimension.zh(),
            (_, None) => "范围",
        }
    }
}

fn unnamed() -> Error {
    Error::field("report", "请选择统计报表")
}

const fn columns(report: StatReport) -> &'static [Col] {
    match report {
        StatReport::Overview => &overview::COLUMNS,
        StatReport::Recruit => &recruit::COLUMNS,
        StatReport::Status => &status::COLUMNS,
        StatReport::Teaching => &teaching::COLUMNS,
        StatReport::Score => &score::COLUMNS,
        StatReport::Graduate => &graduate::COLUMNS,
        StatReport::Yearly => &yearly::COLUMNS,
    }
}

/// All rows of a report: there are as many as units of a kind, or majors.
fn found<'a>(connection: &'a mut PgConnection, wanted: &'a Wanted) -> BoxFuture<'a, Result<Found>> {
    async move {
        match wanted.report {
            StatReport::Overview => overview::found(connection, wanted).await,
            StatReport::Recruit => recruit::found(connection, wanted).await,
            StatReport::Status => status::found(connection, wanted).await,
            StatReport::Teaching => teaching::found(connection, wanted).await,
            StatReport::Score => score::found(connection, wanted).await,
            StatReport::Graduate => graduate::found(connection, wanted).await,
            StatReport::Yearly => yearly::found(connection, wanted).await,
        }
    }
    .boxed()
}

fn charts<'a>(
    app: &'a App,
    connection: &'a mut PgConnection,
    wanted: &'a Wanted,
) -> BoxFuture<'a, Result<Vec<StatChart>>> {
    async move {
        match wanted.report {
            StatReport::Overview => overview::charts(connection, wanted).await,
            StatReport::Recruit => recruit::charts(app, connection, wanted).await,
            StatReport::Status => status::charts(connection, wanted).await,
            StatReport::Teaching => teaching::charts(connection, wanted).await,
            StatReport::Score => score::charts(connection, wanted).await,
            StatReport::Graduate => graduate::charts(connection, wanted).await,
            StatReport::Yearly => yearly::charts(connection, wanted).await,
        }
    }
    .boxed()
}

/// The groups of a dimension, in their order: their key, number and name. Without a dimension there is one.
async fn names(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<(String, i64, String)>> {
    let Some(dimension) = wanted.dimension else {
        let all = if wanted.is_whole() { "全校" } else { "所选范围" };
        return Ok(vec![(String::new(), 1, all.to_owned())]);
    };
    if dimension == ReportDimension::StudyForm {
        let forms = StudyForm::CHOICES.iter().zip(1..);
        return Ok(forms.map(|((zh, form), place)| (form.as_str().to_owned(), place, (*zh).to_owned())).collect());
    }
    let rows = sqlx::query!(
        r#"select k.id as "id!", k.name as "name!"
           from (select id, name, code as place from site where $1::text = 'site'
                 union all
                 select m.id, m.name || '（' || l.name || '）', l.code || ' ' || m.code
                 from major m join level l on l.id = m.level_id where $1::text = 'major'
                 union all
                 select id, name, code from level where $1::text = 'level'
                 union all
                 select id, name, code from grade where $1::text = 'grade') k
           order by k.place, k.id"#,
        dimension.as_str()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id.to_string(), row.id, row.name)).collect())
}

/// Figures by the keys of their groups.
type Groups<F> = HashMap<String, F>;

/// The rows of groups that have figures, in the order of the dimension; what belongs to none comes last.
fn table<F>(
    names: Vec<(String, i64, String)>,
    mut groups: Groups<F>,
    cells: impl Fn(&F) -> Vec<StatCell>,
    total: Option<Vec<StatCell>>,
) -> Found {
    let mut rows = Vec::with_capacity(groups.len());
    for (key, id, name) in names {
        if let Some(figures) = groups.remove(&key) {
            rows.push(StatRow::new(id, name, cells(&figures)));
        }
    }
    rows.extend(groups.values().map(|figures| StatRow::new(0, "未分配", cells(figures))));
    let total = total.filter(|_| !rows.is_empty()).map(StatRow::total);
    Found { total_count: i64::try_from(rows.len()).unwrap_or(i64::MAX), rows, total }
}

/// The cards of a report: the figures of its 合计, or of its one row.
fn cards(report: StatReport, found: &Found) -> Vec<StatCard> {
    let Some(row) = found.total.as_ref().or(found.rows.first()) else {
        return Vec::new();
    };
    columns(report)
        .iter()
        .zip(&row.cells)
        .filter(|(column, _)| column.kind != StatColumnKind::Text)
        .map(|(column, cell)| {
            let unit = if column.kind == StatColumnKind::Percent { "%" } else { "" };
            card(column.key, column.title, cell.number, unit, column.help)
        })
        .collect()
}

pub struct Reports;

#[OpenApi(prefix_path = "/data/pc/statistics", tag = "crate::Tag::Statistics")]
impl Reports {
    /// 综合统计列表
    /// 平台端未指明院校时，概况和学籍统计每所院校一行
    #[oai(path = "/list", method = "post", operation_id = "listStatReport")]
    async fn list(
        &self,
        caller: Allowed<ListReports>,
        Body(asked): Body<Paged<ReportFilter>>,
    ) -> Result<Reply<StatTable>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let Some(school) = caller.school_id() else {
            return Ok(reply(overview::schools(&caller, &filter).await?.page(paging)));
        };
        let as_of = watch::as_of(caller.app(), school).await?;
        let mut tx = caller.read().await?;
        let wanted =
            Wanted::of(&mut tx, &filter, (&caller.scope(), caller.session.area), caller.app().clock().today()).await?;
        let found = found(&mut tx, &wanted).await?;
        let found = Found { rows: Slice::from(paging).of(found.rows), ..found };
        Ok(reply(StatTable::of(wanted.name_title(), columns(wanted.report), found, paging, as_of)))
    }

    /// 综合统计图表
    #[oai(path = "/chart", method = "post", operation_id = "chartStatReport")]
    async fn chart(
        &self,
        caller: Allowed<ListReports>,
        Body(asked): Body<Paged<ReportFilter>>,
    ) -> Result<Reply<StatCharts>> {
        asked.filter.report.ok_or_else(unnamed)?;
        let school = schools::one(caller.caller())?;
        let as_of = watch::as_of(caller.app(), school.id).await?;
        let mut tx = caller.read().await?;
        let wanted =
            Wanted::of(&mut tx, &asked.filter, (&caller.scope(), caller.session.area), caller.app().clock().today())
                .await?;
        let charts = charts(caller.app(), &mut tx, &wanted).await?;
        Ok(reply(StatCharts { computed_at: as_of.computed_at, data_until: as_of.data_until, charts }))
    }

    /// 综合统计汇总
    #[oai(path = "/summary", method = "post", operation_id = "summarizeStatReport")]
    async fn summary(
        &self,
        caller: Allowed<ListReports>,
        Body(asked): Body<Paged<ReportFilter>>,
    ) -> Result<Reply<StatSummary>> {
        asked.filter.report.ok_or_else(unnamed)?;
        let school = schools::one(caller.caller())?;
        let as_of = watch::as_of(caller.app(), school.id).await?;
        let mut tx = caller.read().await?;
        let wanted =
            Wanted::of(&mut tx, &asked.filter, (&caller.scope(), caller.session.area), caller.app().clock().today())
                .await?;
        let cards = match wanted.report {
            StatReport::Overview => overview::cards(&mut tx, &wanted).await?,
            report => {
                // Of groups the cards tell what all have come to.
                let all = Wanted { dimension: None, ..wanted };
                cards(report, &found(&mut tx, &all).await?)
            }
        };
        Ok(reply(StatSummary { computed_at: as_of.computed_at, data_until: as_of.data_until, cards }))
    }

    /// 导出综合统计
    #[oai(path = "/export", method = "post", operation_id = "exportStatReport")]
    async fn export(
        &self,
        caller: Allowed<ExportReports>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ReportFilter>>,
    ) -> Result<Exported> {
        let filter = asked.filter;
        let report = filter.report.ok_or_else(unnamed)?;
        let Some(school) = caller.school.clone() else {
            let day = filter.date.unwrap_or_else(|| caller.app().clock().today());
            let said = [("统计日期", day.to_string())];
            return overview::schools(&caller, &filter).await?.file(&caller, report.zh(), &said).await;
        };
        shows_nothing_whole(caller.caller())?;
        if job.0 == Some(true) {
            let job = NewJob {
                kind: EXPORT.kind,
                target: caller.user_id().to_string(),
                title: format!("导出{}", report.zh()),
                params: json!({ "filter": filter.to_json(), "platform": caller.session.area == Area::Platform }),
            };
            return Ok(Exported::Job(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? })));
        }
        let app = caller.app();
        let _place = app.export_place()?;
        let as_of = watch::as_of(app, school.id).await?;
        let mut tx = caller.read_long().await?;
        let wanted = Wanted::of(&mut tx, &filter, (&caller.scope(), caller.session.area), app.clock().today()).await?;
        let (file, rows) = written(app, &mut tx, &wanted, as_of).await?;
        caller.note("export", json!({ "rows": rows, "plain": false }));
        Ok(Exported::File(file))
    }
}

async fn written(
    app: &App,
    connection: &mut PgConnection,
    wanted: &Wanted,
    as_of: AsOf,
) -> Result<(infra::transfer::Attachment, i64)> {
    let found = found(&mut *connection, wanted).await?;
    let said = said(connection, wanted).await?;
    let table = (wanted.name_title(), columns(wanted.report));
    file::written(app, wanted.report.zh(), &said, table, (&found, as_of)).await
}

/// What is asked for, in words; a site outside the scope has no name there.
async fn said(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<(&'static str, String)>> {
    let named = sqlx::query!(
        r#"select (select name from semester where id = $1) as semester, (select name from course where id = $2) as course,
                  (select name from grade where id = $3) as grade,
                  (select name from pre_registration_batch where id = $4) as pre_batch,
                  (select name from graduation_batch where id = $5) as graduation_batch,
                  (select i.name from site i
                   where i.id = $6
                     and ($7::bigint[] is null or i.id = any($7)
                          or exists (select from class k where k.site_id = i.id and k.id = any($8::bigint[])))) as site"#,
        wanted.semester,
        wanted.course,
        wanted.grade,
        wanted.pre_batch,
        wanted.graduation_batch,
        wanted.site,
        wanted.sites(),
        wanted.classes()
    )
    .fetch_one(connection)
    .await?;
    let of = |reports: &[StatReport]| reports.contains(&wanted.report);
    let told = [
        ("统计日期", of(&[StatReport::Overview, StatReport::Status]).then(|| wanted.day.to_string())),
        ("学期", named.semester.filter(|_| of(&[StatReport::Overview, StatReport::Teaching, StatReport::Score]))),
        ("课程", named.course.filter(|_| of(&[StatReport::Score]))),
        ("年级", named.grade.filter(|_| of(&[StatReport::Recruit, StatReport::Graduate]))),
        ("预报名批次", named.pre_batch.filter(|_| of(&[StatReport::Recruit]))),
        ("毕业批次", named.graduation_batch.filter(|_| of(&[StatReport::Graduate]))),
        ("年度", of(&[StatReport::Yearly]).then(|| wanted.year.to_string())),
        ("站点", named.site),
        ("维度", wanted.dimension.map(|dimension| dimension.zh().to_owned())),
    ];
    Ok(told.into_iter().filter_map(|(what, value)| Some((what, value?))).collect())
}

async fn run_export(run: JobRun) -> Result<Outcome> {
    let app = run.app();
    let school = run.school.clone().ok_or_else(Error::not_found)?;
    let filter = ReportFilter::parse_from_json(Some(run.params["filter"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let scope = run.scope(CODE).await?;
    let as_of = watch::as_of(app, school.id).await?;
    let mut tx = run.read().await?;
    let area = if run.params["platform"] == true { Area::Platform } else { Area::School };
    let wanted = Wanted::of(&mut tx, &filter, (&scope, area), app.clock().today()).await?;
    let (file, rows) = written(app, &mut tx, &wanted, as_of).await?;
    let kept = file.keep(app, Some(school.id), run.actor.id).await?;
    Ok(Outcome { message: format!("共导出{rows}行"), result_file: Some(kept), ..Outcome::default() })
}
