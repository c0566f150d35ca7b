//! Examinations on paper of a demonstration school: a dozen, of them some published, some approved, some drafts.

use chrono::NaiveDate;
use exams::{
    candidate::refresh,
    enums::{ExamMode, ExamSetupStatus},
    setup::{self, Said, SetupPlan},
};
use infra::{Result, Scope, Tx};
use scores_rules::enums::ExamRound;

/// How many there are, and how many of them are published, and approved.
const SETUPS: i64 = 12;
const PUBLISHED: usize = 4;
const APPROVED: usize = 4;

/// Examinations of the batch that goes on, spread over its sessions; none where there is no such batch. Called behind the sessions
/// of [`exam_seats`], and before their seats.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let scope = Scope::whole_school();
    let batch = sqlx::query!(
        "select id, semester_id from test_batch
         where status = 'active' and mode <> 'online' and exam_starts_on is not null and exam_ends_on >= $1 order by id limit 1",
        today
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(batch) = batch else { return Ok(()) };
    let sessions = sqlx::query!(
        "select id, duration_minutes from offline_session where batch_id = $1 order by starts_at, id",
        batch.id
    )
    .fetch_all(&mut **tx)
    .await?;
    if sessions.is_empty() {
        return Ok(());
    }
    // What is sat on the net already is left out.
    let courses = sqlx::query!(
        r#"select c.course_id as "course!", array_agg(distinct c.class_id order by c.class_id) as "classes!: Vec<i64>"
           from course_selection c
           where c.semester_id = $1 and c.status = 'selected' and c.class_id is not null
             and not exists (select from exam_setup s where s.batch_id = $2 and s.course_id = c.course_id)
           group by c.course_id order by count(*) desc, c.course_id limit $3"#,
        batch.semester_id,
        batch.id,
        SETUPS
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut made = Vec::with_capacity(courses.len());
    for course in courses {
        let mut plan = SetupPlan::usual(batch.id, course.course, batch.semester_id, ExamRound::First);
        plan.class_ids = course.classes;
        let (id, change) = setup::insert(tx, &plan, ExamMode::Offline, &scope).await?;
        tx.record(&[change]).await?;
        let held = setup::hold(tx, id, ExamMode::Offline).await?;
        let listed = refresh(tx, &held).await?;
        tx.record(&listed.changes).await?;
        made.push((id, plan));
    }
    for (place, (id, mut plan)) in made.into_iter().enumerate() {
        // The first session where nobody would sit twice.
        for session in &sessions {
            if exam_seats::offered::clashes(tx, Some(id), &[], session.id).await?.is_empty() {
                plan.session_id = Some(session.id);
                plan.duration_minutes = Some(session.duration_minutes);
                break;
            }
        }
        if plan.session_id.is_none() {
            continue;
        }
        let held = setup::hold(tx, id, ExamMode::Offline).await?;
        let change = setup::update(tx, id, held.version, &plan, ExamMode::Offline, &scope).await?;
        tx.record(&[change]).await?;
        let whole = [ExamSetupStatus::Submitted, ExamSetupStatus::Approved, ExamSetupStatus::Published];
        let steps = if place < PUBLISHED {
            3
        } else if place < PUBLISHED + APPROVED {
            2
        } else {
            0
        };
        for status in whole.into_iter().take(steps) {
            let held = setup::hold(tx, id, ExamMode::Offline).await?;
            let change = setup::turned(tx, &held, status, Said::default()).await?;
            tx.record(&[change]).await?;
        }
    }
    Ok(())
}
