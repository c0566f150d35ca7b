//! Attempts whose time is over are handed in as they are, within two minutes.

use chrono::TimeDelta;
use infra::{
    Error, Part, Result,
    clock::Moment,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use quiz_rules::{
    attempt::{GRACE_SECONDS, is_over},
    enums::{QuizRecordState, QuizSubmitKind},
};
use serde_json::{Value, json};

use crate::record::write::{lock, submit};

pub const PART: Part = Part { jobs: &[KIND], schedules: &[SCHEDULE], ..Part::NONE };

const KIND: JobKind = JobKind { kind: "quiz.close", code: None, run: |run| Box::pin(close(run)), headings: None };
const SCHEDULE: Schedule =
    Schedule { kind: KIND.kind, title: "线上试卷到时交卷", when: When::Every { minutes: 1 } };

/// Of one run; the next one takes the rest.
const AT_ONCE: i64 = 5_000;

async fn close(run: JobRun) -> Result<Outcome> {
    let now = run.app().clock().now();
    let over = now - TimeDelta::seconds(GRACE_SECONDS);
    let due = sqlx::query_scalar!(
        "select id from platform.online_exam_record where state = 'doing' and deadline_at < $1 order by deadline_at limit $2",
        over,
        AT_ONCE
    )
    .fetch_all(&mut *run.read_platform().await?)
    .await?;
    let (mut done, mut errors) = (0, Vec::new());
    for id in due {
        match close_one(&run, id, now).await {
            Ok(closed) => done += i64::from(closed),
            // The others wait for nobody; this one is tried again by the next run.
            Err(error) => errors.push(failed(id, &error)),
        }
    }
    Ok(Outcome { message: format!("{done}份答卷已到时交卷"), errors, ..Outcome::default() })
}

/// Whether the attempt was handed in now: the learner may have done so meanwhile.
async fn close_one(run: &JobRun, id: i64, now: Moment) -> Result<bool> {
    let mut tx = run.begin_in_platform().await?;
    let held = lock(&mut tx, id).await?;
    if held.state != QuizRecordState::Doing || !is_over(held.deadline_at, now) {
        return Ok(false);
    }
    let (_, change) = submit(&mut tx, &held, QuizSubmitKind::Time).await?;
    tx.commit(change).await?;
    Ok(true)
}

fn failed(id: i64, error: &Error) -> Value {
    json!({ "id": id, "name": format!("考试记录{id}"), "msg": error.msg })
}
