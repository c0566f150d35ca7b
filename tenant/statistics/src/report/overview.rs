//! 概况: the figures of a school beside those of the period before (part 05 A6, A7).

use chrono::{Datelike, Days, NaiveDate};
use infra::{
    Allowed, Error, Result,
    access::{EachSchool, Permission},
};
use sqlx::PgConnection;
use statistics_rules::{
    enums::{StatChartKind, StatReport},
    rates,
};

use super::{ReportFilter, Wanted, unnamed};
use crate::{
    schools::{self, OfSchools},
    table::{Col, Found, StatCard, StatCell, StatChart, StatRow, card, cell, chart, count, counted, percent, text},
};

pub(super) const COLUMNS: [Col; 4] =
    [text("value", "数值"), text("before", "上期"), text("change", "变化"), text("help", "口径")];

/// Days that charts show, and whose start is the period before of what stands.
const SHOWN_DAYS: u64 = 30;
const WEEK: u64 = 7;

/// A figure now, and in the period before.
struct Figure {
    key: &'static str,
    title: &'static str,
    unit: &'static str,
    help: &'static str,
    now: Option<f64>,
    before: Option<f64>,
    /// Of so few people the operators are not told it, now and before.
    few: [bool; 2],
}

#[allow(clippy::cast_precision_loss, reason = "counts of people and rows")]
fn of(number: i64) -> Option<f64> {
    Some(number as f64)
}

fn back(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_sub_days(Days::new(days)).unwrap_or(day)
}

/// What happened in the year of a grade, or in a calendar year.
struct OfYear {
    admitted: i64,
    reported: i64,
    accepted: i64,
    graduated: i64,
}

async fn of_year(connection: &mut PgConnection, wanted: &Wanted, year: i32) -> Result<OfYear> {
    Ok(sqlx::query_as!(
        OfYear,
        r#"select (select count(*) from admission a join grade g on g.id = a.grade_id and g.entry_year = $1
                   where a.deleted_at is null and a.status <> 'cancelled'
                     and ($2::bigint[] is null or a.site_id = any($2)) and ($4::bigint is null or a.site_id = $4)) as "admitted!",
                  (select count(*) from registration r join grade g on g.id = r.grade_id and g.entry_year = $1
                   where r.deleted_at is null and r.status = 'reported'
                     and ($2::bigint[] is null or r.site_id = any($2)) and ($4::bigint is null or r.site_id = $4)) as "reported!",
                  (select count(*) from student s join grade g on g.id = s.grade_id and g.entry_year = $1
                   where s.register_result = 'accepted'
                     and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))
                     and ($4::bigint is null or s.site_id = $4)) as "accepted!",
                  (select count(*) from student_status_change h join student s on s.id = h.student_id
                   where h.kind = 'graduate' and h.effective_on >= make_date($1, 1, 1)
                     and h.effective_on < make_date($1 + 1, 1, 1)
                     and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))
                     and ($4::bigint is null or s.site_id = $4)) as "graduated!""#,
        year,
        wanted.sites(),
        wanted.classes(),
        wanted.site
    )
    .fetch_one(connection)
    .await?)
}

/// What a semester has come to.
#[derive(Default)]
struct OfSemester {
    openings: i64,
    roster: i64,
    progress_sum: i64,
    should: i64,
    handed: i64,
    sat: i64,
    passed: i64,
}

async fn of_semester(connection: &mut PgConnection, wanted: &Wanted, semester: i64) -> Result<OfSemester> {
    Ok(sqlx::query_as!(
        OfSemester,
        r#"select o.openings as "openings!", o.roster as "roster!", o.progress_sum as "progress_sum!", o.should as "should!",
                  o.handed as "handed!", x.sat as "sat!", x.passed as "passed!"
           from (select count(distinct o.opening_id) as openings, coalesce(sum(o.roster), 0)::bigint as roster,
                        coalesce(sum(o.progress_sum), 0)::bigint as progress_sum,
                        coalesce(sum(o.hw_should), 0)::bigint as should, coalesce(sum(o.hw_handed), 0)::bigint as handed
                 from stat_opening_class o
                 where o.semester_id = $1 and ($2::bigint[] is null or o.site_id = any($2) or o.class_id = any($3::bigint[]))
                   and ($4::bigint is null or o.site_id = $4)) o
           cross join (select coalesce(sum(x.enrolled - x.exempt - x.deferred), 0)::bigint as sat,
                              coalesce(sum(x.passed), 0)::bigint as passed
                       from stat_exam_class x
                       where x.semester_id = $1
                         and ($2::bigint[] is null or x.site_id = any($2) or x.class_id = any($3::bigint[]))
                         and ($4::bigint is null or x.site_id = $4)) x"#,
        semester,
        wanted.sites(),
        wanted.classes(),
        wanted.site
    )
    .fetch_one(connection)
    .await?)
}

