//! 督促: tells students to study, once a day of a course.

use infra::{Bulk, BulkResult, Change, Error, Result, Scope, Tx};
use poem_openapi::{Object, types::Example};
use scenes::{Person, PersonKind, Persons, notify};

use super::select::find;
use crate::{course::course_of, of_row};

/// Whom.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct StudyRemind {
    /// 选课编号
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub selection_ids: Vec<i64>,
}

impl Example for StudyRemind {
    fn example() -> Self {
        Self { selection_ids: vec![1] }
    }
}

/// What is kept of it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
struct Reminded {
    /// 选课编号
    selection_id: i64,
    /// 学习进度(%)
    progress: f64,
}

/// # Errors
/// Those of the database; a selection that needs no reminder is its row's.
pub(super) async fn remind(tx: Tx, mut ids: Vec<i64>, scope: &Scope) -> Result<BulkResult> {
    ids.sort_unstable();
    ids.dedup();
    let table = "(select c.id, s.name from course_selection c join student s on s.id = c.student_id) selection";
    let mut bulk = Bulk::named(tx, table, "name");
    for id in ids {
        let outcome = one(bulk.row().await?, id, scope).await;
        bulk.ended(id, outcome.map_err(of_row)).await?;
    }
    bulk.commit().await
}

async fn one(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let row = find(tx, id, scope).await?;
    let course = course_of(tx, id).await?;
    course.may_study().map_err(|error| Error::conflict(error.msg))?;
    let (now, today) = (tx.app().clock().now(), tx.app().clock().today());
    course.counts_at(now)?;
    if row.finished_at.is_some() {
        return Err(Error::conflict("该学生已完成学习，无需督促"));
    }
    let reminded = Reminded { selection_id: id, progress: row.progress };
    // A row of its own, so that who reminded somebody changed nothing of their progress, and two at once remind once.
    let reminder = sqlx::query_scalar!(
        r#"insert into study_reminder (selection_id, day, progress, reminded_at) values ($1, $2, $3::float8::numeric, $4)
           on conflict (selection_id, day) do nothing
           returning id as "id!""#,
        id,
        today,
        reminded.progress,
        now as _
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::conflict("今日已督促过该学生学习该课程"))?;
    let person = Person { kind: PersonKind::Student, id: row.student_id };
    let values =
        [("course".to_owned(), row.course_name), ("progress".to_owned(), format!("{}%", reminded.progress))].into();
    notify(tx, "study_remind", Persons::Recipients(vec![person]), values, None).await?;
    Ok(Change::created("study_reminder", reminder, &reminded))
}
