//! 试卷: put together by hand or by a rule, reviewed, used (part 03 A8).
//!
//! A paper that was approved is not changed: an edit makes the next version, a draft; the old one stays in use until that is
//! approved.

mod check;
pub(crate) mod compose;
mod copy;
pub(crate) mod detail;
pub(crate) mod form;
pub mod print;
mod select;
mod steps;
mod word;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, Part, Reply, Result, Saved, Scope,
    Sorted, Tx,
    across::{self, Keyed, SchoolPage},
    enumeration,
    naming::resolve_id,
    options::Source,
    permissions, reply,
    setting::{
        Setting, Settings,
        kind::{Field, Kind},
    },
    transfer::export_job,
};
use poem_openapi::{OpenApi, param::Query};
use question_bank::enums::PaperKind;
use serde_json::Value;
use sqlx::PgConnection;

use crate::enums::{PaperComposeMode, PaperCopyMode, PaperExportFormat, PaperStatus, PaperVariant};

pub use compose::{PaperComposition, PaperQuestionForm, PaperQuestions, PaperSectionForm};
pub use detail::{PaperCoverage, PaperDetail, keep_back};
pub use form::PaperForm;
pub use select::{Paper, PaperFilter, PaperView};

use form::{insert, update};
use select::viewed;

permissions! {
    pages "/schoolPC/basicData/testPaperManagement", "/platformPC/basicData/testPaperManagement";
    EachSchool Reads       ListPapers           = "exam:pc:exam:info:list" "试卷列表";
    EachSchool Reads       ViewPaper            = "exam:pc:exam:info:view" "查看试卷";
    EachSchool Reads       ViewPaperComposition = "exam:pc:exam:info:view" "查看试卷";
    EachSchool Reads       CheckPaper           = "exam:pc:exam:info:view" "查看试卷";
    EachSchool Writes      SavePaper            = "exam:pc:exam:info:save" "新增试卷";
    EachSchool Writes      EditPaper            = "exam:pc:exam:info:edit" "编辑试卷";
    EachSchool Writes      ComposePaper         = "exam:pc:exam:info:edit" "编辑试卷";
    EachSchool Writes      AppendPaperQuestions = "exam:pc:exam:info:edit" "编辑试卷";
    EachSchool Writes      DeletePaper          = "exam:pc:exam:info:delete" "删除试卷";
    EachSchool Writes      DeletePapers         = "exam:pc:exam:info:batchDel" "批量删除试卷";
    EachSchool Writes      ChangePaperStatus    = "exam:pc:exam:info:update:status" "启用停用试卷";
    EachSchool Writes      SubmitPaper          = "exam:pc:exam:info:submit" "提交试卷";
    EachSchool Writes      AuditPaper           = "exam:pc:exam:info:audit" "审核试卷";
    EachSchool Writes      RejectPaper          = "exam:pc:exam:info:reject" "退回试卷";
    EachSchool Writes      CopyPaper            = "exam:pc:exam:info:copy" "复制试卷";
    EachSchool Writes      PrintPaper           = "exam:pc:exam:info:print" "打印试卷";
    EachSchool ReadsLogged ExportPapers         = "exam:pc:exam:info:export" "导出试卷";
}

/// Whether papers of a kind are looked at by somebody before they are used (01 §13).
pub(crate) const PAPER_REVIEW: Setting = Setting::object(
    "paperReviewRequired",
    "试卷须审核",
    &[
        Field::new("exam", "考试", Kind::Bool { default: true }),
        Field::new("makeup", "补考", Kind::Bool { default: true }),
        Field::new("homework", "作业", Kind::Bool { default: false }),
        Field::new("practice", "练习", Kind::Bool { default: false }),
    ],
    None,
    "",
);

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        PaperComposeMode::ENUMERATION,
        PaperStatus::ENUMERATION,
        PaperVariant::ENUMERATION,
        PaperCopyMode::ENUMERATION,
        PaperExportFormat::ENUMERATION,
        PaperSort::ENUMERATION,
    ],
    entities: &[
        Entity { table: "paper", name: "试卷", counted: "份试卷" },
        Entity { table: "paper_section", name: "试卷大题", counted: "个大题" },
        Entity { table: "paper_question", name: "试卷试题", counted: "份试卷" },
        Entity { table: "paper_extra_bank", name: "试卷题库", counted: "份试卷" },
    ],
    jobs: &[export_job::<Papers>()],
    histories: &[History { table: "paper", code: "exam:pc:exam:info:view", scope: None }],
    settings: &[Settings { group: "teaching", settings: &[PAPER_REVIEW] }],
    options: &[
        Source::new("paper", |connection, asked| Box::pin(select::options(connection, asked))).below("试卷的课程")
    ],
    option_pages: &[
        "/schoolPC/basicData/testPaperManagement",
        "/platformPC/basicData/testPaperManagement",
        "/schoolPC/basicData/selectIssue",
        "/platformPC/basicData/selectIssue",
        "/schoolPC/basicData/selectIssueSchool",
    ],
    ..Part::NONE
};

enumeration! {
    /// 试卷排序字段
    pub enum PaperSort = "paperSort" {
        Code = "code" "试卷编号",
        Name = "name" "试卷名称",
        UpdatedAt = "updatedAt" "更新时间",
    }
}

