//! 导入完成: whoever started a long import is told how it ended (01 §12, scene import_finished).

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

const SCENE: &str = "import_finished";

async fn tell(run: &JobRun, end: JobEnd<'_>) -> Result<()> {
    if !is_import(end.kind, &run.params) || end.state == "cancelled" {
        return Ok(());
    }
    let mut tx = run.begin_home().await?;
    let starter = Persons::Recipients(vec![Person { kind: PersonKind::Account, id: run.actor.id }]);
    let variables =
        Values::from([("title".to_owned(), run.title.clone()), ("result".to_owned(), end.message.to_owned())]);
    notify(&mut tx, SCENE, starter, variables, Some(&format!("{SCENE}:{}", run.id))).await?;
    tx.commit_untracked("the end of a job, which its own row keeps").await
}

/// Whether rows were to be written; whoever only checks a file waits for the answer.
fn is_import(kind: &str, params: &Value) -> bool {
    match params["dryRun"].as_bool() {
        Some(dry_run) => !dry_run,
        None => kind.ends_with(".import"),
    }
}
