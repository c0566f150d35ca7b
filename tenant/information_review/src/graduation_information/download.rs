//! 打包下载 of 毕业登记.

use infra::{Allowed, Body, Result, files::archive::ArchiveStream};
use poem_openapi::OpenApi;

use super::{DownloadGraduationInformations, GraduationInformations};
use crate::information::download::{InformationDownload, download};

pub struct Download;

#[OpenApi(prefix_path = "/user/pc/graduationInformation", tag = "crate::Tag::InformationReview")]
impl Download {
    /// 打包下载毕业登记
    /// 每名学生一个文件夹：毕业生登记表和材料，另有全部学生的汇总表；最多5000人。没有导出完整信息权限的，表上的证件号和联系方式已隐藏
    #[oai(path = "/download", method = "post", operation_id = "downloadGraduationInformations")]
    async fn download(
        &self,
        caller: Allowed<DownloadGraduationInformations>,
        Body(wanted): Body<InformationDownload>,
    ) -> Result<ArchiveStream> {
        download::<GraduationInformations>(caller, wanted).await
    }
}
