//! An approved version becomes the course: chapters and periods that it names by their numbers stay themselves, others are
//! new, what it leaves out goes.

use std::collections::{HashMap, HashSet};

use catalogue_rules::{course::CourseContent, shelf::usable};
use infra::{Error, Result, Tx, clock::Moment, files, pinyin};
use settings::media::MediaState;

use super::{
    Putaway,
    content::{channels_are_free, lecturer_teaches, media_of, refers_to_what_is_there},
};

/// Learners can use all of what is on the shelf.
///
/// # Errors
/// 409 `请先添加课时` or `请先上传资源文件`, and for videos that are not ready.
pub(super) async fn may_be_on(tx: &mut Tx, content: &CourseContent) -> Result<()> {
    let ready: HashSet<i64> = media_of(tx, &[content])
        .await?
        .into_iter()
        .filter(|media| media.state == MediaState::Ready)
        .map(|media| media.id)
        .collect();
    Ok(usable(content, &ready)?)
}

/// A course on the shelf gets no version that learners could not watch, and no lecturer who was switched off. The caller holds the
/// course.
///
/// # Errors
/// As [`may_be_on`] and [`lecturer_teaches`].
pub(crate) async fn may_stay_on(tx: &mut Tx, course: i64, content: &CourseContent) -> Result<()> {
    let putaway = sqlx::query_scalar!(
        r#"select putaway as "putaway: Putaway" from platform.online_course where id = $1"#,
        course
    )
    .fetch_optional(&mut **tx)
    .await?;
    match putaway {
        Some(Putaway::On) => {
            lecturer_teaches(tx, content.head().lecturer_id, "课程").await?;
            may_be_on(tx, content).await
        }
        _ => Ok(()),
    }
}

/// Copies a version into course, chapters and periods. Answers the content with the numbers of its new parts, which the
/// version keeps too. The caller holds the course.
///
/// # Errors
/// As [`may_stay_on`] for a course on the shelf; 409 for what the version refers to and is gone, and for a channel that somebody else
/// has by now at the time of a lesson.
pub(crate) async fn publish(tx: &mut Tx, course: i64, revision: i64, content: CourseContent) -> Result<CourseContent> {
    refers_to_what_is_there(&content, tx).await?;
    may_stay_on(tx, course, &content).await?;
    channels_are_free(&content, tx, Some(course)).await?;
    let by = tx.by();
    let head = content.head();
    sqlx::query!(
        "update platform.online_course
         set course_name = $2, category_id = $3, lecturer_id = $4, cover = $5, introduce = $6, is_free = $7, price_original = $8,
             price_sale = $9, valid_days = $10, initials = $11, audit_status = 'approved', published_revision_id = $12,
             count_buy_base = $14, updated_at = now(), updated_by = $13, version = version + 1
         where id = $1",
        course,
        head.course_name,
        head.category_id,
        head.lecturer_id,
        head.cover,
        head.introduce.map(infra::RichText::as_str),
        head.is_free,
        head.price_original,
        head.price_sale,
        head.valid_days,
        pinyin::text_initials(head.course_name),
        revision,
        by,
        head.count_buy_base
    )
    .execute(&mut **tx)
    .await?;
    publish_file(tx, course, &content).await?;
    release_dropped(tx, course, &content).await?;
    let (_, kept) = content.parts();
    sqlx::query!(
        "delete from platform.online_period p using platform.online_chapter c
         where c.id = p.chapter_id and c.course_id = $1 and p.id <> all($2)",
        course,
        &kept
    )
    .execute(&mut **tx)
    .await?;
    let chapters = {
        let outline = outline(&content);
        let chapters = put_chapters(tx, course, &outline).await?;
        put_periods(tx, &outline, &chapters).await?;
        chapters
    };
    sqlx::query!("delete from platform.online_chapter where course_id = $1 and id <> all($2)", course, &chapters)
        .execute(&mut **tx)
        .await?;
    let content = numbered(tx, course, content).await?;
    sqlx::query!(
        "update platform.online_course_revision set content = $2 where id = $1",
        revision,
        content.to_stored()
    )
    .execute(&mut **tx)
    .await?;
    Ok(content)
}

