//! The rows of the operation log, as lists and export show them.

use futures_util::{StreamExt, TryStreamExt};
use infra::{
    App, Result, Scope, Window,
    clock::{Moment, day_began, day_ended},
    naming::typed,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use serde_json::Value;
use sqlx::PgConnection;

use super::{AskedOperations, LogActor, LogList, LogModule};
use crate::referred::{Referred, Trace};

/// A row of the operation log.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OperationLog {
    /// 编号
    id: i64,
    /// 时间
    at: Moment,
    /// 身份
    actor_type: Option<LogActor>,
    /// 操作人
    pub(crate) actor_name: String,
    /// 院校
    school_name: Option<String>,
    /// 模块
    module: String,
    /// 操作
    operation: String,
    /// 对象
    /// 被修改的第一条记录
    target: Option<String>,
    /// 结果码
    result_code: i32,
    /// 耗时(毫秒)
    duration_ms: i32,
    /// IP地址
    ip: String,
    /// 方式
    method: String,
    /// 路径
    path: String,
    /// 权限代码
    permission_code: String,
    /// 敏感操作
    /// 导出，或查看完整的个人信息
    sensitive: bool,
    /// 代操作
    on_behalf_of: Option<String>,
    /// 追踪编号
    trace_id: String,
}

pub(crate) struct Row {
    pub(crate) id: i64,
    pub(crate) at: Moment,
    pub(crate) actor_type: String,
    pub(crate) actor_name: String,
    pub(crate) on_behalf_of: Option<String>,
    pub(crate) school_id: Option<i64>,
    pub(crate) school_name: Option<String>,
    pub(crate) module: String,
    pub(crate) operation: String,
    pub(crate) entity_type: Option<String>,
    pub(crate) entity_id: Option<i64>,
    pub(crate) result_code: i32,
    pub(crate) duration_ms: i32,
    pub(crate) ip: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) permission_code: String,
    pub(crate) sensitive: bool,
    pub(crate) trace_id: String,
}

/// The Chinese word of an entity; a table that no module named keeps its technical name.
pub(crate) fn entity_name(app: &App, table: &str) -> String {
    app.modules().entity(table).map_or_else(|| table.to_owned(), |entity| entity.name.to_owned())
}

impl Row {
    pub(crate) fn shown(self, app: &App, referred: &Referred) -> OperationLog {
        let target = match (&self.entity_type, self.entity_id) {
            (Some(table), Some(id)) => Some(match referred.called(app, table, id) {
                Some(name) => format!("{} {name}", entity_name(app, table)),
                None => format!("{}（{id}）", entity_name(app, table)),
            }),
            (Some(table), None) => Some(entity_name(app, table)),
            (None, _) => None,
        };
        let module = if self.method == "JOB" { Some(LogModule::Job) } else { LogModule::parse(&self.module) };
        // A school reads who of the operator's people worked inside it (05 E2).
        let of_operator = self.actor_type == LogActor::Platform.as_str() && self.school_id.is_some();
        OperationLog {
            id: self.id,
            at: self.at,
            actor_type: LogActor::parse(&self.actor_type),
            actor_name: if of_operator { format!("平台人员 {}", self.actor_name) } else { self.actor_name },
            school_name: self.school_name,
            module: module.map_or(self.module, |module| module.zh().to_owned()),
            operation: self.operation,
            target,
            result_code: self.result_code,
            duration_ms: self.duration_ms,
            ip: self.ip,
            method: self.method,
            path: self.path,
            permission_code: self.permission_code,
            sensitive: self.sensitive,
            on_behalf_of: self.on_behalf_of,
            trace_id: self.trace_id,
        }
    }
}

/// A statement over `platform.sys_log l` with the condition of a question in its middle: the macro of sqlx, the row type, the
/// text before, the question, the text behind (parameters from `$15`) and its parameters. The condition on the actor is
/// that of a partial index for each list.
macro_rules! of_operations {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $asked:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            r#" where ($1::timestamptz is null or l.at >= $1) and ($2::timestamptz is null or l.at < $2)
                  and case when $3 then l.actor_type in ('platform', 'job')
                      else l.actor_type not in ('platform', 'job') or (l.actor_type = 'platform' and l.school_id is not null) end
                  and ($4::text is null or starts_with(l.actor_name collate "C", $4))
                  and ($5::text is null or l.actor_type = $5)
                  and ($6::bigint is null or l.school_id = $6)
                  and ($7::bigint[] is null or l.school_id is null or l.school_id = any($7))
                  and ($8::text is null or case when l.method = 'JOB' then 'job' else l.module end = $8)
                  and ($9::text is null or strpos(l.operation, $9) > 0)
                  and ($10::text is null or strpos(l.path, $10) > 0)
                  and ($11::integer is null or l.result_code = $11)
                  and ($12::text is null or l.trace_id = $12)
                  and ($13::uuid is null or l.session_id = $13)
                  and (not $14 or l.on_behalf_of is not null) "# $($tail)*,
            $asked.first.map(day_began),
            $asked.last.map(day_ended),
            $asked.list == LogList::System,
            typed($asked.filter.keyword.as_deref()),
            $asked.filter.actor_type.map(LogActor::as_str),
            $asked.school,
            $asked.schools.as_deref(),
            $asked.filter.module.map(LogModule::as_str),
            typed($asked.filter.operation.as_deref()),
            typed($asked.filter.path.as_deref()),
            $asked.filter.result_code,
            typed($asked.filter.trace_id.as_deref()),
            $asked.session()?,
            $asked.filter.on_behalf
            $(, $extra)*
        )
    };
}

