//! What happens to scores by itself: parts are computed every night, rosters and exemptions are followed, what was published long
//! enough is locked (part 04 §5.2, §5.4, §6.1).

use chrono::TimeDelta;
use infra::{
    Change, Error, Part, Result, Tx,
    clock::Moment,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use scores_rules::enums::{SheetRound, SheetSource};
use serde_json::json;
use sqlx::PgConnection;
use student_status::nightly::in_each_school;

use crate::{
    component::recompute::{anew, event, stale},
    score::{compute::of_all_kinds, ensure::ensure},
    sheet::{
        hold::{hold, hold_scores},
        make::{Origin, sheets_of},
        steps::lock_all,
        write::{count, follow_rows},
    },
};

const NIGHTLY: JobKind =
    JobKind { kind: "scores.nightly", code: None, run: |run| Box::pin(nightly(run)), headings: None };
const FOLLOW: JobKind = JobKind { kind: "scores.follow", code: None, run: |run| Box::pin(follow(run)), headings: None };
const LOCK: JobKind = JobKind { kind: "scores.lock", code: None, run: |run| Box::pin(lock(run)), headings: None };

pub const PART: Part = Part {
    jobs: &[NIGHTLY, FOLLOW, LOCK],
    schedules: &[
        Schedule { kind: NIGHTLY.kind, title: "计算平时成绩", when: When::Daily { hour: 3, minute: 0 } },
        Schedule { kind: FOLLOW.kind, title: "成绩随选课和免修变化", when: When::Every { minutes: 10 } },
        Schedule { kind: LOCK.kind, title: "锁定已发布成绩", when: When::Daily { hour: 3, minute: 40 } },
    ],
    ..Part::NONE
};

/// How far back who finished a course is looked for; the night computes all scores anyway.
const FINISHED_LATELY: TimeDelta = TimeDelta::days(1);
/// Rows of one transaction.
const AT_ONCE: usize = 500;

/// Goes on where somebody else holds a row, or changed it meanwhile: the next run finds it again.
fn later(outcome: Result<usize>) -> Result<usize> {
    match outcome {
        Err(error) if matches!(error.code, 404 | 409 | 422) => Ok(0),
        other => other,
    }
}

async fn nightly(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "计算平时成绩", computed).await?;
    Ok(Outcome { message: format!("{done}条成绩有变化"), errors, ..Outcome::default() })
}

/// The scores of semesters that go on, frozen ones too: those tell beside their own what their sources say now.
async fn computed(run: &JobRun, school: &School) -> Result<usize> {
    let mut read = run.read_in(school).await?;
    let missing = sqlx::query_scalar!(
        "select c.id from course_selection c
         join semester e on e.id = c.semester_id and e.closed_at is null
         join course_opening o on o.id = c.opening_id and o.status = 'opened'
         where c.status = 'selected' and not exists (select from course_score s where s.selection_id = c.id)
         order by c.id limit 200000"
    )
    .fetch_all(&mut *read)
    .await?;
    let scores = sqlx::query_scalar!(
        "select s.id from course_score s join semester e on e.id = s.semester_id and e.closed_at is null
         where s.status in ('computing', 'pending') and not s.imported order by s.id limit 200000"
    )
    .fetch_all(&mut *read)
    .await?;
    drop(read);
    let mut done = 0;
    for part in missing.chunks(AT_ONCE) {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let mut ids: Vec<i64> = ensure(&mut tx, part).await?.into_values().collect();
            ids.sort_unstable();
            let changed = anew(&mut tx, &ids, of_all_kinds()).await?;
            tx.commit(event(ids.len(), &ids)).await?;
            Ok::<usize, Error>(changed)
        };
        done += later(outcome.await)?;
    }
    for part in scores.chunks(AT_ONCE) {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let changed = anew(&mut tx, part, of_all_kinds()).await?;
            tx.commit(event(part.len(), part)).await?;
            Ok::<usize, Error>(changed)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

async fn follow(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "成绩随选课和免修变化", followed).await?;
    Ok(Outcome { message: format!("{done}项已办理"), errors, ..Outcome::default() })
}