/// A resource is its file.
async fn publish_file(tx: &mut Tx, course: i64, content: &CourseContent) -> Result<()> {
    let CourseContent::Resource(resource) = content else { return Ok(()) };
    sqlx::query!(
        "update platform.online_course
         set resource_file_key = $2, resource_file_name = $3, resource_ext = $4, resource_pages = $5,
             resource_size = (select f.size from platform.file_object f where f.key = $2)
         where id = $1",
        course,
        resource.resource_file_key,
        resource.resource_file_name,
        resource.extension(),
        resource.resource_pages
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Files that a version replaces or leaves out are nobody's any more.
async fn release_dropped(tx: &mut Tx, course: i64, content: &CourseContent) -> Result<()> {
    let kept = content.file_keys();
    let dropped = sqlx::query_scalar!(
        "select key from platform.file_object
         where owner_type = 'online_course' and owner_id = $1 and key <> all($2)",
        course,
        &kept
    )
    .fetch_all(&mut **tx)
    .await?;
    files::release(tx, &dropped).await
}

/// A chapter as it is written.
struct Chapter<'c> {
    id: Option<i64>,
    name: &'c str,
    described: Option<&'c str>,
    periods: Vec<Period<'c>>,
}

/// A lesson as it is written: watched, or given at a time on a channel.
struct Period<'c> {
    id: Option<i64>,
    name: &'c str,
    is_free: bool,
    media: Option<i64>,
    live: Option<(i64, Moment, Moment)>,
    replay: Option<i64>,
    attachments: &'c [String],
}

fn outline(content: &CourseContent) -> Vec<Chapter<'_>> {
    match content {
        CourseContent::Record(content) => content
            .chapters
            .iter()
            .map(|chapter| Chapter {
                id: chapter.id,
                name: &chapter.chapter_name,
                described: chapter.chapter_desc.as_deref(),
                periods: chapter
                    .periods
                    .iter()
                    .map(|period| Period {
                        id: period.id,
                        name: &period.period_name,
                        is_free: period.is_free,
                        media: Some(period.media_asset_id),
                        live: None,
                        replay: None,
                        attachments: &period.attachment_keys,
                    })
                    .collect(),
            })
            .collect(),
        CourseContent::Live(content) => content
            .chapters
            .iter()
            .map(|chapter| Chapter {
                id: chapter.id,
                name: &chapter.chapter_name,
                described: chapter.chapter_desc.as_deref(),
                periods: chapter
                    .periods
                    .iter()
                    .map(|period| Period {
                        id: period.id,
                        name: &period.period_name,
                        is_free: period.is_free,
                        media: None,
                        live: Some((period.live_channel_id, period.starts_at, period.ends_at)),
                        replay: period.replay_asset_id,
                        attachments: &period.attachment_keys,
                    })
                    .collect(),
            })
            .collect(),
        CourseContent::Resource(_) => Vec::new(),
    }
}

/// The places of chapters and periods, from one.
fn place(index: usize) -> Result<i32> {
    i32::try_from(index + 1).map_err(Error::internal)
}

