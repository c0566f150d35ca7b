//! How blogs are read.

use catalogue::course::Putaway;
use chrono::NaiveDate;
use community_rules::enums::{ArticleType, CommunityStatus};
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result, RichText,
    across::Segment,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

/// A blog.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityBlog {
    /// 编号
    pub id: i64,
    /// 标题
    pub title: String,
    /// 摘要
    pub summary: Option<String>,
    /// 封面
    pub cover: Option<String>,
    /// 分类
    pub category_id: Option<i64>,
    /// 分类名称
    pub category_name: Option<String>,
    /// 标签
    pub labels: Vec<String>,
    /// 博主编号
    pub blogger_id: i64,
    /// 博主
    pub blogger_name: String,
    /// 认证
    /// 博主在有效期内的认证
    pub badge: Option<String>,
    /// 文章类型
    pub article_type: ArticleType,
    /// 原文链接
    pub source_url: Option<String>,
    /// 审核状态
    pub audit_status: CommunityStatus,
    /// 审核意见
    pub audit_opinion: Option<String>,
    /// 审核人
    pub auditor_name: Option<String>,
    /// 审核时间
    pub audited_at: Option<Moment>,
    /// 上架状态
    pub putaway: Putaway,
    /// 网站可见
    /// 审核通过、已上架且博主未停用
    pub visible: bool,
    /// 置顶
    pub is_top: bool,
    /// 推荐
    pub is_recommend: bool,
    /// 阅读数
    pub read_count: i64,
    /// 点赞数
    pub like_count: i64,
    /// 评论数
    /// 审核通过的
    pub comment_count: i64,
    /// 待审核评论数
    pub waiting_comments: i64,
    /// 发表时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// A label of a blog or a question.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LabelOfContent {
    /// 编号
    pub id: i64,
    /// 标签名称
    pub label_name: String,
}

/// A blog with what was written.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityBlogView {
    #[oai(flatten)]
    pub blog: CommunityBlog,
    /// 内容
    pub content: RichText,
    /// 标签明细
    pub label_list: Vec<LabelOfContent>,
    /// 发表地址
    pub ip: Option<String>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityBlogFilter {
    /// 标题
    #[oai(validator(max_length = 60))]
    pub title: Option<String>,
    /// 博主
    #[oai(validator(max_length = 30))]
    pub blogger_name: Option<String>,
    /// 博主编号
    pub blogger_id: Option<i64>,
    /// 分类
    pub category_id: Option<i64>,
    /// 标签编号
    pub label_id: Option<i64>,
    /// 审核状态
    pub audit_status: Option<CommunityStatus>,
    /// 上架状态
    pub putaway: Option<Putaway>,
    /// 网站可见
    pub visible: Option<bool>,
    /// 置顶
    pub is_top: Option<bool>,
    /// 推荐
    pub is_recommend: Option<bool>,
    /// 发表日期起
    pub created_from: Option<NaiveDate>,
    /// 发表日期止
    pub created_to: Option<NaiveDate>,
}

