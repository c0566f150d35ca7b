//! 博客: what learners write (01 §9.8).
//!
//! ```text
//! written → approved │ pending (community.preAudit, or a word to be looked at)    pending ─audit→ approved │ rejected
//! putaway on ⇄ off        isTop, isRecommend: of what visitors see
//! ```
//! A blog stays as it was written, and goes with its comments. One that a zone or a recommendation shows does not go.

pub mod comment;
mod list;
mod sheet;
mod step;
mod write;

use catalogue_rules::audit::AuditDecisions;
use community_rules::enums::{ArticleType, CommunityStatus};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Entity, History, Ids, Page, Paged, Part, Reply, Result, Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use list::{CommunityBlog, CommunityBlogFilter, CommunityBlogView, LabelOfContent};
pub use step::{BlogDecision, BlogPutaway, BlogRecommendation, BlogTopChange};
pub use write::{CommunityBlogForm, NewBlog, write};

use list::{segments, select};

permissions! {
    pages "/community/blog/list";
    InPlatform Reads       ListCommunityBlogs     = "user:pc:community:blog:list" "博客列表";
    InPlatform Reads       ViewCommunityBlog      = "user:pc:community:blog:view" "查看博客";
    InPlatform Writes      AuditCommunityBlog     = "user:pc:community:blog:audit" "审核博客";
    InPlatform Writes      AuditCommunityBlogs    = "user:pc:community:blog:batchReview" "批量审核博客";
    InPlatform Writes      TopCommunityBlog       = "user:pc:community:blog:top" "置顶博客";
    InPlatform Writes      RecommendCommunityBlog = "user:pc:community:blog:recommend" "推荐博客";
    InPlatform Writes      ShelveCommunityBlog    = "user:pc:community:blog:update:putaway" "博客上下架";
    InPlatform Writes      DeleteCommunityBlog    = "user:pc:community:blog:delete" "删除博客";
    InPlatform Writes      DeleteCommunityBlogs   = "user:pc:community:blog:batchDel" "批量删除博客";
    InPlatform ReadsLogged ExportCommunityBlogs   = "user:pc:community:blog:export" "导出博客";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS, comment::PERMISSIONS],
    enumerations: &[ArticleType::ENUMERATION],
    entities: &[
        Entity { table: "blog", name: "博客", counted: "条博客" },
        Entity { table: "blog_comment", name: "博客评论", counted: "条博客评论" },
    ],
    jobs: &[export_job::<Blogs>()],
    histories: &[
        History { table: "blog", code: "user:pc:community:blog:view", scope: None },
        History { table: "blog_comment", code: "user:pc:community:blog:comment:list", scope: None },
    ],
    ..Part::NONE
};

pub struct Blogs;

#[OpenApi(prefix_path = "/user/pc/community/blog", tag = "crate::Tag::Community")]
impl Blogs {
    /// 博客列表
    #[oai(path = "/list", method = "post", operation_id = "listCommunityBlogs")]
    async fn list(
        &self,
        caller: Allowed<ListCommunityBlogs>,
        Body(asked): Body<Paged<CommunityBlogFilter>>,
    ) -> Result<Reply<Page<CommunityBlog>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let today = caller.app().clock().today();
        let mut tx = caller.read().await?;
        let segments = segments(&mut tx, &filter).await?;
        let list = select(&mut tx, today, None, &filter, Some(paging)).try_collect().await?;
        let state = filter.audit_status.map(CommunityStatus::as_str);
        Ok(reply(paging.page_of_state(segments, state, list)))
    }

    /// 查看博客
    /// 附其内容和标签
    #[oai(path = "/view", method = "get", operation_id = "viewCommunityBlog")]
    async fn view(
        &self,
        caller: Allowed<ViewCommunityBlog>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CommunityBlogView>> {
        let today = caller.app().clock().today();
        let mut tx = caller.read().await?;
        Ok(reply(list::view(&mut tx, today, id.0).await?))
    }

    /// 审核博客
    /// 填写评论编号时审核该博客的这条评论
    #[oai(path = "/audit", method = "put", operation_id = "auditCommunityBlog")]
    async fn decide_one(
        &self,
        caller: Allowed<AuditCommunityBlog>,
        Body(decided): Body<BlogDecision>,
    ) -> Result<Reply<Saved>> {
        let BlogDecision { decision, comment_id } = decided;
        let mut tx = caller.begin().await?;
        let change = match comment_id {
            None => step::decide(&mut tx, &decision).await?,
            Some(comment) => comment::decide(&mut tx, comment, &decision).await?,
        };
        tx.commit(change).await?;
        Ok(reply(Saved { id: decision.id }))
    }

    /// 批量审核博客
    #[oai(path = "/batchReview", method = "put", operation_id = "auditCommunityBlogs")]
    async fn decide_many(
        &self,
        caller: Allowed<AuditCommunityBlogs>,
        Body(decisions): Body<AuditDecisions>,
    ) -> Result<Reply<BulkResult>> {
        decisions.check()?;
        let mut bulk = Bulk::named(caller.begin().await?, "blog", "title");
        for decision in decisions.each() {
            let outcome = step::decide(bulk.row().await?, &decision).await;
            bulk.ended(decision.id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 置顶博客
    #[oai(path = "/top", method = "put", operation_id = "topCommunityBlog")]
    async fn top(&self, caller: Allowed<TopCommunityBlog>, Body(wanted): Body<BlogTopChange>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = step::put_on_top(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 推荐博客
    #[oai(path = "/recommend", method = "put", operation_id = "recommendCommunityBlog")]
    async fn recommend(
        &self,
        caller: Allowed<RecommendCommunityBlog>,
        Body(wanted): Body<BlogRecommendation>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = step::recommend(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 博客上下架
    /// 下架的博客不在网站上展示
    #[oai(path = "/update/putaway", method = "put", operation_id = "shelveCommunityBlog")]
    async fn shelve(
        &self,
        caller: Allowed<ShelveCommunityBlog>,
        Body(wanted): Body<BlogPutaway>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = step::shelve(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 删除博客
    /// 评论一并删除；已被专区或推荐引用的不能删除
    #[oai(path = "/delete", method = "delete", operation_id = "deleteCommunityBlog")]
    async fn delete(
        &self,
        caller: Allowed<DeleteCommunityBlog>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = step::remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除博客
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteCommunityBlogs")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteCommunityBlogs>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "blog", "title");
        for id in ids.ids {
            let outcome = step::remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出博客
    #[oai(path = "/export", method = "post", operation_id = "exportCommunityBlogs")]
    async fn export(
        &self,
        caller: Allowed<ExportCommunityBlogs>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CommunityBlogFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
