//! What happens to examinations by itself: rosters are followed, deferrals end, people are told of tomorrow and of their tickets.

use std::collections::BTreeMap;

use infra::{
    Change, Error, Part, Result, Tx,
    clock::Moment,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use scenes::{Person, PersonKind, Persons, notify};
use student_status::nightly::in_each_school;

use crate::{
    candidate::{LEFT_COURSE, LEFT_SCHOOL},
    deferral::used,
};

const FOLLOW: JobKind = JobKind { kind: "exam.follow", code: None, run: |run| Box::pin(follow(run)), headings: None };
const NIGHTLY: JobKind =
    JobKind { kind: "exam.nightly", code: None, run: |run| Box::pin(nightly(run)), headings: None };

pub const PART: Part = Part {
    jobs: &[FOLLOW, NIGHTLY],
    schedules: &[
        Schedule {
            kind: FOLLOW.kind, title: "考生名单跟随选课和学籍变化", when: When::Every { minutes: 10 }
        },
        Schedule {
            kind: NIGHTLY.kind, title: "考试提醒和准考证开放通知", when: When::Daily { hour: 18, minute: 0 }
        },
    ],
    ..Part::NONE
};

async fn follow(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "考生名单跟随选课和学籍变化", followed).await?;
    Ok(Outcome { message: format!("{done}项已办理"), errors, ..Outcome::default() })
}

async fn nightly(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "考试提醒和准考证开放通知", told).await?;
    Ok(Outcome { message: format!("{done}项已通知"), errors, ..Outcome::default() })
}

/// Goes on where somebody else holds a row: the next run finds it again.
fn later(outcome: Result<usize>) -> Result<usize> {
    match outcome {
        Err(error) if matches!(error.code, 404 | 409 | 422) => Ok(0),
        other => other,
    }
}

async fn followed(run: &JobRun, school: &School) -> Result<usize> {
    let rows = sqlx::query!(
        r#"select distinct c.setup_id as "setup!" from exam_candidate c
           join exam_setup s on s.id = c.setup_id and s.status not in ('closed', 'cancelled')
           join course_selection o on o.id = c.selection_id
           join student y on y.id = c.student_id
           where not c.removed
             and (o.status = 'dropped' or o.status = 'exempted' and c.eligibility <> 'exempt'
                  or y.status in ('suspended', 'withdrawn', 'transferred_out', 'graduated', 'incomplete'))
             and not exists (
                 select from answer_sheet a where a.exam_candidate_id = c.id and a.mark_state in ('submitted', 'marked'))
           order by c.setup_id"#
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for row in rows {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let changes = taken_off(&mut tx, row.setup).await?;
            let count = changes.len();
            if count > 0 {
                tx.commit_all(changes).await?;
            }
            Ok::<usize, Error>(count)
        };
        done += later(outcome.await)?;
    }
    let mut tx = run.begin_in(school).await?;
    let changes = used(&mut tx).await?;
    done += changes.len();
    if !changes.is_empty() {
        tx.commit_all(changes).await?;
    }
    Ok(done)
}

/// Who left the course or the school is taken off, their seat is free; who is exempted need not come.
async fn taken_off(tx: &mut Tx, setup: i64) -> Result<Vec<Change>> {
    tx.lock("exam_setup", setup).await?;
    let rows = sqlx::query!(
        r#"select c.id as "id!", o.status as "selection!",
                  y.status in ('suspended', 'withdrawn', 'transferred_out', 'graduated', 'incomplete') as "left!",
                  c.eligibility as "eligibility!"
           from exam_candidate c
           join exam_setup s on s.id = c.setup_id and s.status not in ('closed', 'cancelled')
           join course_selection o on o.id = c.selection_id
           join student y on y.id = c.student_id
           where c.setup_id = $1 and not c.removed
             and (o.status = 'dropped' or o.status = 'exempted' and c.eligibility <> 'exempt'
                  or y.status in ('suspended', 'withdrawn', 'transferred_out', 'graduated', 'incomplete'))
             and not exists (
                 select from answer_sheet a where a.exam_candidate_id = c.id and a.mark_state in ('submitted', 'marked'))
           order by c.id for update of c"#,
        setup
    )
    .fetch_all(&mut **tx)
    .await?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut changes = exam_seats::offered::free(tx, &ids).await?;
    let by = tx.by();
    for row in rows {
        let why = if row.left { LEFT_SCHOOL } else { LEFT_COURSE };
        let exempt = !row.left && row.selection == "exempted";
        sqlx::query!(
            "update exam_candidate
             set removed = not $2, remove_reason = case when $2 then null else $3 end,
                 eligibility = case when $2 then 'exempt' else eligibility end,
                 eligibility_reason = case when $2 then '课程免修' else eligibility_reason end, updated_at = now(), updated_by = $4,
                 version = version + 1
             where id = $1",
            row.id,
            exempt,
            why,
            by
        )
        .execute(&mut **tx)
        .await?;
        changes.push(if exempt {
            Change::status("exam_candidate", row.id, "eligibility", row.eligibility, "exempt")
        } else {
            Change::status("exam_candidate", row.id, "removed", false, true).because(Some(why))
        });
    }
    Ok(changes)
}

