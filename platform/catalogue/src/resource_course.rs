//! 文库资源: files that are sold (01 §9.2).

mod sheet;
mod wire;

use catalogue_rules::{
    course::{CourseContent, CourseKind},
    resource::ResourceContent,
};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, EnabledChange, Ids, Page, Paged, Part, Reply, Result, Saved,
    access::Permission,
    files, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

use crate::course::{PutawayChange, Typed, content_of, count, find, insert, lock, remove, select, set_putaway, update};

pub use wire::{
    ResourceCourse, ResourceCourseEdit, ResourceCourseFilter, ResourceCourseForm, ResourceCourseView, ResourceExtension,
};

permissions! {
    pages "/course/resource/list";
    InPlatform Reads       ListResourceCourses        = "course:pc:course:resource:list" "文库资源列表";
    InPlatform Reads       ViewResourceCourse         = "course:pc:course:resource:view" "查看文库资源";
    InPlatform Writes      SaveResourceCourse         = "course:pc:course:resource:save" "新增文库资源";
    InPlatform Writes      EditResourceCourse         = "course:pc:course:resource:edit" "编辑文库资源";
    InPlatform Writes      DeleteResourceCourse       = "course:pc:course:resource:delete" "删除文库资源";
    InPlatform Writes      DeleteResourceCourses      = "course:pc:course:resource:batchDel" "批量删除文库资源";
    InPlatform Writes      ChangeResourcePutaway      = "course:pc:course:resource:update:putaway" "文库资源上下架";
    InPlatform Writes      ChangeResourceCourseStatus = "course:pc:course:resource:update:status" "启用停用文库资源";
    InPlatform ReadsLogged ExportResourceCourses      = "course:pc:course:resource:export" "导出文库资源";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[ResourceExtension::ENUMERATION],
    params: &[&[files::purpose("upload.ext.library", "文库资源格式", "doc,docx,xls,xlsx,ppt,pptx,pdf,zip")]],
    jobs: &[export_job::<ResourceCourses>()],
    ..Part::NONE
};

const KIND: CourseKind = CourseKind::Resource;

pub struct ResourceCourses;

#[OpenApi(prefix_path = "/course/pc/course/resource", tag = "crate::Tag::Catalogue")]
impl ResourceCourses {
    /// 文库资源列表
    #[oai(path = "/list", method = "post", operation_id = "listResourceCourses")]
    async fn list(
        &self,
        caller: Allowed<ListResourceCourses>,
        Body(asked): Body<Paged<ResourceCourseFilter>>,
    ) -> Result<Reply<Page<ResourceCourse>>> {
        let (paging, filter) = (asked.paging()?, (&asked.filter).into());
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, KIND, now, &filter).await?;
        let list =
            select(&mut tx, KIND, now, None, &filter, Some(paging)).map_ok(ResourceCourse::from).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看文库资源
    /// 内容为尚未通过的版本，没有时为已发布的版本
    #[oai(path = "/view", method = "get", operation_id = "viewResourceCourse")]
    async fn view(
        &self,
        caller: Allowed<ViewResourceCourse>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ResourceCourseView>> {
        let mut tx = caller.read().await?;
        let course = find(&mut tx, KIND, caller.app().clock().now(), id.0).await?.into();
        let content: ResourceContent = content_of(&mut tx, id.0).await?;
        let file_url = match &content.resource_file_key {
            Some(key) => {
                let name = content.resource_file_name.as_deref().unwrap_or_default();
                Some(files::url_of(caller.app(), key, name).await?)
            }
            None => None,
        };
        Ok(reply(ResourceCourseView { course, content, file_url }))
    }

    /// 新增文库资源
    #[oai(path = "/save", method = "post", operation_id = "saveResourceCourse")]
    async fn save(
        &self,
        caller: Allowed<SaveResourceCourse>,
        Body(form): Body<ResourceCourseForm>,
    ) -> Result<Reply<Saved>> {
        let may_publish = caller.holds(EditResourceCourse::CODE);
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form.submission, CourseContent::Resource(form.content), may_publish).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑文库资源
    #[oai(path = "/edit", method = "put", operation_id = "editResourceCourse")]
    async fn edit(
        &self,
        caller: Allowed<EditResourceCourse>,
        Body(edit): Body<ResourceCourseEdit>,
    ) -> Result<Reply<Saved>> {
        let ResourceCourseEdit { id, version, submission, content } = edit;
        let mut tx = caller.begin().await?;
        let typed = Typed { id, version, submission, content: CourseContent::Resource(content) };
        let change = update(&mut tx, typed).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除文库资源
    #[oai(path = "/delete", method = "delete", operation_id = "deleteResourceCourse")]
    async fn delete(
        &self,
        caller: Allowed<DeleteResourceCourse>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, KIND, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除文库资源
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteResourceCourses")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteResourceCourses>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "online_course", "course_name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, KIND, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 文库资源上下架
    #[oai(path = "/update/putaway", method = "put", operation_id = "changeResourcePutaway")]
    async fn change_putaway(
        &self,
        caller: Allowed<ChangeResourcePutaway>,
        Body(wanted): Body<PutawayChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = set_putaway(&mut tx, KIND, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 启用停用文库资源
    #[oai(path = "/update/status", method = "put", operation_id = "changeResourceCourseStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeResourceCourseStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        lock(&mut tx, KIND, wanted.id).await?;
        let change = tx.set_enabled("online_course", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出文库资源
    #[oai(path = "/export", method = "post", operation_id = "exportResourceCourses")]
    async fn export(
        &self,
        caller: Allowed<ExportResourceCourses>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ResourceCourseFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
