//! 来源统计: where visitors of the public pages came from, and what became of them (part 05 A1, A5). A school's visits stand in its schema,
//! those of the operators' own site in `platform`; over schools each publishes its days.

use chrono::{Days, NaiveDate};
use infra::{
    Allowed, App, Body, Error, Paged, Part, Reply, Result, Scope,
    access::Caller,
    clock::{day_began, day_ended},
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    permissions, reply,
    transfer::Exported,
};
use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{ParseFromJSON, ToJSON},
};
use serde_json::json;
use sqlx::PgConnection;
use statistics_rules::enums::{SourceTab, StatChartKind, VisitPage, VisitTerminal};

use crate::{
    file,
    filter::{Slice, shows_nothing_whole},
    roll_up::visits::KEPT_DAYS,
    schools,
    table::{AsOf, Col, Found, StatCell, StatCharts, StatRow, StatTable, cell, chart, count, counted, percent, text},
    watch,
    words::{CHANNELS, Word, label, words},
};

permissions! {
    pages "/schoolPC/webStieManage/fromStatistics", "/platformPC/webStieManage/fromStatistics";
    HomeOrNamed Reads       ListSources   = "data:pc:fromStatistics:list" "来源统计列表";
    HomeOrNamed ReadsLogged ExportSources = "data:pc:fromStatistics:export" "导出来源统计";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[EXPORT], option_pages: PAGES, ..Part::NONE };

const CODE: &str = "data:pc:fromStatistics:export";
const TITLE: &str = "来源统计";
const EXPORT: JobKind =
    JobKind { kind: "visit.export", code: Some(CODE), run: |run| Box::pin(run_export(run)), headings: None };

/// Days that are shown where none are asked for, and at the most.
const USUAL_DAYS: u64 = 30;
const MOST_DAYS: i64 = 366;
/// Who came without a link.
const NO_CHANNEL: &str = "直接访问或其他网站";

const PV: Col = count("pv", "浏览量", "打开页面的次数");
const UV: Col = count("uv", "访客数", "期间不同的浏览器；40天以前的按天去重后相加");
const PRE: Col = count("preRegistrations", "预报名", "访问后30天内提交的预报名，按提交日计；已删除的不计");
const ADMITTED: Col = count("admissions", "录取", "其中已录取的");
const REPORTED: Col = count("registrations", "报到", "其中已报到的");
const RATE: Col = percent("rate", "转化率", "预报名÷访客数");
const LEARNERS: Col = count("learners", "注册学员", "访问后注册的学员，平台官网");

const OF_SOURCE: [Col; 9] =
    [text("link", "推广链接"), text("terminal", "终端"), PV, UV, PRE, ADMITTED, REPORTED, RATE, LEARNERS];
const OF_DOMAIN: [Col; 7] = [PV, UV, PRE, ADMITTED, REPORTED, RATE, LEARNERS];
const OF_SCHOOL: [Col; 7] = [PV, count("uv", "访客数", "每日访客数之和"), PRE, ADMITTED, REPORTED, RATE, LEARNERS];

/// What sources are asked for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SourceFilter {
    /// 页签
    /// 不填时按来源
    pub tab: Option<SourceTab>,
    /// 日期起
    /// 不填时为最近30天
    pub from: Option<NaiveDate>,
    /// 日期止
    pub to: Option<NaiveDate>,
    /// 来源渠道
    #[oai(validator(max_length = 50))]
    pub channel: Option<String>,
    /// 推广链接
    pub link_id: Option<i64>,
    /// 终端
    pub terminal: Option<VisitTerminal>,
    /// 页面
    pub page: Option<VisitPage>,
    /// 平台官网
    /// 平台端未指明院校时，只看平台官网
    pub own: Option<bool>,
}

