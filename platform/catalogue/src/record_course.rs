//! 录播课程: courses that learners watch, with their chapters and periods (01 §9.2).
//!
//! ```text
//! save, edit ─→ a version (draft │ pending │ approved) ─approval→ copied into course, chapters and periods
//! ```
//! What is published stays as it is until a version is approved. An operator who holds `…:edit` may publish at once; their
//! version is approved by themself. Who only holds `…:save` hands their new course in, and it waits for the auditors
//! ([`record_audit`](crate::record_audit)).

mod content;
mod difference;
mod form;
mod publish;
mod select;
mod sheet;
mod shelf;

use catalogue_rules::difference::CourseField;
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result, Saved,
    access::Permission,
    enumeration, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use form::{RecordCourseEdit, RecordCourseForm};
pub use select::{RecordCourse, RecordCourseFilter, RecordCourseView};
pub use shelf::{PutawayChange, SharedChange};

pub(crate) use difference::names_of;
pub(crate) use form::insert;
pub(crate) use publish::publish;
pub(crate) use shelf::{lock, set_putaway, share};

use select::{count, select, view};

permissions! {
    pages "/course/record/list";
    InPlatform Reads       ListRecordCourses        = "course:pc:course:record:list" "录播课程列表";
    InPlatform Reads       ViewRecordCourse         = "course:pc:course:record:view" "查看录播课程";
    InPlatform Writes      SaveRecordCourse         = "course:pc:course:record:save" "新增录播课程";
    InPlatform Writes      EditRecordCourse         = "course:pc:course:record:edit" "编辑录播课程";
    InPlatform Writes      DeleteRecordCourse       = "course:pc:course:record:delete" "删除录播课程";
    InPlatform Writes      DeleteRecordCourses      = "course:pc:course:record:batchDel" "批量删除录播课程";
    InPlatform Writes      ChangeRecordPutaway      = "course:pc:course:record:update:putaway" "录播课程上下架";
    InPlatform Writes      ChangeRecordCourseStatus = "course:pc:course:record:update:status" "启用停用录播课程";
    InPlatform Writes      ShareRecordCourse        = "course:pc:course:record:update:schoolShared" "录播课程供院校使用";
    InPlatform ReadsLogged ExportRecordCourses      = "course:pc:course:record:export" "导出录播课程";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        Putaway::ENUMERATION,
        CourseAuditStatus::ENUMERATION,
        CourseSubmission::ENUMERATION,
        CourseField::ENUMERATION,
    ],
    entities: &[Entity { table: "online_course", name: "线上课程", counted: "条课程" }],
    jobs: &[export_job::<RecordCourses>()],
    histories: &[History { table: "online_course", code: "course:pc:course:record:view", scope: None }],
    ..Part::NONE
};

enumeration! {
    /// 上架状态
    pub enum Putaway = "putaway" {
        On = "on" "上架",
        Off = "off" "下架",
    }
}

enumeration! {
    /// 课程审核状态
    pub enum CourseAuditStatus = "courseAuditStatus" {
        Draft = "draft" "草稿",
        Pending = "pending" "待审核",
        Approved = "approved" "通过",
        Rejected = "rejected" "不通过",
    }
}

enumeration! {
    /// 保存方式
    pub enum CourseSubmission = "courseSubmission" {
        Draft = "draft" "存为草稿",
        Review = "review" "提交审核",
        Publish = "publish" "直接发布",
    }
}

pub struct RecordCourses;

#[OpenApi(prefix_path = "/course/pc/course/record", tag = "crate::Tag::Catalogue")]
impl RecordCourses {
    /// 录播课程列表
    #[oai(path = "/list", method = "post", operation_id = "listRecordCourses")]
    async fn list(
        &self,
        caller: Allowed<ListRecordCourses>,
        Body(asked): Body<Paged<RecordCourseFilter>>,
    ) -> Result<Reply<Page<RecordCourse>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看录播课程
    /// 内容为尚未通过的版本，没有时为已发布的版本
    #[oai(path = "/view", method = "get", operation_id = "viewRecordCourse")]
    async fn view(
        &self,
        caller: Allowed<ViewRecordCourse>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<RecordCourseView>> {
        Ok(reply(view(&mut *caller.read().await?, id.0).await?))
    }

    /// 新增录播课程
    #[oai(path = "/save", method = "post", operation_id = "saveRecordCourse")]
    async fn save(
        &self,
        caller: Allowed<SaveRecordCourse>,
        Body(form): Body<RecordCourseForm>,
    ) -> Result<Reply<Saved>> {
        let may_publish = caller.holds(EditRecordCourse::CODE);
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form, may_publish).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑录播课程
    #[oai(path = "/edit", method = "put", operation_id = "editRecordCourse")]
    async fn edit(
        &self,
        caller: Allowed<EditRecordCourse>,
        Body(edit): Body<RecordCourseEdit>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除录播课程
    #[oai(path = "/delete", method = "delete", operation_id = "deleteRecordCourse")]
    async fn delete(
        &self,
        caller: Allowed<DeleteRecordCourse>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = shelf::remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除录播课程
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteRecordCourses")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteRecordCourses>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "online_course", "course_name");
        for id in ids.ids {
            let outcome = shelf::remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 录播课程上下架
    #[oai(path = "/update/putaway", method = "put", operation_id = "changeRecordPutaway")]
    async fn change_putaway(
        &self,
        caller: Allowed<ChangeRecordPutaway>,
        Body(wanted): Body<PutawayChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = shelf::set_putaway(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 启用停用录播课程
    #[oai(path = "/update/status", method = "put", operation_id = "changeRecordCourseStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeRecordCourseStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        shelf::lock(&mut tx, wanted.id).await?;
        let change = tx.set_enabled("online_course", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 录播课程供院校使用
    #[oai(path = "/update/schoolShared", method = "put", operation_id = "shareRecordCourse")]
    async fn share(
        &self,
        caller: Allowed<ShareRecordCourse>,
        Body(wanted): Body<SharedChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = shelf::share(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出录播课程
    #[oai(path = "/export", method = "post", operation_id = "exportRecordCourses")]
    async fn export(
        &self,
        caller: Allowed<ExportRecordCourses>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<RecordCourseFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
