//! 课程统计: of each course who bought, studied and finished it, and what they think of it (01 §9.2).
//!
//! Who finished: learners with all lessons among those who began. The days of the filter narrow the time that was studied, not the
//! people.

mod list;
mod sheet;

use chrono::Days;
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Page, Paged, Part, Reply, Result, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use list::{CourseFigures, CourseFiguresFilter, FigureCharts, SiteStudyDay, TopCourse};

use list::{charts, count, select};

permissions! {
    pages "/course/statistics/list";
    InPlatform Reads       ListSiteFigures   = "course:pc:statistics:list" "课程统计列表";
    InPlatform Reads       ChartSiteFigures  = "course:pc:statistics:chart" "课程统计图表";
    InPlatform ReadsLogged ExportSiteFigures = "course:pc:statistics:export" "导出课程统计";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[export_job::<SiteFigures>()], ..Part::NONE };

/// The chart's days, today among them.
const DAYS: u64 = 30;

pub struct SiteFigures;

#[OpenApi(prefix_path = "/course/pc/statistics", tag = "crate::Tag::SiteStudy")]
impl SiteFigures {
    /// 课程统计列表
    #[oai(path = "/list", method = "post", operation_id = "listSiteFigures")]
    async fn list(
        &self,
        caller: Allowed<ListSiteFigures>,
        Body(asked): Body<Paged<CourseFiguresFilter>>,
    ) -> Result<Reply<Page<CourseFigures>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 课程统计图表
    /// 近30天学习时长和购买最多的10门课程
    #[oai(path = "/chart", method = "post", operation_id = "chartSiteFigures")]
    async fn chart(
        &self,
        caller: Allowed<ChartSiteFigures>,
        Body(filter): Body<CourseFiguresFilter>,
    ) -> Result<Reply<FigureCharts>> {
        let today = caller.app().clock().today();
        let from = today.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(today);
        let mut tx = caller.read().await?;
        Ok(reply(charts(&mut tx, &filter, (from, today)).await?))
    }

    /// 导出课程统计
    #[oai(path = "/export", method = "post", operation_id = "exportSiteFigures")]
    async fn export(
        &self,
        caller: Allowed<ExportSiteFigures>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CourseFiguresFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
