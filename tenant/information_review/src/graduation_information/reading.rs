//! The operations of the console that read 毕业登记, its windows and its reminders.

use infra::{
    Allowed, Body, BulkResult, Edit, Paged, Reply, Result, Saved,
    across::{self, SchoolPage},
    reply,
    transfer::{self, Exported},
};
use poem_openapi::{OpenApi, param::Query};

use super::{
    EditGraduationInformation, ExportGraduationInformations, GraduationInformations, ListGraduationInformationWindows,
    ListGraduationInformations, SetGraduationInformationWindow, ViewGraduationInformation,
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

const KIND: InformationKind = InformationKind::GraduationInformation;

pub struct Reading;

#[OpenApi(prefix_path = "/user/pc/graduationInformation", tag = "crate::Tag::InformationReview")]
impl Reading {
    /// 毕业登记班级统计
    /// 院校内须指明年级；平台不指明院校时每校一行
    #[oai(path = "/classStatistics", method = "post", operation_id = "summarizeGraduationInformationClasses")]
    async fn statistics(
        &self,
        caller: Allowed<ListGraduationInformations>,
        Body(asked): Body<InformationCounting>,
    ) -> Result<Reply<InformationStatistics>> {
        Ok(reply(statistics::<GraduationInformations, _>(&caller, asked).await?))
    }

    /// 毕业登记列表
    #[oai(path = "/list", method = "post", operation_id = "listGraduationInformations")]
    async fn list(
        &self,
        caller: Allowed<ListGraduationInformations>,
        Body(asked): Body<Paged<InformationFilter>>,
    ) -> Result<Reply<SchoolPage<InformationRow>>> {
        across::list::<Lines<GraduationInformations>, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看毕业登记
    #[oai(path = "/view", method = "get", operation_id = "viewGraduationInformation")]
    async fn view(
        &self,
        caller: Allowed<ViewGraduationInformation>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<InformationView>> {
        let school = caller.school.as_ref().map_or_else(String::new, |school| school.name.clone());
        let mut tx = caller.read().await?;
        Ok(reply(view::view(caller.app(), &mut tx, &school, (KIND, id.0), &caller.scope()).await?))
    }

    /// 打印毕业登记
    #[oai(path = "/print", method = "get", operation_id = "printGraduationInformation")]
    async fn print(
        &self,
        caller: Allowed<ViewGraduationInformation>,
        /// 编号
        id: Query<i64>,
        /// 信息打印
        doc: Query<Option<InformationPaper>>,
    ) -> Result<Reply<InformationPrint>> {
        let school = caller.school.as_ref().map_or_else(String::new, |school| school.name.clone());
        let mut tx = caller.read().await?;
        Ok(reply(view::print(caller.app(), &mut tx, &school, (KIND, id.0), doc.0, &caller.scope()).await?))
    }

    /// 导出毕业登记
    #[oai(path = "/export", method = "post", operation_id = "exportGraduationInformations")]
    async fn export(
        &self,
        caller: Allowed<ExportGraduationInformations>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<InformationFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Sheet<GraduationInformations>>(&caller, asked.filter, job.0).await
    }

    /// 催办毕业登记
    /// 提醒所选班级未提交和已退回的学生，每班24小时内一次
    #[oai(path = "/remind", method = "post", operation_id = "remindGraduationInformations")]
    async fn remind(
        &self,
        caller: Allowed<EditGraduationInformation>,
        Body(wanted): Body<InformationRemind>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let (result, changes) = remind(&mut tx, KIND, &wanted.class_ids, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(result))
    }

    /// 毕业登记采集设置列表
    #[oai(path = "/window/list", method = "get", operation_id = "listGraduationInformationWindows")]
    async fn windows(
        &self,
        caller: Allowed<ListGraduationInformationWindows>,
    ) -> Result<Reply<Vec<InformationWindow>>> {
        let mut tx = caller.read().await?;
        Ok(reply(window::all(&mut tx, KIND, caller.app().clock().now()).await?))
    }

    /// 新增毕业登记采集设置
    #[oai(path = "/window/save", method = "post", operation_id = "saveGraduationInformationWindow")]
    async fn save_window(
        &self,
        caller: Allowed<SetGraduationInformationWindow>,
        Body(form): Body<InformationWindowForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = window::insert(&mut tx, KIND, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑毕业登记采集设置
    #[oai(path = "/window/edit", method = "put", operation_id = "editGraduationInformationWindow")]
    async fn edit_window(
        &self,
        caller: Allowed<SetGraduationInformationWindow>,
        Body(edit): Body<Edit<InformationWindowForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = window::update(&mut tx, KIND, &edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }
}
