//! A screen of study, homework or examinations: its table in each level, its cards and charts, its file; in the operators' area a row of
//! each school, of what the schools publish.

use std::future::Future;

use futures_util::{FutureExt, future::BoxFuture};
use infra::{
    Allowed, App, Error, Paging, Reply, Result, Scope,
    access::{EachSchool, Permission},
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
    sheet::{Cell, Writer},
    token::Area,
    transfer::{Attachment, Exported, folder},
};
use poem_openapi::types::{ParseFromJSON, ToJSON};
use serde_json::json;
use sqlx::PgConnection;
use statistics_rules::enums::StatLevel;

use crate::{
    filter::{Asked, Slice, StatFilter, shows_nothing_whole},
    jobs::SMALL_GROUP,
    schools::{self, Published},
    table::{AsOf, Col, Found, StatCard, StatCell, StatChart, StatCharts, StatSummary, StatTable},
    watch,
};

/// Rows of a file that are read at once: each part costs a walk over all people that are asked for.
const AT_ONCE: i64 = 20_000;

/// The chart in which sites are compared: for whoever may list them.
const BY_SITE: &str = "sites";

/// What a screen tells.
pub(crate) trait Screen: Send + Sync + 'static {
    /// Names the file, for example 视频学习统计.
    const TITLE: &'static str;
    /// Of the job that makes the file.
    const JOB: &'static str;
    /// The code of the file.
    const EXPORT: &'static str;
    /// The codes of both lists.
    const LIST: &'static str;
    const SITES: &'static str;
    /// Whether a level is one of the screen's.
    const LEVELS: &'static [StatLevel];

    fn columns(level: StatLevel) -> &'static [Col];

    /// The columns of a row of a school.
    fn school_columns() -> &'static [Col];

    /// The figures of a school out of what it publishes.
    fn of_school(sums: &Published, least: i64) -> Vec<StatCell>;

    /// A slice of the rows of a level, with how many there are and what they come to.
    fn found(
        connection: &mut PgConnection,
        asked: &Asked,
        slice: Slice,
        as_of: AsOf,
    ) -> impl Future<Output = Result<Found>> + Send;

    fn cards(connection: &mut PgConnection, asked: &Asked) -> impl Future<Output = Result<Vec<StatCard>>> + Send;

    fn charts(
        connection: &mut PgConnection,
        asked: &Asked,
        as_of: AsOf,
    ) -> impl Future<Output = Result<Vec<StatChart>>> + Send;
}

/// What the first column of a level is called.
pub(crate) const fn name_title(level: StatLevel) -> &'static str {
    match level {
        StatLevel::School => "院校",
        StatLevel::Site => "站点",
        StatLevel::Class => "班级",
        StatLevel::Course => "课程",
        StatLevel::Task => "作业",
        StatLevel::Exam => "考试",
        StatLevel::Teacher => "教师",
        StatLevel::Student => "姓名",
    }
}

/// Of fewer people the operators are told no mean (05 A5).
///
/// # Errors
/// Those of the database.
pub(crate) async fn least_of(connection: &mut PgConnection, area: Area) -> Result<Option<i64>> {
    Ok(if area == Area::Platform { Some(SMALL_GROUP.number(connection).await?) } else { None })
}

/// Which level is shown: over schools a row of each. Sites have a code of their own; from either list the way leads down to classes and
/// people; all else belongs to the list.
///
/// With it come the rows that whoever calls may see there: those of the call that the list shows too.
///
/// # Errors
/// 422 at a level that the screen does not have, 403 without the code of the list that has it, and where the call and the list open
/// places of which neither are all of the other's.
fn level_of<S: Screen, P: Permission>(
    caller: &Allowed<P>,
    filter: &StatFilter,
    usual: StatLevel,
) -> Result<(StatLevel, Scope)> {
    let asked = filter.level.filter(|level| *level != StatLevel::School);
    if asked.is_some_and(|level| !S::LEVELS.contains(&level)) {
        return Err(Error::field("level", "该页面没有这个统计层级"));
    }
    let level = if caller.school.is_some() { asked.unwrap_or(usual) } else { StatLevel::School };
    let (list, sites) = (caller.rights().get(S::LIST), caller.rights().get(S::SITES));
    let scope = within(&caller.scope(), listed(level, list, sites))?;
    Ok((level, scope))
}

/// What the codes of both lists open at a level.
fn listed(level: StatLevel, list: Option<&Scope>, sites: Option<&Scope>) -> Option<Scope> {
    match level {
        StatLevel::Site => sites.cloned(),
        StatLevel::School | StatLevel::Class | StatLevel::Student => match (list, sites) {
            (Some(list), Some(sites)) => Some(list.clone().or(sites)),
            (one, other) => one.or(other).cloned(),
        },
        StatLevel::Course | StatLevel::Task | StatLevel::Exam | StatLevel::Teacher => list.cloned(),
    }
}

