//! How the database comes to the rows of a statement: whether it reads a large table from end to end.

use std::collections::BTreeSet;

use serde_json::Value;
use sqlx::{AssertSqlSafe, PgConnection};

use crate::{Anything, pgbench::Statement};

/// From so many rows on a table is large.
const LARGE: f32 = 10_000.0;

/// A large table that is read from end to end, and by what.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LongScan {
    pub table: String,
    /// As the database shows it: `(source = …)`.
    pub filter: String,
}

/// Each large table that the statements read from end to end. They are planned where the connection is and with its settings,
/// for the values that they were sent with.
pub async fn long_scans(
    connection: &mut PgConnection,
    statements: &[Statement],
) -> Result<BTreeSet<LongScan>, Anything> {
    let mut scans = Vec::new();
    for statement in statements {
        let plan = planned(connection, statement).await?;
        collect(&plan[0]["Plan"], &mut scans);
    }
    let mut long = BTreeSet::new();
    for (table, filter) in scans {
        let rows: Option<f32> = sqlx::query_scalar("select reltuples from pg_class where oid = to_regclass($1)")
            .bind(&table)
            .fetch_optional(&mut *connection)
            .await?;
        if rows.is_some_and(|rows| rows > LARGE) {
            long.insert(LongScan { table, filter });
        }
    }
    Ok(long)
}

/// How the statements run, each with its rows and its time, in the database's own words.
pub async fn shown(connection: &mut PgConnection, statements: &[Statement]) -> Result<Vec<String>, Anything> {
    let mut lines = Vec::new();
    for statement in statements {
        lines.extend(explained(connection, statement, "analyze, costs off, timing off").await?);
    }
    Ok(lines)
}

async fn planned(connection: &mut PgConnection, statement: &Statement) -> Result<Value, Anything> {
    explained(connection, statement, "format json").await?.pop().ok_or_else(|| "no plan".into())
}

async fn explained<T>(connection: &mut PgConnection, statement: &Statement, how: &str) -> Result<Vec<T>, Anything>
where
    T: Send + Unpin + for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
{
    let prepare = format!("prepare measured as {}", statement.text);
    sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut *connection).await?;
    let values: Vec<String> = statement.values.iter().map(|value| literal(value.as_deref())).collect();
    // Without parameters there are no parentheses.
    let values = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
    let explain = format!("explain ({how}) execute measured{values}");
    let plan = sqlx::query_scalar(AssertSqlSafe(explain)).fetch_all(&mut *connection).await?;
    sqlx::raw_sql("deallocate measured").execute(&mut *connection).await?;
    Ok(plan)
}

fn literal(value: Option<&str>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| format!("'{}'", value.replace('\'', "''")))
}

/// The sequential scans of a node and of what lies below it: table and condition.
fn collect(node: &Value, scans: &mut Vec<(String, String)>) {
    let text = |name: &str| node[name].as_str();
    if text("Node Type") == Some("Seq Scan") {
        let table = text("Relation Name").unwrap_or_default().to_owned();
        scans.push((table, text("Filter").unwrap_or("no condition").to_owned()));
    }
    for below in node["Plans"].as_array().into_iter().flatten() {
        collect(below, scans);
    }
}
