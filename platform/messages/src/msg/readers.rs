//! 查看统计: one row a person over all channels, and its export (05 D5). The rows of a message come in the order of its unique
//! index, so that a page of ten thousand persons is grouped without sorting.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, Error, Page, Paging, Reply, Result, Scope,
    clock::Moment,
    permissions, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use scenes::enums::Channel;
use sqlx::PgConnection;

use super::{failures::Failures, find, meant};
use crate::enums::DeliveryStatus;

permissions! {
    pages "/user/msg/checkStatistics", "/user/msg/failureLog";
    HomeOrNamed Reads       CheckReaders   = "user:pc:msg:checkStatistics" "消息查看统计";
    HomeOrNamed ReadsLogged ExportMessages = "user:pc:msg:export" "导出消息";
}

/// What became of a person's row in one channel.
#[derive(Debug, Clone, Object)]
pub struct ChannelState {
    /// 渠道
    pub channel: Channel,
    /// 状态
    pub status: DeliveryStatus,
}

/// A person who was meant.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Reader {
    /// 编号
    pub id: i64,
    /// 姓名
    pub recipient_name: String,
    /// 学号/账号
    pub recipient_no: Option<String>,
    /// 站点
    pub site_name: Option<String>,
    /// 班级
    pub class_name: Option<String>,
    /// 渠道状态
    pub channels: Vec<ChannelState>,
    /// 是否已读
    pub read: bool,
    /// 阅读时间
    pub read_at: Option<Moment>,
    /// 首次送达
    pub first_sent_at: Option<Moment>,
}

/// What the list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ReaderFilter {
    /// 消息
    pub id: i64,
    /// 当前页
    pub page_current: Option<i64>,
    /// 每页条数
    pub page_size: Option<i64>,
    /// 姓名或学号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 是否已读
    pub read: Option<bool>,
    /// 渠道
    pub channel: Option<Channel>,
    /// 渠道状态
    pub status: Option<DeliveryStatus>,
}

impl Example for ReaderFilter {
    fn example() -> Self {
        Self { id: 1, page_current: Some(1), page_size: Some(20), ..Self::default() }
    }
}

/// What is exported of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, poem_openapi::Enum)]
#[oai(rename_all = "snake_case")]
pub enum ExportedPart {
    Readers,
    Failures,
}

/// Which rows are exported: the filters of the list of persons, or of the list of failures. The page is not looked at.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct MessageExport {
    /// 消息
    /// 失败记录可以不填，为近30天全部消息的失败
    pub id: Option<i64>,
    /// 内容
    /// readers为接收人，failures为失败记录
    #[oai(default = "readers")]
    pub part: ExportedPart,
    /// 当前页
    pub page_current: Option<i64>,
    /// 每页条数
    pub page_size: Option<i64>,
    /// 姓名或学号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 是否已读
    pub read: Option<bool>,
    /// 渠道
    pub channel: Option<Channel>,
    /// 渠道状态
    pub status: Option<DeliveryStatus>,
    /// 失败原因
    pub fail_code: Option<channels::enums::FailCode>,
    /// 开始日期
    pub starts_on: Option<NaiveDate>,
    /// 结束日期
    pub ends_on: Option<NaiveDate>,
}

fn readers() -> ExportedPart {
    ExportedPart::Readers
}

impl Example for MessageExport {
    fn example() -> Self {
        Self {
            id: Some(1),
            part: ExportedPart::Readers,
            page_current: None,
            page_size: None,
            keyword: None,
            site_id: None,
            class_id: None,
            read: None,
            channel: None,
            status: None,
            fail_code: None,
            starts_on: None,
            ends_on: None,
        }
    }
}

pub struct Readers;