/// Who signed in from a day on to another.
async fn signed_in(connection: &mut PgConnection, wanted: &Wanted, from: NaiveDate, to: NaiveDate) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(distinct l.owner_id) as "people!" from stat_login_day l
           where l.owner_kind = 'student' and l.date between $5 and $1
             and ($2::bigint[] is null or l.site_id = any($2) or l.class_id = any($3::bigint[]))
             and ($4::bigint is null or l.site_id = $4)"#,
        to,
        wanted.sites(),
        wanted.classes(),
        wanted.site,
        from
    )
    .fetch_one(connection)
    .await?)
}

async fn active(connection: &mut PgConnection, wanted: &Wanted) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "active!" from student s
           where s.active and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
             and ($3::bigint is null or s.site_id = $3)"#,
        wanted.sites(),
        wanted.classes(),
        wanted.site
    )
    .fetch_one(connection)
    .await?)
}

/// The active students of a day that is over; none is told of a part of the school.
async fn active_on(connection: &mut PgConnection, wanted: &Wanted, day: NaiveDate) -> Result<Option<i64>> {
    if !wanted.is_whole() {
        return Ok(None);
    }
    let kept = sqlx::query_scalar!("select active_students from stat_school_day where date = $1", day)
        .fetch_optional(connection)
        .await?;
    Ok(kept.map(i64::from))
}

