//! The operators' page: schools, what they add up to, who signed in, what failed; [`site`] adds what their own site sells and asks.

use std::{collections::BTreeMap, sync::Arc};

use infra::{Allowed, Result, clock::Clock};
use serde_json::Value;
use sqlx::PgConnection;

use crate::{
    dashboard::ViewPlatformDashboard,
    figures::{
        BEYOND, BEYOND_DAYS, Card, Chart, ChartKind, DAYS, Figures, NeedySchool, PLAIN_VIEW, Point, STATUSES, Series,
        Todo, by_day,
    },
    remembered::{self, Whose},
    site,
};

const SCHOOLS: &str = "/sys/school/list";
pub(crate) const SCHOOLS_CODE: &str = "system:pc:sys:school:list";
/// Whom a line of sign-ins stands for, as the login log knows them; the operators' own first.
pub(crate) const KINDS: [(&str, &str); 5] =
    [("platform", "平台人员"), ("school", "院校人员"), ("student", "学生"), ("teacher", "教师"), ("site", "站点人员")];
/// The customers of the operators' own site, who are no school's.
const LEARNERS: (&str, &str) = ("learner", "学员");
/// Schools that are named in the chart.
const TOP: usize = 10;

/// `with_demo`: whether demonstration schools count; without a word they do in a database made for demonstration.
pub(crate) async fn figures(
    caller: &Allowed<ViewPlatformDashboard>,
    refresh: bool,
    with_demo: Option<bool>,
) -> Result<Arc<Figures>> {
    let mut tx = caller.read().await?;
    let demo = demo_counts(&mut tx, with_demo).await?;
    let reach = sqlx::query_scalar!(
        "select case when u.school_scope <> 'all' or $2 then array(
             select s.id from platform.school s where not (s.demo and $2) and (u.school_scope = 'all' or exists (
                 select from platform.sys_user_school b where b.user_id = u.id and b.school_id = s.id and b.enabled)) order by 1) end
         from platform.sys_user u where u.id = $1",
        caller.user_id(),
        demo == Some(false)
    )
    .fetch_one(&mut *tx)
    .await?;
    let until =
        sqlx::query_scalar!("select max(computed_at) from platform.overview_school").fetch_one(&mut *tx).await?;
    let whose = Whose::Operators(reach.clone(), until, demo);
    remembered::figures(caller.app(), whose, refresh, async {
        let (cards, charts) = of_schools(&mut tx, reach.as_deref(), demo).await?;
        let mut figures = Figures {
            computed_at: caller.app().clock().now(),
            data_until: until,
            demo,
            cards,
            charts,
            todos: todos(&mut tx, reach.as_deref(), caller.app().clock()).await?,
            setup: Vec::new(),
            schools: needy(&mut tx, reach.as_deref(), caller.app().clock()).await?,
            calendar: None,
        };
        sign_ins(&mut tx, reach.as_deref(), caller.app().clock().today(), &mut figures).await?;
        published(&mut tx, reach.as_deref(), &mut figures).await?;
        site::add(&mut tx, caller.app().clock().today(), &mut figures).await?;
        Ok(figures)
    })
    .await
}

/// Whether demonstration schools count; none where there is none.
async fn demo_counts(tx: &mut PgConnection, asked: Option<bool>) -> Result<Option<bool>> {
    let known = sqlx::query!(
        r#"select exists (select from platform.school where demo and deleted_at is null) as "any!",
                  exists (select from platform.demonstration) as "usual!""#
    )
    .fetch_one(tx)
    .await?;
    Ok(known.any.then(|| asked.unwrap_or(known.usual)))
}

type Reach<'r> = Option<&'r [i64]>;

