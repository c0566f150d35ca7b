//! 考试阅卷: what a machine cannot mark, by one marker or by two (part 04 §2.3, §2.4).
//!
//! ```text
//! submitted ─(assign)→ marker ─save, submit→ marked          double: two marks ─agree→ mean      ─differ→ the arbiter's
//! marking ─finish→ done ─transfer→ transferred ─rejudge→ done (transfer again)
//! ```

mod assign;
mod ending;
mod rejudge;
mod select;
pub(crate) mod write;

use homework::marking::{Marker, write::SheetMarks};
use infra::{
    Allowed, Body, Entity, Paged, Part, Reply, Result,
    across::{self, SchoolPage},
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use ending::Ending;
pub use select::{ExamMarking, ExamMarkingFilter};
pub use write::{ExamMarksSaved, ExamPaperToMark};

pub(crate) use assign::distribute;
pub(crate) use ending::transferred;
use write::{Reach, next, saved, submitted};

permissions! {
    pages
        "/schoolPC/examination/onlineIndex/onlineExamMarking",
        "/platformPC/examination/onlineIndex/onlineExamMarking",
        "/schoolPC/examination/onlineIndex/markPapers";
    EachSchool  Reads       ListExamMarking    = "exam:pc:online:mark:list" "考试阅卷列表";
    EachSchool  ReadsLogged ExportExamMarking  = "exam:pc:online:mark:export" "导出阅卷进度";
    InSchool    Writes      TakeNextPaper      = "exam:pc:online:mark:next" "取下一份答卷";
    InSchool    Writes      SaveExamMarks      = "exam:pc:online:mark:save" "保存阅卷";
    InSchool    Writes      SubmitExamMarks    = "exam:pc:online:mark:submit" "提交阅卷";
    InSchool    Writes      FinishExamMarking  = "exam:pc:online:mark:finish" "完成阅卷";
    InSchool    Writes      AssignExamSheets   = "exam:pc:online:mark:assign" "分配线上阅卷";
    WholeSchool Writes      RejudgeExam        = "exam:pc:online:mark:rejudge" "更正考试答案";
    InSchool    Writes      TransferExamScores = "exam:pc:online:mark:transfer" "转入成绩";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "exam_item_mark", name: "双评记录", counted: "条双评记录" }],
    jobs: &[export_job::<ExamMarkings>()],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of what is marked.
pub struct ExamMarkings;

#[OpenApi(prefix_path = "/exam/pc/online/mark", tag = "crate::Tag::OnlineExams")]
impl ExamMarkings {
    /// 考试阅卷列表
    #[oai(path = "/list", method = "post", operation_id = "listExamMarking")]
    async fn list(
        &self,
        caller: Allowed<ListExamMarking>,
        Body(asked): Body<Paged<ExamMarkingFilter>>,
    ) -> Result<Reply<SchoolPage<ExamMarking>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 导出阅卷进度
    #[oai(path = "/export", method = "post", operation_id = "exportExamMarking")]
    async fn export(
        &self,
        caller: Allowed<ExportExamMarking>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ExamMarkingFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

pub struct Marking;

#[OpenApi(prefix_path = "/exam/pc/online/mark", tag = "crate::Tag::OnlineExams")]
impl Marking {
    /// 取下一份答卷
    /// 占用答卷30分钟，每次保存后重新计时；没有待阅的答卷时为空
    #[oai(path = "/next", method = "get", operation_id = "takeNextPaper")]
    async fn next(
        &self,
        caller: Allowed<TakeNextPaper>,
        /// 考试
        #[oai(name = "setupId")]
        setup_id: Query<i64>,
        /// 快照试题
        /// 只阅这一题
        #[oai(name = "questionId")]
        question_id: Query<Option<i64>>,
        /// 指定的答卷
        #[oai(name = "sheetId")]
        sheet_id: Query<Option<i64>>,
    ) -> Result<Reply<Option<ExamPaperToMark>>> {
        let marker = Marker::of_account(&caller).await?;
        let tx = caller.begin().await?;
        let reach = Reach::Scope(caller.scope());
        let wanted = (setup_id.0, question_id.0, sheet_id.0);
        Ok(reply(next(caller.app(), tx, wanted, (&marker, &reach)).await?))
    }

    /// 保存阅卷
    #[oai(path = "/save", method = "put", operation_id = "saveExamMarks")]
    async fn save(
        &self,
        caller: Allowed<SaveExamMarks>,
        Body(marks): Body<SheetMarks>,
    ) -> Result<Reply<ExamMarksSaved>> {
        let marker = Marker::of_account(&caller).await?;
        let tx = caller.begin().await?;
        Ok(reply(saved(tx, &marks, (&marker, &Reach::Scope(caller.scope()))).await?))
    }

    /// 提交阅卷
    /// 结束自己对一份答卷的批阅
    #[oai(path = "/submit", method = "put", operation_id = "submitExamMarks")]
    async fn submit(
        &self,
        caller: Allowed<SubmitExamMarks>,
        Body(marks): Body<SheetMarks>,
    ) -> Result<Reply<ExamMarksSaved>> {
        let marker = Marker::of_account(&caller).await?;
        let tx = caller.begin().await?;
        Ok(reply(submitted(tx, &marks, (&marker, &Reach::Scope(caller.scope()))).await?))
    }
}
