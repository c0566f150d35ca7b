//! 成绩明细: the parts of scores, computed, imported or entered, and their being computed again (part 04 §5.5).

mod edit;
mod exam;
mod export;
mod import;
pub(crate) mod recompute;
mod select;

use infra::{
    Allowed, Body, Entity, Paged, Part, Reply, Result,
    across::{self, SchoolPage},
    permissions,
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use select::{ScoreComponent, ScoreComponentFilter, ScoreComponents};

/// Whoever lets scores be computed again holds it.
pub(crate) const RECOMPUTE: &str = "adult:pc:score:component:recompute";

permissions! {
    pages
        "/schoolPC/achievement/scoreSet/schoolRecord",
        "/schoolPC/achievement/scoreSet/OnlineOperation",
        "/schoolPC/achievement/scoreSet/finalExam",
        "/schoolPC/achievement/scoreSet/otherScore/attendanceScores",
        "/schoolPC/achievement/scoreSet/otherScore/questionsScore",
        "/schoolPC/achievement/scoreSet/otherScore/thesisScore",
        "/schoolPC/achievement/scoreSet/otherScore/reviewScore",
        "/schoolPC/achievement/scoreSet/otherScore/defenseScore",
        "/schoolPC/achievement/scoreSet/totalScore",
        "/schoolPC/achievement/scoreSet/graduationTotal",
        "/platformPC/achievement/scoreSet/schoolRecord",
        "/platformPC/achievement/scoreSet/OnlineOperation",
        "/platformPC/achievement/scoreSet/finalExam",
        "/platformPC/achievement/scoreSet/otherScore/attendanceScores",
        "/platformPC/achievement/scoreSet/otherScore/questionsScore",
        "/platformPC/achievement/scoreSet/totalScore";
    EachSchool Reads       ListComponents      = "adult:pc:score:component:list" "成绩明细列表";
    EachSchool ReadsLogged ExportComponents    = "adult:pc:score:component:export" "导出成绩明细";
    InSchool   Writes      EditComponent       = "adult:pc:score:component:edit" "录入平时成绩";
    InSchool   Writes      DeleteComponent     = "adult:pc:score:component:delete" "恢复计算成绩";
    InSchool   Writes      ImportComponents    = "adult:pc:score:component:import" "导入成绩明细";
    InSchool   Reads       FetchComponentSheet = "adult:pc:score:component:import" "导入成绩明细";
    InSchool   Writes      RecomputeComponents = "adult:pc:score:component:recompute" "重新计算成绩";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "course_score_component", name: "成绩明细", counted: "条成绩明细" }],
    jobs: &[
        export_job::<ScoreComponents>(),
        export_job::<exam::ExamScores>(),
        import_job::<import::ComponentSheet>(),
        recompute::JOB,
    ],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct ComponentList;

#[OpenApi(prefix_path = "/adult/pc/score/component", tag = "crate::Tag::Scores")]
impl ComponentList {
    /// 成绩明细列表
    #[oai(path = "/list", method = "post", operation_id = "listScoreComponents")]
    async fn list(
        &self,
        caller: Allowed<ListComponents>,
        Body(asked): Body<Paged<ScoreComponentFilter>>,
    ) -> Result<Reply<SchoolPage<ScoreComponent>>> {
        across::list::<ScoreComponents, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 导出成绩明细
    #[oai(path = "/export", method = "post", operation_id = "exportScoreComponents")]
    async fn export(
        &self,
        caller: Allowed<ExportComponents>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ScoreComponentFilter>>,
    ) -> Result<Exported> {
        transfer::export::<ScoreComponents>(&caller, asked.filter, job.0).await
    }
}

/// The operations on parts of scores.
pub(crate) fn api() -> impl OpenApi {
    (ComponentList, exam::ExamScoreList, edit::Edits, import::ImportComponent, recompute::Recomputing)
}
