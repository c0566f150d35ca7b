//! One row of the operation log in full: its parameters, notes, and what it changed (01 §6.2, 05 E1).

use infra::{Allowed, Error, Result, access::Permission};
use poem_openapi::{Object, types::Any};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    changes::{self, ChangedRecord},
    operation::{OperationLog, Row},
    reach::Reach,
};

/// A row of the operation log with what belongs to it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LogDetail {
    #[oai(flatten)]
    log: OperationLog,
    /// 会话编号
    session_id: Option<String>,
    /// 参数
    /// 密码等已隐藏，个人信息已脱敏
    params: Any<Value>,
    /// 附注
    notes: Any<Value>,
    /// 变更记录数
    changed_count: i64,
    /// 变更
    /// 最多显示前200条记录
    changes: Vec<ChangedRecord>,
    /// 说明
    notice: Option<String>,
}

struct Extra {
    session_id: Option<Uuid>,
    params: Value,
    notes: Value,
}

/// # Errors
/// 404 when there is no such row, or it is another school's.
pub(crate) async fn view<P: Permission>(caller: &Allowed<P>, id: i64) -> Result<LogDetail> {
    let mut tx = caller.read().await?;
    let reach = Reach::of(&mut tx, caller, None).await?;
    let (row, extra) = find(&mut tx, id, &reach).await?.ok_or_else(Error::not_found)?;
    let mut found = changes::of_platform(caller.app(), &mut tx, &row.trace_id).await?;
    drop(tx);
    let mut notice = None;
    if let Some(school) = row.school_id {
        if Reach::is_inside(caller) {
            let mut tx = caller.home_read().await?;
            found.add(changes::of_school(caller.app(), &mut tx, &row.trace_id).await?);
        } else if let Some(school) = caller.app().school(school).await? {
            if school.key().is_ok() {
                let mut tx = caller.look_into(&school).await?;
                found.add(changes::of_school(caller.app(), &mut tx, &row.trace_id).await?);
            } else {
                notice = Some(format!("{}正在开通或升级，暂时不能显示其中的变更，请稍后再看", school.name));
            }
        }
    }
    let app = caller.app();
    Ok(LogDetail {
        log: row.shown(app, &found.referred),
        session_id: extra.session_id.map(|session| session.to_string()),
        params: Any(extra.params),
        notes: Any(extra.notes),
        changed_count: found.total,
        changes: found.shown(app),
        notice,
    })
}

async fn find(connection: &mut PgConnection, id: i64, reach: &Reach) -> Result<Option<(Row, Extra)>> {
    let row = sqlx::query!(
        r#"select l.id, l.at, l.actor_type, l.actor_name, l.on_behalf_of, l.school_id, (select s.name from platform.school s where s.id = l.school_id) as "school_name?",
                  l.module, l.operation,
                  l.entity_type, l.entity_id, l.result_code, l.duration_ms, l.ip, l.method, l.path, l.permission_code,
                  l.sensitive, l.trace_id, l.session_id, l.params, l.notes
           from platform.sys_log l
           where l.id = $1
             and ($2::bigint is null or (l.school_id = $2 and l.actor_type <> 'job'))
             and ($3::bigint[] is null or l.school_id is null or l.school_id = any($3))"#,
        id,
        reach.school,
        reach.schools.as_deref()
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| {
        let extra = Extra { session_id: row.session_id, params: row.params, notes: row.notes };
        let head = Row {
            id: row.id,
            at: row.at,
            actor_type: row.actor_type,
            actor_name: row.actor_name,
            on_behalf_of: row.on_behalf_of,
            school_id: row.school_id,
            school_name: row.school_name,
            module: row.module,
            operation: row.operation,
            entity_type: row.entity_type,
            entity_id: row.entity_id,
            result_code: row.result_code,
            duration_ms: row.duration_ms,
            ip: row.ip,
            method: row.method,
            path: row.path,
            permission_code: row.permission_code,
            sensitive: row.sensitive,
            trace_id: row.trace_id,
        };
        (head, extra)
    }))
}
