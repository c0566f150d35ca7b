//! How replies are read, and their sheet.

use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result, Scope,
    clock::Moment,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;
use wechat_rules::enums::{GzhMatchMode, GzhReplyKind, GzhReplyType};

use super::GzhAutoReplies;

/// A reply.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GzhAutoReply {
    /// 编号
    pub id: i64,
    /// 回复场景
    pub reply_kind: GzhReplyKind,
    /// 关键词
    pub keywords: Vec<String>,
    /// 匹配方式
    pub match_mode: Option<GzhMatchMode>,
    /// 回复类型
    pub reply_type: GzhReplyType,
    /// 回复内容
    pub content: Option<String>,
    /// 素材
    pub material_id: Option<i64>,
    /// 素材名称
    pub material_name: Option<String>,
    /// 排序
    pub sort: i32,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct GzhAutoReplyFilter {
    /// 回复场景
    pub reply_kind: Option<GzhReplyKind>,
    /// 关键词
    #[oai(validator(max_length = 30))]
    pub keyword: Option<String>,
    /// 回复类型
    pub reply_type: Option<GzhReplyType>,
    /// 启用
    pub enabled: Option<bool>,
}

pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &GzhAutoReplyFilter,
    page: Option<Paging>,
) -> Rows<'c, GzhAutoReply> {
    let rows = sqlx::query_as!(
        GzhAutoReply,
        r#"select r.id, r.reply_kind as "reply_kind: _", r.keywords, r.match_mode as "match_mode: _", r.reply_type as "reply_type: _",
                  r.content, r.material_id, m.name as "material_name?", r.sort, r.enabled, r.created_at, r.version
           from platform.gzh_auto_reply r left join platform.gzh_material m on m.id = r.material_id
           where ($1::bigint is null or r.id = $1)
             and ($2::text is null or r.reply_kind = $2)
             and ($3::text is null or strpos(array_to_string(r.keywords, ' '), lower($3)) > 0)
             and ($4::text is null or r.reply_type = $4)
             and ($5::boolean is null or r.enabled = $5)
           order by r.reply_kind, r.sort, r.id desc limit $6 offset $7"#,
        only,
        filter.reply_kind.map(GzhReplyKind::as_str),
        filter.keyword,
        filter.reply_type.map(GzhReplyType::as_str),
        filter.enabled,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &GzhAutoReplyFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.gzh_auto_reply r
           where ($1::text is null or r.reply_kind = $1)
             and ($2::text is null or strpos(array_to_string(r.keywords, ' '), lower($2)) > 0)
             and ($3::text is null or r.reply_type = $3)
             and ($4::boolean is null or r.enabled = $4)"#,
        filter.reply_kind.map(GzhReplyKind::as_str),
        filter.keyword,
        filter.reply_type.map(GzhReplyType::as_str),
        filter.enabled
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<GzhAutoReply> {
    let found = select(connection, Some(id), &GzhAutoReplyFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

impl Export for GzhAutoReplies {
    type Filter = GzhAutoReplyFilter;
    type Row = GzhAutoReply;
    const KIND: &'static str = "gzhAutoReply.export";
    type Permission = super::ExportGzhAutoReplies;
    const TITLE: &'static str = "自动回复";
    const COLUMNS: &'static [Column<GzhAutoReply>] = &[
        Column { heading: "回复场景", width: 12, cell: |row| Cell::Text(row.reply_kind.zh().to_owned()) },
        Column { heading: "关键词", width: 30, cell: |row| Cell::Text(row.keywords.join("、")) },
        Column { heading: "匹配方式", width: 12, cell: |row| Cell::text(row.match_mode.map(GzhMatchMode::zh)) },
        Column { heading: "回复类型", width: 10, cell: |row| Cell::Text(row.reply_type.zh().to_owned()) },
        Column { heading: "回复内容", width: 50, cell: |row| Cell::text(row.content.clone()) },
        Column { heading: "素材", width: 24, cell: |row| Cell::text(row.material_name.clone()) },
        Column { heading: "排序", width: 8, cell: |row| Cell::Int(row.sort.into()) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "创建时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &GzhAutoReplyFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, GzhAutoReply>> {
        Ok(select(connection, None, filter, None))
    }
}
