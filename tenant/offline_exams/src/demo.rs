//! Examinations on paper of a demonstration school: a dozen, in every state; those whose session was held are closed.

use chrono::NaiveDate;
use exams::{
    candidate::refresh,
    enums::{ExamMode, ExamSetupStatus},
    setup::{self, Said, SetupPlan},
};
use infra::{Result, Scope, Tx, clock::day_began};
use scores_rules::enums::ExamRound;

use crate::jobs::closed;

/// The session that each examination is wanted in, from the first on; the last one takes place in none.
const SESSIONS: [Option<usize>; 12] =
    [Some(0), Some(0), Some(0), Some(1), Some(1), Some(2), Some(2), Some(3), Some(3), Some(4), Some(5), None];
/// How far the examinations of each session are, and at last those of none.
const STEPS: [&[ExamSetupStatus]; 7] = {
    use ExamSetupStatus::{Approved, Cancelled, Published, Submitted};
    [
        &[Submitted, Approved, Published],
        &[Submitted, Approved, Published],
        &[Submitted, Approved, Published],
        &[Submitted, Approved],
        &[Submitted],
        &[],
        &[Cancelled],
    ]
};
/// Sessions of the batch.
const HELD_IN: usize = STEPS.len() - 1;
/// People of an examination that its rooms hold well.
const FEW: i64 = 60;

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
    // What is sat on the net already is left out; what many take comes last.
    let courses = sqlx::query!(
        r#"select c.course_id as "course!", array_agg(distinct c.class_id order by c.class_id) as "classes!: Vec<i64>"
           from course_selection c
           join course u on u.id = c.course_id and u.kind not in ('thesis', 'internship')
           where c.semester_id = $1 and c.status = 'selected' and c.class_id is not null
             and not exists (select from exam_setup s where s.batch_id = $2 and s.course_id = c.course_id)
           group by c.course_id order by count(*) > $4, count(*) desc, c.course_id limit $3"#,
        batch.semester_id,
        batch.id,
        i64::try_from(SESSIONS.len()).unwrap_or(i64::MAX),
        FEW
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
        let listed = refresh(tx, &held, &scope).await?;
        tx.record(&listed.changes).await?;
        made.push((id, plan));
    }
    for ((id, mut plan), wanted) in made.into_iter().zip(SESSIONS) {
        let mut stand = HELD_IN;
        // The first session from there on where nobody would sit twice.
        for (place, session) in sessions.iter().enumerate().skip(wanted.unwrap_or(HELD_IN)) {
            if exam_seats::offered::clashes(tx, Some(id), &[], session.id).await?.is_empty() {
                plan.session_id = Some(session.id);
                plan.duration_minutes = Some(session.duration_minutes);
                stand = place;
                break;
            }
        }
        if wanted.is_some() && plan.session_id.is_none() {
            continue;
        }
        let held = setup::hold(tx, id, ExamMode::Offline).await?;
        let change = setup::update(tx, id, held.version, &plan, ExamMode::Offline, &scope).await?;
        tx.record(&[change]).await?;
        for status in STEPS.get(stand).copied().unwrap_or_default() {
            let held = setup::hold(tx, id, ExamMode::Offline).await?;
            let reason = (*status == ExamSetupStatus::Cancelled).then_some("课程改为提交大作业");
            let change = setup::turned(tx, &held, *status, Said { reason, ..Said::default() }).await?;
            tx.record(&[change]).await?;
        }
    }
    Ok(())
}

/// Closes what was held before today, and hands on who sat for it.
///
/// # Errors
/// Only internal ones.
pub async fn ended(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let ids = sqlx::query_scalar!(
        "select s.id from exam_setup s join offline_session x on x.id = s.session_id
         where s.mode = 'offline' and s.status = 'published' and x.ends_at < $1 order by s.id",
        day_began(today) as _
    )
    .fetch_all(&mut **tx)
    .await?;
    for id in ids {
        let changes = closed(tx, id).await?.unwrap_or_default();
        tx.record(&changes).await?;
    }
    Ok(())
}