#[OpenApi(prefix_path = "/user/pc/msg", tag = "crate::Tag::Messages")]
impl Readers {
    /// 消息查看统计
    #[oai(path = "/checkStatistics", method = "post", operation_id = "listMessageReaders")]
    async fn list(
        &self,
        caller: Allowed<CheckReaders>,
        Body(mut filter): Body<ReaderFilter>,
    ) -> Result<Reply<Page<Reader>>> {
        let paging = Paging::of(filter.page_current, filter.page_size)?;
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        filter.id = meant(&mut tx, &caller, filter.id).await?;
        find(&mut tx, filter.id).await?;
        let total = count(&mut tx, &filter, &scope).await?;
        let rows: Vec<Row> = select(&mut tx, &filter, &scope, Some(paging)).try_collect().await?;
        let list = shown(&mut tx, caller.school_id().is_some(), rows).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 导出消息
    #[oai(path = "/export", method = "post", operation_id = "exportMessages")]
    async fn export(
        &self,
        caller: Allowed<ExportMessages>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(mut wanted): Body<MessageExport>,
    ) -> Result<Exported> {
        if let Some(id) = wanted.id {
            wanted.id = Some(meant(&mut *caller.read().await?, &caller, id).await?);
        }
        match (wanted.part, wanted.id) {
            (ExportedPart::Readers, None) => Err(Error::field("id", "请选择消息")),
            (ExportedPart::Readers, Some(id)) => {
                let filter = ReaderFilter {
                    id,
                    keyword: wanted.keyword,
                    site_id: wanted.site_id,
                    class_id: wanted.class_id,
                    read: wanted.read,
                    channel: wanted.channel,
                    status: wanted.status,
                    ..ReaderFilter::default()
                };
                transfer::export::<Self>(&caller, filter, job.0).await
            }
            (ExportedPart::Failures, id) => {
                let filter = super::failures::FailureFilter {
                    id,
                    channel: wanted.channel,
                    fail_code: wanted.fail_code,
                    starts_on: wanted.starts_on,
                    ends_on: wanted.ends_on,
                };
                transfer::export::<Failures>(&caller, filter, job.0).await
            }
        }
    }
}

/// A person as the statement gives it.
pub struct Row {
    recipient_id: i64,
    recipient_name: String,
    recipient_no: Option<String>,
    site_id: Option<i64>,
    class_id: Option<i64>,
    channels: Vec<String>,
    statuses: Vec<String>,
    read_at: Option<Moment>,
    first_sent_at: Option<Moment>,
}

impl Row {
    fn states(&self) -> Vec<ChannelState> {
        let pairs = self.channels.iter().zip(&self.statuses);
        let known = pairs.filter_map(|(channel, status)| {
            Some(ChannelState { channel: Channel::parse(channel)?, status: DeliveryStatus::parse(status)? })
        });
        known.collect()
    }
}

/// Sites and classes have names in a school alone; a page knows few of them.
async fn shown(connection: &mut PgConnection, inside: bool, rows: Vec<Row>) -> Result<Vec<Reader>> {
    let (mut sites, mut classes) = (BTreeMap::new(), BTreeMap::new());
    if inside {
        let site_ids: Vec<i64> = rows.iter().filter_map(|row| row.site_id).collect();
        let class_ids: Vec<i64> = rows.iter().filter_map(|row| row.class_id).collect();
        for row in
            sqlx::query!("select id, name from site where id = any($1)", &site_ids).fetch_all(&mut *connection).await?
        {
            sites.insert(row.id, row.name);
        }
        for row in
            sqlx::query!("select id, name from class where id = any($1)", &class_ids).fetch_all(connection).await?
        {
            classes.insert(row.id, row.name);
        }
    }
    let named = rows.into_iter().map(|row| Reader {
        id: row.recipient_id,
        channels: row.states(),
        site_name: row.site_id.and_then(|id| sites.get(&id).cloned()),
        class_name: row.class_id.and_then(|id| classes.get(&id).cloned()),
        read: row.read_at.is_some(),
        read_at: row.read_at,
        first_sent_at: row.first_sent_at,
        recipient_name: row.recipient_name,
        recipient_no: row.recipient_no,
    });
    Ok(named.collect())
}

fn select<'c>(
    connection: &'c mut PgConnection,
    filter: &ReaderFilter,
    scope: &Scope,
    page: Option<Paging>,
) -> Rows<'c, Row> {
    sqlx::query_as!(
        Row,
        r#"select d.recipient_id, min(d.recipient_name) as "recipient_name!", min(d.recipient_no) as recipient_no,
                  min(d.site_id) as site_id, min(d.class_id) as class_id,
                  array_agg(d.channel order by d.channel) as "channels!", array_agg(d.status order by d.channel) as "statuses!",
                  max(d.read_at) as read_at,
                  min(coalesce(d.delivered_at, d.sent_at)) filter (where d.status <> 'failed') as first_sent_at
           from msg_delivery d
           where d.msg_id = $1
             and ($2::text is null or strpos(d.recipient_name, $2) > 0 or d.recipient_no = upper($2))
             and ($3::bigint is null or d.site_id = $3) and ($4::bigint is null or d.class_id = $4)
             and ($8::bigint[] is null or d.site_id = any($8) or d.class_id = any($9::bigint[]))
           group by d.recipient_type, d.recipient_id
           having ($5::boolean is null or (max(d.read_at) is not null) = $5)
             and (($6::text is null and $7::text is null)
                  or bool_or(($6::text is null or d.channel = $6) and ($7::text is null or d.status = $7)))
           order by d.recipient_type, d.recipient_id limit $10 offset $11"#,
        filter.id,
        filter.keyword,
        filter.site_id,
        filter.class_id,
        filter.read,
        filter.channel.map(Channel::as_str),
        filter.status.map(DeliveryStatus::as_str),
        scope.sites() as Option<&[i64]>,
        scope.classes() as Option<&[i64]>,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection)
}

