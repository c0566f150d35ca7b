//! Whether what a course refers to is there, and the media that it refers to.

use std::collections::HashMap;

use catalogue_rules::content::{CourseMedia, RecordContent};
use infra::{Error, FieldError, Result, Tx, naming::switched_off};
use settings::media::MediaChannel;
use sqlx::PgConnection;

/// The content, when everything that it refers to is there. What `before` referred to already may have been switched
/// off since. `course` is the course that is edited.
///
/// # Errors
/// 422 at the field, 409 when chapters or periods are not the course's.
pub(super) async fn checked(
    content: RecordContent,
    tx: &mut Tx,
    course: Option<i64>,
    before: Option<&RecordContent>,
) -> Result<RecordContent> {
    let content = content.in_itself()?;
    let category = sqlx::query!(
        "select category_name, enabled from platform.online_category where id = $1 and category_type = 'record'",
        content.category_id
    )
    .fetch_optional(&mut **tx)
    .await?;
    let kept = before.is_some_and(|before| before.category_id == content.category_id);
    match category {
        None => return Err(Error::field("categoryId", "所选分类不存在，请重新选择")),
        Some(category) if !category.enabled && !kept => {
            return Err(switched_off("categoryId", &category.category_name));
        }
        Some(_) => {}
    }
    let lecturer =
        sqlx::query!("select lecturer_name, enabled from platform.lecturer where id = $1", content.lecturer_id)
            .fetch_optional(&mut **tx)
            .await?;
    let kept = before.is_some_and(|before| before.lecturer_id == content.lecturer_id);
    match lecturer {
        None => return Err(Error::field("lecturerId", "所选讲师不存在，请重新选择")),
        Some(lecturer) if !lecturer.enabled && !kept => {
            return Err(switched_off("lecturerId", &lecturer.lecturer_name));
        }
        Some(_) => {}
    }
    media_is_playable(&content, tx).await?;
    parts_are_of(&content, tx, course).await?;
    Ok(content)
}

/// A file of the store has no player, for learners as little as for schools.
async fn media_is_playable(content: &RecordContent, tx: &mut Tx) -> Result<()> {
    let known: HashMap<i64, MediaChannel> =
        media_of(tx, &[content]).await?.into_iter().map(|media| (media.id, media.channel)).collect();
    let mut wrong = Vec::new();
    for (chapter_place, chapter) in content.chapters.iter().enumerate() {
        for (place, period) in chapter.periods.iter().enumerate() {
            let message = match known.get(&period.media_asset_id) {
                None => "所选音视频不存在，请重新选择",
                Some(MediaChannel::Storage) => "对象存储中的文件不能在线播放，请上传到视频通道",
                Some(_) => continue,
            };
            let field = format!("chapters[{chapter_place}].periods[{place}].mediaAssetId");
            wrong.push(FieldError { field, message: message.to_owned() });
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Error::fields(wrong)) }
}

async fn parts_are_of(content: &RecordContent, tx: &mut Tx, course: Option<i64>) -> Result<()> {
    let chapters: Vec<i64> = content.chapters.iter().filter_map(|chapter| chapter.id).collect();
    let periods: Vec<i64> = content.periods().filter_map(|period| period.id).collect();
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
pub(crate) async fn media_of(connection: &mut PgConnection, contents: &[&RecordContent]) -> Result<Vec<CourseMedia>> {
    let ids: Vec<i64> =
        contents.iter().flat_map(|content| content.periods()).map(|period| period.media_asset_id).collect();
    let media = sqlx::query_as!(
        CourseMedia,
        r#"select id, title, channel as "channel: _", duration, state as "state: _"
           from platform.media_asset where id = any($1) order by id"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    Ok(media)
}
