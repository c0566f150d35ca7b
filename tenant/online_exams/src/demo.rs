//! Demonstration data: examinations of the current batch, one that runs today and one that is being prepared.

use chrono::{NaiveDate, TimeDelta};
use exam_rules::{
    enums::{AssessMode, ExamRound, PaperVariant},
    setup::SetupPlan,
};
use exams::{
    candidate,
    demo::batches,
    enums::{ExamMode, ExamPaperMode},
    setup,
};
use infra::{Result, Scope, Tx, clock::day_began};

/// Examinations that are prepared.
const WANTED: i64 = 2;

/// Fills a school with examinations on the net, of courses that have a paper for it.
///
/// # Errors
/// Those of the database.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let Some(batch) = batches(tx).await?.current else { return Ok(()) };
    let rows = sqlx::query!(
        r#"select p.id as "paper!", p.course_id as "course!", b.semester_id as "semester!",
                  array(select distinct c.class_id from course_selection c
                        where c.course_id = p.course_id and c.semester_id = b.semester_id and c.status = 'selected'
                          and c.class_id is not null order by c.class_id limit 2) as "classes!: Vec<i64>"
           from paper p join test_batch b on b.id = $1
           where p.kind = 'exam' and p.status = 'approved'
             and exists (select from course_selection c
                         where c.course_id = p.course_id and c.semester_id = b.semester_id and c.status = 'selected'
                           and c.class_id is not null)
           order by p.id limit $2"#,
        batch,
        WANTED
    )
    .fetch_all(&mut **tx)
    .await?;
    for (place, row) in (1..).zip(rows) {
        let starts = day_began(today) + TimeDelta::days(place) + TimeDelta::hours(9);
        let plan = SetupPlan {
            assess_mode: AssessMode::Online,
            starts_at: Some(starts),
            ends_at: Some(starts + TimeDelta::hours(2)),
            duration_minutes: Some(90),
            late_limit_minutes: Some(30),
            paper_mode: Some(ExamPaperMode::Fixed),
            class_ids: row.classes,
            papers: vec![(PaperVariant::A, row.paper)],
            ..SetupPlan::usual(batch, row.course, row.semester, ExamRound::First)
        };
        let (id, change) = setup::insert(tx, &plan, ExamMode::Online, &Scope::whole_school()).await?;
        tx.record(&[change]).await?;
        let held = setup::hold(tx, id, ExamMode::Online).await?;
        let done = candidate::refresh(tx, &held).await?;
        tx.record(&done.changes).await?;
    }
    Ok(())
}