/// A filter, ready for the statements.
struct Wanted {
    tab: SourceTab,
    first: NaiveDate,
    last: NaiveDate,
    /// From here on single visits are kept.
    kept: NaiveDate,
    channel: Option<String>,
    link_id: Option<i64>,
    terminal: Option<&'static str>,
    page: Option<&'static str>,
    scope: Scope,
}

impl SourceFilter {
    /// # Errors
    /// 422 when the span is longer than 366 days, or ends before it begins.
    fn wanted(&self, scope: &Scope, today: NaiveDate) -> Result<Wanted> {
        let last = self.to.unwrap_or(today);
        let first = self.from.unwrap_or_else(|| last.checked_sub_days(Days::new(USUAL_DAYS - 1)).unwrap_or(last));
        let days = (last - first).num_days() + 1;
        if days < 1 {
            return Err(Error::field("to", "结束日期不能早于开始日期"));
        }
        if days > MOST_DAYS {
            return Err(Error::field("from", "时间跨度不能超过366天"));
        }
        Ok(Wanted {
            tab: self.tab.unwrap_or(SourceTab::Source),
            first,
            last,
            kept: today.checked_sub_days(Days::new(KEPT_DAYS - 1)).unwrap_or(today),
            channel: self.channel.clone().filter(|channel| !channel.is_empty()),
            link_id: self.link_id,
            terminal: self.terminal.map(VisitTerminal::as_str),
            page: self.page.map(VisitPage::as_str),
            scope: scope.clone(),
        })
    }
}

/// By what visits are summed.
#[derive(Debug, Clone, Copy)]
enum By {
    /// Channel, link and terminal.
    Source,
    Channel,
    Domain,
    Day,
    All,
}

impl By {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Channel => "channel",
            Self::Domain => "domain",
            Self::Day => "day",
            Self::All => "all",
        }
    }
}

/// What a group of visits has come to.
#[derive(Debug, Clone, Default)]
struct Visited {
    name: String,
    link_id: i64,
    terminal: String,
    pv: i64,
    uv: i64,
    pre_registrations: i64,
    admissions: i64,
    registrations: i64,
    learners: i64,
}

impl Visited {
    fn cells(&self) -> Vec<StatCell> {
        vec![
            cell::count(self.pv),
            cell::count(self.uv),
            cell::count(self.pre_registrations),
            cell::count(self.admissions),
            cell::count(self.registrations),
            cell::percent(self.pre_registrations, self.uv),
            cell::count(self.learners),
        ]
    }

    /// The row of a source: whose link and which terminal stand before the figures.
    fn of_source(&self, link: Option<String>) -> Vec<StatCell> {
        let terminal = VisitTerminal::parse(&self.terminal).map(|terminal| terminal.zh().to_owned());
        [cell::text(link), cell::text(terminal)].into_iter().chain(self.cells()).collect()
    }

    fn add(&mut self, other: &Self) {
        self.pv += other.pv;
        self.uv += other.uv;
        self.pre_registrations += other.pre_registrations;
        self.admissions += other.admissions;
        self.registrations += other.registrations;
        self.learners += other.learners;
    }
}

