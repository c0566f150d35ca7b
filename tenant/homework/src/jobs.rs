//! What happens to homework by itself (part 03 C2): sheets whose time is over are handed in, homework is closed, rosters are
//! followed, people are told; returns that were not used are put back; answers are compared.

use homework_rules::times::grace;
use infra::{
    Change, Error, Part, Result, Tx,
    clock::Moment,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use serde_json::json;
use student_status::nightly::in_each_school;

use crate::{
    enums::{HomeworkStatus, SubmitKind},
    homework::{
        ease::tell_due,
        form::form_of,
        held,
        publish::{Recipient, give, missing, tell},
        steps::shut,
    },
    marking::{
        overdue_returns,
        progress::tell_markers,
        restore_due,
        similarity::{Search, compared, keep},
    },
    sheet::{follow, held_task, results, submit_sheet},
};

const CLOSE: JobKind = JobKind { kind: "homework.close", code: None, run: |run| Box::pin(close(run)), headings: None };
const REDO: JobKind = JobKind { kind: "homework.redo", code: None, run: |run| Box::pin(redo(run)), headings: None };
const COMPARE: JobKind =
    JobKind { kind: "homework.compare", code: None, run: |run| Box::pin(compare(run)), headings: None };

const MEASURE: JobKind =
    JobKind { kind: "homework.measure", code: None, run: |run| Box::pin(measure(run)), headings: None };

pub const PART: Part = Part {
    jobs: &[CLOSE, REDO, COMPARE, MEASURE],
    schedules: &[
        Schedule { kind: CLOSE.kind, title: "作业到时提交和截止", when: When::Every { minutes: 1 } },
        Schedule { kind: REDO.kind, title: "恢复未重做的答卷", when: When::Every { minutes: 10 } },
        Schedule { kind: COMPARE.kind, title: "作业相似检测", when: When::Every { minutes: 10 } },
        Schedule {
            kind: MEASURE.kind, title: "统计试题得分率和区分度", when: When::Daily { hour: 2, minute: 40 }
        },
    ],
    ..Part::NONE
};

async fn close(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "作业到时提交和截止", of_school).await?;
    Ok(Outcome { message: format!("{done}项已办理"), errors, ..Outcome::default() })
}

