//! How words are read, and their sheet. They are not imported.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result, Scope,
    clock::{Moment, day_began, day_ended},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{SearchWordType, SearchWords};
use crate::filter::SiteTerminal;

/// A word, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SearchWord {
    /// 编号
    pub id: i64,
    /// 端
    pub terminal: SiteTerminal,
    /// 类型
    pub word_type: SearchWordType,
    /// 搜索词
    pub word: String,
    /// 跳转链接
    pub jump_url: Option<String>,
    /// 点击次数
    pub click_count: i64,
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
pub struct SearchWordFilter {
    /// 搜索词
    #[oai(validator(max_length = 20))]
    pub name: Option<String>,
    /// 端
    pub terminal: Option<SiteTerminal>,
    /// 类型
    pub word_type: Option<SearchWordType>,
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
    filter: &SearchWordFilter,
    page: Option<Paging>,
) -> Rows<'c, SearchWord> {
    let rows = sqlx::query_as!(
        SearchWord,
        r#"select w.id, w.terminal as "terminal: _", w.word_type as "word_type: _", w.word, w.jump_url, w.click_count,
                  w.sort, w.enabled, w.created_at, w.version
           from platform.search_word w
           where ($1::bigint is null or w.id = $1)
             and ($2::text is null or strpos(w.word, $2) > 0)
             and ($3::text is null or w.terminal = $3)
             and ($4::text is null or w.word_type = $4)
             and ($5::boolean is null or w.enabled = $5)
             and ($6::timestamptz is null or w.created_at >= $6)
             and ($7::timestamptz is null or w.created_at < $7)
           order by w.terminal, w.word_type, w.sort, w.id desc limit $8 offset $9"#,
        only,
        filter.name,
        filter.terminal.map(SiteTerminal::as_str),
        filter.word_type.map(SearchWordType::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &SearchWordFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.search_word w
           where ($1::text is null or strpos(w.word, $1) > 0)
             and ($2::text is null or w.terminal = $2)
             and ($3::text is null or w.word_type = $3)
             and ($4::boolean is null or w.enabled = $4)
             and ($5::timestamptz is null or w.created_at >= $5)
             and ($6::timestamptz is null or w.created_at < $6)"#,
        filter.name,
        filter.terminal.map(SiteTerminal::as_str),
        filter.word_type.map(SearchWordType::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<SearchWord> {
    let found = select(connection, Some(id), &SearchWordFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

impl Export for SearchWords {
    type Filter = SearchWordFilter;
    type Row = SearchWord;
    const KIND: &'static str = "searchWord.export";
    type Permission = super::ExportSearchWords;
    const TITLE: &'static str = "搜索词";
    const COLUMNS: &'static [Column<SearchWord>] = &[
        Column { heading: "端", width: 10, cell: |row| Cell::Text(row.terminal.zh().to_owned()) },
        Column { heading: "类型", width: 10, cell: |row| Cell::Text(row.word_type.zh().to_owned()) },
        Column { heading: "搜索词", width: 24, cell: |row| Cell::Text(row.word.clone()) },
        Column { heading: "跳转链接", width: 36, cell: |row| Cell::text(row.jump_url.clone()) },
        Column { heading: "点击次数", width: 10, cell: |row| Cell::Int(row.click_count) },
        Column { heading: "排序", width: 8, cell: |row| Cell::Int(row.sort.into()) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "创建时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &SearchWordFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, SearchWord>> {
        Ok(select(connection, None, filter, None))
    }
}
