//! 试题分类: the categories of questions.

use catalogue::category::{
    COLUMNS, Category, CategoryFilter, CategoryForm, CategoryNode, CategoryType, build_tree, find, insert, matching,
    remove, select, update,
};
use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Edit, EnabledChange, Ids, Reply, Result, Saved, Scope, permissions, reply,
    sheet::Column,
    transfer::{self, Export, Exported, Rows},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

permissions! {
    pages "/exam/category/problem/list";
    InPlatform Reads       ListQuizProblemCategories       = "exam:pc:category:problem:list" "试题分类列表";
    InPlatform Reads       ViewQuizProblemCategory         = "exam:pc:category:problem:view" "查看试题分类";
    InPlatform Writes      SaveQuizProblemCategory         = "exam:pc:category:problem:save" "新增试题分类";
    InPlatform Writes      EditQuizProblemCategory         = "exam:pc:category:problem:edit" "编辑试题分类";
    InPlatform Writes      DeleteQuizProblemCategory       = "exam:pc:category:problem:delete" "删除试题分类";
    InPlatform Writes      DeleteQuizProblemCategories     = "exam:pc:category:problem:batchDel" "批量删除试题分类";
    InPlatform Writes      ChangeQuizProblemCategoryStatus = "exam:pc:category:problem:update:status" "启用停用试题分类";
    InPlatform ReadsLogged ExportQuizProblemCategories     = "exam:pc:category:problem:export" "导出试题分类";
}

const KIND: CategoryType = CategoryType::Problem;

pub struct QuizProblemCategories;

#[OpenApi(prefix_path = "/exam/pc/category/problem", tag = "crate::Tag::Quizzes")]
impl QuizProblemCategories {
    /// 试题分类列表
    #[oai(path = "/list", method = "post", operation_id = "listQuizProblemCategories")]
    async fn list(
        &self,
        caller: Allowed<ListQuizProblemCategories>,
        Body(filter): Body<CategoryFilter>,
    ) -> Result<Reply<Vec<CategoryNode>>> {
        let mut tx = caller.read().await?;
        let all: Vec<Category> = select(&mut tx, KIND, None).try_collect().await?;
        Ok(reply(build_tree(all, &filter)))
    }

    /// 查看试题分类
    #[oai(path = "/view", method = "get", operation_id = "viewQuizProblemCategory")]
    async fn view(
        &self,
        caller: Allowed<ViewQuizProblemCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Category>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, KIND, id.0).await?))
    }

    /// 新增试题分类
    #[oai(path = "/save", method = "post", operation_id = "saveQuizProblemCategory")]
    async fn save(
        &self,
        caller: Allowed<SaveQuizProblemCategory>,
        Body(form): Body<CategoryForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, KIND, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑试题分类
    #[oai(path = "/edit", method = "put", operation_id = "editQuizProblemCategory")]
    async fn edit(
        &self,
        caller: Allowed<EditQuizProblemCategory>,
        Body(edit): Body<Edit<CategoryForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, KIND, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除试题分类
    #[oai(path = "/delete", method = "delete", operation_id = "deleteQuizProblemCategory")]
    async fn delete(
        &self,
        caller: Allowed<DeleteQuizProblemCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, KIND, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除试题分类
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteQuizProblemCategories")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteQuizProblemCategories>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "online_category", "category_name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, KIND, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用试题分类
    #[oai(path = "/update/status", method = "put", operation_id = "changeQuizProblemCategoryStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeQuizProblemCategoryStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        find(&mut tx, KIND, wanted.id).await?;
        let change = tx.set_enabled("online_category", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出试题分类
    #[oai(path = "/export", method = "post", operation_id = "exportQuizProblemCategories")]
    async fn export(
        &self,
        caller: Allowed<ExportQuizProblemCategories>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(filter): Body<CategoryFilter>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, filter, job.0).await
    }
}

impl Export for QuizProblemCategories {
    type Filter = CategoryFilter;
    type Row = Category;
    const KIND: &'static str = "quiz_problem_category.export";
    type Permission = ExportQuizProblemCategories;
    const TITLE: &'static str = "试题分类";
    const COLUMNS: &'static [Column<Category>] = COLUMNS;

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CategoryFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Category>> {
        Ok(matching(connection, KIND, filter))
    }
}