/// Sums visits: of the days that are kept one by one different visitors, of older ones those of each day. The same in a school and
/// in `platform`.
async fn groups(connection: &mut PgConnection, wanted: &Wanted, by: By) -> Result<Vec<Visited>> {
    Ok(sqlx::query_as!(
        Visited,
        r#"with days as (
               select case $9::text when 'source' then d.channel when 'channel' then d.channel
                                    when 'domain' then d.referrer_domain when 'day' then d.date::text else '' end as name,
                      case $9::text when 'source' then d.link_id else 0 end as link_id,
                      case $9::text when 'source' then d.terminal else '' end as terminal,
                      sum(d.pv)::bigint as pv, coalesce(sum(d.uv) filter (where d.date < $8), 0)::bigint as old_uv,
                      sum(d.pre_registrations)::bigint as pre_registrations, sum(d.admissions)::bigint as admissions,
                      sum(d.registrations)::bigint as registrations, sum(d.learners)::bigint as learners
               from visit_day d
               where d.date between $1 and $2
                 and ($3::text is null or d.channel = $3) and ($4::bigint is null or d.link_id = $4)
                 and ($5::text is null or d.terminal = $5) and ($6::text is null or d.page = $6)
                 and ($7::bigint[] is null or d.link_id in (select l.id from promotion_link l where l.site_id = any($7)))
               group by 1, 2, 3
           ), people as (
               select case $9::text when 'source' then v.channel when 'channel' then v.channel
                                    when 'domain' then v.referrer_domain
                                    when 'day' then ((v.at at time zone 'Asia/Shanghai')::date)::text else '' end as name,
                      case $9::text when 'source' then v.link_id else 0 end as link_id,
                      case $9::text when 'source' then v.terminal else '' end as terminal,
                      count(distinct v.visitor_key) as uv
               from visit v
               where v.at >= $10::timestamptz and v.at < $11::timestamptz
                 and ($3::text is null or v.channel = $3) and ($4::bigint is null or v.link_id = $4)
                 and ($5::text is null or v.terminal = $5) and ($6::text is null or v.page = $6)
                 and ($7::bigint[] is null or v.link_id in (select l.id from promotion_link l where l.site_id = any($7)))
               group by 1, 2, 3
           )
           select d.name as "name!", d.link_id as "link_id!", d.terminal as "terminal!", d.pv as "pv!",
                  d.old_uv + coalesce(p.uv, 0) as "uv!", d.pre_registrations as "pre_registrations!",
                  d.admissions as "admissions!", d.registrations as "registrations!", d.learners as "learners!"
           from days d left join people p on p.name = d.name and p.link_id = d.link_id and p.terminal = d.terminal
           order by case $9::text when 'day' then d.name end, d.pv desc, d.name, d.link_id, d.terminal"#,
        wanted.first,
        wanted.last,
        wanted.channel,
        wanted.link_id,
        wanted.terminal,
        wanted.page,
        wanted.scope.sites(),
        wanted.kept,
        by.as_str(),
        day_began(wanted.first.max(wanted.kept)) as _,
        day_ended(wanted.last) as _
    )
    .fetch_all(connection)
    .await?)
}

/// What links are called.
async fn links(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<(i64, String)>> {
    let rows =
        sqlx::query!("select id, name from promotion_link where id = any($1)", ids).fetch_all(connection).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.name)).collect())
}

fn channel(words: &[Word], value: &str) -> String {
    if value.is_empty() { NO_CHANNEL.to_owned() } else { label(words, value) }
}

const fn columns(tab: SourceTab) -> (&'static str, &'static [Col]) {
    match tab {
        SourceTab::Source => ("来源渠道", &OF_SOURCE),
        SourceTab::Domain => ("来路域名", &OF_DOMAIN),
    }
}

/// The rows of one site: a school's, or the operators' own.
async fn found(connection: &mut PgConnection, wanted: &Wanted, words: &[Word], slice: Slice) -> Result<Found> {
    let by = if wanted.tab == SourceTab::Domain { By::Domain } else { By::Source };
    let summed = groups(&mut *connection, wanted, by).await?;
    let total_count = i64::try_from(summed.len()).unwrap_or(i64::MAX);
    let all = groups(&mut *connection, wanted, By::All).await?.pop();
    let shown = slice.of(summed);
    let ids: Vec<i64> = shown.iter().map(|row| row.link_id).filter(|id| *id != 0).collect();
    let named = links(connection, &ids).await?;
    let link = |id: i64| named.iter().find(|(one, _)| *one == id).map(|(_, name)| name.clone());
    let row = |(row, place): (Visited, i64)| match wanted.tab {
        SourceTab::Source => StatRow::new(place, channel(words, &row.name), row.of_source(link(row.link_id))),
        SourceTab::Domain if row.name.is_empty() => StatRow::new(place, "无来路", row.cells()),
        SourceTab::Domain => StatRow::new(place, row.name.clone(), row.cells()),
    };
    let total = all.map(|all| {
        let cells = match wanted.tab {
            SourceTab::Source => all.of_source(None),
            SourceTab::Domain => all.cells(),
        };
        StatRow::total(cells)
    });
    Ok(Found { total_count, rows: shown.into_iter().zip(slice.offset + 1..).map(row).collect(), total })
}

