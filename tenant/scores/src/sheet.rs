//! 成绩登记表: in which scores become official. One person fills a sheet, others review it, then it is published and locked
//! (part 04 §6).

pub(crate) mod enter;
mod export;
mod generate;
pub(crate) mod hold;
pub(crate) mod import;
pub(crate) mod make;
mod people;
mod print;
mod progress;
pub(crate) mod rows;
mod scans;
pub(crate) mod select;
pub(crate) mod steps;
pub(crate) mod write;

use infra::{
    Allowed, Body, Change, Entity, Error, History, Paged, Part, Reply, Result, Saved, Tx,
    across::{self, SchoolPage},
    permissions, reply,
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};
use scores_rules::enums::SheetStatus;

pub use select::{ScoreSheetFilter, ScoreSheetLine, ScoreSheetView, ScoreSheets};

use hold::{Reach, hold};

permissions! {
    pages
        "/schoolPC/achievement/gradeProcessing/scoreEntryProcessing",
        "/schoolPC/achievement/gradeProcessing/scoreResultsEntered",
        "/schoolPC/achievement/gradeProcessing/gradeReviewProcess",
        "/schoolPC/achievement/gradeProcessing/supplementaryGradeAudit",
        "/platformPC/achievement/gradeProcessing/scoreEntryProcessing",
        "/platformPC/achievement/gradeProcessing/gradeReviewProcess";
    EachSchool Reads       ListSheets       = "adult:pc:score:sheet:list" "成绩登记表列表";
    EachSchool Reads       ViewSheet        = "adult:pc:score:sheet:view" "查看成绩登记表";
    EachSchool ReadsLogged ExportSheets     = "adult:pc:score:sheet:export" "导出成绩登记表";
    InSchool   Writes      DeleteSheet      = "adult:pc:score:sheet:delete" "删除成绩登记表";
    InSchool   Writes      GenerateSheets   = "adult:pc:score:sheet:generate" "生成成绩登记表";
    InSchool   Writes      AssignSheets     = "adult:pc:score:sheet:assign" "分配成绩录入人";
    InSchool   Writes      ExtendSheets     = "adult:pc:score:sheet:extendEntry" "延长成绩录入";
    InSchool   Writes      RemindSheets     = "adult:pc:score:sheet:remind" "催办成绩录入";
    InSchool   Writes      EnterScores      = "adult:pc:score:sheet:enter" "录入成绩";
    InSchool   Writes      ScanSheets       = "adult:pc:score:sheet:enter" "录入成绩";
    InSchool   Writes      ImportSheets     = "adult:pc:score:sheet:import" "导入成绩登记表";
    InSchool   Reads       FetchSheetSheet  = "adult:pc:score:sheet:import" "导入成绩登记表";
    InSchool   Writes      SubmitSheets     = "adult:pc:score:sheet:submit" "提交成绩登记表";
    InSchool   Writes      ReviewSheets     = "adult:pc:score:sheet:review" "成绩初审";
    InSchool   Writes      AuditSheets      = "adult:pc:score:sheet:audit" "成绩终审";
    InSchool   Writes      RejectSheets     = "adult:pc:score:sheet:reject" "退回成绩登记表";
    InSchool   Writes      PublishSheets    = "adult:pc:score:sheet:publish" "发布成绩";
    InSchool   Writes      UnpublishSheets  = "adult:pc:score:sheet:unpublish" "撤回发布成绩";
    InSchool   Writes      LockSheets       = "adult:pc:score:sheet:lock" "锁定成绩";
    InSchool   ReadsLogged PrintSheets      = "adult:pc:score:sheet:print" "打印成绩登记表";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[progress::ScoreProgressGroup::ENUMERATION],
    entities: &[
        Entity { table: "score_sheet", name: "成绩登记表", counted: "张成绩登记表" },
        Entity { table: "score_sheet_row", name: "成绩登记表明细", counted: "条成绩" },
        Entity { table: "score_sheet_file", name: "登记表扫描件", counted: "个扫描件" },
        Entity { table: "exam_score", name: "考试成绩", counted: "条考试成绩" },
    ],
    jobs: &[export_job::<ScoreSheets>(), import_job::<import::SheetRows>()],
    histories: &[History {
        table: "score_sheet",
        code: "adult:pc:score:sheet:view",
        // It lies where its class is.
        scope: Some(("(select k.site_id from class k where k.id = score_sheet.class_id)", Some("class_id"))),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct SheetList;

#[OpenApi(prefix_path = "/adult/pc/score/sheet", tag = "crate::Tag::Scores")]
impl SheetList {
    /// 成绩登记表列表
    #[oai(path = "/list", method = "post", operation_id = "listScoreSheets")]
    async fn list(
        &self,
        caller: Allowed<ListSheets>,
        Body(asked): Body<Paged<ScoreSheetFilter>>,
    ) -> Result<Reply<SchoolPage<ScoreSheetLine>>> {
        across::list::<ScoreSheets, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看成绩登记表
    /// 含签字扫描件
    #[oai(path = "/view", method = "get", operation_id = "viewScoreSheet")]
    async fn view(
        &self,
        caller: Allowed<ViewSheet>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ScoreSheetView>> {
        let mut tx = caller.read().await?;
        Ok(reply(select::viewed(caller.app(), &mut tx, id.0, &caller.scope()).await?))
    }

    /// 删除成绩登记表
    /// 只有待录入且没有成绩的可以删除
    #[oai(path = "/delete", method = "delete", operation_id = "deleteScoreSheet")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSheet>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &Reach::Scope(caller.scope())).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 导出成绩登记表
    #[oai(path = "/export", method = "post", operation_id = "exportScoreSheets")]
    async fn export(
        &self,
        caller: Allowed<ExportSheets>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ScoreSheetFilter>>,
    ) -> Result<Exported> {
        transfer::export::<ScoreSheets>(&caller, asked.filter, job.0).await
    }
}

/// The operations on sheets.
pub(crate) fn api() -> impl OpenApi {
    (
        SheetList,
        rows::SheetRowList,
        enter::Entering,
        steps::Steps,
        generate::Generating,
        people::People,
        import::ImportSheetRows,
        print::Prints,
        scans::Scans,
        progress::ProgressFigures,
    )
}

/// # Errors
/// 404 beyond the reach; 409 for what has values.
async fn remove(tx: &mut Tx, id: i64, reach: &Reach) -> Result<Change> {
    let held = hold(tx, &[id]).await?;
    let sheet = held.get(&id).filter(|sheet| reach.sees(sheet)).ok_or_else(Error::not_found)?;
    if sheet.status != SheetStatus::Pending || sheet.entered_count > 0 {
        let told = format!("登记表“{}”{}，只有待录入且没有成绩的可以删除", sheet.sheet_no, sheet.status.zh());
        return Err(Error::conflict(told));
    }
    let what = serde_json::json!({ "sheetNo": sheet.sheet_no });
    sqlx::query!("delete from score_sheet_row where sheet_id = $1", id).execute(&mut **tx).await?;
    let no = sheet.sheet_no.clone();
    tx.remove("score_sheet", id, &no).await?;
    // Its scans are nobody's then.
    let scans = infra::files::of_records(tx, "score_sheet", &[id]).await?;
    infra::files::let_go(tx, &scans).await?;
    Ok(Change::event("score_sheet", id, "delete", what))
}
