//! An approved version becomes the course: chapters and periods that it names by their numbers stay themselves, others are
//! new, what it leaves out goes.

use std::collections::{HashMap, HashSet};

use catalogue_rules::{content::RecordContent, shelf::watchable};
use infra::{Error, Result, Tx, pinyin};
use settings::media::MediaState;

use super::{Putaway, content::media_of};

/// Learners can watch every period of what is on the shelf.
///
/// # Errors
/// 409 `请先添加课时`, and for videos that are not ready.
pub(super) async fn may_be_on(tx: &mut Tx, content: &RecordContent) -> Result<()> {
    let ready: HashSet<i64> = media_of(tx, &[content])
        .await?
        .into_iter()
        .filter(|media| media.state == MediaState::Ready)
        .map(|media| media.id)
        .collect();
    Ok(watchable(content, &ready)?)
}

/// A course on the shelf gets no version that learners could not watch. The caller holds the course.
///
/// # Errors
/// As [`may_be_on`].
pub(crate) async fn may_stay_on(tx: &mut Tx, course: i64, content: &RecordContent) -> Result<()> {
    let putaway = sqlx::query_scalar!(
        r#"select putaway as "putaway: Putaway" from platform.online_course where id = $1"#,
        course
    )
    .fetch_optional(&mut **tx)
    .await?;
    match putaway {
        Some(Putaway::On) => may_be_on(tx, content).await,
        _ => Ok(()),
    }
}

/// Copies a version into course, chapters and periods. Answers the content with the numbers of its new parts, which the
/// version keeps too. The caller holds the course.
///
/// # Errors
/// As [`may_be_on`] for a course on the shelf.
pub(crate) async fn publish(tx: &mut Tx, course: i64, revision: i64, content: RecordContent) -> Result<RecordContent> {
    may_stay_on(tx, course, &content).await?;
    let by = tx.by();
    sqlx::query!(
        "update platform.online_course
         set course_name = $2, category_id = $3, lecturer_id = $4, cover = $5, introduce = $6, is_free = $7, price_original = $8,
             price_sale = $9, valid_days = $10, initials = $11, audit_status = 'approved', published_revision_id = $12,
             updated_at = now(), updated_by = $13, version = version + 1
         where id = $1",
        course,
        content.course_name,
        content.category_id,
        content.lecturer_id,
        content.cover,
        content.introduce.as_ref().map(infra::RichText::as_str),
        content.is_free,
        content.price_original,
        content.price_sale,
        content.valid_days,
        pinyin::text_initials(&content.course_name),
        revision,
        by
    )
    .execute(&mut **tx)
    .await?;
    let kept: Vec<i64> = content.periods().filter_map(|period| period.id).collect();
    sqlx::query!(
        "delete from platform.online_period p using platform.online_chapter c
         where c.id = p.chapter_id and c.course_id = $1 and p.id <> all($2)",
        course,
        &kept
    )
    .execute(&mut **tx)
    .await?;
    let chapters = put_chapters(tx, course, &content).await?;
    put_periods(tx, &content, &chapters).await?;
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

/// The places of chapters and periods, from one.
fn place(index: usize) -> Result<i32> {
    i32::try_from(index + 1).map_err(Error::internal)
}

/// Answers the numbers of the chapters in their order.
async fn put_chapters(tx: &mut Tx, course: i64, content: &RecordContent) -> Result<Vec<i64>> {
    #[derive(Default)]
    struct Columns {
        ids: Vec<i64>,
        names: Vec<String>,
        described: Vec<String>,
        places: Vec<i32>,
    }
    let (mut old, mut new) = (Columns::default(), Columns::default());
    for (index, chapter) in content.chapters.iter().enumerate() {
        let columns = if chapter.id.is_some() { &mut old } else { &mut new };
        columns.ids.extend(chapter.id);
        columns.names.push(chapter.chapter_name.clone());
        columns.described.push(chapter.chapter_desc.clone().unwrap_or_default());
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
    let mut numbers = Vec::with_capacity(content.chapters.len());
    for (index, chapter) in content.chapters.iter().enumerate() {
        let number = match chapter.id {
            Some(id) => id,
            None => made.get(&place(index)?).copied().ok_or_else(|| Error::internal("a chapter was not made"))?,
        };
        numbers.push(number);
    }
    Ok(numbers)
}

async fn put_periods(tx: &mut Tx, content: &RecordContent, chapters: &[i64]) -> Result<()> {
    #[derive(Default)]
    struct Columns {
        ids: Vec<i64>,
        chapters: Vec<i64>,
        names: Vec<String>,
        free: Vec<bool>,
        media: Vec<i64>,
        places: Vec<i32>,
    }
    let (mut old, mut new) = (Columns::default(), Columns::default());
    for (chapter, number) in content.chapters.iter().zip(chapters) {
        for (index, period) in chapter.periods.iter().enumerate() {
            let columns = if period.id.is_some() { &mut old } else { &mut new };
            columns.ids.extend(period.id);
            columns.chapters.push(*number);
            columns.names.push(period.period_name.clone());
            columns.free.push(period.is_free);
            columns.media.push(period.media_asset_id);
            columns.places.push(place(index)?);
        }
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.online_period p
         set chapter_id = k.chapter, period_name = k.name, is_free = k.free, media_asset_id = k.media, sort = k.place,
             updated_at = now(), updated_by = $7, version = p.version + 1
         from unnest($1::bigint[], $2::bigint[], $3::text[], $4::boolean[], $5::bigint[], $6::integer[])
              as k (id, chapter, name, free, media, place)
         where p.id = k.id",
        &old.ids,
        &old.chapters,
        &old.names,
        &old.free,
        &old.media,
        &old.places,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into platform.online_period (chapter_id, period_name, is_free, media_asset_id, sort, created_by, updated_by)
         select k.chapter, k.name, k.free, k.media, k.place, $6, $6
         from unnest($1::bigint[], $2::text[], $3::boolean[], $4::bigint[], $5::integer[])
              as k (chapter, name, free, media, place)",
        &new.chapters,
        &new.names,
        &new.free,
        &new.media,
        &new.places,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The content with the number of every chapter and period, so that its next version names them.
async fn numbered(tx: &mut Tx, course: i64, mut content: RecordContent) -> Result<RecordContent> {
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
    for (chapter, number) in content.chapters.iter_mut().zip(chapters) {
        chapter.id = Some(number);
        for period in &mut chapter.periods {
            period.id = periods.next();
        }
    }
    Ok(content)
}
