//! 打包下载 of 入学资格审查.

use infra::{Allowed, Body, Result, files::archive::ArchiveStream};
use poem_openapi::OpenApi;

use super::{AdmissionCommitments, DownloadAdmissionCommitments};
use crate::information::download::{InformationDownload, download};

pub struct Download;

#[OpenApi(prefix_path = "/user/pc/admissionCommitment", tag = "crate::Tag::InformationReview")]
impl Download {
    /// 打包下载入学资格审查
    /// 每名学生一个文件夹：承诺书、资格审查表和材料，另有全部学生的汇总表；最多5000人。没有导出完整信息权限的，表上的证件号和联系方式已隐藏
    #[oai(path = "/download", method = "post", operation_id = "downloadAdmissionCommitments")]
    async fn download(
        &self,
        caller: Allowed<DownloadAdmissionCommitments>,
        Body(wanted): Body<InformationDownload>,
    ) -> Result<ArchiveStream> {
        download::<AdmissionCommitments>(caller, wanted).await
    }
}
