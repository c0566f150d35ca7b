//! Whether what a course refers to is there, and the media that it refers to.

use std::collections::HashMap;

use catalogue_rules::{
    content::{CourseMedia, RecordContent},
    course::CourseContent,
    live::{LiveContent, occupied},
};
use infra::{Error, FieldError, Result, Tx, clock::Moment, naming::switched_off};
use settings::media::MediaChannel;
use sqlx::PgConnection;

/// The content, when everything that it refers to is there. What `before` referred to already may have been switched
/// off since. `course` is the course that is edited.
///
/// # Errors
/// 422 at the field, 409 when chapters or periods are not the course's, and when a channel is taken at the time of a lesson.
pub(super) async fn checked(
    content: CourseContent,
    tx: &mut Tx,
    course: Option<i64>,
    before: Option<&CourseContent>,
) -> Result<CourseContent> {
    let content = content.in_itself()?;
    let (head, old) = (content.head(), before.map(CourseContent::head));
    let category = sqlx::query!(
        "select category_name, enabled from platform.online_category where id = $1 and category_type = $2",
        head.category_id,
        content.kind().as_str()
    )
    .fetch_optional(&mut **tx)
    .await?;
    let kept = old.is_some_and(|old| old.category_id == head.category_id);
    match category {
        None => return Err(Error::field("categoryId", "所选分类不存在，请重新选择")),
        Some(category) if !category.enabled && !kept => {
            return Err(switched_off("categoryId", &category.category_name));
        }
        Some(_) => {}
    }
    let lecturer = sqlx::query!("select lecturer_name, enabled from platform.lecturer where id = $1", head.lecturer_id)
        .fetch_optional(&mut **tx)
        .await?;
    let kept = old.is_some_and(|old| old.lecturer_id == head.lecturer_id);
    match lecturer {
        None => return Err(Error::field("lecturerId", "所选讲师不存在，请重新选择")),
        Some(lecturer) if !lecturer.enabled && !kept => {
            return Err(switched_off("lecturerId", &lecturer.lecturer_name));
        }
        Some(_) => {}
    }
    match &content {
        CourseContent::Record(record) => media_is_playable(record, tx).await?,
        CourseContent::Live(live) => {
            replays_are_playable(live, tx).await?;
            channels_are_there(live, tx, before).await?;
            channels_are_free(&content, tx, course).await?;
        }
        CourseContent::Resource(_) => {}
    }
    parts_are_of(&content, tx, course).await?;
    Ok(content)
}

/// Why a video cannot be watched, if so. A file of the store has no player, for learners as little as for schools.
fn unplayable(channel: Option<&MediaChannel>) -> Option<&'static str> {
    match channel {
        None => Some("所选音视频不存在，请重新选择"),
        Some(MediaChannel::Storage) => Some("对象存储中的文件不能在线播放，请上传到视频通道"),
        Some(_) => None,
    }
}

async fn media_is_playable(content: &RecordContent, tx: &mut Tx) -> Result<()> {
    let ids: Vec<i64> = content.periods().map(|period| period.media_asset_id).collect();
    let known = channels_of_media(tx, &ids).await?;
    let mut wrong = Vec::new();
    for (chapter_place, chapter) in content.chapters.iter().enumerate() {
        for (place, period) in chapter.periods.iter().enumerate() {
            let Some(message) = unplayable(known.get(&period.media_asset_id)) else { continue };
            let field = format!("chapters[{chapter_place}].periods[{place}].mediaAssetId");
            wrong.push(FieldError { field, message: message.to_owned() });
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Error::fields(wrong)) }
}

async fn replays_are_playable(content: &LiveContent, tx: &mut Tx) -> Result<()> {
    let ids: Vec<i64> = content.periods().filter_map(|period| period.replay_asset_id).collect();
    let known = channels_of_media(tx, &ids).await?;
    let mut wrong = Vec::new();
    for (chapter_place, chapter) in content.chapters.iter().enumerate() {
        for (place, period) in chapter.periods.iter().enumerate() {
            let Some(replay) = period.replay_asset_id else { continue };
            let Some(message) = unplayable(known.get(&replay)) else { continue };
            let field = format!("chapters[{chapter_place}].periods[{place}].replayAssetId");
            wrong.push(FieldError { field, message: message.to_owned() });
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Error::fields(wrong)) }
}

