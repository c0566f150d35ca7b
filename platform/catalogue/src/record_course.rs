//! 录播课程: courses that learners watch, with their chapters and periods (01 §9.2). Only they can be taken over by schools.

mod sheet;
mod wire;

use catalogue_rules::{
    content::RecordContent,
    course::{CourseContent, SiteCourseKind},
};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, EnabledChange, Ids, Page, Paged, Part, Reply, Result, Saved,
    access::Permission,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

use crate::course::{
    PutawayChange, SharedChange, Typed, attachments_of, content_of, count, find, insert, lock, media_of, remove,
    select, set_putaway, share, update,
};

pub use wire::{RecordCourse, RecordCourseEdit, RecordCourseFilter, RecordCourseForm, RecordCourseView};

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
    InPlatform Writes      ShareRecordCourse         = "course:pc:course:record:update:schoolShared" "录播课程供院校使用";
    InPlatform ReadsLogged ExportRecordCourses      = "course:pc:course:record:export" "导出录播课程";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[export_job::<RecordCourses>()], ..Part::NONE };

const KIND: SiteCourseKind = SiteCourseKind::Record;

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
        let (paging, filter) = (asked.paging()?, (&asked.filter).into());
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, KIND, now, &filter).await?;
        let list =
            select(&mut tx, KIND, now, None, &filter, Some(paging)).map_ok(RecordCourse::from).try_collect().await?;
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
        let mut tx = caller.read().await?;
        let course = find(&mut tx, KIND, caller.app().clock().now(), id.0).await?.into();
        let content: RecordContent = content_of(&mut tx, id.0).await?;
        let whole = CourseContent::Record(content.clone());
        let media = media_of(&mut tx, &[&whole]).await?;
        let attachments = attachments_of(caller.app(), &mut tx, &whole).await?;
        Ok(reply(RecordCourseView { course, content, media, attachments }))
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
        let (id, change) = insert(&mut tx, form.submission, CourseContent::Record(form.content), may_publish).await?;
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
        let RecordCourseEdit { id, version, submission, content } = edit;
        let mut tx = caller.begin().await?;
        let typed = Typed { id, version, submission, content: CourseContent::Record(content) };
        let change = update(&mut tx, typed).await?;
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
        let change = remove(&mut tx, KIND, id.0).await?;
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
            let outcome = remove(bulk.row().await?, KIND, id).await;
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
        let change = set_putaway(&mut tx, KIND, &wanted).await?;
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
        lock(&mut tx, KIND, wanted.id).await?;
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
        let change = share(&mut tx, &wanted).await?;
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
