//! 课程评分: one of each buyer, from 1 to 5 (01 §9.3). The course's average follows in the same transaction.

mod list;
mod rate;
mod sheet;

use catalogue::course::rescore;
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Change, Entity, Page, Paged, Part, Reply, Result, Saved, Tx, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query};

pub use list::{CourseRating, CourseRatingFilter, RatingCount};
pub(crate) use rate::has_bought;
pub use rate::{Scored, rate};

use list::{find, select, spread};

permissions! {
    pages "/course/comment/score";
    InPlatform Reads       ListCourseRatings   = "course:pc:comment:score:list" "课程评分列表";
    InPlatform Writes      DeleteCourseRating  = "course:pc:comment:score:delete" "删除课程评分";
    InPlatform ReadsLogged ExportCourseRatings = "course:pc:comment:score:export" "导出课程评分";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "course_rating", name: "课程评分", counted: "条评分" }],
    jobs: &[export_job::<Ratings>()],
    ..Part::NONE
};

/// A page of scores, with what all that the filter names come to.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseRatingPage {
    #[oai(flatten)]
    page: Page<CourseRating>,
    /// 平均分
    /// 一位小数，没有评分时为空
    average: Option<f64>,
    /// 各分人数
    distribution: Vec<RatingCount>,
}

pub struct Ratings;

#[OpenApi(prefix_path = "/course/pc/comment/score", tag = "crate::Tag::SiteStudy")]
impl Ratings {
    /// 课程评分列表
    #[oai(path = "/list", method = "post", operation_id = "listCourseRatings")]
    async fn list(
        &self,
        caller: Allowed<ListCourseRatings>,
        Body(asked): Body<Paged<CourseRatingFilter>>,
    ) -> Result<Reply<CourseRatingPage>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let spread = spread(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        let page = paging.page(spread.count, list);
        Ok(reply(CourseRatingPage { page, average: spread.average, distribution: spread.distribution }))
    }

    /// 删除课程评分
    /// 课程平均分随之重算
    #[oai(path = "/delete", method = "delete", operation_id = "deleteCourseRating")]
    async fn delete(
        &self,
        caller: Allowed<DeleteCourseRating>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 导出课程评分
    #[oai(path = "/export", method = "post", operation_id = "exportCourseRatings")]
    async fn export(
        &self,
        caller: Allowed<ExportCourseRatings>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CourseRatingFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    tx.lock("online_course", before.course_id).await?;
    tx.remove("course_rating", id, &before.course_name).await?;
    rescore(tx, before.course_id).await?;
    Ok(Change::deleted("course_rating", id, &before))
}
