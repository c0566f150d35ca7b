//! 毕业成绩: the parts of a thesis' score, their total, and the way to the score of its course (part 04 §8.2).

pub(crate) mod compute;
pub(crate) mod enter;
pub(crate) mod hold;
mod import;
mod print;
pub(crate) mod rules;
mod select;
mod sheet;
pub(crate) mod steps;
mod view;

use infra::{
    Allowed, Body, Entity, History, Page, Paged, Part, Reply, Result,
    across::Listed,
    permissions, reply,
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use select::{
    GraduationItem, GraduationPart, GraduationScore, GraduationScoreFilter, GraduationScoreView, GraduationScores,
};

permissions! {
    pages
        "/schoolPC/graduate/graduationGrade/thesisGrade",
        "/schoolPC/graduate/graduationGrade/reviewResults",
        "/schoolPC/graduate/graduationGrade/defenseScore",
        "/schoolPC/graduate/graduationGrade/totalScore";
    InSchool Reads       ListGrades       = "adult:pc:graduation:score:list" "毕业成绩列表";
    InSchool Reads       ViewGrade        = "adult:pc:graduation:score:view" "查看毕业成绩";
    InSchool ReadsLogged ExportGrades     = "adult:pc:graduation:score:export" "导出毕业成绩";
    InSchool ReadsLogged PrintGrades      = "adult:pc:graduation:score:print" "打印成绩评定表";
    InSchool Writes      ComputeGrades    = "adult:pc:graduation:score:compute" "计算毕业总成绩";
    InSchool Writes      EnterThesisGrade = "adult:pc:graduation:score:editThesis" "录入论文成绩";
    InSchool Writes      EnterReviewGrade = "adult:pc:graduation:score:editReview" "录入评阅成绩";
    InSchool Writes      EnterDefenseGrade = "adult:pc:graduation:score:editDefense" "录入答辩成绩";
    InSchool Writes      SubmitGrades     = "adult:pc:graduation:score:submit" "提交毕业成绩";
    InSchool Writes      ReviewGrades     = "adult:pc:graduation:score:review" "审核毕业成绩";
    InSchool Writes      RejectGrades     = "adult:pc:graduation:score:reject" "退回毕业成绩";
    InSchool Writes      PublishGrades    = "adult:pc:graduation:score:publish" "发布毕业成绩";
    InSchool Writes      LockGrades       = "adult:pc:graduation:score:lock" "锁定毕业成绩";
    InSchool Writes      ImportGrades     = "adult:pc:graduation:score:import" "导入毕业成绩";
    InSchool Reads       FetchGradeSheet  = "adult:pc:graduation:score:import" "导入毕业成绩";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[GraduationPart::ENUMERATION],
    entities: &[Entity { table: "graduation_score", name: "毕业成绩", counted: "条毕业成绩" }],
    jobs: &[
        export_job::<GraduationScores>(),
        import_job::<import::GradeSheet<import::OfThesis>>(),
        import_job::<import::GradeSheet<import::OfReview>>(),
        import_job::<import::GradeSheet<import::OfDefense>>(),
    ],
    histories: &[History {
        table: "graduation_score",
        code: "adult:pc:graduation:score:view",
        scope: Some((
            "(select y.site_id from student y where y.id = graduation_score.student_id)",
            Some("(select y.class_id from student y where y.id = graduation_score.student_id)"),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct GradeList;

#[OpenApi(prefix_path = "/adult/pc/graduation/score", tag = "crate::Tag::GraduationGrades")]
impl GradeList {
    /// 毕业成绩列表
    /// 毕业论文课程的每条选课一行，未录入的也列出
    #[oai(path = "/list", method = "post", operation_id = "listGraduationScores")]
    async fn list(
        &self,
        caller: Allowed<ListGrades>,
        Body(asked): Body<Paged<GraduationScoreFilter>>,
    ) -> Result<Reply<Page<GraduationScore>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <GraduationScores as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看毕业成绩
    /// 含各项评分项和总评公式
    #[oai(path = "/view", method = "get", operation_id = "viewGraduationScore")]
    async fn view(
        &self,
        caller: Allowed<ViewGrade>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<GraduationScoreView>> {
        let mut tx = caller.read().await?;
        Ok(reply(view::viewed(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 导出毕业成绩
    #[oai(path = "/export", method = "post", operation_id = "exportGraduationScores")]
    async fn export(
        &self,
        caller: Allowed<ExportGrades>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<GraduationScoreFilter>>,
    ) -> Result<Exported> {
        transfer::export::<GraduationScores>(&caller, asked.filter, job.0).await
    }
}

/// The operations on scores of theses.
pub(crate) fn api() -> impl OpenApi {
    (GradeList, enter::Entering, compute::Computing, steps::Steps, import::ImportGrade, print::Prints)
}
