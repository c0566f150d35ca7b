//! Opening a school's schema: role → schema, migrations, settings and check. Each step may run again (01 §5.2).

use infra::{
    App, Change, Error, Part, Result,
    access::Permission,
    jobs::{JobKind, JobRun, Outcome},
    migrate,
    module::Modules,
};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::{setting, suspension::RetryProvision};

pub const PART: Part = Part { jobs: &[KIND], ..Part::NONE };

pub const KIND: JobKind = JobKind {
    kind: "school.provision",
    code: Some(RetryProvision::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

async fn work(run: JobRun) -> Result<Outcome> {
    let id = run.params["schoolId"].as_i64().ok_or_else(|| Error::internal("the job names no school"))?;
    match open(&run, id).await {
        Ok(()) => {
            mark(&run, id, "ready", "完成", None).await?;
            Ok(Outcome { message: "院校已开通".to_owned(), ..Outcome::default() })
        }
        Err(error) => {
            mark(&run, id, "failed", "", Some(error.msg.as_ref())).await?;
            Err(error)
        }
    }
}

async fn open(run: &JobRun, id: i64) -> Result<()> {
    let app = run.app();
    let names = schema_names(app, id).await?;
    mark(run, id, "running", "数据库角色", None).await?;
    let mut owner = app.db().owner().acquire().await?;
    make_role(&mut owner, &names.role, app.db().app_role()).await?;
    mark(run, id, "running", "数据表", None).await?;
    make_schema(&mut owner, app.modules(), id, &names).await
}

/// Where a school lies; both are plain identifiers.
pub(crate) struct SchemaNames {
    pub(crate) schema: String,
    pub(crate) role: String,
}

pub(crate) async fn schema_names(app: &App, id: i64) -> Result<SchemaNames> {
    let mut tx = app.platform_read().await?;
    let row = sqlx::query!("select schema_name, db_role from platform.school where id = $1", id)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
    let plain = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    if !plain(&row.schema_name) || !plain(&row.db_role) {
        return Err(Error::internal("the directory names a schema or role that is no plain identifier"));
    }
    Ok(SchemaNames { schema: row.schema_name, role: row.db_role })
}

/// The school's own role, which can reach its schema and nothing else; the login role may become it.
async fn make_role(owner: &mut PgConnection, role: &str, app_role: &str) -> Result<()> {
    // Roles belong to the whole cluster: two grants in one moment make one of them fail with "tuple concurrently updated".
    for attempt in 0..10 {
        let exists: bool = sqlx::query_scalar("select exists (select from pg_roles where rolname = $1)")
            .bind(role)
            .fetch_one(&mut *owner)
            .await?;
        let made = if exists {
            Ok(())
        } else {
            owner.execute(AssertSqlSafe(format!("create role {role} nologin"))).await.map(|_| ())
        };
        let granted = match made {
            Ok(()) => owner.execute(AssertSqlSafe(format!("grant {role} to {app_role}"))).await.map(|_| ()),
            Err(error) => Err(error),
        };
        match granted {
            Ok(()) => return Ok(()),
            Err(error) if attempt < 9 && is_race(&error) => {
                tokio::time::sleep(std::time::Duration::from_millis(50 * (attempt + 1))).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::internal("the school's role could not be made"))
}

fn is_race(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|e| e.code().map(|code| code.into_owned()));
    matches!(code.as_deref(), Some("XX000" | "42710" | "23505"))
}

/// Takes from a school's role the right to change or delete what is written once: the trail, and what modules say of theirs. Rights
/// to a new table come with the schema's default, so this follows its migrations.
///
/// # Errors
/// Those of the database.
pub async fn freeze_rows(owner: &mut PgConnection, modules: &Modules, schema: &str, role: &str) -> sqlx::Result<()> {
    let tables: Vec<String> = ["audit_log"].into_iter().chain(modules.written_once()).map(ToOwned::to_owned).collect();
    let there: Vec<String> = sqlx::query_scalar(
        "select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = $1 and c.relname = any($2) order by 1",
    )
    .bind(schema)
    .bind(tables)
    .fetch_all(&mut *owner)
    .await?;
    if !there.is_empty() {
        // The names are plain identifiers of the directory and constants.
        let tables = there.iter().map(|table| format!("{schema}.{table}")).collect::<Vec<_>>().join(", ");
        owner.execute(AssertSqlSafe(format!("revoke update, delete on {tables} from {role}"))).await?;
    }
    Ok(())
}

/// Schema, rights, all tables, the school's first settings and what the directory knows of them, in one transaction: what fails
/// leaves nothing behind. The hash is taken before the commit: after one of so many tables the database has dropped all that it
/// remembered of them, and would read each again.
async fn make_schema(owner: &mut PgConnection, modules: &Modules, id: i64, names: &SchemaNames) -> Result<()> {
    let SchemaNames { schema, role } = names;
    let mut tx = owner.begin().await?;
    tx.execute(AssertSqlSafe(format!("create schema if not exists {schema}"))).await?;
    tx.execute(AssertSqlSafe(format!("grant usage on schema {schema} to {role}"))).await?;
    tx.execute(AssertSqlSafe(format!(
        "alter default privileges in schema {schema} grant select, insert, update, delete on tables to {role}"
    )))
    .await?;
    migrate::run(&mut tx, schema, &migrate::SCHOOL).await.map_err(Error::internal)?;
    // What the runner set lasts as long as this transaction. The hash is of the path under which `doctor` takes it again; and the
    // school's row is waited for, whoever holds it.
    tx.execute("set local search_path to default").await?;
    tx.execute("set local lock_timeout to default").await?;
    freeze_rows(&mut tx, modules, schema, role).await?;
    tx.execute(AssertSqlSafe(format!("revoke insert, update, delete on {schema}._sqlx_migrations from {role}")))
        .await?;
    setting::copy_into(&mut tx, schema).await?;
    let known = migrate::structure_hash(&mut tx, schema).await?;
    record_version(&mut tx, id, &migrate::target(&migrate::SCHOOL), &known).await?;
    tx.commit().await?;
    Ok(())
}

/// The router sends requests only to schools whose schema is at this server's version.
pub async fn record_version(
    owner: &mut PgConnection,
    id: i64,
    target: &migrate::Target,
    structure_hash: &str,
) -> Result<()> {
    sqlx::query!(
        "update platform.school set schema_version = $2, schema_checksum = $3, structure_hash = $4 where id = $1",
        id,
        target.version,
        target.checksum,
        structure_hash
    )
    .execute(owner)
    .await?;
    Ok(())
}

async fn mark(run: &JobRun, id: i64, state: &'static str, step: &str, error: Option<&str>) -> Result<()> {
    let mut tx = run.begin_in_platform().await?;
    sqlx::query!(
        "update platform.school set provision_state = $2, provision_step = $3, provision_error = $4 where id = $1",
        id,
        state,
        step,
        error
    )
    .execute(&mut *tx)
    .await?;
    tx.notice("school", id);
    tx.commit(Change::status("school", id, "provisionState", "pending", state)).await
}
