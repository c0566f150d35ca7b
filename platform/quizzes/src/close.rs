//! Attempts whose time is over are handed in as they are, within two minutes.

use infra::{
    Part, Result,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use quiz_rules::{
    attempt::is_over,
    enums::{QuizRecordState, QuizSubmitKind},
};

use crate::record::write::{lock, submit};

pub const PART: Part = Part { jobs: &[KIND], schedules: &[SCHEDULE], ..Part::NONE };

const KIND: JobKind = JobKind { kind: "quiz.close", code: None, run: |run| Box::pin(close(run)), headings: None };
const SCHEDULE: Schedule =
    Schedule { kind: KIND.kind, title: "线上试卷到时交卷", when: When::Every { minutes: 1 } };

/// Of one run; the next one takes the rest.
const AT_ONCE: i64 = 5_000;

async fn close(run: JobRun) -> Result<Outcome> {
    let now = run.app().clock().now();
    let due = sqlx::query_scalar!(
        "select id from platform.online_exam_record where state = 'doing' and deadline_at < $1 order by deadline_at limit $2",
        now,
        AT_ONCE
    )
    .fetch_all(&mut *run.read_platform().await?)
    .await?;
    let mut done = 0;
    for id in due {
        let mut tx = run.begin_in_platform().await?;
        let held = lock(&mut tx, id).await?;
        // The learner may have handed it in meanwhile, or may still.
        if held.state == QuizRecordState::Doing && is_over(held.deadline_at, now) {
            let (_, change) = submit(&mut tx, &held, QuizSubmitKind::Time).await?;
            tx.commit(change).await?;
            done += 1;
        }
    }
    Ok(Outcome { message: format!("{done}份答卷已到时交卷"), ..Outcome::default() })
}
