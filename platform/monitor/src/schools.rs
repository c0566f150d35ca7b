//! 院校库: how much each school's schema holds. Sizes are looked up for the page that is shown alone.

use infra::{Allowed, Page, Paging, Result, clock::Moment};
use poem_openapi::Object;

use crate::{
    druid::ViewMonitor,
    overview::{megabytes, rounded},
};

/// A table among the largest of a school.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LargeTable {
    /// 表
    name: String,
    /// 大小(MB)
    size_mb: f64,
}

/// A school's schema.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SchoolSchema {
    /// 编号
    id: i64,
    /// 院校名称
    name: String,
    /// 库名
    schema_name: String,
    /// 大小(MB)
    size_mb: f64,
    /// 表数
    table_count: i64,
    /// 最大的表
    largest_tables: Vec<LargeTable>,
    /// 估计行数
    /// 数据库统计的估计值
    estimated_rows: i64,
    /// 死行占比(%)
    dead_row_percent: Option<f64>,
    /// 每分钟事务
    /// 本服务进程在最近一分钟内
    transactions_per_minute: i64,
    /// 最近活动
    last_active_at: Option<Moment>,
    /// 结构版本
    schema_version: i64,
}

/// Tables named of a school.
const LARGEST: usize = 3;

pub(crate) async fn look(
    caller: &Allowed<ViewMonitor>,
    keyword: Option<&str>,
    paging: Paging,
) -> Result<Page<SchoolSchema>> {
    let mut tx = caller.read().await?;
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.school s
           where s.deleted_at is null and ($1::text is null or s.name like '%' || $1 || '%' or s.code like $1 || '%')"#,
        keyword
    )
    .fetch_one(&mut *tx)
    .await?;
    let schools = sqlx::query!(
        "select s.id, s.name, s.schema_name, s.schema_version,
                (select max(last_seen_at) from platform.sys_session where school_id = s.id) as last_active_at
         from platform.school s
         where s.deleted_at is null and ($1::text is null or s.name like '%' || $1 || '%' or s.code like $1 || '%')
         order by s.code, s.id limit $2 offset $3",
        keyword,
        paging.limit(),
        paging.offset()
    )
    .fetch_all(&mut *tx)
    .await?;
    let schemas: Vec<String> = schools.iter().map(|school| school.schema_name.clone()).collect();
    // By what depends on the schemas: pg_class has no index on them, and the view of the statistics groups all tables.
    let tables = sqlx::query!(
        r#"select n.nspname as "schema!", c.relname as "name!", pg_total_relation_size(c.oid) as "size!",
                  pg_stat_get_live_tuples(c.oid) as "live!", pg_stat_get_dead_tuples(c.oid) as "dead!"
           from pg_namespace n
           join pg_depend d on d.refclassid = 'pg_namespace'::regclass and d.refobjid = n.oid
                           and d.classid = 'pg_class'::regclass
           join pg_class c on c.oid = d.objid and c.relkind in ('r', 'p')
           where n.nspname = any($1)
           order by 3 desc, 2"#,
        &schemas
    )
    .fetch_all(&mut *tx)
    .await?;
    let db = caller.app().db();
    let list = schools
        .into_iter()
        .map(|school| {
            let own: Vec<_> = tables.iter().filter(|table| table.schema == school.schema_name).collect();
            let live: i64 = own.iter().map(|table| table.live).sum();
            let dead: i64 = own.iter().map(|table| table.dead).sum();
            SchoolSchema {
                size_mb: megabytes(own.iter().map(|table| table.size).sum()),
                table_count: i64::try_from(own.len()).unwrap_or(i64::MAX),
                largest_tables: own
                    .iter()
                    .take(LARGEST)
                    .map(|table| LargeTable { name: table.name.clone(), size_mb: megabytes(table.size) })
                    .collect(),
                estimated_rows: live,
                #[allow(clippy::cast_precision_loss, reason = "a percentage for people")]
                dead_row_percent: (live + dead > 0).then(|| rounded(dead as f64 * 100.0 / (live + dead) as f64)),
                transactions_per_minute: db.per_minute(school.id),
                last_active_at: school.last_active_at,
                schema_version: school.schema_version,
                id: school.id,
                name: school.name,
                schema_name: school.schema_name,
            }
        })
        .collect();
    Ok(paging.page(total, list))
}
