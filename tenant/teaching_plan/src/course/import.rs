//! 导入计划课程: the same sheet as that of many plans, without grade and major, into one draft (part 03 B1).

use infra::{
    Allowed, Reply, Result,
    transfer::{self, Attachment, ImportAnswer, ImportForm},
};
use poem_openapi::{Multipart, OpenApi, types::multipart::Upload};

use super::{FetchPlanCourseSheet, ImportPlanCourses};
use crate::plan::{OnePlan, PlanSheet, mode_of};

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct PlanCourseImportForm {
    /// 教学计划
    pub plan_id: i64,
    /// 文件
    pub file: Upload,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    pub sha256: Option<String>,
    /// 导入方式
    /// append追加，replace覆盖计划的课程
    pub mode: Option<String>,
}

pub struct Imports;

#[OpenApi(prefix_path = "/adult/pc/planCourse", tag = "crate::Tag::TeachingPlan")]
impl Imports {
    /// 计划课程导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchPlanCourseImportTemplate")]
    async fn template(&self, caller: Allowed<FetchPlanCourseSheet>) -> Result<Attachment> {
        transfer::template::<PlanSheet<OnePlan>, _>(&caller).await
    }

    /// 导入计划课程
    #[oai(path = "/import", method = "post", operation_id = "importPlanCourses")]
    async fn import(
        &self,
        caller: Allowed<ImportPlanCourses>,
        form: PlanCourseImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        let PlanCourseImportForm { plan_id, file, dry_run, sha256, mode } = form;
        let more = mode_of(mode.as_deref())?;
        let form = ImportForm { file, dry_run, sha256 };
        transfer::import_with::<PlanSheet<OnePlan>>(&caller, form, Some(plan_id), more).await
    }
}
