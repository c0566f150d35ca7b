//! 发件记录: what the adapter `recorded` would have sent (05 D4, D5).

use infra::{Allowed, Body, Page, Paged, Part, Reply, Result, clock::Moment, mask, permissions, reply};
use poem_openapi::{Object, OpenApi};
use scenes::enums::Channel;

permissions! {
    pages "/user/msg/failureLog", "/user/msg/list";
    AtHome Reads ListRecorded = "user:pc:msg:recorded" "发件记录";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], ..Part::NONE };

/// A letter that nobody got.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Recorded {
    /// 编号
    pub id: i64,
    /// 渠道
    pub channel: Channel,
    /// 接收人
    pub recipient_name: Option<String>,
    /// 地址
    pub address: Option<String>,
    /// 标题
    pub title: String,
    /// 内容
    pub content: String,
    /// 时间
    pub at: Moment,
}

/// What the list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct RecordedFilter {
    /// 消息
    pub id: Option<i64>,
    /// 渠道
    pub channel: Option<Channel>,
}

pub struct RecordedLetters;

#[OpenApi(prefix_path = "/user/pc/msg/recorded", tag = "crate::Tag::Messages")]
impl RecordedLetters {
    /// 发件记录
    #[oai(path = "/list", method = "post", operation_id = "listRecordedLetters")]
    async fn list(
        &self,
        caller: Allowed<ListRecorded>,
        Body(asked): Body<Paged<RecordedFilter>>,
    ) -> Result<Reply<Page<Recorded>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from msg_recorded r left join msg_delivery d on d.id = r.delivery_id
               where ($1::bigint is null or d.msg_id = $1) and ($2::text is null or r.channel = $2)
                 and ($3::bigint[] is null or d.site_id = any($3) or d.class_id = any($4::bigint[]))"#,
            filter.id,
            filter.channel.map(Channel::as_str),
            scope.sites(),
            scope.classes()
        )
        .fetch_one(&mut *tx)
        .await?;
        let rows = sqlx::query!(
            r#"select r.id, r.channel as "channel: Channel", d.recipient_name as "recipient_name?", r.address, r.title, r.content, r.at
               from msg_recorded r left join msg_delivery d on d.id = r.delivery_id
               where ($1::bigint is null or d.msg_id = $1) and ($2::text is null or r.channel = $2)
                 and ($3::bigint[] is null or d.site_id = any($3) or d.class_id = any($4::bigint[]))
               order by r.at desc, r.id desc limit $5 offset $6"#,
            filter.id,
            filter.channel.map(Channel::as_str),
            scope.sites(),
            scope.classes(),
            paging.limit(),
            paging.offset()
        )
        .fetch_all(&mut *tx)
        .await?;
        let list = rows
            .into_iter()
            .map(|row| Recorded {
                id: row.id,
                channel: row.channel,
                recipient_name: row.recipient_name,
                address: row.address.map(|address| match row.channel {
                    Channel::Sms => mask::phone(&address),
                    Channel::Mail => mask::email(&address),
                    _ => address,
                }),
                title: row.title,
                content: row.content,
                at: row.at,
            })
            .collect();
        Ok(reply(paging.page(total, list)))
    }
}