async fn of_school(run: &JobRun, school: &School) -> Result<usize> {
    let now = run.app().clock().now();
    let mut done = ran_out(run, school, now).await?;
    done += ended(run, school, now).await?;
    done += unused(run, school, now).await?;
    done += followed(run, school, now).await?;
    done += due(run, school, now).await?;
    done += overdue(run, school, now).await?;
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
async fn ran_out(run: &JobRun, school: &School, now: Moment) -> Result<usize> {
    let sheets = sqlx::query_scalar!(
        "select id from answer_sheet
         where mark_state = 'in_progress' and deadline_at < $1 and homework_student_id is not null
         order by deadline_at, id limit 20000",
        (now - grace()) as _
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for sheet in sheets {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let submitted = submit_sheet(&mut tx, sheet, SubmitKind::AutoTime).await?;
            tx.commit_all(submitted.changes).await?;
            Ok::<usize, Error>(1)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

/// Homework for which all time is over is closed.
async fn ended(run: &JobRun, school: &School, now: Moment) -> Result<usize> {
    let until = now - grace();
    let homework = sqlx::query_scalar!(
        r#"select h.id from homework h
           where h.status = 'published' and h.ends_at < $1 and (h.late_until is null or h.late_until < $1)
             and not exists (
                 select from homework_student s
                 where s.homework_id = h.id and s.state <> 'void' and s.extended_until >= $1)
           order by h.id"#,
        until as _
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for id in homework {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let held = held(&mut tx, id).await?;
            // Somebody gave it longer, or closed it, meanwhile.
            if held.status != HomeworkStatus::Published || held.late_until.unwrap_or(held.ends_at) >= until {
                return Ok(0);
            }
            let eased = sqlx::query_scalar!(
                r#"select exists (
                       select from homework_student
                       where homework_id = $1 and state <> 'void' and extended_until >= $2) as "eased!""#,
                id,
                until as _
            )
            .fetch_one(&mut *tx)
            .await?;
            if eased {
                return Ok(0);
            }
            let changes = shut(&mut tx, &held).await?;
            tx.commit_all(changes).await?;
            Ok::<usize, Error>(1)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

/// Who was given longer when a homework was closed already, and did not begin in that time, missed it after all.
async fn unused(run: &JobRun, school: &School, now: Moment) -> Result<usize> {
    let until = now - grace();
    let homework = sqlx::query_scalar!(
        "select distinct s.homework_id from homework_student s join homework h on h.id = s.homework_id
         where h.status = 'closed' and s.state = 'not_started' and s.extended_until < $1
         order by s.homework_id",
        until as _
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for id in homework {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            // Somebody opened it again meanwhile.
            if held(&mut tx, id).await?.status != HomeworkStatus::Closed {
                return Ok(0);
            }
            let by = tx.by();
            let missed = sqlx::query_scalar!(
                "update homework_student set state = 'missed', updated_at = now(), updated_by = $2, version = version + 1
                 where homework_id = $1 and state = 'not_started' and extended_until < $3 returning id",
                id,
                by,
                until as _
            )
            .fetch_all(&mut *tx)
            .await?;
            let count = missed.len();
            let change = |id: i64| Change::status("homework_student", id, "state", "not_started", "missed");
            if count > 0 {
                results::changed(&mut tx, id, Some(&missed)).await?;
                tx.commit_all(missed.into_iter().map(change).collect()).await?;
            }
            Ok::<usize, Error>(count)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

/// Who came onto a roster gets its homework, who left it has none any more, and who came back has what they had.
async fn followed(run: &JobRun, school: &School, now: Moment) -> Result<usize> {
    let mut read = run.read_in(school).await?;
    let joined = sqlx::query_scalar!(
        r#"select h.id from homework h
           where h.status = 'published' and (h.ends_at > $1 or h.late_until > $1)
             and exists (
                 select from homework_target t
                 join course_selection c on c.opening_id = t.opening_id and c.status = 'selected'
                                        and (t.class_id is null or t.class_id = c.class_id)
                 where t.homework_id = h.id
                   and not exists (select from homework_student s where s.homework_id = h.id and s.selection_id = c.id))
           order by h.id"#,
        now as _
    )
    .fetch_all(&mut *read)
    .await?;
    let turned = sqlx::query_scalar!(
        r#"select t.id as "id!"
           from (select s.id
                 from course_selection c join homework_student s on s.selection_id = c.id
                 where c.semester_id in (select id from semester where closed_at is null)
                   and c.status in ('dropped', 'exempted') and s.state <> 'void'
                 union all
                 select s.id
                 from homework_student s join course_selection c on c.id = s.selection_id
                 where s.state = 'void' and s.former_state is not null and c.status in ('selected', 'completed')) t
           order by t.id limit 20000"#
    )
    .fetch_all(&mut *read)
    .await?;
    drop(read);
    let mut done = 0;
    for id in joined {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let changes = join(&mut tx, id).await?;
            let count = changes.len();
            if count > 0 {
                tx.commit_all(changes).await?;
            }
            Ok::<usize, Error>(count)
        };
        done += later(outcome.await)?;
    }
    for id in turned {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let changes = turn(&mut tx, id).await?;
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

/// Gives a homework to those on its rosters who have no row of it, and tells them.
pub(crate) async fn join(tx: &mut Tx, id: i64) -> Result<Vec<Change>> {
    let held = held(tx, id).await?;
    if held.status != HomeworkStatus::Published {
        return Ok(Vec::new());
    }
    let to: Vec<Recipient> = missing(tx, id).await?;
    if to.is_empty() {
        return Ok(Vec::new());
    }
    let form = form_of(tx, id).await?;
    let seed = sqlx::query_scalar!("select rule_seed from homework where id = $1", id).fetch_one(&mut **tx).await?;
    let snapshots = sqlx::query_scalar!(
        "select snapshot_id from homework_snapshot where homework_id = $1 order by sort_no, snapshot_id",
        id
    )
    .fetch_all(&mut **tx)
    .await?;
    let rows = give(tx, id, &form, (seed.unwrap_or_default(), &snapshots), &to).await?;
    results::changed(tx, id, Some(&rows)).await?;
    let once = format!("homework_published:{id}:{}", rows.first().copied().unwrap_or_default());
    tell(tx, &held, &to, &once).await?;
    Ok(rows
        .into_iter()
        .map(|row| Change::event("homework_student", row, "insert", json!({ "homeworkId": id })))
        .collect())
}

/// Makes a student's row void with its selection, or brings it back.
async fn turn(tx: &mut Tx, id: i64) -> Result<Vec<Change>> {
    let before = held_task(tx, id).await?;
    let status = sqlx::query_scalar!("select status from course_selection where id = $1", before.selection_id)
        .fetch_one(&mut **tx)
        .await?;
    let gone = matches!(status.as_str(), "dropped" | "exempted");
    if gone == (before.state.as_str() == "void") {
        return Ok(Vec::new());
    }
    if gone {
        sqlx::query!(
            "update answer_sheet set mark_state = 'void', updated_at = now(), version = version + 1
             where homework_student_id = $1 and mark_state = 'in_progress'",
            id
        )
        .execute(&mut **tx)
        .await?;
        // What was given back and is not done again any more counts as it did, when its time is over.
        sqlx::query!(
            "update sheet_return r set ended = null, ended_at = null, updated_at = now(), version = r.version + 1
             from answer_sheet a
             where r.sheet_id = a.id and a.homework_student_id = $1 and a.mark_state = 'returned' and r.ended = 'redone'
               and not exists (
                   select from answer_sheet o
                   where o.homework_student_id = $1 and o.attempt_no > a.attempt_no and o.mark_state <> 'void')
               and not exists (select from sheet_return x where x.sheet_id = a.id and x.id > r.id)",
            id
        )
        .execute(&mut **tx)
        .await?;
        sqlx::query!(
            "update homework_student set former_state = state, state = 'void', updated_at = now(), version = version + 1
             where id = $1",
            id
        )
        .execute(&mut **tx)
        .await?;
        results::changed(tx, before.homework_id, Some(&[id])).await?;
        return Ok(vec![Change::status("homework_student", id, "state", before.state.as_str(), "void")]);
    }
    // What was being answered when it became void is not gone on with; of what was closed meanwhile nothing is to be answered.
    sqlx::query!(
        "update homework_student s
         set state = case when s.former_state not in ('not_started', 'in_progress') then s.former_state
                          when h.status = 'closed' then 'missed' else 'not_started' end,
             former_state = null, updated_at = now(), version = s.version + 1
         from homework h
         where s.id = $1 and h.id = s.homework_id and s.former_state is not null",
        id
    )
    .execute(&mut **tx)
    .await?;
    let back = crate::sheet::task(tx, id).await?;
    let mut changes = vec![Change::status("homework_student", id, "state", "void", back.state.as_str())];
    changes.extend(follow(tx, &back).await?);
    results::changed(tx, before.homework_id, Some(&[id])).await?;
    Ok(changes)
}

/// Tells who has handed nothing in that a homework ends within a day, once.
async fn due(run: &JobRun, school: &School, now: Moment) -> Result<usize> {
    let soon = now + chrono::TimeDelta::hours(24);
    let homework = sqlx::query_scalar!(
        r#"select distinct h.id from homework h join homework_student s on s.homework_id = h.id
           where h.status = 'published' and h.starts_at <= $1 and h.ends_at > $1 and h.ends_at <= $2
             and s.state in ('not_started', 'in_progress') and s.due_told_at is null
           order by h.id"#,
        now as _,
        soon as _
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for id in homework {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let held = held(&mut tx, id).await?;
            let students = sqlx::query_scalar!(
                "update homework_student s set due_told_at = $2
                 from course_selection c
                 where c.id = s.selection_id and s.homework_id = $1 and s.state in ('not_started', 'in_progress')
                   and s.due_told_at is null
                 returning c.student_id",
                id,
                now as _
            )
            .fetch_all(&mut *tx)
            .await?;
            tell_due(&mut tx, &held, &students, None).await?;
            let count = students.len();
            tx.commit(Change::event("homework", id, "remind", json!({ "told": count }))).await?;
            Ok::<usize, Error>(count)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

/// Tells markers whose time is over that sheets wait for them, once a day.
async fn overdue(run: &JobRun, school: &School, now: Moment) -> Result<usize> {
    let today = now.date_naive();
    let homework = sqlx::query_scalar!(
        r#"select h.id from homework h
           where h.mark_due_at < $1 and h.mark_due_at > $1::timestamptz - interval '30 days'
             and h.status in ('published', 'closed') and (h.overdue_told_on is null or h.overdue_told_on < $2)
             and exists (
                 select from homework_student s join answer_sheet a on a.homework_student_id = s.id
                 where s.homework_id = h.id and s.state not in ('exempt', 'void') and a.mark_state = 'submitted'
                   and (a.marker_id is not null
                        or exists (select from answer_item i
                                   where i.sheet_id = a.id and i.mark_state = 'pending' and i.marker_id is not null)))
           order by h.id"#,
        now as _,
        today
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for id in homework {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let once = format!("marking_overdue:{id}:{today}");
            let told = tell_markers(&mut tx, id, None, Some(&once)).await?;
            sqlx::query!("update homework set overdue_told_on = $2 where id = $1", id, today).execute(&mut *tx).await?;
            tx.commit(Change::event("homework", id, "remind", json!({ "markers": told }))).await?;
            Ok::<usize, Error>(usize::try_from(told).unwrap_or(0))
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

async fn redo(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "恢复未重做的答卷", restored).await?;
    Ok(Outcome { message: format!("{done}份答卷已恢复"), errors, ..Outcome::default() })
}

async fn restored(run: &JobRun, school: &School) -> Result<usize> {
    let now = run.app().clock().now();
    let returns = overdue_returns(&mut *run.read_in(school).await?, now).await?;
    let mut done = 0;
    for id in returns {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let Some(change) = restore_due(&mut tx, id).await? else { return Ok(0) };
            tx.commit(change).await?;
            Ok::<usize, Error>(1)
        };
        done += later(outcome.await)?;
    }
    Ok(done)
}

async fn compare(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "作业相似检测", of_closed).await?;
    Ok(Outcome { message: format!("{done}个作业已检测"), errors, ..Outcome::default() })
}

async fn measure(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "统计试题得分率和区分度", measured).await?;
    Ok(Outcome { message: format!("{done}所院校已统计"), errors, ..Outcome::default() })
}

/// The questions of all marked sheets of a school.
async fn measured(run: &JobRun, school: &School) -> Result<usize> {
    let now = run.app().clock().now();
    let mut tx = run.begin_in(school).await?;
    let Some(change) = question_bank::question::measure(&mut tx, now).await? else { return Ok(0) };
    tx.commit(change).await?;
    Ok(1)
}

/// Closed homework of which some sheets were not compared yet.
async fn of_closed(run: &JobRun, school: &School) -> Result<usize> {
    let homework = sqlx::query!(
        r#"select h.id, h.similarity_threshold as "threshold!" from homework h
           where h.status = 'closed' and h.similarity_threshold is not null
             and exists (
                 select from homework_student s join answer_sheet a on a.homework_student_id = s.id
                 where s.homework_id = h.id and a.mark_state in ('submitted', 'marked') and a.similarity is null)
           order by h.closed_at, h.id limit 200"#
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for row in homework {
        let search = Search { homework: row.id, threshold: i64::from(row.threshold), history: false, all: false };
        let found = compared(run.app(), &mut *run.read_in(school).await?, search).await?;
        let mut tx = run.begin_in(school).await?;
        let count = keep(&mut tx, row.id, &found).await?;
        tx.commit(Change::event("homework", row.id, "similarity", json!({ "pairs": count }))).await?;
        done += 1;
    }
    Ok(done)
}
