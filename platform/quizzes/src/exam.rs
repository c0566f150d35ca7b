//! 试卷: what is typed becomes a version, and an approved version becomes the exam (01 §9.7, as courses in §9.2).
//!
//! ```text
//! save, edit ─→ a version (draft │ pending │ approved) ─approval→ copied into the exam
//! ```
//! What is published stays as it is until a version is approved. An operator who holds `…:edit` may publish at once; their version is
//! approved by themself. Who only holds `…:save` hands their new exam in, and it waits for the auditors ([`audit`](crate::audit)).

pub(crate) mod content;
pub(crate) mod form;
pub(crate) mod publish;
pub(crate) mod select;
mod sheet;
pub(crate) mod shelf;
mod teaching;
mod wire;

use catalogue::course::PutawayChange;
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result, Saved,
    access::Permission,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use quiz_rules::{difference::QuizField, paper};

use crate::problem::{media, select::for_papers};

pub use shelf::bought;
pub use teaching::take_off_sale;
pub use wire::{Quiz, QuizEdit, QuizFilter, QuizForm, QuizView};

use form::{Typed, insert, update};
use select::{content_of, count, find, select};
use shelf::{remove, set_putaway};

permissions! {
    pages "/exam/list";
    InPlatform Reads       ListQuizzes       = "exam:pc:info:list" "线上试卷列表";
    InPlatform Reads       ViewQuiz          = "exam:pc:info:view" "查看线上试卷";
    InPlatform Writes      SaveQuiz          = "exam:pc:info:save" "新增线上试卷";
    InPlatform Writes      EditQuiz          = "exam:pc:info:edit" "编辑线上试卷";
    InPlatform Writes      DeleteQuiz        = "exam:pc:info:delete" "删除线上试卷";
    InPlatform Writes      DeleteQuizzes     = "exam:pc:info:batchDel" "批量删除线上试卷";
    InPlatform Writes      ChangeQuizPutaway = "exam:pc:info:update:putaway" "线上试卷上下架";
    InPlatform Writes      ChangeQuizStatus  = "exam:pc:info:update:status" "启用停用线上试卷";
    InPlatform ReadsLogged ExportQuizzes     = "exam:pc:info:export" "导出线上试卷";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[QuizField::ENUMERATION],
    entities: &[
        Entity { table: "online_exam", name: "线上试卷", counted: "份试卷" },
        Entity { table: "online_exam_problem", name: "试卷试题", counted: "份试卷" },
    ],
    jobs: &[export_job::<Quizzes>()],
    histories: &[History { table: "online_exam", code: "exam:pc:info:view", scope: None }],
    ..Part::NONE
};

pub struct Quizzes;

#[OpenApi(prefix_path = "/exam/pc/info", tag = "crate::Tag::Quizzes")]
impl Quizzes {
    /// 线上试卷列表
    #[oai(path = "/list", method = "post", operation_id = "listQuizzes")]
    async fn list(
        &self,
        caller: Allowed<ListQuizzes>,
        Body(asked): Body<Paged<QuizFilter>>,
    ) -> Result<Reply<Page<Quiz>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, now, &filter).await?;
        let list = select(&mut tx, now, None, &filter, Some(paging)).map_ok(Quiz::from).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看线上试卷
    /// 内容为尚未通过的版本，没有时为已发布的版本；试题连同答案供预览
    #[oai(path = "/view", method = "get", operation_id = "viewQuiz")]
    async fn view(
        &self,
        caller: Allowed<ViewQuiz>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<QuizView>> {
        let app = caller.app();
        let mut tx = caller.read().await?;
        let quiz = find(&mut tx, app.clock().now(), id.0).await?.into();
        let content = content_of(&mut tx, id.0).await?;
        let problems = for_papers(&mut tx, &content.problem_ids()).await?;
        let paper = paper::frozen(&content.sections, &problems);
        let media = media::shown(app, &mut tx, &paper::files(&paper, true)).await?;
        Ok(reply(QuizView { quiz, content, paper, media }))
    }

    /// 新增线上试卷
    #[oai(path = "/save", method = "post", operation_id = "saveQuiz")]
    async fn save(&self, caller: Allowed<SaveQuiz>, Body(form): Body<QuizForm>) -> Result<Reply<Saved>> {
        let may_publish = caller.holds(<EditQuiz as Permission>::CODE);
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form.submission, form.content, may_publish).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑线上试卷
    /// 已发布的试卷在新版本通过前保持不变
    #[oai(path = "/edit", method = "put", operation_id = "editQuiz")]
    async fn edit(&self, caller: Allowed<EditQuiz>, Body(edit): Body<QuizEdit>) -> Result<Reply<Saved>> {
        let QuizEdit { id, version, submission, content } = edit;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, Typed { id, version, submission, content }).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除线上试卷
    #[oai(path = "/delete", method = "delete", operation_id = "deleteQuiz")]
    async fn delete(
        &self,
        caller: Allowed<DeleteQuiz>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除线上试卷
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteQuizzes")]
    async fn delete_many(&self, caller: Allowed<DeleteQuizzes>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "online_exam", "exam_name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 线上试卷上下架
    #[oai(path = "/update/putaway", method = "put", operation_id = "changeQuizPutaway")]
    async fn change_putaway(
        &self,
        caller: Allowed<ChangeQuizPutaway>,
        Body(wanted): Body<PutawayChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = set_putaway(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 启用停用线上试卷
    #[oai(path = "/update/status", method = "put", operation_id = "changeQuizStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeQuizStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("online_exam", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出线上试卷
    #[oai(path = "/export", method = "post", operation_id = "exportQuizzes")]
    async fn export(
        &self,
        caller: Allowed<ExportQuizzes>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<QuizFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
