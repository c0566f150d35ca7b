//! 学生登录统计: who of the students signs in, how often, and who does not (part 05 A4, A5). Different people do not add up over days,
//! so over schools whole months are told, of which each school publishes its own.

mod rows;

use chrono::{Days, NaiveDate};
use infra::{
    Allowed, App, Body, Error, Paged, Part, Reply, Result, Scope,
    access::{EachSchool, Permission},
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    permissions, reply,
    sheet::{Cell, Writer},
    token::Area,
    transfer::{Attachment, Exported, folder},
};
use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{ParseFromJSON, ToJSON},
};
use serde_json::json;
use sqlx::PgConnection;
use statistics_rules::enums::{LoginStanding, LoginTab, StatChartKind};
use student_status::{
    enums::StudyForm,
    keyword::{Keyword, classify},
};

use crate::{
    filter::{Slice, shows_nothing_whole},
    publish::first_of,
    schools::{self, OfSchools},
    screen::{cells, least_of},
    table::{AsOf, Col, Found, StatCharts, StatRow, StatTable, cell, chart, count, counted, decimal, percent, text},
    watch,
};

permissions! {
    pages "/schoolPC/statistics/studentLoginStatistics", "/platformPC/statistics/studentLoginStatistics";
    EachSchool Reads       ListLogins   = "data:pc:studentLoginStatistics:list" "学生登录统计列表";
    EachSchool ReadsLogged ExportLogins = "data:pc:studentLoginStatistics:export" "导出学生登录统计";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[EXPORT], option_pages: PAGES, ..Part::NONE };

const EXPORT: JobKind = JobKind {
    kind: "stat_login.export",
    code: Some("data:pc:studentLoginStatistics:export"),
    run: |run| Box::pin(run_export(run)),
    headings: None,
};

/// Days that are shown where none are asked for, and at the most.
const USUAL_DAYS: u64 = 30;
const MOST_DAYS: i64 = 366;
/// Rows of a file that are read at once: each part costs a walk over all people that are asked for.
const AT_ONCE: i64 = 20_000;

const ACTIVE: Col = count("active", "在籍", "待注册、在籍、休学、超学制的学生");
const PEOPLE: Col = count("people", "登录人数", "现在的在籍学生中期间登录过的，按登录当日所在的站点和班级");
const RATE: Col = percent("rate", "登录率", "登录人数÷在籍");
const LOGINS: Col = count("logins", "登录次数", "同一设备30分钟内重新登录不计");
const EACH: Col = decimal("each", "人均登录", "登录次数÷登录人数");
const HOURS: Col = decimal("hours", "在线时长(小时)", "客户端页面可见的时间");
const NEVER: Col = count("never", "从未登录", "在籍学生中从未登录过的");

const OF_SITE: [Col; 7] = [ACTIVE, PEOPLE, RATE, LOGINS, EACH, HOURS, NEVER];
const OF_CLASS: [Col; 9] =
    [text("site", "站点"), text("manager", "班主任"), ACTIVE, PEOPLE, RATE, LOGINS, EACH, HOURS, NEVER];
const OF_DAY: [Col; 4] =
    [count("people", "登录人数", "现在的在籍学生中当日登录过的"), LOGINS, HOURS, text("peak", "峰值小时")];
const OF_STUDENT: [Col; 13] = [
    text("studentNo", "学号"),
    text("grade", "年级"),
    text("level", "层次"),
    text("major", "专业"),
    text("site", "站点"),
    text("class", "班级"),
    LOGINS,
    count("days", "登录天数", "期间有登录的天数"),
    HOURS,
    text("firstAt", "首次"),
    text("lastAt", "最近"),
    text("devices", "设备"),
    count("silentDays", "未登录天数", "距最近一次登录的天数；从未登录为空"),
];

/// What sign-ins are asked for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct LoginFilter {
    /// 页签
    /// 不填时按站点
    pub tab: Option<LoginTab>,
    /// 日期起
    /// 不填时为最近30天
    pub from: Option<NaiveDate>,
    /// 日期止
    pub to: Option<NaiveDate>,
    /// 月份
    /// 查看全部院校时的月份，为该月中的一天；不填时为当月
    pub month: Option<NaiveDate>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 学习形式
    pub study_form: Option<StudyForm>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 关键字
    /// 按学生时，学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 登录状态
    /// 按学生时
    pub standing: Option<LoginStanding>,
    /// 未登录天数
    /// 按学生时，最近若干天没有登录，含从未登录
    #[oai(validator(minimum(value = "1"), maximum(value = "3660")))]
    pub silent_days: Option<i32>,
}

