//! 推荐试卷: which exams the site shows before others, and where (01 §9.7, as §9.2). An exam that is not public stays here and is told to
//! be hidden; the site leaves it out.

mod form;
mod list;
mod sheet;

use catalogue::recommend::{RecommendOrder, ordered};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use quiz_rules::enums::QuizRecommendPosition;

pub use form::QuizRecommendForm;
pub use list::{QuizRecommend, QuizRecommendFilter};

pub(crate) use form::insert;

use form::{remove, update};
use list::{count, find, select};

permissions! {
    pages "/exam/recommend/list";
    InPlatform Reads       ListQuizRecommends        = "exam:pc:recommend:list" "推荐试卷列表";
    InPlatform Reads       ViewQuizRecommend         = "exam:pc:recommend:view" "查看推荐试卷";
    InPlatform Writes      SaveQuizRecommend         = "exam:pc:recommend:save" "新增推荐试卷";
    InPlatform Writes      EditQuizRecommend         = "exam:pc:recommend:edit" "编辑推荐试卷";
    InPlatform Writes      DeleteQuizRecommend       = "exam:pc:recommend:delete" "删除推荐试卷";
    InPlatform Writes      DeleteQuizRecommends      = "exam:pc:recommend:batchDel" "批量删除推荐试卷";
    InPlatform Writes      SortQuizRecommends        = "exam:pc:recommend:sort" "推荐试卷排序";
    InPlatform Writes      ChangeQuizRecommendStatus = "exam:pc:recommend:update:status" "启用停用推荐试卷";
    InPlatform ReadsLogged ExportQuizRecommends      = "exam:pc:recommend:export" "导出推荐试卷";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[QuizRecommendPosition::ENUMERATION],
    entities: &[Entity { table: "exam_recommend", name: "推荐试卷", counted: "条推荐" }],
    jobs: &[export_job::<QuizRecommends>()],
    histories: &[History { table: "exam_recommend", code: "exam:pc:recommend:view", scope: None }],
    ..Part::NONE
};

/// How a recommendation is called in the failures of a bulk step.
const NAME: &str = "(select exam_name from online_exam where id = exam_id)";

pub struct QuizRecommends;

#[OpenApi(prefix_path = "/exam/pc/recommend", tag = "crate::Tag::Quizzes")]
impl QuizRecommends {
    /// 推荐试卷列表
    #[oai(path = "/list", method = "post", operation_id = "listQuizRecommends")]
    async fn list(
        &self,
        caller: Allowed<ListQuizRecommends>,
        Body(asked): Body<Paged<QuizRecommendFilter>>,
    ) -> Result<Reply<Page<QuizRecommend>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, now, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看推荐试卷
    #[oai(path = "/view", method = "get", operation_id = "viewQuizRecommend")]
    async fn view(
        &self,
        caller: Allowed<ViewQuizRecommend>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<QuizRecommend>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, caller.app().clock().now(), id.0).await?))
    }

    /// 新增推荐试卷
    #[oai(path = "/save", method = "post", operation_id = "saveQuizRecommend")]
    async fn save(
        &self,
        caller: Allowed<SaveQuizRecommend>,
        Body(form): Body<QuizRecommendForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑推荐试卷
    #[oai(path = "/edit", method = "put", operation_id = "editQuizRecommend")]
    async fn edit(
        &self,
        caller: Allowed<EditQuizRecommend>,
        Body(edit): Body<Edit<QuizRecommendForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, caller.app().clock().now(), edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除推荐试卷
    #[oai(path = "/delete", method = "delete", operation_id = "deleteQuizRecommend")]
    async fn delete(
        &self,
        caller: Allowed<DeleteQuizRecommend>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, caller.app().clock().now(), id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除推荐试卷
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteQuizRecommends")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteQuizRecommends>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let now = caller.app().clock().now();
        let mut bulk = Bulk::named(caller.begin().await?, "exam_recommend", NAME);
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, now, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 推荐试卷排序
    /// 按给出的顺序排列，须为同一位置的推荐
    #[oai(path = "/sort", method = "put", operation_id = "sortQuizRecommends")]
    async fn sort(
        &self,
        caller: Allowed<SortQuizRecommends>,
        Body(order): Body<RecommendOrder>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("exam_recommend", &["position", "category_id"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 启用停用推荐试卷
    #[oai(path = "/update/status", method = "put", operation_id = "changeQuizRecommendStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeQuizRecommendStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("exam_recommend", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出推荐试卷
    #[oai(path = "/export", method = "post", operation_id = "exportQuizRecommends")]
    async fn export(
        &self,
        caller: Allowed<ExportQuizRecommends>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<QuizRecommendFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
