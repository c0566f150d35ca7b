//! The site of the demonstration: a lecturer, and one course that schools may take over.

use catalogue_rules::content::{RecordChapter, RecordContent, RecordPeriod};
use infra::{Change, Result, Tx};
use serde_json::json;
use settings::demo::{Video, video};

use crate::record_course::{
    CourseSubmission, Putaway, PutawayChange, RecordCourseForm, SharedChange, insert, set_putaway, share,
};

const CHAPTERS: [(&str, [&str; 2]); 2] =
    [("第一章 学位英语概述", ["1.1 考试介绍", "1.2 备考方法"]), ("第二章 语法", ["2.1 时态与语态", "2.2 从句"])];

/// A plain field in the product's colour.
const COVER: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 9'%3E%3Crect width='16' height='9' fill='%23165DFF'/%3E%3C/svg%3E";

/// What [`fill`] made: table and number of each row, and the trail.
#[derive(Default)]
pub struct Made {
    pub rows: Vec<(&'static str, i64)>,
    pub changes: Vec<Change>,
}

/// Does nothing where there are lecturers; the caller commits.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx) -> Result<Made> {
    let known = sqlx::query_scalar!(r#"select exists (select from platform.lecturer) as "known!""#)
        .fetch_one(&mut **tx)
        .await?;
    if known {
        return Ok(Made::default());
    }
    let category_id = sqlx::query_scalar!(
        "insert into platform.online_category (category_type, category_name, sort, created_by, updated_by)
         values ('record', '考前辅导', 100, 0, 0) returning id"
    )
    .fetch_one(&mut **tx)
    .await?;
    let lecturer_id = sqlx::query_scalar!(
        "insert into platform.lecturer (lecturer_name, phone, position, lecturer_proportion, initials, created_by, updated_by)
         values ('苏明远', '13900009001', '教授', 0.7, 'smy', 0, 0) returning id"
    )
    .fetch_one(&mut **tx)
    .await?;
    let mut rows = vec![("online_category", category_id), ("lecturer", lecturer_id)];
    let mut chapters = Vec::with_capacity(CHAPTERS.len());
    for (chapter, titles) in CHAPTERS {
        let mut periods = Vec::with_capacity(titles.len());
        for title in titles {
            let (vid, file) = (format!("demo-{title}"), format!("{title}.mp4"));
            let film = Video { title, channel: "polyv", vid: &vid, file: &file, seconds: 2_700, state: "ready" };
            let media_asset_id = video(tx, &film).await?;
            rows.push(("media_asset", media_asset_id));
            let period = RecordPeriod { id: None, period_name: title.to_owned(), is_free: false, media_asset_id };
            periods.push(period);
        }
        chapters.push(RecordChapter { id: None, chapter_name: chapter.to_owned(), chapter_desc: None, periods });
    }
    let content = RecordContent {
        course_name: "学位英语考前辅导".to_owned(),
        category_id,
        lecturer_id,
        cover: COVER.to_owned(),
        introduce: None,
        is_free: false,
        price_original: 29_900,
        price_sale: 19_900,
        valid_days: Some(365),
        chapters,
    };
    let form = RecordCourseForm { submission: CourseSubmission::Publish, content };
    let (id, made) = insert(tx, form, true).await?;
    let put = set_putaway(tx, &PutawayChange { id, putaway: Putaway::On, version: None }).await?;
    let shared = share(tx, &SharedChange { id, school_shared: true, version: None }).await?;
    let lecturer = Change::event("lecturer", lecturer_id, "insert", json!({ "lecturerName": "苏明远" }));
    let category = Change::event("online_category", category_id, "insert", json!({ "categoryName": "考前辅导" }));
    rows.push(("online_course", id));
    Ok(Made { rows, changes: vec![made, put, shared, lecturer, category] })
}

/// Rows of the demonstration.
pub struct Rows {
    pub courses: Vec<i64>,
    pub lecturers: Vec<i64>,
    pub categories: Vec<i64>,
    pub media: Vec<i64>,
}

/// Removes them; a lecturer, category or video that another course uses by now stays.
///
/// # Errors
/// Only internal ones.
pub async fn remove(tx: &mut Tx, rows: &Rows) -> Result<()> {
    let Rows { courses, lecturers, categories, media } = rows;
    sqlx::query!(
        "update platform.online_course set putaway = 'off', published_revision_id = null where id = any($1)",
        courses
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from platform.online_period where chapter_id in (select id from platform.online_chapter where course_id = any($1))",
        courses
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.online_chapter where course_id = any($1)", courses).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.online_course_revision where course_id = any($1)", courses)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from platform.online_course where id = any($1)", courses).execute(&mut **tx).await?;
    sqlx::query!(
        "delete from platform.lecturer l where id = any($1)
           and not exists (select from platform.online_course c where c.lecturer_id = l.id)",
        lecturers
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from platform.online_category k where id = any($1)
           and not exists (select from platform.online_course c where c.category_id = k.id)
           and not exists (select from platform.online_category below where below.parent_id = k.id)",
        categories
    )
    .execute(&mut **tx)
    .await?;
    let unused = sqlx::query_scalar!(
        r#"select m as "m!" from unnest($1::bigint[]) as u (m)
           where not exists (select from platform.online_period p where p.media_asset_id = m)"#,
        media
    )
    .fetch_all(&mut **tx)
    .await?;
    settings::demo::remove(tx, &unused).await
}
