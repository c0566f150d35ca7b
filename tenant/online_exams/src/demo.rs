//! Demonstration data: examinations of the current batch on the net. One is handed on, one is being marked, one runs now, one comes, one
//! is being prepared, and one was called off.

use chrono::{NaiveDate, TimeDelta};
use exam_rules::{
    enums::{AssessMode, ExamRound, PaperVariant},
    setup::{SetupPlan, SetupTurn},
};
use exams::{
    candidate::{self, attended},
    demo::{batches, markers},
    enums::{ExamAttendance, ExamMode, ExamPaperMode, MarkingStatus},
    marker::recount,
    setup::{self, HeldSetup, Said},
};
use homework::{
    demo::{marked_exam, sat},
    sheet::{NewSheet, begin_exam},
};
use infra::{
    Result, Scope, Tx,
    clock::{Moment, day_began},
};

use crate::{
    attempt::level,
    mark::transferred,
    setup::{publish::given_out, steps::closed},
};

/// Classes of each examination.
const CLASSES: usize = 2;

/// How far an examination is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    Transferred,
    Marking,
    Running,
    Coming,
    Draft,
    Cancelled,
}

/// Each with the day on which it begins.
const STANDS: [(Stand, i64); 6] = [
    (Stand::Running, 0),
    (Stand::Transferred, -2),
    (Stand::Marking, -1),
    (Stand::Coming, 2),
    (Stand::Draft, 3),
    (Stand::Cancelled, 4),
];

/// Fills a school with examinations on the net, of courses that have a paper for it; each of other classes.
///
/// # Errors
/// Those of the database.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let Some(batch) = batches(tx).await?.current else { return Ok(()) };
    let rows = sqlx::query!(
        r#"select p.id as "paper!", p.course_id as "course!", u.name as "name!", b.semester_id as "semester!",
                  array(select c.class_id from course_selection c
                        where c.course_id = p.course_id and c.semester_id = b.semester_id and c.status = 'selected'
                          and c.class_id is not null group by c.class_id order by count(*) desc, c.class_id) as "classes!: Vec<i64>"
           from paper p join course u on u.id = p.course_id join test_batch b on b.id = $1
           where p.kind = 'exam' and p.status = 'approved'
           order by (select count(*) from course_selection c
                     where c.course_id = p.course_id and c.semester_id = b.semester_id and c.status = 'selected') desc, p.id"#,
        batch
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut places = Vec::new();
    for row in &rows {
        for (place, classes) in (1..).zip(row.classes.chunks(CLASSES)) {
            let name = format!("{}线上考试第{place}场", row.name);
            places.push((row.paper, row.course, row.semester, name, classes.to_vec()));
        }
    }
    for ((stand, day), (paper, course, semester, name, class_ids)) in STANDS.into_iter().zip(places) {
        let running = stand == Stand::Running;
        let starts = day_began(today) + TimeDelta::days(day) + TimeDelta::hours(if running { 0 } else { 9 });
        let plan = SetupPlan {
            name: Some(name),
            assess_mode: AssessMode::Online,
            starts_at: Some(starts),
            ends_at: Some(starts + TimeDelta::hours(if running { 24 } else { 3 })),
            duration_minutes: Some(90),
            late_limit_minutes: (!running).then_some(30),
            paper_mode: Some(ExamPaperMode::Fixed),
            class_ids,
            papers: vec![(PaperVariant::A, paper)],
            ..SetupPlan::usual(batch, course, semester, ExamRound::First)
        };
        let (id, change) = setup::insert(tx, &plan, ExamMode::Online, &Scope::whole_school()).await?;
        tx.record(&[change]).await?;
        let held = setup::hold(tx, id, ExamMode::Online).await?;
        let done = candidate::refresh(tx, &held, &Scope::whole_school()).await?;
        tx.record(&done.changes).await?;
        led(tx, &held, stand, starts).await?;
    }
    Ok(())
}

/// Leads a draft as far as it is to stand.
async fn led(tx: &mut Tx, held: &HeldSetup, stand: Stand, starts: Moment) -> Result<()> {
    match stand {
        Stand::Draft => return Ok(()),
        Stand::Cancelled => {
            let said = Said { reason: Some("与线下考试时间冲突，另行安排"), ..Said::default() };
            let change = setup::turned(tx, held, held.after(SetupTurn::Cancel)?, said).await?;
            return tx.record(&[change]).await;
        }
        Stand::Transferred | Stand::Marking | Stand::Running | Stand::Coming => {}
    }
    let may_sit = sqlx::query_scalar!(
        r#"select exists (select from exam_candidate where setup_id = $1 and not removed and eligibility = 'eligible') as "may!""#,
        held.id
    )
    .fetch_one(&mut **tx)
    .await?;
    if !may_sit {
        return Ok(());
    }
    given_out(tx, held, 1).await?;
    let change = setup::turned(tx, held, held.after(SetupTurn::Publish)?, Said::default()).await?;
    tx.record(&[change]).await?;
    match stand {
        Stand::Running => running(tx, held.id).await,
        Stand::Transferred | Stand::Marking => over(tx, held.id, stand, starts).await,
        Stand::Coming | Stand::Draft | Stand::Cancelled => Ok(()),
    }
}

