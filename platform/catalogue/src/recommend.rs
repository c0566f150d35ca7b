//! 推荐课程: which courses the site shows before others, and where (01 §9.2). A course that is not public stays here and is told to be
//! hidden; the site leaves it out.

mod form;
mod list;
mod sheet;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, enumeration, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use form::{CourseRecommendForm, RecommendOrder, ordered};
pub use list::{CourseRecommend, CourseRecommendFilter};

pub(crate) use form::insert;

use form::{remove, update};
use list::{count, find, select};

permissions! {
    pages "/course/recommend/list";
    InPlatform Reads       ListRecommends        = "course:pc:recommend:list" "推荐课程列表";
    InPlatform Reads       ViewRecommend         = "course:pc:recommend:view" "查看推荐课程";
    InPlatform Writes      SaveRecommend         = "course:pc:recommend:save" "新增推荐课程";
    InPlatform Writes      EditRecommend         = "course:pc:recommend:edit" "编辑推荐课程";
    InPlatform Writes      DeleteRecommend       = "course:pc:recommend:delete" "删除推荐课程";
    InPlatform Writes      DeleteRecommends      = "course:pc:recommend:batchDel" "批量删除推荐课程";
    InPlatform Writes      SortRecommends        = "course:pc:recommend:sort" "推荐课程排序";
    InPlatform Writes      ChangeRecommendStatus = "course:pc:recommend:update:status" "启用停用推荐课程";
    InPlatform ReadsLogged ExportRecommends      = "course:pc:recommend:export" "导出推荐课程";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[RecommendPosition::ENUMERATION, RecommendStanding::ENUMERATION],
    entities: &[Entity { table: "course_recommend", name: "推荐课程", counted: "条推荐" }],
    jobs: &[export_job::<Recommends>()],
    histories: &[History { table: "course_recommend", code: "course:pc:recommend:view", scope: None }],
    ..Part::NONE
};

/// How a recommendation is called in the failures of a bulk step.
const NAME: &str = "(select course_name from online_course where id = course_id)";

enumeration! {
    /// 推荐位置
    pub enum RecommendPosition = "recommendPosition" {
        Home = "home" "首页",
        Category = "category" "分类页",
        Detail = "detail" "课程详情页",
    }
}

enumeration! {
    /// 推荐展示状态
    pub enum RecommendStanding = "recommendStanding" {
        Waiting = "waiting" "未开始",
        Shown = "shown" "展示中",
        Ended = "ended" "已结束",
        Hidden = "hidden" "已失效",
        Disabled = "disabled" "停用",
    }
}

pub struct Recommends;

#[OpenApi(prefix_path = "/course/pc/recommend", tag = "crate::Tag::Catalogue")]
impl Recommends {
    /// 推荐课程列表
    #[oai(path = "/list", method = "post", operation_id = "listRecommends")]
    async fn list(
        &self,
        caller: Allowed<ListRecommends>,
        Body(asked): Body<Paged<CourseRecommendFilter>>,
    ) -> Result<Reply<Page<CourseRecommend>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, now, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看推荐课程
    #[oai(path = "/view", method = "get", operation_id = "viewRecommend")]
    async fn view(
        &self,
        caller: Allowed<ViewRecommend>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CourseRecommend>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, caller.app().clock().now(), id.0).await?))
    }

    /// 新增推荐课程
    #[oai(path = "/save", method = "post", operation_id = "saveRecommend")]
    async fn save(
        &self,
        caller: Allowed<SaveRecommend>,
        Body(form): Body<CourseRecommendForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑推荐课程
    #[oai(path = "/edit", method = "put", operation_id = "editRecommend")]
    async fn edit(
        &self,
        caller: Allowed<EditRecommend>,
        Body(edit): Body<Edit<CourseRecommendForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, caller.app().clock().now(), edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除推荐课程
    #[oai(path = "/delete", method = "delete", operation_id = "deleteRecommend")]
    async fn delete(
        &self,
        caller: Allowed<DeleteRecommend>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, caller.app().clock().now(), id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除推荐课程
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteRecommends")]
    async fn delete_many(&self, caller: Allowed<DeleteRecommends>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let now = caller.app().clock().now();
        let mut bulk = Bulk::named(caller.begin().await?, "course_recommend", NAME);
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, now, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 推荐课程排序
    /// 按给出的顺序排列，须为同一位置的推荐
    #[oai(path = "/sort", method = "put", operation_id = "sortRecommends")]
    async fn sort(
        &self,
        caller: Allowed<SortRecommends>,
        Body(order): Body<RecommendOrder>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("course_recommend", &["position", "category_id"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 启用停用推荐课程
    #[oai(path = "/update/status", method = "put", operation_id = "changeRecommendStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeRecommendStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("course_recommend", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出推荐课程
    #[oai(path = "/export", method = "post", operation_id = "exportRecommends")]
    async fn export(
        &self,
        caller: Allowed<ExportRecommends>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CourseRecommendFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
