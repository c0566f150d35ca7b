//! 毕业档案: the papers of each graduate, sealed and handed over (part 04 §11).
//!
//! ```text
//! collecting ⇄ complete ─seal→ sealed ─handover→ handed_over      sealed ─unseal→ complete
//! ```

pub(crate) mod demo;
mod download;
mod generate;
mod import;
mod item;
mod merged;
mod print;
mod scans;
mod select;
mod stat;
mod steps;

use infra::{
    Allowed, Body, History, Page, Paged, Part, Reply, Result,
    across::{Keyed, Listed},
    permissions, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use download::Downloads;
pub use generate::Generation;
pub use print::Prints;
pub use select::{Archive, ArchiveFilter, ArchiveItem, ArchiveView};
pub use stat::Counting;
pub use steps::Steps;

permissions! {
    pages "/schoolPC/graduate/graduatingStudents/archives";
    InSchool Reads       ListArchives        = "adult:pc:archive:list" "毕业档案列表";
    InSchool Reads       ViewArchive         = "adult:pc:archive:view" "查看毕业档案";
    InSchool Writes      GenerateArchives    = "adult:pc:archive:generate" "生成档案材料";
    InSchool Writes      UploadArchiveItem   = "adult:pc:archive:upload" "上传档案材料";
    InSchool Writes      WaiveArchiveItem    = "adult:pc:archive:waive" "免交档案材料";
    InSchool Writes      SealArchives        = "adult:pc:archive:seal" "归档";
    InSchool Writes      UnsealArchive       = "adult:pc:archive:unseal" "取消归档";
    InSchool Writes      HandOverArchives    = "adult:pc:archive:handover" "移交档案";
    InSchool ReadsLogged DownloadArchive     = "adult:pc:archive:download" "下载档案";
    InSchool ReadsLogged DownloadArchives    = "adult:pc:archive:batchDownload" "打包下载档案";
    InSchool ReadsLogged ExportArchives      = "adult:pc:archive:export" "导出毕业档案";
    InSchool Writes      ImportHandovers     = "adult:pc:archive:import" "导入移交信息";
    InSchool Reads       FetchHandoverSheet  = "adult:pc:archive:import" "导入移交信息";
    InSchool ReadsLogged PrintArchives       = "adult:pc:archive:print" "打印档案";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[
        export_job::<Archives>(),
        import_job::<ByRow<import::HandoverSheet>>(),
        generate::GENERATE,
        download::BUNDLE,
    ],
    histories: &[History {
        table: "archive",
        code: "adult:pc:archive:view",
        scope: Some((
            "(select y.site_id from student y where y.id = archive.student_id)",
            Some("(select y.class_id from student y where y.id = archive.student_id)"),
        )),
    }],
    written_once: &["archive_item_file"],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of archives.
pub struct Archives;

#[OpenApi(prefix_path = "/adult/pc/archive", tag = "crate::Tag::Certificates")]
impl Archives {
    /// 毕业档案列表
    #[oai(path = "/list", method = "post", operation_id = "listArchives")]
    async fn list(
        &self,
        caller: Allowed<ListArchives>,
        Body(asked): Body<Paged<ArchiveFilter>>,
    ) -> Result<Reply<Page<Archive>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, rows) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, rows)))
    }

    /// 查看毕业档案
    #[oai(path = "/view", method = "get", operation_id = "viewArchive")]
    async fn view(
        &self,
        caller: Allowed<ViewArchive>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ArchiveView>> {
        let mut tx = caller.read().await?;
        let archive = Self::find(&mut tx, id.0, &caller.scope()).await?;
        Ok(reply(select::viewed(caller.app(), &mut tx, archive).await?))
    }

    /// 导出毕业档案
    /// 移交目录
    #[oai(path = "/export", method = "post", operation_id = "exportArchives")]
    async fn export(
        &self,
        caller: Allowed<ExportArchives>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ArchiveFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 导入移交信息
    #[oai(path = "/import", method = "post", operation_id = "importArchiveHandovers")]
    async fn import(&self, caller: Allowed<ImportHandovers>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<import::HandoverSheet>>(&caller, form).await
    }

    /// 移交信息导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchArchiveHandoverTemplate")]
    async fn template(&self, caller: Allowed<FetchHandoverSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<import::HandoverSheet>, _>(&caller).await
    }
}
