//! Runs migrations: one schema at a time, one statement a message, all pending files of a schema in one transaction.
//!
//! The table `_sqlx_migrations` and its checksums are sqlx's. The runner is ours because sqlx sends a whole file as one
//! message, which a sharded database refuses, and locks the whole database, which would let schools wait for each other.

use std::time::{Duration, Instant};

use aws_lc_rs::digest;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, migrate::Migration};

pub use sqlx::migrate::Migrator;

/// Schema `platform`: what exists once.
pub static PLATFORM: Migrator = sqlx::migrate!("../../migrations/platform");
/// Schema `school_<id>`: what each school has.
pub static SCHOOL: Migrator = sqlx::migrate!("../../migrations/school");

#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    #[error("migration {version} of schema {schema} was changed after it ran; a file that has run is never edited")]
    Edited { schema: String, version: i64 },
    #[error("schema {schema} has migration {version}, which this server does not know; run the newer server")]
    Unknown { schema: String, version: i64 },
    #[error("schema {schema}, migration {version}: {source}")]
    Statement { schema: String, version: i64, source: sqlx::Error },
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// What a schema is at when this server's migrations have all run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub version: i64,
    /// Over all files, so that one comparison tells whether a schema is current.
    pub checksum: String,
}

pub fn target(migrator: &Migrator) -> Target {
    let mut context = digest::Context::new(&digest::SHA256);
    let mut version = 0;
    for migration in migrator.iter() {
        context.update(&migration.checksum);
        version = version.max(migration.version);
    }
    Target { version, checksum: hex(context.finish().as_ref()) }
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Brings one schema up to date; answers how many files ran. Tries again when a lock is not to be had in three seconds.
///
/// # Errors
/// See [`MigrateError`]; the schema stays as it was.
pub async fn run(connection: &mut PgConnection, schema: &str, migrator: &Migrator) -> Result<usize, MigrateError> {
    let mut attempt = 1;
    loop {
        match run_once(connection, schema, migrator).await {
            Err(MigrateError::Statement { source, .. } | MigrateError::Database(source))
                if attempt < 5 && is_lock_timeout(&source) =>
            {
                tracing::warn!(schema, attempt, "a lock was not to be had in time; trying again");
                tokio::time::sleep(Duration::from_millis(400 * attempt)).await;
                attempt += 1;
            }
            done => return done,
        }
    }
}

fn is_lock_timeout(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(|e| e.code()).is_some_and(|code| code == "55P03" || code == "40P01")
}

async fn run_once(connection: &mut PgConnection, schema: &str, migrator: &Migrator) -> Result<usize, MigrateError> {
    let mut tx = connection.begin().await?;
    tx.execute(AssertSqlSafe(format!("set local search_path = {schema}, ext; set local lock_timeout = '3s'"))).await?;
    sqlx::query("select pg_advisory_xact_lock(7001, hashtext($1))").bind(schema).execute(&mut *tx).await?;
    tx.execute(
        "create table if not exists _sqlx_migrations (
            version        bigint primary key,
            description    text not null,
            installed_on   timestamptz not null default now(),
            success        boolean not null,
            checksum       bytea not null,
            execution_time bigint not null
        )",
    )
    .await?;
    let applied: Vec<(i64, Vec<u8>)> =
        sqlx::query_as("select version, checksum from _sqlx_migrations order by version").fetch_all(&mut *tx).await?;
    for (version, checksum) in &applied {
        match migrator.iter().find(|migration| migration.version == *version) {
            None => return Err(MigrateError::Unknown { schema: schema.to_owned(), version: *version }),
            Some(known) if known.checksum.as_ref() != checksum.as_slice() => {
                return Err(MigrateError::Edited { schema: schema.to_owned(), version: *version });
            }
            Some(_) => {}
        }
    }
    let mut ran: Vec<(&Migration, i64)> = Vec::new();
    for migration in migrator.iter().filter(|m| !applied.iter().any(|(version, _)| *version == m.version)) {
        let started = Instant::now();
        for statement in statements(migration.sql.as_str()) {
            tx.execute(AssertSqlSafe(statement)).await.map_err(|source| MigrateError::Statement {
                schema: schema.to_owned(),
                version: migration.version,
                source,
            })?;
        }
        ran.push((migration, i64::try_from(started.elapsed().as_nanos()).unwrap_or(i64::MAX)));
    }
    record(&mut tx, &ran).await?;
    tx.commit().await?;
    Ok(ran.len())
}

