//! 证书: their numbers, who got them, and what became of them (part 04 §10).
//!
//! ```text
//! allocated ─print→ printed ─issue→ issued ─reissue→ issued      allocated, printed, issued ─void→ voided
//! ```

mod allocate;
mod import;
mod print;
pub(crate) mod ready;
mod select;
mod steps;

use infra::{
    Allowed, Body, Entity, History, Page, Paged, Part, Reply, Result,
    across::{Keyed, Listed},
    permissions, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{Object, OpenApi, param::Query};

pub use allocate::Allocations;
pub use print::Prints;
pub use select::{Certificate, CertificateFilter};
pub use steps::Steps;

permissions! {
    pages "/schoolPC/graduate/graduatingStudents/graduatingBatch";
    InSchool    Reads       ListCertificates      = "adult:pc:certificate:list" "证书列表";
    InSchool    Reads       ViewCertificate       = "adult:pc:certificate:view" "查看证书";
    WholeSchool Writes      AllocateCertificates  = "adult:pc:certificate:allocate" "证书编号";
    InSchool    Writes      IssueCertificates     = "adult:pc:certificate:issue" "发放证书";
    InSchool    Writes      VoidCertificate       = "adult:pc:certificate:void" "作废证书";
    InSchool    Writes      ReissueCertificate    = "adult:pc:certificate:reissue" "补办证明书";
    InSchool    ReadsLogged ExportCertificates    = "adult:pc:certificate:export" "导出证书";
    WholeSchool Writes      ImportCertificates    = "adult:pc:certificate:import" "导入证书";
    WholeSchool Reads       FetchCertificateSheet = "adult:pc:certificate:import" "导入证书";
    InSchool    Writes      PrintCertificates     = "adult:pc:certificate:print" "打印证书";
    InSchool    ReadsLogged PrintReceipts         = "adult:pc:certificate:print" "打印证书";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "certificate", name: "证书", counted: "本证书" },
        Entity { table: "archive", name: "毕业档案", counted: "份毕业档案" },
        Entity { table: "archive_item", name: "档案材料", counted: "份档案材料" },
    ],
    jobs: &[export_job::<Certificates>(), import_job::<ByRow<import::CertificateSheet>>()],
    histories: &[History {
        table: "certificate",
        code: "adult:pc:certificate:view",
        scope: Some((
            "(select y.site_id from student y where y.id = certificate.student_id)",
            Some("(select y.class_id from student y where y.id = certificate.student_id)"),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// A certificate, with the signature of who fetched it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CertificateView {
    #[oai(flatten)]
    pub row: Certificate,
    /// 签名图片
    pub sign_file_url: Option<String>,
}

/// The list of certificates.
pub struct Certificates;

#[OpenApi(prefix_path = "/adult/pc/certificate", tag = "crate::Tag::Certificates")]
impl Certificates {
    /// 证书列表
    #[oai(path = "/list", method = "post", operation_id = "listCertificates")]
    async fn list(
        &self,
        caller: Allowed<ListCertificates>,
        Body(asked): Body<Paged<CertificateFilter>>,
    ) -> Result<Reply<Page<Certificate>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, rows) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, rows.into_iter().map(Certificate::masked).collect())))
    }

    /// 查看证书
    #[oai(path = "/view", method = "get", operation_id = "viewCertificate")]
    async fn view(
        &self,
        caller: Allowed<ViewCertificate>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CertificateView>> {
        let mut tx = caller.read().await?;
        let row = Self::find(&mut tx, id.0, &caller.scope()).await?.masked();
        let sign =
            sqlx::query_scalar!("select sign_file_id from certificate where id = $1", id.0).fetch_one(&mut *tx).await?;
        let sign_file_url = match sign {
            Some(file) => infra::files::address(caller.app(), &mut tx, file).await?.map(|(url, _)| url),
            None => None,
        };
        Ok(reply(CertificateView { row, sign_file_url }))
    }

    /// 导出证书
    #[oai(path = "/export", method = "post", operation_id = "exportCertificates")]
    async fn export(
        &self,
        caller: Allowed<ExportCertificates>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CertificateFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 导入证书
    #[oai(path = "/import", method = "post", operation_id = "importCertificates")]
    async fn import(&self, caller: Allowed<ImportCertificates>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<import::CertificateSheet>>(&caller, form).await
    }

    /// 证书导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchCertificateImportTemplate")]
    async fn template(&self, caller: Allowed<FetchCertificateSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<import::CertificateSheet>, _>(&caller).await
    }
}