pub(super) async fn count(connection: &mut PgConnection, asked: &AskedOperations) -> Result<i64> {
    let total = of_operations!(query_scalar [] [r#"select count(*) as "count!" from platform.sys_log l"#] asked []);
    Ok(total.fetch_one(connection).await?)
}

/// The numbers of the page's rows: without a filter they come out of the list's index.
pub(super) async fn keys(connection: &mut PgConnection, asked: &AskedOperations, window: Window) -> Result<Vec<i64>> {
    let keys = of_operations!(query_scalar []
        ["select l.id from platform.sys_log l"]
        asked
        [+ " order by case when $15 then l.at end, case when $15 then l.id end, l.at desc, l.id desc limit $16 offset $17"],
        window.from_end,
        window.limit,
        window.offset);
    Ok(keys.fetch_all(connection).await?)
}

/// What the rows of a page were done to: table and number.
pub(super) async fn targets(connection: &mut PgConnection, of_page: &[i64]) -> Result<Vec<(String, i64)>> {
    let targets = sqlx::query!(
        r#"select distinct entity_type as "table!", entity_id as "id!" from platform.sys_log
           where id = any($1) and entity_type is not null and entity_id is not null"#,
        of_page
    )
    .fetch_all(connection)
    .await?;
    Ok(targets.into_iter().map(|target| (target.table, target.id)).collect())
}

/// The names of what was acted on, in the area of the connection; of a list over schools nothing is looked up.
pub(super) async fn referred(app: &App, connection: &mut PgConnection, targets: &[(String, i64)]) -> Result<Referred> {
    let traces: Vec<Trace<'_>> =
        targets.iter().map(|(table, id)| Trace { table, id: *id, changes: &Value::Null }).collect();
    Referred::by(app, connection, &traces).await
}

/// The newest first; with numbers, only these.
pub(super) fn select<'c>(
    app: &App,
    connection: &'c mut PgConnection,
    asked: &AskedOperations,
    only: Option<&[i64]>,
    referred: Referred,
) -> Result<Rows<'c, OperationLog>> {
    let app = app.clone();
    let rows = of_operations!(query_as [Row]
        [r#"select l.id, l.at, l.actor_type, l.actor_name, l.on_behalf_of, l.school_id, s.name as "school_name?", l.module,
                   l.operation, l.entity_type, l.entity_id, l.result_code, l.duration_ms, l.ip, l.method, l.path,
                   l.permission_code, l.sensitive, l.trace_id
            from platform.sys_log l
            left join platform.school s on s.id = l.school_id"#]
        asked
        [+ " and ($15::bigint[] is null or l.id = any($15)) order by l.at desc, l.id desc"],
        only)
    .fetch(connection)
    .map_ok(move |row| row.shown(&app, &referred))
    .boxed();
    Ok(rows)
}

fn at(log: &OperationLog) -> Cell {
    Cell::DateTime(log.at)
}
fn actor_type(log: &OperationLog) -> Cell {
    Cell::text(log.actor_type.map(LogActor::zh))
}
fn actor_name(log: &OperationLog) -> Cell {
    Cell::Text(log.actor_name.clone())
}
fn school_name(log: &OperationLog) -> Cell {
    Cell::text(log.school_name.clone())
}
fn module(log: &OperationLog) -> Cell {
    Cell::Text(log.module.clone())
}
fn operation(log: &OperationLog) -> Cell {
    Cell::Text(log.operation.clone())
}
fn target(log: &OperationLog) -> Cell {
    Cell::text(log.target.clone())
}
fn result_code(log: &OperationLog) -> Cell {
    Cell::Int(log.result_code.into())
}
fn duration_ms(log: &OperationLog) -> Cell {
    Cell::Int(log.duration_ms.into())
}
fn ip(log: &OperationLog) -> Cell {
    Cell::Text(log.ip.clone())
}
fn path(log: &OperationLog) -> Cell {
    Cell::Text(log.path.clone())
}
fn trace_id(log: &OperationLog) -> Cell {
    Cell::Text(log.trace_id.clone())
}

/// The export of either list: its columns (01 §6.2).
pub enum OperationLogs {}

impl Export for OperationLogs {
    type Filter = AskedOperations;
    type Row = OperationLog;
    const KIND: &'static str = "sys_log.export";
    type Permission = super::both::ExportLogs;
    const TITLE: &'static str = "操作日志";
    const COLUMNS: &'static [Column<OperationLog>] = &[
        Column { heading: "时间", width: 20, cell: at },
        Column { heading: "身份", width: 10, cell: actor_type },
        Column { heading: "操作人", width: 18, cell: actor_name },
        Column { heading: "院校", width: 24, cell: school_name },
        Column { heading: "模块", width: 12, cell: module },
        Column { heading: "操作", width: 24, cell: operation },
        Column { heading: "对象", width: 20, cell: target },
        Column { heading: "结果码", width: 8, cell: result_code },
        Column { heading: "耗时(毫秒)", width: 12, cell: duration_ms },
        Column { heading: "IP地址", width: 16, cell: ip },
        Column { heading: "路径", width: 36, cell: path },
        Column { heading: "追踪编号", width: 20, cell: trace_id },
    ];
    const OF_PLATFORM: bool = true;

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        asked: &AskedOperations,
        _scope: &Scope,
    ) -> Result<Rows<'c, OperationLog>> {
        select(app, connection, asked, None, Referred::default())
    }
}
