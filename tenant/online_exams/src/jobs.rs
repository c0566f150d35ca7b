//! What happens to examinations on the net by itself: sheets whose time is over are handed in, examinations end, pictures are let go
//! and later what happened in them.

use std::time::Duration;

use chrono::{Months, TimeDelta};
use exam_rules::deadline::last_possible;
use exams::{
    enums::{ExamMode, ExamSetupStatus},
    setup,
};
use homework::{
    enums::{SheetMarkState, SubmitKind},
    sheet::{submit_sheet, void},
};
use homework_rules::times::grace;
use infra::{
    Change, Error, Part, Result,
    clock::{Moment, day_began},
    directory::School,
    files,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
    setting::{Setting, Settings},
};
use student_status::nightly::in_each_school;

use crate::{
    setup::steps::closed,
    sheet::{held, overdue},
};

const CLOSE: JobKind = JobKind { kind: "exam.close", code: None, run: |run| Box::pin(close(run)), headings: None };
const PICTURES: JobKind =
    JobKind { kind: "exam.pictures", code: None, run: |run| Box::pin(pictures(run)), headings: None };

/// How long pictures of the camera are kept after their batch was closed (01 §13).
pub(crate) const PHOTO_DAYS: Setting =
    Setting::int("monitorPhotoDays", "监考照片保留(天)", (180, 30, 720), "自批次关闭起");

/// How long what happened in an examination is kept after its batch was closed (05 E3).
const EVENT_MONTHS: u32 = 24;
/// Events that one transaction deletes.
const EVENTS_AT_ONCE: i64 = 10_000;

pub const PART: Part = Part {
    jobs: &[CLOSE, PICTURES],
    settings: &[Settings { group: "examination", settings: &[PHOTO_DAYS] }],
    schedules: &[
        Schedule { kind: CLOSE.kind, title: "考试到时交卷和结束", when: When::Every { minutes: 1 } },
        Schedule {
            kind: PICTURES.kind, title: "清理到期的监考照片和记录", when: When::Daily { hour: 3, minute: 20 }
        },
    ],
    ..Part::NONE
};

/// A run looks so far ahead: the next one begins then.
const AHEAD: i64 = 60;
/// Seconds between two looks of a run.
const STEP: u64 = 5;
/// Minutes behind the last possible deadline at which an examination ends by itself.
const CLOSES_AFTER: i64 = 2;

async fn close(run: JobRun) -> Result<Outcome> {
    let begun = run.app().clock().now();
    let until = begun + TimeDelta::seconds(AHEAD - 10);
    let (mut done, mut errors) = in_each_school(&run, "考试到时交卷和结束", of_school).await?;
    // Sheets that run out within this minute are handed in within seconds; schools without any cost one statement.
    while waits_soon(&run, until).await? {
        tokio::time::sleep(Duration::from_secs(STEP)).await;
        if run.app().clock().now() >= until {
            break;
        }
        let (more, failed) = in_each_school(&run, "考试到时交卷和结束", handed_in).await?;
        done += more;
        errors.extend(failed);
    }
    Ok(Outcome { message: format!("{done}项已办理"), errors, ..Outcome::default() })
}

