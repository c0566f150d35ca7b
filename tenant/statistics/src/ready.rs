//! 统计导出完成: whoever let a statistic be written as a job is told when its file is there (part 05 Part I, scene
//! stat_export_ready).

use infra::{
    Part, Result,
    jobs::{JobEnd, JobRun},
};
use scenes::outbox::{Person, PersonKind, Persons, notify};

pub const PART: Part = Part { job_ended: Some(|run, end| Box::pin(tell(run, end))), ..Part::NONE };

const SCENE: &str = "stat_export_ready";

/// The kinds of jobs that make a file of this room's screens.
const EXPORTS: [&str; 7] = [
    "stat_report.export",
    "stat_video.export",
    "stat_work.export",
    "stat_exam.export",
    "learning_record.export",
    "stat_login.export",
    "visit.export",
];

async fn tell(run: &JobRun, end: JobEnd<'_>) -> Result<()> {
    if end.state != "done" || !EXPORTS.contains(&end.kind) {
        return Ok(());
    }
    let mut tx = run.begin_home().await?;
    let starter = Persons::Recipients(vec![Person { kind: PersonKind::Account, id: run.actor.id }]);
    let title = run.title.strip_prefix("导出").unwrap_or(&run.title).to_owned();
    let values = [("title".to_owned(), title)].into();
    notify(&mut tx, SCENE, starter, values, Some(&format!("{SCENE}:{}", run.id))).await?;
    tx.commit_untracked("the end of a job, which its own row keeps").await
}