async fn of_schools(tx: &mut PgConnection, reach: Reach<'_>, demo: Option<bool>) -> Result<(Vec<Card>, Vec<Chart>)> {
    let counts = sqlx::query!(
        r#"select count(*) filter (where status = 'active') as "active!", count(*) filter (where status = 'trial') as "trial!",
                  count(*) filter (where status = 'suspended') as "suspended!"
           from platform.school where deleted_at is null and ($1::bigint[] is null or id = any($1))"#,
        reach
    )
    .fetch_one(&mut *tx)
    .await?;
    let schools = sqlx::query!(
        "select s.code, s.name, o.active_students, o.students_by_status, o.students_by_level
         from platform.overview_school o
         join platform.school s on s.id = o.school_id and s.deleted_at is null and s.status in ('trial', 'active')
         where $1::bigint[] is null or s.id = any($1)
         order by o.active_students desc, s.code",
        reach
    )
    .fetch_all(tx)
    .await?;
    let without = if demo == Some(false) { "&demo=false" } else { "" };
    let card = |key: &str, title: &str, value: i64, status: &str| {
        let help = format!("状态为{}的院校", title.trim_end_matches("院校"));
        Card::new(key, title, value, "所", &help).leads_to(format!("{SCHOOLS}?status={status}{without}"))
    };
    let mut cards = vec![
        card("activeSchools", "正常院校", counts.active, "active"),
        card("trialSchools", "试用院校", counts.trial, "trial"),
        card("suspendedSchools", "停用院校", counts.suspended, "suspended"),
    ];
    if schools.is_empty() {
        return Ok((cards, Vec::new()));
    }
    let students = schools.iter().map(|school| school.active_students).sum();
    let help = "各院校学籍状态为待注册、在籍、休学、超学制的学生之和，停用院校不计";
    cards.push(Card::new("activeStudents", "在籍学生", students, "人", help));
    let top = schools
        .iter()
        .take(TOP)
        .map(|school| Point {
            name: school.name.clone(),
            value: school.active_students,
            link: Some(format!("{SCHOOLS}?keyword={}", school.code)),
        })
        .collect();
    let by_status = sums(schools.iter().map(|school| &school.students_by_status));
    let by_level = sums(schools.iter().map(|school| &school.students_by_level));
    let status_points = STATUSES
        .iter()
        .filter_map(|(status, zh)| by_status.get(*status).map(|count| (*zh, *count)))
        .map(|(zh, value)| Point { name: zh.to_owned(), value, link: None })
        .collect();
    let charts = vec![
        Chart::new("studentsBySchool", "在籍学生（前10所院校）", ChartKind::Bar, "人", help, series("在籍学生", top)),
        Chart::new(
            "studentsByStatus",
            "学生学籍状态",
            ChartKind::Bar,
            "人",
            "各院校全部学生",
            series("学生", status_points),
        ),
        Chart::new(
            "studentsByLevel",
            "在籍学生层次",
            ChartKind::Pie,
            "人",
            help,
            series("在籍学生", largest(by_level)),
        )
        .out_of(students),
    ];
    Ok((cards, charts))
}

fn series(name: &str, points: Vec<Point>) -> Vec<Series> {
    vec![Series { name: name.to_owned(), points }]
}

fn sums<'v>(values: impl Iterator<Item = &'v Value>) -> BTreeMap<String, i64> {
    let mut sums = BTreeMap::new();
    for (name, count) in values.filter_map(Value::as_object).flatten() {
        *sums.entry(name.clone()).or_insert(0) += count.as_i64().unwrap_or(0);
    }
    sums
}

/// The largest first.
fn largest(sums: BTreeMap<String, i64>) -> Vec<Point> {
    let mut points: Vec<Point> = sums.into_iter().map(|(name, value)| Point { name, value, link: None }).collect();
    points.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.name.cmp(&b.name)));
    points
}

