//! 毕业登记 in the client of class managers.

use infra::{Body, BulkResult, Client, Page, Paged, Reads, Reply, Result, Warned, Writes};
use poem_openapi::OpenApi;

use crate::{
    enums::InformationKind,
    information::{
        list::{InformationFilter, InformationRow},
        managed::{self, InformationClassRemind, InformationClassReview, ManagerClient},
        statistics::{InformationCounting, InformationStatistics},
    },
};

const KIND: InformationKind = InformationKind::GraduationInformation;

pub struct OfManager;

#[OpenApi(prefix_path = "/user/client", tag = "crate::Tag::InformationReview")]
impl OfManager {
    /// 本人班级毕业登记统计
    #[oai(
        path = "/graduationInformation/classStatistics",
        method = "post",
        operation_id = "summarizeOwnGraduationInformationClasses"
    )]
    async fn statistics(
        &self,
        caller: Client<ManagerClient, Reads>,
        Body(asked): Body<InformationCounting>,
    ) -> Result<Reply<InformationStatistics>> {
        managed::statistics(&caller, KIND, asked).await
    }

    /// 本人班级毕业登记列表
    #[oai(path = "/graduationInformation/list", method = "post", operation_id = "listOwnGraduationInformations")]
    async fn list(
        &self,
        caller: Client<ManagerClient, Reads>,
        Body(asked): Body<Paged<InformationFilter>>,
    ) -> Result<Reply<Page<InformationRow>>> {
        managed::list(&caller, KIND, asked).await
    }

    /// 班主任审核毕业登记
    /// 院校启用班主任审核时
    #[oai(
        path = "/graduationInformation/classReview",
        method = "post",
        operation_id = "reviewOwnGraduationInformation"
    )]
    async fn review(
        &self,
        caller: Client<ManagerClient, Writes>,
        Body(wanted): Body<InformationClassReview>,
    ) -> Result<Reply<Warned>> {
        managed::review(&caller, KIND, wanted).await
    }

    /// 班主任催办毕业登记
    /// 提醒本人班级未提交和已退回的学生，每班24小时内一次
    #[oai(path = "/graduationInformation/remind", method = "post", operation_id = "remindOwnGraduationInformations")]
    async fn remind(
        &self,
        caller: Client<ManagerClient, Writes>,
        Body(wanted): Body<InformationClassRemind>,
    ) -> Result<Reply<BulkResult>> {
        managed::remind(&caller, KIND, wanted).await
    }
}
