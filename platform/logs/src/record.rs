//! 操作历史: the trail of one record, beside the record itself (05 E1).

use infra::{
    Body, Error, Page, Paging, Reply, Result, SignedIn,
    access::{HomeOrNamed, Reads},
    clock::Moment,
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::Value;

use crate::{
    changes::{ChangedField, Words, action_name},
    referred::{Referred, Trace},
};

/// A change of the record.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TrailChange {
    /// 编号
    id: i64,
    /// 时间
    at: Moment,
    /// 操作人
    actor_name: String,
    /// 代操作
    on_behalf_of: Option<String>,
    /// 动作
    action: String,
    /// 字段变更
    fields: Vec<ChangedField>,
}

/// Which record.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RecordQuery {
    /// 对象
    #[oai(validator(max_length = 63))]
    entity_type: String,
    /// 对象编号
    entity_id: i64,
    /// 当前页
    page_current: Option<i64>,
    /// 每页条数
    page_size: Option<i64>,
}

impl Example for RecordQuery {
    fn example() -> Self {
        Self { entity_type: "student".to_owned(), entity_id: 1, page_current: Some(1), page_size: Some(20) }
    }
}

pub struct Records;

#[OpenApi(prefix_path = "/data/pc/sys/log", tag = "crate::Tag::Logs")]
impl Records {
    /// 记录操作历史
    /// 需要查看该对象的权限
    #[oai(path = "/record", method = "post", operation_id = "listRecordChanges")]
    async fn list(
        &self,
        caller: SignedIn<Reads, HomeOrNamed>,
        Body(wanted): Body<RecordQuery>,
    ) -> Result<Reply<Page<TrailChange>>> {
        let paging = Paging::of(wanted.page_current, wanted.page_size)?;
        let app = caller.app();
        let history = app
            .modules()
            .history(&wanted.entity_type)
            .ok_or_else(|| Error::field("entityType", "该对象没有操作历史"))?;
        let mut tx = caller.home_read().await?;
        app.modules().admit(&mut tx, history, wanted.entity_id, caller.rights(), caller.user_id()).await?;
        // Unchecked because the trail stands in `platform` and in every school; the path decides.
        let total: i64 = sqlx::query_scalar("select count(*) from audit_log where entity_type = $1 and entity_id = $2")
            .bind(&wanted.entity_type)
            .bind(wanted.entity_id)
            .fetch_one(&mut *tx)
            .await?;
        let rows: Vec<Row> = sqlx::query_as(
            "select id, at, actor_name, on_behalf_of, action, changes from audit_log
             where entity_type = $1 and entity_id = $2 order by at desc, id desc limit $3 offset $4",
        )
        .bind(&wanted.entity_type)
        .bind(wanted.entity_id)
        .bind(paging.limit())
        .bind(paging.offset())
        .fetch_all(&mut *tx)
        .await?;
        let traces: Vec<Trace<'_>> = rows.iter().map(|row| row.trace(&wanted)).collect();
        let words = Words::of(app, Referred::by(app, &mut tx, &traces).await?);
        let list = rows.iter().map(|row| row.shown(&words, &row.trace(&wanted))).collect();
        Ok(reply(paging.page(total, list)))
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: i64,
    at: Moment,
    actor_name: String,
    on_behalf_of: Option<String>,
    action: String,
    changes: Value,
}

impl Row {
    fn trace<'t>(&'t self, of: &'t RecordQuery) -> Trace<'t> {
        Trace { table: &of.entity_type, id: of.entity_id, changes: &self.changes }
    }

    fn shown(&self, words: &Words<'_>, trace: &Trace<'_>) -> TrailChange {
        TrailChange {
            id: self.id,
            at: self.at,
            actor_name: self.actor_name.clone(),
            on_behalf_of: self.on_behalf_of.clone(),
            action: action_name(&self.action).to_owned(),
            fields: words.fields(trace),
        }
    }
}
