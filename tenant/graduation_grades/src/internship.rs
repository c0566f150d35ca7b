//! 实习: what students did where, its two scores, and the one that their course ends with (part 04 §8.2).

pub(crate) mod hold;
mod import;
pub(crate) mod select;
mod sheet;
pub(crate) mod steps;
pub(crate) mod write;

use infra::{
    Allowed, Body, Entity, History, Page, Paged, Part, Reply, Result,
    across::{Keyed, Listed},
    permissions, reply,
    setting::Settings,
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};
use thesis_rules::settings::INTERNSHIP_WEIGHTS;

pub use select::{Internship, InternshipFilter, InternshipView, Internships};

permissions! {
    pages "/schoolPC/graduate/graduationGrade/internshipPerformance";
    InSchool Reads       ListInternships      = "adult:pc:practice:list" "实习列表";
    InSchool Reads       ViewInternship       = "adult:pc:practice:view" "查看实习";
    InSchool ReadsLogged ExportInternships    = "adult:pc:practice:export" "导出实习";
    InSchool Writes      EditInternship       = "adult:pc:practice:edit" "录入实习成绩";
    InSchool Writes      SubmitInternships    = "adult:pc:practice:submit" "提交实习成绩";
    InSchool Writes      AuditInternships     = "adult:pc:practice:audit" "审核实习";
    InSchool Writes      RejectInternships    = "adult:pc:practice:reject" "退回实习成绩";
    InSchool Writes      WaiveInternship      = "adult:pc:practice:waive" "免实习";
    InSchool Writes      ImportInternships    = "adult:pc:practice:import" "导入实习";
    InSchool Reads       FetchInternshipSheet = "adult:pc:practice:import" "导入实习";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "internship", name: "实习", counted: "条实习" }],
    jobs: &[export_job::<Internships>(), import_job::<import::InternshipSheet>()],
    histories: &[History {
        table: "internship",
        code: "adult:pc:practice:view",
        scope: Some((
            "(select y.site_id from student y where y.id = internship.student_id)",
            Some("(select y.class_id from student y where y.id = internship.student_id)"),
        )),
    }],
    settings: &[Settings { group: "examination", settings: &[INTERNSHIP_WEIGHTS] }],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct InternshipList;

#[OpenApi(prefix_path = "/adult/pc/practice", tag = "crate::Tag::GraduationGrades")]
impl InternshipList {
    /// 实习列表
    /// 实习课程的每条选课一行，未填写的也列出
    #[oai(path = "/list", method = "post", operation_id = "listInternships")]
    async fn list(
        &self,
        caller: Allowed<ListInternships>,
        Body(asked): Body<Paged<InternshipFilter>>,
    ) -> Result<Reply<Page<Internship>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Internships as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list.into_iter().map(Internship::masked).collect())))
    }

    /// 查看实习
    #[oai(path = "/view", method = "get", operation_id = "viewInternship")]
    async fn view(
        &self,
        caller: Allowed<ViewInternship>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<InternshipView>> {
        let mut tx = caller.read().await?;
        let found = Internships::find(&mut tx, id.0, &caller.scope()).await?.masked();
        Ok(reply(select::with_papers(caller.app(), &mut tx, found).await?))
    }

    /// 导出实习
    #[oai(path = "/export", method = "post", operation_id = "exportInternships")]
    async fn export(
        &self,
        caller: Allowed<ExportInternships>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<InternshipFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Internships>(&caller, asked.filter, job.0).await
    }
}

/// The operations on internships.
pub(crate) fn api() -> impl OpenApi {
    (InternshipList, steps::Steps, import::ImportInternship)
}