async fn count(connection: &mut PgConnection, filter: &ReaderFilter, scope: &Scope) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from (
               select 1 from msg_delivery d
               where d.msg_id = $1
                 and ($2::text is null or strpos(d.recipient_name, $2) > 0 or d.recipient_no = upper($2))
                 and ($3::bigint is null or d.site_id = $3) and ($4::bigint is null or d.class_id = $4)
                 and ($8::bigint[] is null or d.site_id = any($8) or d.class_id = any($9::bigint[]))
               group by d.recipient_type, d.recipient_id
               having ($5::boolean is null or (max(d.read_at) is not null) = $5)
                 and (($6::text is null and $7::text is null)
                      or bool_or(($6::text is null or d.channel = $6) and ($7::text is null or d.status = $7)))) p"#,
        filter.id,
        filter.keyword,
        filter.site_id,
        filter.class_id,
        filter.read,
        filter.channel.map(Channel::as_str),
        filter.status.map(DeliveryStatus::as_str),
        scope.sites() as Option<&[i64]>,
        scope.classes() as Option<&[i64]>
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

fn states(row: &Row) -> String {
    let words =
        row.states().iter().map(|state| format!("{}{}", state.channel.zh(), state.status.zh())).collect::<Vec<_>>();
    words.join("、")
}

impl Export for Readers {
    type Filter = ReaderFilter;
    type Row = Row;
    const KIND: &'static str = "msg.readers.export";
    type Permission = ExportMessages;
    const TITLE: &'static str = "消息接收人";
    const COLUMNS: &'static [Column<Row>] = &[
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.recipient_name.clone()) },
        Column { heading: "学号/账号", width: 18, cell: |row| Cell::text(row.recipient_no.clone()) },
        Column { heading: "渠道状态", width: 30, cell: |row| Cell::Text(states(row)) },
        Column { heading: "是否已读", width: 10, cell: |row| Cell::Bool(row.read_at.is_some()) },
        Column { heading: "阅读时间", width: 20, cell: |row| Cell::time(row.read_at) },
        Column { heading: "首次送达", width: 20, cell: |row| Cell::time(row.first_sent_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ReaderFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Row>> {
        Ok(select(connection, filter, scope, None))
    }
}
