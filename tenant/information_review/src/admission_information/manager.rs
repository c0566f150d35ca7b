//! 学籍注册信息 in the client of class managers.

use infra::{Body, BulkResult, Client, Page, Paged, Reads, Reply, Result, Warned, Writes};
use poem_openapi::OpenApi;

use crate::{
    enums::InformationKind,
    information::{
        list::{InformationFilter, InformationRow},
        managed::{
            self, InformationClassRemind, InformationClassReview, ManagedStudent, ManagedStudentFilter, ManagerClient,
        },
        statistics::{InformationCounting, InformationStatistics},
    },
};

const KIND: InformationKind = InformationKind::AdmissionInformation;

pub struct OfManager;

#[OpenApi(prefix_path = "/user/client", tag = "crate::Tag::InformationReview")]
impl OfManager {
    /// 本人班级学籍注册信息统计
    #[oai(
        path = "/admissionInformation/classStatistics",
        method = "post",
        operation_id = "summarizeOwnAdmissionInformationClasses"
    )]
    async fn statistics(
        &self,
        caller: Client<ManagerClient, Reads>,
        Body(asked): Body<InformationCounting>,
    ) -> Result<Reply<InformationStatistics>> {
        managed::statistics(&caller, KIND, asked).await
    }

    /// 本人班级学籍注册信息列表
    #[oai(path = "/admissionInformation/list", method = "post", operation_id = "listOwnAdmissionInformations")]
    async fn list(
        &self,
        caller: Client<ManagerClient, Reads>,
        Body(asked): Body<Paged<InformationFilter>>,
    ) -> Result<Reply<Page<InformationRow>>> {
        managed::list(&caller, KIND, asked).await
    }

    /// 班主任审核学籍注册信息
    /// 院校启用班主任审核时
    #[oai(path = "/admissionInformation/classReview", method = "post", operation_id = "reviewOwnAdmissionInformation")]
    async fn review(
        &self,
        caller: Client<ManagerClient, Writes>,
        Body(wanted): Body<InformationClassReview>,
    ) -> Result<Reply<Warned>> {
        managed::review(&caller, KIND, wanted).await
    }

    /// 班主任催办学籍注册信息
    /// 提醒本人班级未提交和已退回的学生，每班24小时内一次
    #[oai(path = "/admissionInformation/remind", method = "post", operation_id = "remindOwnAdmissionInformations")]
    async fn remind(
        &self,
        caller: Client<ManagerClient, Writes>,
        Body(wanted): Body<InformationClassRemind>,
    ) -> Result<Reply<BulkResult>> {
        managed::remind(&caller, KIND, wanted).await
    }

    /// 班主任的学生列表
    /// 本人班级的学生
    #[oai(path = "/student/list", method = "post", operation_id = "listStudentsOfManager")]
    async fn students(
        &self,
        caller: Client<ManagerClient, Reads>,
        Body(asked): Body<Paged<ManagedStudentFilter>>,
    ) -> Result<Reply<Page<ManagedStudent>>> {
        managed::students(&caller, asked).await
    }
}