/// A row of each school of the operator, and one of their own site.
async fn of_schools(connection: &mut PgConnection, wanted: &Wanted, user_id: i64, slice: Slice) -> Result<Found> {
    if wanted.link_id.is_some() || wanted.page.is_some() {
        return Err(Error::field("schoolId", "请选择院校"));
    }
    let rows = sqlx::query!(
        r#"select t.school_id as "id!", coalesce(s.name, '平台官网') as "name!", sum(t.pv)::bigint as "pv!",
                  sum(t.uv)::bigint as "uv!", sum(t.pre_registrations)::bigint as "pre_registrations!",
                  sum(t.admissions)::bigint as "admissions!", sum(t.registrations)::bigint as "registrations!",
                  sum(t.learners)::bigint as "learners!"
           from platform.stat_visit_day t
           left join platform.school s on s.id = t.school_id and s.deleted_at is null and s.status in ('trial', 'active')
           join platform.sys_user u on u.id = $1
           where t.date between $2 and $3 and ($4::text is null or t.channel = $4) and ($5::text is null or t.terminal = $5)
             and (t.school_id = 0
                  or s.id is not null and (u.school_scope = 'all' or exists (
                         select from platform.sys_user_school b where b.user_id = u.id and b.school_id = s.id and b.enabled)))
           group by t.school_id, s.name
           order by sum(t.pv) desc, t.school_id"#,
        user_id,
        wanted.first,
        wanted.last,
        wanted.channel,
        wanted.terminal
    )
    .fetch_all(connection)
    .await?;
    let (mut sums, mut all) = (Visited::default(), Vec::with_capacity(rows.len()));
    for row in rows {
        let visited = Visited {
            pv: row.pv,
            uv: row.uv,
            pre_registrations: row.pre_registrations,
            admissions: row.admissions,
            registrations: row.registrations,
            learners: row.learners,
            ..Visited::default()
        };
        sums.add(&visited);
        let shown = StatRow::new(row.id, row.name.clone(), visited.cells());
        all.push(if row.id == 0 { shown } else { shown.of_school(row.id, row.name) });
    }
    let total_count = i64::try_from(all.len()).unwrap_or(i64::MAX);
    let total = (total_count > 0).then(|| StatRow::total(sums.cells()));
    Ok(Found { total_count, rows: slice.of(all), total })
}

/// Up to when the rows of schools go.
async fn of_all(connection: &mut PgConnection, found: &Found, as_of: AsOf) -> Result<AsOf> {
    let shown: Vec<i64> = found.rows.iter().map(|row| row.id).collect();
    schools::published_until(connection, &shown, as_of.computed_at).await
}

/// Whose visits a call means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// Of the school or, without one, of the operators' own site.
    Site,
    Schools,
}

fn whose(school: Option<i64>, filter: &SourceFilter) -> Whose {
    if school.is_none() && filter.own != Some(true) { Whose::Schools } else { Whose::Site }
}

async fn as_of(app: &App, school: Option<i64>) -> Result<AsOf> {
    let now = app.clock().now();
    match school {
        Some(school) => watch::as_of(app, school).await,
        None => Ok(AsOf { computed_at: now, data_until: now }),
    }
}

pub struct SourceStatistics;

