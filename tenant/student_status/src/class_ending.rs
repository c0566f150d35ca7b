//! The nightly look for classes whose students have all ended: they are marked as graduated (part 03 A4).

use classes::class::graduation::mark_graduated;
use infra::{
    Part, Result,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};

use crate::nightly::in_each_school;

const JOB: JobKind = JobKind { kind: "class.graduated", code: None, headings: None, run: |run| Box::pin(work(run)) };
const SCHEDULE: Schedule =
    Schedule { kind: JOB.kind, title: "标记已毕业的班级", when: When::Daily { hour: 4, minute: 20 } };

pub const PART: Part = Part { jobs: &[JOB], schedules: &[SCHEDULE], ..Part::NONE };

/// Classes of one transaction.
const AT_ONCE: i64 = 500;

async fn work(run: JobRun) -> Result<Outcome> {
    let (marked, errors) = in_each_school(&run, "标记班级", of_school).await?;
    Ok(Outcome { message: format!("已更新{marked}个班级的毕业时间"), errors, ..Outcome::default() })
}

async fn of_school(run: &JobRun, school: &School) -> Result<usize> {
    let mut marked = 0;
    loop {
        let mut tx = run.begin_in(school).await?;
        let changes = mark_graduated(&mut tx, AT_ONCE).await?;
        if changes.is_empty() {
            return Ok(marked);
        }
        marked += changes.len();
        tx.commit_all(changes).await?;
    }
}
