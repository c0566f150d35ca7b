//! What schools see of the catalogue: courses that the operator shares, with their chapters and videos (03 A6). They copy
//! what they take over; nothing here knows who did.

use std::collections::HashMap;

use infra::{Paging, Result, RichText};
use settings::media::{MediaChannel, MediaReference};
use sqlx::PgConnection;

/// A course that schools may take over.
#[derive(Debug, Clone)]
pub struct SharedCourse {
    pub id: i64,
    /// Which of its versions is published.
    pub revision_id: i64,
    pub course_name: String,
    pub category_name: String,
    pub lecturer_name: String,
    pub cover: String,
    pub introduce: Option<RichText>,
    pub chapter_total: i64,
    pub period_total: i64,
    pub total_seconds: i64,
}

/// A chapter of such a course.
#[derive(Debug, Clone)]
pub struct SharedChapter {
    pub chapter_name: String,
    pub periods: Vec<SharedPeriod>,
}

/// A period, with what makes a school's own record of its video.
#[derive(Debug, Clone)]
pub struct SharedPeriod {
    pub period_name: String,
    pub is_free: bool,
    pub media: MediaReference,
}

/// How many courses are shared, and a page of them, the newest first. `keyword` is part of a name or of a lecturer's name, or
/// begins the initials.
pub async fn page(
    connection: &mut PgConnection,
    keyword: Option<&str>,
    paging: Paging,
) -> Result<(i64, Vec<SharedCourse>)> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.online_course c join platform.lecturer l on l.id = c.lecturer_id
           where c.course_type = 'record' and c.school_shared and c.enabled and c.putaway = 'on'
             and ($1::text is null or strpos(c.course_name, $1) > 0 or strpos(l.lecturer_name, $1) > 0
                  or starts_with(c.initials, lower($1)))"#,
        keyword
    )
    .fetch_one(&mut *connection)
    .await?;
    Ok((total, select(connection, None, keyword, Some(paging)).await?))
}

/// The course and its chapters; none when it is not, or no longer, shared.
pub async fn find(connection: &mut PgConnection, id: i64) -> Result<Option<(SharedCourse, Vec<SharedChapter>)>> {
    let Some(course) = select(connection, Some(id), None, None).await?.pop() else { return Ok(None) };
    let chapters = chapters(connection, id).await?;
    Ok(Some((course, chapters)))
}

async fn select(
    connection: &mut PgConnection,
    only: Option<i64>,
    keyword: Option<&str>,
    page: Option<Paging>,
) -> Result<Vec<SharedCourse>> {
    let courses = sqlx::query_as!(
        SharedCourse,
        r#"select c.id, c.published_revision_id as "revision_id!", c.course_name, g.category_name, l.lecturer_name, c.cover,
                  c.introduce as "introduce: _", t.chapters as "chapter_total!", t.periods as "period_total!",
                  t.seconds as "total_seconds!"
           from platform.online_course c
           join platform.online_category g on g.id = c.category_id
           join platform.lecturer l on l.id = c.lecturer_id
           cross join lateral (
               select (select count(*) from platform.online_chapter h where h.course_id = c.id) as chapters,
                      count(*) as periods, coalesce(sum(m.duration), 0)::bigint as seconds
               from platform.online_chapter h
               join platform.online_period p on p.chapter_id = h.id
               join platform.media_asset m on m.id = p.media_asset_id
               where h.course_id = c.id) t
           where c.course_type = 'record' and c.school_shared and c.enabled and c.putaway = 'on'
             and ($1::bigint is null or c.id = $1)
             and ($2::text is null or strpos(c.course_name, $2) > 0 or strpos(l.lecturer_name, $2) > 0
                  or starts_with(c.initials, lower($2)))
           order by c.id desc limit $3 offset $4"#,
        only,
        keyword,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch_all(connection)
    .await?;
    Ok(courses)
}

/// Chapters in their order, those without periods too.
async fn chapters(connection: &mut PgConnection, course: i64) -> Result<Vec<SharedChapter>> {
    let chapters = sqlx::query!(
        "select id, chapter_name from platform.online_chapter where course_id = $1 order by sort, id",
        course
    )
    .fetch_all(&mut *connection)
    .await?;
    let periods = sqlx::query!(
        r#"select p.chapter_id, p.period_name, p.is_free, m.title, m.channel as "channel: MediaChannel", m.vid, m.file_name,
                  m.size, m.duration, m.cover_url
           from platform.online_period p
           join platform.online_chapter c on c.id = p.chapter_id
           join platform.media_asset m on m.id = p.media_asset_id
           where c.course_id = $1 order by p.sort, p.id"#,
        course
    )
    .fetch_all(connection)
    .await?;
    let mut of_chapter: HashMap<i64, Vec<SharedPeriod>> = HashMap::new();
    for row in periods {
        let media = MediaReference {
            title: row.title,
            channel: row.channel,
            vid: row.vid,
            file_name: row.file_name,
            size: row.size,
            duration: row.duration,
            cover_url: row.cover_url,
        };
        let period = SharedPeriod { period_name: row.period_name, is_free: row.is_free, media };
        of_chapter.entry(row.chapter_id).or_default().push(period);
    }
    Ok(chapters
        .into_iter()
        .map(|row| SharedChapter {
            chapter_name: row.chapter_name,
            periods: of_chapter.remove(&row.id).unwrap_or_default(),
        })
        .collect())
}
