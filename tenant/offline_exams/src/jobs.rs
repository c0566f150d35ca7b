//! The end of examinations on paper (part 04 §4.2): a day behind them, or when all their rooms are confirmed, they are closed and
//! their sheets are made, with the marks of who did not come.

use chrono::TimeDelta;
use exam_rules::{enums::AssessMode, setup::SetupTurn};
use exams::{
    enums::{ExamMode, ExamSetupStatus, MarkingStatus},
    setup::{self, Said},
};
use infra::{
    Change, Part, Result, Tx,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use scores::offered::{ExamResult, SheetOrigin, receive};
use scores_rules::enums::{ExamRound, ScoreMark, SheetRound, SheetSource};
use student_status::nightly::in_each_school;

pub const JOB: JobKind =
    JobKind { kind: "exam.offline_close", code: None, run: |run| Box::pin(work(run)), headings: None };
pub const SCHEDULE: Schedule =
    Schedule { kind: JOB.kind, title: "结束线下考试", when: When::Every { minutes: 10 } };

pub const PART: Part = Part { jobs: &[JOB], schedules: &[SCHEDULE], ..Part::NONE };

/// So long behind its end an examination is closed, whoever confirmed what.
const WAIT: TimeDelta = TimeDelta::days(1);
/// The whole of a paper where nothing else is said, in tenths.
const PAPER_TOTAL: i64 = 1_000;

async fn work(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "结束线下考试", of_school).await?;
    Ok(Outcome { message: format!("已结束{done}场考试"), errors, ..Outcome::default() })
}

async fn of_school(run: &JobRun, school: &School) -> Result<usize> {
    let mut tx = run.begin_in(school).await?;
    let now = tx.app().clock().now();
    let due = sqlx::query_scalar!(
        r#"select s.id as "id!" from exam_setup s join offline_session t on t.id = s.session_id
           where s.mode = 'offline' and s.status = 'published' and t.ends_at <= $1
             and (t.ends_at <= $2
                  or not s.no_seating
                     and exists (select from offline_seat e join exam_candidate c on c.id = e.candidate_id where c.setup_id = s.id)
                     and not exists (
                         select from offline_seat e
                         join exam_candidate c on c.id = e.candidate_id and c.setup_id = s.id
                         left join offline_room_record r on r.id = e.session_room_id and r.status = 'confirmed'
                         where r.id is null))
           order by s.id limit 200"#,
        now as _,
        (now - WAIT) as _
    )
    .fetch_all(&mut *tx)
    .await?;
    drop(tx);
    // One after another: a sheet that is past entering keeps only its own examination waiting.
    let mut done = 0;
    let mut first = None;
    for id in due {
        match close(run, school, id).await {
            Ok(closed) => done += usize::from(closed),
            Err(error) => first = first.or(Some(error)),
        }
    }
    match first {
        Some(error) if done == 0 => Err(error),
        _ => Ok(done),
    }
}

/// Closes one, and hands on who sat for it.
async fn close(run: &JobRun, school: &School, id: i64) -> Result<bool> {
    let mut tx = run.begin_in(school).await?;
    let Some(changes) = closed(&mut tx, id).await? else { return Ok(false) };
    tx.commit_all(changes).await?;
    Ok(true)
}

/// Closes one that is published, and hands on who sat for it; none where it is not.
///
/// # Errors
/// 409 with the sheet when one is past entering.
pub(crate) async fn closed(tx: &mut Tx, id: i64) -> Result<Option<Vec<Change>>> {
    let held = setup::hold(tx, id, ExamMode::Offline).await?;
    if held.status != ExamSetupStatus::Published {
        return Ok(None);
    }
    let to = held.after(SetupTurn::Close)?;
    let assess = sqlx::query_scalar!(r#"select assess_mode as "mode: AssessMode" from exam_setup where id = $1"#, id)
        .fetch_one(&mut **tx)
        .await?;
    let mut changes = vec![setup::turned(tx, &held, to, Said::default()).await?];
    let rows = sqlx::query!(
        r#"select c.id as "id!", c.selection_id as "selection!", c.round as "round!: ExamRound",
                  case when c.violation_level = 'cheating' then 'cheating'
                       when c.violation_level = 'violation' and v.penalty in ('score_void', 'batch_void') then 'violation'
                       when c.eligibility in ('deferred', 'disqualified') then c.eligibility
                       when c.attendance = 'absent' then 'absent'
                       else 'normal' end as "mark!: ScoreMark"
           from exam_candidate c left join exam_violation v on v.id = c.violation_id
           where c.setup_id = $1 and not c.removed and c.eligibility <> 'exempt' order by c.selection_id"#,
        id
    )
    .fetch_all(&mut **tx)
    .await?;
    let results: Vec<ExamResult> = rows
        .into_iter()
        .map(|row| ExamResult {
            selection: row.selection,
            candidate: Some(row.id),
            round: row.round,
            raw: None,
            paper_total: held.paper_total.unwrap_or(PAPER_TOTAL),
            mark: row.mark,
            fixed: row.mark != ScoreMark::Normal,
        })
        .collect();
    if !results.is_empty() {
        let origin = SheetOrigin {
            setup: held.id,
            batch: held.batch_id,
            course: held.course_id,
            round: sheet_round(held.round),
            source: source_of(assess),
            entered: false,
        };
        changes.extend(receive(tx, origin, &results).await?.changes);
    }
    changes.push(setup::marking(tx, id, MarkingStatus::Transferred).await?);
    Ok(Some(changes))
}

/// Who sat late sits with the make-ups.
const fn sheet_round(round: ExamRound) -> SheetRound {
    match round {
        ExamRound::First => SheetRound::First,
        ExamRound::Deferred | ExamRound::Makeup => SheetRound::Makeup,
        ExamRound::FinalMakeup => SheetRound::FinalMakeup,
    }
}

/// What is not written on paper is assessed.
const fn source_of(mode: AssessMode) -> SheetSource {
    match mode {
        AssessMode::ClosedBook | AssessMode::OpenBook | AssessMode::Online => SheetSource::Offline,
        AssessMode::Oral | AssessMode::Practical | AssessMode::Report => SheetSource::Assessment,
    }
}
