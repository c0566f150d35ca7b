//! Opening schools, and changing the structure of a thousand.

use std::{
    borrow::Cow,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    time::{Duration, Instant},
};

use infra::{App, migrate};
use openapi::{modules, server, upgrade};
use sqlx::{
    AssertSqlSafe, Executor, SqlSafeStr,
    migrate::{Migration, MigrationType},
};

use crate::{
    Anything,
    place::{open, post, token},
    row,
};

const SCHOOLS: usize = 1_000;

pub async fn open_one(app: &App) -> Result<(), Anything> {
    let number: i64 = sqlx::query_scalar("select count(*) from platform.school").fetch_one(app.db().owner()).await?;
    let started = Instant::now();
    open(app, &format!("b{number}"), &format!("新院校{number}")).await?;
    row("new school, call to ready", started.elapsed(), Duration::from_secs(1), 1.0);
    Ok(())
}

/// Nothing to do, and one more column, over 1,000 schools, while somebody works in one of them.
pub async fn migrations(app: &App) -> Result<(), Anything> {
    let owner = app.db().owner();
    let mut existing: Vec<i64> =
        sqlx::query_scalar("select id from platform.school where provision_state = 'ready' order by id")
            .fetch_all(owner)
            .await?;
    while existing.len() < SCHOOLS {
        existing.push(open(app, &format!("m{}", existing.len()), &format!("院校{}", existing.len())).await?);
    }
    let started = Instant::now();
    upgrade::run(app.db(), &modules::modules(), |_, _| {}).await?;
    row(&format!("migrate, nothing to do, {} schools", existing.len()), started.elapsed(), Duration::from_secs(1), 1.0);

    let mut files: Vec<Migration> = migrate::SCHOOL.iter().cloned().collect();
    let version = files.iter().map(|file| file.version).max().unwrap_or(0) + 1;
    let sql = AssertSqlSafe("alter table student add column measured text").into_sql_str();
    files.push(Migration::new(version, Cow::Borrowed("measured"), MigrationType::Simple, sql, false));
    let added = migrate::Migrator::with_migrations(files);
    let (endpoint, token) = (server::endpoint(app), token(app, existing[0]).await?);
    let (ended, calls, failed) = (AtomicBool::new(false), AtomicU32::new(0), AtomicU32::new(0));
    let working = async {
        while !ended.load(Ordering::Relaxed) {
            calls.fetch_add(1, Ordering::Relaxed);
            if post(&endpoint, &token, "/adult/pc/studentRoll/list", "{}").await.is_err() {
                failed.fetch_add(1, Ordering::Relaxed);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let mut report = upgrade::Report::default();
    let migrating = async {
        let started = Instant::now();
        let outcome = upgrade::schools(app.db(), app.modules(), &added, &mut report, |_, _| {}).await;
        ended.store(true, Ordering::Relaxed);
        outcome.map(|()| started.elapsed())
    };
    let ((), took) = tokio::join!(working, migrating);
    row(&format!("migrate, one column, {} schools", existing.len()), took?, Duration::from_secs(60), 1.0);
    println!(
        "    {} schools migrated, {} failed; {} of {} calls beside it failed",
        report.schools_migrated,
        report.failed.len(),
        failed.into_inner(),
        calls.into_inner()
    );
    // As it was, so that the next run finds the schools of this server.
    let target = migrate::target(&migrate::SCHOOL);
    for id in existing {
        owner
            .execute(AssertSqlSafe(format!(
                "alter table school_{id}.student drop column if exists measured;
                 delete from school_{id}._sqlx_migrations where version = {version}"
            )))
            .await?;
    }
    sqlx::query("update platform.school set schema_version = $1, schema_checksum = $2 where schema_version = $3")
        .bind(target.version)
        .bind(&target.checksum)
        .bind(version)
        .execute(owner)
        .await?;
    Ok(())
}
