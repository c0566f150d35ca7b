//! The site of the demonstration: one recorded course that schools may take over, a live one, and what the site recommends.

use catalogue_rules::{
    content::{RecordChapter, RecordContent, RecordPeriod},
    course::{CourseContent, SiteCourseKind},
    live::{LiveChapter, LiveContent, LivePeriod},
};
use chrono::TimeDelta;
use infra::{Change, Result, Tx, clock::Moment, files};
use serde_json::json;
use settings::demo::{Video, video};

use crate::{
    course::{CourseSubmission, Putaway, PutawayChange, SharedChange, insert, set_putaway, share},
    recommend::{self, CourseRecommendForm, RecommendPosition},
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

/// The caller commits, and has made the lecturer and the channel.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, lecturer_id: i64, channel: i64, now: Moment) -> Result<Made> {
    let category_id = category(tx, "record", "考前辅导").await?;
    let live_category = category(tx, "live", "直播讲座").await?;
    let mut rows = vec![("online_category", category_id), ("online_category", live_category)];
    let mut chapters = Vec::with_capacity(CHAPTERS.len());
    for (chapter, titles) in CHAPTERS {
        let mut periods = Vec::with_capacity(titles.len());
        for title in titles {
            let (vid, file) = (format!("demo-{title}"), format!("{title}.mp4"));
            let film = Video { title, channel: "polyv", vid: &vid, file: &file, seconds: 2_700, state: "ready" };
            let media_asset_id = video(tx, &film).await?;
            rows.push(("media_asset", media_asset_id));
            let period = RecordPeriod {
                id: None,
                period_name: title.to_owned(),
                is_free: false,
                media_asset_id,
                attachment_keys: Vec::new(),
            };
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
        count_buy_base: 120,
        chapters,
    };
    let (id, made) = insert(tx, CourseSubmission::Publish, CourseContent::Record(content), true).await?;
    let put =
        set_putaway(tx, SiteCourseKind::Record, &PutawayChange { id, putaway: Putaway::On, version: None }).await?;
    let shared = share(tx, &SharedChange { id, school_shared: true, version: None }).await?;
    rows.push(("online_course", id));
    let starts_at = now + TimeDelta::days(3);
    let lesson = LivePeriod {
        id: None,
        period_name: "第一讲 备考动员".to_owned(),
        is_free: true,
        live_channel_id: channel,
        starts_at,
        ends_at: starts_at + TimeDelta::minutes(90),
        replay_asset_id: None,
        attachment_keys: Vec::new(),
    };
    let live = LiveContent {
        course_name: "学位英语直播班".to_owned(),
        category_id: live_category,
        lecturer_id,
        cover: COVER.to_owned(),
        introduce: None,
        is_free: true,
        price_original: 9_900,
        price_sale: 0,
        valid_days: None,
        count_buy_base: 0,
        chapters: vec![LiveChapter {
            id: None,
            chapter_name: "第一章 导学".to_owned(),
            chapter_desc: None,
            periods: vec![lesson],
        }],
    };
    let (live, made_live) = insert(tx, CourseSubmission::Publish, CourseContent::Live(live), true).await?;
    let put_live =
        set_putaway(tx, SiteCourseKind::Live, &PutawayChange { id: live, putaway: Putaway::On, version: None }).await?;
    rows.push(("online_course", live));
    let form = CourseRecommendForm {
        course_id: id,
        position: RecommendPosition::Home,
        category_id: None,
        begins_at: None,
        ends_at: None,
        sort: 1,
        enabled: true,
    };
    let (recommended, shown) = recommend::insert(tx, form).await?;
    rows.push(("course_recommend", recommended));
    let mut changes = vec![made, put, shared, made_live, put_live, shown];
    changes.extend(
        [(category_id, "考前辅导"), (live_category, "直播讲座")]
            .map(|(id, name)| Change::event("online_category", id, "insert", json!({ "categoryName": name }))),
    );
    Ok(Made { rows, changes })
}

async fn category(tx: &mut Tx, kind: &str, name: &str) -> Result<i64> {
    let id = sqlx::query_scalar!(
        "insert into platform.online_category (category_type, category_name, sort, created_by, updated_by)
         values ($1, $2, 100, 0, 0) returning id",
        kind,
        name
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}

/// Rows of the demonstration.
pub struct Rows {
    pub courses: Vec<i64>,
    pub categories: Vec<i64>,
    pub media: Vec<i64>,
}

/// Removes them; a category or video that another course uses by now stays.
///
/// # Errors
/// Only internal ones.
pub async fn remove(tx: &mut Tx, rows: &Rows) -> Result<()> {
    let Rows { courses, categories, media } = rows;
    sqlx::query!("delete from platform.course_recommend where course_id = any($1)", courses).execute(&mut **tx).await?;
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
    // What somebody uploaded to them since.
    let kept = files::of_records(tx, "online_course", courses).await?;
    files::let_go(tx, &kept).await?;
    sqlx::query!("delete from platform.online_course where id = any($1)", courses).execute(&mut **tx).await?;
    sqlx::query!(
        "delete from platform.online_category k where id = any($1)
           and not exists (select from platform.online_course c where c.category_id = k.id)
           and not exists (select from platform.online_exam e where e.category_id = k.id)
           and not exists (select from platform.online_problem p where p.category_id = k.id)
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