async fn followed(run: &JobRun, school: &School) -> Result<usize> {
    let mut done = exempted(run, school).await?;
    done += dropped(run, school).await?;
    done += moved(run, school).await?;
    done += placed(run, school).await?;
    let mut read = run.read_in(school).await?;
    let mut ids = stale(&mut read).await?;
    ids.extend(finished(&mut read, run.app().clock().now() - FINISHED_LATELY).await?);
    drop(read);
    ids.sort_unstable();
    ids.dedup();
    for part in ids.chunks(AT_ONCE) {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let changed = anew(&mut tx, part, of_all_kinds()).await?;
            tx.commit(event(part.len(), part)).await?;
            Ok::<usize, Error>(changed)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

/// 课程学完 (02 §16 `study.finished`): scores whose part of study was computed before their student had finished the course, which
/// was since this moment.
async fn finished(connection: &mut PgConnection, since: Moment) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select s.id
         from study_course_progress g
         join course_score s on s.selection_id = g.id and s.status in ('computing', 'pending') and not s.imported
         join course_selection c on c.id = s.selection_id
         join course_opening o on o.id = c.opening_id and o.teaching_mode <> 'offline'
         join course_score_component k on k.course_score_id = s.id and k.kind = 'study' and k.source = 'computed' and not k.frozen
         where g.updated_at >= $1 and g.finished_at is not null and (k.detail ->> 'progress')::numeric is distinct from 100
         order by s.id limit 100000",
        since as _
    )
    .fetch_all(connection)
    .await?)
}

