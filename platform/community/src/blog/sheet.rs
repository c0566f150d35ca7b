//! What the sheet of blogs looks like.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{Blogs, CommunityBlog, CommunityBlogFilter, list::select};

impl Export for Blogs {
    type Filter = CommunityBlogFilter;
    type Row = CommunityBlog;
    const KIND: &'static str = "communityBlog.export";
    type Permission = super::ExportCommunityBlogs;
    const TITLE: &'static str = "博客";
    const COLUMNS: &'static [Column<CommunityBlog>] = &[
        Column { heading: "标题", width: 36, cell: |row| Cell::Text(row.title.clone()) },
        Column { heading: "博主", width: 16, cell: |row| Cell::Text(row.blogger_name.clone()) },
        Column { heading: "分类", width: 14, cell: |row| Cell::text(row.category_name.clone()) },
        Column { heading: "标签", width: 24, cell: |row| Cell::Text(row.labels.join("、")) },
        Column { heading: "文章类型", width: 10, cell: |row| Cell::Text(row.article_type.zh().to_owned()) },
        Column { heading: "原文链接", width: 30, cell: |row| Cell::text(row.source_url.clone()) },
        Column { heading: "摘要", width: 40, cell: |row| Cell::text(row.summary.clone()) },
        Column { heading: "审核状态", width: 10, cell: |row| Cell::Text(row.audit_status.zh().to_owned()) },
        Column { heading: "审核意见", width: 30, cell: |row| Cell::text(row.audit_opinion.clone()) },
        Column { heading: "上架状态", width: 10, cell: |row| Cell::Text(row.putaway.zh().to_owned()) },
        Column { heading: "网站可见", width: 10, cell: |row| Cell::Bool(row.visible) },
        Column { heading: "置顶", width: 8, cell: |row| Cell::Bool(row.is_top) },
        Column { heading: "推荐", width: 8, cell: |row| Cell::Bool(row.is_recommend) },
        Column { heading: "阅读数", width: 10, cell: |row| Cell::Int(row.read_count) },
        Column { heading: "点赞数", width: 10, cell: |row| Cell::Int(row.like_count) },
        Column { heading: "评论数", width: 10, cell: |row| Cell::Int(row.comment_count) },
        Column { heading: "发表时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &CommunityBlogFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, CommunityBlog>> {
        Ok(select(connection, app.clock().today(), None, filter, None))
    }
}
