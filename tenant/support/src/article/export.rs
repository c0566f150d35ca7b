//! 导出 of articles.

use std::marker::PhantomData;

use futures_util::stream;
use infra::{
    App, Result, Scope,
    access::Caller,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;
use support_rules::enums::SupportSource;

use super::{Asked, HelpArticle, HelpArticleFilter, rows};
use crate::{desk::Desk, source};

/// Which articles a file holds.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct ArticlesWanted {
    /// 来源
    own: SupportSource,
    /// 院校
    seen_by: Option<i64>,
    /// 条件
    filter: HelpArticleFilter,
}

impl ArticlesWanted {
    /// # Errors
    /// 400 for a source that the caller's area does not have.
    pub(crate) fn of(caller: &Caller, filter: HelpArticleFilter) -> Result<Self> {
        let seen_by = source::seen_from_school(caller, filter.source)?;
        let own = if seen_by.is_some() { SupportSource::Platform } else { source::own(caller) };
        Ok(Self { own, seen_by, filter })
    }
}

/// The articles of a desk as a workbook.
pub(crate) struct ArticleSheet<D: Desk>(PhantomData<D>);

/// The columns of the list.
const COLUMNS: &[Column<HelpArticle>] = &[
    Column { heading: "标题", width: 40, cell: |row| Cell::Text(row.title.clone()) },
    Column { heading: "分类", width: 24, cell: |row| Cell::Text(row.category_name.clone()) },
    Column { heading: "来源", width: 8, cell: |row| Cell::Text(row.source.zh().to_owned()) },
    Column { heading: "适用院校", width: 30, cell: |row| Cell::text(schools(row)) },
    Column { heading: "关键词", width: 24, cell: |row| Cell::Text(row.keywords.join("、")) },
    Column { heading: "置顶", width: 8, cell: |row| Cell::Bool(row.pinned) },
    Column { heading: "排序", width: 8, cell: |row| Cell::Int(i64::from(row.sort)) },
    Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    Column { heading: "发布时间", width: 20, cell: |row| Cell::time(row.published_at) },
    Column { heading: "阅读", width: 10, cell: |row| Cell::Int(row.view_count) },
    Column { heading: "有用", width: 10, cell: |row| Cell::Int(row.helpful) },
    Column { heading: "没用", width: 10, cell: |row| Cell::Int(row.unhelpful) },
    Column { heading: "有用率(%)", width: 10, cell: |row| row.helpful_rate.map_or(Cell::Empty, tenths) },
    Column { heading: "版本", width: 8, cell: |row| Cell::Int(i64::from(row.version_no)) },
    Column { heading: "更新时间", width: 20, cell: |row| Cell::DateTime(row.updated_at) },
];

/// For whom an article of the platform is.
fn schools(row: &HelpArticle) -> Option<String> {
    match (row.source, row.school_names.as_slice()) {
        (SupportSource::School, _) => None,
        (SupportSource::Platform, []) => row.school_ids.is_empty().then(|| "全部院校".to_owned()),
        (SupportSource::Platform, names) => Some(names.join("、")),
    }
}

impl<D: Desk> Export for ArticleSheet<D> {
    type Filter = ArticlesWanted;
    type Row = HelpArticle;
    const KIND: &'static str = D::ARTICLES;
    type Permission = D::Export;
    const TITLE: &'static str = D::TITLE;
    const COLUMNS: &'static [Column<HelpArticle>] = COLUMNS;

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        wanted: &ArticlesWanted,
        _scope: &Scope,
    ) -> Result<Rows<'c, HelpArticle>> {
        let asked = Asked { audience: D::AUDIENCE, only: None, school: wanted.seen_by, filter: &wanted.filter };
        let found = match wanted.seen_by {
            Some(_) => rows(&mut *app.platform_read().await?, asked, wanted.own, None).await?,
            None => rows(connection, asked, wanted.own, None).await?,
        };
        Ok(Box::pin(stream::iter(found.into_iter().map(Ok::<_, sqlx::Error>))))
    }
}