/// Who signed in today and in thirty days, by kind of person.
async fn sign_ins(
    tx: &mut PgConnection,
    reach: Reach<'_>,
    today: chrono::NaiveDate,
    figures: &mut Figures,
) -> Result<()> {
    let from = today - chrono::Duration::days(DAYS - 1);
    let rows = sqlx::query!(
        r#"select (l.at at time zone 'Asia/Shanghai')::date as "day!", coalesce(l.client, u.user_type, 'unknown') as "kind!",
                  count(distinct coalesce(l.user_id::text, l.login_name)) as "people!", count(*) as "times!"
           from platform.login_log l left join platform.sys_user u on u.id = l.user_id
           where l.success and l.event = 'login' and l.at >= ($1::date)::timestamp at time zone 'Asia/Shanghai'
             and ($2::bigint[] is null or l.school_id is null or l.school_id = any($2))
           group by 1, 2"#,
        from,
        reach
    )
    .fetch_all(tx)
    .await?;
    let on = |day: chrono::NaiveDate, kind: &str| {
        rows.iter().filter(|row| row.day == day && row.kind == kind).map(|row| row.people).sum::<i64>()
    };
    let people =
        |day: chrono::NaiveDate| -> i64 { rows.iter().filter(|row| row.day == day).map(|row| row.people).sum() };
    let times = |day: chrono::NaiveDate| -> i64 { rows.iter().filter(|row| row.day == day).map(|row| row.times).sum() };
    let yesterday = today - chrono::Duration::days(1);
    let link = format!("/data/user/log/login/list?event=login&result=succeeded&startsOn={today}&endsOn={today}");
    figures.cards.extend([
        Card::new("signedInToday", "今日登录人数", people(today), "人", "今天登录成功的不同账号")
            .beside(people(yesterday)),
        Card::new("signInsToday", "今日登录次数", times(today), "次", "今天登录成功的次数")
            .beside(times(yesterday))
            .leads_to(link),
    ]);
    figures.charts.push(Chart::new(
        "signIns",
        "近30天登录人数",
        ChartKind::Line,
        "人",
        "每天登录成功的不同账号",
        KINDS.into_iter().chain([LEARNERS]).map(|(kind, zh)| by_day(zh, today, |day| on(day, kind))).collect(),
    ));
    Ok(())
}

/// What the schools published of the year, each by its last day (05 A7).
async fn published(tx: &mut PgConnection, reach: Reach<'_>, figures: &mut Figures) -> Result<()> {
    let sums = sqlx::query!(
        r#"select count(*) as "schools!", coalesce(sum(d.admitted_of_year), 0)::bigint as "admitted!",
                  coalesce(sum(d.graduated_of_year), 0)::bigint as "graduated!"
           from platform.school s
           cross join lateral (
               select x.admitted_of_year, x.graduated_of_year from platform.stat_school_day x
               where x.school_id = s.id order by x.date desc limit 1) d
           where s.deleted_at is null and s.status in ('trial', 'active') and ($1::bigint[] is null or s.id = any($1))"#,
        reach
    )
    .fetch_one(tx)
    .await?;
    if sums.schools > 0 {
        let help = |what: &str| format!("各院校最近一次上报的本年{what}之和，停用院校不计");
        figures.cards.extend([
            Card::new("admittedThisYear", "本年录取", sums.admitted, "人", &help("录取")),
            Card::new("graduatedThisYear", "本年毕业", sums.graduated, "人", &help("毕业")),
        ]);
    }
    Ok(())
}

/// Schools that want something of an operator, the most urgent first.
async fn needy(tx: &mut PgConnection, reach: Reach<'_>, clock: &Clock) -> Result<Vec<NeedySchool>> {
    let today = clock.today();
    let soon = today + chrono::Duration::days(30);
    let rows = sqlx::query!(
        r#"select s.id, s.code, s.name, s.expires_on, s.provision_state = 'failed' as "failed!",
                  coalesce(o.active_students, 0) = 0 as "empty!"
           from platform.school s left join platform.overview_school o on o.school_id = s.id
           where s.deleted_at is null and s.status in ('trial', 'active') and ($1::bigint[] is null or s.id = any($1))
             and (s.provision_state = 'failed' or s.expires_on <= $2 or coalesce(o.active_students, 0) = 0)
           order by s.provision_state = 'failed' desc, s.expires_on nulls last, s.code
           limit 10"#,
        reach,
        soon
    )
    .fetch_all(tx)
    .await?;
    let needs = rows.into_iter().map(|row| {
        let mut reasons = Vec::new();
        if row.failed {
            reasons.push("开通失败".to_owned());
        }
        match row.expires_on {
            Some(ends) if ends < today => reasons.push(format!("{ends}已到期")),
            Some(ends) if ends <= soon => reasons.push(format!("{ends}到期")),
            _ => {}
        }
        if row.empty && !row.failed {
            reasons.push("还没有在籍学生".to_owned());
        }
        NeedySchool { id: row.id, name: row.name, reasons, link: format!("{SCHOOLS}?keyword={}", row.code) }
    });
    Ok(needs.collect())
}

