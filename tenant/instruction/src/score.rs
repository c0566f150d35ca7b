//! 面授成绩: of everybody on the roster of a course that is taught face to face (part 03 B8).

mod edit;
pub(crate) mod held;
mod import;
mod print;
mod select;
mod sheet;
mod steps;

use infra::{
    Allowed, Body, Entity, History, Page, Paged, Part, Reply, Result,
    across::Listed,
    permissions, reply,
    setting::Settings,
    transfer::{self, ByRow, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use edit::{InstructionScoreEdit, ScoreItem};
pub use select::{InstructionScore, InstructionScoreFilter};

use crate::rule::INSTRUCTION_WEIGHTS;

permissions! {
    pages "/schoolPC/educational/offlineInstruction/instructionScoreList";
    InSchool Reads       ListScores       = "adult:pc:offlineInstruction:list" "面授成绩列表";
    InSchool Writes      EditScores       = "adult:pc:offlineInstruction:edit" "编辑面授成绩";
    InSchool Writes      SubmitScores     = "adult:pc:offlineInstruction:submit" "提交面授成绩";
    InSchool Writes      ConfirmScores    = "adult:pc:offlineInstruction:confirm" "确认面授成绩";
    InSchool Writes      ReturnScores     = "adult:pc:offlineInstruction:return" "退回面授成绩";
    InSchool Writes      RevokeScores     = "adult:pc:offlineInstruction:revoke" "撤销确认面授成绩";
    InSchool ReadsLogged ExportScores     = "adult:pc:offlineInstruction:export" "导出面授成绩";
    InSchool ReadsLogged PrintScores      = "adult:pc:offlineInstruction:export" "导出面授成绩";
    InSchool Writes      ImportScores     = "adult:pc:offlineInstruction:import" "导入面授成绩";
    InSchool Reads       FetchScoreSheet  = "adult:pc:offlineInstruction:import" "导入面授成绩";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "instruction_score", name: "面授成绩", counted: "条面授成绩" }],
    jobs: &[export_job::<Scores>(), import_job::<ByRow<import::ScoreSheet>>()],
    histories: &[History {
        table: "instruction_score",
        code: "adult:pc:offlineInstruction:list",
        // It lies where its student is.
        scope: Some((
            "(select s.site_id from course_selection c join student s on s.id = c.student_id
              where c.id = instruction_score.selection_id)",
            Some(
                "(select s.class_id from course_selection c join student s on s.id = c.student_id
                  where c.id = instruction_score.selection_id)",
            ),
        )),
    }],
    settings: &[Settings { group: "teaching", settings: &[INSTRUCTION_WEIGHTS] }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of scores.
pub struct Scores;

pub struct ScoreRows;

#[OpenApi(prefix_path = "/adult/pc/offlineInstruction", tag = "crate::Tag::Instruction")]
impl ScoreRows {
    /// 面授成绩列表
    /// 面授和混合教学的课程名单上的全部学生
    #[oai(path = "/list", method = "post", operation_id = "listInstructionScores")]
    async fn list(
        &self,
        caller: Allowed<ListScores>,
        Body(asked): Body<Paged<InstructionScoreFilter>>,
    ) -> Result<Reply<Page<InstructionScore>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Scores as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 导出面授成绩
    #[oai(path = "/export", method = "post", operation_id = "exportInstructionScores")]
    async fn export(
        &self,
        caller: Allowed<ExportScores>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<InstructionScoreFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Scores>(&caller, asked.filter, job.0).await
    }
}

/// The operations on scores.
pub(crate) fn api() -> impl OpenApi {
    (ScoreRows, edit::Edits, steps::Steps, import::ImportScore, print::Prints)
}
