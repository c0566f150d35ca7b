//! 变更: the trail's rows of one call, field by field, in the words of people.

use std::sync::Arc;

use infra::{App, Result};
use log_rules::{names::FieldNames, trail::name_of};
use poem_openapi::Object;
use serde_json::Value;
use sqlx::PgConnection;

use crate::{
    operation::entity_name,
    referred::{Referred, Trace, each},
};

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

impl Entry {
    fn trace(&self) -> Trace<'_> {
        Trace { table: &self.entity_type, id: self.entity_id, changes: &self.changes }
    }
}

/// Rows of a trail, of which only the first are kept, with what their numbers stand for.
pub(crate) struct Found {
    pub(crate) total: i64,
    entries: Vec<Entry>,
    pub(crate) referred: Referred,
}

pub(crate) async fn of_platform(app: &App, connection: &mut PgConnection, trace: &str) -> Result<Found> {
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
            .fetch_one(&mut *connection)
            .await?;
    Found::read(app, connection, total, entries).await
}

/// The same of the school in which the transaction stands.
pub(crate) async fn of_school(app: &App, connection: &mut PgConnection, trace: &str) -> Result<Found> {
    let entries = sqlx::query_as!(
        Entry,
        "select entity_type, entity_id, action, changes from audit_log where trace_id = $1 order by id limit $2",
        trace,
        SHOWN as i64
    )
    .fetch_all(&mut *connection)
    .await?;
    let total = sqlx::query_scalar!(r#"select count(*) as "count!" from audit_log where trace_id = $1"#, trace)
        .fetch_one(&mut *connection)
        .await?;
    Found::read(app, connection, total, entries).await
}

impl Found {
    async fn read(app: &App, connection: &mut PgConnection, total: i64, entries: Vec<Entry>) -> Result<Self> {
        let traces: Vec<Trace<'_>> = entries.iter().map(Entry::trace).collect();
        let referred = Referred::by(app, connection, &traces).await?;
        Ok(Self { total, entries, referred })
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.total += other.total;
        self.referred.extend(other.referred);
        self.entries.extend(other.entries);
        self.entries.truncate(SHOWN);
    }

    pub(crate) fn shown(self, app: &App) -> Vec<ChangedRecord> {
        let words = Words::of(app, self.referred);
        self.entries
            .into_iter()
            .map(|entry| ChangedRecord {
                entity_name: entity_name(app, &entry.entity_type),
                entity_id: entry.entity_id,
                name: words.name(&entry.trace()),
                action: action_name(&entry.action).to_owned(),
                fields: words.fields(&entry.trace()),
            })
            .collect()
    }
}

/// How the fields of changes are read.
pub(crate) struct Words<'w> {
    app: &'w App,
    names: Arc<FieldNames>,
    referred: Referred,
}

impl<'w> Words<'w> {
    pub(crate) fn of(app: &'w App, referred: Referred) -> Self {
        Self { app, names: FieldNames::known(app), referred }
    }

    /// What the record is called, where it still stands or the change tells it.
    fn name(&self, trace: &Trace<'_>) -> Option<String> {
        let standing = self.referred.called(self.app, trace.table, trace.id);
        standing
            .map(ToOwned::to_owned)
            .or_else(|| name_of(trace.changes.as_array().map(Vec::as_slice).unwrap_or_default()))
    }

    /// The fields of one change.
    pub(crate) fn fields(&self, trace: &Trace<'_>) -> Vec<ChangedField> {
        trace.changes.as_array().into_iter().flatten().map(|change| self.field(trace.table, change)).collect()
    }

    fn field(&self, table: &str, change: &Value) -> ChangedField {
        let field = change["field"].as_str().unwrap_or_default();
        ChangedField {
            field: field.to_owned(),
            label: self.label(table, field).to_owned(),
            before: self.written(table, field, &change["before"]),
            after: self.written(table, field, &change["after"]),
        }
    }

    /// A field that is read as a name is not called a number: 年级, not 年级编号.
    fn label<'f>(&'f self, table: &str, field: &'f str) -> &'f str {
        let label = self.names.label(table, field).unwrap_or(field);
        let is_named = self.referred.table(self.app, table, field).is_some();
        label.strip_suffix("编号").filter(|short| is_named && !short.is_empty()).unwrap_or(label)
    }