#[OpenApi(prefix_path = "/data/pc/fromStatistics", tag = "crate::Tag::Statistics")]
impl SourceStatistics {
    /// 来源统计列表
    /// 平台端未指明院校时，每所院校和平台官网各一行
    #[oai(path = "/list", method = "post", operation_id = "listSourceStatistics")]
    async fn list(
        &self,
        caller: Allowed<ListSources>,
        Body(asked): Body<Paged<SourceFilter>>,
    ) -> Result<Reply<StatTable>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let wanted = filter.wanted(&caller.scope(), caller.app().clock().today())?;
        let as_of = as_of(caller.app(), caller.school_id()).await?;
        let channels = words(caller.app(), CHANNELS).await?;
        let mut tx = caller.read().await?;
        if whose(caller.school_id(), &filter) == Whose::Schools {
            let found = of_schools(&mut tx, &wanted, caller.user_id(), paging.into()).await?;
            let notices = schools::left_out(&mut tx, caller.user_id()).await?;
            let as_of = of_all(&mut tx, &found, as_of).await?;
            return Ok(reply(StatTable { notices, ..StatTable::of("院校", &OF_SCHOOL, found, paging, as_of) }));
        }
        let found = found(&mut tx, &wanted, &channels, paging.into()).await?;
        let (title, columns) = columns(wanted.tab);
        Ok(reply(StatTable::of(title, columns, found, paging, as_of)))
    }

    /// 来源统计图表
    /// 平台端未指明院校时为平台官网
    #[oai(path = "/chart", method = "post", operation_id = "chartSourceStatistics")]
    async fn chart(
        &self,
        caller: Allowed<ListSources>,
        Body(asked): Body<Paged<SourceFilter>>,
    ) -> Result<Reply<StatCharts>> {
        let wanted = asked.filter.wanted(&caller.scope(), caller.app().clock().today())?;
        let as_of = as_of(caller.app(), caller.school_id()).await?;
        let channels = words(caller.app(), CHANNELS).await?;
        let mut tx = caller.read().await?;
        let by_channel = groups(&mut tx, &wanted, By::Channel).await?;
        let days = groups(&mut tx, &wanted, By::Day).await?;
        let all = groups(&mut tx, &wanted, By::All).await?.pop().unwrap_or_default();
        let pie = by_channel.iter().map(|row| counted(channel(&channels, &row.name), row.pv));
        let views = days.iter().map(|row| counted(row.name.clone(), row.pv));
        let visitors = days.iter().map(|row| counted(row.name.clone(), row.uv));
        let funnel = [
            ("访客", all.uv),
            ("预报名", all.pre_registrations),
            ("录取", all.admissions),
            ("报到", all.registrations),
        ];
        Ok(reply(StatCharts {
            computed_at: as_of.computed_at,
            data_until: as_of.data_until,
            charts: vec![
                chart("channels", "来源渠道", (StatChartKind::Pie, "次"), vec![("浏览量", pie.collect())]),
                chart(
                    "days",
                    "每日访问",
                    (StatChartKind::Line, "次"),
                    vec![("浏览量", views.collect()), ("访客数", visitors.collect())],
                ),
                chart(
                    "funnel",
                    "转化",
                    (StatChartKind::Bar, "人"),
                    vec![("人数", funnel.into_iter().map(|(name, number)| counted(name, number)).collect())],
                ),
            ],
        }))
    }

    /// 导出来源统计
    #[oai(path = "/export", method = "post", operation_id = "exportSourceStatistics")]
    async fn export(
        &self,
        caller: Allowed<ExportSources>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SourceFilter>>,
    ) -> Result<Exported> {
        let filter = asked.filter;
        shows_nothing_whole(caller.caller())?;
        let wanted = filter.wanted(&caller.scope(), caller.app().clock().today())?;
        if job.0 == Some(true) {
            return Ok(Exported::Job(reply(started(caller.caller(), &filter).await?)));
        }
        let app = caller.app();
        let _place = app.export_place()?;
        let as_of = as_of(app, caller.school_id()).await?;
        let channels = words(app, CHANNELS).await?;
        let mut tx = caller.read_long().await?;
        let whose = whose(caller.school_id(), &filter);
        let told = told(&mut tx, &wanted, &channels, whose, caller.user_id()).await?;
        let as_of = if whose == Whose::Schools { of_all(&mut tx, &told.1, as_of).await? } else { as_of };
        let said = said(&mut tx, &wanted, &channels, whose).await?;
        drop(tx);
        let (file, rows) = file::written(app, TITLE, &said, told.0, (&told.1, as_of)).await?;
        caller.note("export", json!({ "rows": rows, "plain": false }));
        Ok(Exported::File(file))
    }
}

