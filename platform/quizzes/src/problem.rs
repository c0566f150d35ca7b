//! 线上试题: the questions of a category (01 §9.7). Shape, checks and sheet are those of the schools' questions (03 A7); whoever holds a
//! code here reads the keys. A question that a published exam had stays, with its files: attempts show it for ever.

mod lines;
pub(crate) mod media;
pub(crate) mod select;
mod sheet;
pub(crate) mod write;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, permissions, reply,
    transfer::{self, Attachment, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{Multipart, OpenApi, param::Query, types::multipart::Upload};
use question_bank_rules::enums::QuestionSource;
use quiz_rules::problem::QuizProblemForm;

pub use media::QuizMedia;
pub use select::{QuizProblem, QuizProblemFilter, QuizProblemUse, QuizProblemView};

use select::{count, find, select};
use sheet::QuizProblemSheet;
use write::{insert, remove, update};

permissions! {
    pages "/exam/category/problem/list", "/exam/list";
    InPlatform Reads       ListQuizProblems        = "exam:pc:online:problem:list" "线上试题列表";
    InPlatform Reads       ViewQuizProblem         = "exam:pc:online:problem:view" "查看线上试题";
    InPlatform Writes      SaveQuizProblem         = "exam:pc:online:problem:save" "新增线上试题";
    InPlatform Writes      EditQuizProblem         = "exam:pc:online:problem:edit" "编辑线上试题";
    InPlatform Writes      DeleteQuizProblem       = "exam:pc:online:problem:delete" "删除线上试题";
    InPlatform Writes      DeleteQuizProblems      = "exam:pc:online:problem:batchDel" "批量删除线上试题";
    InPlatform Writes      ChangeQuizProblemStatus = "exam:pc:online:problem:update:status" "启用停用线上试题";
    InPlatform Writes      ImportQuizProblems      = "exam:pc:online:problem:import" "导入线上试题";
    InPlatform Reads       FetchQuizProblemSheet   = "exam:pc:online:problem:import" "导入线上试题";
    InPlatform ReadsLogged ExportQuizProblems      = "exam:pc:online:problem:export" "导出线上试题";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "online_problem", name: "线上试题", counted: "道试题" }],
    jobs: &[export_job::<QuizProblems>(), import_job::<QuizProblemSheet>()],
    histories: &[History { table: "online_problem", code: "exam:pc:online:problem:view", scope: None }],
    ..Part::NONE
};

/// How a question is called in the failures of a bulk step.
const NAME: &str = "left(stem_plain, 30)";

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct QuizProblemImportForm {
    /// 文件
    pub file: Upload,
    /// 分类
    pub category_id: i64,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    pub sha256: Option<String>,
}

pub struct QuizProblems;

#[OpenApi(prefix_path = "/exam/pc/online/problem", tag = "crate::Tag::Quizzes")]
impl QuizProblems {
    /// 线上试题列表
    #[oai(path = "/list", method = "post", operation_id = "listQuizProblems")]
    async fn list(
        &self,
        caller: Allowed<ListQuizProblems>,
        Body(asked): Body<Paged<QuizProblemFilter>>,
    ) -> Result<Reply<Page<QuizProblem>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).map_ok(QuizProblem::from).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看线上试题
    #[oai(path = "/view", method = "get", operation_id = "viewQuizProblem")]
    async fn view(
        &self,
        caller: Allowed<ViewQuizProblem>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<QuizProblemView>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(caller.app(), &mut tx, id.0).await?))
    }

    /// 新增线上试题
    #[oai(path = "/save", method = "post", operation_id = "saveQuizProblem")]
    async fn save(&self, caller: Allowed<SaveQuizProblem>, Body(form): Body<QuizProblemForm>) -> Result<Reply<Saved>> {
        let source = if form.copied_from.is_some() { QuestionSource::Copy } else { QuestionSource::Manual };
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, &form, source).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑线上试题
    /// 连同小题一次保存；已开始的考试不受影响
    #[oai(path = "/edit", method = "put", operation_id = "editQuizProblem")]
    async fn edit(
        &self,
        caller: Allowed<EditQuizProblem>,
        Body(edit): Body<Edit<QuizProblemForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除线上试题
    #[oai(path = "/delete", method = "delete", operation_id = "deleteQuizProblem")]
    async fn delete(
        &self,
        caller: Allowed<DeleteQuizProblem>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除线上试题
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteQuizProblems")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteQuizProblems>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "online_problem", NAME);
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用线上试题
    /// 停用的试题不能再组进试卷
    #[oai(path = "/update/status", method = "put", operation_id = "changeQuizProblemStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeQuizProblemStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("online_problem", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 线上试题导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchQuizProblemImportTemplate")]
    async fn template(&self, caller: Allowed<FetchQuizProblemSheet>) -> Result<Attachment> {
        transfer::template::<QuizProblemSheet, _>(&caller).await
    }

    /// 导入线上试题
    #[oai(path = "/import", method = "post", operation_id = "importQuizProblems")]
    async fn import(
        &self,
        caller: Allowed<ImportQuizProblems>,
        form: QuizProblemImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        let sent = ImportForm { file: form.file, dry_run: form.dry_run, sha256: form.sha256 };
        transfer::import_into::<QuizProblemSheet>(&caller, sent, Some(form.category_id)).await
    }

    /// 导出线上试题
    #[oai(path = "/export", method = "post", operation_id = "exportQuizProblems")]
    async fn export(
        &self,
        caller: Allowed<ExportQuizProblems>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<QuizProblemFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