/// Answers the numbers of the chapters in their order.
async fn put_chapters(tx: &mut Tx, course: i64, chapters: &[Chapter<'_>]) -> Result<Vec<i64>> {
    #[derive(Default)]
    struct Columns {
        ids: Vec<i64>,
        names: Vec<String>,
        described: Vec<String>,
        places: Vec<i32>,
    }
    let (mut old, mut new) = (Columns::default(), Columns::default());
    for (index, chapter) in chapters.iter().enumerate() {
        let columns = if chapter.id.is_some() { &mut old } else { &mut new };
        columns.ids.extend(chapter.id);
        columns.names.push(chapter.name.to_owned());
        columns.described.push(chapter.described.unwrap_or_default().to_owned());
        columns.places.push(place(index)?);
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.online_chapter c
         set chapter_name = k.name, chapter_desc = nullif(k.described, ''), sort = k.place, updated_at = now(), updated_by = $6,
             version = c.version + 1
         from unnest($2::bigint[], $3::text[], $4::text[], $5::integer[]) as k (id, name, described, place)
         where c.id = k.id and c.course_id = $1",
        course,
        &old.ids,
        &old.names,
        &old.described,
        &old.places,
        by
    )
    .execute(&mut **tx)
    .await?;
    let made = sqlx::query!(
        "insert into platform.online_chapter (course_id, chapter_name, chapter_desc, sort, created_by, updated_by)
         select $1, k.name, nullif(k.described, ''), k.place, $5, $5
         from unnest($2::text[], $3::text[], $4::integer[]) as k (name, described, place)
         returning id, sort",
        course,
        &new.names,
        &new.described,
        &new.places,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let made: HashMap<i32, i64> = made.into_iter().map(|row| (row.sort, row.id)).collect();
    let mut numbers = Vec::with_capacity(chapters.len());
    for (index, chapter) in chapters.iter().enumerate() {
        let number = match chapter.id {
            Some(id) => id,
            None => made.get(&place(index)?).copied().ok_or_else(|| Error::internal("a chapter was not made"))?,
        };
        numbers.push(number);
    }
    Ok(numbers)
}

async fn put_periods(tx: &mut Tx, outline: &[Chapter<'_>], chapters: &[i64]) -> Result<()> {
    #[derive(Default)]
    struct Columns {
        ids: Vec<i64>,
        chapters: Vec<i64>,
        names: Vec<String>,
        free: Vec<bool>,
        media: Vec<Option<i64>>,
        channels: Vec<Option<i64>>,
        begins: Vec<Option<Moment>>,
        ends: Vec<Option<Moment>>,
        replays: Vec<Option<i64>>,
        /// Those of one lesson in one text: no key has a comma.
        attachments: Vec<String>,
        places: Vec<i32>,
    }
    let (mut old, mut new) = (Columns::default(), Columns::default());
    for (chapter, number) in outline.iter().zip(chapters) {
        for (index, period) in chapter.periods.iter().enumerate() {
            let columns = if period.id.is_some() { &mut old } else { &mut new };
            columns.ids.extend(period.id);
            columns.chapters.push(*number);
            columns.names.push(period.name.to_owned());
            columns.free.push(period.is_free);
            columns.media.push(period.media);
            columns.channels.push(period.live.map(|(channel, ..)| channel));
            columns.begins.push(period.live.map(|(_, from, _)| from));
            columns.ends.push(period.live.map(|(.., to)| to));
            columns.replays.push(period.replay);
            columns.attachments.push(period.attachments.join(","));
            columns.places.push(place(index)?);
        }
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.online_period p
         set chapter_id = k.chapter, period_name = k.name, is_free = k.free, media_asset_id = k.media, live_channel_id = k.channel,
             starts_at = k.begins, ends_at = k.ends, replay_asset_id = k.replay,
             attachment_keys = string_to_array(k.attachments, ','), sort = k.place, updated_at = now(), updated_by = $11,
             version = p.version + 1
         from unnest($1::bigint[], $2::bigint[], $3::text[], $4::boolean[], $5::bigint[], $6::bigint[], $7::timestamptz[],
                     $8::timestamptz[], $9::bigint[], $10::integer[], $12::text[])
              as k (id, chapter, name, free, media, channel, begins, ends, replay, place, attachments)
         where p.id = k.id",
        &old.ids,
        &old.chapters,
        &old.names,
        &old.free,
        &old.media as &[Option<i64>],
        &old.channels as &[Option<i64>],
        &old.begins as &[Option<Moment>],
        &old.ends as &[Option<Moment>],
        &old.replays as &[Option<i64>],
        &old.places,
        by,
        &old.attachments
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into platform.online_period (chapter_id, period_name, is_free, media_asset_id, live_channel_id, starts_at, ends_at,
             replay_asset_id, attachment_keys, sort, created_by, updated_by)
         select k.chapter, k.name, k.free, k.media, k.channel, k.begins, k.ends, k.replay, string_to_array(k.attachments, ','),
                k.place, $10, $10
         from unnest($1::bigint[], $2::text[], $3::boolean[], $4::bigint[], $5::bigint[], $6::timestamptz[], $7::timestamptz[],
                     $8::bigint[], $9::integer[], $11::text[])
              as k (chapter, name, free, media, channel, begins, ends, replay, place, attachments)",
        &new.chapters,
        &new.names,
        &new.free,
        &new.media as &[Option<i64>],
        &new.channels as &[Option<i64>],
        &new.begins as &[Option<Moment>],
        &new.ends as &[Option<Moment>],
        &new.replays as &[Option<i64>],
        &new.places,
        by,
        &new.attachments
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The content with the number of every chapter and period, so that its next version names them.
async fn numbered(tx: &mut Tx, course: i64, mut content: CourseContent) -> Result<CourseContent> {
    let chapters =
        sqlx::query_scalar!("select id from platform.online_chapter where course_id = $1 order by sort", course)
            .fetch_all(&mut **tx)
            .await?;
    let periods = sqlx::query_scalar!(
        "select p.id from platform.online_period p join platform.online_chapter c on c.id = p.chapter_id
         where c.course_id = $1 order by c.sort, p.sort",
        course
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut periods = periods.into_iter();
    match &mut content {
        CourseContent::Record(content) => {
            for (chapter, number) in content.chapters.iter_mut().zip(chapters) {
                chapter.id = Some(number);
                for period in &mut chapter.periods {
                    period.id = periods.next();
                }
            }
        }
        CourseContent::Live(content) => {
            for (chapter, number) in content.chapters.iter_mut().zip(chapters) {
                chapter.id = Some(number);
                for period in &mut chapter.periods {
                    period.id = periods.next();
                }
            }
        }
        CourseContent::Resource(_) => {}
    }
    Ok(content)
}
