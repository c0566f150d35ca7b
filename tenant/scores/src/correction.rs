//! 成绩更正: the only way to change what is published. One applies with evidence, another decides; what was frozen counts it anew
//! (part 04 §6.4).

pub(crate) mod audit;
pub(crate) mod made;
mod save;
mod select;

use infra::{Allowed, Body, Entity, History, Page, Paged, Part, Reply, Result, across::Listed, permissions, reply};
use poem_openapi::{OpenApi, param::Query};

pub(crate) use save::opened;
pub use select::{ScoreCorrection, ScoreCorrectionFilter, ScoreCorrectionView};

use select::ScoreCorrections;

/// Whoever corrects scores of students who graduated holds it.
pub(crate) const GRADUATED: &str = "adult:pc:score:correction:graduated";

permissions! {
    pages
        "/schoolPC/achievement/gradeProcessing/gradeReviewProcess",
        "/schoolPC/achievement/scoreManage/performanceManagement";
    InSchool Reads  ListCorrections   = "adult:pc:score:correction:list" "成绩更正列表";
    InSchool Reads  ViewCorrection    = "adult:pc:score:correction:view" "查看成绩更正";
    InSchool Writes SaveCorrection    = "adult:pc:score:correction:save" "新增成绩更正";
    InSchool Writes AuditCorrection   = "adult:pc:score:correction:audit" "审核成绩更正";
    InSchool Writes CorrectsGraduated = "adult:pc:score:correction:graduated" "更正已毕业学生成绩";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "score_correction", name: "成绩更正", counted: "条成绩更正" },
        Entity { table: "score_correction_file", name: "成绩更正附件", counted: "个成绩更正附件" },
    ],
    histories: &[History {
        table: "score_correction",
        code: "adult:pc:score:correction:view",
        scope: Some((
            "(select y.site_id from course_score s join student y on y.id = s.student_id
              where s.id = score_correction.course_score_id)",
            Some(
                "(select y.class_id from course_score s join student y on y.id = s.student_id
                  where s.id = score_correction.course_score_id)",
            ),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct CorrectionList;

#[OpenApi(prefix_path = "/adult/pc/score/correction", tag = "crate::Tag::Scores")]
impl CorrectionList {
    /// 成绩更正列表
    #[oai(path = "/list", method = "post", operation_id = "listScoreCorrections")]
    async fn list(
        &self,
        caller: Allowed<ListCorrections>,
        Body(asked): Body<Paged<ScoreCorrectionFilter>>,
    ) -> Result<Reply<Page<ScoreCorrection>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <ScoreCorrections as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看成绩更正
    /// 含证明附件
    #[oai(path = "/view", method = "get", operation_id = "viewScoreCorrection")]
    async fn view(
        &self,
        caller: Allowed<ViewCorrection>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ScoreCorrectionView>> {
        let mut tx = caller.read().await?;
        Ok(reply(select::viewed(caller.app(), &mut tx, id.0, &caller.scope()).await?))
    }
}

/// The operations on corrections.
pub(crate) fn api() -> impl OpenApi {
    (CorrectionList, save::Saving, audit::Auditing)
}
