//! 成绩查询: what students have, course by course and all together; figures, warnings, transcripts (part 04 §7).

mod explain;
mod export;
mod import;
mod matrix;
mod print;
mod scores;
mod site_export;
mod standing;
mod stat;
mod view;

use infra::{
    Allowed, Body, Entity, Error, History, Paged, Part, Reply, Result, Scope,
    across::{self, KeyQuery, Keyed, SchoolPage},
    permissions, reply,
    setting::Settings,
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};
use scores_rules::settings;

pub use scores::{Achievement, AchievementFilter, CourseScores};

use matrix::ScoreMatrix;
use scores::{AchievementDimension, AchievementLayout};
use standing::Standings;

/// Whoever sees scores before they are published holds it.
pub(crate) const VIEW_DRAFT: &str = "adult:pc:adult:achievement:viewDraft";

permissions! {
    pages
        "/schoolPC/achievement/scoreManage/performanceManagement",
        "/platformPC/achievement/scoreManage/performanceManagement";
    EachSchool Reads       ListAchievements   = "adult:pc:adult:achievement:list" "成绩列表";
    EachSchool Reads       ViewAchievement    = "adult:pc:adult:achievement:view" "查看成绩";
    EachSchool ReadsLogged ExportAchievements = "adult:pc:adult:achievement:export" "导出成绩";
    EachSchool ReadsLogged ExportSites        = "adult:pc:adult:achievement:site:export" "按站点导出成绩";
    InSchool   Writes      PrintTranscripts   = "adult:pc:adult:achievement:print" "打印成绩单";
    InSchool   Writes      ImportHistory      = "adult:pc:adult:achievement:import" "导入历史成绩";
    InSchool   Reads       FetchHistorySheet  = "adult:pc:adult:achievement:import" "导入历史成绩";
    InSchool   Reads       ViewDrafts         = "adult:pc:adult:achievement:viewDraft" "查看未发布成绩";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        AchievementDimension::ENUMERATION,
        AchievementLayout::ENUMERATION,
        stat::StatDimension::ENUMERATION,
    ],
    entities: &[
        Entity { table: "course_score", name: "课程成绩", counted: "条课程成绩" },
        Entity { table: "transcript_issue", name: "成绩单", counted: "份成绩单" },
    ],
    jobs: &[
        export_job::<CourseScores>(),
        export_job::<Standings>(),
        export_job::<ScoreMatrix>(),
        import_job::<import::HistorySheet>(),
        site_export::JOB,
    ],
    histories: &[History {
        table: "course_score",
        code: "adult:pc:adult:achievement:view",
        scope: Some((
            "(select y.site_id from student y where y.id = course_score.student_id)",
            Some("(select y.class_id from student y where y.id = course_score.student_id)"),
        )),
    }],
    written_once: &["transcript_issue"],
    settings: &[Settings {
        group: "examination",
        settings: &[settings::CONVERSION_YEARS, settings::WARN_FAILED_CREDITS, settings::WARN_GPA],
    }],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct AchievementList;

#[OpenApi(prefix_path = "/adult/pc/adult/achievement", tag = "crate::Tag::Scores")]
impl AchievementList {
    /// 成绩列表
    /// 按学生或按课程成绩；未发布的成绩须有权限
    #[oai(path = "/list", method = "post", operation_id = "listAchievements")]
    async fn list(
        &self,
        caller: Allowed<ListAchievements>,
        Body(asked): Body<Paged<AchievementFilter>>,
    ) -> Result<Reply<SchoolPage<Achievement>>> {
        let paging = asked.paging()?;
        let filter = allowed(asked.filter, caller.rights().get(VIEW_DRAFT))?;
        match filter.dimension.unwrap_or(AchievementDimension::Score) {
            AchievementDimension::Student => across::list::<Standings, _>(&caller, paging, filter).await,
            AchievementDimension::Score => across::list::<CourseScores, _>(&caller, paging, filter).await,
        }
    }

    /// 导出成绩
    /// 按列表的条件和维度；课程成绩也可以按班级导出矩阵
    #[oai(path = "/export", method = "post", operation_id = "exportAchievements")]
    async fn export(
        &self,
        caller: Allowed<ExportAchievements>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<AchievementFilter>>,
    ) -> Result<Exported> {
        let filter = allowed(asked.filter, caller.rights().get(VIEW_DRAFT))?;
        let of_students = filter.dimension == Some(AchievementDimension::Student);
        let as_matrix = filter.layout == Some(AchievementLayout::Matrix);
        if as_matrix && of_students {
            return Err(Error::field("layout", "只有课程成绩可以导出矩阵"));
        }
        if as_matrix && caller.school_id().is_none() {
            return Err(Error::field("schoolId", "导出矩阵须先选择院校"));
        }
        if job.0 != Some(true) && caller.school_id().is_some() {
            let one = KeyQuery { limit: Some(1), ..KeyQuery::default() };
            let (mut tx, scope) = (caller.read().await?, caller.scope());
            let found = if of_students {
                Standings::matching(&mut tx, &filter, &scope, one).await?
            } else {
                CourseScores::matching(&mut tx, &filter, &scope, one).await?
            };
            if found.is_empty() {
                return Err(Error::new(999, "没有可导出的数据"));
            }
        }
        match (of_students, as_matrix) {
            (true, _) => transfer::export::<Standings>(&caller, filter, job.0).await,
            (false, true) => transfer::export::<ScoreMatrix>(&caller, filter, job.0).await,
            (false, false) => transfer::export::<CourseScores>(&caller, filter, job.0).await,
        }
    }

    /// 查看成绩
    /// 一名学生的全部成绩
    #[oai(path = "/view", method = "get", operation_id = "viewAchievement")]
    async fn view(
        &self,
        caller: Allowed<ViewAchievement>,
        /// 学生
        #[oai(name = "studentId")]
        student_id: Query<i64>,
    ) -> Result<Reply<view::AchievementView>> {
        let mut tx = caller.read().await?;
        let drafts = caller.rights().get(VIEW_DRAFT);
        Ok(reply(view::viewed(&mut tx, student_id.0, drafts, &caller.scope()).await?))
    }
}

/// Who may not see what is not published is shown what is out; who may, of the students of that code.
///
/// # Errors
/// 403 for a status beyond that.
fn allowed(mut filter: AchievementFilter, drafts: Option<&Scope>) -> Result<AchievementFilter> {
    filter.drafts |= filter.status.is_some_and(|status| !status.is_out());
    match drafts {
        Some(scope) => filter.drafts_of = scope.clone(),
        None if filter.drafts => return Err(no_drafts()),
        None => {}
    }
    Ok(filter)
}

/// Told to whoever asks for what is not published without the code for it.
pub(crate) fn no_drafts() -> Error {
    Error::new(403, "没有“查看未发布成绩”权限")
}

/// The operations on what students have.
pub(crate) fn api() -> impl OpenApi {
    (
        AchievementList,
        explain::Explaining,
        stat::Statistics,
        print::Prints,
        import::ImportPast,
        site_export::SiteExports,
    )
}