async fn channels_of_media(tx: &mut Tx, ids: &[i64]) -> Result<HashMap<i64, MediaChannel>> {
    Ok(media_by(tx, ids).await?.into_iter().map(|media| (media.id, media.channel)).collect())
}

/// Channels that were switched off since stay with the lessons that had them.
async fn channels_are_there(content: &LiveContent, tx: &mut Tx, before: Option<&CourseContent>) -> Result<()> {
    let ids: Vec<i64> = content.periods().map(|period| period.live_channel_id).collect();
    let rows = sqlx::query!(
        r#"select id, channel_name, enabled and state <> 'ended' as "open!" from platform.live_channel where id = any($1)"#,
        &ids
    )
        .fetch_all(&mut **tx)
        .await?;
    let known: HashMap<i64, (String, bool)> =
        rows.into_iter().map(|row| (row.id, (row.channel_name, row.open))).collect();
    let kept = before.map(CourseContent::channels).unwrap_or_default();
    let mut wrong = Vec::new();
    for (chapter_place, chapter) in content.chapters.iter().enumerate() {
        for (place, period) in chapter.periods.iter().enumerate() {
            let message = match known.get(&period.live_channel_id) {
                None => "所选直播频道不存在，请重新选择".to_owned(),
                Some((name, false)) if !kept.contains(&period.live_channel_id) => {
                    format!("“{name}”已停用或已关闭，请选择其他项")
                }
                Some(_) => continue,
            };
            wrong.push(FieldError {
                field: format!("chapters[{chapter_place}].periods[{place}].liveChannelId"),
                message,
            });
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Error::fields(wrong)) }
}

/// Nobody else is on a channel of these lessons at their time. The channels are held until the transaction ends, in the order of
/// their numbers, so that of two who want the same hour one waits and is told.
///
/// # Errors
/// 409 for a channel that another course has at that time.
pub(super) async fn channels_are_free(content: &CourseContent, tx: &mut Tx, course: Option<i64>) -> Result<()> {
    let CourseContent::Live(live) = content else { return Ok(()) };
    let times = live.times();
    let channels: Vec<i64> = times.iter().map(|each| each.channel).collect();
    sqlx::query!("select id from platform.live_channel where id = any($1) order by id for update", &channels)
        .fetch_all(&mut **tx)
        .await?;
    let from: Vec<Moment> = times.iter().map(|each| each.from).collect();
    let to: Vec<Moment> = times.iter().map(|each| each.to).collect();
    let taken = sqlx::query_scalar!(
        r#"select exists (
               select from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) as w (channel, begins, ends)
               join platform.online_period p on p.live_channel_id = w.channel and p.starts_at < w.ends and p.ends_at > w.begins
               join platform.online_chapter c on c.id = p.chapter_id
               where c.course_id is distinct from $4) as "taken!""#,
        &channels,
        &from as &[Moment],
        &to as &[Moment],
        course
    )
    .fetch_one(&mut **tx)
    .await?;
    if taken { Err(occupied()) } else { Ok(()) }
}

async fn parts_are_of(content: &CourseContent, tx: &mut Tx, course: Option<i64>) -> Result<()> {
    let (chapters, periods) = content.parts();
    let known = sqlx::query!(
        r#"select (select count(*) from platform.online_chapter where course_id = $1 and id = any($2)) as "chapters!",
                  (select count(*) from platform.online_period p join platform.online_chapter c on c.id = p.chapter_id
                   where c.course_id = $1 and p.id = any($3)) as "periods!""#,
        course,
        &chapters,
        &periods
    )
    .fetch_one(&mut **tx)
    .await?;
    let all = i64::try_from(chapters.len()) == Ok(known.chapters) && i64::try_from(periods.len()) == Ok(known.periods);
    if all { Ok(()) } else { Err(Error::conflict("章节课时已变化，请刷新后重试")) }
}

/// The media of some contents.
pub(crate) async fn media_of(connection: &mut PgConnection, contents: &[&CourseContent]) -> Result<Vec<CourseMedia>> {
    let ids: Vec<i64> = contents.iter().flat_map(|content| content.media()).collect();
    media_by(connection, &ids).await
}

async fn media_by(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<CourseMedia>> {
    let media = sqlx::query_as!(
        CourseMedia,
        r#"select id, title, channel as "channel: _", duration, state as "state: _"
           from platform.media_asset where id = any($1) order by id"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    Ok(media)
}
