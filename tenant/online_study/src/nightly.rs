//! What follows by itself: progress after its periods or their rule changed, every ten minutes where how both stand differs from how
//! they were counted; and every night what went unnoticed by day, sessions that fell silent, and those that are no longer kept.
//! Material is the courses' module's, which knows nothing of who studies it, so no step of it can forget to tell.

use chrono::{Duration, Months};
use infra::{
    Part, Result,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::Schedule,
};
use online_study_rules::{
    credit::SILENCE_SECONDS,
    nightly::{RECOUNTED, TIDIED},
};
use student_status::nightly::in_each_school;

use crate::counting::{self, Counting};

pub const RECOUNT: JobKind =
    JobKind { kind: "study.recompute", code: None, run: |run| Box::pin(recompute(run)), headings: None };
const RECOUNTING: Schedule = Schedule { kind: RECOUNT.kind, title: "重算学习进度", when: RECOUNTED };

pub const KEEP: JobKind = JobKind { kind: "study.keep", code: None, run: |run| Box::pin(keep(run)), headings: None };
const KEEPING: Schedule = Schedule { kind: KEEP.kind, title: "整理学习会话", when: TIDIED };

pub const PART: Part = Part { jobs: &[RECOUNT, KEEP], schedules: &[RECOUNTING, KEEPING], ..Part::NONE };

/// Months for which sessions are kept (part 03 C7).
const KEPT_MONTHS: u32 = 24;
/// Selections that are counted in one transaction.
const AT_ONCE: usize = 500;
/// Sessions that are deleted in one transaction.
const GONE_AT_ONCE: i64 = 5_000;

async fn recompute(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "重算学习进度", of_school).await?;
    Ok(Outcome { message: format!("{done}名学生的学习进度已重算"), errors, ..Outcome::default() })
}

/// An opening whose periods or rule differ from how its students were counted.
struct Changed {
    id: i64,
    shape: String,
}

async fn of_school(run: &JobRun, school: &School) -> Result<usize> {
    let changed = sqlx::query_as!(
        Changed,
        r#"with shapes as (
               select o.id, md5(concat_ws('|', d.record, d.finish_percent, string_agg(concat_ws(',',
                          p.id, p.kind, p.weight, p.required, coalesce(p.duration_seconds, m.duration), p.page_count,
                          p.live_starts_at at time zone 'UTC', p.live_ends_at at time zone 'UTC'), ';' order by p.id))) as shape
               from course_opening o
               left join online_teaching n on n.id = o.id
               left join course_record r on r.course_id = o.course_id and r.is_default and r.status = 'published'
               cross join lateral (
                   select coalesce(n.course_record_id, r.id) as record, coalesce(n.finish_percent, 90) as finish_percent) d
               left join course_period p on p.course_record_id = d.record and p.enabled
               left join media_asset m on m.id = p.media_asset_id
               where o.status = 'opened' and exists (select from study_course_progress g where g.opening_id = o.id)
               group by o.id, d.record, d.finish_percent)
           select s.id as "id!", s.shape as "shape!"
           from shapes s left join study_shape h on h.opening_id = s.id
           where h.shape is distinct from s.shape
           order by s.id"#
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for opening in changed {
        let ids =
            sqlx::query_scalar!("select id from study_course_progress where opening_id = $1 order by id", opening.id)
                .fetch_all(&mut *run.read_in(school).await?)
                .await?;
        done += counted(run, school, &ids).await?;
        // Behind the last of them: what was cut off is begun anew.
        let now = run.app().clock().now();
        let mut tx = run.begin_in(school).await?;
        sqlx::query!(
            "insert into study_shape (opening_id, shape, counted_at) values ($1, $2, $3)
             on conflict (opening_id) do update set shape = excluded.shape, counted_at = excluded.counted_at",
            opening.id,
            opening.shape,
            now as _
        )
        .execute(&mut *tx)
        .await?;
        tx.commit_untracked("progress follows its periods").await?;
    }
    Ok(done)
}

/// Counts selections anew, some at a time, so that no beat waits long.
async fn counted(run: &JobRun, school: &School, selections: &[i64]) -> Result<usize> {
    for part in selections.chunks(AT_ONCE) {
        let now = run.app().clock().now();
        let mut tx = run.begin_in(school).await?;
        counting::alone(&mut tx).await?;
        counting::hold(&mut tx, part).await?;
        counting::recount_periods(&mut tx, part, now).await?;
        counting::recount(&mut tx, part, Counting::anew_at(now)).await?;
        tx.commit_untracked("progress follows its periods").await?;
    }
    Ok(selections.len())
}

async fn keep(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "整理学习会话", tidied).await?;
    Ok(Outcome { message: format!("{done}条学习记录已整理"), errors, ..Outcome::default() })
}

async fn tidied(run: &JobRun, school: &School) -> Result<usize> {
    let now = run.app().clock().now();
    let mut tx = run.begin_in(school).await?;
    let silent = sqlx::query!(
        "update study_session set ended_at = last_beat_at, end_reason = 'silent' where ended_at is null and last_beat_at < $1",
        (now - Duration::seconds(SILENCE_SECONDS)) as _
    )
    .execute(&mut *tx)
    .await?
    .rows_affected();
    tx.commit_untracked("a session of study is its own record").await?;
    let today = run.app().clock().today();
    let kept_from = infra::clock::day_began(today.checked_sub_months(Months::new(KEPT_MONTHS)).unwrap_or(today));
    let mut gone = 0;
    loop {
        let mut tx = run.begin_in(school).await?;
        let deleted = sqlx::query!(
            "delete from study_session where id in (
                 select id from study_session where started_at < $1 and ended_at is not null order by id limit $2)",
            kept_from as _,
            GONE_AT_ONCE
        )
        .execute(&mut *tx)
        .await?
        .rows_affected();
        tx.commit_untracked("sessions are kept for two years").await?;
        gone += deleted;
        if deleted < GONE_AT_ONCE.unsigned_abs() {
            break;
        }
    }
    // Whoever went on in another opening of the course is counted by its periods.
    let moved = sqlx::query_scalar!(
        "select g.id from study_course_progress g join course_selection c on c.id = g.id
         where g.opening_id <> c.opening_id and c.status in ('pending', 'selected') order by g.id"
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    counted(run, school, &moved).await?;
    Ok(usize::try_from(silent + gone).unwrap_or(usize::MAX) + moved.len())
}
