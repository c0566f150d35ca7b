//! 社区推荐: blogs, questions and bloggers that the site shows before others, at its home page or beside it. What is not seen any
//! more stays here and is told to be 已失效.

mod form;
mod list;

use community_rules::enums::{RecommendPlace, RecommendRef};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use site_content::order::{SiteOrder, ordered};

pub use form::CommunityRecommendForm;
pub use list::{CommunityRecommend, CommunityRecommendFilter};

pub(crate) use form::insert;

use list::{count, find, select};

permissions! {
    pages "/community/recommend/list";
    InPlatform Reads       ListCommunityRecommends        = "user:pc:community:recommend:list" "社区推荐列表";
    InPlatform Reads       ViewCommunityRecommend         = "user:pc:community:recommend:view" "查看社区推荐";
    InPlatform Writes      SaveCommunityRecommend         = "user:pc:community:recommend:save" "新增社区推荐";
    InPlatform Writes      EditCommunityRecommend         = "user:pc:community:recommend:edit" "编辑社区推荐";
    InPlatform Writes      DeleteCommunityRecommend       = "user:pc:community:recommend:delete" "删除社区推荐";
    InPlatform Writes      DeleteCommunityRecommends      = "user:pc:community:recommend:batchDel" "批量删除社区推荐";
    InPlatform Writes      ChangeCommunityRecommendStatus = "user:pc:community:recommend:update:status" "启用停用社区推荐";
    InPlatform Writes      SortCommunityRecommends        = "user:pc:community:recommend:sort" "社区推荐排序";
    InPlatform ReadsLogged ExportCommunityRecommends      = "user:pc:community:recommend:export" "导出社区推荐";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[RecommendRef::ENUMERATION, RecommendPlace::ENUMERATION],
    entities: &[Entity { table: "community_recommend", name: "社区推荐", counted: "条社区推荐" }],
    jobs: &[export_job::<CommunityRecommends>()],
    histories: &[History { table: "community_recommend", code: "user:pc:community:recommend:view", scope: None }],
    ..Part::NONE
};

/// How a recommendation is called in the failures of a bulk step.
const NAME: &str = "coalesce((select title from blog where id = blog_id),
    (select title from community_question where id = question_id), (select blogger_name from blogger where id = blogger_id))";

pub struct CommunityRecommends;

#[OpenApi(prefix_path = "/user/pc/community/recommend", tag = "crate::Tag::Community")]
impl CommunityRecommends {
    /// 社区推荐列表
    #[oai(path = "/list", method = "post", operation_id = "listCommunityRecommends")]
    async fn list(
        &self,
        caller: Allowed<ListCommunityRecommends>,
        Body(asked): Body<Paged<CommunityRecommendFilter>>,
    ) -> Result<Reply<Page<CommunityRecommend>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看社区推荐
    #[oai(path = "/view", method = "get", operation_id = "viewCommunityRecommend")]
    async fn view(
        &self,
        caller: Allowed<ViewCommunityRecommend>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CommunityRecommend>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增社区推荐
    #[oai(path = "/save", method = "post", operation_id = "saveCommunityRecommend")]
    async fn save(
        &self,
        caller: Allowed<SaveCommunityRecommend>,
        Body(form): Body<CommunityRecommendForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑社区推荐
    #[oai(path = "/edit", method = "put", operation_id = "editCommunityRecommend")]
    async fn edit(
        &self,
        caller: Allowed<EditCommunityRecommend>,
        Body(edit): Body<Edit<CommunityRecommendForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除社区推荐
    #[oai(path = "/delete", method = "delete", operation_id = "deleteCommunityRecommend")]
    async fn delete(
        &self,
        caller: Allowed<DeleteCommunityRecommend>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除社区推荐
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteCommunityRecommends")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteCommunityRecommends>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "community_recommend", NAME);
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用社区推荐
    #[oai(path = "/update/status", method = "put", operation_id = "changeCommunityRecommendStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeCommunityRecommendStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("community_recommend", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 社区推荐排序
    /// 按给出的顺序排列，须为同一位置的推荐
    #[oai(path = "/sort", method = "put", operation_id = "sortCommunityRecommends")]
    async fn sort(
        &self,
        caller: Allowed<SortCommunityRecommends>,
        Body(order): Body<SiteOrder>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("community_recommend", &["position"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 导出社区推荐
    #[oai(path = "/export", method = "post", operation_id = "exportCommunityRecommends")]
    async fn export(
        &self,
        caller: Allowed<ExportCommunityRecommends>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CommunityRecommendFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
