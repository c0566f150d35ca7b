//! 试卷分类: the categories of exams.

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
    pages "/exam/category/list";
    InPlatform Reads       ListQuizCategories       = "exam:pc:category:info:list" "试卷分类列表";
    InPlatform Reads       ViewQuizCategory         = "exam:pc:category:info:view" "查看试卷分类";
    InPlatform Writes      SaveQuizCategory         = "exam:pc:category:info:save" "新增试卷分类";
    InPlatform Writes      EditQuizCategory         = "exam:pc:category:info:edit" "编辑试卷分类";
    InPlatform Writes      DeleteQuizCategory       = "exam:pc:category:info:delete" "删除试卷分类";
    InPlatform Writes      DeleteQuizCategories     = "exam:pc:category:info:batchDel" "批量删除试卷分类";
    InPlatform Writes      ChangeQuizCategoryStatus = "exam:pc:category:info:update:status" "启用停用试卷分类";
    InPlatform ReadsLogged ExportQuizCategories     = "exam:pc:category:info:export" "导出试卷分类";
}

const KIND: CategoryType = CategoryType::Exam;

pub struct QuizCategories;

#[OpenApi(prefix_path = "/exam/pc/category/info", tag = "crate::Tag::Quizzes")]
impl QuizCategories {
    /// 试卷分类列表
    #[oai(path = "/list", method = "post", operation_id = "listQuizCategories")]
    async fn list(
        &self,
        caller: Allowed<ListQuizCategories>,
        Body(filter): Body<CategoryFilter>,
    ) -> Result<Reply<Vec<CategoryNode>>> {
        let mut tx = caller.read().await?;
        let all: Vec<Category> = select(&mut tx, KIND, None).try_collect().await?;
        Ok(reply(build_tree(all, &filter)))
    }

    /// 查看试卷分类
    #[oai(path = "/view", method = "get", operation_id = "viewQuizCategory")]
    async fn view(
        &self,
        caller: Allowed<ViewQuizCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Category>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, KIND, id.0).await?))
    }

    /// 新增试卷分类
    #[oai(path = "/save", method = "post", operation_id = "saveQuizCategory")]
    async fn save(&self, caller: Allowed<SaveQuizCategory>, Body(form): Body<CategoryForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, KIND, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑试卷分类
    #[oai(path = "/edit", method = "put", operation_id = "editQuizCategory")]
    async fn edit(
        &self,
        caller: Allowed<EditQuizCategory>,
        Body(edit): Body<Edit<CategoryForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, KIND, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除试卷分类
    #[oai(path = "/delete", method = "delete", operation_id = "deleteQuizCategory")]
    async fn delete(
        &self,
        caller: Allowed<DeleteQuizCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, KIND, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除试卷分类
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteQuizCategories")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteQuizCategories>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "online_category", "category_name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, KIND, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用试卷分类
    #[oai(path = "/update/status", method = "put", operation_id = "changeQuizCategoryStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeQuizCategoryStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        find(&mut tx, KIND, wanted.id).await?;
        let change = tx.set_enabled("online_category", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出试卷分类
    #[oai(path = "/export", method = "post", operation_id = "exportQuizCategories")]
    async fn export(
        &self,
        caller: Allowed<ExportQuizCategories>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(filter): Body<CategoryFilter>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, filter, job.0).await
    }
}

impl Export for QuizCategories {
    type Filter = CategoryFilter;
    type Row = Category;
    const KIND: &'static str = "quiz_category.export";
    type Permission = ExportQuizCategories;
    const TITLE: &'static str = "试卷分类";
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