/// Whether a sheet of any school runs out before then.
async fn waits_soon(run: &JobRun, until: Moment) -> Result<bool> {
    for school in run.every_school().await? {
        if !school.is_open() || school.key().is_err() {
            continue;
        }
        let soon = sqlx::query_scalar!(
            r#"select exists (
                   select from answer_sheet
                   where mark_state = 'in_progress' and exam_candidate_id is not null and deadline_at < $1) as "soon!""#,
            (until - grace()) as _
        )
        .fetch_one(&mut *run.read_in(&school).await?)
        .await?;
        if soon {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn of_school(run: &JobRun, school: &School) -> Result<usize> {
    let mut done = handed_in(run, school).await?;
    done += left(run, school).await?;
    done += ended(run, school).await?;
    Ok(done)
}

/// Goes on where somebody else holds a row, or changed it meanwhile: the next run finds it again.
fn later(outcome: Result<usize>) -> Result<usize> {
    match outcome {
        Err(error) if matches!(error.code, 404 | 409 | 422) => Ok(0),
        other => other,
    }
}

/// Sheets whose time is over are handed in as they are, each for itself.
async fn handed_in(run: &JobRun, school: &School) -> Result<usize> {
    let now = run.app().clock().now();
    let sheets = overdue(&mut *run.read_in(school).await?, now, 20_000).await?;
    let mut done = 0;
    for id in sheets {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let held = held(&mut tx, id).await?;
            if held.sheet.mark_state != SheetMarkState::InProgress || held.sheet.deadline_at + grace() >= now {
                return Ok(0);
            }
            let submitted = submit_sheet(&mut tx, id, SubmitKind::AutoTime).await?;
            tx.commit_all(submitted.changes).await?;
            Ok::<usize, Error>(1)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

/// Sheets that are answered by who was taken off become void.
async fn left(run: &JobRun, school: &School) -> Result<usize> {
    let sheets = sqlx::query_scalar!(
        "select a.id from answer_sheet a join exam_candidate c on c.id = a.exam_candidate_id
         where a.mark_state = 'in_progress' and c.removed order by a.id"
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for id in sheets {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            held(&mut tx, id).await?;
            let change = void(&mut tx, id).await?;
            tx.commit(change).await?;
            Ok::<usize, Error>(1)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

/// Examinations behind their last possible deadline end.
async fn ended(run: &JobRun, school: &School) -> Result<usize> {
    let now = run.app().clock().now();
    let setups = sqlx::query!(
        r#"select s.id as "id!", s.ends_at as "ends_at!", s.reopened_until,
                  array(select distinct c.extra_minutes from exam_candidate c where c.setup_id = s.id and not c.removed) as "extras!"
           from exam_setup s
           where s.mode = 'online' and s.status = 'published' and s.ends_at < $1 order by s.id"#,
        now as _
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for row in setups {
        let ends = row.reopened_until.map_or(row.ends_at, |until| row.ends_at.max(until));
        if now < last_possible(ends, row.extras.into_iter()) + TimeDelta::minutes(CLOSES_AFTER) {
            continue;
        }
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let held = setup::hold(&mut tx, row.id, ExamMode::Online).await?;
            if held.status != ExamSetupStatus::Published {
                return Ok(0);
            }
            let changes = closed(&mut tx, &held).await?;
            tx.commit_all(changes).await?;
            Ok::<usize, Error>(1)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

async fn pictures(run: JobRun) -> Result<Outcome> {
    let (done, mut errors) = in_each_school(&run, "清理到期的监考照片", let_go).await?;
    let (gone, failed) = in_each_school(&run, "清理到期的考试记录", forgotten).await?;
    errors.extend(failed);
    Ok(Outcome { message: format!("{done}张照片和{gone}条考试记录已清理"), errors, ..Outcome::default() })
}

/// What happened in the examinations of batches that were closed two years ago goes; what came of it stays at the sheet. A picture that
/// still waits to be let go keeps its line.
async fn forgotten(run: &JobRun, school: &School) -> Result<usize> {
    let today = run.app().clock().today();
    let before = day_began(today.checked_sub_months(Months::new(EVENT_MONTHS)).unwrap_or(today));
    let mut gone = 0;
    loop {
        let mut tx = run.begin_in(school).await?;
        let deleted = sqlx::query!(
            "delete from exam_event where id in (
                 select e.id from exam_event e
                 join answer_sheet a on a.id = e.sheet_id
                 join exam_candidate c on c.id = a.exam_candidate_id
                 join test_batch b on b.id = c.batch_id and b.closed_at < $1
                 where e.received_at < $1 and e.file_id is null
                 order by e.id limit $2)",
            before as _,
            EVENTS_AT_ONCE
        )
        .execute(&mut *tx)
        .await?
        .rows_affected();
        tx.commit_untracked("what happened in an examination is kept for two years").await?;
        gone += usize::try_from(deleted).unwrap_or(usize::MAX);
        if deleted < EVENTS_AT_ONCE.unsigned_abs() {
            return Ok(gone);
        }
    }
}

/// Pictures of batches that were closed long ago are nobody's any more; what was seen stays.
async fn let_go(run: &JobRun, school: &School) -> Result<usize> {
    let mut tx = run.begin_in(school).await?;
    let days = PHOTO_DAYS.number(&mut tx).await?;
    let before = run.app().clock().now() - TimeDelta::days(days);
    let sheets = sqlx::query_scalar!(
        "select m.id from exam_sheet_monitor m
         join exam_candidate c on c.id = m.candidate_id
         join test_batch b on b.id = c.batch_id and b.closed_at < $1
         where m.face_file_id is not null or exists (select from exam_event e where e.sheet_id = m.id and e.file_id is not null)
         order by m.id limit 5000",
        before as _
    )
    .fetch_all(&mut *tx)
    .await?;
    if sheets.is_empty() {
        return Ok(0);
    }
    let files = sqlx::query_scalar!(
        r#"select f.file as "file!" from (
               select face_file_id as file from exam_sheet_monitor where id = any($1)
               union select file_id from exam_event where sheet_id = any($1)) f
           where f.file is not null"#,
        &sheets
    )
    .fetch_all(&mut *tx)
    .await?;
    sqlx::query!("update exam_sheet_monitor set face_file_id = null where id = any($1)", &sheets)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("update exam_event set file_id = null where sheet_id = any($1) and file_id is not null", &sheets)
        .execute(&mut *tx)
        .await?;
    files::let_go(&mut tx, &files).await?;
    let count = files.len();
    let changes =
        sheets.into_iter().map(|id| Change::event("exam_sheet_monitor", id, "pictures", serde_json::json!({})));
    tx.commit_all(changes.collect()).await?;
    Ok(count)
}
