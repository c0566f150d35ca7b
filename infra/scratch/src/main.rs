//! A database against which the statements of all modules are checked: `make generate` runs this.
//!
//! Starts a private PostgreSQL in the given folder, makes the schemas `platform` and `school_template` by the
//! migrations, prints the address that sqlx's macros want, and stops when its standard input ends.

use std::io::Read;

use embedded::{Cluster, Options};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: scratch FOLDER")?;
    let cluster = tokio::task::spawn_blocking(move || {
        let mut options = Options::new(folder);
        options.durable = false;
        Cluster::start(options)
    })
    .await??;
    let address = cluster.url(embedded::DATABASE, embedded::OWNER);
    let mut owner = PgConnection::connect(&address).await?;
    for (schema, migrations) in [("platform", &migrator::PLATFORM), ("school_template", &migrator::SCHOOL)] {
        owner.execute(AssertSqlSafe(format!("drop schema if exists {schema} cascade"))).await?;
        owner.execute(AssertSqlSafe(format!("create schema {schema}"))).await?;
        owner.execute("create extension if not exists btree_gist schema ext").await?;
        migrator::run(&mut owner, schema, migrations).await?;
    }
    owner.close().await?;
    println!("{address}&options=-csearch_path%3Dschool_template%2Cext");
    tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await??;
    tokio::task::spawn_blocking(move || cluster.stop()).await??;
    Ok(())
}
