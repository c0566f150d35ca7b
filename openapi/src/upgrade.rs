//! `migrate`: roles, the platform's schema, what ships with the server, then every school that is behind.

use std::collections::BTreeMap;

use futures_util::{StreamExt, stream};
use infra::{
    db::{Db, PLATFORM_ROLE},
    migrate::{self, MigrateError, Migrator},
    module::Modules,
};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

/// Schools that are migrated beside each other: the work is the database's, and it has few cores.
const AT_ONCE: usize = 2;

/// The console's routes: pages of the menu that exist. The others are not shown.
const SHIPPED: &str = include_str!("../../console/shipped_routes.txt");

/// What `migrate` did.
#[derive(Debug, Default)]
pub struct Report {
    pub platform_files: usize,
    pub schools_current: i64,
    pub schools_migrated: usize,
    /// Schools that stay behind, with the reason; the others go on.
    pub failed: BTreeMap<i64, String>,
}

/// Brings everything up to date. `progress` is told how many of how many schools are done.
///
/// # Errors
/// A sentence for the operator, when the platform itself cannot be migrated.
pub async fn run(db: &Db, modules: &Modules, progress: impl Fn(usize, usize)) -> Result<Report, String> {
    let mut report = Report::default();
    {
        let mut owner = db.owner().acquire().await.map_err(|error| format!("the database does not answer: {error}"))?;
        // One upgrade at a time in this database; a second server waits here and finds nothing to do.
        owner.execute("select pg_advisory_lock(7000, 1)").await.map_err(told)?;
        let done = platform(&mut owner, db, modules).await;
        owner.execute("select pg_advisory_unlock(7000, 1)").await.map_err(told)?;
        report.platform_files = done?;
    }
    schools(db, modules, &migrate::SCHOOL, &mut report, progress).await?;
    Ok(report)
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

async fn platform(owner: &mut PgConnection, db: &Db, modules: &Modules) -> Result<usize, String> {
    roles(owner, db).await.map_err(told)?;
    let ran = migrate::run(owner, "platform", &migrate::PLATFORM).await.map_err(told)?;
    // The logs lie in tables of a month each.
    let logs: Vec<String> = sqlx::query_scalar(
        r"select table_name::text from information_schema.tables
          where table_schema = 'platform' and table_name ~ '^(audit_log|log_seal|(sys|login)_log(_\d+|_other)?)$'",
    )
    .fetch_all(&mut *owner)
    .await
    .map_err(told)?;
    for log in logs {
        let sql = format!("revoke update, delete on platform.{log} from {PLATFORM_ROLE}");
        owner.execute(AssertSqlSafe(sql)).await.map_err(told)?;
    }
    let mut tx = owner.begin().await.map_err(told)?;
    tx.execute("set local search_path = platform, ext").await.map_err(told)?;
    settings::seed::run(&mut tx, modules).await.map_err(told)?;
    majors::national_major::load(&mut tx).await.map_err(told)?;
    scenes::seed::run(&mut tx).await.map_err(told)?;
    roles::seed::run(&mut tx, modules, SHIPPED).await.map_err(told)?;
    tx.commit().await.map_err(told)?;
    Ok(ran)
}

/// Roles and schemas that everything else stands on. Roles belong to the whole cluster, so another database may have
/// made them, and may be making them now.
async fn roles(owner: &mut PgConnection, db: &Db) -> Result<(), sqlx::Error> {
    let app = db.app_role();
    for (role, options) in [(PLATFORM_ROLE, "nologin"), (app, "login noinherit")] {
        let exists: bool = sqlx::query_scalar("select exists (select from pg_roles where rolname = $1)")
            .bind(role)
            .fetch_one(&mut *owner)
            .await?;
        if !exists {
            owner.execute(AssertSqlSafe(format!("create role {role} {options}"))).await?;
        }
    }
    let member: bool = sqlx::query_scalar("select pg_has_role($1, $2, 'member')")
        .bind(app)
        .bind(PLATFORM_ROLE)
        .fetch_one(&mut *owner)
        .await?;
    if !member {
        owner.execute(AssertSqlSafe(format!("grant {PLATFORM_ROLE} to {app}"))).await?;
    }
    for statement in [
        "create schema if not exists ext".to_owned(),
        "create extension if not exists btree_gist schema ext".to_owned(),
        "grant usage on schema ext to public".to_owned(),
        "create schema if not exists platform".to_owned(),
        format!("grant usage on schema platform to {PLATFORM_ROLE}"),
        format!(
            "alter default privileges in schema platform grant select, insert, update, delete on tables to {PLATFORM_ROLE}"
        ),
        format!("alter default privileges in schema platform grant usage on sequences to {PLATFORM_ROLE}"),
    ] {
        owner.execute(AssertSqlSafe(statement)).await?;
    }
    Ok(())
}

/// One statement finds who is behind; a school that is current is not touched.
///
/// # Errors
/// A sentence for the operator, when the directory cannot be read. A school that fails stands in the report.
pub async fn schools(
    db: &Db,
    modules: &Modules,
    migrations: &Migrator,
    report: &mut Report,
    progress: impl Fn(usize, usize),
) -> Result<(), String> {
    let target = migrate::target(migrations);
    let behind: Vec<(i64, String)> = sqlx::query_as(
        "select id, schema_name from platform.school
         where deleted_at is null and provision_state = 'ready' and (schema_version <> $1 or schema_checksum <> $2) order by id",
    )
    .bind(target.version)
    .bind(&target.checksum)
    .fetch_all(db.owner())
    .await
    .map_err(told)?;
    report.schools_current = sqlx::query_scalar(
        "select count(*) from platform.school where deleted_at is null and schema_version = $1 and schema_checksum = $2",
    )
    .bind(target.version)
    .bind(&target.checksum)
    .fetch_one(db.owner())
    .await
    .map_err(told)?;
    let total = behind.len();
    let mut results = stream::iter(behind)
        .map(|(id, schema)| async move { (id, one_school(db, modules, migrations, id, &schema).await) })
        .buffer_unordered(AT_ONCE);
    let mut done = 0;
    while let Some((id, result)) = results.next().await {
        done += 1;
        match result {
            Ok(()) => report.schools_migrated += 1,
            Err(error) => {
                tracing::error!(school = id, %error, "the school stays on its old version");
                report.failed.insert(id, error.to_string());
            }
        }
        progress(done, total);
    }
    Ok(())
}

async fn one_school(
    db: &Db,
    modules: &Modules,
    migrations: &Migrator,
    id: i64,
    schema: &str,
) -> Result<(), MigrateError> {
    let mut owner = db.owner().acquire().await?;
    migrate::run(&mut owner, schema, migrations).await?;
    let role: String =
        sqlx::query_scalar("select db_role from platform.school where id = $1").bind(id).fetch_one(&mut *owner).await?;
    schools::provision::freeze_rows(&mut owner, modules, schema, &role).await?;
    let hash = migrate::structure_hash(&mut owner, schema).await?;
    let target = migrate::target(migrations);
    schools::provision::record_version(&mut owner, id, &target, &hash)
        .await
        .map_err(|error| MigrateError::Database(sqlx::Error::Configuration(error.to_string().into())))?;
    sqlx::query("select pg_notify('chengjiao', $1)").bind(format!("school:{id}")).execute(&mut *owner).await?;
    Ok(())
}
