//! 作业批阅: what a machine cannot mark (part 03 B7).
//!
//! ```text
//! submitted ─open (lock)→ save … ─submit→ marked          submitted, marked ─return→ returned ─(not redone)→ as it was
//! ```
//! A sheet is open for one marker at a time, for thirty minutes from their last save. Markers are teachers: an account of the
//! console marks as the teacher whom its binding names, or on behalf of the one to whom the sheet was given.

pub(crate) mod assign;
mod give_back;
mod lock;
mod paper;
pub(crate) mod progress;
mod rejudge;
mod select;
mod sheet;
pub(crate) mod similarity;
pub(crate) mod write;

use infra::{
    Allowed, Body, Paged, Part, Reply, Result,
    across::{self, SchoolPage},
    permissions, reply,
    setting::{Setting, Settings, kind::Kind},
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use give_back::SheetsReturn;
pub(crate) use give_back::{overdue_returns, restore_due, return_all};
pub use homework_rules::annotations::Annotation;
pub(crate) use lock::{Marker, Reach};
pub use paper::{MarkingItem, MarkingPaper, SheetFile};
pub(crate) use paper::{items_of, paper_of};
pub(crate) use select::of_teacher;
pub use select::{MarkingFilter, MarkingSheet};

permissions! {
    pages
        "/schoolPC/educational/onlineWork/onlineWorkMarking",
        "/platformPC/educational/onlineWork/onlineWorkMarking",
        "/schoolPC/educational/onlineWork/workPapers";
    EachSchool Reads       ListMarking         = "exam:pc:tasks:marking:list" "作业批阅列表";
    EachSchool Reads       ListMarkingProgress = "exam:pc:tasks:marking:list" "作业批阅列表";
    EachSchool Reads       ViewSheet           = "exam:pc:tasks:marking:view" "查看答卷";
    EachSchool ReadsLogged ExportMarking       = "exam:pc:tasks:marking:export" "导出作业批阅";
    InSchool   Writes      OpenSheet           = "exam:pc:tasks:marking:edit" "批阅答卷";
    InSchool   Writes      SaveMarks           = "exam:pc:tasks:marking:edit" "批阅答卷";
    InSchool   Writes      SubmitMarks         = "exam:pc:tasks:marking:edit" "批阅答卷";
    InSchool   Writes      ReleaseSheet        = "exam:pc:tasks:marking:edit" "批阅答卷";
    InSchool   Writes      ReturnSheets        = "exam:pc:tasks:marking:return" "退回重做";
    InSchool   Writes      AssignSheets        = "exam:pc:tasks:marking:assign" "分配批阅";
    WholeSchool Writes     RejudgeQuestion     = "exam:pc:tasks:marking:rejudge" "更正答案";
    InSchool   Writes      FindSimilarSheets   = "exam:pc:tasks:marking:similarity" "相似检测";
    InSchool   Reads       ListSimilarSheets   = "exam:pc:tasks:marking:similarity" "相似检测";
    InSchool   Writes      JudgeSimilarSheets  = "exam:pc:tasks:marking:similarity" "相似检测";
    EachSchool Writes      RemindMarkers       = "exam:pc:tasks:marking:remind" "督促批阅";
}

/// Whom a sheet is told of that lies beyond somebody's reach.
pub(crate) const SOMEBODY_ELSE: &str = "其他班级学生";

/// In which steps marking screens offer scores; the server takes tenths (01 §13).
pub(crate) const SCORE_STEP: Setting = Setting::new(
    "homeworkScoreStep",
    "批阅分数步长",
    Kind::Number { default: "0.5", options: &[("0.1", "0.1分"), ("0.5", "0.5分"), ("1", "1分")] },
    "",
);

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[export_job::<Markings>(), similarity::JOB],
    settings: &[Settings { group: "teaching", settings: &[SCORE_STEP] }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of sheets that are marked.
pub struct Markings;

#[OpenApi(prefix_path = "/exam/pc/tasks/marking", tag = "crate::Tag::Homework")]
impl Markings {
    /// 作业批阅列表
    #[oai(path = "/list", method = "post", operation_id = "listMarking")]
    async fn list(
        &self,
        caller: Allowed<ListMarking>,
        Body(asked): Body<Paged<MarkingFilter>>,
    ) -> Result<Reply<SchoolPage<MarkingSheet>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看答卷
    /// 只读，不占用答卷
    #[oai(path = "/view", method = "get", operation_id = "viewSheet")]
    async fn view(
        &self,
        caller: Allowed<ViewSheet>,
        /// 答卷
        #[oai(name = "sheetId")]
        sheet_id: Query<i64>,
    ) -> Result<Reply<MarkingPaper>> {
        let mut tx = caller.read().await?;
        let reach = Reach::Scope(caller.scope());
        reach.see(&mut tx, sheet_id.0).await?;
        Ok(reply(paper_of(caller.app(), &mut tx, sheet_id.0, (&reach, None)).await?))
    }

    /// 导出作业批阅
    #[oai(path = "/export", method = "post", operation_id = "exportMarking")]
    async fn export(
        &self,
        caller: Allowed<ExportMarking>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<MarkingFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// The operations on sheets.
pub(crate) fn api() -> impl OpenApi {
    (
        Markings,
        write::Marking,
        give_back::Returns,
        assign::Assignments,
        rejudge::Rejudging,
        similarity::Similarities,
        progress::MarkingProgressRows,
    )
}