/// # Errors
/// 403 without a list, and where neither of both has all places of the other.
fn within(scope: &Scope, listed: Option<Scope>) -> Result<Scope> {
    const APART: &str = "您的统计权限属于不同的站点或班级，不能合在一起查看，请联系管理员统一这些权限的数据范围";
    let listed = listed.ok_or_else(Error::forbidden)?;
    scope.narrower(&listed).cloned().ok_or_else(|| Error::new(403, APART))
}

/// The body of `list` and `siteList`.
///
/// # Errors
/// 422 at a level that the screen does not have, 403 without the code of the list that has it.
pub(crate) fn list<S: Screen, P: Permission<Realm = EachSchool>>(
    caller: &Allowed<P>,
    paging: Paging,
    filter: StatFilter,
    usual: StatLevel,
) -> BoxFuture<'_, Result<Reply<StatTable>>> {
    async move {
        let (_, scope) = level_of::<S, P>(caller, &filter, usual)?;
        let app = caller.app();
        let Some(school) = &caller.school else {
            return Ok(reply(schools::all::<S, P>(caller, &filter).await?.page(paging)));
        };
        let as_of = watch::as_of(app, school.id).await?;
        let mut tx = caller.read().await?;
        let least = least_of(&mut tx, caller.session.area).await?;
        let asked = Asked::of(&mut tx, &filter, usual, (&scope, app.clock().today()), least).await?;
        only_named(asked.level, caller.session.area)?;
        let found = S::found(&mut tx, &asked, paging.into(), as_of).await?;
        Ok(reply(StatTable::of(name_title(asked.level), S::columns(asked.level), found, paging, as_of)))
    }
    .boxed()
}

/// Operators look at a school down to its classes; at its people they look from inside.
fn only_named(level: StatLevel, area: Area) -> Result<()> {
    if level == StatLevel::Student && area == Area::Platform {
        return Err(Error::field("level", "请进入院校查看学生明细"));
    }
    Ok(())
}

/// The body of `summary`.
///
/// # Errors
/// 422 for an operator who names no school.
pub(crate) fn summary<S: Screen, P: Permission<Realm = EachSchool>>(
    caller: &Allowed<P>,
    filter: StatFilter,
) -> BoxFuture<'_, Result<Reply<StatSummary>>> {
    async move {
        if caller.school.is_none() {
            return Ok(reply(schools::summary::<S, P>(caller, &filter).await?));
        }
        let (asked, as_of, mut tx) = asked(caller, &filter).await?;
        let cards = S::cards(&mut tx, &asked).await?;
        Ok(reply(StatSummary { computed_at: as_of.computed_at, data_until: as_of.data_until, cards }))
    }
    .boxed()
}

/// The body of `chart`.
///
/// # Errors
/// Those of the database.
pub(crate) fn charts<S: Screen, P: Permission<Realm = EachSchool>>(
    caller: &Allowed<P>,
    filter: StatFilter,
) -> BoxFuture<'_, Result<Reply<StatCharts>>> {
    async move {
        if caller.school.is_none() {
            return Ok(reply(schools::charts::<S, P>(caller, &filter).await?));
        }
        let (asked, as_of, mut tx) = asked(caller, &filter).await?;
        let mut charts = S::charts(&mut tx, &asked, as_of).await?;
        if !caller.rights().get(S::SITES).is_some_and(|sites| sites.covers(&asked.scope)) {
            charts.retain(|chart| chart.key != BY_SITE);
        }
        Ok(reply(StatCharts { computed_at: as_of.computed_at, data_until: as_of.data_until, charts }))
    }
    .boxed()
}

async fn asked<P: Permission<Realm = EachSchool>>(
    caller: &Allowed<P>,
    filter: &StatFilter,
) -> Result<(Asked, AsOf, infra::ReadTx)> {
    let school = caller.school_id().unwrap_or_default();
    let as_of = watch::as_of(caller.app(), school).await?;
    let mut tx = caller.read().await?;
    let least = least_of(&mut tx, caller.session.area).await?;
    let asked =
        Asked::of(&mut tx, filter, StatLevel::Site, (&caller.scope(), caller.app().clock().today()), least).await?;
    Ok((asked, as_of, tx))
}

/// The body of `export`: the table at the shown level, behind a sheet that says what it is.
///
/// # Errors
/// 422 at people for operators, 403 without the code of the list that has the level, 429 when all places for exports are taken.
pub(crate) fn export<S: Screen, P: Permission<Realm = EachSchool>>(
    caller: &Allowed<P>,
    filter: StatFilter,
    usual: StatLevel,
    as_job: Option<bool>,
) -> BoxFuture<'_, Result<Exported>> {
    async move {
        let (level, scope) = level_of::<S, P>(caller, &filter, usual)?;
        let Some(school) = caller.school_id() else {
            let semester = filter.semester_text.clone().map(|text| ("学期", text));
            let said: Vec<(&str, String)> = semester.into_iter().collect();
            return schools::all::<S, P>(caller, &filter).await?.file(caller, S::TITLE, &said).await;
        };
        shows_nothing_whole(caller.caller())?;
        let app = caller.app();
        only_named(level, caller.session.area)?;
        let filter = StatFilter { level: Some(level), ..filter };
        let platform = caller.session.area == Area::Platform;
        if as_job == Some(true) {
            let job = NewJob {
                kind: S::JOB,
                target: caller.user_id().to_string(),
                title: format!("导出{}", S::TITLE),
                params: json!({ "filter": filter.to_json(), "platform": platform }),
            };
            return Ok(Exported::Job(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? })));
        }
        let _place = app.export_place()?;
        let as_of = watch::as_of(app, school).await?;
        let mut tx = caller.read_long().await?;
        let least = least_of(&mut tx, caller.session.area).await?;
        let (file, rows) = fill::<S>(app, &mut tx, (&filter, &scope, least), as_of, None).await?;
        caller.note("export", json!({ "rows": rows, "plain": false }));
        Ok(Exported::File(file))
    }
    .boxed()
}