async fn told(run: &JobRun, school: &School) -> Result<usize> {
    let now = run.app().clock().now();
    Ok(remind(run, school, now).await? + tickets(run, school, now).await?)
}

/// Tells candidates of tomorrow's examinations, once.
async fn remind(run: &JobRun, school: &School, now: Moment) -> Result<usize> {
    let tomorrow = now.date_naive().succ_opt().unwrap_or_else(|| now.date_naive());
    let setups = sqlx::query!(
        r#"select s.id as "id!", u.name as "course!", w.starts_at as "starts_at!", s.mode = 'online' as "online!"
           from exam_setup s join exam_setup_time w on w.setup_id = s.id join course u on u.id = s.course_id
           where s.status = 'published' and (w.starts_at at time zone 'Asia/Shanghai')::date = $1
             and s.reminded_on is distinct from $1
           order by s.id"#,
        tomorrow
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for setup in setups {
        let mut tx = run.begin_in(school).await?;
        let people = sqlx::query!(
            r#"select c.student_id as "student!", t.name as "site?", r.exam_room_no as "room?", z.seat_no as "seat?"
               from exam_candidate c
               left join offline_seat z on z.candidate_id = c.id
               left join offline_session_room r on r.id = z.session_room_id
               left join site t on t.id = r.site_id
               where c.setup_id = $1 and not c.removed and c.eligibility = 'eligible'"#,
            setup.id
        )
        .fetch_all(&mut *tx)
        .await?;
        let mut places: BTreeMap<String, Vec<Person>> = BTreeMap::new();
        for person in people {
            let place = match (setup.online, person.site, person.room, person.seat) {
                (true, ..) => "学习平台在线考试".to_owned(),
                (false, Some(site), Some(room), Some(seat)) => format!("{site}{room}考场{seat}号"),
                _ => "以准考证为准".to_owned(),
            };
            places.entry(place).or_default().push(Person { kind: PersonKind::Student, id: person.student });
        }
        for (at, (place, people)) in places.into_iter().enumerate() {
            let values = [
                ("course".to_owned(), setup.course.clone()),
                ("startsAt".to_owned(), setup.starts_at.format("%Y-%m-%d %H:%M").to_string()),
                ("place".to_owned(), place),
            ];
            let once = format!("exam_reminder:{}:{tomorrow}:{at}", setup.id);
            notify(&mut tx, "exam_reminder", Persons::Recipients(people), values.into(), Some(&once)).await?;
        }
        sqlx::query!("update exam_setup set reminded_on = $2 where id = $1", setup.id, tomorrow)
            .execute(&mut *tx)
            .await?;
        tx.commit(Change::event("exam_setup", setup.id, "remind", serde_json::json!({ "day": tomorrow }))).await?;
        done += 1;
    }
    Ok(done)
}

/// Tells students that their tickets may be fetched, once a batch.
async fn tickets(run: &JobRun, school: &School, now: Moment) -> Result<usize> {
    let batches = sqlx::query!(
        r#"select b.id as "id!", b.name as "name!" from test_batch b
           where b.status = 'active' and b.ticket_publish_at <= $1 and b.ticket_told_on is null
             and exists (select from exam_ticket t where t.batch_id = b.id)
           order by b.id"#,
        now as _
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for batch in batches {
        let mut tx = run.begin_in(school).await?;
        let students =
            sqlx::query_scalar!("select student_id from exam_ticket where batch_id = $1 order by student_id", batch.id)
                .fetch_all(&mut *tx)
                .await?;
        let people = students.into_iter().map(|id| Person { kind: PersonKind::Student, id }).collect();
        let values = [("title".to_owned(), batch.name.clone())];
        let once = format!("ticket_open:{}", batch.id);
        notify(&mut tx, "ticket_open", Persons::Recipients(people), values.into(), Some(&once)).await?;
        let today = now.date_naive();
        sqlx::query!("update test_batch set ticket_told_on = $2 where id = $1", batch.id, today)
            .execute(&mut *tx)
            .await?;
        tx.commit(Change::event("test_batch", batch.id, "tickets", serde_json::json!({ "day": today }))).await?;
        done += 1;
    }
    Ok(done)
}