/// A filter, ready for the statements.
pub(crate) struct Wanted {
    pub tab: LoginTab,
    pub first: NaiveDate,
    pub last: NaiveDate,
    /// Grade, level, major, site, class: null is any.
    pub ids: Vec<Option<i64>>,
    pub form: Option<&'static str>,
    pub keyword: Keyword,
    /// The keyword as a file tells it: a person who is looked for stands in none by their number.
    pub word: Option<String>,
    pub standing: Option<&'static str>,
    pub silent_days: Option<i32>,
    pub scope: Scope,
    /// Of fewer people no mean is told; none where the school looks at itself.
    pub least: Option<i64>,
}

impl LoginFilter {
    /// # Errors
    /// 422 when the span is longer than 366 days, or ends before it begins.
    fn wanted(&self, scope: &Scope, least: Option<i64>, today: NaiveDate) -> Result<Wanted> {
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
            tab: self.tab.unwrap_or(LoginTab::Site),
            first,
            last,
            ids: vec![self.grade_id, self.level_id, self.major_id, self.site_id, self.class_id],
            form: self.study_form.map(StudyForm::as_str),
            keyword: self.keyword.as_deref().map(classify).unwrap_or_default(),
            word: self.keyword.as_deref().map(|word| infra::mask::shapes(word).into_owned()),
            standing: self.standing.map(LoginStanding::as_str),
            silent_days: self.silent_days,
            scope: scope.clone(),
            least,
        })
    }
}

const fn columns(tab: LoginTab) -> (&'static str, &'static [Col]) {
    match tab {
        LoginTab::Site => ("站点", &OF_SITE),
        LoginTab::Class => ("班级", &OF_CLASS),
        LoginTab::Student => ("姓名", &OF_STUDENT),
        LoginTab::Day => ("日期", &OF_DAY),
    }
}

async fn found(connection: &mut PgConnection, wanted: &Wanted, slice: Slice, today: NaiveDate) -> Result<Found> {
    match wanted.tab {
        LoginTab::Site => rows::of_sites(connection, wanted, slice).await,
        LoginTab::Class => rows::of_classes(connection, wanted, slice).await,
        LoginTab::Student => rows::of_students(connection, wanted, slice, today).await,
        LoginTab::Day => rows::of_days(connection, wanted, slice).await,
    }
}

/// A row of each school, of a month.
async fn months<P: Permission<Realm = EachSchool>>(caller: &Allowed<P>, filter: &LoginFilter) -> Result<OfSchools> {
    if filter.from.is_some() || filter.to.is_some() {
        return Err(Error::field("from", "查看全部院校时请按月份统计"));
    }
    let own = [filter.grade_id, filter.level_id, filter.major_id, filter.site_id, filter.class_id];
    let told = [
        filter.tab.is_some(),
        filter.study_form.is_some(),
        filter.standing.is_some(),
        filter.silent_days.is_some(),
        filter.keyword.as_deref().is_some_and(|keyword| !keyword.trim().is_empty()),
    ];
    if own.iter().any(Option::is_some) || told.contains(&true) {
        return Err(Error::field("schoolId", "请选择院校"));
    }
    let now = caller.app().clock().now();
    let month = first_of(filter.month.unwrap_or_else(|| now.date_naive()));
    let mut tx = caller.platform().await?;
    let rows = sqlx::query!(
        r#"select t.school_id as "school_id!", s.name as "name!", t.active_students as "active!",
                  t.login_students as "people!", t.logins as "logins!", t.active_seconds as "seconds!",
                  t.never_logged_in as "never!"
           from platform.stat_school_month t
           join platform.school s on s.id = t.school_id and s.deleted_at is null and s.status in ('trial', 'active')
           join platform.sys_user u on u.id = $1
           where t.month = $2
             and (u.school_scope = 'all' or exists (
                  select from platform.sys_user_school b where b.user_id = u.id and b.school_id = s.id and b.enabled))
           order by s.code"#,
        caller.user_id(),
        month
    )
    .fetch_all(&mut *tx)
    .await?;
    let notices = schools::left_out(&mut tx, caller.user_id()).await?;
    let shown: Vec<i64> = rows.iter().map(|row| row.school_id).collect();
    let as_of = schools::published_until(&mut tx, &shown, now).await?;
    let told = |active: i64, people: i64, logins: i64, seconds: i64, never: i64| {
        rows::Signed { active, people, logins, seconds, never, ..rows::Signed::default() }.cells(Some(schools::LEAST))
    };
    let (mut active, mut people, mut logins, mut seconds, mut never) = (0, 0, 0, 0, 0);
    let mut all = Vec::with_capacity(rows.len());
    for row in rows {
        active += i64::from(row.active);
        people += i64::from(row.people);
        logins += i64::from(row.logins);
        seconds += row.seconds;
        never += i64::from(row.never);
        let cells = told(row.active.into(), row.people.into(), row.logins.into(), row.seconds, row.never.into());
        all.push(StatRow::new(row.school_id, row.name.clone(), cells).of_school(row.school_id, row.name));
    }
    let total_count = i64::try_from(all.len()).unwrap_or(i64::MAX);
    let total = (total_count > 0).then(|| StatRow::total(told(active, people, logins, seconds, never)));
    let found = Found { total_count, rows: all, total };
    Ok(OfSchools { columns: &OF_SITE, found, as_of, notices })
}

