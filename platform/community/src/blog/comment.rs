//! 博客评论: what others say of a blog. Those with a word to be looked at, or all while comments wait, are decided on by the call that
//! decides on blogs.

use catalogue_rules::audit::AuditDecision;
use community_rules::enums::CommunityStatus;
use infra::{
    Allowed, Body, Change, Error, Page, Paged, Paging, Reply, Result, Saved, Tx, clock::Moment, permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

use super::step::hold;

permissions! {
    pages "/community/blog/list";
    InPlatform Reads  ListBlogComments  = "user:pc:community:blog:comment:list" "博客评论列表";
    InPlatform Writes DeleteBlogComment = "user:pc:community:blog:comment:delete" "删除博客评论";
}

/// A comment.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct BlogComment {
    /// 编号
    pub id: i64,
    /// 博客
    pub blog_id: i64,
    /// 用户
    pub learner_name: String,
    /// 回复的评论
    pub parent_id: Option<i64>,
    /// 内容
    pub content: String,
    /// 审核状态
    pub audit_status: CommunityStatus,
    /// 审核意见
    pub audit_opinion: Option<String>,
    /// 点赞数
    pub like_count: i64,
    /// 发表地址
    pub ip: Option<String>,
    /// 发表时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// Of which blog.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct BlogCommentFilter {
    /// 博客
    pub blog_id: i64,
    /// 审核状态
    pub audit_status: Option<CommunityStatus>,
}

pub struct BlogComments;

#[OpenApi(prefix_path = "/user/pc/community/blog/comment", tag = "crate::Tag::Community")]
impl BlogComments {
    /// 博客评论列表
    #[oai(path = "/list", method = "post", operation_id = "listBlogComments")]
    async fn list(
        &self,
        caller: Allowed<ListBlogComments>,
        Body(asked): Body<Paged<BlogCommentFilter>>,
    ) -> Result<Reply<Page<BlogComment>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from platform.blog_comment
               where blog_id = $1 and ($2::text is null or audit_status = $2)"#,
            filter.blog_id,
            filter.audit_status.map(CommunityStatus::as_str)
        )
        .fetch_one(&mut *tx)
        .await?;
        let list = select(&mut tx, &filter, paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 删除博客评论
    /// 其下的回复一并删除
    #[oai(path = "/delete", method = "delete", operation_id = "deleteBlogComment")]
    async fn delete(
        &self,
        caller: Allowed<DeleteBlogComment>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }
}

/// The newest first; answers stand among them.
async fn select(connection: &mut PgConnection, filter: &BlogCommentFilter, page: Paging) -> Result<Vec<BlogComment>> {
    let rows = sqlx::query_as!(
        BlogComment,
        r#"select id, blog_id, learner_name, parent_id, content, audit_status as "audit_status: _", audit_opinion, like_count, ip,
                  created_at, version
           from platform.blog_comment where blog_id = $1 and ($2::text is null or audit_status = $2)
           order by created_at desc, id desc limit $3 offset $4"#,
        filter.blog_id,
        filter.audit_status.map(CommunityStatus::as_str),
        page.limit(),
        page.offset()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// A comment that nobody else changes until the transaction ends.
async fn held(tx: &mut Tx, id: i64) -> Result<BlogComment> {
    sqlx::query_as!(
        BlogComment,
        r#"select id, blog_id, learner_name, parent_id, content, audit_status as "audit_status: _", audit_opinion, like_count, ip,
                  created_at, version
           from platform.blog_comment where id = $1 for update"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// # Errors
/// 422 for a rejection without opinion; 404 for a comment of another blog; 409 for one that was decided on already.
pub(super) async fn decide(tx: &mut Tx, id: i64, decision: &AuditDecision) -> Result<Change> {
    decision.check()?;
    hold(tx, decision.id, None).await?;
    let before = held(tx, id).await?;
    if before.blog_id != decision.id {
        return Err(Error::not_found());
    }
    before.audit_status.undecided("评论")?;
    if decision.version.is_some_and(|read| read != before.version) {
        return Err(tx.stale("blog_comment", id).await);
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.blog_comment
         set audit_status = $2, audit_opinion = $3, updated_at = now(), updated_by = $4, version = version + 1 where id = $1",
        id,
        decision.audit_status.as_str(),
        decision.audit_opinion,
        by
    )
    .execute(&mut **tx)
    .await?;
    let (from, to) = (before.audit_status.as_str(), decision.audit_status.as_str());
    Ok(Change::status("blog_comment", id, "auditStatus", from, to).because(decision.audit_opinion.as_deref()))
}

/// A comment goes with its answers.
async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = held(tx, id).await?;
    sqlx::query!("delete from platform.blog_comment where parent_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.blog_comment where id = $1", id).execute(&mut **tx).await?;
    Ok(Change::deleted("blog_comment", id, &before))
}
