//! 课程资源: a set of recorded material of a course (part 03 A6). The wire calls it schoolCourse.
//!
//! ```text
//! draft ─publish→ published ⇄ off_shelf        publish: a period is enabled, and all that are required are ready
//! ```
//! At most one record of a course is its default; the first one becomes it.

mod copy;
mod form;
mod options;
mod select;
mod sheet;
mod shelf;
mod usage;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, OnConstraint, Paged, Part, Reply,
    Result, Saved, Tx,
    across::{self, SchoolPage},
    options::Source,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use course_rules::record::CourseRecordStatus;
pub use form::CourseRecordForm;
use options::options;
pub use select::{CourseRecord, CourseRecordFilter};
pub use shelf::{CourseRecordChange, CourseRecordStatusChange};

use form::{insert, update};
use select::{find, select};
use usage::{CourseRecordUse, uses};

use crate::period;

permissions! {
    pages
        "/schoolPC/basicData/course/record/list", "/platformPC/basicData/course/record/list",
        "/schoolPC/basicData/course/record/add", "/platformPC/basicData/course/record/add",
        "/schoolPC/basicData/course/record/edit", "/platformPC/basicData/course/record/edit";
    EachSchool Reads       ListCourseRecords        = "course:pc:schoolCourse:list" "课程资源列表";
    EachSchool Reads       ViewCourseRecord         = "course:pc:schoolCourse:view" "查看课程资源";
    EachSchool Writes      SaveCourseRecord         = "course:pc:schoolCourse:save" "新增课程资源";
    EachSchool Writes      EditCourseRecord         = "course:pc:schoolCourse:edit" "编辑课程资源";
    EachSchool Writes      DeleteCourseRecord       = "course:pc:schoolCourse:delete" "删除课程资源";
    EachSchool Writes      DeleteCourseRecords      = "course:pc:schoolCourse:batchDel" "批量删除课程资源";
    EachSchool Writes      ChangeCourseRecordStatus = "course:pc:schoolCourse:update:status" "上架下架课程资源";
    EachSchool Writes      SetDefaultCourseRecord   = "course:pc:schoolCourse:setDefault" "设为默认课程资源";
    EachSchool Writes      CopyCourseRecord         = "course:pc:schoolCourse:copy" "复制课程资源";
    EachSchool ReadsLogged ExportCourseRecords      = "course:pc:schoolCourse:export" "导出课程资源";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[CourseRecordStatus::ENUMERATION],
    entities: &[Entity { table: "course_record", name: "课程资源", counted: "个课程资源" }],
    jobs: &[export_job::<CourseRecords>()],
    histories: &[History { table: "course_record", code: "course:pc:schoolCourse:view", scope: None }],
    options: &[
        Source::new("courseRecord", |connection, asked| Box::pin(options(connection, asked))).below("课程资源的课程")
    ],
    option_pages: &["/schoolPC/basicData/course/record/list", "/platformPC/basicData/course/record/list"],
    ..Part::NONE
};

pub struct CourseRecords;

#[OpenApi(prefix_path = "/course/pc/schoolCourse", tag = "crate::Tag::Courses")]
impl CourseRecords {
    /// 课程资源列表
    #[oai(path = "/list", method = "post", operation_id = "listCourseRecords")]
    async fn list(
        &self,
        caller: Allowed<ListCourseRecords>,
        Body(asked): Body<Paged<CourseRecordFilter>>,
    ) -> Result<Reply<SchoolPage<CourseRecord>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看课程资源
    #[oai(path = "/view", method = "get", operation_id = "viewCourseRecord")]
    async fn view(
        &self,
        caller: Allowed<ViewCourseRecord>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CourseRecord>> {
        Ok(reply(find(&mut *caller.read().await?, id.0).await?))
    }

    /// 课程资源使用情况
    /// 使用该资源的开课，最近的学期在前，最多200个
    #[oai(path = "/uses", method = "get", operation_id = "listCourseRecordUses")]
    async fn uses(
        &self,
        caller: Allowed<ViewCourseRecord>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Vec<CourseRecordUse>>> {
        Ok(reply(uses(&mut *caller.read().await?, id.0).await?))
    }

    /// 新增课程资源
    #[oai(path = "/save", method = "post", operation_id = "saveCourseRecord")]
    async fn save(
        &self,
        caller: Allowed<SaveCourseRecord>,
        Body(form): Body<CourseRecordForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑课程资源
    #[oai(path = "/edit", method = "put", operation_id = "editCourseRecord")]
    async fn edit(
        &self,
        caller: Allowed<EditCourseRecord>,
        Body(edit): Body<Edit<CourseRecordForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, &edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除课程资源
    #[oai(path = "/delete", method = "delete", operation_id = "deleteCourseRecord")]
    async fn delete(
        &self,
        caller: Allowed<DeleteCourseRecord>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除课程资源
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteCourseRecords")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteCourseRecords>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "course_record");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用课程资源
    #[oai(path = "/update/status", method = "put", operation_id = "changeCourseRecordStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeCourseRecordStatus>,
        Body(wanted): Body<CourseRecordStatusChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = shelf::change(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 设为默认课程资源
    #[oai(path = "/setDefault", method = "put", operation_id = "setDefaultCourseRecord")]
    async fn set_default(
        &self,
        caller: Allowed<SetDefaultCourseRecord>,
        Body(wanted): Body<CourseRecordChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let changes = shelf::set_default(&mut tx, wanted.id).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 复制课程资源
    #[oai(path = "/copy", method = "post", operation_id = "copyCourseRecord")]
    async fn copy(
        &self,
        caller: Allowed<CopyCourseRecord>,
        Body(wanted): Body<CourseRecordChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = copy::copy(&mut tx, wanted.id).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 导出课程资源
    #[oai(path = "/export", method = "post", operation_id = "exportCourseRecords")]
    async fn export(
        &self,
        caller: Allowed<ExportCourseRecords>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CourseRecordFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// What learners can open is taken off the shelf first. A draft goes with its periods; what was on the shelf once keeps
/// them until they are taken away one by one.
async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    if before.status == CourseRecordStatus::Published {
        return Err(Error::conflict(format!("“{}”已上架，请先下架再删除", before.name)));
    }
    if before.status == CourseRecordStatus::Draft {
        let documents =
            sqlx::query_scalar!("delete from course_period where course_record_id = $1 returning file_id", id)
                .fetch_all(&mut **tx)
                .await
                .on_constraint(|_| Some(Error::conflict(format!("“{}”的课时已被引用，不能删除", before.name))))?;
        let documents: Vec<i64> = documents.into_iter().flatten().collect();
        period::form::let_go(tx, &documents).await?;
    }
    tx.remove("course_record", id, &before.name).await?;
    Ok(Change::deleted("course_record", id, &before))
}
