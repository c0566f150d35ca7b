//! 慢语句, from the statement statistics extension where the database has it.
//!
//! These statements are not checked when the server is built: an installation may lack the extension.

use infra::{Error, Part, Result, enumeration};
use poem_openapi::Object;
use sqlx::{PgConnection, Row};

use crate::overview::rounded;

pub const PART: Part = Part { enumerations: &[StatementOrder::ENUMERATION], ..Part::NONE };

enumeration! {
    /// 语句排序
    pub enum StatementOrder = "statementOrder" {
        Mean = "mean" "平均耗时",
        Total = "total" "总耗时",
        Max = "max" "最大耗时",
        Calls = "calls" "次数",
    }
}

/// A statement without its values, over all schools.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Statement {
    /// 语句
    /// 数据库账号无权查看时为空
    statement: Option<String>,
    /// 次数
    calls: i64,
    /// 平均耗时(毫秒)
    mean_ms: f64,
    /// 最大耗时(毫秒)
    max_ms: f64,
    /// 总耗时(毫秒)
    total_ms: f64,
    /// 平均行数
    rows: f64,
}

/// The slowest, or why there are none.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Statements {
    /// 可用
    /// 数据库未启用语句统计扩展时为否
    available: bool,
    /// 语句
    list: Vec<Statement>,
}

/// So many are shown.
const SHOWN: i64 = 100;
/// The extension was created, but the database did not load its library when it started.
const NOT_LOADED: &str = "55000";

/// Whether the database has the extension. Whether it is loaded too, not every account may ask; the statistics tell.
async fn is_there(connection: &mut PgConnection) -> Result<bool> {
    let there: bool = sqlx::query_scalar(
        // The setting is there when the server has loaded the library at its start.
        "select to_regclass('ext.pg_stat_statements') is not null
            and exists (select from pg_settings where name = 'pg_stat_statements.max')",
    )
    .fetch_one(connection)
    .await?;
    Ok(there)
}

pub(crate) async fn look(connection: &mut PgConnection, order: StatementOrder) -> Result<Statements> {
    if !is_there(&mut *connection).await? {
        return Ok(Statements { available: false, list: Vec::new() });
    }
    // One text runs as many roles: each school has one.
    let rows = sqlx::query(
        "select nullif(query, '<insufficient privilege>') as statement, sum(calls)::bigint as calls,
                sum(total_exec_time) / sum(calls) as mean_ms, max(max_exec_time) as max_ms,
                sum(total_exec_time) as total_ms, (sum(rows) / sum(calls))::float8 as rows
         from ext.pg_stat_statements
         where dbid = (select oid from pg_database where datname = current_database()) and calls > 0
         group by query
         order by case $1 when 'mean' then sum(total_exec_time) / sum(calls) when 'max' then max(max_exec_time)
                          when 'total' then sum(total_exec_time) else sum(calls)::float8 end desc
         limit $2",
    )
    .bind(order.as_str())
    .bind(SHOWN)
    .fetch_all(connection)
    .await;
    let rows = match rows {
        Err(error) if error.as_database_error().and_then(|error| error.code()).as_deref() == Some(NOT_LOADED) => {
            return Ok(Statements { available: false, list: Vec::new() });
        }
        rows => rows?,
    };
    let list = rows
        .into_iter()
        .map(|row| {
            Ok(Statement {
                statement: row.try_get("statement")?,
                calls: row.try_get("calls")?,
                mean_ms: rounded(row.try_get("mean_ms")?),
                max_ms: rounded(row.try_get("max_ms")?),
                total_ms: rounded(row.try_get("total_ms")?),
                rows: rounded(row.try_get("rows")?),
            })
        })
        .collect::<Result<_, sqlx::Error>>()?;
    Ok(Statements { available: true, list })
}

/// # Errors
/// 409 when the database has no statistics, or the server may not reset them.
pub(crate) async fn reset(connection: &mut PgConnection) -> Result<()> {
    if !is_there(&mut *connection).await? {
        return Err(Error::conflict("数据库未启用语句统计扩展"));
    }
    let allowed: bool = sqlx::query_scalar(
        "select coalesce(bool_or(has_function_privilege(p.oid, 'execute')), false)
         from pg_proc p where p.proname = 'pg_stat_statements_reset' and p.pronamespace = 'ext'::regnamespace",
    )
    .fetch_one(&mut *connection)
    .await?;
    if !allowed {
        return Err(Error::conflict("数据库账号无权重置语句统计，请联系数据库管理员"));
    }
    sqlx::query("select ext.pg_stat_statements_reset()").execute(connection).await?;
    Ok(())
}
