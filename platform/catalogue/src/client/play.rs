//! What the player of a lesson needs.

use catalogue_rules::beat::EVERY;
use chrono::TimeDelta;
use infra::{Customer, Error, Reads, Result, clock::Moment};
use poem_openapi::Object;
use settings::media::{MediaChannel, MediaState, play_token};

use super::{
    LearnerClient,
    attachment::{Of, ShownAttachment, of_lessons},
};
use crate::watch::lesson;

/// For so long the token of a player holds at least.
const TICKET: TimeDelta = TimeDelta::minutes(10);

/// What a player needs. The token is signed by the provider for this learner and video.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SitePlayTicket {
    /// 课程
    pub course_id: i64,
    /// 课时编号
    pub period_id: i64,
    /// 音视频通道
    pub channel: MediaChannel,
    /// 通道编号
    pub vid: String,
    /// 播放凭证
    /// 视频没有登记通道配置时为空
    pub play_token: Option<String>,
    /// 凭证有效期
    pub expires_at: Moment,
    /// 时长(秒)
    pub duration_seconds: Option<i32>,
    /// 学到(秒)
    pub position: i64,
    /// 心跳间隔(秒)
    pub beat_seconds: i64,
    /// 水印
    pub watermark: String,
    /// 附件
    pub attachments: Vec<ShownAttachment>,
}

/// # Errors
/// As [`lesson`]; 409 for a lesson that is not ready to be played, and for a live one without replay; those of the provider.
pub(super) async fn ticket(caller: &Customer<LearnerClient, Reads>, period_id: i64) -> Result<SitePlayTicket> {
    let (app, learner) = (&caller.app, caller.session.person_id);
    let now = app.clock().now();
    let mut tx = caller.read().await?;
    let lesson = lesson(&mut tx, learner, period_id, now).await?;
    let attachments = of_lessons(app, &mut tx, Of::Period(period_id), |_| true).await?.remove(&period_id);
    // The provider is asked while no transaction waits for it.
    drop(tx);
    let (Some(channel), Some(vid)) = (lesson.channel, lesson.vid) else {
        return Err(Error::conflict("该直播课时还没有回放，请在直播结束后观看"));
    };
    if lesson.state != Some(MediaState::Ready) {
        return Err(Error::conflict("该课时的音视频尚未就绪，请稍后再试"));
    }
    let play_token = play_token(app, channel, &vid, learner).await?;
    Ok(SitePlayTicket {
        course_id: lesson.course_id,
        period_id,
        channel,
        vid,
        play_token,
        expires_at: now + TICKET,
        duration_seconds: lesson.duration,
        position: lesson.position,
        beat_seconds: EVERY,
        watermark: caller.session.person_name.clone(),
        attachments: attachments.unwrap_or_default(),
    })
}