/// A paper that is held, as its steps know it.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub id: i64,
    pub version: i32,
    pub code: String,
    pub name: String,
    pub course_id: i64,
    pub kind: PaperKind,
    pub status: PaperStatus,
    pub family_id: i64,
    pub version_no: i32,
    pub variant: String,
    pub overlap_max_percent: i32,
    pub submitted_by: Option<i64>,
    pub total_score: f64,
    pub compose_mode: PaperComposeMode,
}

impl Held {
    /// # Errors
    /// 409 for a paper that is looked at or in use.
    pub(crate) fn editable(&self) -> Result<()> {
        match self.status {
            PaperStatus::Draft | PaperStatus::Rejected => Ok(()),
            PaperStatus::PendingReview => Err(Error::conflict("待审核的试卷不能修改，请先退回")),
            PaperStatus::Approved | PaperStatus::Disabled => Err(Error::conflict("试卷已通过审核，请先编辑生成新版本")),
        }
    }

    /// Whether a change makes the next version.
    fn is_settled(&self) -> bool {
        self.status.is_settled()
    }

    /// # Errors
    /// 409 when it changed since it was read.
    pub(crate) async fn as_read(&self, tx: &mut Tx, version: i32) -> Result<()> {
        if self.version == version { Ok(()) } else { Err(tx.stale("paper", self.id).await) }
    }
}

/// A paper as its steps know it, without holding it.
///
/// # Errors
/// 404 when there is none.
async fn known(connection: &mut PgConnection, id: i64) -> Result<Held> {
    sqlx::query_as!(
        Held,
        r#"select id, version, code, name, course_id, kind as "kind: _", status as "status: _",
                  coalesce(family_id, id) as "family_id!", version_no, variant, overlap_max_percent, submitted_by,
                  total_score::float8 as "total_score!", compose_mode as "compose_mode: _"
           from paper where id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)
}

/// Holds a paper.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn held(tx: &mut Tx, id: i64) -> Result<Held> {
    tx.lock("paper", id).await?;
    known(tx, id).await
}

/// Whether papers of this kind are reviewed.
async fn is_reviewed(tx: &mut Tx, kind: PaperKind) -> Result<bool> {
    let set = PAPER_REVIEW.value(tx).await?;
    let usual = matches!(kind, PaperKind::Exam | PaperKind::Makeup);
    Ok(set.get(kind.as_str()).and_then(Value::as_bool).unwrap_or(usual))
}

/// The list of papers.
pub struct Papers;

pub struct PaperRows;

#[OpenApi(prefix_path = "/exam/pc/exam/info", tag = "crate::Tag::Papers")]
impl PaperRows {
    /// 试卷列表
    #[oai(path = "/list", method = "post", operation_id = "listPapers")]
    async fn list(
        &self,
        caller: Allowed<ListPapers>,
        Body(asked): Body<Sorted<PaperFilter, PaperSort>>,
    ) -> Result<Reply<SchoolPage<Paper>>> {
        across::list::<Papers, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看试卷
    #[oai(path = "/view", method = "get", operation_id = "viewPaper")]
    async fn view(
        &self,
        caller: Allowed<ViewPaper>,
        /// 编号
        id: Query<Option<i64>>,
        /// 试卷编号
        code: Query<Option<String>>,
    ) -> Result<Reply<PaperView>> {
        let mut tx = caller.read().await?;
        let id = resolve_id(&mut tx, "paper", id.0, code.0).await?;
        Ok(reply(viewed(&mut tx, id, Some(caller.user_id())).await?))
    }

    /// 新增试卷
    #[oai(path = "/save", method = "post", operation_id = "savePaper")]
    async fn save(&self, caller: Allowed<SavePaper>, Body(form): Body<PaperForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (id, change) = insert(&mut tx, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑试卷
    /// 已通过或停用的试卷生成下一版本的草稿，返回其编号
    #[oai(path = "/edit", method = "put", operation_id = "editPaper")]
    async fn edit(&self, caller: Allowed<EditPaper>, Body(edit): Body<Edit<PaperForm>>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, changes) = update(&mut tx, &edit).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除试卷
    #[oai(path = "/delete", method = "delete", operation_id = "deletePaper")]
    async fn delete(
        &self,
        caller: Allowed<DeletePaper>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除试卷
    #[oai(path = "/batchDel", method = "post", operation_id = "deletePapers")]
    async fn delete_many(&self, caller: Allowed<DeletePapers>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "paper");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }
}

/// What belongs to the paper goes with it; what a snapshot was made of stays.
async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let paper = held(tx, id).await?;
    if paper.status == PaperStatus::PendingReview {
        return Err(Error::conflict("待审核的试卷不能删除，请先退回"));
    }
    let before = Papers::find(tx, id, &Scope::whole_school()).await?;
    for_removal(tx, id).await?;
    tx.remove("paper", id, &before.name).await?;
    Ok(Change::deleted("paper", id, &before))
}

async fn for_removal(tx: &mut Tx, id: i64) -> Result<()> {
    sqlx::query!("delete from paper_question where paper_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from paper_section where paper_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from paper_extra_bank where paper_id = $1", id).execute(&mut **tx).await?;
    Ok(())
}

pub(crate) fn api() -> impl OpenApi {
    (PaperRows, compose::Composition, detail::Details, steps::Steps, copy::Copies, print::Prints, word::Exports)
}