async fn figures(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<Figure>> {
    let day = wanted.day;
    let now_active = if day == wanted.today {
        Some(active(connection, wanted).await?)
    } else {
        active_on(connection, wanted, day).await?
    };
    let then_active = active_on(connection, wanted, back(day, SHOWN_DAYS)).await?;
    let year = of_year(connection, wanted, day.year()).await?;
    let last_year = of_year(connection, wanted, day.year() - 1).await?;
    let before = sqlx::query_scalar!(
        "select id from semester where starts_on < (select e.starts_on from semester e where e.id = $1)
         order by starts_on desc limit 1",
        wanted.semester
    )
    .fetch_optional(&mut *connection)
    .await?;
    let term = of_semester(connection, wanted, wanted.semester).await?;
    let last_term = match before {
        Some(before) => Some(of_semester(connection, wanted, before).await?),
        None => None,
    };
    let week = signed_in(connection, wanted, back(day, WEEK - 1), day).await?;
    let week_before = signed_in(connection, wanted, back(day, 2 * WEEK - 1), back(day, WEEK)).await?;
    let figure = |key, title, unit, help, now, before| Figure { key, title, unit, help, now, before, few: [false; 2] };
    let few = |of: fn(&OfSemester) -> i64| {
        let is = |people: i64| wanted.least.is_some_and(|least| people < least);
        [is(of(&term)), last_term.as_ref().is_some_and(|term| is(of(term)))]
    };
    let last = |value: fn(&OfSemester) -> Option<f64>| last_term.as_ref().and_then(value);
    let progress: fn(&OfSemester) -> Option<f64> = |term| rates::mean(term.progress_sum, term.roster);
    let handed: fn(&OfSemester) -> Option<f64> = |term| rates::percent(term.handed, term.should);
    let passed: fn(&OfSemester) -> Option<f64> = |term| rates::percent(term.passed, term.sat);
    let rate = |people| now_active.and_then(|active| rates::percent(people, active));
    Ok(vec![
        figure(
            "active",
            "在籍学生",
            "人",
            "待注册、在籍、休学、超学制；上期为30天前",
            now_active.and_then(of),
            then_active.and_then(of),
        ),
        figure(
            "admitted",
            "本年录取",
            "人",
            "本年年级的录取，不含已取消；上期为上一年",
            of(year.admitted),
            of(last_year.admitted),
        ),
        figure("reported", "本年报到", "人", "本年年级的报到；上期为上一年", of(year.reported), of(last_year.reported)),
        figure(
            "accepted",
            "本年注册",
            "人",
            "本年年级中学信网已接受的；上期为上一年",
            of(year.accepted),
            of(last_year.accepted),
        ),
        figure(
            "openings",
            "本学期开课门次",
            "门次",
            "有应学学生的开课；上期为上一学期",
            of(term.openings),
            last(|term| of(term.openings)),
        ),
        figure(
            "roster",
            "应学人次",
            "人次",
            "本学期已选课的在籍学生人次；上期为上一学期",
            of(term.roster),
            last(|term| of(term.roster)),
        ),
        Figure {
            few: few(|term| term.roster),
            ..figure(
                "avgProgress",
                "平均进度",
                "%",
                "进度之和÷应学人次；上期为上一学期",
                progress(&term),
                last(progress),
            )
        },
        figure("handRate", "作业提交率", "%", "已交÷应交；上期为上一学期", handed(&term), last(handed)),
        Figure {
            few: few(|term| term.sat),
            ..figure(
                "passRate",
                "考试及格率",
                "%",
                "及格÷（考生－免考－缓考）；上期为上一学期",
                passed(&term),
                last(passed),
            )
        },
        figure(
            "loginRate",
            "登录率(7天)",
            "%",
            "最近7天登录的不同学生÷在籍；上期为此前7天",
            rate(week),
            rate(week_before),
        ),
        figure(
            "graduated",
            "本年毕业",
            "人",
            "本年生效的毕业；上期为上一年",
            of(year.graduated),
            of(last_year.graduated),
        ),
    ])
}

impl Figure {
    /// As whoever asks is told it: now, and before.
    fn told(&self) -> [Option<f64>; 2] {
        let [few_now, few_before] = self.few;
        [self.now.filter(|_| !few_now), self.before.filter(|_| !few_before)]
    }

    fn shown(&self, value: Option<f64>, few: bool, least: Option<i64>) -> StatCell {
        match least {
            Some(least) if few => cell::hidden(least),
            _ => cell::text(value.map(|value| {
                if self.unit == "%" { format!("{value:.1}%") } else { format!("{value:.0}{}", self.unit) }
            })),
        }
    }
}

pub(super) async fn found(connection: &mut PgConnection, wanted: &Wanted) -> Result<Found> {
    let rows = figures(connection, wanted).await?.into_iter().zip(1..).map(|(figure, place)| {
        let [now, before] = figure.told();
        let change = now.zip(before).map(|(now, before)| {
            let change = now - before;
            let sign = if change > 0.0 { "+" } else { "" };
            if figure.unit == "%" { format!("{sign}{change:.1}") } else { format!("{sign}{change:.0}") }
        });
        let cells = vec![
            figure.shown(now, figure.few[0], wanted.least),
            figure.shown(before, figure.few[1], wanted.least),
            cell::text(change),
            cell::text(Some(figure.help.to_owned())),
        ];
        StatRow::new(place, figure.title, cells)
    });
    let rows: Vec<StatRow> = rows.collect();
    Ok(Found { total_count: i64::try_from(rows.len()).unwrap_or(i64::MAX), rows, total: None })
}

pub(super) async fn cards(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<StatCard>> {
    let figures = figures(connection, wanted).await?.into_iter();
    Ok(figures
        .map(|figure| {
            let [now, before] = figure.told();
            StatCard { compare: before, ..card(figure.key, figure.title, now, figure.unit, figure.help) }
        })
        .collect())
}

pub(super) async fn charts(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<StatChart>> {
    let days = sqlx::query!(
        r#"select d.date as "date!", sum(d.learners)::bigint as "learners!", sum(d.login_students)::bigint as "signed_in!"
           from stat_class_day d
           where d.course_id = 0 and d.date between $5 and $1
             and ($2::bigint[] is null or d.site_id = any($2) or d.class_id = any($3::bigint[]))
             and ($4::bigint is null or d.site_id = $4)
           group by d.date order by d.date"#,
        wanted.day,
        wanted.sites(),
        wanted.classes(),
        wanted.site,
        back(wanted.day, SHOWN_DAYS - 1)
    )
    .fetch_all(&mut *connection)
    .await?;
    let learners = days.iter().map(|day| counted(day.date.to_string(), day.learners)).collect();
    let signed_in = days.iter().map(|day| counted(day.date.to_string(), day.signed_in)).collect();
    let mut charts = vec![chart(
        "days",
        "近30天学习与登录",
        (StatChartKind::Line, "人"),
        vec![("学习人数", learners), ("登录人数", signed_in)],
    )];
    if wanted.is_whole() {
        let kept = sqlx::query!(
            "select date, active_students, pre_registrations, admissions, reported from stat_school_day
             where date between $1 and $2 order by date",
            back(wanted.day, SHOWN_DAYS - 1),
            wanted.day
        )
        .fetch_all(connection)
        .await?;
        let active = kept.iter().map(|day| counted(day.date.to_string(), day.active_students.into()));
        charts.push(chart("active", "在籍学生", (StatChartKind::Line, "人"), vec![("在籍学生", active.collect())]));
        let pre = kept.iter().map(|day| counted(day.date.to_string(), day.pre_registrations.into())).collect();
        let admitted = kept.iter().map(|day| counted(day.date.to_string(), day.admissions.into())).collect();
        let reported = kept.iter().map(|day| counted(day.date.to_string(), day.reported.into())).collect();
        let series = vec![("预报名", pre), ("录取", admitted), ("报到", reported)];
        charts.push(chart("entries", "每日新增", (StatChartKind::Line, "人"), series));
    }
    Ok(charts)
}

const OF_SCHOOL: [Col; 9] = [
    count("active", "在籍", "最近一次上报的在籍学生"),
    count("admitted", "本年录取", "本年年级的录取"),
    count("graduated", "本年毕业", "本年生效的毕业"),
    count("roster", "应学人次", "当前学期"),
    crate::table::decimal("avgProgress", "平均进度", "进度之和÷应学人次"),
    percent("handRate", "作业提交率", "已交÷应交"),
    percent("passRate", "考试及格率", "及格÷（考生－免考－缓考）"),
    count("signedIn", "当日登录人数", "最近一次上报当日登录的学生"),
    text("date", "上报日期"),
];

/// A row of each school of an operator, of what the schools publish: 概况, or with 学籍统计 the register.
///
/// # Errors
/// 422 for a report that is told of one school alone.
pub(super) async fn schools<P: Permission<Realm = EachSchool>>(
    caller: &Allowed<P>,
    filter: &ReportFilter,
) -> Result<OfSchools> {
    let report = filter.report.ok_or_else(unnamed)?;
    let own = [filter.semester_id, filter.course_id, filter.grade_id, filter.site_id];
    let narrow = own.iter().any(Option::is_some) || filter.dimension.is_some();
    if narrow || !matches!(report, StatReport::Overview | StatReport::Status) {
        return Err(Error::field("schoolId", "请选择院校"));
    }
    let now = caller.app().clock().now();
    let day = filter.date.unwrap_or_else(|| now.date_naive());
    let mut tx = caller.platform().await?;
    let rows = sqlx::query!(
        r#"select s.id as "id!", s.name as "name!", d.date as "date?", d.students_by_status as "statuses?", coalesce(d.active_students, 0) as "active!",
                  coalesce(d.admitted_of_year, 0) as "admitted!", coalesce(d.graduated_of_year, 0) as "graduated!",
                  coalesce(d.login_students, 0) as "signed_in!", t.roster as "roster!", t.progress_sum as "progress_sum!",
                  t.should as "should!", t.handed as "handed!", t.sat as "sat!", t.passed as "passed!"
           from platform.school s
           join platform.sys_user u on u.id = $1
           left join lateral (
               select x.date, x.students_by_status, x.active_students, x.admitted_of_year, x.graduated_of_year, x.login_students
               from platform.stat_school_day x where x.school_id = s.id and x.date <= $2 order by x.date desc limit 1) d on true
           cross join lateral (
               select coalesce(sum(x.roster), 0)::bigint as roster, coalesce(sum(x.progress_sum), 0)::bigint as progress_sum,
                      coalesce(sum(x.hw_should), 0)::bigint as should, coalesce(sum(x.hw_handed), 0)::bigint as handed,
                      coalesce(sum(x.enrolled - x.exempt - x.deferred), 0)::bigint as sat,
                      coalesce(sum(x.passed), 0)::bigint as passed
               from platform.stat_school_term x where x.school_id = s.id and x.kind = 'total' and x.is_current) t
           where s.deleted_at is null and s.provision_state = 'ready' and s.status in ('trial', 'active')
             and (u.school_scope = 'all' or exists (
                  select from platform.sys_user_school b where b.user_id = u.id and b.school_id = s.id and b.enabled))
           order by coalesce(d.active_students, 0) desc, s.code"#,
        caller.user_id(),
        day
    )
    .fetch_all(&mut *tx)
    .await?;
    let notices = schools::left_out(&mut tx, caller.user_id()).await?;
    let shown: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let as_of = schools::published_until(&mut tx, &shown, now).await?;
    let total_count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    if report == StatReport::Status {
        let of_status = |statuses: &Option<serde_json::Value>| {
            super::status::STATUSES
                .map(|(status, _)| statuses.as_ref().and_then(|found| found[status].as_i64()).unwrap_or(0))
        };
        let mut sums = [0; super::status::STATUSES.len()];
        let mut all = Vec::with_capacity(rows.len());
        for row in rows {
            let numbers = of_status(&row.statuses);
            for (sum, number) in sums.iter_mut().zip(numbers) {
                *sum += number;
            }
            let mut cells = super::status::numbers(&numbers);
            cells.push(cell::text(row.date.map(|date| date.to_string())));
            all.push(StatRow::new(row.id, row.name.clone(), cells).of_school(row.id, row.name));
        }
        let total = (total_count > 0).then(|| StatRow::total(super::status::numbers(&sums)));
        let found = Found { total_count, rows: all, total };
        return Ok(OfSchools { columns: &super::status::OF_SCHOOL, found, as_of, notices });
    }
    let (mut active, mut admitted, mut graduated, mut signed_in) = (0, 0, 0, 0);
    let mut sums = OfSemester::default();
    let mut all = Vec::with_capacity(rows.len());
    let told = |[active, admitted, graduated, signed_in]: [i64; 4], term: &OfSemester, date: Option<NaiveDate>| {
        vec![
            cell::count(active),
            cell::count(admitted),
            cell::count(graduated),
            cell::count(term.roster),
            crate::screen::told(term.roster, Some(schools::LEAST), cell::mean(term.progress_sum, term.roster)),
            cell::percent(term.handed, term.should),
            crate::screen::told(term.sat, Some(schools::LEAST), cell::percent(term.passed, term.sat)),
            cell::count(signed_in),
            cell::text(date.map(|date| date.to_string())),
        ]
    };
    for row in rows {
        let term = OfSemester {
            openings: 0,
            roster: row.roster,
            progress_sum: row.progress_sum,
            should: row.should,
            handed: row.handed,
            sat: row.sat,
            passed: row.passed,
        };
        let numbers: [i64; 4] = [row.active.into(), row.admitted.into(), row.graduated.into(), row.signed_in.into()];
        let cells = told(numbers, &term, row.date);
        active += numbers[0];
        admitted += numbers[1];
        graduated += numbers[2];
        signed_in += numbers[3];
        sums.roster += term.roster;
        sums.progress_sum += term.progress_sum;
        sums.should += term.should;
        sums.handed += term.handed;
        sums.sat += term.sat;
        sums.passed += term.passed;
        all.push(StatRow::new(row.id, row.name.clone(), cells).of_school(row.id, row.name));
    }
    let total = (total_count > 0).then(|| StatRow::total(told([active, admitted, graduated, signed_in], &sums, None)));
    let found = Found { total_count, rows: all, total };
    Ok(OfSchools { columns: &OF_SCHOOL, found, as_of, notices })
}