pub struct LoginStatistics;

#[OpenApi(prefix_path = "/data/pc/studentLoginStatistics", tag = "crate::Tag::Statistics")]
impl LoginStatistics {
    /// 学生登录统计列表
    /// 平台端未指明院校时，每所院校一行，按月统计
    #[oai(path = "/list", method = "post", operation_id = "listLoginStatistics")]
    async fn list(
        &self,
        caller: Allowed<ListLogins>,
        Body(asked): Body<Paged<LoginFilter>>,
    ) -> Result<Reply<StatTable>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let Some(school) = caller.school_id() else {
            return Ok(reply(months(&caller, &filter).await?.page(paging)));
        };
        let today = caller.app().clock().today();
        let as_of = watch::as_of(caller.app(), school).await?;
        let mut tx = caller.read().await?;
        let least = least_of(&mut tx, caller.session.area).await?;
        let wanted = filter.wanted(&caller.scope(), least, today)?;
        let found = found(&mut tx, &wanted, paging.into(), today).await?;
        let (title, columns) = columns(wanted.tab);
        Ok(reply(StatTable::of(title, columns, found, paging, as_of)))
    }

    /// 学生登录统计图表
    #[oai(path = "/chart", method = "post", operation_id = "chartLoginStatistics")]
    async fn chart(
        &self,
        caller: Allowed<ListLogins>,
        Body(asked): Body<Paged<LoginFilter>>,
    ) -> Result<Reply<StatCharts>> {
        let school = schools::one(caller.caller())?;
        let wanted = asked.filter.wanted(&caller.scope(), None, caller.app().clock().today())?;
        let as_of = watch::as_of(caller.app(), school.id).await?;
        let mut tx = caller.read().await?;
        let days = rows::by_day(&mut tx, &wanted).await?;
        let people = days.iter().map(|day| counted(day.date.to_string(), day.people));
        let logins = days.iter().map(|day| counted(day.date.to_string(), day.logins));
        let devices = rows::devices(&mut tx, &wanted).await?;
        let words = ["电脑", "手机", "平板", "小程序"];
        let by_device = words.into_iter().zip(devices).map(|(word, number)| counted(word, number));
        let heat = rows::heat(&mut tx, &wanted).await?;
        let weekdays = ["周一", "周二", "周三", "周四", "周五", "周六", "周日"];
        let by_hour = weekdays.into_iter().zip(heat).map(|(weekday, hours)| {
            let points =
                hours.into_iter().zip(0..).map(|(number, hour): (i64, i32)| counted(format!("{hour}时"), number));
            (weekday, points.collect())
        });
        Ok(reply(StatCharts {
            computed_at: as_of.computed_at,
            data_until: as_of.data_until,
            charts: vec![
                chart(
                    "days",
                    "每日登录",
                    (StatChartKind::Line, "人"),
                    vec![("登录人数", people.collect()), ("登录次数", logins.collect())],
                ),
                chart("hours", "星期与时段", (StatChartKind::Line, "人"), by_hour.collect()),
                chart("devices", "登录设备", (StatChartKind::Pie, "人次"), vec![("人次", by_device.collect())]),
            ],
        }))
    }

    /// 导出学生登录统计
    #[oai(path = "/export", method = "post", operation_id = "exportLoginStatistics")]
    async fn export(
        &self,
        caller: Allowed<ExportLogins>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<LoginFilter>>,
    ) -> Result<Exported> {
        let Some(school) = caller.school.clone() else {
            let month = asked.filter.month.unwrap_or_else(|| caller.app().clock().today());
            let said = [("月份", first_of(month).format("%Y-%m").to_string())];
            return months(&caller, &asked.filter).await?.file(&caller, "学生登录统计", &said).await;
        };
        shows_nothing_whole(caller.caller())?;
        let today = caller.app().clock().today();
        let wanted = asked.filter.wanted(&caller.scope(), None, today)?;
        if job.0 == Some(true) {
            let job = NewJob {
                kind: EXPORT.kind,
                target: caller.user_id().to_string(),
                title: "导出学生登录统计".to_owned(),
                params: json!({ "filter": asked.filter.to_json(), "platform": caller.session.area == Area::Platform }),
            };
            return Ok(Exported::Job(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? })));
        }
        let _place = caller.app().export_place()?;
        let as_of = watch::as_of(caller.app(), school.id).await?;
        let mut tx = caller.read_long().await?;
        let wanted = Wanted { least: least_of(&mut tx, caller.session.area).await?, ..wanted };
        let (file, rows) = fill(caller.app(), &mut tx, &wanted, as_of, None).await?;
        caller.note("export", json!({ "rows": rows, "plain": false }));
        Ok(Exported::File(file))
    }
}

