//! Whether what a course refers to is there, and the media that it refers to.

use std::collections::{HashMap, HashSet};

use catalogue_rules::{
    content::{CourseMedia, RecordContent},
    course::CourseContent,
    live::{LiveContent, LivePeriod, occupied},
};
use infra::{Error, FieldError, Result, Tx, clock::Moment, naming::switched_off};
use settings::media::MediaChannel;
use sqlx::PgConnection;

use crate::category;

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
    category::may_be_chosen(tx, content.kind().as_str(), head.category_id, old.map(|old| old.category_id)).await?;
    lecturer_may_be_chosen(tx, head.lecturer_id, old.map(|old| old.lecturer_id)).await?;
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

/// A lecturer who is chosen for something; the one whom it had `before` may have been switched off since.
///
/// # Errors
/// 422 at `lecturerId`.
pub async fn lecturer_may_be_chosen(tx: &mut Tx, id: i64, before: Option<i64>) -> Result<()> {
    let known = sqlx::query!("select lecturer_name, enabled from platform.lecturer where id = $1", id)
        .fetch_optional(&mut **tx)
        .await?;
    match known {
        None => Err(Error::field("lecturerId", "所选讲师不存在，请重新选择")),
        Some(known) if !known.enabled && before != Some(id) => Err(switched_off("lecturerId", &known.lecturer_name)),
        Some(_) => Ok(()),
    }
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

/// Channels that were switched off since stay with the lessons that have them, as long as those are not moved.
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
    let kept: Vec<&LivePeriod> = match before {
        Some(CourseContent::Live(before)) => before.periods().collect(),
        _ => Vec::new(),
    };
    let mut wrong = Vec::new();
    for (chapter_place, chapter) in content.chapters.iter().enumerate() {
        for (place, period) in chapter.periods.iter().enumerate() {
            let message = match known.get(&period.live_channel_id) {
                None => "所选直播频道不存在，请重新选择".to_owned(),
                Some((name, false)) if !kept.iter().any(|old| period.stays(old)) => {
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

/// A version may have waited for long: what it refers to is still there when it is published, and stays there until the
/// transaction ends.
///
/// # Errors
/// 409 for a category, lecturer, video or channel that is gone, and for a lesson that is new on a channel or moved there while the
/// channel gives none any more.
pub(super) async fn refers_to_what_is_there(content: &CourseContent, tx: &mut Tx) -> Result<()> {
    let head = content.head();
    let mut gone = gone(tx, content.kind().as_str(), Some(head.category_id), Some(head.lecturer_id)).await?;
    let wanted: HashSet<i64> = content.media().into_iter().collect();
    let media: Vec<i64> = wanted.iter().copied().collect();
    let held =
        sqlx::query_scalar!("select id from platform.media_asset where id = any($1) order by id for key share", &media)
            .fetch_all(&mut **tx)
            .await?;
    if held.len() != wanted.len() {
        gone.push("音视频");
    }
    let wanted: HashSet<i64> = content.channels().into_iter().collect();
    let channels: Vec<i64> = wanted.iter().copied().collect();
    let held = sqlx::query_scalar!(
        "select id from platform.live_channel where id = any($1) order by id for update",
        &channels
    )
    .fetch_all(&mut **tx)
    .await?;
    if held.len() != wanted.len() {
        gone.push("直播频道");
    }
    nothing_is_gone(&gone)?;
    lessons_are_given(content, tx).await
}

/// What is gone of the category, of a kind, and of the lecturer that a version refers to; what is there stays until the transaction ends.
///
/// # Errors
/// Those of the database.
pub async fn gone(tx: &mut Tx, kind: &str, category: Option<i64>, lecturer: Option<i64>) -> Result<Vec<&'static str>> {
    let mut gone = Vec::new();
    if category.is_some() {
        let known = sqlx::query_scalar!(
            "select id from platform.online_category where id = $1 and category_type = $2 for key share",
            category,
            kind
        )
        .fetch_optional(&mut **tx)
        .await?;
        if known.is_none() {
            gone.push("分类");
        }
    }
    if lecturer.is_some() {
        let known = sqlx::query_scalar!("select id from platform.lecturer where id = $1 for share", lecturer)
            .fetch_optional(&mut **tx)
            .await?;
        if known.is_none() {
            gone.push("讲师");
        }
    }
    Ok(gone)
}

/// # Errors
/// 409 with what is gone of a version that was to be published.
pub fn nothing_is_gone(gone: &[&str]) -> Result<()> {
    if gone.is_empty() {
        return Ok(());
    }
    Err(Error::conflict(format!("该版本的{}已被删除，不能发布，请修改后重新提交", gone.join("、"))))
}

/// # Errors
/// 409 for a channel that gives no lessons any more; those that are published there stay.
async fn lessons_are_given(content: &CourseContent, tx: &mut Tx) -> Result<()> {
    let CourseContent::Live(live) = content else { return Ok(()) };
    let ids: Vec<Option<i64>> = live.periods().map(|period| period.id).collect();
    let channels: Vec<i64> = live.periods().map(|period| period.live_channel_id).collect();
    let from: Vec<Moment> = live.periods().map(|period| period.starts_at).collect();
    let to: Vec<Moment> = live.periods().map(|period| period.ends_at).collect();
    let closed = sqlx::query_scalar!(
        r#"select l.channel_name as "channel_name!"
           from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::timestamptz[]) as w (id, channel, begins, ends)
           join platform.live_channel l on l.id = w.channel
           where not (l.enabled and l.state <> 'ended')
             and not exists (select from platform.online_period p
                             where p.id = w.id and p.live_channel_id = w.channel and p.starts_at = w.begins
                               and p.ends_at = w.ends)
           order by l.id limit 1"#,
        &ids as &[Option<i64>],
        &channels,
        &from as &[Moment],
        &to as &[Moment]
    )
    .fetch_optional(&mut **tx)
    .await?;
    match closed {
        Some(name) => Err(Error::conflict(format!("直播频道“{name}”已停用或已关闭，不能发布，请修改后重新提交"))),
        None => Ok(()),
    }
}

/// What is on the shelf, called `what`, has a lecturer who teaches; held, so that they are not switched off meanwhile.
///
/// # Errors
/// 409 for one who was switched off.
pub async fn lecturer_teaches(tx: &mut Tx, lecturer: i64, what: &str) -> Result<()> {
    let lecturer =
        sqlx::query!("select lecturer_name, enabled from platform.lecturer where id = $1 for share", lecturer)
            .fetch_optional(&mut **tx)
            .await?;
    match lecturer {
        Some(lecturer) if !lecturer.enabled => {
            Err(Error::conflict(format!("讲师“{}”已停用，{what}不能上架", lecturer.lecturer_name)))
        }
        _ => Ok(()),
    }
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