/// The newest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    today: NaiveDate,
    only: Option<i64>,
    filter: &CommunityBlogFilter,
    page: Option<Paging>,
) -> Rows<'c, CommunityBlog> {
    let rows = sqlx::query_as!(
        CommunityBlog,
        r#"select b.id, b.title, b.summary, b.cover, b.category_id, k.category_name as "category_name?",
                  array(select l.label_name from platform.blog_label m join platform.community_label l on l.id = m.label_id
                        where m.blog_id = b.id order by l.label_name, l.id) as "labels!",
                  b.blogger_id, g.blogger_name,
                  (select c.title from platform.community_certificate c
                   where c.learner_id = g.learner_id and c.audit_status = 'approved'
                     and (c.expires_on is null or c.expires_on >= $2)
                   order by c.audited_at desc limit 1) as "badge?",
                  b.article_type as "article_type: _", b.source_url, b.audit_status as "audit_status: _", b.audit_opinion,
                  (select u.real_name from platform.sys_user u where u.id = b.audited_by) as "auditor_name?", b.audited_at,
                  b.putaway as "putaway: _",
                  (b.audit_status = 'approved' and b.putaway = 'on' and g.enabled) as "visible!", b.is_top, b.is_recommend,
                  b.read_count, b.like_count,
                  (select count(*) from platform.blog_comment o where o.blog_id = b.id and o.audit_status = 'approved')
                      as "comment_count!",
                  (select count(*) from platform.blog_comment o where o.blog_id = b.id and o.audit_status = 'pending')
                      as "waiting_comments!",
                  b.created_at, b.version
           from platform.blog b
           join platform.blogger g on g.id = b.blogger_id
           left join platform.online_category k on k.id = b.category_id
           where ($1::bigint is null or b.id = $1)
             and ($3::text is null or strpos(b.title, $3) > 0)
             and ($4::text is null or strpos(g.blogger_name, $4) > 0 or starts_with(g.initials, lower($4)))
             and ($5::bigint is null or b.blogger_id = $5)
             and ($6::bigint is null or b.category_id = $6)
             and ($7::bigint is null or exists (
                     select from platform.blog_label m where m.blog_id = b.id and m.label_id = $7))
             and ($8::text is null or b.audit_status = $8)
             and ($9::text is null or b.putaway = $9)
             and ($10::boolean is null or (b.audit_status = 'approved' and b.putaway = 'on' and g.enabled) = $10)
             and ($11::boolean is null or b.is_top = $11)
             and ($12::boolean is null or b.is_recommend = $12)
             and ($13::timestamptz is null or b.created_at >= $13)
             and ($14::timestamptz is null or b.created_at < $14)
           order by b.created_at desc, b.id desc limit $15 offset $16"#,
        only,
        today,
        filter.title,
        filter.blogger_name,
        filter.blogger_id,
        filter.category_id,
        filter.label_id,
        filter.audit_status.map(CommunityStatus::as_str),
        filter.putaway.map(Putaway::as_str),
        filter.visible,
        filter.is_top,
        filter.is_recommend,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

/// How many blogs are in each state, whichever of them the filter wants.
pub(super) async fn segments(connection: &mut PgConnection, filter: &CommunityBlogFilter) -> Result<Vec<Segment>> {
    let segments = sqlx::query_as!(
        Segment,
        r#"select b.audit_status as "value!", count(*) as "count!"
           from platform.blog b join platform.blogger g on g.id = b.blogger_id
           where ($1::text is null or strpos(b.title, $1) > 0)
             and ($2::text is null or strpos(g.blogger_name, $2) > 0 or starts_with(g.initials, lower($2)))
             and ($3::bigint is null or b.blogger_id = $3)
             and ($4::bigint is null or b.category_id = $4)
             and ($5::bigint is null or exists (
                     select from platform.blog_label m where m.blog_id = b.id and m.label_id = $5))
             and ($6::text is null or b.putaway = $6)
             and ($7::boolean is null or (b.audit_status = 'approved' and b.putaway = 'on' and g.enabled) = $7)
             and ($8::boolean is null or b.is_top = $8)
             and ($9::boolean is null or b.is_recommend = $9)
             and ($10::timestamptz is null or b.created_at >= $10)
             and ($11::timestamptz is null or b.created_at < $11)
           group by b.audit_status order by b.audit_status"#,
        filter.title,
        filter.blogger_name,
        filter.blogger_id,
        filter.category_id,
        filter.label_id,
        filter.putaway.map(Putaway::as_str),
        filter.visible,
        filter.is_top,
        filter.is_recommend,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_all(connection)
    .await?;
    Ok(segments)
}

pub(super) async fn find(connection: &mut PgConnection, today: NaiveDate, id: i64) -> Result<CommunityBlog> {
    let found = select(connection, today, Some(id), &CommunityBlogFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

pub(super) async fn view(connection: &mut PgConnection, today: NaiveDate, id: i64) -> Result<CommunityBlogView> {
    let blog = find(connection, today, id).await?;
    let text = sqlx::query!(r#"select content as "content: RichText", ip from platform.blog where id = $1"#, id)
        .fetch_one(&mut *connection)
        .await?;
    let label_list = labels_of(connection, id).await?;
    Ok(CommunityBlogView { blog, content: text.content, label_list, ip: text.ip })
}

/// The labels of a blog, by their names.
async fn labels_of(connection: &mut PgConnection, blog: i64) -> Result<Vec<LabelOfContent>> {
    let labels = sqlx::query_as!(
        LabelOfContent,
        "select l.id, l.label_name from platform.blog_label m join platform.community_label l on l.id = m.label_id
         where m.blog_id = $1 order by l.label_name, l.id",
        blog
    )
    .fetch_all(connection)
    .await?;
    Ok(labels)
}
