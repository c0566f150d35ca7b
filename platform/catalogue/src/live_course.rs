//! 直播课程: courses that are given at a time, on channels where no two lessons meet (01 §9.2).

mod sheet;
mod wire;

use catalogue_rules::{
    course::{CourseContent, SiteCourseKind},
    live::LiveContent,
};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, EnabledChange, Ids, Page, Paged, Part, Reply, Result, Saved,
    access::Permission,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

use crate::course::{
    PutawayChange, Typed, attachments_of, content_of, count, find, insert, lock, media_of, remove, select, set_putaway,
    update,
};

pub use wire::{CourseChannel, LiveCourse, LiveCourseEdit, LiveCourseFilter, LiveCourseForm, LiveCourseView};

permissions! {
    pages "/course/live/list";
    InPlatform Reads       ListLiveCourses        = "course:pc:course:live:list" "直播课程列表";
    InPlatform Reads       ViewLiveCourse         = "course:pc:course:live:view" "查看直播课程";
    InPlatform Writes      SaveLiveCourse         = "course:pc:course:live:save" "新增直播课程";
    InPlatform Writes      EditLiveCourse         = "course:pc:course:live:edit" "编辑直播课程";
    InPlatform Writes      DeleteLiveCourse       = "course:pc:course:live:delete" "删除直播课程";
    InPlatform Writes      DeleteLiveCourses      = "course:pc:course:live:batchDel" "批量删除直播课程";
    InPlatform Writes      ChangeLivePutaway      = "course:pc:course:live:update:putaway" "直播课程上下架";
    InPlatform Writes      ChangeLiveCourseStatus = "course:pc:course:live:update:status" "启用停用直播课程";
    InPlatform ReadsLogged ExportLiveCourses      = "course:pc:course:live:export" "导出直播课程";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[export_job::<LiveCourses>()], ..Part::NONE };

const KIND: SiteCourseKind = SiteCourseKind::Live;

pub struct LiveCourses;

#[OpenApi(prefix_path = "/course/pc/course/live", tag = "crate::Tag::Catalogue")]
impl LiveCourses {
    /// 直播课程列表
    #[oai(path = "/list", method = "post", operation_id = "listLiveCourses")]
    async fn list(
        &self,
        caller: Allowed<ListLiveCourses>,
        Body(asked): Body<Paged<LiveCourseFilter>>,
    ) -> Result<Reply<Page<LiveCourse>>> {
        let (paging, filter) = (asked.paging()?, (&asked.filter).into());
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, KIND, now, &filter).await?;
        let list =
            select(&mut tx, KIND, now, None, &filter, Some(paging)).map_ok(LiveCourse::from).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看直播课程
    /// 内容为尚未通过的版本，没有时为已发布的版本
    #[oai(path = "/view", method = "get", operation_id = "viewLiveCourse")]
    async fn view(
        &self,
        caller: Allowed<ViewLiveCourse>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<LiveCourseView>> {
        let mut tx = caller.read().await?;
        let course = find(&mut tx, KIND, caller.app().clock().now(), id.0).await?.into();
        let content: LiveContent = content_of(&mut tx, id.0).await?;
        let whole = CourseContent::Live(content.clone());
        let media = media_of(&mut tx, &[&whole]).await?;
        let channels = channels_of(&mut tx, &whole.channels()).await?;
        let attachments = attachments_of(caller.app(), &mut tx, &whole).await?;
        Ok(reply(LiveCourseView { course, content, media, attachments, channels }))
    }

    /// 新增直播课程
    #[oai(path = "/save", method = "post", operation_id = "saveLiveCourse")]
    async fn save(&self, caller: Allowed<SaveLiveCourse>, Body(form): Body<LiveCourseForm>) -> Result<Reply<Saved>> {
        let may_publish = caller.holds(EditLiveCourse::CODE);
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form.submission, CourseContent::Live(form.content), may_publish).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑直播课程
    #[oai(path = "/edit", method = "put", operation_id = "editLiveCourse")]
    async fn edit(&self, caller: Allowed<EditLiveCourse>, Body(edit): Body<LiveCourseEdit>) -> Result<Reply<Saved>> {
        let LiveCourseEdit { id, version, submission, content } = edit;
        let mut tx = caller.begin().await?;
        let typed = Typed { id, version, submission, content: CourseContent::Live(content) };
        let change = update(&mut tx, typed).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除直播课程
    #[oai(path = "/delete", method = "delete", operation_id = "deleteLiveCourse")]
    async fn delete(
        &self,
        caller: Allowed<DeleteLiveCourse>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, KIND, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除直播课程
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteLiveCourses")]
    async fn delete_many(&self, caller: Allowed<DeleteLiveCourses>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "online_course", "course_name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, KIND, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 直播课程上下架
    #[oai(path = "/update/putaway", method = "put", operation_id = "changeLivePutaway")]
    async fn change_putaway(
        &self,
        caller: Allowed<ChangeLivePutaway>,
        Body(wanted): Body<PutawayChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = set_putaway(&mut tx, KIND, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 启用停用直播课程
    #[oai(path = "/update/status", method = "put", operation_id = "changeLiveCourseStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeLiveCourseStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        lock(&mut tx, KIND, wanted.id).await?;
        let change = tx.set_enabled("online_course", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出直播课程
    #[oai(path = "/export", method = "post", operation_id = "exportLiveCourses")]
    async fn export(
        &self,
        caller: Allowed<ExportLiveCourses>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<LiveCourseFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// The names of channels.
async fn channels_of(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<CourseChannel>> {
    let channels = sqlx::query_as!(
        CourseChannel,
        "select id, channel_name from platform.live_channel where id = any($1) order by id",
        ids
    )
    .fetch_all(connection)
    .await?;
    Ok(channels)
}
