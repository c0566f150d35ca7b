//! Sessions that ran out without a word: the login log and, of an entry, the school's trail tell when (05 E1).

use infra::{
    Part, Result,
    http::Visit,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};

use crate::{
    entry::Left,
    session::{self, Event},
};

pub const PART: Part = Part { jobs: &[KIND], schedules: &[SCHEDULE], ..Part::NONE };

const KIND: JobKind = JobKind { kind: "sessions.expired", code: None, run: |run| Box::pin(work(run)) };
pub const SCHEDULE: Schedule =
    Schedule { kind: KIND.kind, title: "登记到期的会话", when: When::Every { minutes: 10 } };

/// What ran out earlier than this while no server worked is not told any more.
const TOLD_HOURS: i64 = 24;
const AT_ONCE: i64 = 500;

async fn work(run: JobRun) -> Result<Outcome> {
    let now = run.app().clock().now();
    let mut tx = run.begin_in_platform().await?;
    let over = sqlx::query!(
        r#"with over as (
               select jti from platform.sys_session
               where revoked_at is null and client is null and expires_at <= $1 and expires_at > $2
               order by expires_at limit $3 for update skip locked)
           update platform.sys_session s set revoked_at = s.expires_at, revoke_reason = 'expired'
           from over, platform.sys_user u where s.jti = over.jti and u.id = s.user_id
           returning s.jti, s.user_id, s.school_id, s.parent_jti is not null as "entry!", s.ip, s.user_agent, u.login_name,
                     u.real_name"#,
        now,
        now - chrono::Duration::hours(TOLD_HOURS),
        AT_ONCE
    )
    .fetch_all(&mut *tx)
    .await?;
    let count = over.len();
    for row in over {
        let visit = Visit { trace_id: String::new(), ip: row.ip, host: String::new(), user_agent: row.user_agent };
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
