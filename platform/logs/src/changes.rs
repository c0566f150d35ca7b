//! 变更: the trail's rows of one call, field by field, in the words of people.

use infra::{App, Result};
use poem_openapi::Object;
use serde_json::Value;
use sqlx::PgConnection;

use crate::{names::FieldNames, operation::entity_name};

/// Records shown of one call; an import of ten thousand is told by its number.
const SHOWN: usize = 200;

/// A record that a call changed.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChangedRecord {
    /// 对象
    entity_name: String,
    /// 对象编号
    entity_id: i64,
    /// 名称
    name: Option<String>,
    /// 动作
    action: String,
    /// 字段变更
    fields: Vec<ChangedField>,
}

/// A field of it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChangedField {
    /// 技术名称
    field: String,
    /// 字段
    label: String,
    /// 变更前
    before: Option<String>,
    /// 变更后
    after: Option<String>,
}

struct Entry {
    entity_type: String,
    entity_id: i64,
    action: String,
    changes: Value,
}

/// Rows of a trail, of which only the first are kept.
pub(crate) struct Found {
    pub(crate) total: i64,
    entries: Vec<Entry>,
}

pub(crate) async fn of_platform(connection: &mut PgConnection, trace: &str) -> Result<Found> {
    let entries = sqlx::query_as!(
        Entry,
        "select entity_type, entity_id, action, changes from platform.audit_log where trace_id = $1 order by id limit $2",
        trace,
        SHOWN as i64
    )
    .fetch_all(&mut *connection)
    .await?;
    let total =
        sqlx::query_scalar!(r#"select count(*) as "count!" from platform.audit_log where trace_id = $1"#, trace)
            .fetch_one(connection)
            .await?;
    Ok(Found { total, entries })
}

/// The same of the school in which the transaction stands.
pub(crate) async fn of_school(connection: &mut PgConnection, trace: &str) -> Result<Found> {
    let entries = sqlx::query_as!(
        Entry,
        "select entity_type, entity_id, action, changes from audit_log where trace_id = $1 order by id limit $2",
        trace,
        SHOWN as i64
    )
    .fetch_all(&mut *connection)
    .await?;
    let total = sqlx::query_scalar!(r#"select count(*) as "count!" from audit_log where trace_id = $1"#, trace)
        .fetch_one(connection)
        .await?;
    Ok(Found { total, entries })
}

impl Found {
    pub(crate) fn add(&mut self, other: Self) {
        self.total += other.total;
        self.entries.extend(other.entries);
        self.entries.truncate(SHOWN);
    }

    pub(crate) fn shown(self, app: &App) -> Vec<ChangedRecord> {
        let names = FieldNames::known(app);
        self.entries
            .into_iter()
            .map(|entry| {
                let changes = entry.changes.as_array().map(Vec::as_slice).unwrap_or_default();
                ChangedRecord {
                    entity_name: entity_name(app, &entry.entity_type),
                    entity_id: entry.entity_id,
                    name: name_of(changes),
                    action: action_name(&entry.action).to_owned(),
                    fields: fields_of(&names, &entry.entity_type, &entry.changes),
                }
            })
            .collect()
    }
}

/// What the record is called, where the change tells it.
fn name_of(changes: &[Value]) -> Option<String> {
    let told = |field: &str| {
        let change = changes.iter().find(|change| change["field"] == field)?;
        change["after"].as_str().or_else(|| change["before"].as_str()).map(ToOwned::to_owned)
    };
    ["name", "realName", "title", "loginName"].into_iter().find_map(told)
}

/// The fields of one change.
pub(crate) fn fields_of(names: &FieldNames, table: &str, changes: &Value) -> Vec<ChangedField> {
    changes.as_array().into_iter().flatten().map(|change| field_of(names, table, change)).collect()
}

fn field_of(names: &FieldNames, table: &str, change: &Value) -> ChangedField {
    let field = change["field"].as_str().unwrap_or_default();
    ChangedField {
        field: field.to_owned(),
        label: names.label(table, field).unwrap_or(field).to_owned(),
        before: names.written(table, field, &change["before"]),
        after: names.written(table, field, &change["after"]),
    }
}

/// 01 §6.1 names six actions; steps that are told by no field have words of their own.
pub(crate) fn action_name(action: &str) -> &str {
    match action {
        "insert" => "新增",
        "update" => "修改",
        "delete" => "删除",
        "status" => "变更状态",
        "import" => "导入",
        "recover" => "恢复",
        "scrub" => "清理个人信息",
        "enter" => "进入院校",
        "kick" => "强制下线",
        "unlock" => "解锁",
        "start" => "启动",
        "fetch" => "下载",
        "test" => "测试",
        "photo" => "更新照片",
        "sort" => "排序",
        "insertPeriod" => "新增课时",
        "updatePeriod" => "修改课时",
        "deletePeriod" => "删除课时",
        "enablePeriod" => "启用课时",
        "disablePeriod" => "停用课时",
        "sortPeriods" => "课时排序",
        "allocation" => "下发",
        "rollOver" => "年度结转",
        "resetPassword" => "重置密码",
        "unbindWechat" => "解绑微信",
        "drop_caches" => "清除缓存",
        "resend" => "重发",
        "read" => "阅读",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_record_is_called_by_what_the_change_tells() {
        let renamed = json!([{ "field": "name", "before": "城东站", "after": "城西站" }]);
        assert_eq!(name_of(renamed.as_array().expect("fields")), Some("城西站".to_owned()));
        let gone = json!([{ "field": "loginName", "before": "wangwu", "after": null }]);
        assert_eq!(name_of(gone.as_array().expect("fields")), Some("wangwu".to_owned()));
        assert_eq!(name_of(&[json!({ "field": "phone", "before": "138****0001", "after": null })]), None);
    }
}
