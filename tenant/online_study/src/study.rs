//! Study in the students' client: the chapters of a course, a period that is opened, and the beats of its player (part 03 B10).

mod beat;
mod chapters;
mod periods;
mod play;

use infra::{Body, Client, Reads, Reply, Result, reply};
use online_study_rules::beat::Beat;
use poem_openapi::{OpenApi, param::Query};

pub use beat::BeatAnswer;
pub use chapters::StudyCourse;
pub use play::PlayTicket;

pub(crate) use periods::lines;

use crate::{StudentClient, WritesOften, course::course_of_student};

pub struct OwnStudy;

#[OpenApi(prefix_path = "/user/client", tag = "crate::Tag::OnlineStudy")]
impl OwnStudy {
    /// 课程章节
    #[oai(path = "/course/chapters", method = "get", operation_id = "viewOwnChapters")]
    async fn chapters(
        &self,
        caller: Client<StudentClient, Reads>,
        /// 选课编号
        #[oai(name = "selectionId")]
        selection_id: Query<i64>,
    ) -> Result<Reply<StudyCourse>> {
        let mut tx = caller.read().await?;
        let course = course_of_student(&mut tx, selection_id.0, caller.session.person_id).await?;
        Ok(reply(chapters::of(&mut tx, &course, caller.app.clock().now()).await?))
    }

    /// 播放课时
    /// 应答中的播放会话随后用于心跳；同一学生只能有一个播放会话
    #[oai(path = "/study/play", method = "get", operation_id = "playPeriod")]
    async fn play(
        &self,
        caller: Client<StudentClient, WritesOften>,
        /// 选课编号
        #[oai(name = "selectionId")]
        selection_id: Query<i64>,
        /// 课时编号
        #[oai(name = "periodId")]
        period_id: Query<i64>,
    ) -> Result<Reply<PlayTicket>> {
        Ok(reply(play::play(&caller, selection_id.0, period_id.0).await?))
    }

    /// 学习心跳
    /// 每30秒一次，序号递增；以同一序号重发时，返回第一次的结果
    #[oai(path = "/study/heartbeat", method = "post", operation_id = "beatStudy")]
    async fn beat(
        &self,
        caller: Client<StudentClient, WritesOften>,
        Body(beat): Body<Beat>,
    ) -> Result<Reply<BeatAnswer>> {
        Ok(reply(beat::beat(&caller, &beat).await?))
    }
}

/// The operations of the students' client.
pub(crate) fn api() -> impl OpenApi {
    OwnStudy
}