async fn started(caller: &Caller, filter: &SourceFilter) -> Result<JobStarted> {
    let job = NewJob {
        kind: EXPORT.kind,
        target: caller.user_id().to_string(),
        title: format!("导出{TITLE}"),
        params: json!({ "filter": filter.to_json() }),
    };
    Ok(JobStarted { job_id: jobs::start(caller, job).await? })
}

/// All rows of a file: the name of their first column, their columns, and they themselves.
type Told = ((&'static str, &'static [Col]), Found);

async fn told(
    connection: &mut PgConnection,
    wanted: &Wanted,
    channels: &[Word],
    whose: Whose,
    user_id: i64,
) -> Result<Told> {
    let all = Slice { limit: i64::MAX, offset: 0 };
    Ok(match whose {
        Whose::Schools => (("院校", &OF_SCHOOL as &[Col]), of_schools(connection, wanted, user_id, all).await?),
        Whose::Site => (columns(wanted.tab), found(connection, wanted, channels, all).await?),
    })
}

/// What is asked for in words; a link of a site outside the scope has no name there.
async fn said(
    connection: &mut PgConnection,
    wanted: &Wanted,
    channels: &[Word],
    whose: Whose,
) -> Result<Vec<(&'static str, String)>> {
    let mut said = vec![("起止日期", format!("{}至{}", wanted.first, wanted.last))];
    said.extend(wanted.channel.as_deref().map(|value| ("来源渠道", channel(channels, value))));
    if whose == Whose::Site {
        said.insert(0, ("统计方式", wanted.tab.zh().to_owned()));
        let link = sqlx::query_scalar!(
            "select name from promotion_link where id = $1 and ($2::bigint[] is null or site_id = any($2))",
            wanted.link_id,
            wanted.scope.sites()
        )
        .fetch_optional(connection)
        .await?;
        said.extend(link.map(|name| ("推广链接", name)));
    }
    said.extend(wanted.terminal.and_then(VisitTerminal::parse).map(|terminal| ("终端", terminal.zh().to_owned())));
    said.extend(wanted.page.and_then(VisitPage::parse).map(|page| ("页面", page.zh().to_owned())));
    Ok(said)
}

async fn run_export(run: JobRun) -> Result<Outcome> {
    let app = run.app();
    let school = run.school.as_ref().map(|school| school.id);
    let filter = SourceFilter::parse_from_json(Some(run.params["filter"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let wanted = filter.wanted(&run.scope(CODE).await?, app.clock().today())?;
    let as_of = as_of(app, school).await?;
    let channels = words(app, CHANNELS).await?;
    let mut tx = run.read().await?;
    let whose = whose(school, &filter);
    let told = told(&mut tx, &wanted, &channels, whose, run.actor.id).await?;
    let as_of = if whose == Whose::Schools { of_all(&mut tx, &told.1, as_of).await? } else { as_of };
    let said = said(&mut tx, &wanted, &channels, whose).await?;
    drop(tx);
    let (file, rows) = file::written(app, TITLE, &said, told.0, (&told.1, as_of)).await?;
    let kept = file.keep(app, school, run.actor.id).await?;
    Ok(Outcome { message: format!("共导出{rows}行"), result_file: Some(kept), ..Outcome::default() })
}
