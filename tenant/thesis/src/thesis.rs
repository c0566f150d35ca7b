//! 学生论文: each from its topic to the defence (part 04 §8.1).

pub(crate) mod changes;
pub(crate) mod document;
mod download;
mod generate;
pub(crate) mod hold;
mod import;
mod print;
mod select;
mod sheet;
mod stat;
mod steps;
pub(crate) mod topics;
pub(crate) mod view;

use infra::{
    Allowed, Body, Entity, History, Page, Paged, Part, Reply, Result,
    across::Listed,
    permissions, reply,
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use select::{StudentThesis, Theses, ThesisFilter};

use crate::offered::ThesisDoc;

permissions! {
    pages "/schoolPC/graduate/thesis/list";
    InSchool Reads       ListTheses     = "adult:pc:thesis:list" "学生论文列表";
    InSchool Reads       ViewThesis     = "adult:pc:thesis:view" "查看学生论文";
    InSchool ReadsLogged ExportTheses   = "adult:pc:thesis:export" "导出学生论文";
    InSchool ReadsLogged DownloadTheses = "adult:pc:thesis:batchDownload" "打包下载论文";
    InSchool ReadsLogged PrintTheses    = "adult:pc:thesis:print" "打印论文材料";
    InSchool Writes      ImportTheses   = "adult:pc:thesis:import" "导入学生论文";
    InSchool Reads       FetchThesisSheet = "adult:pc:thesis:import" "导入学生论文";
    InSchool Writes      GenerateTheses = "adult:pc:thesis:generate" "生成论文名单";
    InSchool Writes      AssignTopic    = "adult:pc:thesis:assignTopic" "指定论文题目";
    InSchool Writes      AssignAdviser  = "adult:pc:thesis:assignAdviser" "指定指导教师";
    InSchool Writes      AutoAssign     = "adult:pc:thesis:autoAssign" "自动分配指导教师";
    InSchool Writes      UploadDocument = "adult:pc:thesis:upload" "上传论文文稿";
    InSchool Writes      DecideThesis   = "adult:pc:thesis:decide" "审阅论文文稿";
    InSchool Writes      ExtendThesis   = "adult:pc:thesis:extend" "论文延期";
    InSchool Writes      CancelThesis   = "adult:pc:thesis:cancel" "取消论文";
    InSchool Writes      ChangeTitle    = "adult:pc:thesis:changeTitle" "变更论文题目";
    InSchool Writes      CheckSimilar   = "adult:pc:thesis:similarity" "录入论文查重";
    InSchool Writes      RemindTheses   = "adult:pc:thesis:remind" "催办论文";
    InSchool Writes      AssignReviewer = "adult:pc:thesis:assignReviewer" "分配评阅教师";
    InSchool Writes      ReviewThesis   = "adult:pc:thesis:review" "录入论文评阅";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[ThesisDoc::ENUMERATION],
    entities: &[
        Entity { table: "thesis", name: "学生论文", counted: "篇论文" },
        Entity { table: "thesis_document", name: "论文文稿", counted: "份文稿" },
        Entity { table: "thesis_extension", name: "论文延期", counted: "次延期" },
        Entity { table: "thesis_review", name: "论文评阅", counted: "份评阅" },
        Entity { table: "defense_group", name: "答辩组", counted: "个答辩组" },
        Entity { table: "defense_member", name: "答辩组成员", counted: "名答辩组成员" },
        Entity { table: "defense_slot", name: "答辩安排", counted: "个答辩安排" },
        Entity { table: "defense_score", name: "答辩评分", counted: "个答辩评分" },
    ],
    jobs: &[
        export_job::<Theses>(),
        import_job::<import::ChoiceSheet>(),
        import_job::<import::SimilaritySheet>(),
        download::JOB,
    ],
    histories: &[History {
        table: "thesis",
        code: "adult:pc:thesis:view",
        scope: Some((
            "(select y.site_id from student y where y.id = thesis.student_id)",
            Some("(select y.class_id from student y where y.id = thesis.student_id)"),
        )),
    }],
    written_once: &["thesis_extension"],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct ThesisList;

#[OpenApi(prefix_path = "/adult/pc/thesis", tag = "crate::Tag::Thesis")]
impl ThesisList {
    /// 学生论文列表
    #[oai(path = "/list", method = "post", operation_id = "listTheses")]
    async fn list(
        &self,
        caller: Allowed<ListTheses>,
        Body(asked): Body<Paged<ThesisFilter>>,
    ) -> Result<Reply<Page<StudentThesis>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Theses as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看学生论文
    /// 含各版文稿、意见、延期、评阅
    #[oai(path = "/view", method = "get", operation_id = "viewThesis")]
    async fn view(
        &self,
        caller: Allowed<ViewThesis>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<view::ThesisView>> {
        let mut tx = caller.read().await?;
        Ok(reply(view::viewed(caller.app(), &mut tx, id.0, &caller.scope()).await?))
    }

    /// 导出学生论文
    #[oai(path = "/export", method = "post", operation_id = "exportTheses")]
    async fn export(
        &self,
        caller: Allowed<ExportTheses>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ThesisFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Theses>(&caller, asked.filter, job.0).await
    }
}

/// The operations on theses.
pub(crate) fn api() -> impl OpenApi {
    (
        (ThesisList, import::ImportThesis, print::Prints),
        generate::Generating,
        steps::Steps,
        changes::Changing,
        stat::Counting,
        download::Downloads,
    )
}
