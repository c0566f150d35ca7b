//! The operations of the console that read 入学资格审查, its windows and its reminders.

use infra::{
    Allowed, Body, BulkResult, Edit, Paged, Reply, Result, Saved,
    across::{self, SchoolPage},
    reply,
    transfer::{self, Exported},
};
use poem_openapi::{OpenApi, param::Query};

use super::{
    AdmissionCommitments, EditAdmissionCommitment, ExportAdmissionCommitments, ListAdmissionCommitmentWindows,
    ListAdmissionCommitments, SetAdmissionCommitmentWindow, ViewAdmissionCommitment,
};
use crate::{
    enums::{InformationKind, InformationPaper},
    information::{
        export::Sheet,
        list::{InformationFilter, InformationRow, Lines},
        remind::{InformationRemind, remind},
        statistics::{InformationCounting, InformationStatistics, statistics},
        view::{self, InformationPrint, InformationView},
    },
    window::{self, InformationWindow, InformationWindowForm},
};

const KIND: InformationKind = InformationKind::AdmissionCommitment;

pub struct Reading;

#[OpenApi(prefix_path = "/user/pc/admissionCommitment", tag = "crate::Tag::InformationReview")]
impl Reading {
    /// 入学资格审查班级统计
    /// 院校内须指明年级；平台不指明院校时每校一行
    #[oai(path = "/classStatistics", method = "post", operation_id = "summarizeAdmissionCommitmentClasses")]
    async fn statistics(
        &self,
        caller: Allowed<ListAdmissionCommitments>,
        Body(asked): Body<InformationCounting>,
    ) -> Result<Reply<InformationStatistics>> {
        Ok(reply(statistics::<AdmissionCommitments, _>(&caller, asked).await?))
    }

    /// 入学资格审查列表
    #[oai(path = "/list", method = "post", operation_id = "listAdmissionCommitments")]
    async fn list(
        &self,
        caller: Allowed<ListAdmissionCommitments>,
        Body(asked): Body<Paged<InformationFilter>>,
    ) -> Result<Reply<SchoolPage<InformationRow>>> {
        across::list::<Lines<AdmissionCommitments>, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看入学资格审查
    #[oai(path = "/view", method = "get", operation_id = "viewAdmissionCommitment")]
    async fn view(
        &self,
        caller: Allowed<ViewAdmissionCommitment>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<InformationView>> {
        let school = caller.school.as_ref().map_or_else(String::new, |school| school.name.clone());
        let mut tx = caller.read().await?;
        Ok(reply(view::view(caller.app(), &mut tx, &school, (KIND, id.0), &caller.scope()).await?))
    }

    /// 打印入学资格审查
    #[oai(path = "/print", method = "get", operation_id = "printAdmissionCommitment")]
    async fn print(
        &self,
        caller: Allowed<ViewAdmissionCommitment>,
        /// 编号
        id: Query<i64>,
        /// 信息打印
        doc: Query<Option<InformationPaper>>,
    ) -> Result<Reply<InformationPrint>> {
        let school = caller.school.as_ref().map_or_else(String::new, |school| school.name.clone());
        let mut tx = caller.read().await?;
        Ok(reply(view::print(caller.app(), &mut tx, &school, (KIND, id.0), doc.0, &caller.scope()).await?))
    }

    /// 导出入学资格审查
    #[oai(path = "/export", method = "post", operation_id = "exportAdmissionCommitments")]
    async fn export(
        &self,
        caller: Allowed<ExportAdmissionCommitments>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<InformationFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Sheet<AdmissionCommitments>>(&caller, asked.filter, job.0).await
    }

    /// 催办入学资格审查
    /// 提醒所选班级未提交和已退回的学生，每班24小时内一次
    #[oai(path = "/remind", method = "post", operation_id = "remindAdmissionCommitments")]
    async fn remind(
        &self,
        caller: Allowed<EditAdmissionCommitment>,
        Body(wanted): Body<InformationRemind>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let (result, changes) = remind(&mut tx, KIND, &wanted.class_ids, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(result))
    }

    /// 入学资格审查采集设置列表
    #[oai(path = "/window/list", method = "get", operation_id = "listAdmissionCommitmentWindows")]
    async fn windows(&self, caller: Allowed<ListAdmissionCommitmentWindows>) -> Result<Reply<Vec<InformationWindow>>> {
        let mut tx = caller.read().await?;
        Ok(reply(window::all(&mut tx, KIND, caller.app().clock().now()).await?))
    }

    /// 新增入学资格审查采集设置
    #[oai(path = "/window/save", method = "post", operation_id = "saveAdmissionCommitmentWindow")]
    async fn save_window(
        &self,
        caller: Allowed<SetAdmissionCommitmentWindow>,
        Body(form): Body<InformationWindowForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = window::insert(&mut tx, KIND, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑入学资格审查采集设置
    #[oai(path = "/window/edit", method = "put", operation_id = "editAdmissionCommitmentWindow")]
    async fn edit_window(
        &self,
        caller: Allowed<SetAdmissionCommitmentWindow>,
        Body(edit): Body<Edit<InformationWindowForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = window::update(&mut tx, KIND, &edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }
}
