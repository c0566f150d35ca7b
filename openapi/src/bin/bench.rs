//! `make bench`: what the product costs beside what it stands on, as ratios of one run. Fails nothing.
//!
//! Keeps its database in `target/bench`; `BENCH=name` chooses one of: routing list school migrate.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use accounts::session::{self, NewSession};
use infra::{App, Error, audit::Actor, config::Config, migrate, token::Area, tx};
use openapi::{rooms, server, start, upgrade};
use poem::Endpoint;
use schools::school::NewSchool;
use sqlx::{AssertSqlSafe, Executor, PgPool};

/// Students of the school that lists are measured on.
const STUDENTS: i64 = 200_000;
/// Schools that exist for the migration figures.
const SCHOOLS: usize = 100;

type Anything = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Anything> {
    let chosen = std::env::args().nth(1).unwrap_or_default();
    let wanted = |name: &str| chosen.is_empty() || chosen == name;
    let config = Config { data: PathBuf::from("target/bench"), ..Config::default() };
    let database = start::database(&config).await?;
    upgrade::run(&database.db, &rooms::rooms(), |_, _| {}).await?;
    let app = start::app(config, database.db.clone()).await?;
    let stop = tokio_util::sync::CancellationToken::new();
    let worker = start::worker(&app, &stop);
    let school = prepare(&app).await?;
    println!("{:<44} {:>12} {:>12} {:>8}", "what", "ours", "bare", "ratio");
    if wanted("routing") {
        routing(&app, school).await?;
    }
    if wanted("list") {
        list(&app, school).await?;
    }
    if wanted("school") {
        open_school(&app).await?;
    }
    if wanted("migrate") {
        migrations(&app).await?;
    }
    stop.cancel();
    worker.await?;
    app.close().await;
    database.stop().await?;
    Ok(())
}

fn actor() -> Actor {
    Actor {
        kind: "job".to_owned(),
        id: 0,
        name: "bench".to_owned(),
        on_behalf_of: None,
        ip: "127.0.0.1".to_owned(),
        trace_id: "-".to_owned(),
    }
}

fn row(what: &str, ours: Duration, bare: Duration) {
    let ratio = ours.as_secs_f64() / bare.as_secs_f64();
    println!("{what:<44} {:>9.3} ms {:>9.3} ms {ratio:>8.2}", ours.as_secs_f64() * 1e3, bare.as_secs_f64() * 1e3);
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// A school with 200,000 students; made once.
async fn prepare(app: &App) -> Result<i64, Anything> {
    let mut owner = app.db().owner().acquire().await?;
    let known: Option<i64> =
        sqlx::query_scalar("select id from platform.school where code = 'bench'").fetch_optional(&mut *owner).await?;
    if let Some(id) = known {
        return Ok(id);
    }
    let id = open(app, "bench", "测试大学").await?;
    let schema = format!("school_{id}");
    owner.execute(AssertSqlSafe(format!("set search_path = {schema}, ext"))).await?;
    owner
        .execute(
            "insert into grade (code, name, entry_year, created_by, updated_by) select y::text, y || '级', y, 0, 0 from generate_series(2017, 2026) y;
             insert into level (code, name, entry_level, national_level, schooling_years, max_years, min_hours, created_by, updated_by)
                 values ('ZSB', '专升本', 'associate_to_bachelor', 'bachelor', 2.5, 5, 1600, 0, 0);
             insert into site (code, name, kind, created_by, updated_by) select n::text, '站点' || n, 'headquarter', 0, 0 from generate_series(1, 40) n;
             insert into major (code, name, national_major_id, national_code, national_name, level_id, schooling_years, total_credits, created_by, updated_by)
                 select n::text, '专业' || n, n, n::text, '专业', (select id from level), 2.5, 90, 0, 0 from generate_series(1, 20) n;",
        )
        .await?;
    owner
        .execute(AssertSqlSafe(format!(
            "insert into student (student_no, name, name_grams, pinyin, initials, id_card_no, grade_id, level_id, major_id, study_form,
                 schooling_years, site_id, enrolled_on, expected_graduation_on, max_study_end_on, status, source, created_at, created_by, updated_by)
             select lpad(n::text, 12, '0'), '学生' || n, array['学', '生', '学生'], 'xuesheng', 'xs',
                    '42990019900101' || lpad((n % 1000)::text, 3, '0') || 'X', g.id, l.id, m.id, 'non_full_time', 2.5, s.id,
                    '2024-03-01', '2026-07-10', '2029-02-28', 'graduated', 'legacy', now() - n * interval '1 second', 0, 0
             from generate_series(1, {STUDENTS}) n
             join lateral (select id from grade order by id offset n % 10 limit 1) g on true
             join lateral (select id from major order by id offset n % 20 limit 1) m on true
             join lateral (select id from site order by id offset n % 40 limit 1) s on true
             cross join level l"
        )))
        .await?;
    owner.execute("analyze").await?;
    Ok(id)
}

