//! The cards: pools of this server, size and connections of the database.

use infra::{Allowed, Result, clock::Moment, notice};
use poem_openapi::Object;

use crate::druid::ViewMonitor;

/// A pool of this server.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Pool {
    /// 连接池
    name: String,
    /// 连接数
    size: i64,
    /// 使用中
    in_use: i64,
    /// 空闲
    idle: i64,
    /// 上限
    most: i64,
}

/// The database at a glance.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Overview {
    /// 统计时间
    computed_at: Moment,
    /// 连接池
    /// 本服务进程的连接池
    pools: Vec<Pool>,
    /// 连接池大小
    pool_size: i64,
    /// 使用中
    in_use: i64,
    /// 空闲
    idle: i64,
    /// 等待中
    /// 正在等待连接的请求
    waiting: i64,
    /// 获取连接P95(毫秒)
    /// 最近1024次取得连接并开始事务的耗时，95%不超过该值
    acquire_p95_ms: f64,
    /// 等待超时次数
    /// 本服务启动以来
    timeouts: i64,
    /// 数据库大小(MB)
    database_size_mb: f64,
    /// 数据库连接
    connections: i64,
    /// 数据库连接上限
    max_connections: i64,
    /// 缓存命中率(%)
    cache_hit_percent: Option<f64>,
    /// 死锁次数
    deadlocks: i64,
    /// 服务进程数
    instances: i64,
    /// 数据库版本
    server_version: String,
    /// 统计起始时间
    stats_since: Option<Moment>,
}

/// One decimal place.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Bytes as MB with one decimal.
#[allow(clippy::cast_precision_loss, reason = "a size for people")]
pub(crate) fn megabytes(bytes: i64) -> f64 {
    rounded(bytes as f64 / 1024.0 / 1024.0)
}

pub(crate) async fn look(caller: &Allowed<ViewMonitor>) -> Result<Overview> {
    let (app, waits) = (caller.app(), caller.app().db().waits());
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let pools: Vec<Pool> = app
        .db()
        .figures()
        .into_iter()
        .map(|pool| Pool {
            size: pool.size.into(),
            in_use: i64::from(pool.size) - count(pool.idle),
            idle: count(pool.idle),
            most: pool.most.into(),
            name: pool.name,
        })
        .collect();
    let mut tx = caller.server_view().await?;
    let row = sqlx::query!(
        r#"select pg_database_size(current_database()) as "size!",
                  (select count(*) from pg_stat_activity where usename is not null) as "connections!",
                  current_setting('max_connections')::bigint as "most!", current_setting('server_version') as "version!",
                  d.blks_hit as "hit!", d.blks_read as "read!", d.deadlocks as "deadlocks!", d.stats_reset
           from pg_stat_database d where d.datname = current_database()"#
    )
    .fetch_one(&mut *tx)
    .await?;
    let instances = notice::instances(&mut tx).await?;
    let blocks = row.hit + row.read;
    Ok(Overview {
        computed_at: app.clock().now(),
        pool_size: pools.iter().map(|pool| pool.size).sum(),
        in_use: pools.iter().map(|pool| pool.in_use).sum(),
        idle: pools.iter().map(|pool| pool.idle).sum(),
        pools,
        waiting: waits.waiting,
        acquire_p95_ms: rounded(waits.p95.as_secs_f64() * 1000.0),
        timeouts: i64::try_from(waits.timeouts).unwrap_or(i64::MAX),
        database_size_mb: megabytes(row.size),
        connections: row.connections,
        max_connections: row.most,
        #[allow(clippy::cast_precision_loss, reason = "a percentage for people")]
        cache_hit_percent: (blocks > 0).then(|| rounded(row.hit as f64 * 100.0 / blocks as f64)),
        deadlocks: row.deadlocks,
        instances,
        server_version: row.version,
        stats_since: row.stats_reset,
    })
}
