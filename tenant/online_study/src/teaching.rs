//! 在线教学设置: what of an opened course is studied online, when, and from which share on a period is finished (part 03 B5).

mod form;
mod select;
mod sheet;

use infra::{
    Allowed, Body, BulkResult, Edit, Entity, History, Paged, Part, Reply, Result, Saved,
    across::{self, Keyed, SchoolPage},
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use online_study_rules::teaching::{OnlineTeachingForm, OnlineTeachings};
use poem_openapi::{OpenApi, param::Query};

pub use select::{OnlineTeaching, OnlineTeachingFilter};

permissions! {
    pages "/schoolPC/educational/selection/onlineTeaching", "/platformPC/educational/selection/onlineTeaching";
    EachSchool Reads       ListTeachings   = "adult:pc:onlineTeaching:list" "在线教学列表";
    EachSchool Reads       ViewTeaching    = "adult:pc:onlineTeaching:view" "查看在线教学";
    InSchool   Writes      EditTeaching    = "adult:pc:onlineTeaching:edit" "编辑在线教学";
    InSchool   Writes      EditTeachings   = "adult:pc:onlineTeaching:edit" "编辑在线教学";
    EachSchool ReadsLogged ExportTeachings = "adult:pc:onlineTeaching:export" "导出在线教学";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "online_teaching", name: "在线教学", counted: "个在线教学设置" }],
    jobs: &[export_job::<Teachings>()],
    histories: &[History {
        table: "online_teaching",
        code: "adult:pc:onlineTeaching:view",
        // It lies where a student of its opening is: the first of those that the caller sees.
        scope: Some((
            "(select s.site_id from course_selection c join student s on s.id = c.student_id
              where c.opening_id = online_teaching.id and s.site_id = any($2) limit 1)",
            Some(
                "(select s.class_id from course_selection c join student s on s.id = c.student_id
                  where c.opening_id = online_teaching.id and s.class_id = any($3) limit 1)",
            ),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of opened courses with how they are studied.
pub struct Teachings;

pub struct TeachingRows;

#[OpenApi(prefix_path = "/adult/pc/onlineTeaching", tag = "crate::Tag::OnlineStudy")]
impl TeachingRows {
    /// 在线教学列表
    #[oai(path = "/list", method = "post", operation_id = "listOnlineTeachings")]
    async fn list(
        &self,
        caller: Allowed<ListTeachings>,
        Body(asked): Body<Paged<OnlineTeachingFilter>>,
    ) -> Result<Reply<SchoolPage<OnlineTeaching>>> {
        across::list::<Teachings, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看在线教学
    #[oai(path = "/view", method = "get", operation_id = "viewOnlineTeaching")]
    async fn view(
        &self,
        caller: Allowed<ViewTeaching>,
        /// 开课编号
        id: Query<i64>,
    ) -> Result<Reply<OnlineTeaching>> {
        let mut tx = caller.read().await?;
        Ok(reply(Teachings::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 编辑在线教学
    /// 编号为开课编号；尚未设置过的，版本为0
    #[oai(path = "/edit", method = "put", operation_id = "editOnlineTeaching")]
    async fn edit(
        &self,
        caller: Allowed<EditTeaching>,
        Body(edit): Body<Edit<OnlineTeachingForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        course_selection::opening::hold(&mut tx, &[id]).await?;
        let change = form::write(&mut tx, edit, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 批量设置在线教学
    /// 只修改填写的项目
    #[oai(path = "/batchEdit", method = "put", operation_id = "setOnlineTeachings")]
    async fn set(
        &self,
        caller: Allowed<EditTeachings>,
        Body(wanted): Body<OnlineTeachings>,
    ) -> Result<Reply<BulkResult>> {
        let tx = caller.begin().await?;
        Ok(reply(form::write_all(tx, wanted, &caller.scope()).await?))
    }

    /// 导出在线教学
    #[oai(path = "/export", method = "post", operation_id = "exportOnlineTeachings")]
    async fn export(
        &self,
        caller: Allowed<ExportTeachings>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<OnlineTeachingFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Teachings>(&caller, asked.filter, job.0).await
    }
}

/// The operations on what is studied.
pub(crate) fn api() -> impl OpenApi {
    TeachingRows
}
