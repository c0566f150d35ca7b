//! What visitors and learners ask of the courses of the site, and what its lecturers hand in (01 §9.11). Everybody sees what is on the
//! shelf; a lesson is played by whoever has the right to it, or where it is free.

mod attachment;
mod list;
mod play;
mod submit;
mod view;

use infra::{Body, Customer, Page, Part, Public, Reads, Reply, Result, Sorted, Writes, clients, pace::Pace, reply};
use poem_openapi::{OpenApi, param::Query};

pub use attachment::ShownAttachment;
pub use list::{ShownCourse, ShownCourseFilter, ShownCourseSort};
pub use play::SitePlayTicket;
pub use submit::{CourseSubmit, CourseSubmitted};
pub use view::{ShownChapter, ShownComment, ShownCourseView, ShownLecturer, ShownPeriod, ShownReply};

clients! {
    /// Learners alone, also for the modules that stand on this one. `learners` names them too: it stands behind accounts, messages and
    /// sign-ins, for which neither this module nor the courses of schools wait.
    pub LearnerClient = "learner";
}

pub const PART: Part = Part { enumerations: &[ShownCourseSort::ENUMERATION], ..Part::NONE };

/// People who share an address look through the courses.
const OF_ADDRESS: Pace = Pace::per_minute(240);
/// A ticket asks the provider of the video.
const TICKETS: Pace = Pace::per_minute(60);

pub struct SiteCourses;

#[OpenApi(prefix_path = "/course/client/course", tag = "crate::Tag::Catalogue")]
impl SiteCourses {
    /// 网站课程列表
    /// 推荐的在前，其余按新旧；未按字段排序时，按分类查询的取该分类的推荐，否则取首页推荐
    #[oai(path = "/list", method = "post", operation_id = "listSiteCourses")]
    async fn list(
        &self,
        caller: Public,
        Body(asked): Body<Sorted<ShownCourseFilter, ShownCourseSort>>,
    ) -> Result<Reply<Page<ShownCourse>>> {
        caller.app.in_pace("site courses", &caller.visit.ip, OF_ADDRESS)?;
        let (paging, filter) = (asked.paging()?, asked.filter);
        let now = caller.app.clock().now();
        let mut tx = caller.platform().await?;
        let total = list::count(&mut tx, now, &filter).await?;
        let list = list::select(&mut tx, now, list::Wanted::Filtered(&filter, paging)).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 网站课程详情
    /// 附章节课时、讲师、最近的评论和详情页推荐；附件的地址只给已登录且可学习该课时的学员
    #[oai(path = "/view", method = "get", operation_id = "viewSiteCourse")]
    async fn view(
        &self,
        caller: Public,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ShownCourseView>> {
        caller.app.in_pace("site courses", &caller.visit.ip, OF_ADDRESS)?;
        let learner = caller.customer::<LearnerClient>().await?.map(|session| session.person_id);
        let mut tx = caller.platform().await?;
        Ok(reply(view::of(&caller.app, &mut tx, id.0, learner).await?))
    }

    /// 播放凭证
    /// 已购买，或课程、课时免费时可用
    #[oai(path = "/playToken", method = "get", operation_id = "playSiteLesson")]
    async fn play(
        &self,
        caller: Customer<LearnerClient, Reads>,
        /// 课时编号
        #[oai(name = "periodId")]
        period_id: Query<i64>,
    ) -> Result<Reply<SitePlayTicket>> {
        caller.app.in_pace("site play", &caller.session.person_id.to_string(), TICKETS)?;
        Ok(reply(play::ticket(&caller, period_id.0).await?))
    }

    /// 讲师提交课程
    /// 提交后为待审核版本；课程的讲师为登录人本人，内容中不必填写
    #[oai(path = "/submit", method = "post", operation_id = "submitCourse")]
    async fn submit(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(sent): Body<CourseSubmit>,
    ) -> Result<Reply<CourseSubmitted>> {
        Ok(reply(submit::submit(&caller, sent).await?))
    }
}
