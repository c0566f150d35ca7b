//! 学习监控: who studies a course, how far, and what is done about it (part 03 B5).

mod figures;
mod import;
mod remind;
mod reset;
mod select;
mod sheet;
mod view;

use infra::{
    Allowed, Body, BulkResult, Entity, History, Paged, Part, Reply, Result, Saved,
    across::{self, SchoolPage},
    permissions, reply,
    transfer::{self, Attachment, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use figures::StudyFigures;
pub use remind::StudyRemind;
pub use reset::StudyReset;
pub use select::{StudyProgress, StudyProgressFilter};
pub use view::StudyDetail;

permissions! {
    pages "/schoolPC/educational/selection/onlineTeaching", "/platformPC/educational/selection/onlineTeaching";
    EachSchool Reads       ListProgress     = "adult:pc:onlineTeaching:list" "在线教学列表";
    EachSchool Reads       ViewProgress     = "adult:pc:onlineTeaching:view" "查看在线教学";
    EachSchool ReadsLogged ExportProgress   = "adult:pc:onlineTeaching:export" "导出在线教学";
    InSchool   Writes      ResetProgress    = "adult:pc:onlineTeaching:reset" "重置学习进度";
    EachSchool Writes      RemindStudents   = "adult:pc:onlineTeaching:remind" "督促学习";
    InSchool   Writes      ImportProgress   = "adult:pc:onlineTeaching:import" "导入学习进度";
    InSchool   Reads       FetchProgressSheet = "adult:pc:onlineTeaching:import" "导入学习进度";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "study_progress", name: "课时学习进度", counted: "条学习记录" },
        Entity { table: "study_course_progress", name: "学习进度", counted: "条学习进度" },
        Entity { table: "study_day", name: "学习天数", counted: "天学习记录" },
        Entity { table: "study_session", name: "学习会话", counted: "次学习会话" },
        Entity { table: "study_reminder", name: "学习督促", counted: "次学习督促" },
    ],
    jobs: &[export_job::<ProgressRows>(), import_job::<import::ProgressSheet>()],
    histories: &[History {
        table: "study_course_progress",
        code: "adult:pc:onlineTeaching:view",
        // It lies where its student is.
        scope: Some((
            "(select s.site_id from course_selection c join student s on s.id = c.student_id
              where c.id = study_course_progress.id)",
            Some(
                "(select s.class_id from course_selection c join student s on s.id = c.student_id
                  where c.id = study_course_progress.id)",
            ),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of selections with how far each is.
pub struct ProgressRows;

pub struct Progress;

#[OpenApi(prefix_path = "/adult/pc/onlineTeaching", tag = "crate::Tag::OnlineStudy")]
impl Progress {
    /// 学习监控列表
    #[oai(path = "/progress/list", method = "post", operation_id = "listStudyProgress")]
    async fn list(
        &self,
        caller: Allowed<ListProgress>,
        Body(asked): Body<Paged<StudyProgressFilter>>,
    ) -> Result<Reply<SchoolPage<StudyProgress>>> {
        across::list::<ProgressRows, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 学习监控统计
    /// 进度分布和每日学习人数，范围与列表的条件相同
    #[oai(path = "/progress/stat", method = "post", operation_id = "listStudyFigures")]
    async fn figures(
        &self,
        caller: Allowed<ListProgress>,
        Body(asked): Body<Paged<StudyProgressFilter>>,
    ) -> Result<Reply<StudyFigures>> {
        let today = caller.app().clock().today();
        let mut tx = caller.read().await?;
        Ok(reply(figures::of(&mut tx, &asked.filter, &caller.scope(), today).await?))
    }

    /// 查看学习进度
    #[oai(path = "/progress/view", method = "get", operation_id = "viewStudyProgress")]
    async fn view(
        &self,
        caller: Allowed<ViewProgress>,
        /// 选课编号
        #[oai(name = "selectionId")]
        selection_id: Query<i64>,
    ) -> Result<Reply<StudyDetail>> {
        let mut tx = caller.read().await?;
        Ok(reply(view::of(&mut tx, selection_id.0, &caller.scope()).await?))
    }

    /// 导出学习进度
    #[oai(path = "/progress/export", method = "post", operation_id = "exportStudyProgress")]
    async fn export(
        &self,
        caller: Allowed<ExportProgress>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<StudyProgressFilter>>,
    ) -> Result<Exported> {
        transfer::export::<ProgressRows>(&caller, asked.filter, job.0).await
    }

    /// 重置学习进度
    /// 不填课时为整门课程，包括学习时长、学习天数和导入的进度
    #[oai(path = "/reset", method = "put", operation_id = "resetStudyProgress")]
    async fn reset(&self, caller: Allowed<ResetProgress>, Body(wanted): Body<StudyReset>) -> Result<Reply<Saved>> {
        let id = wanted.selection_id;
        let mut tx = caller.begin().await?;
        let change = reset::reset(&mut tx, &wanted, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 督促学习
    /// 向学生发送学习提醒，同一门课程一天提醒一次
    #[oai(path = "/remind", method = "post", operation_id = "remindStudents")]
    async fn remind(
        &self,
        caller: Allowed<RemindStudents>,
        Body(wanted): Body<StudyRemind>,
    ) -> Result<Reply<BulkResult>> {
        let tx = caller.begin().await?;
        Ok(reply(remind::remind(tx, wanted.selection_ids, &caller.scope()).await?))
    }

    /// 导入学习进度
    /// 其他平台的学习进度；不会降低已有的进度
    #[oai(path = "/import", method = "post", operation_id = "importStudyProgress")]
    async fn import(&self, caller: Allowed<ImportProgress>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<import::ProgressSheet>(&caller, form).await
    }

    /// 学习进度导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchStudyProgressImportTemplate")]
    async fn template(&self, caller: Allowed<FetchProgressSheet>) -> Result<Attachment> {
        transfer::template::<import::ProgressSheet, _>(&caller).await
    }
}

/// The operations on how far students are.
pub(crate) fn api() -> impl OpenApi {
    Progress
}