/// The candidates of an examination who sit for it, each with its paper: not every ninth.
async fn sitting(tx: &mut Tx, setup: i64) -> Result<Vec<(i64, i64)>> {
    let rows = sqlx::query!(
        r#"select n.id as "id!", n.snapshot_id as "snapshot!"
           from (select id, snapshot_id, row_number() over (order by id) as place from exam_candidate
                 where setup_id = $1 and not removed and eligibility = 'eligible' and snapshot_id is not null) n
           where n.place % 9 <> 0 order by n.id"#,
        setup
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.snapshot)).collect())
}

/// A sheet with what was watched of it; how often the page was left goes by the place.
async fn entered(
    tx: &mut Tx,
    (candidate, snapshot): (i64, i64),
    place: usize,
    (from, until): (Moment, Moment),
    ended: Option<Moment>,
) -> Result<i64> {
    let new = NewSheet {
        candidate,
        attempt_no: 1,
        snapshot,
        seed: candidate,
        // It begins now; the times of then are written behind it.
        deadline: until.max(tx.app().clock().now() + TimeDelta::minutes(1)),
        ip: format!("10.20.{}.{}", candidate % 200, candidate % 250),
        device: if place.is_multiple_of(3) { "mobile" } else { "pc" }.to_owned(),
    };
    let id = begin_exam(tx, &new).await?;
    let switches: i32 = [0, 1, 0, 2, 0, 4, 0, 0, 11][place % 9];
    let last = ended.unwrap_or(from + TimeDelta::minutes(18));
    sqlx::query!(
        "insert into exam_sheet_monitor (id, candidate_id, device_id, holds_device, last_beat_at, last_activity_at, switch_count,
             risk_score, risk_level, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $5, $6, $6, $7, 0, 0)",
        id,
        candidate,
        new.device,
        ended.is_none(),
        last as _,
        switches,
        level(i64::from(switches)).as_str()
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into exam_event (sheet_id, type, occurred_at, received_at) values ($1, 'enter', $2, $2)",
        id,
        from as _
    )
    .execute(&mut **tx)
    .await?;
    if switches > 0 {
        sqlx::query!(
            "insert into exam_event (sheet_id, type, occurred_at, received_at, seconds, detail, by_name)
             values ($1, 'leave_page', $2, $2, null, null, null),
                    ($1, 'return_page', $2 + interval '12 seconds', $2 + interval '12 seconds', 12, null, null),
                    ($1, 'warn', null, $2 + interval '30 seconds', null, '请不要离开考试页面', '监考员')",
            id,
            (from + TimeDelta::minutes(9)) as _
        )
        .execute(&mut **tx)
        .await?;
    }
    sat(tx, id, place, (from, until), ended).await?;
    let changes = attended(tx, &[(candidate, ExamAttendance::Present)]).await?;
    tx.record(&changes).await?;
    Ok(id)
}

/// Two thirds of the candidates came; half of those answer still.
async fn running(tx: &mut Tx, setup: i64) -> Result<()> {
    let now = tx.app().clock().now();
    let from = now - TimeDelta::minutes(20);
    for (place, one) in sitting(tx, setup).await?.into_iter().enumerate().filter(|(place, _)| place % 3 < 2) {
        let ended = (place % 3 == 1).then_some(now - TimeDelta::minutes(2));
        entered(tx, one, place, (from, now + TimeDelta::minutes(70)), ended).await?;
    }
    Ok(())
}

/// Everybody handed in; of the one that is handed on all is marked, of the other a half.
async fn over(tx: &mut Tx, setup: i64, stand: Stand, starts: Moment) -> Result<()> {
    markers(tx, setup).await?;
    let mut sheets = Vec::new();
    for (place, one) in sitting(tx, setup).await?.into_iter().enumerate() {
        let from = starts + TimeDelta::minutes(i64::try_from(place % 10).unwrap_or_default());
        let ended = from + TimeDelta::minutes(60 + i64::try_from(place % 25).unwrap_or_default());
        sheets.push(entered(tx, one, place, (from, from + TimeDelta::minutes(90)), Some(ended)).await?);
    }
    let held = setup::hold(tx, setup, ExamMode::Online).await?;
    let changes = closed(tx, &held).await?;
    tx.record(&changes).await?;
    let most = if stand == Stand::Transferred { sheets.len() } else { sheets.len() / 2 };
    for sheet in sheets.iter().take(most) {
        marked_exam(tx, *sheet, starts + TimeDelta::hours(8)).await?;
    }
    recount(tx, setup).await?;
    if stand == Stand::Transferred {
        let change = setup::marking(tx, setup, MarkingStatus::Done).await?;
        tx.record(&[change]).await?;
        let held = setup::hold(tx, setup, ExamMode::Online).await?;
        let (_, changes) = transferred(tx, &held).await?;
        tx.record(&changes).await?;
    }
    Ok(())
}
