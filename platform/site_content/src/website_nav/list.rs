//! How the foot of the site is read, and its sheet. It is not imported.

use futures_util::{StreamExt, TryStreamExt, future};
use infra::{
    App, Error, Result, RichText, Scope,
    clock::{Moment, day_began, day_ended},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
    tree::Branch,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::FooterNavs;
use crate::filter::DecorationFilter;

/// A column, or what stands below one, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct FooterNav {
    /// 编号
    pub id: i64,
    /// 上级导航
    pub parent_id: Option<i64>,
    /// 上级标题
    pub parent_title: Option<String>,
    /// 标题
    pub nav_title: String,
    /// 链接
    pub link_url: Option<String>,
    /// 文章内容
    pub content: Option<RichText>,
    /// 排序
    pub sort: i32,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl Branch for FooterNav {
    fn id(&self) -> i64 {
        self.id
    }

    fn parent_id(&self) -> Option<i64> {
        self.parent_id
    }
}

/// A column with what stands below it.
#[derive(Debug, Clone, Object)]
pub struct FooterNavNode {
    #[oai(flatten)]
    pub nav: FooterNav,
    /// 下级导航
    pub children: Vec<FooterNavNode>,
}

/// All of them, or one; siblings in their order.
pub(super) fn select(connection: &mut PgConnection, only: Option<i64>) -> Rows<'_, FooterNav> {
    let rows = sqlx::query_as!(
        FooterNav,
        r#"select w.id, w.parent_id, p.nav_title as "parent_title?", w.nav_title, w.link_url,
                  w.content as "content: _", w.sort,
                  w.enabled, w.created_at, w.version
           from platform.website_nav w left join platform.website_nav p on p.id = w.parent_id
           where ($1::bigint is null or w.id = $1)
           order by w.sort, w.id desc"#,
        only
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<FooterNav> {
    select(connection, Some(id)).try_next().await?.ok_or_else(Error::not_found)
}

pub(super) fn matches(nav: &FooterNav, filter: &DecorationFilter) -> bool {
    filter.name.as_ref().is_none_or(|name| nav.nav_title.contains(name.as_str()))
        && filter.enabled.is_none_or(|enabled| nav.enabled == enabled)
        && filter.created_from.is_none_or(|day| nav.created_at >= day_began(day))
        && filter.created_to.is_none_or(|day| nav.created_at < day_ended(day))
}

impl Export for FooterNavs {
    type Filter = DecorationFilter;
    type Row = FooterNav;
    const KIND: &'static str = "footerNav.export";
    type Permission = super::ExportFooterNavs;
    const TITLE: &'static str = "底部导航";
    const COLUMNS: &'static [Column<FooterNav>] = &[
        Column { heading: "上级标题", width: 20, cell: |row| Cell::text(row.parent_title.clone()) },
        Column { heading: "标题", width: 24, cell: |row| Cell::Text(row.nav_title.clone()) },
        Column { heading: "链接", width: 36, cell: |row| Cell::text(row.link_url.clone()) },
        Column {
            heading: "文章内容", width: 40, cell: |row| Cell::text(row.content.as_ref().map(RichText::plain))
        },
        Column { heading: "排序", width: 8, cell: |row| Cell::Int(row.sort.into()) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "创建时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &DecorationFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, FooterNav>> {
        let filter = filter.clone();
        Ok(select(connection, None).try_filter(move |nav| future::ready(matches(nav, &filter))).boxed())
    }
}
