//! 打包下载 of 学籍注册信息.

use infra::{Allowed, Body, Result, files::archive::ArchiveStream};
use poem_openapi::OpenApi;

use super::{AdmissionInformations, DownloadAdmissionInformations};
use crate::information::download::{InformationDownload, download};

pub struct Download;

#[OpenApi(prefix_path = "/user/pc/admissionInformation", tag = "crate::Tag::InformationReview")]
impl Download {
    /// 打包下载学籍注册信息
    /// 每名学生一个文件夹：登记表和材料，另有全部学生的汇总表；最多5000人。没有导出完整信息权限的，表上的证件号和联系方式已隐藏
    #[oai(path = "/download", method = "post", operation_id = "downloadAdmissionInformations")]
    async fn download(
        &self,
        caller: Allowed<DownloadAdmissionInformations>,
        Body(wanted): Body<InformationDownload>,
    ) -> Result<ArchiveStream> {
        download::<AdmissionInformations>(caller, wanted).await
    }
}