async fn todos(tx: &mut PgConnection, reach: Reach<'_>, clock: &Clock) -> Result<Vec<Todo>> {
    let (now, today) = (clock.now(), clock.today());
    let counts = sqlx::query!(
        r#"select count(*) filter (where expires_on between $2 and $3) as "expiring!",
                  count(*) filter (where expires_on < $2) as "expired!",
                  count(*) filter (where provision_state = 'failed') as "failed!",
                  (select count(*) from platform.job
                   where state = 'failed' and finished_at > now() - interval '7 days') as "jobs!",
                  (select count(*) from platform.support_question
                   where status = 'waiting' and ($1::bigint[] is null or school_id = any($1))) as "asked!",
                  (select count(distinct actor_id) from platform.sys_log
                   where result_code = 429 and path = $4 and at > $5
                     and ($1::bigint[] is null or school_id = any($1))) as "curious!",
                  -- The key is channel_paused:school:channel:hour; 0 is the platform.
                  (select count(distinct (split_part(dedupe_key, ':', 2), split_part(dedupe_key, ':', 3)))
                   from platform.event_outbox
                   where kind = 'message' and name = 'channel_paused' and occurred_at > $6
                     and ($1::bigint[] is null
                          or split_part(dedupe_key, ':', 2) = any (select id::text from unnest($1::bigint[]) id))) as "paused!"
           from platform.school where deleted_at is null and ($1::bigint[] is null or id = any($1))"#,
        reach,
        today,
        today + chrono::Duration::days(30),
        PLAIN_VIEW,
        now - chrono::Duration::days(BEYOND_DAYS),
        now - chrono::Duration::hours(24)
    )
    .fetch_one(tx)
    .await?;
    let todo = |key: &str, title: &str, count: i64, link: String, code: &str| Todo::new(key, title, count, link, code);
    Ok(vec![
        todo(
            "expiringSchools",
            "30天内到期的院校",
            counts.expiring,
            format!("{SCHOOLS}?expiry=within_30_days"),
            SCHOOLS_CODE,
        ),
        todo("expiredSchools", "已到期的院校", counts.expired, format!("{SCHOOLS}?expiry=expired"), SCHOOLS_CODE),
        todo(
            "failedSchools",
            "开通失败的院校",
            counts.failed,
            format!("{SCHOOLS}?provisionState=failed"),
            SCHOOLS_CODE,
        ),
        todo(
            "pausedChannels",
            "24小时内暂停过的发送通道",
            counts.paused,
            "/user/msg/failureLog".to_owned(),
            "user:pc:msg:failureLog",
        ),
        todo("failedJobs", "7天内失败的任务", counts.jobs, "/druid/index?tab=job".to_owned(), "data:pc:druid:view"),
        todo(
            "waitingStaffQuestions",
            "待回复的院校咨询",
            counts.asked,
            "/platformPC/supportCenter/schoolSupport?tab=questions&status=waiting".to_owned(),
            "system:pc:support:school:question:list",
        ),
        todo(
            "plainViewsBeyond",
            "7天内查看敏感信息超过上限的人员",
            counts.curious,
            format!("/data/sys/log/list?{BEYOND}"),
            "data:pc:sys:log:list",
        ),
    ])
}
