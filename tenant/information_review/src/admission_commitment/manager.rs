//! 入学资格审查 in the client of class managers.

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

const KIND: InformationKind = InformationKind::AdmissionCommitment;

pub struct OfManager;

#[OpenApi(prefix_path = "/user/client", tag = "crate::Tag::InformationReview")]
impl OfManager {
    /// 本人班级入学资格审查统计
    #[oai(
        path = "/admissionCommitment/classStatistics",
        method = "post",
        operation_id = "summarizeOwnAdmissionCommitmentClasses"
    )]
    async fn statistics(
        &self,
        caller: Client<ManagerClient, Reads>,
        Body(asked): Body<InformationCounting>,
    ) -> Result<Reply<InformationStatistics>> {
        managed::statistics(&caller, KIND, asked).await
    }

    /// 本人班级入学资格审查列表
    #[oai(path = "/admissionCommitment/list", method = "post", operation_id = "listOwnAdmissionCommitments")]
    async fn list(
        &self,
        caller: Client<ManagerClient, Reads>,
        Body(asked): Body<Paged<InformationFilter>>,
    ) -> Result<Reply<Page<InformationRow>>> {
        managed::list(&caller, KIND, asked).await
    }

    /// 班主任审核入学资格审查
    /// 院校启用班主任审核时
    #[oai(path = "/admissionCommitment/classReview", method = "post", operation_id = "reviewOwnAdmissionCommitment")]
    async fn review(
        &self,
        caller: Client<ManagerClient, Writes>,
        Body(wanted): Body<InformationClassReview>,
    ) -> Result<Reply<Warned>> {
        managed::review(&caller, KIND, wanted).await
    }

    /// 班主任催办入学资格审查
    /// 提醒本人班级未提交和已退回的学生，每班24小时内一次
    #[oai(path = "/admissionCommitment/remind", method = "post", operation_id = "remindOwnAdmissionCommitments")]
    async fn remind(
        &self,
        caller: Client<ManagerClient, Writes>,
        Body(wanted): Body<InformationClassRemind>,
    ) -> Result<Reply<BulkResult>> {
        managed::remind(&caller, KIND, wanted).await
    }
}
