//! 试题: what a bank holds, with its states, files, imports and exports (part 03 A7).
//!
//! ```text
//! form ─[question_bank_rules::check]→ right ─[write]→ question, sub-questions, points, files      sheet, text ─[lines]→ form
//! ```
//! A question that a snapshot has keeps its type; what is edited reaches no snapshot.

mod batch;
mod duplicate;
mod export;
mod lines;
pub mod media;
mod quality;
mod select;
mod sheet;
mod steps;
mod text_import;
mod write;

use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, Entity, History, Ids, KeptRows, Part, Reply, Result, Saved, Sorted, Tx,
    access::Permission,
    across::{self, SchoolPage},
    enumeration, permissions, reply,
    setting::{Setting, Settings},
    steps::job,
    transfer::{self, Attachment, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{Multipart, Object, OpenApi, param::Query, types::multipart::Upload};
use serde_json::json;

use crate::{
    bank::BankHead,
    enums::{
        BlankMatch, MultipleRule, PaperKind, QuestionDifficulty, QuestionExportFormat, QuestionSource, QuestionStatus,
        QuestionType,
    },
};

pub use media::QuestionMedia;
pub use quality::measure;
pub use question_bank_rules::form::{QuestionForm, QuestionOption, QuestionUpload, SubQuestion, SubQuestionForm};
pub use select::{Question, QuestionFilter, QuestionUse, QuestionView, secret_among, stored, stored_options, subs_of};

use select::{QuestionsSeen, find};
use write::{NewQuestion, admitted, insert, remove, update};

permissions! {
    pages "/schoolPC/basicData/exam/list", "/platformPC/basicData/exam/list";
    EachSchool  Reads       ListQuestions          = "exam:pc:exam:problem:list" "试题列表";
    EachSchool  Reads       ViewQuestion           = "exam:pc:exam:problem:view" "查看试题";
    EachSchool  Writes      SaveQuestion           = "exam:pc:exam:problem:save" "新增试题";
    EachSchool  Writes      EditQuestion           = "exam:pc:exam:problem:edit" "编辑试题";
    EachSchool  Writes      EditQuestions          = "exam:pc:exam:problem:edit" "编辑试题";
    EachSchool  Writes      DeleteQuestion         = "exam:pc:exam:problem:delete" "删除试题";
    EachSchool  Writes      DeleteQuestions        = "exam:pc:exam:problem:batchDel" "批量删除试题";
    EachSchool  Writes      ChangeQuestionStatus   = "exam:pc:exam:problem:update:status" "启用停用试题";
    ManySchools Writes      SubmitQuestions        = "exam:pc:exam:problem:submit" "提交试题";
    ManySchools Writes      AuditQuestions         = "exam:pc:exam:problem:audit" "审核试题";
    ManySchools Writes      RejectQuestions        = "exam:pc:exam:problem:reject" "退回试题";
    EachSchool  Writes      MoveQuestions          = "exam:pc:exam:problem:move" "移动试题";
    EachSchool  Reads       FindDuplicateQuestions = "exam:pc:exam:problem:duplicate" "试题查重";
    EachSchool  ReadsLogged ExportQuestions        = "exam:pc:exam:problem:export" "导出试题";
    EachSchool  Writes      ImportQuestions        = "exam:pc:exam:problem:import" "导入试题";
    EachSchool  Reads       FetchQuestionSheet     = "exam:pc:exam:problem:import" "导入试题";
    EachSchool  Writes      ImportQuestionText     = "exam:pc:exam:problem:import:text" "导入文本试题";
    EachSchool  Reads       ViewAnswers            = "exam:pc:exam:problem:viewAnswer" "查看考试题库答案";
}

/// Whether new and changed questions are looked at by somebody before they are used (01 §13).
pub(crate) const QUESTION_REVIEW: Setting = Setting::yes_no("questionReviewRequired", "试题须审核", false, "");

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        QuestionType::ENUMERATION,
        QuestionDifficulty::ENUMERATION,
        QuestionStatus::ENUMERATION,
        QuestionSource::ENUMERATION,
        BlankMatch::ENUMERATION,
        MultipleRule::ENUMERATION,
        PaperKind::ENUMERATION,
        QuestionExportFormat::ENUMERATION,
        QuestionSort::ENUMERATION,
    ],
    entities: &[
        Entity { table: "question", name: "试题", counted: "道试题" },
        Entity { table: "question_knowledge", name: "试题知识点", counted: "道试题" },
        Entity { table: "question_media", name: "试题图片", counted: "道试题" },
        Entity { table: "question_quality", name: "试题质量", counted: "道试题" },
    ],
    jobs: &[
        export_job::<export::Answered>(),
        export_job::<export::Unanswered>(),
        export::TEXT_JOB,
        import_job::<sheet::QuestionSheet>(),
        text_import::JOB,
        duplicate::JOB,
        job::<steps::Submit>(),
        job::<steps::Audit>(),
        job::<steps::Reject>(),
    ],
    histories: &[History { table: "question", code: "exam:pc:exam:problem:view", scope: None }],
    kept: &[KeptRows {
        table: "question",
        seen:
            "exists (select from question_bank b where b.id = bank_id and (b.visibility = 'school' or b.created_by = $2
                   or exists (select from question_bank_member m where m.bank_id = b.id and m.account_id = $2)))",
    }],
    // Keys of examinations.
    unlogged: &["answer", "analysis"],
    settings: &[Settings { group: "teaching", settings: &[QUESTION_REVIEW] }],
    option_pages: PAGES,
    ..Part::NONE
};

enumeration! {
    /// 试题排序字段
    pub enum QuestionSort = "questionSort" {
        Id = "id" "题号",
        DefaultScore = "defaultScore" "分值",
        UsedCount = "usedCount" "使用次数",
        UpdatedAt = "updatedAt" "更新时间",
        Difficulty = "difficulty" "难度",
        // For whoever draws: the first page is so many by chance.
        Random = "random" "随机",
    }
}