    fn written(&self, table: &str, field: &str, value: &Value) -> Option<String> {
        let one = |value: &Value| match self.referred.read(self.app, table, field, value) {
            Some(name) => Some(name.to_owned()),
            None => self.names.written(table, field, value),
        };
        if value.is_array() {
            return Some(each(value).iter().filter_map(one).collect::<Vec<_>>().join("、"));
        }
        one(value)
    }
}

/// 01 §6.1 names six actions; steps that are told by no field have words of their own.
const ACTIONS: [(&str, &str); 103] = [
    ("insert", "新增"),
    ("update", "修改"),
    ("delete", "删除"),
    ("status", "变更状态"),
    ("import", "导入"),
    ("recover", "恢复"),
    ("copy", "复制基础数据"),
    ("scrub", "清理个人信息"),
    ("enter", "进入院校"),
    ("kick", "强制下线"),
    ("unlock", "解锁"),
    ("start", "启动"),
    ("fetch", "下载"),
    ("test", "测试"),
    ("photo", "更新照片"),
    ("phone", "查看电话"),
    ("scanned", "扫描"),
    ("sort", "排序"),
    ("insertPeriod", "新增课时"),
    ("updatePeriod", "修改课时"),
    ("deletePeriod", "删除课时"),
    ("reset", "重置"),
    ("reply", "回复"),
    ("reset_link", "重置报名链接"),
    ("enablePeriod", "启用课时"),
    ("disablePeriod", "停用课时"),
    ("sortPeriods", "课时排序"),
    ("allocation", "下发"),
    ("rollOver", "年度结转"),
    ("resetPassword", "重置密码"),
    ("unbindWechat", "解绑微信"),
    ("drop_caches", "清除缓存"),
    ("resend", "重发"),
    ("measure", "统计得分率和区分度"),
    ("read", "阅读"),
    ("accept", "接受"),
    ("allocate", "证书编号"),
    ("arrange", "安排"),
    ("assign", "分配"),
    ("attendance", "登记考勤"),
    ("audit", "审核"),
    ("beat", "记录监考"),
    ("cancel", "取消"),
    ("clear", "清空座位"),
    ("complete", "完成"),
    ("compute", "计算"),
    ("correct", "更正成绩"),
    ("count", "计算成绩"),
    ("device", "更换设备"),
    ("discard", "作废"),
    ("erase", "清除数据"),
    ("exempt", "免修"),
    ("expiry_warning", "到期提醒"),
    ("export", "导出"),
    ("extend", "延期"),
    ("force", "强制交卷"),
    ("generate", "生成"),
    ("hand_over", "转交"),
    ("invigilation", "安排监考"),
    ("issue", "发放"),
    ("leave", "离开"),
    ("level", "更新前置学历清查"),
    ("mark", "评分"),
    ("merge", "合并"),
    ("oneClickLogin", "一键登录"),
    ("notify", "通知"),
    ("open", "打开"),
    ("pictures", "记录监考照片"),
    ("pin", "固定"),
    ("print", "打印"),
    ("publish", "发布"),
    ("pull", "从微信拉取"),
    ("receive", "接收成绩"),
    ("recompute", "重新计算"),
    ("record", "登记"),
    ("refresh", "刷新名单"),
    ("refuse", "拒绝"),
    ("rejudge", "更正答案"),
    ("release", "释放"),
    ("remind", "催办"),
    ("reopen", "重新打开"),
    ("resume", "继续作答"),
    ("retry", "重试"),
    ("review", "评阅"),
    ("reviewers", "分配评阅"),
    ("save", "保存"),
    ("scan", "上传扫描件"),
    ("seat", "编排座位"),
    ("select", "选课"),
    ("similarity", "查重"),
    ("sortChapters", "章节排序"),
    ("submit", "提交"),
    ("switch", "切换"),
    ("sync", "同步"),
    ("tickets", "准考证"),
    ("topic", "指定题目"),
    ("transcript", "出具成绩单"),
    ("transfer", "转入成绩"),
    ("undo", "撤销导入"),
    ("upload", "上传"),
    ("waive", "免除"),
    ("warn", "警告"),
    ("withdraw", "撤回"),
];

pub(crate) fn action_name(action: &str) -> &str {
    ACTIONS.iter().find(|(known, _)| *known == action).map_or(action, |(_, word)| *word)
}
