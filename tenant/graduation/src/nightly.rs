//! The nightly look after punishments: one whose violation was revoked is revoked.

use infra::{
    Change, Part, Result,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use student_status::nightly::in_each_school;

use crate::enums::DisciplineStatus;

pub const JOB: JobKind =
    JobKind { kind: "graduation.nightly", code: None, run: |run| Box::pin(work(run)), headings: None };
pub const SCHEDULE: Schedule =
    Schedule { kind: JOB.kind, title: "撤销违规已撤销的处分", when: When::Daily { hour: 3, minute: 50 } };

pub const PART: Part = Part { jobs: &[JOB], schedules: &[SCHEDULE], ..Part::NONE };

async fn work(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "更新处分", of_school).await?;
    Ok(Outcome { message: format!("已更新{done}条处分"), errors, ..Outcome::default() })
}

async fn of_school(run: &JobRun, school: &School) -> Result<usize> {
    let mut tx = run.begin_in(school).await?;
    let revoked = sqlx::query!(
        r#"update student_discipline d set status = 'revoked', updated_at = now(), updated_by = 0, version = d.version + 1
           from (select p.id, p.status from student_discipline p join exam_violation v on v.id = p.violation_id
                 where v.status = 'revoked' and p.status <> 'revoked' order by p.id for update of p) o
           where d.id = o.id returning d.id as "id!", o.status as "former!: DisciplineStatus""#
    )
    .fetch_all(&mut *tx)
    .await?;
    if revoked.is_empty() {
        return Ok(0);
    }
    let count = revoked.len();
    let changes = revoked
        .into_iter()
        .map(|row| {
            let change = Change::status("student_discipline", row.id, "status", row.former.as_str(), "revoked");
            change.because(Some("违规已撤销"))
        })
        .collect();
    tx.commit_all(changes).await?;
    Ok(count)
}
