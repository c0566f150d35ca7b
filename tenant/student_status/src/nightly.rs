//! Work of the night that goes over the open schools, each by itself.

use infra::{Result, directory::School, jobs::JobRun};
use serde_json::{Value, json};

/// Does something in every open school; answers how much was done, and which schools failed. Suspended and archived schools
/// stay as they are, and a school that is being migrated waits for the next night.
///
/// # Errors
/// When the list of schools cannot be read, or somebody cancelled the job; a school that fails is no error.
pub async fn in_each_school(
    run: &JobRun,
    what: &str,
    of_school: impl AsyncFn(&JobRun, &School) -> Result<usize>,
) -> Result<(usize, Vec<Value>)> {
    let app = run.app().clone();
    let schools = sqlx::query!(
        "select id, name from platform.school
         where deleted_at is null and provision_state = 'ready' and status in ('trial', 'active') order by id"
    )
    .fetch_all(&mut *run.read_platform().await?)
    .await?;
    let total = i64::try_from(schools.len()).unwrap_or(i64::MAX);
    let (mut done, mut errors) = (0, Vec::new());
    for (row, before) in schools.into_iter().zip(0..) {
        run.progress(what, before, total).await?;
        let Some(school) = app.school(row.id).await?.filter(|school| school.is_open() && school.key().is_ok()) else {
            continue;
        };
        match of_school(run, &school).await {
            Ok(of_school) => done += of_school,
            // The others go on, and this one is tried again tomorrow.
            Err(error) => errors.push(json!({ "id": row.id, "name": row.name, "msg": error.msg })),
        }
    }
    Ok((done, errors))
}
