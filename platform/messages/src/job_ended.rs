//! 导入完成 and 统计导出完成: whoever started a long import is told how it ended, and whoever had a table of figures written that it is there
//! (01 §12, scene import_finished; 05 I, scene stat_export_ready).

use infra::{
    Part, Result,
    jobs::{JobEnd, JobRun},
};
use scenes::{
    outbox::{Person, PersonKind, Persons, notify},
    template::Values,
};
use serde_json::Value;

pub const PART: Part = Part { job_ended: Some(|run, end| Box::pin(tell(run, end))), ..Part::NONE };

const IMPORT: &str = "import_finished";
const FIGURES: &str = "stat_export_ready";
/// Jobs that write the tables of the statistics.
const TABLES: [&str; 7] = [
    "learning_record.export",
    "stat_exam.export",
    "stat_login.export",
    "stat_report.export",
    "stat_video.export",
    "stat_work.export",
    "visit.export",
];

async fn tell(run: &JobRun, end: JobEnd<'_>) -> Result<()> {
    let (scene, values) = if is_import(end.kind, &run.params) && end.state != "cancelled" {
        (IMPORT, vec![("title", run.title.as_str()), ("result", end.message)])
    } else if TABLES.contains(&end.kind) && end.state == "done" {
        (FIGURES, vec![("title", run.title.trim_start_matches("导出"))])
    } else {
        return Ok(());
    };
    let mut tx = run.begin_home().await?;
    let starter = Persons::Recipients(vec![Person { kind: PersonKind::Account, id: run.actor.id }]);
    let values: Values = values.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    notify(&mut tx, scene, starter, values, Some(&format!("{scene}:{}", run.id))).await?;
    tx.commit_untracked("the end of a job, which its own row keeps").await
}

/// Whether rows were to be written; whoever only checks a file waits for the answer.
fn is_import(kind: &str, params: &Value) -> bool {
    match params["dryRun"].as_bool() {
        Some(dry_run) => !dry_run,
        None => kind.ends_with(".import"),
    }
}