async fn run_export(run: JobRun) -> Result<Outcome> {
    let app = run.app();
    let school = run.school.clone().ok_or_else(Error::not_found)?;
    let filter = LoginFilter::parse_from_json(Some(run.params["filter"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let scope = run.scope("data:pc:studentLoginStatistics:export").await?;
    let area = if run.params["platform"] == true { Area::Platform } else { Area::School };
    let as_of = watch::as_of(app, school.id).await?;
    let mut tx = run.read().await?;
    let least = least_of(&mut tx, area).await?;
    let wanted = filter.wanted(&scope, least, app.clock().today())?;
    let (file, rows) = fill(app, &mut tx, &wanted, as_of, Some(&run)).await?;
    let kept = file.keep(app, Some(school.id), run.actor.id).await?;
    Ok(Outcome { message: format!("共导出{rows}行"), result_file: Some(kept), ..Outcome::default() })
}

async fn fill(
    app: &App,
    connection: &mut PgConnection,
    wanted: &Wanted,
    as_of: AsOf,
    run: Option<&JobRun>,
) -> Result<(Attachment, i64)> {
    let (title, columns) = columns(wanted.tab);
    let mut writer = Writer::headed(&folder(app).await?, "说明", [("项目", 24), ("内容", 80)]);
    let mut said = vec![
        ("统计", format!("学生登录统计（{}）", wanted.tab.zh())),
        ("数据截至", as_of.data_until.format("%Y-%m-%d %H:%M:%S").to_string()),
        ("起止日期", format!("{}至{}", wanted.first, wanted.last)),
    ];
    said.extend(rows::words(connection, wanted).await?);
    for (what, value) in said {
        writer.row(vec![Cell::Text(what.to_owned()), Cell::Text(value)]).await?;
    }
    for column in columns.iter().filter(|column| !column.help.is_empty()) {
        writer.row(vec![Cell::Text(column.title.to_owned()), Cell::Text(column.help.to_owned())]).await?;
    }
    let headings = std::iter::once((title, 24)).chain(columns.iter().map(|column| (column.title, 14)));
    writer.sheet("学生登录统计", headings).await?;
    let (mut offset, mut written) = (0, 0);
    loop {
        let slice = Slice { limit: AT_ONCE, offset };
        let found = found(connection, wanted, slice, as_of.computed_at.date_naive()).await?;
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
    let name = format!("学生登录统计_{}.xlsx", app.clock().now().format("%Y%m%d%H%M%S"));
    Ok((Attachment::written(name, writer.finish().await?), written))
}

/// The hour in which the most people signed in, the earliest of several; none where nobody did.
pub(crate) fn peak(hours: [i64; 24]) -> Option<String> {
    let most = hours.iter().copied().max().filter(|most| *most > 0)?;
    let hour = hours.iter().position(|number| *number == most)?;
    cell::text(Some(format!("{hour}–{}时", hour + 1))).text
}