/// 免修: who need not take a course has its credits and no number; they stand on no open sheet any more.
async fn exempted(run: &JobRun, school: &School) -> Result<usize> {
    let selections = sqlx::query_scalar!(
        "select c.id from course_selection c
         where c.status = 'exempted'
           and not exists (select from course_score s where s.selection_id = c.id and s.mark = 'exempt')
         order by c.id limit 20000"
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for part in selections.chunks(AT_ONCE) {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let changes = exempt(&mut tx, part).await?;
            let count = changes.len();
            if count > 0 {
                tx.commit_all(changes).await?;
            }
            Ok::<usize, Error>(count)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

async fn exempt(tx: &mut Tx, selections: &[i64]) -> Result<Vec<Change>> {
    sqlx::query_scalar!("select id from course_selection where id = any($1) order by id for share", selections)
        .fetch_all(&mut **tx)
        .await?;
    let mut ids: Vec<i64> = ensure(tx, selections).await?.into_values().collect();
    ids.sort_unstable();
    let sheets = sqlx::query_scalar!(
        "select distinct h.id from score_sheet h join score_sheet_row r on r.sheet_id = h.id
         where r.course_score_id = any($1) order by h.id",
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    hold(tx, &sheets).await?;
    hold_scores(tx, &ids).await?;
    sqlx::query!(
        "delete from exam_score e using score_sheet h
         where e.course_score_id = any($1) and h.id = e.sheet_id and h.status in ('pending', 'entering', 'returned')
           and not e.published",
        &ids
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from score_sheet_row r using score_sheet h
         where r.course_score_id = any($1) and h.id = r.sheet_id and h.status in ('pending', 'entering', 'returned')",
        &ids
    )
    .execute(&mut **tx)
    .await?;
    count(tx, &sheets).await?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    // Whoever was exempted when their sheet had been submitted keeps what it says.
    let exempt = sqlx::query_scalar!(
        "update course_score s
         set status = 'published', first_total = null, first_mark = null, total = null, mark = 'exempt', effective_round = 'exempt',
             display_text = '免修', passed = true, earned_credits = s.credits, grade_point = null, stale = false,
             published_at = coalesce(s.published_at, $2::timestamptz), counted_at = $2::timestamptz, updated_at = now(),
             updated_by = $3, version = s.version + 1
         from course_selection c
         where s.id = any($1) and c.id = s.selection_id and c.status = 'exempted' and s.status = 'computing'
         returning s.id",
        &ids,
        now as _,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(exempt.into_iter().map(|id| Change::event("course_score", id, "exempt", json!({ "text": "免修" }))).collect())
}

/// 不计: who dropped a course does not count on its open sheet, and counts again when they come back.
async fn dropped(run: &JobRun, school: &School) -> Result<usize> {
    let rows = sqlx::query_scalar!(
        r#"select r.id from score_sheet_row r
           join score_sheet h on h.id = r.sheet_id and h.status in ('pending', 'entering', 'returned')
           join course_score s on s.id = r.course_score_id
           join course_selection c on c.id = s.selection_id
           where r.excluded <> (c.status = 'dropped') order by r.id limit 20000"#
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for part in rows.chunks(AT_ONCE) {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let turned = turn(&mut tx, part).await?;
            let count = turned.len();
            if count > 0 {
                tx.commit_all(turned).await?;
            }
            Ok::<usize, Error>(count)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

async fn turn(tx: &mut Tx, rows: &[i64]) -> Result<Vec<Change>> {
    let sheets =
        sqlx::query_scalar!("select distinct sheet_id from score_sheet_row where id = any($1) order by sheet_id", rows)
            .fetch_all(&mut **tx)
            .await?;
    hold(tx, &sheets).await?;
    let by = tx.by();
    let turned = sqlx::query!(
        "update score_sheet_row r
         set excluded = not r.excluded, updated_at = now(), updated_by = $2, version = r.version + 1
         from score_sheet h, course_score s, course_selection c
         where r.id = any($1) and h.id = r.sheet_id and h.status in ('pending', 'entering', 'returned')
           and s.id = r.course_score_id and c.id = s.selection_id and r.excluded <> (c.status = 'dropped')
         returning r.id, r.excluded",
        rows,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let ids: Vec<i64> = turned.iter().map(|row| row.id).collect();
    follow_rows(tx, &ids, None, "").await?;
    count(tx, &sheets).await?;
    let change = |id, to: bool| Change::status("score_sheet_row", id, "excluded", !to, to);
    Ok(turned.into_iter().map(|row| change(row.id, row.excluded)).collect())
}

/// Who changed their class goes with their row to the sheet of the new class, as long as both wait; it is made where there is none.
async fn moved(run: &JobRun, school: &School) -> Result<usize> {
    let rows = sqlx::query!(
        r#"select r.id as "id!", h.id as "from_id!", t.id as "to_id?", c.class_id as "class_id!",
                  h.batch_id as "batch_id!", h.course_id as "course_id!", h.round as "round!: SheetRound",
                  h.source as "source!: SheetSource", e.setup_id as "setup_id?"
           from score_sheet_row r
           join score_sheet h on h.id = r.sheet_id and h.status = 'pending'
           join course_score s on s.id = r.course_score_id
           join course_selection c on c.id = s.selection_id and c.class_id is not null
           join test_batch b on b.id = h.batch_id and b.status = 'active'
           left join exam_candidate e on e.id = r.candidate_id
           left join score_sheet t on t.batch_id = h.batch_id and t.course_id = h.course_id and t.round = h.round
                                  and t.class_id = c.class_id
           where h.class_id is distinct from c.class_id and r.mark is null and not r.excluded
             and (t.id is null or t.status in ('pending', 'entering', 'returned'))
             and not exists (select from score_sheet_row x where x.sheet_id = t.id and x.course_score_id = r.course_score_id)
           order by r.id limit 5000"#
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for row in rows {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let mut made = Vec::new();
            let to_id = match row.to_id {
                Some(id) => id,
                None => {
                    let origin = Origin {
                        setup: row.setup_id,
                        batch: row.batch_id,
                        course: row.course_id,
                        round: row.round,
                        source: row.source,
                    };
                    let (sheets, changes) = sheets_of(&mut tx, origin, &[Some(row.class_id)]).await?;
                    made = changes;
                    sheets.first().copied().ok_or_else(Error::not_found)?
                }
            };
            let held = hold(&mut tx, &[row.from_id, to_id]).await?;
            if held.len() < 2 || held.values().any(|sheet| !sheet.status.is_open()) {
                return Ok(0);
            }
            let by = tx.by();
            let class = held.get(&to_id).and_then(|sheet| sheet.class_id);
            let moved = sqlx::query_scalar!(
                "update score_sheet_row set sheet_id = $2, updated_at = now(), updated_by = $3, version = version + 1
                 where id = $1 and sheet_id = $4 and mark is null returning course_score_id",
                row.id,
                to_id,
                by,
                row.from_id
            )
            .fetch_optional(&mut *tx)
            .await?;
            let Some(score) = moved else { return Ok(0) };
            sqlx::query!(
                "update course_score set class_id = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
                score,
                class,
                by
            )
            .execute(&mut *tx)
            .await?;
            count(&mut tx, &[row.from_id, to_id]).await?;
            made.push(Change::status("score_sheet_row", row.id, "sheetId", row.from_id, to_id));
            tx.commit_all(made).await?;
            Ok::<usize, Error>(1)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

/// Scores that nobody submitted are of the class in which their student studies now, as long as they stand on no sheet of another: a
/// score may be older than its sheet, and is looked for by its class.
async fn placed(run: &JobRun, school: &School) -> Result<usize> {
    let scores = sqlx::query_scalar!(
        "select s.id from course_score s
         join course_selection c on c.id = s.selection_id
         where s.status = 'computing' and s.class_id is distinct from c.class_id
           and not exists (select from score_sheet_row r join score_sheet h on h.id = r.sheet_id
                           where r.course_score_id = s.id and h.class_id is distinct from c.class_id)
         order by s.id limit 20000"
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for part in scores.chunks(AT_ONCE) {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            hold_scores(&mut tx, part).await?;
            let rows = sqlx::query!(
                r#"select s.id as "id!", s.class_id as "former?", c.class_id as "own?"
                   from course_score s join course_selection c on c.id = s.selection_id
                   where s.id = any($1) and s.status = 'computing' and s.class_id is distinct from c.class_id
                   order by s.id for share of c"#,
                part
            )
            .fetch_all(&mut *tx)
            .await?;
            let by = tx.by();
            let mut changes = Vec::with_capacity(rows.len());
            for row in rows {
                sqlx::query!(
                    "update course_score set class_id = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
                    row.id,
                    row.own,
                    by
                )
                .execute(&mut *tx)
                .await?;
                changes.push(Change::status("course_score", row.id, "classId", row.former, row.own));
            }
            let count = changes.len();
            if count > 0 {
                tx.commit_all(changes).await?;
            }
            Ok::<usize, Error>(count)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

async fn lock(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "锁定已发布成绩", locked).await?;
    Ok(Outcome { message: format!("{done}张登记表已锁定"), errors, ..Outcome::default() })
}

/// Sheets that were published longer ago than their batch says; 0 days is never.
async fn locked(run: &JobRun, school: &School) -> Result<usize> {
    let now = run.app().clock().now();
    let sheets = sqlx::query_scalar!(
        "select s.id from score_sheet s join test_batch b on b.id = s.batch_id
         where s.status = 'published' and b.auto_lock_days > 0
           and s.published_at + make_interval(days => b.auto_lock_days) < $1::timestamptz
         order by s.id limit 5000",
        now as _
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for part in sheets.chunks(50) {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let changes = lock_all(&mut tx, part).await?;
            let count = changes.len();
            if count > 0 {
                tx.commit_all(changes).await?;
            }
            Ok::<usize, Error>(count)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}
