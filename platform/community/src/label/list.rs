//! How labels are read, and their sheet.

use chrono::NaiveDate;
use community_rules::enums::LabelType;
use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result, Scope,
    clock::{Moment, day_began, day_ended},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::CommunityLabels;

/// A label.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityLabel {
    /// 编号
    pub id: i64,
    /// 标签名称
    pub label_name: String,
    /// 类型
    pub label_type: LabelType,
    /// 引用数
    pub ref_count: i64,
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
pub struct CommunityLabelFilter {
    /// 标签名称
    #[oai(validator(max_length = 10))]
    pub label_name: Option<String>,
    /// 类型
    pub label_type: Option<LabelType>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &CommunityLabelFilter,
    page: Option<Paging>,
) -> Rows<'c, CommunityLabel> {
    let rows = sqlx::query_as!(
        CommunityLabel,
        r#"select l.id, l.label_name, l.label_type as "label_type: _",
                  (select count(*) from platform.blog_label b where b.label_id = l.id)
                      + (select count(*) from platform.community_question_label q where q.label_id = l.id) as "ref_count!",
                  l.enabled, l.created_at, l.version
           from platform.community_label l
           where ($1::bigint is null or l.id = $1)
             and ($2::text is null or strpos(lower(l.label_name), lower($2)) > 0)
             and ($3::text is null or l.label_type = $3)
             and ($4::boolean is null or l.enabled = $4)
             and ($5::timestamptz is null or l.created_at >= $5)
             and ($6::timestamptz is null or l.created_at < $6)
           order by l.created_at desc, l.id desc limit $7 offset $8"#,
        only,
        filter.label_name,
        filter.label_type.map(LabelType::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &CommunityLabelFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.community_label l
           where ($1::text is null or strpos(lower(l.label_name), lower($1)) > 0)
             and ($2::text is null or l.label_type = $2)
             and ($3::boolean is null or l.enabled = $3)
             and ($4::timestamptz is null or l.created_at >= $4)
             and ($5::timestamptz is null or l.created_at < $5)"#,
        filter.label_name,
        filter.label_type.map(LabelType::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<CommunityLabel> {
    let found = select(connection, Some(id), &CommunityLabelFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

impl Export for CommunityLabels {
    type Filter = CommunityLabelFilter;
    type Row = CommunityLabel;
    const KIND: &'static str = "communityLabel.export";
    type Permission = super::ExportCommunityLabels;
    const TITLE: &'static str = "标签";
    const COLUMNS: &'static [Column<CommunityLabel>] = &[
        Column { heading: "标签名称", width: 16, cell: |row| Cell::Text(row.label_name.clone()) },
        Column { heading: "类型", width: 10, cell: |row| Cell::Text(row.label_type.zh().to_owned()) },
        Column { heading: "引用数", width: 10, cell: |row| Cell::Int(row.ref_count) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "创建时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CommunityLabelFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, CommunityLabel>> {
        Ok(select(connection, None, filter, None))
    }
}
