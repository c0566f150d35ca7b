//! Demonstration data: the final examinations of the last semester, those of this one, and a make-up that is being prepared.

use chrono::{Days, NaiveDate};
use infra::{Result, Tx, clock::day_began};

use crate::{
    batch::{self, TestBatchForm},
    enums::{ExamModeOfBatch, TestBatchKind},
};

/// Examinations that a demonstration school has by others: the numbers of its batches.
#[derive(Debug, Clone, Copy)]
pub struct Batches {
    pub last: Option<i64>,
    pub current: Option<i64>,
    pub makeup: Option<i64>,
}

/// The batches of a demonstration school.
///
/// # Errors
/// Those of the database.
pub async fn batches(tx: &mut Tx) -> Result<Batches> {
    let rows = sqlx::query!("select id, code from test_batch order by id").fetch_all(&mut **tx).await?;
    let of = |ending: &str| rows.iter().find(|row| row.code.ends_with(ending)).map(|row| row.id);
    Ok(Batches { last: of("QM0"), current: of("QM1"), makeup: of("BK1") })
}

/// Fills a school with batches.
///
/// # Errors
/// Those of the database.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let semesters = sqlx::query!(
        "select id, code, name, starts_on, ends_on from semester where starts_on <= $1 order by starts_on desc limit 2",
        today
    )
    .fetch_all(&mut **tx)
    .await?;
    let Some(now) = semesters.first() else { return Ok(()) };
    let far = |from: NaiveDate, days: u64| from.checked_add_days(Days::new(days)).unwrap_or(from);
    let back = |from: NaiveDate, days: u64| from.checked_sub_days(Days::new(days)).unwrap_or(from);
    let mut plans = vec![
        (now.id, format!("{}-QM1", now.code), format!("{}期末考试", now.name), TestBatchKind::Final, back(today, 3)),
        (now.id, format!("{}-BK1", now.code), format!("{}补考", now.name), TestBatchKind::Makeup, far(today, 60)),
    ];
    if let Some(last) = semesters.get(1) {
        let begins = back(last.ends_on, 14);
        plans.insert(
            0,
            (last.id, format!("{}-QM0", last.code), format!("{}期末考试", last.name), TestBatchKind::Final, begins),
        );
    }
    for (semester_id, code, name, kind, begins) in plans {
        let form = TestBatchForm {
            code,
            name,
            semester_id,
            kind,
            mode: ExamModeOfBatch::Mixed,
            exam_starts_on: Some(begins),
            exam_ends_on: Some(far(begins, 13)),
            ticket_publish_at: Some(day_began(back(begins, 5))),
            score_entry_starts_at: Some(day_began(begins)),
            score_entry_ends_at: Some(day_began(far(begins, 40))),
            review_levels: None,
            auto_lock_days: None,
            room_capacity_default: None,
            room_min_fill: None,
            ticket_prefix: None,
            notice: Some("请携带准考证和身份证，提前15分钟到达考场；考试开始30分钟后不得入场。".to_owned()),
            remark: None,
        };
        let (id, change) = batch::insert(tx, form).await?;
        tx.record(&[change]).await?;
        // The make-up is being prepared still.
        if kind == TestBatchKind::Final {
            sqlx::query!("update test_batch set status = 'active' where id = $1", id).execute(&mut **tx).await?;
        }
    }
    Ok(())
}
