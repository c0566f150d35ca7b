//! Sessions that ran out without a word: the login log and, of an entry, the school's trail tell when (05 E1).

use accounts::session::{self, Event};
use infra::{
    Part, Result,
    http::RequestOrigin,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};

use crate::school_entry::Left;

pub const PART: Part = Part { jobs: &[KIND], schedules: &[SCHEDULE], ..Part::NONE };

const KIND: JobKind = JobKind { kind: "sessions.expired", code: None, run: |run| Box::pin(work(run)), headings: None };
pub const SCHEDULE: Schedule =
    Schedule { kind: KIND.kind, title: "登记到期的会话", when: When::Every { minutes: 10 } };

/// What ran out earlier than this while no server worked is not told any more.
const TOLD_HOURS: i64 = 24;
const AT_ONCE: i64 = 500;

async fn work(run: JobRun) -> Result<Outcome> {
    let now = run.app().clock().now();
    let mut tx = run.begin_in_platform().await?;
    let over = session::expired(&mut tx, now - chrono::Duration::hours(TOLD_HOURS), now, AT_ONCE).await?;
    let count = over.len();
    for row in over {
        let visit =
            RequestOrigin { trace_id: String::new(), ip: row.ip, host: String::new(), user_agent: row.user_agent };
        let (login_name, real_name) = (row.login_name.as_str(), row.real_name.as_str());
        if row.entry {
            let left = Left { jti: row.jti, user_id: row.user_id, login_name, real_name, school_id: row.school_id };
            left.note(&mut tx, &visit, "到时返回", now).await?;
        } else {
            let event = Event {
                user_id: Some(row.user_id),
                login_name,
                real_name: Some(real_name),
                school_id: row.school_id,
                event: "expired",
                success: true,
                reason: None,
                session: Some(row.jti),
            };
            session::log(&mut tx, &visit, event, now).await?;
        }
    }
    tx.commit_untracked("ends of sessions stand in the login log and in the schools' trails").await?;
    Ok(Outcome { message: format!("已登记{count}个到期的会话"), ..Outcome::default() })
}
