//! The site of the demonstration: a lecturer, and one course that schools may take over.

use infra::{Change, Result, Tx};
use serde_json::json;

use crate::record_course::{
    CourseSubmission, Putaway, PutawayChange, RecordChapter, RecordContent, RecordCourseForm, RecordPeriod,
    SharedChange, insert, put, share,
};

const CHAPTERS: [(&str, [&str; 2]); 2] =
    [("第一章 学位英语概述", ["1.1 考试介绍", "1.2 备考方法"]), ("第二章 语法", ["2.1 时态与语态", "2.2 从句"])];

/// A plain field in the product's colour.
const COVER: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 9'%3E%3Crect width='16' height='9' fill='%23165DFF'/%3E%3C/svg%3E";

/// Does nothing the second time.
///
/// # Errors
/// Only internal ones.
pub async fn fill(mut tx: Tx) -> Result<()> {
    let known =
        sqlx::query_scalar!(r#"select exists (select from platform.lecturer) as "known!""#).fetch_one(&mut *tx).await?;
    if known {
        return Ok(());
    }
    let category_id = sqlx::query_scalar!(
        "insert into platform.online_category (category_type, category_name, sort, created_by, updated_by)
         values ('record', '考前辅导', 100, 0, 0) returning id"
    )
    .fetch_one(&mut *tx)
    .await?;
    let lecturer_id = sqlx::query_scalar!(
        "insert into platform.lecturer (lecturer_name, phone, position, lecturer_proportion, initials, created_by, updated_by)
         values ('苏明远', '13900009001', '教授', 0.7, 'smy', 0, 0) returning id"
    )
    .fetch_one(&mut *tx)
    .await?;
    let mut chapters = Vec::with_capacity(CHAPTERS.len());
    for (chapter, titles) in CHAPTERS {
        let mut periods = Vec::with_capacity(titles.len());
        for title in titles {
            let media_asset_id = sqlx::query_scalar!(
                "insert into platform.media_asset (title, channel, vid, file_name, size, duration, state, created_by, updated_by)
                 values ($1, 'polyv', $2, $3, 104857600, 2700, 'ready', 0, 0) returning id",
                title,
                format!("demo-{title}"),
                format!("{title}.mp4")
            )
            .fetch_one(&mut *tx)
            .await?;
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
    let (id, made) = insert(&mut tx, form, true).await?;
    let put = put(&mut tx, &PutawayChange { id, putaway: Putaway::On, version: None }).await?;
    let shared = share(&mut tx, &SharedChange { id, school_shared: true, version: None }).await?;
    let lecturer = Change::event("lecturer", lecturer_id, "insert", json!({ "lecturerName": "苏明远" }));
    let category = Change::event("online_category", category_id, "insert", json!({ "categoryName": "考前辅导" }));
    tx.commit_all(vec![made, put, shared, lecturer, category]).await
}
