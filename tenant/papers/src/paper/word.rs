//! 导出: the list of papers as a workbook, one paper as a document of a word processor with the same content as the print.

use infra::{
    Allowed, Body, Error, Result,
    transfer::{self, Download, ExportedAs, FileKind},
};
use paper_rules::word::document;
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use question_bank::question::sees_answers;
use tokio::task::spawn_blocking;

use super::{
    ExportPapers, Papers,
    detail::{is_secret, keep_back},
    print::printing,
    select::PaperFilter,
};
use crate::{content::hide_secret, enums::PaperExportFormat};

/// What is exported, and as what.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PaperExport {
    /// 当前页
    pub page_current: Option<i64>,
    /// 每页条数
    pub page_size: Option<i64>,
    /// 导出格式
    /// 不填为表格；Word文档须指定试卷
    pub format: Option<PaperExportFormat>,
    /// 试卷
    /// 导出Word文档时填写
    pub id: Option<i64>,
    /// 含答案
    /// 导出Word文档时有效
    pub with_answer: Option<bool>,
    #[oai(flatten)]
    pub filter: PaperFilter,
}

impl Example for PaperExport {
    fn example() -> Self {
        Self { format: Some(PaperExportFormat::Xlsx), ..Self::default() }
    }
}

pub struct Exports;

#[OpenApi(prefix_path = "/exam/pc/exam/info", tag = "crate::Tag::Papers")]
impl Exports {
    /// 导出试卷
    #[oai(path = "/export", method = "post", operation_id = "exportPapers")]
    async fn export(
        &self,
        caller: Allowed<ExportPapers>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<PaperExport>,
    ) -> Result<ExportedAs> {
        if asked.format != Some(PaperExportFormat::Word) {
            let exported = transfer::export::<Papers>(&caller, asked.filter, job.0).await?;
            return Ok(ExportedAs::Workbook(exported));
        }
        let id = asked.id.ok_or_else(|| Error::field("id", "导出Word文档请选择试卷"))?;
        let school = caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
        let with_answer = asked.with_answer.unwrap_or(false);
        let mut tx = caller.read().await?;
        let mut printing = printing(caller.app(), &mut tx, (Some(id), None), school, with_answer).await?;
        if with_answer && !sees_answers(&caller) {
            if is_secret(printing.kind) {
                return Err(Error::forbidden());
            }
            hide_secret(&mut tx, &mut printing.sections).await?;
        }
        keep_back(&caller, &mut tx, printing.status, &mut printing.sections).await?;
        drop(tx);
        let name = format!("{}_{}.docx", printing.name, printing.variant.as_str());
        caller.note("export", serde_json::json!({ "file": name, "withAnswer": with_answer }));
        let bytes = spawn_blocking(move || document(&printing)).await.map_err(Error::internal)?;
        let bytes = bytes.map_err(Error::internal)?;
        Ok(ExportedAs::File(Download { name, kind: FileKind::Word, bytes }))
    }
}
