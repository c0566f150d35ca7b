//! The order of a course's chapters, as a whole: whoever sends it must have seen every chapter (part 03 A6).

use std::collections::HashMap;

pub use course_rules::chapter::ChapterPlace;
use course_rules::chapter::{Refusal, check};
use infra::{Change, Error, OnConstraint, Result, Tx};
use poem_openapi::{Object, types::Example};
use serde_json::json;

/// All chapters of a course in their order.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ChapterOrder {
    /// 课程
    pub course_id: i64,
    /// 章节
    #[oai(validator(min_items = 1, max_items = 5000))]
    pub items: Vec<ChapterPlace>,
}

impl Example for ChapterOrder {
    fn example() -> Self {
        Self { course_id: 1, items: vec![ChapterPlace { id: 1, parent_id: None, sort_no: 1 }] }
    }
}

/// The caller holds the course. Only what differs is written; the order is one step of the course's trail.
pub(super) async fn sort(tx: &mut Tx, order: &ChapterOrder) -> Result<Change> {
    let before: HashMap<i64, (Option<i64>, i32)> =
        sqlx::query!("select id, parent_id, sort_no from course_chapter where course_id = $1", order.course_id)
            .fetch_all(&mut **tx)
            .await?
            .into_iter()
            .map(|row| (row.id, (row.parent_id, row.sort_no)))
            .collect();
    let known: Vec<i64> = before.keys().copied().collect();
    check(&known, &order.items).map_err(|refusal| match refusal {
        Refusal::Changed => Error::conflict(refusal.to_string()),
        Refusal::TooDeep => Error::field("items", refusal.to_string()),
    })?;
    let moved: Vec<&ChapterPlace> =
        order.items.iter().filter(|item| before.get(&item.id) != Some(&(item.parent_id, item.sort_no))).collect();
    let ids: Vec<i64> = moved.iter().map(|item| item.id).collect();
    let parents: Vec<Option<i64>> = moved.iter().map(|item| item.parent_id).collect();
    let numbers: Vec<i32> = moved.iter().map(|item| item.sort_no).collect();
    let by = tx.by();
    sqlx::query!(
        "update course_chapter c set parent_id = o.parent_id, sort_no = o.sort_no, updated_at = now(), updated_by = $4,
                version = version + 1
         from unnest($1::bigint[], $2::bigint[], $3::integer[]) as o (id, parent_id, sort_no) where c.id = o.id",
        &ids,
        &parents as &[Option<i64>],
        &numbers,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "course_chapter_title_taken").then(|| Error::field("items", "同一章下不能有相同标题的节"))
    })?;
    Ok(Change::event("course", order.course_id, "sortChapters", json!({ "chapterIds": ids })))
}