/// Writes down at once which files ran, and how many nanoseconds each took: they are all there or none is.
async fn record(connection: &mut PgConnection, ran: &[(&Migration, i64)]) -> Result<(), sqlx::Error> {
    if ran.is_empty() {
        return Ok(());
    }
    let versions: Vec<i64> = ran.iter().map(|(migration, _)| migration.version).collect();
    let descriptions: Vec<&str> = ran.iter().map(|(migration, _)| migration.description.as_ref()).collect();
    let checksums: Vec<&[u8]> = ran.iter().map(|(migration, _)| migration.checksum.as_ref()).collect();
    let times: Vec<i64> = ran.iter().map(|(_, time)| *time).collect();
    sqlx::query(
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
         select r.version, r.description, true, r.checksum, r.execution_time
         from unnest($1::bigint[], $2::text[], $3::bytea[], $4::bigint[])
              as r (version, description, checksum, execution_time)",
    )
    .bind(versions)
    .bind(descriptions)
    .bind(checksums)
    .bind(times)
    .execute(connection)
    .await?;
    Ok(())
}

/// A file is split at lines `--;;`, never by parsing.
fn statements(sql: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    for line in sql.lines() {
        if line.trim() == "--;;" {
            out.push(String::new());
        } else if let Some(statement) = out.last_mut() {
            statement.push_str(line);
            statement.push('\n');
        }
    }
    out.retain(|statement| {
        statement.lines().any(|line| !line.trim().is_empty() && !line.trim_start().starts_with("--"))
    });
    out
}

/// A hash over tables, columns, types, constraints and indexes: two schools on one version must have the same.
pub async fn structure_hash(connection: &mut PgConnection, schema: &str) -> Result<String, sqlx::Error> {
    let lines: Vec<String> = sqlx::query_scalar(
        // pg_class has no index on the schema, and with a thousand schools it is long; what depends on a schema has one.
        "with tables as materialized (
             select c.oid, c.relname from pg_namespace n
             join pg_depend d on d.refclassid = 'pg_namespace'::regclass and d.refobjid = n.oid
                             and d.classid = 'pg_class'::regclass
             join pg_class c on c.oid = d.objid
             where n.nspname = $1 and c.relkind in ('r', 'p'))
         select line from (
             select format('%s.%s %s %s %s %s', t.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                           a.attidentity::text || a.attgenerated::text, pg_get_expr(d.adbin, d.adrelid))
             from tables t
             join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
             left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
             union all
             select format('%s %s %s', t.relname, k.conname, pg_get_constraintdef(k.oid))
             from tables t join pg_constraint k on k.conrelid = t.oid
             union all
             select pg_get_indexdef(i.indexrelid) from tables t join pg_index i on i.indrelid = t.oid
         ) s (line) order by line",
    )
    .bind(schema)
    .fetch_all(connection)
    .await?;
    let text = lines.join("\n").replace(&format!("{schema}."), "");
    Ok(hex(digest::digest(&digest::SHA256, text.as_bytes()).as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_split_only_at_its_marks() {
        let sql = "-- head; not a statement\n\ncreate table a (b text default ';');\n--;;\ncreate index c on a (b);\n--;;\n-- end\n";
        assert_eq!(statements(sql).len(), 2);
        assert!(statements(sql)[0].contains("default ';'"));
    }
}
