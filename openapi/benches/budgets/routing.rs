//! What it costs that a request is in one school.

use std::time::Instant;

use infra::{App, tx};
use openapi::server;
use sqlx::{AssertSqlSafe, PgPool};

use crate::{
    Anything, actor, median, memory,
    place::{STUDENTS, open, post, token, with_students},
    row,
};

/// Schools beside each other in the largest measurement of routing.
const SCHOOLS: usize = 1_000;

const COUNT: &str = "select count(*) from student where site_id = $1";
const PAGE: &str =
    "select id, student_no, name from student where site_id = $1 order by created_at desc, id desc limit 20";

/// The same two statements through the tenant's transaction and in a plain transaction with qualified names.
async fn hot(app: &App, school: i64, beside: usize) -> Result<(), Anything> {
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
    row(&format!("routing, one hot school of {beside}, p50"), median(ours), median(bare), 1.15);
    Ok(())
}

/// Routing with 1, 100 and 1,000 schools that all are active, and what a backend of the database holds then.
pub async fn routing(app: &App) -> Result<(), Anything> {
    let school = with_students(app, "bench", STUDENTS).await?;
    let endpoint = server::endpoint(app);
    hot(app, school, 1).await?;
    for wanted in [100, SCHOOLS] {
        let mut ids: Vec<i64> = sqlx::query_scalar(
            "select id from platform.school where code like 'r%' and provision_state = 'ready' order by id",
        )
        .fetch_all(app.db().owner())
        .await?;
        while ids.len() < wanted {
            ids.push(open(app, &format!("r{}", ids.len()), &format!("分院{}", ids.len())).await?);
        }
        // Active: its registrar is signed in and looks at the list of students.
        for id in &ids[..wanted] {
            let token = token(app, *id).await?;
            post(&endpoint, &token, "/adult/pc/studentRoll/list", r#"{"scope":"all"}"#).await?;
        }
        hot(app, school, wanted).await?;
        memory(&format!("a backend of the database, {wanted} active schools"), largest_backend(app).await?, 64.0);
    }
    Ok(())
}

/// Private memory of the largest backend that serves schools, in MB; shared buffers are not its own.
async fn largest_backend(app: &App) -> Result<f64, Anything> {
    let backends: Vec<i32> = sqlx::query_scalar("select pid from pg_stat_activity where usename = $1")
        .bind(app.db().app_role())
        .fetch_all(app.db().owner())
        .await?;
    let mut largest = 0.0_f64;
    for pid in backends {
        let status = tokio::fs::read_to_string(format!("/proc/{pid}/status")).await?;
        let anonymous = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kilobytes: f64 = anonymous.and_then(|text| text.split_whitespace().next()).ok_or("no RssAnon")?.parse()?;
        largest = largest.max(kilobytes / 1024.0);
    }
    Ok(largest)
}
