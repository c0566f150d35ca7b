//! What learners send of the courses that they watch: the beats of their player, what they say and what they give (01 §9.11).

use catalogue::{client::LearnerClient, watch::lesson};
use infra::{Body, Customer, Reply, Result, Saved, Writes, access::WritesUnlogged, pace::Pace, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use settings::sensitive::{Screened, screen_field};

use crate::{
    comment::{CommentStatus, Said, say, screened},
    progress::{Beat, beat, standing},
    rating::{Scored, has_bought, rate},
};

/// Comments of one learner.
const COMMENTS: Pace = Pace::per_minute(10);

/// What a player tells every half a minute.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SiteBeat {
    /// 课时编号
    pub period_id: i64,
    /// 播放位置(秒)
    #[oai(validator(minimum(value = "0"), maximum(value = "86400")))]
    pub position: i64,
    /// 上次上报以来的观看时长(秒)
    #[oai(validator(minimum(value = "0"), maximum(value = "86400")))]
    pub delta: i64,
}

impl Example for SiteBeat {
    fn example() -> Self {
        Self { period_id: 1, position: 60, delta: 30 }
    }
}

/// What was counted of it, and how far the learner is by now.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteBeatAnswer {
    /// 计入时长(秒)
    /// 不超过实际间隔的2倍加5秒；另一设备正在播放时为0
    pub accepted_seconds: i64,
    /// 本课时已学时长(秒)
    pub watched_seconds: i64,
    /// 学到(秒)
    pub position_seconds: i64,
    /// 本课时已完成
    pub finished: bool,
    /// 课程进度(%)
    /// 已完成课时÷总课时，一位小数
    pub progress: f64,
}

/// What a learner says of a course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CourseCommentForm {
    /// 课程
    pub course_id: i64,
    /// 回复的评论
    pub parent_id: Option<i64>,
    /// 评论
    #[oai(validator(max_length = 500))]
    pub content: String,
}

impl Example for CourseCommentForm {
    fn example() -> Self {
        Self { course_id: 1, parent_id: None, content: "讲得很清楚".to_owned() }
    }
}

/// A comment that is kept, and whether others see it already.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseCommentSaved {
    /// 编号
    pub id: i64,
    /// 审核状态
    /// 待审核的通过后才展示
    pub audit_status: CommentStatus,
}

/// What a buyer gives a course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CourseRatingForm {
    /// 课程
    pub course_id: i64,
    /// 评分
    #[oai(validator(minimum(value = "1"), maximum(value = "5")))]
    pub score: i16,
    /// 评分内容
    #[oai(validator(max_length = 200))]
    pub content: Option<String>,
}

impl Example for CourseRatingForm {
    fn example() -> Self {
        Self { course_id: 1, score: 5, content: None }
    }
}

pub struct OwnSiteStudy;

#[OpenApi(prefix_path = "/course/client", tag = "crate::Tag::SiteStudy")]
impl OwnSiteStudy {
    /// 学习进度上报
    /// 播放时每30秒一次；同一时间只计一台设备
    #[oai(path = "/study/progress", method = "post", operation_id = "reportSiteProgress")]
    async fn progress(
        &self,
        caller: Customer<LearnerClient, WritesUnlogged>,
        Body(told): Body<SiteBeat>,
    ) -> Result<Reply<SiteBeatAnswer>> {
        let now = caller.app.clock().now();
        let session = &caller.session;
        let mut tx = caller.begin().await?;
        lesson(&mut tx, session.person_id, told.period_id, now).await?;
        let one = Beat {
            learner_id: session.person_id,
            learner_name: session.person_name.clone(),
            phone: session.login_name.clone(),
            period_id: told.period_id,
            position: told.position,
            delta: told.delta,
            // A sign-in elsewhere ends this one, so each is one device.
            device: session.jti.to_string(),
        };
        let accepted_seconds = beat(&mut tx, now, &one).await?;
        let stands = standing(&mut tx, session.person_id, told.period_id).await?;
        tx.commit_untracked("how far a learner is is its own record").await?;
        Ok(reply(SiteBeatAnswer {
            accepted_seconds,
            watched_seconds: stands.watched_seconds,
            position_seconds: stands.position_seconds,
            finished: stands.finished,
            progress: stands.progress,
        }))
    }

    /// 发表课程评论
    /// 需审核的评论通过后才展示
    #[oai(path = "/comment/save", method = "post", operation_id = "saveOwnCourseComment")]
    async fn comment(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(form): Body<CourseCommentForm>,
    ) -> Result<Reply<CourseCommentSaved>> {
        let session = &caller.session;
        caller.app.in_pace("course comment", &session.person_id.to_string(), COMMENTS)?;
        let CourseCommentForm { course_id, parent_id, content } = form;
        let learner = (session.person_id, session.person_name.clone());
        let (content, status) = screened(&caller.app, &content).await?;
        let said = Said { course_id, learner, parent_id, content, status, ip: Some(caller.visit.ip.clone()) };
        let mut tx = caller.begin().await?;
        let (id, change) = say(&mut tx, said).await?;
        tx.commit(change).await?;
        Ok(reply(CourseCommentSaved { id, audit_status: status }))
    }

    /// 课程评分
    /// 购买后可评一次
    #[oai(path = "/comment/score/save", method = "post", operation_id = "saveOwnCourseRating")]
    async fn score(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(form): Body<CourseRatingForm>,
    ) -> Result<Reply<Saved>> {
        let CourseRatingForm { course_id, score, content } = form;
        let content = match content {
            None => None,
            Some(text) => match screen_field(&caller.app, "content", &text).await? {
                Screened::Publish(text) | Screened::Review(text) => Some(text),
            },
        };
        let learner = (caller.session.person_id, caller.session.person_name.clone());
        let mut tx = caller.begin().await?;
        let bought = has_bought(&mut tx, learner.0, course_id).await?;
        let (id, change) = rate(&mut tx, Scored { course_id, learner, score, content, bought }).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}
