//! How a shared course is looked at and taken over.

use std::collections::HashMap;

use catalogue::shared::{SharedChapter, SharedCourse};
use infra::{
    Change, Error, OnConstraint, Result, RichText, Tx,
    naming::{switched_off, tidy},
    pinyin,
};
use serde_json::json;
use settings::media;
use sqlx::PgConnection;

use super::{PlatformChapter, PlatformCourse, PlatformCourseView, PlatformPeriod};
use crate::{course::CourseSource, period::PeriodKind};

/// The courses, each with whether the school has taken it over.
pub(super) async fn shown(connection: &mut PgConnection, courses: Vec<SharedCourse>) -> Result<Vec<PlatformCourse>> {
    let ids: Vec<i64> = courses.iter().map(|course| course.id).collect();
    let taken = sqlx::query_scalar!(
        r#"select distinct platform_course_id as "id!" from course_record where platform_course_id = any($1)"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    Ok(courses
        .into_iter()
        .map(|course| PlatformCourse {
            taken: taken.contains(&course.id),
            id: course.id,
            course_name: course.course_name,
            category_name: course.category_name,
            lecturer_name: course.lecturer_name,
            cover: course.cover,
            chapter_total: course.chapter_total,
            period_total: course.period_total,
            total_seconds: course.total_seconds,
        })
        .collect())
}

/// # Errors
/// 404 for a course that is not shared.
pub(super) async fn looked_at(
    connection: &mut PgConnection,
    found: Option<(SharedCourse, Vec<SharedChapter>)>,
) -> Result<PlatformCourseView> {
    let (course, chapters) = found.ok_or_else(Error::not_found)?;
    let course = shown(connection, vec![course]).await?.pop().ok_or_else(Error::not_found)?;
    let chapters = chapters
        .into_iter()
        .map(|chapter| PlatformChapter {
            chapter_name: chapter.chapter_name,
            periods: chapter
                .periods
                .into_iter()
                .map(|period| PlatformPeriod {
                    period_name: period.period_name,
                    is_free: period.is_free,
                    duration: period.media.duration,
                })
                .collect(),
        })
        .collect();
    Ok(PlatformCourseView { course, chapters })
}

/// Makes a draft of the shared course. Answers its number and all that was made, the record first.
///
/// # Errors
/// 422 at the course that cannot be used; 409 when this version was taken over already.
pub(super) async fn take_over(
    tx: &mut Tx,
    course_id: i64,
    found: Option<(SharedCourse, Vec<SharedChapter>)>,
) -> Result<(i64, Vec<Change>)> {
    let (shared, chapters) =
        found.ok_or_else(|| Error::field("platformCourseId", "该平台课程不存在或已停止供院校使用，请重新选择"))?;
    // Nobody else gives the course a chapter, a version or a default meanwhile.
    let course = sqlx::query!("select name, enabled from course where id = $1 for update", course_id)
        .fetch_optional(&mut **tx)
        .await?;
    match course {
        None => return Err(Error::field("courseId", "所选课程不存在，请重新选择")),
        Some(course) if !course.enabled => return Err(switched_off("courseId", &course.name)),
        Some(_) => {}
    }
    let record = insert_record(tx, course_id, &shared).await?;
    let (places, made_chapters) = merge_chapters(tx, course_id, &chapters).await?;
    let wanted: Vec<&media::MediaReference> =
        chapters.iter().flat_map(|chapter| &chapter.periods).map(|period| &period.media).collect();
    let (media, made_media) = media::refer(tx, &wanted).await?;
    insert_periods(tx, &Target { record, course_id, places, media }, &chapters).await?;
    let what = json!({
        "courseId": course_id, "name": shared.course_name, "source": CourseSource::Platform.as_str(),
        "platformCourseId": shared.id, "platformRevisionId": shared.revision_id, "periodCount": shared.period_total,
    });
    let changes = [Change::event("course_record", record, "insert", what)];
    Ok((record, changes.into_iter().chain(made_chapters).chain(made_media).collect()))
}

