//! 学习进度: how far learners are with courses that are watched (01 §9.2).
//!
//! A lesson is finished when 95 % of it were covered; a course is as far as its finished lessons.

mod beat;
mod list;
mod sheet;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Entity, Page, Paged, Part, Reply, Result, UnmaskedFields, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub(crate) use beat::standing;
pub use beat::{Beat, beat};
pub use list::{PeriodProgress, SiteProgress, SiteProgressFilter, SiteProgressView};

use list::{count, find, periods, select};

permissions! {
    pages "/course/progress/list";
    InPlatform Reads       ListSiteProgress        = "course:pc:progress:list" "学习进度列表";
    InPlatform Reads       ViewSiteProgress        = "course:pc:progress:view" "查看学习进度";
    InPlatform ReadsLogged ViewSiteProgressPlain   = "course:pc:progress:viewPlain" "查看学员完整手机";
    InPlatform ReadsLogged ExportSiteProgress      = "course:pc:progress:export" "导出学习进度";
    InPlatform ReadsLogged ExportSiteProgressPlain = "course:pc:progress:exportPlain" "导出学员完整手机";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity {
        table: "online_course_study", name: "网站学习记录", counted: "名学员的学习记录"
    }],
    jobs: &[export_job::<SiteProgresses>()],
    plain: &[PLAIN],
    ..Part::NONE
};

const PLAIN: UnmaskedFields = UnmaskedFields {
    entity: "siteProgress",
    table: "platform.online_course_study",
    code: "course:pc:progress:viewPlain",
    fields: &[("phone", "(select e.phone from platform.user_ext e where e.id = learner_id)")],
    scope: ("id", None),
    live: None,
    platform: Some("$2::bigint is null and $3::bigint is not null"),
};

pub struct SiteProgresses;

#[OpenApi(prefix_path = "/course/pc/progress", tag = "crate::Tag::SiteStudy")]
impl SiteProgresses {
    /// 学习进度列表
    #[oai(path = "/list", method = "post", operation_id = "listSiteProgress")]
    async fn list(
        &self,
        caller: Allowed<ListSiteProgress>,
        Body(asked): Body<Paged<SiteProgressFilter>>,
    ) -> Result<Reply<Page<SiteProgress>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let mut list: Vec<SiteProgress> = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        list.iter_mut().for_each(SiteProgress::mask);
        Ok(reply(paging.page(total, list)))
    }

    /// 查看学习进度
    /// 按课时列出
    #[oai(path = "/view", method = "get", operation_id = "viewSiteProgress")]
    async fn view(
        &self,
        caller: Allowed<ViewSiteProgress>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<SiteProgressView>> {
        let mut tx = caller.read().await?;
        let mut progress = find(&mut tx, id.0).await?;
        let periods = periods(&mut tx, id.0).await?;
        progress.mask();
        Ok(reply(SiteProgressView { progress, periods }))
    }

    /// 导出学习进度
    #[oai(path = "/export", method = "post", operation_id = "exportSiteProgress")]
    async fn export(
        &self,
        caller: Allowed<ExportSiteProgress>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SiteProgressFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