async fn open(app: &App, code: &str, name: &str) -> Result<i64, Anything> {
    let opened = schools::school::open(
        tx::at_the_server(app, actor()).await?,
        &NewSchool::named(code, name),
        Some("Xian#2026qiu".to_owned()),
    )
    .await?;
    infra::jobs::wake(app);
    for _ in 0..4000 {
        let ready: bool = sqlx::query_scalar("select provision_state = 'ready' from platform.school where id = $1")
            .bind(opened.id)
            .fetch_one(app.db().owner())
            .await?;
        if ready {
            return Ok(opened.id);
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Err(Box::new(Error::conflict("the school was not ready in time")))
}

const COUNT: &str = "select count(*) from student where site_id = $1";
const PAGE: &str =
    "select id, student_no, name from student where site_id = $1 order by created_at desc, id desc limit 20";

/// The same two statements through the tenant's transaction and in a plain transaction with qualified names.
async fn routing(app: &App, school: i64) -> Result<(), Anything> {
    let directory = app.school(school).await?.ok_or("no school")?;
    let pool: &PgPool = app.db().owner();
    let (count, page) = (
        COUNT.replace("from student", &format!("from school_{school}.student")),
        PAGE.replace("from student", &format!("from school_{school}.student")),
    );
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for n in 0..2_000_i64 {
        let started = Instant::now();
        let mut tx = tx::at_the_server_in(app, &directory, actor()).await?;
        sqlx::query(COUNT).bind(n % 40 + 1).fetch_one(&mut *tx).await?;
        sqlx::query(PAGE).bind(n % 40 + 1).fetch_all(&mut *tx).await?;
        tx.commit_untracked("a measurement").await?;
        ours.push(started.elapsed());
        let started = Instant::now();
        let mut tx = pool.begin().await?;
        sqlx::query(AssertSqlSafe(count.clone())).bind(n % 40 + 1).fetch_one(&mut *tx).await?;
        sqlx::query(AssertSqlSafe(page.clone())).bind(n % 40 + 1).fetch_all(&mut *tx).await?;
        tx.commit().await?;
        bare.push(started.elapsed());
    }
    row("routing, one hot school, p50", median(ours), median(bare));
    Ok(())
}

/// The list call over the whole server, beside the time that the database itself spent on it.
async fn list(app: &App, school: i64) -> Result<(), Anything> {
    let token = token(app, school).await?;
    let endpoint = server::endpoint(app);
    let mut owner = app.db().owner().acquire().await?;
    owner.execute("create extension if not exists pg_stat_statements schema ext").await.ok();
    const SPENT: &str = "select coalesce(sum(total_exec_time + total_plan_time), 0) from ext.pg_stat_statements";
    for (name, body) in [
        ("first page", r#"{"scope":"all"}"#.to_owned()),
        ("by site", r#"{"scope":"all","siteId":3}"#.to_owned()),
        ("last page", format!(r#"{{"scope":"all","pageCurrent":{}}}"#, STUDENTS / 20)),
    ] {
        let before: f64 = sqlx::query_scalar(SPENT).fetch_one(&mut *owner).await.unwrap_or(0.0);
        let calls = 200;
        let started = Instant::now();
        for _ in 0..calls {
            let request = poem::Request::builder()
                .method(poem::http::Method::POST)
                .uri_str("/admin/apis/adult/pc/studentRoll/list")
                .header("token", &token)
                .content_type("application/json")
                .body(body.clone());
            let answer = endpoint.get_response(request).await.into_body().into_string().await?;
            if !answer.contains(r#""code":200"#) {
                return Err(answer.into());
            }
        }
        let ours = started.elapsed() / calls;
        let after: f64 = sqlx::query_scalar(SPENT).fetch_one(&mut *owner).await.unwrap_or(0.0);
        let database = Duration::from_secs_f64((after - before).max(1.0) / 1e3 / f64::from(calls));
        row(&format!("student list, {name} of 200,000"), ours, database);
    }
    Ok(())
}

/// A session of somebody with every right in the school.
async fn token(app: &App, school: i64) -> Result<String, Anything> {
    let mut tx = tx::at_the_server(app, actor()).await?;
    let now = app.clock().now();
    let user: i64 = sqlx::query_scalar("select user_id from platform.sys_user_school where school_id = $1")
        .bind(school)
        .fetch_one(&mut *tx)
        .await?;
    sqlx::query("update platform.sys_user set must_change_password = false where id = $1")
        .bind(user)
        .execute(&mut *tx)
        .await?;
    let new = NewSession {
        user_id: user,
        area: Area::School,
        school_id: Some(school),
        below: None,
        act: None,
        reason: None,
        read_only: false,
        expires_at: now + chrono::Duration::hours(1),
    };
    let token = session::open(&mut tx, &infra::http::Visit::default(), new, now).await?;
    tx.commit_untracked("a measurement").await?;
    Ok(token)
}

async fn open_school(app: &App) -> Result<(), Anything> {
    let started = Instant::now();
    let number: i64 = sqlx::query_scalar("select count(*) from platform.school").fetch_one(app.db().owner()).await?;
    open(app, &format!("b{number}"), &format!("新院校{number}")).await?;
    row("new school, call to ready", started.elapsed(), Duration::from_secs(1));
    Ok(())
}

/// No-op over the schools that exist (each must be left untouched).
async fn migrations(app: &App) -> Result<(), Anything> {
    let mut existing: i64 =
        sqlx::query_scalar("select count(*) from platform.school").fetch_one(app.db().owner()).await?;
    while existing < SCHOOLS as i64 {
        open(app, &format!("m{existing}"), &format!("院校{existing}")).await?;
        existing += 1;
    }
    let started = Instant::now();
    upgrade::run(app.db(), &rooms::rooms(), |_, _| {}).await?;
    row(&format!("migrate, nothing to do, {existing} schools"), started.elapsed(), Duration::from_secs(1));
    let mut owner = app.db().owner().acquire().await?;
    let started = Instant::now();
    for n in 0..10 {
        migrate::run(&mut owner, &format!("school_{}", n + 1), &migrate::SCHOOL).await?;
    }
    row("one school that is current, looked at", started.elapsed() / 10, Duration::from_millis(6));
    Ok(())
}