/// The kind of job that `?job=true` starts.
pub(crate) const fn export_job<S: Screen>() -> JobKind {
    JobKind { kind: S::JOB, code: Some(S::EXPORT), run: |run| Box::pin(run_export::<S>(run)), headings: None }
}

async fn run_export<S: Screen>(run: JobRun) -> Result<Outcome> {
    let app = run.app();
    let school = run.school.clone().ok_or_else(Error::not_found)?;
    let filter = StatFilter::parse_from_json(Some(run.params["filter"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let area = if run.params["platform"] == true { Area::Platform } else { Area::School };
    // As of now: the codes may have been given anew meanwhile.
    let (list, sites) = (run.scope(S::LIST).await.ok(), run.scope(S::SITES).await.ok());
    let level = filter.level.unwrap_or(StatLevel::Site);
    let scope = within(&run.scope(S::EXPORT).await?, listed(level, list.as_ref(), sites.as_ref()))?;
    let as_of = watch::as_of(app, school.id).await?;
    let mut tx = run.read().await?;
    let least = least_of(&mut tx, area).await?;
    let (file, rows) = fill::<S>(app, &mut tx, (&filter, &scope, least), as_of, Some(&run)).await?;
    let kept = file.keep(app, Some(school.id), run.actor.id).await?;
    Ok(Outcome { message: format!("共导出{rows}行"), result_file: Some(kept), ..Outcome::default() })
}

async fn fill<S: Screen>(
    app: &App,
    connection: &mut PgConnection,
    (filter, scope, least): (&StatFilter, &Scope, Option<i64>),
    as_of: AsOf,
    run: Option<&JobRun>,
) -> Result<(Attachment, i64)> {
    let level = filter.level.unwrap_or(StatLevel::Site);
    let asked = Asked::of(connection, filter, level, (scope, app.clock().today()), least).await?;
    let columns = S::columns(asked.level);
    let mut writer = Writer::headed(&folder(app).await?, "说明", [("项目", 24), ("内容", 80)]);
    let mut said = vec![
        ("统计", format!("{}（{}）", S::TITLE, asked.level.zh())),
        ("数据截至", as_of.data_until.format("%Y-%m-%d %H:%M:%S").to_string()),
    ];
    said.extend(asked.words(connection).await?);
    for (what, value) in said {
        writer.row(vec![Cell::Text(what.to_owned()), Cell::Text(value)]).await?;
    }
    for column in columns.iter().filter(|column| !column.help.is_empty()) {
        writer.row(vec![Cell::Text(column.title.to_owned()), Cell::Text(column.help.to_owned())]).await?;
    }
    let headings =
        std::iter::once((name_title(asked.level), 24)).chain(columns.iter().map(|column| (column.title, 14)));
    writer.sheet(S::TITLE, headings).await?;
    let (mut offset, mut written) = (0, 0);
    loop {
        let found = S::found(connection, &asked, Slice { limit: AT_ONCE, offset }, as_of).await?;
        if let (0, Some(total)) = (offset, &found.total) {
            writer.row(cells(&total.name, &total.cells, columns)).await?;
        }
        let read = i64::try_from(found.rows.len()).unwrap_or(i64::MAX);
        for row in &found.rows {
            writer.row(cells(&row.name, &row.cells, columns)).await?;
        }
        written += read;
        offset += AT_ONCE;
        if let Some(run) = run {
            run.progress("导出", written, found.total_count).await?;
        }
        if read < AT_ONCE {
            break;
        }
    }
    let name = format!("{}_{}.xlsx", S::TITLE, app.clock().now().format("%Y%m%d%H%M%S"));
    Ok((Attachment::written(name, writer.finish().await?), written))
}

/// A row of a sheet: its name, then its figures.
pub(crate) fn cells(name: &str, cells: &[StatCell], columns: &[Col]) -> Vec<Cell> {
    std::iter::once(Cell::Text(name.to_owned()))
        .chain(columns.iter().zip(cells).map(|(column, cell)| column.cell(cell)))
        .collect()
}

/// A mean that operators are not told of a few.
pub(crate) fn told(people: i64, least: Option<i64>, cell: StatCell) -> StatCell {
    match least {
        Some(least) if people < least => crate::table::cell::hidden(least),
        _ => cell,
    }
}
