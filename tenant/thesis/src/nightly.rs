//! 截止提醒: every morning whoever has three days left, once a stage (part 04 §8.1).

use infra::{
    Error, Part, Result, Scope,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use student_status::nightly::in_each_school;

use crate::thesis::{changes::reminded, hold::hold};

const NIGHTLY: JobKind =
    JobKind { kind: "thesis.nightly", code: None, run: |run| Box::pin(nightly(run)), headings: None };

pub const PART: Part = Part {
    jobs: &[NIGHTLY],
    schedules: &[Schedule {
        kind: NIGHTLY.kind, title: "提醒论文截止日期", when: When::Daily { hour: 8, minute: 10 }
    }],
    ..Part::NONE
};

/// Theses of one transaction.
const AT_ONCE: usize = 500;

async fn nightly(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "提醒论文截止日期", due).await?;
    Ok(Outcome { message: format!("{done}名学生已提醒"), errors, ..Outcome::default() })
}

/// Who was reminded in the three days before the end of a stage is not reminded again.
async fn due(run: &JobRun, school: &School) -> Result<usize> {
    let today = run.app().clock().today();
    let ids = sqlx::query_scalar!(
        "select t.id from thesis t
         join thesis_plan p on p.id = t.plan_id and p.status = 'active'
         cross join lateral (
             select greatest(
                 case t.stage when 'topic' then p.topic_to when 'proposal' then p.proposal_due
                              when 'draft' then p.draft_due when 'final' then p.final_due end,
                 (select x.until from thesis_extension x
                  where x.thesis_id = t.id and x.stage = t.stage order by x.id desc limit 1)) as due) d
         where t.status = 'active' and t.stage in ('topic', 'proposal', 'draft', 'final')
           and t.stage_status in ('pending', 'returned')
           and d.due between $1::date and $1::date + 3
           and (t.reminded_on is null or t.reminded_on < d.due - 3)
         order by t.id limit 200000",
        today
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let mut done = 0;
    for part in ids.chunks(AT_ONCE) {
        let mut tx = run.begin_in(school).await?;
        let outcome = async {
            let mut changes = Vec::with_capacity(part.len());
            for thesis in hold(&mut tx, part, &[], &Scope::whole_school()).await?.values() {
                changes.push(reminded(&mut tx, thesis).await?);
            }
            let count = changes.len();
            if count > 0 {
                tx.commit_all(changes).await?;
            }
            Ok::<usize, Error>(count)
        };
        done += match outcome.await {
            // Somebody else holds one, or it went on meanwhile: tomorrow's run finds the rest again.
            Err(error) if error.code == 409 => 0,
            other => other?,
        };
    }
    Ok(done)
}