/// The answer of an import of questions.
#[derive(Debug, Clone, Object)]
pub struct QuestionImportAnswer {
    #[oai(flatten)]
    pub answer: ImportAnswer,
    /// 跳过的重复试题
    pub skipped: i64,
}

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct QuestionImportForm {
    /// 文件
    pub file: Upload,
    /// 题库
    pub bank_id: i64,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    pub sha256: Option<String>,
    /// 跳过重复的试题
    pub skip_duplicates: Option<bool>,
}

pub struct QuestionLines;

#[OpenApi(prefix_path = "/exam/pc/exam/problem", tag = "crate::Tag::QuestionBank")]
impl QuestionLines {
    /// 试题列表
    #[oai(path = "/list", method = "post", operation_id = "listQuestions")]
    async fn list(
        &self,
        caller: Allowed<ListQuestions>,
        Body(asked): Body<Sorted<QuestionFilter, QuestionSort>>,
    ) -> Result<Reply<SchoolPage<Question>>> {
        let paging = asked.paging()?;
        let viewer = Some(caller.user_id());
        let seen = QuestionsSeen { filter: asked.filter, viewer, ..QuestionsSeen::default() };
        let mut answer = across::list::<Questions, _>(&caller, paging, seen).await?;
        let may_see = sees_answers(&caller);
        for question in &mut answer.0.data.list {
            question.row.hide_answer(may_see);
        }
        Ok(answer)
    }

    /// 查看试题
    #[oai(path = "/view", method = "get", operation_id = "viewQuestion")]
    async fn view(
        &self,
        caller: Allowed<ViewQuestion>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<QuestionView>> {
        let mut tx = caller.read().await?;
        let view = find(&mut tx, id.0, Some(caller.user_id())).await?;
        Ok(reply(view.addressed(caller.app(), &mut tx, sees_answers(&caller)).await?))
    }

    /// 新增试题
    #[oai(path = "/save", method = "post", operation_id = "saveQuestion")]
    async fn save(&self, caller: Allowed<SaveQuestion>, Body(form): Body<QuestionForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (bank, status) = admitted(&mut tx, &form).await?;
        let new = NewQuestion::of(&mut tx, bank, form, status).await?;
        let (id, change) = insert(&mut tx, &new).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑试题
    /// 连同小题一次保存；无权查看其答案时，答案和解析不填，保持不变
    #[oai(path = "/edit", method = "put", operation_id = "editQuestion")]
    async fn edit(&self, caller: Allowed<EditQuestion>, Body(edit): Body<Edit<QuestionForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit, sees_answers(&caller)).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除试题
    #[oai(path = "/delete", method = "delete", operation_id = "deleteQuestion")]
    async fn delete(
        &self,
        caller: Allowed<DeleteQuestion>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除试题
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteQuestions")]
    async fn delete_many(&self, caller: Allowed<DeleteQuestions>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "question", "left(stem_plain, 30)");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 试题导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchQuestionImportTemplate")]
    async fn template(&self, caller: Allowed<FetchQuestionSheet>) -> Result<Attachment> {
        transfer::template::<sheet::QuestionSheet, _>(&caller).await
    }

    /// 导入试题
    #[oai(path = "/import", method = "post", operation_id = "importQuestions")]
    async fn import(
        &self,
        caller: Allowed<ImportQuestions>,
        form: QuestionImportForm,
    ) -> Result<Reply<QuestionImportAnswer>> {
        let sent = ImportForm { file: form.file, dry_run: form.dry_run, sha256: form.sha256 };
        let more = json!({ "skipDuplicates": form.skip_duplicates.unwrap_or(false) });
        let answer = transfer::import_with::<sheet::QuestionSheet>(&caller, sent, Some(form.bank_id), more).await?;
        let mut answer = answer.0.data;
        let skipped = answer.unchanged.unwrap_or_default();
        if answer.imported > 0 {
            answer.imported -= skipped;
        }
        Ok(reply(QuestionImportAnswer { answer, skipped }))
    }
}

/// The list of questions.
pub struct Questions;

/// Whether the caller may see the answers of examination banks, and of what a paper of an examination holds.
pub fn sees_answers<P: Permission>(caller: &Allowed<P>) -> bool {
    caller.holds(<ViewAnswers as Permission>::CODE)
}

pub(crate) fn api() -> impl OpenApi {
    (
        QuestionLines,
        steps::QuestionSteps,
        batch::QuestionBatches,
        duplicate::QuestionDuplicates,
        export::QuestionExports,
        text_import::QuestionTexts,
    )
}

/// Holds these questions, in the order of their numbers.
///
/// # Errors
/// Those of the database.
pub async fn hold(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    sqlx::query_scalar!("select id from question where id = any($1) order by id for update", ids)
        .fetch_all(&mut **tx)
        .await?;
    Ok(())
}

/// Notes that these questions stand in a new snapshot.
///
/// # Errors
/// Those of the database.
pub async fn note_use(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    // No new version: nobody who edits a question is to be refused because somebody used it.
    hold(tx, ids).await?;
    let now = tx.app().clock().now();
    sqlx::query!("update question set used_count = used_count + 1, last_used_at = $2 where id = any($1)", ids, now)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Writes a question of a demonstration.
pub(crate) async fn demo_insert(
    tx: &mut Tx,
    bank: BankHead,
    form: QuestionForm,
    status: QuestionStatus,
    source: QuestionSource,
) -> Result<()> {
    let new = NewQuestion { source, ..NewQuestion::of(tx, bank, form, status).await? };
    insert(tx, &new).await?;
    Ok(())
}