/// A newer version of the operator's course becomes the next version of the school's.
async fn insert_record(tx: &mut Tx, course_id: i64, shared: &SharedCourse) -> Result<i64> {
    let name = tidy(&shared.course_name);
    let by = tx.by();
    sqlx::query_scalar!(
        "insert into course_record (course_id, name, lecturer_name, cover_url, introduction, source, platform_course_id,
             platform_revision_id, version_no, is_default, initials, created_by, updated_by)
         select $1::bigint, $2::text, $3::text, $4::text, $5::text, $6::text, $7::bigint, $8::bigint,
                coalesce(max(version_no) filter (where platform_course_id = $7), 0) + 1,
                not coalesce(bool_or(is_default), false), $9::text, $10::bigint, $10::bigint
         from course_record where course_id = $1
         returning id",
        course_id,
        name,
        shared.lecturer_name,
        shared.cover,
        shared.introduce.as_ref().map(RichText::as_str),
        CourseSource::Platform.as_str(),
        shared.id,
        shared.revision_id,
        pinyin::text_initials(&name),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "course_record_platform_taken").then(|| Error::conflict("该课程已引用此平台课程"))
    })
}

/// Chapters of the same title are one. Answers the number of each title, and what was made.
async fn merge_chapters(
    tx: &mut Tx,
    course_id: i64,
    chapters: &[SharedChapter],
) -> Result<(HashMap<String, i64>, Vec<Change>)> {
    let mut titles: Vec<String> = Vec::new();
    for title in chapters.iter().map(|chapter| tidy(&chapter.chapter_name)) {
        // Blanks are all that two titles may have differed in.
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    let initials: Vec<String> = titles.iter().map(|title| pinyin::text_initials(title)).collect();
    let by = tx.by();
    let made = sqlx::query!(
        "insert into course_chapter (course_id, title, initials, sort_no, created_by, updated_by)
         select $1::bigint, w.title, w.initials,
                least(9999, last.sort_no + 10 * w.place)::integer, $4::bigint, $4::bigint
         from unnest($2::text[], $3::text[]) with ordinality as w (title, initials, place)
         cross join (select coalesce(max(sort_no), 0) as sort_no from course_chapter
                     where course_id = $1 and parent_id is null) as last
         on conflict on constraint course_chapter_title_taken do nothing
         returning id, title",
        course_id,
        &titles,
        &initials,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let changes = made
        .into_iter()
        .map(|row| {
            let what = json!({ "courseId": course_id, "parentId": null, "title": row.title, "hours": 0 });
            Change::event("course_chapter", row.id, "insert", what)
        })
        .collect();
    let known = sqlx::query!(
        "select id, title from course_chapter where course_id = $1 and parent_id is null and title = any($2)",
        course_id,
        &titles
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok((known.into_iter().map(|row| (row.title, row.id)).collect(), changes))
}

/// Where the periods go.
struct Target {
    record: i64,
    course_id: i64,
    /// Chapters by their titles.
    places: HashMap<String, i64>,
    media: HashMap<(media::MediaChannel, String), i64>,
}

async fn insert_periods(tx: &mut Tx, target: &Target, chapters: &[SharedChapter]) -> Result<()> {
    let (mut places, mut titles, mut assets, mut seconds, mut free) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for chapter in chapters {
        let place = target.places.get(&tidy(&chapter.chapter_name)).copied();
        let place = place.ok_or_else(|| Error::internal("a chapter was not merged"))?;
        for period in &chapter.periods {
            let key = (period.media.channel, period.media.vid.clone());
            let asset =
                target.media.get(&key).copied().ok_or_else(|| Error::internal("a video was not referred to"))?;
            places.push(place);
            titles.push(tidy(&period.period_name));
            assets.push(asset);
            seconds.push(period.media.duration.unwrap_or_default());
            free.push(period.is_free);
        }
    }
    let by = tx.by();
    sqlx::query!(
        "insert into course_period (course_record_id, course_id, chapter_id, title, kind, media_asset_id, duration_seconds,
             free_preview, sort_no, created_by, updated_by)
         select $1::bigint, $2::bigint, w.chapter, w.title, $3::text, w.media, case when w.seconds > 0 then w.seconds end, w.free,
                least(9999, w.place)::integer, $9::bigint, $9::bigint
         from unnest($4::bigint[], $5::text[], $6::bigint[], $7::integer[], $8::boolean[]) with ordinality
              as w (chapter, title, media, seconds, free, place)",
        target.record,
        target.course_id,
        PeriodKind::Video.as_str(),
        &places,
        &titles,
        &assets,
        &seconds,
        &free,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
