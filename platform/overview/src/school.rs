//! A school's page: its register within the person's data scope, its calendar, who of its people signed in.

use std::{collections::BTreeMap, sync::Arc};

use infra::{Allowed, ReadTx, Result, Scope, clock::Moment};

use crate::{
    dashboard::ViewSchoolDashboard,
    figures::{
        BEYOND, BEYOND_DAYS, Calendar, Card, Chart, ChartKind, DAYS, Figures, PLAIN_VIEW, Point, STATUSES, Series,
        Todo, by_day,
    },
    platform::KINDS,
    remembered::{self, Whose},
};

const STUDENTS: &str = "/schoolPC/studentStatus/studentRoll/BeRegistered";
/// The list's filter for students in the register, whom the figures count by `student.active`.
const ACTIVE: &str = "status=pending_registration,registered,suspended,expired";
const APPLICANTS: &str = "/schoolPC/recruitStudents/preRegistration/preRegistrationList";
const STUDENTS_CODE: &str = "adult:pc:studentRoll:list";
/// Sites and majors that are named in a chart.
const TOP: usize = 10;

pub(crate) async fn figures(caller: &Allowed<ViewSchoolDashboard>, refresh: bool) -> Result<Arc<Figures>> {
    let scope = caller.scope();
    let seen = (!scope.is_whole()).then(|| {
        let sorted = |ids: Option<&[i64]>| {
            let mut ids = ids.unwrap_or_default().to_vec();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        (sorted(scope.sites()), sorted(scope.classes()))
    });
    let school = caller.session.school_id.unwrap_or_default();
    remembered::figures(caller.app(), Whose::School(school, seen), refresh, async {
        let today = caller.app().clock().today();
        let mut tx = caller.read().await?;
        let mut figures = register(&mut tx, &scope).await?;
        applicants(&mut tx, &scope, caller.app().clock().now(), &mut figures).await?;
        figures.computed_at = caller.app().clock().now();
        figures.calendar = calendar(&mut tx, today).await?;
        drop(tx);
        if scope.is_whole() {
            // Staff have no site: who sees a part of the school sees nobody's sign-ins.
            let mut platform = caller.platform().await?;
            sign_ins(&mut platform, school, today, &mut figures).await?;
            figures.todos.push(beyond(&mut platform, school, caller.app().clock().now()).await?);
        }
        Ok(figures)
    })
    .await
}

/// One walk over the register, and the names of what it found.
async fn register(tx: &mut ReadTx, scope: &Scope) -> Result<Figures> {
    let rows = sqlx::query!(
        r#"select status as "status?", site_id as "site?", major_id as "major?", count(*) as "all!",
                  count(*) filter (where active) as "active!"
           from student
           where $1::bigint[] is null or site_id = any($1) or class_id = any($2::bigint[])
           group by grouping sets ((status), (site_id), (major_id))"#,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    let by_status: BTreeMap<&str, i64> =
        rows.iter().filter_map(|row| Some((row.status.as_deref()?, row.all))).collect();
    let of = |status: &str| by_status.get(status).copied().unwrap_or(0);
    let active = rows.iter().filter(|row| row.status.is_some()).map(|row| row.active).sum();
    let places = sqlx::query!(
        r#"select (select count(*) from site s where $1::bigint[] is null or s.id = any($1)
                       or exists (select from class c where c.site_id = s.id and c.id = any($2::bigint[]))) as "sites!",
                  (select count(*) from class c
                   where $1::bigint[] is null or c.site_id = any($1) or c.id = any($2::bigint[])) as "classes!""#,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut **tx)
    .await?;
    let cards = vec![
        Card::new("activeStudents", "在籍学生", active, "人", "学籍状态为待注册、在籍、休学、超学制的学生")
            .leads_to(format!("{STUDENTS}?{ACTIVE}")),
        Card::new("registeredStudents", "已注册学生", of("registered"), "人", "学籍状态为在籍的学生")
            .leads_to(format!("{STUDENTS}?scope=registered")),
        Card::new("pendingStudents", "未注册", of("pending_registration"), "人", "学籍状态为待注册的学生")
            .leads_to(format!("{STUDENTS}?scope=pending_registration")),
        Card::new("sites", "教学站点", places.sites, "个", "全部教学站点，含停招和撤销")
            .leads_to("/schoolPC/basicData/site"),
        Card::new("classes", "班级", places.classes, "个", "全部班级").leads_to("/schoolPC/basicData/classes"),
    ];
    let status_points = STATUSES
        .iter()
        .filter(|(status, _)| of(status) > 0)
        .map(|(status, zh)| Point {
            name: (*zh).to_owned(),
            value: of(status),
            link: Some(format!("{STUDENTS}?status={status}")),
        })
        .collect();
    let sites = top(rows.iter().filter_map(|row| Some((row.site?, row.active))));
    let majors = top(rows.iter().filter_map(|row| Some((row.major?, row.active))));
    let (site_ids, major_ids): (Vec<i64>, Vec<i64>) =
        (sites.iter().map(|(id, _)| *id).collect(), majors.iter().map(|(id, _)| *id).collect());
    let site_names: BTreeMap<i64, String> = sqlx::query!("select id, name from site where id = any($1)", &site_ids)
        .fetch_all(&mut **tx)
        .await?
        .into_iter()
        .map(|row| (row.id, row.name))
        .collect();
    let major_names: BTreeMap<i64, String> = sqlx::query!(
        "select m.id, m.name, l.name as level from major m join level l on l.id = m.level_id where m.id = any($1)",
        &major_ids
    )
    .fetch_all(&mut **tx)
    .await?
    .into_iter()
    .map(|row| (row.id, format!("{}（{}）", row.name, row.level)))
    .collect();
    let points = |top: &[(i64, i64)], names: &BTreeMap<i64, String>, filter: &str| {
        top.iter()
            .map(|(id, value)| Point {
                name: names.get(id).cloned().unwrap_or_default(),
                value: *value,
                link: Some(format!("{STUDENTS}?{filter}={id}&{ACTIVE}")),
            })
            .collect()
    };
    let help = "学籍状态为待注册、在籍、休学、超学制的学生";
    let series = |name: &str, points: Vec<Point>| vec![Series { name: name.to_owned(), points }];
    let mut charts = vec![
        Chart::new("studentsByStatus", "学生学籍状态", ChartKind::Bar, "人", "全部学生", series("学生", status_points)),
        Chart::new(
            "studentsBySite",
            "在籍学生（前10个站点）",
            ChartKind::Bar,
            "人",
            help,
            series("在籍学生", points(&sites, &site_names, "siteId")),
        ),
        Chart::new(
            "studentsByMajor",
            "在籍学生（前10个专业）",
            ChartKind::Pie,
            "人",
            help,
            series("在籍学生", points(&majors, &major_names, "majorId")),
        ),
    ];
    charts.retain(|chart| chart.series.iter().any(|series| !series.points.is_empty()));
    let todos = vec![Todo {
        key: "pendingStudents".to_owned(),
        title: "待注册的学生".to_owned(),
        count: of("pending_registration"),
        link: format!("{STUDENTS}?scope=pending_registration"),
        code: STUDENTS_CODE.to_owned(),
    }];
    Ok(Figures { computed_at: Moment::default(), data_until: None, demo: None, cards, charts, todos, calendar: None })
}

/// Those who want to study: of the newest batch that is open, and what waits to be audited.
async fn applicants(tx: &mut ReadTx, scope: &Scope, now: Moment, figures: &mut Figures) -> Result<()> {
    let counts = sqlx::query!(
        r#"with newest as (
               select id, name from pre_registration_batch
               where enabled and starts_at <= $2 and ends_at > $2 order by starts_at desc, id desc limit 1)
           select (select name from newest) as batch, (select id from newest) as batch_id,
                  count(*) filter (where status = 'pending') as "pending!",
                  count(*) filter (where batch_id = (select id from newest)) as "entered!"
           from pre_registration
           where deleted_at is null and (status = 'pending' or batch_id = (select id from newest))
             and ($1::bigint[] is null or site_id = any($1))"#,
        scope.sites(),
        now
    )
    .fetch_one(&mut **tx)
    .await?;
    if let (Some(batch), Some(id)) = (counts.batch, counts.batch_id) {
        let help = format!("{batch}中的全部预报名人员");
        figures.cards.push(
            Card::new("applicants", "本批次预报名", counts.entered, "人", &help)
                .leads_to(format!("{APPLICANTS}?batchId={id}")),
        );
    }
    figures.todos.push(Todo {
        key: "pendingApplicants".to_owned(),
        title: "待审核的预报名".to_owned(),
        count: counts.pending,
        link: format!("{APPLICANTS}?status=pending"),
        code: "adult:pc:preRegistration:list".to_owned(),
    });
    Ok(())
}

/// Those who wanted to see more personal values of the school than anybody may in a day (05 E4).
async fn beyond(tx: &mut ReadTx, school: i64, now: Moment) -> Result<Todo> {
    let count = sqlx::query_scalar!(
        r#"select count(distinct actor_id) as "people!" from platform.sys_log
           where result_code = 429 and school_id = $1 and path = $2 and at > $3"#,
        school,
        PLAIN_VIEW,
        now - chrono::Duration::days(BEYOND_DAYS)
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(Todo {
        key: "plainViewsBeyond".to_owned(),
        title: "7天内查看敏感信息超过上限的人员".to_owned(),
        count,
        link: format!("/data/sys/log/userLog?{BEYOND}"),
        code: "data:pc:sys:log:userLog".to_owned(),
    })
}

/// The largest, each with its count.
fn top(counts: impl Iterator<Item = (i64, i64)>) -> Vec<(i64, i64)> {
    let mut counts: Vec<(i64, i64)> = counts.filter(|(_, count)| *count > 0).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    counts.truncate(TOP);
    counts
}

async fn calendar(tx: &mut ReadTx, today: chrono::NaiveDate) -> Result<Option<Calendar>> {
    let current =
        sqlx::query!("select name, starts_on, ends_on from semester where current").fetch_optional(&mut **tx).await?;
    Ok(current.map(|row| Calendar {
        week: term::week_no(row.starts_on, row.ends_on, today),
        // A semester that begins in the middle of a week touches one more.
        weeks: term::week_no(row.starts_on, row.ends_on, row.ends_on)
            .unwrap_or_else(|| term::week_count(row.starts_on, row.ends_on)),
        semester_name: row.name,
        starts_on: row.starts_on,
        ends_on: row.ends_on,
    }))
}

/// The school's own people; who enters for the platform is not counted.
async fn sign_ins(tx: &mut ReadTx, school: i64, today: chrono::NaiveDate, figures: &mut Figures) -> Result<()> {
    let from = today - chrono::Duration::days(DAYS - 1);
    let rows = sqlx::query!(
        r#"select (at at time zone 'Asia/Shanghai')::date as "day!", coalesce(client, 'school') as "kind!",
                  count(distinct coalesce(user_id::text, login_name)) as "people!", count(*) as "times!"
           from platform.login_log
           where school_id = $1 and success and event = 'login'
             and at >= ($2::date)::timestamp at time zone 'Asia/Shanghai'
           group by 1, 2"#,
        school,
        from
    )
    .fetch_all(&mut **tx)
    .await?;
    let on = |day: chrono::NaiveDate, kind: &str| {
        rows.iter().filter(|row| row.day == day && row.kind == kind).map(|row| row.people).sum::<i64>()
    };
    let of_today = || rows.iter().filter(|row| row.day == today);
    let link = format!("/data/user/log/login/list?event=login&result=succeeded&startsOn={today}&endsOn={today}");
    figures.cards.extend([
        Card::new(
            "signedInToday",
            "今日登录人数",
            of_today().map(|row| row.people).sum(),
            "人",
            "今天登录成功的本校人员：院校人员、学生、教师和站点人员",
        ),
        Card::new(
            "signInsToday",
            "今日登录次数",
            of_today().map(|row| row.times).sum(),
            "次",
            "今天本校人员登录成功的次数",
        )
        .leads_to(link),
    ]);
    figures.charts.push(Chart::new(
        "signIns",
        "近30天登录人数",
        ChartKind::Line,
        "人",
        "每天登录成功的不同账号",
        KINDS[1..].iter().map(|(kind, zh)| by_day(zh, today, |day| on(day, kind))).collect(),
    ));
    Ok(())
}
